//! Joins the entries of objects of one resource that differ in few lines to a table: the equal lines first, then a row
//! for each difference.
//!
//! ```text
//! ~ 7 × aws_cloudwatch_log_group.service
//!     ≠ audit  retention_in_days 365 -> 90
//!     api, cart, catalog  retention_in_days 30 -> 90
//! ```

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use unicode_width::UnicodeWidthStr;

use super::compose::{without_index, without_keys};
use super::composed::Composed;
use super::{MAX_ROW_KEYS, PartBuilder};
use crate::report::{Level, Line, Mark, Sign, Span, Tone};
use crate::review::entry::{SubjectItem, reason_codes};
use crate::review::text::{fitting_subject, more};
use crate::review::{keys, one_line};
use crate::text::{first_of, product};

/// The maximum number of rows of a table; the objects of further ones are counted.
const MAX_ROWS: usize = 8;
/// The number of rows from which on a table has no rows, if all that they say is what each object is.
const MIN_LISTED: usize = 4;
/// The maximum number of lines of an object that differ from those of the others.
const MAX_DIFFERING: usize = 3;
/// The maximum length of the keys of a row, in columns.
const MAX_ROW_KEYS_LEN: usize = 72;
/// The maximum width of a row, in columns.
const MAX_ROW_WIDTH: usize = 100;
/// The columns before the text of a row.
const ROW_INDENT: usize = 9;

