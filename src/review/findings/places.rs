//! The tests of rules on the values at the places of a pattern, before and after.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet, VecDeque};

use super::condition::{Add, Told, only, short};
use super::path::{PathStep, Side, path_text};
use super::policy;
use super::rule::{At, Rule, Test, applies};
use super::side::{Place, Root, Unread};
use super::{Fate, Subject, vault};
use crate::access::{glob_matches, known, scalar};
use crate::diff::value::{Content, MarkedValue};
use crate::review::entry::FindingKind;

/// The places of a pattern on both sides.
pub(super) struct Places<'p, 'w> {
    pub subject: &'p Subject<'p, 'w>,
    pub rule: &'p Rule,
    pub at: &'p At,
}

impl<'w> Places<'_, 'w> {
    pub(super) fn root(&self, side: Side) -> Root<'_, 'w> {
        let value = match side {
            Side::Before => self.subject.before,
            Side::After => self.subject.after,
        };
        Root { value, documents: Some(self.subject.documents) }
    }

    /// Visits the places of one side, and returns what could not be read.
    pub(super) fn visit(&self, side: Side, visit: &mut dyn FnMut(&Place<'_, 'w>)) -> Unread {
        let root = self.root(side);
        self.at.pattern.visit(root, &mut |place| {
            // What a version has to do with is as after the change.
            let is_free = side == Side::Before && matches!(self.at.test, Test::Major);
            if is_free || applies(&self.rule.only_where, place.holder, place.around, root.value) {
                visit(place);
            }
        })
    }

    /// The finding with this text about a value, which may have a level of its own.
    pub(super) fn told(&self, text: String, value: Option<&str>) -> Told {
        let text = match &self.at.what {
            Some(what) => format!("{what} ({text})"),
            None => text,
        };
        let level = value.and_then(|value| self.at.levels.get(value));
        Told { text, grade: level.map(|level| (*level, self.rule.weight)) }
    }

    pub(super) fn test(&self, add: Add<'_, 'w>) {
        let is_created = self.subject.fate == Fate::Created;
        match &self.at.test {
            Test::World => self.world(add),
            Test::Is(values) => self.is(values, add),
            Test::There => self.there(add),
            Test::On => self.paired(None, add, |before, after| is_true(after) && !is_true(before)),
            Test::Off => self.paired(None, add, |before, after| {
                is_true(before) && (is_false(after) || matches!(after, Content::Null))
                    || is_created && is_false(after)
            }),
            Test::Lower { zero_is_forever } => {
                self.paired(None, add, |before, after| match (number(before), number(after)) {
                    (Some(old), Some(new)) if *zero_is_forever => new > 0.0 && (old <= 0.0 || new < old),
                    (Some(old), Some(new)) => new < old,
                    (Some(old), None) => matches!(after, Content::Null) && old > 0.0 && !zero_is_forever,
                    (None, Some(_) | None) => false,
                });
            }
            Test::Higher => self.numbers(add, |old, new| old.is_some_and(|old| new > old)),
            Test::Below(limit) => {
                self.numbers(add, |old, new| new < *limit && old.map_or(is_created, |old| old >= *limit));
            }
            Test::Above(limit) => {
                self.numbers(add, |old, new| new > *limit && old.map_or(is_created, |old| old <= *limit));
            }
            Test::Changed => self.paired(None, add, |before, after| {
                let texts = (scalar(before), scalar(after));
                // What is removed opens nothing.
                let counts = !is_empty(after) || self.rule.kind != FindingKind::Exposure;
                matches!(texts, (Some(old), new) if Some(old) != new && !old.is_empty() && is_known(after))
                    && counts
            }),
            Test::Fewer => self.fewer(add),
            Test::Mentions => self.mentions(add),
            Test::Major => self.paired(None, add, |before, after| {
                let [old, new] = [before, after].map(|version| scalar(version).and_then(major));
                old.zip(new).is_some_and(|(old, new)| new > old)
            }),
            Test::Role(test) => self.role(test, add),
            Test::Deny => self.denied(add),
            Test::Zero => {
                self.numbers(add, |old, new| new == 0.0 && old.is_some_and(|old| old != 0.0));
            }
            Test::Gone => self.paired(None, add, |before, after| !is_empty(before) && is_empty(after)),
            Test::Emptied => {
                let holders = self.at.pattern.holders(self.root(Side::After));
                self.paired(Some(&holders), add, |before, after| !is_empty(before) && is_empty(after));
            }
            Test::Order(order) => self.paired(None, add, |before, after| {
                let rank = |content: Content<'w>| {
                    let only =
                        if let Content::Array([only]) = content { known(Some(*only))? } else { content };
                    let text = scalar(only)?;
                    order.iter().position(|word| glob_matches(word, text))
                };
                match (rank(before), rank(after)) {
                    (Some(old), Some(new)) => new < old,
                    (None, Some(0)) => is_created,
                    (Some(_) | None, Some(_) | None) => false,
                }
            }),
            Test::IamPolicy => {
                self.policies(add, |old, new| policy::iam(old, new, is_created, self.subject.policies));
            }
            Test::VaultPolicy => self.policies(add, |old, new| vault::grants(old, new, is_created)),
            Test::Unknown => self.unknown(add),
        }
    }

    /// Compares numbers: the one before, if there is one, and the one after.
    fn numbers(&self, add: Add<'_, 'w>, holds: impl Fn(Option<f64>, f64) -> bool) {
        self.paired(None, add, |before, after| number(after).is_some_and(|new| holds(number(before), new)));
    }

    /// Finds elements of lists that are gone, while the list stays or becomes empty.
    fn fewer(&self, add: Add<'_, 'w>) {
        let (mut stays, mut names, mut has_unknown) = (HashSet::new(), HashSet::new(), false);
        let unread = self.visit(Side::After, &mut |place| {
            has_unknown |= place.value.has_unknown();
            stays.insert(place.value.hash_value());
            names.insert(place.identity.to_owned());
        });
        if !unread.is_empty() || has_unknown {
            return;
        }
        self.visit(Side::Before, &mut |place| {
            let is_named = place.identity.ends_with("\"]");
            let may_stay =
                stays.contains(&place.value.hash_value()) || is_named && names.contains(place.identity);
            if !may_stay {
                let value = readable(place).filter(|text| !text.is_empty());
                let label = match value {
                    Some(value) => format!("{} loses {}", self.at.pattern.label(), short(value)),
                    None if is_named => format!("{} is removed", place.identity),
                    None => format!("{} is removed", path_text(place.path)),
                };
                add(place.path, Side::Before, self.told(label, value));
            }
        });
    }

    /// Finds those whom a message named (`@name`), and no longer names.
    fn mentions(&self, add: Add<'_, 'w>) {
        let names = |text: &'w str| {
            let words = text.split(|c: char| !c.is_alphanumeric() && !"@._-".contains(c));
            words
                .map(|word| word.trim_end_matches(['.', '-']))
                .filter(|word| word.len() > 1 && word.starts_with('@'))
        };
        let (mut left, mut is_known) = (HashSet::new(), false);
        self.visit(Side::After, &mut |place| {
            is_known |= known(Some(place.value)).is_some();
            left.extend(text_of(place).into_iter().flat_map(names));
        });
        self.visit(Side::Before, &mut |place| {
            let lost = text_of(place).into_iter().flat_map(names).filter(|name| !left.contains(name));
            let lost: Vec<&str> = lost.take(MAX_OLD).collect();
            if is_known && !lost.is_empty() {
                let text = format!("{} loses {}", self.at.pattern.label(), lost.join(", "));
                add(place.path, Side::Before, self.told(text, None));
            }
        });
    }

    fn is(&self, values: &HashSet<String>, add: Add<'_, 'w>) {
        let mut old = HashSet::new();
        let unread = self.visit(Side::Before, &mut |place| old.extend(readable(place)));
        if !unread.is_empty() {
            return;
        }
        // What was there counts whatever the rule requires beside it.
        let mut before = HashMap::new();
        self.at.pattern.visit(self.root(Side::Before), &mut |place| {
            before.extend(readable(place).map(|value| (place.identity.to_owned(), value)));
        });
        let sides = [Side::Before, Side::After].map(|side| only(&self.at.pattern, self.root(side)));
        let is_list = self.at.pattern.names_elements();
        self.visit(Side::After, &mut |place| {
            let Some(value) = readable(place) else { return };
            let is_listed = |value: &str| {
                let kind = value.split_once(':').map(|(kind, _)| format!("{kind}:*"));
                values.contains(value) || kind.is_some_and(|kind| values.contains(&kind))
            };
            if !is_listed(value) || old.contains(value) {
                return;
            }
            let (label, shown) = (path_text(place.path), short(value));
            let only = if let [Some(old), Some(_)] = sides { Some(old) } else { None };
            let text = match before.get(place.identity).copied().or(only) {
                Some(old) if !is_list => format!("{label}: {} -> {shown}", short(old)),
                Some(_) | None if !before.is_empty() => format!("{label}: adds {shown}"),
                Some(_) | None => format!("{label}: {shown}"),
            };
            add(place.path, Side::After, self.told(text, Some(value)));
        });
    }

    /// Finds added elements. One with the same value as one that is gone has only moved.
    fn there(&self, add: Add<'_, 'w>) {
        let mut new = HashSet::new();
        self.visit(Side::After, &mut |place| _ = new.insert(place.identity.to_owned()));
        let (mut old, mut gone) = (HashSet::new(), HashMap::<_, usize>::new());
        let unread = self.visit(Side::Before, &mut |place| {
            old.insert(place.identity.to_owned());
            if !new.contains(place.identity) {
                *gone.entry(place.value.hash_value()).or_default() += 1;
            }
        });
        if !unread.is_empty() {
            return;
        }
        self.visit(Side::After, &mut |place| {
            let is_new =
                !old.contains(place.identity) && (self.is_reached(place) || !place.value.is_unknown());
            if let Some(count @ 1..) = gone.get_mut(&place.value.hash_value()).filter(|_| is_new) {
                *count -= 1;
            } else if is_new {
                let value = readable(place).filter(|text| !text.is_empty());
                let sign = if self.subject.fate == Fate::Created { ":" } else { " adds" };
                let text = match value {
                    Some(value) => format!("{}{sign} {}", self.at.pattern.label(), short(value)),
                    None => format!("{} is added", path_text(place.path)),
                };
                add(place.path, Side::After, self.told(text, value));
            }
        });
    }

    /// Compares the values of the same place on both sides. A missing value is null; hidden and unknown
    /// values prove nothing. With `holders`, only places in one of these objects are compared.
    fn paired(
        &self,
        holders: Option<&HashSet<String>>,
        add: Add<'_, 'w>,
        holds: impl Fn(Content<'w>, Content<'w>) -> bool,
    ) {
        let is_held = |place: &Place<'_, 'w>| {
            let holder = place.identity.rsplit_once('.').map(|(holder, _)| holder);
            holders.is_none_or(|holders| holder.is_some_and(|holder| holders.contains(holder)))
        };
        let mut check =
            |path: &[PathStep<'w>], old: Option<MarkedValue<'w>>, new: Option<MarkedValue<'w>>| {
                let (Some(old), Some(new)) = (known(old), known(new)) else { return };
                if !holds(old, new) {
                    return;
                }
                let text = |content: Content<'w>| {
                    let other = if is_empty(content) { "null" } else { "…" };
                    match scalar(content) {
                        Some("") => "\"\"".to_owned(),
                        text => short(text.unwrap_or(other)),
                    }
                };
                let label = path_text(path);
                let is_null = |content: Content<'w>| matches!(content, Content::Null);
                let text = if is_empty(new) && scalar(old).is_none() {
                    format!("{label} is removed")
                } else if is_null(old) && self.subject.fate == Fate::Created {
                    format!("{label}: {}", text(new))
                } else {
                    format!("{label}: {} -> {}", text(old), text(new))
                };
                let is_major = matches!(self.at.test, Test::Major);
                let text = if is_major { format!("{text} (a new major version)") } else { text };
                let side = if is_null(new) { Side::Before } else { Side::After };
                add(path, side, self.told(text, scalar(new)));
            };
        // Of elements with the same name, or without one, equal ones are pairs, and the others are compared in their
        // order.
        let key = |place: &Place<'_, 'w>| (without_indices(place.identity), place.value.hash_value());
        let mut unpaired: HashMap<_, usize> = HashMap::new();
        let unread_after =
            self.visit(Side::After, &mut |place| *unpaired.entry(key(place)).or_default() += 1);
        let kept_holders = LazyCell::new(|| self.at.pattern.holders(self.root(Side::After)));
        let mut equal: HashMap<_, usize> = HashMap::new();
        let (mut before, mut places) = (HashMap::<String, VecDeque<_>>::new(), 0..);
        let unread = self.visit(Side::Before, &mut |place| {
            let key = key(place);
            if let Some(count @ 1..) = unpaired.get_mut(&key) {
                *count -= 1;
                *equal.entry(key).or_default() += 1;
            } else if is_held(place) {
                // What is removed with a whole element is not lowered.
                let is_removed = place
                    .identity
                    .rsplit_once('.')
                    .is_some_and(|(holder, _)| holder.ends_with("\"]") && !kept_holders.contains(holder));
                let counts = !is_removed && !unread_after.may_have(place.identity);
                let old = (places.next(), counts, place.path.to_vec(), place.value);
                before.entry(key.0).or_default().push_back(old);
            }
        });
        self.visit(Side::After, &mut |place| {
            if let Some(count @ 1..) = equal.get_mut(&key(place)) {
                *count -= 1;
                return;
            }
            let old = before.get_mut(&without_indices(place.identity)).and_then(VecDeque::pop_front);
            if old.is_some() || !unread.may_have(place.identity) {
                check(place.path, old.map(|(.., value)| value), Some(place.value));
            }
        });
        // What is still there, but no longer as the rule requires, is not gone.
        let mut others = HashSet::new();
        if !self.rule.only_where.is_empty() && !before.is_empty() {
            let mut keep = |place: &Place<'_, 'w>| _ = others.insert(without_indices(place.identity));
            self.at.pattern.visit(self.root(Side::After), &mut keep);
        }
        let gone = before.into_iter().filter(|(identity, _)| !others.contains(identity));
        let mut gone: Vec<_> = gone.flat_map(|(_, gone)| gone).filter(|(_, counts, ..)| *counts).collect();
        crate::sort::by_key(&mut gone, |(at, ..)| *at);
        for (_, _, path, value) in gone {
            check(&path, Some(value), None);
        }
    }

    fn policies(&self, add: Add<'_, 'w>, compare: impl Fn(Option<&'w str>, &'w str) -> Vec<Told>) {
        let mut before: HashMap<String, MarkedValue<'w>> = HashMap::new();
        self.visit(Side::Before, &mut |place| {
            before.insert(place.identity.to_owned(), place.value);
        });
        let mut tell = |path: &[PathStep<'w>], side: Side, old: Option<&'w str>, new: &'w str| {
            for told in compare(old, new) {
                let grade = told.grade.filter(|_| !self.at.has_grade);
                add(path, side, Told { grade, ..told });
            }
        };
        let mut stays = HashSet::new();
        let unread = self.visit(Side::After, &mut |place| {
            if !is_empty(place.value.content) {
                stays.insert(place.identity.to_owned());
            }
            let Some(new) = text_of(place).filter(|text| !text.is_empty()) else { return };
            match before.get(place.identity).map(|old| known(Some(*old))) {
                None => tell(place.path, Side::After, None, new),
                Some(Some(Content::String(text))) => tell(place.path, Side::After, Some(text), new),
                Some(Some(_)) => tell(place.path, Side::After, None, new),
                // The old policy is hidden, so it is unknown which grants are new.
                Some(None) => {}
            }
        });
        self.visit(Side::Before, &mut |place| {
            if let Some(old) = text_of(place)
                && !stays.contains(place.identity)
                && !unread.may_have(place.identity)
            {
                tell(place.path, Side::Before, Some(old), "");
            }
        });
    }

    /// Finds values that become unknown or, if the rule is for what is created too, are. Of an object that is unknown as
    /// a whole, it is unknown what is in it.
    fn unknown(&self, add: Add<'_, 'w>) {
        let (mut had_value, mut is_found) = (false, false);
        self.visit(Side::Before, &mut |place| had_value |= !is_empty(place.value.content));
        self.visit(Side::After, &mut |place| {
            let counts = had_value || self.at.is_for_created && self.is_reached(place);
            if counts && !is_found && place.value.has_unknown() {
                is_found = true;
                let text = format!("{} is known only after apply", path_text(place.path));
                add(place.path, Side::After, text.into());
            }
        });
    }

    /// Whether a place is what the pattern leads to, not something around that is unknown as a whole.
    fn is_reached(&self, place: &Place<'_, 'w>) -> bool {
        let is_element = self.at.pattern.names_elements();
        match place.path.last() {
            Some(PathStep::Name(name)) => !is_element && self.at.pattern.ends_with(name),
            Some(PathStep::Index(..) | PathStep::Document(_)) | None => is_element,
        }
    }
}

