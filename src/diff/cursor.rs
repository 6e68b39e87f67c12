//! A cursor over one change: the value before, the value after, and their marks.
//!
//! A [`Cursor`] points at one value and descends to its children. It is `Copy` and owns nothing.
//! Invariants: the marks are at the same path as the values; a mark whose shape does not match its value
//! covers the whole value, so that nothing is shown by mistake.

use bumpalo::Bump;

use super::{Mark, Paths};
use crate::diff::tree::{DiffAction, Slot};
use crate::json::{self, Value};
use crate::model::plan;
use crate::schema::{Attribute, AttributeKind, Type};

/// One value of a change, on both sides, with its marks.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    /// The value before.
    pub before: Slot<'a>,
    /// The value after.
    pub after: Slot<'a>,
    /// The parts of the value after that are known after apply.
    pub unknown: Unknown<'a>,
    /// The sensitive parts of the value before.
    pub before_sensitive: Mark<'a>,
    /// The sensitive parts of the value after.
    pub after_sensitive: Mark<'a>,
    /// The paths, from here on, that force replacement.
    pub replace: Paths<'a>,
    /// The paths, from here on, whose drift is relevant. Everything else is shown as unchanged.
    pub relevant: Paths<'a>,
    /// Whether the value belongs to a schema that distinguishes null from the empty string (Terraform
    /// only).
    pub modern: bool,
    /// Whether the value is an attribute of a block or object, where null and absence are the same.
    pub is_implicit: bool,
}

/// The parts of a value that are known after apply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unknown<'a> {
    /// As marked in the document.
    Marked(Value<'a>),
    /// Every direct child, but not the value itself. Used to show each attribute of an object that is
    /// unknown as a whole.
    EveryChild,
}

impl<'a> Unknown<'a> {
    /// Nothing is unknown.
    pub const NOT: Self = Self::Marked(Value::Null);

    /// Whether the whole value is unknown.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Marked(Value::Bool(true)))
    }

    fn key(self, key: &str) -> Self {
        match self {
            Self::Marked(value) => Self::Marked(value.get(key).unwrap_or_default()),
            Self::EveryChild => Self::Marked(Value::Bool(true)),
        }
    }

    /// The unknown parts of the element at `index`.
    pub fn index(self, index: usize) -> Self {
        match self {
            Self::Marked(value) => {
                Self::Marked(value.as_array().and_then(|items| items.get(index)).copied().unwrap_or_default())
            }
            Self::EveryChild => Self::Marked(Value::Bool(true)),
        }
    }
}

impl<'a> Cursor<'a> {
    /// The cursor at the root of a change. `relevant` is [`Paths::Always`] except for drift.
    pub fn new(change: &plan::Change<'a>, relevant: Paths<'a>, arena: &'a Bump) -> Result<Self, json::Error> {
        let value = |raw| json::Raw::value_or_null(raw, arena);
        let marks = |raw| json::Raw::marks_or_null(raw, arena);
        let (before, after) = (Slot::implicit(value(change.before)?), Slot::implicit(value(change.after)?));
        Ok(Self {
            before,
            after,
            unknown: Unknown::Marked(marks(change.after_unknown)?),
            before_sensitive: Mark::new(marks(change.before_sensitive)?).fitted(before.value(), arena),
            after_sensitive: Mark::new(marks(change.after_sensitive)?).fitted(after.value(), arena),
            replace: Paths::parse(value(change.replace_paths)?, arena),
            relevant,
            modern: false,
            is_implicit: true,
        })
    }

