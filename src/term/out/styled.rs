//! Output for formats without escape sequences: the text, and the looks of its parts.

use std::io;
use std::ops::Range;

use super::{Out, OutputMode};
use crate::term::Look;

/// The maximum length of a text, in bytes. What follows is counted.
const MAX_LEN: usize = 64 << 10;

/// The text of a change, with the looks of its parts. All of its characters are safe to show, as on a
/// terminal.
#[derive(Clone, Debug, Default)]
pub struct StyledText {
    text: Vec<u8>,
    /// The parts that are not plain, in order. None contains a line break.
    looks: Vec<(Range<usize>, Look)>,
    changed: Vec<String>,
    /// The length of the whole text, in bytes, and the number of line breaks after [`MAX_LEN`].
    length: usize,
    lines_after: usize,
}

impl StyledText {
    /// The output of `write`.
    ///
    /// # Errors
    /// If `write` fails.
    pub fn new<E: From<io::Error>>(write: impl FnOnce(&mut Out<'_>) -> Result<(), E>) -> Result<Self, E> {
        let mut out = Out { styled: Some(Box::default()), ..Out::kept(OutputMode::default()) };
        write(&mut out)?;
        out.flush()?;
        let mut styled = out.styled.take().map(|styled| *styled).unwrap_or_default();
        styled.changed.sort_unstable();
        styled.changed.dedup();
        styled.text.shrink_to_fit();
        Ok(styled)
    }

    /// The changed attributes and blocks of the object that are in the text, sorted, as they are written.
    pub fn changed(&self) -> &[String] {
        &self.changed
    }

    /// The numbers of lines and bytes that are left out, if the text is cut.
    pub fn left_out(&self) -> Option<(usize, usize)> {
        let bytes = self.length.checked_sub(MAX_LEN).filter(|bytes| *bytes > 0)?;
        // The line that is cut counts as shown.
        Some((self.lines_after.saturating_sub(1), bytes))
    }

    /// The text, as far as it is kept.
    pub fn text(&self) -> &str {
        match std::str::from_utf8(&self.text) {
            Ok(text) => text,
            Err(error) => str::from_utf8(&self.text[..error.valid_up_to()]).unwrap_or_default(),
        }
    }

    /// The text with other texts in these places, which are in order. If it is cut, without its last line, where
    /// there may be a part of another place.
    pub fn replaced(&self, places: &[(Range<usize>, &str)]) -> Self {
        let old = self.text();
        let end = match self.left_out() {
            Some(_) => old.rfind('\n').map_or(0, |at| at + 1),
            None => old.len(),
        };
        let (mut text, mut at) = (String::with_capacity(end), 0);
        // Where each part that is kept begins in both texts.
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
            // An offset in a place moves to its beginning.
            let is_kept = next % 2 == 1;
            if is_kept { to + (offset - start) } else { to }
        };
        let moved = |(range, look): &(Range<usize>, Look)| (moved(range.start)..moved(range.end), *look);
        let looks = self.looks.iter().filter(|(range, _)| range.end <= end).map(moved);
        Self {
            looks: looks.filter(|(range, _)| !range.is_empty()).collect(),
            text: text.into_bytes(),
            changed: self.changed.clone(),
            length: self.length + old.len() - end,
            lines_after: self.lines_after + usize::from(self.left_out().is_some()),
        }
    }

    /// The lines, without their line breaks, each as parts with a look.
    pub fn lines(&self) -> impl Iterator<Item = Vec<(Look, &str)>> {
        let text = self.text();
        let mut looks = self.looks.iter().peekable();
        let mut start = 0;
        text.split_terminator('\n').map(move |line| {
            let (mut parts, mut at) = (Vec::new(), start);
            let end = start + line.len();
            while let Some((range, look)) = looks.next_if(|(range, _)| range.start < end) {
                let plain = text.get(at..range.start).unwrap_or_default();
                let styled = text.get(range.start..range.end.min(end)).unwrap_or_default();
                parts.extend([(Look::default(), plain), (*look, styled)]);
                at = range.end.min(end);
            }
            parts.push((Look::default(), text.get(at..end).unwrap_or_default()));
            parts.retain(|(_, part)| !part.is_empty());
            start = end + 1;
            parts
        })
    }

    pub(super) fn add_look(&mut self, range: Range<usize>, look: Look) {
        if self.length + range.start < MAX_LEN && !range.is_empty() {
            self.looks.push((self.length + range.start..self.length + range.end, look));
        }
    }

    pub(super) fn add_change(&mut self, at: usize, name: &str) {
        if self.length + at <= MAX_LEN {
            self.changed.push(name.to_owned());
        }
    }

    /// Adds the next part of the text.
    pub(super) fn take(&mut self, buffer: &mut Vec<u8>) {
        let room = MAX_LEN.saturating_sub(self.length).min(buffer.len());
        let (kept, rest) = buffer.split_at(room);
        self.text.extend_from_slice(kept);
        self.lines_after += memchr::memchr_iter(b'\n', rest).count();
        self.length += buffer.len();
        buffer.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Colour, Role, Untrusted};

    fn styled(write: impl FnOnce(&mut Out<'_>) -> io::Result<()>) -> StyledText {
        StyledText::new(write).unwrap()
    }

    #[test]
    fn parts_have_the_looks_of_their_roles() {
        let text = styled(|out| {
            out.lit("  ")?;
            out.role(Role::Create, "+")?;
            out.lit(" a = 1 ")?;
            out.role_data(Role::StrongDelete, Untrusted("x\n\u{1b}y"))?;
            out.lit("\n")
        });
        let colour = |colour| Look { colour: Some(colour), ..Look::default() };
        let alert = Look { bold: true, ..colour(Colour::Red) };
        let plain = Look::default();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines,
            [
                vec![(plain, "  "), (colour(Colour::Green), "+"), (plain, " a = 1 "), (alert, "x")],
                vec![(alert, "␛y")],
            ]
        );
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let text = styled(|out| {
            for number in 0..10_000 {
                out.begin_change(&number.to_string());
                out.role_data(Role::Create, Untrusted("é234567\n"))?;
            }
            Ok(())
        });
        let shown = MAX_LEN.div_ceil(9);
        assert_eq!(text.left_out(), Some((10_000 - shown, 90_000 - MAX_LEN)));
        assert_eq!((text.lines().count(), text.changed().len()), (shown, shown));
        assert_eq!(styled(|out| out.lit("a\n")).left_out(), None);
    }

    #[test]
    fn looks_keep_their_parts_when_places_are_replaced() {
        let text = styled(|out| {
            out.lit("a ")?;
            out.role_data(Role::StrongDelete, Untrusted("xx-secret-yy"))?;
            out.lit(" secret b")
        });
        let parts = |text: &StyledText| -> Vec<Vec<(bool, String)>> {
            let part = |(look, part): (Look, &str)| (look != Look::default(), part.to_owned());
            text.lines().map(|line| line.into_iter().map(part).collect()).collect()
        };
        let replaced = text.replaced(&[(5..11, "(key)"), (15..21, "(k)")]);
        let expected = [(false, "a "), (true, "xx-(key)-yy"), (false, " (k) b")];
        assert_eq!(parts(&replaced), [expected.map(|(styled, part)| (styled, part.to_owned()))]);
    }
}
