//! A grant, who × what × where × limits, and the comparison of two sets of grants.
//!
//! ```text
//! roles/viewer for user:ana@acme.com on project p  ->  roles/editor for the same
//! the grants after do not lie within the grants before: wider
//! ```

use std::collections::{HashMap, HashSet};

use super::answer::Answer;
use super::order::Order;
use super::set::{Word, Words};
use crate::direction::{Direction, Directions};

/// The maximum number of grants that are compared with each other, in pairs. A policy with more of them that are not
/// equal is judged as `another`.
const MAX_PAIRS: usize = 1 << 20;

/// What a grant is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// It lets somebody do something.
    Grants,
    /// It lets somebody become somebody else.
    Trusts,
    /// What others grant must pass it. Without one everything passes.
    Filters,
    /// It refuses something, whatever others grant.
    Denies,
    /// It watches or protects something.
    Guards,
}

impl Purpose {
    /// Returns the direction of an object of this purpose that is created.
    pub(super) fn created(self) -> Direction {
        match self {
            Self::Grants | Self::Trusts => Direction::Wider,
            Self::Filters | Self::Denies => Direction::Narrower,
            Self::Guards => Direction::Stronger,
        }
    }

    /// Returns the direction of a set of this purpose that gains something.
    pub(super) fn grows(self) -> Direction {
        match self {
            Self::Grants | Self::Trusts | Self::Filters => Direction::Wider,
            Self::Denies => Direction::Narrower,
            Self::Guards => Direction::Stronger,
        }
    }

    /// Returns what a change is at once, where `grows` says whether the set before covers the one after, and `shrinks`
    /// whether the set after covers the one before.
    pub(super) fn directions(self, grows: Answer, shrinks: Answer) -> Directions {
        let mut directions = Directions::default();
        for (answer, direction) in [(grows, self.grows()), (shrinks, self.grows().reverse())] {
            match answer {
                Answer::Yes => {}
                Answer::No => directions.insert(direction),
                Answer::Unknown => directions.insert(Direction::Unknown),
                Answer::Unclear => directions.insert(Direction::Another),
            }
        }
        if directions.is_empty() {
            directions.insert(Direction::Same);
        }
        directions
    }
}

/// What a dimension of a grant is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum About {
    /// Who has it.
    Who,
    /// What they may do: roles, actions, privileges.
    What,
    /// What they may do it to.
    Where,
    /// Under which limits.
    Limits,
}

/// One dimension of a grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dimension<'w> {
    /// The name under which the same dimension of other grants is found: `members`.
    pub(super) label: &'w str,
    /// What it is about.
    pub(super) about: About,
    /// The order of its words.
    pub(super) order: Order,
    /// Its words.
    pub(super) words: Words<'w>,
}

/// A grant: all combinations of what its dimensions cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant<'w> {
    /// What is granted at all, for example the IAM of projects: grants of different families have nothing in common.
    pub(super) family: &'w str,
    /// What it is for.
    pub(crate) purpose: Purpose,
    /// Its dimensions. One that a grant does not have is everything.
    pub(super) dimensions: Vec<Dimension<'w>>,
}

impl<'w> Grant<'w> {
    /// Whether this grant covers another.
    pub(super) fn covers(&self, other: &Self) -> Answer {
        if self.family != other.family || self.purpose != other.purpose {
            return Answer::No;
        }
        self.dimensions.iter().fold(Answer::Yes, |all, dimension| {
            let same = |found: &&Dimension<'w>| found.label == dimension.label;
            let words = other
                .dimensions
                .iter()
                .find(same)
                .map_or(&Words::Everything, |found| &found.words);
            all.and(dimension.words.cover(words, dimension.order))
        })
    }

    /// Whether the grant lets nothing happen, because nobody has it or nothing may be done. A form may name principals
    /// in several ways, of which one is enough.
    pub(crate) fn is_empty(&self) -> bool {
        let is_empty = |about: About| {
            let mut dimensions = self
                .dimensions
                .iter()
                .filter(|dimension| dimension.about == about)
                .peekable();
            dimensions.peek().is_some() && dimensions.all(|dimension| dimension.words.is_nothing())
        };
        is_empty(About::Who) || is_empty(About::What)
    }

