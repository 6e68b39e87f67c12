//! The shapes of values: blocks, attributes and types.

use std::collections::BTreeMap;

use bumpalo::Bump;
use serde::{Serialize, Serializer};

/// The nesting mode of nested blocks or of a nested attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Nesting {
    /// One object, or none.
    Single,
    /// One object that is always present (blocks only).
    Group,
    /// Objects by index.
    List,
    /// Objects by value.
    Set,
    /// Objects by key.
    Map,
}

impl Nesting {
    /// All nesting modes, with their words in schemas and their letters in the built-in schemas.
    pub(crate) const ALL: [(Self, &'static str, char); 5] = [
        (Self::Single, "single", '1'),
        (Self::Group, "group", 'g'),
        (Self::List, "list", 'l'),
        (Self::Set, "set", 'e'),
        (Self::Map, "map", 'm'),
    ];

    /// Returns the word for the mode in schemas.
    pub(crate) fn word(self) -> &'static str {
        Self::ALL
            .into_iter()
            .find(|(mode, ..)| *mode == self)
            .map_or("", |(_, word, _)| word)
    }
}

/// The shape of a block: its attributes and nested blocks.
///
/// Both lists are sorted by name, and no name is twice in a list.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
pub struct Block<'s> {
    /// The attributes, sorted by name.
    #[serde(serialize_with = "by_name")]
    pub attributes: &'s [(&'s str, Attribute<'s>)],
    /// The types of nested blocks, sorted by name.
    #[serde(rename = "block_types", serialize_with = "by_name")]
    pub blocks: &'s [(&'s str, NestedBlock<'s>)],
    /// The facts that follow from the members, computed once.
    #[serde(skip)]
    pub facts: Facts<'s>,
}

impl<'s> Block<'s> {
    /// Makes a block of attributes and nested blocks, both sorted by name, and computes the facts about them.
    pub fn new(
        attributes: &'s [(&'s str, Attribute<'s>)],
        blocks: &'s [(&'s str, NestedBlock<'s>)],
        arena: &'s Bump,
    ) -> Self {
        let write_only = attributes
            .iter()
            .filter(|(_, attribute)| attribute.write_only);
        let write_only: Vec<&str> = write_only.map(|(name, _)| *name).collect();
        let is_modern_block =
            |nested: &NestedBlock<'_>| matches!(nested.nesting, Nesting::Map | Nesting::Group);
        let facts = Facts {
            modern: attributes
                .iter()
                .any(|(_, attribute)| is_modern_attribute(attribute))
                || blocks.iter().any(|(_, nested)| is_modern_block(nested)),
            has_sensitive: attributes
                .iter()
                .any(|(_, attribute)| attribute.has_sensitive())
                || blocks
                    .iter()
                    .any(|(_, nested)| nested.block.facts.has_sensitive),
            write_only: arena.alloc_slice_copy(&write_only),
            open: false,
        };
        Self {
            attributes,
            blocks,
            facts,
        }
    }

    /// Whether a sensitive attribute is another form of the name, such as `data_json` for `data`. Both have the same
    /// value.
    pub fn has_secret_form_of(&self, name: &str) -> bool {
        let prefix = format!("{name}_");
        let from = self
            .attributes
            .partition_point(|(known, _)| *known < &*prefix);
        let forms = self
            .attributes
            .iter()
            .skip(from)
            .take_while(|(known, _)| known.starts_with(&prefix));
        forms.into_iter().any(|(_, attribute)| attribute.sensitive)
    }
}

/// The facts about a block. They are computed once, because a schema may be wide and have many instances.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Facts<'s> {
    /// Whether the schema uses a feature that the legacy SDK does not have. Terraform then relies on the provider to
    /// distinguish null from the empty string.
    pub modern: bool,
    /// Whether an attribute in the block, at any depth, is sensitive.
    pub has_sensitive: bool,
    /// The names of the write-only attributes, sorted.
    pub write_only: &'s [&'s str],
    /// Whether the shape omits members. Inferred shapes do not list bools, numbers and strings that are not sensitive,
    /// because a value may have very many.
    pub open: bool,
}

/// An attribute.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Attribute<'s> {
    /// Its type or nested attributes.
    #[serde(flatten)]
    pub kind: AttributeKind<'s>,
    /// Whether its value is sensitive.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    /// Whether its value is write-only: always null in plans and states.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub write_only: bool,
    /// Whether a configuration must set it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
}

impl Attribute<'_> {
    /// Whether the value, or a part of it, is sensitive by the schema.
    pub fn has_sensitive(&self) -> bool {
        self.sensitive
            || self.write_only
            || match self.kind {
                AttributeKind::Type(_) => false,
                AttributeKind::Nested(nested) => nested.block.facts.has_sensitive,
            }
    }
}