    /// The cursor at a value that does not change, such as a state or the configuration of an action.
    pub fn unchanged(value: Value<'a>, sensitive: Value<'a>) -> Self {
        let slot = Slot::implicit(value);
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

    /// The cursor at a pair of values without marks.
    pub fn from_slots(before: Slot<'a>, after: Slot<'a>) -> Self {
        Self { before, after, ..Self::unchanged(Value::Null, Value::Null) }
    }

    /// The cursor at the member or element `key`.
    pub fn key(self, key: &str, arena: &'a Bump) -> Self {
        self.member(key, self.before.value().get(key), self.after.value().get(key), arena)
    }

    /// Like [`Self::key`], for callers that have already looked up the values of the member.
    pub fn member(
        self,
        key: &str,
        before: Option<Value<'a>>,
        after: Option<Value<'a>>,
        arena: &'a Bump,
    ) -> Self {
        let (before, after) = (Slot::new(before), Slot::new(after));
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

    /// The cursor at two paired elements. An index past the end stands for no element. Upstream does not pass
    /// `modern` on to elements.
    pub fn index(self, before: usize, after: usize, arena: &'a Bump) -> Self {
        let slot = |slot: Slot<'a>, index: usize| {
            Slot::new(slot.value().as_array().and_then(|items| items.get(index)).copied())
        };
        let (old, new) = (slot(self.before, before), slot(self.after, after));
        let mark = |slot: Slot<'a>, mark: Mark<'a>, index| match slot {
            Slot::Absent => Mark::NONE,
            Slot::Null | Slot::Value(_) => mark.index(index).fitted(slot.value(), arena),
        };
        // Paths identify elements by index; upstream uses the index before if there is one.
        let place = if matches!(old, Slot::Absent) { after } else { before };
        Self {
            before: old,
            after: new,
            unknown: self.unknown.index(after),
            before_sensitive: mark(old, self.before_sensitive, before),
            after_sensitive: mark(new, self.after_sensitive, after),
            replace: self.replace.index(place, arena),
            relevant: self.relevant.index(place, arena),
            modern: false,
            is_implicit: false,
        }
    }

    /// Whether the whole value is known after apply.
    pub fn is_unknown(self) -> bool {
        self.unknown.is_whole()
    }

    /// Whether the whole value before is sensitive.
    pub fn is_before_sensitive(self) -> bool {
        self.before_sensitive.covers(self.before.value())
    }

    /// Whether the whole value after is sensitive.
    pub fn is_after_sensitive(self) -> bool {
        self.after_sensitive.covers(self.after.value())
    }

    /// Whether the sensitive sides are hidden only because no schema says what is sensitive.
    pub fn lacks_schema(self) -> bool {
        let marks = [
            (self.is_before_sensitive(), self.before_sensitive),
            (self.is_after_sensitive(), self.after_sensitive),
        ];
        marks.into_iter().all(|(is_sensitive, mark)| !is_sensitive || mark.lacks_schema())
    }

    /// Whether there is no value on either side.
    pub fn is_null(self) -> bool {
        self.before.is_none() && self.after.is_none()
    }

    /// The action of a value without children.
    pub fn action(self) -> DiffAction {
        let absent = |slot| matches!(slot, Slot::Absent);
        if absent(self.before) && !absent(self.after) {
            DiffAction::Create
        } else if absent(self.after) && !absent(self.before) {
            DiffAction::Delete
        } else if self.before == self.after && self.is_before_sensitive() == self.is_after_sensitive() {
            DiffAction::NoOp
        } else {
            DiffAction::Update
        }
    }

    /// The action of a value with children, before the actions of its children are folded in.
    pub fn own_action(self) -> DiffAction {
        match (self.before.is_none(), self.after.is_none()) {
            (true, false) => DiffAction::Create,
            (false, true) => DiffAction::Delete,
            (true, true) | (false, false) => DiffAction::NoOp,
        }
    }

    /// The value before as unchanged. If the marks of the two sides differ and the value after has any,
    /// the whole value counts as sensitive. Upstream resets `modern` here.
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

    /// The deletion of the value before. Upstream resets `modern` here.
    pub fn as_delete(self) -> Self {
        Self {
            after: Slot::Absent,
            after_sensitive: Mark::NONE,
            unknown: Unknown::NOT,
            modern: false,
            ..self
        }
    }

    /// The creation of the value after.
    pub fn as_create(self) -> Self {
        Self { before: Slot::Absent, before_sensitive: Mark::NONE, ..self }
    }

    /// The change without sensitive marks, for the inner diff of a sensitive value.
    pub fn without_sensitive(self) -> Self {
        Self { before_sensitive: Mark::NONE, after_sensitive: Mark::NONE, modern: false, ..self }
    }

    /// The change without marks that cover a whole side. Marks on parts are kept.
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

    /// The change with the whole of each existing value marked, for values that the schema declares
    /// sensitive.
    pub fn all_sensitive(self) -> Self {
        let marked = |slot: Slot<'a>, mark| if slot.is_none() { mark } else { Mark::ALL };
        Self {
            before_sensitive: marked(self.before, self.before_sensitive),
            after_sensitive: marked(self.after, self.after_sensitive),
            ..self
        }
    }

    /// The change as that of an attribute of a block or object, where null and absence are the same.
    pub fn implicit(self) -> Self {
        let implicit = |slot| if matches!(slot, Slot::Null) { Slot::Absent } else { slot };
        Self { before: implicit(self.before), after: implicit(self.after), is_implicit: true, ..self }
    }

    /// The change, as unchanged unless it or something below it is relevant.
    pub fn if_relevant(self) -> Self {
        if self.relevant.may_match() { self } else { self.as_no_op() }
    }

    /// The change with everything below it relevant: the elements of a relevant list or set are relevant.
    pub fn always_relevant(self) -> Self {
        Self { relevant: Paths::Always, ..self }
    }

    /// Whether a shape with `parts` parts is much wider than the values and their marks.
    pub fn may_be_narrow(self, parts: usize) -> bool {
        const WIDE: usize = 32;
        let count = |value: Value<'_>| value.as_object().map_or(0, |object| object.members().len());
        parts > WIDE
            && self.unknown != Unknown::EveryChild
            && parts / 4 > self.trees().into_iter().map(count).sum()
    }

    /// The attribute of a value that an open shape does not list.
    pub fn scalar_attribute(self) -> Attribute<'a> {
        let type_of = |slot: Slot<'a>| match slot.value() {
            Value::Null => None,
            Value::Bool(_) => Some(Type::Bool),
            Value::Number(_) => Some(Type::Number),
            Value::String(_) => Some(Type::String),
            Value::Array(_) | Value::Object(_) => Some(Type::Dynamic),
        };
        let of = match (type_of(self.before), type_of(self.after)) {
            (None, None) => Type::String,
            (Some(of), None) | (None, Some(of)) => of,
            (Some(before), Some(after)) if before == after => before,
            (Some(_), Some(_)) => Type::Dynamic,
        };
        Attribute { kind: AttributeKind::Type(of), sensitive: false, write_only: false, required: false }
    }

    /// The keys of the values and their marks, sorted and unique.
    pub fn keys(self, arena: &'a Bump) -> &'a [&'a str] {
        sorted_keys(&self.trees(), arena)
    }

    /// Both values, and the trees of their marks.
    fn trees(self) -> [Value<'a>; 5] {
        let unknown = match self.unknown {
            Unknown::Marked(value) => value,
            Unknown::EveryChild => Value::Null,
        };
        let marks = [self.before_sensitive.value(), self.after_sensitive.value()];
        [self.before.value(), self.after.value(), unknown, marks[0], marks[1]]
    }

    /// The keys of the values, sorted and unique.
    pub fn value_keys(self, arena: &'a Bump) -> &'a [&'a str] {
        sorted_keys(&[self.before.value(), self.after.value()], arena)
    }
}

fn sorted_keys<'a>(sources: &[Value<'a>], arena: &'a Bump) -> &'a [&'a str] {
    let mut keys: Vec<&str> = Vec::new();
    for object in sources.iter().filter_map(|value| value.as_object()) {
        let names = object.members().iter().map(|(key, _)| *key);
        if !names.clone().eq(keys.iter().copied()) {
            keys.extend(names); // usually, both sides have the same keys
        }
    }
    keys.sort(); // the stable sort merges sorted runs
    keys.dedup();
    arena.alloc_slice_copy(&keys)
}

impl DiffAction {
    /// The action of a container, given its action so far and that of one more child.
    pub fn fold(self, child: Self) -> Self {
        if child == Self::NoOp || child == self { self } else { Self::Update }
    }
}
