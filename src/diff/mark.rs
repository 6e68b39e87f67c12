//! Sensitive marks, interpreted so that they fail closed.

use bumpalo::Bump;

use crate::json::Value;
use crate::schema::NO_SCHEMA;

/// The sensitive parts of a value: `true` for all of it, or a tree of the value's shape.
///
/// A mark whose shape does not match the value covers the whole value if anything in it is marked. An
/// absent mark means that nothing is sensitive: older formats write none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark<'a>(Value<'a>);

impl<'a> Mark<'a> {
    /// No mark.
    pub const NONE: Self = Self(Value::Null);
    /// The whole value is sensitive.
    pub const ALL: Self = Self(Value::Bool(true));

    /// Parses a mark. Malformed marks are treated as sensitive.
    pub fn new(value: Value<'a>) -> Self {
        match value {
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => Self(value),
            Value::String(NO_SCHEMA) => Self(value),
            Value::Number(_) | Value::String(_) => Self::ALL,
        }
    }

    /// Whether the value is hidden only because no schema says what is sensitive.
    pub fn lacks_schema(self) -> bool {
        self.0 == Value::String(NO_SCHEMA)
    }

    /// The mark as written in the document.
    pub fn value(self) -> Value<'a> {
        self.0
    }

    /// Whether anything is marked.
    pub fn is_any(self) -> bool {
        is_marked(self.0)
    }

    /// Whether `value`, the value that this mark belongs to, is sensitive as a whole.
    #[inline]
    pub fn covers(self, value: Value<'a>) -> bool {
        // Most values have no mark.
        !matches!(self.0, Value::Null | Value::Bool(false)) && self.covers_with_some(value)
    }

    fn covers_with_some(self, value: Value<'a>) -> bool {
        match (self.0, value) {
            (Value::Object(_), Value::Object(_)) => false,
            (Value::Array(marks), Value::Array(items)) => {
                marks.len() > items.len() && marks[items.len()..].iter().any(|mark| is_marked(*mark))
            }
            // Null and absent values have no parts to hide, but an explicit `true` counts.
            (Value::Array(_) | Value::Object(_), Value::Null) => false,
            (mark, _) => is_marked(mark),
        }
    }

    /// The mark of an object's member.
    pub fn key(self, key: &str) -> Self {
        if matches!(self.0, Value::Bool(true) | Value::String(_)) {
            self
        } else {
            Self::new(self.0.get(key).unwrap_or_default())
        }
    }

    /// The mark extended to one mark for each element of `value`. Without this, [`Self::index`] would search
    /// all marks again for each element past their end.
    #[inline]
    pub fn fitted(self, value: Value<'a>, arena: &'a Bump) -> Self {
        if matches!(self.0, Value::Array(_)) { self.fitted_marks(value, arena) } else { self }
    }

    fn fitted_marks(self, value: Value<'a>, arena: &'a Bump) -> Self {
        match (self.0, value) {
            (Value::Array(marks), Value::Array(items)) if marks.len() < items.len() => {
                if !self.is_any() {
                    return Self::NONE;
                }
                let mark = |at: usize| marks.get(at).copied().unwrap_or(Value::Bool(true));
                Self(Value::Array(arena.alloc_slice_fill_with(items.len(), mark)))
            }
            _ => self,
        }
    }

    /// The mark of the element at `index`.
    pub fn index(self, index: usize) -> Self {
        match self.0 {
            Value::Bool(true) | Value::String(_) => self,
            // The marks of a list cover every element. If anything is marked, an element past the marks
            // cannot be matched and counts as sensitive.
            Value::Array(marks) => match marks.get(index) {
                Some(mark) => Self::new(*mark),
                None if marks.iter().any(|mark| is_marked(*mark)) => Self::ALL,
                None => Self::NONE,
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Self::NONE,
        }
    }
}

/// Whether anything in a mark's tree is marked.
fn is_marked(mark: Value<'_>) -> bool {
    match mark {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) | Value::String(_) => true,
        Value::Array(_) | Value::Object(_) => mark.children().any(is_marked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn a_mark_of_the_wrong_shape_hides() {
        let arena = Bump::new();
        for (mark, value, expected) in [
            ("true", "1", true),
            ("false", "1", false),
            ("null", "1", false),
            ("\"yes\"", "1", true),
            ("\"no schema\"", "1", true),
            ("\"no schema\"", "{\"a\":1}", true),
            ("{\"a\":true}", "{\"a\":1}", false),
            ("{\"a\":true}", "[1]", true),
            ("{\"a\":true}", "\"text\"", true),
            ("{\"a\":false}", "\"text\"", false),
            ("[false,true]", "[1,2]", false),
            ("[false,true]", "[1]", true),
            ("[true]", "{\"a\":1}", true),
            ("{}", "[1]", false),
        ] {
            let mark = Mark::new(parse(mark, &arena).unwrap());
            assert_eq!(mark.covers(parse(value, &arena).unwrap()), expected, "{mark:?} over {value}");
        }
    }

    #[test]
    fn a_mark_for_want_of_a_schema_covers_all_parts() {
        let mark = Mark::new(Value::String(NO_SCHEMA));
        for part in [mark, mark.key("a"), mark.index(7), mark.key("a").index(0)] {
            assert!(part.lacks_schema() && part.is_any() && part.covers(Value::Bool(true)));
        }
        assert!(!Mark::ALL.lacks_schema());
    }

    #[test]
    fn an_element_past_the_marks_is_hidden() {
        let arena = Bump::new();
        let mark = Mark::new(parse("[true]", &arena).unwrap());
        assert!(mark.index(0).covers(Value::Bool(true)));
        assert!(mark.index(1).covers(Value::Bool(true)));
        let mark = Mark::new(parse("[false]", &arena).unwrap());
        assert!(!mark.index(1).covers(Value::Bool(true)));
        let items = parse("[1,2,3]", &arena).unwrap();
        for marks in ["[true]", "[false]", "[false,{\"a\":[true]}]", "[]", "[[false],[false,false]]"] {
            let mark = Mark::new(parse(marks, &arena).unwrap());
            for at in 0..3 {
                let fitted = mark.fitted(items, &arena).index(at);
                assert_eq!(fitted.is_any(), mark.index(at).is_any(), "{marks} at {at}");
            }
        }
    }
}
