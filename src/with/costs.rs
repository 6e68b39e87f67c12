//! The costs that Infracost estimates.
//!
//! Source: the JSON output of Infracost, version 0.2. Amounts are decimal texts; one that is absent depends on usage
//! or is unknown, and is not zero.

use std::collections::HashMap;

use serde::Serialize;

use super::{Amount, ResultReader, items, member, or, string};
use crate::json::Value;

/// A monthly cost before and after the change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cost {
    /// Before; null if it is unknown or depends on usage.
    pub before: Option<Amount>,
    /// After; null if it is unknown or depends on usage.
    pub after: Option<Amount>,
    /// The difference.
    pub difference: Option<Amount>,
}

impl Cost {
    /// The sum of both, as far as they are known.
    fn plus(self, other: Self) -> Self {
        let sum = |a: Option<Amount>, b: Option<Amount>| match (a, b) {
            (Some(a), Some(b)) => Some(a.plus(b)),
            (a, b) => a.or(b),
        };
        Self {
            before: sum(self.before, other.before),
            after: sum(self.after, other.after),
            difference: sum(self.difference, other.difference),
        }
    }
}

/// The costs of a project: what Infracost was given, such as a plan.
#[derive(Clone, Debug, Default)]
pub struct Costs<'a> {
    /// The file of Infracost.
    pub file: String,
    /// The path that Infracost was given.
    pub path: &'a str,
    /// The ISO code of the currency.
    pub currency: &'a str,
    /// The sum.
    pub total: Cost,
    /// The costs by address.
    pub resources: HashMap<&'a str, Cost>,
}

impl<'a> Costs<'a> {
    /// Adds the costs of another project of the same plan. Returns whether they have the same currency.
    pub fn add(&mut self, costs: Self) -> bool {
        if !self.currency.is_empty() && self.currency != costs.currency {
            return false;
        }
        self.currency = costs.currency;
        self.total = self.total.plus(costs.total);
        for (address, cost) in costs.resources {
            let known = self.resources.entry(address).or_default();
            *known = known.plus(cost);
        }
        true
    }

    /// The difference in words: `+ 312 $/month`. `None` if it is unknown.
    pub fn difference(&self, cost: &Cost) -> Option<String> {
        cost.difference.map(|amount| amount.signed(self.currency))
    }

    /// The sum in words: the difference, and both sides.
    pub fn sentence(&self) -> Option<String> {
        let Cost { before, after, .. } = self.total;
        let side = |amount: Option<Amount>| amount.map_or("unknown".to_owned(), |amount| amount.to_string());
        match self.difference(&self.total) {
            Some(words) => Some(format!("cost: {words} ({} → {})", side(before), side(after))),
            None => after.map(|after| format!("cost after: {}", after.monthly(self.currency))),
        }
    }
}

/// Reads the JSON of Infracost. Returns whether it is one.
pub(super) fn read<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let has = |name| root.get(name).is_some();
    if !has("projects") || !(has("totalMonthlyCost") || has("currency") || has("totalHourlyCost")) {
        return false;
    }
    let currency = or(string(root, &["currency"]), "USD");
    for project in items(root, &["projects"]) {
        for error in items(*project, &["metadata", "errors"]) {
            if reader.read.reports.is_empty() {
                reader.tool("infracost", "");
            }
            reader.failure(string(*error, &["message"]));
        }
        let breakdowns = ["pastBreakdown", "breakdown", "diff"].map(|name| member(*project, &[name]));
        let [past, now, diff] = breakdowns;
        let mut costs = Costs {
            file: reader.file.to_owned(),
            path: string(*project, &["metadata", "path"]),
            currency,
            total: Cost {
                before: total(past),
                after: total(now),
                difference: total(diff).or_else(|| Some(total(now)?.minus(total(past)?))),
            },
            resources: HashMap::new(),
        };
        let mut prices = |breakdown: Value<'a>, set: fn(&mut Cost, Option<Amount>)| {
            for resource in items(breakdown, &["resources"]) {
                let cost = costs.resources.entry(string(*resource, &["name"])).or_default();
                set(cost, amount(*resource, "monthlyCost"));
            }
        };
        prices(past, |cost, amount| cost.before = amount);
        prices(now, |cost, amount| cost.after = amount);
        prices(diff, |cost, amount| cost.difference = amount);
        if diff.is_null() {
            for cost in costs.resources.values_mut() {
                cost.difference = cost.after.zip(cost.before).map(|(after, before)| after.minus(before));
            }
        }
        reader.read.costs.push(costs);
    }
    true
}

fn total(breakdown: Value<'_>) -> Option<Amount> {
    amount(breakdown, "totalMonthlyCost")
}

fn amount(value: Value<'_>, name: &str) -> Option<Amount> {
    let (Value::String(text) | Value::Number(text)) = member(value, &[name]) else { return None };
    Amount::parse(text)
}
