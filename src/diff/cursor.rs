//! A cursor over one change: the value before and the value after, with their marks. It moves to members and elements.
//!
//! Invariants: the marks are those of the same path as the values. A mark whose shape does not match its value covers
//! the whole value, so that nothing is shown by mistake.
//!
//! ```text
//! cursor         before {"tags": {"a": "x"}}   after {"tags": {"a": "y"}}   sensitive {"tags": true}
//! .key("tags")   before {"a": "x"}             after {"a": "y"}             sensitive as a whole
//! ```

use bumpalo::Bump;

use super::Paths;
use super::mark::Mark;
use super::tree::DiffAction;
use crate::json::{self, Value};
use crate::model::plan;
use crate::schema::infer::Values;
use crate::schema::{Attribute, AttributeKind, Type};

/// Both sides of one value, with all marks and paths of the plan that apply to it. It is copied for each child.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    /// The value before the change.
    pub before: Side<'a>,
    /// The value after the change, as far as it is known.
    pub after: Side<'a>,
    /// The parts of the value after that are known only after apply (`after_unknown`).
    pub unknown: Unknown<'a>,
    /// The paths from this value on whose change forces a replacement (`replace_paths`).
    pub replace: Paths<'a>,
    /// The paths from this value on whose drift is relevant. Everything else is shown as unchanged.
    pub relevant: Paths<'a>,
    /// Whether the schema distinguishes null from the empty string (Terraform only).
    pub modern: bool,
    /// Whether the value is an attribute of a block or object, where null and absence are the same.
    pub is_implicit: bool,
}

/// The value on one side of a change, with its sensitive marks.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The value, which may be an explicit null; `None` if its container lacks it.
    pub slot: Option<Value<'a>>,
    /// The sensitive parts (`before_sensitive` or `after_sensitive`).
    pub mark: Mark<'a>,
}

impl<'a> Side<'a> {
    /// A side without a value, and with nothing sensitive.
    pub const ABSENT: Self = Self {
        slot: None,
        mark: Mark::NONE,
    };

    #[inline]
    /// Creates a side, with a mark for each element of a list.
    fn new(slot: Option<Value<'a>>, mark: Mark<'a>, arena: &'a Bump) -> Self {
        Self {
            slot,
            mark: mark.fitted(slot.unwrap_or_default(), arena),
        }
    }

    /// Returns the value; null if there is none.
    pub fn value(self) -> Value<'a> {
        self.slot.unwrap_or_default()
    }

    /// Whether the value is null or absent.
    pub fn is_none(self) -> bool {
        self.value().is_null()
    }

    /// Whether the value is sensitive as a whole.
    #[inline]
    pub fn is_sensitive(self) -> bool {
        self.mark.covers(self.value())
    }

    fn index(self, index: usize, arena: &'a Bump) -> Self {
        let item = self
            .value()
            .as_array()
            .and_then(|items| items.get(index))
            .copied();
        item.map_or(Self::ABSENT, |item| {
            Self::new(Some(item), self.mark.index(index), arena)
        })
    }
}

/// The parts of a value that are known only after apply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unknown<'a> {
    /// The marks of the plan: `true` for the whole value, or a tree of its shape.
    Marked(Value<'a>),
    /// Every direct child, but not the value itself: for an object that is unknown as a whole.
    EveryChild,
}

impl<'a> Unknown<'a> {
    /// The marks of a value that is known.
    pub const NOT: Self = Self::Marked(Value::Null);

    /// Whether the value is unknown as a whole.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Marked(Value::Bool(true)))
    }

    /// Returns the tree of marks; null if there is none.
    pub fn marks(self) -> Value<'a> {
        if let Self::Marked(value) = self {
            value
        } else {
            Value::Null
        }
    }

    fn key(self, key: &str) -> Self {
        match self {
            Self::Marked(value) => Self::Marked(value.get(key).unwrap_or_default()),
            Self::EveryChild => Self::Marked(Value::Bool(true)),
        }
    }

    /// Returns the marks of an element.
    pub fn index(self, index: usize) -> Self {
        match self {
            Self::Marked(value) => Self::Marked(
                value
                    .as_array()
                    .and_then(|items| items.get(index))
                    .copied()
                    .unwrap_or_default(),
            ),
            Self::EveryChild => Self::Marked(Value::Bool(true)),
        }
    }
}

