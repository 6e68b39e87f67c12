//! Writes resource changes, and the actions that they trigger.
//!
//! Changes are independent of each other, so they are processed on all processors. Invariant: everything that is needed
//! to compare and write a change is in an arena that is reset afterwards, so memory does not grow with the number of
//! changes.

use std::collections::{HashMap, HashSet};

use bumpalo::Bump;

use super::outputs::OutputDiffs;
use super::{Error, Options, ShowReport, write_in_order};
use crate::diff::notes::Notes;
use crate::diff::parallel::map_in_order;
use crate::diff::shapes::{Shape, Shapes, Source};
use crate::diff::tree::Diff;
use crate::diff::{self, Cursor, Differ, Paths, Unknown};
use crate::json::Raw;
use crate::model::address::AddressSelector;
use crate::model::plan::{
    ActionInvocation, DeferredChange, LifecycleTrigger, Plan, ResourceChange,
};
use crate::render::{self, Cause, Context, PlanTexts};
use crate::schema::Schemas;
use crate::term::{Out, Role, StyledText};

/// A part of a plan that has its own text.
#[derive(Clone, Copy)]
pub(super) enum PrintedPart<'p, 'a> {
    Change(&'p ResourceChange<'a>, Cause),
    Deferred(&'p DeferredChange<'a>),
    Action(&'p ActionInvocation<'a>),
}

impl PrintedPart<'_, '_> {
    /// Returns the size of the values, in bytes. It is 0 for actions, which are small.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Change(change, _) => change.change.size(),
            Self::Deferred(deferred) => deferred.resource_change.change.size(),
            Self::Action(_) => 0,
        }
    }
}

/// A part of a plan, with the shape of its values.
#[derive(Clone, Copy)]
pub(super) struct ShapedPart<'p, 'a> {
    pub(super) part: PrintedPart<'p, 'a>,
    pub(super) shape: Shape<'a>,
}

/// An action that the plan invokes, with the shape of its configuration.
#[derive(Clone, Copy)]
pub(super) struct ShapedAction<'p, 'a> {
    pub(super) action: &'p ActionInvocation<'a>,
    pub(super) shape: Shape<'a>,
}

/// An action that is triggered by the change of an object.
struct TriggeredAction<'p, 'a> {
    trigger: &'p LifecycleTrigger<'a>,
    action: ShapedAction<'p, 'a>,
}

/// A plan with the shapes of its values, and the printer of its changes.
pub(super) struct ShapedPlan<'p, 'a> {
    pub(super) shapes: Shapes<'p, 'a>,
    pub(super) printer: ChangePrinter<'p, 'a>,
}

/// The printer of changes. All threads that write changes of a plan share it.
pub(super) struct ChangePrinter<'p, 'a> {
    /// The way in which values are laid out.
    cx: Context,
    /// The actions of the plan, with their shapes.
    pub(super) actions: Vec<ShapedAction<'p, 'a>>,
    /// The actions that are triggered by the change of a resource, by its address.
    triggered: HashMap<&'p str, Vec<TriggeredAction<'p, 'a>>>,
    /// The remarks of all threads about differences from the tools' text.
    pub(super) notes: Notes,
}

impl<'p, 'a> ShapedPlan<'p, 'a> {
    /// Prepares the shapes of a plan, and the shapes of all of its actions.
    pub(super) fn new(
        plan: &'p Plan<'a>,
        schemas: &'p Schemas<'a>,
        cx: Context,
        arena: &'a Bump,
    ) -> Result<Self, Error> {
        let shapes = Shapes::new(schemas, Source::Plan(plan), arena);
        let printer = ChangePrinter::new(plan, &shapes, cx)?;
        Ok(Self { shapes, printer })
    }

    /// Looks up the shape of each part. Fails if a schema is malformed.
    pub(super) fn shaped<'c>(
        &self,
        parts: impl Iterator<Item = PrintedPart<'c, 'a>>,
    ) -> Result<Vec<ShapedPart<'c, 'a>>, Error> {
        let shape = |part| match part {
            PrintedPart::Change(change, _) => self.shapes.for_change(change),
            PrintedPart::Deferred(deferred) => self.shapes.for_change(&deferred.resource_change),
            PrintedPart::Action(action) => self.shapes.for_action(action),
        };
        parts
            .map(|part| {
                let shape = shape(part)?;
                Ok(ShapedPart { part, shape })
            })
            .collect()
    }

    /// Returns the facts that the user should know about the text that was written.
    pub(super) fn shown(&self) -> ShowReport {
        ShowReport::new(&self.printer.notes)
    }
}

