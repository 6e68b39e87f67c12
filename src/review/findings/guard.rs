//! Finds the guards of a plan whose destruction is no finding. Guards are objects that protect others, such as a public
//! access block or a flow log.
//!
//! Destroying a guard is a finding, unless the object that it protects is destroyed too, or a guard as strong is
//! created at another address by the same provider configuration, so that it is in the same account and region. Then the
//! guard is *excused*. Invariants: a destroyed object excuses a guard only if the
//! rule states its type, an attribute of the guard names it, and nothing in the plan keeps an object of that type and
//! name. If the configuration of the attribute refers to objects of these types, the destroyed object must be one of
//! them.
//!
//! ```text
//! - aws_s3_bucket_public_access_block.logs  bucket = "logs"       the bucket stays
//!
//! Finding { kind: Protection, text: "destroyed, while what it protects stays", … }
//! ```

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::excused::{Excused, ObjectKey, key};
use super::guards::{Guards, Reference, name_attributes, names_of};
use super::rule::{Rule, Trigger};
use super::table::RulesByType;
use crate::diff::value::{Builder, Content, MarkedValue, Redactor};
use crate::json::{self, Raw};
use crate::meaning::Documents;
use crate::model::Action;
use crate::model::configuration::Configuration;
use crate::model::plan::{Plan, ResourceChange};
use crate::review::causes::Causes;
use crate::review::credentials::Credentials;
use crate::review::findings::pattern::Pattern;
use crate::review::findings::{ObjectOutcome, Subject};

/// The maximum number of created guards of the same object that are compared with a destroyed one.
const MAX_COMPARED: usize = 100;

/// Attributes that do not change how strong a guard is.
const DESCRIPTIVE: [&str; 6] = [
    "alarm_description",
    "alarm_name",
    "description",
    "labels",
    "tags",
    "tags_all",
];

/// Returns the rules about guards with their indices.
fn guards<'r>(rules: &'r [Rule<'_>]) -> impl Iterator<Item = (usize, &'r Guards<'r>)> {
    rules.iter().enumerate().filter_map(|(index, rule)| {
        if let Trigger::Unguarded(guards) = &rule.trigger {
            Some((index, guards))
        } else {
            None
        }
    })
}

/// Returns the guards among the changes in `list` that are excused.
pub(super) fn excused<'a>(
    rules: &RulesByType<'_>,
    plan: &Plan<'a>,
    list: &[&ResourceChange<'a>],
    arena: &'a Bump,
) -> Result<HashMap<ObjectKey, Excused>, json::Error> {
    let mut managed = Vec::new();
    let mut destroyed = Vec::new();
    for change in list.iter().copied() {
        if matches!(&*change.mode, "data" | "ephemeral") {
            continue;
        }
        managed.push(change);
        if may_destroy_guard(change, rules.of(&change.resource_type)) {
            destroyed.push(change);
        }
    }
    let mut excused_rules = HashMap::new();
    if destroyed.is_empty() {
        return Ok(excused_rules);
    }
    let types: HashSet<&str> = destroyed
        .iter()
        .map(|change| &*change.resource_type)
        .collect();
    let guards_of_types = types.iter().flat_map(|name| guards(rules.of(name)));
    let names = name_attributes(guards_of_types.flat_map(|(_, guards)| &guards.objects));
    let protected = ProtectedObjects::new(plan, list, &managed, names, arena)?;
    let documents = &Documents::new(Builder::new(arena, arena.alloc(RandomState::default())));
    let providers = ProviderConfigurations::new(plan);
    let created = CreatedGuards::new(&managed, &types, rules, &providers, documents)?;
    for change in destroyed {
        let rules = rules.of(&change.resource_type);
        let before = read(change.change.before, documents)?;
        let provider = providers.of(change);
        let is_replaced = created.replace(change, provider.as_deref(), before, rules, documents);
        let mut excused = Excused::new();
        for (index, guards) in guards(rules) {
            let mut is_excused = is_replaced;
            for reference in &guards.objects {
                is_excused |= protected.are_gone(change, before, reference, documents)?;
            }
            if is_excused {
                excused.insert(index);
            }
        }
        excused_rules.insert(key(change), excused);
    }
    Ok(excused_rules)
}

