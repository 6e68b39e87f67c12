//! The changes of outputs in the text of a plan.
//!
//! Invariant: outputs are compared one at a time, first to know which of them change, and again to write them, so that
//! not all differences are in memory at once.

use bumpalo::Bump;

use super::Error;
use crate::dialect::Dialect;
use crate::diff::tree::{Diff, DiffAction, Entry};
use crate::diff::{Cursor, Differ, Paths};
use crate::model::plan::{Change, Plan};
use crate::render::{self, Context};
use crate::term::Out;
use crate::text;

/// The size at which a scratch arena is reset, in bytes.
const SCRATCH: usize = 64 << 10;

/// The outputs that change. They are compared again when they are written, so that not all differences are in memory at
/// once.
pub(super) struct OutputDiffs<'p, 'a> {
    /// The names and changes of these outputs.
    changed: Vec<(&'p str, &'p Change<'a>)>,
    /// The width of the column of names, in bytes.
    width: usize,
    /// Whether an alignment exceeded its limit of steps.
    pub(super) is_approximate: bool,
}

impl<'p, 'a> OutputDiffs<'p, 'a> {
    /// Finds the outputs that change, and the width of the column of names.
    pub(super) fn new(plan: &'p Plan<'a>, dialect: Dialect) -> Result<Self, Error> {
        let mut outputs = Self {
            changed: Vec::new(),
            width: 0,
            is_approximate: false,
        };
        let mut scratch = Bump::new();
        for (name, change) in plan.output_changes.iter() {
            // Unchanged outputs are not shown, but count for the width.
            outputs.width = outputs.width.max(text::key(name).len());
            let scratch = emptied(&mut scratch);
            let differ = Differ::new(scratch, dialect);
            if output_diff(differ, change, scratch)?.action != DiffAction::NoOp {
                outputs.changed.push((name, change));
            }
            outputs.is_approximate |= differ.is_approximate();
        }
        Ok(outputs)
    }

    pub(super) fn are_none(&self) -> bool {
        self.changed.is_empty()
    }

    /// Writes the changes of the outputs, one on each line.
    pub(super) fn write(&self, out: &mut Out<'_>, cx: Context) -> Result<(), Error> {
        let mut scratch = Bump::new();
        for (key, change) in &self.changed {
            let scratch = emptied(&mut scratch);
            let diff = output_diff(Differ::new(scratch, cx.dialect), change, scratch)?;
            render::entry(out, &Entry { key, diff }, self.width, cx)?;
        }
        Ok(())
    }
}

/// Returns the scratch arena, which is reset if it has become large.
fn emptied(scratch: &mut Bump) -> &Bump {
    if scratch.allocated_bytes() > SCRATCH {
        scratch.reset();
    }
    scratch
}

/// Compares both sides of an output.
fn output_diff<'s>(
    differ: Differ<'s>,
    change: &Change<'s>,
    arena: &'s Bump,
) -> Result<Diff<'s>, Error> {
    let cursor = Cursor::new(change, Paths::Always, arena)?.checked(change.size())?;
    Ok(differ.output(differ.as_read(cursor)))
}
