//! Passes inputs to the stream, and protects a run from failures of its viewer.
//!
//! Invariants: nothing waits for a source that will not write again. No line is lost, not even the one at which the
//! stream failed: from there on, lines are written as they are, but made harmless to terminals and CI systems. The
//! stream still receives each line, with its output closed, so that the outcome of the run is known. If it fails even
//! then, error messages count as a failure.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use super::inputs::{Input, Withheld};
use crate::cli::processes::{self, Process, Signal};
use crate::cli::settings::screen;
use crate::stream::{Draining, End, Ending, Screen, Stream};
use crate::term::{Out, Untrusted};

/// The time after which the live region is drawn again while messages arrive.
const BUSY: Duration = Duration::from_millis(100);
/// The time after which the live region is drawn again while no messages arrive.
const IDLE: Duration = Duration::from_millis(500);

/// The time that the output of an ended tool may stay open.
const GRACE: Duration = Duration::from_millis(1500);

/// The time without messages after which the display ends, if it was asked to end.
const LEAVING: Duration = Duration::from_secs(3);

/// The maximum length of the beginning of a line that is kept until the line ends, in bytes.
const MAX_LEN: usize = 1 << 20;

/// The loop over the inputs, with what it reads and what decides when it ends.
pub(super) struct InputLoop<'d> {
    /// The inputs.
    pub(super) receiver: Receiver<Input>,
    /// The file that receives a copy of all messages.
    pub(super) tee: Option<Draining<File>>,
    /// Diagnostics that are withheld until the tool begins to work.
    pub(super) withheld: Option<Withheld>,
    /// Whether there is a live region.
    pub(super) is_live: bool,
    /// The tool, if it runs.
    pub(super) tool: Option<&'d Process>,
    /// Whether a run may end before its input does.
    pub(super) follow: bool,
}

impl InputLoop<'_> {
    /// Passes inputs to the display until they end, or until nothing more can come. In between, draws the live region.
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line reads the clock, for the live region alone"
    )]
    pub(super) fn run(&mut self, display: &mut Display<'_>) -> io::Result<End> {
        let began = Instant::now();
        let (mut drawn, mut came) = (began, began);
        let mut exited: Option<Instant> = None;
        let (mut interrupts, mut is_leaving) = (0, false);
        let draw = |display: &mut Display<'_>| {
            let screen = screen().map(|(columns, rows)| Screen { columns, rows });
            display.show(|stream| stream.tick(began.elapsed(), screen.unwrap_or_default()))
        };
        let mut awaited = if self.tool.is_some() { 3 } else { 1 };
        while awaited > 0 {
            let input = match self.receiver.try_recv() {
                Ok(input) => input,
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => {
                    draw(display)?;
                    drawn = Instant::now();
                    if let Some(tee) = &mut self.tee {
                        tee.flush()?;
                    }
                    let limit = if let Some(index) = exited {
                        Some((index, GRACE))
                    } else if is_leaving && !display.stream.is_stopping() {
                        Some((came, LEAVING))
                    } else if self.follow {
                        display.stream.quiet_at_end().map(|quiet| (came, quiet))
                    } else {
                        None
                    };
                    let left = limit.map(|(from, limit)| limit.saturating_sub(from.elapsed()));
                    let wait = left.into_iter().chain(self.is_live.then_some(IDLE)).min();
                    let received = match wait {
                        Some(wait) => self.receiver.recv_timeout(wait),
                        None => self.receiver.recv().map_err(RecvTimeoutError::from),
                    };
                    match received {
                        Ok(input) => input,
                        Err(RecvTimeoutError::Disconnected) => break,
                        Err(RecvTimeoutError::Timeout) => {
                            if limit.is_none_or(|(from, limit)| from.elapsed() < limit) {
                                continue;
                            }
                            if exited.is_none() {
                                return Ok(if is_leaving {
                                    End::Interrupted
                                } else {
                                    End::Closed
                                });
                            }
                            if self.tool.is_some_and(Process::lingers) {
                                exited = Some(Instant::now());
                                continue;
                            }
                            // A process that the tool has started keeps its output open.
                            break;
                        }
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
                        Some(withheld) => display.push(&withheld.take(&bytes))?,
                        None => display.push(&bytes)?,
                    }
                    if self.is_live && drawn.elapsed() >= BUSY {
                        draw(display)?;
                        drawn = Instant::now();
                    }
                }
                Input::Unit(name) => {
                    came = Instant::now();
                    display.begin_input(&name)?;
                }
                Input::Unreadable(error) => {
                    display.failed = true;
                    display.show(|stream| stream.unreadable(&error))?;
                }
                Input::Stderr(bytes) => display.push_stderr(&bytes)?,
                Input::Ended => awaited -= 1,
                Input::Exited => {
                    exited = Some(Instant::now());
                    awaited -= 1;
                }
                Input::Stopped => {
                    display.show(Stream::suspend)?;
                    self.tool.iter().for_each(|tool| tool.suspend());
                }
                Input::Signal(Signal::Resize) => draw(display)?,
                Input::Signal(Signal::Stop) => {
                    display.show(Stream::suspend)?;
                    processes::stop();
                    draw(display)?;
                }
                // The tool has received it already, and ends the run in its own way.
                Input::Signal(Signal::Interrupt | Signal::Terminate) if self.tool.is_some() => {}
                Input::Signal(signal) => {
                    // The tool at the other end of the pipe receives the first interrupt too, and still reports how it
                    // ends.
                    interrupts += 1;
                    if self.follow || interrupts > 1 {
                        return Ok(End::Interrupted);
                    }
                    if signal == Signal::Terminate {
                        (is_leaving, came) = (true, Instant::now());
                    }
                }
            }
        }
        Ok(End::Closed)
    }
}

