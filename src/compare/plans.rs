//! Compares two plans, part by part on all processors.
//!
//! Parts belong together if their kinds, modes, types, addresses and deposed keys are equal; several with the
//! same key are paired by equal content, then in order. An object that is moved in only one of the plans is
//! also found by its previous address.

use std::borrow::Cow;

use bumpalo::Bump;
use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt as _};

use super::values::{ActionPair, of_identities, of_new_values, of_plans};
use super::{
    About, ActionWords, Against, Class, Comparison, Difference, DifferenceKind, Found, INVOKED,
    Options, Origin, Property, Subject, Task, compare_all, json_text, running, settings,
};
use crate::dialect::Tool;
use crate::diff::edits::{Comparer, PlanPart, Positions, Sides, parts, visible_paths};
use crate::diff::parallel::Storage;
use crate::diff::value::{Builder, MarkedValue};
use crate::diff::{Error, pairing};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::configuration::Variable;
use crate::model::plan::{ActionInvocation, Change, Plan, ResourceChange};
use crate::review::ChangeKind;
use crate::review::pairs::{Pair, Pairs};
use crate::schema::{Position, Schemas};

#[derive(Clone, Copy, Debug)]
pub struct Side<'p, 'a> {
    pub name: &'p str,
    pub text: &'a str,
    pub plan: &'p Plan<'a>,
    pub schemas: &'p Schemas<'a>,
}

impl Side<'_, '_> {
    pub(super) fn origin(&self) -> Origin {
        Origin {
            name: self.name.to_owned(),
            tool: Tool::from_plan(self.plan),
            tool_version: self.plan.terraform_version.to_string(),
            timestamp: self.plan.timestamp.to_string(),
        }
    }
}

/// Compares the current plan with the approved one. The result borrows from `arena` and `storage`.
///
/// # Errors
/// If a value or a schema is malformed.
pub fn compare<'a>(
    approved: Side<'_, 'a>,
    now: Side<'_, 'a>,
    options: &Options,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> Result<Comparison<'a>, Error> {
    let mut comparison = Comparison::new(approved.origin(), now.origin(), Against::Plan, options);
    let variables = [
        approved.plan.input_variables()?,
        now.plan.input_variables()?,
    ];
    let settings = settings([approved.text, now.text], options.show_sensitive);
    let redactor = settings.redactor(arena);
    let [old, new] = [items(approved.plan), items(now.plan)];
    let positions_of = [approved, now].map(|side| Positions::new(side.schemas, arena));
    let pairs: Vec<Pair<usize>> = pair(&old, &new).all().collect();
    let renamed = renamed(&pairs, &old, &new);
    let mut tasks: Vec<Task<'_, 'a, Found<'a>>> = Vec::new();
    for found in pairs {
        let task = match found {
            Pair::Both(at, now) if old[at].part == new[now].part => {
                comparison.same += usize::from(is_counted(old[at].about.0));
                continue;
            }
            Pair::Both(at, now) => {
                let (old, new) = (old[at], new[now]);
                let size = old.part.change().size() + new.part.change().size();
                // Looked up only now: most objects are the same in both plans.
                let positions = [
                    old.part.position(&positions_of[0])?,
                    new.part.position(&positions_of[1])?,
                ];
                let identity = match new.part.object() {
                    Some(object) => positions_of[1].identity_names(object)?,
                    None => Vec::new(),
                };
                Task::new(new.about, size, move |comparer| {
                    old.differences(new, positions, &identity, comparer)
                })
            }
            Pair::Before(at) => {
                let what = DifferenceKind::OnlyApproved {
                    words: old[at].words(),
                };
                Task::new(old[at].about, 0, move |_| {
                    Ok(vec![(Class::Less, what.clone())])
                })
            }
            Pair::After(at) => {
                let renamed_from = renamed.get(&at).map(|address| redactor.text(address));
                let what = DifferenceKind::OnlyNow {
                    words: new[at].words(),
                    renamed_from,
                };
                let class = new[at].class();
                Task::new(new[at].about, 0, move |_| Ok(vec![(class, what.clone())]))
            }
        };
        tasks.push(task);
    }
    tasks.extend(variable_tasks(&variables));
    tasks.sort_by_key(|task| task.about.0);
    for (about, found) in compare_all(&tasks, settings, arena, storage)? {
        comparison.same += usize::from(found.is_empty() && is_counted(about.0));
        // An object that drifted in another way since the approval changed in the world.
        let is_drift = about.0 == Subject::Drift;
        for (class, what) in found {
            comparison.push(if is_drift { Class::World } else { class }, about, what);
        }
    }
    comparison
        .differences
        .extend(flags(approved.plan, now.plan));
    if now.plan.errored {
        comparison.push_failed_planning();
    }
    comparison
        .differences
        .extend(running::differences(&approved, &now, arena)?);
    Ok(comparison.finish(&options.ignored))
}

