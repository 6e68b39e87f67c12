//! The rows of an item: texts with looks that are not wider than the list.
//!
//! Invariant: each character of a row is safe to show. The writer of the report makes its texts safe; all other texts
//! pass [`visible`].

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::details::ShownValues;
use super::model::{Item, Model, Record, Scope};
use crate::report::{Level, Line, ReportEntry, RowWriter, Tone, Units};
use crate::term::{Look, Role, StyledText, visible};
use crate::text::{count, one_line};

/// The position of a row in the list: the index of its item, and its index among the rows of that item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) item: usize,
    pub(super) row: usize,
}

/// A part of a row with one look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) look: Look,
    pub(super) text: String,
}

/// A row of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) spans: Vec<Span>,
    /// The text that is copied in this row; `None` if the address is copied.
    pub(super) value: Option<String>,
}

impl Row {
    /// Returns the text of the row without looks.
    pub(super) fn text(&self) -> String {
        self.spans.iter().map(|span| &*span.text).collect()
    }

    /// Makes a row of a text with a role. Line breaks and tabs become spaces.
    fn of(role: Role, text: &str) -> Self {
        Self {
            spans: vec![Span {
                look: role.look(),
                text: visible(text).replace(['\n', '\t'], " "),
            }],
            value: None,
        }
    }
}

/// The text that an open item shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Detail {
    /// The lines of the review, or the text of the tool if there are none.
    #[default]
    Lines,
    /// The text of the tool below the lines of the review.
    Tool(ShownValues),
}

/// The maker of the rows of items.
#[derive(Clone, Copy)]
pub(super) struct Rows<'m, 'r> {
    /// The document.
    pub(super) model: &'m Model<'r>,
    /// The list that the rows are for, which decides what they need not say.
    pub(super) scope: Scope,
    /// The writer that lays out entries as in a text for the terminal.
    pub(super) writer: RowWriter,
    /// The width of a row, in columns.
    pub(super) width: usize,
}

/// The indentation of a text of the tool, in columns.
const TOOL_INDENT: usize = 4;

impl Rows<'_, '_> {
    /// Makes the rows of an item, which has at least one. `detail` is `None` while it is closed.
    pub(super) fn of(&self, item: Item, detail: Option<Detail>) -> Vec<Row> {
        let rows = match item {
            Item::Head => self.head(),
            Item::Heading(section) => self.heading(section),
            Item::SharedHeading => vec![Row::default(), Row::of(Role::Strong, Units::SHARED)],
            Item::Entry(record) => self.entry(record, detail),
            Item::Member { record, index } => self.member(record, index, detail),
            Item::Elsewhere => self.elsewhere(),
            Item::Unit(part) => self.unit(part),
            Item::Outputs => self.outputs(detail),
            Item::Foot => self.foot(),
        };
        if rows.is_empty() {
            return vec![Row::default()];
        }
        rows
    }

    /// Breaks a text into rows, indented by a number of columns. If a part of the text was left out, the last row says
    /// so.
    fn styled(&self, text: &StyledText, indent: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        for line in text.lines() {
            wrap(&line, self.width, indent, &mut rows);
        }
        if let Some((lines, bytes)) = text.left_out() {
            let (lines, bytes) = (count(lines, "line"), count(bytes, "byte"));
            let more = format!(
                "{:indent$}… {lines} and {bytes} more: `tfview show` and `tfview review` print all",
                ""
            );
            rows.push(Row::of(Role::Muted, &more));
        }
        rows
    }

    /// Returns the rows of the head, with an empty one at the end.
    fn head(&self) -> Vec<Row> {
        let report = self.model.report;
        let text = match self.scope {
            Scope::Units if report.total.is_some() => self.writer.head_of_units(report),
            Scope::Units => return vec![Row::of(Role::Strong, &one_line(&report.title))],
            Scope::Part(part) => match self.model.part(part) {
                Some(part) => self.writer.head(part),
                None => return Vec::new(),
            },
        };
        let mut rows = self.styled(&text, 0);
        rows.push(Row::default());
        rows
    }

