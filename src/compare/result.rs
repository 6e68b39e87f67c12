//! Determines the outcomes of planned changes; what the comparisons with a run and with a state share.
//!
//! Invariants: every planned change has an [`Outcome`]. Everything that was done without being planned, or with other
//! values than those in the plan, makes the verdict wider. So does an incomplete input, because the missing part is
//! unknown. Values that were unknown in the plan are expected to be known. Sensitive marks are merged from both sides
//! and not compared, because the documents write them differently.

use std::collections::BTreeMap;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::values::{Tolerance, compare_result_values, with_result};
use super::{
    About, ActionWords, Against, Class, ClassifiedDifferences, Comparison, DifferenceKind, Outcome,
    PlannedOutcome, Subject, Task,
};
use crate::diff::Error;
use crate::diff::edits::Comparer;
use crate::diff::value::{Builder, Redactor};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{Change, Plan, PriorState, ResourceChange};
use crate::review::{ChangeKind, count};
use crate::schema::Position;

/// The outcome of a planned change, with the differences between its values and the planned ones.
#[derive(Debug)]
pub(super) struct Achieved<'a> {
    /// The outcome.
    pub(super) outcome: Outcome,
    /// The reason, or the part that was done; empty if there is nothing to say.
    pub(super) why: String,
    /// The differences, each with its class.
    pub(super) differences: ClassifiedDifferences<'a>,
}

impl<'a> Achieved<'a> {
    pub(super) fn new(outcome: Outcome, why: &str) -> Self {
        Self {
            outcome,
            why: why.to_owned(),
            differences: Vec::new(),
        }
    }

    /// Returns the outcome of a change that was done, which depends on whether its differences are expected.
    pub(super) fn with_values(differences: ClassifiedDifferences<'a>) -> Self {
        let outcome = if are_expected(&differences) {
            Outcome::Done
        } else {
            Outcome::DoneDifferently
        };
        Self {
            outcome,
            why: String::new(),
            differences,
        }
    }
}

/// Whether all differences are expected of a result, so that it is as planned.
pub(super) fn are_expected(differences: &ClassifiedDifferences<'_>) -> bool {
    differences
        .iter()
        .all(|(class, _)| class.is_expected_of_result())
}

impl<'a> Comparison<'a> {
    /// Adds the outcome of a planned change and its differences. Of a change that has no effect, only the differences
    /// are added.
    pub(super) fn add_change(
        &mut self,
        change: &ResourceChange<'a>,
        about: About<'a>,
        achieved: Achieved<'a>,
    ) {
        if change.is_listed() {
            let action = &change.change.actions;
            let kind = ChangeKind::from_action(action, change.is_imported(), change.is_moved());
            self.add_outcome(
                about,
                ActionWords::new(action.words(), kind.phrase()),
                achieved,
            );
        } else {
            achieved
                .differences
                .into_iter()
                .for_each(|(class, what)| self.push(class, about, what));
        }
    }

    /// Adds an outcome to the list of outcomes, and its differences.
    pub(super) fn add_outcome(
        &mut self,
        about: About<'a>,
        words: ActionWords,
        achieved: Achieved<'a>,
    ) {
        self.same += usize::from(achieved.outcome == Outcome::Done);
        self.outcomes.push(PlannedOutcome {
            subject: about.subject,
            address: about.address,
            deposed: about.deposed,
            words: words.clone(),
            outcome: achieved.outcome,
            why: achieved.why.clone(),
        });
        self.add_differences(about, words, achieved);
    }

    /// Adds the differences of an outcome: the outcome itself, if it counts as a difference, and the differences of
    /// values.
    fn add_differences(&mut self, about: About<'a>, words: ActionWords, found: Achieved<'a>) {
        let Achieved {
            outcome,
            why,
            differences,
        } = found;
        if let Some(class) = outcome.class() {
            self.push(
                class,
                about,
                DifferenceKind::Outcome {
                    words,
                    outcome,
                    why,
                },
            );
        }
        differences
            .into_iter()
            .for_each(|(class, what)| self.push(class, about, what));
    }

    /// Adds the outcomes of all planned outputs, and the outputs that were set without being planned.
    ///
    /// `results` is `None` if the results are unknown. If they are complete (`is_complete`), an output without a result
    /// was not set. `compared` yields what `output_tasks` found, in the same order.
    ///
    /// # Errors
    /// If a value of the prior state or of a result is malformed.
    pub(super) fn add_outputs(
        &mut self,
        plan: &Plan<'a>,
        results: Option<&Outputs<'_, 'a>>,
        is_complete: bool,
        redactor: Redactor<'a>,
        mut compared: impl Iterator<Item = (About<'a>, Achieved<'a>)>,
    ) -> Result<(), Error> {
        let mut hidden = 0;
        let is_rest_done = self.against == Against::Run
            || self
                .outcomes
                .iter()
                .all(|planned| planned.outcome == Outcome::Done);
        for (name, change) in plan.output_changes.iter() {
            let is_planned = change.actions != Action::NoOp;
            let of = |outcome| Achieved::new(outcome, "");
            let achieved = match (results, results.and_then(|results| results.get(&**name))) {
                (None, _) if !is_planned => continue,
                (None, _) => Achieved::new(
                    Outcome::NotShown,
                    "the run ended without a message about its outputs",
                ),
                (Some(_), Some(result)) if result.is_left_out() => {
                    hidden += 1;
                    Achieved::new(Outcome::Done, "its value is sensitive and was not compared")
                }
                (Some(_), Some(_)) => {
                    let Some((_, achieved)) = compared.next() else {
                        continue;
                    };
                    achieved
                }
                // The tools leave out null outputs, and an unknown value may turn out to be null.
                (Some(_), None) if change.after.is_none() => {
                    let is_null = is_rest_done || !has_mark(change.after_unknown);
                    of(if is_null {
                        Outcome::Done
                    } else {
                        Outcome::NotShown
                    })
                }
                (Some(_), None) => of(if is_complete {
                    Outcome::NeverStarted
                } else {
                    Outcome::NotShown
                }),
            };
            let about = About::new(Subject::Output, redactor.text(name));
            let phrase = ChangeKind::from_action(&change.actions, false, false).phrase();
            let words = ActionWords::new(change.actions.words(), phrase);
            if is_planned {
                self.add_outcome(about, words, achieved);
            } else {
                self.add_differences(about, words, achieved);
            }
        }
        if hidden > 0 {
            self.notes.push(format!(
                "the messages leave out the values of {}: they were not compared",
                count(hidden, "sensitive output")
            ));
        }
        self.add_unplanned_outputs(plan, results, redactor)
    }

