//! `validate -json`: one document over many lines, in the place of messages.
//!
//! Invariant: lines are held back only at the very start of the input, only from a line that is a
//! `{` alone, and only while they are indented as the document is; if they turn out to be something
//! else, they pass on as they came.

use std::io;

use crate::json::from_str;
use crate::model::diagnostic::{Severity, Validation};
use crate::term::Role;
use crate::text::wrap;

use super::Stream;

/// The longest document that is gathered.
const LONGEST: usize = 64 << 20;

/// The lines of a document that is on its way.
#[derive(Debug, Default)]
pub(super) enum Gathering {
    /// Nothing has come yet.
    #[default]
    Ready,
    /// A document is on its way.
    Lines(String),
    /// What comes now is no such document.
    Over,
}

impl Stream<'_> {
    /// Takes a line of a document; false if it is none.
    pub(super) fn gathers(&mut self, line: &str) -> io::Result<bool> {
        let trimmed = line.trim_end();
        match &mut self.gathering {
            Gathering::Over => Ok(false),
            Gathering::Ready => {
                self.gathering =
                    if trimmed == "{" { Gathering::Lines(format!("{line}\n")) } else { Gathering::Over };
                Ok(trimmed == "{")
            }
            Gathering::Lines(text) if trimmed == "}" => {
                text.push_str(line);
                let text = std::mem::take(text);
                self.gathering = Gathering::Over;
                self.gathered(&text)?;
                Ok(true)
            }
            Gathering::Lines(text) if line.starts_with(' ') && text.len() + line.len() < LONGEST => {
                text.push_str(line);
                text.push('\n');
                Ok(true)
            }
            Gathering::Lines(_) => {
                self.gathered_nothing_more()?;
                Ok(false)
            }
        }
    }

    /// The lines so far are not the document that they could have been.
    pub(super) fn gathered_nothing_more(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.gathering, Gathering::Over) {
            Gathering::Lines(text) => text.lines().try_for_each(|line| self.pass_on(line, true)),
            Gathering::Ready | Gathering::Over => Ok(()),
        }
    }

    fn gathered(&mut self, text: &str) -> io::Result<()> {
        match crate::model::message::Message::of_line(text) {
            Some(message) => self.document(&message, text),
            None => text.lines().try_for_each(|line| self.pass_on(line, true)),
        }
    }

    /// The verdict on a configuration.
    pub(super) fn validation(&mut self, text: &str) -> io::Result<()> {
        let document: Validation<'_> = match from_str(text) {
            Ok(document) => document,
            Err(error) => return self.note(&format!("the document of `validate` cannot be read: {error}")),
        };
        if !document.valid || document.error_count > 0 {
            self.fail()?;
        }
        let mut warned = false;
        for diagnostic in &document.diagnostics {
            warned |= self.hold_raw(*diagnostic, "", "") == Some(Severity::Warning);
        }
        self.settle()?;
        if !document.valid {
            return Ok(());
        }
        let rest = if warned {
            " The configuration is valid, but there were some validation warnings as shown above."
        } else {
            " The configuration is valid."
        };
        // The tools' wrap counts the escape codes that stand before the first space.
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
