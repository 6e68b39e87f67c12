//! Widens a shape until it covers a value.
//!
//! A schema belongs to one version of a provider, and evidence comes from a sample, so a value may have
//! members that are in neither, or another form. Invariant: the result covers every member of the value. If the shape covers
//! the value already, nothing is allocated.

mod members;
mod named;
mod types;

use bumpalo::Bump;

use self::members::Members;
use self::named::NamedShapes;
use self::types::{cty, is_of_type};
use super::decide::{self, Member};
use super::evidence::Evidence;
use super::name_pattern;
use super::style::Style;
use crate::json::{Object, Value};
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, NestedType, Nesting, Type};

/// The tree to cover: a value, or the marks of its unknown parts, where `true` matches every shape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The value of an existing object.
    Value,
    /// The planned value of a new object.
    Made,
    Unknown,
}

/// What a shape is widened to cover, and where its parts are allocated.
#[derive(Clone, Copy)]
pub(super) struct Cover<'s> {
    pub(super) side: Side,
    pub(super) arena: &'s Bump,
}

/// The widened shape; `None` if the shape covers the value already.
type Widened<T> = Option<T>;

/// Shapes with more parts than this are not used as hints, because searching all of them for each name of
/// each instance would take too long.
const MAX_HINTS: usize = 512;

/// The shape of a block, widened to cover `value`. `hints` is the complete shape, of which `shape` may have only
/// the parts that the value names.
pub(super) fn block<'s>(
    shape: Block<'s>,
    hints: Block<'s>,
    value: Value<'s>,
    to: Cover<'s>,
) -> Widened<Block<'s>> {
    let is_wide = hints.attributes.len() + hints.blocks.len() > MAX_HINTS;
    let hints = if is_wide { shape } else { hints };
    // A type without blocks is mostly a data source, where lists of objects are attributes.
    let may_have_blocks = !hints.blocks.is_empty() || hints.attributes.is_empty();
    blocks_of(shape, (hints, may_have_blocks), &[value.as_object().unwrap_or_default()], to)
}

/// The shape of blocks, widened to cover `bodies`. Each name is processed once, with all of its values,
/// because each block may have other names. Without `may_have_blocks`, names that the shape does not have are attributes
/// as far as their values do not show what they are.
fn blocks_of<'s>(
    shape: Block<'s>,
    (hints, may_have_blocks): (Block<'s>, bool),
    bodies: &[Object<'s>],
    to: Cover<'s>,
) -> Widened<Block<'s>> {
    let mut attributes = NamedShapes::new(shape.attributes);
    let mut blocks = NamedShapes::new(shape.blocks);
    let is_wide = hints.attributes.len() + hints.blocks.len() > MAX_HINTS;
    let unknown_block = |name: &str| {
        let hints = if is_wide { Block::default() } else { hints };
        unknown_block(hints, name).filter(|_| may_have_blocks)
    };
    // A scalar of its own name is an attribute of its type, unless the name says more.
    let is_unlisted = |name: &str, value: Value<'_>| {
        let is_true = value == Value::Bool(true);
        attributes.get(name).is_none()
            && blocks.get(name).is_none()
            && !hints.has_secret_form_of(name)
            && !(is_true && unknown_block(name).is_some())
            && (is_plain(name, value, to.side)
                || (is_true && !may_have_blocks && !decide::is_sensitive_name(name)))
    };
    let members = Members::new(bodies, shape.attributes, is_unlisted, to.side);
    for (name, values) in members.by_name() {
        if let Some(known) = attributes.get(name) {
            match blocks_for(known, name, values, to) {
                Some(block) => {
                    attributes.remove(name);
                    blocks.set(name, block);
                }
                None => {
                    if let Some(attribute) = attribute(known, values, to) {
                        attributes.set(name, attribute);
                    }
                }
            }
        } else if let Some(known) = blocks.get(name) {
            match nested_block(known, values, to) {
                Fit::Holds => {}
                Fit::Widened(block) => blocks.set(name, block),
                Fit::Fails => {
                    blocks.remove(name);
                    attributes.set(name, dynamic(holds_secret(known.block)));
                }
            }
        } else if let Some(block) =
            unknown_block(name).filter(|_| values.first().is_some_and(|value| is_bare(*value)))
        {
            match nested_block(block, values, to) {
                Fit::Holds => blocks.set(name, block),
                Fit::Widened(block) => blocks.set(name, block),
                Fit::Fails => attributes.set(name, dynamic(false)),
            }
        } else {
            match new_member(name, values, hints.has_secret_form_of(name), to) {
                Member::Attribute(attribute) => attributes.set(name, attribute),
                Member::Block(block) => blocks.set(name, block),
            }
        }
    }
    let open = shape.facts.open || members.are_unlisted;
    (attributes.is_changed() || blocks.is_changed() || open != shape.facts.open).then(|| {
        let mut block = Block::new(attributes.finish(to.arena), blocks.finish(to.arena), to.arena);
        block.facts.open = open;
        block
    })
}

