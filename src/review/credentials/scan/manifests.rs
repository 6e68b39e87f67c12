//! Finds the data of Kubernetes Secrets in texts: in YAML with any number of documents, in JSON, in lists of objects.
//!
//! A text that is no YAML as a whole, such as a template or the lines of a difference, is read line by line.
//!
//! ```text
//! kind: Secret
//! data:
//!   tls.key: kX9…     hidden, whatever the key is called
//! ```

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::Hit;
use super::escapes::Plain;
use crate::review::credentials::names::{DATA_OF_SECRET, named};

/// The maximum number of scalars and containers of a text that are read as YAML; a larger one is read line by line.
const MAX_NODES: usize = 200_000;

/// The maximum nesting of a text that is read as YAML, the same as that of a document.
const DEEPEST: usize = 1_000;

/// The members of a Secret that hold its data.
pub(in crate::review::credentials) const DATA_MEMBERS: [&str; 2] = ["data", "stringData"];

/// The word for the kind of such objects.
pub(in crate::review::credentials) const SECRET_KIND: &str = "Secret";

/// The maximum number of texts with Secrets inside each other that are read. Each level of JSON in JSON doubles the
/// backslashes.
const MAX_LEVELS: usize = 16;

/// Returns the data of all Secrets in a text. Costs nothing for texts without the word.
pub(super) fn secrets(text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    for range in ranges(text, MAX_LEVELS) {
        add(text, range, &mut hits);
    }
    hits
}

/// Whether a text may have a Secret in it.
fn may_have_secrets(text: &str) -> bool {
    [SECRET_KIND, "kind"]
        .iter()
        .all(|word| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}

/// Returns the ranges of the data of all Secrets in a text, and in the texts in it, up to a number of levels.
fn ranges(text: &str, levels: usize) -> Vec<Range<usize>> {
    if !may_have_secrets(text) {
        return Vec::new();
    }
    let Some(Scalars { mut data, texts }) = in_documents(text) else {
        let mut data = Vec::new();
        in_lines(text, &mut data);
        return data;
    };
    for scalar in texts {
        let Some(inner) = text.get(scalar.clone()).filter(|_| levels > 0) else {
            continue;
        };
        // The text of a scalar in quotes may have escapes.
        match Plain::new(inner) {
            Some(plain) => {
                let inside = ranges(&plain.text, levels - 1).into_iter();
                data.extend(inside.map(|range| {
                    scalar.start + plain.original(range.start)
                        ..scalar.start + plain.original(range.end)
                }));
            }
            None => {
                let inside = ranges(inner, levels - 1).into_iter();
                data.extend(
                    inside.map(|range| scalar.start + range.start..scalar.start + range.end),
                );
            }
        }
    }
    data
}

/// The scalars of a text that matter.
#[derive(Default)]
struct Scalars {
    /// The ranges of the data of Secrets.
    data: Vec<Range<usize>>,
    /// The ranges of texts that may have Secrets in them.
    texts: Vec<Range<usize>>,
}

/// Adds one value of a Secret.
fn add(text: &str, range: Range<usize>, hits: &mut Vec<Hit>) {
    if let Some(value) = text.get(range.clone())
        && let Some(name) = named(DATA_OF_SECRET, value)
    {
        hits.push(Hit::new(range, name, value.to_owned()));
    }
}

/// A mapping or a sequence that is being read.
struct Container {
    /// The key whose value comes next, in a mapping; `None` where a key comes next.
    key: Option<String>,
    is_mapping: bool,
    is_secret: bool,
    /// The index of the first scalar in this container.
    first: usize,
    /// The scalars below `data` and `stringData`, as ranges of indices.
    data: Vec<Range<usize>>,
}

/// Reads a text that is YAML or JSON; `None` if it is neither.
fn in_documents(text: &str) -> Option<Scalars> {
    let mut offsets = Offsets::new(text);
    let mut scalars: Vec<Range<usize>> = Vec::new();
    let mut open: Vec<Container> = Vec::new();
    let mut found = Vec::new();
    let mut texts = Vec::new();
    for (number, event) in Parser::new_from_str(text).enumerate() {
        let (event, span) = event.ok()?;
        if number > MAX_NODES || open.len() > DEEPEST {
            return None;
        }
        match event {
            Event::Scalar(value, style, ..) => {
                let range = offsets.scalar(text, span, style);
                let Some(container) = open.last_mut() else {
                    continue;
                };
                if container.is_mapping && container.key.is_none() {
                    container.key = Some(value.into_owned());
                    continue;
                }
                let key = container.key.take();
                container.is_secret |= key.as_deref() == Some("kind") && value == SECRET_KIND;
                if may_have_secrets(&value) && range != (0..text.len()) {
                    texts.push(range.clone());
                }
                scalars.push(range);
                container.add_data(key.as_deref(), scalars.len() - 1..scalars.len());
            }
            Event::MappingStart(..) | Event::SequenceStart(..) => open.push(Container {
                key: None,
                is_mapping: matches!(event, Event::MappingStart(..)),
                is_secret: false,
                first: scalars.len(),
                data: Vec::new(),
            }),
            Event::MappingEnd | Event::SequenceEnd => {
                let closed = open.pop()?;
                if closed.is_secret {
                    found.extend(closed.data.iter().cloned().flatten());
                }
                if let Some(around) = open.last_mut() {
                    let key = around.key.take();
                    around.add_data(key.as_deref(), closed.first..scalars.len());
                }
            }
            Event::Nothing
            | Event::Alias(_)
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => {}
        }
    }
    let data = found
        .into_iter()
        .filter_map(|index| scalars.get(index).cloned())
        .collect();
    Some(Scalars { data, texts })
}

impl Container {
    /// Notes the scalars of a member that may be data.
    fn add_data(&mut self, key: Option<&str>, scalars: Range<usize>) {
        if key.is_some_and(|key| DATA_MEMBERS.contains(&key)) {
            self.data.push(scalars);
        }
    }
}

/// The offsets in bytes of the characters of a text, which the parser counts. They are asked for in ascending order.
struct Offsets<'t> {
    rest: std::str::CharIndices<'t>,
    /// The number of characters before `rest`.
    count: usize,
    length: usize,
}

