//! The text of plans and states: model → differ → renderer, section by section.
//!
//! Invariants: nothing is written before everything that can fail on the input has been read; values that are
//! not shown are never built.

mod plan;
mod resources;
mod state;

use std::{fmt, io};

use bumpalo::Bump;

use crate::dialect::{Dialect, DialectChoice, Tool};
use crate::diff::parallel::{in_order, pieces};
use crate::diff::shapes::{Notes, Shapes};
use crate::model::plan::Plan;
use crate::model::state::StateDocument;
use crate::render::Context;
use crate::term::{Out, Rendered};
use crate::{diff, json};

pub use plan::{has_changes, nothing_planned, plan};
pub use resources::{plan_texts, selected};
pub use state::state;

/// The planning mode.
pub type PlanMode = crate::model::plan::PlanMode;

/// The settings of the text.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The dialect of the text.
    pub dialect: Dialect,
    /// The planning mode; `None` to infer it from the plan.
    pub plan_mode: Option<PlanMode>,
    /// Whether to show sensitive values.
    pub show_sensitive: bool,
    /// The width of the display, in columns.
    pub width: usize,
    /// Whether to omit hints at commands, as in automation (`TF_IN_AUTOMATION`).
    pub automation: bool,
}

impl Options {
    /// The context in which values are rendered.
    fn context(&self) -> Context {
        Context::resource(self.dialect, self.show_sensitive)
    }
}

/// The dialect for a plan: the chosen one, or that of the tool and release that wrote the plan. `otherwise`
/// is asked if the plan does not say which tool that was.
pub fn plan_dialect(
    plan: &Plan<'_>,
    choice: DialectChoice,
    otherwise: impl FnOnce() -> Option<Tool>,
) -> Dialect {
    let tool = choice.tool.or_else(|| Tool::from_plan(plan)).or_else(otherwise);
    choice.for_document(tool, &plan.terraform_version)
}

/// The dialect for a state: the chosen one, or that of the tool and release that wrote the state. `otherwise`
/// is asked if the state does not say which tool that was.
pub fn state_dialect(
    state: &StateDocument<'_>,
    choice: DialectChoice,
    otherwise: impl FnOnce() -> Option<Tool>,
) -> Dialect {
    let tool = choice.tool.or_else(|| Tool::from_state(state)).or_else(otherwise);
    choice.for_document(tool, &state.terraform_version)
}

/// What to note about a text that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShowReport {
    /// The resource types whose shape was inferred, sorted and unique.
    pub inferred: Vec<String>,
    /// Attributes of values that are not in the given schema, as `TYPE.ATTRIBUTE`. The text omits them.
    pub not_in_schema: Vec<String>,
    /// Whether an alignment exceeded its step limit, so that the diff may be neither minimal nor the one that
    /// the tools choose.
    pub is_approximate: bool,
}

impl ShowReport {
    fn new(shapes: &Shapes<'_, '_>, notes: &Notes) -> Self {
        let (inferred, not_in_schema) = (shapes.inferred(), notes.not_in_schema());
        Self { inferred, not_in_schema, is_approximate: notes.are_approximate() }
    }
}

/// The reason why a document could not be shown.
#[derive(Debug)]
pub enum Error {
    /// Writing failed.
    Write(io::Error),
    /// A value or a schema is malformed.
    Read(diff::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => write!(f, "cannot write: {error}"),
            Self::Read(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write(error) => Some(error),
            Self::Read(error) => Some(error),
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<json::Error> for Error {
    fn from(error: json::Error) -> Self {
        Self::Read(error.into())
    }
}

impl From<diff::Error> for Error {
    fn from(error: diff::Error) -> Self {
        Self::Read(error)
    }
}

/// Writes all `items` in order. `size` is the size of an item in bytes. Each piece of work has its own arena,
/// which is reset afterwards, so memory does not grow with the number of items.
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
            Rendered::new(mode, |out| piece.iter().try_for_each(|item| write(out, item, arena)))
        },
        |text: Result<Rendered, Error>| Ok(out.write_rendered(&text?)?),
    )
}
