//! Sets of paths (`replace_paths`, `relevant_attributes`), followed step by step.
//!
//! Invariant: a step is a binary search among the remaining paths, never a scan of all of them, because there may be
//! very many paths and very many elements to look up.
//!
//! ```text
//! paths                  [["ami"], ["network", 0, "id"]]
//! after "ami"            the value matches
//! after "network", 0     the path that is left goes on to "id"
//! after "tags"           nothing matches
//! ```

use std::collections::HashMap;

use bumpalo::Bump;

use crate::json::{Error, Raw, Value};
use crate::model::plan::Plan;

/// A set of paths, as far as they lead through the current value.
#[derive(Clone, Copy, Debug)]
pub enum Paths<'a> {
    /// The current value and everything below it match.
    Always,
    /// Nothing matches.
    Never,
    /// The paths that lead through the current value.
    Some {
        /// The paths, in two lists, so that a set can be united with others without a copy.
        paths: [&'a [&'a [Step<'a>]]; 2],
        /// The number of steps from the root to the current value.
        depth: usize,
        /// Everything below a matching value matches as well.
        inherit: bool,
    },
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step<'a> {
    /// As the bits of a floating-point number. Older formats write it as a string, so a key that is an index is one,
    /// too.
    Index(u64),
    Key(&'a str),
    /// An element of a set, which no step leads to.
    Value,
}

impl<'a> Step<'a> {
    fn new(value: Value<'a>) -> Self {
        match value {
            // Positive and negative zero are the same index.
            Value::Number(text) => text
                .parse()
                .map_or(Self::Value, |index: f64| Self::index(index + 0.0)),
            Value::String(key) => Self::key(key),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => Self::Value,
        }
    }

    fn index(index: f64) -> Self {
        Self::Index(index.to_bits())
    }

    fn key(key: &'a str) -> Self {
        let index = key
            .parse::<u32>()
            .ok()
            .filter(|index| index.to_string() == key);
        index.map_or(Self::Key(key), |index| Self::index(f64::from(index)))
    }
}

impl<'a> Paths<'a> {
    /// These paths match exactly, not the values below.
    pub fn parse(paths: Value<'a>, arena: &'a Bump) -> Self {
        Self::new(paths.as_array().unwrap_or_default(), false, arena)
    }

    /// Reads paths and sorts them, so that a step is a binary search.
    fn new(paths: &[Value<'a>], inherit: bool, arena: &'a Bump) -> Self {
        if paths.is_empty() {
            return Self::Never;
        }
        let steps = |path: &Value<'a>| {
            let steps = path
                .as_array()
                .unwrap_or_default()
                .iter()
                .map(|step| Step::new(*step));
            &*arena.alloc_slice_fill_iter(steps)
        };
        let paths = arena.alloc_slice_fill_iter(paths.iter().map(steps));
        paths.sort_unstable();
        Self::Some {
            paths: [paths, &[]],
            depth: 0,
            inherit,
        }
    }

    /// For unstepped sets. Neither is copied, so one set can be combined with many others.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Always, _) | (_, Self::Always) => Self::Always,
            (Self::Never, paths) | (paths, Self::Never) => paths,
            (
                Self::Some {
                    paths: [one, _],
                    depth,
                    inherit,
                },
                Self::Some {
                    paths: [two, _], ..
                },
            ) => Self::Some {
                paths: [one, two],
                depth,
                inherit,
            },
        }
    }

    /// Whether the current value matches.
    pub fn matches(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            // A path that ends is sorted before those that go on.
            Self::Some { paths, depth, .. } => paths
                .into_iter()
                .any(|paths| paths.first().is_some_and(|path| path.len() == depth)),
        }
    }

    /// Whether the current value or anything below it may match.
    pub fn may_match(self) -> bool {
        !matches!(self, Self::Never)
    }

    /// Follows the step to a member.
    pub fn key(self, key: &str) -> Self {
        if matches!(self, Self::Some { .. }) {
            self.step(Step::key(key))
        } else {
            self
        }
    }

    /// Follows the step to an element.
    pub fn index(self, index: usize) -> Self {
        self.step(Step::index(index as f64))
    }

    /// Follows one step: keeps the paths that lead through it.
    fn step(self, step: Step<'_>) -> Self {
        let Self::Some {
            paths,
            depth,
            inherit,
        } = self
        else {
            return self;
        };
        if inherit && self.matches() {
            return Self::Always;
        }
        let narrowed = |paths: &'a [&'a [Step<'a>]]| {
            let start = paths.partition_point(|path| path.get(depth) < Some(&step));
            let end = paths.partition_point(|path| path.get(depth) <= Some(&step));
            &paths[start..end]
        };
        match paths.map(narrowed) {
            [[], []] => Self::Never,
            paths => Self::Some {
                paths,
                depth: depth + 1,
                inherit,
            },
        }
    }
}

/// The paths of the attributes that contributed to a plan, by resource instance.
#[derive(Debug)]
pub struct RelevantPaths<'p, 'a>(HashMap<&'p str, Paths<'a>>);

impl<'p, 'a> RelevantPaths<'p, 'a> {
    /// Reads `relevant_attributes` of a plan. Its paths also match everything below them. Fails if one is malformed.
    pub fn new(plan: &'p Plan<'a>, arena: &'a Bump) -> Result<Self, Error> {
        let mut paths: HashMap<&str, Vec<Value<'a>>> = HashMap::new();
        for attribute in &plan.relevant_attributes {
            let path = Raw::value_or_null(attribute.attribute, arena)?;
            paths.entry(&*attribute.resource).or_default().push(path);
        }
        let inherited =
            |(resource, paths): (_, Vec<_>)| (resource, Paths::new(&paths, true, arena));
        Ok(Self(paths.into_iter().map(inherited).collect()))
    }

    /// Paths without an address apply to all objects.
    pub fn at(&self, address: &str) -> Paths<'a> {
        let paths = |address: &str| self.0.get(address).copied().unwrap_or(Paths::Never);
        paths("").or(paths(address))
    }
}

#[cfg(test)]
mod tests;
