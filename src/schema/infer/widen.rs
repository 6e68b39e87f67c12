//! Widens a shape until it covers the values of an instance: a schema belongs to one version of a provider, and
//! evidence comes from a sample.
//!
//! Invariant: the result covers every member of the values, except plain scalars of an open shape. A shape that
//! covers the values already is returned as it is, or narrowed to their members.

use bumpalo::Bump;

use super::Values;
use super::decide::{Decider, Member};
use super::evidence::Evidence;
use super::names::{self, NamePattern};
use crate::json::Value;
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type, find};

/// The maximum number of new members of an object type. With more, the type becomes dynamic: it would take more memory
/// than its values if each of them had members of its own.
const MAX_NEW_MEMBERS: usize = 1 << 10;

/// The number of attributes and blocks from which on a shape is narrowed to the members of the values.
const WIDE: usize = 64;

/// The value of the instance that a part belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The value before the change, or the value after the change of an existing object.
    Value,
    /// The planned value of a new object.
    Made,
    /// The marks for what is known after apply.
    Unknown,
}

/// The kinds of members that a body can have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// Attributes and blocks: the body is a block.
    Blocks,
    /// Attributes only: the body is an object of nested attributes.
    Objects,
}

/// A part of the values, with its name in the value that contains it.
#[derive(Clone, Copy)]
struct Part<'s> {
    name: &'s str,
    value: Value<'s>,
    side: Side,
}

/// Widens a shape to the values of an instance. Returns whether the shape covered them as it was, too.
pub(super) fn widened<'s>(
    whole: Block<'s>,
    values: Values<'s>,
    arena: &'s Bump,
) -> (Block<'s>, bool) {
    let shape = narrowed(whole, values, arena);
    let after = if values.before.is_null() {
        Side::Made
    } else {
        Side::Value
    };
    let sides = [
        (values.before, Side::Value),
        (values.after, after),
        (values.unknown, Side::Unknown),
    ];
    let bodies = sides.map(|(value, side)| Part {
        name: "",
        value,
        side,
    });
    match (Widening { arena }).block(shape, whole, &bodies, Level::Blocks) {
        Some(wider) => (wider, false),
        None => (shape, true),
    }
}

/// Reduces a wide shape to the members that the values have, if these are few, and to its write-only attributes.
///
/// Widening copies the shape, and a document may have many small instances of a type with a wide shape.
fn narrowed<'s>(shape: Block<'s>, values: Values<'s>, arena: &'s Bump) -> Block<'s> {
    let sides = [values.before, values.after, values.unknown];
    let members = || {
        sides
            .iter()
            .filter_map(|side| side.as_object())
            .flat_map(|object| object.members())
    };
    let parts = shape.attributes.len() + shape.blocks.len();
    if parts < WIDE || parts / 4 < members().count() {
        return shape;
    }
    let mut names: Vec<&str> = members().map(|(name, _)| *name).collect();
    names.extend(shape.facts.write_only);
    names.sort_unstable();
    names.dedup();
    Block::new(
        named(shape.attributes, &names, arena),
        named(shape.blocks, &names, arena),
        arena,
    )
}

/// Returns the parts of these names. Both lists are sorted by name.
fn named<'s, T: Copy>(
    parts: &[(&'s str, T)],
    names: &[&'s str],
    arena: &'s Bump,
) -> &'s [(&'s str, T)] {
    let named_parts: Vec<_> = names
        .iter()
        .filter_map(|name| Some((*name, find(parts, name)?)))
        .collect();
    arena.alloc_slice_copy(&named_parts)
}

impl<'s> Part<'s> {
    /// Whether there is nothing to cover: null, or marks that mark nothing.
    fn is_nothing(self) -> bool {
        match self.value {
            Value::Null => true,
            Value::Bool(marked) => self.side == Side::Unknown && !marked,
            Value::Array(_) | Value::Object(_) => {
                let is_nothing = |value| Self { value, ..self }.is_nothing();
                self.side == Side::Unknown && self.value.children().all(is_nothing)
            }
            Value::Number(_) | Value::String(_) => false,
        }
    }

    /// Whether the part says something about the shape of its value. A value that is unknown as a whole does not.
    fn has_shape(self) -> bool {
        !self.is_nothing() && (self.side != Side::Unknown || self.value != Value::Bool(true))
    }

