//! Protects a run from failures of its viewer: after a panic in the display, further messages are written
//! unchanged.
//!
//! Invariants: no line is lost, including the one at which the display failed; lines are made harmless to
//! terminals and CI systems; the display still receives each line, with its output closed, to determine the
//! outcome of the run. If it fails at that too, error messages count as a failure.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

use crate::stream::{End, Ending, Screen, Stream};
use crate::term::{Out, Untrusted};

/// The maximum length of a line of which a copy is kept until its end, in bytes.
const MAX_LEN: usize = 1 << 20;

/// A shared writer that can be closed for one of its users.
pub(super) struct Valve<W> {
    sink: Rc<RefCell<W>>,
    open: Rc<Cell<bool>>,
}

impl<W: Write> Valve<W> {
    /// A writer to `sink` while `open` is true.
    pub(super) fn new(sink: &Rc<RefCell<W>>, open: &Rc<Cell<bool>>) -> Self {
        Self { sink: Rc::clone(sink), open: Rc::clone(open) }
    }
}

impl<W: Write> Write for Valve<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.open.get() { self.sink.borrow_mut().write(bytes) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.open.get() { self.sink.borrow_mut().flush() } else { Ok(()) }
    }
}

/// The display of a run, and its replacement after a failure.
pub(super) struct Guarded<'s, 'w> {
    stream: Stream<'w>,
    /// Whether the output of the display is written.
    open: Rc<Cell<bool>>,
    raw: Out<'s>,
    raw_notes: Out<'s>,
    /// The beginning of an incomplete line.
    begun: Vec<u8>,
    failed: bool,
    /// The beginning of an incomplete character of the tool's standard error.
    stderr: Vec<u8>,
    fault: Option<String>,
}

impl<'s, 'w> Guarded<'s, 'w> {
    /// Guards the display `stream`, whose output is written while `open` is true.
    pub(super) fn new(
        stream: Stream<'w>,
        open: Rc<Cell<bool>>,
        raw: Out<'s>,
        raw_notes: Out<'s>,
        fault: Option<String>,
    ) -> Self {
        Self { stream, open, raw, raw_notes, begun: Vec::new(), failed: false, stderr: Vec::new(), fault }
    }

    /// Whether the display has failed.
    pub(super) fn has_failed(&self) -> bool {
        !self.open.get()
    }

    /// Calls the display, unless it has failed: what it only shows is then left out.
    fn show(&mut self, call: impl FnOnce(&mut Stream<'w>) -> io::Result<()>) -> io::Result<()> {
        if self.has_failed() { Ok(()) } else { self.call(call).unwrap_or(Ok(())) }
    }

    /// Calls the display. If it fails, its output is closed, and the result is `None`.
    fn call(&mut self, call: impl FnOnce(&mut Stream<'w>) -> io::Result<()>) -> Option<io::Result<()>> {
        let stream = &mut self.stream;
        let called = catch_unwind(AssertUnwindSafe(|| call(stream))).ok();
        if called.is_none() {
            let stream = &mut self.stream;
            // Erases the live region, if possible.
            let _ = catch_unwind(AssertUnwindSafe(|| stream.push_stderr(b"")));
            self.open.set(false);
        }
        called
    }

    /// Adds messages.
    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.has_failed() {
            self.pass_on(bytes)?;
            return self.count(bytes);
        }
        let shown = Cell::new(0);
        let fault = self.fault.clone();
        let pushed = self.call(|stream| {
            for line in lines(bytes) {
                inject_fault(fault.as_deref(), line);
                stream.push(line)?;
                shown.set(shown.get() + line.len());
            }
            Ok(())
        });
        if let Some(result) = pushed {
            self.remember(bytes);
            return result;
        }
        let begun = std::mem::take(&mut self.begun);
        if shown.get() == 0 {
            self.pass_on(&begun)?;
        }
        let rest = bytes.get(shown.get()..).unwrap_or_default();
        self.pass_on(rest)?;
        let (line, after) = rest.split_at(memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1));
        self.failed |= is_error(line);
        self.count(after)
    }

    /// Begins the messages of another unit.
    pub(super) fn begin_input(&mut self, name: &str) -> io::Result<()> {
        self.begun.clear();
        let begun = self.call(|stream| stream.begin_input(name));
        self.failed |= begun.is_none();
        begun.unwrap_or(Ok(()))
    }

    /// Records that the messages of the current unit cannot be read to their end.
    pub(super) fn unreadable(&mut self, error: &io::Error) -> io::Result<()> {
        self.failed = true;
        self.stream.unreadable(error)
    }

