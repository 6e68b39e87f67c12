//! The elements of a collection, compared either at once or each time they are read.
//!
//! Invariants: readers see the same elements in both cases. Deferred elements are compared twice, once for
//! their actions and once for their text, and so are collections inside of them. The nesting of deferred
//! collections is limited, so that the work stays linear.

mod recipe;

use bumpalo::Bump;

pub(super) use self::recipe::Deferred;
use self::recipe::{Recipe, Sides};

use super::elements::Elements;
use super::pairs::{Pair, Pairs};
use super::tree::{Diff, DiffAction, Slot};
use super::{Cursor, Differ, Unknown, find};
use crate::json::Value;
use crate::schema::{Block, Facts, NestedType, Type};

/// The minimum size of a change with deferred elements, in bytes of text.
const MIN_SIZE: usize = 256 << 10;

/// The minimum number of values in a collection with deferred elements.
const MIN_VALUES: usize = 4 << 10;

/// The maximum nesting of deferred collections.
const MAX_NESTING: u8 = 12;

/// The size in bytes at which a scratch arena is reset.
const SCRATCH_BYTES: usize = 64 << 10;

/// The positions of elements on both sides.
#[derive(Clone, Copy, Debug)]
pub(super) enum Places<'p, 'a> {
    /// Paired elements of two lists.
    Pairs(Pairs<'p>),
    /// The first elements of two lists, paired by index; with their number.
    Indices(usize),
    /// The members with these sorted keys.
    Keys(&'a [&'a str]),
}

