//! The payloads of messages, by message type. Those about policies are Terraform's.
//!
//! ```json
//! {"type": "planned_change", "change": {"resource": {"addr": "aws_vpc.main"}, "action": "create"}}
//! ```
//!
//! Invariant: every member has a default, so that a message of another release is still read.

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

/// A change that a plan found, or drift.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PlannedChange<'a> {
    /// The object that changes.
    #[serde(borrow)]
    pub resource: Address<'a>,
    /// The address before a move.
    pub previous_resource: Option<Address<'a>>,
    /// A word such as `create`, `replace` or `move`.
    pub action: Str<'a>,
    /// A word such as `tainted`.
    pub reason: Str<'a>,
    /// The import, if the object is imported. Only its presence matters.
    pub importing: Option<Raw<'a>>,
}

/// An action that the plan invokes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PlannedInvocation<'a> {
    /// The action: `action.aws_lambda_invoke.warm`.
    #[serde(borrow)]
    pub action_addr: Address<'a>,
    /// What triggers it; `None` if the user asked for it.
    pub lifecycle_trigger: Option<Lifecycle<'a>>,
}

/// The numbers at the end of a plan or apply.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ChangeSummary<'a> {
    /// Objects that are created, also as replacements.
    pub add: u64,
    /// Objects that change in place.
    pub change: u64,
    /// Objects that are imported.
    pub import: u64,
    /// Objects that are destroyed, also to be replaced.
    pub remove: u64,
    /// Objects that are removed from the state, and stay.
    pub forget: u64,
    /// Actions that are invoked.
    pub action_invocation: u64,
    /// Actions that failed.
    pub action_fail: u64,
    /// `plan`, `apply` or `destroy`.
    #[serde(borrow)]
    pub operation: Str<'a>,
}

/// It has an action in a plan, and type and value after an apply.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Output<'a> {
    /// Anything but `false` counts as `true`.
    #[serde(borrow)]
    pub sensitive: Option<Raw<'a>>,
    /// What a plan does with it; `None` after an apply.
    pub action: Option<Str<'a>>,
    /// In cty's JSON encoding.
    #[serde(rename = "type")]
    pub kind: Option<Raw<'a>>,
    /// Omitted if it is sensitive, except by older releases.
    pub value: Option<Raw<'a>>,
}

impl Output<'_> {
    /// Whether its value must not be shown.
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
    /// `starting`, `teardown` or `complete` (Terraform).
    pub progress: Str<'a>,
    /// `pending`, `skip`, `pass`, `fail` or `error`.
    pub status: Str<'a>,
}

/// A `run` block of a test file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestRun<'a> {
    /// The name of the block.
    #[serde(borrow)]
    pub run: Str<'a>,
    /// `starting`, `running`, `teardown` or `complete` (Terraform).
    pub progress: Str<'a>,
    /// As in [`TestFile`].
    pub status: Str<'a>,
}

impl TestRun<'_> {
    /// Whether the run begins.
    pub fn is_start(&self) -> bool {
        &*self.progress == "starting"
    }

    /// OpenTofu reports a run only at its end, Terraform also its progress.
    pub fn is_end(&self) -> bool {
        matches!(&*self.progress, "" | "complete")
    }
}

/// The objects that a test could not destroy.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestCleanup<'a> {
    /// Objects whose destruction failed.
    #[serde(borrow)]
    pub failed_resources: Vec<Leftover<'a>>,
    /// Objects that are left because of `skip_cleanup`.
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

/// What was running when a test was interrupted.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestInterrupt<'a> {
    /// Objects of the module under test that exist.
    #[serde(borrow)]
    pub state: Vec<Leftover<'a>>,
    /// Objects of other modules that exist, by the `run` block that created them.
    pub states: Pairs<'a, Vec<Leftover<'a>>>,
    /// The addresses of the objects that were being created.
    pub planned: Vec<Str<'a>>,
}

/// The numbers at the end of all tests.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestSummary<'a> {
    /// As in [`TestFile`].
    #[serde(borrow)]
    pub status: Str<'a>,
}

/// `list_start`, `list_resource_found`, `list_complete`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListMessage<'a> {
    /// The address of the list block.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The name of the object that was found, in words; empty for other messages.
    pub display_name: Str<'a>,
    /// The identity of the object that was found, as an object; `None` for other messages.
    pub identity: Option<Raw<'a>>,
}

/// What a policy says, and about which lines.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyInfo<'a> {
    /// The message in words.
    #[serde(borrow)]
    pub message: Str<'a>,
    /// The lines of the policy.
    pub policy_range: Option<Range<'a>>,
    /// The source of these lines.
    pub policy_snippet: Option<Snippet<'a>>,
    /// The lines of the configuration.
    pub range: Option<Range<'a>>,
    /// The source of these lines.
    pub snippet: Option<Snippet<'a>>,
}

/// The result of a policy for one object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyResult<'a> {
    /// Such as `AllowResult`.
    #[serde(borrow)]
    pub result: Str<'a>,
    /// The address of the object: `aws_instance.web`.
    pub target_address: Str<'a>,
    /// The address of the policy: `resource_policy.tags`.
    pub policy_address: Str<'a>,
}

/// The numbers of results of policies.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyQuerySummary<'a> {
    /// The address of the list block whose objects were checked.
    #[serde(borrow)]
    pub list_block_address: Str<'a>,
    /// The result for all objects together, as a word.
    pub overall_result: Str<'a>,
    /// The results by object.
    pub results: Vec<PolicyQueryResult<'a>>,
}

/// The results of all policies about one object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyQueryResult<'a> {
    /// The identity of the object, as an object.
    #[serde(borrow)]
    pub identity: Option<Raw<'a>>,
    /// The result of all policies together, as a word.
    pub result: Str<'a>,
    /// The policies that were evaluated, each with its own diagnostics.
    pub policies: Vec<EvaluatedPolicy<'a>>,
}

/// A policy that was evaluated.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct EvaluatedPolicy<'a> {
    /// Which policy it is.
    #[serde(borrow)]
    pub policy_metadata: PolicyMetadata<'a>,
    /// What is wrong with the object; empty if nothing is.
    pub diagnostics: Vec<PolicyDiagnostic<'a>>,
}

/// What a policy says about itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyMetadata<'a> {
    /// The name of the policy: `resource_policy.tags`.
    #[serde(borrow)]
    pub policy_name: Str<'a>,
    /// What follows if an object violates it, such as `mandatory`.
    pub enforcement_level: Str<'a>,
}

/// An error in a policy.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyDiagnostic<'a> {
    /// The error in a few words.
    #[serde(borrow)]
    pub summary: Str<'a>,
}
