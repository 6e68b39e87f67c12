//! Writes resource changes: their diffs, headers, bodies, and the actions that they trigger.
//!
//! Changes are independent, so they are processed on all processors. Invariant: everything needed to compare
//! and write a change lives in an arena that is reset afterwards, so memory does not grow with the number of
//! changes.

use std::collections::HashMap;

use bumpalo::Bump;

use super::write::write_in_order;
use super::{Error, Options, ShowReport};
use crate::diff::shapes::{Notes, Shape, Shapes, Source};
use crate::diff::tree::Diff;
use crate::diff::{self, Differ};
use crate::diff::{Cursor, Paths, Unknown};
use crate::json::Raw;
use crate::model::plan::{ActionInvocation, DeferredChange, LifecycleTrigger, Plan, ResourceChange};
use crate::render::{self, Cause, Context};
use crate::schema::Schemas;
use crate::term::{Out, Role};

/// A part of a plan that has a text of its own.
#[derive(Clone, Copy)]
pub(super) enum Part<'p, 'a> {
    Change(&'p ResourceChange<'a>, Cause),
    Deferred(&'p DeferredChange<'a>),
    Action(&'p ActionInvocation<'a>),
}

impl Part<'_, '_> {
    /// The size of its values, in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Change(change, _) => change.change.size(),
            Self::Deferred(deferred) => deferred.resource_change.change.size(),
            Self::Action(_) => 0,
        }
    }
}

/// A part of a plan with the shape of its values.
pub(super) type Shaped<'p, 'a> = (Part<'p, 'a>, Shape<'a>);

/// An action with the shape of its configuration.
pub(super) type ShapedAction<'p, 'a> = (&'p ActionInvocation<'a>, Shape<'a>);

/// Actions and their triggers, by the address of the triggering resource.
type Triggered<'p, 'a> = HashMap<&'p str, Vec<(&'p LifecycleTrigger<'a>, ShapedAction<'p, 'a>)>>;

/// The shapes of a plan, and what its changes share while they are written.
pub(super) struct ShapedPlan<'p, 'a> {
    pub(super) shapes: Shapes<'p, 'a>,
    pub(super) shared: SharedState<'p, 'a>,
}

/// State shared by all changes of a plan while threads write them: triggers, and notes for the user.
pub(super) struct SharedState<'p, 'a> {
    pub(super) actions: Vec<ShapedAction<'p, 'a>>,
    /// The actions triggered by resource changes, by resource address.
    triggered: Triggered<'p, 'a>,
    pub(super) notes: Notes,
}

impl<'p, 'a> ShapedPlan<'p, 'a> {
    pub(super) fn new(plan: &'p Plan<'a>, schemas: &'p Schemas<'a>, arena: &'a Bump) -> Result<Self, Error> {
        let shapes = Shapes::new(schemas, Source::Plan(plan), arena);
        let actions = plan.action_invocations.iter().map(|action| Ok((action, shapes.for_action(action)?)));
        let actions = actions.collect::<Result<Vec<ShapedAction<'p, 'a>>, Error>>()?;
        let mut triggered = Triggered::new();
        for action in &actions {
            if let Some(trigger) = &action.0.lifecycle_action_trigger {
                let address = &*trigger.triggering_resource_address;
                triggered.entry(address).or_default().push((trigger, *action));
            }
        }
        let shared = SharedState { actions, triggered, notes: Notes::default() };
        Ok(ShapedPlan { shapes, shared })
    }

    pub(super) fn printer<'s>(
        &'s self,
        options: &'s Options,
        show_unchanged: bool,
    ) -> ChangePrinter<'s, 'p, 'a> {
        ChangePrinter { options, shared: &self.shared, show_unchanged }
    }

    /// Parts with their shapes. Shapes can fail, so they are looked up before the first byte is written.
    pub(super) fn shaped<'c>(
        &self,
        parts: impl Iterator<Item = Part<'c, 'a>>,
    ) -> Result<Vec<Shaped<'c, 'a>>, Error> {
        let shape = |part| match part {
            Part::Change(change, _) => self.shapes.for_change(change),
            Part::Deferred(deferred) => self.shapes.for_change(&deferred.resource_change),
            Part::Action(action) => self.shapes.for_action(action),
        };
        parts.map(|part| Ok((part, shape(part)?))).collect()
    }

    /// Facts about the text, after everything was written.
    pub(super) fn shown(&self) -> ShowReport {
        ShowReport::new(&self.shapes, &self.shared.notes)
    }
}

