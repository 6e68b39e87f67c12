//! What messages hold beside the envelope, by their type.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use crate::json::{Pairs, Raw, Str};

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

/// `list_start`: a query begins.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListStart<'a> {
    /// The list block.
    #[serde(borrow)]
    pub address: Str<'a>,
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

/// `policy_info`: a message from a policy.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyInfo<'a> {
    /// The text of the message.
    #[serde(borrow)]
    pub message: Str<'a>,
}
