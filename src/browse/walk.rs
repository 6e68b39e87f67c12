//! The panel of references: a walk along the dependencies between the resources of a plan.
//!
//! ```text
//! aws_vpc.main
//! Depends on it: 2 references, 5 resources in all
//!   aws_subnet.a  vpc_id
//! It depends on: 0 references
//! ```

use std::collections::HashMap;

use super::model::{Item, Model, Scope};
use crate::model::address::block_address;
use crate::report::ReportEntry;
use crate::review::references::{Reference, References};
use crate::text::{count, one_line};

/// The state of the panel while it is open.
#[derive(Debug)]
pub(super) struct ReferencePanel {
    /// The index of the part whose references are followed.
    part: usize,
    /// The resources from the first one on, as indices in the references; the last one is shown.
    path: Vec<usize>,
    /// The rows of the panel.
    pub(super) rows: Vec<WalkRow>,
    /// The index of the selected row, which is a reference if there is any.
    pub(super) cursor: usize,
    /// The indices of the records about each resource, by its address without instance keys.
    records: HashMap<String, Vec<usize>>,
}

/// A row of the panel: a heading, or a reference that can be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WalkRow {
    pub(super) text: String,
    /// The resource of a reference, as an index in the references; headings have none.
    pub(super) resource: Option<usize>,
}

impl ReferencePanel {
    /// Begins at the resource of an object.
    ///
    /// # Errors
    /// If nothing is known about its references.
    pub(super) fn new(model: &Model<'_>, part: usize, address: &str) -> Result<Self, String> {
        let references = model.details.references(part)?;
        if references.is_empty() {
            return Err("the document has no configuration with references".to_owned());
        }
        let start = references
            .find(address)
            .ok_or_else(|| "nothing refers to it, and it refers to nothing".to_owned())?;
        let mut records: HashMap<String, Vec<usize>> = HashMap::new();
        for index in model.records_of(Scope::Part(part)) {
            let Some(record) = model.record(index) else {
                continue;
            };
            for object in record.objects().filter_map(|id| model.object(id)) {
                let known = records.entry(block_address(object.address)).or_default();
                if known.last() != Some(&index) {
                    known.push(index);
                }
            }
        }
        let mut walk = Self {
            part,
            path: vec![start],
            rows: Vec::new(),
            cursor: 0,
            records,
        };
        walk.list(model, references);
        Ok(walk)
    }

    /// Lists the references to the current resource, and those that it has to others.
    fn list(&mut self, model: &Model<'_>, references: &References) {
        let Some(index) = self.path.last().copied() else {
            return;
        };
        let (uses, used_by) = (references.uses(index), references.used_by(index));
        let all = references.dependents(index);
        let heading = |text: String| WalkRow {
            text,
            resource: None,
        };
        let mut rows = vec![heading(format!(
            "{}{}",
            self.state(model, references.address(index)),
            one_line(references.address(index))
        ))];
        rows.push(heading(format!(
            "Depends on it: {}, {} in all",
            count(used_by.len(), "reference"),
            count(all, "resource")
        )));
        for reference in used_by {
            rows.push(self.row(model, references, reference, Some(index)));
        }
        rows.push(heading(format!(
            "It depends on: {}",
            count(uses.len(), "reference")
        )));
        for reference in uses {
            rows.push(self.row(model, references, reference, None));
        }
        self.cursor = rows
            .iter()
            .position(|row| row.resource.is_some())
            .unwrap_or(0);
        self.rows = rows;
    }

    /// Returns the sign of the change of a resource, with a space after it; blank if the resource does not change.
    fn state(&self, model: &Model<'_>, address: &str) -> String {
        let record = self.records.get(address).and_then(|all| all.first());
        let entry = record
            .and_then(|index| model.record(*index))
            .map(|one| one.entry);
        let sign = entry.map_or("", |entry| entry.sign.symbol);
        format!("{sign:>3} ")
    }

    /// Returns the row of a reference. If `source` is given, it is the resource that is referred to, and the row says
    /// what its change does to the other one.
    fn row(
        &self,
        model: &Model<'_>,
        references: &References,
        reference: &Reference,
        source: Option<usize>,
    ) -> WalkRow {
        let address = references.address(reference.resource);
        let mut text = format!("{}{}", self.state(model, address), one_line(address));
        if !reference.attribute.is_empty() {
            text.push_str(&format!("  {}", one_line(&reference.attribute)));
        }
        if let Some(source) = source {
            let source = references.address(source);
            text.push_str(self.effect(model, address, &reference.attribute, source));
        }
        WalkRow {
            text,
            resource: Some(reference.resource),
        }
    }

    /// Returns what the change of `source` does to the objects of a resource, as far as the plan proves it, in words;
    /// empty if it does nothing.
    fn effect(
        &self,
        model: &Model<'_>,
        address: &str,
        attribute: &str,
        source: &str,
    ) -> &'static str {
        for index in self.records.get(address).into_iter().flatten() {
            let Some(record) = model.record(*index) else {
                continue;
            };
            let is_caused = record
                .objects()
                .filter_map(|id| model.object(id))
                .filter(|object| block_address(object.address) == address)
                .flat_map(|object| object.causes)
                .any(|cause| {
                    cause.attribute == attribute && block_address(cause.address) == source
                });
            if is_caused {
                let ReportEntry { kind, .. } = record.entry;
                let is_replaced = kind.starts_with("replace");
                return if is_replaced {
                    "  (replaced because of it)"
                } else {
                    "  (changes because of it)"
                };
            }
        }
        ""
    }

    /// Moves the cursor to the next or previous reference, by the sign of `step`.
    pub(super) fn move_by(&mut self, step: isize) {
        let mut index = self.cursor;
        while let Some(next) = index.checked_add_signed(step.signum()) {
            let Some(row) = self.rows.get(next) else {
                return;
            };
            index = next;
            if row.resource.is_some() {
                self.cursor = index;
                return;
            }
        }
    }

    /// Shows the resource at the cursor.
    pub(super) fn follow(&mut self, model: &Model<'_>) {
        let resource = self.rows.get(self.cursor).and_then(|row| row.resource);
        if let (Some(resource), Ok(references)) = (resource, model.details.references(self.part)) {
            self.path.push(resource);
            self.list(model, references);
        }
    }

    /// Shows the resource before the current one. Returns false if there is none.
    pub(super) fn back(&mut self, model: &Model<'_>) -> bool {
        if self.path.len() < 2 {
            return false;
        }
        self.path.pop();
        if let Ok(references) = model.details.references(self.part) {
            self.list(model, references);
        }
        true
    }

    /// Returns the entry of the resource at the cursor, or of the current one if the cursor is on no reference. `None`
    /// if that does not change.
    pub(super) fn entry(&self, model: &Model<'_>) -> Option<Item> {
        let references = model.details.references(self.part).ok()?;
        let at_cursor = self.rows.get(self.cursor).and_then(|row| row.resource);
        let resource = at_cursor.or_else(|| self.path.last().copied())?;
        let records = self.records.get(references.address(resource))?;
        records.first().map(|record| Item::Entry(*record))
    }
}
