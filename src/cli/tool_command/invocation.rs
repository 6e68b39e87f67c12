//! Parses the command of `tfview run`: which of its words are the tool, its subcommand and its options.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::ToolCommand;
use super::options::Flags;
use super::program::{self, Program};
use crate::cli::Host;

/// The subcommands that write messages with `-json`.
const STREAMED: [&str; 8] = [
    "apply", "destroy", "init", "plan", "query", "refresh", "test", "validate",
];

/// The options that ask for help, with any subcommand.
const HELP: [&str; 3] = ["-h", "-help", "--help"];
/// The options that ask for the version, before a subcommand.
const VERSION: [&str; 3] = ["-v", "-version", "--version"];

/// The command that `tfview run` is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Invocation {
    /// The words of the command.
    words: Vec<OsString>,
    /// The tool, with the index of its word; `None` for an unknown program.
    tool: Option<Program>,
    /// The index of the word that is the subcommand.
    subcommand: Option<usize>,
    /// Terragrunt's options after the subcommand, which every command of the run needs.
    for_every_command: Vec<OsString>,
}

impl Invocation {
    /// Parses a command. `link` returns the name of the program that a symbolic link leads to.
    pub(in crate::cli) fn parse(
        words: &[OsString],
        link: impl Fn(&OsStr) -> Option<OsString>,
    ) -> Self {
        let tool = program::find(words, link);
        let subcommand = match tool {
            Some(tool) => subcommand(words, tool),
            // For an unknown program, it is the first word that could be one.
            None => words
                .iter()
                .skip(1)
                .position(is_streamed)
                .map(|index| index + 1),
        };
        let mut invocation = Self {
            words: words.to_vec(),
            tool,
            subcommand,
            for_every_command: Vec::new(),
        };
        if invocation.is_terragrunt() {
            invocation.for_every_command = invocation.flags().for_every_command();
        }
        invocation
    }

    pub(in crate::cli) fn words(&self) -> &[OsString] {
        &self.words
    }

    pub(in crate::cli) fn is_known(&self) -> bool {
        self.tool.is_some()
    }

    pub(in crate::cli) fn is_terragrunt(&self) -> bool {
        self.tool.is_some_and(|tool| tool.is_terragrunt)
    }

    /// Returns the name of the tool as it was typed, without its folder.
    pub(in crate::cli) fn tool_name(&self) -> &str {
        let index = self.tool.map_or(0, |tool| tool.index);
        let word = self.words.get(index);
        word.and_then(|word| program::stem(word))
            .unwrap_or("the tool")
    }

    pub(in crate::cli) fn is_local(&self) -> bool {
        self.tool.is_none_or(|tool| tool.is_local)
    }

    /// Returns the options after the subcommand.
    pub(in crate::cli) fn flags(&self) -> Flags {
        Flags::parse(self.arguments(), self.is_terragrunt())
    }

    pub(in crate::cli) fn subcommand(&self) -> Option<&str> {
        self.subcommand
            .and_then(|index| self.words.get(index))
            .and_then(|word| word.to_str())
    }

    pub(in crate::cli) fn arguments(&self) -> &[OsString] {
        self.subcommand
            .and_then(|index| self.words.get(index + 1..))
            .unwrap_or_default()
    }

    /// Returns the directory of the configuration, which `-chdir` may name.
    pub(in crate::cli) fn folder(&self) -> &Path {
        let chdir = || {
            let globals = self.words.get(self.tool?.index + 1..self.subcommand?)?;
            globals
                .iter()
                .find_map(|word| word.to_str()?.strip_prefix("-chdir="))
        };
        Path::new(chdir().unwrap_or("."))
    }

    /// Reads a file in the tool's data directory (`.terraform`).
    fn read_data(&self, name: &str, host: &Host) -> Option<String> {
        let data = host
            .environment
            .tools
            .data_dir
            .as_deref()
            .unwrap_or(Path::new(".terraform"));
        fs::read_to_string(self.folder().join(data).join(name)).ok()
    }

