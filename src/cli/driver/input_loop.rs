//! The loop that passes inputs to the display, and redraws the live region in pauses.
//!
//! Invariant: nothing waits for a source that will not write again.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use crate::cli::environment::screen;
use crate::stream::{Draining, End, ProgressDisplay, Screen};

use super::guard::Guarded;
use super::withheld::Withheld;
use super::{Control, Input, OnSignal};

/// The interval between redraws of the live region while messages arrive, and while none do.
const BUSY: Duration = Duration::from_millis(100);
const IDLE: Duration = Duration::from_millis(500);

/// The time for which the output of an ended tool may stay open.
const GRACE: Duration = Duration::from_millis(1500);

/// The time without messages after which the display ends when requested.
const LEAVING: Duration = Duration::from_secs(3);

/// Receives inputs and passes them to the display.
pub(super) struct InputLoop<'d> {
    pub(super) receiver: &'d Receiver<Input>,
    pub(super) tee: Option<&'d mut Draining<File>>,
    pub(super) display: ProgressDisplay,
    /// Whether the tool's standard error, and its exit, are still to come.
    pub(super) awaits_stderr: bool,
    pub(super) awaits_exit: bool,
    /// Whether the input is a file that is still being written.
    pub(super) follow: bool,
    pub(super) withheld: Option<Withheld>,
    /// The error at which reading the messages ended.
    pub(super) unreadable: Option<io::Error>,
}

impl InputLoop<'_> {
    /// Passes inputs to `stream` until the run ends.
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line reads the clock, for the live region alone"
    )]
    pub(super) fn run(&mut self, stream: &mut Guarded<'_, '_>, control: &mut dyn Control) -> io::Result<End> {
        let began = Instant::now();
        let mut drawn = began;
        let mut exited: Option<Instant> = None;
        let mut messages_end = None;
        let mut came = began;
        let mut leaving = false;
        loop {
            if let Some(end) = messages_end
                && !self.awaits_stderr
                && !self.awaits_exit
            {
                return Ok(end);
            }
            let input = match self.receiver.try_recv() {
                Ok(input) => input,
                Err(TryRecvError::Disconnected) => return Ok(messages_end.unwrap_or(End::Closed)),
                Err(TryRecvError::Empty) => {
                    stream.tick(began.elapsed(), current_screen())?;
                    if let Some(tee) = &mut self.tee {
                        tee.flush()?;
                    }
                    drawn = Instant::now();
                    let quiet = match (leaving && !stream.is_stopping(), self.follow) {
                        (true, _) => Some(LEAVING),
                        (false, true) => stream.quiet_at_end(),
                        (false, false) => None,
                    };
                    let left = quiet.map(|quiet| quiet.saturating_sub(came.elapsed()));
                    let wait = match (exited, self.display) {
                        (Some(at), _) => Some(GRACE.saturating_sub(at.elapsed())),
                        (None, ProgressDisplay::Live) => Some(IDLE),
                        (None, ProgressDisplay::Log | ProgressDisplay::None) => None,
                    };
                    let wait = wait.into_iter().chain(left).min();
                    match wait.map_or_else(
                        || self.receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                        |wait| self.receiver.recv_timeout(wait),
                    ) {
                        Ok(input) => input,
                        Err(RecvTimeoutError::Disconnected) => return Ok(messages_end.unwrap_or(End::Closed)),
                        Err(RecvTimeoutError::Timeout) if exited.is_some() => {
                            if control.lingers() {
                                exited = Some(Instant::now());
                                continue;
                            }
                            // A process that the tool started keeps its output open.
                            return Ok(messages_end.unwrap_or(End::Closed));
                        }
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
                    if let Some(tee) = &mut self.tee {
                        tee.write_all(&bytes)?;
                    }
                    match &mut self.withheld {
                        Some(withheld) => stream.push(&withheld.take(&bytes))?,
                        None => stream.push(&bytes)?,
                    }
                    if self.display == ProgressDisplay::Live && drawn.elapsed() >= BUSY {
                        stream.tick(began.elapsed(), current_screen())?;
                        drawn = Instant::now();
                    }
                }
                Input::Unit(name) => {
                    came = Instant::now();
                    stream.begin_input(&name)?;
                }
                Input::Unreadable(error) => stream.unreadable(&error)?,
                Input::Stderr(bytes) => stream.push_stderr(&bytes)?,
                Input::StderrEnded => {
                    stream.stderr_ended()?;
                    self.awaits_stderr = false;
                }
                Input::Ended(Ok(())) => messages_end = Some(End::Closed),
                Input::Ended(Err(error)) => {
                    self.unreadable = Some(error);
                    messages_end = Some(End::Unreadable);
                }
                Input::Exited => {
                    exited = Some(Instant::now());
                    self.awaits_exit = false;
                }
                Input::Stopped => {
                    stream.clear()?;
                    control.suspend();
                }
                Input::Signal(signal) if is_for_display(signal, stream)? => {
                    stream.tick(began.elapsed(), current_screen())?;
                }
                Input::Signal(signal) => match control.on_signal(signal) {
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
}

/// Handles a signal for the display alone: a stop, or a new size of the screen.
#[cfg(unix)]
fn is_for_display(signal: i32, stream: &mut Guarded<'_, '_>) -> io::Result<bool> {
    use signal_hook::consts::{SIGTSTP, SIGWINCH};
    match signal {
        SIGTSTP => {
            stream.clear()?;
            // Returns when the program continues.
            signal_hook::low_level::emulate_default_handler(SIGTSTP)?;
            Ok(true)
        }
        SIGWINCH => Ok(true),
        _ => Ok(false),
    }
}

#[cfg(not(unix))]
fn is_for_display(_: i32, _: &mut Guarded<'_, '_>) -> io::Result<bool> {
    Ok(false)
}

/// The current screen.
fn current_screen() -> Screen {
    screen().map_or_else(Screen::default, |(columns, rows)| Screen { columns, rows })
}
