//! The values of an edit: on the rest of its line, or on the lines below it.

use super::{EditWriter, MAX_BLOCK_LINES, MAX_SHORT_LEN, MAX_SOURCES, is_explained};
use crate::diff::edits::{Edit, Label};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Sign, Span, Tone};
use crate::review::entry::Cause;
use crate::review::text::value::{self, Block, inline_to};
use crate::review::text::{document, path, words};
use crate::text::{cut, first_of, quote};

impl EditWriter<'_> {
    /// Writes where an unknown value comes from, and what is expected of it.
    pub(super) fn sources(&mut self, edit: &Edit<'_>, causes: &[Cause<'_>], line: &mut Line) {
        if !is_explained(edit) {
            return;
        }
        let name = path::root_name(edit);
        let causes: Vec<&Cause<'_>> = causes.iter().filter(|cause| cause.attribute == name).collect();
        let limit = if self.options.unchanged { usize::MAX } else { MAX_SOURCES };
        let given = self.given.iter().find(|given| given.attribute == name).filter(|_| causes.is_empty());
        let sources: Vec<String> = match given {
            Some(given) => given.sources.iter().map(|text| cut(text, 200)).collect(),
            None => causes.iter().map(|cause| cut(&cause.text(), 200)).collect(),
        };
        if sources.is_empty() {
            return;
        }
        let text = format!(" <- {}", first_of(sources, limit));
        self.lines.last_mut().unwrap_or(line).spans.push(Span::new(text, Tone::Muted));
        for cause in causes.iter().take(limit) {
            for expected in cause.expected {
                self.lines.push(Line::note(line.depth + 1, format!("expected: {expected}")));
            }
        }
    }

    pub(super) fn width(&self, line: &Line) -> usize {
        let used: usize = line.spans.iter().map(|span| span.text.chars().count()).sum();
        self.options.width.saturating_sub(2 * line.depth + used + 8).max(MAX_SHORT_LEN)
    }

    pub(super) fn block(&self, sign: Sign, levels: usize) -> Block {
        let max_lines = if self.options.unchanged { usize::MAX } else { MAX_BLOCK_LINES };
        Block { sign, width: self.options.width, max_lines, levels }
    }

    /// Writes a value that is added or removed as a whole.
    pub(super) fn whole(&mut self, value: MarkedValue<'_>, word: &str, line: &mut Line) {
        let is_container = matches!(value.content, Content::Array(_) | Content::Object(_));
        let separator = match (line.spans.is_empty(), is_container) {
            (false, true) => format!(" {word}: "),
            (true, true) => format!("{word}: "),
            (false, false) => ": ".to_owned(),
            (true, false) => String::new(),
        };
        let tone = value::tone(line.sign);
        line.spans.push(Span::new(separator, tone));
        if let Some(text) = inline_to(value, self.options.levels_below(1), self.width(line)) {
            line.spans.push(Span::new(text, tone));
            return;
        }
        if let Content::String(text) = value.content
            && !text.trim_end_matches('\n').contains('\n')
        {
            line.spans.push(Span::new(quote(&cut(text, value::MAX_LEN)), tone));
            return;
        }
        if let Some(last) = line.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        self.lines.extend(self.block(line.sign, self.options.levels_below(1)).lines(value, line.depth + 1));
    }

    /// Writes the differences of the documents in two strings.
    pub(super) fn inside(
        &mut self,
        edit: &Edit<'_>,
        inside: &crate::diff::edits::Inside<'_>,
        line: &mut Line,
    ) {
        let (formats, edit, inside) = document::unwrapped(edit, inside);
        let names: Vec<&str> = formats.into_iter().map(document::format_name).collect();
        line.spans.push(Span::new(format!(" ({})", names.join(", ")), Tone::Muted));
        if inside.edits.is_empty() {
            return;
        }
        line.spans.push(Span::new(":", Tone::Plain));
        document::write(edit, inside, self, line.depth + 1);
    }

    /// Writes both sides of a change.
    pub(super) fn sides(
        &mut self,
        edit: &Edit<'_>,
        before: Option<MarkedValue<'_>>,
        after: Option<MarkedValue<'_>>,
        line: &mut Line,
    ) {
        let width = self.width(line);
        if !line.spans.is_empty() {
            line.spans.push(Span::new(": ", Tone::Plain));
        }
        if [before, after].into_iter().all(|side| side.is_some_and(MarkedValue::is_redacted)) {
            let changed = edit.before != edit.after && !edit.labels.contains(Label::Sensitivity);
            let lacks_schema = [before, after].iter().flatten().all(|side| side.lacks_schema);
            let text = match changed && !lacks_schema {
                true => "(sensitive value, changed)",
                false => crate::text::hidden_value(lacks_schema),
            };
            line.spans.push(Span::new(text, Tone::Changed));
            return;
        }
        if edit.labels.contains(Label::Order) && !edit.labels.contains(Label::Moved) {
            // The remark that both sides are equal suffices.
            line.spans.pop();
            return;
        }
        let levels = self.options.levels_below(edit.path.len());
        let shown = |side: Option<MarkedValue<'_>>, limit: usize| match side {
            None => Some("null".to_owned()),
            Some(value) => inline_to(value, levels, limit),
        };
        if edit.before == edit.after
            || edit.labels.contains(Label::Moved)
            || edit.labels.contains(Label::Sensitivity)
        {
            if let Some(text) = shown(after, width).or_else(|| shown(before, width)) {
                line.spans.push(Span::new(text, Tone::Changed));
            } else if let Some(value) = after.or(before) {
                line.spans.push(Span::new(value::short(value, width), Tone::Changed));
            }
            return;
        }
        if let (Some(old), Some(new)) = (shown(before, width), shown(after, width))
            && old.chars().count() + new.chars().count() <= width.max(2 * MAX_SHORT_LEN)
        {
            line.spans.push(Span::new(old, Tone::Removed));
            line.spans.push(Span::new(" -> ", Tone::Plain));
            line.spans.push(Span::new(new, Tone::Added));
            return;
        }
        if let Some(last) = line.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        let strings = (before.and_then(MarkedValue::as_str), after.and_then(MarkedValue::as_str));
        if let (Some(old), Some(new)) = strings {
            let (old, new) = words::changed(&quote(old), &quote(new));
            self.lines.push(Line { depth: line.depth + 1, sign: Sign::Remove, spans: old });
            self.lines.push(Line { depth: line.depth + 1, sign: Sign::Add, spans: new });
            return;
        }
        for (side, sign) in [(before, Sign::Remove), (after, Sign::Add)] {
            let depth = line.depth + 1;
            match (shown(side, self.options.width.max(MAX_SHORT_LEN)), side) {
                (Some(text), _) => {
                    self.lines.push(Line { depth, sign, spans: vec![Span::new(text, value::tone(sign))] });
                }
                (None, Some(value)) => self.lines.extend(self.block(sign, levels).lines(value, depth)),
                (None, None) => {}
            }
        }
    }
}
