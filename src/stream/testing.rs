//! Shows the messages of `test`: files and runs with their status, the output of `-verbose`, and objects left
//! behind.

use std::io;

use crate::dialect::{Dialect, Tool};
use crate::model::message::{Leftover, Message};
use crate::term::{Role, Untrusted};
use crate::text::wrap;

use super::Stream;
use super::course::Tested;
use super::report::{Report, ReportEntry, Step};
use super::time::Moment;

/// The state of the tests.
#[derive(Debug, Default)]
pub(super) struct Tests {
    began: bool,
    passed: Option<bool>,
    leftovers: Option<Leftovers>,
    report: Option<Report>,
}

/// Objects that a test left behind. They are listed after the diagnostics with the reasons.
#[derive(Debug)]
struct Leftovers {
    /// The file and run of the test.
    about: (String, String),
    /// The name of the test: file and run as one text.
    of: String,
    failed: Vec<String>,
    skipped: Vec<String>,
}

impl Tests {
    /// A new state, with a report if `report` is set.
    pub(super) fn new(report: bool) -> Self {
        Self { report: report.then(Report::default), ..Self::default() }
    }

    pub(super) fn take_report(&mut self) -> Option<Report> {
        self.report.take()
    }

    /// Adds an entry for a file and run to the report, if there is one.
    pub(super) fn report(&mut self, about: (&str, &str), entry: ReportEntry) {
        if let Some(report) = &mut self.report {
            report.add(about.0, about.1, entry);
        }
    }

    /// Whether there is a report.
    pub(super) fn reports(&self) -> bool {
        self.report.is_some()
    }

    /// The result of the tests.
    pub(super) fn verdict(&self) -> Tested {
        match self.passed {
            Some(true) => Tested::Passed,
            Some(false) => Tested::Failed,
            None if self.began => Tested::Unfinished,
            None => Tested::Nothing,
        }
    }

    pub(super) fn has_leftovers(&self) -> bool {
        self.leftovers.is_some()
    }

    /// The text before the diagnostics with the reasons why objects were left behind.
    pub(super) fn lead(&self, dialect: Dialect, width: usize, has_errors: bool) -> Option<String> {
        let leftovers = self.leftovers.as_ref().filter(|_| has_errors)?;
        let text = format!(
            "{} encountered an error destroying resources created while executing {}.",
            dialect.product(),
            leftovers.of
        );
        Some(wrap(&text, width.saturating_sub(1)))
    }

    /// The list of objects left behind.
    pub(super) fn tail(&mut self, dialect: Dialect, width: usize) -> Option<String> {
        let Leftovers { about, of, failed, skipped } = self.leftovers.take()?;
        let is_error = !failed.is_empty();
        let mut text = String::new();
        for (items, rest) in
            [(failed, dialect.left_behind()), (skipped, " because the skip_cleanup attribute was set:")]
        {
            if items.is_empty() {
                continue;
            }
            let product = dialect.product();
            let lead = format!("{product} left the following resources in state after executing {of}{rest}");
            text.push('\n');
            text.push_str(&wrap(&lead, width.saturating_sub(1)));
            text.push_str(&items.concat());
            text.push('\n');
        }
        text.pop();
        if !text.is_empty() {
            let summary = "resources were left behind".to_owned();
            self.report((&about.0, &about.1), ReportEntry { is_error, summary, text: text.clone() });
        }
        (!text.is_empty()).then_some(text)
    }
}

