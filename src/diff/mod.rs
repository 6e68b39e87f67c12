//! From a change and a shape to a Diff tree.
//!
//! Directed by the schema: what a value is decides how its children are paired. Invariants: nothing
//! is printed here and nothing refused (a value that does not fit its type is compared by its own
//! shape); every part of a value that the shape names is in the tree, changed or not.

pub mod align;
mod block;
mod cursor;
mod dynamic;
pub mod embedded;
mod error;
pub mod intern;
mod list;
mod mark;
mod object;
pub mod pairing;
pub mod parallel;
mod paths;
mod set;
pub mod shapes;
mod string;
pub mod tree;
pub mod value;

pub use cursor::{Change, Unknown};
pub use error::Error;
pub use mark::Mark;
pub use paths::Paths;

use std::cell::Cell;

use bumpalo::Bump;

use crate::diff::tree::{Action, Diff, Node, Slot};
use crate::json::Value;
use crate::model::Dialect;

/// Computes diffs into an arena.
#[derive(Clone, Copy, Debug)]
pub struct Differ<'a> {
    arena: &'a Bump,
    dialect: Dialect,
    /// How many strings of JSON the value at hand lies in.
    strings: usize,
    /// Set when an alignment was cut short.
    bounded: &'a Cell<bool>,
}

/// What may be looked at inside a value that is unknown as a whole: its old value.
#[derive(Clone, Copy)]
enum WhenUnknown {
    /// The old value is shown as deleted.
    Deleted,
    /// The old value's attributes are each shown as unknown.
    EveryAttribute,
}

impl<'a> Differ<'a> {
    /// A differ that follows the rules of `dialect`.
    pub fn new(arena: &'a Bump, dialect: Dialect) -> Self {
        Self { arena, dialect, strings: 0, bounded: arena.alloc(Cell::new(false)) }
    }

    /// Whether an alignment would have taken too long, so that what was paired may not be what the
    /// tools pair.
    pub fn was_bounded(self) -> bool {
        self.bounded.get()
    }

    /// The diff of a value that is (partly) secret or unknown, or else what `compute` gives.
    ///
    /// A secret's own diff is still computed: it tells the action, and `--show-sensitive` shows it.
    #[inline]
    fn guarded(
        self,
        change: Change<'a>,
        when_unknown: WhenUnknown,
        compute: impl Fn(Change<'a>) -> Diff<'a>,
    ) -> Diff<'a> {
        let (before, after) = (change.is_before_sensitive(), change.is_after_sensitive());
        if before || after {
            return self.secret(change, [before, after], when_unknown, &compute);
        }
        self.unless_unknown(change, when_unknown, compute)
    }

    #[inline(never)]
    fn secret(
        self,
        change: Change<'a>,
        [before, after]: [bool; 2],
        when_unknown: WhenUnknown,
        compute: &dyn Fn(Change<'a>) -> Diff<'a>,
    ) -> Diff<'a> {
        let inner = self.unless_unknown(change.without_sensitive(), when_unknown, compute);
        let action = sensitive_action(change, inner.action, before != after);
        Diff {
            action,
            replace: inner.replace,
            node: Node::Sensitive { inner: self.arena.alloc(inner), before, after },
        }
    }

    #[inline]
    fn unless_unknown(
        self,
        change: Change<'a>,
        when_unknown: WhenUnknown,
        compute: impl Fn(Change<'a>) -> Diff<'a>,
    ) -> Diff<'a> {
        if change.is_unknown() { self.unknown(change, when_unknown, &compute) } else { compute(change) }
    }

    #[inline(never)]
    fn unknown(
        self,
        change: Change<'a>,
        when_unknown: WhenUnknown,
        compute: &dyn Fn(Change<'a>) -> Diff<'a>,
    ) -> Diff<'a> {
        let replace = change.replace.matches();
        if change.before.is_none() {
            // The value to come counts as written, so that an explicit null before it is no creation.
            let action = Change { after: Slot::Null, ..change }.action();
            return Diff { action, replace, node: Node::Unknown { before: None } };
        }
        let mut gone = change.as_delete();
        if matches!(when_unknown, WhenUnknown::EveryAttribute) {
            gone.unknown = Unknown::EveryChild;
        }
        let mut before = compute(gone);
        before.replace &= self.dialect.repeats_replacement_of_unknown();
        Diff {
            action: Action::Update,
            replace,
            node: Node::Unknown { before: Some(self.arena.alloc(before)) },
        }
    }

    /// The diff of a value that has no children to look at.
    fn leaf(change: Change<'a>, node: Node<'a>) -> Diff<'a> {
        Diff { action: change.action(), replace: change.replace.matches(), node }
    }

    fn scalar(change: Change<'a>) -> Diff<'a> {
        Self::leaf(change, Node::Scalar { before: change.before, after: change.after, is_string: false })
    }
}

/// The action of a secret: a change of the mark alone is an update, unless there is no value at all.
fn sensitive_action(change: Change<'_>, inner: Action, status_changed: bool) -> Action {
    let nothing = change.before == Slot::Absent && change.after == Slot::Absent;
    if inner == Action::NoOp && status_changed && !nothing { Action::Update } else { inner }
}

/// Both sides' elements, none where a side is no array.
fn elements<'a>(change: Change<'a>) -> (&'a [Value<'a>], &'a [Value<'a>]) {
    let items = |slot: Slot<'a>| slot.value().as_array().unwrap_or_default();
    (items(change.before), items(change.after))
}
