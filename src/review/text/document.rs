//! Texts: documents embedded in strings, as their edits or as hunks of lines, and the changed words of strings.
//!
//! ```text
//! user_data (lines)
//! - yum update -y
//! + dnf upgrade --all -q
//!   … 12 unchanged lines
//! - echo done
//! ```

use std::collections::HashMap;

use similar::{Algorithm, ChangeTag, capture_diff_slices};

use super::EntryText;
use super::edit::stretch;
use super::edits::{Scope, edit_lines};
use super::finding::{FindingAt, say};
use crate::diff::edits::{Edit, Format, Inside, Step};
use crate::diff::value::MarkedValue;
use crate::report::{Line, Sign, Span, Tone};
use crate::review::inline::MAX_LEN;
use crate::review::{CONTEXT, count};
use crate::text::cut;

/// In bytes: lines with less in common are shown as a whole.
const MIN_SAME: usize = 8;
/// Longer stretches are not compared word by word, which may take quadratic time.
const MAX_COMPARED: usize = 1_000;
/// The number of characters of an unchanged stretch that are shown at each end.
const KEPT: usize = 30;
/// The maximum length of a changed stretch.
const MAX_CHANGE_LEN: usize = 300;

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Json => "JSON",
        Format::Yaml => "YAML",
        Format::Base64 => "base64",
        Format::Gzip => "gzip",
        Format::Lines => "lines",
    }
}

/// The nested formats, such as `base64, YAML`, down to the first one with several edits; the edit of the text that
/// contains that document, and the changes in it.
pub(crate) fn unwrapped<'e, 'a>(
    edit: &'e Edit<'a>,
    inside: &'e Inside<'a>,
) -> (String, &'e Edit<'a>, &'e Inside<'a>) {
    let (mut formats, mut edit, mut inside) = (format_name(inside.format).to_owned(), edit, inside);
    while let [inner] = inside.edits
        && inner.path.is_empty()
        && let Some(next) = inner.inside
    {
        formats.extend([", ", format_name(next.format)]);
        (edit, inside) = (inner, next);
    }
    (formats, edit, inside)
}

pub(super) fn document(edit: &Edit<'_>, inside: &Inside<'_>, scope: Scope<'_>) -> EntryText {
    let sides = (
        edit.before.and_then(MarkedValue::as_str),
        edit.after.and_then(MarkedValue::as_str),
    );
    match (inside.format, sides) {
        (Format::Lines, (Some(before), Some(after))) => hunks(before, after, inside.edits, scope),
        _ => edit_lines(inside.edits, scope),
    }
}

/// The changed lines of a text, with unchanged lines around them, each with the findings about it.
fn hunks(before: &str, after: &str, edits: &[Edit<'_>], scope: Scope<'_>) -> EntryText {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split('\n').collect(), after.split('\n').collect());
    let (mut removed, mut added) = (vec![None; old.len()], vec![None; new.len()]);
    for edit in edits {
        let Some(Step::Element(element)) = edit.path.last() else {
            continue;
        };
        let is_moved =
            element.before.is_some() && element.after.is_some() && edit.before == edit.after;
        for (list, place) in [(&mut removed, element.before), (&mut added, element.after)] {
            if let Some(line) = place.and_then(|place| list.get_mut(place as usize)) {
                *line = Some(is_moved);
            }
        }
    }
    let context = scope.options.context;
    let context = context.or_else(|| scope.options.unchanged.then_some(CONTEXT));
    // Without a number of lines around them, changed lines say what differs in them.
    let is_brief = context.is_none();
    let context = context.unwrap_or(0);
    let run = |changed: &[Option<bool>], from: usize| {
        changed
            .iter()
            .skip(from)
            .take_while(|change| change.is_some())
            .count()
    };
    let mut hunks = Hunks {
        depth: scope.depth,
        context,
        text: EntryText::default(),
        equal: Vec::new(),
        is_first: true,
        findings: FindingsOfLines::new(scope.findings),
    };
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        let (gone, come) = (run(&removed, i), run(&added, j));
        if gone + come == 0 {
            hunks.equal.extend(old.get(i).or_else(|| new.get(j)));
            i += 1;
            j += 1;
            continue;
        }
        hunks.flush(false);
        if is_brief && gone == come {
            let all = (0..gone).map(|at| stretch(old[i + at], new[j + at], MIN_SAME));
            if let Some(spans) = all.collect::<Option<Vec<_>>>() {
                for (at, spans) in spans.into_iter().enumerate() {
                    hunks.line(Sign::Change, spans, None);
                    hunks.say(Some(i + at), Some(j + at));
                }
                i += gone;
                j += come;
                continue;
            }
        }
        let pair = |at: usize| (at < gone.min(come)).then(|| changed(old[i + at], new[j + at]));
        for at in 0..gone {
            let spans = pair(at).map_or_else(|| plain(old[i + at], Tone::Removed), |(old, _)| old);
            hunks.line(Sign::Remove, spans, removed[i + at]);
            hunks.say(Some(i + at), None);
        }
        for at in 0..come {
            let spans = pair(at).map_or_else(|| plain(new[j + at], Tone::Added), |(_, new)| new);
            hunks.line(Sign::Add, spans, added[j + at]);
            hunks.say(None, Some(j + at));
        }
        i += gone;
        j += come;
    }
    hunks.flush(true);
    hunks.text
}

