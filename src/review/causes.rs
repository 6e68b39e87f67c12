//! Finds causes: the other changes that make a change necessary. Also finds the attributes that the configuration
//! gives.
//!
//! Causes follow references in expressions, through modules and outputs. Plans lack the definitions of local values:
//! for a reference to one, the cause is an attribute in `relevant_attributes` with equal values before and after.
//! Invariants: a cause is a change of the same plan, and its attribute changes or becomes unknown; without references
//! there are no causes.
//!
//! ```text
//! resource "aws_subnet" "a" { vpc_id = aws_vpc.main.id }      aws_vpc.main is replaced
//!
//! Cause { attribute: "vpc_id", address: "aws_vpc.main", source: Some("id") }
//! ```

mod dependencies;
pub mod references;
mod trace;

use std::borrow::Cow;
use std::cell::{LazyCell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

use bumpalo::Bump;

use self::dependencies::ByModule;
use self::trace::{Origin, Origins, Resource};
use super::entry::{Cause, Entry, Given};
use super::paths::root_name;
use super::{ChangeKind, access};
use crate::diff::edits::Edit;
use crate::diff::value::{MarkedValue, Redactor};
use crate::json::{Error, Raw, Value};
use crate::model::Action;
use crate::model::address::Steps;
use crate::model::configuration::Configuration;
use crate::model::plan::{Plan, ResourceChange};

/// The maximum number of attributes per entry that are traced to their causes.
const MAX_TRACED: usize = 32;
/// The maximum number of causes for one attribute, and of the origins of one.
const MAX_COUNT: usize = 8;

/// Sets the causes of all entries, and the given attributes of those that create an object or have attributes that
/// become unknown.
///
/// `entries` has the changes of the plan that have an effect, in its order.
pub(super) fn find_causes<'a>(entries: &mut [Entry<'a>], plan: &Plan<'a>, redactor: Redactor<'a>) {
    let listed = plan
        .resource_changes
        .iter()
        .enumerate()
        .filter(|(_, change)| !change.has_no_effect());
    let causes = LazyCell::new(|| Causes::new(plan, redactor.arena));
    let expected = policy_documents(entries).map(|(address, document)| {
        let texts: Vec<&'a str> = access::expected(document)
            .iter()
            .map(|text| redactor.text(text))
            .collect();
        (address, &*redactor.arena.alloc_slice_copy(&texts))
    });
    let expected: HashMap<&str, &'a [&'a str]> = expected.collect();
    for (entry, (change_index, _)) in entries.iter_mut().zip(listed) {
        let attributes = effects(entry);
        if !attributes.is_empty() {
            entry.causes = causes.find(change_index, &attributes);
            for cause in &mut entry.causes {
                if causes.is_one_reference(change_index, cause.attribute) {
                    cause.expected = expected.get(cause.address).copied().unwrap_or_default();
                }
            }
        }
        if entry.action_reason == "read_because_dependency_pending" {
            entry.causes.extend(causes.dependencies(change_index));
        }
        let created = match entry.exact_edits.exact() {
            [edit] if edit.path.is_empty() && edit.before.is_none() => edit.after,
            _ => None,
        };
        let becomes_unknown = |edit: &&Edit<'a>| edit.after.is_some_and(MarkedValue::has_unknown);
        let unknown: HashSet<&str> = match created {
            Some(object) => {
                let members = object.as_object().unwrap_or_default().iter();
                members
                    .filter(|(_, value)| value.has_unknown())
                    .map(|(name, _)| *name)
                    .collect()
            }
            None => entry
                .exact_edits
                .exact()
                .iter()
                .filter(becomes_unknown)
                .map(root_name)
                .collect(),
        };
        if created.is_some() || !unknown.is_empty() {
            entry.given = causes.given(change_index, |name| unknown.contains(name));
        }
    }
}

/// Returns the only reference of an expression that is nothing but this reference; `None` for any other expression.
fn only_reference<'v>(expression: Value<'v>) -> Option<&'v str> {
    if expression.get("constant_value").is_some() {
        return None;
    }
    let all = expression.get("references")?.as_array()?;
    let mut longest: Option<&str> = None;
    for reference in all {
        let reference = reference.as_str()?;
        // The list has `data.a.b` after `data.a.b.json`.
        let is_beginning = |one: &str| {
            let rest = one.strip_prefix(reference);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        match longest {
            None => longest = Some(reference),
            Some(one) if is_beginning(one) => {}
            Some(_) => return None,
        }
    }
    let reference = longest?;
    match expression.get("text").and_then(Value::as_str) {
        Some(text) => {
            let text = text.trim();
            let inner = text
                .strip_prefix("\"${")
                .and_then(|rest| rest.strip_suffix("}\""))
                .unwrap_or(text);
            (inner.trim() == reference).then_some(reference)
        }
        None => Some(reference),
    }
}

