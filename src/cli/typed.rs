//! Turns what was typed into arguments for the parser: long options with a single dash (`-no-color`) get a second one,
//! and the subcommand that a document implies (`tfview FILE…`, `… | tfview`) is added.
//!
//! The only short options are `-h` and `-V`, so that a dash and a word are unambiguous. Arguments after `--`, and after
//! the name of a tool in `run`, belong to another program and are not changed.
//!
//! ```text
//! tfview -no-color plan.json    tfview show --no-color plan.json
//! tfview apply.jsonl           tfview stream apply.jsonl
//! ```

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Parser};

use super::args::Args;
use super::kind::{self, DocumentKind};
use super::units::beginning;
use super::{Host, help};

/// The subcommands of the tools, which are often typed without the tool.
pub(super) const OF_TOOLS: [&str; 12] = [
    "apply", "console", "destroy", "fmt", "import", "init", "output", "plan", "query", "refresh",
    "test", "validate",
];

/// Parses the arguments. Without a subcommand, the first file decides which one is meant.
///
/// # Errors
/// The error or the help to print.
pub(super) fn parse(typed: &[OsString], host: &Host) -> Result<Args, clap::Error> {
    let root = Args::command();
    let spelled = Spelled::new(typed, &root);
    let file = spelled
        .files
        .first()
        .and_then(|index| spelled.args.get(*index));
    if spelled.is_complete || (file.is_none() && host.terminal.stdin) {
        return help::parse(root, &spelled.args).map_err(with_tip);
    }
    if file.is_some_and(|file| is_word(file) && !Path::new(file).exists()) {
        return Err(no_subcommand(typed, &spelled));
    }
    // The subcommand reports files that cannot be read.
    let kind = implied(file, host)
        .ok()
        .flatten()
        .unwrap_or(DocumentKind::Other);
    help::parse(root, &spelled.with_subcommand(kind)).map_err(|error| {
        // Without a file, a mistyped option is more likely an option of tfview itself.
        let is_own = error.kind() == ErrorKind::UnknownArgument && spelled.files.is_empty();
        let own = if is_own {
            help::parse(Args::command(), &spelled.args).err()
        } else {
            None
        };
        with_tip(own.unwrap_or(error))
    })
}

/// The arguments with the dashes that the parser expects.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spelled {
    /// The arguments.
    args: Vec<OsString>,
    /// The indices of the files, if there is no subcommand.
    files: Vec<usize>,
    /// Whether no subcommand has to be added: there is one, or the help or the version is requested.
    is_complete: bool,
}

impl Spelled {
    /// Doubles the single dash of long options, and finds the files.
    fn new(typed: &[OsString], root: &Command) -> Self {
        let mut spelled = Self {
            args: typed.to_vec(),
            files: Vec::new(),
            is_complete: false,
        };
        let mut subcommand: Option<&Command> = None;
        let mut words = spelled.args.iter_mut().enumerate().skip(1);
        while let Some((index, word)) = words.next() {
            if word == "--" {
                if subcommand.is_none() {
                    spelled.files.extend(index + 1..typed.len());
                }
                break;
            }
            if word.as_encoded_bytes().starts_with(b"-") && word != "-" {
                if let Some(text) = word.to_str().filter(|text| is_long(text)) {
                    *word = OsString::from(format!("-{text}"));
                }
                spelled.is_complete |=
                    matches!(word.to_str(), Some("-h" | "--help" | "-V" | "--version"));
                if takes_value(word, subcommand, root) {
                    words.next();
                }
            } else if let Some(subcommand) = subcommand {
                if subcommand.get_name() == "run" {
                    break;
                }
            } else if spelled.files.is_empty() && word == "help" {
                // The parser adds this subcommand only when it parses.
                spelled.is_complete = true;
                break;
            } else {
                subcommand = root
                    .find_subcommand(&*word)
                    .filter(|_| spelled.files.is_empty());
                match subcommand {
                    Some(_) => spelled.is_complete = true,
                    None => spelled.files.push(index),
                }
            }
        }
        spelled
    }

    /// Returns the arguments with the subcommand that shows a kind of document, which is `show` for most kinds.
    fn with_subcommand(&self, kind: DocumentKind) -> Vec<OsString> {
        let mut args = self.args.clone();
        let words: &[&str] = if matches!(kind, DocumentKind::Messages | DocumentKind::Validation) {
            &["stream"]
        } else if matches!(
            kind,
            DocumentKind::ProviderSchemas | DocumentKind::CodeSpecification
        ) {
            // The arguments of `schema list` are names, so files become values of an option.
            for index in &self.files {
                let mut option = OsString::from("--schemas=");
                option.push(&args[*index]);
                args[*index] = option;
            }
            if self.files.is_empty() {
                args.push("--schemas=-".into());
            }
            args.retain(|word| word != "--");
            &["schema", "list"]
        } else {
            &["show"]
        };
        let index = 1.min(args.len());
        args.splice(index..index, words.iter().map(OsString::from));
        args
    }
}

