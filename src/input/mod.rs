//! From the bytes of an input to JSON: the encodings of texts, and JSON that other programs have put into
//! other text. Documents (`cli`) and the messages of a run (`stream`) are read with the same rules.

mod encoding;
mod values;

pub use encoding::{Encoding, utf16};
pub use values::Values;
