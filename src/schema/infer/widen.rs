//! Widens a shape until it covers a value.
//!
//! A schema is of one version of a provider, and evidence comes from a sample: a value can have members that
//! neither has, or another form. Invariant: the result covers every member of the value. If the shape covers
//! the value already, nothing is allocated.

use bumpalo::Bump;

use super::convention;
use super::decide::{self, Member};
use super::evidence::Evidence;
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

/// The widened shape; `None` if the shape covers the value already.
type Widened<T> = Option<T>;

/// A list of named shapes, copied when one is replaced, added or removed.
struct Names<'s, T> {
    of: &'s [(&'s str, T)],
    /// What was replaced or added; `None` was removed. Set in the order of the names.
    changed: Vec<(&'s str, Option<T>)>,
}

impl<'s, T: Copy> Names<'s, T> {
    fn new(of: &'s [(&'s str, T)]) -> Self {
        Self { of, changed: Vec::new() }
    }

    /// The shape that was there before. Each name is asked for before it is set, and set once.
    fn get(&self, name: &str) -> Option<T> {
        let at = self.of.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        self.of.get(at).map(|(_, found)| *found)
    }

    fn set(&mut self, name: &'s str, shape: T) {
        self.changed.push((name, Some(shape)));
    }

    fn remove(&mut self, name: &'s str) {
        self.changed.push((name, None));
    }

    fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    fn finish(self, arena: &'s Bump) -> &'s [(&'s str, T)] {
        if self.changed.is_empty() {
            return self.of;
        }
        let of = self.of.iter().map(|(name, known)| (*name, Some(*known)));
        let mut all: Vec<_> = of.chain(self.changed).collect();
        // Stable: what was set comes last.
        all.sort_by_key(|(name, _)| *name);
        let last = all.chunk_by(|(a, _), (b, _)| a == b).filter_map(|of_name| of_name.last());
        let kept: Vec<_> = last.filter_map(|(name, shape)| Some((*name, (*shape)?))).collect();
        arena.alloc_slice_copy(&kept)
    }
}

/// Shapes with more parts than this are not used as hints, because searching all of them for each name of
/// each instance would take too long.
const MAX_HINTS: usize = 512;

/// The shape of a block, widened to cover `value`. `hints` is the complete shape, of which `shape` may have only
/// the parts that the value names.
pub(super) fn block<'s>(
    shape: Block<'s>,
    hints: Block<'s>,
    value: Value<'s>,
    side: Side,
    arena: &'s Bump,
) -> Widened<Block<'s>> {
    let is_wide = hints.attributes.len() + hints.blocks.len() > MAX_HINTS;
    let hints = if is_wide { shape } else { hints };
    blocks_of(shape, hints, &[value.as_object().unwrap_or_default()], side, arena)
}

