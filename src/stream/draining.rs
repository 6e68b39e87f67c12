//! A writer whose reader may close the pipe.

use std::io::{self, Write};

/// Writes to `sink` until a write fails, and discards all output afterwards. The run must continue and its
/// messages must be read to the end even if the output is closed.
#[derive(Debug)]
pub struct Draining<W> {
    sink: W,
    failed: Option<io::Error>,
}

impl<W: Write> Draining<W> {
    /// A writer to `sink`.
    pub fn new(sink: W) -> Self {
        Self { sink, failed: None }
    }

    /// The error of the failed write, unless it was a broken pipe.
    pub fn into_error(self) -> Option<io::Error> {
        self.failed.filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
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
        if self.failed.is_none()
            && let Err(error) = self.sink.flush()
        {
            self.failed = Some(error);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full(usize, io::ErrorKind);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(self.1.into());
            }
            let written = bytes.len().min(self.0);
            self.0 -= written;
            Ok(written)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_is_gone_is_no_error_and_a_full_disk_is_one() {
        for (kind, is_error) in [(io::ErrorKind::BrokenPipe, false), (io::ErrorKind::StorageFull, true)] {
            let mut sink = Draining::new(Full(3, kind));
            sink.write_all(b"abcdef").unwrap();
            sink.write_all(b"ghi").unwrap();
            sink.flush().unwrap();
            assert_eq!(sink.into_error().is_some(), is_error);
        }
    }
}
