//! Compares a plan with the messages of the run that applied it.
//!
//! Messages contain addresses and operations, but no values except for IDs and outputs.

use std::collections::VecDeque;

use anyhow::anyhow;
use bumpalo::Bump;
use foldhash::{HashMap, HashMapExt as _};

use super::assign::{Assigned, Step, action_of};
use super::run::{End, Operation, Progress, Run};
use super::values::{self, merged_marks};
use super::{ChangeResult, Outcome, outputs};
use crate::compare::plans::{origin, settings};
use crate::compare::{
    Against, Class, Comparison, DifferenceKind, Options, Origin, Property, Side, Subject, json_text,
};
use crate::diff::Error;
use crate::diff::edits::{Comparer, Positions};
use crate::diff::parallel::Storage;
use crate::diff::value::Redactor;
use crate::json::{Object, Raw, Str, Value};
use crate::model::Action;
use crate::model::plan::ResourceChange;
use crate::review::ChangeKind;
use crate::review::{count, one_line};
use crate::schema::Position;

/// The run with which a plan is compared.
#[derive(Clone, Copy, Debug)]
pub struct RunSide<'r, 'a> {
    /// The name of its file.
    pub name: &'r str,
    /// The text of its messages.
    pub text: &'a str,
    /// The parsed messages.
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
) -> anyhow::Result<Comparison<'a>> {
    let run = side.run;
    let now = Origin {
        name: side.name.to_owned(),
        tool: run.tool,
        tool_version: run.tool_version.to_string(),
        timestamp: run.timestamp.to_string(),
    };
    let mut comparison = Comparison::new(origin(&planned), now, Against::Run, options);
    let settings = settings([planned.text, side.text], options.show_sensitive);
    let redactor = settings.redactor(arena);
    let changes = &*planned.plan.resource_changes;
    let assigned = Assigned::new(changes, run)?;
    if assigned.is_foreign(changes) {
        return Err(anyhow!(
            "the run acts on no object of the plan\n  tip: give the messages of the run that applied this plan",
        ));
    }
    let positions = Positions::new(planned.schemas, arena);
    let mut tasks = Vec::new();
    for (at, change) in changes.iter().enumerate().filter(|(_, change)| change.is_listed()) {
        let unplanned = assigned.unplanned_of(at, change);
        let steps = &assigned.steps[at];
        tasks.push(Task { change, steps, unplanned, position: positions.position(change)? });
    }
    let imports = changes.iter().filter(|change| change.is_imported()).count() as u64;
    let has_imported = run.imported >= imports;
    let size = |task: &Task<'_, 'a>| task.change.change.size();
    let all = settings.compare_all(&tasks, size, storage, |task, comparer| {
        Worker { comparer, run, has_imported }.found(task)
    })?;
    for (task, found) in tasks.iter().zip(all) {
        let change = task.change;
        let about = (Subject::Resource, redactor.text(&change.address), redactor.text(&change.deposed));
        comparison.add_change(change, about, found);
    }
    for (address, words) in assigned.unplanned_elsewhere() {
        let action = action_of(&words);
        let kind = ChangeKind::from_action(&action, false, false);
        let about = (Subject::Resource, redactor.text(address), "");
        comparison.add_unplanned(Class::unapproved(kind), about, kind.phrase(), action.words());
    }
    invocations(&mut comparison, planned, run, redactor);
    let results = outputs::from_run(run);
    outputs::compare(&mut comparison, planned.plan, results.as_deref(), run.is_summed_up, redactor)?;
    whole_run(&mut comparison, run);
    Ok(comparison.finish(&options.ignored))
}

/// The maximum number of errors without an object that are named.
const MAX_ERRORS: usize = 10;

