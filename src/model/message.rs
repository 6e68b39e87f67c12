//! UI messages: the lines that the tools print with `-json`, of both tools and all versions.
//!
//! Source: the machine-readable UI, versions 0.1 to 1.x. One line is one object; what it holds
//! beside the envelope depends on `type`. Everything is optional here: a message whose payload is
//! missing, or not of the shape that its type has, is still shown by its `@message`. Payloads that
//! most runs never carry are left as [`Raw`] text.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::json::{Pairs, Raw, Str, from_str};

/// Reads members straight into the fields of a model; of equal members the last wins, as in Go.
///
/// For the models that every message has: what serde derives keeps each field apart until all are
/// there, which takes twice as long.
macro_rules! members_of {
    ($model:ident { $($name:literal => $field:ident),+ $(,)? }) => {
        impl<'de: 'a, 'a> Deserialize<'de> for $model<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Members;
                impl<'de> Visitor<'de> for Members {
                    type Value = $model<'de>;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("an object")
                    }
                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                        let mut model = $model::default();
                        while let Some(name) = map.next_key::<Str<'de>>()? {
                            match &*name {
                                $($name => model.$field = map.next_value()?,)+
                                _ => drop(map.next_value::<IgnoredAny>()?),
                            }
                        }
                        Ok(model)
                    }
                }
                deserializer.deserialize_struct(stringify!($model), &[$($name),+], Members)
            }
        }
    };
}

/// One message. Payloads are boxed, because every message is moved about and none has many of them.
#[derive(Debug, Default)]
pub struct Message<'a> {
    /// `info`, `warn` or `error`.
    pub level: Str<'a>,
    /// What the message says, for people. Most messages are shown by their payload, so that this is
    /// not read but on request: [`Message::said`].
    pub text: Option<Raw<'a>>,
    /// When it was said, as RFC 3339 writes it.
    pub timestamp: Str<'a>,
    /// The test file that the message is about.
    pub test_file_name: Str<'a>,
    /// The run block that the message is about.
    pub test_run_name: Str<'a>,
    /// What kind of message this is; some tools' messages have none.
    pub kind: Str<'a>,
    /// `version`: Terraform's version.
    pub terraform: Option<Str<'a>>,
    /// `version`: OpenTofu's version.
    pub tofu: Option<Str<'a>>,
    /// `version`: the version of the format.
    pub ui: Option<Str<'a>>,
    /// What an operation does to a resource, or what an action is up to.
    pub hook: Option<Box<Hook<'a>>>,
    /// `planned_change`, `resource_drift`.
    pub change: Option<Box<PlannedChange<'a>>>,
    /// `change_summary`.
    pub changes: Option<Box<ChangeSummary<'a>>>,
    /// `outputs`.
    pub outputs: Option<Raw<'a>>,
    /// `diagnostic`.
    pub diagnostic: Option<Raw<'a>>,
    /// `planned_action_invocation`.
    pub invocation: Option<Raw<'a>>,
    /// `log`: the state that could not be saved.
    pub state: Option<Raw<'a>>,
    /// `init_output`: which of the texts this is.
    pub message_code: Str<'a>,
    /// `test_file`.
    pub test_file: Option<Box<TestFile<'a>>>,
    /// `test_run`.
    pub test_run: Option<Box<TestRun<'a>>>,
    /// `test_plan`: a plan document.
    pub test_plan: Option<Raw<'a>>,
    /// `test_state`: a state document.
    pub test_state: Option<Raw<'a>>,
    /// `test_cleanup`.
    pub test_cleanup: Option<Box<TestCleanup<'a>>>,
    /// `test_interrupt`.
    pub test_interrupt: Option<Box<TestInterrupt<'a>>>,
    /// `test_summary`.
    pub test_summary: Option<Box<TestSummary<'a>>>,
    /// `list_resource_found`.
    pub list_resource_found: Option<Box<ListResult<'a>>>,
    /// `list_complete`.
    pub list_complete: Option<Box<ListComplete<'a>>>,
    /// `policy_info`.
    pub policy_info: Option<Raw<'a>>,
    /// `policy_diagnostic`.
    pub policy_diagnostic: Option<Raw<'a>>,
    /// `policy_result`.
    pub policy_result: Option<Raw<'a>>,
    /// `policy_query_summary`.
    pub policy_query_summary: Option<Raw<'a>>,
    // What only documents have, not messages: a document on a line of its own is told by it.
    /// The version of a document's format.
    pub format_version: Option<Raw<'a>>,
    /// `validate -json`: whether the configuration is valid.
    pub valid: Option<Raw<'a>>,
}

