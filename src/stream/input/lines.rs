//! Splits bytes into lines, however the input is split into reads.
//!
//! Invariants: a line within one read is not copied; at most [`MAX_MESSAGE`] bytes are kept, or
//! [`MAX_TEXT`] of a line that cannot be a message; longer lines are delivered in parts, and whether a
//! line is too long does not depend on the reads.

/// The maximum length of a line that may be a message, in bytes.
pub(super) const MAX_MESSAGE: usize = 64 << 20;

/// The maximum length of other lines, in bytes: no JSON object begins within this distance from the start.
pub(super) const MAX_TEXT: usize = 64 << 10;

/// The maximum capacity that the buffer keeps between two lines, in bytes.
const MAX_BUFFER: usize = 1 << 20;

/// A piece of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stream) enum Segment<'a> {
    /// A line without its line feed.
    Line(&'a [u8]),
    /// The end of the input without a line feed.
    Rest(&'a [u8]),
    /// A part of a line that is too long.
    Part(&'a [u8]),
    /// The end of a line that is too long.
    PartsEnd {
        /// Whether it ended with a line feed rather than with the input.
        feed: bool,
    },
    /// The whole input is a compressed archive, which is not read.
    Archive,
}

/// Splits bytes into lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    partial: Vec<u8>,
    long: bool,
}

impl Lines {
    /// Adds bytes and passes the completed segments to `each`. Stops at the first error of `each`.
    pub(super) fn feed<E>(
        &mut self,
        bytes: &[u8],
        mut each: impl FnMut(Segment<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest);
            let (now, later) = rest.split_at(end.unwrap_or(rest.len()));
            rest = later.get(1..).unwrap_or_default();
            if !self.long && self.is_too_long(now) {
                self.long = true;
                each(Segment::Part(&std::mem::take(&mut self.partial)))?;
            }
            match (self.long, end.is_some()) {
                (true, ended) => {
                    each(Segment::Part(now))?;
                    if ended {
                        self.long = false;
                        each(Segment::PartsEnd { feed: true })?;
                    }
                }
                (false, true) if self.partial.is_empty() => each(Segment::Line(now))?,
                (false, true) => {
                    self.partial.extend_from_slice(now);
                    let mut line = std::mem::take(&mut self.partial);
                    each(Segment::Line(&line))?;
                    line.clear();
                    line.shrink_to(MAX_BUFFER);
                    self.partial = line;
                }
                (false, false) => self.partial.extend_from_slice(now),
            }
        }
        Ok(())
    }

    /// Passes the rest of the input to `each`.
    pub(super) fn finish<E>(&mut self, mut each: impl FnMut(Segment<'_>) -> Result<(), E>) -> Result<(), E> {
        if std::mem::take(&mut self.long) {
            return each(Segment::PartsEnd { feed: false });
        }
        let rest = std::mem::take(&mut self.partial);
        if rest.is_empty() { Ok(()) } else { each(Segment::Rest(&rest)) }
    }

    fn is_too_long(&self, now: &[u8]) -> bool {
        let length = self.partial.len() + now.len();
        if length <= MAX_TEXT {
            return false;
        }
        // Only the part of the line that is always kept is searched, so that reads do not matter.
        let head = &self.partial[..self.partial.len().min(MAX_TEXT)];
        let rest = &now[..now.len().min(MAX_TEXT - head.len())];
        let may_be_message = [head, rest].iter().any(|part| memchr::memchr(b'{', part).is_some());
        length > if may_be_message { MAX_MESSAGE } else { MAX_TEXT }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(input: &[u8], size: usize) -> Vec<String> {
        let mut all = Vec::new();
        let mut lines = Lines::default();
        let mut each = |segment: Segment<'_>| {
            match (segment, all.last_mut()) {
                // Parts depend on the reads; only their concatenation is compared.
                (Segment::Part(part), Some(last)) => {
                    let last: &mut String = last;
                    if let Some(text) = last.strip_prefix("part ") {
                        *last = format!("part {text}{}", String::from_utf8_lossy(part));
                    } else {
                        all.push(format!("part {}", String::from_utf8_lossy(part)));
                    }
                }
                (Segment::Part(part), None) => all.push(format!("part {}", String::from_utf8_lossy(part))),
                (other, _) => all.push(match other {
                    Segment::Line(line) => format!("line {}", String::from_utf8_lossy(line)),
                    Segment::Rest(line) => format!("rest {}", String::from_utf8_lossy(line)),
                    Segment::PartsEnd { feed } => format!("end {feed}"),
                    Segment::Part(_) | Segment::Archive => unreachable!(),
                }),
            }
            Ok::<(), ()>(())
        };
        for chunk in input.chunks(size) {
            lines.feed(chunk, &mut each).unwrap();
        }
        lines.finish(&mut each).unwrap();
        all
    }

    #[test]
    fn the_cuts_do_not_matter() {
        let mut input = b"a\n\nb\r\n{\"x\"}\n".to_vec();
        input.extend(std::iter::repeat_n(b'y', MAX_TEXT + 1));
        input.extend_from_slice(b"\nlast");
        let whole = collect(&input, input.len());
        assert_eq!(whole.len(), 7);
        for size in [1, 2, 3, 7, 1000, MAX_TEXT] {
            assert!(collect(&input, size) == whole, "{size}");
        }
    }
}
