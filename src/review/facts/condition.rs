//! Applies a rule to a change.

use std::collections::{HashMap, HashSet};

use super::policy;
use super::rule::{Condition, Rule, Test, applies};
use super::side::{PathStep, Pattern, Place, Side, path_of_edit, path_text};
use super::{Fate, Subject};
use crate::access::{Open, Policies, TrafficReader, is_everybody, known, scalar};
use crate::diff::value::{Content, MarkedValue, Redactor};
use crate::review::entry::{Fact, FactKind};

/// Adds the facts that a rule finds, unless the object that a guard protects is destroyed with it.
pub(super) fn apply<'w, 'a>(
    rule: &Rule,
    subject: &Subject<'_, 'w>,
    policies: &Policies<'w>,
    redactor: Redactor<'a>,
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
        Condition::Unprotected(guards) => {
            if matches!(subject.fate, Fate::Destroyed | Fate::Unknown)
                && !subject.guarded.is_destroyed(guards, subject.before)
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
            Places { subject, pattern, only_where }.test(test, policies, &mut add);
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
fn description(subject: &Subject<'_, '_>, show: &[Pattern]) -> String {
    let mut parts = Vec::new();
    for pattern in show {
        if let Some(text) = only(pattern, subject.before)
            && !text.is_empty()
        {
            parts.push(format!("{} = {}", pattern.label(), short(text)));
        }
    }
    if parts.is_empty() { String::new() } else { format!("; {}", parts.join(", ")) }
}

/// The readable text at the only place of a pattern.
fn only<'w>(pattern: &Pattern, root: MarkedValue<'w>) -> Option<&'w str> {
    let (mut places, mut text) = (0, None);
    pattern.visit(root, &mut |place| {
        places += 1;
        text = readable(place);
    });
    text.filter(|_| places == 1)
}

/// The maximum number of characters of a value in the text of a fact.
const MAX_VALUE_LEN: usize = 200;

fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE_LEN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The places of a pattern on both sides.
struct Places<'p, 'w> {
    subject: &'p Subject<'p, 'w>,
    pattern: &'p Pattern,
    only_where: &'p [(String, toml::Value)],
}

