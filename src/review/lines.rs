//! Items as lines: what every format of text writes in its own way.

use super::{Body, Item, Options, Part, Review, Shown, count, words};
use crate::diff::tree::Action;
use crate::text::{key, quote};

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It comes.
    Add,
    /// It goes.
    Remove,
    /// It changes.
    Change,
    /// It stays.
    Same,
    /// It is our own remark.
    Note,
}

impl Sign {
    pub(super) fn of(action: Action) -> Self {
        match action {
            Action::NoOp => Self::Same,
            Action::Create => Self::Add,
            Action::Update => Self::Change,
            Action::Delete => Self::Remove,
        }
    }
}

/// How a piece of a line is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As it is.
    Plain,
    /// Beside the point.
    Muted,
    /// A name.
    Name,
    /// What comes.
    Added,
    /// What goes.
    Removed,
    /// What changes.
    Changed,
    /// The words that come.
    AddedWord,
    /// The words that go.
    RemovedWord,
    /// What must be seen.
    Alert,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text; it may come from the input.
    pub text: String,
    /// How it is meant.
    pub tone: Tone,
}

impl Span {
    /// A piece.
    pub fn data(text: String, tone: Tone) -> Self {
        Self { text, tone }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The depth, in steps of two columns.
    pub depth: usize,
    /// What happens.
    pub sign: Sign,
    /// The pieces.
    pub spans: Vec<Span>,
}

impl Line {
    /// The text without tones.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

/// Values up to this length are shown on one line, before and after.
const SHORT: usize = 60;
/// How much of a long value is shown.
const LONG: usize = 400;
/// How many names of unknown attributes or empty outputs are listed.
const NAMED: usize = 12;
/// More outputs that come empty are told in one line.
const EMPTY: usize = 5;

/// The lines of an item, its header apart.
pub(super) fn of_item(item: &Item, options: &Options) -> Vec<Line> {
    let mut lines = said_of_item(item, options);
    if item.unchanged > 0 {
        let upto = if item.addresses.len() > 1 { "up to " } else { "" };
        let what = count(item.unchanged, "unchanged value");
        lines.push(remark(0, format!("{upto}{what} not shown; --context all shows them")));
    }
    lines
}

/// What makes an item the same as another one: its lines, but for the count of what stays.
pub(super) fn said_of_item(item: &Item, options: &Options) -> Vec<Line> {
    let mut lines = of_parts(&item.parts, &item.unknown, options);
    lines.extend(item.omitted.iter().map(|text| remark(0, text.clone())));
    lines
}

/// The lines of parts, with the summary of what is not known yet.
pub(super) fn of_parts(parts: &[Part], unknown: &[String], options: &Options) -> Vec<Line> {
    let mut lines = Vec::new();
    parts.iter().for_each(|part| write(part, 0, options, &mut lines));
    if !unknown.is_empty() {
        let more = unknown.len().saturating_sub(NAMED);
        let names = unknown.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let rest =
            if more > 0 { format!(" and {more} more; --format json lists all") } else { String::new() };
        lines.push(remark(0, format!("known after apply: {names}{rest}")));
    }
    lines
}

/// The lines of a plan's outputs. Many that come empty are told in one line.
pub(super) fn of_outputs(review: &Review, options: &Options) -> Vec<Line> {
    let (empty, rest): (Vec<&Part>, Vec<&Part>) = review.outputs.iter().partition(|part| comes_empty(part));
    if empty.len() <= EMPTY {
        return of_parts(&review.outputs, &review.unknown_outputs, options);
    }
    let rest: Vec<Part> = rest.into_iter().cloned().collect();
    let mut lines = of_parts(&rest, &review.unknown_outputs, options);
    let names = empty.iter().take(NAMED).map(|part| part.path.as_str()).collect::<Vec<_>>().join(", ");
    let more = empty.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more; --format json lists all") } else { String::new() };
    lines.push(remark(0, format!("{} are empty: {names}{rest}", count(empty.len(), "new output"))));
    lines
}

fn comes_empty(part: &Part) -> bool {
    let Body::One(shown) = &part.body else { return false };
    let is_empty = match shown {
        Shown::Null | Shown::Empty(_) => true,
        Shown::Text(text) => text.is_empty(),
        Shown::Literal(_) | Shown::Sensitive | Shown::WriteOnly | Shown::Unknown => false,
    };
    is_empty && part.sign == Sign::Add && part.notes.is_empty()
}

fn remark(depth: usize, text: String) -> Line {
    Line { depth, sign: Sign::Note, spans: vec![Span::data(text, Tone::Muted)] }
}

fn levels(path: &str) -> usize {
    path.matches(['.', '[', '|']).count() + 1
}

fn write(part: &Part, depth: usize, options: &Options, lines: &mut Vec<Line>) {
    let mut spans = vec![Span::data(part.path.clone(), Tone::Name)];
    if options.depth.is_some_and(|limit| depth + levels(&part.path) > limit) {
        let what = if part.sign == Sign::Same { "value" } else { "change" };
        let text = format!(": {} below --depth", count(leaves(part), what));
        spans.push(Span::data(text, Tone::Muted));
        end(&mut spans, part);
        lines.push(Line { depth, sign: part.sign, spans });
        return;
    }
    let mut below = Vec::new();
    match &part.body {
        Body::Noted => {}
        Body::One(shown) => {
            let tone = match part.sign {
                Sign::Remove => Tone::Removed,
                Sign::Same | Sign::Note => Tone::Plain,
                Sign::Add | Sign::Change => Tone::Added,
            };
            spans.push(Span::data(": ".to_owned(), Tone::Plain));
            spans.push(value(shown, tone));
        }
        Body::Change(before, after) => change(before, after, depth, &mut spans, &mut below),
        Body::Text(text) => {
            spans.push(Span::data(":".to_owned(), Tone::Plain));
            below.extend(text.iter().map(|line| text_line(line, depth + 1)));
        }
        Body::Group(parts) => {
            spans.push(Span::data(":".to_owned(), Tone::Plain));
            parts.iter().for_each(|part| write(part, depth + 1, options, &mut below));
        }
    }
    end(&mut spans, part);
    lines.push(Line { depth, sign: part.sign, spans });
    lines.append(&mut below);
}

/// How many parts without parts of their own.
fn leaves(part: &Part) -> usize {
    match &part.body {
        Body::Group(parts) => parts.iter().map(leaves).sum(),
        Body::One(_) | Body::Change(..) | Body::Text(_) | Body::Noted => 1,
    }
}

fn end(spans: &mut Vec<Span>, part: &Part) {
    if part.replace {
        spans.push(Span::data(" # forces replacement".to_owned(), Tone::Alert));
    }
    if !part.notes.is_empty() {
        spans.push(Span::data(format!(" ({})", part.notes.join("; ")), Tone::Muted));
    }
}

fn change(before: &Shown, after: &Shown, depth: usize, spans: &mut Vec<Span>, below: &mut Vec<Line>) {
    let long = |shown: &Shown| matches!(shown, Shown::Text(text) if text.len() > SHORT);
    if let (Shown::Text(old), Shown::Text(new)) = (before, after)
        && (long(before) || long(after))
    {
        let (old, new) = words::changed(&quote(old), &quote(new), true);
        spans.push(Span::data(":".to_owned(), Tone::Plain));
        below.push(Line { depth: depth + 1, sign: Sign::Remove, spans: cut(old) });
        below.push(Line { depth: depth + 1, sign: Sign::Add, spans: cut(new) });
        return;
    }
    spans.push(Span::data(": ".to_owned(), Tone::Plain));
    if before == after {
        spans.push(value(before, Tone::Changed));
        return;
    }
    spans.push(value(before, Tone::Removed));
    spans.push(Span::data(" -> ".to_owned(), Tone::Changed));
    spans.push(value(after, Tone::Added));
}

fn cut(mut spans: Vec<Span>) -> Vec<Span> {
    spans.iter_mut().for_each(|span| span.text = shortened(&span.text));
    spans
}

/// A long text without its end, which is counted.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONG) {
        None => text.to_owned(),
        Some((at, _)) => {
            let (kept, rest) = text.split_at(at);
            format!("{kept}…({}, `tfview show` prints all)", count(rest.chars().count(), "more character"))
        }
    }
}

