//! Compares what two sets of statements let happen.
//!
//! A statement is a region of a space whose dimensions are who, what, on what, and each key that a condition tests. In
//! each dimension, the statements part all that may come into classes, so a region is a set of classes for each
//! dimension. What is allowed is the regions of the statements that allow, without those that deny.
//!
//! Access is wider if a region that denied is not all denied any more, or if a region that allows now is not covered by
//! what denies now and what allowed before. Access is narrower if it is wider the other way round.
//!
//! Only statements that differ are looked at, and those that may overlap them. The work is limited; a comparison that
//! is given up says so.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::condition::{Key, Test};
use super::principals::People;
use super::statement::{Names, Statement, Statements};
use crate::access::{Grant, GrantChanges};
use crate::diff::value::MarkedValue;
use crate::direction::{Direction, Directions};
use crate::meaning::access::class_set::ClassSet;
use crate::meaning::access::patterns::{Pattern, Piece, Work, classes};

/// The units of work for finding the classes, and as many for comparing regions. A policy of AWS has at most 20,480
/// characters, which takes a small part of this; what takes more was made to take long.
const WORK: usize = 2_000_000;

/// What a comparison found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    /// Whether more is allowed, or less denied.
    pub(super) is_wider: bool,
    /// Whether less is allowed, or more denied.
    pub(super) is_narrower: bool,
    /// Whether everything was compared. If not, there may be more of both.
    pub(super) is_complete: bool,
}

impl Comparison {
    /// Returns the directions of the comparison.
    pub(super) fn directions(self) -> Directions {
        let found = [
            (self.is_wider, Direction::Wider),
            (self.is_narrower, Direction::Narrower),
            (!self.is_complete, Direction::Another),
        ];
        let directions: Directions = found
            .into_iter()
            .filter_map(|(holds, direction)| holds.then_some(direction))
            .collect();
        if directions.is_empty() {
            return Direction::Same.into();
        }
        directions
    }
}

/// Compares what statements let happen before a change and after it. If the policies are about one service only, its
/// prefix (`s3:`) says so: there are no other actions.
pub(super) fn compare(
    before: &Statements<'_>,
    after: &Statements<'_>,
    service: Option<&'static str>,
) -> Comparison {
    let mut comparison = Comparison {
        is_wider: false,
        is_narrower: false,
        is_complete: has_same(&before.unreadable, &after.unreadable),
    };
    let lists = [&before.list, &after.list];
    let sets: [HashSet<&Statement<'_>>; 2] = lists.map(|list| {
        let possible = list.iter().filter(|statement| !statement.is_nothing());
        possible.collect()
    });
    let is_changed = |statement: &Statement<'_>| {
        let [old, new] = [0, 1].map(|side: usize| sets[side].contains(statement));
        old != new
    };
    if !lists.into_iter().flatten().any(is_changed) {
        return comparison;
    }
    let statements = relevant(lists.into_iter().flatten(), &is_changed);
    let Some(space) = Space::new(&statements, service, &mut Work::new(WORK)) else {
        comparison.is_complete = false;
        return comparison;
    };
    let mut sides: [Side<'_>; 2] = Default::default();
    for (statement, region) in statements.iter().zip(&space.regions) {
        let is_changed = is_changed(statement);
        for (side, set) in sides.iter_mut().zip(&sets) {
            if set.contains(statement) {
                let list = match statement.is_allow {
                    true => &mut side.allows,
                    false => &mut side.denies,
                };
                list.push((region, is_changed));
            }
        }
    }
    let [old, new] = &sides;
    let is_wider = is_wider(old, new, &space.counts);
    let is_narrower = self::is_wider(new, old, &space.counts);
    comparison.is_wider = is_wider == Some(true);
    comparison.is_narrower = is_narrower == Some(true);
    comparison.is_complete &= is_wider.is_some() && is_narrower.is_some();
    comparison
}

