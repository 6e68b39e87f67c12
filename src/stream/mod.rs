//! Shows runs: turns the bytes that a tool writes with `-json` into human-readable text and an outcome.
//!
//! bytes → `input` → message → `event` → `state` → `sinks`
//!
//! Invariants: the output (except for the live region) does not depend on how the bytes are split. No line is
//! lost: lines that are not messages are shown unchanged, and unknown messages are shown by their `@message`.
//! Consecutive diagnostics are held back until another message arrives, because the tools sort and merge them. The
//! tool's text and tfview's own notes have separate writers.
//!
//! ```text
//! {"@level":"info","@message":"aws_vpc.a: Creating...","type":"apply_start","hook":{"resource":{"addr":"aws_vpc.a",…},"action":"create"}}
//! aws_vpc.a: Creating...
//! ```

mod diagnostics;
mod documents;
mod draining;
mod event;
mod input;
mod moment;
mod observation;
mod options;
mod output;
mod run;
mod sinks;
mod state;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use crate::term::{KeptOut, Out, Role, Untrusted};
use crate::text::{count, first_of, has_several_lines, one_line};
use documents::NoDocuments;
use event::TextEvent;
use input::{Each, Finder, Input, Item, Route, Router, Segment, line_text};
use output::{Output, PausedOutput};
use run::Run;
use state::State;

pub use documents::{DocumentError, Documents};
pub use draining::Draining;
pub use moment::Timestamps;
pub use observation::{OperationProgress, RunEvent, RunEventKind, RunProgress, RunStage};
pub use options::{Options, ProgressDisplay, Screen, choose_display};
pub use run::Prior;
pub use sinks::{Ending, Report, RunPage, Timeline, junit, junit_of_units, page};
pub use state::{End, Expected};

/// A stream of messages, shown as text. It contains one or more runs, and bytes are pushed into it.
pub struct Stream<'w> {
    output: Output<'w>,
    state: StreamState,
}

/// The state of a stream between two reads, without its writers.
struct StreamState {
    /// The decoder, with the bytes of an incomplete line.
    input: Input,
    /// The runs of this input.
    runs: Runs,
    /// The endings of the runs that have ended, of this input and earlier ones.
    ended: Vec<Ending>,
    /// The name of the current input, if there may be several inputs.
    name: Option<String>,
    /// The way in which the current input ended, if it did.
    input_end: End,
}

/// The runs of one input.
struct Runs {
    /// The assignment of lines to runs.
    router: Router,
    /// The runs. The first one has the lines without a label.
    all: Vec<Run>,
    /// The finders for the lines of labels that are not those of a run so far.
    unknown: BTreeMap<String, Finder>,
    /// The options of all runs.
    options: Options,
}

/// The maximum number of unknown labels whose lines are judged together. Each line of a further label is judged by
/// itself.
const MAX_UNKNOWN: usize = 4_096;

impl<'w> Stream<'w> {
    /// Starts a stream. `out` receives the text of the run, `notes` remarks about the input, and `documents` shows
    /// plans and states that messages contain.
    pub fn new(
        options: Options,
        out: Out<'w>,
        notes: Out<'w>,
        documents: &'w mut dyn Documents,
    ) -> Self {
        Self::with_prior(Prior::default(), options, out, notes, documents)
    }

    /// Starts a stream like [`Self::new`], with what is known about the run before its first message. Further runs of
    /// the same input start without that.
    pub fn with_prior(
        prior: Prior,
        options: Options,
        out: Out<'w>,
        notes: Out<'w>,
        documents: &'w mut dyn Documents,
    ) -> Self {
        let output = Output::new(out, notes, documents, options.timestamps);
        let all = vec![Run::new(&options, prior, None)];
        let runs = Runs {
            router: Router::default(),
            all,
            unknown: BTreeMap::new(),
            options,
        };
        Self {
            output,
            state: StreamState {
                input: Input::default(),
                runs,
                ended: Vec::new(),
                name: None,
                input_end: End::Closed,
            },
        }
    }

