//! The changes of a plan as edits, in the order of the document.
//!
//! Invariant: edits, and the paths that force a replacement, contain nothing that is sensitive, unless the user asks
//! for it.
//!
//! ```text
//! {"resource_drift":[D],"resource_changes":[A (no-op), B],"output_changes":{"o":C}}
//!
//! [Planned(B), Drift(D), Output("o", C)], each with its edits; A has none
//! ```

use std::borrow::Cow;
use std::collections::HashSet;

use bumpalo::Bump;

use super::{Comparer, Edit, Location, Positions, Settings};
use crate::diff::parallel::Storage;
use crate::diff::value::{Builder, MarkedValue};
use crate::diff::{Error, Mark, Paths};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{
    ActionInvocation, Change, DeferredChange, DeferredInvocation, Plan, ResourceChange,
};
use crate::schema::{Position, Schemas};

/// An entry of a plan that may have edits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PlanPart<'p, 'a> {
    /// A change of a resource that is not a no-op, or that moves or imports an object.
    Planned(&'p ResourceChange<'a>),
    Drift(&'p ResourceChange<'a>),
    Deferred(&'p DeferredChange<'a>),
    Output(&'p str, &'p Change<'a>),
    /// The configuration of an action, as if it were added.
    Invocation(&'p ActionInvocation<'a>),
    DeferredInvocation(&'p DeferredInvocation<'a>),
}

impl<'p, 'a> PlanPart<'p, 'a> {
    /// Returns the change of the entry; that of an action is made of its configuration.
    pub(crate) fn change(self) -> Cow<'p, Change<'a>> {
        match self {
            Self::Planned(change) | Self::Drift(change) => Cow::Borrowed(&change.change),
            Self::Deferred(deferred) => Cow::Borrowed(&deferred.resource_change.change),
            Self::Output(_, change) => Cow::Borrowed(change),
            Self::Invocation(action) => Cow::Owned(action.as_change()),
            Self::DeferredInvocation(deferred) => {
                Cow::Owned(deferred.action_invocation.as_change())
            }
        }
    }

    /// Returns the change of a resource instance; `None` for outputs and actions.
    pub(crate) fn object(self) -> Option<&'p ResourceChange<'a>> {
        match self {
            Self::Planned(change) | Self::Drift(change) => Some(change),
            Self::Deferred(deferred) => Some(&deferred.resource_change),
            Self::Output(..) | Self::Invocation(_) | Self::DeferredInvocation(_) => None,
        }
    }

    /// Returns the position of the values in the schema. Fails if the schema is malformed.
    pub(crate) fn position(self, positions: &Positions<'_, 'a>) -> Result<Position<'a>, Error> {
        match self {
            Self::Planned(change) | Self::Drift(change) => positions.position(change),
            Self::Deferred(deferred) => positions.position(&deferred.resource_change),
            Self::Output(..) => Ok(Position::Unspecified),
            Self::Invocation(action) => positions.action(action),
            Self::DeferredInvocation(deferred) => positions.action(&deferred.action_invocation),
        }
    }
}

/// The edits of one entry, with the values that they were computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueEdits<'w, 'a> {
    /// The position of the values in the schema.
    pub(crate) schema: Position<'a>,
    /// The values.
    pub(crate) sides: Sides<'w>,
    /// The edits that turn the value before into the value after.
    pub(crate) edits: &'a [Edit<'a>],
    /// The number of scalars that are equal on both sides.
    pub(crate) unchanged: usize,
    /// The paths that force a replacement (`replace_paths`), without their parts below a hidden value.
    pub(crate) replace_paths: Value<'a>,
}

