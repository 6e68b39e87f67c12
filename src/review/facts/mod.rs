//! Facts: what a reviewer should notice first, such as data that is lost or access that is opened.
//!
//! A fact is found by a rule of a table (`rules.toml`, and the rules of the user's file) in the values of one
//! change. Invariants: rules apply to known values only; nothing is read below a sensitive mark, so that no
//! fact contains sensitive values; equal changes have equal facts in the same order.

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

/// The effect of a change on the object.
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
    /// It may be destroyed, replaced or updated: the action is unknown.
    Unknown,
}

impl Fate {
    /// The effect of an action; `None` if the object is unchanged.
    pub fn from_action(action: &Action) -> Option<Self> {
        Some(match action.worst_case() {
            Action::Delete if *action != Action::Delete => Self::Unknown,
            Action::Create => Self::Created,
            Action::Update => Self::Updated,
            Action::Delete => Self::Destroyed,
            Action::DeleteThenCreate => Self::DestroyedThenCreated,
            Action::CreateThenDelete => Self::CreatedThenDestroyed,
            Action::Forget | Action::ForgetThenCreate | Action::CreateThenForget => Self::Forgotten,
            Action::NoOp | Action::Read | Action::Open | Action::Unknown(_) => return None,
        })
    }

    /// Whether an object exists at this address both before and after the change.
    fn is_kept_or_replaced(self) -> bool {
        match self {
            Self::Updated | Self::DestroyedThenCreated | Self::CreatedThenDestroyed | Self::Unknown => true,
            Self::Created | Self::Destroyed | Self::Forgotten => false,
        }
    }
}

/// A change to find facts in.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'w> {
    /// The effect on the object.
    pub fate: Fate,
    /// The object before.
    pub before: MarkedValue<'w>,
    /// The object after.
    pub after: MarkedValue<'w>,
}

/// The identifiers of the objects that a plan destroys. Removing the protection of such an object is not
/// worth a fact.
#[derive(Debug, Default)]
pub struct Destroyed(HashSet<String>);

impl Destroyed {
    /// Adds an identifier of a destroyed object. The object must not be a guard itself, because many guards
    /// have the identifier of the object that they protect.
    pub fn add(&mut self, identifier: &str) {
        if identifier.len() > 2 {
            self.0.insert(identifier.to_owned());
        }
    }

    /// Whether an attribute of `object` has one of these identifiers as its value.
    fn are_named_by(&self, object: MarkedValue<'_>) -> bool {
        let members = object.as_object().unwrap_or_default();
        let others = members.iter().filter(|(name, _)| !IDENTIFIERS.contains(name));
        let mut values = others.filter_map(|(name, _)| member_text(object, name));
        values.any(|text| self.0.contains(text))
    }
}

/// Attributes that identify an object in references of other objects.
pub const IDENTIFIERS: [&str; 4] = ["id", "arn", "name", "self_link"];

/// The facts of a change, the most severe first. The facts are copied by `redactor`; `scratch` is for
/// temporary values.
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
    // Of two facts with the same text, the one of a built-in rule is kept.
    facts.sort_by_key(|fact: &Fact<'_>| (fact.kind, fact.origin));
    let mut known = HashSet::new();
    facts.retain(|fact| known.insert((fact.kind, fact.text.clone())));
    facts
}
