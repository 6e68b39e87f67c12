//! Writes resource changes: their diffs, headers, bodies, and the actions that they trigger.
//!
//! Changes are independent, so they are processed on all processors. Invariant: everything needed to compare
//! and write a change lives in an arena that is reset afterwards, so memory does not grow with the number of
//! changes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use bumpalo::Bump;

use super::write::write_in_order;
use super::{Error, Options};
use crate::diff::shapes::{NotInSchema, Shape};
use crate::diff::tree::Diff;
use crate::diff::{self, Differ};
use crate::diff::{Change, Paths, Unknown};
use crate::json::{Raw, Value};
use crate::model::plan::{ActionInvocation, LifecycleTrigger, ResourceChange};
use crate::render::{self, Cause, Context};
use crate::term::{Out, Role};

/// A change with its shape.
pub(super) type Shaped<'p, 'a> = (&'p ResourceChange<'a>, Shape<'a>);

/// An action with the shape of its configuration.
pub(super) type ShapedAction<'p, 'a> = (&'p ActionInvocation<'a>, Shape<'a>);

/// Actions and their triggers, by the address of the triggering resource.
pub(super) type Triggered<'p, 'a> = HashMap<&'p str, Vec<(&'p LifecycleTrigger<'a>, ShapedAction<'p, 'a>)>>;

/// Collects the actions that resources trigger.
pub(super) fn triggered<'p, 'a>(actions: &[ShapedAction<'p, 'a>]) -> Triggered<'p, 'a> {
    let mut triggered = Triggered::new();
    for action in actions {
        if let Some(trigger) = &action.0.lifecycle_action_trigger {
            triggered.entry(&*trigger.triggering_resource_address).or_default().push((trigger, *action));
        }
    }
    triggered
}

/// The state shared by all changes of a plan while they are written.
#[derive(Clone, Copy)]
pub(super) struct ChangePrinter<'p, 'a> {
    pub(super) options: &'p Options,
    pub(super) actions: &'p [ShapedAction<'p, 'a>],
    /// The actions triggered by resource changes, by resource address.
    pub(super) triggered: &'p Triggered<'p, 'a>,
    /// Set when an alignment exceeded its step limit.
    pub(super) bounded: &'p AtomicBool,
    pub(super) not_in_schema: &'p NotInSchema,
    /// Whether to show unchanged parts instead of counting them.
    pub(super) show_unchanged: bool,
}

impl<'a> ChangePrinter<'_, 'a> {
    /// Writes all planned changes, each after an empty line.
    pub(super) fn write_all(self, out: &mut Out<'_>, changes: &[Shaped<'_, 'a>]) -> Result<(), Error> {
        write_in_order(
            out,
            changes,
            |(change, _)| change.size(),
            |out, change, arena| self.planned(out, *change, arena),
        )
    }

    fn planned<'c>(
        &self,
        out: &mut Out<'_>,
        (change, shape): Shaped<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error>
    where
        'a: 'c,
    {
        out.lit("\n")?;
        let diff = self.diff(change, shape, Paths::Always, arena)?;
        out.folded(|out| {
            self.resource(out, change, &diff, Cause::Proposed, arena)?;
            self.triggered_actions(out, &change.address, arena)?;
            Ok(out.lit("\n")?)
        })
    }

    /// The diff of a change.
    pub(super) fn diff<'c>(
        &self,
        change: &ResourceChange<'c>,
        shape: Shape<'c>,
        relevant: Paths<'c>,
        arena: &'c Bump,
    ) -> Result<Diff<'c>, Error> {
        let dialect = self.options.dialect;
        let compared = diff::resource(change, shape, relevant, dialect, self.not_in_schema, arena)?;
        self.bounded.fetch_or(compared.bounded, Ordering::Relaxed);
        Ok(compared.diff)
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
    pub(super) fn context(&self) -> Context {
        Context { show_unchanged: self.show_unchanged, ..Context::resource(self.options.show_sensitive) }
    }

    /// Writes the actions triggered by the change of a resource.
    pub(super) fn triggered_actions(
        &self,
        out: &mut Out<'_>,
        address: &str,
        arena: &Bump,
    ) -> Result<(), Error> {
        let Some(triggered) = self.triggered.get(address) else { return Ok(()) };
        for (when, prefix) in [("before", "Before"), ("after", "After")] {
            let mut actions: Vec<_> = triggered
                .iter()
                .filter(|(trigger, _)| trigger.action_trigger_event.starts_with(prefix))
                .collect();
            if actions.is_empty() {
                continue;
            }
            actions
                .sort_by_key(|(trigger, _)| (trigger.action_trigger_block_index, trigger.actions_list_index));
            out.lit("\n\n")?;
            out.role(Role::Strong, &format!("    # Actions to be invoked {when} this change in order:\n"))?;
            for (_, action) in actions {
                self.action(out, *action, arena)?;
            }
        }
        Ok(())
    }

    /// Writes an action.
    pub(super) fn action<'c>(
        &self,
        out: &mut Out<'_>,
        (action, shape): ShapedAction<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error> {
        const SHIFT: usize = 4;
        render::action_address(out, action, SHIFT, self.options.dialect)?;
        let value = |raw: Option<Raw<'c>>| raw.map_or(Ok(Value::Null), |raw| raw.value(arena));
        let change = Change {
            unknown: Unknown::Marked(value(action.config_unknown)?),
            ..Change::unchanged(value(action.config_values)?, value(action.config_sensitive)?)
        };
        let size = action.config_values.map_or(0, |values| values.text().len());
        let config = Differ::new(arena, self.options.dialect)
            .for_size(size)
            .block(change, shape.of(&action.action_type, &change, self.not_in_schema, arena));
        render::action_invocation(out, action, &config, SHIFT, self.options.show_sensitive)?;
        Ok(())
    }
}
