//! `tfview stream`: shows the messages from a pipe or a file.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::args::StreamArgs;
use super::documents::Files;
use super::driver::{NamedInput, Part, RunDriver};
use super::output::check_overwrites;
use super::settings::Settings;
use super::units::{self, Units, Wanted};
use super::values::out_paths;
use super::{Host, Outcome};

/// Runs the subcommand.
pub(super) fn run(args: &StreamArgs, host: &Host) -> anyhow::Result<Outcome> {
    ensure!(
        !(args.files.is_empty() && args.units.is_empty() && host.terminal.stdin),
        "no input\n  tip: name a FILE, or pipe one in, as in `tofu apply -json -auto-approve | tfview stream`; `tfview run \
         tofu apply` runs the tool and shows its run"
    );
    let found = units::find(&args.files, &args.units, &[], Wanted::Runs, host)?;
    let files: Vec<&Path> = found.units.iter().filter_map(|unit| unit.source.path()).collect();
    let tee = args.run.tee.iter().map(|path| ("--tee", &**path));
    let junit = args.run.junit.iter().map(|path| ("--junit", &**path));
    let outputs: Vec<(&str, &Path)> = tee.chain(junit).chain(out_paths(&args.run.out)).collect();
    let others = args.run.plan.iter().chain(&args.display.schemas).map(|path| &**path);
    let inputs: Vec<&Path> = files.iter().copied().chain(others).collect();
    check_overwrites(&outputs, &inputs, files.is_empty())?;
    let is_one = !found.are_several();
    ensure!(is_one || !args.follow, "--follow shows one run: name one file");
    ensure!(is_one || args.run.plan.is_none(), "--plan is the plan of one run: name one file");
    // Opened first, so that an error is reported before anything is set up.
    let only = match files.first() {
        Some(path) if is_one => {
            Some(File::open(path).with_context(|| format!("opening {}", path.display()))?)
        }
        Some(_) | None => None,
    };
    let follow = args.follow && only.is_some();
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    let mut documents = Files::read(settings, args.run.plan.as_deref(), host);
    let (driver, sender) = RunDriver::new(&mut documents, Part::Whole, &args.run);
    match only {
        Some(file) if follow => sender.read_messages(Growing(file)),
        Some(file) => sender.read_messages(file),
        None if is_one => sender.read_messages(host.stdin()),
        None => sender.read_all(named_inputs(found, host)),
    }
    drop(sender);
    let shown = driver.run(None, follow)?;
    match shown.fault {
        Some(fault) => Err(fault),
        None => Ok(if shown.failed { Outcome::Failed } else { Outcome::Fine }),
    }
}

/// The messages of several units, each with its name. A file that cannot be read is a run that failed.
fn named_inputs(found: Units, host: &Host) -> Vec<(String, NamedInput)> {
    let mut stdin = Some(host.stdin());
    let mut inputs: Vec<(String, NamedInput)> = Vec::new();
    for unit in found.units {
        let open: NamedInput = match unit.source.path().map(Path::to_owned) {
            Some(path) => Box::new(move || Ok(Box::new(File::open(path)?))),
            None => match stdin.take() {
                Some(stdin) => Box::new(move || Ok(stdin)),
                None => continue,
            },
        };
        inputs.push((unit.title(), open));
    }
    for unit in found.absent {
        inputs.push((unit.name, Box::new(move || Err(io::Error::other(unit.reason)))));
    }
    inputs
}

/// A file that is still being written. At its end, reads wait for more.
struct Growing(File);

impl Read for Growing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.0.read(buffer)?;
            if length > 0 {
                return Ok(length);
            }
            // The file was truncated to be written again.
            if self.0.metadata()?.len() < self.0.stream_position()? {
                self.0.rewind()?;
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}
