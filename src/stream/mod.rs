//! Shows a run: turns the bytes that the tool writes with `-json` into human-readable text and an outcome.
//!
//! bytes → `encoding` → `lines` → [`Message`] → a handler for its type → text. `embedded` finds
//! messages in other text, and `gather` those that span several lines. [`Stream::push`] adds bytes,
//! [`Stream::tick`] is called in pauses, and [`Stream::finish`] at the end.
//!
//! Invariants: the output (except for the live region) does not depend on how the bytes are split. No line
//! is lost: lines that are not messages are shown unchanged, and unknown messages are shown by their
//! `@message`. Consecutive diagnostics are held back until another message arrives, because the tools sort
//! and merge them. The tool's text and tfview's own notes have separate writers.

mod ci;
mod course;
mod diagnostics;
mod dispatch;
mod embedded;
mod encoding;
mod expected;
mod gather;
mod init;
mod junit;
mod lines;
mod live;
mod long;
mod observer;
mod operations;
mod page;
mod planned;
mod policy;
mod query;
mod recap;
mod record;
mod report;
mod sink;
mod testing;
mod time;
mod timeline;
mod validation;

use std::io;
use std::time::Duration;

use crate::dialect::{Dialect, DialectChoice};
use crate::json::Raw;
use crate::model::message::Message;
use crate::model::plan::Change;
use crate::show::PlanMode;
use crate::term::{Out, Role, Untrusted, capture};

use course::Verdict;
use diagnostics::PendingDiagnostics;
use encoding::Encoding;
use gather::Gathering;
use init::Gap;
use lines::Lines;
use live::Region;
use long::LongLine;
use planned::Planned;
use query::Query;
use record::Record;
use testing::Tests;
use time::Moment;

pub use ci::Folds;
pub use expected::Expected;
pub use junit::junit;
pub use live::{Display, Progress, Screen, choose_display};
pub use observer::{Observer, Phase};
pub use page::{RunPage, page};
pub use report::{Report, ReportEntry, Status, TestedFile, TestedRun};
pub use sink::Draining;
pub use time::Timestamps;
pub use timeline::Timeline;

/// The time without messages after which a followed run counts as ended: after its final summary, and after
/// another part. (Running operations report their progress every ten seconds.)
const AFTER_SUMMARY: Duration = Duration::from_secs(2);
const AFTER_PART: Duration = Duration::from_secs(15);

/// The settings for a run.
#[derive(Debug, Default)]
pub struct Options {
    /// The value of `--dialect`. What it leaves open is taken from the `version` message.
    pub dialect: DialectChoice,
    /// The width for wrapping, in columns.
    pub width: usize,
    /// Whether to show sensitive values.
    pub show_sensitive: bool,
    /// The display of progress.
    pub display: Display,
    /// The timestamps before lines.
    pub timestamps: Timestamps,
    /// The planning mode, which messages do not contain; `None` is the normal mode.
    pub plan_mode: Option<PlanMode>,
    /// Whether to end like the `destroy` command, for a destroy whose saved plan is applied with `apply`.
    pub of_destroy: bool,
    /// Whether to show only the summaries of warnings, unless there are errors.
    pub compact_warnings: bool,
    /// Whether to omit lines about the progress of operations.
    pub concise: bool,
    /// Whether to show one heartbeat line for all running operations.
    pub quiet_progress: bool,
    /// The number of slowest operations named at the end.
    pub slowest: usize,
    /// Whether to make a test report.
    pub report: bool,
    /// The timeline to keep, if any: a new one, or that of an earlier part of the run.
    pub timeline: Option<Timeline>,
    /// The expected changes: those of the plan that [`Documents::plan_file`] writes.
    pub plan: Option<Expected>,
}

