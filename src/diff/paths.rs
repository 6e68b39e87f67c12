//! Sets of paths into a value (`replace_paths`, `relevant_attributes`), which are followed step by step.
//!
//! Invariant: following a step is a binary search among the remaining paths, never a scan of all of them, because there
//! may be very many paths and very many elements.
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

/// A set of paths, reduced to those that lead through the current value.
#[derive(Clone, Copy, Debug)]
pub enum Paths<'a> {
    /// The current value and everything below it match.
    Always,
    /// Nothing matches.
    Never,
    /// The paths that lead through the current value.
    Some {
        /// The paths, in two lists that are sorted, so that a set can be united with others without a copy.
        paths: [&'a [&'a [Step<'a>]]; 2],
        /// The number of steps from the root to the current value.
        depth: usize,
        /// Whether everything below a matching value matches as well.
        inherit: bool,
    },
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step<'a> {
    /// The index of an element, as the bits of a floating-point number. Older formats write an index as a string, so a
    /// key that is a whole number counts as an index, too.
    Index(u64),
    Key(&'a str),
    /// A value, which identifies an element of a set. No step of a cursor leads to it.
    Value,
}

impl<'a> Step<'a> {
    /// Reads a step of the plan.
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

    /// Returns the step to a member. A key that is a whole number is an index.
    fn key(key: &'a str) -> Self {
        let index = key
            .parse::<u32>()
            .ok()
            .filter(|index| index.to_string() == key);
        index.map_or(Self::Key(key), |index| Self::index(f64::from(index)))
    }
}

impl<'a> Paths<'a> {
    /// Reads paths that match exactly, and not the values below.
    pub fn parse(paths: Value<'a>, arena: &'a Bump) -> Self {
        Self::new(paths.as_array().unwrap_or_default(), false, arena)
    }

    /// Reads paths and sorts them, so that following a step is a binary search. `inherit` says whether everything below
    /// a matching value matches.
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

    /// Returns the union of two sets in which no step was followed yet. Neither is copied, so one set can be united
    /// with many others.
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
            // A path that ends is sorted before those that continue.
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

/// The paths of the attributes that contributed to a plan (`relevant_attributes`), by the address of the resource
/// instance.
#[derive(Debug)]
pub struct RelevantPaths<'p, 'a>(HashMap<&'p str, Paths<'a>>);

impl<'p, 'a> RelevantPaths<'p, 'a> {
    /// Reads `relevant_attributes` of a plan. Its paths also match everything below them.
    ///
    /// # Errors
    /// Returns an error if a path is malformed.
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

    /// Returns the relevant paths of an object. Paths without an address apply to all objects.
    pub fn at(&self, address: &str) -> Paths<'a> {
        let paths = |address: &str| self.0.get(address).copied().unwrap_or(Paths::Never);
        paths("").or(paths(address))
    }
}

#[cfg(test)]
mod tests;
