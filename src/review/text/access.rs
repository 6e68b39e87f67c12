//! Writes rules of firewalls and statements of policies as lines, each with the findings about it.
//!
//! ```text
//!    ~ aws_security_group.web  ingress:
//!        + tcp/443 from 10.0.0.0/8
//! !!     + tcp/22 from 0.0.0.0/0                               exposure
//! ```
//!
//! Invariant: a line with a finding is not left out before one without.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::block::tone;
use super::finding::{FindingAt, say};
use super::{EntryText, more};
use crate::diff::edits::{Edit, Step};
use crate::report::{Line, Sign, Span, Tone};
use crate::review::Options;
use crate::review::access::{AccessChange, AccessLine, ElementPlace};
use crate::text::{cut, first_of};

/// The maximum number of lines about an object that is created or destroyed.
const MAX_OBJECT_LINES: usize = 12;
/// The maximum number of lines about a changed attribute.
const MAX_CHANGE_LINES: usize = 60;
/// The maximum number of items of a list in a rule or statement.
const MAX_ITEMS: usize = 12;
/// The maximum length of these items, in characters.
const MAX_ITEM_LEN: usize = 200;

/// Returns the lines that replace some edits of an entry. Several lines are below a title, and a single one is after
/// it, if there is a title.
///
/// `proven` are the findings that these edits prove, as positions in `findings`. Each is mentioned on the line that it
/// is about, otherwise on the first line.
pub(super) fn of_edits(
    change: &AccessChange<'_>,
    edits: &[Edit<'_>],
    (findings, proven): (&[FindingAt<'_>], &[usize]),
    depth: usize,
    options: &Options,
) -> EntryText {
    let places = LinesByElement::new(change);
    let mut of_line: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut unplaced = Vec::new();
    for index in proven {
        match places.line_of(&findings[*index]) {
            Some(line) => of_line.entry(line).or_default().push(*index),
            None => unplaced.push(*index),
        }
    }
    let limit = options.limit(MAX_CHANGE_LINES);
    let mut text = lines(change, (findings, of_line), depth, limit, options);
    let Some(first) = text.lines.first_mut() else {
        return text;
    };
    text.said.extend(say(first, &unplaced, findings));
    let mut own_edits = change.edits.iter().filter_map(|index| edits.get(*index));
    let is_forced = own_edits.any(|edit| edit.replaces);
    if is_forced && (is_alone(change) || !change.title.is_empty()) {
        first.spans.push(Span::new(" (forces it)", Tone::Alert));
    }
    text
}

/// Returns the lines about an object that is created or destroyed. They mention only findings that are about exactly
/// one of them.
pub(super) fn of_object(
    change: &AccessChange<'_>,
    findings: &[FindingAt<'_>],
    options: &Options,
) -> EntryText {
    let places = LinesByElement::new(change);
    let mut of_line: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, finding) in findings.iter().enumerate() {
        let is_own = match finding.steps.first() {
            Some(Step::Name(root)) => change.attributes.contains(root),
            Some(Step::Element(_) | Step::Document(_)) | None => false,
        };
        if let Some(line) = places.line_of(finding).filter(|_| is_own) {
            of_line.entry(line).or_default().push(index);
        }
    }
    let limit = options.limit(MAX_OBJECT_LINES);
    lines(change, (findings, of_line), 0, limit, options)
}

/// Returns the lines of a change, at most `limit`. `of_line` has the findings that each line mentions, by the index of
/// the line in the change.
fn lines(
    change: &AccessChange<'_>,
    (findings, mut of_line): (&[FindingAt<'_>], HashMap<usize, Vec<usize>>),
    depth: usize,
    limit: usize,
    options: &Options,
) -> EntryText {
    let title = &change.title;
    let is_alone = is_alone(change);
    let below = depth + usize::from(!is_alone && !title.is_empty());
    let kept = kept(change.lines.len(), limit, &of_line, findings);
    let mut text = EntryText::default();
    for index in &kept {
        let mut line = access_line(&change.lines[*index], below, options);
        // A remark about a single line follows it: `ingress: all traffic from itself (now empty)`.
        if is_alone && *index == 1 {
            if let Some(first) = text.lines.last_mut() {
                let remark = format!(" ({})", line.text());
                first.spans.push(Span::new(remark, Tone::Muted));
            }
            continue;
        }
        if title.is_empty() && is_alone {
            // The description of a rule that is an object of its own is a remark.
            line.spans.retain(|span| span.tone != Tone::Muted);
        }
        let proven = of_line.remove(index).unwrap_or_default();
        text.said.extend(say(&mut line, &proven, findings));
        text.lines.push(line);
    }
    let left_out = change.lines.len() - kept.len();
    text.lines.extend(more(below, left_out, "more line"));
    if title.is_empty() {
        return text;
    }
    let first = text.lines.first().map_or(Sign::Change, |line| line.sign);
    match text.lines.first_mut().filter(|_| is_alone) {
        Some(only) => only
            .spans
            .insert(0, Span::new(format!("{title}: "), Tone::Plain)),
        None => {
            let is_one_sign = change.lines.iter().all(|line| line.sign == first);
            let sign = if is_one_sign { first } else { Sign::Change };
            let line = Line::new(depth, sign, format!("{title}:"), Tone::Plain);
            text.lines.insert(0, line);
        }
    }
    text
}

/// Whether there is one line, with at most a remark about it, and nothing below.
fn is_alone(change: &AccessChange<'_>) -> bool {
    if !change.others.is_empty() {
        return false;
    }
    match &*change.lines {
        [_] => true,
        [one, remark] => {
            one.sign != Sign::Note && remark.sign == Sign::Note && one.depth == remark.depth
        }
        _ => false,
    }
}

/// Returns the indices of the lines that are shown, in ascending order: those with findings, the gravest if there are
/// too many, then the first ones without.
fn kept(
    number: usize,
    limit: usize,
    of_line: &HashMap<usize, Vec<usize>>,
    findings: &[FindingAt<'_>],
) -> Vec<usize> {
    if number <= limit {
        return (0..number).collect();
    }
    let level = |line: &usize| {
        let of_this_line = of_line[line].iter();
        of_this_line.map(|index| findings[*index].mark.level).max()
    };
    let mut marked: Vec<usize> = of_line.keys().copied().collect();
    marked.sort_unstable_by_key(|line| (Reverse(level(line)), *line));
    marked.truncate(limit);
    let others = (0..number).filter(|index| !of_line.contains_key(index));
    let mut kept: Vec<usize> = others.take(limit - marked.len()).collect();
    kept.append(&mut marked);
    kept.sort_unstable();
    kept
}

/// The first line about each rule or statement of a change.
struct LinesByElement {
    /// The attribute that contains the rules or statements, for example `ingress`; empty if the object itself is one.
    list: &'static str,
    /// Whether the change is about a single rule, so that all findings are about its line.
    is_one_rule: bool,
    /// The index of the line about each rule or statement, by its index in the list before the change.
    by_index_before: HashMap<u32, usize>,
    /// The index of the line about each rule or statement, by its index in the list after the change.
    by_index_after: HashMap<u32, usize>,
}

impl LinesByElement {
    /// Indexes the lines of a change by the rules or statements that they are about.
    fn new(change: &AccessChange<'_>) -> Self {
        let mut places = Self {
            list: change.list,
            is_one_rule: change.list.is_empty() && is_alone(change),
            by_index_before: HashMap::new(),
            by_index_after: HashMap::new(),
        };
        for (line, AccessLine { element, .. }) in change.lines.iter().enumerate() {
            let Some(ElementPlace { before, after }) = element else {
                continue;
            };
            if let Some(index) = before {
                places.by_index_before.entry(*index).or_insert(line);
            }
            if let Some(index) = after {
                places.by_index_after.entry(*index).or_insert(line);
            }
        }
        places
    }

    /// Returns the index of the line that a finding is about.
    fn line_of(&self, finding: &FindingAt<'_>) -> Option<usize> {
        if self.is_one_rule {
            return Some(0);
        }
        let ElementPlace { before, after } = ElementPlace::of_path(&finding.steps, self.list)?;
        let of_after = after.and_then(|index| self.by_index_after.get(&index));
        let of_before = before.and_then(|index| self.by_index_before.get(&index));
        // The finding is about a member that is removed from a rule or statement that stays.
        let is_removed = match finding.steps.last() {
            Some(Step::Element(last)) => last.after.is_none(),
            Some(Step::Name(_) | Step::Document(_)) | None => false,
        };
        let line = match is_removed {
            true => of_before.or(of_after),
            false => of_after.or(of_before),
        };
        line.copied()
    }
}

/// Returns the line for a rule or statement. Parts that change have their own tone, and the others have that of the
/// sign.
fn access_line(line: &AccessLine, depth: usize, options: &Options) -> Line {
    let tone_of_sign = if line.sign == Sign::Change {
        Tone::Plain
    } else {
        tone(line.sign)
    };
    let (max_items, max_len) = (options.limit(MAX_ITEMS), options.limit(MAX_ITEM_LEN));
    let spans = line.parts.iter().map(|part| {
        let text = first_of(part.items.iter().map(|item| cut(item, max_len)), max_items);
        let tone = if part.tone == Tone::Plain {
            tone_of_sign
        } else {
            part.tone
        };
        Span::new(text, tone)
    });
    Line::of(depth + line.depth, line.sign, spans.collect())
}