/// The type or the nested attributes of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttributeKind<'s> {
    /// The value has a type.
    Type(Type<'s>),
    /// The value is made of nested attributes.
    #[serde(rename = "nested_type", serialize_with = "nested_type")]
    Nested(NestedBlock<'s>),
}

/// A nested block type, or the nested attributes of an attribute. The latter have no blocks and never
/// [`Nesting::Group`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NestedBlock<'s> {
    /// The nesting mode: how many objects there are, and in which collection.
    #[serde(rename = "nesting_mode")]
    pub nesting: Nesting,
    /// The layout of each object.
    pub block: Block<'s>,
}

/// A type of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type<'s> {
    /// Any type: `dynamic`.
    Dynamic,
    /// A boolean: `bool`.
    Bool,
    /// A number of any size: `number`.
    Number,
    /// A string: `string`.
    String,
    /// A list of elements of one type.
    List(&'s Self),
    /// A set of elements of one type, which have no order.
    Set(&'s Self),
    /// A map of strings to elements of one type.
    Map(&'s Self),
    /// An object with a type for each attribute; the attributes are sorted by name, and no name is twice.
    Object(&'s [(&'s str, Self)]),
    /// A list of a fixed length with a type for each element.
    Tuple(&'s [Self]),
}

impl Serialize for Type<'_> {
    /// Writes the type as `providers schema -json` does.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Dynamic => "dynamic".serialize(serializer),
            Self::Bool => "bool".serialize(serializer),
            Self::Number => "number".serialize(serializer),
            Self::String => "string".serialize(serializer),
            Self::List(element) => ("list", element).serialize(serializer),
            Self::Set(element) => ("set", element).serialize(serializer),
            Self::Map(element) => ("map", element).serialize(serializer),
            Self::Object(members) => (
                "object",
                members.iter().copied().collect::<BTreeMap<_, _>>(),
            )
                .serialize(serializer),
            Self::Tuple(elements) => ("tuple", elements).serialize(serializer),
        }
    }
}

/// Serializes named parts as an object.
fn by_name<T: Serialize, S: Serializer>(
    parts: &[(&str, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(parts.iter().map(|(name, part)| (name, part)))
}

/// Serializes nested attributes as `providers schema -json` writes them.
fn nested_type<S: Serializer>(nested: &NestedBlock<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    /// The form of nested attributes in the output of `providers schema -json`.
    #[derive(Serialize)]
    struct Objects<'s> {
        #[serde(serialize_with = "by_name")]
        attributes: &'s [(&'s str, Attribute<'s>)],
        nesting_mode: Nesting,
    }
    Objects {
        attributes: nested.block.attributes,
        nesting_mode: nested.nesting,
    }
    .serialize(serializer)
}

/// Whether the legacy SDK cannot declare an attribute: it has nested attributes, or a type that is dynamic, an object,
/// a tuple or a collection of collections.
fn is_modern_attribute(attribute: &Attribute<'_>) -> bool {
    match attribute.kind {
        AttributeKind::Nested(_) => true,
        AttributeKind::Type(ty) => match ty {
            Type::Tuple(_) | Type::Object(_) => true,
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                has_dynamic(*element) || is_nested_collection(*element)
            }
            Type::Dynamic => true,
            Type::Bool | Type::Number | Type::String => false,
        },
    }
}

/// Whether the element of a collection is a collection of other elements than primitive ones.
fn is_nested_collection(ty: Type<'_>) -> bool {
    match ty {
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            !matches!(element, Type::Bool | Type::Number | Type::String)
        }
        Type::Dynamic
        | Type::Bool
        | Type::Number
        | Type::String
        | Type::Object(_)
        | Type::Tuple(_) => false,
    }
}

/// Whether a type has a dynamic part, at any depth.
fn has_dynamic(ty: Type<'_>) -> bool {
    match ty {
        Type::Dynamic => true,
        Type::Bool | Type::Number | Type::String => false,
        Type::List(element) | Type::Set(element) | Type::Map(element) => has_dynamic(*element),
        Type::Object(members) => members.iter().any(|(_, ty)| has_dynamic(*ty)),
        Type::Tuple(elements) => elements.iter().any(|ty| has_dynamic(*ty)),
    }
}

/// Finds a member by binary search. `members` must be sorted by name.
pub(crate) fn find<T: Copy>(members: &[(&str, T)], name: &str) -> Option<T> {
    let index = members
        .binary_search_by(|(known, _)| (*known).cmp(name))
        .ok()?;
    members.get(index).map(|(_, member)| *member)
}
