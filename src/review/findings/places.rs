//! Tests rules on the values that a pattern finds, before and after.
//!
//! Values of both sides are paired by their identity, so that an element that only moves in its list is compared with
//! itself.
//!
//! ```text
//! before   rule["old"].days = 30, rule["new"].days = 90
//! after    rule["new"].days = 90, rule["old"].days = 7
//!
//! rule["old"].days: 30 -> 7
//! ```

use std::cell::LazyCell;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::rule::{Rule, ValueTest, applies};
use super::versions::{self, major};
use super::{Add, FindingText, ObjectOutcome, Subject, configured, openapi, policy, short, vault};
use crate::access::{known, readable, scalar};
use crate::diff::value::{Content, MarkedValue};
use crate::glob;
use crate::knowledge::{Condition, List, PolicyLanguage};
use crate::meaning::compare_sizes;
use crate::review::entry::{FindingKind, Level};
use crate::review::finding::Effect;
use crate::review::findings::pattern::{MatchedValue, Unread};
use crate::review::names;
use crate::review::pairs::{Pair, Pairs};
use crate::review::value_path::{PathStep, Side, path_text};

/// The maximum number of old values that are shown with a new one.
pub(super) const MAX_OLD: usize = 3;

/// A rule about values, applied to an object.
pub(super) struct RuleTest<'p, 'w> {
    /// The object with both sides.
    pub subject: &'p Subject<'p, 'w>,
    /// The rule that is tested.
    pub rule: &'p Rule<'p>,
    /// The test of the rule on values.
    pub values: &'p ValueTest<'p>,
}

/// A value that the pattern of a rule finds, with its path.
pub(super) struct FoundValue<'w> {
    /// The steps from the root of the object to the value.
    pub path: Vec<PathStep<'w>>,
    /// The path as text, with names of elements instead of indices where possible.
    pub identity: String,
    /// The value itself.
    pub value: MarkedValue<'w>,
}

/// A function that receives the values of a pair: the path, the side that has this path, and both contents. A missing
/// value is null.
type Visit<'v, 'w> = &'v mut dyn FnMut(&[PathStep<'w>], Side, Content<'w>, Content<'w>);

