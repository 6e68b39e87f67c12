//! `tfview diff`: compares a plan with the approved one, or with its result, and a state with a later one.
//!
//! Invariants: both documents are read and the gates are decided before the first byte is written;
//! documents that cannot be compared cause an error.

pub(super) mod args;
mod result;
mod units;

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use bumpalo::Bump;

use super::input::{Document, Reader, Source};
use super::kind::DocumentKind;
use super::output::{WriteFailures, check_overwrites, with_output};
use super::refusal::{refuse_unsupported, require_plan};
use super::schemas::{self, Cached};
use super::settings::{Pager, Settings};
use super::values::out_paths;
use super::{Host, Outcome, ci};
use crate::compare::fingerprint::{Basis, Fingerprint};
use crate::compare::formats::{self, GateResult};
use crate::compare::{self, Comparison, Gate, Options, Side, Verdict};
use crate::diff::parallel::Storage;
use crate::model::plan::Plan;
use crate::report::{self, Budget, Layout, PageOptions, Report};
use crate::review::AbsentUnit;
use crate::schema::Schemas;
use crate::term::ci::{Annotations, CiLog};
use args::{DiffArgs, DiffFormat};

/// Runs the subcommand.
pub(super) fn run(args: &DiffArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    if settings.plan_mode.is_some() {
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
    check_overwrites(&out_paths(&args.out), &inputs, reads_stdin)?;
    if approved.is_dir() || now.is_dir() {
        return units::diff(approved, now, args, &settings, host);
    }
    let schema_files = schemas::read(&settings.schemas, host)?;
    let reader = Reader { schema_files: &schema_files, settings: &settings, host };
    let (old_document, new_document) = (read(approved, reader)?, read(now, reader)?);
    let options = Options { show_sensitive: settings.show_sensitive, ignored: args.ignore.clone() };
    let wanted = Wanted { args, settings: &settings, host };
    let kinds = [&old_document, &new_document].map(result::kind_of);
    if kinds == [Some(DocumentKind::State); 2] {
        return result::diff_states([&old_document, &new_document], &schema_files, &options, &wanted);
    }
    result::refuse_before_plan(&old_document)?;
    if kinds[1].is_some() {
        return result::diff(&old_document, &new_document, &schema_files, &options, &wanted);
    }
    let (old_plan, new_plan) = (plan(&old_document, host)?, plan(&new_document, host)?);
    let old =
        PlanSide { name: old_document.source().to_string(), text: old_document.text(), plan: &old_plan };
    let new =
        PlanSide { name: new_document.source().to_string(), text: new_document.text(), plan: &new_plan };
    require_comparable([&old, &new])?;
    let cached = [&old, &new].map(|side| Cached::for_plan(side.plan, &settings, host));
    cached.iter().for_each(|cached| cached.note(host));
    with_comparison([&old, &new], &cached, &schema_files, &options, |comparison| {
        conclude(comparison, &wanted)
    })
}

/// A plan to compare.
struct PlanSide<'d> {
    name: String,
    text: &'d str,
    plan: &'d Plan<'d>,
}

impl<'d> PlanSide<'d> {
    fn with<'s>(&'s self, schemas: &'s Schemas<'d>) -> Side<'s, 'd> {
        Side { name: &self.name, text: self.text, plan: self.plan, schemas }
    }
}