impl<'p, 'a> ChangePrinter<'p, 'a> {
    /// Looks up the shapes of all actions, and groups them by the resources that trigger them.
    fn new(plan: &'p Plan<'a>, shapes: &Shapes<'p, 'a>, cx: Context) -> Result<Self, Error> {
        let actions = plan.action_invocations.iter().map(|action| {
            let shape = shapes.for_action(action)?;
            Ok(ShapedAction { action, shape })
        });
        let actions = actions.collect::<Result<Vec<ShapedAction<'p, 'a>>, Error>>()?;
        let mut triggered: HashMap<&str, Vec<_>> = HashMap::new();
        for action in &actions {
            if let Some(trigger) = &action.action.lifecycle_action_trigger {
                let address = &*trigger.triggering_resource_address;
                triggered.entry(address).or_default().push(TriggeredAction {
                    trigger,
                    action: *action,
                });
            }
        }
        Ok(Self {
            cx,
            actions,
            triggered,
            notes: Notes::default(),
        })
    }
}

impl<'a> ChangePrinter<'_, 'a> {
    /// Writes changes in parallel, each after an empty line and in a fold if the log has folds.
    pub(super) fn write_all(
        &self,
        out: &mut Out<'_>,
        changes: &[ShapedPart<'_, 'a>],
    ) -> Result<(), Error> {
        write_in_order(
            out,
            changes,
            |shaped| shaped.part.size(),
            |out, change, arena| {
                out.lit("\n")?;
                out.folded(|out| self.write(out, *change, arena))
            },
        )
    }

    /// Writes one change, deferred change or action.
    pub(super) fn write<'c>(
        &self,
        out: &mut Out<'_>,
        ShapedPart { part, shape }: ShapedPart<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error> {
        match part {
            PrintedPart::Change(change, cause) => {
                let diff = self.diff(change, shape, Paths::Always, arena)?;
                self.resource(out, change, &diff, cause, arena)?;
                if cause == Cause::Proposed {
                    self.triggered_actions(out, &change.address, arena)?;
                }
                Ok(out.lit("\n")?)
            }
            PrintedPart::Deferred(DeferredChange {
                reason,
                resource_change,
            }) => {
                let diff = self.diff(resource_change, shape, Paths::Always, arena)?;
                render::deferred(out, reason, resource_change, &diff, self.cx)?;
                Ok(out.lit("\n")?)
            }
            PrintedPart::Action(action) => {
                if action.lifecycle_action_trigger.is_none() {
                    render::action_invoked(out, action)?;
                }
                self.action(out, ShapedAction { action, shape }, arena)
            }
        }
    }

    /// Compares both sides of a change.
    pub(super) fn diff<'c>(
        &self,
        change: &ResourceChange<'c>,
        shape: Shape<'c>,
        relevant: Paths<'c>,
        arena: &'c Bump,
    ) -> Result<Diff<'c>, Error> {
        Ok(diff::resource(
            change,
            shape,
            relevant,
            self.cx.dialect,
            &self.notes,
            arena,
        )?)
    }

    /// Writes a change that was compared before, with the identity by which its object is imported.
    pub(super) fn resource<'c>(
        &self,
        out: &mut Out<'_>,
        change: &ResourceChange<'c>,
        diff: &Diff<'c>,
        cause: Cause,
        arena: &'c Bump,
    ) -> Result<(), Error> {
        let identity = change
            .change
            .importing
            .as_ref()
            .and_then(|importing| importing.identity);
        let identity = identity.map(|identity| identity.value(arena)).transpose()?;
        Ok(render::resource(
            out, change, diff, cause, identity, self.cx,
        )?)
    }

    /// Writes the actions that a change invokes before and after it, in the order of the configuration.
    fn triggered_actions(
        &self,
        out: &mut Out<'_>,
        address: &str,
        arena: &Bump,
    ) -> Result<(), Error> {
        let Some(triggered) = self.triggered.get(address) else {
            return Ok(());
        };
        for (when, prefix) in [("before", "Before"), ("after", "After")] {
            let mut actions: Vec<_> = triggered
                .iter()
                .filter(|one| one.trigger.action_trigger_event.starts_with(prefix))
                .collect();
            if actions.is_empty() {
                continue;
            }
            actions.sort_by_key(|TriggeredAction { trigger, .. }| {
                (
                    trigger.action_trigger_block_index,
                    trigger.actions_list_index,
                )
            });
            out.lit("\n\n")?;
            out.role(
                Role::Strong,
                &format!("    # Actions to be invoked {when} this change in order:\n"),
            )?;
            for triggered in actions {
                self.action(out, triggered.action, arena)?;
            }
        }
        Ok(())
    }

    /// Writes the configuration of an action.
    fn action<'c>(
        &self,
        out: &mut Out<'_>,
        ShapedAction { action, shape }: ShapedAction<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error> {
        let marks = |raw| Raw::marks_or_null(raw, arena);
        let size = action.config_values.map_or(0, |values| values.text().len());
        let values = Cursor::unchanged(
            Raw::value_or_null(action.config_values, arena)?,
            marks(action.config_sensitive)?,
        );
        let change = Cursor {
            unknown: Unknown::Marked(marks(action.config_unknown)?),
            ..values.checked(size)?
        };
        let config = Differ::new(arena, self.cx.dialect).block(
            change,
            shape.block(&action.action_type, &change, &self.notes, arena),
        );
        Ok(render::action_invocation(out, action, &config, self.cx)?)
    }
}

