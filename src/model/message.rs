//! UI messages: the lines that both tools print with `-json`.
//!
//! Source: the machine-readable UI, versions 0.1 to 1.x. Each line is one object with an envelope and a payload that
//! depends on `type`. Every member is optional here: a message whose payload is missing or malformed is still shown
//! by its `@message`.

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

/// Defines a model. A member that occurs twice is an error, and `null` counts as absent.
///
/// What serde derives collects every field in an `Option` first and then moves all of them: with it, `stream` executes
/// 26 % more instructions (167 instead of 133 million for 12,000 messages). It would also refuse a member whose name
/// differs from one of the model in upper and lower case only, which other loggers may write.
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
                        let mut read_fields = 0_u64;
                        while let Some(name) = map.next_key::<$crate::json::Str<'de>>()? {
                            match &*name {
                                $($name => {
                                    let bit = 1_u64 << FieldIndex::$field as u32;
                                    if read_fields & bit != 0 {
                                        return Err(serde::de::Error::duplicate_field($name));
                                    }
                                    read_fields |= bit;
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
    /// Payloads are boxed because messages are moved often and each has few payloads.
    pub struct Message<'a> {
        /// `info`, `warn` or `error`; other loggers have other words. Empty if there is none.
        "@level" => pub level: Str<'a>,
        /// Most messages are shown by their payload, so this is parsed only on request, by [`Message::text`].
        "@message" => pub text: Option<Raw<'a>>,
        /// When it was written, as RFC 3339; empty if it is not known.
        "@timestamp" => pub timestamp: Str<'a>,
        /// `terraform.ui` or `tofu.ui`; other loggers have other names.
        "@module" => pub module: Str<'a>,
        /// Empty if there is none.
        "type" => pub message_type: Str<'a>,
        /// Messages about an operation, such as `apply_start`, and about provisioners and actions.
        "hook" => pub hook: Option<Box<Hook<'a>>>,
        /// `planned_change`, `resource_drift`.
        "change" => pub change: Option<Box<PlannedChange<'a>>>,
        /// The test file that the message belongs to; empty for other messages.
        "@testfile" => pub test_file_name: Str<'a>,
        /// The `run` block that the message belongs to; empty for other messages.
        "@testrun" => pub test_run_name: Str<'a>,
        /// `version`: the version of Terraform.
        "terraform" => pub terraform: Option<Str<'a>>,
        /// `version`: the version of OpenTofu.
        "tofu" => pub tofu: Option<Str<'a>>,
        /// The version of the format.
        "ui" => pub ui: Option<Str<'a>>,
        /// `change_summary`.
        "changes" => pub changes: Option<Box<ChangeSummary<'a>>>,
        /// `outputs`: an object of [`Output`]s by name.
        "outputs" => pub outputs: Option<Raw<'a>>,
        /// `diagnostic`: an error or a warning.
        "diagnostic" => pub diagnostic: Option<Raw<'a>>,
        /// `planned_action_invocation`.
        "invocation" => pub invocation: Option<Raw<'a>>,
        /// `log`: a state that could not be saved.
        "state" => pub state: Option<Raw<'a>>,
        /// `init_output`.
        "message_code" => pub message_code: Str<'a>,
        /// `test_file`: the progress of a test file.
        "test_file" => pub test_file: Option<Box<TestFile<'a>>>,
        /// `test_run`: the progress of a `run` block.
        "test_run" => pub test_run: Option<Box<TestRun<'a>>>,
        /// `test_plan`: the plan of a `run` block, as `show -json` writes it.
        "test_plan" => pub test_plan: Option<Raw<'a>>,
        /// `test_state`: the state after a `run` block, as `show -json` writes it.
        "test_state" => pub test_state: Option<Raw<'a>>,
        /// The test files to be run, each with the names of its run blocks, or null if it has none.
        "test_abstract" => pub test_abstract: Option<Box<Pairs<'a, Option<Vec<Str<'a>>>>>>,
        /// `test_cleanup`: what a test left behind.
        "test_cleanup" => pub test_cleanup: Option<Box<TestCleanup<'a>>>,
        /// `test_interrupt`: what was running when the user interrupted a test.
        "test_interrupt" => pub test_interrupt: Option<Box<TestInterrupt<'a>>>,
        /// `test_summary`: the end of all tests.
        "test_summary" => pub test_summary: Option<Box<TestSummary<'a>>>,
        /// `list_start`: a list block whose query begins.
        "list_start" => pub list_start: Option<Box<ListMessage<'a>>>,
        /// `list_resource_found`: an object that a query found.
        "list_resource_found" => pub list_resource_found: Option<Box<ListMessage<'a>>>,
        /// `list_complete`: a list block whose query has ended.
        "list_complete" => pub list_complete: Option<Box<ListMessage<'a>>>,
        /// `policy_info`: a [`PolicyInfo`].
        "policy_info" => pub policy_info: Option<Raw<'a>>,
        /// `policy_diagnostic`: a diagnostic of a policy.
        "policy_diagnostic" => pub policy_diagnostic: Option<Raw<'a>>,
        /// `policy_result`: a [`PolicyResult`].
        "policy_result" => pub policy_result: Option<Raw<'a>>,
        /// `policy_query_summary`: a [`PolicyQuerySummary`].
        "policy_query_summary" => pub policy_query_summary: Option<Raw<'a>>,
    }
}

/// The members that all messages have, as they are written: any of them may have an unexpected
/// type.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Envelope<'a> {
    /// `info`, `warn` or `error`.
    #[serde(borrow, rename = "@level")]
    level: Option<Raw<'a>>,
    /// The message in words.
    #[serde(rename = "@message")]
    text: Option<Raw<'a>>,
    /// When it was written, as RFC 3339.
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
    /// Returns whether the level is `error`, or not one that is known to be less.
    pub fn is_error(&self) -> bool {
        const LESS: [&str; 6] = ["", "trace", "debug", "info", "warn", "warning"];
        !LESS
            .iter()
            .any(|level| self.level.eq_ignore_ascii_case(level))
    }

    /// Reads a line as a message. Returns `None` if it is not an object with an `@message` or an
    /// `@level`. If a payload is malformed, only the envelope is read.
    pub fn parse(line: &'a str) -> Option<Self> {
        // Made in the place that is returned, because a message is large.
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

    /// The type of the message if there is no `@message`.
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
    /// The payload of messages about an operation on an object.
    pub struct Hook<'a> {
        /// The object; `None` if it is about an action.
        "resource" => pub resource: Option<Address<'a>>,
        /// What is done to the object, or which action is invoked.
        "action" => pub action: Option<WordOrAddress<'a>>,
        /// The name of the attribute that identifies the object, such as `id`; empty if it is not known.
        "id_key" => pub id_key: Str<'a>,
        /// The value of that attribute; empty if it is not known.
        "id_value" => pub id_value: Str<'a>,
        /// For how long the operation has been running, in seconds; 0 at its start.
        "elapsed_seconds" => pub elapsed_seconds: f64,
        /// The type of the provisioner: `local-exec`; empty for other messages.
        "provisioner" => pub provisioner: Str<'a>,
        /// What the provisioner has just printed.
        "output" => pub output: Str<'a>,
        /// What an action reports of its progress.
        "message" => pub message: Str<'a>,
        /// Why an action failed.
        "error" => pub error: Str<'a>,
        /// What triggers the action; `None` if the user asked for it.
        "lifecycle" => pub lifecycle: Option<Lifecycle<'a>>,
    }
}

/// The member `action` of a hook: the operation on an object, or the action that is invoked.
#[derive(Debug)]
pub enum WordOrAddress<'a> {
    /// An operation, such as `create`, `read` or `open`.
    Word(Str<'a>),
    /// An action of a provider.
    Address(Address<'a>),
}

/// Not read as text first, which would take longer: most messages have one.
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
    /// Only the full address of a resource instance or action is read; the other members are parts of it.
    pub struct Address<'a> {
        /// The address: `module.net.aws_vpc.main["a"]`; empty if there is none.
        "addr" => pub addr: Str<'a>,
    }
}

#[cfg(test)]
mod tests;