/// The shape of blocks that hold `bodies`. Each name is looked at once, with all of its values: many blocks
/// may have names of their own.
fn blocks_of<'s>(
    shape: Block<'s>,
    hints: Block<'s>,
    bodies: &[Object<'s>],
    side: Side,
    arena: &'s Bump,
) -> Widened<Block<'s>> {
    let mut attributes = Names::new(shape.attributes);
    let mut blocks = Names::new(shape.blocks);
    let secrets = SensitiveNames::new(hints);
    let is_wide = hints.attributes.len() + hints.blocks.len() > MAX_HINTS;
    let hints = if is_wide { Block::default() } else { hints };
    for (name, values) in by_name(bodies, shape.attributes, side) {
        let values = values.as_slice();
        if let Some(known) = attributes.get(name) {
            if let Some(attribute) = attribute(known, values, side, arena) {
                attributes.set(name, attribute);
            }
        } else if let Some(known) = blocks.get(name) {
            match nested_block(known, values, side, arena) {
                Fit::Holds => {}
                Fit::Widened(block) => blocks.set(name, block),
                Fit::Fails => {
                    blocks.remove(name);
                    attributes.set(name, dynamic(holds_secret(known.block)));
                }
            }
        } else if let Some(block) =
            unknown_block(hints, name).filter(|_| values.first() == Some(&Value::Bool(true)))
        {
            match nested_block(block, values, side, arena) {
                Fit::Holds => blocks.set(name, block),
                Fit::Widened(block) => blocks.set(name, block),
                Fit::Fails => attributes.set(name, dynamic(false)),
            }
        } else {
            let (first, rest) =
                values.split_first().map_or((Value::Null, values), |(first, rest)| (*first, rest));
            match decide::member(name, &evidence_of(first, side), Style::default(), arena) {
                Member::Attribute(mut found) => {
                    found.sensitive |= secrets.has_form_of(name);
                    let widened = if rest.is_empty() { None } else { attribute(found, rest, side, arena) };
                    attributes.set(name, widened.unwrap_or(found));
                }
                Member::Block(found) => {
                    let fit =
                        if rest.is_empty() { Fit::Holds } else { nested_block(found, rest, side, arena) };
                    match fit {
                        Fit::Holds => blocks.set(name, found),
                        Fit::Widened(block) => blocks.set(name, block),
                        Fit::Fails => attributes.set(name, dynamic(holds_secret(found.block))),
                    }
                }
            }
        }
    }
    (attributes.is_changed() || blocks.is_changed())
        .then(|| Block::new(attributes.finish(arena), blocks.finish(arena), arena))
}

