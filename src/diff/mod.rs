//! The diff engine: compares the two sides of a change by a schema, and returns a Diff tree ([`Differ`]) or edits
//! ([`edits`]).
//!
//! The tree is for the tools' own text and pairs elements as the tools do. Edits are for reviews and the comparison of
//! plans, and pair elements by identity. For `["a", "b"]` that becomes `["b", "c"]`:
//!
//! ```text
//! tree    List [ Delete "a", NoOp "b", Create "c" ]        every part, in the order of the text
//! edits   [0] "a" -> absent,  [1] absent -> "c"            only what differs; "b" kept its neighbors
//! ```
//!
//! *Upstream* means the renderers of Terraform and OpenTofu, whose results the tree reproduces, including their
//! mistakes.
//!
//! Invariants of the tree: nothing is printed, and no value is rejected (one that does not match its type is compared
//! by its own shape). Every part of a value that the shape names is in the tree, changed or not.

pub mod align;
mod block;
mod cursor;
pub mod edits;
pub mod embedded;
mod error;
mod list;
mod mark;
pub mod notes;
mod object;
pub mod pairing;
pub mod parallel;
mod paths;
mod resource;
pub mod shapes;
mod size;
mod string;
pub mod tree;
pub mod value;

pub use cursor::{Cursor, Unknown};
pub use error::Error;
pub use mark::Mark;
pub use paths::{Paths, RelevantPaths};
pub use resource::resource;

use std::cell::Cell;

use bumpalo::Bump;

use self::cursor::Side;
use self::list::{Pair, by_index};
use self::tree::{Diff, DiffAction, Entry, Node};
use crate::dialect::Dialect;
use crate::json::Value;
use crate::schema::Facts;

/// Turns one change into a Diff tree, as the tools' own renderer does.
#[derive(Clone, Copy, Debug)]
pub struct Differ<'a> {
    /// The arena that the tree is allocated in.
    arena: &'a Bump,
    /// The tool and its release. Releases pair or show some values differently.
    dialect: Dialect,
    /// The number of strings with JSON around the current value. JSON in strings is read down to four levels.
    string_depth: usize,
    /// Whether the shape is a guess, so that a value that it calls a set may be a list.
    is_guess: bool,
    /// Whether an alignment reached its limit of steps. It is shared by all copies of this differ.
    is_approximate: &'a Cell<bool>,
}

impl<'a> Differ<'a> {
    /// Creates a differ for shapes that are not a guess.
    pub fn new(arena: &'a Bump, dialect: Dialect) -> Self {
        Self {
            arena,
            dialect,
            string_depth: 0,
            is_guess: false,
            is_approximate: arena.alloc(Cell::new(false)),
        }
    }

    /// Whether an alignment reached its limit of steps, so that elements may be paired differently from the tools.
    pub fn is_approximate(self) -> bool {
        self.is_approximate.get()
    }

