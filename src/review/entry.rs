//! The review of one plan: an entry with edits for each change, in the order of the plan. Nothing is grouped, filtered
//! or omitted here.

use std::collections::BTreeSet;
use std::ops::Not;
use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

pub use super::access::AccessChange;
pub use super::finding::{
    Effect, Finding, FindingKind, Level, NamedValue, PlanFinding, RuleOrigin,
};
use super::formats::json;
use super::masks::Masks;
use super::new_texts::NewText;
use super::plan::Secrets;
use super::reasons::OWN_PARTS;
pub use super::renames::Rename;
use super::summary::SubjectItem;
use super::verdict::level_name;
use super::{InputVariable, Problem, Verdict};
use crate::dialect::Tool;
use crate::diff::edits::Edit;
use crate::diff::value::{Content, MarkedValue};
use crate::json::Value;
use crate::model::Action;
use crate::model::plan::PlanMode;
use crate::schema::Position;
use crate::term::percent_encoded;
use crate::with::tie::Tied;

// The JSON of a plan has the fields that are not skipped, in this order.
/// The review of one plan. All lists are in the order of the plan.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "PlanJson"))]
pub struct PlanReview<'a> {
    /// The file, with :N for the Nth plan in it.
    pub name: String,
    /// The name of the unit, if the plan is one of several.
    pub unit: Option<String>,
    /// The tool that wrote the plan, if known.
    #[cfg_attr(test, schemars(with = "Option<String>", extend("enum" = ["terraform", "opentofu", null])))]
    pub tool: Option<Tool>,
    /// The version of the tool.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub tool_version: &'a str,
    /// The version of the plan's format.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub format_version: &'a str,
    /// The time when the plan was created, which old plans lack.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub timestamp: &'a str,
    /// The input variables of the root module, sorted by name.
    pub variables: Vec<InputVariable<'a>>,
    /// Whether planning stopped with an error.
    pub errored: bool,
    /// Whether applying the plan makes all changes, so that no further plan is needed.
    pub complete: Option<bool>,
    /// Whether the plan can be applied.
    pub applyable: Option<bool>,
    /// How the plan was made; not all plans tell.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["normal", "destroy", "refresh-only"])))]
    pub mode: PlanMode,
    /// Its counts.
    pub verdict: Verdict,
    /// How grave the plan is, without findings of a found configuration file.
    #[serde(serialize_with = "level_name")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = Level::ALL.map(Level::name))))]
    pub level: Level,
    /// What an approver must check, in rank order; the same finding about several objects once. Those of a found
    /// configuration file are the last, and not in the JSON.
    #[serde(serialize_with = "json::proven")]
    #[cfg_attr(test, schemars(with = "Vec<json::FindingJson<'_>>"))]
    pub findings: Vec<PlanFinding<'a>>,
    /// The types of changed objects at which no rule looks, sorted: whether their changes are grave, nobody has judged.
    pub unjudged: BTreeSet<&'a str>,
    /// What will be done: all changes that are not no-ops, or that move or import an object; never grouped.
    pub resources: Vec<Entry<'a>>,
    /// The objects that changed outside of the tool.
    pub drift: Vec<Entry<'a>>,
    /// The changes that are deferred to a later plan.
    pub deferred: Vec<Entry<'a>>,
    /// The actions to invoke.
    #[serde(rename = "action_invocations", serialize_with = "json::invocations")]
    #[cfg_attr(test, schemars(with = "Vec<json::InvocationJson<'_>>"))]
    pub invocations: Vec<Entry<'a>>,
    /// The actions whose invocation is deferred to a later plan.
    #[serde(
        rename = "deferred_action_invocations",
        serialize_with = "json::invocations"
    )]
    #[cfg_attr(test, schemars(with = "Vec<json::InvocationJson<'_>>"))]
    pub deferred_invocations: Vec<Entry<'a>>,
    /// The outputs that change.
    #[serde(serialize_with = "json::outputs")]
    #[cfg_attr(test, schemars(with = "Vec<json::OutputJson<'_>>"))]
    pub outputs: Vec<Entry<'a>>,
    /// The checks that did not pass.
    pub checks: Vec<Problem>,
    /// Groups of entries with the same changes.
    pub groups: Vec<Group<'a>>,
    /// What looks like a rename: an object is destroyed, and one of its type is created with the same values. It
    /// proves nothing about what is meant.
    pub renames: Vec<Rename<'a>>,
    /// The results of other tools.
    #[serde(flatten, serialize_with = "json::tied")]
    #[cfg_attr(test, schemars(with = "json::TiedJson<'_>"))]
    pub with: Tied<'a>,
    /// Remarks, for example about parts that could not be read.
    pub notes: Vec<String>,
    /// A hash of what the plan does, without sensitive values; nothing if none was computed. `tfview diff --approved`
    /// compares it.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub fingerprint: String,
    /// What texts show instead of credentials.
    #[serde(skip)]
    pub(super) masks: Masks,
    /// The number of managed objects that the plan lists and does not change.
    #[serde(skip)]
    pub unchanged_objects: usize,
}