/// Services for a stream: rendering of documents, and rescue of states.
pub trait Documents {
    /// Writes the text of the plan given with the stream.
    fn plan_file(&mut self, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    /// Writes the text of a plan from a message.
    fn plan(&mut self, plan: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    /// Writes the text of a state from a message.
    fn state(&mut self, state: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    /// The text of the difference between two values, with styles if `colour`.
    fn difference(&mut self, change: &Change<'_>, dialect: Dialect, colour: bool) -> anyhow::Result<String>;
    /// Saves a state that the tool could not save, and returns where.
    fn rescue(&mut self, state: &str) -> anyhow::Result<String>;
}

/// How the input ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The writer closed it.
    Closed,
    /// tfview was asked to stop reading.
    Interrupted,
    /// Reading failed.
    Unreadable,
}

/// The outcome of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// Whether it failed.
    pub failed: bool,
    /// The tool's own summary, if there was one.
    pub tool_summary: Option<String>,
    /// The recap: failures, changes that never began, slowest operations.
    pub recap: String,
    /// The test report, if requested.
    pub report: Option<Report>,
    /// The timeline, if requested.
    pub timeline: Option<Timeline>,
}

/// The display of a run.
pub struct Stream<'w> {
    options: Options,
    out: Out<'w>,
    notes: Out<'w>,
    documents: &'w mut dyn Documents,
    observer: &'w mut dyn Observer,
    dialect: Dialect,
    lines: Lines,
    long: Option<LongLine>,
    encoding: Encoding,
    gathering: Option<Box<Gathering>>,
    /// Whether the note about text around messages has been written.
    has_told_of_text: bool,
    phase: Option<Phase>,
    pending: PendingDiagnostics,
    planned: Planned,
    tests: Tests,
    query: Query,
    record: Record,
    timeline: Option<Timeline>,
    region: Region,
    /// Whether the major version of the format is unknown.
    is_foreign: bool,
    is_init: bool,
    /// The last text shown by `init`, on which the empty line after it depends.
    init_gap: Gap,
    first: Option<Moment>,
    /// The timestamp before the lines of the current message.
    time: String,
    /// The clock of the live region.
    now: Duration,
    /// A reused buffer for building lines.
    line: String,
}

impl<'w> Stream<'w> {
    /// A stream that writes the tool's text to `out`, and tfview's notes to `notes`.
    pub fn new(
        mut options: Options,
        out: Out<'w>,
        notes: Out<'w>,
        documents: &'w mut dyn Documents,
        observer: &'w mut dyn Observer,
    ) -> Self {
        let planned = Planned::new(options.plan.is_some());
        let tests = Tests::new(options.report);
        Self {
            dialect: options.dialect.for_document(None, ""),
            record: Record::new(options.slowest),
            timeline: options.timeline.take(),
            options,
            out,
            notes,
            documents,
            observer,
            lines: Lines::default(),
            long: None,
            encoding: Encoding::default(),
            gathering: None,
            has_told_of_text: false,
            phase: None,
            pending: PendingDiagnostics::default(),
            planned,
            tests,
            query: Query::default(),
            region: Region::default(),
            is_foreign: false,
            is_init: false,
            init_gap: Gap::default(),
            first: None,
            time: String::new(),
            now: Duration::ZERO,
            line: String::new(),
        }
    }

    /// Adds bytes of the input.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut encoding = std::mem::take(&mut self.encoding);
        let result = self.push_utf8(&encoding.decode(bytes));
        self.encoding = encoding;
        result
    }

    fn push_utf8(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut lines = std::mem::take(&mut self.lines);
        let result = lines.feed(bytes, |segment| self.segment(segment));
        self.lines = lines;
        result
    }

    /// Shows pending output while the input pauses. `now` is the time since the start of the stream.
    pub fn tick(&mut self, now: Duration, screen: Screen) -> io::Result<()> {
        self.now = now;
        self.redraw(screen)?;
        self.out.flush()?;
        self.notes.flush()
    }

    /// The time without input after which a followed run counts as ended; `None` while it is incomplete.
    pub fn quiet_at_end(&self) -> Option<Duration> {
        let verdict = self.record.verdict(End::Closed, self.tests.verdict());
        if self.record.is_running() || !self.record.course.has_messages() {
            return None;
        }
        match verdict {
            Verdict::Fine if self.record.course.is_over() => Some(AFTER_SUMMARY),
            // A plan may be followed by its apply, and an error by further errors.
            Verdict::Fine | Verdict::Failed => Some(AFTER_PART),
            Verdict::CutOff | Verdict::NothingBegan | Verdict::Foreign | Verdict::NoMessage => None,
        }
    }

