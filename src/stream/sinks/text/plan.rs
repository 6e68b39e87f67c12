//! Writes the plan of a run: its full text, or a compact list of changes.
//!
//! ```text
//! {"type":"planned_change","change":{"resource":{"addr":"a.b",…},"action":"create"},…}
//!   + a.b will be created
//!       only if no plan is given; otherwise, the text of the plan is written once, instead of these lines
//! ```

use std::io;

use super::{Context, TextSink};
use crate::model::message::{ChangeSummary, PlannedChange, PlannedInvocation};
use crate::render::outputs::outputs;
use crate::show::nothing_planned;
use crate::stream::documents::chain;
use crate::stream::event::{Outputs, PlanEvent, Summary, SummarySubject};
use crate::stream::output::Output;
use crate::term::TextPart::{Data, Lit, Styled, StyledData};
use crate::term::{Role, TextPart, Untrusted};
use crate::text::key;
use crate::text::stream::{drifted, planned, reason};

/// The headings of the compact list that were written. Each is written once.
#[derive(Debug, Default)]
pub(super) struct Headings {
    has_drift: bool,
    has_changes: bool,
    has_outputs: bool,
}

impl TextSink {
    /// Handles an event of the plan. If the plan is known, its text replaces the compact list.
    pub(super) fn plan(
        &mut self,
        plan: &PlanEvent<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let Context {
            state,
            options,
            output,
            ..
        } = context;
        match plan {
            PlanEvent::Change(_) | PlanEvent::Drift(_) | PlanEvent::Invocation(_)
                if state.plan.is_known() =>
            {
                Ok(())
            }
            PlanEvent::Change(change) => {
                self.changes_heading(context)?;
                list_change(change, &planned(&change.action), context.output)
            }
            PlanEvent::Drift(change) => {
                self.drift_heading(context)?;
                list_change(change, &drifted(&change.action), context.output)
            }
            PlanEvent::Invocation(invocation) => {
                self.changes_heading(context)?;
                list_invocation(invocation, context.output)
            }
            PlanEvent::Text => plan_text(context),
            PlanEvent::NoChanges {
                summary,
                has_output_changes: true,
                ..
            } => plan_line(summary, output),
            PlanEvent::NoChanges {
                has_output_changes: false,
                has_failed,
                ..
            } => {
                let (mode, width) = (options.plan_mode.unwrap_or_default(), options.width);
                nothing_planned(output.text()?, mode, *has_failed, state.dialect, width)
            }
        }
    }

    /// Writes the heading of the list of drift, unless it was written before.
    fn drift_heading(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        if std::mem::replace(&mut self.headings.has_drift, true) {
            return Ok(());
        }
        let note = format!(
            " Objects have changed outside of {}",
            context.state.dialect.product()
        );
        let out = context.output.text()?;
        out.parts(&[
            Lit("\n"),
            Styled(Role::StrongNote, "Note:"),
            Styled(Role::Strong, &note),
            Lit("\n\n"),
        ])
    }

    /// Writes the heading of the list of changes, unless it was written before.
    fn changes_heading(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        if std::mem::replace(&mut self.headings.has_changes, true) {
            return Ok(());
        }
        let product = context.state.dialect.product();
        context.output.text()?.lit(&format!(
            "\n{product} will perform the following actions:\n\n"
        ))
    }

    /// Writes outputs: their values after an apply, otherwise how the plan changes them.
    pub(super) fn outputs(
        &mut self,
        shown: &Outputs<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let out = context.output.text()?;
        if !shown.are_planned {
            return outputs(&shown.all, context.options.show_sensitive, out);
        }
        if context.state.plan.is_known() {
            return Ok(());
        }
        for (name, planned) in shown.all.iter() {
            let action = planned.action.as_deref().unwrap_or_default();
            if action == "noop" {
                continue;
            }
            if !std::mem::replace(&mut self.headings.has_outputs, true) {
                out.lit("\nChanges to Outputs:\n")?;
            }
            let end = if planned.is_sensitive() {
                " (sensitive value)\n"
            } else {
                "\n"
            };
            out.parts(symbol(action))?;
            out.parts(&[Lit(" "), Data(&key(name)), Lit(end)])?;
        }
        Ok(())
    }
}

/// Writes a summary. The summary of a plan is a part of the plan's text, so it is written only without that text.
pub(super) fn summary(summary: &Summary<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
    let Context {
        event,
        state,
        options,
        output,
    } = context;
    let text = event.text();
    match summary.subject {
        // The text of the plan contains the summary. That of a plan without changes is written later.
        SummarySubject::Plan if state.plan.is_known() || state.plan.no_changes.is_some() => Ok(()),
        SummarySubject::Plan => plan_line(&text, output),
        SummarySubject::Apply => {
            let mut text = with_failed_actions(&text, summary.changes);
            if options.is_saved_destroy {
                text = as_destroy(text, summary.changes);
            }
            output.text()?.lit("\n")?;
            output.line(Role::StrongSuccess, &text)
        }
        SummarySubject::Unknown => output.line(Role::Plain, &text),
    }
}

