//! The objects of a state, and those of two states.

use std::collections::BTreeMap;

use super::values::{self, merged_marks};
use crate::compare::{Class, DifferenceKind};
use crate::diff::Error;
use crate::diff::edits::{Comparer, Positions};
use crate::json::{Raw, Value};
use crate::model::ResourceMode;
use crate::model::state::{Module, Resource};
use crate::schema::Position;

/// The objects of a state, by address and deposed key.
pub(super) type Objects<'s, 'a> = BTreeMap<(String, &'s str), &'s Resource<'a>>;

pub(super) fn objects<'s, 'a>(root: Option<&'s Module<'a>>) -> Objects<'s, 'a> {
    let mut objects = Objects::new();
    let mut modules: Vec<_> = root.into_iter().collect();
    while let Some(module) = modules.pop() {
        modules.extend(&module.child_modules);
        for resource in &module.resources {
            // Old releases omit the module from the address.
            let prefix = format!("{}.", module.address);
            let address = match module.address.is_empty() || resource.address.starts_with(&prefix) {
                true => resource.address.to_string(),
                false => format!("{prefix}{}", resource.address),
            };
            objects.insert((address, &*resource.deposed_key), resource);
        }
    }
    objects
}

/// The objects of two states, each with its key and what either state has.
pub(super) fn in_either<'o, 's, 'a>(
    old: &'o Objects<'s, 'a>,
    new: &'o Objects<'s, 'a>,
) -> impl Iterator<Item = Both<'o, 'a>> {
    let only_new = new.keys().filter(|key| !old.contains_key(*key));
    old.keys().chain(only_new).map(|key @ (address, deposed)| Both {
        address,
        deposed,
        before: old.get(key).copied(),
        now: new.get(key).copied(),
    })
}

/// An object that is in one of two states, or in both.
#[derive(Clone, Copy)]
pub(super) struct Both<'o, 'a> {
    pub(super) address: &'o str,
    pub(super) deposed: &'o str,
    pub(super) before: Option<&'o Resource<'a>>,
    pub(super) now: Option<&'o Resource<'a>>,
}

impl<'a> Both<'_, 'a> {
    pub(super) fn is_managed(self) -> bool {
        self.before.or(self.now).is_some_and(|object| is_managed(&object.mode))
    }

    /// The length of the values in bytes of JSON.
    pub(super) fn size(self) -> usize {
        let sides = [self.before, self.now].into_iter().flatten();
        sides.filter_map(|side| side.values).map(|values| values.text().len()).sum()
    }

    /// The position of its values.
    pub(super) fn position(self, positions: &Positions<'_, 'a>) -> Result<Position<'a>, Error> {
        let object = self
            .before
            .or(self.now)
            .map(|object| (&*object.provider_name, &*object.mode, &*object.resource_type));
        let (provider, mode, kind) = object.unwrap_or_default();
        positions.of_type(provider, mode, kind)
    }

    /// The differences, apart from properties.
    pub(super) fn differences<'w>(
        self,
        comparer: &mut Comparer<'w, 'a>,
        position: Position<'w>,
    ) -> Result<Found<'a>, Error>
    where
        'a: 'w,
    {
        let (before, now) = match (self.before, self.now) {
            (Some(before), Some(now)) => (before, now),
            (before, _) => {
                let (class, phrase, action) = match (before.is_some(), self.is_managed()) {
                    (true, true) => (Class::Destroy, GONE, "delete"),
                    // Nothing was destroyed: a data source is only read.
                    (true, false) => (Class::Value, GONE, "delete"),
                    (false, _) => (Class::Action, NEW, "create"),
                };
                let action = action.to_owned();
                return Ok(vec![(class, DifferenceKind::OnlyNow { phrase, action, renamed_from: None })]);
            }
        };
        if before.values.map(Raw::text) == now.values.map(Raw::text) {
            return Ok(Vec::new());
        }
        let scratch = comparer.build.arena();
        let marks = |side: &Resource<'a>| Raw::marks_or_null(side.sensitive_values, scratch);
        let marks = merged_marks(marks(before)?, marks(now)?, scratch);
        edits(comparer, [before.values, now.values], marks, position)
    }
}

pub(super) type Found<'a> = Vec<(Class, DifferenceKind<'a>)>;

/// The differences of two values with these marks.
pub(super) fn edits<'w, 'a: 'w>(
    comparer: &mut Comparer<'w, 'a>,
    values: [Option<Raw<'a>>; 2],
    marks: Value<'w>,
    position: Position<'w>,
) -> Result<Found<'a>, Error> {
    let build = comparer.build;
    let [old, new] = values.map(|raw| build.build(raw.map(Raw::text), Value::Null, marks, position));
    Ok(values::compare(comparer, old?, new?, position))
}

/// The words for an object that should have stayed but is missing.
pub(super) const GONE: &str = "is gone from the state";
/// The words for an object that nothing planned.
const NEW: &str = "is new in the state";

/// Whether a resource is changed by plans and kept in the state.
pub(super) fn is_managed(mode: &ResourceMode<'_>) -> bool {
    matches!(mode, ResourceMode::Managed | ResourceMode::Unknown(_))
}