/// Returns the attributes of an entry that need an explanation, at most `MAX_TRACED`: those that force a replacement,
/// and those of an update that were known and become unknown.
fn effects<'a>(entry: &Entry<'a>) -> Vec<&'a str> {
    let kind = ChangeKind::from_action(&entry.action, false, false);
    let is_known = !matches!(entry.action, Action::Unknown(_) | Action::Open);
    if !is_known || !(kind == ChangeKind::Update || kind.is_replacement()) {
        return Vec::new();
    }
    let mut names = Vec::new();
    for path in entry.replace_paths.as_array().unwrap_or_default() {
        names.extend(path.as_array().and_then(|steps| steps.first()?.as_str()));
    }
    let was_known = |edit: &&Edit<'a>| {
        edit.before.is_some_and(|value| !value.is_null())
            && edit.after.is_some_and(MarkedValue::has_unknown)
    };
    if entry.action == Action::Update {
        names.extend(
            entry
                .exact_edits
                .exact()
                .iter()
                .filter(was_known)
                .map(root_name)
                .filter(|name| !name.is_empty()),
        );
    }
    let mut known = HashSet::new();
    names.retain(|name| known.insert(*name));
    names.truncate(MAX_TRACED);
    names
}

/// The references and values of a plan, in which causes are looked up. A change is identified by its index in the plan.
#[derive(Debug)]
pub(super) struct Causes<'p, 'a> {
    /// The plan whose changes are explained.
    plan: &'p Plan<'a>,
    /// The configuration of the plan, which has the references; empty if the plan has none.
    configuration: Cow<'p, Configuration<'a>>,
    /// The arena that receives values of expressions and texts of causes.
    arena: &'a Bump,
    /// The indices of the changes of each resource that are not no-ops.
    by_resource: HashMap<Resource<'p>, Vec<usize>>,
    /// The relevant attributes by their values, for references to local values. Built when first needed.
    by_values: OnceCell<ByValues<'a>>,
    /// The changes in each module, for `depends_on = [module.x]`. Built when first needed.
    by_module: OnceCell<ByModule>,
    /// The attributes that each block gives. All instances of a resource share an entry.
    given: RefCell<HashMap<Resource<'p>, Attributes<'a>>>,
}

/// The attributes that a block gives, each with the origins of its value.
type Attributes<'a> = &'a [(&'a str, Origins<'a>)];

/// A change and its attribute, by the values of that attribute before and after.
type ByValues<'a> = HashMap<(Value<'a>, Value<'a>), (usize, &'a str)>;

