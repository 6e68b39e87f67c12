//! A cursor over one change: the value before, the value after, and their marks.
//!
//! Invariants: the marks are at the same path as the values; a mark whose shape does not match its value covers the
//! whole value, so that nothing is shown by mistake.

use bumpalo::Bump;

use super::Paths;
use super::tree::DiffAction;
use crate::json::{self, Value};
use crate::model::plan;
use crate::schema::{Attribute, AttributeKind, NO_SCHEMA, Type};

#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    pub before: Side<'a>,
    pub after: Side<'a>,
    pub unknown: Unknown<'a>,
    pub replace: Paths<'a>,
    /// The paths, from here on, whose drift is relevant. Everything else is shown as unchanged.
    pub relevant: Paths<'a>,
    /// The schema distinguishes null from the empty string (Terraform only).
    pub modern: bool,
    /// An attribute of a block or object, where null and absence are the same.
    pub is_implicit: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// May be an explicit null; `None` if the container has none here.
    pub slot: Option<Value<'a>>,
    pub mark: Mark<'a>,
}

impl<'a> Side<'a> {
    pub const ABSENT: Self = Self {
        slot: None,
        mark: Mark::NONE,
    };

    #[inline]
    fn new(slot: Option<Value<'a>>, mark: Mark<'a>, arena: &'a Bump) -> Self {
        Self {
            slot,
            mark: mark.fitted(slot.unwrap_or_default(), arena),
        }
    }

    pub fn value(self) -> Value<'a> {
        self.slot.unwrap_or_default()
    }

    pub fn is_none(self) -> bool {
        self.value().is_null()
    }

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

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unknown<'a> {
    Marked(Value<'a>),
    /// Every direct child, but not the value itself: for an object that is unknown as a whole.
    EveryChild,
}

impl<'a> Unknown<'a> {
    pub const NOT: Self = Self::Marked(Value::Null);

    pub fn is_whole(self) -> bool {
        matches!(self, Self::Marked(Value::Bool(true)))
    }

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
    /// `relevant` is [`Paths::Always`] except for drift.
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

    pub fn key(self, key: &str, arena: &'a Bump) -> Self {
        self.member(
            key,
            self.before.value().get(key),
            self.after.value().get(key),
            arena,
        )
    }

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

    /// An index past the end stands for no element. Upstream does not pass `modern` on to elements.
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

    pub fn is_unknown(self) -> bool {
        self.unknown.is_whole()
    }

    pub fn lacks_schema(self) -> bool {
        [self.before, self.after]
            .into_iter()
            .all(|side| !side.is_sensitive() || side.mark.lacks_schema())
    }

    pub fn is_null(self) -> bool {
        self.before.is_none() && self.after.is_none()
    }

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

    /// For a value with children, before their actions are folded in.
    pub fn own_action(self) -> DiffAction {
        match (self.before.is_none(), self.after.is_none()) {
            (true, false) => DiffAction::Create,
            (false, true) => DiffAction::Delete,
            (true, true) | (false, false) => DiffAction::NoOp,
        }
    }

    /// If the marks of the two sides differ and the value after has any, the whole value counts as sensitive.
    /// Upstream resets `modern` here.
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

    /// Upstream resets `modern` here.
    pub fn as_delete(self) -> Self {
        Self {
            after: Side::ABSENT,
            unknown: Unknown::NOT,
            modern: false,
            ..self
        }
    }

    pub fn as_create(self) -> Self {
        Self {
            before: Side::ABSENT,
            ..self
        }
    }

