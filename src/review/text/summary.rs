//! Summaries of objects that are created or destroyed: the attributes that matter, and the number of the
//! others.

use super::value::{self, short, size};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Sign, Span, Tone};
use crate::review::weight::{Weight, is_identifier};
use crate::review::{Options, count};
use crate::text::key;

/// The maximum length of a value, in characters.
const MAX_LEN: usize = 60;

/// Words in the names of attributes that describe a destroyed object: its size, its kind, its protection.
const DESCRIPTIVE: [&str; 14] = [
    "backup",
    "bucket",
    "capacity",
    "class",
    "deletion",
    "engine",
    "node",
    "nodes",
    "protection",
    "retention",
    "size",
    "sku",
    "storage",
    "version",
];

/// The reason for the summary, which determines the order of attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Summarized {
    /// The object is created: attributes about access come first.
    Created,
    /// The object is destroyed: attributes that describe it come first.
    Destroyed,
    /// The object remains, but is forgotten.
    Forgotten,
}

impl Summarized {
    fn sign(self) -> Sign {
        match self {
            Self::Created => Sign::Add,
            Self::Destroyed => Sign::Remove,
            Self::Forgotten => Sign::Same,
        }
    }

    fn lines(self) -> usize {
        match self {
            Self::Created => 3,
            Self::Destroyed | Self::Forgotten => 1,
        }
    }

    fn intro(self) -> &'static str {
        match self {
            Self::Created => "",
            Self::Destroyed => "was: ",
            Self::Forgotten => "is: ",
        }
    }

    /// The sort key of an attribute: the smallest comes first.
    fn rank(self, name: &str) -> (u8, std::cmp::Reverse<Weight>) {
        let weight = Weight::from_name(name);
        let is_lost = || name.split('_').any(|word| DESCRIPTIVE.contains(&word));
        let rank = match self {
            _ if is_identifier(name) => 2,
            Self::Created => 1,
            Self::Destroyed | Self::Forgotten => u8::from(!is_lost()),
        };
        (rank, std::cmp::Reverse(weight))
    }
}

/// An object on a few lines, without the attributes that are shown elsewhere.
pub(super) fn lines(
    object: MarkedValue<'_>,
    summarized: Summarized,
    is_shown_elsewhere: &dyn Fn(&str) -> bool,
    options: &Options,
) -> Vec<Line> {
    let members = object.as_object().unwrap_or_default();
    let tags = object.get("tags");
    let mut shown: Vec<(&str, MarkedValue<'_>)> = Vec::new();
    let (mut others, mut unknown, mut sensitive) = (0, 0, 0);
    for (name, value) in members {
        match value.content {
            Content::Null => {}
            _ if is_shown_elsewhere(name) => {}
            _ if *name == "tags_all" && tags == Some(*value) => {}
            Content::Unknown => unknown += 1,
            _ if value.is_empty() || Weight::from_name(name) == Weight::Light => others += size(*value),
            Content::Redacted => sensitive += 1,
            Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)
            | Content::Array(_)
            | Content::Object(_) => shown.push((name, *value)),
        }
    }
    let only_identifiers = shown.iter().all(|(name, _)| is_identifier(name));
    shown.sort_by_key(|(name, value)| {
        let is_container = matches!(value.content, Content::Array(_) | Content::Object(_));
        (summarized.rank(name), is_container && summarized != Summarized::Created)
    });
    let mut flow = Flow::new(summarized, options.width);
    for (name, value) in shown {
        let is_shown = !is_identifier(name) || only_identifiers || summarized == Summarized::Created;
        let text = || format!("{} = {}", key(name), short(value, MAX_LEN));
        if !(is_shown && flow.push(text)) {
            others += size(value);
        }
    }
    flow.finish(others, unknown, sensitive)
}

/// Items separated by commas, wrapped to a few lines.
struct Flow {
    summarized: Summarized,
    room: usize,
    lines: Vec<String>,
}

impl Flow {
    fn new(summarized: Summarized, width: usize) -> Self {
        Self { summarized, room: width.max(40).saturating_sub(8), lines: vec![summarized.intro().to_owned()] }
    }

    /// Adds an item; returns false if there is no room for it.
    fn push(&mut self, text: impl FnOnce() -> String) -> bool {
        let (used, max_lines) = (self.lines.len(), self.summarized.lines());
        let Some(last) = self.lines.last_mut() else { return false };
        let is_first = last == self.summarized.intro();
        let so_far = last.chars().count();
        if used == max_lines && so_far + 8 > self.room {
            return false;
        }
        let text = text();
        if is_first || so_far + 2 + text.chars().count() <= self.room {
            last.push_str(if is_first { "" } else { ", " });
            last.push_str(&text);
        } else if used < max_lines {
            self.lines.push(text);
        } else {
            return false;
        }
        true
    }

    fn finish(self, others: usize, unknown: usize, sensitive: usize) -> Vec<Line> {
        let sign = self.summarized.sign();
        let is_empty = self.lines.first().is_none_or(|line| line == self.summarized.intro());
        let mut rest: Vec<String> = Vec::new();
        if others > 0 {
            rest.push(count(others, if is_empty { "value" } else { "more value" }));
        }
        if sensitive > 0 {
            rest.push(format!("{sensitive} sensitive"));
        }
        if unknown > 0 {
            rest.push(format!("{unknown} known after apply"));
        }
        let line = |spans: Vec<Span>| Line { depth: 0, sign, spans };
        let mut lines: Vec<Line> = Vec::new();
        if !is_empty {
            lines.extend(self.lines.into_iter().map(|text| line(vec![Span::new(text, value::tone(sign))])));
        }
        if !rest.is_empty() {
            let text = rest.join(", ");
            match lines.last_mut() {
                Some(last) => last.spans.push(Span::new(format!(" (+ {text})"), Tone::Muted)),
                None => lines.push(line(vec![Span::new(text, Tone::Muted)])),
            }
        }
        lines
    }
}
