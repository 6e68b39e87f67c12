//! Finds the guards of a plan whose destruction is no finding. Guards are objects that protect others, such as a public
//! access block or a flow log.
//!
//! Destroying a guard is a finding, unless the object that it protects is destroyed too, or a guard as strong is
//! created at another address. Then the guard is *excused*. Invariants: a destroyed object excuses a guard only if the
//! rule states its type, an attribute of the guard names it, and nothing in the plan keeps an object of that type and
//! name. If the configuration of the attribute refers to objects of these types, the destroyed object must be one of
//! them.
//!
//! ```text
//! - aws_s3_bucket_public_access_block.logs  bucket = "logs"       the bucket stays
//!
//! Finding { kind: Protection, text: "destroyed, while what it protects stays", … }
//! ```

use std::collections::{HashMap, HashSet};

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::excused::{Excused, ObjectKey, key};
use super::guards::{Guards, Reference, names_of};
use super::rule::{Rule, Trigger};
use super::table::Applicable;
use crate::diff::value::{Builder, MarkedValue, Redactor};
use crate::json::{self, Raw};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::review::causes::Causes;
use crate::review::credentials::Credentials;
use crate::review::documents::Documents;
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
    rules: &HashMap<String, Applicable<'_>>,
    plan: &Plan<'a>,
    list: &[&ResourceChange<'a>],
    arena: &'a Bump,
) -> Result<HashMap<ObjectKey, Excused>, json::Error> {
    let mut excused_rules = HashMap::new();
    let applicable = |change: &ResourceChange<'_>| {
        rules
            .get(&*change.resource_type)
            .map_or(&[][..], |rules| rules)
    };
    let may_go = |change: &ResourceChange<'_>| {
        let outcome = ObjectOutcome::from_action(&change.change.actions);
        matches!(
            outcome,
            Some(ObjectOutcome::Destroyed | ObjectOutcome::Unknown)
        ) && guards(applicable(change)).next().is_some()
    };
    let is_managed = |change: &ResourceChange<'_>| !matches!(&*change.mode, "data" | "ephemeral");
    let changes: Vec<_> = list
        .iter()
        .copied()
        .filter(|change| is_managed(change))
        .collect();
    let destroyed: Vec<_> = changes
        .iter()
        .copied()
        .filter(|change| may_go(change))
        .collect();
    if destroyed.is_empty() {
        return Ok(excused_rules);
    }
    let types: HashSet<&str> = destroyed
        .iter()
        .map(|change| &*change.resource_type)
        .collect();
    let mut names: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (_, guards) in types
        .iter()
        .filter_map(|name| rules.get(*name))
        .flat_map(|rules| guards(rules))
    {
        for object in guards.objects.iter().flat_map(|guarded| &guarded.types) {
            names
                .entry(object.name)
                .or_default()
                .extend(object.attribute);
        }
    }
    let are_destroyed = are_destroyed(&changes, &names, arena)?;
    let build = Builder::new(arena, &*arena.alloc(RandomState::default()));
    let documents = &Documents::new(build);
    let read = |side: Option<Raw<'a>>| build.parse(side.map(Raw::text));
    let mut created: HashMap<(&str, Vec<u64>), Vec<MarkedValue<'a>>> = HashMap::new();
    for change in changes
        .iter()
        .filter(|change| change.change.actions == Action::Create)
    {
        if types.contains(&*change.resource_type) {
            let after = read(change.change.after)?;
            for (_, guards) in guards(applicable(change)) {
                let key = (&*change.resource_type, guards.names_in(after, documents));
                created.entry(key).or_default().push(after);
            }
        }
    }
    let causes = Causes::new(plan, arena);
    let places: HashMap<_, _> = (0..)
        .zip(&plan.resource_changes)
        .map(|(index, one)| (key(one), index))
        .collect();
    let gone = list
        .iter()
        .filter(|change| change.change.actions == Action::Delete);
    let gone: HashMap<_, _> = gone
        .map(|change| (key(change), change.change.before))
        .collect();
    let referenced = |guard: &ResourceChange<'_>, Reference { path, types }: &Reference<'_>| {
        let mut referenced: Option<HashSet<&'a str>> = None;
        let index = places.get(&key(guard));
        for (resource_type, sources) in index.map_or(Vec::new(), |index| {
            causes.referenced(*index, path.first_name())
        }) {
            if types.is_empty() || types.iter().any(|object| object.name == resource_type) {
                let own = names.get(&*resource_type).cloned().unwrap_or_default();
                let referenced = referenced.get_or_insert_default();
                let sources = sources
                    .into_iter()
                    .filter_map(|index| plan.resource_changes.get(index));
                for before in sources.filter_map(|source| gone.get(&key(source))) {
                    referenced.extend(names_of(Raw::value_or_null(*before, arena)?, &own));
                }
            }
        }
        Ok::<_, json::Error>(referenced)
    };
    for change in destroyed {
        let (before, rules) = (read(change.change.before)?, applicable(change));
        let is_kept = guards(rules).any(|(_, guards)| {
            let alike = created.get(&(&*change.resource_type, guards.names_in(before, documents)));
            let mut alike = alike.into_iter().flatten().take(MAX_COMPARED);
            alike.any(|after| is_as_strong(rules, before, *after, documents))
        });
        let mut excused = Excused::new();
        for (index, guards) in guards(rules) {
            let mut is_excused = is_kept;
            for guarded in &guards.objects {
                let referenced = referenced(change, guarded)?;
                let is_gone = |name: &str| match &referenced {
                    Some(referenced) => referenced.contains(name),
                    None => guarded
                        .types
                        .iter()
                        .any(|object| are_destroyed.get(&(object.name, name)) == Some(&true)),
                };
                is_excused |= protects_only(&guarded.path, before, documents, &is_gone);
            }
            excused.extend(is_excused.then_some(index));
        }
        excused_rules.insert(key(change), excused);
    }
    Ok(excused_rules)
}

/// Returns for each type and name of an object whether every object that has it is destroyed. `names` has the types,
/// each with attributes that also name its objects.
fn are_destroyed<'p, 'a: 'p>(
    changes: &[&'p ResourceChange<'a>],
    names: &HashMap<&str, HashSet<&str>>,
    arena: &'a Bump,
) -> Result<HashMap<(&'p str, &'p str), bool>, json::Error> {
    let mut destroyed = HashMap::new();
    for change in changes {
        let Some(own) = names.get(&*change.resource_type) else {
            continue;
        };
        for side in [change.change.before, change.change.after] {
            for name in names_of(Raw::value_or_null(side, arena)?, own) {
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
/// rule tests and finds no weaker.
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