/// Whether a change destroys a guard, or may do so.
fn may_destroy_guard(change: &ResourceChange<'_>, rules: &[Rule<'_>]) -> bool {
    let may_destroy = match ObjectOutcome::from_action(&change.change.actions) {
        Some(ObjectOutcome::Destroyed | ObjectOutcome::Unknown) => true,
        Some(
            ObjectOutcome::Created
            | ObjectOutcome::Updated
            | ObjectOutcome::DestroyedThenCreated
            | ObjectOutcome::CreatedThenDestroyed
            | ObjectOutcome::Forgotten,
        )
        | None => false,
    };
    may_destroy && guards(rules).next().is_some()
}

/// Reads the values on one side of a change.
fn read<'a>(
    side: Option<Raw<'a>>,
    documents: &Documents<'a>,
) -> Result<MarkedValue<'a>, json::Error> {
    documents.build.parse(side.map(Raw::text))
}

/// The provider configurations of a plan, which say in which account and region the object of a change is.
struct ProviderConfigurations<'p, 'a> {
    configuration: Cow<'p, Configuration<'a>>,
    /// The number of configurations of each provider, by source address.
    counts: HashMap<String, usize>,
}

impl<'p, 'a> ProviderConfigurations<'p, 'a> {
    fn new(plan: &'p Plan<'a>) -> Self {
        let configuration = plan.configuration();
        let mut counts = HashMap::new();
        for config in configuration
            .provider_configs()
            .unwrap_or_default()
            .values()
        {
            *counts.entry(config.source().to_owned()).or_default() += 1;
        }
        Self {
            configuration,
            counts,
        }
    }

    /// Returns a text that only changes by the same provider configuration have: its key, or the provider if it has one
    /// configuration at most. `None` if it is not known, as for an object whose block is gone.
    fn of(&self, change: &ResourceChange<'_>) -> Option<String> {
        let provider = &*change.provider_name;
        let local = provider.rsplit('/').next().unwrap_or_default();
        let count = |name: &str| self.counts.get(name).copied().unwrap_or_default();
        if count(provider) + count(local) <= 1 {
            return Some(provider.to_owned());
        }
        let module = self.configuration.module(&change.module_address)?;
        let blocks = self
            .configuration
            .blocks(module, &change.resource_type, &change.name);
        let block = blocks.iter().find(|block| *block.mode == *change.mode)?;
        Some(block.provider_config_key.to_string()).filter(|key| !key.is_empty())
    }
}

/// What tells guards of different things apart: their type, the hashes of the values by which they name what they
/// protect, and the provider configuration.
type GuardKey<'p> = (&'p str, Vec<u64>, String);

/// The guards that a plan creates.
struct CreatedGuards<'p, 'a> {
    /// Their values, by what they guard.
    by_names: HashMap<GuardKey<'p>, Vec<MarkedValue<'a>>>,
}

impl<'p, 'a> CreatedGuards<'p, 'a> {
    /// Collects the guards of these types that are created.
    fn new(
        changes: &[&'p ResourceChange<'a>],
        types: &HashSet<&str>,
        rules: &RulesByType<'_>,
        providers: &ProviderConfigurations<'_, '_>,
        documents: &Documents<'a>,
    ) -> Result<Self, json::Error> {
        let mut by_names: HashMap<_, Vec<_>> = HashMap::new();
        for change in changes {
            let resource_type = &*change.resource_type;
            if change.change.actions != Action::Create || !types.contains(resource_type) {
                continue;
            }
            let Some(provider) = providers.of(change) else {
                continue;
            };
            let after = read(change.change.after, documents)?;
            for (_, guards) in guards(rules.of(resource_type)) {
                let names = guards.names_in(after, documents);
                by_names
                    .entry((resource_type, names, provider.clone()))
                    .or_default()
                    .push(after);
            }
        }
        Ok(Self { by_names })
    }

