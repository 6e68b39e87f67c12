//! The shape of values: blocks, attributes, types.

/// How several nested blocks, or the members of a nested attribute, are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nesting {
    /// One object, or none.
    Single,
    /// One object that is always there (blocks only).
    Group,
    /// By position.
    List,
    /// By value.
    Set,
    /// By key.
    Map,
}

/// The shape of a block. Both lists are sorted by name and unique.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Block<'s> {
    /// The attributes.
    pub attributes: &'s [(&'s str, Attribute<'s>)],
    /// The types of nested blocks.
    pub blocks: &'s [(&'s str, NestedBlock<'s>)],
}

/// The shape of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attribute<'s> {
    /// Its type, or the attributes nested in it.
    pub kind: AttributeKind<'s>,
    /// The schema says that the value is a secret, whatever the plan marks.
    pub sensitive: bool,
    /// The value is never stored: it is always null in plans and states.
    pub write_only: bool,
}

/// What an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttributeKind<'s> {
    /// A value of a type.
    Type(Type<'s>),
    /// Attributes of its own (`nested_type`).
    Nested(NestedType<'s>),
}

/// The shape of a nested attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NestedType<'s> {
    /// The attributes, sorted by name and unique.
    pub attributes: &'s [(&'s str, Attribute<'s>)],
    /// How the objects are held; never [`Nesting::Group`].
    pub nesting: Nesting,
}

/// The shape of a type of nested blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NestedBlock<'s> {
    /// How the blocks are held.
    pub nesting: Nesting,
    /// What each of them is.
    pub block: Block<'s>,
}

/// The type of a value (a cty type).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type<'s> {
    /// Any value; its shape is that of the JSON.
    Dynamic,
    /// `true` or `false`.
    Bool,
    /// A number of any precision.
    Number,
    /// A string.
    String,
    /// Values of one type, by position.
    List(&'s Self),
    /// Values of one type, each once, in no order.
    Set(&'s Self),
    /// Values of one type, by key.
    Map(&'s Self),
    /// Values of several types, by name; sorted and unique.
    Object(&'s [(&'s str, Self)]),
    /// Values of several types, by position.
    Tuple(&'s [Self]),
}
