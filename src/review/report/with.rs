//! The results of other tools in the document: with the entries that they are about, and apart.

use std::collections::BTreeMap;

use super::groups::EntryGroup;
use crate::report::{OtherResults, ResultLine, Tone};
use crate::review::entry::PlanReview;
use crate::review::{count, one_line};
use crate::text::nonzero;
use crate::with::tie::Tied;
use crate::with::{Amount, ResultLevel, ToolReport, ToolResult};

/// The maximum number of results with an entry of a text, and of a page.
const MAX_RESULTS: usize = 10;
const MAX_PAGE_RESULTS: usize = 1_000;
/// The maximum number of results about no entry, in a text and on a page.
const MAX_APART: usize = 50;
const MAX_PAGE_APART: usize = 1_000;

/// The results about a group of entries, and the number of those that are not shown.
pub(super) fn of_group(group: &EntryGroup<'_, '_>, tied: &Tied<'_>, is_page: bool) -> OtherResults {
    let max = if is_page { MAX_PAGE_RESULTS } else { MAX_RESULTS };
    let (results, mut left_out) = tied.about(&group.addresses(), MAX_PAGE_RESULTS);
    // A rule says the same about each member of a group.
    let keyed = results.into_iter().map(|result| ((result.tool, result.rule, result.text), result));
    let same = crate::sort::grouped(keyed).into_iter();
    let mut lines: Vec<(&ToolResult<'_>, usize)> =
        same.filter_map(|same| Some((*same.first()?, same.len()))).collect();
    crate::sort::by_key(&mut lines, |(result, _)| std::cmp::Reverse(result.level));
    left_out += lines.len().saturating_sub(max);
    let line = |(result, number): &(&ToolResult<'_>, usize)| {
        let times = if *number > 1 { format!(" (× {number})") } else { String::new() };
        let text = format!("{}{times}", result.text);
        ResultLine { text, ..line(result, String::new()) }
    };
    OtherResults { shown: lines.iter().take(max).map(line).collect(), more: left_out }
}

/// The results that are about no entry of the review: about resources that do not change, and about nothing that the
/// plan has.
pub(super) fn apart(review: &PlanReview<'_>, is_page: bool) -> Option<OtherResults> {
    let max = if is_page { MAX_PAGE_APART } else { MAX_APART };
    let tied = &review.with;
    let entries = review.resources.iter().chain(&review.drift).chain(&review.deferred);
    let mut rest = tied.about_others(entries.map(|entry| entry.address));
    crate::sort::by_key(&mut rest, |result| std::cmp::Reverse(result.level));
    let counted: usize = tied.reports.iter().flat_map(|report| report.left_out).sum();
    let more = rest.len().saturating_sub(max) + counted;
    let shown = rest.iter().take(max).map(|result| line(result, subject(result))).collect();
    (!rest.is_empty() || more > 0).then_some(OtherResults { shown, more })
}

/// The difference of the costs of a group.
pub(super) fn cost(group: &EntryGroup<'_, '_>, tied: &Tied<'_>) -> Option<String> {
    let costs = tied.costs.as_ref()?;
    let known = group.entries.iter().filter_map(|entry| costs.resources.get(entry.address));
    let difference = known.filter_map(|cost| cost.difference).reduce(Amount::plus)?;
    Some(difference.signed(costs.currency))
}

fn subject(result: &ToolResult<'_>) -> String {
    if result.addresses.is_empty() {
        return result.place().map(|place| format!("{place}:")).unwrap_or_default();
    }
    format!("{}:", result.subject())
}

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

/// The lines in the head: what each tool reported, and the cost.
pub(super) fn head(review: &PlanReview<'_>) -> Vec<String> {
    let tied = &review.with;
    let mut tools: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for result in &tied.results {
        let [errors, warnings, notes, loose] = tools.entry(result.tool).or_default();
        *match result.level {
            ResultLevel::Error => errors,
            ResultLevel::Warning => warnings,
            ResultLevel::Note => notes,
        } += 1;
        *loose += usize::from(result.addresses.is_empty());
    }
    for report in &tied.reports {
        tools.entry(report.tool).or_default();
    }
    let mut lines: Vec<String> =
        tools.into_iter().map(|(tool, counts)| tool_line(tool, counts, &tied.reports)).collect();
    lines.extend(tied.costs.as_ref().and_then(|costs| costs.sentence()));
    lines.extend(tied.notes.iter().cloned());
    lines.iter().map(|line| one_line(line)).collect()
}

fn tool_line(tool: &str, [errors, warnings, notes, loose]: [usize; 4], reports: &[ToolReport<'_>]) -> String {
    let reports = || reports.iter().filter(|report| report.tool == tool);
    let levels = [(errors, "error"), (warnings, "warning"), (notes, "note")];
    let mut words: Vec<String> = levels
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| count(number, noun))
        .collect();
    if words.is_empty() {
        words.push("no results".to_owned());
    }
    let suppressed: usize = reports().map(|report| report.suppressed).sum();
    let counted: usize = reports().flat_map(|report| report.left_out).sum();
    let rest = [
        (loose, "tied to no resource"),
        (suppressed, "suppressed by the project"),
        (counted, "only counted, because there are too many"),
    ];
    words.extend(nonzero(rest));
    let version = reports().find_map(|report| report.version);
    let version = version.map(|version| format!(" {version}")).unwrap_or_default();
    format!("{tool}{version}: {}", words.join(", "))
}
