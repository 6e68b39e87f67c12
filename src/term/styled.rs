//! Text with the looks of its parts, for pages and for the browser.
//!
//! It is for formats that have styles but no escape sequences, such as pages and the browser.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::look::Look;

/// The length is in bytes. What follows is counted.
const MAX_LEN: usize = 64 << 10;

/// All of its characters are safe to show, as on a terminal.
#[derive(Clone, Debug, Default)]
pub struct StyledText {
    /// The characters, without styles.
    text: Vec<u8>,
    /// Plain parts are left out. No part contains a line break.
    looks: Vec<(Range<usize>, Look)>,
    /// Has no limit to its length.
    is_whole: bool,
    /// The names of the members that the text shows as changed.
    changed: Vec<String>,
    /// The length of the whole text in bytes, and the number of line breaks after [`MAX_LEN`].
    length: usize,
    /// The number of line breaks after [`MAX_LEN`].
    lines_after: usize,
}

impl StyledText {
    /// A text that is kept whole, however long it is.
    pub(super) fn without_limit() -> Self {
        Self {
            is_whole: true,
            ..Self::default()
        }
    }

    /// Orders the names of what changes, and gives back what is not used of the memory.
    pub(super) fn finish(mut self) -> Self {
        self.changed.sort_unstable();
        self.changed.dedup();
        self.text.shrink_to_fit();
        self
    }

    fn limit(&self) -> usize {
        if self.is_whole { usize::MAX } else { MAX_LEN }
    }

    /// Returns the names of the members that the text shows as changed, sorted.
    pub fn changed(&self) -> &[String] {
        &self.changed
    }

    /// The number of lines and bytes, if the text is cut.
    pub fn left_out(&self) -> Option<(usize, usize)> {
        let bytes = self
            .length
            .checked_sub(self.limit())
            .filter(|bytes| *bytes > 0)?;
        // The line that is cut counts as shown.
        Some((self.lines_after.saturating_sub(1), bytes))
    }

    /// Returns the characters without styles, as far as the text is kept.
    pub fn text(&self) -> &str {
        match std::str::from_utf8(&self.text) {
            Ok(text) => text,
            Err(error) => str::from_utf8(&self.text[..error.valid_up_to()]).unwrap_or_default(),
        }
    }

    /// `places` are in order. Of a cut text, the last line is left out, where there may be a part of another
    /// place.
    pub fn replaced(&self, places: &[(Range<usize>, &str)]) -> Self {
        let old = self.text();
        let end = match self.left_out() {
            Some(_) => old.rfind('\n').map_or(0, |newline| newline + 1),
            None => old.len(),
        };
        let (mut text, mut offset) = (String::with_capacity(end), 0);
        // Where each part that is kept begins in both texts.
        let mut starts = vec![(0, 0)];
        for (range, shown) in places.iter().filter(|(range, _)| range.end <= end) {
            text.push_str(old.get(offset..range.start).unwrap_or_default());
            starts.push((range.start, text.len()));
            text.push_str(shown);
            offset = range.end;
            starts.push((offset, text.len()));
        }
        text.push_str(old.get(offset..end).unwrap_or_default());
        let moved = |offset: usize| {
            let next = starts.partition_point(|(start, _)| *start <= offset);
            let (start, to) = starts[next - 1];
            // An offset in a place moves to its beginning.
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

    /// Returns the lines, each as parts with one look.
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

    pub(super) fn add_look(&mut self, range: Range<usize>, look: Look) {
        if self.length + range.start < self.limit() && !range.is_empty() {
            self.looks
                .push((self.length + range.start..self.length + range.end, look));
        }
    }

    pub(super) fn add_change(&mut self, index: usize, name: &str) {
        if self.length + index <= self.limit() {
            self.changed.push(name.to_owned());
        }
    }

    pub(super) fn take(&mut self, buffer: &mut Vec<u8>) {
        let remaining = self.limit().saturating_sub(self.length).min(buffer.len());
        let (kept, rest) = buffer.split_at(remaining);
        self.text.extend_from_slice(kept);
        self.lines_after += memchr::memchr_iter(b'\n', rest).count();
        self.length += buffer.len();
        buffer.clear();
    }
}
