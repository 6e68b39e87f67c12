//! Lines of text with roles, which each writer writes in its own way.

/// The sign of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// No role.
    #[default]
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
pub struct Span {
    /// The text, which is untrusted.
    pub text: String,
    /// The role.
    pub tone: Tone,
}

impl Span {
    /// A piece of a line.
    pub fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self { text: text.into(), tone }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The indentation, in steps of two columns.
    pub depth: usize,
    /// The sign.
    pub sign: Sign,
    /// The pieces.
    pub spans: Vec<Span>,
}

impl Line {
    /// A line with one piece.
    pub fn new(depth: usize, sign: Sign, text: impl Into<String>, tone: Tone) -> Self {
        Self { depth, sign, spans: vec![Span::new(text, tone)] }
    }

    /// A line with a remark by tfview.
    pub fn note(depth: usize, text: impl Into<String>) -> Self {
        Self::new(depth, Sign::Note, text, Tone::Muted)
    }

    /// The text without roles.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}