impl<'w> RuleTest<'_, 'w> {
    /// Returns the object on one side.
    pub(super) fn root(&self, side: Side) -> MarkedValue<'w> {
        match side {
            Side::Before => self.subject.before,
            Side::After => self.subject.after,
        }
    }

    /// Calls `visit` for each value on one side that the pattern finds and that meets the requirements of the rule.
    /// Returns what could not be read.
    pub(super) fn visit(&self, side: Side, visit: &mut dyn FnMut(&MatchedValue<'_, 'w>)) -> Unread {
        let root = self.root(side);
        // The requirements on a version are about the object after the change.
        let is_free = side == Side::Before && matches!(self.values.condition, Condition::Major);
        let is_absent = |matched: &MatchedValue<'_, 'w>| match self.values.absent {
            Some(name) => self.is_absent(matched, name),
            None => true,
        };
        self.values
            .pattern
            .visit(root, self.subject.documents, &mut |matched| {
                let is_meant = applies(&self.rule.only_if, matched.holder, matched.around, root);
                if is_free || is_meant && is_absent(matched) {
                    visit(matched);
                }
            })
    }

    /// Whether the member beside a value is absent. One that is known only after apply is absent if the block of this very
    /// object does not have it.
    fn is_absent(&self, matched: &MatchedValue<'_, 'w>, name: &str) -> bool {
        let Some(value) = matched.holder.get(name) else {
            return true;
        };
        if !value.is_unknown() {
            return is_empty(value.content);
        }
        let mut names: Vec<&str> = matched
            .path
            .iter()
            .filter_map(|step| match step {
                PathStep::Name(name) => Some(*name),
                PathStep::Element(_)
                | PathStep::Document(_)
                | PathStep::Line(_)
                | PathStep::Value(_) => None,
            })
            .collect();
        names.pop();
        names.push(name);
        let arguments = self.subject.configuration;
        !arguments.is_some_and(|arguments| configured::has(arguments, &names))
    }

    /// Calls `visit` for each value that the pattern finds on one side, whether or not it meets the requirements of the
    /// rule.
    pub(super) fn visit_all(&self, side: Side, visit: &mut dyn FnMut(&MatchedValue<'_, 'w>)) {
        self.values
            .pattern
            .visit(self.root(side), self.subject.documents, visit);
    }

    /// Collects the values of one side, and what could not be read.
    pub(super) fn all(&self, side: Side) -> (Vec<FoundValue<'w>>, Unread) {
        let mut all = Vec::new();
        let unread = self.visit(side, &mut |matched| {
            let MatchedValue {
                path,
                identity,
                value,
                ..
            } = *matched;
            all.push(FoundValue {
                path: path.to_vec(),
                identity: identity.to_owned(),
                value,
            });
        });
        (all, unread)
    }

    /// Returns the text of a finding: with the words of the rule, if it has any, and with the level of the value, if it
    /// has its own.
    pub(super) fn describe(&self, text: String, value: Option<&str>) -> FindingText {
        let (text, effect) = match self.values.what {
            // The words of the rule name the value.
            Some(what) if what.contains("{}") => {
                let text = what.replace("{}", &short(value.unwrap_or(&text)));
                (text, Effect::Other)
            }
            Some(what) => {
                let words = what.to_owned();
                (format!("{what} ({text})"), Effect::Means { words })
            }
            None => (text, Effect::Other),
        };
        let level = value.and_then(|value| self.values.level_of(value));
        FindingText {
            grade: level.map(|level| (level, self.rule.weight)),
            effect,
            ..FindingText::new(text)
        }
    }

    /// Tests the condition of the rule, and passes each finding to `add`.
    pub(super) fn test(&self, add: Add<'_, 'w>) {
        match self.values.condition {
            Condition::AnySource => self.any_source(add),
            Condition::Is(values) => self.is(values, add),
            Condition::There => self.elements(Side::After, add),
            Condition::Fewer => self.elements(Side::Before, add),
            Condition::Mentions => self.mentions(add),
            Condition::Role { role, any_of, to } => self.role(role, any_of, to, add),
            Condition::Deny => self.denied(add),
            Condition::Unknown => self.unknown(add),
            Condition::Reverts => self.reverts(add),
            Condition::Routes => self.routes(add),
            Condition::Policy(language) => self.policies(language, add),
            Condition::Never => {}
            Condition::On
            | Condition::Off
            | Condition::Lower
            | Condition::Shorter
            | Condition::Higher
            | Condition::Below(_)
            | Condition::Above(_)
            | Condition::Zero
            | Condition::Changed
            | Condition::Major
            | Condition::Downgrade
            | Condition::Gone
            | Condition::Emptied
            | Condition::Smaller
            | Condition::Order(_) => self.pairs(&mut |path, side, old, new| {
                if self.holds(old, new) {
                    let text = self.change(path, old, new);
                    add(path, side, self.describe(text, scalar(new)));
                }
            }),
        }
    }

    /// Whether a value before and after meets the condition. False for conditions about lists and documents.
    fn holds(&self, before: Content<'_>, after: Content<'_>) -> bool {
        let is_created = self.subject.outcome == ObjectOutcome::Created;
        let (old, new) = (number(before), number(after));
        let texts = scalar(before).zip(scalar(after));
        match self.values.condition {
            Condition::On => is_true(after) && !is_true(before),
            Condition::Off => {
                is_true(before) && (is_false(after) || matches!(after, Content::Null))
                    || is_created && is_false(after)
            }
            Condition::Lower => old.is_some_and(|old| match new {
                Some(new) => new < old,
                None => matches!(after, Content::Null) && old > 0.0,
            }),
            Condition::Shorter => {
                let times = old.zip(new);
                times.is_some_and(|(old, new)| new > 0.0 && (old <= 0.0 || new < old))
            }
            Condition::Higher => old.zip(new).is_some_and(|(old, new)| new > old),
            Condition::Below(limit) => {
                new.is_some_and(|new| new < limit && old.map_or(is_created, |old| old >= limit))
            }
            Condition::Above(limit) => {
                new.is_some_and(|new| new > limit && old.map_or(is_created, |old| old <= limit))
            }
            Condition::Zero => new == Some(0.0) && old.is_some_and(|old| old != 0.0),
            Condition::Changed => {
                // A removed value opens nothing.
                let counts = !is_empty(after) || self.rule.kind != FindingKind::Exposure;
                let texts = (scalar(before), scalar(after));
                counts && matches!(texts, (Some(old), new) if Some(old) != new && !old.is_empty())
            }
            Condition::Major => {
                let versions = texts.and_then(|(old, new)| major(old).zip(major(new)));
                versions.is_some_and(|(old, new)| new > old)
            }
            Condition::Downgrade => texts.is_some_and(|(old, new)| versions::is_earlier(new, old)),
            Condition::Gone | Condition::Emptied => {
                !is_empty(before) && is_empty(after) || is_emptied(before, after)
            }
            Condition::Order(order) => match (rank(before, order), rank(after, order)) {
                (Some(old), Some(new)) => new < old,
                (None, Some(0)) => is_created,
                (Some(_) | None, Some(_) | None) => false,
            },
            Condition::Smaller => {
                texts.is_some_and(|(old, new)| compare_sizes(new, old) == Some(Ordering::Less))
            }
            Condition::AnySource
            | Condition::Is(_)
            | Condition::There
            | Condition::Fewer
            | Condition::Mentions
            | Condition::Role { .. }
            | Condition::Deny
            | Condition::Never
            | Condition::Unknown
            | Condition::Reverts
            | Condition::Routes
            | Condition::Policy(_) => false,
        }
    }

    /// Finds the grants of a policy that the one before does not give.
    fn policies(&self, language: PolicyLanguage, add: Add<'_, 'w>) {
        let is_created = self.subject.outcome == ObjectOutcome::Created;
        let text = |content: Content<'w>| {
            if let Content::String(text) = content {
                Some(text)
            } else {
                is_empty(content).then_some("")
            }
        };
        self.pairs(&mut |path, side, old, new| {
            let Some(new) = text(new) else { return };
            let old = text(old).unwrap_or_default();
            if old == new {
                return;
            }
            let grants = match language {
                PolicyLanguage::Iam => policy::iam(old, new, is_created, self.subject.documents),
                PolicyLanguage::Vault => vault::vault(old, new, is_created),
            };
            for finding_text in grants {
                let grade = finding_text.grade.filter(|_| !self.values.has_grade);
                let finding_text = FindingText {
                    grade,
                    ..finding_text
                };
                match finding_text.statement {
                    Some(statement) => add(
                        &[path, &statement.steps()].concat(),
                        statement.side,
                        finding_text,
                    ),
                    None => add(path, side, finding_text),
                }
            }
        });
    }

    /// Finds numbers that become smaller because the plan undoes a change outside of the tool.
    fn reverts(&self, add: Add<'_, 'w>) {
        let Some(left) = self.subject.left else {
            return;
        };
        let mut all: HashMap<Vec<PathStep<'_>>, &str> = HashMap::new();
        self.values
            .pattern
            .visit(left, self.subject.documents, &mut |matched| {
                all.extend(readable(matched.value).map(|text| (matched.path.to_vec(), text)));
            });
        self.pairs(&mut |path, side, before, after| {
            let texts = (all.get(path), scalar(before), scalar(after));
            let (Some(&was), Some(now), Some(planned)) = texts else {
                return;
            };
            let numbers = number(before).zip(number(after));
            if planned == was && numbers.is_some_and(|(now, planned)| planned < now) {
                let words = format!("undoes a change outside of the tool: {was} -> {now}");
                let text = format!("{}: {now} -> {planned} ({words})", path_text(path));
                let effect = Effect::Means { words };
                add(
                    path,
                    side,
                    FindingText {
                        effect,
                        ..self.describe(text, None)
                    },
                );
            }
        });
    }

    /// Finds the routes of an OpenAPI document that no longer need authentication.
    fn routes(&self, add: Add<'_, 'w>) {
        let is_created = self.subject.outcome == ObjectOutcome::Created;
        self.pairs(&mut |path, side, old, new| {
            let documents = self.subject.documents;
            for route in openapi::opened(old, new, documents) {
                let mut path = path.to_vec();
                path.extend(route.steps);
                // A document that is new as a whole may be meant for everybody.
                let level = is_created.then_some((Level::Notice, self.rule.weight));
                add(
                    &path,
                    side,
                    FindingText {
                        grade: level,
                        effect: Effect::Means {
                            words: route.meaning.to_owned(),
                        },
                        ..FindingText::new(route.text)
                    },
                );
            }
        });
    }

    /// Calls `visit` for each pair of values before and after. A missing value is null; hidden and unknown values are
    /// left out, because they prove nothing.
    fn pairs(&self, visit: Visit<'_, 'w>) {
        let [(old, unread_old), (new, unread_new)] =
            [Side::Before, Side::After].map(|side| self.all(side));
        if old.is_empty() && new.is_empty() {
            return;
        }
        // Of elements with the same name, or without one, equal ones are pairs; the others are compared in their order.
        let keys = |all: &[FoundValue<'w>]| -> Vec<(String, u64)> {
            all.iter()
                .map(|element| {
                    (
                        without_indices(&element.identity),
                        element.value.hash_value(),
                    )
                })
                .collect()
        };
        let (old_keys, new_keys) = (keys(&old), keys(&new));
        let mut pairs = Pairs::new(old.len(), new.len());
        pairs.join(|index| old_keys.get(index), |index| new_keys.get(index));
        pairs.join(
            |index| old_keys.get(index).map(|key| &key.0),
            |index| new_keys.get(index).map(|key| &key.0),
        );
        let holders = LazyCell::new(|| {
            self.values
                .pattern
                .holders(self.subject.after, self.subject.documents)
        });
        // A value that is still there, but no longer as the rule requires, is not gone.
        let others = LazyCell::new(|| {
            let mut others = HashSet::new();
            if !self.rule.only_if.is_empty() {
                self.visit_all(Side::After, &mut |matched| {
                    _ = others.insert(without_indices(matched.identity));
                });
            }
            others
        });
        // A value below one that becomes unknown may stay.
        let mut unknown = Unread::default();
        for element in new.iter().filter(|element| element.value.is_unknown()) {
            unknown.add(&element.identity);
        }
        let is_gone = |index: usize| {
            let identity = &old[index].identity;
            let holder = identity.rsplit_once('.').map_or("", |(holder, _)| holder);
            // A value that is removed together with its element is not lowered.
            let is_of_element =
                !matches!(self.values.condition, Condition::Policy(_)) && holder.ends_with("\"]");
            let depends = matches!(self.values.condition, Condition::Emptied) || is_of_element;
            (!depends || holders.contains(holder))
                && !unread_new.may_have(identity)
                && !unknown.may_have(identity)
                && !others.contains(&old_keys[index].0)
        };
        for pair in pairs.all() {
            let (path, side, before, after) = match pair {
                Pair::Both(index, to) => (
                    &new[to].path,
                    Side::After,
                    Some(old[index].value),
                    Some(new[to].value),
                ),
                Pair::After(to) if unread_old.may_have(&new[to].identity) => continue,
                Pair::After(to) => (&new[to].path, Side::After, None, Some(new[to].value)),
                Pair::Before(index) if !is_gone(index) => continue,
                Pair::Before(index) => {
                    (&old[index].path, Side::Before, Some(old[index].value), None)
                }
            };
            if let (Some(before), Some(after)) = (known(before), known(after)) {
                visit(path, side, before, after);
            }
        }
    }

    /// Passes each value at the path that differs between both sides to `add`, whatever the condition is.
    pub(super) fn changed(&self, add: Add<'_, 'w>) {
        let mut values: [HashMap<String, (Vec<PathStep<'w>>, u64)>; 2] = Default::default();
        for (side, all) in [Side::Before, Side::After].into_iter().zip(&mut values) {
            self.visit(side, &mut |matched| {
                let value = (matched.path.to_vec(), matched.value.hash_value());
                all.insert(matched.identity.to_owned(), value);
            });
        }
        let [before, after] = values;
        for (one, other, side) in [
            (&before, &after, Side::Before),
            (&after, &before, Side::After),
        ] {
            for (identity, (path, hash)) in one {
                if other.get(identity).is_none_or(|(_, other)| other != hash) {
                    add(path, side, FindingText::new(""));
                }
            }
        }
    }

    /// Describes how a value changes: `port: 443 -> 22`. Long values and documents are not written out.
    fn change(&self, path: &[PathStep<'_>], old: Content<'_>, new: Content<'_>) -> String {
        /// The maximum length of a value that is written next to another one, in bytes.
        const MAX_SHOWN: usize = 80;
        let is_long = |content: Content<'_>| {
            scalar(content).is_some_and(|text| text.contains('\n') || text.len() > MAX_SHOWN)
        };
        let text = |content: Content<'_>| match scalar(content) {
            Some("") => "\"\"".to_owned(),
            Some(text) => short(text),
            None => if is_empty(content) { "null" } else { "…" }.to_owned(),
        };
        let label = path_text(path);
        if is_empty(new) && scalar(old).is_none() {
            format!("{label} is removed")
        } else if is_long(old) || is_long(new) {
            format!("{label} changes")
        } else if matches!(old, Content::Null) && self.subject.outcome == ObjectOutcome::Created {
            format!("{label}: {}", text(new))
        } else {
            let remark = if self.values.what.is_some() {
                "" // the rule says in its own words what happens
            } else if matches!(self.values.condition, Condition::Major) {
                " (a new major version)"
            } else if matches!(self.values.condition, Condition::Downgrade) {
                " (downgrade)"
            } else {
                ""
            };
            format!("{label}: {} -> {}{remark}", text(old), text(new))
        }
    }

    /// Finds a value that decides something and is known only after apply. This is reported once for each rule and
    /// object.
    fn unknown(&self, add: Add<'_, 'w>) {
        let (mut had_value, mut is_found) = (false, false);
        self.visit(Side::Before, &mut |matched| {
            had_value |= !is_empty(matched.value.content);
        });
        self.visit(Side::After, &mut |matched| {
            let counts = had_value || self.values.is_for_created && self.is_reached(matched.path);
            if counts && !is_found && decides_unknown(matched.value) {
                is_found = true;
                add(
                    matched.path,
                    Side::After,
                    FindingText::new(format!(
                        "{} is known only after apply",
                        path_text(matched.path)
                    )),
                );
            }
        });
    }

    /// Whether a value was reached through known values only, rather than being part of something that is unknown as a
    /// whole.
    pub(super) fn is_reached(&self, path: &[PathStep<'w>]) -> bool {
        let is_element = self.values.pattern.names_elements();
        match path.last() {
            Some(PathStep::Name(name)) => !is_element && self.values.pattern.ends_with(name),
            Some(PathStep::Line(_) | PathStep::Value(_)) => true,
            Some(PathStep::Element(_) | PathStep::Document(_)) | None => is_element,
        }
    }
}

/// Returns the index of a value in a list that begins with the weakest value; `None` if it is not in the list.
fn rank(content: Content<'_>, order: List<'_>) -> Option<usize> {
    let only = if let Content::Array([only]) = content {
        known(Some(*only))?
    } else {
        content
    };
    let text = scalar(only)?;
    order.iter().position(|word| glob::matches(word, text))
}

/// Whether more is unknown than what a provider computes anew with each change, such as an ID or a version.
fn decides_unknown(value: MarkedValue<'_>) -> bool {
    if value.is_unknown() || !value.has_unknown() {
        return value.is_unknown();
    }
    let is_computed =
        |name: &str| names::FOLLOWERS.contains(&name) || names::COMPUTED_MEMBERS.contains(&name);
    let members = value.as_object().unwrap_or_default().iter();
    let mut decisive = members.filter(|(name, _)| !is_computed(name));
    decisive.any(|(_, member)| decides_unknown(*member))
        || value
            .as_array()
            .unwrap_or_default()
            .iter()
            .any(|item| decides_unknown(*item))
}

fn is_true(content: Content<'_>) -> bool {
    matches!(content, Content::Bool(true) | Content::String("true"))
}

fn is_false(content: Content<'_>) -> bool {
    matches!(content, Content::Bool(false) | Content::String("false"))
}

/// Reads a number, also one in a string, and a duration such as `30d`, which counts as seconds.
fn number(content: Content<'_>) -> Option<f64> {
    let (Content::Number(text) | Content::String(text)) = content else {
        return None;
    };
    // Durations are written as `3600s` or `30d`.
    let units = [
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3_600.0),
        ("d", 86_400.0),
        ("w", 604_800.0),
        ("y", 31_536_000.0),
    ];
    let with_unit = units.iter().find_map(|(unit, seconds)| {
        let count: f64 = text.strip_suffix(unit)?.parse().ok()?;
        Some(count * seconds)
    });
    with_unit
        .or_else(|| text.parse().ok())
        .or_else(|| iso_duration(text))
}

