//! Drives the display of a run: reads messages in a thread, passes them to the stream, redraws the live
//! region in pauses, and handles signals.
//!
//! Invariants: the source is read to its end even if the output or the display fails; the first interrupt is
//! left to the tool, which shuts down; nothing waits for a source that will not write again.

mod guard;
mod input_loop;
mod input_sender;
mod results;
mod withheld;

use std::cell::{Cell, RefCell};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::mpsc::Receiver;

use anyhow::{Context, anyhow};

use crate::dialect::Dialect;
use crate::stream::{Draining, Expected, Options, ProgressDisplay, Stream, Timeline, choose_display};
use crate::term::Out;
use crate::term::ci::CiLog;

use super::Host;
use super::args::{DisplayArgs, ProgressChoice, RunDisplayArgs};
use super::documents::Files;
use super::environment::stdout;
use super::message::chain;
use super::processes::Listening;
use super::settings::Settings;
use guard::{Guarded, Valve};
use input_loop::InputLoop;
use input_sender::InputSender;
use withheld::Withheld;

pub(super) use input_sender::{Input, NamedInput};
pub(super) use withheld::Refusal;

/// The response to a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnSignal {
    /// Ignored: another process handles it.
    Ignore,
    /// The display ends.
    End,
    /// The display ends after a time without messages, unless the tool announces that it is stopping.
    EndWhenQuiet,
}

/// Decisions about signals and processes while a run is shown.
pub(super) trait Control {
    /// Handles a signal.
    fn on_signal(&mut self, signal: i32) -> OnSignal;

    /// Whether to wait for processes that the tool started and that are still running after its end.
    fn lingers(&mut self) -> bool {
        false
    }

    /// Stops this process too, after the tool was stopped, until the user continues both.
    fn suspend(&mut self) {}
}

/// How the display of a run ended.
#[derive(Debug, Default)]
pub(super) struct DriverReport {
    /// Whether the run failed.
    pub(super) failed: bool,
    /// An error of the display or one of its files, rather than of the run.
    pub(super) fault: Option<anyhow::Error>,
    /// Whether the display lasted until the end of the run.
    pub(super) is_whole: bool,
    /// Set if the tool refused before it did anything, which was not shown.
    pub(super) refusal: Option<Refusal>,
    /// The timeline, if a page was requested.
    pub(super) timeline: Option<Box<Timeline>>,
}

/// The part of a run that is displayed.
#[derive(Debug)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// The planning. An immediate refusal of the tool is not shown, but reported in [`DriverReport::refusal`]; that of
    /// a variable only if `can_ask`.
    Plan { can_ask: bool },
    /// The apply of the saved plan, with the timeline of the planning if a page was requested.
    Apply { timeline: Option<Box<Timeline>>, is_destroy: bool },
}

/// A run to display.
pub(super) struct ShownRun<'p> {
    documents: Files<'p>,
    plan: Option<Expected>,
    part: Part,
}

impl<'p> ShownRun<'p> {
    /// A run with the documents that the arguments name.
    pub(super) fn given(display: &DisplayArgs, args: &RunDisplayArgs, host: &'p Host) -> Self {
        let settings = Settings::resolve(display, &host.environment, host.terminal);
        let mut documents = Files::read(&settings, args.plan.as_deref(), host);
        let plan = documents.expected();
        Self { documents, plan, part: Part::Whole }
    }

    /// A part of a run whose plan is written by `documents`.
    pub(super) fn planned(documents: Files<'p>, part: Part) -> Self {
        Self { documents, plan: Some(Expected::unchecked()), part }
    }
}

/// The source of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageSource {
    /// A pipe, or files.
    Input,
    /// A file that is still being written. The display then ends with the run.
    GrowingFile,
    /// A tool, whose standard error and end are awaited too.
    Tool,
}

/// The display of a run, shared by all subcommands that have one.
pub(super) struct RunDriver<'p> {
    receiver: Receiver<Input>,
    args: &'p RunDisplayArgs,
    host: &'p Host,
    settings: Settings,
    run: ShownRun<'p>,
    /// Keeps signals from ending the program while there is a display.
    listening: Option<Listening>,
}

impl<'p> RunDriver<'p> {
    /// A display, and the sender for its inputs. Signals are sent to it from now on.
    pub(super) fn new(run: ShownRun<'p>, args: &'p RunDisplayArgs, host: &'p Host) -> (Self, InputSender) {
        let (input_sender, receiver) = input_sender::channel();
        let settings = run.documents.settings.clone();
        let mut driver = Self { receiver, args, host, settings, run, listening: None };
        match input_sender.watch_signals(&host.processes, driver.display() == ProgressDisplay::Live) {
            Ok(listening) => driver.listening = Some(listening),
            Err(error) => {
                host.note(&format!("an interrupt will end this display at once: {}", chain(&error)));
            }
        }
        (driver, input_sender)
    }

    /// The display of progress.
    pub(super) fn display(&self) -> ProgressDisplay {
        match self.args.progress {
            ProgressChoice::Auto => {
                let can_move = !self.host.environment.dumb_terminal;
                choose_display(self.host.terminal.stdout, can_move, self.settings.ci.is_some())
            }
            ProgressChoice::Live => ProgressDisplay::Live,
            ProgressChoice::Log => ProgressDisplay::Log,
            ProgressChoice::None => ProgressDisplay::None,
        }
    }

