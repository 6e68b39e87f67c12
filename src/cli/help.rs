//! Lays out `-h` and `--help`, and makes the manual of `tfview man`.
//!
//! The parser's own `--help` takes three lines or more for each option, and one for each value. Here, both have two
//! columns, and possible values follow the text on the same line.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::{fs, io};

use anyhow::{Context, ensure};
use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory, FromArgMatches as _};
use clap_mangen::Man;

use super::args::Args;
use super::messages::ErrorWithTip;
use super::{Outcome, print};
use crate::review::entry::{FindingKind, Level};
use crate::text::count;

/// Parses the arguments. `root` is the command line, which the caller has already made: making it takes longer than
/// parsing.
///
/// # Errors
/// The error or the help to print, laid out as here.
pub(super) fn parse(root: Command, args: &[OsString]) -> Result<Args, clap::Error> {
    let read = |mut matches| {
        Args::from_arg_matches_mut(&mut matches)
            .map_err(|error: clap::Error| error.format(&mut Args::command()))
    };
    root.try_get_matches_from(args)
        .and_then(read)
        .map_err(|error| {
            let is_missing = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
            if !is_missing && error.kind() != ErrorKind::DisplayHelp {
                return error;
            }
            let is_short = is_missing || args.iter().any(|arg| arg == OsStr::new("-h"));
            laid_out(Args::command(), is_short)
                .try_get_matches_from(args)
                .err()
                .unwrap_or(error)
        })
}

/// Whether the arguments are `help findings`.
pub(super) fn is_about_findings(args: &[OsString]) -> bool {
    matches!(args, [_, help, topic] if help == "help" && topic == "findings")
}

/// Returns the help on findings: their kinds, levels and gates.
pub(super) fn findings() -> String {
    let mut text = "Findings are what a plan proves and an approver must check. `tfview review` puts them first.\n\nKinds:\n"
        .to_owned();
    for kind in FindingKind::ALL {
        text.push_str(&format!("  {:<12}{}\n", kind.name(), meaning(kind)));
    }
    text.push_str("\nLevels:\n");
    for level in Level::ALL {
        text.push_str(&format!(
            "  {:<12}{}\n",
            level.name(),
            meaning_of_level(level)
        ));
    }
    text.push_str(
        "\nGates, which end a review with the exit code 3:\n  \
         tfview review --fail-on finding:data-loss plan.json\n  \
         tfview review --fail-on level:critical plan.json\n\n\
         docs/findings.md lists the rules, docs/config.md describes how to add your own.\n",
    );
    text
}

/// Returns the meaning of a kind of finding.
fn meaning(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::DataLoss => "what holds data is destroyed or replaced",
        FindingKind::Exposure => "more people or machines may reach or do something",
        FindingKind::Protection => "what guards, records or backs up is lowered or removed",
        FindingKind::Downtime => "what serves requests is interrupted",
        FindingKind::Unknown => "what decides is known only after apply",
        FindingKind::Secret => "a value in plain text looks like a credential",
    }
}

fn meaning_of_level(level: Level) -> &'static str {
    match level {
        Level::None => "nothing changes",
        Level::Notice => "to know, not to check",
        Level::Warning => "to check",
        Level::Critical => "data, access or protection that cannot be restored",
    }
}

/// Lays out the help of a command and of its subcommands. In the short help, a line says how many options it leaves
/// out.
fn laid_out(command: Command, is_short: bool) -> Command {
    let hidden = command
        .get_arguments()
        .filter(|arg| arg.is_hide_short_help_set())
        .count();
    let command = if is_short && hidden > 0 {
        let after = command
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        command.after_help(format!(
            "{}: --help\n\n{after}",
            count(hidden, "more option")
        ))
    } else {
        command
    };
    command
        .mut_args(|arg| laid_out_arg(arg, is_short))
        .mut_subcommands(|subcommand| laid_out(subcommand, is_short))
}

/// Adds the possible values of an option to its help, on the same line.
fn laid_out_arg(arg: Arg, is_short: bool) -> Arg {
    let mut text = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let takes_value = arg.get_action().takes_values();
    let values = arg.get_possible_values();
    if takes_value && !values.is_empty() && !arg.is_hide_possible_values_set() {
        let names: Vec<&str> = values
            .iter()
            .filter(|value| !value.is_hide_set())
            .map(|value| value.get_name())
            .collect();
        text = format!("{text}: {}", names.join(", "));
    }
    let arg = if takes_value {
        arg.hide_possible_values(true)
    } else {
        arg
    };
    if is_short {
        let arg = if takes_value {
            arg.hide_default_value(true)
        } else {
            arg
        };
        return arg.help(text);
    }
    let long = arg
        .get_long_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    if let Some((_, rest)) = long.split_once("\n\n") {
        text = format!(
            "{text}. {}",
            rest.replace("\n\n", " ").trim_end_matches('.')
        );
    }
    arg.help(text)
        .long_help(Resettable::Reset)
        .hide_short_help(false)
}

