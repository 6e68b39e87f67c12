//! Reviews and comparisons of plans.
//!
//! Invariant: the library and the program call these functions, so that both have the same results.

use bumpalo::Bump;

use super::PlanDocument;
use crate::compare::{
    self, Comparison, Side,
    fingerprint::{Basis, Fingerprint},
};
use crate::diff::{Error, parallel::Storage};
use crate::review::build::PlanContext;
use crate::schema::Schemas;
use crate::text::one_line;

/// The arenas that the documents of a review or a comparison are read into.
#[derive(Debug, Default)]
pub(crate) struct ReviewArena {
    /// The arena for values that a single thread reads.
    pub(crate) arena: Bump,
    /// The arenas of the threads that compare values.
    pub(crate) storage: Storage,
}

/// A plan that is compared with another one.
pub(crate) struct ComparedPlan<'p, 'a> {
    pub(crate) name: &'p str,
    pub(crate) document: &'p PlanDocument<'a>,
    /// The given schemas, and those in the document.
    pub(crate) schemas: Schemas<'a>,
}

/// The reason why a difference of two plans would prove nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Incomparable {
    #[error(
        "one plan is a saved plan and the other one JSON, which says more: they cannot be compared"
    )]
    Forms,
    /// The configuration, which determines what an apply runs, cannot be read.
    #[error(
        "the configuration in {name} cannot be read, so what an apply runs cannot be compared: {problem}"
    )]
    Configuration { name: String, problem: String },
}

impl<'a> PlanDocument<'a> {
    /// Returns the facts that a review uses besides the plan. These are the fingerprint, if it is wanted and the
    /// document contains everything that it covers (a saved plan does not); and the reason why the configuration cannot
    /// be read, which prevents the fingerprint but not the review.
    ///
    /// `schemas` are the given ones, if `are_given`, and those in the plan. The schemas that a machine has stored must
    /// not affect the result.
    ///
    /// # Errors
    /// Returns an error if a value or a schema is malformed.
    pub(crate) fn context(
        &self,
        schemas: &Schemas<'a>,
        are_given: bool,
        is_wanted: bool,
        arena: &'a Bump,
    ) -> Result<PlanContext<'a>, Error> {
        let basis = Basis {
            schemas: are_given,
            sensitive: false,
        };
        let plan = &self.plan;
        let made = if is_wanted && plan.saved_plan.is_none() {
            Fingerprint::new(plan, schemas, basis, arena).map(|made| made.to_string())
        } else {
            Fingerprint::check(plan, schemas, basis, arena).map(|()| String::new())
        };
        match made {
            Ok(fingerprint) => Ok(PlanContext {
                fingerprint,
                ..PlanContext::default()
            }),
            Err(error @ Error::Configuration(_)) => Ok(PlanContext {
                notes: vec![one_line(&format!(
                    "{error}: causes and what an apply runs are missing, and there is no fingerprint"
                ))],
                ..PlanContext::default()
            }),
            Err(error @ (Error::Value(_) | Error::Schema(_) | Error::TooLarge)) => Err(error),
        }
    }

    /// Checks that this plan and `other` contain the same kinds of facts; otherwise, a difference would prove nothing.
    /// `names` are those of both plans.
    pub(crate) fn require_comparable(
        &self,
        other: &Self,
        names: [&str; 2],
    ) -> Result<(), Incomparable> {
        if self.plan.saved_plan.is_some() != other.plan.saved_plan.is_some() {
            return Err(Incomparable::Forms);
        }
        for (document, name) in [self, other].into_iter().zip(names) {
            let saved = document.plan.saved_plan.as_ref();
            let problem = saved.map_or("", |saved| &saved.configuration_problem);
            if !problem.is_empty() {
                return Err(Incomparable::Configuration {
                    name: name.to_owned(),
                    problem: problem.to_owned(),
                });
            }
        }
        Ok(())
    }
}

/// Compares a plan with the approved one. Values that the schemas in one of them mark as sensitive are hidden in both.
///
/// # Errors
/// Returns an error if a value or a schema is malformed.
pub(crate) fn compare<'a>(
    mut approved: ComparedPlan<'_, 'a>,
    mut now: ComparedPlan<'_, 'a>,
    options: &compare::Options,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> Result<Comparison<'a>, Error> {
    approved.hide_what_is_sensitive_in(now.document)?;
    now.hide_what_is_sensitive_in(approved.document)?;
    compare::compare(approved.side(), now.side(), options, arena, storage)
}

impl<'a> ComparedPlan<'_, 'a> {
    /// Returns the plan as [`compare::compare`], and the comparisons with a result, accept it.
    pub(crate) fn side(&self) -> Side<'_, 'a> {
        Side {
            name: self.name,
            text: self.document.text,
            plan: &self.document.plan,
            schemas: &self.schemas,
        }
    }

    /// Hides the values that the schemas in `other` mark as sensitive.
    fn hide_what_is_sensitive_in(&mut self, other: &PlanDocument<'a>) -> Result<(), Error> {
        if let Some(embedded) = other.plan.provider_schemas {
            self.schemas.add_provider_marks(embedded)?;
        }
        Ok(())
    }
}
