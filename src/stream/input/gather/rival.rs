//! JSON that may have begun while other JSON, which was cut off, is still being gathered.

use super::super::embedded::{Unfinished, find};
use super::is_json;
use super::lines::Frame;
use super::scan::Scan;

/// JSON that begins where the gathered JSON seems to be in a string. Within a string, quotes are escaped, so
/// the gathered JSON was probably cut off before it.
#[derive(Debug)]
pub(super) struct Rival {
    /// The position of its first line in the gathered lines.
    pub(super) from: usize,
    frame: Frame,
    scan: Scan,
}

impl Rival {
    /// The JSON that begins on `line` within a string of the JSON that `body`, its part of the line, continues
    /// from `scan`. The line will be added to the gathered lines at `from`.
    pub(super) fn new(line: &str, body: &str, scan: Scan, from: usize) -> Option<Self> {
        let Unfinished { prefix, text, member } = find(line).unfinished?;
        let before = body.strip_suffix(text.trim_end_matches('\r')).unwrap_or_default();
        let mut outer = scan;
        // A quote may as well be the end of the string.
        if outer.feed(before).is_some() || !outer.in_string || text.starts_with('"') {
            return None;
        }
        let mut scan = Scan::default();
        scan.feed(&text);
        Some(Self { from, frame: Frame { prefix, member }, scan })
    }

    /// Whether the JSON that ends on `line` is valid; `None` if it does not end there.
    pub(super) fn is_completed_by(&mut self, line: &str, lines: &str) -> Option<bool> {
        self.scan.feed(&self.frame.body(line)?)?;
        let mut parts = lines[self.from..].lines().chain([line]);
        let first = find(parts.next()?).unfinished?.text;
        let rest: Vec<String> = parts.filter_map(|line| self.frame.body(line)).collect();
        let is_valid = |separator: &str| is_json(&[&first, separator, &rest.join(separator)].concat());
        Some(is_valid("\n") || is_valid(""))
    }
}
