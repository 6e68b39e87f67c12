//! The document as the items of lists: entries, their objects, headings and units.
//!
//! Invariant: every entry of the document is an item of the list of its part, or of the list of units if units share
//! it, unless a filter leaves it out.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use super::details::{Details, ObjectDetails, ObjectId};
use crate::report::{EntryPlaces, Part, Report, ReportEntry, SectionKind, SharedPlaces};

/// The list that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    /// The list of units.
    Units,
    /// The list of the changes of a part, by its index.
    Part(usize),
}

/// An item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    /// The head of the document or of a part.
    Head,
    /// The heading of a section, by its index.
    Heading(usize),
    /// The heading of the entries that units share.
    SharedHeading,
    /// An entry, by the index of its record.
    Entry(usize),
    /// An object of an entry about several objects.
    Member {
        /// The index of the record of the entry.
        record: usize,
        /// The index of the object among those of the entry.
        index: usize,
    },
    /// The sentence about the units that have no other changes.
    Elsewhere,
    /// A unit, by the index of its part.
    Unit(usize),
    /// The outputs of a part.
    Outputs,
    /// The lines at the end of a part.
    Foot,
}

/// The objects that an entry is about.
#[derive(Clone, Copy, Debug)]
enum Objects<'r> {
    /// The objects of an entry of one part.
    Own {
        /// The list of the part that contains them.
        list: SectionKind,
        /// Their indices in the list.
        indices: &'r [usize],
    },
    /// The objects of an entry that units share.
    Shared(&'r [SharedPlaces]),
}

/// An entry of the document, with its position in the document.
#[derive(Debug)]
pub(super) struct Record<'r> {
    /// The entry of the document.
    pub(super) entry: &'r ReportEntry<'r>,
    /// The index of the part that has the entry; the first one if units share it.
    pub(super) part: usize,
    /// The index of the section in its part; `None` for an entry that units share.
    pub(super) section: Option<usize>,
    /// The depth of its section: 1 if the section has the objects of a module.
    pub(super) depth: usize,
    /// The objects that the entry is about.
    objects: Objects<'r>,
    /// The range of the names of its objects in `Model::kinds`.
    kinds: Range<usize>,
}

/// The type and the module of an object, as indices in [`Model::names`].
///
/// Filters look at all objects, and it would be slow to read the objects themselves, which are scattered over the
/// memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObjectNames {
    /// The index of the resource type.
    pub(super) object_type: usize,
    /// The index of the address of the module; `None` if nothing more is known about the object.
    pub(super) module: Option<usize>,
}

impl Record<'_> {
    /// Returns the number of objects that the entry is about.
    pub(super) fn object_count(&self) -> usize {
        match self.objects {
            Objects::Own { indices, .. } => indices.len(),
            Objects::Shared(places) => places.iter().map(|places| places.indices.len()).sum(),
        }
    }

    /// Returns the objects of the entry. An entry that units share has those of all units.
    pub(super) fn objects(&self) -> impl Iterator<Item = ObjectId> {
        let (own, shared) = match self.objects {
            Objects::Own { list, indices } => (Some((list, indices)), &[][..]),
            Objects::Shared(places) => (None, places),
        };
        let part = self.part;
        let own = own.into_iter().flat_map(move |(list, indices)| {
            indices.iter().map(move |index| ObjectId {
                part,
                list,
                index: *index,
            })
        });
        let shared = shared.iter().flat_map(|SharedPlaces { part, indices }| {
            indices.iter().map(|index| ObjectId {
                part: *part,
                list: SectionKind::Resources,
                index: *index,
            })
        });
        own.chain(shared)
    }

    /// Whether the entry is about several objects, which are then items below it.
    pub(super) fn has_members(&self) -> bool {
        self.object_count() > 1
    }

    pub(super) fn is_shared(&self) -> bool {
        matches!(self.objects, Objects::Shared(_))
    }

    /// Returns the parts that have the entry.
    pub(super) fn parts(&self) -> impl Iterator<Item = usize> {
        let (own, shared) = match self.objects {
            Objects::Own { .. } => (Some(self.part), &[][..]),
            Objects::Shared(places) => (None, places),
        };
        own.into_iter()
            .chain(shared.iter().map(|places| places.part))
    }

    /// Whether units share the entry, and the unit of this part is one of them.
    fn is_shared_by(&self, part: usize) -> bool {
        match self.objects {
            Objects::Own { .. } => false,
            Objects::Shared(places) => places.iter().any(|places| places.part == part),
        }
    }

    /// Returns the name by which the entry is marked as viewed: its kind and its address. Marks are kept for each plan,
    /// so this is unique.
    pub(super) fn name(&self) -> String {
        let ReportEntry { kind, address, .. } = self.entry;
        format!("{kind} {address}")
    }
}

