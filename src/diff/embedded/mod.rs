//! Documents embedded in strings: base64, gzip in base64, YAML. (JSON is parsed by `json`.)
//!
//! Invariants: a string counts as one of these only if all of it parses; the caller limits the
//! unpacked size, so that a small input cannot expand into a large one.

mod base64;
mod yaml;

pub use yaml::yaml;

use std::io::Read;

/// Whether a string may contain a JSON object or array.
pub fn may_be_json(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\n', '\r']).starts_with(['{', '['])
}

/// A text exceeds its size limit when it is unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The text encoded in a base64 string, and whether it was compressed with gzip. `None` if the string is
/// not base64, or does not encode text.
///
/// # Errors
/// If a compressed text is longer than `largest` bytes.
pub fn base64_text(text: &str, largest: usize) -> Result<Option<(String, bool)>, TooLarge> {
    let Some(bytes) = base64::decode(text) else { return Ok(None) };
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(printable(bytes).map(|text| (text, false)));
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
