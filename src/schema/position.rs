//! Positions in shapes, which follow the path into a value.
//!
//! ```text
//! value       resource        .rule          [0]            .port
//! position    Block(schema)   Blocks(rule)   Block(rule)    Attribute(port)
//! ```

use super::infer;
use super::shape::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type, find};

/// A place in a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Position<'s> {
    /// There is no schema, or the value has a dynamic type.
    #[default]
    Unspecified,
    /// Sensitive values are recognised only by their names.
    Inferred,
    /// There is a schema, and it does not have the member.
    Missing,
    /// An object of a block, or of nested attributes.
    Block(Block<'s>),
    /// It may be from another version of the provider, so a member that it does not have may still exist.
    BuiltIn(Block<'s>),
    /// All blocks of one type, or the value of an attribute with nested attributes.
    Blocks(NestedBlock<'s>),
    /// The value of an attribute.
    Attribute(Attribute<'s>),
    /// A value of this type, inside of an attribute.
    Type(Type<'s>),
}

impl<'s> Position<'s> {
    fn sensitive() -> Self {
        let kind = AttributeKind::Type(Type::Dynamic);
        Self::Attribute(Attribute {
            kind,
            sensitive: true,
            write_only: false,
            required: false,
        })
    }

    /// A member is sensitive if its name suggests so, or if another form of it is (`data` if `data_json` is).
    fn missing(name: &str, is_form_of_sensitive: bool) -> Self {
        if is_form_of_sensitive || infer::is_sensitive_name(name) {
            Self::sensitive()
        } else {
            Self::Missing
        }
    }

    /// Returns the position of a member.
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
                let member = Self::Block(block).member(name);
                if member.is_missing() {
                    Self::Inferred
                } else {
                    member
                }
            }
            Self::Blocks(NestedBlock {
                nesting: Nesting::Map,
                block,
            }) => Self::Block(block),
            Self::Blocks(NestedBlock { block, .. }) => Self::Block(block).member(name),
            Self::Attribute(Attribute {
                kind: AttributeKind::Type(of),
                ..
            }) => Self::Type(of).member(name),
            Self::Attribute(Attribute {
                kind: AttributeKind::Nested(nested),
                ..
            }) => Self::Blocks(nested).member(name),
            Self::Type(Type::Map(of)) => Self::Type(*of),
            Self::Type(Type::Object(members)) => {
                find(members, name).map_or(Self::Missing, Self::Type)
            }
            Self::Type(
                Type::Bool
                | Type::Number
                | Type::String
                | Type::List(_)
                | Type::Set(_)
                | Type::Tuple(_),
            ) => Self::Unspecified,
        }
    }

    /// Returns the position of an element of a list or set, or of a value of a map.
    pub fn element(self, index: usize) -> Self {
        match self {
            Self::Unspecified | Self::Missing => Self::Unspecified,
            Self::Inferred => Self::Inferred,
            Self::Block(_) | Self::BuiltIn(_) => self,
            Self::Blocks(nested) => Self::Block(nested.block),
            Self::Attribute(Attribute {
                kind: AttributeKind::Type(of),
                ..
            }) => Self::Type(of).element(index),
            Self::Attribute(Attribute {
                kind: AttributeKind::Nested(nested),
                ..
            }) => Self::Block(nested.block),
            Self::Type(Type::List(of) | Type::Set(of)) => Self::Type(*of),
            Self::Type(Type::Tuple(items)) => {
                items.get(index).copied().map_or(Self::Missing, Self::Type)
            }
            Self::Type(
                Type::Dynamic
                | Type::Bool
                | Type::Number
                | Type::String
                | Type::Map(_)
                | Type::Object(_),
            ) => Self::Unspecified,
        }
    }

    /// Whether the block has a feature that the older SDK of providers lacks, so that its provider distinguishes
    /// null from the zero of a type.
    pub fn is_modern(self) -> bool {
        match self {
            Self::Block(block) | Self::BuiltIn(block) => block.facts.modern,
            Self::Unspecified
            | Self::Inferred
            | Self::Missing
            | Self::Blocks(_)
            | Self::Attribute(_)
            | Self::Type(_) => false,
        }
    }

    /// Whether the configuration must set the attribute.
    pub fn is_required(self) -> bool {
        matches!(self, Self::Attribute(Attribute { required: true, .. }))
    }

    /// Whether the value is a set: its elements have no order.
    pub fn is_set(self) -> bool {
        self.nesting() == Some(Nesting::Set) || matches!(self.value_type(), Some(Type::Set(_)))
    }

    /// Returns how nested blocks or attributes are nested.
    pub fn nesting(self) -> Option<Nesting> {
        if let Self::Blocks(NestedBlock { nesting, .. })
        | Self::Attribute(Attribute {
            kind: AttributeKind::Nested(NestedBlock { nesting, .. }),
            ..
        }) = self
        {
            Some(nesting)
        } else {
            None
        }
    }

    /// Returns the type of the value; `None` for blocks and nested attributes.
    pub fn value_type(self) -> Option<Type<'s>> {
        if let Self::Attribute(Attribute {
            kind: AttributeKind::Type(of),
            ..
        })
        | Self::Type(of) = self
        {
            Some(of)
        } else {
            None
        }
    }

    /// Whether the value is a boolean, a number or a string.
    pub fn is_primitive(self) -> bool {
        matches!(
            self.value_type(),
            Some(Type::Bool | Type::Number | Type::String)
        )
    }

    /// Includes write-only values, which should not be in a document; if one is, it must not be shown.
    pub fn is_sensitive(self) -> bool {
        matches!(self, Self::Attribute(Attribute { sensitive, write_only, .. }) if sensitive || write_only)
    }

    /// Whether something in the value is sensitive by the schema.
    pub fn holds_secrets(self) -> bool {
        match self {
            Self::Unspecified | Self::Inferred | Self::Missing | Self::Type(_) => false,
            Self::Block(block) | Self::BuiltIn(block) | Self::Blocks(NestedBlock { block, .. }) => {
                block.facts.has_sensitive
            }
            Self::Attribute(attribute) => attribute.has_sensitive(),
        }
    }

    /// Whether there is a schema that does not have the member.
    pub fn is_missing(self) -> bool {
        self == Self::Missing
    }
}