    /// Whether one of them protects the same as a destroyed guard, whose values are `before`, in the same account and
    /// region, and is as strong. `provider` is the provider configuration of the guard, if it is known.
    fn replace(
        &self,
        guard: &'p ResourceChange<'a>,
        provider: Option<&str>,
        before: MarkedValue<'a>,
        rules: &[Rule<'_>],
        documents: &Documents<'a>,
    ) -> bool {
        let Some(provider) = provider else {
            return false;
        };
        let resource_type = &*guard.resource_type;
        for (_, guards) in guards(rules) {
            let names = guards.names_in(before, documents);
            let key = (resource_type, names, provider.to_owned());
            let Some(alike) = self.by_names.get(&key) else {
                continue;
            };
            for after in alike.iter().take(MAX_COMPARED) {
                if is_as_strong(rules, before, *after, documents) {
                    return true;
                }
            }
        }
        false
    }
}

/// The objects of a plan that guards may protect, and which of them are destroyed.
struct ProtectedObjects<'p, 'a> {
    /// The plan.
    plan: &'p Plan<'a>,
    /// The index of the change of each object in the plan.
    indices: HashMap<ObjectKey, usize>,
    /// The objects that the configuration of each object refers to.
    causes: Causes<'p, 'a>,
    /// The values before the change of the objects that are destroyed.
    destroyed: HashMap<ObjectKey, Option<Raw<'a>>>,
    /// The attributes that name objects, by the types of the objects.
    name_attributes: HashMap<&'p str, HashSet<&'p str>>,
    /// For each type and name of an object, whether every object that has it is destroyed.
    are_destroyed: HashMap<(&'p str, &'p str), bool>,
    /// The arena that receives values.
    arena: &'a Bump,
}

impl<'p, 'a> ProtectedObjects<'p, 'a> {
    /// Collects the objects. `list` has the changes of the plan that are reviewed, and `managed` those of them whose
    /// objects the tool manages.
    fn new(
        plan: &'p Plan<'a>,
        list: &[&'p ResourceChange<'a>],
        managed: &[&'p ResourceChange<'a>],
        name_attributes: HashMap<&'p str, HashSet<&'p str>>,
        arena: &'a Bump,
    ) -> Result<Self, json::Error> {
        let are_destroyed = are_destroyed(managed, &name_attributes, arena)?;
        let mut indices = HashMap::new();
        for (index, change) in plan.resource_changes.iter().enumerate() {
            indices.insert(key(change), index);
        }
        let mut destroyed = HashMap::new();
        for change in list {
            if change.change.actions == Action::Delete {
                destroyed.insert(key(change), change.change.before);
            }
        }
        Ok(Self {
            plan,
            indices,
            causes: Causes::new(plan, arena),
            destroyed,
            name_attributes,
            are_destroyed,
            arena,
        })
    }

    /// Whether the objects that a guard names by one of its attributes are destroyed. `before` are its values.
    fn are_gone(
        &self,
        guard: &ResourceChange<'_>,
        before: MarkedValue<'a>,
        reference: &Reference<'_>,
        documents: &Documents<'a>,
    ) -> Result<bool, json::Error> {
        let configured = self.configured_names(guard, reference)?;
        let is_gone = |name: &str| match &configured {
            Some(names) => names.contains(name),
            None => self.is_destroyed(name, reference),
        };
        let path = &reference.path;
        Ok(protects_only(path, before, documents, &is_gone))
    }

    /// Whether all objects with this name are destroyed, of one of the types that a reference is about.
    fn is_destroyed(&self, name: &str, reference: &Reference<'_>) -> bool {
        reference
            .types
            .iter()
            .any(|object| self.are_destroyed.get(&(object.name, name)) == Some(&true))
    }

    /// Returns the names of the destroyed objects to which the configuration of a guard's attribute refers; `None` if
    /// it refers to no object of these types.
    fn configured_names(
        &self,
        guard: &ResourceChange<'_>,
        reference: &Reference<'_>,
    ) -> Result<Option<HashSet<&'a str>>, json::Error> {
        let Some(index) = self.indices.get(&key(guard)) else {
            return Ok(None);
        };
        let no_attributes = HashSet::new();
        let mut names: Option<HashSet<&'a str>> = None;
        let attribute = reference.path.first_name();
        for (resource_type, sources) in self.causes.referenced(*index, attribute) {
            let mut types = reference.types.iter();
            if !reference.types.is_empty() && !types.any(|object| object.name == resource_type) {
                continue;
            }
            let names = names.get_or_insert_default();
            let attributes = self
                .name_attributes
                .get(&*resource_type)
                .unwrap_or(&no_attributes);
            for source in sources {
                let Some(change) = self.plan.resource_changes.get(source) else {
                    continue;
                };
                if let Some(before) = self.destroyed.get(&key(change)) {
                    let before = Raw::value_or_null(*before, self.arena)?;
                    names.extend(names_of(before, attributes));
                }
            }
        }
        Ok(names)
    }
}

