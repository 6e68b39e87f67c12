//! Writes values as text: on one line if they fit, otherwise on several; and the unchanged parts of objects.
//!
//! ```text
//! on one line   + y { name = web, size = 2, a = "long long …long long value" } +3
//! as a block    + y
//!                 + a: "long long long long long long value"
//!                 + name: "web"
//! ```

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use super::more;
use crate::diff::edits::{Edit, ElementKey, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Sign, Tone};
use crate::review::Options;
use crate::review::access::bare;
use crate::review::inline::{MAX_LEN, below, inline_to, short};
use crate::review::names::Weight;
use crate::review::paths::{is_same_name, push_name};
use crate::text::{cut, escape, has_several_lines, key, quote};

/// The minimum length to which a value in an object is shortened, in characters.
const MIN_LEN: usize = 20;

/// Returns a side of a change on one line; `null` if there is none.
///
/// Strings have no quotes if that is clear. A number in a string has none if the other side is a string, too
/// (`is_within_text`).
pub(in crate::review) fn word(
    side: Option<MarkedValue<'_>>,
    limit: usize,
    is_within_text: bool,
) -> String {
    match side {
        None => "null".to_owned(),
        Some(value) if value.is_container() => brief(value, None, limit).text(),
        Some(value) => match value.as_str() {
            Some(text) if is_within_text && reads_like_a_literal(text) => text.to_owned(),
            _ => scalar_word(value, limit),
        },
    }
}

/// Whether a string reads like a number or bool.
fn reads_like_a_literal(text: &str) -> bool {
    matches!(text, "true" | "false") || text.parse::<f64>().is_ok()
}

/// Returns a scalar in about `limit` characters, with the length of what is missing. A text of several lines is its
/// first line and their number.
pub(super) fn scalar_word(value: MarkedValue<'_>, limit: usize) -> String {
    let Some(text) = value.as_str() else {
        return short(value, limit);
    };
    let lines = text.trim_end_matches('\n').split('\n').count();
    if lines > 1 {
        let first = text.split('\n').find(|line| !line.trim().is_empty());
        let first = cut(first.unwrap_or_default().trim(), limit.min(60));
        return format!("{}… ({lines} lines)", quote(&first));
    }
    let is_clear = |c: char| c.is_alphanumeric() || "-_.:/*+=@?%#~,; ".contains(c);
    let reads_like_another = matches!(text, "" | "null")
        || reads_like_a_literal(text)
        || text.starts_with(' ')
        || text.ends_with(' ')
        || text.contains("->");
    let is_bare = text.chars().all(is_clear) || reads_like_an_address(text);
    if !reads_like_another && is_bare && is_printable_text(&text.replace('"', "")) {
        cut(text, limit)
    } else {
        cut(&quote(&cut(text, limit)), limit.saturating_add(40))
    }
}

/// Whether a text is an address such as `module.a["b c"].aws_instance.d[0]`, in which quotes only surround keys.
fn reads_like_an_address(text: &str) -> bool {
    let is_plain = |part: &str| {
        part.chars()
            .all(|c| c.is_alphanumeric() || "_-.[]".contains(c))
    };
    let mut parts = text.split("[\"");
    let is_begin = parts
        .next()
        .is_some_and(|begin| begin.contains('.') && is_plain(begin));
    is_begin
        && parts.all(|part| {
            part.split_once("\"]")
                .is_some_and(|(key, rest)| !key.contains(['"', '\\']) && is_plain(rest))
        })
}

/// Whether a text has no characters that must be escaped.
fn is_printable_text(text: &str) -> bool {
    *escape(text) == *text
}