/// The document as records, with the source of answers about its objects.
pub(super) struct Model<'r> {
    /// The document.
    pub(super) report: &'r Report<'r>,
    /// The source of answers that the document does not hold.
    pub(super) details: &'r dyn Details,
    /// The entries of the document. Those that units share come first.
    pub(super) records: Vec<Record<'r>>,
    /// The type and module of each object, in the order of the records.
    kinds: Vec<ObjectNames>,
    /// The names of the types and modules of all objects, each once.
    pub(super) names: Vec<&'r str>,
}

impl<'r> Model<'r> {
    /// Lists the entries of a document, and reads the types and modules of their objects.
    pub(super) fn new(report: &'r Report<'r>, details: &'r dyn Details) -> Self {
        let mut records = Vec::new();
        for shared in report.units.iter().flat_map(|units| &units.shared) {
            records.push(Record {
                entry: &shared.entry,
                part: shared.places.first().map_or(0, |places| places.part),
                section: None,
                depth: 0,
                objects: Objects::Shared(&shared.places),
                kinds: 0..0,
            });
        }
        for (part, content) in report.parts.iter().enumerate() {
            for (index, section) in content.sections.iter().enumerate() {
                for entry in &section.entries {
                    let EntryPlaces { list, indices } = &entry.places;
                    records.push(Record {
                        entry,
                        part,
                        section: Some(index),
                        depth: section.depth(),
                        objects: Objects::Own {
                            list: *list,
                            indices,
                        },
                        kinds: 0..0,
                    });
                }
            }
        }
        let mut model = Self {
            report,
            details,
            records,
            kinds: Vec::new(),
            names: Vec::new(),
        };
        model.read_kinds();
        model
    }

    /// Reads the type and module of each object. Equal names are stored once, because there may be a million objects.
    fn read_kinds(&mut self) {
        let mut places: HashMap<&'r str, usize> = HashMap::new();
        for record in &mut self.records {
            let first = self.kinds.len();
            for id in record.objects() {
                let object = self.details.object(id);
                let mut place = |name: &'r str| {
                    *places.entry(name).or_insert_with(|| {
                        self.names.push(name);
                        self.names.len() - 1
                    })
                };
                let object_type = object.map_or(record.entry.object_type, |it| it.object_type);
                self.kinds.push(ObjectNames {
                    object_type: place(object_type),
                    module: object.map(|object| place(object.module)),
                });
            }
            record.kinds = first..self.kinds.len();
        }
    }

    /// Returns the objects of a record, with their types and modules.
    pub(super) fn objects(
        &self,
        record: &Record<'r>,
    ) -> impl Iterator<Item = (ObjectId, ObjectNames)> {
        let kinds = self.kinds.get(record.kinds.clone()).unwrap_or_default();
        record.objects().zip(kinds.iter().copied())
    }

    pub(super) fn part(&self, part: usize) -> Option<&'r Part<'r>> {
        self.report.parts.get(part)
    }

    pub(super) fn record(&self, record: usize) -> Option<&Record<'r>> {
        self.records.get(record)
    }

    /// Returns the name of the unit that a part is about.
    pub(super) fn unit_name(&self, part: usize) -> Option<&'r str> {
        let part = self.part(part)?;
        Some(part.name.as_deref().unwrap_or(&part.row.name))
    }

    /// Whether the document has units, and so a list of them.
    pub(super) fn has_units(&self) -> bool {
        self.report.units.is_some() || self.report.parts.len() > 1
    }

    /// Returns the list that is shown first.
    pub(super) fn scope(&self) -> Scope {
        if self.has_units() {
            Scope::Units
        } else {
            Scope::Part(0)
        }
    }

    /// Returns the indices of the records that a list shows, in its order. What a unit shares with others comes after
    /// its own entries.
    pub(super) fn records_of(&self, scope: Scope) -> Vec<usize> {
        let records = self.records.iter().enumerate();
        let shared = records.clone().filter(|(_, record)| match scope {
            Scope::Units => record.is_shared(),
            Scope::Part(part) => record.is_shared_by(part),
        });
        let own = records.filter(|(_, record)| match scope {
            Scope::Units => false,
            Scope::Part(part) => !record.is_shared() && record.part == part,
        });
        own.chain(shared).map(|(index, _)| index).collect()
    }

    pub(super) fn object(&self, id: ObjectId) -> Option<ObjectDetails<'r>> {
        self.details.object(id)
    }

    /// Returns the units that have something of their own to say, the most severe first, with the indices of their
    /// parts.
    pub(super) fn units(&self) -> impl Iterator<Item = (usize, &'r Part<'r>)> {
        let parts = self.report.worst_first.iter();
        parts
            .filter_map(|index| Some((*index, self.part(*index)?)))
            .filter(|(_, part)| !part.is_left_out)
    }

    /// Returns the heading of the section that a record is in, if the section has one.
    pub(super) fn heading(&self, record: &Record<'_>) -> Option<Item> {
        let Some(section) = record.section else {
            return Some(Item::SharedHeading);
        };
        let heading = self.part(record.part)?.sections.get(section)?.heading();
        (!heading.is_empty()).then_some(Item::Heading(section))
    }
}
