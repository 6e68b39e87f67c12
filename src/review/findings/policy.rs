//! Finds new grants in IAM policies, including those that are known only after apply.
//!
//! A grant of IAM is one action of one statement. It is new if no old statement allows that action to the same
//! principals, on the same resources, under the same conditions.
//!
//! ```text
//! {"Effect": "Allow", "Action": "s3:Get*", …} -> {"Effect": "Allow", "Action": ["s3:Get*", "iam:*"], …}
//!
//! exposure, critical: Allow "iam:*" on "*"
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use super::grant_grade::{grade_of, in_words, is_minor, was_bound};
use crate::access::{Grant, GrantChanges, Part, Term};
use crate::glob;
use crate::meaning::Documents;
use crate::meaning::access::new_and_lost;
use crate::review::entry::Level;
use crate::review::findings::{FindingText, StatementPlace};
use crate::review::value_path::Side;
use crate::text::{count, first_of};

/// The maximum number of new grants that have a line of their own; the others are counted.
const MAX_LINES: usize = 5;

/// Returns the new grants of an IAM policy. If the old one is missing or is not a policy, only grants to everybody and
/// grants of everything count.
pub(super) fn iam<'w>(
    old: &'w str,
    new: &'w str,
    is_created: bool,
    documents: &Documents<'w>,
) -> Vec<FindingText> {
    let after = documents.policy(new);
    if after.is_none() && !new.is_empty() {
        return Vec::new();
    }
    let before = documents.policy(old);
    // A policy without statements is one, too: what comes is new.
    let is_told = !is_created && before.is_some();
    let [before, after] = [&before, &after]
        .map(|policy| policy.as_ref().map_or(&[][..], |policy| &policy.statements));
    new_grants(before, after, is_told)
}

/// Returns the findings about grants that the old statements did not give, and about a Deny that is gone or weaker.
/// Unless `is_told` says that there was a policy before, only grave ones count.
pub(super) fn new_grants(old: &[Grant<'_>], new: &[Grant<'_>], is_told: bool) -> Vec<FindingText> {
    let GrantChanges {
        added,
        removed,
        is_complete,
    } = new_and_lost(old, new);
    let added = added
        .iter()
        .filter_map(|(offset, actions)| Some((new.get(*offset)?, actions, true)));
    let removed = removed
        .iter()
        .filter_map(|(offset, actions)| Some((old.get(*offset)?, actions, false)));
    let graded = added.chain(removed).map(|(statement, indices, is_added)| {
        let all: Vec<&str> = statement.action_names().collect();
        let actions: Vec<&str> = indices
            .iter()
            .filter_map(|offset| all.get(*offset).copied())
            .collect();
        let is_minor = is_added && is_minor(statement, &actions) && !was_bound(old, &actions);
        let minor = is_minor.then_some((Level::Notice, 0));
        let grade = grade_of(statement, &actions);
        (grade.or(minor), statement, actions, is_added)
    });
    let mut new_grants: Vec<_> = graded
        .filter(|(grade, .., is_added)| {
            let is_grave = grade.is_some_and(|(level, _)| level > Level::Notice);
            is_told || !is_added || is_grave
        })
        .collect();
    // A grant without a grade has that of the rule.
    new_grants.sort_by_key(|(grade, ..)| Reverse(grade.unwrap_or((Level::Warning, 0))));
    let more = new_grants.len().saturating_sub(MAX_LINES);
    let line = |(grade, statement, actions, is_added): (_, &Grant<'_>, Vec<&str>, bool)| {
        let text = in_words(statement, &actions);
        let was = old
            .iter()
            .find(|was| !was.sid.is_empty() && was.sid == statement.sid);
        let text = match (is_added, was.filter(|was| has_lost(was, statement))) {
            (true, Some(was)) => {
                format!(
                    "{text} (was {})",
                    in_words(was, &was.action_names().collect::<Vec<_>>())
                )
            }
            (true, None) => in_words(&newly_named(old, statement), &actions),
            (false, _) => match counterpart(new, statement) {
                None if let Some(now) = remainder(new, statement) => format!(
                    "{text} is narrowed to {}",
                    in_words(now, &now.action_names().collect::<Vec<_>>())
                ),
                Some(now) => format!(
                    "{} lets through: {}",
                    name_of(statement),
                    weakened(statement, now)
                ),
                None => format!("{text} is removed"),
            },
        };
        let (side, len) = match is_added {
            true => (Side::After, new.len()),
            false => (Side::Before, old.len()),
        };
        let statement_place = |index| StatementPlace { side, index, len };
        FindingText {
            grade,
            statement: statement.index.map(statement_place),
            ..FindingText::new(text)
        }
    };
    let mut lines: Vec<FindingText> = new_grants.into_iter().take(MAX_LINES).map(line).collect();
    lines
        .extend((more > 0).then(|| FindingText::new(format!("and {}", count(more, "more grant")))));
    if !is_complete {
        lines.push(FindingText::new(TOO_LARGE));
    }
    lines
}

