//! A run: from the bytes that the tool writes with `-json` to what people read, and to how it went.
//!
//! bytes → [`lines`] → [`Message`] → a handler for its family → text. [`Stream::push`] takes bytes
//! in, [`Stream::tick`] is for pauses, [`Stream::finish`] for the end. Invariants: the same bytes
//! give the same output, wherever they are cut (the live region apart); no line is lost: what is no
//! message passes through, a message that is not understood shows its `@message`; diagnostics that
//! follow each other are held until something else comes, because the tools sort and merge them;
//! text that stands for the tool's goes to one writer, what is our own to the other.

mod diagnostics;
mod expected;
mod init;
mod lines;
mod live;
mod long;
mod operations;
mod planned;
mod policy;
mod query;
mod record;
mod sink;
mod testing;
mod time;
mod validation;

use std::io;
use std::time::Duration;

use crate::json::Raw;
use crate::model::Dialect;
use crate::model::diagnostic::Diagnostic;
use crate::model::message::Message;
use crate::model::plan::Change;
use crate::term::{Out, Role, Untrusted};

use diagnostics::Held;
use lines::{Lines, Segment};
use live::Region;
use long::{Long, LongLine};
use planned::Planned;
use query::Query;
use record::Record;
use testing::Tests;
use time::Moment;
use validation::Gathering;

pub use expected::Expected;
pub use live::{Display, Progress, Screen, choose_display};
pub use sink::Draining;
pub use time::Timestamps;

/// How a run is shown.
#[derive(Debug, Default)]
pub struct Options {
    /// Whose words; `None` where the `version` message tells.
    pub dialect: Option<Dialect>,
    /// The columns to wrap to.
    pub width: usize,
    /// Show sensitive values.
    pub show_sensitive: bool,
    /// How progress is shown.
    pub display: Display,
    /// What stands before lines.
    pub timestamps: Timestamps,
    /// Warnings are shown by their summaries, unless there are errors.
    pub compact_warnings: bool,
    /// No lines on the progress of operations.
    pub concise: bool,
    /// One heartbeat for all that is going on.
    pub quiet_progress: bool,
    /// How many of the operations that took longest are named at the end.
    pub slowest: usize,
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

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Reading what there is.
    Refresh,
    /// The plan's text.
    Plan,
    /// Changing things.
    Apply,
    /// The summary and the outputs.
    Result,
}