/// The findings about single lines of a text, by the index of the line before and after.
struct FindingsOfLines<'f> {
    all: &'f [FindingAt<'f>],
    before: HashMap<u32, Vec<usize>>,
    after: HashMap<u32, Vec<usize>>,
}

impl<'f> FindingsOfLines<'f> {
    /// Sorts findings by the index of their line, after the change if the line exists there.
    fn new(all: &'f [FindingAt<'f>]) -> Self {
        let mut findings = Self {
            all,
            before: HashMap::new(),
            after: HashMap::new(),
        };
        for (at, finding) in all.iter().enumerate() {
            let Some(Step::Element(element)) = finding.steps.first() else {
                continue;
            };
            match (element.after, element.before) {
                (Some(line), _) => findings.after.entry(line).or_default().push(at),
                (None, Some(line)) => findings.before.entry(line).or_default().push(at),
                (None, None) => {}
            }
        }
        findings
    }

    /// Those about a line that is at these indices. Each is returned once.
    fn take(&mut self, before: Option<usize>, after: Option<usize>) -> Vec<usize> {
        let of = |all: &mut HashMap<u32, Vec<usize>>, line: Option<usize>| {
            let line = line.and_then(|line| u32::try_from(line).ok());
            line.and_then(|line| all.remove(&line)).unwrap_or_default()
        };
        let mut own = of(&mut self.after, after);
        own.extend(of(&mut self.before, before));
        own
    }
}

struct Hunks<'t> {
    /// The indentation of the lines.
    depth: usize,
    /// The number of unchanged lines shown before and after changed ones.
    context: usize,
    /// The lines written so far.
    text: EntryText,
    /// Unchanged lines since the last change, which are shown or counted once the next change is
    /// known.
    equal: Vec<&'t str>,
    /// No change was written yet, so the unchanged lines have none before them.
    is_first: bool,
    /// The findings about lines of this text.
    findings: FindingsOfLines<'t>,
}

impl Hunks<'_> {
    /// Says the findings about the last line, which is at these indices.
    fn say(&mut self, before: Option<usize>, after: Option<usize>) {
        let own = self.findings.take(before, after);
        let Some(line) = self.text.lines.last_mut().filter(|_| !own.is_empty()) else {
            return;
        };
        let said = say(line, &own, self.findings.all);
        self.text.said.extend(said);
    }

    /// Lines far from both changes are only counted.
    fn flush(&mut self, is_last: bool) {
        let equal = std::mem::take(&mut self.equal);
        let head = if std::mem::take(&mut self.is_first) {
            0
        } else {
            self.context.min(equal.len())
        };
        let tail = if is_last {
            0
        } else {
            self.context.min(equal.len() - head)
        };
        let hidden = equal.len() - head - tail;
        let (first, rest) = equal.split_at(head);
        first
            .iter()
            .for_each(|line| self.line(Sign::Same, plain(line, Tone::Plain), None));
        let counted = if is_last && equal.last() == Some(&"") {
            hidden.saturating_sub(1)
        } else {
            hidden
        };
        if counted > 0 && self.context > 0 {
            self.text.lines.push(Line::note(
                self.depth,
                format!("… {}", count(counted, "unchanged line")),
            ));
        }
        rest.iter()
            .skip(hidden)
            .for_each(|line| self.line(Sign::Same, plain(line, Tone::Plain), None));
    }

    fn line(&mut self, sign: Sign, mut spans: Vec<Span>, is_moved: Option<bool>) {
        spans.extend((is_moved == Some(true)).then(|| Span::new(" (moved)", Tone::Muted)));
        self.text.lines.push(Line::of(self.depth, sign, spans));
    }
}

