//! The formats of a comparison: each writes every difference, in the order of the classes.

mod json;
mod lines;
mod markdown;
mod terminal;

pub use json::{FORMAT_VERSION, GateResult, fingerprint_json, json};
pub use markdown::markdown;
pub use terminal::terminal;
