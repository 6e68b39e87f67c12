//! Finds the blocks of the configuration for whose objects an apply does something, and the values that are known only
//! after apply.

use std::collections::{BTreeMap, BTreeSet};

use bumpalo::Bump;

use crate::diff::Error;
use crate::json::Raw;
use crate::model::Action;
use crate::model::configuration::{self, ACTION_MODE};
use crate::model::plan::{ActionInvocation, Plan, ResourceChange};

/// The key of a block of the configuration: its module, and its address there without instance keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockKey<'p> {
    /// The names of the module calls that lead to the block, from the root on.
    pub(super) module: Vec<String>,
    /// Whether the block is an action and not a resource.
    pub(super) is_action: bool,
    /// The type of the resource or of the action.
    pub(super) resource_type: &'p str,
    /// The name of the block.
    pub(super) name: &'p str,
}

impl<'p> BlockKey<'p> {
    fn by(change: &'p ResourceChange<'_>) -> Self {
        Self {
            module: configuration::calls(&change.module_address),
            is_action: false,
            resource_type: &change.resource_type,
            name: &change.name,
        }
    }

    /// Returns the key of the block that an invocation is of.
    fn of_action(action: &'p ActionInvocation<'_>) -> Self {
        let module = action.address.split("action.").next().unwrap_or_default();
        Self {
            module: configuration::calls(module.trim_end_matches('.')),
            is_action: true,
            resource_type: &action.action_type,
            name: &action.name,
        }
    }

    /// Returns the address without instance keys.
    pub(super) fn address(&self) -> String {
        let mut address = String::new();
        for name in &self.module {
            address.push_str(&format!("module.{name}."));
        }
        if self.is_action {
            address.push_str("action.");
        }
        address + &format!("{}.{}", self.resource_type, self.name)
    }
}

/// The effects of an apply on the objects of a block, as far as provisioners depend on them.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects<'p, 'a> {
    /// Whether objects are created, so that the provisioners for creation run.
    pub(super) creates: bool,
    /// Whether objects may be destroyed, so that the provisioners for destruction may run.
    pub(super) destroys: bool,
    /// The changes that may destroy an object.
    pub(super) destroyed: Vec<&'p ResourceChange<'a>>,
    /// The changes after which there is an object, so that its arguments are evaluated.
    pub(super) made: Vec<&'p ResourceChange<'a>>,
}

/// Returns the blocks for whose objects the apply of `plan` does something, with what it does to these.
pub(super) fn effects_by_block<'p, 'a>(
    plan: &'p Plan<'a>,
) -> BTreeMap<BlockKey<'p>, Effects<'p, 'a>> {
    let mut by_block: BTreeMap<BlockKey<'p>, Effects<'p, 'a>> = BTreeMap::new();
    for change in plan
        .resource_changes
        .iter()
        .filter(|change| !change.has_no_effect())
    {
        let effects = by_block.entry(BlockKey::by(change)).or_default();
        let actions = &change.change.actions;
        if change
            .change
            .after
            .is_some_and(|after| after.text() != "null")
        {
            effects.made.push(change);
        }
        effects.creates |= runs_when_created(actions);
        if actions.may_destroy() {
            effects.destroys = true;
            effects.destroyed.push(change);
        }
    }
    for action in plan.actions() {
        by_block.entry(BlockKey::of_action(action)).or_default();
    }
    by_block
}

/// The attributes that are known after apply, by block and by the mode of the resource.
pub(super) type Unknown<'p, 'a> = BTreeMap<BlockKey<'p>, BTreeMap<&'p str, UnknownOf<'p, 'a>>>;

/// The attributes of the objects of a block that are known after apply, at least in part.
pub(super) struct UnknownOf<'p, 'a> {
    /// One of the objects, which all have the same schema.
    pub(super) example: Example<'p, 'a>,
    /// The names of the attributes.
    pub(super) names: BTreeSet<&'p str>,
}

