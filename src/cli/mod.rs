//! Runs the command line.
//!
//! Invariants: errors are reported here, once. Only this module and `main.rs` read files, environment variables, the
//! clock and terminals, and start processes.

pub mod args;
#[cfg(feature = "browse")]
mod browse;
mod ci;
mod completions;
pub mod config;
mod discovery;
mod documents;
mod findings;
mod foreign;
mod help;
mod host;
mod input;
mod messages;
mod output;
mod plans;
mod processes;
mod reader;
mod refusal;
mod run;
mod schema;
mod schemas;
pub mod settings;
mod show;
mod source;
mod stream;
mod tool_command;
mod typed;
mod units;
mod values;

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use clap::CommandFactory;

use crate::input::kind;
use crate::stack;
use crate::term::{ci::harmless, is_suspect};

use args::{Args, Command};
pub use host::{Host, Outcome};

/// Runs the program `tfview` with its arguments, the first of which is the name of the program, and returns the exit
/// code.
pub fn main(args: impl Iterator<Item = OsString>) -> ExitCode {
    completions::complete();
    panic::set_hook(Box::new(report_panic));
    let host = Host::read();
    let typed: Vec<OsString> = args.collect();
    let result = if help::is_about_findings(&typed) {
        print(help::findings().as_bytes())
    } else {
        match typed::parse(&typed, &host) {
            Ok(args) => run_subcommand(&args, &host),
            Err(refused) => return refuse(&refused, &typed, &host),
        }
    };
    match result {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            host.report(&error);
            Outcome::Failed.into()
        }
    }
}

/// Prints what the parser returned instead of arguments. Help and the version were requested, so they are a success;
/// everything else is an error of usage.
fn refuse(refused: &clap::Error, typed: &[OsString], host: &Host) -> ExitCode {
    // The message repeats arguments, which may be file names from untrusted sources.
    let may_act = |arg: &OsString| {
        let arg = arg.to_string_lossy();
        is_suspect(&arg) || harmless(&arg) != *arg
    };
    if refused.use_stderr() && typed.iter().any(may_act) {
        host.say(refused.render().to_string().trim_end());
    } else {
        let _: io::Result<()> = refused.print();
    }
    if refused.use_stderr() {
        Outcome::Failed.into()
    } else {
        Outcome::Fine.into()
    }
}

/// Runs the subcommand on a stack that suffices for the deepest document that is accepted.
///
/// # Errors
/// Those of the subcommand.
fn run_subcommand(args: &Args, host: &Host) -> anyhow::Result<Outcome> {
    if let Some(folder) = &args.chdir {
        std::env::set_current_dir(folder)
            .with_context(|| format!("--chdir {}", folder.display()))?;
    }
    let work = || match &args.command {
        Command::Show(args) => show::run(args, host),
        Command::Stream(args) => stream::run(args, host),
        Command::Run(args) => run::run(args, host),
        Command::Review(args) => plans::review::run(args, host),
        Command::Diff(args) => plans::diff::run(args, host),
        #[cfg(feature = "browse")]
        Command::Browse(args) => plans::browse::run(args, host),
        Command::Findings(args) => findings::run(args, host),
        Command::Schema(args) => schema::run(args, host),
        Command::Completions { shell } => completions::completions(*shell),
        Command::Man { page } => help::man(page.as_deref()),
        Command::Version => print(Args::command().render_version().as_bytes()),
    };
    let done = stack::large(work).context("starting a thread")?;
    done.map_err(|_| anyhow!("stopped by an internal error (see above)"))?
}

/// Writes a text to standard output. A closed pipe is a success.
fn print(text: &[u8]) -> anyhow::Result<Outcome> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        // The reader closed the pipe.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow!(error).context("writing to standard output"))
        }
        Ok(()) | Err(_) => Ok(Outcome::Fine),
    }
}

/// Reports a panic with its location only: its message may have parts of the input, such as sensitive values.
fn report_panic(fault: &panic::PanicHookInfo<'_>) {
    #[cfg(feature = "browse")]
    browse::restore();
    let place = fault
        .location()
        .map_or_else(String::new, |place| format!(" at {place}"));
    let text = format!("error: internal error in tfview{place}; please report it with this line\n");
    let _: io::Result<()> = io::stderr().lock().write_all(text.as_bytes());
}