fn is_counted(subject: Subject) -> bool {
    matches!(
        subject,
        Subject::Resource | Subject::Invocation | Subject::Output
    )
}

fn flags<'a>(approved: &Plan<'_>, now: &Plan<'_>) -> impl Iterator<Item = Difference<'a>> {
    let flags = [
        (Property::Errored, Some(approved.errored), Some(now.errored)),
        // A plan that does not say that it is incomplete counts as complete.
        (
            Property::Complete,
            approved.complete.or(Some(true)),
            now.complete.or(Some(true)),
        ),
        // Whether an approved plan of a tool that does not write this could be applied is not known.
        (
            Property::Applyable,
            approved.applyable.or(now.applyable),
            now.applyable.or(approved.applyable),
        ),
    ];
    flags.into_iter().filter_map(|(property, old, new)| {
        let (old, new) = (old?, new?);
        // A plan that cannot be applied does less than any other one.
        let class = if property == Property::Applyable && !new {
            Class::Less
        } else {
            Class::Value
        };
        let what = property.differs(&old.to_string(), &new.to_string())?;
        Some(Difference {
            class,
            subject: Subject::Plan,
            address: "",
            deposed: "",
            what,
        })
    })
}

#[derive(Clone, Copy)]
struct Item<'p, 'a> {
    part: PlanPart<'p, 'a>,
    about: About<'p>,
    mode: &'p str,
    resource_type: &'p str,
    provider: &'p str,
    previous: &'p str,
    reason: &'p str,
    deferred: &'p str,
    action: Option<&'p ActionInvocation<'a>>,
}

/// What parts of two plans have in common if they belong together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key<'p> {
    subject: Subject,
    mode: &'p str,
    resource_type: &'p str,
    /// The address, or the name of an output or action.
    name: Cow<'p, str>,
    deposed: &'p str,
}

fn items<'p, 'a>(plan: &'p Plan<'a>) -> Vec<Item<'p, 'a>> {
    let item = |part: PlanPart<'p, 'a>| {
        let item = |about, provider, deferred| {
            let (mode, resource_type, previous, reason, action) = ("", "", "", "", None);
            let provider = provider_path(provider);
            Item {
                part,
                about,
                mode,
                resource_type,
                provider,
                previous,
                reason,
                deferred,
                action,
            }
        };
        let object = |subject, object: &'p ResourceChange<'a>, deferred: &'p str| Item {
            mode: &object.mode,
            resource_type: &object.resource_type,
            previous: if object.is_moved() {
                &object.previous_address
            } else {
                ""
            },
            reason: &object.action_reason,
            ..item(
                (subject, &*object.address, &*object.deposed),
                &object.provider_name,
                deferred,
            )
        };
        let invocation = |subject, action: &'p ActionInvocation<'a>, deferred: &'p str| Item {
            action: Some(action),
            ..item(
                (subject, &*action.address, ""),
                &action.provider_name,
                deferred,
            )
        };
        match part {
            PlanPart::Planned(change) => object(Subject::Resource, change, ""),
            PlanPart::Drift(change) => object(Subject::Drift, change, ""),
            PlanPart::Deferred(of) => object(Subject::Deferred, &of.resource_change, &of.reason),
            PlanPart::Output(name, _) => item((Subject::Output, name, ""), "", ""),
            PlanPart::Invocation(action) => invocation(Subject::Invocation, action, ""),
            PlanPart::DeferredInvocation(of) => invocation(
                Subject::DeferredInvocation,
                &of.action_invocation,
                &of.reason,
            ),
        }
    };
    parts(plan).map(item).collect()
}

