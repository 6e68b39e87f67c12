//! Runs `tfview schema`: lists, shows, searches, checks, compares and stores schemas.

mod select;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::slice::from_ref;
use std::{fs, io};

use anyhow::{Context, anyhow, bail, ensure};
use bumpalo::Bump;
use serde::Deserialize;

use super::args::{
    AddArgs, CheckArgs, CiChoice, DisplayArgs, ListArgs, SchemaCommand, SchemaDiffArgs, SearchArgs,
    ShowSchemaArgs, ViewArgs,
};
use super::input::{self, Document, Source};
use super::messages::{ErrorWithTip, with_tip};
use super::output::{WriteFailures, with_output};
use super::reader;
use super::settings::{Pager, Settings};
use super::values::SchemaFormat;
use super::{Host, Outcome, ci, schemas};
use crate::schema::SchemaKind;
use crate::schema::catalog::{Catalog, Entry};
use crate::schema::check::{FindingLevel, check};
use crate::schema::compare::{Severity, compare};
use crate::schema::{self, Error, Schemas};
use crate::schema_view::{self, Checked, PlacedFinding, Query, Selected, View};
use crate::term::Out;
use crate::term::ci::{Annotation, Annotations, Level, Place, harmless};
use crate::text::count;
use select::Selection;

/// Runs a subcommand of `tfview schema`.
pub(super) fn run(command: &SchemaCommand, host: &Host) -> anyhow::Result<Outcome> {
    match command {
        SchemaCommand::List(args) => list(args, host),
        SchemaCommand::Show(args) => show(args, host),
        SchemaCommand::Search(args) => search(args, host),
        SchemaCommand::Check(args) => check_files(args, host),
        SchemaCommand::Diff(args) => diff(args, host),
        SchemaCommand::Add(args) => add(args, host),
    }
}

/// Lists the schemas that the filter selects.
fn list(args: &ListArgs, host: &Host) -> anyhow::Result<Outcome> {
    let passes = select::filter(&args.filter)?;
    let settings = settings(&args.view, &args.source.schemas, None, host);
    let sources = Sources::find(&settings, &[], host)?;
    let mut entries = sources.entries(host)?;
    entries.retain(passes);
    let arena = Bump::new();
    let (documents, outcome) = documents(entries, &arena, host);
    if documents.is_empty() && outcome == Outcome::Fine {
        host.note("no schema matches the filter");
    }
    write(&*documents, &args.view, &settings, host, outcome)
}

/// Shows the schemas, or parts of them, that the arguments name.
fn show(args: &ShowSchemaArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = settings(&args.view, &args.source.schemas, None, host);
    let selection = args
        .names
        .iter()
        .map(|name| Selection::parse(name))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let names: Vec<&str> = selection.iter().map(|selection| &*selection.name).collect();
    let sources = Sources::find(&settings, &names, host)?;
    let entries = sources.entries(host)?;
    let arena = Bump::new();
    let mut documents = Vec::new();
    for selection in &selection {
        let (meant, others) = selection.entries(&entries)?;
        for entry in meant {
            let schema = entry
                .schema(&arena)
                .map_err(|error| anyhow!("cannot read a schema: {error}"))?;
            documents.push((
                selection,
                schema_view::Document {
                    entry: entry.clone(),
                    schema,
                },
            ));
        }
        if !others.is_empty() {
            let others = others
                .iter()
                .map(|kind| format!("{} ({}.{})", kind.noun(1), kind.word(), selection.name));
            host.note(&format!(
                "there is also: {}",
                others.collect::<Vec<_>>().join(", ")
            ));
        }
    }
    let mut selected = Vec::with_capacity(documents.len());
    for (selection, document) in &documents {
        selected.push(Selected {
            document,
            part: selection.part(&document.schema)?,
        });
    }
    write(&*selected, &args.view, &settings, host, Outcome::Fine)
}

