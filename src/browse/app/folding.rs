//! Opening and closing items, and changing between the list of units and that of a plan.
//!
//! Invariant: the cursor stays on the item that is opened or closed.

use foldhash::HashSet;

use super::{App, Position};
use crate::browse::filter::Facet;
use crate::browse::model::{Item, Scope};
use crate::browse::rows::Detail;
use crate::browse::tree::Tree;

impl App<'_> {
    /// Lists the items again after the filter or the open items have changed. The cursor stays on the same item if it
    /// is still listed.
    pub(in crate::browse) fn list_again(&mut self) {
        let current = self.current();
        let open: HashSet<Item> = self
            .open
            .keys()
            .filter(|item| matches!(item, Item::Entry(record) if self.lists_members(*record)))
            .copied()
            .collect();
        self.items = self.filter.items(&self.model, self.scope, &open);
        self.laid_out.borrow_mut().clear();
        // The item itself, or the entry to which it belonged as an object. Otherwise the cursor stays near.
        let entry = current.and_then(Self::record_of).map(Item::Entry);
        let same = [current, entry]
            .into_iter()
            .flatten()
            .find_map(|wanted| self.items.iter().position(|item| *item == wanted));
        if let Some(item) = same {
            self.cursor.item = item;
        }
        self.top = Position {
            item: self.top.item.min(self.items.len().saturating_sub(1)),
            row: 0,
        };
        self.clamp();
    }

    /// Whether the objects of an entry are listed as items while it is open.
    pub(super) fn lists_members(&self, record: usize) -> bool {
        self.model
            .record(record)
            .is_some_and(|record| record.has_members())
    }

    pub(in crate::browse) fn is_open(&self, item: Item) -> bool {
        self.open.contains_key(&item)
    }

    /// Whether an open item shows more than a closed one does.
    pub(in crate::browse) fn can_open(&self, item: Item) -> bool {
        match item {
            Item::Entry(_) | Item::Member { .. } | Item::Outputs => true,
            Item::Unit(_)
            | Item::Head
            | Item::Heading(_)
            | Item::SharedHeading
            | Item::Elsewhere
            | Item::Foot => false,
        }
    }

    /// Opens or closes the item at the cursor, or goes into the unit.
    pub(super) fn toggle(&mut self) {
        match self.current() {
            Some(Item::Unit(part)) => self.enter(Scope::Part(part)),
            Some(item) => self.set_open_item(item, !self.is_open(item)),
            None => {}
        }
    }

    /// Opens or closes the item at the cursor. Opening a unit goes into it.
    pub(super) fn set_open(&mut self, is_open: bool) {
        match self.current() {
            Some(Item::Unit(part)) if is_open => self.enter(Scope::Part(part)),
            Some(item) => self.set_open_item(item, is_open),
            None => {}
        }
    }

    /// Opens or closes an item, and forgets the rows that are no longer right.
    pub(super) fn set_open_item(&mut self, item: Item, is_open: bool) {
        if !self.can_open(item) || self.is_open(item) == is_open {
            return;
        }
        if is_open {
            self.open.insert(item, Detail::default());
            self.reveals_entry = true;
        } else {
            self.open.remove(&item);
            self.cursor.row = 0;
        }
        if matches!(item, Item::Entry(record) if self.lists_members(record)) {
            self.list_again();
        } else {
            self.laid_out.borrow_mut().remove(&item);
        }
    }

    /// Closes the item at the cursor. If it is closed already, moves to the entry that contains it, or to the list of
    /// units.
    pub(super) fn close(&mut self) {
        let Some(item) = self.current() else { return };
        if self.is_open(item) {
            return self.set_open_item(item, false);
        }
        let Item::Member { record, .. } = item else {
            return self.leave();
        };
        let entry = Item::Entry(record);
        if let Some(item) = self.items.iter().position(|item| *item == entry) {
            self.cursor = Position { item, row: 0 };
        }
    }

    /// Opens all entries, or closes all of them if all are open.
    pub(super) fn toggle_all(&mut self) {
        let entries: Vec<Item> = self
            .items
            .iter()
            .copied()
            .filter(|item| matches!(item, Item::Entry(_) | Item::Outputs))
            .collect();
        let are_open = entries.iter().all(|item| self.is_open(*item));
        if !are_open {
            self.open.reserve(entries.len());
        }
        for item in entries {
            if are_open {
                self.open.remove(&item);
            } else {
                self.open.entry(item).or_default();
            }
        }
        self.cursor.row = 0;
        self.list_again();
        self.say(if are_open { "all closed" } else { "all open" });
    }

    /// Shows another list, with the cursor where it was when that list was left. A filter that leaves out the unit is
    /// removed.
    pub(super) fn enter(&mut self, scope: Scope) {
        if let Scope::Part(part) = scope
            && !self.filter.allows_part(&self.model, part)
        {
            self.filter.remove(Facet::Unit);
        }
        self.left.insert(self.scope, (self.cursor, self.top));
        self.scope = scope;
        let (cursor, top) = self.left.get(&scope).copied().unwrap_or_default();
        self.items.clear();
        self.list_again();
        (self.cursor, self.top) = (cursor, top);
        self.clamp();
        self.show_scope();
    }

    /// Prepares the tree of the list that is shown, and reads which entries are marked as viewed.
    pub(super) fn show_scope(&mut self) {
        self.tree = Tree::new(&self.model, self.scope);
        self.read_viewed();
    }

    /// Goes back to the list of units, if there is one.
    pub(super) fn leave(&mut self) {
        if self.scope != self.model.scope() {
            self.enter(self.model.scope());
        }
    }

    /// Clears the search. Without a search, clears all filters; without filters, goes back to the list of units.
    pub(super) fn back(&mut self) {
        if !self.search.query.is_empty() {
            self.search.clear();
        } else if !self.filter.is_empty() {
            self.filter.clear();
            self.list_again();
        } else {
            self.leave();
        }
    }
}
