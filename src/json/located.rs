//! The path to a position in a JSON text, for messages: `resource_changes[3].change.before`.
//!
//! Invariant: a path contains only names that the formats and schemas define, never a key or an index inside of a
//! value.

use super::{Error, Reader};

/// The keys of the plan and state formats that a path may contain. Any other key may belong to a value, and in a
/// malformed document it is unknown where values begin, so it is never printed.
const NAMES: &[&str] = &[
    "action_invocation",
    "action_invocations",
    "action_reason",
    "actions",
    "address",
    "applyable",
    "attribute",
    "change",
    "checks",
    "child_modules",
    "complete",
    "configuration",
    "deferred_action_invocations",
    "deferred_changes",
    "deposed",
    "errored",
    "format_version",
    "generated_config",
    "id",
    "importing",
    "index",
    "lifecycle_action_trigger",
    "mode",
    "module_address",
    "name",
    "output_changes",
    "outputs",
    "planned_values",
    "previous_address",
    "prior_state",
    "provider_name",
    "reason",
    "relevant_attributes",
    "replace_paths",
    "resource",
    "resource_change",
    "resource_changes",
    "resource_drift",
    "resources",
    "root_module",
    "sensitive",
    "terraform_version",
    "type",
];

/// The keys of members that contain values or their marks. Paths do not continue inside of them.
const VALUES: &[&str] = &[
    "after",
    "after_sensitive",
    "after_unknown",
    "before",
    "before_sensitive",
    "config_sensitive",
    "config_unknown",
    "config_values",
    "identity",
    "sensitive_values",
    "value",
    "values",
];

/// The member of a schema document in which all keys may be named.
const SCHEMAS: &str = "provider_schemas";

/// Whether a path may be continued by a key.
fn may_name(path: &str, key: &str) -> bool {
    // The names of providers, types and attributes are not sensitive.
    if path.starts_with(SCHEMAS) || (path.is_empty() && key == SCHEMAS) {
        return true;
    }
    // The top-level `values` of a state contains its modules, not values.
    let last = path
        .rsplit('.')
        .next()
        .map(|step| step.trim_end_matches(|c: char| "[]0123456789".contains(c)));
    let in_values = path != "values" && last.is_some_and(|last| VALUES.contains(&last));
    !in_values && (NAMES.contains(&key) || VALUES.contains(&key))
}

/// Returns the path of the value at an offset. It is empty for the document itself. It contains only keys that the
/// formats define, and does not continue inside of values, which may be sensitive.
///
/// This reads `text` again up to the first error, so it is for error messages only.
pub fn locate(text: &str, offset: usize) -> String {
    let mut path = String::new();
    // An error on the way is the one that is being located, so the path so far is the answer.
    let _: Result<(), Error> = descend(&mut Reader::new(text), offset, &mut path);
    path
}

/// Extends `path` to the value at an offset. This is iterative, because the path can be as deep as the input.
fn descend(reader: &mut Reader<'_>, offset: usize, path: &mut String) -> Result<(), Error> {
    loop {
        let byte = reader.peek();
        if reader.pos() >= offset {
            return Ok(()); // what lies deeper begins after it, if it is read at all
        }
        let Some(close) = byte
            .filter(|byte| b"{[".contains(byte))
            .map(|byte| byte + 2)
        else {
            return Ok(());
        };
        let (mut is_first, mut index) = (true, 0);
        loop {
            if !reader.next_part(&mut is_first, close)? {
                return Ok(());
            }
            let key = if close == b'}' {
                Some(reader.key()?.resolved())
            } else {
                None
            };
            let mut ahead = reader.clone();
            if ahead.skip().is_err() || ahead.pos() > offset {
                match key {
                    None => path.push_str(&format!("[{index}]")),
                    Some(key) if may_name(path, &key) => push_key(path, &key),
                    Some(_) => return Ok(()),
                }
                break;
            }
            *reader = ahead;
            index += 1;
        }
    }
}

/// Appends a member to a path: `.name`, or `["a.b"]` if the name is not a plain word.
fn push_key(path: &mut String, key: &str) {
    let is_plain = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let separator = if is_plain && !path.is_empty() {
        "."
    } else {
        ""
    };
    path.push_str(&if is_plain {
        format!("{separator}{key}")
    } else {
        format!("[{key:?}]")
    });
}

#[cfg(test)]
mod tests;
