//! `tfview review`: the verdict on one or several plans, in the formats that were asked for.
//!
//! Invariants: all plans have been read, the gates are decided and the files of `--out` are written before the
//! first byte goes to standard output; every format comes from one reading.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use bumpalo::Bump;
use clap::ValueEnum;

use super::args::{ContextChoice, FormatChoice, ReviewArgs};
use super::cache::Cached;
use super::input::{self, Document};
use super::output::{WriteFailures, with_output};
use super::settings::{Pager, Settings};
use super::show::{refuse_unsupported, tool_of_plan};
use super::stack::with_stack;
use super::{Edge, Outcome, ci, schemas};
use crate::json::ErrorKind;
use crate::model::plan::Plan;
use crate::review::formats::{self, Budget};
use crate::review::gate::Gate;
use crate::review::{self, Filter, Kind, Options, Review, Verdict};
use crate::schema::Schemas;
use crate::term::CiSystem;
use crate::term::ci::Annotations;

/// The most that GitHub takes for the summary of a step.
const STEP_SUMMARY: Budget = Budget { bytes: 1_000_000, details: true };

/// Runs the subcommand.
pub(super) fn run(args: &ReviewArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    with_stack(|| review(args, edge))
}

fn review(args: &ReviewArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    let settings = Settings::resolve(&args.display, &edge.environment, edge.terminal);
    let gates = gates(&args.fail_on)?;
    let outs = outs(&args.out)?;
    let budget = budget(args.max_bytes.as_deref())?;
    let options = options(args, &settings)?;
    let documents = documents(&args.files, edge)?;
    let schema_files = schemas::read(&settings.schemas, edge)?;
    let mut reviews = Vec::new();
    for document in &documents {
        reviews.extend(read(document, &schema_files, &options, &settings, edge)?);
    }
    let whole = Verdict::total(reviews.iter().map(|review| &review.verdict));
    let shut: Vec<String> = gates
        .iter()
        .filter_map(|(word, gate)| gate.shut_by(&whole).map(|why| format!("--fail-on {word}: {why}")))
        .collect();
    let decided = if !shut.is_empty() {
        Outcome::Gate
    } else if args.detailed_exitcode && whole.has_changes() {
        Outcome::Changes
    } else {
        Outcome::Fine
    };
    let mut failures = WriteFailures::default();
    for (format, path) in &outs {
        let written = text(*format, &reviews, &options, budget)
            .and_then(|text| fs::write(path, text).with_context(|| format!("writing {}", path.display())));
        failures.keep(written);
    }
    let summary = || formats::markdown(&reviews, &options, STEP_SUMMARY);
    failures.keep(ci::add_summary(settings.ci, edge, summary));
    if let Some(system) = settings.ci {
        failures.keep(ci::annotate(&annotations(system, &reviews, &shut), &mut io::stderr()));
    }
    write(args, &reviews, &options, budget, &settings, edge, &mut failures)?;
    note_inferred(&reviews, edge);
    shut.iter().for_each(|why| edge.say(&format!("tfview: {why}")));
    Ok(failures.conclude(decided, edge))
}