/// The comparison that elements need.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'a> {
    /// As values of a type.
    Typed(Type<'a>),
    /// As the elements of a tuple. Those past the end of the type are dynamic.
    Tuple(&'a [Type<'a>]),
    /// As parts of a dynamic value.
    Member,
    /// As the objects of a nested attribute.
    NestedObject(NestedType<'a>),
    /// As attributes of a block.
    Attribute(Block<'a>),
    /// As attributes of an object of a nested attribute.
    NestedAttribute(NestedType<'a>),
    /// As members of an object type.
    ObjectMember(&'a [(&'a str, Type<'a>)]),
    /// As nested blocks, whose whole type may be sensitive before and after the change.
    Block(Block<'a>, (bool, bool)),
}

impl Places<'_, '_> {
    fn len(&self) -> usize {
        match self {
            Self::Pairs(pairs) => pairs.len(),
            Self::Indices(count) => *count,
            Self::Keys(keys) => keys.len(),
        }
    }

    /// The key of an element; empty if it has none.
    fn key(&self, at: usize) -> &str {
        match self {
            Self::Pairs(_) | Self::Indices(_) => "",
            Self::Keys(keys) => keys.get(at).copied().unwrap_or_default(),
        }
    }
}

impl<'a> Differ<'a> {
    /// The differ for a change with `size` bytes of values and marks.
    pub fn for_size(self, size: usize) -> Self {
        Self { deferrals: if size < MIN_SIZE { 0 } else { MAX_NESTING }, ..self }
    }

    /// The diffs of the elements of `change` at `places`.
    pub(super) fn elements(
        self,
        change: Cursor<'a>,
        places: Places<'_, 'a>,
        part: Part<'a>,
    ) -> (Elements<'a>, DiffAction) {
        if self.deferrals > 0 && places.len() > 1 && is_heavy(change) {
            return self.deferred(change, places, part);
        }
        let mut action = change.own_action();
        let mut diff = |at: usize, child: Cursor<'a>| {
            let diff = self.part(child, at, places.key(at), part);
            action = action.fold(diff.action);
            self.covered_part(diff, part)
        };
        let elements = match places {
            Places::Pairs(pairs) => {
                let mut items = bumpalo::collections::Vec::with_capacity_in(pairs.len(), self.arena);
                pairs.each(|pair| items.push(diff(items.len(), self.paired(change, pair, part))));
                Elements::built(items.into_bump_slice())
            }
            Places::Indices(count) => {
                let items = (0..count).map(|at| diff(at, change.index(at, at, self.arena).if_relevant()));
                Elements::built(self.arena.alloc_slice_fill_iter(items))
            }
            Places::Keys(keys) => {
                let walk = |slot: Slot<'a>| slot.value().as_object().unwrap_or_default().walk();
                let (mut before, mut after) = (walk(change.before), walk(change.after));
                let items = keys.iter().enumerate().map(|(at, key)| {
                    let child = change.member(key, before.get(key), after.get(key), self.arena);
                    diff(at, child.if_relevant())
                });
                Elements::keyed(keys, self.arena.alloc_slice_fill_iter(items))
            }
        };
        (elements, action)
    }

    fn deferred(
        self,
        change: Cursor<'a>,
        places: Places<'_, 'a>,
        part: Part<'a>,
    ) -> (Elements<'a>, DiffAction) {
        let (keys, places): (&[&str], _) = match places {
            Places::Pairs(pairs) => (&[], Places::Pairs(pairs.copied(self.arena))),
            Places::Indices(count) => (&[], Places::Indices(count)),
            Places::Keys(keys) => (keys, Places::Keys(keys)),
        };
        let differ = Self { deferrals: self.deferrals - 1, ..self };
        let recipe = Recipe { differ, sides: Sides::new(change), places, part };
        let mut action = change.own_action();
        let (mut built, mut ends) = (Vec::new(), Vec::new());
        let mut scratch = Bump::new();
        let actions = self.arena.alloc_slice_fill_iter((0..places.len()).map(|at| {
            if scratch.allocated_bytes() > SCRATCH_BYTES {
                scratch.reset();
            }
            let child = if change.has_paths() { Some(differ.child(change, places, part, at)) } else { None };
            // A path that ends at or below an element takes more text in the document than its index does
            // here.
            let child = child.filter(|child| !recipe.has_paths_of(*child));
            let (own, shown) = match child {
                Some(child) if recipe.ends_at(child) => {
                    ends.push(at as u32);
                    let (own, diff) = recipe.build(at, true, &scratch);
                    (own, diff.action)
                }
                Some(child) => {
                    let diff = differ.part(child, at, places.key(at), part);
                    let covered = differ.covered_part(diff, part);
                    built.push((at as u32, covered));
                    (diff.action, covered.action)
                }
                None => {
                    let (own, diff) = recipe.build(at, false, &scratch);
                    (own, diff.action)
                }
            };
            action = action.fold(own);
            shown
        }));
        let (built, ends) = (self.arena.alloc_slice_copy(&built), self.arena.alloc_slice_copy(&ends));
        let deferred = self.arena.alloc(Deferred { recipe, actions, built, ends });
        (Elements::deferred(keys, deferred), action)
    }

    /// The names of the parts of `change` that have a value or are unknown, if there are so many that they are
    /// deferred.
    pub(super) fn many_names<T>(
        self,
        change: Cursor<'a>,
        shape: &'a [(&'a str, T)],
        facts: Facts<'a>,
        is_block: impl Fn(&str) -> bool,
    ) -> Option<Vec<&'a str>> {
        let members = |slot: Slot<'a>| slot.value().as_object().map_or(0, |object| object.members().len());
        let most = shape.len().max(members(change.before)).max(members(change.after));
        if self.deferrals == 0 || most < MIN_VALUES {
            return None;
        }
        let named = self.named(change, shape, &[]).map(|(name, _)| *name);
        let mut names: Vec<_> = named.chain(self.unnamed(change, shape, facts, is_block)).collect();
        names.sort();
        (names.len() >= MIN_VALUES).then_some(names)
    }

    /// The members `names`, deferred. Those that are null on both sides are omitted.
    pub(super) fn deferred_members(
        self,
        change: Cursor<'a>,
        mut names: Vec<&'a str>,
        part: Part<'a>,
    ) -> (Elements<'a>, DiffAction) {
        names.retain(|name| {
            let child = change.key(name, self.arena).if_relevant().implicit();
            let own = if matches!(part, Part::Attribute(_)) { self.block_attribute(child) } else { child };
            !own.is_null() || self.part(child, 0, name, part).action != DiffAction::NoOp
        });
        let names = self.arena.alloc_slice_copy(&names);
        self.deferred(change, Places::Keys(names), part)
    }

    fn part(self, child: Cursor<'a>, at: usize, key: &str, part: Part<'a>) -> Diff<'a> {
        match part {
            Part::Attribute(block) => {
                let child = self.block_attribute(child);
                let known = find(block.attributes, key).map(|(_, attribute)| *attribute);
                self.attribute(child, known.unwrap_or_else(|| child.scalar_attribute()))
            }
            Part::NestedAttribute(nested) => {
                let child = child.implicit();
                let known = find(nested.attributes, key).map(|(_, attribute)| *attribute);
                self.attribute(child, known.unwrap_or_else(|| child.scalar_attribute()))
            }
            Part::ObjectMember(types) => {
                let known = find(types, key).map(|(_, ty)| *ty);
                self.typed(child.implicit(), known.unwrap_or(Type::Dynamic))
            }
            Part::Typed(ty) => self.typed(child, ty),
            Part::Tuple(types) => self.typed(child, types.get(at).copied().unwrap_or(Type::Dynamic)),
            Part::Member => self.member(child),
            Part::NestedObject(nested) => self.nested_object(child, nested),
            Part::Block(block, _) => self.block(child, block),
        }
    }

    fn covered_part(self, diff: Diff<'a>, part: Part<'a>) -> Diff<'a> {
        match part {
            Part::Block(_, sensitive) => self.covered(diff, sensitive),
            Part::Typed(_)
            | Part::Tuple(_)
            | Part::Member
            | Part::NestedObject(_)
            | Part::Attribute(_)
            | Part::NestedAttribute(_)
            | Part::ObjectMember(_) => diff,
        }
    }

    /// The cursor at two paired elements. The elements of a relevant list or set are relevant with all of
    /// their parts. In a dynamic value, upstream still follows the paths below them.
    fn paired(self, change: Cursor<'a>, (before, after): Pair, part: Part<'a>) -> Cursor<'a> {
        let child = change.index(before as usize, after as usize, self.arena);
        match part {
            Part::Member => child,
            Part::Typed(_)
            | Part::Tuple(_)
            | Part::NestedObject(_)
            | Part::Block(..)
            | Part::Attribute(_)
            | Part::NestedAttribute(_)
            | Part::ObjectMember(_) => child.always_relevant(),
        }
    }

    fn child(self, change: Cursor<'a>, places: Places<'_, 'a>, part: Part<'a>, at: usize) -> Cursor<'a> {
        match places {
            Places::Pairs(pairs) => self.paired(change, pairs.get(at), part),
            Places::Indices(_) => change.index(at, at, self.arena).if_relevant(),
            Places::Keys(keys) => change.key(keys[at], self.arena).if_relevant(),
        }
    }
}

/// Whether a change has so many values and marks that its tree would take too much memory.
fn is_heavy(change: Cursor<'_>) -> bool {
    let mut left = MIN_VALUES;
    let unknown = match change.unknown {
        Unknown::Marked(marks) => marks,
        Unknown::EveryChild => Value::Null,
    };
    for value in [change.before.value(), change.after.value(), unknown] {
        take(value, &mut left);
    }
    left == 0
}

/// Subtracts the number of values in `value` from `left`.
fn take(value: Value<'_>, left: &mut usize) {
    *left = left.saturating_sub(1);
    let mut below = |part: &Value<'_>| {
        if *left > 0 {
            take(*part, left);
        }
        *left > 0
    };
    match value {
        Value::Array(items) => _ = items.iter().all(below),
        Value::Object(object) => _ = object.members().iter().all(|(_, member)| below(member)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
