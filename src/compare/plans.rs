//! Two plans compared, by all processors.

use bumpalo::Bump;
use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::change::{self, Manner};
use super::fingerprint::provider_path;
use super::pairs::{self, Item, Pair};
use super::variables::{self, Variable};
use super::{
    Class, Comparison, Difference, Options, Origin, Property, Subject, What, actions, json_text, renamed,
};
use crate::dialect::Tool;
use crate::diff::parallel::{self, Storage};
use crate::diff::value::{Keeper, MarkedValue};
use crate::diff::{Error, Paths};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Change, DeferredChange, Importing, Plan, ResourceChange};
use crate::review::Kind;
use crate::review::compare::{Comparer, Place};
use crate::review::plan::Positions;
use crate::schema::{Position, Schemas};

/// Decoded documents in the strings of both plans may take so many bytes, and four times their size.
const DECODED: usize = 32 << 20;

/// One of the two plans.
#[derive(Clone, Copy, Debug)]
pub struct Side<'p, 'a> {
    /// What it is called: its file.
    pub name: &'p str,
    /// The document that it was read from.
    pub text: &'a str,
    /// The plan.
    pub plan: &'p Plan<'a>,
    /// The schemas for it.
    pub schemas: &'p Schemas<'a>,
}

/// Compares the plan that is now with the one that was approved. What the result holds is kept in `arena` and
/// `storage`.
///
/// # Errors
/// A value or a schema cannot be read.
pub fn compare<'a>(
    approved: Side<'_, 'a>,
    now: Side<'_, 'a>,
    options: &Options,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> Result<Comparison<'a>, Error> {
    let mut comparison =
        Comparison { approved: origin(&approved), now: origin(&now), ..Comparison::default() };
    if let (Some(one), Some(other)) = (comparison.approved.tool, comparison.now.tool)
        && one != other
    {
        comparison.notes.push(format!(
            "the approved plan is {}'s, this one {}'s: what the tools plan differently differs here",
            product(one),
            product(other)
        ));
    }
    let lists = Lists { approved: Items::new(approved.plan), now: Items::new(now.plan) };
    let (old_variables, new_variables) = (variables::read(approved.plan)?, variables::read(now.plan)?);
    let tasks = Tasks {
        lists: &lists,
        positions: [Positions::new(approved.schemas, arena), Positions::new(now.schemas, arena)],
        tasks: Vec::new(),
        same: 0,
    };
    let tasks = tasks.all(&approved, &now, arena, (&old_variables, &new_variables))?;
    comparison.same = tasks.same;
    let tasks = tasks.tasks;
    let share = DECODED / tasks.len().max(1);
    let hasher = RandomState::default();
    let texts = [approved.text, now.text, ""];
    let work = |task: &Task<'_, 'a>, scratch: &Bump, kept: &'a Bump| {
        let keep = Keeper { texts, arena: kept, show_sensitive: options.show_sensitive };
        let comparer = Comparer::new(scratch, &hasher, keep, share + 4 * task.size());
        Worker { comparer, found: Vec::new() }.differences(task, scratch)
    };
    for (task, found) in tasks.iter().zip(parallel::map_into(storage, &tasks, Task::size, work)?) {
        comparison.same += usize::from(found.is_empty() && task.is_counted());
        comparison.differences.extend(found);
    }
    for (property, old, new) in [
        (Property::Errored, Some(approved.plan.errored), Some(now.plan.errored)),
        (Property::Complete, approved.plan.complete, now.plan.complete),
    ] {
        // A plan of a tool that does not write a flag is not different by that.
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            let (approved, now) = (Some(old.to_string()), Some(new.to_string()));
            let what = What::Property { property, approved, now };
            let class = Class::Value;
            comparison.differences.push(Difference {
                class,
                subject: Subject::Plan,
                address: "",
                deposed: "",
                what,
            });
        }
    }
    comparison.differences.sort_by_key(|difference| difference.class);
    comparison.ignore(&options.ignored);
    Ok(comparison)
}

fn product(tool: Tool) -> &'static str {
    match tool {
        Tool::Terraform => "Terraform",
        Tool::OpenTofu => "OpenTofu",
    }
}

fn origin(side: &Side<'_, '_>) -> Origin {
    Origin {
        name: side.name.to_owned(),
        tool: Tool::of_providers(side.plan.providers()),
        tool_version: side.plan.terraform_version.to_string(),
        timestamp: side.plan.timestamp.to_string(),
    }
}

