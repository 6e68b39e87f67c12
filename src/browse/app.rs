//! The state of the browser, and how each event changes it.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use ratatui::layout::{Position as Cell, Rect};

use super::details::{Details, ObjectId, SourceFile, Values};
use super::filter::{Chip, Facet, Filter, choices};
use super::keys::{Command, command};
use super::model::{Item, Model, Scope};
use super::panel::FilterPanel;
use super::rows::{Detail, Row, Rows, is_notable};
use super::search::Search;
use super::tree::{Branch, Tree};
use super::walk::Walk;
use crate::report::{Layout, Report, RowWriter};
use crate::text::{count, one_line};

/// How the browser looks and what it may do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    pub colour: bool,
    /// A plan waits for its answer.
    pub asks: bool,
    /// Sensitive values are shown, so values are not copied.
    pub shows_sensitive: bool,
}

/// What is to be done outside of the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Nothing,
    Quit,
    Suspend,
    /// The screen may have been changed by others.
    Redraw,
    Copy(String),
    OpenSource(SourceFile),
    Approve,
}

/// A row of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) item: usize,
    pub(super) row: usize,
}

/// What keys are for.
#[derive(Debug, Default)]
pub(super) enum Mode {
    #[default]
    List,
    /// Typing a text to search.
    Search,
    Filter(FilterPanel),
    Tree,
    References(Walk),
    Help,
}

/// The rows that are drawn, to find what was clicked.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    pub(super) top: u16,
    pub(super) left: u16,
    pub(super) rows: Vec<Position>,
    pub(super) chips: Vec<(Rect, Chip)>,
    /// The tree, and its first row that is drawn.
    pub(super) tree: Option<(Rect, usize)>,
}

impl Drawn {
    fn chip_at(&self, column: u16, row: u16) -> Option<Chip> {
        let at = Cell::new(column, row);
        let chip = self.chips.iter().find(|(place, _)| place.contains(at));
        chip.map(|(_, chip)| chip.clone())
    }

    /// The index of a row of the tree.
    fn branch_at(&self, column: u16, row: u16) -> Option<usize> {
        let (place, first) = self.tree?;
        let is_in = place.contains(Cell::new(column, row));
        is_in.then(|| first + usize::from(row - place.y))
    }
}

/// The columns in front of rows: whether the item is open, and whether it is marked as viewed.
pub(super) const GUTTER: u16 = 2;
/// More rows are laid out again when they come into view again.
const MAX_CACHED: usize = 1_000;
/// The rows that the wheel moves by.
const WHEEL: usize = 3;

/// The browser.
pub struct App<'r> {
    pub(super) model: Model<'r>,
    pub(super) settings: Settings,
    pub(super) scope: Scope,
    pub(super) items: Vec<Item>,
    pub(super) cursor: Position,
    pub(super) top: Position,
    open: HashMap<Item, Detail>,
    pub(super) filter: Filter,
    pub(super) search: Search,
    pub(super) mode: Mode,
    /// Of the list that is shown.
    pub(super) tree: Tree,
    /// What the last key did or could not do.
    pub(super) message: String,
    /// The marks of the parts that were shown.
    viewed: HashMap<usize, HashSet<String>>,
    /// Where the cursor was in lists that were left.
    left: HashMap<Scope, (Position, Position)>,
    /// Of the list, in columns and rows.
    width: u16,
    pub(super) height: u16,
    laid_out: RefCell<HashMap<Item, Rc<Vec<Row>>>>,
    pub(super) drawn: Drawn,
}

impl<'r> App<'r> {
    /// Entries with findings are open.
    pub fn new(report: &'r Report<'r>, details: &'r dyn Details, settings: Settings) -> Self {
        let model = Model::new(report, details);
        let records = model.records.iter().enumerate();
        let notable = records.filter(|(_, record)| is_notable(record.entry));
        let open = notable.map(|(at, _)| (Item::Entry(at), Detail::Lines));
        let mut app = Self {
            scope: model.scope(),
            open: open.collect(),
            model,
            settings,
            items: Vec::new(),
            cursor: Position::default(),
            top: Position::default(),
            filter: Filter::default(),
            search: Search::default(),
            mode: Mode::default(),
            tree: Tree::default(),
            message: String::new(),
            viewed: HashMap::new(),
            left: HashMap::new(),
            width: 0,
            height: 0,
            laid_out: RefCell::default(),
            drawn: Drawn::default(),
        };
        // Groups that are open because of a finding do not list their objects, which may be many.
        app.list_again();
        app.show_scope();
        app
    }

