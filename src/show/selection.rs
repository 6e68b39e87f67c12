//! Writes selected resources of a plan in full: comment and block, including unchanged parts.

use std::collections::HashSet;

use bumpalo::Bump;

use super::resources::ShapedPlan;
use super::{Error, Options, ShowReport, has_changes};
use crate::model::address::AddressSelector;
use crate::model::plan::Plan;
use crate::render::Cause;
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
) -> Result<ShowReport, Error> {
    let shaped = ShapedPlan::new(plan, schemas, arena)?;
    let printer = shaped.printer(options, true);
    let is_selected = |change: &&_| selectors.iter().any(|selector| selector.matches_change(change));
    let drift = shaped.shaped(plan.resource_drift.iter().filter(is_selected))?;
    let planned = shaped.shaped(plan.resource_changes.iter().filter(is_selected))?;
    let deferred = plan.deferred_changes.iter().filter(|change| is_selected(&&change.resource_change));
    let deferred = shaped.shaped_deferred(deferred)?;
    let written: HashSet<&str> = planned.iter().map(|(change, _)| &*change.address).collect();
    let mut blocks = Blocks { out, is_first: true };
    for change in drift {
        blocks.one(|out| printer.change(out, change, Cause::Drift, arena))?;
    }
    for (reason, change) in deferred {
        blocks.one(|out| printer.deferred_change(out, reason, change, arena))?;
    }
    for change in planned {
        blocks.one(|out| printer.change(out, change, Cause::Proposed, arena))?;
    }
    for action in &shaped.shared.actions {
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
    Ok(shaped.shown(has_changes(plan, options)?))
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
