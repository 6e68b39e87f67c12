//! A plan in the JSON of reviews, with the entries of its lists.
//!
//! Invariant: members that a plan does not have are null rather than absent, unless their documentation says otherwise.
//!
//! ```json
//! {"address": "aws_instance.web", "actions": ["update"], "change": "update", "findings": [0],
//!  "edits": [{"path": [{"name": "ami"}], "before": {"value": "ami-1"}, "after": {"value": "ami-2"}}]}
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Not;

use serde::{Serialize, Serializer};

use super::edit::{MeaningJson, meaning};
use super::{TiedJson, proven, some};
use crate::dialect::Tool;
use crate::diff::edits::Edit;
use crate::direction::Meaning;
use crate::json::Value;
use crate::model::Action;
use crate::model::plan::PlanMode;
use crate::report::SectionKind;
use crate::review::entry::{
    Cause, Entry, Group, Importing, Level, PlanFinding, Reason, Rename, SourcePlace, Trigger,
};
use crate::review::plan::PlanReview;
use crate::review::verdict::level_name;
use crate::review::{InputVariable, Problem, Verdict};
use crate::text::to_json;

// The JSON has the fields in this order.
/// The review of one plan. All lists are in the order of the plan.
#[derive(Serialize)]
pub(crate) struct PlanJson<'r> {
    /// The file, with :N for the Nth plan in it.
    name: &'r str,
    /// The name of the unit, if the plan is one of several.
    unit: Option<&'r str>,
    /// The tool that wrote the plan, if known.
    tool: Option<Tool>,
    /// The version of the tool.
    tool_version: Option<&'r str>,
    /// The version of the plan's format.
    format_version: Option<&'r str>,
    /// The time when the plan was created, which old plans lack.
    timestamp: Option<&'r str>,
    /// The input variables of the root module, sorted by name.
    variables: &'r [InputVariable<'r>],
    /// Whether planning stopped with an error.
    errored: bool,
    /// Whether applying the plan makes all changes, so that no further plan is needed.
    complete: Option<bool>,
    /// Whether the plan can be applied.
    applyable: Option<bool>,
    /// How the plan was made; not all plans tell.
    mode: PlanMode,
    /// Its counts.
    verdict: &'r Verdict,
    /// How many outermost edits there are of each direction; an object without edits counts as one. Drift does not
    /// count.
    directions: BTreeMap<&'static str, usize>,
    /// How grave the plan is, without findings of a found configuration file.
    #[serde(serialize_with = "level_name")]
    level: Level,
    /// What an approver must check, in rank order; the same finding about several objects once. Those of a found
    /// configuration file are the last, and not in the JSON.
    #[serde(serialize_with = "proven")]
    findings: &'r [PlanFinding<'r>],
    /// The types of changed objects at which no rule looks, sorted: whether their changes are grave, nobody has judged.
    unjudged: &'r BTreeSet<&'r str>,
    /// What will be done: all changes that are not no-ops, or that move or import an object; never grouped.
    #[serde(serialize_with = "entries")]
    resources: &'r [Entry<'r>],
    /// The objects that changed outside of the tool.
    #[serde(serialize_with = "entries")]
    drift: &'r [Entry<'r>],
    /// The changes that are deferred to a later plan.
    #[serde(serialize_with = "entries")]
    deferred: &'r [Entry<'r>],
    /// The actions to invoke.
    #[serde(serialize_with = "invocations")]
    action_invocations: &'r [Entry<'r>],
    /// The actions whose invocation is deferred to a later plan.
    #[serde(serialize_with = "invocations")]
    deferred_action_invocations: &'r [Entry<'r>],
    /// The outputs that change.
    #[serde(serialize_with = "outputs")]
    outputs: &'r [Entry<'r>],
    /// The checks that did not pass.
    checks: &'r [Problem],
    /// Groups of entries with the same changes.
    groups: &'r [Group<'r>],
    /// What looks like a rename: an object is destroyed, and one of its type is created with the same values. It
    /// proves nothing about what is meant.
    renames: &'r [Rename<'r>],
    /// The results of other tools.
    #[serde(flatten)]
    with: TiedJson<'r>,
    /// Remarks, for example about parts that could not be read.
    notes: &'r [String],
    /// A hash of what the plan does, without sensitive values; nothing if none was computed. `tfview diff --approved`
    /// compares it.
    fingerprint: Option<&'r str>,
}

