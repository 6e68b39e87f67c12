//! The human-readable text of the tools: Diff trees, headers, summaries, diagnostics, outputs.
//!
//! Invariants: a renderer walks its input and never compares, parses or consults a schema. The parent of a
//! value writes its indentation, symbol, key and comma; a value writes only itself.

mod container;
pub mod diagnostic;
pub mod outputs;
mod resource;
pub mod summary;
mod value;

pub use container::entry;
pub use resource::{Cause, action_invocation, action_invoked, deferred, header, resource};
pub use value::diff;

use std::io;

use crate::dialect::Dialect;
use crate::diff::tree::DiffAction;
use crate::model::Action;
use crate::term::TextPart::{Lit, Styled};
use crate::term::{Out, Role, StyledText};

/// The text of each change of a plan, in the order of the plan, for formats with their own layout.
#[derive(Debug, Default)]
pub struct PlanTexts {
    /// The resource changes, except for no-ops that neither move nor import an object.
    pub resources: Vec<StyledText>,
    /// The drift.
    pub drift: Vec<StyledText>,
    /// The deferred changes.
    pub deferred: Vec<StyledText>,
    /// The actions to invoke.
    pub invocations: Vec<StyledText>,
    /// All outputs.
    pub outputs: StyledText,
}

/// The settings that a value gets from its parent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The dialect of the text.
    pub dialect: Dialect,
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
    pub fn resource(dialect: Dialect, show_sensitive: bool) -> Self {
        Self { dialect, show_sensitive, ..Self::default() }
    }

    /// The context of a state, where everything is shown, without symbols.
    pub fn state(dialect: Dialect, show_sensitive: bool) -> Self {
        Self {
            hide_symbols: true,
            hide_null_suffix: true,
            show_unchanged: true,
            ..Self::resource(dialect, show_sensitive)
        }
    }

    /// The context of a child.
    fn child(self) -> Self {
        Self { indent: self.indent + 1, replace: false, hide_replacement: false, announces: false, ..self }
    }

    fn with_null_suffix(self, shown: bool) -> Self {
        Self { hide_null_suffix: !shown, ..self }
    }

    fn with_unchanged(self) -> Self {
        Self { show_unchanged: true, ..self }
    }

    fn with_replace(self, replace: bool) -> Self {
        Self { replace, ..self }
    }
}

/// Writes the indentation.
fn indent(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.indent * 4)
}

/// Writes an empty line between the parts of a block.
fn empty_line(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.empty_line)?;
    out.lit("\n")
}

/// Writes the indentation and blanks for the columns of a symbol.
fn blank(out: &mut Out<'_>, cx: Context) -> io::Result<()> {
    out.spaces(cx.indent * 4 + if cx.hide_symbols { 0 } else { 4 })
}

/// Writes the symbol of a value in three columns, and the space after it.
pub(crate) fn symbol(out: &mut Out<'_>, action: DiffAction) -> io::Result<()> {
    let (role, text) = match action {
        DiffAction::NoOp => return out.spaces(4),
        DiffAction::Create => (Role::Create, "+"),
        DiffAction::Update => (Role::Update, "~"),
        DiffAction::Delete => (Role::Delete, "-"),
    };
    out.parts(&[Lit("  "), Styled(role, text), Lit(" ")])
}

/// Writes the symbol of a resource instance in three columns, without the space after it.
pub(crate) fn resource_symbol(out: &mut Out<'_>, action: &Action, dialect: Dialect) -> io::Result<()> {
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
        Action::CreateThenForget => {
            &[(Role::Plain, " "), (Role::Create, "+"), (Role::Plain, "/"), (Role::Delete, ".")]
        }
        Action::Open | Action::Unknown(_) => &[(Role::Plain, "  ?")],
    };
    pieces.iter().try_for_each(|(role, text)| out.role(*role, text))
}
