//! Reads and reviews the plans of all units side by side.
//!
//! Invariants: results are in the order of the units, whatever the number of threads; if there are several units, one
//! that cannot be read becomes an absent one, and the others are still reviewed.

use std::ops::Range;

use anyhow::{Context, anyhow};
use bumpalo::Bump;

use super::args::ReviewArgs;
use crate::cli::Host;
use crate::cli::host::chain;
use crate::cli::input::{Document, Reader};
use crate::cli::refusal::{refuse_unsupported, require_plan};
use crate::cli::schemas::{self, Cached};
use crate::cli::settings::Settings;
use crate::cli::show::plan_options;
use crate::cli::units::{self, Unit, Wanted};
use crate::compare::fingerprint::{Basis, Fingerprint};
use crate::dialect::Tool;
use crate::diff::parallel::{Storage, in_order};
use crate::json::ErrorKind;
use crate::model::plan::Plan;
use crate::render::PlanTexts;
use crate::review::AbsentUnit;
use crate::review::entry::PlanReview;
use crate::review::plan::ReadOptions;
use crate::saved::Snapshot;
use crate::schema::Schemas;
use crate::show;

/// The units without a plan that can be reviewed.
#[derive(Debug)]
pub(super) struct Absent {
    units: Vec<AbsentUnit>,
    /// Whether there are several units.
    pub(super) are_several: bool,
}

impl Absent {
    /// Adds a unit whose plan cannot be read. If it is the only unit, its error is that of the command.
    fn add(&mut self, name: &str, error: anyhow::Error) -> anyhow::Result<()> {
        if !self.are_several {
            return Err(error);
        }
        self.units.push(units::unreadable(name, &error));
        Ok(())
    }

    /// The units, the gravest first.
    pub(super) fn sorted(mut self) -> Vec<AbsentUnit> {
        crate::sort::by(&mut self.units, |a, b| (a.absence, &a.name).cmp(&(b.absence, &b.name)));
        self.units
    }
}

/// Reads the documents of all units.
pub(super) fn read(args: &ReviewArgs, reader: Reader<'_>) -> anyhow::Result<(Vec<(Unit, Document)>, Absent)> {
    let found = units::find(&args.files, &args.units, &args.report, Wanted::Plans, reader.host)?;
    let are_several = found.are_several();
    let mut absent = Absent { units: found.absent, are_several };
    let read = units::each(&found.units, reader.host, |unit| reader.read(unit.source.clone()));
    let mut documents = Vec::with_capacity(read.len());
    for (unit, document) in found.units.into_iter().zip(read) {
        match document {
            Ok(document) => documents.push((unit, document)),
            Err(error) => absent.add(&unit.title(), error)?,
        }
    }
    Ok((documents, absent))
}

/// A plan to review.
pub(super) struct Input<'d> {
    /// The file, with `:N` for the Nth plan in it.
    pub(super) name: String,
    unit: Option<String>,
    pub(super) text: &'d str,
    pub(super) plan: Plan<'d>,
    /// The stored schemas that it needs.
    cached: Cached,
    /// The tool that was started to read it.
    tool: Option<Tool>,
    /// The configuration in a saved plan.
    pub(super) snapshot: Option<&'d Snapshot>,
}

/// Parses the plans of all documents.
pub(super) fn parse<'d>(
    documents: &'d [(Unit, Document)],
    settings: &Settings,
    absent: &mut Absent,
    host: &Host,
) -> anyhow::Result<Vec<Input<'d>>> {
    let mut inputs = Vec::with_capacity(documents.len());
    let documents: Vec<&'d (Unit, Document)> = documents.iter().collect();
    let parsed = units::each(&documents, host, |(unit, document)| inputs_of(unit, document, settings, host));
    for ((unit, _), parsed) in documents.iter().zip(parsed) {
        match parsed {
            Ok(parsed) => inputs.extend(parsed),
            Err(error) => absent.add(&unit.title(), error)?,
        }
    }
    // One document may hold several plans.
    absent.are_several |= inputs.len() > 1;
    Ok(inputs)
}

/// The plans of a document: one, or several with one on each line.
fn inputs_of<'d>(
    unit: &Unit,
    document: &'d Document,
    settings: &Settings,
    host: &Host,
) -> anyhow::Result<Vec<Input<'d>>> {
    let name = document.source().to_string();
    let plans = plans(document, host)?;
    let several = plans.len() > 1;
    let mut inputs = Vec::with_capacity(plans.len());
    for (at, (text, plan)) in plans.into_iter().enumerate() {
        refuse_unsupported(&plan.format_version, document)?;
        require_plan(document, text, host)?;
        let numbered = |name: &str| if several { format!("{name}:{}", at + 1) } else { name.to_owned() };
        let cached = Cached::for_plan(&plan, settings, host);
        inputs.push(Input {
            name: numbered(&name),
            unit: unit.name.as_deref().map(numbered),
            text,
            plan,
            cached,
            tool: document.tool,
            snapshot: document.configuration.as_ref(),
        });
    }
    Ok(inputs)
}

