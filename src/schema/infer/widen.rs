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
    changed: Option<Vec<(&'s str, T)>>,
}

impl<'s, T: Copy> Names<'s, T> {
    fn new(of: &'s [(&'s str, T)]) -> Self {
        Self { of, changed: None }
    }

    fn list(&self) -> &[(&'s str, T)] {
        self.changed.as_deref().unwrap_or(self.of)
    }

    fn get(&self, name: &str) -> Option<T> {
        let list = self.list();
        let at = list.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        list.get(at).map(|(_, found)| *found)
    }

    fn set(&mut self, name: &'s str, shape: T) {
        let of = self.of;
        let list = self.changed.get_or_insert_with(|| of.to_vec());
        match list.binary_search_by(|(known, _)| (*known).cmp(name)) {
            Ok(at) => {
                if let Some(slot) = list.get_mut(at) {
                    slot.1 = shape;
                }
            }
            Err(at) => list.insert(at, (name, shape)),
        }
    }

    fn remove(&mut self, name: &str) {
        let of = self.of;
        self.changed.get_or_insert_with(|| of.to_vec()).retain(|(known, _)| *known != name);
    }

    fn is_changed(&self) -> bool {
        self.changed.is_some()
    }

    fn finish(self, arena: &'s Bump) -> &'s [(&'s str, T)] {
        self.changed.map_or(self.of, |list| arena.alloc_slice_copy(&list))
    }
}

/// Shapes with more parts than this are not used as hints, because searching all of them for each name of
/// each instance would take too long.
const MOST_HINTS: usize = 512;

/// The shape of a block, widened to cover `value`. `hints` is the complete shape, of which `shape` may have
/// only the parts that the value names.
pub(super) fn block<'s>(
    shape: Block<'s>,
    hints: Block<'s>,
    value: Value<'s>,
    side: Side,
    arena: &'s Bump,
) -> Widened<Block<'s>> {
    let is_wide = hints.attributes.len() + hints.blocks.len() > MOST_HINTS;
    let hints = if is_wide { shape } else { hints };
    let mut attributes = Names::new(shape.attributes);
    let mut blocks = Names::new(shape.blocks);
    for (name, value) in value.as_object().unwrap_or_default().members() {
        if is_nothing(*value, side) {
            continue;
        }
        if let Some(known) = attributes.get(name) {
            if let Some(attribute) = attribute(known, *value, side, arena) {
                attributes.set(name, attribute);
            }
        } else if let Some(known) = blocks.get(name) {
            match nested_block(known, *value, side, arena) {
                Fit::Holds => {}
                Fit::Widened(block) => blocks.set(name, block),
                Fit::Fails => {
                    blocks.remove(name);
                    attributes.set(name, dynamic(holds_secret(known.block)));
                }
            }
        } else if let Some(block) = unknown_block(hints, name).filter(|_| *value == Value::Bool(true)) {
            blocks.set(name, block);
        } else {
            match decide::member(name, &evidence_of(*value, side), Style::default(), arena) {
                Member::Attribute(mut attribute) => {
                    attribute.sensitive |= hints.has_secret_form_of(name);
                    attributes.set(name, attribute);
                }
                Member::Block(block) => blocks.set(name, block),
            }
        }
    }
    (attributes.is_changed() || blocks.is_changed())
        .then(|| Block::new(attributes.finish(arena), blocks.finish(arena), arena))
}

/// Unknown blocks of another version, recognised by their name: `shape` has blocks with the same last word,
/// but no such attribute (`queue_properties`, given `blob_properties` and `share_properties`), or another
/// type has blocks with this name.
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
    value: Value<'s>,
    side: Side,
    arena: &'s Bump,
) -> Fit<NestedBlock<'s>> {
    if side == Side::Unknown && value == Value::Bool(true) {
        return Fit::Holds;
    }
    let Some(bodies) = held(known.nesting, value) else { return Fit::Fails };
    let mut shape = known.block;
    let mut widened = false;
    for body in bodies {
        if is_nothing(body, side) || (side == Side::Unknown && body == Value::Bool(true)) {
            continue;
        }
        if body.as_object().is_none() {
            return Fit::Fails;
        }
        if let Some(block) = block(shape, shape, body, side, arena) {
            shape = block;
            widened = true;
        }
    }
    if widened { Fit::Widened(NestedBlock { block: shape, ..known }) } else { Fit::Holds }
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
    value: Value<'s>,
    side: Side,
    arena: &'s Bump,
) -> Widened<Attribute<'s>> {
    if side == Side::Unknown && value == Value::Bool(true) {
        return None;
    }
    match known.kind {
        AttributeKind::Type(kind) => {
            Some(Attribute { kind: AttributeKind::Type(cty(kind, value, side, arena)?), ..known })
        }
        AttributeKind::Nested(nested) => {
            let kind = nested_type(nested, value, side, arena)?;
            let lost = matches!(kind, AttributeKind::Type(_)) && holds_secrets(nested.attributes);
            Some(Attribute { kind, sensitive: known.sensitive || lost, ..known })
        }
    }
}

