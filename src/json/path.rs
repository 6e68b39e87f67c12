//! The path to a byte of a document, as people write it: `resource_changes[3].change.before`.

use std::fmt::Write as _;

use super::parse::resolve_escapes;
use super::reader::RawString;
use super::{Error, Reader};

/// The other keys defined by the plan and state formats, which a path may name. Any other key may belong to a
/// value, and in a malformed document it is unknown where values begin, so it is never printed.
const NAMES: [&str; 43] = [
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

/// The keys of members that hold values or their marks. Paths do not descend into them.
const VALUES: [&str; 12] = [
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

/// Whether `path` may be extended by `key`.
fn may_name(path: &str, key: &str) -> bool {
    // The names of providers, types and attributes are not sensitive.
    if path.starts_with(SCHEMAS) || (path.is_empty() && key == SCHEMAS) {
        return true;
    }
    // The top-level `values` of a state contains its modules, not values.
    let last =
        path.rsplit('.').next().map(|step| step.trim_end_matches(|c: char| "[]0123456789".contains(c)));
    let in_values = path != "values" && last.is_some_and(|last| VALUES.contains(&last));
    !in_values && (NAMES.contains(&key) || VALUES.contains(&key))
}

const SCHEMAS: &str = "provider_schemas";

/// The path of the value that contains the byte at `offset`; empty for the document itself. The path
/// only names keys that the formats define, and does not descend into values, which may be sensitive.
///
/// Reads `text` again from its start, up to the first error: for error messages only.
pub fn locate(text: &str, offset: usize) -> String {
    let mut reader = Reader::new(text);
    let mut path = String::new();
    // An error on the way is the one being located, so the path so far is the answer.
    let _: Result<(), Error> = descend(&mut reader, offset, &mut path);
    path
}

/// Descends through the containers around `offset`. Iterative, because the path can be as deep as the
/// input.
fn descend(reader: &mut Reader<'_>, offset: usize, path: &mut String) -> Result<(), Error> {
    'value: loop {
        let byte = reader.peek();
        if reader.pos() >= offset {
            return Ok(()); // what lies deeper begins after it, if it is read at all
        }
        match byte {
            Some(b'{') => {
                let mut empty = reader.open(b'}')?;
                while !empty {
                    let key = reader.key()?;
                    if holds(reader, offset) {
                        if !may_name(path, key.text) {
                            return Ok(());
                        }
                        push_key(path, key);
                        continue 'value;
                    }
                    reader.skip()?;
                    empty = !reader.more(b'}', "`,` or `}`")?;
                }
            }
            Some(b'[') => {
                let mut empty = reader.open(b']')?;
                let mut index = 0;
                while !empty {
                    if holds(reader, offset) {
                        let _ = write!(path, "[{index}]");
                        continue 'value;
                    }
                    reader.skip()?;
                    index += 1;
                    empty = !reader.more(b']', "`,` or `]`")?;
                }
            }
            _ => {}
        }
        return Ok(());
    }
}

/// Whether the value that begins here contains `offset`, or is the one that cannot be read.
fn holds(reader: &Reader<'_>, offset: usize) -> bool {
    let mut ahead = reader.clone();
    ahead.skip().is_err() || ahead.pos() > offset
}

fn push_key(path: &mut String, key: RawString<'_>) {
    let key = resolve_escapes(key.text);
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if plain {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&key);
    } else {
        let _ = write!(path, "[{key:?}]");
    }
}

#[cfg(test)]
mod tests {
    use super::locate;

    #[test]
    fn names_keys_and_indices() {
        let text = r#"{"provider_schemas":{"a/b c":[{"d":nope}]}}"#;
        assert_eq!(locate(text, text.find("nope").unwrap()), r#"provider_schemas["a/b c"][0].d"#);
        assert_eq!(locate(r#"{"mode":1,"resource_changes":[1,2,{"x""#, 37), "resource_changes[2]");
        assert_eq!(locate("[[[[[[", 3), "[0][0][0]");
    }

    #[test]
    fn no_path_leads_into_values() {
        for (before, expected) in [
            (
                r#"{"values":{"root_module":{"resources":[{"values":{"a":{"key":"#,
                "values.root_module.resources[0].values",
            ),
            (r#"{"resource_changes":[{"change":{"after":{"a":[{"key":"#, "resource_changes[0].change.after"),
            (
                r#"{"resource_changes":[{"change":{"after":[1,{"a":[{"key":"#,
                "resource_changes[0].change.after[1]",
            ),
            (
                r#"{"resource_changes":[{"change":{"before_sensitive":{"key":"#,
                "resource_changes[0].change.before_sensitive",
            ),
            (r#"{"resource_changes":[{"change":{"key":{"after":"#, "resource_changes[0].change"),
            (r#"{"output_changes":{"a":{"after":{"key":"#, "output_changes"),
            (r#"{"values":{"outputs":{"a":{"value":{"key":"#, "values.outputs"),
            (r#"{"planned_values":{"key":{"#, "planned_values"),
            (r#"{"key":{"#, ""),
        ] {
            assert_eq!(locate(&format!("{before}nope"), before.len()), expected);
        }
    }
}
