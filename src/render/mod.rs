//! The human-readable text of the tools: Diff trees, headers, summaries, diagnostics, outputs.
//!
//! Invariants: a renderer walks its input and never compares, parses or consults a schema. The parent of a
//! value writes its indentation, symbol, key and comma; a value writes only itself.

mod collection;
mod comment;
mod context;
pub mod diagnostic;
mod node;
pub mod outputs;
mod resource;
mod scalar;
pub mod summary;

pub use comment::Cause;
pub use context::Context;
pub use node::{diff, entry};
pub use resource::{action_address, action_invocation, action_invoked, deferred, header, resource};

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
