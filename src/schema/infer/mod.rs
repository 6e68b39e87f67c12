//! Infers the shapes of types that have no schema, from the built-in schemas and from the document itself.
//!
//! Sources, the most trusted first: the built-in schema of the type, adjusted to the provider version of the document
//! (`versions`); the configuration of the plan and the values of all changed instances (`evidence`); names (`names`).
//! The result is widened to cover the values of the instance (`widen`): a wrong guess may change the layout, but cannot
//! lose a value. The keys of sensitive objects are not used as evidence.
//!
//! Invariants: for each type at most `SAMPLE` changes and bodies are read, and only changes that are shown; the work is
//! linear in the size of the output. Every name in `after_unknown` is in the shape.
//!
//! These sources cannot distinguish or determine:
//! - Set or list, if the elements are sorted. They differ only in updates, where only elements of lists are paired.
//! - Object or map of strings, if all instances have the same keys; object or map with a single object.
//! - Block or nested attribute, for a type that is not in the configuration, and for blocks from `dynamic`.
//! - Attribute or block, if that changed between versions of a provider and the document does not limit these.
//! - Block or attribute, if it is known after apply, unless the name has the pattern of a block.
//! - Write-only attributes whose name does not end with `_wo`.
//! - Whether Terraform treats empty strings as null: that depends on nested attributes, even null ones.

mod decide;
mod evidence;
mod names;
mod versions;
mod widen;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};

use bumpalo::Bump;
use foldhash::HashMap;

use self::decide::Decider;
use self::evidence::Evidence;
pub(crate) use self::names::is_sensitive as is_sensitive_name;
use super::{Block, builtin, sensitive};
use crate::json::{Object, Raw, Value, sample};
use crate::model::Action;
use crate::model::configuration::Configuration;
use crate::model::plan::{Change, Plan, ResourceChange};
use crate::model::state::{Module, StateDocument};

/// The maximum number of changes, and of bodies in the configuration, that are read for a type. More would rarely add
/// evidence.
const SAMPLE: usize = 64;

/// The maximum number of values that are read for a type. Evidence takes much more memory than values.
const SAMPLE_VALUES: usize = 1 << 17;

/// The inference of the shapes of the types in a document. Each is inferred once.
#[derive(Debug)]
pub struct Inference<'p, 's> {
    /// The arena of the shapes.
    arena: &'s Bump,
    /// The plan, if the document has one.
    plan: Option<&'p Plan<'s>>,
    /// The configuration of the plan, once it was read.
    configuration: OnceCell<Option<Cow<'p, Configuration<'s>>>>,
    /// Whether the document was written by an old release, before Terraform 1.5.
    is_old: bool,
    /// The first instances of each type, up to `SAMPLE`.
    samples: HashMap<Key, Vec<Change<'s>>>,
    /// The shapes that were inferred so far.
    shapes: RefCell<HashMap<Key, Shape<'s>>>,
}

/// The shape of a type, and how certain it is.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'s> {
    block: Block<'s>,
    is_built_in: bool,
    certainty: Certainty,
}

/// The degree of certainty that a shape is that of the provider that made the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    /// The shape is from a schema that was given or stored for this provider, or is of the provider that is part of the
    /// tools.
    Known,
    /// The shape is a built-in schema, which is of one version of its provider. It is certain if it covers the values.
    IfCovering,
    /// The shape was inferred, or may differ between versions of the provider.
    Guess,
}

impl<'s> Shape<'s> {
    /// Wraps a schema that was given, which is certain.
    pub fn from_schema(block: Block<'s>) -> Self {
        Self {
            block,
            is_built_in: false,
            certainty: Certainty::Known,
        }
    }

    /// Returns the shape, widened to cover the values of an instance.
    pub fn widened(self, values: Values<'s>, arena: &'s Bump) -> Block<'s> {
        self.widened_or_guessed(values, arena).0
    }

    /// Returns the shape, widened to cover the values of an instance, and whether the layout is a guess, so that the
    /// text may differ from the tool's.
    pub fn widened_or_guessed(self, values: Values<'s>, arena: &'s Bump) -> (Block<'s>, bool) {
        let Self {
            block,
            is_built_in,
            certainty,
        } = self;
        let block = if is_built_in {
            versions::without_missing(block, values, arena)
        } else {
            block
        };
        let (block, is_covering) = widen::widened(block, values, arena);
        let is_guess = match certainty {
            Certainty::Known => false,
            Certainty::IfCovering => !is_covering,
            Certainty::Guess => true,
        };
        (block, is_guess)
    }
}

