//! UI messages: the lines that both tools print with `-json`.
//!
//! Source: the machine-readable UI, versions 0.1 to 1.x. Each line is one object with an envelope and
//! a payload that depends on `type`. Every member is optional here: a message whose payload is missing
//! or malformed is still shown by its `@message`. Payloads that are rare stay [`Raw`] text.

#[macro_use]
mod members;
mod payload;
mod policy;

use std::borrow::Cow;

use serde::Deserialize;

use crate::json::{Pairs, Raw, Str, from_str, read_into};

pub use payload::{
    Address, ChangeSummary, Hook, Leftover, Lifecycle, ListMessage, Output, PlannedChange, PlannedInvocation,
    TestCleanup, TestFile, TestInterrupt, TestRun, TestSummary, WordOrAddress,
};
pub use policy::{
    EvaluatedPolicy, PolicyDiagnostic, PolicyInfo, PolicyMetadata, PolicyQueryResult, PolicyQuerySummary,
    PolicyResult,
};

model! {
    /// One message. Payloads are boxed because messages are moved often and each has few payloads.
    pub struct Message<'a> {
        /// `info`, `warn` or `error`.
        "@level" => pub level: Str<'a>,
        /// `@message`, the human-readable text. Most messages are shown by their payload, so this is parsed
        /// only on request, by [`Message::text`].
        "@message" => pub text: Option<Raw<'a>>,
        /// The time of the message, in RFC 3339.
        "@timestamp" => pub timestamp: Str<'a>,
        /// `type`, the type of the message; empty if there is none.
        "type" => pub message_type: Str<'a>,
        /// The progress of an operation on a resource, of a provisioner, or of an action.
        "hook" => pub hook: Option<Box<Hook<'a>>>,
        /// `planned_change`, `resource_drift`.
        "change" => pub change: Option<Box<PlannedChange<'a>>>,
        /// The test file that the message belongs to.
        "@testfile" => pub test_file_name: Str<'a>,
        /// The run block that the message belongs to.
        "@testrun" => pub test_run_name: Str<'a>,
        /// `version`: Terraform's version.
        "terraform" => pub terraform: Option<Str<'a>>,
        /// `version`: OpenTofu's version.
        "tofu" => pub tofu: Option<Str<'a>>,
        /// `version`: the version of the format.
        "ui" => pub ui: Option<Str<'a>>,
        /// `change_summary`.
        "changes" => pub changes: Option<Box<ChangeSummary<'a>>>,
        /// `outputs`.
        "outputs" => pub outputs: Option<Raw<'a>>,
        /// `diagnostic`.
        "diagnostic" => pub diagnostic: Option<Raw<'a>>,
        /// `planned_action_invocation`.
        "invocation" => pub invocation: Option<Raw<'a>>,
        /// `log`: a state that could not be saved.
        "state" => pub state: Option<Raw<'a>>,
        /// `init_output`: the code of the text.
        "message_code" => pub message_code: Str<'a>,
        /// `test_file`.
        "test_file" => pub test_file: Option<Box<TestFile<'a>>>,
        /// `test_run`.
        "test_run" => pub test_run: Option<Box<TestRun<'a>>>,
        /// `test_plan`: a plan document.
        "test_plan" => pub test_plan: Option<Raw<'a>>,
        /// `test_state`: a state document.
        "test_state" => pub test_state: Option<Raw<'a>>,
        /// `test_abstract`: the test files to be run, each with the names of its run blocks, or null if it has none.
        "test_abstract" => pub test_abstract: Option<Box<Pairs<'a, Option<Vec<Str<'a>>>>>>,
        /// `test_cleanup`.
        "test_cleanup" => pub test_cleanup: Option<Box<TestCleanup<'a>>>,
        /// `test_interrupt`.
        "test_interrupt" => pub test_interrupt: Option<Box<TestInterrupt<'a>>>,
        /// `test_summary`.
        "test_summary" => pub test_summary: Option<Box<TestSummary<'a>>>,
        /// `list_start`.
        "list_start" => pub list_start: Option<Box<ListMessage<'a>>>,
        /// `list_resource_found`.
        "list_resource_found" => pub list_resource_found: Option<Box<ListMessage<'a>>>,
        /// `list_complete`.
        "list_complete" => pub list_complete: Option<Box<ListMessage<'a>>>,
        /// `policy_info`.
        "policy_info" => pub policy_info: Option<Raw<'a>>,
        /// `policy_diagnostic`.
        "policy_diagnostic" => pub policy_diagnostic: Option<Raw<'a>>,
        /// `policy_result`.
        "policy_result" => pub policy_result: Option<Raw<'a>>,
        /// `policy_query_summary`.
        "policy_query_summary" => pub policy_query_summary: Option<Raw<'a>>,
    }
}

