//! Shows changes of access as lines: policies as statements or as who has which role, and firewall rules such as
//! `tcp/443 from 10.0.0.0/8`.
//!
//! Statements and rules are paired here rather than by the diff engine, because they are compared by what they allow:
//! their lists are sets, one item equals a list of it, and an empty value equals a missing one.
//!
//! Invariants: an [`AccessChange`] says everything that its edits say, which it replaces in the text formats; otherwise
//! the edits are kept. It contains no sensitive values. The JSON is unaffected.
//!
//! ```text
//! policy, one string of JSON, with one edit      ~ policy:
//!                                                    Read: Allow
//!                                                    + action s3:PutObject
//! ```

mod bindings;
mod firewall;
mod policy;

use crate::access::{Shape, shape};
use crate::diff::edits::{Edit, Label, Step};
use crate::diff::value::{MarkedValue, Redactor};
use crate::meaning::Documents;
use crate::report::{Sign, Tone};
use crate::review::paths::{self, path_text, root_name};

pub(in crate::review) use policy::expected;

/// The maximum length of a policy that becomes lines, in bytes. Longer policies are compared like any other JSON.
const MAX_POLICY_LEN: usize = 256 << 10;
/// The texts that providers write if there is no policy.
const NO_POLICY: [&str; 2] = ["", "{}"];

/// The change of a policy, of grants, or of firewall rules, as lines about what is allowed before and after.
#[derive(Clone, Debug)]
pub struct AccessChange<'a> {
    /// The attributes that the lines are about.
    pub(crate) attributes: Vec<&'a str>,
    /// The indices of the edits that the lines replace.
    pub(crate) edits: Vec<usize>,
    /// The title above the lines; empty if the rule is most of what the resource is.
    pub(crate) title: String,
    /// The name of the list whose elements the lines are about; empty if they are about one rule.
    pub(crate) list: &'static str,
    /// The lines in the order of a text.
    pub(crate) lines: Vec<AccessLine>,
    /// The members of the policy that the lines say nothing about, and that differ: their edits are shown, too.
    pub(crate) others: Vec<&'a str>,
}

/// The position in a list of the element that a line is about: a firewall rule, or a statement of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementPlace {
    /// The index before; `None` if the element is added.
    pub(crate) before: Option<u32>,
    /// The index after; `None` if the element is removed.
    pub(crate) after: Option<u32>,
}

impl ElementPlace {
    fn new(before: Option<usize>, after: Option<usize>) -> Self {
        let [before, after] =
            [before, after].map(|index| index.and_then(|index| u32::try_from(index).ok()));
        Self { before, after }
    }

    /// Returns the position of an element on the side that the sign of its line says: before if it is removed,
    /// otherwise after.
    fn on_side(sign: Sign, index: Option<usize>) -> Self {
        match sign {
            Sign::Remove => Self::new(index, None),
            Sign::Add | Sign::Change | Sign::Same | Sign::Note => Self::new(None, index),
        }
    }

    /// Returns the position of the element that a path leads into, in the list of this name.
    pub(in crate::review) fn of_path(steps: &[Step<'_>], list: &str) -> Option<Self> {
        let mut steps = steps
            .iter()
            .skip_while(|step| !matches!(step, Step::Name(name) if *name == list));
        match steps.nth(1)? {
            Step::Element(element) => Some(Self {
                before: element.before,
                after: element.after,
            }),
            Step::Name(_) | Step::Document(_) => None,
        }
    }
}

impl<'a> AccessChange<'a> {
    /// Creates a change with the names of its attributes as the title; `None` without lines.
    fn new(
        attributes: Vec<&'a str>,
        edits: Vec<usize>,
        list: &'static str,
        lines: Vec<AccessLine>,
    ) -> Option<Self> {
        let title = attributes
            .iter()
            .map(|name| paths::name(name))
            .collect::<Vec<_>>()
            .join(", ");
        (!lines.is_empty()).then_some(Self {
            attributes,
            edits,
            title,
            list,
            lines,
            others: Vec::new(),
        })
    }
}

impl<'a> AccessChange<'a> {
    /// Creates the change of a text with a policy, whose lines replace its edit.
    fn of_text(
        edit_index: usize,
        edit: &Edit<'a>,
        list: &'static str,
        lines: Vec<AccessLine>,
    ) -> Option<Self> {
        let change = Self::new(vec![root_name(edit)], vec![edit_index], list, lines)?;
        Some(Self {
            title: path_text("", edit.path),
            ..change
        })
    }

