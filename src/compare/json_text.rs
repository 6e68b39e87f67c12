//! JSON texts of small values, such as paths and identities.

use std::fmt::{self, Write as _};

use crate::json::Value;

/// The JSON text of a value, with sorted keys.
pub(super) fn json_text(value: Value<'_>) -> String {
    let mut text = String::new();
    write_json(&mut text, value);
    text
}

fn write_json(text: &mut String, value: Value<'_>) {
    // Writing to a `String` cannot fail.
    let _: fmt::Result = match value {
        Value::Null => text.write_str("null"),
        Value::Bool(value) => write!(text, "{value}"),
        Value::Number(number) => text.write_str(number),
        Value::String(string) => write!(text, "{}", serde_json::Value::from(string)),
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write_json(text, *item);
            }
            text.write_char(']')
        }
        Value::Object(object) => {
            text.push('{');
            for (at, (name, member)) in object.members().iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                let _: fmt::Result = write!(text, "{}:", serde_json::Value::from(*name));
                write_json(text, *member);
            }
            text.write_char('}')
        }
    };
}
