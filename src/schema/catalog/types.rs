//! The types of attributes. Unlike the types for the differ, these record which attributes of an object
//! are optional.

use std::fmt;

use bumpalo::Bump;
use serde::Serialize;

use crate::json::Value;
use crate::schema::{Error, build};

/// The type of a value, as the JSON encoding of a cty type: `"string"`, `["list", "string"]`,
/// `["object", {…}, […optional]]`.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub struct Type<'a>(Value<'a>);

impl<'a> Type<'a> {
    /// Checks the encoding of a type.
    pub(super) fn parse(value: Value<'a>) -> Result<Self, Error> {
        build::cty(value, &Bump::new())?;
        Ok(Self(value))
    }

    /// The attributes of the object type in any collections, if it is one: name, type, and whether the attribute is
    /// optional. They are shown as members.
    pub fn object(self) -> Vec<(&'a str, Self, bool)> {
        match self.0.as_array() {
            Some([Value::String("object"), Value::Object(members), rest @ ..]) => {
                let optional = rest.first().and_then(|optional| optional.as_array()).unwrap_or_default();
                let attribute = |(name, value): &(&'a str, Value<'a>)| {
                    (*name, Self(*value), optional.contains(&Value::String(name)))
                };
                members.members().iter().map(attribute).collect()
            }
            Some([Value::String("list" | "set" | "map"), inner]) => Self(*inner).object(),
            Some(_) | None => Vec::new(),
        }
    }

    /// The type without the attributes of objects: `list(object)`.
    pub fn short(self) -> String {
        match self.0.as_array() {
            Some([Value::String("object"), ..]) => "object".to_owned(),
            Some([Value::String(name @ ("list" | "set" | "map")), inner]) => {
                format!("{name}({})", Self(*inner).short())
            }
            Some(_) | None => self.to_string(),
        }
    }
}

/// The type as written in the Terraform language.
impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_array() {
            Some([Value::String("object"), ..]) => {
                let members = self.object().into_iter().map(|(name, inner, optional)| {
                    if optional { format!("{name}=optional({inner})") } else { format!("{name}={inner}") }
                });
                write!(f, "object({{{}}})", members.collect::<Vec<_>>().join(", "))
            }
            Some([Value::String("tuple"), Value::Array(items)]) => {
                let items = items.iter().map(|item| Self(*item).to_string());
                write!(f, "tuple([{}])", items.collect::<Vec<_>>().join(", "))
            }
            Some([Value::String(name), inner]) => write!(f, "{name}({})", Self(*inner)),
            // `parse` accepts no other array.
            Some(_) | None => f.write_str(self.0.as_str().unwrap_or_default()),
        }
    }
}
