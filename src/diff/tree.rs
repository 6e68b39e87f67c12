//! The Diff tree: all that the differ tells a renderer.
//!
//! Plain data, without text or colour. Invariants: entries, block groups and keyed blocks are
//! sorted by name; a list's items stand in the order in which they are shown; what is unchanged is
//! in the tree too, so that a renderer can count what it hides. Everything lives in an arena, so a
//! tree is `Copy` and dropping it is free.

use crate::json::Value;

/// What happens to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Action {
    /// Nothing.
    #[default]
    NoOp,
    /// It appears.
    Create,
    /// It changes.
    Update,
    /// It goes.
    Delete,
}

/// One side of a change.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Slot<'a> {
    /// Nothing is there: the value was added to, or removed from, what holds it.
    #[default]
    Absent,
    /// Somebody wrote `null`.
    Null,
    /// A value; never `Value::Null`.
    Value(Value<'a>),
}

impl<'a> Slot<'a> {
    /// The value, or `Value::Null` for none.
    pub fn value(self) -> Value<'a> {
        match self {
            Self::Absent | Self::Null => Value::Null,
            Self::Value(value) => value,
        }
    }

    /// Whether there is no value.
    pub fn is_none(self) -> bool {
        !matches!(self, Self::Value(_))
    }
}

/// What happens to one value, and how it is made up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diff<'a> {
    /// What happens.
    pub action: Action,
    /// The change of this very value forces the replacement of the resource instance.
    pub replace: bool,
    /// How the value is made up.
    pub node: Node<'a>,
}

/// How a value is made up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node<'a> {
    /// A bool, a number, a string on one line, or null.
    Scalar {
        /// Before the change.
        before: Slot<'a>,
        /// After it.
        after: Slot<'a>,
        /// The value's type is string: a null that goes says no more than `null`.
        is_string: bool,
    },
    /// A string of several lines, already aligned.
    Heredoc {
        /// The lines in order.
        lines: &'a [Line<'a>],
    },
    /// A string that holds JSON.
    Json {
        /// The diff of what it holds.
        inner: &'a Diff<'a>,
        /// The strings differ, what they hold does not.
        whitespace_only: bool,
    },
    /// The new value will be known after apply.
    Unknown {
        /// The old value, as a deletion, if there is one.
        before: Option<&'a Diff<'a>>,
    },
    /// The value is a secret.
    Sensitive {
        /// The diff of the secret. Only `--show-sensitive` may look at it.
        inner: &'a Diff<'a>,
        /// It was a secret before the change.
        before: bool,
        /// It is one after it.
        after: bool,
    },
    /// The block is a secret as a whole.
    SensitiveBlock {
        /// The diff of the block. Only `--show-sensitive` may look at it.
        inner: &'a Diff<'a>,
        /// It was a secret before the change.
        before: bool,
        /// It is one after it.
        after: bool,
    },
    /// A write-only attribute: there is never a value to show.
    WriteOnly {
        /// It is marked as a secret too.
        sensitive: bool,
    },
    /// The value changed its type.
    TypeChange {
        /// The old value, as a deletion.
        before: &'a Diff<'a>,
        /// The new one, as a creation.
        after: &'a Diff<'a>,
    },
    /// An object, or a nested attribute with single nesting.
    Object {
        /// Its members.
        members: &'a [Entry<'a>],
        /// A nested attribute (`nested_type`), not a value of an object type.
        nested: bool,
    },
    /// A map, or a nested attribute with map nesting.
    Map {
        /// Its elements.
        entries: &'a [Entry<'a>],
        /// A nested attribute.
        nested: bool,
    },
    /// A list or tuple, or a nested attribute with list nesting.
    List {
        /// Its elements, aligned.
        items: &'a [Diff<'a>],
        /// A nested attribute: no context lines around changes.
        nested: bool,
    },
    /// A set, or a nested attribute with set nesting.
    Set {
        /// Its elements, aligned.
        items: &'a [Diff<'a>],
        /// A nested attribute.
        nested: bool,
    },
    /// A block or a resource instance.
    Block {
        /// Its attributes.
        attributes: &'a [Entry<'a>],
        /// Its nested blocks, by type.
        groups: &'a [BlockGroup<'a>],
    },
}

/// A named part of an object, map or block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<'a> {
    /// The attribute's name or the map's key.
    pub key: &'a str,
    /// What happens to it.
    pub diff: Diff<'a>,
}

/// The nested blocks of one type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockGroup<'a> {
    /// The block type's name.
    pub name: &'a str,
    /// The whole type is a secret before, after the change.
    pub sensitive: (bool, bool),
    /// The whole type forces the replacement of the resource instance.
    pub replace: bool,
    /// The blocks in the order in which they are shown, with their key where the type nests by key.
    pub blocks: &'a [(Option<&'a str>, Diff<'a>)],
}

impl BlockGroup<'_> {
    /// Whether the key of one of the blocks is a secret, because the whole type is one. The block
    /// itself is a [`Node::SensitiveBlock`] then.
    pub fn hides_key(&self, block: &Diff<'_>) -> bool {
        let (before, after) = self.sensitive;
        (before || after) && matches!(block.node, Node::SensitiveBlock { .. })
    }
}

/// A line of a string of several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// [`Action::NoOp`], [`Action::Create`] or [`Action::Delete`].
    pub action: Action,
    /// The line without its end; `None` for the `null` that the other side was.
    pub text: Option<&'a str>,
}
