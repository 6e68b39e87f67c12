//! Reads IAM policies of Google. Each binding of a role becomes a [`Grant`] of that role to the members of the binding.
//!
//! ```text
//! {"bindings": [{"role": "roles/viewer", "members": ["group:dev@example.com"]}], "version": 1}
//! head     [("version", 1)]
//! grants   allow, actions: roles/viewer, principals: group:dev@example.com
//! ```

use super::grant::{Grant, Part, Term, Terms};
use crate::diff::value::MarkedValue;

/// The maximum number of bindings of a policy. One that has more is not read.
const MAX_BINDINGS: usize = 1_000;

/// A policy of Google as the grants of its bindings. The order of bindings and of their members is insignificant.
#[derive(Debug, Default)]
pub(crate) struct Bindings<'a> {
    /// The members of the policy other than its bindings, such as `version`. They are compared as they are.
    pub(crate) head: Vec<(&'a str, MarkedValue<'a>)>,
    /// The bindings. The role is the action, the members are the principals (sorted), and title and expression are the
    /// condition. Several bindings of one role under one condition are merged.
    pub(crate) grants: Vec<Grant<'a>>,
}

impl<'a> Bindings<'a> {
    /// The name of the member of a policy that has its bindings.
    pub(crate) const MEMBER: &'static str = "bindings";

    /// Reads a policy of Google. Returns `None` if the document is no such policy, if it has more than `MAX_BINDINGS`
    /// bindings, or if a grant cannot express all of a binding.
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

    /// Adds a grant, or its members to the grant of the same role under the same condition.
    fn add(&mut self, grant: Grant<'a>) {
        match self.like(&grant) {
            Some(index) => {
                let members = grant.principals.list;
                self.grants[index].principals.list.extend(members);
            }
            None => self.grants.push(grant),
        }
    }

    /// Returns the index of the grant with the same role and condition.
    pub(crate) fn like(&self, grant: &Grant<'_>) -> Option<usize> {
        let is_like = |known: &Grant<'_>| {
            [Part::Action, Part::Condition]
                .iter()
                .all(|part| known.part(*part) == grant.part(*part))
        };
        self.grants.iter().position(is_like)
    }
}

/// Reads one binding. Returns `None` if it has members that a grant cannot express.
fn grant<'a>(index: usize, binding: MarkedValue<'a>) -> Option<Grant<'a>> {
    let mut grant = Grant {
        index: Some(index),
        effect: Grant::ALLOW,
        // A binding without a role gets an action without a name.
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