fn plain(line: &str, tone: Tone) -> Vec<Span> {
    vec![Span::new(cut(line, MAX_LEN), tone)]
}

/// Returns both texts as spans in which the words that differ are marked. Texts that are too long
/// are marked as a whole between their equal ends.
pub(super) fn changed(before: &str, after: &str) -> (Vec<Span>, Vec<Span>) {
    let (head, tail) = common_ends(before, after);
    let (first, rest) = before.split_at(head);
    let (before, last) = rest.split_at(rest.len() - tail);
    let after = after.get(head..after.len() - tail).unwrap_or_default();
    let (mut old, mut new) = (Vec::new(), Vec::new());
    both(&mut old, &mut new, first);
    if before.len() + after.len() > MAX_COMPARED {
        join(&mut old, before, Tone::RemovedWord);
        join(&mut new, after, Tone::AddedWord);
    } else {
        let (before, after) = (split(before), split(after));
        for operation in capture_diff_slices(Algorithm::Myers, &before, &after) {
            for change in operation.iter_changes(&before, &after) {
                match change.tag() {
                    ChangeTag::Equal => both(&mut old, &mut new, change.value()),
                    ChangeTag::Delete => join(&mut old, change.value(), Tone::RemovedWord),
                    ChangeTag::Insert => join(&mut new, change.value(), Tone::AddedWord),
                }
            }
        }
    }
    both(&mut old, &mut new, last);
    shorten(&mut old);
    shorten(&mut new);
    (old, new)
}

/// In bytes, extended to whole words if these are short.
pub(super) fn common_ends(before: &str, after: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let head: usize = before
        .chars()
        .zip(after.chars())
        .take_while(same)
        .map(|(c, _)| c.len_utf8())
        .sum();
    let head = head - last_word(before.get(..head).unwrap_or_default().chars().rev());
    let (rest, other) = (
        before.get(head..).unwrap_or_default(),
        after.get(head..).unwrap_or_default(),
    );
    let tail: usize = rest
        .chars()
        .rev()
        .zip(other.chars().rev())
        .take_while(same)
        .map(|(c, _)| c.len_utf8())
        .sum();
    let tail = tail - last_word(rest.get(rest.len() - tail..).unwrap_or_default().chars());
    (head, tail)
}

/// In bytes; 0 if the word is long.
fn last_word(chars: impl Iterator<Item = char>) -> usize {
    let length: usize = chars
        .take(KEPT + 1)
        .take_while(|c| is_word(*c))
        .map(char::len_utf8)
        .sum();
    if length > KEPT { 0 } else { length }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The tag or digest of an image is a separate word.
fn split(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if is_word(c) => 1,
        _ if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut words = Vec::new();
    let (mut start, mut last) = (0, None);
    for (at, c) in text.char_indices() {
        let class = class(c);
        if at > 0 && (last != Some(class) || class == 0) {
            words.extend(text.get(start..at));
            start = at;
        }
        last = Some(class);
    }
    words.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    words
}

fn both(old: &mut Vec<Span>, new: &mut Vec<Span>, text: &str) {
    join(old, text, Tone::Removed);
    join(new, text, Tone::Added);
}

fn join(spans: &mut Vec<Span>, text: &str, tone: Tone) {
    match spans.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.tone == tone => last.text.push_str(text),
        _ => spans.push(Span::new(text, tone)),
    }
}

/// Cuts long unchanged spans, and says how many characters are missing. What is next to a change
/// stays.
fn shorten(spans: &mut [Span]) {
    let last = spans.len().saturating_sub(1);
    for (at, span) in spans.iter_mut().enumerate() {
        if matches!(span.tone, Tone::RemovedWord | Tone::AddedWord) {
            span.text = cut(&span.text, MAX_CHANGE_LEN);
            continue;
        }
        let length = span.text.chars().count();
        let is_only = last == 0;
        let head = if at == 0 && !is_only { 0 } else { KEPT };
        let tail = if at == last && !is_only { 0 } else { KEPT };
        if length > head + tail + 20 {
            let first: String = span.text.chars().take(head).collect();
            let end: String = span.text.chars().skip(length - tail).collect();
            let what = count(length - head - tail, "character");
            span.text = format!("{first}…({what} the same)…{end}");
        }
    }
}

#[cfg(test)]
mod tests;
