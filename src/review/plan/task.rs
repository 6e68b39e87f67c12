//! The parts of a plan that are compared independently.

use bumpalo::Bump;

use super::ReadOptions;
use super::positions::Positions;
use crate::diff::value::MarkedValue;
use crate::diff::{Error, Paths};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Change, Plan, ResourceChange};
use crate::review::access;
use crate::review::compare::{Comparer, Place, bounds};
use crate::review::entry::{Entry, Importing, Invocation, Output, Trigger};
use crate::review::facts::{self, FactFinder, Fate, Subject};
use crate::schema::Position;

/// A change to compare.
pub(super) enum Task<'p, 'a> {
    Planned(&'p ResourceChange<'a>, Position<'a>),
    Drift(&'p ResourceChange<'a>, Position<'a>),
    Deferred(&'p ResourceChange<'a>, Position<'a>, &'p str),
    Output(&'p str, &'p Change<'a>),
    Invocation(&'p ActionInvocation<'a>, Position<'a>),
}

/// The result of a task.
pub(super) enum TaskResult<'a> {
    // Entries are much larger than the others, of which there may be very many.
    Planned(Box<Entry<'a>>),
    Drift(Box<Entry<'a>>),
    Deferred(Box<Entry<'a>>),
    Output(Output<'a>),
    Invocation(Invocation<'a>),
}

impl Task<'_, '_> {
    /// The size of the values in bytes of text, as a measure of the work.
    pub(super) fn size(&self) -> usize {
        let size = |raws: &[Option<Raw<'_>>]| raws.iter().flatten().map(|raw| raw.text().len()).sum();
        match self {
            Self::Planned(change, _) | Self::Drift(change, _) | Self::Deferred(change, ..) => change.size(),
            Self::Output(_, change) => size(&[change.before, change.after]),
            Self::Invocation(action, _) => size(&[action.config_values]),
        }
    }
}

pub(super) fn tasks<'p, 'a>(
    plan: &'p Plan<'a>,
    mut positions: Positions<'_, 'a>,
) -> Result<(Vec<Task<'p, 'a>>, Vec<String>), Error> {
    let mut tasks = Vec::new();
    for change in plan.resource_changes.iter().filter(|change| !change.is_silent()) {
        tasks.push(Task::Planned(change, positions.position(change)?));
    }
    for change in &plan.resource_drift {
        tasks.push(Task::Drift(change, positions.position(change)?));
    }
    for deferred in &plan.deferred_changes {
        let change = &deferred.resource_change;
        tasks.push(Task::Deferred(change, positions.position(change)?, &deferred.reason));
    }
    for (name, change) in plan.output_changes.iter().filter(|(_, change)| change.actions != Action::NoOp) {
        tasks.push(Task::Output(name, change));
    }
    for action in &plan.action_invocations {
        let block = positions.schemas.action(&action.provider_name, &action.action_type, positions.arena)?;
        tasks.push(Task::Invocation(action, block.map_or(Position::Inferred, Position::Block)));
    }
    Ok((tasks, positions.inferred.into_iter().collect()))
}

/// Compares the sides of tasks.
pub(super) struct Worker<'f, 'w, 'a> {
    pub(super) comparer: Comparer<'w, 'a>,
    pub(super) options: ReadOptions<'f>,
    pub(super) facts: Option<&'f FactFinder<'f>>,
}

impl<'w, 'a: 'w> Worker<'_, 'w, 'a> {
    pub(super) fn done(mut self, task: &Task<'_, 'a>, scratch: &'w Bump) -> Result<TaskResult<'a>, Error> {
        Ok(match task {
            Task::Planned(change, position) => {
                let (before, after) = self.sides(&change.change, *position, scratch)?;
                let facts = match (self.facts, Fate::from_action(&change.change.actions)) {
                    (Some(finder), Some(fate)) if &*change.mode != "data" => {
                        let rules = finder.rules.get(&*change.resource_type);
                        let subject = Subject { fate, before, after };
                        let redactor = self.comparer.redactor;
                        let find = |rules| facts::find(&subject, rules, &finder.destroyed, redactor, scratch);
                        rules.map(find).unwrap_or_default()
                    }
                    _ => Vec::new(),
                };
                let entry = self.entry(change, (before, after), *position, scratch)?;
                TaskResult::Planned(Box::new(Entry { facts, ..entry }))
            }
            Task::Drift(change, position) => {
                let sides = self.sides(&change.change, *position, scratch)?;
                TaskResult::Drift(Box::new(self.entry(change, sides, *position, scratch)?))
            }
            Task::Deferred(change, position, reason) => {
                let sides = self.sides(&change.change, *position, scratch)?;
                let entry = self.entry(change, sides, *position, scratch)?;
                let deferred_reason = Some(self.comparer.redactor.text(reason));
                TaskResult::Deferred(Box::new(Entry { deferred_reason, ..entry }))
            }
            Task::Output(name, change) => {
                let (before, after) = self.sides(change, Position::Unspecified, scratch)?;
                let place = Place::root(Position::Unspecified, Paths::Never);
                let compared = self.comparer.compare(before, after, place);
                TaskResult::Output(Output {
                    name: self.comparer.redactor.text(name),
                    action: change.actions.clone(),
                    edits: compared.edits,
                })
            }
            Task::Invocation(action, position) => {
                TaskResult::Invocation(self.invocation(action, *position, scratch)?)
            }
        })
    }

    fn sides(
        &mut self,
        change: &Change<'a>,
        position: Position<'w>,
        scratch: &'w Bump,
    ) -> Result<(MarkedValue<'w>, MarkedValue<'w>), Error> {
        let value = |raw: Option<Raw<'w>>| raw.map_or(Ok(Value::Null), |raw| raw.value(scratch));
        let build = self.comparer.build;
        let text = |raw: Option<Raw<'w>>| raw.map(Raw::text);
        let (unknown, mark) = (value(change.after_unknown)?, value(change.after_sensitive)?);
        let (before, after) = (text(change.before), text(change.after));
        let allowance = self
            .comparer
            .allowance
            .less(&[text(change.before_sensitive), text(change.after_sensitive)], bounds::MARK_BYTES)
            .less(&[text(change.after_unknown)], bounds::UNKNOWN_BYTES);
        let unread = allowance.unread(&[before, after], scratch)?;
        self.comparer.unread = unread;
        self.comparer.allowance = allowance.for_edits(&[before, after], unread);
        Ok((
            build.read(before, Value::Null, value(change.before_sensitive)?, position, unread)?,
            build.read(after, unknown, mark, position, unread)?,
        ))
    }

    fn entry(
        &mut self,
        change: &ResourceChange<'a>,
        (before, after): (MarkedValue<'w>, MarkedValue<'w>),
        position: Position<'w>,
        scratch: &'w Bump,
    ) -> Result<Entry<'a>, Error> {
        let redactor = self.comparer.redactor;
        let value = |raw: Option<Raw<'a>>| raw.map_or(Ok(Value::Null), |raw| raw.value(redactor.arena));
        let replace_paths = value(change.change.replace_paths)?;
        let place = Place::root(position, Paths::parse(replace_paths, scratch));
        let compared = self.comparer.compare(before, after, place);
        let importing = change.change.importing.as_ref().map(|importing| {
            Ok::<_, Error>(Importing {
                id: redactor.text(&importing.id),
                unknown: importing.unknown,
                identity: value(importing.identity)?,
            })
        });
        Ok(Entry {
            address: if change.address.is_empty() {
                redactor.text(&change.built_address())
            } else {
                redactor.text(&change.address)
            },
            previous_address: redactor.text(&change.previous_address),
            module_address: redactor.text(&change.module_address),
            mode: redactor.text(&change.mode),
            resource_type: redactor.text(&change.resource_type),
            name: redactor.text(&change.name),
            index: value(change.index)?,
            deposed: redactor.text(&change.deposed),
            provider_name: redactor.text(&change.provider_name),
            action: change.change.actions.clone(),
            action_reason: redactor.text(&change.action_reason),
            importing: importing.transpose()?,
            generated_config: redactor.text(&change.change.generated_config),
            replace_paths,
            relevant: None,
            deferred_reason: None,
            edits: compared.edits,
            unchanged: compared.unchanged,
            reasons: Vec::new(),
            facts: Vec::new(),
            causes: Vec::new(),
            access: access::find(&change.resource_type, compared.edits, (before, after), redactor),
            group: None,
            hidden: false,
            source: None,
            whole: self.options.keep_whole.then(|| {
                (self.comparer.keep_beside(before, after), self.comparer.keep_beside(after, before))
            }),
        })
    }

    /// The configuration of an action, as if it were added.
    fn invocation(
        &mut self,
        action: &ActionInvocation<'a>,
        position: Position<'w>,
        scratch: &'w Bump,
    ) -> Result<Invocation<'a>, Error> {
        let value = |raw: Option<Raw<'w>>| raw.map_or(Ok(Value::Null), |raw| raw.value(scratch));
        let (unknown, marks) = (value(action.config_unknown)?, value(action.config_sensitive)?);
        let text = action.config_values.map(Raw::text);
        let unread = self.comparer.allowance.unread(&[text], scratch)?;
        self.comparer.unread = unread;
        let after = self.comparer.build.read(text, unknown, marks, position, unread)?;
        let before = self.comparer.build.null();
        let compared = self.comparer.compare(before, after, Place::root(position, Paths::Never));
        let redactor = self.comparer.redactor;
        let trigger = action.lifecycle_action_trigger.as_ref().map(|trigger| Trigger {
            address: redactor.text(&trigger.triggering_resource_address),
            event: redactor.text(&trigger.action_trigger_event),
        });
        let caller = action.invoke_action_trigger.as_ref();
        Ok(Invocation {
            address: redactor.text(&action.address),
            action_type: redactor.text(&action.action_type),
            trigger,
            caller: redactor.text(caller.map_or("", |caller| &caller.calling_resource_address)),
            edits: compared.edits,
        })
    }
}