/// The members of several objects by name, each with all of its values in order, without those that `attributes`
/// have a place for already.
fn by_name<'s>(
    bodies: &[Object<'s>],
    attributes: &[(&str, Attribute<'_>)],
    side: Side,
) -> Vec<(&'s str, Vec<Value<'s>>)> {
    let known = Names::new(attributes);
    let holds =
        |name: &str, value: Value<'s>| known.get(name).is_some_and(|known| holds_scalar(known, value));
    let members = bodies.iter().flat_map(|body| body.members());
    let mut members: Vec<(&str, Value<'_>)> =
        members.filter(|(name, value)| !is_nothing(*value, side) && !holds(name, *value)).copied().collect();
    // Stable: which value is looked at first decides what a new name is.
    members.sort_by_key(|(name, _)| *name);
    let names = members.chunk_by(|(a, _), (b, _)| a == b);
    let named =
        names.filter_map(|chunk| Some((chunk.first()?.0, chunk.iter().map(|(_, value)| *value).collect())));
    named.collect()
}

/// Whether the attribute holds a value that has no parts.
fn holds_scalar(known: Attribute<'_>, value: Value<'_>) -> bool {
    matches!(known.kind, AttributeKind::Type(kind) if is_of_type(kind, value))
}

/// Whether a value without parts is of the type.
fn is_of_type(kind: Type<'_>, value: Value<'_>) -> bool {
    matches!(
        (kind, value),
        (Type::Dynamic, _)
            | (Type::Bool, Value::Bool(_))
            | (Type::Number, Value::Number(_))
            | (Type::String, Value::String(_))
    )
}

/// The sensitive attributes of a shape, sorted by name.
struct SensitiveNames<'s>(Vec<&'s str>);

impl<'s> SensitiveNames<'s> {
    fn new(shape: Block<'s>) -> Self {
        let secrets = shape.attributes.iter().filter(|(_, attribute)| attribute.sensitive);
        Self(secrets.map(|(name, _)| *name).collect())
    }

    /// As [`Block::has_secret_form_of`].
    fn has_form_of(&self, name: &str) -> bool {
        let prefix = format!("{name}_");
        let at = self.0.partition_point(|known| *known < &*prefix);
        self.0.get(at).is_some_and(|known| known.starts_with(&prefix))
    }
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
    let is_block = (alike >= 2 && !is_attribute) || convention::is_rare_block(name);
    is_block.then_some(NestedBlock { nesting: Nesting::List, block: Block::default() })
}

/// A dynamic attribute. If the original shape has sensitive parts, the whole attribute is sensitive, because
/// their paths are no longer known.
fn dynamic<'s>(sensitive: bool) -> Attribute<'s> {
    Attribute { kind: AttributeKind::Type(Type::Dynamic), sensitive, write_only: false }
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

fn nested_block<'s>(
    known: NestedBlock<'s>,
    values: &[Value<'s>],
    side: Side,
    arena: &'s Bump,
) -> Fit<NestedBlock<'s>> {
    let Some(bodies) = bodies(known.nesting, values, side) else { return Fit::Fails };
    match blocks_of(known.block, known.block, &bodies, side, arena) {
        Some(block) => Fit::Widened(NestedBlock { block, ..known }),
        None => Fit::Holds,
    }
}

/// The objects that values hold, if all of them nest as they should.
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

/// Where something is not known, every shape holds it.
fn needs_place(value: Value<'_>, side: Side) -> bool {
    side != Side::Unknown || value != Value::Bool(true)
}

/// The objects in a value, if it has the form of `nesting`.
fn held<'s>(nesting: Nesting, value: Value<'s>) -> Option<Box<dyn Iterator<Item = Value<'s>> + 's>> {
    match (nesting, value) {
        (Nesting::List | Nesting::Set, Value::Array(items)) => Some(Box::new(items.iter().copied())),
        (Nesting::Map, Value::Object(object)) => {
            Some(Box::new(object.members().iter().map(|(_, member)| *member)))
        }
        (Nesting::Single | Nesting::Group, Value::Object(_)) => Some(Box::new(std::iter::once(value))),
        _ => None,
    }
}

fn attribute<'s>(
    known: Attribute<'s>,
    values: &[Value<'s>],
    side: Side,
    arena: &'s Bump,
) -> Widened<Attribute<'s>> {
    if !values.iter().any(|value| needs_place(*value, side)) {
        return None;
    }
    match known.kind {
        AttributeKind::Type(kind) => {
            Some(Attribute { kind: AttributeKind::Type(cty(kind, values, side, arena)?), ..known })
        }
        AttributeKind::Nested(nested) => {
            let kind = nested_type(nested, values, side, arena)?;
            let lost = matches!(kind, AttributeKind::Type(_)) && holds_secrets(nested.attributes);
            Some(Attribute { kind, sensitive: known.sensitive || lost, ..known })
        }
    }
}

fn nested_type<'s>(
    known: NestedType<'s>,
    values: &[Value<'s>],
    side: Side,
    arena: &'s Bump,
) -> Widened<AttributeKind<'s>> {
    // A nested attribute has no nested blocks, so new members are always attributes.
    let Some(bodies) = bodies(known.nesting, values, side) else {
        return Some(AttributeKind::Type(Type::Dynamic));
    };
    let mut names = Names::new(known.attributes);
    for (name, values) in by_name(&bodies, known.attributes, side) {
        let widened = match (names.get(name), values.split_first()) {
            (Some(known), _) => attribute(known, &values, side, arena),
            (None, Some((first, rest))) => {
                let found = decide::attribute(name, &evidence_of(*first, side), Style::default(), arena);
                Some(attribute(found, rest, side, arena).unwrap_or(found))
            }
            (None, None) => None,
        };
        if let Some(attribute) = widened {
            names.set(name, attribute);
        }
    }
    names
        .is_changed()
        .then(|| AttributeKind::Nested(NestedType::new(names.finish(arena), known.nesting, arena)))
}

