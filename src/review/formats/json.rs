//! Writes reviews as JSON, which `docs/review.schema.json` describes.
//!
//! Minor versions may add members; only major versions remove or redefine any. All changes of the plan are included,
//! and numbers are written as in the plan. A test makes the schema of the types here, so their doc comments are
//! published. Control characters, invisible characters and commands to CI systems are escaped.
//!
//! ```json
//! {"format_version": "3.1", "verdict": {"sentence": "1 to destroy.", "level": "critical", "destroy": 1},
//!  "gates": [], "plans": [{"name": "plan.json", "resources": [{"address": "aws_db_instance.main", "edits": []}]}]}
//! ```

mod edit;
mod extract;
mod plan;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::diff::edits::Path;
use crate::report::SectionKind;
use crate::review::AbsentUnit;
use crate::review::Verdict;
use crate::review::entry::PlanFinding;
use crate::review::plan::PlanReview;
use crate::text::write_json;
use crate::with::tie::Tied;
use crate::with::{Cost, Costs, ToolReport, ToolResult};

pub(crate) use edit::{Marks, SideJson, edit, side};
pub use extract::extract;
use plan::PlanJson;

/// The version of this format, which documents have as `format_version`.
pub const FORMAT_VERSION: &str = "4.0";

/// The result of a `--fail-on` condition.
#[derive(Clone, Debug, Serialize)]
pub struct GateResult {
    /// The condition.
    pub name: String,
    /// Whether the condition is met.
    pub violated: bool,
    /// The matching addresses.
    pub by: Vec<String>,
}

/// Writes reviews as JSON. `since` is the document of a comparison with the approved plan.
///
/// # Errors
/// If writing to `out` fails, or if `since` is not JSON.
pub fn json(
    reviews: &[PlanReview<'_>],
    absent: &[AbsentUnit],
    gates: &[GateResult],
    since: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let since = since.map(serde_json::from_str::<&RawValue>).transpose()?;
    let document = Document {
        format_version: FORMAT_VERSION,
        tfview_version: env!("CARGO_PKG_VERSION"),
        verdict: Verdict::total(reviews),
        gates,
        plans: reviews.iter().map(PlanJson::new).collect(),
        absent_units: absent,
        since,
    };
    write_json(&document, out)
}

/// Returns a text, or `None` if it is empty.
pub(crate) fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// The review of one or several plans.
#[derive(Serialize)]
struct Document<'r> {
    /// The version of this format.
    format_version: &'static str,
    /// The release that wrote the document.
    tfview_version: &'static str,
    /// The counts of all plans together.
    verdict: Verdict,
    /// The conditions of --fail-on, and what violates them.
    gates: &'r [GateResult],
    /// The plans, in the order in which they were given.
    plans: Vec<PlanJson<'r>>,
    /// The units of which there is no plan.
    absent_units: &'r [AbsentUnit],
    /// With --since: the comparison with the approved plan, as `docs/diff.schema.json` describes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<&'r RawValue>,
}

/// What other tools said of a plan.
#[derive(Serialize)]
struct TiedJson<'r> {
    /// With --with: the results of other tools about this plan, and those that fit no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<Vec<ResultJson<'r>>>,
    /// With --with: what each tool reported in each file; with the first plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    with_tools: Option<&'r [ToolReport<'r>]>,
    /// With --with and the output of Infracost: what the plan costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<CostJson<'r>>,
}

impl<'r> TiedJson<'r> {
    fn new(results: &'r Tied<'_>) -> Self {
        Self {
            with: (!results.is_empty()).then(|| results.results.iter().map(result).collect()),
            with_tools: (!results.reports.is_empty()).then_some(&*results.reports),
            cost: results.costs.as_ref().map(cost),
        }
    }
}

/// Something that an approver must check.
#[derive(Serialize)]
struct FindingJson<'r> {
    /// What kind of finding it is.
    kind: &'static str,
    /// How grave it is.
    level: &'static str,
    /// The first object's; null for outputs.
    address: Option<&'r str>,
    /// The key of the first object where it is deposed.
    deposed: Option<&'r str>,
    /// The list that the objects are in.
    #[serde(rename = "in")]
    list: &'static str,
    /// The place in the first object; null for the object as a whole.
    path: Option<Path<'r>>,
    /// In words, without the address.
    text: &'r str,
    /// How many objects have it.
    count: usize,
    /// Their addresses; for outputs, their names.
    addresses: &'r [&'r str],
    /// It is about statements of a policy that is known only after apply, as far as the configuration proves them.
    expected: bool,
    /// It is about drift that this plan undoes: one level lower, and no gate is violated.
    undone: bool,
    /// The name of the rule, after project: for a project's own.
    rule: &'r str,
    /// The configuration that was named accepts it, so no gate on findings is violated; not there otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<AcceptedJson<'r>>,
}