fn nested_type<'s>(
    known: NestedType<'s>,
    value: Value<'s>,
    side: Side,
    arena: &'s Bump,
) -> Widened<AttributeKind<'s>> {
    // A nested attribute has no nested blocks, so new members are always attributes.
    let dynamic = Some(AttributeKind::Type(Type::Dynamic));
    let Some(bodies) = held(known.nesting, value) else { return dynamic };
    let mut names = Names::new(known.attributes);
    for body in bodies {
        if is_nothing(body, side) || (side == Side::Unknown && body == Value::Bool(true)) {
            continue;
        }
        let Value::Object(body) = body else { return dynamic };
        for (name, value) in body.members() {
            if is_nothing(*value, side) {
                continue;
            }
            let widened = match names.get(name) {
                Some(known) => attribute(known, *value, side, arena),
                None => Some(decide::attribute(name, &evidence_of(*value, side), Style::default(), arena)),
            };
            if let Some(attribute) = widened {
                names.set(name, attribute);
            }
        }
    }
    names
        .is_changed()
        .then(|| AttributeKind::Nested(NestedType::new(names.finish(arena), known.nesting, arena)))
}

fn cty<'s>(known: Type<'s>, value: Value<'s>, side: Side, arena: &'s Bump) -> Widened<Type<'s>> {
    if side == Side::Unknown && value == Value::Bool(true) {
        return None;
    }
    let marks = side == Side::Unknown;
    match (known, value) {
        (_, Value::Null) | (Type::Dynamic, _) => None,
        (_, Value::Bool(false)) if marks => None,
        (Type::Bool, Value::Bool(_))
        | (Type::Number, Value::Number(_))
        | (Type::String, Value::String(_)) => None,
        (Type::List(item), Value::Array(items)) => {
            elements(*item, items, side, arena).map(|t| Type::List(arena.alloc(t)))
        }
        (Type::Set(item), Value::Array(items)) => {
            elements(*item, items, side, arena).map(|t| Type::Set(arena.alloc(t)))
        }
        (Type::Map(item), Value::Object(object)) => {
            let mut shape = *item;
            for (_, value) in object.members() {
                shape = cty(shape, *value, side, arena).unwrap_or(shape);
            }
            (shape != *item).then(|| Type::Map(arena.alloc(shape)))
        }
        (Type::Object(members), Value::Object(object)) => object_type(members, object, side, arena),
        (Type::Tuple(types), Value::Array(items)) => {
            let fits = types.len() >= items.len()
                && types.iter().zip(items).all(|(kind, item)| cty(*kind, *item, side, arena).is_none());
            (!fits).then_some(Type::Dynamic)
        }
        _ => Some(Type::Dynamic),
    }
}

fn elements<'s>(item: Type<'s>, items: &'s [Value<'s>], side: Side, arena: &'s Bump) -> Widened<Type<'s>> {
    let mut shape = item;
    let mut widened = false;
    for value in items {
        if let Some(kind) = cty(shape, *value, side, arena) {
            shape = kind;
            widened = true;
        }
    }
    widened.then_some(shape)
}

fn object_type<'s>(
    members: &'s [(&'s str, Type<'s>)],
    object: Object<'s>,
    side: Side,
    arena: &'s Bump,
) -> Widened<Type<'s>> {
    let mut names = Names::new(members);
    for (name, value) in object.members() {
        if is_nothing(*value, side) {
            continue;
        }
        let widened = match names.get(name) {
            Some(known) => cty(known, *value, side, arena),
            None => Some(decide::cty(name, &evidence_of(*value, side), Style::default(), arena)),
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