/// Writes the selected parts of a plan: drift, deferred changes, planned changes (including no-ops), and actions that
/// no written change triggers. Unchanged values are shown.
///
/// # Errors
/// Returns an error if a value or a schema is malformed, a value is too large, or the text cannot be written.
pub fn selected<'a>(
    plan: &Plan<'a>,
    selectors: &[AddressSelector],
    schemas: &Schemas<'a>,
    options: &Options,
    out: &mut Out<'_>,
    arena: &'a Bump,
) -> Result<ShowReport, Error> {
    let shaped = ShapedPlan::new(
        plan,
        schemas,
        Context {
            show_unchanged: true,
            ..options.context()
        },
        arena,
    )?;
    let is_selected = |change: &&_| {
        selectors
            .iter()
            .any(|selector| selector.matches_change(change))
    };
    let drift = plan.resource_drift.iter().filter(is_selected);
    let drift = drift.map(|change| PrintedPart::Change(change, Cause::Drift));
    let deferred = plan
        .deferred_changes
        .iter()
        .filter(|change| is_selected(&&change.resource_change));
    let planned = plan.resource_changes.iter().filter(is_selected);
    let written: HashSet<&str> = planned.clone().map(|change| &*change.address).collect();
    let planned = planned.map(|change| PrintedPart::Change(change, Cause::Proposed));
    let mut parts = shaped.shaped(
        drift
            .chain(deferred.map(PrintedPart::Deferred))
            .chain(planned),
    )?;
    for ShapedAction { action, shape } in &shaped.printer.actions {
        let is_named = selectors
            .iter()
            .any(|selector| selector.matches(&action.address));
        // Actions that are triggered by a selected change are written with it.
        let trigger = action.lifecycle_action_trigger.as_ref();
        let is_written =
            trigger.is_some_and(|trigger| written.contains(&*trigger.triggering_resource_address));
        if is_named && !is_written {
            parts.push(ShapedPart {
                part: PrintedPart::Action(action),
                shape: *shape,
            });
        }
    }
    for (index, part) in parts.into_iter().enumerate() {
        out.lit(if index > 0 { "\n" } else { "" })?;
        out.folded(|out| shaped.printer.write(out, part, arena))?;
    }
    Ok(shaped.shown())
}

/// Returns the tool's texts of all changes. Each text is the one that [`plan`](super::plan()) writes for the change,
/// without the empty line before it. With `show_unchanged`, no unchanged part is hidden.
///
/// # Errors
/// Returns an error if a value or a schema is malformed, or a value is too large.
pub fn plan_texts<'a>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    show_unchanged: bool,
    arena: &'a Bump,
) -> Result<PlanTexts, Error> {
    let shaped = ShapedPlan::new(
        plan,
        schemas,
        Context {
            show_unchanged,
            ..options.context()
        },
        arena,
    )?;
    let printer = &shaped.printer;
    let texts = |parts: Vec<ShapedPart<'_, 'a>>| {
        let text = |part: &_, arena: &_| StyledText::new(|out| printer.write(out, *part, arena));
        map_in_order(&parts, |shaped| shaped.part.size(), text)
    };
    let changed = plan
        .resource_changes
        .iter()
        .filter(|change| !change.has_no_effect());
    let resources =
        shaped.shaped(changed.map(|change| PrintedPart::Change(change, Cause::Proposed)))?;
    let drift = plan
        .resource_drift
        .iter()
        .map(|change| PrintedPart::Change(change, Cause::Drift));
    let drift = shaped.shaped(drift)?;
    let deferred = shaped.shaped(plan.deferred_changes.iter().map(PrintedPart::Deferred))?;
    let actions = &shaped.printer.actions;
    let invocations = actions
        .iter()
        .map(|ShapedAction { action, shape }| ShapedPart {
            part: PrintedPart::Action(action),
            shape: *shape,
        })
        .collect();
    let outputs = OutputDiffs::new(plan, options.dialect)?;
    Ok(PlanTexts {
        resources: texts(resources)?,
        drift: texts(drift)?,
        deferred: texts(deferred)?,
        invocations: texts(invocations)?,
        outputs: StyledText::new(|out| outputs.write(out, options.context()))?,
    })
}

