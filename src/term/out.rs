//! The writer that all renderers use.
//!
//! Invariants: text from an input is only accepted as [`Untrusted`], and none of its bytes can drive a terminal. A
//! style ends in the call that began it, and is closed before each line break. Output is written when the buffer is
//! full and by [`Out::flush`]. In the log of a CI system, only [`Out::fold`] and [`Out::unfold`] write commands.

#[cfg(test)]
mod tests;

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::Range;

use super::ci::{COMMAND, COMMAND_END, CiEscaper, CiLog, Fold, PREFIXED, UNPREFIXED};
use super::look::{Look, Role};
use super::styled::StyledText;
use super::visible::{is_uri, push_visible};

/// A text from an input. Its control and hidden characters are made visible when it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untrusted<'a>(pub &'a str);

/// A part of a text. The names with `Data` are for texts from the input, the others for trusted texts.
#[derive(Clone, Copy, Debug)]
pub enum TextPart<'t> {
    /// A text of the program, without a style.
    Lit(&'t str),
    /// A text from the input, without a style.
    Data(&'t str),
    /// A text of the program in the style of a role.
    Styled(Role, &'t str),
    /// A text from the input in the style of a role.
    StyledData(Role, &'t str),
    /// Spaces, as many as the number.
    Spaces(usize),
}

/// The sequence that ends all styles.
const RESET: &str = "\x1b[0m";
/// The sequence of a link (OSC 8) before its URI.
const LINK: &str = "\x1b]8;;";
/// The end of the sequence of a link, after its URI.
const LINK_END: &str = "\x1b\\";
/// The size of the buffer at which it is written, in bytes.
const FULL: usize = 64 * 1024;
/// The maximum length of the title of a fold, in bytes.
const MAX_TITLE_LEN: usize = 4 * 1024;

/// Writes styled text and texts from inputs to a sink, through a buffer.
pub struct Out<'w> {
    /// The destination; `None` if all output is kept, to be written to another writer.
    sink: Option<&'w mut dyn Write>,
    /// The state without the destination.
    kept: KeptOut,
}

/// The state of a writer without its sink. It can be sent to another thread.
#[derive(Debug)]
pub struct KeptOut {
    /// The text that was not written to the sink yet.
    buffer: Vec<u8>,
    /// Whether styles are written, and to which log.
    mode: OutputMode,
    /// The filter that escapes commands to CI systems, and adds the prefix of each line.
    escaper: Option<CiEscaper>,
    /// The filtered text that was not written to the sink yet. It precedes the buffer.
    escaped: Vec<u8>,
    /// The number of folds so far, which makes their names unique.
    folds: u64,
    /// The positions of the escape sequences in the buffer. They are recorded only for the title of a fold.
    escapes: Option<Vec<Range<usize>>>,
    /// The text with its looks, for formats without escape sequences.
    styled: Option<Box<StyledText>>,
}

impl KeptOut {
    fn new(mode: OutputMode) -> Self {
        Self {
            buffer: Vec::with_capacity(FULL + 1024),
            mode,
            escaper: None,
            escaped: Vec::new(),
            folds: 0,
            escapes: None,
            styled: None,
        }
    }

    /// Returns a writer that continues from this state, and keeps its output.
    pub fn into_out<'w>(self) -> Out<'w> {
        Out {
            sink: None,
            kept: self,
        }
    }

    /// Removes and returns the output so far.
    pub fn take(&mut self) -> Vec<u8> {
        let Some(escaper) = &mut self.escaper else {
            return std::mem::take(&mut self.buffer);
        };
        escaper.run(&self.buffer, &mut self.escaped);
        self.buffer.clear();
        std::mem::take(&mut self.escaped)
    }
}

/// The way in which text is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputMode {
    /// Whether styles are written as escape sequences.
    pub colour: bool,
    /// The log that the text is written to, on a CI system.
    pub ci: Option<CiLog>,
}

impl<'w> Out<'w> {
    /// Creates a writer to a sink. With `colour`, styles are written as escape sequences.
    pub fn new(sink: &'w mut dyn Write, colour: bool) -> Self {
        Self {
            sink: Some(sink),
            kept: KeptOut::new(OutputMode { colour, ci: None }),
        }
    }

    /// Creates a writer that keeps all output until it is taken.
    pub fn keeping(colour: bool) -> Self {
        Self::kept(OutputMode { colour, ci: None })
    }

    fn kept(mode: OutputMode) -> Self {
        KeptOut::new(mode).into_out()
    }

    /// Returns the state of the writer without its sink. Output that was not written yet is kept.
    pub fn into_kept(self) -> KeptOut {
        self.kept
    }

    /// Creates a writer that records a text with its looks.
    fn with_styles(styled: StyledText) -> Self {
        let mut kept = KeptOut::new(OutputMode::default());
        kept.styled = Some(Box::new(styled));
        kept.into_out()
    }

    /// Returns the recorded text with its looks.
    fn into_styled(mut self) -> io::Result<StyledText> {
        self.flush()?;
        Ok(self
            .kept
            .styled
            .take()
            .map(|styled| *styled)
            .unwrap_or_default())
    }

    /// Sets the CI system in whose log the output is shown. Text that the system would interpret as commands is
    /// escaped.
    #[must_use]
    pub fn for_ci(mut self, ci: Option<CiLog>) -> Self {
        self.kept.mode.ci = ci;
        self.kept.escaper = ci.map(|_| CiEscaper::new(true));
        self
    }

    /// Escapes commands even if no CI system was detected, because a CI system may read the output later as a log.
    #[must_use]
    pub fn escaping_commands(mut self) -> Self {
        self.kept.escaper = Some(CiEscaper::new(true));
        self
    }

    /// Whether styles are written as escape sequences.
    pub fn colour(&self) -> bool {
        self.kept.mode.colour
    }

    /// Returns the way in which text is written, for a writer that must write in the same way.
    pub fn mode(&self) -> OutputMode {
        self.kept.mode
    }

    /// Sets the time of the next folds, in seconds since the Unix epoch.
    pub fn set_time(&mut self, time: u64) {
        if let Some(ci) = &mut self.kept.mode.ci {
            ci.time = time;
        }
    }

    /// Begins a fold with a title. Returns `None`, and writes nothing, if the log has no folds.
    pub fn fold(&mut self, title: &str) -> io::Result<Option<Fold>> {
        self.kept.folds += 1;
        let number = self.kept.folds;
        let Some((fold, line)) = self.kept.mode.ci.and_then(|ci| ci.fold(title, number)) else {
            return Ok(None);
        };
        self.command(&line)?;
        Ok(Some(fold))
    }

    /// Ends a fold that [`Out::fold`] has begun.
    pub fn unfold(&mut self, fold: &Fold) -> io::Result<()> {
        match self.kept.mode.ci {
            Some(ci) => self.command(&ci.unfold(fold)),
            None => Ok(()),
        }
    }

    /// Writes whole lines in a fold, if the log has folds. The first line that is not empty is the title.
    pub fn folded<E: From<io::Error>>(
        &mut self,
        write: impl FnOnce(&mut Out<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.kept.mode.ci.is_none_or(|ci| !ci.system.folds()) {
            return write(self);
        }
        let mut inner = Out::kept(self.kept.mode);
        inner.kept.escapes = Some(Vec::new());
        write(&mut inner)?;
        let fold = self.fold(&inner.title())?;
        self.write_rendered(&Rendered(inner.kept.buffer))?;
        Ok(fold.map_or(Ok(()), |fold| self.unfold(&fold))?)
    }

    /// Writes a command to the CI system.
    fn command(&mut self, line: &str) -> io::Result<()> {
        self.kept.buffer.push(COMMAND);
        self.kept.buffer.extend_from_slice(line.as_bytes());
        self.kept.buffer.push(COMMAND_END);
        self.drain()
    }

    /// Sets the text that each line begins with. Empty lines get none.
    pub fn set_line_prefix(&mut self, role: Role, text: &str) {
        let line_prefix = if self.kept.mode.colour && !text.is_empty() {
            role.style().style(text).to_string()
        } else {
            text.to_owned()
        };
        let escaper = self
            .kept
            .escaper
            .get_or_insert_with(|| CiEscaper::new(false));
        escaper.run(&self.kept.buffer, &mut self.kept.escaped);
        self.kept.buffer.clear();
        escaper.line_prefix = line_prefix.into_bytes();
    }

    /// Writes text without line prefixes, because it is drawn over existing text.
    pub fn without_line_prefix(
        &mut self,
        write: impl FnOnce(&mut Out<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.kept.escaper.is_none() {
            return write(self);
        }
        self.kept.buffer.push(UNPREFIXED);
        let result = write(self);
        self.kept.buffer.push(PREFIXED);
        result
    }

    /// Writes several parts, one after the other.
    pub fn parts(&mut self, parts: &[TextPart<'_>]) -> io::Result<()> {
        parts.iter().try_for_each(|part| match *part {
            TextPart::Lit(text) => self.lit(text),
            TextPart::Data(text) => self.data(Untrusted(text)),
            TextPart::Styled(role, text) => self.role(role, text),
            TextPart::StyledData(role, text) => self.role_data(role, Untrusted(text)),
            TextPart::Spaces(count) => self.spaces(count),
        })
    }

    /// Writes a text of the program as it is.
    pub fn lit(&mut self, text: &str) -> io::Result<()> {
        self.kept.buffer.extend_from_slice(text.as_bytes());
        self.drain()
    }

    /// Writes the text that another writer of the same mode has kept.
    pub fn write_rendered(&mut self, rendered: &Rendered) -> io::Result<()> {
        // A large text is written directly, without another copy.
        if rendered.0.len() >= FULL && self.kept.escaper.is_none() {
            self.write_out()?;
            if let Some(sink) = &mut self.sink {
                return sink.write_all(&rendered.0);
            }
        }
        self.kept.buffer.extend_from_slice(&rendered.0);
        self.drain()
    }

    /// Writes this number of spaces.
    pub fn spaces(&mut self, count: usize) -> io::Result<()> {
        self.kept
            .buffer
            .resize(self.kept.buffer.len() + count, b' ');
        self.drain()
    }

    /// Writes a text from an input, with its control characters made visible.
    pub fn data(&mut self, text: Untrusted<'_>) -> io::Result<()> {
        push_visible(&mut self.kept.buffer, text.0);
        self.drain()
    }

    /// Writes a line from an input, with its control characters made visible. A CR at its end is a part of the line
    /// break.
    pub fn data_line(&mut self, text: Untrusted<'_>) -> io::Result<()> {
        let (body, end) = text
            .0
            .strip_suffix('\r')
            .map_or((text.0, "\n"), |body| (body, "\r\n"));
        push_visible(&mut self.kept.buffer, body);
        self.lit(end)
    }

    /// Writes a text of the program in the style of a role.
    pub fn role(&mut self, role: Role, text: &str) -> io::Result<()> {
        self.looking(role.look(), text, false)
    }

    /// Writes a text from an input in the style of a role.
    pub fn role_data(&mut self, role: Role, text: Untrusted<'_>) -> io::Result<()> {
        self.looking(role.look(), text.0, true)
    }

    /// Writes a text from an input as a link (OSC 8). If `uri` is not a valid URI, only the text is written.
    pub fn link_data(&mut self, role: Role, uri: &str, text: Untrusted<'_>) -> io::Result<()> {
        if !is_uri(uri) {
            return self.role_data(role, text);
        }
        self.lit(&format!("{LINK}{uri}{LINK_END}"))?;
        self.role_data(role, text)?;
        self.lit(&format!("{LINK}{LINK_END}"))
    }

    /// Writes a text from an input with a look.
    pub fn look_data(&mut self, look: Look, text: Untrusted<'_>) -> io::Result<()> {
        self.looking(look, text.0, true)
    }

    /// Writes a text from an input after the SGR sequences in `prefix`. These are trusted, because they come from the
    /// interpretation of upstream's in-band markup. `look` is the same for formats without escape sequences.
    pub fn prefixed_data(
        &mut self,
        prefix: &str,
        look: Look,
        text: Untrusted<'_>,
    ) -> io::Result<()> {
        self.write_styled((!prefix.is_empty()).then_some(prefix), look, text.0, true)
    }

    /// Writes a text from an input that may have colors. If colors are shown, the SGR sequences of each line take
    /// effect until its end; otherwise they are left out. All other control characters are made visible.
    pub fn data_with_colours(&mut self, text: Untrusted<'_>) -> io::Result<()> {
        let mut rest = text.0;
        let mut styled = false;
        while let Some(offset) = rest.find("\x1b[") {
            let (before, sequence) = rest.split_at(offset);
            let length = sgr(sequence);
            let (before, later) = match length {
                Some(length) => (before, &sequence[length..]),
                None => rest.split_at(offset + 1), // the escape character is made visible
            };
            self.data_closing(before, &mut styled);
            if let Some(length) = length
                && self.kept.mode.colour
            {
                self.kept
                    .buffer
                    .extend_from_slice(&sequence.as_bytes()[..length]);
                styled = true;
            }
            rest = later;
        }
        self.data_closing(rest, &mut styled);
        if styled {
            self.kept.buffer.extend_from_slice(RESET.as_bytes());
        }
        self.drain()
    }

    /// Writes text, and ends an active style at the end of each line.
    fn data_closing(&mut self, text: &str, styled: &mut bool) {
        // Lines include their line breaks, so that the CR of a CR LF is recognized.
        for line in text.split_inclusive('\n') {
            push_visible(&mut self.kept.buffer, line);
            if line.ends_with('\n') && std::mem::take(styled) {
                let end = self.take_line_end();
                self.kept.buffer.extend_from_slice(RESET.as_bytes());
                self.kept.buffer.extend_from_slice(end);
            }
        }
    }

    /// Records that the text that follows is the change of an attribute or block.
    pub fn begin_change(&mut self, name: &str) {
        let index = self.kept.buffer.len();
        if let Some(styled) = &mut self.kept.styled {
            styled.add_change(index, name);
        }
    }

    /// Removes the line break from the end of the buffer, and returns it.
    fn take_line_end(&mut self) -> &'static [u8] {
        let end: &[u8] = if self.kept.buffer.ends_with(b"\r\n") {
            b"\r\n"
        } else {
            b"\n"
        };
        self.kept
            .buffer
            .truncate(self.kept.buffer.len() - end.len());
        end
    }

    /// Appends an escape sequence, and records its position if positions are needed.
    fn escape(&mut self, sequence: &impl Display) -> io::Result<()> {
        let start = self.kept.buffer.len();
        write!(self.kept.buffer, "{sequence}")?;
        if let Some(escapes) = &mut self.kept.escapes {
            escapes.push(start..self.kept.buffer.len());
        }
        Ok(())
    }

    /// Returns the first line that is not empty, without styles and the comment sign.
    fn title(&self) -> String {
        let mut plain = Vec::new();
        let mut copied = 0;
        for escape in self.kept.escapes.iter().flatten() {
            plain.extend_from_slice(&self.kept.buffer[copied..escape.start]);
            copied = escape.end;
            if plain.trim_ascii_start().contains(&b'\n') {
                break;
            }
        }
        plain.extend(self.kept.buffer[copied..].iter().take(MAX_TITLE_LEN));
        let plain = String::from_utf8_lossy(&plain);
        let title = plain
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default();
        title
            .trim()
            .trim_start_matches("# ")
            .trim_end_matches(':')
            .to_owned()
    }

    /// Writes a text with a look.
    fn looking(&mut self, look: Look, text: &str, untrusted: bool) -> io::Result<()> {
        let style = look.style();
        let prefix = (!style.is_plain()).then(|| style.prefix_formatter());
        self.write_styled(prefix, look, text, untrusted)
    }

    /// Writes a text after `prefix`, an escape sequence. Without it, the text is plain.
    fn write_styled(
        &mut self,
        prefix: Option<impl Display>,
        look: Look,
        text: &str,
        untrusted: bool,
    ) -> io::Result<()> {
        let prefix = prefix.filter(|_| self.kept.mode.colour || self.kept.styled.is_some());
        let Some(prefix) = prefix else {
            return if untrusted {
                self.data(Untrusted(text))
            } else {
                self.lit(text)
            };
        };
        // Styles end with each line, so that every line is self-contained (for grep and `less -R`).
        for line in text.split_inclusive('\n') {
            let is_blank = matches!(line, "\n" | "\r\n");
            if !is_blank && self.kept.mode.colour {
                self.escape(&prefix)?;
            }
            let start = self.kept.buffer.len();
            // Lines include their line breaks, so that the CR of a CR LF is recognized.
            if untrusted {
                push_visible(&mut self.kept.buffer, line);
            } else {
                self.kept.buffer.extend_from_slice(line.as_bytes());
            }
            let end = if line.ends_with('\n') {
                self.take_line_end()
            } else {
                b""
            };
            if !is_blank && self.kept.mode.colour {
                self.escape(&RESET)?;
            }
            if let Some(styled) = &mut self.kept.styled {
                styled.add_look(start..self.kept.buffer.len(), look);
            }
            self.kept.buffer.extend_from_slice(end);
        }
        self.drain()
    }

    /// Writes the buffer if it is full.
    fn drain(&mut self) -> io::Result<()> {
        if self.kept.buffer.len() + self.kept.escaped.len() < FULL {
            Ok(())
        } else {
            self.write_out()
        }
    }

    /// Writes the buffer to the sink, through the filter if there is one. Without a sink, the buffer is kept.
    fn write_out(&mut self) -> io::Result<()> {
        if let Some(styled) = &mut self.kept.styled {
            styled.take(&mut self.kept.buffer);
        }
        let Some(sink) = &mut self.sink else {
            return Ok(());
        };
        let text = match &mut self.kept.escaper {
            None => &mut self.kept.buffer,
            Some(escaper) => {
                escaper.run(&self.kept.buffer, &mut self.kept.escaped);
                self.kept.buffer.clear();
                &mut self.kept.escaped
            }
        };
        let result = sink.write_all(text);
        text.clear();
        result
    }

    /// Writes everything in the buffer to the sink, and flushes the sink.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.sink.as_mut().map_or(Ok(()), |sink| sink.flush())
    }
}

/// Returns the length of the SGR sequence at the beginning of a text: digits, `;` and `:`, then `m`. `None` if there is
/// none, or a very long one.
fn sgr(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\x1b[")?;
    let length = parameters
        .bytes()
        .take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'))
        .count();
    (parameters.as_bytes().get(length) == Some(&b'm') && length <= 64).then_some(length + 3)
}

/// Bytes that are ready to be written to a writer of the same mode.
#[derive(Debug)]
pub struct Rendered(Vec<u8>);

impl Rendered {
    /// Renders the output of `write`. The mode must be that of the writer to which the result is written; that writer
    /// adds line prefixes, and escapes commands to CI systems.
    pub fn new<E: From<io::Error>>(
        mode: OutputMode,
        write: impl FnOnce(&mut Out<'_>) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut out = Out::kept(mode);
        write(&mut out)?;
        Ok(Self(out.kept.buffer))
    }
}

/// Returns the output of `write` as a string. This is for tests, and for texts that are measured before they are
/// written.
pub fn capture(
    colour: bool,
    write: impl FnOnce(&mut Out<'_>) -> io::Result<()>,
) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut out = Out::new(&mut bytes, colour);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    String::from_utf8(bytes).map_err(io::Error::other)
}

impl StyledText {
    /// Records the output of `write` with its looks, up to a limit, and the names of the changed members.
    pub fn new<E: From<io::Error>>(
        write: impl FnOnce(&mut Out<'_>) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut out = Out::with_styles(Self::default());
        write(&mut out)?;
        Ok(out.into_styled()?.finish())
    }

    /// Records the whole output of `write`, however long it is.
    pub fn whole<E: From<io::Error>>(
        write: impl FnOnce(&mut Out<'_>) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut out = Out::with_styles(Self::without_limit());
        write(&mut out)?;
        Ok(out.into_styled()?)
    }

    /// Records the whole output like [`Self::whole`], for code that owns its writer.
    pub fn of_writer(
        write: impl FnOnce(Out<'static>) -> io::Result<Out<'static>>,
    ) -> io::Result<Self> {
        write(Out::with_styles(Self::without_limit()))?.into_styled()
    }
}
