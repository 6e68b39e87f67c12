//! JSON, described by `docs/review.schema.json`.
//!
//! `format_version` is 2.0: minor versions may add members, and only major versions remove or redefine any.
//! All changes of the plan are included, even those that other formats group, shorten or omit. Numbers are
//! written as in the plan. The members of an object are the fields of a type whose name ends with `Json`, in this
//! order; a test makes the schema of the same types. Control characters, invisible characters and commands to CI systems are escaped.

mod edit;
#[cfg(test)]
pub(crate) mod published;

use std::io::{self, Write};

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::ser::{CompactFormatter, Formatter};
use serde_json::value::RawValue;

use crate::dialect::Tool;
use crate::diff::edits::Edit;
use crate::json::Value;
#[cfg(test)]
use crate::review::entry::FactKind;
use crate::review::entry::{Entry, Invocation, Output, PlanReview, Reason, RuleOrigin};
use crate::review::{ChangeKind, InputVariable, Problem, Verdict};
use crate::term;
use crate::term::ci::command_ends;

pub(crate) use edit::{EditJson, Marks, SlotJson, edit, slot};
use edit::{MarkedJson, PathJson};

/// The version of the format.
pub const FORMAT_VERSION: &str = "2.0";

/// The result of a `--fail-on` condition.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GateResult {
    /// The condition.
    pub name: String,
    /// Whether the condition is met.
    pub violated: bool,
    /// The matching addresses.
    pub by: Vec<String>,
}

/// Writes reviews as one document.
///
/// # Errors
/// If writing to `out` fails.
pub fn json(reviews: &[PlanReview<'_>], gates: &[GateResult], out: &mut dyn Write) -> io::Result<()> {
    json_since(reviews, gates, None, out)
}

/// Like [`json`], with the document of a comparison with the approved plan.
///
/// # Errors
/// If writing to `out` fails, or `since` is not JSON.
pub fn json_since(
    reviews: &[PlanReview<'_>],
    gates: &[GateResult],
    since: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let since = since.map(serde_json::from_str::<&RawValue>).transpose()?;
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Escaping);
    document(reviews, gates, since).serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// Writes control characters, invisible characters and commands to CI systems as escapes, because the JSON may be
/// printed in a terminal or a log.
pub(crate) struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let command_ends = command_ends(fragment);
        if !term::is_suspect(fragment) && command_ends.is_empty() {
            return CompactFormatter.write_string_fragment(writer, fragment);
        }
        let mut written = 0;
        let is_escaped =
            |at: usize, c: char| term::is_dangerous(c) || command_ends.binary_search(&at).is_ok();
        for (at, c) in fragment.char_indices().filter(|(at, c)| is_escaped(*at, *c)) {
            writer.write_all(fragment.get(written..at).unwrap_or_default().as_bytes())?;
            written = at + c.len_utf8();
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        writer.write_all(fragment.get(written..).unwrap_or_default().as_bytes())
    }
}

/// A list whose items are converted while they are written, so that a large plan is never copied.
pub(crate) struct Each<'r, T, J>(pub(crate) &'r [T], pub(crate) fn(&'r T) -> J);

impl<T, J: Serialize> Serialize for Each<'_, T, J> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

/// A text, unless it is empty because an old plan does not have it.
pub(crate) fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

pub(crate) fn tool_name(tool: Tool) -> &'static str {
    match tool {
        Tool::Terraform => "terraform",
        Tool::OpenTofu => "opentofu",
    }
}

/// The review of one or several plans.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(title = "tfview review --format json"))]
struct Document<'r> {
    #[cfg_attr(test, schemars(extend("const" = FORMAT_VERSION)))]
    format_version: &'static str,
    tfview_version: &'static str,
    verdict: VerdictJson,
    gates: &'r [GateResult],
    plans: Each<'r, PlanReview<'r>, PlanJson<'r>>,
    /// With --since: the comparison with the approved plan, as `docs/diff.schema.json` describes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "published::AnyObject"))]
    since: Option<&'r RawValue>,
}