    /// Returns the rows of the heading of a section.
    fn heading(&self, section: usize) -> Vec<Row> {
        let Scope::Part(part) = self.scope else {
            return Vec::new();
        };
        let part = self.model.part(part);
        let heading = part.and_then(|part| Some(part.sections.get(section)?.heading()));
        let heading = Row::of(Role::Strong, &one_line(heading.unwrap_or_default()));
        vec![Row::default(), heading]
    }

    /// Returns the row about the units that have no other changes.
    fn elsewhere(&self) -> Vec<Row> {
        let units = self.model.report.units.as_ref();
        let sentence = units.and_then(Units::elsewhere_sentence);
        sentence
            .map(|sentence| Row::of(Role::Muted, &format!("  {sentence}")))
            .into_iter()
            .collect()
    }

    /// Returns the rows of a unit in the list of units.
    fn unit(&self, part: usize) -> Vec<Row> {
        let Some(part) = self.model.part(part) else {
            return Vec::new();
        };
        let name = part.name.as_deref().unwrap_or(&part.row.name);
        let sentence = part.headline.lead(one_line);
        self.styled(&self.writer.unit(name, &part.headline, &sentence), 0)
    }

    /// Returns the rows of an entry: one if it is closed, otherwise its title, its lines and the tool's text.
    fn entry(&self, index: usize, detail: Option<Detail>) -> Vec<Row> {
        let Some(record) = self.model.record(index) else {
            return Vec::new();
        };
        let Record { entry, depth, .. } = record;
        let is_whole = self.writer.is_whole(entry, *depth);
        if detail.is_none() && !is_whole {
            return self.styled(&self.writer.folded(entry, *depth), 0);
        }
        let mut rows = self.styled(&self.writer.title(entry, *depth), 0);
        let Some(detail) = detail else { return rows };
        rows.extend(self.styled(&self.writer.about(entry, *depth), 0));
        if !is_whole {
            let (with_findings, rest) = entry.lines_around_results();
            rows.extend(self.lines(record, with_findings));
            rows.extend(self.styled(&self.writer.results(entry, *depth), 0));
            rows.extend(self.lines(record, rest));
        }
        if !record.has_members() {
            // A whole entry has its only line in the title.
            let is_all = is_whole || entry.lines.is_empty();
            self.tool_text(record, 0, detail, is_all, &mut rows);
        }
        rows
    }

    /// Returns the rows of lines of an entry, each with what is copied of it.
    fn lines(&self, record: &Record<'_>, lines: &[Line]) -> Vec<Row> {
        let mut rows = Vec::new();
        for line in lines {
            let written = std::slice::from_ref(line);
            let text = self.writer.lines(record.entry, written, record.depth);
            let value = visible(&one_line(&copied(line)));
            let of_line = self.styled(&text, 0).into_iter();
            rows.extend(of_line.map(|row| Row {
                value: Some(value.clone()),
                ..row
            }));
        }
        rows
    }

    /// Returns the rows of one object of an entry, with the tool's text if it is open.
    fn member(&self, record_index: usize, index: usize, detail: Option<Detail>) -> Vec<Row> {
        let Some(record) = self.model.record(record_index) else {
            return Vec::new();
        };
        let object = record.objects().nth(index);
        let address = object.and_then(|id| self.model.object(id));
        let address = address.map_or("", |object| object.address);
        let unit = object
            .filter(|_| record.is_shared() && self.scope == Scope::Units)
            .and_then(|id| self.model.part(id.part)?.name.as_deref())
            .map_or_else(String::new, |name| format!("{}: ", one_line(name)));
        let text = format!("       = {unit}{}", one_line(address));
        let mut rows = vec![cut(Row::of(Role::Plain, &text), self.width)];
        if let Some(detail) = detail {
            self.tool_text(record, index, detail, true, &mut rows);
        }
        rows
    }

