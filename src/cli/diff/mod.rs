//! `tfview diff`: compares a plan with the approved one, or with its result, and a state with a later one.
//!
//! Invariants: both documents are read and the gates are decided before the first byte is written;
//! documents that cannot be compared cause an error.

pub(super) mod args;
mod result;
mod units;

use std::io;
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use bumpalo::Bump;

use super::args::PlanModeChoice;
use super::cache::Cached;
use super::input::{Document, Reader, Source};
use super::output::{WriteFailures, with_output};
use super::refusal::{refuse_unsupported, require_plan};
use super::settings::{Pager, Settings};
use super::stack::with_stack;
use super::values::out_paths;
use super::{Host, Outcome, ci, overwrite, schemas};
use crate::compare::fingerprint::{Basis, Fingerprint};
use crate::compare::formats::{self, GateResult};
use crate::compare::{self, Comparison, Options, Side, Verdict};
use crate::diff::parallel::Storage;
use crate::model::plan::Plan;
use crate::schema::Schemas;
use crate::term::ci::Annotations;
use args::{DiffArgs, DiffFormat};

/// Runs the subcommand.
pub(super) fn run(args: &DiffArgs, host: &Host) -> anyhow::Result<Outcome> {
    with_stack(|| diff(args, host))
}

fn diff(args: &DiffArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    if settings.plan_mode != PlanModeChoice::default() {
        bail!("--plan-mode changes nothing in a comparison\n  tip: it is an option of `tfview show`");
    }
    if args.fingerprint || args.approved.is_some() {
        return by_fingerprint(args, &settings, host);
    }
    let [approved, now] = &*args.files else {
        bail!(
            "comparing needs two files: the approved plan, and the new plan, the messages of the run, or the state
  \
             tip: `tfview diff --fingerprint PLAN` makes a hash of one plan"
        );
    };
    ensure!(approved != now || approved.as_os_str() != "-", "only one of both files can be standard input");
    let inputs: Vec<&Path> = args.files.iter().chain(&args.display.schemas).map(|path| &**path).collect();
    let reads_stdin = args.files.iter().any(|path| path.as_os_str() == "-");
    overwrite::refuse(&out_paths(&args.out), &inputs, reads_stdin)?;
    if approved.is_dir() || now.is_dir() {
        return units::diff(approved, now, args, &settings, host);
    }
    let schema_files = schemas::read(&settings.schemas, host)?;
    let reader = Reader { schema_files: &schema_files, settings: &settings, host };
    let (old_document, new_document) = (read(approved, reader)?, read(now, reader)?);
    let options = Options { show_sensitive: settings.show_sensitive, ignored: args.ignore.clone() };
    let wanted = Wanted { args, settings: &settings };
    if result::are_states([&old_document, &new_document]) {
        let both = [&old_document, &new_document];
        return result::diff_states(both, &schema_files, &options, &wanted, host);
    }
    if let Some(kind) = result::kind_of(&new_document) {
        return result::diff(
            &result::Inputs { plan: &old_document, result: &new_document, kind, schema_files: &schema_files },
            &options,
            &wanted,
            host,
        );
    }
    result::refuse_before_plan(&old_document)?;
    let (old_plan, new_plan) = (plan(&old_document, host)?, plan(&new_document, host)?);
    require_alike(&old_plan, &new_plan)?;
    require_configuration(&old_plan, &old_document.source().to_string())?;
    require_configuration(&new_plan, &new_document.source().to_string())?;
    let cached = [&old_plan, &new_plan].map(|plan| Cached::for_plan(plan, &settings, host));
    cached.iter().for_each(|cached| cached.note(host));
    let old_schemas = plan_schemas(
        &old_plan,
        &old_document.source().to_string(),
        &schema_files,
        Some(&cached[0]),
        Some(&new_plan),
    )?;
    let new_schemas = plan_schemas(
        &new_plan,
        &new_document.source().to_string(),
        &schema_files,
        Some(&cached[1]),
        Some(&old_plan),
    )?;
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let (old_name, new_name) = (old_document.source().to_string(), new_document.source().to_string());
    let old = Side { name: &old_name, text: old_document.text(), plan: &old_plan, schemas: &old_schemas };
    let new = Side { name: &new_name, text: new_document.text(), plan: &new_plan, schemas: &new_schemas };
    let comparison = compare::compare(old, new, &options, &arena, &mut storage)
        .map_err(|error| anyhow!("comparing {old_name} with {new_name}: {error}"))?;
    conclude(&comparison, &wanted, host)
}

