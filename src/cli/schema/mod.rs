//! `tfview schema`: shows, checks, compares and caches schemas.

mod add;
mod check;
mod diff;
mod select;
mod source;
mod views;

use anyhow::Context;

use super::args::{SchemaArgs, SchemaCommand, ViewArgs};
use super::output::{WriteFailures, with_output};
use super::settings::{Pager, Settings};
use super::values::SchemaFormat;
use super::{Host, Outcome, ci};
use crate::schema_view::View;
use crate::term::Out;
use crate::term::ci::harmless;

/// Runs the subcommand.
pub(super) fn run(args: &SchemaArgs, host: &Host) -> anyhow::Result<Outcome> {
    match &args.command {
        SchemaCommand::List(args) => views::list(args, host),
        SchemaCommand::Show(args) => views::show(args, host),
        SchemaCommand::Search(args) => views::search(args, host),
        SchemaCommand::Check(args) => check::check(args, host),
        SchemaCommand::Diff(args) => diff::diff(args, host),
        SchemaCommand::Add(args) => add::add(args, host),
    }
}

/// Writes a view and returns the outcome that was decided before. A closed pipe does not change it.
fn write(
    shown: &(impl View + ?Sized),
    view: &ViewArgs,
    settings: &Settings,
    host: &Host,
    outcome: Outcome,
) -> anyhow::Result<Outcome> {
    let pager = match view.format {
        SchemaFormat::Text => Pager::resolve(view.pager, &host.environment, host.terminal),
        SchemaFormat::Markdown | SchemaFormat::Json => None,
    };
    let mut failures = WriteFailures::default();
    with_output(pager.as_ref(), host, &mut failures, |sink| {
        match view.format {
            SchemaFormat::Text => {
                let mut out = Out::new(sink, settings.colour).for_ci(ci::log(settings.ci, host));
                shown.text(&mut out, settings.width)?;
                out.flush()?;
            }
            SchemaFormat::Markdown => {
                let text = shown.markdown();
                let text = if settings.ci.is_some() { harmless(&text) } else { text };
                sink.write_all(text.as_bytes())?;
            }
            SchemaFormat::Json => sink.write_all(shown.json()?.as_bytes())?,
        }
        Ok(sink.flush()?)
    })
    .context("writing the schemas")?;
    Ok(failures.conclude(outcome, host))
}
