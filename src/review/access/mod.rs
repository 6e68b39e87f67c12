//! Policies and firewall rules as people read them: statements, and lines like `tcp/443 from 10.0.0.0/8`.
//!
//! An [`AccessChange`] takes the place of some edits in the texts of a review. Invariants: it says all that
//! these edits say, else there is none and the edits are written as they are; nothing that is sensitive is
//! read; the edits themselves, and the JSON, do not change.

mod firewall;
mod pairs;
mod policy;
mod rule;
mod statement;
mod tables;

use crate::diff::value::{MarkedValue, Redactor};
use crate::review::edit::{Edit, Label, Step};
use crate::review::lines::Sign;
use crate::review::text::root_name;

pub(in crate::review) use statement::expected;

/// How some attributes of an entry change, in the form in which people read them.
#[derive(Clone, Debug)]
pub struct AccessChange<'a> {
    /// The attributes.
    pub(crate) attributes: Vec<&'a str>,
    /// The places of the edits that it stands for. None for an object that is created or destroyed.
    pub(crate) edits: Vec<usize>,
    /// How it is named.
    pub(crate) title: Title,
    /// What changes.
    pub(crate) lines: Vec<AccessLine>,
}

/// How a change of access is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Title {
    /// By its attributes.
    Attributes,
    /// By the path of its only edit.
    Path,
    /// Not at all: its attributes are most of what the resource is.
    None,
}

/// A rule or statement, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccessLine {
    /// The depth below the attribute.
    pub(crate) depth: usize,
    /// What happens to it.
    pub(crate) sign: Sign,
    /// The text.
    pub(crate) parts: Vec<Part>,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Words that are on both sides, or a line that is added or removed as a whole.
    Text(String),
    /// Items of a list, of which the first are written.
    Items(Vec<String>),
    /// Items that are removed.
    Removed(Vec<String>),
    /// Items that are added.
    Added(Vec<String>),
    /// A remark of tfview.
    Remark(String),
    /// A remark that must be seen.
    Alert(String),
}

impl AccessLine {
    fn new(depth: usize, sign: Sign, parts: Vec<Part>) -> Self {
        Self { depth, sign, parts }
    }
}

/// The policies and rules that the edits of a change are about.
pub(in crate::review) fn find<'a>(
    resource_type: &str,
    edits: &[Edit<'a>],
    (before, after): (MarkedValue<'_>, MarkedValue<'_>),
    redactor: Redactor<'a>,
) -> Vec<AccessChange<'a>> {
    if let [edit] = edits
        && edit.path.is_empty()
    {
        let is_one_sided = edit.before.is_absent() != edit.after.is_absent();
        if !is_one_sided {
            return Vec::new();
        }
        let mut found = firewall::whole(resource_type, (before, after));
        if edit.before.is_absent()
            && let Some(value) = edit.after.value()
        {
            found.extend(policy::created(value, redactor));
        }
        return found;
    }
    let mut found = firewall::changes(resource_type, edits, (before, after));
    for (at, edit) in edits.iter().enumerate() {
        let is_in_name = matches!(edit.path.last(), Some(Step::Name(_)));
        if is_in_name
            && fits(edit)
            && let Some(lines) = policy::lines(edit)
        {
            found.push(AccessChange {
                attributes: vec![root_name(edit)],
                edits: vec![at],
                title: Title::Path,
                lines,
            });
        }
    }
    found
}

/// Whether an edit has nothing to say but its values.
fn fits(edit: &Edit<'_>) -> bool {
    let is_plain = |label: Label| match label {
        // What differs is written anyway.
        Label::Case => true,
        Label::Moved
        | Label::Sensitivity
        | Label::Empty
        | Label::Whitespace
        | Label::Invisible
        | Label::UnicodeForm
        | Label::Format
        | Label::Order
        | Label::TypeOnly
        | Label::NotInSchema => false,
    };
    edit.notes.is_empty() && edit.labels.iter().all(is_plain)
}

/// A text of the plan in a line: in quotes where it is not plain.
fn bare(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/*+=@?$%#~".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { crate::text::quote(text) }
}

/// What a value that is not known yet is called.
const UNKNOWN: &str = "(known after apply)";
