//! `tfview stream`, and the driver that shows every run.
//!
//! Invariants: the source is read to its end even if the output or the display fails; the first interrupt is
//! left to the tool, which shuts down; the page and the report of tests are written even if the other one
//! cannot be.

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
use crate::term::Out;
use crate::term::ci::{Annotations, CiLog};
use display::{Display, InputLoop, Valve};
pub(super) use inputs::{Input, Refusal};
use inputs::{InputSender, NamedInput, Withheld};

/// Shows the runs in the inputs.
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
    let others = args
        .run
        .plan
        .iter()
        .chain(&args.display.schemas)
        .chain(&host.environment.schemas)
        .map(|path| &**path);
    let inputs: Vec<&Path> = units_of_runs.paths().chain(others).collect();
    check_overwrites(&outputs(&args.run), &inputs, files.is_empty())?;
    let is_one = !units_of_runs.are_several();
    ensure!(
        is_one || !args.follow,
        "--follow shows one run: name one file"
    );
    ensure!(
        is_one || args.run.plan.is_none(),
        "--plan is the plan of one run: name one file"
    );
    // Opened first, so that an error is reported before anything is set up.
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

/// A file that cannot be read is a run that failed.
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

/// How a display ended.
#[derive(Debug, Default)]
pub(super) struct DriverReport {
    /// Whether the run failed, or the display did.
    pub(super) failed: bool,
    /// An error of the display or one of its files, rather than of the run.
    pub(super) fault: Option<anyhow::Error>,
    /// Whether the display has shown all of the run.
    pub(super) is_whole: bool,
    /// The tool refused before it did anything, which was not shown.
    pub(super) refusal: Option<Refusal>,
    /// The timeline of the run.
    pub(super) timeline: Option<Box<Timeline>>,
    /// Warnings of the planning that are shown after the apply.
    pub(super) held_warnings: Vec<String>,
}

/// In `Plan`, an immediate refusal of the tool is not shown, but reported in [`DriverReport::refusal`]; that
/// of a variable only if `can_ask`.
#[derive(Debug)]
pub(super) enum Part {
    Whole,
    Plan {
        can_ask: bool,
        /// Nobody decides by the warnings, so that they are shown at the end, as the tools do.
        holds_warnings: bool,
    },
    Apply {
        timeline: Option<Box<Timeline>>,
        warnings: Vec<String>,
        is_destroy: bool,
    },
}

/// A display that is ready to run.
pub(super) struct RunDriver<'d, 'p> {
    /// What it shows.
    receiver: Receiver<Input>,
    /// How it shows it.
    args: &'d RunDisplayArgs,
    /// The documents that belong to the run.
    documents: &'d mut Files<'p>,
    /// The part of a run that it shows.
    part: Part,
    /// Keeps signals from ending the program while there is a display.
    listening: Option<Listening>,
}

impl<'d, 'p> RunDriver<'d, 'p> {
    /// Signals are sent to the display from now on.
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

    /// What is known of the run from its plan, and from its earlier part, of which it is taken.
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

    /// Decides how the stream is shown, from the arguments and the part of the run.
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

    /// `follow`: the messages come from a file that is still being written.
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
        // The times of folds are those of the messages, so that a replayed log is identical.
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
        let mut display = Display::new(
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
        let show = || -> io::Result<_> {
            let end = input_loop.run(&mut display)?;
            if let (Some(withheld), Part::Plan { can_ask, .. }) =
                (input_loop.withheld.take(), &part)
            {
                if let Some(refusal) = withheld.refusal(*can_ask) {
                    display.show(Stream::suspend)?;
                    return Ok(Err(refusal));
                }
                display.push(&withheld.into_rest())?;
            }
            display.finish(end).map(Ok)
        };
        let (ending, is_whole) = match show().context("showing the run")? {
            Ok(shown) => shown,
            Err(refusal) => {
                let refusal = Some(refusal);
                return Ok(DriverReport {
                    failed: true,
                    is_whole: true,
                    refusal,
                    ..DriverReport::default()
                });
            }
        };
        let pages = write_pages(&ending, is_whole, args, documents);
        if let Some(system) = settings.requested_ci {
            // Without annotations, the display failed before its end.
            let annotations = ending
                .annotations
                .clone()
                .unwrap_or_else(|| Annotations::new(system));
            ci::annotate(&annotations, &mut Draining::new(io::stderr()))?;
            let added = ci::add_summary(Some(system), host, || ci::run_summary(&ending));
            added.unwrap_or_else(|error| host.report(&error));
        }
        let report = write_report(&ending, args);
        let failed_write =
            |sink: Option<io::Error>, what| sink.map(|error| anyhow!(error).context(what));
        let tee = input_loop.tee.and_then(Draining::into_error);
        let text = text.sink.into_error().or(raw_text.into_error());
        let fault = no_tee
            .or(report.and(pages).err())
            .or(failed_write(tee, "writing to the file of --tee"))
            .or(failed_write(text, "writing the run's text"));
        // A signal no longer changes the outcome, unless the run continues after its planning.
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

/// The files that are written beside the text of a run, by their options.
pub(super) fn outputs(args: &RunDisplayArgs) -> Vec<(&str, &Path)> {
    let tee = args.tee.iter().map(|path| ("--tee", &**path));
    let junit = args.junit.iter().map(|path| ("--junit", &**path));
    tee.chain(junit).chain(out_paths(&args.out)).collect()
}

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
