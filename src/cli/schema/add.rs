//! `tfview schema add`: caches schemas from files or from the configuration in the working directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, anyhow, bail, ensure};
use bumpalo::Bump;
use serde::Deserialize;

use super::source::{self, note_unknown, read_files};
use crate::cli::args::AddArgs;
use crate::cli::{Host, Outcome, cache, input};
use crate::schema::catalog::{Catalog, Entry, SchemaKind};
use crate::schema::{Error, Schemas};
use crate::schema_view;

/// Adds the schemas of the files, or of the configuration in the working directory. Nothing is written
/// unless all of them can be read.
pub(super) fn add(args: &AddArgs, host: &Host) -> anyhow::Result<Outcome> {
    if args.files.is_empty() {
        let (text, versions) = folder_providers(host)?;
        let mut catalog = Catalog::new();
        catalog
            .add(&text)
            .map_err(|error| anyhow!("cannot read the output of `providers schema -json`: {error}"))?;
        return keep(catalog, &[&text], &versions, host);
    }
    let files = read_files(&args.files, host)?;
    let mut catalog = Catalog::new();
    for file in &files {
        source::add(&mut catalog, file)?;
    }
    let texts: Vec<&str> = files.iter().map(input::Document::text).collect();
    keep(catalog, &texts, &BTreeMap::new(), host)
}

fn keep(
    catalog: Catalog<'_>,
    texts: &[&str],
    versions: &BTreeMap<String, String>,
    host: &Host,
) -> anyhow::Result<Outcome> {
    note_unknown(&catalog, host);
    let entries = catalog.into_entries();
    ensure!(!entries.is_empty(), "there are no schemas in it\n  tip: `tofu init` installs the providers");
    check(&entries, texts).map_err(|error| anyhow!("cannot read the schemas: {error}"))?;
    let mut providers: BTreeMap<&str, Vec<&Entry<'_>>> = BTreeMap::new();
    for entry in &entries {
        providers.entry(&entry.provider).or_default().push(entry);
    }
    for (provider, entries) in &providers {
        let version = versions.get(*provider).map(String::as_str);
        cache::add(provider, entries, version, host)?;
        let version = version.map_or_else(String::new, |version| format!(" {version}"));
        host.say(&format!("added {provider}{version}: {}", counts(entries)));
    }
    Ok(Outcome::Fine)
}

/// Parses every schema like its readers, so that no malformed schema is cached.
fn check(entries: &[Entry<'_>], texts: &[&str]) -> Result<(), Error> {
    let arena = Bump::new();
    let mut schemas = Schemas::new();
    for text in texts {
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

fn counts(entries: &[&Entry<'_>]) -> String {
    let counted = entries.iter().copied().filter(|entry| entry.kind != SchemaKind::Provider);
    Some(schema_view::counts(&counted))
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| "its own configuration".to_owned())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Version {
    provider_selections: BTreeMap<String, String>,
}

/// Runs the tool for the schemas and provider versions of the configuration in the working directory.
fn folder_providers(host: &Host) -> anyhow::Result<(String, BTreeMap<String, String>)> {
    ensure!(
        has_configuration(Path::new(".")),
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
    let text =
        String::from_utf8(output.stdout).context("cannot read the output of `providers schema -json`")?;
    // Schemas do not contain the version of their provider, which is optional.
    let version = host.processes.capture(Command::new(&tool).args(["version", "-json"])).ok();
    let version = version.and_then(|output| serde_json::from_slice::<Version>(&output.stdout).ok());
    Ok((text, version.unwrap_or_default().provider_selections))
}

fn has_configuration(folder: &Path) -> bool {
    let ends = [".tf", ".tofu", ".tf.json", ".tofu.json", ".terraform.lock.hcl"];
    fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            ends.iter().any(|end| name.ends_with(end))
        })
    })
}
