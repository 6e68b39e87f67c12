//! All integration tests, in one binary.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod ci;
mod cli;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/display.rs"]
mod display;
mod docs;
mod faults;
mod growth;
mod inference;
mod layering;
mod packaging;
mod partial;
#[path = "support/random.rs"]
mod random;
mod review;
mod robust;
mod schema;
mod secrets;
mod stream;
mod supply;
mod terminal;
