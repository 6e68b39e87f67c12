//! `tfview run tofu apply …`: runs the tool, with `-json` if the command supports it, and shows the run.
//!
//! Invariants: the tool inherits standard input, and its exit code is returned even if the display fails;
//! commands without messages run unchanged; nothing is applied without being shown and approved, unless the
//! command itself says so.

mod approve;
mod ask;
mod invocation;
mod schemas;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, ensure};

use super::args::RunArgs;
use super::documents::Files;
use super::driver::{DriverReport, Input, Part, RunDriver};
use super::processes::{self, Event, Process, Purpose};
use super::settings::Settings;
use super::{Host, Outcome, typed};
use crate::dialect::Tool;
use invocation::Invocation;
pub(super) use schemas::SchemaSource;

/// Runs the subcommand.
pub(super) fn run(args: &RunArgs, host: &Host) -> anyhow::Result<Outcome> {
    let invocation = Invocation::parse(&args.command);
    let code = if !invocation.is_streamed() {
        run_untouched(&invocation, args, host)?
    } else if let Some(code) = approve::run(&invocation, args, host)? {
        code
    } else {
        show_as_given(&invocation, args, host)?
    };
    Ok(Outcome::Tool(code))
}

/// A command of the tool.
#[derive(Debug)]
pub(super) struct ToolCommand {
    words: Vec<OsString>,
    /// The name of the command in variables such as `TF_CLI_ARGS_plan`. They are removed from its environment, because
    /// their arguments are among the words, or are not meant for it.
    without_arguments_of: Option<&'static str>,
}

impl ToolCommand {
    fn new(words: &[OsString]) -> Self {
        Self { words: words.to_vec(), without_arguments_of: None }
    }

    fn command(&self, host: &Host) -> anyhow::Result<Command> {
        let (tool, rest) = self.words.split_first().context("there is no command to run")?;
        let program = host.environment.find_program(tool).with_context(|| {
            let is_tool = Tool::from_program(&tool.to_string_lossy()).is_some();
            let tip = if is_tool { None } else { typed::way_to_run(&self.words) };
            let tip = tip.map_or_else(String::new, |tip| format!("\n  tip: {tip}"));
            format!(
                "starting {}: it is not in PATH (directories that are not absolute are not searched){tip}",
                tool.display()
            )
        })?;
        let mut command = Command::new(program);
        command.args(rest);
        if let Some(name) = self.without_arguments_of {
            command.env_remove("TF_CLI_ARGS").env_remove(format!("TF_CLI_ARGS_{name}"));
        }
        Ok(command)
    }

    fn start(&self, command: &mut Command, host: &Host) -> anyhow::Result<(Child, Process)> {
        host.processes.start(command, Purpose::Shown).with_context(|| self.starting())
    }

    fn starting(&self) -> String {
        format!("starting {}", self.words.first().map(|word| word.display().to_string()).unwrap_or_default())
    }

    /// Runs the command with inherited standard streams. Returns the exit code.
    fn run_inherited(&self, command: &mut Command, host: &Host) -> anyhow::Result<u8> {
        let (mut child, process) = self.start(command, host)?;
        loop {
            match process.wait(&mut child).context("waiting for the tool")? {
                Event::Stopped => process.suspend(),
                Event::Ended(code) => return Ok(code),
            }
        }
    }

    /// Runs a command that prints JSON, which `name` calls in errors, and returns what it prints.
    pub(super) fn json(&self, name: &str, host: &Host) -> anyhow::Result<String> {
        let output = host.processes.capture(&mut self.command(host)?);
        let output = output.with_context(|| format!("running the tool's `{name}`"))?;
        ensure!(
            output.status.success(),
            "the tool's `{name}` failed ({}): {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
        let text = String::from_utf8(output.stdout);
        let text = text.with_context(|| format!("cannot read the output of the tool's `{name}`"))?;
        let start = text.find('{').with_context(|| format!("the tool's `{name}` printed no JSON"))?;
        Ok(text.get(start..).unwrap_or_default().trim_end().to_owned())
    }

    /// The tool, if one of the words is its name.
    pub(super) fn known_tool(&self) -> Option<Tool> {
        let name = |word| Some(Path::new(word).file_name()?.to_string_lossy());
        self.words.iter().find_map(|word| Tool::from_program(&name(word)?))
    }
}

/// Replaces this process by the command, or waits for it on platforms without `exec`. Returns the exit code.
fn run_untouched(invocation: &Invocation, args: &RunArgs, host: &Host) -> anyhow::Result<u8> {
    for out in &args.run.out {
        host.note(&format!("no page is written to {}: the command runs untouched", out.path.display()));
    }
    let tool = ToolCommand::new(invocation.words());
    processes::replace(&mut tool.command(host)?).with_context(|| tool.starting())
}

/// Runs the command with `-json`. Returns its exit code.
fn show_as_given(invocation: &Invocation, args: &RunArgs, host: &Host) -> anyhow::Result<u8> {
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    let mut documents = Files::read(settings, args.run.plan.as_deref(), host);
    let tool = ToolCommand::new(&invocation.with_json());
    show(&tool, &mut documents, Part::Whole, args).map(|(code, _)| code)
}

/// Runs the tool and shows its messages. Returns its exit code, and how the display ended.
fn show(
    tool: &ToolCommand,
    documents: &mut Files<'_>,
    part: Part,
    args: &RunArgs,
) -> anyhow::Result<(u8, DriverReport)> {
    let host = documents.host;
    let (driver, sender) = RunDriver::new(documents, part, &args.run);
    let mut command = tool.command(host)?;
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, process) = tool.start(&mut command, host)?;
    sender.read_messages(child.stdout.take().context("the tool has no output")?);
    sender.read_stderr(child.stderr.take().context("the tool has no standard error")?);
    let (code, shown) = thread::scope(|scope| {
        let wait = || {
            let code = loop {
                match process.wait(&mut child) {
                    Ok(Event::Stopped) => {
                        sender.send(Input::Stopped);
                    }
                    Ok(Event::Ended(code)) => break Ok(code),
                    Err(error) => break Err(error),
                }
            };
            sender.send(Input::Exited);
            code
        };
        let waiting = scope.spawn(wait);
        let shown = driver.run(Some(&process), false);
        (waiting.join().unwrap_or_else(|_| Err(io::Error::other("an internal error"))), shown)
    });
    drop(process);
    // The tool's exit code is returned: errors of the display are only reported.
    let code = code.context("waiting for the tool")?;
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
