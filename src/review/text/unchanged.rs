//! The parts of an object without an edit, for `--context all`.

use std::collections::HashMap;

use super::block::ValueBlock;
use crate::diff::edits::{Edit, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Sign, Tone};
use crate::review::Options;
use crate::review::inline::inline_to;
use crate::review::paths::{is_same_name, push_name};

/// The parts of a value that have edits.
#[derive(Default)]
struct Changed<'a> {
    /// Whether the value itself has an edit.
    is_whole: bool,
    /// The members that contain edits, sorted by name.
    members: Vec<(&'a str, Self)>,
    /// The elements that contain edits, by their index after the change, with their index before it.
    elements: HashMap<u32, (Option<u32>, Self)>,
}

impl<'a> Changed<'a> {
    /// Records the path of an edit, given by its steps. Paths must be added in the order of edits, which is that of
    /// names.
    fn add(&mut self, steps: &[Step<'a>]) {
        match steps {
            [Step::Name(name), rest @ ..] => {
                if !self
                    .members
                    .last()
                    .is_some_and(|(last, _)| is_same_name(last, name))
                {
                    self.members.push((name, Self::default()));
                }
                if let Some((_, member)) = self.members.last_mut() {
                    member.add(rest);
                }
            }
            [Step::Element(element), rest @ ..] => {
                if let Some(index) = element.after {
                    let (before, changed) = self.elements.entry(index).or_default();
                    *before = element.before;
                    changed.add(rest);
                }
            }
            [] | [Step::Document(_), ..] => self.is_whole = true,
        }
    }
}

/// The writer of the parts of an object that have no edits.
struct Unchanged<'o> {
    options: &'o Options,
    lines: Vec<Line>,
}

/// Returns the lines of all parts without an edit at or below them. A value that is redacted on the side before is not
/// shown, because it may be the same.
pub(super) fn unchanged(
    edits: &[Edit<'_>],
    (before, after): (MarkedValue<'_>, MarkedValue<'_>),
    options: &Options,
) -> Vec<Line> {
    let mut changed = Changed::default();
    edits
        .iter()
        .for_each(|edit| changed.add(&edit.path.steps()));
    let mut writer = Unchanged {
        options,
        lines: Vec::new(),
    };
    writer.parts(&changed, Some(before), after, "", 1);
    writer.lines
}

impl Unchanged<'_> {
    /// Writes the unchanged members and elements of a value in which some parts change.
    fn parts(
        &mut self,
        changed: &Changed<'_>,
        before: Option<MarkedValue<'_>>,
        after: MarkedValue<'_>,
        base: &str,
        level: usize,
    ) {
        if changed.is_whole {
            return;
        }
        let mut members = changed.members.iter().peekable();
        for (name, member) in after.as_object().unwrap_or_default() {
            while members.next_if(|(other, _)| other < name).is_some() {}
            let changed_member = members
                .next_if(|(other, _)| other == name)
                .map(|(_, changed)| changed);
            if !member.is_null() {
                let mut label = base.to_owned();
                push_name(&mut label, name);
                self.part(
                    changed_member,
                    before.and_then(|before| before.get(name)),
                    *member,
                    &label,
                    level,
                );
            }
        }
        let old = before.and_then(MarkedValue::as_array).unwrap_or_default();
        for (index, item) in (0..).zip(after.as_array().unwrap_or_default()) {
            let changed_element = changed.elements.get(&index);
            let before_index = changed_element.map_or(Some(index), |(before, _)| *before);
            let before = before_index.and_then(|index| old.get(index as usize).copied());
            self.part(
                changed_element.map(|(_, changed)| changed),
                before,
                *item,
                &format!("{base}[{index}]"),
                level,
            );
        }
    }

    /// Writes an unchanged part, or the parts in it if it contains changes or hidden values.
    fn part(
        &mut self,
        changed: Option<&Changed<'_>>,
        before: Option<MarkedValue<'_>>,
        after: MarkedValue<'_>,
        label: &str,
        level: usize,
    ) {
        let redacted = before.filter(|before| before.is_redacted());
        let hides_parts = redacted.is_none() && before.is_some_and(|before| before.has_marks);
        let is_container = matches!(
            after.content,
            Content::Array([_, ..]) | Content::Object([_, ..])
        );
        if changed.is_some() || hides_parts && is_container {
            return self.parts(
                changed.unwrap_or(&Changed::default()),
                before,
                after,
                label,
                level + 1,
            );
        }
        let levels = self.options.levels_below(level);
        let value = redacted.unwrap_or(after);
        let text = inline_to(value, levels, self.options.width);
        let line = format!("{label}: {}", text.as_deref().unwrap_or_default());
        self.lines.push(Line::new(0, Sign::Same, line, Tone::Plain));
        if text.is_none() {
            self.lines.extend(ValueBlock::lines(
                value,
                Sign::Same,
                (1, levels),
                usize::MAX,
                self.options,
            ));
        }
    }
}
