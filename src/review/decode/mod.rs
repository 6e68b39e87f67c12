//! Strings that hold something else: base64, gzip in base64, YAML. (JSON is the differ's.)
//!
//! Invariant: a string counts as one of these only if all of it reads as that; what is decoded is
//! bounded, so that a small input cannot become a large one.

mod base64;
mod yaml;

use std::io::Read;

use bumpalo::Bump;

use crate::json::Value;

/// How much of a gzip stream is unpacked.
const LARGEST: u64 = 4 << 20;

/// What a string of base64 holds, as text, and whether it was packed by gzip.
pub(super) fn decoded(text: &str) -> Option<(String, bool)> {
    let bytes = base64::decode(text)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&*bytes).take(LARGEST + 1).read_to_end(&mut unpacked).ok()?;
        if unpacked.len() as u64 > LARGEST {
            return None;
        }
        return printable(unpacked).map(|text| (text, true));
    }
    printable(bytes).map(|text| (text, false))
}

fn printable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\t' | '\r');
    (!text.is_empty() && text.chars().all(is_text)).then_some(text)
}

/// What a text of YAML holds, if it is surely meant as YAML: one document, with names that people
/// give, and nothing that JSON could not say.
pub(super) fn yaml<'a>(text: &str, arena: &'a Bump) -> Option<Value<'a>> {
    yaml::value(text, arena)
}
