//! Writes one edit as lines: its path, its values, and remarks.
//!
//! ```text
//!   engine_version 15.4 -> 16.1 (forces it)
//! + tags.Stage = prod
//!   user_data (base64, lines)  {yum -> dnf} update -y
//! ```

use std::cmp::Ordering;

use super::document::{document, unwrapped};
use crate::diff::edits::{Edit, ElementKey, Inside, Label, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Sign, Span, Tone};
use crate::review::entry::{Cause, Entry};
use crate::review::inline::inline_to;
use crate::review::paths::{self, compact, path_text, root_name};
use crate::review::text::changed_text::{MAX_STRETCH_LEN, changed, stretch_within};
use crate::review::text::finding::FindingAt;
use crate::review::text::scope::Scope;
use crate::review::text::value::{ValueBlock, brief, tone, word};
use crate::review::{Options, names};
use crate::text::{cut, escape, first_of, hidden_value, quote};

/// The maximum number of lines for a value that is added or removed as a whole.
pub(in crate::review::text) const MAX_BLOCK_LINES: usize = 24;
/// The maximum number of sources that are named for an unknown value.
pub(in crate::review::text) const MAX_SOURCES: usize = 3;
/// The maximum length of what a policy is expected to contain, in characters.
const MAX_EXPECTED_LEN: usize = 160;
/// The number of columns that are reserved for the kinds of findings.
const KINDS_WIDTH: usize = 12;
/// The maximum length of a line, in columns. Longer lines are hard to read.
const MAX_LINE_LEN: usize = 100;
/// The maximum number of lines of a document that are written as one.
const MAX_JOINED: usize = 3;
/// The maximum length of a value that is added or removed, in characters.
const MAX_VALUE_LEN: usize = 160;
/// The minimum number of columns for a block or value that is added or removed and has a finding.
const MIN_BLOCK_LEN: usize = 16;
/// The characters around the members of a block, with the number of those that do not fit.
const BLOCK_FRAME: &str = "{  } +9";
/// The number of columns before the text of a line that continues another.
const SECOND_LINE: usize = 8;
/// The number of columns at the end of a line that stay empty, because the next part of the line cannot be broken.
const END_OF_LINE: usize = 10;
/// The minimum number of equal bytes in two strings that are shown by the changed stretch.
const MIN_SAME: usize = 24;
/// The length of strings, in bytes, from which on the changed stretch is shown even if both values fit on a line.
const LONG: usize = 40;

/// The lines of one edit under construction.
pub(in crate::review::text) struct LineOfEdit<'o> {
    /// The options of the review.
    options: &'o Options,
    /// The line about the edit itself.
    line: Line,
    /// The lines of a value or document that does not fit on `line`.
    below: Vec<Line>,
    /// The findings that the lines below mention, by their IDs.
    said: Vec<usize>,
    /// Whether any finding is about the edit, for which columns are reserved at the end of the line.
    has_findings: bool,
    /// The position of an element in words, if the order of its list matters.
    position: Option<String>,
    /// The number of columns at the end of the line that are reserved for remarks and the kinds of findings.
    reserved: usize,
}

impl<'o> LineOfEdit<'o> {
    /// Writes the path and the values of an edit. Remarks follow in [`lines`](Self::lines).
    pub(in crate::review::text) fn new(edit: &Edit<'_>, scope: Scope<'o>) -> Self {
        let is_moved = edit.labels.contains(Label::Moved);
        let label = if is_moved {
            paths::moved(scope.base, edit.path)
        } else {
            path_text(scope.base, edit.path)
        };
        let sign = match (edit.before, edit.after) {
            _ if edit.labels.contains(Label::Empty) => Sign::Change,
            (None, _) => Sign::Add,
            (_, None) => Sign::Remove,
            (Some(_), Some(_)) => Sign::Change,
        };
        let spans = if label.is_empty() {
            Vec::new()
        } else {
            vec![Span::new(label, Tone::Plain)]
        };
        let position = position_words(edit, scope.entry);
        let columns_of_position = position
            .as_ref()
            .map_or(0, |position| position.len() + " ()".len());
        let mut line = Self {
            options: scope.options,
            line: Line::of(scope.depth, sign, spans),
            below: Vec::new(),
            said: Vec::new(),
            has_findings: !scope.findings.is_empty(),
            reserved: reserved(edit, !scope.findings.is_empty()) + columns_of_position,
            position,
        };
        match (edit.inside, edit.before, edit.after) {
            (Some(inside), ..) => line.inside(edit, inside, scope),
            (None, None, Some(value)) if sign == Sign::Add => line.whole(edit, value, scope),
            (None, Some(value), None) if sign == Sign::Remove => line.whole(edit, value, scope),
            (None, ..) => line.sides(edit, scope),
        }
        line
    }

