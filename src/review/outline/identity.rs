//! What an element of a list or set is known by: a name, a key, an id.

use crate::diff::tree::{Action, Diff, Entry, Node, Slot};
use crate::json::Value;
use crate::text::{key, quote};

/// Attributes that tell elements apart, the best first.
const NAMES: [&str; 22] = [
    "name",
    "key",
    "id",
    "Sid",
    "sid",
    "Name",
    "Id",
    "Key",
    "rule_no",
    "rule_number",
    "priority",
    "description",
    "device_name",
    "field",
    "host",
    "hostname",
    "path",
    "type",
    "ref",
    "container_name",
    "from_port",
    "port",
];
/// Longer values are no names.
const LONGEST: usize = 60;

/// `name="web"`, if the element has such an attribute and it stays as it is (or the element comes
/// or goes). Secrets and unknown values name nothing.
pub(super) fn of(diff: &Diff<'_>) -> Option<String> {
    let entries = members(diff);
    NAMES.iter().find_map(|name| {
        let entry = entries.iter().find(|entry| entry.key == *name)?;
        let Node::Scalar { before, after, .. } = entry.diff.node else { return None };
        let slot = match entry.diff.action {
            Action::Create => after,
            Action::NoOp | Action::Delete => before,
            Action::Update => return None,
        };
        Some(format!("{}={}", key(name), literal(slot)?))
    })
}

/// The named parts of an object or block.
pub(super) fn members<'a>(diff: &Diff<'a>) -> &'a [Entry<'a>] {
    match diff.node {
        Node::Object { members: entries, .. }
        | Node::Map { entries, .. }
        | Node::Block { attributes: entries, .. } => entries,
        Node::Scalar { .. }
        | Node::Heredoc { .. }
        | Node::Json { .. }
        | Node::Unknown { .. }
        | Node::Sensitive { .. }
        | Node::SensitiveBlock { .. }
        | Node::WriteOnly { .. }
        | Node::TypeChange { .. }
        | Node::List { .. }
        | Node::Set { .. } => &[],
    }
}

fn literal(slot: Slot<'_>) -> Option<String> {
    match slot.value() {
        Value::String(text) if !text.is_empty() && text.len() <= LONGEST => Some(quote(text)),
        Value::Number(text) => Some(text.to_owned()),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
