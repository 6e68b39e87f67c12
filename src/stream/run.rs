//! A run: its state, its sinks, and the dispatcher that passes events to both.
//!
//! ```text
//! warning, warning, apply_start     the two warnings are held back, shown together, then apply_start is passed on
//! ```

use std::io;
use std::time::Duration;

use super::diagnostics::{DiagnosticGroup, PendingDiagnostics, TestName};
use super::event::{Event, EventKind, PlanEvent, SummarySubject, TestEvent, TextEvent};
use super::input::{Finder, Item};
use super::options::Options;
use super::output::Output;
use super::sinks::{Context, Ending, RunEnd, Sinks, Timeline};
use super::state::{End, Expected, State, Verdict};
use crate::json::from_str;
use crate::model::diagnostic::Validation;
use crate::model::message::Message;

/// A followed run counts as ended after this time without messages. Running operations report their progress every
/// ten seconds.
const AFTER_SUMMARY: Duration = Duration::from_secs(2);
const AFTER_PART: Duration = Duration::from_secs(15);

/// What is known of a run before its first message.
#[derive(Debug, Default)]
pub struct Prior {
    /// The changes of the plan that [`Documents::plan_file`](super::Documents::plan_file) writes.
    pub plan: Option<Expected>,
    /// The timeline of an earlier part of the run, which goes on.
    pub timeline: Option<Timeline>,
    /// Warnings that an earlier part has held, as JSON. They are shown with those of this one.
    pub warnings: Vec<String>,
}

/// One run of the tool: what has happened, and what is made of it.
pub(super) struct Run {
    /// The label of its lines, in a log of several runs.
    label: Option<String>,
    /// Finds its messages in its lines.
    finder: Finder,
    /// What has happened so far.
    pub(super) state: State,
    /// The diagnostics that are held back.
    pending: PendingDiagnostics,
    /// The warnings of the part before, which the tools show again after an apply.
    earlier_warnings: Vec<String>,
    /// What is made of its events.
    sinks: Sinks,
}

impl Run {
    pub(super) fn new(options: &Options, prior: Prior, label: Option<String>) -> Self {
        Self {
            finder: Finder::new(options.show_sensitive),
            state: State::new(options.dialect, prior.plan),
            pending: PendingDiagnostics::default(),
            earlier_warnings: prior.warnings,
            sinks: Sinks::new(options, prior.timeline, label.is_none()),
            label,
        }
    }

    /// Gives the run the finder that has read its lines before its first message.
    pub(super) fn with_finder(mut self, finder: Option<Finder>) -> Self {
        if let Some(finder) = finder {
            self.finder = finder;
        }
        self
    }

    pub(super) fn label(&self) -> &str {
        self.label.as_deref().unwrap_or_default()
    }

    /// Beside other runs, a line that is cut may have been a message of any of them.
    pub(super) fn count_cut_line(&mut self) {
        self.state.parts.has_messages |= self.state.parts.is_cut_off;
    }

    /// Lines without a label may be other text between the runs of labels.
    pub(super) fn counts(&self, runs: usize) -> bool {
        self.label.is_some()
            || runs <= 1
            || self.state.parts.has_messages
            || self.state.failures.has_any()
    }

    /// How long the input must be silent for the run to count as ended. `None` while the run is
    /// incomplete.
    pub(super) fn quiet_at_end(&self) -> Option<Duration> {
        let state = &self.state;
        if state.operations.is_running() || !state.parts.has_messages {
            return None;
        }
        match state.verdict(End::Closed) {
            Verdict::Fine if state.parts.is_over() => Some(AFTER_SUMMARY),
            // A plan may be followed by its apply, and an error by further errors.
            Verdict::Fine | Verdict::Failed => Some(AFTER_PART),
            Verdict::CutOff | Verdict::NothingBegan | Verdict::Foreign | Verdict::NoMessage => None,
        }
    }

    /// Splits the run into its finder, and the dispatcher that the finder's items go to.
    pub(super) fn parts<'d, 'w>(
        &'d mut self,
        options: &'d Options,
        output: &'d mut Output<'w>,
    ) -> (&'d mut Finder, Dispatcher<'d, 'w>) {
        let Self {
            label,
            finder,
            state,
            pending,
            earlier_warnings,
            sinks,
        } = self;
        (
            finder,
            Dispatcher {
                label: label.as_deref(),
                state,
                pending,
                earlier_warnings,
                sinks,
                options,
                output,
            },
        )
    }

    /// Ends the run: shows the diagnostics that were held back, writes the recap, and collects the
    /// results.
    pub(super) fn finish(
        mut self,
        end: End,
        options: &Options,
        output: &mut Output<'_>,
    ) -> io::Result<Ending> {
        let (_, mut dispatcher) = self.parts(options, output);
        dispatcher.no_changes(None)?;
        let held_warnings = dispatcher.end_diagnostics()?;
        output.set_time(|| None);
        output.redraw(&[])?;
        let verdict = self.state.verdict(end);
        let end = RunEnd {
            input: end,
            verdict,
            state: &self.state,
        };
        let ending = self.sinks.finish(end, options, output)?;
        output.flush()?;
        Ok(Ending {
            held_warnings,
            ..ending
        })
    }
}

