//! Words: quoting, identifiers, wrapping, in-band markup, and every sentence that a user can see.

mod count;
pub mod diagnostic;
pub mod markdown;
pub mod markup;
mod number;
pub mod plan;
mod quote;
pub mod stream;
mod wrap;

pub use count::count;
pub use number::shortest_decimal;
pub use quote::{escape, is_identifier, key, quote};
pub use wrap::wrap;
