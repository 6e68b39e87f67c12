//! The output of a stream, to which all sinks write: the tool's text, notes, and the live region.
//!
//! Invariants: the region is erased before anything else is written. The text is flushed before a note is written, so
//! that both appear on a terminal in their order. While the region is drawn, the cursor is at its first character, a
//! position that a terminal keeps track of when it wraps lines again for another width. The region is erased from
//! there, so that it need not be known in how many rows the terminal has wrapped it.
//!
//! ```text
//! a.b: Creating...                text
//!   1 of 3   a.b  10s             region, drawn again every second
//!
//! a note arrives                  the region is erased, the text is flushed, the note is written, the region is drawn
//! ```

use std::io;

use super::documents::Documents;
use super::event::Event;
use super::moment::{Moment, Timestamps};
use super::observation::RunEvent;
use crate::term::TextPart::{Data, Lit};
use crate::term::ci::harmless;
use crate::term::{KeptOut, Out, Role, Untrusted, visible};

/// The beginning of a synchronized update (DEC mode 2026). Terminals without support ignore the sequence.
const BEGIN_UPDATE: &str = "\x1b[?2026h";
/// The end of a synchronized update.
const END_UPDATE: &str = "\x1b[?2026l";

/// The sequence that makes the terminal cut lines instead of wrapping them (DECAWM), which matters if the screen has
/// just become narrower.
const BEGIN_LINES: &str = "\x1b[?7l";
/// The sequence that makes the terminal wrap lines again.
const END_LINES: &str = "\x1b[?7h";

/// The sequence that erases the line, and everything below it from its second column on, because some terminals save a
/// screen that is erased from its first character. The carriage return lets the line begin anew, also for CI systems
/// that search lines for commands.
const ERASE: &str = "\x1b[K\x1b[1C\x1b[J\r";

/// A line of the region: pieces of text with their roles.
pub(super) type Line = Vec<(Role, String)>;

/// The writers of a stream, with their state.
pub(super) struct Output<'w> {
    /// The tool's own text.
    text: Out<'w>,
    /// The notes of tfview.
    notes: Out<'w>,
    /// The writer of plans, states and differences, which are a part of the text.
    documents: &'w mut dyn Documents,
    /// The state between two messages.
    state: OutputState,
}

/// An output without its documents and without the destinations of its writers. It can be sent to another thread.
pub(super) struct PausedOutput {
    pub(super) text: KeptOut,
    pub(super) notes: KeptOut,
    state: OutputState,
}

/// The state of an output between two messages.
struct OutputState {
    /// Whether the region is on the screen.
    is_drawn: bool,
    /// Whether a synchronized update has begun, which the next drawing ends.
    is_updating: bool,
    /// The kind of times that are written before lines.
    timestamps: Timestamps,
    /// The time of the first message.
    first: Option<Moment>,
    /// The prefix of each line with the label of the run; empty if the run has none.
    label: String,
    /// The prefix of each line with the time of the message; empty without one.
    time: String,
    /// The events for other programs, if these are requested.
    events: Option<Vec<RunEvent>>,
}

impl PausedOutput {
    pub(super) fn resume(self, documents: &mut dyn Documents) -> Output<'_> {
        Output {
            text: self.text.into_out(),
            notes: self.notes.into_out(),
            documents,
            state: self.state,
        }
    }

    /// Removes and returns the events that have happened so far.
    pub(super) fn take_events(&mut self) -> Vec<RunEvent> {
        self.state
            .events
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }
}

impl<'w> Output<'w> {
    pub(super) fn pause(self) -> PausedOutput {
        PausedOutput {
            text: self.text.into_kept(),
            notes: self.notes.into_kept(),
            state: self.state,
        }
    }

    /// Keeps events from now on.
    pub(super) fn observe(&mut self) {
        self.state.events = Some(Vec::new());
    }

    /// Keeps an event for other programs, if these are requested.
    pub(super) fn event(&mut self, event: &Event<'_>, unit: Option<&str>) {
        if let Some(events) = &mut self.state.events {
            events.extend(RunEvent::new(event, unit));
        }
    }