impl<'r> PlanJson<'r> {
    /// Creates the JSON of a plan, which borrows from its review. It has only findings that are proven without a found
    /// configuration file.
    pub(super) fn new(review: &'r PlanReview<'_>) -> Self {
        let changes = &review.changes;
        let verdict = review.verdict();
        Self {
            name: &review.name,
            unit: review.unit.as_deref(),
            tool: review.tool,
            tool_version: some(review.tool_version),
            format_version: some(review.format_version),
            timestamp: some(review.timestamp),
            variables: &review.variables,
            errored: review.errored,
            complete: review.complete,
            applyable: review.applyable,
            mode: review.mode,
            level: verdict.level,
            verdict,
            directions: directions(review),
            findings: &review.findings,
            unjudged: &review.unjudged,
            resources: &changes.resources,
            drift: &changes.drift,
            deferred: &changes.deferred,
            action_invocations: &changes.invocations,
            deferred_action_invocations: &changes.deferred_invocations,
            outputs: &changes.outputs,
            checks: &review.checks,
            groups: &review.groups,
            renames: &review.renames,
            with: TiedJson::new(&review.results),
            notes: &review.notes,
            fingerprint: some(&review.fingerprint),
        }
    }
}

/// Counts the directions of the outermost edits of a plan, and of its objects without edits.
fn directions(review: &PlanReview<'_>) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let mut add = |meaning: Meaning| {
        if let Some(direction) = meaning.directions.gravest() {
            *counts.entry(direction.word()).or_insert(0) += 1;
        }
    };
    for list in SectionKind::ALL {
        if list == SectionKind::Drift {
            continue;
        }
        for entry in review.changes.list(list) {
            for edit in entry.shown_edits.list() {
                add(edit.meaning);
            }
            if entry.shown_edits.is_empty() {
                add(entry.meaning);
            }
        }
    }
    counts
}

// The JSON has the fields in this order.
/// A change of one resource instance object; or of an output, or the invocation of an action, which have few of these.
#[derive(Serialize)]
pub(crate) struct EntryJson<'r> {
    /// The address; of an output, its name. If an old plan has none, it is built from its parts.
    address: &'r str,
    /// The address before a move; nothing if the object does not move.
    previous_address: Option<&'r str>,
    /// The address of the module; nothing for the root module.
    module_address: Option<&'r str>,
    /// `managed`, `data`, `ephemeral`, or an unknown mode.
    mode: Option<&'r str>,
    /// The resource type, or the type of an action.
    #[serde(rename = "type")]
    resource_type: Option<&'r str>,
    /// The name of the resource.
    name: Option<&'r str>,
    /// The instance key: a number, a string, or null.
    index: Value<'r>,
    /// The key of a deposed object; nothing for a current object.
    deposed: Option<&'r str>,
    /// The source address of the provider.
    provider_name: Option<&'r str>,
    /// The plan's words for the action.
    #[serde(serialize_with = "actions")]
    actions: &'r Action,
    /// The plan's word for the reason.
    action_reason: Option<&'r str>,
    /// create, update, replace, replace-forget, destroy, forget or read; import or move where nothing else happens;
    /// the plan's words, joined by commas, where they are new.
    change: &'r str,
    /// The import, if the object is imported.
    importing: Option<Importing<'r>>,
    /// The paths that force the replacement, as in the plan.
    replace_paths: Value<'r>,
    /// With --source: where the resource is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'r SourcePlace>,
    /// With --source and a CODEOWNERS file: who owns the file. One of each list has to approve.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    owners: &'r [Vec<String>],
    /// Drift only: whether an edit is below a path in the plan's `relevant_attributes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    relevant: Option<bool>,
    /// Deferred changes only: the plan's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    deferred_reason: Option<&'r str>,
    /// The reasons for the change.
    reasons: &'r [Reason],
    /// Indices in the findings of the plan, the gravest first.
    findings: &'r [usize],
    /// The other changes that make this one necessary, as the configuration's references prove it.
    causes: &'r [Cause<'r>],
    /// The id of one of groups.
    group: Option<usize>,
    /// A filter hides the entry in the text formats.
    #[serde(skip_serializing_if = "Not::not")]
    hidden: bool,
    /// What it means.
    #[serde(flatten)]
    meaning: MeaningJson,
    /// The changes, with all values: texts show no credentials unless the user asks for sensitive values.
    edits: &'r [Edit<'r>],
}

