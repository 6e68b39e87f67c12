//! The text that the tools print for a plan or a state: one trait with the ways to write it.
//!
//! Invariant: a document is always handled on a stack that suffices for it.

use std::io::Write;

use super::text::{Format, StyledText};
use super::text_options::TextOptions;
use super::{Error, with_stack, write_with_stack};
use crate::show;
use crate::term::{self, Out, Rendered};

/// A document that the tools show as text.
pub(super) trait ToolText: Sync {
    /// Returns the nesting of the document and its schemas.
    fn depth(&self) -> usize;

    /// Returns the options for a text. The tool and release are those that wrote the document, unless others are
    /// requested.
    fn text_options(&self, options: &TextOptions) -> show::Options;

    /// Writes the tool's text. The stack must suffice for [`depth`](Self::depth).
    fn show(&self, options: &show::Options, out: &mut Out<'_>) -> Result<(), Error>;

    /// Returns the tool's text as styled spans, whatever its length.
    fn styled_text(&self, options: &TextOptions) -> Result<StyledText, Error> {
        with_stack(self.depth(), || {
            let options = self.text_options(options);
            let text = term::StyledText::whole(|out| self.show(&options, out))?;
            Ok(StyledText::from(&text))
        })
    }

    /// Writes the tool's text in a format. The formats for a terminal are written while the text is made; the others
    /// are those of [`StyledText::write`].
    fn write_tool_text(
        &self,
        format: Format,
        options: &TextOptions,
        mut out: impl Write,
    ) -> Result<(), Error> {
        match format {
            Format::Text | Format::StyledText => write_with_stack(self.depth(), &mut out, |sink| {
                let mut out = Out::new(sink, format == Format::StyledText);
                self.show(&self.text_options(options), &mut out)?;
                Ok(out.flush()?)
            }),
            Format::Markdown | Format::Html | Format::Json => {
                self.styled_text(options)?.write(format, out)
            }
        }
    }

    /// Writes the tool's text into the text of a run.
    fn print(&self, options: &show::Options, out: &mut Out<'_>) -> Result<(), Error> {
        let mode = out.mode();
        let rendered = with_stack(self.depth(), || {
            Rendered::new(mode, |out| self.show(options, out))
        })?;
        Ok(out.write_rendered(&rendered)?)
    }
}