/// Compares all entries of a plan in parallel, and returns the results of `keep`, which is called for each entry with
/// its edits. The order is that of `parts`. Fails if a value or a schema is malformed.
pub(crate) fn plan<'a, R: Send>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    settings: Settings<'a>,
    arena: &'a Bump,
    storage: &'a mut Storage,
    keep: impl for<'w> Fn(PlanPart<'_, 'a>, ValueEdits<'w, 'a>, &Comparer<'w, 'a>) -> Result<R, Error>
    + Sync,
) -> Result<Vec<R>, Error> {
    let positions = Positions::new(schemas, arena);
    let parts = parts(plan).map(|part| Ok((part, part.position(&positions)?)));
    let parts = parts.collect::<Result<Vec<_>, Error>>()?;
    let size = |(part, _): &(PlanPart<'_, 'a>, Position<'a>)| part.change().size();
    settings.compare_all(&parts, size, storage, |(part, position), mut comparer| {
        let value_edits = value_edits(*part, *position, &mut comparer)?;
        keep(*part, value_edits, &comparer)
    })
}

/// Returns the entries of a plan in the order of the document: resources, drift, deferred changes, outputs, actions,
/// deferred actions. Changes without an effect are left out.
pub(crate) fn parts<'p, 'a>(plan: &'p Plan<'a>) -> impl Iterator<Item = PlanPart<'p, 'a>> {
    let planned = plan
        .resource_changes
        .iter()
        .filter(|change| !change.has_no_effect())
        .map(PlanPart::Planned);
    let outputs = plan
        .output_changes
        .iter()
        .filter(|(_, change)| change.actions != Action::NoOp);
    planned
        .chain(plan.resource_drift.iter().map(PlanPart::Drift))
        .chain(plan.deferred_changes.iter().map(PlanPart::Deferred))
        .chain(outputs.map(|(name, change)| PlanPart::Output(name, change)))
        .chain(plan.action_invocations.iter().map(PlanPart::Invocation))
        .chain(
            plan.deferred_action_invocations
                .iter()
                .map(PlanPart::DeferredInvocation),
        )
}

/// Reads the values of an entry and compares them.
fn value_edits<'w, 'a: 'w>(
    part: PlanPart<'_, 'a>,
    schema: Position<'a>,
    comparer: &mut Comparer<'w, 'a>,
) -> Result<ValueEdits<'w, 'a>, Error> {
    let change = part.change();
    let sides = Sides::read(&change, schema, comparer.build)?;
    let arena = comparer.redactor.arena;
    let replace_paths = visible_paths(
        Raw::value_or_null(change.replace_paths, arena)?,
        &[sides],
        arena,
    );
    let location = Location::root(schema, Paths::parse(replace_paths, comparer.build.arena()));
    let compared = comparer.compare(sides.before, sides.after, location);
    Ok(ValueEdits {
        schema,
        sides,
        edits: compared.edits,
        unchanged: compared.unchanged,
        replace_paths,
    })
}

/// The values of a change before and after, with their marks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides<'w> {
    /// The value before.
    pub(crate) before: MarkedValue<'w>,
    /// The value after.
    pub(crate) after: MarkedValue<'w>,
    /// The position of both in the schema.
    pub(crate) position: Position<'w>,
    /// The sensitive marks before and after, as the plan contains them.
    pub(crate) marks: [Value<'w>; 2],
}

impl<'w> Sides<'w> {
    /// Reads the values and marks of a change. Fails if one of them is malformed.
    pub(crate) fn read(
        change: &Change<'w>,
        position: Position<'w>,
        build: Builder<'_, 'w>,
    ) -> Result<Self, Error> {
        let marks = |raw| Raw::marks_or_null(raw, build.arena());
        let [before, after] = change.values();
        let unknown = marks(change.after_unknown)?;
        let marks = [
            marks(change.before_sensitive)?,
            marks(change.after_sensitive)?,
        ];
        Ok(Self {
            before: build.build(before, Value::Null, marks[0], position)?,
            after: build.build(after, unknown, marks[1], position)?,
            position,
            marks,
        })
    }

    /// Whether any part of a side is sensitive or hidden.
    pub(crate) fn has_hidden(self) -> bool {
        let is_marked = |mark: Value<'_>| Mark::new(mark).is_any();
        self.before.has_marks || self.after.has_marks || self.marks.into_iter().any(is_marked)
    }

