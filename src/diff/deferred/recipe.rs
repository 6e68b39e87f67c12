//! Deferred elements, and how each of them is built.

use bumpalo::Bump;

use super::{Part, Places};
use crate::diff::tree::{Diff, DiffAction, Slot};
use crate::diff::{Cursor, Differ, Mark, Paths, Unknown};

/// Elements that are built each time they are read.
#[derive(Debug)]
pub(in crate::diff) struct Deferred<'a> {
    pub(super) recipe: Recipe<'a>,
    pub(super) actions: &'a [DiffAction],
    /// The indices of elements at which a path that forces replacement ends, sorted.
    pub(super) ends: &'a [u32],
    /// Elements with other paths of their own, by index. They are built once, because the paths to them cannot
    /// be followed in a scratch arena.
    pub(super) built: &'a [(u32, Diff<'a>)],
}

impl Deferred<'_> {
    pub(in crate::diff) fn len(&self) -> usize {
        self.actions.len()
    }

    pub(in crate::diff) fn action(&self, at: usize) -> DiffAction {
        self.actions[at]
    }

    /// Builds the diff of an element in `scratch`, and passes it to `read`.
    pub(in crate::diff) fn read<R>(&self, at: usize, scratch: &Bump, read: impl FnOnce(&Diff<'_>) -> R) -> R {
        match self.built.binary_search_by_key(&at, |(at, _)| *at as usize) {
            Ok(place) => read(&self.built[place].1),
            Err(_) => {
                let ends = self.ends.binary_search(&(at as u32)).is_ok();
                read(&self.recipe.build(at, ends, scratch).1)
            }
        }
    }
}

/// Everything needed to build an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe<'a> {
    pub(super) differ: Differ<'a>,
    pub(super) sides: Sides<'a>,
    pub(super) places: Places<'a, 'a>,
    pub(super) part: Part<'a>,
}

impl<'a> Recipe<'a> {
    /// The action of an element, and its diff as readers see it. `ends` says that a path that forces replacement
    /// ends at the element.
    pub(super) fn build<'s>(&self, at: usize, ends: bool, scratch: &'s Bump) -> (DiffAction, Diff<'s>)
    where
        'a: 's,
    {
        let Recipe { differ, sides, places, part }: Recipe<'s> = *self;
        let differ = Differ { arena: scratch, ..differ };
        let mut child = differ.child(sides.change(), places, part, at);
        if ends {
            child.replace = Paths::end(scratch);
        }
        let diff = differ.part(child, at, places.key(at), part);
        (diff.action, differ.covered_part(diff, part))
    }

    /// Whether the built element has the same paths as `child`.
    pub(super) fn has_paths_of(&self, child: Cursor<'_>) -> bool {
        let is = |paths: Paths<'_>, all: bool| match paths {
            Paths::Always => all,
            Paths::Never => !all,
            Paths::Some { .. } => false,
        };
        let relevant = match (self.places, self.part) {
            (Places::Keys(_) | Places::Indices(_), _) | (Places::Pairs(_), Part::Member) => {
                self.sides.relevant
            }
            // Of these, every pair is relevant.
            (
                Places::Pairs(_),
                Part::Typed(_)
                | Part::Tuple(_)
                | Part::NestedObject(_)
                | Part::Attribute(_)
                | Part::NestedAttribute(_)
                | Part::ObjectMember(_)
                | Part::Block(..),
            ) => true,
        };
        is(child.replace, self.sides.replace) && is(child.relevant, relevant)
    }

    /// Whether the element that is built has the paths of `child`, if a path that forces replacement ends at it.
    pub(super) fn ends_at(&self, child: Cursor<'_>) -> bool {
        let replace = if self.sides.replace { Paths::Always } else { Paths::Never };
        child.replace.is_end() && self.has_paths_of(Cursor { replace, ..child })
    }
}

/// Both sides of a change with their marks, but without paths to parts of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides<'a> {
    before: Slot<'a>,
    after: Slot<'a>,
    unknown: Unknown<'a>,
    before_sensitive: Mark<'a>,
    after_sensitive: Mark<'a>,
    /// Whether all parts force replacement.
    replace: bool,
    /// Whether all parts are relevant.
    relevant: bool,
    modern: bool,
    is_implicit: bool,
}

impl<'a> Sides<'a> {
    pub(super) fn new(change: Cursor<'a>) -> Self {
        let Cursor { before, after, unknown, before_sensitive, after_sensitive, modern, is_implicit, .. } =
            change;
        Self {
            before,
            after,
            unknown,
            before_sensitive,
            after_sensitive,
            replace: matches!(change.replace, Paths::Always),
            relevant: change.relevant.cover_parts(),
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