    /// Handles an event of the terminal.
    pub fn update(&mut self, event: &Event) -> Effect {
        match event {
            // Some terminals also report that a key is released.
            Event::Key(key) if key.kind == KeyEventKind::Release => Effect::Nothing,
            Event::Key(key) => self.key(*key),
            Event::Mouse(mouse) => {
                match mouse.kind {
                    MouseEventKind::ScrollDown => self.scroll_down(WHEEL),
                    MouseEventKind::ScrollUp => self.scroll_up(WHEEL),
                    MouseEventKind::Down(MouseButton::Left) => self.click(mouse.column, mouse.row),
                    _ => {}
                }
                Effect::Nothing
            }
            // What is pasted may be anything: it is only text to search for.
            Event::Paste(text) => {
                if matches!(self.mode, Mode::Search) {
                    text.chars()
                        .filter(|c| !c.is_control())
                        .for_each(|c| self.type_letter(c));
                }
                Effect::Nothing
            }
            Event::Resize(..) | Event::FocusGained | Event::FocusLost => Effect::Nothing,
        }
    }

    fn key(&mut self, key: KeyEvent) -> Effect {
        match self.mode {
            Mode::Search => self.key_of_search(key),
            Mode::Filter(_) => self.key_of_filter(key),
            Mode::Tree => self.key_of_tree(key),
            Mode::References(_) => self.key_of_references(key),
            Mode::Help => {
                self.mode = Mode::List;
                match command(key, self.settings.asks) {
                    Some(Command::Quit) if key.code != KeyCode::Char('q') => Effect::Quit,
                    _ => Effect::Nothing,
                }
            }
            Mode::List => {
                self.message.clear();
                match command(key, self.settings.asks) {
                    Some(command) => self.run(command),
                    None => Effect::Nothing,
                }
            }
        }
    }

    fn run(&mut self, command: Command) -> Effect {
        let page = usize::from(self.height.saturating_sub(1)).max(1);
        match command {
            Command::Down => self.down(1),
            Command::Up => self.up(1),
            Command::PageDown => self.down(page),
            Command::PageUp => self.up(page),
            Command::HalfPageDown => self.down(page.div_ceil(2)),
            Command::HalfPageUp => self.up(page.div_ceil(2)),
            Command::First => self.cursor = Position::default(),
            Command::Last => self.cursor = self.last(),
            Command::Toggle => self.toggle(),
            Command::Open => self.set_open(true),
            Command::Close => self.close(),
            Command::ToggleAll => self.toggle_all(),
            Command::NextFinding => self.go_to_finding(true),
            Command::PreviousFinding => self.go_to_finding(false),
            Command::Search => self.begin_search(),
            Command::NextMatch => self.go_to_match(true),
            Command::PreviousMatch => self.go_to_match(false),
            Command::ToolText => self.show_text(Values::Changed),
            Command::AllValues => self.show_text(Values::All),
            Command::Source => return self.source(),
            Command::Copy => return self.copy(),
            Command::Viewed => self.mark_viewed(),
            Command::Help => self.mode = Mode::Help,
            Command::Back => self.back(),
            Command::Suspend => return Effect::Suspend,
            Command::Redraw => return Effect::Redraw,
            Command::Quit => return Effect::Quit,
            Command::Approve => return self.approve(),
            Command::Filter => {
                let choices = choices(&self.model, self.scope);
                self.mode = Mode::Filter(FilterPanel::new(choices));
            }
            Command::ClearFilters => match self.filter.pop() {
                Some(chip) => {
                    self.list_again();
                    self.say(format!("without {}", chip.text()));
                }
                None => self.say("no filter to remove: c adds one"),
            },
            Command::Tree if self.tree.is_useful() => self.mode = Mode::Tree,
            Command::Tree => self.say("everything is in one module"),
            Command::References => self.show_references(),
        }
        Effect::Nothing
    }

