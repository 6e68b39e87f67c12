//! From a source of messages to a stream: reads in a thread of its own, shows what is ready when the
//! source pauses, redraws the live region, and takes signals in.
//!
//! Invariants: the source is read to its end whatever becomes of the output; the first interrupt is
//! left to the tool, which is shutting down; nothing waits for a source that will not write again.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};

use crate::dialect::Dialect;
use crate::stream::{
    Display, Draining, End, Ending, Expected, Folds, Observer, Options, Progress, Screen, Stream, Timestamps,
    choose_display, junit,
};
use crate::term::ci::CiLog;
use crate::term::{Out, screen, stdout_file};

use super::args::{DisplayArgs, ProgressChoice, RunDisplayArgs, TimestampChoice};
use super::documents::Files;
use super::settings::Settings;
use super::{Edge, ci};

/// How many bytes are read at once, and how many such reads may wait.
const CHUNK: usize = 64 * 1024;
const WAITING: usize = 4;

/// How often the live region is drawn while messages come, and while none do.
const BUSY: Duration = Duration::from_millis(100);
const IDLE: Duration = Duration::from_millis(500);

/// How long the output of a tool that has ended may stay open.
const GRACE: Duration = Duration::from_millis(1500);

/// How long nothing comes before the display ends after a request to end.
const LEAVING: Duration = Duration::from_secs(3);

/// What comes in.
#[derive(Debug)]
pub(super) enum Input {
    /// Messages.
    Bytes(Vec<u8>),
    /// What the tool writes on its standard error.
    Aside(Vec<u8>),
    /// The messages have ended.
    Ended(io::Result<()>),
    /// The tool has.
    Exited,
    /// We were sent a signal.
    Signal(i32),
}

/// Where inputs are sent to.
#[derive(Clone, Debug)]
pub(super) struct Inlet(SyncSender<Input>);

/// A place for inputs to be sent to, and where they come out.
fn inlet() -> (Inlet, Receiver<Input>) {
    let (sender, outlet) = sync_channel(WAITING);
    (Inlet(sender), outlet)
}

impl Inlet {
    /// Sends an input; false if nobody waits for it any more.
    pub(super) fn send(&self, input: Input) -> bool {
        self.0.send(input).is_ok()
    }

    /// Reads messages to their end, in a thread.
    pub(super) fn read_messages(&self, source: impl Read + Send + 'static) {
        let inlet = self.clone();
        thread::spawn(move || {
            let result = inlet.copy(source, Input::Bytes);
            inlet.send(Input::Ended(result));
        });
    }

    /// Reads what the tool writes on its standard error, in a thread.
    pub(super) fn read_asides(&self, source: impl Read + Send + 'static) {
        let inlet = self.clone();
        // What cannot be read of it cannot be shown; the messages tell how the run goes.
        thread::spawn(move || inlet.copy(source, Input::Aside));
    }

    fn copy(&self, mut source: impl Read, wrap: fn(Vec<u8>) -> Input) -> io::Result<()> {
        loop {
            let mut chunk = vec![0; CHUNK];
            match source.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(length) => {
                    chunk.truncate(length);
                    if !self.send(wrap(chunk)) {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Sends the signals that ask a program to end.
    #[cfg(unix)]
    fn watch_signals(&self, is_live: bool) -> anyhow::Result<()> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
            .context("preparing to receive signals")?;
        if is_live {
            for signal in [SIGTSTP, SIGWINCH] {
                signals.add_signal(signal).context("preparing to receive signals")?;
            }
        }
        let inlet = self.clone();
        thread::spawn(move || signals.forever().all(|signal| inlet.send(Input::Signal(signal))));
        Ok(())
    }

    /// Other systems end the whole group of processes.
    #[cfg(not(unix))]
    fn watch_signals(&self, _: bool) -> anyhow::Result<()> {
        Ok(())
    }
}

/// What is done with a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnSignal {
    /// Nothing: somebody else sees to it.
    Ignore,
    /// The display ends.
    End,
    /// The display ends once nothing has come for a while, unless the tool says that it is stopping.
    EndWhenQuiet,
}

/// The display of a run, set up the same for every subcommand that has one.
pub(super) struct Pump<'p> {
    outlet: Receiver<Input>,
    args: &'p RunDisplayArgs,
    settings: Settings,
    edge: &'p Edge,
    documents: Files<'p>,
    plan: Option<Expected>,
    /// The input is a file that is still being written: the display ends when its run does.
    follow: bool,
}

fn options(args: &RunDisplayArgs, settings: &Settings, display: Display, plan: Option<Expected>) -> Options {
    Options {
        dialect: settings.dialect,
        width: settings.width,
        show_sensitive: settings.show_sensitive,
        display,
        timestamps: match args.timestamps {
            TimestampChoice::None => Timestamps::None,
            TimestampChoice::Utc => Timestamps::Utc,
            TimestampChoice::Local => Timestamps::Local,
            TimestampChoice::Relative => Timestamps::Relative,
        },
        plan_mode: super::show::options(settings, Dialect::default()).plan_mode,
        compact_warnings: args.compact_warnings,
        concise: args.concise,
        quiet_progress: args.quiet_progress,
        slowest: args.slowest.unwrap_or_default(),
        report: args.junit.is_some(),
        plan,
    }
}

impl<'p> Pump<'p> {
    /// A display, and where its inputs are sent to. Signals come in already.
    pub(super) fn new(display: &DisplayArgs, args: &'p RunDisplayArgs, edge: &'p Edge) -> (Self, Inlet) {
        let settings = Settings::resolve(display, &edge.environment, edge.terminal);
        let mut documents = Files::read(&settings, args.plan.as_deref(), edge);
        let plan = documents.expected();
        let (inlet, outlet) = inlet();
        let pump = Self { outlet, args, settings, edge, documents, plan, follow: false };
        if let Err(error) = inlet.watch_signals(pump.display() == Display::Live) {
            edge.note(&format!("an interrupt will end this display at once: {error:#}"));
        }
        (pump, inlet)
    }