/// Finds the actions that the grants of a policy allow and those of another one (`old`) do not, and those that they do
/// not deny any more.
///
/// Each action of a grant is compared on its own. A grant with parts that are not known counts as new, or as lost,
/// unless the other policy has the same.
pub(crate) fn new_and_lost(old: &[Grant<'_>], new: &[Grant<'_>]) -> GrantChanges {
    let mut changes = GrantChanges {
        is_complete: true,
        ..GrantChanges::default()
    };
    let [old_read, new_read] = [old, new].map(|grants| {
        let read = (0..).zip(grants).map(|(index, grant)| {
            let statement = Statement::new(grant, true);
            (index, grant, statement)
        });
        read.collect::<Vec<(usize, &Grant<'_>, Option<Statement<'_>>)>>()
    });
    let [old_list, new_list] = [&old_read, &new_read].map(|read| {
        let known = read
            .iter()
            .filter_map(|(_, _, statement)| statement.as_ref());
        known.collect::<HashSet<&Statement<'_>>>()
    });
    let is_changed =
        |statement: &Statement<'_>| old_list.contains(statement) != new_list.contains(statement);
    let all = [&old_read, &new_read].into_iter().flatten();
    let all = all.filter_map(|(_, _, statement)| statement.as_ref());
    let statements = relevant(all, &is_changed);
    let mut work = Work::new(WORK);
    let space = Space::new(&statements, None, &mut work);
    let regions: HashMap<&Statement<'_>, &Region> = match &space {
        Some(space) => statements.iter().copied().zip(&space.regions).collect(),
        None => HashMap::new(),
    };
    for allows in [true, false] {
        let (own, others, found) = match allows {
            true => (&new_read, &old_read, &mut changes.added),
            false => (&old_read, &new_read, &mut changes.removed),
        };
        let unreadable: HashSet<MarkedValue<'_>> = others
            .iter()
            .filter_map(|(_, grant, _)| grant.json)
            .collect();
        // An action is not new if it was allowed, or is denied now; it is denied as before if it is denied now.
        let cover = regions
            .iter()
            .filter(|(statement, _)| match statement.is_allow {
                true => allows && old_list.contains(*statement),
                false => new_list.contains(*statement),
            });
        let cover = Cover::new(cover.map(|(_, region)| *region), &mut work);
        for (index, grant, statement) in own {
            let is_other = grant.is_allow() != allows;
            let Some(statement) = statement else {
                let is_same = grant.json.is_some_and(|json| unreadable.contains(&json));
                if !is_other && !is_same {
                    found.push((*index, (0..grant.action_names().count()).collect()));
                }
                continue;
            };
            if is_other || !is_changed(statement) || statement.is_nothing() {
                continue;
            }
            let left = match (&space, &cover, regions.get(statement)) {
                (Some(space), Some(cover), Some(region)) => {
                    actions_left(grant, statement, region, cover, space, &mut work)
                }
                _ => None,
            };
            match left {
                Some(left) if left.is_empty() => {}
                Some(left) => found.push((*index, left)),
                None => changes.is_complete = false,
            }
        }
    }
    changes
}

/// Returns the actions of a grant, by their numbers, that regions do not cover. Returns `None` if that takes too much
/// work.
fn actions_left<'a>(
    grant: &Grant<'a>,
    statement: &Statement<'a>,
    region: &Region,
    cover: &Cover<'_>,
    space: &Space<'_, 'a>,
    work: &mut Work,
) -> Option<Vec<usize>> {
    let mut left = Vec::new();
    if cover.covers(region, &space.counts, work)? {
        return Some(left);
    }
    for (number, action) in grant.action_names().enumerate() {
        let region = space.of_action(region, statement, action);
        if !cover.covers(&region, &space.counts, work)? {
            left.push(number);
        }
    }
    Some(left)
}

/// Whether two lists have equal values, in any order.
fn has_same(old: &[MarkedValue<'_>], new: &[MarkedValue<'_>]) -> bool {
    let mut counts: HashMap<MarkedValue<'_>, isize> = HashMap::new();
    for (list, change) in [(old, 1), (new, -1)] {
        for value in list {
            *counts.entry(*value).or_insert(0) += change;
        }
    }
    counts.into_values().all(|count| count == 0)
}