    /// Compares a value that may be sensitive or unknown as a whole. `diff` compares a value that is neither.
    ///
    /// If the value after is unknown, the value before is shown as deleted, except for the parts that `unknown_before`
    /// marks. `diff_unmarked` compares a sensitive value without its mark, or the value before an unknown one. It
    /// starts anew, as upstream does, because rules that the mark suppressed may apply then. The diff of a sensitive
    /// value determines its action, and is shown by `--show-sensitive`.
    #[inline]
    fn with_marks(
        self,
        change: Cursor<'a>,
        unknown_before: Unknown<'a>,
        diff_unmarked: impl Fn(Cursor<'a>) -> Diff<'a>,
        diff: impl Fn(Cursor<'a>) -> Diff<'a>,
    ) -> Diff<'a> {
        let (before, after) = (change.before.is_sensitive(), change.after.is_sensitive());
        if before || after {
            self.sensitive(change, [before, after], &diff_unmarked)
        } else if change.is_unknown() {
            self.unknown(change, unknown_before, &diff_unmarked)
        } else {
            diff(change)
        }
    }

    /// Returns the diff of a value without its marks, wrapped as sensitive on the sides that are marked.
    fn sensitive(
        self,
        change: Cursor<'a>,
        [before, after]: [bool; 2],
        diff_unmarked: &dyn Fn(Cursor<'a>) -> Diff<'a>,
    ) -> Diff<'a> {
        let inner = diff_unmarked(change.without_sensitive());
        let action = sensitive_action(change, inner.action, before != after);
        let (inner, lacks_schema) = (self.arena.alloc(inner), change.lacks_schema());
        // The inner diff does not tell whether a replacement is forced: that of a dynamic value never does.
        Self::container(
            change,
            action,
            Node::Sensitive {
                inner,
                before,
                after,
                lacks_schema,
                is_block: false,
            },
        )
    }

    /// Returns the diff of a value that becomes unknown: a creation, or the removal of the value before, as
    /// `diff_unmarked` compares it.
    fn unknown(
        self,
        change: Cursor<'a>,
        unknown_before: Unknown<'a>,
        diff_unmarked: &dyn Fn(Cursor<'a>) -> Diff<'a>,
    ) -> Diff<'a> {
        let replace = change.replace.matches();
        if change.before.is_none() {
            // The unknown value counts as present, so that an explicit null before it is not a creation.
            let after = Side {
                slot: Some(Value::Null),
                ..change.after
            };
            let action = Cursor { after, ..change }.action();
            return Diff {
                action,
                replace,
                node: Node::Unknown { before: None },
            };
        }
        let gone = Cursor {
            unknown: unknown_before,
            ..change.as_delete()
        };
        let before = Some(&*self.arena.alloc(diff_unmarked(gone)));
        Diff {
            action: DiffAction::Update,
            replace,
            node: Node::Unknown { before },
        }
    }

    /// Returns the parts of `shape` that the values or marks of `change` contain, and those in `always`.
    ///
    /// All others are null on both sides and not in the tree. Visiting them too would take time proportional to
    /// elements times attributes, which is much for many small elements with a wide schema.
    fn named<T>(
        self,
        change: Cursor<'a>,
        shape: &'a [(&'a str, T)],
        always: &'a [&'a str],
    ) -> impl Iterator<Item = &'a (&'a str, T)> {
        let is_all = |mark: Mark<'_>| mark.value() == Value::Bool(true);
        let every = !change.may_be_narrow(shape.len())
            || is_all(change.before.mark)
            || is_all(change.after.mark);
        let mut keys = if every {
            Vec::new()
        } else {
            [change.keys(self.arena), always].concat()
        };
        keys.sort(); // the stable sort merges sorted runs
        keys.dedup();
        let all = if every { shape } else { &[] };
        all.iter()
            .chain(keys.into_iter().filter_map(|key| find(shape, key)))
    }

    /// Returns the attributes that the values have and an open shape does not list.
    fn unnamed<T>(
        self,
        change: Cursor<'a>,
        shape: &'a [(&'a str, T)],
        facts: Facts<'a>,
        is_block: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = &'a str> {
        let keys = if facts.open {
            change.keys(self.arena)
        } else {
            &[]
        };
        keys.iter()
            .copied()
            .filter(move |key| find(shape, key).is_none() && !is_block(key))
    }

    /// Compares the paired elements of two lists, and folds their actions into the action of the list. `compute`
    /// receives the index of the element before.
    fn paired(
        self,
        change: Cursor<'a>,
        pairs: impl ExactSizeIterator<Item = Pair>,
        compute: impl Fn(u32, Cursor<'a>) -> Diff<'a>,
    ) -> (&'a mut [Diff<'a>], DiffAction) {
        let mut action = change.own_action();
        let mut diffs = bumpalo::collections::Vec::with_capacity_in(pairs.len(), self.arena);
        diffs.extend(pairs.map(|(before, after)| {
            let diff = compute(
                before,
                change.index(before as usize, after as usize, self.arena),
            );
            action = action.fold(diff.action);
            diff
        }));
        (diffs.into_bump_slice_mut(), action)
    }

    /// Compares the first `count` elements of two lists at equal indices.
    fn by_index(
        self,
        change: Cursor<'a>,
        count: usize,
        compute: impl Fn(u32, Cursor<'a>) -> Diff<'a>,
    ) -> (&'a mut [Diff<'a>], DiffAction) {
        let pairs = by_index(count).into_iter();
        self.paired(change, pairs, |index, child| {
            compute(index, child.if_relevant())
        })
    }

    /// Compares the members of two objects or maps. `keys` must be sorted.
    fn keyed(
        self,
        change: Cursor<'a>,
        keys: &'a [&'a str],
        compute: impl Fn(Cursor<'a>) -> Diff<'a>,
    ) -> (&'a [Entry<'a>], DiffAction) {
        let walk = |side: Side<'a>| side.value().as_object().unwrap_or_default().walk();
        let (mut before, mut after) = (walk(change.before), walk(change.after));
        let mut action = change.own_action();
        let entries = self.arena.alloc_slice_fill_iter(keys.iter().map(|key| {
            let child = change.member(key, before.get(key), after.get(key), self.arena);
            let diff = compute(child.if_relevant());
            action = action.fold(diff.action);
            Entry { key, diff }
        }));
        (entries, action)
    }

    /// Returns the diff of a value with children, which have determined its action.
    fn container(change: Cursor<'a>, action: DiffAction, node: Node<'a>) -> Diff<'a> {
        Diff {
            action,
            replace: change.replace.matches(),
            node,
        }
    }

    /// Returns the diff of a value without children, whose action is determined by its two sides.
    fn leaf(change: Cursor<'a>, node: Node<'a>) -> Diff<'a> {
        Self::container(change, change.action(), node)
    }

    /// Returns the diff of a bool, number, null or string on one line.
    fn scalar(change: Cursor<'a>) -> Diff<'a> {
        Self::leaf(
            change,
            Node::Scalar {
                before: change.before.slot,
                after: change.after.slot,
                is_string: false,
            },
        )
    }
}

/// Returns the action of a sensitive value with the diff `inner`. If only the mark changes, it is an update, unless
/// both sides are absent.
fn sensitive_action(change: Cursor<'_>, inner: DiffAction, status_changed: bool) -> DiffAction {
    let nothing = change.before.slot.is_none() && change.after.slot.is_none();
    if inner == DiffAction::NoOp && status_changed && !nothing {
        DiffAction::Update
    } else {
        inner
    }
}

/// Finds a part of a shape by its name, by binary search. Shapes are sorted by name.
fn find<'s, T>(shape: &'s [(&'s str, T)], name: &str) -> Option<&'s (&'s str, T)> {
    shape
        .binary_search_by_key(&name, |(key, _)| *key)
        .ok()
        .and_then(|index| shape.get(index))
}

/// Returns the elements before and after; none for a side that is not a list.
fn elements<'a>(change: Cursor<'a>) -> (&'a [Value<'a>], &'a [Value<'a>]) {
    let items = |side: Side<'a>| side.value().as_array().unwrap_or_default();
    (items(change.before), items(change.after))
}
