//! What the statements of a policy allow that those of another one do not.
//!
//! A grant is one action of one statement. It is covered if a statement of the same effect has that action for
//! the same principals and resources, under the same condition or none. Patterns match as in IAM. A statement
//! is compared with those of the same scope by lookup, and with others only if they may cover its scope.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::condition::Condition;
use super::glob::{TooMuch, Work};
use super::policy::{Field, Statement, Term, Word};
use crate::json::Value;

/// The actions that are allowed, or no longer denied. Statements and their actions are given by index.
#[derive(Debug, Default)]
pub(crate) struct Grants {
    /// Actions of statements after that no statement before allowed.
    pub(crate) added: Vec<(usize, Vec<usize>)>,
    /// Actions of statements before that no statement after denies.
    pub(crate) removed: Vec<(usize, Vec<usize>)>,
    /// Whether everything was compared. If not, there may be more of both.
    pub(crate) is_complete: bool,
}

/// The new grants of a policy.
pub(crate) fn grants(old: &[Statement<'_>], new: &[Statement<'_>]) -> Grants {
    let mut found = Grants { is_complete: true, ..Grants::default() };
    let (mut known, mut work) = (Known::default(), Work::new());
    let allows = |statement: &Statement<'_>| statement.is_allow();
    let denies = |statement: &Statement<'_>| !statement.is_allow();
    let is_complete = uncovered(new, old, allows, &mut known, &mut work, &mut found.added).is_ok()
        && uncovered(old, new, denies, &mut known, &mut work, &mut found.removed).is_ok();
    Grants { is_complete, ..found }
}

/// Finds the actions of `statements` that no statement of `others` covers.
fn uncovered<'s, 'a>(
    statements: &'s [Statement<'a>],
    others: &'s [Statement<'a>],
    has_effect: impl Fn(&Statement<'a>) -> bool,
    known: &mut Known<'a>,
    work: &mut Work,
    found: &mut Vec<(usize, Vec<usize>)>,
) -> Result<(), TooMuch> {
    let others = others.iter().filter(|other| has_effect(other));
    let cover = Cover::new(others.map(|other| Prepared::new(other, known)).collect());
    for (at, statement) in statements.iter().enumerate().filter(|(_, statement)| has_effect(statement)) {
        let actions = cover.uncovered(&Prepared::new(statement, known), work)?;
        if !actions.is_empty() {
            found.push((at, actions));
        }
    }
    Ok(())
}

/// Conditions and exclusions, by number.
#[derive(Debug, Default)]
struct Known<'a> {
    /// By their terms, and as JSON if it says more than these.
    conditions: HashMap<(Vec<Term<'a>>, Value<'a>), usize>,
    excluded: HashMap<Excluded<'a>, usize>,
}

/// Names and patterns.
#[derive(Debug, Default)]
struct Names<'s> {
    exact: HashSet<Cow<'s, str>>,
    globs: Vec<Cow<'s, str>>,
}

impl<'s> Names<'s> {
    fn new(names: impl Iterator<Item = Cow<'s, str>>) -> Self {
        let mut found = Self::default();
        names.for_each(|name| found.add(name));
        found
    }

    fn add(&mut self, name: Cow<'s, str>) {
        if name.contains(['*', '?']) && !self.exact.contains(&name) {
            self.globs.push(name.clone());
        }
        self.exact.insert(name);
    }

