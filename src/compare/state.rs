//! Compares a plan with the state after the apply.
//!
//! A state has objects and their values, but not the operations that led to them, so a change that leaves no trace
//! cannot be seen. Objects that the plan does not change must be unchanged. What either side calls sensitive is hidden
//! in both.

use bumpalo::Bump;
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use super::copies::{Author, authored, leave_out, note_names};
use super::result::{Achieved, OutputValue, Outputs, are_expected, output_tasks};
use super::state_objects::{GONE, Objects, StateSide, in_either, is_managed, objects};
use super::values::{Tolerance, compare_result_values, with_result};
use super::{
    About, Against, Class, Comparison, DifferenceKind, Options, Outcome, Property, ResultError,
    Side, Task, compare_all, settings,
};
use crate::diff::Error;
use crate::diff::edits::{Comparer, Positions};
use crate::diff::parallel::Storage;
use crate::json::{Object, Raw, Value};
use crate::model::configuration::Configuration;
use crate::model::plan::{Plan, PriorState, ResourceChange};
use crate::model::state::{Output, Resource};
use crate::model::{Action, ResourceMode};
use crate::schema::Position;

/// Compares a plan with the state after the apply. The result borrows from `arena` and `storage`.
///
/// # Errors
/// If a value or a schema is malformed, or the state belongs to another configuration.
pub fn compare_state<'a>(
    planned: Side<'_, 'a>,
    side: StateSide<'_, 'a>,
    options: &Options,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> Result<Comparison<'a>, ResultError> {
    let there = objects(side.state.root());
    // The objects in the state that the plan was made from.
    let prior: PriorState<'a> = planned
        .plan
        .prior_state
        .map_or(Ok(PriorState::default()), Raw::read)?;
    let before = objects(Some(&prior.values.root_module));
    let changes = &*planned.plan.resource_changes;
    if is_foreign(changes, &before, &there) {
        return Err(ResultError::ForeignState);
    }
    let mut comparison = Comparison::new(planned.origin(), side.origin(), Against::State, options);
    let settings = settings([planned.text, side.text], options.show_sensitive);
    let redactor = settings.redactor(arena);
    let output = |output: &Output<'a>| OutputValue {
        value: output.value,
        is_sensitive: output.sensitive,
    };
    let outputs = side.state.all_outputs().iter();
    let results: Outputs<'_, 'a> = outputs
        .map(|(name, value)| (&**name, output(value)))
        .collect();
    let positions = Positions::new(planned.schemas, arena);
    // The addresses and deposed keys that belong to a planned change.
    let mut known: HashSet<(&str, &str)> = HashSet::new();
    for change in changes {
        known.insert((&change.address, &change.deposed));
        if change.is_moved() {
            known.insert((&change.previous_address, &change.deposed));
        }
    }
    let left_behind = left_behind(&there, &before, &known);
    let configuration = planned.plan.configuration();
    let author = Author::new(planned.plan);
    let mut tasks = Vec::with_capacity(changes.len());
    for change in changes {
        let resource_at =
            |address: &str| there.get(&(address.to_owned(), &*change.deposed)).copied();
        let is_replaced = change.change.actions.is_replace() && change.deposed.is_empty();
        let left = left_behind
            .get(&*change.address)
            .copied()
            .filter(|_| is_replaced);
        known.extend(left.map(|deposed| (&*change.address, deposed)));
        let target = Target {
            change,
            now: resource_at(&change.address),
            has_old_address: change.is_moved() && resource_at(&change.previous_address).is_some(),
            left_behind: left,
            position: positions.position(change)?,
            configuration: &configuration,
            author: &author,
        };
        let about = About::object(change);
        tasks.push(Task::new(about, change.change.size(), move |comparer| {
            target.achieved(comparer)
        }));
    }
    let others = in_either(&before, &there)
        .filter(|object| object.is_managed() && !known.contains(&(object.address, object.deposed)));
    for object in others {
        let position = object.position(&positions)?;
        let work = move |comparer: &mut Comparer<'_, 'a>| {
            object
                .differences(comparer, position)
                .map(Achieved::with_values)
        };
        tasks.push(Task::new(object.about(), object.size(), work));
    }
    let objects = tasks.len();
    tasks.extend(output_tasks(planned.plan, Some(&results)));
    let mut all = compare_all(&tasks, settings, arena, storage)?.into_iter();
    for (change, (about, achieved)) in changes.iter().zip(&mut all) {
        comparison.add_change(change, about, achieved);
    }
    for (about, achieved) in all.by_ref().take(objects - changes.len()) {
        achieved
            .differences
            .into_iter()
            .for_each(|(class, what)| comparison.push(class, about, what));
    }
    comparison.note_what_a_state_lacks(planned.plan);
    comparison.add_outputs(planned.plan, Some(&results), true, redactor, all)?;
    if planned.plan.errored {
        comparison.push_failed_planning();
    }
    Ok(comparison.finish(&options.ignored))
}

