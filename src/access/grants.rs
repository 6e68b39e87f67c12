//! Finds out what the grants of a policy allow that those of another policy do not.
//!
//! Each action of a grant is compared on its own. It is covered if a statement with the same effect has that action for
//! the same principals and resources, under the same condition, a weaker one or none. Patterns match as in IAM.
//!
//! Invariants: all statements that differ are compared; the work on long policies is limited, and a result that is not
//! complete says so.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::grant::{Grant, Part, Term};
use crate::diff::value::MarkedValue;
use crate::glob;

/// The differences between the grants of two policies. Each entry has the index of a grant and those of its actions.
#[derive(Debug, Default)]
pub(crate) struct GrantChanges {
    /// Actions that no statement allowed before.
    pub(crate) added: Vec<(usize, Vec<usize>)>,
    /// Actions that no statement denies any more.
    pub(crate) removed: Vec<(usize, Vec<usize>)>,
    /// Whether everything was compared. If not, there may be more of both.
    pub(crate) is_complete: bool,
}

/// Compares all grants of a policy (`old`) with those of another one (`new`).
pub(crate) fn new_and_lost(old: &[Grant<'_>], new: &[Grant<'_>]) -> GrantChanges {
    // A million units of work are enough for about as many comparisons of short names.
    let (mut changes, mut work) = (GrantChanges::default(), Work(1_000_000));
    changes.is_complete = uncovered(new, old, true, &mut work, &mut changes.added).is_some()
        && uncovered(old, new, false, &mut work, &mut changes.removed).is_some();
    changes
}

/// Finds the actions of `statements` that no statement of `others` covers; on both sides only those that allow, or only
/// those that deny. Returns `None` if there is too much to compare.
fn uncovered<'a>(
    statements: &[Grant<'a>],
    others: &[Grant<'a>],
    allows: bool,
    work: &mut Work,
    uncovered_grants: &mut Vec<(usize, Vec<usize>)>,
) -> Option<()> {
    let others = || others.iter().filter(|other| other.is_allow() == allows);
    let equal: HashSet<MarkedValue<'a>> = others().filter_map(|other| other.json).collect();
    let others: Vec<Scope<'a>> = others().map(Scope::new).collect();
    for (index, statement) in statements.iter().enumerate() {
        if statement.is_allow() != allows
            || statement.json.is_some_and(|json| equal.contains(&json))
        {
            continue;
        }
        let scope = Scope::new(statement);
        let actions: Vec<String> = statement
            .action_names()
            .map(str::to_ascii_lowercase)
            .collect();
        let mut rest: Vec<usize> = (0..actions.len()).collect();
        for other in &others {
            if rest.is_empty() {
                break;
            }
            if other.covers(&scope, work)? {
                let [names, ..] = &other.names;
                let mut left = Vec::new();
                for index in rest {
                    if !names.cover(actions.get(index)?, work)? {
                        left.push(index);
                    }
                }
                rest = left;
            }
        }
        if !rest.is_empty() {
            uncovered_grants.push((index, rest));
        }
    }
    Some(())
}

/// The units of work that are left. If there are none, the policies are too large to compare.
struct Work(usize);

impl Work {
    /// Takes units of work; `None` if there are not enough.
    fn spend(&mut self, work: usize) -> Option<()> {
        self.0 = self.0.checked_sub(work)?;
        Some(())
    }
}

/// A set of names and patterns, or everything but these.
#[derive(Debug, Default)]
struct Names<'a> {
    /// Whether the set is everything but the names.
    is_excluded: bool,
    /// All names and patterns.
    all: BTreeSet<Cow<'a, str>>,
    /// The patterns among them.
    globs: Vec<Cow<'a, str>>,
}

impl<'a> Names<'a> {
    fn add(&mut self, name: Cow<'a, str>, may_be_glob: bool) {
        if may_be_glob && name.contains(['*', '?']) && !self.all.contains(&name) {
            self.globs.push(name.clone());
        }
        self.all.insert(name);
    }

