//! Where in a document a byte stands, as people write it: `resource_changes[3].change.before`.

use std::fmt::Write as _;

use super::parse::resolve_escapes;
use super::reader::RawString;
use super::{Error, Reader};

/// Members that hold the values of resources and outputs. What is below may be a secret, also a key;
/// but the names of a resource's attributes are none.
const VALUES: [&str; 8] =
    ["before", "after", "after_unknown", "value", "config_values", "identity", "constant_value", "values"];

/// How many keys of a path may follow, once it has passed the member `key` of what `path` leads to.
fn keys_below(path: &str, key: &str) -> Option<usize> {
    // At the top, `values` is what the modules of a state lie in.
    if !VALUES.contains(&key) || path.is_empty() {
        return None;
    }
    let of_resource = key != "value" && !path.contains("output");
    Some(usize::from(of_resource))
}

/// The path of the value that the byte at `offset` belongs to; empty for the document itself. It
/// does not lead into [`VALUES`].
///
/// Reads `text` again from its start, up to the first fault: meant for error messages only.
pub fn locate(text: &str, offset: usize) -> String {
    let mut reader = Reader::new(text);
    let mut path = String::new();
    // A fault on the way is the very one that is being located: the path so far is the answer.
    let _: Result<(), Error> = descend(&mut reader, offset, &mut path);
    path
}

/// Follows the containers that `offset` lies in. Iterative: a path can be as deep as the input.
fn descend(reader: &mut Reader<'_>, offset: usize, path: &mut String) -> Result<(), Error> {
    let mut left = None;
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
                        match &mut left {
                            Some(0) => return Ok(()),
                            Some(left) => *left -= 1,
                            None => left = keys_below(path, key.text),
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

/// Whether the value that begins here holds `offset` (or is the one that cannot be read).
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
        let text = r#"{"a":[{"b c":{"d":nope}}]}"#;
        assert_eq!(locate(text, text.find("nope").unwrap()), r#"a[0]["b c"].d"#);
        assert_eq!(locate(r#"{"a":1,"b":[1,2,{"x""#, 20), "b[2]");
        assert_eq!(locate("[[[[[[", 3), "[0][0][0]");
    }

    #[test]
    fn no_path_leads_into_values() {
        for (before, expected) in [
            (
                r#"{"values":{"root_module":{"resources":[{"values":{"a":{"key":"#,
                "values.root_module.resources[0].values.a",
            ),
            (
                r#"{"resource_changes":[{"change":{"after":{"a":[{"key":"#,
                "resource_changes[0].change.after.a[0]",
            ),
            (r#"{"output_changes":{"a":{"after":{"key":"#, "output_changes.a.after"),
            (r#"{"values":{"outputs":{"a":{"value":{"key":"#, "values.outputs.a.value"),
        ] {
            assert_eq!(locate(&format!("{before}nope"), before.len()), expected);
        }
    }
}
