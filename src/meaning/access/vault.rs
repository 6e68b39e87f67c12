//! Policies of Vault, and the names of policies that its roles, groups and tokens have.
//!
//! Of the rules whose paths fit a request, the one with the highest priority decides alone. So a policy is compared by
//! the classes of paths that its rules tell apart: for each one, what the deciding rule gives before and after.
//!
//! ```text
//! path "secret/*" { read, update }    and after the change also    path "secret/data/app/*" { read }     narrower
//! ```
//!
//! See "Policies: Capabilities, Priority matching, Parameter constraints" in the documentation of Vault.

mod reader;

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use reader::{Rule, Rules};

use super::names::{Names, of_names};
use super::patterns::{Pattern, Piece, Work, classes};
use crate::diff::value::{Content, MarkedValue};
use crate::direction::{Direction, Directions};
use crate::meaning::{Judgement, ObjectChange};

/// The attributes of Vault's objects that name policies of whoever signs in.
const POLICY_NAMES: [&str; 4] = [
    "identity_policies",
    "policies",
    "policy_names",
    "token_policies",
];

/// The units of work for the classes of paths. A policy has some dozens of rules; thousands take as long as this.
const WORK: usize = 2_000_000;

/// Judges a policy of Vault, or the names of policies. Returns `None` if the object has neither.
pub(crate) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Judgement<'w>>> {
    if !change.resource_type.starts_with("vault_") {
        return None;
    }
    let is_policy = change.resource_type == "vault_policy";
    if !is_policy {
        let judgements: Vec<Judgement<'w>> = POLICY_NAMES
            .into_iter()
            .filter_map(|name| {
                let sides = [change.before, change.after].map(|side| side.get(name));
                Some(Judgement {
                    place: vec![name],
                    directions: of_names(sides, Names::Plain)?,
                })
            })
            .collect();
        return (!judgements.is_empty()).then_some(judgements);
    }
    let [old, new] = [change.before, change.after].map(|side| side.get("policy"));
    if old == new {
        return None;
    }
    let is_unknown = [old, new].iter().flatten().any(|side| side.is_unknown());
    let [old, new] = [old, new].map(|text| read(change, text));
    let directions = match (old, new) {
        _ if is_unknown => Direction::Unknown.into(),
        (Some(old), Some(new)) => compare(&old, &new),
        (None, _) | (_, None) => Direction::Another.into(),
    };
    let place = match change.before.is_null() || change.after.is_null() {
        true => Vec::new(),
        false => vec!["policy"],
    };
    Some(vec![Judgement { place, directions }])
}

/// Reads the rules of a policy, in either syntax; `None` if it cannot be read.
fn read<'w>(change: &ObjectChange<'_, 'w>, text: Option<MarkedValue<'w>>) -> Option<Rules<'w>> {
    let Some(text) = text.filter(|text| !text.is_null()) else {
        return Some(Rules::new());
    };
    let Content::String(text) = text.content else {
        return None;
    };
    match change.documents.json(text) {
        Some(document) => reader::json(document),
        None => reader::native(text),
    }
}

/// The priority of a path: of the paths that fit, the one with the highest decides.
///
/// It is higher for an exact path; else if the first wildcard comes later, if there is no `*` at the end, if fewer
/// segments are `+`, if the path is longer, and if it comes later in the alphabet.
type Priority<'a> = (bool, usize, bool, Reverse<usize>, usize, &'a str);

/// Returns the priority of a path.
fn priority(path: &str) -> Priority<'_> {
    let wildcards = segments(path).filter(|(_, segment)| *segment == "+");
    let is_prefix = path.ends_with('*');
    let first = wildcards.clone().map(|(start, _)| start).next();
    let first = first.unwrap_or(if is_prefix {
        path.len() - 1
    } else {
        usize::MAX
    });
    let is_exact = first == usize::MAX;
    (
        is_exact,
        first,
        !is_prefix,
        Reverse(wildcards.count()),
        path.len(),
        path,
    )
}

/// Returns the segments of a path, each with the place where it begins.
fn segments(path: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let mut start = 0;
    path.split('/').map(move |segment| {
        let own = start;
        start += segment.len() + 1;
        (own, segment)
    })
}

/// Returns the pattern of a path: `+` is one segment, and `*` at the end is whatever follows.
fn pattern(path: &str) -> Pattern<'_> {
    let (path, is_prefix) = match path.strip_suffix('*') {
        Some(path) => (path, true),
        None => (path, false),
    };
    let mut pattern = Vec::new();
    for (start, segment) in segments(path) {
        if start > 0 {
            pattern.push(Piece::Char('/'));
        }
        match segment {
            "+" => pattern.extend([Piece::NotSlash, Piece::NotSlashes]),
            segment => pattern.extend(segment.chars().map(Piece::Char)),
        }
    }
    if is_prefix {
        pattern.push(Piece::Star);
    }
    pattern
}

/// Compares two policies: on each class of paths, a denial is less than no rule, and no rule less than a capability.
fn compare(old: &Rules<'_>, new: &Rules<'_>) -> Directions {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for path in old.keys().chain(new.keys()) {
        let next = numbers.len();
        numbers.entry(path).or_insert(next);
    }
    let mut paths: Vec<(usize, &str)> = numbers
        .iter()
        .map(|(path, number)| (*number, *path))
        .collect();
    paths.sort_unstable();
    let patterns: Vec<Pattern<'_>> = paths.iter().map(|(_, path)| pattern(path)).collect();
    let Some(classes) = classes(&patterns, &mut Work::new(WORK)) else {
        return Direction::Another.into();
    };
    let mut directions = Directions::default();
    for class in classes {
        let fitting = || {
            class
                .iter()
                .filter_map(|number| paths.get(*number as usize))
        };
        let [old, new] = [old, new].map(|rules| {
            let rules = fitting().filter_map(|(_, path)| Some((priority(path), rules.get(path)?)));
            rules
                .max_by_key(|(priority, _)| *priority)
                .map(|(_, rule)| rule)
        });
        directions = directions.union(between(old, new));
    }
    if directions.is_empty() {
        Direction::Same.into()
    } else {
        directions
    }
}

/// Returns what it means that one rule decides in place of another one; nothing if they say the same.
fn between(old: Option<&Rule<'_>>, new: Option<&Rule<'_>>) -> Directions {
    let mut directions = Directions::default();
    let [old_names, new_names] = [old, new].map(|rule| rule.map(Rule::allowed).unwrap_or_default());
    let [old_denies, new_denies] = [old, new].map(|rule| rule.is_some_and(Rule::is_denied));
    if old_denies && !new_denies || !new_names.is_subset(&old_names) {
        directions.insert(Direction::Wider);
    }
    if new_denies && !old_denies || !old_names.is_subset(&new_names) {
        directions.insert(Direction::Narrower);
    }
    let are_both = !old_names.is_disjoint(&new_names);
    let [old_limits, new_limits] =
        [old, new].map(|rule| rule.map_or(&[][..], |rule| rule.limits.as_slice()));
    if are_both && old_limits != new_limits {
        directions.insert(match (old_limits, new_limits) {
            ([], _) => Direction::Narrower,
            (_, []) => Direction::Wider,
            _ => Direction::Another,
        });
    }
    directions
}
