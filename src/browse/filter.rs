//! The filters, which decide which entries, objects and units the list shows.
//!
//! Values of one facet are alternatives; an entry must match all facets that have values.

use foldhash::{HashMap, HashMapExt, HashSet};

use super::details::ObjectId;
use super::model::{Item, Model, ObjectNames, Record, Scope};
use crate::report::Level;

/// A property by which the list is filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Facet {
    /// The level of the entry.
    Level,
    /// The kind of change of the entry.
    Action,
    /// The kinds of findings of the entry.
    Finding,
    /// The resource types of its objects.
    Type,
    /// The modules of its objects.
    Module,
    /// The unit of its objects; used only in the list of units.
    Unit,
}

impl Facet {
    /// Returns the word for the facet on the screen.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Action => "action",
            Self::Finding => "finding",
            Self::Type => "type",
            Self::Module => "module",
            Self::Unit => "unit",
        }
    }
}

/// A value of a facet that was chosen or can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Chip {
    pub facet: Facet,
    /// The value; for the root module it is the empty address.
    pub value: String,
}

impl Chip {
    /// Returns the text on the screen: `type:aws_vpc`.
    pub(super) fn text(&self) -> String {
        let value = match (self.facet, &*self.value) {
            (Facet::Module, "") => "root",
            (_, value) => value,
        };
        format!("{}:{value}", self.facet.name())
    }
}

/// The chosen values, in the order in which they were chosen. An empty filter leaves out nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    chips: Vec<Chip>,
}

/// A value that the panel of filters offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub chip: Chip,
    /// The number of entries with the value; for types, modules and units, the number of objects.
    pub count: usize,
}

impl Filter {
    /// Returns the items of a list that the filter leaves, in the order of the list. The objects of an entry are items
    /// only while it is open.
    pub(super) fn items(&self, model: &Model<'_>, scope: Scope, open: &HashSet<Item>) -> Vec<Item> {
        let wanted = self.resolved(model);
        let mut items = vec![Item::Head];
        let mut last_section = None;
        for record_index in model.records_of(scope) {
            let Some(record) = model.record(record_index) else {
                continue;
            };
            if !wanted.has_record(model, record) {
                continue;
            }
            if items.len() == 1 || record.section != last_section {
                last_section = record.section;
                items.extend(model.heading(record));
            }
            items.push(Item::Entry(record_index));
            if record.has_members() && open.contains(&Item::Entry(record_index)) {
                let members = model.objects(record).enumerate();
                let members = members.filter(|(_, (id, kind))| {
                    let is_here = scope == Scope::Units || scope == Scope::Part(id.part);
                    is_here && wanted.has_object(*id, *kind)
                });
                items.extend(members.map(|(index, _)| Item::Member {
                    record: record_index,
                    index,
                }));
            }
        }
        match scope {
            Scope::Units => {
                let units = model.report.units.as_ref();
                if units.is_some_and(|units| units.elsewhere_sentence().is_some()) {
                    items.push(Item::Elsewhere);
                }
                let shown = wanted.parts_with_entries(model);
                let is_shown =
                    |part: &usize| shown.as_ref().is_none_or(|parts| parts.contains(part));
                let units = model.units().map(|(part, _)| part);
                let units = units.filter(|part| wanted.has_part(*part));
                items.extend(units.filter(is_shown).map(Item::Unit));
            }
            Scope::Part(part) => {
                let part = model.part(part);
                if part.is_some_and(|part| part.outputs.is_some()) && self.is_empty() {
                    items.push(Item::Outputs);
                }
                items.push(Item::Foot);
            }
        }
        items
    }

    pub(super) fn is_empty(&self) -> bool {
        self.chips.is_empty()
    }

    pub(super) fn chips(&self) -> &[Chip] {
        &self.chips
    }

    pub(super) fn contains(&self, chip: &Chip) -> bool {
        self.chips.contains(chip)
    }

    /// Adds a value, or removes it if it was chosen.
    pub(super) fn toggle(&mut self, chip: Chip) {
        match self.chips.iter().position(|known| *known == chip) {
            Some(index) => {
                self.chips.remove(index);
            }
            None => self.chips.push(chip),
        }
    }

