//! The sink that writes the tool's own text, line by line as the tool prints it without `-json`.
//!
//! Invariants: messages with an unknown type or a malformed payload are shown by their `@message`. The tool's text goes
//! to the text writer, and tfview's own remarks are notes.
//!
//! ```text
//! {"@message":"a.b: Creating...","type":"apply_start",…}
//! a.b: Creating...
//! ```

mod commands;
mod plan;

use std::io;

use super::{Context, difference};
use crate::dialect::Dialect;
use crate::json::Raw;
use crate::model::diagnostic::{Diagnostic, Severity};
use crate::render::diagnostic::{DiagnosticContext, compact, diagnostic};
use crate::stream::diagnostics::DiagnosticGroup;
use crate::stream::documents::chain;
use crate::stream::event::{
    EventKind, Invocation, Provisioner, Stage, Step, Target, TextEvent, Version,
};
use crate::stream::moment::Moment;
use crate::stream::options::{Options, ProgressDisplay};
use crate::stream::output::Output;
use crate::stream::state::State;
use crate::term::TextPart::{Data, Lit, StyledData};
use crate::term::{Role, Untrusted};
use crate::text::stream::{Operation, provider_line, push_duration, push_elapsed, shortened};
use crate::text::{count, wrap};
use commands::{Gap, Lists};
use plan::Headings;

/// The interval between two heartbeats of `--quiet-progress`, in seconds.
const HEARTBEAT: u64 = 10;

/// The sink of the tool's text, with everything besides the state that this text depends on.
#[derive(Debug, Default)]
pub(super) struct TextSink {
    /// The headings of the compact list that were written.
    headings: Headings,
    /// The last text of `init`, which decides about empty lines.
    init_gap: Gap,
    /// The results of list blocks that are not complete.
    lists: Lists,
    /// The time of the last line about progress, if such lines are limited by `--quiet-progress`.
    heartbeat: Option<Moment>,
    /// The file with a state that the tool could not save.
    rescued: Option<String>,
    /// A line that is being composed. It is kept to reuse its memory.
    line: String,
}

impl Context<'_, '_> {
    /// Writes the `@message` of the event as a line.
    fn message(&mut self, role: Role) -> io::Result<()> {
        self.output.line(role, &self.event.text())
    }

    /// Wraps a text to the width. Like in the tools, the last column is left free.
    fn wrap(&self, text: &str) -> String {
        wrap(text, self.options.width.saturating_sub(1))
    }
}

impl TextSink {
    /// Writes the tool's text of an event.
    pub(super) fn event(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        match &context.event.kind {
            EventKind::Operation(stage, target) => self.operation(*stage, target, context),
            EventKind::Provisioner(step, provisioner) => {
                self.provisioner(*step, provisioner, context)
            }
            EventKind::Action(step, invocation) => self.action(*step, invocation, context),
            EventKind::Plan(plan) => self.plan(plan, context),
            EventKind::Summary(summary) => plan::summary(summary, context),
            EventKind::Outputs(outputs) => self.outputs(outputs, context),
            EventKind::Version(version) => foreign_version(version, context.output),
            EventKind::Log => log(context),
            EventKind::UnsavedState(json) => self.unsaved_state(*json, context),
            EventKind::InitOutput(code) => self.init_output(code, context),
            EventKind::Untyped => self.untyped(context),
            EventKind::Test(test) => commands::test(test, context),
            EventKind::Query(query) => self.query(query, context.output),
            EventKind::Policy(policy) => commands::policy(policy, context),
            EventKind::Malformed | EventKind::Unknown => context.message(Role::Plain),
            EventKind::Diagnostics(group) => self.diagnostics(group, context),
            EventKind::Validation(document) => commands::validation(document, context),
            EventKind::Text(text) => other_text(text, context.output),
            EventKind::Diagnostic(..) => Ok(()),
        }
    }

    /// Writes the text that is only known at the end of the run.
    pub(super) fn finish(&mut self, options: &Options, output: &mut Output<'_>) -> io::Result<()> {
        self.finish_lists(options, output)
    }

