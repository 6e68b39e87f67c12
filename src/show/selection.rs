//! Writes selected resources of a plan in full: comment and block, including unchanged parts.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use bumpalo::Bump;

use super::resources::{ChangePrinter, ShapedAction, triggered};
use super::{Error, Options, Shown, has_changes};
use crate::diff::shapes::{NotInSchema, Shapes, Source};
use crate::model::address::AddressSelector;
use crate::model::plan::Plan;
use crate::schema::Schemas;
use crate::term::Out;

/// Writes the parts of a plan that `selectors` select: drift, deferred changes, planned changes (including
/// no-ops), and actions invoked by the command line.
///
/// # Errors
/// If a value or a schema is malformed, or writing to `out` fails.
pub fn selected<'a>(
    plan: &Plan<'a>,
    selectors: &[AddressSelector],
    schemas: &Schemas<'a>,
    options: &Options,
    out: &mut Out<'_>,
    arena: &'a Bump,
) -> Result<Shown, Error> {
    let shapes = Shapes::new(schemas, Source::Plan(plan), arena);
    let actions = plan.action_invocations.iter().map(|action| Ok((action, shapes.of_action(action)?)));
    let actions: Vec<ShapedAction<'_, 'a>> = actions.collect::<Result<_, Error>>()?;
    let (bounded, not_in_schema) = (AtomicBool::new(false), NotInSchema::default());
    let printer = ChangePrinter {
        options,
        actions: &actions,
        triggered: &triggered(&actions),
        bounded: &bounded,
        not_in_schema: &not_in_schema,
        show_unchanged: true,
    };
    let is_selected = |change: &&_| selectors.iter().any(|selector| selector.matches_change(change));
    // Shapes can fail, so they are looked up before the first byte is written.
    let shaped = |changes: &mut dyn Iterator<Item = _>| {
        changes.map(|change| Ok((change, shapes.of_change(change)?))).collect::<Result<Vec<_>, Error>>()
    };
    let drift = shaped(&mut plan.resource_drift.iter().filter(is_selected))?;
    let planned = shaped(&mut plan.resource_changes.iter().filter(is_selected))?;
    let mut deferred = Vec::new();
    for change in plan.deferred_changes.iter().filter(|change| is_selected(&&change.resource_change)) {
        deferred
            .push((&*change.reason, (&change.resource_change, shapes.of_change(&change.resource_change)?)));
    }
    let written: HashSet<&str> = planned.iter().map(|(change, _)| &*change.address).collect();
    let mut blocks = Blocks { out, is_first: true };
    for change in drift {
        blocks.one(|out| printer.drifted_change(out, change, arena))?;
    }
    for (reason, change) in deferred {
        blocks.one(|out| printer.deferred_change(out, reason, change, arena))?;
    }
    for change in planned {
        blocks.one(|out| printer.planned_change(out, change, arena))?;
    }
    for action in &actions {
        let is_named = selectors.iter().any(|selector| selector.matches(&action.0.address));
        // Actions triggered by a selected change are written with it.
        let is_written = action
            .0
            .lifecycle_action_trigger
            .as_ref()
            .is_some_and(|trigger| written.contains(&*trigger.triggering_resource_address));
        if is_named && !is_written {
            blocks.one(|out| printer.invocation(out, *action, arena))?;
        }
    }
    Ok(Shown {
        has_changes: has_changes(plan, options)?,
        inferred: shapes.inferred(),
        not_in_schema: not_in_schema.list(),
        bounded: bounded.load(Ordering::Relaxed),
    })
}

/// Writes texts with an empty line between them.
struct Blocks<'b, 'w> {
    out: &'b mut Out<'w>,
    is_first: bool,
}

impl Blocks<'_, '_> {
    fn one(&mut self, write: impl FnOnce(&mut Out<'_>) -> Result<(), Error>) -> Result<(), Error> {
        if !std::mem::take(&mut self.is_first) {
            self.out.lit("\n")?;
        }
        self.out.folded(write)
    }
}
