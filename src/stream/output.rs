//! The writers that all sinks share: the tool's text, tfview's own notes, and the region below the text.
//!
//! Invariants: the region is erased before anything else is written; the text is flushed before a note is
//! written, so that both have their order on a terminal.

use std::io;

use super::region::{Line, Region};
use super::time::Moment;
use super::{Documents, Timestamps};
use crate::term::TextPart::{Data, Lit};
use crate::term::ci::harmless;
use crate::term::{Out, Role, Untrusted, visible};

/// The output of a run.
pub(super) struct Output<'w> {
    text: Out<'w>,
    notes: Out<'w>,
    documents: &'w mut dyn Documents,
    region: Region,
    timestamps: Timestamps,
    /// The time of the first message.
    first: Option<Moment>,
    /// The timestamp before the lines of the current message.
    line_prefix: String,
    /// The label of the current run, before the timestamp.
    label: String,
}

impl<'w> Output<'w> {
    pub(super) fn new(
        text: Out<'w>,
        notes: Out<'w>,
        documents: &'w mut dyn Documents,
        timestamps: Timestamps,
    ) -> Self {
        Self {
            text,
            notes,
            documents,
            region: Region::default(),
            timestamps,
            first: None,
            line_prefix: String::new(),
            label: String::new(),
        }
    }

    /// Begins each line with the label of a run, as the log did. Nothing begins lines of a run without one.
    pub(super) fn set_run(&mut self, label: &str) {
        if label.is_empty() && self.label.is_empty() {
            return;
        }
        let label = match label {
            "" => String::new(),
            label => format!("[{}] ", harmless(&visible(label)).replace(['\n', '\r', '\t'], " ")),
        };
        if label != self.label {
            self.label = label;
            self.text.set_line_prefix(Role::Muted, &self.label);
            self.notes.set_line_prefix(Role::Muted, &self.label);
        }
    }

    /// The writer for the tool's text.
    pub(super) fn text(&mut self) -> io::Result<&mut Out<'w>> {
        self.region.erase(&mut self.text)?;
        Ok(&mut self.text)
    }

    /// Writes a text from the input and a line break.
    pub(super) fn line(&mut self, role: Role, text: &str) -> io::Result<()> {
        let out = self.text()?;
        out.role_data(role, Untrusted(text))?;
        out.lit("\n")
    }

    /// The writer for tfview's own notes.
    pub(super) fn notes(&mut self) -> io::Result<&mut Out<'w>> {
        self.region.erase(&mut self.text)?;
        self.text.flush()?;
        Ok(&mut self.notes)
    }

    /// Writes a note of tfview's own.
    pub(super) fn note(&mut self, text: &str) -> io::Result<()> {
        let notes = self.notes()?;
        notes.parts(&[Lit("note: "), Data(text), Lit("\n")])?;
        notes.flush()
    }

    /// Whether the text has styles.
    pub(super) fn has_colour(&self) -> bool {
        self.text.colour()
    }

    /// Services for documents in messages.
    pub(super) fn documents(&mut self) -> &mut dyn Documents {
        self.documents
    }

    /// Writes a document with `write`. The inner result is the result of `write`.
    pub(super) fn document(
        &mut self,
        write: impl FnOnce(&mut dyn Documents, &mut Out<'_>) -> anyhow::Result<()>,
    ) -> io::Result<anyhow::Result<()>> {
        self.region.erase(&mut self.text)?;
        Ok(write(self.documents, &mut self.text))
    }

    /// Sets the time for folds in the log of a CI system.
    pub(super) fn set_time(&mut self, moment: impl FnOnce() -> Option<Moment>) {
        if self.text.mode().ci.is_some()
            && let Some(moment) = moment()
        {
            self.text.set_time(moment.seconds());
        }
    }

    /// Sets the time of a message as the prefix of the following lines, if requested. Text that is not a
    /// message has no prefix.
    pub(super) fn set_line_prefix(&mut self, moment: impl FnOnce() -> Option<Moment>) {
        if self.timestamps == Timestamps::None {
            return;
        }
        self.line_prefix.clear();
        if let Some(moment) = moment() {
            let first = *self.first.get_or_insert(moment);
            moment.push(&mut self.line_prefix, self.timestamps, first);
        }
        self.text.set_line_prefix(Role::Muted, &format!("{}{}", self.label, self.line_prefix));
    }

    /// The current line prefix.
    pub(super) fn line_prefix(&self) -> &str {
        &self.line_prefix
    }

    /// Uses another line prefix. Returns the value for [`Output::restore_line_prefix`].
    pub(super) fn replace_line_prefix(&mut self, text: &str) -> Option<Vec<u8>> {
        let text = format!("{}{text}", self.label);
        (self.timestamps != Timestamps::None).then(|| self.text.set_line_prefix(Role::Muted, &text))
    }

    /// Restores the line prefix.
    pub(super) fn restore_line_prefix(&mut self, previous: Option<Vec<u8>>) {
        if let Some(previous) = previous {
            self.text.restore_line_prefix(previous);
        }
    }

    /// Erases the region and draws a new one, in one update of the screen.
    pub(super) fn redraw(&mut self, lines: &[Line]) -> io::Result<()> {
        self.region.erase(&mut self.text)?;
        self.region.draw(lines, &mut self.text)?;
        self.region.show(&mut self.text)
    }

    /// Erases the region and shows the text written since.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.region.erase(&mut self.text)?;
        self.region.show(&mut self.text)
    }

    /// Writes all buffered output.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.text.flush()?;
        self.notes.flush()
    }
}
