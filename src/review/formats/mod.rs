//! The formats of a review. All text formats are written from one [document](crate::report).
//!
//! Invariant: the formats of one review say the same. They differ in layout, and in how much they have space for.
//!
//! ```text
//! [PlanReview] -> Report -> terminal, Markdown, HTML
//! [PlanReview] -> JSON, SARIF, the report of GitLab, the short text
//! ```

pub(crate) mod json;
mod sarif;
mod summary;

use std::io::{self, Write};

pub use json::{FORMAT_VERSION, GateResult, extract, json};
pub use sarif::sarif;
pub use summary::text_summary;

use super::plan::PlanReview;
use super::report::report;
use super::{ChangeKind, Options, Verdict};
use crate::page::Html;
use crate::render::PlanTexts;
use crate::report::{self, Coverage, Layout, Report};
use crate::report::{Budget, PageOptions};
use crate::term::StyledText;
use crate::term::ci::CiLog;

/// Returns the document that the text for the terminal is written from.
pub fn document<'r>(reviews: &'r [PlanReview<'_>], options: &Options) -> Report<'r> {
    report(reviews, None, options)
}

/// Writes reviews as text, in at most `bytes` if that is given. In the log of a CI system, resources are collapsible,
/// and data is escaped so that it contains no commands.
///
/// # Errors
/// If writing to `sink` fails.
pub fn terminal(
    reviews: &[PlanReview<'_>],
    options: &Options,
    colour: bool,
    ci: Option<CiLog>,
    bytes: Option<usize>,
    sink: &mut dyn Write,
) -> io::Result<Vec<Coverage>> {
    let mut report = report(reviews, None, options);
    let layout = layout(options);
    match bytes {
        Some(bytes) => report::terminal_within(&mut report, layout, colour, bytes, sink)?,
        None => report::terminal(&report, layout, colour, ci, sink)?,
    }
    Ok(coverages(report))
}

/// Returns the text for the terminal with its styles, for other programs.
pub fn styled_terminal(reviews: &[PlanReview<'_>], options: &Options) -> io::Result<StyledText> {
    report::styled_terminal(&report(reviews, None, options), layout(options))
}

/// Returns the options that concern the layout.
fn layout(options: &Options) -> Layout {
    let Options {
        width,
        wraps,
        links,
        fingerprint,
        ..
    } = *options;
    Layout {
        width,
        wraps,
        links,
        fingerprint,
    }
}

/// Writes reviews as Markdown within a limit, and returns how each of their edits is shown.
pub fn markdown(
    reviews: &[PlanReview<'_>],
    options: &Options,
    budget: Budget,
) -> (String, Vec<Coverage>) {
    let mut report = report(reviews, None, options);
    let text = report::markdown(&mut report, budget);
    (text, coverages(report))
}

/// Writes reviews as a page, with the texts of the tools, and returns how each of their edits is shown.
///
/// # Errors
/// If writing to `sink` fails.
pub fn html(
    reviews: &[PlanReview<'_>],
    texts: &[PlanTexts],
    options: &Options,
    page: &PageOptions,
    sink: &mut dyn Write,
) -> io::Result<Vec<Coverage>> {
    let report = report(reviews, Some(texts), options);
    report::page(&report, page, sink)?;
    Ok(coverages(report))
}

/// Writes one plan into a page, and returns how each of its edits is shown there.
pub fn html_part(
    html: &mut Html,
    review: &PlanReview<'_>,
    texts: &PlanTexts,
    options: &Options,
) -> Option<Coverage> {
    let report = report(
        std::slice::from_ref(review),
        Some(std::slice::from_ref(texts)),
        options,
    );
    report
        .parts
        .iter()
        .for_each(|part| report::page_part(html, part));
    coverages(report).pop()
}

fn coverages(report: Report<'_>) -> Vec<Coverage> {
    report.parts.into_iter().map(|part| part.coverage).collect()
}

/// Returns the report that GitLab shows in a merge request: the numbers of objects that are created, updated and
/// deleted. A replacement counts as both created and deleted.
pub fn gitlab_report(reviews: &[PlanReview<'_>]) -> String {
    let verdict = Verdict::total(reviews);
    let replaced = verdict.count(ChangeKind::Replace);
    let created =
        verdict.count(ChangeKind::Create) + replaced + verdict.count(ChangeKind::ReplaceForget);
    let deleted = verdict.count(ChangeKind::Destroy) + replaced;
    format!(
        "{{\"create\":{created},\"update\":{},\"delete\":{deleted}}}\n",
        verdict.count(ChangeKind::Update)
    )
}
