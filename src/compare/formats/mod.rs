//! The formats of a comparison: each writes every difference, in the order of the classes.

mod html;
mod json;
mod lines;
mod markdown;
mod terminal;

pub use html::html;
pub use json::{FORMAT_VERSION, GateResult, fingerprint_json, json};
pub use markdown::markdown;
pub use terminal::terminal;
