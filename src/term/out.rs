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

    /// Writes what another writer wrote.
    pub fn place(&mut self, rendered: &Rendered) -> io::Result<()> {
        self.buffer.extend_from_slice(&rendered.0);
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

    /// Writes a line from the input with the colours that it brings along (SGR sequences): they act on
    /// a coloured display, until the end of the line, and are left out on any other. Nothing else acts.
    pub fn data_with_colours(&mut self, text: Untrusted<'_>) -> io::Result<()> {
        let mut rest = text.0;
        let mut styled = false;
        while let Some(at) = rest.find("\x1b[") {
            let (before, sequence) = rest.split_at(at);
            let length = sgr(sequence);
            let (before, later) = match length {
                Some(length) => (before, &sequence[length..]),
                None => rest.split_at(at + 1), // the escape itself is shown as its picture
            };
            self.data_closing(before, &mut styled);
            if let Some(length) = length
                && self.colour
            {
                self.buffer.extend_from_slice(&sequence.as_bytes()[..length]);
                styled = true;
            }
            rest = later;
        }
        self.data_closing(rest, &mut styled);
        if styled {
            self.buffer.extend_from_slice(RESET);
        }
        self.drain()
    }

    /// Writes data; a style that is on ends with its line.
    fn data_closing(&mut self, text: &str, styled: &mut bool) {
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                if std::mem::take(styled) {
                    self.buffer.extend_from_slice(RESET);
                }
                self.buffer.push(b'\n');
            }
            push_visible(&mut self.buffer, line);
        }
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

/// The length of the SGR sequence that `text` begins with, if it does: digits, `;` and `:`, then `m`.
fn sgr(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\x1b[")?;
    let length = parameters.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':')).count();
    (parameters.as_bytes().get(length) == Some(&b'm') && length <= 64).then_some(length + 3)
}

/// What a writer of its own wrote, to be placed into another one later.
#[derive(Debug)]
pub struct Rendered(Vec<u8>);

impl Rendered {
    /// What `write` writes.
    pub fn of<E: From<io::Error>>(
        colour: bool,
        write: impl FnOnce(&mut Out<'_>) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut bytes = Vec::new();
        let mut out = Out::new(&mut bytes, colour);
        write(&mut out)?;
        out.flush()?;
        drop(out);
        Ok(Self(bytes))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_data_pass_on_a_coloured_display_alone() {
        let show = |colour, text| capture(colour, |out| out.data_with_colours(Untrusted(text))).unwrap();
        for (text, plain, coloured) in [
            ("\x1b[32mgreen\x1b[0m x", "green x", "\x1b[32mgreen\x1b[0m x\x1b[0m"),
            ("\x1b[1;31mopen", "open", "\x1b[1;31mopen\x1b[0m"),
            ("\x1b[2J\x1b]0;t\x07", "␛[2J␛]0;t␇", "␛[2J␛]0;t␇"),
            ("\x1b[31", "␛[31", "␛[31"),
            ("\x1b[31ma\nb", "a\nb", "\x1b[31ma\x1b[0m\nb"),
            ("plain", "plain", "plain"),
        ] {
            assert_eq!(show(false, text), plain, "{text:?}");
            assert_eq!(show(true, text), coloured, "{text:?}");
        }
    }
}
