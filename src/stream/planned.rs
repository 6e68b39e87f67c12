//! Shows the plan of a run: its full text, or a compact list of changes; the summaries; the outputs.
//!
//! Invariant: the text of the plan, or the end of the list, comes before the first message of the apply: at
//! the summary of the plan, or at the first operation that is not a data read.

use std::io;

use crate::json::Pairs;
use crate::model::message::{ChangeSummary, Message, Output, PlannedChange, PlannedInvocation};
use crate::render::outputs::outputs;
use crate::show::nothing_planned;
use crate::term::{Role, Untrusted};
use crate::text::key;
use crate::text::stream::{drifted, planned, reason};

use super::{Phase, Stream};

/// The state of showing the plan.
#[derive(Debug)]
pub(super) struct Planned {
    /// Whether a plan was given.
    given: bool,
    shown: bool,
    drift_heading: bool,
    heading: bool,
    outputs_heading: bool,
    /// Whether there is a change that is not listed, or an action, so that the plan has an effect.
    does_something: bool,
    /// The summary of a plan without changes. How it is shown depends on the outputs that may follow.
    summary: Option<String>,
}

impl Planned {
    pub(super) fn new(given: bool) -> Self {
        Self {
            given,
            shown: false,
            drift_heading: false,
            heading: false,
            outputs_heading: false,
            does_something: false,
            summary: None,
        }
    }
}

/// The symbol of an action, in three columns.
fn symbol(action: &str) -> &'static [(Role, &'static str)] {
    match action {
        "create" => &[(Role::Plain, "  "), (Role::Create, "+")],
        "update" => &[(Role::Plain, "  "), (Role::Update, "~")],
        "delete" => &[(Role::Plain, "  "), (Role::Delete, "-")],
        "replace" => &[(Role::Delete, "-"), (Role::Plain, "/"), (Role::Create, "+")],
        "read" => &[(Role::Plain, " "), (Role::Read, "<=")],
        "remove" => &[(Role::Plain, "  "), (Role::Delete, ".")],
        "move" | "import" | "noop" | "no-op" | "open" => &[(Role::Plain, "   ")],
        _ => &[(Role::Plain, "  ?")],
    }
}

/// The number of operations for a change. A replacement takes two.
pub(super) fn steps(action: &str) -> usize {
    match action {
        "create" | "update" | "delete" => 1,
        "replace" => 2,
        _ => 0,
    }
}

