//! Compares a plan with the state after the apply.
//!
//! A state contains objects and their values, but not the operations that led to them, so a change without a
//! trace cannot be seen. Objects that the plan does not change must be unchanged.

use anyhow::anyhow;
use bumpalo::Bump;
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use super::objects::{Both, GONE, Objects, in_either, is_managed, objects};
use super::values;
use super::{ChangeResult, Outcome, outputs};
use crate::compare::plans::{origin, settings};
use crate::compare::{Against, Class, Comparison, DifferenceKind, Options, Property, Side, Subject};
use crate::diff::Error;
use crate::diff::edits::{Comparer, Positions};
use crate::diff::parallel::Storage;
use crate::json::Raw;
use crate::model::plan::{PriorState, ResourceChange};
use crate::model::state::{Resource, StateDocument};
use crate::model::{Action, ResourceMode};
use crate::schema::Position;

/// The state with which a plan is compared.
#[derive(Clone, Copy, Debug)]
pub struct StateSide<'s, 'a> {
    /// The name of its file.
    pub name: &'s str,
    /// The text of its document.
    pub text: &'a str,
    /// The state.
    pub state: &'s StateDocument<'a>,
}

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
) -> anyhow::Result<Comparison<'a>> {
    let there = objects(side.state.root());
    let prior: PriorState<'a> = planned.plan.prior_state.map_or(Ok(PriorState::default()), Raw::read)?;
    let before = objects(Some(&prior.values.root_module));
    let changes = &*planned.plan.resource_changes;
    if is_foreign(changes, &before, &there) {
        return Err(anyhow!(
            "the state has no object of the plan\n  tip: give the state of the configuration that was planned",
        ));
    }
    let mut comparison =
        Comparison::new(origin(&planned), super::states::origin(&side), Against::State, options);
    let settings = settings([planned.text, side.text], options.show_sensitive);
    let redactor = settings.redactor(arena);
    let tasks = tasks(planned, changes, &before, &there, arena)?;
    let all = settings
        .compare_all(&tasks, Task::size, storage, |task, mut comparer| result(task, &mut comparer))?;
    for (task, found) in tasks.iter().zip(all) {
        let Both { address, deposed, .. } = task.object;
        let about = (Subject::Resource, redactor.text(address), redactor.text(deposed));
        match task.change.filter(|change| change.is_listed()) {
            Some(change) => comparison.add_change(change, about, found),
            None => {
                found.differences.into_iter().for_each(|(class, what)| comparison.push(class, about, what));
            }
        }
    }
    if !planned.plan.action_invocations.is_empty() {
        comparison.notes.push("a state does not show whether actions were invoked".to_owned());
    }
    let results = outputs::from_state(side.state.all_outputs());
    outputs::compare(&mut comparison, planned.plan, Some(&results), true, redactor)?;
    Ok(comparison.finish(&options.ignored))
}

/// Whether the state has no object that the plan knows.
fn is_foreign(changes: &[ResourceChange<'_>], before: &Objects<'_, '_>, there: &Objects<'_, '_>) -> bool {
    let mut managed = there.iter().filter(|(_, resource)| is_managed(&resource.mode)).peekable();
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

/// An object to compare.
struct Task<'t, 'a> {
    /// The object, before only if it has no entry in the plan.
    object: Both<'t, 'a>,
    position: Position<'a>,
    /// The entry in the plan, which may be a no-op.
    change: Option<&'t ResourceChange<'a>>,
    /// Whether the object is still at its address before the move.
    is_at_old_address: bool,
    /// The key of a deposed object at the same address that is not in the plan.
    left_behind: Option<&'t str>,
}

impl Task<'_, '_> {
    fn size(&self) -> usize {
        self.change.map_or_else(|| self.object.size(), |change| change.change.size())
    }
}

fn tasks<'t, 'a>(
    planned: Side<'_, 'a>,
    changes: &'t [ResourceChange<'a>],
    before: &'t Objects<'t, 'a>,
    there: &'t Objects<'t, 'a>,
    arena: &'a Bump,
) -> Result<Vec<Task<'t, 'a>>, Error> {
    let positions = Positions::new(planned.schemas, arena);
    let mut tasks = Vec::with_capacity(changes.len());
    let mut known: HashSet<(&str, &str)> = HashSet::new();
    for change in changes {
        known.insert((&change.address, &change.deposed));
        if change.is_moved() {
            known.insert((&change.previous_address, &change.deposed));
        }
    }
    // Objects deposed by replacements and not destroyed.
    let mut left_behind: HashMap<&str, &str> = HashMap::new();
    for (address, deposed) in there.keys() {
        let key = (&**address, *deposed);
        if !deposed.is_empty() && !known.contains(&key) && !before.contains_key(&(address.clone(), *deposed))
        {
            left_behind.insert(address, deposed);
        }
    }
    let mut is_told: HashSet<(&str, &str)> = HashSet::new();
    for change in changes {
        let at = |address: &str| there.get(&(address.to_owned(), &*change.deposed)).copied();
        let left = match change.change.actions.is_replace() && change.deposed.is_empty() {
            true => left_behind.get(&*change.address).copied(),
            false => None,
        };
        if let Some(deposed) = left {
            is_told.insert((&change.address, deposed));
        }
        let (address, deposed) = (&*change.address, &*change.deposed);
        tasks.push(Task {
            object: Both { address, deposed, before: None, now: at(address) },
            position: positions.position(change)?,
            change: Some(change),
            is_at_old_address: change.is_moved() && at(&change.previous_address).is_some(),
            left_behind: left,
        });
    }
    for object in in_either(before, there) {
        let place = (object.address, object.deposed);
        if object.is_managed() && !known.contains(&place) && !is_told.contains(&place) {
            let position = object.position(&positions)?;
            tasks.push(Task { object, position, change: None, is_at_old_address: false, left_behind: None });
        }
    }
    Ok(tasks)
}

fn result<'w, 'a: 'w>(
    task: &Task<'_, 'a>,
    comparer: &mut Comparer<'w, 'a>,
) -> Result<ChangeResult<'a>, Error> {
    let Some(change) = task.change else {
        return task.object.differences(comparer, task.position).map(ChangeResult::with_values);
    };
    let mut found = match task.object.now {
        Some(_) if task.is_at_old_address => {
            ChangeResult::new(Outcome::PartlyDone, "it is at its old address too")
        }
        Some(there) => compare_planned(change, there, task.position, comparer)?,
        None => gone(change, task.is_at_old_address),
    };
    if let Some(deposed) = task.left_behind.filter(|_| found.outcome == Outcome::Done) {
        found.outcome = Outcome::PartlyDone;
        found.why = format!("the object before is still there, deposed as {deposed}");
    }
    Ok(found)
}