/// The changes of a plan that are compared.
struct Items<'p, 'a> {
    resources: Vec<Item<'p, 'a>>,
    drift: Vec<Item<'p, 'a>>,
    deferred: Vec<Item<'p, 'a>>,
}

impl<'p, 'a> Items<'p, 'a> {
    fn new(plan: &'p Plan<'a>) -> Self {
        let items = |changes: &'p [ResourceChange<'a>]| changes.iter().map(|change| Item::new(change, ""));
        let deferred =
            |deferred: &'p DeferredChange<'a>| Item::new(&deferred.resource_change, &deferred.reason);
        Self {
            resources: items(&plan.resource_changes).filter(|item| !item.change.is_silent()).collect(),
            drift: items(&plan.resource_drift).collect(),
            deferred: plan.deferred_changes.iter().map(deferred).collect(),
        }
    }
}

struct Lists<'p, 'a> {
    approved: Items<'p, 'a>,
    now: Items<'p, 'a>,
}

/// Something to compare.
enum Task<'p, 'a> {
    Change {
        subject: Subject,
        pair: Pair<&'p Item<'p, 'a>>,
        positions: [Position<'a>; 2],
        renamed_from: Option<&'p str>,
    },
    Output {
        name: &'p str,
        pair: Pair<&'p Change<'a>>,
    },
    Variable {
        name: &'p str,
        pair: Pair<&'p Variable<'a>>,
    },
    Invocation {
        pair: Pair<&'p ActionInvocation<'a>>,
        position: Position<'a>,
    },
}

impl Task<'_, '_> {
    /// The bytes of the values' text: how much work there is.
    fn size(&self) -> usize {
        let change = |change: &&Change<'_>| -> usize {
            [change.before, change.after].iter().flatten().map(|raw| raw.text().len()).sum()
        };
        match self {
            Self::Change { pair, .. } => each(*pair).map(|item| item.change.size()).sum(),
            Self::Output { pair, .. } => each(*pair).map(|output| change(&output)).sum(),
            Self::Variable { pair, .. } => {
                each(*pair).filter_map(|variable| variable.value).map(|raw| raw.text().len()).sum()
            }
            Self::Invocation { pair, .. } => {
                each(*pair).filter_map(|action| action.config_values).map(|raw| raw.text().len()).sum()
            }
        }
    }

    /// Whether it counts as a change of the plan.
    fn is_counted(&self) -> bool {
        match self {
            Self::Change { subject, .. } => *subject == Subject::Resource,
            Self::Output { .. } | Self::Invocation { .. } => true,
            Self::Variable { .. } => false,
        }
    }
}

fn each<T>(pair: Pair<T>) -> impl Iterator<Item = T> {
    let (one, other) = match pair {
        Pair::Both(one, other) => (Some(one), Some(other)),
        Pair::Approved(one) | Pair::Now(one) => (Some(one), None),
    };
    one.into_iter().chain(other)
}

struct Tasks<'p, 'l, 'a> {
    lists: &'l Lists<'p, 'a>,
    positions: [Positions<'p, 'a>; 2],
    tasks: Vec<Task<'l, 'a>>,
    /// Changes that are the same, byte by byte.
    same: usize,
}

