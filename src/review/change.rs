//! From one change of a plan to an item of its review.
//!
//! A change needs nothing of another one, so that they are looked at by all processors; what it needs to be
//! compared lives in an arena that is emptied afterwards. Items own what they hold.

use std::sync::atomic::{AtomicBool, Ordering};

use bumpalo::Bump;

use super::outline::{Found, Outliner};
use super::{Body, Item, Kind, Options, Shown, Sign};
use super::{count, one_line, reasons};
use crate::diff::Differ;
use crate::diff::shapes::{Shape, Unlisted};
use crate::diff::tree::Diff;
use crate::diff::{Change, Paths};
use crate::model::Action;
use crate::model::plan::ResourceChange;
use crate::show::Error;

/// What all changes are looked at with.
pub(super) struct Desk<'r> {
    pub(super) options: &'r Options,
    pub(super) unlisted: Unlisted,
    /// Set when an alignment was cut short.
    pub(super) bounded: AtomicBool,
}

/// A change that is looked at.
pub(super) struct Task<'p, 'a> {
    pub(super) change: &'p ResourceChange<'a>,
    pub(super) kind: Kind,
    /// What happened to the object outside of the tool.
    pub(super) drifted: Option<Kind>,
    /// None where the values do not matter.
    pub(super) shape: Option<Shape<'a>>,
}

impl Desk<'_> {
    /// What changes in a tree that `differ` built: of a resource, an action, or of the output called `name`.
    pub(super) fn find<'a>(
        &self,
        name: Option<&str>,
        diff: &Diff<'a>,
        differ: Differ<'a>,
        arena: &'a Bump,
    ) -> Found {
        let found = Outliner { arena, differ, options: self.options, decoded: 0 }.find(name, diff);
        self.bounded.fetch_or(differ.was_bounded(), Ordering::Relaxed);
        found
    }

    /// The change as an item.
    pub(super) fn item<'c>(&self, task: &Task<'_, 'c>, arena: &'c Bump) -> Result<Item, Error> {
        let Task { change, kind, drifted, shape } = *task;
        let found = match shape {
            Some(shape) => {
                let cursor = Change::of_document(&change.change, Paths::Always, arena)?;
                let block = shape.of(&change.kind, &cursor, &self.unlisted, arena);
                let differ = Differ::new(arena, self.options.dialect);
                self.find(None, &differ.block(cursor, block), differ, arena)
            }
            None => Found::default(),
        };
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
}

/// Says how many changes `--ignore-attr` hides.
pub(super) fn ignored(item: &mut Item, number: usize) {
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
