//! The review of one plan: an entry with edits for each change.
//!
//! Entries are in the order of the plan. Nothing is grouped, filtered, sorted or omitted here.

use std::collections::BTreeSet;
use std::sync::Arc;

pub use super::access::AccessChange;
pub use super::invocation::{Invocation, Trigger};
use super::{InputVariable, Problem};
use crate::dialect::Tool;
use crate::diff::edits::{Edit, Path};
use crate::diff::value::MarkedValue;
use crate::json::Value;
use crate::model::Action;
use crate::term::percent_encoded;

/// The review of one plan.
#[derive(Debug, Default)]
pub struct PlanReview<'a> {
    /// The name of the plan: its file.
    pub name: String,
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
    pub invocations: Vec<Invocation<'a>>,
    /// The actions whose invocation is deferred to a later plan.
    pub deferred_invocations: Vec<Invocation<'a>>,
    /// The outputs that change.
    pub outputs: Vec<Output<'a>>,
    /// The results of checks.
    pub checks: Vec<Problem>,
    /// Groups of entries with the same changes.
    pub groups: Vec<Group<'a>>,
    /// Remarks, for example about parts that could not be read.
    pub notes: Vec<String>,
    /// A hash of the planned changes; empty if none was computed.
    pub fingerprint: String,
    /// The resource types for which there is no schema.
    pub inferred: Vec<String>,
}

/// A change of one resource instance object.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The address. If an old plan has none, it is built from its parts.
    pub address: &'a str,
    /// The address before a move; empty if the object does not move.
    pub previous_address: &'a str,
    /// The address of the module; empty for the root module.
    pub module_address: &'a str,
    /// `managed`, `data`, `ephemeral`, or an unknown mode.
    pub mode: &'a str,
    /// The resource type.
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
    /// The changes.
    pub edits: &'a [Edit<'a>],
    /// The number of unchanged scalars (bools, numbers, strings).
    pub unchanged: usize,
    /// The reasons for the change.
    pub reasons: Vec<Reason>,
    /// What a reviewer should notice.
    pub facts: Vec<Fact<'a>>,
    /// The other changes that make this one necessary.
    pub causes: Vec<Cause<'a>>,
    /// The changes to policies and firewall rules, as statements and rules.
    pub access: Vec<AccessChange<'a>>,
    /// The index of its group in [`PlanReview::groups`], if it has one.
    pub group: Option<usize>,
    /// Whether a filter hides it in the text formats.
    pub hidden: bool,
    /// The place of the resource in the configuration, if configuration files were read.
    pub source: Option<SourcePlace>,
    /// Both sides as a whole, if requested by [`ReadOptions::keep_whole`](super::plan::ReadOptions). A
    /// missing side is null.
    pub whole: Option<(MarkedValue<'a>, MarkedValue<'a>)>,
}

impl Entry<'_> {
    /// The word for the change. For an unknown action, the words of the plan.
    pub fn change(&self) -> &str {
        match &self.action {
            Action::NoOp if self.importing.is_some() => "import",
            Action::NoOp if self.is_moved() => "move",
            Action::Delete => "destroy",
            Action::DeleteThenCreate | Action::CreateThenDelete => "replace",
            Action::ForgetThenCreate | Action::CreateThenForget => "replace-forget",
            action @ (Action::NoOp
            | Action::Create
            | Action::Read
            | Action::Update
            | Action::Forget
            | Action::Open
            | Action::Unknown(_)) => action.words(),
        }
    }

    /// The words of the plan for the action.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        self.action.words().split(',').filter(|word| !word.is_empty())
    }

    /// The rank of its facts for sorting. Facts of a found configuration file have the lowest rank, so that
    /// they do not displace others.
    pub fn fact_rank(&self) -> FactRank {
        match self.facts.iter().map(|fact| fact.origin).min() {
            Some(RuleOrigin::BuiltIn | RuleOrigin::Given) => FactRank::Proven,
            Some(RuleOrigin::Found) => FactRank::Found,
            None => FactRank::None,
        }
    }

    /// The kinds of its facts, the most severe first.
    pub fn fact_kinds(&self) -> BTreeSet<FactKind> {
        self.facts.iter().map(|fact| fact.kind).collect()
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceBlock {
    /// The resource block.
    Resource,
    /// The `module` block, because the files of the module are not available.
    Module,
}

impl SourceBlock {
    /// The word in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Module => "module",
        }
    }
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The reason for programs: the plan's `action_reason`, or a word of tfview.
    pub code: String,
    /// The reason in words.
    pub text: String,
}

