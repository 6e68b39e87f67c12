//! The results of tests: files and their runs, with diagnostics.
//!
//! Invariant: texts are those that are displayed, so they contain nothing that the display hides. The report
//! is kept only on request, because it grows with the number of tests.

use foldhash::HashMap;

use crate::stream::time::Moment;

/// The tests of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The test files, in order of their messages.
    pub(super) files: Vec<TestedFile>,
    /// Diagnostics that do not belong to a test, for example about the configuration.
    pub(super) entries: Vec<ReportEntry>,
    /// The index of each file, by path.
    indices: HashMap<String, usize>,
}

/// A test file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TestedFile {
    /// The file itself, with its path as the name.
    pub(super) itself: Test,
    /// The runs, in order of their messages.
    pub(super) runs: Vec<Test>,
    /// The index of each run, by name.
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

/// The progress of a test, from a message.
pub(super) struct Step<'s> {
    pub(super) progress: &'s str,
    pub(super) status: &'s str,
    pub(super) moment: Option<Moment>,
}

impl Step<'_> {
    /// Whether the test has ended. OpenTofu reports a test only at its end, Terraform also its progress.
    fn is_end(&self) -> bool {
        matches!(self.progress, "" | "complete")
    }
}

impl Report {
    /// Adds tests that are about to be run.
    pub(super) fn announce<'n>(&mut self, path: &str, runs: impl Iterator<Item = &'n str>) {
        let file = self.file_mut(path);
        runs.for_each(|run| {
            file.run_mut(run);
        });
    }

    pub(super) fn file(&mut self, path: &str, step: &Step<'_>) {
        self.file_mut(path).itself.update(step);
    }

    pub(super) fn run(&mut self, path: &str, name: &str, step: &Step<'_>) {
        let file = self.file_mut(path);
        file.itself.has_begun = true;
        file.run_mut(name).update(step);
    }

    /// Adds an entry to a run; to a file if `run` is empty; to the report itself if `path` is empty.
    pub(super) fn add(&mut self, path: &str, run: &str, entry: ReportEntry) {
        match (path, run) {
            ("", _) => self.entries.push(entry),
            (_, "") => self.file_mut(path).itself.entries.push(entry),
            (_, _) => self.file_mut(path).run_mut(run).entries.push(entry),
        }
    }

    fn file_mut(&mut self, path: &str) -> &mut TestedFile {
        let at = index_of(&mut self.indices, path);
        if at == self.files.len() {
            self.files.push(TestedFile { itself: Test::new(path), ..TestedFile::default() });
        }
        &mut self.files[at]
    }
}

impl TestedFile {
    fn run_mut(&mut self, name: &str) -> &mut Test {
        let at = index_of(&mut self.indices, name);
        if at == self.runs.len() {
            self.runs.push(Test::new(name));
        }
        &mut self.runs[at]
    }
}

impl Test {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    fn update(&mut self, step: &Step<'_>) {
        self.has_begun = true;
        if !step.is_end() {
            self.began = self.began.or(step.moment);
            return;
        }
        self.status = Status::parse(step.status);
        if let (Some(began), Some(ended)) = (self.began, step.moment) {
            self.millis = Some(ended.millis_since(began));
        }
    }
}

/// The index of the item with this name; the next free index if it is new.
fn index_of(indices: &mut HashMap<String, usize>, name: &str) -> usize {
    if let Some(at) = indices.get(name) {
        return *at;
    }
    indices.insert(name.to_owned(), indices.len());
    indices.len() - 1
}
