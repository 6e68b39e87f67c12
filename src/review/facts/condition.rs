//! Applies a rule to a change.

use std::collections::{HashMap, HashSet};

use bumpalo::Bump;

use super::rule::{Condition, Rule, Test, applies};
use super::side::{PathStep, Pattern, Place, Side, known, path_of_edit, path_text, scalar};
use super::world::{Access, is_everybody};
use super::{Destroyed, Fate, Subject, policy};
use crate::diff::value::{Content, MarkedValue, Redactor};
use crate::review::entry::{Fact, FactKind};

/// The number of old firewall rules that each new one is compared with. If there are more, a new rule may be
/// reported although one of the others already allowed the same.
const MAX_COMPARED: usize = 256;

/// Adds the facts that a rule finds. Policies are parsed in `scratch`.
pub(super) fn apply<'w, 'a>(
    rule: &Rule,
    subject: &Subject<'w>,
    destroyed: &Destroyed,
    redactor: Redactor<'a>,
    scratch: &'w Bump,
    facts: &mut Vec<Fact<'a>>,
) {
    let mut add = |path: &[PathStep<'w>], side: Side, text: String| {
        facts.push(Fact {
            kind: rule.kind,
            path: path_of_edit(path, side, redactor),
            text,
            origin: rule.origin,
        });
    };
    match &rule.condition {
        Condition::Lost { what, show } => {
            if let Some(fate) = loss(subject.fate) {
                add(&[], Side::Before, format!("{what} {fate}{}", description(subject, show)));
            }
        }
        Condition::Unprotected => {
            if matches!(subject.fate, Fate::Destroyed | Fate::Unknown)
                && !destroyed.are_named_by(subject.before)
            {
                add(&[], Side::Before, "destroyed, while what it protects stays".to_owned());
            }
        }
        Condition::Interrupted => {
            let may_come_back = subject.fate == Fate::Unknown && !subject.after.is_null();
            if subject.fate == Fate::DestroyedThenCreated || may_come_back {
                add(&[], Side::Before, "destroyed before its replacement is created".to_owned());
            }
        }
        Condition::At { pattern, test, only_where } => {
            let ends = match subject.fate {
                Fate::Destroyed | Fate::Forgotten => true,
                Fate::Unknown => subject.after.is_null(),
                Fate::Created | Fate::Updated | Fate::DestroyedThenCreated | Fate::CreatedThenDestroyed => {
                    false
                }
            };
            if ends || (rule.kind != FactKind::Opens && !subject.fate.is_kept_or_replaced()) {
                return;
            }
            let places = Places {
                before: places(pattern, subject.before, only_where),
                after: places(pattern, subject.after, only_where),
                holders: if matches!(test, Test::Emptied) {
                    pattern.holders(subject.after)
                } else {
                    HashSet::new()
                },
                pattern,
                fate: subject.fate,
            };
            places.test(test, scratch, &mut add);
        }
    }
}

/// A function that adds a fact: its path, the side that the path is in, and its text.
type Add<'f, 'w> = &'f mut dyn FnMut(&[PathStep<'w>], Side, String);

fn loss(fate: Fate) -> Option<&'static str> {
    match fate {
        Fate::Created | Fate::Updated => None,
        Fate::Destroyed => Some("destroyed"),
        Fate::DestroyedThenCreated | Fate::CreatedThenDestroyed => Some("replaced: the old one is destroyed"),
        Fate::Forgotten => Some("forgotten: it stays, no longer managed"),
        Fate::Unknown => Some("may be destroyed: its action is unknown"),
    }
}

/// The values of some attributes of the old object: `; engine = postgres, …`.
fn description(subject: &Subject<'_>, show: &[Pattern]) -> String {
    let mut parts = Vec::new();
    for pattern in show {
        let found = pattern.places(subject.before);
        if let [place] = found.as_slice()
            && let Some(text) = known(Some(place.value)).and_then(scalar)
            && !text.is_empty()
        {
            parts.push(format!("{} = {text}", pattern.label()));
        }
    }
    if parts.is_empty() { String::new() } else { format!("; {}", parts.join(", ")) }
}

fn places<'w>(
    pattern: &Pattern,
    root: MarkedValue<'w>,
    only_where: &[(String, toml::Value)],
) -> Vec<Place<'w>> {
    let mut found = pattern.places(root);
    found.retain(|place| applies(only_where, place.holder, root));
    found
}

