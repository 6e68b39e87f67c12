//! Where the text goes: standard output as it is, or a pager.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

use super::Edge;
use super::settings::Pager;
use crate::term::stdout_file;

/// Runs `write` on what standard output is to be: itself, or a pager before it.
///
/// A reader that has had enough (a closed pipe, a pager that was left) ends the work, and is no error.
pub(super) fn with_output<T>(
    pager: Option<&Pager>,
    edge: &Edge,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let Some(pager) = pager else { return with_stdout(write) };
    leave_interrupts_to_the_pager();
    let mut child = match spawn(pager) {
        Ok(child) => child,
        Err(error) => {
            // Nobody asked for the default pager, so nobody misses it.
            if !pager.is_default() || error.kind() != io::ErrorKind::NotFound {
                edge.note(&format!("running the pager `{}`: {error}; printing instead", pager.command));
            }
            return with_stdout(write);
        }
    };
    let result = match child.stdin.take() {
        Some(mut stdin) => write(&mut stdin),
        None => with_stdout(write),
    };
    // Its input is closed now; it ends when its user leaves it.
    child.wait()?;
    result
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
