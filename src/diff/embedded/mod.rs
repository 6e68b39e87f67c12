//! Strings that hold documents: base64, gzip in base64, YAML. (JSON is read by `json`.)
//!
//! Invariant: a string counts as one of these only if all of it reads as that; what is decoded is
//! bounded by the caller, so that a small input cannot become a large one.

mod base64;
mod yaml;

use std::io::Read;

use bumpalo::Bump;

use crate::json::Value;

/// A document is larger than its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The text that a string of base64 stands for, and whether it was packed with gzip. None if it is
/// not base64, or not of a text.
pub fn base64_text(text: &str, largest: usize) -> Result<Option<(String, bool)>, TooLarge> {
    let Some(bytes) = base64::decode(text) else { return Ok(None) };
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return if bytes.len() > largest {
            Err(TooLarge)
        } else {
            Ok(printable(bytes).map(|text| (text, false)))
        };
    }
    let mut unpacked = Vec::new();
    let limit = (largest as u64).saturating_add(1);
    if flate2::read::MultiGzDecoder::new(&*bytes).take(limit).read_to_end(&mut unpacked).is_err() {
        return Ok(None);
    }
    if unpacked.len() > largest { Err(TooLarge) } else { Ok(printable(unpacked).map(|text| (text, true))) }
}

fn printable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\t' | '\r');
    (!text.is_empty() && text.chars().all(is_text)).then_some(text)
}

/// What a text of YAML holds, if it is surely meant as YAML: one document, with names that people
/// give, and nothing that JSON could not say. Scalars that YAML 1.1 and 1.2 read differently are
/// strings with the text that was written.
pub fn yaml<'a>(text: &str, arena: &'a Bump) -> Option<Value<'a>> {
    yaml::value(text, arena)
}
