//! Policies and firewall rules as lines.

use super::{cut, path};
use crate::review::access::{AccessChange, AccessLine, Part, Title};
use crate::review::count;
use crate::review::edit::Edit;
use crate::review::lines::{Line, Sign, Span, Tone};

/// Items of a list that are written.
const ITEMS: usize = 12;
/// Rules and statements of an object that is created or destroyed.
const OF_OBJECT: usize = 12;
/// Lines of one attribute that changes.
const OF_CHANGE: usize = 60;
/// Longer items are cut.
const MAX_LEN: usize = 200;

/// The lines in place of some edits, below the name of what they are about.
pub(super) fn change_lines(
    change: &AccessChange<'_>,
    edits: &[Edit<'_>],
    depth: usize,
    shows_all: bool,
) -> Vec<Line> {
    let own: Vec<&Edit<'_>> = change.edits.iter().filter_map(|at| edits.get(*at)).collect();
    let title = match (change.title, &*own) {
        (Title::Path, [edit]) => path::text("", edit.path),
        (Title::Path | Title::Attributes | Title::None, _) => names(&change.attributes),
    };
    let forces = own.iter().any(|edit| edit.replaces);
    titled(&title, &change.lines, (depth, OF_CHANGE), shows_all, forces)
}

/// The rules and statements of an object that is created or destroyed.
pub(super) fn object_lines(change: &AccessChange<'_>) -> Vec<Line> {
    let title = match change.title {
        Title::None => String::new(),
        Title::Attributes | Title::Path => names(&change.attributes),
    };
    titled(&title, &change.lines, (0, OF_OBJECT), false, false)
}

fn names(attributes: &[&str]) -> String {
    attributes.iter().map(|name| path::name(name)).collect::<Vec<_>>().join(", ")
}

/// Lines below a title; a single one follows it.
fn titled(
    title: &str,
    lines: &[AccessLine],
    (depth, most): (usize, usize),
    shows_all: bool,
    forces: bool,
) -> Vec<Line> {
    let mut alert = forces.then(|| Span::new(" # forces replacement", Tone::Alert));
    if let [only] = lines {
        let mut line = line(only, depth, shows_all);
        if !title.is_empty() {
            line.spans.insert(0, Span::new(format!("{title}: "), Tone::Plain));
        }
        line.spans.extend(alert);
        return vec![line];
    }
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
    let most = if shows_all { usize::MAX } else { most };
    written.extend(lines.iter().take(most).map(|found| line(found, below, shows_all)));
    if lines.len() > most {
        let what = count(lines.len() - most, "more line");
        written.push(Line::note(below, format!("… {what}; --context all shows all")));
    }
    written
}

fn line(line: &AccessLine, depth: usize, shows_all: bool) -> Line {
    let tone = super::value::tone(line.sign);
    let own = if line.sign == Sign::Change { Tone::Plain } else { tone };
    let spans = line.parts.iter().map(|part| match part {
        Part::Text(text) => Span::new(cut(text, MAX_LEN), own),
        Part::Items(items) => Span::new(listed(items, shows_all), own),
        Part::Removed(items) => Span::new(listed(items, shows_all), Tone::Removed),
        Part::Added(items) => Span::new(listed(items, shows_all), Tone::Added),
        Part::Alert(text) => Span::new(text.clone(), Tone::Alert),
        Part::Remark(text) => Span::new(text.clone(), Tone::Muted),
    });
    Line { depth: depth + line.depth, sign: line.sign, spans: spans.collect() }
}

fn listed(items: &[String], shows_all: bool) -> String {
    let most = if shows_all { usize::MAX } else { ITEMS };
    let longest = if shows_all { usize::MAX } else { MAX_LEN };
    let mut text = items.iter().take(most).map(|item| cut(item, longest)).collect::<Vec<_>>().join(", ");
    if items.len() > most {
        text.push_str(&format!(" and {} more", items.len() - most));
    }
    text
}
