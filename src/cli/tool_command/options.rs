//! Parses the options of the tool's command, and decides what they mean for the commands of a run.
//!
//! The tools parse options with Go's `flag` package: one or two dashes, the value after `=` or in the next word,
//! boolean values only after `=` and only those of `strconv.ParseBool`, and no options after the first argument.
//!
//! Invariant: an option whose meaning is unknown, or whose value the tool refuses, is never interpreted. The command
//! then runs untouched, and the tool decides.

use std::ffi::OsString;

/// The commands of a run that receive an option. A run plans, shows the saved plan, and applies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Planning. The saved plan has the effect of the option.
    Planning,
    /// The planning of `plan` only: `apply` refuses the option.
    PlanCommand,
    /// The planning of `plan` and `apply`: `destroy` refuses the option.
    Mode,
    /// Planning, and applying the saved plan.
    PlanningAndApplying,
    /// Applying, with or without a saved plan.
    Applying,
    /// None: it is the approval, which tfview interprets.
    Approval,
    /// Every command. It is an option of Terragrunt that says where and how it runs the tool.
    Every,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Switch,
    Value,
}

/// A known option.
#[derive(Clone, Copy, Debug)]
struct Known {
    name: &'static str,
    kind: Kind,
    reach: Reach,
}

const fn switch(name: &'static str, reach: Reach) -> Known {
    Known {
        name,
        kind: Kind::Switch,
        reach,
    }
}

const fn value(name: &'static str, reach: Reach) -> Known {
    Known {
        name,
        kind: Kind::Value,
        reach,
    }
}

/// The options of `plan`, `apply` and `destroy` of both tools.
const OF_TOOLS: [Known; 34] = [
    switch("allow-deferral", Reach::Planning),
    switch("auto-approve", Reach::Approval),
    value("backup", Reach::PlanningAndApplying),
    switch("compact-warnings", Reach::PlanningAndApplying),
    switch("concise", Reach::PlanningAndApplying),
    switch("consolidate-errors", Reach::PlanningAndApplying),
    switch("consolidate-warnings", Reach::PlanningAndApplying),
    value("deprecation", Reach::PlanningAndApplying),
    switch("destroy", Reach::Mode),
    switch("detailed-exitcode", Reach::PlanCommand),
    value("exclude", Reach::Planning),
    value("exclude-file", Reach::Planning),
    value("generate-config-out", Reach::PlanCommand),
    switch("ignore-remote-version", Reach::PlanningAndApplying),
    switch("input", Reach::PlanningAndApplying),
    value("invoke", Reach::Planning),
    switch("json", Reach::PlanningAndApplying),
    switch("lock", Reach::PlanningAndApplying),
    value("lock-timeout", Reach::PlanningAndApplying),
    value("module-depth", Reach::Planning),
    switch("no-color", Reach::PlanningAndApplying),
    value("out", Reach::PlanCommand),
    value("parallelism", Reach::PlanningAndApplying),
    switch("refresh", Reach::Planning),
    switch("refresh-only", Reach::Mode),
    value("replace", Reach::Planning),
    switch("show-sensitive", Reach::PlanningAndApplying),
    value("state", Reach::PlanningAndApplying),
    value("state-out", Reach::PlanningAndApplying),
    switch("suppress-forget-errors", Reach::Applying),
    value("target", Reach::Planning),
    value("target-file", Reach::Planning),
    value("var", Reach::Planning),
    value("var-file", Reach::Planning),
];

/// The options of Terragrunt with a value that say where and how it runs the tool, so that every command of a run gets
/// them. Options that run several units are missing here and below, because each unit has a plan of its own.
const TERRAGRUNT_VALUES: [&str; 22] = [
    "auth-provider-cmd",
    "config",
    "download-dir",
    "experiment",
    "feature",
    "iam-assume-role",
    "iam-assume-role-duration",
    "iam-assume-role-session-name",
    "iam-assume-role-web-identity-token",
    "log-custom-format",
    "log-format",
    "log-level",
    "provider-cache-dir",
    "provider-cache-hostname",
    "provider-cache-port",
    "provider-cache-registry-names",
    "provider-cache-token",
    "source",
    "source-map",
    "strict-control",
    "tf-path",
    "working-dir",
];

/// The options of Terragrunt without a value that say where and how it runs the tool.
const TERRAGRUNT_SWITCHES: [&str; 12] = [
    "experiment-mode",
    "inputs-debug",
    "log-disable",
    "log-show-abs-paths",
    "no-auto-init",
    "no-auto-retry",
    "no-destroy-dependencies-check",
    "non-interactive",
    "provider-cache",
    "source-update",
    "strict-mode",
    "use-partial-parse-config-cache",
];

