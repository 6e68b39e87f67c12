//! The rules for a plan, and its guards: objects that protect others, such as a public access block or a flow log.
//!
//! Destroying a guard is a finding, unless the object that it protects is destroyed too, or a guard as strong is created
//! at another address. Invariants: only a destroyed object of a type that the rule of the guard states excuses it, and
//! only if an attribute of the guard names that object, and nothing in the plan keeps an object of that type and name.
//! If the configuration of the attribute refers to objects of these types, it must be one of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::pattern::{Pattern, member_text};
use super::rule::{Applicable, Condition, Rule, Rules};
use super::{Credentials, Documents, Fate, Subject};
use crate::diff::Error;
use crate::diff::value::{Builder, Content, MarkedValue, Redactor};
use crate::json::{self, Raw, Value};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::report::SectionKind;
use crate::review::causes::Causes;
use crate::review::error::ReviewError;

/// The maximum number of created guards of the same object that are compared with a destroyed one.
const MAX_COMPARED: usize = 100;

/// Attributes that identify an object in references of other objects.
const IDENTIFIERS: [&str; 4] = ["id", "arn", "name", "self_link"];

/// Attributes that say nothing about how an object protects.
const DESCRIPTIVE: [&str; 6] =
    ["alarm_description", "alarm_name", "description", "labels", "tags", "tags_all"];

/// What the guards of a rule protect.
#[derive(Debug, Default)]
pub(super) struct Guards {
    /// The attributes that name the object, and its types, each with the attribute that names it, if that is none of
    /// [`IDENTIFIERS`].
    objects: Vec<(Pattern, Vec<(String, Option<String>)>)>,
    /// The attribute with a policy, if only one that denies something protects.
    denies: Option<String>,
}

impl Guards {
    pub(super) fn new(table: BTreeMap<String, Vec<String>>, denies: Option<String>) -> Result<Self, String> {
        let object_type = |text: String| match text.split_once('.') {
            Some((name, attribute)) => (name.to_owned(), Some(attribute.to_owned())),
            None => (text, None),
        };
        let guard = |(path, types): (String, Vec<String>)| {
            Ok((Pattern::parse(&path)?, types.into_iter().map(object_type).collect()))
        };
        Ok(Self { objects: table.into_iter().map(guard).collect::<Result<_, String>>()?, denies })
    }

    /// Whether an object is such a guard.
    pub(super) fn include<'w>(&self, object: MarkedValue<'w>, documents: &Documents<'w>) -> bool {
        let Some(attribute) = &self.denies else { return true };
        let policy = member_text(object, attribute).and_then(|text| documents.policy(text));
        policy.is_some_and(|policy| policy.statements.iter().any(|statement| !statement.is_allow()))
    }

    /// What a guard names its objects by.
    fn names_in<'w>(&self, guard: MarkedValue<'w>, documents: &Documents<'w>) -> Vec<u64> {
        let mut names = Vec::new();
        for (path, _) in &self.objects {
            path.visit(guard, documents, &mut |place| names.push(place.value.hash_value()));
        }
        names
    }
}

/// The rules about guards, with their indices.
fn guards<'r>(rules: &[&'r Rule]) -> impl Iterator<Item = (usize, &'r Guards)> {
    rules.iter().enumerate().filter_map(|(at, rule)| {
        if let Condition::Unprotected(guards) = &rule.condition { Some((at, guards)) } else { None }
    })
}

/// The rules, by index among those of a type, of which an object is a guard whose destruction is no finding.
pub(in crate::review) type Excused = HashSet<usize>;

/// The address and the deposed key of an object.
type Key = (String, String);

/// What must be known of a plan before the findings of its changes can be found.
pub(in crate::review) struct Finder<'r> {
    /// The rules that apply to its resource types.
    pub(in crate::review) rules: HashMap<String, Applicable<'r>>,
    /// The guards that are excused by what becomes of other objects: among the planned changes, the drift, and the planned
    /// and deferred ones.
    excused: [HashMap<Key, Excused>; 3],
    none: Excused,
}

