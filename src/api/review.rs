//! Reviews: the verdict, the changes with their edits and findings, and the formats.
//!
//! A review is computed once. Its lists and texts are created when they are first requested.

use std::fmt;
use std::io::Write;
use std::sync::OnceLock;

use bumpalo::Bump;
use self_cell::{MutBorrow, self_cell};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::change::{Change, Finding};
use super::text::{Format, StyledText};
use super::text_options::TextOptions;
use super::tool_text::ToolText;
use super::{Error, Plan, with_stack, write_with_stack};
use crate::document::ReviewArena;
use crate::render::PlanTexts;
use crate::report::{Budget, PageOptions};
use crate::review::build::{ReadOptions, ReviewInputs};
use crate::review::entry::{Entry, Level};
use crate::review::findings::Rules;
use crate::review::formats;
use crate::review::plan::PlanReview;
use crate::review::{self, ChangeKind, Options};
use crate::show;

/// The options for a review.
///
/// ```
/// let mut options = tfview::ReviewOptions::default();
/// options.name = "production".to_owned();
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReviewOptions {
    /// The name of the plan in the output.
    pub name: String,
    /// The width to which values are fitted, in columns.
    pub width: usize,
    /// Whether to show sensitive values, and credentials in other values.
    pub show_sensitive: bool,
    /// The maximum size of the Markdown, in bytes, for platforms with a limit; by default, that of GitHub. What is left
    /// out is counted.
    pub max_bytes: usize,
    /// The address of the run, for a link.
    pub run_url: Option<String>,
    /// The current time, in seconds since 1970. If it is given, the age of the plan is written instead of its time.
    pub now: Option<u64>,
}

impl Default for ReviewOptions {
    fn default() -> Self {
        Self {
            name: "plan".to_owned(),
            width: 100,
            show_sensitive: false,
            max_bytes: 65_536,
            run_url: None,
            now: None,
        }
    }
}

self_cell!(
    struct ReviewCell {
        owner: ReviewOwner,
        #[covariant]
        dependent: PlanReview,
    }
);

/// The data that a review borrows from.
struct ReviewOwner {
    plan: Plan,
    review_arena: MutBorrow<ReviewArena>,
}

/// The review of a plan: its changes, and the findings that an approver should check. It serializes to its JSON.
///
/// The plan is compared once, when the review is created, no matter what is read from the review later. A review can be
/// sent to and shared by threads.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use tfview::{ChangeKind, FindingKind, Format, Plan, Review, ReviewOptions, Schemas};
///
/// let plan = Plan::parse(r#"{"format_version":"1.2","resource_changes":[{
///     "address":"aws_db_instance.main","mode":"managed","type":"aws_db_instance","name":"main",
///     "provider_name":"registry.terraform.io/hashicorp/aws",
///     "change":{"actions":["delete"],"before":{"engine":"postgres"},"after":null}}]}"#, &Schemas::new())?;
/// let review = Review::new(&plan, ReviewOptions::default())?;
/// assert_eq!(review.verdict().sentence, "1 to destroy.");
/// assert_eq!(review.changes()[0].kind, ChangeKind::Destroy);
/// assert_eq!(review.findings()[0].kind, FindingKind::DataLoss);
///
/// let mut comment = Vec::new();
/// review.write(Format::Markdown, &mut comment)?;
/// # Ok(())
/// # }
/// ```
pub struct Review {
    /// The review, with the plan and the arena that it borrows from.
    cell: ReviewCell,
    /// The options that it was created with.
    options: ReviewOptions,
    /// The counts and the level.
    verdict: Verdict,
    /// The changes and findings as owned values, created when they are first requested.
    lists: OnceLock<Lists>,
    /// The tool's text of each change, for pages, created when it is first requested.
    texts: OnceLock<PlanTexts>,
}

/// The changes of the parts of the plan, and the findings.
#[derive(Debug)]
struct Lists {
    /// The planned changes.
    changes: Vec<Change>,
    /// The changes of objects outside of the tool.
    drift: Vec<Change>,
    /// The changes that are deferred to a later plan.
    deferred: Vec<Change>,
    /// The changes of outputs.
    outputs: Vec<Change>,
    /// The actions to invoke.
    invocations: Vec<Change>,
    /// The findings, the gravest first.
    findings: Vec<Finding>,
}