/// Adds the differences of the run as a whole: missing messages, and errors.
fn whole_run(comparison: &mut Comparison<'_>, run: &Run<'_>) {
    let mut found = Vec::new();
    let mut doubt = |why: String| found.push((Class::Unproven, why));
    if run.unreadable > 0 {
        let lines = count(run.unreadable, "message");
        doubt(format!("{lines} cannot be read: what they say is unknown"));
    }
    if run.is_summed_up && run.lacks_messages() {
        doubt(
            "the tool counted more changes than its messages show: what else was done is unknown".to_owned(),
        );
    }
    match run.end() {
        End::Complete => {}
        End::Failed => {
            if !comparison.differences.iter().any(|difference| difference.class == Class::Failed) {
                found.push((Class::Failed, "it failed".to_owned()));
            }
        }
        End::Cut => doubt("its messages end before an apply did: what else was done is unknown".to_owned()),
    }
    for (class, why) in found {
        comparison.push(class, (Subject::Run, "", ""), DifferenceKind::Run { why });
    }
    let errors = || run.errors.iter().filter(|(address, _)| address.is_empty());
    for (_, summary) in errors().take(MAX_ERRORS) {
        comparison.notes.push(one_line(&format!("error of the run: {summary}")));
    }
    let more = errors().count().saturating_sub(MAX_ERRORS);
    if more > 0 {
        comparison.notes.push(format!("{} of the run", count(more, "more error")));
    }
}

struct Task<'t, 'a> {
    change: &'t ResourceChange<'a>,
    steps: &'t [Step<'t, 'a>],
    unplanned: &'t [&'t Operation<'a>],
    position: Position<'a>,
}

struct Worker<'w, 'r, 'a> {
    comparer: Comparer<'w, 'a>,
    run: &'r Run<'a>,
    /// Whether the tool counted all planned imports.
    has_imported: bool,
}

impl<'w, 'r, 'a: 'w> Worker<'w, 'r, 'a> {
    fn found(mut self, task: &Task<'_, 'a>) -> Result<ChangeResult<'a>, Error> {
        let mut found = self.outcome(task);
        if !task.unplanned.is_empty() {
            found.differences.push(other_action(task));
        }
        for step in task.steps {
            if let Some(Operation { progress: Progress::Done, id_after: Some((key, value)), word, .. }) =
                step.operation
                && **word != *"delete"
            {
                found.differences.extend(self.id(task, key, value)?);
            }
        }
        if !values::are_expected(&found.differences) {
            found = ChangeResult { outcome: Outcome::DoneDifferently, ..found };
        }
        Ok(found)
    }

    fn outcome(&self, task: &Task<'_, 'a>) -> ChangeResult<'a> {
        if task.steps.is_empty() {
            let change = task.change;
            let is_known = !matches!(change.change.actions, Action::Unknown(_))
                && (self.has_imported || !change.is_imported());
            let outcome = match self.run.end() {
                End::Complete if is_known => Outcome::Done,
                End::Complete | End::Failed | End::Cut => Outcome::NotShown,
            };
            return ChangeResult::new(outcome, "");
        }
        let progress = |step: &Step<'_, 'a>| step.operation.map(|operation| operation.progress);
        let all: Vec<Option<Progress>> = task.steps.iter().map(progress).collect();
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
        if outcome == Outcome::NeverStarted
            && self.run.end() == End::Complete
            && task.change.change.actions == Action::Update
            && outputs::has_mark(task.change.change.after_unknown)
        {
            return ChangeResult::new(
                Outcome::NotShown,
                "its unknown values may have come out as they were before",
            );
        }
        if all.len() > 1 && !matches!(outcome, Outcome::Done | Outcome::NeverStarted) {
            why.extend(task.steps.iter().zip(&all).map(|(step, progress)| {
                let words = match progress {
                    Some(Progress::Done) => "done",
                    Some(Progress::Failed) => "failed",
                    Some(Progress::Started) => "started",
                    None => "never started",
                };
                format!("{} {words}", step.word)
            }));
        }
        if outcome == Outcome::Failed {
            why.extend(self.run.error_of(&task.change.address).map(str::to_owned));
        }
        ChangeResult::new(outcome, &why.join(", "))
    }

    /// Compares the ID of the object, if the plan has the attribute.
    fn id(
        &mut self,
        task: &Task<'_, 'a>,
        key: &Str<'a>,
        value: &Str<'a>,
    ) -> Result<Vec<(Class, DifferenceKind<'a>)>, Error> {
        let change = &task.change.change;
        let scratch = self.comparer.build.arena();
        let read = |raw| Raw::marks_or_null(raw, scratch);
        let (after, unknown) = (Raw::value_or_null(change.after, scratch)?, read(change.after_unknown)?);
        let marks = merged_marks(read(change.after_sensitive)?, read(change.before_sensitive)?, scratch);
        let key: &'w str = scratch.alloc_str(key);
        let object = |member| Value::Object(Object::from_sorted(scratch.alloc_slice_copy(&[(key, member)])));
        let only = |value: Value<'w>| match value.as_object() {
            Some(members) => members.get(key).map_or(Value::Null, object),
            None => value,
        };
        let (build, position) = (self.comparer.build, task.position);
        let text = |value| Some(&*scratch.alloc_str(&json_text(value)));
        let planned = build.build(text(only(after)), only(unknown), only(marks), position)?;
        // If the plan does not have a string there, the message means another attribute.
        let is_id = planned.get(key).is_some_and(|value| value.is_unknown() || value.as_str().is_some());
        if !is_id {
            return Ok(Vec::new());
        }
        let value = object(Value::String(scratch.alloc_str(value)));
        let result = build.build(text(value), Value::Null, only(marks), position)?;
        Ok(values::compare(&mut self.comparer, planned, result, position))
    }
}

