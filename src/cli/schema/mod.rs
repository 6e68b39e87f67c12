//! `tfview schema`: lists, shows, searches, checks, compares and stores schemas.

mod select;
mod sources;

use std::io;
use std::path::PathBuf;
use std::slice::from_ref;

use anyhow::{Context, anyhow, ensure};
use bumpalo::Bump;

use super::args::{
    CheckArgs, CiChoice, DisplayArgs, ListArgs, SchemaCommand, SchemaDiffArgs, SearchArgs, ShowSchemaArgs,
    ViewArgs,
};
use super::input::{self, Source};
use super::output::{WriteFailures, with_output};
use super::settings::{Pager, Settings};
use super::values::SchemaFormat;
use super::{Host, Outcome, ci};
use crate::schema::catalog::Entry;
use crate::schema::check::{FindingLevel, check};
use crate::schema::compare::{Severity, compare};
use crate::schema_view::{Checked, Document, Query, Selected, View};
use crate::term::Out;
use crate::term::ci::{Annotation, Annotations, Level, Place, harmless};
use crate::text::count;
use select::Wanted;
use sources::Sources;

/// Runs the subcommand.
pub(super) fn run(command: &SchemaCommand, host: &Host) -> anyhow::Result<Outcome> {
    match command {
        SchemaCommand::List(args) => list(args, host),
        SchemaCommand::Show(args) => show(args, host),
        SchemaCommand::Search(args) => search(args, host),
        SchemaCommand::Check(args) => check_files(args, host),
        SchemaCommand::Diff(args) => diff(args, host),
        SchemaCommand::Add(args) => sources::add(args, host),
    }
}

/// `tfview schema list`
fn list(args: &ListArgs, host: &Host) -> anyhow::Result<Outcome> {
    let passes = select::filter(&args.filter)?;
    let settings = settings(&args.view, &args.source.schemas, None, host);
    let sources = Sources::find(&settings, &[], host)?;
    let mut entries = sources.entries(host)?;
    entries.retain(passes);
    let arena = Bump::new();
    let (documents, outcome) = documents(entries, &arena, host);
    if documents.is_empty() && outcome == Outcome::Fine {
        host.note("no schema passes this filter");
    }
    write(&*documents, &args.view, &settings, host, outcome)
}

/// `tfview schema show`
fn show(args: &ShowSchemaArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = settings(&args.view, &args.source.schemas, None, host);
    let wanted = args.names.iter().map(|name| Wanted::parse(name)).collect::<anyhow::Result<Vec<_>>>()?;
    let names: Vec<&str> = wanted.iter().map(|wanted| &*wanted.name).collect();
    let sources = Sources::find(&settings, &names, host)?;
    let entries = sources.entries(host)?;
    let arena = Bump::new();
    let mut found = Vec::new();
    for wanted in &wanted {
        let (meant, others) = wanted.entries(&entries)?;
        for entry in meant {
            let schema = entry.schema(&arena).map_err(|error| anyhow!("cannot read a schema: {error}"))?;
            found.push((wanted, Document { entry: entry.clone(), schema }));
        }
        if !others.is_empty() {
            let others =
                others.iter().map(|kind| format!("{} ({}.{})", kind.noun(1), kind.word(), wanted.name));
            host.note(&format!("there is also: {}", others.collect::<Vec<_>>().join(", ")));
        }
    }
    let mut selected = Vec::with_capacity(found.len());
    for (wanted, document) in &found {
        selected.push(Selected { document, part: wanted.part(&document.schema)? });
    }
    write(&*selected, &args.view, &settings, host, Outcome::Fine)
}

/// `tfview schema search`
fn search(args: &SearchArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = settings(&args.view, &args.source.schemas, None, host);
    let query = Query::new(args.words.iter().map(String::as_str), args.names);
    ensure!(!query.is_empty(), "nothing to search for: name a word");
    let sources = Sources::find(&settings, &[], host)?;
    let arena = Bump::new();
    let (documents, outcome) = documents(sources.entries(host)?, &arena, host);
    let found = query.search(&documents);
    if found.is_empty() {
        host.note("nothing was found");
    }
    write(&*found, &args.view, &settings, host, outcome)
}

/// `tfview schema check`. Fails if a file has errors.
fn check_files(args: &CheckArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = settings(&args.view, &[], args.ci, host);
    let mut all = Vec::new();
    for file in &args.files {
        // The text of the file itself, so that positions are those in an editor.
        let (name, text) = input::read_text(&Source::new(Some(file), host)?, host)?;
        let findings = check(&text);
        all.push(Checked::new(name, &text, findings));
    }
    let findings = || all.iter().flat_map(|file| file.findings.iter().map(move |found| (&file.file, found)));
    let fails = findings().any(|(_, (finding, ..))| args.strict || finding.level == FindingLevel::Error);
    if let Some(system) = settings.requested_ci {
        let mut annotations = Annotations::new(system);
        for (file, (finding, line, column)) in findings() {
            let hint = if finding.hint.is_empty() { String::new() } else { format!("; {}", finding.hint) };
            annotations.add(Annotation {
                level: match finding.level {
                    FindingLevel::Error => Level::Error,
                    FindingLevel::Warning => Level::Warning,
                },
                title: if finding.path.is_empty() { file } else { &finding.path }.clone(),
                message: format!("{}{hint}", finding.problem),
                place: Some(Place { file: file.clone(), line: *line, column: *column }),
            });
        }
        ci::annotate(&annotations, &mut io::stderr())?;
    }
    write(&*all, &args.view, &settings, host, if fails { Outcome::Failed } else { Outcome::Fine })
}

/// `tfview schema diff`. The gate is decided before anything is written.
fn diff(args: &SchemaDiffArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = settings(&args.view, &[], None, host);
    let (old, new) = (Sources::files(from_ref(&args.old), host)?, Sources::files(from_ref(&args.new), host)?);
    let arena = Bump::new();
    let changes = compare(&old.entries(host)?, &new.entries(host)?, &arena)
        .map_err(|error| anyhow!("comparing the schemas: {error}"))?;
    let shut =
        args.fail_on.map_or(0, |worst| changes.iter().filter(|change| change.severity <= worst).count());
    let outcome = if shut > 0 { Outcome::Gate } else { Outcome::Fine };
    let outcome = write(&*changes, &args.view, &settings, host, outcome)?;
    if let Some(worst) = args.fail_on.filter(|_| shut > 0) {
        let word = if worst == Severity::Fine { "any" } else { worst.word() };
        host.error(&format!("--fail-on {word}: {}", count(shut, "change")));
    }
    Ok(outcome)
}

fn settings(view: &ViewArgs, schemas: &[PathBuf], ci: Option<CiChoice>, host: &Host) -> Settings {
    let style = view.style.clone();
    let display = DisplayArgs { schemas: schemas.to_vec(), style, ci, ..DisplayArgs::default() };
    Settings::resolve(&display, &host.environment, host.terminal)
}

/// Parses the schemas of entries. The outcome is a failure if some are malformed, which are left out.
fn documents<'a>(entries: Vec<Entry<'a>>, arena: &'a Bump, host: &Host) -> (Vec<Document<'a>>, Outcome) {
    let mut problems = Vec::new();
    let mut documents = Vec::with_capacity(entries.len());
    for entry in entries {
        match entry.schema(arena) {
            Ok(schema) => documents.push(Document { entry, schema }),
            Err(error) => problems.push(error),
        }
    }
    let Some(first) = problems.first() else { return (documents, Outcome::Fine) };
    host.error(&format!("{} cannot be read: {first}", count(problems.len(), "schema")));
    (documents, Outcome::Failed)
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
