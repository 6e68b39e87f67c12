//! The report of tests: what the events of a run say about them, and how it is written as XML.

mod report;
mod xml;

use std::io;

use crate::model::diagnostic::Severity;
use crate::stream::Ending;
use crate::stream::diagnostics::DiagnosticGroup;
use crate::stream::event::TestEvent;
use crate::stream::output::Output;

use super::diagnostic::plain_text;
use super::leftovers::{interruption, leftovers_text};
use super::{Context, RunEnd, Sink};
use report::ReportEntry;

pub use report::Report;
pub(in crate::stream::sinks) use report::Status;
pub use xml::{junit, junit_of_units};

/// Makes a report of tests.
#[derive(Debug)]
pub(in crate::stream) struct JunitSink {
    report: Report,
    width: usize,
}

impl JunitSink {
    /// A report whose texts are wrapped at `width`.
    pub(in crate::stream) fn new(width: usize) -> Self {
        Self { report: Report::default(), width }
    }
}

impl Sink for JunitSink {
    fn test(&mut self, test: &TestEvent<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        let Context { event, state, .. } = context;
        let (path, _) = event.test();
        match test {
            TestEvent::Abstract(files) => {
                files.iter().flat_map(|files| files.iter()).for_each(|(path, runs)| {
                    self.report.announce(path, runs.iter().map(|run| &**run));
                });
            }
            TestEvent::File(file) => {
                self.report.file(&file.path).update(&file.progress, &file.status, event.moment());
            }
            TestEvent::Run(run) => {
                let test = self.report.file(path).runs.get_mut(&run.run);
                test.update(&run.progress, &run.status, event.moment());
            }
            TestEvent::Interrupt(interrupt) => {
                let text = interruption(interrupt, event.test(), state.dialect).join("\n\n");
                let summary = format!("{} was interrupted", state.dialect.product());
                self.report.add(path, "", ReportEntry { is_error: true, summary, text });
            }
            TestEvent::Plan(_)
            | TestEvent::State(_)
            | TestEvent::Cleanup(_)
            | TestEvent::Summary { .. }
            | TestEvent::Retry => {}
        }
        Ok(())
    }

    fn diagnostics(&mut self, group: &DiagnosticGroup<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        for (diagnostic, similar) in &group.merged {
            let entry = ReportEntry {
                is_error: diagnostic.severity() != Severity::Warning,
                summary: diagnostic.summary.to_string(),
                text: plain_text(diagnostic, *similar, self.width, context)?,
            };
            self.report.add(&group.test.file, &group.test.run, entry);
        }
        if let Some(leftovers) = group.leftovers
            && let Some(text) = leftovers_text(leftovers, context.state.dialect, self.width)
        {
            let is_error = !leftovers.failed.is_empty();
            let entry = ReportEntry { is_error, summary: "resources were left behind".to_owned(), text };
            self.report.add(&leftovers.test.file, &leftovers.test.run, entry);
        }
        Ok(())
    }

    fn finish(&mut self, _: RunEnd<'_>, _: &mut Output<'_>, ending: &mut Ending) -> io::Result<()> {
        ending.report = Some(std::mem::take(&mut self.report));
        Ok(())
    }
}
