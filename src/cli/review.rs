//! `tfview review`: the verdict on one or several plans, in the formats that were asked for.
//!
//! Invariant: all plans have been read before the first byte is written; every format comes from
//! one reading.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use bumpalo::Bump;
use clap::ValueEnum;

use super::args::{ContextChoice, DriftChoice, FormatChoice, PlanModeChoice, ReviewArgs};
use super::input::{self, Document, Source};
use super::output::with_output;
use super::settings::{Pager, Settings};
use super::show::refuse_unsupported;
use super::stack::with_stack;
use super::{Edge, Outcome, ci, schemas};
use crate::diff::parallel::Storage;
use crate::json::{self, ErrorKind};
use crate::model::plan::Plan;
use crate::review::entry::PlanReview;
use crate::review::formats::{self, Body, Budget, GateResult, PageOptions, PlanBodies};
use crate::review::gate::Gate;
use crate::review::plan::ReadOptions;
use crate::review::{self, Filter, Kind, Options, Verdict};
use crate::schema::Schemas;
use crate::show;
use crate::term::CiSystem;
use crate::term::ci::Annotations;

/// The most that GitHub takes for the summary of a step.
const STEP_SUMMARY: Budget = Budget { bytes: 1_000_000, details: true };

/// The width that values in Markdown are fitted to.
const MARKDOWN_WIDTH: usize = 100;

/// Runs the subcommand.
pub(super) fn run(args: &ReviewArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    with_stack(|| review(args, edge))
}

fn review(args: &ReviewArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    let settings = Settings::resolve(&args.display, &edge.environment, edge.terminal);
    if settings.plan_mode != PlanModeChoice::default() {
        bail!("--plan-mode changes nothing in a review: it is for `tfview show`");
    }
    let gates = gates(&args.fail_on)?;
    let outs = outs(&args.out)?;
    let budget = budget(args.max_bytes.as_deref())?;
    let options = options(args, &settings)?;
    let documents = documents(&args.files, edge)?;
    let schema_files = schemas::read(&settings.schemas, edge)?;
    let mut inputs = Vec::new();
    for document in &documents {
        inputs.extend(read(document, &schema_files)?);
    }
    let mut given = Schemas::new();
    schemas::add(&mut given, &schema_files)?;
    let arena = Bump::new();
    let read = ReadOptions { show_sensitive: settings.show_sensitive, keep_whole: options.unchanged };
    let makes_page =
        args.format == FormatChoice::Html || outs.iter().any(|(format, _)| *format == FormatChoice::Html);
    let mut reviews = Vec::with_capacity(inputs.len());
    let mut bodies = Vec::new();
    for Input { name, text, plan, schemas, storage } in &mut inputs {
        let schemas = schemas.as_ref().unwrap_or(&given);
        let review = PlanReview::new(name, text, plan, schemas, read, &arena, storage)
            .map_err(|error| anyhow!("reading the plan {name}: {error}"))?;
        reviews.push(review);
        if makes_page {
            bodies.push(
                plan_bodies(plan, schemas, &settings, &arena)
                    .with_context(|| format!("reading the plan {name}"))?,
            );
        }
    }
    reviews.iter_mut().for_each(|review| options.filter.apply(review));
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::of_plan).collect();
    let whole = Verdict::total(verdicts.iter());
    let results: Vec<(GateResult, String)> =
        gates.iter().map(|(word, gate)| gate_result(word, *gate, &reviews)).collect();
    let shut: Vec<String> =
        results.iter().filter(|(result, _)| result.violated).map(|(_, message)| message.clone()).collect();
    let results: Vec<GateResult> = results.into_iter().map(|(result, _)| result).collect();
    let writer = Writer {
        reviews: &reviews,
        bodies: &bodies,
        page: PageOptions { title: args.title.clone(), shows_sensitive: settings.show_sensitive },
        options: &options,
        gates: &results,
        budget,
    };
    writer.print(args, &settings, edge)?;
    for (format, path) in &outs {
        fs::write(path, writer.text(*format)?).with_context(|| format!("writing {}", path.display()))?;
    }
    ci::add_summary(settings.ci, edge, || formats::markdown(&reviews, &writer.wide(), STEP_SUMMARY).0)?;
    if let Some(system) = settings.ci {
        ci::annotate(&annotations(system, &reviews, &shut), &mut io::stderr())?;
    }
    note_inferred(&reviews, edge);
    if !shut.is_empty() {
        shut.iter().for_each(|why| edge.say(&format!("tfview: {why}")));
        return Ok(Outcome::Gate);
    }
    Ok(if args.detailed_exitcode && whole.has_changes() { Outcome::Changes } else { Outcome::Fine })
}

