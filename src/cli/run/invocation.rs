//! The command of `run`: the words of the tool and their meaning.
//!
//! The tools parse options with Go's `flag` package: one or two dashes, the value after `=` or in the next
//! word, boolean values only after `=`, and no options after the first argument.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::ToolCommand;
use crate::cli::Host;

/// Subcommands that write messages with `-json`.
const STREAMED: [&str; 8] = [
    "apply", "destroy", "init", "plan", "query", "refresh", "test", "validate",
];

const TOOLS: [&str; 3] = ["tofu", "terraform", "terragrunt"];

/// Programs that run the tool on another file system.
const ELSEWHERE: [&str; 6] = ["docker", "podman", "nerdctl", "kubectl", "ssh", "lima"];

/// The options of `plan` and `apply` that take a value in the next word.
const WITH_VALUE: &str = "backup deprecation exclude exclude-file generate-config-out invoke json-into lock-timeout \
    module-depth out parallelism replace state state-out target target-file var var-file";

/// The options for applying a saved plan; the others are for planning.
const OF_APPLY: &str = "backup compact-warnings concise consolidate-errors consolidate-warnings deprecation \
    ignore-remote-version input lock lock-timeout no-color parallelism state state-out";

fn has_word(words: &str, wanted: &str) -> bool {
    words.split(' ').any(|word| word == wanted)
}

const ONLY_APPLY: [&str; 2] = ["auto-approve", "suppress-forget-errors"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    pub(super) name: String,
    pub(super) value: Option<String>,
    words: Vec<OsString>,
}

impl Flag {
    fn is_set(&self) -> bool {
        !matches!(
            self.value.as_deref(),
            Some("0" | "f" | "F" | "false" | "False" | "FALSE")
        )
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    flags: Vec<Flag>,
    pub(super) arguments: Vec<OsString>,
}

impl Flags {
    pub(super) fn parse(words: &[OsString]) -> Self {
        let mut parsed = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            if text == "--" {
                break;
            }
            let Some(name) = text.strip_prefix("--").or_else(|| text.strip_prefix('-')) else {
                parsed.arguments.push(word.clone());
                break;
            };
            if name.is_empty() {
                parsed.arguments.push(word.clone());
                break;
            }
            let mut flag = Flag {
                name: name.to_owned(),
                value: None,
                words: vec![word.clone()],
            };
            if let Some((name, value)) = name.split_once('=') {
                (flag.name, flag.value) = (name.to_owned(), Some(value.to_owned()));
            } else if has_word(WITH_VALUE, name)
                && let Some(next) = words.next()
            {
                flag.value = Some(next.to_string_lossy().into_owned());
                flag.words.push(next.clone());
            }
            parsed.flags.push(flag);
        }
        parsed.arguments.extend(words.cloned());
        parsed
    }

