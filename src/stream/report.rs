//! The results of tests: files and their runs, each with its diagnostics.
//!
//! Invariant: texts are those that are displayed, so that nothing is in them that a display hides.
//! Kept only on request; it grows with the number of tests.

use foldhash::HashMap;

use super::time::Moment;

/// The tests of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The test files, as they came.
    pub files: Vec<TestedFile>,
    /// Diagnostics of no test, for example of the configuration.
    pub entries: Vec<ReportEntry>,
    /// The index of each file, by its path.
    places: HashMap<String, usize>,
}

/// A test file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestedFile {
    /// Its path.
    pub path: String,
    /// The result; none if it was never reported.
    pub status: Option<Status>,
    /// How long it took, in milliseconds.
    pub millis: Option<u64>,
    /// Its runs, as they came.
    pub runs: Vec<TestedRun>,
    /// Diagnostics of the file itself.
    pub entries: Vec<ReportEntry>,
    /// It is more than a name that was announced.
    pub has_begun: bool,
    began: Option<Moment>,
    /// The index of each run, by its name.
    places: HashMap<String, usize>,
}

/// A run of a test file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestedRun {
    /// Its name.
    pub name: String,
    /// The result; none if it was never reported.
    pub status: Option<Status>,
    /// How long it took, in milliseconds.
    pub millis: Option<u64>,
    /// Diagnostics of the run.
    pub entries: Vec<ReportEntry>,
    /// It is more than a name that was announced.
    pub has_begun: bool,
    began: Option<Moment>,
}

/// How a test went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Well.
    Pass,
    /// Something did not hold.
    Fail,
    /// Something went wrong.
    Error,
    /// It was not made.
    Skip,
    /// A word that neither tool uses today.
    Other(String),
}

impl Status {
    fn of(word: &str) -> Option<Self> {
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
    /// It is an error, not a warning.
    pub is_error: bool,
    /// In one line.
    pub summary: String,
    /// All of it, as it is displayed.
    pub text: String,
}

/// How far a test is, as the messages have it.
pub(super) struct Step<'s> {
    pub(super) progress: &'s str,
    pub(super) status: &'s str,
    pub(super) moment: Option<Moment>,
}

impl Step<'_> {
    /// OpenTofu reports a test when it is over, Terraform its progress too.
    fn is_end(&self) -> bool {
        matches!(self.progress, "" | "complete")
    }
}

impl Report {
    /// Takes in the tests that are going to be made.
    pub(super) fn announce<'n>(&mut self, path: &str, runs: impl Iterator<Item = &'n str>) {
        let file = self.file_of(path);
        runs.for_each(|run| {
            file.run_of(run);
        });
    }

    pub(super) fn file(&mut self, path: &str, step: &Step<'_>) {
        let file = self.file_of(path);
        file.has_begun = true;
        take(&mut file.began, &mut file.millis, &mut file.status, step);
    }

    pub(super) fn run(&mut self, path: &str, name: &str, step: &Step<'_>) {
        let file = self.file_of(path);
        file.has_begun = true;
        let run = file.run_of(name);
        run.has_begun = true;
        take(&mut run.began, &mut run.millis, &mut run.status, step);
    }

    /// Adds an entry for a run; for a file if `run` is empty, for neither if `path` is empty.
    pub(super) fn add(&mut self, path: &str, run: &str, entry: ReportEntry) {
        match (path, run) {
            ("", _) => self.entries.push(entry),
            (_, "") => self.file_of(path).entries.push(entry),
            (_, _) => self.file_of(path).run_of(run).entries.push(entry),
        }
    }

    fn file_of(&mut self, path: &str) -> &mut TestedFile {
        let at = place(&mut self.places, path);
        if at == self.files.len() {
            self.files.push(TestedFile { path: path.to_owned(), ..TestedFile::default() });
        }
        &mut self.files[at]
    }
}

impl TestedFile {
    fn run_of(&mut self, name: &str) -> &mut TestedRun {
        let at = place(&mut self.places, name);
        if at == self.runs.len() {
            self.runs.push(TestedRun { name: name.to_owned(), ..TestedRun::default() });
        }
        &mut self.runs[at]
    }
}

/// The index of the item of this name; the next free index for a new one.
fn place(places: &mut HashMap<String, usize>, name: &str) -> usize {
    if let Some(at) = places.get(name) {
        return *at;
    }
    places.insert(name.to_owned(), places.len());
    places.len() - 1
}

fn take(began: &mut Option<Moment>, millis: &mut Option<u64>, status: &mut Option<Status>, step: &Step<'_>) {
    if !step.is_end() {
        *began = began.or(step.moment);
        return;
    }
    *status = Status::of(step.status);
    if let (Some(began), Some(ended)) = (*began, step.moment) {
        *millis = Some(ended.millis_since(began));
    }
}
