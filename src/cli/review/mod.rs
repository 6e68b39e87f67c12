//! `tfview review`: the verdict on one or several plans, in the requested formats.
//!
//! Invariants: all plans have been read, the gates are decided and the files of `--out` are written before
//! the first byte is written to standard output; every format comes from one reading.

pub(super) mod args;
mod request;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use bumpalo::Bump;

use super::cache::Cached;
use super::choices::{FormatChoice, PlanModeChoice};
use super::config::Config;
use super::diff::{self, Since};
use super::input::{self, Document, Reader, Source};
use super::output::{WriteFailures, with_output};
use super::refusal::{refuse_unsupported, require_plan};
use super::settings::{Pager, Settings};
use super::show::plan_options;
use super::source::SourceTree;
use super::stack::with_stack;
use super::values::out_paths;
use super::{Host, Outcome, address, ci, overwrite, schemas};
use crate::compare::fingerprint::{Basis, Fingerprint};
use crate::dialect::Tool;
use crate::diff::parallel::Storage;
use crate::json::ErrorKind;
use crate::model::address::AddressSelector;
use crate::model::plan::{Plan, ResourceChange};
use crate::render::PlanTexts;
use crate::report::{Budget, PageOptions};
use crate::review::entry::{PlanReview, RuleOrigin};
use crate::review::facts::Rules;
use crate::review::formats::{self, GateResult};
use crate::review::plan::ReadOptions;
use crate::review::{self, Options, Verdict};
use crate::schema::Schemas;
use crate::show;
use crate::term::CiSystem;
use crate::term::ci::Annotations;
use args::ReviewArgs;

/// The size limit of GitHub for the summary of a step.
const STEP_SUMMARY: Budget = Budget { bytes: 1_000_000, details: true };

/// The width for values in Markdown, in columns.
const MARKDOWN_WIDTH: usize = 100;

/// Runs the subcommand.
pub(super) fn run(args: &ReviewArgs, host: &Host) -> anyhow::Result<Outcome> {
    with_stack(|| review(args, host))
}

