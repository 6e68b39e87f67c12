//! `tfview stream`: shows the messages that come from a pipe or a file.

use std::fs::File;
use std::io;
use std::path::Path;
use std::thread;

use anyhow::{Context, anyhow};

use super::args::StreamArgs;
use super::pump::{OnSignal, Pump};
use super::{Edge, Outcome};

/// Enough for plans of any depth that is read. Only what is used of it is ever taken.
const STACK: usize = 256 << 20;

/// Runs the subcommand.
pub(super) fn run(args: &StreamArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    with_stack(|| stream(args, edge))
}

/// Does `work` on a stack that holds the deepest values.
pub(super) fn with_stack(work: impl FnOnce() -> anyhow::Result<Outcome> + Send) -> anyhow::Result<Outcome> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let worker = worker.context("starting to work")?;
        worker.join().map_err(|_| anyhow!("a fault of tfview itself stopped it (see above)"))?
    })
}

fn stream(args: &StreamArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    let (pump, inlet) = Pump::new(&args.display, &args.run, edge);
    match args.file.as_deref() {
        Some(path) if path != Path::new("-") => {
            inlet.read_messages(File::open(path).with_context(|| format!("opening {}", path.display()))?);
        }
        Some(_) | None => inlet.read_messages(io::stdin()),
    }
    drop(inlet);
    // The tool before us in the pipe gets the first interrupt too, and has yet to say how it ends.
    let mut signals = 0;
    let mut on_signal = |_| {
        signals += 1;
        if signals > 1 { OnSignal::End } else { OnSignal::Ignore }
    };
    Ok(if pump.run(&mut on_signal)? { Outcome::Failed } else { Outcome::Fine })
}
