//! The payloads of messages, by message type. Those about policies occur only in messages of Terraform.
//!
//! ```json
//! {"type": "planned_change", "change": {"resource": {"addr": "aws_vpc.main"}, "action": "create"}}
//! ```
//!
//! Invariant: every member has a default, so that a message of another release can still be read.

use serde::Deserialize;

use super::Address;
use crate::json::{Pairs, Raw, Str};
use crate::model::diagnostic::{Range, Snippet};

/// The trigger of an action by a change of a resource.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Lifecycle<'a> {
    /// The resource instance whose change triggers the action.
    #[serde(borrow, alias = "triggering_resource")]
    pub resource: Address<'a>,
}

/// A change that the tool has planned, or drift.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PlannedChange<'a> {
    /// The address of the object.
    #[serde(borrow)]
    pub resource: Address<'a>,
    /// The address before a move; `None` if the object does not move.
    pub previous_resource: Option<Address<'a>>,
    /// The action as a word, such as `create`, `replace` or `move`.
    pub action: Str<'a>,
    /// The reason of the action as a word, such as `tainted`; may be empty.
    pub reason: Str<'a>,
    /// The import, if the object is imported. Only its presence is used.
    pub importing: Option<Raw<'a>>,
}

/// The planned invocation of an action.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PlannedInvocation<'a> {
    /// The address of the action, such as `action.aws_lambda_invoke.warm`.
    #[serde(borrow)]
    pub action_addr: Address<'a>,
    /// The change that triggers it; `None` if the user invokes it.
    pub lifecycle_trigger: Option<Lifecycle<'a>>,
}

/// The counts at the end of a plan or apply.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ChangeSummary<'a> {
    /// The number of objects that are created, including replacements.
    pub add: u64,
    /// The number of objects that are changed in place.
    pub change: u64,
    /// The number of objects that are imported.
    pub import: u64,
    /// The number of objects that are destroyed, including those that are replaced.
    pub remove: u64,
    /// The number of objects that are removed from state, and not destroyed.
    pub forget: u64,
    /// The number of actions that are invoked.
    pub action_invocation: u64,
    /// The number of actions that failed.
    pub action_fail: u64,
    /// The command: `plan`, `apply` or `destroy`.
    #[serde(borrow)]
    pub operation: Str<'a>,
}

/// An output. It has an action in a plan, and a type and a value after an apply.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Output<'a> {
    /// Whether the output is sensitive, as it is written. Anything but `false` counts as `true`.
    #[serde(borrow)]
    pub sensitive: Option<Raw<'a>>,
    /// The action that is planned for the output; `None` after an apply.
    pub action: Option<Str<'a>>,
    /// The type, in the JSON encoding of cty.
    #[serde(rename = "type")]
    pub kind: Option<Raw<'a>>,
    /// The value. It is missing if it is sensitive, except in older releases.
    pub value: Option<Raw<'a>>,
}

impl Output<'_> {
    /// Whether the value must not be shown.
    pub fn is_sensitive(&self) -> bool {
        self.sensitive.is_some_and(|mark| mark.text() != "false")
    }
}

/// The progress of a test file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestFile<'a> {
    /// The path of the file: `tests/main.tftest.hcl`.
    #[serde(borrow)]
    pub path: Str<'a>,
    /// The progress: `starting`, `teardown` or `complete` (Terraform).
    pub progress: Str<'a>,
    /// The status: `pending`, `skip`, `pass`, `fail` or `error`.
    pub status: Str<'a>,
}

/// The progress of a `run` block of a test file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestRun<'a> {
    /// The name of the block.
    #[serde(borrow)]
    pub run: Str<'a>,
    /// The progress: `starting`, `running`, `teardown` or `complete` (Terraform).
    pub progress: Str<'a>,
    /// The status, as in [`TestFile`].
    pub status: Str<'a>,
}

impl TestRun<'_> {
    /// Whether the message is about the start of the block.
    pub fn is_start(&self) -> bool {
        &*self.progress == "starting"
    }

    /// Whether the message is about the end of the block. OpenTofu reports only that, Terraform also the progress.
    pub fn is_end(&self) -> bool {
        matches!(&*self.progress, "" | "complete")
    }
}

