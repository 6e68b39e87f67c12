//! Sets of paths (`replace_paths`, `relevant_attributes`), followed step by step.

use bumpalo::Bump;

use crate::json::Value;

/// The rest of some paths, seen from where the cursor stands.
#[derive(Clone, Copy, Debug)]
pub enum Paths<'a> {
    /// Everything matches.
    Always,
    /// These match.
    Some {
        /// What is left of each path that leads here.
        rest: &'a [&'a [Value<'a>]],
        /// What is below a matching value matches too.
        inherit: bool,
    },
}

impl<'a> Paths<'a> {
    /// Nothing matches.
    pub const NEVER: Self = Self::Some { rest: &[], inherit: false };

    /// The `replace_paths` of a change: a list of paths. They match whole values, not what is below.
    pub fn of_document(paths: Value<'a>, arena: &'a Bump) -> Self {
        let Some(paths) = paths.as_array().filter(|paths| !paths.is_empty()) else { return Self::NEVER };
        let rest = arena.alloc_slice_fill_iter(paths.iter().map(|path| path.as_array().unwrap_or_default()));
        Self::Some { rest, inherit: false }
    }

    /// Paths that match with all that is below them.
    pub fn inherited(paths: &[&'a [Value<'a>]], arena: &'a Bump) -> Self {
        Self::Some { rest: arena.alloc_slice_copy(paths), inherit: true }
    }

    /// Whether the value here is one that was meant.
    pub fn matches(self) -> bool {
        match self {
            Self::Always => true,
            Self::Some { rest, .. } => rest.iter().any(|path| path.is_empty()),
        }
    }

    /// Whether the value here, or one below it, may be meant.
    pub fn may_match(self) -> bool {
        match self {
            Self::Always => true,
            Self::Some { rest, .. } => !rest.is_empty(),
        }
    }

    pub(super) fn key(self, key: &str, arena: &'a Bump) -> Self {
        self.step(arena, |step| step == Value::String(key))
    }

    pub(super) fn index(self, index: usize, arena: &'a Bump) -> Self {
        // Paths name an element by a number, which older formats wrote as a string.
        self.step(arena, |step| match step {
            Value::Number(text) | Value::String(text) => {
                text.parse::<f64>().is_ok_and(|number| number == index as f64)
            }
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
        })
    }

    fn step(self, arena: &'a Bump, is_next: impl Fn(Value<'a>) -> bool) -> Self {
        let Self::Some { rest, inherit } = self else { return self };
        if rest.is_empty() {
            return self;
        }
        let next: Vec<&'a [Value<'a>]> = rest
            .iter()
            .filter_map(|path| match path.split_first() {
                None => inherit.then_some(*path),
                Some((step, later)) => is_next(*step).then_some(later),
            })
            .collect();
        Self::Some { rest: arena.alloc_slice_copy(&next), inherit }
    }
}
