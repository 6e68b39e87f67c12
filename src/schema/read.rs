//! Reads the JSON of one schema: its blocks, attributes and types.
//!
//! Invariants: nothing is guessed: an unknown nesting mode or type is an error with its path. Members that are not
//! needed are ignored.

use bumpalo::Bump;

use super::shape::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};
use super::{Error, Inside as _};
use crate::json::{Object, Value};

/// Reads a block with its attributes and nested blocks.
pub(super) fn block<'s>(value: Value<'s>, arena: &'s Bump) -> Result<Block<'s>, Error> {
    let attributes = attributes(value, arena)?;
    let blocks = named(member(value, "block_types")?, arena, |value| {
        nested_block(value, arena)
    });
    Ok(Block::new(attributes, blocks.inside("block_types")?, arena))
}

/// Reads each member of an object with `build`, and keeps the order by name.
fn named<'s, T: Copy>(
    object: Object<'s>,
    arena: &'s Bump,
    build: impl Fn(Value<'s>) -> Result<T, Error>,
) -> Result<&'s [(&'s str, T)], Error> {
    let mut built = Vec::with_capacity(object.members().len());
    for (name, value) in object.members() {
        built.push((*name, build(*value).inside(name)?));
    }
    Ok(arena.alloc_slice_copy(&built))
}

/// Reads the member `attributes` of a block or of nested attributes.
fn attributes<'s>(
    value: Value<'s>,
    arena: &'s Bump,
) -> Result<&'s [(&'s str, Attribute<'s>)], Error> {
    named(member(value, "attributes")?, arena, |value| {
        attribute(value, arena)
    })
    .inside("attributes")
}

/// Reads an attribute: its nested attributes or type, and its flags.
fn attribute<'s>(value: Value<'s>, arena: &'s Bump) -> Result<Attribute<'s>, Error> {
    let kind = match kind(value)? {
        AttributeForm::Nested(nested) => {
            AttributeKind::Nested(nested_type(nested, arena).inside("nested_type")?)
        }
        AttributeForm::Type(found) => AttributeKind::Type(cty(found, arena).inside("type")?),
    };
    let (sensitive, write_only) = (flag(value, "sensitive")?, flag(value, "write_only")?);
    Ok(Attribute {
        kind,
        sensitive,
        write_only,
        required: flag(value, "required")?,
    })
}

/// Reads nested attributes. Unlike blocks, they cannot have the nesting mode `group`.
fn nested_type<'s>(value: Value<'s>, arena: &'s Bump) -> Result<NestedBlock<'s>, Error> {
    let nesting = nesting(value)?;
    if nesting == Nesting::Group {
        let problem = "nesting mode \"group\" is for blocks, not for attributes";
        return Err(Error::shape(problem).inside("nesting_mode"));
    }
    Ok(NestedBlock {
        nesting,
        block: Block::new(attributes(value, arena)?, &[], arena),
    })
}

/// Reads a nested block with its nesting mode.
fn nested_block<'s>(value: Value<'s>, arena: &'s Bump) -> Result<NestedBlock<'s>, Error> {
    let block = block(Value::Object(member(value, "block")?), arena).inside("block")?;
    Ok(NestedBlock {
        nesting: nesting(value)?,
        block,
    })
}

/// The member that says what an attribute holds: `nested_type` or `type`.
pub(super) enum AttributeForm<'s> {
    Nested(Value<'s>),
    Type(Value<'s>),
}

/// Finds the member that says what an attribute holds. `nested_type` wins if both are there.
pub(super) fn kind(value: Value<'_>) -> Result<AttributeForm<'_>, Error> {
    let given = |name| value.get(name).filter(|found| !found.is_null());
    let kind = given("nested_type")
        .map(AttributeForm::Nested)
        .or_else(|| given("type").map(AttributeForm::Type));
    kind.ok_or_else(|| Error::shape("has neither `type` nor `nested_type`"))
}

/// Reads the member `nesting_mode`, which must be there.
pub(super) fn nesting(value: Value<'_>) -> Result<Nesting, Error> {
    let nesting_mode = match value.get("nesting_mode") {
        Some(Value::String(word)) => {
            let nesting_mode = Nesting::ALL.into_iter().find(|(_, name, _)| *name == word);
            nesting_mode.ok_or_else(|| Error::shape(format!("unknown nesting mode {word:?}")))
        }
        _ => Err(Error::shape("a nesting mode is missing")),
    };
    nesting_mode
        .map(|(nesting, ..)| nesting)
        .inside("nesting_mode")
}

/// Reads the JSON of a cty type: `"string"`, `["list", "string"]`, `["object", {…}, […optional]]`.
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
            let items = items
                .iter()
                .map(|item| cty(*item, arena))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(Type::Tuple(arena.alloc_slice_copy(&items)))
        }
        Value::String(name) => Err(Error::shape(format!("unknown type {name:?}"))),
        Value::Array([Value::String(name), ..]) => {
            Err(Error::shape(format!("unknown type {name:?}")))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Err(Error::shape("not a type"))
        }
    }
}

/// Reads an optional member. Null counts as absent; a value that `read` does not accept is an error.
pub(super) fn optional<'s, T>(
    value: Value<'s>,
    name: &str,
    expected: &str,
    read: impl FnOnce(Value<'s>) -> Option<T>,
) -> Result<Option<T>, Error> {
    match value
        .as_object()
        .ok_or_else(|| Error::shape("expected an object"))?
        .get(name)
    {
        None | Some(Value::Null) => Ok(None),
        Some(written) => match read(written) {
            Some(written) => Ok(Some(written)),
            None => Err(Error::shape(format!("expected {expected}")).inside(name)),
        },
    }
}

/// Reads an optional member that is an object; an absent one counts as empty.
pub(super) fn member<'s>(value: Value<'s>, name: &str) -> Result<Object<'s>, Error> {
    optional(value, name, "an object", Value::as_object).map(Option::unwrap_or_default)
}

/// Reads an optional member that is a list; an absent one counts as empty.
pub(super) fn list<'s>(value: Value<'s>, name: &str) -> Result<&'s [Value<'s>], Error> {
    optional(value, name, "a list", Value::as_array).map(Option::unwrap_or_default)
}

/// Reads an optional flag; an absent one counts as false.
pub(super) fn flag(value: Value<'_>, name: &str) -> Result<bool, Error> {
    let flag = optional(value, name, "true or false", |found| match found {
        Value::Bool(flag) => Some(flag),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    });
    flag.map(Option::unwrap_or_default)
}
