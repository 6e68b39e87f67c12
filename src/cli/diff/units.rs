//! Compares two folders of plans, unit by unit.
//!
//! Invariants: units are paired by name; one without an approved plan is compared with nothing, so that all of its
//! changes go beyond what was approved; one that cannot be read makes the comparison fail.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use bumpalo::Bump;

use super::args::{DiffArgs, DiffFormat};
use super::{plan, plan_schemas, shut_gates};
use crate::cli::cache::Cached;
use crate::cli::input::{Document, Reader, Source};
use crate::cli::message::chain;
use crate::cli::output::{WriteFailures, with_output};
use crate::cli::settings::{Pager, Settings};
use crate::cli::units::{self, Wanted};
use crate::cli::{Host, Outcome, ci, schemas};
use crate::compare::formats::{GateResult, Presence, UnitComparison, UnitsComparison};
use crate::compare::{self, Gate, Options, Side, Verdict};
use crate::diff::parallel::{Storage, in_order};
use crate::model::plan::Plan;
use crate::review::units::{Absence, AbsentUnit};
use crate::schema::Schemas;
use crate::term::ci::Annotations;
use crate::text::cut;

/// The plan of a unit that is not there.
const NO_PLAN: &str = r#"{"format_version":"1.2","resource_changes":[]}"#;
/// The maximum length of the reason why a unit cannot be compared, in characters.
const MAX_REASON: usize = 300;

/// The plans of a unit.
struct Pair {
    name: String,
    approved: Option<Source>,
    now: Option<Source>,
}

/// Compares the plans in two folders.
pub(super) fn diff(
    approved: &Path,
    now: &Path,
    args: &DiffArgs,
    settings: &Settings,
    host: &Host,
) -> anyhow::Result<Outcome> {
    ensure!(
        approved.is_dir() && now.is_dir(),
        "{} is a folder, and {} is not: compare two folders of plans, or two plans",
        if approved.is_dir() { approved } else { now }.display(),
        if approved.is_dir() { now } else { approved }.display(),
    );
    let schema_files = schemas::read(&settings.schemas, host)?;
    schemas::add(&mut Schemas::new(), &schema_files)?;
    let reader = Reader { schema_files: &schema_files, settings, host };
    let (pairs, mut absent) = pairs(approved, now, host)?;
    let options = Options { show_sensitive: settings.show_sensitive, ignored: args.ignore.clone() };
    let mut compared = Vec::with_capacity(pairs.len());
    let mut hits = vec![0; args.fail_on.len()];
    let mut rest = pairs.iter();
    in_order(
        &pairs,
        || (),
        |(), pair| compare_pair(pair, reader, &options, &args.fail_on),
        |result| {
            let name = rest.next().map(|pair| pair.name.clone()).unwrap_or_default();
            match result {
                Ok((comparison, own)) => {
                    hits.iter_mut().zip(own).for_each(|(all, own)| *all += own);
                    compared.push(comparison);
                }
                Err(error) => {
                    let text = chain(&error);
                    let first = text.split("\n  tip: ").next().unwrap_or_default();
                    let words = first.split_whitespace().collect::<Vec<_>>().join(" ");
                    let reason = cut(&words, MAX_REASON);
                    absent.push(AbsentUnit { name, absence: Absence::Unreadable, reason });
                }
            }
            Ok::<(), anyhow::Error>(())
        },
    )?;
    // What cannot be compared may be what a gate is about.
    let unknown = absent.len();
    let comparison = UnitsComparison { units: compared, absent };
    let gates = args.fail_on.iter().zip(hits);
    let gates: Vec<GateResult> =
        gates.map(|(gate, hits)| GateResult { name: gate.word().to_owned(), hits: hits + unknown }).collect();
    conclude(&comparison, &gates, args, settings, host)
}

/// The units of both folders by name, and those that cannot be read.
fn pairs(approved: &Path, now: &Path, host: &Host) -> anyhow::Result<(Vec<Pair>, Vec<AbsentUnit>)> {
    let find = |folder: &Path| units::find(&[folder.to_owned()], &[], &[], Wanted::Plans, host);
    let (old, new) = (find(approved)?, find(now)?);
    let by_name = |units: Vec<units::Unit>| -> BTreeMap<String, Source> {
        units.into_iter().map(|unit| (unit.name.unwrap_or_else(|| ".".to_owned()), unit.source)).collect()
    };
    let absent = old.absent.into_iter().chain(new.absent).collect();
    let (mut old, mut new) = (by_name(old.units), by_name(new.units));
    let names: BTreeSet<String> = old.keys().chain(new.keys()).cloned().collect();
    let pairs = names.into_iter().map(|name| {
        let (approved, now) = (old.remove(&name), new.remove(&name));
        Pair { name, approved, now }
    });
    Ok((pairs.collect(), absent))
}