    /// Writes a line about progress, if such lines are shown. As in the tools' text, the whole line has one style.
    fn progress(
        &mut self,
        role: Role,
        context: &mut Context<'_, '_>,
        put: impl FnOnce(&mut String, Dialect),
    ) -> io::Result<()> {
        if !shows_progress(context.options) {
            return Ok(());
        }
        self.line.clear();
        put(&mut self.line, context.state.dialect);
        context.output.line(role, &self.line)
    }

    /// Writes the line of a stage of an operation.
    fn operation(
        &mut self,
        stage: Stage,
        target: &Target<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let (event, state) = (context.event, context.state);
        match stage {
            Stage::Started | Stage::RefreshStarted => {
                self.progress(Role::Strong, context, |line, _| {
                    push_object(line, target, state);
                    line.extend([": ", target.operation.starting()]);
                    push_id(line, target);
                })
            }
            Stage::Progress => self.continues(target, context),
            Stage::Complete => self.progress(Role::Strong, context, |line, _| {
                push_object(line, target, state);
                line.extend([": ", target.operation.noun(), " complete after "]);
                push_duration(line, target.seconds());
                push_id(line, target);
            }),
            Stage::EphemeralStarted => self.progress(Role::Strong, context, |line, _| {
                line.push_str(&event.text());
            }),
            Stage::EphemeralComplete => {
                let seconds = state.operations.ended_after(event.moment());
                self.progress(Role::Strong, context, |line, _| {
                    line.extend([&*event.text(), " after "]);
                    push_duration(line, seconds);
                })
            }
            // For these, the tools show only the diagnostic that follows, or nothing.
            Stage::Errored | Stage::EphemeralErrored | Stage::RefreshComplete => Ok(()),
        }
    }

    /// Writes the line of an operation that is still running, unless the live region shows it.
    fn continues(&mut self, target: &Target<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        // The live region shows the progress.
        if context.options.display == ProgressDisplay::Live {
            return Ok(());
        }
        if context.options.quiet_progress {
            return self.heartbeat(target.seconds(), context);
        }
        let state = context.state;
        let id = state.operations.id(target.key());
        self.progress(Role::Strong, context, |line, dialect| {
            push_object(line, target, state);
            line.extend([": Still ", target.operation.continuing(dialect), "... ["]);
            if let Some(id) = id {
                line.extend([&*shortened(id), ", "]);
            }
            push_elapsed(line, target.seconds(), dialect);
            line.push(']');
        })
    }

    /// Writes a line about all running operations, at most once in ten seconds by the timestamps of the run.
    fn heartbeat(&mut self, seconds: u64, context: &mut Context<'_, '_>) -> io::Result<()> {
        let moment = context.event.moment();
        if let (Some(last), Some(now)) = (self.heartbeat, moment)
            && now.seconds_since(last) < HEARTBEAT
        {
            return Ok(());
        }
        self.heartbeat = moment;
        let operations = &context.state.operations;
        let longest = operations.longest();
        self.progress(Role::Strong, context, |line, dialect| {
            line.extend([
                "Still running: ",
                &count(operations.running_count(), "operation"),
            ]);
            if let Some((address, _)) = longest {
                line.extend([", the longest is ", address]);
            }
            line.push_str(" [");
            push_elapsed(
                line,
                longest.map_or(seconds, |(_, seconds)| seconds),
                dialect,
            );
            line.push(']');
        })
    }

    /// Writes the line of a step of a provisioner, or a line that it has written.
    fn provisioner(
        &mut self,
        step: Step,
        provisioner: &Provisioner<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let Provisioner {
            address,
            name,
            output,
        } = provisioner;
        match step {
            Step::Started => {
                let text = context.event.text();
                self.progress(Role::Strong, context, |line, _| line.push_str(&text))
            }
            Step::Progress if shows_progress(context.options) => {
                let out = context.output.text()?;
                out.role_data(Role::Strong, Untrusted(&format!("{address} ({name}):")))?;
                out.lit(" ")?;
                out.data_with_colours(Untrusted(output))?;
                out.lit("\n")
            }
            Step::Progress | Step::Complete | Step::Errored => Ok(()),
        }
    }

