//! The results of tests: files and their runs, with diagnostics.
//!
//! Invariant: texts are those that are displayed, so they contain nothing that the display hides. The report
//! is kept only on request, because it grows with the number of tests.

use foldhash::HashMap;

use crate::stream::time::Moment;

/// The tests of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The test files, with their paths as names.
    pub(super) files: Tests,
    /// Diagnostics that do not belong to a test, for example about the configuration.
    pub(super) entries: Vec<ReportEntry>,
}

/// Test files, or the runs of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tests {
    /// In order of their messages.
    pub(super) all: Vec<Test>,
    /// The index of each, by name.
    indices: HashMap<String, usize>,
}

/// A test file, or a run of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) name: String,
    /// The result; none if it was never reported.
    pub(super) status: Option<Status>,
    /// The duration, in milliseconds.
    pub(super) millis: Option<u64>,
    /// Its diagnostics.
    pub(super) entries: Vec<ReportEntry>,
    /// Whether there was a message besides its announcement.
    pub(super) has_begun: bool,
    began: Option<Moment>,
    /// The runs of a file.
    pub(super) runs: Tests,
}

/// The status of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::stream::sinks) enum Status {
    /// It passed.
    Pass,
    /// An assertion failed.
    Fail,
    /// It could not be completed because of an error.
    Error,
    /// It was skipped.
    Skip,
    /// A word that neither tool uses so far.
    Other(String),
}

impl Status {
    pub(in crate::stream::sinks) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "" => return None,
            "pass" => Self::Pass,
            "fail" => Self::Fail,
            "error" => Self::Error,
            "skip" | "pending" => Self::Skip,
            other => Self::Other(other.to_owned()),
        })
    }
}

/// A diagnostic in the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReportEntry {
    /// Whether it is an error rather than a warning.
    pub(super) is_error: bool,
    /// The summary, on one line.
    pub(super) summary: String,
    /// The full text, as displayed.
    pub(super) text: String,
}

impl Report {
    /// Adds tests that are about to be run.
    pub(super) fn announce<'n>(&mut self, path: &str, runs: impl Iterator<Item = &'n str>) {
        let file = self.files.get_mut(path);
        runs.for_each(|run| {
            file.runs.get_mut(run);
        });
    }

    /// The file at `path`, to which something happens.
    pub(super) fn file(&mut self, path: &str) -> &mut Test {
        let file = self.files.get_mut(path);
        file.has_begun = true;
        file
    }

    /// Adds an entry to a run; to a file if `run` is empty; to the report itself if `path` is empty.
    pub(super) fn add(&mut self, path: &str, run: &str, entry: ReportEntry) {
        let entries = match (path, run) {
            ("", _) => &mut self.entries,
            (_, "") => &mut self.files.get_mut(path).entries,
            (_, _) => &mut self.files.get_mut(path).runs.get_mut(run).entries,
        };
        entries.push(entry);
    }
}

impl Tests {
    /// The test with this name, which is added if it is new.
    pub(super) fn get_mut(&mut self, name: &str) -> &mut Test {
        let at = self.indices.get(name).copied().unwrap_or(self.all.len());
        if at == self.all.len() {
            self.indices.insert(name.to_owned(), at);
            self.all.push(Test { name: name.to_owned(), ..Test::default() });
        }
        &mut self.all[at]
    }
}

impl Test {
    /// Records the progress from a message. OpenTofu reports a test only at its end, Terraform also its progress.
    pub(super) fn update(&mut self, progress: &str, status: &str, moment: Option<Moment>) {
        self.has_begun = true;
        if !matches!(progress, "" | "complete") {
            self.began = self.began.or(moment);
            return;
        }
        self.status = Status::parse(status);
        if let (Some(began), Some(ended)) = (self.began, moment) {
            self.millis = Some(ended.millis_since(began));
        }
    }
}