// The JSON of a resource has the fields that are not skipped, in this order.
/// A change of one resource instance object; or of an output, or the invocation of an action, which have few of these.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "EntryJson"))]
pub struct Entry<'a> {
    /// The address; of an output, its name. If an old plan has none, it is built from its parts.
    pub address: &'a str,
    /// The address before a move; nothing if the object does not move.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub previous_address: &'a str,
    /// The address of the module; nothing for the root module.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub module_address: &'a str,
    /// `managed`, `data`, `ephemeral`, or an unknown mode.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub mode: &'a str,
    /// The resource type, or the type of an action.
    #[serde(rename = "type", serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub resource_type: &'a str,
    /// The name of the resource.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub name: &'a str,
    /// The instance key: a number, a string, or null.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub index: Value<'a>,
    /// The key of a deposed object; nothing for a current object.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub deposed: &'a str,
    /// The source address of the provider.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub provider_name: &'a str,
    /// The plan's words for the action.
    #[serde(rename = "actions", serialize_with = "actions")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub action: Action,
    /// The plan's word for the reason.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub action_reason: &'a str,
    /// create, update, replace, replace-forget, destroy, forget or read; import or move where nothing else happens;
    /// the plan's words, joined by commas, where they are new.
    pub change: &'a str,
    /// The import, if the object is imported.
    pub importing: Option<Importing<'a>>,
    /// The paths that force the replacement, as in the plan.
    #[cfg_attr(test, schemars(with = "Option<Vec<serde_json::Value>>"))]
    pub replace_paths: Value<'a>,
    /// With --source: where the resource is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourcePlace>,
    /// With --source and a CODEOWNERS file: who owns the file. One of each list has to approve.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub owners: Vec<Vec<String>>,
    /// Drift only: whether an edit is below a path in the plan's `relevant_attributes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relevant: Option<bool>,
    /// Deferred changes only: the plan's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deferred_reason: Option<&'a str>,
    /// The reasons for the change.
    pub reasons: Vec<Reason>,
    /// Indices in the findings of the plan, the gravest first.
    #[serde(rename = "findings")]
    pub proven: Vec<usize>,
    /// The other changes that make this one necessary, as the configuration's references prove it.
    pub causes: Vec<Cause<'a>>,
    /// The id of one of groups.
    pub group: Option<usize>,
    /// A filter hides the entry in the text formats.
    #[serde(skip_serializing_if = "Not::not")]
    pub hidden: bool,
    /// The changes, with all values: texts show no credentials unless the user asks for sensitive values.
    #[serde(rename = "edits")]
    pub exact_edits: &'a [Edit<'a>],
    /// The same as texts show them. Those of an action are one edit from absent to its configuration.
    #[serde(skip)]
    pub edits: &'a [Edit<'a>],
    /// The number of unchanged scalars (bools, numbers, strings).
    #[serde(skip)]
    pub unchanged: usize,
    /// For the invocation of an action: what invokes it.
    #[serde(skip)]
    pub trigger: Trigger<'a>,
    /// Whether the tool generated the configuration for the import.
    #[serde(skip)]
    pub is_generated: bool,
    /// What an object is that is replaced, without what changes; empty for others.
    #[serde(skip)]
    pub replaced_with: Vec<SubjectItem>,
    /// Its findings, with those of a found configuration file.
    #[serde(skip)]
    pub findings: Vec<usize>,
    /// The attributes and blocks that its findings are about.
    #[serde(skip)]
    pub flagged: Vec<&'a str>,
    /// The kinds of its findings, the most severe first.
    #[serde(skip)]
    pub finding_kinds: BTreeSet<FindingKind>,
    /// The level of its gravest finding, without those of a found configuration file.
    #[serde(skip)]
    pub level: Level,
    /// What its configuration gives, if it creates an object or has attributes that become unknown.
    #[serde(skip)]
    pub given: Vec<Given<'a>>,
    /// The schema of its object.
    #[serde(skip)]
    pub(super) schema: Position<'a>,
    /// The changes to policies and firewall rules, as statements and rules.
    #[serde(skip)]
    pub access: Vec<AccessChange<'a>>,
    /// Texts that the change sets, as texts show them.
    #[serde(skip)]
    pub new_texts: Vec<NewText<'a>>,
    /// Both sides as a whole, if requested by [`ReadOptions::keep_whole`](super::plan::ReadOptions). A missing side is
    /// null.
    #[serde(skip)]
    pub whole: Option<(MarkedValue<'a>, MarkedValue<'a>)>,
    /// What texts must not show, if there is anything.
    #[serde(skip)]
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
        self.reasons.iter().any(|reason| reason.code == OWN_PARTS)
    }

    pub fn is_moved(&self) -> bool {
        !self.previous_address.is_empty() && self.previous_address != self.address
    }
}

/// An empty text, which an old plan may not have, becomes null.
pub(crate) fn written<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Some(text)
        .filter(|text| !text.is_empty())
        .serialize(serializer)
}

pub(super) fn actions<S: Serializer>(action: &Action, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(action.words().split(',').filter(|word| !word.is_empty()))
}

/// A place in configuration files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "SourceJson"))]
pub struct SourcePlace {
    /// The file, below the directory of --source as it was given, with / between names.
    #[serde(serialize_with = "shared_text")]
    pub file: Arc<str>,
    /// The line of the block's header, from 1.
    pub line: u64,
    /// The block of the resource; or the call of the module that it is in, whose files are not at hand.
    pub block: SourceBlock,
    /// The URI of the file.
    #[serde(skip)]
    pub uri: Arc<str>,
    /// For a resource in a downloaded module: the file and line of the module call in the project's own
    /// configuration.
    #[serde(skip)]
    pub own: Option<(Arc<str>, u64)>,
}

fn shared_text<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
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
    pub fn text(&self) -> String {
        match self.source {
            None => self.address.to_owned(),
            Some(source) => format!("{}.{source}", self.address),
        }
    }
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
    #[cfg_attr(
        test,
        schemars(with = "Option<std::collections::BTreeMap<String, serde_json::Value>>")
    )]
    pub identity: Value<'a>,
    /// Whether the ID is known only after apply.
    pub unknown: bool,
}

/// What invokes an action.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "TriggerJson"))]
pub struct Trigger<'a> {
    /// BeforeCreate and so on; invoke for the command line.
    pub event: &'a str,
    /// The resource whose change invokes the action, or that calls it.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub address: &'a str,
}
