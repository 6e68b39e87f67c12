//! The objects of a state.

use std::collections::BTreeMap;

use crate::model::ResourceMode;
use crate::model::state::{Module, Resource};

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

/// Whether a resource is changed by plans and kept in the state.
pub(super) fn is_managed(mode: &ResourceMode<'_>) -> bool {
    matches!(mode, ResourceMode::Managed | ResourceMode::Unknown(_))
}
