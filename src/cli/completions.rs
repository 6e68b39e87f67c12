//! Prints the scripts of `tfview completions`, and answers the shells that run them.
//!
//! The scripts call tfview for candidates, so that these always fit the installed version.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use bumpalo::Bump;
use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::Shell;
use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _,
};
use clap_complete::env::{Bash, CompleteEnv, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};

use super::args::Args;
use super::typed::OF_TOOLS;
use super::values::{DiffFormat, FormatChoice, RunFormat, names};
use super::{Outcome, print};
use crate::model::plan::Plan;
use crate::model::selection;
use crate::report::Budget;
use crate::saved::{self, Knowledge, SavedPlan};
use crate::schema::Schemas;

/// The environment variable with which a shell requests candidates.
const VARIABLE: &str = "TFVIEW_COMPLETE";

/// The maximum size of a plan that is read for candidates, in bytes. Completion must stay fast.
const MAX_LEN: u64 = 64 << 20;

/// Answers a shell that requests completions, and ends the process. Does nothing if no shell does.
pub(super) fn complete() {
    let shells: [&dyn EnvCompleter; 5] = [&Bash, &Elvish, &Fish, &PlainPowershell, &Zsh];
    CompleteEnv::with_factory(command)
        .var(VARIABLE)
        .shells(Shells(&shells))
        .complete();
}

/// Writes only the candidates that PowerShell reads as one plain word. PowerShell inserts a candidate as it is, and
/// would run a part of a file name such as `a;b`.
struct PlainPowershell;

impl EnvCompleter for PlainPowershell {
    fn name(&self) -> &'static str {
        Powershell.name()
    }

    fn is(&self, name: &str) -> bool {
        Powershell.is(name)
    }

    fn write_registration(
        &self,
        variable: &str,
        name: &str,
        program: &str,
        completer: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        Powershell.write_registration(variable, name, program, completer, out)
    }

    /// Writes the candidates that need no quotes in PowerShell, and leaves out the others.
    fn write_complete(
        &self,
        command: &mut Command,
        arguments: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut all = Vec::new();
        Powershell.write_complete(command, arguments, folder, &mut all)?;
        let all = String::from_utf8_lossy(&all);
        for line in all.lines() {
            let word = line.split('\t').next().unwrap_or_default();
            if is_plain_word(word) {
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    }
}

/// Whether a word needs no quotes in PowerShell.
fn is_plain_word(word: &str) -> bool {
    word.chars().all(|c| {
        c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '\\' | ':' | '=' | '-' | '+' | '~')
    })
}

/// Prints the script that a shell loads.
pub(super) fn completions(shell: Shell) -> anyhow::Result<Outcome> {
    let (script, more): (&dyn EnvCompleter, &str) = match shell {
        Shell::Bash => (&Bash, BASH_WORDS),
        Shell::Elvish => (&Elvish, ""),
        Shell::Fish => (&Fish, ""),
        Shell::PowerShell => (&Powershell, ""),
        Shell::Zsh => (&Zsh, ZSH_FIRST),
        _ => anyhow::bail!("there are no completions for {shell}"),
    };
    let mut text = Vec::new();
    script
        .write_registration(VARIABLE, "tfview", "tfview", "tfview", &mut text)
        .context("writing the completions")?;
    text.extend_from_slice(more.as_bytes());
    print(&text)
}

/// Code after zsh's script that completes at the first TAB too. Only then does zsh load the script, as the function
/// `_tfview`; without this code, it would only define the function that completes.
const ZSH_FIRST: &str =
    "\n[[ $funcstack[1] = _tfview ]] && _clap_dynamic_completer_tfview \"$@\"\n";

/// Code after bash's script that joins and quotes words. bash splits words at `:` and `=`, which values such as
/// `finding:exposure` and `html=FILE` contain, and inserts candidates without quotes, which addresses with keys need.
const BASH_WORDS: &str = include_str!("completions/words.bash");

