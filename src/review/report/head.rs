//! What precedes the entries: the tool and time of the plan, what the plan leaves out, its variables, the numbers
//! by type, and the first findings.

use bumpalo::Bump;

use super::groups::{EntryGroup, numbers_by_type};
use crate::dialect::Tool;
use crate::model::plan::PlanMode;
use crate::report::Origin;
use crate::review::entry::PlanReview;
use crate::review::text::{compact, short};
use crate::review::{ChangeKind, count, one_line};
use crate::text::first_of;

/// The maximum number of names that are listed; more are counted.
const MAX_NAMES: usize = 20;
/// The maximum number of types in a line about many resources.
const MAX_TYPES: usize = 4;
/// The minimum number of resources whose types are counted.
const MIN_FOR_TYPES: usize = 12;
/// The maximum length of the value of a variable, in characters.
const MAX_LEN: usize = 200;

/// The lines about a plan.
pub(super) fn lines(review: &PlanReview<'_>) -> Vec<String> {
    let lines = [destroys(review), partial(review), requested(review)];
    lines.into_iter().flatten().chain(variables(review)).map(|line| one_line(&line)).collect()
}

/// The tool and time of the plan, with its age at the time `now`.
pub(super) fn origin(review: &PlanReview<'_>, now: Option<u64>) -> Origin {
    let tool = review.tool.map_or("version", Tool::product);
    let time = || {
        let age = now.and_then(|now| age(review.timestamp, now));
        one_line(&format!("planned at {}{}", review.timestamp, age.unwrap_or_default()))
    };
    Origin {
        tool: (!review.tool_version.is_empty()).then(|| one_line(&format!("{tool} {}", review.tool_version))),
        time: (!review.timestamp.is_empty()).then(time),
        fingerprint: review.fingerprint.clone(),
    }
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

/// The line about a plan of `destroy`.
fn destroys(review: &PlanReview<'_>) -> Option<String> {
    (review.mode == PlanMode::Destroy).then(|| "made with -destroy: it destroys all objects".to_owned())
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
    Some(format!("replaced by request (-replace): {}", first_of(compact(&addresses), MAX_NAMES)))
}

/// The variables without their default values, with their values if these are kept.
fn variables(review: &PlanReview<'_>) -> Vec<String> {
    let set = || review.variables.iter().filter(|variable| !variable.is_default);
    let defaults = review.variables.len() - set().count();
    if set().next().is_none() {
        return Vec::new();
    }
    let rest = if defaults > 0 { format!("; {defaults} at the default") } else { String::new() };
    if set().all(|variable| variable.value.is_none()) {
        let names: Vec<String> = set().map(|variable| variable.name.to_owned()).collect();
        return vec![format!("variables: {}{rest}", first_of(&names, MAX_NAMES))];
    }
    let mut lines: Vec<String> = set()
        .map(|variable| {
            let value = match variable.value {
                Some(value) => short(review.masks.value(value, &Bump::new()), MAX_LEN),
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

/// The numbers by type for kinds of change with many resources: `create: 40 aws_instance, 3 of 2 other
/// types`.
pub(super) fn by_type(groups: &[EntryGroup<'_, '_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in ChangeKind::ALL {
        let groups = groups.iter().filter(|group| group.kind() == kind);
        let mut types = numbers_by_type(groups.flat_map(|group| group.entries.iter().copied()));
        if types.len() < 2 || types.iter().map(|(_, number)| number).sum::<usize>() <= MIN_FOR_TYPES {
            continue;
        }
        // One more name is as short as `1 other type`.
        let named = if types.len() == MAX_TYPES + 1 { types.len() } else { types.len().min(MAX_TYPES) };
        let rest = types.split_off(named);
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
