//! One edit as lines: its path, its values, and remarks.

use super::document::{changed, document, unwrapped};
use super::path::{self, path_text, root_name};
use super::value::{Block, MAX_LEN, as_line, inline_to, short, tone};
use crate::diff::edits::{Edit, Inside, Label};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Sign, Span, Tone};
use crate::review::Options;
use crate::review::entry::{Cause, Entry};
use crate::text::{cut, first_of, hidden_value, quote};

/// The maximum number of lines for a value that is added or removed as a whole.
pub(super) const MAX_BLOCK_LINES: usize = 24;
/// The maximum number of sources that are named for an unknown value.
pub(super) const MAX_SOURCES: usize = 3;
/// Values up to this length, before and after, are on one line, however narrow the display is.
const MAX_SHORT_LEN: usize = 60;

pub(super) struct LineOfEdit<'o> {
    options: &'o Options,
    line: Line,
    below: Vec<Line>,
}

impl<'o> LineOfEdit<'o> {
    pub(super) fn new(edit: &Edit<'_>, base: &str, depth: usize, options: &'o Options) -> Self {
        let is_moved = edit.labels.contains(Label::Moved);
        let label = if is_moved {
            path::moved(base, edit.path)
        } else {
            path_text(base, edit.path)
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
        let mut line = Self {
            options,
            line: Line { depth, sign, spans },
            below: Vec::new(),
        };
        match (edit.inside, edit.before, edit.after) {
            (Some(inside), ..) => line.inside(edit, inside),
            (None, None, Some(value)) if sign == Sign::Add => line.whole(value, "added"),
            (None, Some(value), None) if sign == Sign::Remove => line.whole(value, "removed"),
            (None, ..) => line.sides(edit),
        }
        line
    }

    pub(super) fn lines(
        mut self,
        edit: &Edit<'_>,
        notes: &[&'static str],
        entry: Option<&Entry<'_>>,
    ) -> impl Iterator<Item = Line> + use<> {
        let remarks = [&label_texts(edit, &[]), notes].concat();
        if !remarks.is_empty() {
            self.push(format!(" ({})", remarks.join("; ")), Tone::Muted);
        }
        if let Some(entry) = entry {
            self.sources(edit, entry);
        }
        if edit.replaces {
            self.push(" # forces replacement", Tone::Alert);
        }
        [self.line].into_iter().chain(self.below)
    }

    fn push(&mut self, text: impl Into<String>, tone: Tone) {
        self.line.spans.push(Span::new(text, tone));
    }

    fn width(&self) -> usize {
        let used = 2 * self.line.depth + self.line.text().chars().count() + 8;
        self.options.width.saturating_sub(used).max(MAX_SHORT_LEN)
    }

    fn block(&mut self, value: MarkedValue<'_>, sign: Sign, levels: usize) {
        let place = (self.line.depth + 1, levels);
        self.below.extend(Block::lines(
            value,
            sign,
            place,
            MAX_BLOCK_LINES,
            self.options,
        ));
    }

    fn end(&mut self) {
        if let Some(last) = self.line.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
    }

    fn sources(&mut self, edit: &Edit<'_>, entry: &Entry<'_>) {
        if !is_explained(edit) {
            return;
        }
        let name = root_name(edit);
        let causes: Vec<&Cause<'_>> = entry
            .causes
            .iter()
            .filter(|cause| cause.attribute == name)
            .collect();
        let limit = self.options.limit(MAX_SOURCES);
        let given = entry
            .given
            .iter()
            .find(|given| given.attribute == name)
            .filter(|_| causes.is_empty());
        let sources: Vec<String> = match given {
            Some(given) => given.sources.iter().map(|text| cut(text, 200)).collect(),
            None => causes.iter().map(|cause| cut(&cause.text(), 200)).collect(),
        };
        if sources.is_empty() {
            return;
        }
        let text = format!(" <- {}", first_of(sources, limit));
        self.below
            .last_mut()
            .unwrap_or(&mut self.line)
            .spans
            .push(Span::new(text, Tone::Muted));
        for expected in causes.iter().take(limit).flat_map(|cause| cause.expected) {
            self.below.push(Line::note(
                self.line.depth + 1,
                format!("expected: {expected}"),
            ));
        }
    }

    fn whole(&mut self, value: MarkedValue<'_>, word: &str) {
        let is_container = matches!(value.content, Content::Array(_) | Content::Object(_));
        let separator = match (self.line.spans.is_empty(), is_container) {
            (false, true) => format!(" {word}: "),
            (true, true) => format!("{word}: "),
            (false, false) => ": ".to_owned(),
            (true, false) => String::new(),
        };
        let (tone, levels) = (tone(self.line.sign), self.options.levels_below(1));
        self.push(separator, tone);
        let text = inline_to(value, levels, self.width());
        match text.or_else(|| as_line(value).map(|text| quote(&cut(text, MAX_LEN)))) {
            Some(text) => self.push(text, tone),
            None => {
                self.end();
                self.block(value, self.line.sign, levels);
            }
        }
    }

    fn inside(&mut self, edit: &Edit<'_>, inside: &Inside<'_>) {
        let (formats, edit, inside) = unwrapped(edit, inside);
        self.push(format!(" ({formats})"), Tone::Muted);
        if !inside.edits.is_empty() {
            self.push(":", Tone::Plain);
            self.below = document(edit, inside, self.line.depth + 1, self.options);
        }
    }

    fn sides(&mut self, edit: &Edit<'_>) {
        let Edit {
            before,
            after,
            labels,
            ..
        } = *edit;
        let (width, depth) = (self.width(), self.line.depth + 1);
        let separator = if self.line.spans.is_empty() { "" } else { ": " };
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
            self.push(separator, Tone::Plain);
            return self.push(text, Tone::Changed);
        }
        if labels.contains(Label::Order) && !labels.contains(Label::Moved) {
            return;
        }
        self.push(separator, Tone::Plain);
        let levels = self.options.levels_below(edit.path.len());
        let shown = |side: Option<MarkedValue<'_>>, limit: usize| match side {
            None => Some("null".to_owned()),
            Some(value) => inline_to(value, levels, limit),
        };
        if before == after || labels.contains(Label::Moved) || labels.contains(Label::Sensitivity) {
            let text = shown(after, width).or_else(|| shown(before, width));
            let text = text.or_else(|| Some(short(after.or(before)?, width)));
            return self.push(text.unwrap_or_default(), Tone::Changed);
        }
        if let (Some(old), Some(new)) = (shown(before, width), shown(after, width))
            && old.chars().count() + new.chars().count() <= width.max(2 * MAX_SHORT_LEN)
        {
            self.push(old, Tone::Removed);
            self.push(" -> ", Tone::Plain);
            return self.push(new, Tone::Added);
        }
        self.end();
        if let (Some(old), Some(new)) = (
            before.and_then(MarkedValue::as_str),
            after.and_then(MarkedValue::as_str),
        ) {
            let (old, new) = changed(&quote(old), &quote(new));
            self.below.push(Line {
                depth,
                sign: Sign::Remove,
                spans: old,
            });
            self.below.push(Line {
                depth,
                sign: Sign::Add,
                spans: new,
            });
            return;
        }
        for (side, sign) in [(before, Sign::Remove), (after, Sign::Add)] {
            match (shown(side, self.options.width.max(MAX_SHORT_LEN)), side) {
                (Some(text), _) => self.below.push(Line::new(depth, sign, text, tone(sign))),
                (None, Some(value)) => self.block(value, sign, levels),
                (None, None) => {}
            }
        }
    }
}

pub(super) fn is_explained(edit: &Edit<'_>) -> bool {
    edit.path.len() == 1 && edit.after.is_some_and(MarkedValue::is_unknown)
}

fn label_texts(edit: &Edit<'_>, except: &[Label]) -> Vec<&'static str> {
    let labels = edit.labels.iter().filter(|label| !except.contains(label));
    labels.filter_map(|label| label_text(label, edit)).collect()
}

/// Includes those of the documents in it.
pub(super) fn notes(edit: &Edit<'_>) -> Vec<&'static str> {
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

/// ` (only white space differs)`
pub(crate) fn remarks(edit: &Edit<'_>, except: &[Label]) -> String {
    let words = [label_texts(edit, except), notes(edit)].concat();
    if words.is_empty() {
        String::new()
    } else {
        format!(" ({})", words.join("; "))
    }
}

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
