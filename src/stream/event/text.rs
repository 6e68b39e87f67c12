//! Text in the input that is not a message.

/// Text that is not a message, or a note about text that is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stream) enum TextEvent<'t> {
    /// A line, to be shown unchanged.
    Line {
        /// The line without its line feed.
        text: &'t str,
        /// Whether it ends with a line feed rather than with the input.
        has_line_feed: bool,
    },
    /// A line begins that is too long to be kept.
    LongLineStarted,
    /// A part of a long line, to be shown unchanged.
    LongLinePart(&'t str),
    /// A long line has ended.
    LongLineEnded {
        /// The kind of line.
        kind: LongLineKind,
        /// Whether it ended with a line feed rather than with the input.
        has_line_feed: bool,
    },
    /// A line with an incomplete message, of which only the `@message` can be shown.
    PartialMessage {
        /// The `@message`.
        text: &'t str,
        /// Whether it looks like an error message.
        is_error: bool,
    },
    /// Text that is not shown, because it may contain sensitive values.
    Withheld {
        /// Its length in bytes.
        length: usize,
        /// Whether it looks like an error message.
        is_error: bool,
    },
    /// There is other text around messages on their lines. Reported once.
    AroundMessages,
    /// The input ends within a line.
    CutOff,
    /// The input is an archive, such as a saved plan.
    Archive,
}

/// The kind of a long line, as far as its beginning shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stream) enum LongLineKind {
    /// Text that was shown.
    Text,
    /// A message. Its `@message` was shown, its payload was not.
    Message {
        /// The length of the line, in bytes.
        length: u64,
        /// Whether its level is `error`.
        is_error: bool,
    },
    /// A line with JSON that is not a message, which was not shown.
    Withheld {
        /// The length of the line, in bytes.
        length: u64,
        /// Whether text before the JSON was shown.
        is_partly_shown: bool,
        /// Whether it begins like an error message.
        is_error: bool,
    },
}