/// Lists the parts of schemas whose names or descriptions have all words.
fn search(args: &SearchArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = settings(&args.view, &args.source.schemas, None, host);
    let query = Query::new(args.words.iter().map(String::as_str), args.names);
    ensure!(!query.is_empty(), "nothing to search for: name a word");
    let sources = Sources::find(&settings, &[], host)?;
    let arena = Bump::new();
    let (documents, outcome) = documents(sources.entries(host)?, &arena, host);
    let hits = query.search(&documents);
    if hits.is_empty() {
        host.note("nothing was found");
    }
    write(&*hits, &args.view, &settings, host, outcome)
}

/// Checks Provider Code Specifications. The outcome is a failure if a file has errors or, with `--strict`, warnings.
fn check_files(args: &CheckArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = settings(&args.view, &[], args.ci, host);
    let mut all = Vec::new();
    for file in &args.files {
        // This is the text of the file itself, so that positions are those in an editor.
        let (name, text) = input::read_text(&Source::new(Some(file), host)?, host)?;
        let findings = check(&text);
        all.push(Checked::new(name, &text, findings));
    }
    let findings = || {
        all.iter()
            .flat_map(|file| file.findings.iter().map(move |found| (&file.file, found)))
    };
    let fails =
        findings().any(|(_, found)| args.strict || found.finding.level == FindingLevel::Error);
    if let Some(system) = settings.requested_ci {
        let mut annotations = Annotations::new(system);
        for (
            file,
            PlacedFinding {
                finding,
                line,
                column,
            },
        ) in findings()
        {
            let hint = if finding.hint.is_empty() {
                String::new()
            } else {
                format!("; {}", finding.hint)
            };
            annotations.add(Annotation {
                level: match finding.level {
                    FindingLevel::Error => Level::Error,
                    FindingLevel::Warning => Level::Warning,
                },
                title: if finding.path.is_empty() {
                    file
                } else {
                    &finding.path
                }
                .clone(),
                message: format!("{}{hint}", finding.problem),
                place: Some(Place {
                    file: file.clone(),
                    line: *line,
                    column: *column,
                }),
            });
        }
        ci::annotate(&annotations, &mut io::stderr())?;
    }
    write(
        &*all,
        &args.view,
        &settings,
        host,
        if fails {
            Outcome::Failed
        } else {
            Outcome::Fine
        },
    )
}

/// Compares the schemas in two files.
fn diff(args: &SchemaDiffArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = settings(&args.view, &[], None, host);
    let (old, new) = (
        Sources::files(from_ref(&args.old), host)?,
        Sources::files(from_ref(&args.new), host)?,
    );
    let arena = Bump::new();
    let changes = compare(&old.entries(host)?, &new.entries(host)?, &arena)
        .map_err(|error| anyhow!("comparing the schemas: {error}"))?;
    let shut = args.fail_on.map_or(0, |worst| {
        changes
            .iter()
            .filter(|change| change.severity <= worst)
            .count()
    });
    let outcome = if shut > 0 {
        Outcome::Gate
    } else {
        Outcome::Fine
    };
    let outcome = write(&*changes, &args.view, &settings, host, outcome)?;
    if let Some(worst) = args.fail_on.filter(|_| shut > 0) {
        let word = if worst == Severity::Fine {
            "any"
        } else {
            worst.word()
        };
        host.error(&format!("--fail-on {word}: {}", count(shut, "change")));
    }
    Ok(outcome)
}

/// Resolves the settings of a subcommand.
fn settings(view: &ViewArgs, schemas: &[PathBuf], ci: Option<CiChoice>, host: &Host) -> Settings {
    let style = view.style.clone();
    let display = DisplayArgs {
        schemas: schemas.to_vec(),
        style,
        ci,
        ..DisplayArgs::default()
    };
    Settings::resolve(&display, &host.environment, host.terminal)
}

/// Parses the schemas of entries. Malformed ones are reported and left out, and the outcome is then a failure.
fn documents<'a>(
    entries: Vec<Entry<'a>>,
    arena: &'a Bump,
    host: &Host,
) -> (Vec<schema_view::Document<'a>>, Outcome) {
    let mut problems = Vec::new();
    let mut documents = Vec::with_capacity(entries.len());
    for entry in entries {
        match entry.schema(arena) {
            Ok(schema) => documents.push(schema_view::Document { entry, schema }),
            Err(error) => problems.push(error),
        }
    }
    let Some(first) = problems.first() else {
        return (documents, Outcome::Fine);
    };
    host.error(&format!(
        "{} cannot be read: {first}",
        count(problems.len(), "schema")
    ));
    (documents, Outcome::Failed)
}

