//! `Serialize` for Diff trees.
//!
//! Invariant: sensitive values are not written. A sensitive node has its action and its marks, but no part
//! of its value.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::tree::{BlockGroup, Diff, DiffAction, Entry, Node, Slot};

impl Serialize for DiffAction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::NoOp => "no-op",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        })
    }
}

/// `{"action", "replace", "kind", …}`, followed by the members for the kind of node.
impl Serialize for Diff<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("action", &self.action)?;
        if self.replace {
            map.serialize_entry("replace", &true)?;
        }
        serialize_node(&self.node, &mut map)?;
        map.end()
    }
}

fn serialize_node<M: SerializeMap>(node: &Node<'_>, map: &mut M) -> Result<(), M::Error> {
    match node {
        Node::Scalar { before, after, is_string: _ } => {
            map.serialize_entry("kind", "scalar")?;
            serialize_slot("before", *before, map)?;
            serialize_slot("after", *after, map)
        }
        Node::Heredoc { lines } => {
            map.serialize_entry("kind", "lines")?;
            map.serialize_entry("lines", lines)
        }
        Node::Json { inner, whitespace_only } => {
            map.serialize_entry("kind", "json")?;
            map.serialize_entry("whitespace_only", whitespace_only)?;
            map.serialize_entry("inner", inner)
        }
        Node::Unknown { before } => {
            map.serialize_entry("kind", "unknown")?;
            map.serialize_entry("before", before)
        }
        Node::Sensitive { before, after, .. } | Node::SensitiveBlock { before, after, .. } => {
            map.serialize_entry("kind", "sensitive")?;
            map.serialize_entry("sensitive_before", before)?;
            map.serialize_entry("sensitive_after", after)
        }
        Node::WriteOnly { sensitive } => {
            map.serialize_entry("kind", "write-only")?;
            map.serialize_entry("sensitive", sensitive)
        }
        Node::TypeChange { before, after } => {
            map.serialize_entry("kind", "type-change")?;
            map.serialize_entry("before", before)?;
            map.serialize_entry("after", after)
        }
        Node::Object { members, nested } => {
            map.serialize_entry("kind", "object")?;
            map.serialize_entry("nested", nested)?;
            map.serialize_entry("members", &Members(members))
        }
        Node::Map { entries, nested } => {
            map.serialize_entry("kind", "map")?;
            map.serialize_entry("nested", nested)?;
            map.serialize_entry("members", &Members(entries))
        }
        Node::List { items, nested } => {
            map.serialize_entry("kind", "list")?;
            map.serialize_entry("nested", nested)?;
            map.serialize_entry("items", items)
        }
        Node::Set { items, nested } => {
            map.serialize_entry("kind", "set")?;
            map.serialize_entry("nested", nested)?;
            map.serialize_entry("items", items)
        }
        Node::Block { attributes, groups } => {
            map.serialize_entry("kind", "block")?;
            map.serialize_entry("attributes", &Members(attributes))?;
            map.serialize_entry("blocks", groups)
        }
    }
}

/// An absent side is omitted; an explicit null is written as `null`.
fn serialize_slot<M: SerializeMap>(name: &'static str, slot: Slot<'_>, map: &mut M) -> Result<(), M::Error> {
    match slot {
        Slot::Absent => Ok(()),
        Slot::Null | Slot::Value(_) => map.serialize_entry(name, &slot.value()),
    }
}

/// Entries as an object, by key.
struct Members<'e>(&'e [Entry<'e>]);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|entry| (entry.key, &entry.diff)))
    }
}

impl Serialize for BlockGroup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.name)?;
        if self.replace {
            map.serialize_entry("replace", &true)?;
        }
        map.serialize_entry("blocks", &Blocks(self))?;
        map.end()
    }
}

struct Blocks<'g, 'a>(&'g BlockGroup<'a>);

impl Serialize for Blocks<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            self.0.iter().map(|(key, diff)| Block { key: key.filter(|_| !self.0.hides_key(diff)), diff }),
        )
    }
}

/// A nested block, with its key if the nesting mode is map.
#[derive(Serialize)]
struct Block<'b> {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'b str>,
    diff: &'b Diff<'b>,
}