    /// Whether the part is a scalar whose name does not suggest that it is sensitive or a block. An open shape does not
    /// list such members.
    fn is_plain(self) -> bool {
        let is_block = || matches!(names::pattern(self.name), Some(NamePattern::Block(_)));
        let is_scalar = match self.value {
            Value::Bool(marked) => self.side != Side::Unknown || (marked && !is_block()),
            Value::Number(_) | Value::String(_) => self.side != Side::Unknown,
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        };
        is_scalar && !names::is_sensitive(self.name)
    }

    /// Lists the members of the part, if it is an object.
    fn members(self) -> impl Iterator<Item = Self> {
        let members = self.value.as_object().unwrap_or_default().members().iter();
        members.map(move |(name, value)| Self {
            name,
            value: *value,
            ..self
        })
    }

    /// Returns the evidence that the part is for the shape of its value.
    fn evidence(self) -> Evidence<'s> {
        let mut evidence = Evidence::default();
        let marks = self.side == Side::Unknown;
        evidence.observe(
            if marks { Value::Null } else { self.value },
            if marks { self.value } else { Value::Null },
        );
        if self.side == Side::Made {
            evidence.observe_new_object(self.value);
        }
        evidence
    }
}

/// Collects the elements of collections, as far as they are wanted. `None` if a value does not fit the nesting.
fn elements<'s>(
    parts: &[Part<'s>],
    nesting: Nesting,
    wanted: impl Fn(&Part<'s>) -> bool,
) -> Option<Vec<Part<'s>>> {
    let mut element_parts = Vec::new();
    for part in parts.iter().filter(|part| part.has_shape()) {
        match (nesting, part.value) {
            (Nesting::List | Nesting::Set, Value::Array(items)) => {
                element_parts.extend(
                    items
                        .iter()
                        .map(|item| Part {
                            value: *item,
                            ..*part
                        })
                        .filter(&wanted),
                );
            }
            (Nesting::Map, Value::Object(_)) => {
                element_parts.extend(part.members().filter(&wanted));
            }
            (Nesting::Single | Nesting::Group, Value::Object(_)) => {
                element_parts.extend(Some(*part).filter(&wanted));
            }
            _ => return None,
        }
    }
    Some(element_parts)
}

/// Collects the objects in the parts of a block, or of nested attributes. `None` if a value does not fit the nesting.
fn bodies<'s>(parts: &[Part<'s>], nesting: Nesting) -> Option<Vec<Part<'s>>> {
    let bodies = elements(parts, nesting, |part| part.has_shape())?;
    bodies
        .iter()
        .all(|body| body.value.as_object().is_some())
        .then_some(bodies)
}

