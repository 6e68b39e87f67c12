//! The panel of filters: the values that can be chosen, which typed letters narrow down.
//!
//! Invariant: the cursor is on a value that is shown, if any is.

use std::rc::Rc;

use super::filter::{Chip, Choice};

/// The panel while it is open.
#[derive(Debug)]
pub(super) struct FilterPanel {
    choices: Rc<Vec<Choice>>,
    pub(super) typed: String,
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

    /// The choices that have what is typed.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Choice> {
        let typed = self.typed.to_lowercase();
        self.choices
            .iter()
            .filter(move |choice| choice.chip.text().to_lowercase().contains(&typed))
    }

    pub(super) fn current(&self) -> Option<Chip> {
        self.shown()
            .nth(self.cursor)
            .map(|choice| choice.chip.clone())
    }

    /// Moves by a number of choices.
    pub(super) fn move_by(&mut self, step: isize) {
        let last = self.shown().count().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(step).min(last);
    }

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