/// The plans of a document, each with its text. There is only one unless other text follows it.
fn plans<'d>(document: &'d Document, host: &Host) -> anyhow::Result<Vec<(&'d str, Plan<'d>)>> {
    let text = document.text();
    match Plan::parse_with_configuration(text) {
        Ok(plan) => return Ok(vec![(text, plan)]),
        Err(error) if error.kind == ErrorKind::TrailingData => {}
        Err(error) => return Err(document.fault(&error)),
    }
    let parts = document.split(host)?;
    let count = parts.len();
    let read = |(at, part): (usize, Range<usize>)| {
        let text = document.part(&part);
        require_plan(document, text, host)?;
        match Plan::parse_with_configuration(text) {
            Ok(plan) => Ok((text, plan)),
            Err(error) => {
                let error = document.fault_in(part, &error);
                Err(if count > 1 { error.context(format!("plan {} of {count}", at + 1)) } else { error })
            }
        }
    };
    parts.into_iter().enumerate().map(read).collect()
}

/// Writes the notes about stored schemas.
pub(super) fn note_cached(inputs: &[Input<'_>], host: &Host) {
    inputs.iter().for_each(|input| input.cached.note(host));
}

/// What a review keeps of a plan.
#[derive(Debug, Default)]
pub(super) struct Room {
    arena: Bump,
    storage: Storage,
}

/// How plans are reviewed.
pub(super) struct Request<'a> {
    pub(super) read: ReadOptions<'a>,
    pub(super) schema_files: &'a [Document],
    pub(super) settings: &'a Settings,
    /// Whether to make the tools' texts of the changes.
    pub(super) makes_page: bool,
    pub(super) shows_unchanged: bool,
}

/// A plan, and the space for its review, which the thread that makes it takes.
/// Reviews all plans. The texts are those for a page, if they are made; the numbers are the indices of the plans.
pub(super) fn review<'a>(
    inputs: &'a [Input<'a>],
    rooms: &'a mut [Room],
    request: &Request<'a>,
    absent: &mut Absent,
) -> anyhow::Result<(Vec<PlanReview<'a>>, Vec<PlanTexts>, Vec<usize>)> {
    // Errors in schema files are reported before errors in plans.
    schemas::add(&mut Schemas::new(), request.schema_files)?;
    let tasks = inputs.iter().zip(rooms).collect();
    let schemas = || {
        let mut schemas = Schemas::new();
        let added = schemas::add(&mut schemas, request.schema_files);
        let given = schemas.providers();
        added.map(|()| (schemas, given)).map_err(|error| chain(&error))
    };
    let (mut reviews, mut texts, mut places) = (Vec::with_capacity(inputs.len()), Vec::new(), Vec::new());
    let mut rest = inputs.iter().enumerate();
    in_order(
        tasks,
        schemas,
        |schemas, (input, room)| {
            let (schemas, given) = schemas.as_mut().map_err(|error| anyhow!("{error}"))?;
            // Schemas in a plan, and stored ones, apply only to that plan.
            schemas.truncate(*given);
            review_one(input, room, schemas, request)
        },
        |made| {
            let input = rest.next();
            match made {
                Ok((review, text)) => {
                    reviews.push(review);
                    places.extend(input.map(|(at, _)| at));
                    texts.extend(text);
                }
                Err(error) => {
                    let name = input.map(|(_, input)| input.unit.as_deref().unwrap_or(&input.name));
                    absent.add(name.unwrap_or_default(), error)?;
                }
            }
            Ok::<(), anyhow::Error>(())
        },
    )?;
    Ok((reviews, texts, places))
}

fn review_one<'a>(
    input: &'a Input<'a>,
    room: &'a mut Room,
    schemas: &mut Schemas<'a>,
    request: &Request<'a>,
) -> anyhow::Result<(PlanReview<'a>, Option<PlanTexts>)> {
    let Input { name, unit, text, plan, cached, tool, snapshot: _ } = input;
    let Request { read, schema_files, settings, .. } = request;
    let Room { arena, storage } = room;
    let arena: &'a Bump = arena;
    if let Some(brought) = plan.provider_schemas {
        let added = schemas.add_provider_schemas(brought);
        added.map_err(|error| anyhow!("cannot read the schemas embedded in {name}: {error}"))?;
    }
    // The cache of a machine must not affect a fingerprint.
    let basis = Basis { schemas: !schema_files.is_empty(), sensitive: false };
    let fingerprint = Fingerprint::new(plan, schemas, basis, arena)
        .map_err(|error| anyhow!("cannot read the plan {name}: {error}"))?;
    cached.add_to(schemas);
    let mut texts = None;
    if request.makes_page {
        // Before the review: the values of both would take much memory.
        let otherwise = || tool.or_else(|| schemas::tool(schema_files));
        let text_options = plan_options(plan, settings, otherwise);
        let made = show::plan_texts(plan, schemas, &text_options, request.shows_unchanged, arena);
        texts = Some(made.with_context(|| format!("cannot read the plan {name}"))?);
    }
    let read = ReadOptions { unit: unit.as_deref(), ..*read };
    let mut review = PlanReview::new(name, text, plan, schemas, read, arena, storage)
        .map_err(|error| anyhow!("cannot read the plan {name}: {error}"))?;
    // What a saved plan does not say depends on the schemas of this machine.
    if plan.saved_plan.is_none() {
        review.fingerprint = fingerprint.to_string();
    }
    Ok((review, texts))
}