/// Returns the objects that replacements deposed and did not destroy: their deposed keys by address.
fn left_behind<'o>(
    there: &'o Objects<'_, '_>,
    before: &Objects<'_, '_>,
    known: &HashSet<(&str, &str)>,
) -> HashMap<&'o str, &'o str> {
    let mut left_behind = HashMap::new();
    for key @ (address, deposed) in there.keys() {
        if !deposed.is_empty()
            && !known.contains(&(&**address, *deposed))
            && !before.contains_key(key)
        {
            left_behind.insert(&**address, *deposed);
        }
    }
    left_behind
}

impl Comparison<'_> {
    /// Notes what the state cannot prove of a plan.
    fn note_what_a_state_lacks(&mut self, plan: &Plan<'_>) {
        let equal = self
            .outcomes
            .iter()
            .filter(|planned| planned.why == REPLACED_BY_EQUAL)
            .count();
        if equal > 0 {
            self.notes.push(format!(
                "a state does not show whether {}",
                if equal == 1 {
                    "1 object was replaced by an equal one".to_owned()
                } else {
                    format!("{equal} objects were replaced by equal ones")
                }
            ));
        }
        if !plan.action_invocations.is_empty() {
            self.notes
                .push("a state does not show whether actions were invoked".to_owned());
        }
    }
}

