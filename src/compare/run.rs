//! Compares a plan with the messages of the run that applied it.
//!
//! Messages have addresses and operations, but no values except for IDs and outputs.
//!
//! Invariants: an operation that belongs to no planned change was not planned. The time is linear in the number of
//! changes and operations, however many of them share an address.

use std::collections::{BTreeMap, VecDeque};

use bumpalo::Bump;
use foldhash::{HashMap, HashMapExt as _};

use super::messages::{End, INVOKE, Operation, Progress, Run};
use super::result::{Achieved, OutputValue, Outputs, are_expected, has_mark, output_tasks};
use super::values::{Tolerance, compare_result_values, merged_marks};
use super::{
    About, ActionWords, Against, Class, ClassifiedDifferences, Comparison, DifferenceKind, INVOKED,
    Options, Origin, Outcome, Property, ResultError, Side, Subject, Task, compare_all, json_text,
    settings,
};
use crate::diff::Error;
use crate::diff::edits::{Comparer, Positions};
use crate::diff::parallel::Storage;
use crate::json::{Object, Raw, Value};
use crate::model::message::Output;
use crate::model::plan::ResourceChange;
use crate::model::{Action, ResourceMode};
use crate::review::{ChangeKind, count, one_line};
use crate::schema::Position;

/// The run in a comparison with a plan.
#[derive(Clone, Copy, Debug)]
pub struct RunSide<'r, 'a> {
    /// The name of the file, for texts.
    pub name: &'r str,
    /// The messages of the run, as they were read.
    pub text: &'a str,
    /// The run, parsed from `text`.
    pub run: &'r Run<'a>,
}

/// Compares a plan with the run that applied it. The result borrows from `arena` and `storage`.
///
/// # Errors
/// If a value or a schema is malformed, or the run belongs to another plan.
pub fn compare_run<'a>(
    planned: Side<'_, 'a>,
    side: RunSide<'_, 'a>,
    options: &Options,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> Result<Comparison<'a>, ResultError> {
    let run = side.run;
    let now = Origin {
        name: side.name.to_owned(),
        tool: run.tool,
        tool_version: run.tool_version.to_string(),
        timestamp: run.timestamp.to_string(),
    };
    let mut comparison = Comparison::new(planned.origin(), now, Against::Run, options);
    let settings = settings([planned.text, side.text], options.show_sensitive);
    let redactor = settings.redactor(arena);
    let changes = &*planned.plan.resource_changes;
    if run.is_foreign(changes) {
        return Err(ResultError::ForeignRun);
    }
    let listed: Vec<&ResourceChange<'a>> =
        changes.iter().filter(|change| change.is_listed()).collect();
    let objects = crate::grouping::counts(listed.iter().map(|change| &*change.address));
    let mut free = FreeOperations::new(run);
    let mut steps = Vec::with_capacity(listed.len());
    for change in &listed {
        let is_only = objects.get(&*change.address) == Some(&1);
        steps.push(free.steps(change, is_only)?);
    }
    let mut invocations = Vec::new();
    for action in &planned.plan.action_invocations {
        let steps = [(INVOKE, free.take(&action.address, INVOKE, Value::Null))];
        invocations.push((action, outcome(run, &action.address, &steps)));
    }
    let mut unplanned = free.rest();
    // Other operations at an address are reported with its current object or, if it has none, with a deposed one.
    let mut others = vec![Vec::new(); listed.len()];
    for is_current in [true, false] {
        for (change, own) in listed.iter().zip(&mut others) {
            if change.deposed.is_empty() == is_current {
                own.extend(unplanned.remove(&*change.address).unwrap_or_default());
            }
        }
    }
    let imports = changes.iter().filter(|change| change.is_imported()).count() as u64;
    let positions = Positions::new(planned.schemas, arena);
    let mut tasks = Vec::with_capacity(listed.len());
    for ((change, steps), others) in listed.iter().zip(steps).zip(others) {
        let (has_imported, position) = (run.imported >= imports, positions.position(change)?);
        let target = Target {
            change,
            steps,
            others,
            run,
            has_imported,
            position,
        };
        let about = About::object(change);
        tasks.push(Task::new(about, change.change.size(), move |comparer| {
            target.achieved(comparer)
        }));
    }
    let output = |output: &Output<'a>| OutputValue {
        value: output.value,
        is_sensitive: output.is_sensitive(),
    };
    let outputs = run
        .outputs
        .as_ref()
        .map(|outputs| outputs.iter().map(|(name, of)| (&**name, output(of))));
    let results: Option<Outputs<'_, 'a>> = outputs.map(|outputs| outputs.into_iter().collect());
    tasks.extend(output_tasks(planned.plan, results.as_ref()));
    let mut all = compare_all(&tasks, settings, arena, storage)?.into_iter();
    for (change, (about, found)) in listed.iter().zip(&mut all) {
        comparison.add_change(change, about, found);
    }
    for (address, found) in unplanned {
        let about = |subject| About::new(subject, redactor.text(address));
        let words: Vec<&str> = found.iter().map(|operation| &*operation.word).collect();
        if words.contains(&INVOKE) {
            for word in words {
                let what = DifferenceKind::only_now(word, INVOKED);
                comparison.push(Class::Action, about(Subject::Invocation), what);
            }
            continue;
        }
        let action = action_of(&words);
        let kind = ChangeKind::from_action(&action, false, false);
        let what = DifferenceKind::only_now(action.words(), kind.phrase());
        comparison.push(Class::unapproved(kind), about(Subject::Resource), what);
    }
    for (action, found) in invocations {
        let about = About::new(Subject::Invocation, redactor.text(&action.address));
        comparison.add_outcome(about, ActionWords::new(INVOKE, INVOKED), found);
    }
    comparison.add_outputs(
        planned.plan,
        results.as_ref(),
        run.is_summed_up,
        redactor,
        all,
    )?;
    if planned.plan.errored {
        comparison.push_failed_planning();
    }
    whole_run(&mut comparison, run);
    Ok(comparison.finish(&options.ignored))
}

