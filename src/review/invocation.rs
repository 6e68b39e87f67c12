//! The invocation of an action, in this plan or a later one.

use super::finding::OwnFindings;
use crate::diff::edits::Edit;

/// The invocation of an action.
#[derive(Clone, Debug)]
pub struct Invocation<'a> {
    /// The address of the action.
    pub address: &'a str,
    /// The action type.
    pub action_type: &'a str,
    /// The change that triggers the action, if one does.
    pub trigger: Option<Trigger<'a>>,
    /// For actions invoked by the command line: the address of the resource that the action belongs to.
    pub caller: &'a str,
    /// For deferred invocations: the plan's reason.
    pub deferred_reason: Option<&'a str>,
    /// The configuration of the action, as one edit from absent to its value.
    pub edits: &'a [Edit<'a>],
    /// The same with all values, for JSON: texts show no credentials unless the user asks for sensitive values.
    pub exact_edits: &'a [Edit<'a>],
    /// Indices in the findings of the plan, the gravest first.
    pub findings: OwnFindings,
}

/// The resource change that triggers an action.
#[derive(Clone, Copy, Debug)]
pub struct Trigger<'a> {
    /// The address of the resource.
    pub address: &'a str,
    /// The event, such as `BeforeCreate` or `AfterUpdate`.
    pub event: &'a str,
}
