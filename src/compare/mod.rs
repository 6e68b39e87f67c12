//! Compares a plan with the approved one, with the run that applied it, or with the state after it; and a state with a
//! later one.
//!
//! Changes with the same mode, type, address and deposed key are compared with each other: the actions, and the values
//! on both sides of both changes.
//!
//! Invariants: a difference that is not proven to be harmless makes the verdict [`Verdict::Wider`]. What cannot matter to
//! an apply is in the table of `members`, each with its reason; of the configuration, what decides the apply is compared
//! (see `apply`). Orders that mean nothing are ignored. Sensitive values are compared,
//! but kept only if the user requests them.

mod apply;
mod canon;
mod class;
mod copies;
mod difference;
mod error;
pub mod fingerprint;
pub mod formats;
mod keys;
mod members;
mod messages;
mod plans;
mod report;
mod result;
mod run;
mod side;
mod state;
mod state_objects;
mod states;
mod values;

use bumpalo::Bump;
use serde::{Serialize, Serializer};

use crate::dialect::Tool;
use crate::diff::Error;
use crate::diff::edits::{Comparer, Settings};
use crate::diff::parallel::Storage;
use crate::glob;
use crate::json::Value;
use crate::model::plan::ResourceChange;
use crate::report::Headline;
use crate::review::paths::path_names;
use crate::review::{Filter, count};
use difference::counted;

pub use class::{Class, Gate, Verdict};
pub use difference::{
    ActionWords, Difference, DifferenceKind, Outcome, PlannedOutcome, Property, Subject,
};
pub use error::ResultError;
pub use messages::Run;
pub use plans::compare;
pub use run::{RunSide, compare_run};
pub use side::Side;
pub use state::compare_state;
pub use state_objects::StateSide;
pub use states::compare_states;

/// The options of a comparison: what it shows, and which differences it ignores.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether sensitive values are shown.
    pub show_sensitive: bool,
    /// Whether texts list values that were unknown in the plan or that were computed, instead of only counting them.
    pub lists_known: bool,
    /// The differences to ignore: globs for paths (`tags.owner`), or for addresses with paths
    /// (`aws_instance.app.tags.*`).
    pub ignored: Vec<String>,
}

/// The kind of document with which a plan is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Against {
    /// Another plan.
    #[default]
    Plan,
    /// The messages of the run that applied it.
    Run,
    /// The state after the apply.
    State,
    /// No plan: a state with a later one.
    States,
}

impl Against {
    /// Whether a plan is compared with what its apply did.
    pub fn is_result(self) -> bool {
        matches!(self, Self::Run | Self::State)
    }

    /// Returns the word for the first document, in the middle and at the beginning of a line.
    pub(super) fn first(self) -> (&'static str, &'static str) {
        if self == Self::States {
            ("before", "Before")
        } else {
            ("approved", "Approved")
        }
    }
}

/// A comparison, ready to be shown.
#[derive(Debug, Default)]
pub struct Comparison<'a> {
    /// The kind of document that the plan is compared with.
    pub against: Against,
    /// The approved document.
    pub approved: Origin,
    /// The document that it is compared with.
    pub now: Origin,
    /// The differences, the most severe first.
    pub differences: Vec<Difference<'a>>,
    /// The outcome of each planned change; empty if a plan is compared with another plan.
    pub outcomes: Vec<PlannedOutcome<'a>>,
    /// The number of changes that are the same, or that were done as approved.
    pub same: usize,
    /// The number of differences that were ignored on request.
    pub ignored: usize,
    /// The notes on the comparison itself that the reader must know.
    pub notes: Vec<String>,
    /// Whether sensitive values are shown.
    pub show_sensitive: bool,
    /// Whether texts list what was unknown or computed, as in [`Options`].
    pub lists_known: bool,
}

/// The origin of a plan.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Origin {
    /// The name of its file.
    pub name: String,
    /// The tool that wrote it, if known.
    #[serde(serialize_with = "tool_name")]
    pub tool: Option<Tool>,
    /// The version of the tool.
    #[serde(serialize_with = "written")]
    pub tool_version: String,
    /// The time of planning, which old plans lack; of a run, that of its first message.
    #[serde(serialize_with = "written")]
    pub timestamp: String,
}

fn tool_name<S: Serializer>(tool: &Option<Tool>, serializer: S) -> Result<S::Ok, S::Error> {
    tool.map(Tool::name).serialize(serializer)
}

/// Serializes a text, or null if it is empty.
fn written<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Some(text)
        .filter(|text| !text.is_empty())
        .serialize(serializer)
}

