//! Guards: objects that protect others, such as a public access block or a flow log.
//!
//! Destroying a guard is a finding, unless the object that it protects is destroyed too, or a guard as strong is created
//! at another address. Invariants: only a destroyed object of a type that the rule of the guard states excuses it, and
//! only if an attribute of the guard names that object, and nothing in the plan keeps an object of that type and name.
//! If the configuration of the attribute refers to objects of these types, it must be one of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::rule::Rule;
use super::side::{Pattern, Root, member_text};
use super::{Applicable, Credentials, Documents, Fate, Subject};
use crate::access::{Policies, known};
use crate::diff::value::{Builder, Content, MarkedValue, Redactor};
use crate::json::{self, Raw, Value};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::review::causes::Causes;

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
    /// The attributes that name the object, and its types.
    objects: Vec<(Pattern, Vec<ObjectType>)>,
    /// The attribute with a policy, if only one that denies something protects.
    denies: Option<String>,
}

/// A type of protected objects, and the attribute that names them, if it is none of [`IDENTIFIERS`].
#[derive(Debug)]
struct ObjectType {
    name: String,
    attribute: Option<String>,
}

impl Guards {
    pub(super) fn new(table: BTreeMap<String, Vec<String>>, denies: Option<String>) -> Result<Self, String> {
        let object_type = |text: String| {
            let (name, attribute) =
                text.split_once('.').map_or((&*text, None), |(name, own)| (name, Some(own)));
            ObjectType { name: name.to_owned(), attribute: attribute.map(str::to_owned) }
        };
        let guard = |(path, types): (String, Vec<String>)| {
            Ok((Pattern::parse(&path)?, types.into_iter().map(object_type).collect()))
        };
        Ok(Self { objects: table.into_iter().map(guard).collect::<Result<_, String>>()?, denies })
    }

    /// Whether an object is such a guard.
    pub(super) fn include<'w>(&self, object: MarkedValue<'w>, policies: &Policies<'w>) -> bool {
        let Some(attribute) = &self.denies else { return true };
        let policy = member_text(object, attribute).and_then(|text| policies.read(text));
        policy.is_some_and(|policy| policy.statements.iter().any(|statement| !statement.is_allow()))
    }

    /// What a guard names its objects by.
    fn names_in(&self, guard: MarkedValue<'_>) -> Vec<u64> {
        let mut names = Vec::new();
        for (path, _) in &self.objects {
            path.visit(Root { value: guard, documents: None }, &mut |place| {
                names.push(place.value.hash_value());
            });
        }
        names
    }
}

/// The objects of a plan that guards may protect, by what names them.
#[derive(Debug, Default)]
pub(in crate::review) struct Objects {
    /// By type and name, whether all such objects are destroyed.
    are_destroyed: HashMap<String, HashMap<String, bool>>,
    /// The objects to which the configuration of destroyed guards refers, by the address and deposed key of the
    /// guard.
    references: HashMap<Key, References>,
    /// The destroyed guards that are created again at another address.
    kept: HashSet<Key>,
}

/// The objects to which the attributes of a guard refer, by the name of the attribute.
type References = HashMap<String, Referenced>;

#[derive(Debug, Default)]
struct Referenced {
    types: HashSet<String>,
    /// The names of destroyed objects, with their type.
    destroyed: Vec<(String, HashSet<String>)>,
}

/// The objects that one guard may protect.
#[derive(Clone, Copy, Debug)]
pub(in crate::review) struct Guarded<'o> {
    objects: &'o Objects,
    references: Option<&'o References>,
    is_kept: bool,
}

