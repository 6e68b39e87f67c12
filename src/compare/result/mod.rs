//! Compares a plan with its result: the messages of the run that applied it, or the state after the apply.
//!
//! Invariants: every planned change has an [`Outcome`]. Everything that was done without being planned, or
//! with values other than those in the plan, makes the verdict wider. So does an incomplete input, because
//! the missing part is unknown. Values that were unknown in the plan are listed, and expected. Sensitive
//! marks are merged from both sides and not compared, because the documents write them differently.

mod assign;
mod objects;
mod of_run;
mod of_state;
mod outputs;
mod run;
mod states;
mod values;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

pub use of_run::{RunSide, compare_run};
pub use of_state::{StateSide, compare_state};
pub use run::Run;
pub use states::compare_states;

use super::{Class, Comparison, Difference, DifferenceKind, Subject, action_words, written};
use crate::model::Action;
use crate::model::plan::ResourceChange;
use crate::review::ChangeKind;

/// The outcome of a planned change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was done as planned.
    Done,
    /// Something else was done, or known values have other results.
    DoneDifferently,
    /// It failed.
    Failed,
    /// It was partly done, such as a replacement that destroyed but did not create.
    PartlyDone,
    /// It was started, but there is no message about its end.
    Unfinished,
    /// It was not started.
    NeverStarted,
    /// The result does not show it.
    NotShown,
}

impl Outcome {
    /// The name in texts.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::DoneDifferently => "done differently",
            Self::Failed => "failed",
            Self::PartlyDone => "partly done",
            Self::Unfinished => "started, its end is unknown",
            Self::NeverStarted => "never started",
            Self::NotShown => "not shown",
        }
    }

    /// The class of the outcome, if it is a difference by itself.
    fn class(self) -> Option<Class> {
        match self {
            // The differences are reported separately.
            Self::Done | Self::DoneDifferently => None,
            Self::Failed | Self::PartlyDone | Self::Unfinished => Some(Class::Failed),
            Self::NeverStarted | Self::NotShown => Some(Class::Less),
        }
    }
}

/// A planned change and its outcome.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct PlannedOutcome<'a> {
    /// The kind of subject.
    pub subject: Subject,
    /// The address of the object, or the name of the output.
    pub address: &'a str,
    /// The deposed key, for a deposed object.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub deposed: &'a str,
    /// The action, in the words of the plan.
    #[serde(rename = "actions", serialize_with = "action_words")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub action: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The reason, or the part that was done, if there is anything to say.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub why: String,
}

/// The result for one planned change.
#[derive(Debug)]
struct ChangeResult<'a> {
    outcome: Outcome,
    why: String,
    differences: Vec<(Class, DifferenceKind<'a>)>,
}

impl<'a> ChangeResult<'a> {
    fn new(outcome: Outcome, why: &str) -> Self {
        Self { outcome, why: why.to_owned(), differences: Vec::new() }
    }

    /// Done if all differences are expected; otherwise done differently.
    fn with_values(differences: Vec<(Class, DifferenceKind<'a>)>) -> Self {
        let outcome =
            if values::are_expected(&differences) { Outcome::Done } else { Outcome::DoneDifferently };
        Self { outcome, why: String::new(), differences }
    }
}

/// The subject of a difference, its redacted address or name, and its deposed key.
type About<'a> = (Subject, &'a str, &'a str);

impl<'a> Comparison<'a> {
    fn push(&mut self, class: Class, (subject, address, deposed): About<'a>, what: DifferenceKind<'a>) {
        self.differences.push(Difference { class, subject, address, deposed, what });
    }

    /// Adds the outcome of a planned change of a resource.
    fn add_change(&mut self, change: &ResourceChange<'a>, about: About<'a>, found: ChangeResult<'a>) {
        let action = &change.change.actions;
        let phrase = ChangeKind::from_action(action, change.is_imported(), change.is_moved()).phrase();
        self.add_outcome(about, (action, phrase), found);
    }

    /// Adds the outcome of a planned change.
    fn add_outcome(
        &mut self,
        about: About<'a>,
        (action, phrase): (&Action, &'static str),
        found: ChangeResult<'a>,
    ) {
        let ChangeResult { outcome, why, differences } = found;
        self.same += usize::from(outcome == Outcome::Done);
        let action = action.words().to_owned();
        if let Some(class) = outcome.class() {
            let what = DifferenceKind::Outcome { phrase, action: action.clone(), outcome, why: why.clone() };
            self.push(class, about, what);
        }
        differences.into_iter().for_each(|(class, what)| self.push(class, about, what));
        let (subject, address, deposed) = about;
        self.outcomes.push(PlannedOutcome { subject, address, deposed, action, outcome, why });
    }

    /// Adds something that was done without being planned.
    fn add_unplanned(&mut self, class: Class, about: About<'a>, phrase: &'static str, words: &str) {
        let what = DifferenceKind::OnlyNow { phrase, action: words.to_owned(), renamed_from: None };
        self.push(class, about, what);
    }

    fn finish(mut self, ignored: &[String]) -> Self {
        crate::sort::by_key(&mut self.differences, |difference| difference.class);
        self.ignore(ignored);
        self
    }
}