fn review(args: &ReviewArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    if settings.plan_mode != PlanModeChoice::default() {
        bail!("--plan-mode changes nothing in a review\n  tip: it is an option of `tfview show`");
    }
    let config = Config::read(&args.config, host)?;
    let gates = request::gates(&args.fail_on, config.as_ref());
    let budget = request::budget(args, config.as_ref());
    let options = Options { now: Some(host.now()), ..request::options(args, &settings, config.as_ref()) };
    let schema_files = schemas::read(&settings.schemas, host)?;
    let reader = Reader { schema_files: &schema_files, settings: &settings, host };
    let documents = documents(&args.files, reader)?;
    keep_inputs(args, &documents)?;
    let mut inputs = Vec::new();
    for document in &documents {
        inputs.extend(read(document, host)?);
    }
    let plans: Vec<&Plan<'_>> = inputs.iter().map(|input| &input.plan).collect();
    address::require(&options.filter.addresses, &plans)?;
    note_unchanged(&options.filter.addresses, &inputs, host);
    let since = match (&args.since, &*inputs) {
        (None, _) => None,
        (Some(approved), [now]) => {
            let now = diff::Now { name: &now.name, text: now.text };
            Some(diff::since(approved, now, &schema_files, &settings, host)?)
        }
        (Some(_), _) => {
            bail!("--since compares one plan with the approved one\n  tip: review the plans one by one")
        }
    };
    let cached: Vec<Cached> =
        inputs.iter().map(|input| Cached::for_plan(&input.plan, &settings, host)).collect();
    let mut schemas = Schemas::new();
    schemas::add(&mut schemas, &schema_files)?;
    let given = schemas.providers();
    let arena = Bump::new();
    let makes_page =
        args.format == FormatChoice::Html || args.out.iter().any(|out| out.format == FormatChoice::Html);
    let mut rules = facts_rules()?;
    if let Some(config) = &config {
        config.add_rules(&mut rules)?;
    }
    let read = ReadOptions {
        rules: Some(&rules),
        show_sensitive: settings.show_sensitive,
        keep_whole: options.unchanged,
    };
    let mut reviews = Vec::with_capacity(inputs.len());
    let mut texts = Vec::new();
    for (Input { name, text, plan, storage, tool }, cached) in inputs.iter_mut().zip(&cached) {
        cached.note(host);
        // Schemas in a plan, and cached ones, apply only to that plan.
        schemas.truncate(given);
        if let Some(brought) = plan.provider_schemas {
            let added = schemas.add_provider_schemas(brought);
            added.map_err(|error| anyhow!("reading the schemas that {name} brings with it: {error}"))?;
        }
        // The cache of a machine must not affect a fingerprint.
        let basis = Basis { schemas: !schema_files.is_empty(), sensitive: false };
        let fingerprint = Fingerprint::new(plan, &schemas, basis, &arena)
            .map_err(|error| anyhow!("reading the plan {name}: {error}"))?;
        cached.add_to(&mut schemas);
        if makes_page {
            // Before the review: the values of both would take much memory.
            let otherwise = || tool.or_else(|| schemas::tool(&schema_files));
            let text_options = plan_options(plan, &settings, otherwise);
            let made = show::plan_texts(plan, &schemas, &text_options, !args.address.is_empty(), &arena);
            texts.push(made.with_context(|| format!("reading the plan {name}"))?);
        }
        let mut review = PlanReview::new(name, text, plan, &schemas, read, &arena, storage)
            .map_err(|error| anyhow!("reading the plan {name}: {error}"))?;
        review.fingerprint = fingerprint.to_string();
        if args.variables {
            let kept = review.keep_variable_values(plan, text, &arena, settings.show_sensitive);
            kept.map_err(|error| anyhow!("reading the variables of the plan {name}: {error}"))?;
        }
        reviews.push(review);
    }
    reviews.iter_mut().for_each(|review| options.filter.apply(review));
    if let Some(directory) = &args.source {
        let mut tree = SourceTree::open(directory, host)?;
        for review in &mut reviews {
            let PlanReview { resources, drift, deferred, .. } = review;
            for entry in resources.iter_mut().chain(drift).chain(deferred) {
                entry.source = tree.place(entry);
            }
        }
    }
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::new).collect();
    let whole = Verdict::total(verdicts.iter());
    let results: Vec<(GateResult, String)> = gates.iter().map(|gate| gate.result(&reviews)).collect();
    let shut: Vec<String> =
        results.iter().filter(|(result, _)| result.violated).map(|(_, message)| message.clone()).collect();
    // The JSON does not depend on a found configuration file.
    let results = results.into_iter().zip(&gates).filter(|(_, gate)| gate.origin != RuleOrigin::Found);
    let results: Vec<GateResult> = results.map(|((result, _), _)| result).collect();
    let decided = if !shut.is_empty() {
        Outcome::Gate
    } else if args.detailed_exitcode && (whole.has_changes() || reviews.iter().any(PlanReview::says_more)) {
        Outcome::Changes
    } else {
        Outcome::Fine
    };
    let writer = Writer {
        reviews: &reviews,
        texts: &texts,
        page: PageOptions {
            title: args.title.clone(),
            shows_sensitive: settings.show_sensitive,
            since: since.as_ref().map(|since| String::from_utf8_lossy(&since.plain).into_owned()),
        },
        options: &options,
        gates: &results,
        budget,
        since: since.as_ref(),
    };
    let mut failures = WriteFailures::default();
    failures.write_files(&args.out, |format| writer.text(format));
    let summary = || writer.markdown(STEP_SUMMARY);
    failures.keep(ci::add_summary(settings.ci, host, summary));
    if let Some(system) = settings.ci {
        failures.keep(ci::annotate(&annotations(system, &reviews, &shut), &mut io::stderr()));
    }
    writer.print(args, &settings, host, &mut failures)?;
    if let (Some(config), FormatChoice::Json | FormatChoice::GitlabReport) = (&config, args.format) {
        host.note(&format!("the configuration {} was read", config.name));
    }
    note_inferred(&reviews, host);
    shut.iter().for_each(|why| host.error(why));
    Ok(failures.conclude(decided, host))
}

