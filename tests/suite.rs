//! All integration tests, in one binary.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cli;
#[path = "support/display.rs"]
mod display;
mod inference;
mod layering;
#[path = "support/random.rs"]
mod random;
mod schema;
mod secrets;