    /// The last occurrence wins.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.last(name).is_some_and(Flag::is_set)
    }

    pub(super) fn is_unset(&self, name: &str) -> bool {
        self.last(name).is_some_and(|flag| !flag.is_set())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.last(name).is_some()
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.last(name).and_then(|flag| flag.value.as_deref())
    }

    fn last(&self, name: &str) -> Option<&Flag> {
        self.flags.iter().rev().find(|flag| flag.name == name)
    }

    fn words(&self, keep: impl Fn(&str) -> bool) -> Vec<OsString> {
        let kept = self.flags.iter().filter(|flag| keep(&flag.name));
        kept.flat_map(|flag| flag.words.iter().cloned()).collect()
    }

    pub(super) fn for_plan(&self) -> Vec<OsString> {
        self.words(|name| !ONLY_APPLY.contains(&name) && name != "json")
    }

    /// `variables`: the plan does not contain all of them.
    pub(super) fn for_saved_plan(&self, variables: bool) -> Vec<OsString> {
        self.words(|name| {
            has_word(OF_APPLY, name)
                || name == "suppress-forget-errors"
                || (variables && matches!(name, "var" | "var-file"))
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Invocation {
    words: Vec<OsString>,
    tool: Option<usize>,
    subcommand: Option<usize>,
}

impl Invocation {
    pub(super) fn parse(words: &[OsString]) -> Self {
        let tool = words
            .iter()
            .position(|word| stem(word).is_some_and(|stem| TOOLS.contains(&stem)));
        let is_option = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
        let mut rest = words
            .iter()
            .enumerate()
            .skip(tool.map_or(1, |tool| tool + 1));
        let subcommand = match tool {
            Some(_) => rest.find(|(_, word)| !is_option(word)),
            // An unknown wrapper: use the first word that is a subcommand.
            None => {
                rest.find(|(_, word)| word.to_str().is_some_and(|word| STREAMED.contains(&word)))
            }
        };
        Self {
            words: words.to_vec(),
            tool,
            subcommand: subcommand.map(|(at, _)| at),
        }
    }

    pub(super) fn words(&self) -> &[OsString] {
        &self.words
    }

    pub(super) fn is_known(&self) -> bool {
        self.tool.is_some()
    }

    pub(super) fn tool_name(&self) -> &str {
        let word = self
            .tool
            .map_or(self.words.first(), |tool| self.words.get(tool));
        word.and_then(|word| stem(word)).unwrap_or("the tool")
    }

    pub(super) fn is_local(&self) -> bool {
        let before = self.words.iter().take(self.tool.unwrap_or_default());
        !before
            .filter_map(|word| stem(word))
            .any(|stem| ELSEWHERE.contains(&stem))
    }

    pub(super) fn subcommand(&self) -> Option<&str> {
        self.subcommand
            .and_then(|at| self.words.get(at))
            .and_then(|word| word.to_str())
    }

    pub(super) fn arguments(&self) -> &[OsString] {
        self.subcommand
            .and_then(|at| self.words.get(at + 1..))
            .unwrap_or_default()
    }

    pub(super) fn folder(&self) -> &Path {
        let chdir = || {
            let globals = self.words.get(self.tool? + 1..self.subcommand?)?;
            globals
                .iter()
                .find_map(|word| word.to_str()?.strip_prefix("-chdir="))
        };
        Path::new(chdir().unwrap_or("."))
    }

    fn read_data(&self, name: &str, host: &Host) -> Option<String> {
        let data = host
            .environment
            .tools
            .data_dir
            .as_deref()
            .unwrap_or(Path::new(".terraform"));
        fs::read_to_string(self.folder().join(data).join(name)).ok()
    }

    /// The backend with which the directory was initialised, if plans are made elsewhere with it.
    pub(super) fn remote_backend(&self, host: &Host) -> Option<String> {
        #[derive(Deserialize)]
        struct Initialised {
            backend: Backend,
        }
        #[derive(Deserialize)]
        struct Backend {
            r#type: String,
        }
        let text = self.read_data("terraform.tfstate", host)?;
        let Initialised { backend } = serde_json::from_str(&text).ok()?;
        matches!(&*backend.r#type, "remote" | "cloud").then_some(backend.r#type)
    }

    pub(super) fn workspace(&self, host: &Host) -> String {
        let selected = || {
            self.read_data("environment", host)
                .map(|text| text.trim().to_owned())
        };
        let name = host.environment.tools.workspace.clone().or_else(selected);
        name.filter(|name| !name.is_empty())
            .unwrap_or_else(|| "default".to_owned())
    }

    pub(super) fn is_streamed(&self) -> bool {
        if !self.is_known() {
            return true;
        }
        let is_help = |word: &OsString| {
            matches!(
                word.to_str(),
                Some("-h" | "-help" | "--help" | "-version" | "--version" | "-v")
            )
        };
        let Some(subcommand) = self.subcommand else {
            return false;
        };
        if !self
            .subcommand()
            .is_some_and(|word| STREAMED.contains(&word))
            || self.words.iter().take(subcommand).any(is_help)
        {
            return false;
        }
        let flags = Flags::parse(self.arguments());
        let asks_for_help = ["h", "help"].iter().any(|name| flags.has(name));
        !asks_for_help && !flags.is_unset("json") && !flags.has("json-into")
    }

    pub(super) fn with_json(&self) -> Vec<OsString> {
        let mut words = self.words.clone();
        let flags = Flags::parse(self.arguments());
        if let Some(at) = self.subcommand
            && self
                .subcommand()
                .is_some_and(|word| STREAMED.contains(&word))
            && !flags.has("json")
            && !self.arguments().iter().any(|word| is_json(word))
        {
            words.insert(at + 1, "-json".into());
        }
        words
    }

    /// Without the arguments in variables, see [`ToolCommand`].
    pub(super) fn tool(
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
        words.extend(arguments);
        ToolCommand {
            words,
            without_arguments_of,
        }
    }
}

pub(super) fn is_json(word: &OsStr) -> bool {
    matches!(
        word.to_str(),
        Some("-json" | "--json" | "-json=true" | "--json=true")
    )
}

fn stem(word: &OsStr) -> Option<&str> {
    Path::new(word).file_stem().and_then(OsStr::to_str)
}

/// Like the tools, for variables such as `TF_CLI_ARGS`; `None` if a quote is not closed.
pub(super) fn split(text: &str) -> Option<Vec<OsString>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None | Some('"'), '\\') => word.get_or_insert_default().push(characters.next()?),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some(open), character) if open == character => quote = None,
            (None, ' ' | '\t' | '\r' | '\n') => words.extend(word.take().map(OsString::from)),
            (_, character) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word.map(OsString::from));
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests;
