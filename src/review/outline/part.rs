//! What an outline is made of: the parts that change, and the values in them.

use crate::diff::tree::Slot;
use crate::json::Value;
use crate::review::Sign;

/// Something that changes.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where, seen from what holds the part: names, places in lists, identifying keys, and by `|` what
    /// a string was read as.
    pub path: String,
    /// What happens.
    pub sign: Sign,
    /// It forces the replacement of the resource.
    pub replace: bool,
    /// What it is.
    pub body: Body,
    /// What there is to know about it.
    pub notes: Vec<String>,
    /// The change has no effect that the plan could tell.
    pub cosmetic: bool,
}

/// What changes.
#[derive(Clone, Debug)]
pub enum Body {
    /// A value appears or goes.
    One(Shown),
    /// A value becomes another one.
    Change(Shown, Shown),
    /// A text of several lines.
    Text(Vec<TextLine>),
    /// A value with parts of its own appears or goes.
    Group(Vec<Part>),
    /// The notes say it all.
    Noted,
}

/// A value without parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// `null`
    Null,
    /// A bool or a number, as it was written.
    Literal(String),
    /// A string.
    Text(String),
    /// `[]` or `{}`
    Empty(&'static str),
    /// A secret.
    Sensitive,
    /// A write-only attribute.
    WriteOnly,
    /// Known after apply.
    Unknown,
}

/// A line of a text.
#[derive(Clone, Debug)]
pub struct TextLine {
    /// What happens to it; [`Sign::Note`] for lines left out.
    pub sign: Sign,
    /// The line.
    pub text: String,
    /// The line that it replaces, or that replaces it.
    pub other: Option<String>,
}

impl Part {
    /// Adds a note, unless it is there.
    pub(super) fn note_once(&mut self, note: &str) {
        if !self.notes.iter().any(|other| other == note) {
            self.notes.push(note.to_owned());
        }
    }

    /// What was found as something that comes is there, and stays as it is.
    pub(crate) fn stands_still(&mut self) {
        self.sign = Sign::Same;
        match &mut self.body {
            Body::Group(parts) => parts.iter_mut().for_each(Self::stands_still),
            Body::Text(lines) => {
                let shown = lines.iter_mut().filter(|line| line.sign != Sign::Note);
                shown.for_each(|line| line.sign = Sign::Same);
            }
            Body::One(_) | Body::Change(..) | Body::Noted => {}
        }
    }
}

impl Shown {
    pub(super) fn of(slot: Slot<'_>) -> Self {
        match slot.value() {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Literal(value.to_string()),
            Value::Number(text) => Self::Literal(text.to_owned()),
            Value::String(text) => Self::Text(text.to_owned()),
            Value::Array(_) => Self::Empty("[…]"),
            Value::Object(_) => Self::Empty("{…}"),
        }
    }
}
