//! Documents embedded in strings: their edits, and texts as hunks of lines.

use super::edits::EditWriter;
use super::{value, words};
use crate::diff::edits::{Edit, Format, Inside, Step};
use crate::diff::value::MarkedValue;
use crate::report::{Line, Sign, Span, Tone};
use crate::review::count;
use crate::text::cut;

/// The name of a format in texts.
pub(super) fn format_name(format: Format) -> &'static str {
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
) -> (Vec<Format>, &'e Edit<'a>, &'e Inside<'a>) {
    let (mut formats, mut edit, mut inside) = (vec![inside.format], edit, inside);
    while let [inner] = inside.edits
        && inner.path.is_empty()
        && let Some(next) = inner.inside
    {
        formats.push(next.format);
        (edit, inside) = (inner, next);
    }
    (formats, edit, inside)
}

/// Writes the edits of a document in the text of an edit.
pub(super) fn write(edit: &Edit<'_>, inside: &Inside<'_>, writer: &mut EditWriter<'_>, depth: usize) {
    match (inside.format, text(edit.before), text(edit.after)) {
        (Format::Lines, Some(before), Some(after)) => hunks(before, after, inside.edits, writer, depth),
        _ => _ = writer.edits("", inside.edits, depth),
    }
}

fn text(side: Option<MarkedValue<'_>>) -> Option<&str> {
    side?.as_str()
}

/// Writes the changed lines of a text, with unchanged lines around them.
fn hunks(before: &str, after: &str, edits: &[Edit<'_>], writer: &mut EditWriter<'_>, depth: usize) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    let (mut removed, mut added) = (vec![Touch::No; old.len()], vec![Touch::No; new.len()]);
    for edit in edits {
        let Some(Step::Element(element)) = edit.path.last() else { continue };
        let is_moved = element.before.is_some() && element.after.is_some() && edit.before == edit.after;
        let touch = if is_moved { Touch::Moved } else { Touch::Changed };
        for (list, place) in [(&mut removed, element.before), (&mut added, element.after)] {
            if let Some(line) = place.and_then(|place| list.get_mut(place as usize)) {
                *line = touch;
            }
        }
    }
    let mut hunk = Hunks { writer, depth, equal: Vec::new(), is_first: true };
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        let gone = run(&removed, i);
        let come = run(&added, j);
        if gone + come == 0 {
            // Without edits on either side, both lines are equal.
            hunk.equal.extend(old.get(i).or_else(|| new.get(j)));
            i += 1;
            j += 1;
            continue;
        }
        hunk.flush(false);
        hunk.changed(&old[i..i + gone], &removed[i..i + gone], &new[j..j + come], &added[j..j + come]);
        i += gone;
        j += come;
    }
    hunk.flush(true);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    No,
    Changed,
    Moved,
}

/// The number of consecutive changed lines.
fn run(touched: &[Touch], from: usize) -> usize {
    touched.iter().skip(from).take_while(|touch| **touch != Touch::No).count()
}

struct Hunks<'h, 'o, 't> {
    writer: &'h mut EditWriter<'o>,
    depth: usize,
    /// Unchanged lines that have not been written yet.
    equal: Vec<&'t str>,
    is_first: bool,
}

impl Hunks<'_, '_, '_> {
    /// Writes the unchanged lines between two changes. Those far from both are only counted.
    fn flush(&mut self, is_last: bool) {
        let (equal, context) = (std::mem::take(&mut self.equal), self.writer.options.context);
        let head = if self.is_first { 0 } else { context.min(equal.len()) };
        let tail = if is_last { 0 } else { context.min(equal.len() - head) };
        let hidden = equal.len() - head - tail;
        let (first, rest) = equal.split_at(head);
        first.iter().for_each(|line| self.line(Sign::Same, plain(line, Tone::Plain)));
        // The empty line after a final newline does not count.
        let counted = if is_last && equal.last() == Some(&"") { hidden.saturating_sub(1) } else { hidden };
        if counted > 0 {
            let text = format!("… {}", count(counted, "unchanged line"));
            self.writer.lines.push(Line::note(self.depth, text));
        }
        rest.iter().skip(hidden).for_each(|line| self.line(Sign::Same, plain(line, Tone::Plain)));
    }

    /// Writes replaced lines, paired in order.
    fn changed(&mut self, old: &[&str], removed: &[Touch], new: &[&str], added: &[Touch]) {
        self.is_first = false;
        let pair = |at: usize| Some(words::changed(old.get(at)?, new.get(at)?));
        for (at, line) in old.iter().enumerate() {
            let spans = pair(at).map_or_else(|| plain(line, Tone::Removed), |(old, _)| old);
            self.line(Sign::Remove, moved(spans, removed.get(at)));
        }
        for (at, line) in new.iter().enumerate() {
            let spans = pair(at).map_or_else(|| plain(line, Tone::Added), |(_, new)| new);
            self.line(Sign::Add, moved(spans, added.get(at)));
        }
    }

    fn line(&mut self, sign: Sign, spans: Vec<Span>) {
        self.writer.lines.push(Line { depth: self.depth, sign, spans });
    }
}

fn plain(line: &str, tone: Tone) -> Vec<Span> {
    vec![Span::new(cut(line, value::MAX_LEN), tone)]
}

fn moved(mut spans: Vec<Span>, touch: Option<&Touch>) -> Vec<Span> {
    if touch == Some(&Touch::Moved) {
        spans.push(Span::new(" (moved)", Tone::Muted));
    }
    spans
}
