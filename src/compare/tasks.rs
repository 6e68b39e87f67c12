//! The pairs of two plans that must be compared value by value.
//!
//! Invariant: everything in either plan is in a pair, except for pairs with identical texts, which are only
//! counted.

use std::collections::VecDeque;

use foldhash::{HashMap, HashMapExt as _};

use super::pairs::{self, Item, Pair};
use super::plans::Side;
use super::provider::provider_path;
use super::{Subject, change, renamed};
use crate::diff::Error;
use crate::diff::edits::{Positions, Texts};
use crate::json::Raw;
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Change, DeferredChange, Plan, ResourceChange};
use crate::model::variables::Variable;
use crate::schema::Position;

/// The changes of a plan that are compared.
pub(super) struct Items<'p, 'a> {
    resources: Vec<Item<'p, 'a>>,
    drift: Vec<Item<'p, 'a>>,
    deferred: Vec<Item<'p, 'a>>,
}

impl<'p, 'a> Items<'p, 'a> {
    pub(super) fn new(plan: &'p Plan<'a>) -> Self {
        let items = |changes: &'p [ResourceChange<'a>]| changes.iter().map(|change| Item::new(change, ""));
        let deferred =
            |deferred: &'p DeferredChange<'a>| Item::new(&deferred.resource_change, &deferred.reason);
        Self {
            resources: items(&plan.resource_changes).filter(|item| !item.change.is_silent()).collect(),
            drift: items(&plan.resource_drift).collect(),
            deferred: plan.deferred_changes.iter().map(deferred).collect(),
        }
    }
}

pub(super) struct Lists<'p, 'a> {
    pub(super) approved: Items<'p, 'a>,
    pub(super) now: Items<'p, 'a>,
}

/// The invocation of an action, with the reason if it is deferred.
#[derive(Clone, Copy)]
pub(super) struct ActionItem<'p, 'a> {
    pub(super) action: &'p ActionInvocation<'a>,
    pub(super) reason: Option<&'p str>,
}

impl<'p, 'a: 'p> ActionItem<'p, 'a> {
    pub(super) fn planned(plan: &'p Plan<'a>) -> impl Iterator<Item = Self> {
        plan.action_invocations.iter().map(|action| Self { action, reason: None })
    }

    pub(super) fn deferred(plan: &'p Plan<'a>) -> impl Iterator<Item = Self> {
        let deferred = plan.deferred_action_invocations.iter();
        deferred.map(|it| Self { action: &it.action_invocation, reason: Some(&it.reason) })
    }

    pub(super) fn provider_path(self) -> &'p str {
        provider_path(&self.action.provider_name)
    }
}

/// Something to compare.
pub(super) enum Task<'p, 'a> {
    Change {
        subject: Subject,
        pair: Pair<&'p Item<'p, 'a>>,
        positions: [Position<'a>; 2],
        renamed_from: Option<&'p str>,
    },
    Output {
        name: &'p str,
        pair: Pair<&'p Change<'a>>,
    },
    Variable {
        name: &'p str,
        pair: Pair<&'p Variable<'a>>,
    },
    Invocation {
        subject: Subject,
        pair: Pair<ActionItem<'p, 'a>>,
        position: Position<'a>,
    },
}

impl Task<'_, '_> {
    /// The length of the values in bytes of JSON: a measure of the work to compare them.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Change { pair, .. } => each(*pair).map(|item| item.change.size()).sum(),
            Self::Output { pair, .. } => each(*pair).map(|change| Texts::from(change).size()).sum(),
            Self::Variable { pair, .. } => {
                each(*pair).filter_map(|variable| variable.value).map(|raw| raw.text().len()).sum()
            }
            Self::Invocation { pair, .. } => each(*pair).map(|item| Texts::from(item.action).size()).sum(),
        }
    }

    /// Whether it counts as a change of the plan.
    pub(super) fn is_counted(&self) -> bool {
        match self {
            Self::Change { subject, .. } => *subject == Subject::Resource,
            Self::Invocation { subject, .. } => *subject == Subject::Invocation,
            Self::Output { .. } => true,
            Self::Variable { .. } => false,
        }
    }
}

