//! The blocks of the configuration for whose objects an apply does something.

use std::collections::{BTreeMap, BTreeSet};

use bumpalo::Bump;

use crate::diff::Error;
use crate::json::Raw;
use crate::model::Action;
use crate::model::configuration;
use crate::model::plan::{Plan, ResourceChange};

/// A block of the configuration for whose objects an apply does something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockKey<'p> {
    /// The calls of the module, from the root on.
    pub(super) module: Vec<String>,
    /// It is an action, not a resource.
    pub(super) is_action: bool,
    /// The type of the resource or of the action.
    pub(super) resource_type: &'p str,
    /// The name in the configuration.
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

/// What an apply does to the objects of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects<'p, 'a> {
    /// Provisioners for new objects run.
    pub(super) creates: bool,
    /// Provisioners for destroyed objects may run.
    pub(super) destroys: bool,
    /// The changes that may destroy an object.
    pub(super) destroyed: Vec<&'p ResourceChange<'a>>,
}

/// The blocks for whose objects `plan` does something, and what it does to these.
pub(super) fn effects_by_block<'p, 'a>(
    plan: &'p Plan<'a>,
) -> BTreeMap<BlockKey<'p>, Effects<'p, 'a>> {
    let mut found: BTreeMap<BlockKey<'p>, Effects<'p, 'a>> = BTreeMap::new();
    for change in plan
        .resource_changes
        .iter()
        .filter(|change| !change.has_no_effect())
    {
        let effects = found.entry(BlockKey::by(change)).or_default();
        let actions = &change.change.actions;
        effects.creates |= runs_when_created(actions);
        if actions.may_destroy() {
            effects.destroys = true;
            effects.destroyed.push(change);
        }
    }
    for action in plan.actions() {
        let module = action.address.split("action.").next().unwrap_or_default();
        let key = BlockKey {
            module: configuration::calls(module.trim_end_matches('.')),
            is_action: true,
            resource_type: &action.action_type,
            name: &action.name,
        };
        found.entry(key).or_default();
    }
    found
}

/// The attributes that are unknown, also in part, in a plan: by block and mode, with an object that has the layout of all.
pub(super) type Unknown<'p, 'a> = BTreeMap<BlockKey<'p>, BTreeMap<&'p str, UnknownOf<'p, 'a>>>;
/// An object with the layout of all, and the names of the attributes.
pub(super) type UnknownOf<'p, 'a> = (&'p ResourceChange<'a>, BTreeSet<&'p str>);

/// Adds the attributes that are unknown in `plan`.
pub(super) fn add_unknown<'p, 'a>(
    plan: &'p Plan<'a>,
    arena: &'p Bump,
    found: &mut Unknown<'p, 'a>,
) -> Result<(), Error> {
    for change in plan
        .resource_changes
        .iter()
        .filter(|change| !change.has_no_effect())
    {
        let unknown = Raw::marks_or_null(change.change.after_unknown, arena)?;
        let members = unknown.as_object().map(|all| all.members());
        let names = members.unwrap_or_default().iter();
        let names: Vec<&str> = names
            .filter(|(_, mark)| mark.has_true())
            .map(|(name, _)| *name)
            .collect();
        if !names.is_empty() {
            let modes = found.entry(BlockKey::by(change)).or_default();
            let entry = modes.entry(&change.mode);
            let (_, known) = entry.or_insert_with(|| (change, BTreeSet::new()));
            known.extend(names);
        }
    }
    Ok(())
}

fn runs_when_created(action: &Action) -> bool {
    action.makes_whole_object() && !matches!(action, Action::Read | Action::Open)
}

/// What an apply does, and what is known of it only then.
pub(super) struct Applied<'p, 'a> {
    /// The plan whose changes are applied.
    pub(super) changes: &'p Plan<'a>,
    pub(super) effects: BTreeMap<BlockKey<'p>, Effects<'p, 'a>>,
    pub(super) unknown: Unknown<'p, 'a>,
}

impl<'p, 'a> Applied<'p, 'a> {
    pub(super) fn new(changes: &'p Plan<'a>, arena: &'p Bump) -> Result<Self, Error> {
        let mut unknown = Unknown::new();
        add_unknown(changes, arena, &mut unknown)?;
        Ok(Self {
            changes,
            effects: effects_by_block(changes),
            unknown,
        })
    }
}