    /// The same for a source that does not end by itself.
    pub(super) fn following(self, follow: bool) -> Self {
        Self { follow, ..self }
    }

    /// How progress is displayed.
    pub(super) fn display(&self) -> Display {
        let progress = match self.args.progress {
            ProgressChoice::Auto => Progress::Auto,
            ProgressChoice::Live => Progress::Live,
            ProgressChoice::Log => Progress::Log,
            ProgressChoice::None => Progress::None,
        };
        let can_move = !self.edge.environment.dumb_terminal;
        choose_display(progress, self.edge.terminal.stdout, can_move, self.settings.ci.is_some())
    }

    /// Shows the run to its end. Gives whether it failed.
    pub(super) fn run(mut self, on_signal: &mut dyn FnMut(i32) -> OnSignal) -> anyhow::Result<bool> {
        let display = self.display();
        let options = options(self.args, &self.settings, display, self.plan.take());
        let stdout: Box<dyn Write> = match stdout_file() {
            Some(file) => Box::new(file),
            None => Box::new(io::stdout()),
        };
        let mut stdout = Draining::new(stdout);
        let mut stderr = Draining::new(io::stderr());
        let (mut tee, no_tee) = match self.args.tee.as_deref().map(tee).transpose() {
            Ok(tee) => (tee, None),
            // The run goes on; that its record is missing is told now, and again by the exit code.
            Err(error) => {
                self.edge.note(&format!("{error:#}"));
                (None, Some(error))
            }
        };
        // Times of folds are those of the messages, so that a log that is shown again is the same.
        let log = self.settings.asked_ci.map(|system| CiLog { system, time: 0 });
        let out = Out::new(&mut stdout, self.settings.colour).for_ci(log);
        let notes = Out::new(&mut stderr, self.settings.colour && self.edge.terminal.stderr).for_ci(log);
        let mut folds = log.map(|log| Folds::new(log.system, options.plan.is_some()));
        let mut nobody = ();
        let observer: &mut dyn Observer = match &mut folds {
            Some(folds) => folds,
            None => &mut nobody,
        };
        let mut stream = Stream::new(options, out, notes, &mut self.documents, observer);
        let mut unreadable = None;
        let end =
            drive(&self.outlet, &mut stream, tee.as_mut(), display, self.follow, on_signal, &mut unreadable)
                .context("showing the run")?;
        let ending = stream.finish(end).context("showing the run")?;
        if let Some(folds) = folds {
            ci::annotate(folds.annotations(), &mut stderr)?;
            let summary = || ci::run_summary(&ending);
            if let Err(error) = ci::add_summary(self.settings.asked_ci, self.edge, summary) {
                self.edge.note(&format!("{error:#}"));
            }
        }
        let no_report = self.report(&ending).err();
        if let Some(error) = unreadable {
            return Err(anyhow!(error).context("reading the run's messages"));
        }
        if let Some(error) = no_tee.or(no_report) {
            return Err(error);
        }
        if let Some(error) = tee.and_then(Draining::into_error) {
            return Err(anyhow!(error).context("writing to the file of --tee"));
        }
        if let Some(error) = stdout.into_error() {
            return Err(anyhow!(error).context("writing the run's text"));
        }
        Ok(ending.failed)
    }
}

impl Pump<'_> {
    /// Writes the report of the tests, if there is to be one.
    fn report(&self, ending: &Ending) -> anyhow::Result<()> {
        let (Some(path), Some(report)) = (&self.args.junit, &ending.report) else { return Ok(()) };
        fs::write(path, junit(report, ending.failed))
            .with_context(|| format!("writing the report of --junit to {}", path.display()))
    }
}

