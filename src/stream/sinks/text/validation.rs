//! Shows the result of `validate -json`: a single document, on one or several lines, instead of messages.

use std::io;

use crate::model::diagnostic::{Severity, Validation};
use crate::term::Role;
use crate::text::wrap;

use super::{Context, TextSink};

const SUCCESS: &str = "Success!";

impl TextSink {
    /// Shows the result of a validation, after its diagnostics.
    pub(super) fn validation(
        &mut self,
        document: &Result<&Validation<'_>, String>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let Context { state, output, .. } = context;
        let document = match document {
            Ok(document) if document.valid => document,
            Ok(_) => return Ok(()),
            Err(error) => {
                return output.note(&format!("the document of `validate` cannot be read: {error}"));
            }
        };
        let is_warning = |json: &crate::json::Raw<'_>| severity(*json) == Some(Severity::Warning);
        let rest = if document.diagnostics.iter().any(is_warning) {
            " The configuration is valid, but there were some validation warnings as shown above."
        } else {
            " The configuration is valid."
        };
        // The tools count the escape sequences before the first space when wrapping.
        let codes = if output.has_colour() { "\x1b[32m\x1b[1m\x1b[0m".len() } else { 0 };
        let padded = format!("{}{SUCCESS}{rest}", "x".repeat(codes));
        let wrapped = wrap(&padded, self.wrap_width());
        let out = output.text()?;
        out.role(Role::StrongSuccess, SUCCESS)?;
        out.lit(&wrapped[codes + SUCCESS.len()..])?;
        out.lit(if state.dialect.spaces_the_verdict() { "\n\n" } else { "\n" })
    }
}

fn severity(json: crate::json::Raw<'_>) -> Option<Severity> {
    json.read::<crate::model::diagnostic::Diagnostic<'_>>().ok().map(|diagnostic| diagnostic.severity())
}
