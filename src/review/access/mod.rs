//! Policies as statements, or as who has which role, and firewall rules as lines such as `tcp/443 from 10.0.0.0/8`.
//!
//! Statements and rules are paired here rather than by the diff engine, because they are compared by what they
//! allow: their lists are sets, one item equals a list of it, and an empty value equals a missing one.
//!
//! Invariants: an [`AccessChange`] says everything that the edits say that it replaces in the text formats, otherwise the
//! edits are kept; it contains no sensitive values; the JSON is unaffected.
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
use crate::report::{Sign, Tone};
use crate::review::documents::Documents;
use crate::review::paths::{self, path_text, root_name};

pub(in crate::review) use policy::expected;

/// In bytes. Longer policies are compared like any other JSON.
const MAX_POLICY_LEN: usize = 256 << 10;
/// What providers write where there is no policy.
const NO_POLICY: [&str; 2] = ["", "{}"];

/// The change of a policy, of grants or of rules of a firewall, as what is allowed before and after.
#[derive(Clone, Debug)]
pub struct AccessChange<'a> {
    pub(crate) attributes: Vec<&'a str>,
    /// The edits that it replaces, by index.
    pub(crate) edits: Vec<usize>,
    /// Empty if the rule is most of what the resource is.
    pub(crate) title: String,
    /// The name of the list whose elements the lines are about; empty if they are about one rule.
    pub(crate) list: &'static str,
    pub(crate) lines: Vec<AccessLine>,
    /// The members of the policy that the lines say nothing about, and that differ: their edits are shown, too.
    pub(crate) others: Vec<&'a str>,
}

/// The element of a list that a line is about: a rule of a firewall, or a statement of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementPlace {
    /// Its index before; `None` if it is added.
    pub(crate) before: Option<u32>,
    /// Its index after; `None` if it is removed.
    pub(crate) after: Option<u32>,
}

impl ElementPlace {
    fn new(before: Option<usize>, after: Option<usize>) -> Self {
        let [before, after] =
            [before, after].map(|index| index.and_then(|index| u32::try_from(index).ok()));
        Self { before, after }
    }

    /// The place of an element that is only before or only after the change, as the sign of its line says.
    fn on_side(sign: Sign, index: Option<usize>) -> Self {
        match sign {
            Sign::Remove => Self::new(index, None),
            Sign::Add | Sign::Change | Sign::Same | Sign::Note => Self::new(None, index),
        }
    }

    /// The element of the list of this name that a path leads into.
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
    /// The lines that replace the edit of a text with a policy.
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

    /// The lines of the policies in the texts of an object that is created or destroyed. `lines` returns none for other
    /// texts that have a member of the list's name.
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

/// The policies on both sides of an edit, of which at least one has a member of this name; `None` within for a side
/// without a policy. `None` for what cannot be lines.
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

/// Avoids parsing most other strings.
fn may_be_policy(text: &str, list: &str) -> bool {
    let mut names = text.match_indices(list);
    text.len() <= MAX_POLICY_LEN
        && names.any(|(start, name)| {
            text[..start].ends_with('"') && text[start + name.len()..].starts_with('"')
        })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccessLine {
    pub(crate) depth: usize,
    pub(crate) sign: Sign,
    pub(crate) parts: Vec<Part>,
    pub(crate) element: Option<ElementPlace>,
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
            element: None,
        }
    }

    fn about(self, element: ElementPlace) -> Self {
        Self {
            element: Some(element),
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
            let mut changes = firewall::of_object(resource_type, object, sign);
            changes.extend(policy::of_object(own, sign, redactor, documents));
            changes.extend(bindings::of_object(own, sign, redactor, documents));
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

/// Whether no label or note is lost if lines with these labels replace the edit.
fn fits(edit: &Edit<'_>, shown: &[Label]) -> bool {
    edit.notes.is_empty() && edit.labels.iter().all(|label| shown.contains(&label))
}

/// Whether an attribute has rules of a firewall, which are lines of their own.
pub(in crate::review) fn is_rule(resource_type: &str, name: &str) -> bool {
    match shape(resource_type) {
        Some(Shape::Blocks(lists)) => lists.contains(&name),
        Some(Shape::Rule(_)) | None => false,
    }
}

pub(in crate::review) fn bare(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/*+=@?$%#~…".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        crate::text::quote(text)
    }
}
