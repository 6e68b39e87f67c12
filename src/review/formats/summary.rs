//! Writes the short text of a review for a chat or a step summary: the verdict, one line for each grave fact, and a
//! link.
//!
//! Invariants: at most [`MAX_LEN`] characters; lines that do not fit are counted. Chats and Markdown find commands,
//! mentions and links in any text, so characters with a meaning for them are replaced by ones that look alike.
//!
//! ```text
//! CRITICAL: 1 to destroy, 3 to change.
//! - critical data-loss: aws_db_instance.orders: destroyed without a final snapshot
//! - warning exposure × 3: aws_security_group.web and 2 others: ssh open to the world
//! https://ci.example/runs/1
//! ```

use std::cmp::Reverse;

use crate::model::plan::PlanMode;
use crate::report::Level;
use crate::review::entry::{Entry, PlanFinding};
use crate::review::plan::PlanReview;
use crate::review::{AbsentUnit, Options, Problem, Verdict, failed_units};
use crate::term::push_visible;
use crate::text::{cut, filled_lines, one_line};

/// The maximum length of the text, in characters.
const MAX_LEN: usize = 1_500;
/// The maximum length of a line, in characters.
const MAX_LINE_LEN: usize = 240;
/// The maximum length of the verdict, in characters.
const MAX_VERDICT_LEN: usize = 500;

/// Writes the short text of one or several plans.
pub fn text_summary(
    reviews: &[PlanReview<'_>],
    absent: &[AbsentUnit],
    options: &Options,
) -> String {
    let verdict = match reviews {
        [only] => only.verdict().clone(),
        _ => Verdict::total(reviews),
    };
    let headline = verdict.headline_of_units(absent);
    let failed: Vec<String> = failed_units(absent)
        .map(|unit| format!("- unit {}: {}", unit.name, unit.sentence()))
        .collect();
    let head = if headline.is_unchanged() {
        headline.sentence()
    } else {
        format!("{}: {}", headline.word(), headline.sentence())
    };
    let mut text = cut_to(&plain(&head), MAX_VERDICT_LEN);
    text.push('\n');
    let link = options.run_url.as_deref().unwrap_or_default();
    let mut lines: Vec<(Level, String)> = reviews.iter().flat_map(lines).collect();
    lines.sort_by_key(|(level, _)| Reverse(*level));
    let lines = failed
        .into_iter()
        .chain(lines.into_iter().map(|(_, line)| line));
    let lines: Vec<String> = lines
        .map(|line| cut_to(&plain(&line), MAX_LINE_LEN))
        .collect();
    // The number of lines that are left out, and the link, must fit too.
    let more = |left: usize| format!("- and {left} more\n");
    let reserved = more(lines.len()).chars().count() + link.chars().count() + 1;
    let mut left = MAX_LEN.saturating_sub(text.chars().count() + reserved);
    let mut shown = 0;
    for line in &lines {
        let length = line.chars().count() + 1;
        if length > left {
            break;
        }
        left -= length;
        text.push_str(line);
        text.push('\n');
        shown += 1;
    }
    if shown < lines.len() {
        text.push_str(&more(lines.len() - shown));
    }
    if !link.is_empty() && text.chars().count() + link.chars().count() < MAX_LEN {
        text.push_str(link);
        text.push('\n');
    }
    text
}

/// Returns the grave facts of a plan with their levels: its findings from a warning on, failed checks, changes that end
/// an object without a finding, and what a refresh-only plan drops from the state.
fn lines(review: &PlanReview<'_>) -> Vec<(Level, String)> {
    let unit = review.unit.as_ref().map(|unit| format!("{unit}: "));
    let unit = unit.unwrap_or_default();
    let is_grave = |listed: &&PlanFinding<'_>| {
        listed.finding.level >= Level::Warning
            && !listed.finding.is_undone
            && listed.accepted.is_none()
    };
    let findings = review.proven().iter().filter(is_grave).map(|listed| {
        let PlanFinding {
            finding, addresses, ..
        } = listed;
        let times = match addresses.len() {
            0 | 1 => String::new(),
            many => format!(" × {many}"),
        };
        let (level, kind) = (finding.level, finding.kind.name());
        let objects = objects(addresses);
        let text = &finding.text;
        let line = format!("- {} {kind}{times}: {unit}{objects}: {text}", level.name());
        (level, line)
    });
    let checks = review.checks.iter().filter(|check| check.is_failure());
    let checks = checks.map(|check| {
        (
            Level::Warning,
            format!("- warning: {unit}{}", failure(check)),
        )
    });
    let ends = |entry: &&Entry<'_>| entry.level_of_change() == Level::Warning;
    let changes = review
        .changes
        .listed()
        .chain(&review.changes.deferred)
        .filter(ends);
    let changes = changes.map(|entry| {
        let phrase = entry.kind().phrase();
        (
            Level::Warning,
            format!("- warning: {unit}{} {phrase}", entry.address),
        )
    });
    let recorded = (review.mode == PlanMode::RefreshOnly).then_some(&review.changes.drift);
    let is_lost = |entry: &&Entry<'_>| *entry.action.worst_case() == crate::model::Action::Delete;
    let dropped = recorded.into_iter().flatten().filter(is_lost).map(|entry| {
        (
            Level::Notice,
            format!("- {unit}{} leaves the state", entry.address),
        )
    });
    findings
        .chain(checks)
        .chain(changes)
        .chain(dropped)
        .collect()
}

/// Returns the line about a check that did not pass.
fn failure(check: &Problem) -> String {
    let what = match &*check.status {
        "fail" => "failed",
        _ => "could not be evaluated",
    };
    let mut text = format!("{} {what}", check.address);
    if let Some(message) = check.messages.first() {
        text.push(':');
        filled_lines(message).for_each(|line| text.extend([" ", line.trim_start()]));
    }
    text
}

/// Returns the address of the first object, and the number of the others.
fn objects(addresses: &[&str]) -> String {
    match addresses {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// Cuts a text to `max_len` characters, which include the number of characters that are left out.
fn cut_to(text: &str, max_len: usize) -> String {
    // The maximum length of that number, which follows the text.
    const NUMBER: usize = 24;
    if text.chars().count() <= max_len {
        text.to_owned()
    } else {
        cut(text, max_len - NUMBER)
    }
}

/// Returns a text on one line without anything that a terminal, a CI system, a chat or Markdown acts on.
fn plain(text: &str) -> String {
    let mut bytes = Vec::new();
    push_visible(&mut bytes, &one_line(text));
    let visible = String::from_utf8_lossy(&bytes);
    let mut plain = String::with_capacity(visible.len());
    for c in visible.chars() {
        plain.push(match c {
            '<' => '‹',
            '>' => '›',
            '@' => '＠',
            '#' => '＃',
            '`' => 'ˋ',
            '*' => '∗',
            '~' => '∼',
            '$' => '＄',
            '|' => '¦',
            '&' => '＆',
            '\\' => '∖',
            '!' => 'ǃ',
            c => c,
        });
    }
    // Links: `[x](y)`, `https://x`, `www.x`, `javascript:x`.
    plain
        .replace("](", "] (")
        .replace("][", "] [")
        .replace("://", ": //")
        .replace("www.", "www .")
        .replace("javascript:", "javascript :")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn nothing_in_a_text_acts() {
        assert_eq!(
            plain("a\n::error::[x](https://e) <!here> @all `x` #1 www.e aws_x.a[\"k\"]"),
            "a␊::error::[x] (https: //e) ‹ǃhere› ＠all ˋxˋ ＃1 www .e aws_x.a[\"k\"]"
        );
    }
}
