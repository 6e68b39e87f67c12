//! The pairs of two plans that must be compared value by value.
//!
//! Invariant: everything in either plan is in a pair, except for pairs with identical texts, which are only
//! counted.

use foldhash::{HashMap, HashMapExt as _};

use super::pairs::{self, Item};
use super::{Class, DifferenceKind, Subject, change, renamed};
use crate::diff::edits::PlanPart;
use crate::diff::value::Redactor;
use crate::json::Raw;
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Change, ResourceChange};
use crate::model::variables::Variable;
use crate::review::ChangeKind;
use crate::review::pairs::{Pair, Pairs};
use crate::schema::Position;

/// A part of a plan, and the schema of its values.
pub(super) type Listed<'p, 'a> = (PlanPart<'p, 'a>, Position<'a>);

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
    Both([Listed<'l, 'a>; 2]),
    Variable([Option<&'l Variable<'a>>; 2]),
}

impl Task<'_, '_> {
    /// The length of the values in bytes of JSON: a measure of the work to compare them.
    pub(super) fn size(&self) -> usize {
        match &self.work {
            Work::Only(..) => 0,
            Work::Both(pair) => pair.iter().map(|(part, _)| part.change().values_size()).sum(),
            Work::Variable(pair) => {
                let values = pair.iter().flatten().filter_map(|variable| variable.value);
                values.map(|raw| raw.text().len()).sum()
            }
        }
    }
}

pub(super) struct Tasks<'p, 'a> {
    pub(super) redactor: Redactor<'a>,
    pub(super) tasks: Vec<Task<'p, 'a>>,
    /// The number of changes with identical texts.
    pub(super) same: usize,
}