/// Who wants to write around what the stream writes: folds and annotations of a CI system.
///
/// Each is called before the text that it is about.
pub trait Observer {
    /// A part of the run begins.
    fn phase(&mut self, phase: Phase, out: &mut Out<'_>) -> io::Result<()>;
    /// A diagnostic is about to be shown; also those that are merged into another one.
    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, out: &mut Out<'_>) -> io::Result<()>;
    /// The run has ended; whatever is open has to be closed.
    fn end(&mut self, out: &mut Out<'_>) -> io::Result<()>;
}

/// Nobody.
impl Observer for () {
    fn phase(&mut self, _: Phase, _: &mut Out<'_>) -> io::Result<()> {
        Ok(())
    }

    fn diagnostic(&mut self, _: &Diagnostic<'_>, _: &mut Out<'_>) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, _: &mut Out<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// How the input came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Whoever wrote it closed it.
    Closed,
    /// We were told to stop reading.
    Interrupted,
    /// It could not be read any further.
    Unreadable,
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
    gathering: Gathering,
    phase: Option<Phase>,
    held: Held,
    planned: Planned,
    tests: Tests,
    query: Query,
    record: Record,
    region: Region,
    /// The major version of the format is not one that is known.
    is_foreign: bool,
    is_init: bool,
    first: Option<Moment>,
    /// The clock of the live region.
    now: Duration,
    /// A line that is being put together; kept so that none has to be allocated.
    line: String,
}

impl<'w> Stream<'w> {
    /// A stream whose text goes to `out`, and whose own notes go to `notes`.
    pub fn new(
        options: Options,
        out: Out<'w>,
        notes: Out<'w>,
        documents: &'w mut dyn Documents,
        observer: &'w mut dyn Observer,
    ) -> Self {
        let planned = Planned::new(options.plan.is_some());
        Self {
            dialect: options.dialect.unwrap_or_default(),
            record: Record::new(options.slowest),
            options,
            out,
            notes,
            documents,
            observer,
            lines: Lines::default(),
            long: None,
            gathering: Gathering::default(),
            phase: None,
            held: Held::default(),
            planned,
            tests: Tests::default(),
            query: Query::default(),
            region: Region::default(),
            is_foreign: false,
            is_init: false,
            first: None,
            now: Duration::ZERO,
            line: String::new(),
        }
    }

    /// Takes bytes in.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
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

    /// The input has ended. Gives whether the run failed.
    pub fn finish(mut self, end: End) -> io::Result<bool> {
        let mut lines = std::mem::take(&mut self.lines);
        lines.finish(|segment| self.segment(segment))?;
        self.gathered_nothing_more()?;
        self.settle()?;
        self.queries_end()?;
        self.region.erase(&mut self.out)?;
        self.observer.end(&mut self.out)?;
        self.out.flush()?;
        let verdict = self.record.verdict(end, self.tests.verdict());
        self.record.recap(end, verdict, &mut self.notes)?;
        self.notes.flush()?;
        Ok(verdict.is_failure())
    }

    fn segment(&mut self, segment: Segment<'_>) -> io::Result<()> {
        match segment {
            Segment::Line(line) => self.whole_line(line, true),
            Segment::Rest(line) => self.whole_line(line, false),
            Segment::Part(part) => {
                if self.long.is_none() {
                    self.settle()?;
                    self.region.erase(&mut self.out)?;
                }
                self.long.get_or_insert_with(LongLine::new).push(part, &mut self.out)
            }
            Segment::PartsEnd { feed } => {
                let Some(long) = self.long.take() else { return Ok(()) };
                let long = long.end(&mut self.out)?;
                self.long_line_ended(long, feed)
            }
        }
    }

    fn long_line_ended(&mut self, long: Long, feed: bool) -> io::Result<()> {
        match long {
            Long::Text => self.out.lit(if feed { "\n" } else { "" }),
            Long::Message { length, is_error } => {
                self.record.message();
                if is_error {
                    self.record.unexplained_failure();
                }
                self.out.lit("\n")?;
                self.note(&format!("of a message of {length} bytes, only what it says is shown"))
            }
            Long::Document { length } => self.note(&format!(
                "a line of {length} bytes of JSON that is no message is not shown: it may hold secrets"
            )),
        }
    }

    fn whole_line(&mut self, line: &[u8], feed: bool) -> io::Result<()> {
        match std::str::from_utf8(line) {
            Ok(text) => self.text_line(text, feed),
            Err(_) => self.text_line(&String::from_utf8_lossy(line), feed),
        }
    }

    fn text_line(&mut self, line: &str, feed: bool) -> io::Result<()> {
        if self.gathers(line)? {
            return Ok(());
        }
        if line.trim_start().starts_with('{')
            && let Some(message) = Message::of_line(line)
        {
            return self.message(&message, line);
        }
        self.pass_on(line, feed)
    }

    /// Shows a line that is no message as it came.
    fn pass_on(&mut self, line: &str, feed: bool) -> io::Result<()> {
        self.settle()?;
        if let Some(said) = hidden(line) {
            self.say(Role::Plain, &said)?;
            return self
                .note("a line that is not whole JSON is shown by its @message alone: it may hold secrets");
        }
        let out = self.out()?;
        // With its line feed, so that the CR of a CR LF is known as one.
        out.data(Untrusted(line.strip_suffix('\r').unwrap_or(line)))?;
        match (line.ends_with('\r'), feed) {
            (true, true) => out.lit("\r\n"),
            (true, false) => out.data(Untrusted("\r")),
            (false, true) => out.lit("\n"),
            (false, false) => Ok(()),
        }
    }

    fn message(&mut self, message: &Message<'_>, line: &str) -> io::Result<()> {
        self.record.message();
        if self.options.timestamps != Timestamps::None && self.first.is_none() {
            self.first = Moment::parse(&message.timestamp);
        }
        if message.text.is_none() && message.format_version.is_some() {
            return self.document(message, line);
        }
        let kind = &*message.kind;
        if kind == "diagnostic" || message.diagnostic.is_some() {
            return self.hold(message, message.diagnostic);
        }
        if kind == "policy_diagnostic" {
            return self.hold(message, message.policy_diagnostic);
        }
        self.settle()?;
        if self.is_foreign {
            return self.plain(message);
        }
        match kind {
            "apply_start" => self.apply_start(message),
            "apply_progress" => self.apply_progress(message),
            "apply_complete" => self.apply_complete(message),
            "apply_errored" => self.apply_errored(message),
            "refresh_start" => self.refresh_start(message),
            "refresh_complete" => self.refresh_complete(message),
            "provision_start" => self.provision_start(message),
            "provision_progress" => self.provision_progress(message),
            "provision_complete" | "provision_errored" => Ok(()),
            "planned_change" => self.planned_change(message),
            "resource_drift" => self.resource_drift(message),
            "planned_action_invocation" => self.planned_invocation(message),
            "change_summary" => self.change_summary(message),
            "outputs" => self.outputs(message),
            "version" => self.version(message),
            "log" => self.log(message),
            "ephemeral_op_start" => self.apply_start(message),
            "ephemeral_op_progress" => self.apply_progress(message),
            "ephemeral_op_complete" => self.apply_complete(message),
            "ephemeral_op_errored" => self.ephemeral_errored(message),
            "ephemeral_action_started" => self.ephemeral_started(message),
            "ephemeral_action_complete" => self.ephemeral_complete(message),
            "action_start" => self.action_start(message),
            "action_progress" => self.action_progress(message),
            "action_complete" => self.action_complete(message),
            "action_errored" => self.action_errored(message),
            "test_abstract" => self.test_abstract(),
            "test_file" => self.test_file(message),
            "test_run" => self.test_run(message),
            "test_plan" => self.test_plan(message),
            "test_state" => self.test_state(message),
            "test_cleanup" => self.test_cleanup(message),
            "test_interrupt" => self.test_interrupt(message),
            "test_summary" => self.test_summary(message),
            "test_retry" => self.say(Role::Update, message.said()),
            "list_start" => Ok(()),
            "list_resource_found" => self.list_result(message),
            "list_complete" => self.list_complete(message),
            "init_output" => self.init_output(message),
            "policy_info" => self.policy_info(message),
            "policy_result" => self.policy_result(message),
            "policy_query_summary" => self.policy_query_summary(message),
            "migration_errored" => {
                self.record.unexplained_failure();
                self.plain(message)
            }
            "" => self.untyped(message),
            // `test_status`, `state_lock_*`, `migration_*`, `output`, and what is yet to come.
            _ => self.unknown(message),
        }
    }

    /// Shows what a message says.
    fn plain(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.stamp(message)?;
        self.say(Role::Plain, message.said())
    }

    /// Shows what a message of a type says that nothing more is known of.
    fn unknown(&mut self, message: &Message<'_>) -> io::Result<()> {
        if &*message.level == "error" {
            self.record.unexplained_failure();
        }
        self.plain(message)
    }

    fn version(&mut self, message: &Message<'_>) -> io::Result<()> {
        if self.options.dialect.is_none() {
            if message.tofu.is_some() {
                self.dialect = Dialect::OpenTofu;
            } else if message.terraform.is_some() {
                self.dialect = Dialect::Terraform;
            }
        }
        let Some(ui) = &message.ui else { return Ok(()) };
        let major = ui.split('.').next().and_then(|major| major.parse::<u64>().ok());
        if major.is_some_and(|major| major > 1) {
            self.is_foreign = true;
            let ui = ui.clone();
            return self.note(&format!(
                "the messages have format {ui}, which is newer than this program: they are shown by what they say alone"
            ));
        }
        Ok(())
    }

    fn log(&mut self, message: &Message<'_>) -> io::Result<()> {
        if let Some(state) = message.state {
            return self.emergency(message, state);
        }
        let said = message.said();
        if said.contains("nterrupt") && said.contains(" received") {
            self.record.interrupted();
        }
        if self.is_init {
            return self.provider_log(message);
        }
        self.unknown(message)
    }

    /// The tool could not save its state anywhere, and prints it. It holds every secret.
    fn emergency(&mut self, message: &Message<'_>, state: Raw<'_>) -> io::Result<()> {
        self.record.unexplained_failure();
        self.plain(message)?;
        if self.options.show_sensitive {
            let out = self.out()?;
            out.data(Untrusted(state.text()))?;
            return out.lit("\n");
        }
        match self.documents.rescue(state.text()) {
            Ok(place) => self.note(&format!(
                "the tool could not save its state; it was kept in {place}, not shown: it holds secrets"
            )),
            Err(error) => self.note(&format!(
                "the tool could not save its state, and neither could this program ({error:#}). It is not shown, \
                 because it holds secrets; --tee keeps the messages as they came, --show-sensitive shows it"
            )),
        }
    }

    /// A document that stands on a line of its own.
    fn document(&mut self, message: &Message<'_>, line: &str) -> io::Result<()> {
        if message.valid.is_some() {
            return self.validation(line);
        }
        self.note("a document on a line of its own is not shown: `tfview show` shows plans and states")
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
        self.notes.lit("tfview: note: ")?;
        self.notes.data(Untrusted(text))?;
        self.notes.lit("\n")?;
        self.notes.flush()
    }

    /// Passes on what the tool writes on its standard error.
    pub fn aside(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.region.erase(&mut self.out)?;
        self.out.flush()?;
        self.notes.data(Untrusted(&String::from_utf8_lossy(bytes)))?;
        self.notes.flush()
    }

    /// Writes the time of a message, if that is asked for.
    fn stamp(&mut self, message: &Message<'_>) -> io::Result<()> {
        let (Some(first), Some(moment)) = (self.first, self.moment(message)) else { return Ok(()) };
        let mut text = String::new();
        moment.push(&mut text, self.options.timestamps, first);
        self.out()?.role(Role::Muted, &text)
    }

    fn moment(&self, message: &Message<'_>) -> Option<Moment> {
        self.first.and_then(|_| Moment::parse(&message.timestamp))
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

/// What is shown of a line that begins as a message but is not whole JSON, where showing all of it
/// could show a secret: what it says.
fn hidden(line: &str) -> Option<String> {
    if !line.trim_start().starts_with("{\"@level\"")
        || !line.contains("\"sensitive\":true") && !line.contains("\"state\":")
    {
        return None;
    }
    let (_, rest) = line.split_once("\"@message\":")?;
    let mut reader = crate::json::Reader::new(rest);
    let said = reader.skip().ok()?;
    crate::json::from_str::<crate::json::Str<'_>>(said).ok().map(|said| said.to_string())
}