/// A writer that can be closed. After that, it discards everything.
pub(super) struct Valve<'o, W> {
    pub(super) sink: Draining<W>,
    pub(super) is_open: &'o Cell<bool>,
}

impl<W: Write> Write for Valve<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_open.get() {
            self.sink.write(bytes)
        } else {
            Ok(bytes.len())
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_open.get() {
            self.sink.flush()
        } else {
            Ok(())
        }
    }
}

/// A display that continues with plain lines if its stream fails.
pub(super) struct Display<'s> {
    /// The stream.
    stream: Stream<'s>,
    /// Whether the output of the stream is open. It is closed when the stream fails.
    is_open: &'s Cell<bool>,
    /// The writer for lines after a failure.
    raw: Out<'s>,
    /// The writer for notes after a failure.
    raw_notes: Out<'s>,
    /// The beginning of an incomplete line. The whole line must be written if the stream fails at the rest of it.
    begun: Vec<u8>,
    /// An incomplete character at the end of the tool's standard error so far.
    stderr: Vec<u8>,
    /// Whether the run counts as failed, whatever the stream says.
    failed: bool,
    /// A text at which the stream fails, in tests.
    fault: Option<String>,
}

impl<'s> Display<'s> {
    /// Makes a display of a stream. `raw` and `raw_notes` are written to if the stream fails.
    pub(super) fn new(
        stream: Stream<'s>,
        is_open: &'s Cell<bool>,
        raw: Out<'s>,
        raw_notes: Out<'s>,
        fault: Option<String>,
    ) -> Self {
        let (begun, stderr) = (Vec::new(), Vec::new());
        Self {
            stream,
            is_open,
            raw,
            raw_notes,
            begun,
            stderr,
            failed: false,
            fault,
        }
    }

