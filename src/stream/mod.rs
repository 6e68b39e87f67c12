//! Shows a run: turns the bytes that the tool writes with `-json` into human-readable text and an outcome.
//!
//! bytes → `input` → [`Message`] → `event` → `state` → `sinks`. The input finds messages in bytes; an event is
//! made from each message; the state is updated by each event; the sinks make text, the live region, folds,
//! the report of tests, the page and the recap of events and state. [`Stream::push`] adds bytes,
//! [`Stream::tick`] is called in pauses, and [`Stream::finish`] at the end.
//!
//! Invariants: the output (except for the live region) does not depend on how the bytes are split. No line
//! is lost: lines that are not messages are shown unchanged, and unknown messages are shown by their
//! `@message`. Consecutive diagnostics are held back until another message arrives, because the tools sort
//! and merge them. The tool's text and tfview's own notes have separate writers.

mod diagnostics;
mod display;
mod draining;
mod event;
mod input;
mod key;
mod options;
mod output;
mod region;
mod sinks;
mod state;
mod time;

use std::io;
use std::time::Duration;

use crate::json::from_str;
use crate::model::diagnostic::Validation;
use crate::model::message::Message;
use crate::term::{Out, Untrusted};

use diagnostics::{DiagnosticGroup, PendingDiagnostics};
use event::{Event, EventKind, Leftovers, Phase, PlanEvent, TestEvent, TestName, TextEvent};
use input::{Input, Item};
use output::Output;
use sinks::{Context, FoldSink, JunitSink, LiveSink, PageSink, RecapSink, RunEnd, Sink, TextSink};
use state::{State, Verdict};

pub use display::{Progress, ProgressDisplay, Screen, choose_display};
pub use draining::Draining;
pub use options::{Documents, End, Ending, Options};
pub use sinks::{Report, ReportEntry, RunPage, Status, TestedFile, TestedRun, Timeline, junit, page};
pub use state::Expected;
pub use time::Timestamps;

/// The time without messages after which a followed run counts as ended: after its final summary, and after
/// another part. (Running operations report their progress every ten seconds.)
const AFTER_SUMMARY: Duration = Duration::from_secs(2);
const AFTER_PART: Duration = Duration::from_secs(15);

/// The display of a run.
pub struct Stream<'w> {
    input: Input,
    dispatcher: Dispatcher<'w>,
}

impl<'w> Stream<'w> {
    /// A stream that writes the tool's text to `out`, and tfview's notes to `notes`.
    pub fn new(mut options: Options, out: Out<'w>, notes: Out<'w>, documents: &'w mut dyn Documents) -> Self {
        let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
        // Folds begin and end before the text that they are about.
        if let Some(system) = options.ci {
            sinks.push(Box::new(FoldSink::new(system)));
        }
        sinks.push(Box::new(TextSink::new(&options)));
        if options.display == ProgressDisplay::Live {
            sinks.push(Box::new(LiveSink));
        }
        if options.report {
            sinks.push(Box::new(JunitSink::new(options.width)));
        }
        if let Some(timeline) = options.timeline.take() {
            sinks.push(Box::new(PageSink::new(timeline, options.width)));
        }
        sinks.push(Box::new(RecapSink::new(options.slowest)));
        Self {
            input: Input::new(options.show_sensitive),
            dispatcher: Dispatcher {
                state: State::new(options.dialect, options.plan.take()),
                pending: PendingDiagnostics::default(),
                sinks,
                output: Output::new(out, notes, documents, options.timestamps),
            },
        }
    }

    /// Adds bytes of the input.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Self { input, dispatcher } = self;
        input.push(bytes, &mut |item| dispatcher.item(item))
    }

    /// Shows the tool's standard error.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn push_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        let notes = self.dispatcher.output.notes()?;
        notes.data(Untrusted(&String::from_utf8_lossy(bytes)))?;
        notes.flush()
    }

    /// Shows pending output while the input pauses. `elapsed` is the time since the start of the stream.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn tick(&mut self, elapsed: Duration, screen: Screen) -> io::Result<()> {
        self.dispatcher.emit(&Event::new(EventKind::Tick { screen, elapsed }))?;
        self.dispatcher.output.flush()
    }

    /// Erases the live region until the next [`Stream::tick`], because the program is about to be suspended.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn suspend(&mut self) -> io::Result<()> {
        self.dispatcher.output.clear()?;
        self.dispatcher.output.flush()
    }

    /// The time without input after which a followed run counts as ended; `None` while it is incomplete.
    pub fn quiet_at_end(&self) -> Option<Duration> {
        let state = &self.dispatcher.state;
        if state.operations.is_running() || !state.parts.has_messages() {
            return None;
        }
        match state.verdict(End::Closed) {
            Verdict::Fine if state.parts.is_over() => Some(AFTER_SUMMARY),
            // A plan may be followed by its apply, and an error by further errors.
            Verdict::Fine | Verdict::Failed => Some(AFTER_PART),
            Verdict::CutOff | Verdict::NothingBegan | Verdict::Foreign | Verdict::NoMessage => None,
        }
    }

    /// Whether the tool has announced that it is stopping.
    pub fn is_stopping(&self) -> bool {
        self.dispatcher.state.is_interrupted()
    }

    /// Ends the run, at the end of the input.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn finish(self, end: End) -> io::Result<Ending> {
        let Self { input, mut dispatcher } = self;
        input.finish(&mut |item| dispatcher.item(item))?;
        dispatcher.finish(end)
    }
}