/// An object or an invocation that serves to find the schema of its type.
#[derive(Clone, Copy)]
pub(super) enum Example<'p, 'a> {
    Resource(&'p ResourceChange<'a>),
    Action(&'p ActionInvocation<'a>),
}

/// Whether an action creates an object, so that the provisioners for creation run.
fn runs_when_created(action: &Action) -> bool {
    action.makes_whole_object() && !matches!(action, Action::Read | Action::Open)
}

/// The effects of an apply, and the values that are known only after it.
pub(super) struct Applied<'p, 'a> {
    /// The plan that is applied.
    pub(super) changes: &'p Plan<'a>,
    /// The effects on the objects of each block.
    pub(super) effects: BTreeMap<BlockKey<'p>, Effects<'p, 'a>>,
    /// The attributes that are known after apply in any of the compared plans.
    pub(super) unknown: Unknown<'p, 'a>,
    /// The outputs that are known after apply, at least in part, in any of the compared plans.
    pub(super) unknown_outputs: BTreeSet<&'p str>,
}

impl<'p, 'a> Applied<'p, 'a> {
    /// Collects what the apply of a plan does. The marks of unknown values are parsed into the arena.
    ///
    /// # Errors
    /// If the marks of a value are malformed.
    pub(super) fn new(changes: &'p Plan<'a>, arena: &'p Bump) -> Result<Self, Error> {
        let mut applied = Self {
            changes,
            effects: effects_by_block(changes),
            unknown: Unknown::new(),
            unknown_outputs: BTreeSet::new(),
        };
        applied.add_unknown(changes, arena)?;
        Ok(applied)
    }

    /// Whether the apply does nothing that is compared.
    pub(super) fn is_nothing(&self) -> bool {
        self.effects.is_empty() && self.unknown_outputs.is_empty()
    }

    /// Adds the attributes and outputs that are known after apply in `plan`, which may be another plan than the one
    /// that is applied.
    ///
    /// # Errors
    /// If the marks of a value are malformed.
    pub(super) fn add_unknown(&mut self, plan: &'p Plan<'a>, arena: &'p Bump) -> Result<(), Error> {
        for change in &plan.resource_changes {
            if !change.has_no_effect() {
                let names = unknown_names(change.change.after_unknown, arena)?;
                let key = BlockKey::by(change);
                self.add_names(key, &change.mode, Example::Resource(change), names);
            }
        }
        for action in plan.actions() {
            let names = unknown_names(action.config_unknown, arena)?;
            let key = BlockKey::of_action(action);
            self.add_names(key, ACTION_MODE, Example::Action(action), names);
        }
        for (name, change) in plan.output_changes.iter() {
            let unknown = Raw::marks_or_null(change.after_unknown, arena)?;
            if change.actions != Action::NoOp && unknown.has_true() {
                self.unknown_outputs.insert(name);
            }
        }
        Ok(())
    }

    /// Adds attributes to those of a block that are known after apply.
    fn add_names(
        &mut self,
        key: BlockKey<'p>,
        mode: &'p str,
        example: Example<'p, 'a>,
        names: Vec<&'p str>,
    ) {
        if names.is_empty() {
            return;
        }
        let modes = self.unknown.entry(key).or_default();
        let unknown = modes.entry(mode).or_insert_with(|| UnknownOf {
            example,
            names: BTreeSet::new(),
        });
        unknown.names.extend(names);
    }
}

/// Returns the names of the attributes that are unknown, at least in part, according to the marks.
fn unknown_names<'p>(marks: Option<Raw<'p>>, arena: &'p Bump) -> Result<Vec<&'p str>, Error> {
    let marks = Raw::marks_or_null(marks, arena)?;
    let members = marks.as_object().map(|all| all.members());
    let unknown = members
        .unwrap_or_default()
        .iter()
        .filter(|(_, mark)| mark.has_true());
    Ok(unknown.map(|(name, _)| *name).collect())
}
