//! The state of the browser, and how each event changes it.
//!
//! [`App`] knows neither the terminal nor files: an event changes it, and returns an [`Effect`] for whoever runs it.
//! The files in `app/` handle the keys, by topic.

mod folding;
mod layout;
mod moving;
mod objects;
mod panels;
mod searching;

use std::cell::RefCell;
use std::rc::Rc;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use foldhash::{HashMap, HashMapExt, HashSet};
use ratatui::layout::{Position as Cell, Rect};

use super::details::{Details, ShownValues, SourceFile};
use super::filter::{Chip, Choice, Filter, choices};
use super::keys::{Command, command, help};
use super::model::{Item, Model, Scope};
use super::panel::FilterPanel;
use super::rows::{Detail, Position, Row, is_notable};
use super::search::Search;
use super::tree::Tree;
use super::walk::ReferencePanel;
use crate::report::Report;

/// The settings of the browser: how it looks and what it may do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Whether colors are drawn.
    pub colour: bool,
    /// Whether a plan waits for its answer.
    pub asks: bool,
    /// Whether sensitive values are shown. Then no values are copied.
    pub shows_sensitive: bool,
}

/// The work that an event asks for outside of the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing is to be done; the browser goes on.
    Nothing,
    /// The browser ends. A plan that waits for its answer is not applied.
    Quit,
    /// The process is stopped, as the shell does with `Ctrl-Z`, until it is continued.
    Suspend,
    /// The whole screen is drawn again, because other programs may have changed it.
    Redraw,
    /// The text is copied to the clipboard.
    Copy(String),
    /// An editor opens the file.
    OpenSource(SourceFile),
    /// The plan that waits for its answer is applied, and the browser ends.
    Approve,
}

/// The panel that has the keys.
#[derive(Debug, Default)]
pub(super) enum Mode {
    /// The list.
    #[default]
    List,
    /// The line at the bottom, where a text to search is typed.
    Search,
    /// The panel of filters.
    Filter(FilterPanel),
    /// The tree of modules or units.
    Tree,
    /// The panel of references.
    References(ReferencePanel),
    /// The help.
    Help {
        /// The first line that is shown.
        first: u16,
    },
}

/// The parts of the screen that can be clicked, as they were last drawn.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// The row of the screen on which the list begins.
    pub(super) top: u16,
    /// The column on which the list begins.
    pub(super) left: u16,
    /// The position in the list of each row on the screen.
    pub(super) rows: Vec<Position>,
    /// Whether there was room for the question whether the plan is applied.
    pub(super) has_question: bool,
    /// The filters in the bar at the top, with their areas.
    pub(super) chips: Vec<(Rect, Chip)>,
    /// The area of the tree, and the index of the first row that is drawn in it.
    pub(super) tree: Option<(Rect, usize)>,
}

impl Drawn {
    /// Returns the filter that is drawn at a cell of the screen.
    fn chip_at(&self, column: u16, row: u16) -> Option<Chip> {
        let cell = Cell::new(column, row);
        let chip = self
            .chips
            .iter()
            .find(|(chip_area, _)| chip_area.contains(cell));
        chip.map(|(_, chip)| chip.clone())
    }

    /// Returns the index of the row of the tree that is drawn at a cell of the screen.
    fn branch_at(&self, column: u16, row: u16) -> Option<usize> {
        let (tree_area, first) = self.tree?;
        let is_in = tree_area.contains(Cell::new(column, row));
        is_in.then(|| first + usize::from(row - tree_area.y))
    }
}

/// The width of the columns in front of each row: whether the item is open, and whether it is marked as viewed.
pub(super) const GUTTER: u16 = 2;
/// The maximum number of items whose rows are kept. With more, all are forgotten, and laid out again when they come
/// into view.
const MAX_CACHED: usize = 1_000;
/// The number of rows by which a step of the wheel scrolls.
const WHEEL: usize = 3;
/// The number of rows that the borders of the help take.
const BORDERS: u16 = 2;

