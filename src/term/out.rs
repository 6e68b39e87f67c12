//! The writer that every renderer writes to.
//!
//! Invariants: what came from an input passes only as [`Untrusted`], and no byte of it can drive a
//! terminal; every style that is begun is ended in the same call, and around each line end; nothing
//! is flushed but full buffers and on [`Out::flush`].

use std::io::{self, Write};

use super::style::Role;
use super::visible::push_visible;

/// Text that came from an input: a value, an address, a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untrusted<'a>(pub &'a str);

const RESET: &[u8] = b"\x1b[0m";
const FULL: usize = 64 * 1024;

/// A buffered writer of styled text.
pub struct Out<'w> {
    sink: &'w mut dyn Write,
    buffer: Vec<u8>,
    colour: bool,
}

impl<'w> Out<'w> {
    /// A writer to `sink`, with or without colour.
    pub fn new(sink: &'w mut dyn Write, colour: bool) -> Self {
        Self { sink, buffer: Vec::with_capacity(FULL + 1024), colour }
    }

    /// Whether styles are written.
    pub fn colour(&self) -> bool {
        self.colour
    }

    /// Writes a text of our own, unstyled.
    pub fn lit(&mut self, text: &str) -> io::Result<()> {
        self.buffer.extend_from_slice(text.as_bytes());
        self.drain()
    }

    /// Writes `count` spaces.
    pub fn spaces(&mut self, count: usize) -> io::Result<()> {
        self.buffer.resize(self.buffer.len() + count, b' ');
        self.drain()
    }

    /// Writes a text from the input, unstyled.
    pub fn data(&mut self, text: Untrusted<'_>) -> io::Result<()> {
        push_visible(&mut self.buffer, text.0);
        self.drain()
    }

    /// Writes a line from the input with its end; a CR before the end belongs to it.
    pub fn data_line(&mut self, text: Untrusted<'_>) -> io::Result<()> {
        let (body, end) = text.0.strip_suffix('\r').map_or((text.0, "\n"), |body| (body, "\r\n"));
        push_visible(&mut self.buffer, body);
        self.lit(end)
    }

    /// Writes a text of our own in `role`.
    pub fn role(&mut self, role: Role, text: &str) -> io::Result<()> {
        self.styled(role.prefix(), text, false)
    }

    /// Writes a text from the input in `role`.
    pub fn role_data(&mut self, role: Role, text: Untrusted<'_>) -> io::Result<()> {
        self.styled(role.prefix(), text.0, true)
    }

    /// Writes a text from the input in the style that the SGR sequences `prefix` make together
    /// (upstream's in-band markup composes them; they are ours, not the input's).
    pub fn prefixed_data(&mut self, prefix: &str, text: Untrusted<'_>) -> io::Result<()> {
        self.styled(prefix, text.0, true)
    }

    fn styled(&mut self, prefix: &str, text: &str, untrusted: bool) -> io::Result<()> {
        let styled = self.colour && !prefix.is_empty();
        let mut rest = text;
        while !rest.is_empty() {
            // A style ends with its line, so that every line can stand alone (grep, less -R).
            let line = rest.find('\n').unwrap_or(rest.len());
            let (now, later) = rest.split_at(line);
            if styled && !now.is_empty() {
                self.buffer.extend_from_slice(prefix.as_bytes());
            }
            if untrusted {
                push_visible(
                    &mut self.buffer,
                    if later.is_empty() { now } else { &rest[..=line] }.trim_end_matches('\n'),
                );
            } else {
                self.buffer.extend_from_slice(now.as_bytes());
            }
            if styled && !now.is_empty() {
                self.buffer.extend_from_slice(RESET);
            }
            if later.is_empty() {
                break;
            }
            self.buffer.push(b'\n');
            rest = &later[1..];
        }
        self.drain()
    }

    fn drain(&mut self) -> io::Result<()> {
        if self.buffer.len() < FULL {
            return Ok(());
        }
        self.write_out()
    }

    fn write_out(&mut self) -> io::Result<()> {
        let result = self.sink.write_all(&self.buffer);
        self.buffer.clear();
        result
    }

    /// Writes out what is buffered, and flushes the sink.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.sink.flush()
    }
}

/// Runs `write` on a fresh writer and gives what it wrote. For tests, and for texts that are
/// measured before they are placed.
pub fn capture(colour: bool, write: impl FnOnce(&mut Out<'_>) -> io::Result<()>) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut out = Out::new(&mut bytes, colour);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    String::from_utf8(bytes).map_err(io::Error::other)
}
