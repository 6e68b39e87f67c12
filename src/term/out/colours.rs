//! Colours in data: the SGR sequences that a tool or provider wrote into a line.

use std::io;

use super::{Out, RESET, Untrusted};
use crate::term::visible::push_visible;

impl Out<'_> {
    /// Writes a line from the input with its own colours (SGR sequences). With colour, they take effect until
    /// the end of the line; without, they are omitted. All other control characters are made visible.
    pub fn data_with_colours(&mut self, text: Untrusted<'_>) -> io::Result<()> {
        let mut rest = text.0;
        let mut styled = false;
        while let Some(at) = rest.find("\x1b[") {
            let (before, sequence) = rest.split_at(at);
            let length = sgr(sequence);
            let (before, later) = match length {
                Some(length) => (before, &sequence[length..]),
                None => rest.split_at(at + 1), // the escape character is made visible
            };
            self.data_closing(before, &mut styled);
            if let Some(length) = length
                && self.mode.colour
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

    /// Writes data. An active style ends with its line.
    fn data_closing(&mut self, text: &str, styled: &mut bool) {
        // Including line breaks, so that the CR of a CR LF is recognised.
        for line in text.split_inclusive('\n') {
            push_visible(&mut self.buffer, line);
            if line.ends_with('\n') && std::mem::take(styled) {
                let end = self.take_line_end();
                self.buffer.extend_from_slice(RESET);
                self.buffer.extend_from_slice(end);
            }
        }
    }
}

/// The length of the SGR sequence at the start of `text`, if there is one: digits, `;` and `:`, then `m`.
pub(super) fn sgr(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\x1b[")?;
    let length = parameters.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':')).count();
    (parameters.as_bytes().get(length) == Some(&b'm') && length <= 64).then_some(length + 3)
}

#[cfg(test)]
mod tests {
    use crate::term::{Untrusted, capture};

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
            ("a\r\n\rb", "a\r\n␍b", "a\r\n␍b"),
        ] {
            assert_eq!(show(false, text), plain, "{text:?}");
            assert_eq!(show(true, text), coloured, "{text:?}");
        }
    }
}
