//! The unchanged parts of values, for `--context all`.

use super::path;
use super::value::{Block, inline_to};
use crate::diff::edits::{Edit, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Sign, Span, Tone};
use crate::review::Options;

/// The rest of the path of an edit.
type StepsBelow<'e, 'a> = &'e [Step<'a>];

/// The parts of a value without an edit at or below them. Parts that are redacted in the value before are not
/// shown in the value after either, because they may be equal.
pub(super) fn lines(
    edits: &[Edit<'_>],
    before: MarkedValue<'_>,
    after: MarkedValue<'_>,
    options: &Options,
) -> Vec<Line> {
    let paths: Vec<Vec<Step<'_>>> = edits.iter().map(|edit| edit.path.steps()).collect();
    let all: Vec<StepsBelow<'_, '_>> = paths.iter().map(Vec::as_slice).collect();
    let mut writer = Writer { options, lines: Vec::new() };
    writer.parts(&all, Some(before), after, "", 1);
    writer.lines
}

struct Writer<'o> {
    options: &'o Options,
    lines: Vec<Line>,
}

impl Writer<'_> {
    /// `edits` are the remaining steps of the paths at and below this value, in the order of its members, so
    /// that edits of one member are consecutive.
    fn parts(
        &mut self,
        edits: &[StepsBelow<'_, '_>],
        before: Option<MarkedValue<'_>>,
        after: MarkedValue<'_>,
        base: &str,
        level: usize,
    ) {
        if edits.iter().any(|path| path.is_empty()) {
            return;
        }
        let any_redacted = after.as_array().and(before).and_then(redacted);
        if let Some(members) = after.as_object() {
            let mut below: Vec<(&str, Vec<StepsBelow<'_, '_>>)> = Vec::new();
            for path in edits {
                let Some((Step::Name(name), rest)) = path.split_first() else { continue };
                match below.last_mut() {
                    Some((last, rests)) if path::is_same_name(last, name) => rests.push(rest),
                    _ => below.push((name, vec![rest])),
                }
            }
            crate::sort::by_key(&mut below, |(name, _)| *name);
            for (name, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                let from = below.partition_point(|(other, _)| other < name);
                let mine = below[from..].iter().take_while(|(other, _)| other == name);
                let rests: Vec<StepsBelow<'_, '_>> = mine.flat_map(|(_, rests)| rests).copied().collect();
                let mut label = base.to_owned();
                path::push_name(&mut label, name);
                let was = before.and_then(|old| if old.is_redacted() { Some(old) } else { old.get(name) });
                self.part(&rests, was, *member, &label, level);
            }
        }
        // Sorted by index, so that one pass over the list suffices.
        let mut places: Vec<(u32, StepsBelow<'_, '_>)> =
            edits.iter().filter_map(|path| place(path)).collect();
        crate::sort::by_key(&mut places, |(place, _)| *place);
        let mut rest = places.as_slice();
        for (at, item) in after.as_array().unwrap_or_default().iter().enumerate() {
            let mine = rest.iter().take_while(|(place, _)| *place as usize <= at).count();
            let (here, later) = rest.split_at(mine);
            rest = later;
            let here: Vec<StepsBelow<'_, '_>> = here.iter().map(|(_, path)| *path).collect();
            // The previous element is certain only without edits; otherwise it may be any.
            let was = match before.and_then(MarkedValue::as_array) {
                Some(old) if edits.is_empty() => old.get(at).copied(),
                Some(_) | None => any_redacted,
            };
            self.part(&here, was, *item, &format!("{base}[{at}]"), level);
        }
    }

    fn part(
        &mut self,
        edits: &[StepsBelow<'_, '_>],
        before: Option<MarkedValue<'_>>,
        after: MarkedValue<'_>,
        label: &str,
        level: usize,
    ) {
        let hidden = before.and_then(redacted);
        let hides = hidden.is_some();
        let is_container = matches!(after.content, Content::Array(_) | Content::Object(_));
        let is_whole = before.is_some_and(MarkedValue::is_redacted);
        if !edits.is_empty() || (hides && is_container && !is_whole && !after.is_empty()) {
            return self.parts(edits, before, after, label, level + 1);
        }
        let levels = self.options.levels_below(level);
        let mut spans = vec![Span::new(format!("{label}: "), Tone::Plain)];
        let text = if hides {
            Some(crate::text::hidden_value(hidden.is_some_and(|value| value.lacks_schema)).to_owned())
        } else {
            inline_to(after, levels, self.options.width)
        };
        match text {
            Some(text) => {
                spans.push(Span::new(text, Tone::Plain));
                self.lines.push(Line { depth: 0, sign: Sign::Same, spans });
            }
            None => {
                self.lines.push(Line { depth: 0, sign: Sign::Same, spans });
                let block =
                    Block { sign: Sign::Same, width: self.options.width, max_lines: usize::MAX, levels };
                self.lines.extend(block.lines(after, 1));
            }
        }
    }
}

/// The first redacted part of a value.
fn redacted(value: MarkedValue<'_>) -> Option<MarkedValue<'_>> {
    if value.is_redacted() { Some(value) } else { value.children().find_map(redacted) }
}

/// The index after of the element that a path leads to, and the remaining steps.
fn place<'e, 'a>(path: &StepsBelow<'e, 'a>) -> Option<(u32, StepsBelow<'e, 'a>)> {
    match path.split_first()? {
        (Step::Element(element), rest) => Some((element.after?, rest)),
        (Step::Name(_) | Step::Document(_), _) => None,
    }
}
