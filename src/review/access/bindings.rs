//! Policies of Google as lines: who has which role, one line for what each role gains and one for what it loses.

use std::collections::BTreeSet;

use super::policy::replaced;
use super::{AccessChange, AccessLine, ElementPlace, Part, bare, fits};
use crate::diff::edits::{Edit, Step};
use crate::diff::value::{MarkedValue, Redactor};
use crate::report::{Sign, Tone};
use crate::review::findings::Documents;
use crate::review::text::{path_text, root_name};

/// In bytes. Longer policies are compared like any other JSON.
const MAX_LEN: usize = 256 << 10;
/// Bindings of one policy.
const MAX_BINDINGS: usize = 1_000;
/// What `google_iam_policy` writes where nothing is bound.
const NO_POLICY: [&str; 2] = ["", "{}"];

/// The member of a policy with its bindings.
const BINDINGS: &str = "bindings";

/// The bindings of a policy. Their order, and that of their members, is insignificant.
#[derive(Default)]
struct Bindings<'w> {
    /// Members that are compared as they are, such as `version`.
    head: Vec<(&'w str, MarkedValue<'w>)>,
    bindings: Vec<Binding<'w>>,
}

/// Whom a role is bound to. Several bindings of one role under one condition are one.
struct Binding<'w> {
    at: usize,
    role: &'w str,
    /// The title and the expression.
    condition: Vec<&'w str>,
    members: BTreeSet<&'w str>,
}

/// `None` if it is not a policy of Google, or if a part of it is not in the lines.
pub(super) fn change<'w, 'a: 'w>(
    at: usize,
    edit: &Edit<'a>,
    documents: &Documents<'w>,
) -> Option<AccessChange<'a>> {
    if !matches!(edit.path.last(), Some(Step::Name(_))) || !fits(edit, &[]) {
        return None;
    }
    let read = |side: Option<MarkedValue<'a>>| match side {
        None => Some(Bindings::default()),
        Some(value) if value.has_marks => None,
        Some(value) => match value.as_str()? {
            text if NO_POLICY.contains(&text) => Some(Bindings::default()),
            text => Bindings::read(text, documents),
        },
    };
    let sides = [edit.before, edit.after];
    if !sides
        .iter()
        .flatten()
        .any(|side| side.as_str().is_some_and(may_be_policy))
    {
        return None;
    }
    let lines = compared(&read(edit.before)?, &read(edit.after)?)?;
    let found = AccessChange::new(vec![root_name(edit)], vec![at], BINDINGS, lines)?;
    Some(AccessChange {
        title: path_text("", edit.path),
        ..found
    })
}

pub(super) fn of_object<'w, 'a: 'w>(
    object: MarkedValue<'a>,
    sign: Sign,
    redactor: Redactor<'a>,
    documents: &Documents<'w>,
) -> Vec<AccessChange<'a>> {
    let members = object.as_object().unwrap_or_default().iter();
    let found = members
        .filter(|(_, value)| !value.has_marks)
        .filter_map(|(name, value)| {
            let text = value.as_str().filter(|text| may_be_policy(text))?;
            let policy = Bindings::read(text, documents)?;
            let lines = policy.bindings.iter();
            let lines = lines.map(|binding| binding.line(sign, &binding.members));
            let name = redactor.text(name);
            AccessChange::new(vec![name], Vec::new(), BINDINGS, lines.collect())
        });
    found.collect()
}

/// Avoids parsing most other strings.
fn may_be_policy(text: &str) -> bool {
    text.len() <= MAX_LEN && text.contains("\"bindings\"")
}

