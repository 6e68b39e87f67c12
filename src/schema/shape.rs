//! The shapes of values: blocks, attributes, types.

use bumpalo::Bump;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// The nesting mode of nested blocks or of a nested attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
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
    /// All modes, each with its name and its letter in the text of the built-in schemas.
    pub(crate) const ALL: [(Self, &'static str, char); 5] = [
        (Self::Single, "single", '1'),
        (Self::Group, "group", 'g'),
        (Self::List, "list", 'l'),
        (Self::Set, "set", 'e'),
        (Self::Map, "map", 'm'),
    ];
}

/// The shape of a block. Both lists are sorted by name and unique.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
pub struct Block<'s> {
    /// The attributes.
    #[serde(serialize_with = "by_name")]
    pub attributes: &'s [(&'s str, Attribute<'s>)],
    /// The nested block types.
    #[serde(rename = "block_types", serialize_with = "by_name")]
    pub blocks: &'s [(&'s str, NestedBlock<'s>)],
    /// Facts about the shape as a whole.
    #[serde(skip)]
    pub facts: Facts<'s>,
}

impl<'s> Block<'s> {
    /// The shape of a block with these attributes and blocks, each sorted by name and unique.
    pub fn new(
        attributes: &'s [(&'s str, Attribute<'s>)],
        blocks: &'s [(&'s str, NestedBlock<'s>)],
        arena: &'s Bump,
    ) -> Self {
        let facts = Facts::new(attributes, arena);
        let modern = |nested: &NestedBlock<'_>| matches!(nested.nesting, Nesting::Map | Nesting::Group);
        let facts = Facts {
            modern: facts.modern || blocks.iter().any(|(_, nested)| modern(nested)),
            has_sensitive: facts.has_sensitive
                || blocks.iter().any(|(_, nested)| nested.block.facts.has_sensitive),
            ..facts
        };
        Self { attributes, blocks, facts }
    }

    /// Whether a sensitive attribute is another form of the attribute `name`, which the block does not have:
    /// `data_json` for `data`. Both have the same sensitive value.
    pub fn has_secret_form_of(&self, name: &str) -> bool {
        let prefix = format!("{name}_");
        let from = self.attributes.partition_point(|(known, _)| *known < &*prefix);
        let forms = self.attributes.iter().skip(from).take_while(|(known, _)| known.starts_with(&prefix));
        forms.into_iter().any(|(_, attribute)| attribute.sensitive)
    }
}

/// Facts about all parts of a shape. They are computed once, when the shape is built, because a schema may
/// be wide and have many instances.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Facts<'s> {
    /// Whether the schema uses a feature that the legacy SDK does not have. Terraform then relies on the
    /// provider to distinguish null from the empty string.
    pub modern: bool,
    /// Whether the schema declares any part sensitive.
    pub has_sensitive: bool,
    /// The names of the write-only attributes, sorted.
    pub write_only: &'s [&'s str],
    /// Whether values may have more attributes, which are bools, numbers and strings that are not sensitive.
    /// Inferred shapes do not list those: a value may have very many.
    pub open: bool,
}

impl<'s> Facts<'s> {
    fn new(attributes: &'s [(&'s str, Attribute<'s>)], arena: &'s Bump) -> Self {
        let write_only =
            attributes.iter().filter(|(_, attribute)| attribute.write_only).map(|(name, _)| *name);
        let count = write_only.clone().count();
        let mut names = write_only;
        Self {
            modern: attributes.iter().any(|(_, attribute)| is_modern_attribute(attribute)),
            has_sensitive: attributes.iter().any(|(_, attribute)| attribute.has_sensitive()),
            write_only: arena.alloc_slice_fill_with(count, |_| names.next().unwrap_or_default()),
            open: false,
        }
    }
}

/// The shape of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Attribute<'s> {
    /// The type, or the nested attributes.
    #[serde(flatten)]
    pub kind: AttributeKind<'s>,
    /// Whether the schema declares the value sensitive, regardless of the marks in the plan.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    /// Whether the value is write-only: always null in plans and states.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub write_only: bool,
    /// Whether a schema at hand declares that the configuration must give it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
}

