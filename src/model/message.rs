//! The messages of the machine-readable UI: the lines that both tools print with `-json`.
//!
//! Source: the machine-readable UI, versions 0.1 to 1.x. Each line is one object with an envelope and a payload that
//! depends on `type`. Invariant: every member is optional here, because a message with a missing or malformed payload
//! is still shown by its `@message`.

mod payload;

use std::borrow::Cow;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::json::{Pairs, Raw, Str, from_str, read_into};

pub use payload::{
    ChangeSummary, EvaluatedPolicy, Leftover, Lifecycle, ListMessage, Output, PlannedChange,
    PlannedInvocation, PolicyDiagnostic, PolicyInfo, PolicyMetadata, PolicyQueryResult,
    PolicyQuerySummary, PolicyResult, TestCleanup, TestFile, TestInterrupt, TestRun, TestSummary,
};

/// Defines a model with its deserialization. A member that occurs twice is an error, and `null` counts as absent.
///
/// The code that serde derives first collects every field in an `Option`, and then moves all of them: with it, `stream`
/// executes 26 % more instructions (167 instead of 133 million for 12,000 messages). It would also reject a member
/// whose name differs from one of the model only in uppercase and lowercase, which other loggers may write.
macro_rules! model {
    ($(#[$about:meta])* pub struct $model:ident<'a> {
        $($(#[$field_about:meta])* $name:literal => pub $field:ident: $type:ty,)+
    }) => {
        $(#[$about])*
        #[derive(Debug, Default)]
        pub struct $model<'a> {
            $($(#[$field_about])* pub $field: $type,)+
        }

        impl<'de: 'a, 'a> serde::Deserialize<'de> for $model<'a> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut model = Self::default();
                Self::deserialize_in_place(deserializer, &mut model)?;
                Ok(model)
            }

            fn deserialize_in_place<D: serde::Deserializer<'de>>(
                deserializer: D,
                place: &mut Self,
            ) -> Result<(), D::Error> {
                struct Members<'m, 'a>(&'m mut $model<'a>);
                impl<'de: 'a, 'a> serde::de::Visitor<'de> for Members<'_, 'a> {
                    type Value = ();
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
                        #[allow(non_camel_case_types, reason = "the names of fields")]
                        enum FieldIndex { $($field),+ }
                        let Self(model) = self;
                        let mut seen = 0_u64;
                        while let Some(name) = map.next_key::<$crate::json::Str<'de>>()? {
                            match &*name {
                                $($name => {
                                    let bit = 1_u64 << FieldIndex::$field as u32;
                                    if seen & bit != 0 {
                                        return Err(serde::de::Error::duplicate_field($name));
                                    }
                                    seen |= bit;
                                    model.$field = map.next_value::<Option<_>>()?.unwrap_or_default();
                                })+
                                _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
                            }
                        }
                        Ok(())
                    }
                }
                deserializer.deserialize_map(Members(place))
            }
        }
    };
}