impl<'w> Bindings<'w> {
    fn read(text: &'w str, documents: &Documents<'w>) -> Option<Self> {
        let document = documents.json(text).filter(|_| text.len() <= MAX_LEN)?;
        let mut policy = Self::default();
        for (name, value) in document.as_object()? {
            if *name != BINDINGS {
                policy.head.push((name, *value));
                continue;
            }
            let bindings = value.as_array()?;
            if bindings.len() > MAX_BINDINGS {
                return None;
            }
            for (at, binding) in bindings.iter().enumerate() {
                let binding = Binding::read(at, *binding)?;
                match policy
                    .bindings
                    .iter_mut()
                    .find(|known| known.is_of(&binding))
                {
                    Some(known) => known.members.extend(binding.members),
                    None => policy.bindings.push(binding),
                }
            }
        }
        Some(policy)
    }
}

impl<'w> Binding<'w> {
    fn read(at: usize, value: MarkedValue<'w>) -> Option<Self> {
        let mut binding = Self {
            at,
            role: "",
            condition: Vec::new(),
            members: BTreeSet::new(),
        };
        for (name, value) in value.as_object()? {
            match *name {
                "role" => binding.role = value.as_str()?,
                "members" => {
                    for member in value.as_array()? {
                        binding.members.insert(member.as_str()?);
                    }
                }
                "condition" if value.is_null() => {}
                "condition" => {
                    let texts = value.as_object()?.iter().map(|(_, text)| text.as_str());
                    binding.condition = texts.collect::<Option<_>>()?;
                }
                _ => return None,
            }
        }
        Some(binding)
    }

    fn is_of(&self, other: &Self) -> bool {
        (self.role, &self.condition) == (other.role, &other.condition)
    }

    /// `roles/viewer for user:a@example.com`
    fn line(&self, sign: Sign, members: &BTreeSet<&str>) -> AccessLine {
        let mut parts = vec![Part::text(format!("{} for ", bare(self.role)))];
        parts.push(Part::of(
            Tone::Plain,
            members.iter().map(|member| bare(member)).collect(),
        ));
        if !self.condition.is_empty() {
            parts.push(Part::text(" if "));
            let texts = self.condition.iter().map(|text| bare(text));
            parts.push(Part::of(Tone::Plain, texts.collect()));
        }
        let element = match sign {
            Sign::Remove => ElementPlace::new(Some(self.at), None),
            Sign::Add | Sign::Change | Sign::Same | Sign::Note => {
                ElementPlace::new(None, Some(self.at))
            }
        };
        AccessLine::new(0, sign, parts).about(element)
    }
}

/// `None` if anything else differs than who has which role.
fn compared(before: &Bindings<'_>, after: &Bindings<'_>) -> Option<Vec<AccessLine>> {
    let mut lines = Vec::new();
    let find = |head: &[(&str, MarkedValue<'_>)], name: &str| {
        let found = head.iter().find(|(own, _)| *own == name);
        found.and_then(|(_, value)| value.content.scalar_text().map(bare))
    };
    for (name, value) in before.head.iter().chain(&after.head) {
        let sides = [&before.head, &after.head].map(|head| find(head, name));
        let is_version = *name == "version";
        let is_same = [&before.head, &after.head].iter().all(|head| {
            head.iter()
                .any(|(own, other)| own == name && other == value)
        });
        let is_one_empty = before.bindings.is_empty() || after.bindings.is_empty();
        if !(is_version || is_same || is_one_empty) {
            return None;
        }
        if let ([Some(old), Some(new)], true) = (&sides, is_version && lines.is_empty())
            && old != new
        {
            lines.push(AccessLine::new(0, Sign::Change, replaced(name, old, new)));
        }
    }
    for (own, other, sign) in [(before, after, Sign::Remove), (after, before, Sign::Add)] {
        for binding in &own.bindings {
            let known = other.bindings.iter().find(|known| known.is_of(binding));
            let is_missing =
                |member: &&&str| known.is_none_or(|known| !known.members.contains(**member));
            let missing: BTreeSet<&str> =
                binding.members.iter().filter(is_missing).copied().collect();
            if !missing.is_empty() {
                lines.push(binding.line(sign, &missing));
            }
        }
    }
    Some(lines)
}
