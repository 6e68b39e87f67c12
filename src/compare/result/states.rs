//! Compares two states: what changed between them.
//!
//! Objects are paired by address and deposed key. The marks of both sides are merged, so that what either state calls
//! sensitive is hidden in both.

use std::collections::BTreeMap;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::objects::{Both, Found, GONE, edits, in_either, objects};
use super::of_state::StateSide;
use crate::compare::plans::{DECODED, settings};
use crate::compare::{Against, Class, Comparison, DifferenceKind, Options, Origin, Property, Subject};
use crate::dialect::Tool;
use crate::diff::Error;
use crate::diff::edits::{Comparer, Positions};
use crate::diff::parallel::Storage;
use crate::diff::value::Redactor;
use crate::json::Value;
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
) -> anyhow::Result<Comparison<'a>> {
    let mut comparison = Comparison::new(origin(&before), origin(&now), Against::States, options);
    let settings = settings([before.text, now.text], options.show_sensitive);
    let redactor = settings.redactor(arena);
    let (old, new) = (objects(before.state.root()), objects(now.state.root()));
    let positions = Positions::new(schemas, arena);
    let tasks = in_either(&old, &new).map(|object| Ok((object, object.position(&positions)?)));
    let tasks = tasks.collect::<Result<Vec<_>, Error>>()?;
    let all = settings.compare_all(
        &tasks,
        |(object, _)| object.size(),
        storage,
        |(object, position), mut comparer| differences(*object, *position, &mut comparer),
    )?;
    for ((object, _), found) in tasks.iter().zip(all) {
        let about = (Subject::Resource, redactor.text(object.address), redactor.text(object.deposed));
        comparison.same += usize::from(found.is_empty());
        for (class, what) in found {
            comparison.push(of_states(class), about, what);
        }
    }
    outputs(&mut comparison, [&before, &now], redactor)?;
    Ok(comparison.finish(&options.ignored))
}

/// Nothing in a state was unknown before.
fn of_states(class: Class) -> Class {
    if class == Class::Known { Class::Value } else { class }
}

pub(super) fn origin(side: &StateSide<'_, '_>) -> Origin {
    Origin {
        name: side.name.to_owned(),
        tool: Tool::from_state(side.state),
        tool_version: side.state.terraform_version.to_string(),
        timestamp: String::new(),
    }
}

/// The differences of an object: properties, then values.
fn differences<'w, 'a: 'w>(
    object: Both<'_, 'a>,
    position: Position<'w>,
    comparer: &mut Comparer<'w, 'a>,
) -> Result<Found<'a>, Error> {
    let mut found = Vec::new();
    if let (Some(before), Some(now)) = (object.before, object.now) {
        let mut property = |property, was: &str, is: &str| {
            if was != is {
                let (approved, now) = (Some(was.to_owned()), Some(is.to_owned()));
                found.push((Class::Value, DifferenceKind::Property { property, approved, now }));
            }
        };
        let tainted = |side: &Resource<'_>| if side.tainted { "yes" } else { "no" };
        property(Property::Tainted, tainted(before), tainted(now));
        property(Property::Provider, &before.provider_name, &now.provider_name);
    }
    found.extend(object.differences(comparer, position)?);
    Ok(found)
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
                let (phrase, action) = if old.is_some() { (GONE, "delete") } else { ("is set", "create") };
                let what = DifferenceKind::OnlyNow { phrase, action: action.to_owned(), renamed_from: None };
                vec![(Class::Value, what)]
            }
        };
        for (class, what) in found {
            comparison.push(of_states(class), (Subject::Output, redactor.text(name), ""), what);
        }
    }
    Ok(())
}
