//! The review of one plan: an entry with edits for each change.
//!
//! Entries are in the order of the plan. Nothing is grouped, filtered, sorted or omitted here.

use std::collections::BTreeSet;
use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

pub use super::access::AccessChange;
pub use super::finding::{Finding, FindingKind, Level, OwnFindings, PlanFinding, RuleOrigin};
use super::masks::Masks;
pub use super::renames::Rename;
use super::{ChangeKind, InputVariable, Problem};
use crate::dialect::Tool;
use crate::diff::edits::Edit;
use crate::diff::value::MarkedValue;
use crate::json::Value;
use crate::model::Action;
use crate::model::plan::PlanMode;
use crate::schema::Position;
use crate::term::percent_encoded;
use crate::with::tie::Tied;

/// The review of one plan.
#[derive(Debug, Default)]
pub struct PlanReview<'a> {
    /// The name of the plan: its file.
    pub name: String,
    /// The name of its unit, if it is one of several.
    pub unit: Option<String>,
    /// The tool that wrote the plan, if known.
    pub tool: Option<Tool>,
    /// The version of the tool.
    pub tool_version: &'a str,
    /// The version of the plan's format.
    pub format_version: &'a str,
    /// The time when the plan was created; empty in old plans.
    pub timestamp: &'a str,
    /// The input variables, sorted by name.
    pub variables: Vec<InputVariable<'a>>,
    /// Whether planning stopped with an error.
    pub errored: bool,
    /// Whether applying the plan makes all changes, so that no further plan is needed.
    pub complete: Option<bool>,
    /// Whether the plan can be applied.
    pub applyable: Option<bool>,
    /// The planned changes: all that are not no-ops, or that move or import an object.
    pub resources: Vec<Entry<'a>>,
    /// The objects that changed outside of the tool.
    pub drift: Vec<Entry<'a>>,
    /// The changes that are deferred to a later plan.
    pub deferred: Vec<Entry<'a>>,
    /// The actions to invoke.
    pub invocations: Vec<Entry<'a>>,
    /// The actions whose invocation is deferred to a later plan.
    pub deferred_invocations: Vec<Entry<'a>>,
    /// The outputs that change.
    pub outputs: Vec<Entry<'a>>,
    /// The results of checks.
    pub checks: Vec<Problem>,
    /// Groups of entries with the same changes.
    pub groups: Vec<Group<'a>>,
    /// What looks like a rename.
    pub renames: Vec<Rename<'a>>,
    /// Remarks, for example about parts that could not be read.
    pub notes: Vec<String>,
    /// A hash of the planned changes; empty if none was computed.
    pub fingerprint: String,
    /// The mode of the plan.
    pub mode: PlanMode,
    /// What a reviewer should notice, in rank order; the same finding about several objects once. Those of a found
    /// configuration file are the last.
    pub findings: Vec<PlanFinding<'a>>,
    /// What texts show instead of credentials.
    pub(super) masks: Masks,
    /// How grave the plan is, without findings of a found configuration file.
    pub level: Level,
    /// The resource types for which there is no schema.
    pub inferred: Vec<String>,
    /// The results of other tools.
    pub with: Tied<'a>,
}

/// A change of one resource instance object; or of an output, or the invocation of an action, which have few of these.
#[derive(Clone, Debug, Default)]
pub struct Entry<'a> {
    /// The address; of an output, its name. If an old plan has none, it is built from its parts.
    pub address: &'a str,
    /// The address before a move; empty if the object does not move.
    pub previous_address: &'a str,
    /// The address of the module; empty for the root module.
    pub module_address: &'a str,
    /// `managed`, `data`, `ephemeral`, or an unknown mode.
    pub mode: &'a str,
    /// The resource type, or the type of an action.
    pub resource_type: &'a str,
    /// The name of the resource.
    pub name: &'a str,
    /// The instance key: a number, a string, or null.
    pub index: Value<'a>,
    /// The key of a deposed object; empty for a current object.
    pub deposed: &'a str,
    /// The source address of the provider.
    pub provider_name: &'a str,
    /// The action.
    pub action: Action,
    /// The plan's `action_reason`; empty if there is none.
    pub action_reason: &'a str,
    /// The import, if the object is imported.
    pub importing: Option<Importing<'a>>,
    /// The configuration that the tool generated for the import; empty if there is none.
    pub generated_config: &'a str,
    /// The paths that force the replacement, as in the plan.
    pub replace_paths: Value<'a>,
    /// For drift: whether an edit is below a path in the plan's `relevant_attributes`.
    pub relevant: Option<bool>,
    /// For deferred changes: the plan's reason.
    pub deferred_reason: Option<&'a str>,
    /// For the invocation of an action: the change that triggers it, if one does.
    pub trigger: Option<Trigger<'a>>,
    /// For an action invoked by the command line: the address of the resource that the action belongs to.
    pub caller: &'a str,
    /// The changes. Those of an action are one edit from absent to its configuration.
    pub edits: &'a [Edit<'a>],
    /// The same with all values, for JSON: texts show no credentials unless the user asks for sensitive values.
    pub exact_edits: &'a [Edit<'a>],
    /// What an object is that is replaced, without what changes; empty for others.
    pub replaced_with: &'a str,
    /// The number of unchanged scalars (bools, numbers, strings).
    pub unchanged: usize,
    /// The reasons for the change.
    pub reasons: Vec<Reason>,
    /// What a reviewer should notice: indices in [`PlanReview::findings`], the gravest first.
    pub findings: OwnFindings,
    /// The attributes and blocks that its findings are about.
    pub flagged: Vec<&'a str>,
    /// The kinds of its findings, the most severe first.
    pub finding_kinds: BTreeSet<FindingKind>,
    /// The level of its gravest finding, without those of a found configuration file.
    pub level: Level,
    /// The other changes that make this one necessary.
    pub causes: Vec<Cause<'a>>,
    /// What its configuration gives, if it creates an object or has attributes that become unknown.
    pub given: Vec<Given<'a>>,
    /// The schema of its object.
    pub(super) schema: Position<'a>,
    /// The changes to policies and firewall rules, as statements and rules.
    pub access: Vec<AccessChange<'a>>,
    /// The index of its group in [`PlanReview::groups`], if it has one.
    pub group: Option<usize>,
    /// The group that changes as this entry does, which changes in something else too.
    pub alike: Option<Alike>,
    /// Whether a filter hides it in the text formats.
    pub hidden: bool,
    /// The place of the resource in the configuration, if configuration files were read.
    pub source: Option<SourcePlace>,
    /// Who owns that file: one of each list has to approve.
    pub owners: Vec<Vec<String>>,
    /// Both sides as a whole, if requested by [`ReadOptions::keep_whole`](super::plan::ReadOptions). A
    /// missing side is null.
    pub whole: Option<(MarkedValue<'a>, MarkedValue<'a>)>,
}