/// Passes the events of a run to its state and its sinks, and adds those that no message has: the end of a group of
/// diagnostics, and the end of the run.
pub(super) struct Dispatcher<'d, 'w> {
    /// The label of the run.
    label: Option<&'d str>,
    /// Its state.
    state: &'d mut State,
    /// Its diagnostics that are held back.
    pending: &'d mut PendingDiagnostics,
    /// The warnings of the part before.
    earlier_warnings: &'d mut Vec<String>,
    /// Its sinks.
    sinks: &'d mut Sinks,
    /// How it is shown.
    options: &'d Options,
    /// Where it is shown.
    output: &'d mut Output<'w>,
}

impl Dispatcher<'_, '_> {
    pub(super) fn item(&mut self, item: Item<'_>) -> io::Result<()> {
        match item {
            Item::Message(message) => self.message(message),
            Item::Validation(json) => self.validation(json),
            Item::Text(text) => self.text(text),
        }
    }

    fn emit(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.state.update(event);
        self.output.event(event, self.label);
        let (state, options) = (&*self.state, self.options);
        self.sinks.event(&mut Context {
            event,
            state,
            options,
            output: self.output,
        })
    }

    /// Passes on the event of a message. A diagnostic is held back, and any other message ends the
    /// group of diagnostics before it.
    fn message(&mut self, message: &Message<'_>) -> io::Result<()> {
        let event = Event::from_message(message);
        self.output.set_fold_time(|| event.moment());
        self.no_changes(Some(&event))?;
        self.output.set_time(|| event.moment());
        if let EventKind::Diagnostic(json, _) = &event.kind {
            let test = event.test_name();
            if !self.pending.accepts(&test) {
                self.no_changes(None)?;
                self.flush_diagnostics()?;
            }
            self.pending.add(*json, test, self.output.time());
            return self.emit(&event);
        }
        let is_applied = matches!(&event.kind, EventKind::Summary(summary) if summary.subject == SummarySubject::Apply);
        if is_applied {
            self.pending
                .add_earlier(std::mem::take(self.earlier_warnings));
        }
        self.flush_diagnostics()?;
        if self.state.parts.is_foreign {
            return self.emit(&Event::opaque(message));
        }
        if self.state.plan.is_due(&event) {
            self.emit(&Event::new(EventKind::Plan(PlanEvent::Text)))?;
        }
        self.emit(&event)?;
        if let EventKind::Test(TestEvent::Cleanup(cleanup)) = &event.kind {
            self.pending
                .add_leftovers(cleanup, event.test_name(), self.output.time());
        }
        Ok(())
    }

    /// The summary is shown once it is known whether outputs change and whether planning failed: the tools write
    /// outputs and diagnostics after it. `next` is the next event, if there is one.
    fn no_changes(&mut self, next: Option<&Event<'_>>) -> io::Result<()> {
        let decides_nothing = |event: &Event<'_>| {
            let is_without_changes = matches!(
                &event.kind,
                EventKind::Outputs(outputs) if outputs.are_planned && !outputs.has_changes()
            );
            is_without_changes || matches!(&event.kind, EventKind::Diagnostic(..))
        };
        if next.is_some_and(decides_nothing) {
            return Ok(());
        }
        let Some(summary) = self.state.plan.no_changes.clone() else {
            return Ok(());
        };
        let has_output_changes = next.is_some_and(
            |event| matches!(&event.kind, EventKind::Outputs(outputs) if outputs.has_changes()),
        );
        let kind = EventKind::Plan(PlanEvent::NoChanges {
            summary: &summary,
            has_output_changes,
            has_failed: self.state.failures.has_any(),
        });
        self.emit(&Event::new(kind))
    }

    fn validation(&mut self, json: &str) -> io::Result<()> {
        self.flush_diagnostics()?;
        self.output.set_time(|| None);
        let document = from_str::<Validation<'_>>(json);
        if let Ok(document) = &document {
            for diagnostic in &document.diagnostics {
                self.pending.add(*diagnostic, TestName::default(), "");
            }
            self.flush_diagnostics()?;
        }
        let kind = EventKind::Validation(document.as_ref().map_err(ToString::to_string));
        self.emit(&Event::new(kind))
    }

    fn text(&mut self, text: TextEvent<'_>) -> io::Result<()> {
        match text {
            TextEvent::Shown(_) | TextEvent::Withheld { .. } => {
                self.no_changes(None)?;
                self.flush_diagnostics()?;
                self.output.set_time(|| None);
            }
            TextEvent::AroundMessages | TextEvent::CutOff | TextEvent::Archive => {}
        }
        self.emit(&Event::new(EventKind::Text(text)))
    }

    /// Shows the diagnostics at the end of the run, or returns them if they are held.
    fn end_diagnostics(&mut self) -> io::Result<Vec<String>> {
        let held = if self.options.holds_warnings && !self.state.failures.has_any() {
            self.pending.take_warnings()
        } else {
            Vec::new()
        };
        self.pending
            .add_earlier(std::mem::take(self.earlier_warnings));
        self.flush_diagnostics()?;
        Ok(held)
    }

    fn flush_diagnostics(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut pending = std::mem::take(self.pending);
        // The current message is already a different one.
        self.output.swap_time(&mut pending.time);
        let all = pending.parse();
        let group = DiagnosticGroup::new(&all, &pending, self.state.dialect, self.options);
        self.emit(&Event::new(EventKind::Diagnostics(&group)))?;
        self.output.swap_time(&mut pending.time);
        Ok(())
    }
}