impl<'r> Finder<'r> {
    pub(in crate::review) fn new<'a>(
        rules: &'r Rules,
        plan: &Plan<'a>,
        arena: &'a Bump,
    ) -> Result<Self, ReviewError> {
        let mut found: HashMap<String, Applicable<'r>> = HashMap::new();
        let planned: Vec<&ResourceChange<'a>> = plan.resource_changes.iter().collect();
        let drifted: Vec<&ResourceChange<'a>> = plan.resource_drift.iter().collect();
        let deferred = plan.deferred_changes.iter().map(|deferred| &deferred.resource_change);
        let at_last: Vec<&ResourceChange<'a>> = planned.iter().copied().chain(deferred).collect();
        let changes = at_last.iter().chain(&drifted).map(|change| &*change.resource_type);
        let deferred = plan.deferred_action_invocations.iter().map(|deferred| &deferred.action_invocation);
        let actions = plan.action_invocations.iter().chain(deferred).map(|action| &*action.action_type);
        for name in changes.chain(actions) {
            if !found.contains_key(name) {
                found.insert(name.to_owned(), rules.for_type(name)?);
            }
        }
        let excused = |list: &[_]| excused(&found, plan, list, arena).map_err(Error::from);
        let deferred = if plan.deferred_changes.is_empty() { HashMap::new() } else { excused(&at_last)? };
        let excused = [excused(&planned)?, excused(&drifted)?, deferred];
        Ok(Self { rules: found, excused, none: Excused::new() })
    }

    /// The rules of which the object of a change in a list is an excused guard.
    pub(in crate::review) fn excused(&self, list: SectionKind, change: &ResourceChange<'_>) -> &Excused {
        let [planned, drifted, at_last] = &self.excused;
        let excused = match list {
            SectionKind::Drift => drifted,
            SectionKind::Deferred => at_last,
            SectionKind::Resources
            | SectionKind::Invocations
            | SectionKind::DeferredInvocations
            | SectionKind::Outputs => planned,
        };
        if excused.is_empty() { &self.none } else { excused.get(&key(change)).unwrap_or(&self.none) }
    }
}

/// The destroyed guards of `list` that are excused.
fn excused<'a>(
    rules: &HashMap<String, Applicable<'_>>,
    plan: &Plan<'a>,
    list: &[&ResourceChange<'a>],
    arena: &'a Bump,
) -> Result<HashMap<Key, Excused>, json::Error> {
    let mut found = HashMap::new();
    let changes = || list.iter().copied().filter(|change| !matches!(&*change.mode, "data" | "ephemeral"));
    let applicable =
        |change: &ResourceChange<'_>| rules.get(&*change.resource_type).map_or(&[][..], |rules| rules);
    let is_destroyed = |change: &ResourceChange<'_>| change.change.actions == Action::Delete;
    let may_go = |change: &ResourceChange<'_>| {
        matches!(Fate::from_action(&change.change.actions), Some(Fate::Destroyed | Fate::Unknown))
            && guards(applicable(change)).next().is_some()
    };
    let destroyed: Vec<_> = changes().filter(|change| may_go(change)).collect();
    if destroyed.is_empty() {
        return Ok(found);
    }
    // The attributes that name the objects of each type.
    let mut names: HashMap<&str, HashSet<&str>> = HashMap::new();
    let types: HashSet<&str> = destroyed.iter().map(|change| &*change.resource_type).collect();
    for guard in types.iter().filter_map(|name| rules.get(*name)).flat_map(|rules| guards(rules)) {
        for (name, attribute) in guard.1.objects.iter().flat_map(|(_, types)| types) {
            names.entry(name).or_default().extend(attribute.as_deref());
        }
    }
    // Whether all objects of a type and name are destroyed.
    let mut are_destroyed: HashMap<(&str, &str), bool> = HashMap::new();
    for change in changes() {
        if let Some((resource_type, own)) = names.get_key_value(&*change.resource_type) {
            for side in [change.change.before, change.change.after] {
                for name in names_of(Raw::value_or_null(side, arena)?, own) {
                    *are_destroyed.entry((resource_type, name)).or_insert(true) &= is_destroyed(change);
                }
            }
        }
    }
    let build = Builder::new(arena, &*arena.alloc(RandomState::default()));
    let documents = &Documents::new(build);
    let read = |side| Ok::<_, json::Error>(build.plain(Raw::value_or_null(side, arena)?));
    // The guards that are created, by type and what they protect.
    let mut created: HashMap<(&str, Vec<u64>), Vec<MarkedValue<'a>>> = HashMap::new();
    for change in changes().filter(|change| change.change.actions == Action::Create) {
        if types.contains(&*change.resource_type) {
            let after = read(change.change.after)?;
            for (_, guards) in guards(applicable(change)) {
                let key = (&*change.resource_type, guards.names_in(after, documents));
                created.entry(key).or_default().push(after);
            }
        }
    }
    let causes = Causes::new(plan, arena);
    let places: HashMap<_, _> = (0..).zip(&plan.resource_changes).map(|(at, one)| (key(one), at)).collect();
    let gone = list.iter().copied().filter(|change| is_destroyed(change));
    let gone: HashMap<_, _> = gone.map(|change| (key(change), change)).collect();
    for change in destroyed {
        let (before, rules) = (read(change.change.before)?, applicable(change));
        let is_kept = |guards: &Guards| {
            let alike = created.get(&(&*change.resource_type, guards.names_in(before, documents)));
            let mut alike = alike.into_iter().flatten().take(MAX_COMPARED);
            alike.any(|after| is_as_strong(rules, before, *after, documents))
        };
        let is_kept = guards(rules).any(|(_, guards)| is_kept(guards));
        let mut excused = Excused::new();
        for (index, guards) in guards(rules) {
            let mut is_excused = is_kept;
            for (path, types) in &guards.objects {
                let is_type =
                    |found: &str| types.is_empty() || types.iter().any(|(wanted, _)| wanted == found);
                // What the configuration of the attribute refers to, if it is of these types.
                let mut referenced: Option<HashSet<&str>> = None;
                let references = places.get(&key(change)).map(|at| causes.referenced(*at, path.first_name()));
                for (resource_type, sources) in
                    references.into_iter().flatten().filter(|(found, _)| is_type(found))
                {
                    let own = names.get(&*resource_type).cloned().unwrap_or_default();
                    let referenced = referenced.get_or_insert_default();
                    for source in sources.into_iter().filter_map(|at| plan.resource_changes.get(at)) {
                        if let Some(source) = gone.get(&key(source)) {
                            referenced
                                .extend(names_of(Raw::value_or_null(source.change.before, arena)?, &own));
                        }
                    }
                }
                let is_gone = |value: MarkedValue<'_>| match (value.as_str(), &referenced) {
                    (None, _) => false,
                    (Some(name), Some(referenced)) => referenced.contains(name),
                    (Some(name), None) => {
                        types.iter().any(|(wanted, _)| are_destroyed.get(&(wanted, name)) == Some(&true))
                    }
                };
                let (mut places, mut excusing) = (0, 0);
                path.visit(before, documents, &mut |place| {
                    places += 1;
                    // A list must name destroyed objects only, a map at least one.
                    excusing += usize::from(match place.value.content {
                        Content::Array(items) => !items.is_empty() && items.iter().all(|item| is_gone(*item)),
                        Content::Object(members) => members.iter().any(|(_, member)| is_gone(*member)),
                        _ => is_gone(place.value),
                    });
                });
                is_excused |= places > 0 && places == excusing;
            }
            excused.extend(is_excused.then_some(index));
        }
        found.insert(key(change), excused);
    }
    Ok(found)
}

