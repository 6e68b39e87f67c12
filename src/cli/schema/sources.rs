//! Where schemas come from, and `tfview schema add`, which stores those of files or of the configuration in the working
//! directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, anyhow, bail, ensure};
use bumpalo::Bump;
use serde::Deserialize;

use crate::cli::args::AddArgs;
use crate::cli::input::{self, Document, Source};
use crate::cli::settings::Settings;
use crate::cli::{Host, Outcome, cache};
use crate::schema::catalog::{Catalog, Entry, SchemaKind};
use crate::schema::{self, Error, Schemas};
use crate::schema_view;

/// The texts of schemas.
pub(super) struct Sources {
    files: Vec<Document>,
    /// Texts that are not of files, and what they are.
    others: (&'static str, Vec<String>),
}

impl Sources {
    /// Reads files; `-` is standard input.
    pub(super) fn files(files: &[PathBuf], host: &Host) -> anyhow::Result<Self> {
        let files = files.iter().map(|file| input::read(Source::new(Some(file), host)?, host));
        Ok(Self { files: files.collect::<anyhow::Result<_>>()?, others: ("", Vec::new()) })
    }

    fn texts(what: &'static str, texts: Vec<String>) -> Self {
        Self { files: Vec::new(), others: (what, texts) }
    }

    /// The texts named by the command line or the environment, otherwise those that are stored, otherwise the
    /// built-in schemas: all, or those of the types with these names if there are any.
    pub(super) fn find(settings: &Settings, names: &[&str], host: &Host) -> anyhow::Result<Self> {
        if !settings.schemas.is_empty() {
            return Self::files(&settings.schemas, host);
        }
        ensure!(
            settings.cached_schemas,
            "there are no schemas to read\n  tip: name a file that `tofu providers schema -json` wrote with --schemas, or \
             keep schemas with `tfview schema add`"
        );
        let stored = cache::all(host);
        if !stored.is_empty() {
            return Ok(Self::texts("stored schemas", stored));
        }
        host.note(
            "these are the built-in schemas, without descriptions\n  tip: for your providers: `terraform providers schema -json | tfview schema add -`",
        );
        let is_enough = !names.is_empty() && names.iter().all(|name| schema::has_built_in(name));
        let text = schema::built_in_document(is_enough.then_some(names));
        Ok(Self::texts("built-in schemas", vec![text]))
    }

    /// The schemas in them. Unknown parts are noted.
    pub(super) fn entries(&self, host: &Host) -> anyhow::Result<Vec<Entry<'_>>> {
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
            catalog.add(text).map_err(|error| anyhow!("cannot read the {what}: {error}"))?;
        }
        if let [first, rest @ ..] = catalog.unknown() {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            host.note(&format!("{first}{more}: not a kind of schema that this version knows, so left out"));
        }
        Ok(catalog.into_entries())
    }

    /// Parses every schema like its readers, so that no malformed schema is stored.
    fn check(&self, entries: &[Entry<'_>]) -> Result<(), Error> {
        let arena = Bump::new();
        let mut schemas = Schemas::new();
        for text in self.files.iter().map(Document::text).chain(self.others.1.iter().map(String::as_str)) {
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

/// Stores the schemas of the files, or of the configuration in the working directory. Nothing is written
/// unless all of them can be read.
pub(super) fn add(args: &AddArgs, host: &Host) -> anyhow::Result<Outcome> {
    let (sources, versions) = if args.files.is_empty() {
        of_configuration(host)?
    } else {
        (Sources::files(&args.files, host)?, BTreeMap::new())
    };
    let entries = sources.entries(host)?;
    ensure!(!entries.is_empty(), "there are no schemas in it\n  tip: `tofu init` installs the providers");
    sources.check(&entries).map_err(|error| anyhow!("cannot read the schemas: {error}"))?;
    // They are sorted by provider.
    for entries in entries.chunk_by(|a, b| a.provider == b.provider) {
        let Some(Entry { provider, .. }) = entries.first() else { continue };
        let version = versions.get(&**provider).map(String::as_str);
        cache::add(provider, entries, version, host)?;
        let version = version.map_or_else(String::new, |version| format!(" {version}"));
        let counted = entries.iter().filter(|entry| entry.kind != SchemaKind::Provider);
        let counts = match &*schema_view::counts(&counted) {
            "" => "its own configuration".to_owned(),
            counts => counts.to_owned(),
        };
        host.say(&format!("added {provider}{version}: {counts}"));
    }
    Ok(Outcome::Fine)
}

/// Runs the tool for the schemas of the configuration in the working directory, and the versions of its providers, which
/// are not in the schemas.
fn of_configuration(host: &Host) -> anyhow::Result<(Sources, BTreeMap<String, String>)> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Versions {
        provider_selections: BTreeMap<String, String>,
    }
    const ENDINGS: [&str; 5] = [".tf", ".tofu", ".tf.json", ".tofu.json", ".terraform.lock.hcl"];
    let mut names = fs::read_dir(".").into_iter().flatten().flatten().map(|entry| entry.file_name());
    ensure!(
        names.any(|name| ENDINGS.iter().any(|ending| name.to_string_lossy().ends_with(ending))),
        "there is no configuration in this folder\n  tip: name files that `providers schema -json` wrote"
    );
    let tool = input::tool(&host.environment)?;
    let named = tool.to_string_lossy().into_owned();
    host.note(&format!("running `{named} providers schema -json`"));
    let output = host
        .processes
        .capture(Command::new(&tool).args(["providers", "schema", "-json"]))
        .with_context(|| format!("running `{named} providers schema -json`"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!(
            "`{named} providers schema -json` failed ({}): {}\n  tip: `{named} init` installs the providers",
            output.status,
            said.trim()
        );
    }
    const WHAT: &str = "output of `providers schema -json`";
    let text = String::from_utf8(output.stdout).with_context(|| format!("cannot read the {WHAT}"))?;
    let versions = host.processes.capture(Command::new(&tool).args(["version", "-json"])).ok();
    let versions = versions.and_then(|output| serde_json::from_slice::<Versions>(&output.stdout).ok());
    Ok((Sources::texts(WHAT, vec![text]), versions.unwrap_or_default().provider_selections))
}
