//! From a plan to its review.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use bumpalo::Bump;

use super::change::{Desk, Task, ignored};
use super::outline::Found;
use super::{Body, Item, Kind, Options, Part, Place, Review, Sign};
use super::{checks, count, lines, one_line, reasons};
use crate::diff::Differ;
use crate::diff::parallel::map_in_order;
use crate::diff::shapes::{Shapes, Source, Unlisted};
use crate::diff::tree::{self, Slot};
use crate::diff::{Change, Mark, Paths, Unknown};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Plan, ResourceChange};
use crate::schema::Schemas;
use crate::show::Error;

/// Reviews a plan; `name` is what it is called.
pub fn read<'a>(
    name: &str,
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    arena: &'a Bump,
) -> Result<Review, Error> {
    let shapes = Shapes::new(schemas, Source::Plan(plan), arena);
    let desk = Desk { options, unlisted: Unlisted::default(), bounded: AtomicBool::new(false) };
    let reader = Reader { plan, shapes: &shapes, desk, arena };
    let mut review = Review { name: name.to_owned(), ..Review::default() };
    review.verdict.errored = plan.errored;
    let drifted = reader.drift(&mut review)?;
    reader.resources(&mut review, &drifted)?;
    reader.outputs(&mut review)?;
    reader.deferred(&mut review)?;
    reader.invocations(&mut review)?;
    reader.besides(&mut review);
    review.notes.extend(not_compared(&reader.desk.unlisted.list()));
    if reader.desk.bounded.load(Ordering::Relaxed) {
        review.notes.push(
            "a value has too many changes to be aligned exactly: what is shown of it is correct, but may not be \
             the smallest difference"
                .to_owned(),
        );
    }
    review.inferred = shapes.inferred();
    Ok(review)
}

struct Reader<'r, 'a> {
    plan: &'r Plan<'a>,
    shapes: &'r Shapes<'r, 'a>,
    desk: Desk<'r>,
    arena: &'a Bump,
}