/// The built-in rules for facts.
pub(super) fn facts_rules() -> anyhow::Result<Rules> {
    Rules::built_in()
        .map_err(|error| anyhow!("internal error in the table of facts, {error}; please report this bug"))
}

/// The documents of the files, or of standard input if there are none.
fn documents(files: &[PathBuf], reader: Reader<'_>) -> anyhow::Result<Vec<Document>> {
    input::sources(files, reader.host)?.into_iter().map(|source| reader.read(source)).collect()
}

/// Rejects files of `--out` that are also read, or written twice.
fn keep_inputs(args: &ReviewArgs, documents: &[Document]) -> anyhow::Result<()> {
    let read = documents.iter().filter_map(|document| match document.source() {
        Source::File(path) => Some(&**path),
        Source::Stdin => None,
    });
    let inputs: Vec<&Path> =
        read.chain(args.since.as_deref()).chain(args.display.schemas.iter().map(|path| &**path)).collect();
    let reads_stdin = documents.iter().any(|document| matches!(document.source(), Source::Stdin));
    overwrite::refuse(&out_paths(&args.out), &inputs, reads_stdin)
}

/// A plan to review.
struct Input<'d> {
    name: String,
    text: &'d str,
    plan: Plan<'d>,
    /// The values that the review keeps.
    storage: Storage,
    /// The tool that was started to read it.
    tool: Option<Tool>,
}

/// Reads the plans of a document: one, or several with one on each line.
fn read<'d>(document: &'d Document, host: &Host) -> anyhow::Result<Vec<Input<'d>>> {
    let name = document.source().to_string();
    let plans = plans(document, host)?;
    let several = plans.len() > 1;
    let mut inputs = Vec::with_capacity(plans.len());
    for (at, (text, plan)) in plans.into_iter().enumerate() {
        refuse_unsupported(&plan.format_version, document)?;
        require_plan(document, text)?;
        let name = if several { format!("{name}:{}", at + 1) } else { name.clone() };
        inputs.push(Input { name, text, plan, storage: Storage::default(), tool: document.tool() });
    }
    Ok(inputs)
}

/// The plans of a document, each with its text. There is only one unless other text follows it.
fn plans<'d>(document: &'d Document, host: &Host) -> anyhow::Result<Vec<(&'d str, Plan<'d>)>> {
    const DOING: &str = "reading the plan";
    let text = document.text();
    match Plan::parse_with_configuration(text) {
        Ok(plan) => return Ok(vec![(text, plan)]),
        Err(error) if error.kind == ErrorKind::TrailingData => {}
        Err(error) => return Err(document.fault(DOING, &error)),
    }
    let parts = document.split(host)?;
    let count = parts.len();
    let read = |(at, part): (usize, Range<usize>)| {
        let text = document.part(&part);
        require_plan(document, text)?;
        match Plan::parse_with_configuration(text) {
            Ok(plan) => Ok((text, plan)),
            Err(error) => {
                let error = document.fault_in(part, DOING, &error);
                Err(if count > 1 { error.context(format!("plan {} of {count}", at + 1)) } else { error })
            }
        }
    };
    parts.into_iter().enumerate().map(read).collect()
}

/// Writes the reviews in the requested formats.
struct Writer<'w, 'a> {
    reviews: &'w [PlanReview<'a>],
    /// The texts of all changes, for a page.
    texts: &'w [PlanTexts],
    page: PageOptions,
    options: &'w Options,
    gates: &'w [GateResult],
    budget: Budget,
    /// The comparison with the approved plan.
    since: Option<&'w Since>,
}

impl Writer<'_, '_> {
    fn text(&self, format: FormatChoice) -> anyhow::Result<Vec<u8>> {
        let mut text = Vec::new();
        match format {
            FormatChoice::Terminal => {
                text.extend(self.since.iter().flat_map(|since| &since.plain));
                formats::terminal(self.reviews, self.options, false, None, &mut text)?;
            }
            FormatChoice::Markdown => text = self.markdown(self.budget).into_bytes(),
            FormatChoice::Html => {
                formats::html(self.reviews, self.texts, self.options, &self.page, &mut text)?;
            }
            FormatChoice::Json => {
                let since = self.since.map(|since| &*since.json);
                formats::json_since(self.reviews, self.gates, since, &mut text)?;
            }
            FormatChoice::GitlabReport => text = formats::gitlab_report(self.reviews).into_bytes(),
        }
        Ok(text)
    }