    /// Calls the stream. If it panics, its output is closed, and the result is `None`.
    fn call(
        &mut self,
        call: impl FnOnce(&mut Stream<'s>) -> io::Result<()>,
    ) -> Option<io::Result<()>> {
        let stream = &mut self.stream;
        let called = catch_unwind(AssertUnwindSafe(|| call(stream))).ok();
        if called.is_none() && self.is_open.get() {
            let _ = catch_unwind(AssertUnwindSafe(|| stream.suspend()));
            self.is_open.set(false);
        }
        called
    }

    /// Calls the stream to show something, unless it has failed: then there is nothing to show it.
    pub(super) fn show(
        &mut self,
        call: impl FnOnce(&mut Stream<'s>) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.is_open.get() {
            self.call(call).unwrap_or(Ok(()))
        } else {
            Ok(())
        }
    }

    /// Passes bytes to the stream line by line. From the line at which it fails, lines are written as they are.
    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let fault = self.fault.clone();
        let mut start = 0;
        if !self.is_open.get() {
            self.pass_on(bytes)?;
        }
        for end in memchr::memchr_iter(b'\n', bytes)
            .map(|end| end + 1)
            .chain([bytes.len()])
        {
            let (line, rest) = (&bytes[start..end], &bytes[start..]);
            let was_open = self.is_open.get();
            let pushed = self.call(|stream| {
                inject_fault(fault.as_deref(), line);
                stream.push(line)
            });
            match pushed {
                Some(result) => result?,
                None => {
                    // The stream no longer knows whether the run failed.
                    self.failed |= memchr::memmem::find(line, br#""@level":"error""#).is_some();
                    if was_open {
                        let begun = if start == 0 {
                            std::mem::take(&mut self.begun)
                        } else {
                            Vec::new()
                        };
                        self.pass_on(&begun)?;
                        self.pass_on(rest)?;
                    }
                }
            }
            start = end;
        }
        let tail = memchr::memrchr(b'\n', bytes).map_or(bytes, |end| {
            self.begun.clear();
            &bytes[end + 1..]
        });
        if self.begun.len() + tail.len() <= MAX_LEN {
            self.begun.extend_from_slice(tail);
        }
        Ok(())
    }

    /// Tells the stream that the messages of another unit begin.
    fn begin_input(&mut self, name: &str) -> io::Result<()> {
        self.begun.clear();
        let begun = self.call(|stream| stream.begin_input(name));
        self.failed |= begun.is_none();
        begun.unwrap_or(Ok(()))
    }

    /// Writes bytes as they are, but harmless to terminals and CI systems.
    fn pass_on(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.raw.data(Untrusted(&String::from_utf8_lossy(bytes)))?;
        self.raw.flush()
    }

    /// Passes on standard error of the tool, in whole characters.
    fn push_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stderr.extend_from_slice(bytes);
        let length = whole_characters(&self.stderr);
        let text: Vec<u8> = self.stderr.drain(..length).collect();
        self.write_stderr(&text)
    }

    /// Passes a text of standard error to the stream, or writes it as a note if the stream has failed.
    fn write_stderr(&mut self, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.is_open.get()
            && let Some(result) = self.call(|stream| stream.push_stderr(text))
        {
            return result;
        }
        self.raw_notes
            .data(Untrusted(&String::from_utf8_lossy(text)))?;
        self.raw_notes.flush()
    }

    /// Ends the stream. Returns the ending of the run, and whether the stream has shown everything.
    pub(super) fn finish(mut self, end: End) -> io::Result<(Ending, bool)> {
        let stderr = std::mem::take(&mut self.stderr);
        self.write_stderr(&stderr)?;
        let is_whole = self.is_open.get();
        let Self {
            stream,
            is_open,
            failed,
            ..
        } = self;
        let Ok(ending) = catch_unwind(AssertUnwindSafe(|| stream.finish(end))) else {
            is_open.set(false);
            return Ok((
                Ending {
                    failed: true,
                    ..Ending::default()
                },
                false,
            ));
        };
        let ending = ending?;
        Ok((
            Ending {
                failed: ending.failed || failed,
                ..ending
            },
            is_whole,
        ))
    }
}

/// Returns the length of the bytes without a UTF-8 character that is cut off at the end. Invalid bytes count as
/// complete.
fn whole_characters(bytes: &[u8]) -> usize {
    let last = bytes
        .utf8_chunks()
        .last()
        .map_or(&[][..], |chunk| chunk.invalid());
    let is_cut = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    bytes.len() - if is_cut { last.len() } else { 0 }
}

/// Fails at a line with this text. Released programs have neither this code nor `TFVIEW_TEST_FAULT`.
#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "this is the fault that tests inject")]
fn inject_fault(fault: Option<&str>, line: &[u8]) {
    if fault.is_some_and(|fault| memchr::memmem::find(line, fault.as_bytes()).is_some()) {
        panic!("a fault that a test injected");
    }
}

#[cfg(not(debug_assertions))]
fn inject_fault(_: Option<&str>, _: &[u8]) {}

#[cfg(test)]
mod tests;
