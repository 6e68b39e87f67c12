//! Text: quoting, identifiers, wrapping, in-band markup, and the sentences in which the dialects differ.

mod count;
pub mod diagnostic;
mod json;
pub mod markdown;
pub mod markup;
mod number;
pub mod plan;
mod quote;
pub mod stream;
mod wrap;

pub use count::{count, cut, first_of, nonzero, one_line};
pub use json::{to_json, write_json};
pub use number::shortest_decimal;
pub use quote::{escape, is_identifier, is_printable, key, quote};
pub use wrap::wrap;

/// The words for a value that is hidden because it is sensitive, or because no schema says what is.
pub fn hidden_value(lacks_schema: bool) -> &'static str {
    if lacks_schema { "(value hidden: no schema says what is sensitive)" } else { "(sensitive value)" }
}