impl Objects {
    /// The objects that the destroyed guards of `list` may protect.
    pub(super) fn new<'a>(
        rules: &HashMap<String, Applicable<'_>>,
        plan: &Plan<'a>,
        list: &[&ResourceChange<'a>],
        arena: &'a Bump,
    ) -> Result<Self, json::Error> {
        let mut found = Self::default();
        let changes = || list.iter().copied().filter(|change| is_managed(change));
        let guards = |change: &ResourceChange<'_>| {
            rules.get(&*change.resource_type).into_iter().flat_map(|rules| super::rule::guards(rules))
        };
        let is_guard = |change: &ResourceChange<'_>| guards(change).next().is_some();
        let destroyed: Vec<_> =
            changes().filter(|change| change.change.actions == Action::Delete && is_guard(change)).collect();
        // The attributes that name the objects of each type.
        let mut names: HashMap<&str, HashSet<&str>> = HashMap::new();
        let mut seen = HashSet::new();
        for change in &destroyed {
            if seen.insert(&*change.resource_type) {
                let types = guards(change).flat_map(|guards| &guards.objects);
                for object_type in types.flat_map(|(_, types)| types) {
                    let names = names.entry(&object_type.name).or_default();
                    names.extend(object_type.attribute.as_deref());
                }
            }
        }
        for change in changes() {
            if let Some(own) = names.get(&*change.resource_type) {
                let is_destroyed = change.change.actions == Action::Delete;
                let by_name = found.are_destroyed.entry(change.resource_type.to_string()).or_default();
                for side in [change.change.before, change.change.after] {
                    for name in names_of(Raw::value_or_null(side, arena)?, own) {
                        *by_name.entry(name).or_insert(true) &= is_destroyed;
                    }
                }
            }
        }
        if destroyed.is_empty() {
            return Ok(found);
        }
        let build = Builder::new(arena, &*arena.alloc(RandomState::default()));
        let read = |side: Option<Raw<'a>>| build.parse(side.map(Raw::text));
        // By type and what they protect.
        let mut created: HashMap<(&str, Vec<u64>), Vec<MarkedValue<'a>>> = HashMap::new();
        for change in changes().filter(|change| change.change.actions == Action::Create) {
            if seen.contains(&*change.resource_type) {
                let after = read(change.change.after)?;
                for guards in guards(change) {
                    let key = (&*change.resource_type, guards.names_in(after));
                    created.entry(key).or_default().push(after);
                }
            }
        }
        for change in &destroyed {
            let before = read(change.change.before)?;
            let applicable = rules.get(&*change.resource_type).map_or(&[][..], |rules| rules);
            let is_kept = |guards: &Guards| {
                let alike = created.get(&(&*change.resource_type, guards.names_in(before)));
                let mut alike = alike.into_iter().flatten().take(MAX_COMPARED);
                alike.any(|after| is_as_strong(applicable, before, *after, build))
            };
            if guards(change).any(is_kept) {
                found.kept.insert(key(change));
            }
        }
        let causes = Causes::new(plan, arena);
        let places: HashMap<_, _> =
            (0..).zip(&plan.resource_changes).map(|(at, one)| (key(one), at)).collect();
        let gone = list.iter().copied().filter(|change| change.change.actions == Action::Delete);
        let gone: HashMap<_, _> = gone.map(|change| (key(change), change)).collect();
        for change in destroyed {
            let Some(at) = places.get(&key(change)) else { continue };
            let mut references = References::new();
            let types = guards(change).flat_map(|guards| &guards.objects);
            let roots: HashSet<&str> = types.map(|(path, _)| path.first_name()).collect();
            for root in roots {
                let mut referenced = Referenced::default();
                for (resource_type, sources) in causes.referenced(*at, root) {
                    let none = HashSet::new();
                    let own = names.get(&*resource_type).unwrap_or(&none);
                    for source in sources.into_iter().filter_map(|at| plan.resource_changes.get(at)) {
                        if let Some(source) = gone.get(&key(source)) {
                            let before = Raw::value_or_null(source.change.before, arena)?;
                            let names = names_of(before, own).collect();
                            referenced.destroyed.push((resource_type.clone(), names));
                        }
                    }
                    referenced.types.insert(resource_type);
                }
                references.insert(root.to_owned(), referenced);
            }
            found.references.insert(key(change), references);
        }
        Ok(found)
    }

    /// The objects that the object of a change may protect.
    pub(super) fn of(&self, change: &ResourceChange<'_>) -> Guarded<'_> {
        self.of_key(&if self.references.is_empty() && self.kept.is_empty() {
            Key::default()
        } else {
            key(change)
        })
    }

    pub(super) fn of_key(&self, key: &Key) -> Guarded<'_> {
        Guarded { objects: self, references: self.references.get(key), is_kept: self.kept.contains(key) }
    }
}

