//! The panel of filters, which offers the values that can be chosen. Typed letters narrow them down.
//!
//! Invariant: the cursor is on a value that is shown, if any is.

use std::rc::Rc;

use super::filter::{Chip, Choice};

/// The state of the panel while it is open.
#[derive(Debug)]
pub(super) struct FilterPanel {
    /// All values of the list.
    choices: Rc<Vec<Choice>>,
    /// The letters that were typed.
    pub(super) typed: String,
    /// The index of the selected value among those that are shown.
    pub(super) cursor: usize,
}

impl FilterPanel {
    pub(super) fn new(choices: Rc<Vec<Choice>>) -> Self {
        Self {
            choices,
            typed: String::new(),
            cursor: 0,
        }
    }

    /// Returns the choices whose text contains the typed letters, ignoring case.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Choice> {
        let typed = self.typed.to_lowercase();
        self.choices
            .iter()
            .filter(move |choice| choice.chip.text().to_lowercase().contains(&typed))
    }

    /// Returns the value at the cursor.
    pub(super) fn current(&self) -> Option<Chip> {
        self.shown()
            .nth(self.cursor)
            .map(|choice| choice.chip.clone())
    }

    /// Moves the cursor by a number of choices, not beyond the ends.
    pub(super) fn move_by(&mut self, step: isize) {
        let last = self.shown().count().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(step).min(last);
    }

    /// Adds a letter, and moves the cursor to the first choice.
    pub(super) fn type_letter(&mut self, c: char) {
        self.typed.push(c);
        self.cursor = 0;
    }

    /// Removes the last letter. Returns false if there is none.
    pub(super) fn remove_letter(&mut self) -> bool {
        self.cursor = 0;
        self.typed.pop().is_some()
    }
}
