//! Plans and states, put together: model → differ → renderer, section by section.
//!
//! Invariants: nothing is written before everything that can fail on the input has been read; the
//! values of what is not shown are never built.

mod error;
mod plan;
mod resources;
mod sections;
mod selection;
mod state;
mod texts;
mod write;

pub use error::Error;
pub use plan::{has_changes, plan, plan_mode};
pub use sections::nothing_planned;
pub use selection::selected;
pub use state::{state, state_beside};
pub use texts::{PlanTexts, outputs_text, plan_texts};

use crate::dialect::Dialect;

/// How a plan was made. The document does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PlanMode {
    /// To make the objects what the configuration says.
    #[default]
    Normal,
    /// To destroy all objects.
    Destroy,
    /// To take over what changed outside of the tool.
    RefreshOnly,
}

/// What the text depends on beside the document.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whose words are used.
    pub dialect: Dialect,
    /// How the plan was made; `None` to infer it from the plan.
    pub plan_mode: Option<PlanMode>,
    /// Show secrets.
    pub show_sensitive: bool,
    /// The display's width in columns.
    pub width: usize,
    /// No hints at commands, as in automation (`TF_IN_AUTOMATION`).
    pub automation: bool,
}

/// What was shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// There is something to apply.
    pub has_changes: bool,
    /// The resource types whose shape had to be inferred, sorted and unique.
    pub inferred: Vec<String>,
    /// What values have but the schema at hand does not, as `TYPE.ATTRIBUTE`; the text leaves it out.
    pub not_in_schema: Vec<String>,
    /// An alignment would have taken too long: the text shows a difference that may not be a smallest
    /// one, nor the one that the tools choose.
    pub bounded: bool,
}