impl fmt::Debug for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Review")
            .field("verdict", &self.verdict)
            .finish_non_exhaustive()
    }
}

/// The counts of the changes, and the severity of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The verdict in words, such as `1 to destroy, 2 to change.`
    pub sentence: String,
    /// The severity of the plan: the highest of all findings and changes.
    pub level: Level,
    /// Whether planning failed, so that the plan is not complete.
    pub errored: bool,
    /// The number of objects that changed outside of the tool.
    pub drift: usize,
    /// The number of outputs that change.
    pub outputs: usize,
    /// The number of changes that are deferred to a later plan.
    pub deferred: usize,
    /// The number of actions to invoke.
    pub invocations: usize,
    /// The number of checks that failed.
    pub failed_checks: usize,
    /// The number of changes of each kind, in the order of [`ChangeKind::ALL`].
    counts: [usize; ChangeKind::ALL.len()],
}

impl Verdict {
    fn new(verdict: &review::Verdict) -> Self {
        Self {
            sentence: verdict.sentence.clone(),
            level: verdict.level,
            errored: verdict.errored,
            drift: verdict.drift,
            outputs: verdict.outputs,
            deferred: verdict.deferred,
            invocations: verdict.invocations,
            failed_checks: verdict.failed_checks,
            counts: ChangeKind::ALL.map(|kind| verdict.count(kind)),
        }
    }

    /// Returns the number of resource instance objects with a kind of change. Imports and moves include those with
    /// other changes.
    pub fn count(&self, kind: ChangeKind) -> usize {
        let kinds = ChangeKind::ALL.into_iter().zip(self.counts);
        kinds
            .filter(|(other, _)| *other == kind)
            .map(|(_, count)| count)
            .sum()
    }
}

impl Review {
    /// Reviews a plan.
    ///
    /// # Errors
    /// Returns an error if a value or a schema is malformed.
    pub fn new(plan: &Plan, options: ReviewOptions) -> Result<Self, Error> {
        let owner = ReviewOwner {
            plan: plan.clone(),
            review_arena: MutBorrow::new(ReviewArena::default()),
        };
        let cell = with_stack(plan.depth(), || {
            ReviewCell::try_new(owner, |owner| review(owner, &options))
        })?;
        Ok(Self {
            verdict: Verdict::new(cell.borrow_dependent().verdict()),
            cell,
            options,
            lists: OnceLock::new(),
            texts: OnceLock::new(),
        })
    }

    /// Returns the verdict: the sentence, the level, and the numbers of changes.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Returns the planned changes of objects, in the order of the plan.
    pub fn changes(&self) -> &[Change] {
        &self.lists().changes
    }

    /// Returns the changes of objects outside of the tool.
    pub fn drift(&self) -> &[Change] {
        &self.lists().drift
    }

    /// Returns the changes that are deferred to a later plan.
    pub fn deferred(&self) -> &[Change] {
        &self.lists().deferred
    }

    /// Returns the changes of outputs.
    pub fn outputs(&self) -> &[Change] {
        &self.lists().outputs
    }

    /// Returns the actions to invoke.
    pub fn invocations(&self) -> &[Change] {
        &self.lists().invocations
    }

    /// Returns the findings, the most severe first. The same finding about several objects is listed once.
    pub fn findings(&self) -> &[Finding] {
        &self.lists().findings
    }

    /// Returns a hash of what the plan does, without sensitive values. It is equal for plans that do the same. `None`
    /// if the document does not contain everything that the hash covers, as a saved plan does not.
    pub fn fingerprint(&self) -> Option<&str> {
        Some(&*self.review().fingerprint).filter(|fingerprint| !fingerprint.is_empty())
    }