/// The type that holds all of `values` too.
fn cty<'s>(known: Type<'s>, values: &[Value<'s>], side: Side, arena: &'s Bump) -> Widened<Type<'s>> {
    let marks = side == Side::Unknown;
    let values = || {
        values.iter().copied().filter(move |value| {
            !value.is_null() && needs_place(*value, side) && !(marks && *value == Value::Bool(false))
        })
    };
    let parts = |item: Type<'s>, held: fn(Value<'s>) -> Option<Parts<'s>>| -> Option<Vec<Value<'s>>> {
        let mut parts = Vec::new();
        for value in values() {
            match held(value)? {
                Parts::Items(items) => {
                    parts.extend(items.iter().copied().filter(|part| !is_of_type(item, *part)));
                }
                Parts::Members(members) => {
                    let members = members.iter().map(|(_, member)| *member);
                    parts.extend(members.filter(|part| !is_of_type(item, *part)));
                }
            }
        }
        Some(parts)
    };
    let items = |value: Value<'s>| value.as_array().map(Parts::Items);
    let members = |value: Value<'s>| value.as_object().map(|object| Parts::Members(object.members()));
    match known {
        Type::Dynamic => None,
        Type::Bool | Type::Number | Type::String => {
            (!values().all(|value| is_of_type(known, value))).then_some(Type::Dynamic)
        }
        Type::List(item) => match parts(*item, items) {
            Some(parts) => Some(Type::List(arena.alloc(cty(*item, &parts, side, arena)?))),
            None => Some(Type::Dynamic),
        },
        Type::Set(item) => match parts(*item, items) {
            Some(parts) => Some(Type::Set(arena.alloc(cty(*item, &parts, side, arena)?))),
            None => Some(Type::Dynamic),
        },
        Type::Map(item) => match parts(*item, members) {
            Some(parts) => Some(Type::Map(arena.alloc(cty(*item, &parts, side, arena)?))),
            None => Some(Type::Dynamic),
        },
        Type::Object(members) => {
            let objects: Option<Vec<Object<'s>>> = values().map(Value::as_object).collect();
            match objects {
                Some(objects) => object_type(members, &objects, side, arena),
                None => Some(Type::Dynamic),
            }
        }
        Type::Tuple(types) => {
            let fits = |value: Value<'s>| {
                value.as_array().is_some_and(|items| {
                    types.len() >= items.len()
                        && types
                            .iter()
                            .zip(items)
                            .all(|(kind, item)| cty(*kind, &[*item], side, arena).is_none())
                })
            };
            (!values().all(fits)).then_some(Type::Dynamic)
        }
    }
}

/// The parts of a value.
enum Parts<'s> {
    Items(&'s [Value<'s>]),
    Members(&'s [(&'s str, Value<'s>)]),
}

fn object_type<'s>(
    members: &'s [(&'s str, Type<'s>)],
    objects: &[Object<'s>],
    side: Side,
    arena: &'s Bump,
) -> Widened<Type<'s>> {
    let mut names = Names::new(members);
    for (name, values) in by_name(objects, &[], side) {
        let widened = match (names.get(name), values.split_first()) {
            (Some(known), _) => cty(known, &values, side, arena),
            (None, Some((first, rest))) => {
                let found = decide::cty(name, &evidence_of(*first, side), Style::default(), arena);
                Some(cty(found, rest, side, arena).unwrap_or(found))
            }
            (None, None) => None,
        };
        if let Some(kind) = widened {
            names.set(name, kind);
        }
    }
    names.is_changed().then(|| Type::Object(names.finish(arena)))
}

/// Whether a value needs no shape: null, and marks that mark nothing.
fn is_nothing(value: Value<'_>, side: Side) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(marked) => side == Side::Unknown && !marked,
        Value::Array(items) if side == Side::Unknown => items.iter().all(|item| is_nothing(*item, side)),
        Value::Object(object) if side == Side::Unknown => {
            object.members().iter().all(|(_, member)| is_nothing(*member, side))
        }
        Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => false,
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
        let widened = block(shape, shape, value, Side::Value, &arena).unwrap();
        assert_eq!(widened.attributes, [("login", dynamic(true)), ("users", dynamic(true))]);
        assert!(widened.blocks.is_empty());
    }
}
