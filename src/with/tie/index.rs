//! Finds the plans that a result may be about, without trying each plan.

use std::collections::{BTreeSet, HashMap};

use super::file_path::FilePath;
use super::known::{MAX_PATH, address_words};
use super::plan::PlanToTie;
use crate::with::Clue;

/// An index of the plans that have an address, a block or a file name. Plans are given by their indices, in order.
#[derive(Debug, Default)]
pub(super) struct PlanIndex<'a> {
    /// The plans by addresses, and by the names that Trivy gives to resources.
    pub(super) addresses: HashMap<&'a str, Vec<usize>>,
    /// The plans by each end of their paths, as [`FilePath`] writes it.
    ending: HashMap<String, Vec<usize>>,
    /// The plans by their whole paths.
    whole: HashMap<String, Vec<usize>>,
}

impl<'a> PlanIndex<'a> {
    /// Indexes the addresses and file names of all plans.
    pub(super) fn new(plans: &[PlanToTie<'a, '_>]) -> Self {
        let mut index = Self::default();
        for (number, plan) in plans.iter().enumerate() {
            let addresses = plan.known.addresses.iter().chain(plan.known.hashed.keys());
            for address in addresses {
                index.addresses.entry(*address).or_default().push(number);
            }
            let path = FilePath::new(plan.name);
            for end in path.ends() {
                index.ending.entry(end.to_owned()).or_default().push(number);
            }
            index.whole.entry(path.0).or_default().push(number);
        }
        index
    }

    /// Returns the plans whose file a path may name: it is an end of theirs, or theirs is an end of it.
    pub(super) fn of_file(&self, path: &str) -> Vec<&[usize]> {
        let path = FilePath::new(path);
        let mut lists: Vec<&[usize]> = Vec::new();
        lists.extend(self.ending.get(&path.0).map(Vec::as_slice));
        let shorter = path.ends().filter(|end| end.len() < path.0.len());
        lists.extend(shorter.filter_map(|end| self.whole.get(end).map(Vec::as_slice)));
        lists
    }

    /// Adds the plans in which a text may be, or begin with, an address.
    fn of_address<'i>(&'i self, text: &str, lists: &mut Vec<&'i [usize]>) {
        let mut text = text.trim();
        for _ in 0..=MAX_PATH {
            lists.extend(self.addresses.get(text).map(Vec::as_slice));
            match text.rfind('.') {
                Some(end) => text = &text[..end],
                None => return,
            }
        }
    }

    /// Returns the plans that one of these clues may lead to.
    pub(super) fn of_clues(&self, clues: &[Clue<'a>], blocks: &[Vec<String>]) -> Vec<&[usize]> {
        let mut lists = Vec::new();
        for (clue, blocks) in clues.iter().zip(blocks) {
            match clue {
                Clue::Address(text) => self.of_address(text, &mut lists),
                Clue::Words(text) => {
                    for word in address_words(text) {
                        self.of_address(word, &mut lists);
                    }
                }
                Clue::Lines(file, _) => {
                    lists.extend(self.of_file(file));
                    let plans = blocks
                        .iter()
                        .filter_map(|block| self.addresses.get(&**block));
                    lists.extend(plans.map(Vec::as_slice));
                }
            }
        }
        lists
    }
}

/// Returns the plans of all lists, each once and in order, and no more than `max` of each list.
pub(super) fn merged(lists: &[&[usize]], max: usize) -> BTreeSet<usize> {
    let plans = lists.iter().flat_map(|list| list.iter().take(max));
    plans.copied().collect()
}
