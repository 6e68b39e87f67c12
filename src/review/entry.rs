//! The entry of a change in a review: the change with its edits, and everything that the review says about it.
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
pub use super::edit_lists::{ExactEdits, ShownEdits};
pub use super::finding::{
    Effect, Finding, FindingKind, Level, NamedValue, PlanFinding, RuleOrigin,
};
use super::kind::ChangeKind;
use super::paths::root_name;
use crate::diff::edits::{Edit, Format, Path};
use crate::diff::value::{Content, MarkedValue};
use crate::direction::Meaning;
use crate::json::Value;
use crate::model::Action;
use crate::schema::Position;
use crate::term::percent_encoded;

/// A change of one resource instance object, a change of an output, or the invocation of an action. Outputs and
/// invocations have few of these fields.
///
/// A text that the plan does not have is empty.
#[derive(Clone, Debug, Default)]
pub struct Entry<'a> {
    /// The address of the object or action, or the name of the output. If an old plan has no address, it is built from
    /// its parts.
    pub address: &'a str,
    /// The address before a move; empty if the object does not move.
    pub previous_address: &'a str,
    /// The address of the module; empty for the root module.
    pub module_address: &'a str,
    /// The resource mode: `managed`, `data`, `ephemeral`, or an unknown one.
    pub mode: &'a str,
    /// The resource type, or the type of an action.
    pub resource_type: &'a str,
    /// The name of the resource.
    pub name: &'a str,
    /// What the object itself is called, such as the name of a bucket; empty if it has no known name.
    pub(super) called: &'a str,
    /// The instance key: a number, a string, or null.
    pub index: Value<'a>,
    /// The key of a deposed object; empty for a current one.
    pub deposed: &'a str,
    /// The source address of the provider.
    pub provider_name: &'a str,
    /// The identifiers (`id`, ARN and so on) of a managed object that exists.
    pub(super) identifiers: Vec<&'a str>,
    /// The action of the plan. [`Entry::kind`] also considers imports and moves.
    pub action: Action,
    /// The action reason, in the plan's word.
    pub action_reason: &'a str,
    /// The word for the [kind](super::ChangeKind) of the change. For actions that tfview does not know, these are the
    /// plan's words, joined by commas.
    pub change: &'a str,
    /// The import, if the object is imported; otherwise `None`.
    pub importing: Option<Importing<'a>>,
    /// The paths that force the replacement, as in the plan.
    pub replace_paths: Value<'a>,
    /// The place of the resource in the configuration, if it is available.
    pub source: Option<SourcePlace>,
    /// The owners of that file, as lists. One owner of each list has to approve.
    pub owners: Arc<[Vec<String>]>,
    /// Whether an edit is below a path in the plan's `relevant_attributes`. Only drift has this.
    pub relevant: Option<bool>,
    /// The plan's word for why the change is deferred. Only deferred changes have this.
    pub deferred_reason: Option<&'a str>,
    /// The reasons for the change: the plan's own first, then those that tfview concludes.
    pub reasons: Vec<Reason>,
    /// The findings about the entry as indices in the findings of the plan, the gravest first.
    pub findings: Vec<usize>,
    /// The part of `findings` that no rule of a found configuration file made.
    pub proven: Vec<usize>,
    /// The names of the attributes and blocks that the findings are about.
    pub flagged: Vec<&'a str>,
    /// The kinds of the findings, the most severe first.
    pub finding_kinds: BTreeSet<FindingKind>,
    /// The level of the gravest finding, without findings of a found configuration file.
    pub level: Level,
    /// The other changes that make this one necessary, as references in the configuration prove.
    pub causes: Vec<Cause<'a>>,
    /// The index of the group that the entry is in.
    pub group: Option<usize>,
    /// Whether a filter hides the entry in texts.
    pub hidden: bool,
    /// The edits with all values. Texts do not use them unless the user asks for sensitive values, because they have
    /// credentials.
    pub exact_edits: ExactEdits<'a>,
    /// The edits as texts show them. An action has one edit, from absent to its configuration.
    pub shown_edits: ShownEdits<'a>,
    /// What the change means: everything that the object and its outermost edits are at once.
    pub meaning: Meaning,
    /// What happens to the object besides its edits: it is created, destroyed or replaced as a whole.
    pub(super) own_meaning: Meaning,
    /// The number of unchanged scalars (bools, numbers, strings).
    pub unchanged: usize,
    /// The event and resource that invoke the action. Only invocations have this.
    pub trigger: Trigger<'a>,
    /// Whether the tool generated the configuration for the import.
    pub is_generated: bool,
    /// The parts that say what a replaced object is, without what changes; empty for other entries.
    pub replaced_with: Vec<SubjectItem>,
    /// The attributes that the configuration gives, if it creates an object or has attributes that become unknown.
    pub given: Vec<Given<'a>>,
    /// The schema of the object.
    pub(super) schema: Position<'a>,
    /// The changes to policies and firewall rules, as statements and rules.
    pub access: Vec<AccessChange<'a>>,
    /// The texts that the change sets, as texts of the review show them.
    pub new_texts: Vec<NewText<'a>>,
    /// Both sides as a whole, if [`ReadOptions::keep_whole`](super::build::ReadOptions) requests them. A missing side
    /// is null.
    pub whole: Option<(MarkedValue<'a>, MarkedValue<'a>)>,
    /// The secrets that texts must not show, if there are any.
    pub(super) secrets: Option<Box<Secrets>>,
}