fn document<'r>(
    reviews: &'r [PlanReview<'_>],
    gates: &'r [GateResult],
    since: Option<&'r RawValue>,
) -> Document<'r> {
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::new).collect();
    Document {
        format_version: FORMAT_VERSION,
        tfview_version: env!("CARGO_PKG_VERSION"),
        verdict: verdict(&Verdict::total(verdicts.iter())),
        gates,
        plans: Each(reviews, plan),
        since,
    }
}

/// How many changes there are of each kind. Imports and moves count also where more happens.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct VerdictJson {
    sentence: String,
    /// Planning failed; the plan is not complete.
    errored: bool,
    destroy: usize,
    replace: usize,
    #[serde(rename = "replace-forget")]
    replace_forget: usize,
    forget: usize,
    other: usize,
    update: usize,
    create: usize,
    read: usize,
    import: usize,
    #[serde(rename = "move")]
    moved: usize,
    drift: usize,
    outputs: usize,
    deferred: usize,
    action_invocations: usize,
    deferred_action_invocations: usize,
    failed_checks: usize,
}

fn verdict(verdict: &Verdict) -> VerdictJson {
    VerdictJson {
        sentence: verdict.sentence(),
        errored: verdict.errored,
        destroy: verdict.count(ChangeKind::Destroy),
        replace: verdict.count(ChangeKind::Replace),
        replace_forget: verdict.count(ChangeKind::ReplaceForget),
        forget: verdict.count(ChangeKind::Forget),
        other: verdict.count(ChangeKind::Other),
        update: verdict.count(ChangeKind::Update),
        create: verdict.count(ChangeKind::Create),
        read: verdict.count(ChangeKind::Read),
        import: verdict.count(ChangeKind::Import),
        moved: verdict.count(ChangeKind::Move),
        drift: verdict.drift,
        outputs: verdict.outputs,
        deferred: verdict.deferred,
        action_invocations: verdict.invocations,
        deferred_action_invocations: verdict.deferred_invocations,
        failed_checks: verdict.failed_checks,
    }
}

/// The review of one plan. All lists are in the order of the plan.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct PlanJson<'r> {
    /// The file, with :N for the Nth plan in it.
    name: &'r str,
    #[cfg_attr(test, schemars(extend("enum" = ["terraform", "opentofu", null])))]
    tool: Option<&'static str>,
    tool_version: Option<&'r str>,
    /// The version of the plan's format.
    format_version: Option<&'r str>,
    timestamp: Option<&'r str>,
    /// The input variables of the root module.
    variables: Each<'r, InputVariable<'r>, VariableJson<'r>>,
    errored: bool,
    complete: Option<bool>,
    applyable: Option<bool>,
    verdict: VerdictJson,
    /// What will be done: one entry for each change, never grouped.
    resources: Each<'r, Entry<'r>, EntryJson<'r>>,
    /// What changed outside of the tool.
    drift: Each<'r, Entry<'r>, EntryJson<'r>>,
    /// What is deferred to a later plan.
    deferred: Each<'r, Entry<'r>, EntryJson<'r>>,
    action_invocations: Each<'r, Invocation<'r>, InvocationJson<'r>>,
    /// Actions whose invocation is deferred to a later plan.
    deferred_action_invocations: Each<'r, Invocation<'r>, InvocationJson<'r>>,
    outputs: Each<'r, Output<'r>, OutputJson<'r>>,
    /// Checks that did not pass.
    checks: Each<'r, Problem, CheckJson<'r>>,
    groups: Vec<GroupJson<'r>>,
    /// What could not be read.
    notes: &'r [String],
    /// A hash of what the plan does, without sensitive values: `tfview diff --approved` compares it.
    fingerprint: Option<&'r str>,
}

