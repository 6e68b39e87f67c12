//! Writes a test report as JUnit XML, which CI systems read: a `testsuite` for each file, a `testcase` for
//! each run.
//!
//! Invariants: the result is well-formed XML 1.0 for any names and texts; the report of a failed run has an
//! `error` or `failure`; announced runs are included even if they never began.
//!
//! Written without the crate `quick-junit`, which (as of 0.8) does not escape line breaks and tabs in
//! attributes, so that a reader gets other names and summaries, removes control characters rather than
//! showing them, and keeps U+FFFE and U+FFFF, which no XML document may contain.

use crate::stream::Ending;
use crate::term::visible;

use super::report::{Report, ReportEntry, Status, Test};

/// The name of a case that is not a test: the file itself, or the whole run.
const ITSELF: &str = "(itself)";

/// A case of the report.
struct Case<'r> {
    name: &'r str,
    millis: Option<u64>,
    outcome: TestOutcome<'r>,
    entries: &'r [ReportEntry],
}

/// The outcome of a case.
enum TestOutcome<'r> {
    Passed,
    Skipped,
    Failed(&'r str),
    Erred(&'r str),
}

/// The name of a suite, its duration, and its cases.
type Suite<'r> = (String, Option<u64>, Vec<Case<'r>>);

/// The report as XML. `failed` is whether the whole run failed.
pub fn junit(report: &Report, failed: bool) -> String {
    write(&suites(report, failed))
}

/// The reports of several runs as XML, with a suite for each unit, and one for each file of its tests.
pub fn junit_of_units(runs: &[Ending]) -> String {
    let none = Report::default();
    let mut all: Vec<Suite<'_>> = Vec::new();
    for run in runs {
        let name = if run.name.is_empty() { "(no unit)" } else { &*run.name };
        let own = suites(run.report.as_ref().unwrap_or(&none), run.failed);
        if own.is_empty() {
            all.push((name.to_owned(), None, vec![Case::itself(TestOutcome::Passed, &[])]));
        }
        all.extend(own.into_iter().map(|(file, millis, cases)| match &*file {
            NO_FILE => (name.to_owned(), millis, cases),
            file => (format!("{name}: {file}"), millis, cases),
        }));
    }
    write(&all)
}

/// The name of the suite of what belongs to no file.
const NO_FILE: &str = "(no test file)";

fn suites(report: &Report, failed: bool) -> Vec<Suite<'_>> {
    let mut suites: Vec<Suite<'_>> =
        report.files.all.iter().map(|file| (file.name.clone(), file.millis, cases(file))).collect();
    let mut rest: Vec<Case<'_>> =
        report.entries.iter().filter(|entry| entry.is_error).map(error_case).collect();
    let is_failure = |case: &Case<'_>| matches!(case.outcome, TestOutcome::Failed(_) | TestOutcome::Erred(_));
    if failed && !suites.iter().flat_map(|(.., cases)| cases).chain(&rest).any(is_failure) {
        let outcome = TestOutcome::Erred("the run failed, or did not come to its end");
        rest.push(Case::itself(outcome, &[]));
    }
    if !rest.is_empty() {
        suites.push((NO_FILE.to_owned(), None, rest));
    }
    suites
}

fn write(suites: &[Suite<'_>]) -> String {
    let all = suites.iter().flat_map(|(.., cases)| cases);
    let mut xml = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites{}>\n", counts(&all));
    for (name, millis, cases) in suites {
        let attributes = [attribute("name", name), counts(&cases.iter()), time(*millis)].concat();
        xml.push_str(&format!("  <testsuite{attributes}>\n"));
        cases.iter().for_each(|case| xml.push_str(&test_case(name, case)));
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

/// The cases of a file: its runs, and the file itself if an error occurred outside of them.
fn cases(file: &Test) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = file.runs.all.iter().map(run_case).collect();
    let outcome = match (&file.status, summary(&file.entries)) {
        (None, None) if !file.has_begun => TestOutcome::Passed, // its runs are reported as skipped
        (None, message) => {
            TestOutcome::Erred(message.unwrap_or("the file's tests did not come to their end"))
        }
        (Some(_), Some(message)) => TestOutcome::Erred(message),
        (Some(Status::Error | Status::Fail), None) if cases.iter().all(Case::is_well) => {
            TestOutcome::Erred("failed")
        }
        (Some(_), None) => TestOutcome::Passed,
    };
    if !matches!(outcome, TestOutcome::Passed) || !file.entries.is_empty() {
        cases.push(Case::itself(outcome, &file.entries));
    }
    cases
}

fn run_case(run: &Test) -> Case<'_> {
    let message = summary(&run.entries);
    let outcome = match &run.status {
        Some(Status::Pass) => TestOutcome::Passed,
        Some(Status::Skip) => TestOutcome::Skipped,
        Some(Status::Fail) => TestOutcome::Failed(message.unwrap_or("failed")),
        Some(Status::Error) => TestOutcome::Erred(message.unwrap_or("failed")),
        Some(Status::Other(word)) => TestOutcome::Erred(message.unwrap_or(word)),
        None if message.is_none() && !run.has_begun => TestOutcome::Skipped,
        None => TestOutcome::Erred(message.unwrap_or("the run did not come to its end")),
    };
    Case { name: &run.name, millis: run.millis, outcome, entries: &run.entries }
}

fn error_case(entry: &ReportEntry) -> Case<'_> {
    let outcome = TestOutcome::Erred(&entry.summary);
    Case { name: &entry.summary, ..Case::itself(outcome, std::slice::from_ref(entry)) }
}

