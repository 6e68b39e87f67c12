//! Reads policies of Google: each binding of a role is a [`Grant`] of it to its members.

use super::grant::{Grant, Part, Term, Terms};
use crate::diff::value::MarkedValue;

/// Bindings of one policy.
const MAX_BINDINGS: usize = 1_000;

/// The bindings of a policy. Their order, and that of their members, is insignificant.
#[derive(Debug, Default)]
pub(crate) struct Bindings<'a> {
    /// Members that are compared as they are, such as `version`.
    pub(crate) head: Vec<(&'a str, MarkedValue<'a>)>,
    /// The role is the action, the members are the principals, sorted, and title and expression are the condition.
    /// Several bindings of one role under one condition are one.
    pub(crate) grants: Vec<Grant<'a>>,
}

impl<'a> Bindings<'a> {
    /// The member of a policy with its bindings.
    pub(crate) const MEMBER: &'static str = "bindings";

    /// Reads a policy of Google. `None` if it is none, or if a grant cannot say all of a binding.
    pub(crate) fn new(document: MarkedValue<'a>) -> Option<Self> {
        let mut policy = Self::default();
        for (name, value) in document.as_object()? {
            if *name != Self::MEMBER {
                policy.head.push((name, *value));
                continue;
            }
            let bindings = value.as_array()?;
            if bindings.len() > MAX_BINDINGS {
                return None;
            }
            for (index, binding) in bindings.iter().enumerate() {
                policy.add(grant(index, *binding)?);
            }
        }
        for grant in &mut policy.grants {
            grant.principals.list.sort_unstable_by_key(|term| term.name);
            grant.principals.list.dedup();
        }
        Some(policy)
    }

    /// Whether there is no policy.
    pub(crate) fn is_nothing(&self) -> bool {
        self.head.is_empty() && self.grants.is_empty()
    }

    fn add(&mut self, grant: Grant<'a>) {
        match self.like(&grant) {
            Some(index) => {
                let members = grant.principals.list;
                self.grants[index].principals.list.extend(members);
            }
            None => self.grants.push(grant),
        }
    }

    /// Returns the index of the grant of the same role under the same condition.
    pub(crate) fn like(&self, grant: &Grant<'_>) -> Option<usize> {
        let is_like = |known: &Grant<'_>| {
            [Part::Action, Part::Condition]
                .iter()
                .all(|part| known.part(*part) == grant.part(*part))
        };
        self.grants.iter().position(is_like)
    }
}

/// Reads one binding. `None` if it has members that a grant cannot say.
fn grant<'a>(index: usize, binding: MarkedValue<'a>) -> Option<Grant<'a>> {
    let mut grant = Grant {
        index: Some(index),
        effect: Grant::ALLOW,
        // A binding without a role grants nothing that has a name.
        actions: Terms::of(vec![Term::new("")]),
        is_whole: true,
        ..Grant::default()
    };
    for (name, value) in binding.as_object()? {
        match *name {
            "role" => grant.actions = Terms::of(vec![Term::new(value.as_str()?)]),
            "members" => {
                for member in value.as_array()? {
                    grant.principals.list.push(Term::new(member.as_str()?));
                }
            }
            "condition" if value.is_null() => {}
            "condition" => {
                let texts = value.as_object()?.iter();
                let terms = texts.map(|(_, text)| text.as_str().map(Term::new));
                grant.conditions = Terms::of(terms.collect::<Option<_>>()?);
            }
            _ => return None,
        }
    }
    Some(grant)
}
