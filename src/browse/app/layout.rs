//! The layout of the list: rows are laid out when they come into view, and the cursor is kept on the screen.
//!
//! Invariants: `top` is never after the cursor, and the cursor is never below the screen. Cost: only rows that come
//! into view are laid out.

use std::rc::Rc;

use super::{App, GUTTER, MAX_CACHED, Position};
use crate::browse::model::Item;
use crate::browse::rows::{Row, Rows};
use crate::report::{Layout, RowWriter};

impl App<'_> {
    /// Sets the size of the list. Rows are laid out again if the width has changed.
    pub(in crate::browse) fn resize(&mut self, width: u16, height: u16) {
        if width != self.width {
            self.width = width;
            self.laid_out.borrow_mut().clear();
            self.clamp();
        }
        let is_first = self.height == 0;
        self.height = height;
        if is_first {
            self.begin_at_first_entry();
        }
        self.keep_in_view();
    }

    /// Moves the cursor to the first change or unit, if this is on the first screen together with all that precedes it.
    pub(super) fn begin_at_first_entry(&mut self) {
        let mut position = Position::default();
        for _ in 1..self.height {
            if matches!(
                self.items.get(position.item),
                Some(Item::Entry(_) | Item::Unit(_))
            ) {
                self.cursor = position;
                return;
            }
            let Some(after) = self.after(position) else {
                return;
            };
            position = after;
        }
    }

    /// Returns the width of a row without its gutter, in columns.
    pub(super) fn rows_width(&self) -> usize {
        usize::from(self.width.saturating_sub(GUTTER))
    }

    /// Returns the writer that lays out entries at the current width.
    pub(super) fn writer(&self) -> RowWriter {
        let layout = Layout {
            width: self.rows_width(),
            wraps: true,
            links: false,
            fingerprint: false,
        };
        RowWriter::new(layout, self.model.report.is_list)
    }

    /// Returns the rows of an item, which are laid out if they are not known.
    pub(in crate::browse) fn rows(&self, item: Item) -> Rc<Vec<Row>> {
        if let Some(rows) = self.laid_out.borrow().get(&item) {
            return Rc::clone(rows);
        }
        let rows = Rows {
            model: &self.model,
            scope: self.scope,
            writer: self.writer(),
            width: self.rows_width(),
        };
        let rows = Rc::new(rows.of(item, self.open.get(&item).copied()));
        let mut laid_out = self.laid_out.borrow_mut();
        if laid_out.len() >= MAX_CACHED {
            laid_out.clear();
        }
        laid_out.insert(item, Rc::clone(&rows));
        rows
    }

    /// Returns the number of rows of an item; zero if there is no such item.
    pub(in crate::browse) fn row_count(&self, item: usize) -> usize {
        self.items
            .get(item)
            .map_or(0, |item| self.rows(*item).len())
    }

    /// Returns the position of the next row; `None` at the end of the list.
    pub(in crate::browse) fn after(&self, position: Position) -> Option<Position> {
        if position.row + 1 < self.row_count(position.item) {
            return Some(Position {
                row: position.row + 1,
                ..position
            });
        }
        (position.item + 1 < self.items.len()).then_some(Position {
            item: position.item + 1,
            row: 0,
        })
    }

    /// Returns the position of the previous row; `None` at the beginning of the list.
    pub(super) fn before(&self, position: Position) -> Option<Position> {
        if position.row > 0 {
            return Some(Position {
                row: position.row - 1,
                ..position
            });
        }
        let item = position.item.checked_sub(1)?;
        let row = self.row_count(item).saturating_sub(1);
        Some(Position { item, row })
    }

    /// Returns the position of the last row of the list.
    pub(super) fn last(&self) -> Position {
        let item = self.items.len().saturating_sub(1);
        let row = self.row_count(item).saturating_sub(1);
        Position { item, row }
    }

    /// Moves the cursor and the top of the screen to rows that exist.
    pub(super) fn clamp(&mut self) {
        let last_item = self.items.len().saturating_sub(1);
        for position in [self.cursor, self.top] {
            let item = position.item.min(last_item);
            let row = position.row.min(self.row_count(item).saturating_sub(1));
            let clamped = Position { item, row };
            if position == self.cursor {
                self.cursor = clamped;
            }
            if position == self.top {
                self.top = clamped;
            }
        }
    }

    /// Scrolls so that the cursor is on the screen, and so that no line at the bottom is empty while there are rows
    /// above the top.
    pub(super) fn keep_in_view(&mut self) {
        let height = usize::from(self.height).max(1);
        if self.cursor < self.top {
            self.top = self.cursor;
        }
        // Finds the lowest possible top. The cursor is then on the last line, or what was opened or jumped to ends
        // there.
        let entry = if std::mem::take(&mut self.reveals_entry) && self.cursor.row == 0 {
            self.row_count(self.cursor.item).clamp(1, height)
        } else {
            1
        };
        let mut lowest = self.cursor;
        for _ in entry..height {
            let Some(before) = self.before(lowest) else {
                break;
            };
            lowest = before;
        }
        if self.top < lowest {
            self.top = lowest;
        }
        let mut bottom = self.top;
        let mut shown = 1;
        while shown < height {
            match self.after(bottom) {
                Some(after) => bottom = after,
                None => break,
            }
            shown += 1;
        }
        for _ in shown..height {
            let Some(before) = self.before(self.top) else {
                break;
            };
            self.top = before;
        }
    }
}
