//! Consecutive diagnostics, which are collected, sorted and merged before they are shown, as in the tools.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io;

use crate::dialect::{Dialect, Tool};
use crate::json::{Raw, from_str};
use crate::model::diagnostic::{Diagnostic, Severity};
use crate::model::message::Message;
use crate::render::diagnostic::{DiagnosticContext, compact, diagnostic};
use crate::term::{Role, capture};

use super::report::ReportEntry;
use super::{Stream, Timestamps};

/// The maximum size of pending diagnostics, in bytes, so that memory is bounded for any input.
const MOST: usize = 32 << 20;

/// The summaries of warnings about checks, which are never merged.
const OF_CHECKS: [&str; 2] = ["Check block assertion failed", "Check block assertion known after apply"];

/// Diagnostics that are collected to be sorted and merged.
#[derive(Debug, Default)]
pub(super) struct PendingDiagnostics {
    texts: Vec<String>,
    size: usize,
    /// The test file and run that they belong to.
    about: (String, String),
    /// The time of the first one.
    time: String,
}

impl Stream<'_> {
    /// Adds a diagnostic to the pending ones.
    pub(super) fn hold(&mut self, message: &Message<'_>, raw: Option<Raw<'_>>) -> io::Result<()> {
        let about = (&*message.test_file_name, &*message.test_run_name);
        if self.pending.size > MOST || (!self.pending.texts.is_empty() && !self.pending.is_about(about)) {
            self.flush_diagnostics()?;
        }
        let severity = raw.and_then(|raw| self.hold_raw(raw, about.0, about.1));
        match severity {
            Some(Severity::Warning) => {
                if let Some(read) = raw.and_then(|raw| raw.read::<Diagnostic<'_>>().ok()) {
                    self.record.warning(&read);
                }
                Ok(())
            }
            Some(Severity::Error | Severity::Other) => {
                // Diagnostics of a test count only through the result of the test.
                if about.0.is_empty()
                    && let Some(read) = raw.and_then(|raw| raw.read::<Diagnostic<'_>>().ok())
                {
                    self.record.error(&read);
                }
                Ok(())
            }
            None => {
                // Malformed diagnostics are shown by their `@message`.
                self.flush_diagnostics()?;
                self.unknown(message)
            }
        }
    }

    /// Uses the time of the current message for pending and following diagnostics.
    pub(super) fn hold_time(&mut self) {
        self.pending.time.clone_from(&self.time);
    }

    /// Adds a diagnostic to the pending ones and returns its severity; `None` if it is malformed.
    pub(super) fn hold_raw(&mut self, raw: Raw<'_>, file: &str, run: &str) -> Option<Severity> {
        let read: Diagnostic<'_> = raw.read().ok()?;
        if self.pending.texts.is_empty() {
            self.hold_time();
        }
        self.pending.size += raw.text().len();
        self.pending.texts.push(raw.text().to_owned());
        if !self.pending.is_about((file, run)) {
            self.pending.about = (file.to_owned(), run.to_owned());
        }
        Some(read.severity())
    }

    /// Shows the pending diagnostics, and the text that belongs after them.
    pub(super) fn flush_diagnostics(&mut self) -> io::Result<()> {
        if self.pending.texts.is_empty() && !self.tests.has_leftovers() {
            return Ok(());
        }
        if self.options.timestamps == Timestamps::None {
            return self.flush_diagnostics_now();
        }
        // The current message is already a different one.
        let now = self.out.set_line_prefix(Role::Muted, &self.pending.time);
        self.flush_diagnostics_now()?;
        self.out.restore_line_prefix(now);
        Ok(())
    }

    fn flush_diagnostics_now(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        let all: Vec<Diagnostic<'_>> = pending.texts.iter().filter_map(|text| from_str(text).ok()).collect();
        let groups = merged(sorted(&all), self.dialect);
        let is = |severity| all.iter().any(|diagnostic| diagnostic.severity() == severity);
        self.leftovers_lead(is(Severity::Error))?;
        self.region.erase(&mut self.out)?;
        for diagnostic in &all {
            self.observer.diagnostic(diagnostic, &mut self.out)?;
        }
        if self.tests.reports() || self.timeline.is_some() {
            for (diagnostic, similar) in &groups {
                self.report_diagnostic(diagnostic, *similar, (&pending.about.0, &pending.about.1))?;
            }
        }
        if self.is_init && !all.is_empty() {
            self.init_gap(is(Severity::Error))?;
        }
        let only_warnings = all.iter().all(|diagnostic| diagnostic.severity() == Severity::Warning);
        if !all.is_empty() && self.options.compact_warnings && only_warnings {
            compact(groups.into_iter(), self.dialect, &mut self.out)?;
        } else {
            for (diagnostic, similar) in groups {
                self.show_diagnostic(diagnostic, similar)?;
                if self.is_init && self.dialect.spaces_init_diagnostics() {
                    self.out.lit("\n")?;
                }
            }
        }
        if !pending.about.1.is_empty() && is(Severity::Warning) && self.dialect.spaces_the_verdict() {
            self.out.lit("\n")?;
        }
        self.leftovers_tail()
    }

    fn show_diagnostic(&mut self, shown: &Diagnostic<'_>, similar: usize) -> io::Result<()> {
        let difference = match self.difference(shown, self.out.colour()) {
            Ok(difference) => difference,
            Err(error) => {
                self.note(&format!("the difference of an assertion cannot be shown: {error:#}"))?;
                None
            }
        };
        let context = self.diagnostic_context(similar, difference.as_deref());
        diagnostic(shown, &context, &mut self.out)
    }

    fn difference(&mut self, shown: &Diagnostic<'_>, colour: bool) -> anyhow::Result<Option<String>> {
        let dialect = self.dialect;
        shown.difference().map(|change| self.documents.difference(&change, dialect, colour)).transpose()
    }

    fn diagnostic_context<'d>(&self, similar: usize, difference: Option<&'d str>) -> DiagnosticContext<'d> {
        DiagnosticContext { dialect: self.dialect, width: self.options.width, similar, difference }
    }

    /// Adds a diagnostic, with its displayed text, to the test report and the timeline.
    fn report_diagnostic(
        &mut self,
        shown: &Diagnostic<'_>,
        similar: usize,
        about: (&str, &str),
    ) -> io::Result<()> {
        // An error in the difference is reported where it would be displayed.
        let difference = self.difference(shown, false).unwrap_or_default();
        let context = self.diagnostic_context(similar, difference.as_deref());
        let text = capture(false, |out| diagnostic(shown, &context, out))?;
        let is_error = shown.severity() != Severity::Warning;
        if let Some(timeline) = &mut self.timeline {
            timeline.problem(is_error, &shown.address, text.clone());
        }
        if self.tests.reports() {
            let entry = ReportEntry { is_error, summary: shown.summary.to_string(), text };
            self.tests.report(about, entry);
        }
        Ok(())
    }

    /// Writes the text before the diagnostics at the end of a test.
    fn leftovers_lead(&mut self, has_errors: bool) -> io::Result<()> {
        match self.tests.lead(self.dialect, self.options.width, has_errors) {
            Some(text) => self.say(Role::Plain, &text),
            None => Ok(()),
        }
    }

    /// Writes the text after the diagnostics at the end of a test.
    fn leftovers_tail(&mut self) -> io::Result<()> {
        match self.tests.tail(self.dialect, self.options.width) {
            Some(text) => self.say(Role::Plain, &text),
            None => Ok(()),
        }
    }
}

impl PendingDiagnostics {
    fn is_about(&self, about: (&str, &str)) -> bool {
        (self.about.0.as_str(), self.about.1.as_str()) == about
    }
}

/// Sorts like the tools: warnings first, then diagnostics without a source range, then by source range, files
/// closer to the root first.
fn sorted<'a>(all: &'a [Diagnostic<'a>]) -> Vec<&'a Diagnostic<'a>> {
    let mut sorted: Vec<_> = all.iter().collect();
    sorted.sort_by(|a, b| {
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
            match first.entry((&*diagnostic.summary, cause)) {
                Entry::Occupied(at) => {
                    let at: usize = *at.get();
                    groups[at].1 += 1;
                    continue;
                }
                Entry::Vacant(at) => {
                    at.insert(groups.len());
                }
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
    !OF_CHECKS.contains(&&*diagnostic.summary) && !in_check
}
