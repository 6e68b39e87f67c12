//! The mode of a plan, which the JSON of a plan does not say.

use serde::Serialize;

use super::plan::{Plan, PriorState};
use super::state::Module;
use super::{Action, ResourceMode};

/// The planning mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanMode {
    /// Change the objects to match the configuration.
    #[default]
    Normal,
    /// Destroy all objects.
    Destroy,
    /// Only record changes made outside of the tool.
    RefreshOnly,
}

impl PlanMode {
    /// The mode of a plan: as a saved plan says, or inferred from the document.
    ///
    /// A normal plan lists every object, including unchanged ones. A plan without any was therefore made with
    /// `-refresh-only` if there are objects: in the drift, or in the state, unless it was made for a target that
    /// does not exist, in which case the outputs are missing too.
    pub fn of(plan: &Plan<'_>) -> Self {
        if let Some(saved) = &plan.saved_plan {
            return match &*saved.mode {
                "destroy" => Self::Destroy,
                "refresh-only" => Self::RefreshOnly,
                _ => Self::Normal,
            };
        }
        // The cheap checks come first: the state is as large as the changes.
        if !plan.resource_changes.is_empty() || plan.complete == Some(false) {
            return Self::Normal;
        }
        if !plan.errored && plan.resource_drift.iter().any(|drift| drift.change.actions == Action::Update) {
            return Self::RefreshOnly;
        }
        let state = plan.prior_state.map(|state| state.read::<PriorState<'_>>());
        let Some(Ok(PriorState { values, .. })) = state else { return Self::Normal };
        let targeted = plan.output_changes.is_empty() && !values.outputs.is_empty();
        if !targeted && has_managed(&values.root_module) { Self::RefreshOnly } else { Self::Normal }
    }

    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Destroy => "destroy",
            Self::RefreshOnly => "refresh-only",
        }
    }
}

fn has_managed(module: &Module<'_>) -> bool {
    module.resources.iter().any(|resource| resource.mode == ResourceMode::Managed)
        || module.child_modules.iter().any(has_managed)
}