/// The objects that a test did not destroy.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestCleanup<'a> {
    /// The objects whose destruction failed.
    #[serde(borrow)]
    pub failed_resources: Vec<Leftover<'a>>,
    /// The objects that were kept because of `skip_cleanup`.
    pub skipped_resources: Vec<Leftover<'a>>,
}

/// An object that a test left behind.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Leftover<'a> {
    /// The address of the object.
    #[serde(borrow)]
    pub instance: Str<'a>,
    /// The key of a deposed object; otherwise empty.
    pub deposed_key: Str<'a>,
}

/// The objects that existed or were being created when a test was interrupted.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestInterrupt<'a> {
    /// The existing objects of the module under test.
    #[serde(borrow)]
    pub state: Vec<Leftover<'a>>,
    /// The existing objects of other modules, by the `run` block that created them.
    pub states: Pairs<'a, Vec<Leftover<'a>>>,
    /// The addresses of the objects that were being created.
    pub planned: Vec<Str<'a>>,
}

/// The result of all tests.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestSummary<'a> {
    /// The status, as in [`TestFile`].
    #[serde(borrow)]
    pub status: Str<'a>,
}

/// The payload of `list_start`, `list_resource_found` and `list_complete`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListMessage<'a> {
    /// The address of the list block.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The display name of the object that was found; empty in the other messages.
    pub display_name: Str<'a>,
    /// The identity of the object that was found, as an object; `None` in the other messages.
    pub identity: Option<Raw<'a>>,
}

/// A message of a policy, with the lines that it is about.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyInfo<'a> {
    /// The message in words.
    #[serde(borrow)]
    pub message: Str<'a>,
    /// The lines in the policy.
    pub policy_range: Option<Range<'a>>,
    /// The source of these lines.
    pub policy_snippet: Option<Snippet<'a>>,
    /// The lines in the configuration.
    pub range: Option<Range<'a>>,
    /// The source of these lines.
    pub snippet: Option<Snippet<'a>>,
}

/// The result of a policy for one object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyResult<'a> {
    /// The result as a word, such as `AllowResult`.
    #[serde(borrow)]
    pub result: Str<'a>,
    /// The address of the object, such as `aws_instance.web`.
    pub target_address: Str<'a>,
    /// The address of the policy, such as `resource_policy.tags`.
    pub policy_address: Str<'a>,
}

/// The results of policies for the objects of a list block.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyQuerySummary<'a> {
    /// The address of the list block whose objects were checked.
    #[serde(borrow)]
    pub list_block_address: Str<'a>,
    /// The result for all objects together, as a word.
    pub overall_result: Str<'a>,
    /// The results for each object.
    pub results: Vec<PolicyQueryResult<'a>>,
}

/// The results of all policies for one object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyQueryResult<'a> {
    /// The identity of the object, as a JSON object.
    #[serde(borrow)]
    pub identity: Option<Raw<'a>>,
    /// The result of all policies together, as a word.
    pub result: Str<'a>,
    /// The policies that were evaluated, each with its diagnostics.
    pub policies: Vec<EvaluatedPolicy<'a>>,
}

/// A policy that was evaluated for an object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct EvaluatedPolicy<'a> {
    /// The name and the enforcement level of the policy.
    #[serde(borrow)]
    pub policy_metadata: PolicyMetadata<'a>,
    /// The problems of the object; empty if there are none.
    pub diagnostics: Vec<PolicyDiagnostic<'a>>,
}

/// The name of a policy, and how it is enforced.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyMetadata<'a> {
    /// The name, such as `resource_policy.tags`.
    #[serde(borrow)]
    pub policy_name: Str<'a>,
    /// The consequence of a violation, such as `mandatory`.
    pub enforcement_level: Str<'a>,
}

/// A problem that a policy found in an object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyDiagnostic<'a> {
    /// The problem in a few words.
    #[serde(borrow)]
    pub summary: Str<'a>,
}
