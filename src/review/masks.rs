//! What texts show instead of credentials.
//!
//! Invariants: the JSON of a review has all values; no other format shows a credential unless the user asks for
//! sensitive values. A text is read once, for any number of credentials.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::{Bound, Range};

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::findings::{Credentials, Documents};
use crate::diff::edits::{Sides, ValueEdits, edits_with_texts};
use crate::diff::value::{Builder, Content, MarkedValue};
use crate::term::StyledText;

pub(crate) const NOTE: &str = "credentials are not shown; --show-sensitive shows them";

#[derive(Clone, Debug, Default)]
pub(crate) struct Masks {
    shown: BTreeMap<String, String>,
    starts: Vec<u8>,
}

impl Masks {
    pub(crate) fn of(name: Option<&str>, values: &[MarkedValue<'_>]) -> Self {
        let (arena, hasher) = (Bump::new(), RandomState::default());
        let build = Builder::new(&arena, &hasher);
        let all = build.known(Content::Array(arena.alloc_slice_copy(values)));
        Credentials::find(name, [build.null(), all], &Documents::new(build)).masks
    }

    pub(super) fn insert(&mut self, text: &str, shown: &str) {
        if let Some(first) = text
            .bytes()
            .next()
            .filter(|first| !self.starts.contains(first))
        {
            self.starts.push(first);
        }
        self.shown
            .entry(text.to_owned())
            .or_insert_with(|| shown.to_owned());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    fn find(&self, text: &str) -> Vec<(Range<usize>, &str)> {
        let mut found: Vec<(Range<usize>, &str)> = Vec::new();
        let mut end = 0;
        for (at, _) in text.char_indices() {
            if at >= end
                && let Some((credential, shown)) =
                    text.get(at..).and_then(|rest| self.at_start(rest))
            {
                end = at + credential.len();
                found.push((at..end, shown));
            }
        }
        found
    }

    /// Finds the longest one.
    fn at_start(&self, text: &str) -> Option<(&str, &str)> {
        self.starts
            .contains(text.as_bytes().first()?)
            .then_some(())?;
        let mut limit = text;
        loop {
            // A prefix of the text is sorted before it, and so is a prefix of what both have in common.
            let range = (Bound::Unbounded, Bound::Included(limit));
            let (credential, shown) = self.shown.range::<str, _>(range).next_back()?;
            if text.starts_with(credential.as_str()) {
                return Some((credential, shown));
            }
            let common = text
                .char_indices()
                .zip(credential.chars())
                .find(|((_, a), b)| a != b);
            limit = text
                .get(..common.map_or(0, |((at, _), _)| at))
                .filter(|common| !common.is_empty())?;
        }
    }

    /// `None` if there are no credentials in it.
    pub(crate) fn text(&self, text: &str) -> Option<String> {
        let found = self.find(text);
        let last = found.last()?.0.end;
        let (mut masked, mut at) = (String::with_capacity(text.len()), 0);
        for (range, shown) in &found {
            masked.push_str(text.get(at..range.start).unwrap_or_default());
            masked.push_str(shown);
            at = range.end;
        }
        masked.push_str(text.get(last..).unwrap_or_default());
        Some(masked)
    }

    pub(crate) fn value<'v>(&self, value: MarkedValue<'v>, arena: &'v Bump) -> MarkedValue<'v> {
        value
            .with_texts(&|text| self.text(text), arena)
            .unwrap_or(value)
    }

    pub(super) fn styled<'t>(&self, text: &'t StyledText) -> Cow<'t, StyledText> {
        let found = if self.is_empty() {
            Vec::new()
        } else {
            self.find(text.text())
        };
        if found.is_empty() {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(text.replaced(&found))
        }
    }

    pub(super) fn extend(&mut self, others: Self) {
        others
            .shown
            .into_iter()
            .for_each(|(text, shown)| self.insert(&text, &shown));
    }

    pub(super) fn hide<'w, 'a: 'w>(
        &self,
        found: ValueEdits<'w, 'a>,
        (arena, kept): (&'w Bump, &'a Bump),
    ) -> ValueEdits<'w, 'a> {
        if self.is_empty() {
            return found;
        }
        let Sides { before, after, .. } = found.sides;
        let sides = Sides {
            before: self.value(before, arena),
            after: self.value(after, arena),
            ..found.sides
        };
        let edits =
            edits_with_texts(found.edits, &|text| self.text(text), kept).unwrap_or(found.edits);
        ValueEdits {
            sides,
            edits,
            ..found
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_of_several_with_the_same_beginning_is_masked() {
        let mut masks = Masks::default();
        for (text, shown) in [
            ("key-1", "A"),
            ("key-12", "B"),
            ("key-129x", "C"),
            ("é", "D"),
        ] {
            masks.insert(text, shown);
        }
        for (text, expected) in [
            ("key-1 key-12 key-129 key-129x", Some("A B B9 C")),
            ("key-13key-", Some("A3key-")),
            ("aé key-", Some("aD key-")),
            ("key", None),
        ] {
            assert_eq!(masks.text(text).as_deref(), expected, "{text}");
        }
    }
}
