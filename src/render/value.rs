//! Renders values: one function for each kind of node, and the suffixes of values.
//!
//! ```text
//! "a" -> "b"    (known after apply)    (sensitive value)    "a" -> null # forces replacement
//! ```

mod container;

pub use container::entry;

use std::io;

use super::{Context, blank, indent, symbol};
use crate::diff::tree::{Diff, DiffAction, Line, Node};
use crate::json::Value;
use crate::term::TextPart::{Data, Lit, Styled};
use crate::term::{Out, Role, Untrusted};
use crate::text;

/// Writes a value. Its parent has already written the beginning of the line.
pub fn diff(out: &mut Out<'_>, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    match diff.node {
        Node::Scalar {
            before,
            after,
            is_string,
        } => scalar(out, diff, before, after, cx, is_string),
        Node::Heredoc { lines } => heredoc(out, diff, lines, cx),
        Node::Json {
            inner,
            whitespace_only,
        } => json(out, diff, inner, whitespace_only, cx),
        Node::Unknown { before } => unknown(out, diff, before, cx),
        Node::Sensitive { inner, .. } if cx.show_sensitive => self::diff(out, inner, cx),
        Node::Sensitive { is_block: true, .. } => sensitive_block(out, diff, cx),
        Node::Sensitive { lacks_schema, .. } => {
            word(out, text::hidden_value(lacks_schema), diff, cx)
        }
        Node::WriteOnly { sensitive: false } => word(out, "(write-only attribute)", diff, cx),
        Node::WriteOnly { sensitive: true } => {
            word(out, "(sensitive, write-only attribute)", diff, cx)
        }
        Node::TypeChange { before, after } => {
            let cx = cx.with_null_suffix(false);
            self::diff(out, before, cx)?;
            arrow(out)?;
            self::diff(out, after, cx)
        }
        Node::Object { members, nested } => container::object(out, diff, members, nested, cx),
        Node::Map { entries, nested } => container::map(out, diff, entries, nested, cx),
        Node::List { items, nested } => container::list(out, diff, items, nested, cx),
        Node::Set { items, nested } => container::set(out, diff, items, nested, cx),
        Node::Block { attributes, groups } => container::block(out, diff, attributes, groups, cx),
    }
}

/// Writes the indentation and the symbol of a value.
pub(super) fn begin(out: &mut Out<'_>, action: DiffAction, cx: Context) -> io::Result<()> {
    indent(out, cx)?;
    if cx.hide_symbols {
        Ok(())
    } else {
        symbol(out, action)
    }
}

/// Writes an opening bracket, and the end of its line.
pub(super) fn open(
    out: &mut Out<'_>,
    bracket: &str,
    diff: &Diff<'_>,
    cx: Context,
) -> io::Result<()> {
    out.lit(bracket)?;
    forces_replacement(out, diff, cx)?;
    out.lit("\n")
}

/// Writes a word in place of a value, with the suffixes of the value.
pub(super) fn word(out: &mut Out<'_>, word: &str, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    out.lit(word)?;
    null_suffix(out, diff, cx)?;
    forces_replacement(out, diff, cx)
}

/// Writes an unknown value. The value before, if there is one, precedes it.
fn unknown(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    before: Option<&Diff<'_>>,
    cx: Context,
) -> io::Result<()> {
    if let Some(before) = before {
        let hide_replacement = cx.hide_replacement || !cx.dialect.repeats_replacement_of_unknown();
        self::diff(
            out,
            before,
            Context {
                hide_replacement,
                ..cx.with_null_suffix(false)
            },
        )?;
        out.lit(" -> ")?;
    }
    out.lit("(known after apply)")?;
    forces_replacement(out, diff, cx)
}

/// Whether the tools write a value on one line inside of `jsonencode(…)`.
fn is_one_line(diff: &Diff<'_>) -> bool {
    match diff.node {
        Node::Scalar { .. } => true,
        Node::Object { members, .. }
        | Node::Map {
            entries: members, ..
        } => members.is_empty(),
        Node::List { items, .. } | Node::Set { items, .. } => items.is_empty(),
        Node::TypeChange { before, after } => is_one_line(before) && is_one_line(after),
        Node::Json { inner, .. } => is_one_line(inner),
        Node::Sensitive { is_block, .. } => !is_block,
        Node::Unknown { before } => before.is_none(),
        Node::WriteOnly { .. } => true,
        Node::Heredoc { .. } | Node::Block { .. } => false,
    }
}

/// Writes a string that contains JSON, as the call of `jsonencode` that would produce it.
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
        return if whitespace_only {
            Ok(())
        } else {
            forces_replacement(out, diff, cx)
        };
    }
    out.parts(&[Lit(whitespace), Lit("\n")])?;
    let shown = if diff.action == DiffAction::Update {
        inner.action
    } else {
        DiffAction::NoOp
    };
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