/// The text of each change of a plan, as `tfview show` prints it.
fn plan_bodies<'a>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    settings: &Settings,
    arena: &'a Bump,
) -> anyhow::Result<PlanBodies> {
    let options = super::show::options(settings, super::show::dialect_of_plan(plan));
    let texts = show::plan_texts(plan, schemas, &options, arena, Body::of_resource)?;
    let outputs = show::outputs_text(plan, &options, arena)?;
    Ok(PlanBodies {
        resources: texts.resources,
        drift: texts.drift,
        deferred: texts.deferred,
        invocations: texts.invocations,
        outputs: Body::of_outputs(&outputs),
    })
}

/// What a gate found, and what is said of it.
fn gate_result(word: &str, gate: Gate, reviews: &[PlanReview<'_>]) -> (GateResult, String) {
    let by: Vec<String> = reviews.iter().flat_map(|review| gate.hits(review)).collect();
    let message = gate.message(word, &by);
    (GateResult { name: word.to_owned(), violated: !by.is_empty(), by }, message)
}

fn options(args: &ReviewArgs, settings: &Settings) -> anyhow::Result<Options> {
    let only = args.only.iter().map(|word| {
        let kind = Kind::of_word(word.trim());
        kind.ok_or_else(|| anyhow!("--only {word}: there are {}", Kind::ALL.map(Kind::word).join(", ")))
    });
    Ok(Options {
        filter: Filter {
            only: only.collect::<anyhow::Result<_>>()?,
            include: args.include.clone(),
            exclude: args.exclude.clone(),
            types: args.types.clone(),
            modules: args.module.clone(),
            ignored: args.ignore_attr.clone(),
        },
        width: settings.width,
        depth: args.depth,
        context: args.context.map_or(2, ContextChoice::lines),
        unchanged: args.context == Some(ContextChoice::All),
        list: args.list,
        tree: args.tree,
        all_drift: args.drift == DriftChoice::All,
    })
}

fn gates(words: &[String]) -> anyhow::Result<Vec<(&str, Gate)>> {
    let gate = |word: &String| Gate::of_word(word.trim());
    words
        .iter()
        .map(|word| {
            Ok((
                word.trim(),
                gate(word).ok_or_else(|| anyhow!("--fail-on {word}: there are {}", Gate::WORDS))?,
            ))
        })
        .collect()
}

fn outs(words: &[String]) -> anyhow::Result<Vec<(FormatChoice, PathBuf)>> {
    let out = |word: &String| {
        let (format, path) = word.split_once('=')?;
        Some((FormatChoice::from_str(format, true).ok()?, PathBuf::from(path)))
    };
    words
        .iter()
        .map(|word| {
            out(word).ok_or_else(|| anyhow!("--out {word}: it is FORMAT=FILE, as in markdown=comment.md"))
        })
        .collect()
}

fn budget(word: Option<&str>) -> anyhow::Result<Budget> {
    let Some(word) = word else { return Ok(Budget::default()) };
    let budget = Budget::of_word(word).filter(|budget| budget.bytes >= 2_048);
    budget.ok_or_else(|| {
        anyhow!("--max-bytes {word}: it is a number from 2048, or github, gitlab, azure, bitbucket")
    })
}

/// The documents of the files, of standard input if there are none. Patterns that no shell has
/// expanded are expanded here.
fn documents(files: &[PathBuf], edge: &Edge) -> anyhow::Result<Vec<Document>> {
    if files.is_empty() {
        return Ok(vec![input::read(Source::of(None, edge)?, edge)?]);
    }
    let mut documents = Vec::new();
    for file in files {
        for path in expanded(file)? {
            documents.push(input::read(Source::of(Some(&path), edge)?, edge)?);
        }
    }
    Ok(documents)
}

/// The files that a pattern stands for, sorted; the path itself if it is none.
fn expanded(pattern: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let text = pattern.to_string_lossy();
    if pattern.exists() || !text.contains(['*', '?']) {
        return Ok(vec![pattern.to_owned()]);
    }
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        let name = component.as_os_str().to_string_lossy();
        if !name.contains(['*', '?']) {
            found.iter_mut().for_each(|path| path.push(component));
            continue;
        }
        let mut next = Vec::new();
        for folder in &found {
            let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            for entry in fs::read_dir(here).with_context(|| format!("looking for {}", pattern.display()))? {
                let entry = entry.with_context(|| format!("looking for {}", pattern.display()))?;
                if review::glob_matches(&name, &entry.file_name().to_string_lossy()) {
                    next.push(folder.join(entry.file_name()));
                }
            }
        }
        found = next;
    }
    found.retain(|path| path.exists());
    found.sort();
    if found.is_empty() {
        bail!("{}: no file matches", pattern.display());
    }
    Ok(found)
}

/// A plan that is reviewed.
struct Input<'d> {
    name: String,
    text: &'d str,
    plan: Plan<'d>,
    /// The schemas that the plan brings with it, and those that are given.
    schemas: Option<Schemas<'d>>,
    /// What the review of the plan keeps.
    storage: Storage,
}