impl<'p, 'a> Item<'p, 'a> {
    fn key(self) -> Key<'p> {
        self.key_at(
            self.action
                .map_or(self.about.1.into(), |action| invocation_key(action).into()),
        )
    }

    fn key_at(self, name: Cow<'p, str>) -> Key<'p> {
        let (subject, _, deposed) = self.about;
        Key {
            subject,
            mode: self.mode,
            resource_type: self.resource_type,
            name,
            deposed,
        }
    }

    fn previous_key(self) -> Option<Key<'p>> {
        (!self.previous.is_empty()).then(|| self.key_at(self.previous.into()))
    }

    fn is_destroyed(self) -> bool {
        self.part.change().actions == Action::Delete
    }

    /// Malformed values count as null here and cause an error when they are compared.
    fn values<'v>(self, build: Builder<'_, 'v>) -> [MarkedValue<'v>; 2]
    where
        'a: 'v,
    {
        Sides::read(&self.part.change(), Position::Unspecified, build)
            .map_or([build.null(); 2], |sides| [sides.before, sides.after])
    }

    fn kind(self) -> ChangeKind {
        let change = self.part.change();
        ChangeKind::from_action(
            &change.actions,
            change.importing.is_some(),
            !self.previous.is_empty(),
        )
    }

    fn words(self) -> ActionWords {
        match self.action {
            Some(_) => ActionWords::new("invoke", INVOKED),
            None => ActionWords::new(self.part.change().actions.words(), self.kind().phrase()),
        }
    }

    fn class(self) -> Class {
        match self.about.0 {
            // Nothing is done in this plan.
            Subject::Deferred | Subject::DeferredInvocation => Class::Less,
            Subject::Output => Class::Value,
            Subject::Invocation => Class::Action,
            Subject::Resource
            | Subject::Drift
            | Subject::Variable
            | Subject::ProviderConfiguration
            | Subject::Plan
            | Subject::Run => Class::of_object(self.mode, &self.part.change().actions, self.kind()),
        }
    }

    fn differences<'w>(
        self,
        new: Self,
        positions: [Position<'a>; 2],
        identity: &[&str],
        comparer: &mut Comparer<'w, 'a>,
    ) -> Result<Found<'a>, Error> {
        let (was, is) = (self.part.change(), new.part.change());
        let build = comparer.build;
        let sides = [
            Sides::read(&was, positions[0], build)?,
            Sides::read(&is, positions[1], build)?,
        ];
        let is_output = self.about.0 == Subject::Output;
        let mut found = Found::new();
        let mut add = |class, property: Property, approved: &str, now: &str| {
            found.extend(property.differs(approved, now).map(|what| (class, what)));
        };
        let class = Class::of_actions(&was.actions, &is.actions).filter(|_| !is_output);
        let class = class.unwrap_or(Class::Value);
        add(
            class,
            Property::Actions,
            was.actions.words(),
            is.actions.words(),
        );
        // An approved move that has already been done is less.
        let class = if new.previous.is_empty() {
            Class::Less
        } else {
            Class::Action
        };
        add(
            class,
            Property::PreviousAddress,
            self.previous,
            new.previous,
        );
        let class = match (&was.importing, &is.importing) {
            (Some(_), None) => Class::Less,
            (Some(old), Some(new)) if old.unknown && !new.unknown => Class::Known,
            (Some(old), Some(new)) if !old.unknown && new.unknown => Class::Unknown,
            (None | Some(_), _) => Class::Action,
        };
        add(
            class,
            Property::Importing,
            &import_text(&was)?,
            &import_text(&is)?,
        );
        add(
            Class::Action,
            Property::Provider,
            self.provider,
            new.provider,
        );
        let (gone, added) = replace_paths([&was, &is], &sides, build.arena())?;
        let class = if added.is_empty() {
            Class::Less
        } else {
            Class::Value
        };
        add(class, Property::ReplacePaths, &gone, &added);
        add(Class::Text, Property::Reason, self.reason, new.reason);
        add(
            Class::Text,
            Property::DeferredReason,
            self.deferred,
            new.deferred,
        );
        let on_failure = |item: Self| item.action.map_or("", ActionInvocation::on_failure);
        add(
            Class::Action,
            Property::OnFailure,
            on_failure(self),
            on_failure(new),
        );
        if *was.generated_config != *is.generated_config {
            // Its text may contain anything, without marks for sensitive parts.
            let property = Property::GeneratedConfig;
            found.push((
                Class::Text,
                DifferenceKind::Property {
                    property,
                    approved: None,
                    now: None,
                },
            ));
        }
        if self.action.is_some() {
            found.extend(of_new_values(
                comparer,
                sides.map(|sides| sides.after),
                positions[1],
            ));
            return Ok(found);
        }
        let mut actions = ActionPair::new(&was.actions, &is.actions, identity);
        if is_output {
            actions.stays = !actions.has_other_actions;
            actions.makes_whole_object = false;
        }
        found.extend(of_plans(comparer, sides, actions));
        let class = actions.class_of_identity;
        found.extend(of_identities(comparer, [&was, &is], sides, class)?);
        Ok(found)
    }
}

