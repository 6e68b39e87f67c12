//! Applies a rule to a change.

use std::collections::{HashMap, HashSet};

use bumpalo::Bump;

use super::rule::{Condition, Rule, Test, applies};
use super::side::{Pattern, Place, path_text};
use super::world::{Access, is_everybody, scalar};
use super::{Destroyed, Fact, FactKind, Fate, PathStep, Subject, policy};
use crate::json::Value;

/// How many rules of a firewall are compared with each new one. More than this, and an addition may be
/// reported although an older rule has it.
const COMPARED: usize = 256;

/// Adds the facts that a rule finds.
pub(super) fn apply<'a>(
    rule: &Rule,
    subject: &Subject<'a>,
    destroyed: &Destroyed<'a>,
    arena: &'a Bump,
    facts: &mut Vec<Fact>,
) {
    let mut add = |path: Vec<PathStep>, text: String| facts.push(Fact { kind: rule.kind, path, text });
    match &rule.condition {
        Condition::Lost { what, show } => {
            if let Some(fate) = loss(subject.fate) {
                add(Vec::new(), format!("{what} {fate}{}", description(subject, show)));
            }
        }
        Condition::Unprotected => {
            if subject.fate == Fate::Destroyed && !destroyed.are_named_by(subject.before) {
                add(Vec::new(), "destroyed, while what it protects stays".to_owned());
            }
        }
        Condition::Interrupted => {
            if subject.fate == Fate::DestroyedThenCreated {
                add(Vec::new(), "destroyed before its replacement is created".to_owned());
            }
        }
        Condition::At { pattern, test, only_where } => {
            let places = Places {
                before: places(pattern, subject.before, only_where),
                after: places(pattern, subject.after, only_where),
                pattern,
                kind: rule.kind,
                fate: subject.fate,
            };
            if matches!(subject.fate, Fate::Destroyed | Fate::Forgotten) {
                return;
            }
            if rule.kind != FactKind::Opens && !subject.fate.is_kept_or_replaced() {
                return;
            }
            places.test(test, arena, &mut add);
        }
    }
}

fn loss(fate: Fate) -> Option<&'static str> {
    match fate {
        Fate::Created | Fate::Updated => None,
        Fate::Destroyed => Some("destroyed"),
        Fate::DestroyedThenCreated | Fate::CreatedThenDestroyed => Some("replaced: the old one is destroyed"),
        Fate::Forgotten => Some("forgotten: it stays, no longer managed"),
    }
}

/// `: engine = postgres, …`
fn description(subject: &Subject<'_>, show: &[Pattern]) -> String {
    let mut parts = Vec::new();
    for pattern in show {
        let found = pattern.places(subject.before);
        if let [place] = found.as_slice()
            && let Some(text) = place.side.known().and_then(scalar)
            && !text.is_empty()
        {
            parts.push(format!("{} = {text}", pattern.label()));
        }
    }
    if parts.is_empty() { String::new() } else { format!("; {}", parts.join(", ")) }
}

fn places<'a>(
    pattern: &Pattern,
    root: super::Side<'a>,
    only_where: &[(String, toml::Value)],
) -> Vec<Place<'a>> {
    let mut found = pattern.places(root);
    found.retain(|place| applies(only_where, place.holder, root));
    found
}

/// The places of a pattern on both sides.
struct Places<'p, 'a> {
    before: Vec<Place<'a>>,
    after: Vec<Place<'a>>,
    pattern: &'p Pattern,
    kind: FactKind,
    fate: Fate,
}