/// Refuses to compare a saved plan with JSON, and a saved plan of which a part cannot be read.
fn require_comparable([old, new]: [&PlanSide<'_>; 2]) -> anyhow::Result<()> {
    ensure!(
        old.plan.saved_plan.is_some() == new.plan.saved_plan.is_some(),
        "one plan is a saved plan and the other one JSON, which says more: they cannot be compared\n  tip: use the \
         output of `show -json` for both, or `--via-tool`"
    );
    for PlanSide { plan, name, .. } in [old, new] {
        // It says what an apply runs.
        let problem = plan.saved_plan.as_ref().map_or("", |saved| &saved.configuration_problem);
        ensure!(
            problem.is_empty(),
            "the configuration in {name} cannot be read, so what an apply runs cannot be compared: {problem}\n  tip: \
             use the output of `show -json` for both, or `--via-tool`"
        );
    }
    Ok(())
}

/// Compares two plans, the approved one first, and passes the comparison on.
fn with_comparison<'d, T>(
    [old, new]: [&PlanSide<'d>; 2],
    cached: &'d [Cached; 2],
    schema_files: &'d [Document],
    options: &Options,
    then: impl FnOnce(&Comparison<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let old_schemas = plan_schemas(old.plan, &old.name, schema_files, Some(&cached[0]), Some(new.plan))?;
    let new_schemas = plan_schemas(new.plan, &new.name, schema_files, Some(&cached[1]), Some(old.plan))?;
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let comparison =
        compare::compare(old.with(&old_schemas), new.with(&new_schemas), options, &arena, &mut storage)
            .map_err(|error| anyhow!("cannot compare {} with {}: {error}", old.name, new.name))?;
    then(&comparison)
}

/// The checked request.
struct Wanted<'a> {
    args: &'a DiffArgs,
    settings: &'a Settings,
    host: &'a Host,
}

/// Decides the gates and writes the formats of a comparison.
fn conclude(comparison: &Comparison<'_>, wanted: &Wanted<'_>) -> anyhow::Result<Outcome> {
    let gate = |gate: &Gate| GateResult::new(*gate, gate.hits(comparison));
    let gates: Vec<GateResult> = wanted.args.fail_on.iter().map(gate).collect();
    let conclusion = Conclusion {
        gates: &gates,
        sentence: comparison.sentence(),
        verdict: comparison.verdict(),
        absent: &[],
        report: &|| formats::report(comparison),
        json: &|sink| formats::json(comparison, &gates, sink),
    };
    conclusion.write(wanted)
}

/// What a comparison of two plans, or of the plans in two directories, says.
struct Conclusion<'c> {
    gates: &'c [GateResult],
    sentence: String,
    verdict: Verdict,
    /// The units that cannot be compared.
    absent: &'c [AbsentUnit],
    report: &'c dyn Fn() -> Report<'static>,
    json: &'c dyn Fn(&mut dyn Write) -> io::Result<()>,
}

