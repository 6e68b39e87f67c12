//! Runs: the messages of the tool, followed as they arrive.
//!
//! A run keeps its state between calls, and holds no reference to its input.

use std::fmt;
use std::io::Write;
use std::time::Duration;

use super::tool_text::ToolText;
use super::{Error, Plan, Schemas, State, with_stack};
use crate::dialect::Dialect;
use crate::json::{self, Raw};
use crate::model::plan::Change;
use crate::show;
use crate::stream::{
    self, DocumentError, Documents, Ending, Expected, Options, PausedStream, Prior, RunPage,
    Screen, Stream,
};
use crate::stream::{End as InputEnd, RunEvent, RunProgress};
use crate::term::Out;

/// The options for a run.
///
/// ```
/// let mut options = tfview::RunOptions::default();
/// options.width = 120;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunOptions {
    /// The width of the text, in columns.
    pub width: usize,
    /// Whether the text has styles, as escape sequences.
    pub styled: bool,
    /// Whether to show sensitive values.
    pub show_sensitive: bool,
    /// The plan that the run makes or applies. Its text is written instead of the short list of changes in the
    /// messages.
    pub plan: Option<Plan>,
    /// The schemas for plans and states that messages contain.
    pub schemas: Schemas,
    /// Whether to keep the data for [`RunOutcome::write_page`].
    pub keeps_page: bool,
    /// Whether to keep the data for [`RunOutcome::junit`].
    pub keeps_report: bool,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            width: 78,
            styled: false,
            show_sensitive: false,
            plan: None,
            schemas: Schemas::new(),
            keeps_page: false,
            keeps_report: false,
        }
    }
}

/// A run of Terraform or OpenTofu, which is followed by its messages: the output of `plan`, `apply`, `destroy`,
/// `refresh`, `init`, `validate` and `test` with `-json`.
///
/// It takes bytes as they arrive, and returns the events and the tool's text. It has no clock: times are those of the
/// messages, and of the calls of [`tick`](Self::tick). A run can be sent to another thread.
///
/// ```
/// # fn main() -> Result<(), tfview::Error> {
/// use tfview::{InputEnd, Run, RunEventKind, RunOptions};
///
/// let mut run = Run::new(RunOptions::default());
/// let message = r#"{"@level":"info","@message":"aws_vpc.main: Creating...","type":"apply_start",
///     "hook":{"resource":{"addr":"aws_vpc.main"},"action":"create"}}"#;
/// let update = run.push_line(&message.replace('\n', " "))?;
/// assert_eq!(update.text, "aws_vpc.main: Creating...\n");
/// let event = &update.events[0].kind;
/// assert!(matches!(event, RunEventKind::Operation { address, .. } if address == "aws_vpc.main"));
///
/// let outcome = run.finish(InputEnd::Closed)?;
/// assert!(outcome.failed()); // the messages end before the operation does
/// # Ok(())
/// # }
/// ```
pub struct Run {
    /// The paused stream. It is `None` only during a call, and after an error of one.
    stream: Option<PausedStream>,
    /// The options, and the state that the tool could not save.
    documents: RunDocuments,
    /// The nesting of the lines so far, by which the stack is chosen.
    depth: OpenDepth,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("progress", &self.progress())
            .finish_non_exhaustive()
    }
}

/// The events and texts since the last update.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RunUpdate {
    /// The events, in order.
    pub events: Vec<RunEvent>,
    /// The text of the tool.
    pub text: String,
    /// The remarks of tfview about the run, for example that lines are hidden because they may contain secrets.
    pub notes: String,
}

impl Run {
    /// Begins to follow a run.
    pub fn new(options: RunOptions) -> Self {
        let stream_options = Options {
            width: options.width,
            show_sensitive: options.show_sensitive,
            report: options.keeps_report,
            timeline: options.keeps_page,
            ..Options::default()
        };
        let prior = Prior {
            plan: options.plan.as_ref().map(|plan| Expected::new(plan.plan())),
            ..Prior::default()
        };
        let stream = PausedStream::new(prior, stream_options, options.styled);
        let documents = RunDocuments {
            options,
            unsaved_state: None,
        };
        Self {
            stream: Some(stream),
            documents,
            depth: OpenDepth::default(),
        }
    }

    /// Handles the next bytes of the messages, which may be cut anywhere.
    ///
    /// # Errors
    /// Returns an error if a large stack is needed and cannot be allocated.
    pub fn push(&mut self, bytes: impl AsRef<[u8]>) -> Result<RunUpdate, Error> {
        let bytes = bytes.as_ref();
        let depth = self.depth.push(bytes);
        self.update(depth, |stream| stream.push(bytes))
    }

