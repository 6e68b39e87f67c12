//! JSON, described by `docs/review.schema.json`.
//!
//! `format_version` is 3.0: minor versions may add members, and only major versions remove or redefine any.
//! All changes of the plan are included, even those that other formats group, shorten or omit. Numbers are
//! written as in the plan. The members of an object are the fields of a type whose name ends with `Json`, in this
//! order; a test makes the schema of the same types. Control characters, invisible characters and commands to CI systems are escaped.

mod edit;
mod entry;
mod extract;
mod finding;
#[cfg(test)]
pub(crate) mod tests;
mod with;

use std::io::{self, Write};

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::dialect::Tool;
use crate::diff::edits::Edit;
use crate::model::Action;
#[cfg(test)]
use crate::review::entry::Level;
use crate::review::entry::{Entry, Group, PlanFinding, PlanReview, Rename};
use crate::review::units::AbsentUnit;
use crate::review::{ChangeKind, InputVariable, Problem, Verdict};
use crate::text::write_json;
use crate::with::{ToolReport, ToolResult};

pub use extract::{Extract, extract};

pub(crate) use edit::{EditJson, Marks, SideJson, edit, side};
use entry::{EntryJson, entry};
use finding::{FindingJson, FindingNumbers, finding, finding_numbers};
use with::{CostJson, ResultJson};

/// The version of the format.
pub const FORMAT_VERSION: &str = "3.0";

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
    json_of_units(reviews, &[], gates, None, out)
}

/// Like [`json`], with units of which there is no plan, and the document of a comparison with the approved plan.
///
/// # Errors
/// If writing to `out` fails, or `since` is not JSON.
pub fn json_of_units(
    reviews: &[PlanReview<'_>],
    absent: &[AbsentUnit],
    gates: &[GateResult],
    since: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let since = since.map(serde_json::from_str::<&RawValue>).transpose()?;
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::new).collect();
    let document = Document {
        format_version: FORMAT_VERSION,
        tfview_version: env!("CARGO_PKG_VERSION"),
        verdict: verdict(&Verdict::total(verdicts.iter())),
        gates,
        plans: Each(reviews, plan),
        absent_units: absent,
        since,
    };
    write_json(&document, out)
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
    /// The units of which there is no plan.
    absent_units: &'r [AbsentUnit],
    /// With --since: the comparison with the approved plan, as `docs/diff.schema.json` describes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "tests::AnyObject"))]
    since: Option<&'r RawValue>,
}

/// How many changes there are of each kind. Imports and moves count also where more happens.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct VerdictJson {
    sentence: String,
    /// How grave it is: the worst of all findings and changes.
    #[cfg_attr(test, schemars(extend("enum" = Level::ALL.map(Level::name))))]
    level: &'static str,
    /// How many findings there are.
    findings: FindingNumbers,
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
        level: verdict.level.name(),
        findings: finding_numbers(verdict),
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
    /// The name of the unit, if the plan is one of several.
    unit: Option<&'r str>,
    #[cfg_attr(test, schemars(extend("enum" = ["terraform", "opentofu", null])))]
    tool: Option<&'static str>,
    tool_version: Option<&'r str>,
    /// The version of the plan's format.
    format_version: Option<&'r str>,
    timestamp: Option<&'r str>,
    /// The input variables of the root module.
    variables: &'r [InputVariable<'r>],
    errored: bool,
    complete: Option<bool>,
    applyable: Option<bool>,
    /// How the plan was made; not all plans tell.
    #[cfg_attr(test, schemars(extend("enum" = ["normal", "destroy", "refresh-only"])))]
    mode: &'static str,
    verdict: VerdictJson,
    /// How grave the plan is.
    #[cfg_attr(test, schemars(extend("enum" = Level::ALL.map(Level::name))))]
    level: &'static str,
    /// What an approver must weigh, the gravest first; the same finding about several objects once.
    findings: Each<'r, PlanFinding<'r>, FindingJson<'r>>,
    /// What will be done: one entry for each change, never grouped.
    resources: Each<'r, Entry<'r>, EntryJson<'r>>,
    /// What changed outside of the tool.
    drift: Each<'r, Entry<'r>, EntryJson<'r>>,
    /// What is deferred to a later plan.
    deferred: Each<'r, Entry<'r>, EntryJson<'r>>,
    action_invocations: Each<'r, Entry<'r>, InvocationJson<'r>>,
    /// Actions whose invocation is deferred to a later plan.
    deferred_action_invocations: Each<'r, Entry<'r>, InvocationJson<'r>>,
    outputs: Each<'r, Entry<'r>, OutputJson<'r>>,
    /// Checks that did not pass.
    checks: &'r [Problem],
    groups: &'r [Group<'r>],
    /// What looks like a rename: an object is destroyed, and one of its type is created with the same values. It
    /// proves nothing about what is meant.
    renames: Vec<RenameJson<'r>>,
    /// With --with: the results of other tools about this plan, and those that fit no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<Each<'r, ToolResult<'r>, ResultJson<'r>>>,
    /// With --with: what each tool reported in each file; with the first plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    with_tools: Option<&'r [ToolReport<'r>]>,
    /// With --with and the output of Infracost: what the plan costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<CostJson<'r>>,
    /// What could not be read.
    notes: &'r [String],
    /// A hash of what the plan does, without sensitive values: `tfview diff --approved` compares it.
    fingerprint: Option<&'r str>,
}

