//! The human-readable text of the tools: Diff trees, headers, summaries, diagnostics, outputs.
//!
//! Invariants: a renderer walks its input and never compares, parses or consults a schema. The parent of a value writes
//! its indentation, symbol, key and comma; a value writes only itself. "Upstream" means the renderers of the tools, as
//! in `diff`.

pub mod diagnostic;
pub mod outputs;
mod resource;
pub mod summary;
mod value;

pub use resource::{Cause, action_invocation, action_invoked, deferred, header, resource};
pub use value::diff;
pub use value::entry;

use std::io;

use crate::dialect::Dialect;
use crate::diff::tree::DiffAction;
use crate::model::Action;
use crate::term::TextPart::{Lit, Styled};
use crate::term::{Out, Role, StyledText};

/// The tool's text of each part of a plan, by the index of the part.
#[derive(Debug, Default)]
pub struct PlanTexts {
    /// The planned changes of resources, except for no-ops that neither move nor import an object.
    pub resources: Vec<StyledText>,
    /// The changes of objects outside of the tool.
    pub drift: Vec<StyledText>,
    /// The deferred changes.
    pub deferred: Vec<StyledText>,
    /// The actions to invoke.
    pub invocations: Vec<StyledText>,
    /// The changes of all outputs.
    pub outputs: StyledText,
}

/// The way in which values are laid out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The tool and its release.
    pub dialect: Dialect,
    /// The indentation, in steps of four columns.
    pub indent: usize,
    /// Whether symbols and their columns are left out, as in states and for instances that OpenTofu forgets.
    pub hide_symbols: bool,
    /// Whether removed values are not followed by `-> null`.
    pub hide_null_suffix: bool,
    /// Whether unchanged values are shown.
    pub show_unchanged: bool,
    /// Whether the value counts as forcing a replacement. This is not inherited.
    pub replace: bool,
    /// Whether `# forces replacement` is left out. This is not inherited.
    pub hide_replacement: bool,
    /// Whether sensitive values are shown.
    pub show_sensitive: bool,
    /// Whether changes of the members are announced to the writer. This is not inherited.
    pub announces: bool,
    /// The number of spaces in empty lines. It is not zero in the configuration of an action, which upstream indents as
    /// a text.
    pub empty_line: usize,
}

impl Context {
    /// Returns the context for a change of a resource.
    pub fn resource(dialect: Dialect, show_sensitive: bool) -> Self {
        Self {
            dialect,
            show_sensitive,
            ..Self::default()
        }
    }

    /// Returns the context for an object in a state.
    pub fn state(dialect: Dialect, show_sensitive: bool) -> Self {
        Self {
            hide_symbols: true,
            hide_null_suffix: true,
            show_unchanged: true,
            ..Self::resource(dialect, show_sensitive)
        }
    }

    /// Returns the context for a part of the value.
    fn child(self) -> Self {
        Self {
            indent: self.indent + 1,
            replace: false,
            hide_replacement: false,
            announces: false,
            ..self
        }
    }

    fn with_null_suffix(self, shown: bool) -> Self {
        Self {
            hide_null_suffix: !shown,
            ..self
        }
    }

    fn with_unchanged(self) -> Self {
        Self {
            show_unchanged: true,
            ..self
        }
    }

    fn with_replace(self, replace: bool) -> Self {
        Self { replace, ..self }
    }
}

/// Writes the indentation.
fn indent(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.indent * 4)
}

/// Writes an empty line.
fn empty_line(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.empty_line)?;
    out.lit("\n")
}

/// Writes the indentation, and the spaces that replace a symbol.
fn blank(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.indent * 4 + if cx.hide_symbols { 0 } else { 4 })
}

/// Writes the symbol of an action on a value, in four columns.
pub(crate) fn symbol(out: &mut Out<'_>, action: DiffAction) -> io::Result<()> {
    let (role, text) = match action {
        DiffAction::NoOp => return out.spaces(4),
        DiffAction::Create => (Role::Create, "+"),
        DiffAction::Update => (Role::Update, "~"),
        DiffAction::Delete => (Role::Delete, "-"),
    };
    out.parts(&[Lit("  "), Styled(role, text), Lit(" ")])
}

/// Writes the symbol of an action on a resource, in three columns for most actions.
pub(crate) fn resource_symbol(
    out: &mut Out<'_>,
    action: &Action,
    dialect: Dialect,
) -> io::Result<()> {
    let pieces: &[(Role, &str)] = match action {
        Action::NoOp => &[(Role::Plain, "   ")],
        Action::Create => &[(Role::Plain, "  "), (Role::Create, "+")],
        Action::Update => &[(Role::Plain, "  "), (Role::Update, "~")],
        Action::Delete => &[(Role::Plain, "  "), (Role::Delete, "-")],
        Action::DeleteThenCreate => &[(Role::Delete, "-"), (Role::Plain, "/"), (Role::Create, "+")],
        Action::CreateThenDelete => &[(Role::Create, "+"), (Role::Plain, "/"), (Role::Delete, "-")],
        Action::Read => &[(Role::Plain, " "), (Role::Read, "<=")],
        Action::Forget => dialect.forget_symbol(),
        Action::ForgetThenCreate => &[
            (Role::Plain, dialect.kept_indent()),
            (Role::Delete, "."),
            (Role::Plain, "/"),
            (Role::Create, "+"),
        ],
        Action::CreateThenForget => &[
            (Role::Plain, " "),
            (Role::Create, "+"),
            (Role::Plain, "/"),
            (Role::Delete, "."),
        ],
        Action::Open | Action::Unknown(_) => &[(Role::Plain, "  ?")],
    };
    pieces
        .iter()
        .try_for_each(|(role, text)| out.role(*role, text))
}
