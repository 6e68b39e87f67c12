//! A plan as the library and the program have it: its text, how it is reviewed, and how it is compared.
//!
//! Both call what is here, so that they show, hide and refuse the same. What differs is the caller's: where the text and
//! the schemas come from, and the words of an error.

#[cfg(feature = "review")]
mod review;

use crate::json;
use crate::model::plan::Plan;
use crate::show;

#[cfg(feature = "review")]
pub(crate) use review::{ComparedPlan, Incomparable, ReviewArena, compare};

/// A plan, and the text that it was read from.
pub(crate) struct PlanDocument<'a> {
    pub(crate) text: &'a str,
    pub(crate) plan: Plan<'a>,
}

impl<'a> PlanDocument<'a> {
    /// Parses a plan and its configuration, which reviews and the inference of layouts read often.
    ///
    /// # Errors
    /// If the text is not JSON, or a member that decides has an unexpected type.
    pub(crate) fn parse(text: &'a str) -> Result<Self, json::Error> {
        let plan = Plan::parse_with_configuration(text)?;
        Ok(Self { text, plan })
    }

    /// Like [`parse`](Self::parse), for uses that read the configuration once or not at all.
    #[cfg(feature = "cli")]
    pub(crate) fn parse_lazily(text: &'a str) -> Result<Self, json::Error> {
        let plan = Plan::parse(text)?;
        Ok(Self { text, plan })
    }
}

/// Whether there is something to apply, or may be: a plan that failed, is not complete or defers changes does not prove
/// that nothing changes.
///
/// # Errors
/// If a value is malformed.
pub(crate) fn may_change(plan: &Plan<'_>, options: &show::Options) -> Result<bool, show::Error> {
    if plan.has_unlisted_changes() {
        return Ok(true);
    }
    show::has_changes(plan, options)
}
