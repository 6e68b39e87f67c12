//! Compares a state with a later one: what is new, what is gone, and which values differ.

use std::collections::BTreeMap;

use bumpalo::Bump;

use super::state_objects::{GONE, StateSide, compare_values, in_either, objects};
use super::{
    About, Against, Class, ClassifiedDifferences, Comparison, DifferenceKind, Options, ResultError,
    Subject, Task, compare_all, settings,
};
use crate::diff::edits::{Comparer, Positions};
use crate::diff::parallel::Storage;
use crate::json::Value;
use crate::model::state::Output;
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
                compare_values(comparer, values, marks, Position::Unspecified)
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
