//! The Provider Code Specification as a source of shapes.
//!
//! Source: version 0.1 of the specification. The provider's `name` is the last part of its source address;
//! resource `r` of provider `p` is the type `p_r`. Attributes and blocks are list entries with a `name` and
//! one other member, whose name is the kind. Members that only code generators need are ignored.

use bumpalo::Bump;
use serde::Deserialize;

use super::provider::ResourceKind;
use super::{Attribute, AttributeKind, Block, Error, NestedBlock, NestedType, Nesting, Type, build};
use crate::json::{Object, Raw, Str, Value};

/// The types of one specification, not parsed yet.
#[derive(Debug)]
pub(super) struct Specification<'s> {
    pub(super) provider: Str<'s>,
    resources: Vec<Entry<'s>>,
    datasources: Vec<Entry<'s>>,
}

#[derive(Debug, Deserialize)]
struct Entry<'s> {
    #[serde(borrow)]
    name: Str<'s>,
    #[serde(borrow)]
    schema: Raw<'s>,
}

#[derive(Debug, Deserialize)]
struct Name<'s> {
    #[serde(borrow)]
    name: Str<'s>,
}

impl<'s> Specification<'s> {
    /// Indexes the parts of a specification.
    pub(super) fn read(
        provider: Raw<'s>,
        resources: Option<Raw<'s>>,
        datasources: Option<Raw<'s>>,
    ) -> Result<Self, Error> {
        let list = |part: Option<Raw<'s>>, name| {
            part.map_or(Ok(Vec::new()), |raw| raw.read().map_err(|error| Error::from(error).inside(name)))
        };
        let name: Name<'s> = provider.read().map_err(|error| Error::from(error).inside("provider"))?;
        Ok(Self {
            provider: name.name,
            resources: list(resources, "resources")?,
            datasources: list(datasources, "datasources")?,
        })
    }

    /// The text of a type's schema. Of equal names the last one wins.
    pub(super) fn schema(&self, kind: ResourceKind, type_name: &str) -> Option<Raw<'s>> {
        let entries = match kind {
            ResourceKind::Managed => &self.resources,
            ResourceKind::Data => &self.datasources,
            ResourceKind::Ephemeral | ResourceKind::Action => return None,
        };
        let name = type_name.strip_prefix(&*self.provider)?.strip_prefix('_')?;
        entries.iter().rfind(|entry| &*entry.name == name).map(|entry| entry.schema)
    }
}

/// Parses a `schema` object, or another object with `attributes` and `blocks`.
pub(super) fn schema<'s>(value: Value<'s>, arena: &'s Bump) -> Result<Block<'s>, Error> {
    let attributes = attributes(value, arena)?;
    let blocks = named(value, "blocks", arena, |kind, body| block(kind, body, arena))?;
    Ok(Block::new(attributes, blocks, arena))
}

type Named<'s, T> = &'s [(&'s str, T)];

/// Builds the entries of the member `list`, each with a name and a kind. Sorted by name.
fn named<'s, T: Copy>(
    value: Value<'s>,
    list: &str,
    arena: &'s Bump,
    build: impl Fn(&str, Value<'s>) -> Result<T, Error>,
) -> Result<Named<'s, T>, Error> {
    let mut found: Vec<(&'s str, T)> = Vec::new();
    for (name, kind, body) in items(value, list)? {
        found.push((name, build(kind, body).map_err(|error| error.inside(name).inside(list))?));
    }
    found.reverse(); // so that `dedup_by_key` keeps the last of equal names
    found.sort_by_key(|(name, _)| *name);
    found.dedup_by_key(|(name, _)| *name);
    Ok(arena.alloc_slice_copy(&found))
}

/// The name, kind and definition of each entry of the member `list`, in order.
pub(super) fn items<'s>(value: Value<'s>, list: &str) -> Result<Vec<(&'s str, &'s str, Value<'s>)>, Error> {
    let items = match value.get(list) {
        None | Some(Value::Null) => &[],
        Some(Value::Array(items)) => items,
        Some(_) => return Err(Error::shape("expected a list").inside(list)),
    };
    let entry = |item: &Value<'s>| {
        let name = item.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| Error::shape("an entry has no name").inside(list))?;
        let (kind, body) = kind(*item).map_err(|error| error.inside(name).inside(list))?;
        Ok((name, kind, body))
    };
    items.iter().map(entry).collect()
}

