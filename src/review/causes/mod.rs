//! Causes: the changes that make another change necessary.
//!
//! Causes follow the references in the configuration's expressions, through modules and outputs. Plans do not
//! contain the definitions of local values. For a reference to one, the cause is an attribute from the plan's
//! `relevant_attributes` that has the same values before and after. Invariants: a cause is a change of the
//! same plan, and its attribute changes or becomes unknown; without references there are no causes.

mod given;
mod reference;
#[cfg(test)]
mod tests;
mod trace;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use bumpalo::Bump;

use crate::json::{Error, Raw, Value};
use crate::model::Action;
use crate::model::configuration::Configuration;
use crate::model::plan::{Plan, ResourceChange};

/// The reason why an attribute of a resource changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The attribute that changes.
    pub attribute: String,
    /// The index of the change that causes it, in `resource_changes`.
    pub change: usize,
    /// The attribute of that change; empty if the expression refers to the whole object.
    pub source: String,
}

/// Finds causes in one plan.
#[derive(Debug)]
pub struct Causes<'p, 'a> {
    plan: &'p Plan<'a>,
    configuration: Cow<'p, Configuration<'a>>,
    arena: &'a Bump,
    /// The indices of the changes of each resource in the configuration.
    by_resource: HashMap<reference::Resource, Vec<usize>>,
    /// Built on first use.
    by_values: OnceCell<ByValues<'a>>,
    /// What the configuration gives, by resource. All instances share it.
    given: RefCell<HashMap<reference::Resource, Rc<given::Attributes<'a>>>>,
}

/// The index of a change and the name of an attribute, by the values of that attribute before and after.
type ByValues<'a> = HashMap<(Value<'a>, Value<'a>), (usize, &'a str)>;

/// The maximum number of causes for one attribute.
const MAX_COUNT: usize = 8;

