//! Reviews: verdicts, edits, and output formats.

use std::io::Write;

use bumpalo::Bump;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::{Error, Plan, Schemas, TextOptions, with_stack};
use crate::compare::fingerprint::{Basis, Fingerprint};
use crate::diff::parallel::Storage;
use crate::report::{Budget, PageOptions};
use crate::review::entry::{self, Entry, FindingKind, Level, PlanReview};
use crate::review::findings::Rules;
use crate::review::formats;
use crate::review::plan::ReadOptions;
use crate::review::text::path_names;
use crate::review::{ChangeKind, Options, Verdict};
use crate::show;

/// A format of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Text for a terminal, without styles.
    Text,
    /// Text for a terminal, with styles as escape sequences.
    StyledText,
    /// Markdown for a comment on a pull request, within GitHub's size limit.
    Markdown,
    /// A self-contained HTML page.
    Html,
    /// JSON, as described by `docs/review.schema.json`.
    Json,
    /// GitLab's Terraform report, which only has counts.
    GitlabReport,
}

/// The settings for a review.
#[derive(Clone, Debug)]
pub struct ReviewOptions {
    /// The name of the plan in the output.
    pub name: String,
    /// The width to which values are fitted, in columns.
    pub width: usize,
    /// Whether to show sensitive values.
    pub show_sensitive: bool,
}

impl Default for ReviewOptions {
    fn default() -> Self {
        Self {
            name: "plan".to_owned(),
            width: 100,
            show_sensitive: false,
        }
    }
}

/// The review of a plan. It serializes to the JSON of [`Format::Json`].
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let plan = tfview::Plan::parse(r#"{"format_version":"1.2","resource_changes":[{
///     "address":"aws_db_instance.main","mode":"managed","type":"aws_db_instance","name":"main",
///     "provider_name":"registry.terraform.io/hashicorp/aws",
///     "change":{"actions":["delete"],"before":{"engine":"postgres"},"after":null}}]}"#)?;
/// let schemas = tfview::Schemas::new();
/// let review = tfview::Review::new(&plan, &schemas, tfview::ReviewOptions::default())?;
/// assert_eq!(review.sentence(), "1 to destroy.");
/// assert_eq!(review.resources()[0].kind, tfview::ChangeKind::Destroy);
/// assert_eq!(review.resources()[0].findings[0].kind, tfview::FindingKind::DataLoss);
/// assert_eq!(serde_json::to_value(&review)?["verdict"]["destroy"], 1);
///
/// let mut comment = Vec::new();
/// review.write(tfview::Format::Markdown, &mut comment)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Review<'p, 'a> {
    plan: &'p Plan<'a>,
    schemas: &'p Schemas,
    options: ReviewOptions,
    verdict: Verdict,
    resources: Vec<ReviewEntry>,
    drift: Vec<ReviewEntry>,
    json: Box<RawValue>,
}

/// The change of one resource instance object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReviewEntry {
    /// The address.
    pub address: String,
    /// The address before a move; empty if the object does not move.
    pub previous_address: String,
    /// The key of a deposed object; empty for the current object.
    pub deposed: String,
    /// The resource type.
    pub resource_type: String,
    /// The main change.
    pub kind: ChangeKind,
    /// The paths of the attributes and elements that change.
    pub changed: Vec<String>,
    /// What deserves a look.
    pub findings: Vec<Finding>,
}

/// Something that deserves a look.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The kind.
    pub kind: FindingKind,
    /// How grave it is.
    pub level: Level,
    /// The path of the value; empty for the whole object.
    pub path: String,
    /// The finding in words. They may contain text from the document: print them as untrusted data.
    pub text: String,
    /// For drift: whether the plan undoes it.
    pub is_undone: bool,
    /// Whether it is about the known statements of a policy that is known only after apply.
    pub is_expected: bool,
}

impl ReviewEntry {
    fn new(entry: &Entry<'_>, review: &PlanReview<'_>) -> Self {
        let finding = |finding: &entry::Finding<'_>| Finding {
            kind: finding.kind,
            level: finding.level,
            path: path_names(finding.path),
            text: finding.text.clone(),
            is_undone: finding.is_undone,
            is_expected: finding.is_expected,
        };
        let findings = entry
            .findings
            .iter()
            .filter_map(|at| review.findings.get(*at));
        Self {
            address: entry.address.to_owned(),
            previous_address: entry.previous_address.to_owned(),
            deposed: entry.deposed.to_owned(),
            resource_type: entry.resource_type.to_owned(),
            kind: entry.kind(),
            changed: entry
                .edits
                .iter()
                .map(|edit| path_names(edit.path))
                .collect(),
            findings: findings.map(|listed| finding(&listed.finding)).collect(),
        }
    }
}

