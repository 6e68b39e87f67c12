//! Infers shapes without a schema, from the built-in schemas and from the document itself.
//!
//! Sources, the most trusted first: the built-in schema of the type, adjusted to the provider version of
//! the plan (`versions`, `known`); the configuration of the plan (`configuration`), where blocks and attributes have
//! different forms; the values of all changed instances of the type (`evidence`), the order of their
//! elements (`order`) and the provider SDK that they suggest (`style`); name patterns (`name_pattern`).
//! The rules are in `decide`. The result is widened to cover the values of the instance (`widen`): a wrong
//! guess may change the layout, but cannot lose a value. The keys of sensitive objects are not used as
//! evidence (`redacted`).
//!
//! Invariants: for each type at most `SAMPLE` changes and bodies are read, and never no-ops; the work is
//! linear in the size of the output. Every name in `after_unknown` is an attribute or block of the provider
//! and is in the shape.
//!
//! These sources cannot determine:
//! - Set or list, if the order in the configuration is the sorted one, comes from a variable, or has one
//!   element. They differ only in updates, where the elements of a list are paired and those of a set are
//!   not.
//! - Object or map of strings, if all instances have the same keys; object or map with a single object.
//! - Block or nested attribute, in a state or for a deleted resource whose type is not in the configuration
//!   (a plan given with the state helps), and for list attributes written as blocks (`dynamic`).
//! - Lists of objects that are attributes in one version of a provider and blocks in another, if they are
//!   not in the configuration and the document does not limit the version.
//! - Block or attribute, if it is known after apply, unless the name has the pattern of a block.
//! - Write-only attributes that are not in the configuration and whose name does not end with `_wo`.
//! - Whether Terraform treats empty strings as null: that depends on whether the schema has nested
//!   attributes or objects anywhere, even if they are null.

mod configuration;
mod decide;
mod evidence;
mod known;
mod name_pattern;
mod order;
mod redacted;
mod style;
mod versions;
mod widen;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};

use bumpalo::Bump;
use foldhash::HashMap;

pub(crate) use self::decide::is_sensitive_name;
use self::evidence::Evidence;
use self::versions::Limits;
use self::widen::{Cover, Side};
use super::{Block, builtin, sensitive};
use crate::json::{Raw, Value, sample};
use crate::model::Action;
use crate::model::configuration::Configuration;
use crate::model::plan::{Change, Plan, ResourceChange};
use crate::model::state::{Module, StateDocument};

/// The maximum number of changes and bodies that are read for each type. More would rarely add evidence.
const SAMPLE: usize = 64;

/// The maximum number of values that are read for each type. Evidence takes much more memory than they do.
const SAMPLE_VALUES: usize = 1 << 17;

/// Shapes inferred from one document.
#[derive(Debug)]
pub struct Inference<'p, 's> {
    arena: &'s Bump,
    /// The plan with the configuration, which is read for types without a schema.
    plan: Option<&'p Plan<'s>>,
    /// Its configuration, parsed on first use.
    configuration: OnceCell<Option<Cow<'p, Configuration<'s>>>>,
    /// What is known of the versions of the providers.
    limits: Limits<'p, 's>,
    samples: HashMap<Key, Vec<Sample<'s>>>,
    shapes: RefCell<HashMap<Key, Shape<'s>>>,
}

/// The shape of a type, before it is widened to the values of an instance.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'s> {
    block: Block<'s>,
    is_built_in: bool,
}

impl<'s> Shape<'s> {
    /// The shape of a type from a schema that may be of another version of the provider.
    pub fn from_schema(block: Block<'s>) -> Self {
        Self { block, is_built_in: false }
    }

    /// The shape of an instance, which covers all its `values`.
    pub fn widened(self, values: Values<'s>, arena: &'s Bump) -> Block<'s> {
        let block =
            if self.is_built_in { known::without_missing(self.block, values, arena) } else { self.block };
        widen_to_values(block, values, arena)
    }
}

/// Mode, provider name and resource type.
type Key = (String, String, String);

/// One instance of a type, not parsed yet.
#[derive(Debug, Default)]
struct Sample<'s> {
    module_address: String,
    name: String,
    change: Change<'s>,
}

/// The values of one instance, which its shape must cover.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values<'s> {
    /// The value before the change; null for none.
    pub before: Value<'s>,
    /// The value after the change; null for none.
    pub after: Value<'s>,
    /// The unknown parts of the value after.
    pub unknown: Value<'s>,
}