/// The summary of the first error.
fn summary(entries: &[ReportEntry]) -> Option<&str> {
    entries.iter().find(|entry| entry.is_error).map(|entry| entry.summary.as_str())
}

impl<'r> Case<'r> {
    /// A case that is not a test.
    fn itself(outcome: TestOutcome<'r>, entries: &'r [ReportEntry]) -> Self {
        Self { name: ITSELF, millis: None, outcome, entries }
    }

    fn is_well(&self) -> bool {
        matches!(self.outcome, TestOutcome::Passed | TestOutcome::Skipped)
    }

    /// The texts of errors, or of warnings.
    fn texts(&self, errors: bool) -> String {
        let texts =
            self.entries.iter().filter(|entry| entry.is_error == errors).map(|entry| entry.text.trim());
        texts.collect::<Vec<_>>().join("\n\n")
    }
}

fn test_case(file: &str, case: &Case<'_>) -> String {
    let attributes = [attribute("name", case.name), attribute("classname", file), time(case.millis)].concat();
    let errors = case.texts(true);
    let outcome = match &case.outcome {
        // Diagnostics of a run that passed are not failures.
        TestOutcome::Passed => element("system-err", None, &errors),
        TestOutcome::Skipped => "      <skipped/>\n".to_owned(),
        TestOutcome::Failed(message) => element("failure", Some(message), &errors),
        TestOutcome::Erred(message) => element("error", Some(message), &errors),
    };
    let warnings = element("system-out", None, &case.texts(false));
    format!("    <testcase{attributes}>\n{outcome}{warnings}    </testcase>\n")
}

/// An element with a text. Without a message, an empty element is omitted.
fn element(name: &str, message: Option<&str>, text: &str) -> String {
    if message.is_none() && text.is_empty() {
        return String::new();
    }
    let message = message.map(|message| attribute("message", message)).unwrap_or_default();
    format!("      <{name}{message}>{}</{name}>\n", escape(text, Place::Text))
}

fn counts<'c, 'r: 'c>(cases: &(impl Iterator<Item = &'c Case<'r>> + Clone)) -> String {
    let count =
        |which: fn(&TestOutcome<'_>) -> bool| cases.clone().filter(|case| which(&case.outcome)).count();
    let counts = [
        ("tests", cases.clone().count()),
        ("failures", count(|outcome| matches!(outcome, TestOutcome::Failed(_)))),
        ("errors", count(|outcome| matches!(outcome, TestOutcome::Erred(_)))),
        ("skipped", count(|outcome| matches!(outcome, TestOutcome::Skipped))),
    ];
    counts.map(|(name, number)| attribute(name, &number.to_string())).concat()
}

/// The duration, if it is known.
fn time(millis: Option<u64>) -> String {
    let time = |millis| attribute("time", &format!("{}.{:03}", millis / 1000, millis % 1000));
    millis.map(time).unwrap_or_default()
}

fn attribute(name: &str, value: &str) -> String {
    format!(" {name}=\"{}\"", escape(value, Place::Attribute))
}

/// The position of a text in the XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Text,
    Attribute,
}

/// A text for an element or attribute. Control and hidden characters are made visible first, as on
/// a display; XML 1.0 cannot represent most of them.
fn escape(text: &str, place: Place) -> String {
    let mut xml = String::new();
    for c in visible(text).chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\n' | '\t' if place == Place::Text => xml.push(c),
            // XML parsers normalise these to spaces in attributes, and line ends to line feeds in text.
            '\n' | '\r' | '\t' => xml.push_str(&format!("&#{};", c as u32)),
            '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
            c => xml.push(c),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_has_a_failure_or_an_error() {
        let mut cut = Report::default();
        cut.file("f").update("starting", "", None);
        let nothing = Report::default;
        for (report, failed, wrong) in [(nothing(), true, 1), (nothing(), false, 0), (cut, true, 1)] {
            let xml = junit(&report, failed);
            assert_eq!(xml.matches("<error ").count() + xml.matches("<failure ").count(), wrong, "{xml}");
        }
    }

    #[test]
    fn texts_are_text_alone() {
        for (place, line_feed) in [(Place::Text, "\n"), (Place::Attribute, "&#10;")] {
            let xml = escape("a<b>&\"'\u{0}\u{1b}[31m\n]]>\u{ffff}é", place);
            assert_eq!(xml, format!("a&lt;b&gt;&amp;&quot;'␀␛[31m{line_feed}]]&gt;�é"));
        }
    }
}
