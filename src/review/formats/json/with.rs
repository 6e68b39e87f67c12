//! The results of other tools and the costs, in the JSON.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::some;
#[cfg(test)]
use crate::with::ResultLevel;
use crate::with::{Cost, Costs, ToolResult};

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

/// A monthly cost. Amounts are decimal texts; null for one that is unknown or depends on usage.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct CostJson<'r> {
    /// The ISO code.
    currency: &'r str,
    #[serde(flatten)]
    total: Cost,
    /// The costs of resources whose cost changes, sorted by address.
    resources: Vec<ResourceCostJson<'r>>,
}

/// The monthly cost of a resource.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ResourceCostJson<'r> {
    address: &'r str,
    #[serde(flatten)]
    cost: Cost,
}

/// The sum alone.
pub(super) fn total<'r>(costs: &'r Costs<'_>) -> CostJson<'r> {
    CostJson { currency: costs.currency, total: costs.total, resources: Vec::new() }
}

pub(super) fn cost<'r>(costs: &'r Costs<'_>) -> CostJson<'r> {
    let changed =
        costs.resources.iter().filter(|(_, cost)| cost.before != cost.after || cost.difference.is_some());
    let mut resources: Vec<_> =
        changed.map(|(address, cost)| ResourceCostJson { address, cost: *cost }).collect();
    crate::sort::by_key(&mut resources, |resource| resource.address);
    CostJson { resources, ..total(costs) }
}
