//! The diff of one change of a resource instance.

use bumpalo::Bump;

use super::shapes::{NotInSchema, Shape};
use super::tree::Diff;
use super::{Cursor, Differ, Error, Paths};
use crate::dialect::Dialect;
use crate::model::Action;
use crate::model::plan::ResourceChange;

/// The result of comparing a change.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The tree.
    pub diff: Diff<'a>,
    /// Whether an alignment exceeded its step limit, so that the tree may not be minimal.
    pub is_approximate: bool,
}

/// Compares both sides of a change.
///
/// `relevant` are the relevant paths if the change is drift. Members that are not in the schema are
/// omitted and recorded in `not_in_schema`.
///
/// # Errors
/// If a value is malformed.
pub fn resource<'a>(
    change: &ResourceChange<'a>,
    shape: Shape<'a>,
    relevant: Paths<'a>,
    dialect: Dialect,
    not_in_schema: &NotInSchema,
    arena: &'a Bump,
) -> Result<Compared<'a>, Error> {
    let cursor = Cursor::new(&change.change, relevant, arena)?.checked(change.change.size())?;
    let block = shape.block(&change.resource_type, &cursor, not_in_schema, arena);
    let forgets_unseen = change.change.actions == Action::Forget && !dialect.shows_forgotten_values();
    let cursor = if forgets_unseen { cursor.as_no_op() } else { cursor };
    let differ = Differ::new(arena, dialect);
    let diff = differ.block(differ.as_read(cursor), block);
    Ok(Compared { diff, is_approximate: differ.is_approximate() })
}
