//! A writer that accepts output even after its pipe was closed or its disk is full.
//!
//! Invariant: `write` fails only with `Interrupted`, which callers retry. The first other error is kept, and all later
//! output is discarded.
//!
//! ```text
//! write "a"      written
//! write "b"      broken pipe: kept as the error, and reported to nobody
//! write "c"      counts as written, so that the tool that writes the messages is not stopped
//! ```

#[cfg(test)]
mod tests;

use std::io::{self, Write};

/// A writer that discards all output after a failed write. The run must continue, and its messages must be read to the
/// end, even if the output is closed.
#[derive(Debug)]
pub struct Draining<W> {
    sink: W,
    /// The first error of a write or flush.
    failed: Option<io::Error>,
}

impl<W: Write> Draining<W> {
    /// Wraps a writer.
    pub fn new(sink: W) -> Self {
        Self { sink, failed: None }
    }

    /// Returns the error of the first failed write or flush. A broken pipe does not count as an error.
    pub fn into_error(self) -> Option<io::Error> {
        self.failed
            .filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
    }
}

impl<W: Write> Write for Draining<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_none() {
            match self.sink.write(bytes) {
                Ok(written) if written > 0 || bytes.is_empty() => return Ok(written),
                Ok(_) => self.failed = Some(io::ErrorKind::WriteZero.into()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(error) => self.failed = Some(error),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed.is_none() {
            self.failed = self.sink.flush().err();
        }
        Ok(())
    }
}
