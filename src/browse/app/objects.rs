//! The commands for one change: the tool's text, its source, a copy of its address, and marks.
//!
//! Invariant: what is copied is visible text, without control characters, and nothing sensitive.

use super::{App, Effect};
use crate::browse::details::{ObjectId, ShownValues};
use crate::browse::model::{Item, Scope};
use crate::browse::rows::Detail;
use crate::term::visible;
use crate::text::one_line;

impl App<'_> {
    /// Returns the object at the cursor. `None` for an entry about several objects, and for items that are not about an
    /// object.
    pub(super) fn object(&self) -> Option<ObjectId> {
        match self.current()? {
            Item::Entry(record) => {
                let record = self.model.record(record)?;
                record.objects().next().filter(|_| !record.has_members())
            }
            Item::Member { record, index } => self.model.record(record)?.objects().nth(index),
            Item::Head
            | Item::Heading(_)
            | Item::SharedHeading
            | Item::Elsewhere
            | Item::Unit(_)
            | Item::Outputs
            | Item::Foot => None,
        }
    }

    /// Returns the object at the cursor, or says that one must be selected.
    pub(super) fn only_object(&mut self) -> Option<ObjectId> {
        let object = self.object();
        if object.is_none() {
            self.say("select one of the objects below this entry first");
        }
        object
    }

    /// Shows the text of the tool for the object at the cursor, or hides it if it is shown.
    pub(super) fn show_text(&mut self, values: ShownValues) {
        let (Some(_), Some(item)) = (self.only_object(), self.current()) else {
            return;
        };
        let is_shown = self.open.get(&item) == Some(&Detail::Tool(values));
        let detail = if is_shown {
            Detail::Lines
        } else {
            Detail::Tool(values)
        };
        self.open.insert(item, detail);
        self.reveals_entry = true;
        self.laid_out.borrow_mut().remove(&item);
        self.clamp();
        self.say(match (is_shown, values) {
            (true, _) => "without the text of the tool",
            (false, ShownValues::Changed) => "with the text of the tool",
            (false, ShownValues::All) => "with all values",
        });
    }

    /// Returns the effect of opening the block of the object at the cursor in an editor.
    pub(super) fn source(&mut self) -> Effect {
        let Some(object) = self.only_object() else {
            return Effect::Nothing;
        };
        match self.model.details.source(object) {
            Ok(source) => Effect::OpenSource(source),
            Err(why) => {
                self.say(why);
                Effect::Nothing
            }
        }
    }

    /// Returns the effect of copying what is at the cursor: a value, an address or the name of a unit.
    pub(super) fn copy(&mut self) -> Effect {
        let Some(item) = self.current() else {
            return Effect::Nothing;
        };
        let value = self
            .rows(item)
            .get(self.cursor.row)
            .and_then(|row| row.value.clone());
        let text = match (value, item) {
            (Some(_), _) if self.settings.shows_sensitive => {
                self.say("values are not copied with --show-sensitive: they may be sensitive");
                return Effect::Nothing;
            }
            (Some(value), _) => value,
            (None, Item::Entry(record)) if self.object().is_none() => {
                let entry = self.model.record(record).map(|record| record.entry);
                entry.map_or_else(String::new, |entry| one_line(&entry.address))
            }
            (None, Item::Unit(part)) => {
                let part = self.model.part(part);
                part.map_or_else(String::new, |part| one_line(&part.row.name))
            }
            (None, _) => {
                let object = self.object().and_then(|id| self.model.object(id));
                object.map_or_else(String::new, |object| one_line(object.address))
            }
        };
        let text = visible(&text);
        if text.is_empty() {
            self.say("nothing to copy here");
            return Effect::Nothing;
        }
        self.say(format!("copied: {text}"));
        Effect::Copy(text)
    }

    /// Reads which entries of the shown part are marked as viewed, at most once for each part.
    pub(super) fn read_viewed(&mut self) {
        if let Scope::Part(part) = self.scope
            && !self.viewed.contains_key(&part)
        {
            let viewed = self.model.details.viewed(part);
            self.viewed.insert(part, viewed.into_iter().collect());
        }
    }

    /// Whether an item is an entry that is marked as viewed.
    pub(in crate::browse) fn is_viewed(&self, item: Item) -> bool {
        let Item::Entry(record) = item else {
            return false;
        };
        self.model.record(record).is_some_and(|record| {
            let viewed = self.viewed.get(&record.part);
            viewed.is_some_and(|viewed| viewed.contains(&record.name()))
        })
    }

    /// Returns how many entries of the list are marked as viewed, in words: `2 of 7 viewed`. `None` if there are no
    /// marks, and in the list of units.
    pub(in crate::browse) fn progress(&self) -> Option<String> {
        let Scope::Part(part) = self.scope else {
            return None;
        };
        let viewed = self.viewed.get(&part).filter(|viewed| !viewed.is_empty())?;
        let all = self.model.records_of(self.scope).len();
        Some(format!("{} of {all} viewed", viewed.len()))
    }

    /// Marks the entry at the cursor as viewed, or removes the mark, and stores the marks. After marking, closes the
    /// entry and goes to the next one.
    pub(super) fn mark_viewed(&mut self) {
        let record = self.current().and_then(Self::record_of);
        let Some(record) = record.and_then(|record| self.model.record(record)) else {
            return self.say("select a change first");
        };
        let (part, name) = (record.part, record.name());
        let marks = self.viewed.entry(part).or_default();
        let is_viewed = marks.insert(name.clone());
        if !is_viewed {
            marks.remove(&name);
        }
        let mut all: Vec<String> = marks.iter().cloned().collect();
        all.sort_unstable();
        if let Err(why) = self.model.details.keep_viewed(part, &all) {
            self.say(why);
        }
        if is_viewed && let Some(record) = self.current().and_then(Self::record_of) {
            self.set_open_item(Item::Entry(record), false);
            let next = |_: &Self, item| matches!(item, Item::Entry(_));
            self.go_to(true, next);
        }
    }
}