fn plan<'r>(plan: &'r PlanReview<'_>) -> PlanJson<'r> {
    PlanJson {
        name: &plan.name,
        tool: plan.tool.map(tool_name),
        tool_version: some(plan.tool_version),
        format_version: some(plan.format_version),
        timestamp: some(plan.timestamp),
        variables: Each(&plan.variables, variable),
        errored: plan.errored,
        complete: plan.complete,
        applyable: plan.applyable,
        verdict: verdict(&Verdict::new(plan)),
        resources: Each(&plan.resources, entry),
        drift: Each(&plan.drift, entry),
        deferred: Each(&plan.deferred, entry),
        action_invocations: Each(&plan.invocations, invocation),
        deferred_action_invocations: Each(&plan.deferred_invocations, invocation),
        outputs: Each(&plan.outputs, output),
        checks: Each(&plan.checks, check),
        groups: (0..)
            .zip(&plan.groups)
            .map(|(id, group)| GroupJson { id, members: &group.members, same: group.same.name() })
            .collect(),
        notes: &plan.notes,
        fingerprint: some(&plan.fingerprint),
    }
}

/// An input variable.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct VariableJson<'r> {
    name: &'r str,
    /// Its declaration says so, or the plan has no declaration of it.
    sensitive: bool,
    /// Its value is its default.
    default: bool,
    /// Its value: with --variables, and for a sensitive one also --show-sensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<MarkedJson<'r>>,
}

fn variable<'r>(variable: &'r InputVariable<'_>) -> VariableJson<'r> {
    VariableJson {
        name: variable.name,
        sensitive: variable.is_sensitive,
        default: variable.is_default,
        value: variable.value.map(MarkedJson),
    }
}

/// Entries whose changes are the same.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct GroupJson<'r> {
    id: usize,
    /// Their addresses.
    members: &'r [&'r str],
    #[cfg_attr(test, schemars(extend("enum" = ["exactly", "but for the key"])))]
    same: &'static str,
}

/// One change of a resource instance object.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct EntryJson<'r> {
    /// The address; built from its parts where an old plan has none.
    address: &'r str,
    /// The address before a move.
    previous_address: Option<&'r str>,
    /// The module's address; null for the root module.
    module_address: Option<&'r str>,
    mode: Option<&'r str>,
    /// The resource type.
    #[serde(rename = "type")]
    resource_type: Option<&'r str>,
    name: Option<&'r str>,
    /// The instance key: a string, a number, or null.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    index: Value<'r>,
    /// The key of a deposed object.
    deposed: Option<&'r str>,
    provider_name: Option<&'r str>,
    /// The plan's words.
    actions: Vec<&'r str>,
    /// The plan's word.
    action_reason: Option<&'r str>,
    /// create, update, replace, replace-forget, destroy, forget or read; import or move where nothing else happens;
    /// the plan's words, joined by commas, where they are new.
    change: &'r str,
    importing: Option<ImportingJson<'r>>,
    /// As in the plan.
    #[cfg_attr(test, schemars(with = "Option<Vec<serde_json::Value>>"))]
    replace_paths: Value<'r>,
    /// With --source: where the resource is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceJson<'r>>,
    /// Drift only: whether relevant_attributes names what drifted.
    #[serde(skip_serializing_if = "Option::is_none")]
    relevant: Option<bool>,
    /// Deferred changes only: the plan's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    deferred_reason: Option<&'r str>,
    reasons: Each<'r, Reason, ReasonJson<'r>>,
    /// What deserves a look.
    facts: Vec<FactJson<'r>>,
    /// The changes that make this one necessary, as the configuration's references prove it.
    causes: Vec<CauseJson<'r>>,
    /// The id of one of groups.
    group: Option<usize>,
    /// A filter hides the entry in the text formats.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    edits: Each<'r, Edit<'r>, EditJson<'r>>,
}

