//! Words: quoting, identifiers, wrapping.

mod quote;
mod wrap;

pub use quote::{escape, is_identifier, key, quote};
pub use wrap::wrap;
