//! A run: from the bytes that the tool writes with `-json` to what people read, and to how it went.
//!
//! bytes → [`encoding`] → [`lines`] → [`Message`] → a handler for its family → text. Messages inside of other
//! text are found by [`embedded`], over several lines by [`gather`]. [`Stream::push`] takes bytes
//! in, [`Stream::tick`] is for pauses, [`Stream::finish`] for the end. Invariants: the same bytes
//! give the same output, wherever they are cut (the live region apart); no line is lost: what is no
//! message passes through, a message that is not understood shows its `@message`; diagnostics that
//! follow each other are held until something else comes, because the tools sort and merge them;
//! text that stands for the tool's goes to one writer, what is our own to the other.

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

/// How long a run that is followed is quiet before it counts as ended: after its last summary, and after
/// a part of it (operations that go on report every ten seconds).
const AFTER_SUMMARY: Duration = Duration::from_secs(2);
const AFTER_PART: Duration = Duration::from_secs(15);

/// How a run is shown.
#[derive(Debug, Default)]
pub struct Options {
    /// What is fixed of the dialect; the `version` message decides the rest.
    pub dialect: DialectChoice,
    /// The columns to wrap to.
    pub width: usize,
    /// Show sensitive values.
    pub show_sensitive: bool,
    /// How progress is shown.
    pub display: Display,
    /// What stands before lines.
    pub timestamps: Timestamps,
    /// The mode that the plan is made in, which messages do not say; `None` is the normal one.
    pub plan_mode: Option<PlanMode>,
    /// The run is of the `destroy` command, whose saved plan the tool applies with `apply`: its last line is
    /// the one of `destroy`.
    pub of_destroy: bool,
    /// Warnings are shown by their summaries, unless there are errors.
    pub compact_warnings: bool,
    /// No lines on the progress of operations.
    pub concise: bool,
    /// One heartbeat for all that is going on.
    pub quiet_progress: bool,
    /// How many of the operations that took longest are named at the end.
    pub slowest: usize,
    /// A report of the tests is made.
    pub report: bool,
    /// A timeline is kept: a new one, or the one of an earlier part of the run, which goes on.
    pub timeline: Option<Timeline>,
    /// The changes of the plan whose text [`Documents::plan_file`] writes.
    pub plan: Option<Expected>,
}

/// What the stream needs others for: texts of whole documents, and a place for what must not be lost.
pub trait Documents {
    /// Writes the text of the plan that was given beside the stream.
    fn plan_file(&mut self, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    /// Writes the text of a plan that came in a message.
    fn plan(&mut self, plan: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    /// Writes the text of a state that came in a message.
    fn state(&mut self, state: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    /// The text of the difference of two values, with styles if `colour`.
    fn difference(&mut self, change: &Change<'_>, dialect: Dialect, colour: bool) -> anyhow::Result<String>;
    /// Keeps a state that the tool could not save, and says where.
    fn rescue(&mut self, state: &str) -> anyhow::Result<String>;
}

/// How the input came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Whoever wrote it closed it.
    Closed,
    /// tfview was asked to stop reading.
    Interrupted,
    /// It could not be read any further.
    Unreadable,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// It failed.
    pub failed: bool,
    /// The tool's own summary, if it came to one.
    pub tool_summary: Option<String>,
    /// What failed, what never began, what took longest.
    pub recap: String,
    /// What the tests came to, if that was asked for.
    pub report: Option<Report>,
    /// What happened when, if that was asked for.
    pub timeline: Option<Timeline>,
}

/// A run that is being shown.
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
    /// That messages have text around them was said.
    has_told_of_text: bool,
    phase: Option<Phase>,
    pending: PendingDiagnostics,
    planned: Planned,
    tests: Tests,
    query: Query,
    record: Record,
    timeline: Option<Timeline>,
    region: Region,
    /// The major version of the format is not one that is known.
    is_foreign: bool,
    is_init: bool,
    /// What was last shown of `init` has an empty line to come after it.
    init_gap: Gap,
    first: Option<Moment>,
    /// The time before the lines of the message at hand.
    time: String,
    /// The clock of the live region.
    now: Duration,
    /// A line that is being put together; kept so that none has to be allocated.
    line: String,
}

impl<'w> Stream<'w> {
    /// A stream whose text goes to `out`, and whose own notes go to `notes`.
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
            dialect: options.dialect.of_document(None, ""),
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

    /// Takes bytes in.
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

    /// The input pauses: what is ready is shown. `now` is the time since the stream began.
    pub fn tick(&mut self, now: Duration, screen: Screen) -> io::Result<()> {
        self.now = now;
        self.redraw(screen)?;
        self.out.flush()?;
        self.notes.flush()
    }

    /// How long nothing comes before a run counts as ended whose source does not end by itself; none
    /// while something is going on.
    pub fn quiet_at_end(&self) -> Option<Duration> {
        let verdict = self.record.verdict(End::Closed, self.tests.verdict());
        if self.record.is_running() || !self.record.course.has_messages() {
            return None;
        }
        match verdict {
            Verdict::Fine if self.record.course.is_over() => Some(AFTER_SUMMARY),
            // A plan may be followed by its apply, an error by another one.
            Verdict::Fine | Verdict::Failed => Some(AFTER_PART),
            Verdict::CutOff | Verdict::NothingBegan | Verdict::Foreign | Verdict::NoMessage => None,
        }
    }

    /// Whether the tool has said that it is stopping.
    pub fn is_stopping(&self) -> bool {
        self.record.interrupted
    }

    /// The input has ended.
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

    // What all handlers write by.

    /// The writer of the tool's text; the live region has made room.
    fn out(&mut self) -> io::Result<&mut Out<'w>> {
        self.region.erase(&mut self.out)?;
        Ok(&mut self.out)
    }

    /// Writes a text and ends its line.
    fn say(&mut self, role: Role, text: &str) -> io::Result<()> {
        let out = self.out()?;
        out.role_data(role, Untrusted(text))?;
        out.lit("\n")
    }

    /// Writes a note of our own.
    fn note(&mut self, text: &str) -> io::Result<()> {
        self.region.erase(&mut self.out)?;
        self.out.flush()?;
        self.notes.lit("note: ")?;
        self.notes.data(Untrusted(text))?;
        self.notes.lit("\n")?;
        self.notes.flush()
    }

    /// Passes on what the tool writes on its standard error.
    pub fn push_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.region.erase(&mut self.out)?;
        self.out.flush()?;
        self.notes.data(Untrusted(&String::from_utf8_lossy(bytes)))?;
        self.notes.flush()
    }

    /// Sets the time of a message as the prefix of the lines that follow, if that is asked for; text
    /// that is not a message has none.
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

    /// What comes now has to be seen.
    fn reveal(&mut self) -> io::Result<()> {
        self.region.erase(&mut self.out)?;
        self.observer.reveal(&mut self.out)
    }

    /// A part of the run begins, if it has not begun.
    fn enter(&mut self, phase: Phase) -> io::Result<()> {
        if self.phase >= Some(phase) {
            return Ok(());
        }
        self.phase = Some(phase);
        self.region.erase(&mut self.out)?;
        self.observer.phase(phase, &mut self.out)
    }
}
