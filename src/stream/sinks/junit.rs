//! The report of tests as JUnit XML, which CI systems read: a `testsuite` for each file, and a `testcase` for each run.
//!
//! Invariants: the result is well-formed XML 1.0 for any names and texts. The report of a failed run has an `error` or
//! `failure`. Announced runs are included even if they never began. Texts are the displayed ones, so they contain
//! nothing that the display hides. The report is kept only on request, because it grows with the number of tests.
//!
//! The XML is written here, because the crate `quick-junit` (as of 0.8) does not escape line breaks and tabs in
//! attributes, removes control characters rather than showing them, and keeps U+FFFE and U+FFFF, which no XML document
//! may contain.
//!
//! ```text
//! <testsuites tests="1" failures="1" errors="0" skipped="0">
//!   <testsuite name="tests/a.tftest.hcl" tests="1" failures="1" errors="0" skipped="0">
//!     <testcase name="ports" classname="tests/a.tftest.hcl">
//!       <failure message="Test assertion failed">Error: Test assertion failed …</failure>
//!     </testcase>
//!   </testsuite>
//! </testsuites>
//! ```

#[cfg(test)]
mod tests;

use std::io;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::{Context, Ending, plain_text};
use crate::model::diagnostic::Severity;
use crate::stream::diagnostics::interruption;
use crate::stream::event::{EventKind, TestEvent};
use crate::stream::moment::Moment;
use crate::term::visible;
use crate::text::quote;

/// The name of the test case for results of a file that belong to none of its runs.
const ITSELF: &str = "(itself)";

/// The name of the suite for results that belong to no file.
const NO_FILE: &str = "(no test file)";

/// The report of the tests of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The test files by their paths.
    files: Tests,
    /// Whether the tests were interrupted, so that the remaining ones were skipped.
    is_interrupted: bool,
    /// Diagnostics that belong to no test, for example about the configuration.
    entries: Vec<Entry>,
}

/// Test files, or the runs of one, by their names, in the order of their messages.
type Tests = IndexMap<String, Test, RandomState>;

/// A test file or a run in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Test {
    /// The status in the tools' word; empty until it is known.
    status: String,
    /// The duration, in milliseconds.
    millis: Option<u64>,
    /// The diagnostics that belong to this file or run.
    entries: Vec<Entry>,
    /// Whether the test has begun, rather than only been announced.
    has_begun: bool,
    /// The time of the message with which it began.
    began: Option<Moment>,
    /// The runs of a file, in the order in which they were announced.
    runs: Tests,
}

/// A diagnostic or another problem: its summary on one line, and its full text as displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    is_error: bool,
    summary: String,
    text: String,
}

/// Returns the test with a name, which is added if it is new.
fn named<'t>(tests: &'t mut Tests, name: &str) -> &'t mut Test {
    tests.entry(name.to_owned()).or_default()
}

impl Test {
    /// Records a message about the test. If `progress` is empty or `complete`, the message has the result.
    fn update(&mut self, progress: &str, status: &str, moment: Option<Moment>) {
        self.has_begun = true;
        if !matches!(progress, "" | "complete") {
            self.began = self.began.or(moment);
            return;
        }
        status.clone_into(&mut self.status);
        if let (Some(began), Some(ended)) = (self.began, moment) {
            self.millis = Some(ended.millis_since(began));
        }
    }
}

