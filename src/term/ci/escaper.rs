//! Post-processes the output of a writer: adds a prefix such as the time to each line, and escapes text that
//! a CI system would interpret as a command.
//!
//! A command is broken by a space before the character that completes it. Nothing has to be held back, so
//! the result does not depend on how the text is split into writes. Marker bytes delimit tfview's own
//! commands. They never occur in UTF-8, so no input can contain them.

#[cfg(test)]
mod tests;

/// Marks the start of a command of tfview's own, on a line of its own.
pub(crate) const COMMAND: u8 = 0xff;
/// Marks the end of the command.
pub(crate) const COMMAND_END: u8 = 0xfe;
/// Marks the start of text without line prefixes, because it is drawn over existing text.
pub(crate) const UNPREFIXED: u8 = 0xfd;
/// Marks the end of text without line prefixes.
pub(crate) const PREFIXED: u8 = 0xfc;

/// The state of command detection within a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Only white space so far.
    Start,
    /// After a colon at the start.
    Colon,
    /// In the middle.
    Inside,
    /// After a `#`.
    Hash,
    /// After `##`, or `##` and letters.
    Hashes,
}

/// Adds prefixes to lines and escapes commands.
#[derive(Clone, Debug)]
pub(crate) struct CiEscaper {
    escapes: bool,
    /// The prefix of the following lines.
    pub(crate) line_prefix: Vec<u8>,
    at: At,
    /// Whether the next byte is the first of a line.
    fresh: bool,
    in_command: bool,
    unprefixed: bool,
}

impl CiEscaper {
    /// It escapes commands, or only writes the prefix of lines.
    pub(crate) fn new(escapes: bool) -> Self {
        Self {
            escapes,
            line_prefix: Vec::new(),
            at: At::Start,
            fresh: true,
            in_command: false,
            unprefixed: false,
        }
    }

    /// Appends the processed `bytes` to `done`.
    pub(crate) fn run(&mut self, bytes: &[u8], done: &mut Vec<u8>) {
        for byte in bytes {
            match *byte {
                COMMAND => {
                    self.in_command = true;
                    if !self.fresh {
                        done.push(b'\n');
                    }
                }
                COMMAND_END => {
                    self.in_command = false;
                    (self.at, self.fresh) = (At::Start, true);
                }
                UNPREFIXED => self.unprefixed = true,
                PREFIXED => self.unprefixed = false,
                byte if self.in_command => done.push(byte),
                byte => self.text(byte, done),
            }
        }
    }

    fn text(&mut self, byte: u8, done: &mut Vec<u8>) {
        if self.fresh && !self.unprefixed && byte != b'\n' {
            done.extend_from_slice(&self.line_prefix);
        }
        self.fresh = byte == b'\n' || (self.fresh && self.unprefixed);
        if self.escapes {
            let (at, breaks) = self.at.after(byte);
            self.at = at;
            if breaks {
                done.push(b' ');
            }
        }
        done.push(byte);
    }
}

impl At {
    /// The state after `byte`, and whether `byte` would complete a command. Non-ASCII bytes do not change
    /// the state, because some systems ignore invisible characters.
    fn after(self, byte: u8) -> (Self, bool) {
        match (self, byte) {
            (_, b'\n' | b'\r') => (Self::Start, false),
            (at, 0x80..) | (at @ Self::Start, b' ' | b'\t') => (at, false),
            (Self::Start, b':') => (Self::Colon, false),
            (Self::Colon, b':') => (Self::Inside, true),
            (Self::Hash | Self::Hashes, b'#') => (Self::Hashes, false),
            (Self::Start | Self::Colon | Self::Inside, b'#') => (Self::Hash, false),
            (Self::Hashes, b'[') => (Self::Inside, true),
            (Self::Hashes, b'a'..=b'z' | b'A'..=b'Z') => (Self::Hashes, false),
            (Self::Start | Self::Colon | Self::Inside | Self::Hash | Self::Hashes, _) => {
                (Self::Inside, false)
            }
        }
    }
}

/// The positions of the bytes that complete a command, in a text that does not begin a line.
pub(super) fn command_ends(text: &[u8]) -> Vec<usize> {
    let mut at = At::Inside;
    let ends = text.iter().enumerate().filter(|(_, byte)| {
        let (next, ends) = at.after(**byte);
        at = next;
        ends
    });
    ends.map(|(position, _)| position).collect()
}