    /// Shows messages of the tool, in reads of any size.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Self { output, state } = self;
        let StreamState { input, runs, .. } = state;
        input.push(bytes, &mut |segment| runs.route(segment, output))
    }

    /// Shows bytes that the tool wrote to its standard error, among the notes.
    pub fn push_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        let notes = self.output.notes()?;
        notes.data(Untrusted(&String::from_utf8_lossy(bytes)))?;
        notes.flush()
    }

    /// Updates the live region and shows pending output while the input pauses. `elapsed` is the time since the start
    /// of the stream.
    pub fn tick(&mut self, elapsed: Duration, screen: Screen) -> io::Result<()> {
        self.state
            .runs
            .all
            .iter_mut()
            .for_each(|run| run.state.now = elapsed);
        if self.state.runs.options.display == ProgressDisplay::Live {
            let runs: Vec<(&str, &State)> = self
                .state
                .runs
                .all
                .iter()
                .map(|run| (run.label(), &run.state))
                .collect();
            self.output.redraw(&sinks::region(&runs, screen, elapsed))?;
        }
        self.output.flush()
    }

    /// Erases the live region until the next [`Stream::tick`], before the program is suspended.
    pub fn suspend(&mut self) -> io::Result<()> {
        self.output.redraw(&[])?;
        self.output.flush()
    }

    /// Returns the time without input after which a followed run counts as ended; `None` while it is incomplete.
    pub fn quiet_at_end(&self) -> Option<Duration> {
        self.state.runs.quiet_at_end()
    }

    /// Whether a tool has reported that it was interrupted and is stopping.
    pub fn is_stopping(&self) -> bool {
        self.state
            .runs
            .all
            .iter()
            .any(|run| run.state.is_interrupted)
    }

    /// Ends the current input, if any, and begins one with a name, which is written as a heading.
    pub fn begin_input(&mut self, name: &str) -> io::Result<()> {
        if self.state.name.is_some() {
            let end = std::mem::replace(&mut self.state.input_end, End::Closed);
            self.end_input(end)?;
            self.state.runs.router = Router::default();
            self.state.runs.all = vec![Run::new(&self.state.runs.options, Prior::default(), None)];
        }
        if !self.state.ended.is_empty() {
            self.output.text()?.lit("\n")?;
        }
        self.output
            .line(Role::Strong, &format!("── {}", one_line(name)))?;
        self.state.name = Some(name.to_owned());
        Ok(())
    }

    /// Notes that the current input cannot be read any further. It then ends as unreadable.
    pub fn unreadable(&mut self, error: &io::Error) -> io::Result<()> {
        self.state.input_end = End::Unreadable;
        self.output
            .note(&format!("the messages cannot be read: {error}"))
    }

    /// Ends all runs of the current input, and keeps their endings. Afterwards, the decoder and the runs are empty.
    fn end_input(&mut self, end: End) -> io::Result<()> {
        let Self { output, state } = self;
        let StreamState {
            input,
            runs,
            ended,
            name: input_name,
            input_end: _,
        } = state;
        let input = std::mem::take(input);
        if let (true, Some(first)) = (input.is_archive(), runs.all.first_mut()) {
            first
                .parts(&runs.options, output)
                .1
                .item(Item::Text(TextEvent::Archive))?;
        }
        input.finish(&mut |segment| runs.route(segment, output))?;
        runs.end_unknown(output)?;
        let all = std::mem::take(&mut runs.all);
        let number = all.len();
        for mut run in all {
            output.set_run(run.label());
            let (finder, mut dispatcher) = run.parts(&runs.options, output);
            finder.finish(&mut |item| dispatcher.item(item))?;
            if number > 1 {
                run.count_cut_line();
            }
            if !run.counts(number) {
                continue;
            }
            let name = match (&*input_name, run.label()) {
                (None, label) => label.to_owned(),
                (Some(name), "") => name.clone(),
                (Some(name), label) => format!("{name}: {label}"),
            };
            ended.push(Ending {
                name,
                ..run.finish(end, &runs.options, output)?
            });
        }
        output.set_run("");
        Ok(())
    }

    /// Ends the stream, and returns its outcome.
    pub fn finish(mut self, end: End) -> io::Result<Ending> {
        self.end(end)
    }

    /// Ends the stream like [`Self::finish`], but keeps it, so that it can be paused afterwards.
    pub fn end(&mut self, end: End) -> io::Result<Ending> {
        let end = if self.state.input_end == End::Unreadable {
            End::Unreadable
        } else {
            end
        };
        self.end_input(end)?;
        let ending = merged(std::mem::take(&mut self.state.ended));
        if !ending.runs.is_empty() {
            self.output.note(&sentence(&ending.runs))?;
        }
        self.output.flush()?;
        Ok(ending)
    }
}

