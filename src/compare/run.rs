//! Compares a plan with the messages of the run that applied it.
//!
//! Source: the machine-readable UI. Messages contain addresses and operations, but no values except for IDs and outputs.
//! An operation on an object has a start, and an end or an error. A successful run has a `change_summary`, and a failed
//! one ends with diagnostics. Invariants: malformed lines that look like messages are counted, because they may be any
//! message; each operation belongs to at most one planned change, otherwise it was not planned; the time is linear in the
//! number of changes and operations, however many share an address.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use anyhow::anyhow;
use bumpalo::Bump;
use foldhash::{HashMap, HashMapExt as _};

use super::result::{Achieved, OutputValue, Outputs, are_expected, has_mark, output_tasks};
use super::values::{merged_marks, of_result};
use super::{
    Against, Class, Comparison, DifferenceKind, Found, INVOKED, Options, Origin, Outcome, Property, Side,
    Subject, Task, compare_all, json_text, settings,
};
use crate::dialect::Tool;
use crate::diff::Error;
use crate::diff::edits::{Comparer, Positions};
use crate::diff::parallel::Storage;
use crate::json::{Object, Raw, Str, Value};
use crate::model::Action;
use crate::model::diagnostic::{Diagnostic, Severity};
use crate::model::message::{ChangeSummary, Hook, Message, Output, WordOrAddress};
use crate::model::plan::ResourceChange;
use crate::review::{ChangeKind, count, one_line};
use crate::schema::Position;

/// The run with which a plan is compared.
#[derive(Clone, Copy, Debug)]
pub struct RunSide<'r, 'a> {
    /// The name of its file.
    pub name: &'r str,
    /// The text of its messages.
    pub text: &'a str,
    /// The parsed messages.
    pub run: &'r Run<'a>,
}

/// Compares a plan with the run that applied it. The result borrows from `arena` and `storage`.
///
/// # Errors
/// If a value or a schema is malformed, or the run belongs to another plan.
pub fn compare_run<'a>(
    planned: Side<'_, 'a>,
    side: RunSide<'_, 'a>,
    options: &Options,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> anyhow::Result<Comparison<'a>> {
    let run = side.run;
    let now = Origin {
        name: side.name.to_owned(),
        tool: run.tool,
        tool_version: run.tool_version.to_string(),
        timestamp: run.timestamp.to_string(),
    };
    let mut comparison = Comparison::new(planned.origin(), now, Against::Run, options);
    let settings = settings([planned.text, side.text], options.show_sensitive);
    let redactor = settings.redactor(arena);
    let changes = &*planned.plan.resource_changes;
    if run.is_foreign(changes) {
        return Err(anyhow!(
            "the run acts on no object of the plan\n  tip: give the messages of the run that applied this plan",
        ));
    }
    let listed: Vec<&ResourceChange<'a>> = changes.iter().filter(|change| change.is_listed()).collect();
    let objects = crate::sort::tally(listed.iter().map(|change| &*change.address));
    let mut free = FreeOperations::new(run);
    let mut steps = Vec::with_capacity(listed.len());
    for change in &listed {
        let is_only = objects.get(&*change.address) == Some(&1);
        steps.push(free.steps(change, is_only)?);
    }
    let mut invocations = Vec::new();
    for action in &planned.plan.action_invocations {
        let steps = [(INVOKE, free.take(&action.address, INVOKE))];
        invocations.push((action, outcome(run, &action.address, &steps)));
    }
    let mut unplanned = free.rest();
    // Other operations at an address are reported with the current object, if there is one.
    let mut others = vec![Vec::new(); listed.len()];
    for is_current in [true, false] {
        for (change, own) in listed.iter().zip(&mut others) {
            if change.deposed.is_empty() == is_current {
                own.extend(unplanned.remove(&*change.address).unwrap_or_default());
            }
        }
    }
    let imports = changes.iter().filter(|change| change.is_imported()).count() as u64;
    let mut positions = Positions::new(planned.schemas, arena);
    let mut tasks = Vec::with_capacity(listed.len());
    for ((change, steps), others) in listed.iter().zip(steps).zip(others) {
        let (has_imported, position) = (run.imported >= imports, positions.position(change)?);
        let target = Target { change, steps, others, run, has_imported, position };
        let about = (Subject::Resource, &*change.address, &*change.deposed);
        tasks.push(Task::new(about, change.size(), move |comparer| target.achieved(comparer)));
    }
    let output =
        |output: &Output<'a>| OutputValue { value: output.value, is_sensitive: output.is_sensitive() };
    let outputs = run.outputs.as_ref().map(|outputs| outputs.iter().map(|(name, of)| (&**name, output(of))));
    let results: Option<Outputs<'_, 'a>> = outputs.map(crate::sort::map);
    tasks.extend(output_tasks(planned.plan, results.as_ref()));
    let mut all = compare_all(&tasks, settings, arena, storage)?.into_iter();
    for (change, (about, found)) in listed.iter().zip(&mut all) {
        comparison.add_change(change, about, found);
    }
    for (address, found) in unplanned {
        let about = |subject| (subject, redactor.text(address), "");
        let words: Vec<&str> = found.iter().map(|operation| &*operation.word).collect();
        if words.contains(&INVOKE) {
            for word in words {
                comparison.add_unplanned(Class::Action, about(Subject::Invocation), (word, INVOKED));
            }
            continue;
        }
        let action = action_of(&words);
        let kind = ChangeKind::from_action(&action, false, false);
        let words = (action.words(), kind.phrase());
        comparison.add_unplanned(Class::unapproved(kind), about(Subject::Resource), words);
    }
    for (action, found) in invocations {
        let about = (Subject::Invocation, redactor.text(&action.address), "");
        comparison.add_outcome(about, (INVOKE, INVOKED), found);
    }
    comparison.add_outputs(planned.plan, results.as_ref(), run.is_summed_up, redactor, all)?;
    whole_run(&mut comparison, run);
    Ok(comparison.finish(&options.ignored))
}

