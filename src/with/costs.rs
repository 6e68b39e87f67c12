//! Reads the monthly costs that Infracost estimates, and adds them up without the errors of binary fractions.
//!
//! Source: the JSON output of Infracost, version 0.2. Amounts are decimal texts. An absent amount is not zero: it
//! depends on usage or is unknown.

use std::collections::HashMap;
use std::fmt;

use rust_decimal::{Decimal, RoundingStrategy};
use serde::Serialize;

use super::{ResultReader, items, member, non_empty_or, string};
use crate::json::Value;

/// An amount; a decimal text in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "String")]
pub struct Amount(Decimal);

impl Amount {
    /// Parses a decimal text such as `-742.64`. Digits after the sixth decimal are dropped. Returns `None` for anything
    /// else, and for more digits than the type has, which are 28.
    pub fn parse(text: &str) -> Option<Self> {
        // The type also reads digits that are separated by `_`, and those without any before or behind the point.
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole.strip_prefix('-').unwrap_or(whole)) || !is_number(fraction) {
            return None;
        }
        let amount = text.parse::<Decimal>().ok()?;
        Some(Self(amount.trunc_with_scale(6).normalize()))
    }

    /// Whether the amount would be written as zero.
    pub fn is_zero(self) -> bool {
        self.cents().is_zero()
    }

    /// Returns the amount in hundredths, rounded.
    fn cents(self) -> Decimal {
        self.0
            .round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
    }

    /// Returns the sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Returns the difference: `self` without `other`.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Returns the amount with its sign and its currency: `+ 312 $/month`.
    pub fn signed(self, currency: &str) -> String {
        let sign = if self.is_zero() {
            "± "
        } else if self.0.is_sign_negative() {
            "- "
        } else {
            "+ "
        };
        format!("{sign}{}", Self(self.0.abs()).monthly(currency))
    }

    /// Returns the amount with its currency: `312 $/month`.
    pub fn monthly(self, currency: &str) -> String {
        format!("{self} {}/month", symbol(currency))
    }
}

/// Returns the exact text of an amount: `312.5`.
impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        amount.0.normalize().to_string()
    }
}

impl fmt::Display for Amount {
    /// Writes the amount for readers: with two decimals below 100, and with separators of
    /// thousands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The hundredths of a large amount are irrelevant.
        let is_large = self.0.abs() >= Decimal::ONE_HUNDRED;
        let decimals = if is_large { 0 } else { 2 };
        let amount = self
            .0
            .round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero);
        let sign = if amount.is_sign_negative() && !amount.is_zero() {
            "-"
        } else {
            ""
        };
        let digits = amount.abs().trunc().to_string();
        let mut grouped = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        let fraction = amount.abs().fract();
        if fraction.is_zero() {
            write!(f, "{sign}{grouped}")
        } else {
            let cents = (fraction * Decimal::ONE_HUNDRED).normalize();
            write!(f, "{sign}{grouped}.{cents:0>2}")
        }
    }
}

fn symbol(currency: &str) -> &str {
    match currency {
        "USD" | "" => "$",
        "EUR" => "€",
        "GBP" => "£",
        "JPY" => "¥",
        code if code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase()) => code,
        _ => "units",
    }
}

/// A monthly cost before and after the change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Before; null if it is unknown or depends on usage.
    pub before: Option<Amount>,
    /// After; null if it is unknown or depends on usage.
    pub after: Option<Amount>,
    /// The difference.
    pub difference: Option<Amount>,
}

impl Cost {
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

/// The monthly costs of a plan.
#[derive(Clone, Debug, Default)]
pub struct Costs<'a> {
    /// The name of the file that was read.
    pub file: String,
    /// The path of the plan, as it was given to Infracost.
    pub path: &'a str,
    /// The ISO code of the currency, such as `USD`.
    pub currency: &'a str,
    /// The sum of all resources.
    pub total: Cost,
    /// The cost of each resource, by address.
    pub resources: HashMap<&'a str, Cost>,
}

impl<'a> Costs<'a> {
    /// Adds the costs of another file about the same plan. Returns whether both have the same currency; otherwise
    /// nothing is added.
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

    /// Returns the additional cost of a change: `+ 312 $/month`. Returns `None` if it is unknown.
    pub fn difference(&self, cost: &Cost) -> Option<String> {
        cost.difference.map(|amount| amount.signed(self.currency))
    }

    /// Returns the change of the total, or else the total after the change: `cost: + 312 $/month (100 → 412)`,
    /// `cost after: 412 $/month`. `None` if neither is known.
    pub fn sentence(&self) -> Option<String> {
        let Cost { before, after, .. } = self.total;
        let side = |amount: Option<Amount>| {
            amount.map_or("unknown".to_owned(), |amount| amount.to_string())
        };
        match self.difference(&self.total) {
            Some(words) => Some(format!(
                "cost: {words} ({} → {})",
                side(before),
                side(after)
            )),
            None => after.map(|after| format!("cost after: {}", after.monthly(self.currency))),
        }
    }
}

/// Reads the JSON of Infracost. Returns whether the document is such JSON.
pub(super) fn read<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let has = |name| root.get(name).is_some();
    if !has("projects") || !(has("totalMonthlyCost") || has("currency") || has("totalHourlyCost")) {
        return false;
    }
    let currency = non_empty_or(string(root, "currency"), "USD");
    reader.tool("infracost", "");
    if items(root, "projects").is_empty() {
        reader.failure("the file has no project, so nothing was estimated");
    }
    for project in reader.objects(root, "projects") {
        let project = &project;
        reader.object(*project, "metadata");
        for error in reader.list(*project, "metadata.errors") {
            reader.failure(non_empty_or(
                string(*error, "message"),
                "the tool reports an error",
            ));
        }
        let breakdowns =
            ["pastBreakdown", "breakdown", "diff"].map(|name| reader.object(*project, name));
        let [past, now, diff] = breakdowns;
        let mut costs = Costs {
            file: reader.file.to_owned(),
            path: string(*project, "metadata.path"),
            currency,
            total: Cost {
                before: total(past),
                after: total(now),
                difference: total(diff).or_else(|| Some(total(now)?.minus(total(past)?))),
            },
            resources: HashMap::new(),
        };
        let mut prices = |breakdown: Value<'a>, set: fn(&mut Cost, Option<Amount>)| {
            for resource in items(breakdown, "resources") {
                let cost = costs
                    .resources
                    .entry(string(*resource, "name"))
                    .or_default();
                set(cost, amount(*resource, "monthlyCost"));
            }
        };
        prices(past, |cost, amount| cost.before = amount);
        prices(now, |cost, amount| cost.after = amount);
        prices(diff, |cost, amount| cost.difference = amount);
        if diff.is_null() {
            for cost in costs.resources.values_mut() {
                cost.difference = cost
                    .after
                    .zip(cost.before)
                    .map(|(after, before)| after.minus(before));
            }
        }
        reader.read.costs.push(costs);
    }
    // Costs are no results: a report says only what the tool did not look at.
    reader.read.reports.retain(|report| report.results > 0);
    true
}

fn total(breakdown: Value<'_>) -> Option<Amount> {
    amount(breakdown, "totalMonthlyCost")
}

fn amount(value: Value<'_>, name: &str) -> Option<Amount> {
    let (Value::String(text) | Value::Number(text)) = member(value, name) else {
        return None;
    };
    Amount::parse(text)
}