/// The shape of a name that a shape does not have.
fn new_member<'s>(name: &str, values: &[Value<'s>], is_secret: bool, to: Cover<'s>) -> Member<'s> {
    let (first, rest) = values.split_first().map_or((Value::Null, values), |(first, rest)| (*first, rest));
    match decide::member(name, &evidence_of(first, to.side), Style::default(), to.arena) {
        Member::Attribute(mut found) => {
            found.sensitive |= is_secret;
            let widened = if rest.is_empty() { None } else { attribute(found, rest, to) };
            Member::Attribute(widened.unwrap_or(found))
        }
        Member::Block(found) => {
            let fit = if rest.is_empty() { Fit::Holds } else { nested_block(found, rest, to) };
            match fit {
                Fit::Holds => Member::Block(found),
                Fit::Widened(block) => Member::Block(block),
                Fit::Fails => Member::Attribute(dynamic(holds_secret(found.block))),
            }
        }
    }
}

/// The blocks that `values` of a scalar attribute are instead: another version of the provider has blocks with
/// its name.
fn blocks_for<'s>(
    known: Attribute<'s>,
    name: &str,
    values: &[Value<'s>],
    to: Cover<'s>,
) -> Option<NestedBlock<'s>> {
    let is_scalar = matches!(known.kind, AttributeKind::Type(Type::Bool | Type::Number | Type::String));
    let is_list = to.side != Side::Unknown && values.first().is_some_and(|value| value.as_array().is_some());
    if !is_scalar || !is_list || known.sensitive || known.write_only {
        return None;
    }
    match new_member(name, values, false, to) {
        Member::Block(block) => Some(block),
        Member::Attribute(_) => None,
    }
}

/// Whether a value has no parts that show whether it belongs to blocks: an empty list, or the mark of an unknown
/// value.
fn is_bare(value: Value<'_>) -> bool {
    match value {
        Value::Bool(is_true) => is_true,
        Value::Array(items) => items.is_empty(),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Object(_) => false,
    }
}

/// Whether a value is a scalar, and its name does not say that it is sensitive or a block: an open shape does not
/// list it.
fn is_plain(name: &str, value: Value<'_>, side: Side) -> bool {
    let is_scalar = match value {
        Value::Bool(marked) => side != Side::Unknown || (marked && !name_pattern::is_of_blocks(name)),
        Value::Number(_) | Value::String(_) => side != Side::Unknown,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    is_scalar && !decide::is_sensitive_name(name)
}

/// Whether the type of the attribute covers a scalar.
fn holds_scalar(known: Attribute<'_>, value: Value<'_>) -> bool {
    matches!(known.kind, AttributeKind::Type(kind) if is_of_type(kind, value))
}

/// Unknown blocks of another version, recognised by their name: `shape` has blocks with the same last word, but
/// no such attribute (`queue_properties`, given `blob_properties` and `share_properties`), or another type has
/// blocks with this name.
fn unknown_block<'s>(shape: Block<'s>, name: &str) -> Option<NestedBlock<'s>> {
    let has_word = |known: &str| {
        let words = known.rsplit_once('_').zip(name.rsplit_once('_'));
        words.is_some_and(|((_, known), (_, word))| known == word)
    };
    let is_attribute = shape.attributes.iter().any(|(known, _)| has_word(known));
    let alike = shape.blocks.iter().filter(|(known, _)| has_word(known)).count();
    let is_block = (alike >= 2 && !is_attribute) || name_pattern::is_rare_block(name);
    is_block.then_some(NestedBlock { nesting: Nesting::List, block: Block::default() })
}

/// A dynamic attribute. If the original shape has sensitive parts, the whole attribute is sensitive, because
/// their paths are no longer known.
fn dynamic<'s>(sensitive: bool) -> Attribute<'s> {
    Attribute { kind: AttributeKind::Type(Type::Dynamic), sensitive, write_only: false, required: false }
}

pub(super) fn holds_secret(block: Block<'_>) -> bool {
    holds_secrets(block.attributes) || block.blocks.iter().any(|(_, nested)| holds_secret(nested.block))
}

fn holds_secrets(attributes: &[(&str, Attribute<'_>)]) -> bool {
    attributes.iter().any(|(_, attribute)| {
        attribute.sensitive
            || matches!(attribute.kind, AttributeKind::Nested(nested) if holds_secrets(nested.attributes))
    })
}

enum Fit<T> {
    Holds,
    Widened(T),
    Fails,
}

fn nested_block<'s>(known: NestedBlock<'s>, values: &[Value<'s>], to: Cover<'s>) -> Fit<NestedBlock<'s>> {
    let Some(bodies) = bodies(known.nesting, values, to.side) else { return Fit::Fails };
    match blocks_of(known.block, (known.block, true), &bodies, to) {
        Some(block) => Fit::Widened(NestedBlock { block, ..known }),
        None => Fit::Holds,
    }
}

/// The objects in `values`; `None` if a value does not have the form of `nesting`.
fn bodies<'s>(nesting: Nesting, values: &[Value<'s>], side: Side) -> Option<Vec<Object<'s>>> {
    let mut bodies = Vec::new();
    for value in values.iter().filter(|value| needs_place(**value, side)) {
        for body in held(nesting, *value)? {
            if !is_nothing(body, side) && needs_place(body, side) {
                bodies.push(body.as_object()?);
            }
        }
    }
    Some(bodies)
}

