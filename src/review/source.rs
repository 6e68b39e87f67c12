//! From a plan to its review.

use std::collections::BTreeMap;

use bumpalo::Bump;

use super::outline::{Found, Outliner};
use super::{Body, Item, Kind, Options, Part, Place, Review, Shown, Sign};
use super::{checks, count, lines, one_line, reasons};
use crate::change::{Change, Mark, Paths, Unknown};
use crate::computed::{Diff, Slot};
use crate::differ::Differ;
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Plan, ResourceChange};
use crate::schema::Schemas;
use crate::show::{Error, Shapes, Source, Unlisted};

/// Reviews a plan; `name` is what it is called.
pub fn read<'a>(
    name: &str,
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    arena: &'a Bump,
) -> Result<Review, Error> {
    let shapes = Shapes::new(schemas, Source::Plan(plan), arena);
    let outliner = Outliner { arena, differ: Differ::new(arena, options.dialect), options, decoded: 0 };
    let reader = Reader { plan, shapes: &shapes, outliner, unlisted: Unlisted::default() };
    let mut review = Review { name: name.to_owned(), ..Review::default() };
    review.verdict.errored = plan.errored;
    let drifted = reader.drift(&mut review)?;
    reader.resources(&mut review, &drifted)?;
    reader.outputs(&mut review)?;
    reader.deferred(&mut review)?;
    reader.invocations(&mut review)?;
    reader.besides(&mut review);
    review.notes.extend(not_compared(&reader.unlisted.list()));
    review.inferred = shapes.inferred();
    Ok(review)
}

struct Reader<'r, 'a> {
    plan: &'r Plan<'a>,
    shapes: &'r Shapes<'r, 'a>,
    outliner: Outliner<'r, 'a>,
    unlisted: Unlisted,
}

