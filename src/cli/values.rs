//! Parses the values of options for which clap has no parser.
//!
//! Invariant: a parser lists its words, so that errors, help and completions name the words that it accepts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, ValueEnum};
use serde::Deserialize;

use crate::compare;
use crate::report::Budget;
use crate::review::ChangeKind;
use crate::review::gate::Gate;
use crate::with::web_address;

/// When to use colours, or a pager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// When the output is a terminal, and the environment does not say otherwise
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The mode of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PlanModeChoice {
    /// Infer the mode from the plan
    #[default]
    Auto,
    /// `plan` without one of the options below
    Normal,
    /// `plan -destroy`
    Destroy,
    /// `plan -refresh-only`
    RefreshOnly,
}

/// A CI system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CiChoice {
    /// Detect the system from the environment
    #[default]
    Auto,
    /// No CI system
    None,
    /// GitHub Actions
    Github,
    /// GitLab CI
    Gitlab,
    /// Azure Pipelines
    Azure,
}

/// How to show progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressChoice {
    /// live on a terminal, log elsewhere
    #[default]
    Auto,
    /// A region of the terminal that is redrawn
    Live,
    /// Lines of text
    Log,
    /// No progress
    None,
}

/// A format of `tfview review`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FormatChoice {
    /// Text for a terminal
    #[default]
    Terminal,
    /// Markdown for pull requests
    #[value(alias = "md")]
    Markdown,
    /// A page that can be kept and opened anywhere
    Html,
    /// JSON for scripts
    Json,
    /// GitLab's Terraform report, for the counts in a merge request
    GitlabReport,
    /// Findings for code scanning
    Sarif,
    /// A short text for chats: the verdict, and one line for each grave thing
    TextSummary,
}

/// A format that a run can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// A page that can be kept and opened anywhere
    Html,
}

/// Which changes outside of the tool are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum DriftChoice {
    /// Those that the plan depends on; the others are listed in one line
    #[default]
    Relevant,
    /// All of them
    All,
}

/// A format of `tfview diff`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// Text
    #[default]
    Terminal,
    /// Markdown for pull requests
    Markdown,
    /// A page that can be kept and opened anywhere
    Html,
    /// A document for programs
    Json,
}

/// A format of `tfview schema`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// Text for a terminal
    #[default]
    Text,
    /// Markdown
    Markdown,
    /// JSON for scripts
    Json,
}

/// A parser of values that are one of several words.
#[derive(Clone)]
struct Words<T> {
    listed: Vec<String>,
    parse: fn(&str) -> Option<T>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Words<T> {
    type Value = T;

    /// Parses a word.
    ///
    /// # Errors
    /// If it is none of the words, which the error lists.
    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        // A space may follow a comma in a list.
        let parsed = value.to_str().and_then(|word| (self.parse)(word.trim()));
        parsed.ok_or_else(|| {
            let listed = PossibleValuesParser::new(self.listed.clone());
            match listed.parse_ref(command, arg, value) {
                Err(error) => error,
                Ok(word) => command.clone().error(
                    ErrorKind::InvalidValue,
                    format!("{word} is listed, but cannot be parsed"),
                ),
            }
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            self.listed.iter().cloned().map(PossibleValue::new),
        ))
    }
}

/// A gate with the word for it on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateWord {
    pub(super) word: String,
    pub(super) gate: Gate,
}

/// Returns the parser for the gates of `tfview review`.
pub(super) fn gate() -> impl TypedValueParser<Value = GateWord> {
    let parse = |word: &str| {
        Some(GateWord {
            word: word.to_owned(),
            gate: Gate::from_word(word)?,
        })
    };
    Words {
        listed: Gate::words().collect(),
        parse,
    }
}

/// Returns the parser for the gates of `tfview diff`.
pub(super) fn comparison_gate() -> impl TypedValueParser<Value = compare::Gate> {
    let listed = compare::Gate::ALL
        .map(|gate| gate.word().to_owned())
        .to_vec();
    Words {
        listed,
        parse: compare::Gate::from_word,
    }
}

pub(super) fn kind() -> impl TypedValueParser<Value = ChangeKind> {
    Words {
        listed: ChangeKind::ALL.map(|kind| kind.word().to_owned()).to_vec(),
        parse: ChangeKind::from_word,
    }
}

/// A file that is written in addition to standard output, with its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutFile<F> {
    pub(super) format: F,
    pub(super) path: PathBuf,
}

pub(super) fn out_paths<F>(files: &[OutFile<F>]) -> Vec<(&'static str, &Path)> {
    files.iter().map(|file| ("--out", &*file.path)).collect()
}

impl<F: ValueEnum> FromStr for OutFile<F> {
    type Err = String;

    /// Parses `FORMAT=FILE`.
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').filter(|(_, path)| !path.is_empty());
        let parsed = parts.and_then(|(name, path)| {
            Some(Self {
                format: F::from_str(name, true).ok()?,
                path: path.into(),
            })
        });
        parsed.ok_or_else(|| {
            format!(
                "expected FORMAT=FILE with one of these formats: {}",
                names::<F>().join(", ")
            )
        })
    }
}

pub(super) fn names<F: ValueEnum>() -> Vec<String> {
    let values = F::value_variants()
        .iter()
        .filter_map(ValueEnum::to_possible_value);
    values.map(|value| value.get_name().to_owned()).collect()
}

/// The minimum size of Markdown, in bytes. It has room for the verdict and for a note about what is left out.
const MIN_BYTES: usize = 2_048;

/// Parses a size, which is a number of bytes or the name of a system with its limit.
///
/// # Errors
/// If it is neither, or less than `MIN_BYTES`.
pub(super) fn budget(text: &str) -> Result<Budget, String> {
    let budget = Budget::from_word(text).filter(|budget| budget.bytes >= MIN_BYTES);
    budget.ok_or_else(|| {
        format!(
            "expected a number of at least {MIN_BYTES}, or {}",
            Budget::PLATFORMS.join(", ")
        )
    })
}

/// The number of lines that the value `all` of `--context` means.
pub(super) const ALL_CONTEXT: usize = usize::MAX;

pub(super) fn context(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(ALL_CONTEXT),
        _ => text
            .parse()
            .map_err(|_| "expected a number of lines, or all".to_owned()),
    }
}

/// Parses a URL.
///
/// # Errors
/// If it is not one of `http` or `https`, or has a character that could end a link.
pub(super) fn web_url(text: &str) -> Result<String, String> {
    web_address(text)
        .map(str::to_owned)
        .ok_or_else(|| "expected an http or https URL".to_owned())
}

/// The document of a unit with its name, as in `--unit NAME=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    pub(super) name: String,
    pub(super) path: PathBuf,
}

impl NamedFile {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Parses `NAME=FILE`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, path)) if !name.trim().is_empty() && !path.is_empty() => Ok(Self {
                name: name.trim().to_owned(),
                path: path.into(),
            }),
            Some(_) | None => Err("expected NAME=FILE, such as prod/vpc=out/vpc.json".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests;
