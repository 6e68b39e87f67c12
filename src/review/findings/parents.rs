//! Objects that belong to others, such as the lifecycle of a bucket: what they do to an object that the same plan creates
//! is no finding, because there is nothing in it yet.
//!
//! Invariant: an object is new only if the plan creates one of a type that the rule states with the name that the attribute
//! has, or if the name becomes known only after apply, as that of an object which exists never does.
//!
//! ```text
//! + aws_s3_bucket.logs                       bucket = "logs"
//! + aws_s3_bucket_lifecycle_configuration.logs   bucket = "logs"    nothing expires that is there today
//! ```

use std::collections::{HashMap, HashSet};

use bumpalo::Bump;

use super::excused::{Excused, ObjectKey, key};
use super::guards::{ObjectType, Reference, names_of};
use super::rule::{Rule, Trigger};
use super::table::Applicable;
use crate::json::{self, Raw, Value};
use crate::model::plan::ResourceChange;
use crate::review::findings::ObjectOutcome;

/// Returns the rules that do not apply to the created objects of `list`, because the plan creates what they belong to.
///
/// Each object is read at most once on either part: as one that belongs to another, and as one that is named.
pub(super) fn excused<'a>(
    rules: &HashMap<String, Applicable<'_>>,
    list: &[&ResourceChange<'a>],
    arena: &'a Bump,
) -> Result<HashMap<ObjectKey, Excused>, json::Error> {
    let mut excused = HashMap::new();
    let created: Vec<_> = list.iter().filter(|change| is_created(change)).collect();
    let of_type = |change: &ResourceChange<'_>| {
        let rules = rules.get(&*change.resource_type);
        rules.map_or(&[][..], |rules| rules)
    };
    let mut parent_types: HashMap<&str, HashSet<&str>> = HashMap::new();
    for change in &created {
        let references = with_parents(of_type(change)).flat_map(|(_, parents)| parents);
        for parent in references.flat_map(|reference| &reference.types) {
            let attributes = parent_types.entry(parent.name).or_default();
            attributes.extend(parent.attribute);
        }
    }
    if parent_types.is_empty() {
        return Ok(excused);
    }
    let mut new_objects: HashSet<(&str, &str)> = HashSet::new();
    for change in &created {
        if let Some(attributes) = parent_types.get(&*change.resource_type) {
            let object = Raw::value_or_null(change.change.after, arena)?;
            new_objects
                .extend(names_of(object, attributes).map(|name| (&*change.resource_type, name)));
        }
    }
    for change in &created {
        let mut rules = with_parents(of_type(change)).peekable();
        if rules.peek().is_none() {
            continue;
        }
        let object = Raw::value_or_null(change.change.after, arena)?;
        let is_new = |parent: &Reference<'_>| {
            let name = object.get(parent.path.first_name()).and_then(Value::as_str);
            let of_type =
                |parent: &ObjectType<'_>, name| new_objects.contains(&(parent.name, name));
            name.is_none_or(|name| parent.types.iter().any(|parent| of_type(parent, name)))
        };
        let new = rules.filter(|(_, parents)| parents.iter().any(is_new));
        let of_change: Excused = new.map(|(index, _)| index).collect();
        excused.insert(key(change), of_change);
    }
    Ok(excused)
}

/// Whether nothing of the object after the change was there before.
fn is_created(change: &ResourceChange<'_>) -> bool {
    let outcome = ObjectOutcome::from_action(&change.change.actions);
    matches!(
        outcome,
        Some(
            ObjectOutcome::Created
                | ObjectOutcome::DestroyedThenCreated
                | ObjectOutcome::CreatedThenDestroyed
        )
    )
}

/// The rules about objects that belong to others, by index, with the attributes that name these.
fn with_parents<'r>(rules: &'r [Rule<'_>]) -> impl Iterator<Item = (usize, &'r [Reference<'r>])> {
    rules.iter().enumerate().filter_map(|(index, rule)| {
        let Trigger::Values(values) = &rule.trigger else {
            return None;
        };
        (!values.parents.is_empty()).then_some((index, &*values.parents))
    })
}