impl<'t> Offsets<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            rest: text.char_indices(),
            count: 0,
            length: text.len(),
        }
    }

    /// Returns the offset in bytes of a character.
    fn of(&mut self, index: usize) -> usize {
        if let Some(skipped) = index.checked_sub(self.count + 1) {
            self.rest.nth(skipped);
            self.count = index;
        }
        let mut next = self.rest.clone();
        next.next().map_or(self.length, |(offset, _)| offset)
    }

    /// Returns the range of a scalar in bytes, without its quotes and without the header of a block.
    fn scalar(&mut self, text: &str, span: Span, style: ScalarStyle) -> Range<usize> {
        let start = self.of(span.start.index());
        let end = self.of(span.end.index()).max(start);
        let whole = text.get(start..end).unwrap_or_default();
        match style {
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                let inner = whole.trim_end();
                let is_quoted = inner.len() >= 2;
                start + usize::from(is_quoted)..start + inner.len() - usize::from(is_quoted)
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let body = if whole.starts_with(['|', '>']) {
                    whole.find('\n').map_or(0, |line| line + 1)
                } else {
                    0
                };
                let indent = whole[body..].len() - whole[body..].trim_start().len();
                start + body + indent..(start + whole.trim_end().len()).max(start + body + indent)
            }
            ScalarStyle::Plain => start..start + whole.trim_end().len(),
        }
    }
}

