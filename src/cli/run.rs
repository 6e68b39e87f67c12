//! Runs `tfview run tofu apply …`: starts the tool, with `-json` if the command supports it, and shows the run.
//!
//! Invariants: the tool inherits standard input, and its exit code is returned even if the display fails. Commands
//! without messages run unchanged. Nothing is applied without being shown in full and approved, unless the command
//! itself says so.
//!
//! The tools reject `apply -json` without `-auto-approve`, and their messages have no values. `plan` and `apply`
//! therefore use a temporary saved plan. If the tool cannot save a plan, or asks for variables, the command runs
//! without `-json`.

mod ask;
mod planned;

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::{fs, io, thread};

use anyhow::Context;

use super::args::{ProgressChoice, RunArgs};
#[cfg(feature = "browse")]
use super::browse;
use super::documents::Files;
use super::messages::{ErrorWithTip, with_tip};
use super::output::check_overwrites;
use super::processes;
use super::settings::Settings;
use super::source::configuration_files;
use super::stream::{DriverReport, Input, Part, RunDriver, outputs};
use super::tool_command::{Flags, Invocation, Obstacle, Planned, ToolCommand};
use super::{Host, Outcome};
use planned::run_planned;

/// Runs the command of the tool in the way that shows the most of it. Returns the tool's exit code as the outcome.
pub(super) fn run(args: &RunArgs, host: &Host) -> anyhow::Result<Outcome> {
    let link = |program: &OsStr| {
        let path = host.environment.find_program(program)?;
        let target = fs::canonicalize(path).ok()?;
        target.file_name().map(OsStr::to_owned)
    };
    let invocation = Invocation::parse(&args.command, link);
    if let Some(why) = refused(&invocation, host) {
        return Err(why);
    }
    if !invocation.is_streamed() {
        if !invocation.is_known() {
            note_unknown(&invocation, host);
        }
        return run_untouched(&invocation, args, host).map(Outcome::Tool);
    }
    #[cfg(feature = "browse")]
    if args.browse {
        browse::require_terminal_to_answer(host)?;
    }
    check_outputs(args, &invocation, host)?;
    let args = &with_options_of_tool(args, &invocation, host);
    let code = if is_asking_init(&invocation, args, host) {
        run_untouched(&invocation, args, host)?
    } else if let Some(code) = run_planned(&invocation, args, host)? {
        code
    } else {
        if browses(args) {
            host.note(
                "the command does not ask for approval of a plan, so there is nothing to browse",
            );
        }
        show_as_given(&invocation, args, host)?
    };
    Ok(Outcome::Tool(code))
}

/// Checks that no file of `--tee`, `--junit`, `--out` or `-out` would overwrite one that is read or written too: a
/// plan, a configuration, variables, or a state.
///
/// # Errors
/// If one would.
fn check_outputs(args: &RunArgs, invocation: &Invocation, host: &Host) -> anyhow::Result<()> {
    let outputs = outputs(&args.run);
    if outputs.is_empty() {
        return Ok(());
    }
    let folder = invocation.folder();
    let mut inputs = configuration_files(folder);
    let (plan, schemas) = (&args.run.plan, &args.display.schemas);
    inputs.extend(
        plan.iter()
            .chain(schemas)
            .chain(&host.environment.schemas)
            .cloned(),
    );
    let mut saved = Vec::new();
    for word in invocation.words() {
        // A file is an argument, or the value of an option.
        match word.to_string_lossy().split_once('=') {
            Some(("-out" | "--out", file)) => saved.push(folder.join(file)),
            Some((_, file)) => inputs.push(folder.join(file)),
            None => inputs.push(folder.join(word)),
        }
    }
    let inputs: Vec<&Path> = inputs.iter().map(|path| &**path).collect();
    let saved = saved.iter().map(|path| ("-out", &**path));
    check_overwrites(&saved.chain(outputs).collect::<Vec<_>>(), &inputs, false)
}

/// Returns the error for a command with an option whose value the tool refuses, so that nothing is started; `None` for
/// any other command.
fn refused(invocation: &Invocation, host: &Host) -> Option<anyhow::Error> {
    let command = Planned::from_subcommand(invocation.subcommand()?)?;
    if !invocation.is_known() || invocation.asks_for_help() {
        return None;
    }
    match invocation.flags_of_planned(command, host) {
        Err(Obstacle::Refused { why, tip }) => Some(ErrorWithTip::new(why, tip).into()),
        Err(Obstacle::Unclear(_)) | Ok(_) => None,
    }
}

