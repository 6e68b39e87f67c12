//! Renders applied outputs in the format of the tools' console, which differs from that of plans.
//!
//! Invariants: names are in bytewise order. Sensitive values are not shown unless requested. The type that is stated
//! with a value decides between a tuple and `tolist`, and between an object and `tomap`.

use std::io;

use bumpalo::Bump;

use crate::json::{Error, Object, Pairs, Value};
use crate::model::message::Output;
use crate::term::TextPart::{Data, Lit, Styled};
use crate::term::{Out, Role};
use crate::text::{quote, shortest_decimal};

/// Writes the outputs with their values. Nothing is written if there are none.
///
/// # Errors
/// Returns an error if a value or type is malformed, or the text cannot be written.
pub fn outputs(
    outputs: &Pairs<'_, Output<'_>>,
    show_sensitive: bool,
    out: &mut Out<'_>,
) -> io::Result<()> {
    if outputs.is_empty() {
        return Ok(());
    }
    out.parts(&[
        Lit("\n"),
        Styled(Role::StrongSuccess, "Outputs:"),
        Lit("\n\n"),
    ])?;
    let mut arena = Bump::new();
    for (name, output) in outputs.iter() {
        let text = text(output, show_sensitive, &arena).map_err(io::Error::other)?;
        out.parts(&[Data(name), Lit(" = "), Data(&text), Lit("\n")])?;
        arena.reset();
    }
    Ok(())
}

/// Returns the value of an output as text.
fn text(output: &Output<'_>, show_sensitive: bool, arena: &Bump) -> Result<String, Error> {
    let value = match output.value {
        Some(value) if show_sensitive || !output.is_sensitive() => value.value(arena)?,
        _ if output.is_sensitive() => return Ok("<sensitive>".to_owned()),
        _ => Value::Null,
    };
    let kind = match output.kind {
        Some(kind) => kind.value(arena)?,
        None => Value::Null,
    };
    let mut text = String::new();
    push(&mut text, value, kind, 0);
    Ok(text)
}

/// Splits the JSON encoding of a type into its name, and the type of its elements or members.
fn parts(kind: Value<'_>) -> (Option<&str>, Value<'_>) {
    match kind {
        Value::String(name) => (Some(name), Value::Null),
        Value::Array([Value::String(name), rest @ ..]) => {
            (Some(name), rest.first().copied().unwrap_or_default())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            (None, Value::Null)
        }
    }
}

/// Appends a value. `kind` is its type in the JSON encoding of cty, such as `["object", {…}]`. Without a valid type,
/// the value alone decides.
fn push(text: &mut String, value: Value<'_>, kind: Value<'_>, indent: usize) {
    let (name, inner) = parts(kind);
    match (name.unwrap_or_default(), value) {
        // In a dynamic value, cty wraps each value with its type.
        ("dynamic", Value::Object(wrapped)) if wrapped.members().len() == 2 => {
            match (wrapped.get("value"), wrapped.get("type")) {
                (Some(value), Some(kind)) => push(text, value, kind, indent),
                _ => push(text, value, Value::Null, indent),
            }
        }
        ("dynamic", _) if !value.is_null() => push(text, value, Value::Null, indent),
        (_, Value::Null) => null(text, kind),
        (_, Value::Bool(value)) => text.push_str(if value { "true" } else { "false" }),
        (_, Value::Number(number)) => text.push_str(&shortest_decimal(number)),
        (_, Value::String(string)) => push_string(text, string, indent),
        ("map", Value::Object(object)) => {
            text.push_str("tomap(");
            members(text, object, |_| inner, indent);
            text.push(')');
        }
        (kind, Value::Object(object)) => {
            let types = inner
                .as_object()
                .filter(|_| kind == "object")
                .unwrap_or_default();
            members(
                text,
                object,
                |name| types.get(name).unwrap_or_default(),
                indent,
            );
        }
        ("list" | "set", Value::Array(items)) => {
            text.push_str(if name == Some("list") {
                "tolist("
            } else {
                "toset("
            });
            elements(text, items, |_| inner, indent);
            text.push(')');
        }
        (kind, Value::Array(items)) => {
            let types = inner
                .as_array()
                .filter(|_| kind == "tuple")
                .unwrap_or_default();
            elements(
                text,
                items,
                |index| types.get(index).copied().unwrap_or_default(),
                indent,
            );
        }
    }
}

/// Appends the members of an object. `of` returns the type of each.
fn members<'a>(
    text: &mut String,
    object: Object<'a>,
    of: impl Fn(&str) -> Value<'a>,
    indent: usize,
) {
    let members = object.members().iter();
    parts_between(
        text,
        ["{", "}"],
        members.map(|(name, value)| (Some(*name), *value, of(name))),
        indent,
    );
}

/// Appends the elements of a list. `of` returns the type of each.
fn elements<'a>(
    text: &mut String,
    items: &[Value<'a>],
    of: impl Fn(usize) -> Value<'a>,
    indent: usize,
) {
    let items = items.iter().enumerate();
    parts_between(
        text,
        ["[", "]"],
        items.map(|(index, value)| (None, *value, of(index))),
        indent,
    );
}

/// Appends members or elements between brackets, each on its own line.
fn parts_between<'a>(
    text: &mut String,
    [open, close]: [&str; 2],
    parts: impl ExactSizeIterator<Item = (Option<&'a str>, Value<'a>, Value<'a>)>,
    indent: usize,
) {
    text.push_str(open);
    if parts.len() == 0 {
        return text.push_str(close);
    }
    text.push('\n');
    for (name, value, kind) in parts {
        spaces(text, indent + 2);
        if let Some(name) = name {
            push_string(text, name, indent + 2);
            text.push_str(" = ");
        }
        push(text, value, kind, indent + 2);
        text.push_str(if name.is_some() { "\n" } else { ",\n" });
    }
    spaces(text, indent);
    text.push_str(close);
}

fn spaces(text: &mut String, count: usize) {
    text.extend(std::iter::repeat_n(' ', count));
}

/// Appends a string in quotes, or as a heredoc if it has several lines. The end marker is one that is not equal to any
/// of the lines.
fn push_string(text: &mut String, string: &str, indent: usize) {
    if !string.contains('\n') {
        text.push_str(&quote(string));
        return;
    }
    let mut end = "EOT".to_owned();
    while string.split('\n').any(|line| line.trim() == end) {
        end.push('_');
    }
    text.push_str(if indent == 0 { "<<" } else { "<<-" });
    text.push_str(&end);
    text.push('\n');
    for line in string.split('\n') {
        spaces(text, indent);
        text.push_str(line);
        text.push('\n');
    }
    spaces(text, indent);
    text.push_str(&end);
}

/// Appends a null, with the type as the console shows it.
fn null(text: &mut String, kind: Value<'_>) {
    match parts(kind) {
        (Some(name @ ("string" | "number" | "bool")), _) => {
            text.push_str(&format!("to{name}(null)"));
        }
        (Some(name @ ("list" | "set" | "map")), of) => {
            text.push_str(&format!("to{name}(null) /* of {} */", type_name(of)));
        }
        (Some("object" | "tuple"), _) => text.push_str(&format!("null /* {} */", type_name(kind))),
        _ => text.push_str("null"),
    }
}

/// Returns the name of a type for the comment after a null.
fn type_name(kind: Value<'_>) -> String {
    match parts(kind) {
        (Some(name @ ("list" | "set" | "map")), of) => format!("{name} of {}", type_name(of)),
        (Some(name), _) => name.to_owned(),
        (None, _) => "dynamic".to_owned(),
    }
}