/// Returns a value as JSON.
fn json_text(value: Value<'_>) -> String {
    // Writing fails only for a number that is not one, which no value of a document has.
    serde_json::to_string(&value).unwrap_or_else(|_| format!("{value:?}"))
}

/// The subject of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct About<'t> {
    subject: Subject,
    /// The address or the name; empty for the plan and the run.
    address: &'t str,
    /// The key of a deposed object, otherwise empty.
    deposed: &'t str,
}

impl<'t> About<'t> {
    fn new(subject: Subject, address: &'t str) -> Self {
        Self {
            subject,
            address,
            deposed: "",
        }
    }

    fn object(change: &'t ResourceChange<'_>) -> Self {
        Self {
            subject: Subject::Resource,
            address: &change.address,
            deposed: &change.deposed,
        }
    }
}

/// The differences of one subject, each with its class.
type ClassifiedDifferences<'a> = Vec<(Class, DifferenceKind<'a>)>;

/// The phrase for the invocation of an action.
const INVOKED: &str = "is invoked";

/// A comparison that is independent of all others, so that any thread may do it.
struct Task<'t, 'a, R> {
    about: About<'t>,
    /// The approximate cost: the size of the compared values, in bytes.
    size: usize,
    work: Work<'t, 'a, R>,
}

/// The work of a task: it compares values, and returns what was found.
type Work<'t, 'a, R> = Box<dyn for<'w> Fn(&mut Comparer<'w, 'a>) -> Result<R, Error> + Sync + 't>;

impl<'t, 'a, R> Task<'t, 'a, R> {
    fn new(
        about: About<'t>,
        size: usize,
        work: impl for<'w> Fn(&mut Comparer<'w, 'a>) -> Result<R, Error> + Sync + 't,
    ) -> Self {
        Self {
            about,
            size,
            work: Box::new(work),
        }
    }
}

/// Does all comparisons on all processors, and returns the results in the order of the tasks, with their subjects.
///
/// # Errors
/// Those of the tasks.
fn compare_all<'a, R: Send>(
    tasks: &[Task<'_, 'a, R>],
    settings: Settings<'a>,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> Result<Vec<(About<'a>, R)>, Error> {
    let redactor = settings.redactor(arena);
    let compared = settings.compare_all(
        tasks,
        |task| task.size,
        storage,
        |task, mut comparer| (task.work)(&mut comparer),
    )?;
    let about = |task: &Task<'_, 'a, R>| {
        let About {
            subject,
            address,
            deposed,
        } = task.about;
        About {
            subject,
            address: redactor.text(address),
            deposed: redactor.text(deposed),
        }
    };
    Ok(tasks.iter().map(about).zip(compared).collect())
}

/// The number of bytes that compressed texts in strings may unpack to, in addition to four times the size of the
/// documents.
const DECODED: usize = 32 << 20;

/// Returns the settings for comparing values of two documents.
fn settings<'a>([approved, now]: [&'a str; 2], show_sensitive: bool) -> Settings<'a> {
    Settings {
        texts: [approved, now, ""],
        show_sensitive,
        decoded: DECODED,
    }
}

impl<'a> Comparison<'a> {
    fn push(&mut self, class: Class, about: About<'a>, what: DifferenceKind<'a>) {
        let About {
            subject,
            address,
            deposed,
        } = about;
        self.differences.push(Difference {
            class,
            subject,
            address,
            deposed,
            what,
        });
    }

    /// Adds the difference that planning failed. A plan whose planning failed does not say what it would do, and cannot
    /// be applied.
    fn push_failed_planning(&mut self) {
        let what = DifferenceKind::Run {
            why: "planning failed, so the plan is incomplete and cannot be applied".to_owned(),
        };
        self.push(Class::Failed, About::new(Subject::Plan, ""), what);
    }

    /// Sorts the differences by class, and removes those to ignore.
    fn finish(mut self, ignored: &[String]) -> Self {
        self.differences.sort_by_key(|difference| difference.class);
        self.ignore(ignored);
        self
    }
}

