//! Consecutive diagnostics, which are collected, sorted and merged as in the tools; and the objects that a test
//! left behind.
//!
//! ```text
//! two warnings with the same summary     one warning, "(and one more similar warning elsewhere)"
//! an error between two warnings          the warnings, then the error
//! ```

use std::collections::{HashMap, HashSet};

use super::options::Options;
use crate::dialect::Dialect;
use crate::json::{Raw, from_str};
use crate::model::diagnostic::{Diagnostic, Severity};
use crate::model::message::{Leftover, TestCleanup, TestInterrupt};
use crate::text::{quote, wrap};

/// The limit bounds the memory for any input.
const MAX_PENDING: usize = 32 << 20;

/// Warnings about checks are never merged.
const CHECK_SUMMARIES: [&str; 2] = [
    "Check block assertion failed",
    "Check block assertion known after apply",
];

/// The file and the run of a test that a diagnostic belongs to. Both are empty outside of tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TestName {
    pub(super) file: String,
    pub(super) run: String,
}

impl TestName {
    pub(super) fn path(&self) -> String {
        if self.run.is_empty() {
            self.file.clone()
        } else {
            format!("{}/{}", self.file, self.run)
        }
    }
}

/// Diagnostics that are held back until another message arrives.
#[derive(Debug, Default)]
pub(super) struct PendingDiagnostics {
    /// Their JSON, in the order of arrival.
    texts: Vec<String>,
    /// The length of all texts, in bytes.
    size: usize,
    /// The test that they belong to.
    test: TestName,
    /// The objects that this test has left behind, if its cleanup failed.
    leftovers: Option<Leftovers>,
    /// This time is before the lines of the first one.
    pub(super) time: String,
}

impl PendingDiagnostics {
    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.leftovers.is_none()
    }

    pub(super) fn accepts(&self, test: &TestName) -> bool {
        self.size <= MAX_PENDING && (self.texts.is_empty() || self.test == *test)
    }

    pub(super) fn add(&mut self, json: Raw<'_>, test: TestName, time: &str) {
        if self.texts.is_empty() {
            time.clone_into(&mut self.time);
            self.test = test;
        }
        self.size += json.text().len();
        self.texts.push(json.text().to_owned());
    }

    /// Adds diagnostics of an earlier part of the run before the others.
    pub(super) fn add_earlier(&mut self, earlier: Vec<String>) {
        self.size += earlier.iter().map(String::len).sum::<usize>();
        self.texts.splice(0..0, earlier);
    }

    /// Takes the diagnostics out, if all are warnings. Those of checks are left out: an apply checks again.
    pub(super) fn take_warnings(&mut self) -> Vec<String> {
        let all = self.parse();
        let are_warnings = all
            .iter()
            .all(|diagnostic| diagnostic.severity() == Severity::Warning);
        if !are_warnings || all.len() < self.texts.len() {
            return Vec::new();
        }
        let is_kept: Vec<bool> = all
            .iter()
            .map(|diagnostic| !is_of_check(diagnostic))
            .collect();
        let texts = std::mem::take(&mut self.texts);
        self.size = 0;
        let kept = texts.into_iter().zip(is_kept);
        kept.filter_map(|(text, is_kept)| is_kept.then_some(text))
            .collect()
    }

    pub(super) fn add_leftovers(&mut self, cleanup: &TestCleanup<'_>, test: TestName, time: &str) {
        time.clone_into(&mut self.time);
        let (failed, skipped) = (
            names(&cleanup.failed_resources),
            names(&cleanup.skipped_resources),
        );
        self.leftovers = Some(Leftovers {
            test,
            failed,
            skipped,
        });
    }

    pub(super) fn parse(&self) -> Vec<Diagnostic<'_>> {
        self.texts
            .iter()
            .filter_map(|text| from_str(text).ok())
            .collect()
    }
}

/// Consecutive diagnostics, ready to be shown together.
#[derive(Debug)]
pub(super) struct DiagnosticGroup<'d> {
    /// All of them, in the order of arrival.
    pub(super) all: &'d [Diagnostic<'d>],
    /// In the order of display, each with the number of similar ones that are merged into it.
    pub(super) merged: Vec<(&'d Diagnostic<'d>, usize)>,
    /// The test that they belong to.
    pub(super) test: &'d TestName,
    /// The objects that this test has left behind.
    pub(super) leftovers: Option<&'d Leftovers>,
}

impl<'d> DiagnosticGroup<'d> {
    pub(super) fn new(
        all: &'d [Diagnostic<'d>],
        pending: &'d PendingDiagnostics,
        dialect: Dialect,
        options: &Options,
    ) -> Self {
        let merged = merged(sorted(all), dialect, options);
        let leftovers = pending.leftovers.as_ref();
        Self {
            all,
            merged,
            test: &pending.test,
            leftovers,
        }
    }

    pub(super) fn has(&self, severity: Severity) -> bool {
        self.all
            .iter()
            .any(|diagnostic| diagnostic.severity() == severity)
    }
}

/// Warnings come first, then diagnostics without a source range, then by source range, files closer to the root
/// first.
fn sorted<'a>(all: &'a [Diagnostic<'a>]) -> Vec<&'a Diagnostic<'a>> {
    let mut sorted: Vec<_> = all.iter().collect();
    sorted.sort_by(|a, b| {
        let position = |diagnostic: &Diagnostic<'_>| {
            diagnostic.range.as_ref().map(|range| {
                let depth = range.filename.matches('/').count();
                (
                    depth,
                    range.filename.to_string(),
                    range.start.byte,
                    range.end.byte,
                )
            })
        };
        (a.severity(), position(a)).cmp(&(b.severity(), position(b)))
    });
    sorted
}

