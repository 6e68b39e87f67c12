//! Facts: what a reviewer must notice first, and what the plan proves.
//!
//! A fact is found by a rule of a table (`rules.toml`, and the user's own lines), from the values of one
//! change. Invariants: a rule fires only on known values; nothing is read below a sensitive mark, and no
//! sensitive value is part of a fact's text; the same change gives the same facts in the same order.

mod condition;
mod policy;
mod rule;
mod side;
mod table;
#[cfg(test)]
mod tests;
mod world;

use std::collections::HashSet;

use bumpalo::Bump;

use crate::json::Value;
pub use rule::{Applicable, Rules};
pub use side::{PathStep, Side};
pub use table::TableError;

/// The kinds of facts, from the gravest to the lightest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactKind {
    /// An object that holds data is destroyed, replaced or forgotten.
    Data,
    /// The world, or everybody, gets in.
    Opens,
    /// A protection becomes weaker or is removed.
    Unguards,
    /// A resource that serves requests is interrupted.
    Down,
    /// An attribute of weight becomes known only after apply, on an object that exists.
    Unseen,
}

impl FactKind {
    /// All kinds, the gravest first.
    pub const ALL: [Self; 5] = [Self::Data, Self::Opens, Self::Unguards, Self::Down, Self::Unseen];

    /// The word that the command line, the JSON and the texts use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Opens => "opens",
            Self::Unguards => "unguards",
            Self::Down => "down",
            Self::Unseen => "unseen",
        }
    }
}

/// One fact about one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its kind.
    pub kind: FactKind,
    /// The attribute, from the root of the resource: in the value after, or before where it is removed.
    /// Empty for a fact about the whole object.
    pub path: Vec<PathStep>,
    /// The fact in words, without the address. Holds untrusted text of the plan.
    pub text: String,
}

/// What happens to the object that a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is created.
    Created,
    /// It is updated in place.
    Updated,
    /// It is destroyed, then another one is created.
    DestroyedThenCreated,
    /// Another one is created, then it is destroyed.
    CreatedThenDestroyed,
    /// It is destroyed.
    Destroyed,
    /// It stays, but is no longer managed; another one may be created in its place.
    Forgotten,
}

impl Fate {
    /// Whether the object exists before the change, and an object of this address after it.
    fn is_kept_or_replaced(self) -> bool {
        match self {
            Self::Updated | Self::DestroyedThenCreated | Self::CreatedThenDestroyed => true,
            Self::Created | Self::Destroyed | Self::Forgotten => false,
        }
    }
}

/// A change, as the rules look at it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// What happens to the object.
    pub fate: Fate,
    /// The object before.
    pub before: Side<'a>,
    /// The object after.
    pub after: Side<'a>,
}

/// The identifiers of the objects that a plan destroys for good: what protects one of them is no longer
/// needed, so that its own removal is no fact.
#[derive(Debug, Default)]
pub struct Destroyed<'a>(HashSet<&'a str>);

impl<'a> Destroyed<'a> {
    /// Adds an object that is destroyed. Not for guards themselves: many have the identifier of what they
    /// protect.
    pub fn add(&mut self, before: Side<'a>) {
        for name in IDENTIFIERS {
            if let Some(Value::String(text)) = before.key(name).known()
                && text.len() > 2
            {
                self.0.insert(text);
            }
        }
    }

    /// Whether an attribute of the object names one of them.
    fn are_named_by(&self, object: Side<'a>) -> bool {
        let members = object.value.as_object().unwrap_or_default().members();
        let others = members.iter().filter(|(name, _)| !IDENTIFIERS.contains(name));
        let mut values = others.filter_map(|(name, _)| object.key(name).known()?.as_str());
        values.any(|text| self.0.contains(text))
    }
}

/// The attributes that other objects refer to an object by.
const IDENTIFIERS: [&str; 4] = ["id", "arn", "name", "self_link"];

/// The facts of a change, the gravest first.
pub fn find<'a>(
    subject: &Subject<'a>,
    rules: &Applicable<'_>,
    destroyed: &Destroyed<'a>,
    arena: &'a Bump,
) -> Vec<Fact> {
    let mut facts = Vec::new();
    for rule in rules.iter() {
        condition::apply(rule, subject, destroyed, arena, &mut facts);
    }
    facts.sort_by(|a, b| a.kind.cmp(&b.kind));
    let mut known = HashSet::new();
    facts.retain(|fact| known.insert((fact.kind, fact.text.clone())));
    facts
}
