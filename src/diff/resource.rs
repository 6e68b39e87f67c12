//! The Diff tree of one resource change.
//!
//! ```text
//! change   {"actions":["update"],"before":{"size":1},"after":{"size":2},"replace_paths":[]}
//! tree     Update block, with one attribute: size, Update, 1 -> 2
//! ```

use bumpalo::Bump;

use super::notes::Notes;
use super::shapes::Shape;
use super::tree::Diff;
use super::{Cursor, Differ, Error, Paths};
use crate::dialect::Dialect;
use crate::model::Action;
use crate::model::plan::ResourceChange;

/// Compares both sides of a resource change, and returns the Diff tree from which the tool's text is made.
///
/// `relevant` contains the relevant paths if the change is drift. Members that are not in the schema are left out and
/// recorded in `notes`.
///
/// # Errors
/// Returns an error if a value is malformed or too large.
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
    let hides_values = change.change.actions == Action::Forget && !dialect.shows_forgotten_values();
    let cursor = if hides_values {
        cursor.as_no_op()
    } else {
        cursor
    };
    let is_guess = !matches!(shape, Shape::Known(_));
    let differ = Differ {
        is_guess,
        ..Differ::new(arena, dialect)
    };
    let diff = differ.block(differ.as_read(cursor), block);
    notes.add_approximate(differ.is_approximate());
    Ok(diff)
}