/// Whether a shape must cover the value. Every shape covers the mark `true` of an unknown value.
fn needs_place(value: Value<'_>, side: Side) -> bool {
    side != Side::Unknown || value != Value::Bool(true)
}

/// The objects in a value, if it has the form of `nesting`.
fn held<'s>(nesting: Nesting, value: Value<'s>) -> Option<impl Iterator<Item = Value<'s>>> {
    let (items, members, own) = match (nesting, value) {
        (Nesting::List | Nesting::Set, Value::Array(items)) => (items, &[][..], None),
        (Nesting::Map, Value::Object(object)) => (&[][..], object.members(), None),
        (Nesting::Single | Nesting::Group, Value::Object(_)) => (&[][..], &[][..], Some(value)),
        _ => return None,
    };
    Some(items.iter().copied().chain(members.iter().map(|(_, member)| *member)).chain(own))
}

fn attribute<'s>(known: Attribute<'s>, values: &[Value<'s>], to: Cover<'s>) -> Widened<Attribute<'s>> {
    if !values.iter().any(|value| needs_place(*value, to.side)) {
        return None;
    }
    match known.kind {
        AttributeKind::Type(kind) => {
            Some(Attribute { kind: AttributeKind::Type(cty(kind, values, to)?), ..known })
        }
        AttributeKind::Nested(nested) => {
            let kind = nested_type(nested, values, to)?;
            let lost = matches!(kind, AttributeKind::Type(_)) && holds_secrets(nested.attributes);
            Some(Attribute { kind, sensitive: known.sensitive || lost, ..known })
        }
    }
}

fn nested_type<'s>(known: NestedType<'s>, values: &[Value<'s>], to: Cover<'s>) -> Widened<AttributeKind<'s>> {
    // A nested attribute has no nested blocks, so new members are always attributes.
    let Some(bodies) = bodies(known.nesting, values, to.side) else {
        return Some(AttributeKind::Type(Type::Dynamic));
    };
    let mut names = NamedShapes::new(known.attributes);
    let is_unlisted =
        |name: &str, value: Value<'_>| names.get(name).is_none() && is_plain(name, value, to.side);
    let members = Members::new(&bodies, known.attributes, is_unlisted, to.side);
    names.widen(
        &members,
        |name, first| decide::attribute(name, &evidence_of(first, to.side), Style::default(), to.arena),
        |known, values| attribute(known, values, to),
    );
    let open = known.facts.open || members.are_unlisted;
    (names.is_changed() || open != known.facts.open).then(|| {
        let mut nested = NestedType::new(names.finish(to.arena), known.nesting, to.arena);
        nested.facts.open = open;
        AttributeKind::Nested(nested)
    })
}

/// Whether a value needs no shape: null, and marks that mark nothing.
fn is_nothing(value: Value<'_>, side: Side) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(marked) => side == Side::Unknown && !marked,
        Value::Array(_) | Value::Object(_) => {
            side == Side::Unknown && value.children().all(|part| is_nothing(part, side))
        }
        Value::Number(_) | Value::String(_) => false,
    }
}

fn evidence_of<'s>(value: Value<'s>, side: Side) -> Evidence<'s> {
    let mut evidence = Evidence::default();
    match side {
        Side::Value => evidence.observe(value, Value::Null),
        Side::Made => {
            evidence.observe(value, Value::Null);
            evidence.observe_new_object(value);
        }
        Side::Unknown => evidence.observe(Value::Null, value),
    }
    evidence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_held_secrets_is_one_when_it_has_another_form() {
        let arena = Bump::new();
        let password = Attribute { sensitive: true, ..dynamic(false) };
        let attributes = [("password", password)];
        let inner = Block::new(&attributes, &[], &arena);
        let nested = NestedBlock { nesting: Nesting::List, block: inner };
        let blocks = [("login", nested)];
        let kind = AttributeKind::Nested(NestedType::new(&attributes, Nesting::List, &arena));
        let attributes = [("users", Attribute { kind, ..dynamic(false) })];
        let shape = Block::new(&attributes, &blocks, &arena);
        let value = crate::json::parse(r#"{"login":{"password":"x"},"users":"y"}"#, &arena).unwrap();
        let widened = block(shape, shape, value, Cover { side: Side::Value, arena: &arena }).unwrap();
        assert_eq!(widened.attributes, [("login", dynamic(true)), ("users", dynamic(true))]);
        assert!(widened.blocks.is_empty());
    }
}