impl<'p, 'a> Causes<'p, 'a> {
    /// Indexes the changes of a plan. Indexes that only some plans need are built later.
    pub(super) fn new(plan: &'p Plan<'a>, arena: &'a Bump) -> Self {
        let configuration = plan.configuration();
        let mut by_resource: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, change) in plan.resource_changes.iter().enumerate() {
            if change.change.actions == Action::NoOp {
                continue;
            }
            if let Some(resource) = resource(&configuration, change) {
                by_resource.entry(resource).or_default().push(index);
            }
        }
        let (by_values, by_module, given) = (OnceCell::new(), OnceCell::new(), RefCell::default());
        Self {
            plan,
            configuration,
            arena,
            by_resource,
            by_values,
            by_module,
            given,
        }
    }

    /// Returns the causes for these attributes of a change, in the order of the attributes.
    pub(super) fn find(&self, index: usize, attributes: &[&str]) -> Vec<Cause<'a>> {
        let Some(change) = self.plan.resource_changes.get(index) else {
            return Vec::new();
        };
        let mut causes: Vec<(&str, usize, &str)> = Vec::new();
        let given = self.attributes(change);
        for attribute in attributes {
            let Some((_, origins)) = given.iter().find(|(name, _)| name == attribute) else {
                continue;
            };
            let first_of_origin = causes.len();
            for origin in origins.resources {
                let sources = self.changes_of(origin, change).into_iter();
                let sources = sources
                    .filter(|source| {
                        *source != index && self.is_changing(*source, origin.attribute)
                    })
                    .map(|source| (*attribute, source, origin.attribute));
                causes.extend(sources.take(MAX_COUNT - (causes.len() - first_of_origin)));
            }
            if origins.has_local && causes.len() == first_of_origin {
                let equal = self.equal_values(index, change, attribute);
                causes.extend(equal.map(|(source, name)| (*attribute, source, name)));
            }
        }
        causes.dedup();
        let cause = |(attribute, source, name): (&str, usize, &str)| {
            Some(Cause {
                attribute: self.arena.alloc_str(attribute),
                address: self
                    .arena
                    .alloc_str(&self.plan.resource_changes.get(source)?.address),
                source: (!name.is_empty()).then(|| &*self.arena.alloc_str(name)),
                expected: &[],
            })
        };
        causes.into_iter().filter_map(cause).collect()
    }

    /// Whether the configuration gives an attribute of a change as one attribute of one object, and nothing else: through
    /// variables of modules, outputs and local values, but without a function, another text or a condition. The JSON of
    /// a plan has no text of an expression, so that there the references alone must say it.
    pub(super) fn is_one_reference(&self, index: usize, attribute: &str) -> bool {
        /// The maximum number of references that are followed from one to the next.
        const MAX_DEPTH: usize = 32;
        let Some(block) = self
            .plan
            .resource_changes
            .get(index)
            .and_then(|change| resource(&self.configuration, change))
        else {
            return false;
        };
        let Resource {
            mut module,
            mode,
            resource_type,
            name,
        } = block;
        let configuration = &self.configuration;
        let mut blocks = configuration.blocks(module, resource_type, name).iter();
        let texts = blocks
            .find(|block| *block.mode == *mode)
            .and_then(|block| block.argument_texts);
        let arguments = texts.or_else(|| configuration.resource(module, mode, resource_type, name));
        let scratch = Bump::new();
        let member =
            |raw: Option<Raw<'a>>, name: &str| Raw::value_or_null(raw, &scratch).ok()?.get(name);
        let mut expression = member(arguments, attribute);
        for _ in 0..MAX_DEPTH {
            let Some(reference) = expression.and_then(only_reference) else {
                return false;
            };
            let mut steps = Steps(reference).map(|step| step.name);
            let steps = [
                steps.next(),
                steps.next(),
                steps.next(),
                steps.next(),
                steps.next(),
            ];
            expression = match steps {
                [Some("data"), Some(_), Some(_), Some(_), None] => return true,
                [Some("var"), Some(name), None, ..] => {
                    let Some(call) = configuration.call(module) else {
                        return false;
                    };
                    module = call.module;
                    member(Some(call.expression), name)
                }
                [Some("local"), Some(name), None, ..] => {
                    let local = configuration.local(module, name);
                    local.and_then(|raw| raw.value(&scratch).ok())
                }
                [Some("module"), Some(call), Some(output), None, _] => {
                    let Some((called, raw)) = configuration.output(module, call, output) else {
                        return false;
                    };
                    module = called;
                    raw.value(&scratch).ok()
                }
                _ => return false,
            };
        }
        false
    }

    /// Returns the attributes and blocks that the author of a resource wrote; `None` if its configuration is not in the
    /// plan.
    pub(super) fn configured(&self, change: &'p ResourceChange<'_>) -> Option<HashSet<String>> {
        let Resource {
            module,
            mode,
            resource_type,
            name,
        } = resource(&self.configuration, change)?;
        self.configuration
            .resource(module, mode, resource_type, name)?;
        let names = self.attributes(change).iter();
        Some(names.map(|(name, _)| (*name).to_owned()).collect())
    }

    /// Returns the attributes that the block of a change gives; empty if the configuration does not have the block.
    fn attributes(&self, change: &'p ResourceChange<'_>) -> Attributes<'a> {
        let Some(block) = resource(&self.configuration, change) else {
            return &[];
        };
        let read = || trace::given(&self.configuration, block, self.arena);
        self.given.borrow_mut().entry(block).or_insert_with(read)
    }

    /// Returns the attributes that the block of a change gives. The sources are written only for attributes for which
    /// `needs_sources` is true.
    fn given(&self, index: usize, needs_sources: impl Fn(&str) -> bool) -> Vec<Given<'a>> {
        let Some(change) = self.plan.resource_changes.get(index) else {
            return Vec::new();
        };
        let given = |(attribute, origins): &(&'a str, Origins<'a>)| {
            let origins = if needs_sources(attribute) {
                origins.resources
            } else {
                &[]
            };
            let sources = origins.iter().take(MAX_COUNT);
            let mut sources: Vec<&'a str> = sources
                .map(|origin| &*self.arena.alloc_str(&self.source(origin, change)))
                .collect();
            sources.dedup();
            Given {
                attribute,
                sources: self.arena.alloc_slice_copy(&sources),
            }
        };
        self.attributes(change).iter().map(given).collect()
    }

    /// Returns the address that an attribute comes from: that of the change if there is only one, otherwise that of the
    /// resource or the referenced instance. The attribute of the origin follows.
    fn source(&self, origin: &Origin<'_>, effect: &ResourceChange<'_>) -> String {
        let Origin {
            resource:
                Resource {
                    module,
                    mode,
                    resource_type,
                    name,
                },
            key,
            attribute,
        } = *origin;
        let only = match *self.changes_of(origin, effect) {
            [only] => self
                .plan
                .resource_changes
                .get(only)
                .map(|change| &*change.address),
            _ => None,
        };
        let mut address = only.unwrap_or_default().to_owned();
        if address.is_empty() {
            let key = key.map(|key| format!("[{key}]")).unwrap_or_default();
            let mode = if mode == "data" { mode } else { "" };
            for step in [
                &*self.configuration.address(module),
                mode,
                resource_type,
                name,
            ] {
                let dot = if address.is_empty() || step.is_empty() {
                    ""
                } else {
                    "."
                };
                address.extend([dot, step]);
            }
            address.push_str(&key);
        }
        if attribute.is_empty() {
            address
        } else {
            format!("{address}.{attribute}")
        }
    }

    /// Returns the managed resources that the attribute of a change refers to, each as its type and the indices of its
    /// changes.
    pub(super) fn referenced(&self, index: usize, attribute: &str) -> Vec<(String, Vec<usize>)> {
        let Some(change) = self.plan.resource_changes.get(index) else {
            return Vec::new();
        };
        let given = self
            .attributes(change)
            .iter()
            .filter(|(name, _)| *name == attribute);
        let origins = given.flat_map(|(_, origin)| origin.resources);
        origins
            .filter(|origin| origin.resource.mode == "managed")
            .map(|origin| {
                (
                    origin.resource.resource_type.to_owned(),
                    self.changes_of(origin, change),
                )
            })
            .collect()
    }

    /// Returns the changes of the resource at the origin that `effect` may refer to: those in compatible module
    /// instances that have the referenced key.
    fn changes_of(&self, origin: &Origin<'_>, effect: &ResourceChange<'_>) -> Vec<usize> {
        let Some(all) = self.by_resource.get(&origin.resource) else {
            return Vec::new();
        };
        let change = |candidate: &usize| self.plan.resource_changes.get(*candidate);
        let key = |candidate: &usize| {
            change(candidate)
                .and_then(|change| change.index)
                .map(|raw| raw.text())
        };
        let is_meant = |candidate: &&usize| {
            change(candidate).is_some_and(|source| {
                are_compatible(&source.module_address, &effect.module_address)
            }) && (origin.key.is_none() || key(candidate) == origin.key)
        };
        let mut matching: Vec<usize> = all.iter().filter(is_meant).copied().collect();
        // If both use `count` or `for_each`, prefer the instance with the same key.
        let instance_key = effect
            .index
            .map(|raw| raw.text())
            .filter(|_| origin.key.is_none());
        if instance_key.is_some()
            && matching
                .iter()
                .any(|candidate| key(candidate) == instance_key)
        {
            matching.retain(|candidate| key(candidate) == instance_key);
        }
        matching
    }

    /// Whether an attribute of a change differs or becomes unknown. An empty name means the whole object.
    fn is_changing(&self, index: usize, attribute: &str) -> bool {
        let sides = self
            .plan
            .resource_changes
            .get(index)
            .and_then(|change| self.sides(change).ok());
        let Some([before, after, unknown]) = sides else {
            return false;
        };
        if attribute.is_empty() {
            return unknown != Value::Null || before != after;
        }
        let [before, after, mark] =
            [before, after, unknown].map(|value| value.get(attribute).unwrap_or_default());
        unknown == Value::Bool(true)
            || !matches!(mark, Value::Bool(false) | Value::Null)
            || before != after
    }

    /// Returns the change and its relevant attribute whose values before and after equal those of `attribute`.
    fn equal_values(
        &self,
        index: usize,
        effect: &ResourceChange<'a>,
        attribute: &str,
    ) -> Option<(usize, &'a str)> {
        let [before, after, _] = self.sides(effect).ok()?;
        let values = (before.get(attribute)?, after.get(attribute)?);
        let by_values = self.by_values.get_or_init(|| self.relevant_by_values());
        by_values
            .get(&values)
            .copied()
            .filter(|(change, _)| *change != index)
    }

    /// Returns the relevant attributes that change, by their values before and after. The first of several with equal
    /// values counts.
    fn relevant_by_values(&self) -> ByValues<'a> {
        let mut names: HashMap<&str, Vec<&'a str>> = HashMap::new();
        for relevant in &self.plan.relevant_attributes {
            let path = relevant
                .attribute
                .and_then(|raw| raw.value(self.arena).ok());
            if let Some(name) = path.and_then(|path| path.as_array()?.first()?.as_str()) {
                names.entry(&relevant.resource).or_default().push(name);
            }
        }
        let mut by_value = HashMap::new();
        for (index, change) in self.plan.resource_changes.iter().enumerate() {
            let resource = change
                .address
                .strip_suffix(']')
                .and_then(|rest| rest.rsplit_once('['));
            let resource = resource.map_or(&*change.address, |(resource, _)| resource);
            let relevant = [names.get(&*change.address), names.get(resource)];
            if change.change.actions == Action::NoOp || relevant.iter().all(Option::is_none) {
                continue;
            }
            let Ok([old, new, _]) = self.sides(change) else {
                continue;
            };
            for name in relevant.into_iter().flatten().flatten() {
                if let (Some(before), Some(after)) = (old.get(name), new.get(name))
                    && before != after
                    && is_distinctive(before)
                    && is_distinctive(after)
                {
                    by_value.entry((before, after)).or_insert((index, *name));
                }
            }
        }
        by_value
    }

    /// Returns the values of a change: before, after, and the marks of unknown values.
    fn sides(
        &self,
        ResourceChange { change, .. }: &ResourceChange<'a>,
    ) -> Result<[Value<'a>; 3], Error> {
        let value = |raw| Raw::value_or_null(raw, self.arena);
        Ok([
            value(change.before)?,
            value(change.after)?,
            value(change.after_unknown)?,
        ])
    }
}

