//! Renders Diff trees: one function for each kind of node.

use std::io;

use super::context::{blank, empty_line, indent};
use super::scalar::{arrow, forces_replacement, heredoc, null_suffix, quoted, scalar};
use super::{Context, collection, symbol};
use crate::diff::tree::{BlockGroup, Diff, DiffAction, Entry, Node};
use crate::term::TextPart::{Data, Lit, Spaces, Styled};
use crate::term::{Out, Role, Untrusted};
use crate::text;

/// Writes a value. The parent has already written the start of its line.
pub fn diff(out: &mut Out<'_>, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    match diff.node {
        Node::Scalar { before, after, is_string } => scalar(out, diff, before, after, cx, is_string),
        Node::Heredoc { lines } => heredoc(out, diff, lines, cx),
        Node::Json { inner, whitespace_only } => json(out, diff, inner, whitespace_only, cx),
        Node::Unknown { before } => unknown(out, diff, before, cx),
        Node::Sensitive { inner, .. } if cx.show_sensitive => self::diff(out, inner, cx),
        Node::Sensitive { is_block: true, .. } => sensitive_block(out, diff, cx),
        Node::Sensitive { lacks_schema, .. } => word(out, text::hidden_value(lacks_schema), diff, cx),
        Node::WriteOnly { sensitive: false } => word(out, "(write-only attribute)", diff, cx),
        Node::WriteOnly { sensitive: true } => word(out, "(sensitive, write-only attribute)", diff, cx),
        Node::TypeChange { before, after } => {
            let cx = cx.with_null_suffix(false);
            self::diff(out, before, cx)?;
            arrow(out)?;
            self::diff(out, after, cx)
        }
        Node::Object { members, nested } => object(out, diff, members, nested, cx),
        Node::Map { entries, nested } => collection::map(out, diff, entries, nested, cx),
        Node::List { items, nested } => collection::list(out, diff, items, nested, cx),
        Node::Set { items, nested } => collection::set(out, diff, items, nested, cx),
        Node::Block { attributes, groups } => block(out, diff, attributes, groups, cx),
    }
}

/// Begins a line with the indentation and the symbol for `action`.
pub(super) fn begin(out: &mut Out<'_>, action: DiffAction, cx: Context) -> io::Result<()> {
    indent(out, cx)?;
    if cx.hide_symbols { Ok(()) } else { symbol(out, action) }
}

/// Announces the change of a member of a resource instance, and begins its line.
fn begin_member(out: &mut Out<'_>, name: &str, action: DiffAction, cx: Context) -> io::Result<()> {
    if cx.announces && !cx.hide_symbols && action != DiffAction::NoOp {
        out.begin_change(name);
    }
    begin(out, action, cx)
}

/// Writes an opening bracket and the line break after it.
pub(super) fn open(out: &mut Out<'_>, bracket: &str, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    out.lit(bracket)?;
    forces_replacement(out, diff, cx)?;
    out.lit("\n")
}

pub(super) fn word(out: &mut Out<'_>, word: &str, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    out.lit(word)?;
    null_suffix(out, diff, cx)?;
    forces_replacement(out, diff, cx)
}

fn unknown(out: &mut Out<'_>, diff: &Diff<'_>, before: Option<&Diff<'_>>, cx: Context) -> io::Result<()> {
    if let Some(before) = before {
        let hide_replacement = cx.hide_replacement || !cx.repeat_replacement;
        self::diff(out, before, Context { hide_replacement, ..cx.with_null_suffix(false) })?;
        out.lit(" -> ")?;
    }
    out.lit("(known after apply)")?;
    forces_replacement(out, diff, cx)
}

/// Whether a value in JSON fits on one line.
fn is_one_line(diff: &Diff<'_>) -> bool {
    match diff.node {
        Node::Scalar { .. } => true,
        Node::Object { members, .. } | Node::Map { entries: members, .. } => members.is_empty(),
        Node::List { items, .. } | Node::Set { items, .. } => items.is_empty(),
        Node::TypeChange { before, after } => is_one_line(before) && is_one_line(after),
        Node::Json { inner, .. } => is_one_line(inner),
        Node::Sensitive { is_block, .. } => !is_block,
        Node::Unknown { before } => before.is_none(),
        Node::WriteOnly { .. } => true,
        Node::Heredoc { .. } | Node::Block { .. } => false,
    }
}

