//! `tfview stream`: shows the messages from a pipe or a file.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::args::StreamArgs;
use super::driver::{Control, OnSignal, RunDriver};
use super::stack::with_stack;
use super::values::out_paths;
use super::{Host, Outcome, overwrite};

/// Runs the subcommand.
pub(super) fn run(args: &StreamArgs, host: &Host) -> anyhow::Result<Outcome> {
    with_stack(|| stream(args, host))
}

fn stream(args: &StreamArgs, host: &Host) -> anyhow::Result<Outcome> {
    let file = args.file.as_deref().filter(|path| *path != Path::new("-"));
    ensure!(
        args.file.is_some() || !host.terminal.stdin,
        "no input\n  tip: name a FILE, or pipe one in, as in `tofu apply -json -auto-approve | tfview stream`; `tfview run \
         tofu apply` runs the tool and shows its run"
    );
    keep_inputs(args, file)?;
    // Opened first, so that an error is reported before anything is set up.
    let source = file
        .map(|path| File::open(path).with_context(|| format!("opening {}", path.display())))
        .transpose()?;
    let follow = args.follow && source.is_some();
    let (driver, input_sender) = RunDriver::new(&args.display, &args.run, host);
    match source {
        Some(source) if follow => input_sender.read_messages(Growing { file: source }),
        Some(source) => input_sender.read_messages(source),
        None => input_sender.read_messages(host.stdin()),
    }
    drop(input_sender);
    let shown = driver.following(follow).run(&mut Interrupts { follow, count: 0 })?;
    match shown.fault {
        Some(fault) => Err(fault),
        None => Ok(if shown.failed { Outcome::Failed } else { Outcome::Fine }),
    }
}

/// Counts interrupts.
struct Interrupts {
    follow: bool,
    count: usize,
}

impl Control for Interrupts {
    fn on_signal(&mut self, signal: i32) -> OnSignal {
        // The tool in the same pipe receives the first interrupt too, and still reports how it ends.
        self.count += 1;
        if self.follow || self.count > 1 {
            OnSignal::End
        } else if is_termination(signal) {
            OnSignal::EndWhenQuiet
        } else {
            OnSignal::Ignore
        }
    }
}

/// Whether a signal is usually sent to one process rather than to the whole job of a terminal.
#[cfg(unix)]
fn is_termination(signal: i32) -> bool {
    signal == signal_hook::consts::SIGTERM
}

#[cfg(not(unix))]
fn is_termination(_: i32) -> bool {
    false
}

/// Rejects output files that are also read, or written twice.
fn keep_inputs(args: &StreamArgs, file: Option<&Path>) -> anyhow::Result<()> {
    let tee = args.run.tee.iter().map(|path| ("--tee", &**path));
    let junit = args.run.junit.iter().map(|path| ("--junit", &**path));
    let outputs: Vec<(&str, &Path)> = tee.chain(junit).chain(out_paths(&args.run.out)).collect();
    let schemas = args.display.schemas.iter().map(|path| &**path);
    let inputs: Vec<&Path> = file.into_iter().chain(args.run.plan.as_deref()).chain(schemas).collect();
    overwrite::refuse(&outputs, &inputs, file.is_none())
}

/// The interval at which a growing file is polled.
const POLL: Duration = Duration::from_millis(100);

/// A file that is still being written. At its end, reads wait for more.
struct Growing {
    file: File,
}

impl Read for Growing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.file.read(buffer)?;
            if length > 0 {
                return Ok(length);
            }
            // The file was truncated to be written again.
            if self.file.metadata()?.len() < self.file.stream_position()? {
                self.file.rewind()?;
            }
            thread::sleep(POLL);
        }
    }
}
