//! Consecutive diagnostics, which are collected, sorted and merged before they are shown, as in the tools.

use std::collections::{HashMap, HashSet};

use super::event::{Leftovers, TestName};
use crate::dialect::{Dialect, Tool};
use crate::json::{Raw, from_str};
use crate::model::diagnostic::{Diagnostic, Severity};

/// The maximum size of pending diagnostics, in bytes, so that memory is bounded for any input.
const MAX_PENDING: usize = 32 << 20;

/// The summaries of warnings about checks, which are never merged.
const CHECK_SUMMARIES: [&str; 2] =
    ["Check block assertion failed", "Check block assertion known after apply"];

/// Diagnostics that are collected to be sorted and merged.
#[derive(Debug, Default)]
pub(super) struct PendingDiagnostics {
    texts: Vec<String>,
    size: usize,
    /// The test that they belong to.
    test: TestName,
    /// Objects that the test before them left behind.
    leftovers: Option<Leftovers>,
    /// The line prefix of the first one.
    pub(super) line_prefix: String,
}

impl PendingDiagnostics {
    /// Whether there is nothing to show.
    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.leftovers.is_none()
    }

    /// Whether a diagnostic of this test can be added to the pending ones.
    pub(super) fn accepts(&self, (file, run): (&str, &str)) -> bool {
        let is_same = self.test.file == file && self.test.run == run;
        self.size <= MAX_PENDING && (self.texts.is_empty() || is_same)
    }

    /// Adds a diagnostic of a test. `line_prefix` is that of its message.
    pub(super) fn add(&mut self, json: Raw<'_>, (file, run): (&str, &str), line_prefix: &str) {
        if self.texts.is_empty() {
            line_prefix.clone_into(&mut self.line_prefix);
            self.test = TestName { file: file.to_owned(), run: run.to_owned() };
        }
        self.size += json.text().len();
        self.texts.push(json.text().to_owned());
    }

    /// Adds objects that a test left behind.
    pub(super) fn add_leftovers(&mut self, leftovers: Leftovers, line_prefix: &str) {
        line_prefix.clone_into(&mut self.line_prefix);
        self.leftovers = Some(leftovers);
    }

    /// The parsed diagnostics.
    pub(super) fn parse(&self) -> Vec<Diagnostic<'_>> {
        self.texts.iter().filter_map(|text| from_str(text).ok()).collect()
    }
}

/// Diagnostics to be shown together.
#[derive(Debug)]
pub(super) struct DiagnosticGroup<'d> {
    /// All diagnostics, in the order of their messages.
    pub(super) all: &'d [Diagnostic<'d>],
    /// The diagnostics in the order in which they are shown, each with the number of similar ones that are
    /// merged into it.
    pub(super) merged: Vec<(&'d Diagnostic<'d>, usize)>,
    /// The test that they belong to.
    pub(super) test: &'d TestName,
    /// Objects that the test before them left behind, which are listed after them.
    pub(super) leftovers: Option<&'d Leftovers>,
}

impl<'d> DiagnosticGroup<'d> {
    /// Sorts and merges `all`, which were parsed from `pending`.
    pub(super) fn new(all: &'d [Diagnostic<'d>], pending: &'d PendingDiagnostics, dialect: Dialect) -> Self {
        Self {
            all,
            merged: merged(sorted(all), dialect),
            test: &pending.test,
            leftovers: pending.leftovers.as_ref(),
        }
    }

    /// Whether there is a diagnostic of this severity.
    pub(super) fn has(&self, severity: Severity) -> bool {
        self.all.iter().any(|diagnostic| diagnostic.severity() == severity)
    }

    /// Whether all diagnostics are warnings.
    pub(super) fn has_only_warnings(&self) -> bool {
        self.all.iter().all(|diagnostic| diagnostic.severity() == Severity::Warning)
    }
}

/// Sorts like the tools: warnings first, then diagnostics without a source range, then by source range, files
/// closer to the root first.
fn sorted<'a>(all: &'a [Diagnostic<'a>]) -> Vec<&'a Diagnostic<'a>> {
    let mut sorted: Vec<_> = all.iter().collect();
    crate::sort::by(&mut sorted, |a, b| {
        let place = |diagnostic: &Diagnostic<'_>| {
            diagnostic.range.as_ref().map(|range| {
                let depth = range.filename.matches('/').count();
                (depth, range.filename.to_string(), range.start.byte, range.end.byte)
            })
        };
        (a.severity(), place(a)).cmp(&(b.severity(), place(b)))
    });
    sorted
}

/// Merges similar warnings: keeps the first of each group, with the number of the others.
///
/// OpenTofu drops all but the first deprecation warning with the same cause, wherever they are. Of the
/// remaining ones, those with the same cause are similar; warnings with an address, and all other warnings,
/// are similar if they have the same summary.
fn merged<'a>(sorted: Vec<&'a Diagnostic<'a>>, dialect: Dialect) -> Vec<(&'a Diagnostic<'a>, usize)> {
    let mut groups: Vec<(&Diagnostic<'_>, usize)> = Vec::new();
    let mut first = HashMap::new();
    let mut causes = HashSet::new();
    for diagnostic in sorted {
        if can_merge(diagnostic) {
            let cause = match dialect.tool {
                Tool::OpenTofu => deprecation_cause(diagnostic),
                Tool::Terraform => None,
            };
            if cause.is_some_and(|cause| !causes.insert(cause)) {
                continue;
            }
            let cause = cause.filter(|_| diagnostic.address.is_empty());
            let at = *first.entry((&*diagnostic.summary, cause)).or_insert(groups.len());
            if let Some((_, similar)) = groups.get_mut(at) {
                *similar += 1;
                continue;
            }
        }
        groups.push((diagnostic, 0));
    }
    groups
}

/// The cause of a deprecation warning of OpenTofu: a variable, or the source of a value. It is only in the
/// text of the message.
fn deprecation_cause<'a>(diagnostic: &'a Diagnostic<'a>) -> Option<&'a str> {
    let first = diagnostic.detail.lines().next()?;
    if let Some((before, _)) = first.split_once(" is marked as deprecated with the following message:") {
        return before.starts_with("Variable ").then_some(before);
    }
    let (before, _) = first.split_once(", which is deprecated with the following message:")?;
    before.split_once(" derived from ").map(|(_, cause)| cause)
}

/// Whether a diagnostic may be merged with others: a warning with a source range that is not about a check.
fn can_merge(diagnostic: &Diagnostic<'_>) -> bool {
    if diagnostic.severity() != Severity::Warning || diagnostic.range.is_none() {
        return false;
    }
    let in_check = diagnostic.is_in_check() && !diagnostic.address.is_empty();
    !CHECK_SUMMARIES.contains(&&*diagnostic.summary) && !in_check
}
