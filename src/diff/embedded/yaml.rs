//! Parses YAML into the values that the differ compares, using the events of `saphyr-parser`.

use bumpalo::Bump;
use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::json::{Object, Value};

/// Documents with more nodes, or nested deeper, than these limits are compared as lines.
const MAX_NODES: usize = 100_000;
const DEEPEST: usize = 100;

enum Open<'a> {
    Sequence(Vec<Value<'a>>),
    Mapping(Vec<(&'a str, Value<'a>)>, Option<&'a str>),
}

/// The value of a string that is certainly meant as YAML: a single document with plausible names and nothing that
/// JSON cannot express. Documents with anchors, aliases, tags or keys that are not text are compared as lines
/// instead. Scalars that YAML 1.1 and 1.2 read differently become strings with their text as written.
pub fn yaml<'a>(text: &str, arena: &'a Bump) -> Option<Value<'a>> {
    if !text.contains(':') || text.starts_with("#!") || text.contains("{{") {
        return None;
    }
    let (mut stack, mut result, mut nodes) = (Vec::new(), None, 0);
    for event in Parser::new_from_str(text) {
        let (event, _) = event.ok()?;
        nodes += 1;
        if nodes > MAX_NODES || stack.len() > DEEPEST {
            return None;
        }
        let done = match event {
            Event::Scalar(text, style, 0, None) => scalar(&text, style, arena),
            Event::SequenceStart(0, None) => {
                stack.push(Open::Sequence(Vec::new()));
                continue;
            }
            Event::MappingStart(0, None) => {
                stack.push(Open::Mapping(Vec::new(), None));
                continue;
            }
            Event::SequenceEnd => match stack.pop()? {
                Open::Sequence(items) => Value::Array(arena.alloc_slice_copy(&items)),
                Open::Mapping(..) => return None,
            },
            Event::MappingEnd => match stack.pop()? {
                Open::Mapping(members, None) => object(members, arena)?,
                Open::Mapping(_, Some(_)) | Open::Sequence(_) => return None,
            },
            Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(_) => {
                return None;
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => continue,
        };
        match stack.last_mut() {
            None if result.is_some() => return None, // a second document
            None => result = Some(done),
            Some(Open::Sequence(items)) => items.push(done),
            Some(Open::Mapping(members, key)) => match key.take() {
                Some(key) => members.push((key, done)),
                None => *key = Some(name(done)?),
            },
        }
    }
    result.filter(|value| is_meant(*value))
}

/// A plausible name. Prose with a colon in it parses as YAML, with a sentence as the name.
fn name(value: Value<'_>) -> Option<&str> {
    match value {
        Value::String(text) | Value::Number(text) => Some(text),
        Value::Bool(true) => Some("true"),
        Value::Bool(false) => Some("false"),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn object<'a>(mut members: Vec<(&'a str, Value<'a>)>, arena: &'a Bump) -> Option<Value<'a>> {
    crate::sort::by_key(&mut members, |(key, _)| *key);
    if members.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    Some(Value::Object(Object::from_sorted(arena.alloc_slice_copy(&members))))
}

/// A scalar. The program that reads the text may use YAML 1.1 (Helm, Kubernetes) or 1.2. A scalar that
/// they read differently becomes a string of its source text, including quotes, so that `no` and `"no"`
/// differ.
fn scalar<'a>(text: &str, style: ScalarStyle, arena: &'a Bump) -> Value<'a> {
    if style != ScalarStyle::Plain {
        let is_ambiguous = reads_differently(text);
        return Value::String(if is_ambiguous {
            arena.alloc_str(&quote(text))
        } else {
            arena.alloc_str(text)
        });
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if !reads_differently(text) && is_number(text) => Value::Number(arena.alloc_str(text)),
        _ => Value::String(arena.alloc_str(text)),
    }
}

fn is_number(text: &str) -> bool {
    serde_json::from_str::<serde_json::Number>(text).is_ok()
}

/// Whether YAML 1.1 and 1.2 may read a plain scalar with this text differently: a bool (`no`), an octal,
/// binary, hexadecimal or sexagesimal number, one with `_` or an exponent, a date, a merge key.
fn reads_differently(text: &str) -> bool {
    const BOOLS: [&str; 8] = ["y", "n", "yes", "no", "on", "off", "=", "<<"];
    if text.len() <= 3 && BOOLS.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return true;
    }
    let digits = text.trim_start_matches(['+', '-']);
    if text.len() - digits.len() > 1 || !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return false;
    }
    let rest = digits.get(1..2).unwrap_or_default();
    if digits.starts_with('0') && matches!(rest, "x" | "X" | "o" | "b" | "B") {
        return digits[2..].chars().all(|c| c.is_ascii_hexdigit() || c == '_');
    }
    let count = |wanted: char| digits.chars().filter(|c| *c == wanted).count();
    let is_date = digits.len() >= 8
        && digits.as_bytes().get(4) == Some(&b'-')
        && digits[..4].bytes().all(|byte| byte.is_ascii_digit())
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && count('-') >= 2;
    if is_date {
        return true;
    }
    let is_numeric = |c: char| c.is_ascii_digit() || matches!(c, '_' | '.' | ':' | 'e' | 'E' | '+' | '-');
    if !digits.chars().all(is_numeric) || count('.') > 1 {
        return matches!(digits.to_ascii_lowercase().as_str(), ".inf" | ".nan");
    }
    let has_exponent = digits.contains(['e', 'E']);
    let is_clean = is_number(text) && (!has_exponent || digits.contains('.'));
    !is_clean && digits.chars().any(|c| c.is_ascii_digit())
}

/// The text as a JSON string literal.
fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn is_meant(value: Value<'_>) -> bool {
    let named = |key: &str| !key.is_empty() && !key.contains([' ', '(', '$', '"', '=']);
    match value {
        Value::Object(object) => {
            !object.members().is_empty() && object.members().iter().all(|(key, _)| named(key))
        }
        Value::Array(items) => !items.is_empty() && items.iter().all(|item| item.as_object().is_some()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_is_meant_as_yaml() {
        let arena = Bump::new();
        for (text, expected) in [
            ("a: 1\nb: [x, 'y']", true),
            ("- name: a\n- name: b", true),
            ("#!/bin/sh\necho a: b", false),
            ("echo hello: world\nls", false),
            ("just words", false),
            ("a: &x 1\nb: *x", false),
            ("a: {{ .Values.x }}", false),
            ("a: 1\n---\nb: 2", false),
        ] {
            assert_eq!(yaml(text, &arena).is_some(), expected, "{text}");
        }
        for (one, other, equal) in [
            ("a: no", "a: \"no\"", false),
            ("a: 0644", "a: '0644'", false),
            ("a: 012345678901", "a: \"012345678901\"", false),
            ("a: false", "a: \"false\"", false),
            ("a: 1e3", "a: '1e3'", false),
            ("a: 22:22", "a: '22:22'", false),
            ("a: 2001-01-01", "a: '2001-01-01'", false),
            ("a: 1.2.3", "a: '1.2.3'", true),
            ("a: 10.0.0.0/8", "a: '10.0.0.0/8'", true),
            ("a: web", "a: \"web\"", true),
            ("a: 'no'", "a: \"no\"", true),
            ("a: true", "a: True", true),
        ] {
            assert_eq!(yaml(one, &arena) == yaml(other, &arena), equal, "{one} {other}");
        }
        assert_eq!(yaml("a: '1'", &arena).and_then(|v| v.get("a")), Some(Value::String("1")));
        assert_eq!(yaml("a: 1.50", &arena).and_then(|v| v.get("a")), Some(Value::Number("1.50")));
    }
}
