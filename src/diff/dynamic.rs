//! Diffs of values without a type: outputs, dynamic attributes, and the contents of JSON strings.

use std::mem::discriminant;

use super::list::Lines;
use super::{Differ, WhenUnknown, elements};
use crate::diff::tree::{Diff, DiffAction, Node, Slot};
use crate::diff::{Cursor, Paths};
use crate::json::Value;
use crate::schema::Type;

impl<'a> Differ<'a> {
    /// The diff of an output.
    ///
    /// The inner value of a sensitive or unknown output is compared as a value of dynamic type.
    pub fn output(self, change: Cursor<'a>) -> Diff<'a> {
        let typed = |change| self.typed(change, Type::Dynamic);
        self.guarded(change, WhenUnknown::Deleted, typed, |change| {
            self.dynamic(Cursor { replace: Paths::Never, ..change })
        })
    }

    /// The diff of values by their own shape. Here an explicit null is a value. Nothing below a dynamic
    /// value is marked as forcing replacement.
    pub(super) fn dynamic(self, change: Cursor<'a>) -> Diff<'a> {
        let (before, after) = (change.before.value(), change.after.value());
        let is_same_kind = discriminant(&before) == discriminant(&after);
        if is_same_kind || matches!(change.before, Slot::Absent) || matches!(change.after, Slot::Absent) {
            return self.diff_as(change, if before.is_null() { after } else { before });
        }
        let gone = self.diff_as(change.as_delete(), before);
        let come = self.diff_as(change.as_create(), after);
        let node = Node::TypeChange { before: self.arena.alloc(gone), after: self.arena.alloc(come) };
        Self::container(change, DiffAction::Update, node)
    }

    /// The diff of a part of a dynamic value. An unknown part counts as created even if the value before
    /// is an explicit null.
    pub(super) fn member(self, change: Cursor<'a>) -> Diff<'a> {
        let dynamic = |change| self.dynamic(Cursor { replace: Paths::Never, ..change });
        // The action of a sensitive part is that of the value inside, so the rule applies there as well.
        let created = |change: Cursor<'a>, diff: Diff<'a>| {
            let comes = change.before.is_none() && matches!(diff.node, Node::Unknown { before: None });
            if comes { Diff { action: DiffAction::Create, ..diff } } else { diff }
        };
        let again = |change| created(change, self.guarded(change, WhenUnknown::Deleted, dynamic, dynamic));
        created(change, self.guarded(change, WhenUnknown::Deleted, again, dynamic))
    }

    /// The diff of two values of the same kind as `like`.
    fn diff_as(self, change: Cursor<'a>, like: Value<'a>) -> Diff<'a> {
        match like {
            Value::Null | Value::Bool(_) | Value::Number(_) => Self::scalar(change),
            Value::String(_) => self.string(change),
            Value::Object(_) => {
                let keys = change.keys(self.arena);
                let (members, action) = self.keyed(change, keys, |child| self.member(child));
                Self::container(change, action, Node::Object { members, nested: false })
            }
            Value::Array(_) => self.array(change),
        }
    }

    fn array(self, change: Cursor<'a>) -> Diff<'a> {
        let (before, after) = elements(change);
        let lines = Lines::default();
        let pairs = self.pair_elements(before, after, |before, after| self.may_pair(before, after, &lines));
        // In a dynamic value, upstream follows the relevant paths below the elements too.
        let (items, action) = self.paired(change, pairs.into_iter(), |child| self.member(child));
        Self::container(change, action, Node::List { items, nested: false })
    }
}
