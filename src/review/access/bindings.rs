//! Policies of Google as lines: who has which role, one line for what each role gains and one for what it loses.

use std::collections::BTreeSet;

use super::policy::replaced;
use super::{AccessChange, AccessLine, ElementPlace, Part, bare, fits, policy_texts};
use crate::diff::edits::Edit;
use crate::diff::value::{MarkedValue, Redactor};
use crate::report::{Sign, Tone};
use crate::review::documents::Documents;

/// Bindings of one policy.
const MAX_BINDINGS: usize = 1_000;
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
    if !fits(edit, &[]) {
        return None;
    }
    let read = |text: Option<&'a str>| match text {
        None => Some(Bindings::default()),
        Some(text) => Bindings::read(text, documents),
    };
    let [before, after] = policy_texts(edit, BINDINGS)?;
    let lines = compared(&read(before)?, &read(after)?)?;
    AccessChange::of_text(at, edit, BINDINGS, lines)
}

pub(super) fn of_object<'w, 'a: 'w>(
    object: MarkedValue<'a>,
    sign: Sign,
    redactor: Redactor<'a>,
    documents: &Documents<'w>,
) -> Vec<AccessChange<'a>> {
    AccessChange::of_texts(object, redactor, BINDINGS, |text| {
        let policy = Bindings::read(text, documents)?;
        let bindings = policy.bindings.iter();
        let lines = bindings.map(|binding| binding.line(sign, &binding.members));
        Some(lines.collect())
    })
}

impl<'w> Bindings<'w> {
    fn read(text: &'w str, documents: &Documents<'w>) -> Option<Self> {
        let document = documents.json(text)?;
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
        AccessLine::new(0, sign, parts).about(ElementPlace::on_side(sign, Some(self.at)))
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
