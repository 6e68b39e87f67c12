//! The text of plans and states, as the tools' `show` prints it.
//!
//! Invariants: shapes, drift and changed outputs are computed before the first byte is written, so that most errors of
//! the input leave no partial text; only a value that is too large, or malformed marks, can still be an error later.
//! Values that are not shown are never built.

mod outputs;
mod plan;
mod resources;
mod state;

use std::io;

use bumpalo::Bump;

use crate::dialect::{Dialect, DialectChoice, Tool};
use crate::diff::notes::Notes;
use crate::diff::parallel::{in_order, pieces};
use crate::diff::{Cursor, Differ, Paths};
use crate::model::plan::{Change, Plan};
use crate::model::state::StateDocument;
use crate::render::{self, Context};
use crate::term::{Out, Rendered, capture};
use crate::{diff, json};

pub use plan::{has_changes, nothing_planned, plan};
pub use resources::{ChangeTexts, plan_texts, selected};
pub use state::{StateTexts, state};

/// The mode in which a plan was made.
pub type PlanMode = crate::model::plan::PlanMode;

/// The options for showing a document.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The tool and its release, which determine the text.
    pub dialect: Dialect,
    /// The mode of the plan; `None` to infer it from the plan.
    pub plan_mode: Option<PlanMode>,
    /// Whether sensitive values are shown.
    pub show_sensitive: bool,
    /// The width in columns.
    pub width: usize,
    /// Whether hints at commands are left out (`TF_IN_AUTOMATION`).
    pub automation: bool,
}

impl Options {
    /// Returns the context for a change of a resource.
    fn context(&self) -> Context {
        Context::resource(self.dialect, self.show_sensitive)
    }
}

/// Returns the tool and release whose text is written for a plan: those that were chosen, otherwise those that wrote
/// the plan. `otherwise` is called if the plan does not tell which tool that was.
pub fn plan_dialect(
    plan: &Plan<'_>,
    choice: DialectChoice,
    otherwise: impl FnOnce() -> Option<Tool>,
) -> Dialect {
    let tool = choice
        .tool
        .or_else(|| Tool::from_plan(plan))
        .or_else(otherwise);
    choice.for_document(tool, &plan.terraform_version)
}

/// Returns the tool and release whose text is written for a state, like `plan_dialect` for a plan.
pub fn state_dialect(
    state: &StateDocument<'_>,
    choice: DialectChoice,
    otherwise: impl FnOnce() -> Option<Tool>,
) -> Dialect {
    let tool = choice
        .tool
        .or_else(|| Tool::from_state(state))
        .or_else(otherwise);
    choice.for_document(tool, &state.terraform_version)
}

/// The facts that the user should know about the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShowReport {
    /// The types whose layout is a guess, so that their text may differ from the tool's.
    pub inferred: Vec<String>,
    /// The attributes that the given schema lacks, as `TYPE.ATTRIBUTE`. They are missing in the text.
    pub not_in_schema: Vec<String>,
    /// Whether an alignment exceeded its limit of steps, so that the diff may be neither minimal nor the one that the
    /// tools choose.
    pub is_approximate: bool,
}

impl ShowReport {
    fn new(notes: &Notes) -> Self {
        Self {
            inferred: notes.inferred(),
            not_in_schema: notes.not_in_schema(),
            is_approximate: notes.are_approximate(),
        }
    }
}

/// The reason why a document could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text could not be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// The document is malformed or too large.
    #[error(transparent)]
    Read(#[from] diff::Error),
}

impl From<json::Error> for Error {
    fn from(error: json::Error) -> Self {
        Self::Read(error.into())
    }
}

/// Returns the text of the difference of two values, as a diagnostic shows it.
///
/// # Errors
/// Returns an error if a value is malformed or too large.
pub fn difference(
    change: &Change<'_>,
    dialect: Dialect,
    show_sensitive: bool,
    colour: bool,
) -> Result<String, Error> {
    let arena = Bump::new();
    let cursor = Cursor::new(change, Paths::Always, &arena)?.checked(change.size())?;
    let diff = Differ::new(&arena, dialect).output(cursor);
    let context = Context {
        show_sensitive,
        ..Context::default()
    };
    Ok(capture(colour, |out| render::diff(out, &diff, context))?)
}

/// Writes items in parallel, with their texts in order. `size` returns the size of an item in bytes, by which items are
/// combined into pieces of work. Each piece has an arena that is reset afterwards, so memory does not grow with the
/// number of items.
fn write_in_order<T: Sync>(
    out: &mut Out<'_>,
    items: &[T],
    size: impl Fn(&T) -> usize,
    write: impl Fn(&mut Out<'_>, &T, &Bump) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let mode = out.mode();
    let pieces = pieces(items, size);
    if let [piece] = &*pieces {
        // A single piece is written directly, so that a text that is far longer than its input is not kept in memory.
        let arena = Bump::new();
        return piece.iter().try_for_each(|item| write(out, item, &arena));
    }
    in_order(
        pieces,
        Bump::new,
        |arena, piece| {
            arena.reset();
            Rendered::new(mode, |out| {
                piece.iter().try_for_each(|item| write(out, item, arena))
            })
        },
        |text: Result<Rendered, Error>| Ok(out.write_rendered(&text?)?),
    )
}
