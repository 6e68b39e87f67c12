//! A cursor over one change: what was, what will be, and the marks that go with both.
//!
//! A [`Change`] stands on one value and moves to its children; it is `Copy` and owns nothing.
//! Invariants: all marks stand on the same path as the values; a mark that does not fit the value
//! it stands over counts as covering all of it, so that nothing is shown by mistake.

use bumpalo::Bump;

use super::{Mark, Paths};
use crate::diff::tree::{Action, Slot};
use crate::json::{self, Value};
use crate::model::plan;

/// One value of a change, on both sides, with its marks.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The value before.
    pub before: Slot<'a>,
    /// The value after.
    pub after: Slot<'a>,
    /// Where the value after is not known yet.
    pub unknown: Unknown<'a>,
    /// Where the value before is a secret.
    pub before_sensitive: Mark<'a>,
    /// Where the value after is a secret.
    pub after_sensitive: Mark<'a>,
    /// The paths below that force the replacement.
    pub replace: Paths<'a>,
    /// The paths below that matter (in drift); what does not is shown as unchanged.
    pub relevant: Paths<'a>,
    /// The value belongs to a schema that tells null from the empty string (Terraform only).
    pub modern: bool,
    /// The value is an attribute of a block or object, where null and absence are the same.
    pub is_implicit: bool,
}

/// Where a value is not known yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unknown<'a> {
    /// As the document says.
    Marked(Value<'a>),
    /// Every direct child; itself known. Stands for the members of an object that is unknown as a whole.
    EveryChild,
}

impl<'a> Unknown<'a> {
    /// Known, with all below.
    pub const NOT: Self = Self::Marked(Value::Null);

    /// Whether the whole value is not known yet.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Marked(Value::Bool(true)))
    }

    fn key(self, key: &str) -> Self {
        match self {
            Self::Marked(value) => Self::Marked(value.get(key).unwrap_or_default()),
            Self::EveryChild => Self::Marked(Value::Bool(true)),
        }
    }

    /// What is unknown of the element at `index`.
    pub fn index(self, index: usize) -> Self {
        match self {
            Self::Marked(value) => {
                Self::Marked(value.as_array().and_then(|items| items.get(index)).copied().unwrap_or_default())
            }
            Self::EveryChild => Self::Marked(Value::Bool(true)),
        }
    }
}

impl<'a> Change<'a> {
    /// The cursor at the top of a document's change. `relevant` is [`Paths::Always`] but for drift.
    pub fn of_document(
        change: &plan::Change<'a>,
        relevant: Paths<'a>,
        arena: &'a Bump,
    ) -> Result<Self, json::Error> {
        let value = |raw: Option<json::Raw<'a>>| raw.map_or(Ok(Value::Null), |raw| raw.value(arena));
        let implicit = |raw| {
            let value = value(raw)?;
            Ok::<_, json::Error>(if value.is_null() { Slot::Absent } else { Slot::Value(value) })
        };
        let (before, after) = (implicit(change.before)?, implicit(change.after)?);
        Ok(Self {
            before,
            after,
            unknown: Unknown::Marked(value(change.after_unknown)?),
            before_sensitive: Mark::new(value(change.before_sensitive)?).fitted(before.value(), arena),
            after_sensitive: Mark::new(value(change.after_sensitive)?).fitted(after.value(), arena),
            replace: Paths::of_document(value(change.replace_paths)?, arena),
            relevant,
            modern: false,
            is_implicit: true,
        })
    }

    /// The cursor at a value that does not change: a state, an action's configuration.
    pub fn unchanged(value: Value<'a>, sensitive: Value<'a>) -> Self {
        let slot = if value.is_null() { Slot::Absent } else { Slot::Value(value) };
        let mark = Mark::new(sensitive);
        Self {
            before: slot,
            after: slot,
            unknown: Unknown::NOT,
            before_sensitive: mark,
            after_sensitive: mark,
            replace: Paths::Never,
            relevant: Paths::Always,
            modern: false,
            is_implicit: true,
        }
    }

    /// The cursor at two values without marks.
    pub fn of_slots(before: Slot<'a>, after: Slot<'a>) -> Self {
        Self { before, after, ..Self::unchanged(Value::Null, Value::Null) }
    }