/// Whether a value is null, or an empty string or list. A block without arguments is there.
fn is_empty(content: Content<'_>) -> bool {
    matches!(
        content,
        Content::Null | Content::String("") | Content::Array([])
    )
}

/// Whether a map or block loses all of its members.
fn is_emptied(before: Content<'_>, after: Content<'_>) -> bool {
    matches!(before, Content::Object([_, ..])) && matches!(after, Content::Object([]))
}

/// Reads a duration of ISO 8601, such as `P14D` or `PT2H`, as seconds. A month has 30 days, a year 365.
fn iso_duration(text: &str) -> Option<f64> {
    let mut rest = text.strip_prefix('P')?;
    let (mut is_time, mut seconds) = (false, 0.0);
    while !rest.is_empty() {
        if let Some(time) = rest.strip_prefix('T') {
            (is_time, rest) = (true, time);
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (count, unit) = rest.split_at(end);
        let count: f64 = count.parse().ok()?;
        let (unit, after) = unit.split_at_checked(1)?;
        seconds += count
            * match (is_time, unit) {
                (false, "Y") => 31_536_000.0,
                (false, "M") => 2_592_000.0,
                (false, "W") => 604_800.0,
                (false, "D") => 86_400.0,
                (true, "H") => 3_600.0,
                (true, "M") => 60.0,
                (true, "S") => 1.0,
                (_, _) => return None,
            };
        rest = after;
    }
    Some(seconds)
}

/// Returns an identity without the indices of elements, which may differ between both sides. Names of elements stay.
fn without_indices(identity: &str) -> String {
    let mut kept = String::with_capacity(identity.len());
    for part in identity.split_inclusive('[') {
        kept.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    kept
}
