//! Compares a plan with the state after the apply, and a state with a later one.
//!
//! A state has objects and their values, but not the operations that led to them, so a change that leaves no trace
//! cannot be seen. Objects that the plan does not change must be unchanged. What either side calls sensitive is hidden
//! in both.

use std::collections::BTreeMap;

use bumpalo::Bump;
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use super::copies::{Author, authored, leave_out};
use super::result::{Achieved, OutputValue, Outputs, are_expected, output_tasks};
use super::values::{Tolerance, compare_result_values, merged_marks, with_result};
use super::{
    About, Against, Class, ClassifiedDifferences, Comparison, DifferenceKind, Options, Origin,
    Outcome, Property, ResultError, Side, Subject, Task, compare_all, settings,
};
use crate::dialect::Tool;
use crate::diff::Error;
use crate::diff::edits::{Comparer, Positions};
use crate::diff::parallel::Storage;
use crate::json::{Object, Raw, Value};
use crate::model::configuration::Configuration;
use crate::model::plan::{Plan, PriorState, ResourceChange};
use crate::model::state::{Module, Output, Resource, StateDocument};
use crate::model::{Action, ResourceMode};
use crate::review::masks::Authored;
use crate::schema::{Position, Schemas};

/// The state in a comparison.
#[derive(Clone, Copy, Debug)]
pub struct StateSide<'s, 'a> {
    /// The name of the file, for texts.
    pub name: &'s str,
    /// The document, as it was read.
    pub text: &'a str,
    /// The state, parsed from `text`.
    pub state: &'s StateDocument<'a>,
}

impl StateSide<'_, '_> {
    fn origin(&self) -> Origin {
        Origin {
            name: self.name.to_owned(),
            tool: Tool::from_state(self.state),
            tool_version: self.state.terraform_version.to_string(),
            timestamp: String::new(),
        }
    }
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

/// Compares a state with a later one. The result borrows from `arena` and `storage`.
///
/// # Errors
/// If a value or a schema is malformed.
pub fn compare_states<'a>(
    before: StateSide<'_, 'a>,
    now: StateSide<'_, 'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> Result<Comparison<'a>, ResultError> {
    let mut comparison = Comparison::new(before.origin(), now.origin(), Against::States, options);
    let settings = settings([before.text, now.text], options.show_sensitive);
    let (old, new) = (objects(before.state.root()), objects(now.state.root()));
    let positions = Positions::new(schemas, arena);
    let mut tasks: Vec<Task<'_, 'a, ClassifiedDifferences<'a>>> = Vec::new();
    for object in in_either(&old, &new) {
        let position = object.position(&positions)?;
        let work = move |comparer: &mut Comparer<'_, 'a>| {
            let mut differences = object.properties();
            differences.extend(object.differences(comparer, position)?);
            Ok(differences)
        };
        tasks.push(Task::new(object.about(), object.size(), work));
    }
    let mut outputs: BTreeMap<&str, [Option<&Output<'a>>; 2]> = BTreeMap::new();
    for (name, output) in before.state.all_outputs().iter() {
        outputs.entry(name).or_default()[0] = Some(output);
    }
    for (name, output) in now.state.all_outputs().iter() {
        outputs.entry(name).or_default()[1] = Some(output);
    }
    for (name, both) in outputs {
        let values = both.map(|output| output.and_then(|output| output.value));
        let size = values.iter().flatten().map(|raw| raw.text().len()).sum();
        let work = move |comparer: &mut Comparer<'_, 'a>| match both {
            [Some(old), Some(new)] => {
                let marks = Value::Bool(old.sensitive || new.sensitive);
                of_values(comparer, values, marks, Position::Unspecified)
            }
            [Some(_), None] => Ok(vec![(
                Class::Value,
                DifferenceKind::only_now("delete", GONE),
            )]),
            [None, _] => Ok(vec![(
                Class::Value,
                DifferenceKind::only_now("create", "is set"),
            )]),
        };
        tasks.push(Task::new(About::new(Subject::Output, name), size, work));
    }
    for (about, differences) in compare_all(&tasks, settings, arena, storage)? {
        comparison.same +=
            usize::from(differences.is_empty() && about.subject == Subject::Resource);
        for (class, what) in differences {
            // No value in a state is unknown.
            comparison.push(
                if class == Class::Known {
                    Class::Value
                } else {
                    class
                },
                about,
                what,
            );
        }
    }
    Ok(comparison.finish(&options.ignored))
}

/// The objects of a state, by address and deposed key.
type Objects<'s, 'a> = BTreeMap<(String, &'s str), &'s Resource<'a>>;

/// Collects the objects of a state by address and deposed key, without recursion. Old releases leave out the module
/// from the address; here, every address has it.
fn objects<'s, 'a>(root: Option<&'s Module<'a>>) -> Objects<'s, 'a> {
    let mut objects = Objects::new();
    let mut modules: Vec<_> = root.into_iter().collect();
    while let Some(module) = modules.pop() {
        modules.extend(&module.child_modules);
        for resource in &module.resources {
            // Old releases leave out the module from the address.
            let prefix = format!("{}.", module.address);
            let address = match module.address.is_empty() || resource.address.starts_with(&prefix) {
                true => resource.address.to_string(),
                false => format!("{prefix}{}", resource.address),
            };
            objects.insert((address, &*resource.deposed_key), resource);
        }
    }
    objects
}

/// Returns the objects of two states, each once: those of the old one in order, then those that only the new one has.
fn in_either<'o, 'a>(
    old: &'o Objects<'_, 'a>,
    new: &'o Objects<'_, 'a>,
) -> impl Iterator<Item = Both<'o, 'a>> {
    let only_new = new.keys().filter(|key| !old.contains_key(*key));
    old.keys()
        .chain(only_new)
        .map(|key @ (address, deposed)| Both {
            address,
            deposed,
            before: old.get(key).copied(),
            now: new.get(key).copied(),
        })
}

/// An object in two states.
#[derive(Clone, Copy)]
struct Both<'o, 'a> {
    /// The address of the object.
    address: &'o str,
    /// The deposed key; empty for a current object.
    deposed: &'o str,
    /// The object in the first state.
    before: Option<&'o Resource<'a>>,
    /// The object in the second state.
    now: Option<&'o Resource<'a>>,
}

impl<'o, 'a> Both<'o, 'a> {
    fn about(self) -> About<'o> {
        About {
            subject: Subject::Resource,
            address: self.address,
            deposed: self.deposed,
        }
    }

    fn is_managed(self) -> bool {
        self.before
            .or(self.now)
            .is_some_and(|object| is_managed(&object.mode))
    }

    /// Returns the size of both values, in bytes.
    fn size(self) -> usize {
        let sides = [self.before, self.now].into_iter().flatten();
        sides
            .filter_map(|side| side.values)
            .map(|values| values.text().len())
            .sum()
    }

    fn position(self, positions: &Positions<'_, 'a>) -> Result<Position<'a>, Error> {
        let Some(object) = self.before.or(self.now) else {
            return Ok(Position::Unspecified);
        };
        positions.of_type(&object.provider_name, &object.mode, &object.resource_type)
    }