    pub fn each_side(self, side: impl Fn(Side<'a>) -> Side<'a>) -> Self {
        Self {
            before: side(self.before),
            after: side(self.after),
            ..self
        }
    }

    pub fn without_sensitive(self) -> Self {
        Self {
            modern: false,
            ..self.each_side(|side| Side {
                mark: Mark::NONE,
                ..side
            })
        }
    }

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

    pub fn all_sensitive(self) -> Self {
        let mark = |side: Side<'a>| if side.is_none() { side.mark } else { Mark::ALL };
        self.each_side(|side| Side {
            mark: mark(side),
            ..side
        })
    }

    pub fn implicit(self) -> Self {
        Self {
            is_implicit: true,
            ..self.each_side(|side| Side {
                slot: implicit(side.slot),
                ..side
            })
        }
    }

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

    pub fn if_relevant(self) -> Self {
        if self.relevant.may_match() {
            self
        } else {
            self.as_no_op()
        }
    }

    /// The elements of a relevant list or set are relevant.
    pub fn always_relevant(self) -> Self {
        Self {
            relevant: Paths::Always,
            ..self
        }
    }

    /// Whether a shape with `parts` parts is much wider than the values and their marks.
    pub fn may_be_narrow(self, parts: usize) -> bool {
        const WIDE: usize = 32;
        let count = |value: Value<'_>| value.as_object().map_or(0, |object| object.members().len());
        parts > WIDE
            && self.unknown != Unknown::EveryChild
            && parts / 4 > self.trees().into_iter().map(count).sum()
    }

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

    pub fn keys(self, arena: &'a Bump) -> &'a [&'a str] {
        sorted_keys(&self.trees(), arena)
    }

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

    pub fn value_keys(self, arena: &'a Bump) -> &'a [&'a str] {
        sorted_keys(&[self.before.value(), self.after.value()], arena)
    }
}

fn implicit(slot: Option<Value<'_>>) -> Option<Value<'_>> {
    slot.filter(|value| !value.is_null())
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
    pub fn fold(self, child: Self) -> Self {
        if child == Self::NoOp || child == self {
            self
        } else {
            Self::Update
        }
    }
}

/// `true` for all of a value, or a tree of its shape.
///
/// A mark of another shape covers the whole value if anything in it is marked. An absent mark means that nothing is
/// sensitive: older formats write none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark<'a>(Value<'a>);

impl<'a> Mark<'a> {
    pub const NONE: Self = Self(Value::Null);
    pub const ALL: Self = Self(Value::Bool(true));

    /// Malformed marks are treated as sensitive.
    pub fn new(value: Value<'a>) -> Self {
        match value {
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => Self(value),
            Value::String(NO_SCHEMA) => Self(value),
            Value::Number(_) | Value::String(_) => Self::ALL,
        }
    }

    /// The value is hidden only because no schema says what is sensitive.
    pub fn lacks_schema(self) -> bool {
        self.0 == Value::String(NO_SCHEMA)
    }

    pub fn value(self) -> Value<'a> {
        self.0
    }

    pub fn is_any(self) -> bool {
        is_marked(self.0)
    }

    #[inline]
    pub fn covers(self, value: Value<'a>) -> bool {
        !matches!(self.0, Value::Null | Value::Bool(false)) && self.covers_with_some(value)
    }

    fn covers_with_some(self, value: Value<'a>) -> bool {
        match (self.0, value) {
            (Value::Object(_), Value::Object(_)) => false,
            (Value::Array(marks), Value::Array(items)) => {
                marks.len() > items.len()
                    && marks[items.len()..].iter().any(|mark| is_marked(*mark))
            }
            // Null and absent values have no parts to hide, but an explicit `true` counts.
            (Value::Array(_) | Value::Object(_), Value::Null) => false,
            (mark, _) => is_marked(mark),
        }
    }

    pub fn key(self, key: &str) -> Self {
        if matches!(self.0, Value::Bool(true) | Value::String(_)) {
            self
        } else {
            Self::new(self.0.get(key).unwrap_or_default())
        }
    }

    /// Extended to one mark for each element of `value`. Without this, [`Self::index`] would search all marks again
    /// for each element past their end.
    #[inline]
    pub fn fitted(self, value: Value<'a>, arena: &'a Bump) -> Self {
        if matches!(self.0, Value::Array(_)) {
            self.fitted_marks(value, arena)
        } else {
            self
        }
    }

    fn fitted_marks(self, value: Value<'a>, arena: &'a Bump) -> Self {
        match (self.0, value) {
            (Value::Array(marks), Value::Array(items)) if marks.len() < items.len() => {
                if !self.is_any() {
                    return Self::NONE;
                }
                let mark = |at: usize| marks.get(at).copied().unwrap_or(Value::Bool(true));
                Self(Value::Array(arena.alloc_slice_fill_with(items.len(), mark)))
            }
            _ => self,
        }
    }

    pub fn index(self, index: usize) -> Self {
        match self.0 {
            Value::Bool(true) | Value::String(_) => self,
            // If anything is marked, an element past the marks cannot be matched and counts as sensitive.
            Value::Array(marks) => match marks.get(index) {
                Some(mark) => Self::new(*mark),
                None if marks.iter().any(|mark| is_marked(*mark)) => Self::ALL,
                None => Self::NONE,
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Self::NONE,
        }
    }
}

fn is_marked(mark: Value<'_>) -> bool {
    match mark {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) | Value::String(_) => true,
        Value::Array(_) | Value::Object(_) => mark.children().any(is_marked),
    }
}

#[cfg(test)]
mod tests;