    /// Writes the review in a format.
    ///
    /// # Errors
    /// Returns an error if writing fails, or if a value cannot be shown on a page.
    pub fn write(&self, format: Format, mut out: impl Write) -> Result<(), Error> {
        write_with_stack(self.depth(), &mut out, |sink| {
            let reviews = std::slice::from_ref(self.review());
            let options = self.text_options();
            match format {
                Format::Text | Format::StyledText => {
                    let colour = format == Format::StyledText;
                    formats::terminal(reviews, &options, colour, None, None, sink)?;
                }
                Format::Markdown => {
                    let budget = Budget {
                        bytes: self.options.max_bytes,
                        ..Budget::default()
                    };
                    let (text, _) = formats::markdown(reviews, &options, budget);
                    sink.write_all(text.as_bytes())?;
                }
                Format::Html => {
                    let page = PageOptions {
                        shows_sensitive: self.options.show_sensitive,
                        ..PageOptions::default()
                    };
                    let texts = std::slice::from_ref(self.texts()?);
                    formats::html(reviews, texts, &options, &page, sink)?;
                }
                Format::Json => formats::json(reviews, &[], &[], None, sink)?,
            }
            Ok(())
        })
    }

    /// Returns the text for a terminal as styled spans.
    ///
    /// # Errors
    /// Returns an error if a large stack is needed and cannot be allocated.
    pub fn text(&self) -> Result<StyledText, Error> {
        with_stack(self.depth(), || {
            let reviews = std::slice::from_ref(self.review());
            let text = formats::styled_terminal(reviews, &self.text_options())?;
            Ok(StyledText::from(&text))
        })
    }

    /// Writes GitLab's report for merge requests, which contains only counts.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write_gitlab_report(&self, mut out: impl Write) -> Result<(), Error> {
        let report = formats::gitlab_report(std::slice::from_ref(self.review()));
        Ok(out.write_all(report.as_bytes())?)
    }

    fn review(&self) -> &PlanReview<'_> {
        self.cell.borrow_dependent()
    }

    fn depth(&self) -> usize {
        self.cell.borrow_owner().plan.depth()
    }

    fn text_options(&self) -> Options {
        Options {
            width: self.options.width,
            run_url: self.options.run_url.clone(),
            now: self.options.now,
            ..Options::default()
        }
    }

    /// Returns the lists, which are copied from the review when they are first requested.
    fn lists(&self) -> &Lists {
        self.lists.get_or_init(|| {
            let review = self.review();
            let list = |entries: &[Entry<'_>]| -> Vec<Change> {
                entries
                    .iter()
                    .map(|entry| Change::new(entry, review))
                    .collect()
            };
            Lists {
                changes: list(&review.changes.resources),
                drift: list(&review.changes.drift),
                deferred: list(&review.changes.deferred),
                outputs: list(&review.changes.outputs),
                invocations: list(&review.changes.invocations),
                findings: review.findings.iter().map(Finding::new).collect(),
            }
        })
    }

    /// Returns the tool's text of each change. If several threads request it at the same time, each of them creates it,
    /// and one result is kept.
    fn texts(&self) -> Result<&PlanTexts, Error> {
        if let Some(texts) = self.texts.get() {
            return Ok(texts);
        }
        let mut options = TextOptions::default();
        options.show_sensitive = self.options.show_sensitive;
        let plan = &self.cell.borrow_owner().plan;
        let options = plan.text_options(&options);
        let arena = Bump::new();
        let texts = show::plan_texts(plan.plan(), &plan.schemas(), &options, false, &arena)?;
        Ok(self.texts.get_or_init(|| texts))
    }
}

impl Serialize for Review {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::Error as _;
        let mut json = Vec::new();
        self.write(Format::Json, &mut json)
            .map_err(S::Error::custom)?;
        let json: Box<RawValue> = serde_json::from_slice(&json).map_err(S::Error::custom)?;
        json.serialize(serializer)
    }
}

/// Reviews the plan of the owner with the built-in rules, in the owner's arena.
fn review<'a>(owner: &'a ReviewOwner, options: &ReviewOptions) -> Result<PlanReview<'a>, Error> {
    let ReviewArena { arena, storage } = owner.review_arena.borrow_mut();
    let (arena, plan): (&'a Bump, _) = (arena, &owner.plan);
    let (document, schemas, rules) = (plan.document(), plan.schemas(), Rules::built_in());
    let read = ReadOptions {
        rules: Some(&rules),
        show_sensitive: options.show_sensitive,
        ..ReadOptions::default()
    };
    let inputs = ReviewInputs {
        options: read,
        context: document.context(&schemas, plan.has_schemas(), true, arena)?,
        ..ReviewInputs::new(&options.name, document.text, &document.plan, &schemas)
    };
    Ok(PlanReview::new(inputs, arena, storage)?)
}
