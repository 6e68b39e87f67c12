//! The text of plans and states.
//!
//! Invariants: nothing is written before everything that can fail on the input has been read; values that are not
//! shown are never built.

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

/// How the plan was made.
pub type PlanMode = crate::model::plan::PlanMode;

/// How a document is shown.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The tool and its release, as far as they were chosen.
    pub dialect: Dialect,
    /// `None` to infer it from the plan.
    pub plan_mode: Option<PlanMode>,
    /// Sensitive values are shown.
    pub show_sensitive: bool,
    /// The width in columns.
    pub width: usize,
    /// Omits hints at commands (`TF_IN_AUTOMATION`).
    pub automation: bool,
}

impl Options {
    fn context(&self) -> Context {
        Context::resource(self.dialect, self.show_sensitive)
    }
}

/// An explicit choice wins, then the tool and release that wrote the plan. `otherwise` is asked if the plan does
/// not say which tool that was.
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

/// Like [`plan_dialect`].
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

/// What is to be said about the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShowReport {
    /// The types whose layout is a guess, so that their text may differ from the tool's.
    pub inferred: Vec<String>,
    /// In the form `TYPE.ATTRIBUTE`. The text omits them.
    pub not_in_schema: Vec<String>,
    /// An alignment exceeded its step limit, so that the diff may be neither minimal nor the one that the tools
    /// choose.
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

/// Why a document could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text could not be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// The document could not be compared.
    #[error(transparent)]
    Read(#[from] diff::Error),
}

impl From<json::Error> for Error {
    fn from(error: json::Error) -> Self {
        Self::Read(error.into())
    }
}

/// Returns the difference of two values, as it is shown in a diagnostic.
///
/// # Errors
/// If a value is malformed or too large.
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

/// `size` is in bytes. Each piece of work has its own arena, which is reset afterwards, so memory does not grow
/// with the number of items.
fn write_in_order<T: Sync>(
    out: &mut Out<'_>,
    items: &[T],
    size: impl Fn(&T) -> usize,
    write: impl Fn(&mut Out<'_>, &T, &Bump) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let mode = out.mode();
    let pieces = pieces(items, size);
    if let [piece] = &*pieces {
        // A single piece is written directly, so that a text far longer than its input is not kept in memory.
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