/// The key of a type: its mode, provider name and resource type.
type Key = (String, String, String);

/// The values of one instance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values<'s> {
    /// The value before the change; null for an instance that is created.
    pub before: Value<'s>,
    /// The value after the change; null for an instance that is destroyed.
    pub after: Value<'s>,
    /// The parts of the value that are known after apply, in the form of `after_unknown`.
    pub unknown: Value<'s>,
}

impl<'p, 's> Inference<'p, 's> {
    /// Collects a sample of the instances of each type from the changes of a plan. Changes without an action count only
    /// if they are shown, because of a move or an import.
    pub fn from_plan(plan: &'p Plan<'s>, arena: &'s Bump) -> Self {
        let mut inferred = Self::empty(
            Some(plan),
            versions::is_old_format(&plan.format_version),
            arena,
        );
        let is_shown = |change: &&ResourceChange<'_>| {
            change.change.actions != Action::NoOp || change.is_moved() || change.is_imported()
        };
        let shown = plan
            .resource_changes
            .iter()
            .filter(is_shown)
            .chain(&plan.resource_drift)
            .chain(plan.deferred_resource_changes());
        for change in shown {
            let of_type = (
                &*change.mode,
                &*change.provider_name,
                &*change.resource_type,
            );
            inferred.add_sample(of_type, || change.change.clone());
        }
        inferred
    }

    /// Collects a sample of the instances of each type from a state, and from the plan that it belongs to.
    pub fn from_state(
        state: &StateDocument<'s>,
        plan: Option<&'p Plan<'s>>,
        arena: &'s Bump,
    ) -> Self {
        let mut inferred = match plan {
            Some(plan) => Self::from_plan(plan, arena),
            None => Self::empty(
                None,
                versions::is_old_release(&state.terraform_version),
                arena,
            ),
        };
        if let Some(root) = state.root() {
            inferred.sample_module(root);
        }
        inferred
    }

    /// Makes an inference without samples.
    fn empty(plan: Option<&'p Plan<'s>>, is_old: bool, arena: &'s Bump) -> Self {
        let (samples, shapes) = (HashMap::default(), RefCell::default());
        Self {
            arena,
            plan,
            configuration: OnceCell::new(),
            is_old,
            samples,
            shapes,
        }
    }

    /// Returns the configuration of the plan, which is read at the first call.
    fn configuration(&self) -> Option<&Configuration<'s>> {
        self.configuration
            .get_or_init(|| self.plan.map(Plan::configuration))
            .as_deref()
    }

    /// Adds the instances of a module, and of all modules in it, to the sample.
    fn sample_module(&mut self, module: &Module<'s>) {
        for resource in &module.resources {
            self.add_sample(
                (
                    &resource.mode,
                    &resource.provider_name,
                    &resource.resource_type,
                ),
                || {
                    let (before, before_sensitive) = (resource.values, resource.sensitive_values);
                    Change {
                        before,
                        before_sensitive,
                        ..Change::default()
                    }
                },
            );
        }
        module
            .child_modules
            .iter()
            .for_each(|child| self.sample_module(child));
    }

    /// Adds an instance to the sample of its type, unless the sample is full.
    fn add_sample(&mut self, of_type: (&str, &str, &str), sample: impl FnOnce() -> Change<'s>) {
        let samples = self.samples.entry(key(of_type)).or_default();
        if samples.len() < SAMPLE {
            samples.push(sample());
        }
    }

    /// Returns the shape of a type, given by its mode, provider and name. It is inferred at the first call.
    ///
    /// `marks` says what is sensitive in it, and `built_in` returns its built-in schema.
    pub fn shape(
        &self,
        of_type: (&str, &str, &str),
        marks: Option<Block<'s>>,
        built_in: impl FnOnce() -> Option<Block<'s>>,
    ) -> Shape<'s> {
        let (_, provider_name, type_name) = of_type;
        let key = key(of_type);
        let known = self.shapes.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let built_in = built_in();
            let block = built_in.unwrap_or_else(|| {
                names::with_dynamic(self.infer(&key), provider_name, self.arena)
            });
            let constraints = || {
                self.configuration()
                    .map(Configuration::version_constraints)
                    .unwrap_or_default()
            };
            let block =
                versions::with_attributes(block, of_type, constraints, self.is_old, self.arena);
            let block = marks.map_or(block, |marks| sensitive::joined(block, marks, self.arena));
            let is_decided = || versions::are_decided(of_type, constraints);
            let certainty = if builtin::is_of_the_tool(provider_name, type_name) {
                Certainty::Known
            } else if built_in.is_some() && is_decided() {
                Certainty::IfCovering
            } else {
                Certainty::Guess
            };
            let shape = Shape {
                block,
                is_built_in: built_in.is_some(),
                certainty,
            };
            self.shapes.borrow_mut().insert(key, shape);
            shape
        })
    }

    /// Infers the shape of a type from the configuration and the sample of its instances.
    fn infer(&self, key: &Key) -> Block<'s> {
        let (mode, _, kind) = key;
        // The values are much larger than the shape, so they are not kept.
        let scratch = &Bump::new();
        let mut evidence = Evidence::default();
        let left = &Cell::new(SAMPLE_VALUES);
        let bodies = self
            .configuration()
            .map(|all| all.expressions_of_type(mode, kind))
            .unwrap_or_default();
        for body in bodies.iter().take(SAMPLE) {
            evidence.note_configuration(built(Some(*body), left, scratch));
        }
        for change in self.samples.get(key).into_iter().flatten() {
            let value = |raw| built(raw, left, scratch);
            // Marks are read first: if the limit of values cuts them off, it cuts off all values that they cover as
            // well.
            let marks = [change.before_sensitive, change.after_sensitive].map(value);
            let before = redacted(value(change.before), marks[0], scratch);
            let after = redacted(value(change.after), marks[1], scratch);
            observe(
                &mut evidence,
                Values {
                    before,
                    after,
                    unknown: value(change.after_unknown),
                },
            );
            if before.is_null() {
                evidence.observe_new_object(after);
            }
            marks
                .iter()
                .for_each(|marks| evidence.observe_marks(*marks));
            evidence.observe_replace_paths(value(change.replace_paths), before, after);
        }
        Decider::of_type(&evidence, self.arena).block(&evidence)
    }
}

