//! The separate texts of a plan's changes, for formats with their own layout.
//!
//! Each text is the one that [`plan`](super::plan()) writes for the change, without the empty line before it.

use bumpalo::Bump;

use super::resources::{ChangePrinter, Shaped, ShapedAction, ShapedPlan};
use super::{Error, Options};
use crate::diff::parallel::map_in_order;
use crate::diff::tree::Entry;
use crate::diff::{Cursor, Differ, Paths};
use crate::model::plan::Plan;
use crate::render::{self, Cause, Context};
use crate::schema::Schemas;
use crate::term::{Out, OutputMode, Rendered};
use crate::text;

/// Texts are written with styles, from which formats recognise the roles of pieces.
const STYLED: OutputMode = OutputMode { colour: true, ci: None };

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

/// Renders the text of each change of a plan with styles, and passes it to `make`. With `show_unchanged`,
/// no unchanged part is hidden.
///
/// # Errors
/// A value or a schema cannot be read.
pub fn plan_texts<'a, T: Send>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    show_unchanged: bool,
    arena: &'a Bump,
    make: impl Fn(&Rendered) -> T + Sync,
) -> Result<PlanTexts<T>, Error> {
    let shaped = ShapedPlan::new(plan, schemas, arena)?;
    let printer = shaped.printer(options, show_unchanged);
    let texts = Texts(&make);
    let resources = shaped.shaped(plan.resource_changes.iter().filter(|change| !change.is_silent()))?;
    let drift = shaped.shaped(plan.resource_drift.iter())?;
    let deferred = shaped.shaped_deferred(plan.deferred_changes.iter())?;
    Ok(PlanTexts {
        resources: map_in_order(
            &resources,
            |(change, _)| change.size(),
            |change, arena| texts.one(|out| printer.planned_change(out, *change, arena)),
        )?,
        drift: map_in_order(
            &drift,
            |(change, _)| change.size(),
            |change, arena| texts.one(|out| printer.drifted_change(out, *change, arena)),
        )?,
        deferred: map_in_order(
            &deferred,
            |(_, (change, _))| change.size(),
            |(reason, change), arena| texts.one(|out| printer.deferred_change(out, reason, *change, arena)),
        )?,
        invocations: map_in_order(
            &shaped.shared.actions,
            |_| 0,
            |action, arena| texts.one(|out| printer.invocation(out, *action, arena)),
        )?,
    })
}

/// Renders texts and converts each by a function.
struct Texts<'t, F>(&'t F);

impl<T, F: Fn(&Rendered) -> T> Texts<'_, F> {
    fn one(&self, write: impl FnOnce(&mut Out<'_>) -> Result<(), Error>) -> Result<T, Error> {
        let rendered = Rendered::of(STYLED, write)?;
        Ok((self.0)(&rendered))
    }
}

impl<'a> ChangePrinter<'_, '_, 'a> {
    pub(super) fn planned_change<'c>(
        &self,
        out: &mut Out<'_>,
        (change, shape): Shaped<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error>
    where
        'a: 'c,
    {
        let diff = self.diff(change, shape, Paths::Always, arena)?;
        self.resource(out, change, &diff, Cause::Proposed, arena)?;
        self.triggered_actions(out, &change.address, arena)?;
        Ok(out.lit("\n")?)
    }

    pub(super) fn drifted_change<'c>(
        &self,
        out: &mut Out<'_>,
        (change, shape): Shaped<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error>
    where
        'a: 'c,
    {
        let diff = self.diff(change, shape, Paths::Always, arena)?;
        self.resource(out, change, &diff, Cause::Drift, arena)?;
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
pub fn outputs_text<'a>(plan: &Plan<'a>, options: &Options, arena: &'a Bump) -> Result<Rendered, Error> {
    let differ = Differ::new(arena, options.dialect);
    let mut entries = Vec::with_capacity(plan.output_changes.len());
    for (name, change) in plan.output_changes.iter() {
        let cursor = Cursor::new(change, Paths::Always, arena)?;
        entries.push(Entry { key: arena.alloc_str(name), diff: differ.output(differ.as_read(cursor)) });
    }
    let width = entries.iter().map(|entry| text::key(entry.key).len()).max().unwrap_or(0);
    let context = Context::resource(options.show_sensitive);
    Rendered::of(STYLED, |out| Ok(render::entry_list(out, &entries, width, context)?))
}