    /// Hides every part of each side that the other side hides.
    pub(crate) fn hiding_each_other(self, build: Builder<'_, 'w>) -> Self {
        Self {
            before: build.redact_like(self.before, self.after),
            after: build.redact_like(self.after, self.before),
            ..self
        }
    }
}

// A plan names parts of values by paths (`replace_paths`). The keys on a path below a value that is hidden as a whole
// are a part of that value: they must not be printed, compared or hashed.

/// Returns the paths, each cut off at the first value that is hidden as a whole in one of `sides`, and each only once.
pub(crate) fn visible_paths<'p>(
    paths: Value<'p>,
    sides: &[Sides<'_>],
    arena: &'p Bump,
) -> Value<'p> {
    let Some(all) = paths.as_array() else {
        return Value::Null;
    };
    let visible = all
        .iter()
        .filter_map(|path| Some(Value::Array(visible(path.as_array()?, sides))));
    let mut seen = HashSet::new();
    let kept: Vec<Value<'p>> = visible.filter(|path| seen.insert(*path)).collect();
    Value::Array(arena.alloc_slice_copy(&kept))
}

/// Returns the steps of a path up to the first value that is hidden as a whole.
fn visible<'s, 'p>(steps: &'s [Value<'p>], sides: &[Sides<'_>]) -> &'s [Value<'p>] {
    let mut spots: Vec<PathCursor<'_>> = sides.iter().flat_map(PathCursor::roots).collect();
    for (index, step) in steps.iter().enumerate() {
        // A step that is neither a name nor an index is a value: the element of a set.
        let is_value = !matches!(step, Value::String(_) | Value::Number(_));
        if is_value || spots.iter().any(PathCursor::is_hidden) {
            return steps.get(..index).unwrap_or_default();
        }
        spots.iter_mut().for_each(|spot| spot.step(*step));
    }
    steps
}

/// A position in a value, which follows a path step by step.
#[derive(Clone, Copy)]
struct PathCursor<'w> {
    /// The value; `None` if the side has none at this path, or if it was not read.
    value: Option<MarkedValue<'w>>,
    /// The sensitive mark of the plan at this path. A null value does not carry it.
    mark: Value<'w>,
    position: Position<'w>,
}

impl<'w> PathCursor<'w> {
    fn roots(sides: &Sides<'w>) -> [Self; 2] {
        let [before, after] = sides.marks;
        let root = |value, mark| Self {
            value: Some(value),
            mark,
            position: sides.position,
        };
        [root(sides.before, before), root(sides.after, after)]
    }

    /// Whether the value is hidden as a whole, by its mark or by the schema.
    fn is_hidden(&self) -> bool {
        self.value.is_some_and(|value| value.is_hidden)
            || matches!(
                self.mark,
                Value::Bool(true) | Value::Number(_) | Value::String(_)
            )
            || self.position.is_sensitive()
    }

    /// Follows one step of a path. If it does not fit the value, there is no value, and the mark counts for everything
    /// below.
    fn step(&mut self, step: Value<'_>) {
        let (Value::String(text) | Value::Number(text)) = step else {
            return;
        };
        let items = self.value.and_then(MarkedValue::as_array);
        // Older formats write the index of an element as a string.
        let index: Option<usize> = text.parse().ok();
        let is_element = matches!(step, Value::Number(_)) || (items.is_some() && index.is_some());
        let location = index.unwrap_or(usize::MAX);
        self.mark = match (self.mark, is_element) {
            (Value::Array(marks), true) => marks
                .get(location)
                .copied()
                .unwrap_or_else(|| whole_if_any(self.mark)),
            (Value::Object(marks), false) => marks.get(text).unwrap_or_default(),
            (mark, _) => whole_if_any(mark),
        };
        if is_element {
            self.value = items.and_then(|items| items.get(location).copied());
            self.position = self.position.element(location);
        } else {
            self.value = self.value.and_then(|value| value.get(text));
            self.position = self.position.member(text);
        }
    }
}

/// Returns a mark of the whole value if anything in `mark` is marked.
fn whole_if_any(mark: Value<'_>) -> Value<'_> {
    Value::Bool(Mark::new(mark).is_any())
}