/// The maximum number of errors without an object that are listed in notes.
const MAX_ERRORS: usize = 10;

/// Adds what concerns the run as a whole: unreadable messages, a missing end, and errors without an object.
fn whole_run(comparison: &mut Comparison<'_>, run: &Run<'_>) {
    let mut add = |class, why: &str| {
        comparison.push(
            class,
            About::new(Subject::Run, ""),
            DifferenceKind::Run {
                why: why.to_owned(),
            },
        );
    };
    if run.unreadable > 0 {
        let lines = count(run.unreadable, "message");
        add(
            Class::Unproven,
            &format!("{lines} cannot be read: what they say is unknown"),
        );
    }
    if run.is_summed_up && run.lacks_messages() {
        let why =
            "the tool counted more changes than its messages show: what else was done is unknown";
        add(Class::Unproven, why);
    }
    if run.end() == End::Cut {
        add(
            Class::Unproven,
            "its messages end before an apply did: what else was done is unknown",
        );
    }
    if run.end() == End::Failed && comparison.count(Class::Failed) == 0 {
        let what = DifferenceKind::Run {
            why: "it failed".to_owned(),
        };
        comparison.push(Class::Failed, About::new(Subject::Run, ""), what);
    }
    for summary in run.errors.iter().take(MAX_ERRORS) {
        comparison
            .notes
            .push(one_line(&format!("error of the run: {summary}")));
    }
    let more = run.errors.len().saturating_sub(MAX_ERRORS);
    if more > 0 {
        comparison
            .notes
            .push(format!("{} of the run", count(more, "more error")));
    }
}

/// A step of a planned change: the word of the operation, and the operation if the run has it.
type Step<'r, 'a> = (&'static str, Option<&'r Operation<'a>>);

/// The operations of a run that belong to no planned change so far.
struct FreeOperations<'r, 'a> {
    /// The run.
    run: &'r Run<'a>,
    /// The indices of the operations, in their order, by address and word.
    by_operation: HashMap<(&'r str, &'r str), VecDeque<usize>>,
}

/// The maximum number of operations with the same address and word that are searched for the ID of an object.
const MAX_ALIKE: usize = 64;

impl<'r, 'a> FreeOperations<'r, 'a> {
    /// Indexes the operations of a run.
    fn new(run: &'r Run<'a>) -> Self {
        let mut by_operation: HashMap<(&str, &str), VecDeque<usize>> = HashMap::new();
        for (index, operation) in run.operations.iter().enumerate() {
            by_operation
                .entry((&operation.address, &operation.word))
                .or_default()
                .push_back(index);
        }
        Self { run, by_operation }
    }

    /// Takes the first operation with an address and a word that may be one on the object with the values `before`. An
    /// object and its deposed objects share an address; their operations are distinguished by ID.
    fn take(
        &mut self,
        address: &'r str,
        word: &'r str,
        before: Value<'_>,
    ) -> Option<&'r Operation<'a>> {
        let operations = &self.run.operations;
        let free = self.by_operation.get_mut(&(address, word))?;
        let place = free
            .iter()
            .take(MAX_ALIKE)
            .position(|index| may_be_of(before, &operations[*index]))?;
        free.remove(place).and_then(|index| operations.get(index))
    }

    /// Takes the operations that a change consists of. `is_only` is whether no other change has the same address.
    ///
    /// # Errors
    /// If the value before the change is malformed.
    fn steps(
        &mut self,
        change: &'r ResourceChange<'a>,
        is_only: bool,
    ) -> Result<Vec<Step<'r, 'a>>, Error> {
        let arena = Bump::new();
        let before: Option<Raw<'_>> = change.change.before.filter(|_| !is_only);
        let before = Raw::value_or_null(before, &arena)?;
        let steps = steps_of(&change.change.actions).into_iter();
        Ok(steps
            .map(|word| (word, self.take(&change.address, word, before)))
            .collect())
    }

    /// Returns the remaining operations by address. Reads are left out: they change nothing, and also occur during
    /// planning.
    fn rest(self) -> BTreeMap<&'r str, Vec<&'r Operation<'a>>> {
        let mut by_operation: Vec<usize> = self.by_operation.into_values().flatten().collect();
        by_operation.sort_unstable();
        let mut rest: BTreeMap<&str, Vec<&Operation<'a>>> = BTreeMap::new();
        let operations = by_operation
            .into_iter()
            .filter_map(|index| self.run.operations.get(index));
        for operation in operations.filter(|operation| *operation.word != *"read") {
            rest.entry(&operation.address).or_default().push(operation);
        }
        rest
    }
}