impl Comparison<'_> {
    /// Starts a comparison of two documents. It gets a note if they were written by different tools.
    fn new(approved: Origin, now: Origin, against: Against, options: &Options) -> Self {
        let show_sensitive = options.show_sensitive;
        let mut comparison = Self {
            against,
            approved,
            now,
            show_sensitive,
            lists_known: options.lists_known,
            ..Self::default()
        };
        if let (Some(one), Some(other)) = (comparison.approved.tool, comparison.now.tool)
            && one != other
        {
            let (one, other) = (one.product(), other.product());
            comparison.notes.push(format!(
                "{one} and {other} wrote the documents: what the tools do differently differs here"
            ));
        }
        comparison
    }

    /// Returns the verdict, which is that of the most severe difference.
    pub fn verdict(&self) -> Verdict {
        match self.differing().min() {
            None => Verdict::Same,
            Some(class) if class.is_wider() => Verdict::Wider,
            Some(_) => Verdict::Within,
        }
    }

    /// Returns the word of the JSON for the verdict, which depends on what is compared.
    pub fn verdict_name(&self) -> &'static str {
        match (self.against.is_result(), self.verdict()) {
            (false, Verdict::Same) => "same",
            (false, Verdict::Within) => "within",
            (true, Verdict::Same) => "done",
            (true, Verdict::Within) => "incomplete",
            (_, Verdict::Wider) => "wider",
        }
    }

    /// Returns the classes of the differences that count. Those that are expected of a result do not.
    fn differing(&self) -> impl Iterator<Item = Class> {
        let is_result = self.against.is_result();
        let classes = self.differences.iter().map(|difference| difference.class);
        classes.filter(move |class| !(is_result && class.is_expected_of_result()))
    }

    /// Returns the number of differences of a class.
    pub fn count(&self, class: Class) -> usize {
        self.differences
            .iter()
            .filter(|difference| difference.class == class)
            .count()
    }

    /// Returns the verdict in words, for a terminal.
    pub fn sentence(&self) -> String {
        self.headline().sentence()
    }

    /// Makes the headline: the verdict in words, and the number of differences of each class.
    fn headline(&self) -> Headline {
        let is_result = self.against.is_result();
        let has_failed_planning = self.differences.iter().any(|difference| {
            difference.subject == Subject::Plan && difference.class == Class::Failed
        });
        let head = match (is_result, self.verdict()) {
            (_, Verdict::Within) if has_failed_planning => "Planning failed",
            (_, Verdict::Same) if self.against == Against::States => "The states are the same",
            (_, Verdict::Within | Verdict::Wider) if self.against == Against::States => {
                "The state changed"
            }
            (false, Verdict::Same) => "The same as approved",
            (false, Verdict::Within) => "Within what was approved",
            (_, Verdict::Wider) if self.differing().min() == Some(Class::Unproven) => {
                "Not proven to be what was approved"
            }
            (false, Verdict::Wider) => "More than was approved",
            (true, Verdict::Same) => "Done as approved",
            (true, Verdict::Within) if self.lacks_only_proof() => {
                "Not all of what was approved is shown to be done"
            }
            (true, Verdict::Within) => "Not all of what was approved is done",
            (true, Verdict::Wider) => "Not what was approved",
        };
        let counts: Vec<String> = self
            .differences
            .chunk_by(|one, other| one.class == other.class)
            .flat_map(|same| counted(same, self.against))
            .collect();
        let colon = if counts.is_empty() { "" } else { ": " };
        let (noun, state) = match self.against {
            Against::States => ("object", "the same"),
            Against::Run | Against::State => ("change", "done"),
            Against::Plan => ("change", "the same"),
        };
        let verb = if self.same == 1 { "is" } else { "are" };
        let same = (self.same > 0).then(|| format!("{} {verb} {state}.", count(self.same, noun)));
        let ignored = (self.ignored > 0)
            .then(|| format!("{} ignored (--ignore).", count(self.ignored, "difference")));
        let additions: Vec<String> = same.into_iter().chain(ignored).collect();
        Headline {
            level: self.verdict().level(),
            changes: format!("{head}{colon}{}", counts.join(", ")),
            additions: (!additions.is_empty()).then(|| additions.join(" ")),
            ..Headline::default()
        }
    }

    /// Whether the only differences are changes that the result does not show.
    fn lacks_only_proof(&self) -> bool {
        self.differences
            .iter()
            .filter(|difference| !difference.class.is_expected_of_result())
            .all(|difference| difference.what.outcome() == Some(Outcome::NotShown))
    }

    /// Removes the differences of values that a glob matches, and counts them. Differences of whole changes, actions
    /// and properties are never ignored.
    fn ignore(&mut self, globs: &[String]) {
        if globs.is_empty() {
            return;
        }
        let filter = Filter {
            ignored: globs.to_vec(),
            ..Filter::default()
        };
        let before = self.differences.len();
        self.differences.retain(|difference| {
            let Some(edit) = difference.what.edit() else {
                return true;
            };
            let names = path_names(edit.path);
            let whole = format!("{}.{names}", difference.address);
            names.is_empty()
                || !(filter.ignores(&names) || globs.iter().any(|glob| glob::matches(glob, &whole)))
        });
        self.ignored = before - self.differences.len();
    }
}
