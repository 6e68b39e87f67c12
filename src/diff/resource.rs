//! The diff of one change of a resource instance.

use bumpalo::Bump;

use super::shapes::{Notes, Shape};
use super::tree::Diff;
use super::{Cursor, Differ, Error, Paths};
use crate::dialect::Dialect;
use crate::model::Action;
use crate::model::plan::ResourceChange;

/// Compares both sides of a change.
///
/// `relevant` are the relevant paths if the change is drift. Members that are not in the schema are
/// omitted and recorded in `notes`.
///
/// # Errors
/// If a value is malformed.
pub fn resource<'a>(
    change: &ResourceChange<'a>,
    shape: Shape<'a>,
    relevant: Paths<'a>,
    dialect: Dialect,
    notes: &Notes,
    arena: &'a Bump,
) -> Result<Diff<'a>, Error> {
    let cursor = Cursor::new(&change.change, relevant, arena)?.checked(change.change.size())?;
    let block = shape.block(&change.resource_type, &cursor, notes, arena);
    let forgets_unseen = change.change.actions == Action::Forget && !dialect.shows_forgotten_values();
    let cursor = if forgets_unseen { cursor.as_no_op() } else { cursor };
    let differ = Differ::new(arena, dialect);
    let diff = differ.block(differ.as_read(cursor), block);
    notes.add_approximate(differ.is_approximate());
    Ok(diff)
}
