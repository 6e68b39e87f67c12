//! Compares two states: what changed between them.
//!
//! Objects are paired by address and deposed key. The marks of both sides are merged, so that what either state calls
//! sensitive is hidden in both.

use std::collections::BTreeMap;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::Error;
use super::objects::{Objects, objects};
use super::of_state::StateSide;
use super::values::{self, merged_marks};
use crate::compare::plans::{DECODED, settings};
use crate::compare::{Against, Class, Comparison, DifferenceKind, Options, Origin, Property, Subject};
use crate::dialect::Tool;
use crate::diff::Error as ReadError;
use crate::diff::edits::{Comparer, Positions};
use crate::diff::parallel::Storage;
use crate::diff::value::Redactor;
use crate::json::{Raw, Value};
use crate::model::state::{Output, Resource};
use crate::schema::{Position, Schemas};

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
) -> Result<Comparison<'a>, Error> {
    let mut comparison = Comparison::new(origin(&before), origin(&now), Against::States);
    let settings = settings([before.text, now.text], options.show_sensitive);
    let redactor = settings.redactor(arena);
    let (old, new) = (objects(before.state.root()), objects(now.state.root()));
    let tasks = tasks(&old, &new, schemas, arena)?;
    let all = settings
        .compare_all(&tasks, Task::size, storage, |task, mut comparer| task.differences(&mut comparer))?;
    for (task, found) in tasks.iter().zip(all) {
        let (address, deposed) = (redactor.text(task.address), redactor.text(task.deposed));
        comparison.same += usize::from(found.is_empty());
        for (class, what) in found {
            comparison.push(class, Subject::Resource, address, deposed, what);
        }
    }
    outputs(&mut comparison, [&before, &now], redactor)?;
    Ok(comparison.finish(&options.ignored))
}

fn origin(side: &StateSide<'_, '_>) -> Origin {
    Origin {
        name: side.name.to_owned(),
        tool: Tool::from_state(side.state),
        tool_version: side.state.terraform_version.to_string(),
        timestamp: String::new(),
    }
}

/// An object that is in one of the states, or in both.
struct Task<'t, 'a> {
    address: &'t str,
    deposed: &'t str,
    before: Option<&'t Resource<'a>>,
    now: Option<&'t Resource<'a>>,
    position: Position<'a>,
}

fn tasks<'t, 'a>(
    old: &'t Objects<'t, 'a>,
    new: &'t Objects<'t, 'a>,
    schemas: &Schemas<'a>,
    arena: &'a Bump,
) -> Result<Vec<Task<'t, 'a>>, Error> {
    let mut positions = Positions::new(schemas, arena);
    let mut tasks = Vec::with_capacity(new.len());
    let only_new = new.iter().filter(|(key, _)| !old.contains_key(*key));
    for (key @ (address, deposed), resource) in old.iter().chain(only_new) {
        tasks.push(Task {
            address,
            deposed,
            before: old.get(key).copied(),
            now: new.get(key).copied(),
            position: positions.position(&super::of_state::as_change(resource))?,
        });
    }
    Ok(tasks)
}

type Found<'a> = Vec<(Class, DifferenceKind<'a>)>;

impl<'a> Task<'_, 'a> {
    fn size(&self) -> usize {
        let sides = [self.before, self.now].into_iter().flatten();
        sides.filter_map(|side| side.values).map(|values| values.text().len()).sum()
    }

    fn differences<'w>(&self, comparer: &mut Comparer<'w, 'a>) -> Result<Found<'a>, ReadError>
    where
        'a: 'w,
    {
        let (before, now) = match (self.before, self.now) {
            (Some(before), Some(now)) => (before, now),
            (before, _) => return Ok(vec![only(before.is_some(), self.before.or(self.now))]),
        };
        let mut found = Vec::new();
        let mut property = |property, was: &str, is: &str| {
            if was != is {
                let (approved, now) = (Some(was.to_owned()), Some(is.to_owned()));
                found.push((Class::Value, DifferenceKind::Property { property, approved, now }));
            }
        };
        let tainted = |side: &Resource<'_>| if side.tainted { "yes" } else { "no" };
        property(Property::Tainted, tainted(before), tainted(now));
        property(Property::Provider, &before.provider_name, &now.provider_name);
        if before.values.map(Raw::text) != now.values.map(Raw::text) {
            let scratch = comparer.build.arena();
            let marks = |side: &Resource<'a>| Raw::marks_or_null(side.sensitive_values, scratch);
            let marks = merged_marks(marks(before)?, marks(now)?, scratch);
            let values = [before, now].map(|side| side.values);
            found.extend(edits(comparer, values, marks, self.position)?);
        }
        Ok(found)
    }
}

/// The difference for an object that only one state has.
fn only<'a>(is_gone: bool, object: Option<&Resource<'_>>) -> (Class, DifferenceKind<'a>) {
    let is_managed = object.is_some_and(|object| super::objects::is_managed(&object.mode));
    let (class, phrase, action) = match (is_gone, is_managed) {
        (true, true) => (Class::Destroy, super::of_state::GONE, "delete"),
        // Nothing was destroyed: a data source is only read.
        (true, false) => (Class::Value, super::of_state::GONE, "delete"),
        (false, _) => (Class::Action, super::of_state::NEW, "create"),
    };
    (class, DifferenceKind::OnlyNow { phrase, action: action.to_owned(), renamed_from: None })
}

fn edits<'w, 'a: 'w>(
    comparer: &mut Comparer<'w, 'a>,
    values: [Option<Raw<'a>>; 2],
    marks: Value<'w>,
    position: Position<'w>,
) -> Result<Found<'a>, ReadError> {
    let build = comparer.build;
    let [old, new] = values.map(|raw| build.build(raw.map(Raw::text), Value::Null, marks, position));
    let found = values::compare(comparer, old?, new?, position).into_iter();
    Ok(found.map(|(class, what)| (if class == Class::Known { Class::Value } else { class }, what)).collect())
}

/// Compares the outputs of the root module.
fn outputs<'a>(
    comparison: &mut Comparison<'a>,
    sides: [&StateSide<'_, 'a>; 2],
    redactor: Redactor<'a>,
) -> Result<(), Error> {
    let mut by_name: BTreeMap<&str, [Option<&Output<'a>>; 2]> = BTreeMap::new();
    for (at, side) in sides.into_iter().enumerate() {
        for (name, output) in side.state.all_outputs().iter() {
            if let Some(slot) = by_name.entry(name).or_default().get_mut(at) {
                *slot = Some(output);
            }
        }
    }
    let hasher = RandomState::default();
    let mut scratch = Bump::new();
    let share = DECODED / by_name.len().max(1);
    for (name, both) in by_name {
        scratch.reset();
        let found = match both {
            [Some(old), Some(new)] => {
                let values = [old.value, new.value];
                let size: usize = values.iter().flatten().map(|raw| raw.text().len()).sum();
                let mut comparer = Comparer::new(&scratch, &hasher, redactor, share + 4 * size);
                let marks = Value::Bool(old.sensitive || new.sensitive);
                edits(&mut comparer, values, marks, Position::Unspecified)?
            }
            [old, _] => {
                let (phrase, action) =
                    if old.is_some() { (super::of_state::GONE, "delete") } else { ("is set", "create") };
                let what = DifferenceKind::OnlyNow { phrase, action: action.to_owned(), renamed_from: None };
                vec![(Class::Value, what)]
            }
        };
        for (class, what) in found {
            comparison.push(class, Subject::Output, redactor.text(name), "", what);
        }
    }
    Ok(())
}
