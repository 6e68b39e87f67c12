//! Adjusts a built-in shape to the version of the provider that made the plan.
//!
//! Two kinds of differences, which the values and the configuration prove, are corrected:
//! - A value has a member for each attribute of its object, including null ones (JSON output format, values
//!   representation). A write-only attribute without a member does not exist in this version. It must be
//!   removed, because write-only attributes are shown although they are always null.
//! - The configuration has blocks as lists of bodies and attributes as expressions. Providers change lists
//!   of objects from one to the other between major versions, for example when they leave the legacy SDK.

use bumpalo::Bump;

use super::Values;
use super::evidence::{Config, Evidence, Objects};
use super::widen;
use crate::json::Value;
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};

/// The shape without the write-only attributes that the instance does not have.
pub(super) fn without_missing<'s>(block: Block<'s>, values: Values<'s>, arena: &'s Bump) -> Block<'s> {
    present(block, &[values.before, values.after, values.unknown], arena).unwrap_or(block)
}

/// The shape without the write-only attributes missing from `bodies`; `None` if none is missing.
fn present<'s>(block: Block<'s>, bodies: &[Value<'s>], arena: &'s Bump) -> Option<Block<'s>> {
    let is_object = |body: &&Value<'_>| body.as_object().is_some();
    if !bodies.iter().any(|body| is_object(&body)) {
        return None;
    }
    let is_there = |name: &str| bodies.iter().any(|body| body.get(name).is_some());
    let is_absent = |(name, attribute): &(&str, Attribute<'_>)| attribute.write_only && !is_there(name);
    let attributes = block.attributes.iter().any(is_absent).then(|| {
        let kept = block.attributes.iter().copied().filter(|attribute| !is_absent(attribute));
        &*arena.alloc_slice_copy(&kept.collect::<Vec<_>>())
    });
    let mut blocks: Option<Vec<_>> = None;
    for (at, (name, nested)) in block.blocks.iter().enumerate() {
        let inner: Vec<Value<'s>> = bodies
            .iter()
            .filter_map(|body| body.get(name))
            .flat_map(|value| members(nested.nesting, value))
            .collect();
        if let Some(inner) = present(nested.block, &inner, arena) {
            let changed = blocks.get_or_insert_with(|| block.blocks.to_vec());
            if let Some(slot) = changed.get_mut(at) {
                slot.1.block = inner;
            }
        }
    }
    if attributes.is_none() && blocks.is_none() {
        return None;
    }
    let blocks = blocks.map_or(block.blocks, |blocks| arena.alloc_slice_copy(&blocks));
    Some(Block::new(attributes.unwrap_or(block.attributes), blocks, arena))
}

/// The bodies of blocks in a value, which may have the form of another version.
fn members<'s>(nesting: Nesting, value: Value<'s>) -> Vec<Value<'s>> {
    match (nesting, value) {
        (Nesting::Map, Value::Object(object)) => object.members().iter().map(|(_, body)| *body).collect(),
        (_, Value::Array(items)) => items.to_vec(),
        (_, body) => vec![body],
    }
}

/// Whether [`as_configured`] could change the shape.
pub(super) fn may_differ(block: Block<'_>) -> bool {
    block.blocks.iter().any(|(_, nested)| repeats(nested.nesting) || may_differ(nested.block))
        || block.attributes.iter().any(|(_, attribute)| objects(attribute).is_some())
        || has_nested_lists(block)
}

/// Whether the shape has nested attributes that could be lists of blocks.
pub(super) fn has_nested_lists(block: Block<'_>) -> bool {
    block.attributes.iter().any(|(_, attribute)| nested_list(attribute).is_some())
}

/// Whether blocks with this nesting are lists of bodies in the configuration. Other blocks look like
/// expressions there if they are empty.
fn repeats(nesting: Nesting) -> bool {
    matches!(nesting, Nesting::List | Nesting::Set)
}

/// The shape with blocks and attributes as in the configuration and the values, which `evidence` records.
pub(super) fn as_configured<'s>(block: Block<'s>, evidence: &Evidence<'_>, arena: &'s Bump) -> Block<'s> {
    let Some(objects) = &evidence.objects else { return block };
    let of = |name: &str| objects.members.get(name);
    let config = |name: &str| of(name).map(|evidence| evidence.config).unwrap_or_default();
    let item = |name: &str| of(name).and_then(|evidence| evidence.arrays.as_ref()).map(|arrays| &arrays.item);
    let is_legacy = is_of_legacy_sdk(block, objects);
    let is_blocks = |name: &str| match config(name) {
        Config::Blocks => true,
        Config::Silent => is_legacy && of(name).is_some_and(is_empty_list),
        Config::Attribute | Config::Block | Config::KeyedBlocks => false,
    };
    let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
    for (name, attribute) in block.attributes {
        match as_blocks(attribute, arena).filter(|_| is_blocks(name)) {
            Some(nested) => {
                let inner = item(name).filter(|_| nested_list(attribute).is_some());
                let block = inner.map_or(nested.block, |item| as_configured(nested.block, item, arena));
                blocks.push((*name, NestedBlock { block, ..nested }));
            }
            None => attributes.push((*name, *attribute)),
        }
    }
    for (name, nested) in block.blocks {
        let is_attribute = repeats(nested.nesting) && config(name) == Config::Attribute;
        match as_attribute(*nested, arena).filter(|_| is_attribute) {
            Some(attribute) => attributes.push((*name, attribute)),
            None => {
                let inner = item(name).filter(|_| config(name) == Config::Blocks);
                let block = inner.map_or(nested.block, |item| as_configured(nested.block, item, arena));
                blocks.push((*name, NestedBlock { block, ..*nested }));
            }
        }
    }
    crate::sort::by_key(&mut attributes, |(name, _)| *name);
    crate::sort::by_key(&mut blocks, |(name, _)| *name);
    Block::new(arena.alloc_slice_copy(&attributes), arena.alloc_slice_copy(&blocks), arena)
}