    /// Passes lines that have already been written to the display, for the outcome.
    fn count(&mut self, bytes: &[u8]) -> io::Result<()> {
        for line in lines(bytes) {
            let (stream, fault) = (&mut self.stream, self.fault.as_deref());
            match catch_unwind(AssertUnwindSafe(|| {
                inject_fault(fault, line);
                stream.push(line)
            })) {
                Ok(result) => result?,
                // The display no longer knows whether the run failed.
                Err(_) => self.failed |= is_error(line),
            }
        }
        Ok(())
    }

    /// Keeps the beginning of a line, which must be written in full if the display fails at its rest.
    fn remember(&mut self, bytes: &[u8]) {
        let tail = memchr::memrchr(b'\n', bytes).map_or(bytes, |end| {
            self.begun.clear();
            bytes.get(end + 1..).unwrap_or_default()
        });
        if self.begun.len() + tail.len() <= MAX_LEN {
            self.begun.extend_from_slice(tail);
        }
    }

    fn pass_on(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.raw.data(Untrusted(&String::from_utf8_lossy(bytes)))?;
        self.raw.flush()
    }

    /// Adds output of the tool's standard error.
    pub(super) fn push_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stderr.extend_from_slice(bytes);
        let length = whole_characters(&self.stderr);
        let text: Vec<u8> = self.stderr.drain(..length).collect();
        self.write_stderr(&text)
    }

    /// Ends the tool's standard error.
    pub(super) fn stderr_ended(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.stderr);
        self.write_stderr(&text)
    }

    fn write_stderr(&mut self, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if !self.has_failed()
            && let Some(result) = self.call(|stream| stream.push_stderr(text))
        {
            return result;
        }
        self.raw_notes.data(Untrusted(&String::from_utf8_lossy(text)))?;
        self.raw_notes.flush()
    }

    /// Handles a pause of the input.
    pub(super) fn tick(&mut self, now: Duration, screen: Screen) -> io::Result<()> {
        self.show(|stream| stream.tick(now, screen))
    }

    /// Whether the tool has announced that it is stopping.
    pub(super) fn is_stopping(&self) -> bool {
        !self.has_failed() && self.stream.is_stopping()
    }

    /// The time without messages after which the run counts as ended; `None` while it is incomplete.
    pub(super) fn quiet_at_end(&self) -> Option<Duration> {
        if self.has_failed() { None } else { self.stream.quiet_at_end() }
    }

    /// Erases the live region, because something else will write to the screen.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.show(Stream::suspend)
    }

    /// Ends the run. Returns its outcome, and whether the display lasted until the end.
    pub(super) fn finish(mut self, end: End) -> io::Result<(Ending, bool)> {
        self.stderr_ended()?;
        let had_failed = self.has_failed();
        let Self { stream, open, failed, .. } = self;
        let ending = match catch_unwind(AssertUnwindSafe(|| stream.finish(end))) {
            Ok(ending) => ending?,
            Err(_) => {
                open.set(false);
                return Ok((Ending { failed: true, ..Ending::default() }, false));
            }
        };
        Ok((Ending { failed: ending.failed || failed, ..ending }, !had_failed))
    }
}

/// The lines of `bytes`, each with its line feed.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
    let mut start = 0;
    ends.chain([bytes.len()]).map(move |end| &bytes[std::mem::replace(&mut start, end)..end])
}

/// Whether a line is an error message.
fn is_error(line: &[u8]) -> bool {
    memchr::memmem::find(line, br#""@level":"error""#).is_some()
}

/// The number of bytes without an incomplete character at the end. Invalid UTF-8 counts as complete.
fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Ok(_) | Err(_) => {
            // At most the last three bytes may be the beginning of a character.
            let from = bytes.len().saturating_sub(3);
            let tail = (from..bytes.len()).find(|at| {
                bytes.get(*at..).is_some_and(|tail| {
                    std::str::from_utf8(tail)
                        .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
                })
            });
            tail.unwrap_or(bytes.len())
        }
    }
}

/// Panics at a line that contains the text of `TFVIEW_TEST_FAULT`. Only in test builds: released programs
/// contain neither this code nor the variable.
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
mod tests {
    use super::*;

    #[test]
    fn characters_are_not_cut() {
        for (bytes, whole) in [
            (&b"abc"[..], 3),
            ("aé".as_bytes(), 3),
            (&"aé".as_bytes()[..2], 1),
            (&"a😀".as_bytes()[..4], 1),
            (b"\xff\xffa", 3),
            (b"\xffa\xc3", 2),
            (b"", 0),
        ] {
            assert_eq!(whole_characters(bytes), whole, "{bytes:?}");
        }
    }
}
