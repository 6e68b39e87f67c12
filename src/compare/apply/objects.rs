//! Finds the values of the objects that an apply does not change but that expressions refer to.
//!
//! A data source that planning has read is in the prior state. A managed object without a change is among the changes,
//! as one that does nothing, or in the prior state. Objects that the apply changes are compared on their own.

use bumpalo::Bump;
use foldhash::{HashMap, HashMapExt as _};

use crate::diff::Error;
use crate::json::{Raw, Value};
use crate::model::configuration;
use crate::model::plan::{Plan, PriorState};
use crate::model::state::Module;

/// Parts of the names of attributes of data sources that hold a credential which is another one whenever the data
/// source is read, so that two honest plans differ in it. What it is read from is compared instead.
const TEMPORARY: &[&str] = &[
    "token",
    "password",
    "access_key",
    "secret_key",
    "lease",
    "expir",
];

/// The mode, the address of the module without instance keys, the type and the name of a block.
type Key<'k> = [&'k str; 4];

/// The values of one instance of a block, before they are parsed.
#[derive(Clone, Copy)]
struct Instance<'a> {
    values: Option<Raw<'a>>,
    /// The marks of the sensitive parts.
    marks: Option<Raw<'a>>,
}

/// What is known of a block.
#[derive(Default)]
struct Known<'a> {
    /// Whether the apply changes an object of the block.
    is_changed: bool,
    instances: Vec<Instance<'a>>,
}

/// The objects of a plan, by block.
pub(super) struct Objects<'c, 'a> {
    plan: &'c Plan<'a>,
    arena: &'c Bump,
    /// The blocks, which are collected when the first one is asked for.
    blocks: Option<HashMap<[String; 4], Known<'a>>>,
}

/// An attribute of an object.
pub(super) enum Attribute<'c> {
    /// The apply changes the object, so that it is compared on its own.
    Compared,
    /// The value in each instance of the block.
    Values(Vec<AttributeValue<'c>>),
    /// No document has the object.
    Missing,
}

/// The value of an attribute of one instance.
pub(super) struct AttributeValue<'c> {
    pub(super) value: Value<'c>,
    /// Whether the value is marked as sensitive, at least in part.
    pub(super) is_marked: bool,
    /// Whether the value is another one whenever it is read.
    pub(super) is_temporary: bool,
}

impl<'c, 'a: 'c> Objects<'c, 'a> {
    pub(super) fn new(plan: &'c Plan<'a>, arena: &'c Bump) -> Self {
        Self {
            plan,
            arena,
            blocks: None,
        }
    }

    /// Returns the values of an attribute in the instances of a block; without a name, those of all attributes.
    ///
    /// # Errors
    /// If the prior state or a value is malformed.
    pub(super) fn attribute(
        &mut self,
        key: Key<'_>,
        name: Option<&str>,
    ) -> Result<Attribute<'c>, Error> {
        if self.blocks.is_none() {
            self.blocks = Some(self.collect()?);
        }
        let known = self
            .blocks
            .as_ref()
            .and_then(|blocks| blocks.get(&key.map(str::to_owned)));
        let Some(known) = known else {
            // A document of the tools has all objects, so that a block without one has no instance.
            let is_whole = match &self.plan.saved_plan {
                Some(saved) => key[0] != "data" || saved.read.is_some(),
                None => {
                    self.plan.planned_values.is_some()
                        && (key[0] != "data" || self.plan.prior_state.is_some())
                }
            };
            return Ok(match is_whole {
                true => Attribute::Values(Vec::new()),
                false => Attribute::Missing,
            });
        };
        if known.is_changed {
            return Ok(Attribute::Compared);
        }
        let is_data = key[0] == "data";
        let mut values = Vec::new();
        for instance in &known.instances {
            let whole = Raw::value_or_null(instance.values, self.arena)?;
            let marks = Raw::value_or_null(instance.marks, self.arena)?;
            let (value, marks) = match name {
                Some(name) => (
                    whole.get(name).unwrap_or_default(),
                    marks.get(name).unwrap_or_default(),
                ),
                None => (whole, marks),
            };
            let is_temporary = is_data
                && match name {
                    Some(name) => is_temporary(name),
                    // With such an attribute, the object as a whole is another one each time.
                    None => whole
                        .as_object()
                        .unwrap_or_default()
                        .members()
                        .iter()
                        .any(|(name, member)| !member.is_null() && is_temporary(name)),
                };
            values.push(AttributeValue {
                value,
                is_marked: !is_unmarked(marks),
                is_temporary,
            });
        }
        Ok(Attribute::Values(values))
    }

    /// Collects the objects of the plan by block.
    fn collect(&self) -> Result<HashMap<[String; 4], Known<'a>>, Error> {
        let mut blocks: HashMap<[String; 4], Known<'a>> = HashMap::new();
        for raw in [
            self.plan.prior_state,
            self.plan.saved_plan.as_ref().and_then(|saved| saved.read),
        ]
        .into_iter()
        .flatten()
        {
            let state: PriorState<'a> = raw.read().map_err(Error::Configuration)?;
            let mut modules: Vec<&Module<'a>> = vec![&state.values.root_module];
            while let Some(module) = modules.pop() {
                let address = without_keys(&module.address);
                for resource in &module.resources {
                    if !resource.deposed_key.is_empty() {
                        continue;
                    }
                    let key = [
                        resource.mode.to_string(),
                        address.clone(),
                        resource.resource_type.to_string(),
                        resource.name.to_string(),
                    ];
                    blocks.entry(key).or_default().instances.push(Instance {
                        values: resource.values,
                        marks: resource.sensitive_values,
                    });
                }
                modules.extend(&module.child_modules);
            }
        }
        // A managed object among the changes is newer than the prior state, which may leave it out.
        let mut counted: HashMap<[String; 4], Known<'a>> = HashMap::new();
        for change in &self.plan.resource_changes {
            if !change.deposed.is_empty() {
                continue;
            }
            let key = [
                change.mode.to_string(),
                without_keys(&change.module_address),
                change.resource_type.to_string(),
                change.name.to_string(),
            ];
            let known = counted.entry(key).or_default();
            known.is_changed |= !change.has_no_effect();
            known.instances.push(Instance {
                values: change.change.after,
                marks: change.change.after_sensitive,
            });
        }
        blocks.extend(counted);
        Ok(blocks)
    }
}

/// Returns the address of a module without instance keys.
fn without_keys(address: &str) -> String {
    let calls = configuration::calls(address);
    let calls: Vec<String> = calls.iter().map(|name| format!("module.{name}")).collect();
    calls.join(".")
}

fn is_temporary(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TEMPORARY.iter().any(|part| name.contains(part))
}

/// Whether a tree of marks marks nothing. A mark that is not a bool says that nothing is known of the value.
fn is_unmarked(marks: Value<'_>) -> bool {
    match marks {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) | Value::Number(_) | Value::String(_) => false,
        Value::Array(items) => items.iter().all(|item| is_unmarked(*item)),
        Value::Object(object) => object
            .members()
            .iter()
            .all(|(_, member)| is_unmarked(*member)),
    }
}
