//! Parses the JSON of a schema into a [`Block`].
//!
//! Source: the JSON output format (`providers schema -json`), and the JSON encoding of cty types.
//! Invariant: nothing is guessed. An unknown nesting mode or type is an error with its path; members that
//! the differ does not need are ignored.

use bumpalo::Bump;

use super::{Attribute, AttributeKind, Block, Error, NestedBlock, NestedType, Nesting, Type};
use crate::json::{Object, Value};

/// Parses the `block` of a schema.
pub(super) fn block<'s>(value: Value<'s>, arena: &'s Bump) -> Result<Block<'s>, Error> {
    let attributes = attributes(member(value, "attributes")?, arena).map_err(|e| e.inside("attributes"))?;
    let types = member(value, "block_types")?;
    let blocks =
        named(types, arena, |value| nested_block(value, arena)).map_err(|e| e.inside("block_types"))?;
    Ok(Block::new(attributes, blocks, arena))
}

type Named<'s, T> = &'s [(&'s str, T)];

/// Builds every member of an object. The result is sorted by name, like the object.
fn named<'s, T: Copy>(
    object: Object<'s>,
    arena: &'s Bump,
    build: impl Fn(Value<'s>) -> Result<T, Error>,
) -> Result<Named<'s, T>, Error> {
    let mut built = Vec::with_capacity(object.members().len());
    for (name, value) in object.members() {
        built.push((*name, build(*value).map_err(|error| error.inside(name))?));
    }
    Ok(arena.alloc_slice_copy(&built))
}

fn attributes<'s>(object: Object<'s>, arena: &'s Bump) -> Result<Named<'s, Attribute<'s>>, Error> {
    named(object, arena, |value| attribute(value, arena))
}

fn attribute<'s>(value: Value<'s>, arena: &'s Bump) -> Result<Attribute<'s>, Error> {
    let nested = value.get("nested_type").filter(|nested| !nested.is_null());
    let kind = if let Some(nested) = nested {
        AttributeKind::Nested(nested_type(nested, arena).map_err(|e| e.inside("nested_type"))?)
    } else {
        let found = value.get("type").filter(|found| !found.is_null());
        let found = found.ok_or_else(|| Error::shape("has neither `type` nor `nested_type`"))?;
        AttributeKind::Type(cty(found, arena).map_err(|e| e.inside("type"))?)
    };
    let (sensitive, write_only) = (flag(value, "sensitive")?, flag(value, "write_only")?);
    Ok(Attribute { kind, sensitive, write_only, required: flag(value, "required")? })
}

fn nested_type<'s>(value: Value<'s>, arena: &'s Bump) -> Result<NestedType<'s>, Error> {
    let nesting = nesting(value)?;
    if nesting == Nesting::Group {
        return Err(
            Error::shape("nesting mode \"group\" is for blocks, not for attributes").inside("nesting_mode")
        );
    }
    let attributes = attributes(member(value, "attributes")?, arena).map_err(|e| e.inside("attributes"))?;
    Ok(NestedType::new(attributes, nesting, arena))
}

fn nested_block<'s>(value: Value<'s>, arena: &'s Bump) -> Result<NestedBlock<'s>, Error> {
    let inner = value.get("block").unwrap_or_default();
    let inner = if inner.is_null() { Value::Object(Object::default()) } else { inner };
    let block = block(inner, arena).map_err(|e| e.inside("block"))?;
    Ok(NestedBlock { nesting: nesting(value)?, block })
}

/// The `nesting_mode` of a block or nested attribute.
pub(super) fn nesting(value: Value<'_>) -> Result<Nesting, Error> {
    let found = match value.get("nesting_mode") {
        Some(Value::String(word)) => {
            let found = Nesting::ALL.into_iter().find(|(_, name, _)| *name == word);
            found.ok_or_else(|| Error::shape(format!("unknown nesting mode {word:?}")))
        }
        _ => Err(Error::shape("a nesting mode is missing")),
    };
    found.map(|(nesting, ..)| nesting).map_err(|error| error.inside("nesting_mode"))
}

/// Parses a cty type: `"string"`, `["list", "string"]`, `["object", {…}, […optional]]`.
pub(super) fn cty<'s>(value: Value<'s>, arena: &'s Bump) -> Result<Type<'s>, Error> {
    let boxed = |inner: &Value<'s>| cty(*inner, arena).map(|inner| &*arena.alloc(inner));
    match value {
        Value::String("dynamic") => Ok(Type::Dynamic),
        Value::String("bool") => Ok(Type::Bool),
        Value::String("number") => Ok(Type::Number),
        Value::String("string") => Ok(Type::String),
        Value::Array([Value::String("list"), inner]) => boxed(inner).map(Type::List),
        Value::Array([Value::String("set"), inner]) => boxed(inner).map(Type::Set),
        Value::Array([Value::String("map"), inner]) => boxed(inner).map(Type::Map),
        Value::Array([Value::String("object"), Value::Object(members), ..]) => {
            named(*members, arena, |value| cty(value, arena)).map(Type::Object)
        }
        Value::Array([Value::String("tuple"), Value::Array(items)]) => {
            let items = items.iter().map(|item| cty(*item, arena)).collect::<Result<Vec<_>, _>>()?;
            Ok(Type::Tuple(arena.alloc_slice_copy(&items)))
        }
        Value::String(name) => Err(Error::shape(format!("unknown type {name:?}"))),
        Value::Array([Value::String(name), ..]) => Err(Error::shape(format!("unknown type {name:?}"))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Err(Error::shape("not a type"))
        }
    }
}

/// The member `name`, an object; empty if it is absent or null.
pub(super) fn member<'s>(value: Value<'s>, name: &str) -> Result<Object<'s>, Error> {
    let Value::Object(object) = value else { return Err(Error::shape("expected an object")) };
    match object.get(name) {
        None | Some(Value::Null) => Ok(Object::default()),
        Some(Value::Object(found)) => Ok(found),
        Some(_) => Err(Error::shape("expected an object").inside(name)),
    }
}

/// The member `name`, a flag; false if it is absent or null.
pub(super) fn flag(value: Value<'_>, name: &str) -> Result<bool, Error> {
    match value.get(name) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(flag),
        Some(_) => Err(Error::shape("expected true or false").inside(name)),
    }
}