impl Report {
    /// Records a message about tests, or diagnostics.
    pub(super) fn event(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        let (event, state, options) = (context.event, context.state, context.options);
        let (path, _) = event.test();
        if let EventKind::Diagnostics(group) = &event.kind {
            for (diagnostic, similar) in &group.merged {
                let is_error = diagnostic.severity() != Severity::Warning;
                let summary = diagnostic.summary.to_string();
                let text = plain_text(diagnostic, *similar, context)?;
                self.add(
                    &group.test.file,
                    &group.test.run,
                    Entry {
                        is_error,
                        summary,
                        text,
                    },
                );
            }
            if let Some(leftovers) = group.leftovers
                && let Some(text) = leftovers.list(state.dialect, options.width)
            {
                let is_error = !leftovers.failed.is_empty();
                let entry = Entry {
                    is_error,
                    summary: "resources were left behind".to_owned(),
                    text,
                };
                self.add(&leftovers.test.file, &leftovers.test.run, entry);
            }
        } else if let EventKind::Test(TestEvent::Abstract(files)) = &event.kind {
            for (path, runs) in files.iter() {
                let file = named(&mut self.files, path);
                for run in runs.iter().flatten() {
                    named(&mut file.runs, run);
                }
            }
        } else if let EventKind::Test(TestEvent::File(file)) = &event.kind {
            self.file(&file.path)
                .update(&file.progress, &file.status, event.moment());
        } else if let EventKind::Test(TestEvent::Run(run)) = &event.kind {
            let test = named(&mut self.file(path).runs, &run.run);
            test.update(&run.progress, &run.status, event.moment());
        } else if let EventKind::Test(TestEvent::Interrupt(interrupt)) = &event.kind {
            let text = interruption(interrupt, event.test(), state.dialect).join("\n\n");
            self.is_interrupted = true;
            let summary = format!("{} was interrupted", state.dialect.product());
            self.add(
                path,
                "",
                Entry {
                    is_error: true,
                    summary,
                    text,
                },
            );
        }
        Ok(())
    }

    fn file(&mut self, path: &str) -> &mut Test {
        let file = named(&mut self.files, path);
        file.has_begun = true;
        file
    }

    /// Adds an entry to a run; to its file if `run` is empty; to the report if `path` is empty.
    fn add(&mut self, path: &str, run: &str, entry: Entry) {
        let entries = match (path, run) {
            ("", _) => &mut self.entries,
            (_, "") => &mut named(&mut self.files, path).entries,
            (_, _) => &mut named(&mut named(&mut self.files, path).runs, run).entries,
        };
        entries.push(entry);
    }
}

/// A `testcase` of the XML.
struct Case<'r> {
    /// The reason why the case was skipped, in the words of the tools: a message and its explanation.
    skipped: Option<(&'static str, String)>,
    /// The name of the run, or the summary of another problem.
    name: &'r str,
    /// The duration, in milliseconds.
    millis: Option<u64>,
    /// The result.
    outcome: Outcome,
    /// The message of a failure or an error.
    message: &'r str,
    /// The diagnostics, whose texts are part of the case.
    entries: &'r [Entry],
}

/// The result of a test case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Passed,
    Skipped,
    Failed,
    Erred,
}

/// A `testsuite` of the XML: its name, its duration in milliseconds, and its cases.
type Suite<'r> = (String, Option<u64>, Vec<Case<'r>>);

/// Returns the report of a run as JUnit XML. `failed` says whether the run as a whole failed.
pub fn junit(report: &Report, failed: bool) -> String {
    write(&suites(report, failed))
}

/// Returns the reports of several units as one document. Each unit has a suite for each file of its tests, or else a
/// single suite.
pub fn junit_of_units(runs: &[Ending]) -> String {
    let none = Report::default();
    let mut all: Vec<Suite<'_>> = Vec::new();
    for run in runs {
        let name = if run.name.is_empty() {
            "(no unit)"
        } else {
            &*run.name
        };
        let mut of_run = suites(run.report.as_ref().unwrap_or(&none), run.failed);
        if of_run.is_empty() {
            of_run.push((
                NO_FILE.to_owned(),
                None,
                vec![Case::itself(Outcome::Passed, "", &[])],
            ));
        }
        all.extend(
            of_run
                .into_iter()
                .map(|(file, millis, cases)| match &*file {
                    NO_FILE => (name.to_owned(), millis, cases),
                    file => (format!("{name}: {file}"), millis, cases),
                }),
        );
    }
    write(&all)
}