/// Infers a block from the values of one instance.
pub fn block_of_values<'a>(values: Values<'a>, arena: &'a Bump) -> Block<'a> {
    let mut evidence = Evidence::default();
    observe(&mut evidence, values);
    let block = Decider::of_type(&evidence, arena).block(&evidence);
    widen::widened(block, values, arena).0
}

fn key((mode, provider_name, type_name): (&str, &str, &str)) -> Key {
    (
        mode.to_owned(),
        provider_name.to_owned(),
        type_name.to_owned(),
    )
}

/// Parses a value up to the limit of [`sample`], and null if there is none. This cannot fail, because the text was
/// checked with its document.
fn built<'s>(raw: Option<Raw<'s>>, left: &Cell<usize>, arena: &'s Bump) -> Value<'s> {
    raw.and_then(|raw| sample(raw.text(), left, arena).ok())
        .unwrap_or_default()
}

/// Adds the values of an instance to the evidence. Null means that there is no instance before or after.
fn observe<'s>(evidence: &mut Evidence<'s>, values: Values<'s>) {
    if !values.before.is_null() {
        evidence.observe(values.before, Value::Null);
    }
    if !values.after.is_null() || values.unknown.as_object().is_some() {
        evidence.observe(values.after, values.unknown);
    }
}

/// Empties the objects under `mark`, because evidence from one instance names parts of others. Values keep their kind,
/// so that the same shapes are inferred.
fn redacted<'s>(value: Value<'s>, mark: Value<'s>, arena: &'s Bump) -> Value<'s> {
    match (mark, value) {
        (Value::Null | Value::Bool(false), _) => value,
        (_, Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => value,
        (Value::Object(marks), Value::Object(object)) => {
            let members = object.members().iter().map(|(name, member)| {
                (
                    *name,
                    redacted(*member, marks.get(name).unwrap_or_default(), arena),
                )
            });
            Value::Object(Object::from_sorted(arena.alloc_slice_fill_iter(members)))
        }
        // The mark is on the whole value, or does not match it.
        (_, Value::Object(_)) => Value::Object(Object::default()),
        (_, Value::Array(items)) => {
            let marks = mark.as_array();
            let mark = |index: usize| match marks {
                Some(marks) => marks.get(index).copied().unwrap_or_default(),
                None => Value::Bool(true),
            };
            let items = items
                .iter()
                .enumerate()
                .map(|(index, item)| redacted(*item, mark(index), arena));
            Value::Array(arena.alloc_slice_fill_iter(items))
        }
    }
}