fn options(args: &ReviewArgs, settings: &Settings) -> anyhow::Result<Options> {
    let only = args.only.iter().map(|word| {
        let kind = Kind::of_word(word.trim());
        kind.ok_or_else(|| anyhow!("--only {word}: there are {}", Kind::ALL.map(Kind::word).join(", ")))
    });
    Ok(Options {
        dialect: settings.dialect.of_document(None, ""),
        show_sensitive: settings.show_sensitive,
        filter: Filter {
            only: only.collect::<anyhow::Result<_>>()?,
            include: args.include.clone(),
            exclude: args.exclude.clone(),
            types: args.types.clone(),
            modules: args.module.clone(),
            ignored: args.ignore_attr.clone(),
        },
        depth: args.depth,
        context: args.context.map_or(2, ContextChoice::lines),
        unchanged: args.context == Some(ContextChoice::All),
        list: args.list,
        tree: args.tree,
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

/// The documents of the files, of standard input if there are none.
fn documents(files: &[PathBuf], edge: &Edge) -> anyhow::Result<Vec<Document>> {
    input::sources(files, edge)?.into_iter().map(|source| input::read(source, edge)).collect()
}

/// The reviews of a document: of one plan, or of several, one on each line.
fn read(
    document: &Document,
    schema_files: &[Document],
    options: &Options,
    settings: &Settings,
    edge: &Edge,
) -> anyhow::Result<Vec<Review>> {
    let name = document.source().to_string();
    let arena = Bump::new();
    schemas::add(&mut Schemas::new(), schema_files)?;
    let plans = plans(document, schema_files, edge)?;
    let several = plans.len() > 1;
    let cached: Vec<Cached> = plans.iter().map(|(_, plan)| Cached::for_plan(plan, settings, edge)).collect();
    let mut schemas = Schemas::new();
    schemas::add(&mut schemas, schema_files)?;
    let count = schemas.providers();
    let mut reviews = Vec::new();
    for (at, ((text, plan), cached)) in plans.into_iter().zip(&cached).enumerate() {
        refuse_unsupported(&plan.format_version, document)?;
        super::show::require_plan(document, text)?;
        cached.note(edge);
        // A review takes nothing over from older releases: some of their rules hide changes.
        let dialect = settings.dialect.of_document(tool_of_plan(&plan), "").newest();
        let options = Options { dialect, ..options.clone() };
        let title = if several { format!("{name}:{}", at + 1) } else { name.clone() };
        // The schemas that a plan brings with it, and the cached ones of its providers, are its own.
        schemas.truncate(count);
        if let Some(brought) = plan.provider_schemas {
            let added = schemas.add_provider_schemas(brought);
            added.map_err(|error| anyhow!("reading the schemas that {name} brings with it: {error}"))?;
        }
        cached.add_to(&mut schemas);
        let review = review::read(&title, &plan, &schemas, &options, &arena)
            .map_err(|error| anyhow!("reading the plan {title}: {error}"))?;
        reviews.push(review::collapse(review, &options));
    }
    Ok(reviews)
}

/// The plans of a document, each with its text. There is one, unless something follows it.
fn plans<'d>(
    document: &'d Document,
    schema_files: &[Document],
    edge: &Edge,
) -> anyhow::Result<Vec<(&'d str, Plan<'d>)>> {
    const DOING: &str = "reading the plan";
    let text = document.text();
    match schemas::plan(text, schema_files) {
        Ok(plan) => return Ok(vec![(text, plan)]),
        Err(error) if error.kind == ErrorKind::TrailingData => {}
        Err(error) => return Err(document.fault(DOING, &error)),
    }
    let parts = document.split(edge)?;
    let count = parts.len();
    let read = |(at, part): (usize, Range<usize>)| {
        let text = document.part(&part);
        super::show::require_plan(document, text)?;
        match schemas::plan(text, schema_files) {
            Ok(plan) => Ok((text, plan)),
            Err(error) => {
                let error = document.fault_in(part, DOING, &error);
                Err(if count > 1 { error.context(format!("plan {} of {count}", at + 1)) } else { error })
            }
        }
    };
    parts.into_iter().enumerate().map(read).collect()
}

fn text(
    format: FormatChoice,
    reviews: &[Review],
    options: &Options,
    budget: Budget,
) -> anyhow::Result<Vec<u8>> {
    Ok(match format {
        FormatChoice::Terminal => {
            let mut text = Vec::new();
            formats::terminal(reviews, options, false, None, &mut text)?;
            text
        }
        FormatChoice::Markdown => formats::markdown(reviews, options, budget).into_bytes(),
        FormatChoice::Json => formats::json(reviews).into_bytes(),
        FormatChoice::GitlabReport => formats::gitlab_report(reviews).into_bytes(),
    })
}

fn write(
    args: &ReviewArgs,
    reviews: &[Review],
    options: &Options,
    budget: Budget,
    settings: &Settings,
    edge: &Edge,
    failures: &mut WriteFailures,
) -> anyhow::Result<()> {
    let is_text = args.format == FormatChoice::Terminal;
    let pager = if is_text { Pager::resolve(args.pager, &edge.environment, edge.terminal) } else { None };
    with_output(pager.as_ref(), edge, failures, |sink| {
        if is_text {
            formats::terminal(reviews, options, settings.colour, ci::log(settings.ci, edge), sink)?;
        } else {
            sink.write_all(&text(args.format, reviews, options, budget)?)?;
        }
        Ok(sink.flush()?)
    })
    .context("writing the review")?;
    Ok(())
}

fn annotations(system: CiSystem, reviews: &[Review], shut: &[String]) -> Annotations {
    let mut all = Annotations::new(system);
    for review in reviews {
        ci::add_plan(&mut all, &review.name, review.verdict.errored, &review.problems);
    }
    shut.iter().for_each(|why| all.add(ci::error("tfview review", why)));
    all
}

fn note_inferred(reviews: &[Review], edge: &Edge) {
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
