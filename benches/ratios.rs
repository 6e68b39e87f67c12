//! Measures the table of `benches/README.md`: each time as a ratio to a `serde_json` skip of the same bytes,
//! measured alternately in the same run.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its results and its progress"
)]
#![allow(
    clippy::unwrap_used,
    reason = "a generated document that cannot be shown is a bug"
)]
#![allow(
    missing_docs,
    unreachable_pub,
    reason = "a benchmark has no public API"
)]

mod cpu;
mod generate;
mod process;
mod work;

use std::time::{Duration, Instant};

use generate::{Documents, SHAPES};
use process::Files;
use work::{show, skip, stream};

const RUNS: usize = 7;

/// Short measurements are repeated more often.
const PROCESS_RUNS: usize = 21;
const SHAPE_RUNS: usize = 15;

/// Whether a row is selected: the command line has no words, or the row's name contains one of them.
fn is_wanted(name: &str) -> bool {
    let mut words = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .peekable();
    words.peek().is_none() || words.any(|word| name.contains(&word))
}

/// The cost of one measurement.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    /// The CPU time of all threads, or zero where the system does not report it.
    cpu: Duration,
}

#[allow(clippy::disallowed_methods, reason = "benchmarks measure time")]
fn once(work: impl FnOnce()) -> Cost {
    let (cpu, start) = (cpu::time(), Instant::now());
    work();
    let wall = start.elapsed();
    let cpu = cpu::time()
        .zip(cpu)
        .map_or(Duration::ZERO, |(after, before)| {
            after.saturating_sub(before)
        });
    Cost { wall, cpu }
}

/// The results of two operations that were measured alternately.
struct Turns {
    /// The medians.
    first: Duration,
    /// The median of the second operation.
    second: Duration,
    /// The median of the first operation's CPU time.
    first_cpu: Duration,
    /// The median of the ratios of the first to the second operation. Each ratio is taken from two adjacent
    /// measurements, so that changes in the machine's speed cancel out.
    ratio: f64,
    /// The same ratio for CPU time.
    cpu: f64,
}

