//! The text of the tools, of a plan or a state: the same ways to write it for both.
//!
//! Invariant: the stack suffices for the document wherever it is written.

use std::io::Write;

use super::text::{Format, StyledText};
use super::text_options::TextOptions;
use super::{Error, with_stack, write_with_stack};
use crate::show;
use crate::term::{self, Out, Rendered};

/// A document that the tools show as text.
pub(super) trait ToolText: Sync {
    /// The number of levels in the document and its schemas.
    fn depth(&self) -> usize;

    /// The options for the tool and release that wrote the document, unless others are asked for.
    fn text_options(&self, options: &TextOptions) -> show::Options;

    /// Writes the text of the tool. The stack must suffice for [`depth`](Self::depth).
    fn show(&self, options: &show::Options, out: &mut Out<'_>) -> Result<(), Error>;

    fn styled_text(&self, options: &TextOptions) -> Result<StyledText, Error> {
        with_stack(self.depth(), || {
            let options = self.text_options(options);
            let text = term::StyledText::whole(|out| self.show(&options, out))?;
            Ok(StyledText::from(&text))
        })
    }

    /// Writes the text in a format. That for a terminal is written while it is made; the others are
    /// those of [`StyledText::write`].
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

    /// Writes the text in that of a run.
    fn print(&self, options: &show::Options, out: &mut Out<'_>) -> Result<(), Error> {
        let mode = out.mode();
        let rendered = with_stack(self.depth(), || {
            Rendered::new(mode, |out| self.show(options, out))
        })?;
        Ok(out.write_rendered(&rendered)?)
    }
}