members_of!(Message {
    "@level" => level,
    "@message" => text,
    "@timestamp" => timestamp,
    "type" => kind,
    "hook" => hook,
    "change" => change,
    "@testfile" => test_file_name,
    "@testrun" => test_run_name,
    "terraform" => terraform,
    "tofu" => tofu,
    "ui" => ui,
    "changes" => changes,
    "outputs" => outputs,
    "diagnostic" => diagnostic,
    "invocation" => invocation,
    "state" => state,
    "message_code" => message_code,
    "test_file" => test_file,
    "test_run" => test_run,
    "test_plan" => test_plan,
    "test_state" => test_state,
    "test_cleanup" => test_cleanup,
    "test_interrupt" => test_interrupt,
    "test_summary" => test_summary,
    "list_resource_found" => list_resource_found,
    "list_complete" => list_complete,
    "policy_info" => policy_info,
    "policy_diagnostic" => policy_diagnostic,
    "policy_result" => policy_result,
    "policy_query_summary" => policy_query_summary,
    "format_version" => format_version,
    "valid" => valid,
});

/// The envelope alone, for messages whose payload is not of the shape that its type has.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Envelope<'a> {
    #[serde(borrow, rename = "@level")]
    level: Option<Raw<'a>>,
    #[serde(borrow, rename = "@message")]
    text: Option<Raw<'a>>,
    #[serde(borrow, rename = "@timestamp")]
    timestamp: Option<Raw<'a>>,
    #[serde(borrow, rename = "type")]
    kind: Option<Raw<'a>>,
}

impl<'a> Message<'a> {
    /// The message on a line, if there is one: an object with an `@message` or a `type`. A payload
    /// of the wrong shape is left out, so that nothing but the envelope remains.
    pub fn of_line(line: &'a str) -> Option<Self> {
        let message = match from_str::<Self>(line) {
            Ok(message) => message,
            Err(_) => Self::of_envelope(&from_str(line).ok()?),
        };
        let is_document = message.format_version.is_some();
        (message.text.is_some() || !message.kind.is_empty() || is_document).then_some(message)
    }

    fn of_envelope(envelope: &Envelope<'a>) -> Self {
        let text = |raw: Option<Raw<'a>>| raw.and_then(|raw| raw.read::<Str<'a>>().ok());
        Self {
            level: text(envelope.level).unwrap_or_default(),
            text: envelope.text,
            timestamp: text(envelope.timestamp).unwrap_or_default(),
            kind: text(envelope.kind).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// What the message says, for people; its type if it says nothing.
    pub fn said(&self) -> Cow<'_, str> {
        let Some(text) = self.text else { return Cow::Borrowed(&self.kind) };
        // An `@message` that is no string is shown as the JSON that it is.
        text.read::<Str<'a>>().map_or(Cow::Borrowed(text.text()), |said| said.0)
    }
}

/// What an operation does to a resource, or what an action is up to.
#[derive(Debug, Default)]
pub struct Hook<'a> {
    /// The resource.
    pub resource: Option<Address<'a>>,
    /// The operation; for actions, the action's address.
    pub action: Option<WordOrAddress<'a>>,
    /// The name of the attribute that identifies the object.
    pub id_key: Str<'a>,
    /// Its value.
    pub id_value: Str<'a>,
    /// How long the operation has taken.
    pub elapsed_seconds: f64,
    /// The provisioner's type.
    pub provisioner: Str<'a>,
    /// What the provisioner printed.
    pub output: Str<'a>,
    /// What an action reports.
    pub message: Str<'a>,
    /// What an action failed with.
    pub error: Str<'a>,
    /// The change of a resource that invokes an action.
    pub lifecycle: Option<Lifecycle<'a>>,
}