/// Whether a type with nested attributes is declared with the legacy SDK in this version of the provider: there
/// they are blocks, which are empty lists if they are not configured, while nested attributes are null then.
/// One empty list proves nothing, because a computed attribute may be one too.
fn is_of_legacy_sdk(block: Block<'_>, objects: &Objects<'_>) -> bool {
    let lists = block.attributes.iter().filter(|(_, attribute)| nested_list(attribute).is_some());
    let values = lists.filter_map(|(name, _)| objects.members.get(name));
    values.clone().filter(|evidence| is_empty_list(evidence)).count() > 1
        && values.clone().all(|evidence| !evidence.nulls)
}

fn is_empty_list(evidence: &Evidence<'_>) -> bool {
    evidence.arrays.as_ref().is_some_and(|arrays| arrays.empty)
}

/// For an attribute that could be blocks in another version: the nesting mode and the attributes.
fn objects<'s>(attribute: &Attribute<'s>) -> Option<(Nesting, &'s [(&'s str, Type<'s>)])> {
    match attribute.kind {
        AttributeKind::Type(Type::List(Type::Object(members))) => Some((Nesting::List, members)),
        AttributeKind::Type(Type::Set(Type::Object(members))) => Some((Nesting::Set, members)),
        AttributeKind::Type(_) | AttributeKind::Nested(_) => None,
    }
}

/// The same for nested attributes. A single one is a list with at most one block in the legacy SDK.
fn nested_list<'s>(attribute: &Attribute<'s>) -> Option<(Nesting, &'s [(&'s str, Attribute<'s>)])> {
    let AttributeKind::Nested(nested) = attribute.kind else { return None };
    match nested.nesting {
        Nesting::Single | Nesting::List => Some((Nesting::List, nested.attributes)),
        Nesting::Set => Some((Nesting::Set, nested.attributes)),
        Nesting::Group | Nesting::Map => None,
    }
}

/// An attribute as the blocks that it is in another version.
fn as_blocks<'s>(attribute: &Attribute<'s>, arena: &'s Bump) -> Option<NestedBlock<'s>> {
    let nested = |nesting, attributes| NestedBlock { nesting, block: Block::new(attributes, &[], arena) };
    if let Some((nesting, attributes)) = nested_list(attribute) {
        let flags =
            |inner: &Attribute<'s>| Attribute { sensitive: attribute.sensitive || inner.sensitive, ..*inner };
        let attributes = attributes.iter().map(|(name, inner)| (*name, flags(inner)));
        return Some(nested(nesting, arena.alloc_slice_fill_iter(attributes.collect::<Vec<_>>())));
    }
    let (nesting, members) = objects(attribute)?;
    let attributes = members
        .iter()
        .map(|(name, kind)| (*name, Attribute { kind: AttributeKind::Type(*kind), ..*attribute }));
    Some(nested(nesting, arena.alloc_slice_fill_iter(attributes.collect::<Vec<_>>())))
}

/// Blocks as the attribute that they are in another version. Types have no flags, so if a part of the
/// blocks is sensitive, the whole attribute is.
pub(super) fn as_attribute<'s>(nested: NestedBlock<'s>, arena: &'s Bump) -> Option<Attribute<'s>> {
    let kind = AttributeKind::Type(block_type(nested, arena)?);
    Some(Attribute { kind, sensitive: widen::holds_secret(nested.block), write_only: false, required: false })
}

/// The type for the content of blocks; `None` if they have nested attributes, which no type can express.
fn block_type<'s>(nested: NestedBlock<'s>, arena: &'s Bump) -> Option<Type<'s>> {
    let mut members = Vec::new();
    for (name, attribute) in nested.block.attributes {
        match attribute.kind {
            AttributeKind::Type(kind) => members.push((*name, kind)),
            AttributeKind::Nested(_) => return None,
        }
    }
    for (name, inner) in nested.block.blocks {
        members.push((*name, block_type(*inner, arena)?));
    }
    crate::sort::by_key(&mut members, |(name, _)| *name);
    let object = Type::Object(arena.alloc_slice_copy(&members));
    Some(match nested.nesting {
        Nesting::Single | Nesting::Group => object,
        Nesting::List => Type::List(arena.alloc(object)),
        Nesting::Set => Type::Set(arena.alloc(object)),
        Nesting::Map => Type::Map(arena.alloc(object)),
    })
}
