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
mod number;
mod object;
pub mod overlay;
pub mod pairing;
pub mod parallel;
mod paths;
mod resource;
mod serialize;
mod set;
pub mod shapes;
mod string;
pub mod tree;
pub mod value;

pub use cursor::{Change, Unknown};
pub use error::Error;
pub use mark::Mark;
pub use paths::Paths;
pub use resource::{Compared, resource};

use std::cell::Cell;

use bumpalo::Bump;

use crate::dialect::Dialect;
use crate::diff::tree::{Action, Diff, Node, Slot};
use crate::json::Value;

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
enum WhenUnknown<'a> {
    /// The old value is shown as deleted.
    Deleted,
    /// The old value's attributes are each shown as unknown.
    EveryAttribute,
    /// The old value is shown as deleted, but for what this marks as unknown.
    Marked(Value<'a>),
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

    /// The diff of a value that is a secret or unknown as a whole, or else what `compute` gives.
    ///
    /// `again` computes the diff of such a value without its mark, or of the value before an unknown one,
    /// from the start, as upstream does: rules that the mark had kept from applying may apply now. A
    /// secret's own diff gives the action, and `--show-sensitive` shows it.
    #[inline]
    fn guarded(
        self,
        change: Change<'a>,
        when_unknown: WhenUnknown<'a>,
        again: impl Fn(Change<'a>) -> Diff<'a>,
        compute: impl Fn(Change<'a>) -> Diff<'a>,
    ) -> Diff<'a> {
        let (before, after) = (change.is_before_sensitive(), change.is_after_sensitive());
        if before || after {
            self.secret(change, [before, after], &again)
        } else if change.is_unknown() {
            self.unknown(change, when_unknown, &again)
        } else {
            compute(change)
        }
    }

    #[inline(never)]
    fn secret(
        self,
        change: Change<'a>,
        [before, after]: [bool; 2],
        again: &dyn Fn(Change<'a>) -> Diff<'a>,
    ) -> Diff<'a> {
        let inner = again(change.without_sensitive());
        Diff {
            action: sensitive_action(change, inner.action, before != after),
            // Not that of the inner diff: a dynamic value has none.
            replace: change.replace.matches(),
            node: Node::Sensitive { inner: self.arena.alloc(inner), before, after },
        }
    }

    #[inline(never)]
    fn unknown(
        self,
        change: Change<'a>,
        when_unknown: WhenUnknown<'a>,
        again: &dyn Fn(Change<'a>) -> Diff<'a>,
    ) -> Diff<'a> {
        let replace = change.replace.matches();
        if change.before.is_none() {
            // The value to come counts as written, so that an explicit null before it is no creation.
            let action = Change { after: Slot::Null, ..change }.action();
            return Diff { action, replace, node: Node::Unknown { before: None } };
        }
        let mut gone = change.as_delete();
        gone.unknown = match when_unknown {
            WhenUnknown::Deleted => Unknown::NOT,
            WhenUnknown::EveryAttribute => Unknown::EveryChild,
            WhenUnknown::Marked(marks) => Unknown::Marked(marks),
        };
        let before = again(gone);
        Diff {
            action: Action::Update,
            replace,
            node: Node::Unknown { before: Some(self.arena.alloc(before)) },
        }
    }

    /// The parts of a shape that `change` may have: those that its values or marks name, and those called `always`.
    ///
    /// All others are null on both sides, and no part of the tree. Going through them too would take the time of
    /// elements times attributes where a schema is wide and there are many small elements.
    fn named<T>(
        self,
        change: Change<'a>,
        shape: &'a [(&'a str, T)],
        always: &'a [&'a str],
    ) -> impl Iterator<Item = &'a (&'a str, T)> {
        let is_all = |mark: Mark<'_>| mark.value() == Value::Bool(true);
        let every = !change.may_be_narrow(shape.len())
            || is_all(change.before_sensitive)
            || is_all(change.after_sensitive);
        let keys = if every { &[] } else { self.with_names(change.keys(self.arena), always) };
        let all = if every { shape } else { &[] };
        all.iter().chain(keys.iter().filter_map(|key| find(shape, key)))
    }

    fn with_names(self, keys: &'a [&'a str], names: &[&'a str]) -> &'a [&'a str] {
        if names.is_empty() {
            return keys;
        }
        let mut all = [keys, names].concat();
        all.sort();
        all.dedup();
        self.arena.alloc_slice_copy(&all)
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

/// The part of a shape that has this name.
fn find<'s, T>(shape: &'s [(&'s str, T)], name: &str) -> Option<&'s (&'s str, T)> {
    shape.binary_search_by_key(&name, |(key, _)| *key).ok().and_then(|at| shape.get(at))
}

/// Both sides' elements, none where a side is no array.
fn elements<'a>(change: Change<'a>) -> (&'a [Value<'a>], &'a [Value<'a>]) {
    let items = |slot: Slot<'a>| slot.value().as_array().unwrap_or_default();
    (items(change.before), items(change.after))
}
