//! Compares two plans on all processors.

use bumpalo::Bump;

use super::running;
use super::tasks::{Task, Tasks};
use super::worker::Worker;
use super::{Against, Class, Comparison, Difference, DifferenceKind, Options, Origin, Property, Subject};
use crate::dialect::Tool;
use crate::diff::Error;
use crate::diff::edits::{Positions, Settings};
use crate::diff::parallel::Storage;
use crate::model::plan::Plan;
use crate::schema::Schemas;

/// The memory for texts that are compressed in strings, in bytes, in addition to four times the size of the plans.
pub(super) const DECODED: usize = 32 << 20;

/// The settings for comparing the values of two documents.
pub(super) fn settings<'a>(texts: [&'a str; 2], show_sensitive: bool) -> Settings<'a> {
    let [approved, now] = texts;
    Settings { texts: [approved, now, ""], show_sensitive, decoded: DECODED }
}

/// One of the two plans.
#[derive(Clone, Copy, Debug)]
pub struct Side<'p, 'a> {
    /// The name of its file.
    pub name: &'p str,
    /// The text of its document.
    pub text: &'a str,
    /// The plan.
    pub plan: &'p Plan<'a>,
    /// The schemas for it.
    pub schemas: &'p Schemas<'a>,
}

/// Compares the current plan with the approved one. The result borrows from `arena` and `storage`.
///
/// # Errors
/// If a value or a schema is malformed.
pub fn compare<'a>(
    approved: Side<'_, 'a>,
    now: Side<'_, 'a>,
    options: &Options,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> Result<Comparison<'a>, Error> {
    let mut comparison = Comparison::new(origin(&approved), origin(&now), Against::Plan, options);
    let (old_variables, new_variables) = (approved.plan.input_variables()?, now.plan.input_variables()?);
    let settings = settings([approved.text, now.text], options.show_sensitive);
    let tasks = Tasks {
        positions: [Positions::new(approved.schemas, arena), Positions::new(now.schemas, arena)],
        redactor: settings.redactor(arena),
        tasks: Vec::new(),
        same: 0,
    };
    let tasks = tasks.all(&approved, &now, [&old_variables, &new_variables])?;
    comparison.same = tasks.same;
    let tasks = tasks.tasks;
    let all = settings.compare_all(&tasks, Task::size, storage, |task, comparer| {
        Worker { comparer, found: Vec::new() }.differences(task)
    })?;
    for (task, found) in tasks.iter().zip(all) {
        comparison.same += usize::from(found.is_empty() && task.is_counted());
        comparison.differences.extend(found);
    }
    comparison.differences.extend(flags(approved.plan, now.plan));
    comparison.differences.extend(running::differences(&approved, &now, arena)?);
    crate::sort::by_key(&mut comparison.differences, |difference| difference.class);
    comparison.ignore(&options.ignored);
    Ok(comparison)
}

/// The differences in what the plans say about themselves.
fn flags<'a>(approved: &Plan<'_>, now: &Plan<'_>) -> impl Iterator<Item = Difference<'a>> {
    let flags = [
        (Property::Errored, Some(approved.errored), Some(now.errored)),
        // A plan that does not say that it is incomplete counts as complete.
        (Property::Complete, approved.complete.or(Some(true)), now.complete.or(Some(true))),
        // Whether an approved plan of a tool that does not write this could be applied is not known.
        (Property::Applyable, approved.applyable.or(now.applyable), now.applyable.or(approved.applyable)),
    ];
    flags.into_iter().filter_map(|(property, old, new)| {
        let (old, new) = (old?, new?);
        let class = match (property, new) {
            // A plan that cannot be applied does less than any other one.
            (Property::Applyable, false) => Class::Less,
            _ => Class::Value,
        };
        let what = DifferenceKind::Property {
            property,
            approved: Some(old.to_string()),
            now: Some(new.to_string()),
        };
        let difference = Difference { class, subject: Subject::Plan, address: "", deposed: "", what };
        (old != new).then_some(difference)
    })
}

pub(super) fn origin(side: &Side<'_, '_>) -> Origin {
    Origin {
        name: side.name.to_owned(),
        tool: Tool::from_plan(side.plan),
        tool_version: side.plan.terraform_version.to_string(),
        timestamp: side.plan.timestamp.to_string(),
    }
}
