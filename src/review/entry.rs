//! The entry of a change in a review: the change with its edits, and everything that is known and said of it.
//!
//! ```text
//! "change": {"actions": ["update"], "before": {"size": 1}, "after": {"size": 2}}
//!
//! Entry { action: Update, change: "update", edits: [size: 1 -> 2], reasons: […], findings: […], … }
//! ```

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Serialize, Serializer};

pub use super::access::AccessChange;
use super::credentials::Secrets;
pub use super::finding::{
    Effect, Finding, FindingKind, Level, NamedValue, PlanFinding, RuleOrigin,
};
use super::kind::ChangeKind;
use super::paths::root_name;
use crate::diff::edits::{Edit, Format, Path};
use crate::diff::value::{Content, MarkedValue};
use crate::json::Value;
use crate::model::Action;
use crate::schema::Position;
use crate::term::percent_encoded;

/// A change of one resource instance object; or of an output, or the invocation of an action, which have few of these.
///
/// Texts that a plan may leave out are empty then.
#[derive(Clone, Debug, Default)]
pub struct Entry<'a> {
    /// Of an output, its name. If an old plan has none, it is built from its parts.
    pub address: &'a str,
    /// Empty if the object does not move.
    pub previous_address: &'a str,
    /// Empty for the root module.
    pub module_address: &'a str,
    /// `managed`, `data`, `ephemeral`, or an unknown mode.
    pub mode: &'a str,
    /// The resource type, or the type of an action.
    pub resource_type: &'a str,
    /// The name of the resource.
    pub name: &'a str,
    /// The instance key: a number, a string, or null.
    pub index: Value<'a>,
    /// The key of a deposed object; empty for a current one.
    pub deposed: &'a str,
    /// The source address of the provider.
    pub provider_name: &'a str,
    /// What identifies a managed object that exists.
    pub(super) identifiers: Vec<&'a str>,
    /// The action of the plan. [`Entry::kind`] is coarser: it also counts imports and moves.
    pub action: Action,
    /// The plan's word for the reason.
    pub action_reason: &'a str,
    /// The word of its [kind](super::ChangeKind); the plan's words, joined by commas, where they are new.
    pub change: &'a str,
    /// The import, if the object is imported; otherwise `None`.
    pub importing: Option<Importing<'a>>,
    /// The paths that force the replacement, as in the plan.
    pub replace_paths: Value<'a>,
    /// Where the resource is written, if the configuration is available.
    pub source: Option<SourcePlace>,
    /// Who owns the file. One of each list has to approve.
    pub owners: Arc<[Vec<String>]>,
    /// Drift only: whether an edit is below a path in the plan's `relevant_attributes`.
    pub relevant: Option<bool>,
    /// Deferred changes only: the plan's word.
    pub deferred_reason: Option<&'a str>,
    /// Why the object changes: the plan's own reason first, then what tfview concludes.
    pub reasons: Vec<Reason>,
    /// Indices in the findings of the plan, the gravest first.
    pub findings: Vec<usize>,
    /// Those of them that no rule of a found configuration file made.
    pub proven: Vec<usize>,
    /// The attributes and blocks that its findings are about.
    pub flagged: Vec<&'a str>,
    /// The kinds of its findings, the most severe first.
    pub finding_kinds: BTreeSet<FindingKind>,
    /// The level of its gravest finding, without those of a found configuration file.
    pub level: Level,
    /// The other changes that make this one necessary, as the configuration's references prove it.
    pub causes: Vec<Cause<'a>>,
    /// The index of its group.
    pub group: Option<usize>,
    /// A filter hides the entry in texts.
    pub hidden: bool,
    /// The changes, with all values: texts show no credentials unless the user asks for sensitive values.
    pub exact_edits: &'a [Edit<'a>],
    /// The same as texts show them. Those of an action are one edit from absent to its configuration.
    pub edits: &'a [Edit<'a>],
    /// The number of unchanged scalars (bools, numbers, strings).
    pub unchanged: usize,
    /// For the invocation of an action: what invokes it.
    pub trigger: Trigger<'a>,
    /// Whether the tool generated the configuration for the import.
    pub is_generated: bool,
    /// What an object is that is replaced, without what changes; empty for others.
    pub replaced_with: Vec<SubjectItem>,
    /// What its configuration gives, if it creates an object or has attributes that become unknown.
    pub given: Vec<Given<'a>>,
    /// The schema of its object.
    pub(super) schema: Position<'a>,
    /// The changes to policies and firewall rules, as statements and rules.
    pub access: Vec<AccessChange<'a>>,
    /// Texts that the change sets, as texts show them.
    pub new_texts: Vec<NewText<'a>>,
    /// Both sides as a whole, if requested by [`ReadOptions::keep_whole`](super::build::ReadOptions). A missing side is
    /// null.
    pub whole: Option<(MarkedValue<'a>, MarkedValue<'a>)>,
    /// What texts must not show, if there is anything.
    pub(super) secrets: Option<Box<Secrets>>,
}