/// Turns the items of the input into events, and passes these to the state and the sinks.
struct Dispatcher<'w> {
    state: State,
    pending: PendingDiagnostics,
    sinks: Vec<Box<dyn Sink>>,
    output: Output<'w>,
}

impl Dispatcher<'_> {
    fn item(&mut self, item: Item<'_>) -> io::Result<()> {
        match item {
            Item::Message(message) => self.message(message),
            Item::Validation(json) => self.validation(json),
            Item::Text(text) => self.text(text),
        }
    }

    /// Passes an event to the state and the sinks.
    fn emit(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.state.update(event);
        let Self { state, sinks, output, .. } = self;
        let mut context = Context { event, state, output };
        sinks.iter_mut().try_for_each(|sink| sink.event(&mut context))
    }

    fn message(&mut self, message: &Message<'_>) -> io::Result<()> {
        let event = Event::from_message(message);
        self.output.set_time(|| event.moment());
        self.no_changes(Some(&event))?;
        self.output.set_line_prefix(|| event.moment());
        if let EventKind::Diagnostic(diagnostic) = &event.kind {
            if !self.pending.accepts(event.test()) {
                self.flush_diagnostics()?;
            }
            self.pending.add(diagnostic.json, event.test(), self.output.line_prefix());
            return self.emit(&event);
        }
        self.flush_diagnostics()?;
        if self.state.parts.is_foreign() {
            return self.emit(&Event::opaque(message));
        }
        if self.state.plan.is_due(&event) {
            self.begin_phase(Phase::Plan)?;
            self.emit(&Event::new(EventKind::Plan(PlanEvent::Text)))?;
        }
        event.phases().iter().try_for_each(|phase| self.begin_phase(*phase))?;
        self.emit(&event)?;
        if let EventKind::Test(TestEvent::Cleanup(cleanup)) = &event.kind {
            let (file, run) = event.test();
            let test = TestName { file: file.to_owned(), run: run.to_owned() };
            self.pending.add_leftovers(Leftovers::new(test, cleanup), self.output.line_prefix());
        }
        Ok(())
    }

    /// Begins a phase of the run, unless it has already begun.
    fn begin_phase(&mut self, phase: Phase) -> io::Result<()> {
        if self.state.phase() >= Some(phase) {
            return Ok(());
        }
        self.emit(&Event::new(EventKind::Phase(phase)))
    }

    /// Shows the summary of a plan without changes, once it is known whether its outputs change. `next` is
    /// the next event, if there is one.
    fn no_changes(&mut self, next: Option<&Event<'_>>) -> io::Result<()> {
        let Some(summary) = self.state.plan.no_changes().map(str::to_owned) else { return Ok(()) };
        let has_output_changes = next.is_some_and(Event::has_output_changes);
        self.flush_diagnostics()?;
        let kind = EventKind::Plan(PlanEvent::NoChanges { summary: &summary, has_output_changes });
        self.emit(&Event::new(kind))
    }

    fn validation(&mut self, json: &str) -> io::Result<()> {
        self.flush_diagnostics()?;
        self.output.set_line_prefix(|| None);
        let document = from_str::<Validation<'_>>(json);
        if let Ok(document) = &document {
            for diagnostic in &document.diagnostics {
                self.pending.add(*diagnostic, ("", ""), "");
            }
            self.flush_diagnostics()?;
        }
        let kind = EventKind::Validation(document.as_ref().map_err(ToString::to_string));
        self.emit(&Event::new(kind))
    }

    fn text(&mut self, text: TextEvent<'_>) -> io::Result<()> {
        match text {
            TextEvent::Line { .. } => {
                self.flush_diagnostics()?;
                self.no_changes(None)?;
                self.output.set_line_prefix(|| None);
            }
            TextEvent::LongLineStarted | TextEvent::PartialMessage { .. } | TextEvent::Withheld { .. } => {
                self.flush_diagnostics()?;
                self.output.set_line_prefix(|| None);
            }
            TextEvent::LongLinePart(_)
            | TextEvent::LongLineEnded { .. }
            | TextEvent::AroundMessages
            | TextEvent::CutOff
            | TextEvent::Archive => {}
        }
        self.emit(&Event::new(EventKind::Text(text)))
    }

    /// Shows the pending diagnostics, and the objects that a test left behind.
    fn flush_diagnostics(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        let all = pending.parse();
        let group = DiagnosticGroup::new(&all, &pending, self.state.dialect);
        // The current message is already a different one.
        let previous = self.output.replace_line_prefix(pending.line_prefix());
        self.emit(&Event::new(EventKind::Diagnostics(&group)))?;
        self.output.restore_line_prefix(previous);
        Ok(())
    }

    fn finish(mut self, end: End) -> io::Result<Ending> {
        self.flush_diagnostics()?;
        self.no_changes(None)?;
        self.output.set_line_prefix(|| None);
        self.output.clear()?;
        let verdict = self.state.verdict(end);
        let mut ending = Ending {
            failed: verdict.is_failure(),
            tool_summary: self.state.tool_summary().map(str::to_owned),
            ..Ending::default()
        };
        for sink in &mut self.sinks {
            sink.finish(RunEnd { input: end, verdict }, &self.state, &mut self.output, &mut ending)?;
        }
        self.output.flush()?;
        Ok(ending)
    }
}