/// The tool's texts of single changes, each of which is written when it is requested.
///
/// Changes are identified by their index, as in [`PlanTexts`].
pub struct ChangeTexts<'p, 'a> {
    /// The plan.
    plan: &'p Plan<'a>,
    /// The options of the texts.
    options: Options,
    /// The changes of the plan with their shapes.
    shaped: ShapedPlan<'p, 'a>,
    /// The printer that hides no unchanged part.
    whole: ChangePrinter<'p, 'a>,
    /// All changes of resources except for no-ops that neither move nor import an object.
    resources: Vec<&'p ResourceChange<'a>>,
}

impl<'p, 'a> ChangeTexts<'p, 'a> {
    /// Prepares the texts of a plan.
    ///
    /// # Errors
    /// Returns an error if the configuration of an action cannot be read.
    pub fn new(
        plan: &'p Plan<'a>,
        schemas: &'p Schemas<'a>,
        options: &Options,
        arena: &'a Bump,
    ) -> Result<Self, Error> {
        let shaped = ShapedPlan::new(plan, schemas, options.context(), arena)?;
        let whole = Context {
            show_unchanged: true,
            ..options.context()
        };
        Ok(Self {
            plan,
            options: *options,
            whole: ChangePrinter::new(plan, &shaped.shapes, whole)?,
            shaped,
            resources: plan
                .resource_changes
                .iter()
                .filter(|change| !change.has_no_effect())
                .collect(),
        })
    }

    /// Returns the text of a resource's change. With `show_unchanged`, no unchanged part is hidden.
    pub fn resource(&self, index: usize, show_unchanged: bool) -> Result<StyledText, Error> {
        let change = self.resources.get(index);
        let part = change.map(|change| PrintedPart::Change(change, Cause::Proposed));
        self.text(part, show_unchanged)
    }

    /// Returns the text of an object's change outside of the tool.
    pub fn drift(&self, index: usize, show_unchanged: bool) -> Result<StyledText, Error> {
        let change = self.plan.resource_drift.get(index);
        let part = change.map(|change| PrintedPart::Change(change, Cause::Drift));
        self.text(part, show_unchanged)
    }

    /// Returns the text of a deferred change.
    pub fn deferred(&self, index: usize, show_unchanged: bool) -> Result<StyledText, Error> {
        let part = self
            .plan
            .deferred_changes
            .get(index)
            .map(PrintedPart::Deferred);
        self.text(part, show_unchanged)
    }

    /// Returns the text of an action to invoke.
    pub fn invocation(&self, index: usize) -> Result<StyledText, Error> {
        let action = self.shaped.printer.actions.get(index);
        self.text(
            action.map(|shaped| PrintedPart::Action(shaped.action)),
            false,
        )
    }

    /// Returns the text of the changes of all outputs.
    pub fn outputs(&self) -> Result<StyledText, Error> {
        let outputs = OutputDiffs::new(self.plan, self.options.dialect)?;
        StyledText::new(|out| outputs.write(out, self.options.context()))
    }

    /// Returns the text of a part; empty if there is no such part.
    fn text(
        &self,
        part: Option<PrintedPart<'p, 'a>>,
        show_unchanged: bool,
    ) -> Result<StyledText, Error> {
        let printer = if show_unchanged {
            &self.whole
        } else {
            &self.shaped.printer
        };
        let arena = Bump::new();
        let mut shaped = self.shaped.shaped(part.into_iter())?;
        let Some(shaped) = shaped.pop() else {
            return Ok(StyledText::default());
        };
        StyledText::new(|out| printer.write(out, shaped, &arena))
    }
}