/// The browser: the document, and what is open, selected and shown of it.
pub struct App<'r> {
    /// The document as items.
    pub(super) model: Model<'r>,
    /// The settings, which depend on the terminal and the command line.
    pub(super) settings: Settings,
    /// The list that is shown: the units, or the entries of one plan.
    pub(super) scope: Scope,
    /// The items of the shown list that the filter leaves.
    pub(super) items: Vec<Item>,
    /// The position of the selected row.
    pub(super) cursor: Position,
    /// The position of the first row on the screen.
    pub(super) top: Position,
    /// The open items, with the kind of text that each shows.
    open: HashMap<Item, Detail>,
    /// The filter.
    pub(super) filter: Filter,
    /// The search.
    pub(super) search: Search,
    /// The panel that has the keys.
    pub(super) mode: Mode,
    /// The tree for the list that is shown.
    pub(super) tree: Tree,
    /// The message at the bottom of the screen: what the last key did, or could not do.
    pub(super) message: String,
    /// Whether the next drawing scrolls so that as much as possible of the entry at the cursor is visible.
    reveals_entry: bool,
    /// The names of the entries that are marked as viewed, by part. Only parts that were shown are in it.
    viewed: HashMap<usize, HashSet<String>>,
    /// The cursor and the first row on the screen in each list that was left.
    left: HashMap<Scope, (Position, Position)>,
    /// The values that the panel of filters offers, by list.
    choices: HashMap<Scope, Rc<Vec<Choice>>>,
    /// The width of the list on the screen, in columns.
    width: u16,
    /// The height of the list on the screen, in rows.
    pub(super) height: u16,
    /// The rows of the items that came into view, laid out for the current width.
    pub(super) laid_out: RefCell<HashMap<Item, Rc<Vec<Row>>>>,
    /// The parts of the last screen that can be clicked.
    pub(super) drawn: Drawn,
}

