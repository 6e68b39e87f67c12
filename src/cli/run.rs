//! `tfview run -- tofu apply …`: runs the tool itself, with `-json` where it belongs.
//!
//! Invariants: the tool gets our standard input; each signal that we get reaches it exactly once (on
//! a terminal, the terminal itself sends interrupts to it); its own exit code is ours.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::thread;

use anyhow::Context;

use crate::stream::Display;

use super::args::RunArgs;
use super::pump::{OnSignal, Pump};
use super::stack::with_stack;
use super::{Edge, Outcome};

/// The subcommands that know `-json` and write messages with it.
const SPEAK: [&str; 8] = ["apply", "destroy", "init", "plan", "query", "refresh", "test", "validate"];

/// The programs whose subcommands these are.
const TOOLS: [&str; 3] = ["tofu", "terraform", "terragrunt"];

/// Runs the subcommand.
pub(super) fn run(args: &RunArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    with_stack(|| run_tool(args, edge))
}

fn run_tool(args: &RunArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    let (pump, inlet) = Pump::new(&args.display, &args.run, edge);
    let command = with_json(&args.command);
    let (tool, rest) = command.split_first().context("there is no command to run")?;
    let is_live = pump.display() == Display::Live;
    let mut process = Command::new(tool);
    process.args(rest).stdout(Stdio::piped()).stderr(if is_live { Stdio::piped() } else { Stdio::inherit() });
    let forwards = Forwards { interrupts: !edge.terminal.stdin };
    forwards.prepare(&mut process);
    let mut child = process.spawn().with_context(|| format!("starting {}", tool.display()))?;
    let id = child.id();
    inlet.read_messages(child.stdout.take().context("the tool has no output")?);
    if let Some(stderr) = child.stderr.take() {
        inlet.read_asides(stderr);
    }
    let (status, ended) = channel();
    thread::spawn(move || {
        // Who does not wait for the status any more has no use for it.
        let _ = status.send(child.wait());
        inlet.send(super::pump::Input::Exited);
    });
    let mut on_signal = |signal| {
        forwards.send(id, signal);
        OnSignal::Ignore
    };
    let shown = pump.run(&mut on_signal);
    let status = ended.recv().context("waiting for the tool")?.context("waiting for the tool")?;
    shown?;
    Ok(Outcome::Tool(code(status)))
}

/// The tool's exit code; as a shell tells it, if a signal ended it.
fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(1);
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// The command with `-json` behind its subcommand, where that knows it and has it not yet.
fn with_json(command: &[OsString]) -> Vec<OsString> {
    let mut command = command.to_vec();
    let is_option = |argument: &OsString| argument.as_encoded_bytes().starts_with(b"-");
    let tool = command.iter().position(|argument| {
        let stem = Path::new(argument).file_stem().and_then(OsStr::to_str);
        stem.is_some_and(|stem| TOOLS.contains(&stem))
    });
    let from = tool.map_or(1, |tool| tool + 1);
    let speaks = |argument: &OsString| argument.to_str().is_some_and(|word| SPEAK.contains(&word));
    let words = command.iter().enumerate().skip(from);
    let subcommand = match tool {
        Some(_) => {
            words.into_iter().find(|(_, argument)| !is_option(argument)).filter(|(_, word)| speaks(word))
        }
        None => words.into_iter().find(|(_, argument)| speaks(argument)),
    };
    let asked = |argument: &OsString| argument == "-json" || argument == "--json" || argument == "-json=true";
    if let Some((at, _)) = subcommand
        && !command.iter().skip(at).any(asked)
    {
        command.insert(at + 1, "-json".into());
    }
    command
}

/// Which signals are passed on.
#[derive(Clone, Copy, Debug)]
struct Forwards {
    /// Also those that a terminal sends to the tool itself.
    interrupts: bool,
}

#[cfg(unix)]
impl Forwards {
    /// Without a terminal, the tool gets a group of its own: who signals our group reaches us alone,
    /// and the tool through us. On a terminal it must stay in our group to read from it.
    fn prepare(self, process: &mut Command) {
        if self.interrupts {
            std::os::unix::process::CommandExt::process_group(process, 0);
        }
    }

    fn send(self, id: u32, signal: i32) {
        use rustix::process::{Pid, Signal, kill_process};
        let signal = match signal {
            signal_hook::consts::SIGINT if self.interrupts => Signal::INT,
            signal_hook::consts::SIGQUIT if self.interrupts => Signal::QUIT,
            signal_hook::consts::SIGTERM => Signal::TERM,
            signal_hook::consts::SIGHUP => Signal::HUP,
            _ => return,
        };
        if let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) {
            // A tool that has just ended cannot be signalled, and need not be.
            let _ = kill_process(pid, signal);
        }
    }
}

#[cfg(not(unix))]
impl Forwards {
    fn prepare(self, _: &mut Command) {}

    fn send(self, _: u32, _: i32) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_asked_for_where_the_tool_expects_it() {
        for (typed, run) in [
            ("tofu apply -auto-approve", "tofu apply -json -auto-approve"),
            ("terraform -chdir=plan apply p", "terraform -chdir=plan apply -json p"),
            ("/opt/tofu plan -out p", "/opt/tofu plan -json -out p"),
            ("tofu apply -json", "tofu apply -json"),
            ("tofu plan --json", "tofu plan --json"),
            ("terraform state list", "terraform state list"),
            ("terraform workspace select plan", "terraform workspace select plan"),
            ("aws-vault exec plan -- terraform apply", "aws-vault exec plan -- terraform apply -json"),
            ("./wrapper.sh apply prod", "./wrapper.sh apply -json prod"),
            ("tofu", "tofu"),
        ] {
            let typed: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
            assert_eq!(with_json(&typed).join(OsStr::new(" ")), run);
        }
    }
}