    fn markdown(&self, budget: Budget) -> String {
        // The comparison comes first. If the review is shortened for it, its text says so.
        let since = self.since.map_or_else(String::new, |since| since.markdown(budget.bytes / 2));
        let budget = Budget { bytes: budget.bytes - since.len(), ..budget };
        since + &formats::markdown(self.reviews, &self.wide(), budget).0
    }

    /// The options for Markdown, which is not shown in this terminal, so that its width does not matter.
    fn wide(&self) -> Options {
        Options { width: MARKDOWN_WIDTH, ..self.options.clone() }
    }

    fn print(
        &self,
        args: &ReviewArgs,
        settings: &Settings,
        host: &Host,
        failures: &mut WriteFailures,
    ) -> anyhow::Result<()> {
        let is_text = args.format == FormatChoice::Terminal;
        let pager = if is_text { Pager::resolve(args.pager, &host.environment, host.terminal) } else { None };
        with_output(pager.as_ref(), host, failures, |sink| {
            if is_text {
                let log = ci::log(settings.ci, host);
                sink.write_all(self.since.map_or(&[], |since| &since.styled))?;
                let options =
                    Options { links: links(settings, pager.as_ref(), host), ..self.options.clone() };
                formats::terminal(self.reviews, &options, settings.colour, log, sink)?;
            } else if args.format == FormatChoice::Html {
                formats::html(self.reviews, self.texts, self.options, &self.page, sink)?;
            } else {
                sink.write_all(&self.text(args.format)?)?;
            }
            Ok(sink.flush()?)
        })
        .context("writing the review")?;
        Ok(())
    }
}

/// Whether to write links: the terminal must support styles, and more than the basic ones. `less` passes
/// links on.
fn links(settings: &Settings, pager: Option<&Pager>, host: &Host) -> bool {
    let is_terminal = host.terminal.stdout && !host.environment.dumb_terminal;
    is_terminal && settings.colour && settings.ci.is_none() && pager.is_none_or(Pager::is_default)
}

fn annotations(system: CiSystem, reviews: &[PlanReview<'_>], shut: &[String]) -> Annotations {
    let mut all = Annotations::new(system);
    for review in reviews {
        ci::add_plan(&mut all, &review.name, review.errored, &review.checks);
    }
    ci::add_places(&mut all, reviews);
    shut.iter().for_each(|why| all.add(ci::error("tfview review", why)));
    all
}

fn note_inferred(reviews: &[PlanReview<'_>], host: &Host) {
    let mut types: Vec<&str> =
        reviews.iter().flat_map(|review| review.inferred.iter().map(String::as_str)).collect();
    types.sort_unstable();
    types.dedup();
    if !types.is_empty() {
        host.note(&format!(
            "the shape of {} was inferred; --schemas makes it exact",
            review::count(types.len(), "resource type")
        ));
    }
}

/// Writes a note about the selected addresses without a change that a review could show.
fn note_unchanged(selectors: &[AddressSelector], inputs: &[Input<'_>], host: &Host) {
    for selector in selectors {
        let is_selected = |change: &&ResourceChange<'_>| selector.matches_change(change);
        let is_changed = inputs.iter().any(|Input { plan, .. }| {
            let deferred = plan.deferred_changes.iter().map(|deferred| &deferred.resource_change);
            let planned = plan.resource_changes.iter().filter(|change| !change.is_silent());
            planned.chain(&plan.resource_drift).chain(deferred).any(|change| is_selected(&change))
                || plan.actions().any(|action| selector.matches(&action.address))
        });
        if !is_changed {
            let text = selector.text();
            host.note(&format!("{text} does not change; `tfview show --address` prints its values"));
        }
    }
}
