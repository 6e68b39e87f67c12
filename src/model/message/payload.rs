//! The payloads of messages that are read as one, by message type. Those about policies are Terraform's.

use serde::Deserialize;

use super::Address;
use crate::json::{Pairs, Raw, Str};
use crate::model::diagnostic::{Range, Snippet};

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

/// `policy_info`: a message from a policy.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyInfo<'a> {
    /// The text of the message.
    #[serde(borrow)]
    pub message: Str<'a>,
    /// The source range in the policy, and its code.
    pub policy_range: Option<Range<'a>>,
    /// The source code of that range.
    pub policy_snippet: Option<Snippet<'a>>,
    /// The source range in the configuration.
    pub range: Option<Range<'a>>,
    /// The source code of that range.
    pub snippet: Option<Snippet<'a>>,
}

/// `policy_result`: the result of a policy for a resource.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyResult<'a> {
    /// The result, such as `AllowResult`.
    #[serde(borrow)]
    pub result: Str<'a>,
    /// The address of the resource.
    pub target_address: Str<'a>,
    /// The address of the policy.
    pub policy_address: Str<'a>,
}

/// `policy_query_summary`: the results of policies for a list block.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyQuerySummary<'a> {
    /// The address of the list block.
    #[serde(borrow)]
    pub list_block_address: Str<'a>,
    /// The result for all objects.
    pub overall_result: Str<'a>,
    /// The result for each object.
    pub results: Vec<PolicyQueryResult<'a>>,
}

/// The result of policies for an object that a query found.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyQueryResult<'a> {
    /// The resource identity of the object.
    #[serde(borrow)]
    pub identity: Option<Raw<'a>>,
    /// The result.
    pub result: Str<'a>,
    /// The policies that were evaluated.
    pub policies: Vec<EvaluatedPolicy<'a>>,
}

/// A policy that was evaluated for an object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct EvaluatedPolicy<'a> {
    /// The policy.
    #[serde(borrow)]
    pub policy_metadata: PolicyMetadata<'a>,
    /// Its diagnostics.
    pub diagnostics: Vec<PolicyDiagnostic<'a>>,
}

/// The name of a policy, and how it is enforced.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyMetadata<'a> {
    /// The name.
    #[serde(borrow)]
    pub policy_name: Str<'a>,
    /// The enforcement level, such as `mandatory`.
    pub enforcement_level: Str<'a>,
}

/// A diagnostic of a policy.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PolicyDiagnostic<'a> {
    /// The problem, on one line.
    #[serde(borrow)]
    pub summary: Str<'a>,
}