/// The maximum number of errors without an object that are named.
const MAX_ERRORS: usize = 10;

/// Adds the differences of the run as a whole: missing messages, and errors.
fn whole_run(comparison: &mut Comparison<'_>, run: &Run<'_>) {
    let mut add = |class, why: &str| {
        comparison.push(class, (Subject::Run, "", ""), DifferenceKind::Run { why: why.to_owned() });
    };
    if run.unreadable > 0 {
        let lines = count(run.unreadable, "message");
        add(Class::Unproven, &format!("{lines} cannot be read: what they say is unknown"));
    }
    if run.is_summed_up && run.lacks_messages() {
        let why = "the tool counted more changes than its messages show: what else was done is unknown";
        add(Class::Unproven, why);
    }
    if run.end() == End::Cut {
        add(Class::Unproven, "its messages end before an apply did: what else was done is unknown");
    }
    if run.end() == End::Failed && comparison.count(Class::Failed) == 0 {
        let what = DifferenceKind::Run { why: "it failed".to_owned() };
        comparison.push(Class::Failed, (Subject::Run, "", ""), what);
    }
    for summary in run.errors.iter().take(MAX_ERRORS) {
        comparison.notes.push(one_line(&format!("error of the run: {summary}")));
    }
    let more = run.errors.len().saturating_sub(MAX_ERRORS);
    if more > 0 {
        comparison.notes.push(format!("{} of the run", count(more, "more error")));
    }
}

/// The word for the operation of an action; the others are those of the messages.
const INVOKE: &str = "invoke";