impl<'r> EntryJson<'r> {
    /// Creates the JSON of an entry. Its edits have exact values, because programs compare them.
    pub(super) fn new(entry: &'r Entry<'_>) -> Self {
        Self {
            address: entry.address,
            previous_address: some(entry.previous_address),
            module_address: some(entry.module_address),
            mode: some(entry.mode),
            resource_type: some(entry.resource_type),
            name: some(entry.name),
            index: entry.index,
            deposed: some(entry.deposed),
            provider_name: some(entry.provider_name),
            actions: &entry.action,
            action_reason: some(entry.action_reason),
            change: entry.change,
            importing: entry.importing,
            replace_paths: entry.replace_paths,
            source: entry.source.as_ref(),
            owners: &entry.owners,
            relevant: entry.relevant,
            deferred_reason: entry.deferred_reason,
            reasons: &entry.reasons,
            findings: &entry.proven,
            causes: &entry.causes,
            group: entry.group,
            hidden: entry.hidden,
            meaning: meaning(entry.meaning),
            edits: entry.exact_edits.exact(),
        }
    }
}

/// Serializes entries of objects.
fn entries<S: Serializer>(list: &[Entry<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.iter().map(EntryJson::new))
}

/// Serializes an action as the list of the plan's words.
fn actions<S: Serializer>(action: &Action, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(action.words().split(',').filter(|word| !word.is_empty()))
}

/// An action that is invoked.
#[derive(Serialize)]
pub(crate) struct InvocationJson<'r> {
    /// The address of the action.
    address: &'r str,
    /// The type of the action.
    #[serde(rename = "type")]
    action_type: &'r str,
    /// What invokes it.
    trigger: TriggerJson<'r>,
    /// Deferred invocations only: the plan's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    deferred_reason: Option<&'r str>,
    /// Indices in the findings of the plan.
    findings: &'r [usize],
    /// What it means.
    #[serde(flatten)]
    meaning: MeaningJson,
    /// Its configuration, as something added.
    edits: &'r [Edit<'r>],
}

impl<'r> InvocationJson<'r> {
    /// Creates the JSON of an invocation. Its edits have exact values.
    pub(super) fn new(invocation: &'r Entry<'_>) -> Self {
        let Trigger { event, address } = invocation.trigger;
        Self {
            address: invocation.address,
            action_type: invocation.resource_type,
            trigger: TriggerJson {
                event,
                address: some(address),
            },
            deferred_reason: invocation.deferred_reason,
            findings: &invocation.proven,
            meaning: meaning(invocation.meaning),
            edits: invocation.exact_edits.exact(),
        }
    }
}

/// What invokes an action.
#[derive(Serialize)]
struct TriggerJson<'r> {
    /// BeforeCreate and so on; invoke for the command line.
    event: &'r str,
    /// The resource whose change invokes the action, or that calls it.
    address: Option<&'r str>,
}

/// Serializes entries of invocations.
fn invocations<S: Serializer>(list: &[Entry<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.iter().map(InvocationJson::new))
}

/// An output that changes.
#[derive(Serialize)]
pub(crate) struct OutputJson<'r> {
    /// The name of the output.
    name: &'r str,
    /// The action, as in the plan.
    #[serde(serialize_with = "actions")]
    actions: &'r Action,
    /// What happens, as a word.
    change: &'r str,
    /// Indices in the findings of the plan.
    findings: &'r [usize],
    /// What it means.
    #[serde(flatten)]
    meaning: MeaningJson,
    /// The edits of its value.
    edits: &'r [Edit<'r>],
}

impl<'r> OutputJson<'r> {
    pub(super) fn new(output: &'r Entry<'_>) -> Self {
        Self {
            name: output.address,
            actions: &output.action,
            change: output.change,
            findings: &output.proven,
            meaning: meaning(output.meaning),
            edits: output.exact_edits.exact(),
        }
    }
}

/// Serializes entries of outputs.
fn outputs<S: Serializer>(list: &[Entry<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.iter().map(OutputJson::new))
}

/// Returns an entry of a list as JSON, with these edits instead of its own.
pub(super) fn item(list: SectionKind, entry: &Entry<'_>, edits: &[Edit<'_>]) -> io::Result<String> {
    match list {
        SectionKind::Resources | SectionKind::Drift | SectionKind::Deferred => {
            to_json(&EntryJson {
                edits,
                ..EntryJson::new(entry)
            })
        }
        SectionKind::Invocations | SectionKind::DeferredInvocations => to_json(&InvocationJson {
            edits,
            ..InvocationJson::new(entry)
        }),
        SectionKind::Outputs => to_json(&OutputJson {
            edits,
            ..OutputJson::new(entry)
        }),
    }
}
