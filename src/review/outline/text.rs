//! Strings: of several lines, or holding something else.

use super::hidden::hidden_difference;
use super::{Body, Found, Outliner, Path, TextLine};
use crate::diff::Change;
use crate::diff::embedded;
use crate::diff::tree::{Action, Diff, Line, Slot};
use crate::json::Value;
use crate::review::{Sign, count};

/// How deep strings are read as something else inside something else.
const DEEPEST: usize = 4;
/// How many lines of a text that comes or goes are shown.
const LINES: usize = 24;

impl<'a> Outliner<'_, 'a> {
    /// Shows what strings of base64 hold; false if they are none.
    pub(super) fn decode(
        self,
        path: &Path,
        diff: &Diff<'a>,
        before: Slot<'a>,
        after: Slot<'a>,
        found: &mut Found,
    ) -> bool {
        let read = |slot: Slot<'a>| {
            slot.value().as_str().map(|text| embedded::base64_text(text, 4 << 20).ok().flatten())
        };
        if self.decoded >= DEEPEST || before == after {
            return false;
        }
        let (old, new) = match (read(before), read(after)) {
            (Some(Some(old)), Some(Some(new))) => (Some(old), Some(new)),
            (None, Some(Some(new))) if before.is_none() => (None, Some(new)),
            (Some(Some(old)), None) if after.is_none() => (Some(old), None),
            _ => return false,
        };
        let packed = old.as_ref().or(new.as_ref()).is_some_and(|(_, packed)| *packed);
        let slot = |text: Option<(String, bool)>| {
            text.map_or(Slot::Absent, |(text, _)| Slot::Value(Value::String(self.arena.alloc_str(&text))))
        };
        let inner = self.differ.output(Change::of_slots(slot(old), slot(new)));
        let path = path.read_as(if packed { "base64|gzip" } else { "base64" });
        let first = found.parts.len();
        let inside = Self { decoded: self.decoded + 1, ..self };
        inside.walk(&path, &Diff { replace: diff.replace, ..inner }, found);
        if found.parts.len() == first {
            self.part(&path, diff, Body::Noted, found);
            super::cosmetic::label(found, "what it holds is the same");
        }
        true
    }

    /// Shows a text of several lines: as YAML if it is, else by lines.
    pub(super) fn heredoc(self, path: &Path, diff: &Diff<'a>, lines: &'a [Line<'a>], found: &mut Found) {
        let side = |gone: Action| -> String {
            let kept = lines.iter().filter(|line| line.action != gone).filter_map(|line| line.text);
            kept.collect::<Vec<_>>().join("\n")
        };
        if diff.action == Action::Update && self.decoded < DEEPEST {
            let (before, after) = (side(Action::Create), side(Action::Delete));
            let values = (embedded::yaml(&before, self.arena), embedded::yaml(&after, self.arena));
            if let (Some(old), Some(new)) = values {
                let inner = self.differ.output(Change::of_slots(Slot::Value(old), Slot::Value(new)));
                if inner.action == Action::NoOp {
                    self.text(path, diff, lines, found);
                    return note(
                        found,
                        "the content of the YAML is the same: only comments or format differ",
                    );
                }
                let inside = Self { decoded: self.decoded + 1, ..self };
                inside.walk(&path.read_as("yaml"), &Diff { replace: diff.replace, ..inner }, found);
                if comments(&before) != comments(&after) {
                    note(found, "comments of the YAML differ too; `tfview show` prints them");
                }
                return;
            }
        }
        self.text(path, diff, lines, found);
        if diff.action == Action::Update {
            let (before, after) = (side(Action::Create), side(Action::Delete));
            match hidden_difference(&before, &after) {
                _ if before == after => note(found, "only white space at the ends differs"),
                Some(hidden) => note(found, &hidden),
                None => {}
            }
        }
    }

    fn text(self, path: &Path, diff: &Diff<'a>, lines: &'a [Line<'a>], found: &mut Found) {
        let whole = match diff.action {
            Action::Create => Some(Sign::Add),
            Action::Delete => Some(Sign::Remove),
            Action::NoOp | Action::Update => None,
        };
        let shown = match whole {
            Some(sign) => whole_text(sign, lines),
            None => hunks(lines, self.options.context),
        };
        self.part(path, diff, Body::Text(shown), found);
    }
}

fn note(found: &mut Found, text: &str) {
    if let Some(part) = found.parts.last_mut() {
        part.notes.push(text.to_owned());
    }
}

fn comments(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| line.starts_with('#')).collect()
}

fn plain(sign: Sign, text: &str) -> TextLine {
    TextLine { sign, text: text.to_owned(), other: None }
}

fn left_out(lines: usize, what: &str) -> TextLine {
    plain(Sign::Note, &format!("… {} {what}", count(lines, "line")))
}

fn whole_text(sign: Sign, lines: &[Line<'_>]) -> Vec<TextLine> {
    let mut shown: Vec<TextLine> =
        lines.iter().take(LINES).map(|line| plain(sign, line.text.unwrap_or("null"))).collect();
    if lines.len() > LINES {
        shown.push(left_out(lines.len() - LINES, "more; `tfview show` prints them"));
    }
    shown
}

/// The changed lines with `context` lines around; lines that replace each other know it.
fn hunks(lines: &[Line<'_>], context: usize) -> Vec<TextLine> {
    let changes: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].action != Action::NoOp).collect();
    let mut shown = Vec::new();
    let mut done = 0;
    for change in &changes {
        let from = change.saturating_sub(context).max(done);
        if from > done {
            shown.push(left_out(from - done, "unchanged"));
        }
        for at in from..=change.saturating_add(context).min(lines.len() - 1) {
            if at >= done && (at <= *change || lines[at].action == Action::NoOp) {
                shown.push(line(lines, at));
                done = at + 1;
            } else if at >= done {
                break;
            }
        }
    }
    if !changes.is_empty() && done < lines.len() {
        shown.push(left_out(lines.len() - done, "unchanged"));
    }
    shown
}

fn line(lines: &[Line<'_>], at: usize) -> TextLine {
    let this = lines[at];
    let sign = match this.action {
        Action::Create => Sign::Add,
        Action::Delete => Sign::Remove,
        Action::NoOp | Action::Update => Sign::Same,
    };
    let other = counterpart(lines, at).and_then(|at| lines.get(at)?.text).map(str::to_owned);
    TextLine { sign, text: this.text.unwrap_or("null").to_owned(), other }
}

/// Where lines that go are followed by lines that come, the first replaces the first, and so on.
fn counterpart(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let action = lines.get(at)?.action;
    let run = |action: Action, from: usize| {
        lines.iter().skip(from).take_while(|line| line.action == action).count()
    };
    let run_before = |action: Action, to: usize| {
        lines.iter().take(to).rev().take_while(|line| line.action == action).count()
    };
    match action {
        Action::Delete => {
            let start = at - run_before(Action::Delete, at);
            let end = at + run(Action::Delete, at);
            (at - start < run(Action::Create, end)).then_some(end + at - start)
        }
        Action::Create => {
            let start = at - run_before(Action::Create, at);
            let gone = run_before(Action::Delete, start);
            (at - start < gone).then_some(start - gone + at - start)
        }
        Action::NoOp | Action::Update => None,
    }
}