    /// Says what a key could not do, or did.
    pub fn say(&mut self, message: impl Into<String>) {
        self.message = message.into();
    }

    // Layout

    /// Takes the size of the list. Rows are laid out again if its width is another one.
    pub(super) fn resize(&mut self, width: u16, height: u16) {
        if width != self.width {
            self.width = width;
            self.laid_out.borrow_mut().clear();
            self.clamp();
        }
        self.height = height;
        self.keep_in_view();
    }

    fn rows_width(&self) -> usize {
        usize::from(self.width.saturating_sub(GUTTER))
    }

    fn writer(&self) -> RowWriter {
        let layout = Layout {
            width: self.rows_width(),
            wraps: true,
            links: false,
            fingerprint: false,
        };
        RowWriter::new(layout, self.model.report.is_list)
    }

    /// The rows of an item, which are laid out if they were not before.
    pub(super) fn rows(&self, item: Item) -> Rc<Vec<Row>> {
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

    /// How many items have been laid out since something changed.
    #[cfg(test)]
    pub(super) fn laid_out_count(&self) -> usize {
        self.laid_out.borrow().len()
    }

    pub(super) fn row_count(&self, item: usize) -> usize {
        self.items
            .get(item)
            .map_or(0, |item| self.rows(*item).len())
    }

    /// The row that follows.
    pub(super) fn after(&self, at: Position) -> Option<Position> {
        if at.row + 1 < self.row_count(at.item) {
            return Some(Position {
                row: at.row + 1,
                ..at
            });
        }
        (at.item + 1 < self.items.len()).then_some(Position {
            item: at.item + 1,
            row: 0,
        })
    }

    fn before(&self, at: Position) -> Option<Position> {
        if at.row > 0 {
            return Some(Position {
                row: at.row - 1,
                ..at
            });
        }
        let item = at.item.checked_sub(1)?;
        let row = self.row_count(item).saturating_sub(1);
        Some(Position { item, row })
    }

    fn last(&self) -> Position {
        let item = self.items.len().saturating_sub(1);
        let row = self.row_count(item).saturating_sub(1);
        Position { item, row }
    }

    /// Moves positions that do not exist any more.
    fn clamp(&mut self) {
        let last_item = self.items.len().saturating_sub(1);
        for at in [self.cursor, self.top] {
            let item = at.item.min(last_item);
            let row = at.row.min(self.row_count(item).saturating_sub(1));
            let clamped = Position { item, row };
            if at == self.cursor {
                self.cursor = clamped;
            }
            if at == self.top {
                self.top = clamped;
            }
        }
    }

    /// Scrolls so that the cursor is on the screen, and that no row is empty that could be used.
    fn keep_in_view(&mut self) {
        let height = usize::from(self.height).max(1);
        if self.cursor < self.top {
            self.top = self.cursor;
        }
        // The first row with which the cursor is on the last line.
        let mut lowest = self.cursor;
        for _ in 1..height {
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

    // Moving

    fn down(&mut self, rows: usize) {
        for _ in 0..rows {
            let Some(after) = self.after(self.cursor) else {
                break;
            };
            self.cursor = after;
        }
    }

    fn up(&mut self, rows: usize) {
        for _ in 0..rows {
            let Some(before) = self.before(self.cursor) else {
                break;
            };
            self.cursor = before;
        }
    }

    fn scroll_down(&mut self, rows: usize) {
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

    fn scroll_up(&mut self, rows: usize) {
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

    fn click(&mut self, column: u16, row: u16) {
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
        let Some(at) = self.drawn.rows.get(usize::from(line)).copied() else {
            return;
        };
        self.cursor = at;
        if at.row == 0 {
            self.toggle();
        }
    }

    pub(super) fn current(&self) -> Option<Item> {
        self.items.get(self.cursor.item).copied()
    }

    /// The record of an entry or of one of its objects.
    fn record_of(item: Item) -> Option<usize> {
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

    /// Moves to the next or previous item for which `is_wanted` holds, beyond the ends too.
    fn go_to(&mut self, forwards: bool, is_wanted: impl Fn(&Self, Item) -> bool) -> bool {
        let number = self.items.len();
        for step in 1..=number {
            let at = if forwards {
                (self.cursor.item + step) % number
            } else {
                (self.cursor.item + number - step) % number
            };
            let is_wanted = self
                .items
                .get(at)
                .is_some_and(|item| is_wanted(self, *item));
            if is_wanted {
                self.cursor = Position { item: at, row: 0 };
                return true;
            }
        }
        false
    }

    fn go_to_finding(&mut self, forwards: bool) {
        let is_notable = |app: &Self, item| match item {
            Item::Entry(record) => app
                .model
                .record(record)
                .is_some_and(|record| is_notable(record.entry)),
            Item::Unit(part) => app.model.part(part).is_some_and(|part| {
                part.headline.errored || part.headline.level > crate::report::Level::None
            }),
            _ => false,
        };
        if !self.go_to(forwards, is_notable) {
            self.say("no finding");
        }
    }

    // Opening and closing

    /// Lists the items again, and stays at the same one.
    pub(super) fn list_again(&mut self) {
        let current = self.current();
        let open: HashSet<Item> = self
            .open
            .keys()
            .filter(|item| matches!(item, Item::Entry(record) if self.lists_members(*record)))
            .copied()
            .collect();
        self.items = self.model.items(self.scope, &self.filter, &open);
        self.laid_out.borrow_mut().clear();
        // The item itself, or the entry whose object it was, or one that is near.
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

    /// Whether the objects of an open entry are items.
    fn lists_members(&self, record: usize) -> bool {
        self.model
            .record(record)
            .is_some_and(|record| record.has_members())
    }

    pub(super) fn is_open(&self, item: Item) -> bool {
        self.open.contains_key(&item)
    }

    /// Whether an item has more to show than a closed one does.
    pub(super) fn can_open(&self, item: Item) -> bool {
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

    fn toggle(&mut self) {
        match self.current() {
            Some(Item::Unit(part)) => self.enter(Scope::Part(part)),
            Some(item) => self.set_open_item(item, !self.is_open(item)),
            None => {}
        }
    }

    fn set_open(&mut self, is_open: bool) {
        match self.current() {
            Some(Item::Unit(part)) if is_open => self.enter(Scope::Part(part)),
            Some(item) => self.set_open_item(item, is_open),
            None => {}
        }
    }

    fn set_open_item(&mut self, item: Item, is_open: bool) {
        if !self.can_open(item) || self.is_open(item) == is_open {
            return;
        }
        if is_open {
            self.open.insert(item, Detail::default());
        } else {
            self.open.remove(&item);
            self.cursor.row = 0;
        }
        match item {
            Item::Entry(record) if self.lists_members(record) => self.list_again(),
            _ => {
                self.laid_out.borrow_mut().remove(&item);
            }
        }
    }

    /// Closes the entry; if it is closed, goes to what it belongs to.
    fn close(&mut self) {
        match self.current() {
            Some(item) if self.is_open(item) => self.set_open_item(item, false),
            Some(Item::Member { record, .. }) => {
                let entry = Item::Entry(record);
                if let Some(at) = self.items.iter().position(|item| *item == entry) {
                    self.cursor = Position { item: at, row: 0 };
                }
            }
            _ => self.leave(),
        }
    }

    /// Opens all entries, or closes all if all are open.
    fn toggle_all(&mut self) {
        let entries: Vec<Item> = self
            .items
            .iter()
            .copied()
            .filter(|item| matches!(item, Item::Entry(_) | Item::Outputs))
            .collect();
        let are_open = entries.iter().all(|item| self.is_open(*item));
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

    /// Goes into a unit.
    fn enter(&mut self, scope: Scope) {
        self.left.insert(self.scope, (self.cursor, self.top));
        self.scope = scope;
        let (cursor, top) = self.left.get(&scope).copied().unwrap_or_default();
        self.items.clear();
        self.list_again();
        (self.cursor, self.top) = (cursor, top);
        self.clamp();
        self.show_scope();
    }

    /// Prepares what belongs to the list that is shown.
    fn show_scope(&mut self) {
        self.tree = Tree::new(&self.model, self.scope);
        self.read_viewed();
    }

    /// Goes back to the units.
    fn leave(&mut self) {
        if self.scope != self.model.scope() {
            self.enter(self.model.scope());
        }
    }

    /// Takes back what was done last: the search, the filters, the unit.
    fn back(&mut self) {
        if !self.search.query.is_empty() {
            self.search.clear();
        } else if !self.filter.is_empty() {
            self.filter.clear();
            self.list_again();
        } else {
            self.leave();
        }
    }

    // What is shown of an object

    /// The object that the cursor is on; `None` for an entry about several.
    fn object(&self) -> Option<ObjectId> {
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

    fn only_object(&mut self) -> Option<ObjectId> {
        let object = self.object();
        if object.is_none() {
            self.say("go to a change first: one of several objects is below its entry");
        }
        object
    }

    /// Shows the text of the tool, or goes back to the lines of the review.
    fn show_text(&mut self, values: Values) {
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
        self.laid_out.borrow_mut().remove(&item);
        self.clamp();
        self.say(match (is_shown, values) {
            (true, _) => "without the text of the tool",
            (false, Values::Changed) => "with the text of the tool",
            (false, Values::All) => "with all values",
        });
    }

    fn source(&mut self) -> Effect {
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

    fn copy(&mut self) -> Effect {
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
        let text = crate::term::visible(&text);
        if text.is_empty() {
            self.say("nothing to copy here");
            return Effect::Nothing;
        }
        self.say(format!("copied: {text}"));
        Effect::Copy(text)
    }

    // Viewed marks

    fn read_viewed(&mut self) {
        if let Scope::Part(part) = self.scope
            && !self.viewed.contains_key(&part)
        {
            let viewed = self.model.details.viewed(part);
            self.viewed.insert(part, viewed.into_iter().collect());
        }
    }

    pub(super) fn is_viewed(&self, item: Item) -> bool {
        let Item::Entry(record) = item else {
            return false;
        };
        self.model.record(record).is_some_and(|record| {
            let viewed = self.viewed.get(&record.part);
            viewed.is_some_and(|viewed| viewed.contains(&record.name()))
        })
    }

    /// How many of the entries of the list are marked as viewed, and how many there are.
    pub(super) fn progress(&self) -> Option<String> {
        let Scope::Part(part) = self.scope else {
            return None;
        };
        let viewed = self.viewed.get(&part).filter(|viewed| !viewed.is_empty())?;
        let all = self.model.records_of(self.scope).len();
        Some(format!("{} of {all} viewed", viewed.len()))
    }

    fn mark_viewed(&mut self) {
        let record = self.current().and_then(Self::record_of);
        let Some(record) = record.and_then(|record| self.model.record(record)) else {
            return self.say("go to a change first");
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

    // Search

    fn begin_search(&mut self) {
        self.search.begin(&self.model, self.cursor);
        self.mode = Mode::Search;
    }

    fn key_of_search(&mut self, key: KeyEvent) -> Effect {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if is_control => return Effect::Quit,
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

    fn type_letter(&mut self, c: char) {
        self.search.query.push(c);
        self.search_again();
    }

    /// Goes to the first match at or after the place where the search began.
    fn search_again(&mut self) {
        self.search.run();
        self.cursor = self.search.origin;
        self.clamp();
        let is_here = self.current().is_some_and(|item| self.is_match(item));
        if !is_here {
            self.go_to(true, Self::is_match_of);
        }
    }

    fn is_match_of(&self, item: Item) -> bool {
        self.is_match(item)
    }

    pub(super) fn is_match(&self, item: Item) -> bool {
        match item {
            Item::Entry(record) => self.search.matches(record),
            Item::Unit(part) => {
                let records = self.model.records.iter().enumerate();
                let mut own = records.filter(|(_, record)| record.part == part);
                let name = self.model.part(part).map_or("", |part| &*part.row.name);
                self.search.is_in(name) || own.any(|(record, _)| self.search.matches(record))
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

    fn go_to_match(&mut self, forwards: bool) {
        if self.search.query.is_empty() {
            return self.say("nothing was searched: / begins");
        }
        if self.go_to(forwards, Self::is_match_of) {
            self.show_match();
        } else {
            self.say(format!("not in this list: {}", self.search.query));
        }
    }

    /// Opens the match, and goes to the row that has it.
    fn show_match(&mut self) {
        let Some(item @ Item::Entry(_)) = self.current().filter(|item| self.is_match(*item)) else {
            return;
        };
        self.set_open_item(item, true);
        let rows = self.rows(item);
        let row = rows.iter().position(|row| self.search.is_in(&row.text()));
        self.cursor.row = row.unwrap_or(0);
    }

    /// `3 of 17 matches`.
    pub(super) fn search_state(&self) -> String {
        let number = self.search.count();
        if self.search.query.is_empty() {
            return String::new();
        }
        if number == 0 {
            return "no match".to_owned();
        }
        count(number, "match")
    }

    // Panels

    fn key_of_filter(&mut self, key: KeyEvent) -> Effect {
        let page = isize::try_from(self.height / 2).unwrap_or(1);
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let Mode::Filter(panel) = &mut self.mode else {
            return Effect::Nothing;
        };
        match key.code {
            KeyCode::Char('c') if is_control => return Effect::Quit,
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
            KeyCode::Backspace => {
                if !panel.remove_letter() {
                    self.mode = Mode::List;
                }
            }
            KeyCode::Esc => self.mode = Mode::List,
            KeyCode::Char(c) if !is_control => panel.type_letter(c),
            _ => {}
        }
        Effect::Nothing
    }

    fn key_of_tree(&mut self, key: KeyEvent) -> Effect {
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
            Some(Command::Quit) if key.code == KeyCode::Char('q') => self.mode = Mode::List,
            Some(Command::Quit) => return Effect::Quit,
            Some(_) | None => {}
        }
        Effect::Nothing
    }

    /// Shows the unit, or only what is in the module.
    fn choose_branch(&mut self) {
        self.mode = Mode::List;
        match self.tree.current().cloned() {
            Some(Branch::Unit(part)) => self.enter(Scope::Part(part)),
            Some(Branch::Module(value)) => self.show_module(Some(value)),
            Some(Branch::All) => self.show_module(None),
            None => {}
        }
    }

    fn show_module(&mut self, module: Option<String>) {
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

    fn show_references(&mut self) {
        let Some(id) = self.only_object() else { return };
        let Some(object) = self.model.object(id) else {
            return self.say("nothing is known about what it depends on");
        };
        match Walk::new(&self.model, id.part, object.address) {
            Ok(walk) => self.mode = Mode::References(walk),
            Err(why) => self.say(why),
        }
    }

    fn key_of_references(&mut self, key: KeyEvent) -> Effect {
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
            Some(Command::Quit) if key.code == KeyCode::Char('q') => self.mode = Mode::List,
            Some(Command::Quit) => return Effect::Quit,
            None if key.code == KeyCode::Char('o') => {
                let entry = walk.entry(&self.model);
                self.mode = Mode::List;
                self.go_to_entry(entry);
            }
            Some(_) | None => {}
        }
        Effect::Nothing
    }

    /// Goes to the change of a resource, without filters that leave it out.
    fn go_to_entry(&mut self, entry: Option<Item>) {
        let Some(entry) = entry else {
            return self.say("it does not change");
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

    // The answer

    fn approve(&mut self) -> Effect {
        // Nothing is approved that was not drawn.
        if self.settings.asks && !self.drawn.rows.is_empty() {
            Effect::Approve
        } else {
            Effect::Nothing
        }
    }
}
