//! Sets of paths (`replace_paths`, `relevant_attributes`), followed step by step.
//!
//! Invariant: a step is a binary search among the next steps of the remaining paths, never a scan of all
//! paths, because there may be very many paths and very many elements to look up.

use std::cell::OnceCell;

use bumpalo::Bump;

use crate::json::Value;

/// The remaining paths at the position of a cursor.
#[derive(Clone, Copy, Debug)]
pub enum Paths<'a> {
    /// Everything matches.
    Always,
    /// Nothing matches, here or below.
    Never,
    /// Some paths continue or end here.
    Some {
        /// The rest of the paths that lead here, from one or two sets.
        rest: [Option<&'a PathsBelow<'a>>; 2],
        /// Whether everything below a matching value matches as well.
        inherit: bool,
    },
}

/// The rest of some paths.
#[derive(Debug)]
pub struct PathsBelow<'a> {
    paths: &'a [&'a [Value<'a>]],
    /// Whether one of the paths ends here.
    ends: bool,
    /// The next steps of the paths, sorted.
    next: OnceCell<&'a [(Step<'a>, &'a Self)]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step<'a> {
    Key(&'a str),
    /// The index of an element, as the bits of a floating-point number.
    Index(u64),
}

impl<'a> Paths<'a> {
    /// Parses the `replace_paths` of a change. These paths match exactly, not the values below.
    pub fn parse(paths: Value<'a>, arena: &'a Bump) -> Self {
        let Some(paths) = paths.as_array().filter(|paths| !paths.is_empty()) else { return Self::Never };
        let paths = arena.alloc_slice_fill_iter(paths.iter().map(|path| path.as_array().unwrap_or_default()));
        Self::Some { rest: [Some(PathsBelow::new(paths, arena)), None], inherit: false }
    }

    /// Paths that also match everything below them.
    pub fn inherited(paths: &[&'a [Value<'a>]], arena: &'a Bump) -> Self {
        if paths.is_empty() {
            return Self::Never;
        }
        let rest = PathsBelow::new(arena.alloc_slice_copy(paths), arena);
        Self::Some { rest: [Some(rest), None], inherit: true }
    }

    /// The union of two unstepped sets. Neither is copied, so one set can be combined with many others.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Always, _) | (_, Self::Always) => Self::Always,
            (Self::Never, paths) | (paths, Self::Never) => paths,
            (Self::Some { rest: [one, _], inherit }, Self::Some { rest: [two, _], .. }) => {
                Self::Some { rest: [one, two], inherit }
            }
        }
    }

    /// Whether a path ends at this value.
    pub fn matches(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Some { rest, .. } => ends(rest),
        }
    }

    /// Whether everything below this value matches.
    fn cover_parts(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Some { rest, inherit } => inherit && ends(rest),
        }
    }

    /// Whether a path may end at this value or below it.
    pub fn may_match(self) -> bool {
        !matches!(self, Self::Never)
    }

    /// The paths that continue with the member or element `key`.
    pub fn key(self, key: &str, arena: &'a Bump) -> Self {
        self.step(Step::Key(key), arena)
    }

    /// The paths that continue with the element at `index`.
    pub fn index(self, index: usize, arena: &'a Bump) -> Self {
        self.step(Step::Index((index as f64).to_bits()), arena)
    }

    fn step(self, step: Step<'_>, arena: &'a Bump) -> Self {
        let Self::Some { rest, inherit } = self else { return self };
        if self.cover_parts() {
            return Self::Always;
        }
        match rest.map(|rest| rest.and_then(|rest| rest.after(step, arena))) {
            [None, None] => Self::Never,
            rest => Self::Some { rest, inherit },
        }
    }
}

fn ends(rest: [Option<&PathsBelow<'_>>; 2]) -> bool {
    rest.into_iter().flatten().any(|rest| rest.ends)
}

impl<'a> PathsBelow<'a> {
    fn new(paths: &'a [&'a [Value<'a>]], arena: &'a Bump) -> &'a Self {
        let ends = paths.iter().any(|path| path.is_empty());
        arena.alloc(Self { paths, ends, next: OnceCell::new() })
    }

    /// The rest of the paths that go on with a step.
    fn after(&self, step: Step<'_>, arena: &'a Bump) -> Option<&'a Self> {
        let next = self.next.get_or_init(|| next(self.paths, arena));
        let at = next.binary_search_by(|(known, _)| known.cmp(&step)).ok()?;
        next.get(at).map(|(_, rest)| *rest)
    }
}

