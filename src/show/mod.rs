//! The text of plans and states: model → differ → renderer, section by section.
//!
//! Invariants: nothing is written before everything that can fail on the input has been read; values that are
//! not shown are never built.

mod error;
mod outputs;
mod plan;
mod resources;
mod sections;
mod selection;
mod state;
mod texts;
mod write;

pub use error::Error;
pub use plan::{has_changes, plan};
pub use sections::nothing_planned;
pub use selection::selected;
pub use state::state;
pub use texts::plan_texts;

use crate::dialect::{Dialect, DialectChoice, Tool};
use crate::diff::shapes::{Notes, Shapes};
use crate::model::plan::Plan;
use crate::model::state::StateDocument;

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
