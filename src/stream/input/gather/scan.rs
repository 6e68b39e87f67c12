//! The end of JSON that arrives in parts.

/// Finds the end of JSON incrementally, without reading any of it twice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scan {
    depth: usize,
    pub(super) in_string: bool,
    escaped: bool,
}

impl Scan {
    /// The position after the last byte of the value, if that is in `text`.
    pub(super) fn feed(&mut self, text: &str) -> Option<usize> {
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => continue,
            }
            if self.depth == 0 && !self.in_string {
                return Some(at + 1);
            }
        }
        None
    }
}