/// Returns the statements of both sides that differ, or that may overlap one that does. Each one comes once.
fn relevant<'s, 'a>(
    all: impl Iterator<Item = &'s Statement<'a>>,
    is_changed: &dyn Fn(&Statement<'a>) -> bool,
) -> Vec<&'s Statement<'a>>
where
    'a: 's,
{
    let mut seen: HashSet<&Statement<'a>> = HashSet::new();
    let all: Vec<&Statement<'a>> = all
        .filter(|statement| !statement.is_nothing() && seen.insert(statement))
        .collect();
    let changed: Vec<&Statement<'a>> = all
        .iter()
        .copied()
        .filter(|statement| is_changed(statement))
        .collect();
    let mut work = Work::new(WORK);
    all.into_iter()
        .filter(|statement| {
            is_changed(statement)
                || changed.iter().any(|changed| {
                    // What takes too much work may overlap.
                    may_overlap(&changed.actions, &statement.actions, &mut work).unwrap_or(true)
                        && may_overlap(&changed.resources, &statement.resources, &mut work)
                            .unwrap_or(true)
                })
        })
        .collect()
}

/// Whether names and patterns may have something in common, judged by their beginnings. Returns `None` if that takes
/// too much work.
fn may_overlap(names: &Names<'_>, others: &Names<'_>, work: &mut Work) -> Option<bool> {
    if names.are_excluded || others.are_excluded {
        return Some(true);
    }
    work.spend(names.list.len().saturating_mul(others.list.len()))?;
    let is_apart = |name: &Cow<'_, str>, other: &Cow<'_, str>| {
        let [start, other_start] =
            [name, other].map(|text| text.split(['*', '?', '$']).next().unwrap_or_default());
        let (is_whole, is_other_whole) =
            (start.len() == name.len(), other_start.len() == other.len());
        let fits = match (is_whole, is_other_whole) {
            (true, true) => start == other_start,
            (true, false) => start.starts_with(other_start),
            (false, true) => other_start.starts_with(start),
            (false, false) => start.starts_with(other_start) || other_start.starts_with(start),
        };
        !fits
    };
    let overlap = names
        .list
        .iter()
        .any(|name| others.list.iter().any(|other| !is_apart(name, other)));
    Some(overlap)
}

/// The classes of a statement in each dimension. Statements whose part is written alike share it.
type Region = Vec<Rc<ClassSet>>;

/// The regions of the statements of one side, each with whether the other side does not have the statement.
#[derive(Debug, Default)]
struct Side<'r> {
    allows: Vec<(&'r Region, bool)>,
    denies: Vec<(&'r Region, bool)>,
}

/// Whether more is allowed on a side than on another one (`old`), or less denied. Returns `None` if that takes too much
/// work.
fn is_wider(old: &Side<'_>, new: &Side<'_>, counts: &[usize]) -> Option<bool> {
    let mut work = Work::new(WORK);
    let denies = Cover::new(new.denies.iter().map(|(region, _)| *region), &mut work)?;
    if denies.leaves(&old.denies, counts, &mut work)? {
        return Some(true);
    }
    let cover = [&old.allows, &new.denies].into_iter().flatten();
    let cover = Cover::new(cover.map(|(region, _)| *region), &mut work)?;
    cover.leaves(&new.allows, counts, &mut work)
}

/// Regions that cover others together, found by the classes that they have.
struct Cover<'r> {
    regions: Vec<&'r Region>,
    /// The regions that list a class, for the dimensions that each space has.
    by_class: [HashMap<u32, Vec<usize>>; NAMED],
    /// The regions that have all classes but some.
    broad: [Vec<usize>; NAMED],
}

/// The number of dimensions that each space has, before those of keys: principals, actions, resources.
const NAMED: usize = 3;
/// The dimension of the actions.
const ACTIONS: usize = 1;

impl<'r> Cover<'r> {
    /// Collects regions.
    fn new(regions: impl Iterator<Item = &'r Region>, work: &mut Work) -> Option<Self> {
        let mut cover = Self {
            regions: Vec::new(),
            by_class: Default::default(),
            broad: Default::default(),
        };
        for region in regions {
            let number = cover.regions.len();
            cover.regions.push(region);
            let indices = cover.by_class.iter_mut().zip(&mut cover.broad);
            for (set, (by_class, broad)) in region.iter().zip(indices) {
                match &**set {
                    ClassSet::Only(classes) => {
                        work.spend(classes.len())?;
                        for class in classes {
                            by_class.entry(*class).or_default().push(number);
                        }
                    }
                    ClassSet::AllBut(_) => broad.push(number),
                }
            }
        }
        Some(cover)
    }

    /// Whether a region that differs is not covered. Returns `None` if that takes too much work.
    fn leaves(
        &self,
        regions: &[(&Region, bool)],
        counts: &[usize],
        work: &mut Work,
    ) -> Option<bool> {
        for (region, is_changed) in regions {
            if *is_changed && !self.covers(region, counts, work)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns the regions that may have something in common with a region, by the dimension in which these are fewest.
    fn near(&self, region: &Region, work: &mut Work) -> Option<Vec<usize>> {
        let mut near: Option<Vec<usize>> = None;
        for (set, (by_class, broad)) in region.iter().zip(self.by_class.iter().zip(&self.broad)) {
            let ClassSet::Only(classes) = &**set else {
                continue;
            };
            work.spend(classes.len())?;
            let lists = || classes.iter().filter_map(|class| by_class.get(class));
            let count = lists().map(Vec::len).sum::<usize>() + broad.len();
            if near.as_ref().is_none_or(|near| count < near.len()) {
                work.spend(count)?;
                near = Some(lists().flatten().chain(broad).copied().collect());
            }
        }
        let mut near = near.unwrap_or_else(|| (0..self.regions.len()).collect());
        near.sort_unstable();
        near.dedup();
        Some(near)
    }

    /// Whether the regions cover all of a region: what one of them leaves is cut into parts, one for each dimension in
    /// which something is left, and the parts are covered by the others. Returns `None` if that takes too much work.
    fn covers(&self, region: &Region, counts: &[usize], work: &mut Work) -> Option<bool> {
        if region
            .iter()
            .zip(counts)
            .any(|(set, count)| set.is_empty(*count))
        {
            return Some(true);
        }
        let near = self.near(region, work)?;
        let mut open = vec![(region.clone(), 0)];
        while let Some((mut part, mut next)) = open.pop() {
            loop {
                let Some(cover) = near.get(next).and_then(|number| self.regions.get(*number))
                else {
                    return Some(false);
                };
                next += 1;
                let Some(common) = common(&part, cover, counts, work)? else {
                    continue;
                };
                for (dimension, common) in common.into_iter().enumerate() {
                    work.spend(1)?;
                    if !Rc::ptr_eq(&part[dimension], &cover[dimension]) {
                        let rest = part[dimension].difference(&cover[dimension]);
                        if !rest.is_empty(counts[dimension]) {
                            let mut left = part.clone();
                            left[dimension] = Rc::new(rest);
                            open.push((left, next));
                        }
                    }
                    part[dimension] = common;
                }
                break;
            }
        }
        Some(true)
    }
}

/// Returns what two regions have in common: `Some(None)` if that is nothing, `None` if it takes too much work.
fn common(
    region: &Region,
    other: &Region,
    counts: &[usize],
    work: &mut Work,
) -> Option<Option<Region>> {
    let mut common = Vec::with_capacity(region.len());
    for ((own, other), count) in region.iter().zip(other).zip(counts) {
        if Rc::ptr_eq(own, other) {
            common.push(Rc::clone(own));
            continue;
        }
        work.spend(1 + (own.len() + other.len()) / 8)?;
        let both = own.intersection(other);
        if both.is_empty(*count) {
            return Some(None);
        }
        common.push(Rc::new(both));
    }
    Some(Some(common))
}

/// The regions of statements, in the space that they tell apart.
struct Space<'s, 'a> {
    /// The region of each statement.
    regions: Vec<Region>,
    /// The number of classes in each dimension.
    counts: Vec<usize>,
    actions: NameClasses<'s, 'a>,
}

impl<'s, 'a> Space<'s, 'a> {
    /// Makes the regions of statements. Returns `None` if that takes too much work.
    fn new(
        statements: &[&'s Statement<'a>],
        service: Option<&'static str>,
        work: &mut Work,
    ) -> Option<Self> {
        let people = People::new(statements.iter().map(|statement| &statement.principals));
        let actions = statements.iter().map(|statement| &statement.actions);
        let actions = NameClasses::new(actions, service, work)?;
        let resources = statements.iter().map(|statement| &statement.resources);
        let resources = NameClasses::new(resources, None, work)?;
        let mut counts = vec![people.count(), actions.count, resources.count];
        let mut tests: BTreeMap<&str, Vec<&Test<'_>>> = BTreeMap::new();
        for test in statements.iter().flat_map(|statement| &statement.tests) {
            tests.entry(&test.key).or_default().push(test);
        }
        let mut keys = Vec::new();
        for (name, mut tests) in tests {
            tests.sort_unstable();
            tests.dedup();
            let key = Key::new(&tests, work)?;
            counts.push(key.count());
            keys.push((name, key));
        }
        let all = Rc::new(ClassSet::all());
        let mut of_principals = HashMap::new();
        let mut of_tests = HashMap::new();
        let mut regions = Vec::new();
        for statement in statements {
            work.spend(counts.len())?;
            let who = of_principals
                .entry((&statement.principals, statement.is_allow))
                .or_insert_with(|| Rc::new(people.set(&statement.principals, statement.is_allow)));
            let mut region = vec![
                Rc::clone(who),
                actions.set(&statement.actions)?,
                resources.set(&statement.resources)?,
            ];
            for (name, key) in &keys {
                let own: Vec<&Test<'_>> = statement
                    .tests
                    .iter()
                    .filter(|test| test.key == *name)
                    .collect();
                if own.is_empty() {
                    region.push(Rc::clone(&all));
                    continue;
                }
                let set = match of_tests.get(&own) {
                    Some(set) => Rc::clone(set),
                    None => {
                        let set = Rc::new(key.set(&own, work)?);
                        of_tests.insert(own, Rc::clone(&set));
                        set
                    }
                };
                region.push(set);
            }
            regions.push(region);
        }
        Some(Self {
            regions,
            counts,
            actions,
        })
    }

    /// Returns the region of one action of a statement: all of its region if the action is not among its names.
    fn of_action(&self, region: &Region, statement: &Statement<'a>, action: &str) -> Region {
        let mut region = region.clone();
        let action = action.to_ascii_lowercase();
        if let Some(set) = self.actions.of_name(&statement.actions, &action)
            && let Some(actions) = region.get_mut(ACTIONS)
        {
            *actions = Rc::new(set);
        }
        region
    }
}

/// The classes of actions or resources that some statements tell apart.
struct NameClasses<'s, 'a> {
    count: usize,
    sets: HashMap<&'s Names<'a>, Rc<ClassSet>>,
    /// The pattern of each name, and whether it has variables.
    patterns: HashMap<(&'s str, bool), usize>,
    /// The classes of each pattern.
    of_pattern: Vec<Vec<u32>>,
}

impl<'s, 'a> NameClasses<'s, 'a> {
    /// Finds the classes of all names, and of those only that begin with `start`, if there is one. `None` if that takes
    /// too much work.
    fn new(
        all: impl Iterator<Item = &'s Names<'a>>,
        start: Option<&'static str>,
        work: &mut Work,
    ) -> Option<Self> {
        let different: HashSet<&'s Names<'a>> = all.collect();
        if different.len() == 1 && start.is_none() {
            // What all statements have in common tells nothing apart.
            let sets = different
                .into_iter()
                .map(|names| (names, Rc::new(ClassSet::all())));
            return Some(Self {
                count: 1,
                sets: sets.collect(),
                patterns: HashMap::new(),
                of_pattern: Vec::new(),
            });
        }
        // A text with variables is another pattern where it has none.
        let mut numbers: HashMap<(&'s str, bool), usize> = HashMap::new();
        let mut patterns: Vec<Pattern<'s>> = Vec::new();
        for names in &different {
            for name in &names.list {
                numbers
                    .entry((name, names.has_variables))
                    .or_insert_with(|| {
                        patterns.push(names.pattern(name));
                        patterns.len() - 1
                    });
            }
        }
        let named = patterns.len();
        patterns.extend(start.map(|start| {
            let start = start.chars().map(Piece::Char);
            start.chain([Piece::Star]).collect()
        }));
        let mut classes = classes(&patterns, work)?;
        if start.is_some() {
            classes.retain(|class| class.last().is_some_and(|last| *last as usize == named));
        }
        let mut of_pattern = vec![Vec::new(); patterns.len()];
        for (class, members) in (0u32..).zip(&classes) {
            work.spend(members.len())?;
            for pattern in members {
                of_pattern.get_mut(*pattern as usize)?.push(class);
            }
        }
        let mut sets = HashMap::new();
        for names in different {
            let mut own = Vec::new();
            for name in &names.list {
                let number = numbers.get(&(&**name, names.has_variables))?;
                let classes = of_pattern.get(*number)?;
                work.spend(1 + classes.len())?;
                own.extend(classes);
            }
            let set = ClassSet::only(own);
            let set = if names.are_excluded {
                set.complement()
            } else {
                set
            };
            sets.insert(names, Rc::new(set));
        }
        Some(Self {
            count: classes.len(),
            sets,
            patterns: numbers,
            of_pattern,
        })
    }

    /// Returns the classes of a name among others; `None` if it is not a pattern of its own.
    fn of_name(&self, names: &Names<'a>, name: &str) -> Option<ClassSet> {
        let number = self.patterns.get(&(name, names.has_variables))?;
        self.of_pattern
            .get(*number)
            .map(|classes| ClassSet::Only(classes.clone()))
    }

    /// Returns the classes of names, which are among those that the classes were made for.
    fn set(&self, names: &Names<'a>) -> Option<Rc<ClassSet>> {
        self.sets.get(names).map(Rc::clone)
    }
}