/// Adds the data of Secrets line by line: the lines below `data:` and `stringData:` that are indented deeper, in a
/// document with `kind: Secret`.
fn in_lines(text: &str, data: &mut Vec<Range<usize>>) {
    let sign = [' ', '\t', '+', '-', '~'];
    let content = |line: &str| -> String {
        line.trim()
            .trim_start_matches(sign)
            .trim_end_matches(',')
            .replace(['"', '\''], "")
    };
    let is_kind = |line: &str| {
        content(line)
            .split_once([':', '='])
            .is_some_and(|(key, value)| key.trim() == "kind" && value.trim() == SECRET_KIND)
    };
    let mut offset = 0;
    let mut document: Vec<(usize, &str)> = Vec::new();
    let lines = text.split_inclusive('\n').map(Some).chain([None]);
    for line in lines {
        let is_end = line.is_none_or(|line| {
            line.trim_start_matches(sign).trim().is_empty() && line.contains("---")
        });
        if let Some(line) = line {
            if !is_end {
                document.push((offset, line));
            }
            offset += line.len();
        }
        if !is_end {
            continue;
        }
        for (start, line) in &document {
            add_objects(*start, line, data);
        }
        if document.iter().any(|(_, line)| is_kind(line)) {
            let mut within: Option<usize> = None;
            for (start, line) in &document {
                add_inline(*start, line, data);
                let indent = line.len() - line.trim_start_matches(sign).len();
                if within.is_some_and(|outer| indent <= outer) && !line.trim().is_empty() {
                    within = None;
                }
                if within.is_some() {
                    add_line(*start, line, data);
                }
                let key = content(line);
                let key = key.trim_end_matches(['{', ' ', '=', ':', '\r']);
                if within.is_none() && DATA_MEMBERS.contains(&key) {
                    within = Some(indent);
                }
            }
        }
        document.clear();
    }
}

/// Adds the data of the Secrets in a line that has whole objects: JSON in a script, for example.
fn add_objects(start: usize, line: &str, data: &mut Vec<Range<usize>>) {
    let Some(offset) = line.find(['{', '[']).filter(|_| line.contains(SECRET_KIND)) else {
        return;
    };
    let end = line.rfind(['}', ']']).map_or(offset, |end| end + 1);
    let object = line.get(offset..end).unwrap_or_default();
    let from = start + offset;
    let read = in_documents(object).unwrap_or_default();
    data.extend(
        read.data
            .into_iter()
            .map(|range| from + range.start..from + range.end),
    );
}

/// Adds the data that a line of a Secret has in braces: `stringData: {password: kX9…}`.
fn add_inline(start: usize, line: &str, data: &mut Vec<Range<usize>>) {
    for member in DATA_MEMBERS {
        let Some(name) = line.find(member) else {
            continue;
        };
        let rest = &line[name + member.len()..];
        let Some(open) = rest.find('{') else {
            continue;
        };
        let is_member = rest[..open]
            .chars()
            .all(|c| c.is_whitespace() || matches!(c, '"' | '\'' | ':' | '='));
        let inner = &rest[open + 1..];
        let inner = &inner[..inner.rfind('}').unwrap_or(inner.len())];
        let from = start + (inner.as_ptr() as usize - line.as_ptr() as usize);
        if is_member && !inner.trim().is_empty() {
            data.push(from..from + inner.trim_end().len());
        }
    }
}

/// Adds the value in a line of the data: what follows its key, or all of it.
fn add_line(start: usize, line: &str, data: &mut Vec<Range<usize>>) {
    let key = line.find(": ").or_else(|| line.find(" = "));
    let from = key.map_or(0, |index| index + 2);
    let value = &line[from..];
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '=' | '+');
    let begin = value.len() - value.trim_start_matches(is_mark).len();
    let length = value.trim_matches(is_mark).len();
    let is_opening = matches!(value.trim(), "|" | "|-" | "|+" | ">" | ">-" | "{" | "}");
    let is_key = key.is_none() && line.trim_end().ends_with(':');
    if length > 0 && !is_opening && !is_key {
        let begin = start + from + begin;
        data.push(begin..begin + length);
    }
}
