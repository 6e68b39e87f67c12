//! Where a value stands while it is written.

use std::io;

use crate::term::Out;

/// What a value is told by its parent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The depth, in steps of four columns.
    pub indent: usize,
    /// No symbols, and no columns for them: states, and what OpenTofu forgets.
    pub hide_symbols: bool,
    /// No `-> null` behind what goes.
    pub hide_null_suffix: bool,
    /// Unchanged parts are shown, not counted.
    pub show_unchanged: bool,
    /// The parent says that this value forces the replacement. Not handed on.
    pub replace: bool,
    /// The old value of an unknown one says that it forces the replacement, too.
    pub repeat_replacement: bool,
    /// This value does not say that it forces the replacement. Not handed on.
    pub hide_replacement: bool,
    /// Secrets are shown.
    pub show_sensitive: bool,
}

impl Context {
    /// The context of a resource instance.
    pub fn resource(show_sensitive: bool) -> Self {
        Self { show_sensitive, ..Self::default() }
    }

    /// The context of a state: everything is shown, without symbols.
    pub fn state(show_sensitive: bool) -> Self {
        Self {
            hide_symbols: true,
            hide_null_suffix: true,
            show_unchanged: true,
            ..Self::resource(show_sensitive)
        }
    }

    /// The context one level down.
    pub(super) fn child(self) -> Self {
        Self { indent: self.indent + 1, replace: false, hide_replacement: false, ..self }
    }

    pub(super) fn with_null_suffix(self, shown: bool) -> Self {
        Self { hide_null_suffix: !shown, ..self }
    }

    pub(super) fn with_unchanged(self) -> Self {
        Self { show_unchanged: true, ..self }
    }

    pub(super) fn with_replace(self, replace: bool) -> Self {
        Self { replace, ..self }
    }
}

/// Writes the spaces of the depth.
pub(super) fn indent(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.indent * 4)
}

/// Writes the spaces of the depth and of a symbol's columns.
pub(super) fn blank(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.indent * 4 + if cx.hide_symbols { 0 } else { 4 })
}