/// Whether the state is that of another configuration: it has no object that the plan knows.
fn is_foreign(
    changes: &[ResourceChange<'_>],
    before: &Objects<'_, '_>,
    there: &Objects<'_, '_>,
) -> bool {
    let mut managed = there
        .iter()
        .filter(|(_, resource)| is_managed(&resource.mode))
        .peekable();
    if managed.peek().is_none() || changes.is_empty() {
        return false;
    }
    let mut known: HashSet<&str> = before.keys().map(|(address, _)| &**address).collect();
    for change in changes {
        known.insert(&change.address);
        known.insert(&change.previous_address);
    }
    managed.all(|((address, _), _)| !known.contains(&**address))
}

/// A planned change, with what the state after the apply says about it.
#[derive(Clone, Copy)]
struct Target<'t, 'a> {
    /// The planned change.
    change: &'t ResourceChange<'a>,
    /// The object in the state, if there is one.
    now: Option<&'t Resource<'a>>,
    /// Whether the state still has the object at the address before a planned move.
    has_old_address: bool,
    /// The key of a deposed object that the replacement should have destroyed.
    left_behind: Option<&'t str>,
    /// The position of its values in the schema.
    position: Position<'a>,
    /// The configuration of the plan.
    configuration: &'t Configuration<'a>,
    /// A lookup of what the author of the configuration wrote, which is not searched for copies of sensitive values.
    author: &'t Author<'t, 'a>,
}

impl<'a> Target<'_, 'a> {
    /// Determines the outcome of the change, and compares its values with those in the state.
    ///
    /// # Errors
    /// If a value is malformed.
    fn achieved<'w>(&self, comparer: &mut Comparer<'w, 'a>) -> Result<Achieved<'a>, Error> {
        let mut achieved = match self.now {
            Some(_) if self.has_old_address => {
                Achieved::new(Outcome::PartlyDone, "it is at its old address too")
            }
            Some(now) => self.compared(now, comparer)?,
            None => self.gone(),
        };
        if let Some(deposed) = self
            .left_behind
            .filter(|_| achieved.outcome == Outcome::Done)
        {
            achieved.outcome = Outcome::PartlyDone;
            achieved.why = format!("the object before is still there, deposed as {deposed}");
        }
        Ok(achieved)
    }

    /// Determines the outcome of a change whose object is in the state.
    ///
    /// # Errors
    /// If a value is malformed.
    fn compared<'w>(
        &self,
        now: &Resource<'a>,
        comparer: &mut Comparer<'w, 'a>,
    ) -> Result<Achieved<'a>, Error> {
        let (change, sides, position) = (self.change, &self.change.change, self.position);
        let (action, build) = (&sides.actions, comparer.build);
        if matches!(action, Action::Delete | Action::Forget) {
            return Ok(Achieved::new(
                Outcome::NeverStarted,
                "it is still in the state",
            ));
        }
        if *action == Action::NoOp && now.values.is_some() && now.values == sides.after {
            return Ok(Achieved::new(Outcome::Done, ""));
        }
        let marks = Raw::marks_or_null(now.sensitive_values, build.arena())?;
        let [before, after, result] = with_result(build, sides, (now.values, marks), position)?;
        let sorted = |value| build.with_sorted_sets(value, position);
        let is_before = !before.is_null()
            && (before.same_without_marks(result)
                || sorted(before).same_without_marks(sorted(result)));
        let arguments = self.arguments(build.arena())?;
        let tolerance = Tolerance::Computed(arguments);
        let mut differences = compare_result_values(comparer, after, result, position, tolerance);
        note_names(&mut differences, [after, result], comparer);
        leave_out(
            &mut differences,
            &[before, after, result],
            comparer,
            &|| authored(&[(self.author, change)]),
        );
        let fits = are_expected(&differences);
        let is_replace = action.is_replace();
        if now.tainted && (*action == Action::Create || is_replace) && !is_before {
            let why = "the object is tainted: it was not created completely";
            return Ok(Achieved::new(Outcome::Failed, why));
        }
        let was_tainted = *change.action_reason == *"replace_because_tainted";
        let (outcome, why) = match (is_before, fits) {
            _ if *action == Action::NoOp => return Ok(Achieved::with_values(differences)),
            (true, true) if is_replace && was_tainted && now.tainted => {
                (Outcome::NeverStarted, "the object is still tainted")
            }
            // Nothing of the new object is left to the provider to choose, so it is equal to the old one.
            (true, true) if is_replace && !was_tainted && !after.has_unknown() => {
                (Outcome::Done, REPLACED_BY_EQUAL)
            }
            (true, true) if is_replace && !was_tainted => (
                Outcome::NotShown,
                "the object is as before, and as it was to become",
            ),
            (true, false) => (Outcome::NeverStarted, "the object is as before"),
            (_, _) => return Ok(Achieved::with_values(differences)),
        };
        Ok(Achieved::new(outcome, why))
    }

    /// Returns the arguments of the object in the configuration; `None` if the plan does not have its block.
    fn arguments<'w>(&self, arena: &'w Bump) -> Result<Option<Value<'w>>, Error>
    where
        'a: 'w,
    {
        let change = self.change;
        let Some(module) = self.configuration.module(&change.module_address) else {
            return Ok(None);
        };
        let (kind, name) = (&*change.resource_type, &*change.name);
        if self.configuration.blocks(module, kind, name).is_empty() {
            return Ok(None);
        }
        let arguments = self
            .configuration
            .resource(module, &change.mode, kind, name);
        match arguments {
            Some(raw) => Ok(Some(raw.value(arena)?)),
            // The tools leave out a block without arguments.
            None => Ok(Some(Value::Object(Object::default()))),
        }
    }

    /// Determines the outcome of a change whose object is not in the state.
    fn gone(&self) -> Achieved<'a> {
        let (change, action) = (self.change, &self.change.change.actions);
        let vanished = || {
            let what = match Property::Actions.differs(action.words(), "delete") {
                Some(what) if !change.has_no_effect() => what,
                Some(_) | None => DifferenceKind::only_now("delete", GONE),
            };
            let differences = vec![(Class::Destroy, what)];
            Achieved {
                differences,
                ..Achieved::new(Outcome::DoneDifferently, GONE)
            }
        };
        let missing = || Achieved::new(Outcome::NeverStarted, "it is not in the state");
        if self.has_old_address {
            return Achieved::new(Outcome::NeverStarted, "it is still at its old address");
        }
        match action {
            Action::Delete | Action::Forget => Achieved::new(Outcome::Done, ""),
            // Ephemeral objects are never stored, and data sources are not destroyed.
            _ if change.mode == ResourceMode::Ephemeral => Achieved::new(Outcome::Done, ""),
            // A data source is only read, which does nothing to an object. One in a check that cannot be read is not
            // stored.
            _ if change.mode == ResourceMode::Data => {
                Achieved::new(Outcome::Done, "it is not in the state")
            }
            Action::Create | Action::Read => missing(),
            Action::DeleteThenCreate
            | Action::CreateThenDelete
            | Action::ForgetThenCreate
            | Action::CreateThenForget => Achieved::new(
                Outcome::PartlyDone,
                "the object before is gone, and no other one was created",
            ),
            Action::NoOp if change.is_imported() => missing(),
            Action::Update | Action::NoOp => vanished(),
            Action::Open | Action::Unknown(_) => Achieved::new(Outcome::NotShown, ""),
        }
    }
}

/// The explanation for a replacement that cannot be told from no replacement. It is also used to count these.
const REPLACED_BY_EQUAL: &str =
    "it was to be replaced by an equal object, which a state does not show";
