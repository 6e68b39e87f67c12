//! Moving in the list: by keys, by the wheel, by a click, and from finding to finding.
//!
//! A position is an item and a row in it, because the number of rows of the whole list is not known.

use super::{App, Mode, Position};
use crate::browse::model::Item;
use crate::browse::rows::is_notable;
use crate::report::Level;

impl App<'_> {
    /// Moves the cursor down by a number of rows.
    pub(super) fn down(&mut self, rows: usize) {
        for _ in 0..rows {
            let Some(after) = self.after(self.cursor) else {
                break;
            };
            self.cursor = after;
        }
    }

    /// Moves the cursor up by a number of rows.
    pub(super) fn up(&mut self, rows: usize) {
        for _ in 0..rows {
            let Some(before) = self.before(self.cursor) else {
                break;
            };
            self.cursor = before;
        }
    }

    /// Scrolls down by a number of rows. At the end of the list, it moves the cursor instead.
    pub(super) fn scroll_down(&mut self, rows: usize) {
        for _ in 0..rows {
            let bottom = self.drawn.rows.last().copied();
            let is_at_end = bottom.is_none_or(|bottom| self.after(bottom).is_none());
            match self.after(self.top) {
                Some(after) if !is_at_end => self.top = after,
                Some(_) | None => return self.down(rows),
            }
        }
        self.cursor = self.cursor.max(self.top);
    }

    /// Scrolls up by a number of rows, and moves the cursor only if it would leave the screen. At the beginning of the
    /// list, it moves the cursor instead.
    pub(super) fn scroll_up(&mut self, rows: usize) {
        for _ in 0..rows {
            let Some(before) = self.before(self.top) else {
                return self.up(rows);
            };
            self.top = before;
        }
        let mut bottom = self.top;
        for _ in 1..self.height {
            let Some(after) = self.after(bottom) else {
                break;
            };
            bottom = after;
        }
        self.cursor = self.cursor.min(bottom);
    }

    /// Handles a click on a cell of the screen: on a filter, on a row of the tree, or on a row of the list. Outside of
    /// the list's mode it only closes the panel.
    pub(super) fn click(&mut self, column: u16, row: u16) {
        self.message.clear();
        if !matches!(self.mode, Mode::List) {
            self.mode = Mode::List;
            return;
        }
        if let Some(chip) = self.drawn.chip_at(column, row) {
            self.filter.toggle(chip);
            return self.list_again();
        }
        if let Some(branch) = self.drawn.branch_at(column, row) {
            self.tree.cursor = branch;
            return self.choose_branch();
        }
        let Some(line) = row
            .checked_sub(self.drawn.top)
            .filter(|_| column >= self.drawn.left)
        else {
            return;
        };
        let Some(position) = self.drawn.rows.get(usize::from(line)).copied() else {
            return;
        };
        self.cursor = position;
        if position.row == 0 {
            self.toggle();
        }
    }

    /// Returns the item at the cursor.
    pub(in crate::browse) fn current(&self) -> Option<Item> {
        self.items.get(self.cursor.item).copied()
    }

    /// Returns the index of the record of an entry, also for one of its objects.
    pub(super) fn record_of(item: Item) -> Option<usize> {
        match item {
            Item::Entry(record) | Item::Member { record, .. } => Some(record),
            Item::Head
            | Item::Heading(_)
            | Item::SharedHeading
            | Item::Elsewhere
            | Item::Unit(_)
            | Item::Outputs
            | Item::Foot => None,
        }
    }

    /// Moves to the next or previous item for which `is_wanted` holds, continuing at the other end of the list. Returns
    /// whether there is one.
    pub(super) fn go_to(
        &mut self,
        forwards: bool,
        is_wanted: impl Fn(&Self, Item) -> bool,
    ) -> bool {
        let number = self.items.len();
        for step in 1..=number {
            let item = if forwards {
                (self.cursor.item + step) % number
            } else {
                (self.cursor.item + number - step) % number
            };
            let is_wanted = self
                .items
                .get(item)
                .is_some_and(|item| is_wanted(self, *item));
            if is_wanted {
                self.cursor = Position { item, row: 0 };
                self.reveals_entry = true;
                return true;
            }
        }
        false
    }

    /// Moves the cursor to the next or previous item with a finding or a destroyed object, or says that there is none.
    pub(super) fn go_to_finding(&mut self, forwards: bool) {
        let is_notable = |app: &Self, item| match item {
            Item::Entry(record) => app
                .model
                .record(record)
                .is_some_and(|record| is_notable(record.entry)),
            Item::Unit(part) => app
                .model
                .part(part)
                .is_some_and(|part| part.headline.errored || part.headline.level > Level::None),
            Item::Head
            | Item::Heading(_)
            | Item::SharedHeading
            | Item::Member { .. }
            | Item::Elsewhere
            | Item::Outputs
            | Item::Foot => false,
        };
        if !self.go_to(forwards, is_notable) {
            self.say("no finding");
        }
    }
}