/// Whether an edit is between null and what is empty.
pub(crate) fn is_empty_on_both_sides(edit: &Edit<'_>) -> bool {
    let is_empty = |side: Option<MarkedValue<'_>>| match side.map(|side| side.content) {
        None | Some(Content::Null | Content::String("") | Content::Array([])) => true,
        Some(Content::Object(members)) => members.is_empty(),
        Some(
            Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)
            | Content::Array(_),
        ) => false,
    };
    is_empty(edit.before) && is_empty(edit.after)
}

impl Entry<'_> {
    /// Whether anything changed outside of the tool, for an entry of the drift.
    ///
    /// Providers on the older SDK write empty texts, lists and objects where there was null when they read an object
    /// for the first time. Nobody changed such an object. Neither did anybody change what only shows other resources of
    /// the same state.
    pub(crate) fn is_drift(&self) -> bool {
        let is_only_empty = !self.edits.is_empty() && self.edits.iter().all(is_empty_on_both_sides);
        self.action != Action::Update || !(is_only_empty || self.shows_own_parts())
    }

    /// Whether the drift only shows other resources of the same state.
    pub(crate) fn shows_own_parts(&self) -> bool {
        self.reasons
            .iter()
            .any(|reason| reason.code == reason_codes::OWN_PARTS)
    }

    /// Whether the object had another address before.
    pub fn is_moved(&self) -> bool {
        !self.previous_address.is_empty() && self.previous_address != self.address
    }
}

/// A place in configuration files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourcePlace {
    /// The file, below the directory of --source as it was given, with / between names.
    #[serde(serialize_with = "shared_text")]
    pub file: Arc<str>,
    /// The line of the block's header, from 1.
    pub line: u64,
    /// The block of the resource; or the call of the module that it is in, if the files of that module are not available.
    pub block: SourceBlock,
    /// The URI of the file.
    #[serde(skip)]
    pub uri: Arc<str>,
    /// For a resource in a downloaded module: the file and line of the module call in the project's own
    /// configuration.
    #[serde(skip)]
    pub project_line: Option<(Arc<str>, u64)>,
}

fn shared_text<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

/// Where an object is written, and who has to approve.
#[derive(Clone, Debug)]
pub struct PlacedObject {
    /// The file and line of its block.
    pub location: SourcePlace,
    /// Who owns the file. One of each list has to approve.
    pub owners: Arc<[Vec<String>]>,
}

/// The block at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceBlock {
    /// The resource block.
    Resource,
    /// The `module` block, because the files of the module are not available.
    Module,
}

impl SourcePlace {
    /// `main.tf:12`
    pub fn text(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// `prefix` is the base URL of the files.
    pub fn url(&self, prefix: &str) -> String {
        format!(
            "{}/{}#L{}",
            prefix.trim_end_matches('/'),
            percent_encoded(&self.file),
            self.line
        )
    }
}

/// The reason for a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The reason for programs: the plan's `action_reason`, or a word of tfview.
    pub code: String,
    /// The reason in words.
    pub text: String,
}

/// Another change that makes one necessary, proven by references in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

