//! Diffs of sets: equal elements are unchanged, all others are removed or added.

use super::intern::numbers;
use super::list::NONE;
use super::{Differ, elements};
use crate::diff::Cursor;
use crate::diff::tree::{Diff, DiffAction, Node};
use crate::schema::Type;

impl<'a> Differ<'a> {
    /// The diff of a set with elements of type `element`.
    pub(super) fn set(self, change: Cursor<'a>, element: Type<'a>) -> Diff<'a> {
        let (items, action) = self.matched(change, |child| self.typed(child, element));
        Self::container(change, action, Node::Set { items, nested: false })
    }

    /// The diffs of a set's elements: those of the value before in order, then the added ones.
    ///
    /// An element before matches an element after that is equal, known, and equally sensitive. Of several
    /// such elements it is paired with the last and consumes all, as upstream does.
    /// The elements of a relevant set are relevant with all of their parts.
    pub(super) fn matched(
        self,
        change: Cursor<'a>,
        compute: impl Fn(Cursor<'a>) -> Diff<'a>,
    ) -> (&'a mut [Diff<'a>], DiffAction) {
        let (partners, added) = partners(change);
        let count = partners.len();
        let pairs = (0..count + added.len()).map(|at| match partners.get(at) {
            Some(partner) => (at as u32, *partner),
            None => (NONE, added[at - count]),
        });
        self.paired(change, pairs, |child| compute(child.always_relevant()))
    }
}

/// For each element before, the index of its partner, and the indices of the added elements.
fn partners(change: Cursor<'_>) -> (Vec<u32>, Vec<u32>) {
    let (before, after) = elements(change);
    if before.is_empty() || after.is_empty() {
        return (vec![NONE; before.len()], (0..after.len() as u32).collect());
    }
    let (before_numbers, after_numbers) = numbers(before, after);
    // For each distinct element before: the last index after of an equal, known element, separately for not
    // sensitive and sensitive ones. `earlier` links each such index to the previous one. Both are counted from
    // 1, because only the pages of zeroed memory that are written to take memory.
    let mut last = [vec![0u32; before.len()], vec![0; before.len()]];
    let mut earlier = vec![0u32; after.len()];
    for ((at, value), number) in after.iter().enumerate().zip(after_numbers) {
        let number = number as usize;
        if number < before.len() && !change.unknown.index(at).is_whole() {
            let sensitive = change.after_sensitive.index(at).covers(*value);
            earlier[at] = std::mem::replace(&mut last[usize::from(sensitive)][number], at as u32 + 1);
        }
    }
    let mut used = vec![false; after.len()];
    let mut partners = Vec::with_capacity(before.len());
    for ((at, value), number) in before.iter().enumerate().zip(before_numbers) {
        let sensitive = change.before_sensitive.index(at).covers(*value);
        let partner = std::mem::take(&mut last[usize::from(sensitive)][number as usize]);
        partners.push(partner.checked_sub(1).unwrap_or(NONE));
        let mut place = partner;
        while let Some(at) = place.checked_sub(1) {
            used[at as usize] = true;
            place = earlier[at as usize];
        }
    }
    let added = (0u32..).zip(&used).filter(|(_, used)| !**used).map(|(at, _)| at);
    (partners, added.collect())
}
