//! A table of members in aligned columns, with nested members as a tree.
//!
//! ```text
//! ingress         block list    optional
//! ├─ cidr_blocks  list(string)  optional  Networks that get access.
//! └─ from_port    number        required
//! ```

use std::io;

use unicode_width::UnicodeWidthStr;

use super::{cell, code, wrapped};
use crate::schema::catalog::{Member, Usage};
use crate::term::TextPart::{Lit, Spaces, Styled, StyledData};
use crate::term::{Out, Role, visible};
use crate::text::one_line;

/// The width, in columns, that must be free for descriptions to have a column of their own, unless all of them are
/// narrower.
const DESCRIPTION: usize = 36;

/// A row of a table: an attribute, a block, a parameter, a schema or a change.
#[derive(Debug, Default)]
pub struct MemberRow {
    /// The branches of the tree before the name.
    pub(super) branch: String,
    /// The continuation of the branches on further lines.
    pub(super) trunk: String,
    /// The path of the parent and a dot, which is written in Markdown, where the branches are not.
    pub(super) parent: String,
    /// The name, or the path if the rows are not a tree.
    pub(super) name: String,
    /// The role that styles the name.
    pub(super) name_role: Role,
    /// The type in words.
    pub(super) kind: String,
    /// Words such as `required` and `sensitive`, each with a role.
    pub(super) flags: Vec<(Role, String)>,
    /// The description, with the default and a note about deprecation.
    pub(super) description: String,
}

