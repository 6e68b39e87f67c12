//! The marks of sensitive values, as plans contain them.
//!
//! Invariant: a mark whose shape does not match its value covers the whole value, so that nothing is shown by mistake.
//!
//! ```text
//! value {"a": "x", "b": "y"}   mark {"a": true}    `a` is sensitive
//! value ["x", "y"]             mark {"a": true}    the whole list is
//! ```

use bumpalo::Bump;

use crate::json::Value;
use crate::model::plan::NO_SCHEMA;

/// The sensitive parts of a value: `true` for all of it, or a tree of its shape.
///
/// A mark of another shape covers the whole value if anything in it is marked. An absent mark means that nothing is
/// sensitive, because older formats contain none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark<'a>(Value<'a>);

impl<'a> Mark<'a> {
    /// The mark of a value without sensitive parts.
    pub const NONE: Self = Self(Value::Null);
    /// The mark of a value that is sensitive as a whole.
    pub const ALL: Self = Self(Value::Bool(true));

    /// Reads a mark of the plan. A malformed mark means that the whole value is sensitive.
    pub fn new(value: Value<'a>) -> Self {
        match value {
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => Self(value),
            Value::String(NO_SCHEMA) => Self(value),
            Value::Number(_) | Value::String(_) => Self::ALL,
        }
    }

    /// Whether the value is hidden only because there is no schema to tell what is sensitive.
    pub fn lacks_schema(self) -> bool {
        self.0 == Value::String(NO_SCHEMA)
    }

    /// Returns the mark as the plan contains it.
    pub fn value(self) -> Value<'a> {
        self.0
    }

    /// Whether anything is marked as sensitive.
    pub fn is_any(self) -> bool {
        is_marked(self.0)
    }

    /// Whether the mark hides `value` as a whole.
    #[inline]
    pub fn covers(self, value: Value<'a>) -> bool {
        !matches!(self.0, Value::Null | Value::Bool(false)) && self.covers_with_some(value)
    }

    /// The part of `covers` for a mark that marks something, or may do so.
    fn covers_with_some(self, value: Value<'a>) -> bool {
        match (self.0, value) {
            (Value::Object(_), Value::Object(_)) => false,
            (Value::Array(marks), Value::Array(items)) => {
                marks.len() > items.len()
                    && marks[items.len()..].iter().any(|mark| is_marked(*mark))
            }
            // Null and absent values have no parts to hide, but an explicit `true` counts.
            (Value::Array(_) | Value::Object(_), Value::Null) => false,
            (mark, _) => is_marked(mark),
        }
    }

    /// Returns the mark of a member.
    pub fn key(self, key: &str) -> Self {
        if matches!(self.0, Value::Bool(true) | Value::String(_)) {
            self
        } else {
            Self::new(self.0.get(key).unwrap_or_default())
        }
    }

    /// Returns a mark with one mark for each element of `value`, if it is a list. Without this, [`Self::index`] would
    /// search all marks again for each element past their end.
    #[inline]
    pub fn fitted(self, value: Value<'a>, arena: &'a Bump) -> Self {
        if matches!(self.0, Value::Array(_)) {
            self.fitted_marks(value, arena)
        } else {
            self
        }
    }

    /// The part of `fitted` for a list of marks.
    fn fitted_marks(self, value: Value<'a>, arena: &'a Bump) -> Self {
        match (self.0, value) {
            (Value::Array(marks), Value::Array(items)) if marks.len() < items.len() => {
                if !self.is_any() {
                    return Self::NONE;
                }
                let mark = |index: usize| marks.get(index).copied().unwrap_or(Value::Bool(true));
                Self(Value::Array(arena.alloc_slice_fill_with(items.len(), mark)))
            }
            _ => self,
        }
    }

    /// Returns the mark of an element.
    pub fn index(self, index: usize) -> Self {
        match self.0 {
            Value::Bool(true) | Value::String(_) => self,
            // If anything is marked, an element past the marks has no mark of its own and counts as sensitive.
            Value::Array(marks) => match marks.get(index) {
                Some(mark) => Self::new(*mark),
                None if marks.iter().any(|mark| is_marked(*mark)) => Self::ALL,
                None => Self::NONE,
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Self::NONE,
        }
    }
}

/// Whether a mark, or one in it, is set.
fn is_marked(mark: Value<'_>) -> bool {
    match mark {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) | Value::String(_) => true,
        Value::Array(_) | Value::Object(_) => mark.children().any(is_marked),
    }
}

#[cfg(test)]
mod tests;
