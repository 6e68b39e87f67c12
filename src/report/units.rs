//! What a document about several units says of all of them.

use super::{Entry, Findings};
use crate::text::{count, first_of, one_line};

/// The maximum number of units that are named where they are not needed.
const NAMED: usize = 20;

/// What a document says of all units together.
#[derive(Clone, Debug, Default)]
pub struct Units<'r> {
    /// The number of units, with those that have no plan.
    pub number: usize,
    /// Units without a plan or whose planning failed, the gravest first.
    pub rows: Vec<UnitRow>,
    /// Units of which nothing changes.
    pub unchanged: Vec<String>,
    /// Whether these are named.
    pub names_unchanged: bool,
    /// The first findings of all units.
    pub findings: Findings,
    /// Changes that several units have.
    pub shared: Vec<SharedEntry<'r>>,
    /// The number of units that have no other changes.
    pub elsewhere: usize,
}

/// A unit without a plan.
#[derive(Clone, Debug)]
pub struct UnitRow {
    /// The name.
    pub name: String,
    /// What is the matter with it, in a word or two.
    pub state: &'static str,
    /// The same, with the reason.
    pub sentence: String,
    /// Whether it is a failure.
    pub is_failure: bool,
}

/// A change that several units have.
#[derive(Clone, Debug)]
pub struct SharedEntry<'r> {
    /// The change, as the first of them has it.
    pub entry: Entry<'r>,
    /// For each unit, the index of its part, and the places of the change in it.
    pub places: Vec<(usize, Vec<usize>)>,
}

impl Units<'_> {
    /// The numbers of units of each state, in words.
    pub fn states(&self) -> String {
        let mut states: Vec<(usize, &str)> = Vec::new();
        for row in &self.rows {
            match states.iter_mut().find(|(_, state)| *state == row.state) {
                Some((number, _)) => *number += 1,
                None => states.push((1, row.state)),
            }
        }
        states.push((self.unchanged.len(), "unchanged"));
        let words = states.into_iter().filter(|(number, _)| *number > 0);
        words.map(|(number, state)| plural(number, state)).collect::<Vec<_>>().join(", ")
    }

    /// The names of unchanged units, if they are requested.
    pub fn unchanged_names(&self) -> Option<String> {
        let names = || self.unchanged.iter().map(|name| one_line(name)).collect::<Vec<_>>().join(", ");
        (self.names_unchanged && !self.unchanged.is_empty()).then(|| format!("unchanged: {}", names()))
    }

    /// The title of the changes that several units have.
    pub const SHARED: &'static str = "The same change in several units";

    /// The sentence about units without further changes.
    pub fn elsewhere_sentence(&self) -> Option<String> {
        let have = if self.elsewhere == 1 { "has" } else { "have" };
        (self.elsewhere > 0).then(|| format!("{} {have} no other changes", count(self.elsewhere, "unit")))
    }
}

/// A number of units with a state.
fn plural(number: usize, state: &str) -> String {
    match state.split_once(' ') {
        Some(("was", rest)) if number > 1 => format!("{number} were {rest}"),
        Some(("has", rest)) if number > 1 => format!("{number} have {rest}"),
        Some(_) | None => format!("{number} {state}"),
    }
}

/// The names of units, on one line; all of them if `is_grave`.
pub fn listed(names: &[&str], is_grave: bool) -> String {
    first_of(names.iter().map(|name| one_line(name)), if is_grave { names.len() } else { NAMED })
}
