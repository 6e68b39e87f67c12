//! `tfview diff PLAN RESULT`: compares a plan with the messages of the run that applied it, or with the
//! state after the apply. `tfview diff STATE STATE` compares two states.

use anyhow::{anyhow, bail};
use bumpalo::Bump;

use super::{Wanted, conclude, plan, plan_schemas};
use crate::cli::Outcome;
use crate::cli::input::Document;
use crate::cli::kind::{self, DocumentKind};
use crate::cli::refusal::refuse_unsupported;
use crate::cli::schemas::{self, Cached};

use crate::compare::{Options, Run, RunSide, Side, StateSide, compare_run, compare_state, compare_states};
use crate::diff::parallel::Storage;
use crate::json;
use crate::model::state::StateDocument;
use crate::schema::Schemas;

/// The kind of a document, if it is the result of a plan: the messages of the run, or the state.
pub(super) fn kind_of(document: &Document) -> Option<DocumentKind> {
    let kind = kind::detect(document.text()).ok()?.kind;
    matches!(kind, DocumentKind::Messages | DocumentKind::State).then_some(kind)
}

/// A tip for a result that comes before its plan.
pub(super) fn refuse_before_plan(document: &Document) -> anyhow::Result<()> {
    let Some(kind) = kind_of(document) else { return Ok(()) };
    let what = if kind == DocumentKind::State { "a state" } else { "the messages of a run" };
    bail!("{} is {what}, and the plan comes first\n  tip: `tfview diff PLAN {0}`", document.source());
}

/// Parses the state in a document.
fn state(document: &Document) -> anyhow::Result<StateDocument<'_>> {
    let state: StateDocument<'_> = json::from_str(document.text()).map_err(|error| document.fault(&error))?;
    refuse_unsupported(&state.format_version, document)?;
    Ok(state)
}

/// Compares two states.
pub(super) fn diff_states(
    documents: [&Document; 2],
    schema_files: &[Document],
    options: &Options,
    wanted: &Wanted<'_>,
) -> anyhow::Result<Outcome> {
    let [before, now] = documents;
    let names = documents.map(|document| document.source().to_string());
    let (old, new) = (state(before)?, state(now)?);
    let cached = [&old, &new].map(|state| Cached::for_state(state, wanted.settings, wanted.host));
    let mut schemas = Schemas::new();
    schemas::add(&mut schemas, schema_files)?;
    for (brought, name) in [&old, &new].map(|state| state.provider_schemas).into_iter().zip(&names) {
        if let Some(brought) = brought {
            let added = schemas.add_provider_schemas(brought);
            added.map_err(|error| anyhow!("cannot read the schemas embedded in {name}: {error}"))?;
        }
    }
    for cached in &cached {
        cached.note(wanted.host);
        cached.add_to(&mut schemas);
    }
    let old = StateSide { name: &names[0], text: before.text(), state: &old };
    let new = StateSide { name: &names[1], text: now.text(), state: &new };
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let comparison = compare_states(old, new, &schemas, options, &arena, &mut storage)
        .map_err(|error| anyhow!("comparing {} with {}: {error}", names[0], names[1]))?;
    conclude(&comparison, wanted)
}

/// Compares a plan with its result.
pub(super) fn diff(
    document: &Document,
    result: &Document,
    schema_files: &[Document],
    options: &Options,
    wanted: &Wanted<'_>,
) -> anyhow::Result<Outcome> {
    let planned = plan(document, wanted.host)?;
    let cached = Cached::for_plan(&planned, wanted.settings, wanted.host);
    cached.note(wanted.host);
    let schemas = plan_schemas(&planned, &document.source().to_string(), schema_files, Some(&cached), None)?;
    let (name, result_name) = (document.source().to_string(), result.source().to_string());
    let side = Side { name: &name, text: document.text(), plan: &planned, schemas: &schemas };
    let fault = |error| anyhow!("comparing {name} with {result_name}: {error}");
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let text = result.text();
    let comparison = if kind_of(result) == Some(DocumentKind::State) {
        let state = state(result)?;
        let state = StateSide { name: &result_name, text, state: &state };
        compare_state(side, state, options, &arena, &mut storage).map_err(fault)?
    } else {
        let run = Run::parse(text).map_err(|error| anyhow!("cannot read {result_name}: {error}"))?;
        let run = RunSide { name: &result_name, text, run: &run };
        compare_run(side, run, options, &arena, &mut storage).map_err(fault)?
    };
    conclude(&comparison, wanted)
}