/// Arranges the tests in suites: one for each file, and one for errors that belong to no file.
///
/// If the run failed, at least one case has an error or a failure.
fn suites(report: &Report, failed: bool) -> Vec<Suite<'_>> {
    let files = report.files.iter();
    let mut suites: Vec<Suite<'_>> = files
        .map(|(path, file)| {
            let cases = cases(file, report.is_interrupted);
            (path.clone(), file.millis, cases)
        })
        .collect();
    let errors = report.entries.iter().filter(|entry| entry.is_error);
    let mut rest: Vec<Case<'_>> = errors
        .map(|entry| Case {
            name: &entry.summary,
            ..Case::itself(Outcome::Erred, &entry.summary, std::slice::from_ref(entry))
        })
        .collect();
    if failed
        && suites
            .iter()
            .flat_map(|(.., cases)| cases)
            .chain(&rest)
            .all(Case::is_well)
    {
        rest.push(Case::itself(
            Outcome::Erred,
            "the run failed or did not finish",
            &[],
        ));
    }
    if !rest.is_empty() {
        suites.push((NO_FILE.to_owned(), None, rest));
    }
    suites
}

/// Returns the cases of a file: its runs, and the file itself if it has an error or diagnostics.
fn cases(file: &Test, is_interrupted: bool) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = file
        .runs
        .iter()
        .map(|(name, run)| Case::of_run(name, run))
        .collect();
    for (index, case) in cases.iter_mut().enumerate() {
        if case.outcome == Outcome::Skipped {
            case.skipped = reason_to_skip(file, index, is_interrupted);
        }
    }
    let (outcome, message) = match (&*file.status, summary(&file.entries)) {
        ("", None) if !file.has_begun => (Outcome::Passed, ""), // its runs are reported as skipped
        ("", None) => (Outcome::Erred, "the file's tests did not come to their end"),
        (_, Some(message)) => (Outcome::Erred, message),
        ("error" | "fail", None) if cases.iter().all(Case::is_well) => (Outcome::Erred, "failed"),
        (_, None) => (Outcome::Passed, ""),
    };
    if outcome != Outcome::Passed || !file.entries.is_empty() {
        cases.push(Case::itself(outcome, message, &file.entries));
    }
    cases
}

/// Returns the reason why a run was skipped, as a message and its explanation. `None` if nothing tells the reason.
fn reason_to_skip(
    file: &Test,
    index: usize,
    is_interrupted: bool,
) -> Option<(&'static str, String)> {
    if is_interrupted {
        let text = "The tool received an interrupt, so that the remaining testcases were skipped";
        return Some(("Testcase skipped due to an interrupt", text.to_owned()));
    }
    let erred = file
        .runs
        .iter()
        .take(index)
        .rev()
        .find(|(name, run)| Case::of_run(name, run).outcome == Outcome::Erred);
    if let Some((name, _)) = erred {
        let text = format!(
            "Previous testcase {} ended in error, which caused the remaining tests in the file to be skipped",
            quote(name)
        );
        return Some(("Testcase skipped due to a previous testcase error", text));
    }
    let has_failed = file.entries.iter().any(|entry| entry.is_error) || file.status == "error";
    has_failed.then(|| {
        let text = "The file ended in error, which caused its tests to be skipped";
        ("Testcase skipped due to file error", text.to_owned())
    })
}

/// Returns the summary of the first error.
fn summary(entries: &[Entry]) -> Option<&str> {
    entries
        .iter()
        .find(|entry| entry.is_error)
        .map(|entry| entry.summary.as_str())
}

impl<'r> Case<'r> {
    /// Returns the case of a run. A run that has begun and has no status counts as an error.
    fn of_run(name: &'r str, run: &'r Test) -> Self {
        let summary = summary(&run.entries);
        let (outcome, message) = match &*run.status {
            "pass" => (Outcome::Passed, ""),
            "skip" | "pending" => (Outcome::Skipped, ""),
            "fail" => (Outcome::Failed, "failed"),
            "error" => (Outcome::Erred, "failed"),
            "" if summary.is_none() && !run.has_begun => (Outcome::Skipped, ""),
            "" => (Outcome::Erred, "the run did not finish"),
            // A word that neither tool has used so far.
            word => (Outcome::Erred, word),
        };
        let (message, entries) = (summary.unwrap_or(message), &*run.entries);
        Self {
            skipped: None,
            name,
            millis: run.millis,
            outcome,
            message,
            entries,
        }
    }