    /// Returns the IDs of the findings that the lines below the first one mention.
    pub(in crate::review::text) fn said(&self) -> &[usize] {
        &self.said
    }

    /// Appends the remarks, and returns the line of the edit and the lines below it.
    pub(in crate::review::text) fn lines(
        mut self,
        edit: &Edit<'_>,
        notes: &[&'static str],
        entry: Option<&Entry<'_>>,
    ) -> impl Iterator<Item = Line> + use<> {
        if edit.replaces {
            self.push(FORCES_IT, Tone::Alert);
        }
        let position = self.position.take();
        let position: Vec<&str> = position.iter().map(String::as_str).collect();
        let remarks = [&label_texts(edit, &[]), &*position, notes].concat();
        if !remarks.is_empty() {
            self.push(format!(" ({})", remarks.join("; ")), Tone::Muted);
        }
        if let Some(entry) = entry {
            self.expected(edit, entry);
        }
        // There may be a line for each of a million values, and a page keeps all of them in memory.
        self.line.spans.shrink_to_fit();
        [self.line].into_iter().chain(self.below)
    }

    fn push(&mut self, text: impl Into<String>, tone: Tone) {
        self.line.spans.push(Span::new(text, tone));
    }

    /// Returns the number of columns for the values, which is at least `MAX_STRETCH_LEN`.
    fn width(&self) -> usize {
        let used = 2 * self.line.depth + self.line.text().chars().count() + 8 + self.reserved;
        self.options.width.saturating_sub(used).max(MAX_STRETCH_LEN)
    }

    /// Writes a value as a block below the line.
    fn block(&mut self, value: MarkedValue<'_>, sign: Sign, levels: usize) {
        let place = (self.line.depth + 1, levels);
        self.below.extend(ValueBlock::lines(
            value,
            sign,
            place,
            MAX_BLOCK_LINES,
            self.options,
        ));
    }

    /// Writes the expected statements of a policy that is known after apply, as far as the plan says them.
    fn expected(&mut self, edit: &Edit<'_>, entry: &Entry<'_>) {
        if !is_explained(edit) {
            return;
        }
        let limit = self.options.limit(MAX_SOURCES);
        let causes = causes_of(edit, entry);
        let all = causes.take(limit).flat_map(|cause| cause.expected);
        for expected in all {
            let text = cut(expected, self.options.limit(MAX_EXPECTED_LEN));
            let line = Line::note(self.line.depth + 1, format!("expected: {text}"));
            self.below.push(line);
        }
    }

    /// Writes a value that is added or removed: on the line if it fits, otherwise shortened or, if all values are to be
    /// shown, as a block below.
    fn whole(&mut self, edit: &Edit<'_>, value: MarkedValue<'_>, scope: Scope<'_>) {
        let is_container = matches!(value.content, Content::Array(_) | Content::Object(_));
        let separator = match (self.line.spans.is_empty(), is_container) {
            (false, true) if scope.findings.iter().any(|found| found.words.is_some()) => ": ",
            (false, true) => " ",
            (false, false) => " = ",
            (true, _) => "",
        };
        let (tone, levels) = (tone(self.line.sign), self.options.levels_below(1));
        self.push(separator, tone);
        if let Some(origin) = origin(edit, scope) {
            return self.push(origin, tone);
        }
        let is_whole = self.options.unchanged;
        let mut words = scope.findings.iter().filter_map(|finding| finding.words);
        if let Some(words) = words.next().filter(|_| is_container && !is_whole) {
            return self.push(escape(words).into_owned(), tone);
        }
        if is_whole && inline_to(value, levels, self.width()).is_none() {
            return self.block(value, self.line.sign, levels);
        }
        let text = match value.as_str() {
            Some(_) => word(Some(value), MAX_VALUE_LEN, false),
            None if self.options.depth.is_some() => {
                inline_to(value, levels, usize::MAX).unwrap_or_default()
            }
            None => self.brief(value, named_by(edit), scope.findings),
        };
        self.push(text, tone);
    }

    /// Returns a block for the line. If it has a finding and less than a third of it fits, it may take two lines, if
    /// more than a third fits then.
    fn brief(
        &self,
        value: MarkedValue<'_>,
        named_by: Option<&ElementKey<'_>>,
        findings: &[FindingAt<'_>],
    ) -> String {
        let within = |columns: usize| brief(value, named_by, columns.min(MAX_VALUE_LEN));
        let columns = if self.has_findings {
            self.rest()
        } else {
            self.width()
        };
        let whole = within(columns);
        if whole.is_whole() {
            return whole.text();
        }
        let remarks = findings.iter().flat_map(|finding| &finding.remarks);
        let remarks: usize = remarks.map(|remark| remark.len() + " ()".len()).sum();
        let first = columns.saturating_sub(BLOCK_FRAME.len() + remarks);
        let first = first.max(MIN_BLOCK_LEN);
        let on_one_line = within(first);
        if !self.has_findings || on_one_line.compared_with_a_third() != Ordering::Less {
            return on_one_line.text();
        }
        let indent = 2 * self.line.depth + SECOND_LINE;
        let second = self.options.width.min(MAX_LINE_LEN);
        let second = second.saturating_sub(indent + KINDS_WIDTH + END_OF_LINE);
        let on_two_lines = within(first + second);
        match on_two_lines.compared_with_a_third() {
            Ordering::Greater => on_two_lines.text(),
            Ordering::Less | Ordering::Equal => on_one_line.text(),
        }
    }

    /// Writes the edits of a document in a string below the line that names the string.
    fn inside(&mut self, edit: &Edit<'_>, inside: &Inside<'_>, scope: Scope<'_>) {
        let (formats, edit, inside) = unwrapped(edit, inside);
        self.push(format!(" ({formats})"), Tone::Muted);
        if inside.edits.is_empty() {
            return;
        }
        // The path of a finding has a step for each document that is unwrapped.
        let findings: Vec<FindingAt<'_>> = scope
            .findings
            .iter()
            .map(|finding| {
                let steps = finding.steps.iter();
                let is_document = |step: &&Step<'_>| matches!(step, Step::Document(_));
                FindingAt {
                    steps: steps.skip_while(is_document).copied().collect(),
                    ..finding.clone()
                }
            })
            .collect();
        let inner = Scope {
            entry: None,
            base: "",
            depth: self.line.depth + 1,
            findings: &findings,
            options: self.options,
        };
        let text = document(edit, inside, inner);
        self.said = text.said;
        self.below = text.lines;
        self.join_lines();
    }

    /// Joins the lines of a document to the line that names it, if there is only one, or if they are few, have no
    /// findings and fit.
    fn join_lines(&mut self) {
        let is_one = self.below.len() == 1;
        let depth = self.line.depth + 1;
        let is_plain = |line: &Line| {
            let is_joined = line.sign == Sign::Change && line.mark().is_empty();
            line.sign != Sign::Note && line.depth == depth && (is_one || is_joined)
        };
        let length: usize = self
            .below
            .iter()
            .map(|line| line.text().chars().count() + 4)
            .sum();
        let fits = is_one || self.below.len() <= MAX_JOINED && length <= self.rest();
        if self.below.is_empty() || !fits || !self.below.iter().all(is_plain) {
            return;
        }
        for (index, mut below) in std::mem::take(&mut self.below).into_iter().enumerate() {
            let separator = if index > 0 { "," } else { " " };
            let sign = match below.sign {
                Sign::Add => " + ",
                Sign::Remove => " - ",
                Sign::Change | Sign::Same | Sign::Note => " ",
            };
            self.push(format!("{separator}{sign}"), tone(below.sign));
            self.line.add_mark(below.mark());
            self.line.spans.append(&mut below.spans);
        }
    }

    /// Returns the number of columns that are left on the line.
    fn rest(&self) -> usize {
        let used = 2 * self.line.depth + self.line.text().chars().count() + 8 + self.reserved;
        self.options.width.min(MAX_LINE_LEN).saturating_sub(used)
    }

    /// Writes both values of a change in the shortest form that shows the difference: the changed stretch of a text,
    /// both values, or lines below.
    fn sides(&mut self, edit: &Edit<'_>, scope: Scope<'_>) {
        let Edit {
            before,
            after,
            labels,
            ..
        } = *edit;
        let width = self.width();
        let separator = if self.line.spans.is_empty() { "" } else { " " };
        self.push(separator, Tone::Plain);
        if [before, after]
            .into_iter()
            .all(|side| side.is_some_and(MarkedValue::is_redacted))
        {
            let changed = before != after && !labels.contains(Label::Sensitivity);
            let lacks_schema = [before, after]
                .iter()
                .flatten()
                .all(|side| side.lacks_schema);
            let text = match changed && !lacks_schema {
                true => "(sensitive value, changed)",
                false => hidden_value(lacks_schema),
            };
            return self.push(text, Tone::Changed);
        }
        if labels.contains(Label::Order) && !labels.contains(Label::Moved) {
            return;
        }
        if before == after || labels.contains(Label::Moved) || labels.contains(Label::Sensitivity) {
            let value = after.or(before);
            let text = value.map_or_else(
                || "null".to_owned(),
                |value| brief(value, None, width).text(),
            );
            return self.push(text, Tone::Changed);
        }
        // A long old value says nothing if the new one is not known.
        let is_long = before
            .and_then(MarkedValue::as_str)
            .is_some_and(|text| text.len() > 2 * MAX_STRETCH_LEN);
        if is_long && after.is_some_and(MarkedValue::is_unknown) && !self.options.unchanged {
            let after = origin(edit, scope).unwrap_or_else(|| KNOWN_AFTER_APPLY.to_owned());
            return self.push(format!("-> {after}"), Tone::Added);
        }
        let limit = width.saturating_sub(4).max(2 * MAX_STRETCH_LEN);
        let texts = before
            .and_then(MarkedValue::as_str)
            .zip(after.and_then(MarkedValue::as_str));
        let is_text = texts.is_some();
        let (old, new) = (word(before, limit, is_text), word(after, limit, is_text));
        let fits = old.chars().count() + new.chars().count() <= limit;
        if let Some((one, other)) = texts {
            let length = old.chars().count() + new.chars().count() + " -> ".len();
            let is_long = one.len().min(other.len()) >= LONG || length > self.rest();
            if is_long && let Some(spans) = stretch_within(one, other, MIN_SAME, self.rest()) {
                self.line.spans.extend(spans);
                return;
            }
            if !fits {
                return self.words_below(one, other);
            }
        }
        let levels = self.options.levels_below(edit.path.len());
        let is_whole = self.options.unchanged;
        if !fits && is_whole {
            for (side, sign) in [(before, Sign::Remove), (after, Sign::Add)] {
                if let Some(value) = side {
                    self.block(value, sign, levels);
                }
            }
            return;
        }
        let part = |side: Option<MarkedValue<'_>>| match side {
            Some(value) if self.options.depth.is_some() && value.is_container() => {
                inline_to(value, levels, usize::MAX).unwrap_or_default()
            }
            side => word(side, if fits { limit } else { limit / 2 }, is_text),
        };
        let (old, new) = (
            part(before),
            origin(edit, scope).unwrap_or_else(|| part(after)),
        );
        self.push(old, Tone::Removed);
        self.push(" -> ", Tone::Plain);
        self.push(new, Tone::Added);
    }

    /// Writes two texts below the line, with the words that differ marked.
    fn words_below(&mut self, before: &str, after: &str) {
        let depth = self.line.depth + 1;
        let (old, new) = changed(&quote(before), &quote(after));
        self.below.push(Line::of(depth, Sign::Remove, old));
        self.below.push(Line::of(depth, Sign::Add, new));
    }
}

/// Returns the difference of two strings as `…layer:powertools:{12 -> 13}`; `None` if that is too long.
pub(in crate::review) fn differing_part(before: &str, after: &str) -> Option<String> {
    let spans = stretch_within(before, after, MIN_SAME, MAX_STRETCH_LEN)?;
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    (text.chars().count() <= MAX_STRETCH_LEN).then_some(text)
}

/// The remark about an edit that forces the replacement of the object.
const FORCES_IT: &str = " (forces it)";

/// Returns the member by which the path names an element.
fn named_by<'e>(edit: &'e Edit<'_>) -> Option<&'e ElementKey<'e>> {
    match edit.path.last() {
        Some(Step::Element(element)) => element.key,
        Some(Step::Name(_) | Step::Document(_)) | None => None,
    }
}

