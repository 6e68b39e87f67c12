//! Many items written by all processors.

use bumpalo::Bump;

use super::Error;
use crate::diff::parallel::{in_order, pieces};
use crate::term::{Out, Rendered};

/// Writes all `items`, which are of so many bytes, in order. Each piece of them has an arena to itself,
/// which is emptied afterwards, so that memory does not grow with their number.
pub(super) fn write_in_order<T: Sync>(
    out: &mut Out<'_>,
    items: &[T],
    size: impl Fn(&T) -> usize,
    write: impl Fn(&mut Out<'_>, &T, &Bump) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let mode = out.mode();
    let pieces = pieces(items, size);
    if let [piece] = &*pieces {
        // Nothing to wait for: a text that is far longer than its input is not held in memory.
        let arena = Bump::new();
        return piece.iter().try_for_each(|item| write(out, item, &arena));
    }
    in_order(
        &pieces,
        Bump::new,
        |arena, piece| {
            arena.reset();
            Rendered::of(mode, |out| piece.iter().try_for_each(|item| write(out, item, arena)))
        },
        |text: Result<Rendered, Error>| Ok(out.write_rendered(&text?)?),
    )
}
