//! Lines of text with roles: what the terminal and Markdown formats write, each in its own way.

/// What happens to what a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// It is added.
    Add,
    /// It is removed.
    Remove,
    /// It changes.
    Change,
    /// It does not change.
    Same,
    /// The line is a remark of tfview.
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
    /// Must be seen.
    Alert,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The text; it may come from the input.
    pub(crate) text: String,
    /// Its role.
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
    /// The depth, in steps of two columns.
    pub(crate) depth: usize,
    /// What happens to what it shows.
    pub(crate) sign: Sign,
    /// The pieces.
    pub(crate) spans: Vec<Span>,
}

impl Line {
    /// A remark of tfview.
    pub(crate) fn note(depth: usize, text: impl Into<String>) -> Self {
        Self { depth, sign: Sign::Note, spans: vec![Span::new(text, Tone::Muted)] }
    }

    /// The text without roles.
    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}
