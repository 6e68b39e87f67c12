//! All integration tests in one binary, which links faster than one binary per file. One area, or one test:
//! `cargo test --test suite review::`.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod active;
#[path = "support/archive.rs"]
mod archive;
#[path = "support/base64.rs"]
mod base64;
#[cfg(unix)]
mod browse;
mod ci;
pub(crate) mod cli;
mod compare;
#[path = "support/corpus.rs"]
mod corpus;
mod defects;
#[path = "support/display.rs"]
mod display;
mod docs;
mod exact;
mod faults;
#[cfg(unix)]
mod first_minutes;
mod inference;
#[path = "support/json_schema.rs"]
mod json_schema;
mod layering;
mod library;
#[cfg(unix)]
#[path = "support/open_terminal.rs"]
mod open_terminal;
mod packaging;
mod page;
mod partial;
mod pictures;
#[path = "support/plan.rs"]
mod plan;
mod provider_versions;
#[cfg(unix)]
#[path = "support/pty.rs"]
mod pty;
#[path = "support/random.rs"]
mod random;
mod review;
mod robust;
#[cfg(unix)]
mod run;
mod saved;
mod schema;
mod schema_command;
mod scope;
mod secrets;
#[cfg(unix)]
mod snippets;
mod stream;
mod supply;
mod terminal;
mod units;
