//! Where the text goes: standard output as it is, or a pager; and what a failed write does to the exit code.
//!
//! Invariant: the outcome of a subcommand is decided before its first byte is written, and no failed write
//! makes it better than it was.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use super::environment::stdout_file;
use super::message::io_text;
use super::settings::Pager;
use super::{Edge, Outcome};

/// Runs `write` on standard output, or on a pager in front of it.
///
/// Gives `None` when not all was written. A reader that went away (a closed pipe, a pager that was left) is no
/// failure; any other failed write is added to `failures`. Errors are those of `write` that no writer caused.
pub(super) fn with_output<T>(
    pager: Option<&Pager>,
    edge: &Edge,
    failures: &mut WriteFailures,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<Option<T>> {
    let error = match send(pager, edge, write) {
        Ok(written) => return Ok(Some(written)),
        Err(error) => error,
    };
    let kind = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    match kind {
        None => return Err(error),
        Some(io::ErrorKind::BrokenPipe) => {}
        Some(_) => failures.0.push(error),
    }
    Ok(None)
}

fn send<T>(
    pager: Option<&Pager>,
    edge: &Edge,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let Some(pager) = pager else { return with_stdout(write) };
    leave_interrupts_to_the_pager();
    let mut child = match spawn(pager) {
        Ok(child) => child,
        Err(error) => {
            // The user did not ask for the default pager, so its absence is not an error.
            if !pager.is_default() || error.kind() != io::ErrorKind::NotFound {
                let reason = io_text(&error);
                edge.note(&format!("running the pager `{}`: {reason}; printing instead", pager.command));
            }
            return with_stdout(write);
        }
    };
    let result = match child.stdin.take() {
        Some(mut stdin) => write(&mut stdin),
        None => with_stdout(write),
    };
    // Its input is closed now; it ends when its user leaves it.
    child.wait().context("waiting for the pager")?;
    result
}

/// What could not be written after the outcome was decided.
///
/// The one place where a failed write meets the exit code: a gate stays shut and changes stay changes when the
/// text, a file of `--out` or an annotation is lost, and only an outcome that was fine becomes a failure.
#[derive(Debug, Default)]
pub(super) struct WriteFailures(Vec<anyhow::Error>);

impl WriteFailures {
    /// Keeps what went wrong, so that the writes after it still happen.
    pub(super) fn keep(&mut self, result: anyhow::Result<()>) {
        self.0.extend(result.err());
    }

    /// Reports the failures, and gives the exit code.
    pub(super) fn conclude(self, decided: Outcome, edge: &Edge) -> Outcome {
        for error in &self.0 {
            edge.report(error);
        }
        match decided {
            Outcome::Fine if !self.0.is_empty() => Outcome::Failed,
            Outcome::Fine | Outcome::Failed | Outcome::Changes | Outcome::Gate | Outcome::Tool(_) => decided,
        }
    }
}

/// An interrupt at the terminal reaches all who run there. A pager stops searching or reading for it, and
/// goes on; if we ended, the shell would take the terminal back while the pager still has it.
#[cfg(unix)]
fn leave_interrupts_to_the_pager() {
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGQUIT] {
        // Without a handler an interrupt ends us at once, which is no more than was asked for.
        let _ = signal_hook::flag::register(signal, std::sync::Arc::default());
    }
}

/// On other systems, a handler would be inherited.
#[cfg(not(unix))]
fn leave_interrupts_to_the_pager() {}

fn with_stdout<T>(write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>) -> anyhow::Result<T> {
    match stdout_file() {
        Some(mut file) => write(&mut file),
        None => write(&mut io::stdout().lock()),
    }
}

fn spawn(pager: &Pager) -> io::Result<Child> {
    let mut command = command(&pager.command);
    if pager.less_options {
        command.env("LESS", "FRX");
    }
    command.stdin(Stdio::piped()).spawn()
}

/// The command by itself if its words are plain, so that a missing one is noticed; else by the shell.
fn command(text: &str) -> Command {
    let plain = |c: char| c.is_alphanumeric() || " \t/._-+=:,@%\\".contains(c);
    if text.chars().all(plain) || cfg!(not(unix)) {
        let mut words = text.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        return command;
    }
    let mut command = Command::new("sh");
    command.arg("-c").arg(text);
    command
}