fn text_line(line: &super::TextLine, depth: usize) -> Line {
    let one = super::one_line;
    let tone = match line.sign {
        Sign::Add => Tone::Added,
        Sign::Remove => Tone::Removed,
        Sign::Change | Sign::Same => Tone::Plain,
        Sign::Note => Tone::Muted,
    };
    let spans = match (&line.other, line.sign) {
        (Some(new), Sign::Remove) => words::changed(&one(&line.text), &one(new), false).0,
        (Some(old), Sign::Add) => words::changed(&one(old), &one(&line.text), false).1,
        _ => vec![Span::data(one(&line.text), tone)],
    };
    Line { depth, sign: line.sign, spans: cut(spans) }
}

fn value(shown: &Shown, tone: Tone) -> Span {
    let text = match shown {
        Shown::Null => return Span::data("null".to_owned(), Tone::Muted),
        Shown::Literal(text) => text.clone(),
        Shown::Text(text) => shortened(&quote(text)),
        Shown::Empty(text) => (*text).to_owned(),
        Shown::Sensitive => return Span::data("(sensitive value)".to_owned(), Tone::Muted),
        Shown::WriteOnly => return Span::data("(write-only attribute)".to_owned(), Tone::Muted),
        Shown::Unknown => return Span::data("(known after apply)".to_owned(), Tone::Muted),
    };
    Span::data(text, tone)
}

/// A value on one line, for reasons.
pub(super) fn inline(shown: &Shown) -> String {
    let text = value(shown, Tone::Plain).text;
    match text.char_indices().nth(SHORT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// A name as paths have it.
pub(super) fn name(text: &str) -> String {
    key(text).into_owned()
}