    /// Returns the changes for the policies in the texts of an object that is created or destroyed. `lines` returns
    /// `None` for other texts that have a member with the name of the list.
    fn of_texts(
        object: MarkedValue<'a>,
        redactor: Redactor<'a>,
        list: &'static str,
        lines: impl Fn(&'a str) -> Option<Vec<AccessLine>>,
    ) -> Vec<Self> {
        let members = object.as_object().unwrap_or_default().iter();
        let texts = members
            .filter(|(_, value)| !value.has_marks)
            .filter_map(|(name, value)| {
                let text = value.as_str().filter(|text| may_be_policy(text, list))?;
                Self::new(vec![redactor.text(name)], Vec::new(), list, lines(text)?)
            });
        texts.collect()
    }
}

/// Returns the texts of the policies on both sides of an edit; `None` within for a side without a policy. `None` if the
/// sides cannot become lines, or if neither has a member with the name of the list.
fn policy_texts<'a>(edit: &Edit<'a>, list: &str) -> Option<[Option<&'a str>; 2]> {
    let text = |side: Option<MarkedValue<'a>>| match side {
        None => Some(None),
        Some(value) if value.has_marks => None,
        Some(value) => value
            .as_str()
            .filter(|text| text.len() <= MAX_POLICY_LEN)
            .map(|text| Some(text).filter(|text| !NO_POLICY.contains(text))),
    };
    if !matches!(edit.path.last(), Some(Step::Name(_))) {
        return None;
    }
    let texts = [text(edit.before)?, text(edit.after)?];
    let is_policy = texts.iter().flatten().any(|text| may_be_policy(text, list));
    is_policy.then_some(texts)
}

/// Whether a text may be a policy, by the quoted name of its list. This avoids parsing most other strings.
fn may_be_policy(text: &str, list: &str) -> bool {
    let mut names = text.match_indices(list);
    text.len() <= MAX_POLICY_LEN
        && names.any(|(start, name)| {
            text[..start].ends_with('"') && text[start + name.len()..].starts_with('"')
        })
}

/// A line about access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccessLine {
    /// The level of indentation, from 0.
    pub(crate) depth: usize,
    /// The sign at the beginning of the line.
    pub(crate) sign: Sign,
    /// The texts of the line.
    pub(crate) parts: Vec<Part>,
    /// The element that the line is about, if it is in a list.
    pub(crate) element: Option<ElementPlace>,
}

/// A part of a line with one tone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The tone. A plain part has the tone of its line.
    pub(crate) tone: Tone,
    /// The texts of the part, which are joined by commas where there are several.
    pub(crate) items: Vec<String>,
}

impl Part {
    /// Creates a plain part of one text.
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
            element: None,
        }
    }

    /// Sets the element that the line is about.
    fn about(self, element: ElementPlace) -> Self {
        Self {
            element: Some(element),
            ..self
        }
    }

    /// Creates a remark below other lines.
    fn note(text: impl Into<String>, tone: Tone) -> Self {
        Self::new(0, Sign::Note, vec![Part::of(tone, vec![text.into()])])
    }
}

/// Returns the changes of access in the edits of an object, as lines that replace these edits.
///
/// `before` and `after` are the whole object.
pub(in crate::review) fn find<'w, 'a: 'w>(
    resource_type: &str,
    edits: &[Edit<'a>],
    (before, after): (MarkedValue<'_>, MarkedValue<'_>),
    documents: &Documents<'w>,
    redactor: Redactor<'a>,
) -> Vec<AccessChange<'a>> {
    match edits {
        [edit] if edit.path.is_empty() => {
            let (object, value, sign) = match (edit.before, edit.after) {
                (None, Some(object)) => (after, object, Sign::Add),
                (Some(object), None) => (before, object, Sign::Remove),
                (None, None) | (Some(_), Some(_)) => return Vec::new(),
            };
            let mut changes = firewall::of_object(resource_type, object, sign);
            changes.extend(policy::of_object(value, sign, redactor, documents));
            changes.extend(bindings::of_object(value, sign, redactor, documents));
            changes
        }
        _ => {
            let mut changes = firewall::changes(resource_type, edits, (before, after));
            let policy = |(index, edit)| {
                policy::change(index, edit, documents)
                    .or_else(|| bindings::change(index, edit, documents))
            };
            changes.extend(edits.iter().enumerate().filter_map(policy));
            changes
        }
    }
}

/// Whether lines may replace the edit without losing a note or a label; `shown` are the labels that the lines show.
fn fits(edit: &Edit<'_>, shown: &[Label]) -> bool {
    edit.notes.is_empty() && edit.labels.iter().all(|label| shown.contains(&label))
}

/// Whether an attribute is a list of firewall rules, which are shown as lines.
pub(in crate::review) fn is_rule(resource_type: &str, name: &str) -> bool {
    match shape(resource_type) {
        Some(Shape::Blocks(lists)) => lists.contains(&name),
        Some(Shape::Rule(_)) | None => false,
    }
}

/// Returns a text without quotes if it has only characters that need none; otherwise quoted.
pub(in crate::review) fn bare(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/*+=@?$%#~…".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        crate::text::quote(text)
    }
}
