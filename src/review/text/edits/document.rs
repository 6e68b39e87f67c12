//! Writes documents in strings, as their edits or as hunks of lines with the changed words.
//!
//! ```text
//! user_data (lines)
//! - yum update -y
//! + dnf upgrade --all -q
//!   … 12 unchanged lines
//! - echo done
//! ```

use std::collections::HashMap;

use super::edit_lines;
use crate::diff::edits::{Edit, Format, Inside, Step};
use crate::diff::value::MarkedValue;
use crate::report::{Line, Sign, Span, Tone};
use crate::review::inline::MAX_LEN;
use crate::review::text::EntryText;
use crate::review::text::changed_text::{changed, stretch};
use crate::review::text::finding::{FindingAt, say};
use crate::review::text::scope::Scope;
use crate::review::{CONTEXT, count};
use crate::text::cut;

/// The minimum number of equal bytes in two lines that are shown as one line with the changed stretch.
const MIN_SAME: usize = 8;

/// Returns the word for a format.
fn format_name(format: Format) -> &'static str {
    match format {
        Format::Json => "JSON",
        Format::Yaml => "YAML",
        Format::Base64 => "base64",
        Format::Gzip => "gzip",
        Format::Lines => "lines",
    }
}

/// Returns the nested formats, such as `base64, YAML`, down to the first document with several edits, the edit of the
/// text that contains this document, and the changes in the document.
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

/// Writes the edits of a document: as hunks of lines for a plain text, otherwise by their paths.
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

/// Writes the changed lines of a text with unchanged lines around them, each with the findings about it.
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
    // Unless a number of context lines is given, the changed stretch in a line is shown if it is short.
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
            let all = (0..gone).map(|index| stretch(old[i + index], new[j + index], MIN_SAME));
            if let Some(spans) = all.collect::<Option<Vec<_>>>() {
                for (index, spans) in spans.into_iter().enumerate() {
                    hunks.line(Sign::Change, spans, None);
                    hunks.say(Some(i + index), Some(j + index));
                }
                i += gone;
                j += come;
                continue;
            }
        }
        let pair = |index: usize| {
            (index < gone.min(come)).then(|| changed(old[i + index], new[j + index]))
        };
        for index in 0..gone {
            let spans =
                pair(index).map_or_else(|| plain(old[i + index], Tone::Removed), |(old, _)| old);
            hunks.line(Sign::Remove, spans, removed[i + index]);
            hunks.say(Some(i + index), None);
        }
        for index in 0..come {
            let spans =
                pair(index).map_or_else(|| plain(new[j + index], Tone::Added), |(_, new)| new);
            hunks.line(Sign::Add, spans, added[j + index]);
            hunks.say(None, Some(j + index));
        }
        i += gone;
        j += come;
    }
    hunks.flush(true);
    hunks.text
}

/// The findings about single lines of a text.
struct FindingsOfLines<'f> {
    /// All findings about the text.
    all: &'f [FindingAt<'f>],
    /// The findings about lines that only exist before the change, by the index of the line.
    before: HashMap<u32, Vec<usize>>,
    /// The findings about lines that exist after the change, by the index of the line.
    after: HashMap<u32, Vec<usize>>,
}

impl<'f> FindingsOfLines<'f> {
    /// Indexes findings by their line, after the change if the line exists there.
    fn new(all: &'f [FindingAt<'f>]) -> Self {
        let mut findings = Self {
            all,
            before: HashMap::new(),
            after: HashMap::new(),
        };
        for (index, finding) in all.iter().enumerate() {
            let Some(Step::Element(element)) = finding.steps.first() else {
                continue;
            };
            match (element.after, element.before) {
                (Some(line), _) => findings.after.entry(line).or_default().push(index),
                (None, Some(line)) => findings.before.entry(line).or_default().push(index),
                (None, None) => {}
            }
        }
        findings
    }

    /// Returns the findings about a line with these indices, each only once.
    fn take(&mut self, before: Option<usize>, after: Option<usize>) -> Vec<usize> {
        let of = |all: &mut HashMap<u32, Vec<usize>>, line: Option<usize>| {
            let line = line.and_then(|line| u32::try_from(line).ok());
            line.and_then(|line| all.remove(&line)).unwrap_or_default()
        };
        let mut findings = of(&mut self.after, after);
        findings.extend(of(&mut self.before, before));
        findings
    }
}

/// The writer of the hunks of a text.
struct Hunks<'t> {
    /// The indentation of the lines.
    depth: usize,
    /// The number of unchanged lines that are shown before and after changed ones.
    context: usize,
    /// The lines written so far.
    text: EntryText,
    /// The unchanged lines since the last change. They are shown or counted when the next change is known.
    equal: Vec<&'t str>,
    /// Whether no change was written yet, so that the unchanged lines follow no change.
    is_first: bool,
    /// The findings about lines of this text.
    findings: FindingsOfLines<'t>,
}

impl Hunks<'_> {
    /// Adds the findings about a line to the last line that was written. The indices are those of the line before and
    /// after the change.
    fn say(&mut self, before: Option<usize>, after: Option<usize>) {
        let findings = self.findings.take(before, after);
        let Some(line) = self.text.lines.last_mut().filter(|_| !findings.is_empty()) else {
            return;
        };
        let said = say(line, &findings, self.findings.all);
        self.text.said.extend(said);
    }

    /// Writes the unchanged lines since the last change. Lines that are far from both changes are only counted.
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

    /// Writes a line. A moved line has a remark.
    fn line(&mut self, sign: Sign, mut spans: Vec<Span>, is_moved: Option<bool>) {
        spans.extend((is_moved == Some(true)).then(|| Span::new(" (moved)", Tone::Muted)));
        self.text.lines.push(Line::of(self.depth, sign, spans));
    }
}

/// Returns a line as a span, cut to the maximum length.
fn plain(line: &str, tone: Tone) -> Vec<Span> {
    vec![Span::new(cut(line, MAX_LEN), tone)]
}
