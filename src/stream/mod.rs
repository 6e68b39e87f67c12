//! Shows a run: turns the bytes that the tool writes with `-json` into human-readable text and an outcome.
//!
//! bytes → `input` → message → `event` → `state` → `sinks`. The input finds messages in bytes; an event is
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
mod run;
mod runs;
mod sinks;
mod state;
mod time;

use std::io;
use std::time::Duration;

use crate::term::{Out, Role, Untrusted};

use event::{Event, EventKind};
use input::{Finder, Input, Segment};
use output::Output;
use run::{Dispatcher, Run};
use runs::{Routed, Router};
use state::State;

pub use display::{ProgressDisplay, Screen, choose_display};
pub use draining::Draining;
pub use options::{Documents, End, Ending, Options};
pub use sinks::{Report, RunPage, Timeline, junit, junit_of_units, page};
pub use state::Expected;
pub use time::Timestamps;

/// The runs of one input.
struct Runs {
    router: Router,
    /// The first run has the lines without a label.
    all: Vec<Run>,
    /// The options of further runs.
    options: Options,
}

/// The display of a run, or of several runs in one input.
pub struct Stream<'w> {
    input: Input,
    runs: Runs,
    output: Output<'w>,
    /// The results of earlier inputs.
    ended: Vec<Ending>,
    /// The name of the input, if there are several.
    name: Option<String>,
    /// How the input ends, as far as it is known.
    input_end: End,
}

impl<'w> Stream<'w> {
    /// A stream that writes the tool's text to `out`, and tfview's notes to `notes`.
    pub fn new(mut options: Options, out: Out<'w>, notes: Out<'w>, documents: &'w mut dyn Documents) -> Self {
        let further = options.further();
        let output = Output::new(out, notes, documents, options.timestamps);
        let first = Run::new(&mut options, None);
        Self {
            input: Input::default(),
            runs: Runs { router: Router::default(), all: vec![first], options: further },
            output,
            ended: Vec::new(),
            name: None,
            input_end: End::Closed,
        }
    }

