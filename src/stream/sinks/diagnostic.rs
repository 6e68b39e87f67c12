//! Diagnostics as text, for all sinks that contain them.

use std::io;

use crate::model::diagnostic::Diagnostic;
use crate::render::diagnostic::{DiagnosticContext, diagnostic};
use crate::term::capture;

use super::Context;

/// The difference of the two sides of a failed assertion, if there is one.
pub(super) fn difference(
    shown: &Diagnostic<'_>,
    context: &mut Context<'_, '_>,
    colour: bool,
) -> anyhow::Result<Option<String>> {
    let Some(change) = shown.difference() else { return Ok(None) };
    context.output.documents().difference(&change, context.state.dialect, colour).map(Some)
}

/// The text of a diagnostic without styles, wrapped at `width`. `similar` is the number of diagnostics that
/// were merged into it.
pub(super) fn plain_text(
    shown: &Diagnostic<'_>,
    similar: usize,
    width: usize,
    context: &mut Context<'_, '_>,
) -> io::Result<String> {
    // The text sink reports an error in the difference.
    let difference = difference(shown, context, false).unwrap_or_default();
    let dialect = context.state.dialect;
    let context = DiagnosticContext { dialect, width, similar, difference: difference.as_deref() };
    capture(false, |out| diagnostic(shown, &context, out))
}
