//! Shows the messages of `test`: files and runs with their status, the output of `-verbose`, and objects left
//! behind.

use std::io;

use crate::dialect::{Dialect, Tool};
use crate::stream::event::TestEvent;
use crate::stream::output::Output;
use crate::term::Role;
use crate::term::TextPart::{Data, Lit, StyledData};
use crate::text::{quote, wrap};

use super::{Context, TextSink};
use crate::stream::sinks::leftovers::interruption;

/// The word and role of a status.
fn status(word: &str) -> (Role, &str) {
    match word {
        "error" | "fail" => (Role::Delete, "fail"),
        "pass" => (Role::Create, "pass"),
        other => (Role::Pending, other),
    }
}

impl TextSink {
    pub(super) fn show_test(
        &mut self,
        test: &TestEvent<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let Context { event, state, output } = &mut *context;
        match test {
            TestEvent::File(file) => {
                let (role, word) = match &*file.progress {
                    "starting" => (Role::Pending, "in progress"),
                    "teardown" => (Role::Pending, "tearing down"),
                    _ => status(&file.status),
                };
                status_line(&format!("{}... ", file.path), role, word, output)
            }
            // OpenTofu reports a run only at its end, Terraform also its progress.
            TestEvent::Run(run) if !run.is_end() => Ok(()),
            TestEvent::Run(run) => {
                let (role, word) = status(&run.status);
                status_line(&format!("  run {}... ", quote(&run.run)), role, word, output)
            }
            TestEvent::Plan(plan) => {
                let dialect = state.dialect;
                let written = output.document(|documents, out| documents.plan(*plan, dialect, out))?;
                after_document("plan", written, context)
            }
            TestEvent::State(document) => {
                let dialect = state.dialect;
                if dialect.spaces_verbose_tests() {
                    output.text()?.lit("\n")?;
                }
                let written = output.document(|documents, out| documents.state(*document, dialect, out))?;
                after_document("state", written, context)
            }
            TestEvent::Interrupt(interrupt) => {
                let paragraphs = interruption(interrupt, event.test(), state.dialect);
                paragraphs.iter().try_for_each(|paragraph| {
                    output.text()?.lit("\n")?;
                    output.line(Role::Plain, &wrap(paragraph, self.wrap_width()))
                })
            }
            TestEvent::Summary { .. } => test_summary(&event.text(), output),
            TestEvent::Retry => output.line(Role::Update, &event.text()),
            // Objects left behind are shown after the diagnostics that follow.
            TestEvent::Abstract(_) | TestEvent::Cleanup(_) => Ok(()),
        }
    }
}

fn status_line(lead: &str, role: Role, word: &str, output: &mut Output<'_>) -> io::Result<()> {
    output.text()?.parts(&[Data(lead), StyledData(role, word), Lit("\n")])
}

/// Ends the output of `-verbose`. A document that cannot be shown is replaced by the `@message`.
fn after_document(noun: &str, written: anyhow::Result<()>, context: &mut Context<'_, '_>) -> io::Result<()> {
    let Context { event, state, output } = context;
    if let Err(error) = written {
        output.line(Role::Plain, &event.text())?;
        return output.note(&format!("the {noun} of a test cannot be shown: {error:#}"));
    }
    if state.dialect.spaces_verbose_tests() { output.text()?.lit("\n") } else { Ok(()) }
}

fn test_summary(text: &str, output: &mut Output<'_>) -> io::Result<()> {
    let (role, word) = match text.find('!') {
        Some(at) if text.starts_with("Success!") => (Role::Create, &text[..=at]),
        Some(at) if text.starts_with("Failure!") => (Role::Delete, &text[..=at]),
        _ => (Role::Plain, ""),
    };
    let rest = &text[word.len()..];
    output.text()?.parts(&[Lit("\n"), StyledData(role, word), Data(rest), Lit("\n")])
}

impl Dialect {
    /// Whether there are empty lines around the output of `test -verbose`.
    fn spaces_verbose_tests(self) -> bool {
        self.tool == Tool::Terraform
    }
}