impl<'p, 's> Inference<'p, 's> {
    /// Inference from a plan. Values and configuration are parsed later, on demand.
    pub fn from_plan(plan: &'p Plan<'s>, arena: &'s Bump) -> Self {
        let mut found = Self::empty(Some(plan), Limits::of_plan(plan), arena);
        let is_shown = |change: &&ResourceChange<'_>| {
            change.change.actions != Action::NoOp || change.is_moved() || change.is_imported()
        };
        let deferred = plan.deferred_changes.iter().map(|deferred| &deferred.resource_change);
        let shown = plan.resource_changes.iter().filter(is_shown).chain(&plan.resource_drift).chain(deferred);
        shown.for_each(|change| found.sample_change(change));
        found
    }

    /// Inference from a state, and from a plan of the same configuration if one is given.
    pub fn from_state(state: &StateDocument<'s>, plan: Option<&'p Plan<'s>>, arena: &'s Bump) -> Self {
        let mut found = match plan {
            Some(plan) => Self::from_plan(plan, arena),
            None => Self::empty(None, Limits::of_state(state), arena),
        };
        if let Some(root) = state.root() {
            found.sample_module(root);
        }
        found
    }

    fn empty(plan: Option<&'p Plan<'s>>, limits: Limits<'p, 's>, arena: &'s Bump) -> Self {
        Self {
            arena,
            plan,
            configuration: OnceCell::new(),
            limits,
            samples: HashMap::default(),
            shapes: RefCell::default(),
        }
    }

    fn configuration(&self) -> Option<&Configuration<'s>> {
        self.configuration.get_or_init(|| self.plan.map(Plan::configuration)).as_deref()
    }

    fn sample_change(&mut self, change: &ResourceChange<'s>) {
        let key = key(&change.mode, &change.provider_name, &change.resource_type);
        let samples = self.samples.entry(key).or_default();
        if samples.len() < SAMPLE {
            samples.push(Sample {
                module_address: change.module_address.to_string(),
                name: change.name.to_string(),
                change: change.change.clone(),
            });
        }
    }

    fn sample_module(&mut self, module: &Module<'s>) {
        for resource in &module.resources {
            let key = key(&resource.mode, &resource.provider_name, &resource.resource_type);
            let samples = self.samples.entry(key).or_default();
            if samples.len() < SAMPLE {
                let (before, before_sensitive) = (resource.values, resource.sensitive_values);
                let change = Change { before, before_sensitive, ..Change::default() };
                samples.push(Sample { change, ..Sample::default() });
            }
        }
        for child in &module.child_modules {
            self.sample_module(child);
        }
    }

    /// The shape of a resource type. What is sensitive in `marks` is added.
    pub fn shape(
        &self,
        mode: &str,
        provider_name: &str,
        type_name: &str,
        marks: Option<Block<'s>>,
    ) -> Shape<'s> {
        let key = key(mode, provider_name, type_name);
        let known = self.shapes.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let built_in = builtin::resource(provider_name, mode, type_name, self.arena);
            let versioned = |block| {
                versions::with_attributes(block, &self.limits, (mode, provider_name, type_name), self.arena)
            };
            let (block, is_built_in) = match built_in {
                Some(block) => (self.as_configured(versioned(block), &key), true),
                None => (versioned(self.infer(&key)), false),
            };
            let block = marks.map_or(block, |marks| sensitive::joined(block, marks, self.arena));
            let shape = Shape { block, is_built_in };
            self.shapes.borrow_mut().insert(key, shape);
            shape
        })
    }

    /// A built-in shape, with blocks and attributes as in the configuration and the values.
    fn as_configured(&self, block: Block<'s>, key: &Key) -> Block<'s> {
        if !known::may_differ(block) {
            return block;
        }
        let (scratch, left) = (&Bump::new(), &Cell::new(SAMPLE_VALUES));
        let mut evidence = Evidence::default();
        self.note_configuration(&mut evidence, key, left, scratch);
        if known::has_nested_lists(block) {
            for sample in self.samples.get(key).into_iter().flatten() {
                observe(&mut evidence, sample.values(left, scratch));
            }
        }
        known::as_configured(block, &evidence, self.arena)
    }

    fn note_configuration<'e>(
        &self,
        evidence: &mut Evidence<'e>,
        (mode, _, kind): &Key,
        left: &Cell<usize>,
        arena: &'e Bump,
    ) where
        's: 'e,
    {
        let bodies = self.configuration().map(|all| all.expressions_of_type(mode, kind));
        for body in bodies.unwrap_or_default().iter().take(SAMPLE) {
            configuration::note(evidence, built(Some(*body), left, arena));
        }
    }

    fn infer(&self, key: &Key) -> Block<'s> {
        let (mode, _, kind) = key;
        let configuration = self.configuration();
        // The values are much larger than the shape, so they are not kept.
        let scratch = &Bump::new();
        let mut evidence = Evidence::default();
        let left = &Cell::new(SAMPLE_VALUES);
        self.note_configuration(&mut evidence, key, left, scratch);
        for sample in self.samples.get(key).into_iter().flatten() {
            let values = sample.values(left, scratch);
            observe(&mut evidence, values);
            if values.before.is_null() {
                evidence.observe_new_object(values.after);
            }
            for marks in [sample.change.before_sensitive, sample.change.after_sensitive] {
                evidence.observe_marks(built(marks, left, scratch));
            }
            if sample.change.replace_paths.is_some() {
                let paths = built(sample.change.replace_paths, left, scratch);
                evidence.observe_replace_paths(paths, values.before, values.after);
            }
            let body = configuration.and_then(|configuration| {
                let module = configuration.module(&sample.module_address)?;
                configuration.resource(module, mode, kind, &sample.name)
            });
            if body.is_some() {
                configuration::compare(&mut evidence, values.after, built(body, left, scratch), scratch);
            }
        }
        decide::resource_type(&evidence, self.arena)
    }
}

