//! The browser, which shows a document in the terminal, entry by entry.
//!
//! It is one more writer of the report of a review or a comparison: it folds, searches and filters the entries, and
//! decides nothing about them.
//!
//! [`App`] holds what is open, chosen and shown. [`App::update`] takes each event of the terminal and returns what is
//! to be done outside; [`view::draw`] draws the screen. Neither reads the terminal, a file or the clock: `cli` does.
//!
//! Invariants: every entry of the document can be reached by keys; a row is laid out when it comes into view; all texts
//! on the screen are safe to show; a plan that waits for its answer is approved only by a key that was pressed after
//! the plan was drawn.
//!
//! ```no_run
//! # fn run(report: &tfview::internals::report::Report<'_>, details: &dyn tfview::internals::browse::Details) {
//! use tfview::internals::browse::{App, Settings};
//!
//! let mut app = App::new(report, details, Settings::default());
//! # let event = crossterm::event::Event::FocusGained;
//! let effect = app.update(&event);
//! # }
//! ```

mod app;
mod details;
mod filter;
mod keys;
mod model;
mod panel;
mod rows;
mod search;
mod state;
mod tree;
pub mod view;
mod walk;

#[cfg(test)]
mod tests;

pub use app::{App, Effect, Settings};
pub use details::{Details, ObjectDetails, ObjectId, ShownValues, SourceFile};
pub use keys::{Command, HELP, HELP_OF_ANSWER, HelpLine};
pub use state::{state_references, state_report};
