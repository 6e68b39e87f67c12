//! Compares two plans, part by part, on all processors.
//!
//! Two parts belong together if their subjects, modes, types, addresses and deposed keys are equal. Several with the
//! same key are paired by equal content, then in order. An object that is moved in only one of the plans is also found
//! by its previous address.

mod items;
mod matching;

use bumpalo::Bump;

use self::items::items;
use self::matching::{pair, renamed};
use super::copies::Author;
use super::side::Side;
use super::values::compare_new_values;
use super::{
    About, Against, Class, ClassifiedDifferences, Comparison, Difference, DifferenceKind, Options,
    Property, Subject, Task, apply, compare_all, members, settings,
};
use crate::diff::Error;
use crate::diff::edits::Positions;
use crate::diff::parallel::Storage;
use crate::json::{Raw, Value};
use crate::model::plan::Plan;
use crate::model::variables::Variable;
use crate::review::pairs::{Pair, Pairs};
use crate::schema::Position;

/// Compares the new plan with the approved one. The result borrows from `arena` and `storage`.
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
    let mut comparison = Comparison::new(approved.origin(), now.origin(), Against::Plan, options);
    let variables = [
        approved.plan.input_variables()?,
        now.plan.input_variables()?,
    ];
    let settings = settings([approved.text, now.text], options.show_sensitive);
    let redactor = settings.redactor(arena);
    let [old, new] = [items(approved.plan), items(now.plan)];
    let positions_of = [approved, now].map(|side| Positions::new(side.schemas, arena));
    let pairs: Vec<Pair<usize>> = pair(&old, &new).all().collect();
    let renamed = renamed(&pairs, &old, &new);
    let authors = [approved, now].map(|side| Author::new(side.plan));
    let mut tasks: Vec<Task<'_, 'a, ClassifiedDifferences<'a>>> = Vec::new();
    for pair in pairs {
        let task = match pair {
            Pair::Both(index, now) if old[index].part == new[now].part => {
                comparison.same += usize::from(is_counted(old[index].about.subject));
                continue;
            }
            Pair::Both(index, now) => {
                let (old, new) = (old[index], new[now]);
                let size = old.part.change().size() + new.part.change().size();
                // This is looked up late because most objects are the same in both plans.
                let positions = [
                    old.part.position(&positions_of[0])?,
                    new.part.position(&positions_of[1])?,
                ];
                let identity = match new.part.object() {
                    Some(object) => positions_of[1].identity_names(object)?,
                    None => Vec::new(),
                };
                let authors = &authors;
                Task::new(new.about, size, move |comparer| {
                    old.differences(new, positions, &identity, authors, comparer)
                })
            }
            Pair::Before(index) => {
                let what = DifferenceKind::OnlyApproved {
                    words: old[index].words(),
                };
                Task::new(old[index].about, 0, move |_| {
                    Ok(vec![(Class::Reduced, what.clone())])
                })
            }
            Pair::After(index) => {
                let renamed_from = renamed.get(&index).map(|address| redactor.text(address));
                let what = DifferenceKind::OnlyNow {
                    words: new[index].words(),
                    renamed_from,
                };
                let class = new[index].class();
                Task::new(new[index].about, 0, move |_| {
                    Ok(vec![(class, what.clone())])
                })
            }
        };
        tasks.push(task);
    }
    tasks.extend(variable_tasks(&variables));
    tasks.sort_by_key(|task| task.about.subject);
    for (about, differences) in compare_all(&tasks, settings, arena, storage)? {
        comparison.same += usize::from(differences.is_empty() && is_counted(about.subject));
        // A difference of drift means that the object has changed outside of the tool since the approval.
        let is_drift = about.subject == Subject::Drift;
        for (class, what) in differences {
            comparison.push(if is_drift { Class::Drifted } else { class }, about, what);
        }
    }
    comparison
        .differences
        .extend(flags(approved.plan, now.plan));
    if now.plan.errored {
        comparison.push_failed_planning();
    }
    comparison
        .differences
        .extend(apply::differences(&approved, &now, arena)?);
    comparison
        .differences
        .extend(members::differences(&approved, &now, arena)?);
    Ok(comparison.finish(&options.ignored))
}

/// Whether equal parts with this subject count as changes that are the same.
fn is_counted(subject: Subject) -> bool {
    matches!(
        subject,
        Subject::Resource | Subject::Invocation | Subject::Output
    )
}

/// Returns the differences in whether the plans are complete, applicable and without errors.
fn flags<'a>(approved: &Plan<'_>, now: &Plan<'_>) -> impl Iterator<Item = Difference<'a>> {
    let flags = [
        (Property::Errored, Some(approved.errored), Some(now.errored)),
        // A plan that does not say whether it is complete counts as complete.
        (
            Property::Complete,
            approved.complete.or(Some(true)),
            now.complete.or(Some(true)),
        ),
        // Not all tools write this. A plan that does not say it counts as saying the same as the other one.
        (
            Property::Applyable,
            approved.applyable.or(now.applyable),
            now.applyable.or(approved.applyable),
        ),
    ];
    flags.into_iter().filter_map(|(property, old, new)| {
        let (old, new) = (old?, new?);
        // A plan that cannot be applied does less than any other one.
        let class = if property == Property::Applyable && !new {
            Class::Reduced
        } else {
            Class::Value
        };
        let what = property.differs(&old.to_string(), &new.to_string())?;
        Some(Difference {
            class,
            subject: Subject::Plan,
            address: "",
            deposed: "",
            what,
        })
    })
}

/// Returns the comparisons of variables that are not the same, sorted by name as the lists are.
fn variable_tasks<'t, 'a>(
    [old, new]: &'t [Vec<Variable<'a>>; 2],
) -> Vec<Task<'t, 'a, ClassifiedDifferences<'a>>> {
    let mut pairs = Pairs::new(old.len(), new.len());
    pairs.join(
        |index| Some(&old[index].name),
        |index| Some(&new[index].name),
    );
    let task = |pair: Pair<usize>| {
        let both = match pair {
            Pair::Both(was, is) => [old.get(was), new.get(is)],
            Pair::Before(was) => [old.get(was), None],
            Pair::After(is) => [None, new.get(is)],
        };
        let raws = both.map(|variable| variable.and_then(|variable| variable.value));
        let name = &*both.iter().flatten().next()?.name;
        // A variable that is sensitive in one plan is treated as sensitive in both.
        let mark = Value::Bool(
            both.iter()
                .flatten()
                .any(|variable| variable.is_sensitive()),
        );
        let size = raws.iter().flatten().map(|raw| raw.text().len()).sum();
        let is_same = both.iter().all(Option::is_some) && raws[0] == raws[1];
        let task = Task::new(About::new(Subject::Variable, name), size, move |comparer| {
            let value = |raw: Option<Raw<'a>>| {
                comparer
                    .build
                    .build(raw.map(Raw::text), Value::Null, mark, Position::Unspecified)
            };
            let values = [value(raws[0])?, value(raws[1])?];
            Ok(compare_new_values(comparer, values, Position::Unspecified))
        });
        (!is_same).then_some(task)
    };
    pairs.all().filter_map(task).collect()
}
