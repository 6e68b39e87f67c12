//! Writes a plan as the tools' `show` prints it.
//!
//! Invariant: shapes, drift and changed outputs are computed before the first byte is written, so that their errors
//! leave no partial text that could be taken for the whole one. A planned change with a value that is too large, or
//! with malformed marks, is an error only when it is its turn.

use std::io;

use bumpalo::Bump;

use super::outputs::OutputDiffs;
use super::resources::{PrintedPart, ShapedAction, ShapedPart, ShapedPlan};
use super::{Error, Options, PlanMode, ShowReport};
use crate::dialect::Dialect;
use crate::diff::tree::{Diff, DiffAction};
use crate::diff::{Paths, RelevantPaths};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::render::Cause;
use crate::render::summary::{Counts, headline, headline_alone, legend, note, plan_line, rule};
use crate::schema::Schemas;
use crate::term::{Out, Role};
use crate::text::wrap;

/// Writes the text of a plan, as the tool prints it.
///
/// # Errors
/// Returns an error if a value or a schema is malformed, a value is too large, or the text cannot be written.
pub fn plan<'a>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    out: &mut Out<'_>,
    arena: &'a Bump,
) -> Result<ShowReport, Error> {
    let shaped = ShapedPlan::new(plan, schemas, options.context(), arena)?;
    let mode = options.plan_mode.unwrap_or_else(|| PlanMode::of(plan));
    PlanPrinter {
        plan,
        shaped: &shaped,
        options,
        mode,
        arena,
    }
    .write(out)?;
    Ok(shaped.shown())
}

/// Whether a plan has changes, actions or changed outputs. Nothing is written for this, because an exit code must not
/// depend on whether the text could be written.
///
/// # Errors
/// Returns an error if the value of an output is malformed or too large.
pub fn has_changes(plan: &Plan<'_>, options: &Options) -> Result<bool, Error> {
    if plan.resource_changes.iter().any(ResourceChange::is_listed)
        || !plan.action_invocations.is_empty()
    {
        return Ok(true);
    }
    if !OutputDiffs::new(plan, options.dialect)?.are_none() {
        return Ok(true);
    }
    let mode = options.plan_mode.unwrap_or_else(|| PlanMode::of(plan));
    Ok(mode == PlanMode::RefreshOnly && !plan.resource_drift.is_empty())
}

/// The printer of the sections of a plan.
struct PlanPrinter<'v, 'a> {
    /// The plan.
    plan: &'v Plan<'a>,
    /// The changes of the plan with their shapes.
    shaped: &'v ShapedPlan<'v, 'a>,
    /// The options of the text.
    options: &'v Options,
    /// The mode in which the plan was made.
    mode: PlanMode,
    /// The arena for values that the whole text needs.
    arena: &'a Bump,
}

