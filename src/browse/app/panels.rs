//! The keys of the panels of filters, of modules and of references.
//!
//! A panel takes all keys while it is open. Esc goes back a step, and closes the panel at its first step.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{App, Effect, Mode, Position, is_interrupt};
use crate::browse::filter::{Chip, Facet};
use crate::browse::keys::{Command, command};
use crate::browse::model::{Item, Scope};
use crate::browse::tree::Branch;
use crate::browse::walk::ReferencePanel;

impl App<'_> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "most keys and buttons have no command"
    )]
    /// Handles a key in the panel of filters: letters narrow down the values, Space chooses one.
    pub(super) fn key_of_filter(&mut self, key: KeyEvent) -> Effect {
        let page = isize::try_from(self.height / 2).unwrap_or(1);
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let Mode::Filter(panel) = &mut self.mode else {
            return Effect::Nothing;
        };
        match key.code {
            KeyCode::Char(_) if is_interrupt(key) => return Effect::Quit,
            KeyCode::Down | KeyCode::Tab => panel.move_by(1),
            KeyCode::Up | KeyCode::BackTab => panel.move_by(-1),
            KeyCode::PageDown => panel.move_by(page),
            KeyCode::PageUp => panel.move_by(-page),
            KeyCode::Home => panel.cursor = 0,
            KeyCode::End => panel.move_by(isize::MAX),
            KeyCode::Enter | KeyCode::Char(' ') => {
                if let Some(chip) = panel.current() {
                    self.filter.toggle(chip);
                    self.list_again();
                }
            }
            KeyCode::Backspace if panel.remove_letter() => {}
            KeyCode::Backspace | KeyCode::Esc => self.mode = Mode::List,
            KeyCode::Char(c) if !is_control => panel.type_letter(c),
            _ => {}
        }
        Effect::Nothing
    }

    /// Handles a key in the tree of modules or units.
    pub(super) fn key_of_tree(&mut self, key: KeyEvent) -> Effect {
        let page = isize::try_from(self.height.saturating_sub(1)).unwrap_or(1);
        match command(key, false) {
            Some(Command::Down) => self.tree.move_by(1),
            Some(Command::Up) => self.tree.move_by(-1),
            Some(Command::PageDown | Command::HalfPageDown) => self.tree.move_by(page),
            Some(Command::PageUp | Command::HalfPageUp) => self.tree.move_by(-page),
            Some(Command::First) => self.tree.cursor = 0,
            Some(Command::Last) => self.tree.move_by(isize::MAX),
            Some(Command::Toggle | Command::Open) => self.choose_branch(),
            Some(Command::Tree | Command::Back | Command::Close) => self.mode = Mode::List,
            Some(Command::Quit) if is_interrupt(key) => return Effect::Quit,
            Some(Command::Quit) => self.mode = Mode::List,
            Some(_) | None => {}
        }
        Effect::Nothing
    }

    /// Shows what the row at the cursor of the tree is about: a unit, the changes in a module, or everything.
    pub(super) fn choose_branch(&mut self) {
        self.mode = Mode::List;
        match self.tree.current().cloned() {
            Some(Branch::Unit(part)) => self.enter(Scope::Part(part)),
            Some(Branch::Module(value)) => self.show_module(Some(value)),
            Some(Branch::All) => {
                self.filter.remove(Facet::Unit);
                self.show_module(None);
            }
            None => {}
        }
    }

    /// Shows only the changes in a module, in place of any other module; `None` shows all.
    pub(super) fn show_module(&mut self, module: Option<String>) {
        self.filter.remove(Facet::Module);
        if let Some(value) = module {
            self.filter.toggle(Chip {
                facet: Facet::Module,
                value,
            });
        }
        self.list_again();
        self.cursor = Position::default();
    }

    /// Opens the panel of references for the object at the cursor, or says why there are none.
    pub(super) fn show_references(&mut self) {
        let Some(id) = self.only_object() else { return };
        let Some(object) = self.model.object(id) else {
            return self.say("no references of this object are known");
        };
        match ReferencePanel::new(&self.model, id.part, object.address) {
            Ok(walk) => self.mode = Mode::References(walk),
            Err(why) => self.say(why),
        }
    }

    /// Handles a key in the panel of references: Enter follows one, Esc goes back, `o` goes to the change of a
    /// resource.
    pub(super) fn key_of_references(&mut self, key: KeyEvent) -> Effect {
        let Mode::References(walk) = &mut self.mode else {
            return Effect::Nothing;
        };
        match command(key, false) {
            Some(Command::Down) => walk.move_by(1),
            Some(Command::Up) => walk.move_by(-1),
            Some(Command::Toggle | Command::Open | Command::References) => {
                walk.follow(&self.model);
            }
            Some(Command::Back | Command::Close) => {
                if !walk.back(&self.model) {
                    self.mode = Mode::List;
                }
            }
            Some(Command::Quit) if is_interrupt(key) => return Effect::Quit,
            Some(Command::Quit) => self.mode = Mode::List,
            None if key.code == KeyCode::Char('o') => {
                let entry = walk.entry(&self.model);
                self.mode = Mode::List;
                self.go_to_entry(entry);
            }
            Some(_) | None => {}
        }
        Effect::Nothing
    }

    /// Moves to an entry and opens it. If filters leave it out, they are removed.
    pub(super) fn go_to_entry(&mut self, entry: Option<Item>) {
        let Some(entry) = entry else {
            return self.say("this resource does not change");
        };
        if !self.items.contains(&entry) {
            self.filter.clear();
            self.list_again();
        }
        if let Some(item) = self.items.iter().position(|item| *item == entry) {
            self.cursor = Position { item, row: 0 };
            self.set_open_item(entry, true);
        }
    }
}
