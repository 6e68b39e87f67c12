//! Single-dash spellings of long options: `-no-color` for `--no-color`, as the tools themselves
//! write them.
//!
//! Only names that the chosen subcommand has are respelled, and nothing after `--`, so that
//! a mistyped option is reported as it was typed.

use std::ffi::OsString;

/// The arguments with long options spelled with two dashes.
pub(super) fn with_two_dashes(
    args: impl Iterator<Item = OsString>,
    command: &clap::Command,
) -> Vec<OsString> {
    let mut subcommand = None;
    let mut options_end = false;
    let mut spelled = Vec::new();
    for (at, arg) in args.enumerate() {
        if at > 0 && !options_end {
            options_end = arg == "--";
            if let Some(long) = long_spelling(&arg, subcommand.unwrap_or(command)) {
                spelled.push(long);
                continue;
            }
            if subcommand.is_none() {
                subcommand = arg.to_str().and_then(|name| command.find_subcommand(name));
            }
        }
        spelled.push(arg);
    }
    spelled
}

fn long_spelling(arg: &OsString, command: &clap::Command) -> Option<OsString> {
    let text = arg.to_str()?;
    let rest = text.strip_prefix('-').filter(|rest| rest.len() > 1 && !rest.starts_with('-'))?;
    let name = rest.split_once('=').map_or(rest, |(name, _)| name);
    // Help and version are added by clap when it parses, so they are not among the arguments yet.
    let known = matches!(name, "help" | "version")
        || command.get_arguments().any(|known| known.get_long() == Some(name));
    known.then(|| format!("-{text}").into())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::args::Args;

    #[test]
    fn known_names_only_and_not_past_the_dashes() {
        for (typed, spelled) in [
            ("tfview show -no-color x", "tfview show --no-color x"),
            ("tfview show -color=never -", "tfview show --color=never -"),
            ("tfview show -width 80 -help", "tfview show --width 80 --help"),
            ("tfview show -h -V -nope", "tfview show -h -V -nope"),
            ("tfview show -compact-warnings", "tfview show -compact-warnings"),
            ("tfview stream -compact-warnings", "tfview stream --compact-warnings"),
            ("tfview run -concise -- tofu apply -no-color", "tfview run --concise -- tofu apply -no-color"),
            ("tfview -version", "tfview --version"),
        ] {
            let args = with_two_dashes(typed.split(' ').map(OsString::from), &Args::command());
            let args: Vec<_> = args.iter().filter_map(|arg| arg.to_str()).collect();
            assert_eq!(args.join(" "), spelled);
        }
    }
}
