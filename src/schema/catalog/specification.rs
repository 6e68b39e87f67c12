//! Parses the schemas of a Provider Code Specification, version 0.1.
//!
//! Resource `r` of provider `p` is the type `p_r`. An object with a `name` has one other member, whose
//! name is its kind. Members that only code generators need are ignored.

use serde::Deserialize;

use super::{About, Body, Entry, Form, Member, Schema, SchemaKind, Source, Type, Usage};
use crate::json::{Object, Raw, Str, Value};
use crate::schema::{Error, Nesting, build, specification};

#[derive(Debug, Deserialize)]
struct Provider<'a> {
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow, default)]
    schema: Option<Raw<'a>>,
}

#[derive(Debug, Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow)]
    schema: Raw<'a>,
}

/// The schemas of a specification, not parsed yet.
pub(super) fn entries<'a>(
    provider: Raw<'a>,
    resources: Option<Raw<'a>>,
    datasources: Option<Raw<'a>>,
) -> Result<Vec<Entry<'a>>, Error> {
    let provider: Provider<'a> = provider.read().map_err(|error| Error::from(error).inside("provider"))?;
    let entry = |kind, name, raw| Entry {
        provider: provider.name.clone(),
        kind,
        name,
        raw,
        source: Source::Specification,
    };
    let own = provider.schema.map(|raw| entry(SchemaKind::Provider, provider.name.clone(), raw));
    let mut found: Vec<Entry<'a>> = own.into_iter().collect();
    for (kind, list, part) in
        [(SchemaKind::Resource, "resources", resources), (SchemaKind::DataSource, "datasources", datasources)]
    {
        let Some(part) = part else { continue };
        let all: Vec<Named<'a>> = part.read().map_err(|error| Error::from(error).inside(list))?;
        // Of equal names the last one wins, as in the differ.
        found.extend(
            all.into_iter().rev().map(|named| {
                entry(kind, Str(format!("{}_{}", provider.name, named.name).into()), named.schema)
            }),
        );
    }
    Ok(found)
}

/// Parses the schema of one type.
pub(super) fn schema(value: Value<'_>) -> Result<Schema<'_>, Error> {
    Ok(Schema { version: None, about: about(value), body: Body::Members(members(value)?) })
}

/// The members in `attributes` and `blocks`, sorted by name.
fn members(value: Value<'_>) -> Result<Vec<Member<'_>>, Error> {
    let mut members = named(value, "attributes", attribute)?;
    members.extend(named(value, "blocks", block)?);
    members.sort_by_key(|member| member.name);
    Ok(members)
}

fn named<'a>(
    value: Value<'a>,
    list: &str,
    parse: impl Fn(&'a str, &'a str, Value<'a>) -> Result<Member<'a>, Error>,
) -> Result<Vec<Member<'a>>, Error> {
    let mut found = Vec::new();
    for (name, kind, body) in specification::items(value, list)? {
        found.push(parse(name, kind, body).map_err(|error| error.inside(kind).inside(name).inside(list))?);
    }
    Ok(found)
}

fn attribute<'a>(name: &'a str, kind: &'a str, body: Value<'a>) -> Result<Member<'a>, Error> {
    let nested = |nesting, inner| -> Result<_, Error> {
        Ok(Member { members: members(inner)?, ..Member::new(name, Form::NestedAttribute(nesting)) })
    };
    let member = match kind {
        "list_nested" => nested(Nesting::List, nested_object(body)),
        "set_nested" => nested(Nesting::Set, nested_object(body)),
        "map_nested" => nested(Nesting::Map, nested_object(body)),
        "single_nested" => nested(Nesting::Single, body),
        simple => Ok(Member::typed(name, Form::Attribute, value_type(simple, body)?)),
    }?;
    Ok(Member {
        usage: usage(body),
        sensitive: build::flag(body, "sensitive")?,
        default: default(body),
        about: about(body),
        ..member
    })
}

fn block<'a>(name: &'a str, kind: &'a str, body: Value<'a>) -> Result<Member<'a>, Error> {
    let (nesting, inner) = match kind {
        "list_nested" => (Nesting::List, nested_object(body)),
        "set_nested" => (Nesting::Set, nested_object(body)),
        "single_nested" => (Nesting::Single, body),
        other => return Err(Error::shape(format!("unknown kind of block {other:?}"))),
    };
    Ok(Member {
        usage: Usage::Optional,
        about: about(body),
        members: members(inner)?,
        ..Member::new(name, Form::Block(nesting))
    })
}

fn nested_object(body: Value<'_>) -> Value<'_> {
    body.get("nested_object").unwrap_or(Value::Object(Object::default()))
}

fn usage(body: Value<'_>) -> Usage {
    let word = body.get("computed_optional_required").or_else(|| body.get("optional_required"));
    match word.and_then(Value::as_str) {
        Some("required") => Usage::Required,
        Some("optional") => Usage::Optional,
        Some("computed_optional") => Usage::OptionalComputed,
        Some("computed") => Usage::Computed,
        Some(_) | None => Usage::Unstated,
    }
}

/// A static default, as a literal; for a custom default, its code.
fn default(body: Value<'_>) -> Option<String> {
    let default = body.get("default")?;
    match default.get("static") {
        Some(Value::String(text)) => Some(format!("{text:?}")),
        Some(Value::Number(text)) => Some(text.to_owned()),
        Some(Value::Bool(value)) => Some(value.to_string()),
        Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => {
            default.get("custom")?.get("schema_definition")?.as_str().map(str::to_owned)
        }
    }
}

fn about(body: Value<'_>) -> About<'_> {
    let text = |name| body.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let markdown = text("markdown_description");
    About {
        description: text("description").or(markdown),
        markdown: text("description").is_none() && markdown.is_some(),
        deprecated: text("deprecation_message"),
    }
}

/// The type of an attribute, of `element_type` and of `attribute_types`.
fn value_type<'a>(kind: &str, body: Value<'a>) -> Result<Type<'a>, Error> {
    match kind {
        "bool" => Ok(Type::Bool),
        "float64" | "int64" | "number" => Ok(Type::Number),
        "string" => Ok(Type::String),
        "dynamic" => Ok(Type::Dynamic),
        "list" => element(body).map(Type::List),
        "set" => element(body).map(Type::Set),
        "map" => element(body).map(Type::Map),
        "object" => {
            let mut members = Vec::new();
            for (name, kind, body) in specification::items(body, "attribute_types")? {
                let inner = value_type(kind, body).map_err(|error| error.inside(name))?;
                members.push((name, inner, false));
            }
            members.sort_by_key(|(name, ..)| *name);
            Ok(Type::Object(members))
        }
        other => Err(Error::shape(format!("unknown kind {other:?}"))),
    }
}

fn element(body: Value<'_>) -> Result<Box<Type<'_>>, Error> {
    let inner = body.get("element_type").ok_or_else(|| Error::shape("has no element_type"))?;
    let (kind, body) = specification::kind(inner).map_err(|error| error.inside("element_type"))?;
    value_type(kind, body).map(Box::new).map_err(|error| error.inside("element_type"))
}