model! {
    /// A message: the members of its envelope, and those of all payloads. Payloads are boxed, because messages are
    /// moved often and each has few payloads.
    pub struct Message<'a> {
        /// The level: `info`, `warn` or `error`; other loggers use other words. Empty if there is none.
        "@level" => pub level: Str<'a>,
        /// The text, unparsed. Most messages are shown by their payload, so it is parsed only on request, by
        /// [`Message::text`].
        "@message" => pub text: Option<Raw<'a>>,
        /// The time when it was written, as RFC 3339; empty if it is not known.
        "@timestamp" => pub timestamp: Str<'a>,
        /// The part of the tool that wrote it: `terraform.ui` or `tofu.ui`; other loggers have other names.
        "@module" => pub module: Str<'a>,
        /// The type, which names the payload; empty if there is none.
        "type" => pub message_type: Str<'a>,
        /// The payload of messages about an operation, such as `apply_start`, and about provisioners and actions.
        "hook" => pub hook: Option<Box<Hook<'a>>>,
        /// The payload of `planned_change` and `resource_drift`.
        "change" => pub change: Option<Box<PlannedChange<'a>>>,
        /// The test file that the message belongs to; empty for other messages.
        "@testfile" => pub test_file_name: Str<'a>,
        /// The `run` block that the message belongs to; empty for other messages.
        "@testrun" => pub test_run_name: Str<'a>,
        /// The version of Terraform, in a `version` message.
        "terraform" => pub terraform: Option<Str<'a>>,
        /// The version of OpenTofu, in a `version` message.
        "tofu" => pub tofu: Option<Str<'a>>,
        /// The version of the message format, in a `version` message.
        "ui" => pub ui: Option<Str<'a>>,
        /// The payload of `change_summary`.
        "changes" => pub changes: Option<Box<ChangeSummary<'a>>>,
        /// The payload of `outputs`: an object of [`Output`]s by name.
        "outputs" => pub outputs: Option<Raw<'a>>,
        /// The payload of `diagnostic`: an error or a warning.
        "diagnostic" => pub diagnostic: Option<Raw<'a>>,
        /// The payload of `planned_action_invocation`.
        "invocation" => pub invocation: Option<Raw<'a>>,
        /// The state that could not be saved, in a `log` message.
        "state" => pub state: Option<Raw<'a>>,
        /// The code of the text, in an `init_output` message.
        "message_code" => pub message_code: Str<'a>,
        /// The payload of `test_file`: the progress of a test file.
        "test_file" => pub test_file: Option<Box<TestFile<'a>>>,
        /// The payload of `test_run`: the progress of a `run` block.
        "test_run" => pub test_run: Option<Box<TestRun<'a>>>,
        /// The payload of `test_plan`: the plan of a `run` block, as `show -json` writes it.
        "test_plan" => pub test_plan: Option<Raw<'a>>,
        /// The payload of `test_state`: the state after a `run` block, as `show -json` writes it.
        "test_state" => pub test_state: Option<Raw<'a>>,
        /// The payload of `test_abstract`: the test files that will be run, each with the names of its `run` blocks, or
        /// null without any.
        "test_abstract" => pub test_abstract: Option<Box<Pairs<'a, Option<Vec<Str<'a>>>>>>,
        /// The payload of `test_cleanup`: the objects that a test left behind.
        "test_cleanup" => pub test_cleanup: Option<Box<TestCleanup<'a>>>,
        /// The payload of `test_interrupt`: the objects that existed or were being created when the user interrupted a
        /// test.
        "test_interrupt" => pub test_interrupt: Option<Box<TestInterrupt<'a>>>,
        /// The payload of `test_summary`: the end of all tests.
        "test_summary" => pub test_summary: Option<Box<TestSummary<'a>>>,
        /// The payload of `list_start`: a list block whose query begins.
        "list_start" => pub list_start: Option<Box<ListMessage<'a>>>,
        /// The payload of `list_resource_found`: an object that a query found.
        "list_resource_found" => pub list_resource_found: Option<Box<ListMessage<'a>>>,
        /// The payload of `list_complete`: a list block whose query has ended.
        "list_complete" => pub list_complete: Option<Box<ListMessage<'a>>>,
        /// The payload of `policy_info`: a [`PolicyInfo`].
        "policy_info" => pub policy_info: Option<Raw<'a>>,
        /// The payload of `policy_diagnostic`: a diagnostic of a policy.
        "policy_diagnostic" => pub policy_diagnostic: Option<Raw<'a>>,
        /// The payload of `policy_result`: a [`PolicyResult`].
        "policy_result" => pub policy_result: Option<Raw<'a>>,
        /// The payload of `policy_query_summary`: a [`PolicyQuerySummary`].
        "policy_query_summary" => pub policy_query_summary: Option<Raw<'a>>,
    }
}

/// The members that all messages have, unparsed, because any of them may have an unexpected type.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Envelope<'a> {
    /// `info`, `warn` or `error`.
    #[serde(borrow, rename = "@level")]
    level: Option<Raw<'a>>,
    /// The message in words.
    #[serde(rename = "@message")]
    text: Option<Raw<'a>>,
    /// The time when it was written, as RFC 3339.
    #[serde(rename = "@timestamp")]
    timestamp: Option<Raw<'a>>,
    /// The part of the tool that wrote it, such as `terraform.ui`.
    #[serde(rename = "@module")]
    module: Option<Raw<'a>>,
    /// The type, which names the payload.
    #[serde(rename = "type")]
    message_type: Option<Raw<'a>>,
}