/// The codes of reasons that tfview itself finds; others are the plan's words.
pub(super) mod reason_codes {
    /// Another change makes this one necessary.
    pub(in crate::review) const CAUSED: &str = "caused";
    /// An action is invoked by the command line or by a resource.
    pub(in crate::review) const INVOKED: &str = "invoke";
    /// Drift only shows what other resources of the same state make.
    pub(in crate::review) const OWN_PARTS: &str = "own_parts";
    /// An object is destroyed, and one of its type is created with the same values.
    pub(in crate::review) const RENAME: &str = "rename";
    /// An apply runs a provisioner or a program.
    pub(in crate::review) const RUNS: &str = "runs";
    /// An instance of `count` gets the values of its neighbour.
    pub(in crate::review) const SHIFTED: &str = "shifted";
}
impl Entry<'_> {
    /// Returns what is done to the object, in the words of reviews.
    pub fn kind(&self) -> ChangeKind {
        ChangeKind::from_action(&self.action, self.importing.is_some(), self.is_moved())
    }

    /// Such changes are the same for all types.
    pub(super) fn changes_only_tags(&self) -> bool {
        const NAMES: [&str; 5] = [
            "tags",
            "tags_all",
            "labels",
            "effective_labels",
            "terraform_labels",
        ];
        self.action == Action::Update
            && self.mode == "managed"
            && !self.edits.is_empty()
            && self
                .edits
                .iter()
                .all(|edit| NAMES.contains(&root_name(edit)))
    }

    /// Imports and moves include those with other changes.
    pub(super) fn counts_as(&self, kind: ChangeKind) -> bool {
        kind == self.kind()
            || kind == ChangeKind::Import && self.importing.is_some()
            || kind == ChangeKind::Move && self.is_moved()
    }
}

/// An object that is destroyed, and one that is created with the same values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rename<'a> {
    /// The address of the destroyed object.
    pub from: &'a str,
    /// The address of the created object.
    pub to: &'a str,
    /// The attributes with the same values.
    pub equal: Vec<&'a str>,
    /// The attributes that are the same except for the instance keys of both objects.
    pub differs: Vec<&'a str>,
    /// The indices of both objects in the changed resources of the plan.
    #[serde(skip)]
    pub places: [usize; 2],
}

/// A text that a change sets.
#[derive(Clone, Debug)]
pub struct NewText<'a> {
    /// The index of the edit that sets it, or creates its object.
    pub(crate) edit: usize,
    /// From the object.
    pub(crate) path: Path<'a>,
    /// How the value encodes the text.
    pub(crate) format: Option<Format>,
    /// The decoded text, as texts of a review may show it.
    pub(crate) text: Cow<'a, str>,
}

/// A part of what an object is: `port = ` and `5432`, nothing and `postgres 16.4`, or `for ` and `ci@example.com`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubjectItem {
    pub(super) label: String,
    pub(super) value: String,
}

impl SubjectItem {
    pub(super) fn value(value: impl Into<String>) -> Self {
        Self {
            label: String::new(),
            value: value.into(),
        }
    }

    pub(super) fn text(&self) -> String {
        [&*self.label, &*self.value].concat()
    }
}

/// An attribute or block that the configuration of an object gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Given<'a> {
    /// The name of the attribute or of the block type.
    pub attribute: &'a str,
    /// Where a value that is known only after apply comes from, as far as references say: `aws_vpc.main.id`.
    pub sources: &'a [&'a str],
}

impl Entry<'_> {
    /// An address without the module, if that is the module of the entry.
    pub(super) fn within_module<'t>(&self, address: &'t str) -> &'t str {
        let inside = address.strip_prefix(self.module_address);
        let inside = inside.filter(|_| !self.module_address.is_empty());
        inside
            .and_then(|rest| rest.strip_prefix('.'))
            .unwrap_or(address)
    }
}

impl Cause<'_> {
    /// Returns the address with the attribute that is the source of the change, if it is known: `aws_vpc.main.id`.
    pub fn text(&self) -> String {
        match self.source {
            None => self.address.to_owned(),
            Some(source) => format!("{}.{source}", self.address),
        }
    }
}

/// Entries with the same edits.
#[derive(Clone, Debug, Serialize)]
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
pub struct Importing<'a> {
    /// The import ID.
    pub id: Option<&'a str>,
    /// The resource identity to import by; null if there is none.
    pub identity: Value<'a>,
    /// Whether the ID is known only after apply.
    pub unknown: bool,
}

/// What invokes an action.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trigger<'a> {
    /// BeforeCreate and so on; invoke for the command line.
    pub event: &'a str,
    /// The resource whose change invokes the action, or that calls it. Empty if there is none.
    pub address: &'a str,
}