members_of!(Hook {
    "resource" => resource,
    "action" => action,
    "id_key" => id_key,
    "id_value" => id_value,
    "elapsed_seconds" => elapsed_seconds,
    "provisioner" => provisioner,
    "output" => output,
    "message" => message,
    "error" => error,
    "lifecycle" => lifecycle,
});

/// Either an operation's name or an action's address: `hook.action` is one or the other.
#[derive(Debug)]
pub enum WordOrAddress<'a> {
    /// An operation: `create`, `read`, `open` and so on.
    Word(Str<'a>),
    /// The address of an action.
    Address(Address<'a>),
}

impl<'de: 'a, 'a> Deserialize<'de> for WordOrAddress<'a> {
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
                Ok(WordOrAddress::Word(Str(word.to_owned().into())))
            }
            fn visit_string<E>(self, word: String) -> Result<Self::Value, E> {
                Ok(WordOrAddress::Word(Str(word.into())))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let address = serde::de::value::MapAccessDeserializer::new(map);
                Address::deserialize(address).map(WordOrAddress::Address)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The address of a resource instance or of an action. Only the whole address is shown; the other
/// parts that the messages give are parts of it.
#[derive(Debug, Default)]
pub struct Address<'a> {
    /// The whole address.
    pub addr: Str<'a>,
}

members_of!(Address { "addr" => addr });

/// The change of a resource that invokes an action.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Lifecycle<'a> {
    /// The resource.
    #[serde(borrow, alias = "triggering_resource")]
    pub resource: Address<'a>,
}

/// `planned_change`, `resource_drift`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PlannedChange<'a> {
    /// The resource.
    #[serde(borrow)]
    pub resource: Address<'a>,
    /// Its address before a move.
    #[serde(borrow)]
    pub previous_resource: Option<Address<'a>>,
    /// What happens, in the stream's words.
    #[serde(borrow)]
    pub action: Str<'a>,
    /// Why, in one word.
    #[serde(borrow)]
    pub reason: Str<'a>,
    /// Where it is imported from.
    #[serde(borrow)]
    pub importing: Option<Raw<'a>>,
}

/// `planned_action_invocation`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PlannedInvocation<'a> {
    /// The action.
    #[serde(borrow)]
    pub action_addr: Address<'a>,
    /// The change of a resource that invokes it.
    #[serde(borrow)]
    pub lifecycle_trigger: Option<Lifecycle<'a>>,
}

/// `change_summary`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ChangeSummary<'a> {
    /// Objects that are created.
    pub add: u64,
    /// Objects that change in place.
    pub change: u64,
    /// Objects that are imported.
    pub import: u64,
    /// Objects that are destroyed.
    pub remove: u64,
    /// Objects that are forgotten (OpenTofu).
    pub forget: u64,
    /// Actions that are invoked (Terraform).
    pub action_invocation: u64,
    /// Actions that failed (Terraform).
    pub action_fail: u64,
    /// `plan`, `apply` or `destroy`.
    #[serde(borrow)]
    pub operation: Str<'a>,
}

/// An output in an `outputs` message: planned with an action, or applied with type and value.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Output<'a> {
    /// The value is a secret. Anything but `false` means that it is.
    #[serde(borrow)]
    pub sensitive: Option<Raw<'a>>,
    /// What will happen to it.
    #[serde(borrow)]
    pub action: Option<Str<'a>>,
    /// The value's type, as cty writes it.
    #[serde(borrow, rename = "type")]
    pub kind: Option<Raw<'a>>,
    /// The value; tools leave it out if it is a secret, older ones did not.
    #[serde(borrow)]
    pub value: Option<Raw<'a>>,
}

impl Output<'_> {
    /// Whether the value may not be shown.
    pub fn is_sensitive(&self) -> bool {
        self.sensitive.is_some_and(|mark| mark.text() != "false")
    }
}