/// A row of a table: the keys of its objects, and what distinguishes them.
struct TableRow {
    /// The instance keys of the objects.
    keys: Vec<String>,
    /// The number of objects.
    number: usize,
    /// The lines that only these objects have.
    lines: Vec<Line>,
    /// The description of these objects, as far as it differs from that of the others.
    subject: Vec<SubjectItem>,
    /// The findings about these objects.
    mark: Mark,
}

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    /// Joins the entries of objects of one resource that differ in few lines to tables: the equal lines first, then a
    /// row for each difference, the outliers and the gravest first.
    pub(super) fn tables(&self, all: Vec<Composed<'r, 'a>>) -> Vec<Composed<'r, 'a>> {
        let mut places: HashMap<(String, &str, String), Vec<usize>> = HashMap::new();
        for (index, one) in all.iter().enumerate() {
            let is_own = one.shared_with_next.is_none()
                && one.title.is_none()
                && one.group.entry.deposed.is_empty();
            let mut reasons = one.group.entry.reasons.iter();
            let is_shifted = reasons.any(|reason| reason.code == reason_codes::SHIFTED);
            let is_critical =
                one.gravest() == Level::Critical && one.lines.len() > 1 && !is_shifted;
            if is_own && !is_critical {
                let key = (
                    without_index(one.group.entry),
                    one.group.symbol(),
                    without_keys(&one.remark, one.group.entry.address),
                );
                places.entry(key).or_default().push(index);
            }
        }
        let mut slots: Vec<Option<Composed<'r, 'a>>> = all.into_iter().map(Some).collect();
        let mut tables: Vec<Vec<usize>> = places
            .into_values()
            .filter(|index| index.len() > 1)
            .collect();
        tables.sort_unstable();
        for members in tables {
            let ones: Vec<&Composed<'r, 'a>> = members
                .iter()
                .filter_map(|index| slots[*index].as_ref())
                .collect();
            let (ones, members): (Vec<_>, Vec<usize>) = ones
                .into_iter()
                .zip(members)
                .filter(|(one, _)| one.lines.iter().all(is_flat))
                .unzip();
            let Some((common, rows)) = table(&ones).filter(|_| ones.len() > 1) else {
                continue;
            };
            let mut taken = members
                .into_iter()
                .filter_map(|index| Some((index, slots[index].take()?)));
            let Some((first, mut joined)) = taken.next() else {
                continue;
            };
            for (_, one) in taken {
                joined.rank = joined.rank.min(one.rank);
                joined.group.join(one.group);
            }
            joined.lines = common;
            joined.subject = Vec::new();
            joined.mark = Mark::default();
            // A row that only says what an object is helps little if there are many of them.
            let says_little =
                |row: &TableRow| row.number == 1 && row.lines.is_empty() && row.mark.is_empty();
            let is_list = rows.len() >= MIN_LISTED && rows.iter().all(says_little);
            if !is_list {
                joined.title = Some(one_line(&without_index(joined.group.entry)));
                joined.lines.extend(self.rows(rows));
            }
            hide_key_of_remark(&mut joined);
            slots[first] = Some(joined);
        }
        slots.into_iter().flatten().collect()
    }

    /// Returns the lines of a table: rows with findings first, and that of the majority last.
    fn rows(&self, mut rows: Vec<TableRow>) -> Vec<Line> {
        let total: usize = rows.iter().map(|row| row.number).sum();
        let majority = rows
            .iter()
            .position(|row| 2 * row.number > total && total > 2);
        rows.iter_mut().for_each(|row| row.keys.sort_unstable());
        let usual = majority.map(|index| rows[index].keys.clone());
        // Where each row names a part of its own object, most may still say the same but for that name.
        let usual_shape = match majority {
            Some(_) => None,
            None => usual_shape(&rows),
        };
        let is_usual = |row: &TableRow| match &usual_shape {
            Some(shape) => shape_of(row) == *shape,
            None => usual.as_ref() == Some(&row.keys),
        };
        let unique = unique_parts(&rows);
        let of_row = |row: &TableRow| match &*row.keys {
            [only] => unique.get(only).copied().unwrap_or_default(),
            _ => 0,
        };
        rows.sort_by_key(|row| (Reverse(row.mark.level), is_usual(row), Reverse(of_row(row))));
        let limit = self.options.limit(MAX_ROWS);
        let left_out: usize = rows.iter().skip(limit).map(|row| row.number).sum();
        let mut lines = Vec::new();
        for row in rows.iter().take(limit) {
            let is_outlier = (usual.is_some() || usual_shape.is_some()) && !is_usual(row);
            self.row(row, is_outlier, &mut lines);
        }
        lines.extend(more(0, left_out, "more object"));
        lines
    }

    /// Adds the lines of a row: the keys and what distinguishes their objects, on one line if it fits; otherwise each
    /// difference has a line of its own.
    fn row(&self, row: &TableRow, is_outlier: bool, lines: &mut Vec<Line>) {
        let name = self.keys_of_row(&row.keys);
        let subject = self.subject_of_row(row, &name);
        let mut mark = row.mark.clone();
        row.lines.iter().for_each(|line| mark.add(line.mark()));
        let mut first = Vec::new();
        if is_outlier {
            first.push(Span::new("≠ ", Tone::Alert));
        }
        if !is_said(row, &name) {
            first.push(Span::new(format!("{name}  "), Tone::Plain));
        }
        if !subject.is_empty() {
            first.push(Span::new(subject.clone(), Tone::Plain));
        }
        let mut whole = first.clone();
        for (index, line) in row.lines.iter().enumerate() {
            if index > 0 || !subject.is_empty() {
                whole.push(Span::new(", ", Tone::Plain));
            }
            whole.extend(cell(line));
        }
        if row.subject.is_empty() && row.lines.is_empty() {
            let rest = Span::new("nothing else", Tone::Muted);
            if self.fits(&whole, &mark, rest.text.width()) {
                whole.push(rest);
            }
        }
        if row.lines.len() < 2 || self.fits(&whole, &mark, 0) {
            lines.push(Line::of(0, Sign::Same, whole).marked(&mark));
            return;
        }
        let [next, others @ ..] = &*row.lines else {
            return;
        };
        if !subject.is_empty() {
            first.push(Span::new(", ", Tone::Plain));
        }
        first.extend(cell(next));
        let mut mark = row.mark.clone();
        mark.add(next.mark());
        lines.push(Line::of(0, Sign::Same, first).marked(&mark));
        for other in others {
            let mut line = other.clone();
            line.depth = 1;
            lines.push(line);
        }
    }

    /// Whether a row fits on a line, with its findings and `more` columns at its end.
    fn fits(&self, spans: &[Span], mark: &Mark, more: usize) -> bool {
        let kinds = mark.words().width();
        let gap = if kinds > 0 { 2 } else { 0 };
        let text_width: usize = spans.iter().map(|span| span.text.width()).sum();
        let width = self.options.width.min(MAX_ROW_WIDTH);
        ROW_INDENT + text_width + more + gap + kinds <= width
    }
}

