//! Makes other commands of the command that `tfview run` is given.
//!
//! ```text
//! given     tofu -chdir=prod apply -auto-approve
//! plan      tofu -chdir=prod plan -json -out=…
//! apply     tofu -chdir=prod apply -json …
//! schemas   tofu -chdir=prod providers schema -json
//! ```
//!
//! Invariant: `-json` is only added to the command of a known tool.

mod invocation;
mod options;
mod program;
mod schemas;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command};

use anyhow::{Context, ensure};

use super::messages::ErrorWithTip;
use super::processes::{Process, Purpose};
use super::{Host, typed};
use crate::dialect::Tool;

pub(super) use invocation::Invocation;
pub(super) use options::{Flags, Obstacle, Planned};
pub(super) use schemas::SchemaSource;

use options::split;

/// A command of the tool, which can be started.
#[derive(Debug)]
pub(super) struct ToolCommand {
    /// The words of the command, of which the first is the program.
    words: Vec<OsString>,
    /// The subcommand whose variables, such as `TF_CLI_ARGS_plan`, are removed from the environment: their arguments
    /// are among the words, or are not meant for this command.
    without_arguments_of: Option<&'static str>,
}

impl ToolCommand {
    pub(super) fn new(words: &[OsString]) -> Self {
        Self {
            words: words.to_vec(),
            without_arguments_of: None,
        }
    }

    /// Finds the program, and returns the command to start.
    ///
    /// # Errors
    /// If the program is not in `PATH`.
    pub(super) fn command(&self, host: &Host) -> anyhow::Result<Command> {
        let (tool, rest) = self
            .words
            .split_first()
            .context("there is no command to run")?;
        let program = host.environment.find_program(tool).ok_or_else(|| {
            let is_tool = Tool::from_program(&tool.to_string_lossy()).is_some();
            let tip = if is_tool { None } else { typed::way_to_run(&self.words) };
            let text = format!(
                "cannot start {}: it is not in PATH (directories that are not absolute are not searched)",
                tool.display()
            );
            ErrorWithTip::with(text, tip)
        })?;
        let mut command = Command::new(program);
        command.args(rest);
        if let Some(name) = self.without_arguments_of {
            command
                .env_remove("TF_CLI_ARGS")
                .env_remove(format!("TF_CLI_ARGS_{name}"));
        }
        Ok(command)
    }

    /// Starts the command as one that the user sees.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn start(
        &self,
        command: &mut Command,
        host: &Host,
    ) -> anyhow::Result<(Child, Process)> {
        host.processes
            .start(command, Purpose::Shown)
            .with_context(|| self.starting())
    }

    /// Returns the context for an error of starting the command.
    pub(super) fn starting(&self) -> String {
        format!(
            "cannot start {}",
            self.words
                .first()
                .map(|word| word.display().to_string())
                .unwrap_or_default()
        )
    }

    /// Runs the command on the standard streams of this process, and returns its exit code.
    ///
    /// # Errors
    /// If it cannot be started or waited for.
    pub(super) fn run_inherited(&self, command: &mut Command, host: &Host) -> anyhow::Result<u8> {
        let (mut child, process) = self.start(command, host)?;
        process
            .wait(&mut child, || process.suspend())
            .context("waiting for the tool")
    }

    /// Runs the command, and returns the JSON that it prints. `name` names the command in errors.
    ///
    /// # Errors
    /// If the command fails, or prints no JSON.
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
        let text =
            text.with_context(|| format!("cannot read the output of the tool's `{name}`"))?;
        let start = text
            .find('{')
            .with_context(|| format!("the tool's `{name}` printed no JSON"))?;
        Ok(text.get(start..).unwrap_or_default().trim_end().to_owned())
    }

    /// Returns the tool, if a word of the command is its name.
    pub(super) fn known_tool(&self) -> Option<Tool> {
        let name = |word| Some(Path::new(word).file_name()?.to_string_lossy());
        self.words
            .iter()
            .find_map(|word| Tool::from_program(&name(word)?))
    }
}

impl Invocation {
    /// Returns the options in variables and on the command line, in the order in which the tools read them.
    ///
    /// # Errors
    /// If a variable has something else than options.
    pub(super) fn all_flags(&self, host: &Host) -> Result<Flags, Obstacle> {
        let variables = &host.environment.tools;
        let mut words = Vec::new();
        for (name, text) in variables.arguments_of(self.subcommand().unwrap_or_default()) {
            let of_variable = split(text).ok_or_else(|| {
                Obstacle::Unclear(format!(
                    "the value of {name} cannot be read as the tool reads it"
                ))
            })?;
            if !Flags::parse(&of_variable, false).arguments.is_empty() {
                return Err(Obstacle::Unclear(format!(
                    "{name} has words that are no options"
                )));
            }
            words.extend(of_variable);
        }
        words.extend_from_slice(self.arguments());
        Ok(Flags::parse(&words, self.is_terragrunt()))
    }

    /// Returns the options like [`Self::all_flags`], for a command that is planned first.
    ///
    /// # Errors
    /// If one of the options prevents that.
    pub(super) fn flags_of_planned(
        &self,
        command: Planned,
        host: &Host,
    ) -> Result<Flags, Obstacle> {
        if self.is_terragrunt() && host.environment.tools.several_units {
            let why = "a variable lets Terragrunt run several units";
            return Err(Obstacle::Unclear(why.to_owned()));
        }
        let flags = self.all_flags(host)?;
        match flags.obstacle(command) {
            Some(obstacle) => Err(obstacle),
            None => Ok(flags),
        }
    }
}
