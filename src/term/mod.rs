//! The terminal: roles and their styles, and the writer that cannot emit untrusted bytes.

mod out;
mod style;
mod visible;

pub use out::{Out, Untrusted, capture};
pub use style::Role;
pub use visible::{is_suspect, push_visible};
