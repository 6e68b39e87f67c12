//! Reads documents in each form that the tools write.
//!
//! Saved plans and raw states are converted to JSON with the available schemas, which say what the files leave out.
//! With `--via-tool`, the tool that wrote a saved plan converts it.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, anyhow, ensure};
use bumpalo::Bump;

use super::input::{DOCUMENTS, Document, Source, decode, read_bytes};
use super::kind::{self, DocumentKind};
use super::messages::{ErrorWithTip, chain};
use super::schemas::{self, StoredSchemas};
use super::settings::{Environment, Settings};
use super::{Host, foreign};
use crate::dialect::Tool;
use crate::json;
use crate::saved::{self, Knowledge, ObjectType, RawState, SavedPlan};

/// The reader of documents, with what it needs to convert them.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) schema_files: &'a [Document],
    pub(super) settings: &'a Settings,
    pub(super) host: &'a Host,
}

impl Reader<'_> {
    /// Reads a document: a saved plan, or JSON in any packing.
    ///
    /// # Errors
    /// If the source cannot be read, or has no document.
    pub(super) fn read(self, source: Source) -> anyhow::Result<Document> {
        let mut bytes = source
            .bytes(self.host)
            .map_err(|error| match source.path() {
                Some(path) if !path.exists() && foreign::similar_file(path).is_none() => {
                    let way = foreign::way_to_review(foreign::tool("", self.host));
                    ErrorWithTip::new(chain(&error), format!("for a plan: {way}")).into()
                }
                Some(_) | None => error,
            })?;
        let described = |error| described(&source, error);
        if saved::is_archive(&bytes) && !self.settings.via_tool {
            let within = saved::plan_within(&bytes, kind::is_plan);
            if let Some((name, plan)) = within.map_err(|error| described(error.into()))? {
                self.host.note(&format!("opened {name} in {source}"));
                bytes = plan;
            }
        }
        if !saved::is_archive(&bytes) {
            return self.read_json(source, bytes);
        }
        let (text, tool, configuration) = if self.settings.via_tool {
            let (bytes, tool) = as_json(&source, &bytes, self.host)?;
            let (text, _) = decode(bytes).with_context(|| format!("cannot read {source}"))?;
            (text, tool, None)
        } else {
            let plan = SavedPlan::parse(&bytes).map_err(|error| described(error.into()))?;
            let (types, embedded) = (
                (plan.types(), plan.changed_types()),
                plan.provider_schemas(),
            );
            let text = self.convert(&source, types, embedded, |knowledge| {
                plan.to_json(knowledge)
            });
            (text.map_err(described)?, None, plan.into_configuration())
        };
        Ok(Document::of_saved_plan(source, text, tool, configuration))
    }

    /// Reads JSON, which may be within another document, and converts a raw state.
    fn read_json(self, source: Source, bytes: Vec<u8>) -> anyhow::Result<Document> {
        let mut document = read_bytes(source, bytes, DOCUMENTS, self.host)?;
        let mut kind = kind::detect(document.text()).unwrap_or(DocumentKind::Other);
        if kind == DocumentKind::Other {
            document = document.unwrapped(self.host)?;
            kind = kind::detect(document.text()).unwrap_or(DocumentKind::Other);
        }
        let error = if kind == DocumentKind::StateFile {
            let state = RawState::parse(document.text()).map_err(|error| document.fault(&error))?;
            let types = (state.types(), state.types());
            match self.convert(document.source(), types, None, |knowledge| {
                state.to_json(knowledge)
            }) {
                Ok(text) => return Ok(document.with_converted(text)),
                Err(error) => error,
            }
        } else if kind == DocumentKind::Bookmark {
            saved::bookmark(document.text()).into()
        } else if kind == DocumentKind::Encrypted {
            saved::Error::encrypted().into()
        } else {
            return Ok(document);
        };
        Err(described(document.source(), error))
    }

    /// Converts a document with the schemas for all of its types. For the types in `shown`, a missing schema is noted.
    ///
    /// # Errors
    /// If the document or a schema is malformed.
    fn convert(
        self,
        source: &Source,
        (all, shown): (
            impl Iterator<Item = ObjectType>,
            impl Iterator<Item = ObjectType>,
        ),
        embedded: Option<&str>,
        convert: impl FnOnce(&Knowledge<'_, '_>) -> Result<String, saved::Error>,
    ) -> anyhow::Result<String> {
        let stored = StoredSchemas::for_types(all, self.settings, self.host);
        let arena = Bump::new();
        let embedded = embedded.map(json::from_str).transpose();
        let embedded = embedded.map_err(|error| anyhow!("the schemas in the file: {error}"))?;
        let schemas = schemas::available_schemas(
            self.schema_files,
            embedded,
            Some(&stored),
            &source.to_string(),
        )?;
        let knowledge = Knowledge::new(&schemas, &arena);
        let converted = convert(&knowledge)?;
        if !self.settings.show_sensitive {
            let unknown =
                shown.filter(|shown| !knowledge.has(&shown.provider, &shown.mode, &shown.name));
            self.host.note_hidden(
                &source.to_string(),
                unknown.map(|unknown| unknown.name).collect::<BTreeSet<_>>(),
            );
        }
        Ok(converted)
    }
}