/// Whether the ID in the message about an operation is that of the object with the values `before`, as far as both are
/// known.
fn may_be_of(before: Value<'_>, operation: &Operation<'_>) -> bool {
    let Some((key, value)) = &operation.id_before else {
        return true;
    };
    match before.get(key) {
        Some(Value::String(known)) => *known == **value,
        Some(_) | None => true,
    }
}

/// Returns the operations that an action consists of, in order, in the words of the messages.
fn steps_of(action: &Action) -> Vec<&'static str> {
    match action {
        Action::Create | Action::ForgetThenCreate | Action::CreateThenForget => vec!["create"],
        Action::Read => vec!["read"],
        Action::Update => vec!["update"],
        Action::Delete => vec!["delete"],
        Action::DeleteThenCreate => vec!["delete", "create"],
        Action::CreateThenDelete => vec!["create", "delete"],
        Action::NoOp | Action::Forget | Action::Open => Vec::new(),
        Action::Unknown(words) => {
            const KNOWN: [&str; 4] = ["create", "read", "update", "delete"];
            let known = |word: &str| KNOWN.into_iter().find(|known| *known == word.trim());
            words.split(',').filter_map(known).collect()
        }
    }
}

/// Returns the action that consists of operations with these words.
fn action_of(words: &[&str]) -> Action {
    Action::from_words(words)
}

/// Determines the outcome of a change from the progress of its operations.
fn outcome<'a>(run: &Run<'_>, address: &str, steps: &[Step<'_, '_>]) -> Achieved<'a> {
    let all: Vec<Option<Progress>> = steps
        .iter()
        .map(|(_, operation)| operation.map(|operation| operation.progress))
        .collect();
    let outcome = if all.iter().all(|progress| *progress == Some(Progress::Done)) {
        Outcome::Done
    } else if all.contains(&Some(Progress::Failed)) {
        Outcome::Failed
    } else if all.contains(&Some(Progress::Started)) {
        Outcome::Unfinished
    } else if all.iter().all(Option::is_none) {
        Outcome::NeverStarted
    } else {
        Outcome::PartlyDone
    };
    let mut why = Vec::new();
    if all.len() > 1 && !matches!(outcome, Outcome::Done | Outcome::NeverStarted) {
        why.extend(steps.iter().zip(&all).map(|((word, _), progress)| {
            let done = match progress {
                Some(Progress::Done) => "done",
                Some(Progress::Failed) => "failed",
                Some(Progress::Started) => "started",
                None => "never started",
            };
            format!("{word} {done}")
        }));
    }
    if outcome == Outcome::Failed {
        why.extend(run.errors_of.get(address).map(ToString::to_string));
    }
    Achieved::new(outcome, &why.join(", "))
}

/// A planned change, with what the run says about it.
struct Target<'t, 'a> {
    /// The planned change.
    change: &'t ResourceChange<'a>,
    /// The operations that the change consists of, in order.
    steps: Vec<Step<'t, 'a>>,
    /// Other operations on the same object.
    others: Vec<&'t Operation<'a>>,
    /// The run.
    run: &'t Run<'a>,
    /// Whether the run has imported at least as many objects as are planned.
    has_imported: bool,
    /// The position of its values in the schema.
    position: Position<'a>,
}