/// Writes changes of resources.
#[derive(Clone, Copy)]
pub(super) struct ChangePrinter<'s, 'p, 'a> {
    pub(super) options: &'s Options,
    pub(super) shared: &'s SharedState<'p, 'a>,
    /// Whether to show unchanged parts instead of counting them.
    pub(super) show_unchanged: bool,
}

impl<'a> ChangePrinter<'_, '_, 'a> {
    /// Writes all planned changes, each after an empty line.
    pub(super) fn write_all(self, out: &mut Out<'_>, changes: &[Shaped<'_, 'a>]) -> Result<(), Error> {
        write_in_order(
            out,
            changes,
            |(part, _)| part.size(),
            |out, change, arena| {
                out.lit("\n")?;
                out.folded(|out| self.write(out, *change, arena))
            },
        )
    }

    /// Writes a part, and a line break.
    pub(super) fn write<'c>(
        &self,
        out: &mut Out<'_>,
        (part, shape): Shaped<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error> {
        match part {
            Part::Change(change, cause) => {
                let diff = self.diff(change, shape, Paths::Always, arena)?;
                self.resource(out, change, &diff, cause, arena)?;
                if cause == Cause::Proposed {
                    self.triggered_actions(out, &change.address, arena)?;
                }
                Ok(out.lit("\n")?)
            }
            Part::Deferred(DeferredChange { reason, resource_change }) => {
                let diff = self.diff(resource_change, shape, Paths::Always, arena)?;
                render::deferred(out, reason, resource_change, &diff, self.options.dialect, self.context())?;
                Ok(out.lit("\n")?)
            }
            Part::Action(action) => {
                if action.lifecycle_action_trigger.is_none() {
                    render::action_invoked(out, action)?;
                }
                self.action(out, (action, shape), arena)
            }
        }
    }

    /// The diff of a change.
    pub(super) fn diff<'c>(
        &self,
        change: &ResourceChange<'c>,
        shape: Shape<'c>,
        relevant: Paths<'c>,
        arena: &'c Bump,
    ) -> Result<Diff<'c>, Error> {
        Ok(diff::resource(change, shape, relevant, self.options.dialect, &self.shared.notes, arena)?)
    }

    /// Writes a change.
    pub(super) fn resource<'c>(
        &self,
        out: &mut Out<'_>,
        change: &ResourceChange<'c>,
        diff: &Diff<'c>,
        cause: Cause,
        arena: &'c Bump,
    ) -> Result<(), Error> {
        let identity = change.change.importing.as_ref().and_then(|importing| importing.identity);
        let identity = identity.map(|identity| identity.value(arena)).transpose()?;
        render::resource(out, change, diff, cause, self.options.dialect, identity, self.context())?;
        Ok(())
    }

    /// The context in which a change is rendered.
    fn context(&self) -> Context {
        Context { show_unchanged: self.show_unchanged, ..Context::resource(self.options.show_sensitive) }
    }

    /// Writes the actions triggered by the change of a resource.
    fn triggered_actions(&self, out: &mut Out<'_>, address: &str, arena: &Bump) -> Result<(), Error> {
        let Some(triggered) = self.shared.triggered.get(address) else { return Ok(()) };
        for (when, prefix) in [("before", "Before"), ("after", "After")] {
            let mut actions: Vec<_> = triggered
                .iter()
                .filter(|(trigger, _)| trigger.action_trigger_event.starts_with(prefix))
                .collect();
            if actions.is_empty() {
                continue;
            }
            crate::sort::by_key(&mut actions, |(trigger, _)| {
                (trigger.action_trigger_block_index, trigger.actions_list_index)
            });
            out.lit("\n\n")?;
            out.role(Role::Strong, &format!("    # Actions to be invoked {when} this change in order:\n"))?;
            for (_, action) in actions {
                self.action(out, *action, arena)?;
            }
        }
        Ok(())
    }

    /// Writes an action.
    fn action<'c>(
        &self,
        out: &mut Out<'_>,
        (action, shape): ShapedAction<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error> {
        const SHIFT: usize = 4;
        render::action_address(out, action, SHIFT, self.options.dialect)?;
        let marks = |raw| Raw::marks_or_null(raw, arena);
        let size = action.config_values.map_or(0, |values| values.text().len());
        let values = Cursor::unchanged(
            Raw::value_or_null(action.config_values, arena)?,
            marks(action.config_sensitive)?,
        );
        let change =
            Cursor { unknown: Unknown::Marked(marks(action.config_unknown)?), ..values.checked(size)? };
        let config = Differ::new(arena, self.options.dialect)
            .block(change, shape.block(&action.action_type, &change, &self.shared.notes, arena));
        render::action_invocation(out, action, &config, SHIFT, self.options.show_sensitive)?;
        Ok(())
    }
}
