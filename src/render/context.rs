//! The rendering context of a value.

use std::io;

use crate::term::Out;

/// The settings that a value gets from its parent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The indentation, in steps of four columns.
    pub indent: usize,
    /// Whether to omit symbols and their columns, as in states and for instances that OpenTofu forgets.
    pub hide_symbols: bool,
    /// Whether to omit `-> null` after deleted values.
    pub hide_null_suffix: bool,
    /// Whether to show unchanged parts instead of counting them.
    pub show_unchanged: bool,
    /// Whether the parent marks this value as forcing replacement. Not inherited.
    pub replace: bool,
    /// Whether `# forces replacement` also follows the old value of an unknown one.
    pub repeat_replacement: bool,
    /// Whether to omit `# forces replacement` for this value. Not inherited.
    pub hide_replacement: bool,
    /// Whether to show sensitive values.
    pub show_sensitive: bool,
    /// Whether the members are those of a resource instance, whose changes are announced to the writer. Not
    /// inherited.
    pub announces: bool,
    /// The number of spaces on empty lines. Upstream indents the configuration of an action as a text, with
    /// its empty lines.
    pub empty_line: usize,
}

impl Context {
    /// The context of a resource instance.
    pub fn resource(show_sensitive: bool) -> Self {
        Self { show_sensitive, ..Self::default() }
    }

    /// The context of a state, where everything is shown, without symbols.
    pub fn state(show_sensitive: bool) -> Self {
        Self {
            hide_symbols: true,
            hide_null_suffix: true,
            show_unchanged: true,
            ..Self::resource(show_sensitive)
        }
    }

    /// The context of a child.
    pub(super) fn child(self) -> Self {
        Self { indent: self.indent + 1, replace: false, hide_replacement: false, announces: false, ..self }
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

/// Writes the indentation.
pub(super) fn indent(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.indent * 4)
}

/// Writes an empty line between the parts of a block.
pub(super) fn empty_line(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.empty_line)?;
    out.lit("\n")
}

/// Writes the indentation and blanks for the columns of a symbol.
pub(super) fn blank(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.indent * 4 + if cx.hide_symbols { 0 } else { 4 })
}
