//! The separate texts of a plan's changes, for formats with their own layout.
//!
//! Each text is the one that [`plan`](super::plan()) writes for the change, without the empty line before it.

use std::io;

use bumpalo::Bump;

use super::outputs::OutputDiffs;
use super::resources::{ChangePrinter, Shaped, ShapedAction, ShapedPlan};
use super::{Error, Options};
use crate::diff::Paths;
use crate::diff::parallel::map_in_order;
use crate::model::plan::Plan;
use crate::render::{self, Cause, Context};
use crate::schema::Schemas;
use crate::term::Out;

/// A sink for a text, which is written in pieces. Texts have styles, from which formats derive the roles of
/// the pieces.
pub trait TextSink: io::Write + Default {
    /// The result for one text.
    type Made: Send;
    /// Ends the text and returns the result.
    fn finish(self) -> Self::Made;
}

/// A value for the text of each change of a plan, in the order of the plan.
#[derive(Debug, Default)]
pub struct PlanTexts<T> {
    /// The resource changes, except for no-ops that neither move nor import an object.
    pub resources: Vec<T>,
    /// The drift.
    pub drift: Vec<T>,
    /// The deferred changes.
    pub deferred: Vec<T>,
    /// The actions to invoke.
    pub invocations: Vec<T>,
}

/// Renders the text of each change of a plan with styles, into a sink of its own. With `show_unchanged`,
/// no unchanged part is hidden.
///
/// # Errors
/// A value or a schema cannot be read.
pub fn plan_texts<'a, S: TextSink>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    show_unchanged: bool,
    arena: &'a Bump,
) -> Result<PlanTexts<S::Made>, Error> {
    let shaped = ShapedPlan::new(plan, schemas, arena)?;
    let printer = shaped.printer(options, show_unchanged);
    let resources = shaped.shaped(plan.resource_changes.iter().filter(|change| !change.is_silent()))?;
    let drift = shaped.shaped(plan.resource_drift.iter())?;
    let deferred = shaped.shaped_deferred(plan.deferred_changes.iter())?;
    Ok(PlanTexts {
        resources: map_in_order(
            &resources,
            |(change, _)| change.size(),
            |change, arena| text_into::<S>(|out| printer.change(out, *change, Cause::Proposed, arena)),
        )?,
        drift: map_in_order(
            &drift,
            |(change, _)| change.size(),
            |change, arena| text_into::<S>(|out| printer.change(out, *change, Cause::Drift, arena)),
        )?,
        deferred: map_in_order(
            &deferred,
            |(_, (change, _))| change.size(),
            |(reason, change), arena| {
                text_into::<S>(|out| printer.deferred_change(out, reason, *change, arena))
            },
        )?,
        invocations: map_in_order(
            &shaped.shared.actions,
            |_| 0,
            |action, arena| text_into::<S>(|out| printer.invocation(out, *action, arena)),
        )?,
    })
}

/// Renders a text.
fn text_into<S: TextSink>(write: impl FnOnce(&mut Out<'_>) -> Result<(), Error>) -> Result<S::Made, Error> {
    let mut sink = S::default();
    let mut out = Out::new(&mut sink, true);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    Ok(sink.finish())
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

/// The text of all changed outputs, with styles.
///
/// # Errors
/// If a value is malformed.
pub fn outputs_text<'a, S: TextSink>(
    plan: &Plan<'a>,
    options: &Options,
    arena: &'a Bump,
) -> Result<S::Made, Error> {
    let outputs = OutputDiffs::new(plan, options.dialect, arena)?;
    text_into::<S>(|out| outputs.write(out, Context::resource(options.show_sensitive)))
}