/// The checked request.
struct Wanted<'a> {
    args: &'a DiffArgs,
    settings: &'a Settings,
}

/// The messages about the gates that are violated. `sentence` is the verdict.
fn shut_gates(results: &[GateResult], sentence: &str) -> Vec<String> {
    let violated = results.iter().filter(|result| result.hits > 0);
    let message = |result: &GateResult| {
        let what = crate::review::count(result.hits, "difference");
        format!("--fail-on {}: {what}: {sentence}", result.name)
    };
    violated.map(message).collect()
}

/// Decides the gates and writes the formats.
fn conclude(comparison: &Comparison<'_>, wanted: &Wanted<'_>, host: &Host) -> anyhow::Result<Outcome> {
    let Wanted { args, settings } = wanted;
    let budget = args.max_bytes.unwrap_or_default().bytes;
    let results: Vec<GateResult> = args
        .fail_on
        .iter()
        .map(|gate| GateResult { name: gate.word().to_owned(), hits: gate.hits(comparison) })
        .collect();
    let shut = shut_gates(&results, &comparison.sentence());
    let decided = if !shut.is_empty() {
        Outcome::Gate
    } else if args.detailed_exitcode && comparison.verdict() != Verdict::Same {
        Outcome::Changes
    } else {
        Outcome::Fine
    };
    let text = |format: DiffFormat| -> anyhow::Result<Vec<u8>> {
        let mut text = Vec::new();
        match format {
            DiffFormat::Terminal => formats::terminal(comparison, false, None, &mut text)?,
            DiffFormat::Markdown => text = formats::markdown(comparison, budget).into_bytes(),
            DiffFormat::Html => formats::html(comparison, settings.show_sensitive, &mut text)?,
            DiffFormat::Json => formats::json(comparison, &results, &mut text)?,
        }
        Ok(text)
    };
    let mut failures = WriteFailures::default();
    failures.write_files(&args.out, text);
    if let Some(system) = settings.ci {
        let mut annotations = Annotations::new(system);
        shut.iter().for_each(|why| annotations.add(ci::error("tfview diff", why)));
        failures.keep(ci::annotate(&annotations, &mut io::stderr()));
    }
    let is_text = args.format == DiffFormat::Terminal;
    let pager = if is_text { Pager::resolve(args.pager, &host.environment, host.terminal) } else { None };
    with_output(pager.as_ref(), host, &mut failures, |sink| {
        if is_text {
            formats::terminal(comparison, settings.colour, ci::log(settings.ci, host), sink)?;
        } else {
            sink.write_all(&text(args.format)?)?;
        }
        Ok(sink.flush()?)
    })
    .context("writing the comparison")?;
    shut.iter().for_each(|why| host.error(why));
    Ok(failures.conclude(decided, host))
}

