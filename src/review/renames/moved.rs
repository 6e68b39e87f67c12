//! The `moved` blocks that would keep renamed objects.

use std::collections::{HashMap, HashSet};

use super::Rename;
use crate::review::entry::{Entry, PlanReview};

/// The maximum depth of modules that move as a whole.
const MAX_DEPTH: usize = 16;

/// The addresses of `moved` blocks: from and to. A module or a resource moves as a whole where all of its objects do,
/// and the plan says that its old configuration is gone; otherwise each object has a block of its own.
pub(in crate::review) fn blocks(review: &PlanReview<'_>) -> Vec<(String, String)> {
    let pairs: Vec<[&Entry<'_>; 2]> =
        review.renames.iter().filter_map(|rename| pair(review, rename)).collect();
    let modules = whole_modules(review, &pairs);
    let resources = whole_resources(review, &pairs);
    let mut seen = HashSet::new();
    let mut blocks: Vec<(String, String)> = Vec::new();
    for [old, new] in pairs {
        let block = match moving_module(old, new) {
            Some(module) if modules.contains_key(&module) => (module.0.to_owned(), module.1.to_owned()),
            _ => {
                let (from, to) = (resource(old), resource(new));
                if resources.get(&*from) == Some(&Some(to.clone())) {
                    (from, to)
                } else {
                    (old.address.to_owned(), new.address.to_owned())
                }
            }
        };
        if seen.insert(block.clone()) {
            blocks.push(block);
        }
    }
    blocks
}

fn pair<'r, 'a>(review: &'r PlanReview<'a>, rename: &Rename<'a>) -> Option<[&'r Entry<'a>; 2]> {
    Some([review.resources.get(rename.from)?, review.resources.get(rename.to)?])
}

/// The address of the resource of an object.
fn resource(entry: &Entry<'_>) -> String {
    let own = format!("{}.{}", entry.resource_type, entry.name);
    if entry.module_address.is_empty() { own } else { format!("{}.{own}", entry.module_address) }
}

/// The instance key as in the address.
fn key<'e>(entry: &'e Entry<'_>) -> &'e str {
    let length = resource(entry).len();
    entry.address.get(length..).unwrap_or(entry.address)
}

/// The resources that move as a whole, with their new addresses.
fn whole_resources(review: &PlanReview<'_>, pairs: &[[&Entry<'_>; 2]]) -> HashMap<String, Option<String>> {
    let mut found: HashMap<String, Option<String>> = HashMap::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for entry in &review.resources {
        *numbers.entry(resource(entry)).or_default() += 1;
    }
    for [old, new] in pairs {
        let (from, to) = (resource(old), resource(new));
        let is_gone =
            matches!(old.action_reason, "delete_because_no_resource_config" | "delete_because_no_module");
        let target = (is_gone && key(old) == key(new)).then_some(to);
        let slot = found.entry(from.clone()).or_insert_with(|| target.clone());
        if *slot != target {
            *slot = None;
        }
        if let Some(number) = numbers.get_mut(&from) {
            *number = number.saturating_sub(1);
        }
    }
    // Other objects of the resource stay where they are, or are changed.
    found.retain(|from, _| numbers.get(from) == Some(&0));
    found
}

/// The module whose move explains that of an object: its address before and after.
fn moving_module<'e>(old: &'e Entry<'_>, new: &'e Entry<'_>) -> Option<(&'e str, &'e str)> {
    let is_same = old.name == new.name && key(old) == key(new);
    if !is_same || old.action_reason != "delete_because_no_module" || old.module_address.is_empty() {
        return None;
    }
    let (mut from, mut to) = (old.module_address, new.module_address);
    for _ in 0..MAX_DEPTH {
        match (outer(from), outer(to)) {
            // The inner modules are the same.
            (Some((outside, step)), Some((other, same)))
                if step == same && !outside.is_empty() && !other.is_empty() =>
            {
                (from, to) = (outside, other);
            }
            _ => break,
        }
    }
    (!to.is_empty() && from != to).then_some((from, to))
}

/// Splits a module address into the outer module and the last step.
fn outer(module: &str) -> Option<(&str, &str)> {
    // A key may contain dots, but no quote that is not escaped.
    let at = module.match_indices("module.").map(|(at, _)| at).filter(|at| {
        let before = &module[..*at];
        before.matches('"').count().is_multiple_of(2) && (before.is_empty() || before.ends_with('.'))
    });
    let at = at.last()?;
    let (outside, step) = module.split_at(at);
    Some((outside.strip_suffix('.').unwrap_or(outside), step))
}

/// The modules of which every object moves to the same other module.
fn whole_modules<'e>(
    review: &'e PlanReview<'_>,
    pairs: &[[&'e Entry<'_>; 2]],
) -> HashMap<(&'e str, &'e str), usize> {
    let mut moved: HashMap<(&str, &str), usize> = HashMap::new();
    for [old, new] in pairs {
        if let Some(module) = moving_module(old, new) {
            *moved.entry(module).or_default() += 1;
        }
    }
    if moved.is_empty() {
        return moved;
    }
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for entry in &review.resources {
        let mut module = entry.module_address;
        for _ in 0..MAX_DEPTH {
            if module.is_empty() {
                break;
            }
            *numbers.entry(module).or_default() += 1;
            module = outer(module).map_or("", |(outside, _)| outside);
        }
    }
    moved.retain(|(from, _), number| numbers.get(from) == Some(number));
    moved
}