    /// Adds the outputs that the plan does not have, as a plan for targets does not. Those whose value has not changed
    /// are left out.
    ///
    /// # Errors
    /// If a value of the prior state or of a result is malformed.
    fn add_unplanned_outputs(
        &mut self,
        plan: &Plan<'a>,
        results: Option<&Outputs<'_, 'a>>,
        redactor: Redactor<'a>,
    ) -> Result<(), Error> {
        let is_unplanned = |name: &&str| plan.output_changes.get(*name).is_none();
        let mut unplanned = results
            .into_iter()
            .flatten()
            .filter(|(name, _)| is_unplanned(name))
            .peekable();
        if unplanned.peek().is_none() {
            return Ok(());
        }
        let prior: PriorState<'a> = plan
            .prior_state
            .map_or(Ok(PriorState::default()), Raw::read)?;
        let (arena, hasher) = (Bump::new(), RandomState::default());
        let build = Builder::new(&arena, &hasher);
        let value = |raw: Option<Raw<'a>>| {
            build.build(
                raw.map(Raw::text),
                Value::Null,
                Value::Null,
                Position::Unspecified,
            )
        };
        for (name, result) in unplanned {
            let is_left_alone = match prior.values.outputs.get(*name) {
                // Messages leave out sensitive values.
                Some(_) if result.value.is_none() => true,
                Some(before) => value(before.value)? == value(result.value)?,
                None => false,
            };
            if !is_left_alone {
                let about = About::new(Subject::Output, redactor.text(name));
                self.push(
                    Class::Value,
                    about,
                    DifferenceKind::only_now("update", "is set"),
                );
            }
        }
        Ok(())
    }
}

/// The value of an output after the apply.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputValue<'a> {
    /// The value; `None` if the document leaves it out.
    pub(super) value: Option<Raw<'a>>,
    /// Whether the output is sensitive.
    pub(super) is_sensitive: bool,
}

/// The values of outputs after the apply, by name.
pub(super) type Outputs<'r, 'a> = BTreeMap<&'r str, OutputValue<'a>>;

impl OutputValue<'_> {
    /// Whether the document has left out the value because it is sensitive.
    fn is_left_out(self) -> bool {
        self.value.is_none() && self.is_sensitive
    }
}

/// Returns the comparisons of outputs with their results, in the order of the plan, for the outputs whose value is
/// known.
pub(super) fn output_tasks<'t, 'a>(
    plan: &'t Plan<'a>,
    results: Option<&Outputs<'_, 'a>>,
) -> impl Iterator<Item = Task<'t, 'a, Achieved<'a>>> {
    plan.output_changes
        .iter()
        .filter_map(move |(name, change)| {
            let result = *results?
                .get(&**name)
                .filter(|result| !result.is_left_out())?;
            let size = change.size() + result.value.map_or(0, |raw| raw.text().len());
            let work =
                move |comparer: &mut Comparer<'_, 'a>| compare_output(comparer, change, result);
            Some(Task::new(About::new(Subject::Output, name), size, work))
        })
}

/// Compares the planned value of an output with its result.
///
/// # Errors
/// If a value is malformed.
fn compare_output<'w, 'a>(
    comparer: &mut Comparer<'w, 'a>,
    change: &Change<'a>,
    result: OutputValue<'a>,
) -> Result<Achieved<'a>, Error> {
    let (position, marks) = (Position::Unspecified, Value::Bool(result.is_sensitive));
    let [before, planned, value] =
        with_result(comparer.build, change, (result.value, marks), position)?;
    let differences = compare_result_values(comparer, planned, value, position, Tolerance::Nothing);
    if change.actions != Action::NoOp
        && !are_expected(&differences)
        && value.same_without_marks(before)
    {
        return Ok(Achieved::new(
            Outcome::NeverStarted,
            "it has the value that it had before",
        ));
    }
    Ok(Achieved::with_values(differences))
}

/// Whether marks mark anything as true, also in part.
pub(super) fn has_mark(marks: Option<Raw<'_>>) -> bool {
    marks.is_some_and(|marks| marks.text().contains("true"))
}