/// The number is that of the others that are similar.
///
/// OpenTofu before 1.13 drops all but the first deprecation warning with the same cause, wherever they are. Of the remaining
/// ones, those with the same cause are similar; warnings with an address, and all other warnings, are similar if
/// they have the same summary.
fn merged<'a>(
    sorted: Vec<&'a Diagnostic<'a>>,
    dialect: Dialect,
    options: &Options,
) -> Vec<(&'a Diagnostic<'a>, usize)> {
    let mut groups: Vec<(&Diagnostic<'_>, usize)> = Vec::new();
    let mut first = HashMap::new();
    let mut causes = HashSet::new();
    for diagnostic in sorted {
        if can_merge(diagnostic, options) {
            let cause = if dialect.drops_repeated_deprecations() {
                deprecation_cause(diagnostic)
            } else {
                None
            };
            if cause.is_some_and(|cause| !causes.insert(cause)) {
                continue;
            }
            let cause = cause.filter(|_| diagnostic.address.is_empty());
            let index = *first
                .entry((diagnostic.severity(), &*diagnostic.summary, cause))
                .or_insert(groups.len());
            if let Some((_, similar)) = groups.get_mut(index) {
                *similar += 1;
                continue;
            }
        }
        groups.push((diagnostic, 0));
    }
    groups
}

/// A variable, or the source of a value (OpenTofu). Only the text of the message has it.
fn deprecation_cause<'a>(diagnostic: &'a Diagnostic<'a>) -> Option<&'a str> {
    let first = diagnostic.detail.lines().next()?;
    if let Some((before, _)) =
        first.split_once(" is marked as deprecated with the following message:")
    {
        return before.starts_with("Variable ").then_some(before);
    }
    let (before, _) = first.split_once(", which is deprecated with the following message:")?;
    before.split_once(" derived from ").map(|(_, cause)| cause)
}

/// Whether a diagnostic can be merged with similar ones: warnings with a source range that are not
/// about a check, and errors if the tool is to do so.
fn can_merge(diagnostic: &Diagnostic<'_>, options: &Options) -> bool {
    let is_wanted = match diagnostic.severity() {
        Severity::Warning => !options.separate_warnings,
        Severity::Error => options.consolidate_errors,
        Severity::Other => false,
    };
    if !is_wanted || diagnostic.range.is_none() {
        return false;
    }
    !is_of_check(diagnostic)
}

fn is_of_check(diagnostic: &Diagnostic<'_>) -> bool {
    let in_check = diagnostic.is_in_check() && !diagnostic.address.is_empty();
    CHECK_SUMMARIES.contains(&&*diagnostic.summary) || in_check
}

/// The objects that a test has left behind, by why they were not destroyed.
#[derive(Debug)]
pub(super) struct Leftovers {
    pub(super) test: TestName,
    pub(super) failed: Vec<String>,
    skipped: Vec<String>,
}

impl Leftovers {
    pub(super) fn lead(&self, dialect: Dialect, width: usize) -> String {
        let (product, test) = (dialect.product(), self.test.path());
        let text = format!(
            "{product} encountered an error destroying resources created while executing {test}."
        );
        wrap(&text, width.saturating_sub(1))
    }

    /// Lists the objects in the words of the tools, wrapped to `width` columns. `None` if there are
    /// none.
    pub(super) fn list(&self, dialect: Dialect, width: usize) -> Option<String> {
        let (product, test) = (dialect.product(), self.test.path());
        let paragraph = |(names, rest): (&Vec<String>, &str)| {
            let lead = format!(
                "{product} left the following resources in state after executing {test}{rest}"
            );
            format!("\n{}{}", wrap(&lead, width.saturating_sub(1)), list(names))
        };
        let skipped = " because the skip_cleanup attribute was set:";
        let lists = [
            (&self.failed, dialect.left_behind()),
            (&self.skipped, skipped),
        ];
        let paragraphs = lists
            .into_iter()
            .filter(|(names, _)| !names.is_empty())
            .map(paragraph);
        Some(paragraphs.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty())
    }
}

/// An address, with the key of a deposed object.
fn names(leftovers: &[Leftover<'_>]) -> Vec<String> {
    let name = |leftover: &Leftover<'_>| match &*leftover.deposed_key {
        "" => leftover.instance.to_string(),
        key => format!("{} ({key})", leftover.instance),
    };
    leftovers.iter().map(name).collect()
}

/// Each line begins with a line feed.
fn list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    names
        .into_iter()
        .map(|name| format!("\n  - {}", name.as_ref()))
        .collect()
}

/// Returns the paragraphs about an interrupted test: what it has created so far, and what it was
/// about to create.
pub(super) fn interruption(
    interrupt: &TestInterrupt<'_>,
    (file, run): (&str, &str),
    dialect: Dialect,
) -> Vec<String> {
    let product = dialect.product();
    let mut parts = vec![format!(
        "{product} was interrupted while executing {file}, and may not have performed the expected cleanup operations."
    )];
    let created = |of: &str, state: &[Leftover<'_>]| {
        format!(
            "{product} has already created the following resources {of}:{}",
            list(names(state))
        )
    };
    if !interrupt.state.is_empty() {
        parts.push(created("from the module under test", &interrupt.state));
    }
    parts.extend(
        interrupt
            .states
            .iter()
            .map(|(run, state)| created(&format!("for {}", quote(run)), state)),
    );
    if !interrupt.planned.is_empty() {
        parts.push(format!(
            "{product} was in the process of creating the following resources for {} from the module under test, \
             and they may not have been destroyed:{}",
            quote(run),
            list(interrupt.planned.iter().map(|address| &**address))
        ));
    }
    parts
}
