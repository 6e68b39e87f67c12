//! The separate texts of a plan's changes, for formats with their own layout.
//!
//! Each text is the one that [`plan`](super::plan()) writes for the change, without the empty line before it.

use bumpalo::Bump;

use super::outputs::OutputDiffs;
use super::resources::{ChangePrinter, Shaped, ShapedAction, ShapedPlan};
use super::{Error, Options};
use crate::diff::Paths;
use crate::diff::parallel::map_in_order;
use crate::model::plan::Plan;
use crate::render::{self, Cause, Context, PlanTexts};
use crate::schema::Schemas;
use crate::term::{Out, StyledText};

/// Renders the text of each change of a plan. With `show_unchanged`, no unchanged part is hidden.
///
/// # Errors
/// A value or a schema cannot be read.
pub fn plan_texts<'a>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    show_unchanged: bool,
    arena: &'a Bump,
) -> Result<PlanTexts, Error> {
    let shaped = ShapedPlan::new(plan, schemas, arena)?;
    let printer = shaped.printer(options, show_unchanged);
    let resources = shaped.shaped(plan.resource_changes.iter().filter(|change| !change.is_silent()))?;
    let drift = shaped.shaped(plan.resource_drift.iter())?;
    let deferred = shaped.shaped_deferred(plan.deferred_changes.iter())?;
    let changes = |changes: &[Shaped<'_, 'a>], cause| {
        map_in_order(
            changes,
            |(change, _)| change.size(),
            |change, arena| StyledText::new(|out| printer.change(out, *change, cause, arena)),
        )
    };
    let outputs = OutputDiffs::new(plan, options.dialect, arena)?;
    Ok(PlanTexts {
        resources: changes(&resources, Cause::Proposed)?,
        drift: changes(&drift, Cause::Drift)?,
        deferred: map_in_order(
            &deferred,
            |(_, (change, _))| change.size(),
            |(reason, change), arena| {
                StyledText::new(|out| printer.deferred_change(out, reason, *change, arena))
            },
        )?,
        invocations: map_in_order(
            &shaped.shared.actions,
            |_| 0,
            |action, arena| StyledText::new(|out| printer.invocation(out, *action, arena)),
        )?,
        outputs: StyledText::new(|out| outputs.write(out, Context::resource(options.show_sensitive)))?,
    })
}

impl<'a> ChangePrinter<'_, '_, 'a> {
    pub(super) fn change<'c>(
        &self,
        out: &mut Out<'_>,
        (change, shape): Shaped<'_, 'c>,
        cause: Cause,
        arena: &'c Bump,
    ) -> Result<(), Error>
    where
        'a: 'c,
    {
        let diff = self.diff(change, shape, Paths::Always, arena)?;
        self.resource(out, change, &diff, cause, arena)?;
        if cause == Cause::Proposed {
            self.triggered_actions(out, &change.address, arena)?;
        }
        Ok(out.lit("\n")?)
    }

    pub(super) fn deferred_change<'c>(
        &self,
        out: &mut Out<'_>,
        reason: &str,
        (change, shape): Shaped<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error>
    where
        'a: 'c,
    {
        let diff = self.diff(change, shape, Paths::Always, arena)?;
        render::deferred(out, reason, change, &diff, self.options.dialect, self.context())?;
        Ok(out.lit("\n")?)
    }

    pub(super) fn invocation<'c>(
        &self,
        out: &mut Out<'_>,
        action: ShapedAction<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error>
    where
        'a: 'c,
    {
        if action.0.lifecycle_action_trigger.is_none() {
            render::action_invoked(out, action.0)?;
        }
        self.action(out, action, arena)
    }
}
