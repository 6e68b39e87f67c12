//! Asks the question of `apply` in the tools' words, and reads the answer.
//!
//! Invariant: only `yes` on a line of its own approves. The end of the input, errors and signals are refusals.

use std::io::{self, Read};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::Context;

use crate::cli::Host;
use crate::cli::settings::{Settings, stdin_file, stdout};
use crate::dialect::Dialect;
use crate::model::diagnostic::Diagnostic;
use crate::model::plan::PlanMode;
use crate::render::diagnostic::{DiagnosticContext, diagnostic};
use crate::term::{Out, Role, Untrusted};

/// The question whether a plan is applied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'q> {
    /// The mode of the plan; `None` with Terraform's `-invoke`.
    pub(super) mode: Option<PlanMode>,
    /// The tool whose words are used.
    pub(super) dialect: Dialect,
    /// The name of the workspace, which the question includes unless it is `default`.
    pub(super) workspace: &'q str,
}

/// The answer to the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    EndOfInput,
    Interrupted,
}

impl Question<'_> {
    /// Returns the question, and the description below it, in the words of the tool.
    fn words(self) -> (String, String) {
        let product = self.dialect.product();
        let (within, of) = match self.workspace {
            "default" => (String::new(), String::new()),
            name => (
                format!(" in workspace \"{name}\""),
                format!(" for \"{name}\""),
            ),
        };
        let (query, will) = match self.mode {
            Some(PlanMode::Normal) => (
                format!("Do you want to perform these actions{within}?"),
                "will perform the actions described above.",
            ),
            Some(PlanMode::Destroy) => (
                format!("Do you really want to destroy all resources{within}?"),
                "will destroy all your managed infrastructure, as shown above.",
            ),
            Some(PlanMode::RefreshOnly) => (
                format!(
                    "Would you like to update the {product} state{of} to reflect these detected changes?"
                ),
                "will write these changes to the state without modifying any real infrastructure.",
            ),
            None => (
                "Would you like to invoke the specified actions?".to_owned(),
                "will invoke the actions described above, and any changes will be written to the state without \
                 modifying real infrastructure",
            ),
        };
        let warning = match self.mode {
            Some(PlanMode::Normal) => "Only 'yes' will be accepted to approve.",
            Some(PlanMode::Destroy | PlanMode::RefreshOnly) | None => {
                "There is no undo. Only 'yes' will be accepted to confirm."
            }
        };
        (query, format!("  {product} {will}\n  {warning}\n"))
    }

    /// Returns what is printed after any other answer than `yes`.
    pub(super) fn cancelled(self) -> &'static str {
        match self.mode {
            Some(PlanMode::Destroy) => "Destroy cancelled.\n",
            Some(PlanMode::Normal | PlanMode::RefreshOnly) | None => "Apply cancelled.\n",
        }
    }
}

/// Asks the question, and prints the tool's words for an answer other than `yes`. Returns whether the answer is `yes`.
///
/// # Errors
/// If the question cannot be written, or the answer cannot be read.
pub(super) fn ask(
    question: Question<'_>,
    settings: &Settings,
    host: &Host,
) -> anyhow::Result<bool> {
    let (sender, answers) = channel();
    let interrupted = Sender::clone(&sender);
    // Signals are listened for before the question is written, so that no interrupt is lost.
    let _listening = host.processes.listen(false, move |_| {
        interrupted.send(Ok(Answer::Interrupted)).is_ok()
    })?;
    let mut sink = stdout();
    let mut out = Out::new(&mut sink, settings.colour);
    let (query, description) = question.words();
    out.lit("\n")?;
    out.role_data(Role::Strong, Untrusted(&query))?;
    out.lit(&format!("\n{description}\n  "))?;
    out.role(Role::Strong, "Enter a value:")?;
    out.lit(" ")?;
    out.flush().context("writing the question")?;
    thread::spawn(move || sender.send(read_line()));
    let answer = answers
        .recv()
        .context("waiting for the answer")?
        .context("cannot read the answer")?;
    let (words, problem) = match answer {
        Answer::Yes => ("", None),
        Answer::No => (question.cancelled(), None),
        Answer::EndOfInput => ("", Some("EOF")),
        Answer::Interrupted => ("\n", Some("interrupted")),
    };
    out.lit("\n")?;
    out.lit(words)?;
    out.flush().context("writing the question")?;
    if let Some(problem) = problem {
        refuse(problem, question.dialect, settings, host).context("writing the error")?;
    }
    Ok(answer == Answer::Yes)
}

/// Writes the tool's error for a question that has no answer.
fn refuse(problem: &str, dialect: Dialect, settings: &Settings, host: &Host) -> io::Result<()> {
    let summary = format!("error asking for approval: {problem}");
    let error = Diagnostic {
        severity: "error".into(),
        summary: summary.as_str().into(),
        ..Diagnostic::default()
    };
    let context = DiagnosticContext {
        dialect,
        width: settings.width,
        similar: 0,
        difference: None,
    };
    let mut sink = io::stderr();
    let mut out = Out::new(&mut sink, settings.colour && host.terminal.stderr);
    diagnostic(&error, &context, &mut out)?;
    out.flush()
}

/// Reads one line of standard input byte by byte, and nothing after it. What follows is for the tool.
fn read_line() -> io::Result<Answer> {
    let mut line = Vec::new();
    let mut byte = [0];
    // This avoids a buffer, which would take what follows in the input from the tool.
    let mut stdin: Box<dyn Read> = match stdin_file() {
        Some(file) => Box::new(file),
        None => Box::new(io::stdin()),
    };
    loop {
        match stdin.read(&mut byte) {
            Ok(0) => return Ok(Answer::EndOfInput),
            Ok(_) if byte == *b"\n" => break,
            Ok(_) => line.extend_from_slice(&byte),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    // As in the tools, white space is ignored at the end of the line but not at its start.
    Ok(if line.trim_ascii_end() == b"yes" {
        Answer::Yes
    } else {
        Answer::No
    })
}

#[cfg(test)]
mod tests;
