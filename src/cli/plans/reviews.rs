//! Reviews plans in parallel, and ties the results of other tools (`--with`) to them.
//!
//! Invariant: reviews are in the order of the plans, whatever the number of threads.

use anyhow::{Context, anyhow};
use bumpalo::Bump;

use super::{Absent, Input};
use crate::cli::messages::{ErrorWithTip, chain};
use crate::cli::reader::Reader;
use crate::cli::schemas;
use crate::cli::show::plan_options;
use crate::cli::source::{SourceLines, SourceTree};
use crate::diff::Error;
use crate::diff::edits::{self, PlanPart};
use crate::diff::parallel::in_order;
use crate::document::ReviewArena;
use crate::model::plan::{Plan, PriorState};
use crate::render::PlanTexts;
use crate::review::build::{Places, PlanContext, ReadOptions, ReviewInputs};
use crate::review::entry::PlacedObject;
use crate::review::plan::PlanReview;
use crate::schema::Schemas;
use crate::with::tie::{self, KnownResources, PlanToTie, Tied};
use crate::{show, with};

/// The request for reviews, with what is the same for all plans.
pub(super) struct Request<'a> {
    /// The options on what is read of the plans.
    pub(super) read: ReadOptions<'a>,
    /// The reader of the documents.
    pub(super) reader: Reader<'a>,
    /// Whether a page is made, for which the tool's texts are made too.
    pub(super) makes_page: bool,
    /// Whether fingerprints are made. Making one hashes the whole plan, and few formats have it.
    pub(super) makes_fingerprint: bool,
    /// Whether the tool's texts show unchanged values.
    pub(super) shows_unchanged: bool,
    /// Whether the lines of resources are taken from the configuration in a saved plan.
    pub(super) places_from_plan: bool,
}

/// Reviews all plans, each with its context. The second result has the tool's texts if a page is made, and is otherwise
/// empty.
///
/// # Errors
/// If schemas or the only plan cannot be read.
pub(super) fn review<'a>(
    inputs: &'a [Input<'a>],
    context: Vec<PlanContext<'a>>,
    review_arenas: &'a mut [ReviewArena],
    request: &Request<'a>,
    absent: &mut Absent,
) -> anyhow::Result<(Vec<PlanReview<'a>>, Vec<PlanTexts>)> {
    let files = request.reader.schema_files;
    // Errors in schema files are reported before errors in plans.
    schemas::add(&mut Schemas::new(), files)?;
    let tasks = inputs.iter().zip(review_arenas).zip(context).collect();
    let given = || {
        let mut schemas = Schemas::new();
        let added = schemas::add(&mut schemas, files);
        let given = schemas.providers();
        added
            .map(|()| (schemas, given))
            .map_err(|error| chain(&error))
    };
    let (mut reviews, mut texts) = (Vec::with_capacity(inputs.len()), Vec::new());
    let mut rest = inputs.iter();
    in_order(
        tasks,
        given,
        |schemas, ((input, review_arena), context)| {
            let (schemas, given) = schemas.as_mut().map_err(|error| anyhow!("{error}"))?;
            // Schemas in a plan and stored schemas apply only to that plan, so those of the plan before are removed.
            schemas.truncate(*given);
            review_one(input, context, review_arena, schemas, request)
        },
        |made| {
            let name = rest
                .next()
                .map(|input| input.unit.as_deref().unwrap_or(&input.name));
            if let Some((review, text)) = absent.keep(name.unwrap_or_default(), made)? {
                reviews.push(review);
                texts.extend(text);
            }
            Ok::<(), anyhow::Error>(())
        },
    )?;
    Ok((reviews, texts))
}

/// Reviews one plan. Makes the tool's texts too if a page is made.
fn review_one<'a>(
    input: &'a Input<'a>,
    context: PlanContext<'a>,
    review_arena: &'a mut ReviewArena,
    schemas: &mut Schemas<'a>,
    request: &Request<'a>,
) -> anyhow::Result<(PlanReview<'a>, Option<PlanTexts>)> {
    let Input {
        name,
        unit,
        document,
        stored_schemas,
        tool,
        snapshot,
    } = input;
    let plan = &document.plan;
    let Reader {
        schema_files,
        settings,
        host,
    } = request.reader;
    let ReviewArena { arena, storage } = review_arena;
    let arena: &'a Bump = arena;
    let read = |error: Error| anyhow!("cannot read {name}: {error}");
    schemas::add_embedded(schemas, plan.provider_schemas, name)?;
    // This is made without the schemas that this machine has stored.
    let made = document
        .context(
            schemas,
            !schema_files.is_empty(),
            request.makes_fingerprint,
            arena,
        )
        .map_err(read)?;
    stored_schemas.add_to(schemas);
    let mut texts = None;
    if request.makes_page {
        // This is done before the review, because the values of both together would take much memory.
        let otherwise = || tool.or_else(|| schemas::tool(schema_files));
        let text_options = plan_options(plan, settings, otherwise);
        let made = show::plan_texts(plan, schemas, &text_options, request.shows_unchanged, arena);
        texts = Some(made.with_context(|| format!("cannot read {name}"))?);
    }
    let places = context.places.or_else(|| {
        let snapshot = snapshot.filter(|_| request.places_from_plan)?;
        Some(places(plan, &mut SourceTree::of_saved_plan(snapshot, host)))
    });
    let inputs = ReviewInputs {
        unit: unit.as_deref(),
        options: request.read,
        context: PlanContext {
            places,
            results: context.results,
            ..made
        },
        ..ReviewInputs::new(name, document.text, plan, schemas)
    };
    let review = PlanReview::new(inputs, arena, storage).map_err(read)?;
    Ok((review, texts))
}

