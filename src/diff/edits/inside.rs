//! Compares documents embedded in strings.

use super::edit::{Edit, Format, Inside, Labels, Note};
use super::rule::Rule;
use super::walk::Walk;
use super::{Comparer, Place};
use crate::diff::embedded;
use crate::diff::pairing::Order;
use crate::diff::size::{self, MAX_PARTS, TooLarge};
use crate::diff::value::{Content, MarkedValue, Redactor};

/// The maximum nesting of embedded documents. Deeper ones are compared as strings.
const MAX_DEPTH: usize = 6;

impl<'w, 'a: 'w> Comparer<'w, 'a> {
    /// Compares the documents in two different strings. Both strings are already in the arena of the edits.
    pub(super) fn inside(
        &mut self,
        before: &'a str,
        after: &'a str,
        notes: &mut Vec<Note>,
    ) -> Option<Inside<'a>> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let redactor = self.redactor;
        let [document, ..] = redactor.texts;
        self.redactor = Redactor { texts: [document, before, after], ..redactor };
        let inside = self.document(before, after, notes);
        self.redactor = redactor;
        self.depth -= 1;
        inside
    }

    fn document(&mut self, before: &'a str, after: &'a str, notes: &mut Vec<Note>) -> Option<Inside<'a>> {
        if embedded::may_be_json(before) && embedded::may_be_json(after) {
            let build = self.build;
            let container = |text| build.parse(text).ok().filter(|value| is_container(*value));
            if let (Some(before), Some(after)) = (container(before), container(after)) {
                return self.values(Format::Json, before, after, notes);
            }
        }
        if let Some(inside) = self.base64(before, after, notes) {
            return Some(inside);
        }
        if before.contains(':') && after.contains(':') {
            let (build, arena) = (self.build, self.build.arena());
            if let (Some(before), Some(after)) = (embedded::yaml(before, arena), embedded::yaml(after, arena))
            {
                return self.values(Format::Yaml, build.plain(before), build.plain(after), notes);
            }
        }
        let is_long = |text: &str| text.trim_end_matches('\n').contains('\n');
        if is_long(before) || is_long(after) { self.lines(before, after, notes) } else { None }
    }

    fn values(
        &mut self,
        format: Format,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        notes: &mut Vec<Note>,
    ) -> Option<Inside<'a>> {
        if !size::is_small(before) || !size::is_small(after) {
            notes.push(Note::TooLarge);
            return None;
        }
        let rule = match (Rule::from_document(before), Rule::from_document(after)) {
            (Rule::Policy, Rule::Policy) => Rule::Policy,
            _ => Rule::None,
        };
        let edits = self.walk(|walk| walk.compare(before, after, Place::document(rule)));
        if format == Format::Yaml && edits.is_empty() {
            notes.push(Note::SameYaml);
        }
        Some(Inside { format, edits })
    }

    fn base64(&mut self, before: &'a str, after: &'a str, notes: &mut Vec<Note>) -> Option<Inside<'a>> {
        let mut read = |text: &str| {
            let found = embedded::base64_text(text, self.budget);
            let cost = match &found {
                Ok(Some((text, true))) => unpacked_cost(text),
                Ok(Some((_, false)) | None) => 0,
                Err(embedded::TooLarge) => usize::MAX,
            };
            if let Some(rest) = self.budget.checked_sub(cost) {
                self.budget = rest;
                found.ok().flatten()
            } else {
                notes.push(Note::NotDecoded);
                None
            }
        };
        let (before, after) = (read(before)?, read(after)?);
        let format = if before.1 && after.1 { Format::Gzip } else { Format::Base64 };
        if before.0 == after.0 {
            notes.push(Note::SameDecoded);
            return Some(Inside { format, edits: &[] });
        }
        let redactor = self.redactor;
        let (before, after) = (redactor.arena.alloc_str(&before.0), redactor.arena.alloc_str(&after.0));
        self.redactor = Redactor { texts: [redactor.texts[0], before, after], ..redactor };
        let (before, after) = (self.build.string(before), self.build.string(after));
        let place = Place::document(Rule::None);
        let edits = self.walk(|walk| walk.add(before, after, place, Labels::default(), &[]));
        self.redactor = redactor;
        Some(Inside { format, edits })
    }

    fn lines(&mut self, before: &'a str, after: &'a str, notes: &mut Vec<Note>) -> Option<Inside<'a>> {
        let has_too_many = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count() > MAX_PARTS;
        if has_too_many(before) || has_too_many(after) {
            notes.push(Note::TooLarge);
            return None;
        }
        let build = self.build;
        let lines = |text: &'w str| {
            let lines: Vec<MarkedValue<'w>> = text.split('\n').map(|line| build.string(line)).collect();
            build.array(build.arena().alloc_slice_copy(&lines))
        };
        let (before, after) = (lines(before), lines(after));
        let (Content::Array(b), Content::Array(a)) = (before.content, after.content) else { return None };
        let place = Place::document(Rule::None);
        let edits = self.walk(|walk| {
            walk.elements(b, a, Order::Lines, place);
        });
        Some(Inside { format: Format::Lines, edits })
    }

    /// The edits that `compare` finds.
    fn walk(&mut self, compare: impl FnOnce(&mut Walk<'_, 'w, 'a>)) -> &'a [Edit<'a>] {
        let mut walk = Walk::new(self, TooLarge::Nothing);
        compare(&mut walk);
        walk.finish()
    }
}

/// About the memory that a comparison of an unpacked text takes: the text, and a value for each of its parts or
/// lines. Other texts take no more than a multiple of their own size.
fn unpacked_cost(text: &str) -> usize {
    const VALUE_BYTES: usize = 64;
    text.len() + VALUE_BYTES * memchr::memchr3_iter(b',', b'[', b'\n', text.as_bytes()).count()
}

fn is_container(value: MarkedValue<'_>) -> bool {
    matches!(value.content, Content::Array(_) | Content::Object(_))
}
