//! Follows the log of a run: prints the tool's text and what is new as it comes, and how the run ended.
//!
//! `terraform apply -json -auto-approve | cargo run --example follow`

use std::error::Error;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tfview::{InputEnd, Run, RunEventKind, RunOptions, RunUpdate};

/// Follows a run to its end. Returns whether it succeeded. `elapsed` is the time since the run began.
pub(crate) fn follow(
    mut log: impl Read,
    mut out: impl Write,
    elapsed: impl Fn() -> Duration,
) -> Result<bool, Box<dyn Error>> {
    let mut run = Run::new(RunOptions::default());
    let mut bytes = [0; 8 << 10];
    loop {
        let length = log.read(&mut bytes)?;
        if length == 0 {
            break;
        }
        let update = run.push(&bytes[..length])?;
        print(&update, &mut out)?;
        run.tick(elapsed())?;
        let progress = run.progress();
        if let Some(planned) = progress.planned {
            let (done, running) = (progress.done, progress.running.len());
            writeln!(out, "[{done} of {planned} done, {running} running]")?;
        }
    }
    let outcome = run.finish(InputEnd::Closed)?;
    print(outcome.update(), &mut out)?;
    writeln!(
        out,
        "{}",
        outcome.summary().unwrap_or("The run has no summary.")
    )?;
    Ok(!outcome.failed())
}

/// Prints the text and the notes of an update, and an alert for each error in it.
fn print(update: &RunUpdate, out: &mut impl Write) -> io::Result<()> {
    out.write_all(update.text.as_bytes())?;
    out.write_all(update.notes.as_bytes())?;
    for event in &update.events {
        // What a bot would send as a message of its own.
        if let RunEventKind::Diagnostic {
            is_error: true,
            summary,
            ..
        } = &event.kind
        {
            writeln!(out, "ALERT: {}", summary.escape_debug())?;
        }
    }
    Ok(())
}

#[allow(
    clippy::disallowed_methods,
    reason = "a program of its own has a clock"
)]
fn main() -> Result<ExitCode, Box<dyn Error>> {
    let started = Instant::now();
    let has_succeeded = follow(io::stdin().lock(), io::stdout().lock(), || {
        started.elapsed()
    })?;
    Ok(if has_succeeded {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