impl<'r> App<'r> {
    /// Begins to browse a document. Entries with findings, and those that destroy, are open.
    pub fn new(report: &'r Report<'r>, details: &'r dyn Details, settings: Settings) -> Self {
        let model = Model::new(report, details);
        let records = model.records.iter().enumerate();
        let notable = records.filter(|(_, record)| is_notable(record.entry));
        let open = notable.map(|(index, _)| (Item::Entry(index), Detail::Lines));
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
            reveals_entry: false,
            viewed: HashMap::new(),
            left: HashMap::new(),
            choices: HashMap::new(),
            width: 0,
            height: 0,
            laid_out: RefCell::default(),
            drawn: Drawn::default(),
        };
        // The objects of a group that is open because of a finding are listed only now, because there may be many.
        app.list_again();
        app.show_scope();
        app
    }

    /// Does a part of the work that keys need later, so that they answer at once. Returns false if there is nothing
    /// left to do.
    ///
    /// It is to be called while no key is pressed.
    pub fn prepare(&mut self) -> bool {
        if self.search.prepare(&self.model) {
            return true;
        }
        let is_new = !self.choices.contains_key(&self.scope);
        self.choices();
        is_new
    }

    /// Returns the values that the panel of filters offers. They are counted at the first call for a list.
    fn choices(&mut self) -> Rc<Vec<Choice>> {
        let all = self.choices.entry(self.scope);
        Rc::clone(all.or_insert_with(|| Rc::new(choices(&self.model, self.scope))))
    }

    /// Handles an event of the terminal, and returns what it asks for outside of the browser.
    pub fn update(&mut self, event: &Event) -> Effect {
        match event {
            // Some terminals also report when a key is released.
            Event::Key(key) if key.kind == KeyEventKind::Release => Effect::Nothing,
            Event::Key(key) => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            // What is pasted may be anything, so it is only taken as text to search for.
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

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "most keys and buttons have no command"
    )]
    fn mouse(&mut self, mouse: MouseEvent) -> Effect {
        match mouse.kind {
            MouseEventKind::ScrollDown => self.scroll_down(WHEEL),
            MouseEventKind::ScrollUp => self.scroll_up(WHEEL),
            MouseEventKind::Down(MouseButton::Left) => self.click(mouse.column, mouse.row),
            _ => {}
        }
        Effect::Nothing
    }

    /// Passes a key to the panel that has the keys.
    fn key(&mut self, key: KeyEvent) -> Effect {
        match self.mode {
            Mode::Search => self.key_of_search(key),
            Mode::Filter(_) => self.key_of_filter(key),
            Mode::Tree => self.key_of_tree(key),
            Mode::References(_) => self.key_of_references(key),
            Mode::Help { first } => self.key_of_help(key, first),
            Mode::List => {
                self.message.clear();
                match command(key, self.settings.asks) {
                    Some(command) => self.run(command),
                    None => Effect::Nothing,
                }
            }
        }
    }

    /// Handles a key while the help is shown: scrolls if the help is longer than the screen; any other key closes it.
    fn key_of_help(&mut self, key: KeyEvent, first: u16) -> Effect {
        if is_interrupt(key) {
            return Effect::Quit;
        }
        let lines = help(self.settings.asks).len();
        let shown = self.height.saturating_sub(BORDERS).max(1);
        let last = u16::try_from(lines)
            .unwrap_or(u16::MAX)
            .saturating_sub(shown);
        let moved = match command(key, self.settings.asks) {
            Some(Command::Down) => Some(first.saturating_add(1)),
            Some(Command::Up) => Some(first.saturating_sub(1)),
            Some(Command::PageDown | Command::HalfPageDown) => Some(first.saturating_add(shown)),
            Some(Command::PageUp | Command::HalfPageUp) => Some(first.saturating_sub(shown)),
            Some(Command::First) => Some(0),
            Some(Command::Last) => Some(last),
            _ => None,
        };
        self.mode = match moved {
            Some(first) if last > 0 => Mode::Help {
                first: first.min(last),
            },
            _ => Mode::List,
        };
        Effect::Nothing
    }

    /// Runs a command of the list.
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
            Command::ToolText => self.show_text(ShownValues::Changed),
            Command::AllValues => self.show_text(ShownValues::All),
            Command::Source => return self.source(),
            Command::Copy => return self.copy(),
            Command::Viewed => self.mark_viewed(),
            Command::Help => self.mode = Mode::Help { first: 0 },
            Command::Back => self.back(),
            Command::Suspend => return Effect::Suspend,
            Command::Redraw => return Effect::Redraw,
            Command::Quit => return Effect::Quit,
            Command::Approve => return self.approve(),
            Command::Filter => {
                let choices = self.choices();
                self.mode = Mode::Filter(FilterPanel::new(choices));
            }
            Command::ClearFilters => match self.filter.pop() {
                Some(chip) => {
                    self.list_again();
                    self.say(format!("without {}", chip.text()));
                }
                None => self.say("no filter to remove: press c to add one"),
            },
            Command::Tree if self.tree.is_useful() => self.mode = Mode::Tree,
            Command::Tree => self.say("everything is in one module"),
            Command::References => self.show_references(),
        }
        Effect::Nothing
    }

    /// Whether a plan waits for its answer.
    pub fn asks(&self) -> bool {
        self.settings.asks
    }

    /// Shows a message about what a key did, or could not do.
    pub fn say(&mut self, message: impl Into<String>) {
        self.message = message.into();
    }

    /// Approves the plan, if it waits for its answer.
    fn approve(&mut self) -> Effect {
        // A plan that was not drawn yet cannot be approved, nor one on a screen where the question has no room.
        if self.settings.asks && self.drawn.has_question && !self.drawn.rows.is_empty() {
            Effect::Approve
        } else {
            Effect::Nothing
        }
    }
}

/// Whether a key is Ctrl-C, which quits in every panel.
fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
