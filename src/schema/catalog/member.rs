//! A schema as a tree of members: attributes, blocks, and the attributes of object types.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::Type;
use crate::schema::Nesting;

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
    /// Whether the description is Markdown.
    pub markdown: bool,
    /// The deprecation message, which may be empty; `None` if the part is not deprecated.
    pub deprecated: Option<&'a str>,
}

/// The form of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An attribute with a type.
    Attribute,
    /// A nested attribute (`nested_type`).
    NestedAttribute(Nesting),
    /// A nested block.
    Block(Nesting),
    /// An attribute of an object type.
    ObjectAttribute,
}

/// Whether the user or the provider sets a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Clone, Debug)]
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
    /// A member without any flags or documentation.
    pub(super) fn new(name: &'a str, form: Form) -> Self {
        Self {
            name,
            form,
            kind: None,
            usage: Usage::Unstated,
            for_import: false,
            sensitive: false,
            write_only: false,
            min_items: None,
            max_items: None,
            default: None,
            about: About::default(),
            members: Vec::new(),
        }
    }

    /// An attribute of type `kind`, with the attributes of an object type as members.
    pub(super) fn typed(name: &'a str, form: Form, kind: Type<'a>) -> Self {
        let members = kind.object().into_iter().map(|(name, kind, optional)| {
            let usage = if optional { Usage::Optional } else { Usage::Unstated };
            Self { usage, ..Self::typed(name, Form::ObjectAttribute, kind) }
        });
        let members = members.collect();
        Self { kind: Some(kind), members, ..Self::new(name, form) }
    }

    /// The type in a few words: `list(string)`, `map(object)`, `block list, max 1`.
    pub fn type_words(&self) -> String {
        let nested = |nesting, word: &str| match nesting {
            Nesting::Single | Nesting::Group => word.to_owned(),
            Nesting::List => format!("list({word})"),
            Nesting::Set => format!("set({word})"),
            Nesting::Map => format!("map({word})"),
        };
        match (self.form, &self.kind) {
            (Form::NestedAttribute(nesting), _) => nested(nesting, "object"),
            (Form::Block(nesting), _) => {
                let words = match nesting {
                    Nesting::Single | Nesting::Group => "block",
                    Nesting::List => "block list",
                    Nesting::Set => "block set",
                    Nesting::Map => "block map",
                };
                format!("{words}{}", self.limits())
            }
            (Form::Attribute | Form::ObjectAttribute, Some(kind)) => kind.short(),
            (Form::Attribute | Form::ObjectAttribute, None) => String::new(),
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
