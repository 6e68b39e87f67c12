//! Consecutive diagnostics: they are collected, sorted and merged as the tools do it. Also the list of the objects that
//! a test left behind.
//!
//! Invariant: diagnostics are held back until another message arrives, so that all consecutive ones are sorted and
//! merged together; at most about `MAX_PENDING` bytes of them are kept.
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

/// The maximum size of the diagnostics that are held back, in bytes of JSON. Once it is exceeded, they are shown, so
/// that memory is bounded for any input.
const MAX_PENDING: usize = 32 << 20;

/// The summaries of diagnostics about checks. Such warnings are never merged.
const CHECK_SUMMARIES: [&str; 2] = [
    "Check block assertion failed",
    "Check block assertion known after apply",
];

/// The file and the run of a test that a diagnostic belongs to. Both names are empty outside of tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TestName {
    pub(super) file: String,
    pub(super) run: String,
}

impl TestName {
    /// Returns `FILE/RUN`, or only the file if the diagnostic belongs to no run.
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
    /// The diagnostics as JSON, in the order of arrival.
    texts: Vec<String>,
    /// The length of all texts, in bytes.
    size: usize,
    /// The test that all of them belong to.
    test: TestName,
    /// The objects that this test has left behind, if its cleanup failed.
    leftovers: Option<Leftovers>,
    /// The text of the time that is written before the lines of the first diagnostic.
    pub(super) time: String,
}

impl PendingDiagnostics {
    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.leftovers.is_none()
    }

    /// Whether a diagnostic of `test` may be added: the limit is not exceeded, and the others belong to the same test.
    pub(super) fn accepts(&self, test: &TestName) -> bool {
        self.size <= MAX_PENDING && (self.texts.is_empty() || self.test == *test)
    }

    /// Adds a diagnostic. The test and the time of the first one are those of all.
    pub(super) fn add(&mut self, json: Raw<'_>, test: TestName, time: &str) {
        if self.texts.is_empty() {
            time.clone_into(&mut self.time);
            self.test = test;
        }
        self.size += json.text().len();
        self.texts.push(json.text().to_owned());
    }

    /// Adds diagnostics from an earlier part of the run before those that are already here.
    pub(super) fn add_earlier(&mut self, earlier: Vec<String>) {
        self.size += earlier.iter().map(String::len).sum::<usize>();
        self.texts.splice(0..0, earlier);
    }

    /// Removes and returns the diagnostics if all of them are warnings; otherwise returns none and keeps them. Warnings
    /// of checks are removed but not returned, because an apply evaluates checks again.
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

    /// Sets the objects that a failed cleanup of `test` left behind. They are listed after the diagnostics.
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

    /// Parses the collected diagnostics. Those that cannot be parsed are left out.
    pub(super) fn parse(&self) -> Vec<Diagnostic<'_>> {
        self.texts
            .iter()
            .filter_map(|text| from_str(text).ok())
            .collect()
    }
}

/// Consecutive diagnostics that are shown together.
#[derive(Debug)]
pub(super) struct DiagnosticGroup<'d> {
    /// All diagnostics, in the order of arrival.
    pub(super) all: &'d [Diagnostic<'d>],
    /// The diagnostics in the order of display, each with the number of similar ones that are merged into it.
    pub(super) merged: Vec<(&'d Diagnostic<'d>, usize)>,
    /// The test that all of them belong to.
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

/// Sorts diagnostics as the tools do: warnings first; then those without a source range; then by file, files closer to
/// the root first, and by position.
fn sorted<'a>(all: &'a [Diagnostic<'a>]) -> Vec<&'a Diagnostic<'a>> {
    let mut sorted: Vec<_> = all.iter().collect();
    sorted.sort_by(|a, b| {
        let place = |diagnostic: &Diagnostic<'_>| {
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
        (a.severity(), place(a)).cmp(&(b.severity(), place(b)))
    });
    sorted
}

/// Merges similar diagnostics: returns the first of each group, with the number of others that are similar to it.
///
/// OpenTofu before 1.13 drops all deprecation warnings with the same cause except the first, wherever they are. Of the
/// remaining ones, those without an address are not merged, because their causes differ. All other diagnostics are
/// similar if they have the same severity and summary.
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

/// Returns the cause of a deprecation warning of OpenTofu: a variable, or the source of a value. Only the text of the
/// message contains it.
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

/// Whether a diagnostic can be merged with similar ones. This is so for warnings, unless they are to be separate, and
/// for errors if they are to be consolidated. Diagnostics without a source range or about a check are never merged.
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

/// Whether a diagnostic is about a check, whose warnings neither the tools nor we merge.
fn is_of_check(diagnostic: &Diagnostic<'_>) -> bool {
    let in_check = diagnostic.is_in_check() && !diagnostic.address.is_empty();
    CHECK_SUMMARIES.contains(&&*diagnostic.summary) || in_check
}

/// The objects that a test has left behind, grouped by the reason why they were not destroyed.
#[derive(Debug)]
pub(super) struct Leftovers {
    /// The test that created the objects.
    pub(super) test: TestName,
    /// The names of the objects whose destruction failed.
    pub(super) failed: Vec<String>,
    /// The names of the objects that were kept because of `skip_cleanup`.
    skipped: Vec<String>,
}

impl Leftovers {
    /// Returns the sentence before the diagnostics of a failed cleanup, wrapped to `width` columns.
    pub(super) fn lead(&self, dialect: Dialect, width: usize) -> String {
        let (product, test) = (dialect.product(), self.test.path());
        let text = format!(
            "{product} encountered an error destroying resources created while executing {test}."
        );
        wrap(&text, width.saturating_sub(1))
    }

    /// Returns the lists of the objects in the words of the tools, with leads wrapped to `width` columns. `None` if
    /// there are no objects.
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

/// Returns the address of each object, followed by its deposed key in parentheses if it has one.
fn names(leftovers: &[Leftover<'_>]) -> Vec<String> {
    let name = |leftover: &Leftover<'_>| match &*leftover.deposed_key {
        "" => leftover.instance.to_string(),
        key => format!("{} ({key})", leftover.instance),
    };
    leftovers.iter().map(name).collect()
}

/// Returns the names as the items of a list. Each item begins with a line feed.
fn list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    names
        .into_iter()
        .map(|name| format!("\n  - {}", name.as_ref()))
        .collect()
}

/// Returns the paragraphs about an interrupted test: what it has created so far, and what it was about to create.
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