/// The envelope alone, for messages with a malformed payload.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Envelope<'a> {
    #[serde(borrow, rename = "@level")]
    level: Option<Raw<'a>>,
    #[serde(rename = "@message")]
    text: Option<Raw<'a>>,
    #[serde(rename = "@timestamp")]
    timestamp: Option<Raw<'a>>,
    #[serde(rename = "type")]
    message_type: Option<Raw<'a>>,
}

impl<'a> Message<'a> {
    /// Whether it is about an error: its level is `error`, or no level that is known to be less.
    pub fn is_error(&self) -> bool {
        const LESS: [&str; 6] = ["", "trace", "debug", "info", "warn", "warning"];
        !LESS.iter().any(|level| self.level.eq_ignore_ascii_case(level))
    }

    /// Parses the message on a line. `None` if the line is not an object with an `@message` or an
    /// `@level`. If a payload is malformed, only the envelope is read.
    pub fn parse(line: &'a str) -> Option<Self> {
        let mut message = Self::default();
        if read_into(line, &mut message).is_err() {
            message = Self::from_envelope(&from_str(line).ok()?);
        }
        (message.text.is_some() || !message.level.is_empty()).then_some(message)
    }

    fn from_envelope(envelope: &Envelope<'a>) -> Self {
        let text = |raw: Option<Raw<'a>>| raw.and_then(|raw| raw.read::<Str<'a>>().ok());
        Self {
            level: text(envelope.level).unwrap_or_default(),
            text: envelope.text,
            timestamp: text(envelope.timestamp).unwrap_or_default(),
            message_type: text(envelope.message_type).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// The human-readable text (`@message`), or the type of the message if there is none.
    pub fn text(&self) -> Cow<'_, str> {
        let Some(text) = self.text else { return Cow::Borrowed(&self.message_type) };
        // An `@message` that is not a string is shown as JSON.
        text.read::<Str<'a>>().map_or(Cow::Borrowed(text.text()), |text| text.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_of_the_wrong_shape_costs_only_the_payload() {
        for line in [
            r#"{"@level":"error","@message":"a: Creating...","hook":{"resource":{"addr":5}},"type":"apply_start"}"#,
            r#"{"@level":"error","@message":"a: Creating...","hook":[],"type":"apply_start"}"#,
            r#"{"@level":"error","@message":"a: Creating...","hook":{"elapsed_seconds":"9"},"type":"apply_start"}"#,
        ] {
            let message = Message::parse(line).unwrap();
            assert_eq!((&*message.text(), &*message.level), ("a: Creating...", "error"), "{line}");
            assert!(message.hook.is_none(), "{line}");
        }
        let odd = Message::parse(r#"{"@message":{"a":1},"type":7}"#).unwrap();
        assert_eq!(odd.text(), r#"{"a":1}"#);
    }

    #[test]
    fn what_is_no_message() {
        for line in [
            "",
            "{}",
            "[1]",
            "{\"type\":\"request\",\"msg\":\"hello\"}",
            "{\"format_version\":\"1\"}",
            "Acquiring state lock",
            "x {\"@message\":\"m\"}",
            "{\"@message\":",
        ] {
            assert!(Message::parse(line).is_none(), "{line}");
        }
    }

    #[test]
    fn both_meanings_of_action_are_read() {
        let line = r#"{"@message":"m","type":"t","hook":{"action":{"addr":"action.a.b"},"lifecycle":{"resource":{"addr":"r"}}}}"#;
        let hook = Message::parse(line).unwrap().hook.unwrap();
        assert!(
            matches!(hook.action, Some(WordOrAddress::Address(address)) if &*address.addr == "action.a.b")
        );
        let line = r#"{"@message":"m","type":"t","hook":{"action":"create"}}"#;
        let hook = Message::parse(line).unwrap().hook.unwrap();
        assert!(matches!(hook.action, Some(WordOrAddress::Word(word)) if &*word == "create"));
    }
}
