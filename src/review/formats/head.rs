//! The lines below the verdict: the tool and time of the plan, what the plan leaves out, its variables, and
//! the configuration file.

use crate::dialect::Tool;
use crate::review::entry::PlanReview;
use crate::review::text::{compact, short};
use crate::review::{Options, one_line};

/// The maximum number of names that are listed; more are counted.
const MAX_NAMES: usize = 20;
/// The maximum length of the value of a variable, in characters.
const MAX_LEN: usize = 200;

/// The lines of a plan, without the configuration file.
pub(super) fn head(review: &PlanReview<'_>, options: &Options) -> Vec<String> {
    let lines = [origin(review, options), partial(review), requested(review)];
    lines.into_iter().flatten().chain(variables(review)).map(|line| one_line(&line)).collect()
}

/// The configuration file that was read.
pub(super) fn config(options: &Options) -> Option<String> {
    options.config.as_ref().map(|name| one_line(&format!("configuration {name}")))
}

/// The tool and time of the plan.
fn origin(review: &PlanReview<'_>, options: &Options) -> Option<String> {
    let tool = review.tool.map_or("version", Tool::product);
    let mut words = Vec::new();
    if !review.tool_version.is_empty() {
        words.push(format!("{tool} {}", review.tool_version));
    }
    if !review.timestamp.is_empty() {
        let age = options.now.and_then(|now| age(review.timestamp, now));
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
    Some(format!(" ({} before this review)", crate::review::count(number, unit)))
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