/// Compares a planned change whose object is in the state.
fn compare_planned<'w, 'a: 'w>(
    change: &ResourceChange<'a>,
    there: &Resource<'a>,
    position: Position<'w>,
    comparer: &mut Comparer<'w, 'a>,
) -> Result<ChangeResult<'a>, Error> {
    let (action, sides) = (&change.change.actions, &change.change);
    if matches!(action, Action::Delete | Action::Forget) {
        return Ok(ChangeResult::new(Outcome::NeverStarted, "it is still in the state"));
    }
    let values = there.values.map(Raw::text);
    if *action == Action::NoOp && values.is_some() && values == sides.after.map(Raw::text) {
        return Ok(ChangeResult::new(Outcome::Done, ""));
    }
    let build = comparer.build;
    let marks = Raw::marks_or_null(there.sensitive_values, build.arena())?;
    let [before, after, result] = values::with_result(build, sides, (there.values, marks), position)?;
    let sorted = |value| build.with_sorted_sets(value, position);
    let is_before = !before.is_null()
        && (before.same_without_marks(result) || sorted(before).same_without_marks(sorted(result)));
    let differences = values::compare(comparer, after, result, position);
    let fits = values::are_expected(&differences);
    let may_be_new = matches!(action, Action::Create) || action.is_replace();
    if there.tainted && may_be_new && !is_before {
        return Ok(ChangeResult::new(
            Outcome::Failed,
            "the object is tainted: it was not created completely",
        ));
    }
    Ok(match (is_before, fits) {
        _ if *action == Action::NoOp => ChangeResult::with_values(differences),
        (true, true) if !action.is_replace() => ChangeResult::with_values(differences),
        (true, true) if *change.action_reason == *"replace_because_tainted" => match there.tainted {
            true => ChangeResult::new(Outcome::NeverStarted, "the object is still tainted"),
            false => ChangeResult::with_values(differences),
        },
        (true, true) => {
            ChangeResult::new(Outcome::NotShown, "the object is as before, and as it was to become")
        }
        (true, false) => ChangeResult::new(Outcome::NeverStarted, "the object is as before"),
        (false, _) => ChangeResult::with_values(differences),
    })
}

/// The result for a planned change whose object is not in the state.
fn gone<'a>(change: &ResourceChange<'_>, is_at_old_address: bool) -> ChangeResult<'a> {
    let action = &change.change.actions;
    let vanished = || {
        let (approved, now) = (Some(action.words().to_owned()), Some("delete".to_owned()));
        let what = if change.is_silent() {
            DifferenceKind::OnlyNow { phrase: GONE, action: "delete".to_owned(), renamed_from: None }
        } else {
            DifferenceKind::Property { property: Property::Actions, approved, now }
        };
        ChangeResult {
            differences: vec![(Class::Destroy, what)],
            ..ChangeResult::new(Outcome::DoneDifferently, GONE)
        }
    };
    let missing = || ChangeResult::new(Outcome::NeverStarted, "it is not in the state");
    if is_at_old_address {
        return ChangeResult::new(Outcome::NeverStarted, "it is still at its old address");
    }
    match action {
        Action::Delete | Action::Forget => ChangeResult::new(Outcome::Done, ""),
        // Ephemeral objects are never stored, and data sources are not destroyed.
        _ if change.mode == ResourceMode::Ephemeral => ChangeResult::new(Outcome::Done, ""),
        _ if change.mode == ResourceMode::Data => missing(),
        Action::Create | Action::Read => missing(),
        Action::DeleteThenCreate
        | Action::CreateThenDelete
        | Action::ForgetThenCreate
        | Action::CreateThenForget => {
            ChangeResult::new(Outcome::PartlyDone, "the object before is gone, and no other one was created")
        }
        Action::NoOp if change.is_imported() => missing(),
        Action::Update | Action::NoOp => vanished(),
        Action::Open | Action::Unknown(_) => ChangeResult::new(Outcome::NotShown, ""),
    }
}