/// Whether a statement has lost a part that the old one named.
fn has_lost(old: &Grant<'_>, new: &Grant<'_>) -> bool {
    old.is_allow() != new.is_allow()
        || Part::ALL.into_iter().any(|part| {
            let now: HashSet<&Term<'_>> = new.named(part).iter().collect();
            old.excluded(part) != new.excluded(part)
                || !old.named(part).iter().all(|term| now.contains(term))
        })
}

/// Returns a statement without the principals and resources for which old statements granted the same.
fn newly_named<'a>(old: &[Grant<'a>], statement: &Grant<'a>) -> Grant<'a> {
    /// The maximum number of names that are looked up one by one.
    const MAX_NAMES: usize = 50;
    let mut new = statement.clone();
    for part in [Part::Principal, Part::Resource] {
        let names = statement.named(part);
        if !(2..=MAX_NAMES).contains(&names.len()) || old.is_empty() {
            continue;
        }
        let is_new = |name: &&Term<'a>| {
            let mut only = new.clone();
            only.part_mut(part).list = vec![**name];
            !new_and_lost(old, &[only]).added.is_empty()
        };
        let kept: Vec<Term<'a>> = names.iter().filter(is_new).copied().collect();
        if !kept.is_empty() {
            new.part_mut(part).list = kept;
        }
    }
    new
}

/// Returns the statement that a Deny becomes: the one with the same name, or with the same actions on the same
/// resources.
fn counterpart<'n, 'a>(new: &'n [Grant<'a>], was: &Grant<'a>) -> Option<&'n Grant<'a>> {
    let mut denies = new.iter().filter(|statement| !statement.is_allow());
    let same = |now: &&Grant<'_>, part: Part| {
        let [was, now] = [was, *now].map(|statement| {
            let terms = statement.part(part);
            let names: BTreeSet<&str> = terms.list.iter().map(|term| term.name).collect();
            (terms.are_excluded, names)
        });
        was == now
    };
    let of_name = denies
        .clone()
        .find(|now| !was.sid.is_empty() && now.sid == was.sid);
    of_name.or_else(|| denies.find(|now| same(now, Part::Action) && same(now, Part::Resource)))
}

/// Returns the statement that denies some of the actions of a Deny and no others, on the same resources.
fn remainder<'n, 'a>(new: &'n [Grant<'a>], was: &Grant<'a>) -> Option<&'n Grant<'a>> {
    let is_of = |action: &str| {
        was.action_names()
            .any(|pattern| glob::matches(pattern, action))
    };
    new.iter().find(|now| {
        !now.is_allow()
            && [was, *now]
                .iter()
                .all(|one| one.excluded(Part::Action).is_none())
            && now.action_names().all(is_of)
            && now.resources == was.resources
    })
}

/// Returns the name of a statement; if it has none, the statement in words.
fn name_of(statement: &Grant<'_>) -> String {
    if statement.sid.is_empty() {
        in_words(statement, &statement.action_names().collect::<Vec<_>>())
    } else {
        format!("Deny {}", statement.sid)
    }
}

/// Returns how a Deny applies to less than before: what it no longer names, or what it now excepts.
fn weakened(was: &Grant<'_>, now: &Grant<'_>) -> String {
    let mut changes = Vec::new();
    for (word, part) in [
        ("actions", Part::Action),
        ("resources", Part::Resource),
        ("principals", Part::Principal),
        ("condition", Part::Condition),
    ] {
        let [old, new] = [was, now].map(|statement| statement.part(part));
        if old.are_excluded != new.are_excluded {
            changes.push(format!("{word} are named the other way round"));
            continue;
        }
        let [old_terms, new_terms]: [HashSet<&Term<'_>>; 2] =
            [old, new].map(|terms| terms.list.iter().collect());
        let words = |terms: &mut dyn Iterator<Item = &Term<'_>>| {
            let texts: Vec<String> = terms
                .map(|term| match term.key {
                    "" => format!("{:?}", term.name),
                    key => format!("{} {key} {:?}", term.kind, term.name),
                })
                .collect();
            (!texts.is_empty()).then(|| first_of(texts, MAX_LINES))
        };
        let lost = words(&mut old.list.iter().filter(|term| !new_terms.contains(term)));
        let gained = words(&mut new.list.iter().filter(|term| !old_terms.contains(term)));
        // An exception grows, and a condition is met by fewer requests, with each term that it names.
        let is_exception = new.are_excluded || part == Part::Condition;
        if let Some(lost) = lost {
            let no_longer = if is_exception { "without" } else { "no longer" };
            changes.push(format!("{word} {no_longer} {lost}"));
        }
        if let Some(gained) = gained.filter(|_| is_exception) {
            changes.push(format!("{word} now with {gained}"));
        }
    }
    if changes.is_empty() {
        "its condition changes".to_owned()
    } else {
        changes.join(", ")
    }
}

/// The text of a finding about a policy that takes too long to compare.
pub(super) const TOO_LARGE: &str = "the policy is too large to compare all of its grants";