/// Whether an argument is a long option with a single dash.
fn is_long(arg: &str) -> bool {
    let Some(name) = arg.strip_prefix('-') else {
        return false;
    };
    name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether an option takes a value. Without a subcommand, the options are those of any subcommand, because the implied
/// one is unknown yet.
fn takes_value(option: &OsStr, subcommand: Option<&Command>, root: &Command) -> bool {
    let Some(name) = option.to_str().and_then(|text| text.strip_prefix("--")) else {
        return false;
    };
    let mut commands = subcommand
        .into_iter()
        .chain([root])
        .chain(root.get_subcommands());
    let known = commands.find_map(|command| {
        command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(name))
    });
    known.is_some_and(|arg| arg.get_action().takes_values())
}

/// Returns the kind of the document in a file or on standard input, from its beginning.
fn implied(file: Option<&OsString>, host: &Host) -> io::Result<Option<DocumentKind>> {
    /// The maximum number of bytes of a document that are examined.
    const LOOKED_AT: usize = 64 * 1024;
    match file.filter(|file| *file != "-") {
        None => host.peek(LOOKED_AT, kind_of_beginning),
        Some(file) => {
            beginning(Path::new(file), LOOKED_AT as u64).map(|bytes| kind_of_beginning(&bytes))
        }
    }
}

/// Returns the kind of a document from its beginning, which may be in UTF-16; `None` if that does not show it.
fn kind_of_beginning(bytes: &[u8]) -> Option<DocumentKind> {
    /// The maximum number of braces at which a document may begin.
    const MAX_STARTS: usize = 1024;
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(&[0x1f, 0x8b]) {
        return Some(DocumentKind::Other);
    }
    // In UTF-16, each character that is relevant here has a NUL byte.
    let text: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    let text = String::from_utf8_lossy(&text);
    let starts = text
        .match_indices('{')
        .map(|(offset, _)| offset)
        .take(MAX_STARTS);
    let mut kinds = starts.filter_map(|offset| kind::detect_from_beginning(text.get(offset..)?));
    kinds.find(|kind| !matches!(kind, DocumentKind::Empty | DocumentKind::Other))
}

/// Whether a text looks like a word and not like a file or a pattern.
fn is_word(text: &OsStr) -> bool {
    let text = text.to_string_lossy();
    text != "-" && !text.contains(['.', '/', '\\', '*', '?'])
}

/// Makes the error for words that are neither a subcommand nor a file, with a tip about what may be meant.
fn no_subcommand(typed: &[OsString], spelled: &Spelled) -> clap::Error {
    let words = spelled
        .files
        .first()
        .and_then(|index| typed.get(*index..))
        .unwrap_or_default();
    let message = match words {
        [word, ..] if let Some(way) = way_to_run(words) => {
            format!(
                "`{}` is not a tfview subcommand or a file\n\n  tip: {way}",
                word.display()
            )
        }
        _ => match Args::try_parse_from(&spelled.args) {
            Err(error) => return error,
            Ok(_) => "there is no such subcommand".to_owned(),
        },
    };
    Args::command().error(ErrorKind::InvalidSubcommand, message)
}

/// Returns a tip with the command that runs these words as a command of a tool; `None` if they are none.
pub(super) fn way_to_run(words: &[OsString]) -> Option<String> {
    let (tool, or) = match words.first()?.to_str()? {
        "tofu" | "terraform" | "terragrunt" => ("", ""),
        word if OF_TOOLS.contains(&word) => ("tofu ", " (or terraform instead of tofu)"),
        _ => return None,
    };
    let words = words.join(OsStr::new(" "));
    Some(format!(
        "`tfview run {tool}{}` runs it and shows what it does{or}",
        words.display()
    ))
}

/// Adds a tip to the error about an unknown option.
fn with_tip(error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let tip = match typed.as_str() {
        "--json" => "`--format json` writes JSON".to_owned(),
        "-v" | "--v" => "`tfview --version` prints the version".to_owned(),
        _ if error.get(ContextKind::SuggestedArg).is_some() => return error,
        other => {
            let root = Args::command();
            let has = |command: &&Command| {
                command
                    .get_arguments()
                    .any(|known| known.get_long() == other.strip_prefix("--"))
            };
            let of: Vec<String> = root
                .get_subcommands()
                .filter(has)
                .map(|command| format!("`tfview {} {other}`", command.get_name()))
                .collect();
            if of.is_empty() {
                return error;
            }
            format!("it is an option of {}", of.join(" and "))
        }
    };
    let message = format!("unexpected argument '{typed}' found\n\n  tip: {tip}");
    Args::command().error(ErrorKind::UnknownArgument, message)
}

#[cfg(test)]
mod tests;
