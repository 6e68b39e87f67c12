//! The `moved` blocks that would keep renamed objects.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Rename;
use crate::model::address::{module_of, resource_address};
use crate::review::entry::{Entry, PlanReview};

/// The maximum depth of modules that move as a whole.
const MAX_DEPTH: usize = 16;

/// The addresses of `moved` blocks: from and to. A module or a resource moves as a whole where all of its objects do,
/// and the plan says that its old configuration is gone; otherwise each object has a block of its own.
pub(in crate::review) fn blocks(review: &PlanReview<'_>) -> Vec<(String, String)> {
    let pair =
        |rename: &Rename<'_>| Some([review.resources.get(rename.from)?, review.resources.get(rename.to)?]);
    let pairs: Vec<[&Entry<'_>; 2]> = review.renames.iter().filter_map(pair).collect();
    let modules = whole_modules(review, &pairs);
    let resources = whole_resources(review, &pairs);
    let mut seen = HashSet::new();
    let blocks = pairs.into_iter().map(|[old, new]| match moving_module(old, new) {
        Some(module) if modules.contains_key(&module) => module,
        _ => {
            let (from, to) = (resource_address(old.address), resource_address(new.address));
            if resources.get(from) == Some(&Some(to)) { (from, to) } else { (old.address, new.address) }
        }
    });
    let blocks = blocks.filter(|block| seen.insert(*block));
    blocks.map(|(from, to)| (from.to_owned(), to.to_owned())).collect()
}

/// The instance key as in the address.
pub(super) fn key<'e>(entry: &Entry<'e>) -> &'e str {
    entry.address.get(resource_address(entry.address).len()..).unwrap_or_default()
}

/// The resources that move as a whole, with their new addresses.
fn whole_resources<'e>(
    review: &PlanReview<'e>,
    pairs: &[[&Entry<'e>; 2]],
) -> HashMap<&'e str, Option<&'e str>> {
    let mut found: HashMap<&str, Option<&str>> = HashMap::new();
    let all = review.resources.iter().map(|entry| resource_address(entry.address));
    let mut numbers = crate::sort::tally(all);
    for [old, new] in pairs {
        let (from, to) = (resource_address(old.address), resource_address(new.address));
        let is_gone =
            matches!(old.action_reason, "delete_because_no_resource_config" | "delete_because_no_module");
        let target = (is_gone && key(old) == key(new)).then_some(to);
        let slot = found.entry(from).or_insert(target);
        if *slot != target {
            *slot = None;
        }
        numbers.entry(from).and_modify(|number| *number -= 1);
    }
    // Other objects of the resource stay where they are, or are changed.
    found.retain(|from, _| numbers.get(from) == Some(&0));
    found
}

/// The module whose move explains that of an object: its address before and after.
fn moving_module<'e>(old: &Entry<'e>, new: &Entry<'e>) -> Option<(&'e str, &'e str)> {
    let is_same = old.name == new.name && key(old) == key(new);
    if !is_same || old.action_reason != "delete_because_no_module" || old.module_address.is_empty() {
        return None;
    }
    let (mut from, mut to) = (old.module_address, new.module_address);
    for _ in 0..MAX_DEPTH {
        let (outside, other) = (module_of(from), module_of(to));
        // The inner modules are the same.
        let is_same = from.get(outside.len()..) == to.get(other.len()..);
        if outside.is_empty() || other.is_empty() || !is_same {
            break;
        }
        (from, to) = (outside, other);
    }
    (!to.is_empty() && from != to).then_some((from, to))
}

/// The modules of which every object moves to the same other module.
fn whole_modules<'e>(
    review: &PlanReview<'e>,
    pairs: &[[&Entry<'e>; 2]],
) -> BTreeMap<(&'e str, &'e str), usize> {
    let mut moved = crate::sort::tally(pairs.iter().filter_map(|[old, new]| moving_module(old, new)));
    if moved.is_empty() {
        return moved;
    }
    let around = |entry: &Entry<'e>| {
        let outside = |module: &&'e str| Some(module_of(module));
        let modules = std::iter::successors(Some(entry.module_address), outside).take(MAX_DEPTH);
        modules.take_while(|module| !module.is_empty())
    };
    let numbers = crate::sort::tally(review.resources.iter().flat_map(around));
    moved.retain(|(from, _), number| numbers.get(from) == Some(number));
    moved
}