impl<'a> Places<'_, 'a> {
    fn test(&self, test: &Test, arena: &'a Bump, add: &mut dyn FnMut(Vec<PathStep>, String)) {
        match test {
            Test::World => self.world(add),
            Test::Is(values) => self.is(values, add),
            Test::There => self.there(add),
            Test::On => self.paired(add, |before, after| {
                after == Some(Value::Bool(true)) && before != Some(Value::Bool(true))
            }),
            Test::Off => self.paired(add, |before, after| {
                before == Some(Value::Bool(true)) && matches!(after, Some(Value::Bool(false) | Value::Null))
            }),
            Test::Lower { zero_is_forever } => {
                self.paired(add, |before, after| match (before.and_then(number), after.and_then(number)) {
                    (Some(old), Some(new)) if *zero_is_forever => new != 0.0 && (old == 0.0 || new < old),
                    (Some(old), Some(new)) => new < old,
                    (Some(old), None) => after == Some(Value::Null) && old > 0.0 && !zero_is_forever,
                    (None, Some(_) | None) => false,
                })
            }
            Test::Zero => self.paired(add, |before, after| {
                before.and_then(number).is_some_and(|old| old > 0.0)
                    && after.and_then(number).is_some_and(|new| new == 0.0)
            }),
            Test::Gone => self.paired(add, |before, after| {
                before.is_some_and(|value| !is_empty(value)) && after.is_some_and(is_empty)
            }),
            Test::Order(order) => self.paired(add, |before, after| {
                let rank = |value: Option<Value<'a>>| {
                    let text = value?.as_str()?;
                    order.iter().position(|word| word == text)
                };
                rank(before).zip(rank(after)).is_some_and(|(old, new)| new < old)
            }),
            Test::IamPolicy => self.policies(add, |old, new, is_new| policy::iam(old, new, is_new, arena)),
            Test::GooglePolicy => self.policies(add, |old, new, _| policy::google(old, new, arena)),
            Test::Unknown => self.unknown(add),
        }
    }

    /// Everybody gets in through a rule that was not there before, or not so wide.
    fn world(&self, add: &mut dyn FnMut(Vec<PathStep>, String)) {
        let everybody =
            |place: &&Place<'a>| place.side.known().and_then(Value::as_str).is_some_and(is_everybody);
        let text = |place: &Place<'a>| place.side.known().and_then(Value::as_str).unwrap_or_default();
        let open: HashSet<(bool, Access)> = self
            .before
            .iter()
            .filter(everybody)
            .map(|place| (text(place).contains(':'), Access::from_rule(place.holder)))
            .collect();
        let mut told = HashSet::new();
        for place in self.after.iter().filter(everybody) {
            let access = Access::from_rule(place.holder);
            let is_v6 = text(place).contains(':');
            let key = (is_v6, access.clone());
            let was_open = open.contains(&key)
                || open.iter().take(COMPARED).any(|(v6, old)| *v6 == is_v6 && access.is_within(old));
            if was_open || !told.insert(key) {
                continue;
            }
            let old: Vec<&str> = self
                .before
                .iter()
                .filter(|old| Access::from_rule(old.holder) == access)
                .map(|old| text(old))
                .filter(|text| !text.is_empty())
                .take(3)
                .collect();
            let label = [self.pattern.first_name(), &access.label()]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ");
            let new = text(place);
            add(
                place.path.clone(),
                if old.is_empty() {
                    format!("{label}: {new}")
                } else {
                    format!("{label}: {} -> {new}", old.join(", "))
                },
            );
        }
    }

    fn is(&self, values: &[String], add: &mut dyn FnMut(Vec<PathStep>, String)) {
        let known = |place: &Place<'a>| place.side.known().and_then(scalar);
        let old: HashSet<String> = self.before.iter().filter_map(known).collect();
        for place in &self.after {
            let Some(value) = known(place) else { continue };
            if !values.contains(&value) || old.contains(&value) {
                continue;
            }
            let label = path_text(&place.path);
            let before = match self.before.as_slice() {
                [only] if !self.pattern.names_elements() => known(only),
                _ => None,
            };
            add(
                place.path.clone(),
                before
                    .map_or_else(|| format!("{label}: {value}"), |old| format!("{label}: {old} -> {value}")),
            );
        }
    }

    /// An element that was not there.
    fn there(&self, add: &mut dyn FnMut(Vec<PathStep>, String)) {
        let old: HashSet<&str> = self.before.iter().map(|place| place.identity.as_str()).collect();
        for place in self.after.iter().filter(|place| !old.contains(place.identity.as_str())) {
            add(place.path.clone(), format!("{} is added", path_text(&place.path)));
        }
    }

    /// The same place on both sides.
    fn paired(
        &self,
        add: &mut dyn FnMut(Vec<PathStep>, String),
        holds: impl Fn(Option<Value<'a>>, Option<Value<'a>>) -> bool,
    ) {
        let before: HashMap<&str, &Place<'a>> =
            self.before.iter().map(|place| (place.identity.as_str(), place)).collect();
        let after: HashMap<&str, &Place<'a>> =
            self.after.iter().map(|place| (place.identity.as_str(), place)).collect();
        let mut check = |place: &Place<'a>, old: Option<&Place<'a>>, new: Option<&Place<'a>>| {
            // A hidden or unknown side proves nothing; one that is not there is null.
            let value = |place: Option<&Place<'a>>| match place {
                Some(place) => place.side.known(),
                None => Some(Value::Null),
            };
            let (old, new) = (value(old), value(new));
            if old.is_none() || new.is_none() || !holds(old, new) {
                return;
            }
            let text = |value: Option<Value<'a>>| match value {
                None | Some(Value::Null) => "null".to_owned(),
                Some(value) => scalar(value).unwrap_or_else(|| "…".to_owned()),
            };
            let label = path_text(&place.path);
            let removed =
                matches!(new, Some(Value::Null)) && !matches!(old, Some(value) if scalar(value).is_some());
            let words = match (old, removed) {
                (_, true) => format!("{label} is removed"),
                (None | Some(Value::Null), false) if self.fate == Fate::Created => {
                    format!("{label}: {}", text(new))
                }
                (_, false) => format!("{label}: {} -> {}", text(old), text(new)),
            };
            add(place.path.clone(), words);
        };
        for place in &self.after {
            check(place, before.get(place.identity.as_str()).copied(), Some(place));
        }
        for place in self.before.iter().filter(|place| !after.contains_key(place.identity.as_str())) {
            check(place, Some(place), None);
        }
    }

    fn policies(
        &self,
        add: &mut dyn FnMut(Vec<PathStep>, String),
        compare: impl Fn(Option<&str>, &str, bool) -> Vec<String>,
    ) {
        let before: HashMap<&str, &Place<'a>> =
            self.before.iter().map(|place| (place.identity.as_str(), place)).collect();
        for place in &self.after {
            let Some(new) = place.side.known().and_then(Value::as_str) else { continue };
            let old = match before.get(place.identity.as_str()) {
                Some(old) => match old.side.known() {
                    Some(value) => value.as_str(),
                    None => continue,
                },
                None => None,
            };
            for text in compare(old, new, self.fate == Fate::Created) {
                add(place.path.clone(), text);
            }
        }
    }

    /// What was known, and is known only after apply.
    fn unknown(&self, add: &mut dyn FnMut(Vec<PathStep>, String)) {
        debug_assert_eq!(self.kind, FactKind::Unseen);
        let had_value = self.before.iter().any(|place| !is_empty(place.side.value));
        if let Some(place) = self.after.iter().find(|place| place.side.has_unknown())
            && had_value
        {
            add(place.path.clone(), format!("{} is known only after apply", path_text(&place.path)));
        }
    }
}

fn number(value: Value<'_>) -> Option<f64> {
    match value {
        Value::Number(text) | Value::String(text) => text.parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn is_empty(value: Value<'_>) -> bool {
    match value {
        Value::Null | Value::String("") => true,
        Value::Array(items) => items.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => false,
    }
}
