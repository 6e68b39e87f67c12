//! The differences of values as trees, as the tools show them.
//!
//! These trees are copies of those of the diff engine, with owned values, so that the engine can change without
//! breaking callers.

use std::collections::BTreeMap;

use bumpalo::Bump;
use serde::Serialize;

use super::{Error, Value};
use crate::dialect::Dialect;
use crate::diff::notes::Notes;
use crate::diff::shapes::{Shapes, Source};
use crate::diff::tree;
use crate::diff::{self, Paths};
use crate::model;
use crate::schema;

/// The planned change of one resource instance object, as a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ResourceDiff {
    /// The address of the resource instance.
    pub address: String,
    /// The key of a deposed object; `None` for the current object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposed: Option<String>,
    /// The planned actions, in the words of the plan, such as `create` or `delete,create`.
    pub actions: String,
    /// The difference of the object.
    pub diff: Diff,
}

/// The difference of one value, with the differences of its parts. Unchanged parts are in the tree, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diff {
    /// The action on the value.
    pub action: DiffAction,
    /// Whether the change of this value itself forces the replacement of the resource instance.
    #[serde(rename = "replace", skip_serializing_if = "std::ops::Not::not")]
    pub forces_replacement: bool,
    /// The kind of value, with its parts.
    #[serde(flatten)]
    pub kind: DiffKind,
}

/// The action on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DiffAction {
    /// The value is unchanged.
    NoOp,
    /// The value is added.
    Create,
    /// The value is changed.
    Update,
    /// The value is removed.
    Delete,
}

/// A kind of value, with its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DiffKind {
    /// A bool, a number, a string of one line, or null.
    Scalar {
        /// The value before; `None` if it is added to its container.
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Value>,
        /// The value after; `None` if it is removed from its container.
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<Value>,
    },
    /// A string of several lines, which are aligned.
    Lines {
        /// The lines in order.
        lines: Vec<LineDiff>,
    },
    /// A string that contains JSON.
    Json {
        /// Whether the strings differ, but not the JSON in them.
        whitespace_only: bool,
        /// The difference of the JSON.
        inner: Box<Diff>,
    },
    /// A value that is known after apply.
    Unknown {
        /// The value before as a deletion, if there is one.
        before: Option<Box<Diff>>,
    },
    /// A sensitive value or block, which is left out.
    Sensitive {
        /// Whether the value before is sensitive.
        #[serde(rename = "sensitive_before")]
        before: bool,
        /// Whether the value after is sensitive.
        #[serde(rename = "sensitive_after")]
        after: bool,
    },
    /// A write-only attribute, which never has a value to show.
    WriteOnly {
        /// Whether it is also sensitive.
        sensitive: bool,
    },
    /// A value whose type changes.
    TypeChange {
        /// The value before, as a deletion.
        before: Box<Diff>,
        /// The value after, as a creation.
        after: Box<Diff>,
    },
    /// An object, or a nested attribute with single nesting.
    Object {
        /// Whether this is a nested attribute (`nested_type`) rather than a value of an object type.
        nested: bool,
        /// The members.
        members: BTreeMap<String, Diff>,
    },
    /// A map, or a nested attribute with map nesting.
    Map {
        /// Whether this is a nested attribute.
        nested: bool,
        /// The elements.
        members: BTreeMap<String, Diff>,
    },
    /// A list or tuple, or a nested attribute with list nesting.
    List {
        /// Whether this is a nested attribute.
        nested: bool,
        /// The elements, aligned.
        items: Vec<Diff>,
    },
    /// A set, or a nested attribute with set nesting.
    Set {
        /// Whether this is a nested attribute.
        nested: bool,
        /// The elements, aligned.
        items: Vec<Diff>,
    },
    /// A block or a resource instance.
    Block {
        /// The attributes.
        attributes: BTreeMap<String, Diff>,
        /// The nested blocks, sorted by type. Those of a type are in the order in which they are shown.
        blocks: Vec<BlockDiff>,
    },
}

/// A nested block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BlockDiff {
    /// The block type.
    #[serde(rename = "type")]
    pub block_type: String,
    /// The key, if blocks of this type have keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Whether a change of the blocks of this type forces the replacement of the resource instance.
    #[serde(rename = "replace", skip_serializing_if = "std::ops::Not::not")]
    pub forces_replacement: bool,
    /// The difference of the block.
    pub diff: Diff,
}