/// Measures two operations alternately. Prints `name` first, because the whole benchmark takes minutes.
fn in_turn(name: &str, runs: usize, mut first: impl FnMut(), mut second: impl FnMut()) -> Turns {
    eprintln!("measuring {name}");
    let turns: Vec<[Cost; 2]> = (0..runs)
        .map(|_| [once(&mut first), once(&mut second)])
        .collect();
    let median = |of: fn(&[Cost; 2]) -> f64| {
        let mut values: Vec<f64> = turns.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[runs / 2]
    };
    Turns {
        first: Duration::from_secs_f64(median(|[first, _]| first.wall.as_secs_f64())),
        second: Duration::from_secs_f64(median(|[_, second]| second.wall.as_secs_f64())),
        first_cpu: Duration::from_secs_f64(median(|[first, _]| first.cpu.as_secs_f64())),
        ratio: median(|[first, second]| first.wall.as_secs_f64() / second.wall.as_secs_f64()),
        cpu: median(|[first, second]| first.cpu.as_secs_f64() / second.cpu.as_secs_f64()),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Prints a row of the table of documents; `skipped` selects the text that is skipped.
fn against_skip(
    name: &str,
    documents: impl FnOnce() -> Documents,
    skipped: fn(&Documents) -> &str,
) {
    if !is_wanted(name) {
        return;
    }
    let documents = documents();
    let skipped = skipped(&documents);
    let turns = in_turn(name, RUNS, || drop(show(&documents)), || skip(skipped));
    println!(
        "| {name} | {:.1} MB | {:.1} ms | {:.1} ms | {:.2} | {:.2} |",
        skipped.len() as f64 / 1e6,
        milliseconds(turns.first),
        milliseconds(turns.second),
        turns.ratio,
        turns.cpu
    );
}

/// The peak memory of a process, in megabytes and as a share of its file.
fn memory(files: &Files, command: &str, with_schemas: bool) -> String {
    files
        .peak_memory(command, with_schemas)
        .map_or("–".to_owned(), |bytes| {
            format!(
                "{:.0} MB, {:.2} × the file",
                bytes as f64 / 1e6,
                bytes as f64 / files.size() as f64
            )
        })
}

/// Prints the rows of the table of processes for one plan: each subcommand with or without schemas.
fn processes(name: &str, documents: impl FnOnce() -> Documents, commands: &[(&'static str, bool)]) {
    let row = |(command, with): &(&'static str, bool)| {
        (
            *command,
            *with,
            format!(
                "{command}, {name}, {} schema",
                if *with { "with" } else { "without" }
            ),
        )
    };
    let rows: Vec<_> = commands
        .iter()
        .map(row)
        .filter(|(.., name)| is_wanted(name))
        .collect();
    if rows.is_empty() {
        return;
    }
    let files = Files::new(&documents());
    for (command, with_schemas, name) in rows {
        let turns = in_turn(
            &name,
            PROCESS_RUNS,
            || files.tfview(command, with_schemas),
            || files.skip(),
        );
        println!(
            "| {name} | {:.1} MB | {:.1} ms | {:.1} ms | {:.2} | {:.2} | {} |",
            files.size() as f64 / 1e6,
            milliseconds(turns.first),
            milliseconds(turns.second),
            turns.ratio,
            turns.cpu,
            memory(&files, command, with_schemas)
        );
    }
}

/// Prints the row of a saved plan: a process that reviews it, and one that shows the version of the program.
fn saved_plan(name: &str) {
    if !is_wanted(name) {
        return;
    }
    let plan = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/saved/providers-5-terraform/plan.tfplan"
    );
    let turns = in_turn(
        name,
        PROCESS_RUNS,
        || process::tfview(&["review", plan]),
        || process::tfview(&["--version"]),
    );
    println!(
        "\n{name}: {:.1} ms ({:.1} ms of processor time); `tfview --version`: {:.1} ms",
        milliseconds(turns.first),
        milliseconds(turns.first_cpu),
        milliseconds(turns.second)
    );
}

fn main() {
    if !process::is_skip() {
        work::with_stack(print);
    }
}

/// Prints the table: whole processes, then stages.
fn print() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("Processors: {threads}; medians of works that take turns, the ratio turn by turn.\n");
    println!(
        "| process, file | size | tfview | serde_json skip | ratio | of processor time | peak memory |"
    );
    println!("|---|---|---|---|---|---|---|");
    let (with, without, review) = (("show", true), ("show", false), ("review", true));
    for (changed, commands) in [(0, &[with][..]), (20, &[with, without, review])] {
        let name = format!("20000 resources, {changed} % changed");
        processes(&name, || generate::plan(20_000, changed), commands);
    }
    processes(
        "4 resources, all changed",
        || generate::plan(4, 100),
        &[with],
    );
    saved_plan("review, saved plan of 10 KB");
    println!("\n| document | size | show | serde_json skip | ratio | of processor time |");
    println!("|---|---|---|---|---|---|");
    for resources in [100, 2_000, 20_000] {
        for changed in [0, 20] {
            let name = format!("plan, {resources} resources, {changed} % changed");
            against_skip(
                &name,
                || generate::plan(resources, changed),
                |documents| &documents.plan,
            );
        }
    }
    against_skip(
        "a string of 50 MB",
        || generate::large(50_000_000),
        |documents| &documents.plan,
    );
    against_skip(
        "JSON nested 500 deep",
        || generate::deep(500),
        |documents| &documents.plan,
    );
    against_skip(
        "20,000 types in the schema (skip of the schema)",
        || Documents {
            schemas: generate::schemas(20_000),
            ..generate::plan(100, 20)
        },
        |documents| &documents.schemas,
    );
    println!(
        "\n| shape | edits | 10,000 | 100,000 | growth | 1,000,000 |\n|---|---|---|---|---|---|"
    );
    for shape in SHAPES {
        for many in [false, true] {
            let edits = if many { "every other" } else { "few" };
            let name = format!("{shape:?}, {edits}");
            if !is_wanted(&name) {
                continue;
            }
            let [small, middle, large] =
                [10_000, 100_000, 1_000_000].map(|elements| generate::shape(shape, elements, many));
            let turns = in_turn(
                &name,
                SHAPE_RUNS,
                || drop(show(&middle)),
                || drop(show(&small)),
            );
            println!(
                "| {shape:?} | {edits} | {:.1} ms | {:.1} ms | {:.1} × | {:.0} ms |",
                milliseconds(turns.second),
                milliseconds(turns.first),
                turns.ratio,
                milliseconds(once(|| drop(show(&large))).wall)
            );
        }
    }
    if !is_wanted("stream") {
        return;
    }
    let messages = generate::messages(1_000_000);
    let turns = in_turn(
        "a stream",
        RUNS,
        || drop(stream(&messages)),
        || messages.lines().for_each(skip),
    );
    println!(
        "\nstream: 1,000,000 messages in {:.0} ms ({:.0} a second), {:.0} ms of processor time ({:.0} a second), \
         {:.2} × the skip of each line, {:.2} × its processor time",
        milliseconds(turns.first),
        1e6 / turns.first.as_secs_f64(),
        milliseconds(turns.first_cpu),
        1e6 / turns.first_cpu.as_secs_f64(),
        turns.ratio,
        turns.cpu
    );
}
