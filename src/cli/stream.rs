//! `tfview stream`: shows the messages from a pipe or a file.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::args::StreamArgs;
use super::driver::{Control, MessageSource, NamedInput, OnSignal, RunDriver, ShownRun};
use super::units::{self, Units, Wanted};
use super::values::out_paths;
use super::{Host, Outcome, overwrite};

/// Runs the subcommand.
pub(super) fn run(args: &StreamArgs, host: &Host) -> anyhow::Result<Outcome> {
    ensure!(
        !(args.files.is_empty() && args.units.is_empty() && host.terminal.stdin),
        "no input\n  tip: name a FILE, or pipe one in, as in `tofu apply -json -auto-approve | tfview stream`; `tfview run \
         tofu apply` runs the tool and shows its run"
    );
    let found = units::find(&args.files, &args.units, &[], Wanted::Runs, host)?;
    let files = || found.units.iter().filter_map(|unit| unit.source.path());
    keep_inputs(args, files())?;
    // Opened first, so that an error is reported before anything is set up.
    let open = |path: &Path| File::open(path).with_context(|| format!("opening {}", path.display()));
    let (is_one, reads_file) = (!found.are_several(), files().next().is_some());
    ensure!(is_one || !args.follow, "--follow shows one run: name one file");
    ensure!(is_one || args.run.plan.is_none(), "--plan is the plan of one run: name one file");
    let follow = args.follow && reads_file;
    let source = if is_one { files().next().map(open).transpose()? } else { None };
    let (driver, input_sender) =
        RunDriver::new(ShownRun::given(&args.display, &args.run, host), &args.run, host);
    match source {
        Some(source) if follow => input_sender.read_messages(Growing { file: source }),
        Some(source) => input_sender.read_messages(source),
        None if is_one => input_sender.read_messages(host.stdin()),
        None => input_sender.read_all(inputs(found, host)),
    }
    drop(input_sender);
    let messages = if follow { MessageSource::GrowingFile } else { MessageSource::Input };
    let shown = driver.run(messages, &mut Interrupts { follow, count: 0 })?;
    match shown.fault {
        Some(fault) => Err(fault),
        None => Ok(if shown.failed { Outcome::Failed } else { Outcome::Fine }),
    }
}

/// The messages of several units, each with its name. A file that cannot be read is a run that failed.
fn inputs(found: Units, host: &Host) -> Vec<(String, NamedInput)> {
    let absent = found.absent.into_iter().map(|unit| {
        let error: NamedInput = Box::new(move || Err(io::Error::other(unit.reason)));
        (unit.name, error)
    });
    let mut stdin = Some(host.stdin());
    let mut units: Vec<(String, NamedInput)> = Vec::with_capacity(found.units.len());
    for unit in found.units {
        let open: NamedInput = match unit.source.path().map(Path::to_owned) {
            Some(path) => Box::new(move || Ok(Box::new(File::open(path)?))),
            None => match stdin.take() {
                Some(stdin) => Box::new(move || Ok(stdin)),
                None => continue,
            },
        };
        units.push((unit.title(), open));
    }
    units.into_iter().chain(absent).collect()
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
fn keep_inputs<'f>(args: &'f StreamArgs, files: impl Iterator<Item = &'f Path>) -> anyhow::Result<()> {
    let files: Vec<&Path> = files.collect();
    let tee = args.run.tee.iter().map(|path| ("--tee", &**path));
    let junit = args.run.junit.iter().map(|path| ("--junit", &**path));
    let outputs: Vec<(&str, &Path)> = tee.chain(junit).chain(out_paths(&args.run.out)).collect();
    let schemas = args.display.schemas.iter().map(|path| &**path);
    let inputs: Vec<&Path> = files.iter().copied().chain(args.run.plan.as_deref()).chain(schemas).collect();
    overwrite::refuse(&outputs, &inputs, files.is_empty())
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