/// A step of a planned change, and its operation.
type Step<'r, 'a> = (&'static str, Option<&'r Operation<'a>>);

/// The operations of a run that belong to no planned change yet: their indices, by address and word.
struct FreeOperations<'r, 'a> {
    run: &'r Run<'a>,
    places: HashMap<(&'r str, &'r str), VecDeque<usize>>,
}

/// The maximum number of operations with the same address and word that are searched for an object's ID.
const MAX_ALIKE: usize = 64;

impl<'r, 'a> FreeOperations<'r, 'a> {
    fn new(run: &'r Run<'a>) -> Self {
        let mut places: HashMap<(&str, &str), VecDeque<usize>> = HashMap::new();
        for (at, operation) in run.operations.iter().enumerate() {
            places.entry((&operation.address, &operation.word)).or_default().push_back(at);
        }
        Self { run, places }
    }

    fn take(&mut self, address: &'r str, word: &'r str) -> Option<&'r Operation<'a>> {
        let at = self.places.get_mut(&(address, word))?.pop_front()?;
        self.run.operations.get(at)
    }

    /// The steps of a change, with their operations. An object and its deposed objects share an address, and are
    /// distinguished by ID.
    fn steps(&mut self, change: &'r ResourceChange<'a>, is_only: bool) -> Result<Vec<Step<'r, 'a>>, Error> {
        let arena = Bump::new();
        let before: Option<Raw<'_>> = change.change.before.filter(|_| !is_only);
        let before = Raw::value_or_null(before, &arena)?;
        let run = self.run;
        let step = |word| {
            let operation = if is_only {
                self.take(&change.address, word)
            } else {
                let free = self.places.get_mut(&(&*change.address, word));
                free.and_then(|free| {
                    let mut likely = free.iter().take(MAX_ALIKE);
                    let place = likely.position(|at| may_be_of(before, &run.operations[*at]))?;
                    free.remove(place).map(|at| &run.operations[at])
                })
            };
            (word, operation)
        };
        Ok(steps_of(&change.change.actions).into_iter().map(step).collect())
    }

    /// The operations that were not planned, by address, except for reads, which change nothing and also occur when
    /// planning.
    fn rest(self) -> BTreeMap<&'r str, Vec<&'r Operation<'a>>> {
        let mut places: Vec<usize> = self.places.into_values().flatten().collect();
        places.sort_unstable();
        let mut rest: BTreeMap<&str, Vec<&Operation<'a>>> = BTreeMap::new();
        let operations = places.into_iter().filter_map(|at| self.run.operations.get(at));
        for operation in operations.filter(|operation| *operation.word != *"read") {
            rest.entry(&operation.address).or_default().push(operation);
        }
        rest
    }
}

/// Whether an operation may belong to an object with these values, according to its previous ID.
fn may_be_of(before: Value<'_>, operation: &Operation<'_>) -> bool {
    let Some((key, value)) = &operation.id_before else { return true };
    match before.get(key) {
        Some(Value::String(known)) => *known == **value,
        Some(_) | None => true,
    }
}

/// The operations for an action, in the words of the messages. Moves, imports and forgets have none.
fn steps_of(action: &Action) -> Vec<&'static str> {
    match action {
        Action::Create | Action::ForgetThenCreate | Action::CreateThenForget => vec!["create"],
        Action::Read => vec!["read"],
        Action::Update => vec!["update"],
        Action::Delete => vec!["delete"],
        Action::DeleteThenCreate => vec!["delete", "create"],
        Action::CreateThenDelete => vec!["create", "delete"],
        Action::NoOp | Action::Forget | Action::Open => Vec::new(),
        Action::Unknown(words) => {
            const KNOWN: [&str; 4] = ["create", "read", "update", "delete"];
            let known = |word: &str| KNOWN.into_iter().find(|known| *known == word.trim());
            words.split(',').filter_map(known).collect()
        }
    }
}

/// The action that consists of these operations.
fn action_of(words: &[&str]) -> Action {
    Action::from_words(&words.iter().map(|word| Str::from(*word)).collect::<Vec<_>>())
}

/// The outcome of the steps of a planned change.
fn outcome<'a>(run: &Run<'_>, address: &str, steps: &[Step<'_, '_>]) -> Achieved<'a> {
    let all: Vec<Option<Progress>> =
        steps.iter().map(|(_, operation)| operation.map(|operation| operation.progress)).collect();
    let outcome = if all.iter().all(|progress| *progress == Some(Progress::Done)) {
        Outcome::Done
    } else if all.contains(&Some(Progress::Failed)) {
        Outcome::Failed
    } else if all.contains(&Some(Progress::Started)) {
        Outcome::Unfinished
    } else if all.iter().all(Option::is_none) {
        Outcome::NeverStarted
    } else {
        Outcome::PartlyDone
    };
    let mut why = Vec::new();
    if all.len() > 1 && !matches!(outcome, Outcome::Done | Outcome::NeverStarted) {
        why.extend(steps.iter().zip(&all).map(|((word, _), progress)| {
            let done = match progress {
                Some(Progress::Done) => "done",
                Some(Progress::Failed) => "failed",
                Some(Progress::Started) => "started",
                None => "never started",
            };
            format!("{word} {done}")
        }));
    }
    if outcome == Outcome::Failed {
        why.extend(run.errors_of.get(address).map(ToString::to_string));
    }
    Achieved::new(outcome, &why.join(", "))
}