    /// Returns the backend for which the directory was initialized, if that makes plans elsewhere.
    pub(in crate::cli) fn remote_backend(&self, host: &Host) -> Option<String> {
        /// The part of the backend's file that is read here.
        #[derive(Deserialize)]
        struct Initialised {
            backend: Backend,
        }
        /// The type of a backend.
        #[derive(Deserialize)]
        struct Backend {
            r#type: String,
        }
        let text = self.read_data("terraform.tfstate", host)?;
        let Initialised { backend } = serde_json::from_str(&text).ok()?;
        matches!(&*backend.r#type, "remote" | "cloud").then_some(backend.r#type)
    }

    /// Returns the name of the selected workspace.
    pub(in crate::cli) fn workspace(&self, host: &Host) -> String {
        let selected = || {
            self.read_data("environment", host)
                .map(|text| text.trim().to_owned())
        };
        let name = host.environment.tools.workspace.clone().or_else(selected);
        name.filter(|name| !name.is_empty())
            .unwrap_or_else(|| "default".to_owned())
    }

    /// Whether the command only prints the help or the version of the tool.
    pub(in crate::cli) fn asks_for_help(&self) -> bool {
        let is_one_of = |word: &OsString, wanted: &[&str]| {
            word.to_str().is_some_and(|word| wanted.contains(&word))
        };
        let of_tool = self
            .words
            .iter()
            .skip(self.tool.map_or(0, |tool| tool.index));
        let mut options = of_tool.take_while(|word| *word != "--");
        let mut before = self.words.iter().take(self.subcommand.unwrap_or_default());
        before.any(|word| is_one_of(word, &VERSION)) || options.any(|word| is_one_of(word, &HELP))
    }

    /// Whether the command writes messages, which can be shown.
    pub(in crate::cli) fn is_streamed(&self) -> bool {
        let flags = self.flags();
        let Some(subcommand) = self.subcommand.filter(|_| self.is_known()) else {
            // An unknown program does not get `-json`, but its messages are shown if its command has it.
            return self.arguments().iter().any(|word| is_json(word)) && !flags.is_unset("json");
        };
        self.words.get(subcommand).is_some_and(is_streamed)
            && !self.asks_for_help()
            && !flags.is_unset("json")
            && !flags.has("json-into")
    }

    /// Returns the words with `-json`, if the tool is known and they do not have it.
    pub(in crate::cli) fn with_json(&self) -> Vec<OsString> {
        let mut words = self.words.clone();
        if let Some(index) = self.subcommand
            && self.is_known()
            && self.words.get(index).is_some_and(is_streamed)
            && !self.flags().has("json")
            && !self.arguments().iter().any(|word| is_json(word))
        {
            words.insert(index + 1, "-json".into());
        }
        words
    }

    /// Makes another command of the same tool. `without_arguments_of` is that of [`ToolCommand`].
    pub(in crate::cli) fn tool(
        &self,
        subcommand: &str,
        arguments: impl IntoIterator<Item = OsString>,
        without_arguments_of: Option<&'static str>,
    ) -> ToolCommand {
        let before = self
            .words
            .get(..self.subcommand.unwrap_or(self.words.len()))
            .unwrap_or_default();
        let mut words = before.to_vec();
        words.push(subcommand.into());
        words.extend_from_slice(&self.for_every_command);
        words.extend(arguments);
        ToolCommand {
            words,
            without_arguments_of,
        }
    }
}

/// Whether a word asks for JSON.
pub(in crate::cli) fn is_json(word: &OsStr) -> bool {
    matches!(
        word.to_str(),
        Some("-json" | "--json" | "-json=true" | "--json=true")
    )
}

fn is_streamed(word: &OsString) -> bool {
    word.to_str().is_some_and(|word| STREAMED.contains(&word))
}

/// Returns the index of the subcommand, which is the first word after the tool that is not an option. Returns `None` if
/// that is not certain: an unknown option before it may have its value in the next word.
fn subcommand(words: &[OsString], tool: Program) -> Option<usize> {
    let globals = words.get(tool.index + 1..)?;
    if !tool.is_terragrunt {
        let is_option = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
        let before = globals.iter().position(|word| !is_option(word))?;
        return Some(tool.index + 1 + before);
    }
    let flags = Flags::parse(globals, true);
    let index = words.len().checked_sub(flags.arguments.len())?;
    (index < words.len() && flags.are_for_every_command()).then_some(index)
}

#[cfg(test)]
mod tests;
