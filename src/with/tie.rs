//! Ties results to resources: by address, by the names that a tool makes of addresses, or by lines of files.
//!
//! Invariants: a result is tied only to a resource that is known from the plan. If two resources are equally likely, it
//! is tied to neither. A result that is not tied is kept. A tied result has the address of an instance, of a resource
//! in one instance of its module, or of a block, whichever the tool knew.
//! instance of its module, or of a block, whichever the tool knew.

mod file_path;
mod index;
mod known;
mod plan;
mod tied;

use std::collections::{BTreeMap, BTreeSet};

use self::index::{PlanIndex, merged};
use super::{Clue, Costs, Results, ToolResult};

pub use self::file_path::is_same_file;
pub use self::known::KnownResources;
pub use self::plan::PlanToTie;
pub use self::tied::Tied;

/// The number of attempts to tie results to further plans and resources that any input has; after them, each result is
/// tied to one.
const MIN_TRIES: usize = 100_000;
/// The number of further attempts for each result and each known address.
const TRIES_FOR_EACH: usize = 16;

/// Returns the addresses of the block at a line of a configuration file, in each module that has the file.
pub type BlocksAt<'f> = &'f mut dyn FnMut(&str, u64) -> Vec<String>;

/// Ties the results in files to plans. A result that names the file of a plan is about that plan; any other is tied to
/// each plan that it fits. What fits no plan is listed with the first one that it can be about.
///
/// A result that names the file of a plan is about that plan; any other one is tied to each plan that it fits. A result
/// that fits no plan is listed with the first one that it can be about.
///
/// Takes time linear in the results, in the addresses of all plans and in the pairs that fit, of which there are at
/// most `MIN_TRIES` and `TRIES_FOR_EACH` for each result and address.
pub fn tie<'a>(files: Vec<Results<'a>>, plans: &mut [PlanToTie<'a, '_>], blocks_at: BlocksAt<'_>) {
    let index = PlanIndex::new(plans);
    let results: usize = files.iter().map(|file| file.results.len()).sum();
    let mut tries = MIN_TRIES + TRIES_FOR_EACH * (results + index.addresses.len());
    for Results {
        reports,
        results,
        costs,
    } in files
    {
        if let Some(first) = plans.first_mut() {
            first.tied.reports.extend(reports);
        }
        for result in results {
            tie_result(result, plans, &index, blocks_at, &mut tries);
        }
        for costs in costs {
            tie_costs(costs, plans, &index, &mut tries);
        }
    }
    plans.iter_mut().for_each(|plan| plan.tied.sort());
}

/// Ties a result to each plan that it may be about: those whose file it names, otherwise those that
/// know its clues. One that fits none is kept with the first.
fn tie_result<'a>(
    mut result: ToolResult<'a>,
    plans: &mut [PlanToTie<'a, '_>],
    index: &PlanIndex<'a>,
    blocks_at: BlocksAt<'_>,
    tries: &mut usize,
) {
    let clues = std::mem::take(&mut result.clues);
    let most = *tries + 1;
    let mut named = BTreeSet::new();
    let mut blocks = Vec::with_capacity(clues.len());
    for clue in &clues {
        let mut blocks_of_clue = Vec::new();
        if let Clue::Lines(file, line) = clue {
            named.extend(merged(&index.of_file(file), most));
            if *line > 0 {
                blocks_of_clue = blocks_at(file, *line);
            }
        }
        blocks.push(blocks_of_clue);
    }
    let is_named = plans.len() > 1 && !named.is_empty();
    let first = named.first().copied().filter(|_| is_named).unwrap_or(0);
    let candidates = if is_named {
        named
    } else {
        merged(&index.of_clues(&clues, &blocks), most)
    };
    let mut is_tied = false;
    for (count, number) in candidates.into_iter().enumerate() {
        if count > 0 {
            if *tries == 0 {
                break;
            }
            *tries -= 1;
        }
        let Some(plan) = plans.get_mut(number) else {
            continue;
        };
        let mut addresses = plan.addresses_of(&clues, &blocks);
        if addresses.is_empty() {
            continue;
        }
        is_tied = true;
        addresses.truncate((*tries).max(1));
        *tries -= addresses.len().min(*tries);
        plan.tied.add(ToolResult {
            addresses,
            ..result.clone()
        });
    }
    if !is_tied && let Some(plan) = plans.get_mut(first) {
        let lines = clues
            .into_iter()
            .filter(|clue| matches!(clue, Clue::Lines(..)));
        result.clues = lines.take(1).collect();
        plan.tied.add(result);
    }
}

/// Ties costs to the plan of their path, or to the one whose resources fit best.
fn tie_costs<'a>(
    costs: Costs<'a>,
    plans: &mut [PlanToTie<'a, '_>],
    index: &PlanIndex<'a>,
    tries: &mut usize,
) {
    let by_name = merged(&index.of_file(costs.path), 1).first().copied();
    let by_name = by_name.or((plans.len() == 1).then_some(0));
    let number = by_name.or_else(|| best_fit(&costs, index, tries));
    let (path, file) = (costs.path, costs.file.clone());
    let Some(plan) = plans.get_mut(number.unwrap_or(0)) else {
        return;
    };
    if number.is_none() {
        plan.tied.notes.push(format!(
            "the costs of {path} in {file} belong to none of these plans"
        ));
    } else if !plan.tied.costs.get_or_insert_default().add(costs) {
        plan.tied.notes.push(format!(
            "{file} has costs in another currency, which are left out"
        ));
    }
}

/// Returns the plan that has the most addresses of these costs; `None` if two plans fit equally well.
fn best_fit(costs: &Costs<'_>, index: &PlanIndex<'_>, tries: &mut usize) -> Option<usize> {
    let mut fitting: BTreeMap<usize, usize> = BTreeMap::new();
    for address in costs.resources.keys() {
        let Some(plans) = index.addresses.get(address) else {
            continue;
        };
        *tries = tries.checked_sub(plans.len())?;
        for plan in plans {
            *fitting.entry(*plan).or_default() += 1;
        }
    }
    let most = fitting.values().copied().max()?;
    let mut best = fitting.iter().filter(|(_, number)| **number == most);
    let only = best.next().map(|(plan, _)| *plan);
    only.filter(|_| best.next().is_none())
}

#[cfg(test)]
mod tests;