/// Writes a view, and returns the outcome, which was decided before. A closed pipe does not change it.
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
                let text = if settings.ci.is_some() {
                    harmless(&text)
                } else {
                    text
                };
                sink.write_all(text.as_bytes())?;
            }
            SchemaFormat::Json => sink.write_all(shown.json()?.as_bytes())?,
        }
        Ok(sink.flush()?)
    })
    .context("writing the schemas")?;
    Ok(failures.conclude(outcome, host))
}

/// The documents that schemas are read from.
struct Sources {
    /// The documents in files.
    files: Vec<Document>,
    /// The texts that are not from files, and what they are, for errors.
    others: (&'static str, Vec<String>),
}

impl Sources {
    /// Reads the schemas in files.
    ///
    /// # Errors
    /// If a file cannot be read.
    fn files(files: &[PathBuf], host: &Host) -> anyhow::Result<Self> {
        let files = files
            .iter()
            .map(|file| input::read(Source::new(Some(file), host)?, host));
        Ok(Self {
            files: files.collect::<anyhow::Result<_>>()?,
            others: ("", Vec::new()),
        })
    }

    fn texts(what: &'static str, texts: Vec<String>) -> Self {
        Self {
            files: Vec::new(),
            others: (what, texts),
        }
    }

    /// Finds the documents: the files that are named, otherwise the stored schemas, otherwise the built-in ones. Of the
    /// built-in schemas, only those of the types `names` are read if there is one for each of them.
    ///
    /// # Errors
    /// If a file cannot be read, or there are no schemas.
    fn find(settings: &Settings, names: &[&str], host: &Host) -> anyhow::Result<Self> {
        if !settings.schemas.is_empty() {
            return Self::files(&settings.schemas, host);
        }
        ensure!(
            settings.cached_schemas,
            ErrorWithTip::new(
                "there are no schemas to read",
                "name a file that `tofu providers schema -json` wrote with --schemas, or keep schemas with \
                 `tfview schema add`"
            )
        );
        let stored = schemas::folder(host)
            .map(|folder| schemas::all_stored(&folder, host))
            .unwrap_or_default();
        if !stored.is_empty() {
            return Ok(Self::texts("stored schemas", stored));
        }
        host.note(&with_tip(
            "these are the built-in schemas, without descriptions",
            "for your providers: `terraform providers schema -json | tfview schema add -`",
        ));
        let is_enough = !names.is_empty() && names.iter().all(|name| schema::has_built_in(name));
        let text = schema::built_in_document(is_enough.then_some(names));
        Ok(Self::texts("built-in schemas", vec![text]))
    }

    /// Indexes the schemas in all documents.
    ///
    /// # Errors
    /// If a document does not have schemas.
    fn entries(&self, host: &Host) -> anyhow::Result<Vec<Entry<'_>>> {
        let mut catalog = Catalog::new();
        for file in &self.files {
            catalog.add(file.text()).map_err(|error| match error {
                Error::Json(error) => file.fault(&error),
                Error::NotASchema(_) | Error::Version(_) | Error::Shape { .. } => {
                    anyhow!("cannot read {}: {error}", file.source())
                }
            })?;
        }
        let (what, texts) = &self.others;
        for text in texts {
            catalog
                .add(text)
                .map_err(|error| anyhow!("cannot read the {what}: {error}"))?;
        }
        if let [first, rest @ ..] = catalog.unknown() {
            let more = if rest.is_empty() {
                String::new()
            } else {
                format!(" and {} more", rest.len())
            };
            host.note(&format!(
                "ignored {first}{more}: this version of tfview does not know this kind of schema"
            ));
        }
        Ok(catalog.into_entries())
    }

