//! `Serialize` for values. Numbers are written exactly as they were read.

use serde::{Serialize, Serializer};

use super::{Raw, Value};

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => serialize_number(text, serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(*items),
            Self::Object(object) => {
                serializer.collect_map(object.members().iter().map(|(name, member)| (*name, member)))
            }
        }
    }
}

/// Serializes the text of a number unchanged; conversion to a floating-point number would lose digits.
pub fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Raw::new(text).serialize(serializer)
}
