//! The contributions of others to a review: the results of other tools, the cost, and who has to approve.
//!
//! ```text
//! trivy 0.58.1: 2 errors, 1 tied to no resource
//! needs @acme/data (2); other owners: @acme/web (5)
//! ```

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::groups::EntryGroup;
use crate::report::{OtherResults, ResultLine, Tone};
use crate::review::entry::Entry;
use crate::review::finding::Acceptance;
use crate::review::plan::PlanReview;
use crate::review::{count, one_line};
use crate::text::{first_of, nonzero};
use crate::with::tie::Tied;
use crate::with::{Amount, ResultLevel, ToolReport, ToolResult};

/// The maximum number of results about a group that are read. Further ones are counted.
const MAX_RESULTS: usize = 1_000;
/// The maximum number of owners, or groups of alternative owners, in a line.
const MAX_OWNERS: usize = 10;

/// Returns the results of other tools about the objects of a group. Equal results are listed once, at most `max` in
/// all.
pub(super) fn of_group(group: &EntryGroup<'_, '_>, tied: &Tied<'_>, max: usize) -> OtherResults {
    let (results, left_out) = tied.about(&group.addresses(), MAX_RESULTS);
    // A rule often says the same about each object of a group.
    let keyed = results
        .into_iter()
        .map(|result| ((result.tool, result.rule, result.text), result));
    let mut same = crate::grouping::groups(keyed);
    same.sort_by_key(|same| same.first().map(|result| Reverse(result.level)));
    let line = |same: &Vec<&ToolResult<'_>>| {
        let mut line = line(same.first()?, String::new());
        if same.len() > 1 {
            line.text.push_str(&format!(" (× {})", same.len()));
        }
        Some(line)
    };
    let more = left_out + same.len().saturating_sub(max);
    OtherResults {
        shown: same.iter().take(max).filter_map(line).collect(),
        more,
    }
}

/// Returns the results about objects that the review does not show: unchanged ones, or objects that the plan does not
/// have. `None` if there are no such results.
pub(super) fn apart(review: &PlanReview<'_>, max: usize) -> Option<OtherResults> {
    let tied = &review.results;
    let mut rest = tied.about_others(review.changes.objects().map(|(_, entry)| entry.address));
    rest.sort_by_key(|result| Reverse(result.level));
    let counted: usize = tied.reports.iter().flat_map(|report| report.left_out).sum();
    let more = rest.len().saturating_sub(max) + counted;
    let subject = |result: &ToolResult<'_>| match result.addresses.is_empty() {
        true => result
            .place()
            .map(|place| format!("{place}:"))
            .unwrap_or_default(),
        false => format!("{}:", result.subject()),
    };
    let shown = rest
        .iter()
        .take(max)
        .map(|result| line(result, subject(result)))
        .collect();
    (!rest.is_empty() || more > 0).then_some(OtherResults { shown, more })
}

/// Returns the line for a result.
fn line(result: &ToolResult<'_>, subject: String) -> ResultLine {
    let words = [result.tool, result.severity, result.rule];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    ResultLine {
        label: words.join(" "),
        tone: match result.level {
            ResultLevel::Error => Tone::Alert,
            ResultLevel::Warning => Tone::Changed,
            ResultLevel::Note => Tone::Muted,
        },
        subject,
        text: result.text.to_owned(),
        url: result.url.map(str::to_owned),
    }
}

/// Returns the change of the monthly cost of a group; `None` if it is not known.
pub(super) fn cost(group: &EntryGroup<'_, '_>, tied: &Tied<'_>) -> Option<String> {
    let costs = tied.costs.as_ref()?;
    let known = group
        .entries
        .iter()
        .filter_map(|entry| costs.resources.get(entry.address));
    let difference = known
        .filter_map(|cost| cost.difference)
        .reduce(Amount::plus)?;
    Some(difference.signed(costs.currency))
}

