//! The types of attributes. Unlike the types for the differ, these record which attributes of an object
//! are optional.

use std::fmt;

use crate::json::{Object, Value};
use crate::schema::Error;

/// The type of a value (a cty type).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type<'a> {
    /// Any value.
    Dynamic,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// A list.
    List(Box<Self>),
    /// A set.
    Set(Box<Self>),
    /// A map.
    Map(Box<Self>),
    /// An object: name, type, and whether the attribute is optional.
    Object(Vec<(&'a str, Self, bool)>),
    /// A tuple.
    Tuple(Vec<Self>),
}

impl<'a> Type<'a> {
    /// Parses the JSON encoding of a cty type: `"string"`, `["list", "string"]`,
    /// `["object", {…}, […optional]]`.
    pub(super) fn parse(value: Value<'a>) -> Result<Self, Error> {
        let boxed = |inner: &Value<'a>| Self::parse(*inner).map(Box::new);
        match value {
            Value::String("dynamic") => Ok(Self::Dynamic),
            Value::String("bool") => Ok(Self::Bool),
            Value::String("number") => Ok(Self::Number),
            Value::String("string") => Ok(Self::String),
            Value::Array([Value::String("list"), inner]) => boxed(inner).map(Self::List),
            Value::Array([Value::String("set"), inner]) => boxed(inner).map(Self::Set),
            Value::Array([Value::String("map"), inner]) => boxed(inner).map(Self::Map),
            Value::Array([Value::String("object"), Value::Object(members), rest @ ..]) => {
                object(*members, rest.first().copied().unwrap_or_default())
            }
            Value::Array([Value::String("tuple"), Value::Array(items)]) => {
                items.iter().map(|item| Self::parse(*item)).collect::<Result<_, _>>().map(Self::Tuple)
            }
            Value::String(name) => Err(Error::shape(format!("unknown type {name:?}"))),
            Value::Array([Value::String(name), ..]) => Err(Error::shape(format!("unknown type {name:?}"))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                Err(Error::shape("not a type"))
            }
        }
    }

    /// The attributes of the object type in any collections, if it is one. They are shown as members.
    pub fn object(&self) -> Option<&[(&'a str, Self, bool)]> {
        match self {
            Self::Object(members) => Some(members),
            Self::List(inner) | Self::Set(inner) | Self::Map(inner) => inner.object(),
            Self::Dynamic | Self::Bool | Self::Number | Self::String | Self::Tuple(_) => None,
        }
    }

    /// The type without the attributes of objects: `list(object)`.
    pub fn short(&self) -> String {
        match self {
            Self::List(inner) => format!("list({})", inner.short()),
            Self::Set(inner) => format!("set({})", inner.short()),
            Self::Map(inner) => format!("map({})", inner.short()),
            Self::Object(_) => "object".to_owned(),
            Self::Dynamic | Self::Bool | Self::Number | Self::String | Self::Tuple(_) => self.to_string(),
        }
    }
}

fn object<'a>(members: Object<'a>, optional: Value<'a>) -> Result<Type<'a>, Error> {
    let optional = optional.as_array().unwrap_or_default();
    let members = members.members().iter().map(|(name, value)| {
        let parsed = Type::parse(*value).map_err(|error| error.inside(name))?;
        Ok((*name, parsed, optional.contains(&Value::String(name))))
    });
    members.collect::<Result<_, _>>().map(Type::Object)
}

/// The type as written in the Terraform language.
impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dynamic => f.write_str("dynamic"),
            Self::Bool => f.write_str("bool"),
            Self::Number => f.write_str("number"),
            Self::String => f.write_str("string"),
            Self::List(inner) => write!(f, "list({inner})"),
            Self::Set(inner) => write!(f, "set({inner})"),
            Self::Map(inner) => write!(f, "map({inner})"),
            Self::Object(members) => {
                f.write_str("object({")?;
                for (at, (name, inner, optional)) in members.iter().enumerate() {
                    f.write_str(if at > 0 { ", " } else { "" })?;
                    if *optional {
                        write!(f, "{name}=optional({inner})")
                    } else {
                        write!(f, "{name}={inner}")
                    }?;
                }
                f.write_str("})")
            }
            Self::Tuple(items) => {
                f.write_str("tuple([")?;
                for (at, item) in items.iter().enumerate() {
                    f.write_str(if at > 0 { ", " } else { "" })?;
                    item.fmt(f)?;
                }
                f.write_str("])")
            }
        }
    }
}
