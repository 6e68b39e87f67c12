//! Shows the result of `validate -json`: a single document, on one or several lines, instead of messages.

use std::io;

use crate::json::Raw;
use crate::model::diagnostic::{Diagnostic, Severity, Validation};
use crate::term::Role;
use crate::term::TextPart::{Lit, Styled};
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
        let is_warning = |json: &Raw<'_>| {
            json.read::<Diagnostic<'_>>().is_ok_and(|shown| shown.severity() == Severity::Warning)
        };
        let rest = if document.diagnostics.iter().any(is_warning) {
            " The configuration is valid, but there were some validation warnings as shown above."
        } else {
            " The configuration is valid."
        };
        // The tools count the escape sequences before the first space when wrapping.
        let codes = if output.has_colour() { "\x1b[32m\x1b[1m\x1b[0m".len() } else { 0 };
        let padded = format!("{}{SUCCESS}{rest}", "x".repeat(codes));
        let wrapped = wrap(&padded, self.wrap_width());
        let end = if state.dialect.spaces_the_verdict() { "\n\n" } else { "\n" };
        let rest = &wrapped[codes + SUCCESS.len()..];
        output.text()?.parts(&[Styled(Role::StrongSuccess, SUCCESS), Lit(rest), Lit(end)])
    }
}