/// Returns the resource that a change belongs to; `None` if the configuration does not have its module.
fn resource<'c>(
    configuration: &Configuration<'_>,
    change: &'c ResourceChange<'_>,
) -> Option<Resource<'c>> {
    Some(Resource {
        module: configuration.module(&change.module_address)?,
        mode: if change.mode.is_empty() {
            "managed"
        } else {
            &change.mode
        },
        resource_type: &change.resource_type,
        name: &change.name,
    })
}

/// Whether two equal values are hardly a coincidence: true for numbers and texts, false for bools and containers.
fn is_distinctive(value: Value<'_>) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Number(_) => true,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

/// Whether two modules may be in the same branch of module instances: where both addresses go through one module call,
/// they have the same key.
fn are_compatible(one: &str, other: &str) -> bool {
    let differing = Steps(one)
        .zip(Steps(other))
        .find(|(one, other)| one != other);
    // Instances of different calls are unrelated, so their keys need not agree.
    differing.is_none_or(|(one, other)| {
        one.name != other.name || one.key.is_none() || other.key.is_none()
    })
}

/// Returns the policy documents that are read during apply, each with its address.
pub(super) fn policy_documents<'e, 'a>(
    entries: &'e [Entry<'a>],
) -> impl Iterator<Item = (&'a str, MarkedValue<'a>)> + use<'e, 'a> {
    let documents = entries
        .iter()
        .filter(|entry| entry.mode == "data" && entry.resource_type == "aws_iam_policy_document");
    documents.filter_map(|entry| {
        let [edit] = entry.exact_edits.exact() else {
            return None;
        };
        Some((entry.address, edit.after.filter(|_| edit.path.is_empty())?))
    })
}

#[cfg(test)]
mod tests;
