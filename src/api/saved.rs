//! Saved plans and raw states, converted to the JSON that `show -json` writes for them.
//!
//! The result is JSON text, which is parsed by the same readers as other documents.

use bumpalo::Bump;

use super::schemas::contained;
use super::{Error, Schemas, with_stack};
use crate::input::kind::{self, DocumentKind};
use crate::json;
use crate::saved::{self, Knowledge, RawState, SavedPlan};
use crate::schema::SchemaIndex;

/// The assumed depth of a saved plan. The depth of values in its binary formats is known only when they are read.
const UNKNOWN_DEPTH: usize = usize::MAX;

/// Returns the JSON of a saved plan, or of the plan in another archive.
pub(super) fn plan(bytes: &[u8], schemas: &Schemas) -> Result<String, Error> {
    with_stack(UNKNOWN_DEPTH, || {
        if let Some((_, plan)) = saved::plan_within(bytes, kind::is_plan)? {
            return super::decode(plan);
        }
        let plan = SavedPlan::parse(bytes)?;
        let embedded = plan.provider_schemas().map(json::from_str).transpose()?;
        let (embedded, arena) = (contained(embedded)?, Bump::new());
        let schemas = schemas.with(&embedded);
        Ok(plan.to_json(&Knowledge::new(&schemas, &arena))?)
    })
}

/// Returns the JSON of a raw state; `None` for another document.
pub(super) fn state(text: &str, schemas: &Schemas) -> Result<Option<String>, Error> {
    match kind::detect(text) {
        Ok(DocumentKind::StateFile) => {}
        Ok(DocumentKind::Encrypted) => return Err(saved::Error::encrypted().into()),
        // If a document cannot be read, the caller reports that when it parses the document.
        Ok(_) | Err(_) => return Ok(None),
    }
    with_stack(json::depth(text).max(schemas.depth()), || {
        let state = RawState::parse(text)?;
        let (embedded, arena) = (SchemaIndex::default(), Bump::new());
        let schemas = schemas.with(&embedded);
        Ok(Some(state.to_json(&Knowledge::new(&schemas, &arena))?))
    })
}