fn each<T>(pair: Pair<T>) -> impl Iterator<Item = T> {
    let (one, other) = match pair {
        Pair::Both(one, other) => (Some(one), Some(other)),
        Pair::Approved(one) | Pair::Now(one) => (Some(one), None),
    };
    one.into_iter().chain(other)
}

pub(super) struct Tasks<'p, 'l, 'a> {
    pub(super) lists: &'l Lists<'p, 'a>,
    pub(super) positions: [Positions<'p, 'a>; 2],
    pub(super) tasks: Vec<Task<'l, 'a>>,
    /// The number of changes with identical texts.
    pub(super) same: usize,
}

impl<'p: 'l, 'l, 'a> Tasks<'p, 'l, 'a> {
    pub(super) fn all(
        mut self,
        approved: &Side<'p, 'a>,
        now: &Side<'p, 'a>,
        variables: (&'l [Variable<'a>], &'l [Variable<'a>]),
    ) -> Result<Self, Error> {
        let Lists { approved: old, now: new } = self.lists;
        self.changes(Subject::Resource, &old.resources, &new.resources)?;
        self.changes(Subject::Drift, &old.drift, &new.drift)?;
        self.changes(Subject::Deferred, &old.deferred, &new.deferred)?;
        self.outputs(approved.plan, now.plan);
        self.variables(variables.0, variables.1);
        let [old, new] = [approved.plan, now.plan].map(ActionItem::planned);
        self.invocations(Subject::Invocation, old, new)?;
        let [old, new] = [approved.plan, now.plan].map(ActionItem::deferred);
        self.invocations(Subject::DeferredInvocation, old, new)?;
        Ok(self)
    }

    fn changes(
        &mut self,
        subject: Subject,
        old: &'l [Item<'p, 'a>],
        new: &'l [Item<'p, 'a>],
    ) -> Result<(), Error> {
        let pairs = pairs::pair(old, new);
        let mut renamed = HashMap::new();
        if subject == Subject::Resource {
            let is_destroyed = |item: &Item<'_, '_>| item.change.change.actions == Action::Delete;
            let gone = pairs.iter().filter_map(|pair| match *pair {
                Pair::Approved(at) => Some(at),
                Pair::Both(at, now) => (is_destroyed(&new[now]) && !is_destroyed(&old[at])).then_some(at),
                Pair::Now(_) => None,
            });
            let mut gone: Vec<(usize, &Item<'_, '_>)> = gone.map(|at| (at, &old[at])).collect();
            // Objects that only the new plan destroys: their indices follow those of the approved plan.
            let added = pairs.iter().filter_map(|pair| match *pair {
                Pair::Now(at) => Some((at, &new[at])),
                Pair::Approved(_) | Pair::Both(..) => None,
            });
            let (destroyed, made): (Vec<_>, Vec<_>) = added.partition(|(_, item)| is_destroyed(item));
            gone.extend(destroyed.into_iter().map(|(at, item)| (old.len() + at, item)));
            renamed = renamed::find(&gone, &made);
        }
        for pair in pairs {
            let (pair, renamed_from) = match pair {
                Pair::Both(at, now) if pairs::is_same_text(&old[at], &new[now]) => {
                    self.same += usize::from(subject == Subject::Resource);
                    continue;
                }
                Pair::Both(at, now) => (Pair::Both(&old[at], &new[now]), None),
                Pair::Approved(at) => (Pair::Approved(&old[at]), None),
                Pair::Now(at) => {
                    let from = renamed
                        .get(&at)
                        .and_then(|from| old.get(*from).or_else(|| new.get(from.checked_sub(old.len())?)));
                    (Pair::Now(&new[at]), from.map(|item| &*item.address))
                }
            };
            let [old_positions, new_positions] = &mut self.positions;
            let positions = match pair {
                Pair::Both(old, new) => {
                    [old_positions.position(old.change)?, new_positions.position(new.change)?]
                }
                Pair::Approved(item) => [old_positions.position(item.change)?; 2],
                Pair::Now(item) => [new_positions.position(item.change)?; 2],
            };
            self.tasks.push(Task::Change { subject, pair, positions, renamed_from });
        }
        Ok(())
    }

    fn outputs(&mut self, old: &'p Plan<'a>, new: &'p Plan<'a>) {
        let listed = |plan: &'p Plan<'a>| {
            let changes = plan.output_changes.iter().map(|(name, change)| (&**name, change));
            changes.filter(|(_, change)| change.actions != Action::NoOp)
        };
        for (name, pair) in by_name(listed(old), listed(new)) {
            if let Pair::Both(old, new) = pair
                && change::same_text(old, new)
            {
                self.same += 1;
                continue;
            }
            self.tasks.push(Task::Output { name, pair });
        }
    }

    fn variables(&mut self, old: &'l [Variable<'a>], new: &'l [Variable<'a>]) {
        let named =
            |variables: &'l [Variable<'a>]| variables.iter().map(|variable| (&*variable.name, variable));
        for (name, pair) in by_name(named(old), named(new)) {
            if let Pair::Both(old, new) = pair
                && old.value.map(Raw::text) == new.value.map(Raw::text)
            {
                continue;
            }
            self.tasks.push(Task::Variable { name, pair });
        }
    }

    fn invocations(
        &mut self,
        subject: Subject,
        approved: impl Iterator<Item = ActionItem<'p, 'a>>,
        now: impl Iterator<Item = ActionItem<'p, 'a>>,
    ) -> Result<(), Error> {
        let mut left: HashMap<String, VecDeque<(usize, ActionItem<'p, 'a>)>> = HashMap::new();
        for (at, item) in approved.enumerate() {
            left.entry(invocation_key(item.action)).or_default().push_back((at, item));
        }
        let mut pairs = Vec::new();
        for item in now {
            let same = left.get_mut(&invocation_key(item.action)).and_then(VecDeque::pop_front);
            pairs.push(same.map_or(Pair::Now(item), |(_, old)| Pair::Both(old, item)));
        }
        let mut left: Vec<_> = left.into_values().flatten().collect();
        left.sort_by_key(|(at, _)| *at);
        pairs.extend(left.into_iter().map(|(_, item)| Pair::Approved(item)));
        for pair in pairs {
            let [old_positions, new_positions] = &self.positions;
            let position = match pair {
                Pair::Both(_, item) | Pair::Now(item) => new_positions.action(item.action)?,
                Pair::Approved(item) => old_positions.action(item.action)?,
            };
            self.tasks.push(Task::Invocation { subject, pair, position });
        }
        Ok(())
    }
}

