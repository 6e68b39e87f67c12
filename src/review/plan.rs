//! From a plan to its review: an entry for each change, in the order of the plan.

use std::collections::{BTreeSet, HashMap};

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::causes::Causes;
use super::compare::bounds::Allowance;
use super::compare::{Comparer, Place};
use super::edit::{Edit, Path, Step};
use super::entry::{Cause, Entry, Importing, Invocation, Output, PlanReview, Trigger};
use super::error::ReviewError;
use super::facts::{self, FactFinder, Fate, Rules, Subject};
use super::{access, checks, groups, one_line, reasons, variables};
use crate::dialect::Tool;
use crate::diff::parallel::{self, Storage};
use crate::diff::value::{MarkedValue, Redactor};
use crate::diff::{Error, Paths};
use crate::json::{self, Raw, Str, Value};
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Change, Plan, ResourceChange};
use crate::schema::{Block, Position, Schemas, infer};

/// What is read of a plan for a review.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions<'r> {
    /// The rules by which facts are found; without them there are none, and no causes.
    pub rules: Option<&'r Rules>,
    /// Keep sensitive values.
    pub show_sensitive: bool,
    /// Keep what does not change too: [`Entry::whole`].
    pub keep_whole: bool,
}

/// Decoded documents in the strings of a plan may take so many bytes, and four times its size.
const DECODED: usize = 12 << 20;

/// Entries with values of so many bytes of text are compared in place.
const LARGE: usize = 1 << 20;

impl<'a> PlanReview<'a> {
    /// The review of a plan. `text` is the document that the plan was read from, and `name` what it is
    /// called; what the review holds is kept in `storage`.
    ///
    /// # Errors
    /// A value, a schema or a rule cannot be read.
    pub fn new(
        name: &str,
        text: &'a str,
        plan: &Plan<'a>,
        schemas: &Schemas<'a>,
        options: ReadOptions<'_>,
        arena: &'a Bump,
        storage: &'a mut Storage,
    ) -> Result<Self, ReviewError> {
        let positions = Positions { schemas, arena, known: HashMap::new(), inferred: BTreeSet::new() };
        let (tasks, inferred) = tasks(plan, positions)?;
        let share = DECODED / tasks.len().max(1);
        let hasher = &*arena.alloc(RandomState::default());
        let fact_finder = options.rules.map(|rules| FactFinder::new(rules, plan, arena)).transpose()?;
        let work = |task: &Task<'_, 'a>, scratch: &Bump, kept: &'a Bump| {
            let redactor =
                Redactor { texts: [text, "", ""], arena: kept, show_sensitive: options.show_sensitive };
            let budget = share + 4 * task.size();
            let facts = fact_finder.as_ref();
            let allowance = Allowance::for_entry(task.size(), text.len());
            if task.size() >= LARGE {
                let comparer = Comparer::in_place(hasher, redactor, budget).within(allowance);
                return Worker { comparer, options, facts }.done(task, kept);
            }
            let comparer = Comparer::new(scratch, hasher, redactor, budget).within(allowance);
            Worker { comparer, options, facts }.done(task, scratch)
        };
        let done = parallel::map_into(storage, &tasks, Task::size, work)?;
        let redactor = Redactor { texts: [text, "", ""], arena, show_sensitive: options.show_sensitive };
        let mut review = Self {
            name: name.to_owned(),
            tool: Tool::from_providers(plan.providers()),
            tool_version: redactor.text(&plan.terraform_version),
            format_version: redactor.text(&plan.format_version),
            timestamp: redactor.text(&plan.timestamp),
            errored: plan.errored,
            complete: plan.complete,
            applyable: plan.applyable,
            inferred,
            ..Self::default()
        };
        match variables::read(plan, redactor, false) {
            Ok(found) => review.variables = found,
            Err(error) => review.notes.push(one_line(&format!("the variables cannot be read: {error}"))),
        }
        for done in done {
            match done {
                Done::Planned(entry) => review.resources.push(entry),
                Done::Drift(entry) => review.drift.push(entry),
                Done::Deferred(entry) => review.deferred.push(entry),
                Done::Output(output) => review.outputs.push(output),
                Done::Invocation(invocation) => review.invocations.push(invocation),
            }
        }
        mark_relevant(&mut review.drift, plan, arena)?;
        if options.rules.is_some() {
            find_causes(&mut review.resources, plan, redactor);
        }
        match plan.checks.map(checks::read) {
            None => {}
            Some(Ok(problems)) => review.checks = problems,
            Some(Err(error)) => review.notes.push(one_line(&format!("the checks cannot be read: {error}"))),
        }
        reasons::add(&mut review);
        groups::find(&mut review);
        Ok(review)
    }

    /// Keeps the values of the input variables too; those of sensitive ones if `show_sensitive`.
    ///
    /// # Errors
    /// They are not of the format's shape.
    pub fn keep_variable_values(
        &mut self,
        plan: &Plan<'a>,
        text: &'a str,
        arena: &'a Bump,
        show_sensitive: bool,
    ) -> Result<(), json::Error> {
        let redactor = Redactor { texts: [text, "", ""], arena, show_sensitive };
        self.variables = variables::read(plan, redactor, true)?;
        Ok(())
    }
}

