//! Compares documents embedded in strings.

use super::edit::{Edit, Format, Inside, Labels, Note};
use super::rule::Rule;
use super::walk::Walk;
use super::{Comparer, Place};
use crate::diff::embedded::{self, TooLarge};
use crate::diff::pairing::Order;
use crate::diff::value::{Content, MarkedValue, Redactor};
use crate::json;

/// The maximum nesting of embedded documents. Deeper ones are compared as strings.
const MAX_DEPTH: usize = 6;

/// The approximate memory of one edit, in bytes.
const EDIT_BYTES: usize = 192;

/// The approximate memory of one value, in bytes.
const VALUE_BYTES: usize = 64;

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
        let size = before.len() + after.len();
        if embedded::may_be_json(before) && embedded::may_be_json(after) {
            // Dense documents take more memory than their text.
            let values = VALUE_BYTES * (json::count_values(before) + json::count_values(after));
            if !self.afford(size.max(values), notes) {
                return None;
            }
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
            if !self.afford(size, notes) {
                return None;
            }
            let (build, arena) = (self.build, self.build.arena());
            if let (Some(before), Some(after)) = (embedded::yaml(before, arena), embedded::yaml(after, arena))
            {
                return self.values(Format::Yaml, build.plain(before), build.plain(after), notes);
            }
        }
        let is_long = |text: &str| text.trim_end_matches('\n').contains('\n');
        if is_long(before) || is_long(after) { self.lines(before, after, notes) } else { None }
    }

    /// Takes `size` bytes from the budget for decoded documents, or adds a note if there are not as many
    /// left.
    fn afford(&mut self, size: usize, notes: &mut Vec<Note>) -> bool {
        match self.budget.checked_sub(size) {
            Some(rest) => {
                self.budget = rest;
                true
            }
            None => {
                notes.push(Note::NotDecoded);
                false
            }
        }
    }

    fn values(
        &mut self,
        format: Format,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        notes: &mut Vec<Note>,
    ) -> Option<Inside<'a>> {
        let rule = match (Rule::from_document(before), Rule::from_document(after)) {
            (Rule::Policy, Rule::Policy) => Rule::Policy,
            _ => Rule::None,
        };
        let edits = self.walk(notes, |walk| walk.compare(before, after, Place::document(rule)))?;
        if format == Format::Yaml && edits.is_empty() {
            notes.push(Note::SameYaml);
        }
        Some(Inside { format, edits })
    }

    fn base64(&mut self, before: &'a str, after: &'a str, notes: &mut Vec<Note>) -> Option<Inside<'a>> {
        let mut read = |text: &str| match embedded::base64_text(text, self.budget) {
            Ok(found) => found,
            Err(TooLarge) => {
                notes.push(Note::NotDecoded);
                None
            }
        };
        let (before, after) = (read(before)?, read(after)?);
        if !self.afford(before.0.len() + after.0.len(), notes) {
            return None;
        }
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
        let edits = self.walk(notes, |walk| walk.add(before, after, place, Labels::default(), &[]));
        self.redactor = redactor;
        edits.map(|edits| Inside { format, edits })
    }

    fn lines(&mut self, before: &'a str, after: &'a str, notes: &mut Vec<Note>) -> Option<Inside<'a>> {
        // Each line takes a value, and a few numbers in the alignment.
        let count = |text: &str| text.len() + 64 * memchr::memchr_iter(b'\n', text.as_bytes()).count();
        if !self.afford(count(before) + count(after), notes) {
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
        let edits = self.walk(notes, |walk| {
            walk.elements(b, a, Order::Lines, place);
        })?;
        Some(Inside { format: Format::Lines, edits })
    }

    /// The edits that `compare` finds; `None`, with a note, if they exceed the budget.
    fn walk(
        &mut self,
        notes: &mut Vec<Note>,
        compare: impl FnOnce(&mut Walk<'_, 'w, 'a>),
    ) -> Option<&'a [Edit<'a>]> {
        let max_edits = self.budget / EDIT_BYTES;
        let mut walk = Walk::new(self, max_edits);
        compare(&mut walk);
        let edits = walk.finish();
        if edits.is_none() {
            notes.push(Note::NotDecoded);
        }
        let size = edits.map_or(0, |edits| edits.len() * EDIT_BYTES);
        self.budget = self.budget.saturating_sub(size);
        edits
    }
}

fn is_container(value: MarkedValue<'_>) -> bool {
    matches!(value.content, Content::Array(_) | Content::Object(_))
}
