//! What does not change, for `--context all`.

use std::collections::HashMap;

use super::path;
use super::value::{Block, inline_to};
use crate::diff::value::{Content, MarkedValue};
use crate::review::Options;
use crate::review::edit::{Edit, Step};
use crate::review::lines::{Line, Sign, Span, Tone};

/// The parts of a value that no edit is at or below.
pub(super) fn lines(edits: &[Edit<'_>], after: MarkedValue<'_>, options: &Options) -> Vec<Line> {
    let paths: Vec<Vec<Step<'_>>> = edits.iter().map(|edit| edit.path.steps()).collect();
    let all: Vec<&[Step<'_>]> = paths.iter().map(Vec::as_slice).collect();
    let mut writer = Writer { options, lines: Vec::new() };
    writer.parts(&all, after, "", 1);
    writer.lines
}

struct Writer<'o> {
    options: &'o Options,
    lines: Vec<Line>,
}

impl Writer<'_> {
    /// `edits` are the rests of the paths that lead here.
    fn parts(&mut self, edits: &[&[Step<'_>]], value: MarkedValue<'_>, base: &str, level: usize) {
        if edits.iter().any(|path| path.is_empty()) {
            return;
        }
        match value.content {
            Content::Object(members) => {
                let mut below: HashMap<&str, Vec<&[Step<'_>]>> = HashMap::new();
                for path in edits {
                    if let Some((Step::Name(name), rest)) = path.split_first() {
                        below.entry(name).or_default().push(rest);
                    }
                }
                for (name, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                    let mut label = base.to_owned();
                    path::push_name(&mut label, name);
                    self.part(below.get(name).map_or(&[], Vec::as_slice), *member, &label, level);
                }
            }
            Content::Array(items) => {
                // Sorted by place, so that a list is walked once.
                let mut places: Vec<(u32, &[Step<'_>])> =
                    edits.iter().filter_map(|path| place(path)).collect();
                places.sort_by_key(|(place, _)| *place);
                let mut rest = places.as_slice();
                for (at, item) in items.iter().enumerate() {
                    let mine = rest.iter().take_while(|(place, _)| *place as usize <= at).count();
                    let (here, later) = rest.split_at(mine);
                    rest = later;
                    let here: Vec<&[Step<'_>]> = here.iter().map(|(_, path)| *path).collect();
                    self.part(&here, *item, &format!("{base}[{at}]"), level);
                }
            }
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_) => {}
        }
    }

    fn part(&mut self, edits: &[&[Step<'_>]], value: MarkedValue<'_>, label: &str, level: usize) {
        if !edits.is_empty() {
            return self.parts(edits, value, label, level + 1);
        }
        let levels = self.options.depth.map_or(usize::MAX, |limit| limit.saturating_sub(level));
        let mut spans = vec![Span::new(format!("{label}: "), Tone::Plain)];
        match inline_to(value, levels, self.options.width) {
            Some(text) => {
                spans.push(Span::new(text, Tone::Plain));
                self.lines.push(Line { depth: 0, sign: Sign::Same, spans });
            }
            None => {
                self.lines.push(Line { depth: 0, sign: Sign::Same, spans });
                let block = Block { sign: Sign::Same, width: self.options.width, most: usize::MAX, levels };
                self.lines.extend(block.lines(value, 1));
            }
        }
    }
}

/// The place after that a path leads to, and its rest.
fn place<'e, 'a>(path: &&'e [Step<'a>]) -> Option<(u32, &'e [Step<'a>])> {
    match path.split_first()? {
        (Step::Element(element), rest) => Some((element.after?, rest)),
        (Step::Name(_), _) => None,
    }
}
