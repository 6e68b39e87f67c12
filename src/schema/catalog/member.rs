//! The parts of a schema as a tree of members: attributes, blocks, and the attributes of object types.

use std::fmt;

use bumpalo::Bump;
use serde::Serialize;

use crate::json::Value;
use crate::schema::{Error, Nesting, read};

/// A schema.
#[derive(Clone, Debug)]
pub struct Schema<'a> {
    /// The version of the schema, by which the provider upgrades states; functions have none.
    pub version: Option<&'a str>,
    /// The description and the deprecation of the schema.
    pub about: About<'a>,
    /// The content of the schema.
    pub body: Body<'a>,
}

/// The content of a schema: its members, or the signature of a function.
#[derive(Clone, Debug)]
pub enum Body<'a> {
    /// Attributes and blocks.
    Members(Vec<Member<'a>>),
    /// The signature of a function.
    Function(Function<'a>),
}

/// The signature of a function.
#[derive(Clone, Debug, Serialize)]
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
    pub result: Type<'a>,
}

/// A parameter of a function.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Type<'a>,
    /// Whether the argument may be null.
    pub nullable: bool,
    /// Its description.
    pub description: Option<&'a str>,
}

/// The texts of a schema for people: description and deprecation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About<'a> {
    /// The description, in plain text or Markdown.
    pub description: Option<&'a str>,
    /// The message of the deprecation, which may be empty; `None` if the part is not deprecated.
    pub deprecated: Option<&'a str>,
}

/// The form in which a schema declares a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// An attribute with a type.
    #[default]
    Attribute,
    /// An attribute with nested attributes.
    NestedAttribute(Nesting),
    /// A nested block.
    Block(Nesting),
    /// A member of the object type of an attribute.
    ObjectAttribute,
}

/// Whether a configuration sets a member, or the provider does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usage {
    /// The configuration must set it.
    Required,
    /// The configuration may set it.
    Optional,
    /// The configuration may set it; the provider does so otherwise.
    OptionalComputed,
    /// The provider sets it.
    Computed,
    /// The schema does not say.
    #[default]
    Unstated,
}

impl Usage {
    /// Returns the words for it in texts; empty for [`Self::Unstated`].
    pub fn words(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Optional => "optional",
            Self::OptionalComputed => "optional, computed",
            Self::Computed => "computed",
            Self::Unstated => "",
        }
    }

    /// Whether a configuration can set it.
    pub fn is_settable(self) -> bool {
        match self {
            Self::Required | Self::Optional | Self::OptionalComputed => true,
            Self::Computed | Self::Unstated => false,
        }
    }
}

/// A part of a schema that has a name: an attribute, a block, or an attribute of an object type.
#[derive(Clone, Debug, Default)]
pub struct Member<'a> {
    /// Its name.
    pub name: &'a str,
    /// The form in which the schema declares it.
    pub form: Form,
    /// Its type; `None` for a block and for nested attributes.
    pub kind: Option<Type<'a>>,
    /// Whether a configuration sets it.
    pub usage: Usage,
    /// Whether the usage is that for import, as it is for the attributes of an identity.
    pub for_import: bool,
    /// Whether its value is sensitive.
    pub sensitive: bool,
    /// Whether its value is never stored.
    pub write_only: bool,
    /// The minimum number of blocks or objects; zero means no limit.
    pub min_items: Option<u64>,
    /// The maximum number of blocks or objects; zero means no limit.
    pub max_items: Option<u64>,
    /// The text of the default, which only specifications have.
    pub default: Option<&'a str>,
    /// The description and the deprecation of the member.
    pub about: About<'a>,
    /// The nested members: of a block, of nested attributes, or of an object type.
    pub members: Vec<Self>,
}

impl<'a> Member<'a> {
    /// Makes a member that has a type. The attributes of an object type become its members.
    pub(super) fn typed(name: &'a str, form: Form, kind: Type<'a>) -> Self {
        let members = kind.object().into_iter().map(|(name, kind, optional)| {
            let usage = if optional {
                Usage::Optional
            } else {
                Usage::Unstated
            };
            Self {
                usage,
                ..Self::typed(name, Form::ObjectAttribute, kind)
            }
        });
        let members = members.collect();
        Self {
            name,
            form,
            kind: Some(kind),
            members,
            ..Self::default()
        }
    }

    /// Returns the type in words: `list(string)`, `map(object)`, `block list, max 1`.
    pub fn type_words(&self) -> String {
        match self.form {
            Form::NestedAttribute(Nesting::Single | Nesting::Group) => "object".to_owned(),
            Form::NestedAttribute(nesting) => format!("{}(object)", nesting.word()),
            Form::Block(Nesting::Single | Nesting::Group) => format!("block{}", self.limits()),
            Form::Block(nesting) => format!("block {}{}", nesting.word(), self.limits()),
            Form::Attribute | Form::ObjectAttribute => {
                self.kind.map(Type::short).unwrap_or_default()
            }
        }
    }

    /// Returns how many blocks there may be, as it is written after the type; empty if there is no limit. A minimum of
    /// 1 is not written, because the usage says that the block is required.
    fn limits(&self) -> String {
        let min = self.min_items.filter(|min| *min > 1);
        match (min, self.max_items.filter(|max| *max > 0)) {
            (None, None) => String::new(),
            (Some(min), None) => format!(", min {min}"),
            (None, Some(max)) => format!(", max {max}"),
            (Some(min), Some(max)) => format!(", {min} to {max}"),
        }
    }

    /// Whether it is a nested block.
    pub fn is_block(&self) -> bool {
        matches!(self.form, Form::Block(_))
    }

    /// Returns the key by which members are sorted for readers: required ones first, then optional, computed and
    /// unstated ones; in each of these classes attributes before blocks, then by name.
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

/// The JSON encoding of a cty type: `"string"`, `["list", "string"]`, `["object", {…}, […optional]]`.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub struct Type<'a>(Value<'a>);

impl<'a> Type<'a> {
    /// Checks that the JSON is a type, and wraps it. Copies nothing that outlives the call.
    pub(super) fn parse(value: Value<'a>) -> Result<Self, Error> {
        read::cty(value, &Bump::new())?;
        Ok(Self(value))
    }

    /// Returns the attributes of the object type in any collections: name, type, and whether the attribute is optional.
    /// Empty if there is no object type.
    pub fn object(self) -> Vec<(&'a str, Self, bool)> {
        match self.0.as_array() {
            Some([Value::String("object"), Value::Object(members), rest @ ..]) => {
                let optional = rest
                    .first()
                    .and_then(|optional| optional.as_array())
                    .unwrap_or_default();
                let attribute = |(name, value): &(&'a str, Value<'a>)| {
                    (*name, Self(*value), optional.contains(&Value::String(name)))
                };
                members.members().iter().map(attribute).collect()
            }
            Some([Value::String("list" | "set" | "map"), inner]) => Self(*inner).object(),
            Some(_) | None => Vec::new(),
        }
    }

    /// Returns the type in the syntax of configurations, with objects by name only: `list(object)`.
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

impl fmt::Display for Type<'_> {
    /// Writes the type as in a configuration: `list(string)`, `object({name=string})`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_array() {
            Some([Value::String("object"), ..]) => {
                let members = self.object().into_iter().map(|(name, inner, optional)| {
                    if optional {
                        format!("{name}=optional({inner})")
                    } else {
                        format!("{name}={inner}")
                    }
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