/// Returns the lines of the head about other tools and owners.
pub(super) fn head(review: &PlanReview<'_>) -> Vec<String> {
    let tied = &review.results;
    let mut tools: BTreeMap<&str, Vec<&ToolResult<'_>>> = BTreeMap::new();
    for result in &tied.results {
        tools.entry(result.tool).or_default().push(result);
    }
    for report in &tied.reports {
        tools.entry(report.tool).or_default();
    }
    let tools = tools
        .into_iter()
        .map(|(tool, results)| tool_line(tool, &results, &tied.reports));
    let lines = accepted(review)
        .into_iter()
        .chain(tools)
        .chain(tied.notes.iter().cloned())
        .chain(owners(review));
    lines.map(|line| one_line(&line)).collect()
}

/// Counts the findings that the configuration accepts, by reason.
fn accepted(review: &PlanReview<'_>) -> Vec<String> {
    let mut reasons: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let accepted = review
        .findings
        .iter()
        .filter_map(|listed| listed.accepted.as_ref());
    for Acceptance { reason, until, .. } in accepted.map(AsRef::as_ref) {
        *reasons.entry((reason, until)).or_default() += 1;
    }
    let line = |((reason, until), number): ((&str, &str), usize)| {
        format!(
            "accepted until {until}: {}: {reason}",
            count(number, "finding")
        )
    };
    reasons.into_iter().map(line).collect()
}

/// Returns the numbers of results of one tool by level, and of those that no entry shows.
fn tool_line(tool: &str, results: &[&ToolResult<'_>], reports: &[ToolReport<'_>]) -> String {
    let reports = || reports.iter().filter(|report| report.tool == tool);
    let levels = ResultLevel::ALL.into_iter().filter_map(|level| {
        let number = results
            .iter()
            .filter(|result| result.level == level)
            .count();
        (number > 0).then(|| count(number, level.name()))
    });
    let mut words: Vec<String> = levels.collect();
    if words.is_empty() {
        words.push("no results".to_owned());
    }
    let loose = results
        .iter()
        .filter(|result| result.addresses.is_empty())
        .count();
    let suppressed: usize = reports().map(|report| report.suppressed).sum();
    let counted: usize = reports().flat_map(|report| report.left_out).sum();
    words.extend(nonzero([
        (loose, "tied to no resource"),
        (suppressed, "suppressed by the project"),
        (counted, "only counted, because there are too many"),
    ]));
    let version = reports().find_map(|report| report.version);
    let version = version
        .map(|version| format!(" {version}"))
        .unwrap_or_default();
    format!("{tool}{version}: {}", words.join(", "))
}

/// Returns who has to approve an entry: `needs @dba or @org/data, and @net`. `None` if it has no findings or no owners.
pub(super) fn needs(entry: &Entry<'_>) -> Option<String> {
    let needs = !entry.findings.is_empty() && !entry.owners.is_empty();
    let all = || {
        entry
            .owners
            .iter()
            .map(|any| any.join(" or "))
            .collect::<Vec<_>>()
            .join(", and ")
    };
    needs.then(|| format!("needs {}", all()))
}

/// Returns the owners of the changed objects, first those of objects with findings.
fn owners(review: &PlanReview<'_>) -> Option<String> {
    let of = |has_findings: bool| {
        let entries = review
            .changes
            .resources
            .iter()
            .chain(&review.changes.deferred);
        let entries = entries.filter(|entry| entry.findings.is_empty() != has_findings);
        crate::grouping::counts(
            entries
                .flat_map(|entry| entry.owners.iter())
                .map(|owners| owners.join(" or ")),
        )
    };
    let (needed, mut others) = (of(true), of(false));
    others.retain(|owners, _| !needed.contains_key(owners));
    let listed = |owners: &BTreeMap<String, usize>| {
        let owners = owners
            .iter()
            .map(|(names, number)| format!("{names} ({number})"));
        first_of(owners, MAX_OWNERS)
    };
    match (needed.is_empty(), others.is_empty()) {
        (true, true) => None,
        (true, false) => Some(format!("owners of what changes: {}", listed(&others))),
        (false, true) => Some(format!("needs {}", listed(&needed))),
        (false, false) => Some(format!(
            "needs {}; other owners: {}",
            listed(&needed),
            listed(&others)
        )),
    }
}