/// Returns a difference as part of a row.
fn cell(line: &Line) -> Vec<Span> {
    let sign = match line.sign {
        Sign::Add => Some("+ "),
        Sign::Remove => Some("- "),
        Sign::Change | Sign::Same | Sign::Note => None,
    };
    let sign = sign.map(|sign| Span::new(sign, Tone::Plain));
    sign.into_iter().chain(line.spans.iter().cloned()).collect()
}

/// Whether the first line of a row contains all words of its key: `roles/owner user:a` in `roles/owner for user:a`.
fn is_said(row: &TableRow, name: &str) -> bool {
    let ([_], [line, ..]) = (&*row.keys, &*row.lines) else {
        return false;
    };
    let text = line.text();
    let words: HashSet<&str> = text
        .split(|c: char| c == ',' || c.is_whitespace())
        .collect();
    name.contains(' ') && name.split_whitespace().all(|word| words.contains(word))
}

impl PartBuilder<'_, '_, '_> {
    /// Returns the keys of a row: all of them as a product of their parts if that fits, otherwise as many as fit on a
    /// line, and the number of the others.
    fn keys_of_row(&self, keys: &[String]) -> String {
        let names: Vec<&str> = keys.iter().map(String::as_str).collect();
        if let Some(text) = product(&names)
            && text.width() <= MAX_ROW_KEYS_LEN
        {
            return text;
        }
        let mut used = 0;
        let number = keys
            .iter()
            .take(self.options.limit(MAX_ROW_KEYS))
            .take_while(|key| {
                used += key.width() + 2;
                used <= self.options.limit(MAX_ROW_KEYS_LEN)
            });
        first_of(keys, number.count().max(1))
    }

    /// Returns the description of the objects of a row, as far as it fits.
    fn subject_of_row(&self, row: &TableRow, name: &str) -> String {
        if self.options.unchanged {
            return fitting_subject(&row.subject, usize::MAX);
        }
        let lines = row.lines.iter().map(|line| {
            let kinds = line.mark().words().width();
            line.text().width() + 4 + if kinds > 0 { kinds + 2 } else { 0 }
        });
        let used = ROW_INDENT + name.width() + lines.sum::<usize>() + row.mark.words().width() + 2;
        let width = self.options.width.min(MAX_ROW_WIDTH);
        fitting_subject(&row.subject, width.saturating_sub(used))
    }
}

/// Returns for each key such as `prod/api` the number of its parts that no other key has at this position. Empty unless
/// all keys have several parts.
fn unique_parts(rows: &[TableRow]) -> HashMap<String, usize> {
    let all = || rows.iter().flat_map(|row| &row.keys);
    let mut numbers: HashMap<(usize, &str), usize> = HashMap::new();
    for key in all() {
        for part in key.split('/').enumerate() {
            *numbers.entry(part).or_default() += 1;
        }
    }
    let unique = |key: &String| {
        let parts = key.split('/').enumerate();
        parts.filter(|part| numbers.get(part) == Some(&1)).count()
    };
    let is_composed = all().all(|key| key.contains('/'));
    all()
        .filter(|_| is_composed)
        .map(|key| (key.clone(), unique(key)))
        .collect()
}

/// Returns what a row says, with a placeholder for each name of an element in it (`["web"]`).
fn shape_of(row: &TableRow) -> String {
    let mut shape = String::new();
    for text in row.lines.iter().map(Line::text) {
        let mut rest = &*text;
        while let Some((before, quoted)) = rest.split_once("[\"") {
            shape.push_str(before);
            shape.push_str("[*");
            rest = quoted.split_once("\"]").map_or("", |(_, after)| after);
        }
        shape.push_str(rest);
        shape.push('\n');
    }
    shape
}