/// `--fingerprint` and `--approved`.
fn by_fingerprint(args: &DiffArgs, settings: &Settings, host: &Host) -> anyhow::Result<Outcome> {
    let [file] = &*args.files else {
        bail!("a fingerprint is made from one plan; leave out the other file");
    };
    ensure!(
        args.format != DiffFormat::Html,
        "--format html is a page of two plans; a fingerprint has no page"
    );
    let approved: Option<Fingerprint> = match &args.approved {
        Some(text) => Some(text.parse().map_err(|error| anyhow!("--approved {text}: {error}"))?),
        None => None,
    };
    let schema_files = schemas::read(&settings.schemas, host)?;
    let document = read(file, Reader { schema_files: &schema_files, settings, host })?;
    let plan = plan(&document, host)?;
    ensure!(
        plan.saved_plan.is_none(),
        "a saved plan does not say all that a fingerprint covers\n  tip: use the output of `show -json`, or `--via-tool`"
    );
    let schemas = plan_schemas(&plan, &document.source().to_string(), &schema_files, None, None)?;
    let has_schemas = !schema_files.is_empty();
    let basis = match approved {
        Some(Fingerprint { basis, .. }) => {
            ensure!(
                basis.schemas == has_schemas,
                "the fingerprint was made {} provider schemas: compare the plan {} --schemas too",
                if basis.schemas { "with" } else { "without" },
                if basis.schemas { "with the same" } else { "without" },
            );
            basis
        }
        None => Basis { schemas: has_schemas, sensitive: args.include_sensitive },
    };
    let arena = Bump::new();
    let now = Fingerprint::new(&plan, &schemas, basis, &arena)
        .map_err(|error| anyhow!("cannot read the plan {}: {error}", document.source()))?;
    let is_same = approved.map(|approved| approved == now);
    let text = match (is_same, args.format) {
        (None, DiffFormat::Terminal | DiffFormat::Markdown | DiffFormat::Html) => now.to_string(),
        (Some(true), DiffFormat::Terminal | DiffFormat::Markdown | DiffFormat::Html) => "same".to_owned(),
        (Some(false), DiffFormat::Terminal | DiffFormat::Markdown | DiffFormat::Html) => "differs".to_owned(),
        (is_same, DiffFormat::Json) => formats::fingerprint_json(&now, is_same)?,
    };
    let decided = if is_same == Some(false) { Outcome::Gate } else { Outcome::Fine };
    let mut failures = WriteFailures::default();
    with_output(None, host, &mut failures, |sink| {
        sink.write_all(text.as_bytes())?;
        sink.write_all(b"\n")?;
        Ok(sink.flush()?)
    })
    .context("writing the fingerprint")?;
    if approved.is_some() && !basis.sensitive {
        host.note("sensitive values were not compared: the fingerprint leaves them out");
    }
    Ok(failures.conclude(decided, host))
}

fn read(file: &Path, reader: Reader<'_>) -> anyhow::Result<Document> {
    reader.read(Source::new(Some(file), reader.host)?)
}

/// Parses the plan in a document.
fn plan<'d>(document: &'d Document, host: &Host) -> anyhow::Result<Plan<'d>> {
    require_plan(document, document.text(), host)?;
    let plan = Plan::parse_with_configuration(document.text())
        .map_err(|error| document.fault(&error))?;
    refuse_unsupported(&plan.format_version, document)?;
    Ok(plan)
}

/// Refuses to compare a saved plan with JSON.
fn require_alike(one: &Plan<'_>, other: &Plan<'_>) -> anyhow::Result<()> {
    ensure!(
        one.saved_plan.is_some() == other.saved_plan.is_some(),
        "one plan is a saved plan and the other one JSON, which says more: they cannot be compared\n  tip: use the \
         output of `show -json` for both, or `--via-tool`"
    );
    Ok(())
}

/// Refuses a saved plan whose configuration cannot be read: it says what an apply runs.
fn require_configuration(plan: &Plan<'_>, name: &str) -> anyhow::Result<()> {
    let problem = plan.saved_plan.as_ref().map_or("", |saved| &saved.configuration_problem);
    ensure!(
        problem.is_empty(),
        "the configuration in {name} cannot be read, so what an apply runs cannot be compared: {problem}\n  tip: use the \
         output of `show -json` for both, or `--via-tool`"
    );
    Ok(())
}

