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

use super::args::{ContextChoice, FormatChoice, ReviewArgs};
use super::input::{self, Document, Source};
use super::output::with_output;
use super::settings::{Pager, Settings};
use super::show::{dialect_of_plan, refuse_unsupported};
use super::stack::with_stack;
use super::{Edge, Outcome, ci, schemas};
use crate::diff::parallel::Storage;
use crate::json::{self, ErrorKind};
use crate::model::plan::Plan;
use crate::review::entry::PlanReview;
use crate::review::facts::Rules;
use crate::review::formats::{self, Budget, GateResult};
use crate::review::gate::Gate;
use crate::review::plan::ReadOptions;
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
        reviews.extend(read(document, &schema_files, &options, &settings)?);
    }
    let whole = Verdict::total(reviews.iter().map(|review| &review.verdict));
    let shut: Vec<String> = gates
        .iter()
        .filter_map(|(word, gate)| gate.shut_by(&whole).map(|why| format!("--fail-on {word}: {why}")))
        .collect();
    let is_json = |format: &FormatChoice| *format == FormatChoice::Json;
    let json = if is_json(&args.format) || outs.iter().any(|(format, _)| is_json(format)) {
        let results: Vec<GateResult> = gates
            .iter()
            .map(|(word, gate)| GateResult {
                name: (*word).to_owned(),
                violated: gate.shut_by(&whole).is_some(),
                by: Vec::new(),
            })
            .collect();
        json_text(&documents, &schema_files, &options, &results)?
    } else {
        Vec::new()
    };
    write(args, &reviews, &json, &options, budget, &settings, edge)?;
    for (format, path) in &outs {
        let text = text(*format, &reviews, &json, &options, budget)?;
        fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    ci::add_summary(settings.ci, edge, || formats::markdown(&reviews, &options, STEP_SUMMARY))?;
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

fn options(args: &ReviewArgs, settings: &Settings) -> anyhow::Result<Options> {
    let only = args.only.iter().map(|word| {
        let kind = Kind::of_word(word.trim());
        kind.ok_or_else(|| anyhow!("--only {word}: there are {}", Kind::ALL.map(Kind::word).join(", ")))
    });
    Ok(Options {
        dialect: settings.dialect.unwrap_or_default(),
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

/// The reviews of a document: of one plan, or of several, one on each line.
fn read(
    document: &Document,
    schema_files: &[Document],
    options: &Options,
    settings: &Settings,
) -> anyhow::Result<Vec<Review>> {
    let name = document.source().to_string();
    let arena = Bump::new();
    let mut given = Schemas::new();
    schemas::add(&mut given, schema_files)?;
    let plans = plans(document, schema_files)?;
    let several = plans.len() > 1;
    let mut reviews = Vec::new();
    for (at, (text, plan)) in plans.into_iter().enumerate() {
        refuse_unsupported(&plan.format_version, document)?;
        super::show::require_plan(document, text)?;
        let mut own = Schemas::new();
        let schemas = match plan.provider_schemas {
            Some(brought) => {
                schemas::add(&mut own, schema_files)?;
                let added = own.add_provider_schemas(brought);
                added.map_err(|error| anyhow!("reading the schemas that {name} brings with it: {error}"))?;
                &own
            }
            None => &given,
        };
        let dialect = settings.dialect.or_else(|| dialect_of_plan(&plan)).unwrap_or_default();
        let options = Options { dialect, ..options.clone() };
        let title = if several { format!("{name}:{}", at + 1) } else { name.clone() };
        let review = review::read(&title, &plan, schemas, &options, &arena)
            .map_err(|error| anyhow!("reading the plan {title}: {error}"))?;
        reviews.push(review::collapse(review, &options));
    }
    Ok(reviews)
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

/// The JSON of all plans.
fn json_text(
    documents: &[Document],
    schema_files: &[Document],
    options: &Options,
    gates: &[GateResult],
) -> anyhow::Result<Vec<u8>> {
    let arena = Bump::new();
    let mut given = Schemas::new();
    schemas::add(&mut given, schema_files)?;
    let mut found = Vec::new();
    for document in documents {
        let name = document.source().to_string();
        let plans = plans(document, schema_files)?;
        let several = plans.len() > 1;
        for (at, (text, plan)) in plans.into_iter().enumerate() {
            let title = if several { format!("{name}:{}", at + 1) } else { name.clone() };
            let own = match plan.provider_schemas {
                Some(brought) => {
                    let mut own = Schemas::new();
                    schemas::add(&mut own, schema_files)?;
                    let added = own.add_provider_schemas(brought);
                    added.map_err(|error| {
                        anyhow!("reading the schemas that {name} brings with it: {error}")
                    })?;
                    Some(own)
                }
                None => None,
            };
            found.push((title, text, plan, own, Storage::default()));
        }
    }
    let rules =
        Rules::built_in().map_err(|error| anyhow!("internal error in the table of facts, {error}"))?;
    let read = ReadOptions { rules: Some(&rules), show_sensitive: options.show_sensitive, keep_whole: false };
    let mut reviews = Vec::with_capacity(found.len());
    for (title, text, plan, own, storage) in &mut found {
        let schemas = own.as_ref().unwrap_or(&given);
        let review = PlanReview::new(title, text, plan, schemas, read, &arena, storage)
            .map_err(|error| anyhow!("reading the plan {title}: {error}"))?;
        reviews.push(review);
    }
    let mut json = Vec::new();
    formats::json(&reviews, gates, &mut json)?;
    Ok(json)
}

fn text(
    format: FormatChoice,
    reviews: &[Review],
    json: &[u8],
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
        FormatChoice::Json => json.to_vec(),
        FormatChoice::GitlabReport => formats::gitlab_report(reviews).into_bytes(),
    })
}

fn write(
    args: &ReviewArgs,
    reviews: &[Review],
    json: &[u8],
    options: &Options,
    budget: Budget,
    settings: &Settings,
    edge: &Edge,
) -> anyhow::Result<()> {
    let is_text = args.format == FormatChoice::Terminal;
    let pager = if is_text { Pager::resolve(args.pager, &edge.environment, edge.terminal) } else { None };
    with_output(pager.as_ref(), edge, |sink| {
        if is_text {
            formats::terminal(reviews, options, settings.colour, ci::log(settings.ci, edge), sink)?;
        } else {
            sink.write_all(&text(args.format, reviews, json, options, budget)?)?;
        }
        Ok(sink.flush()?)
    })
    .context("writing the review")
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
