//! The keys for a search: typing a text, and going from match to match.
//!
//! The list moves to the first match while the text is typed; Esc returns to where the search began.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{App, Effect, Mode, is_interrupt};
use crate::browse::model::Item;
use crate::text::count;

impl App<'_> {
    /// Begins a search at the cursor.
    pub(super) fn begin_search(&mut self) {
        self.search.begin(&self.model, self.cursor);
        self.mode = Mode::Search;
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "most keys and buttons have no command"
    )]
    /// Handles a key while the text of a search is typed.
    pub(super) fn key_of_search(&mut self, key: KeyEvent) -> Effect {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char(_) if is_interrupt(key) => return Effect::Quit,
            KeyCode::Char('u') if is_control => {
                self.search.query.clear();
                self.search_again();
            }
            KeyCode::Char(_) if is_control => {}
            KeyCode::Char(c) => self.type_letter(c),
            KeyCode::Backspace => {
                if self.search.query.pop().is_none() {
                    self.mode = Mode::List;
                }
                self.search_again();
            }
            KeyCode::Esc => {
                self.cursor = self.search.origin;
                self.search.clear();
                self.mode = Mode::List;
            }
            KeyCode::Enter | KeyCode::Down | KeyCode::Up | KeyCode::Tab => {
                self.mode = Mode::List;
                self.show_match();
            }
            _ => {}
        }
        Effect::Nothing
    }

    /// Adds a letter to the text that is searched.
    pub(super) fn type_letter(&mut self, c: char) {
        self.search.query.push(c);
        self.search_again();
    }

    /// Searches the text again, and goes to the first match at or after the position where the search began.
    pub(super) fn search_again(&mut self) {
        self.search.run(&self.model);
        self.cursor = self.search.origin;
        self.clamp();
        let is_here = self.current().is_some_and(|item| self.is_match(item));
        if !is_here {
            self.go_to(true, Self::is_match_of);
        }
    }

    /// Whether the search found an item; a function for `go_to`.
    pub(super) fn is_match_of(&self, item: Item) -> bool {
        self.is_match(item)
    }

    /// Whether the search found an item.
    pub(in crate::browse) fn is_match(&self, item: Item) -> bool {
        match item {
            Item::Entry(record) => self.search.matches(record),
            Item::Unit(part) => {
                let name = self.model.part(part).map_or("", |part| &*part.row.name);
                self.search.is_in(name) || self.search.matches_part(part)
            }
            Item::Member { .. }
            | Item::Head
            | Item::Heading(_)
            | Item::SharedHeading
            | Item::Elsewhere
            | Item::Outputs
            | Item::Foot => false,
        }
    }

    /// Goes to the next or previous match, and opens it.
    pub(super) fn go_to_match(&mut self, forwards: bool) {
        if self.search.query.is_empty() {
            return self.say("no search yet: press / to begin one");
        }
        if self.go_to(forwards, Self::is_match_of) {
            self.show_match();
        } else {
            self.say(format!("not in this list: {}", self.search.query));
        }
    }

    /// Opens the entry at the cursor if it is a match, and moves to the first row that has the text.
    pub(super) fn show_match(&mut self) {
        let Some(item @ Item::Entry(_)) = self.current().filter(|item| self.is_match(*item)) else {
            return;
        };
        self.set_open_item(item, true);
        let rows = self.rows(item);
        let row = rows.iter().position(|row| self.search.is_in(&row.text()));
        self.cursor.row = row.unwrap_or(0);
    }

    /// Returns how many matches there are, in words: `17 matches`. Empty if nothing is searched.
    pub(in crate::browse) fn search_state(&self) -> String {
        let number = self.search.count();
        if self.search.query.is_empty() {
            return String::new();
        }
        if number == 0 {
            return "no match".to_owned();
        }
        count(number, "match")
    }
}