    /// Returns the differences of properties other than values.
    fn properties(self) -> ClassifiedDifferences<'a> {
        let (Some(before), Some(now)) = (self.before, self.now) else {
            return Vec::new();
        };
        let tainted = |side: &Resource<'_>| if side.tainted { "yes" } else { "no" };
        let properties = [
            Property::Tainted.differs(tainted(before), tainted(now)),
            Property::Provider.differs(&before.provider_name, &now.provider_name),
        ];
        properties
            .into_iter()
            .flatten()
            .map(|what| (Class::Value, what))
            .collect()
    }

    /// Compares the values of the object in both states. If only one state has the object, that is the only difference.
    ///
    /// # Errors
    /// If a value is malformed.
    fn differences<'w>(
        self,
        comparer: &mut Comparer<'w, 'a>,
        position: Position<'w>,
    ) -> Result<ClassifiedDifferences<'a>, Error> {
        let (before, now) = match (self.before, self.now) {
            (Some(before), Some(now)) => (before, now),
            (None, _) => {
                return Ok(vec![(
                    Class::Action,
                    DifferenceKind::only_now("create", NEW),
                )]);
            }
            (Some(_), None) => {
                // The object of a data source is only read, so that nothing was destroyed.
                let class = if self.is_managed() {
                    Class::Destroy
                } else {
                    Class::Value
                };
                return Ok(vec![(class, DifferenceKind::only_now("delete", GONE))]);
            }
        };
        if before.values == now.values {
            return Ok(Vec::new());
        }
        let scratch = comparer.build.arena();
        let marks = |side: &Resource<'a>| Raw::marks_or_null(side.sensitive_values, scratch);
        let marks = merged_marks(marks(before)?, marks(now)?, scratch);
        of_values(comparer, [before.values, now.values], marks, position)
    }
}

/// Compares two values with the same marks, of an object or an output in two states.
fn of_values<'w, 'a>(
    comparer: &mut Comparer<'w, 'a>,
    values: [Option<Raw<'a>>; 2],
    marks: Value<'w>,
    position: Position<'w>,
) -> Result<ClassifiedDifferences<'a>, Error> {
    let build = comparer.build;
    let [old, new] =
        values.map(|raw| build.build(raw.map(Raw::text), Value::Null, marks, position));
    let (old, new) = (old?, new?);
    let mut differences = compare_result_values(comparer, old, new, position, Tolerance::Nothing);
    // Without a configuration, it is unknown what the author wrote.
    leave_out(&mut differences, &[old, new], comparer, &|| {
        Authored::Unknown
    });
    Ok(differences)
}

/// The explanation for a replacement that cannot be told from no replacement. It is also used to count these.
const REPLACED_BY_EQUAL: &str =
    "it was to be replaced by an equal object, which a state does not show";
/// The phrase for an object that only the earlier state has.
const GONE: &str = "is gone from the state";
/// The phrase for an object that only the later state has.
const NEW: &str = "is new in the state";

/// Whether objects of this mode are managed. Those of an unknown mode count as managed.
fn is_managed(mode: &ResourceMode<'_>) -> bool {
    matches!(mode, ResourceMode::Managed | ResourceMode::Unknown(_))
}