    /// Adds bytes of the input.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Self { input, runs, output, .. } = self;
        input.push(bytes, &mut |segment| runs.route(segment, output))
    }

    /// Shows the tool's standard error.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn push_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        let notes = self.output.notes()?;
        notes.data(Untrusted(&String::from_utf8_lossy(bytes)))?;
        notes.flush()
    }

    /// Shows pending output while the input pauses. `elapsed` is the time since the start of the stream.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn tick(&mut self, elapsed: Duration, screen: Screen) -> io::Result<()> {
        let tick = Event::new(EventKind::Tick { elapsed });
        for run in &mut self.runs.all {
            Dispatcher { run, output: &mut self.output }.emit(&tick)?;
        }
        if self.runs.options.display == ProgressDisplay::Live {
            let runs: Vec<(&str, &State)> =
                self.runs.all.iter().map(|run| (run.label(), &run.state)).collect();
            sinks::redraw(&runs, screen, elapsed, &mut self.output)?;
        }
        self.output.flush()
    }

    /// Erases the live region until the next [`Stream::tick`], because the program is about to be suspended.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn suspend(&mut self) -> io::Result<()> {
        self.output.clear()?;
        self.output.flush()
    }

    /// The time without input after which a followed run counts as ended; `None` while it is incomplete.
    pub fn quiet_at_end(&self) -> Option<Duration> {
        let runs = &self.runs.all;
        let counted = runs.iter().filter(|run| run.counts(runs.len()));
        let quiet: Option<Vec<Duration>> = counted.map(|run| run.quiet_at_end()).collect();
        quiet?.into_iter().max()
    }

    /// Whether the tool has announced that it is stopping.
    pub fn is_stopping(&self) -> bool {
        self.runs.all.iter().any(|run| run.state.is_interrupted)
    }

    /// Begins another input with this name, after the end of the one before, if there was one.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn begin_input(&mut self, name: &str) -> io::Result<()> {
        if self.name.is_some() {
            let end = std::mem::replace(&mut self.input_end, End::Closed);
            self.end_input(end)?;
            self.runs.router = Router::default();
            self.runs.all = vec![Run::new(&mut self.runs.options.further(), None)];
        }
        if !self.ended.is_empty() {
            self.output.text()?.lit("\n")?;
        }
        self.output.line(Role::Strong, &format!("── {}", crate::text::one_line(name)))?;
        self.name = Some(name.to_owned());
        Ok(())
    }

    /// Records that the current input cannot be read to its end.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn unreadable(&mut self, error: &io::Error) -> io::Result<()> {
        self.input_end = End::Unreadable;
        self.output.note(&format!("the messages cannot be read: {error}"))
    }

    /// Ends the runs of the current input.
    fn end_input(&mut self, end: End) -> io::Result<()> {
        let Self { input, runs, output, .. } = self;
        std::mem::take(input).finish(&mut |segment| runs.route(segment, output))?;
        let runs = std::mem::take(&mut self.runs.all);
        let number = runs.len();
        for mut run in runs {
            let finder = std::mem::replace(&mut run.finder, Finder::new(self.runs.options.show_sensitive));
            self.output.set_run(run.label());
            let mut dispatcher = Dispatcher { run: &mut run, output: &mut self.output };
            finder.finish(&mut |item| dispatcher.item(item))?;
            if !dispatcher.run.counts(number) {
                continue;
            }
            let mut ending = dispatcher.finish(end)?;
            ending.name = match (&self.name, run.label()) {
                (None, label) => label.to_owned(),
                (Some(name), "") => name.clone(),
                (Some(name), label) => format!("{name}: {label}"),
            };
            self.ended.push(ending);
        }
        self.output.set_run("");
        Ok(())
    }

    /// Ends the run, at the end of the input.
    ///
    /// # Errors
    /// If writing the output fails.
    pub fn finish(mut self, end: End) -> io::Result<Ending> {
        let end = if self.input_end == End::Unreadable { End::Unreadable } else { end };
        self.end_input(end)?;
        let ending = runs::merged(std::mem::take(&mut self.ended));
        if let Some(sentence) = runs::sentence(&ending.runs) {
            self.output.note(&sentence)?;
        }
        self.output.flush()?;
        Ok(ending)
    }
}

impl Runs {
    /// Passes a piece of the input to its run.
    fn route(&mut self, segment: Segment<'_>, output: &mut Output<'_>) -> io::Result<()> {
        let (line, is_rest) = match segment {
            Segment::Line(line) => (line, false),
            Segment::Rest(line) => (line, true),
            Segment::Part(_) | Segment::PartsEnd { .. } | Segment::Archive => {
                return self.pass(0, segment, output);
            }
        };
        let Some(Routed { run, is_new, text }) = self.router.route(line) else {
            return self.pass(0, segment, output);
        };
        if let Some(label) = is_new {
            self.all.push(Run::new(&mut self.options.further(), Some(label)));
        }
        let mut lines = text.split('\n').peekable();
        while let Some(line) = lines.next() {
            // One record may hold several lines.
            let is_last = lines.peek().is_none();
            let segment = match is_rest && is_last {
                true => Segment::Rest(line.as_bytes()),
                false => Segment::Line(line.as_bytes()),
            };
            self.pass(run, segment, output)?;
        }
        Ok(())
    }

    fn pass(&mut self, at: usize, segment: Segment<'_>, output: &mut Output<'_>) -> io::Result<()> {
        let Some(run) = self.all.get_mut(at) else { return Ok(()) };
        output.set_run(run.label());
        let mut finder = std::mem::replace(&mut run.finder, Finder::new(false));
        let mut dispatcher = Dispatcher { run, output };
        let result = finder.segment(segment, &mut |item| dispatcher.item(item));
        run.finder = finder;
        result
    }
}
