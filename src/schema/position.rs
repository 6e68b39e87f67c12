//! A position in a schema, which follows the path into a value.

use super::infer;
use super::{Attribute, AttributeKind, Block, NestedBlock, NestedType, Nesting, Type, find};

/// The part of a schema that describes a value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Position<'s> {
    /// Nothing applies: there is no schema, or the value has a dynamic type.
    #[default]
    Unspecified,
    /// There is no schema: sensitive values are recognised only by their names.
    Inferred,
    /// The schema does not have this value.
    Missing,
    /// A block.
    Block(Block<'s>),
    /// A block of a built-in schema. It may be from another version of the provider than the plan, so a
    /// member that it does not have may still exist.
    BuiltIn(Block<'s>),
    /// All nested blocks of one type.
    Blocks(NestedBlock<'s>),
    /// An attribute.
    Attribute(Attribute<'s>),
    /// An object of a nested attribute.
    Nested(NestedType<'s>),
    /// A value of a type.
    Type(Type<'s>),
}

impl<'s> Position<'s> {
    /// A sensitive attribute of unknown type.
    fn sensitive() -> Self {
        let kind = AttributeKind::Type(Type::Dynamic);
        Self::Attribute(Attribute { kind, sensitive: true, write_only: false, required: false })
    }

    /// The position of a member that the schema does not have. It is sensitive if its name suggests so, or
    /// if another form of it is sensitive (`data` if `data_json` is).
    fn missing(name: &str, is_form_of_sensitive: bool) -> Self {
        if is_form_of_sensitive || infer::is_sensitive_name(name) { Self::sensitive() } else { Self::Missing }
    }

    /// The position of a member.
    pub fn member(self, name: &str) -> Self {
        match self {
            Self::Unspecified | Self::Type(Type::Dynamic) => Self::Unspecified,
            Self::Inferred if infer::is_sensitive_name(name) => Self::sensitive(),
            Self::Inferred => Self::Inferred,
            // Everything below is missing as well; that is reported once, at the root.
            Self::Missing => Self::Unspecified,
            Self::Block(block) => find(block.attributes, name)
                .map(Self::Attribute)
                .or_else(|| find(block.blocks, name).map(Self::Blocks))
                .unwrap_or_else(|| Self::missing(name, block.has_secret_form_of(name))),
            Self::BuiltIn(block) => {
                let found = Self::Block(block).member(name);
                if found.is_missing() { Self::Inferred } else { found }
            }
            Self::Blocks(NestedBlock { nesting: Nesting::Map, block }) => Self::Block(block),
            Self::Blocks(NestedBlock { block, .. }) => Self::Block(block).member(name),
            Self::Attribute(Attribute { kind: AttributeKind::Type(of), .. }) => Self::Type(of).member(name),
            Self::Attribute(Attribute { kind: AttributeKind::Nested(nested), .. }) => match nested.nesting {
                Nesting::Map => Self::Nested(nested),
                Nesting::Single | Nesting::Group | Nesting::List | Nesting::Set => {
                    Self::Nested(nested).member(name)
                }
            },
            Self::Nested(nested) => {
                find(nested.attributes, name).map_or_else(|| Self::missing(name, false), Self::Attribute)
            }
            Self::Type(Type::Map(of)) => Self::Type(*of),
            Self::Type(Type::Object(members)) => find(members, name).map_or(Self::Missing, Self::Type),
            Self::Type(
                Type::Bool | Type::Number | Type::String | Type::List(_) | Type::Set(_) | Type::Tuple(_),
            ) => Self::Unspecified,
        }
    }

    /// The position of an element.
    pub fn element(self, index: usize) -> Self {
        match self {
            Self::Unspecified | Self::Missing => Self::Unspecified,
            Self::Inferred => Self::Inferred,
            Self::Block(_) | Self::BuiltIn(_) | Self::Nested(_) => self,
            Self::Blocks(nested) => Self::Block(nested.block),
            Self::Attribute(Attribute { kind: AttributeKind::Type(of), .. }) => Self::Type(of).element(index),
            Self::Attribute(Attribute { kind: AttributeKind::Nested(nested), .. }) => Self::Nested(nested),
            Self::Type(Type::List(of) | Type::Set(of)) => Self::Type(*of),
            Self::Type(Type::Tuple(items)) => items.get(index).copied().map_or(Self::Missing, Self::Type),
            Self::Type(
                Type::Dynamic | Type::Bool | Type::Number | Type::String | Type::Map(_) | Type::Object(_),
            ) => Self::Unspecified,
        }
    }

    /// Whether the schema declares that the configuration must give the value.
    pub fn is_required(self) -> bool {
        matches!(self, Self::Attribute(Attribute { required: true, .. }))
    }

    /// Whether the value is a set.
    pub fn is_set(self) -> bool {
        self.nesting() == Some(Nesting::Set) || matches!(self.value_type(), Some(Type::Set(_)))
    }

    /// The nesting mode of nested blocks or of a nested attribute.
    pub fn nesting(self) -> Option<Nesting> {
        if let Self::Blocks(NestedBlock { nesting, .. })
        | Self::Attribute(Attribute {
            kind: AttributeKind::Nested(NestedType { nesting, .. }), ..
        }) = self
        {
            Some(nesting)
        } else {
            None
        }
    }

    /// The type of a value that is described by one.
    pub fn value_type(self) -> Option<Type<'s>> {
        if let Self::Attribute(Attribute { kind: AttributeKind::Type(of), .. }) | Self::Type(of) = self {
            Some(of)
        } else {
            None
        }
    }

    /// Whether the value has a primitive type: a bool, number or string.
    pub fn is_primitive(self) -> bool {
        matches!(self.value_type(), Some(Type::Bool | Type::Number | Type::String))
    }

    /// Whether the schema declares the whole value sensitive. This includes write-only values, which should
    /// not be in a document; if one is, it must not be shown.
    pub fn is_sensitive(self) -> bool {
        matches!(self, Self::Attribute(Attribute { sensitive, write_only, .. }) if sensitive || write_only)
    }

    /// Whether the schema declares any part of the value sensitive.
    pub fn holds_secrets(self) -> bool {
        match self {
            Self::Unspecified | Self::Inferred | Self::Missing | Self::Type(_) => false,
            Self::Block(block) | Self::BuiltIn(block) | Self::Blocks(NestedBlock { block, .. }) => {
                block.facts.has_sensitive
            }
            Self::Attribute(attribute) => attribute.has_sensitive(),
            Self::Nested(nested) => nested.facts.has_sensitive,
        }
    }

    /// Whether there is a schema that does not have the value.
    pub fn is_missing(self) -> bool {
        self == Self::Missing
    }
}