impl<'p, 'a: 'p> Tasks<'p, 'a> {
    pub(super) fn all(&mut self, lists: [&[Listed<'p, 'a>]; 2], variables: [&'p [Variable<'a>]; 2]) {
        for subject in [Subject::Resource, Subject::Drift, Subject::Deferred, Subject::Output] {
            self.pairs(subject, lists);
        }
        self.variables(variables);
        for subject in [Subject::Invocation, Subject::DeferredInvocation] {
            self.pairs(subject, lists);
        }
    }

    /// Pairs the parts of both plans that have this subject.
    fn pairs(&mut self, subject: Subject, lists: [&[Listed<'p, 'a>]; 2]) {
        let is_of = |(part, _): &Listed<'p, 'a>| self::subject(*part) == subject;
        let [old, new] = lists.map(|list| list.iter().copied().filter(is_of).collect::<Vec<_>>());
        let items = |list: &[Listed<'p, 'a>]| list.iter().filter_map(|(part, _)| Item::new(*part)).collect();
        let [old_items, new_items]: [Vec<Item<'p, 'a>>; 2] = [items(&old), items(&new)];
        let mut pairs = pairs::pair(&old_items, &new_items);
        if old_items.is_empty() && new_items.is_empty() {
            pairs = Pairs::new(old.len(), new.len());
            pairs.join(|at| old.get(at).map(key), |at| new.get(at).map(key));
        }
        let pairs: Vec<Pair<usize>> = pairs.all().collect();
        let mut renamed = HashMap::new();
        if subject == Subject::Resource {
            let is_destroyed = |item: &Item<'_, '_>| item.change.change.actions == Action::Delete;
            let gone = pairs.iter().filter_map(|pair| match *pair {
                Pair::Before(at) => Some(old_items[at]),
                Pair::Both(at, now) => {
                    (is_destroyed(&new_items[now]) && !is_destroyed(&old_items[at])).then_some(old_items[at])
                }
                Pair::After(_) => None,
            });
            let added = pairs.iter().filter_map(|pair| match *pair {
                Pair::After(at) => Some((at, new_items[at])),
                Pair::Before(_) | Pair::Both(..) => None,
            });
            // Objects that only the new plan destroys are gone too.
            let (destroyed, made): (Vec<_>, Vec<_>) = added.partition(|(_, item)| is_destroyed(item));
            let gone: Vec<_> = gone.chain(destroyed.into_iter().map(|(_, item)| item)).collect();
            renamed = renamed::find(&gone, &made);
        }
        for pair in pairs {
            let (Pair::Both(_, (part, _)) | Pair::After((part, _)) | Pair::Before((part, _))) =
                pair.map(|at| old[at], |at| new[at]);
            let ((address, deposed), (phrase, action), class) = described(part);
            let action = action.to_owned();
            let work = match pair {
                Pair::Both(at, now) if is_same_text(old[at].0, new[now].0) => {
                    self.same += usize::from(is_counted(subject));
                    continue;
                }
                Pair::Both(at, now) => Work::Both([old[at], new[now]]),
                Pair::Before(_) => Work::Only(Class::Less, DifferenceKind::OnlyApproved { phrase, action }),
                Pair::After(at) => {
                    let renamed_from = renamed.get(&at).map(|address| self.redactor.text(address));
                    Work::Only(class, DifferenceKind::OnlyNow { phrase, action, renamed_from })
                }
            };
            self.tasks.push(Task { subject, address, deposed, work });
        }
    }

    fn variables(&mut self, [old, new]: [&'p [Variable<'a>]; 2]) {
        let mut pairs = Pairs::new(old.len(), new.len());
        let name = |variable: &'p Variable<'a>| &*variable.name;
        pairs.join(|at| old.get(at).map(name), |at| new.get(at).map(name));
        for pair in pairs.all().map(|pair| pair.map(|at| &old[at], |at| &new[at])) {
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
}

/// Whether it counts as a change of the plan.
pub(super) fn is_counted(subject: Subject) -> bool {
    matches!(subject, Subject::Resource | Subject::Invocation | Subject::Output)
}

fn subject(part: PlanPart<'_, '_>) -> Subject {
    match part {
        PlanPart::Planned(_) => Subject::Resource,
        PlanPart::Drift(_) => Subject::Drift,
        PlanPart::Deferred(_) => Subject::Deferred,
        PlanPart::Output(..) => Subject::Output,
        PlanPart::Invocation(_) => Subject::Invocation,
        PlanPart::DeferredInvocation(_) => Subject::DeferredInvocation,
    }
}

/// Both names of a part, its action in words and in the words of the plan, and its class if only the new plan has it.
/// The class of drift is decided with that of other differences.
fn described<'p>(part: PlanPart<'p, '_>) -> ((&'p str, &'p str), (&'static str, &'p str), Class) {
    let object = |change: &'p ResourceChange<'_>| {
        let actions = &change.change.actions;
        let kind = ChangeKind::from_action(actions, change.is_imported(), change.is_moved());
        let class = Class::of_object(&change.mode, actions, kind);
        ((&*change.address, &*change.deposed), (kind.phrase(), actions.words()), class)
    };
    let invoked = ("is invoked", "invoke");
    match part {
        PlanPart::Planned(change) | PlanPart::Drift(change) => object(change),
        // Of what is deferred, nothing is done in this plan.
        PlanPart::Deferred(deferred) => {
            let (names, action, _) = object(&deferred.resource_change);
            (names, action, Class::Less)
        }
        PlanPart::Output(name, Change { actions, .. }) => {
            let phrase = ChangeKind::from_action(actions, false, false).phrase();
            ((name, ""), (phrase, actions.words()), Class::Value)
        }
        PlanPart::Invocation(action) => ((&action.address, ""), invoked, Class::Action),
        PlanPart::DeferredInvocation(deferred) => {
            ((&deferred.action_invocation.address, ""), invoked, Class::Less)
        }
    }
}

/// Whether the texts of both parts are identical, so that nothing can differ.
fn is_same_text(old: PlanPart<'_, '_>, new: PlanPart<'_, '_>) -> bool {
    if let (Some(old), Some(new)) = (Item::new(old), Item::new(new)) {
        return pairs::is_same_text(&old, &new);
    }
    matches!((old, new), (PlanPart::Output(_, old), PlanPart::Output(_, new)) if change::same_text(old, new))
}

/// The invocation of an action, and why it is deferred; empty if it is not.
pub(super) fn invoked<'p, 'a>(part: PlanPart<'p, 'a>) -> Option<(&'p ActionInvocation<'a>, &'p str)> {
    match part {
        PlanPart::Invocation(action) => Some((action, "")),
        PlanPart::DeferredInvocation(deferred) => Some((&deferred.action_invocation, &deferred.reason)),
        PlanPart::Planned(_) | PlanPart::Drift(_) | PlanPart::Deferred(_) | PlanPart::Output(..) => None,
    }
}

/// The key of an output or of an invocation.
fn key((part, _): &Listed<'_, '_>) -> String {
    invoked(*part).map_or_else(|| described(*part).0.0.to_owned(), |(action, _)| invocation_key(action))
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