/// `test_file`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestFile<'a> {
    /// The file.
    #[serde(borrow)]
    pub path: Str<'a>,
    /// `starting`, `teardown` or `complete` (Terraform).
    #[serde(borrow)]
    pub progress: Str<'a>,
    /// `pending`, `skip`, `pass`, `fail` or `error`.
    #[serde(borrow)]
    pub status: Str<'a>,
}

/// `test_run`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestRun<'a> {
    /// The run block's name.
    #[serde(borrow)]
    pub run: Str<'a>,
    /// `starting`, `running`, `teardown` or `complete` (Terraform).
    #[serde(borrow)]
    pub progress: Str<'a>,
    /// As in [`TestFile`].
    #[serde(borrow)]
    pub status: Str<'a>,
}

/// `test_cleanup`: what a test left behind.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestCleanup<'a> {
    /// Objects that could not be destroyed.
    #[serde(borrow)]
    pub failed_resources: Vec<Leftover<'a>>,
    /// Objects that `skip_cleanup` left.
    #[serde(borrow)]
    pub skipped_resources: Vec<Leftover<'a>>,
}

/// An object that a test left behind.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Leftover<'a> {
    /// Its address.
    #[serde(borrow)]
    pub instance: Str<'a>,
    /// The key of a deposed object.
    #[serde(borrow)]
    pub deposed_key: Str<'a>,
}

/// `test_interrupt`: what an interrupted test may have left behind.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestInterrupt<'a> {
    /// Objects of the module under test.
    #[serde(borrow)]
    pub state: Vec<Leftover<'a>>,
    /// Objects of the modules of run blocks.
    #[serde(borrow)]
    pub states: Pairs<'a, Vec<Leftover<'a>>>,
    /// Addresses that were being created.
    #[serde(borrow)]
    pub planned: Vec<Str<'a>>,
}

/// `test_summary`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestSummary<'a> {
    /// As in [`TestFile`].
    #[serde(borrow)]
    pub status: Str<'a>,
}

/// `list_resource_found`: a result of a query.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListResult<'a> {
    /// The list block.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The object's name for people.
    #[serde(borrow)]
    pub display_name: Str<'a>,
    /// What identifies it.
    #[serde(borrow)]
    pub identity: Option<Raw<'a>>,
}

/// `list_complete`: a query has ended.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListComplete<'a> {
    /// The list block.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// How many results it had.
    pub total: u64,
}

/// `policy_info`: what a policy tells.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyInfo<'a> {
    /// What it tells.
    #[serde(borrow)]
    pub message: Str<'a>,
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
            let message = Message::of_line(line).unwrap();
            assert_eq!((&*message.said(), &*message.level), ("a: Creating...", "error"), "{line}");
            assert!(message.hook.is_none(), "{line}");
        }
        let odd = Message::of_line(r#"{"@message":{"a":1},"type":7}"#).unwrap();
        assert_eq!(odd.said(), r#"{"a":1}"#);
    }

    #[test]
    fn what_is_no_message() {
        for line in
            ["", "{}", "[1]", "{\"a\":1}", "Acquiring state lock", "x {\"@message\":\"m\"}", "{\"@message\":"]
        {
            assert!(Message::of_line(line).is_none(), "{line}");
        }
    }

    #[test]
    fn both_meanings_of_action_are_read() {
        let line = r#"{"@message":"m","type":"t","hook":{"action":{"addr":"action.a.b"},"lifecycle":{"resource":{"addr":"r"}}}}"#;
        let hook = Message::of_line(line).unwrap().hook.unwrap();
        assert!(
            matches!(hook.action, Some(WordOrAddress::Address(address)) if &*address.addr == "action.a.b")
        );
        let line = r#"{"@message":"m","type":"t","hook":{"action":"create"}}"#;
        let hook = Message::of_line(line).unwrap().hook.unwrap();
        assert!(matches!(hook.action, Some(WordOrAddress::Word(word)) if &*word == "create"));
    }
}