/// Returns a container on one line. Members that are null or empty are left out, and so is `false` if there are other
/// members. Those that are known after apply, and those that do not fit, are counted.
///
/// `key` is the member by which the path names the element, which is not repeated.
pub(super) fn brief(value: MarkedValue<'_>, key: Option<&ElementKey<'_>>, limit: usize) -> Brief {
    let mut writer = BriefWriter::default();
    let is_key = |(name, member): &(&str, MarkedValue<'_>)| {
        key.is_some_and(|key| *name == key.name && *member == key.value)
    };
    // An element that has no members but its name is shown with it, so that it does not look empty.
    let (text, all) = match value.as_object().filter(|members| members.len() > 1) {
        Some(members) => {
            let others = members.iter().filter(|member| !is_key(member));
            let all = others.clone().map(|(_, member)| said(*member)).sum();
            (writer.object(others, limit), all)
        }
        None => (writer.value(value, limit), said(value)),
    };
    Brief {
        text,
        shown: usize::saturating_sub(all, writer.left_out),
        left_out: writer.left_out,
    }
}

/// A container on one line, with the number of values that it shows.
pub(super) struct Brief {
    text: String,
    /// The number of values in the text.
    shown: usize,
    /// The number of values that are left out.
    left_out: usize,
}

impl Brief {
    /// Returns the text, with the number of values that are left out.
    pub(super) fn text(self) -> String {
        match self.left_out {
            0 => self.text,
            number => format!("{} +{number}", self.text),
        }
    }

    /// Whether nothing is left out.
    pub(super) fn is_whole(&self) -> bool {
        self.left_out == 0
    }

    /// Returns how the number of shown values compares with a third of all values.
    pub(super) fn compared_with_a_third(&self) -> Ordering {
        (2 * self.shown).cmp(&self.left_out)
    }
}

/// The writer of values that are shortened to a length.
#[derive(Default)]
struct BriefWriter {
    /// The number of values that did not fit, or that are known after apply while others are known.
    left_out: usize,
}

impl BriefWriter {
    /// Returns a value in about `limit` characters, and counts what that leaves out. Every value has at least a few
    /// characters.
    fn value(&mut self, value: MarkedValue<'_>, limit: usize) -> String {
        match value.content {
            Content::Array(items) => {
                let is_single = matches!(items, [only] if only.as_object().is_some());
                let parts = self.parts(items.iter().map(|item| (None, *item)), limit);
                match is_single {
                    true => parts.concat(),
                    false => format!("[{}]", parts.join(", ")),
                }
            }
            Content::Object(members) => match chosen(value) {
                Some(name) => key(&cut(name, MAX_LEN)).into_owned(),
                None => self.object(members.iter(), limit),
            },
            // An address is not cut, because a part of it would be the address of another object.
            Content::String(text) if reads_like_an_address(text) => scalar_word(value, MAX_LEN),
            Content::String(text) if !has_several_lines(text) => {
                match both_ends(text, limit.max(MIN_LEN)) {
                    Some(short) => bare(&short),
                    None => scalar_word(value, MAX_LEN),
                }
            }
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_) => scalar_word(value, limit.max(MIN_LEN)),
        }
    }

    /// Returns an object in about `limit` characters, the most important members first. Members that are `false` or
    /// unknown are written only if no member has another value.
    fn object<'m, 'v: 'm>(
        &mut self,
        members: impl Iterator<Item = &'m (&'v str, MarkedValue<'v>)> + Clone,
        limit: usize,
    ) -> String {
        let has_value = |member: MarkedValue<'_>| !is_void(member) && !member.is_unknown();
        let is_false = |member: MarkedValue<'_>| matches!(member.content, Content::Bool(false));
        let is_unknown = |member: MarkedValue<'_>| member.is_unknown();
        let has = |is: &dyn Fn(MarkedValue<'_>) -> bool| members.clone().any(|(_, one)| is(*one));
        // If there is nothing else, `false` is what the author wrote.
        let is_said: &dyn Fn(MarkedValue<'_>) -> bool = match (has(&has_value), has(&is_false)) {
            (true, _) => &has_value,
            (false, true) => &is_false,
            (false, false) => &is_unknown,
        };
        if has(&has_value) || has(&is_false) {
            let unknown = members.clone().filter(|(_, member)| member.is_unknown());
            self.left_out += unknown.count();
        }
        let said = members.filter(|(_, member)| is_said(*member));
        let mut said: Vec<_> = said.map(|(name, member)| (Some(*name), *member)).collect();
        // The least important members are last, so that they are left out first.
        said.sort_by_key(|(name, _)| Reverse(name.map(Weight::from_name)));
        let parts = self.parts(said.into_iter(), limit);
        match parts.is_empty() {
            true => "{}".to_owned(),
            false => format!("{{ {} }}", parts.join(", ")),
        }
    }

    /// Returns the members or elements that fit into `limit` characters, but at least one, and counts the others.
    fn parts<'v>(
        &mut self,
        members: impl Iterator<Item = (Option<&'v str>, MarkedValue<'v>)>,
        limit: usize,
    ) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut used = 0;
        for (name, member) in members {
            let rest = limit.saturating_sub(used + 4);
            let left_out = self.left_out;
            let text = match name {
                Some(name) => self.member(name, member, rest),
                None => self.value(member, rest),
            };
            let length = text.chars().count();
            if !parts.is_empty() && used + length > limit {
                self.left_out = left_out + said(member);
                continue;
            }
            used += length + 2;
            parts.push(text);
        }
        parts
    }
}