impl<'a> Reader<'_, 'a> {
    fn diff(&self, change: &ResourceChange<'a>) -> Result<Diff<'a>, Error> {
        let cursor = Change::of_document(&change.change, Paths::Always, self.outliner.arena)?;
        let shape = self.shapes.of_change(change)?;
        let block = shape.of(&change.kind, &cursor, &self.unlisted, self.outliner.arena);
        Ok(self.outliner.differ.block(cursor, block))
    }

    fn resources(&self, review: &mut Review, drifted: &BTreeMap<String, Kind>) -> Result<(), Error> {
        let mut unlisted: BTreeMap<&str, usize> = BTreeMap::new();
        let mut items = Vec::new();
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
            if !self.outliner.options.filter.shows(kind, change) {
                review.filtered += 1;
                continue;
            }
            let item = self.item(change, kind, drifted.get(&*change.address).copied())?;
            review.verdict.cosmetic += usize::from(item.cosmetic);
            items.push(item);
        }
        items.sort_by_key(|item| item.kind);
        review.items = items;
        review
            .notes
            .extend(unlisted.into_iter().map(|(why, number)| format!("{} {why}", count(number, "object"))));
        Ok(())
    }

    fn item(&self, change: &ResourceChange<'a>, kind: Kind, drifted: Option<Kind>) -> Result<Item, Error> {
        let state_only = matches!(kind, Kind::Move | Kind::Import | Kind::Forget);
        let found = if state_only { Found::default() } else { self.outliner.find(None, &self.diff(change)?) };
        let reasons = reasons::of(change, kind, &found.parts, drifted);
        let address = match change.deposed.is_empty() {
            true => change.address.to_string(),
            false => format!("{} (deposed object {})", change.address, change.deposed),
        };
        let cosmetic = kind == Kind::Update
            && found.unknown.is_empty()
            && found.ignored == 0
            && found.parts.iter().any(|part| part.cosmetic)
            && found.parts.iter().all(|part| part.cosmetic || part.sign == Sign::Same);
        let mut item = Item {
            action: action_words(&change.change.actions),
            addresses: vec![one_line(&address)],
            type_name: one_line(&change.kind),
            module: one_line(&change.module_address),
            reasons,
            parts: found.parts,
            unknown: found.unknown,
            unchanged: found.unchanged,
            cosmetic,
            ..Item::new(kind)
        };
        if kind == Kind::Destroy {
            shorten(&mut item);
        }
        ignored(&mut item, found.ignored);
        if kind == Kind::Forget {
            item.omitted
                .push("the values of the object: `tfview show` prints them where the tool does".to_owned());
        }
        Ok(item)
    }

    /// What changed outside of the tool. Gives the addresses, and what happened to each.
    fn drift(&self, review: &mut Review) -> Result<BTreeMap<String, Kind>, Error> {
        let mut addresses = BTreeMap::new();
        for change in &self.plan.resource_drift {
            if change.change.actions == Action::NoOp {
                continue;
            }
            let Some(kind) = Kind::of(change) else { continue };
            review.verdict.drift += 1;
            addresses.insert(change.address.to_string(), kind);
            if !self.outliner.options.filter.shows(kind, change) {
                review.filtered += 1;
                continue;
            }
            let mut item = self.item(change, kind, None)?;
            item.place = Place::Drift;
            item.reasons.retain(|reason| reason.starts_with("moved from"));
            review.drift.push(item);
        }
        Ok(addresses)
    }

    fn outputs(&self, review: &mut Review) -> Result<(), Error> {
        for (name, change) in self.plan.output_changes.iter() {
            let diff =
                self.outliner.differ.output(Change::of_document(change, Paths::Always, self.outliner.arena)?);
            if diff.action == crate::computed::Action::NoOp {
                continue;
            }
            review.verdict.outputs += 1;
            let found = self.outliner.find(Some(name), &diff);
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
            if !self.outliner.options.filter.shows(kind, change) {
                review.filtered += 1;
                continue;
            }
            let mut item = self.item(change, kind, None)?;
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
            if !self.outliner.options.filter.shows_address(&action.address) {
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
        let arena = self.outliner.arena;
        let value = |raw: Option<Raw<'a>>| raw.map_or(Ok(Value::Null), |raw| raw.value(arena));
        let (values, marks) = (value(action.config_values)?, value(action.config_sensitive)?);
        let cursor = Change {
            before: Slot::Absent,
            before_sensitive: Mark::NONE,
            unknown: Unknown::Marked(value(action.config_unknown)?),
            ..Change::unchanged(values, marks)
        };
        let shape = self.shapes.of_action(action)?;
        let block = shape.of(&action.kind, &cursor, &self.unlisted, arena);
        Ok(self.outliner.find(None, &self.outliner.differ.block(cursor, block)))
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

/// Says how many changes `--ignore-attr` hides.
fn ignored(item: &mut Item, number: usize) {
    if number > 0 {
        item.omitted.push(format!("{} hidden by --ignore-attr", count(number, "change")));
    }
}

/// Of an object that goes, what it is known by; the rest is counted.
fn shorten(item: &mut Item) {
    const NAMES: [&str; 8] =
        ["id", "name", "arn", "bucket", "description", "identifier", "self_link", "tags.Name"];
    const FEW: usize = 4;
    if item.parts.len() <= FEW {
        return;
    }
    let before = item.parts.len();
    item.parts.retain(|part| {
        NAMES.contains(&part.path.as_str()) && matches!(&part.body, Body::One(shown) if *shown != Shown::Null)
    });
    let hidden = before - item.parts.len();
    item.omitted.push(format!(
        "{} of what goes not shown; `tfview show` prints all",
        count(hidden, if item.parts.is_empty() { "value" } else { "other value" })
    ));
}

fn action_words(action: &Action) -> String {
    match action {
        Action::NoOp => "no-op",
        Action::Create => "create",
        Action::Read => "read",
        Action::Update => "update",
        Action::Delete => "delete",
        Action::DeleteThenCreate => "delete,create",
        Action::CreateThenDelete => "create,delete",
        Action::Forget => "forget",
        Action::ForgetThenCreate => "forget,create",
        Action::CreateThenForget => "create,forget",
        Action::Open => "open",
        Action::Unknown(words) => words,
    }
    .to_owned()
}