/// Returns the number of columns that [`LineOfEdit::lines`] and the writers of findings need at the end of a line.
fn reserved(edit: &Edit<'_>, has_findings: bool) -> usize {
    let remarks = label_texts(edit, &[]).join("; ");
    let mut columns = 0;
    if edit.replaces {
        columns += FORCES_IT.len();
    }
    if !remarks.is_empty() {
        columns += remarks.len() + " ()".len();
    }
    if has_findings {
        columns += KINDS_WIDTH;
    }
    columns
}

/// The text for a value that is known after apply.
const KNOWN_AFTER_APPLY: &str = "(known after apply)";

/// Returns the causes through the attribute of an edit.
fn causes_of<'e, 'a>(
    edit: &Edit<'a>,
    entry: &'e Entry<'a>,
) -> impl Iterator<Item = &'e Cause<'a>> + use<'e, 'a> {
    let name = root_name(edit);
    entry
        .causes
        .iter()
        .filter(move |cause| cause.attribute == name)
}

/// Returns where a value that is known after apply comes from: `(from aws_vpc.main.id)`. `None` if the configuration
/// does not say it.
fn origin(edit: &Edit<'_>, scope: Scope<'_>) -> Option<String> {
    let entry = scope.entry.filter(|_| is_explained(edit))?;
    let limit = scope.options.limit(MAX_SOURCES);
    let causes: Vec<&Cause<'_>> = causes_of(edit, entry).collect();
    let name = root_name(edit);
    let given = entry.given.iter().find(|given| given.attribute == name);
    let sources: Vec<String> = match given.filter(|_| causes.is_empty()) {
        Some(given) => given
            .sources
            .iter()
            .map(|text| cut(entry.within_module(text), 200))
            .collect(),
        None => causes
            .iter()
            .map(|cause| cut(entry.within_module(&cause.text()), 200))
            .collect(),
    };
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let sources = compact(&sources);
    (!sources.is_empty()).then(|| format!("(from {})", first_of(sources, limit)))
}