    /// The options of the stream. The plan and the timeline are taken.
    fn options(&mut self, display: ProgressDisplay) -> Options {
        let (args, settings) = (self.args, &self.settings);
        let (earlier, is_saved_destroy) = match &mut self.run.part {
            Part::Apply { timeline, is_destroy } => (timeline.take(), *is_destroy),
            Part::Whole | Part::Plan { .. } => (None, false),
        };
        let new = || (!args.out.is_empty()).then(Timeline::default);
        Options {
            dialect: settings.dialect,
            width: settings.width,
            show_sensitive: settings.show_sensitive,
            display,
            timestamps: args.timestamps,
            ci: settings.requested_ci,
            plan_mode: super::show::options(settings, Dialect::default()).plan_mode,
            is_saved_destroy,
            compact_warnings: args.compact_warnings,
            concise: args.concise,
            quiet_progress: args.quiet_progress,
            slowest: args.slowest.unwrap_or_default(),
            report: args.junit.is_some(),
            timeline: earlier.map(|timeline| timeline.continued()).or_else(new),
            plan: self.run.plan.take(),
        }
    }

    /// Shows the run to its end.
    pub(super) fn run(
        mut self,
        source: MessageSource,
        control: &mut dyn Control,
    ) -> anyhow::Result<DriverReport> {
        let display = self.display();
        let options = self.options(display);
        let (withheld, continues) = match self.run.part {
            Part::Plan { can_ask } => (Some(Withheld::new(can_ask)), false),
            Part::Apply { .. } => (None, true),
            Part::Whole => (None, false),
        };
        // Otherwise the run continues.
        let is_last = withheld.is_none();
        let stdout = Rc::new(RefCell::new(Draining::new(stdout())));
        let stderr = Rc::new(RefCell::new(Draining::new(io::stderr())));
        let open = Rc::new(Cell::new(true));
        let (mut tee, no_tee) = match self.args.tee.as_deref().map(|path| tee(path, continues)).transpose() {
            Ok(tee) => (tee, None),
            // The run continues. The missing file is reported now, and affects the exit code.
            Err(error) => {
                self.host.report(&error);
                (None, Some(error))
            }
        };
        // The times of folds are those of the messages, so that a replayed log is identical.
        let log = self.settings.requested_ci.map(|system| CiLog { system, time: 0 });
        // Notes are always escaped for the CI system, even if `--ci` is not given.
        let notes_log = self.settings.ci.map(|system| CiLog { system, time: 0 });
        let notes_colour = self.settings.colour && self.host.terminal.stderr;
        let (mut shown_out, mut shown_notes) = (Valve::new(&stdout, &open), Valve::new(&stderr, &open));
        let always = Rc::new(Cell::new(true));
        let (mut raw_out, mut raw_notes) = (Valve::new(&stdout, &always), Valve::new(&stderr, &always));
        let out = Out::new(&mut shown_out, self.settings.colour).for_ci(log);
        let notes = Out::new(&mut shown_notes, notes_colour).for_ci(notes_log);
        let stream = Stream::new(options, out, notes, &mut self.run.documents);
        let mut guarded = Guarded::new(
            stream,
            open,
            Out::new(&mut raw_out, false).for_ci(notes_log),
            Out::new(&mut raw_notes, false).for_ci(notes_log),
            self.host.environment.test_fault.clone(),
        );
        let mut input_loop = InputLoop {
            receiver: &self.receiver,
            tee: tee.as_mut(),
            display,
            awaits_stderr: source == MessageSource::Tool,
            awaits_exit: source == MessageSource::Tool,
            follow: source == MessageSource::GrowingFile,
            withheld,
            unreadable: None,
        };
        let end = input_loop.run(&mut guarded, control).context("showing the run")?;
        let InputLoop { withheld, unreadable, .. } = input_loop;
        let refusal = withheld.as_ref().and_then(Withheld::refusal);
        if refusal.is_some() {
            guarded.clear().context("showing the run")?;
            return Ok(DriverReport { failed: true, is_whole: true, refusal, ..DriverReport::default() });
        }
        if let Some(withheld) = withheld {
            guarded.push(&withheld.into_rest()).context("showing the run")?;
        }
        let (ending, is_whole) = guarded.finish(end).context("showing the run")?;
        let notes = &mut Valve::new(&stderr, &always);
        let unwritten = results::write(&ending, is_whole, self.args, &self.run.documents, notes)?;
        let unreadable =
            unreadable.map(|error| anyhow!(error).context("cannot read the messages of the run"));
        let tee = tee
            .and_then(Draining::into_error)
            .map(|error| anyhow!(error).context("writing to the file of --tee"));
        let stdout = stdout
            .replace(Draining::new(Box::new(io::sink())))
            .into_error()
            .map(|error| anyhow!(error).context("writing the run's text"));
        if is_last && let Some(listening) = self.listening.take() {
            listening.keep();
        }
        let fault = unreadable.or(no_tee).or(unwritten).or(tee).or(stdout);
        Ok(DriverReport {
            failed: ending.failed,
            fault,
            is_whole,
            refusal: None,
            timeline: ending.timeline.map(Box::new),
        })
    }
}

/// Opens the file of `--tee`.
fn tee(path: &Path, continues: bool) -> anyhow::Result<Draining<File>> {
    let mut options = OpenOptions::new();
    options.create(true).append(continues).write(true).truncate(!continues);
    let file = options.open(path).with_context(|| format!("creating {} for --tee", path.display()))?;
    Ok(Draining::new(file))
}