/// One thing to compare.
enum Task<'p, 'a> {
    Planned(&'p ResourceChange<'a>, Position<'a>),
    Drift(&'p ResourceChange<'a>, Position<'a>),
    Deferred(&'p ResourceChange<'a>, Position<'a>, &'p str),
    Output(&'p str, &'p Change<'a>),
    Invocation(&'p ActionInvocation<'a>, Position<'a>),
}

/// What became of a task.
enum Done<'a> {
    Planned(Entry<'a>),
    Drift(Entry<'a>),
    Deferred(Entry<'a>),
    Output(Output<'a>),
    Invocation(Invocation<'a>),
}

impl Task<'_, '_> {
    /// The bytes of the values' text: how much work there is.
    fn size(&self) -> usize {
        let size = |raws: &[Option<Raw<'_>>]| raws.iter().flatten().map(|raw| raw.text().len()).sum();
        match self {
            Self::Planned(change, _) | Self::Drift(change, _) | Self::Deferred(change, ..) => change.size(),
            Self::Output(_, change) => size(&[change.before, change.after]),
            Self::Invocation(action, _) => size(&[action.config_values]),
        }
    }
}

fn tasks<'p, 'a>(
    plan: &'p Plan<'a>,
    mut positions: Positions<'_, 'a>,
) -> Result<(Vec<Task<'p, 'a>>, Vec<String>), Error> {
    let mut tasks = Vec::new();
    for change in plan.resource_changes.iter().filter(|change| !change.is_silent()) {
        tasks.push(Task::Planned(change, positions.of_change(change)?));
    }
    for change in &plan.resource_drift {
        tasks.push(Task::Drift(change, positions.of_change(change)?));
    }
    for deferred in &plan.deferred_changes {
        let change = &deferred.resource_change;
        tasks.push(Task::Deferred(change, positions.of_change(change)?, &deferred.reason));
    }
    for (name, change) in plan.output_changes.iter().filter(|(_, change)| change.actions != Action::NoOp) {
        tasks.push(Task::Output(name, change));
    }
    for action in &plan.action_invocations {
        let block = positions.schemas.action(&action.provider_name, &action.action_type, positions.arena)?;
        tasks.push(Task::Invocation(action, block.map_or(Position::Inferred, Position::Block)));
    }
    Ok((tasks, positions.inferred.into_iter().collect()))
}

/// What is proven of the shape of resource types: by a schema, or by what is built in.
pub(crate) struct Positions<'s, 'a> {
    schemas: &'s Schemas<'a>,
    arena: &'a Bump,
    known: HashMap<(String, String, String), Position<'a>>,
    inferred: BTreeSet<String>,
}

impl<'s, 'a> Positions<'s, 'a> {
    /// What the schemas at hand, and what is built in, prove.
    pub(crate) fn new(schemas: &'s Schemas<'a>, arena: &'a Bump) -> Self {
        Self { schemas, arena, known: HashMap::new(), inferred: BTreeSet::new() }
    }

    pub(crate) fn of_change(&mut self, change: &ResourceChange<'a>) -> Result<Position<'a>, Error> {
        let (mode, provider, kind) = (&*change.mode, &*change.provider_name, &*change.resource_type);
        let key = (mode.to_owned(), provider.to_owned(), kind.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let given: Option<Block<'a>> = self.schemas.resource(provider, mode, kind, self.arena)?;
        let position = match given {
            // A cached schema may be of another version: what it does not have is not missing.
            Some(block) if self.schemas.is_cached() => Position::BuiltIn(block),
            Some(block) => Position::Block(block),
            None => {
                self.inferred.insert(kind.to_owned());
                infer::built_in(mode, provider, kind, self.arena)
                    .map_or(Position::Inferred, Position::BuiltIn)
            }
        };
        self.known.insert(key, position);
        Ok(position)
    }
}

struct Worker<'f, 'w, 'a> {
    comparer: Comparer<'w, 'a>,
    options: ReadOptions<'f>,
    facts: Option<&'f FactFinder<'f>>,
}

impl<'w, 'a: 'w> Worker<'_, 'w, 'a> {
    fn done(mut self, task: &Task<'_, 'a>, scratch: &'w Bump) -> Result<Done<'a>, Error> {
        Ok(match task {
            Task::Planned(change, position) => {
                let (before, after) = self.sides(&change.change, *position, scratch)?;
                let facts = match (self.facts, Fate::from_action(&change.change.actions)) {
                    (Some(finder), Some(fate)) if &*change.mode != "data" => {
                        let rules = finder.rules.get(&*change.resource_type);
                        let subject = Subject { fate, before, after };
                        let redactor = self.comparer.redactor;
                        let find = |rules| facts::find(&subject, rules, &finder.destroyed, redactor, scratch);
                        rules.map(find).unwrap_or_default()
                    }
                    _ => Vec::new(),
                };
                let entry = self.entry(change, (before, after), *position, scratch)?;
                Done::Planned(Entry { facts, ..entry })
            }
            Task::Drift(change, position) => {
                let sides = self.sides(&change.change, *position, scratch)?;
                Done::Drift(self.entry(change, sides, *position, scratch)?)
            }
            Task::Deferred(change, position, reason) => {
                let sides = self.sides(&change.change, *position, scratch)?;
                let entry = self.entry(change, sides, *position, scratch)?;
                Done::Deferred(Entry { deferred_reason: Some(self.comparer.redactor.text(reason)), ..entry })
            }
            Task::Output(name, change) => {
                let (before, after) = self.sides(change, Position::Unspecified, scratch)?;
                let place = Place::root(Position::Unspecified, Paths::Never);
                let compared = self.comparer.compare(before, after, place);
                Done::Output(Output {
                    name: self.comparer.redactor.text(name),
                    action: change.actions.clone(),
                    edits: compared.edits,
                })
            }
            Task::Invocation(action, position) => {
                Done::Invocation(self.invocation(action, *position, scratch)?)
            }
        })
    }

    fn sides(
        &mut self,
        change: &Change<'a>,
        position: Position<'w>,
        scratch: &'w Bump,
    ) -> Result<(MarkedValue<'w>, MarkedValue<'w>), Error> {
        let value = |raw: Option<Raw<'w>>| raw.map_or(Ok(Value::Null), |raw| raw.value(scratch));
        let build = self.comparer.build;
        let text = |raw: Option<Raw<'w>>| raw.map(Raw::text);
        let (unknown, mark) = (value(change.after_unknown)?, value(change.after_sensitive)?);
        let (before, after) = (text(change.before), text(change.after));
        let unread = self.comparer.allowance.unread(before, after, scratch)?;
        self.comparer.unread = unread;
        Ok((
            build.read(before, Value::Null, value(change.before_sensitive)?, position, unread)?,
            build.read(after, unknown, mark, position, unread)?,
        ))
    }

    fn entry(
        &mut self,
        change: &ResourceChange<'a>,
        (before, after): (MarkedValue<'w>, MarkedValue<'w>),
        position: Position<'w>,
        scratch: &'w Bump,
    ) -> Result<Entry<'a>, Error> {
        let redactor = self.comparer.redactor;
        let value = |raw: Option<Raw<'a>>| raw.map_or(Ok(Value::Null), |raw| raw.value(redactor.arena));
        let replace_paths = value(change.change.replace_paths)?;
        let place = Place::root(position, Paths::parse(replace_paths, scratch));
        let compared = self.comparer.compare(before, after, place);
        let importing = change.change.importing.as_ref().map(|importing| {
            Ok::<_, Error>(Importing {
                id: redactor.text(&importing.id),
                unknown: importing.unknown,
                identity: value(importing.identity)?,
            })
        });
        Ok(Entry {
            address: if change.address.is_empty() {
                redactor.text(&built_address(change))
            } else {
                redactor.text(&change.address)
            },
            previous_address: redactor.text(&change.previous_address),
            module_address: redactor.text(&change.module_address),
            mode: redactor.text(&change.mode),
            resource_type: redactor.text(&change.resource_type),
            name: redactor.text(&change.name),
            index: value(change.index)?,
            deposed: redactor.text(&change.deposed),
            provider_name: redactor.text(&change.provider_name),
            action: change.change.actions.clone(),
            action_reason: redactor.text(&change.action_reason),
            importing: importing.transpose()?,
            generated_config: redactor.text(&change.change.generated_config),
            replace_paths,
            relevant: None,
            deferred_reason: None,
            edits: compared.edits,
            unchanged: compared.unchanged,
            reasons: Vec::new(),
            facts: Vec::new(),
            causes: Vec::new(),
            access: access::find(&change.resource_type, compared.edits, (before, after), redactor),
            group: None,
            hidden: false,
            source: None,
            whole: self.options.keep_whole.then(|| {
                (self.comparer.keep_beside(before, after), self.comparer.keep_beside(after, before))
            }),
        })
    }

    /// The configuration of an action, as something that is added.
    fn invocation(
        &mut self,
        action: &ActionInvocation<'a>,
        position: Position<'w>,
        scratch: &'w Bump,
    ) -> Result<Invocation<'a>, Error> {
        let value = |raw: Option<Raw<'w>>| raw.map_or(Ok(Value::Null), |raw| raw.value(scratch));
        let (unknown, marks) = (value(action.config_unknown)?, value(action.config_sensitive)?);
        let text = action.config_values.map(Raw::text);
        let unread = self.comparer.allowance.unread(None, text, scratch)?;
        self.comparer.unread = unread;
        let after = self.comparer.build.read(text, unknown, marks, position, unread)?;
        let before = self.comparer.build.null();
        let compared = self.comparer.compare(before, after, Place::root(position, Paths::Never));
        let redactor = self.comparer.redactor;
        let trigger = action.lifecycle_action_trigger.as_ref().map(|trigger| Trigger {
            address: redactor.text(&trigger.triggering_resource_address),
            event: redactor.text(&trigger.action_trigger_event),
        });
        let caller = action.invoke_action_trigger.as_ref();
        Ok(Invocation {
            address: redactor.text(&action.address),
            action_type: redactor.text(&action.action_type),
            trigger,
            caller: redactor.text(caller.map_or("", |caller| &caller.calling_resource_address)),
            edits: compared.edits,
        })
    }
}

/// The address of a change of a plan that wrote none (Terraform 1.0 for drift).
pub(crate) fn built_address(change: &ResourceChange<'_>) -> String {
    let mut address = String::new();
    if !change.module_address.is_empty() {
        address.push_str(&change.module_address);
        address.push('.');
    }
    if &*change.mode == "data" {
        address.push_str("data.");
    }
    address.push_str(&change.resource_type);
    address.push('.');
    address.push_str(&change.name);
    if let Some(index) = change.index {
        address.push('[');
        address.push_str(index.text());
        address.push(']');
    }
    address
}

/// How many attributes of one entry are followed to their causes.
const FOLLOWED: usize = 32;

/// Adds the causes of what forces replacements, and of what becomes unknown.
fn find_causes<'a>(entries: &mut [Entry<'a>], plan: &Plan<'a>, redactor: Redactor<'a>) {
    let listed = plan.resource_changes.iter().enumerate().filter(|(_, change)| !change.is_silent());
    let mut causes = None;
    let expected = expected(entries, redactor);
    for (entry, (at, _)) in entries.iter_mut().zip(listed) {
        let attributes = effects(entry);
        if attributes.is_empty() {
            continue;
        }
        let causes = causes.get_or_insert_with(|| Causes::new(plan, redactor.arena));
        for cause in causes.find(at, &attributes) {
            let Some(source) = plan.resource_changes.get(cause.change) else { continue };
            entry.causes.push(Cause {
                attribute: redactor.text(&cause.attribute),
                address: redactor.text(&source.address),
                source: redactor.text(&cause.source),
                expected: expected.get(&*source.address).copied().unwrap_or_default(),
            });
        }
    }
}

/// What is known of the policy documents that are read during apply, by address.
fn expected<'a>(entries: &[Entry<'a>], redactor: Redactor<'a>) -> HashMap<&'a str, &'a [&'a str]> {
    let documents = entries
        .iter()
        .filter(|entry| entry.mode == "data" && entry.resource_type == "aws_iam_policy_document");
    let of = |entry: &Entry<'a>| {
        let [edit] = entry.edits else { return None };
        let texts = access::expected(edit.after.value().filter(|_| edit.path.is_empty())?);
        let texts: Vec<&'a str> = texts.iter().map(|text| redactor.text(text)).collect();
        Some((entry.address, &*redactor.arena.alloc_slice_copy(&texts)))
    };
    documents.filter_map(of).collect()
}

/// The attributes that force the replacement of an entry's object, and those that become unknown.
fn effects<'a>(entry: &Entry<'a>) -> Vec<&'a str> {
    if !matches!(
        entry.action,
        Action::Update
            | Action::DeleteThenCreate
            | Action::CreateThenDelete
            | Action::ForgetThenCreate
            | Action::CreateThenForget
    ) {
        return Vec::new();
    }
    let mut names = Vec::new();
    for path in entry.replace_paths.as_array().unwrap_or_default() {
        names.extend(path.as_array().and_then(|steps| steps.first()?.as_str()));
    }
    let was_known = |edit: &&Edit<'a>| {
        edit.before.value().is_some_and(|value| !value.is_null())
            && edit.after.value().is_some_and(MarkedValue::has_unknown)
    };
    if entry.action == Action::Update {
        for edit in entry.edits.iter().filter(was_known) {
            if let Some(Step::Name(name)) = edit.path.steps().first() {
                names.push(*name);
            }
        }
    }
    let mut known = std::collections::HashSet::new();
    names.retain(|name| known.insert(*name));
    names.truncate(FOLLOWED);
    names
}

/// Notes of each drift whether what drifted is something that the plan's result depends on.
fn mark_relevant<'a>(drift: &mut [Entry<'a>], plan: &Plan<'a>, arena: &'a Bump) -> Result<(), Error> {
    if drift.is_empty() {
        return Ok(());
    }
    let mut paths: HashMap<&str, Vec<&'a [Value<'a>]>> = HashMap::new();
    for attribute in &plan.relevant_attributes {
        let path = attribute.attribute.map_or(Ok(Value::Null), |raw| raw.value(arena))?;
        let resource: &Str<'_> = &attribute.resource;
        paths.entry(resource).or_default().push(path.as_array().unwrap_or_default());
    }
    let paths: HashMap<&str, Paths<'a>> =
        paths.into_iter().map(|(resource, paths)| (resource, Paths::inherited(&paths, arena))).collect();
    for entry in drift {
        let of = |resource: &str| paths.get(resource).copied().unwrap_or(Paths::Never);
        let relevant = of("").or(of(entry.address));
        let is_relevant = |edit: &Edit<'a>| leads_to(relevant, edit.path, arena);
        entry.relevant = Some(relevant.may_match() && entry.edits.iter().any(is_relevant));
    }
    Ok(())
}

/// Whether one of the paths is at, above or below an edit's.
fn leads_to<'a>(mut paths: Paths<'a>, path: Path<'a>, arena: &'a Bump) -> bool {
    for step in path.steps() {
        paths = match step {
            Step::Name(name) => paths.key(name, arena),
            Step::Element(element) => {
                let place = element.before.or(element.after).unwrap_or_default();
                paths.index(place as usize, arena)
            }
        };
    }
    paths.may_match()
}