/// The names of other options that take a value in the next word.
const VALUES_OF_OTHERS: [&str; 10] = [
    "backend-config",
    "cloud-run",
    "filter",
    "from-module",
    "json-into",
    "junit-xml",
    "lockfile",
    "plugin-dir",
    "query",
    "test-directory",
];

/// The prefix of the names of options in Terragrunt before 0.73.
const OLD_TERRAGRUNT: &str = "terragrunt-";

/// The commands whose plan a run shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Planned {
    Plan,
    Apply,
    Destroy,
}

impl Planned {
    pub(in crate::cli) fn from_subcommand(name: &str) -> Option<Self> {
        match name {
            "plan" => Some(Self::Plan),
            "apply" => Some(Self::Apply),
            "destroy" => Some(Self::Destroy),
            _ => None,
        }
    }

    /// Whether the command has options of this kind.
    fn accepts(self, reach: Reach) -> bool {
        match reach {
            Reach::Planning | Reach::PlanningAndApplying | Reach::Every => true,
            Reach::PlanCommand => self == Self::Plan,
            Reach::Mode => self != Self::Destroy,
            Reach::Applying | Reach::Approval => self != Self::Plan,
        }
    }
}

/// Returns the known option with a name. Those of Terragrunt may have the old prefix.
fn known(name: &str, is_terragrunt: bool) -> Option<Known> {
    if let Some(known) = OF_TOOLS.iter().find(|known| known.name == name) {
        return Some(*known);
    }
    if !is_terragrunt {
        return None;
    }
    let name = name.strip_prefix(OLD_TERRAGRUNT).unwrap_or(name);
    let of_terragrunt =
        |names: &[&'static str]| names.iter().find(|known| **known == name).copied();
    match of_terragrunt(&TERRAGRUNT_VALUES) {
        Some(name) => Some(value(name, Reach::Every)),
        None => of_terragrunt(&TERRAGRUNT_SWITCHES).map(|name| switch(name, Reach::Every)),
    }
}

/// Parses a boolean value as Go's `strconv.ParseBool` does. The tools refuse a value that gives `None`.
pub(in crate::cli) fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// The reason why the options of a command cannot be interpreted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Obstacle {
    /// The tool refuses a value.
    Refused {
        /// The message, as a whole sentence.
        why: String,
        /// The advice to the user.
        tip: String,
    },
    /// Only the tool knows what is meant. The text precedes ", so the command runs untouched".
    Unclear(String),
}

/// An option of a command, as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Flag {
    pub(in crate::cli) name: String,
    pub(in crate::cli) value: Option<String>,
    words: Vec<OsString>,
}

impl Flag {
    /// Returns the value as that of a boolean option; `None` if the tool refuses it.
    fn switch(&self) -> Option<bool> {
        self.value.as_deref().map_or(Some(true), parse_bool)
    }

    /// Returns the option as it was written, but without its value: `--all`.
    fn written(&self) -> String {
        let word = self.words.first().map(|word| word.to_string_lossy());
        let word = word.unwrap_or_default();
        match word.split_once('=') {
            Some((option, _)) => option.to_owned(),
            None => word.into_owned(),
        }
    }
}

/// The options and arguments of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::cli) struct Flags {
    flags: Vec<Flag>,
    pub(in crate::cli) arguments: Vec<OsString>,
    is_terragrunt: bool,
}

