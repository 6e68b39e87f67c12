//! The tree of the units, or of the modules of a plan, with the number of their changes and the gravest level.
//!
//! ```text
//! !! module.data    3
//!     !! backup     1
//!  · module.web     2
//! ```

use std::collections::BTreeMap;

use super::model::{Model, Scope};
use crate::model::address::Steps;
use crate::report::Level;
use crate::text::one_line;

/// The units or modules that a row of the tree is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    /// All units, or all modules.
    All,
    /// A unit, by the index of its part.
    Unit(usize),
    /// A module, by its address, which is empty for the root module.
    Module(String),
}

/// A row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreeRow {
    /// The unit or module that choosing the row shows.
    pub(super) branch: Branch,
    /// The number of rows above it that contain it.
    pub(super) depth: usize,
    /// The last part of the address of the module, or the name of the unit.
    pub(super) name: String,
    /// The number of objects that change.
    pub(super) count: usize,
    /// The gravest level of these changes.
    pub(super) level: Level,
}

/// The tree for a list.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The rows; the first one is about all units or modules.
    pub(super) rows: Vec<TreeRow>,
    /// The index of the selected row.
    pub(super) cursor: usize,
}

impl Tree {
    pub(super) fn new(model: &Model<'_>, scope: Scope) -> Self {
        let rows = match scope {
            Scope::Units => units(model),
            Scope::Part(_) => modules(model, scope),
        };
        Self { rows, cursor: 0 }
    }

    /// Whether the tree has more than one unit or module. Otherwise it would say nothing.
    pub(super) fn is_useful(&self) -> bool {
        self.rows.len() > 2
    }

    /// Moves the cursor by a number of rows, not beyond the ends.
    pub(super) fn move_by(&mut self, step: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(step).min(last);
    }

    pub(super) fn current(&self) -> Option<&Branch> {
        self.rows.get(self.cursor).map(|row| &row.branch)
    }
}

/// Returns a row for all units, and below it a row for each unit.
fn units(model: &Model<'_>) -> Vec<TreeRow> {
    let mut rows = vec![TreeRow {
        branch: Branch::All,
        depth: 0,
        name: "all units".to_owned(),
        count: 0,
        level: Level::None,
    }];
    for (part, content) in model.units() {
        let name = content.name.as_deref().unwrap_or(&content.row.name);
        let row = TreeRow {
            branch: Branch::Unit(part),
            depth: 1,
            name: one_line(name),
            count: content.row.numbers.in_order().iter().sum(),
            level: content.headline.level,
        };
        if let Some(all) = rows.first_mut() {
            all.count += row.count;
            all.level = all.level.max(row.level);
        }
        rows.push(row);
    }
    rows
}

/// Returns a row for all modules, and below it a row for each module with changes. A module is below the one that calls
/// it, if that changes, too.
fn modules(model: &Model<'_>, scope: Scope) -> Vec<TreeRow> {
    let mut counts: BTreeMap<&str, (usize, Level)> = BTreeMap::new();
    let (mut number, mut gravest) = (0, Level::None);
    for record in model.records_of(scope) {
        let Some(record) = model.record(record) else {
            continue;
        };
        let level = record.entry.level;
        gravest = gravest.max(level);
        for object in record.objects().filter_map(|id| model.object(id)) {
            let (count, known) = counts.entry(object.module).or_default();
            *count += 1;
            *known = level.max(*known);
            number += 1;
        }
    }
    let mut rows = vec![TreeRow {
        branch: Branch::All,
        depth: 0,
        name: "all modules".to_owned(),
        count: number,
        level: gravest,
    }];
    let mut above: Vec<&str> = Vec::new();
    for (address, (count, level)) in counts {
        let is_below = |caller: &&str| {
            address
                .strip_prefix(*caller)
                .is_some_and(|rest| rest.starts_with('.'))
        };
        while above.last().is_some_and(|caller| !is_below(caller)) {
            above.pop();
        }
        let caller = above.last().map_or(0, |caller| caller.len() + 1);
        let name = match address {
            "" => "root module",
            address => address.get(caller..).unwrap_or(address),
        };
        rows.push(TreeRow {
            branch: Branch::Module(address.to_owned()),
            depth: 1 + above.len(),
            name: one_line(name.strip_prefix("module.").unwrap_or(name)),
            count,
            level,
        });
        if Steps(address).next().is_some() {
            above.push(address);
        }
    }
    rows
}