/// Whether an edit sets a whole attribute that is known after apply, so that its line names where the value comes from.
pub(in crate::review::text) fn is_explained(edit: &Edit<'_>) -> bool {
    edit.path.len() == 1 && edit.after.is_some_and(MarkedValue::is_unknown)
}

/// Returns the position of an added or moved element among the others, in words, if the order of the list matters.
fn position_words(edit: &Edit<'_>, entry: Option<&Entry<'_>>) -> Option<String> {
    let Some(Step::Element(element)) = edit.path.last() else {
        return None;
    };
    let (_, number) = element.lengths;
    let is_moved = edit.labels.contains(Label::Moved);
    let index = element.after.filter(|_| edit.before.is_none() || is_moved);
    if number < 2 || !names::order_decides(entry?.resource_type, edit) {
        return None;
    }
    match index? {
        0 => Some("first".to_owned()),
        last if last + 1 == number => Some("last".to_owned()),
        // The path of a moved element has its position.
        _ if is_moved => None,
        index => Some(format!("place {} of {number}", index + 1)),
    }
}

/// Returns the remarks for the labels of an edit, without those in `except`.
fn label_texts(edit: &Edit<'_>, except: &[Label]) -> Vec<&'static str> {
    let labels = edit.labels.iter().filter(|label| !except.contains(label));
    labels.filter_map(|label| label_text(label, edit)).collect()
}

/// Returns the notes about an edit and about the document in it, each once.
pub(in crate::review::text) fn notes(edit: &Edit<'_>) -> Vec<&'static str> {
    let inner = edit
        .inside
        .map_or(&[][..], |inside| unwrapped(edit, inside).1.notes);
    let mut texts: Vec<&str> = Vec::new();
    for text in edit.notes.iter().chain(inner).map(|note| note.text()) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// Returns the remarks and notes about an edit in brackets: ` (only white space differs)`. Empty if there are none.
pub(crate) fn remarks(edit: &Edit<'_>, except: &[Label]) -> String {
    let words = [label_texts(edit, except), notes(edit)].concat();
    if words.is_empty() {
        String::new()
    } else {
        format!(" ({})", words.join("; "))
    }
}

/// Returns the remark for a label of an edit; `None` if the values already show it.
fn label_text(label: Label, edit: &Edit<'_>) -> Option<&'static str> {
    let is_marked = |side: Option<MarkedValue<'_>>| {
        side.is_some_and(|value| value.is_sensitive || value.is_hidden)
    };
    Some(match label {
        Label::Moved => "moved",
        Label::Sensitivity => match (is_marked(edit.before), is_marked(edit.after)) {
            (false, true) => "becomes sensitive; the value stays",
            (true, false) => "is no longer sensitive; the value stays",
            (true, true) | (false, false) => "only the sensitive marks differ",
        },
        // The values show it: `null -> ""`.
        Label::Empty => return None,
        Label::Case => "only upper and lower case differ",
        Label::Whitespace => "only white space differs",
        Label::Invisible => "only invisible characters differ",
        Label::UnicodeForm => "only the Unicode form differs",
        Label::Format => "the same JSON, written differently",
        Label::Order if edit.labels.contains(Label::Moved) => "order is not significant here",
        Label::Order => "only the order differs, which is not significant here",
        Label::TypeOnly => "only written as another type",
        Label::NotInSchema => "not in the schema",
    })
}