impl Conclusion<'_> {
    /// Writes the requested formats, and returns the outcome, which is decided before.
    fn write(&self, wanted: &Wanted<'_>) -> anyhow::Result<Outcome> {
        let Wanted { args, settings, host } = wanted;
        let violated = self.gates.iter().filter(|result| result.hits > 0);
        let message = |result: &GateResult| {
            let what = crate::review::count(result.hits, "difference");
            format!("--fail-on {}: {what}: {}", result.name, self.sentence)
        };
        let violated: Vec<String> = violated.map(message).collect();
        let decided = if !violated.is_empty() {
            Outcome::Gate
        } else if !self.absent.is_empty() {
            Outcome::Failed
        } else if args.detailed_exitcode && self.verdict != Verdict::Same {
            Outcome::Changes
        } else {
            Outcome::Fine
        };
        let mut failures = WriteFailures::default();
        failures.write_files(&args.out, |format| {
            let mut text = Vec::new();
            self.write_format(format, (false, None), wanted, &mut text)?;
            Ok(text)
        });
        if let Some(system) = settings.ci {
            let mut annotations = Annotations::new(system);
            for unit in self.absent {
                annotations.add(ci::error(&unit.name, &unit.sentence()));
            }
            violated.iter().for_each(|why| annotations.add(ci::error("tfview diff", why)));
            failures.keep(ci::annotate(&annotations, &mut io::stderr()));
        }
        let is_text = args.format == DiffFormat::Terminal;
        let pager = if is_text { Pager::resolve(args.pager, &host.environment, host.terminal) } else { None };
        with_output(pager.as_ref(), host, &mut failures, |sink| {
            let style = (settings.colour, ci::log(settings.ci, host));
            self.write_format(args.format, style, wanted, sink)?;
            Ok(sink.flush()?)
        })
        .context("cannot write the comparison")?;
        violated.iter().for_each(|why| host.error(why));
        Ok(failures.conclude(decided, host))
    }

    fn write_format(
        &self,
        format: DiffFormat,
        (colour, log): (bool, Option<CiLog>),
        Wanted { args, settings, .. }: &Wanted<'_>,
        sink: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            DiffFormat::Terminal => report::terminal(&(self.report)(), layout(settings), colour, log, sink),
            DiffFormat::Markdown => {
                let text = report::markdown(&mut (self.report)(), args.max_bytes.unwrap_or_default());
                sink.write_all(text.as_bytes())
            }
            DiffFormat::Html => {
                let shows_sensitive = settings.show_sensitive;
                let options = PageOptions { shows_sensitive, ..PageOptions::default() };
                report::page(&(self.report)(), &options, sink)
            }
            DiffFormat::Json => (self.json)(sink),
        }
    }
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
    let plan = Plan::parse_with_configuration(document.text()).map_err(|error| document.fault(&error))?;
    refuse_unsupported(&plan.format_version, document)?;
    Ok(plan)
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
        added.map_err(|error| {
            anyhow!("cannot read the schemas of the plan compared with {source}: {error}")
        })?;
    }
    if let Some(cached) = cached {
        cached.add_to(&mut all);
    }
    Ok(all)
}

/// The layout of a text.
fn layout(settings: &Settings) -> Layout {
    Layout { width: settings.width, wraps: settings.wraps, links: false, fingerprint: false }
}

/// A comparison shown before a review.
pub(super) struct Since {
    /// The text with styles.
    pub(super) styled: Vec<u8>,
    /// The text without styles.
    pub(super) plain: Vec<u8>,
    /// The JSON document.
    pub(super) json: String,
    report: Report<'static>,
}

impl Since {
    /// Markdown within a budget.
    pub(super) fn markdown(&self, budget: Budget) -> String {
        report::markdown(&mut self.report.clone(), budget) + "\n"
    }
}

/// Compares the plan of a review, given by its name and text, with the approved one.
pub(super) fn since(
    approved: &Path,
    (now_name, now_text): (&str, &str),
    schema_files: &[Document],
    settings: &Settings,
    host: &Host,
) -> anyhow::Result<Since> {
    let document = read(approved, Reader { schema_files, settings, host })?;
    let old_plan = plan(&document, host)?;
    // Parsed again, because the review's copy has a different lifetime.
    let new_plan = Plan::parse_with_configuration(now_text)
        .map_err(|error| anyhow!("cannot read the plan {now_name}: {error}"))?;
    let old = PlanSide { name: document.source().to_string(), text: document.text(), plan: &old_plan };
    let new = PlanSide { name: now_name.to_owned(), text: now_text, plan: &new_plan };
    require_comparable([&old, &new])?;
    let cached = [&old, &new].map(|side| Cached::for_plan(side.plan, settings, host));
    let options = Options { show_sensitive: settings.show_sensitive, ignored: Vec::new() };
    with_comparison([&old, &new], &cached, schema_files, &options, |comparison| {
        let report = formats::report(comparison);
        let text = |colour: bool, log| {
            let mut text = Vec::new();
            report::terminal(&report, layout(settings), colour, log, &mut text)?;
            text.push(b'\n');
            Ok::<Vec<u8>, io::Error>(text)
        };
        let mut json = Vec::new();
        formats::json(comparison, &[], &mut json)?;
        Ok(Since {
            json: String::from_utf8(json).context("cannot write the comparison")?,
            styled: text(settings.colour, ci::log(settings.ci, host))?,
            plain: text(false, None)?,
            report,
        })
    })
}