impl Flags {
    /// Parses words as the tools do.
    pub(in crate::cli) fn parse(words: &[OsString], is_terragrunt: bool) -> Self {
        let mut parsed = Self {
            is_terragrunt,
            ..Self::default()
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            if text == "--" {
                break;
            }
            let Some(name) = text
                .strip_prefix("--")
                .or_else(|| text.strip_prefix('-'))
                .filter(|name| !name.is_empty())
            else {
                parsed.arguments.push(word.clone());
                break;
            };
            let mut flag = Flag {
                name: name.to_owned(),
                value: None,
                words: vec![word.clone()],
            };
            if let Some((name, value)) = name.split_once('=') {
                (flag.name, flag.value) = (name.to_owned(), Some(value.to_owned()));
            } else if takes_value(name, is_terragrunt)
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

    /// Returns the reason why these options of a command cannot be interpreted, if there is one. An option that the
    /// tool refuses comes first.
    pub(in crate::cli) fn obstacle(&self, command: Planned) -> Option<Obstacle> {
        let obstacles = || {
            self.flags
                .iter()
                .filter_map(|flag| self.of_flag(flag, command))
        };
        let mut refused =
            obstacles().filter(|obstacle| matches!(obstacle, Obstacle::Refused { .. }));
        refused.next().or_else(|| obstacles().next())
    }

    /// Returns the reason why one option cannot be interpreted; `None` if it can be.
    fn of_flag(&self, flag: &Flag, command: Planned) -> Option<Obstacle> {
        let (name, written) = (&flag.name, flag.written());
        let Some(known) = known(name, self.is_terragrunt) else {
            let why = format!("the option `{written}` is not one that tfview knows");
            return Some(Obstacle::Unclear(why));
        };
        if known.kind == Kind::Switch && flag.switch().is_none() {
            let value = flag.value.as_deref().unwrap_or_default();
            return Some(Obstacle::Refused {
                why: format!(
                    "the option `{written}={value}` of the tool is neither true nor false, which the tool refuses"
                ),
                tip: format!("`{written}` or `{written}=false`"),
            });
        }
        if !command.accepts(known.reach) {
            let why = format!("the option `{written}` is not one that this command has");
            return Some(Obstacle::Unclear(why));
        }
        let is_missing = known.kind == Kind::Value && flag.value.is_none();
        is_missing.then(|| Obstacle::Unclear(format!("the option `{written}` has no value")))
    }

    /// Whether a boolean option is true. Its last occurrence counts, and a value that the tool refuses is not true.
    pub(in crate::cli) fn is_set(&self, name: &str) -> bool {
        self.last(name)
            .is_some_and(|flag| flag.switch() == Some(true))
    }

    /// Whether a boolean option is given and is not true. Its last occurrence counts.
    pub(in crate::cli) fn is_unset(&self, name: &str) -> bool {
        self.last(name)
            .is_some_and(|flag| flag.switch() != Some(true))
    }

    pub(in crate::cli) fn has(&self, name: &str) -> bool {
        self.last(name).is_some()
    }

    pub(in crate::cli) fn value(&self, name: &str) -> Option<&str> {
        self.last(name).and_then(|flag| flag.value.as_deref())
    }

    fn last(&self, name: &str) -> Option<&Flag> {
        self.flags.iter().rev().find(|flag| flag.name == name)
    }

    /// Returns the words of the known options that are to be kept.
    fn words(&self, keep: impl Fn(&str, Reach) -> bool) -> Vec<OsString> {
        let mut words = Vec::new();
        for flag in &self.flags {
            let known = known(&flag.name, self.is_terragrunt);
            if known.is_some_and(|known| keep(&flag.name, known.reach)) {
                words.extend_from_slice(&flag.words);
            }
        }
        words
    }

    /// Returns the options for planning, without those for every command.
    pub(in crate::cli) fn for_plan(&self) -> Vec<OsString> {
        self.words(|name, reach| match reach {
            Reach::Planning | Reach::PlanCommand | Reach::Mode => true,
            Reach::PlanningAndApplying => name != "json",
            Reach::Applying | Reach::Approval | Reach::Every => false,
        })
    }

    /// Returns the options for applying a saved plan. `variables` is whether they include variables, because the plan
    /// does not have all of them.
    pub(in crate::cli) fn for_saved_plan(&self, variables: bool) -> Vec<OsString> {
        self.words(|name, reach| match reach {
            Reach::PlanningAndApplying => name != "json",
            Reach::Applying => true,
            Reach::Planning => variables && matches!(name, "var" | "var-file"),
            Reach::PlanCommand | Reach::Mode | Reach::Approval | Reach::Every => false,
        })
    }

    /// Returns the options of Terragrunt that every command of a run needs.
    pub(in crate::cli) fn for_every_command(&self) -> Vec<OsString> {
        self.words(|_, reach| reach == Reach::Every)
    }

    /// Whether all options are ones that every command needs. Only these may precede the subcommand, where the tools
    /// refuse their options.
    pub(in crate::cli) fn are_for_every_command(&self) -> bool {
        self.flags.iter().all(|flag| {
            known(&flag.name, self.is_terragrunt).is_some_and(|known| known.reach == Reach::Every)
        })
    }
}

fn takes_value(name: &str, is_terragrunt: bool) -> bool {
    match known(name, is_terragrunt) {
        Some(known) => known.kind == Kind::Value,
        None => VALUES_OF_OTHERS.contains(&name),
    }
}

/// Splits the text of a variable such as `TF_CLI_ARGS` into words, as the tools do. Returns `None` if a quote is not
/// closed, or if the text has a character to which the tools give a special meaning.
pub(in crate::cli) fn split(text: &str) -> Option<Vec<OsString>> {
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
            (None, ';' | '&' | '|' | '<' | '>' | '(' | ')' | '`' | '$')
            | (Some('"'), '`' | '$') => return None,
            (_, character) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word.map(OsString::from));
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests;