/// Returns the shape that more than half of the objects of several rows have; `None` if there is none, or if all have
/// it.
fn usual_shape(rows: &[TableRow]) -> Option<String> {
    let total: usize = rows.iter().map(|row| row.number).sum();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for row in rows {
        *numbers.entry(shape_of(row)).or_default() += row.number;
    }
    let (shape, number) = numbers.into_iter().max_by_key(|(_, number)| *number)?;
    (total > 2 && 2 * number > total && number < total && !shape.is_empty()).then_some(shape)
}

/// Whether no two rows say the same. Objects that differ only in something that is not shown are separate entries.
fn say_what_differs(rows: &[TableRow]) -> bool {
    let mut known_rows = HashSet::new();
    rows.iter().all(|row| {
        let subject: Vec<String> = row.subject.iter().map(SubjectItem::text).collect();
        let lines: Vec<String> = row.lines.iter().map(Line::text).collect();
        known_rows.insert((subject, lines))
    })
}

/// Whether a line is not below another one, so that it can be in a row of a table.
fn is_flat(line: &Line) -> bool {
    line.depth == 0
}

/// Returns the lines that are equal for all objects, and the rows. `None` if the objects differ in too much, or in
/// something that is not shown.
fn table(ones: &[&Composed<'_, '_>]) -> Option<(Vec<Line>, Vec<TableRow>)> {
    let [first, ..] = ones else { return None };
    let hidden = |line: &Line, one: &Composed<'_, '_>| {
        (
            line.depth,
            line.sign,
            without_keys(&line.text(), one.group.entry.address),
            line.mark().clone(),
        )
    };
    let texts: Vec<Vec<_>> = ones
        .iter()
        .map(|one| one.lines.iter().map(|line| hidden(line, one)).collect())
        .collect();
    let mut numbers: HashMap<&(usize, Sign, String, Mark), (usize, usize)> = HashMap::new();
    for (member, member_texts) in texts.iter().enumerate() {
        for text in member_texts {
            let (last, number) = numbers.entry(text).or_insert((usize::MAX, 0));
            if *last != member {
                (*last, *number) = (member, *number + 1);
            }
        }
    }
    let is_common = |text: &(usize, Sign, String, Mark)| {
        numbers
            .get(text)
            .is_some_and(|(_, number)| *number == texts.len())
    };
    let common: Vec<Line> = first
        .lines
        .iter()
        .zip(&texts[0])
        .filter(|(_, text)| is_common(text))
        .map(|(line, _)| line.clone())
        .collect();
    let mut rows: Vec<TableRow> = Vec::new();
    for (one, texts) in ones.iter().zip(&texts) {
        let with_texts = one.lines.iter().zip(texts);
        let lines: Vec<Line> = with_texts
            .filter(|(_, text)| !is_common(text))
            .map(|(line, _)| line.clone())
            .collect();
        // A note is about the other lines of its object, so it cannot be in a row.
        let is_note = |line: &Line| line.sign == Sign::Note;
        if lines.len() > MAX_DIFFERING || lines.iter().any(is_note) {
            return None;
        }
        let keys = one.group.entries.iter().map(|entry| {
            let keys = keys::of_address(entry.address);
            one_line(&keys.join("/"))
        });
        rows.push(TableRow {
            keys: keys.collect(),
            number: one.group.places.len(),
            lines,
            subject: one.subject.clone(),
            mark: one.mark.clone(),
        });
    }
    // A row is named by the keys of its objects.
    let has_keys = rows
        .iter()
        .flat_map(|row| &row.keys)
        .all(|key| !key.is_empty());
    (has_keys && say_what_differs(&rows)).then_some((common, rows))
}

/// Replaces the keys of the address in the remark of a table by `*`.
fn hide_key_of_remark(one: &mut Composed<'_, '_>) {
    let address = one.group.entry.address;
    one.remark = without_keys(&one.remark, address).replace('\0', "*");
}