impl<'p: 'l, 'l, 'a> Tasks<'p, 'l, 'a> {
    fn all(
        mut self,
        approved: &Side<'p, 'a>,
        now: &Side<'p, 'a>,
        arena: &'a Bump,
        variables: (&'l [Variable<'a>], &'l [Variable<'a>]),
    ) -> Result<Self, Error> {
        let Lists { approved: old, now: new } = self.lists;
        self.changes(Subject::Resource, &old.resources, &new.resources)?;
        self.changes(Subject::Drift, &old.drift, &new.drift)?;
        self.changes(Subject::Deferred, &old.deferred, &new.deferred)?;
        self.outputs(approved.plan, now.plan);
        self.variables(variables.0, variables.1);
        self.invocations(approved, now, arena)?;
        Ok(self)
    }

    fn changes(
        &mut self,
        subject: Subject,
        old: &'l [Item<'p, 'a>],
        new: &'l [Item<'p, 'a>],
    ) -> Result<(), Error> {
        let pairs = pairs::pair(old, new);
        let mut renamed = HashMap::new();
        if subject == Subject::Resource {
            let is_destroyed = |item: &Item<'_, '_>| item.change.change.actions == Action::Delete;
            let gone = pairs.iter().filter_map(|pair| match *pair {
                Pair::Approved(at) => Some(at),
                Pair::Both(at, now) => (is_destroyed(&new[now]) && !is_destroyed(&old[at])).then_some(at),
                Pair::Now(_) => None,
            });
            let mut gone: Vec<(usize, &Item<'_, '_>)> = gone.map(|at| (at, &old[at])).collect();
            // Objects that only the new plan destroys: their places come after those of the approved one.
            let added = pairs.iter().filter_map(|pair| match *pair {
                Pair::Now(at) => Some((at, &new[at])),
                Pair::Approved(_) | Pair::Both(..) => None,
            });
            let (destroyed, made): (Vec<_>, Vec<_>) = added.partition(|(_, item)| is_destroyed(item));
            gone.extend(destroyed.into_iter().map(|(at, item)| (old.len() + at, item)));
            renamed = renamed::find(&gone, &made);
        }
        for pair in pairs {
            let (pair, renamed_from) = match pair {
                Pair::Both(at, now) if pairs::is_same_text(&old[at], &new[now]) => {
                    self.same += usize::from(subject == Subject::Resource);
                    continue;
                }
                Pair::Both(at, now) => (Pair::Both(&old[at], &new[now]), None),
                Pair::Approved(at) => (Pair::Approved(&old[at]), None),
                Pair::Now(at) => {
                    let from = renamed
                        .get(&at)
                        .and_then(|from| old.get(*from).or_else(|| new.get(from.checked_sub(old.len())?)));
                    (Pair::Now(&new[at]), from.map(|item| &*item.address))
                }
            };
            let [old_positions, new_positions] = &mut self.positions;
            let positions = match pair {
                Pair::Both(old, new) => {
                    [old_positions.of_change(old.change)?, new_positions.of_change(new.change)?]
                }
                Pair::Approved(item) => [old_positions.of_change(item.change)?; 2],
                Pair::Now(item) => [new_positions.of_change(item.change)?; 2],
            };
            self.tasks.push(Task::Change { subject, pair, positions, renamed_from });
        }
        Ok(())
    }

    fn outputs(&mut self, old: &'p Plan<'a>, new: &'p Plan<'a>) {
        let listed = |plan: &'p Plan<'a>| {
            let changes = plan.output_changes.iter().map(|(name, change)| (&**name, change));
            changes.filter(|(_, change)| change.actions != Action::NoOp)
        };
        for (name, pair) in by_name(listed(old), listed(new)) {
            if let Pair::Both(old, new) = pair
                && change::same_text(old, new)
            {
                self.same += 1;
                continue;
            }
            self.tasks.push(Task::Output { name, pair });
        }
    }

    fn variables(&mut self, old: &'l [Variable<'a>], new: &'l [Variable<'a>]) {
        let named =
            |variables: &'l [Variable<'a>]| variables.iter().map(|variable| (&*variable.name, variable));
        for (name, pair) in by_name(named(old), named(new)) {
            if let Pair::Both(old, new) = pair
                && old.value.map(Raw::text) == new.value.map(Raw::text)
            {
                continue;
            }
            self.tasks.push(Task::Variable { name, pair });
        }
    }

    fn invocations(
        &mut self,
        approved: &Side<'p, 'a>,
        now: &Side<'p, 'a>,
        arena: &'a Bump,
    ) -> Result<(), Error> {
        let mut old: HashMap<String, Vec<&'p ActionInvocation<'a>>> = HashMap::new();
        for action in approved.plan.action_invocations.iter().rev() {
            old.entry(invocation_key(action)).or_default().push(action);
        }
        let mut pairs = Vec::new();
        for action in &now.plan.action_invocations {
            match old.get_mut(&invocation_key(action)).and_then(Vec::pop) {
                Some(old) => pairs.push(Pair::Both(old, action)),
                None => pairs.push(Pair::Now(action)),
            }
        }
        let free: HashSet<*const ActionInvocation<'a>> =
            old.values().flatten().map(|action| std::ptr::from_ref(*action)).collect();
        let rest = approved.plan.action_invocations.iter();
        pairs.extend(rest.filter(|action| free.contains(&std::ptr::from_ref(*action))).map(Pair::Approved));
        for pair in pairs {
            let (action, schemas) = match pair {
                Pair::Both(_, action) | Pair::Now(action) => (action, now.schemas),
                Pair::Approved(action) => (action, approved.schemas),
            };
            let block = schemas.action(&action.provider_name, &action.action_type, arena)?;
            let position = block.map_or(Position::Unspecified, Position::Block);
            self.tasks.push(Task::Invocation { pair, position });
        }
        Ok(())
    }
}