/// Returns for each type and name of an object whether every object that has it is destroyed.
fn are_destroyed<'p, 'a: 'p>(
    changes: &[&'p ResourceChange<'a>],
    names: &HashMap<&str, HashSet<&str>>,
    arena: &'a Bump,
) -> Result<HashMap<(&'p str, &'p str), bool>, json::Error> {
    let mut destroyed = HashMap::new();
    for change in changes {
        let Some(names_of_type) = names.get(&*change.resource_type) else {
            continue;
        };
        for side in [change.change.before, change.change.after] {
            for name in names_of(Raw::value_or_null(side, arena)?, names_of_type) {
                let is_destroyed = change.change.actions == Action::Delete;
                *destroyed
                    .entry((&*change.resource_type, name))
                    .or_insert(true) &= is_destroyed;
            }
        }
    }
    Ok(destroyed)
}

/// Whether a guard protects only objects that are gone, as the values at `path` say. A list must name only objects that
/// are gone, a map at least one.
fn protects_only<'w>(
    path: &Pattern<'_>,
    guard: MarkedValue<'w>,
    documents: &Documents<'w>,
    is_gone: &dyn Fn(&str) -> bool,
) -> bool {
    let is_gone = |value: MarkedValue<'_>| value.as_str().is_some_and(is_gone);
    let (mut places, mut gone) = (0, 0);
    path.visit(guard, documents, &mut |matched| {
        places += 1;
        gone += usize::from(
            match (matched.value.as_array(), matched.value.as_object()) {
                (Some(items), _) => !items.is_empty() && items.iter().all(|item| is_gone(*item)),
                (None, Some(members)) => members.iter().any(|(_, member)| is_gone(*member)),
                (None, None) => is_gone(matched.value),
            },
        );
    });
    places > 0 && places == gone
}

/// Whether a created guard is as strong as a destroyed one. The known values must be the same, except for those that a
/// rule tests and finds no weaker. What a rule tests, what is switched on and what is listed must be known in the new
/// one: a guard whose strength is unknown is none.
fn is_as_strong<'a>(
    rules: &[Rule<'_>],
    before: MarkedValue<'a>,
    after: MarkedValue<'a>,
    documents: &Documents<'a>,
) -> bool {
    let differs = |(name, new): &&(&'a str, MarkedValue<'a>)| {
        !new.is_null()
            && !DESCRIPTIVE.contains(name)
            && !before
                .get(name)
                .is_some_and(|old| is_same(old, *new, documents))
    };
    let is_lost = |(name, old): &(&'a str, MarkedValue<'a>)| {
        let is_strength = rules.iter().any(|rule| rule.attribute() == Some(name))
            || matches!(old.content, Content::Bool(true))
            || old.as_array().is_some_and(|items| !items.is_empty())
            || old.as_object().is_some_and(|members| !members.is_empty());
        is_strength
            && !old.is_null()
            && !DESCRIPTIVE.contains(name)
            && after
                .get(name)
                .is_none_or(|new| new.is_null() || new.has_unknown())
    };
    if before.as_object().unwrap_or_default().iter().any(is_lost) {
        return false;
    }
    let others: Vec<_> = after
        .as_object()
        .unwrap_or_default()
        .iter()
        .filter(differs)
        .collect();
    let are_tested = others
        .iter()
        .all(|(name, _)| rules.iter().any(|rule| rule.attribute() == Some(name)));
    let (excused, credentials) = (&Excused::default(), &Credentials::default());
    let (outcome, resource_type) = (ObjectOutcome::Updated, "");
    let subject = Subject {
        outcome,
        resource_type,
        before,
        after,
        excused,
        documents,
        credentials,
        left: None,
        configuration: None,
    };
    let redactor = Redactor {
        texts: [""; 3],
        arena: documents.build.arena(),
        show_sensitive: false,
    };
    others.is_empty() || are_tested && super::find(&subject, rules, redactor).is_empty()
}

/// Whether two values are equal, as far as the new one is known. A value that is known only after apply is missing in
/// it.
fn is_same<'a>(old: MarkedValue<'a>, new: MarkedValue<'a>, documents: &Documents<'a>) -> bool {
    let document = |value: MarkedValue<'a>| Some(documents.read(value.as_str()?)?.1.hash_value());
    match (old.as_array(), new.as_array(), new.as_object()) {
        (Some(old), Some(new), _) => {
            old.len() == new.len()
                && old
                    .iter()
                    .zip(new)
                    .all(|(old, new)| is_same(*old, *new, documents))
        }
        (.., Some(new)) => new.iter().all(|(name, value)| {
            value.is_null()
                || old
                    .get(name)
                    .is_some_and(|old| is_same(old, *value, documents))
        }),
        _ => {
            old.hash_value() == new.hash_value()
                || document(old).is_some_and(|old| document(new) == Some(old))
        }
    }
}