/// The address and the deposed key of an object.
type Key = (String, String);

/// Whether a guard that is created is as strong as the one that is destroyed: its values, as far as they are known, are
/// the same, but for some that rules test and find no weaker.
fn is_as_strong<'a>(
    rules: &[&Rule],
    before: MarkedValue<'a>,
    after: MarkedValue<'a>,
    build: Builder<'a, 'a>,
) -> bool {
    let documents = &Documents::new(build);
    let differs = |(name, new): &&(&'a str, MarkedValue<'a>)| {
        !new.is_null()
            && !DESCRIPTIVE.contains(name)
            && !before.get(name).is_some_and(|old| is_same(old, *new, documents))
    };
    let others: Vec<_> = after.as_object().unwrap_or_default().iter().filter(differs).collect();
    let are_tested = others.iter().all(|(name, _)| rules.iter().any(|rule| rule.attribute() == Some(name)));
    let (none, arena) = (Objects::default(), build.arena());
    let (guarded, credentials) = (none.of_key(&Key::default()), &Credentials::default());
    let (fate, resource_type) = (Fate::Updated, "");
    let policies = &Policies::new(arena);
    let subject = Subject { fate, resource_type, before, after, guarded, documents, credentials, policies };
    let redactor = Redactor { texts: [""; 3], arena, show_sensitive: false };
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

fn is_managed(change: &ResourceChange<'_>) -> bool {
    !matches!(&*change.mode, "data" | "ephemeral")
}

fn key(change: &ResourceChange<'_>) -> Key {
    (change.address.to_string(), change.deposed.to_string())
}

/// The names of an object.
fn names_of<'n>(object: Value<'n>, more: &HashSet<&'n str>) -> impl Iterator<Item = String> {
    let attributes = IDENTIFIERS.into_iter().chain(more.iter().copied());
    let texts = attributes.filter_map(move |name| object.get(name)?.as_str());
    texts.filter(|text| !text.is_empty()).map(str::to_owned)
}

impl Guarded<'_> {
    /// Whether the object that a guard protects is destroyed, or the guard is created again.
    pub(super) fn are_excused(self, guards: &Guards, guard: MarkedValue<'_>) -> bool {
        self.is_kept
            || guards.objects.iter().any(|(path, types)| {
                let (mut places, mut destroyed) = (0, 0);
                path.visit(Root { value: guard, documents: None }, &mut |place| {
                    places += 1;
                    destroyed += usize::from(self.names_destroyed(path, types, place.value));
                });
                places > 0 && places == destroyed
            })
    }

    /// Whether a value names destroyed objects only or, if it is a map, at least one.
    fn names_destroyed(self, path: &Pattern, types: &[ObjectType], value: MarkedValue<'_>) -> bool {
        let is_destroyed = |value: MarkedValue<'_>| match known(Some(value)) {
            Some(Content::String(name)) => self.has_destroyed(path, types, name),
            Some(_) | None => false,
        };
        match known(Some(value)) {
            Some(Content::Array(items)) => !items.is_empty() && items.iter().all(|item| is_destroyed(*item)),
            Some(Content::Object(members)) => members.iter().any(|(_, member)| is_destroyed(*member)),
            Some(_) | None => is_destroyed(value),
        }
    }

    fn has_destroyed(self, path: &Pattern, types: &[ObjectType], name: &str) -> bool {
        let is_type = |found: &str| types.is_empty() || types.iter().any(|wanted| wanted.name == found);
        let referenced = self.references.and_then(|references| references.get(path.first_name()));
        match referenced.filter(|referenced| referenced.types.iter().any(|found| is_type(found))) {
            Some(referenced) => {
                referenced.destroyed.iter().any(|(found, names)| is_type(found) && names.contains(name))
            }
            None => types.iter().any(|object_type| {
                let by_name = self.objects.are_destroyed.get(&object_type.name);
                by_name.is_some_and(|by_name| by_name.get(name) == Some(&true))
            }),
        }
    }
}
