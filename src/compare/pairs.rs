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
use crate::review::pairs::Pairs;
use crate::schema::Position;

/// A change of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'p, 'a> {
    pub(super) change: &'p ResourceChange<'a>,
    /// The reason, for deferred changes.
    pub(super) reason: &'p str,
}

impl<'p> Item<'p, '_> {
    fn key(self) -> Key<'p> {
        self.key_at(&self.change.address)
    }

    /// The key at the address before a move.
    fn previous_key(self) -> Option<Key<'p>> {
        self.change.is_moved().then(|| self.key_at(&self.change.previous_address))
    }

    fn key_at(self, address: &'p str) -> Key<'p> {
        let mode: &str = if self.change.mode.is_empty() { "managed" } else { &self.change.mode };
        (mode, &self.change.resource_type, address, &self.change.deposed)
    }
}

type Key<'i> = (&'i str, &'i str, &'i str, &'i str);

/// Pairs the indices of changes.
pub(super) fn pair<'p>(approved: &[Item<'p, '_>], now: &[Item<'p, '_>]) -> Pairs {
    let mut numbers: HashMap<Key<'_>, [usize; 2]> = HashMap::new();
    approved.iter().for_each(|item| numbers.entry(item.key()).or_default()[0] += 1);
    now.iter().for_each(|item| numbers.entry(item.key()).or_default()[1] += 1);
    numbers.retain(|_, [old, new]| *old.min(new) > 0 && *old.max(new) > 1);
    let arena = Bump::new();
    let hasher = RandomState::default();
    let mut pairs = Pairs::new(approved.len(), now.len());
    // Of several with the same key, those with equal content belong together.
    let content = |items: &[Item<'p, '_>], at: usize| {
        let (item, key) = items.get(at).map(|item| (item, item.key()))?;
        numbers.get(&key)?;
        let hashes = values(item, Builder::new(&arena, &hasher)).map(MarkedValue::hash_value);
        Some((key, item.change.change.actions.words().to_owned(), hashes))
    };
    pairs.join(|at| content(approved, at), |at| content(now, at));
    pairs.join(|at| Some(approved[at].key()), |at| Some(now[at].key()));
    // Objects that are moved in only one of the plans. An object that moves to another address than the approved one
    // is acted on in another way, so two moves from one address are no pair.
    pairs.join(|at| Some(approved[at].key()), |at| now[at].previous_key());
    let stays = |item: Item<'_, '_>| !item.change.is_moved();
    pairs.join(|at| approved[at].previous_key(), |at| stays(now[at]).then(|| now[at].key()));
    pairs
}

/// Both sides of a change, for finding similar ones. Malformed values count as null here and cause an error
/// when they are compared.
pub(super) fn values<'v>(item: &Item<'_, 'v>, build: Builder<'_, 'v>) -> [MarkedValue<'v>; 2] {
    Sides::read(&item.change.change, Position::Unspecified, build)
        .map_or([build.null(); 2], |sides| [sides.before, sides.after])
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
