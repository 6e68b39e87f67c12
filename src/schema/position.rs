//! Positions in shapes, which follow the path into a value.
//!
//! ```text
//! value       resource        .rule          [0]            .port
//! position    Block(schema)   Blocks(rule)   Block(rule)    Attribute(port)
//! ```

use super::infer;
use super::shape::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type, find};

/// The shape for one part of a value: of a block, a member or an element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Position<'s> {
    /// There is no schema, or the value has a dynamic type.
    #[default]
    Unspecified,
    /// There is no schema. Sensitive values are recognized only by their names.
    Inferred,
    /// There is a schema, but it does not have the member.
    Missing,
    /// The object of a block, or of nested attributes.
    Block(Block<'s>),
    /// The object of a block whose schema may be from another version of the provider. A member that the schema does
    /// not have may still exist.
    BuiltIn(Block<'s>),
    /// All blocks of one type, or the value of an attribute with nested attributes.
    Blocks(NestedBlock<'s>),
    /// The value of an attribute.
    Attribute(Attribute<'s>),
    /// A value of this type, inside of an attribute.
    Type(Type<'s>),
}

impl<'s> Position<'s> {
    /// Returns the position of a value of any type that is sensitive.
    fn sensitive() -> Self {
        let kind = AttributeKind::Type(Type::Dynamic);
        Self::Attribute(Attribute {
            kind,
            sensitive: true,
            write_only: false,
            required: false,
        })
    }

    /// Returns the position of a member that the schema does not have. It is sensitive if its name suggests so, or if
    /// another form of it is (`data` if `data_json` is).
    fn missing(name: &str, is_form_of_sensitive: bool) -> Self {
        if is_form_of_sensitive || infer::is_sensitive_name(name) {
            Self::sensitive()
        } else {
            Self::Missing
        }
    }

    /// Returns the position of a member of a block, of an object or of a map.
    pub fn member(self, name: &str) -> Self {
        match self {
            Self::Unspecified | Self::Type(Type::Dynamic) => Self::Unspecified,
            Self::Inferred if infer::is_sensitive_name(name) => Self::sensitive(),
            Self::Inferred => Self::Inferred,
            // Everything below a missing member is missing as well; that is reported once, for the member.
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

    /// Returns the position of an element of a list, set or tuple, or of nested blocks.
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

    /// Whether the block has a feature that the legacy SDK of providers lacks, so that its provider distinguishes null
    /// from the zero of a type.
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

    /// Whether the value is a set, whose elements have no order.
    pub fn is_set(self) -> bool {
        self.nesting() == Some(Nesting::Set) || matches!(self.value_type(), Some(Type::Set(_)))
    }

    /// Returns how nested blocks or attributes are nested; `None` for other positions.
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

    /// Whether the value is sensitive as a whole. Write-only values count, too: they should not be in a document, but
    /// if one is, it must not be shown.
    pub fn is_sensitive(self) -> bool {
        matches!(self, Self::Attribute(Attribute { sensitive, write_only, .. }) if sensitive || write_only)
    }

    /// Whether the value, or something in it, is sensitive by the schema.
    pub fn holds_secrets(self) -> bool {
        match self {
            Self::Unspecified | Self::Inferred | Self::Missing | Self::Type(_) => false,
            Self::Block(block) | Self::BuiltIn(block) | Self::Blocks(NestedBlock { block, .. }) => {
                block.facts.has_sensitive
            }
            Self::Attribute(attribute) => attribute.has_sensitive(),
        }
    }

    /// Whether there is a schema, but without the member.
    pub fn is_missing(self) -> bool {
        self == Self::Missing
    }
}
