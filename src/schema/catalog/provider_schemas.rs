//! Parses the schemas of `providers schema -json`.

use super::{About, Body, Form, Function, Member, Parameter, Schema, SchemaKind, Type, Usage};
use crate::json::{Object, Value};
use crate::schema::{Error, build};

/// Parses the schema of one type or function.
pub(super) fn schema(kind: SchemaKind, value: Value<'_>) -> Result<Schema<'_>, Error> {
    let version = match value.get("version") {
        Some(Value::Number(version)) => Some(version),
        _ => None,
    };
    let (about, body) = match kind {
        SchemaKind::Function => {
            let function = function(value)?;
            (about(value)?, Body::Function(function))
        }
        SchemaKind::Identity => {
            let members = named(value, "attributes", identity_attribute)?;
            (about(value)?, Body::Members(members))
        }
        SchemaKind::Provider
        | SchemaKind::Resource
        | SchemaKind::DataSource
        | SchemaKind::EphemeralResource
        | SchemaKind::ListResource
        | SchemaKind::Action
        | SchemaKind::StateStore => {
            let block = Value::Object(build::member(value, "block")?);
            let inside = |error: Error| error.inside("block");
            let members = members(block).map_err(inside)?;
            (about(block).map_err(inside)?, Body::Members(members))
        }
    };
    Ok(Schema { version, about, body })
}

/// The attributes and blocks of a block, sorted by name. In a broken schema an attribute and a block may
/// have the same name; both are kept.
fn members(block: Value<'_>) -> Result<Vec<Member<'_>>, Error> {
    let mut members = named(block, "attributes", attribute)?;
    members.extend(named(block, "block_types", nested_block)?);
    crate::sort::by_key(&mut members, |member| member.name);
    Ok(members)
}

fn named<'a>(
    value: Value<'a>,
    list: &str,
    parse: impl Fn(&'a str, Value<'a>) -> Result<Member<'a>, Error>,
) -> Result<Vec<Member<'a>>, Error> {
    let object = build::member(value, list)?;
    let members = object
        .members()
        .iter()
        .map(|(name, value)| parse(name, *value).map_err(|error| error.inside(name).inside(list)));
    members.collect()
}

fn attribute<'a>(name: &'a str, value: Value<'a>) -> Result<Member<'a>, Error> {
    let nested = value.get("nested_type").filter(|nested| !nested.is_null());
    let member = if let Some(nested) = nested {
        let inside = |error: Error| error.inside("nested_type");
        let nesting = build::nesting(nested).map_err(inside)?;
        let members = named(nested, "attributes", attribute).map_err(inside)?;
        let count = |name| count(nested, name).map_err(inside);
        Member {
            members,
            min_items: count("min_items")?,
            max_items: count("max_items")?,
            ..Member::new(name, Form::NestedAttribute(nesting))
        }
    } else {
        let found = value.get("type").filter(|found| !found.is_null());
        let found = found.ok_or_else(|| Error::shape("has neither `type` nor `nested_type`"))?;
        let kind = Type::parse(found).map_err(|error| error.inside("type"))?;
        Member::typed(name, Form::Attribute, kind)
    };
    let flag = |name| build::flag(value, name);
    let usage = match (flag("required")?, flag("optional")?, flag("computed")?) {
        (true, ..) => Usage::Required,
        (false, true, true) => Usage::OptionalComputed,
        (false, true, false) => Usage::Optional,
        (false, false, true) => Usage::Computed,
        (false, false, false) => Usage::Unstated,
    };
    Ok(Member {
        usage,
        sensitive: flag("sensitive")?,
        write_only: flag("write_only")?,
        // Only specifications have it.
        default: value.get("default").and_then(Value::as_str),
        about: about(value)?,
        ..member
    })
}

fn identity_attribute<'a>(name: &'a str, value: Value<'a>) -> Result<Member<'a>, Error> {
    let found = value.get("type").ok_or_else(|| Error::shape("has no `type`"))?;
    let kind = Type::parse(found).map_err(|error| error.inside("type"))?;
    let usage = match (build::flag(value, "required_for_import")?, build::flag(value, "optional_for_import")?)
    {
        (true, _) => Usage::Required,
        (false, true) => Usage::Optional,
        (false, false) => Usage::Computed,
    };
    let for_import = usage != Usage::Computed;
    Ok(Member { usage, for_import, about: about(value)?, ..Member::typed(name, Form::Attribute, kind) })
}

fn nested_block<'a>(name: &'a str, value: Value<'a>) -> Result<Member<'a>, Error> {
    let block = value.get("block").filter(|block| !block.is_null());
    let block = block.unwrap_or(Value::Object(Object::default()));
    let inside = |error: Error| error.inside("block");
    let min_items = count(value, "min_items")?;
    Ok(Member {
        members: members(block).map_err(inside)?,
        about: about(block).map_err(inside)?,
        usage: if min_items.is_some_and(|min| min > 0) { Usage::Required } else { Usage::Optional },
        min_items,
        max_items: count(value, "max_items")?,
        ..Member::new(name, Form::Block(build::nesting(value)?))
    })
}

fn count(value: Value<'_>, name: &str) -> Result<Option<u64>, Error> {
    match value.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(text)) => {
            text.parse().map(Some).map_err(|_| Error::shape("expected a whole number").inside(name))
        }
        Some(_) => Err(Error::shape("expected a whole number").inside(name)),
    }
}

fn about(value: Value<'_>) -> Result<About<'_>, Error> {
    let message = text(value, "deprecation_message")?;
    let deprecated = build::flag(value, "deprecated")? || message.is_some();
    Ok(About {
        description: text(value, "description")?,
        markdown: value.get("description_kind") == Some(Value::String("markdown")),
        deprecated: deprecated.then_some(message.unwrap_or_default()),
    })
}

/// The member `name`, a string; `None` if it is absent, null or empty.
fn text<'a>(value: Value<'a>, name: &str) -> Result<Option<&'a str>, Error> {
    match value.get(name) {
        None | Some(Value::Null | Value::String("")) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Error::shape("expected a string").inside(name)),
    }
}

fn function(value: Value<'_>) -> Result<Function<'_>, Error> {
    let parameters = match value.get("parameters") {
        None | Some(Value::Null) => &[],
        Some(Value::Array(items)) => items,
        Some(_) => return Err(Error::shape("expected a list").inside("parameters")),
    };
    let parameters = parameters.iter().map(|item| parameter(*item).map_err(|e| e.inside("parameters")));
    let variadic = value.get("variadic_parameter").filter(|found| !found.is_null());
    let result = value.get("return_type").ok_or_else(|| Error::shape("has no `return_type`"))?;
    Ok(Function {
        summary: text(value, "summary")?,
        parameters: parameters.collect::<Result<_, _>>()?,
        variadic: variadic
            .map(|found| parameter(found).map_err(|e| e.inside("variadic_parameter")))
            .transpose()?,
        result: Type::parse(result).map_err(|error| error.inside("return_type"))?,
    })
}

fn parameter(value: Value<'_>) -> Result<Parameter<'_>, Error> {
    let name = value.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| Error::shape("a parameter has no name"))?;
    let kind = value.get("type").ok_or_else(|| Error::shape("has no `type`").inside(name))?;
    Ok(Parameter {
        name,
        kind: Type::parse(kind).map_err(|error| error.inside("type").inside(name))?,
        nullable: build::flag(value, "is_nullable")?,
        description: text(value, "description")?,
    })
}