    /// Returns the case for results of a file that belong to none of its runs.
    fn itself(outcome: Outcome, message: &'r str, entries: &'r [Entry]) -> Self {
        Self {
            skipped: None,
            name: ITSELF,
            millis: None,
            outcome,
            message,
            entries,
        }
    }

    /// Whether the case neither failed nor erred.
    fn is_well(&self) -> bool {
        matches!(self.outcome, Outcome::Passed | Outcome::Skipped)
    }

    /// Returns the texts of the errors, or of all other diagnostics.
    fn texts(&self, errors: bool) -> String {
        let entries = self.entries.iter().filter(|entry| entry.is_error == errors);
        entries
            .map(|entry| entry.text.trim())
            .collect::<Vec<_>>()
            .join("\n\n")
    }
}

/// Writes the suites as XML.
fn write(suites: &[Suite<'_>]) -> String {
    let all: Vec<&Case<'_>> = suites.iter().flat_map(|(.., cases)| cases).collect();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites{}>\n",
        counts(&all)
    );
    for (name, millis, cases) in suites {
        let counts = counts(&cases.iter().collect::<Vec<_>>());
        let attributes = [attribute("name", name), counts, time(*millis)].concat();
        xml.push_str(&format!("  <testsuite{attributes}>\n"));
        cases
            .iter()
            .for_each(|case| xml.push_str(&test_case(name, case)));
        xml.push_str("  </testsuite>\n");
    }
    xml + "</testsuites>\n"
}

/// Returns the XML of a test case with its diagnostics.
fn test_case(file: &str, case: &Case<'_>) -> String {
    let attributes = [
        attribute("name", case.name),
        attribute("classname", file),
        time(case.millis),
    ]
    .concat();
    let errors = case.texts(true);
    let outcome = match case.outcome {
        // Errors of a run that passed are not failures.
        Outcome::Passed => element("system-err", None, &errors),
        Outcome::Skipped => match &case.skipped {
            Some((message, text)) => element("skipped", Some(message), text),
            None => "      <skipped/>\n".to_owned(),
        },
        Outcome::Failed => element("failure", Some(case.message), &errors),
        Outcome::Erred => element("error", Some(case.message), &errors),
    };
    let warnings = element("system-out", None, &case.texts(false));
    format!("    <testcase{attributes}>\n{outcome}{warnings}    </testcase>\n")
}

/// Returns an element with a message and a text; nothing if it would have neither.
fn element(name: &str, message: Option<&str>, text: &str) -> String {
    if message.is_none() && text.is_empty() {
        return String::new();
    }
    let message = message
        .map(|message| attribute("message", message))
        .unwrap_or_default();
    format!("      <{name}{message}>{}</{name}>\n", escape(text, false))
}

/// Returns the attributes that count cases by their result.
fn counts(cases: &[&Case<'_>]) -> String {
    let count = |outcome| cases.iter().filter(|case| case.outcome == outcome).count();
    let counts = [
        ("tests", cases.len()),
        ("failures", count(Outcome::Failed)),
        ("errors", count(Outcome::Erred)),
        ("skipped", count(Outcome::Skipped)),
    ];
    counts
        .map(|(name, number)| attribute(name, &number.to_string()))
        .concat()
}

/// Returns the attribute with a duration in seconds, if it is known.
fn time(millis: Option<u64>) -> String {
    let time = |millis| attribute("time", &format!("{}.{:03}", millis / 1000, millis % 1000));
    millis.map(time).unwrap_or_default()
}

fn attribute(name: &str, value: &str) -> String {
    format!(" {name}=\"{}\"", escape(value, true))
}

/// Escapes a text for XML. Control and hidden characters are made visible first, as on a display, because XML 1.0
/// cannot represent most of them.
fn escape(text: &str, in_attribute: bool) -> String {
    let mut xml = String::new();
    for c in visible(text).chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\n' | '\t' if !in_attribute => xml.push(c),
            // XML parsers normalize these to spaces in attributes, and line ends to line feeds in text.
            '\n' | '\r' | '\t' => xml.push_str(&format!("&#{};", c as u32)),
            '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
            c => xml.push(c),
        }
    }
    xml
}
