//! The states in comparisons: their objects, and how the same object in two states is compared.
//!
//! ```text
//! before    aws_vpc.main {"cidr_block": "10.0.0.0/16"}
//! now       aws_vpc.main {"cidr_block": "10.1.0.0/16"}
//!
//! [(Value, cidr_block: "10.0.0.0/16" -> "10.1.0.0/16")]
//! ```

use std::collections::BTreeMap;

use super::copies::{leave_out, note_names};
use super::values::{Tolerance, compare_result_values, merged_marks};
use super::{About, Class, ClassifiedDifferences, DifferenceKind, Origin, Property, Subject};
use crate::dialect::Tool;
use crate::diff::Error;
use crate::diff::edits::{Comparer, Positions};
use crate::json::{Raw, Value};
use crate::model::ResourceMode;
use crate::model::state::{Module, Resource, StateDocument};
use crate::review::masks::Authored;
use crate::schema::Position;

/// The phrase for an object that only the earlier state has.
pub(super) const GONE: &str = "is gone from the state";
/// The phrase for an object that only the later state has.
const NEW: &str = "is new in the state";

/// The state in a comparison.
#[derive(Clone, Copy, Debug)]
pub struct StateSide<'s, 'a> {
    /// The name of the file, for texts.
    pub name: &'s str,
    /// The document, as it was read.
    pub text: &'a str,
    /// The state, parsed from `text`.
    pub state: &'s StateDocument<'a>,
}

impl StateSide<'_, '_> {
    /// Returns the origin of the state, for the head of a comparison.
    pub(super) fn origin(&self) -> Origin {
        Origin {
            name: self.name.to_owned(),
            tool: Tool::from_state(self.state),
            tool_version: self.state.terraform_version.to_string(),
            timestamp: String::new(),
        }
    }
}

/// The objects of a state, by address and deposed key.
pub(super) type Objects<'s, 'a> = BTreeMap<(String, &'s str), &'s Resource<'a>>;

/// Collects the objects of a state by address and deposed key, without recursion. Old releases leave out the module
/// from the address; here, every address has it.
pub(super) fn objects<'s, 'a>(root: Option<&'s Module<'a>>) -> Objects<'s, 'a> {
    let mut objects = Objects::new();
    let mut modules: Vec<_> = root.into_iter().collect();
    while let Some(module) = modules.pop() {
        modules.extend(&module.child_modules);
        for resource in &module.resources {
            // Old releases leave out the module from the address.
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

/// Returns the objects of two states, each once: those of the old one in order, then those that only the new one has.
pub(super) fn in_either<'o, 'a>(
    old: &'o Objects<'_, 'a>,
    new: &'o Objects<'_, 'a>,
) -> impl Iterator<Item = ObjectOfStates<'o, 'a>> {
    let only_new = new.keys().filter(|key| !old.contains_key(*key));
    old.keys()
        .chain(only_new)
        .map(|key @ (address, deposed)| ObjectOfStates {
            address,
            deposed,
            before: old.get(key).copied(),
            now: new.get(key).copied(),
        })
}

/// An object in two states.
#[derive(Clone, Copy)]
pub(super) struct ObjectOfStates<'o, 'a> {
    /// The address of the object.
    pub(super) address: &'o str,
    /// The deposed key; empty for a current object.
    pub(super) deposed: &'o str,
    /// The object in the first state.
    before: Option<&'o Resource<'a>>,
    /// The object in the second state.
    now: Option<&'o Resource<'a>>,
}

impl<'o, 'a> ObjectOfStates<'o, 'a> {
    /// Returns the object as the subject of differences.
    pub(super) fn about(self) -> About<'o> {
        About {
            subject: Subject::Resource,
            address: self.address,
            deposed: self.deposed,
        }
    }

    /// Whether the object is managed, rather than read by a data source.
    pub(super) fn is_managed(self) -> bool {
        self.before
            .or(self.now)
            .is_some_and(|object| is_managed(&object.mode))
    }

    /// Returns the size of both values, in bytes.
    pub(super) fn size(self) -> usize {
        let sides = [self.before, self.now].into_iter().flatten();
        sides
            .filter_map(|side| side.values)
            .map(|values| values.text().len())
            .sum()
    }

    /// Returns the position of the values in the schema.
    ///
    /// # Errors
    /// If the schema is malformed.
    pub(super) fn position(self, positions: &Positions<'_, 'a>) -> Result<Position<'a>, Error> {
        let Some(object) = self.before.or(self.now) else {
            return Ok(Position::Unspecified);
        };
        positions.of_type(&object.provider_name, &object.mode, &object.resource_type)
    }

    /// Returns the differences of properties other than values.
    pub(super) fn properties(self) -> ClassifiedDifferences<'a> {
        let (Some(before), Some(now)) = (self.before, self.now) else {
            return Vec::new();
        };
        let tainted = |side: &Resource<'_>| if side.tainted { "yes" } else { "no" };
        let properties = [
            Property::Tainted.differs(tainted(before), tainted(now)),
            Property::Provider.differs(&before.provider_name, &now.provider_name),
        ];
        properties
            .into_iter()
            .flatten()
            .map(|what| (Class::Value, what))
            .collect()
    }

    /// Compares the values of the object in both states. If only one state has the object, that is the only difference.
    ///
    /// # Errors
    /// If a value is malformed.
    pub(super) fn differences<'w>(
        self,
        comparer: &mut Comparer<'w, 'a>,
        position: Position<'w>,
    ) -> Result<ClassifiedDifferences<'a>, Error> {
        let (before, now) = match (self.before, self.now) {
            (Some(before), Some(now)) => (before, now),
            (None, _) => {
                return Ok(vec![(
                    Class::Action,
                    DifferenceKind::only_now("create", NEW),
                )]);
            }
            (Some(_), None) => {
                // The object of a data source is only read, so that nothing was destroyed.
                let class = if self.is_managed() {
                    Class::Destroy
                } else {
                    Class::Value
                };
                return Ok(vec![(class, DifferenceKind::only_now("delete", GONE))]);
            }
        };
        if before.values == now.values {
            return Ok(Vec::new());
        }
        let scratch = comparer.build.arena();
        let marks = |side: &Resource<'a>| Raw::marks_or_null(side.sensitive_values, scratch);
        let marks = merged_marks(marks(before)?, marks(now)?, scratch);
        compare_values(comparer, [before.values, now.values], marks, position)
    }
}

/// Compares two values with the same marks, of an object or an output in two states.
pub(super) fn compare_values<'w, 'a>(
    comparer: &mut Comparer<'w, 'a>,
    values: [Option<Raw<'a>>; 2],
    marks: Value<'w>,
    position: Position<'w>,
) -> Result<ClassifiedDifferences<'a>, Error> {
    let build = comparer.build;
    let [old, new] =
        values.map(|raw| build.build(raw.map(Raw::text), Value::Null, marks, position));
    let (old, new) = (old?, new?);
    let mut differences = compare_result_values(comparer, old, new, position, Tolerance::Nothing);
    note_names(&mut differences, [old, new], comparer);
    // Without a configuration, it is unknown what the author wrote.
    leave_out(&mut differences, &[old, new], comparer, &|| {
        Authored::Unknown
    });
    Ok(differences)
}

/// Whether objects of this mode are managed. Those of an unknown mode count as managed.
pub(super) fn is_managed(mode: &ResourceMode<'_>) -> bool {
    matches!(mode, ResourceMode::Managed | ResourceMode::Unknown(_))
}