/// Another change that makes one necessary, proven by references in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause<'a> {
    /// The attribute that changes or becomes unknown.
    pub attribute: &'a str,
    /// The address of the causing change.
    pub address: &'a str,
    /// The attribute of the causing change; empty for the whole object.
    pub source: &'a str,
    /// The known parts of the future value: if it is a policy document, its statements in words.
    pub expected: &'a [&'a str],
}

impl Cause<'_> {
    /// The text `aws_vpc.main.id`.
    pub fn text(&self) -> String {
        match self.source {
            "" => self.address.to_owned(),
            source => format!("{}.{source}", self.address),
        }
    }
}

/// A fact that a reviewer should notice.
#[derive(Clone, Debug)]
pub struct Fact<'a> {
    /// The kind of fact.
    pub kind: FactKind,
    /// The path of the value.
    pub path: Path<'a>,
    /// The fact in words.
    pub text: String,
    /// The origin of the rule.
    pub origin: RuleOrigin,
}

/// The rank of an entry's facts for sorting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactRank {
    /// At least one fact is by a built-in rule, or by a rule in a file that the command line names.
    Proven,
    /// All facts are by rules in a found configuration file.
    Found,
    /// There are no facts.
    None,
}

/// The origin of a rule for facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleOrigin {
    /// The built-in table.
    BuiltIn,
    /// A file that the command line names.
    Given,
    /// A file that was found in the working tree, and may be part of the change under review. Its facts are
    /// in the texts and count for gates, but are not in the JSON, and do not displace others.
    Found,
}

/// The kinds of facts, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FactKind {
    /// An object that holds data is destroyed, replaced or forgotten.
    Data,
    /// Everybody gets access.
    Opens,
    /// A protection is removed or lowered.
    Unguards,
    /// A service is interrupted.
    Down,
    /// An important value becomes unknown.
    Unseen,
}

impl FactKind {
    /// All kinds, the most severe first.
    pub const ALL: [Self; 5] = [Self::Data, Self::Opens, Self::Unguards, Self::Down, Self::Unseen];

    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Opens => "opens",
            Self::Unguards => "unguards",
            Self::Unseen => "unseen",
            Self::Down => "down",
        }
    }
}

/// Entries with the same edits.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The addresses of the entries.
    pub members: Vec<&'a str>,
    /// How equal the entries are.
    pub same: Sameness,
}

/// How equal the members of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sameness {
    /// Their edits are equal.
    Exactly,
    /// Their edits are equal once the instance key of each member is replaced in strings.
    ButForTheKey,
}

impl Sameness {
    /// The word in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exactly => "exactly",
            Self::ButForTheKey => "but for the key",
        }
    }
}

/// The import of an object.
#[derive(Clone, Copy, Debug)]
pub struct Importing<'a> {
    /// The import ID; empty if there is none.
    pub id: &'a str,
    /// Whether the ID is unknown.
    pub unknown: bool,
    /// The resource identity to import by; null if there is none.
    pub identity: Value<'a>,
}

/// A change of an output.
#[derive(Clone, Debug)]
pub struct Output<'a> {
    /// The name of the output.
    pub name: &'a str,
    /// The action.
    pub action: Action,
    /// The changes, with paths from the root of the output's value.
    pub edits: &'a [Edit<'a>],
}

impl Output<'_> {
    /// The word for the change.
    pub fn change(&self) -> &str {
        match &self.action {
            Action::Delete => "destroy",
            action @ (Action::NoOp
            | Action::Create
            | Action::Read
            | Action::Update
            | Action::DeleteThenCreate
            | Action::CreateThenDelete
            | Action::Forget
            | Action::ForgetThenCreate
            | Action::CreateThenForget
            | Action::Open
            | Action::Unknown(_)) => action.words(),
        }
    }
}