    /// Whether a name or pattern of the list matches `name`; or all that it matches, if `name` is a pattern. Returns
    /// `None` if that takes too much work.
    fn cover(&self, name: &str, work: &mut Work) -> Option<bool> {
        work.spend(1)?;
        if self.all.contains(name) {
            return Some(true);
        }
        for glob in &self.globs {
            // A pattern with `?` may need a comparison at each position.
            let windows = if glob.contains('?') {
                glob.len().saturating_mul(name.len())
            } else {
                0
            };
            work.spend(1 + (glob.len() + name.len() + windows) / 64)?;
            if glob::matches(glob, name) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether this set covers all of another set. Actions without exclusions are compared one by one elsewhere, so
    /// they count as covered here. Returns `None` if that takes too much work.
    fn cover_all(&self, others: &Self, part: Part, work: &mut Work) -> Option<bool> {
        let everything = if part == Part::Principal {
            "AWS *"
        } else {
            "*"
        };
        Some(match (self.is_excluded, others.is_excluded) {
            (true, true) => {
                work.spend(self.all.len())?;
                self.all.is_subset(&others.all)
            }
            (false, true) => self.all.contains(everything),
            (true, false) => {
                work.spend(self.all.len().saturating_mul(others.all.len()))?;
                let is_apart =
                    |own: &Cow<'_, str>| others.all.iter().all(|name| are_apart(own, name));
                part != Part::Principal && self.all.iter().all(is_apart)
            }
            (false, false) if part == Part::Action => true,
            (false, false) => {
                if self.all.is_empty() != others.all.is_empty() {
                    return Some(false);
                }
                for name in &others.all {
                    if !self.cover(name, work)? {
                        return Some(false);
                    }
                }
                true
            }
        })
    }
}

/// The reach of a grant: its actions, resources and principals, and the condition.
struct Scope<'a> {
    /// The actions (in lower case, because IAM ignores their case), the resources, and the principals with their kinds.
    names: [Names<'a>; 3],
    /// The values of the condition by test and key; `None` if these do not express all of the condition.
    tests: Option<BTreeMap<(&'a str, String), Names<'a>>>,
    /// The condition in the form of the document.
    condition: Option<MarkedValue<'a>>,
}

impl<'a> Scope<'a> {
    /// Collects the names and the condition of a grant.
    fn new(statement: &Grant<'a>) -> Self {
        let names = [Part::Action, Part::Resource, Part::Principal].map(|part| {
            let terms = statement.part(part);
            let mut names = Names {
                is_excluded: terms.are_excluded,
                ..Names::default()
            };
            for term in &terms.list {
                let kind = if term.kind.is_empty() {
                    "AWS"
                } else {
                    term.kind
                };
                match part {
                    Part::Action => names.add(term.name.to_ascii_lowercase().into(), true),
                    Part::Principal => {
                        names.add(format!("{kind} {}", term.name).into(), term.name == "*");
                    }
                    Part::Resource | Part::Condition => names.add(term.name.into(), true),
                }
            }
            if terms.are_excluded && part == Part::Action {
                names.globs.push("*".into());
            }
            names
        });
        let condition = statement.json_condition();
        let mut tests: BTreeMap<_, Names<'a>> = BTreeMap::new();
        for Term { kind, key, name } in statement.named(Part::Condition) {
            // The names of keys are not case-sensitive.
            let names = tests.entry((*kind, key.to_ascii_lowercase())).or_default();
            names.add((*name).into(), is_glob(kind));
        }
        let is_readable = statement.is_whole || condition.is_none();
        Self {
            names,
            tests: is_readable.then_some(tests),
            condition,
        }
    }

    /// Whether this scope includes everything that the other one does, without regard to single actions. Returns `None`
    /// if that takes too much work.
    fn covers(&self, other: &Self, work: &mut Work) -> Option<bool> {
        work.spend(1)?;
        for (index, part) in [Part::Action, Part::Resource, Part::Principal]
            .into_iter()
            .enumerate()
        {
            if !self.names[index].cover_all(&other.names[index], part, work)? {
                return Some(false);
            }
        }
        match (&self.tests, &other.tests) {
            (Some(own), Some(tests)) => is_weaker(own, tests, work),
            (None, None) => Some(self.condition == other.condition),
            (Some(own), None) => Some(own.is_empty()),
            (None, Some(_)) => Some(false),
        }
    }
}

/// Whether a condition (`tests`) holds wherever another one (`others`) does. Returns `None` if that takes too much
/// work.
///
/// A condition holds if all of its tests do. A test holds for any of its values, and a negated one (`StringNotEquals`)
/// for none of them.
fn is_weaker(
    tests: &BTreeMap<(&str, String), Names<'_>>,
    others: &BTreeMap<(&str, String), Names<'_>>,
    work: &mut Work,
) -> Option<bool> {
    for ((test, key), values) in tests {
        let mut is_implied = false;
        for ((other, _), narrower) in others.iter().filter(|((_, other), _)| other == key) {
            work.spend(1)?;
            if other == test && test.contains("Not") {
                is_implied = values.all.is_subset(&narrower.all);
            } else if other == test || is_glob(test) && (is_glob(other) || *other == "StringEquals")
            {
                is_implied = true;
                for value in &narrower.all {
                    is_implied = is_implied && values.cover(value, work)?;
                }
            }
            if is_implied {
                break;
            }
        }
        if !is_implied {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether the values of a test are patterns.
fn is_glob(test: &str) -> bool {
    matches!(test, "StringLike" | "ArnLike" | "ArnEquals")
}

/// Whether no name can match both patterns, judged by their beginnings up to the first wildcard.
fn are_apart(one: &str, other: &str) -> bool {
    let start = |text: &str| {
        text.split(['*', '?'])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    let (one_start, other_start) = (start(one), start(other));
    match (
        one_start.len() == one.len(),
        other_start.len() == other.len(),
    ) {
        (true, true) => one_start != other_start,
        (true, false) => !one_start.starts_with(&other_start),
        (false, true) => !other_start.starts_with(&one_start),
        (false, false) => {
            !one_start.starts_with(&other_start) && !other_start.starts_with(&one_start)
        }
    }
}
