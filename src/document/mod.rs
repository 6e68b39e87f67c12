//! A plan with its text, as the library and the program use it: to show, review and compare it.
//!
//! Both call the functions here, so that they show, hide and refuse the same. The caller decides where the text and the
//! schemas come from, and words the errors.

#[cfg(feature = "review")]
mod review;

use crate::json;
use crate::model::plan::Plan;
use crate::show;

#[cfg(feature = "review")]
pub(crate) use review::{ComparedPlan, Incomparable, ReviewArena, compare};

/// A plan, with the text that it was read from.
pub(crate) struct PlanDocument<'a> {
    pub(crate) text: &'a str,
    pub(crate) plan: Plan<'a>,
}

impl<'a> PlanDocument<'a> {
    /// Parses a plan and its configuration, which reviews and the inference of layouts read often.
    ///
    /// # Errors
    /// Returns an error if the text is not valid JSON, or a member that matters has an unexpected type.
    pub(crate) fn parse(text: &'a str) -> Result<Self, json::Error> {
        let plan = Plan::parse_with_configuration(text)?;
        Ok(Self { text, plan })
    }

    /// Parses a plan like [`parse`](Self::parse), for uses that read the configuration at most once.
    #[cfg(feature = "cli")]
    pub(crate) fn parse_lazily(text: &'a str) -> Result<Self, json::Error> {
        let plan = Plan::parse(text)?;
        Ok(Self { text, plan })
    }
}

/// Whether an apply has or may have something to do. A plan that failed, is not complete or defers changes does not
/// prove that nothing changes.
///
/// # Errors
/// Returns an error if a value is malformed.
pub(crate) fn may_change(plan: &Plan<'_>, options: &show::Options) -> Result<bool, show::Error> {
    if plan.has_unlisted_changes() {
        return Ok(true);
    }
    show::has_changes(plan, options)
}