/// The kind and the definition of an entry. Members that are not a known kind are ignored.
pub(super) fn kind<'s>(item: Value<'s>) -> Result<(&'s str, Value<'s>), Error> {
    let members = item.as_object().map(Object::members).unwrap_or_default();
    let known = members.iter().find(|(name, _)| KINDS.contains(name));
    if let Some((name, body)) = known {
        return Ok((name, *body));
    }
    let other = members.iter().find(|(name, _)| *name != "name");
    Err(Error::shape(match other {
        Some((name, _)) => format!("unknown kind {name:?}"),
        None => "has no kind".to_owned(),
    }))
}

/// The kinds of attributes and types.
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

fn attributes<'s>(value: Value<'s>, arena: &'s Bump) -> Result<Named<'s, Attribute<'s>>, Error> {
    named(value, "attributes", arena, |kind, body| attribute(kind, body, arena))
}

fn attribute<'s>(kind: &str, body: Value<'s>, arena: &'s Bump) -> Result<Attribute<'s>, Error> {
    let nested = |body, nesting| {
        let attributes = attributes(body, arena)?;
        Ok(AttributeKind::Nested(NestedType::new(attributes, nesting, arena)))
    };
    let shape = match kind {
        "list_nested" => nested(object(body), Nesting::List),
        "set_nested" => nested(object(body), Nesting::Set),
        "map_nested" => nested(object(body), Nesting::Map),
        "single_nested" => nested(body, Nesting::Single),
        simple => value_type(simple, body, arena).map(AttributeKind::Type),
    };
    let shape = shape.map_err(|error: Error| error.inside(kind))?;
    let sensitive = build::flag(body, "sensitive").map_err(|error| error.inside(kind))?;
    let required = body.get("computed_optional_required") == Some(Value::String("required"));
    Ok(Attribute { kind: shape, sensitive, write_only: false, required })
}

fn block<'s>(kind: &str, body: Value<'s>, arena: &'s Bump) -> Result<NestedBlock<'s>, Error> {
    let (nesting, inner) = match kind {
        "list_nested" => (Nesting::List, object(body)),
        "set_nested" => (Nesting::Set, object(body)),
        "single_nested" => (Nesting::Single, body),
        other => return Err(Error::shape(format!("unknown kind of block {other:?}"))),
    };
    let block = schema(inner, arena).map_err(|error| error.inside(kind))?;
    Ok(NestedBlock { nesting, block })
}

fn object(body: Value<'_>) -> Value<'_> {
    body.get("nested_object").unwrap_or_default()
}

/// Parses a type, given its kind and definition: of an attribute, `element_type` or `attribute_types`.
fn value_type<'s>(kind: &str, body: Value<'s>, arena: &'s Bump) -> Result<Type<'s>, Error> {
    match kind {
        "bool" => Ok(Type::Bool),
        "float64" | "int64" | "number" => Ok(Type::Number),
        "string" => Ok(Type::String),
        "dynamic" => Ok(Type::Dynamic),
        "list" => element(body, arena).map(Type::List),
        "set" => element(body, arena).map(Type::Set),
        "map" => element(body, arena).map(Type::Map),
        "object" => object_type(body, "attribute_types", arena),
        "single_nested" => object_type(body, "attributes", arena),
        "list_nested" => object_element(body, arena).map(Type::List),
        "set_nested" => object_element(body, arena).map(Type::Set),
        "map_nested" => object_element(body, arena).map(Type::Map),
        other => Err(Error::shape(format!("unknown kind {other:?}"))),
    }
}

fn element<'s>(body: Value<'s>, arena: &'s Bump) -> Result<&'s Type<'s>, Error> {
    let inner = body.get("element_type").ok_or_else(|| Error::shape("has no element_type"))?;
    let inner = kind(inner).and_then(|(kind, body)| value_type(kind, body, arena));
    inner.map(|inner| &*arena.alloc(inner)).map_err(|error| error.inside("element_type"))
}

fn object_element<'s>(body: Value<'s>, arena: &'s Bump) -> Result<&'s Type<'s>, Error> {
    object_type(object(body), "attributes", arena).map(|inner| &*arena.alloc(inner))
}

fn object_type<'s>(body: Value<'s>, list: &str, arena: &'s Bump) -> Result<Type<'s>, Error> {
    named(body, list, arena, |kind, body| value_type(kind, body, arena)).map(Type::Object)
}