    /// Writes the line of a step of an action, or its message.
    fn action(
        &mut self,
        step: Step,
        invocation: &Invocation<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let Invocation {
            action,
            trigger,
            message,
            error,
        } = invocation;
        let invoked = format!("{action} (triggered by {trigger})");
        match step {
            Step::Started => self.progress(Role::Strong, context, |line, _| {
                line.extend(["Action started: ", &invoked]);
            }),
            Step::Progress if shows_progress(context.options) => {
                let lead = format!("Action {invoked}:");
                let lead = StyledData(Role::Strong, &lead);
                context
                    .output
                    .text()?
                    .parts(&[lead, Lit(" "), Data(message), Lit("\n")])
            }
            Step::Progress => Ok(()),
            Step::Complete => self.progress(Role::StrongSuccess, context, |line, _| {
                line.extend(["Action complete: ", &invoked]);
            }),
            // Unlike other failures, this one is shown where it happens, even if progress is not shown.
            Step::Errored => context.output.line(
                Role::StrongDelete,
                &format!("Action failed: {invoked} - {error}"),
            ),
        }
    }

    /// Writes a group of diagnostics, with the order and the empty lines of the tools.
    fn diagnostics(
        &mut self,
        group: &DiagnosticGroup<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let (state, options) = (context.state, context.options);
        let (dialect, width) = (state.dialect, options.width);
        let has_errors = group.has(Severity::Error);
        if let Some(leftovers) = group.leftovers.filter(|_| has_errors) {
            context
                .output
                .line(Role::Plain, &leftovers.lead(dialect, width))?;
        }
        if state.is_init && !group.all.is_empty() {
            self.separate_init_diagnostics(has_errors, context.output)?;
        }
        let are_warnings = group
            .all
            .iter()
            .all(|shown| shown.severity() == Severity::Warning);
        if options.compact_warnings && are_warnings && !group.all.is_empty() {
            compact(
                group.merged.iter().copied(),
                dialect,
                context.output.text()?,
            )?;
        } else {
            for (shown, similar) in &group.merged {
                show_diagnostic(shown, *similar, context)?;
                if state.is_init && dialect.spaces_init_diagnostics() {
                    context.output.text()?.lit("\n")?;
                }
            }
        }
        if !group.test.run.is_empty()
            && group.has(Severity::Warning)
            && dialect.spaces_the_verdict()
        {
            context.output.text()?.lit("\n")?;
        }
        let leftovers = group
            .leftovers
            .and_then(|leftovers| leftovers.list(dialect, width));
        if let Some(text) = leftovers {
            context.output.line(Role::Plain, &text)?;
        }
        self.note_rescued(group, context)
    }
}

impl TextSink {
    /// Saves a state that the tool could not save, instead of printing it as the tool does, because it contains all
    /// sensitive values. With `--show-sensitive`, it is printed.
    fn unsaved_state(&mut self, json: Raw<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        context.message(Role::Plain)?;
        let output = &mut *context.output;
        if context.options.show_sensitive {
            return output.line(Role::Plain, json.text());
        }
        match output.documents()?.0.rescue(json.text()) {
            Ok(place) => {
                output.note(&format!(
                    "the tool could not save its state; it was kept in {place}, not shown: it holds secrets"
                ))?;
                self.rescued = Some(place);
                Ok(())
            }
            Err(error) => output.note(&format!(
                "the tool could not save its state, and neither could this program ({}). It is not shown, \
                 because it holds secrets; --tee keeps the messages as they came, --show-sensitive shows it",
                chain(&error)
            )),
        }
    }

