//! Compares the planned outputs of the root module with their results.

use bumpalo::Bump;
use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt as _};

use super::run::Run;
use super::values;
use super::{ChangeResult, Outcome};
use crate::compare::plans::DECODED;
use crate::compare::{Against, Class, Comparison, Subject};
use crate::diff::Error;
use crate::diff::edits::Comparer;
use crate::diff::value::{Builder, Redactor};
use crate::json::{Pairs, Raw, Str, Value};
use crate::model::Action;
use crate::model::plan::{Change, Plan, PriorState};
use crate::model::{message, state};
use crate::review::{ChangeKind, count};
use crate::schema::Position;

/// The result of an output.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputValue<'r, 'a> {
    name: &'r str,
    /// `None` if it is sensitive and was omitted.
    value: Option<Raw<'a>>,
    is_sensitive: bool,
}

/// The outputs of a run, if they are in its messages.
pub(super) fn from_run<'r, 'a>(run: &'r Run<'a>) -> Option<Vec<OutputValue<'r, 'a>>> {
    let of = |(name, output): (&'r Str<'a>, &'r message::Output<'a>)| OutputValue {
        name,
        value: output.value,
        is_sensitive: output.is_sensitive(),
    };
    Some(run.outputs.as_ref()?.iter().map(of).collect())
}

/// The outputs of a state.
pub(super) fn from_state<'r, 'a>(outputs: &'r Pairs<'a, state::Output<'a>>) -> Vec<OutputValue<'r, 'a>> {
    let of = |(name, output): (&'r Str<'a>, &'r state::Output<'a>)| OutputValue {
        name,
        value: output.value,
        is_sensitive: output.sensitive,
    };
    outputs.iter().map(of).collect()
}

/// Compares the outputs of a plan with their results, which are `None` if unknown. If `is_complete`, an
/// output without a result was not set.
pub(super) fn compare<'a>(
    comparison: &mut Comparison<'a>,
    plan: &Plan<'a>,
    results: Option<&[OutputValue<'_, 'a>]>,
    is_complete: bool,
    redactor: Redactor<'a>,
) -> Result<(), Error> {
    let mut by_name: HashMap<&str, OutputValue<'_, 'a>> = HashMap::new();
    by_name.extend(results.unwrap_or_default().iter().map(|result| (result.name, *result)));
    let hasher = RandomState::default();
    let mut scratch = Bump::new();
    let mut hidden = 0;
    let share = DECODED / plan.output_changes.len().max(1);
    let is_rest_done = comparison.against == Against::Run
        || comparison.outcomes.iter().all(|planned| planned.outcome == Outcome::Done);
    for (name, change) in plan.output_changes.iter() {
        scratch.reset();
        let result = by_name.remove(&**name);
        let is_listed = change.actions != Action::NoOp;
        let subject = (Subject::Output, redactor.text(name), "");
        let phrase = ChangeKind::from_action(&change.actions, false, false).phrase();
        let action = (&change.actions, phrase);
        let found = match result {
            Some(OutputValue { value: None, is_sensitive: true, .. }) => {
                hidden += 1;
                ChangeResult::new(Outcome::Done, "its value is sensitive and was not compared")
            }
            None if results.is_none() => ChangeResult::new(Outcome::NotShown, ""),
            // The tools omit null outputs, and an unknown value may turn out to be null.
            None if change.after.is_none() && (is_rest_done || !has_mark(change.after_unknown)) => {
                ChangeResult::new(Outcome::Done, "")
            }
            None if change.after.is_none() => ChangeResult::new(Outcome::NotShown, ""),
            None if is_complete => ChangeResult::new(Outcome::NeverStarted, ""),
            None => ChangeResult::new(Outcome::NotShown, ""),
            Some(result) => {
                let sizes = [change.after, result.value].into_iter().flatten().map(|raw| raw.text().len());
                let budget = share + 4 * sizes.sum::<usize>();
                let mut comparer = Comparer::new(&scratch, &hasher, redactor, budget);
                compare_one(&mut comparer, change, result)?
            }
        };
        if is_listed {
            comparison.add_outcome(subject, action, found);
        } else if results.is_some() {
            // No change was planned for it.
            let (same, outcomes) = (comparison.same, comparison.outcomes.len());
            comparison.add_outcome(subject, action, found);
            comparison.same = same;
            comparison.outcomes.truncate(outcomes);
        }
    }
    if hidden > 0 {
        comparison.notes.push(format!(
            "the messages leave out the values of {}: they were not compared",
            count(hidden, "sensitive output")
        ));
    }
    unplanned(comparison, plan, by_name, redactor, &hasher)
}

fn compare_one<'w, 'a: 'w>(
    comparer: &mut Comparer<'w, 'a>,
    change: &Change<'a>,
    result: OutputValue<'_, 'a>,
) -> Result<ChangeResult<'a>, Error> {
    let (position, marks) = (Position::Unspecified, Value::Bool(result.is_sensitive));
    let [before, planned, value] =
        values::with_result(comparer.build, change, (result.value, marks), position)?;
    let differences = values::compare(comparer, planned, value, position);
    if change.actions != Action::NoOp
        && !values::are_expected(&differences)
        && value.same_without_marks(before)
    {
        return Ok(ChangeResult::new(Outcome::NeverStarted, "it has the value that it had before"));
    }
    Ok(ChangeResult::with_values(differences))
}

/// Adds outputs that are not in the plan, unless they are unchanged, as with a plan for targets.
fn unplanned<'a>(
    comparison: &mut Comparison<'a>,
    plan: &Plan<'a>,
    left: HashMap<&str, OutputValue<'_, 'a>>,
    redactor: Redactor<'a>,
    hasher: &RandomState,
) -> Result<(), Error> {
    if left.is_empty() {
        return Ok(());
    }
    let prior: PriorState<'a> = plan.prior_state.map_or(Ok(PriorState::default()), Raw::read)?;
    let mut left: Vec<OutputValue<'_, 'a>> = left.into_values().collect();
    crate::sort::by_key(&mut left, |result| result.name);
    for result in left {
        let arena = Bump::new();
        let build = Builder::new(&arena, hasher);
        let value = |raw: Option<Raw<'a>>| build.parse(raw.map(Raw::text));
        let is_left_alone = match prior.values.outputs.get(result.name) {
            // Messages omit sensitive values.
            Some(_) if result.value.is_none() => true,
            Some(before) => value(before.value)? == value(result.value)?,
            None => false,
        };
        if !is_left_alone {
            let about = (Subject::Output, redactor.text(result.name), "");
            comparison.add_unplanned(Class::Value, about, "is set", "update");
        }
    }
    Ok(())
}

/// Whether a tree of marks contains a mark.
pub(super) fn has_mark(marks: Option<Raw<'_>>) -> bool {
    marks.is_some_and(|marks| marks.text().contains("true"))
}
