//! Renders objects, blocks, maps, lists and sets: their brackets, and those of their parts that are shown.
//!
//! ```text
//!   ~ tags = {
//!       ~ "Owner" = "web" -> "ci"
//!         # (3 unchanged elements hidden)
//!     }
//! ```

use std::io;

use super::{begin, diff, forces_replacement, null_suffix, open, quoted, warnings, word};
use crate::diff::tree::{BlockGroup, Diff, DiffAction, Entry, Node};
use crate::render::{Context, blank, empty_line, symbol};
use crate::term::TextPart::{Data, Lit, Spaces, Styled};
use crate::term::{Out, Role, Untrusted};
use crate::text;

/// Writes the beginning of the line of a member, and announces its change to the writer.
fn begin_member(out: &mut Out<'_>, name: &str, action: DiffAction, cx: Context) -> io::Result<()> {
    if cx.announces && !cx.hide_symbols && action != DiffAction::NoOp {
        out.begin_change(name);
    }
    begin(out, action, cx)
}

/// Writes the comment that counts unchanged parts, if there are any.
fn hidden(out: &mut Out<'_>, what: &str, count: usize, cx: Context) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    blank(out, cx)?;
    let plural = if count == 1 { "" } else { "s" };
    let text = format!("# ({count} unchanged {what}{plural} hidden)");
    out.parts(&[Styled(Role::Muted, &text), Lit("\n")])
}

/// Whether a member is shown even if it is unchanged, because it identifies the object.
fn is_important(key: &str) -> bool {
    matches!(key, "id" | "name" | "tags")
}

/// Writes a key, padded to `width` characters. Upstream measures `width` in bytes, but pads by characters.
fn key_column(out: &mut Out<'_>, key: &str, width: usize) -> io::Result<()> {
    out.parts(&[
        Data(key),
        Spaces(width.saturating_sub(key.chars().count())),
        Lit(" = "),
    ])
}

/// Writes the members of an object that are shown, with their keys in a column, and counts the others.
fn members(out: &mut Out<'_>, entries: &[Entry<'_>], cx: Context) -> io::Result<()> {
    let width = entries
        .iter()
        .map(|entry| text::key(entry.key).len())
        .max()
        .unwrap_or(0);
    let mut unchanged = 0;
    for Entry { key, diff } in entries {
        if is_shown(key, diff.action, cx) {
            member(out, key, diff, width, cx)?;
        } else {
            unchanged += 1;
        }
    }
    hidden(out, "attribute", unchanged, cx)
}

/// Whether a member is shown rather than counted.
fn is_shown(key: &str, action: DiffAction, cx: Context) -> bool {
    action != DiffAction::NoOp || cx.show_unchanged || is_important(key)
}

/// Writes a member on its own line: its symbol, key and value. A member that identifies the object is shown with its
/// unchanged parts.
fn member(
    out: &mut Out<'_>,
    key: &str,
    value: &Diff<'_>,
    width: usize,
    cx: Context,
) -> io::Result<()> {
    let cx = if is_important(key) {
        cx.with_unchanged()
    } else {
        cx
    };
    warnings(out, value, cx)?;
    let key = text::key(key);
    begin_member(out, &key, value.action, cx)?;
    key_column(out, &key, width)?;
    diff(out, value, cx)?;
    out.lit("\n")
}

/// Writes a named part of an object or block. `width` is that of the column of names.
pub fn entry(out: &mut Out<'_>, entry: &Entry<'_>, width: usize, cx: Context) -> io::Result<()> {
    let key = text::key(entry.key);
    out.begin_change(&key);
    symbol(out, entry.diff.action)?;
    key_column(out, &key, width)?;
    diff(out, &entry.diff, cx)?;
    out.lit("\n")
}

