//! Pairs the changes of two plans.
//!
//! Invariant: each change is in the result once. Changes belong to the same object if their modes, types,
//! addresses and deposed keys are equal. Several with the same key are paired by equal content, then in
//! order. An object that is moved in only one of the plans is also found by its previous address.

use bumpalo::Bump;
use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt as _};

use super::change::same_text;
use crate::diff::edits::Sides;
use crate::diff::value::{Builder, MarkedValue};
use crate::model::plan::ResourceChange;
use crate::schema::Position;

/// A change in one plan or in both.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pair<T> {
    /// In both.
    Both(T, T),
    /// Only in the approved plan.
    Approved(T),
    /// Only in the new plan.
    Now(T),
}

/// A change of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'p, 'a> {
    pub(super) change: &'p ResourceChange<'a>,
    /// The reason, for deferred changes.
    pub(super) reason: &'p str,
}

impl Item<'_, '_> {
    fn key<'i>(&'i self, address: &'i str) -> Key<'i> {
        let mode: &str = if self.change.mode.is_empty() { "managed" } else { &self.change.mode };
        (mode, &self.change.resource_type, address, &self.change.deposed)
    }
}

type Key<'i> = (&'i str, &'i str, &'i str, &'i str);

/// Pairs the indices of changes: in the order of the new plan, then those only in the approved one.
pub(super) fn pair(approved: &[Item<'_, '_>], now: &[Item<'_, '_>]) -> Vec<Pair<usize>> {
    let mut partners: Vec<Option<usize>> = vec![None; now.len()];
    let mut is_free = vec![true; approved.len()];
    let mut places: HashMap<Key<'_>, (Vec<usize>, Vec<usize>)> = HashMap::new();
    for (at, item) in approved.iter().enumerate() {
        places.entry(item.key(&item.change.address)).or_default().0.push(at);
    }
    for (at, item) in now.iter().enumerate() {
        places.entry(item.key(&item.change.address)).or_default().1.push(at);
    }
    let mut set = |old: usize, new: usize, partners: &mut Vec<Option<usize>>| {
        partners[new] = Some(old);
        is_free[old] = false;
    };
    for (old, new) in places.values() {
        match (&**old, &**new) {
            ([], _) | (_, []) => {}
            ([old], [new]) => set(*old, *new, &mut partners),
            (old, new) => {
                for (old, new) in pair_by_content(old, new, approved, now) {
                    set(old, new, &mut partners);
                }
            }
        }
    }
    // Objects that are moved in only one of the plans.
    let mut by_address: HashMap<Key<'_>, usize> = HashMap::new();
    let mut by_previous: HashMap<Key<'_>, usize> = HashMap::new();
    for (at, item) in approved.iter().enumerate().filter(|(at, _)| is_free[*at]) {
        by_address.insert(item.key(&item.change.address), at);
        if item.change.is_moved() {
            by_previous.insert(item.key(&item.change.previous_address), at);
        }
    }
    for (at, item) in now.iter().enumerate() {
        if partners[at].is_some() {
            continue;
        }
        // An object that moves to another address than the approved one is acted on in another way, so two
        // moves from one address are no pair.
        let old = match item.change.is_moved() {
            true => by_address.get(&item.key(&item.change.previous_address)),
            false => by_previous.get(&item.key(&item.change.address)),
        };
        if let Some(old) = old.filter(|old| is_free[**old]) {
            partners[at] = Some(*old);
            is_free[*old] = false;
        }
    }
    let pairs = partners.into_iter().enumerate();
    let pairs = pairs.map(|(new, old)| old.map_or(Pair::Now(new), |old| Pair::Both(old, new)));
    let rest = is_free.into_iter().enumerate().filter(|(_, free)| *free).map(|(old, _)| Pair::Approved(old));
    pairs.chain(rest).collect()
}

/// Pairs several changes with the same key.
fn pair_by_content(
    old: &[usize],
    new: &[usize],
    approved: &[Item<'_, '_>],
    now: &[Item<'_, '_>],
) -> Vec<(usize, usize)> {
    let arena = Bump::new();
    let hasher = RandomState::default();
    let content = |item: &Item<'_, '_>| {
        let (before, after) = values(item, Builder::new(&arena, &hasher));
        (item.change.change.actions.words().to_owned(), before.hash_value(), after.hash_value())
    };
    let mut by_content: HashMap<_, Vec<usize>> = HashMap::new();
    old.iter().rev().for_each(|at| by_content.entry(content(&approved[*at])).or_default().push(*at));
    let mut pairs = Vec::with_capacity(new.len());
    let mut rest = Vec::new();
    let mut taken = vec![false; approved.len().min(1 + old.iter().max().copied().unwrap_or(0))];
    for at in new {
        let same = by_content.get_mut(&content(&now[*at])).and_then(Vec::pop);
        match same {
            Some(old) => {
                taken[old] = true;
                pairs.push((old, *at));
            }
            None => rest.push(*at),
        }
    }
    let free = old.iter().copied().filter(|at| !taken[*at]);
    pairs.extend(free.zip(rest));
    pairs
}

/// Both sides of a change, for finding similar ones. Malformed values count as null here and cause an error
/// when they are compared.
pub(super) fn values<'v>(item: &Item<'_, 'v>, build: Builder<'_, 'v>) -> (MarkedValue<'v>, MarkedValue<'v>) {
    Sides::read(&item.change.change, Position::Unspecified, build)
        .map_or((build.null(), build.null()), |sides| (sides.before, sides.after))
}

/// Whether the texts of both changes are identical, so that nothing can differ.
pub(super) fn is_same_text(approved: &Item<'_, '_>, now: &Item<'_, '_>) -> bool {
    let (old, new) = (approved.change, now.change);
    *old.address == *new.address
        && approved.reason == now.reason
        && *old.previous_address == *new.previous_address
        && *old.provider_name == *new.provider_name
        && *old.action_reason == *new.action_reason
        && same_text(&old.change, &new.change)
}

/// The source address of a provider without the host of either tool's public registry.
pub(super) fn provider_path(provider_name: &str) -> &str {
    ["registry.terraform.io/", "registry.opentofu.org/"]
        .into_iter()
        .find_map(|host| provider_name.strip_prefix(host))
        .unwrap_or(provider_name)
}