/// Returns the command line with candidates for the values of options.
fn command() -> Command {
    let sizes = || {
        Budget::PLATFORMS
            .into_iter()
            .map(CompletionCandidate::new)
            .collect()
    };
    let root = Args::command()
        .arg(
            Arg::new("files")
                .num_args(0..)
                .value_hint(ValueHint::AnyPath),
        )
        .mut_subcommand("run", |command| {
            command.mut_arg("command", |argument| {
                argument.add(ArgValueCompleter::new(tool_words))
            })
        });
    root.mut_subcommands(|command| {
        let outputs = match command.get_name() {
            "diff" => names::<DiffFormat>(),
            "review" => names::<FormatChoice>(),
            _ => names::<RunFormat>(),
        };
        command.mut_args(|argument| match argument.get_long() {
            Some("max-bytes") => argument.add(ArgValueCandidates::new(sizes)),
            Some("out") => argument.add(ArgValueCompleter::new(output(outputs.clone()))),
            Some("address" | "include" | "exclude") => argument.add(names_in_plans(|plan| {
                selection::known_addresses(plan)
                    .into_iter()
                    .map(str::to_owned)
                    .collect()
            })),
            Some("type") => argument.add(names_in_plans(|plan| {
                plan.resource_changes
                    .iter()
                    .map(|change| change.resource_type.to_string())
                    .collect()
            })),
            Some("module") => argument.add(names_in_plans(|plan| {
                let modules = plan
                    .resource_changes
                    .iter()
                    .map(|change| change.module_address.to_string());
                modules.filter(|address| !address.is_empty()).collect()
            })),
            _ => argument,
        })
    })
}

/// Offers the words after `tfview run`: a tool, then a subcommand, then files.
fn tool_words(current: &OsStr) -> Vec<CompletionCandidate> {
    let words: Vec<OsString> = std::env::args_os()
        .skip_while(|word| word != "run")
        .skip(1)
        .collect();
    let before = words
        .iter()
        .filter(|word| !word.as_encoded_bytes().starts_with(b"-") && *word != current);
    let names: &[&str] = match before.count() {
        0 => &["tofu", "terraform"],
        1 => &OF_TOOLS,
        _ => return PathCompleter::any().complete(current),
    };
    let current = current.to_string_lossy();
    names
        .iter()
        .filter(|name| name.starts_with(&*current))
        .map(CompletionCandidate::new)
        .collect()
}

/// Returns a function that completes `FORMAT=FILE`: first the format, then the file.
fn output(formats: Vec<String>) -> impl Fn(&OsStr) -> Vec<CompletionCandidate> {
    move |current| {
        let current = current.to_string_lossy();
        if let Some((format, file)) = current.split_once('=') {
            let files = PathCompleter::any().complete(OsStr::new(file));
            return files
                .into_iter()
                .map(|file| file.add_prefix(format!("{format}=")))
                .collect();
        }
        let formats = formats
            .iter()
            .filter(|format| format.starts_with(&*current));
        formats
            .map(|format| CompletionCandidate::new(format!("{format}=")))
            .collect()
    }
}

/// Returns a completer that offers names from the plans of the command line.
fn names_in_plans(names: fn(&Plan<'_>) -> Vec<String>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| offer(current, names))
}

/// Offers names that occur in the plans of the command line. Names are left out if a shell might run a part of them.
fn offer(current: &OsStr, names: fn(&Plan<'_>) -> Vec<String>) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    let mut candidates: Vec<String> = std::env::args_os()
        .skip(1)
        .filter_map(|word| plan_text(&word))
        .filter_map(|text| Plan::parse(&text).ok().map(|plan| names(&plan)))
        .flatten()
        .filter(|name| name.starts_with(&*current) && !crate::term::is_suspect(name))
        // Not all shells quote what they insert, so that a part of a name could be run.
        .filter(|name| !name.contains(['$', '`', ';', '|', '&', '<', '>', '(', ')']))
        .collect();
    candidates.sort_unstable();
    candidates.dedup();
    candidates
        .into_iter()
        .map(|name| CompletionCandidate::new(OsString::from(name)))
        .collect()
}

/// Returns the plan in a file of the command line as JSON; `None` if the file is large or is no plan.
fn plan_text(word: &OsStr) -> Option<String> {
    let path = Path::new(word);
    let is_small = path
        .metadata()
        .is_ok_and(|data| data.is_file() && data.len() <= MAX_LEN);
    let bytes = if is_small {
        std::fs::read(path).ok()?
    } else {
        return None;
    };
    if saved::is_archive(&bytes) {
        // Without schemas, values are hidden, but no value is offered.
        let (schemas, arena) = (Schemas::new(), Bump::new());
        return SavedPlan::parse(&bytes)
            .ok()?
            .to_json(&Knowledge::new(&schemas, &arena))
            .ok();
    }
    String::from_utf8(bytes).ok()
}