    /// Adds the tool's text of an object, if it was asked for, or if the entry has nothing else to show (`is_all`). An
    /// error is shown in its place.
    fn tool_text(
        &self,
        record: &Record<'_>,
        index: usize,
        detail: Detail,
        is_all: bool,
        rows: &mut Vec<Row>,
    ) {
        let values = match detail {
            Detail::Tool(values) => values,
            Detail::Lines if is_all => ShownValues::Changed,
            Detail::Lines => return,
        };
        let Some(id) = record.objects().nth(index) else {
            return;
        };
        let text = match self.model.details.text(id, values) {
            Ok(text) => text,
            Err(why) => {
                rows.push(Row::of(Role::Muted, &format!("{:TOOL_INDENT$}({why})", "")));
                return;
            }
        };
        let before = rows.len();
        rows.extend(self.styled(&text, TOOL_INDENT));
        for row in rows.iter_mut().skip(before) {
            row.value = Some(row.text().trim().to_owned());
        }
    }

    /// Returns the rows of the outputs: their number and, if open, what changes.
    fn outputs(&self, detail: Option<Detail>) -> Vec<Row> {
        let Scope::Part(part) = self.scope else {
            return Vec::new();
        };
        let Some(outputs) = self.model.part(part).and_then(|part| part.outputs.as_ref()) else {
            return Vec::new();
        };
        let title = format!("Outputs ({})", outputs.number);
        let mut rows = vec![Row::of(Role::Strong, &title)];
        if detail.is_none() {
            return rows;
        }
        rows.extend(self.styled(&self.writer.outputs(&outputs.lines), 0));
        if outputs.lines.is_empty() {
            match self.model.details.outputs(part) {
                Ok(text) => rows.extend(self.styled(&text, TOOL_INDENT)),
                Err(why) => rows.push(Row::of(Role::Muted, &format!("  ({why})"))),
            }
        }
        rows
    }

    /// Returns the rows of the end of a part, with an empty one at the beginning.
    fn foot(&self) -> Vec<Row> {
        let Scope::Part(part) = self.scope else {
            return Vec::new();
        };
        let foot = self.model.part(part).map(|part| self.writer.foot(part));
        let rows = self.styled(&foot.unwrap_or_default(), 0);
        if rows.is_empty() {
            return rows;
        }
        let mut all = vec![Row::default()];
        all.extend(rows);
        all
    }
}

/// Returns the text that is copied for a line: the value after the change if the line has one, otherwise the whole
/// line.
fn copied(line: &Line) -> String {
    let is_new = |tone| matches!(tone, Tone::Added | Tone::AddedWord);
    let new: String = line
        .spans
        .iter()
        .filter(|span| is_new(span.tone))
        .map(|span| &*span.text)
        .collect();
    if new.is_empty() { line.text() } else { new }
}

/// Whether an entry has findings, or destroys something.
pub(super) fn is_notable(entry: &ReportEntry<'_>) -> bool {
    entry.level != Level::None || entry.is_destroyed
}

/// Breaks a line into rows of at most `width` columns, at any character. Each row is indented. Tabs become spaces.
fn wrap(parts: &[(Look, &str)], width: usize, indent: usize, rows: &mut Vec<Row>) {
    let width = width.max(indent + 1);
    let blank = || Row {
        spans: vec![Span {
            look: Look::default(),
            text: " ".repeat(indent),
        }],
        value: None,
    };
    let mut row = blank();
    let mut used = indent;
    for (look, text) in parts {
        let mut kept = String::new();
        for c in text.chars() {
            let c = if c == '\t' { ' ' } else { c };
            let columns = c.width().unwrap_or(0);
            if used + columns > width {
                push(&mut row, *look, std::mem::take(&mut kept));
                rows.push(std::mem::replace(&mut row, blank()));
                used = indent;
            }
            kept.push(c);
            used += columns;
        }
        push(&mut row, *look, kept);
    }
    rows.push(row);
}

/// Adds a span, unless it is empty.
fn push(row: &mut Row, look: Look, text: String) {
    if !text.is_empty() {
        row.spans.push(Span { look, text });
    }
}

/// Shortens each span of a row to `width` columns, with an ellipsis at the end. It is meant for rows of one span.
fn cut(mut row: Row, width: usize) -> Row {
    for span in &mut row.spans {
        if span.text.width() > width {
            let mut text = String::new();
            let mut used = 1;
            for c in span.text.chars() {
                used += c.width().unwrap_or(0);
                if used > width {
                    break;
                }
                text.push(c);
            }
            text.push('…');
            span.text = text;
        }
    }
    row
}