fn entry<'r>(entry: &'r Entry<'_>) -> EntryJson<'r> {
    let facts = entry.facts.iter().filter(|fact| fact.origin != RuleOrigin::Found);
    EntryJson {
        address: entry.address,
        previous_address: some(entry.previous_address),
        module_address: some(entry.module_address),
        mode: some(entry.mode),
        resource_type: some(entry.resource_type),
        name: some(entry.name),
        index: entry.index,
        deposed: some(entry.deposed),
        provider_name: some(entry.provider_name),
        actions: entry.actions().collect(),
        action_reason: some(entry.action_reason),
        change: entry.change(),
        importing: entry.importing.map(|importing| ImportingJson {
            id: some(importing.id),
            identity: importing.identity,
            unknown: importing.unknown,
        }),
        replace_paths: entry.replace_paths,
        source: entry.source.as_ref().map(|source| SourceJson {
            file: &source.file,
            line: source.line,
            block: source.block.name(),
        }),
        relevant: entry.relevant,
        deferred_reason: entry.deferred_reason,
        reasons: Each(&entry.reasons, |reason| ReasonJson { code: &reason.code, text: &reason.text }),
        facts: facts
            .map(|fact| FactJson { kind: fact.kind.name(), path: PathJson(fact.path), text: &fact.text })
            .collect(),
        causes: entry
            .causes
            .iter()
            .map(|cause| CauseJson {
                attribute: cause.attribute,
                address: cause.address,
                source: some(cause.source),
            })
            .collect(),
        group: entry.group,
        hidden: entry.hidden,
        edits: Each(entry.edits, edit),
    }
}

/// A place in configuration files.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct SourceJson<'r> {
    /// The file, below the directory of --source as it was given, with / between names.
    file: &'r str,
    /// The line of the block's header, from 1.
    line: u64,
    /// The block of the resource; or the call of the module that it is in, whose files are not at hand.
    #[cfg_attr(test, schemars(extend("enum" = ["resource", "module"])))]
    block: &'static str,
}

/// Where an object is imported from.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ImportingJson<'r> {
    id: Option<&'r str>,
    #[cfg_attr(test, schemars(with = "Option<published::AnyObject>"))]
    identity: Value<'r>,
    /// The ID is known only after apply.
    unknown: bool,
}

/// Why something happens.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ReasonJson<'r> {
    code: &'r str,
    text: &'r str,
}

/// Something that deserves a look.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct FactJson<'r> {
    #[cfg_attr(test, schemars(extend("enum" = FactKind::ALL.map(FactKind::name))))]
    kind: &'static str,
    path: PathJson<'r>,
    text: &'r str,
}

/// A change that makes another one necessary.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct CauseJson<'r> {
    /// The attribute that it changes, or makes unknown.
    attribute: &'r str,
    /// The address of the change that causes it.
    address: &'r str,
    /// The attribute there; null for the whole object.
    source: Option<&'r str>,
}

/// An action that is invoked.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct InvocationJson<'r> {
    address: &'r str,
    #[serde(rename = "type")]
    action_type: &'r str,
    trigger: TriggerJson<'r>,
    /// Deferred invocations only: the plan's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    deferred_reason: Option<&'r str>,
    /// Its configuration, as something added.
    edits: Each<'r, Edit<'r>, EditJson<'r>>,
}

/// What invokes an action.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct TriggerJson<'r> {
    /// BeforeCreate and so on; invoke for the command line.
    event: &'r str,
    /// The resource whose change invokes the action, or that calls it.
    address: Option<&'r str>,
}

fn invocation<'r>(invocation: &'r Invocation<'_>) -> InvocationJson<'r> {
    InvocationJson {
        address: invocation.address,
        action_type: invocation.action_type,
        trigger: match invocation.trigger {
            Some(trigger) => TriggerJson { event: trigger.event, address: Some(trigger.address) },
            None => TriggerJson { event: "invoke", address: some(invocation.caller) },
        },
        deferred_reason: invocation.deferred_reason,
        edits: Each(invocation.edits, edit),
    }
}

/// An output that changes.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct OutputJson<'r> {
    name: &'r str,
    actions: Vec<&'r str>,
    change: &'r str,
    edits: Each<'r, Edit<'r>, EditJson<'r>>,
}

fn output<'r>(output: &'r Output<'_>) -> OutputJson<'r> {
    OutputJson {
        name: output.name,
        actions: output.action.words().split(',').collect(),
        change: output.change(),
        edits: Each(output.edits, edit),
    }
}

/// A check that did not pass.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct CheckJson<'r> {
    address: &'r str,
    status: &'r str,
    messages: Vec<&'r str>,
}

fn check(check: &Problem) -> CheckJson<'_> {
    CheckJson {
        address: &check.address,
        status: &check.status,
        messages: some(&check.message).into_iter().collect(),
    }
}