impl Attribute<'_> {
    /// Whether the schema declares the attribute or a part of it sensitive or write-only.
    pub fn has_sensitive(&self) -> bool {
        self.sensitive
            || self.write_only
            || match self.kind {
                AttributeKind::Type(_) => false,
                AttributeKind::Nested(nested) => nested.facts.has_sensitive,
            }
    }
}

/// The kind of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttributeKind<'s> {
    /// A value of a type.
    Type(Type<'s>),
    /// Nested attributes (`nested_type`).
    #[serde(rename = "nested_type")]
    Nested(NestedType<'s>),
}

/// The shape of a nested attribute.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NestedType<'s> {
    /// The attributes, sorted by name and unique.
    #[serde(serialize_with = "by_name")]
    pub attributes: &'s [(&'s str, Attribute<'s>)],
    /// The nesting mode; never [`Nesting::Group`].
    #[serde(rename = "nesting_mode")]
    pub nesting: Nesting,
    /// Facts about the attributes as a whole.
    #[serde(skip)]
    pub facts: Facts<'s>,
}

impl<'s> NestedType<'s> {
    /// The shape of a nested attribute with these attributes, sorted by name and unique.
    pub fn new(attributes: &'s [(&'s str, Attribute<'s>)], nesting: Nesting, arena: &'s Bump) -> Self {
        Self { attributes, nesting, facts: Facts::new(attributes, arena) }
    }
}

/// The shape of a nested block type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NestedBlock<'s> {
    /// The nesting mode.
    #[serde(rename = "nesting_mode")]
    pub nesting: Nesting,
    /// The shape of each block.
    pub block: Block<'s>,
}

/// The type of a value (a cty type).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type<'s> {
    /// Any value. Its shape is that of the JSON.
    Dynamic,
    /// `true` or `false`.
    Bool,
    /// A number of any precision.
    Number,
    /// A string.
    String,
    /// Values of one type, by index.
    List(&'s Self),
    /// Unique values of one type, without an order.
    Set(&'s Self),
    /// Values of one type, by key.
    Map(&'s Self),
    /// Values of several types, by name. Sorted and unique.
    Object(&'s [(&'s str, Self)]),
    /// Values of several types, by index.
    Tuple(&'s [Self]),
}

/// The JSON encoding of a cty type.
impl Serialize for Type<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Dynamic => "dynamic".serialize(serializer),
            Self::Bool => "bool".serialize(serializer),
            Self::Number => "number".serialize(serializer),
            Self::String => "string".serialize(serializer),
            Self::List(element) => ("list", element).serialize(serializer),
            Self::Set(element) => ("set", element).serialize(serializer),
            Self::Map(element) => ("map", element).serialize(serializer),
            Self::Object(members) => {
                ("object", crate::sort::map(members.iter().copied())).serialize(serializer)
            }
            Self::Tuple(elements) => ("tuple", elements).serialize(serializer),
        }
    }
}

fn by_name<T: Serialize, S: Serializer>(parts: &[(&str, T)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(parts.iter().map(|(name, part)| (name, part)))
}

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

fn is_nested_collection(ty: Type<'_>) -> bool {
    match ty {
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            !matches!(element, Type::Bool | Type::Number | Type::String)
        }
        Type::Dynamic | Type::Bool | Type::Number | Type::String | Type::Object(_) | Type::Tuple(_) => false,
    }
}

fn has_dynamic(ty: Type<'_>) -> bool {
    match ty {
        Type::Dynamic => true,
        Type::Bool | Type::Number | Type::String => false,
        Type::List(element) | Type::Set(element) | Type::Map(element) => has_dynamic(*element),
        Type::Object(members) => members.iter().any(|(_, ty)| has_dynamic(*ty)),
        Type::Tuple(elements) => elements.iter().any(|ty| has_dynamic(*ty)),
    }
}

/// The one called `name` of members that are sorted by name.
pub(crate) fn find<T: Copy>(members: &[(&str, T)], name: &str) -> Option<T> {
    let at = members.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    members.get(at).map(|(_, member)| *member)
}
