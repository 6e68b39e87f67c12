//! Finds the rules that do not apply to a created object because the plan also creates the object that it belongs to. The
//! lifecycle of a bucket, for example, deletes nothing from a new bucket.
//!
//! Invariant: an object counts as new only if the plan creates one with a type of the rule and the name in the attribute, or
//! if the name becomes known only after apply. The name of an object that exists is known.
//!
//! ```text
//! + aws_s3_bucket.logs                             bucket = "logs"
//! + aws_s3_bucket_lifecycle_configuration.logs     bucket = "logs"    no finding
//! ```

use std::collections::{HashMap, HashSet};

use bumpalo::Bump;

use super::excused::{Excused, ObjectKey, key};
use super::guards::{ObjectType, Reference, name_attributes, names_of};
use super::rule::{Rule, Trigger};
use super::table::RulesByType;
use crate::json::{self, Raw, Value};
use crate::model::plan::ResourceChange;
use crate::review::findings::ObjectOutcome;

/// Returns the rules that do not apply to the created objects of `list`, because the plan creates what they belong to.
///
/// An object is read at most twice: as one that belongs to another object, and as one that is named.
pub(super) fn excused<'a>(
    rules: &RulesByType<'_>,
    list: &[&ResourceChange<'a>],
    arena: &'a Bump,
) -> Result<HashMap<ObjectKey, Excused>, json::Error> {
    let mut excused = HashMap::new();
    let created: Vec<_> = list.iter().filter(|change| is_created(change)).collect();
    let references = created
        .iter()
        .flat_map(|change| with_parents(rules.of(&change.resource_type)))
        .flat_map(|(_, parents)| parents);
    let parent_types = name_attributes(references);
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
        let mut rules = with_parents(rules.of(&change.resource_type)).peekable();
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

/// Whether a change creates an object, possibly in place of another one.
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

/// Returns the rules about objects that belong to others with their indices, and the attributes that name the others.
fn with_parents<'r>(rules: &'r [Rule<'_>]) -> impl Iterator<Item = (usize, &'r [Reference<'r>])> {
    rules.iter().enumerate().filter_map(|(index, rule)| {
        let Trigger::Values(values) = &rule.trigger else {
            return None;
        };
        (!values.parents.is_empty()).then_some((index, &*values.parents))
    })
}
