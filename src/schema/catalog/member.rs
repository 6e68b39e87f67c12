//! A schema as a tree of members: attributes, blocks, and the attributes of object types.

use std::fmt;

use bumpalo::Bump;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::json::Value;
use crate::schema::{Error, Nesting, source};

/// A schema.
#[derive(Clone, Debug)]
pub struct Schema<'a> {
    /// The version of the schema (not of the provider), if the format has one.
    pub version: Option<&'a str>,
    /// Its description and deprecation.
    pub about: About<'a>,
    /// The content.
    pub body: Body<'a>,
}

/// The content of a schema.
#[derive(Clone, Debug)]
pub enum Body<'a> {
    /// The members of a block or identity, sorted by name.
    Members(Vec<Member<'a>>),
    /// The signature of a function.
    Function(Function<'a>),
}

/// The signature of a function.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Function<'a> {
    /// The summary, a short description.
    pub summary: Option<&'a str>,
    /// The parameters, in order.
    pub parameters: Vec<Parameter<'a>>,
    /// The variadic parameter.
    #[serde(rename = "variadic_parameter")]
    pub variadic: Option<Parameter<'a>>,
    /// The type of the result.
    #[serde(rename = "return_type")]
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub result: Type<'a>,
}

/// A parameter of a function.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Parameter<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its type.
    #[serde(rename = "type")]
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub kind: Type<'a>,
    /// Whether the argument may be null.
    pub nullable: bool,
    /// Its description.
    pub description: Option<&'a str>,
}

/// The documentation of a part of a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About<'a> {
    /// The description.
    pub description: Option<&'a str>,
    /// The deprecation message, which may be empty; `None` if the part is not deprecated.
    pub deprecated: Option<&'a str>,
}

/// The form of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// An attribute with a type.
    #[default]
    Attribute,
    /// A nested attribute (`nested_type`).
    NestedAttribute(Nesting),
    /// A nested block.
    Block(Nesting),
    /// An attribute of an object type.
    ObjectAttribute,
}

/// Whether the user or the provider sets a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usage {
    /// The user must set it.
    Required,
    /// The user may set it.
    Optional,
    /// The user may set it; otherwise the provider does.
    OptionalComputed,
    /// The provider sets it.
    Computed,
    /// The schema does not say.
    #[default]
    Unstated,
}

impl Usage {
    /// The usage in the words of the formats; empty for [`Self::Unstated`].
    pub fn words(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Optional => "optional",
            Self::OptionalComputed => "optional, computed",
            Self::Computed => "computed",
            Self::Unstated => "",
        }
    }

    /// Whether the user can set the value.
    pub fn is_settable(self) -> bool {
        match self {
            Self::Required | Self::Optional | Self::OptionalComputed => true,
            Self::Computed | Self::Unstated => false,
        }
    }
}

/// A named part of a schema.
#[derive(Clone, Debug, Default)]
pub struct Member<'a> {
    /// Its name.
    pub name: &'a str,
    /// The form: attribute or block.
    pub form: Form,
    /// The type of an attribute without nested attributes.
    pub kind: Option<Type<'a>>,
    /// Whether the user or the provider sets it.
    pub usage: Usage,
    /// For an identity: whether the usage is that for import.
    pub for_import: bool,
    /// Whether the value is sensitive.
    pub sensitive: bool,
    /// Whether the value is write-only, so that it is never stored.
    pub write_only: bool,
    /// The minimum number of blocks, as written; zero means no limit.
    pub min_items: Option<u64>,
    /// The maximum number of blocks, as written; zero means no limit.
    pub max_items: Option<u64>,
    /// The default value, as written in the specification.
    pub default: Option<&'a str>,
    /// Description and deprecation.
    pub about: About<'a>,
    /// The nested attributes, blocks, or attributes of the object type, sorted by name.
    pub members: Vec<Self>,
}

impl<'a> Member<'a> {
    /// An attribute of type `kind`, with the attributes of an object type as members.
    pub(super) fn typed(name: &'a str, form: Form, kind: Type<'a>) -> Self {
        let members = kind.object().into_iter().map(|(name, kind, optional)| {
            let usage = if optional { Usage::Optional } else { Usage::Unstated };
            Self { usage, ..Self::typed(name, Form::ObjectAttribute, kind) }
        });
        let members = members.collect();
        Self { name, form, kind: Some(kind), members, ..Self::default() }
    }

    /// The type in a few words: `list(string)`, `map(object)`, `block list, max 1`.
    pub fn type_words(&self) -> String {
        match self.form {
            Form::NestedAttribute(Nesting::Single | Nesting::Group) => "object".to_owned(),
            Form::NestedAttribute(nesting) => format!("{}(object)", nesting.word()),
            Form::Block(Nesting::Single | Nesting::Group) => format!("block{}", self.limits()),
            Form::Block(nesting) => format!("block {}{}", nesting.word(), self.limits()),
            Form::Attribute | Form::ObjectAttribute => self.kind.map(Type::short).unwrap_or_default(),
        }
    }

    fn limits(&self) -> String {
        let min = self.min_items.filter(|min| *min > 1);
        match (min, self.max_items.filter(|max| *max > 0)) {
            (None, None) => String::new(),
            (Some(min), None) => format!(", min {min}"),
            (None, Some(max)) => format!(", max {max}"),
            (Some(min), Some(max)) => format!(", {min} to {max}"),
        }
    }

    /// Whether this is a block.
    pub fn is_block(&self) -> bool {
        matches!(self.form, Form::Block(_))
    }

    /// The sort key for reading: required, optional, computed, unstated; in each class attributes before
    /// blocks, then by name.
    pub fn reading_order(&self) -> (u8, bool, &'a str) {
        let class = match self.usage {
            Usage::Required => 0,
            Usage::Optional | Usage::OptionalComputed => 1,
            Usage::Computed => 2,
            Usage::Unstated => 3,
        };
        (class, self.is_block(), self.name)
    }
}

/// The type of a value, as the JSON encoding of a cty type: `"string"`, `["list", "string"]`,
/// `["object", {…}, […optional]]`. Unlike [`crate::schema::Type`] it says which attributes of an object are optional.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub struct Type<'a>(Value<'a>);

impl<'a> Type<'a> {
    /// Checks the encoding of a type.
    pub(super) fn parse(value: Value<'a>) -> Result<Self, Error> {
        source::cty(value, &Bump::new())?;
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
