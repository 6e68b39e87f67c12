//! A table of members: name, type, usage and description in aligned columns, with nested members as a tree.

use std::io;

use super::markdown::{cell, code_cell};
use super::text::{clipped, one_line, width, wrapped};
use crate::schema::catalog::{Member, Usage};
use crate::term::TextPart::{Lit, Spaces, Styled, StyledData};
use crate::term::{Out, Role};

/// The minimum width of a separate column for descriptions.
const DESCRIPTION: usize = 36;

/// The columns of the table in Markdown.
pub(super) const MARKDOWN: [&str; 4] = ["Name", "Type", "Usage", "Description"];

/// One line of the table, with its description.
#[derive(Default)]
pub(super) struct Row {
    /// The branches of the tree before the name, and their continuation on further lines.
    pub(super) branch: String,
    pub(super) trunk: String,
    pub(super) name: String,
    pub(super) name_role: Role,
    pub(super) kind: String,
    pub(super) flags: Vec<(Role, String)>,
    pub(super) description: String,
}

/// The rows of members and their nested members.
pub(super) fn rows(members: &[Member<'_>]) -> Vec<Row> {
    let mut rows = Vec::new();
    push_rows(&mut rows, members, None);
    rows
}

/// Adds the rows of members below a parent with this trunk; `None` at the top level.
fn push_rows(rows: &mut Vec<Row>, members: &[Member<'_>], trunk: Option<&str>) {
    let mut sorted: Vec<&Member<'_>> = members.iter().collect();
    crate::sort::by_key(&mut sorted, |member| member.reading_order());
    let count = sorted.len();
    for (at, member) in sorted.into_iter().enumerate() {
        let (branch, next) = match trunk {
            None => (String::new(), String::new()),
            Some(trunk) if at + 1 == count => (format!("{trunk}└─ "), format!("{trunk}   ")),
            Some(trunk) => (format!("{trunk}├─ "), format!("{trunk}│  ")),
        };
        rows.push(Row { branch, trunk: next.clone(), ..row(member) });
        push_rows(rows, &member.members, Some(&next));
    }
}

pub(super) fn row(member: &Member<'_>) -> Row {
    let deprecated = member.about.deprecated.filter(|message| !message.is_empty());
    let notes = [
        member.about.description.map(|description| description.trim().to_owned()),
        deprecated.map(|message| format!("Deprecated: {message}")),
        member.default.map(|default| format!("Default: {default}")),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    Row {
        name: member.name.to_owned(),
        name_role: if member.usage == Usage::Required { Role::Strong } else { Role::Plain },
        kind: member.type_words(),
        flags: flags(member),
        description: notes.join("\n\n"),
        ..Row::default()
    }
}

impl Row {
    /// The row of a Markdown table with the columns [`MARKDOWN`].
    pub(super) fn markdown(&self, name: &str) -> String {
        let flags: Vec<&str> = self.flags.iter().map(|(_, word)| word.as_str()).collect();
        let (name, kind) = (code_cell(name), code_cell(&self.kind));
        format!("| {name} | {kind} | {} | {} |\n", flags.join(", "), cell(&self.description))
    }
}

/// The usage and flags in words, with their roles.
pub(super) fn flags(member: &Member<'_>) -> Vec<(Role, String)> {
    let mut flags = Vec::new();
    if !member.usage.words().is_empty() {
        let role = match member.usage {
            Usage::Required => Role::Strong,
            Usage::Optional | Usage::OptionalComputed | Usage::Unstated => Role::Plain,
            Usage::Computed => Role::Muted,
        };
        let import = if member.for_import { " for import" } else { "" };
        flags.push((role, format!("{}{import}", member.usage.words())));
    }
    let others = [
        (member.sensitive, Role::Update, "sensitive"),
        (member.write_only, Role::Update, "write-only"),
        (member.about.deprecated.is_some(), Role::Delete, "deprecated"),
    ];
    flags.extend(others.into_iter().filter(|(set, ..)| *set).map(|(_, role, word)| (role, word.to_owned())));
    flags
}

fn flags_width(flags: &[(Role, String)]) -> usize {
    flags.iter().map(|(_, word)| word.len() + 2).sum::<usize>().saturating_sub(2)
}

/// Where the columns begin.
struct Columns {
    kind: usize,
    flags: usize,
    /// If the description has its own column.
    description: Option<usize>,
}

impl Columns {
    fn new(rows: &[Row], total: usize) -> Self {
        let widest = |of: &dyn Fn(&Row) -> usize| rows.iter().map(of).max().unwrap_or_default();
        // Outliers do not widen the column; they only break the alignment of their own line.
        let kind = widest(&|row| width(&row.kind)).min((total / 4).max(10));
        let flags = widest(&|row| flags_width(&row.flags));
        // Names get the remaining width, minus the room for descriptions if there is enough.
        let free = total.saturating_sub(kind + flags + 4);
        let described = rows.iter().any(|row| !row.description.is_empty());
        let free = match free.checked_sub(DESCRIPTION + 2) {
            Some(beside) if described && beside >= 24 => beside,
            Some(_) | None => free,
        };
        let name = widest(&|row| width(&row.branch) + width(&row.name)).min(free.max(16));
        let used = name + kind + flags + 6;
        let description = (used + DESCRIPTION <= total).then_some(used);
        Self { kind: name + 2, flags: name + kind + 4, description }
    }
}

/// Writes the rows in at most `total` columns.
pub(super) fn write(out: &mut Out<'_>, rows: &[Row], total: usize) -> io::Result<()> {
    let columns = Columns::new(rows, total);
    rows.iter().try_for_each(|row| write_row(out, row, &columns, total))
}

fn write_row(out: &mut Out<'_>, row: &Row, columns: &Columns, total: usize) -> io::Result<()> {
    out.parts(&[Styled(Role::Muted, &row.branch), StyledData(row.name_role, &one_line(&row.name))])?;
    let mut at = width(&row.branch) + width(&row.name);
    let pad = |out: &mut Out<'_>, at: &mut usize, to: usize| {
        let spaces = to.saturating_sub(*at).max(2);
        *at += spaces;
        out.spaces(spaces)
    };
    if !row.kind.is_empty() {
        pad(out, &mut at, columns.kind)?;
        let kind = clipped(&row.kind, total.max(40));
        out.parts(&[StyledData(Role::Read, &kind)])?;
        at += width(&kind);
    }
    for (index, (role, word)) in row.flags.iter().enumerate() {
        if index == 0 {
            pad(out, &mut at, columns.flags)?;
        } else {
            out.lit(", ")?;
            at += 2;
        }
        out.role(*role, word)?;
        at += word.len();
    }
    if row.description.is_empty() {
        return out.lit("\n");
    }
    let (is_beside, trunk) = (columns.description.is_some(), width(&row.trunk));
    let begin = columns.description.unwrap_or(trunk + 4);
    out.lit(if is_beside { "" } else { "\n" })?;
    for (index, line) in wrapped(&row.description, total.saturating_sub(begin)).iter().enumerate() {
        if is_beside && index == 0 {
            pad(out, &mut at, begin)?;
        } else {
            out.parts(&[Styled(Role::Muted, &row.trunk), Spaces(begin.saturating_sub(trunk))])?;
        }
        out.parts(&[StyledData(Role::Muted, line), Lit("\n")])?;
    }
    Ok(())
}
