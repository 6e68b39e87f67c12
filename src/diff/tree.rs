//! The Diff tree: the result of the differ, and the input of renderers.
//!
//! It is plain data, without text or colors. Invariants: entries, block groups and keyed blocks are sorted by name. The
//! items of a list are in display order. Unchanged values are in the tree too, so that a renderer can count what it
//! hides. Everything is allocated in an arena, so a tree is `Copy` and needs no drop.
//!
//! ```text
//! before  {"name":"a","tags":{"owner":"x"}}
//! after   {"name":"b","tags":{"owner":"x"}}
//!
//! Update  block
//! ├ Update  name         "a" -> "b"
//! └ NoOp    tags
//!   └ NoOp  tags.owner   "x"
//! ```

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::json::Value;

/// The action on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiffAction {
    /// The value is unchanged.
    #[default]
    NoOp,
    /// The value is added.
    Create,
    /// The value is changed.
    Update,
    /// The value is removed.
    Delete,
}

/// The diff of one value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Diff<'a> {
    /// The action.
    pub action: DiffAction,
    /// Whether the change of this value itself forces the replacement of the resource instance.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub replace: bool,
    /// The kind of value, with its children.
    #[serde(flatten)]
    pub node: Node<'a>,
}

/// A kind of value, with its children. Sensitive values are not serialized: only the marks of a sensitive node are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Node<'a> {
    /// A bool, a number, a single-line string, or null.
    Scalar {
        /// The value before; `None` if it is added to its container.
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Value<'a>>,
        /// The value after; `None` if it is removed from its container.
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<Value<'a>>,
        /// Whether the type is string. A deleted null is then shown as `null`, without `-> null`.
        #[serde(skip)]
        is_string: bool,
    },
    /// A string of several lines, which are aligned.
    #[serde(rename = "lines")]
    Heredoc {
        /// The lines in order.
        lines: &'a [Line<'a>],
    },
    /// A string that contains JSON.
    Json {
        /// Whether the strings differ, but not the JSON in them.
        whitespace_only: bool,
        /// The diff of the parsed JSON.
        inner: &'a Diff<'a>,
    },
    /// A value that is known after apply.
    Unknown {
        /// The value before as a deletion, if there is one.
        before: Option<&'a Diff<'a>>,
    },
    /// A sensitive value or block.
    Sensitive {
        /// The diff of the value. It must be used only with `--show-sensitive`.
        #[serde(skip)]
        inner: &'a Diff<'a>,
        /// Whether the value before is sensitive.
        #[serde(rename = "sensitive_before")]
        before: bool,
        /// Whether the value after is sensitive.
        #[serde(rename = "sensitive_after")]
        after: bool,
        /// Whether it is hidden only because there is no schema to tell what is sensitive.
        #[serde(skip)]
        lacks_schema: bool,
        /// Whether it is a block.
        #[serde(skip)]
        is_block: bool,
    },
    /// A write-only attribute, which never has a value to show.
    WriteOnly {
        /// Whether it is also marked as sensitive.
        sensitive: bool,
    },
    /// A value whose type changes.
    TypeChange {
        /// The value before, as a deletion.
        before: &'a Diff<'a>,
        /// The value after, as a creation.
        after: &'a Diff<'a>,
    },
    /// An object, or a nested attribute with single nesting.
    Object {
        /// Whether this is a nested attribute (`nested_type`) rather than a value of an object type.
        nested: bool,
        /// The members.
        #[serde(serialize_with = "by_key")]
        members: &'a [Entry<'a>],
    },
    /// A map, or a nested attribute with map nesting.
    Map {
        /// Whether this is a nested attribute.
        nested: bool,
        /// The elements.
        #[serde(rename = "members", serialize_with = "by_key")]
        entries: &'a [Entry<'a>],
    },
    /// A list or tuple, or a nested attribute with list nesting.
    List {
        /// Whether this is a nested attribute, whose changes are shown without context lines.
        nested: bool,
        /// The elements, aligned.
        items: &'a [Diff<'a>],
    },
    /// A set, or a nested attribute with set nesting.
    Set {
        /// Whether this is a nested attribute.
        nested: bool,
        /// The elements, aligned.
        items: &'a [Diff<'a>],
    },
    /// A block or a resource instance.
    Block {
        /// The attributes.
        #[serde(serialize_with = "by_key")]
        attributes: &'a [Entry<'a>],
        /// The nested blocks, by type.
        #[serde(rename = "blocks")]
        groups: &'a [BlockGroup<'a>],
    },
}

/// A named part of an object or block, or an output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<'a> {
    /// The attribute's name or the map's key.
    pub key: &'a str,
    /// The diff of its value.
    pub diff: Diff<'a>,
}

/// The nested blocks of one type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockGroup<'a> {
    /// The block type's name.
    pub name: &'a str,
    /// Whether all blocks of the type are sensitive, before and after the change.
    pub sensitive: (bool, bool),
    /// Whether a change of the blocks of the type as a whole forces the replacement of the resource instance.
    pub replace: bool,
    /// The blocks in display order.
    pub blocks: &'a [Diff<'a>],
    /// The key of each block; empty if they have none.
    pub keys: &'a [Option<&'a str>],
}

impl<'a> BlockGroup<'a> {
    /// Returns the blocks with their keys.
    pub fn iter(&self) -> impl Iterator<Item = (Option<&'a str>, &'a Diff<'a>)> + use<'a> {
        let keys = self.keys;
        self.blocks
            .iter()
            .enumerate()
            .map(move |(index, block)| (keys.get(index).copied().flatten(), block))
    }

    /// Whether the key of `block` must be hidden, because all blocks of the type are sensitive. The block itself is
    /// then a [`Node::Sensitive`].
    pub fn hides_key(&self, block: &Diff<'_>) -> bool {
        let (before, after) = self.sensitive;
        (before || after) && matches!(block.node, Node::Sensitive { .. })
    }
}

/// A line of a multi-line string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Line<'a> {
    /// The action on the line: [`DiffAction::NoOp`], [`DiffAction::Create`] or [`DiffAction::Delete`].
    pub action: DiffAction,
    /// The line without its line break; `None` for a side that is `null`.
    pub text: Option<&'a str>,
}

/// Serializes entries as an object.
fn by_key<S: Serializer>(entries: &[Entry<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|entry| (entry.key, &entry.diff)))
}

impl Serialize for BlockGroup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.name)?;
        if self.replace {
            map.serialize_entry("replace", &true)?;
        }
        let block = |(key, diff): (Option<_>, _)| Block {
            key: key.filter(|_| !self.hides_key(diff)),
            diff,
        };
        map.serialize_entry("blocks", &self.iter().map(block).collect::<Vec<_>>())?;
        map.end()
    }
}

/// A nested block, with its key if the nesting mode is map.
#[derive(Serialize)]
struct Block<'b> {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'b str>,
    diff: &'b Diff<'b>,
}
