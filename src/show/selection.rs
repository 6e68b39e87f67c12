//! Writes selected resources of a plan in full: comment and block, including unchanged parts.

use std::collections::HashSet;

use bumpalo::Bump;

use super::resources::{Part, ShapedPlan};
use super::{Error, Options, ShowReport};
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
    let drift = plan.resource_drift.iter().filter(is_selected);
    let drift = drift.map(|change| Part::Change(change, Cause::Drift));
    let deferred = plan.deferred_changes.iter().filter(|change| is_selected(&&change.resource_change));
    let planned = plan.resource_changes.iter().filter(is_selected);
    let written: HashSet<&str> = planned.clone().map(|change| &*change.address).collect();
    let planned = planned.map(|change| Part::Change(change, Cause::Proposed));
    let mut parts = shaped.shaped(drift.chain(deferred.map(Part::Deferred)).chain(planned))?;
    for (action, shape) in &shaped.shared.actions {
        let is_named = selectors.iter().any(|selector| selector.matches(&action.address));
        // Actions triggered by a selected change are written with it.
        let trigger = action.lifecycle_action_trigger.as_ref();
        let is_written =
            trigger.is_some_and(|trigger| written.contains(&*trigger.triggering_resource_address));
        if is_named && !is_written {
            parts.push((Part::Action(action), *shape));
        }
    }
    for (at, part) in parts.into_iter().enumerate() {
        out.lit(if at > 0 { "\n" } else { "" })?;
        out.folded(|out| printer.write(out, part, arena))?;
    }
    Ok(shaped.shown())
}