/// What makes two invocations the same: the action, and what invokes it.
pub(super) fn invocation_key(action: &ActionInvocation<'_>) -> String {
    let trigger = match (&action.lifecycle_action_trigger, &action.invoke_action_trigger) {
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

/// Pairs what has names: in the order of the new list, then what only the approved one has.
fn by_name<'n, T: Copy>(
    old: impl Iterator<Item = (&'n str, T)> + Clone,
    new: impl Iterator<Item = (&'n str, T)>,
) -> Vec<(&'n str, Pair<T>)> {
    let mut left: HashMap<&str, T> = old.clone().collect();
    let mut pairs: Vec<(&'n str, Pair<T>)> = new
        .map(|(name, new)| (name, left.remove(name).map_or(Pair::Now(new), |old| Pair::Both(old, new))))
        .collect();
    pairs.extend(old.filter_map(|(name, _)| Some((name, Pair::Approved(left.remove(name)?)))));
    pairs
}

struct Worker<'w, 'a> {
    comparer: Comparer<'w, 'a>,
    found: Vec<(Class, What<'a>)>,
}

impl<'w, 'a: 'w> Worker<'w, 'a> {
    fn differences(mut self, task: &Task<'_, 'a>, scratch: &'w Bump) -> Result<Vec<Difference<'a>>, Error> {
        let (subject, address, deposed) = match task {
            Task::Change { subject, pair, positions, renamed_from } => {
                self.change(*subject, *pair, *positions, *renamed_from, scratch)?;
                let (Pair::Both(_, item) | Pair::Approved(item) | Pair::Now(item)) = *pair;
                (*subject, &*item.address, &*item.change.deposed)
            }
            Task::Output { name, pair } => {
                self.output(*pair)?;
                (Subject::Output, *name, "")
            }
            Task::Variable { name, pair } => {
                self.variable(*pair, scratch)?;
                (Subject::Variable, *name, "")
            }
            Task::Invocation { pair, position } => {
                self.invocation(*pair, *position, scratch)?;
                let (Pair::Both(_, action) | Pair::Approved(action) | Pair::Now(action)) = *pair;
                (Subject::Invocation, &*action.address, "")
            }
        };
        let keep = self.comparer.keep;
        let (address, deposed) = (keep.text(address), keep.text(deposed));
        let found = self.found.into_iter();
        Ok(found.map(|(class, what)| Difference { class, subject, address, deposed, what }).collect())
    }

    fn change(
        &mut self,
        subject: Subject,
        pair: Pair<&Item<'_, 'a>>,
        positions: [Position<'a>; 2],
        renamed_from: Option<&str>,
        scratch: &'w Bump,
    ) -> Result<(), Error> {
        let kind = |item: &Item<'_, 'a>| {
            Kind::of_action(&item.change.change.actions, item.change.is_imported(), item.change.is_moved())
        };
        let (old, new) = match pair {
            Pair::Both(old, new) => (old, new),
            Pair::Now(item) => {
                let action = &item.change.change.actions;
                let class = match subject {
                    Subject::Drift => Class::World,
                    // Nothing is done now.
                    Subject::Deferred => Class::Less,
                    Subject::Resource
                    | Subject::Output
                    | Subject::Variable
                    | Subject::Invocation
                    | Subject::Plan => actions::new(&item.change.mode, action, kind(item)),
                };
                let renamed_from = renamed_from.map(|address| self.comparer.keep.text(address));
                let action = action.words().to_owned();
                self.found.push((class, What::OnlyNow { says: kind(item).says(), action, renamed_from }));
                return Ok(());
            }
            Pair::Approved(item) => {
                let class = if subject == Subject::Drift { Class::World } else { Class::Less };
                let action = item.change.change.actions.words().to_owned();
                self.found.push((class, What::OnlyApproved { says: kind(item).says(), action }));
                return Ok(());
            }
        };
        self.properties(old, new, scratch)?;
        let manner = Manner::new(&old.change.change.actions, &new.change.change.actions);
        let build = self.comparer.build;
        let approved = change::sides(&old.change.change, positions[0], build)?;
        let now = change::sides(&new.change.change, positions[1], build)?;
        self.found.extend(change::values(&mut self.comparer, approved, now, manner));
        if subject == Subject::Drift {
            self.found.iter_mut().for_each(|(class, _)| *class = Class::World);
        }
        Ok(())
    }

    fn property(&mut self, class: Class, property: Property, approved: &str, now: &str) {
        if approved != now {
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            self.found.push((class, What::Property { property, approved: some(approved), now: some(now) }));
        }
    }

    fn properties(&mut self, old: &Item<'_, 'a>, new: &Item<'_, 'a>, scratch: &'w Bump) -> Result<(), Error> {
        let (was, is) = (old.change, new.change);
        if let Some(class) = actions::changed(&was.change.actions, &is.change.actions) {
            self.property(class, Property::Actions, was.change.actions.words(), is.change.actions.words());
        }
        let previous = |item: &Item<'_, 'a>| {
            if item.change.is_moved() { item.change.previous_address.to_string() } else { String::new() }
        };
        let (from_old, from_new) = (previous(old), previous(new));
        // A move that was approved and is done already is less.
        let class = if from_new.is_empty() { Class::Less } else { Class::Action };
        self.property(class, Property::PreviousAddress, &from_old, &from_new);
        self.importing(was.change.importing.as_ref(), is.change.importing.as_ref(), scratch)?;
        let (old_provider, new_provider) =
            (provider_path(&was.provider_name), provider_path(&is.provider_name));
        self.property(Class::Action, Property::Provider, old_provider, new_provider);
        self.replace_paths(&was.change, &is.change, scratch)?;
        self.property(Class::Text, Property::Reason, &was.action_reason, &is.action_reason);
        self.property(Class::Text, Property::DeferredReason, old.reason, new.reason);
        if *was.change.generated_config != *is.change.generated_config {
            // Its text may hold anything, and nothing in the plan marks what is sensitive in it.
            self.found.push((
                Class::Text,
                What::Property { property: Property::GeneratedConfig, approved: None, now: None },
            ));
        }
        Ok(())
    }

    fn importing(
        &mut self,
        old: Option<&Importing<'a>>,
        new: Option<&Importing<'a>>,
        scratch: &'w Bump,
    ) -> Result<(), Error> {
        let text = |importing: Option<&Importing<'a>>| {
            let Some(importing) = importing else { return Ok::<_, Error>(String::new()) };
            if importing.unknown {
                return Ok("(known after apply)".to_owned());
            }
            let identity: Option<Raw<'w>> = importing.identity;
            Ok(match identity {
                Some(identity) => json_text(identity.value(scratch)?),
                None if importing.id.is_empty() => "(no ID)".to_owned(),
                None => importing.id.to_string(),
            })
        };
        let class = match (old, new) {
            (Some(_), None) => Class::Less,
            (Some(old), Some(new)) if old.unknown && !new.unknown => Class::Known,
            (Some(old), Some(new)) if !old.unknown && new.unknown => Class::Unknown,
            (None | Some(_), _) => Class::Action,
        };
        self.property(class, Property::Importing, &text(old)?, &text(new)?);
        Ok(())
    }

    /// The paths that force a replacement are a set.
    fn replace_paths(&mut self, old: &Change<'a>, new: &Change<'a>, scratch: &'w Bump) -> Result<(), Error> {
        let paths = |raw: Option<Raw<'w>>| {
            let value = raw.map_or(Ok(Value::Null), |raw| raw.value(scratch))?;
            let mut paths: Vec<String> =
                value.as_array().unwrap_or_default().iter().map(|path| json_text(*path)).collect();
            paths.sort_unstable();
            paths.dedup();
            Ok::<_, Error>(paths)
        };
        let (old, new) = (paths(old.replace_paths)?, paths(new.replace_paths)?);
        let only = |paths: &[String], others: &[String]| {
            let only = paths.iter().filter(|path| others.binary_search(path).is_err());
            only.map(String::as_str).collect::<Vec<_>>().join(", ")
        };
        let (gone, added) = (only(&old, &new), only(&new, &old));
        let class = if added.is_empty() { Class::Less } else { Class::Value };
        self.property(class, Property::ReplacePaths, &gone, &added);
        Ok(())
    }

    fn output(&mut self, pair: Pair<&Change<'a>>) -> Result<(), Error> {
        let (old, new) = match pair {
            Pair::Both(old, new) => (old, new),
            Pair::Now(change) => {
                let what = self.only_now(&change.actions);
                self.found.push((Class::Value, what));
                return Ok(());
            }
            Pair::Approved(change) => {
                let what = self.only_approved(&change.actions);
                self.found.push((Class::Less, what));
                return Ok(());
            }
        };
        let other_actions = old.actions != new.actions;
        self.property(Class::Value, Property::Actions, old.actions.words(), new.actions.words());
        let build = self.comparer.build;
        let approved = change::sides(old, Position::Unspecified, build)?;
        let now = change::sides(new, Position::Unspecified, build)?;
        let manner = Manner { other_actions, stays: !other_actions };
        self.found.extend(change::values(&mut self.comparer, approved, now, manner));
        Ok(())
    }

    fn only_now(&self, action: &Action) -> What<'a> {
        let says = Kind::of_action(action, false, false).says();
        What::OnlyNow { says, action: action.words().to_owned(), renamed_from: None }
    }

    fn only_approved(&self, action: &Action) -> What<'a> {
        let says = Kind::of_action(action, false, false).says();
        What::OnlyApproved { says, action: action.words().to_owned() }
    }

    fn variable(&mut self, pair: Pair<&Variable<'a>>, scratch: &'w Bump) -> Result<(), Error> {
        let (old, new) = match pair {
            Pair::Both(old, new) => (Some(old), Some(new)),
            Pair::Approved(old) => (Some(old), None),
            Pair::Now(new) => (None, Some(new)),
        };
        // A secret in one of the plans is one in the other.
        let is_sensitive = [old, new].into_iter().flatten().any(|variable| variable.is_sensitive);
        let value = |variable: Option<&Variable<'a>>| {
            let raw: Option<Raw<'w>> = variable.and_then(|variable| variable.value);
            let value = raw.map_or(Ok(Value::Null), |raw| raw.value(scratch))?;
            let mark = Value::Bool(is_sensitive);
            Ok::<_, Error>(self.comparer.build.build(value, Value::Null, mark, Position::Unspecified))
        };
        let (old, new) = (value(old)?, value(new)?);
        self.compare(old, new, Position::Unspecified);
        Ok(())
    }

    fn invocation(
        &mut self,
        pair: Pair<&ActionInvocation<'a>>,
        position: Position<'w>,
        scratch: &'w Bump,
    ) -> Result<(), Error> {
        let says = "is invoked";
        let (old, new) = match pair {
            Pair::Both(old, new) => (old, new),
            Pair::Now(_) => {
                let what = What::OnlyNow { says, action: "invoke".to_owned(), renamed_from: None };
                self.found.push((Class::Action, what));
                return Ok(());
            }
            Pair::Approved(_) => {
                self.found.push((Class::Less, What::OnlyApproved { says, action: "invoke".to_owned() }));
                return Ok(());
            }
        };
        let value = |action: &ActionInvocation<'a>| {
            let value = |raw: Option<Raw<'w>>| raw.map_or(Ok(Value::Null), |raw| raw.value(scratch));
            let (values, unknown) = (value(action.config_values)?, value(action.config_unknown)?);
            let marks = value(action.config_sensitive)?;
            Ok::<_, Error>(self.comparer.build.build(values, unknown, marks, position))
        };
        let (old_value, new_value) = (value(old)?, value(new)?);
        self.property(
            Class::Action,
            Property::Provider,
            provider_path(&old.provider_name),
            provider_path(&new.provider_name),
        );
        self.compare(old_value, new_value, position);
        Ok(())
    }

    /// Compares two values of which nothing is known before.
    fn compare(&mut self, old: MarkedValue<'w>, new: MarkedValue<'w>, position: Position<'w>) {
        for edit in self.comparer.compare(old, new, Place::root(position, Paths::Never)).edits {
            self.found.push((change::class_of(edit), What::Value { edit: *edit, from: None }));
        }
    }
}