    /// Returns the words of a kind that are known.
    pub(crate) fn texts(&self, about: About) -> impl Iterator<Item = &'w str> {
        self.dimensions
            .iter()
            .filter(move |dimension| dimension.about == about)
            .flat_map(|dimension| dimension.words.texts())
    }

    /// Returns the grant as one for each of its principals, so that each of them can be found in another grant.
    fn split(&self) -> Vec<Self> {
        let is_who = |dimension: &Dimension<'w>| {
            dimension.about == About::Who
                && matches!(&dimension.words, Words::Any(words) if words.len() > 1)
        };
        let Some(index) = self.dimensions.iter().position(is_who) else {
            return vec![self.clone()];
        };
        let words: &[Word<'w>] = match self.dimensions.get(index).map(|d| &d.words) {
            Some(Words::Any(words)) => words,
            Some(Words::Everything | Words::All(_) | Words::Unknown | Words::Unclear) | None => &[],
        };
        let one = |word: &Word<'w>| {
            let mut grant = self.clone();
            if let Some(dimension) = grant.dimensions.get_mut(index) {
                dimension.words = Words::Any(vec![*word]);
            }
            grant
        };
        words.iter().map(one).collect()
    }

    /// Returns a text that is equal for equal grants.
    fn key(&self) -> String {
        format!("{self:?}")
    }
}

/// Whether grants cover others: each of the others lies within one of them.
///
/// Takes time proportional to the product of the numbers of those that are not equal, which is limited.
pub(super) fn cover(wide: &[Grant<'_>], narrow: &[Grant<'_>]) -> Answer {
    let (wide, new) = (each_principal(wide), each_principal(narrow));
    let new = without_equal(new, &wide);
    if new.len().saturating_mul(wide.len()) > MAX_PAIRS {
        return Answer::Unclear;
    }
    new.iter()
        .fold(Answer::Yes, |all, grant| all.and(any_covers(&wide, grant)))
}

/// Returns those of some grants that others do not cover for certain, each for one principal. Empty where there are too
/// many to compare.
pub(super) fn uncovered<'w>(grants: &[Grant<'w>], by: &[Grant<'w>]) -> Vec<Grant<'w>> {
    let (by, new) = (each_principal(by), each_principal(grants));
    let mut new = without_equal(new, &by);
    if new.len().saturating_mul(by.len()) > MAX_PAIRS {
        return Vec::new();
    }
    new.retain(|grant| any_covers(&by, grant) == Answer::No);
    new
}

/// Whether one of some grants covers another.
fn any_covers(wide: &[Grant<'_>], grant: &Grant<'_>) -> Answer {
    wide.iter()
        .fold(Answer::No, |any, wide| any.or(wide.covers(grant)))
}

/// Returns grants as one for each principal, without those that let nothing happen.
fn each_principal<'w>(grants: &[Grant<'w>]) -> Vec<Grant<'w>> {
    let split = grants.iter().flat_map(Grant::split);
    split.filter(|grant| !grant.is_empty()).collect()
}

/// Returns the grants that are not equal to one of others.
fn without_equal<'w>(mut grants: Vec<Grant<'w>>, others: &[Grant<'_>]) -> Vec<Grant<'w>> {
    let known: HashSet<String> = others.iter().map(Grant::key).collect();
    grants.retain(|grant| !is_certain(grant) || !known.contains(&grant.key()));
    grants
}

/// The maximum number of grants of a family that are searched for one that covers another. Of more, only equal ones are
/// found.
const MAX_SEARCHED: usize = 512;

/// Grants of many objects, to be searched for those that cover others.
#[derive(Debug, Default)]
pub(crate) struct GrantIndex<'w> {
    /// All that are known for certain, each for one principal, as texts.
    keys: HashSet<String>,
    /// Those of each family.
    by_family: HashMap<&'w str, Vec<Grant<'w>>>,
}

impl<'w> GrantIndex<'w> {
    /// Adds the grants of an object.
    pub(crate) fn insert(&mut self, grants: &[Grant<'w>]) {
        for grant in each_principal(grants) {
            if is_certain(&grant) && self.keys.insert(grant.key()) {
                self.by_family.entry(grant.family).or_default().push(grant);
            }
        }
    }

    /// Whether each of some grants lies within one of these, for certain. Not for no grants.
    pub(crate) fn cover(&self, grants: &[Grant<'w>]) -> bool {
        let grants = each_principal(grants);
        let is_covered = |grant: &Grant<'w>| {
            if !is_certain(grant) {
                return false;
            }
            let alike = self.by_family.get(grant.family).map(Vec::as_slice);
            let alike = alike.filter(|alike| alike.len() <= MAX_SEARCHED);
            self.keys.contains(&grant.key())
                || alike.is_some_and(|alike| any_covers(alike, grant) == Answer::Yes)
        };
        !grants.is_empty() && grants.iter().all(is_covered)
    }
}

/// Whether all parts of a grant are known and can be read.
fn is_certain(grant: &Grant<'_>) -> bool {
    grant
        .dimensions
        .iter()
        .all(|dimension| match &dimension.words {
            Words::Unknown | Words::Unclear => false,
            Words::Any(words) | Words::All(words) => !words.contains(&Word::Unknown),
            Words::Everything => true,
        })
}

/// Returns what the change from some grants of one purpose to others is at once.
pub(crate) fn compare(purpose: Purpose, before: &[Grant<'_>], after: &[Grant<'_>]) -> Directions {
    purpose.directions(cover(before, after), cover(after, before))
}
