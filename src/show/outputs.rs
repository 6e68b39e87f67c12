//! The changes of outputs.
//!
//! Invariant: the diffs of many outputs are not in memory at the same time, except for as many as a plan usually
//! has. Others are computed again when they are written.

use bumpalo::Bump;

use super::Error;
use crate::dialect::Dialect;
use crate::diff::tree::{Diff, DiffAction, Entry};
use crate::diff::{Cursor, Differ, Paths};
use crate::model::plan::{Change, Plan};
use crate::render::{self, Context};
use crate::term::Out;
use crate::text;

/// Outputs with so many bytes of values are kept.
const KEPT: usize = 256 << 10;

/// A scratch arena is emptied when it has grown to this size.
const SCRATCH: usize = 64 << 10;

/// The outputs that change.
pub(super) struct OutputDiffs<'p, 'a> {
    dialect: Dialect,
    changed: Vec<(&'p str, &'p Change<'a>, Option<Diff<'a>>)>,
    width: usize,
    /// Whether an alignment exceeded its step limit.
    pub(super) is_approximate: bool,
}

impl<'p, 'a> OutputDiffs<'p, 'a> {
    pub(super) fn new(plan: &'p Plan<'a>, dialect: Dialect, arena: &'a Bump) -> Result<Self, Error> {
        let mut found = Self { dialect, changed: Vec::new(), width: 0, is_approximate: false };
        let differ = Differ::new(arena, dialect);
        let mut scratch = Bump::new();
        let mut size = 0;
        for (name, change) in plan.output_changes.iter() {
            // Unchanged outputs are not shown, but count for the width.
            found.width = found.width.max(text::key(name).len());
            size += change.size();
            if size < KEPT {
                let diff = output_diff(differ, change, arena)?;
                if diff.action != DiffAction::NoOp {
                    found.changed.push((name, change, Some(diff)));
                }
                continue;
            }
            let scratch = emptied(&mut scratch);
            let differ = Differ::new(scratch, dialect);
            if output_diff(differ, change, scratch)?.action != DiffAction::NoOp {
                found.changed.push((name, change, None));
            }
            found.is_approximate |= differ.is_approximate();
        }
        found.is_approximate |= differ.is_approximate();
        Ok(found)
    }

    pub(super) fn are_none(&self) -> bool {
        self.changed.is_empty()
    }

    /// Writes them, one below the other.
    pub(super) fn write(&self, out: &mut Out<'_>, cx: Context) -> Result<(), Error> {
        let mut scratch = Bump::new();
        for (key, change, diff) in &self.changed {
            if let Some(diff) = diff {
                render::entry(out, &Entry { key, diff: *diff }, self.width, cx)?;
                continue;
            }
            let scratch = emptied(&mut scratch);
            let diff = output_diff(Differ::new(scratch, self.dialect), change, scratch)?;
            render::entry(out, &Entry { key, diff }, self.width, cx)?;
        }
        Ok(())
    }
}

fn emptied(scratch: &mut Bump) -> &Bump {
    if scratch.allocated_bytes() > SCRATCH {
        scratch.reset();
    }
    scratch
}

fn output_diff<'s>(differ: Differ<'s>, change: &Change<'s>, arena: &'s Bump) -> Result<Diff<'s>, Error> {
    let cursor = Cursor::new(change, Paths::Always, arena)?.checked(change.size())?;
    Ok(differ.output(differ.as_read(cursor)))
}
