//! The pairs of two plans that must be compared value by value.
//!
//! Invariant: everything in either plan is in a pair, except for pairs with identical texts, which are only
//! counted.

use std::collections::VecDeque;
use std::hash::Hash;

use foldhash::{HashMap, HashMapExt as _};

use super::pairs::{self, Item, Pair, provider_path};
use super::plans::Side;
use super::{Class, Subject, change, renamed};
use crate::diff::Error;
use crate::diff::edits::{Positions, Texts};
use crate::json::Raw;
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Change, DeferredChange, Plan, ResourceChange};
use crate::model::variables::Variable;
use crate::review::ChangeKind;
use crate::schema::Position;

/// The changes of a plan that are compared.
pub(super) struct Items<'p, 'a> {
    resources: Vec<Item<'p, 'a>>,
    drift: Vec<Item<'p, 'a>>,
    deferred: Vec<Item<'p, 'a>>,
}

impl<'p, 'a> Items<'p, 'a> {
    pub(super) fn new(plan: &'p Plan<'a>) -> Self {
        let items =
            |changes: &'p [ResourceChange<'a>]| changes.iter().map(|change| Item { change, reason: "" });
        let deferred = |deferred: &'p DeferredChange<'a>| Item {
            change: &deferred.resource_change,
            reason: &deferred.reason,
        };
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
pub(super) struct Task<'l, 'a> {
    pub(super) subject: Subject,
    pub(super) address: &'l str,
    pub(super) deposed: &'l str,
    pub(super) work: Work<'l, 'a>,
}

pub(super) enum Work<'l, 'a> {
    /// It is in one of the plans only.
    Only {
        class: Class,
        is_now: bool,
        phrase: &'static str,
        action: &'l str,
        renamed_from: Option<&'l str>,
    },
    Change([&'l Item<'l, 'a>; 2], [Position<'a>; 2]),
    Output([&'l Change<'a>; 2]),
    Variable([Option<&'l Variable<'a>>; 2]),
    Invocation([ActionItem<'l, 'a>; 2], Position<'a>),
}

impl Task<'_, '_> {
    /// The length of the values in bytes of JSON: a measure of the work to compare them.
    pub(super) fn size(&self) -> usize {
        match &self.work {
            Work::Only { .. } => 0,
            Work::Change(pair, _) => pair.iter().map(|item| item.change.size()).sum(),
            Work::Output(pair) => pair.iter().map(|change| Texts::from(*change).size()).sum(),
            Work::Variable(pair) => {
                let values = pair.iter().flatten().filter_map(|variable| variable.value);
                values.map(|raw| raw.text().len()).sum()
            }
            Work::Invocation(pair, _) => pair.iter().map(|item| Texts::from(item.action).size()).sum(),
        }
    }

    /// Whether it counts as a change of the plan.
    pub(super) fn is_counted(&self) -> bool {
        matches!(self.subject, Subject::Resource | Subject::Invocation | Subject::Output)
    }
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
            let [old_positions, new_positions] = &mut self.positions;
            let (Pair::Both(_, at) | Pair::Now(at) | Pair::Approved(at)) = pair;
            let item = if matches!(pair, Pair::Approved(_)) { &old[at] } else { &new[at] };
            let action = &item.change.change.actions;
            let kind = ChangeKind::from_action(action, item.change.is_imported(), item.change.is_moved());
            let only = |class, is_now, renamed_from| {
                let (phrase, action) = (kind.phrase(), action.words());
                Work::Only { class, is_now, phrase, action, renamed_from }
            };
            let work = match pair {
                Pair::Both(at, now) if pairs::is_same_text(&old[at], &new[now]) => {
                    self.same += usize::from(subject == Subject::Resource);
                    continue;
                }
                Pair::Both(at, now) => {
                    let (old, new) = (&old[at], &new[now]);
                    let positions =
                        [old_positions.position(old.change)?, new_positions.position(new.change)?];
                    Work::Change([old, new], positions)
                }
                Pair::Approved(_) => {
                    old_positions.position(item.change)?;
                    only(if subject == Subject::Drift { Class::World } else { Class::Less }, false, None)
                }
                Pair::Now(at) => {
                    new_positions.position(item.change)?;
                    let from = renamed
                        .get(&at)
                        .and_then(|from| old.get(*from).or_else(|| new.get(from.checked_sub(old.len())?)));
                    let class = if subject == Subject::Drift {
                        Class::World
                    } else if subject == Subject::Deferred {
                        // Nothing is done in this plan.
                        Class::Less
                    } else {
                        Class::of_object(&item.change.mode, action, kind)
                    };
                    only(class, true, from.map(|item| &*item.change.address))
                }
            };
            let (address, deposed) = (&*item.change.address, &*item.change.deposed);
            self.tasks.push(Task { subject, address, deposed, work });
        }
        Ok(())
    }