    /// Whether one of them matches a name, or all that a pattern matches.
    fn cover(&self, name: &str, work: &mut Work) -> Result<bool, TooMuch> {
        if self.exact.contains(name) || self.exact.contains("*") {
            return Ok(true);
        }
        for glob in &self.globs {
            if work.matches(glob, name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What a statement is about, apart from its actions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Scope<'a> {
    resources: Vec<&'a str>,
    /// Kinds and names.
    principals: Vec<(&'a str, &'a str)>,
    excluded: usize,
    condition: usize,
}

/// The number of a missing condition.
const NO_CONDITION: usize = 0;

/// A statement to compare.
struct Prepared<'a> {
    scope: Scope<'a>,
    resources: Names<'a>,
    action_names: Names<'a>,
    /// `None` if it is only compared as a whole.
    condition: Option<Condition<'a>>,
    /// In lowercase, because IAM ignores their case.
    actions: Vec<String>,
    excluded: Excluded<'a>,
}

/// What `NotAction`, `NotResource` and `NotPrincipal` name.
type Excluded<'a> = [Option<Vec<Term<'a>>>; 3];

impl<'a> Prepared<'a> {
    fn new(statement: &Statement<'a>, known: &mut Known<'a>) -> Self {
        let mut resources: Vec<&'a str> = statement.resources().collect();
        resources.sort_unstable();
        resources.dedup();
        let mut principals: Vec<(&'a str, &'a str)> = statement.principals().collect();
        crate::sort::by(&mut principals, Ord::cmp);
        principals.dedup();
        let terms: Excluded<'a> = [Field::Action, Field::Resource, Field::Principal].map(|field| {
            let mut terms = statement.field(field).excluded.clone()?;
            crate::sort::by(&mut terms, Ord::cmp);
            Some(terms)
        });
        let number = known.excluded.len();
        let excluded = *known.excluded.entry(terms.clone()).or_insert(number);
        let condition = if statement.has_condition() {
            let mut terms = statement.field(Field::Condition).named.clone();
            crate::sort::by(&mut terms, Ord::cmp);
            let json = if statement.is_whole { Value::Null } else { statement.condition };
            let number = known.conditions.len() + 1;
            *known.conditions.entry((terms, json)).or_insert(number)
        } else {
            NO_CONDITION
        };
        let actions: Vec<String> = statement.actions().map(str::to_ascii_lowercase).collect();
        Self {
            resources: Names::new(resources.iter().map(|resource| (*resource).into())),
            action_names: Names::new(actions.iter().map(|action| action.clone().into())),
            scope: Scope { resources, principals, excluded, condition },
            condition: Condition::new(statement),
            actions,
            excluded: terms,
        }
    }
}

/// Statements that may cover others.
#[derive(Default)]
struct Cover<'a> {
    others: Vec<Prepared<'a>>,
    /// The actions of all statements with the same scope.
    by_scope: HashMap<Scope<'a>, Names<'a>>,
    /// The indices of the statements that name a resource, those with patterns of resources or with
    /// `NotResource`, and those without resources.
    by_resource: HashMap<&'a str, Vec<usize>>,
    with_globs: Vec<usize>,
    without_resources: Vec<usize>,
    by_principal: HashMap<(&'a str, &'a str), Vec<usize>>,
}

impl<'a> Cover<'a> {
    fn new(statements: Vec<Prepared<'a>>) -> Self {
        let mut cover = Self::default();
        for (at, statement) in statements.iter().enumerate() {
            let scope = &statement.scope;
            let same = cover.by_scope.entry(scope.clone()).or_default();
            statement.actions.iter().for_each(|action| same.add(action.clone().into()));
            for resource in &scope.resources {
                cover.by_resource.entry(resource).or_default().push(at);
            }
            if !statement.resources.globs.is_empty() || matches!(statement.excluded, [_, Some(_), _]) {
                cover.with_globs.push(at);
            }
            if scope.resources.is_empty() {
                cover.without_resources.push(at);
            }
            for principal in &scope.principals {
                cover.by_principal.entry(*principal).or_default().push(at);
            }
        }
        Self { others: statements, ..cover }
    }

    /// The indices of the actions that are not covered.
    fn uncovered(&self, statement: &Prepared<'a>, work: &mut Work) -> Result<Vec<usize>, TooMuch> {
        let Prepared { scope, actions, .. } = statement;
        let mut rest: Vec<usize> = (0..actions.len()).collect();
        let unconditional = Scope { condition: NO_CONDITION, ..scope.clone() };
        for names in [scope, &unconditional].into_iter().filter_map(|scope| self.by_scope.get(scope)) {
            without_covered(&mut rest, actions, names, work)?;
        }
        for at in self.candidates(scope) {
            let Some(other) = self.others.get(*at).filter(|_| !rest.is_empty()) else { break };
            work.spend(1)?;
            if other.covers(statement, work)? {
                without_covered(&mut rest, actions, &other.action_names, work)?;
            }
        }
        Ok(rest)
    }

    /// The indices of the statements that may cover a scope.
    fn candidates(&self, scope: &Scope<'a>) -> impl Iterator<Item = &usize> {
        let none: &[usize] = &[];
        let by_resource = match scope.resources.first() {
            Some(first) => [self.by_resource.get(first).map_or(none, Vec::as_slice), &self.with_globs],
            None => [&*self.without_resources, &self.with_globs],
        };
        let by_principal = scope.principals.first().map(|(kind, name)| {
            [(*kind, *name), (*kind, "*")]
                .map(|principal| self.by_principal.get(&principal).map_or(none, Vec::as_slice))
        });
        let length = |lists: &[&[usize]; 2]| lists.iter().map(|list| list.len()).sum::<usize>();
        let shorter = by_principal.filter(|lists| length(lists) < length(&by_resource));
        shorter.unwrap_or(by_resource).into_iter().flatten()
    }
}

