//! `tfview stream`: shows the messages that come from a pipe or a file.

use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::Context;

use super::args::StreamArgs;
use super::pump::{OnSignal, Pump};
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
