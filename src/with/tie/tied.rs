//! What was tied to one plan, by the addresses of its resources.

use std::collections::{HashMap, HashSet};

use super::known::keys;
use crate::with::{Costs, ResultLevel, ToolReport, ToolResult};

/// The results of other tools about one plan.
#[derive(Clone, Debug, Default)]
pub struct Tied<'a> {
    /// What each tool reported, in numbers; only the first plan has it.
    pub reports: Vec<ToolReport<'a>>,
    /// The results about the plan, including those that fit none of its resources.
    pub results: Vec<ToolResult<'a>>,
    /// The indices of `results` about each resource.
    by_address: HashMap<&'a str, Vec<usize>>,
    /// The costs of the plan.
    pub costs: Option<Costs<'a>>,
    /// The notes about what could not be tied, with the reasons.
    pub notes: Vec<String>,
}

impl<'a> Tied<'a> {
    /// Whether other tools say nothing about the plan.
    pub fn is_empty(&self) -> bool {
        self.reports.is_empty()
            && self.results.is_empty()
            && self.costs.is_none()
            && self.notes.is_empty()
    }

    pub(super) fn add(&mut self, result: ToolResult<'a>) {
        for address in &result.addresses {
            self.by_address
                .entry(*address)
                .or_default()
                .push(self.results.len());
        }
        self.results.push(result);
    }

    pub(super) fn sort(&mut self) {
        let results = &self.results;
        let level =
            |index: &usize| std::cmp::Reverse(results.get(*index).map(|result| result.level));
        self.by_address
            .values_mut()
            .for_each(|indices| indices.sort_by_key(level));
    }

    /// Returns the results about any of these addresses, and how many more there are: at most `max`
    /// are taken for each address, because a block may have very many.
    pub fn about(&self, addresses: &[&str], max: usize) -> (Vec<&ToolResult<'a>>, usize) {
        let (mut about, mut more) = (Vec::new(), 0);
        if self.by_address.is_empty() {
            return (about, more);
        }
        let mut known_keys = HashSet::new();
        for key in addresses.iter().flat_map(|address| keys(address)) {
            let Some((key, results)) = self.by_address.get_key_value(&*key) else {
                continue;
            };
            if known_keys.insert(*key) {
                about.extend(
                    results
                        .iter()
                        .take(max)
                        .filter_map(|index| self.results.get(*index)),
                );
                more += results.len().saturating_sub(max);
            }
        }
        (about, more)
    }

    /// Returns the results that are about none of these addresses, or are not tied.
    pub fn about_others<'n>(
        &self,
        addresses: impl Iterator<Item = &'n str>,
    ) -> Vec<&ToolResult<'a>> {
        let named: HashSet<String> = match self.results.is_empty() {
            true => HashSet::new(),
            false => addresses.flat_map(keys).collect(),
        };
        let is_other =
            |result: &&ToolResult<'_>| !result.addresses.iter().any(|index| named.contains(*index));
        self.results.iter().filter(is_other).collect()
    }

    /// Returns the results of at least this level, and the number of those that were not kept.
    pub fn at_least(&self, level: ResultLevel) -> (impl Iterator<Item = &ToolResult<'a>>, usize) {
        let counted = self
            .reports
            .iter()
            .flat_map(|report| ResultLevel::ALL.into_iter().zip(report.left_out));
        let left_out = counted
            .filter(|(of, _)| *of >= level)
            .map(|(_, number)| number)
            .sum();
        (
            self.results
                .iter()
                .filter(move |result| result.level >= level),
            left_out,
        )
    }
}
