//! The human-readable text of the tools: Diff trees, headers, summaries, diagnostics, outputs.
//!
//! Invariants: a renderer walks its input and never compares, parses or consults a schema. The parent of a
//! value writes its indentation, symbol, key and comma; a value writes only itself.

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
    /// Except for no-ops that neither move nor import an object.
    pub resources: Vec<StyledText>,
    /// Objects that changed outside of the tool.
    pub drift: Vec<StyledText>,
    /// Deferred changes.
    pub deferred: Vec<StyledText>,
    /// Actions to invoke.
    pub invocations: Vec<StyledText>,
    /// All changes of outputs.
    pub outputs: StyledText,
}

/// How values are laid out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The tool and its release.
    pub dialect: Dialect,
    /// In steps of four columns.
    pub indent: usize,
    /// Symbols and their columns are omitted in states and for instances that OpenTofu forgets.
    pub hide_symbols: bool,
    /// Removed values are not followed by `-> null`.
    pub hide_null_suffix: bool,
    /// Unchanged values are shown.
    pub show_unchanged: bool,
    /// Not inherited.
    pub replace: bool,
    /// Not inherited.
    pub hide_replacement: bool,
    /// Sensitive values are shown.
    pub show_sensitive: bool,
    /// Changes of the members are announced to the writer. Not inherited.
    pub announces: bool,
    /// Upstream indents the configuration of an action as a text, with its empty lines.
    pub empty_line: usize,
}

impl Context {
    /// Returns the context of a change of a resource.
    pub fn resource(dialect: Dialect, show_sensitive: bool) -> Self {
        Self {
            dialect,
            show_sensitive,
            ..Self::default()
        }
    }

    /// Returns the context of an object in a state.
    pub fn state(dialect: Dialect, show_sensitive: bool) -> Self {
        Self {
            hide_symbols: true,
            hide_null_suffix: true,
            show_unchanged: true,
            ..Self::resource(dialect, show_sensitive)
        }
    }

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

fn indent(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.indent * 4)
}

fn empty_line(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.empty_line)?;
    out.lit("\n")
}

fn blank(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.indent * 4 + if cx.hide_symbols { 0 } else { 4 })
}

pub(crate) fn symbol(out: &mut Out<'_>, action: DiffAction) -> io::Result<()> {
    let (role, text) = match action {
        DiffAction::NoOp => return out.spaces(4),
        DiffAction::Create => (Role::Create, "+"),
        DiffAction::Update => (Role::Update, "~"),
        DiffAction::Delete => (Role::Delete, "-"),
    };
    out.parts(&[Lit("  "), Styled(role, text), Lit(" ")])
}

/// Writes the symbol of an action in three columns.
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
