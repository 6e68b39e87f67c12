//! Policies as statements and firewall rules as lines such as `tcp/443 from 10.0.0.0/8`.
//!
//! Statements and rules are paired here rather than by the diff engine, because they are compared by what they
//! allow: their lists are sets, one item equals a list of it, and an empty value equals a missing one.
//!
//! In the text formats, an [`AccessChange`] replaces some of an entry's edits. Invariants: it says everything
//! that the edits say, otherwise the edits are kept; it contains no sensitive values; the edits themselves,
//! and the JSON, are unaffected.

mod firewall;
mod policy;
mod rule;
mod statement;

use crate::access::Policies;
use crate::diff::edits::{Edit, Label, Step};
use crate::diff::value::{MarkedValue, Redactor};
use crate::report::Sign;
use crate::review::text::root_name;

pub(in crate::review) use statement::expected;

/// The changed access rules of some attributes.
#[derive(Clone, Debug)]
pub struct AccessChange<'a> {
    /// The attributes.
    pub(crate) attributes: Vec<&'a str>,
    /// The indices of the edits that it replaces. Empty for an object that is created or destroyed.
    pub(crate) edits: Vec<usize>,
    /// How it is titled.
    pub(crate) title: Title,
    /// The lines below the title.
    pub(crate) lines: Vec<AccessLine>,
}

impl<'a> AccessChange<'a> {
    /// `None` if there are no lines.
    fn new(
        attributes: Vec<&'a str>,
        edits: Vec<usize>,
        title: Title,
        lines: Vec<AccessLine>,
    ) -> Option<Self> {
        (!lines.is_empty()).then_some(Self { attributes, edits, title, lines })
    }
}

/// The title of an [`AccessChange`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Title {
    /// The names of the attributes.
    Attributes,
    /// The path of the only edit.
    Path,
    /// No title, because the rule is most of what the resource is.
    None,
}

/// A rule, a statement, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccessLine {
    /// The depth below the title.
    pub(crate) depth: usize,
    /// How it changes.
    pub(crate) sign: Sign,
    /// The text, in parts.
    pub(crate) parts: Vec<Part>,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Text that is on both sides, or in a line that is added or removed as a whole.
    Text(String),
    /// The items of a list. Long lists are truncated.
    Items(Vec<String>),
    /// Removed items.
    Removed(Vec<String>),
    /// Added items.
    Added(Vec<String>),
    /// A muted remark by tfview.
    Remark(String),
    /// A remark by tfview that must be noticed.
    Alert(String),
}

impl Part {
    /// The texts that it is made of.
    pub(crate) fn texts(&self) -> &[String] {
        match self {
            Self::Text(text) | Self::Remark(text) | Self::Alert(text) => std::slice::from_ref(text),
            Self::Items(items) | Self::Removed(items) | Self::Added(items) => items,
        }
    }
}

impl AccessLine {
    fn new(depth: usize, sign: Sign, parts: Vec<Part>) -> Self {
        Self { depth, sign, parts }
    }
}

/// The policies and rules that some edits change.
pub(in crate::review) fn find<'w, 'a: 'w>(
    resource_type: &str,
    edits: &[Edit<'a>],
    (before, after): (MarkedValue<'_>, MarkedValue<'_>),
    policies: &Policies<'w>,
    redactor: Redactor<'a>,
) -> Vec<AccessChange<'a>> {
    if let [edit] = edits
        && edit.path.is_empty()
    {
        let is_one_sided = edit.before.is_none() != edit.after.is_none();
        if !is_one_sided {
            return Vec::new();
        }
        let mut found = firewall::whole(resource_type, (before, after));
        let only = edit.after.map(|value| (value, Sign::Add));
        if let Some((value, sign)) = only.or_else(|| edit.before.map(|value| (value, Sign::Remove))) {
            found.extend(policy::of_object(value, sign, redactor, policies));
        }
        return found;
    }
    let mut found = firewall::changes(resource_type, edits, (before, after));
    for (at, edit) in edits.iter().enumerate() {
        let is_in_name = matches!(edit.path.last(), Some(Step::Name(_)));
        if is_in_name
            // The lines show the differing letters.
            && fits(edit, &[Label::Case])
            && let Some(lines) = policy::lines(edit, policies)
        {
            found.extend(AccessChange::new(vec![root_name(edit)], vec![at], Title::Path, lines));
        }
    }
    found
}

/// Whether lines that show these labels can replace an edit without losing a label or note.
fn fits(edit: &Edit<'_>, shown: &[Label]) -> bool {
    edit.notes.is_empty() && edit.labels.iter().all(|label| shown.contains(&label))
}

/// A text of the plan, quoted unless it is plain.
pub(in crate::review) fn bare(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/*+=@?$%#~…".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { crate::text::quote(text) }
}

/// The text of an unknown value.
const UNKNOWN: &str = "(known after apply)";