/// The bits of a number that may be an index; `None` if the text is not a number.
fn index(text: &str) -> Option<u64> {
    let number = text.parse::<f64>().ok()?;
    // Positive and negative zero are the same index.
    Some(if number == 0.0 { 0.0f64.to_bits() } else { number.to_bits() })
}

/// The next steps of paths, each with the rest of those that begin with it.
fn next<'a>(paths: &[&'a [Value<'a>]], arena: &'a Bump) -> &'a [(Step<'a>, &'a PathsBelow<'a>)] {
    let mut steps: Vec<(Step<'a>, &'a [Value<'a>])> = Vec::new();
    for path in paths {
        let Some((step, later)) = path.split_first() else { continue };
        // Paths identify an element by a number, which older formats write as a string.
        if let Value::String(text) = step {
            steps.push((Step::Key(text), later));
        }
        if let Value::String(text) | Value::Number(text) = step {
            steps.extend(index(text).map(|index| (Step::Index(index), later)));
        }
    }
    crate::sort::by_key(&mut steps, |(step, _)| *step);
    // Most paths end after their next step, and share what follows it: nothing.
    let end = OnceCell::new();
    let groups = steps.chunk_by(|a, b| a.0 == b.0);
    let mut found = bumpalo::collections::Vec::with_capacity_in(groups.clone().count(), arena);
    found.extend(groups.filter_map(|group| {
        let below = match group {
            [(_, [])] => *end.get_or_init(|| PathsBelow::new(arena.alloc([&[] as &[_]]), arena)),
            _ => {
                let later = arena.alloc_slice_fill_iter(group.iter().map(|(_, later)| *later));
                PathsBelow::new(later, arena)
            }
        };
        Some((group.first()?.0, below))
    }));
    found.into_bump_slice()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn paths<'a>(text: &'a str, arena: &'a Bump) -> Paths<'a> {
        Paths::parse(parse(text, arena).unwrap(), arena)
    }

    #[test]
    fn paths_are_followed_by_key_and_by_number() {
        let arena = Bump::new();
        let all = paths(r#"[["a",0,"b"],["a","1"],["a",2.0],["c"],["a","k"],[]]"#, &arena);
        assert!(all.matches() && all.key("c", &arena).matches());
        let a = all.key("a", &arena);
        assert!(!a.matches() && a.may_match());
        assert!(!a.index(0, &arena).matches() && a.index(0, &arena).key("b", &arena).matches());
        assert!(a.index(1, &arena).matches() && a.key("1", &arena).matches());
        assert!(a.index(2, &arena).matches() && a.key("k", &arena).matches());
        assert!(!a.index(3, &arena).may_match() && !a.key("2.0", &arena).may_match());
        assert!(!all.key("c", &arena).key("d", &arena).may_match(), "only the value itself is meant");
        assert!(!paths("[]", &arena).may_match() && !paths("null", &arena).may_match());
    }

    #[test]
    fn what_is_inherited_holds_below() {
        let arena = Bump::new();
        let value = parse(r#"["a"]"#, &arena).unwrap();
        let relevant = Paths::inherited(&[value.as_array().unwrap()], &arena);
        assert!(relevant.key("a", &arena).key("b", &arena).index(5, &arena).matches());
        assert!(!relevant.key("b", &arena).may_match());
        let other = parse(r#"["c","d"]"#, &arena).unwrap();
        let both = relevant.or(Paths::inherited(&[other.as_array().unwrap()], &arena)).or(Paths::Never);
        assert!(both.key("a", &arena).matches() && both.key("c", &arena).key("d", &arena).matches());
        assert!(both.key("c", &arena).may_match() && !both.key("c", &arena).matches());
        assert!(!Paths::inherited(&[], &arena).may_match());
    }
}
