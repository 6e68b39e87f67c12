//! A writer that a closed pipe or a full disk cannot stop.
//!
//! ```text
//! write "a"      written
//! write "b"      broken pipe: kept as the error, and reported to nobody
//! write "c"      counts as written, so that the tool that writes the messages is not stopped
//! ```

#[cfg(test)]
mod tests;

use std::io::{self, Write};

/// After a failed write, all output is discarded: the run must continue, and its messages must be read to the end,
/// even if the output is closed.
#[derive(Debug)]
pub struct Draining<W> {
    sink: W,
    failed: Option<io::Error>,
}

impl<W: Write> Draining<W> {
    /// Wraps a writer.
    pub fn new(sink: W) -> Self {
        Self { sink, failed: None }
    }

    /// A broken pipe is no error.
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
