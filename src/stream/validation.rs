//! Shows the output of `validate -json`: a single document, on one or several lines, instead of messages.

use std::io;

use crate::json::from_str;
use crate::model::diagnostic::{Severity, Validation};
use crate::term::Role;
use crate::text::wrap;

use super::Stream;

impl Stream<'_> {
    /// Shows the result of a validation.
    pub(super) fn validation(&mut self, text: &str) -> io::Result<()> {
        self.flush_diagnostics()?;
        self.set_line_prefix(None);
        self.record.course.message("validate");
        let document: Validation<'_> = match from_str(text) {
            Ok(document) => document,
            Err(error) => {
                self.fail()?;
                return self.note(&format!("the document of `validate` cannot be read: {error}"));
            }
        };
        if !document.valid || document.error_count > 0 {
            self.fail()?;
        }
        let mut warned = false;
        for diagnostic in &document.diagnostics {
            warned |= self.hold_raw(*diagnostic, "", "") == Some(Severity::Warning);
        }
        self.flush_diagnostics()?;
        if !document.valid {
            return Ok(());
        }
        let rest = if warned {
            " The configuration is valid, but there were some validation warnings as shown above."
        } else {
            " The configuration is valid."
        };
        // The tools count the escape sequences before the first space when wrapping.
        let codes =
            if self.out.colour() { "\x1b[32m\x1b[1mSuccess!\x1b[0m".len() - "Success!".len() } else { 0 };
        let padded = format!("{}Success!{rest}", "x".repeat(codes));
        let wrapped = wrap(&padded, self.options.width.saturating_sub(1));
        let dialect = self.dialect;
        let out = self.out()?;
        out.role(Role::StrongSuccess, "Success!")?;
        out.lit(&wrapped[codes + "Success!".len()..])?;
        out.lit(if dialect.spaces_the_verdict() { "\n\n" } else { "\n" })
    }
}
