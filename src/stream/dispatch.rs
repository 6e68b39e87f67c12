//! Dispatches lines to their handlers: messages by their type, everything else as text.

use std::io;

use crate::dialect::Tool;
use crate::json::Raw;
use crate::model::message::Message;
use crate::term::{Role, Untrusted};

use super::Stream;
use super::embedded::{
    self, cleaned, is_bare_beginning, is_fragment, is_validation, may_hold_secrets, tells_of_error,
};
use super::encoding::utf16_line;
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
                    self.flush_diagnostics()?;
                    self.set_line_prefix(None);
                    self.region.erase(&mut self.out)?;
                }
                // A part of a line within gathered JSON cannot be shown.
                let is_json = self.gathering.is_some();
                self.long.get_or_insert_with(|| LongLine::new(is_json)).push(part, &mut self.out)
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
            Long::Withheld { length, shown, is_error } => {
                if is_error {
                    self.fail()?;
                }
                if shown {
                    self.out.lit("\n")?;
                }
                self.note(&format!("a line of {length} bytes is not shown to its end: it may hold secrets"))
            }
        }
    }

    fn whole_line(&mut self, line: &[u8], feed: bool) -> io::Result<()> {
        if !feed && !is_whole(line) {
            self.record.course.ended_in_line();
        }
        if let Some([0, ..] | [_, 0] | [0xff, 0xfe] | [0xfe, 0xff]) = line.get(..2)
            && let Some(text) = utf16_line(line)
        {
            return self.text_line(&text, feed);
        }
        match std::str::from_utf8(line) {
            Ok(text) => self.text_line(text, feed),
            Err(_) => self.text_line(&String::from_utf8_lossy(line), feed),
        }
    }

    pub(super) fn text_line(&mut self, line: &str, feed: bool) -> io::Result<()> {
        if self.gathering.is_some() && self.gathers(line, feed)? {
            return Ok(());
        }
        if line.trim_start().starts_with('{')
            && let Some(message) = Message::of_line(line)
        {
            return self.message(&message);
        }
        self.other_line(line, feed)
    }

    /// Handles a line that is not a message. A message may be embedded in it or begin on it.
    fn other_line(&mut self, line: &str, feed: bool) -> io::Result<()> {
        let found = embedded::find(line);
        if !found.messages.is_empty() {
            return self.found(&found.messages, found.has_more);
        }
        if line.trim_start().starts_with('{') && is_validation(line) {
            return self.validation(line);
        }
        match found.unfinished {
            Some(unfinished) if self.gathering.is_none() => {
                self.gather(unfinished, line, feed);
                Ok(())
            }
            Some(_) | None => self.pass_on(line, feed),
        }
    }

    /// Shows messages that were embedded in other text.
    pub(super) fn found(&mut self, messages: &[String], has_more: bool) -> io::Result<()> {
        if has_more && !std::mem::replace(&mut self.has_told_of_text, true) {
            self.note("messages have other text around them on their lines, which is left out")?;
        }
        for json in messages {
            if let Some(message) = Message::of_line(json) {
                self.message(&message)?;
            }
        }
        Ok(())
    }

    /// Shows a line that is not a message unchanged, unless it may contain sensitive values.
    pub(super) fn pass_on(&mut self, line: &str, feed: bool) -> io::Result<()> {
        if !self.options.show_sensitive && line.len() >= SHORTEST_SECRET {
            let clean = cleaned(line);
            if (may_hold_secrets(&clean) && !is_bare_beginning(&clean)) || is_fragment(&clean) {
                self.flush_diagnostics()?;
                self.set_line_prefix(None);
                if tells_of_error(&clean) {
                    self.fail()?;
                }
                let Some(text) = embedded::message_text(&clean) else { return self.withhold(line.len()) };
                self.say(Role::Plain, &text)?;
                return self.note(
                    "a line that is not whole JSON is shown by its @message alone: it may hold secrets",
                );
            }
        }
        self.show_line(line, feed)
    }

    /// Shows a line unchanged.
    pub(super) fn show_line(&mut self, line: &str, feed: bool) -> io::Result<()> {
        self.flush_diagnostics()?;
        self.plan_summary_ends(None)?;
        self.set_line_prefix(None);
        let out = self.out()?;
        // A CR at the end is written with the line feed, so that it is recognised as a CR LF.
        out.data(Untrusted(line.strip_suffix('\r').unwrap_or(line)))?;
        match (line.ends_with('\r'), feed) {
            (true, true) => out.lit("\r\n"),
            (true, false) => out.data(Untrusted("\r")),
            (false, true) => out.lit("\n"),
            (false, false) => Ok(()),
        }
    }

    /// Writes a note that text is not shown.
    pub(super) fn withhold(&mut self, length: usize) -> io::Result<()> {
        self.note(&format!(
            "{length} bytes of other text are not shown, because they may contain secrets \
             (`tfview show` shows plans and states)"
        ))
    }

    pub(super) fn message(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.record.course.message(&message.message_type);
        if self.out.mode().ci.is_some()
            && let Some(moment) = Moment::parse(&message.timestamp)
        {
            self.out.set_time(moment.seconds());
        }
        self.plan_summary_ends(Some(message))?;
        self.set_line_prefix(Some(message));
        let kind = &*message.message_type;
        if kind == "diagnostic" || message.diagnostic.is_some() {
            return self.hold(message, message.diagnostic);
        }
        if kind == "policy_diagnostic" {
            return self.hold(message, message.policy_diagnostic);
        }
        self.flush_diagnostics()?;
        if self.is_foreign {
            return self.unknown(message);
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.message(message);
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
            "test_retry" => self.say(Role::Update, &message.text()),
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
            // `test_status`, `state_lock_*`, `migration_*`, `output`, and future types.
            _ => self.unknown(message),
        }
    }

    /// Shows the `@message` of a message.
    pub(super) fn plain(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.say(Role::Plain, &message.text())
    }

    /// Shows the `@message` of a message of unknown type.
    pub(super) fn unknown(&mut self, message: &Message<'_>) -> io::Result<()> {
        if &*message.level == "error" {
            self.fail()?;
            if let Some(timeline) = &mut self.timeline {
                timeline.problem(true, "", message.text().into_owned());
            }
        }
        self.plain(message)
    }

    fn version(&mut self, message: &Message<'_>) -> io::Result<()> {
        let wrote = match (&message.tofu, &message.terraform) {
            (Some(version), _) => Some((Tool::OpenTofu, version)),
            (None, Some(version)) => Some((Tool::Terraform, version)),
            (None, None) => None,
        };
        if let Some((tool, version)) = wrote {
            self.dialect = self.options.dialect.for_document(Some(tool), version);
        }
        if self.record.version()
            && let Some(timeline) = &mut self.timeline
        {
            timeline.next_run();
        }
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
        let text = &*message.text();
        if text.contains("nterrupt") && text.contains(" received") {
            self.record.interrupted();
        }
        if self.is_init {
            return self.provider_log(message);
        }
        self.unknown(message)
    }

    /// Handles a state that the tool prints because it could not save it. It contains all sensitive values.
    fn emergency(&mut self, message: &Message<'_>, state: Raw<'_>) -> io::Result<()> {
        self.fail()?;
        self.plain(message)?;
        if let Some(timeline) = &mut self.timeline {
            timeline.problem(true, "", message.text().into_owned());
        }
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
}

/// Text shorter than this cannot contain both a key and a sensitive value.
const SHORTEST_SECRET: usize = 8;

/// Whether a line without a line feed is complete: it is empty or a complete JSON object.
fn is_whole(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    // The second byte of a UTF-16 line feed does not count as a line.
    let line = if line == [0] { &[][..] } else { line };
    let is_json = |text| crate::json::from_str::<Raw<'_>>(text).is_ok();
    line.is_empty() || (line.starts_with(b"{") && std::str::from_utf8(line).is_ok_and(is_json))
}
