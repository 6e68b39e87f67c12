//! Removes from differences the copies that a provider makes of a sensitive value of the same object.
//!
//! As in a review, only values that nobody configured are searched: a mark must not be a way to hide a change.
//! Differences are found and classified before that, from the complete values.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use super::{ClassifiedDifferences, DifferenceKind};
use crate::diff::edits::{Comparer, Edit, Step};
use crate::diff::value::MarkedValue;
use crate::json::Raw;
use crate::model::configuration::Configuration;
use crate::model::plan::{Plan, ResourceChange};
use crate::review::credentials::NamesOfValues;
use crate::review::masks::{Authored, ObjectCopies};

/// A lookup of what the author of a plan's configuration wrote for each resource. The configuration is read when it is
/// first needed.
#[derive(Debug)]
pub(super) struct Author<'p, 'a> {
    plan: &'p Plan<'a>,
    configuration: OnceLock<Configuration<'a>>,
}

impl<'p, 'a> Author<'p, 'a> {
    pub(super) fn new(plan: &'p Plan<'a>) -> Self {
        Self {
            plan,
            configuration: OnceLock::new(),
        }
    }

    /// Returns the names of the attributes and blocks that the configuration of a resource has; `None` if the plan does
    /// not have its block.
    fn names(&self, change: &ResourceChange<'a>) -> Option<HashSet<String>> {
        let configuration = self
            .configuration
            .get_or_init(|| self.plan.configuration().into_owned());
        let module = configuration.module(&change.module_address)?;
        let (kind, name) = (&*change.resource_type, &*change.name);
        if configuration.blocks(module, kind, name).is_empty() {
            return None;
        }
        // The tools leave out a block without arguments.
        let Some(arguments) = configuration.resource(module, &change.mode, kind, name) else {
            return Some(HashSet::new());
        };
        let arena = bumpalo::Bump::new();
        let arguments = Raw::value(arguments, &arena).ok()?;
        let members = arguments.as_object()?.members().iter();
        Some(members.map(|(name, _)| (*name).to_owned()).collect())
    }
}

/// Returns the names of what the configurations of several plans give the same object; `Authored::Unknown` if none of
/// them has its block.
pub(super) fn authored<'a>(of: &[(&Author<'_, 'a>, &ResourceChange<'a>)]) -> Authored {
    let mut all: Option<HashSet<String>> = None;
    for (author, change) in of {
        if let Some(names) = author.names(change) {
            all.get_or_insert_default().extend(names);
        }
    }
    all.map_or(Authored::Unknown, Authored::Names)
}

/// Replaces the copies of what is sensitive in `values` within the differences of their object. `values` are all values
/// of the object; `authored` returns what its author wrote, and is called only if there is anything to search for.
pub(super) fn leave_out<'w, 'a>(
    differences: &mut ClassifiedDifferences<'a>,
    values: &[MarkedValue<'w>],
    comparer: &Comparer<'w, 'a>,
    authored: &dyn Fn() -> Authored,
) {
    let redactor = comparer.redactor;
    let has_values = differences.iter().any(|(_, what)| what.edit().is_some());
    if redactor.show_sensitive || !has_values {
        return;
    }
    let Some(copies) = ObjectCopies::find(values, comparer.build, authored) else {
        return;
    };
    let arena = redactor.arena;
    for (_, what) in differences {
        match what {
            DifferenceKind::Value { edit, from, .. } => {
                let attribute = attribute(edit);
                *edit = copies.without(edit, arena);
                *from = from.map(|(old, new)| {
                    let value = |value| copies.without_in_value(attribute, value, arena);
                    (value(old), value(new))
                });
            }
            DifferenceKind::Drifted { edit, .. } => *edit = copies.without(edit, arena),
            DifferenceKind::OnlyNow { .. }
            | DifferenceKind::OnlyApproved { .. }
            | DifferenceKind::Unproven { .. }
            | DifferenceKind::Property { .. }
            | DifferenceKind::Outcome { .. }
            | DifferenceKind::Run { .. } => {}
        }
    }
}

/// Notes with the differences of an object which of its values are credentials because of their surroundings, so that
/// texts can hide them. `sides` are the values that the edits were found in.
pub(super) fn note_names<'w>(
    differences: &mut ClassifiedDifferences<'_>,
    sides: [MarkedValue<'w>; 2],
    comparer: &Comparer<'w, '_>,
) {
    let has_values = differences.iter().any(|(_, what)| what.edit().is_some());
    if comparer.redactor.show_sensitive || !has_values {
        return;
    }
    let Some(names) = NamesOfValues::find(sides, comparer.build).map(Arc::new) else {
        return;
    };
    for (_, what) in differences {
        match what {
            DifferenceKind::Value { named, .. } | DifferenceKind::Drifted { named, .. } => {
                *named = Some(Arc::clone(&names));
            }
            DifferenceKind::OnlyNow { .. }
            | DifferenceKind::OnlyApproved { .. }
            | DifferenceKind::Unproven { .. }
            | DifferenceKind::Property { .. }
            | DifferenceKind::Outcome { .. }
            | DifferenceKind::Run { .. } => {}
        }
    }
}

/// Returns the attribute that an edit is about; `None` if it is about the whole object.
fn attribute<'a>(edit: &Edit<'a>) -> Option<&'a str> {
    match edit.path.steps().first()? {
        Step::Name(name) => Some(name),
        Step::Element(_) | Step::Document(_) => None,
    }
}
