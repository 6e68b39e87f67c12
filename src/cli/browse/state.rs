//! Browses a state as a tree of modules and objects with their values.

use anyhow::anyhow;
use bumpalo::Bump;

use super::{outcome, walk};
use crate::browse::{
    Details, ObjectDetails, ObjectId, ShownValues, SourceFile, state_references, state_report,
};
use crate::cli::input::Document;
use crate::cli::reader::Reader;
use crate::cli::refusal::refuse_unsupported;
use crate::cli::schemas::{self, StoredSchemas};
use crate::cli::show::options;
use crate::cli::{Outcome, messages};
use crate::json;
use crate::model::address::module_of;
use crate::model::state::{Resource, StateDocument};
use crate::review::references::References;
use crate::show::{self, StateTexts};
use crate::term::StyledText;

/// Reads a state and its schemas, and browses it.
///
/// # Errors
/// If the state or a schema cannot be read, or the terminal cannot be used.
pub(in crate::cli) fn browse_state(
    document: &Document,
    reader: Reader<'_>,
) -> anyhow::Result<Outcome> {
    let Reader {
        schema_files,
        settings,
        host,
    } = reader;
    let arena = Bump::new();
    let state: StateDocument<'_> =
        json::from_str(document.text()).map_err(|error| document.fault(&error))?;
    refuse_unsupported(&state.format_version, document)?;
    let stored_schemas = StoredSchemas::for_state(&state, settings, host);
    stored_schemas.note(host);
    let name = document.source().to_string();
    let schemas = schemas::available_schemas(
        schema_files,
        state.provider_schemas,
        Some(&stored_schemas),
        &name,
    )?;
    let otherwise = || document.tool.or_else(|| schemas::tool(schema_files));
    let dialect = show::state_dialect(&state, settings.dialect, otherwise);
    let texts = StateTexts::new(&state, &schemas, &options(settings, dialect), &arena)
        .map_err(|error| anyhow!("cannot read {name}: {error}"))?;
    let resources: Vec<&Resource<'_>> = texts.resources().collect();
    let report = state_report(&name, &state, &resources);
    let details = StateDetails {
        references: state_references(&resources),
        resources,
        texts,
    };
    walk(&report, &details, false, settings, host).map(outcome)
}

/// The details about the objects of a state.
struct StateDetails<'p, 'a> {
    resources: Vec<&'p Resource<'a>>,
    texts: StateTexts<'p, 'a>,
    references: References,
}

impl Details for StateDetails<'_, '_> {
    fn object(&self, id: ObjectId) -> Option<ObjectDetails<'_>> {
        self.resources.get(id.index).map(|resource| ObjectDetails {
            address: &resource.address,
            module: module_of(&resource.address),
            object_type: &resource.resource_type,
            causes: &[],
        })
    }

    fn text(&self, id: ObjectId, _: ShownValues) -> Result<StyledText, String> {
        let text = self.texts.resource(id.index);
        text.map_err(|error| messages::chain(&error.into()))
    }

    fn outputs(&self, _: usize) -> Result<StyledText, String> {
        let text = self.texts.outputs();
        text.map_err(|error| messages::chain(&error.into()))
    }

    fn is_searched_in_texts(&self) -> bool {
        true
    }

    fn source(&self, _: ObjectId) -> Result<SourceFile, String> {
        Err("a state does not say where an object is written".to_owned())
    }

    fn references(&self, _: usize) -> Result<&References, String> {
        Ok(&self.references)
    }

    fn viewed(&self, _: usize) -> Vec<String> {
        Vec::new()
    }

    fn keep_viewed(&self, _: usize, _: &[String]) -> Result<(), String> {
        Err("marks are kept for plans, not for states".to_owned())
    }
}