/// The plans of a document: one, or several, one on each line.
fn read<'d>(document: &'d Document, schema_files: &'d [Document]) -> anyhow::Result<Vec<Input<'d>>> {
    let name = document.source().to_string();
    let plans = plans(document, schema_files)?;
    let several = plans.len() > 1;
    let mut inputs = Vec::with_capacity(plans.len());
    for (at, (text, plan)) in plans.into_iter().enumerate() {
        refuse_unsupported(&plan.format_version, document)?;
        super::show::require_plan(document, text)?;
        let schemas = match plan.provider_schemas {
            Some(brought) => {
                let mut own = Schemas::new();
                schemas::add(&mut own, schema_files)?;
                let added = own.add_provider_schemas(brought);
                added.map_err(|error| anyhow!("reading the schemas that {name} brings with it: {error}"))?;
                Some(own)
            }
            None => None,
        };
        let name = if several { format!("{name}:{}", at + 1) } else { name.clone() };
        inputs.push(Input { name, text, plan, schemas, storage: Storage::default() });
    }
    Ok(inputs)
}

/// The plans of a document, each with its text. There is one, unless something follows it.
fn plans<'d>(document: &'d Document, schema_files: &[Document]) -> anyhow::Result<Vec<(&'d str, Plan<'d>)>> {
    let text = document.text();
    let error = match schemas::plan(text, schema_files) {
        Ok(plan) => return Ok(vec![(text, plan)]),
        Err(error) => error,
    };
    let parts = if error.kind == ErrorKind::TrailingData { several(text) } else { None };
    let Some(parts) = parts else { return Err(document.fault("reading the plan", &error)) };
    let count = parts.len();
    let read = |(at, part): (usize, Range<usize>)| {
        let plan = schemas::plan(&text[part.clone()], schema_files)
            .map_err(|error| document.fault_in(part.clone(), "reading the plan", &error))
            .with_context(|| format!("plan {} of {count}", at + 1))?;
        Ok((&text[part], plan))
    };
    parts.into_iter().enumerate().map(read).collect()
}

/// Where the documents are that stand in a text one after the other; `None` if it does not read so.
fn several(text: &str) -> Option<Vec<Range<usize>>> {
    let mut reader = json::Reader::new(text);
    let mut found = Vec::new();
    while !text[reader.pos()..].trim().is_empty() {
        let length = reader.skip().ok()?.len();
        found.push(reader.pos() - length..reader.pos());
    }
    Some(found)
}

/// Writes the reviews in the formats that were asked for.
struct Writer<'w, 'a> {
    reviews: &'w [PlanReview<'a>],
    /// For a page, the text of each change.
    bodies: &'w [PlanBodies],
    page: PageOptions,
    options: &'w Options,
    gates: &'w [GateResult],
    budget: Budget,
}

impl Writer<'_, '_> {
    fn text(&self, format: FormatChoice) -> anyhow::Result<Vec<u8>> {
        let mut text = Vec::new();
        match format {
            FormatChoice::Terminal => {
                formats::terminal(self.reviews, self.options, false, None, &mut text)?;
            }
            FormatChoice::Markdown => {
                text = formats::markdown(self.reviews, &self.wide(), self.budget).0.into_bytes();
            }
            FormatChoice::Html => {
                formats::html(self.reviews, self.bodies, self.options, &self.page, &mut text)?;
            }
            FormatChoice::Json => formats::json(self.reviews, self.gates, &mut text)?,
            FormatChoice::GitlabReport => text = formats::gitlab_report(self.reviews).into_bytes(),
        }
        Ok(text)
    }

    /// Markdown is not read on the terminal that tfview runs on.
    fn wide(&self) -> Options {
        Options { width: MARKDOWN_WIDTH, ..self.options.clone() }
    }

    fn print(&self, args: &ReviewArgs, settings: &Settings, edge: &Edge) -> anyhow::Result<()> {
        let is_text = args.format == FormatChoice::Terminal;
        let pager = if is_text { Pager::resolve(args.pager, &edge.environment, edge.terminal) } else { None };
        with_output(pager.as_ref(), edge, |sink| {
            if is_text {
                let log = ci::log(settings.ci, edge);
                formats::terminal(self.reviews, self.options, settings.colour, log, sink)?;
            } else {
                sink.write_all(&self.text(args.format)?)?;
            }
            Ok(sink.flush()?)
        })
        .context("writing the review")
    }
}

fn annotations(system: CiSystem, reviews: &[PlanReview<'_>], shut: &[String]) -> Annotations {
    let mut all = Annotations::new(system);
    for review in reviews {
        ci::add_plan(&mut all, &review.name, review.errored, &review.checks);
    }
    shut.iter().for_each(|why| all.add(ci::error("tfview review", why)));
    all
}

fn note_inferred(reviews: &[PlanReview<'_>], edge: &Edge) {
    let mut types: Vec<&str> =
        reviews.iter().flat_map(|review| review.inferred.iter().map(String::as_str)).collect();
    types.sort_unstable();
    types.dedup();
    if !types.is_empty() {
        edge.note(&format!(
            "the shape of {} was inferred; --schemas makes it exact",
            review::count(types.len(), "resource type")
        ));
    }
}
