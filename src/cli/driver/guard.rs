//! A run does not die of its viewer: after a panic in the display, what still comes is passed on as
//! the tool writes it.
//!
//! Invariants: no line is lost, the one that the display failed on included; what is passed on is
//! made harmless to terminals and CI systems; the display still gets each line, with its output
//! closed, because it knows how the run goes. What it cannot say any more counts as a failure.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

use crate::stream::{End, Ending, Screen, Stream};
use crate::term::{Out, Untrusted};

/// The longest line of which a copy is kept until its end has come.
const LONGEST: usize = 1 << 20;

/// A writer that several share, and that can be closed for one of them.
pub(super) struct Valve<W> {
    sink: Rc<RefCell<W>>,
    open: Rc<Cell<bool>>,
}

impl<W: Write> Valve<W> {
    /// A writer to `sink` while `open` holds.
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

/// The display of a run, and what takes its place.
pub(super) struct Guarded<'s, 'w> {
    stream: Stream<'w>,
    /// Whether what the display writes is let through.
    open: Rc<Cell<bool>>,
    raw: Out<'s>,
    raw_notes: Out<'s>,
    /// The beginning of a line whose end has not come.
    begun: Vec<u8>,
    failed: bool,
    /// The beginning of a character of the tool's standard error.
    stderr: Vec<u8>,
    fault: Option<String>,
}

impl<'s, 'w> Guarded<'s, 'w> {
    /// The display `stream`, whose output passes while `open` holds.
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

    /// Takes messages in.
    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.has_failed() {
            self.pass_on(bytes)?;
            return self.count(bytes);
        }
        let shown = Cell::new(0);
        let (stream, fault) = (&mut self.stream, self.fault.as_deref());
        let pushed = catch_unwind(AssertUnwindSafe(|| {
            for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                inject_fault(fault, line);
                stream.push(line)?;
                shown.set(shown.get() + line.len());
            }
            Ok(())
        }));
        if let Ok(result) = pushed {
            self.remember(bytes);
            return result;
        }
        self.fail();
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

    /// Lets the display count lines that were passed on already.
    fn count(&mut self, bytes: &[u8]) -> io::Result<()> {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (stream, fault) = (&mut self.stream, self.fault.as_deref());
            match catch_unwind(AssertUnwindSafe(|| {
                inject_fault(fault, line);
                stream.push(line)
            })) {
                Ok(result) => result?,
                // Whether it reported a failure, the display can no longer say.
                Err(_) => self.failed |= is_error(line),
            }
        }
        Ok(())
    }

    /// Remembers the beginning of a line, which has to be passed on whole if the display fails on its rest.
    fn remember(&mut self, bytes: &[u8]) {
        let tail = memchr::memrchr(b'\n', bytes).map_or(bytes, |end| {
            self.begun.clear();
            bytes.get(end + 1..).unwrap_or_default()
        });
        if self.begun.len() + tail.len() <= LONGEST {
            self.begun.extend_from_slice(tail);
        }
    }

    /// The display has failed: what it has written is let out, and nothing more.
    fn fail(&mut self) {
        let stream = &mut self.stream;
        // It ends its live region, if it still can.
        let _ = catch_unwind(AssertUnwindSafe(|| stream.push_stderr(b"")));
        self.open.set(false);
    }

    fn pass_on(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.raw.data(Untrusted(&String::from_utf8_lossy(bytes)))?;
        self.raw.flush()
    }

    /// Takes in what the tool writes on its standard error.
    pub(super) fn push_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stderr.extend_from_slice(bytes);
        let length = whole_characters(&self.stderr);
        let text: Vec<u8> = self.stderr.drain(..length).collect();
        self.tell(&text)
    }

    /// The tool's standard error has ended.
    pub(super) fn stderr_ended(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.stderr);
        self.tell(&text)
    }

    fn tell(&mut self, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if !self.has_failed() {
            let stream = &mut self.stream;
            match catch_unwind(AssertUnwindSafe(|| stream.push_stderr(text))) {
                Ok(result) => return result,
                Err(_) => self.fail(),
            }
        }
        self.raw_notes.data(Untrusted(&String::from_utf8_lossy(text)))?;
        self.raw_notes.flush()
    }

    /// The input pauses.
    pub(super) fn tick(&mut self, now: Duration, screen: Screen) -> io::Result<()> {
        if self.has_failed() {
            return Ok(());
        }
        let stream = &mut self.stream;
        match catch_unwind(AssertUnwindSafe(|| stream.tick(now, screen))) {
            Ok(result) => result,
            Err(_) => {
                self.fail();
                Ok(())
            }
        }
    }

    /// The screen has another size now.
    #[cfg_attr(not(unix), expect(dead_code, reason = "a signal says so"))]
    pub(super) fn resize(&mut self, screen: Screen) {
        if !self.has_failed() {
            self.stream.resize(screen);
        }
    }

    /// Whether the tool says that it is stopping.
    pub(super) fn is_stopping(&self) -> bool {
        !self.has_failed() && self.stream.is_stopping()
    }

    /// How long nothing may come before the run counts as ended, if it may have ended.
    pub(super) fn quiet_at_end(&self) -> Option<Duration> {
        if self.has_failed() { None } else { self.stream.quiet_at_end() }
    }

    /// Takes the live region off the screen, because something else will write there.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        if self.has_failed() {
            return Ok(());
        }
        let stream = &mut self.stream;
        match catch_unwind(AssertUnwindSafe(|| stream.suspend())) {
            Ok(result) => result,
            Err(_) => {
                self.fail();
                Ok(())
            }
        }
    }

    /// The run has ended. Gives how, and whether the display lasted until then.
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

/// Whether a line is a message of an error.
fn is_error(line: &[u8]) -> bool {
    memchr::memmem::find(line, br#""@level":"error""#).is_some()
}

/// How many of these bytes hold whole characters; what is no UTF-8 at all counts.
fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Ok(_) | Err(_) => {
            // Of what is no UTF-8, at most the last three bytes may be the beginning of a character.
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

/// Fails on a line that holds the text of `TFVIEW_TEST_FAULT`. Only in builds for tests: no program that is
/// shipped reads that variable, or has this code.
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
