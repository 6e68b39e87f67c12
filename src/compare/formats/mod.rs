//! The formats of a comparison. The text formats are written from one [document](crate::report).

mod json;
mod units;
mod words;

use std::io::{self, Write};

pub use json::{FORMAT_VERSION, GateResult, fingerprint_json, json};
pub use units::{Presence, UnitComparison, UnitsComparison};

use super::Comparison;
use crate::term::ci::CiLog;

/// Writes a comparison as text.
///
/// # Errors
/// If writing to `sink` fails.
pub fn terminal(
    comparison: &Comparison<'_>,
    colour: bool,
    ci: Option<CiLog>,
    sink: &mut dyn Write,
) -> io::Result<()> {
    words::listing(comparison).terminal(colour, ci, sink)
}

/// A comparison as Markdown in at most `max_bytes` bytes.
pub fn markdown(comparison: &Comparison<'_>, max_bytes: usize) -> String {
    words::listing(comparison).markdown(max_bytes)
}

/// Writes a comparison as a page.
///
/// # Errors
/// If writing to `sink` fails.
pub fn html(comparison: &Comparison<'_>, sink: &mut dyn Write) -> io::Result<()> {
    words::listing(comparison).page(comparison.show_sensitive, sink)
}