/// A planned change, and what the run did to its object.
struct Target<'t, 'a> {
    change: &'t ResourceChange<'a>,
    steps: Vec<Step<'t, 'a>>,
    /// The operations that were not planned.
    others: Vec<&'t Operation<'a>>,
    run: &'t Run<'a>,
    /// Whether the tool counted all planned imports.
    has_imported: bool,
    position: Position<'a>,
}

impl<'a> Target<'_, 'a> {
    fn achieved<'w>(&self, comparer: &mut Comparer<'w, 'a>) -> Result<Achieved<'a>, Error>
    where
        'a: 'w,
    {
        let change = &self.change.change;
        let is_complete = self.run.end() == End::Complete;
        let mut found = match &*self.steps {
            [] => {
                let is_known = !matches!(change.actions, Action::Unknown(_))
                    && (self.has_imported || !self.change.is_imported());
                let is_done = is_complete && is_known;
                Achieved::new(if is_done { Outcome::Done } else { Outcome::NotShown }, "")
            }
            steps => outcome(self.run, &self.change.address, steps),
        };
        let may_be_unchanged = change.actions == Action::Update && has_mark(change.after_unknown);
        if found.outcome == Outcome::NeverStarted && is_complete && may_be_unchanged {
            let why = "its unknown values may have come out as they were before";
            found = Achieved::new(Outcome::NotShown, why);
        }
        if !self.others.is_empty() {
            found.differences.push(self.other_action());
        }
        for operation in self.steps.iter().filter_map(|(_, operation)| *operation) {
            let is_there = operation.progress == Progress::Done && *operation.word != *"delete";
            if let Some((key, value)) = operation.id_after.as_ref().filter(|_| is_there) {
                found.differences.extend(self.id(comparer, key, value)?);
            }
        }
        if !are_expected(&found.differences) {
            found.outcome = Outcome::DoneDifferently;
        }
        Ok(found)
    }

    /// Compares the ID of the object, if the plan has the attribute.
    fn id<'w>(&self, comparer: &mut Comparer<'w, 'a>, key: &str, value: &str) -> Result<Found<'a>, Error>
    where
        'a: 'w,
    {
        let (change, build, position) = (&self.change.change, comparer.build, self.position);
        let scratch = build.arena();
        let read = |raw| Raw::marks_or_null(raw, scratch);
        let (after, unknown) = (Raw::value_or_null(change.after, scratch)?, read(change.after_unknown)?);
        let marks = merged_marks(read(change.after_sensitive)?, read(change.before_sensitive)?, scratch);
        let key: &'w str = scratch.alloc_str(key);
        let object = |member| Value::Object(Object::from_sorted(scratch.alloc_slice_copy(&[(key, member)])));
        let only = |value: Value<'w>| match value.as_object() {
            Some(members) => members.get(key).map_or(Value::Null, object),
            None => value,
        };
        let text = |value| Some(&*scratch.alloc_str(&json_text(value)));
        let planned = build.build(text(only(after)), only(unknown), only(marks), position)?;
        // If the plan does not have a string there, the message means another attribute.
        let is_id = planned.get(key).is_some_and(|value| value.is_unknown() || value.as_str().is_some());
        if !is_id {
            return Ok(Vec::new());
        }
        let value = object(Value::String(scratch.alloc_str(value)));
        let result = build.build(text(value), Value::Null, only(marks), position)?;
        Ok(of_result(comparer, planned, result, position))
    }

    /// The difference for an object with an action other than planned.
    fn other_action(&self) -> (Class, DifferenceKind<'a>) {
        let planned = self.steps.iter().filter_map(|(_, operation)| *operation);
        let all = planned.chain(self.others.iter().copied());
        let words: Vec<&str> = all.map(|operation| &*operation.word).collect();
        let (approved, now) = (&self.change.change.actions, action_of(&words));
        let class = match Class::of_actions(approved, &now) {
            Some(class) if class.is_wider() => class,
            // Even less than planned, or the same twice, is not what was approved.
            Some(_) | None => Class::Action,
        };
        let (approved, now) = (Some(approved.words().to_owned()), Some(now.words().to_owned()));
        (class, DifferenceKind::Property { property: Property::Actions, approved, now })
    }
}