/// One line for each object, beginning with a line feed.
fn items(leftovers: &[Leftover<'_>]) -> Vec<String> {
    leftovers
        .iter()
        .map(|leftover| match &*leftover.deposed_key {
            "" => format!("\n  - {}", leftover.instance),
            key => format!("\n  - {} ({key})", leftover.instance),
        })
        .collect()
}

/// The word and role of a status.
fn status(word: &str) -> (Role, &str) {
    match word {
        "error" | "fail" => (Role::Delete, "fail"),
        "pass" => (Role::Create, "pass"),
        other => (Role::Pending, other),
    }
}

impl Stream<'_> {
    pub(super) fn test_abstract(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.tests.began = true;
        if let (Some(report), Some(files)) = (&mut self.tests.report, &message.test_abstract) {
            files.iter().for_each(|(path, runs)| report.announce(path, runs.iter().map(|run| &**run)));
        }
        Ok(())
    }

    pub(super) fn test_file(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(file) = &message.test_file else { return self.plain(message) };
        self.tests.began = true;
        if let Some(report) = &mut self.tests.report {
            let moment = Moment::parse(&message.timestamp);
            report.file(&file.path, &Step { progress: &file.progress, status: &file.status, moment });
        }
        let (role, word) = match &*file.progress {
            "starting" => (Role::Pending, "in progress"),
            "teardown" => (Role::Pending, "tearing down"),
            _ => status(&file.status),
        };
        self.status_line(&format!("{}... ", file.path), role, word)
    }

    pub(super) fn test_run(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(run) = &message.test_run else { return self.plain(message) };
        self.tests.began = true;
        if let Some(report) = &mut self.tests.report {
            let moment = Moment::parse(&message.timestamp);
            let step = Step { progress: &run.progress, status: &run.status, moment };
            report.run(&message.test_file_name, &run.run, &step);
        }
        // OpenTofu reports a run only at its end, Terraform also its progress.
        if !matches!(&*run.progress, "" | "complete") {
            return Ok(());
        }
        let (role, word) = status(&run.status);
        self.status_line(&format!("  run {}... ", crate::text::quote(&run.run)), role, word)
    }

    fn status_line(&mut self, lead: &str, role: Role, word: &str) -> io::Result<()> {
        let out = self.out()?;
        out.data(Untrusted(lead))?;
        out.role_data(role, Untrusted(word))?;
        out.lit("\n")
    }

    pub(super) fn test_plan(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(plan) = message.test_plan else { return self.plain(message) };
        self.region.erase(&mut self.out)?;
        if let Err(error) = self.documents.plan(plan, self.dialect, &mut self.out) {
            self.plain(message)?;
            return self.note(&format!("the plan of a test cannot be shown: {error:#}"));
        }
        self.after_verbose()
    }

    pub(super) fn test_state(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(state) = message.test_state else { return self.plain(message) };
        self.region.erase(&mut self.out)?;
        if self.dialect.spaces_verbose_tests() {
            self.out.lit("\n")?;
        }
        if let Err(error) = self.documents.state(state, self.dialect, &mut self.out) {
            self.plain(message)?;
            return self.note(&format!("the state of a test cannot be shown: {error:#}"));
        }
        self.after_verbose()
    }

    fn after_verbose(&mut self) -> io::Result<()> {
        if self.dialect.spaces_verbose_tests() { self.out.lit("\n") } else { Ok(()) }
    }

    /// Handles `test_cleanup`. The diagnostics with the reasons follow this message, but are shown before the
    /// list of objects.
    pub(super) fn test_cleanup(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(cleanup) = &message.test_cleanup else { return self.plain(message) };
        self.tests.began = true;
        let file = &*message.test_file_name;
        let of = match &*message.test_run_name {
            "" => file.to_owned(),
            run => format!("{file}/{run}"),
        };
        self.hold_time();
        self.tests.leftovers = Some(Leftovers {
            about: (file.to_owned(), message.test_run_name.to_string()),
            of,
            failed: items(&cleanup.failed_resources),
            skipped: items(&cleanup.skipped_resources),
        });
        Ok(())
    }

    pub(super) fn test_interrupt(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(interrupt) = &message.test_interrupt else { return self.plain(message) };
        self.record.interrupted();
        let product = self.dialect.product();
        let mut parts = vec![format!(
            "{product} was interrupted while executing {}, and may not have performed the expected cleanup operations.",
            message.test_file_name
        )];
        if !interrupt.state.is_empty() {
            parts.push(format!(
                "{product} has already created the following resources from the module under test:{}",
                items(&interrupt.state).concat()
            ));
        }
        for (run, state) in interrupt.states.iter() {
            parts.push(format!(
                "{product} has already created the following resources for {}:{}",
                crate::text::quote(run),
                items(state).concat()
            ));
        }
        if !interrupt.planned.is_empty() {
            let planned: String =
                interrupt.planned.iter().map(|address| format!("\n  - {address}")).collect();
            parts.push(format!(
                "{product} was in the process of creating the following resources for {} from the module under test, \
                 and they may not have been destroyed:{planned}",
                crate::text::quote(&message.test_run_name)
            ));
        }
        let width = self.options.width.saturating_sub(1);
        let text = parts.join("\n\n");
        let summary = format!("{product} was interrupted");
        self.tests.report((&message.test_file_name, ""), ReportEntry { is_error: true, summary, text });
        parts.iter().try_for_each(|part| {
            self.out()?.lit("\n")?;
            self.say(Role::Plain, &wrap(part, width))
        })
    }

    pub(super) fn test_summary(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(summary) = &message.test_summary else { return self.unknown(message) };
        self.tests.began = true;
        self.tests.passed = Some(!matches!(&*summary.status, "error" | "fail"));
        let text = &*message.text();
        self.record.tool_summary(text);
        let out = self.out()?;
        out.lit("\n")?;
        let (role, word) = match text.find('!') {
            Some(at) if text.starts_with("Success!") => (Role::Create, &text[..=at]),
            Some(at) if text.starts_with("Failure!") => (Role::Delete, &text[..=at]),
            _ => (Role::Plain, ""),
        };
        out.role_data(role, Untrusted(word))?;
        out.data(Untrusted(&text[word.len()..]))?;
        out.lit("\n")
    }
}

impl Dialect {
    /// The end of the sentence about objects that a test left behind.
    fn left_behind(self) -> &'static str {
        match self.tool {
            Tool::Terraform => ", and they need to be cleaned up manually:",
            Tool::OpenTofu => {
                ", these left-over resources can be viewed by reading the statefile written to \
                 disk(errored_test.tfstate) and they need to be cleaned up manually:"
            }
        }
    }

    /// Whether there are empty lines around the output of `test -verbose`.
    fn spaces_verbose_tests(self) -> bool {
        match self.tool {
            Tool::Terraform => true,
            Tool::OpenTofu => false,
        }
    }
}
