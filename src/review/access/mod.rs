//! Policies as statements, or as who has which role, and firewall rules as lines such as `tcp/443 from 10.0.0.0/8`.
//!
//! Statements and rules are paired here rather than by the diff engine, because they are compared by what they
//! allow: their lists are sets, one item equals a list of it, and an empty value equals a missing one.
//!
//! Invariants: an [`AccessChange`] says everything that the edits say that it replaces in the text formats, otherwise the
//! edits are kept; it contains no sensitive values; the JSON is unaffected.

mod bindings;
mod firewall;
mod policy;

use crate::diff::edits::{Edit, Label};
use crate::diff::value::{MarkedValue, Redactor};
use crate::report::{Sign, Tone};
use crate::review::findings::Documents;

pub(in crate::review) use policy::expected;

#[derive(Clone, Debug)]
pub struct AccessChange<'a> {
    pub(crate) attributes: Vec<&'a str>,
    /// The edits that it replaces, by index.
    pub(crate) edits: Vec<usize>,
    /// Empty if the rule is most of what the resource is.
    pub(crate) title: String,
    pub(crate) lines: Vec<AccessLine>,
}

impl<'a> AccessChange<'a> {
    fn new(attributes: Vec<&'a str>, edits: Vec<usize>, lines: Vec<AccessLine>) -> Option<Self> {
        let title = attributes
            .iter()
            .map(|name| super::text::name(name))
            .collect::<Vec<_>>()
            .join(", ");
        (!lines.is_empty()).then_some(Self {
            attributes,
            edits,
            title,
            lines,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccessLine {
    pub(crate) depth: usize,
    pub(crate) sign: Sign,
    pub(crate) parts: Vec<Part>,
    /// The statement of a policy that it is about.
    pub(crate) statement: Option<StatementAt>,
}

/// The position of a statement or binding in its policy: after the change, if it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StatementAt {
    Before(u32),
    After(u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// A plain part has the tone of its line.
    pub(crate) tone: Tone,
    pub(crate) items: Vec<String>,
}

impl Part {
    fn text(text: impl Into<String>) -> Self {
        Self::of(Tone::Plain, vec![text.into()])
    }

    fn of(tone: Tone, items: Vec<String>) -> Self {
        Self { tone, items }
    }
}

impl AccessLine {
    fn new(depth: usize, sign: Sign, parts: Vec<Part>) -> Self {
        Self {
            depth,
            sign,
            parts,
            statement: None,
        }
    }

    fn of_statement(self, side: fn(u32) -> StatementAt, at: usize) -> Self {
        Self {
            statement: u32::try_from(at).ok().map(side),
            ..self
        }
    }

    fn note(text: impl Into<String>, tone: Tone) -> Self {
        Self::new(0, Sign::Note, vec![Part::of(tone, vec![text.into()])])
    }
}

pub(in crate::review) fn find<'w, 'a: 'w>(
    resource_type: &str,
    edits: &[Edit<'a>],
    (before, after): (MarkedValue<'_>, MarkedValue<'_>),
    documents: &Documents<'w>,
    redactor: Redactor<'a>,
) -> Vec<AccessChange<'a>> {
    match edits {
        [edit] if edit.path.is_empty() => {
            let (object, own, sign) = match (edit.before, edit.after) {
                (None, Some(object)) => (after, object, Sign::Add),
                (Some(object), None) => (before, object, Sign::Remove),
                (None, None) | (Some(_), Some(_)) => return Vec::new(),
            };
            let mut found = firewall::of_object(resource_type, object, sign);
            found.extend(policy::of_object(own, sign, redactor, documents));
            found.extend(bindings::of_object(own, sign, redactor, documents));
            found
        }
        _ => {
            let mut found = firewall::changes(resource_type, edits, (before, after));
            let policy = |(at, edit)| {
                policy::change(at, edit, documents)
                    .or_else(|| bindings::change(at, edit, documents))
            };
            found.extend(edits.iter().enumerate().filter_map(policy));
            found
        }
    }
}

/// Whether no label or note is lost if lines with these labels replace the edit.
fn fits(edit: &Edit<'_>, shown: &[Label]) -> bool {
    edit.notes.is_empty() && edit.labels.iter().all(|label| shown.contains(&label))
}

pub(in crate::review) fn bare(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/*+=@?$%#~…".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        crate::text::quote(text)
    }
}
