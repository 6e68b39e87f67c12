//! Facts: what a reviewer must notice first, and what the plan proves.
//!
//! A fact is found by a rule of a table (`rules.toml`, and the rules of the user's file), from the values of one
//! change. Invariants: a rule fires only on known values; nothing is read below a sensitive mark, and no
//! sensitive value is part of a fact's text; the same change gives the same facts in the same order.

mod built_in;
mod condition;
mod finder;
mod policy;
mod rule;
mod side;
mod table;
#[cfg(test)]
mod tests;
mod world;

use std::collections::HashSet;

use bumpalo::Bump;

use self::side::member_text;
use super::entry::Fact;
use crate::diff::value::{MarkedValue, Redactor};
use crate::model::Action;
pub(in crate::review) use finder::FactFinder;
pub use rule::{Applicable, Rules};
pub use table::{TableError, UserRule};

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
    /// What an action means for the object. None if it stays as it is, or if the action is not known.
    pub fn from_action(action: &Action) -> Option<Self> {
        Some(match action {
            Action::Create => Self::Created,
            Action::Update => Self::Updated,
            Action::Delete => Self::Destroyed,
            Action::DeleteThenCreate => Self::DestroyedThenCreated,
            Action::CreateThenDelete => Self::CreatedThenDestroyed,
            Action::Forget | Action::ForgetThenCreate | Action::CreateThenForget => Self::Forgotten,
            // Whatever a new action does, the gravest that its words can mean.
            Action::Unknown(words) if words.contains("delete") => Self::Destroyed,
            Action::Unknown(_) => Self::Updated,
            Action::NoOp | Action::Read | Action::Open => return None,
        })
    }

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
pub struct Subject<'w> {
    /// What happens to the object.
    pub fate: Fate,
    /// The object before.
    pub before: MarkedValue<'w>,
    /// The object after.
    pub after: MarkedValue<'w>,
}

/// The identifiers of the objects that a plan destroys for good: what protects one of them is no longer
/// needed, so that its own removal is no fact.
#[derive(Debug, Default)]
pub struct Destroyed(HashSet<String>);

impl Destroyed {
    /// Adds an identifier of an object that is destroyed. Not for guards themselves: many have the
    /// identifier of what they protect.
    pub fn add(&mut self, identifier: &str) {
        if identifier.len() > 2 {
            self.0.insert(identifier.to_owned());
        }
    }

    /// Whether an attribute of the object names one of them.
    fn are_named_by(&self, object: MarkedValue<'_>) -> bool {
        let members = object.as_object().unwrap_or_default();
        let others = members.iter().filter(|(name, _)| !IDENTIFIERS.contains(name));
        let mut values = others.filter_map(|(name, _)| member_text(object, name));
        values.any(|text| self.0.contains(text))
    }
}

/// The attributes that other objects refer to an object by.
pub const IDENTIFIERS: [&str; 4] = ["id", "arn", "name", "self_link"];

/// The facts of a change, the gravest first. What they hold is kept by `keep`; `scratch` is for the work.
pub fn find<'w, 'a>(
    subject: &Subject<'w>,
    rules: &Applicable<'_>,
    destroyed: &Destroyed,
    redactor: Redactor<'a>,
    scratch: &'w Bump,
) -> Vec<Fact<'a>> {
    let mut facts = Vec::new();
    for rule in rules.iter() {
        condition::apply(rule, subject, destroyed, redactor, scratch, &mut facts);
    }
    // Of two facts that say the same, the one of the built-in rule stays.
    facts.sort_by_key(|fact: &Fact<'_>| (fact.kind, fact.origin));
    let mut known = HashSet::new();
    facts.retain(|fact| known.insert((fact.kind, fact.text.clone())));
    facts
}