#[derive(Serialize)]
struct AcceptedJson<'r> {
    /// As the project gives it.
    reason: &'r str,
    /// The last day on which it is accepted, as YYYY-MM-DD.
    until: &'r str,
}

/// Converts a finding to its form in the JSON, where missing texts are null.
fn finding<'r>(listed: &'r PlanFinding<'_>) -> FindingJson<'r> {
    let PlanFinding {
        finding,
        part,
        addresses,
        deposed,
        accepted,
    } = listed;
    let is_output = *part == SectionKind::Outputs;
    FindingJson {
        kind: finding.kind.name(),
        level: finding.level.name(),
        address: addresses.first().copied().filter(|_| !is_output),
        deposed: some(deposed),
        list: list_name(*part),
        path: (!finding.path.is_empty()).then_some(finding.path),
        text: &finding.text,
        count: addresses.len(),
        addresses,
        expected: finding.is_expected,
        undone: finding.is_undone,
        rule: &finding.rule,
        accepted: accepted.as_ref().map(|accepted| AcceptedJson {
            reason: &accepted.reason,
            until: &accepted.until,
        }),
    }
}

/// Serializes the findings without those by a rule of a found configuration file, which are the last.
fn proven<S: Serializer>(findings: &[PlanFinding<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(
        findings
            .iter()
            .take_while(|listed| !listed.is_found())
            .map(finding),
    )
}

/// Returns the name of a list in the JSON.
fn list_name(list: SectionKind) -> &'static str {
    match list {
        SectionKind::Resources => "resources",
        SectionKind::Drift => "drift",
        SectionKind::Deferred => "deferred",
        SectionKind::Invocations => "action_invocations",
        SectionKind::DeferredInvocations => "deferred_action_invocations",
        SectionKind::Outputs => "outputs",
    }
}

/// A result of another tool. Its texts are the tool's.
#[derive(Serialize)]
struct ResultJson<'r> {
    /// The name of the tool.
    tool: &'r str,
    /// The name of the rule; null if the tool has none.
    rule: Option<&'r str>,
    /// How grave it is, in the words of SARIF.
    level: &'static str,
    /// How grave it is, in the tool's own word.
    severity: &'r str,
    /// The message of the tool.
    text: &'r str,
    /// A page about the rule.
    url: Option<&'r str>,
    /// What it is about: addresses of instances; or of a resource or block, for all of its instances. Empty if it fits
    /// nothing in the plan.
    addresses: &'r [&'r str],
    /// The file, if the result fits nothing in the plan.
    file: Option<&'r str>,
    /// The line in the file, from 1.
    line: Option<u64>,
}

/// Converts a result of another tool to its form in the JSON.
fn result<'r>(result: &'r ToolResult<'_>) -> ResultJson<'r> {
    let lines = result.lines();
    ResultJson {
        tool: result.tool,
        rule: some(result.rule),
        level: result.level.name(),
        severity: result.severity,
        text: result.text,
        url: result.url,
        addresses: &result.addresses,
        file: lines.map(|(file, _)| file),
        line: lines.map(|(_, line)| line).filter(|line| *line > 0),
    }
}

/// A monthly cost. Amounts are decimal texts; null for one that is unknown or depends on usage.
#[derive(Serialize)]
struct CostJson<'r> {
    /// The ISO code.
    currency: &'r str,
    #[serde(flatten)]
    total: Cost,
    /// The costs of resources whose cost changes, sorted by address.
    resources: Vec<ResourceCostJson<'r>>,
}

/// The monthly cost of a resource.
#[derive(Serialize)]
struct ResourceCostJson<'r> {
    address: &'r str,
    #[serde(flatten)]
    cost: Cost,
}

/// Returns the total cost, without that of single resources.
fn total_cost<'r>(costs: &'r Costs<'_>) -> CostJson<'r> {
    CostJson {
        currency: costs.currency,
        total: costs.total,
        resources: Vec::new(),
    }
}

/// Returns the total cost, and the costs of the objects whose cost changes, sorted by address.
fn cost<'r>(costs: &'r Costs<'_>) -> CostJson<'r> {
    let changed = costs
        .resources
        .iter()
        .filter(|(_, cost)| cost.before != cost.after || cost.difference.is_some());
    let mut resources: Vec<_> = changed
        .map(|(address, cost)| ResourceCostJson {
            address,
            cost: *cost,
        })
        .collect();
    resources.sort_by_key(|resource| resource.address);
    CostJson {
        resources,
        ..total_cost(costs)
    }
}