impl<'a> Target<'_, 'a> {
    /// Determines the outcome of the change, and compares the IDs in the messages with the planned values.
    ///
    /// # Errors
    /// If a value is malformed.
    fn achieved<'w>(&self, comparer: &mut Comparer<'w, 'a>) -> Result<Achieved<'a>, Error> {
        let change = &self.change.change;
        let is_complete = self.run.end() == End::Complete;
        let mut achieved = match &*self.steps {
            [] => {
                let is_known = !matches!(change.actions, Action::Unknown(_))
                    && (self.has_imported || !self.change.is_imported());
                let is_done = is_complete && is_known;
                Achieved::new(
                    if is_done {
                        Outcome::Done
                    } else {
                        Outcome::NotShown
                    },
                    "",
                )
            }
            steps => outcome(self.run, &self.change.address, steps),
        };
        let is_read_of_check = self.change.mode == ResourceMode::Data
            && achieved.outcome == Outcome::Unfinished
            && is_complete;
        if is_read_of_check {
            // Only the error of a read within a check is a warning: any other one ends the run.
            achieved = Achieved::new(
                Outcome::Done,
                "it could not be read, which in a check is a warning",
            );
        }
        let may_be_unchanged = change.actions == Action::Update && has_mark(change.after_unknown);
        if achieved.outcome == Outcome::NeverStarted && is_complete && may_be_unchanged {
            // Unless the summary counts more changes than there are messages, it proves that no message about a change
            // is missing.
            achieved = if self.run.lacks_messages() {
                let why = "its unknown values may have come out as they were before";
                Achieved::new(Outcome::NotShown, why)
            } else {
                Achieved::new(
                    Outcome::Done,
                    "its unknown values came out as they were before",
                )
            };
        }
        if !self.others.is_empty() {
            achieved.differences.push(self.other_action());
        }
        for operation in self.steps.iter().filter_map(|(_, operation)| *operation) {
            let is_there = operation.progress == Progress::Done && *operation.word != *"delete";
            if let Some((key, value)) = operation.id_after.as_ref().filter(|_| is_there) {
                achieved.differences.extend(self.id(comparer, key, value)?);
            }
        }
        if !are_expected(&achieved.differences) {
            achieved.outcome = Outcome::DoneDifferently;
        }
        Ok(achieved)
    }

    /// Compares an ID in a message with the planned value of the attribute `key`.
    ///
    /// # Errors
    /// If a value is malformed.
    fn id<'w>(
        &self,
        comparer: &mut Comparer<'w, 'a>,
        key: &str,
        value: &str,
    ) -> Result<ClassifiedDifferences<'a>, Error> {
        let (change, build, position) = (&self.change.change, comparer.build, self.position);
        let scratch = build.arena();
        let read = |raw| Raw::marks_or_null(raw, scratch);
        let (after, unknown) = (
            Raw::value_or_null(change.after, scratch)?,
            read(change.after_unknown)?,
        );
        let marks = merged_marks(
            read(change.after_sensitive)?,
            read(change.before_sensitive)?,
            scratch,
        );
        let key: &'w str = scratch.alloc_str(key);
        let object = |member| {
            Value::Object(Object::from_sorted(
                scratch.alloc_slice_copy(&[(key, member)]),
            ))
        };
        let only = |value: Value<'w>| match value.as_object() {
            Some(members) => members.get(key).map_or(Value::Null, object),
            None => value,
        };
        let text = |value| Some(&*scratch.alloc_str(&json_text(value)));
        let planned = build.build(text(only(after)), only(unknown), only(marks), position)?;
        // If the plan does not have a string there, the message means something else than the attribute.
        let is_id = planned
            .get(key)
            .is_some_and(|value| value.is_unknown() || value.as_str().is_some());
        if !is_id {
            return Ok(Vec::new());
        }
        let value = object(Value::String(scratch.alloc_str(value)));
        let result = build.build(text(value), Value::Null, only(marks), position)?;
        Ok(compare_result_values(
            comparer,
            planned,
            result,
            position,
            Tolerance::Nothing,
        ))
    }

    /// Makes the difference that operations other than the planned ones were done, which is never harmless.
    fn other_action(&self) -> (Class, DifferenceKind<'a>) {
        let planned = self.steps.iter().filter_map(|(_, operation)| *operation);
        let all = planned.chain(self.others.iter().copied());
        let words: Vec<&str> = all.map(|operation| &*operation.word).collect();
        let (approved, now) = (&self.change.change.actions, action_of(&words));
        let class = match Class::of_actions(approved, &now) {
            Some(class) if class.is_wider() => class,
            // Even less than planned, or the same twice, is not what was approved.
            Some(_) | None => Class::Action,
        };
        let (approved, now) = (
            Some(approved.words().to_owned()),
            Some(now.words().to_owned()),
        );
        (
            class,
            DifferenceKind::Property {
                property: Property::Actions,
                approved,
                now,
            },
        )
    }
}
