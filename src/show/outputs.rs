//! The outputs that a plan changes.
//!
//! Invariant: outputs are compared one at a time, first to know which change, and again to write
//! them, so that not all differences are in memory at once.

use bumpalo::Bump;

use super::Error;
use crate::dialect::Dialect;
use crate::diff::tree::{Diff, DiffAction, Entry};
use crate::diff::{Cursor, Differ, Paths};
use crate::model::plan::{Change, Plan};
use crate::render::{self, Context};
use crate::term::Out;
use crate::text;

/// A scratch arena is emptied when it has grown to this size.
const SCRATCH: usize = 64 << 10;

/// The outputs that change. They are compared again when they are written, so that not all
/// differences are in memory at the same time.
pub(super) struct OutputDiffs<'p, 'a> {
    changed: Vec<(&'p str, &'p Change<'a>)>,
    width: usize,
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

fn emptied(scratch: &mut Bump) -> &Bump {
    if scratch.allocated_bytes() > SCRATCH {
        scratch.reset();
    }
    scratch
}

fn output_diff<'s>(
    differ: Differ<'s>,
    change: &Change<'s>,
    arena: &'s Bump,
) -> Result<Diff<'s>, Error> {
    let cursor = Cursor::new(change, Paths::Always, arena)?.checked(change.size())?;
    Ok(differ.output(differ.as_read(cursor)))
}