/// Writes the text of the plan, and a note if it is not the plan of this run.
fn plan_text(context: &mut Context<'_, '_>) -> io::Result<()> {
    let Context { state, output, .. } = context;
    let (documents, out) = output.documents()?;
    if let Err(error) = documents.plan_file(state.dialect, out) {
        output.note(&format!("the plan cannot be shown: {}", chain(&error)))?;
    }
    state
        .plan
        .mismatch
        .as_ref()
        .map_or(Ok(()), |mismatch| output.note(mismatch))
}

/// Returns the symbol before an action in the compact list, in four columns.
fn symbol(action: &str) -> &'static [TextPart<'static>] {
    match action {
        "create" => &[Lit("  "), Styled(Role::Create, "+")],
        "update" => &[Lit("  "), Styled(Role::Update, "~")],
        "delete" => &[Lit("  "), Styled(Role::Delete, "-")],
        "replace" => &[
            Styled(Role::Delete, "-"),
            Lit("/"),
            Styled(Role::Create, "+"),
        ],
        "read" => &[Lit(" "), Styled(Role::Read, "<=")],
        "remove" => &[Lit("  "), Styled(Role::Delete, ".")],
        "move" | "import" | "noop" | "no-op" | "open" => &[Lit("   ")],
        _ => &[Lit("  ?")],
    }
}

/// Writes the line of a planned change: symbol, address, action, reason, import, previous address.
fn list_change(change: &PlannedChange<'_>, words: &str, output: &mut Output<'_>) -> io::Result<()> {
    let out = output.text()?;
    out.parts(symbol(&change.action))?;
    out.parts(&[
        Lit(" "),
        StyledData(Role::Strong, &change.resource.addr),
        Lit(" "),
        Data(words),
    ])?;
    if !change.reason.is_empty() {
        out.data(Untrusted(&format!(" ({})", reason(&change.reason))))?;
    }
    if change.importing.is_some() && &*change.action != "import" {
        out.lit(" (imported first)")?;
    }
    if let Some(from) = &change.previous_resource
        && from.addr != change.resource.addr
        && !from.addr.is_empty()
    {
        out.parts(&[Lit(" (moved from "), Data(&from.addr), Lit(")")])?;
    }
    out.lit("\n")
}

/// Writes the line of an action that will be invoked.
fn list_invocation(invocation: &PlannedInvocation<'_>, output: &mut Output<'_>) -> io::Result<()> {
    let out = output.text()?;
    let action = &invocation.action_addr.addr;
    out.parts(&[
        Lit("    "),
        StyledData(Role::Strong, action),
        Lit(" will be invoked"),
    ])?;
    if let Some(trigger) = &invocation.lifecycle_trigger {
        out.parts(&[
            Lit(" (triggered by "),
            Data(&trigger.resource.addr),
            Lit(")"),
        ])?;
    }
    out.lit("\n")
}

/// Writes the summary `Plan: 1 to add, …`, with its first word in bold.
fn plan_line(text: &str, output: &mut Output<'_>) -> io::Result<()> {
    let (word, rest) = text.split_at(if text.starts_with("Plan:") {
        "Plan:".len()
    } else {
        0
    });
    output
        .text()?
        .parts(&[Lit("\n"), Styled(Role::Strong, word), Data(rest), Lit("\n")])
}

/// Turns the summary of an apply into that of `destroy`, which has only the counts from `destroyed` on.
fn as_destroy(text: String, changes: &ChangeSummary<'_>) -> String {
    let destroyed = format!("{} destroyed", changes.remove);
    let counts = text.strip_prefix("Apply complete! Resources: ");
    match counts.and_then(|counts| counts.get(counts.find(&destroyed)?..)) {
        Some(counts) => format!("Destroy complete! Resources: {counts}"),
        None => text,
    }
}

/// Adds the number of failed actions to the summary of an apply. The message lacks it after a destroy, unlike the
/// human-readable text.
fn with_failed_actions(text: &str, changes: &ChangeSummary<'_>) -> String {
    let text = text.trim_end();
    let invoked = format!("{} invoked.", changes.action_invocation);
    match text.strip_suffix(&invoked) {
        Some(before) if changes.action_fail > 0 => {
            format!(
                "{before}{} invoked, {} failed.",
                changes.action_invocation, changes.action_fail
            )
        }
        _ => text.to_owned(),
    }
}