impl BriefWriter {
    /// Returns a member: `limit = 2000`, or `rate_based_statement.limit = 2000` if nothing else is in the block.
    fn member<'v>(&mut self, name: &str, value: MarkedValue<'v>, limit: usize) -> String {
        let mut path = key(&cut(name, MAX_LEN)).into_owned();
        let mut value = value;
        while let Some((name, only)) = only_member(value) {
            path.push('.');
            path.push_str(&key(&cut(name, MAX_LEN)));
            value = only;
        }
        path.push_str(" = ");
        let rest = limit.saturating_sub(path.chars().count());
        path + &self.value(value, rest)
    }
}

/// Returns the only member of a block that has a value.
fn only_member<'v>(value: MarkedValue<'v>) -> Option<(&'v str, MarkedValue<'v>)> {
    let block = match value.as_array() {
        Some([only]) => *only,
        Some(_) => return None,
        None => value,
    };
    let mut said = block
        .as_object()
        .filter(|_| chosen(block).is_none())?
        .iter()
        .filter(|(_, member)| !is_void(*member));
    said.next().filter(|_| said.next().is_none()).copied()
}

/// Whether a value is null, empty or `false`, also in all of its parts.
pub(super) fn is_void(value: MarkedValue<'_>) -> bool {
    value.is_null()
        || value.is_empty()
        || matches!(value.content, Content::Bool(false))
        || value.is_container() && value.children().all(is_void) && only_block(value).is_none()
}

/// Returns the name of the only block that is present, if the members are alternative blocks: `action { allow {} }`.
fn only_block<'v>(value: MarkedValue<'v>) -> Option<&'v str> {
    let blocks = value.as_object().filter(|members| members.len() > 1)?;
    if !blocks.iter().all(|(_, block)| block.as_array().is_some()) {
        return None;
    }
    let mut present = blocks.iter().filter(|(_, block)| !block.is_empty());
    let (name, block) = present.next().filter(|_| present.next().is_none())?;
    matches!(block.as_array(), Some([only]) if only.as_object().is_some()).then_some(*name)
}

/// Returns the name of the only block that is present, if the block is empty.
fn chosen<'v>(value: MarkedValue<'v>) -> Option<&'v str> {
    only_block(value).filter(|_| value.children().all(is_void))
}

/// Removes the middle of a text that is longer than `limit` characters; `None` if it is not. Both ends of paths and
/// ARNs matter.
fn both_ends(text: &str, limit: usize) -> Option<String> {
    let length = text.chars().count();
    let first: String = text.chars().take(limit / 3).collect();
    let last: String = text
        .chars()
        .skip(length.saturating_sub(limit / 2))
        .collect();
    (length > limit).then(|| format!("{first}…{last}"))
}