impl<'a> Cursor<'a> {
    /// Returns the three trees of values that an inferred shape must cover.
    pub(super) fn inferable(&self) -> Values<'a> {
        Values {
            before: self.before.value(),
            after: self.after.value(),
            unknown: self.unknown.marks(),
        }
    }

    /// Returns a cursor over the values of a change. `relevant` is [`Paths::Always`] except for drift.
    ///
    /// # Errors
    /// Returns an error if a value is malformed.
    pub fn new(
        change: &plan::Change<'a>,
        relevant: Paths<'a>,
        arena: &'a Bump,
    ) -> Result<Self, json::Error> {
        let value = |raw| json::Raw::value_or_null(raw, arena);
        let marks = |raw| json::Raw::marks_or_null(raw, arena);
        let side = |value, mark| Side::new(implicit(Some(value)), Mark::new(mark), arena);
        Ok(Self {
            before: side(value(change.before)?, marks(change.before_sensitive)?),
            after: side(value(change.after)?, marks(change.after_sensitive)?),
            unknown: Unknown::Marked(marks(change.after_unknown)?),
            replace: Paths::parse(value(change.replace_paths)?, arena),
            relevant,
            ..Self::from_values(None, None)
        })
    }

    /// Returns a cursor over a value that does not change, as in a state.
    pub fn unchanged(value: Value<'a>, sensitive: Value<'a>) -> Self {
        let side = Side {
            slot: implicit(Some(value)),
            mark: Mark::new(sensitive),
        };
        Self {
            before: side,
            after: side,
            ..Self::from_values(None, None)
        }
    }

    /// Returns a cursor over two values that are known and not sensitive.
    pub fn from_values(before: Option<Value<'a>>, after: Option<Value<'a>>) -> Self {
        let side = |slot| Side {
            slot,
            mark: Mark::NONE,
        };
        Self {
            before: side(before),
            after: side(after),
            unknown: Unknown::NOT,
            replace: Paths::Never,
            relevant: Paths::Always,
            modern: false,
            is_implicit: true,
        }
    }

    /// Returns the cursor over a member.
    pub fn key(self, key: &str, arena: &'a Bump) -> Self {
        self.member(
            key,
            self.before.value().get(key),
            self.after.value().get(key),
            arena,
        )
    }

    /// Returns the cursor over a member whose values were looked up already.
    pub fn member(
        self,
        key: &str,
        before: Option<Value<'a>>,
        after: Option<Value<'a>>,
        arena: &'a Bump,
    ) -> Self {
        Self {
            before: Side::new(before, self.before.mark.key(key), arena),
            after: Side::new(after, self.after.mark.key(key), arena),
            unknown: self.unknown.key(key),
            replace: self.replace.key(key),
            relevant: self.relevant.key(key),
            modern: self.modern,
            is_implicit: false,
        }
    }

    /// Returns the cursor over a pair of elements. An index past the end means that the side has no element. Upstream
    /// does not pass `modern` on to elements.
    pub fn index(self, before: usize, after: usize, arena: &'a Bump) -> Self {
        let (old, new) = (
            self.before.index(before, arena),
            self.after.index(after, arena),
        );
        let place = if old.slot.is_none() { after } else { before };
        Self {
            before: old,
            after: new,
            unknown: self.unknown.index(after),
            replace: self.replace.index(place),
            relevant: self.relevant.index(place),
            modern: false,
            is_implicit: false,
        }
    }

    /// Whether the value after is known only after apply as a whole.
    pub fn is_unknown(self) -> bool {
        self.unknown.is_whole()
    }

    /// Whether the value is hidden only because there is no schema to tell what is sensitive.
    pub fn lacks_schema(self) -> bool {
        [self.before, self.after]
            .into_iter()
            .all(|side| !side.is_sensitive() || side.mark.lacks_schema())
    }

    /// Whether both sides are null or absent.
    pub fn is_null(self) -> bool {
        self.before.is_none() && self.after.is_none()
    }

    /// Returns the action of a value without children.
    pub fn action(self) -> DiffAction {
        let (before, after) = (self.before, self.after);
        match (before.slot.is_none(), after.slot.is_none()) {
            (true, false) => DiffAction::Create,
            (false, true) => DiffAction::Delete,
            _ if before.slot == after.slot && before.is_sensitive() == after.is_sensitive() => {
                DiffAction::NoOp
            }
            _ => DiffAction::Update,
        }
    }

    /// Returns the action of a value with children, before their actions are folded in.
    pub fn own_action(self) -> DiffAction {
        match (self.before.is_none(), self.after.is_none()) {
            (true, false) => DiffAction::Create,
            (false, true) => DiffAction::Delete,
            (true, true) | (false, false) => DiffAction::NoOp,
        }
    }

    /// Returns the cursor for a value that is shown as unchanged.
    ///
    /// If the marks of the two sides differ and the value after has any, the whole value counts as sensitive. Upstream
    /// resets `modern` here.
    pub fn as_no_op(self) -> Self {
        let marks_differ = self.after.mark != self.before.mark;
        let mark = if marks_differ && self.after.mark.is_any() {
            Mark::ALL
        } else {
            self.before.mark
        };
        let side = Side {
            mark,
            ..self.before
        };
        Self {
            before: side,
            after: side,
            unknown: Unknown::NOT,
            modern: false,
            ..self
        }
    }

    /// Returns the cursor for a value that is removed. Upstream resets `modern` here.
    pub fn as_delete(self) -> Self {
        Self {
            after: Side::ABSENT,
            unknown: Unknown::NOT,
            modern: false,
            ..self
        }
    }

    /// Returns the cursor for a value that is added.
    pub fn as_create(self) -> Self {
        Self {
            before: Side::ABSENT,
            ..self
        }
    }

    /// Applies `side` to both sides.
    pub fn each_side(self, side: impl Fn(Side<'a>) -> Side<'a>) -> Self {
        Self {
            before: side(self.before),
            after: side(self.after),
            ..self
        }
    }

    /// Removes all sensitive marks.
    pub fn without_sensitive(self) -> Self {
        Self {
            modern: false,
            ..self.each_side(|side| Side {
                mark: Mark::NONE,
                ..side
            })
        }
    }

    /// Removes the sensitive marks that cover a side as a whole, and keeps those of parts.
    pub fn without_covering(self) -> Self {
        let modern = self.modern && !self.before.is_sensitive() && !self.after.is_sensitive();
        let bare = |side: Side<'a>| {
            if side.is_sensitive() {
                Mark::NONE
            } else {
                side.mark
            }
        };
        Self {
            modern,
            ..self.each_side(|side| Side {
                mark: bare(side),
                ..side
            })
        }
    }

    /// Marks each side that has a value as sensitive as a whole.
    pub fn all_sensitive(self) -> Self {
        let mark = |side: Side<'a>| if side.is_none() { side.mark } else { Mark::ALL };
        self.each_side(|side| Side {
            mark: mark(side),
            ..side
        })
    }

    /// Treats null and absence as the same, as in an attribute of a block.
    pub fn implicit(self) -> Self {
        Self {
            is_implicit: true,
            ..self.each_side(|side| Side {
                slot: implicit(side.slot),
                ..side
            })
        }
    }

    /// Replaces an empty string by null, which is what it means in schemas of the older kind.
    pub fn with_null_for_empty(self) -> Self {
        let null = (!self.is_implicit).then_some(Value::Null);
        let nulled = |slot| {
            if slot == Some(Value::String("")) {
                null
            } else {
                slot
            }
        };
        self.each_side(|side| Side {
            slot: nulled(side.slot),
            ..side
        })
    }

    /// Returns the cursor itself if drift of the value or a part of it is relevant; otherwise one that shows the value
    /// as unchanged.
    pub fn if_relevant(self) -> Self {
        if self.relevant.may_match() {
            self
        } else {
            self.as_no_op()
        }
    }

    /// Makes everything in the value relevant, because the elements of a relevant list or set are relevant.
    pub fn always_relevant(self) -> Self {
        Self {
            relevant: Paths::Always,
            ..self
        }
    }

    /// Whether a shape with `parts` parts is much wider than the values and their marks, so that looking up the members
    /// of the values is cheaper than visiting all parts of the shape.
    pub fn may_be_narrow(self, parts: usize) -> bool {
        /// The minimum number of parts of a wide shape. Narrower shapes are always visited as a whole.
        const WIDE: usize = 32;
        let count = |value: Value<'_>| value.as_object().map_or(0, |object| object.members().len());
        parts > WIDE
            && self.unknown != Unknown::EveryChild
            && parts / 4 > self.trees().into_iter().map(count).sum()
    }

    /// Returns an attribute of the type that both values have; of dynamic type if they differ.
    pub fn scalar_attribute(self) -> Attribute<'a> {
        let type_of = |side: Side<'a>| match side.value() {
            Value::Null => None,
            Value::Bool(_) => Some(Type::Bool),
            Value::Number(_) => Some(Type::Number),
            Value::String(_) => Some(Type::String),
            Value::Array(_) | Value::Object(_) => Some(Type::Dynamic),
        };
        let mut types = [self.before, self.after].into_iter().filter_map(type_of);
        let first = types.next().unwrap_or(Type::String);
        let of = if types.all(|other| other == first) {
            first
        } else {
            Type::Dynamic
        };
        Attribute {
            kind: AttributeKind::Type(of),
            sensitive: false,
            write_only: false,
            required: false,
        }
    }

    /// Returns the names of the members that the values or any of their marks have, sorted.
    pub fn keys(self, arena: &'a Bump) -> &'a [&'a str] {
        sorted_keys(&self.trees(), arena)
    }

    /// Returns the values before and after, the unknown marks, and the sensitive marks before and after.
    fn trees(self) -> [Value<'a>; 5] {
        let (before, after) = (self.before, self.after);
        [
            before.value(),
            after.value(),
            self.unknown.marks(),
            before.mark.value(),
            after.mark.value(),
        ]
    }

    /// Returns the names of the members that the values have, sorted.
    pub fn value_keys(self, arena: &'a Bump) -> &'a [&'a str] {
        sorted_keys(&[self.before.value(), self.after.value()], arena)
    }
}

/// Turns an explicit null into absence.
fn implicit(slot: Option<Value<'_>>) -> Option<Value<'_>> {
    slot.filter(|value| !value.is_null())
}

/// Returns the names of the members of several objects, sorted and unique.
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
    /// Returns the action of a container after the action of one more child: `Update`, unless the child is unchanged or
    /// has the same action.
    pub fn fold(self, child: Self) -> Self {
        if child == Self::NoOp || child == self {
            self
        } else {
            Self::Update
        }
    }
}