fn compare_pair(
    pair: &Pair,
    reader: Reader<'_>,
    options: &Options,
    gates: &[Gate],
) -> anyhow::Result<(UnitComparison, Vec<usize>)> {
    let Reader { schema_files, settings, host } = reader;
    let read = |source: &Option<Source>| source.clone().map(|source| reader.read(source)).transpose();
    let (old_document, new_document) = (read(&pair.approved)?, read(&pair.now)?);
    let (old_plan, new_plan) = (parsed(&old_document, host)?, parsed(&new_document, host)?);
    let presence = match (&old_document, &new_document) {
        (None, _) => Presence::New,
        (_, None) => Presence::Missing,
        (Some(_), Some(_)) => {
            ensure!(
                old_plan.saved_plan.is_some() == new_plan.saved_plan.is_some(),
                "one plan is a saved plan and the other one JSON, which says more"
            );
            Presence::Both
        }
    };
    let cached = [&old_plan, &new_plan].map(|plan| Cached::for_plan(plan, settings, host));
    let [old_cached, new_cached] = &cached;
    let (old_name, new_name) = (name(&old_document), name(&new_document));
    let old_schemas = plan_schemas(&old_plan, &old_name, schema_files, Some(old_cached), Some(&new_plan))?;
    let new_schemas = plan_schemas(&new_plan, &new_name, schema_files, Some(new_cached), Some(&old_plan))?;
    let old = Side { name: &old_name, text: text(&old_document), plan: &old_plan, schemas: &old_schemas };
    let new = Side { name: &new_name, text: text(&new_document), plan: &new_plan, schemas: &new_schemas };
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let comparison = compare::compare(old, new, options, &arena, &mut storage)
        .map_err(|error| anyhow!("comparing {old_name} with {new_name}: {error}"))?;
    let hits = gates.iter().map(|gate| gate.hits(&comparison)).collect();
    Ok((UnitComparison::new(&pair.name, presence, &comparison)?, hits))
}

fn parsed<'d>(document: &'d Option<Document>, host: &Host) -> anyhow::Result<Plan<'d>> {
    match document {
        Some(document) => plan(document, host),
        None => Plan::parse_with_configuration(NO_PLAN).map_err(|error| anyhow!("{error}")),
    }
}

fn text(document: &Option<Document>) -> &str {
    document.as_ref().map_or(NO_PLAN, Document::text)
}

fn name(document: &Option<Document>) -> String {
    document.as_ref().map_or_else(|| "no plan".to_owned(), |document| document.source().to_string())
}

/// Decides the gates and writes the formats.
fn conclude(
    comparison: &UnitsComparison,
    gates: &[GateResult],
    args: &DiffArgs,
    settings: &Settings,
    host: &Host,
) -> anyhow::Result<Outcome> {
    let shut = shut_gates(gates, &comparison.sentence());
    let decided = if !shut.is_empty() {
        Outcome::Gate
    } else if !comparison.absent.is_empty() {
        Outcome::Failed
    } else if args.detailed_exitcode && comparison.verdict() != Verdict::Same {
        Outcome::Changes
    } else {
        Outcome::Fine
    };
    let listing = comparison.listing();
    let text = |format: DiffFormat| -> anyhow::Result<Vec<u8>> {
        let mut text = Vec::new();
        match format {
            DiffFormat::Terminal => listing.terminal(false, None, &mut text)?,
            DiffFormat::Markdown => {
                text = listing.markdown(args.max_bytes.unwrap_or_default().bytes).into_bytes();
            }
            DiffFormat::Html => listing.page(settings.show_sensitive, &mut text)?,
            DiffFormat::Json => comparison.json(gates, &mut text)?,
        }
        Ok(text)
    };
    let mut failures = WriteFailures::default();
    failures.write_files(&args.out, text);
    if let Some(system) = settings.ci {
        let mut annotations = Annotations::new(system);
        for unit in &comparison.absent {
            annotations.add(ci::error(&unit.name, &unit.sentence()));
        }
        shut.iter().for_each(|why| annotations.add(ci::error("tfview diff", why)));
        failures.keep(ci::annotate(&annotations, &mut io::stderr()));
    }
    let is_text = args.format == DiffFormat::Terminal;
    let pager = if is_text { Pager::resolve(args.pager, &host.environment, host.terminal) } else { None };
    with_output(pager.as_ref(), host, &mut failures, |sink| {
        if is_text {
            listing.terminal(settings.colour, ci::log(settings.ci, host), sink)?;
        } else {
            sink.write_all(&text(args.format)?)?;
        }
        Ok(sink.flush()?)
    })
    .context("writing the comparison")?;
    shut.iter().for_each(|why| host.error(why));
    Ok(failures.conclude(decided, host))
}