impl<'a> Message<'a> {
    /// Whether the level is `error`, or one that is not known to be less grave.
    pub fn is_error(&self) -> bool {
        /// The levels that are less grave than an error, with the names that other loggers use.
        const LESS: [&str; 6] = ["", "trace", "debug", "info", "warn", "warning"];
        !LESS
            .iter()
            .any(|level| self.level.eq_ignore_ascii_case(level))
    }

    /// Reads a line as a message. `None` if it is not an object with an `@message` or an `@level`. If a payload is
    /// malformed, only the envelope is read.
    pub fn parse(line: &'a str) -> Option<Self> {
        // The message is created in the place that is returned, because it is large.
        let mut parsed = Some(Self::default());
        if let Some(message) = &mut parsed {
            let is_read = read_into(line, message).is_ok()
                || from_str(line).is_ok_and(|envelope| {
                    *message = Self::from_envelope(&envelope);
                    true
                });
            if !is_read || message.text.is_none() && message.level.is_empty() {
                parsed = None;
            }
        }
        parsed
    }

    /// Creates a message without a payload. Members of an unexpected type count as missing.
    fn from_envelope(envelope: &Envelope<'a>) -> Self {
        let text = |raw: Option<Raw<'a>>| raw.and_then(|raw| raw.read::<Str<'a>>().ok());
        Self {
            level: text(envelope.level).unwrap_or_default(),
            text: envelope.text,
            timestamp: text(envelope.timestamp).unwrap_or_default(),
            module: text(envelope.module).unwrap_or_default(),
            message_type: text(envelope.message_type).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Returns the `@message`; the type of the message if there is none.
    pub fn text(&self) -> Cow<'_, str> {
        let Some(text) = self.text else {
            return Cow::Borrowed(&self.message_type);
        };
        // An `@message` that is not a string is shown as JSON.
        text.read::<Str<'a>>()
            .map_or(Cow::Borrowed(text.text()), |text| text.0)
    }
}

model! {
    /// The payload of messages about an operation on an object, a provisioner or an action.
    pub struct Hook<'a> {
        /// The address of the object; `None` for an action.
        "resource" => pub resource: Option<Address<'a>>,
        /// The operation on the object, or the address of the action.
        "action" => pub action: Option<WordOrAddress<'a>>,
        /// The name of the attribute that identifies the object, such as `id`; empty if it is not known.
        "id_key" => pub id_key: Str<'a>,
        /// The value of that attribute; empty if it is not known.
        "id_value" => pub id_value: Str<'a>,
        /// The duration of the operation so far, in seconds; 0 at its start.
        "elapsed_seconds" => pub elapsed_seconds: f64,
        /// The type of the provisioner, such as `local-exec`; empty for other messages.
        "provisioner" => pub provisioner: Str<'a>,
        /// The text that the provisioner has just printed.
        "output" => pub output: Str<'a>,
        /// The report of an action about its progress.
        "message" => pub message: Str<'a>,
        /// The reason why an action failed.
        "error" => pub error: Str<'a>,
        /// The change that triggers the action; `None` if the user invoked it.
        "lifecycle" => pub lifecycle: Option<Lifecycle<'a>>,
    }
}

/// The member `action` of a hook: an operation on an object, or the address of an action.
#[derive(Debug)]
pub enum WordOrAddress<'a> {
    /// An operation, such as `create`, `read` or `open`.
    Word(Str<'a>),
    /// An action of a provider.
    Address(Address<'a>),
}

/// The value is not read as text first, because that would take longer, and most messages have one.
impl<'de: 'a, 'a> Deserialize<'de> for WordOrAddress<'a> {
    /// Reads a string as a word, and an object as an address.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = WordOrAddress<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word or an address")
            }
            fn visit_borrowed_str<E>(self, word: &'de str) -> Result<Self::Value, E> {
                Ok(WordOrAddress::Word(Str::from(word)))
            }
            fn visit_str<E>(self, word: &str) -> Result<Self::Value, E> {
                Ok(WordOrAddress::Word(Str::from(word.to_owned())))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Address::deserialize(MapAccessDeserializer::new(map)).map(WordOrAddress::Address)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

model! {
    /// The address of a resource instance or action. The other members are parts of the address, and are not read.
    pub struct Address<'a> {
        /// The address, such as `module.net.aws_vpc.main["a"]`; empty if there is none.
        "addr" => pub addr: Str<'a>,
    }
}

#[cfg(test)]
mod tests;
