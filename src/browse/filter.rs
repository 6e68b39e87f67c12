//! Filters: which entries, objects and units the list shows.
//!
//! Values of one facet are alternatives; an entry must match all facets that have values.

use std::collections::{BTreeMap, HashSet};

use super::details::ObjectId;
use super::model::{Model, Record, Scope};
use crate::report::Level;

/// By what entries are filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Facet {
    Level,
    Action,
    Finding,
    Type,
    Module,
}

impl Facet {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Action => "action",
            Self::Finding => "finding",
            Self::Type => "type",
            Self::Module => "module",
        }
    }
}

/// One value of a facet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Chip {
    pub facet: Facet,
    /// The address of the root module is empty.
    pub value: String,
}

impl Chip {
    pub(super) fn text(&self) -> String {
        let value = match (self.facet, &*self.value) {
            (Facet::Module, "") => "root",
            (_, value) => value,
        };
        format!("{}:{value}", self.facet.name())
    }
}

/// The chosen values, in the order in which they were chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    chips: Vec<Chip>,
}

/// A value that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub chip: Chip,
    /// The number of entries with it; for types and modules, of objects.
    pub count: usize,
}

impl Filter {
    pub(super) fn is_empty(&self) -> bool {
        self.chips.is_empty()
    }

    pub(super) fn chips(&self) -> &[Chip] {
        &self.chips
    }

    pub(super) fn contains(&self, chip: &Chip) -> bool {
        self.chips.contains(chip)
    }

    /// Adds a value, or takes it back.
    pub(super) fn toggle(&mut self, chip: Chip) {
        match self.chips.iter().position(|known| *known == chip) {
            Some(at) => {
                self.chips.remove(at);
            }
            None => self.chips.push(chip),
        }
    }

    pub(super) fn pop(&mut self) -> Option<Chip> {
        self.chips.pop()
    }

    /// Takes back all values of a facet.
    pub(super) fn remove(&mut self, facet: Facet) {
        self.chips.retain(|chip| chip.facet != facet);
    }

    pub(super) fn clear(&mut self) {
        self.chips.clear();
    }

    /// `has` says whether a value is one of the facet's.
    fn allows(&self, facet: Facet, has: impl Fn(&str) -> bool) -> bool {
        let mut values = self
            .chips
            .iter()
            .filter(|chip| chip.facet == facet)
            .peekable();
        values.peek().is_none() || values.any(|chip| has(&chip.value))
    }

    fn allows_entry(&self, record: &Record<'_>) -> bool {
        let entry = record.entry;
        self.allows(Facet::Level, |value| value == entry.level.name())
            && self.allows(Facet::Action, |value| value == entry.kind)
            && self.allows(Facet::Finding, |value| entry.finding_kinds.contains(&value))
    }

    pub(super) fn matches_object(
        &self,
        model: &Model<'_>,
        record: &Record<'_>,
        id: ObjectId,
    ) -> bool {
        let facets = [Facet::Type, Facet::Module];
        if !self.chips.iter().any(|chip| facets.contains(&chip.facet)) {
            return true;
        }
        let Some(object) = model.object(id) else {
            return self.allows(Facet::Type, |value| value == record.entry.object_type)
                && self.allows(Facet::Module, |_| false);
        };
        self.allows(Facet::Type, |value| value == object.object_type)
            && self.allows(Facet::Module, |value| is_in_module(object.module, value))
    }

    pub(super) fn matches_record(&self, model: &Model<'_>, record: usize) -> bool {
        self.is_empty()
            || model.record(record).is_some_and(|record| {
                self.allows_entry(record)
                    && record
                        .objects()
                        .any(|id| self.matches_object(model, record, id))
            })
    }

    /// The parts of which an entry is shown.
    pub(super) fn matching_parts(&self, model: &Model<'_>) -> HashSet<usize> {
        let records = (0..model.records.len()).filter(|at| self.matches_record(model, *at));
        let records = records.filter_map(|at| model.record(at));
        records.flat_map(Record::parts).collect()
    }
}

/// The root module has only its own objects, any other module also those of the modules that it calls.
fn is_in_module(module: &str, wanted: &str) -> bool {
    module == wanted
        || (!wanted.is_empty()
            && module
                .strip_prefix(wanted)
                .is_some_and(|rest| rest.starts_with(['.', '['])))
}

/// The values that can be chosen in a list, by facet, the gravest or most frequent first.
pub(super) fn choices<'r>(model: &Model<'r>, scope: Scope) -> Vec<Choice> {
    let mut counts: BTreeMap<(Facet, &str), usize> = BTreeMap::new();
    let all = match scope {
        Scope::Units => (0..model.records.len()).collect(),
        Scope::Part(_) => model.records_of(scope),
    };
    for record in all.into_iter().filter_map(|at| model.record(at)) {
        let entry = record.entry;
        let mut add = |facet, value| *counts.entry((facet, value)).or_default() += 1;
        add(Facet::Level, entry.level.name());
        if !entry.kind.is_empty() {
            add(Facet::Action, entry.kind);
        }
        for kind in &entry.finding_kinds {
            add(Facet::Finding, kind);
        }
        for object in record.objects().filter_map(|id| model.object(id)) {
            if !object.object_type.is_empty() {
                add(Facet::Type, object.object_type);
            }
            add(Facet::Module, object.module);
        }
    }
    let mut choices: Vec<Choice> = counts
        .into_iter()
        .map(|((facet, value), count)| Choice {
            chip: Chip {
                facet,
                value: value.to_owned(),
            },
            count,
        })
        .collect();
    let rank = |choice: &Choice| {
        let level = Level::ALL
            .into_iter()
            .rev()
            .position(|level| level.name() == choice.chip.value);
        match choice.chip.facet {
            Facet::Level => level.unwrap_or(usize::MAX),
            Facet::Action | Facet::Finding | Facet::Type => usize::MAX - choice.count,
            // The order of addresses.
            Facet::Module => 0,
        }
    };
    choices.sort_by_key(|choice| (choice.chip.facet, rank(choice)));
    choices
}
