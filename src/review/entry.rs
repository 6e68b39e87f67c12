//! What a review of one plan holds: an entry for each change, with its edits.
//!
//! Nothing is grouped, filtered, sorted or left out here: entries are in the order of the plan.

use std::collections::BTreeSet;
use std::sync::Arc;

pub use super::access::AccessChange;
use super::edit::{Edit, Path};
use super::{InputVariable, Problem};
use crate::dialect::Tool;
use crate::diff::value::MarkedValue;
use crate::json::Value;
use crate::model::Action;
use crate::term::percent_encoded;

/// The review of one plan.
#[derive(Debug, Default)]
pub struct PlanReview<'a> {
    /// What the plan is called: its file.
    pub name: String,
    /// The tool that wrote the plan, if it can be told.
    pub tool: Option<Tool>,
    /// The version of the tool.
    pub tool_version: &'a str,
    /// The version of the plan's format.
    pub format_version: &'a str,
    /// When the plan was made; empty in old plans.
    pub timestamp: &'a str,
    /// The input variables, by name.
    pub variables: Vec<InputVariable<'a>>,
    /// Planning stopped with an error.
    pub errored: bool,
    /// Applying settles everything.
    pub complete: Option<bool>,
    /// The plan can be applied.
    pub applyable: Option<bool>,
    /// What will be done: every change that is not a no-op, or that moves or imports an object.
    pub resources: Vec<Entry<'a>>,
    /// What changed outside of the tool.
    pub drift: Vec<Entry<'a>>,
    /// What is put off to a later plan.
    pub deferred: Vec<Entry<'a>>,
    /// The actions that are invoked.
    pub invocations: Vec<Invocation<'a>>,
    /// The outputs that change.
    pub outputs: Vec<Output<'a>>,
    /// What checks report.
    pub checks: Vec<Problem>,
    /// Entries whose changes are the same, for a reader's eye.
    pub groups: Vec<Group<'a>>,
    /// What could not be read.
    pub notes: Vec<String>,
    /// A hash of what the plan does, if one was made.
    pub fingerprint: String,
    /// Resource types that no schema at hand has.
    pub inferred: Vec<String>,
}

/// One change of a resource instance object.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The address; built from its parts where an old plan has none.
    pub address: &'a str,
    /// The address before a move; empty if it does not move.
    pub previous_address: &'a str,
    /// The module's address; empty for the root module.
    pub module_address: &'a str,
    /// `managed`, `data` or `ephemeral`, or what a newer plan says.
    pub mode: &'a str,
    /// The resource type.
    pub resource_type: &'a str,
    /// The resource's name.
    pub name: &'a str,
    /// The instance key: a number, a string, or null.
    pub index: Value<'a>,
    /// The key of a deposed object; empty for the current one.
    pub deposed: &'a str,
    /// The provider's source address.
    pub provider_name: &'a str,
    /// What happens.
    pub action: Action,
    /// Why, in the plan's word; empty if it gives none.
    pub action_reason: &'a str,
    /// Where the object is imported from.
    pub importing: Option<Importing<'a>>,
    /// The configuration that the tool generates for the import; empty if none.
    pub generated_config: &'a str,
    /// The paths that force the replacement, as the plan has them.
    pub replace_paths: Value<'a>,
    /// Drift only: whether an edit is below what `relevant_attributes` names.
    pub relevant: Option<bool>,
    /// Deferred only: why, in the plan's word.
    pub deferred_reason: Option<&'a str>,
    /// What changes.
    pub edits: &'a [Edit<'a>],
    /// How many values (bools, numbers, strings) are on both sides and do not change.
    pub unchanged: usize,
    /// Why it happens.
    pub reasons: Vec<Reason>,
    /// What deserves a look.
    pub facts: Vec<Fact<'a>>,
    /// Which other changes make it necessary.
    pub causes: Vec<Cause<'a>>,
    /// Policies and firewall rules among its edits, as people read them.
    pub access: Vec<AccessChange<'a>>,
    /// Which of [`PlanReview::groups`] it is in, if it is in one.
    pub group: Option<usize>,
    /// A filter hides it in the text formats.
    pub hidden: bool,
    /// Where it is written, if configuration files were read.
    pub source: Option<SourcePlace>,
    /// Both sides as a whole, if [`ReadOptions::keep_whole`](super::plan::ReadOptions) asks for it; null for none.
    pub whole: Option<(MarkedValue<'a>, MarkedValue<'a>)>,
}

impl Entry<'_> {
    /// What happens, in a word: the plan's own where it is one that tfview does not know.
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

    /// The plan's words for the action.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        self.action.words().split(',').filter(|word| !word.is_empty())
    }

    /// What its facts count for in an order: those of the built-in table or of a file that the command line names most,
    /// those of a file that was found least, so that they push out nothing.
    pub fn fact_rank(&self) -> FactRank {
        match self.facts.iter().map(|fact| fact.origin).min() {
            Some(RuleOrigin::BuiltIn | RuleOrigin::Given) => FactRank::Proven,
            Some(RuleOrigin::Found) => FactRank::Found,
            None => FactRank::None,
        }
    }

    /// The kinds of its facts, the gravest first.
    pub fn fact_kinds(&self) -> BTreeSet<FactKind> {
        self.facts.iter().map(|fact| fact.kind).collect()
    }

    /// Whether the object gets another address.
    pub fn is_moved(&self) -> bool {
        !self.previous_address.is_empty() && self.previous_address != self.address
    }
}

