//! Translates the schemas of a Provider Code Specification, version 0.1, into the form of `providers schema -json`.
//!
//! In a specification, attributes and blocks are list entries with a `name` and one other member, whose name is the
//! kind. Members that only code generators need are left out. Unlike in the output of the tools, a translated attribute
//! has a member `default`, which is its text.

use bumpalo::Bump;

use super::{Error, Inside as _, read};
use crate::json::{Object, Value};

/// The kinds of attributes and blocks.
pub(super) const KINDS: [&str; 14] = [
    "bool",
    "dynamic",
    "float64",
    "int64",
    "list",
    "list_nested",
    "map",
    "map_nested",
    "number",
    "object",
    "set",
    "set_nested",
    "single_nested",
    "string",
];

/// Whether a specification allows the text as the name of an attribute, a block or a type.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    let first = bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_lowercase() || byte == b'_');
    first && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The members of a JSON object under construction.
type Members<'s> = Vec<(&'s str, Value<'s>)>;

/// Translates a schema. Errors have the path in the specification.
pub(super) fn translated<'s>(schema: Value<'s>, arena: &'s Bump) -> Result<Value<'s>, Error> {
    Ok(object(
        vec![("block", block(about(schema), schema, arena)?)],
        arena,
    ))
}

fn object<'s>(members: Members<'s>, arena: &'s Bump) -> Value<'s> {
    Value::Object(Object::from_members(members, arena))
}

/// Translates a block. `about` has its description and deprecation, which are not in the body of every block.
fn block<'s>(mut about: Members<'s>, body: Value<'s>, arena: &'s Bump) -> Result<Value<'s>, Error> {
    about.push(("attributes", entries(body, "attributes", attribute, arena)?));
    about.push(("block_types", entries(body, "blocks", nested_block, arena)?));
    Ok(object(about, arena))
}

/// The function that translates an entry of a list, from its kind and the value of the member for the kind.
type Translate<'s> = fn(&'s str, Value<'s>, &'s Bump) -> Result<Value<'s>, Error>;

/// Translates the entries of a list into members by name.
fn entries<'s>(
    value: Value<'s>,
    list: &str,
    translate: Translate<'s>,
    arena: &'s Bump,
) -> Result<Value<'s>, Error> {
    let items = read::list(value, list)?;
    let mut members = Vec::with_capacity(items.len());
    for item in items {
        let name = item.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| Error::shape("an entry has no name").inside(list))?;
        let entry = kind(*item).and_then(|(kind, body)| translate(kind, body, arena));
        members.push((name, entry.inside(name).inside(list)?));
    }
    Ok(object(members, arena))
}

/// Returns the kind of an entry, and the value of the member that is named after the kind.
fn kind<'s>(item: Value<'s>) -> Result<(&'s str, Value<'s>), Error> {
    let members = item.as_object().map(Object::members).unwrap_or_default();
    if let Some((name, body)) = members.iter().find(|(name, _)| KINDS.contains(name)) {
        return Ok((name, *body));
    }
    let other = members.iter().find(|(name, _)| *name != "name");
    Err(Error::shape(match other {
        Some((name, _)) => format!("unknown kind {name:?}"),
        None => "has no kind".to_owned(),
    }))
}

/// Returns the nesting mode of a nested kind, and the object with its members; `None` for other kinds.
fn nested<'s>(kind: &'s str, body: Value<'s>) -> Option<(&'s str, Value<'s>)> {
    let mode = kind.strip_suffix("_nested")?;
    Some((
        mode,
        if mode == "single" {
            body
        } else {
            body.get("nested_object").unwrap_or_default()
        },
    ))
}

/// Translates an attribute: its type or nested attributes, and its flags.
fn attribute<'s>(kind: &'s str, body: Value<'s>, arena: &'s Bump) -> Result<Value<'s>, Error> {
    let mut description = about(body);
    if let Some((mode, inner)) = nested(kind, body) {
        let attributes = entries(inner, "attributes", attribute, arena).inside(kind)?;
        let members = vec![
            ("nesting_mode", Value::String(mode)),
            ("attributes", attributes),
        ];
        description.push(("nested_type", object(members, arena)));
    } else {
        description.push(("type", value_type(kind, body, arena).inside(kind)?));
    }
    description.push((
        "sensitive",
        Value::Bool(read::flag(body, "sensitive").inside(kind)?),
    ));
    let usage = body
        .get("computed_optional_required")
        .or_else(|| body.get("optional_required"));
    let flags: &[&str] = match usage.and_then(Value::as_str) {
        Some("required") => &["required"],
        Some("optional") => &["optional"],
        Some("computed_optional") => &["computed", "optional"],
        Some("computed") => &["computed"],
        Some(_) | None => &[],
    };
    description.extend(flags.iter().map(|flag| (*flag, Value::Bool(true))));
    description.extend(default(body, arena).map(|text| ("default", Value::String(text))));
    Ok(object(description, arena))
}

/// Translates a nested block. There are no map blocks in a specification.
fn nested_block<'s>(kind: &'s str, body: Value<'s>, arena: &'s Bump) -> Result<Value<'s>, Error> {
    let Some((mode, inner)) = nested(kind, body).filter(|(mode, _)| *mode != "map") else {
        return Err(Error::shape(format!("unknown kind of block {kind:?}")));
    };
    let block = block(about(body), inner, arena).inside(kind)?;
    Ok(object(
        vec![("nesting_mode", Value::String(mode)), ("block", block)],
        arena,
    ))
}

/// Returns the default of an attribute as text: a literal, or the code of a custom default.
fn default<'s>(body: Value<'s>, arena: &'s Bump) -> Option<&'s str> {
    let default = body.get("default")?;
    match default.get("static") {
        Some(Value::String(text)) => Some(arena.alloc_str(&format!("{text:?}"))),
        Some(Value::Number(text)) => Some(text),
        Some(Value::Bool(value)) => Some(if value { "true" } else { "false" }),
        Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => {
            default.get("custom")?.get("schema_definition")?.as_str()
        }
    }
}

/// Returns the description and the deprecation of a part, as far as it has them.
fn about(body: Value<'_>) -> Members<'_> {
    let text = |name| {
        body.get(name)
            .filter(|text| matches!(text, Value::String(text) if !text.is_empty()))
    };
    let description = text("description").or_else(|| text("markdown_description"));
    let description = description.map(|description| ("description", description));
    let deprecation = text("deprecation_message").map(|message| ("deprecation_message", message));
    description.into_iter().chain(deprecation).collect()
}

/// Translates the type of an attribute or element. `body` has its `element_type` or `attribute_types`.
fn value_type<'s>(name: &'s str, body: Value<'s>, arena: &'s Bump) -> Result<Value<'s>, Error> {
    let inner = match name {
        "bool" | "string" | "dynamic" | "number" => return Ok(Value::String(name)),
        "float64" | "int64" => return Ok(Value::String("number")),
        "list" | "set" | "map" => {
            let inner = body
                .get("element_type")
                .ok_or_else(|| Error::shape("has no element_type"))?;
            let inner = kind(inner).and_then(|(kind, body)| value_type(kind, body, arena));
            inner.inside("element_type")?
        }
        "object" => entries(body, "attribute_types", value_type, arena)?,
        other => return Err(Error::shape(format!("unknown kind {other:?}"))),
    };
    Ok(Value::Array(
        arena.alloc_slice_copy(&[Value::String(name), inner]),
    ))
}