    /// Creates an output to which nothing was written.
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
            state: OutputState {
                is_drawn: false,
                is_updating: false,
                timestamps,
                first: None,
                label: String::new(),
                time: String::new(),
                events: None,
            },
        }
    }

    /// Sets the label that is written before each line. Characters that could end a line or move the cursor are
    /// replaced.
    pub(super) fn set_run(&mut self, label: &str) {
        if label.is_empty() && self.state.label.is_empty() {
            return;
        }
        let label = match label {
            "" => String::new(),
            label => format!(
                "[{}] ",
                harmless(&visible(label)).replace(['\n', '\r', '\t'], " ")
            ),
        };
        if label != self.state.label {
            self.text.set_line_prefix(Role::Muted, &label);
            self.notes.set_line_prefix(Role::Muted, &label);
            self.state.label = label;
        }
    }

    /// Returns the writer of the tool's text. The region is erased first.
    pub(super) fn text(&mut self) -> io::Result<&mut Out<'w>> {
        self.erase()?;
        Ok(&mut self.text)
    }

    /// Writes one line of the tool's text.
    pub(super) fn line(&mut self, role: Role, text: &str) -> io::Result<()> {
        let out = self.text()?;
        out.role_data(role, Untrusted(text))?;
        out.lit("\n")
    }

    /// Returns the writer of the notes. The text is flushed first.
    pub(super) fn notes(&mut self) -> io::Result<&mut Out<'w>> {
        self.text()?.flush()?;
        Ok(&mut self.notes)
    }

    /// Writes a note on a line of its own.
    pub(super) fn note(&mut self, text: &str) -> io::Result<()> {
        let notes = self.notes()?;
        notes.parts(&[Lit("note: "), Data(text), Lit("\n")])?;
        notes.flush()
    }

    pub(super) fn has_colour(&self) -> bool {
        self.text.colour()
    }

    /// Returns the documents, and the writer that they write to. The region is erased first.
    pub(super) fn documents(&mut self) -> io::Result<(&mut dyn Documents, &mut Out<'w>)> {
        self.erase()?;
        Ok((self.documents, &mut self.text))
    }

    /// Sets the time of the next folds, if the CI system has any. `moment` is only called then.
    pub(super) fn set_fold_time(&mut self, moment: impl FnOnce() -> Option<Moment>) {
        if self.text.mode().ci.is_some()
            && let Some(moment) = moment()
        {
            self.text.set_time(moment.seconds());
        }
    }

    /// Sets the time before the next lines. It is empty for text that is not a message. `moment` is only called if
    /// times are shown.
    pub(super) fn set_time(&mut self, moment: impl FnOnce() -> Option<Moment>) {
        if self.state.timestamps == Timestamps::None {
            return;
        }
        let mut time = String::new();
        if let Some(moment) = moment() {
            let first = *self.state.first.get_or_insert(moment);
            moment.push(&mut time, self.state.timestamps, first);
        }
        self.swap_time(&mut time);
    }

    pub(super) fn time(&self) -> &str {
        &self.state.time
    }

    /// Exchanges the time before the next lines with another text. Held-back diagnostics have an earlier time.
    pub(super) fn swap_time(&mut self, time: &mut String) {
        std::mem::swap(&mut self.state.time, time);
        if self.state.timestamps != Timestamps::None {
            self.text.set_line_prefix(
                Role::Muted,
                &format!("{}{}", self.state.label, self.state.time),
            );
        }
    }

    /// Erases the region if it is drawn, and begins a synchronized update.
    fn erase(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.state.is_drawn) {
            return Ok(());
        }
        let begin = if std::mem::replace(&mut self.state.is_updating, true) {
            ""
        } else {
            BEGIN_UPDATE
        };
        self.text
            .without_line_prefix(|out| out.parts(&[Lit(begin), Lit(ERASE)]))
    }

    /// Replaces the region in one synchronized update. Without lines, it is only erased.
    pub(super) fn redraw(&mut self, lines: &[Line]) -> io::Result<()> {
        self.erase()?;
        self.state.is_drawn = !lines.is_empty();
        let ends_update = std::mem::take(&mut self.state.is_updating);
        if !self.state.is_drawn && !ends_update {
            return Ok(());
        }
        self.text.without_line_prefix(|out| {
            for (index, line) in lines.iter().enumerate() {
                out.lit(if index == 0 { BEGIN_LINES } else { "\n" })?;
                line.iter()
                    .try_for_each(|(role, text)| out.role(*role, text))?;
            }
            if let Some(last) = lines.len().checked_sub(1) {
                out.parts(&[Lit(END_LINES), Lit(&"\x1b[1A".repeat(last)), Lit("\r")])?;
            }
            out.lit(if ends_update { END_UPDATE } else { "" })
        })
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.text.flush()?;
        self.notes.flush()
    }
}
