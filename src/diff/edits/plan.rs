//! The changes of a plan as edits, in the order of the document.

use std::borrow::Cow;

use bumpalo::Bump;

use super::{Comparer, Edit, Place, Positions, Settings, Sides, visible_paths};
use crate::diff::parallel::Storage;
use crate::diff::{Error, Paths};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{
    ActionInvocation, Change, DeferredChange, DeferredInvocation, Plan, ResourceChange,
};
use crate::schema::{Position, Schemas};

/// A part of a plan that has edits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PlanPart<'p, 'a> {
    /// A planned change that is not a no-op, or that moves or imports an object.
    Planned(&'p ResourceChange<'a>),
    /// A change outside of the tool.
    Drift(&'p ResourceChange<'a>),
    /// A change that is deferred to a later plan.
    Deferred(&'p DeferredChange<'a>),
    /// A change of an output, with the name of the output.
    Output(&'p str, &'p Change<'a>),
    /// The configuration of an action to invoke, as if it were added.
    Invocation(&'p ActionInvocation<'a>),
    /// The same of an action that is deferred to a later plan.
    DeferredInvocation(&'p DeferredInvocation<'a>),
}

impl<'p, 'a> PlanPart<'p, 'a> {
    pub(crate) fn change(self) -> Cow<'p, Change<'a>> {
        match self {
            Self::Planned(change) | Self::Drift(change) => Cow::Borrowed(&change.change),
            Self::Deferred(deferred) => Cow::Borrowed(&deferred.resource_change.change),
            Self::Output(_, change) => Cow::Borrowed(change),
            Self::Invocation(action) => Cow::Owned(action.as_change()),
            Self::DeferredInvocation(deferred) => Cow::Owned(deferred.action_invocation.as_change()),
        }
    }

    /// The paths that force a replacement. Only resources have them.
    pub(crate) fn replace_paths(self) -> Option<Raw<'a>> {
        match self {
            Self::Planned(change) | Self::Drift(change) => change.change.replace_paths,
            Self::Deferred(deferred) => deferred.resource_change.change.replace_paths,
            Self::Output(..) | Self::Invocation(_) | Self::DeferredInvocation(_) => None,
        }
    }
}

/// The values and edits of a part of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueEdits<'w, 'a> {
    /// The schema of the values.
    pub(crate) schema: Position<'a>,
    /// Both values, which are forgotten afterwards.
    pub(crate) sides: Sides<'w>,
    /// The changes.
    pub(crate) edits: &'a [Edit<'a>],
    /// The number of unchanged scalars.
    pub(crate) unchanged: usize,
    /// The paths that force the replacement, without what is below a hidden value.
    pub(crate) replace_paths: Value<'a>,
}

/// Compares both sides of every change of a plan. Returns what `keep` makes of each, in the order of
/// [`PlanPart`] and of the document, and the resource types without a schema.
///
/// # Errors
/// If a value or a schema is malformed, or the first error of `keep`.
pub(crate) fn plan<'a, R: Send>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    settings: Settings<'a>,
    arena: &'a Bump,
    storage: &'a mut Storage,
    keep: impl for<'w> Fn(PlanPart<'_, 'a>, ValueEdits<'w, 'a>, &Comparer<'w, 'a>) -> Result<R, Error> + Sync,
) -> Result<(Vec<R>, Vec<String>), Error> {
    let mut positions = Positions::new(schemas, arena);
    let parts = parts(plan, &mut positions)?;
    let size = |(part, _): &(PlanPart<'_, 'a>, Position<'a>)| part.change().values_size();
    let kept = settings.compare_all(&parts, size, storage, |(part, position), mut comparer| {
        let found = value_edits(*part, *position, &mut comparer)?;
        keep(*part, found, &comparer)
    })?;
    Ok((kept, positions.inferred()))
}

/// The parts of a plan, each with the schema of its values.
pub(crate) fn parts<'p, 'a>(
    plan: &'p Plan<'a>,
    positions: &mut Positions<'_, 'a>,
) -> Result<Vec<(PlanPart<'p, 'a>, Position<'a>)>, Error> {
    let mut parts = Vec::new();
    for change in plan.resource_changes.iter().filter(|change| !change.is_silent()) {
        parts.push((PlanPart::Planned(change), positions.position(change)?));
    }
    for change in &plan.resource_drift {
        parts.push((PlanPart::Drift(change), positions.position(change)?));
    }
    for deferred in &plan.deferred_changes {
        parts.push((PlanPart::Deferred(deferred), positions.position(&deferred.resource_change)?));
    }
    for (name, change) in plan.output_changes.iter().filter(|(_, change)| change.actions != Action::NoOp) {
        parts.push((PlanPart::Output(name, change), Position::Unspecified));
    }
    for action in &plan.action_invocations {
        parts.push((PlanPart::Invocation(action), positions.action(action)?));
    }
    for deferred in &plan.deferred_action_invocations {
        let position = positions.action(&deferred.action_invocation)?;
        parts.push((PlanPart::DeferredInvocation(deferred), position));
    }
    Ok(parts)
}

fn value_edits<'w, 'a: 'w>(
    part: PlanPart<'_, 'a>,
    schema: Position<'a>,
    comparer: &mut Comparer<'w, 'a>,
) -> Result<ValueEdits<'w, 'a>, Error> {
    let sides = Sides::read(&part.change(), schema, comparer.build)?;
    let arena = comparer.redactor.arena;
    let replace_paths = visible_paths(Raw::value_or_null(part.replace_paths(), arena)?, &[sides], arena);
    let place = Place::root(schema, Paths::parse(replace_paths, comparer.build.arena()));
    let found = comparer.compare(sides.before, sides.after, place);
    Ok(ValueEdits { schema, sides, edits: found.edits, unchanged: found.unchanged, replace_paths })
}