fn plan<'r>(plan: &'r PlanReview<'_>) -> PlanJson<'r> {
    // Those of a found configuration file are last.
    let listed = plan.findings.partition_point(|listed| !listed.is_found());
    let listed = plan.findings.get(..listed).unwrap_or_default();
    PlanJson {
        name: &plan.name,
        unit: plan.unit.as_deref(),
        tool: plan.tool.map(Tool::name),
        tool_version: some(plan.tool_version),
        format_version: some(plan.format_version),
        timestamp: some(plan.timestamp),
        variables: &plan.variables,
        errored: plan.errored,
        complete: plan.complete,
        applyable: plan.applyable,
        mode: plan.mode.name(),
        verdict: verdict(&Verdict::new(plan)),
        level: plan.level.name(),
        findings: Each(listed, finding),
        resources: Each(&plan.resources, entry),
        drift: Each(&plan.drift, entry),
        deferred: Each(&plan.deferred, entry),
        action_invocations: Each(&plan.invocations, invocation),
        deferred_action_invocations: Each(&plan.deferred_invocations, invocation),
        outputs: Each(&plan.outputs, output),
        checks: &plan.checks,
        groups: &plan.groups,
        renames: plan.renames.iter().filter_map(|found| rename(plan, found)).collect(),
        with: (!plan.with.is_empty()).then_some(Each(&plan.with.results, with::result)),
        with_tools: (!plan.with.reports.is_empty()).then_some(&*plan.with.reports),
        cost: plan.with.costs.as_ref().map(with::cost),
        notes: &plan.notes,
        fingerprint: some(&plan.fingerprint),
    }
}

/// An object that is destroyed, and one that is created with the same values.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct RenameJson<'r> {
    /// The address of the destroyed object.
    from: &'r str,
    /// The address of the created object.
    to: &'r str,
    /// The attributes with the same values.
    equal: &'r [&'r str],
    /// The attributes that are the same but for the instance keys of both.
    differs: &'r [&'r str],
}

fn rename<'r>(plan: &'r PlanReview<'_>, found: &'r Rename<'_>) -> Option<RenameJson<'r>> {
    let [from, to] = [plan.resources.get(found.from)?.address, plan.resources.get(found.to)?.address];
    Some(RenameJson { from, to, equal: &found.equal, differs: &found.differs })
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
    /// Indices in the findings of the plan.
    findings: &'r [usize],
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

fn invocation<'r>(invocation: &'r Entry<'_>) -> InvocationJson<'r> {
    InvocationJson {
        address: invocation.address,
        action_type: invocation.resource_type,
        trigger: match invocation.trigger {
            Some(trigger) => TriggerJson { event: trigger.event, address: Some(trigger.address) },
            None => TriggerJson { event: "invoke", address: some(invocation.caller) },
        },
        deferred_reason: invocation.deferred_reason,
        findings: invocation.findings.proven(),
        edits: Each(invocation.exact_edits, edit),
    }
}

/// An output that changes.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct OutputJson<'r> {
    name: &'r str,
    actions: Vec<&'r str>,
    change: &'r str,
    /// Indices in the findings of the plan.
    findings: &'r [usize],
    edits: Each<'r, Edit<'r>, EditJson<'r>>,
}

fn output<'r>(output: &'r Entry<'_>) -> OutputJson<'r> {
    OutputJson {
        name: output.address,
        actions: output.action.words().split(',').collect(),
        change: if output.action == Action::Delete { "destroy" } else { output.action.words() },
        findings: output.findings.proven(),
        edits: Each(output.exact_edits, edit),
    }
}
