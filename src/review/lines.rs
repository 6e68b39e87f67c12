//! Lines of text with roles, which the terminal, Markdown and HTML formats write in their own ways.

/// The sign of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sign {
    /// Added.
    Add,
    /// Removed.
    Remove,
    /// Changed.
    Change,
    /// Unchanged.
    Same,
    /// A remark by tfview.
    Note,
}

/// The role of a piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// No role.
    Plain,
    /// Less important.
    Muted,
    /// Added.
    Added,
    /// Removed.
    Removed,
    /// Changed.
    Changed,
    /// The words of a text that were added.
    AddedWord,
    /// The words of a text that were removed.
    RemovedWord,
    /// Must be noticed.
    Alert,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The text, which is untrusted.
    pub(crate) text: String,
    /// The role.
    pub(crate) tone: Tone,
}

impl Span {
    /// A piece of a line.
    pub(crate) fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self { text: text.into(), tone }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The indentation, in steps of two columns.
    pub(crate) depth: usize,
    /// The sign.
    pub(crate) sign: Sign,
    /// The pieces.
    pub(crate) spans: Vec<Span>,
}

impl Line {
    /// A line with a remark by tfview.
    pub(crate) fn note(depth: usize, text: impl Into<String>) -> Self {
        Self { depth, sign: Sign::Note, spans: vec![Span::new(text, Tone::Muted)] }
    }

    /// The text without roles.
    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}
