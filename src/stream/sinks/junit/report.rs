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
    pub files: Vec<TestedFile>,
    /// Diagnostics that do not belong to a test, for example about the configuration.
    pub entries: Vec<ReportEntry>,
    /// The index of each file, by path.
    indices: HashMap<String, usize>,
}

/// A test file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestedFile {
    /// The path.
    pub path: String,
    /// The result; none if it was never reported.
    pub status: Option<Status>,
    /// The duration, in milliseconds.
    pub millis: Option<u64>,
    /// The runs, in order of their messages.
    pub runs: Vec<TestedRun>,
    /// Diagnostics of the file itself.
    pub entries: Vec<ReportEntry>,
    /// Whether there was a message besides its announcement.
    pub has_begun: bool,
    began: Option<Moment>,
    /// The index of each run, by name.
    indices: HashMap<String, usize>,
}

/// A run of a test file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestedRun {
    /// The name.
    pub name: String,
    /// The result; none if it was never reported.
    pub status: Option<Status>,
    /// The duration, in milliseconds.
    pub millis: Option<u64>,
    /// Diagnostics of the run.
    pub entries: Vec<ReportEntry>,
    /// Whether there was a message besides its announcement.
    pub has_begun: bool,
    began: Option<Moment>,
}

/// The status of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
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
pub struct ReportEntry {
    /// Whether it is an error rather than a warning.
    pub is_error: bool,
    /// The summary, on one line.
    pub summary: String,
    /// The full text, as displayed.
    pub text: String,
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
        let file = self.file_mut(path);
        file.has_begun = true;
        update(&mut file.began, &mut file.millis, &mut file.status, step);
    }

    pub(super) fn run(&mut self, path: &str, name: &str, step: &Step<'_>) {
        let file = self.file_mut(path);
        file.has_begun = true;
        let run = file.run_mut(name);
        run.has_begun = true;
        update(&mut run.began, &mut run.millis, &mut run.status, step);
    }

    /// Adds an entry to a run; to a file if `run` is empty; to the report itself if `path` is empty.
    pub(super) fn add(&mut self, path: &str, run: &str, entry: ReportEntry) {
        match (path, run) {
            ("", _) => self.entries.push(entry),
            (_, "") => self.file_mut(path).entries.push(entry),
            (_, _) => self.file_mut(path).run_mut(run).entries.push(entry),
        }
    }

    fn file_mut(&mut self, path: &str) -> &mut TestedFile {
        let at = index_of(&mut self.indices, path);
        if at == self.files.len() {
            self.files.push(TestedFile { path: path.to_owned(), ..TestedFile::default() });
        }
        &mut self.files[at]
    }
}

impl TestedFile {
    fn run_mut(&mut self, name: &str) -> &mut TestedRun {
        let at = index_of(&mut self.indices, name);
        if at == self.runs.len() {
            self.runs.push(TestedRun { name: name.to_owned(), ..TestedRun::default() });
        }
        &mut self.runs[at]
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

fn update(
    began: &mut Option<Moment>,
    millis: &mut Option<u64>,
    status: &mut Option<Status>,
    step: &Step<'_>,
) {
    if !step.is_end() {
        *began = began.or(step.moment);
        return;
    }
    *status = Status::parse(step.status);
    if let (Some(began), Some(ended)) = (*began, step.moment) {
        *millis = Some(ended.millis_since(began));
    }
}