    /// Removes the value that was chosen last, and returns it.
    pub(super) fn pop(&mut self) -> Option<Chip> {
        self.chips.pop()
    }

    /// Removes all values of a facet.
    pub(super) fn remove(&mut self, facet: Facet) {
        self.chips.retain(|chip| chip.facet != facet);
    }

    pub(super) fn clear(&mut self) {
        self.chips.clear();
    }

    /// Whether the filter leaves the unit of a part.
    pub(super) fn allows_part(&self, model: &Model<'_>, part: usize) -> bool {
        self.resolved(model).has_part(part)
    }

    /// Returns the chosen values of a facet; `None` if there are none, so that all are wanted.
    fn values(&self, facet: Facet) -> Option<Vec<&str>> {
        let chips = self.chips.iter().filter(|chip| chip.facet == facet);
        let values: Vec<&str> = chips.map(|chip| &*chip.value).collect();
        (!values.is_empty()).then_some(values)
    }

    /// Compares the chosen values with all names of a document once, so that filtering its objects needs only lookups.
    pub(super) fn resolved(&self, model: &Model<'_>) -> FilterValues<'_> {
        let names = |facet, is_wanted: fn(&str, &str) -> bool| {
            let values = self.values(facet)?;
            let names = model.names.iter();
            let is_any = |name: &&str| values.iter().any(|value| is_wanted(name, value));
            Some(names.map(is_any).collect::<Vec<bool>>())
        };
        let units = self.values(Facet::Unit).map(|values| {
            let parts = 0..model.report.parts.len();
            let is_any = |name: Option<&str>| name.is_some_and(|name| values.contains(&name));
            parts.map(|part| is_any(model.unit_name(part))).collect()
        });
        FilterValues {
            levels: self.values(Facet::Level),
            actions: self.values(Facet::Action),
            findings: self.values(Facet::Finding),
            types: names(Facet::Type, |name, value| name == value),
            modules: names(Facet::Module, is_in_module),
            units,
        }
    }
}

/// A filter for one document: the chosen values of entries, and for each name and each part whether it is wanted.
/// `None` means that all are wanted.
pub(super) struct FilterValues<'f> {
    /// The wanted levels of findings.
    levels: Option<Vec<&'f str>>,
    /// The wanted kinds of changes, in words.
    actions: Option<Vec<&'f str>>,
    /// The wanted kinds of findings.
    findings: Option<Vec<&'f str>>,
    /// For each name in [`Model::names`], whether it is a wanted resource type.
    types: Option<Vec<bool>>,
    /// For each name in `Model::names`, whether it is the address of a wanted module.
    modules: Option<Vec<bool>>,
    /// For each part, whether its unit is wanted.
    units: Option<Vec<bool>>,
}

impl FilterValues<'_> {
    /// Whether an entry matches the facets of entries.
    fn has_entry(&self, record: &Record<'_>) -> bool {
        let entry = record.entry;
        let has = |wanted: &Option<Vec<&str>>, is_one: &dyn Fn(&str) -> bool| {
            let mut values = wanted.iter().flatten();
            wanted.is_none() || values.any(|value| is_one(value))
        };
        has(&self.levels, &|value| value == entry.level.name())
            && has(&self.actions, &|value| value == entry.kind)
            && has(&self.findings, &|value| {
                entry.finding_kinds.contains(&value)
            })
    }

    /// Whether an object matches the facets of objects. An object whose module is not known matches no module.
    pub(super) fn has_object(&self, id: ObjectId, kind: ObjectNames) -> bool {
        let has = |wanted: &Option<Vec<bool>>, place: Option<usize>| match wanted {
            Some(wanted) => place.and_then(|place| wanted.get(place)) == Some(&true),
            None => true,
        };
        has(&self.units, Some(id.part))
            && has(&self.types, Some(kind.object_type))
            && has(&self.modules, kind.module)
    }

    /// Whether the unit of a part is wanted.
    pub(super) fn has_part(&self, part: usize) -> bool {
        let units = self.units.as_ref();
        units.is_none_or(|units| units.get(part) == Some(&true))
    }

    /// Whether an entry matches, together with at least one of its objects.
    pub(super) fn has_record<'r>(&self, model: &Model<'r>, record: &Record<'r>) -> bool {
        let mut objects = model.objects(record);
        self.has_entry(record)
            && (self.wants_all_objects() || objects.any(|(id, kind)| self.has_object(id, kind)))
    }

    /// Whether no facet of objects has values.
    fn wants_all_objects(&self) -> bool {
        self.types.is_none() && self.modules.is_none() && self.units.is_none()
    }

    /// Returns the parts with an entry that matches. `None` if only units were chosen, or nothing, so that parts
    /// without entries match, too.
    pub(super) fn parts_with_entries(&self, model: &Model<'_>) -> Option<HashSet<usize>> {
        let of_entries = [&self.levels, &self.actions, &self.findings];
        let of_objects = [&self.types, &self.modules];
        if of_entries.iter().all(|wanted| wanted.is_none())
            && of_objects.iter().all(|wanted| wanted.is_none())
        {
            return None;
        }
        let records = model.records.iter();
        let records = records.filter(|record| self.has_record(model, record));
        Some(records.flat_map(Record::parts).collect())
    }
}

