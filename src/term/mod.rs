//! The terminal: roles and their styles, the writer that cannot emit untrusted bytes, commands in CI logs,
//! and the environment.

pub mod ci;
mod env;
mod out;
mod pieces;
mod style;
mod visible;

pub use env::{CiSystem, Environment, Terminal, screen, stdout_file};
pub use out::{Out, OutputMode, Rendered, Untrusted, capture};
pub use pieces::{Colour, Look, pieces};
pub use style::Role;
pub use visible::{is_dangerous, is_suspect, push_visible, visible};