fn json(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    inner: &Diff<'_>,
    whitespace_only: bool,
    cx: Context,
) -> io::Result<()> {
    let one_line = is_one_line(inner);
    let body = Context {
        show_unchanged: cx.show_unchanged || whitespace_only,
        ..cx.with_null_suffix(false).child()
    };
    let whitespace = match (whitespace_only, diff.replace) {
        (false, _) => "",
        (true, false) => " # whitespace changes",
        (true, true) => " # whitespace changes force replacement",
    };
    out.lit("jsonencode(")?;
    if one_line {
        self::diff(out, inner, body)?;
        out.parts(&[Lit(")"), Lit(whitespace)])?;
        return if whitespace_only { Ok(()) } else { forces_replacement(out, diff, cx) };
    }
    out.parts(&[Lit(whitespace), Lit("\n")])?;
    let shown = if diff.action == DiffAction::Update { inner.action } else { DiffAction::NoOp };
    begin(out, shown, body)?;
    self::diff(out, inner, body)?;
    if !whitespace_only {
        forces_replacement(out, diff, cx)?;
    }
    out.lit("\n")?;
    blank(out, cx)?;
    out.lit(")")?;
    null_suffix(out, diff, cx)
}

fn sensitive_block(out: &mut Out<'_>, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    open(out, "{", diff, cx)?;
    for line in [
        "# At least one attribute in this block is (or was) sensitive,",
        "# so its contents will not be displayed.",
    ] {
        blank(out, cx)?;
        out.parts(&[Lit("  "), Lit(line), Lit("\n")])?;
    }
    blank(out, cx)?;
    out.lit("}")
}

/// Writes the warning about a changed sensitive mark, above the line of the value.
pub(super) fn warnings(out: &mut Out<'_>, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    let Node::Sensitive { inner, before, after, is_block, .. } = diff.node else { return Ok(()) };
    let what = if is_block { "block" } else { "attribute value" };
    if before == after || matches!(diff.action, DiffAction::Create | DiffAction::Delete) {
        return Ok(());
    }
    let [one, two] = if before {
        [" will no longer be marked as sensitive\n", "  # after applying this change."]
    } else {
        let shown = "  # display in UI output after applying this change.";
        [" will be marked as sensitive and will not\n", shown]
    };
    let is_unchanged = inner.action == DiffAction::NoOp && !is_block;
    indent(out, cx)?;
    out.parts(&[Lit("  # "), Styled(Role::Update, "Warning"), Lit(": this "), Lit(what), Lit(one)])?;
    indent(out, cx)?;
    out.parts(&[Lit(two), Lit(if is_unchanged { " The value is unchanged.\n" } else { "\n" })])
}

/// Writes the number of unchanged elements, attributes or blocks that are not shown.
pub(super) fn hidden(out: &mut Out<'_>, what: &str, count: usize, cx: Context) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    blank(out, cx)?;
    let plural = if count == 1 { "" } else { "s" };
    let text = format!("# ({count} unchanged {what}{plural} hidden)");
    out.parts(&[Styled(Role::Muted, &text), Lit("\n")])
}

/// Whether an attribute is shown even if it does not change.
fn is_important(key: &str) -> bool {
    matches!(key, "id" | "name" | "tags")
}

/// Writes `KEY = ` with the key padded to `width`. Upstream measures `width` in bytes but pads by characters.
pub(super) fn key_column(out: &mut Out<'_>, key: &str, width: usize) -> io::Result<()> {
    out.parts(&[Data(key), Spaces(width.saturating_sub(key.chars().count())), Lit(" = ")])
}

/// Writes attributes, one per line, and the number of hidden ones.
fn members(out: &mut Out<'_>, entries: &[Entry<'_>], cx: Context) -> io::Result<()> {
    let width = entries.iter().map(|entry| text::key(entry.key).len()).max().unwrap_or(0);
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

fn is_shown(key: &str, action: DiffAction, cx: Context) -> bool {
    action != DiffAction::NoOp || cx.show_unchanged || is_important(key)
}

/// Writes a member that is shown.
fn member(out: &mut Out<'_>, key: &str, value: &Diff<'_>, width: usize, cx: Context) -> io::Result<()> {
    let cx = if is_important(key) { cx.with_unchanged() } else { cx };
    warnings(out, value, cx)?;
    let key = text::key(key);
    begin_member(out, &key, value.action, cx)?;
    key_column(out, &key, width)?;
    diff(out, value, cx)?;
    out.lit("\n")
}

/// Writes a changed output of a plan: an entry without enclosing brackets.
pub fn entry(out: &mut Out<'_>, entry: &Entry<'_>, width: usize, cx: Context) -> io::Result<()> {
    let key = text::key(entry.key);
    out.begin_change(&key);
    symbol(out, entry.diff.action)?;
    key_column(out, &key, width)?;
    diff(out, &entry.diff, cx)?;
    out.lit("\n")
}

fn object(
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

fn block(
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
    members(out, attributes, Context { announces, ..cx.child() })?;
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

/// Writes the blocks of one type. Returns the number of hidden ones.
fn block_group(out: &mut Out<'_>, group: &BlockGroup<'_>, spaced: bool, cx: Context) -> io::Result<usize> {
    let announces = cx.indent == 0;
    let child = Context { announces, ..cx.child().with_replace(group.replace) };
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
            Some(_) if group.hides_key(block) && !cx.show_sensitive => out.lit(" (sensitive key)")?,
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