/// Whether an edit is between two sides that are each null, missing or empty (`""`, `[]`, `{}`).
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
    /// Whether an entry of the drift proves a change outside of the tool.
    ///
    /// Providers on the older SDK write empty texts, lists and objects in place of null when they read an object for
    /// the first time. Nobody changed such an object, nor one whose drift only shows other resources of the same state.
    pub(crate) fn is_drift(&self) -> bool {
        let is_only_empty = !self.exact_edits.exact().is_empty()
            && self.exact_edits.exact().iter().all(is_empty_on_both_sides);
        self.action != Action::Update || !(is_only_empty || self.shows_own_parts())
    }

    /// Whether the drift only shows other resources of the same state, as a reason says.
    pub(crate) fn shows_own_parts(&self) -> bool {
        self.reasons
            .iter()
            .any(|reason| reason.code == reason_codes::OWN_PARTS)
    }

    /// Whether the object had another address before, that is, the plan moves it.
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

/// Serializes a shared text as a string.
fn shared_text<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

/// The place of an object in the configuration, and the owners of the file.
#[derive(Clone, Debug)]
pub struct PlacedObject {
    /// The file and line of its block.
    pub location: SourcePlace,
    /// The owners of the file, as lists. One owner of each list has to approve.
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
    /// Returns the file and line as one text: `main.tf:12`.
    pub fn text(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// Returns the URL of the line, below `prefix`, the base URL of the files.
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

/// The codes of the reasons that tfview finds; all other codes are the plan's words.
pub(super) mod reason_codes {
    /// The code of a change that another change makes necessary.
    pub(in crate::review) const CAUSED: &str = "caused";
    /// The code of an action that the command line or a resource invokes.
    pub(in crate::review) const INVOKED: &str = "invoke";
    /// The code of drift that only shows what other resources of the same state make.
    pub(in crate::review) const OWN_PARTS: &str = "own_parts";
    /// The code of an object that is destroyed while one of its type is created with the same values.
    pub(in crate::review) const RENAME: &str = "rename";
    /// The code of an object whose apply runs a provisioner or a program.
    pub(in crate::review) const RUNS: &str = "runs";
    /// The code of an instance of `count` that gets the values of its neighbor.
    pub(in crate::review) const SHIFTED: &str = "shifted";
}
impl Entry<'_> {
    /// Returns the kind of the change, which decides how reviews name it.
    pub fn kind(&self) -> ChangeKind {
        ChangeKind::from_action(&self.action, self.importing.is_some(), self.is_moved())
    }

    /// Whether an update of a managed object changes tags or labels and nothing else. The names of these attributes are
    /// the same for all types.
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
            && !self.exact_edits.exact().is_empty()
            && self
                .exact_edits
                .exact()
                .iter()
                .all(|edit| NAMES.contains(&root_name(edit)))
    }

    /// Whether the change counts as one of this kind. Imports and moves also count as such if the object has other
    /// changes.
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

/// A text that a change sets, such as a script or a template.
#[derive(Clone, Debug)]
pub struct NewText<'a> {
    /// The index of the edit that sets it, or creates its object.
    pub(crate) edit: usize,
    /// The path of the text in the object.
    pub(crate) path: Path<'a>,
    /// The format in which the value encodes the text.
    pub(crate) format: Option<Format>,
    /// The decoded text, as far as texts of a review may show it.
    pub(crate) text: Cow<'a, str>,
}

/// A part of the phrase that says what an object is: the label `port = ` and the value `5432`, no label and
/// `postgres 16.4`, or `for ` and `ci@example.com`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubjectItem {
    pub(super) label: String,
    pub(super) value: String,
    /// Whether the item says what runs, who gets something or where something goes, so that it is never left out.
    pub(super) is_essential: bool,
}

impl SubjectItem {
    /// Creates an item without a label.
    pub(super) fn value(value: impl Into<String>) -> Self {
        Self {
            label: String::new(),
            value: value.into(),
            is_essential: false,
        }
    }

    /// Returns the label and the value as one text.
    pub(super) fn text(&self) -> String {
        [&*self.label, &*self.value].concat()
    }
}

/// An attribute or block that the configuration of an object gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Given<'a> {
    /// The name of the attribute or of the block type.
    pub attribute: &'a str,
    /// The references that give a value which is known only after apply: `aws_vpc.main.id`. Empty if none is known.
    pub sources: &'a [&'a str],
}

impl Entry<'_> {
    /// Returns an address without its module, if the entry is in that module too; otherwise the whole address.
    pub(super) fn within_module<'t>(&self, address: &'t str) -> &'t str {
        let inside = address.strip_prefix(self.module_address);
        let inside = inside.filter(|_| !self.module_address.is_empty());
        inside
            .and_then(|rest| rest.strip_prefix('.'))
            .unwrap_or(address)
    }
}

impl Cause<'_> {
    /// Returns the address with the attribute that causes the change, if it is known: `aws_vpc.main.id`.
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

/// The event and resource that invoke an action.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trigger<'a> {
    /// The event in the plan's words: `BeforeCreate` and so on; `invoke` for the command line.
    pub event: &'a str,
    /// The address of the resource whose change invokes the action, or that calls it; empty if there is none.
    pub address: &'a str,
}