/// A line of a string of several lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LineDiff {
    /// The action on the line. A line is never updated.
    pub action: DiffAction,
    /// The line without its line break; `None` for a side that is null.
    pub text: Option<String>,
}

/// Compares each planned change that the tools' text lists.
pub(super) fn of_plan<'a>(
    plan: &model::plan::Plan<'a>,
    schemas: &schema::Schemas<'a>,
    dialect: Dialect,
    arena: &'a Bump,
) -> Result<Vec<ResourceDiff>, Error> {
    let shapes = Shapes::new(schemas, Source::Plan(plan), arena);
    let changes = plan.resource_changes.iter();
    changes
        .filter(|change| change.is_listed())
        .map(|change| {
            let shape = shapes.for_change(change)?;
            let (scratch, notes) = (Bump::new(), Notes::default());
            let diff = diff::resource(change, shape, Paths::Always, dialect, &notes, &scratch)?;
            Ok(ResourceDiff {
                address: change.address.to_string(),
                deposed: Some(change.deposed.to_string()).filter(|key| !key.is_empty()),
                actions: change.change.actions.words().to_owned(),
                diff: Diff::from(&diff),
            })
        })
        .collect()
}

impl From<&tree::Diff<'_>> for Diff {
    fn from(diff: &tree::Diff<'_>) -> Self {
        Self {
            action: diff.action.into(),
            forces_replacement: diff.replace,
            kind: DiffKind::from(&diff.node),
        }
    }
}

impl From<tree::DiffAction> for DiffAction {
    fn from(action: tree::DiffAction) -> Self {
        match action {
            tree::DiffAction::NoOp => Self::NoOp,
            tree::DiffAction::Create => Self::Create,
            tree::DiffAction::Update => Self::Update,
            tree::DiffAction::Delete => Self::Delete,
        }
    }
}

impl From<&tree::Node<'_>> for DiffKind {
    /// Copies a node and everything below it. The values of sensitive nodes are left out.
    fn from(node: &tree::Node<'_>) -> Self {
        let boxed = |diff: &tree::Diff<'_>| Box::new(Diff::from(diff));
        match *node {
            tree::Node::Scalar { before, after, .. } => Self::Scalar {
                before: before.map(Value::from),
                after: after.map(Value::from),
            },
            tree::Node::Heredoc { lines } => Self::Lines {
                lines: lines.iter().map(LineDiff::from).collect(),
            },
            tree::Node::Json {
                whitespace_only,
                inner,
            } => Self::Json {
                whitespace_only,
                inner: boxed(inner),
            },
            tree::Node::Unknown { before } => Self::Unknown {
                before: before.map(boxed),
            },
            // The value is left out.
            tree::Node::Sensitive { before, after, .. } => Self::Sensitive { before, after },
            tree::Node::WriteOnly { sensitive } => Self::WriteOnly { sensitive },
            tree::Node::TypeChange { before, after } => Self::TypeChange {
                before: boxed(before),
                after: boxed(after),
            },
            tree::Node::Object { nested, members } => Self::Object {
                nested,
                members: by_key(members),
            },
            tree::Node::Map { nested, entries } => Self::Map {
                nested,
                members: by_key(entries),
            },
            tree::Node::List { nested, items } => Self::List {
                nested,
                items: items.iter().map(Diff::from).collect(),
            },
            tree::Node::Set { nested, items } => Self::Set {
                nested,
                items: items.iter().map(Diff::from).collect(),
            },
            tree::Node::Block { attributes, groups } => Self::Block {
                attributes: by_key(attributes),
                blocks: groups.iter().flat_map(blocks).collect(),
            },
        }
    }
}

impl From<&tree::Line<'_>> for LineDiff {
    fn from(line: &tree::Line<'_>) -> Self {
        Self {
            action: line.action.into(),
            text: line.text.map(str::to_owned),
        }
    }
}

fn by_key(entries: &[tree::Entry<'_>]) -> BTreeMap<String, Diff> {
    entries
        .iter()
        .map(|entry| (entry.key.to_owned(), Diff::from(&entry.diff)))
        .collect()
}

fn blocks(group: &tree::BlockGroup<'_>) -> Vec<BlockDiff> {
    let block = |(key, diff): (Option<&str>, &tree::Diff<'_>)| BlockDiff {
        block_type: group.name.to_owned(),
        key: key.filter(|_| !group.hides_key(diff)).map(str::to_owned),
        forces_replacement: group.replace,
        diff: Diff::from(diff),
    };
    group.iter().map(block).collect()
}
