//! `tfview run tofu apply …`: runs the tool, with `-json` if the command supports it, and shows the run.
//!
//! Invariants: the tool inherits standard input, and its exit code is returned even if the display fails;
//! commands without messages run unchanged; nothing is applied without being shown and approved, unless the
//! command itself says so.

mod approve;
mod ask;
mod asked;
mod folder;
mod invocation;
mod planned;
mod process;

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;

use anyhow::Context;

use super::args::RunArgs;
use super::driver::{DriverReport, Input, MessageSource, RunDriver, ShownRun};
use super::processes::Event;
use super::{Host, Outcome};
use invocation::Invocation;
pub(super) use planned::SavedPlan;

/// Runs the subcommand.
pub(super) fn run(args: &RunArgs, host: &Host) -> anyhow::Result<Outcome> {
    run_command(args, host).map(Outcome::Tool)
}

fn run_command(args: &RunArgs, host: &Host) -> anyhow::Result<u8> {
    let invocation = Invocation::parse(&args.command);
    if !invocation.is_streamed() {
        return process::run_untouched(invocation.words(), &args.run.out, host);
    }
    match approve::run(&invocation, args, host)? {
        Some(code) => Ok(code),
        None => show_as_given(&invocation, args, host),
    }
}

/// A command of the tool.
struct Tool<'t> {
    words: Vec<OsString>,
    /// Variables to remove from its environment, because their arguments are among the words.
    removed: &'t [&'static str],
}

impl Tool<'_> {
    fn command(&self, host: &Host) -> anyhow::Result<Command> {
        let mut command = process::command(&self.words, host)?;
        self.removed.iter().for_each(|name| {
            command.env_remove(name);
        });
        Ok(command)
    }
}

/// Runs the command with `-json`. Returns its exit code.
fn show_as_given(invocation: &Invocation, args: &RunArgs, host: &Host) -> anyhow::Result<u8> {
    let run = ShownRun::given(&args.display, &args.run, host);
    let tool = Tool { words: invocation.with_json(), removed: &[] };
    show(&tool, run, args, host).map(|(code, _)| code)
}

/// Runs the tool and shows its messages. Returns its exit code, and how the display ended.
fn show(
    tool: &Tool<'_>,
    run: ShownRun<'_>,
    args: &RunArgs,
    host: &Host,
) -> anyhow::Result<(u8, DriverReport)> {
    let (driver, input_sender) = RunDriver::new(run, &args.run, host);
    let mut command = tool.command(host)?;
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, mut process) = process::start(&mut command, &tool.words, host)?;
    input_sender.read_messages(child.stdout.take().context("the tool has no output")?);
    input_sender.read_stderr(child.stderr.take().context("the tool has no standard error")?);
    let (sender, code) = channel();
    let wait = process.waiter();
    thread::spawn(move || {
        let code = loop {
            match wait(&mut child) {
                #[cfg(unix)]
                Ok(Event::Stopped) => {
                    input_sender.send(Input::Stopped);
                }
                Ok(Event::Ended(code)) => break Ok(code),
                Err(error) => break Err(error),
            }
        };
        // The display may have failed, and returns nothing then.
        let _ = sender.send(code);
        input_sender.send(Input::Exited);
    });
    let shown = driver.run(MessageSource::Tool, &mut process);
    // The tool's exit code is returned: errors of the display are only reported.
    let waiting = "waiting for the tool";
    let code = code.recv().context(waiting)?.context(waiting)?;
    drop(process);
    let shown = shown.unwrap_or_else(|error| DriverReport {
        failed: true,
        fault: Some(error),
        ..DriverReport::default()
    });
    if let Some(fault) = &shown.fault {
        host.report(fault);
    }
    Ok((code, shown))
}
