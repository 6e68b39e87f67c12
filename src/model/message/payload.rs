//! The payloads of messages, by message type.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use crate::json::{Pairs, Raw, Str};

model! {
    /// The progress of an operation on a resource, of a provisioner, or of an action.
    pub struct Hook<'a> {
        /// The resource.
        "resource" => pub resource: Option<Address<'a>>,
        /// The operation, or the address of the action.
        "action" => pub action: Option<WordOrAddress<'a>>,
        /// The name of the attribute that identifies the object.
        "id_key" => pub id_key: Str<'a>,
        /// The value of that attribute.
        "id_value" => pub id_value: Str<'a>,
        /// The duration of the operation so far, in seconds.
        "elapsed_seconds" => pub elapsed_seconds: f64,
        /// The provisioner's type.
        "provisioner" => pub provisioner: Str<'a>,
        /// The output of the provisioner.
        "output" => pub output: Str<'a>,
        /// The progress message of an action.
        "message" => pub message: Str<'a>,
        /// The error of a failed action.
        "error" => pub error: Str<'a>,
        /// The resource change that triggers an action.
        "lifecycle" => pub lifecycle: Option<Lifecycle<'a>>,
    }
}

/// `hook.action`: the name of an operation, or the address of an action.
#[derive(Debug)]
pub enum WordOrAddress<'a> {
    /// An operation, such as `create`, `read` or `open`.
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
                Ok(WordOrAddress::Word(Str::from(word.to_owned())))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let address = serde::de::value::MapAccessDeserializer::new(map);
                Address::deserialize(address).map(WordOrAddress::Address)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

model! {
    /// The address of a resource instance or of an action. Only the full address is read; the other members
    /// are parts of it.
    pub struct Address<'a> {
        /// The full address.
        "addr" => pub addr: Str<'a>,
    }
}

/// The resource change that triggers an action.
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
    pub previous_resource: Option<Address<'a>>,
    /// The action, as a word such as `create`, `replace` or `move`.
    pub action: Str<'a>,
    /// The action reason, as a word such as `tainted`.
    pub reason: Str<'a>,
    /// Where the object is imported from.
    pub importing: Option<Raw<'a>>,
}

/// `planned_action_invocation`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PlannedInvocation<'a> {
    /// The action.
    #[serde(borrow)]
    pub action_addr: Address<'a>,
    /// The resource change that triggers it.
    pub lifecycle_trigger: Option<Lifecycle<'a>>,
}

/// `change_summary`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ChangeSummary<'a> {
    /// The number of objects to create, or created.
    pub add: u64,
    /// The number of objects to update in place, or updated.
    pub change: u64,
    /// The number of objects to import, or imported.
    pub import: u64,
    /// The number of objects to destroy, or destroyed.
    pub remove: u64,
    /// The number of objects to forget, or forgotten (OpenTofu).
    pub forget: u64,
    /// The number of actions to invoke, or invoked (Terraform).
    pub action_invocation: u64,
    /// The number of failed actions (Terraform).
    pub action_fail: u64,
    /// `plan`, `apply` or `destroy`.
    #[serde(borrow)]
    pub operation: Str<'a>,
}

/// An output in an `outputs` message: with an action in a plan, with type and value after an apply.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Output<'a> {
    /// Whether the value is sensitive. Anything but `false` counts as `true`.
    #[serde(borrow)]
    pub sensitive: Option<Raw<'a>>,
    /// The planned action.
    pub action: Option<Str<'a>>,
    /// The type of the value, in cty's JSON encoding.
    #[serde(rename = "type")]
    pub kind: Option<Raw<'a>>,
    /// The value. Omitted if it is sensitive, except by older releases.
    pub value: Option<Raw<'a>>,
}

impl Output<'_> {
    /// Whether the value is sensitive.
    pub fn is_sensitive(&self) -> bool {
        self.sensitive.is_some_and(|mark| mark.text() != "false")
    }
}

/// `test_file`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestFile<'a> {
    /// The path of the file.
    #[serde(borrow)]
    pub path: Str<'a>,
    /// `starting`, `teardown` or `complete` (Terraform).
    pub progress: Str<'a>,
    /// `pending`, `skip`, `pass`, `fail` or `error`.
    pub status: Str<'a>,
}

/// `test_run`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestRun<'a> {
    /// The name of the run block.
    #[serde(borrow)]
    pub run: Str<'a>,
    /// `starting`, `running`, `teardown` or `complete` (Terraform).
    pub progress: Str<'a>,
    /// As in [`TestFile`].
    pub status: Str<'a>,
}

impl TestRun<'_> {
    /// Whether the run begins (Terraform).
    pub fn is_start(&self) -> bool {
        &*self.progress == "starting"
    }

    /// Whether the run has ended. OpenTofu reports a run only at its end, Terraform also its progress.
    pub fn is_end(&self) -> bool {
        matches!(&*self.progress, "" | "complete")
    }
}

/// `test_cleanup`: the objects that a test left behind.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestCleanup<'a> {
    /// Objects that could not be destroyed.
    #[serde(borrow)]
    pub failed_resources: Vec<Leftover<'a>>,
    /// Objects that were kept because of `skip_cleanup`.
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
    pub deposed_key: Str<'a>,
}

/// `test_interrupt`: the objects that an interrupted test may have left behind.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestInterrupt<'a> {
    /// Objects of the module under test.
    #[serde(borrow)]
    pub state: Vec<Leftover<'a>>,
    /// Objects of the modules that run blocks load, by module.
    pub states: Pairs<'a, Vec<Leftover<'a>>>,
    /// Addresses of objects that were being created.
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

/// `list_start`, `list_resource_found`, `list_complete`: the start of a query, a result, and the end.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListMessage<'a> {
    /// The address of the list block.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The display name of the object.
    pub display_name: Str<'a>,
    /// The resource identity.
    pub identity: Option<Raw<'a>>,
}
