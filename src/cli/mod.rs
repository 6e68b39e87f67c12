//! The command line: arguments, resolved settings, outcome.
//!
//! [`args`] has the typed arguments and [`settings`] the resolved settings. Each subcommand has its own
//! file, with a function `run` that takes an [`Host`] and returns an [`Outcome`]. Errors are reported here,
//! once, on standard error. Only this module and `main.rs` read files, variables, the clock and terminals,
//! and start processes.

mod advice;
pub mod args;
mod choices;
mod ci;
mod completions;
pub mod config;
mod diff;
mod discovery;
mod documents;
mod help;
mod host;
mod implied;
mod input;
mod kind;
mod manual;
mod output;
mod processes;
mod refusal;
mod review;
mod run;
mod schema;
mod schemas;
pub mod settings;
mod show;
mod source;
mod spelling;
mod stream;
mod units;
mod values;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::panic;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::{Context as _, anyhow};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use crate::json::STACK;
use crate::term::ci::harmless;
use crate::term::is_suspect;

use args::{Args, Command};
pub use host::{Host, Outcome};
use implied::Implied;

/// Runs the program.
pub fn main(args: impl Iterator<Item = OsString>) -> ExitCode {
    completions::complete();
    panic::set_hook(Box::new(report_panic));
    let host = Host::read();
    let typed: Vec<OsString> = args.collect();
    if help::is_about_findings(&typed) {
        return match completions::print(help::findings().as_bytes()) {
            Ok(()) => Outcome::Fine.into(),
            Err(_) => Outcome::Failed.into(),
        };
    }
    let args = match parse(&typed, &host) {
        Ok(args) => args,
        Err(refused) => return refuse(&refused, &typed, &host),
    };
    if let Some(folder) = &args.chdir
        && let Err(error) = std::env::set_current_dir(folder)
    {
        host.error(&format!("--chdir {}: {}", folder.display(), host::io_text(&error)));
        return Outcome::Failed.into();
    }
    // All work runs with a stack that suffices for the deepest document that is accepted.
    match with_stack(|| dispatch(&args, &host)) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            host.report(&error);
            Outcome::Failed.into()
        }
    }
}

fn parse(typed: &[OsString], host: &Host) -> Result<Args, clap::Error> {
    let spelled = spelling::spelled(typed.iter().cloned());
    let file = spelled.file();
    let is_piped = file.is_none() && !host.terminal.stdin;
    if !spelled.is_complete && (file.is_some() || is_piped) {
        if let Some(file) = file.filter(|file| is_word(file) && !Path::new(file).exists()) {
            return Err(no_subcommand(file, typed, &spelled.args));
        }
        // The subcommand reports files that cannot be read.
        let implied = implied::subcommand(file, host).unwrap_or(Implied::Show);
        let has_file = file.is_some();
        let own = spelled.args.clone();
        return help::parse(&spelled.with(implied)).map_err(|error| {
            // Without a file, a mistyped option is more likely one of tfview itself.
            let is_unknown = error.kind() == ErrorKind::UnknownArgument && !has_file;
            let own = if is_unknown { help::parse(&own).err() } else { None };
            with_tip(own.unwrap_or(error))
        });
    }
    help::parse(&spelled.args).map_err(with_tip)
}

/// Adds the way to what options of other tools, and of other subcommands, ask for.
fn with_tip(error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return error };
    let tip = match typed.as_str() {
        "--json" => "`--format json` writes JSON".to_owned(),
        "-v" | "--v" => "`tfview --version` prints the version".to_owned(),
        _ if error.get(ContextKind::SuggestedArg).is_some() => return error,
        other => {
            let root = Args::command();
            let has = |command: &&clap::Command| {
                command.get_arguments().any(|known| known.get_long() == other.strip_prefix("--"))
            };
            let of: Vec<String> = root
                .get_subcommands()
                .filter(has)
                .map(|command| format!("`tfview {} {other}`", command.get_name()))
                .collect();
            match &*of {
                [] => return error,
                _ => format!("it is an option of {}", of.join(" and ")),
            }
        }
    };
    let message = format!("unexpected argument '{typed}' found\n\n  tip: {tip}");
    Args::command().error(ErrorKind::UnknownArgument, message)
}

/// Whether this looks like a subcommand rather than the name of a file.
fn is_word(text: &OsStr) -> bool {
    let text = text.to_string_lossy();
    text != "-" && !text.contains(['.', '/', '\\', '*', '?'])
}

/// The error for a word that is neither a subcommand nor a file.
fn no_subcommand(word: &OsStr, typed: &[OsString], args: &[OsString]) -> clap::Error {
    let at = typed.iter().position(|arg| arg == word).map_or(typed.len(), |at| at + 1);
    let Some(tip) = implied::tip(word, typed.get(at..).unwrap_or_default()) else {
        // The parser suggests similar subcommands.
        return match Args::try_parse_from(args) {
            Err(error) => error,
            Ok(_) => Args::command().error(ErrorKind::InvalidSubcommand, "there is no such subcommand"),
        };
    };
    let word = word.to_string_lossy();
    let message = format!("`{word}` is no subcommand of tfview, nor a file\n\n  tip: {tip}");
    Args::command().error(ErrorKind::InvalidSubcommand, message)
}

/// Prints the message of the parser. Help and version are requested, so they succeed; everything else is a
/// usage error.
fn refuse(refused: &clap::Error, typed: &[OsString], host: &Host) -> ExitCode {
    // The message repeats arguments, such as file names from untrusted sources.
    let may_act = |arg: &OsString| {
        let arg = arg.to_string_lossy();
        is_suspect(&arg) || harmless(&arg) != *arg
    };
    if refused.use_stderr() && typed.iter().any(may_act) {
        host.say(refused.render().to_string().trim_end());
    } else {
        // If standard error is closed, a failure to write to it cannot be reported either.
        let _: io::Result<()> = refused.print();
    }
    if refused.use_stderr() { Outcome::Failed.into() } else { Outcome::Fine.into() }
}

/// Runs `work` with a stack that suffices for the deepest document that is accepted.
fn with_stack<T: Send>(work: impl FnOnce() -> anyhow::Result<T> + Send) -> anyhow::Result<T> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let worker = worker.context("starting to work")?;
        worker.join().map_err(|_| anyhow!("stopped by an internal error (see above)"))?
    })
}

/// Reports the location of a panic, but not its message, which may contain parts of the input, such as
/// sensitive values and escape sequences.
fn report_panic(fault: &panic::PanicHookInfo<'_>) {
    let place = fault.location().map_or_else(String::new, |place| format!(" at {place}"));
    let text = format!("error: internal error in tfview{place}; please report it with this line\n");
    // If standard error is closed, the message cannot be shown.
    let _: io::Result<()> = io::stderr().lock().write_all(text.as_bytes());
}

fn dispatch(args: &Args, host: &Host) -> anyhow::Result<Outcome> {
    match &args.command {
        Command::Show(args) => show::run(args, host),
        Command::Stream(args) => stream::run(args, host),
        Command::Run(args) => run::run(args, host),
        Command::Review(args) => review::run(args, host),
        Command::Diff(args) => diff::run(args, host),
        Command::Schema(args) => schema::run(args, host),
        Command::Completions { shell } => completions::completions(*shell),
        Command::Man { page } => manual::man(page.as_deref()),
        Command::Version => manual::version(),
    }
}
