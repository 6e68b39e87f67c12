//! The table of `benches/README.md`: everything as a ratio to one `serde_json` skip of the same
//! bytes, measured in turn in the same run.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints what it measured, and where it is"
)]
#![allow(clippy::unwrap_used, reason = "a document of ours that cannot be shown is a fault to stop at")]
#![allow(missing_docs, unreachable_pub, reason = "nobody uses a bench but its reader")]

mod generate;
mod work;

use std::time::{Duration, Instant};

use generate::{Documents, SHAPES};
use work::{show, skip, stream};

const RUNS: usize = 7;

/// Whether somebody wants this row: its name has one of the words of the command line, if there are any.
fn is_wanted(name: &str) -> bool {
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-')).peekable();
    words.peek().is_none() || words.any(|word| name.contains(&word))
}

#[allow(clippy::disallowed_methods, reason = "a measurement is about time")]
fn once(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// The medians of two works that take turns. Says what it is at, because all of it takes minutes.
fn in_turn(name: &str, mut first: impl FnMut(), mut second: impl FnMut()) -> (Duration, Duration) {
    eprintln!("measuring {name}");
    let mut times: [Vec<Duration>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        times[0].push(once(&mut first));
        times[1].push(once(&mut second));
    }
    for times in &mut times {
        times.sort_unstable();
    }
    (times[0][RUNS / 2], times[1][RUNS / 2])
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A row of the first table; `skipped` is the text that the skip passes over.
fn against_skip(name: &str, documents: impl FnOnce() -> Documents, skipped: fn(&Documents) -> &str) {
    if !is_wanted(name) {
        return;
    }
    let documents = documents();
    let skipped = skipped(&documents);
    let (shown, passed) = in_turn(name, || drop(show(&documents)), || skip(skipped));
    println!(
        "| {name} | {:.1} MB | {:.1} ms | {:.1} ms | {:.2} |",
        skipped.len() as f64 / 1e6,
        milliseconds(shown),
        milliseconds(passed),
        shown.as_secs_f64() / passed.as_secs_f64()
    );
}

fn main() {
    work::with_stack(print);
}

fn print() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("Processors: {threads}; medians of {RUNS} runs, taken in turn.\n");
    println!("| document | size | show | serde_json skip | ratio |\n|---|---|---|---|---|");
    for resources in [100, 2_000, 20_000] {
        for changed in [0, 20] {
            let name = format!("plan, {resources} resources, {changed} % changed");
            against_skip(&name, || generate::plan(resources, changed), |documents| &documents.plan);
        }
    }
    against_skip("a string of 50 MB", || generate::large(50_000_000), |documents| &documents.plan);
    against_skip("JSON nested 500 deep", || generate::deep(500), |documents| &documents.plan);
    against_skip(
        "20,000 types in the schema (skip of the schema)",
        || Documents { schemas: generate::schemas(20_000), ..generate::plan(100, 20) },
        |documents| &documents.schemas,
    );
    println!("\n| shape | edits | 10,000 | 100,000 | growth | 1,000,000 |\n|---|---|---|---|---|---|");
    for shape in SHAPES {
        for many in [false, true] {
            let edits = if many { "every other" } else { "few" };
            let name = format!("{shape:?}, {edits}");
            if !is_wanted(&name) {
                continue;
            }
            let [small, middle, large] =
                [10_000, 100_000, 1_000_000].map(|elements| generate::shape(shape, elements, many));
            let (of_small, of_middle) = in_turn(&name, || drop(show(&small)), || drop(show(&middle)));
            println!(
                "| {shape:?} | {edits} | {:.1} ms | {:.1} ms | {:.1} × | {:.0} ms |",
                milliseconds(of_small),
                milliseconds(of_middle),
                of_middle.as_secs_f64() / of_small.as_secs_f64(),
                milliseconds(once(|| drop(show(&large))))
            );
        }
    }
    if !is_wanted("stream") {
        return;
    }
    let messages = generate::messages(1_000_000);
    let (streamed, skipped) =
        in_turn("a stream", || drop(stream(&messages)), || messages.lines().for_each(skip));
    println!(
        "\nstream: 1,000,000 messages in {:.0} ms ({:.0} a second), {:.2} × the skip of each line",
        milliseconds(streamed),
        1e6 / streamed.as_secs_f64(),
        streamed.as_secs_f64() / skipped.as_secs_f64()
    );
}