fn key(change: &ResourceChange<'_>) -> Key {
    (change.address.to_string(), change.deposed.to_string())
}

/// The names of an object.
fn names_of<'n>(object: Value<'n>, more: &HashSet<&str>) -> impl Iterator<Item = &'n str> {
    let attributes = IDENTIFIERS.into_iter().chain(more.iter().copied());
    let texts = attributes.filter_map(move |name| object.get(name)?.as_str());
    texts.filter(|text| !text.is_empty())
}

/// Whether a guard that is created is as strong as the one that is destroyed: its values, as far as they are known, are
/// the same, but for some that rules test and find no weaker.
fn is_as_strong<'a>(
    rules: &[&Rule],
    before: MarkedValue<'a>,
    after: MarkedValue<'a>,
    documents: &Documents<'a>,
) -> bool {
    let differs = |(name, new): &&(&'a str, MarkedValue<'a>)| {
        !new.is_null()
            && !DESCRIPTIVE.contains(name)
            && !before.get(name).is_some_and(|old| is_same(old, *new, documents))
    };
    let others: Vec<_> = after.as_object().unwrap_or_default().iter().filter(differs).collect();
    let are_tested = others.iter().all(|(name, _)| rules.iter().any(|rule| rule.attribute() == Some(name)));
    let (excused, credentials) = (&Excused::default(), &Credentials::default());
    let (fate, resource_type) = (Fate::Updated, "");
    let subject = Subject { fate, resource_type, before, after, excused, documents, credentials };
    let redactor = Redactor { texts: [""; 3], arena: documents.build.arena(), show_sensitive: false };
    others.is_empty() || are_tested && super::find(&subject, rules, redactor).is_empty()
}

/// Whether a value is another one, as far as it is known. What becomes known only after apply is missing in it.
fn is_same<'a>(old: MarkedValue<'a>, new: MarkedValue<'a>, documents: &Documents<'a>) -> bool {
    let document = |value: MarkedValue<'a>| Some(documents.read(value.as_str()?)?.1.hash_value());
    match (old.as_array(), new.as_array(), new.as_object()) {
        (Some(old), Some(new), _) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(*old, *new, documents))
        }
        (.., Some(new)) => new.iter().all(|(name, value)| {
            value.is_null() || old.get(name).is_some_and(|old| is_same(old, *value, documents))
        }),
        _ => {
            old.hash_value() == new.hash_value()
                || document(old).is_some_and(|old| document(new) == Some(old))
        }
    }
}
