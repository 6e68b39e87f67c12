//! All integration tests, in one binary.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cli;
mod inference;
mod layering;
mod schema;
