//! Sets: equal elements are unchanged, all others were removed or added.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::intern::Interner;
use super::list::NONE;
use super::{Differ, elements};
use crate::change::Change;
use crate::computed::{Action, Diff, Node};
use crate::schema::Type;

impl<'a> Differ<'a> {
    /// The diff of a set of `element`s.
    pub(super) fn set(self, change: Change<'a>, element: Type<'a>) -> Diff<'a> {
        let (items, action) = self.matched(change, |child| self.typed(child, element));
        Diff { action, replace: change.replace.matches(), node: Node::Set { items, nested: false } }
    }

    /// The diffs of a set's elements: those before in order, then those that were added.
    ///
    /// An element matches one after it that is equal, as sensitive, and known. Of several equal ones
    /// it takes the last and uses up all, as upstream does.
    pub(super) fn matched(
        self,
        change: Change<'a>,
        compute: impl Fn(Change<'a>) -> Diff<'a>,
    ) -> (&'a [Diff<'a>], Action) {
        let (before, after) = elements(change);
        let mut interner = Interner::default();
        let before_ids = interner.ids(before.iter().copied());
        // The last place of each, and for each place the one before it that is equal.
        let mut last: FxHashMap<(u32, bool), usize> =
            FxHashMap::with_capacity_and_hasher(after.len(), FxBuildHasher);
        let mut earlier = vec![NONE; after.len()];
        for (at, value) in after.iter().enumerate() {
            let child = change.index(NONE, at, self.arena);
            if !child.is_unknown() {
                let key = (interner.id(*value), child.is_after_sensitive());
                earlier[at] = last.insert(key, at).unwrap_or(NONE);
            }
        }
        let mut used = vec![false; after.len()];
        let mut pairs = Vec::with_capacity(before.len().max(after.len()));
        for (at, id) in before_ids.into_iter().enumerate() {
            let sensitive = change.index(at, NONE, self.arena).is_before_sensitive();
            let taken = last.remove(&(id, sensitive)).unwrap_or(NONE);
            pairs.push((at, taken));
            let mut place = taken;
            while place != NONE {
                used[place] = true;
                place = earlier[place];
            }
        }
        pairs.extend((0..after.len()).filter(|at| !used[*at]).map(|at| (NONE, at)));
        self.paired(change, &pairs, compute)
    }
}
