//! The output to terminals and logs: roles and looks, the writer that cannot emit untrusted bytes, and commands in CI
//! logs.
//!
//! Invariants: text from an input passes [`Untrusted`]. Nothing here asks for the terminal or the environment; callers
//! say what to write.

pub mod ci;
mod look;
mod out;
mod styled;
mod visible;

pub use ci::CiSystem;
pub use look::{Colour, Look, Role};
pub use out::{KeptOut, Out, OutputMode, Rendered, TextPart, Untrusted, capture};
pub use styled::StyledText;
pub(crate) use visible::is_printable_ascii;
pub use visible::{is_dangerous, is_suspect, percent_encoded, push_visible, visible};