    /// Handles the next line, given without its line break.
    ///
    /// # Errors
    /// Returns the errors of [`push`](Self::push).
    pub fn push_line(&mut self, line: &str) -> Result<RunUpdate, Error> {
        let mut line = line.to_owned();
        line.push('\n');
        self.push(line)
    }

    /// Sets the time since the run began, for [`progress`](Self::progress).
    ///
    /// # Errors
    /// Returns an error if a large stack is needed and cannot be allocated.
    pub fn tick(&mut self, elapsed: Duration) -> Result<RunUpdate, Error> {
        self.update(0, |stream| stream.tick(elapsed, Screen::default()))
    }

    /// Returns the running operations, and how much is done.
    pub fn progress(&self) -> RunProgress {
        self.stream
            .as_ref()
            .map(PausedStream::progress)
            .unwrap_or_default()
    }

    /// Returns the time without messages after which a run whose log is followed has ended; `None` while it is
    /// incomplete.
    pub fn quiet_at_end(&self) -> Option<Duration> {
        self.stream.as_ref().and_then(PausedStream::quiet_at_end)
    }

    /// Returns the state that the tool could not save, and wrote as a message instead. It contains all sensitive
    /// values.
    pub fn unsaved_state(&self) -> Option<&str> {
        self.documents.unsaved_state.as_deref()
    }

    /// Ends the run, and returns its outcome.
    ///
    /// # Errors
    /// Returns an error if a large stack is needed and cannot be allocated.
    pub fn finish(mut self, end: InputEnd) -> Result<RunOutcome, Error> {
        let mut ending = Ending::default();
        let depth = self.depth.push(b"\n");
        let update = self.update(depth, |stream| {
            ending = stream.end(end)?;
            Ok(())
        })?;
        let RunDocuments {
            options,
            unsaved_state,
        } = self.documents;
        Ok(RunOutcome {
            update,
            ending,
            keeps_page: options.keeps_page,
            keeps_report: options.keeps_report,
            shows_sensitive: options.show_sensitive,
            unsaved_state,
        })
    }

    /// Lets `work` continue the run on a stack for `depth` levels, and returns the events and texts since then.
    fn update(
        &mut self,
        depth: usize,
        work: impl FnOnce(&mut Stream<'_>) -> std::io::Result<()> + Send,
    ) -> Result<RunUpdate, Error> {
        let Some(paused) = self.stream.take() else {
            return Err(Error::NotKept("an earlier error ended the run"));
        };
        let documents = &mut self.documents;
        let (mut paused, done) = with_stack(depth, || {
            let mut stream = paused.resume(documents);
            let done = work(&mut stream);
            Ok((stream.pause(), done))
        })?;
        let update = RunUpdate {
            events: paused.take_events(),
            text: paused.take_text(),
            notes: paused.take_notes(),
        };
        self.stream = Some(paused);
        done?;
        Ok(update)
    }
}

/// The outcome of a run.
#[derive(Debug)]
pub struct RunOutcome {
    /// The events and texts since the last update.
    update: RunUpdate,
    /// The result of the run, with its failures.
    ending: Ending,
    /// Whether the page was requested.
    keeps_page: bool,
    /// Whether the report of tests was requested.
    keeps_report: bool,
    /// Whether both show sensitive values.
    shows_sensitive: bool,
    /// The state that the tool could not save, and wrote as a message instead.
    unsaved_state: Option<String>,
}

impl RunOutcome {
    /// Whether the run failed, or its messages are incomplete.
    pub fn failed(&self) -> bool {
        self.ending.failed
    }

    /// Returns the summary of the tool, such as `Apply complete! Resources: 1 added, 0 changed, 0 destroyed.`
    pub fn summary(&self) -> Option<&str> {
        self.ending.tool_summary.as_deref()
    }

    /// Returns the failures, and the operations that were left running, in words; empty if there are none.
    pub fn recap(&self) -> &str {
        &self.ending.recap
    }

    /// Returns the events and texts since the last update.
    pub fn update(&self) -> &RunUpdate {
        &self.update
    }

    /// Returns the state that the tool could not save. It contains all sensitive values.
    pub fn unsaved_state(&self) -> Option<&str> {
        self.unsaved_state.as_deref()
    }

    /// Writes the run as a self-contained page.
    ///
    /// # Errors
    /// Returns an error if [`RunOptions::keeps_page`] was not set, or writing fails.
    pub fn write_page(&self, mut out: impl Write) -> Result<(), Error> {
        if !self.keeps_page {
            return Err(Error::NotKept(
                "the run kept no page: set `RunOptions::keeps_page`",
            ));
        }
        let page = RunPage {
            timeline: self.ending.timeline.as_ref(),
            runs: &self.ending.runs,
            review: None,
            notes: &[],
            shows_sensitive: self.shows_sensitive,
        };
        Ok(stream::page(&page, &mut out)?)
    }

