//! Reads the monthly costs that Infracost estimates, and adds them up without the errors of binary fractions.
//!
//! Source: the JSON output of Infracost, version 0.2. Amounts are decimal texts. An absent amount is not zero: it
//! depends on usage or is unknown.

use std::collections::HashMap;
use std::fmt;

use serde::Serialize;

use super::{ResultReader, items, member, or, string};
use crate::json::Value;

/// An amount; a decimal text in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "String")]
pub struct Amount(i128);

/// The number by which amounts are multiplied as integers: they are kept in millionths.
const UNIT: i128 = 1_000_000;
/// The maximum number of digits before the point.
const MAX_DIGITS: usize = 15;

impl Amount {
    /// Parses a decimal text such as `-742.64`. Digits after the sixth decimal are dropped. Returns `None` for anything
    /// else, and for more than `MAX_DIGITS` digits before the point.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let all_digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(whole) || !all_digits(fraction) || whole.len() > MAX_DIGITS {
            return None;
        }
        let kept: String = fraction.chars().chain("000000".chars()).take(6).collect();
        let amount = whole.parse::<i128>().ok()? * UNIT + kept.parse::<i128>().ok()?;
        Some(Self(if negative { -amount } else { amount }))
    }

    /// Whether the amount would be written as zero.
    pub fn is_zero(self) -> bool {
        self.0.saturating_abs() < UNIT / 200
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
        let sign = match self.0 {
            _ if self.is_zero() => "± ",
            ..0 => "- ",
            0.. => "+ ",
        };
        format!("{sign}{}", Self(self.0.saturating_abs()).monthly(currency))
    }

    /// Returns the amount with its currency: `312 $/month`.
    pub fn monthly(self, currency: &str) -> String {
        format!("{self} {}/month", symbol(currency))
    }
}

/// Returns the exact text of an amount: `312.5`.
impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        let sign = if amount.0 < 0 { "-" } else { "" };
        let (amount, unit) = (amount.0.unsigned_abs(), UNIT.unsigned_abs());
        let text = format!("{sign}{}.{:06}", amount / unit, amount % unit);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

impl fmt::Display for Amount {
    /// Writes the amount for readers: with two decimals below 100, and with separators of
    /// thousands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 && !self.is_zero() {
            "-"
        } else {
            ""
        };
        let amount = self.0.saturating_abs();
        // The hundredths of a large amount are irrelevant.
        let (whole, cents) = if amount >= 100 * UNIT {
            ((amount + UNIT / 2) / UNIT, None)
        } else {
            let cents = (amount + UNIT / 200) / (UNIT / 100);
            (cents / 100, Some(cents % 100))
        };
        let digits = whole.to_string();
        let mut grouped = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        match cents.filter(|cents| *cents > 0) {
            Some(cents) => write!(f, "{sign}{grouped}.{cents:02}"),
            None => write!(f, "{sign}{grouped}"),
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
    let currency = or(string(root, "currency"), "USD");
    reader.tool("infracost", "");
    if items(root, "projects").is_empty() {
        reader.failure("the file has no project, so nothing was estimated");
    }
    for project in reader.objects(root, "projects") {
        let project = &project;
        reader.object(*project, "metadata");
        for error in reader.list(*project, "metadata.errors") {
            reader.failure(or(string(*error, "message"), "the tool reports an error"));
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
