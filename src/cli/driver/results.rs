//! The results of a run, written after it: the page, annotations, the summary for the CI system, the report
//! of tests.
//!
//! Invariant: the page and the report are written even if the other one cannot be.

use std::fs;
use std::io::Write;

use anyhow::Context;

use crate::cli::args::RunDisplayArgs;
use crate::cli::documents::Files;
use crate::cli::message::chain;
use crate::cli::{ci, page};
use crate::stream::{Ending, RunPage, junit, junit_of_units};
use crate::term::ci::Annotations;

/// Writes the results of a run; `is_whole` if the display lasted until its end. The inner error is that of a file,
/// which does not fail the display.
pub(super) fn write(
    ending: &Ending,
    is_whole: bool,
    args: &RunDisplayArgs,
    documents: &Files<'_>,
    stderr: &mut dyn Write,
) -> anyhow::Result<Option<anyhow::Error>> {
    let page = if args.out.is_empty() { Ok(()) } else { write_pages(ending, is_whole, args, documents) };
    annotate(ending, documents, stderr)?;
    Ok(report(ending, args).and(page).err())
}

fn write_pages(
    ending: &Ending,
    is_whole: bool,
    args: &RunDisplayArgs,
    documents: &Files<'_>,
) -> anyhow::Result<()> {
    let timeline = ending.timeline.as_ref();
    let mut notes = Vec::new();
    if timeline.is_some() && !is_whole {
        notes.push("tfview failed while it showed this run: this page may not have all of it.".to_owned());
    }
    let review = documents.plan_review().unwrap_or_else(|error| {
        notes.push(format!("The plan cannot be reviewed here: {}", chain(&error)));
        None
    });
    let (runs, shows_sensitive) = (&*ending.runs, documents.settings.show_sensitive);
    let page = RunPage { timeline, runs, review: review.as_ref(), notes: &notes, shows_sensitive };
    // If a file cannot be written, the others still are.
    let written: Vec<anyhow::Result<()>> = args.out.iter().map(|out| page::write(out, &page)).collect();
    written.into_iter().collect()
}

fn annotate(ending: &Ending, documents: &Files<'_>, stderr: &mut dyn Write) -> anyhow::Result<()> {
    let Some(system) = documents.settings.requested_ci else { return Ok(()) };
    match &ending.annotations {
        Some(annotations) => ci::annotate(annotations, stderr)?,
        // The display failed before its end.
        None => ci::annotate(&Annotations::new(system), stderr)?,
    }
    if let Err(error) = ci::add_summary(Some(system), documents.host, || ci::run_summary(ending)) {
        documents.host.report(&error);
    }
    Ok(())
}

fn report(ending: &Ending, args: &RunDisplayArgs) -> anyhow::Result<()> {
    let Some(path) = &args.junit else { return Ok(()) };
    let text = match &ending.report {
        _ if !ending.runs.is_empty() => junit_of_units(&ending.runs),
        Some(report) => junit(report, ending.failed),
        None => return Ok(()),
    };
    fs::write(path, text).with_context(|| format!("writing the report of --junit to {}", path.display()))
}
