//! Writes a plan, section by section, as the tools' `show` prints it.

use bumpalo::Bump;

use super::outputs::OutputDiffs;
use super::resources::{ChangePrinter, Part, Shaped, ShapedAction, ShapedPlan};
use super::sections::{NoChanges, drift_intro, drift_outro, no_changes, only_outputs};
use super::{Error, Options, PlanMode, ShowReport};
use crate::diff::tree::{self, Diff};
use crate::diff::{Paths, RelevantPaths};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::render::summary::{Counts, legend, note, plan_line, rule};
use crate::render::{Cause, Context};
use crate::schema::Schemas;
use crate::term::Out;

/// Writes a plan.
pub fn plan<'a>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    out: &mut Out<'_>,
    arena: &'a Bump,
) -> Result<ShowReport, Error> {
    let shaped = ShapedPlan::new(plan, schemas, arena)?;
    let mode = options.plan_mode.unwrap_or_else(|| PlanMode::of(plan));
    let printer = shaped.printer(options, false);
    PlanPrinter { plan, shaped: &shaped, options, mode, arena, printer }.write(out)?;
    Ok(shaped.shown())
}

/// Whether there is something to apply. It is asked without writing, because an exit code must not depend on whether
/// the text could be written.
pub fn has_changes(plan: &Plan<'_>, options: &Options) -> Result<bool, Error> {
    if plan.resource_changes.iter().any(ResourceChange::is_listed) || !plan.action_invocations.is_empty() {
        return Ok(true);
    }
    let arena = Bump::new();
    if !OutputDiffs::new(plan, options.dialect, &arena)?.are_none() {
        return Ok(true);
    }
    let mode = options.plan_mode.unwrap_or_else(|| PlanMode::of(plan));
    Ok(mode == PlanMode::RefreshOnly && !plan.resource_drift.is_empty())
}

struct PlanPrinter<'v, 'a> {
    plan: &'v Plan<'a>,
    shaped: &'v ShapedPlan<'v, 'a>,
    options: &'v Options,
    mode: PlanMode,
    arena: &'a Bump,
    printer: ChangePrinter<'v, 'v, 'a>,
}