/// Writes an object in braces, with `{}` for an empty one.
pub(super) fn object(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    entries: &[Entry<'_>],
    nested: bool,
    cx: Context,
) -> io::Result<()> {
    if entries.is_empty() {
        return word(out, "{}", diff, cx);
    }
    open(out, "{", diff, cx)?;
    let child = cx.child().with_null_suffix(nested);
    members(out, entries, child)?;
    blank(out, cx)?;
    out.lit("}")?;
    null_suffix(out, diff, cx)
}

/// Writes a block in braces: its attributes, then its nested blocks. Unchanged ones are counted.
pub(super) fn block(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    attributes: &[Entry<'_>],
    groups: &[BlockGroup<'_>],
    cx: Context,
) -> io::Result<()> {
    if attributes.is_empty() && groups.is_empty() {
        out.lit("{}")?;
        return forces_replacement(out, diff, cx);
    }
    open(out, "{", diff, cx)?;
    let announces = cx.indent == 0;
    members(
        out,
        attributes,
        Context {
            announces,
            ..cx.child()
        },
    )?;
    let mut unchanged = 0;
    for group in groups {
        unchanged += block_group(out, group, !attributes.is_empty(), cx)?;
    }
    if unchanged > 0 {
        empty_line(out, cx)?;
        hidden(out, "block", unchanged, cx.child())?;
    }
    blank(out, cx)?;
    out.lit("}")
}

/// Writes the nested blocks of one type. Returns the number of those that are hidden.
fn block_group(
    out: &mut Out<'_>,
    group: &BlockGroup<'_>,
    spaced: bool,
    cx: Context,
) -> io::Result<usize> {
    let announces = cx.indent == 0;
    let child = Context {
        announces,
        ..cx.child().with_replace(group.replace)
    };
    let mut unchanged = 0;
    let mut shown = false;
    for (key, block) in group.iter() {
        if block.action == DiffAction::NoOp && !cx.show_unchanged {
            unchanged += 1;
            continue;
        }
        if spaced && !shown {
            empty_line(out, cx)?;
        }
        shown = true;
        warnings(out, block, child)?;
        let name = text::key(group.name);
        begin_member(out, &name, block.action, child)?;
        out.data(Untrusted(&name))?;
        match key {
            Some(_) if group.hides_key(block) && !cx.show_sensitive => {
                out.lit(" (sensitive key)")?;
            }
            Some(key) => {
                out.lit(" ")?;
                quoted(out, key)?;
            }
            None => {}
        }
        out.lit(" ")?;
        diff(out, block, child)?;
        out.lit("\n")?;
    }
    Ok(unchanged)
}

/// Writes a map in braces, with its keys in a column.
pub(super) fn map(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    entries: &[Entry<'_>],
    nested: bool,
    cx: Context,
) -> io::Result<()> {
    let longest = || {
        entries
            .iter()
            .map(|entry| text::quote(entry.key).len())
            .max()
            .unwrap_or(0)
    };
    let width = if nested { 0 } else { longest() };
    let child = cx
        .child()
        .with_null_suffix(diff.action != DiffAction::Delete && !nested);
    let entries = entries
        .iter()
        .map(|entry| (Some((entry.key, width)), &entry.diff));
    unordered(out, ["{", "}"], diff, entries, nested, cx, child)
}

/// Writes a set in brackets. Its elements have no order, so unchanged ones are only counted.
pub(super) fn set(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    items: &[Diff<'_>],
    nested: bool,
    cx: Context,
) -> io::Result<()> {
    let items = items.iter().map(|item| (None, item));
    unordered(
        out,
        ["[", "]"],
        diff,
        items,
        nested,
        cx,
        cx.child().with_null_suffix(false),
    )
}

/// Writes the changed elements of a map or set between brackets, and counts the unchanged ones. `child` is the context
/// of the elements.
fn unordered<'d>(
    out: &mut Out<'_>,
    [first, last]: [&str; 2],
    diff: &Diff<'_>,
    elements: impl ExactSizeIterator<Item = (Option<(&'d str, usize)>, &'d Diff<'d>)>,
    nested: bool,
    cx: Context,
    child: Context,
) -> io::Result<()> {
    // Nested attributes show `# forces replacement` on their children instead of the bracket.
    let own = Diff {
        replace: diff.replace && !nested,
        ..*diff
    };
    let child = child.with_replace(diff.replace && nested);
    if elements.len() == 0 {
        return word(out, &[first, last].concat(), &own, cx);
    }
    let mut unchanged = 0;
    open(out, first, &own, cx)?;
    for (key, item) in elements {
        if item.action == DiffAction::NoOp && !cx.show_unchanged {
            unchanged += 1;
        } else {
            element(out, key, item, child)?;
        }
    }
    close(out, last, unchanged, diff, cx)
}

/// Writes a list in brackets. The unchanged elements next to a change are shown. The other unchanged ones are counted
/// at their position.
pub(super) fn list(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    items: &[Diff<'_>],
    nested: bool,
    cx: Context,
) -> io::Result<()> {
    if items.is_empty() {
        return word(out, "[]", diff, cx);
    }
    let child = cx.child().with_null_suffix(false);
    // Upstream does not suppress `-> null` in the unchanged elements around a change.
    let context = cx.child().with_unchanged();
    open(out, "[", diff, cx)?;
    // The number of elements that were skipped since the last one that was written, and the last of them.
    let mut skipped: Option<(usize, &Diff<'_>)> = None;
    let mut show_next = false;
    for item in items {
        if item.action == DiffAction::NoOp && !show_next && !cx.show_unchanged {
            skipped = Some((skipped.map_or(1, |(count, _)| count + 1), item));
            continue;
        }
        show_next = false;
        let mut cx = child;
        if !nested {
            if let Some((count, last)) = skipped.take() {
                hidden(out, "element", count - 1, child)?;
                begin(out, DiffAction::NoOp, context)?;
                super::diff(out, last, context)?;
                out.lit(",\n")?;
            }
            if item.action == DiffAction::NoOp {
                cx = context;
            } else {
                show_next = true;
            }
        }
        element(out, None, item, cx)?;
    }
    close(out, "]", skipped.map_or(0, |(count, _)| count), diff, cx)
}

/// Writes an element of a list, set or map on its own line.
fn element(
    out: &mut Out<'_>,
    key: Option<(&str, usize)>,
    item: &Diff<'_>,
    cx: Context,
) -> io::Result<()> {
    warnings(out, item, cx)?;
    begin(out, item.action, cx)?;
    if let Some((key, width)) = key {
        key_column(out, &text::quote(key), width)?;
    }
    diff(out, item, cx)?;
    // In a map, only elements that are objects have a comma.
    let has_comma = key.is_none() || matches!(item.node, Node::Object { .. });
    out.lit(if has_comma { ",\n" } else { "\n" })
}

/// Writes the number of hidden elements and the closing bracket.
fn close(
    out: &mut Out<'_>,
    bracket: &str,
    unchanged: usize,
    diff: &Diff<'_>,
    cx: Context,
) -> io::Result<()> {
    hidden(out, "element", unchanged, cx.child())?;
    blank(out, cx)?;
    out.lit(bracket)?;
    null_suffix(out, diff, cx)
}