impl<'a> PlanPrinter<'_, 'a> {
    /// Writes all sections, in the order of the tools.
    fn write(&self, out: &mut Out<'_>) -> Result<(), Error> {
        let listed: Vec<&ResourceChange<'a>> = self
            .plan
            .resource_changes
            .iter()
            .filter(|change| change.is_listed())
            .collect();
        // Shapes can fail, so they are looked up before the first byte is written.
        let shaped = self.shaped.shaped(
            listed
                .iter()
                .map(|change| PrintedPart::Change(change, Cause::Proposed)),
        )?;
        let deferred = self
            .shaped
            .shaped(self.plan.deferred_changes.iter().map(PrintedPart::Deferred))?;
        let counts = self.counts(&listed);
        let outputs = OutputDiffs::new(self.plan, self.options.dialect)?;
        self.shaped
            .printer
            .notes
            .add_approximate(outputs.is_approximate);
        let outputs_change = !outputs.are_none();
        let drift_shown = self.drift(out, &listed, outputs_change)?;
        let has_changes =
            !listed.is_empty() || outputs_change || !self.plan.action_invocations.is_empty();
        if !has_changes {
            let applyable = self
                .plan
                .applyable
                .unwrap_or(drift_shown && self.mode == PlanMode::RefreshOnly);
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
            legend(
                out,
                &counts,
                self.options.dialect,
                self.options.width.saturating_sub(1),
            )?;
        }
        if !listed.is_empty() || !self.plan.action_invocations.is_empty() {
            self.resources(out, &shaped, &counts)?;
        }
        if outputs_change {
            out.lit("\nChanges to Outputs:\n")?;
            outputs.write(out, self.options.context())?;
            if counts.is_empty() {
                only_outputs(out, self.options)?;
            }
        }
        Ok(())
    }

    /// Counts the actions for the legend and the summary.
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

    /// Compares both sides of a change. `relevant` contains the relevant paths of drift.
    fn diff(&self, change: &ResourceChange<'a>, relevant: Paths<'a>) -> Result<Diff<'a>, Error> {
        self.shaped.printer.diff(
            change,
            self.shaped.shapes.for_change(change)?,
            relevant,
            self.arena,
        )
    }

    /// Writes the planned changes, with the sentence before them and the counts after them.
    fn resources(
        &self,
        out: &mut Out<'_>,
        shaped: &[ShapedPart<'_, 'a>],
        counts: &Counts,
    ) -> Result<(), Error> {
        let product = self.options.dialect.product();
        if self.plan.errored {
            out.lit(&format!(
                "\n{product} planned the following actions, but then encountered a problem:\n"
            ))?;
        } else {
            out.lit(&format!(
                "\n{product} will perform the following actions:\n"
            ))?;
        }
        self.shaped.printer.write_all(out, shaped)?;
        plan_line(out, counts, self.options.dialect)?;
        self.invoked_actions(out)
    }

    /// Writes the drift, and returns whether there was any to write. The tools leave it out if nothing else changes.
    fn drift(
        &self,
        out: &mut Out<'_>,
        listed: &[&ResourceChange<'a>],
        outputs_change: bool,
    ) -> Result<bool, Error> {
        let refresh_only = self.mode == PlanMode::RefreshOnly;
        let mut entries = Vec::new();
        let relevant = (!refresh_only)
            .then(|| RelevantPaths::new(self.plan, self.arena))
            .transpose()?;
        for change in &self.plan.resource_drift {
            let relevant = relevant
                .as_ref()
                .map_or(Paths::Always, |paths| paths.at(&change.address));
            if !relevant.may_match() {
                continue;
            }
            let diff = self.diff(change, relevant)?;
            if refresh_only || diff.action != DiffAction::NoOp {
                entries.push((change, diff));
            }
        }
        if entries.is_empty()
            || (!refresh_only && !outputs_change && !self.anything_changes(listed)?)
        {
            return Ok(false);
        }
        drift_intro(out, self.options)?;
        for (change, diff) in entries {
            if change.has_no_effect() {
                continue;
            }
            out.lit("\n")?;
            out.folded(|out| {
                self.shaped
                    .printer
                    .resource(out, change, &diff, Cause::Drift, self.arena)?;
                Ok::<(), Error>(out.lit("\n")?)
            })?;
        }
        drift_outro(out, self.options, self.mode)?;
        Ok(true)
    }

    /// Whether any planned change moves an object, or changes a value or its mark. The planned action does not tell
    /// this: an update may have no visible effect, and a no-op may change a mark.
    fn anything_changes(&self, listed: &[&ResourceChange<'a>]) -> Result<bool, Error> {
        if listed.iter().any(|change| change.is_moved()) {
            return Ok(true);
        }
        let mut arena = Bump::new();
        // Most planned actions do change something, so if these are checked first, the search usually ends with the
        // first one.
        let (planned, others): (Vec<_>, Vec<_>) = self
            .plan
            .resource_changes
            .iter()
            .partition(|change| change.change.actions != Action::NoOp);
        for change in planned.into_iter().chain(others) {
            arena.reset();
            let diff = self.shaped.printer.diff(
                change,
                self.shaped.shapes.for_change(change)?,
                Paths::Always,
                &arena,
            )?;
            if diff.action != DiffAction::NoOp {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes the changes that are deferred to a later plan.
    fn deferred(&self, out: &mut Out<'_>, deferred: &[ShapedPart<'_, 'a>]) -> Result<(), Error> {
        if deferred.is_empty() {
            return Ok(());
        }
        note(
            out,
            "This is a partial plan, parts can only be known in the next plan / apply cycle.",
        )?;
        out.lit("\n")?;
        for part in deferred {
            if matches!(part.part, PrintedPart::Deferred(deferred) if deferred.resource_change.has_no_effect())
            {
                continue;
            }
            out.lit("\n")?;
            out.folded(|out| self.shaped.printer.write(out, *part, self.arena))?;
        }
        rule(out, self.options.width)?;
        Ok(())
    }

    /// Writes the actions that the command line invokes.
    fn invoked_actions(&self, out: &mut Out<'_>) -> Result<(), Error> {
        let by_command =
            |action: &&ShapedAction<'_, 'a>| action.action.lifecycle_action_trigger.is_none();
        let mut actions = self
            .shaped
            .printer
            .actions
            .iter()
            .filter(by_command)
            .peekable();
        if actions.peek().is_none() {
            return Ok(());
        }
        out.lit("\nTerraform will invoke the following action(s):\n")?;
        for ShapedAction { action, shape } in actions {
            out.lit("\n")?;
            self.shaped.printer.write(
                out,
                ShapedPart {
                    part: PrintedPart::Action(action),
                    shape: *shape,
                },
                self.arena,
            )?;
        }
        Ok(out.lit("\n")?)
    }
}

/// The facts that determine the sentence for a plan without changes.
struct NoChanges {
    /// The mode in which the plan was made.
    mode: PlanMode,
    /// Whether planning failed.
    errored: bool,
    /// Whether drift was written.
    drift_shown: bool,
    /// Whether changes are deferred to a later plan.
    deferred: bool,
    /// Whether an apply would do something, such as recording drift.
    applyable: bool,
}

impl Options {
    /// Wraps a text to the width. The last column is left free.
    fn wrap(&self, text: &str) -> String {
        wrap(text, self.width.saturating_sub(1))
    }
}

/// Writes the text of a plan without changes.
fn no_changes(out: &mut Out<'_>, facts: &NoChanges, options: &Options) -> io::Result<()> {
    let product = options.dialect.product();
    let rule = |out: &mut Out<'_>| {
        if facts.drift_shown {
            rule(out, options.width)
        } else {
            Ok(())
        }
    };
    if facts.errored {
        rule(out)?;
        let rest = format!(" {product} encountered an error while generating this plan.");
        headline(out, Role::StrongDelete, "Planning failed.", &rest)?;
        return rule(out);
    }
    if facts.deferred {
        let rest = " This plan requires another plan to be applied first.";
        headline(out, Role::StrongSuccess, "No current changes.", rest)?;
        return rule(out);
    }
    let success = |out: &mut Out<'_>, rest| headline(out, Role::StrongSuccess, "No changes.", rest);
    match facts.mode {
        PlanMode::RefreshOnly if facts.drift_shown => Ok(()),
        PlanMode::RefreshOnly => {
            success(out, " Your infrastructure still matches the configuration.")?;
            let text = format!(
                "{product} has checked that the real remote objects still match the result of your most recent changes, and found no differences."
            );
            explain(out, options, &text)
        }
        PlanMode::Destroy => {
            rule(out)?;
            success(out, " No objects need to be destroyed.")?;
            let text = format!(
                "Either you have not created any objects yet or the existing objects were already deleted outside of {product}."
            );
            explain(out, options, &text)?;
            rule(out)
        }
        PlanMode::Normal => {
            rule(out)?;
            let rest = " Your infrastructure matches the configuration.";
            if !facts.drift_shown && !options.dialect.explains_no_changes() {
                return headline_alone(out, Role::StrongSuccess, "No changes.", rest);
            }
            success(out, rest)?;
            explain(out, options, &normal_explanation(facts, options))
        }
    }
}

/// Writes the text of a plan that has neither changes nor drift nor deferred changes.
pub fn nothing_planned(
    out: &mut Out<'_>,
    mode: PlanMode,
    errored: bool,
    dialect: Dialect,
    width: usize,
) -> io::Result<()> {
    let facts = NoChanges {
        mode,
        errored,
        drift_shown: false,
        deferred: false,
        applyable: false,
    };
    let options = Options {
        dialect,
        plan_mode: Some(mode),
        show_sensitive: false,
        width,
        automation: false,
    };
    no_changes(out, &facts, &options)
}

/// Returns the explanation for a normal plan without changes.
fn normal_explanation(facts: &NoChanges, options: &Options) -> String {
    let (product, command) = (options.dialect.product(), options.dialect.command());
    match (facts.drift_shown, facts.applyable) {
        (false, _) => format!("{product} has compared your real infrastructure against your configuration and found no differences, so no changes are needed."),
        (true, true) => "Your configuration already matches the changes detected above, so applying this plan will only update the state to include the changes detected above and won't change any real infrastructure.".to_owned(),
        (true, false) => {
            let hint = if options.automation { ".".to_owned() } else { format!(":\n  {command} apply -refresh-only") };
            format!("Your configuration already matches the changes detected above. If you'd like to update the {product} state to match, create and apply a refresh-only plan{hint}")
        }
    }
}

/// Writes a wrapped paragraph.
fn explain(out: &mut Out<'_>, options: &Options, text: &str) -> io::Result<()> {
    out.lit(&options.wrap(text))?;
    out.lit("\n")
}

/// Writes the text before the drift.
fn drift_intro(out: &mut Out<'_>, options: &Options) -> io::Result<()> {
    let (product, command) = (options.dialect.product(), options.dialect.command());
    note(out, &format!("Objects have changed outside of {product}"))?;
    out.lit("\n")?;
    out.lit(&options.wrap(&format!("{product} detected the following changes made outside of {product} since the last \"{command} apply\" which may have affected this plan:\n")))
}

/// Writes the text after the drift.
fn drift_outro(out: &mut Out<'_>, options: &Options, mode: PlanMode) -> io::Result<()> {
    let product = options.dialect.product();
    let text = match mode {
        PlanMode::RefreshOnly => format!("This is a refresh-only plan, so {product} will not take any actions to undo these. If you were expecting these changes then you can apply this plan to record the updated values in the {product} state without changing any remote objects."),
        PlanMode::Normal | PlanMode::Destroy => "Unless you have made equivalent changes to your configuration, or ignored the relevant attributes using ignore_changes, the following plan may include actions to undo or respond to these changes.".to_owned(),
    };
    out.lit("\n\n")?;
    explain(out, options, &text)
}

/// Writes the text for a plan in which only outputs change.
fn only_outputs(out: &mut Out<'_>, options: &Options) -> io::Result<()> {
    let product = options.dialect.product();
    let text = format!(
        "\nYou can apply this plan to save these new output values to the {product} state, without changing any real infrastructure."
    );
    explain(out, options, &text)
}
