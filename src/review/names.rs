//! Names of attributes and types, and words in them, that mean something to a reviewer: the lists of `names.txt`; and the
//! importance that they give to edits and entries. Heavy attributes are written first, and light ones are left out first.
//! Weights only determine the order, never the verdict.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::HashMap;

use super::ChangeKind;
use super::entry::{Entry, Level};
use super::text::{is_same_name, root_name};
use crate::diff::edits::{Edit, Label, Note, Step};

static LISTS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut lists = HashMap::<_, Vec<_>>::default();
    let mut title = "";
    for line in include_str!("names.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.strip_suffix(':') {
            Some(own) => title = own,
            None => lists.entry(title).or_default().extend(line.split_whitespace()),
        }
    }
    lists
});

/// All lists, each with its title.
pub(super) fn lists() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    LISTS.iter().map(|(title, words)| (*title, words.as_slice()))
}

/// The words of a list.
pub(crate) fn words(title: &str) -> &'static [&'static str] {
    LISTS.get(title).map_or(&[], Vec::as_slice)
}

/// The types whose objects are made to be replaced, so that destroying one loses nothing.
pub(super) fn replaceable() -> &'static [&'static str] {
    words("types made to be replaced")
}

/// Whether objects of a type are made to be replaced.
pub(super) fn is_made_to_be_replaced(resource_type: &str) -> bool {
    replaceable().iter().any(|name| match name.strip_suffix('*') {
        Some(start) => resource_type.starts_with(start),
        None => *name == resource_type,
    })
}

/// The weights of words in names.
static WORDS: LazyLock<HashMap<&str, Weight>> = LazyLock::new(|| {
    let lists = [("heavy words", Weight::Heavy), ("descriptive words", Weight::Descriptive)];
    lists.into_iter().flat_map(|(list, weight)| words(list).iter().map(move |word| (*word, weight))).collect()
});

/// The maximum length of names that are examined, in bytes.
const MAX_LEN: usize = 100;

/// The number of steps of a path that are examined, counted from its end.
const STEPS: usize = 16;

/// The weight of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Weight {
    /// An attribute for human readers, or a change that is proven to have no effect.
    Light,
    /// An identifier, which says nothing about the object itself.
    Identifier,
    /// Anything else.
    Plain,
    /// A description of the object, such as its size.
    Descriptive,
    /// Access to the object, its protection or its content.
    Heavy,
}

impl Weight {
    /// The weight of an attribute, by its name.
    pub(crate) fn from_name(name: &str) -> Self {
        // Longer names are keys of maps, not attributes.
        if name.len() > MAX_LEN {
            return Self::Plain;
        }
        if words("light").contains(&name) {
            return Self::Light;
        }
        match name.split(['_', '-', '.']).filter_map(|word| WORDS.get(word)).max() {
            Some(Self::Heavy) => Self::Heavy,
            _ if is_identifier(name) => Self::Identifier,
            weight => weight.copied().unwrap_or(Self::Plain),
        }
    }

    /// The weight of an edit: the weight of the heaviest name on its path.
    pub(crate) fn from_edit(edit: &Edit<'_>) -> Self {
        if is_cosmetic(edit) || words("light").contains(&root_name(edit)) {
            return Self::Light;
        }
        let mut weight = Self::Plain;
        let mut path = edit.path;
        for _ in 0..STEPS {
            let Some(step) = path.last() else { break };
            if let Step::Name(name) = step {
                weight = weight.max(Self::from_name(name));
            }
            path = path.parent().unwrap_or_default();
        }
        if matches!((edit.before, edit.after), (Some(_), Some(after)) if after.is_unknown())
            && is_identifier(root_name(edit))
        {
            return Self::Identifier;
        }
        weight
    }
}

/// Whether the name is the name of an identifier, which says nothing about the object itself.
pub(crate) fn is_identifier(name: &str) -> bool {
    const NAMES: [&str; 9] =
        ["id", "arn", "self_link", "uid", "urn", "guid", "generation", "resource_id", "unique_id"];
    NAMES.contains(&name) || ["_id", "_ids", "_arn", "_arns", "_uid"].iter().any(|end| name.ends_with(end))
}

/// Whether the name is that of an attribute which a provider computes anew with any change: a version of the object, a
/// hash, a time, a state, or all of these (the `metadata` of a release).
pub(crate) fn is_follower(name: &str) -> bool {
    let is_named = words("followers").contains(&name)
        || words("ends of followers").iter().any(|end| name.ends_with(end));
    is_named && !words("versions of software").contains(&name)
}

/// Whether the change is proven to have no effect.
pub(crate) fn is_cosmetic(edit: &Edit<'_>) -> bool {
    const PROVEN: [Label; 3] = [Label::Order, Label::Format, Label::TypeOnly];
    let label = PROVEN.into_iter().any(|label| edit.labels.contains(label));
    label || edit.notes.iter().any(|note| matches!(note, Note::SameYaml | Note::SameDecoded))
}

/// The risk of an entry among those with the same action, the most severe first: the rank of its gravest finding in the
/// plan, the highest number without any; and the weight of what changes.
type RiskWithinAction = (usize, Reverse<Weight>);

impl Entry<'_> {
    /// The order if space is limited: by the level of the findings, then by action, then by the gravest finding and
    /// the weight of the changed attributes. Findings of a found configuration file do not displace others.
    pub(crate) fn risk(&self) -> (Reverse<Level>, ChangeKind, RiskWithinAction) {
        (Reverse(self.level), self.kind(), self.risk_within_action())
    }

    /// The order among entries with the same action.
    pub(crate) fn risk_within_action(&self) -> RiskWithinAction {
        let weight = self.edits.iter().map(Weight::from_edit).max().unwrap_or(Weight::Light);
        (self.findings.first().copied().unwrap_or(usize::MAX), Reverse(weight))
    }
}

/// The display order of edits: the attributes `flagged` by findings first, then by their heaviest edit, then in the
/// order of the plan. The edits of an attribute stay together.
pub(super) fn order(edits: &[Edit<'_>], flagged: &[&str]) -> Vec<usize> {
    let mut groups: Vec<((bool, Weight), Range<usize>)> = Vec::new();
    let mut from = 0;
    for group in edits.chunk_by(|edit, other| is_same_name(root_name(edit), root_name(other))) {
        let weight = group.iter().map(Weight::from_edit).max().unwrap_or(Weight::Light);
        let is_flagged = group.first().is_some_and(|edit| flagged.contains(&root_name(edit)));
        groups.push(((is_flagged, weight), from..from + group.len()));
        from += group.len();
    }
    crate::sort::by_key(&mut groups, |(weight, _)| Reverse(*weight));
    groups.into_iter().flat_map(|(_, range)| range).collect()
}

#[cfg(test)]
mod tests;
