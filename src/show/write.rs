//! Writes many items on all processors.

use bumpalo::Bump;

use super::Error;
use crate::diff::parallel::{in_order, pieces};
use crate::term::{Out, Rendered};

/// Writes all `items` in order. `size` is the size of an item in bytes. Each piece of work has its own arena,
/// which is reset afterwards, so memory does not grow with the number of items.
pub(super) fn write_in_order<T: Sync>(
    out: &mut Out<'_>,
    items: &[T],
    size: impl Fn(&T) -> usize,
    write: impl Fn(&mut Out<'_>, &T, &Bump) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let mode = out.mode();
    let pieces = pieces(items, size);
    if let [piece] = &*pieces {
        // A single piece is written directly, so that a text far longer than its input is not kept in memory.
        let arena = Bump::new();
        return piece.iter().try_for_each(|item| write(out, item, &arena));
    }
    in_order(
        pieces,
        Bump::new,
        |arena, piece| {
            arena.reset();
            Rendered::new(mode, |out| piece.iter().try_for_each(|item| write(out, item, arena)))
        },
        |text: Result<Rendered, Error>| Ok(out.write_rendered(&text?)?),
    )
}