    /// Checks that no schema is malformed, so that none is stored.
    ///
    /// # Errors
    /// The first error of a schema.
    fn check(&self, entries: &[Entry<'_>]) -> Result<(), Error> {
        let arena = Bump::new();
        let mut schemas = Schemas::new();
        for text in self
            .files
            .iter()
            .map(Document::text)
            .chain(self.others.1.iter().map(String::as_str))
        {
            schemas.add(text)?;
        }
        for entry in entries {
            entry.schema(&arena)?;
            if let Some(mode) = entry.kind.mode() {
                schemas.resource(&entry.provider, mode, &entry.name, &arena)?;
            }
        }
        Ok(())
    }
}

/// Stores the schemas in files, or those of the configuration in the working directory.
fn add(args: &AddArgs, host: &Host) -> anyhow::Result<Outcome> {
    let (sources, versions) = if args.files.is_empty() {
        of_configuration(host)?
    } else {
        (Sources::files(&args.files, host)?, BTreeMap::new())
    };
    let entries = sources.entries(host)?;
    ensure!(
        !entries.is_empty(),
        ErrorWithTip::new(
            "no schemas were found",
            "`tofu init` installs the providers"
        )
    );
    sources
        .check(&entries)
        .map_err(|error| anyhow!("cannot read the schemas: {error}"))?;
    let folder = schemas::folder(host).context(
        "there is no data directory: set XDG_DATA_HOME, or HOME, to a folder that can be written to",
    )?;
    for entries in entries.chunk_by(|a, b| a.provider == b.provider) {
        let Some(Entry { provider, .. }) = entries.first() else {
            continue;
        };
        let version = versions.get(&**provider).map(String::as_str);
        schemas::add_stored(&folder, provider, entries, version, host)?;
        let version = version.map_or_else(String::new, |version| format!(" {version}"));
        let counted = entries
            .iter()
            .filter(|entry| entry.kind != SchemaKind::Provider);
        let counts = match &*schema_view::counts(&counted) {
            "" => "its own configuration".to_owned(),
            counts => counts.to_owned(),
        };
        host.say(&format!("added {provider}{version}: {counts}"));
    }
    Ok(Outcome::Fine)
}

/// Runs the tool for the schemas of the configuration in the working directory, and for the versions of its providers,
/// which are not in the schemas.
///
/// # Errors
/// If there is no configuration, or the tool is missing or fails.
fn of_configuration(host: &Host) -> anyhow::Result<(Sources, BTreeMap<String, String>)> {
    /// The part of the tool's answer that is read.
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Versions {
        provider_selections: BTreeMap<String, String>,
    }
    /// The ends of the names of files that a configuration consists of.
    const ENDINGS: [&str; 5] = [
        ".tf",
        ".tofu",
        ".tf.json",
        ".tofu.json",
        ".terraform.lock.hcl",
    ];
    let mut names = fs::read_dir(".")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name());
    ensure!(
        names.any(|name| ENDINGS
            .iter()
            .any(|ending| name.to_string_lossy().ends_with(ending))),
        ErrorWithTip::new(
            "there is no configuration in this folder",
            "name files that `providers schema -json` wrote"
        )
    );
    let tool = reader::tool(&host.environment)?;
    let named = tool.to_string_lossy().into_owned();
    host.note(&format!("running `{named} providers schema -json`"));
    let output = host
        .processes
        .capture(Command::new(&tool).args(["providers", "schema", "-json"]))
        .with_context(|| format!("running `{named} providers schema -json`"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!(ErrorWithTip::new(
            format!(
                "`{named} providers schema -json` failed ({}): {}",
                output.status,
                said.trim()
            ),
            format!("`{named} init` installs the providers")
        ));
    }
    /// The words for the output in errors.
    const WHAT: &str = "output of `providers schema -json`";
    let text =
        String::from_utf8(output.stdout).with_context(|| format!("cannot read the {WHAT}"))?;
    let versions = host
        .processes
        .capture(Command::new(&tool).args(["version", "-json"]))
        .ok();
    let versions =
        versions.and_then(|output| serde_json::from_slice::<Versions>(&output.stdout).ok());
    Ok((
        Sources::texts(WHAT, vec![text]),
        versions.unwrap_or_default().provider_selections,
    ))
}
