//! Words: quoting, identifiers, wrapping, in-band markup.

pub mod markup;
pub mod plan;
mod quote;
mod wrap;

pub use quote::{escape, is_identifier, key, quote};
pub use wrap::wrap;
