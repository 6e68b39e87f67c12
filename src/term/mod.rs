//! The terminal: roles and their styles, the writer that cannot emit untrusted bytes, and commands in CI
//! logs.

pub mod ci;
mod link;
mod out;
mod style;
mod visible;

pub use ci::CiSystem;
pub use link::percent_encoded;
pub use out::{Out, OutputMode, Rendered, StyledText, TextPart, Untrusted, capture};
pub use style::{Colour, Look, Role};
pub(crate) use visible::is_printable_ascii;
pub use visible::{is_dangerous, is_suspect, push_visible, visible};
