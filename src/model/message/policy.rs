//! The payloads of messages about policies (Terraform).

use serde::Deserialize;

use crate::json::{Raw, Str};
use crate::model::diagnostic::{Range, Snippet};

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