/// The file that the messages are written to as they come.
fn tee(path: &Path) -> anyhow::Result<Draining<File>> {
    let file = File::create(path).with_context(|| format!("creating {} for --tee", path.display()))?;
    Ok(Draining::new(file))
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock, for the live region alone")]
fn drive(
    outlet: &Receiver<Input>,
    stream: &mut Stream<'_>,
    mut tee: Option<&mut Draining<File>>,
    display: Display,
    follow: bool,
    on_signal: &mut dyn FnMut(i32) -> OnSignal,
    unreadable: &mut Option<io::Error>,
) -> io::Result<End> {
    let began = Instant::now();
    let mut drawn = began;
    let mut exited: Option<Instant> = None;
    let mut came = began;
    let mut leaving = false;
    loop {
        let input = match outlet.try_recv() {
            Ok(input) => input,
            Err(TryRecvError::Disconnected) => return Ok(End::Closed),
            Err(TryRecvError::Empty) => {
                stream.tick(began.elapsed(), size())?;
                if let Some(tee) = &mut tee {
                    tee.flush()?;
                }
                drawn = Instant::now();
                let quiet = match (leaving && !stream.is_stopping(), follow) {
                    (true, _) => Some(LEAVING),
                    (false, true) => stream.quiet_at_end(),
                    (false, false) => None,
                };
                let left = quiet.map(|quiet| quiet.saturating_sub(came.elapsed()));
                let wait = match (exited, display) {
                    (Some(at), _) => Some(GRACE.saturating_sub(at.elapsed())),
                    (None, Display::Live) => Some(IDLE),
                    (None, Display::Log | Display::None) => None,
                };
                let wait = wait.into_iter().chain(left).min();
                match wait.map_or_else(
                    || outlet.recv().map_err(|_| RecvTimeoutError::Disconnected),
                    |wait| outlet.recv_timeout(wait),
                ) {
                    Ok(input) => input,
                    Err(RecvTimeoutError::Disconnected) => return Ok(End::Closed),
                    // Somebody whom the tool started holds its output open.
                    Err(RecvTimeoutError::Timeout) if exited.is_some() => return Ok(End::Closed),
                    Err(RecvTimeoutError::Timeout) => match quiet {
                        Some(quiet) if came.elapsed() >= quiet => {
                            return Ok(if leaving { End::Interrupted } else { End::Closed });
                        }
                        Some(_) | None => continue,
                    },
                }
            }
        };
        match input {
            Input::Bytes(bytes) => {
                came = Instant::now();
                if let Some(tee) = &mut tee {
                    tee.write_all(&bytes)?;
                }
                stream.push(&bytes)?;
                if display == Display::Live && drawn.elapsed() >= BUSY {
                    stream.tick(began.elapsed(), size())?;
                    drawn = Instant::now();
                }
            }
            Input::Aside(bytes) => stream.aside(&bytes)?,
            Input::Ended(Ok(())) => return Ok(End::Closed),
            Input::Ended(Err(error)) => {
                *unreadable = Some(error);
                return Ok(End::Unreadable);
            }
            Input::Exited => exited = Some(Instant::now()),
            Input::Signal(signal) if is_for_display(signal, stream)? => {
                stream.tick(began.elapsed(), size())?;
            }
            Input::Signal(signal) => match on_signal(signal) {
                OnSignal::End => return Ok(End::Interrupted),
                OnSignal::EndWhenQuiet => {
                    leaving = true;
                    came = Instant::now();
                }
                OnSignal::Ignore => {}
            },
        }
    }
}

/// Sees to a signal that is about the display alone: it is stopped, or its screen has another size.
#[cfg(unix)]
fn is_for_display(signal: i32, stream: &mut Stream<'_>) -> io::Result<bool> {
    use signal_hook::consts::{SIGTSTP, SIGWINCH};
    match signal {
        SIGTSTP => {
            stream.suspend()?;
            // Returns when the program goes on.
            signal_hook::low_level::emulate_default_handler(SIGTSTP)?;
            Ok(true)
        }
        SIGWINCH => {
            stream.resize(size());
            Ok(true)
        }
        _ => Ok(false),
    }
}

#[cfg(not(unix))]
fn is_for_display(_: i32, _: &mut Stream<'_>) -> io::Result<bool> {
    Ok(false)
}

/// The screen as it is now.
fn size() -> Screen {
    screen().map_or_else(Screen::default, |(columns, rows)| Screen { columns, rows })
}
