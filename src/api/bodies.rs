//! The text of each change, for pages.

use bumpalo::Bump;

use crate::model::plan::Plan;
use crate::review::formats::{Body, BodyWriter, OUTPUT_SIGNS, PlanBodies, RESOURCE_SIGNS};
use crate::schema::Schemas;
use crate::show;

impl<const SIGNS: usize> show::TextSink for BodyWriter<SIGNS> {
    type Made = Body;

    fn finish(self) -> Body {
        self.body()
    }
}

/// The text of each change of a plan, as `tfview show` prints it. With `show_unchanged`, no unchanged part is
/// hidden.
///
/// # Errors
/// If a value or a schema is malformed.
pub fn plan_bodies<'a>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    options: &show::Options,
    show_unchanged: bool,
    arena: &'a Bump,
) -> Result<PlanBodies, show::Error> {
    let texts =
        show::plan_texts::<BodyWriter<RESOURCE_SIGNS>>(plan, schemas, options, show_unchanged, arena)?;
    Ok(PlanBodies {
        resources: texts.resources,
        drift: texts.drift,
        deferred: texts.deferred,
        invocations: texts.invocations,
        outputs: show::outputs_text::<BodyWriter<OUTPUT_SIGNS>>(plan, options, arena)?,
    })
}
