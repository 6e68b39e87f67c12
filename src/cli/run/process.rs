//! The commands that are run, and the one whose messages are shown.

use std::ffi::OsString;
use std::process::{Child, Command};

use anyhow::Context;

use crate::cli::driver::{Control, OnSignal};
use crate::cli::processes::{self, Event, Process, Purpose};
use crate::cli::values::{OutFile, RunFormat};
use crate::cli::{Host, programs, typed};

/// Builds the command for these words.
pub(super) fn command(words: &[OsString], host: &Host) -> anyhow::Result<Command> {
    let (tool, rest) = words.split_first().context("there is no command to run")?;
    let program = programs::find(tool, &host.environment).with_context(|| {
        let tip = typed::way_to_run(words).map_or_else(String::new, |way| format!("\n  tip: {way}"));
        format!(
            "starting {}: it is not in PATH (directories that are not absolute are not searched){tip}",
            tool.display()
        )
    })?;
    let mut command = Command::new(program);
    command.args(rest);
    Ok(command)
}

/// Starts the command of the user.
pub(super) fn start(
    command: &mut Command,
    words: &[OsString],
    host: &Host,
) -> anyhow::Result<(Child, Process)> {
    host.processes.start(command, Purpose::Shown).with_context(|| starting(words))
}

fn starting(words: &[OsString]) -> String {
    format!("starting {}", words.first().map(|word| word.display().to_string()).unwrap_or_default())
}

/// Replaces this process by the command, or waits for it on platforms without `exec`. Returns the exit code.
pub(super) fn run_untouched(
    words: &[OsString],
    outs: &[OutFile<RunFormat>],
    host: &Host,
) -> anyhow::Result<u8> {
    for out in outs {
        host.note(&format!("no page is written to {}: the command runs untouched", out.path.display()));
    }
    processes::replace(&mut command(words, host)?).with_context(|| starting(words))
}

/// Runs the command with inherited standard streams. Returns the exit code.
pub(super) fn run_inherited(command: &mut Command, words: &[OsString], host: &Host) -> anyhow::Result<u8> {
    let (mut child, process) = start(command, words, host)?;
    let wait = process.waiter();
    loop {
        match wait(&mut child).context("waiting for the tool")? {
            #[cfg(unix)]
            Event::Stopped => process.suspend(),
            Event::Ended(code) => return Ok(code),
        }
    }
}

/// The display leaves signals to the tool, which has received them already.
impl Control for Process {
    fn on_signal(&mut self, _: i32) -> OnSignal {
        OnSignal::Ignore
    }

    fn lingers(&mut self) -> bool {
        Self::lingers(self)
    }

    fn suspend(&mut self) {
        Self::suspend(self);
    }
}