    fn outputs(&mut self, old: &'p Plan<'a>, new: &'p Plan<'a>) {
        let listed = |plan: &'p Plan<'a>| {
            let changes = plan.output_changes.iter().map(|(name, change)| (&**name, change));
            changes.filter(|(_, change)| change.actions != Action::NoOp)
        };
        for pair in paired(listed(old), listed(new), |(name, _)| *name) {
            let (Pair::Both(_, (name, change)) | Pair::Now((name, change)) | Pair::Approved((name, change))) =
                pair;
            let only = |class, is_now| {
                let phrase = ChangeKind::from_action(&change.actions, false, false).phrase();
                Work::Only { class, is_now, phrase, action: change.actions.words(), renamed_from: None }
            };
            let work = match pair {
                Pair::Both((_, old), (_, new)) if change::same_text(old, new) => {
                    self.same += 1;
                    continue;
                }
                Pair::Both((_, old), (_, new)) => Work::Output([old, new]),
                Pair::Now(_) => only(Class::Value, true),
                Pair::Approved(_) => only(Class::Less, false),
            };
            self.tasks.push(Task { subject: Subject::Output, address: name, deposed: "", work });
        }
    }

    fn variables(&mut self, old: &'l [Variable<'a>], new: &'l [Variable<'a>]) {
        for pair in paired(old.iter(), new.iter(), |variable| &*variable.name) {
            let both = match pair {
                Pair::Both(old, new) if old.value.map(Raw::text) == new.value.map(Raw::text) => continue,
                Pair::Both(old, new) => [Some(old), Some(new)],
                Pair::Approved(old) => [Some(old), None],
                Pair::Now(new) => [None, Some(new)],
            };
            let (Pair::Both(_, variable) | Pair::Now(variable) | Pair::Approved(variable)) = pair;
            let (subject, address, work) = (Subject::Variable, &*variable.name, Work::Variable(both));
            self.tasks.push(Task { subject, address, deposed: "", work });
        }
    }

    fn invocations(
        &mut self,
        subject: Subject,
        approved: impl Iterator<Item = ActionItem<'p, 'a>>,
        now: impl Iterator<Item = ActionItem<'p, 'a>>,
    ) -> Result<(), Error> {
        for pair in paired(approved, now, |item| invocation_key(item.action)) {
            let [old_positions, new_positions] = &self.positions;
            let (Pair::Both(_, item) | Pair::Now(item) | Pair::Approved(item)) = pair;
            let positions = if matches!(pair, Pair::Approved(_)) { old_positions } else { new_positions };
            let position = positions.action(item.action)?;
            let only = |class, is_now| Work::Only {
                class,
                is_now,
                phrase: "is invoked",
                action: "invoke",
                renamed_from: None,
            };
            let work = match pair {
                Pair::Both(old, new) => Work::Invocation([old, new], position),
                // Nothing is done in this plan.
                Pair::Now(_) if subject == Subject::DeferredInvocation => only(Class::Less, true),
                Pair::Now(_) => only(Class::Action, true),
                Pair::Approved(_) => only(Class::Less, false),
            };
            self.tasks.push(Task { subject, address: &item.action.address, deposed: "", work });
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

/// Pairs entries with the same key, in order: in the order of the new list, then those only in the approved one.
fn paired<T: Copy, K: Eq + Hash>(
    old: impl Iterator<Item = T>,
    new: impl Iterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Vec<Pair<T>> {
    let mut left: HashMap<K, VecDeque<(usize, T)>> = HashMap::new();
    for (at, item) in old.enumerate() {
        left.entry(key(&item)).or_default().push_back((at, item));
    }
    let mut pairs = Vec::new();
    for item in new {
        let same = left.get_mut(&key(&item)).and_then(VecDeque::pop_front);
        pairs.push(same.map_or(Pair::Now(item), |(_, old)| Pair::Both(old, item)));
    }
    let mut left: Vec<_> = left.into_values().flatten().collect();
    left.sort_by_key(|(at, _)| *at);
    pairs.extend(left.into_iter().map(|(_, item)| Pair::Approved(item)));
    pairs
}
