//! Numbers as older releases read them: as floating point of 64 bits.

use bumpalo::Bump;

use super::Differ;
use crate::change::Change;
use crate::computed::Slot;
use crate::json::{Object, Value};

impl<'a> Differ<'a> {
    /// The change of a document with its numbers as the release reads them. They are compared as such,
    /// too: a difference that floating point cannot express is none.
    pub fn as_read(self, change: Change<'a>) -> Change<'a> {
        let slot = |slot| match slot {
            Slot::Value(value) => Slot::Value(self.value_as_read(value)),
            Slot::Absent | Slot::Null => slot,
        };
        Change { before: slot(change.before), after: slot(change.after), ..change }
    }

    /// The same for one value.
    pub(super) fn value_as_read(self, value: Value<'a>) -> Value<'a> {
        if self.dialect.reads_numbers_as_floats() { rounded(value, self.arena) } else { value }
    }
}

fn rounded<'a>(value: Value<'a>, arena: &'a Bump) -> Value<'a> {
    match value {
        Value::Number(text) => Value::Number(decimal(text, arena)),
        Value::Array(items) => {
            Value::Array(arena.alloc_slice_fill_iter(items.iter().map(|item| rounded(*item, arena))))
        }
        Value::Object(object) => {
            let members = object.members().iter().map(|(key, value)| (*key, rounded(*value, arena)));
            Value::Object(Object::from_sorted(arena.alloc_slice_fill_iter(members)))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value,
    }
}

/// The shortest decimal that reads as the same floating point number, never with an exponent. A number
/// that is too large, on which these releases fail, is left as it is.
fn decimal<'a>(text: &'a str, arena: &'a Bump) -> &'a str {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => {
            let decimal = number.to_string();
            if decimal == text { text } else { arena.alloc_str(&decimal) }
        }
        Ok(_) | Err(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_shortest_decimals_of_floating_point() {
        let arena = Bump::new();
        for (text, read) in [
            ("1e+21", "1000000000000000000000"),
            ("1e-07", "0.0000001"),
            ("9007199254740993", "9007199254740992"),
            ("12345678901234567891", "12345678901234567000"),
            ("3.1415926535897932385", "3.141592653589793"),
            ("1.50", "1.5"),
            ("42", "42"),
            ("1e400", "1e400"),
        ] {
            assert_eq!(decimal(text, &arena), read);
        }
    }
}
