//! Reviews a plan: makes an entry for each change, in the order of the plan.

mod positions;
mod related;
mod task;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::compare::Comparer;
use super::compare::bounds::Allowance;
use super::entry::PlanReview;
use super::error::ReviewError;
use super::facts::{FactFinder, Rules};
use super::{checks, groups, one_line, reasons, variables};
use crate::dialect::Tool;
use crate::diff::parallel::{self, Storage};
use crate::diff::value::Redactor;
use crate::json::{self};
use crate::model::plan::Plan;
use crate::schema::Schemas;

pub(crate) use positions::Positions;
use related::{find_causes, mark_relevant};
use task::{Task, TaskResult, Worker, tasks};

/// Settings for what a review reads and keeps of a plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions<'r> {
    /// The rules for facts; without rules, neither facts nor causes are searched.
    pub rules: Option<&'r Rules>,
    /// Whether to keep sensitive values.
    pub show_sensitive: bool,
    /// Whether to keep unchanged values too: [`Entry::whole`](super::entry::Entry::whole).
    pub keep_whole: bool,
}

/// The maximum number of bytes of decoded documents in the strings of a plan, in addition to four times its
/// size.
const MAX_DECODED: usize = 12 << 20;

/// The minimum size of an entry to be compared in place, in bytes of text.
pub(crate) const MIN_IN_PLACE: usize = 1 << 20;

impl<'a> PlanReview<'a> {
    /// The review of a plan. `text` is the document that the plan was read from, and `name` its name. Values
    /// of the review are stored in `storage`.
    ///
    /// # Errors
    /// If a value, a schema or a rule is malformed.
    pub fn new(
        name: &str,
        text: &'a str,
        plan: &Plan<'a>,
        schemas: &Schemas<'a>,
        options: ReadOptions<'_>,
        arena: &'a Bump,
        storage: &'a mut Storage,
    ) -> Result<Self, ReviewError> {
        let positions = Positions::new(schemas, arena);
        let (tasks, inferred) = tasks(plan, positions)?;
        let share = MAX_DECODED / tasks.len().max(1);
        let hasher = &*arena.alloc(RandomState::default());
        let fact_finder = options.rules.map(|rules| FactFinder::new(rules, plan, arena)).transpose()?;
        let work = |task: &Task<'_, 'a>, scratch: &Bump, kept: &'a Bump| {
            let redactor =
                Redactor { texts: [text, "", ""], arena: kept, show_sensitive: options.show_sensitive };
            let budget = share + 4 * task.size();
            let facts = fact_finder.as_ref();
            let allowance = Allowance::for_entry(task.size(), text.len());
            if task.size() >= MIN_IN_PLACE {
                let comparer = Comparer::in_place(hasher, redactor, budget).within(allowance);
                return Worker { comparer, options, facts }.done(task, kept);
            }
            let comparer = Comparer::new(scratch, hasher, redactor, budget).within(allowance);
            Worker { comparer, options, facts }.done(task, scratch)
        };
        let done = parallel::map_into(storage, &tasks, Task::size, work)?;
        let redactor = Redactor { texts: [text, "", ""], arena, show_sensitive: options.show_sensitive };
        let mut review = Self {
            name: name.to_owned(),
            tool: Tool::from_providers(plan.providers()),
            tool_version: redactor.text(&plan.terraform_version),
            format_version: redactor.text(&plan.format_version),
            timestamp: redactor.text(&plan.timestamp),
            errored: plan.errored,
            complete: plan.complete,
            applyable: plan.applyable,
            inferred,
            ..Self::default()
        };
        match variables::read(plan, redactor, false) {
            Ok(found) => review.variables = found,
            Err(error) => review.notes.push(one_line(&format!("the variables cannot be read: {error}"))),
        }
        for done in done {
            match done {
                TaskResult::Planned(entry) => review.resources.push(*entry),
                TaskResult::Drift(entry) => review.drift.push(*entry),
                TaskResult::Deferred(entry) => review.deferred.push(*entry),
                TaskResult::Output(output) => review.outputs.push(output),
                TaskResult::Invocation(invocation) => review.invocations.push(invocation),
            }
        }
        mark_relevant(&mut review.drift, plan, arena)?;
        if options.rules.is_some() {
            find_causes(&mut review.resources, plan, redactor);
        }
        match plan.checks.map(checks::read) {
            None => {}
            Some(Ok(problems)) => review.checks = problems,
            Some(Err(error)) => review.notes.push(one_line(&format!("the checks cannot be read: {error}"))),
        }
        reasons::add(&mut review);
        groups::find(&mut review);
        Ok(review)
    }

    /// Keeps the values of input variables too; those of sensitive variables only if `show_sensitive`.
    ///
    /// # Errors
    /// If the variables are malformed.
    pub fn keep_variable_values(
        &mut self,
        plan: &Plan<'a>,
        text: &'a str,
        arena: &'a Bump,
        show_sensitive: bool,
    ) -> Result<(), json::Error> {
        let redactor = Redactor { texts: [text, "", ""], arena, show_sensitive };
        self.variables = variables::read(plan, redactor, true)?;
        Ok(())
    }
}