/// The environment variables and their meanings, one per line.
const ENVIRONMENT: &str = include_str!("help/environment.txt");

/// The last sections of the manual. The line `VARIABLES` marks the place of the environment variables.
const END: &str = include_str!("help/end.roff");
/// The line of `END` that the environment variables replace.
const VARIABLES: &str = ".\\\" ENVIRONMENT\n";

/// Prints the manual page of the program or of a subcommand, or writes all pages to a folder.
pub(super) fn man(name_or_folder: Option<&Path>) -> anyhow::Result<Outcome> {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    let page = page(&command).context("making the manual page")?;
    let Some(name_or_folder) = name_or_folder else {
        return print(&page);
    };
    let name = name_or_folder.to_str().unwrap_or_default();
    if let Some(subcommand) = command.find_subcommand(name.strip_prefix("tfview-").unwrap_or(name))
    {
        return print(&page_of_subcommand(subcommand).context("making a manual page")?);
    }
    ensure!(
        name_or_folder.is_dir() || name_or_folder.components().count() > 1 || name.ends_with('/'),
        ErrorWithTip::new(
            format!("there is no subcommand `{name}`"),
            format!("for a new directory, write `./{name}`")
        )
    );
    fs::create_dir_all(name_or_folder)
        .and_then(|()| write_pages(&command, name_or_folder))
        .and_then(|()| fs::write(name_or_folder.join("tfview.1"), page))
        .with_context(|| format!("writing the manual to {name}"))?;
    Ok(Outcome::Fine)
}

/// The date of the release, for the manual pages.
const DATE: &str = "2026-11-26";

/// Returns the manual page of a command. The options that `-h` leaves out are shown, because otherwise only those with a
/// long help would have a text.
fn manual(command: &Command) -> Man {
    let command = command.clone();
    let man = Man::new(command.mut_args(|arg| arg.hide_short_help(false)));
    let title = man.get_filename().trim_end_matches(".1").to_uppercase();
    man.title(title)
        .date(DATE)
        .source(concat!("tfview ", env!("CARGO_PKG_VERSION")))
        .manual("tfview")
}

/// Writes the pages of all subcommands of a command to a folder.
fn write_pages(command: &Command, folder: &Path) -> io::Result<()> {
    for subcommand in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        write_pages(subcommand, folder)?;
        let name = Man::new(subcommand.clone()).get_filename();
        fs::write(folder.join(name), page_of_subcommand(subcommand)?)?;
    }
    Ok(())
}

/// Returns the manual page of a subcommand, with a reference to that of the program.
fn page_of_subcommand(subcommand: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    manual(subcommand).render(&mut page)?;
    page.extend_from_slice(b".SH \"SEE ALSO\"\n.BR tfview (1)\n");
    Ok(tidy(&page))
}

/// Removes trailing spaces, and the requests for a line break around an empty line, which is a break itself.
fn tidy(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page).replace("\n.br\n\n.br\n", "\n\n");
    let lines = page.lines().map(|line| [line.trim_end(), "\n"].concat());
    lines.collect::<String>().into_bytes()
}

/// Makes the manual page of the program, which has the options of every subcommand.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = manual(command);
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    for subcommand in command.get_subcommands() {
        let man = manual(subcommand);
        let mut section = Vec::new();
        man.render_description_section(&mut section)?;
        man.render_options_section(&mut section)?;
        man.render_extra_section(&mut section)?;
        let section = String::from_utf8_lossy(&section)
            .replace(
                ".SH DESCRIPTION",
                &format!(".SH \"tfview {}\"", subcommand.get_name()),
            )
            .replace(".SH OPTIONS", ".SS Options")
            .replace(".SH EXTRA", ".SS Examples");
        text.extend_from_slice(section.as_bytes());
    }
    let variables = ENVIRONMENT
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(names, meaning)| format!(".TP\n\\fB{names}\\fR\n{}\n", meaning.replace('-', "\\-")));
    text.extend_from_slice(
        END.replace(VARIABLES, &variables.collect::<String>())
            .as_bytes(),
    );
    man.render_version_section(&mut text)?;
    Ok(tidy(&text))
}
