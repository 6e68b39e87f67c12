//! The results of other tools and the costs, in the JSON.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::some;
#[cfg(test)]
use crate::with::ResultLevel;
use crate::with::{Amount, Cost, Costs, ToolReport, ToolResult};

/// A result of another tool. Its texts are the tool's.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ResultJson<'r> {
    tool: &'r str,
    rule: Option<&'r str>,
    /// How grave it is, in the words of SARIF.
    #[cfg_attr(test, schemars(extend("enum" = ResultLevel::ALL.map(ResultLevel::name))))]
    level: &'static str,
    /// How grave it is, in the tool's own word.
    severity: &'r str,
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

pub(super) fn result<'r>(result: &'r ToolResult<'_>) -> ResultJson<'r> {
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

/// What a tool reported in a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ToolJson<'r> {
    tool: &'r str,
    version: Option<&'r str>,
    /// The file of --with.
    file: &'r str,
    /// The number of its results, without suppressed ones.
    results: usize,
    /// The number of results that the project has suppressed.
    suppressed: usize,
    /// The number of results that are not in `with`, because there are too many.
    left_out: usize,
}

pub(super) fn tool<'r>(report: &'r ToolReport<'_>) -> ToolJson<'r> {
    ToolJson {
        tool: report.tool,
        version: some(report.version),
        file: &report.file,
        results: report.results,
        suppressed: report.suppressed,
        left_out: report.left_out.iter().sum(),
    }
}

/// A monthly cost. Amounts are decimal texts; null for one that is unknown or depends on usage.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct CostJson<'r> {
    /// The ISO code.
    currency: &'r str,
    before: Option<String>,
    after: Option<String>,
    difference: Option<String>,
    /// The costs of resources whose cost changes, sorted by address.
    resources: Vec<ResourceCostJson<'r>>,
}

/// The monthly cost of a resource.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ResourceCostJson<'r> {
    address: &'r str,
    before: Option<String>,
    after: Option<String>,
    difference: Option<String>,
}

/// The sum alone.
pub(super) fn total<'r>(costs: &'r Costs<'_>) -> CostJson<'r> {
    let text = |amount: Option<Amount>| amount.map(Amount::decimal);
    let Cost { before, after, difference } = costs.total;
    CostJson {
        currency: costs.currency,
        before: text(before),
        after: text(after),
        difference: text(difference),
        resources: Vec::new(),
    }
}

pub(super) fn cost<'r>(costs: &'r Costs<'_>) -> CostJson<'r> {
    let text = |amount: Option<Amount>| amount.map(Amount::decimal);
    let mut resources: Vec<ResourceCostJson<'_>> = costs
        .resources
        .iter()
        .filter(|(_, cost)| cost.before != cost.after || cost.difference.is_some())
        .map(|(address, cost)| ResourceCostJson {
            address,
            before: text(cost.before),
            after: text(cost.after),
            difference: text(cost.difference),
        })
        .collect();
    resources.sort_unstable_by_key(|resource| resource.address);
    CostJson { resources, ..total(costs) }
}