/// The key that identifies an invocation: the action and its trigger.
pub(super) fn invocation_key(action: &ActionInvocation<'_>) -> String {
    let trigger = match (&action.lifecycle_action_trigger, &action.invoke_action_trigger) {
        (Some(trigger), _) => format!(
            "{:?} {:?} {} {}",
            trigger.triggering_resource_address,
            trigger.action_trigger_event,
            trigger.action_trigger_block_index,
            trigger.actions_list_index
        ),
        (None, Some(trigger)) => format!("{:?}", trigger.calling_resource_address),
        (None, None) => String::new(),
    };
    format!("{:?} {trigger}", action.address)
}

/// Pairs entries by name: in the order of the new list, then those only in the approved one.
fn by_name<'n, T: Copy>(
    old: impl Iterator<Item = (&'n str, T)> + Clone,
    new: impl Iterator<Item = (&'n str, T)>,
) -> Vec<(&'n str, Pair<T>)> {
    let mut left: HashMap<&str, T> = old.clone().collect();
    let mut pairs: Vec<(&'n str, Pair<T>)> = new
        .map(|(name, new)| (name, left.remove(name).map_or(Pair::Now(new), |old| Pair::Both(old, new))))
        .collect();
    pairs.extend(old.filter_map(|(name, _)| Some((name, Pair::Approved(left.remove(name)?)))));
    pairs
}
