//! Compares two folders of plans, unit by unit.
//!
//! Invariants: units are paired by name; one without an approved plan is compared with nothing, so that all of its
//! changes go beyond what was approved; one that cannot be read makes the comparison fail.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{anyhow, ensure};

use super::args::DiffArgs;
use super::{Conclusion, PlanSide, Wanted, plan, require_comparable, with_comparison};
use crate::cli::input::{Document, Reader, Source};
use crate::cli::schemas::{self, Cached};
use crate::cli::settings::Settings;
use crate::cli::units;
use crate::cli::{Host, Outcome};
use crate::compare::formats::{GateResult, Presence, UnitComparison, UnitsComparison};
use crate::compare::{Gate, Options};
use crate::model::plan::Plan;
use crate::review::AbsentUnit;
use crate::schema::Schemas;

/// The plan of a unit that is not there.
const NO_PLAN: &str = r#"{"format_version":"1.2","resource_changes":[]}"#;

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
    let results = units::each(&pairs, host, |pair| compare_pair(pair, reader, &options, &args.fail_on));
    for (pair, result) in pairs.iter().zip(results) {
        match result {
            Ok((comparison, own)) => {
                hits.iter_mut().zip(own).for_each(|(all, own)| *all += own);
                compared.push(comparison);
            }
            Err(error) => absent.push(units::unreadable(&pair.name, &error)),
        }
    }
    // What cannot be compared may be what a gate is about.
    let unknown = absent.len();
    let comparison = UnitsComparison { units: compared, absent };
    let gates = args.fail_on.iter().zip(hits);
    let gates: Vec<GateResult> = gates.map(|(gate, hits)| GateResult::new(*gate, hits + unknown)).collect();
    let conclusion = Conclusion {
        gates: &gates,
        sentence: comparison.sentence(),
        verdict: comparison.verdict(),
        absent: &comparison.absent,
        report: &|| comparison.report(),
        json: &|sink| comparison.json(&gates, sink),
    };
    conclusion.write(&Wanted { args, settings, host })
}

/// The units of both folders by name, and those that cannot be read.
fn pairs(approved: &Path, now: &Path, host: &Host) -> anyhow::Result<(Vec<Pair>, Vec<AbsentUnit>)> {
    let find = |folder: &Path| units::find(&[folder.to_owned()], &[], &[], units::Wanted::Plans, host);
    let (old, new) = (find(approved)?, find(now)?);
    let by_name = |units: Vec<units::Unit>| -> BTreeMap<String, Source> {
        crate::sort::map(
            units.into_iter().map(|unit| (unit.name.unwrap_or_else(|| ".".to_owned()), unit.source)),
        )
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
        (Some(_), Some(_)) => Presence::Both,
    };
    let old = PlanSide { name: name(&old_document), text: text(&old_document), plan: &old_plan };
    let new = PlanSide { name: name(&new_document), text: text(&new_document), plan: &new_plan };
    if presence == Presence::Both {
        require_comparable([&old, &new])?;
    }
    let cached = [&old, &new].map(|side| Cached::for_plan(side.plan, settings, host));
    with_comparison([&old, &new], &cached, schema_files, options, |comparison| {
        let hits = gates.iter().map(|gate| gate.hits(comparison)).collect();
        Ok((UnitComparison::new(&pair.name, presence, comparison)?, hits))
    })
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
