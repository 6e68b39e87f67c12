//! The terminal: roles and their styles, the writer that cannot emit untrusted bytes, and the
//! environment.

mod env;
mod out;
mod style;
mod visible;

pub use env::{CiSystem, Environment, Terminal, screen, stdout_file};
pub use out::{Out, Rendered, Untrusted, capture};
pub use style::Role;
pub use visible::{is_suspect, push_visible};