/// Lists the members that are not covered yet, sorted by name, and says whether there are others: plain scalars, of
/// which a body may have very many.
fn members<'s>(
    bodies: &[Part<'s>],
    attributes: &[(&str, Attribute<'s>)],
    is_unlisted: impl Fn(Part<'s>) -> bool,
) -> (Vec<Part<'s>>, bool) {
    let is_covered = |part: &Part<'s>| {
        let known = find(attributes, part.name).map(|attribute| attribute.kind);
        matches!(known, Some(AttributeKind::Type(kind)) if covers(kind, part.value))
    };
    let all = || {
        let members = bodies.iter().flat_map(|body| body.members());
        members.filter(|part| !part.is_nothing() && !is_covered(part))
    };
    let (mut listed, mut open) = (Vec::new(), false);
    for part in all() {
        if is_unlisted(part) {
            open = true;
        } else {
            listed.push(part);
        }
    }
    // The sort is stable, because the first value determines the shape of a new name.
    listed.sort_by_key(|part| part.name);
    if open && !listed.is_empty() {
        let is_listed = |name: &str| listed.binary_search_by(|part| part.name.cmp(name)).is_ok();
        let others: Vec<_> = all()
            .filter(|part| is_unlisted(*part) && is_listed(part.name))
            .collect();
        listed.extend(others);
        listed.sort_by_key(|part| part.name);
    }
    (listed, open)
}

/// Lists the members whose shape changes. A known one is widened; a new one is decided by the evidence of its first
/// value, then widened to the others.
fn changed<'s, T: Copy>(
    members: &[Part<'s>],
    known: impl Fn(&str) -> Option<T>,
    decide: impl Fn(&'s str, &Evidence<'s>) -> T,
    widen: impl Fn(T, &[Part<'s>]) -> Option<T>,
) -> Vec<(&'s str, T)> {
    let mut changed = Vec::new();
    for parts in members.chunk_by(|one, next| one.name == next.name) {
        let Some((first, rest)) = parts.split_first() else {
            continue;
        };
        let shape = match known(first.name) {
            Some(known) => widen(known, parts),
            None => {
                let decided = decide(first.name, &first.evidence());
                Some(widen(decided, rest).unwrap_or(decided))
            }
        };
        changed.extend(shape.map(|shape| (first.name, shape)));
    }
    changed
}

/// Whether a type covers a value without widening. It does not look into collections and objects.
fn covers(kind: Type<'_>, value: Value<'_>) -> bool {
    matches!(
        (kind, value),
        (Type::Dynamic, _)
            | (Type::Bool, Value::Bool(_))
            | (Type::Number, Value::Number(_))
            | (Type::String, Value::String(_))
    )
}

/// Makes an attribute of any type. If the shape before had sensitive parts, all of the attribute is sensitive, because
/// the paths of the parts are no longer known.
fn dynamic<'s>(sensitive: bool) -> Attribute<'s> {
    Attribute {
        kind: AttributeKind::Type(Type::Dynamic),
        sensitive,
        write_only: false,
        required: false,
    }
}

/// The methods that widen shapes. Each returns `None` if the shape covers the parts already.
#[derive(Clone, Copy)]
struct Widening<'s> {
    arena: &'s Bump,
}

impl<'s> Widening<'s> {
    /// Widens a block, or the members of nested attributes. `whole` is the complete shape; `shape` may be narrowed to
    /// the members that the values have.
    fn block(
        self,
        shape: Block<'s>,
        whole: Block<'s>,
        parts: &[Part<'s>],
        level: Level,
    ) -> Option<Block<'s>> {
        let known = |name: &str| {
            let attribute = find(shape.attributes, name).map(Member::Attribute);
            attribute.or_else(|| find(shape.blocks, name).map(Member::Block))
        };
        let is_unlisted = |part: Part<'_>| {
            known(part.name).is_none() && part.is_plain() && !whole.has_secret_form_of(part.name)
        };
        let (members, open) = members(parts, shape.attributes, is_unlisted);
        let decide = |name: &str, evidence: &Evidence<'_>| {
            let decider = Decider::new(self.arena);
            let mut member = match level {
                Level::Blocks => decider.member(name, evidence),
                Level::Objects => Member::Attribute(decider.attribute(name, evidence)),
            };
            if let Member::Attribute(attribute) = &mut member {
                attribute.sensitive |= whole.has_secret_form_of(name);
            }
            member
        };
        let changed = changed(&members, known, decide, |known, parts| {
            self.member(known, parts)
        });
        let open = open || shape.facts.open;
        if changed.is_empty() && open == shape.facts.open {
            return None;
        }
        let attributes = changed.iter().map(|(name, member)| match member {
            Member::Attribute(attribute) => (*name, Some(*attribute)),
            Member::Block(_) => (*name, None),
        });
        let blocks = changed.iter().map(|(name, member)| match member {
            Member::Attribute(_) => (*name, None),
            Member::Block(block) => (*name, Some(*block)),
        });
        let attributes = self.replaced(shape.attributes, &attributes.collect::<Vec<_>>());
        let mut block = Block::new(
            attributes,
            self.replaced(shape.blocks, &blocks.collect::<Vec<_>>()),
            self.arena,
        );
        block.facts.open = open;
        Some(block)
    }

    /// Widens a member. A block that cannot have one of the values becomes a dynamic attribute.
    fn member(self, known: Member<'s>, parts: &[Part<'s>]) -> Option<Member<'s>> {
        match known {
            Member::Attribute(known) => self.attribute(known, parts).map(Member::Attribute),
            Member::Block(known) => match bodies(parts, known.nesting) {
                Some(bodies) => {
                    let block = self.block(known.block, known.block, &bodies, Level::Blocks)?;
                    Some(Member::Block(NestedBlock { block, ..known }))
                }
                None => Some(Member::Attribute(dynamic(known.block.facts.has_sensitive))),
            },
        }
    }

    /// Widens an attribute. If its nested attributes cannot have one of the values, it becomes dynamic.
    fn attribute(self, known: Attribute<'s>, parts: &[Part<'s>]) -> Option<Attribute<'s>> {
        match known.kind {
            AttributeKind::Type(kind) => Some(Attribute {
                kind: AttributeKind::Type(self.cty(kind, parts)?),
                ..known
            }),
            AttributeKind::Nested(nested) => match bodies(parts, nested.nesting) {
                Some(bodies) => {
                    let block = self.block(nested.block, nested.block, &bodies, Level::Objects)?;
                    Some(Attribute {
                        kind: AttributeKind::Nested(NestedBlock { block, ..nested }),
                        ..known
                    })
                }
                None => {
                    let kind = AttributeKind::Type(Type::Dynamic);
                    Some(Attribute {
                        kind,
                        sensitive: known.has_sensitive(),
                        ..known
                    })
                }
            },
        }
    }

    /// Widens a type. A part of it that a value does not fit becomes dynamic.
    fn cty(self, known: Type<'s>, parts: &[Part<'s>]) -> Option<Type<'s>> {
        let collection = |item: &Type<'s>, nesting, of: fn(&'s Type<'s>) -> Type<'s>| match elements(
            parts,
            nesting,
            |part| part.has_shape() && !covers(*item, part.value),
        ) {
            Some(items) => Some(of(self.arena.alloc(self.cty(*item, &items)?))),
            None => Some(Type::Dynamic),
        };
        let dynamic_unless = |fits: &dyn Fn(&Part<'s>) -> bool| {
            let all = parts.iter().all(|part| !part.has_shape() || fits(part));
            (!all).then_some(Type::Dynamic)
        };
        match known {
            Type::Dynamic => None,
            Type::Bool | Type::Number | Type::String => {
                dynamic_unless(&|part| covers(known, part.value))
            }
            Type::List(item) => collection(item, Nesting::List, Type::List),
            Type::Set(item) => collection(item, Nesting::Set, Type::Set),
            Type::Map(item) => collection(item, Nesting::Map, Type::Map),
            Type::Object(members) => match bodies(parts, Nesting::Single) {
                Some(objects) => self.object_type(members, &objects),
                None => Some(Type::Dynamic),
            },
            Type::Tuple(types) => dynamic_unless(&|part| {
                let items = part
                    .value
                    .as_array()
                    .filter(|items| items.len() <= types.len());
                let covers = |(kind, item): (&Type<'s>, &Value<'s>)| {
                    self.cty(
                        *kind,
                        &[Part {
                            value: *item,
                            ..*part
                        }],
                    )
                    .is_none()
                };
                items.is_some_and(|items| types.iter().zip(items).all(covers))
            }),
        }
    }

    /// Widens an object type. With too many new members it becomes dynamic.
    fn object_type(self, known: &'s [(&'s str, Type<'s>)], parts: &[Part<'s>]) -> Option<Type<'s>> {
        let of_name = |name: &str| find(known, name);
        let (members, _) = members(parts, &[], |_| false);
        let names = members
            .chunk_by(|one, next| one.name == next.name)
            .filter_map(<[_]>::first);
        if names.filter(|part| of_name(part.name).is_none()).count() > MAX_NEW_MEMBERS {
            return Some(Type::Dynamic);
        }
        let decide =
            |name: &str, evidence: &Evidence<'_>| Decider::new(self.arena).cty(name, evidence);
        let changed = changed(&members, of_name, decide, |known, parts| {
            self.cty(known, parts)
        });
        let changed: Vec<_> = changed
            .into_iter()
            .map(|(name, kind)| (name, Some(kind)))
            .collect();
        (!changed.is_empty()).then(|| Type::Object(self.replaced(known, &changed)))
    }

    /// Replaces shapes in a list that is sorted by name; `None` removes one. New names are added.
    fn replaced<T: Copy>(
        self,
        shapes: &'s [(&'s str, T)],
        changed: &[(&'s str, Option<T>)],
    ) -> &'s [(&'s str, T)] {
        if changed.is_empty() {
            return shapes;
        }
        let is_kept = |(name, _): &(&str, T)| find(changed, name).is_none();
        let new = changed
            .iter()
            .filter_map(|(name, shape)| Some((*name, (*shape)?)));
        let mut all: Vec<_> = shapes.iter().copied().filter(is_kept).chain(new).collect();
        all.sort_by_key(|(name, _)| *name);
        self.arena.alloc_slice_copy(&all)
    }
}

#[cfg(test)]
mod tests;
