//! Runs `tfview browse`: reads and reviews or compares what is browsed.

use std::cell::OnceCell;
use std::path::Path;

use bumpalo::Bump;

use super::diff::{View, compare_files};
use super::review::note_configuration;
use super::reviews::{self, Request, places};
use super::{Absent, Input, Setup};
use crate::browse::Details;
use crate::cli::args::{BrowseArgs, DiffArgs};
use crate::cli::browse::{
    self, OnlyLines, PartDetails, PartInput, PlanDetails, browse_state, outcome, require_terminal,
    walk,
};
use crate::cli::config::Config;
use crate::cli::input::Document;
use crate::cli::kind::{self, DocumentKind};
use crate::cli::reader::Reader;
use crate::cli::settings::Settings;
use crate::cli::show::plan_options;
use crate::cli::source::SourceTree;
use crate::cli::units::Unit;
use crate::cli::{Host, Outcome, schemas};
use crate::document::ReviewArena;
use crate::report::Report;
use crate::review::build::{PlanContext, ReadOptions};
use crate::review::{Filter, Options, formats};
use crate::schema::Schemas;

/// Browses the documents of the arguments: plans, a single state, or the comparison of two documents.
pub(in crate::cli) fn run(args: &BrowseArgs, host: &Host) -> anyhow::Result<Outcome> {
    require_terminal(host)?;
    if args.files.len() == 2 {
        let of_comparison = DiffArgs {
            display: args.display.clone(),
            files: args.files.clone(),
            ..DiffArgs::default()
        };
        return compare_files(&of_comparison, View::Browser(show_comparison), host);
    }
    let setup = Setup::read(&args.display, &args.config, host)?;
    let reader = setup.reader();
    let units = setup.find(&args.files, &args.units, &args.report)?;
    let (documents, absent) = super::read(units, reader)?;
    if let [(_, document)] = &*documents
        && !absent.are_several
        && kind::detect(document.text()).is_ok_and(|kind| kind == DocumentKind::State)
    {
        return browse_state(document, reader);
    }
    let options = options(args, setup.config.as_ref(), host);
    let read = setup.read_options();
    let source = args.source.as_deref();
    plans(&documents, absent, read, reader, &options, source)
}

/// Makes the options of the review that is browsed.
fn options(args: &BrowseArgs, config: Option<&Config>, host: &Host) -> Options {
    let ignore = config.map_or(&[][..], |config| &config.ignore);
    let text = config.map(|config| config.text).unwrap_or_default();
    Options {
        filter: Filter {
            ignored: ignore.to_vec(),
            ..args.selection.filter()
        },
        width: browse::WIDTH,
        wraps: true,
        context: text.context,
        // A list can be scrolled, so all of it is listed.
        all_drift: true,
        config: config.map(|config| config.name.clone()),
        now: Some(host.now()),
        ..Options::default()
    }
}

/// Reviews plans, and browses them.
fn plans(
    documents: &[(Unit, Document)],
    mut absent: Absent,
    read: ReadOptions<'_>,
    reader: Reader<'_>,
    options: &Options,
    source: Option<&Path>,
) -> anyhow::Result<Outcome> {
    let Reader {
        settings,
        host,
        schema_files,
    } = reader;
    let arena = Bump::new();
    let inputs = super::parse(documents, &mut absent, reader)?;
    for input in &inputs {
        note_configuration(input, host);
        input.stored_schemas.note(host);
    }
    let request = Request {
        read: ReadOptions {
            filter: Some(&options.filter),
            ..read
        },
        reader,
        makes_page: false,
        makes_fingerprint: false,
        shows_unchanged: false,
        places_from_plan: source.is_none(),
    };
    let mut review_arenas: Vec<ReviewArena> =
        inputs.iter().map(|_| ReviewArena::default()).collect();
    let mut tree = source
        .map(|directory| SourceTree::open(directory, host))
        .transpose()?;
    let context = inputs.iter().map(|input| PlanContext {
        places: tree.as_mut().map(|tree| places(&input.document.plan, tree)),
        ..PlanContext::default()
    });
    let context = context.collect();
    let (reviews, _) =
        reviews::review(&inputs, context, &mut review_arenas, &request, &mut absent)?;
    let options = Options {
        absent: absent.units,
        ..options.clone()
    };
    let report = formats::document(&reviews, &options);
    // A plan that cannot be reviewed is a unit without a review, so the reviews are matched by name.
    let mut rest = inputs.iter();
    let reviewed: Vec<&Input<'_>> = reviews
        .iter()
        .filter_map(|review| rest.find(|input| input.name == review.name))
        .collect();
    let schemas: Vec<OnceCell<Schemas<'_>>> = reviewed.iter().map(|_| OnceCell::new()).collect();
    let parts = reviewed.into_iter().zip(&reviews).zip(&schemas);
    let parts = parts.map(|((input, review), cell)| {
        let Input { document, tool, .. } = input;
        let otherwise = || tool.or_else(|| schemas::tool(schema_files));
        let read = move || match cell.get() {
            Some(known) => Ok(known),
            None => {
                let read = input.schemas(schema_files)?;
                Ok(cell.get_or_init(|| read))
            }
        };
        PartDetails::new(PartInput {
            document,
            review,
            options: plan_options(&document.plan, settings, otherwise),
            schemas: Box::new(read),
        })
    });
    let details = PlanDetails {
        parts: parts.collect(),
        has_source: source.is_some(),
        shows_sensitive: settings.show_sensitive,
        arena: &arena,
        host,
    };
    show(&report, &details, settings, host)
}

fn show(
    report: &Report<'_>,
    details: &dyn Details,
    settings: &Settings,
    host: &Host,
) -> anyhow::Result<Outcome> {
    walk(report, details, false, settings, host).map(outcome)
}

/// Browses the comparison of two documents.
fn show_comparison(
    report: &Report<'_>,
    settings: &Settings,
    host: &Host,
) -> anyhow::Result<Outcome> {
    show(report, &OnlyLines, settings, host)
}
