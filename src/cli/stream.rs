//! `tfview stream`: shows the messages that come from a pipe or a file.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, bail};

use super::args::StreamArgs;
use super::pump::{Control, OnSignal, Pump};
use super::stack::with_stack;
use super::{Edge, Outcome};

/// Runs the subcommand.
pub(super) fn run(args: &StreamArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    with_stack(|| stream(args, edge))
}

fn stream(args: &StreamArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    let (pump, inlet) = Pump::new(&args.display, &args.run, edge);
    match args.file.as_deref() {
        Some(path) if path != Path::new("-") => {
            if let Some(tee) = &args.run.tee
                && is_same_file(path, tee)
            {
                bail!("--tee {}: it is the file that is read", tee.display());
            }
            inlet.read_messages(File::open(path).with_context(|| format!("opening {}", path.display()))?);
        }
        Some(_) | None => inlet.read_messages(edge.stdin()),
    }
    drop(inlet);
    let shown = pump.run(&mut Interrupts::default())?;
    match shown.fault {
        Some(fault) => Err(fault),
        None => Ok(if shown.failed { Outcome::Failed } else { Outcome::Fine }),
    }
}

/// The interrupts that came.
#[derive(Default)]
struct Interrupts(usize);

impl Control for Interrupts {
    /// The tool before us in the pipe gets the first interrupt too, and has yet to say how it ends. A
    /// request to end is for us alone.
    fn on_signal(&mut self, signal: i32) -> OnSignal {
        self.0 += 1;
        if self.0 > 1 || is_request_to_end(signal) { OnSignal::End } else { OnSignal::Ignore }
    }
}

#[cfg(unix)]
fn is_request_to_end(signal: i32) -> bool {
    signal == signal_hook::consts::SIGTERM
}

#[cfg(not(unix))]
fn is_request_to_end(_: i32) -> bool {
    false
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    // A file that is not there yet is no other.
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