impl<'a> Reader<'_, 'a> {
    fn task<'p>(&self, change: &'p ResourceChange<'a>, kind: Kind) -> Result<Task<'p, 'a>, Error> {
        let state_only = matches!(kind, Kind::Move | Kind::Import | Kind::Forget);
        let shape = if state_only { None } else { Some(self.shapes.of_change(change)?) };
        Ok(Task { change, kind, drifted: None, shape })
    }

    /// Looks at changes, by all processors.
    fn items(&self, tasks: &[Task<'_, 'a>]) -> Result<Vec<Item>, Error> {
        let desk = &self.desk;
        map_in_order(tasks, |task| task.change.size(), |task, arena| desk.item(task, arena))
    }

    fn resources(&self, review: &mut Review, drifted: &BTreeMap<String, Kind>) -> Result<(), Error> {
        let mut unlisted: BTreeMap<&str, usize> = BTreeMap::new();
        let mut tasks = Vec::new();
        for change in &self.plan.resource_changes {
            let Some(kind) = Kind::of(change) else {
                if let Some(why) = unlisted_because(change) {
                    *unlisted.entry(why).or_default() += 1;
                }
                continue;
            };
            review.verdict.add(kind);
            review.verdict.imports += usize::from(change.is_imported());
            review.verdict.moves += usize::from(change.is_moved());
            if !self.desk.options.filter.shows(kind, change) {
                review.filtered += 1;
                continue;
            }
            let drifted = drifted.get(&*change.address).copied();
            tasks.push(Task { drifted, ..self.task(change, kind)? });
        }
        review.items = self.items(&tasks)?;
        review.verdict.cosmetic = review.items.iter().filter(|item| item.cosmetic).count();
        review.items.sort_by_key(|item| item.kind);
        review
            .notes
            .extend(unlisted.into_iter().map(|(why, number)| format!("{} {why}", count(number, "object"))));
        Ok(())
    }

    /// What changed outside of the tool. Gives the addresses, and what happened to each.
    fn drift(&self, review: &mut Review) -> Result<BTreeMap<String, Kind>, Error> {
        let (mut addresses, mut tasks) = (BTreeMap::new(), Vec::new());
        for change in &self.plan.resource_drift {
            if change.change.actions == Action::NoOp {
                continue;
            }
            let Some(kind) = Kind::of(change) else { continue };
            review.verdict.drift += 1;
            addresses.insert(change.address.to_string(), kind);
            if !self.desk.options.filter.shows(kind, change) {
                review.filtered += 1;
                continue;
            }
            tasks.push(self.task(change, kind)?);
        }
        review.drift = self.items(&tasks)?;
        for item in &mut review.drift {
            item.place = Place::Drift;
            item.reasons.retain(|reason| reason.starts_with("moved from"));
        }
        Ok(addresses)
    }

    fn outputs(&self, review: &mut Review) -> Result<(), Error> {
        let differ = Differ::new(self.arena, self.desk.options.dialect);
        for (name, change) in self.plan.output_changes.iter() {
            let cursor = Change::of_document(change, Paths::Always, self.arena)?;
            let diff = differ.output(cursor);
            if diff.action == tree::Action::NoOp {
                continue;
            }
            review.verdict.outputs += 1;
            let found = self.desk.find(Some(name), &diff, differ, self.arena);
            if found.parts.is_empty() && found.unknown.is_empty() {
                let notes =
                    vec![format!("{} hidden by --ignore-attr", count(found.ignored.max(1), "change"))];
                let (path, sign) = (lines::name(name), Sign::of(diff.action));
                review.outputs.push(Part {
                    path,
                    sign,
                    replace: false,
                    body: Body::Noted,
                    notes,
                    cosmetic: false,
                });
            }
            review.outputs.extend(found.parts);
            review.unknown_outputs.extend(found.unknown);
        }
        Ok(())
    }

    /// Changes that are put off, with what is known of them.
    fn deferred(&self, review: &mut Review) -> Result<(), Error> {
        review.verdict.deferred = self.plan.deferred_changes.len();
        for deferred in &self.plan.deferred_changes {
            let change = &deferred.resource_change;
            let kind = Kind::of(change).unwrap_or(Kind::Other);
            if !self.desk.options.filter.shows(kind, change) {
                review.filtered += 1;
                continue;
            }
            let mut item = self.desk.item(&self.task(change, kind)?, self.arena)?;
            item.place = Place::Deferred;
            item.reasons.insert(0, one_line(&reasons::deferred(&deferred.reason)));
            review.deferred.push(item);
        }
        Ok(())
    }

    /// Actions that are invoked, with their configuration.
    fn invocations(&self, review: &mut Review) -> Result<(), Error> {
        review.verdict.invocations = self.plan.action_invocations.len();
        for action in &self.plan.action_invocations {
            if !self.desk.options.filter.shows_address(&action.address) {
                review.filtered += 1;
                continue;
            }
            let found = self.configuration(action)?;
            let module = action.address.split_once(".action.").map_or("", |(module, _)| module);
            let mut item = Item {
                place: Place::Invoked,
                action: "invoke".to_owned(),
                addresses: vec![one_line(&action.address)],
                type_name: one_line(&action.kind),
                module: one_line(module),
                reasons: vec![one_line(&reasons::invoked(action))],
                parts: found.parts,
                unknown: found.unknown,
                ..Item::new(Kind::Other)
            };
            item.parts.iter_mut().for_each(Part::stands_still);
            ignored(&mut item, found.ignored);
            review.invocations.push(item);
        }
        Ok(())
    }

    /// What an action is configured with. It is looked at as something that comes, so that all of it is
    /// found, and passes the gate for secrets.
    fn configuration(&self, action: &ActionInvocation<'a>) -> Result<Found, Error> {
        let arena = self.arena;
        let value = |raw: Option<Raw<'a>>| raw.map_or(Ok(Value::Null), |raw| raw.value(arena));
        let (values, marks) = (value(action.config_values)?, value(action.config_sensitive)?);
        let cursor = Change {
            before: Slot::Absent,
            before_sensitive: Mark::NONE,
            unknown: Unknown::Marked(value(action.config_unknown)?),
            ..Change::unchanged(values, marks)
        };
        let shape = self.shapes.of_action(action)?;
        let block = shape.of(&action.kind, &cursor, &self.desk.unlisted, arena);
        let differ = Differ::new(arena, self.desk.options.dialect);
        Ok(self.desk.find(None, &differ.block(cursor, block), differ, arena))
    }

    /// Checks, and whether the plan is whole.
    fn besides(&self, review: &mut Review) {
        match self.plan.checks.map(checks::read) {
            None => {}
            Some(Ok(problems)) => review.problems = problems,
            Some(Err(error)) => review.notes.push(format!("the results of checks cannot be read: {error}")),
        }
        review.verdict.failed_checks = review.problems.iter().filter(|problem| problem.is_failure()).count();
        if self.plan.complete == Some(false) && !self.plan.errored {
            review.notes.push("the plan is partial: another plan has to follow".to_owned());
        }
    }
}

/// What the shapes at hand do not have, in one sentence.
fn not_compared(names: &[String]) -> Option<String> {
    const NAMED: usize = 8;
    let first = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let rest = match names.len().saturating_sub(NAMED) {
        0 if names.is_empty() => return None,
        0 => String::new(),
        more => format!(" and {more} more; `tfview show` names all"),
    };
    let what = count(names.len(), "attribute");
    Some(one_line(&format!("{what} not in the schema, so not compared: {first}{rest}")))
}

/// Why a change is not listed, where somebody may miss it.
fn unlisted_because(change: &ResourceChange<'_>) -> Option<&'static str> {
    if &*change.mode == "ephemeral" {
        return Some("ephemeral: opened during the run, never stored");
    }
    (change.change.actions == Action::Delete).then_some("data: leaves the state, nothing is destroyed")
}
