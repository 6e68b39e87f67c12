//! A run: its state, the sinks of its events, and the dispatcher that passes events to both.

use std::io;
use std::time::Duration;

use super::diagnostics::{DiagnosticGroup, PendingDiagnostics};
use super::event::{Event, EventKind, Leftovers, Phase, PlanEvent, TestEvent, TestName, TextEvent};
use super::input::{Finder, Item};
use super::output::Output;
use super::sinks::{Context, FoldSink, JunitSink, PageSink, RecapSink, RunEnd, Sink, TextSink};
use super::state::{State, Verdict};
use super::{End, Ending, Options};
use crate::json::from_str;
use crate::model::diagnostic::Validation;
use crate::model::message::Message;

/// The time without messages after which a followed run counts as ended: after its final summary, and after
/// another part. (Running operations report their progress every ten seconds.)
const AFTER_SUMMARY: Duration = Duration::from_secs(2);
const AFTER_PART: Duration = Duration::from_secs(15);

/// A run: its state, and what is made of its events.
pub(super) struct Run {
    /// The label of its lines, if they have one.
    label: Option<String>,
    pub(super) finder: Finder,
    pub(super) state: State,
    pending: PendingDiagnostics,
    sinks: Vec<Box<dyn Sink>>,
}

impl Run {
    /// A run with these options, of which the plan and the timeline are taken.
    pub(super) fn new(options: &mut Options, label: Option<String>) -> Self {
        let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
        // Folds begin and end before the text that they are about.
        if let Some(system) = options.ci {
            sinks.push(Box::new(FoldSink::new(system, label.is_none())));
        }
        sinks.push(Box::new(TextSink::new(options)));
        if options.report {
            sinks.push(Box::new(JunitSink::new(options.width)));
        }
        if let Some(timeline) = options.timeline.take() {
            sinks.push(Box::new(PageSink::new(timeline, options.width)));
        }
        sinks.push(Box::new(RecapSink::new(options.slowest)));
        Self {
            label,
            finder: Finder::new(options.show_sensitive),
            state: State::new(options.dialect, options.plan.take()),
            pending: PendingDiagnostics::default(),
            sinks,
        }
    }

    pub(super) fn label(&self) -> &str {
        self.label.as_deref().unwrap_or_default()
    }

    /// Whether it is a run of its own: lines without a label may be other text between the runs of labels.
    pub(super) fn counts(&self, runs: usize) -> bool {
        self.label.is_some() || runs <= 1 || self.state.parts.has_messages() || self.state.failures.has_any()
    }

    pub(super) fn quiet_at_end(&self) -> Option<Duration> {
        let state = &self.state;
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
}

/// Turns the items of the input into events, and passes these to the state and the sinks.
pub(super) struct Dispatcher<'d, 'w> {
    pub(super) run: &'d mut Run,
    pub(super) output: &'d mut Output<'w>,
}

impl Dispatcher<'_, '_> {
    pub(super) fn item(&mut self, item: Item<'_>) -> io::Result<()> {
        match item {
            Item::Message(message) => self.message(message),
            Item::Validation(json) => self.validation(json),
            Item::Text(text) => self.text(text),
        }
    }

    /// Passes an event to the state and the sinks.
    pub(super) fn emit(&mut self, event: &Event<'_>) -> io::Result<()> {
        let Run { state, sinks, .. } = &mut *self.run;
        let output = &mut *self.output;
        state.update(event);
        let mut context = Context { event, state, output };
        sinks.iter_mut().try_for_each(|sink| sink.event(&mut context))
    }

    fn message(&mut self, message: &Message<'_>) -> io::Result<()> {
        let event = Event::from_message(message);
        self.output.set_time(|| event.moment());
        self.no_changes(Some(&event))?;
        self.output.set_line_prefix(|| event.moment());
        if let EventKind::Diagnostic(diagnostic) = &event.kind {
            if !self.run.pending.accepts(event.test()) {
                self.flush_diagnostics()?;
            }
            self.run.pending.add(diagnostic.json, event.test(), self.output.line_prefix());
            return self.emit(&event);
        }
        self.flush_diagnostics()?;
        if self.run.state.parts.is_foreign {
            return self.emit(&Event::opaque(message));
        }
        if self.run.state.plan.is_due(&event) {
            self.begin_phase(Phase::Plan)?;
            self.emit(&Event::new(EventKind::Plan(PlanEvent::Text)))?;
        }
        event.phases().iter().try_for_each(|phase| self.begin_phase(*phase))?;
        self.emit(&event)?;
        if let EventKind::Test(TestEvent::Cleanup(cleanup)) = &event.kind {
            let (file, run) = event.test();
            let test = TestName { file: file.to_owned(), run: run.to_owned() };
            self.run.pending.add_leftovers(Leftovers::new(test, cleanup), self.output.line_prefix());
        }
        Ok(())
    }

    /// Begins a phase of the run, unless it has already begun.
    fn begin_phase(&mut self, phase: Phase) -> io::Result<()> {
        if self.run.state.phase >= Some(phase) {
            return Ok(());
        }
        self.emit(&Event::new(EventKind::Phase(phase)))
    }

    /// Shows the summary of a plan without changes, once it is known whether its outputs change. `next` is
    /// the next event, if there is one.
    fn no_changes(&mut self, next: Option<&Event<'_>>) -> io::Result<()> {
        let Some(summary) = self.run.state.plan.no_changes.clone() else { return Ok(()) };
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
                self.run.pending.add(*diagnostic, ("", ""), "");
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
        if self.run.pending.is_empty() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.run.pending);
        let all = pending.parse();
        let group = DiagnosticGroup::new(&all, &pending, self.run.state.dialect);
        // The current message is already a different one.
        let previous = self.output.replace_line_prefix(&pending.line_prefix);
        self.emit(&Event::new(EventKind::Diagnostics(&group)))?;
        self.output.restore_line_prefix(previous);
        Ok(())
    }

    pub(super) fn finish(mut self, end: End) -> io::Result<Ending> {
        self.flush_diagnostics()?;
        self.no_changes(None)?;
        self.output.set_line_prefix(|| None);
        self.output.clear()?;
        let verdict = self.run.state.verdict(end);
        let mut ending = Ending {
            failed: verdict.is_failure(),
            tool_summary: self.run.state.tool_summary.clone(),
            ..Ending::default()
        };
        for sink in &mut self.run.sinks {
            sink.finish(RunEnd { input: end, verdict, state: &self.run.state }, self.output, &mut ending)?;
        }
        self.output.flush()?;
        Ok(ending)
    }
}
