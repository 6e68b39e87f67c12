//! From a line to whoever handles it: messages by their type, everything else as text.

use std::io;

use crate::json::{Raw, Str};
use crate::model::Dialect;
use crate::model::message::Message;
use crate::term::{Role, Untrusted};

use super::Stream;
use super::lines::Segment;
use super::long::{Long, LongLine};
use super::time::Moment;

impl Stream<'_> {
    pub(super) fn segment(&mut self, segment: Segment<'_>) -> io::Result<()> {
        match segment {
            Segment::Line(line) => self.whole_line(line, true),
            Segment::Rest(line) => self.whole_line(line, false),
            Segment::Part(part) => {
                if self.long.is_none() {
                    self.settle()?;
                    self.stamp(None);
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
        if !feed {
            self.record.course.ended_in_line();
        }
        match long {
            Long::Text => self.out.lit(if feed { "\n" } else { "" }),
            Long::Message { length, is_error } => {
                self.record.course.message("");
                if is_error {
                    self.fail()?;
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
        if !feed && !is_whole(line) {
            self.record.course.ended_in_line();
        }
        if line.trim_start().starts_with('{')
            && let Some(message) = Message::of_line(line)
        {
            return self.message(&message, line);
        }
        self.pass_on(line, feed)
    }

    /// Shows a line that is no message as it came.
    pub(super) fn pass_on(&mut self, line: &str, feed: bool) -> io::Result<()> {
        self.settle()?;
        self.stamp(None);
        match hidden(line) {
            Some(Hidden::Said(said)) => {
                self.say(Role::Plain, &said)?;
                return self.note(
                    "a line that is not whole JSON is shown by its @message alone: it may hold secrets",
                );
            }
            Some(Hidden::All) if !self.options.show_sensitive => {
                let length = line.len();
                return self.note(&format!(
                    "a line of {length} bytes of JSON that is no message is not shown: it may hold secrets"
                ));
            }
            Some(Hidden::All) | None => {}
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
        if message.text.is_none() && message.format_version.is_some() {
            return self.document(message, line);
        }
        self.record.course.message(&message.kind);
        if self.out.manner().ci.is_some()
            && let Some(moment) = Moment::parse(&message.timestamp)
        {
            self.out.set_time(moment.seconds());
        }
        self.stamp(Some(message));
        let kind = &*message.kind;
        if kind == "diagnostic" || message.diagnostic.is_some() {
            return self.hold(message, message.diagnostic);
        }
        if kind == "policy_diagnostic" {
            return self.hold(message, message.policy_diagnostic);
        }
        self.settle()?;
        if self.is_foreign {
            return self.unknown(message);
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
            "provision_complete" | "provision_errored" => self.provision_end(message),
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
            "test_abstract" => self.test_abstract(message),
            "test_file" => self.test_file(message),
            "test_run" => self.test_run(message),
            "test_plan" => self.test_plan(message),
            "test_state" => self.test_state(message),
            "test_cleanup" => self.test_cleanup(message),
            "test_interrupt" => self.test_interrupt(message),
            "test_summary" => self.test_summary(message),
            "test_retry" => self.say(Role::Update, &message.said()),
            "list_start" => self.list_start(message),
            "list_resource_found" => self.list_result(message),
            "list_complete" => self.list_complete(message),
            "init_output" => self.init_output(message),
            "policy_info" => self.policy_info(message),
            "policy_result" => self.policy_result(message),
            "policy_query_summary" => self.policy_query_summary(message),
            "migration_errored" => {
                self.fail()?;
                self.plain(message)
            }
            "" => self.untyped(message),
            // `test_status`, `state_lock_*`, `migration_*`, `output`, and what is yet to come.
            _ => self.unknown(message),
        }
    }

    /// Shows what a message says.
    pub(super) fn plain(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.say(Role::Plain, &message.said())
    }

    /// Shows what a message of a type says that nothing more is known of.
    pub(super) fn unknown(&mut self, message: &Message<'_>) -> io::Result<()> {
        if &*message.level == "error" {
            self.fail()?;
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
        self.record.version();
        let Some(ui) = &message.ui else { return Ok(()) };
        let major = ui.split('.').next().and_then(|major| major.parse::<u64>().ok());
        if major.is_some_and(|major| major > 1) {
            self.is_foreign = true;
            self.record.course.foreign();
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
        let said = &*message.said();
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
        self.fail()?;
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
    pub(super) fn document(&mut self, message: &Message<'_>, line: &str) -> io::Result<()> {
        if message.valid.is_some() {
            self.record.course.message("");
            return self.validation(line);
        }
        self.note("a document on a line of its own is not shown: `tfview show` shows plans and states")
    }
}

/// Whether a line that has no end of its own is complete: a JSON value that has its last bracket.
fn is_whole(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || (line.starts_with('{') && crate::json::from_str::<Raw<'_>>(line).is_ok())
}

/// What is shown of a line that is no message, where showing all of it could show a secret.
enum Hidden {
    /// It begins as a message, but is not whole JSON: what it says.
    Said(String),
    /// It has marks of secrets: nothing.
    All,
}

fn hidden(line: &str) -> Option<Hidden> {
    let line = line.trim_start();
    let is_marked = || line.contains("sensitive\":") || line.contains("\"sensitive_");
    if line.starts_with("{\"@level\"") {
        // The tools write what a message says first: where that is cut, nothing stands behind it.
        let (_, rest) = line.split_once("\"@message\":")?;
        let mut reader = crate::json::Reader::new(rest);
        let said = reader.skip().ok()?;
        return crate::json::from_str::<Str<'_>>(said).ok().map(|said| Hidden::Said(said.to_string()));
    }
    (line.starts_with(['{', '[']) && is_marked()).then_some(Hidden::All)
}
