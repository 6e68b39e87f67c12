//! Assigns the operations of a run to planned changes.
//!
//! Invariants: each operation belongs to at most one planned change; otherwise it was not planned. The time
//! is linear in the number of changes and operations, however many share an address.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bumpalo::Bump;
use foldhash::{HashMap, HashMapExt as _};

use super::run::{Operation, Run};
use crate::diff::Error;
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::ResourceChange;

/// A step of a planned change, and its operation.
#[derive(Debug)]
pub(super) struct Step<'r, 'a> {
    pub(super) word: &'static str,
    pub(super) operation: Option<&'r Operation<'a>>,
}

/// The assignment of operations to planned changes.
pub(super) struct Assigned<'r, 'a> {
    run: &'r Run<'a>,
    /// The steps of each planned change.
    pub(super) steps: Vec<Vec<Step<'r, 'a>>>,
    /// The operations that were not planned, by address, except for reads, which change nothing and also occur when
    /// planning.
    unplanned: BTreeMap<&'r str, Vec<&'r Operation<'a>>>,
    /// The change with which other operations at an address are reported: that of the current object, if
    /// there is one.
    main_change: HashMap<&'r str, usize>,
}

/// The maximum number of operations with the same address and word that are searched for an object's ID.
const MAX_ALIKE: usize = 64;

impl<'r, 'a> Assigned<'r, 'a> {
    pub(super) fn new(changes: &'r [ResourceChange<'a>], run: &'r Run<'a>) -> Result<Self, Error> {
        let listed = changes.iter().filter(|change| change.is_listed());
        let changes_of = crate::sort::tally(listed.map(|change| &*change.address));
        let mut free: HashMap<(&str, &str), VecDeque<usize>> = HashMap::new();
        for (at, operation) in run.operations.iter().enumerate() {
            free.entry((&operation.address, &operation.word)).or_default().push_back(at);
        }
        let mut is_planned = vec![false; run.operations.len()];
        let mut main_change: HashMap<&'r str, usize> = HashMap::new();
        let mut steps = Vec::with_capacity(changes.len());
        for (at, change) in changes.iter().enumerate() {
            let mut of_item = Vec::new();
            let is_listed = change.is_listed();
            if is_listed {
                let main = main_change.entry(&*change.address).or_insert(at);
                if change.deposed.is_empty() {
                    *main = at;
                }
            }
            for word in if is_listed { steps_of(&change.change.actions) } else { Vec::new() } {
                let operation = match free.get_mut(&(&*change.address, word)) {
                    None => None,
                    // An object and its deposed objects share an address and are distinguished by ID.
                    Some(free) if changes_of.get(&*change.address).is_some_and(|number| *number > 1) => {
                        let arena = Bump::new();
                        let before: Option<Raw<'_>> = change.change.before;
                        let before = Raw::value_or_null(before, &arena)?;
                        let mut likely = free.iter().take(MAX_ALIKE);
                        let place = likely.position(|at| may_be_of(before, &run.operations[*at]));
                        place.and_then(|place| free.remove(place))
                    }
                    Some(free) => free.pop_front(),
                };
                if let Some(at) = operation {
                    is_planned[at] = true;
                }
                of_item.push(Step { word, operation: operation.map(|at| &run.operations[at]) });
            }
            steps.push(of_item);
        }
        let mut unplanned: BTreeMap<&'r str, Vec<&'r Operation<'a>>> = BTreeMap::new();
        for (operation, is_planned) in run.operations.iter().zip(is_planned) {
            if !is_planned && *operation.word != *"read" {
                unplanned.entry(&operation.address).or_default().push(operation);
            }
        }
        Ok(Self { run, steps, unplanned, main_change })
    }

    /// Whether the run acts only on objects that are not in the plan.
    pub(super) fn is_foreign(&self, changes: &[ResourceChange<'_>]) -> bool {
        let is_change = |operation: &&Operation<'_>| *operation.word != *"read";
        let mut acted = self.run.operations.iter().filter(is_change).peekable();
        if acted.peek().is_none() || changes.is_empty() {
            return false;
        }
        let known: BTreeSet<&str> = changes.iter().map(|change| &*change.address).collect();
        acted.all(|operation| !known.contains(&*operation.address))
    }

    /// The other operations on an object, if they are reported with this change.
    pub(super) fn unplanned_of(&self, at: usize, change: &ResourceChange<'_>) -> &[&'r Operation<'a>] {
        let is_main = self.main_change.get(&*change.address) == Some(&at);
        self.unplanned.get(&*change.address).filter(|_| is_main).map_or(&[], Vec::as_slice)
    }

    /// The operations on objects that the plan does not change, in order of address.
    pub(super) fn unplanned_elsewhere(&self) -> impl Iterator<Item = (&'r str, Vec<&'r str>)> {
        let elsewhere =
            self.unplanned.iter().filter(|(address, _)| !self.main_change.contains_key(**address));
        elsewhere.map(|(address, found)| (*address, found.iter().map(|operation| &*operation.word).collect()))
    }
}

/// Whether an operation may belong to an object with these values, according to its previous ID.
fn may_be_of(before: Value<'_>, operation: &Operation<'_>) -> bool {
    let Some((key, value)) = &operation.id_before else { return true };
    match before.as_object().and_then(|object| object.get(key)) {
        Some(Value::String(known)) => *known == **value,
        Some(_) | None => true,
    }
}

/// The operations for an action, in the words of the messages. Moves, imports and forgets have none.
fn steps_of(action: &Action) -> Vec<&'static str> {
    match action {
        Action::Create | Action::ForgetThenCreate | Action::CreateThenForget => vec!["create"],
        Action::Read => vec!["read"],
        Action::Update => vec!["update"],
        Action::Delete => vec!["delete"],
        Action::DeleteThenCreate => vec!["delete", "create"],
        Action::CreateThenDelete => vec!["create", "delete"],
        Action::NoOp | Action::Forget | Action::Open => Vec::new(),
        Action::Unknown(words) => {
            const KNOWN: [&str; 4] = ["create", "read", "update", "delete"];
            let known = |word: &str| KNOWN.into_iter().find(|known| *known == word.trim());
            words.split(',').filter_map(known).collect()
        }
    }
}

/// The action that consists of these operations.
pub(super) fn action_of(words: &[&str]) -> Action {
    Action::from_words(words)
}
