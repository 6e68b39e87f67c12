//! One run: its state, its sinks, and the dispatcher that passes events to both.
//!
//! Invariants: the state is updated before sinks receive an event. Diagnostics are held back until another message or
//! the end of the run, and are then shown as one group.
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

/// The time without messages after which a followed run counts as ended, if its summary was shown.
const AFTER_SUMMARY: Duration = Duration::from_secs(2);
/// The time without messages after which any other complete run counts as ended: a plan may be followed by its apply.
/// Running operations report their progress every ten seconds, so this is longer.
const AFTER_PART: Duration = Duration::from_secs(15);

/// The facts that are known about a run before its first message.
#[derive(Debug, Default)]
pub struct Prior {
    /// The changes of the plan that [`Documents::plan_file`](super::Documents::plan_file) writes.
    pub plan: Option<Expected>,
    /// The timeline of an earlier part of the run, which is continued.
    pub timeline: Option<Timeline>,
    /// The warnings that an earlier part held back, as JSON. They are shown with those of this part.
    pub warnings: Vec<String>,
}

/// One run of the tool, with its state and its sinks.
pub(super) struct Run {
    /// The label of its lines, in the log of several runs.
    label: Option<String>,
    /// The finder of messages in its lines.
    finder: Finder,
    /// The state after all events so far.
    pub(super) state: State,
    /// The diagnostics that are held back.
    pending: PendingDiagnostics,
    /// The warnings of the part before, which the tools show again after an apply.
    earlier_warnings: Vec<String>,
    /// The consumers of its events.
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

    /// Sets the finder that has read the lines of the label before its first message.
    pub(super) fn with_finder(mut self, finder: Option<Finder>) -> Self {
        if let Some(finder) = finder {
            self.finder = finder;
        }
        self
    }

    pub(super) fn label(&self) -> &str {
        self.label.as_deref().unwrap_or_default()
    }

    /// Counts a line that was cut off as a message. This is for logs of several runs, where it may have been a message
    /// of any of them.
    pub(super) fn count_cut_line(&mut self) {
        self.state.parts.has_messages |= self.state.parts.is_cut_off;
    }

    /// Whether the run is one of `runs` whose outcome counts. Lines without a label may be other text between the runs
    /// with labels.
    pub(super) fn counts(&self, runs: usize) -> bool {
        self.label.is_some()
            || runs <= 1
            || self.state.parts.has_messages
            || self.state.failures.has_any()
    }

    /// Returns the time of silence after which the run counts as ended. `None` while the run is incomplete.
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

    /// Splits the run into its finder, and the dispatcher that receives the finder's items.
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

    /// Ends the run: shows the diagnostics that were held back, writes the recap, and collects the results.
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

/// Passes the events of a run to its state and its sinks. It adds the events that no message has: the end of a group of
/// diagnostics, the position of the plan's text, and the end of a plan without changes.
pub(super) struct Dispatcher<'d, 'w> {
    /// The label of the run.
    label: Option<&'d str>,
    /// The state of the run.
    state: &'d mut State,
    /// The diagnostics of the run that are held back.
    pending: &'d mut PendingDiagnostics,
    /// The warnings of the part before, which are shown with the summary of the apply.
    earlier_warnings: &'d mut Vec<String>,
    /// The sinks of the run.
    sinks: &'d mut Sinks,
    /// The options of all runs.
    options: &'d Options,
    /// The output of all runs.
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

    /// Updates the state with an event, then passes it to the observers and the sinks.
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

    /// Passes on the event of a message. A diagnostic is held back; any other message ends the group of diagnostics
    /// before it.
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

    /// Passes on that a plan has no changes, unless `next`, the next event, leaves open whether outputs change or
    /// planning failed. The tools write outputs and diagnostics after the summary, so it must wait for them.
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

    /// Passes on the diagnostics in the document of a validation, and then the document.
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

    /// Passes on text. A line ends the group of diagnostics before it; a note about the input does not.
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

    /// Shows the diagnostics at the end of the run. If warnings are to be held and nothing failed, they are returned
    /// instead.
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

    /// Passes on the diagnostics that are held back as one group, with the time of the first one.
    fn flush_diagnostics(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut pending = std::mem::take(self.pending);
        // The output already has the time of the current message.
        self.output.swap_time(&mut pending.time);
        let all = pending.parse();
        let group = DiagnosticGroup::new(&all, &pending, self.state.dialect, self.options);
        self.emit(&Event::new(EventKind::Diagnostics(&group)))?;
        self.output.swap_time(&mut pending.time);
        Ok(())
    }
}
