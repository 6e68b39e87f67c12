//! Normalises arguments for the parser: single-dash spellings of long options, as in the tools (`-no-color`),
//! and the subcommand implied by a file without one.
//!
//! The only short options are `-h` and `-V`, so a dash and a word are unambiguous. Arguments after `--`, and
//! after the name of a tool in `run`, belong to another program and are not changed.

use std::ffi::{OsStr, OsString};

use clap::{Command, CommandFactory};

use super::args::Args;
use super::implied::Implied;

/// Normalised arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spelled {
    /// The arguments, the program's name first.
    pub(super) args: Vec<OsString>,
    /// The indices in `args` of files before any subcommand.
    files: Vec<usize>,
    /// Whether there is a subcommand, or a request for help or the version.
    pub(super) is_complete: bool,
}

impl Spelled {
    /// The first file before any subcommand.
    pub(super) fn file(&self) -> Option<&OsStr> {
        self.files.first().and_then(|at| self.args.get(*at)).map(OsString::as_os_str)
    }

    /// The arguments with the subcommand implied by the documents.
    pub(super) fn with(mut self, implied: Implied) -> Vec<OsString> {
        let words: &[&str] = match implied {
            Implied::Show => &["show"],
            Implied::Stream => &["stream"],
            Implied::SchemaList => {
                self.name_schemas();
                &["schema", "list"]
            }
        };
        let at = 1.min(self.args.len());
        self.args.splice(at..at, words.iter().map(OsString::from));
        self.args
    }

    /// Turns files into values of `--schemas`, because the arguments of `schema list` are names.
    fn name_schemas(&mut self) {
        for at in &self.files {
            if let Some(file) = self.args.get_mut(*at) {
                let mut option = OsString::from("--schemas=");
                option.push(&*file);
                *file = option;
            }
        }
        if self.files.is_empty() {
            self.args.push("--schemas=-".into());
        }
        self.args.retain(|word| word != "--");
    }
}

/// Spells long options with two dashes.
pub(super) fn spelled(typed: impl Iterator<Item = OsString>) -> Spelled {
    let root = Args::command();
    let mut at = &root;
    let mut spelled = Spelled { args: Vec::new(), files: Vec::new(), is_complete: false };
    let mut typed = typed;
    spelled.args.extend(typed.next());
    while let Some(word) = typed.next() {
        if word == "--" {
            spelled.args.push(word);
            if std::ptr::eq(at, &raw const root) {
                let rest: Vec<OsString> = typed.by_ref().collect();
                spelled.files.extend((0..rest.len()).map(|at| spelled.args.len() + at));
                spelled.args.extend(rest);
            }
            break;
        }
        if word.as_encoded_bytes().starts_with(b"-") && word != "-" {
            let word = match word.to_str() {
                Some(text) if is_long(text) => OsString::from(format!("-{text}")),
                _ => word,
            };
            spelled.is_complete |= matches!(word.to_str(), Some("-h" | "--help" | "-V" | "--version"));
            let takes_value = takes_value(&word, at, &root);
            spelled.args.push(word);
            if takes_value {
                spelled.args.extend(typed.next());
            }
            continue;
        }
        let subcommand = if std::ptr::eq(at, &raw const root) && spelled.files.is_empty() {
            word.to_str().and_then(|name| root.find_subcommand(name).or_else(|| help(name, &root)))
        } else {
            None
        };
        match subcommand {
            Some(found) => {
                at = found;
                spelled.is_complete = true;
            }
            None if std::ptr::eq(at, &raw const root) => {
                spelled.files.push(spelled.args.len());
            }
            None => {}
        }
        let is_tool = subcommand.is_none() && at.get_name() == "run";
        spelled.args.push(word);
        if is_tool {
            break;
        }
    }
    spelled.args.extend(typed);
    spelled
}

/// Looks up the `help` subcommand, which clap adds only when it parses.
fn help<'c>(name: &str, root: &'c Command) -> Option<&'c Command> {
    (name == "help").then_some(root.get_subcommands().next()).flatten()
}

fn is_long(arg: &str) -> bool {
    let Some(name) = arg.strip_prefix('-') else { return false };
    name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether the next word is the value of this option. Without a subcommand, options are those of the implied
/// one.
fn takes_value(option: &OsStr, at: &Command, root: &Command) -> bool {
    let Some(name) = option.to_str().and_then(|text| text.strip_prefix("--")) else { return false };
    let find = |command: &Command| {
        let mut arguments = command.get_arguments();
        arguments
            .find(|argument| {
                argument.get_long() == Some(name)
                    || argument.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
            })
            .map(|argument| argument.get_action().takes_values())
    };
    let others = ["show", "stream"].iter().filter_map(|name| root.find_subcommand(name));
    find(at).or_else(|| find(root)).or_else(|| others.into_iter().find_map(find)).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_word(typed: &str) -> (String, Option<OsString>, bool) {
        let spelled = spelled(typed.split(' ').map(OsString::from));
        let words: Vec<_> = spelled.args.iter().filter_map(|word| word.to_str()).collect();
        (words.join(" "), spelled.file().map(OsStr::to_owned), spelled.is_complete)
    }

    #[test]
    fn a_dash_and_a_word_are_a_long_option() {
        for (typed, expected) in [
            ("tfview show -no-color x", "tfview show --no-color x"),
            ("tfview show -color=never -", "tfview show --color=never -"),
            ("tfview show -width 80 -help", "tfview show --width 80 --help"),
            ("tfview show -h -V -1 --width", "tfview show -h -V -1 --width"),
            ("tfview run -concise -- tofu apply -no-color", "tfview run --concise -- tofu apply -no-color"),
            ("tfview run -plan -p tofu -chdir=x apply", "tfview run --plan -p tofu -chdir=x apply"),
            ("tfview -chdir=run run tofu -chdir=x apply", "tfview --chdir=run run tofu -chdir=x apply"),
            ("tfview -version", "tfview --version"),
        ] {
            assert_eq!(split_word(typed).0, expected);
        }
    }

    #[test]
    fn schemas_alone_are_listed() {
        for (typed, expected) in [
            (
                "tfview --no-color a.json b.json",
                "tfview schema list --no-color --schemas=a.json --schemas=b.json",
            ),
            ("tfview -- -x.json", "tfview schema list --schemas=-x.json"),
            ("tfview", "tfview schema list --schemas=-"),
        ] {
            let args = spelled(typed.split(' ').map(OsString::from)).with(Implied::SchemaList);
            assert_eq!(args.join(OsStr::new(" ")), expected, "{typed}");
        }
    }

    #[test]
    fn a_file_is_told_from_a_subcommand() {
        for (typed, file, is_complete) in [
            ("tfview plan.json", Some("plan.json"), false),
            ("tfview --schemas show x", Some("x"), false),
            ("tfview -chdir show plan.json", Some("plan.json"), false),
            ("tfview show plan.json", None, true),
            ("tfview --help", None, true),
            ("tfview help show", None, true),
            ("tfview", None, false),
            ("tfview -", Some("-"), false),
            ("tfview -- -x.json", Some("-x.json"), false),
        ] {
            let (_, found, complete) = split_word(typed);
            assert_eq!((found.as_deref(), complete), (file.map(OsStr::new), is_complete), "{typed}");
        }
    }
}