fn import_text(change: &Change<'_>) -> Result<String, Error> {
    let Some(importing) = &change.importing else {
        return Ok(String::new());
    };
    let arena = Bump::new();
    let identity = match importing.identity {
        Some(identity) => json_text(identity.value(&arena)?),
        None => String::new(),
    };
    Ok(match (&*importing.id, &*identity) {
        _ if importing.unknown => "(known after apply)".to_owned(),
        ("", "") => "(no ID)".to_owned(),
        (one, "") | ("", one) => one.to_owned(),
        (id, identity) => format!("{id} {identity}"),
    })
}

/// What one plan hides is hidden in the other.
fn replace_paths<'w>(
    changes: [&Change<'w>; 2],
    sides: &[Sides<'w>; 2],
    arena: &'w Bump,
) -> Result<(String, String), Error> {
    let [mut old, mut new] = [Vec::new(), Vec::new()];
    for (change, paths) in changes.into_iter().zip([&mut old, &mut new]) {
        let value = visible_paths(
            Raw::value_or_null(change.replace_paths, arena)?,
            sides,
            arena,
        );
        paths.extend(
            value
                .as_array()
                .unwrap_or_default()
                .iter()
                .map(|path| json_text(*path)),
        );
        paths.sort_unstable();
        paths.dedup();
    }
    let only = |paths: &[String], others: &[String]| {
        let only = paths
            .iter()
            .filter(|path| others.binary_search(path).is_err());
        only.map(String::as_str).collect::<Vec<_>>().join(", ")
    };
    Ok((only(&old, &new), only(&new, &old)))
}

/// The variables are sorted by name.
fn variable_tasks<'t, 'a>([old, new]: &'t [Vec<Variable<'a>>; 2]) -> Vec<Task<'t, 'a, Found<'a>>> {
    let mut pairs = Pairs::new(old.len(), new.len());
    pairs.join(|at| Some(&old[at].name), |at| Some(&new[at].name));
    let task = |pair: Pair<usize>| {
        let both = match pair {
            Pair::Both(was, is) => [old.get(was), new.get(is)],
            Pair::Before(was) => [old.get(was), None],
            Pair::After(is) => [None, new.get(is)],
        };
        let raws = both.map(|variable| variable.and_then(|variable| variable.value));
        let name = &*both.iter().flatten().next()?.name;
        // A variable that is sensitive in one plan is treated as sensitive in both.
        let mark = Value::Bool(
            both.iter()
                .flatten()
                .any(|variable| variable.is_sensitive()),
        );
        let size = raws.iter().flatten().map(|raw| raw.text().len()).sum();
        let is_same = both.iter().all(Option::is_some) && raws[0] == raws[1];
        let task = Task::new((Subject::Variable, name, ""), size, move |comparer| {
            let value = |raw: Option<Raw<'a>>| {
                comparer
                    .build
                    .build(raw.map(Raw::text), Value::Null, mark, Position::Unspecified)
            };
            let values = [value(raws[0])?, value(raws[1])?];
            Ok(of_new_values(comparer, values, Position::Unspecified))
        });
        (!is_same).then_some(task)
    };
    pairs.all().filter_map(task).collect()
}

