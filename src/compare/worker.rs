//! Compares one pair: actions and properties first, then values.

use super::change::{self, ActionPair};
use super::pairs::{Item, provider_path};
use super::tasks::{Invoked, Task, Work};
use super::{Class, Difference, DifferenceKind, Property, Subject, json_text};
use crate::diff::edits::{Comparer, Place, Sides, visible_paths};
use crate::diff::value::MarkedValue;
use crate::diff::{Error, Paths};
use crate::json::{Raw, Value};
use crate::model::configuration::Variable;
use crate::model::plan::{ActionInvocation, Change, Importing};
use crate::schema::Position;

/// Compares one pair.
pub(super) struct Worker<'w, 'a> {
    pub(super) comparer: Comparer<'w, 'a>,
    pub(super) found: Vec<(Class, DifferenceKind<'a>)>,
}

impl<'w, 'a: 'w> Worker<'w, 'a> {
    pub(super) fn differences(mut self, task: &Task<'_, 'a>) -> Result<Vec<Difference<'a>>, Error> {
        let redactor = self.comparer.redactor;
        match &task.work {
            Work::Only(class, what) => self.found.push((*class, what.clone())),
            Work::Change([old, new], positions) => self.change(*old, *new, *positions)?,
            Work::Output([old, new]) => self.output(old, new)?,
            Work::Variable(pair) => self.variable(*pair)?,
            Work::Invocation([old, new], position) => self.invocation(*old, *new, *position)?,
        }
        let (subject, address, deposed) =
            (task.subject, redactor.text(task.address), redactor.text(task.deposed));
        let class_of = |class| if subject == Subject::Drift { Class::World } else { class };
        let found = self.found.into_iter();
        let difference =
            |(class, what)| Difference { class: class_of(class), subject, address, deposed, what };
        Ok(found.map(difference).collect())
    }

    fn property(&mut self, class: Class, property: Property, approved: &str, now: &str) {
        if approved != now {
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            self.found.push((
                class,
                DifferenceKind::Property { property, approved: some(approved), now: some(now) },
            ));
        }
    }

    fn change(
        &mut self,
        old: Item<'_, 'a>,
        new: Item<'_, 'a>,
        positions: [Position<'a>; 2],
    ) -> Result<(), Error> {
        let (was, is) = (old.change, new.change);
        let sides = self.sides([&was.change, &is.change], positions)?;
        if let Some(class) = Class::of_actions(&was.change.actions, &is.change.actions) {
            self.property(class, Property::Actions, was.change.actions.words(), is.change.actions.words());
        }
        let previous = |item: Item<'_, 'a>| {
            if item.change.is_moved() { item.change.previous_address.to_string() } else { String::new() }
        };
        let (from_old, from_new) = (previous(old), previous(new));
        // An approved move that has already been done is less.
        let class = if from_new.is_empty() { Class::Less } else { Class::Action };
        self.property(class, Property::PreviousAddress, &from_old, &from_new);
        self.importing(was.change.importing.as_ref(), is.change.importing.as_ref())?;
        self.provider(&was.provider_name, &is.provider_name);
        self.replace_paths(&was.change, &is.change, sides)?;
        self.property(Class::Text, Property::Reason, &was.action_reason, &is.action_reason);
        self.property(Class::Text, Property::DeferredReason, old.reason, new.reason);
        if *was.change.generated_config != *is.change.generated_config {
            // Its text may contain anything, without marks for sensitive parts.
            self.found.push((
                Class::Text,
                DifferenceKind::Property { property: Property::GeneratedConfig, approved: None, now: None },
            ));
        }
        self.values(sides, ActionPair::new(&was.change.actions, &is.change.actions));
        Ok(())
    }

    fn provider(&mut self, old: &str, new: &str) {
        self.property(Class::Action, Property::Provider, provider_path(old), provider_path(new));
    }

    fn importing(&mut self, old: Option<&Importing<'a>>, new: Option<&Importing<'a>>) -> Result<(), Error> {
        let scratch = self.comparer.build.arena();
        let text = |importing: Option<&Importing<'a>>| {
            let Some(importing) = importing else { return Ok::<_, Error>(String::new()) };
            if importing.unknown {
                return Ok("(known after apply)".to_owned());
            }
            let identity: Option<Raw<'w>> = importing.identity;
            Ok(match identity {
                Some(identity) if importing.id.is_empty() => json_text(identity.value(scratch)?),
                Some(identity) => format!("{} {}", importing.id, json_text(identity.value(scratch)?)),
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

    /// Compares the paths that force replacement, as sets. What one plan hides is hidden in the other.
    fn replace_paths(
        &mut self,
        old: &Change<'a>,
        new: &Change<'a>,
        sides: [Sides<'w>; 2],
    ) -> Result<(), Error> {
        let scratch = self.comparer.build.arena();
        let paths = |raw: Option<Raw<'w>>| {
            let value = visible_paths(Raw::value_or_null(raw, scratch)?, &sides, scratch);
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

    fn output(&mut self, old: &Change<'a>, new: &Change<'a>) -> Result<(), Error> {
        let other_actions = old.actions != new.actions;
        self.property(Class::Value, Property::Actions, old.actions.words(), new.actions.words());
        let actions = ActionPair { other_actions, stays: !other_actions };
        let sides = self.sides([old, new], [Position::Unspecified; 2])?;
        self.values(sides, actions);
        Ok(())
    }

    /// Both sides of two changes, in the approved plan and now.
    fn sides(
        &mut self,
        changes: [&Change<'a>; 2],
        positions: [Position<'w>; 2],
    ) -> Result<[Sides<'w>; 2], Error> {
        let build = self.comparer.build;
        Ok([Sides::read(changes[0], positions[0], build)?, Sides::read(changes[1], positions[1], build)?])
    }

    fn values(&mut self, [approved, now]: [Sides<'w>; 2], actions: ActionPair) {
        self.found.extend(change::values(&mut self.comparer, approved, now, actions));
    }

    fn variable(&mut self, [old, new]: [Option<&Variable<'a>>; 2]) -> Result<(), Error> {
        // A variable that is sensitive in one plan is treated as sensitive in both.
        let is_sensitive = [old, new].into_iter().flatten().any(|variable| variable.is_sensitive());
        let value = |variable: Option<&Variable<'a>>| {
            let text = variable.and_then(|variable| variable.value).map(Raw::text);
            let mark = Value::Bool(is_sensitive);
            self.comparer.build.build(text, Value::Null, mark, Position::Unspecified)
        };
        let (old, new) = (value(old)?, value(new)?);
        self.compare(old, new, Position::Unspecified);
        Ok(())
    }

    fn invocation(
        &mut self,
        (old, old_reason): Invoked<'_, 'a>,
        (new, new_reason): Invoked<'_, 'a>,
        position: Position<'w>,
    ) -> Result<(), Error> {
        let value = |action: &ActionInvocation<'a>| {
            Sides::read(&action.as_change(), position, self.comparer.build).map(|sides| sides.after)
        };
        let (old_value, new_value) = (value(old)?, value(new)?);
        self.provider(&old.provider_name, &new.provider_name);
        self.property(Class::Text, Property::DeferredReason, old_reason, new_reason);
        self.property(Class::Action, Property::OnFailure, old.on_failure(), new.on_failure());
        self.compare(old_value, new_value, position);
        Ok(())
    }

    /// Compares two values and adds all differences.
    fn compare(&mut self, old: MarkedValue<'w>, new: MarkedValue<'w>, position: Position<'w>) {
        for edit in self.comparer.compare(old, new, Place::root(position, Paths::Never)).edits {
            self.found.push((change::class_of(edit), DifferenceKind::Value { edit: *edit, from: None }));
        }
    }
}