/// The places of a pattern on both sides.
struct Places<'p, 'w> {
    before: Vec<Place<'w>>,
    after: Vec<Place<'w>>,
    /// The identities of the objects after, for tests that need them.
    holders: HashSet<String>,
    pattern: &'p Pattern,
    fate: Fate,
}

impl<'w> Places<'_, 'w> {
    fn test(&self, test: &Test, scratch: &'w Bump, add: Add<'_, 'w>) {
        match test {
            Test::World => self.world(add),
            Test::Is(values) => self.is(values, add),
            Test::There => self.there(add),
            Test::On => self.paired(add, |before, after| is_true(after) && !is_true(before)),
            Test::Off => self.paired(add, |before, after| {
                is_true(before) && matches!(after, Content::Bool(false) | Content::Null)
            }),
            Test::Lower { zero_is_forever } => {
                self.paired(add, |before, after| match (number(before), number(after)) {
                    (Some(old), Some(new)) if *zero_is_forever => new != 0.0 && (old == 0.0 || new < old),
                    (Some(old), Some(new)) => new < old,
                    (Some(old), None) => matches!(after, Content::Null) && old > 0.0 && !zero_is_forever,
                    (None, Some(_) | None) => false,
                });
            }
            Test::Zero => self.paired(add, |before, after| {
                number(before).is_some_and(|old| old > 0.0) && number(after).is_some_and(|new| new == 0.0)
            }),
            Test::Gone => self.paired(add, |before, after| !is_empty(before) && is_empty(after)),
            Test::Emptied => self.emptied(add),
            Test::Order(order) => self.paired(add, |before, after| {
                let rank = |content: Content<'w>| {
                    let Content::String(text) = content else { return None };
                    order.iter().position(|word| word == text)
                };
                rank(before).zip(rank(after)).is_some_and(|(old, new)| new < old)
            }),
            Test::IamPolicy => {
                self.policies(add, |old, new| policy::iam(old, new, self.fate == Fate::Created, scratch));
            }
            Test::GooglePolicy => self.policies(add, |old, new| policy::google(old, new, scratch)),
            Test::Unknown => self.unknown(add),
        }
    }

    /// Finds access for everybody that is new, or wider than before.
    fn world(&self, add: Add<'_, 'w>) {
        let everybody = |place: &&Place<'w>| text_of(place).is_some_and(is_everybody);
        let key = |place: &Place<'w>| {
            (text_of(place).is_some_and(|text| text.contains(':')), Access::from_rule(place.holder))
        };
        // In the order of the plan, so that each run compares the same ones.
        let mut in_order: Vec<(bool, Access)> = Vec::new();
        let mut open = HashSet::new();
        for access in self.before.iter().filter(everybody).map(key) {
            if open.insert(access.clone()) && in_order.len() < MAX_COMPARED {
                in_order.push(access);
            }
        }
        let mut reported = HashSet::new();
        for place in self.after.iter().filter(everybody) {
            let (is_v6, access) = key(place);
            let is_wider = |(old_v6, old): &(bool, Access)| *old_v6 == is_v6 && access.is_within(old);
            let was_open = open.contains(&(is_v6, access.clone())) || in_order.iter().any(is_wider);
            if was_open || !reported.insert((is_v6, access.clone())) {
                continue;
            }
            let same_access = self.before.iter().filter(|old| Access::from_rule(old.holder) == access);
            let old: Vec<&str> =
                same_access.filter_map(text_of).filter(|text| !text.is_empty()).take(MAX_OLD).collect();
            let label = [self.pattern.first_name().to_owned(), access.label()];
            let label: Vec<String> = label.into_iter().filter(|part| !part.is_empty()).collect();
            let (label, new) = (label.join(" "), text_of(place).unwrap_or_default());
            let text = match old.as_slice() {
                [] => format!("{label}: {new}"),
                old => format!("{label}: {} -> {new}", old.join(", ")),
            };
            add(&place.path, Side::After, text);
        }
    }

    fn is(&self, values: &[String], add: Add<'_, 'w>) {
        let readable = |place: &Place<'w>| known(Some(place.value)).and_then(scalar);
        let old: HashSet<String> = self.before.iter().filter_map(readable).collect();
        for place in &self.after {
            let Some(value) = readable(place) else { continue };
            if !values.contains(&value) || old.contains(&value) {
                continue;
            }
            let label = path_text(&place.path);
            let before = match self.before.as_slice() {
                [only] if !self.pattern.names_elements() => readable(only),
                _ => None,
            };
            let text = match before {
                Some(old) => format!("{label}: {old} -> {value}"),
                None => format!("{label}: {value}"),
            };
            add(&place.path, Side::After, text);
        }
    }

    /// Finds added elements.
    fn there(&self, add: Add<'_, 'w>) {
        let old: HashSet<&str> = self.before.iter().map(|place| place.identity.as_str()).collect();
        for place in self.after.iter().filter(|place| !old.contains(place.identity.as_str())) {
            add(&place.path, Side::After, format!("{} is added", path_text(&place.path)));
        }
    }

    /// Compares the values of the same place on both sides. A missing value is null; hidden and unknown
    /// values prove nothing.
    fn paired(&self, add: Add<'_, 'w>, holds: impl Fn(Content<'w>, Content<'w>) -> bool) {
        let (before, after) = (by_identity(&self.before), by_identity(&self.after));
        let mut check = |place: &Place<'w>, old: Option<&Place<'w>>, new: Option<&Place<'w>>| {
            let content = |place: Option<&Place<'w>>| known(place.map(|place| place.value));
            let (Some(old), Some(new)) = (content(old), content(new)) else { return };
            if !holds(old, new) {
                return;
            }
            let text = |content: Content<'w>| {
                let other = if is_empty(content) { "null" } else { "…" };
                scalar(content).unwrap_or_else(|| other.to_owned())
            };
            let label = path_text(&place.path);
            let is_null = |content: Content<'w>| matches!(content, Content::Null);
            let text = if is_empty(new) && scalar(old).is_none() {
                format!("{label} is removed")
            } else if is_null(old) && self.fate == Fate::Created {
                format!("{label}: {}", text(new))
            } else {
                format!("{label}: {} -> {}", text(old), text(new))
            };
            let side = if is_null(new) { Side::Before } else { Side::After };
            add(&place.path, side, text);
        };
        for place in &self.after {
            check(place, before.get(place.identity.as_str()).copied(), Some(place));
        }
        for place in self.before.iter().filter(|place| !after.contains_key(place.identity.as_str())) {
            check(place, Some(place), None);
        }
    }

    /// Finds values that are removed while the object that contains them remains.
    fn emptied(&self, add: Add<'_, 'w>) {
        let is_held = |place: &&Place<'w>| {
            place.identity.rsplit_once('.').is_some_and(|(holder, _)| self.holders.contains(holder))
        };
        let kept = Self {
            before: self.before.iter().filter(is_held).cloned().collect(),
            after: self.after.clone(),
            holders: HashSet::new(),
            ..*self
        };
        kept.paired(add, |before, after| !is_empty(before) && is_empty(after));
    }

    fn policies(&self, add: Add<'_, 'w>, compare: impl Fn(Option<&str>, &str) -> Vec<String>) {
        let before = by_identity(&self.before);
        for place in &self.after {
            let Some(new) = text_of(place) else { continue };
            let old = match before.get(place.identity.as_str()) {
                None => None,
                Some(old) => match known(Some(old.value)) {
                    Some(Content::String(text)) => Some(text),
                    Some(_) => None,
                    // The old policy is hidden, so it is unknown which grants are new.
                    None => continue,
                },
            };
            for text in compare(old, new) {
                add(&place.path, Side::After, text);
            }
        }
    }

    /// Finds values that become unknown.
    fn unknown(&self, add: Add<'_, 'w>) {
        let had_value = self.before.iter().any(|place| !is_empty(place.value.content));
        if had_value && let Some(place) = self.after.iter().find(|place| place.value.has_unknown()) {
            let text = format!("{} is known only after apply", path_text(&place.path));
            add(&place.path, Side::After, text);
        }
    }
}

/// The maximum number of old values shown with a new one.
const MAX_OLD: usize = 3;

fn by_identity<'p, 'w>(places: &'p [Place<'w>]) -> HashMap<&'p str, &'p Place<'w>> {
    places.iter().map(|place| (place.identity.as_str(), place)).collect()
}

/// The string at a place, if it is known and not sensitive.
fn text_of<'w>(place: &Place<'w>) -> Option<&'w str> {
    if let Some(Content::String(text)) = known(Some(place.value)) { Some(text) } else { None }
}

fn is_true(content: Content<'_>) -> bool {
    matches!(content, Content::Bool(true))
}

fn number(content: Content<'_>) -> Option<f64> {
    match content {
        Content::Number(text) | Content::String(text) => text.parse().ok(),
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Bool(_)
        | Content::Array(_)
        | Content::Object(_) => None,
    }
}

fn is_empty(content: Content<'_>) -> bool {
    matches!(content, Content::Null | Content::String("") | Content::Array([]))
}