/// Whether a module is wanted. The root module has only its own objects; any other module also has those of the modules
/// that it calls.
fn is_in_module(module: &str, wanted: &str) -> bool {
    module == wanted
        || (!wanted.is_empty()
            && module
                .strip_prefix(wanted)
                .is_some_and(|rest| rest.starts_with(['.', '['])))
}

/// Returns the values that can be chosen in a list, sorted by facet. Levels begin with the gravest, actions, findings
/// and types with the most frequent; modules are in the order of addresses, units in that of their list.
pub(super) fn choices<'r>(model: &Model<'r>, scope: Scope) -> Vec<Choice> {
    let mut counts: HashMap<(Facet, &str), usize> = HashMap::new();
    let mut objects_of_types = vec![0; model.names.len()];
    let mut objects_of_modules = vec![0; model.names.len()];
    // The positions of units in their list.
    let mut units: HashMap<&str, usize> = HashMap::new();
    if scope == Scope::Units {
        let names = model.units().filter_map(|(part, _)| model.unit_name(part));
        units.extend(names.zip(0..));
    }
    let all = match scope {
        Scope::Units => (0..model.records.len()).collect(),
        Scope::Part(_) => model.records_of(scope),
    };
    for record in all.into_iter().filter_map(|index| model.record(index)) {
        let entry = record.entry;
        let mut add = |facet, value| *counts.entry((facet, value)).or_default() += 1;
        add(Facet::Level, entry.level.name());
        if !entry.kind.is_empty() {
            add(Facet::Action, entry.kind);
        }
        for kind in &entry.finding_kinds {
            add(Facet::Finding, kind);
        }
        for (id, kind) in model.objects(record) {
            if let Some(count) = objects_of_types.get_mut(kind.object_type) {
                *count += 1;
            }
            if let Some(count) = kind
                .module
                .and_then(|index| objects_of_modules.get_mut(index))
            {
                *count += 1;
            }
            if scope == Scope::Units {
                add(Facet::Unit, model.unit_name(id.part).unwrap_or_default());
            }
        }
    }
    for (index, name) in model.names.iter().enumerate() {
        for (facet, objects) in [
            (Facet::Type, &objects_of_types),
            (Facet::Module, &objects_of_modules),
        ] {
            let number = objects.get(index).copied().unwrap_or_default();
            if number > 0 && !(facet == Facet::Type && name.is_empty()) {
                counts.insert((facet, name), number);
            }
        }
    }
    // Units without a change can be chosen, too, but none is offered if there is only one.
    for unit in units.keys() {
        counts.entry((Facet::Unit, unit)).or_default();
    }
    let number_of_units = counts.keys().filter(|(facet, _)| *facet == Facet::Unit);
    if number_of_units.count() < 2 {
        counts.retain(|(facet, _), _| *facet != Facet::Unit);
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
            // All have the same rank, so modules are sorted by address.
            Facet::Module => 0,
            Facet::Unit => {
                let place = units.get(&*choice.chip.value);
                place.copied().unwrap_or(usize::MAX)
            }
        }
    };
    choices.sort_by_cached_key(|choice| {
        let Chip { facet, value } = &choice.chip;
        (*facet, rank(choice), value.clone())
    });
    choices
}