    /// Writes a note after the diagnostic in which the tool advises to copy the printed state into a file: the state
    /// was not printed, but saved in another file.
    fn note_rescued(
        &mut self,
        group: &DiagnosticGroup<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let is_advice = |shown: &Diagnostic<'_>| shown.detail.contains("state push");
        if !group.all.iter().any(is_advice) {
            return Ok(());
        }
        let Some(place) = self.rescued.take() else {
            return Ok(());
        };
        let command = context.state.dialect.command();
        context.output.note(&format!(
            "the state is not printed above, but kept in a file: `{command} state push {place}` saves it"
        ))
    }
}

/// Whether lines about progress are shown.
fn shows_progress(options: &Options) -> bool {
    !options.concise && options.display != ProgressDisplay::None
}

/// Appends the attribute that identifies the object, if it is known.
fn push_id(line: &mut String, target: &Target<'_>) {
    if let Some((key, value)) = target.id {
        line.extend([" [", key, "=", value, "]"]);
    }
}

/// Appends the address of the object, with the key of a deposed object if the plan contains it.
fn push_object(line: &mut String, target: &Target<'_>, state: &State) {
    line.push_str(target.address);
    if target.operation == Operation::Delete
        && let Some(key) = state.plan.deposed(target.address)
    {
        line.extend([" (deposed object ", key, ")"]);
    }
}

/// Writes one diagnostic, with the number of similar ones and the difference of a failed assertion.
fn show_diagnostic(
    shown: &Diagnostic<'_>,
    similar: usize,
    context: &mut Context<'_, '_>,
) -> io::Result<()> {
    let colour = context.output.has_colour();
    let difference = difference(shown, context, colour);
    let Context {
        state,
        options,
        output,
        ..
    } = context;
    if let Err(error) = &difference {
        output.note(&format!(
            "the difference of an assertion cannot be shown: {}",
            chain(error)
        ))?;
    }
    let (difference, dialect, width) =
        (difference.unwrap_or_default(), state.dialect, options.width);
    let context = DiagnosticContext {
        dialect,
        width,
        similar,
        difference: difference.as_deref(),
    };
    diagnostic(shown, &context, output.text()?)
}

/// Writes a note about a message format that is too new. Other versions are not shown.
fn foreign_version(version: &Version<'_>, output: &mut Output<'_>) -> io::Result<()> {
    if !version.is_foreign() {
        return Ok(());
    }
    let format = version.format.unwrap_or_default();
    output.note(&format!(
        "message format {format} is newer than this version of tfview; showing only the text of each message"
    ))
}

/// Writes the text of a `log` message. During `init`, some have the form of its human-readable text.
fn log(context: &mut Context<'_, '_>) -> io::Result<()> {
    let Context {
        event,
        state,
        output,
        ..
    } = context;
    let text = event.text();
    match provider_line(&text).filter(|_| state.is_init) {
        Some(line) => output.line(Role::Plain, &line),
        None if state.is_init && !event.is_error() => output.line(Role::Plain, text.trim_end()),
        None => output.line(Role::Plain, &text),
    }
}

/// Writes text that is not a message, or a note if it is withheld.
fn other_text(text: &TextEvent<'_>, output: &mut Output<'_>) -> io::Result<()> {
    match text {
        TextEvent::Shown(text) => output.text()?.data(Untrusted(text)),
        TextEvent::Withheld {
            message: Some(message),
            ..
        } => {
            output.line(Role::Plain, message)?;
            output.note(
                "showing only the @message of a line whose JSON is incomplete or too long, because the rest may contain secrets",
            )
        }
        TextEvent::Withheld {
            length,
            message: None,
            ..
        } => {
            let bytes = count(*length, "byte of other text");
            let (are, they) = match length {
                1 => ("is", "it"),
                _ => ("are", "they"),
            };
            output.note(&format!(
                "{bytes} {are} not shown, because {they} may contain secrets (`tfview show` shows plans and states)"
            ))
        }
        TextEvent::AroundMessages => {
            output.note("messages have other text around them on their lines, which is left out")
        }
        TextEvent::Archive => {
            output.note("the input is an archive and not shown: `tfview show` shows a saved plan")
        }
        TextEvent::CutOff => Ok(()),
    }
}