/// Finds where the objects that a plan changes are declared, and who owns these files.
pub(super) fn places(plan: &Plan<'_>, tree: &mut SourceTree<'_>) -> Places {
    let mut places = Places::new();
    for change in edits::parts(plan).filter_map(PlanPart::object) {
        let address = &*change.address;
        if places.contains_key(address) {
            continue;
        }
        if let Some(location) = tree.location_of(address) {
            let owners = tree.owners_of(&location);
            places.insert(address.to_owned(), PlacedObject { location, owners });
        }
    }
    places
}

/// Reads the results of other tools in files, given by names and texts, and ties them to plans. Returns the results of
/// each plan. Lines of files are looked up in `tree`.
///
/// # Errors
/// If a file is not the output of a known tool.
pub(super) fn tied<'a>(
    files: &'a [(String, String)],
    inputs: &[Input<'_>],
    tree: Option<&mut SourceTree<'_>>,
    arena: &'a Bump,
) -> anyhow::Result<Vec<Tied<'a>>> {
    if files.is_empty() {
        return Ok(inputs.iter().map(|_| Tied::default()).collect());
    }
    let (mut kept, mut results) = (0, Vec::with_capacity(files.len()));
    for (name, text) in files {
        let read = with::read(text, name, kept, arena).map_err(|error| {
            let tip = match error {
                Some(_) if text.trim().is_empty() => "the file is empty: did the tool fail?",
                Some(_) => "is the file complete?",
                None => {
                    "--with reads SARIF, and the JSON of Checkov, Trivy, conftest, Infracost and Terraform's policies"
                }
            };
            let error = error.map_or_else(
                || "not the output of a tool that `--with` can read".to_owned(),
                |error| format!("{error} at byte {}", error.offset),
            );
            ErrorWithTip::new(format!("cannot read {name} for --with: {error}"), tip)
        })?;
        kept += read.results.len();
        results.push(read);
    }
    // A prior state that cannot be read here is an error of the review.
    let priors = inputs.iter().map(|input| {
        input
            .document
            .plan
            .prior_state
            .and_then(|raw| raw.read().ok())
    });
    let priors: Vec<PriorState<'_>> = priors.map(Option::unwrap_or_default).collect();
    let all = || inputs.iter().zip(&priors);
    let plans = all().map(|(input, prior)| {
        PlanToTie::new(
            &input.name,
            input.document.text,
            KnownResources::new(resources(&input.document.plan, prior), arena),
        )
    });
    let mut plans: Vec<PlanToTie<'a, '_>> = plans.collect();
    match tree {
        Some(tree) => {
            let resources = all().flat_map(|(input, prior)| resources(&input.document.plan, prior));
            let mut lines = SourceLines::new(tree, resources.map(|(address, ..)| address));
            tie::tie(results, &mut plans, &mut |file, line| {
                lines.blocks_at(file, line).to_vec()
            });
        }
        None => tie::tie(results, &mut plans, &mut |_, _| Vec::new()),
    }
    Ok(plans.into_iter().map(|plan| plan.tied).collect())
}

/// Returns the resources of a plan and the data sources of the state before it: address, type and name.
fn resources<'p>(
    plan: &'p Plan<'_>,
    prior: &'p PriorState<'_>,
) -> impl Iterator<Item = (&'p str, &'p str, &'p str)> {
    let changes = plan
        .changes()
        .map(|change| (&*change.address, &*change.resource_type, &*change.name));
    let mut read = Vec::new();
    let mut modules = vec![&prior.values.root_module];
    while let Some(module) = modules.pop() {
        let sources = module
            .resources
            .iter()
            .filter(|resource| &*resource.mode == "data");
        read.extend(sources.map(|data| (&*data.address, &*data.resource_type, &*data.name)));
        modules.extend(&module.child_modules);
    }
    changes.chain(read)
}