impl<'w> Places<'_, 'w> {
    /// Visits the places of one side.
    fn visit(&self, side: Side, visit: &mut dyn FnMut(&Place<'_, 'w>)) {
        let root = match side {
            Side::Before => self.subject.before,
            Side::After => self.subject.after,
        };
        self.pattern.visit(root, &mut |place| {
            if applies(self.only_where, place.holder, root) {
                visit(place);
            }
        });
    }

    fn test(&self, test: &Test, policies: &Policies<'w>, add: Add<'_, 'w>) {
        let is_created = self.subject.fate == Fate::Created;
        match test {
            Test::World => self.world(add),
            Test::Is(values) => self.is(values, add),
            Test::There => self.there(add),
            Test::On => self.paired(None, add, |before, after| is_true(after) && !is_true(before)),
            Test::Off => self.paired(None, add, |before, after| {
                is_true(before) && matches!(after, Content::Bool(false) | Content::Null)
            }),
            Test::Lower { zero_is_forever } => {
                self.paired(None, add, |before, after| match (number(before), number(after)) {
                    (Some(old), Some(new)) if *zero_is_forever => new != 0.0 && (old == 0.0 || new < old),
                    (Some(old), Some(new)) => new < old,
                    (Some(old), None) => matches!(after, Content::Null) && old > 0.0 && !zero_is_forever,
                    (None, Some(_) | None) => false,
                });
            }
            Test::Zero => self.paired(None, add, |before, after| {
                number(before).is_some_and(|old| old > 0.0) && number(after).is_some_and(|new| new == 0.0)
            }),
            Test::Gone => self.paired(None, add, |before, after| !is_empty(before) && is_empty(after)),
            Test::Emptied => {
                let holders = self.pattern.holders(self.subject.after);
                self.paired(Some(&holders), add, |before, after| !is_empty(before) && is_empty(after));
            }
            Test::Order(order) => self.paired(None, add, |before, after| {
                let rank = |content: Content<'w>| {
                    let Content::String(text) = content else { return None };
                    order.iter().position(|word| word == text)
                };
                rank(before).zip(rank(after)).is_some_and(|(old, new)| new < old)
            }),
            Test::IamPolicy => self.policies(add, |old, new| policy::iam(old, new, is_created, policies)),
            Test::GooglePolicy => self.policies(add, policy::google),
            Test::Unknown => self.unknown(add),
        }
    }

    /// Finds access for everybody that is new, or wider than before.
    fn world(&self, add: Add<'_, 'w>) {
        let (mut reader, mut open) = (TrafficReader::default(), Open::default());
        let everybody = |place: &Place<'_, 'w>| text_of(place).filter(|text| is_everybody(text));
        let mut seen = HashSet::new();
        self.visit(Side::Before, &mut |place| {
            let Some(text) = everybody(place) else { return };
            let (is_v6, (number, traffic)) = (text.contains(':'), reader.read(place.holder));
            if seen.insert((is_v6, number)) {
                open.add(is_v6, &traffic);
            }
        });
        let (mut opened, mut seen) = (Vec::new(), HashSet::new());
        self.visit(Side::After, &mut |place| {
            let Some(text) = everybody(place) else { return };
            let (is_v6, (number, traffic)) = (text.contains(':'), reader.read(place.holder));
            if seen.insert((is_v6, number)) && !open.covers(is_v6, &traffic) {
                opened.push((place.path.to_vec(), text, number, traffic));
            }
        });
        if opened.is_empty() {
            return;
        }
        // Whom the same traffic was open to before.
        let mut old: HashMap<usize, Vec<&'w str>> =
            opened.iter().map(|(_, _, number, _)| (*number, Vec::new())).collect();
        self.visit(Side::Before, &mut |place| {
            if let Some(text) = text_of(place).filter(|text| !text.is_empty())
                && let Some(texts) = old.get_mut(&reader.read(place.holder).0)
                && texts.len() < MAX_OLD
            {
                texts.push(text);
            }
        });
        for (path, new, number, traffic) in &opened {
            let label = [self.pattern.first_name().to_owned(), traffic.label()];
            let label: Vec<String> = label.into_iter().filter(|part| !part.is_empty()).collect();
            let label = label.join(" ");
            let text = match old.get(number).map_or(&[][..], Vec::as_slice) {
                [] => format!("{label}: {new}"),
                old => format!("{label}: {} -> {new}", old.join(", ")),
            };
            add(path, Side::After, text);
        }
    }

    fn is(&self, values: &HashSet<String>, add: Add<'_, 'w>) {
        let mut old = HashSet::new();
        self.visit(Side::Before, &mut |place| old.extend(readable(place)));
        let before =
            if self.pattern.names_elements() { None } else { only(self.pattern, self.subject.before) };
        self.visit(Side::After, &mut |place| {
            let Some(value) = readable(place) else { return };
            if !values.contains(value) || old.contains(value) {
                return;
            }
            let (label, value) = (path_text(place.path), short(value));
            let text = match before {
                Some(old) => format!("{label}: {} -> {value}", short(old)),
                None => format!("{label}: {value}"),
            };
            add(place.path, Side::After, text);
        });
    }

    /// Finds added elements.
    fn there(&self, add: Add<'_, 'w>) {
        let mut old = HashSet::new();
        self.visit(Side::Before, &mut |place| {
            old.insert(place.identity.to_owned());
        });
        self.visit(Side::After, &mut |place| {
            if !old.contains(place.identity) {
                add(place.path, Side::After, format!("{} is added", path_text(place.path)));
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
            |place: &Place<'_, 'w>, old: Option<MarkedValue<'w>>, new: Option<MarkedValue<'w>>| {
                let (Some(old), Some(new)) = (known(old), known(new)) else { return };
                if !holds(old, new) {
                    return;
                }
                let text = |content: Content<'w>| {
                    let other = if is_empty(content) { "null" } else { "…" };
                    short(scalar(content).unwrap_or(other))
                };
                let label = path_text(place.path);
                let is_null = |content: Content<'w>| matches!(content, Content::Null);
                let text = if is_empty(new) && scalar(old).is_none() {
                    format!("{label} is removed")
                } else if is_null(old) && self.subject.fate == Fate::Created {
                    format!("{label}: {}", text(new))
                } else {
                    format!("{label}: {} -> {}", text(old), text(new))
                };
                let side = if is_null(new) { Side::Before } else { Side::After };
                add(place.path, side, text);
            };
        // The values before, and whether the place exists after.
        let mut before: HashMap<String, (MarkedValue<'w>, bool)> = HashMap::new();
        self.visit(Side::Before, &mut |place| {
            if is_held(place) {
                before.insert(place.identity.to_owned(), (place.value, false));
            }
        });
        self.visit(Side::After, &mut |place| {
            let old = before.get_mut(place.identity).map(|(value, stays)| {
                *stays = true;
                *value
            });
            check(place, old, Some(place.value));
        });
        self.visit(Side::Before, &mut |place| {
            if before.get(place.identity).is_some_and(|(_, stays)| !stays) {
                check(place, Some(place.value), None);
            }
        });
    }

    fn policies(&self, add: Add<'_, 'w>, compare: impl Fn(Option<&'w str>, &'w str) -> Vec<String>) {
        let mut before: HashMap<String, MarkedValue<'w>> = HashMap::new();
        self.visit(Side::Before, &mut |place| {
            before.insert(place.identity.to_owned(), place.value);
        });
        self.visit(Side::After, &mut |place| {
            let Some(new) = text_of(place) else { return };
            let old = match before.get(place.identity) {
                None => None,
                Some(old) => match known(Some(*old)) {
                    Some(Content::String(text)) => Some(text),
                    Some(_) => None,
                    // The old policy is hidden, so it is unknown which grants are new.
                    None => return,
                },
            };
            for text in compare(old, new) {
                add(place.path, Side::After, text);
            }
        });
    }

    /// Finds values that become unknown.
    fn unknown(&self, add: Add<'_, 'w>) {
        let (mut had_value, mut is_found) = (false, false);
        self.visit(Side::Before, &mut |place| had_value |= !is_empty(place.value.content));
        self.visit(Side::After, &mut |place| {
            if had_value && !is_found && place.value.has_unknown() {
                is_found = true;
                let text = format!("{} is known only after apply", path_text(place.path));
                add(place.path, Side::After, text);
            }
        });
    }
}

/// The maximum number of old values shown with a new one.
const MAX_OLD: usize = 3;

/// The string at a place, if it is known and not sensitive.
fn text_of<'w>(place: &Place<'_, 'w>) -> Option<&'w str> {
    if let Some(Content::String(text)) = known(Some(place.value)) { Some(text) } else { None }
}

/// The text of a scalar at a place, if it is known and not sensitive.
fn readable<'w>(place: &Place<'_, 'w>) -> Option<&'w str> {
    known(Some(place.value)).and_then(scalar)
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
