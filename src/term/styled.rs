//! Text with the looks of its parts.
//!
//! It is for formats that have styles but no escape sequences, such as pages and the browser.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::look::Look;

/// The maximum length of a text that is not kept whole, in bytes. The text after it is only counted.
const MAX_LEN: usize = 64 << 10;

/// A text with the looks of its parts. All of its characters are safe to show, as on a terminal.
#[derive(Clone, Debug, Default)]
pub struct StyledText {
    /// The characters, without styles, as far as the text is kept.
    text: Vec<u8>,
    /// The ranges of the text that have a look, in order. Plain parts are left out. No range contains a line break.
    looks: Vec<(Range<usize>, Look)>,
    /// Whether the text is kept whole, however long it is.
    is_whole: bool,
    /// The names of the members that the text shows as changed.
    changed: Vec<String>,
    /// The length of the whole text, in bytes.
    length: usize,
    /// The number of line breaks after the limit.
    lines_after: usize,
}

impl StyledText {
    /// Creates a text that is kept whole, however long it is.
    pub(super) fn without_limit() -> Self {
        Self {
            is_whole: true,
            ..Self::default()
        }
    }

    /// Sorts the names of the changed members, and releases the memory that is not used.
    pub(super) fn finish(mut self) -> Self {
        self.changed.sort_unstable();
        self.changed.dedup();
        self.text.shrink_to_fit();
        self
    }

    /// Returns the maximum length, in bytes.
    fn limit(&self) -> usize {
        if self.is_whole { usize::MAX } else { MAX_LEN }
    }

    /// Returns the names of the members that the text shows as changed, sorted.
    pub fn changed(&self) -> &[String] {
        &self.changed
    }

    /// Returns the number of lines and of bytes that are left out, if the text is cut.
    pub fn left_out(&self) -> Option<(usize, usize)> {
        let bytes = self
            .length
            .checked_sub(self.limit())
            .filter(|bytes| *bytes > 0)?;
        // The line in which the text is cut counts as shown.
        Some((self.lines_after.saturating_sub(1), bytes))
    }

    /// Returns the characters without styles, as far as the text is kept.
    pub fn text(&self) -> &str {
        match std::str::from_utf8(&self.text) {
            Ok(text) => text,
            Err(error) => str::from_utf8(&self.text[..error.valid_up_to()]).unwrap_or_default(),
        }
    }

    /// Returns the text with some ranges replaced, which must be in order. The last line of a cut text is left out,
    /// because it may contain a part of another range.
    pub fn replaced(&self, places: &[(Range<usize>, &str)]) -> Self {
        let old = self.text();
        let end = match self.left_out() {
            Some(_) => old.rfind('\n').map_or(0, |at| at + 1),
            None => old.len(),
        };
        let (mut text, mut at) = (String::with_capacity(end), 0);
        // The offsets at which each kept part begins, in the old and in the new text.
        let mut starts = vec![(0, 0)];
        for (place, shown) in places.iter().filter(|(place, _)| place.end <= end) {
            text.push_str(old.get(at..place.start).unwrap_or_default());
            starts.push((place.start, text.len()));
            text.push_str(shown);
            at = place.end;
            starts.push((at, text.len()));
        }
        text.push_str(old.get(at..end).unwrap_or_default());
        let moved = |offset: usize| {
            let next = starts.partition_point(|(start, _)| *start <= offset);
            let (start, to) = starts[next - 1];
            // An offset within a replaced range moves to the beginning of the replacement.
            let is_kept = next % 2 == 1;
            if is_kept { to + (offset - start) } else { to }
        };
        let moved =
            |(range, look): &(Range<usize>, Look)| (moved(range.start)..moved(range.end), *look);
        let looks = self
            .looks
            .iter()
            .filter(|(range, _)| range.end <= end)
            .map(moved);
        Self {
            looks: looks.filter(|(range, _)| !range.is_empty()).collect(),
            text: text.into_bytes(),
            is_whole: self.is_whole,
            changed: self.changed.clone(),
            length: self.length + old.len() - end,
            lines_after: self.lines_after + usize::from(self.left_out().is_some()),
        }
    }

    /// Returns the lines, each as parts with a single look.
    pub fn lines(&self) -> impl Iterator<Item = Vec<(Look, &str)>> {
        let text = self.text();
        let mut looks = self.looks.iter().peekable();
        let mut start = 0;
        text.split_terminator('\n').map(move |line| {
            let (mut parts, mut index) = (Vec::new(), start);
            let end = start + line.len();
            while let Some((range, look)) = looks.next_if(|(range, _)| range.start < end) {
                let plain = text.get(index..range.start).unwrap_or_default();
                let styled = text
                    .get(range.start..range.end.min(end))
                    .unwrap_or_default();
                parts.extend([(Look::default(), plain), (*look, styled)]);
                index = range.end.min(end);
            }
            parts.push((Look::default(), text.get(index..end).unwrap_or_default()));
            parts.retain(|(_, part)| !part.is_empty());
            start = end + 1;
            parts
        })
    }

    /// Records the look of a range of the buffer.
    pub(super) fn add_look(&mut self, range: Range<usize>, look: Look) {
        if self.length + range.start < self.limit() && !range.is_empty() {
            self.looks
                .push((self.length + range.start..self.length + range.end, look));
        }
    }

    /// Records that the text from `index` of the buffer on is the change of a member.
    pub(super) fn add_change(&mut self, index: usize, name: &str) {
        if self.length + index <= self.limit() {
            self.changed.push(name.to_owned());
        }
    }

    /// Moves the text from the buffer, as far as the limit allows.
    pub(super) fn take(&mut self, buffer: &mut Vec<u8>) {
        let remaining = self.limit().saturating_sub(self.length).min(buffer.len());
        let (kept, rest) = buffer.split_at(remaining);
        self.text.extend_from_slice(kept);
        self.lines_after += memchr::memchr_iter(b'\n', rest).count();
        self.length += buffer.len();
        buffer.clear();
    }
}