fn described(source: &Source, error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<saved::Error>() {
        Some(known) => {
            ErrorWithTip::new(format!("cannot read {source}: {known}"), known.tip()).into()
        }
        None => error.context(format!("cannot read {source}")),
    }
}

/// Converts a saved plan to JSON with the tool that wrote it. Returns that tool too, if it is known.
///
/// # Errors
/// If the tool is missing or fails.
fn as_json(source: &Source, bytes: &[u8], host: &Host) -> anyhow::Result<(Vec<u8>, Option<Tool>)> {
    let (tool, named) = tool_of_plan(bytes, &host.environment).with_context(|| {
        format!("cannot read {source}: a saved plan, which only the tool that wrote it can read")
    })?;
    let copy = match source {
        Source::File(_) => None,
        Source::Stdin => {
            let copy = host.processes.temporary_file(bytes);
            Some(copy.context("copying the saved plan of standard input to a file")?)
        }
    };
    let path = copy.as_ref().map(|copy| copy.path());
    let path = path.as_deref().or(source.path()).unwrap_or(Path::new(""));
    // A path that begins with a dash would be an option of the tool.
    let plan = if path.is_relative() {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    };
    let running = || format!("running `{named} show -json` for the saved plan {source}");
    let mut command = Command::new(&tool);
    let output = host
        .processes
        .capture(command.args(["show", "-json", "-no-color"]).arg(&plan));
    let output = output.with_context(running)?;
    // The output of the tool is untrusted: it must not control the terminal or a CI system.
    let said = String::from_utf8_lossy(&output.stderr);
    if !said.trim().is_empty() {
        host.say(said.trim_end());
    }
    ensure!(
        output.status.success(),
        ErrorWithTip::new(
            format!("{}: it failed ({})", running(), output.status),
            format!(
                "is this the folder of its configuration, and `{named}` the tool that wrote the plan?"
            )
        )
    );
    let program = tool.file_name().map(OsStr::to_string_lossy);
    Ok((
        output.stdout,
        program.and_then(|program| Tool::from_program(&program)),
    ))
}

/// Finds the tool that can read a saved plan, and returns its path and its name: `TFVIEW_TOOL`, otherwise the tool
/// whose registry is in the lock file of the plan, otherwise the first of `tofu` and `terraform` in `PATH`.
///
/// # Errors
/// If the tool is not in `PATH`.
fn tool_of_plan(plan: &[u8], environment: &Environment) -> anyhow::Result<(PathBuf, String)> {
    if let Some(tool) = &environment.tool {
        let named = tool.to_string_lossy().into_owned();
        let program = environment.find_program(tool);
        let program =
            program.with_context(|| format!("{named} (from TFVIEW_TOOL) is not in PATH"))?;
        return Ok((program, named));
    }
    // A lock file of OpenTofu may have both registries.
    let lock_file = saved::lock_file(plan).unwrap_or_default();
    let is_terraform = lock_file.contains("registry.terraform.io/")
        && !lock_file.contains("registry.opentofu.org/");
    let names = if is_terraform {
        ["terraform", "tofu"]
    } else {
        ["tofu", "terraform"]
    };
    let find = |name: &&str| {
        Some((
            environment.find_program(OsStr::new(name))?,
            (*name).to_owned(),
        ))
    };
    names.iter().find_map(find).context(
        "neither tofu nor terraform is in PATH: install it, name it in TFVIEW_TOOL, or pass the output of its `show -json`",
    )
}

/// Finds the tool to run without a plan: `TFVIEW_TOOL`, or the first of `tofu` and `terraform` in `PATH`.
pub(super) fn tool(environment: &Environment) -> anyhow::Result<OsString> {
    tool_of_plan(&[], environment).map(|(tool, _)| tool.into())
}