    /// The cursor at the member or element `key`.
    pub fn key(self, key: &str, arena: &'a Bump) -> Self {
        self.member(key, self.before.value().get(key), self.after.value().get(key), arena)
    }

    /// The same for whoever has looked up the values of the member.
    pub fn member(
        self,
        key: &str,
        before: Option<Value<'a>>,
        after: Option<Value<'a>>,
        arena: &'a Bump,
    ) -> Self {
        let slot = |value| match value {
            None => Slot::Absent,
            Some(Value::Null) => Slot::Null,
            Some(value) => Slot::Value(value),
        };
        let (before, after) = (slot(before), slot(after));
        Self {
            before,
            after,
            unknown: self.unknown.key(key),
            before_sensitive: self.before_sensitive.key(key).fitted(before.value(), arena),
            after_sensitive: self.after_sensitive.key(key).fitted(after.value(), arena),
            replace: self.replace.key(key, arena),
            relevant: self.relevant.key(key, arena),
            modern: self.modern,
            is_implicit: false,
        }
    }

    /// The cursor at two elements that were paired. An index past the end means that there is none.
    /// What a list or set holds is relevant when the collection is; and the schema's generation is
    /// not handed on through them.
    pub fn index(self, before: usize, after: usize, arena: &'a Bump) -> Self {
        let slot =
            |slot: Slot<'a>, index: usize| match slot.value().as_array().and_then(|items| items.get(index)) {
                None => Slot::Absent,
                Some(Value::Null) => Slot::Null,
                Some(value) => Slot::Value(*value),
            };
        let (old, new) = (slot(self.before, before), slot(self.after, after));
        let mark = |slot: Slot<'a>, mark: Mark<'a>, index| match slot {
            Slot::Absent => Mark::NONE,
            Slot::Null | Slot::Value(_) => mark.index(index).fitted(slot.value(), arena),
        };
        // The paths name elements by their place; upstream looks them up by the one before, if there is one.
        let place = if matches!(old, Slot::Absent) { after } else { before };
        Self {
            before: old,
            after: new,
            unknown: self.unknown.index(after),
            before_sensitive: mark(old, self.before_sensitive, before),
            after_sensitive: mark(new, self.after_sensitive, after),
            replace: self.replace.index(place, arena),
            relevant: self.relevant,
            modern: false,
            is_implicit: false,
        }
    }

    /// Whether the whole value is not known yet.
    pub fn is_unknown(self) -> bool {
        self.unknown.is_whole()
    }

    /// Whether the whole value before is a secret.
    pub fn is_before_sensitive(self) -> bool {
        self.before_sensitive.covers(self.before.value())
    }

    /// Whether the whole value after is a secret.
    pub fn is_after_sensitive(self) -> bool {
        self.after_sensitive.covers(self.after.value())
    }

    /// Whether there is no value on either side.
    pub fn is_null(self) -> bool {
        self.before.is_none() && self.after.is_none()
    }

    /// What happens to a value that has no children.
    pub fn action(self) -> Action {
        let absent = |slot| matches!(slot, Slot::Absent);
        if absent(self.before) && !absent(self.after) {
            Action::Create
        } else if absent(self.after) && !absent(self.before) {
            Action::Delete
        } else if self.before == self.after && self.is_before_sensitive() == self.is_after_sensitive() {
            Action::NoOp
        } else {
            Action::Update
        }
    }

    /// What happens to a value with children, before its children are looked at.
    pub fn own_action(self) -> Action {
        match (self.before.is_none(), self.after.is_none()) {
            (true, false) => Action::Create,
            (false, true) => Action::Delete,
            (true, true) | (false, false) => Action::NoOp,
        }
    }

    /// The same, with the value before on both sides. Where only the value after is marked, the
    /// value before is taken for the same secret. Upstream forgets the schema's generation on the way.
    pub fn as_no_op(self) -> Self {
        let marks_differ = self.after_sensitive != self.before_sensitive;
        let mark =
            if marks_differ && self.after_sensitive.is_any() { Mark::ALL } else { self.before_sensitive };
        Self {
            after: self.before,
            before_sensitive: mark,
            after_sensitive: mark,
            unknown: Unknown::NOT,
            modern: false,
            ..self
        }
    }

    /// The removal of the value before. Upstream forgets the schema's generation on the way.
    pub fn as_delete(self) -> Self {
        Self {
            after: Slot::Absent,
            after_sensitive: Mark::NONE,
            unknown: Unknown::NOT,
            modern: false,
            ..self
        }
    }

    /// The appearance of the value after.
    pub fn as_create(self) -> Self {
        Self { before: Slot::Absent, before_sensitive: Mark::NONE, ..self }
    }

    /// The same without marks on the value itself: what a sensitive value's own diff is made of.
    pub fn without_sensitive(self) -> Self {
        Self { before_sensitive: Mark::NONE, after_sensitive: Mark::NONE, modern: false, ..self }
    }

    /// The same without the marks that cover a whole side. Marks on parts of the other side stay.
    pub fn without_covering(self) -> Self {
        let (before, after) = (self.is_before_sensitive(), self.is_after_sensitive());
        let bare = |covers, mark| if covers { Mark::NONE } else { mark };
        Self {
            before_sensitive: bare(before, self.before_sensitive),
            after_sensitive: bare(after, self.after_sensitive),
            modern: self.modern && !before && !after,
            ..self
        }
    }

    /// The same with both values marked, as far as there are values: they are known to be secrets
    /// from elsewhere.
    pub fn all_sensitive(self) -> Self {
        let marked = |slot: Slot<'a>, mark| if slot.is_none() { mark } else { Mark::ALL };
        Self {
            before_sensitive: marked(self.before, self.before_sensitive),
            after_sensitive: marked(self.after, self.after_sensitive),
            ..self
        }
    }

    /// As an attribute of a block or object: there, null and absence are the same.
    pub fn implicit(self) -> Self {
        let implicit = |slot| if matches!(slot, Slot::Null) { Slot::Absent } else { slot };
        Self { before: implicit(self.before), after: implicit(self.after), is_implicit: true, ..self }
    }

    /// The same, shown as unchanged if nothing below is relevant.
    pub fn if_relevant(self) -> Self {
        if self.relevant.may_match() { self } else { self.as_no_op() }
    }

    /// The same, with all that is below relevant: what a list or set holds is as relevant as itself.
    pub fn always_relevant(self) -> Self {
        Self { relevant: Paths::Always, ..self }
    }

    /// Whether a shape of so many parts is far wider than what the values and their marks name.
    pub fn may_be_narrow(self, parts: usize) -> bool {
        const WIDE: usize = 32;
        let Unknown::Marked(unknown) = self.unknown else { return false };
        let count = |value: Value<'_>| value.as_object().map_or(0, |object| object.members().len());
        parts > WIDE
            && parts / 4
                > count(self.before.value())
                    + count(self.after.value())
                    + count(unknown)
                    + count(self.before_sensitive.value())
                    + count(self.after_sensitive.value())
    }

    /// All keys that the values or their marks name, sorted and unique.
    pub fn keys(self, arena: &'a Bump) -> &'a [&'a str] {
        let unknown = match self.unknown {
            Unknown::Marked(value) => value,
            Unknown::EveryChild => Value::Null,
        };
        sorted_keys(
            &[
                self.before.value(),
                self.after.value(),
                unknown,
                self.before_sensitive.value(),
                self.after_sensitive.value(),
            ],
            arena,
        )
    }

    /// All keys that the values name, sorted and unique.
    pub fn value_keys(self, arena: &'a Bump) -> &'a [&'a str] {
        sorted_keys(&[self.before.value(), self.after.value()], arena)
    }
}

fn sorted_keys<'a>(sources: &[Value<'a>], arena: &'a Bump) -> &'a [&'a str] {
    let mut keys: Vec<&str> = Vec::new();
    for object in sources.iter().filter_map(|value| value.as_object()) {
        let names = object.members().iter().map(|(key, _)| *key);
        if !names.clone().eq(keys.iter().copied()) {
            keys.extend(names); // most often, both sides have the same keys
        }
    }
    keys.sort(); // stable, because that merges what is sorted already
    keys.dedup();
    arena.alloc_slice_copy(&keys)
}

impl Action {
    /// The action of a whole, given that of one more of its parts.
    pub fn fold(self, child: Self) -> Self {
        if child == Self::NoOp || child == self { self } else { Self::Update }
    }
}
