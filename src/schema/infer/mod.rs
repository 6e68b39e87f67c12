//! Shapes without a schema: from the built-in facts, and from the plan itself.
//!
//! The order of trust: the facts on the type (`facts`); the plan's configuration (`configuration`), which
//! tells blocks from attributes; the values of all changed instances of the type (`seen`), which tell the
//! rest; conventions, what a name stands for in nearly all providers that are known. `decide` holds the rules.
//! Whatever comes out is stretched to hold the values at hand (`cover`): a wrong guess may change the
//! layout, it cannot lose a value. The keys of objects that are secrets tell nothing (`masked`).
//!
//! Invariants: the configuration is read for types without facts alone; of each type at
//! most `SAMPLE` changes are looked at, and never those of no-ops; the work is linear in what is shown.
//!
//! What stays unequal to the text with a schema (measured by the share of equal lines: 0.995 over the
//! project's goldens, 0.989 over real plans), and why:
//! - Facts and plan of different versions. Values that the facts do not have are shown, as the provider's own
//!   version would; the references over real plans were made with the facts' version, which drops them. A new
//!   object's attributes that are neither known yet nor in the facts are left out, for the opposite reason:
//!   they hold no value.
//! - Sets against lists where the written order is the sorted one, comes from a variable, or is of one element:
//!   both look the same until an update, where a list pairs elements and a set does not.
//! - Objects against maps of strings with the same keys in all instances, and maps with one object in them.
//! - Blocks of a deleted resource whose type nothing in the configuration has: lists of objects could as well
//!   be nested attributes. The same for lists that are attributes but written as blocks (`dynamic`, old providers).
//! - Computed blocks that nobody knows yet (`name (known after apply)`) look like attributes, but for names that
//!   are blocks by convention.
//! - Write-only attributes whose name does not end with `_wo`: they are null in every plan.
//! - Terraform's rule on empty strings depends on whether the schema has nested attributes or objects
//!   anywhere, also where they are null.

mod configuration;
mod cover;
mod decide;
mod facts;
mod masked;
mod seen;

use std::cell::RefCell;

use bumpalo::Bump;
use foldhash::HashMap;

use self::cover::Side;
use self::seen::Seen;
use super::Block;
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::model::state::{Module, StateDocument};

/// How many changes and bodies of a type are looked at: more tell nothing new, and each must be read for it.
const SAMPLE: usize = 64;

/// Shapes inferred from one document.
#[derive(Debug)]
pub struct Inference<'p, 's> {
    arena: &'s Bump,
    /// The document, if it is a plan: types without facts are looked for in its configuration.
    plan: Option<&'p Plan<'s>>,
    samples: HashMap<Key, Vec<Sample<'s>>>,
    shapes: RefCell<HashMap<Key, Shape<'s>>>,
}

/// The shape of a type, before it is stretched to an instance's values.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'s> {
    block: Block<'s>,
    from_facts: bool,
}

impl<'s> Shape<'s> {
    /// The shape of an instance, with a place for each of its `values`.
    pub fn of(self, values: Values<'s>, arena: &'s Bump) -> Block<'s> {
        // A new object's attributes that nobody knows yet and that the facts do not have are those of another
        // version of the provider. They hold no value, and are left to that version's schema.
        let unknown = if self.from_facts && values.before.is_null() { Value::Null } else { values.unknown };
        stretch(self.block, Values { unknown, ..values }, arena)
    }
}

/// Mode, provider and type.
type Key = (String, String, String);

/// One instance of a type, still as text.
#[derive(Debug, Default)]
struct Sample<'s> {
    module_address: String,
    name: String,
    before: Option<Raw<'s>>,
    after: Option<Raw<'s>>,
    unknown: Option<Raw<'s>>,
    sensitive: [Option<Raw<'s>>; 2],
}

/// The values of one instance, which its shape must hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values<'s> {
    /// Before the change; null for none.
    pub before: Value<'s>,
    /// After it; null for none.
    pub after: Value<'s>,
    /// What is not known of it yet.
    pub unknown: Value<'s>,
}

