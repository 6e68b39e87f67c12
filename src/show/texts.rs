//! The separate texts of a plan's changes, for formats with their own layout.
//!
//! Each text is the one that [`plan`](super::plan()) writes for the change, without the empty line before it.

use bumpalo::Bump;

use super::outputs::OutputDiffs;
use super::resources::{Part, Shaped, ShapedPlan};
use super::{Error, Options};
use crate::diff::parallel::map_in_order;
use crate::model::plan::Plan;
use crate::render::{Cause, Context, PlanTexts};
use crate::schema::Schemas;
use crate::term::StyledText;

/// Renders the text of each change of a plan. With `show_unchanged`, no unchanged part is hidden.
///
/// # Errors
/// A value or a schema cannot be read.
pub fn plan_texts<'a>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    show_unchanged: bool,
    arena: &'a Bump,
) -> Result<PlanTexts, Error> {
    let shaped = ShapedPlan::new(plan, schemas, arena)?;
    let printer = shaped.printer(options, show_unchanged);
    let texts = |parts: Vec<Shaped<'_, 'a>>| {
        let text = |part: &_, arena: &_| StyledText::new(|out| printer.write(out, *part, arena));
        map_in_order(&parts, |(part, _)| part.size(), text)
    };
    let changed = plan.resource_changes.iter().filter(|change| !change.is_silent());
    let resources = shaped.shaped(changed.map(|change| Part::Change(change, Cause::Proposed)))?;
    let drift = plan.resource_drift.iter().map(|change| Part::Change(change, Cause::Drift));
    let drift = shaped.shaped(drift)?;
    let deferred = shaped.shaped(plan.deferred_changes.iter().map(Part::Deferred))?;
    let actions = &shaped.shared.actions;
    let invocations = actions.iter().map(|(action, shape)| (Part::Action(action), *shape)).collect();
    let outputs = OutputDiffs::new(plan, options.dialect, arena)?;
    Ok(PlanTexts {
        resources: texts(resources)?,
        drift: texts(drift)?,
        deferred: texts(deferred)?,
        invocations: texts(invocations)?,
        outputs: StyledText::new(|out| outputs.write(out, Context::resource(options.show_sensitive)))?,
    })
}
