//! Two plans compared, by all processors.

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::tasks::{Items, Lists, Task, Tasks};
use super::worker::Worker;
use super::{Class, Comparison, Difference, Options, Origin, Property, Subject, What, variables};
use crate::dialect::Tool;
use crate::diff::Error;
use crate::diff::parallel::{self, Storage};
use crate::diff::value::Keeper;
use crate::model::plan::Plan;
use crate::review::compare::Comparer;
use crate::review::plan::Positions;
use crate::schema::Schemas;

/// Decoded documents in the strings of both plans may take so many bytes, and four times their size.
pub(super) const DECODED: usize = 32 << 20;

/// One of the two plans.
#[derive(Clone, Copy, Debug)]
pub struct Side<'p, 'a> {
    /// What it is called: its file.
    pub name: &'p str,
    /// The document that it was read from.
    pub text: &'a str,
    /// The plan.
    pub plan: &'p Plan<'a>,
    /// The schemas for it.
    pub schemas: &'p Schemas<'a>,
}

/// Compares the plan that is now with the one that was approved. What the result holds is kept in `arena` and
/// `storage`.
///
/// # Errors
/// A value or a schema cannot be read.
pub fn compare<'a>(
    approved: Side<'_, 'a>,
    now: Side<'_, 'a>,
    options: &Options,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> Result<Comparison<'a>, Error> {
    let mut comparison =
        Comparison { approved: origin(&approved), now: origin(&now), ..Comparison::default() };
    if let (Some(one), Some(other)) = (comparison.approved.tool, comparison.now.tool)
        && one != other
    {
        comparison.notes.push(format!(
            "the approved plan is {}'s, this one {}'s: what the tools plan differently differs here",
            product(one),
            product(other)
        ));
    }
    let lists = Lists { approved: Items::new(approved.plan), now: Items::new(now.plan) };
    let (old_variables, new_variables) = (variables::read(approved.plan)?, variables::read(now.plan)?);
    let tasks = Tasks {
        lists: &lists,
        positions: [Positions::new(approved.schemas, arena), Positions::new(now.schemas, arena)],
        tasks: Vec::new(),
        same: 0,
    };
    let tasks = tasks.all(&approved, &now, arena, (&old_variables, &new_variables))?;
    comparison.same = tasks.same;
    let tasks = tasks.tasks;
    let share = DECODED / tasks.len().max(1);
    let hasher = RandomState::default();
    let texts = [approved.text, now.text, ""];
    let work = |task: &Task<'_, 'a>, scratch: &Bump, kept: &'a Bump| {
        let keep = Keeper { texts, arena: kept, show_sensitive: options.show_sensitive };
        let comparer = Comparer::new(scratch, &hasher, keep, share + 4 * task.size());
        Worker { comparer, found: Vec::new() }.differences(task, scratch)
    };
    for (task, found) in tasks.iter().zip(parallel::map_into(storage, &tasks, Task::size, work)?) {
        comparison.same += usize::from(found.is_empty() && task.is_counted());
        comparison.differences.extend(found);
    }
    for (property, old, new) in [
        (Property::Errored, Some(approved.plan.errored), Some(now.plan.errored)),
        (Property::Complete, approved.plan.complete, now.plan.complete),
    ] {
        // A plan of a tool that does not write a flag is not different by that.
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            let (approved, now) = (Some(old.to_string()), Some(new.to_string()));
            let what = What::Property { property, approved, now };
            let class = Class::Value;
            comparison.differences.push(Difference {
                class,
                subject: Subject::Plan,
                address: "",
                deposed: "",
                what,
            });
        }
    }
    comparison.differences.sort_by_key(|difference| difference.class);
    comparison.ignore(&options.ignored);
    Ok(comparison)
}

pub(super) fn product(tool: Tool) -> &'static str {
    match tool {
        Tool::Terraform => "Terraform",
        Tool::OpenTofu => "OpenTofu",
    }
}

pub(super) fn origin(side: &Side<'_, '_>) -> Origin {
    Origin {
        name: side.name.to_owned(),
        tool: Tool::of_providers(side.plan.providers()),
        tool_version: side.plan.terraform_version.to_string(),
        timestamp: side.plan.timestamp.to_string(),
    }
}
