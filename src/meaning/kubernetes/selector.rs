//! Selectors of labels, as sets of the labels that an object may have.
//!
//! Any object may have any labels, so a selector is compared over all combinations of what the selectors at hand
//! mention: for each key no label, each value that is named, and a value that no selector names.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::bits::Bits;
use super::growth::Growth;
use super::view::View;

/// The most combinations of labels that are counted. Selectors of real objects have two or three keys.
const MOST: usize = 1 << 14;

/// The values that a selector allows for one key.
#[derive(Clone, Debug)]
enum Test<'w> {
    In(BTreeSet<&'w str>),
    NotIn(BTreeSet<&'w str>),
    Exists,
    Absent,
}

/// A label of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label<'w> {
    Absent,
    /// A value that no selector mentions.
    Other,
    Value(&'w str),
}

impl Test<'_> {
    fn allows(&self, label: Label<'_>) -> bool {
        let is_one_of = |values: &BTreeSet<&str>| match label {
            Label::Value(value) => values.contains(value),
            Label::Absent | Label::Other => false,
        };
        match self {
            Self::In(values) => is_one_of(values),
            Self::NotIn(values) => !is_one_of(values),
            Self::Exists => label != Label::Absent,
            Self::Absent => label == Label::Absent,
        }
    }
}

/// A selector of labels: all of its tests must hold. No tests select everything.
#[derive(Clone, Debug, Default)]
pub(super) struct Selector<'w>(Vec<(&'w str, Test<'w>)>);

impl<'w> Selector<'w> {
    /// Reads a selector of the API; `None` if it has an operator that is not known.
    pub(super) fn new(view: View<'w>) -> Option<Self> {
        let mut tests = Vec::new();
        for (key, value) in view.get("matchLabels").entries() {
            if let Some(value) = value.content.scalar_text() {
                tests.push((*key, Test::In(BTreeSet::from([value]))));
            }
        }
        for expression in view.list("matchExpressions") {
            let Some(key) = expression.get("key").text() else {
                continue;
            };
            let values = || -> BTreeSet<&'w str> {
                expression
                    .list("values")
                    .filter_map(|value| value.value()?.content.scalar_text())
                    .collect()
            };
            let test = match expression.get("operator").text()? {
                "In" => Test::In(values()),
                "NotIn" => Test::NotIn(values()),
                "Exists" => Test::Exists,
                "DoesNotExist" => Test::Absent,
                _ => return None,
            };
            tests.push((key, test));
        }
        Some(Self(tests))
    }

    /// Whether the selector mentions a value of a key.
    pub(super) fn mentions(&self, key: &str, value: &str) -> bool {
        self.0.iter().any(|(own, test)| {
            *own == key
                && match test {
                    Test::In(values) | Test::NotIn(values) => values.contains(value),
                    Test::Exists | Test::Absent => false,
                }
        })
    }

    /// Adds the keys and values that the selector mentions.
    fn mention(&self, keys: &mut BTreeMap<&'w str, BTreeSet<&'w str>>) {
        for (key, test) in &self.0 {
            let values = keys.entry(key).or_default();
            match test {
                Test::In(named) | Test::NotIn(named) => values.extend(named),
                Test::Exists | Test::Absent => {}
            }
        }
    }
}

/// Returns, for each kind of object that selectors tell apart, which of the selectors select it; `None` if there are
/// too many combinations. `may_exist` says of the labels of a key whether an object may have them.
pub(super) fn kinds<'w>(
    selectors: &[&Selector<'w>],
    may_exist: impl Fn(&str, Label<'w>) -> bool,
) -> Option<HashSet<Bits>> {
    let mut keys = BTreeMap::new();
    for selector in selectors {
        selector.mention(&mut keys);
    }
    // All selectors, as long as the labels that are chosen so far allow each of them. Combinations that no selector
    // tells apart are joined after each key, so their number stays small.
    let mut kinds = HashSet::from([Bits::new(selectors.len(), |_| true)]);
    for (key, values) in keys {
        let labels = [Label::Absent, Label::Other]
            .into_iter()
            .chain(values.into_iter().map(Label::Value))
            .filter(|label| may_exist(key, *label));
        let allowed: HashSet<Bits> = labels
            .map(|label| {
                Bits::new(selectors.len(), |index| {
                    selectors.get(index).is_some_and(|selector| {
                        selector
                            .0
                            .iter()
                            .all(|(own, test)| *own != key || test.allows(label))
                    })
                })
            })
            .collect();
        if kinds.len() * allowed.len() > MOST {
            return None;
        }
        kinds = kinds
            .iter()
            .flat_map(|kind| allowed.iter().map(|label| kind.and(label)))
            .collect();
    }
    Some(kinds)
}

/// Returns what a list of selectors gains and loses, of which each adds what it selects; `None` if they cannot be
/// compared.
pub(super) fn growth(before: &[View<'_>], after: &[View<'_>]) -> Option<Growth> {
    let all: Option<Vec<_>> = before
        .iter()
        .chain(after)
        .map(|view| Selector::new(*view))
        .collect();
    let all = all?;
    let mut growth = Growth::default();
    for kind in kinds(&all.iter().collect::<Vec<_>>(), |_, _| true)? {
        let was = (0..before.len()).any(|index| kind.contains(index));
        let is = (before.len()..all.len()).any(|index| kind.contains(index));
        growth.grew |= is && !was;
        growth.shrank |= was && !is;
    }
    Some(growth)
}