/// The progress of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// It has started.
    Started,
    /// It has ended.
    Done,
    /// It has failed.
    Failed,
}

/// An operation on an object.
#[derive(Debug)]
struct Operation<'a> {
    address: Str<'a>,
    /// `create`, `update`, `delete`, `read`; for actions, `invoke`.
    word: Str<'a>,
    progress: Progress,
    /// The name and value of the attribute that identified the object at the start of the operation.
    id_before: Option<(Str<'a>, Str<'a>)>,
    /// The name and value of the attribute that identified the object at the end.
    id_after: Option<(Str<'a>, Str<'a>)>,
}

/// Whether the messages of a run are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The tool printed the summary of the apply.
    Complete,
    /// The tool reported errors, which it does once nothing is running.
    Failed,
    /// The messages end before the run did, or the run did not apply anything.
    Cut,
}

/// The parsed messages of a run.
#[derive(Debug, Default)]
pub struct Run<'a> {
    operations: Vec<Operation<'a>>,
    /// The outputs after the apply.
    outputs: Option<Vec<(Str<'a>, Output<'a>)>>,
    tool: Option<Tool>,
    tool_version: Str<'a>,
    timestamp: Str<'a>,
    /// The summaries of errors without an object.
    errors: Vec<Str<'a>>,
    /// The summary of the first error of each object.
    errors_of: HashMap<String, Str<'a>>,
    /// The number of malformed lines that look like messages.
    unreadable: usize,
    /// The numbers of created, changed and destroyed objects in the tool's summary.
    summed_up: [u64; 3],
    /// The number of imported objects in the tool's summary.
    imported: u64,
    /// Whether the tool summed up what it did.
    is_summed_up: bool,
    has_failed: bool,
    /// The indices of the operations that have started, by address and word.
    open: HashMap<(Str<'a>, Str<'a>), VecDeque<usize>>,
}

impl<'a> Run<'a> {
    /// Parses the messages of a run, one per line. Text before a message on its line is skipped, as are
    /// lines without a message.
    ///
    /// # Errors
    /// If there are no messages, or they are from tests.
    pub fn parse(text: &'a str) -> anyhow::Result<Self> {
        let mut run = Self::default();
        let mut messages = 0_usize;
        for line in text.lines() {
            let Some(line) = line.find('{').and_then(|at| line.get(at..)).map(str::trim_end) else {
                continue;
            };
            match Message::parse(line) {
                Some(message) => {
                    messages += 1;
                    if message.message_type.starts_with("test_") {
                        return Err(anyhow!(
                            "the messages are those of `test -json`, which applies no plan\n  tip: give those of `apply -json`",
                        ));
                    }
                    run.unreadable += usize::from(run.message(message).is_none());
                }
                None => run.unreadable += usize::from(seems_message(line)),
            }
        }
        if messages == 0 {
            return Err(anyhow!(
                "there is no message in it\n  tip: give the output of `terraform apply -json` or `tofu apply -json`",
            ));
        }
        Ok(run)
    }

    /// How the messages end.
    fn end(&self) -> End {
        match (self.is_summed_up, self.has_failed) {
            (_, true) => End::Failed,
            (true, false) => End::Complete,
            (false, false) => End::Cut,
        }
    }

    /// Whether the tool counted more changes than its messages show.
    fn lacks_messages(&self) -> bool {
        let done = |word: &str| {
            let is_done =
                |operation: &&Operation<'_>| *operation.word == *word && operation.progress == Progress::Done;
            self.operations.iter().filter(is_done).count() as u64
        };
        self.summed_up.iter().zip(["create", "update", "delete"]).any(|(counted, word)| *counted > done(word))
    }