/// Returns the rows of members and of all members in them, as a tree.
pub(super) fn rows(members: &[Member<'_>]) -> Vec<MemberRow> {
    let mut rows = Vec::new();
    push_rows(&mut rows, members, None, "");
    rows
}

/// Appends a row for each member and, below it, the rows of its members. `trunk` is the trunk of the parent; members of
/// the first level have no branches.
fn push_rows(rows: &mut Vec<MemberRow>, members: &[Member<'_>], trunk: Option<&str>, parent: &str) {
    let mut sorted: Vec<&Member<'_>> = members.iter().collect();
    sorted.sort_by_key(|member| member.reading_order());
    let count = sorted.len();
    for (index, member) in sorted.into_iter().enumerate() {
        let (branch, next) = match trunk {
            None => (String::new(), String::new()),
            Some(trunk) if index + 1 == count => (format!("{trunk}└─ "), format!("{trunk}   ")),
            Some(trunk) => (format!("{trunk}├─ "), format!("{trunk}│  ")),
        };
        rows.push(MemberRow {
            branch,
            trunk: next.clone(),
            parent: parent.to_owned(),
            ..row(member)
        });
        push_rows(
            rows,
            &member.members,
            Some(&next),
            &format!("{parent}{}.", member.name),
        );
    }
}

/// Returns the row of a member, without its place in the tree.
pub(super) fn row(member: &Member<'_>) -> MemberRow {
    let deprecated = member
        .about
        .deprecated
        .filter(|message| !message.is_empty());
    let notes = [
        member
            .about
            .description
            .map(|description| description.trim().to_owned()),
        deprecated.map(|message| format!("Deprecated: {message}")),
        member.default.map(|default| format!("Default: {default}")),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    MemberRow {
        name: member.name.to_owned(),
        name_role: if member.usage == Usage::Required {
            Role::Strong
        } else {
            Role::Plain
        },
        kind: member.type_words(),
        flags: flags(member),
        description: notes.join("\n\n"),
        ..MemberRow::default()
    }
}

/// Returns the words about a member, such as `optional` and `write-only`.
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
        (
            member.about.deprecated.is_some(),
            Role::Delete,
            "deprecated",
        ),
    ];
    flags.extend(
        others
            .into_iter()
            .filter(|(set, ..)| *set)
            .map(|(_, role, word)| (role, word.to_owned())),
    );
    flags
}

impl MemberRow {
    /// Returns the row of a table in Markdown. Instead of the tree, it shows the path of the member.
    pub(super) fn markdown(&self) -> String {
        // A bar would end the cell.
        let code = |text: &str| code(text).replace('|', "\\|");
        let (name, kind) = (
            code(&format!("{}{}", self.parent, self.name)),
            code(&self.kind),
        );
        let flags: Vec<&str> = self.flags.iter().map(|(_, word)| word.as_str()).collect();
        format!(
            "| {name} | {kind} | {} | {} |\n",
            flags.join(", "),
            cell(&self.description)
        )
    }

    fn name_width(&self) -> usize {
        width(&self.branch) + width(&self.name)
    }

    /// Returns the width of the flags with commas, in columns.
    fn flags_width(&self) -> usize {
        self.flags
            .iter()
            .map(|(_, word)| word.len() + 2)
            .sum::<usize>()
            .saturating_sub(2)
    }
}

/// Writes rows as a table that is `total` columns wide. Descriptions are in a column to the right if there is enough
/// space, otherwise below the rest of their row.
pub(super) fn write(out: &mut Out<'_>, rows: &[MemberRow], total: usize) -> io::Result<()> {
    let widest = |of: fn(&MemberRow) -> usize| rows.iter().map(of).max().unwrap_or_default();
    let with_gap = |width: usize| if width > 0 { width + 2 } else { 0 };
    // A few long types do not widen the column; they only break the alignment of their rows.
    let kind = with_gap(widest(|row| width(&row.kind)).min((total / 4).max(10)));
    let rest = kind + with_gap(widest(MemberRow::flags_width));
    // Names get the remaining width, without that of descriptions if enough is left.
    let free = total.saturating_sub(rest);
    let description_width = widest(|row| width(&row.description)).min(DESCRIPTION);
    let free = match free.checked_sub(description_width + 2) {
        Some(free) if description_width > 0 && free >= 24 => free,
        Some(_) | None => free,
    };
    let name = widest(MemberRow::name_width).min(free.max(16)) + 2;
    let description = Some(name + rest).filter(|begin| begin + description_width <= total);
    rows.iter()
        .try_for_each(|row| write_row(out, row, [name, name + kind], description, total))
}

/// Writes one row. `kind` and `flags` are the columns where these begin, `description` is that of descriptions if they
/// are to the right of the rest.
fn write_row(
    out: &mut Out<'_>,
    row: &MemberRow,
    [kind, flags]: [usize; 2],
    description: Option<usize>,
    total: usize,
) -> io::Result<()> {
    out.parts(&[
        Styled(Role::Muted, &row.branch),
        StyledData(row.name_role, &one_line(&row.name)),
    ])?;
    let mut column = row.name_width();
    let pad = |out: &mut Out<'_>, column: &mut usize, to: usize| {
        let spaces = to.saturating_sub(*column).max(2);
        *column += spaces;
        out.spaces(spaces)
    };
    if !row.kind.is_empty() {
        pad(out, &mut column, kind)?;
        out.parts(&[StyledData(Role::Read, &one_line(&row.kind))])?;
        column += width(&row.kind);
    }
    for (index, (role, word)) in row.flags.iter().enumerate() {
        if index == 0 {
            pad(out, &mut column, flags)?;
        } else {
            out.lit(", ")?;
        }
        out.role(*role, word)?;
    }
    column += row.flags_width();
    if row.description.is_empty() {
        return out.lit("\n");
    }
    let trunk = width(&row.trunk);
    let begin = description.unwrap_or(trunk + 4);
    out.lit(if description.is_some() { "" } else { "\n" })?;
    for (index, line) in wrapped(&row.description, total.saturating_sub(begin))
        .iter()
        .enumerate()
    {
        if description.is_some() && index == 0 {
            pad(out, &mut column, begin)?;
        } else {
            out.parts(&[
                Styled(Role::Muted, &row.trunk),
                Spaces(begin.saturating_sub(trunk)),
            ])?;
        }
        out.parts(&[StyledData(Role::Muted, line), Lit("\n")])?;
    }
    Ok(())
}

/// Returns the width of a text on one line as it is shown, in columns.
fn width(text: &str) -> usize {
    visible(&one_line(text)).width()
}
