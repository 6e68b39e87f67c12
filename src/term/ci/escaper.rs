//! Processes each line that leaves a writer: adds a prefix such as the time, and escapes what a CI
//! system would take for a command.
//!
//! A command is broken by a space before the character that completes it, so that nothing has to be
//! held back: a text that is cut anywhere comes out the same. Marks in the bytes delimit our own
//! commands; they are bytes that no UTF-8 text has, so that no input can write them.

/// What comes is a command of our own, on a line of its own.
pub(crate) const COMMAND: u8 = 0xff;
/// The command has ended.
pub(crate) const COMMAND_END: u8 = 0xfe;
/// What comes gets no time before it: it is drawn over what is there.
pub(crate) const UNPREFIXED: u8 = 0xfd;
/// What comes gets one again.
pub(crate) const PREFIXED: u8 = 0xfc;

/// Where in a line the text is, as far as commands go.
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
    line_prefix: Vec<u8>,
    at: At,
    /// At the very beginning of a line.
    fresh: bool,
    in_command: bool,
    unprefixed: bool,
}

impl CiEscaper {
    fn new(escapes: bool) -> Self {
        Self {
            escapes,
            line_prefix: Vec::new(),
            at: At::Start,
            fresh: true,
            in_command: false,
            unprefixed: false,
        }
    }

    /// Escapes all commands but our own.
    pub(crate) fn escaping() -> Self {
        Self::new(true)
    }

    /// Only adds prefixes.
    pub(crate) fn prefixing() -> Self {
        Self::new(false)
    }

    /// Sets the prefix of the lines that follow; returns the previous prefix.
    pub(crate) fn set_line_prefix(&mut self, line_prefix: Vec<u8>) -> Vec<u8> {
        std::mem::replace(&mut self.line_prefix, line_prefix)
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
    /// Where the text is after `byte`, and whether it would complete a command. What is not ASCII
    /// changes nothing, because some systems overlook characters that cannot be seen.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(mut pass: CiEscaper, text: &[u8], size: usize) -> String {
        let mut done = Vec::new();
        text.chunks(size).for_each(|part| pass.run(part, &mut done));
        String::from_utf8(done).unwrap()
    }

    #[test]
    fn no_line_is_a_command_wherever_it_is_cut() {
        for (line, expected) in [
            ("  ::error::x", "  : :error::x"),
            ("\u{a0}:\u{ad}:error::x", "\u{a0}:\u{ad} :error::x"),
            ("+ ::error::x", "+ ::error::x"),
            ("x\r::error::x\n::warning::", "x\r: :error::x\n: :warning::"),
            ("a ##vso[task.setvariable]b", "a ##vso [task.setvariable]b"),
            ("###\u{200d}vso[x]", "###\u{200d}vso [x]"),
            ("##[group]x", "## [group]x"),
            ("##teamcity[x]", "##teamcity [x]"),
            ("# #[x] a # b ## c [d]", "# #[x] a # b ## c [d]"),
            (":: ##[", ": : ## ["),
        ] {
            for size in [1, 2, 3, 100] {
                assert_eq!(pass(CiEscaper::escaping(), line.as_bytes(), size), expected, "{size}");
            }
            assert_eq!(pass(CiEscaper::escaping(), expected.as_bytes(), 100), expected);
        }
    }

    #[test]
    fn commands_of_ours_stand_on_lines_of_their_own() {
        let mut text = b"::a".to_vec();
        text.push(COMMAND);
        text.extend_from_slice(b"::group::x\n");
        text.push(COMMAND_END);
        text.extend_from_slice(b"::b");
        assert_eq!(pass(CiEscaper::escaping(), &text, 100), ": :a\n::group::x\n: :b");
    }

    #[test]
    fn times_stand_before_lines_that_are_not_empty() {
        let mut stamping = CiEscaper::prefixing();
        stamping.set_line_prefix(b"T ".to_vec());
        let mut text = b"\na\n\n  b\n".to_vec();
        text.push(UNPREFIXED);
        text.extend_from_slice(b"\x1b[1A");
        text.push(PREFIXED);
        text.extend_from_slice(b"c");
        assert_eq!(pass(stamping, &text, 1), "\nT a\n\nT   b\n\x1b[1AT c");
    }
}
