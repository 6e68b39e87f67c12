//! What precedes the entries: the tool and time of the plan, what the plan leaves out, its variables, the numbers
//! by type, and the first findings.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::groups::EntryGroup;
use crate::dialect::Tool;
use crate::report::{Finding, Findings, VISIBLE_FINDINGS};
use crate::review::entry::{Fact, FactKind, PlanReview, RuleOrigin};
use crate::review::text::{compact, short};
use crate::review::{ChangeKind, count, one_line};

/// The maximum number of names that are listed; more are counted.
const MAX_NAMES: usize = 20;
/// The maximum number of types in a line about many resources.
const MAX_TYPES: usize = 4;
/// The minimum number of resources whose types are counted.
const MIN_FOR_TYPES: usize = 12;
/// The maximum length of the value of a variable, in characters.
const MAX_LEN: usize = 200;

/// The lines about a plan. Its age is that at the time `now`.
pub(super) fn lines(review: &PlanReview<'_>, now: Option<u64>) -> Vec<String> {
    let lines = [origin(review, now), partial(review), requested(review)];
    lines.into_iter().flatten().chain(variables(review)).map(|line| one_line(&line)).collect()
}

/// The tool and time of the plan.
fn origin(review: &PlanReview<'_>, now: Option<u64>) -> Option<String> {
    let tool = review.tool.map_or("version", Tool::product);
    let mut words = Vec::new();
    if !review.tool_version.is_empty() {
        words.push(format!("{tool} {}", review.tool_version));
    }
    if !review.timestamp.is_empty() {
        let age = now.and_then(|now| age(review.timestamp, now));
        words.push(format!("planned at {}{}", review.timestamp, age.unwrap_or_default()));
    }
    if !review.fingerprint.is_empty() {
        words.push(format!("fingerprint {}", review.fingerprint));
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// The age of the plan. `None` for a time that is malformed or in the future.
fn age(timestamp: &str, now: u64) -> Option<String> {
    let seconds = now.checked_sub(seconds_since_1970(timestamp)?)?;
    let (number, unit) = match seconds {
        0..60 => return Some(" (just now)".to_owned()),
        60..3_600 => (seconds / 60, "minute"),
        3_600..172_800 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    let number = usize::try_from(number).ok()?;
    Some(format!(" ({} before this review)", count(number, unit)))
}

/// Parses a time such as `2026-11-21T02:41:45Z`, optionally with a fraction or an offset.
fn seconds_since_1970(timestamp: &str) -> Option<u64> {
    let time: jiff::Timestamp = timestamp.parse().ok()?;
    u64::try_from(time.as_second()).ok()
}

/// The line about an incomplete plan. The plan does not contain the options that made it so.
fn partial(review: &PlanReview<'_>) -> Option<String> {
    if review.complete != Some(false) || review.errored {
        return None;
    }
    let why = if review.deferred.is_empty() && review.deferred_invocations.is_empty() {
        "made for some targets, or it could not settle everything"
    } else {
        "some changes are put off"
    };
    Some(format!("the plan is partial: another plan has to follow ({why})"))
}

/// The objects that are replaced because the command line requested it.
fn requested(review: &PlanReview<'_>) -> Option<String> {
    let entries = review.resources.iter().filter(|entry| entry.action_reason == "replace_by_request");
    let addresses: Vec<&str> = entries.map(|entry| entry.address).collect();
    if addresses.is_empty() {
        return None;
    }
    Some(format!("replaced by request (-replace): {}", listed(&compact(&addresses))))
}

/// The variables without their default values, with their values if these are kept.
fn variables(review: &PlanReview<'_>) -> Vec<String> {
    let is_default = |variable: &&crate::review::InputVariable<'_>| variable.is_default;
    let defaults = review.variables.iter().filter(is_default).count();
    let set = || review.variables.iter().filter(|variable| !variable.is_default);
    if set().next().is_none() {
        return Vec::new();
    }
    let rest = if defaults > 0 { format!("; {defaults} at the default") } else { String::new() };
    if set().all(|variable| variable.value.is_none()) {
        let names: Vec<String> = set().map(|variable| variable.name.to_owned()).collect();
        return vec![format!("variables: {}{rest}", listed(&names))];
    }
    let mut lines: Vec<String> = set()
        .map(|variable| {
            let value = match variable.value {
                Some(value) => short(value, MAX_LEN),
                None => "(sensitive value)".to_owned(),
            };
            format!("variable {} = {value}", variable.name)
        })
        .collect();
    if defaults > 0 {
        lines.push(format!("variables{}", rest.replace(';', ":")));
    }
    lines
}

fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(MAX_NAMES);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", names[..names.len().min(MAX_NAMES)].join(", "))
}

/// The first findings of each kind, and the number of all. What does not fit is only counted.
#[derive(Debug, Default)]
pub(super) struct FirstFindings {
    /// By whether a found configuration file has the rule, and by kind.
    first: BTreeMap<(bool, FactKind), Vec<Finding>>,
    number: usize,
}

impl FirstFindings {
    /// Adds the findings of an entry, of which at most `max` are shown.
    pub(super) fn add(&mut self, facts: &[Fact<'_>], address: &str, entry: usize, max: usize) {
        self.number += facts.len();
        for fact in facts {
            let first = self.first.entry((fact.origin == RuleOrigin::Found, fact.kind)).or_default();
            if first.len() < max {
                let (kind, address, text) = (fact.kind.name(), address.to_owned(), fact.text.clone());
                first.push(Finding { kind, address, entry, text });
            }
        }
    }

    /// The first findings by kind. Those of a found configuration file do not displace others.
    pub(super) fn into_findings(self, max: usize) -> Findings {
        let first = self
            .first
            .into_iter()
            .flat_map(|((_, kind), found)| found.into_iter().map(move |finding| (kind, finding)));
        let mut shown: Vec<(FactKind, Finding)> = first.take(max).collect();
        // Sorted separately, so that those of a configuration file do not displace others from the visible part.
        let visible = shown.len().min(VISIBLE_FINDINGS);
        let (visible, folded) = shown.split_at_mut(visible);
        visible.sort_by_key(|(kind, _)| *kind);
        folded.sort_by_key(|(kind, _)| *kind);
        let more = self.number - shown.len();
        Findings { shown: shown.into_iter().map(|(_, finding)| finding).collect(), more }
    }
}

/// The numbers by type for kinds of change with many resources: `create: 40 aws_instance, 3 of 2 other
/// types`.
pub(super) fn by_type(groups: &[EntryGroup<'_, '_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in ChangeKind::ALL {
        let mut types: BTreeMap<&str, usize> = BTreeMap::new();
        for group in groups.iter().filter(|group| group.kind() == kind) {
            *types.entry(group.entry.resource_type).or_default() += group.places.len();
        }
        if types.len() < 2 || types.values().sum::<usize>() <= MIN_FOR_TYPES {
            continue;
        }
        let mut types: Vec<(&str, usize)> = types.into_iter().collect();
        types.sort_by_key(|(name, number)| (Reverse(*number), *name));
        let rest = types.split_off(types.len().min(MAX_TYPES));
        let mut words: Vec<String> = types.iter().map(|(name, number)| format!("{number} {name}")).collect();
        if !rest.is_empty() {
            let number: usize = rest.iter().map(|(_, number)| number).sum();
            words.push(format!("{number} of {}", count(rest.len(), "other type")));
        }
        lines.push(one_line(&format!("{}: {}", kind.word(), words.join(", "))));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::edits::Path;

    /// One group with 400,000 CIDRs had as many lines in the head before these were cut.
    #[test]
    fn findings_beyond_the_head_are_only_counted() {
        let fact = |kind, origin| Fact { kind, path: Path::ROOT, text: String::new(), origin };
        let opens = vec![fact(FactKind::Opens, RuleOrigin::BuiltIn); 1_000];
        let data = [fact(FactKind::Data, RuleOrigin::Found), fact(FactKind::Data, RuleOrigin::BuiltIn)];
        let mut first = FirstFindings::default();
        (0..100).for_each(|entry| first.add(&opens, "a.b", entry, 20));
        first.add(&data, "c.d", 100, 20);
        assert_eq!(first.first.values().map(Vec::len).sum::<usize>(), 22);
        let found = first.into_findings(20);
        let kinds: Vec<&str> = found.shown.iter().map(|finding| finding.kind).collect();
        assert_eq!((kinds[0], kinds[1], kinds.len(), found.more), ("data", "opens", 20, 100_002 - 20));
    }

    #[test]
    fn timestamps_are_read() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T12:00:00Z", Some(951_825_600)),
            ("2026-11-21T02:41:45Z", Some(1_795_228_905)),
            ("2026-11-21T04:41:45.5+02:00", Some(1_795_228_905)),
            ("2026-11-20T21:41:45-05:00", Some(1_795_228_905)),
            ("2026-13-01T00:00:00Z", None),
            ("2026-11-21", None),
            ("99999999999999999999-1-1T0:0:0Z", None),
            ("", None),
        ] {
            assert_eq!(seconds_since_1970(text), expected, "{text}");
        }
    }

    #[test]
    fn an_age_is_in_round_units() {
        let at = "2026-11-21T02:41:45Z";
        let then = seconds_since_1970(at).unwrap();
        for (later, expected) in [
            (5, Some(" (just now)")),
            (60, Some(" (1 minute before this review)")),
            (7_300, Some(" (2 hours before this review)")),
            (400_000, Some(" (4 days before this review)")),
        ] {
            assert_eq!(age(at, then + later).as_deref(), expected);
        }
        assert_eq!(age(at, then - 1), None);
    }
}