impl<'p, 'a> Causes<'p, 'a> {
    /// Indexes the changes of a plan.
    pub fn new(plan: &'p Plan<'a>, arena: &'a Bump) -> Self {
        let configuration = plan.configuration();
        let mut by_resource: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, change) in plan.resource_changes.iter().enumerate() {
            if change.change.actions == Action::NoOp {
                continue;
            }
            if let Some(resource) = resource(&configuration, change) {
                by_resource.entry(resource).or_default().push(at);
            }
        }
        Self {
            plan,
            configuration,
            arena,
            by_resource,
            by_values: OnceCell::new(),
            given: RefCell::default(),
        }
    }

    /// The causes for these attributes of the change with index `at`, in the order of the attributes.
    pub fn find(&self, at: usize, attributes: &[&str]) -> Vec<Cause> {
        let Some(change) = self.plan.resource_changes.get(at) else { return Vec::new() };
        let mut causes = Vec::new();
        for attribute in attributes {
            let origins = trace::origins(&self.configuration, change, attribute, self.arena);
            let found = causes.len();
            for origin in &origins.resources {
                for source in self.changes_of(origin, change) {
                    if source == at || causes.len() - found >= MAX_COUNT {
                        continue;
                    }
                    if let Some(source_attribute) = self.changing(source, &origin.attribute) {
                        causes.push(Cause {
                            attribute: (*attribute).to_owned(),
                            change: source,
                            source: source_attribute,
                        });
                    }
                }
            }
            if origins.has_local && causes.len() == found {
                causes.extend(self.equal_values(at, change, attribute));
            }
        }
        causes.dedup();
        causes
    }

    /// The resource types to which the configuration of an attribute refers, each with the indices of the
    /// changes of its objects.
    pub(in crate::review) fn referenced(&self, at: usize, attribute: &str) -> Vec<(String, Vec<usize>)> {
        let Some(change) = self.plan.resource_changes.get(at) else { return Vec::new() };
        let origins = trace::origins(&self.configuration, change, attribute, self.arena);
        let managed = origins.resources.iter().filter(|origin| !origin.resource.is_data);
        managed
            .map(|origin| (origin.resource.resource_type.clone(), self.changes_of(origin, change)))
            .collect()
    }

    /// The indices of the changes that a reference in the configuration of `effect` may refer to.
    fn changes_of(&self, origin: &reference::Origin, effect: &ResourceChange<'_>) -> Vec<usize> {
        let Some(all) = self.by_resource.get(&origin.resource) else { return Vec::new() };
        let change = |at: &usize| self.plan.resource_changes.get(*at);
        let key = |change: &ResourceChange<'_>| change.index.map(|raw| raw.text().to_owned());
        let mut found: Vec<usize> = all
            .iter()
            .filter(|at| {
                change(at).is_some_and(|source| {
                    reference::are_compatible(&source.module_address, &effect.module_address)
                        && origin.key.as_ref().is_none_or(|wanted| key(source).as_ref() == Some(wanted))
                })
            })
            .copied()
            .collect();
        // If both use `count` or `for_each`, prefer the instance with the same key.
        if origin.key.is_none()
            && let Some(own) = key(effect)
            && found.iter().any(|at| change(at).and_then(key).as_ref() == Some(&own))
        {
            found.retain(|at| change(at).and_then(key).as_ref() == Some(&own));
        }
        found
    }

    /// The attribute, if it changes or becomes unknown; empty for a whole object that does.
    fn changing(&self, at: usize, attribute: &str) -> Option<String> {
        let change = self.plan.resource_changes.get(at)?;
        let sides = self.sides(change).ok()?;
        if !attribute.is_empty() {
            return sides.changes(attribute).then(|| attribute.to_owned());
        }
        sides.any_change().then(String::new)
    }

    /// The cause by equal values: a relevant attribute with the same values before and after.
    fn equal_values(&self, at: usize, effect: &ResourceChange<'a>, attribute: &str) -> Option<Cause> {
        let own = self.sides(effect).ok()?;
        let values = (own.before.get(attribute)?, own.after.get(attribute)?);
        let by_values = self.by_values.get_or_init(|| self.relevant_by_values());
        let (change, source) = *by_values.get(&values).filter(|(change, _)| *change != at)?;
        Some(Cause { attribute: attribute.to_owned(), change, source: source.to_owned() })
    }

    /// The relevant attributes that change, by their values before and after.
    fn relevant_by_values(&self) -> ByValues<'a> {
        let mut names: HashMap<&str, Vec<&'a str>> = HashMap::new();
        for relevant in &self.plan.relevant_attributes {
            let path = relevant.attribute.and_then(|raw| raw.value(self.arena).ok());
            if let Some(name) = path.and_then(|path| path.as_array()?.first()?.as_str()) {
                names.entry(&relevant.resource).or_default().push(name);
            }
        }
        let mut found = HashMap::new();
        for (at, change) in self.plan.resource_changes.iter().enumerate() {
            let resource = change.address.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
            let resource = resource.map_or(&*change.address, |(resource, _)| resource);
            let relevant = [names.get(&*change.address), names.get(resource)];
            if change.change.actions == Action::NoOp || relevant.iter().all(Option::is_none) {
                continue;
            }
            let Ok(sides) = self.sides(change) else { continue };
            for name in relevant.into_iter().flatten().flatten() {
                let (before, after) = (sides.before.get(name), sides.after.get(name));
                if let (Some(before), Some(after)) = (before, after)
                    && before != after
                    && is_distinctive(before)
                    && is_distinctive(after)
                {
                    found.entry((before, after)).or_insert((at, *name));
                }
            }
        }
        found
    }

    fn sides(&self, change: &ResourceChange<'a>) -> Result<Sides<'a>, Error> {
        let value = |raw| Raw::value_or_null(raw, self.arena);
        Ok(Sides {
            before: value(change.change.before)?,
            after: value(change.change.after)?,
            unknown: value(change.change.after_unknown)?,
        })
    }
}

/// The resource block of a change.
fn resource(configuration: &Configuration<'_>, change: &ResourceChange<'_>) -> Option<reference::Resource> {
    Some(reference::Resource {
        module: configuration.module(&change.module_address)?,
        is_data: &*change.mode == "data",
        resource_type: change.resource_type.to_string(),
        name: change.name.to_string(),
    })
}

/// Whether equal values of this kind are unlikely to be equal by chance.
fn is_distinctive(value: Value<'_>) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Number(_) => true,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

/// The two sides of a change.
struct Sides<'a> {
    before: Value<'a>,
    after: Value<'a>,
    unknown: Value<'a>,
}

impl Sides<'_> {
    fn changes(&self, attribute: &str) -> bool {
        let is_unknown = self.unknown == Value::Bool(true)
            || self
                .unknown
                .get(attribute)
                .is_some_and(|mark| mark != Value::Bool(false) && mark != Value::Null);
        is_unknown
            || self.before.get(attribute).unwrap_or_default() != self.after.get(attribute).unwrap_or_default()
    }

    fn any_change(&self) -> bool {
        self.unknown != Value::Null || self.before != self.after
    }
}