/// Returns the arguments with the tool's options that concern its text, which have the same effect on the text of
/// tfview.
fn with_options_of_tool(args: &RunArgs, invocation: &Invocation, host: &Host) -> RunArgs {
    let mut args = args.clone();
    let Ok(flags) = invocation.all_flags(host) else {
        return args;
    };
    if flags.is_set("no-color") {
        args.display.style.no_color = true;
        // A live region moves the cursor.
        if args.run.progress == ProgressChoice::Auto {
            args.run.progress = ProgressChoice::Log;
        }
    }
    args.display.show_sensitive |= flags.is_set("show-sensitive");
    args.run.compact_warnings |= flags.is_set("compact-warnings");
    args.run.concise |= flags.is_set("concise");
    args.run.separate_warnings = flags.is_unset("consolidate-warnings");
    args.run.consolidate_errors = flags.is_set("consolidate-errors");
    args
}

/// Whether `init` runs untouched: because it may ask, which it does in its own words even with `-json`, or because it
/// moves the state, for which it refuses `-json`.
fn is_asking_init(invocation: &Invocation, args: &RunArgs, host: &Host) -> bool {
    if !invocation.is_known() || invocation.subcommand() != Some("init") {
        return false;
    }
    let Ok(flags) = invocation.all_flags(host) else {
        return true;
    };
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    flags.is_set("migrate-state")
        || flags.is_set("force-copy")
        || (can_answer(&flags, &settings, host) && !flags.has("json"))
}

/// Whether somebody can answer a question of the tool, and the tool may ask one.
fn can_answer(flags: &Flags, settings: &Settings, host: &Host) -> bool {
    let is_off = flags.is_unset("input") || host.environment.tools.input_disabled;
    host.terminal.stdin && settings.ci.is_none() && !is_off
}

/// Notes how the run of an unknown program could be shown.
fn note_unknown(invocation: &Invocation, host: &Host) {
    let is_there = invocation
        .words()
        .first()
        .is_some_and(|program| host.environment.find_program(program).is_some());
    if is_there {
        host.note(&with_tip(
            &format!(
                "`{}` is not terraform, tofu or terragrunt, so its command runs untouched",
                invocation.tool_name()
            ),
            "the messages of a wrapper are shown if its command has -json",
        ));
    }
}

/// Replaces this process with the command as it was given. Returns only if that fails, or on systems that cannot
/// replace a process.
fn run_untouched(invocation: &Invocation, args: &RunArgs, host: &Host) -> anyhow::Result<u8> {
    for out in &args.run.out {
        host.note(&format!(
            "no page is written to {}: the command runs untouched",
            out.path.display()
        ));
    }
    let tool = ToolCommand::new(invocation.words());
    processes::replace(&mut tool.command(host)?).with_context(|| tool.starting())
}

/// Runs the command with `-json` and shows its messages, without planning first. Returns its exit code.
fn show_as_given(invocation: &Invocation, args: &RunArgs, host: &Host) -> anyhow::Result<u8> {
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    let mut documents = Files::read(settings, args.run.plan.as_deref(), host);
    let tool = ToolCommand::new(&invocation.with_json());
    show(&tool, &mut documents, Part::Whole, args).map(|(code, _)| code)
}

/// Runs the tool and shows its messages. Returns its exit code, and how the display ended.
///
/// # Errors
/// If the tool cannot be started or waited for. A fault of the display is reported instead.
fn show(
    tool: &ToolCommand,
    documents: &mut Files<'_>,
    part: Part,
    args: &RunArgs,
) -> anyhow::Result<(u8, DriverReport)> {
    let host = documents.host;
    let (driver, sender) = RunDriver::new(documents, part, &args.run);
    let mut command = tool.command(host)?;
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, process) = tool.start(&mut command, host)?;
    sender.read_messages(child.stdout.take().context("the tool has no output")?);
    sender.read_stderr(
        child
            .stderr
            .take()
            .context("the tool has no standard error")?,
    );
    let (code, shown) = thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let code = process.wait(&mut child, || {
                sender.send(Input::Stopped);
            });
            sender.send(Input::Exited);
            code
        });
        let shown = driver.run(Some(&process), false);
        (
            waiting
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("an internal error"))),
            shown,
        )
    });
    drop(process);
    let code = code.context("waiting for the tool")?;
    let shown = shown.unwrap_or_else(|error| DriverReport {
        failed: true,
        fault: Some(error),
        ..DriverReport::default()
    });
    if let Some(fault) = &shown.fault {
        host.report(fault);
    }
    Ok((code, shown))
}
/// Whether the plan is shown in the browser.
fn browses(args: &RunArgs) -> bool {
    #[cfg(feature = "browse")]
    return args.browse;
    #[cfg(not(feature = "browse"))]
    {
        let _ = args;
        false
    }
}
/// Notes why the command runs untouched, and runs it.
fn untouched(
    invocation: &Invocation,
    why: &str,
    args: &RunArgs,
    host: &Host,
) -> anyhow::Result<u8> {
    host.note(&format!(
        "{why}, so `{}` runs untouched",
        invocation.tool_name()
    ));
    run_untouched(invocation, args, host)
}