fn pair<'p, 'a>(approved: &[Item<'p, 'a>], now: &[Item<'p, 'a>]) -> Pairs {
    let mut numbers: HashMap<Key<'_>, [usize; 2]> = HashMap::new();
    approved
        .iter()
        .for_each(|item| numbers.entry(item.key()).or_default()[0] += 1);
    now.iter()
        .for_each(|item| numbers.entry(item.key()).or_default()[1] += 1);
    numbers.retain(|_, [old, new]| *old.min(new) > 0 && *old.max(new) > 1);
    let arena = Bump::new();
    let hasher = RandomState::default();
    let mut pairs = Pairs::new(approved.len(), now.len());
    // Of several with the same key, those with equal content belong together.
    let content = |item: Item<'p, 'a>| {
        let key = item.key();
        numbers.get(&key)?;
        let hashes = item
            .values(Builder::new(&arena, &hasher))
            .map(MarkedValue::hash_value);
        Some((key, item.part.change().actions.words().to_owned(), hashes))
    };
    pairs.join(|at| content(approved[at]), |at| content(now[at]));
    pairs.join(|at| Some(approved[at].key()), |at| Some(now[at].key()));
    // Objects that are moved in only one of the plans. An object that moves to another address than the approved one
    // is acted on in another way, so two moves from one address are no pair.
    pairs.join(|at| Some(approved[at].key()), |at| now[at].previous_key());
    pairs.join(
        |at| approved[at].previous_key(),
        |at| {
            Some(now[at])
                .filter(|item| item.previous.is_empty())
                .map(Item::key)
        },
    );
    pairs
}

/// The maximum number of objects of one type that are compared to find what may be renamed.
const MAX_COUNT: usize = 1_000;

/// A resource that is renamed without a `moved` block is destroyed and created: this is only a hint for the
/// reader.
fn renamed<'p>(
    pairs: &[Pair<usize>],
    old: &[Item<'p, '_>],
    new: &[Item<'p, '_>],
) -> HashMap<usize, &'p str> {
    let mut types: HashMap<&str, (Vec<Item<'p, '_>>, Vec<usize>)> = HashMap::new();
    for pair in pairs {
        // Objects that only the new plan destroys are gone, too.
        let (gone, made) = match *pair {
            Pair::Before(at) => (Some(old[at]), None),
            Pair::Both(was, is) => (
                (new[is].is_destroyed() && !old[was].is_destroyed()).then_some(old[was]),
                None,
            ),
            Pair::After(at) if new[at].is_destroyed() => (Some(new[at]), None),
            Pair::After(at) => (None, Some(at)),
        };
        let Some(item) = gone.or(made.map(|at| new[at])) else {
            continue;
        };
        if item.about.0 == Subject::Resource {
            let of_type = types.entry(item.resource_type).or_default();
            of_type.0.extend(gone);
            of_type.1.extend(made);
        }
    }
    let mut found = HashMap::new();
    for (gone, made) in types.into_values() {
        if gone.is_empty() || gone.len() > MAX_COUNT || made.len() > MAX_COUNT {
            continue;
        }
        let (arena, hasher) = (Bump::new(), RandomState::default());
        let build = Builder::new(&arena, &hasher);
        // An object that is destroyed has only the value before.
        let old_value = |item: &Item<'p, '_>| {
            let [before, after] = item.values(build);
            if after.is_null() { before } else { after }
        };
        let old_values: Vec<MarkedValue<'_>> = gone.iter().map(old_value).collect();
        let new_values: Vec<MarkedValue<'_>> =
            made.iter().map(|at| new[*at].values(build)[1]).collect();
        for pair in pairing::pair(&old_values, &new_values, pairing::Order::Ignored).pairs {
            if let (Some(before), Some(after)) = (pair.before, pair.after)
                && pairing::is_similar(old_values[before], new_values[after])
            {
                found.insert(made[after], gone[before].about.1);
            }
        }
    }
    found
}

/// The host of either tool's public registry is left out.
pub(super) fn provider_path(provider_name: &str) -> &str {
    ["registry.terraform.io/", "registry.opentofu.org/"]
        .into_iter()
        .find_map(|host| provider_name.strip_prefix(host))
        .unwrap_or(provider_name)
}

pub(super) fn invocation_key(action: &ActionInvocation<'_>) -> String {
    let trigger = match (
        &action.lifecycle_action_trigger,
        &action.invoke_action_trigger,
    ) {
        (Some(trigger), _) => format!(
            "{:?} {:?} {} {}",
            trigger.triggering_resource_address,
            trigger.action_trigger_event,
            trigger.action_trigger_block_index,
            trigger.actions_list_index
        ),
        (None, Some(trigger)) => format!("{:?}", trigger.calling_resource_address),
        (None, None) => String::new(),
    };
    format!("{:?} {trigger}", action.address)
}
