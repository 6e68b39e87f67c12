//! Renders values without members, and the suffixes of values.

use std::io;

use crate::diff::tree::{Diff, DiffAction, Line};
use crate::json::Value;
use crate::term::TextPart::{Data, Lit, Styled};
use crate::term::{Out, Role, Untrusted};
use crate::text;

use super::Context;
use super::context::{blank, indent};

/// Writes one side of a value on one line.
fn literal(out: &mut Out<'_>, value: Option<Value<'_>>) -> io::Result<()> {
    match value.unwrap_or_default() {
        Value::Null => out.role(Role::Muted, "null"),
        Value::Bool(true) => out.lit("true"),
        Value::Bool(false) => out.lit("false"),
        Value::Number(text) => out.data(Untrusted(text)),
        Value::String(text) => quoted(out, text),
        // The differ never produces these as scalars. On one line, only their size can be shown.
        Value::Array(items) => out.lit(&format!("[{} elements]", items.len())),
        Value::Object(object) => out.lit(&format!("{{{} members}}", object.members().len())),
    }
}

/// Writes a string in quotes.
pub(super) fn quoted(out: &mut Out<'_>, text: &str) -> io::Result<()> {
    out.parts(&[Lit("\""), Data(&text::escape(text)), Lit("\"")])
}

/// Writes a scalar: the value, or its change.
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

/// Writes ` -> ` between two values.
pub(super) fn arrow(out: &mut Out<'_>) -> io::Result<()> {
    out.parts(&[Lit(" "), Styled(Role::Update, "->"), Lit(" ")])
}

/// Writes ` -> null` after a deleted value.
pub(super) fn null_suffix(out: &mut Out<'_>, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    if diff.action != DiffAction::Delete || cx.hide_null_suffix {
        return Ok(());
    }
    out.parts(&[Lit(" "), Styled(Role::Muted, "-> null")])
}

/// Writes ` # forces replacement` if the value does.
pub(super) fn forces_replacement(out: &mut Out<'_>, diff: &Diff<'_>, cx: Context) -> io::Result<()> {
    if cx.hide_replacement || (!diff.replace && !cx.replace) {
        return Ok(());
    }
    out.parts(&[Lit(" "), Styled(Role::Delete, "# forces replacement")])
}

/// Writes a multi-line string. As in upstream, lines are not escaped, so one may look like the end marker.
pub(super) fn heredoc(out: &mut Out<'_>, diff: &Diff<'_>, lines: &[Line<'_>], cx: Context) -> io::Result<()> {
    out.lit("<<-EOT")?;
    forces_replacement(out, diff, cx)?;
    out.lit("\n")?;
    for line in lines {
        indent(out, cx.child())?;
        if !cx.hide_symbols {
            super::symbol(out, line.action)?;
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
