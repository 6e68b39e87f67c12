//! Diffs of sets: equal elements are unchanged, all others are removed or added.

use super::deferred::{Part, Places};
use super::intern::numbers;
use super::list::{NONE, Pair};
use super::{Differ, elements};
use crate::diff::Cursor;
use crate::diff::tree::{Diff, DiffAction, Elements, Node};
use crate::schema::Type;

impl<'a> Differ<'a> {
    /// The diff of a set with elements of type `element`.
    pub(super) fn set(self, change: Cursor<'a>, element: Type<'a>) -> Diff<'a> {
        let (items, action) = self.matched(change, Part::Typed(element));
        Diff { action, replace: change.replace.matches(), node: Node::Set { items, nested: false } }
    }

    /// The diffs of a set's elements: those of the value before in order, then the added ones.
    ///
    /// An element before matches an element after that is equal, known, and equally sensitive. Of several
    /// such elements it is paired with the last and consumes all, as upstream does.
    pub(super) fn matched(self, change: Cursor<'a>, part: Part<'a>) -> (Elements<'a>, DiffAction) {
        let (before, after) = elements(change);
        let (before_numbers, after_numbers) = numbers(before, after);
        // For each distinct element before: the last index after of an equal, known element, separately for
        // not sensitive and sensitive ones. `earlier` links each such index to the previous one.
        let mut last = vec![[NONE; 2]; before.len()];
        let mut earlier = vec![NONE; after.len()];
        for ((at, value), number) in after.iter().enumerate().zip(after_numbers) {
            if let Some(last) = last.get_mut(number as usize)
                && !change.unknown.index(at).is_whole()
            {
                let sensitive = change.after_sensitive.index(at).covers(*value);
                earlier[at] = std::mem::replace(&mut last[usize::from(sensitive)], at as u32);
            }
        }
        let mut used = vec![false; after.len()];
        let mut partners = Vec::with_capacity(before.len());
        for ((at, value), number) in before.iter().enumerate().zip(before_numbers) {
            let sensitive = change.before_sensitive.index(at).covers(*value);
            let last = &mut last[number as usize][usize::from(sensitive)];
            let partner = std::mem::replace(last, NONE);
            partners.push(partner);
            let mut place = partner;
            while place != NONE {
                used[place as usize] = true;
                place = earlier[place as usize];
            }
        }
        let mut added = (0u32..).zip(&used).filter(|(_, used)| !**used).map(|(at, _)| at);
        let count = before.len() + added.clone().count();
        let pairs = (0..count).map(|at| match partners.get(at) {
            Some(partner) => (at as u32, *partner),
            None => (NONE, added.next().unwrap_or(NONE)),
        });
        let pairs: Vec<Pair> = pairs.collect();
        self.elements(change, Places::Pairs(&pairs), part)
    }
}