fn without_covered(
    rest: &mut Vec<usize>,
    actions: &[String],
    names: &Names<'_>,
    work: &mut Work,
) -> Result<(), TooMuch> {
    let mut left = Vec::new();
    for at in rest.drain(..) {
        if !actions.get(at).map_or(Ok(false), |action| names.cover(action, work))? {
            left.push(at);
        }
    }
    *rest = left;
    Ok(())
}

impl<'a> Prepared<'a> {
    fn names_principal(&self, kind: &'a str, name: &'a str) -> bool {
        self.scope.principals.binary_search(&(kind, name)).is_ok()
    }

    /// Whether the statement is about everything that another one is about.
    fn covers(&self, statement: &Self, work: &mut Work) -> Result<bool, TooMuch> {
        let (own, scope) = (&self.scope, &statement.scope);
        let [_, own_resource, own_principal] = &self.excluded;
        let [_, resource, principal] = &statement.excluded;
        let is_missing = own.resources.is_empty() != scope.resources.is_empty()
            && own_resource.is_none()
            && resource.is_none()
            || own.principals.is_empty() != scope.principals.is_empty()
                && own_principal.is_none()
                && principal.is_none();
        if is_missing || own.excluded != scope.excluded && !self.excludes_no_more(statement, work)? {
            return Ok(false);
        }
        for (kind, name) in &scope.principals {
            work.spend(1)?;
            if own_principal.is_none()
                && !self.names_principal(kind, name)
                && !self.names_principal(kind, "*")
            {
                return Ok(false);
            }
        }
        for resource in &scope.resources {
            work.spend(1)?;
            if own_resource.is_none() && !self.resources.cover(resource, work)? {
                return Ok(false);
            }
        }
        if [NO_CONDITION, scope.condition].contains(&own.condition) {
            return Ok(true);
        }
        match (&self.condition, &statement.condition) {
            (Some(own), Some(condition)) => own.covers(condition, work),
            (Some(_) | None, None) | (None, Some(_)) => Ok(false),
        }
    }

    /// Whether what the statement excludes from each of its parts leaves all that another one leaves or names.
    fn excludes_no_more(&self, statement: &Self, work: &mut Work) -> Result<bool, TooMuch> {
        for (field, (own, other)) in self.excluded.iter().zip(&statement.excluded).enumerate() {
            let is_covered = match (own, other) {
                (None, None) => true,
                (Some(own), Some(other)) => {
                    work.spend(own.len())?;
                    own.iter().all(|term| other.binary_search(term).is_ok())
                }
                // All but something is less than all.
                (None, Some(_)) => match field {
                    0 => self.action_names.exact.contains("*"),
                    1 => self.resources.exact.contains("*"),
                    _ => self.names_principal("AWS", "*"),
                },
                (Some(own), None) => {
                    let names: Vec<&str> = match field {
                        0 => statement.actions.iter().map(String::as_str).collect(),
                        1 => statement.scope.resources.clone(),
                        _ => return Ok(false),
                    };
                    work.spend(own.len().saturating_mul(names.len()))?;
                    own.iter().all(|term| match term {
                        Term::Plain(Word::Text(term)) => names.iter().all(|name| are_apart(term, name)),
                        Term::Plain(Word::Unknown | Word::Sensitive)
                        | Term::Principal(..)
                        | Term::Condition(..) => false,
                    })
                }
            };
            if !is_covered {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether no text can match both patterns, because their starts differ.
fn are_apart(one: &str, other: &str) -> bool {
    let start = |text: &str| text.split(['*', '?']).next().unwrap_or_default().to_ascii_lowercase();
    let (one_start, other_start) = (start(one), start(other));
    let is_exact = |start: &str, text: &str| start.len() == text.len();
    match (is_exact(&one_start, one), is_exact(&other_start, other)) {
        (true, true) => one_start != other_start,
        (true, false) => !one_start.starts_with(&other_start),
        (false, true) => !other_start.starts_with(&one_start),
        (false, false) => !one_start.starts_with(&other_start) && !other_start.starts_with(&one_start),
    }
}
