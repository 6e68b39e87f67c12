//! Reads documents in each form that the tools write: JSON, saved plans and raw states.
//!
//! Saved plans and raw states are converted to the JSON output format with the schemas at hand, which say
//! what the files leave out.

use std::collections::BTreeSet;

use anyhow::{Context, anyhow};
use bumpalo::Bump;

use super::{Document, Source, decode, saved as by_tool};
use crate::cli::cache::Cached;
use crate::cli::kind::{self, DocumentKind};
use crate::cli::message::{chain, with_tip};
use crate::cli::settings::Settings;
use crate::cli::{Host, refusal, schemas};
use crate::json::{self, Raw};
use crate::saved::{self, Knowledge, RawState, SavedPlan};
use crate::schema::Schemas;

/// Reads documents with the schemas at hand.
#[derive(Clone, Copy)]
pub(in crate::cli) struct Reader<'a> {
    pub(in crate::cli) schema_files: &'a [Document],
    pub(in crate::cli) settings: &'a Settings,
    pub(in crate::cli) host: &'a Host,
}

impl Reader<'_> {
    /// Reads the document of `source`.
    pub(in crate::cli) fn read(self, source: Source) -> anyhow::Result<Document> {
        let mut bytes = source.bytes(self.host).map_err(|error| match source.path() {
            Some(path) if !path.exists() && refusal::similar_file(path).is_none() => {
                let way = refusal::way_to_review(refusal::tool("", self.host));
                anyhow!(with_tip(&chain(&error), &format!("for a plan: {way}")))
            }
            Some(_) | None => error,
        })?;
        if saved::is_archive(&bytes) && !self.settings.via_tool {
            let within = saved::plan_within(&bytes, is_json_plan);
            if let Some((name, plan)) = within.map_err(|error| described(&source, error.into()))? {
                self.host.note(&format!("opened {name} in {source}"));
                bytes = plan;
            }
        }
        if saved::is_archive(&bytes) {
            let document = |text, tool, configuration| Document {
                source: source.clone(),
                text,
                documents: None,
                converted: Some("converted"),
                tool,
                configuration,
            };
            return Ok(if self.settings.via_tool {
                let (bytes, tool) = by_tool::as_json(&source, &bytes, self.host)?;
                let text = decode::text(bytes).with_context(|| format!("cannot read {source}"))?.text;
                document(text, tool, None)
            } else {
                let plan = SavedPlan::parse(&bytes).map_err(|error| described(&source, error.into()))?;
                let text = self.saved_plan(&source, &plan).map_err(|error| described(&source, error))?;
                document(text, None, plan.into_configuration())
            });
        }
        let document = super::read_bytes(source, bytes, self.host)?;
        // A text in which no kind is detected is read, and refused, as JSON.
        let kind = kind::detect(document.text()).unwrap_or(DocumentKind::Other);
        if kind == DocumentKind::StateFile {
            let text = self.raw_state(&document)?;
            return Ok(Document { text, documents: None, converted: Some("converted"), ..document });
        }
        let error = if kind == DocumentKind::Bookmark {
            saved::bookmark(document.text())
        } else if kind == DocumentKind::Encrypted {
            saved::Error::Encrypted
        } else {
            return Ok(document);
        };
        Err(described(&document.source, error.into()))
    }

    fn saved_plan(self, source: &Source, plan: &SavedPlan) -> anyhow::Result<String> {
        let types =
            Types { all: crate::sort::set(plan.types()), shown: crate::sort::set(plan.changed_types()) };
        self.with_knowledge(source, types, plan.provider_schemas(), |knowledge| plan.to_json(knowledge))
    }

    fn raw_state(self, document: &Document) -> anyhow::Result<String> {
        let state = RawState::parse(document.text()).map_err(|error| document.fault(&error))?;
        let all = crate::sort::set(state.types());
        self.with_knowledge(&document.source, Types { shown: all.clone(), all }, None, |knowledge| {
            state.to_json(knowledge)
        })
        .map_err(|error| described(&document.source, error))
    }

    /// Calls `convert` with the given schemas, those in the file, and the stored ones.
    fn with_knowledge(
        self,
        source: &Source,
        types: Types,
        embedded: Option<&str>,
        convert: impl FnOnce(&Knowledge<'_, '_>) -> Result<String, saved::Error>,
    ) -> anyhow::Result<String> {
        let stored = Cached::for_types(types.all, self.settings, self.host);
        let arena = Bump::new();
        let mut schemas = Schemas::new();
        schemas::add(&mut schemas, self.schema_files)?;
        if let Some(embedded) = embedded {
            let added = json::from_str::<Raw<'_>>(embedded).map_err(|error| anyhow!("{error}"));
            added
                .and_then(|raw| Ok(schemas.add_provider_schemas(raw)?))
                .context("the schemas in the file")?;
        }
        stored.add_to(&mut schemas);
        let knowledge = Knowledge::new(&schemas, &arena);
        let converted = convert(&knowledge)?;
        if !self.settings.show_sensitive {
            let unknown =
                types.shown.into_iter().filter(|(provider, mode, name)| !knowledge.has(provider, mode, name));
            let mut unknown: Vec<String> = unknown.map(|(_, _, name)| name).collect();
            unknown.dedup();
            if !unknown.is_empty() {
                self.host.note(&format!(
                    "values of {} in {source} are hidden, because no schema says what is sensitive: --show-sensitive shows them",
                    schemas::some_of(&unknown)
                ));
            }
        }
        Ok(converted)
    }
}

/// Whether these bytes are the JSON of a plan.
fn is_json_plan(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    kind::detect(text) == Ok(DocumentKind::Plan)
}

/// Types of objects: provider, mode (or `action`), name.
struct Types {
    all: BTreeSet<(String, String, String)>,
    /// Those whose values are shown.
    shown: BTreeSet<(String, String, String)>,
}

/// The message for a file that cannot be read, with a tip.
fn described(source: &Source, error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<saved::Error>() {
        Some(known) => anyhow!("cannot read {source}: {known}\n  tip: {}", known.tip()),
        None => error.context(format!("cannot read {source}")),
    }
}