impl Stream<'_> {
    pub(super) fn planned_change(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.enter(Phase::Plan)?;
        self.record.course.plan_began();
        let Some(change) = message.change.as_ref().filter(|change| !change.resource.addr.is_empty()) else {
            return self.plain(message);
        };
        self.planned.does_something |= &*change.action != "noop";
        self.record.planned(&change.resource.addr, steps(&change.action));
        if let Some(expected) = &mut self.options.plan {
            expected.saw(&change.resource.addr, &change.action);
        }
        if self.planned.given {
            return Ok(());
        }
        self.heading()?;
        self.list_change(change, planned(&change.action), "planned")
    }

    pub(super) fn resource_drift(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.enter(Phase::Plan)?;
        self.record.course.plan_began();
        let Some(change) = message.change.as_ref().filter(|change| !change.resource.addr.is_empty()) else {
            return self.plain(message);
        };
        self.planned.does_something = true;
        if self.planned.given {
            return Ok(());
        }
        if !std::mem::replace(&mut self.planned.drift_heading, true) {
            let product = self.dialect.product();
            let out = self.out()?;
            out.lit("\n")?;
            out.role(Role::StrongNote, "Note:")?;
            out.role(Role::Strong, &format!(" Objects have changed outside of {product}"))?;
            out.lit("\n\n")?;
        }
        self.list_change(change, drifted(&change.action), "drift")
    }

    fn heading(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.planned.heading, true) {
            return Ok(());
        }
        let product = self.dialect.product();
        self.out()?.lit(&format!("\n{product} will perform the following actions:\n\n"))
    }

    /// Writes a line of the compact list.
    fn list_change(
        &mut self,
        change: &PlannedChange<'_>,
        what: Option<&str>,
        unknown: &str,
    ) -> io::Result<()> {
        let out = self.out()?;
        for (role, text) in symbol(&change.action) {
            out.role(*role, text)?;
        }
        out.lit(" ")?;
        out.role_data(Role::Strong, Untrusted(&change.resource.addr))?;
        out.lit(" ")?;
        match what {
            Some(what) => out.lit(what)?,
            // An unknown action is shown as written.
            None => out.data(Untrusted(&format!("{unknown}: {}", change.action)))?,
        }
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
            out.lit(" (moved from ")?;
            out.data(Untrusted(&from.addr))?;
            out.lit(")")?;
        }
        out.lit("\n")
    }

    pub(super) fn planned_invocation(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.enter(Phase::Plan)?;
        self.record.course.plan_began();
        self.planned.does_something = true;
        if self.planned.given {
            return Ok(());
        }
        let Some(invocation) = message.invocation.and_then(|raw| raw.read::<PlannedInvocation<'_>>().ok())
        else {
            return self.plain(message);
        };
        self.heading()?;
        let out = self.out()?;
        out.lit("    ")?;
        out.role_data(Role::Strong, Untrusted(&invocation.action_addr.addr))?;
        out.lit(" will be invoked")?;
        if let Some(trigger) = &invocation.lifecycle_trigger {
            out.lit(" (triggered by ")?;
            out.data(Untrusted(&trigger.resource.addr))?;
            out.lit(")")?;
        }
        out.lit("\n")
    }

    pub(super) fn change_summary(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(changes) = &message.changes else { return self.plain(message) };
        self.record.tool_summary(&message.text());
        match &*changes.operation {
            "plan" => {
                self.show_plan()?;
                self.record.plan_ended();
                let planned = &mut self.planned;
                let counts = [changes.add, changes.change, changes.remove, changes.import, changes.forget];
                let does_something = std::mem::take(&mut planned.does_something)
                    || counts.iter().any(|count| *count > 0)
                    || changes.action_invocation > 0;
                if !planned.given && !does_something {
                    planned.summary = Some(message.text().into_owned());
                    return Ok(());
                }
                if self.planned.given {
                    return Ok(());
                }
                self.reveal()?;
                self.plan_line(&message.text())
            }
            "apply" | "destroy" => {
                self.begin_apply()?;
                self.record.summed_up();
                self.enter(Phase::Result)?;
                let mut text = summary(&message.text(), changes);
                if self.options.of_destroy {
                    text = as_destroy(text, changes);
                }
                self.out()?.lit("\n")?;
                self.say(Role::StrongSuccess, &text)
            }
            _ => self.plain(message),
        }
    }

    /// Shows the summary of a plan without changes, once it is known whether its outputs change. `next` is
    /// the next message, if there is one.
    pub(super) fn plan_summary_ends(&mut self, next: Option<&Message<'_>>) -> io::Result<()> {
        let Some(text) = self.planned.summary.take() else { return Ok(()) };
        let outputs = next.filter(|next| &*next.message_type == "outputs").and_then(|next| next.outputs);
        let outputs = outputs.and_then(|raw| raw.read::<Pairs<'_, Output<'_>>>().ok());
        let changes = |output: &Output<'_>| output.action.as_deref().is_some_and(|action| action != "noop");
        self.flush_diagnostics()?;
        self.reveal()?;
        if outputs.is_some_and(|outputs| outputs.iter().any(|(_, output)| changes(output))) {
            return self.plan_line(&text);
        }
        let mode = self.options.plan_mode.unwrap_or_default();
        let (dialect, width) = (self.dialect, self.options.width);
        nothing_planned(self.out()?, mode, dialect, width)
    }

    /// Writes `Plan: 1 to add, …` with the first word in bold.
    fn plan_line(&mut self, text: &str) -> io::Result<()> {
        let out = self.out()?;
        out.lit("\n")?;
        match text.strip_prefix("Plan:") {
            Some(rest) => {
                out.role(Role::Strong, "Plan:")?;
                out.data(Untrusted(rest))?;
            }
            None => out.data(Untrusted(text))?,
        }
        out.lit("\n")
    }

    /// Begins the apply, after showing the plan.
    pub(super) fn begin_apply(&mut self) -> io::Result<()> {
        self.show_plan()?;
        self.record.course.apply_began();
        self.enter(Phase::Apply)
    }

    /// Shows the given plan, once.
    fn show_plan(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.planned.shown, true) || !self.planned.given {
            return Ok(());
        }
        self.enter(Phase::Plan)?;
        self.region.erase(&mut self.out)?;
        if let Err(error) = self.documents.plan_file(self.dialect, &mut self.out) {
            self.note(&format!("the plan cannot be shown: {error:#}"))?;
        }
        if let Some(difference) = self.options.plan.as_mut().and_then(super::Expected::difference) {
            self.note(&difference)?;
            if let Some(timeline) = &mut self.timeline {
                timeline.other_plan = Some(difference);
            }
        }
        Ok(())
    }

    pub(super) fn outputs(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(all) = message.outputs.and_then(|raw| raw.read::<Pairs<'_, Output<'_>>>().ok()) else {
            // Malformed outputs may be sensitive.
            return self.plain(message);
        };
        let is_planned = all.iter().any(|(_, output)| output.action.is_some());
        if is_planned {
            return self.planned_outputs(&all);
        }
        self.enter(Phase::Result)?;
        self.record.summed_up();
        self.region.erase(&mut self.out)?;
        outputs(&all, self.options.show_sensitive, &mut self.out)
    }

    /// Lists planned outputs, unless the text of the plan was shown. Messages have only their actions, not
    /// their values.
    fn planned_outputs(&mut self, outputs: &Pairs<'_, Output<'_>>) -> io::Result<()> {
        if self.planned.given {
            return Ok(());
        }
        for (name, output) in outputs.iter() {
            let action = output.action.as_deref().unwrap_or_default();
            if action == "noop" {
                continue;
            }
            if !std::mem::replace(&mut self.planned.outputs_heading, true) {
                self.out()?.lit("\nChanges to Outputs:\n")?;
            }
            let is_sensitive = output.is_sensitive();
            let out = self.out()?;
            for (role, text) in symbol(action) {
                out.role(*role, text)?;
            }
            out.lit(" ")?;
            out.data(Untrusted(&key(name)))?;
            out.lit(if is_sensitive { " (sensitive value)\n" } else { "\n" })?;
        }
        Ok(())
    }
}

/// The summary of an apply in the words of `destroy`, which has only the counts from `destroyed` on.
fn as_destroy(text: String, changes: &ChangeSummary<'_>) -> String {
    let destroyed = format!("{} destroyed", changes.remove);
    let counts = text.strip_prefix("Apply complete! Resources: ");
    match counts.and_then(|counts| counts.get(counts.find(&destroyed)?..)) {
        Some(counts) => format!("Destroy complete! Resources: {counts}"),
        None => text,
    }
}

/// The tool's own summary. Adds the number of failed actions, which the message lacks after a destroy, unlike
/// the human-readable text.
fn summary(text: &str, changes: &ChangeSummary<'_>) -> String {
    let text = text.trim_end();
    let invoked = format!("{} invoked.", changes.action_invocation);
    match text.strip_suffix(&invoked) {
        Some(before) if changes.action_fail > 0 => {
            format!("{before}{} invoked, {} failed.", changes.action_invocation, changes.action_fail)
        }
        _ => text.to_owned(),
    }
}