/// The maximum number of old values shown with a new one.
pub(super) const MAX_OLD: usize = 3;

/// The string at a place, if it is known and not sensitive.
pub(super) fn text_of<'w>(place: &Place<'_, 'w>) -> Option<&'w str> {
    if let Some(Content::String(text)) = known(Some(place.value)) { Some(text) } else { None }
}

/// The text of a scalar at a place, if it is known and not sensitive.
pub(super) fn readable<'w>(place: &Place<'_, 'w>) -> Option<&'w str> {
    known(Some(place.value)).and_then(scalar)
}

fn is_true(content: Content<'_>) -> bool {
    matches!(content, Content::Bool(true) | Content::String("true"))
}

fn is_false(content: Content<'_>) -> bool {
    matches!(content, Content::Bool(false) | Content::String("false"))
}

fn is_known(content: Content<'_>) -> bool {
    !matches!(content, Content::Unknown | Content::Redacted)
}

/// The major version: the first number in a text, with the second one below 10, as databases once counted.
fn major(version: &str) -> Option<(u32, u32)> {
    let numbers = version.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let mut numbers = numbers.map(|part| part.parse().ok());
    let first = numbers.next()??;
    let second = numbers.next().flatten().filter(|_| first < 10);
    Some((first, second.unwrap_or(0)))
}

fn number(content: Content<'_>) -> Option<f64> {
    let (Content::Number(text) | Content::String(text)) = content else { return None };
    // Google writes durations as `3600s`.
    text.strip_suffix('s').unwrap_or(text).parse().ok()
}

fn is_empty(content: Content<'_>) -> bool {
    matches!(content, Content::Null | Content::String("") | Content::Array([]))
}

/// An identity with `[]` for each index.
fn without_indices(identity: &str) -> String {
    let mut kept = String::with_capacity(identity.len());
    for part in identity.split_inclusive('[') {
        kept.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    kept
}