impl<'p, 'a> Review<'p, 'a> {
    /// Reviews a plan.
    ///
    /// # Errors
    /// If a value or a schema is malformed.
    pub fn new(
        plan: &'p Plan<'a>,
        schemas: &'p Schemas,
        options: ReviewOptions,
    ) -> Result<Self, Error> {
        let (verdict, [resources, drift], json) = with_review(plan, schemas, &options, |parts| {
            let mut json = Vec::new();
            formats::json(
                std::slice::from_ref(parts.review),
                &[],
                &[],
                None,
                &mut json,
            )?;
            let json = serde_json::from_slice(&json).map_err(std::io::Error::from)?;
            let entry = |entry: &Entry<'_>| ReviewEntry::new(entry, parts.review);
            let entries = |entries: &[Entry<'_>]| entries.iter().map(entry).collect();
            let entries = [&parts.review.resources, &parts.review.drift].map(|list| entries(list));
            Ok((parts.review.verdict.clone(), entries, json))
        })?;
        Ok(Self {
            plan,
            schemas,
            options,
            verdict,
            resources,
            drift,
            json,
        })
    }

    /// The verdict: the numbers of destroyed, replaced, changed and created objects.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The verdict as a sentence, such as `1 to destroy, 2 to change.`
    pub fn sentence(&self) -> String {
        self.verdict.sentence.clone()
    }

    /// How grave the plan is.
    pub fn level(&self) -> Level {
        self.verdict.level
    }

    /// The planned changes, in the order of the plan.
    pub fn resources(&self) -> &[ReviewEntry] {
        &self.resources
    }

    /// What changed outside of the tool.
    pub fn drift(&self) -> &[ReviewEntry] {
        &self.drift
    }

    /// Writes the review. Formats other than JSON compare the plan again.
    ///
    /// # Errors
    /// If a value or a schema is malformed, or writing fails.
    pub fn write(&self, format: Format, sink: &mut (dyn Write + Send)) -> Result<(), Error> {
        if format == Format::Json {
            return Ok(writeln!(sink, "{}", self.json.get())?);
        }
        with_review(self.plan, self.schemas, &self.options, |parts| {
            let options = Options {
                width: self.options.width,
                ..Options::default()
            };
            let reviews = std::slice::from_ref(parts.review);
            match format {
                Format::Text | Format::StyledText => {
                    formats::terminal(
                        reviews,
                        &options,
                        format == Format::StyledText,
                        None,
                        None,
                        sink,
                    )?;
                }
                Format::Markdown => {
                    sink.write_all(
                        formats::markdown(reviews, &options, Budget::default())
                            .0
                            .as_bytes(),
                    )?;
                }
                Format::Html => {
                    let text = TextOptions {
                        show_sensitive: self.options.show_sensitive,
                        ..TextOptions::default()
                    };
                    let text = text.for_plan(parts.plan);
                    let texts =
                        show::plan_texts(parts.plan, parts.schemas, &text, false, parts.arena)?;
                    let page = PageOptions {
                        shows_sensitive: self.options.show_sensitive,
                        ..PageOptions::default()
                    };
                    formats::html(reviews, &[texts], &options, &page, sink)?;
                }
                Format::Json => formats::json(reviews, &[], &[], None, sink)?,
                Format::GitlabReport => {
                    sink.write_all(formats::gitlab_report(reviews).as_bytes())?;
                }
            }
            Ok(())
        })
    }
}

impl Serialize for Review<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

/// A review with its plan and schemas.
struct Parts<'r, 'a> {
    review: &'r PlanReview<'a>,
    plan: &'r crate::model::plan::Plan<'a>,
    schemas: &'r crate::schema::Schemas<'a>,
    arena: &'a Bump,
}

/// Reviews a plan and calls `work` while everything that the review borrows is alive.
fn with_review<T: Send>(
    plan: &Plan<'_>,
    schemas: &Schemas,
    options: &ReviewOptions,
    work: impl FnOnce(Parts<'_, '_>) -> Result<T, Error> + Send,
) -> Result<T, Error> {
    with_stack(|| {
        let arena = Bump::new();
        let (text, plan) = (plan.text, &plan.document);
        let schemas = schemas.read(plan.provider_schemas)?;
        let rules = Rules::built_in();
        let basis = Basis {
            schemas: schemas.providers() > 0,
            sensitive: false,
        };
        let fingerprint = Fingerprint::new(plan, &schemas, basis, &arena)?;
        let mut storage = Storage::default();
        let show_sensitive = options.show_sensitive;
        let read = ReadOptions {
            rules: Some(&rules),
            show_sensitive,
            ..ReadOptions::default()
        };
        let mut review = PlanReview::new(
            &options.name,
            text,
            plan,
            &schemas,
            read,
            &arena,
            &mut storage,
        )?;
        review.fingerprint = fingerprint.to_string();
        work(Parts {
            review: &review,
            plan,
            schemas: &schemas,
            arena: &arena,
        })
    })
}
