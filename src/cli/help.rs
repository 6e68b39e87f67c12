//! The layout of `-h` and `--help`.
//!
//! clap's own `--help` uses three lines or more for each option, and one for each value. Here, both have
//! two columns: `-h` has the first paragraph of each option, `--help` the full text. Possible values come
//! from the parser and follow the text on the same line.

use std::ffi::{OsStr, OsString};

use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory, Parser};

use super::args::Args;

/// The level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// `-h`
    Short,
    /// `--help`, `help`
    Long,
}

/// Parses the arguments. The error for a help request contains the help.
pub(super) fn parse(args: &[OsString]) -> Result<Args, clap::Error> {
    Args::try_parse_from(args).map_err(|error| {
        let is_short = args.iter().any(|arg| arg == OsStr::new("-h"));
        if error.kind() == ErrorKind::DisplayHelp && !is_short {
            help(args, Detail::Long, error)
        } else if error.kind() == ErrorKind::DisplayHelp
            || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        {
            help(args, Detail::Short, error)
        } else {
            error
        }
    })
}

/// The requested help, or clap's own error.
fn help(args: &[OsString], detail: Detail, own: clap::Error) -> clap::Error {
    laid_out(Args::command(), detail).try_get_matches_from(args).err().unwrap_or(own)
}

/// The command and its subcommands, with the texts of options for this level of detail.
fn laid_out(command: Command, detail: Detail) -> Command {
    command
        .mut_args(|arg| laid_out_arg(arg, detail))
        .mut_subcommands(|subcommand| laid_out(subcommand, detail))
}

fn laid_out_arg(arg: Arg, detail: Detail) -> Arg {
    let mut text = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let takes_value = arg.get_action().takes_values();
    let values = arg.get_possible_values();
    if takes_value && !values.is_empty() && !arg.is_hide_possible_values_set() {
        let names: Vec<&str> =
            values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()).collect();
        text = format!("{text}: {}", names.join(", "));
    }
    // clap rejects both for options without a value.
    let arg = if takes_value { arg.hide_possible_values(true) } else { arg };
    if detail == Detail::Short {
        let arg = if takes_value { arg.hide_default_value(true) } else { arg };
        return arg.help(text);
    }
    let long = arg.get_long_help().map(ToString::to_string).unwrap_or_default();
    if let Some((_, rest)) = long.split_once("\n\n") {
        text = format!("{text}. {}", rest.replace("\n\n", " ").trim_end_matches('.'));
    }
    arg.help(text).long_help(Resettable::Reset).hide_short_help(false)
}