/// The difference for an object with an action other than planned.
fn other_action<'a>(task: &Task<'_, 'a>) -> (Class, DifferenceKind<'a>) {
    let planned = task.steps.iter().filter_map(|step| step.operation);
    let words: Vec<&str> =
        planned.chain(task.unplanned.iter().copied()).map(|operation| &*operation.word).collect();
    let (approved, now) = (&task.change.change.actions, action_of(&words));
    let class = match Class::of_actions(approved, &now) {
        Some(class) if class.is_wider() => class,
        // Even less than planned, or the same twice, is not what was approved.
        Some(_) | None => Class::Action,
    };
    let (approved, now) = (Some(approved.words().to_owned()), Some(now.words().to_owned()));
    (class, DifferenceKind::Property { property: Property::Actions, approved, now })
}

/// Compares the invoked actions, by address.
fn invocations<'a>(
    comparison: &mut Comparison<'a>,
    planned: Side<'_, 'a>,
    run: &Run<'a>,
    redactor: Redactor<'a>,
) {
    let (phrase, invoke) = ("is invoked", Action::Unknown("invoke".to_owned()));
    let mut free: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (at, invoked) in run.invocations.iter().enumerate() {
        free.entry(&invoked.address).or_default().push_back(at);
    }
    for action in &planned.plan.action_invocations {
        let outcome = match free.get_mut(&*action.address).and_then(VecDeque::pop_front) {
            None => Outcome::NeverStarted,
            Some(at) => match run.invocations[at].progress {
                Progress::Started => Outcome::Unfinished,
                Progress::Done => Outcome::Done,
                Progress::Failed => Outcome::Failed,
            },
        };
        let why = if outcome == Outcome::Failed { run.error_of(&action.address) } else { None };
        let subject = (Subject::Invocation, redactor.text(&action.address), "");
        let found = ChangeResult::new(outcome, why.unwrap_or_default());
        comparison.add_outcome(subject, (&invoke, phrase), found);
    }
    let mut unplanned: Vec<usize> = free.into_values().flatten().collect();
    unplanned.sort_unstable();
    for at in unplanned {
        let about = (Subject::Invocation, redactor.text(&run.invocations[at].address), "");
        comparison.add_unplanned(Class::Action, about, phrase, "invoke");
    }
}