/// The shape inferred from values alone, such as those of an action.
pub fn block_of_values<'a>(values: Values<'a>, arena: &'a Bump) -> Block<'a> {
    let mut evidence = Evidence::default();
    observe(&mut evidence, values);
    widen_to_values(decide::resource_type(&evidence, arena), values, arena)
}

/// Reduces a shape much wider than `values` to the parts that they name. Widening copies the shape, and a
/// document may have many small instances of a type with a wide shape.
fn narrowed<'a>(shape: Block<'a>, values: Values<'a>, arena: &'a Bump) -> Block<'a> {
    const WIDE: usize = 64;
    let sides = [values.before, values.after, values.unknown];
    let members = || sides.iter().filter_map(|side| side.as_object()).flat_map(|object| object.members());
    let parts = shape.attributes.len() + shape.blocks.len();
    if parts < WIDE || parts / 4 < members().count() {
        return shape;
    }
    let mut names: Vec<&str> = members().map(|(name, _)| *name).collect();
    names.extend(shape.facts.write_only);
    names.sort_unstable();
    names.dedup();
    Block::new(named(shape.attributes, &names, arena), named(shape.blocks, &names, arena), arena)
}

fn named<'a, T: Copy>(parts: &[(&'a str, T)], names: &[&str], arena: &'a Bump) -> &'a [(&'a str, T)] {
    let part = |name: &&str| parts.binary_search_by_key(name, |(known, _)| *known).ok().map(|at| parts[at]);
    let found: Vec<_> = names.iter().filter_map(part).collect();
    arena.alloc_slice_copy(&found)
}

fn widen_to_values<'a>(whole: Block<'a>, values: Values<'a>, arena: &'a Bump) -> Block<'a> {
    let mut shape = narrowed(whole, values, arena);
    let after = if values.before.is_null() { Side::Made } else { Side::Value };
    let sides = [(values.before, Side::Value), (values.after, after), (values.unknown, Side::Unknown)];
    for (at, (value, side)) in sides.into_iter().enumerate() {
        let Some(widened) = widen::block(shape, whole, value, Cover { side, arena }) else { continue };
        shape = widened;
        // An open shape does not list scalars. If a later value lists their name, it must cover them too.
        for (value, side) in sides.into_iter().take(at) {
            shape = widen::block(shape, whole, value, Cover { side, arena }).unwrap_or(shape);
        }
    }
    shape
}

fn key(mode: &str, provider_name: &str, type_name: &str) -> Key {
    (mode.to_owned(), provider_name.to_owned(), type_name.to_owned())
}

impl<'s> Sample<'s> {
    fn values<'e>(&self, left: &Cell<usize>, arena: &'e Bump) -> Values<'e>
    where
        's: 'e,
    {
        let value = |raw| built(raw, left, arena);
        // Marks first: where they are not all read, neither are values.
        let change = &self.change;
        let marks = [change.before_sensitive, change.after_sensitive].map(value);
        Values {
            before: redacted::redacted(value(change.before), marks[0], arena),
            after: redacted::redacted(value(change.after), marks[1], arena),
            unknown: value(change.after_unknown),
        }
    }
}

/// Parses a value, without what is past the limit of [`sample`]. This cannot fail, because the text was
/// checked with its document.
fn built<'s>(raw: Option<Raw<'s>>, left: &Cell<usize>, arena: &'s Bump) -> Value<'s> {
    raw.and_then(|raw| sample(raw.text(), left, arena).ok()).unwrap_or_default()
}

fn observe<'s>(evidence: &mut Evidence<'s>, values: Values<'s>) {
    if !values.before.is_null() {
        evidence.observe(values.before, Value::Null);
    }
    if !values.after.is_null() || values.unknown.as_object().is_some() {
        evidence.observe(values.after, values.unknown);
    }
}