    /// Whether the run acts only on objects that are not in the plan.
    fn is_foreign(&self, changes: &[ResourceChange<'_>]) -> bool {
        let is_change = |operation: &&Operation<'_>| !matches!(&*operation.word, "read" | INVOKE);
        let mut acted = self.operations.iter().filter(is_change).peekable();
        if acted.peek().is_none() || changes.is_empty() {
            return false;
        }
        let known: BTreeSet<&str> = changes.iter().map(|change| &*change.address).collect();
        acted.all(|operation| !known.contains(&*operation.address))
    }

    fn error(&mut self, address: Str<'a>, summary: Str<'a>) {
        if address.is_empty() {
            self.errors.push(summary);
        } else {
            self.errors_of.entry(address.to_string()).or_insert(summary);
        }
    }

    /// Records a message; `None` if it lacks what it must have.
    fn message(&mut self, message: Message<'a>) -> Option<()> {
        if self.timestamp.is_empty() {
            self.timestamp = message.timestamp.clone();
        }
        match &*message.message_type {
            "apply_start" | "action_start" => self.hook(*message.hook?, Progress::Started)?,
            "apply_complete" | "action_complete" => self.hook(*message.hook?, Progress::Done)?,
            "apply_errored" | "action_errored" => self.hook(*message.hook?, Progress::Failed)?,
            "change_summary" => self.change_summary(&*message.changes?),
            "outputs" => self.outputs(message.outputs?)?,
            "diagnostic" => self.diagnostic(message.diagnostic?.read().ok()?),
            "version" => {
                let versions = [(Tool::Terraform, message.terraform), (Tool::OpenTofu, message.tofu)];
                for (tool, version) in versions {
                    if let Some(version) = version {
                        (self.tool, self.tool_version) = (Some(tool), version);
                    }
                }
            }
            // Other messages do not report operations.
            _ if message.is_error() => {
                self.has_failed = true;
                let summary = Str(message.text().into_owned().into());
                self.error(Str::default(), summary);
            }
            _ => {}
        }
        Some(())
    }

    /// Records the start or the end of an operation or of an action.
    fn hook(&mut self, hook: Hook<'a>, progress: Progress) -> Option<()> {
        let Hook { resource, action, id_key, id_value, error, .. } = hook;
        let is_action = matches!(action, Some(WordOrAddress::Address(_)));
        let (address, word) = match action? {
            WordOrAddress::Word(word) => (resource?.addr, word),
            WordOrAddress::Address(address) => (address.addr, Str::from(INVOKE)),
        };
        let id = (!id_key.is_empty() && !id_value.is_empty()).then_some((id_key, id_value));
        let key = (address.clone(), word.clone());
        // The error of an object is in a diagnostic.
        let failed = (is_action && progress == Progress::Failed).then(|| address.clone());
        if progress == Progress::Started {
            // Earlier summaries or errors were not the end.
            (self.is_summed_up, self.has_failed) = (false, false);
            self.open.entry(key).or_default().push_back(self.operations.len());
            self.operations.push(Operation { address, word, progress, id_before: id, id_after: None });
        } else {
            let started = self.open.get_mut(&key).and_then(VecDeque::pop_front);
            match started.and_then(|at| self.operations.get_mut(at)) {
                Some(operation) => (operation.progress, operation.id_after) = (progress, id),
                // There is no message about its start.
                None => {
                    self.operations.push(Operation { address, word, progress, id_before: None, id_after: id })
                }
            }
        }
        if let Some(address) = failed {
            self.error(address, error);
        }
        Some(())
    }

    fn change_summary(&mut self, changes: &ChangeSummary<'a>) {
        if matches!(&*changes.operation, "apply" | "destroy") {
            self.is_summed_up = true;
            self.imported = self.imported.saturating_add(changes.import);
            let counts = [changes.add, changes.change, changes.remove];
            for (sum, count) in self.summed_up.iter_mut().zip(counts) {
                *sum = sum.saturating_add(count);
            }
        }
    }

    /// Records outputs. Planned outputs have an action, applied ones do not.
    fn outputs(&mut self, outputs: Raw<'a>) -> Option<()> {
        let outputs = outputs.read::<crate::json::Pairs<'a, Output<'a>>>().ok()?.into_pairs();
        if outputs.iter().all(|(_, output)| output.action.is_none()) {
            self.outputs = Some(outputs);
        }
        Some(())
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'a>) {
        match diagnostic.severity() {
            Severity::Error | Severity::Other => {
                self.has_failed = true;
                self.error(diagnostic.address, diagnostic.summary);
            }
            Severity::Warning => {}
        }
    }
}

/// Whether a line that is not a message may be a part of one.
fn seems_message(line: &str) -> bool {
    ["\"@level\"", "\"@message\"", "\"hook\"", "\"type\":\""].iter().any(|name| line.contains(name))
}