impl Entry<'_> {
    /// The word for the change. For an unknown action, the words of the plan.
    pub fn change(&self) -> &str {
        let kind = ChangeKind::from_entry(self);
        let is_new = kind == ChangeKind::Other || matches!(self.action, Action::Open | Action::Unknown(_));
        if is_new { self.action.words() } else { kind.word() }
    }

    /// The words of the plan for the action.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        self.action.words().split(',').filter(|word| !word.is_empty())
    }

    /// Whether the object moves to another address.
    pub fn is_moved(&self) -> bool {
        !self.previous_address.is_empty() && self.previous_address != self.address
    }
}

/// The place of a resource in the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The path of the file, as it is displayed.
    pub file: Arc<str>,
    /// The line number, starting at 1.
    pub line: u64,
    /// The block that starts there.
    pub block: SourceBlock,
    /// The URI of the file.
    pub uri: Arc<str>,
    /// For a resource in a downloaded module: the file and line of the module call in the project's own
    /// configuration.
    pub own: Option<(Arc<str>, u64)>,
}

/// The block at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SourceBlock {
    /// The resource block.
    Resource,
    /// The `module` block, because the files of the module are not available.
    Module,
}

impl SourcePlace {
    /// The text `main.tf:12`.
    pub fn text(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// The URL of the place, if `prefix` is the base URL of the files.
    pub fn url(&self, prefix: &str) -> String {
        format!("{}/{}#L{}", prefix.trim_end_matches('/'), percent_encoded(&self.file), self.line)
    }
}

/// The reason for a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Reason {
    /// The reason for programs: the plan's `action_reason`, or a word of tfview.
    pub code: String,
    /// The reason in words.
    pub text: String,
}

/// Another change that makes one necessary, proven by references in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Cause<'a> {
    /// The attribute that changes or becomes unknown.
    pub attribute: &'a str,
    /// The address of the causing change.
    pub address: &'a str,
    /// The attribute of the causing change; null for the whole object.
    pub source: Option<&'a str>,
    /// The known parts of the future value: if it is a policy document, its statements in words.
    #[serde(skip)]
    pub expected: &'a [&'a str],
}

/// An attribute or block that the configuration of an object gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Given<'a> {
    /// Its name.
    pub attribute: &'a str,
    /// If it is known only after apply, where its value comes from: `aws_vpc.main.id`. Empty if no reference to
    /// another object says so.
    pub sources: &'a [&'a str],
}

impl Cause<'_> {
    /// The text `aws_vpc.main.id`.
    pub fn text(&self) -> String {
        match self.source {
            None => self.address.to_owned(),
            Some(source) => format!("{}.{source}", self.address),
        }
    }
}

/// What an entry has in common with a group to which it does not belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alike {
    /// The index of the group in [`PlanReview::groups`].
    pub group: usize,
    /// The indices of the edits that the members of the group have too.
    pub edits: Vec<usize>,
}

/// Entries with the same edits.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Group<'a> {
    /// The index among the groups of the plan.
    pub id: usize,
    /// The addresses of the entries.
    pub members: Vec<&'a str>,
    /// How equal the entries are.
    pub same: Sameness,
}

/// How equal the members of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub enum Sameness {
    /// Their edits are equal.
    #[serde(rename = "exactly")]
    Exactly,
    /// Their edits are equal once the instance key of each member is replaced in strings.
    #[serde(rename = "but for the key")]
    ButForTheKey,
}

/// The import of an object.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Importing<'a> {
    /// The import ID.
    pub id: Option<&'a str>,
    /// The resource identity to import by; null if there is none.
    #[cfg_attr(test, schemars(with = "Option<std::collections::BTreeMap<String, serde_json::Value>>"))]
    pub identity: Value<'a>,
    /// Whether the ID is known only after apply.
    pub unknown: bool,
}

/// The resource change that triggers an action.
#[derive(Clone, Copy, Debug)]
pub struct Trigger<'a> {
    /// The address of the resource.
    pub address: &'a str,
    /// The event, such as `BeforeCreate` or `AfterUpdate`.
    pub event: &'a str,
}
