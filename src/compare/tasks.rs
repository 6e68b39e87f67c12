//! The pairs of two plans that must be compared value by value.
//!
//! Invariant: everything in either plan is in a pair, except for pairs with identical texts, which are only
//! counted.

use std::hash::Hash;

use foldhash::{HashMap, HashMapExt as _};

use super::pairs::{self, Item};
use super::plans::Side;
use super::{Class, DifferenceKind, Subject, change, renamed};
use crate::diff::Error;
use crate::diff::edits::Positions;
use crate::diff::value::Redactor;
use crate::json::Raw;
use crate::model::Action;
use crate::model::configuration::Variable;
use crate::model::plan::{
    ActionInvocation, Change, DeferredChange, DeferredInvocation, Plan, ResourceChange,
};
use crate::review::ChangeKind;
use crate::review::pairs::{Pair, Pairs};
use crate::schema::Position;

/// The invocation of an action, and why it is deferred; empty if it is not.
pub(super) type Invoked<'p, 'a> = (&'p ActionInvocation<'a>, &'p str);

/// Something to compare.
pub(super) struct Task<'l, 'a> {
    pub(super) subject: Subject,
    pub(super) address: &'l str,
    pub(super) deposed: &'l str,
    pub(super) work: Work<'l, 'a>,
}

pub(super) enum Work<'l, 'a> {
    /// It is in one of the plans only.
    Only(Class, DifferenceKind<'a>),
    Change([Item<'l, 'a>; 2], [Position<'a>; 2]),
    Output([&'l Change<'a>; 2]),
    Variable([Option<&'l Variable<'a>>; 2]),
    Invocation([Invoked<'l, 'a>; 2], Position<'a>),
}

impl Task<'_, '_> {
    /// The length of the values in bytes of JSON: a measure of the work to compare them.
    pub(super) fn size(&self) -> usize {
        match &self.work {
            Work::Only(..) => 0,
            Work::Change(pair, _) => pair.iter().map(|item| item.change.change.size()).sum(),
            Work::Output(pair) => pair.iter().map(|change| change.size()).sum(),
            Work::Variable(pair) => {
                let values = pair.iter().flatten().filter_map(|variable| variable.value);
                values.map(|raw| raw.text().len()).sum()
            }
            Work::Invocation(pair, _) => pair.iter().map(|(action, _)| action.as_change().size()).sum(),
        }
    }

    /// Whether it counts as a change of the plan.
    pub(super) fn is_counted(&self) -> bool {
        matches!(self.subject, Subject::Resource | Subject::Invocation | Subject::Output)
    }
}

pub(super) struct Tasks<'p, 'a> {
    pub(super) positions: [Positions<'p, 'a>; 2],
    pub(super) redactor: Redactor<'a>,
    pub(super) tasks: Vec<Task<'p, 'a>>,
    /// The number of changes with identical texts.
    pub(super) same: usize,
}

impl<'p, 'a: 'p> Tasks<'p, 'a> {
    pub(super) fn all(
        mut self,
        approved: &Side<'p, 'a>,
        now: &Side<'p, 'a>,
        variables: [&'p [Variable<'a>]; 2],
    ) -> Result<Self, Error> {
        let plans = [approved.plan, now.plan];
        let items =
            |changes: &'p [ResourceChange<'a>]| changes.iter().map(|change| Item { change, reason: "" });
        let resources = plans.map(|plan| items(&plan.resource_changes));
        let resources = resources.map(|items| items.filter(|item| !item.change.is_silent()).collect());
        self.changes(Subject::Resource, resources)?;
        self.changes(Subject::Drift, plans.map(|plan| items(&plan.resource_drift).collect()))?;
        let deferred =
            |found: &'p DeferredChange<'a>| Item { change: &found.resource_change, reason: &found.reason };
        let deferred = plans.map(|plan| plan.deferred_changes.iter().map(deferred).collect());
        self.changes(Subject::Deferred, deferred)?;
        self.outputs(approved.plan, now.plan);
        self.variables(variables);
        let invoked = plans.map(|plan| plan.action_invocations.iter().map(|action| (action, "")).collect());
        self.invocations(Subject::Invocation, invoked)?;
        let deferred = |found: &'p DeferredInvocation<'a>| (&found.action_invocation, &*found.reason);
        let deferred = plans.map(|plan| plan.deferred_action_invocations.iter().map(deferred).collect());
        self.invocations(Subject::DeferredInvocation, deferred)?;
        Ok(self)
    }

    fn changes(&mut self, subject: Subject, [old, new]: [Vec<Item<'p, 'a>>; 2]) -> Result<(), Error> {
        let pairs: Vec<Pair<usize>> = pairs::pair(&old, &new).all().collect();
        let mut renamed = HashMap::new();
        if subject == Subject::Resource {
            let is_destroyed = |item: &Item<'_, '_>| item.change.change.actions == Action::Delete;
            let gone = pairs.iter().filter_map(|pair| match *pair {
                Pair::Before(at) => Some(old[at]),
                Pair::Both(at, now) => {
                    (is_destroyed(&new[now]) && !is_destroyed(&old[at])).then_some(old[at])
                }
                Pair::After(_) => None,
            });
            let added = pairs.iter().filter_map(|pair| match *pair {
                Pair::After(at) => Some((at, new[at])),
                Pair::Before(_) | Pair::Both(..) => None,
            });
            // Objects that only the new plan destroys are gone too.
            let (destroyed, made): (Vec<_>, Vec<_>) = added.partition(|(_, item)| is_destroyed(item));
            let gone: Vec<_> = gone.chain(destroyed.into_iter().map(|(_, item)| item)).collect();
            renamed = renamed::find(&gone, &made);
        }
        for pair in pairs {
            let [old_positions, new_positions] = &mut self.positions;
            let (Pair::Both(_, Item { change, .. })
            | Pair::After(Item { change, .. })
            | Pair::Before(Item { change, .. })) = pair.map(|at| old[at], |at| new[at]);
            let action = &change.change.actions;
            let kind = ChangeKind::from_action(action, change.is_imported(), change.is_moved());
            let work = match pair {
                Pair::Both(at, now) if pairs::is_same_text(&old[at], &new[now]) => {
                    self.same += usize::from(subject == Subject::Resource);
                    continue;
                }
                Pair::Both(at, now) => {
                    let (old, new) = (old[at], new[now]);
                    let positions =
                        [old_positions.position(old.change)?, new_positions.position(new.change)?];
                    Work::Change([old, new], positions)
                }
                Pair::Before(_) => {
                    old_positions.position(change)?;
                    only_approved(kind.phrase(), action.words())
                }
                Pair::After(at) => {
                    new_positions.position(change)?;
                    // Of what is deferred, nothing is done in this plan.
                    let is_deferred = subject == Subject::Deferred;
                    let class =
                        if is_deferred { Class::Less } else { Class::of_object(&change.mode, action, kind) };
                    let renamed_from = renamed.get(&at).map(|address| self.redactor.text(address));
                    only_now(class, kind.phrase(), action.words(), renamed_from)
                }
            };
            let (address, deposed) = (&*change.address, &*change.deposed);
            self.tasks.push(Task { subject, address, deposed, work });
        }
        Ok(())
    }

    fn outputs(&mut self, old: &'p Plan<'a>, new: &'p Plan<'a>) {
        let listed = |plan: &'p Plan<'a>| {
            let changes = plan.output_changes.iter().map(|(name, change)| (&**name, change));
            changes.filter(|(_, change)| change.actions != Action::NoOp)
        };
        let [old, new] = [old, new].map(|plan| listed(plan).collect::<Vec<_>>());
        for pair in paired(&old, &new, |(name, _)| *name) {
            let (Pair::Both(_, (name, change)) | Pair::After((name, change)) | Pair::Before((name, change))) =
                pair;
            let phrase = ChangeKind::from_action(&change.actions, false, false).phrase();
            let work = match pair {
                Pair::Both((_, old), (_, new)) if change::same_text(old, new) => {
                    self.same += 1;
                    continue;
                }
                Pair::Both((_, old), (_, new)) => Work::Output([old, new]),
                Pair::After(_) => only_now(Class::Value, phrase, change.actions.words(), None),
                Pair::Before(_) => only_approved(phrase, change.actions.words()),
            };
            self.tasks.push(Task { subject: Subject::Output, address: name, deposed: "", work });
        }
    }

    fn variables(&mut self, [old, new]: [&'p [Variable<'a>]; 2]) {
        let [old, new] = [old, new].map(|all| all.iter().collect::<Vec<_>>());
        for pair in paired(&old, &new, |variable| &*variable.name) {
            let both = match pair {
                Pair::Both(old, new) if old.value.map(Raw::text) == new.value.map(Raw::text) => continue,
                Pair::Both(old, new) => [Some(old), Some(new)],
                Pair::Before(old) => [Some(old), None],
                Pair::After(new) => [None, Some(new)],
            };
            let (Pair::Both(_, variable) | Pair::After(variable) | Pair::Before(variable)) = pair;
            let (subject, address, work) = (Subject::Variable, &*variable.name, Work::Variable(both));
            self.tasks.push(Task { subject, address, deposed: "", work });
        }
    }

    fn invocations(&mut self, subject: Subject, [old, new]: [Vec<Invoked<'p, 'a>>; 2]) -> Result<(), Error> {
        for pair in paired(&old, &new, |(action, _)| invocation_key(action)) {
            let [old_positions, new_positions] = &self.positions;
            let (Pair::Both(_, (action, _)) | Pair::After((action, _)) | Pair::Before((action, _))) = pair;
            let positions = if matches!(pair, Pair::Before(_)) { old_positions } else { new_positions };
            let position = positions.action(action)?;
            let (phrase, word) = ("is invoked", "invoke");
            let work = match pair {
                Pair::Both(old, new) => Work::Invocation([old, new], position),
                // Nothing is done in this plan.
                Pair::After(_) if subject == Subject::DeferredInvocation => {
                    only_now(Class::Less, phrase, word, None)
                }
                Pair::After(_) => only_now(Class::Action, phrase, word, None),
                Pair::Before(_) => only_approved(phrase, word),
            };
            self.tasks.push(Task { subject, address: &action.address, deposed: "", work });
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

/// Pairs entries with the same key, in order.
fn paired<T: Copy, K: Eq + Hash>(old: &[T], new: &[T], key: impl Fn(&T) -> K) -> Vec<Pair<T>> {
    let mut pairs = Pairs::new(old.len(), new.len());
    pairs.join(|at| old.get(at).map(&key), |at| new.get(at).map(&key));
    pairs.all().map(|pair| pair.map(|at| old[at], |at| new[at])).collect()
}

/// Work for what is only in the new plan. The class of drift is decided with that of other differences.
fn only_now<'l, 'a>(
    class: Class,
    phrase: &'static str,
    action: &str,
    renamed_from: Option<&'a str>,
) -> Work<'l, 'a> {
    Work::Only(class, DifferenceKind::OnlyNow { phrase, action: action.to_owned(), renamed_from })
}

fn only_approved<'l, 'a>(phrase: &'static str, action: &str) -> Work<'l, 'a> {
    Work::Only(Class::Less, DifferenceKind::OnlyApproved { phrase, action: action.to_owned() })
}
