//! Renders maps, lists and sets: their brackets, and which of their elements are shown.

use std::io;

use super::Context;
use super::context::blank;
use super::node::{self, begin, hidden, key_column, open, warnings, word};
use super::scalar::null_suffix;
use crate::diff::tree::{Diff, DiffAction, Entry, Node};
use crate::term::Out;
use crate::text;

/// The diff whose `replace` applies to the opening bracket, and the flag for the children: nested
/// attributes show `# forces replacement` on their children instead of the bracket.
fn replacement<'d>(diff: &Diff<'d>, nested: bool) -> (Diff<'d>, bool) {
    (Diff { replace: diff.replace && !nested, ..*diff }, diff.replace && nested)
}

/// Writes the number of unchanged elements that are not shown, and the closing bracket.
fn close(out: &mut Out<'_>, bracket: &str, unchanged: usize, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    hidden(out, "element", unchanged, cx.child())?;
    blank(out, cx)?;
    out.lit(bracket)?;
    null_suffix(out, diff, cx)
}

pub(super) fn map(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    entries: &[Entry<'_>],
    nested: bool,
    cx: Context,
) -> io::Result<()> {
    let (own, replace_children) = replacement(diff, nested);
    if entries.is_empty() {
        return word(out, "{}", &own, cx);
    }
    let longest = || entries.iter().map(|entry| text::quote(entry.key).len()).max().unwrap_or(0);
    let width = if nested { 0 } else { longest() };
    let child = cx
        .child()
        .with_null_suffix(diff.action != DiffAction::Delete && !nested)
        .with_replace(replace_children);
    let mut unchanged = 0;
    open(out, "{", &own, cx)?;
    for Entry { key, diff } in entries {
        if diff.action == DiffAction::NoOp && !cx.show_unchanged {
            unchanged += 1;
            continue;
        }
        warnings(out, diff, child)?;
        begin(out, diff.action, child)?;
        key_column(out, &text::quote(key), width)?;
        node::diff(out, diff, child)?;
        let is_object = matches!(diff.node, Node::Object { .. });
        out.lit(if is_object { ",\n" } else { "\n" })?;
    }
    close(out, "}", unchanged, diff, cx)
}

/// Writes an element of a list or set on its own line.
fn element(out: &mut Out<'_>, item: &Diff<'_>, cx: Context) -> io::Result<()> {
    warnings(out, item, cx)?;
    begin(out, item.action, cx)?;
    node::diff(out, item, cx)?;
    out.lit(",\n")
}

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
    // For the unchanged elements around a change, upstream does not suppress `-> null`.
    let context = cx.child().with_unchanged();
    open(out, "[", diff, cx)?;
    // The number of elements skipped so far, and the last one.
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
                node::diff(out, last, context)?;
                out.lit(",\n")?;
            }
            if item.action == DiffAction::NoOp {
                cx = context;
            } else {
                show_next = true;
            }
        }
        element(out, item, cx)?;
    }
    close(out, "]", skipped.map_or(0, |(count, _)| count), diff, cx)
}

pub(super) fn set(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    items: &[Diff<'_>],
    nested: bool,
    cx: Context,
) -> io::Result<()> {
    let (own, replace_children) = replacement(diff, nested);
    if items.is_empty() {
        return word(out, "[]", &own, cx);
    }
    let child = cx.child().with_null_suffix(false).with_replace(replace_children);
    let mut unchanged = 0;
    open(out, "[", &own, cx)?;
    for item in items {
        if item.action == DiffAction::NoOp && !cx.show_unchanged {
            unchanged += 1;
        } else {
            element(out, item, child)?;
        }
    }
    close(out, "]", unchanged, diff, cx)
}