impl Stream<'_> {
    /// Detaches the stream from its writers and documents. Output that was not written yet is kept.
    pub fn pause(self) -> PausedStream {
        PausedStream {
            output: self.output.pause(),
            state: self.state,
        }
    }
}

/// A stream without its writers and documents, which can be sent to another thread. It keeps its output until that is
/// taken.
pub struct PausedStream {
    output: PausedOutput,
    state: StreamState,
}

impl PausedStream {
    /// Creates a stream that keeps its output and its events.
    pub fn new(prior: Prior, options: Options, colour: bool) -> Self {
        let (text, notes) = (Out::keeping(colour), Out::keeping(colour));
        let mut documents = NoDocuments;
        let mut stream = Stream::with_prior(prior, options, text, notes, &mut documents);
        stream.output.observe();
        stream.pause()
    }

    /// Continues the stream.
    pub fn resume(self, documents: &mut dyn Documents) -> Stream<'_> {
        Stream {
            output: self.output.resume(documents),
            state: self.state,
        }
    }

    /// Removes and returns the text that was written so far. It is UTF-8, like everything that is written.
    pub fn take_text(&mut self) -> String {
        text_of(&mut self.output.text)
    }

    /// Removes and returns the notes that were written so far.
    pub fn take_notes(&mut self) -> String {
        text_of(&mut self.output.notes)
    }

    /// Removes and returns the events that have happened so far.
    pub fn take_events(&mut self) -> Vec<RunEvent> {
        self.output.take_events()
    }

    /// Returns the progress of all runs.
    pub fn progress(&self) -> RunProgress {
        let mut progress = RunProgress::default();
        for run in &self.state.runs.all {
            progress.add(run.label(), &run.state);
        }
        progress
    }

    /// Returns the same as [`Stream::quiet_at_end`].
    pub fn quiet_at_end(&self) -> Option<Duration> {
        self.state.runs.quiet_at_end()
    }
}

