//! Runs `tfview stream`, and has the driver that shows every run.
//!
//! Invariants: the source is read to its end even if the output or the display fails. The first interrupt is left to
//! the tool, which shuts down. The page and the report of tests are each written even if the other one cannot be.

mod display;
mod inputs;

use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};

use super::args::{ProgressChoice, RunDisplayArgs, StreamArgs};
use super::documents::Files;
use super::messages::{ErrorWithTip, chain};
use super::output::check_overwrites;
use super::processes::{Listening, Process};
use super::settings::{Settings, stdout};
use super::units::{self, SearchFor, Units};
use super::values::out_paths;
use super::{Host, Outcome, ci};
use crate::stream::{
    self, Draining, Ending, Expected, Options, Prior, ProgressDisplay, RunPage, Stream, Timeline,
    choose_display, junit, junit_of_units,
};
use crate::term::ci::{Annotations, CiLog};
use crate::term::{CiSystem, Out};
use display::{Display, InputLoop, Valve};
pub(super) use inputs::{Input, Refusal};
use inputs::{InputSender, NamedInput, Withheld};

/// Shows the runs whose messages are in the inputs.
pub(super) fn run(args: &StreamArgs, host: &Host) -> anyhow::Result<Outcome> {
    ensure!(
        !(args.files.is_empty() && args.units.is_empty() && host.terminal.stdin),
        ErrorWithTip::new(
            "no input",
            "name a FILE, or pipe one in, as in `tofu apply -json -auto-approve | tfview stream`; `tfview run tofu apply` \
             runs the tool and shows its run"
        )
    );
    let units_of_runs = units::find(&args.files, &args.units, &[], SearchFor::Runs, host)?;
    let files: Vec<&Path> = units_of_runs
        .units
        .iter()
        .filter_map(|unit| unit.source.path())
        .collect();
    check_inputs(args, &units_of_runs, files.is_empty(), host)?;
    let is_one = !units_of_runs.are_several();
    // The file is opened first, so that an error is reported before anything is set up.
    let only = match files.first() {
        Some(path) if is_one => {
            Some(File::open(path).with_context(|| format!("cannot read {}", path.display()))?)
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
        None => sender.read_all(named_inputs(units_of_runs, host)),
    }
    drop(sender);
    let shown = driver.run(None, follow)?;
    match shown.fault {
        Some(fault) => Err(fault),
        None => Ok(if shown.failed {
            Outcome::Failed
        } else {
            Outcome::Fine
        }),
    }
}

/// Checks that no file is both read and written, and that the options of one run are not given for several.
///
/// # Errors
/// If that is not so.
fn check_inputs(
    args: &StreamArgs,
    units_of_runs: &Units,
    reads_stdin: bool,
    host: &Host,
) -> anyhow::Result<()> {
    let others = args
        .run
        .plan
        .iter()
        .chain(&args.display.schemas)
        .chain(&host.environment.schemas)
        .map(|path| &**path);
    let inputs: Vec<&Path> = units_of_runs.paths().chain(others).collect();
    check_overwrites(&outputs(&args.run), &inputs, reads_stdin)?;
    let is_one = !units_of_runs.are_several();
    ensure!(
        is_one || !args.follow,
        "--follow shows one run: name one file"
    );
    ensure!(
        is_one || args.run.plan.is_none(),
        "--plan is the plan of one run: name one file"
    );
    Ok(())
}

/// Returns the inputs of several runs with the names of their units. A file that cannot be read becomes a run that
/// failed.
fn named_inputs(units: Units, host: &Host) -> Vec<(String, NamedInput)> {
    let mut stdin = Some(host.stdin());
    let mut inputs: Vec<(String, NamedInput)> = Vec::new();
    for unit in units.units {
        let open: NamedInput = match unit.source.path().map(Path::to_owned) {
            Some(path) => Box::new(move || Ok(Box::new(File::open(path)?))),
            None => match stdin.take() {
                Some(stdin) => Box::new(move || Ok(stdin)),
                None => continue,
            },
        };
        inputs.push((unit.title(), open));
    }
    for unit in units.absent {
        inputs.push((
            unit.name,
            Box::new(move || Err(io::Error::other(unit.reason))),
        ));
    }
    inputs
}

/// A file that is still being written. At its end, a read waits for more.
struct Growing(File);

impl Read for Growing {
    /// Reads what was added to the file, and waits for it if there is nothing.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.0.read(buffer)?;
            if length > 0 {
                return Ok(length);
            }
            // If the file is shorter than before, it was truncated to be written again.
            if self.0.metadata()?.len() < self.0.stream_position()? {
                self.0.rewind()?;
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

/// The result of a display.
#[derive(Debug, Default)]
pub(super) struct DriverReport {
    /// Whether the run failed, or the display did.
    pub(super) failed: bool,
    /// An error of the display or one of its files, rather than of the run.
    pub(super) fault: Option<anyhow::Error>,
    /// Whether the display has shown all of the run.
    pub(super) is_whole: bool,
    /// The refusal, if the tool refused the command before it did anything. It was not shown.
    pub(super) refusal: Option<Refusal>,
    /// The timeline of the run.
    pub(super) timeline: Option<Box<Timeline>>,
    /// The warnings of the planning, which are shown after the apply.
    pub(super) held_warnings: Vec<String>,
}

/// The part of a run that is shown.
#[derive(Debug)]
pub(super) enum Part {
    /// The whole run.
    Whole,
    /// The planning. If the tool refuses the command at once, this is not shown but reported in
    /// [`DriverReport::refusal`].
    Plan {
        /// Whether somebody can answer questions, so that a missing variable counts as a refusal.
        can_ask: bool,
        /// Whether warnings are shown at the end of the apply, as the tools do. Nobody decides by them here.
        holds_warnings: bool,
    },
    /// The apply of a saved plan, after its planning.
    Apply {
        timeline: Option<Box<Timeline>>,
        warnings: Vec<String>,
        is_destroy: bool,
    },
}

/// A display that is ready to run.
pub(super) struct RunDriver<'d, 'p> {
    /// The receiver of what it shows.
    receiver: Receiver<Input>,
    /// The options on how the run is shown.
    args: &'d RunDisplayArgs,
    /// The documents that belong to the run.
    documents: &'d mut Files<'p>,
    /// The part of a run that it shows.
    part: Part,
    /// Keeps signals from ending the program while there is a display.
    listening: Option<Listening>,
}

impl<'d, 'p> RunDriver<'d, 'p> {
    /// Makes a display, and the sender for its inputs. From now on, signals are sent to it.
    pub(super) fn new(
        documents: &'d mut Files<'p>,
        part: Part,
        args: &'d RunDisplayArgs,
    ) -> (Self, InputSender) {
        let (sender, receiver) = inputs::channel();
        let host = documents.host;
        let is_live = progress(args, documents) == ProgressDisplay::Live;
        let listening = sender
            .watch_signals(&host.processes, is_live)
            .map_err(|error| {
                host.note(&format!(
                    "an interrupt will end this display at once: {}",
                    chain(&error)
                ));
            });
        (
            Self {
                receiver,
                args,
                documents,
                part,
                listening: listening.ok(),
            },
            sender,
        )
    }

    /// Takes what is known of the run from its plan and from its earlier part.
    fn prior(&mut self) -> Prior {
        match &mut self.part {
            Part::Whole => Prior {
                plan: self.documents.expected(),
                ..Prior::default()
            },
            Part::Plan { .. } => Prior {
                plan: Some(Expected::unchecked()),
                ..Prior::default()
            },
            Part::Apply {
                timeline, warnings, ..
            } => Prior {
                plan: Some(Expected::unchecked()),
                timeline: timeline.take().map(|timeline| timeline.continued()),
                warnings: std::mem::take(warnings),
            },
        }
    }

    /// Returns the options of the stream, from the arguments and the part of the run.
    fn options(&self) -> Options {
        let (args, settings) = (self.args, &self.documents.settings);
        let (is_saved_destroy, holds_warnings) = match self.part {
            Part::Whole => (false, false),
            Part::Plan { holds_warnings, .. } => (false, holds_warnings),
            Part::Apply { is_destroy, .. } => (is_destroy, false),
        };
        Options {
            dialect: settings.dialect,
            width: settings.width,
            show_sensitive: settings.show_sensitive,
            display: progress(args, self.documents),
            timestamps: args.timestamps,
            ci: settings.requested_ci,
            plan_mode: settings.plan_mode,
            is_saved_destroy,
            holds_warnings,
            compact_warnings: args.compact_warnings,
            separate_warnings: args.separate_warnings,
            consolidate_errors: args.consolidate_errors,
            concise: args.concise,
            quiet_progress: args.quiet_progress,
            slowest: args.slowest.unwrap_or_default(),
            report: args.junit.is_some(),
            timeline: !args.out.is_empty(),
        }
    }

    /// Shows the inputs until they end, and writes the files of the run. `follow` is whether the messages come from a
    /// file that is still being written.
    ///
    /// # Errors
    /// If the run cannot be shown. Faults that leave the outcome known are in the report.
    pub(super) fn run(
        mut self,
        tool: Option<&Process>,
        follow: bool,
    ) -> anyhow::Result<DriverReport> {
        let (prior, options) = (self.prior(), self.options());
        let Self {
            receiver,
            args,
            documents,
            part,
            listening,
        } = self;
        let (host, settings) = (documents.host, documents.settings.clone());
        let (tee, no_tee) = match args.tee.as_deref().map(|path| tee(path, &part)).transpose() {
            Ok(tee) => (tee, None),
            Err(error) => {
                host.report(&error);
                (None, Some(error))
            }
        };
        let mut input_loop = InputLoop {
            receiver,
            tee,
            withheld: matches!(part, Part::Plan { .. }).then(Withheld::default),
            is_live: options.display == ProgressDisplay::Live,
            tool,
            follow,
        };
        // The times of folds are those of the messages, so that the text of a replayed log is identical.
        let log = settings
            .requested_ci
            .map(|system| CiLog { system, time: 0 });
        // Notes are always escaped for the CI system, even if `--ci` is not given.
        let notes_log = settings.ci.map(|system| CiLog { system, time: 0 });
        let notes_colour = settings.colour && host.terminal.stderr;
        let is_open = Cell::new(true);
        let mut text = Valve {
            sink: Draining::new(stdout()),
            is_open: &is_open,
        };
        let mut notes = Valve {
            sink: Draining::new(io::stderr()),
            is_open: &is_open,
        };
        let (mut raw_text, mut raw_notes) = (Draining::new(stdout()), Draining::new(io::stderr()));
        let display = Display::new(
            Stream::with_prior(
                prior,
                options,
                Out::new(&mut text, settings.colour).for_ci(log),
                Out::new(&mut notes, notes_colour).for_ci(notes_log),
                documents,
            ),
            &is_open,
            Out::new(&mut raw_text, false).for_ci(notes_log),
            Out::new(&mut raw_notes, false).for_ci(notes_log),
            host.environment.test_fault.clone(),
        );
        let shown = show_inputs(&mut input_loop, display, &part).context("showing the run")?;
        let (ending, is_whole) = match shown {
            Shown::Ended { ending, is_whole } => (*ending, is_whole),
            Shown::Refused(refusal) => {
                return Ok(DriverReport {
                    failed: true,
                    is_whole: true,
                    refusal: Some(refusal),
                    ..DriverReport::default()
                });
            }
        };
        let pages = write_pages(&ending, is_whole, args, documents);
        if let Some(system) = settings.requested_ci {
            annotate(&ending, system, host)?;
        }
        let report = write_report(&ending, args);
        let tee = input_loop.tee.and_then(Draining::into_error);
        let text = text.sink.into_error().or(raw_text.into_error());
        let fault = no_tee
            .or(report.and(pages).err())
            .or(failed_write(tee, "writing to the file of --tee"))
            .or(failed_write(text, "writing the run's text"));
        // From here on, a signal does not change the outcome, unless the run continues after its planning.
        if !matches!(part, Part::Plan { .. }) {
            std::mem::forget(listening);
        }
        let timeline = ending.timeline.map(Box::new);
        Ok(DriverReport {
            failed: ending.failed,
            fault,
            is_whole,
            refusal: None,
            timeline,
            held_warnings: ending.held_warnings,
        })
    }
}

/// How the display of the inputs ended.
enum Shown {
    /// The inputs ended.
    Ended {
        /// The result of the run.
        ending: Box<Ending>,
        /// Whether the display has shown all of the run.
        is_whole: bool,
    },
    /// The tool refused the command before it did anything. Nothing was shown.
    Refused(Refusal),
}

/// Shows the inputs until they end, unless the tool refuses to plan.
fn show_inputs(
    input_loop: &mut InputLoop<'_>,
    mut display: Display<'_>,
    part: &Part,
) -> io::Result<Shown> {
    let end = input_loop.run(&mut display)?;
    if let Some(withheld) = input_loop.withheld.take()
        && let Part::Plan { can_ask, .. } = part
    {
        if let Some(refusal) = withheld.refusal(*can_ask) {
            display.show(Stream::suspend)?;
            return Ok(Shown::Refused(refusal));
        }
        display.push(&withheld.into_rest())?;
    }
    let (ending, is_whole) = display.finish(end)?;
    Ok(Shown::Ended {
        ending: Box::new(ending),
        is_whole,
    })
}

/// Writes the annotations of a run and its summary for a CI system.
///
/// # Errors
/// If the annotations cannot be written. That the summary cannot be written is reported.
fn annotate(ending: &Ending, system: CiSystem, host: &Host) -> anyhow::Result<()> {
    // If there are no annotations, the display has failed before its end.
    let annotations = ending
        .annotations
        .clone()
        .unwrap_or_else(|| Annotations::new(system));
    ci::annotate(&annotations, &mut Draining::new(io::stderr()))?;
    if let Err(error) = ci::add_summary(Some(system), host, || ci::run_summary(ending)) {
        host.report(&error);
    }
    Ok(())
}

/// Returns the fault that an output could not be written, if there is an error. `what` is what was done.
fn failed_write(error: Option<io::Error>, what: &'static str) -> Option<anyhow::Error> {
    error.map(|error| anyhow!(error).context(what))
}

/// Returns how progress is shown, from the arguments, the terminal and the CI system.
fn progress(args: &RunDisplayArgs, documents: &Files<'_>) -> ProgressDisplay {
    let (host, settings) = (documents.host, &documents.settings);
    match args.progress {
        ProgressChoice::Auto => {
            let can_move = !host.environment.dumb_terminal;
            choose_display(host.terminal.stdout, can_move, settings.ci.is_some())
        }
        ProgressChoice::Live => ProgressDisplay::Live,
        ProgressChoice::Log => ProgressDisplay::Log,
        ProgressChoice::None => ProgressDisplay::None,
    }
}

/// Returns the files that are written in addition to the text of a run, with their options.
pub(super) fn outputs(args: &RunDisplayArgs) -> Vec<(&str, &Path)> {
    let tee = args.tee.iter().map(|path| ("--tee", &**path));
    let junit = args.junit.iter().map(|path| ("--junit", &**path));
    tee.chain(junit).chain(out_paths(&args.out)).collect()
}

/// Opens the file of `--tee`. An apply appends to what its planning has written.
///
/// # Errors
/// If the file cannot be opened.
fn tee(path: &Path, part: &Part) -> anyhow::Result<Draining<File>> {
    let continues = matches!(part, Part::Apply { .. });
    let mut options = OpenOptions::new();
    options
        .create(true)
        .append(continues)
        .write(true)
        .truncate(!continues);
    let file = options
        .open(path)
        .with_context(|| format!("creating {} for --tee", path.display()))?;
    Ok(Draining::new(file))
}

/// Writes the pages of `--out`, with the review of the run's plan.
///
/// # Errors
/// If one cannot be written; the others are still written.
fn write_pages(
    ending: &Ending,
    is_whole: bool,
    args: &RunDisplayArgs,
    documents: &Files<'_>,
) -> anyhow::Result<()> {
    if args.out.is_empty() {
        return Ok(());
    }
    let timeline = ending.timeline.as_ref();
    let mut notes = Vec::new();
    if timeline.is_some() && !is_whole {
        notes.push(
            "tfview failed while it showed this run: this page may not have all of it.".to_owned(),
        );
    }
    let review = documents.plan_review().unwrap_or_else(|error| {
        notes.push(format!(
            "The plan cannot be reviewed here: {}",
            chain(&error)
        ));
        None
    });
    let (runs, shows_sensitive) = (&*ending.runs, documents.settings.show_sensitive);
    let page = RunPage {
        timeline,
        runs,
        review: review.as_ref(),
        notes: &notes,
        shows_sensitive,
    };
    let write = |path: &Path| {
        let mut file = BufWriter::new(File::create(path)?);
        stream::page(&page, &mut file)?;
        file.flush()
    };
    let written = args.out.iter().map(|out| {
        write(&out.path)
            .with_context(|| format!("writing the page of --out to {}", out.path.display()))
    });
    written.fold(Ok(()), anyhow::Result::and)
}

/// Writes the report of `--junit`, if there are tests to report.
///
/// # Errors
/// If it cannot be written.
fn write_report(ending: &Ending, args: &RunDisplayArgs) -> anyhow::Result<()> {
    let Some(path) = &args.junit else {
        return Ok(());
    };
    let text = match &ending.report {
        _ if !ending.runs.is_empty() => junit_of_units(&ending.runs),
        Some(report) => junit(report, ending.failed),
        None => return Ok(()),
    };
    fs::write(path, text)
        .with_context(|| format!("writing the report of --junit to {}", path.display()))
}