    /// Whether the tool has announced that it is stopping.
    pub fn is_stopping(&self) -> bool {
        self.record.interrupted
    }

    /// Ends the run, at the end of the input.
    pub fn finish(mut self, end: End) -> io::Result<Ending> {
        if let Encoding::Archive = self.encoding {
            self.note("the input is an archive and not shown: `tfview show` shows a saved plan")?;
        }
        let rest = self.encoding.finish();
        self.push_utf8(&rest)?;
        let mut lines = std::mem::take(&mut self.lines);
        lines.finish(|segment| self.segment(segment))?;
        if self.gathering.is_some() {
            self.record.course.ended_in_line();
            self.gathered_part()?;
        }
        self.flush_diagnostics()?;
        self.plan_summary_ends(None)?;
        self.set_line_prefix(None);
        self.queries_end()?;
        self.clear()?;
        self.observer.reveal(&mut self.out)?;
        self.out.flush()?;
        let tests = self.tests.verdict();
        let verdict = self.record.verdict(end, tests);
        self.record.recap(end, verdict, tests, &mut self.notes)?;
        self.notes.flush()?;
        let mut timeline = self.timeline.take();
        if let Some(timeline) = &mut timeline {
            timeline.headline = self.record.headline(end, verdict, tests);
            timeline.failed = verdict.is_failure();
            timeline.is_applying = self.record.course.is_applying();
        }
        Ok(Ending {
            timeline,
            failed: verdict.is_failure(),
            tool_summary: self.record.take_tool_summary(),
            report: self.tests.take_report(),
            recap: capture(false, |out| self.record.recap(end, verdict, tests, out))?,
        })
    }

    // Helpers for all handlers.

    /// The writer for the tool's text, after erasing the live region.
    fn out(&mut self) -> io::Result<&mut Out<'w>> {
        self.region.erase(&mut self.out)?;
        Ok(&mut self.out)
    }

    /// Writes a text and a line break.
    fn say(&mut self, role: Role, text: &str) -> io::Result<()> {
        let out = self.out()?;
        out.role_data(role, Untrusted(text))?;
        out.lit("\n")
    }

    /// Writes a note of tfview's own.
    fn note(&mut self, text: &str) -> io::Result<()> {
        self.region.erase(&mut self.out)?;
        self.out.flush()?;
        self.notes.lit("note: ")?;
        self.notes.data(Untrusted(text))?;
        self.notes.lit("\n")?;
        self.notes.flush()
    }

    /// Shows the tool's standard error.
    pub fn push_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.region.erase(&mut self.out)?;
        self.out.flush()?;
        self.notes.data(Untrusted(&String::from_utf8_lossy(bytes)))?;
        self.notes.flush()
    }

    /// Sets the time of a message as the prefix of the following lines, if requested. Text that is not a
    /// message has no prefix.
    fn set_line_prefix(&mut self, message: Option<&Message<'_>>) {
        if self.options.timestamps == Timestamps::None {
            return;
        }
        self.time.clear();
        if let Some(moment) = message.and_then(|message| Moment::parse(&message.timestamp)) {
            let first = *self.first.get_or_insert(moment);
            moment.push(&mut self.time, self.options.timestamps, first);
        }
        self.out.set_line_prefix(Role::Muted, &self.time);
    }

    /// Records a failure that no diagnostic explains, so the text about it must be visible.
    fn fail(&mut self) -> io::Result<()> {
        self.record.unexplained_failure();
        self.reveal()
    }

    /// Makes sure that the following text is visible.
    fn reveal(&mut self) -> io::Result<()> {
        self.region.erase(&mut self.out)?;
        self.observer.reveal(&mut self.out)
    }

    /// Begins a phase of the run, unless it has already begun.
    fn enter(&mut self, phase: Phase) -> io::Result<()> {
        if self.phase >= Some(phase) {
            return Ok(());
        }
        self.phase = Some(phase);
        self.region.erase(&mut self.out)?;
        self.observer.phase(phase, &mut self.out)
    }
}