fn text_of(out: &mut KeptOut) -> String {
    String::from_utf8(out.take())
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

impl Runs {
    /// Returns the longest of the times after which each run counts as ended; `None` while one is incomplete.
    fn quiet_at_end(&self) -> Option<Duration> {
        let counted = self.all.iter().filter(|run| run.counts(self.all.len()));
        let quiet: Option<Vec<Duration>> = counted.map(Run::quiet_at_end).collect();
        quiet?.into_iter().max()
    }

    /// Passes a line, or a part of a long line, to the run that it belongs to. A message with a new label begins a run.
    fn route(&mut self, segment: Segment<'_>, output: &mut Output<'_>) -> io::Result<()> {
        let line = match segment {
            Segment::Line(line) => line,
            Segment::Part(part) => {
                return self.pass(0, output, |finder, each| finder.part(part, each));
            }
        };
        let text = line_text(line);
        let route = match &text {
            Cow::Borrowed(text) => self.router.route(text),
            // A line that is not UTF-8 has no label.
            Cow::Owned(_) => Route::First,
        };
        match route {
            Route::First => self.pass_line(0, line, &text, output),
            Route::Unknown { label, text: own } => self.pass_unknown(label, &own, &text, output),
            Route::Run { run, is_new, text } => {
                if let Some(label) = is_new {
                    let finder = self.unknown.remove(&label);
                    let new = Run::new(&self.options, Prior::default(), Some(label));
                    self.all.push(new.with_finder(finder));
                }
                // One record of a collector may contain several lines.
                text.split_inclusive('\n')
                    .try_for_each(|line| self.pass_line(run, line.as_bytes(), line, output))
            }
        }
    }

    /// Shows a line with an unknown label in the first run, unless its text, or the document that it is part of, may
    /// contain secrets.
    fn pass_unknown(
        &mut self,
        label: String,
        text: &str,
        line: &str,
        output: &mut Output<'_>,
    ) -> io::Result<()> {
        if self.unknown.len() >= MAX_UNKNOWN && !self.unknown.contains_key(&label) {
            return self.pass_line(0, line.as_bytes(), line, output);
        }
        let Some(first) = self.all.first_mut() else {
            return Ok(());
        };
        let lead = format!("[{label}] ");
        let show_sensitive = self.options.show_sensitive;
        let finder = self
            .unknown
            .entry(label)
            .or_insert_with(|| Finder::new(show_sensitive));
        output.set_run("");
        let (_, mut dispatcher) = first.parts(&self.options, output);
        let each = &mut |item: Item<'_>| dispatcher.item(item);
        if has_several_lines(text) {
            // Each line of the record is shown or withheld by itself.
            let mut lines = text.split_inclusive('\n');
            lines.try_for_each(|text| finder.text_line(text, &format!("{lead}{text}"), each))
        } else {
            finder.text_line(text, line, each)
        }
    }

    /// Ends the lines of labels that never became those of a run.
    fn end_unknown(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        let finders = std::mem::take(&mut self.unknown);
        let Some(first) = self.all.first_mut() else {
            return Ok(());
        };
        output.set_run("");
        let (_, mut dispatcher) = first.parts(&self.options, output);
        for mut finder in finders.into_values() {
            finder.finish(&mut |item| dispatcher.item(item))?;
        }
        Ok(())
    }

    fn pass_line(
        &mut self,
        index: usize,
        line: &[u8],
        text: &str,
        output: &mut Output<'_>,
    ) -> io::Result<()> {
        self.pass(index, output, |finder, each| finder.line(line, text, each))
    }

    /// Lets the finder of a run handle a part of the input, and passes the items that it finds to the run's dispatcher.
    fn pass(
        &mut self,
        index: usize,
        output: &mut Output<'_>,
        find: impl FnOnce(&mut Finder, &mut Each<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(run) = self.all.get_mut(index) else {
            return Ok(());
        };
        output.set_run(run.label());
        let (finder, mut dispatcher) = run.parts(&self.options, output);
        find(finder, &mut |item| dispatcher.item(item))
    }
}

/// Merges the endings of the runs into one. That of a single run is returned as it is; otherwise each line of a summary
/// or recap gets the label of its run.
fn merged(mut runs: Vec<Ending>) -> Ending {
    if runs.len() == 1
        && let Some(only) = runs.pop()
    {
        return only;
    }
    let mut whole = Ending::default();
    for ending in &runs {
        let name = &ending.name;
        whole.failed |= ending.failed;
        let label = if name.is_empty() {
            String::new()
        } else {
            format!("[{name}] ")
        };
        let add = |text: &mut String, more: &str| {
            let lines = more.lines().filter(|line| !line.trim().is_empty());
            lines.for_each(|line| text.extend([&*label, line, "\n"]));
        };
        if let Some(summary) = &ending.tool_summary {
            add(whole.tool_summary.get_or_insert_default(), summary);
        }
        add(&mut whole.recap, &ending.recap);
        if let Some(annotations) = &ending.annotations {
            match &mut whole.annotations {
                Some(all) => all.extend(annotations),
                None => whole.annotations = Some(annotations.clone()),
            }
        }
    }
    whole.runs = runs;
    whole
}

/// Returns the sentence that counts the runs, and names those that failed.
fn sentence(runs: &[Ending]) -> String {
    /// The maximum number of failed runs that are named.
    const NAMED: usize = 10;
    let name = |run: &Ending| match &*run.name {
        "" => "the one without a label".to_owned(),
        name => name.to_owned(),
    };
    let failed: Vec<String> = runs.iter().filter(|run| run.failed).map(name).collect();
    let all = count(runs.len(), "run");
    match failed.len() {
        0 => format!("{all}, all succeeded"),
        number => format!("{all}, {number} failed: {}", first_of(&failed, NAMED)),
    }
}