/// Writes a block that is sensitive as a whole, without its contents.
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

/// Writes the warning above a value whose sensitive mark changes.
pub(super) fn warnings(out: &mut Out<'_>, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    let Node::Sensitive {
        inner,
        before,
        after,
        is_block,
        ..
    } = diff.node
    else {
        return Ok(());
    };
    let what = if is_block { "block" } else { "attribute value" };
    if before == after || matches!(diff.action, DiffAction::Create | DiffAction::Delete) {
        return Ok(());
    }
    let [one, two] = if before {
        [
            " will no longer be marked as sensitive\n",
            "  # after applying this change.",
        ]
    } else {
        let shown = "  # display in UI output after applying this change.";
        [" will be marked as sensitive and will not\n", shown]
    };
    let is_unchanged = inner.action == DiffAction::NoOp && !is_block;
    indent(out, cx)?;
    out.parts(&[
        Lit("  # "),
        Styled(Role::Update, "Warning"),
        Lit(": this "),
        Lit(what),
        Lit(one),
    ])?;
    indent(out, cx)?;
    out.parts(&[
        Lit(two),
        Lit(if is_unchanged {
            " The value is unchanged.\n"
        } else {
            "\n"
        }),
    ])
}

/// Writes a scalar on one side of a change.
fn literal(out: &mut Out<'_>, value: Option<Value<'_>>) -> io::Result<()> {
    match value.unwrap_or_default() {
        Value::Null => out.role(Role::Muted, "null"),
        Value::Bool(true) => out.lit("true"),
        Value::Bool(false) => out.lit("false"),
        Value::Number(text) => out.data(Untrusted(text)),
        Value::String(text) => quoted(out, text),
        // The differ never produces these as scalars. On one line, only their size could be shown.
        Value::Array(items) => out.lit(&format!("[{} elements]", items.len())),
        Value::Object(object) => out.lit(&format!("{{{} members}}", object.members().len())),
    }
}

pub(super) fn quoted(out: &mut Out<'_>, text: &str) -> io::Result<()> {
    out.parts(&[Lit("\""), Data(&text::escape(text)), Lit("\"")])
}

/// Writes a bool, number, string or null: one value, or both sides of an update.
pub(super) fn scalar(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    before: Option<Value<'_>>,
    after: Option<Value<'_>>,
    cx: Context,
    is_string: bool,
) -> io::Result<()> {
    match diff.action {
        DiffAction::Create => literal(out, after)?,
        DiffAction::NoOp => literal(out, before)?,
        DiffAction::Delete => {
            literal(out, before)?;
            if !(is_string && before.unwrap_or_default().is_null()) {
                null_suffix(out, diff, cx)?;
            }
        }
        DiffAction::Update => {
            literal(out, before)?;
            arrow(out)?;
            literal(out, after)?;
        }
    }
    forces_replacement(out, diff, cx)
}

pub(super) fn arrow(out: &mut Out<'_>) -> io::Result<()> {
    out.parts(&[Lit(" "), Styled(Role::Update, "->"), Lit(" ")])
}

/// Writes `-> null` after a value that is removed, if the context has this suffix.
pub(super) fn null_suffix(out: &mut Out<'_>, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    if diff.action != DiffAction::Delete || cx.hide_null_suffix {
        return Ok(());
    }
    out.parts(&[Lit(" "), Styled(Role::Muted, "-> null")])
}

/// Writes `# forces replacement`, if the change of the value does so and the context does not hide it.
pub(super) fn forces_replacement(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    cx: Context,
) -> io::Result<()> {
    if cx.hide_replacement || (!diff.replace && !cx.replace) {
        return Ok(());
    }
    out.parts(&[Lit(" "), Styled(Role::Delete, "# forces replacement")])
}

/// Writes a string of several lines as a heredoc. As in upstream, lines are not escaped, so a line may look like the
/// end marker.
pub(super) fn heredoc(
    out: &mut Out<'_>,
    diff: &Diff<'_>,
    lines: &[Line<'_>],
    cx: Context,
) -> io::Result<()> {
    out.lit("<<-EOT")?;
    forces_replacement(out, diff, cx)?;
    out.lit("\n")?;
    for line in lines {
        indent(out, cx.child())?;
        if !cx.hide_symbols {
            symbol(out, line.action)?;
        }
        match line.text {
            Some(text) => out.data_line(Untrusted(text))?,
            None => out.parts(&[Styled(Role::Muted, "null"), Lit("\n")])?,
        }
    }
    blank(out, cx)?;
    out.lit("EOT")?;
    null_suffix(out, diff, cx)
}