    /// Returns a report of the tests in the JUnit format. For a run without tests, it contains its errors.
    ///
    /// # Errors
    /// Returns an error if [`RunOptions::keeps_report`] was not set.
    pub fn junit(&self) -> Result<String, Error> {
        let Ending {
            report,
            failed,
            runs,
            ..
        } = &self.ending;
        match report {
            _ if self.keeps_report && !runs.is_empty() => Ok(stream::junit_of_units(runs)),
            Some(report) => Ok(stream::junit(report, *failed)),
            None => Err(Error::NotKept(
                "the run kept no report: set `RunOptions::keeps_report`",
            )),
        }
    }
}

/// The documents of a run: plans and states are shown with the options of the run, and an unsaved state is kept.
#[derive(Debug)]
struct RunDocuments {
    options: RunOptions,
    unsaved_state: Option<String>,
}

impl RunDocuments {
    /// Returns the options for the text of a plan or state.
    fn show_options(&self, dialect: Dialect) -> show::Options {
        show::Options {
            dialect,
            plan_mode: None,
            show_sensitive: self.options.show_sensitive,
            width: self.options.width,
            automation: false,
        }
    }
}

impl Documents for RunDocuments {
    fn plan_file(&mut self, dialect: Dialect, out: &mut Out<'_>) -> Result<(), DocumentError> {
        let Some(plan) = &self.options.plan else {
            return Err("no plan was given".into());
        };
        Ok(plan.print(&self.show_options(dialect), out)?)
    }

    fn plan(
        &mut self,
        plan: Raw<'_>,
        dialect: Dialect,
        out: &mut Out<'_>,
    ) -> Result<(), DocumentError> {
        let plan = Plan::of_message(plan.text(), &self.options.schemas)?;
        Ok(plan.print(&self.show_options(dialect), out)?)
    }

    fn state(
        &mut self,
        state: Raw<'_>,
        dialect: Dialect,
        out: &mut Out<'_>,
    ) -> Result<(), DocumentError> {
        let state = State::of_message(state.text(), &self.options.schemas)?;
        Ok(state.print(&self.show_options(dialect), out)?)
    }

    fn difference(
        &mut self,
        change: &Change<'_>,
        dialect: Dialect,
        colour: bool,
    ) -> Result<String, DocumentError> {
        let sides = [change.before, change.after];
        let sides = sides.into_iter().flatten();
        let depth = sides.map(|side| json::depth(side.text())).max();
        let text = with_stack(depth.unwrap_or_default(), || {
            let show_sensitive = self.options.show_sensitive;
            Ok(show::difference(change, dialect, show_sensitive, colour)?)
        })?;
        Ok(text)
    }

    /// Keeps the state for the caller, because the library writes no files.
    fn rescue(&mut self, state: &str) -> Result<String, DocumentError> {
        self.unsaved_state = Some(state.to_owned());
        Ok("the value of `unsaved_state`".to_owned())
    }
}

/// An upper bound of the nesting of the next line, computed before the line is read.
///
/// It counts the brackets that are open when a line begins, and all that are opened in the line, including those in
/// strings. For a line with many brackets that is more than the depth, but it is never less.
#[derive(Debug, Default)]
struct OpenDepth {
    /// The number of brackets that are open outside of strings.
    open: usize,
    /// The number of brackets that were open when the line began.
    before_line: usize,
    /// The number of brackets that were opened in this line, including those that were closed again.
    in_line: usize,
    /// Whether the last byte was inside a string.
    in_string: bool,
    /// Whether the last byte was a backslash that escapes the next one.
    is_escaped: bool,
}

impl OpenDepth {
    /// Reads the next bytes, and returns a bound for the nesting of all lines that they belong to.
    fn push(&mut self, bytes: &[u8]) -> usize {
        let mut deepest = self.before_line + self.in_line;
        for byte in bytes {
            let is_escaped = std::mem::take(&mut self.is_escaped);
            match byte {
                b'\n' => {
                    self.before_line = self.open;
                    self.in_line = 0;
                    self.in_string = false;
                }
                b'\\' => self.is_escaped = self.in_string && !is_escaped,
                b'"' => self.in_string ^= !is_escaped,
                b'{' | b'[' => {
                    self.in_line += 1;
                    self.open += usize::from(!self.in_string);
                    deepest = deepest.max(self.before_line + self.in_line);
                }
                b'}' | b']' if !self.in_string => self.open = self.open.saturating_sub(1),
                _ => {}
            }
        }
        deepest
    }
}
