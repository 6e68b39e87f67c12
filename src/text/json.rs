//! JSON that may be printed in a terminal or a log.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

use crate::term::ci::command_ends;
use crate::term::{is_dangerous, is_suspect};

/// Writes a document, and a line break.
///
/// # Errors
/// If writing to `out` fails.
pub fn write_json(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Escaping))?;
    out.write_all(b"\n")
}

/// The text of a value.
///
/// # Errors
/// If it cannot be serialized.
pub fn to_json(value: &impl Serialize) -> io::Result<String> {
    let mut text = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Escaping))?;
    String::from_utf8(text).map_err(io::Error::other)
}

/// Writes control characters, invisible characters and commands to CI systems as escapes, because the JSON may be
/// printed in a terminal or a log.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let command_ends = command_ends(fragment);
        if !is_suspect(fragment) && command_ends.is_empty() {
            return CompactFormatter.write_string_fragment(writer, fragment);
        }
        let mut written = 0;
        let is_escaped = |at: usize, c: char| is_dangerous(c) || command_ends.binary_search(&at).is_ok();
        for (at, c) in fragment.char_indices().filter(|(at, c)| is_escaped(*at, *c)) {
            writer.write_all(fragment.get(written..at).unwrap_or_default().as_bytes())?;
            written = at + c.len_utf8();
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        writer.write_all(fragment.get(written..).unwrap_or_default().as_bytes())
    }
}