impl<'a> PlanPrinter<'_, 'a> {
    /// Writes all sections.
    fn write(&self, out: &mut Out<'_>) -> Result<(), Error> {
        let listed: Vec<&ResourceChange<'a>> =
            self.plan.resource_changes.iter().filter(|change| change.is_listed()).collect();
        // Only shapes can fail from here on, so they are looked up before the first byte is written.
        let shaped = self.shaped.shaped(listed.iter().map(|change| Part::Change(change, Cause::Proposed)))?;
        let deferred = self.shaped.shaped(self.plan.deferred_changes.iter().map(Part::Deferred))?;
        let counts = self.counts(&listed);
        let outputs = OutputDiffs::new(self.plan, self.options.dialect, self.arena)?;
        self.shaped.shared.notes.add_approximate(outputs.is_approximate);
        let outputs_change = !outputs.are_none();
        let drift_shown = self.drift(out, &listed, outputs_change)?;
        let has_changes = !listed.is_empty() || outputs_change || !self.plan.action_invocations.is_empty();
        if !has_changes {
            let applyable = self.plan.applyable.unwrap_or(drift_shown && self.mode == PlanMode::RefreshOnly);
            no_changes(
                out,
                &NoChanges {
                    mode: self.mode,
                    errored: self.plan.errored,
                    drift_shown,
                    deferred: !deferred.is_empty(),
                    applyable,
                },
                self.options,
            )?;
            return self.deferred(out, &deferred);
        }
        if drift_shown {
            rule(out, self.options.width)?;
        }
        self.deferred(out, &deferred)?;
        if !counts.is_empty() {
            legend(out, &counts, self.options.dialect, self.options.width.saturating_sub(1))?;
        }
        if !listed.is_empty() || !self.plan.action_invocations.is_empty() {
            self.resources(out, &shaped, &counts)?;
        }
        if outputs_change {
            out.lit("\nChanges to Outputs:\n")?;
            outputs.write(out, Context::resource(self.options.show_sensitive))?;
            if counts.is_empty() {
                only_outputs(out, self.options)?;
            }
        }
        Ok(())
    }

    fn counts(&self, listed: &[&ResourceChange<'a>]) -> Counts {
        let mut counts = Counts::default();
        counts.invocations = self.plan.action_invocations.len();
        for change in listed {
            if change.change.actions != Action::NoOp {
                counts.add(&change.change.actions);
            }
            counts.imports += usize::from(change.is_imported());
        }
        counts
    }

    /// The diff of a single change.
    fn diff(&self, change: &ResourceChange<'a>, relevant: Paths<'a>) -> Result<Diff<'a>, Error> {
        self.printer.diff(change, self.shaped.shapes.for_change(change)?, relevant, self.arena)
    }

    fn resources(&self, out: &mut Out<'_>, shaped: &[Shaped<'_, 'a>], counts: &Counts) -> Result<(), Error> {
        let product = self.options.dialect.product();
        if self.plan.errored {
            out.lit(&format!(
                "\n{product} planned the following actions, but then encountered a problem:\n"
            ))?;
        } else {
            out.lit(&format!("\n{product} will perform the following actions:\n"))?;
        }
        self.printer.write_all(out, shaped)?;
        plan_line(out, counts, self.options.dialect)?;
        self.invoked_actions(out)
    }

    /// Writes the drift section if it is shown.
    fn drift(
        &self,
        out: &mut Out<'_>,
        listed: &[&ResourceChange<'a>],
        outputs_change: bool,
    ) -> Result<bool, Error> {
        let refresh_only = self.mode == PlanMode::RefreshOnly;
        let mut entries = Vec::new();
        let relevant = (!refresh_only).then(|| RelevantPaths::new(self.plan, self.arena)).transpose()?;
        for change in &self.plan.resource_drift {
            let relevant = relevant.as_ref().map_or(Paths::Always, |paths| paths.at(&change.address));
            if !relevant.may_match() {
                continue;
            }
            let diff = self.diff(change, relevant)?;
            if refresh_only || diff.action != tree::DiffAction::NoOp {
                entries.push((change, diff));
            }
        }
        if entries.is_empty() || (!refresh_only && !outputs_change && !self.anything_changes(listed)?) {
            return Ok(false);
        }
        drift_intro(out, self.options)?;
        for (change, diff) in entries {
            if change.is_silent() {
                continue;
            }
            out.lit("\n")?;
            out.folded(|out| {
                self.printer.resource(out, change, &diff, Cause::Drift, self.arena)?;
                Ok::<(), Error>(out.lit("\n")?)
            })?;
        }
        drift_outro(out, self.options, self.mode)?;
        Ok(true)
    }

    /// Whether any resource change moves an object, or changes a value or its mark. The planned action does
    /// not determine this: an update may have no visible effect, and a no-op may change a mark.
    fn anything_changes(&self, listed: &[&ResourceChange<'a>]) -> Result<bool, Error> {
        if listed.iter().any(|change| change.is_moved()) {
            return Ok(true);
        }
        let mut arena = Bump::new();
        // Most planned actions do change something, so checking those first usually ends at the first one.
        let (planned, others): (Vec<_>, Vec<_>) =
            self.plan.resource_changes.iter().partition(|change| change.change.actions != Action::NoOp);
        for change in planned.into_iter().chain(others) {
            arena.reset();
            let diff =
                self.printer.diff(change, self.shaped.shapes.for_change(change)?, Paths::Always, &arena)?;
            if diff.action != tree::DiffAction::NoOp {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn deferred(&self, out: &mut Out<'_>, deferred: &[Shaped<'_, 'a>]) -> Result<(), Error> {
        if deferred.is_empty() {
            return Ok(());
        }
        note(out, "This is a partial plan, parts can only be known in the next plan / apply cycle.")?;
        out.lit("\n")?;
        for part in deferred {
            if matches!(part.0, Part::Deferred(deferred) if deferred.resource_change.is_silent()) {
                continue;
            }
            out.lit("\n")?;
            out.folded(|out| self.printer.write(out, *part, self.arena))?;
        }
        rule(out, self.options.width)?;
        Ok(())
    }

    /// Writes the actions invoked by the command line.
    fn invoked_actions(&self, out: &mut Out<'_>) -> Result<(), Error> {
        let by_command = |action: &&ShapedAction<'_, 'a>| action.0.lifecycle_action_trigger.is_none();
        let mut actions = self.shaped.shared.actions.iter().filter(by_command).peekable();
        if actions.peek().is_none() {
            return Ok(());
        }
        out.lit("\nTerraform will invoke the following action(s):\n")?;
        for (action, shape) in actions {
            out.lit("\n")?;
            self.printer.write(out, (Part::Action(action), *shape), self.arena)?;
        }
        Ok(out.lit("\n")?)
    }
}
