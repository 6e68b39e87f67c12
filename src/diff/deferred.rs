//! Compares the elements of a collection, at once or one by one.
//!
//! Invariants: whether elements are deferred does not change what is read of them. A deferred element is
//! compared twice, for its action and for its text, and so are those inside it: the number of deferred
//! collections inside each other is limited, so the work stays linear.

use bumpalo::Bump;

use super::elements::Elements;
use super::list::Pair;
use super::tree::{Diff, DiffAction, Slot};
use super::{Cursor, Differ, Mark, Paths, Unknown};
use crate::json::Value;
use crate::schema::{Block, NestedType, Type};

/// Changes with less text than this are built at once.
const LARGE: usize = 256 << 10;

/// Of collections with fewer values than this, the elements are built at once.
const HEAVY: usize = 4 << 10;

/// The number of deferred collections inside each other.
const LEVELS: u8 = 12;

/// A scratch arena is emptied when it has grown to this size.
const SCRATCH: usize = 64 << 10;

/// The places of elements on both sides.
#[derive(Clone, Copy, Debug)]
pub(super) enum Places<'p, 'a> {
    /// Paired elements of two lists.
    Pairs(&'p [Pair]),
    /// The first so many elements of two lists, paired by index.
    Indices(usize),
    /// The members with these keys, which are sorted.
    Keys(&'a [&'a str]),
}

/// How elements are compared.
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
}

impl<'a> Differ<'a> {
    /// The differ for a change with so many bytes of values and marks.
    pub fn for_size(self, size: usize) -> Self {
        Self { deferrals: if size < LARGE { 0 } else { LEVELS }, ..self }
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
            let diff = self.part(child, at, part);
            action = action.fold(diff.action);
            self.covered_part(diff, part)
        };
        let elements = match places {
            Places::Pairs(pairs) => {
                let items = pairs.iter().enumerate().map(|(at, (before, after))| {
                    let child = change.index(*before as usize, *after as usize, self.arena);
                    diff(at, child.always_relevant())
                });
                Elements::built(self.arena.alloc_slice_fill_iter(items))
            }
            Places::Indices(count) => {
                let items = (0..count).map(|at| diff(at, change.index(at, at, self.arena).always_relevant()));
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
            Places::Pairs(pairs) => (&[], Places::Pairs(self.arena.alloc_slice_copy(pairs))),
            Places::Indices(count) => (&[], Places::Indices(count)),
            Places::Keys(keys) => (keys, Places::Keys(keys)),
        };
        let differ = Self { deferrals: self.deferrals - 1, ..self };
        let recipe = Recipe { differ, sides: Sides::new(change), places, part };
        let mut action = change.own_action();
        let mut built = Vec::new();
        let mut scratch = Bump::new();
        let actions = self.arena.alloc_slice_fill_iter((0..places.len()).map(|at| {
            if scratch.allocated_bytes() > SCRATCH {
                scratch.reset();
            }
            let child = if change.has_paths() { Some(differ.child(change, places, at)) } else { None };
            // The paths that end at or below an element are at least as long in the document as its index.
            let child = child.filter(|child| !recipe.has_paths_of(*child));
            let (own, shown) = match child {
                Some(child) => {
                    let diff = differ.part(child, at, part);
                    let covered = differ.covered_part(diff, part);
                    built.push((at as u32, covered));
                    (diff.action, covered.action)
                }
                None => {
                    let (own, diff) = recipe.build(at, &scratch);
                    (own, diff.action)
                }
            };
            action = action.fold(own);
            shown
        }));
        let built = self.arena.alloc_slice_copy(&built);
        let deferred = self.arena.alloc(Deferred { recipe, actions, built });
        (Elements::deferred(keys, deferred), action)
    }

    fn part(self, child: Cursor<'a>, at: usize, part: Part<'a>) -> Diff<'a> {
        match part {
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
            Part::Typed(_) | Part::Tuple(_) | Part::Member | Part::NestedObject(_) => diff,
        }
    }

    fn child(self, change: Cursor<'a>, places: Places<'_, 'a>, at: usize) -> Cursor<'a> {
        match places {
            Places::Pairs(pairs) => {
                let (before, after) = pairs[at];
                change.index(before as usize, after as usize, self.arena).always_relevant()
            }
            Places::Indices(_) => change.index(at, at, self.arena).always_relevant(),
            Places::Keys(keys) => change.key(keys[at], self.arena).if_relevant(),
        }
    }
}

