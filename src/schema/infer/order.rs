//! The order of set elements in the JSON.
//!
//! cty keeps the elements of a set sorted, and the tools write them in that order: strings by bytes, numbers
//! by value, false before true, and anything else by a text built from the parts of the element. Lists keep
//! their own order, so unsorted elements prove a list. Sorted elements may be either.

use crate::json::Value;

/// The maximum number of arrays and objects that are compared, and their maximum size. Scalars are not
/// limited.
const MAX_ELEMENTS: usize = 256;
const MAX_BYTES: usize = 4096;

/// Whether a set cannot have these elements in this order. `unknown` marks their unknown parts.
pub(super) fn is_not_of_sets(items: &[Value<'_>], unknown: &[Value<'_>]) -> bool {
    let is_composite = |item: &Value<'_>| matches!(item, Value::Array(_) | Value::Object(_));
    if !items.iter().any(is_composite) {
        return items.windows(2).any(|pair| scalars_descend(pair));
    }
    let mut last: Option<String> = None;
    for (at, item) in items.iter().enumerate().take(MAX_ELEMENTS) {
        let mut key = String::new();
        if append(&mut key, *item, unknown.get(at).copied().unwrap_or_default()).is_none() {
            return false;
        }
        // Equal keys prove nothing, because some parts may have been left out.
        if last.is_some_and(|last| last > key) {
            return true;
        }
        last = Some(key);
    }
    false
}

/// Whether two scalars cannot follow each other in a set.
fn scalars_descend(pair: &[Value<'_>]) -> bool {
    match pair {
        [Value::String(a), Value::String(b)] => a >= b,
        [Value::Number(a), Value::Number(b)] => match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a >= b,
            _ => false,
        },
        [Value::Bool(a), Value::Bool(b)] => *a || !*b,
        _ => false,
    }
}

/// Appends the text by which an element is sorted. `None` if it is too long or uncertain.
fn append(key: &mut String, value: Value<'_>, unknown: Value<'_>) -> Option<()> {
    if unknown == Value::Bool(true) {
        key.push('?');
        return Some(());
    }
    match value {
        Value::Null => key.push('~'),
        Value::Bool(true) => key.push('T'),
        Value::Bool(false) => key.push('F'),
        Value::Number(text) => append_number(key, text)?,
        Value::String(text) => append_string(key, text)?,
        Value::Array(items) => {
            key.push('[');
            let unknown = unknown.as_array().unwrap_or_default();
            for (at, item) in items.iter().enumerate() {
                append(key, *item, unknown.get(at).copied().unwrap_or_default())?;
                key.push(';');
            }
            key.push(']');
        }
        Value::Object(object) => {
            key.push('<');
            // Unknown members are absent from the value. In maps, the text also contains the keys, which
            // have the same order as the members; if the keys differ, the order is uncertain.
            let marks = unknown.as_object().unwrap_or_default();
            let mut names: Vec<&str> = object.members().iter().map(|(name, _)| *name).collect();
            names.extend(marks.members().iter().map(|(name, _)| *name));
            names.sort_unstable();
            names.dedup();
            for name in names {
                append(key, object.get(name).unwrap_or_default(), marks.get(name).unwrap_or_default())?;
                key.push(';');
            }
            key.push('>');
        }
    }
    (key.len() <= MAX_BYTES).then_some(())
}

/// Appends a number. cty writes ten digits, so longer numbers and those with exponents are uncertain.
fn append_number(key: &mut String, text: &str) -> Option<()> {
    let is_plain =
        text.len() <= 10 && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
    is_plain.then(|| key.push_str(text))
}

/// Appends a string, quoted and escaped. The encoding of some other characters is uncertain.
fn append_string(key: &mut String, text: &str) -> Option<()> {
    let is_certain = text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'));
    is_certain.then(|| key.push_str(&serde_json::Value::from(text).to_string()))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;

    fn not_a_set(items: &str, unknown: &str) -> bool {
        let arena = Bump::new();
        let parsed = |text: &str| crate::json::parse(arena.alloc_str(text), &arena).unwrap();
        is_not_of_sets(parsed(items).as_array().unwrap(), parsed(unknown).as_array().unwrap())
    }

    #[test]
    fn elements_out_of_order_are_those_of_a_list() {
        assert!(not_a_set(r#"["b","a"]"#, "[]"));
        assert!(not_a_set(r#"["a","a"]"#, "[]"));
        assert!(not_a_set("[10,9]", "[]"));
        assert!(not_a_set(r#"[{"k":"b"},{"k":"a"}]"#, "[]"));
        assert!(not_a_set(r#"[["b"],["a"]]"#, "[]"));
        assert!(not_a_set(r#"[{"k":null},{"k":"a"}]"#, "[]"), "null is after every string");
        assert!(not_a_set(r#"[{"k":9},{"k":10}]"#, "[]"), "numbers within elements are compared as text");
    }

    #[test]
    fn elements_in_order_can_be_of_both() {
        assert!(!not_a_set(r#"["a","b"]"#, "[]"));
        assert!(!not_a_set("[9,10]", "[]"));
        assert!(!not_a_set(r#"[{"k":"a"},{"k":"b"}]"#, "[]"));
        assert!(!not_a_set(r#"[{"k":"z"},{}]"#, r#"[{},{"k":true}]"#), "unknown is after every string");
        assert!(!not_a_set("[{},{}]", "[]"), "left out");
        assert!(!not_a_set(r#"[{"k":"ü"},{"k":"a"}]"#, "[]"), "not certain");
    }
}