impl<'p, 's> Inference<'p, 's> {
    /// Inference from a plan. Reads nothing but the list of changes yet.
    pub fn of_plan(plan: &'p Plan<'s>, arena: &'s Bump) -> Self {
        let mut found = Self::empty(Some(plan), arena);
        let is_shown = |change: &&ResourceChange<'_>| {
            change.change.actions != Action::NoOp || change.is_moved() || change.is_imported()
        };
        let deferred = plan.deferred_changes.iter().map(|deferred| &deferred.resource_change);
        let shown = plan.resource_changes.iter().filter(is_shown).chain(&plan.resource_drift).chain(deferred);
        shown.for_each(|change| found.sample_change(change));
        found
    }

    /// Inference from a state.
    pub fn of_state(state: &StateDocument<'s>, arena: &'s Bump) -> Self {
        let mut found = Self::empty(None, arena);
        let roots = state.root_module.iter().chain(state.values.as_ref().map(|values| &values.root_module));
        for root in roots {
            found.sample_module(root);
        }
        found
    }

    fn empty(plan: Option<&'p Plan<'s>>, arena: &'s Bump) -> Self {
        Self { arena, plan, samples: HashMap::default(), shapes: RefCell::default() }
    }

    fn sample_change(&mut self, change: &ResourceChange<'s>) {
        let samples = self.samples.entry(key(&change.mode, &change.provider_name, &change.kind)).or_default();
        if samples.len() < SAMPLE {
            samples.push(Sample {
                module_address: change.module_address.to_string(),
                name: change.name.to_string(),
                before: change.change.before,
                after: change.change.after,
                unknown: change.change.after_unknown,
                sensitive: [change.change.before_sensitive, change.change.after_sensitive],
            });
        }
    }

    fn sample_module(&mut self, module: &Module<'s>) {
        for resource in &module.resources {
            let key = key(&resource.mode, &resource.provider_name, &resource.kind);
            let samples = self.samples.entry(key).or_default();
            if samples.len() < SAMPLE {
                samples.push(Sample {
                    before: resource.values,
                    sensitive: [resource.sensitive_values, None],
                    ..Sample::default()
                });
            }
        }
        for child in &module.child_modules {
            self.sample_module(child);
        }
    }

    /// The shape of a resource type.
    pub fn shape(&self, mode: &str, provider_name: &str, type_name: &str) -> Shape<'s> {
        let key = key(mode, provider_name, type_name);
        let known = self.shapes.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let facts = facts::resource(provider_name, mode, type_name, self.arena);
            let shape =
                Shape { from_facts: facts.is_some(), block: facts.unwrap_or_else(|| self.infer(&key)) };
            self.shapes.borrow_mut().insert(key, shape);
            shape
        })
    }

    /// The shape of a resource instance, with a place for each of its `values`.
    pub fn resource(
        &self,
        mode: &str,
        provider_name: &str,
        type_name: &str,
        values: Values<'s>,
    ) -> Block<'s> {
        self.shape(mode, provider_name, type_name).of(values, self.arena)
    }

    fn infer(&self, key: &Key) -> Block<'s> {
        let (mode, _, kind) = key;
        let written = self.plan.map(Plan::written);
        let mut seen = Seen::default();
        for body in written.iter().flat_map(|written| written.of_type(mode, kind)).take(SAMPLE) {
            configuration::note(&mut seen, built(Some(body), self.arena));
        }
        for sample in self.samples.get(key).into_iter().flatten() {
            let values = sample.values(self.arena);
            look(&mut seen, values);
            if values.before.is_null() {
                seen.note_made(values.after);
            }
            for marks in sample.sensitive {
                seen.look_marks(built(marks, self.arena));
            }
            let body = written
                .and_then(|written| written.of_resource(mode, kind, &sample.module_address, &sample.name));
            if body.is_some() {
                configuration::compare(&mut seen, values.after, built(body, self.arena), self.arena);
            }
        }
        decide::block(&seen, self.arena)
    }
}

/// The built-in shape of a resource type.
pub fn built_in<'s>(mode: &str, provider_name: &str, type_name: &str, arena: &'s Bump) -> Option<Block<'s>> {
    facts::resource(provider_name, mode, type_name, arena)
}

/// The shape of values of which nothing else is known: those of an action.
pub fn of_values<'a>(values: Values<'a>, arena: &'a Bump) -> Block<'a> {
    let mut seen = Seen::default();
    look(&mut seen, values);
    stretch(decide::block(&seen, arena), values, arena)
}

fn stretch<'a>(mut shape: Block<'a>, values: Values<'a>, arena: &'a Bump) -> Block<'a> {
    let after = if values.before.is_null() { Side::Made } else { Side::Value };
    for (value, side) in
        [(values.before, Side::Value), (values.after, after), (values.unknown, Side::Unknown)]
    {
        shape = cover::block(shape, value, side, arena).unwrap_or(shape);
    }
    shape
}

fn key(mode: &str, provider_name: &str, type_name: &str) -> Key {
    (mode.to_owned(), provider_name.to_owned(), type_name.to_owned())
}

impl<'s> Sample<'s> {
    fn values(&self, arena: &'s Bump) -> Values<'s> {
        let value = |raw| built(raw, arena);
        Values {
            before: masked::masked(value(self.before), value(self.sensitive[0]), arena),
            after: masked::masked(value(self.after), value(self.sensitive[1]), arena),
            unknown: value(self.unknown),
        }
    }
}

/// The value of a text that was checked with its document, so that there is one to build.
fn built<'s>(raw: Option<Raw<'s>>, arena: &'s Bump) -> Value<'s> {
    raw.and_then(|raw| raw.value(arena).ok()).unwrap_or_default()
}

fn look<'s>(seen: &mut Seen<'s>, values: Values<'s>) {
    if !values.before.is_null() {
        seen.look(values.before, Value::Null);
    }
    if !values.after.is_null() || values.unknown.as_object().is_some() {
        seen.look(values.after, values.unknown);
    }
}