/// Elements that are built when they are read.
#[derive(Debug)]
pub(super) struct Deferred<'a> {
    recipe: Recipe<'a>,
    actions: &'a [DiffAction],
    /// The elements with paths of their own, in order: these are built, because paths cannot be followed
    /// for a short time only.
    built: &'a [(u32, Diff<'a>)],
}

impl Deferred<'_> {
    pub(super) fn len(&self) -> usize {
        self.actions.len()
    }

    pub(super) fn action(&self, at: usize) -> DiffAction {
        self.actions[at]
    }

    /// Reads the diff of an element, which is built in `scratch`.
    pub(super) fn read<R>(&self, at: usize, scratch: &Bump, read: impl FnOnce(&Diff<'_>) -> R) -> R {
        match self.built.binary_search_by_key(&at, |(at, _)| *at as usize) {
            Ok(place) => read(&self.built[place].1),
            Err(_) => read(&self.recipe.build(at, scratch).1),
        }
    }
}

/// How to build an element.
#[derive(Clone, Copy, Debug)]
struct Recipe<'a> {
    differ: Differ<'a>,
    sides: Sides<'a>,
    places: Places<'a, 'a>,
    part: Part<'a>,
}

impl<'a> Recipe<'a> {
    /// The action of an element, and its diff as it is shown.
    fn build<'s>(&self, at: usize, scratch: &'s Bump) -> (DiffAction, Diff<'s>)
    where
        'a: 's,
    {
        let Recipe { differ, sides, places, part }: Recipe<'s> = *self;
        let differ = Differ { arena: scratch, ..differ };
        let diff = differ.part(differ.child(sides.change(), places, at), at, part);
        (diff.action, differ.covered_part(diff, part))
    }

    /// Whether the element that is built has the paths of `child`.
    fn has_paths_of(&self, child: Cursor<'_>) -> bool {
        let is = |paths: Paths<'_>, all: bool| match paths {
            Paths::Always => all,
            Paths::Never => !all,
            Paths::Some { .. } => false,
        };
        let relevant = match self.places {
            Places::Keys(_) => self.sides.relevant,
            Places::Pairs(_) | Places::Indices(_) => true,
        };
        is(child.replace, self.sides.replace) && is(child.relevant, relevant)
    }
}

/// A change without the paths that lead to some of its parts.
#[derive(Clone, Copy, Debug)]
struct Sides<'a> {
    before: Slot<'a>,
    after: Slot<'a>,
    unknown: Unknown<'a>,
    before_sensitive: Mark<'a>,
    after_sensitive: Mark<'a>,
    /// Whether everything forces replacement.
    replace: bool,
    /// Whether everything is relevant.
    relevant: bool,
    modern: bool,
    is_implicit: bool,
}

impl<'a> Sides<'a> {
    fn new(change: Cursor<'a>) -> Self {
        let Cursor { before, after, unknown, before_sensitive, after_sensitive, modern, is_implicit, .. } =
            change;
        let always = |paths| matches!(paths, Paths::Always);
        Self {
            before,
            after,
            unknown,
            before_sensitive,
            after_sensitive,
            replace: always(change.replace),
            relevant: always(change.relevant),
            modern,
            is_implicit,
        }
    }

    fn change<'s>(self) -> Cursor<'s>
    where
        'a: 's,
    {
        let Sides { before, after, unknown, before_sensitive, after_sensitive, modern, is_implicit, .. } =
            self;
        let paths = |all| if all { Paths::Always } else { Paths::Never };
        Cursor {
            before,
            after,
            unknown,
            before_sensitive,
            after_sensitive,
            replace: paths(self.replace),
            relevant: paths(self.relevant),
            modern,
            is_implicit,
        }
    }
}

/// Whether a change has so many values and marks that its tree would take much memory.
fn is_heavy(change: Cursor<'_>) -> bool {
    let mut left = HEAVY;
    let unknown = match change.unknown {
        Unknown::Marked(marks) => marks,
        Unknown::EveryChild => Value::Null,
    };
    for value in [change.before.value(), change.after.value(), unknown] {
        take(value, &mut left);
    }
    left == 0
}

/// Takes the number of values in `value` from `left`.
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