/// The given schemas, those in the plan, and cached ones.
fn plan_schemas<'d>(
    plan: &Plan<'d>,
    source: &str,
    files: &'d [Document],
    cached: Option<&'d Cached>,
    other: Option<&Plan<'d>>,
) -> anyhow::Result<Schemas<'d>> {
    let mut all = Schemas::new();
    schemas::add(&mut all, files)?;
    if let Some(brought) = plan.provider_schemas {
        let added = all.add_provider_schemas(brought);
        added.map_err(|error| anyhow!("cannot read the schemas embedded in {source}: {error}"))?;
    }
    // What the other plan's schemas call sensitive is hidden in both.
    if let Some(brought) = other.and_then(|other| other.provider_schemas) {
        let added = all.add_provider_marks(brought);
        added.map_err(|error| anyhow!("cannot read the schemas of the plan compared with {source}: {error}"))?;
    }
    if let Some(cached) = cached {
        cached.add_to(&mut all);
    }
    Ok(all)
}

/// The plan under review.
#[derive(Clone, Copy)]
pub(super) struct Now<'r> {
    pub(super) name: &'r str,
    pub(super) text: &'r str,
}

/// A comparison shown before a review.
pub(super) struct Since {
    /// The text with styles.
    pub(super) styled: Vec<u8>,
    /// The text without styles.
    pub(super) plain: Vec<u8>,
    /// The JSON document.
    pub(super) json: String,
    /// The full Markdown.
    markdown: String,
    /// Only the verdict, in case the full Markdown does not fit.
    short: String,
}

impl Since {
    /// Markdown with at most about `most` bytes.
    pub(super) fn markdown(&self, most: usize) -> String {
        let text = if self.markdown.len() <= most { &self.markdown } else { &self.short };
        format!("{text}\n")
    }
}

/// Compares the plan of a review with the approved one.
pub(super) fn since(
    approved: &Path,
    now: Now<'_>,
    schema_files: &[Document],
    settings: &Settings,
    host: &Host,
) -> anyhow::Result<Since> {
    let document = read(approved, Reader { schema_files, settings, host })?;
    let old_plan = plan(&document, host)?;
    // Parsed again, because the review's copy has a different lifetime.
    let new_plan = Plan::parse_with_configuration(now.text)
        .map_err(|error| anyhow!("cannot read the plan {}: {error}", now.name))?;
    require_alike(&old_plan, &new_plan)?;
    require_configuration(&old_plan, &document.source().to_string())?;
    require_configuration(&new_plan, now.name)?;
    let cached = [&old_plan, &new_plan].map(|plan| Cached::for_plan(plan, settings, host));
    let old_schemas = plan_schemas(
        &old_plan,
        &document.source().to_string(),
        schema_files,
        Some(&cached[0]),
        Some(&new_plan),
    )?;
    let new_schemas = plan_schemas(&new_plan, now.name, schema_files, Some(&cached[1]), Some(&old_plan))?;
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let name = document.source().to_string();
    let old = Side { name: &name, text: document.text(), plan: &old_plan, schemas: &old_schemas };
    let new = Side { name: now.name, text: now.text, plan: &new_plan, schemas: &new_schemas };
    let options = Options { show_sensitive: settings.show_sensitive, ignored: Vec::new() };
    let comparison = compare::compare(old, new, &options, &arena, &mut storage)
        .map_err(|error| anyhow!("comparing {name} with {}: {error}", now.name))?;
    let text = |colour: bool, log| {
        let mut text = Vec::new();
        formats::terminal(&comparison, colour, log, &mut text).map(|()| {
            text.push(b'\n');
            text
        })
    };
    let mut json = Vec::new();
    formats::json(&comparison, &[], &mut json)?;
    Ok(Since {
        json: String::from_utf8(json).context("writing the comparison")?,
        styled: text(settings.colour, ci::log(settings.ci, host))?,
        plain: text(false, None)?,
        markdown: formats::markdown(&comparison, usize::MAX),
        short: format!("**{}**\n", comparison.sentence()),
    })
}