/// Where a resource is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file, as it is to be named.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u64,
    /// What begins there.
    pub block: SourceBlock,
    /// The URI of the file.
    pub uri: Arc<str>,
    /// The file and line that the project itself has: for a resource of a downloaded module, those of the call that
    /// leads to it.
    pub own: Option<(Arc<str>, u64)>,
}

/// The kind of block that a place is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceBlock {
    /// The resource's own.
    Resource,
    /// The call of the module that has it: the module's files are not at hand.
    Module,
}

impl SourceBlock {
    /// The word of the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Module => "module",
        }
    }
}

impl SourcePlace {
    /// `main.tf:12`
    pub fn text(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// The URL, if the URLs of files begin with `prefix`.
    pub fn url(&self, prefix: &str) -> String {
        format!("{}/{}#L{}", prefix.trim_end_matches('/'), percent_encoded(&self.file), self.line)
    }
}

/// Why something happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// A word for programs: the plan's `action_reason`, or one of tfview's own.
    pub code: String,
    /// The reason in words.
    pub text: String,
}

/// Another change that makes one necessary, as the configuration's references prove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause<'a> {
    /// The attribute that it changes, or makes unknown.
    pub attribute: &'a str,
    /// The address of the change that causes it.
    pub address: &'a str,
    /// The attribute there; empty for the whole object.
    pub source: &'a str,
    /// What is known already of the document that the value will be: its statements in words.
    pub expected: &'a [&'a str],
}

impl Cause<'_> {
    /// `aws_vpc.main.id`
    pub fn text(&self) -> String {
        match self.source {
            "" => self.address.to_owned(),
            source => format!("{}.{source}", self.address),
        }
    }
}

/// Something that deserves a look.
#[derive(Clone, Debug)]
pub struct Fact<'a> {
    /// What kind of thing it is.
    pub kind: FactKind,
    /// The value that it is about.
    pub path: Path<'a>,
    /// The fact in words.
    pub text: String,
    /// Where the rule comes from that found it.
    pub origin: RuleOrigin,
}

/// What the facts of an entry count for in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactRank {
    /// There are facts of the built-in table, or of a file that the command line names.
    Proven,
    /// There are only facts of a file that was found.
    Found,
    /// There are none.
    None,
}

/// Where a rule of facts comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleOrigin {
    /// The built-in table.
    BuiltIn,
    /// A file that the command line names.
    Given,
    /// A file that was found in the working tree, and may be part of the change under review: its facts are in the
    /// texts and count for gates, but are not in the JSON, and push out no others.
    Found,
}

/// The kinds of facts, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FactKind {
    /// An object that holds data is destroyed, replaced or forgotten.
    Data,
    /// The world, or everybody, gets access.
    Opens,
    /// A protection is removed or lowered.
    Unguards,
    /// Something that serves stops for a while.
    Down,
    /// Something of weight is known only after apply.
    Unseen,
}

impl FactKind {
    /// All kinds, the gravest first.
    pub const ALL: [Self; 5] = [Self::Data, Self::Opens, Self::Unguards, Self::Down, Self::Unseen];

    /// The kind's name in the JSON.
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
    /// Their addresses.
    pub members: Vec<&'a str>,
    /// How far they are the same.
    pub same: Sameness,
}

/// How far the members of a group are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sameness {
    /// Their edits are equal.
    Exactly,
    /// Their edits are equal when each member's instance key, inside of strings, is replaced.
    ButForTheKey,
}

impl Sameness {
    /// The words of the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exactly => "exactly",
            Self::ButForTheKey => "but for the key",
        }
    }
}

/// Where an object is imported from.
#[derive(Clone, Copy, Debug)]
pub struct Importing<'a> {
    /// The import ID; empty if there is none.
    pub id: &'a str,
    /// The ID is known only after apply.
    pub unknown: bool,
    /// The identity that is imported; null if there is none.
    pub identity: Value<'a>,
}

/// A change of an output.
#[derive(Clone, Debug)]
pub struct Output<'a> {
    /// The output's name.
    pub name: &'a str,
    /// What happens.
    pub action: Action,
    /// What changes, with paths from the output's value.
    pub edits: &'a [Edit<'a>],
}

impl Output<'_> {
    /// What happens, in a word.
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

/// An action that is invoked.
#[derive(Clone, Debug)]
pub struct Invocation<'a> {
    /// The action's address.
    pub address: &'a str,
    /// The action type.
    pub action_type: &'a str,
    /// The change of a resource that invokes the action, if one does.
    pub trigger: Option<Trigger<'a>>,
    /// For an invocation by the command line: the resource that the action is called from.
    pub caller: &'a str,
    /// Its configuration, from absent to its whole value.
    pub edits: &'a [Edit<'a>],
}

/// The change of a resource that invokes an action.
#[derive(Clone, Copy, Debug)]
pub struct Trigger<'a> {
    /// The resource's address.
    pub address: &'a str,
    /// `BeforeCreate`, `AfterUpdate` and so on.
    pub event: &'a str,
}
