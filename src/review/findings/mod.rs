//! Findings: what a reviewer should notice first, such as data that is lost or access that is opened.
//!
//! A finding is found by a rule of a table (`rules.toml`, and the rules of the user's file) in the values of one
//! change. Invariants: rules apply to known values only; nothing is read below a sensitive mark, so that no
//! finding contains sensitive values; equal changes have equal findings in the same order.

mod built_in;
mod condition;
mod documents;
mod expected;
mod exposure;
mod finder;
mod fragment;
mod guard;
mod path;
mod places;
mod policy;
mod role;
mod rule;
mod secret;
mod side;
mod table;
#[cfg(test)]
mod tests;
mod vault;

use std::collections::HashSet;

use super::entry::Finding;
use crate::access::Policies;
use crate::diff::value::{MarkedValue, Redactor};
use crate::model::Action;
pub(in crate::review) use documents::Documents;
pub(in crate::review) use expected::{expected, policy_documents};
pub(in crate::review) use finder::Finder;
pub(in crate::review) use guard::Guarded;
pub use rule::Rules;
use rule::{Applicable, Rule};
pub(in crate::review) use secret::{Credentials, is_in as has_secret};
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
        !matches!(self, Self::Created | Self::Destroyed | Self::Forgotten)
    }
}

/// A change to find findings in.
#[derive(Clone, Copy)]
pub(in crate::review) struct Subject<'o, 'w> {
    /// The effect on the object.
    pub fate: Fate,
    /// The resource type.
    pub resource_type: &'o str,
    /// The object before.
    pub before: MarkedValue<'w>,
    /// The object after.
    pub after: MarkedValue<'w>,
    /// The objects that it may protect.
    pub guarded: Guarded<'o>,
    /// The documents in its strings.
    pub documents: &'o Documents<'w>,
    /// The credentials in both.
    pub credentials: &'o Credentials<'w>,
    /// The policies in both.
    pub policies: &'o Policies<'w>,
}

/// The findings of an action that is invoked with this configuration.
pub(in crate::review) fn of_action<'a>(config: MarkedValue<'_>, rules: &Applicable<'_>) -> Vec<Finding<'a>> {
    let mut findings = Vec::new();
    rules.iter().for_each(|rule| condition::invoked(rule, config, &mut findings));
    // Of the rules of a kind, the first is the most specific.
    crate::sort::by_key(&mut findings, |finding: &Finding<'_>| (finding.origin, finding.kind));
    findings.dedup_by_key(|finding| (finding.origin, finding.kind));
    findings
}

/// Removes findings about parts of what another finding of the kind says is removed, unless they are graver.
fn without_parts(findings: &mut Vec<Finding<'_>>) {
    let label = |finding: &Finding<'_>| finding.text.strip_suffix(" is removed").map(str::to_owned);
    let removed: Vec<_> = findings.iter().filter_map(|f| Some((f.kind, f.level, label(f)?))).collect();
    findings.retain(|finding| {
        !removed.iter().any(|(kind, level, label)| {
            let part = finding.text.strip_prefix(&**label).and_then(|rest| rest.strip_prefix(['.', '[']));
            finding.kind == *kind && finding.level <= *level && part.is_some()
        })
    });
}

/// The findings of a change, the most severe first. The findings are copied by `redactor`.
pub(in crate::review) fn find<'w, 'a>(
    subject: &Subject<'_, 'w>,
    rules: &[&Rule],
    redactor: Redactor<'a>,
) -> Vec<Finding<'a>> {
    let mut findings = Vec::new();
    for rule in rules.iter() {
        condition::apply(rule, subject, redactor, &mut findings);
    }
    findings.extend(subject.credentials.findings(subject.resource_type, subject.after, redactor));
    without_parts(&mut findings);
    // Of two findings with the same text, the one of a built-in rule is kept.
    crate::sort::by_key(&mut findings, |finding: &Finding<'_>| (finding.kind, finding.origin));
    for finding in &mut findings {
        if let Some(text) = subject.credentials.masks.text(&finding.text) {
            finding.text = text;
        }
    }
    let mut known = HashSet::new();
    findings.retain(|finding| known.insert((finding.kind, finding.text.clone())));
    findings
}
