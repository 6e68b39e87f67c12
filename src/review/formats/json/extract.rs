//! Writes what a prompt or a script needs of the JSON: what has findings, the gravest first, and counts of the rest.
//!
//! An extract is a document of its own, with `"extract": true`, whose items are those of the whole document.
//!
//! ```json
//! {"format_version": "3.1", "extract": true, "plans": [{"resources": [{"address": "aws_db_instance.main"}]}],
//!  "left_out": {"resources": 41}}
//! ```

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};

use super::plan::item;
use super::{FORMAT_VERSION, GateResult, finding, list_name, result, some, total_cost};
use crate::report::SectionKind;
use crate::review::plan::PlanReview;
use crate::review::report::worst_first;
use crate::review::{AbsentUnit, Verdict};
use crate::text::to_json as text;

/// The number of items of each list that are left out.
type Counts = HashMap<&'static str, usize>;

/// Writes the document of reviews without the entries that have no finding.
///
/// # Errors
/// If writing to `out` fails.
pub fn extract(
    reviews: &[PlanReview<'_>],
    absent: &[AbsentUnit],
    gates: &[GateResult],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut left_out = Counts::from([("absent_units", absent.len())]);
    let mut plans = Vec::with_capacity(reviews.len());
    for index in worst_first(reviews) {
        if let Some(review) = reviews.get(index) {
            plans.push(plan(review, &mut left_out)?);
        }
    }
    let counts: Vec<String> = ["absent_units", "plans"]
        .into_iter()
        .chain(lists())
        .chain(["edits"])
        .map(|name| format!("\"{name}\":{}", left_out.get(name).unwrap_or(&0)))
        .collect();
    writeln!(
        out,
        "{{\"format_version\":{},\"tfview_version\":{},\"extract\":true,\"verdict\":{},\"gates\":{},\"left_out\":{{{}}},\"plans\":[{}]}}",
        text(&FORMAT_VERSION)?,
        text(&env!("CARGO_PKG_VERSION"))?,
        text(&Verdict::total(reviews))?,
        text(&gates)?,
        counts.join(","),
        plans.join(",")
    )
}

/// Returns the names of a plan's lists, in the order of the document.
fn lists() -> impl Iterator<Item = &'static str> {
    ["findings"]
        .into_iter()
        .chain(SectionKind::ALL.map(list_name))
        .chain(["checks", "with"])
}

/// Returns a plan as JSON, with what has findings, and counts the rest.
fn plan(review: &PlanReview<'_>, left_out: &mut Counts) -> io::Result<String> {
    let mut items: HashMap<&'static str, Vec<String>> = HashMap::new();
    let mut findings: Vec<_> = review.proven().iter().collect();
    findings.sort_by_key(|listed| Reverse(listed.finding.level));
    for listed in findings {
        let json = text(&finding(listed))?;
        items.entry("findings").or_default().push(json);
    }
    for check in &review.checks {
        items.entry("checks").or_default().push(text(check)?);
    }
    for list in SectionKind::ALL {
        let mut entries: Vec<_> = review.changes.list(list).iter().collect();
        entries.sort_by_cached_key(|entry| entry.risk());
        for entry in entries {
            if entry.proven.is_empty() {
                *left_out.entry(list_name(list)).or_default() += 1;
            } else {
                let json = item(list, entry, entry.exact_edits.exact())?;
                items.entry(list_name(list)).or_default().push(json);
            }
        }
    }
    let mut results: Vec<_> = review.results.results.iter().collect();
    results.sort_by_key(|result| Reverse(result.level));
    for tool_result in results {
        let json = text(&result(tool_result))?;
        items.entry("with").or_default().push(json);
    }
    let not_kept = review
        .results
        .reports
        .iter()
        .flat_map(|report| report.left_out);
    *left_out.entry("with").or_default() += not_kept.sum::<usize>();
    let verdict = review.verdict();
    let mut json = format!(
        "{{\"name\":{},\"level\":{},\"verdict\":{},\"fingerprint\":{}",
        text(&review.title())?,
        text(&verdict.level.name())?,
        text(&verdict)?,
        text(&some(&review.fingerprint))?,
    );
    if let Some(costs) = &review.results.costs {
        json.push_str(&format!(",\"cost\":{}", text(&total_cost(costs))?));
    }
    for list in lists() {
        if let Some(items) = items.get(list) {
            json.push_str(&format!(",\"{list}\":[{}]", items.join(",")));
        }
    }
    json.push('}');
    Ok(json)
}