/// Returns the number of values in a value that are neither null nor empty nor `false`. An empty block that is the only
/// one of several counts, too.
fn said(value: MarkedValue<'_>) -> usize {
    if !value.is_container() {
        return usize::from(!is_void(value));
    }
    match value.children().map(said).sum() {
        0 => usize::from(only_block(value).is_some()),
        number => number,
    }
}

/// Returns a string that has only one line.
pub(super) fn as_line(value: MarkedValue<'_>) -> Option<&str> {
    value
        .as_str()
        .filter(|text| !text.trim_end_matches('\n').contains('\n'))
}

/// Returns the tone of a line with this sign.
pub(super) fn tone(sign: Sign) -> Tone {
    match sign {
        Sign::Add => Tone::Added,
        Sign::Remove => Tone::Removed,
        Sign::Change => Tone::Changed,
        Sign::Same => Tone::Plain,
        Sign::Note => Tone::Muted,
    }
}

/// The writer of a value on several lines.
pub(super) struct ValueBlock {
    /// The sign of all lines: added, removed or unchanged.
    sign: Sign,
    /// The maximum length of a line, in columns.
    width: usize,
    /// The number of lines after which further ones are only counted.
    max_lines: usize,
    /// The lines written so far.
    lines: Vec<Line>,
    /// The number of lines that were not written.
    left_out: usize,
}

impl ValueBlock {
    /// Returns the lines of a value, with at most `levels` levels. There are at most `max_lines`, unless unchanged
    /// values are shown, too.
    pub(super) fn lines(
        value: MarkedValue<'_>,
        sign: Sign,
        (depth, levels): (usize, usize),
        max_lines: usize,
        options: &Options,
    ) -> Vec<Line> {
        let (width, max_lines) = (options.width, options.limit(max_lines));
        let mut block = Self {
            sign,
            width,
            max_lines,
            lines: Vec::new(),
            left_out: 0,
        };
        block.parts(value, depth, levels);
        block
            .lines
            .extend(more(depth, block.left_out, "more line of values"));
        block.lines
    }

    /// Writes a line, or counts it if there are too many.
    fn line(&mut self, depth: usize, text: impl Into<String>) {
        if self.lines.len() >= self.max_lines {
            self.left_out += 1;
            return;
        }
        self.lines
            .push(Line::new(depth, self.sign, text, tone(self.sign)));
    }

    /// Writes the lines, elements or members of a value, each on lines of its own.
    fn parts(&mut self, value: MarkedValue<'_>, depth: usize, levels: usize) {
        match value.content {
            Content::String(text) => {
                for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
                    self.line(depth, cut(line, MAX_LEN));
                }
            }
            Content::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.part(&format!("[{index}]"), *item, depth, levels);
                }
            }
            Content::Object(members) => {
                for (name, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                    self.part(&key(&cut(name, MAX_LEN)), *member, depth, levels);
                }
            }
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_) => {
                self.line(depth, short(value, MAX_LEN));
            }
        }
    }

    /// Writes an element or member: on one line if it fits, otherwise its parts below its name.
    fn part(&mut self, name: &str, value: MarkedValue<'_>, depth: usize, levels: usize) {
        let remaining = self.width.saturating_sub(2 * depth + name.len()).max(20);
        let text = match as_line(value) {
            Some(text) => Some(cut(&quote(&cut(text, MAX_LEN)), MAX_LEN + 40)),
            None => inline_to(value, levels, remaining),
        };
        match text {
            Some(text) => self.line(depth, format!("{name}: {text}")),
            None if levels == 0 => self.line(depth, format!("{name}: {}", below(value))),
            None => {
                self.line(depth, format!("{name}:"));
                self.parts(value, depth + 1, levels - 1);
            }
        }
    }
}

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

/// Returns lines for the parts of an object without an edit at or below them, for `--context all`. A part that is
/// redacted before the change is not shown, because its value may be equal.
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
            let place = changed_element.map_or(Some(index), |(before, _)| *before);
            let before = place.and_then(|place| old.get(place as usize).copied());
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
