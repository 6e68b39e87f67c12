//! Policies and firewall rules as lines.

use crate::diff::edits::Edit;
use crate::report::{Line, Sign, Span, Tone};
use crate::review::access::{AccessChange, AccessLine};
use crate::review::count;
use crate::text::{cut, first_of};

/// The maximum number of items of a list.
const MAX_ITEMS: usize = 12;
/// The maximum number of rules and statements of an object that is created or destroyed.
const MAX_OBJECT_LINES: usize = 12;
/// The maximum number of lines of a changed attribute.
const MAX_CHANGE_LINES: usize = 60;
/// The maximum length of an item, in characters.
const MAX_LEN: usize = 200;

/// The lines that replace some edits, or the rules and statements of an object that is created or destroyed: below a
/// title, or beside it if there is one.
pub(super) fn lines(
    change: &AccessChange<'_>,
    edits: &[Edit<'_>],
    depth: usize,
    shows_all: bool,
) -> Vec<Line> {
    let own: Vec<&Edit<'_>> = change.edits.iter().filter_map(|at| edits.get(*at)).collect();
    let title = &change.title;
    let limit = if own.is_empty() { MAX_OBJECT_LINES } else { MAX_CHANGE_LINES };
    let forces = own.iter().any(|edit| edit.replaces);
    let mut alert = forces.then(|| Span::new(" # forces replacement", Tone::Alert));
    if let [only] = &*change.lines {
        let mut line = line(only, depth, shows_all);
        if !title.is_empty() {
            line.spans.insert(0, Span::new(format!("{title}: "), Tone::Plain));
        }
        line.spans.extend(alert);
        return vec![line];
    }
    let lines = &change.lines;
    let mut written = Vec::new();
    let mut below = depth;
    if !title.is_empty() {
        let mut spans = vec![Span::new(format!("{title}:"), Tone::Plain)];
        spans.extend(alert.take());
        let sign = match lines.first() {
            Some(first) if lines.iter().all(|line| line.sign == first.sign) => first.sign,
            Some(_) | None => Sign::Change,
        };
        written.push(Line { depth, sign, spans });
        below += 1;
    }
    let limit = if shows_all { usize::MAX } else { limit };
    written.extend(lines.iter().take(limit).map(|found| line(found, below, shows_all)));
    if lines.len() > limit {
        let what = count(lines.len() - limit, "more line");
        written.push(Line::note(below, format!("… {what}; --context all shows all")));
    }
    written
}

fn line(line: &AccessLine, depth: usize, shows_all: bool) -> Line {
    let tone = super::value::tone(line.sign);
    let own = if line.sign == Sign::Change { Tone::Plain } else { tone };
    let limit = if shows_all { usize::MAX } else { MAX_ITEMS };
    let max_len = if shows_all { usize::MAX } else { MAX_LEN };
    let spans = line.parts.iter().map(|part| {
        let text = first_of(part.items.iter().map(|item| cut(item, max_len)), limit);
        Span::new(text, if part.tone == Tone::Plain { own } else { part.tone })
    });
    Line { depth: depth + line.depth, sign: line.sign, spans: spans.collect() }
}
