//! Comparison of strings by their contents: embedded documents, the order that IAM policies make insignificant, and
//! labels of strings that differ only in form.
//!
//! Invariants: documents are compared only if both sides have the same format. At most `MAX_DEPTH` documents are inside
//! each other, and the budget of the comparer limits unpacked texts.
//!
//! ```text
//! before   "{\"port\": 80}"
//! after    "{\"port\": 443}"
//! inside   JSON with one edit: port: 80 -> 443
//! ```

use std::mem::discriminant;

use unicode_normalization::UnicodeNormalization;

use super::{Comparer, Location, Walk};
use crate::diff::edits::{Edit, Format, Inside, Label, Labels, Note, Path, Step};
use crate::diff::embedded;
use crate::diff::pairing::Order;
use crate::diff::size::{MAX_PARTS, is_small};
use crate::diff::value::{Content, MarkedValue, Redactor};
use crate::schema::Position;

/// The maximum nesting of embedded documents. Deeper ones are compared as strings.
const MAX_DEPTH: usize = 6;

impl<'w, 'a: 'w> Comparer<'w, 'a> {
    /// Compares two strings by their contents.
    ///
    /// `None` if they are short texts, or inside too many documents.
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
        self.redactor = Redactor {
            texts: [document, before, after],
            ..redactor
        };
        let inside = self.document(before, after, notes);
        self.redactor = redactor;
        self.depth -= 1;
        inside
    }

    /// Whether a value is in a document, where null, an empty value and none are three things: an empty selector of
    /// Kubernetes selects everything, for example. The rest of an object is written by providers, of which some write
    /// empty values for null.
    pub(super) fn is_in_document(&self, path: Path<'_>) -> bool {
        /// The attributes whose values are documents that are no strings.
        const DOCUMENTS: [&str; 3] = ["manifest", "yaml_body_parsed", "object"];
        let first = path.steps().into_iter().next();
        self.depth > 0 || matches!(first, Some(Step::Name(name)) if DOCUMENTS.contains(&name))
    }

    /// Whether a text contains the same JSON as a value, apart from members that are null.
    pub(super) fn is_same_json(&mut self, text: &'a str, value: MarkedValue<'a>) -> bool {
        if self.depth >= MAX_DEPTH || value.has_marks || !is_small(value) {
            return false;
        }
        let Some(document) =
            embedded::json(text, self.build).filter(|document| is_small(*document))
        else {
            return false;
        };
        self.depth += 1;
        let location = Location::document(Rule::None);
        let edits = self.walk(|walk| walk.compare(document, value, location));
        self.depth -= 1;
        edits.is_empty()
    }

    /// Compares the documents in two strings. The formats are tried in this order: JSON, base64, YAML, several lines.
    fn document(
        &mut self,
        before: &'a str,
        after: &'a str,
        notes: &mut Vec<Note>,
    ) -> Option<Inside<'a>> {
        let build = self.build;
        if let (Some(before), Some(after)) =
            (embedded::json(before, build), embedded::json(after, build))
        {
            return self.values(Format::Json, before, after, notes);
        }
        if let Some(inside) = self.base64(before, after, notes) {
            return Some(inside);
        }
        if before.contains(':')
            && after.contains(':')
            && markers_are_equal(before, after)
            && let (Some(before), Some(after)) =
                (embedded::yaml(before, build), embedded::yaml(after, build))
        {
            return self.values(Format::Yaml, before, after, notes);
        }
        let is_long = |text: &str| text.trim_end_matches('\n').contains('\n');
        if is_long(before) || is_long(after) {
            self.lines(before, after, notes)
        } else {
            None
        }
    }

    /// Compares the values of two documents.
    ///
    /// `None` if one of them is too large, which a note then says.
    fn values(
        &mut self,
        format: Format,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        notes: &mut Vec<Note>,
    ) -> Option<Inside<'a>> {
        if !is_small(before) || !is_small(after) {
            notes.push(Note::TooLarge);
            return None;
        }
        let rule = match (Rule::from_document(before), Rule::from_document(after)) {
            (Rule::Policy, Rule::Policy) => Rule::Policy,
            _ => Rule::None,
        };
        let edits = self.walk(|walk| walk.compare(before, after, Location::document(rule)));
        if format == Format::Yaml && edits.is_empty() {
            notes.push(Note::SameYaml);
        }
        Some(Inside { format, edits })
    }

    /// Compares the decoded texts of two strings, as one edit.
    ///
    /// `None` if one of them is not base64, or is too large, which a note then says.
    fn base64(
        &mut self,
        before: &'a str,
        after: &'a str,
        notes: &mut Vec<Note>,
    ) -> Option<Inside<'a>> {
        let mut read = |text| {
            embedded::base64_text(text, &mut self.budget).unwrap_or_else(|_: embedded::TooLarge| {
                notes.push(Note::NotDecoded);
                None
            })
        };
        let (before, after) = (read(before)?, read(after)?);
        let format = if before.1 && after.1 {
            Format::Gzip
        } else {
            Format::Base64
        };
        if before.0 == after.0 {
            notes.push(Note::SameDecoded);
            return Some(Inside { format, edits: &[] });
        }
        let redactor = self.redactor;
        let (before, after) = (
            redactor.arena.alloc_str(&before.0),
            redactor.arena.alloc_str(&after.0),
        );
        self.redactor = Redactor {
            texts: [redactor.texts[0], before, after],
            ..redactor
        };
        let [before, after] =
            [&*before, &*after].map(|text| self.build.known(Content::String(text)));
        let location = Location::document(Rule::None);
        let edits = self.walk(|walk| walk.add(before, after, location, Labels::default(), &[]));
        self.redactor = redactor;
        Some(Inside { format, edits })
    }

    /// Compares two texts by their lines.
    ///
    /// `None` if one of them has too many lines, which a note then says.
    fn lines(
        &mut self,
        before: &'a str,
        after: &'a str,
        notes: &mut Vec<Note>,
    ) -> Option<Inside<'a>> {
        let has_too_many =
            |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count() > MAX_PARTS;
        if has_too_many(before) || has_too_many(after) {
            notes.push(Note::TooLarge);
            return None;
        }
        let build = self.build;
        let lines = |text: &'w str| {
            let lines: Vec<_> = text
                .split('\n')
                .map(|line| build.known(Content::String(line)))
                .collect();
            build.arena().alloc_slice_copy(&lines)
        };
        let location = Location::document(Rule::None);
        let edits = self.walk(|walk| {
            walk.elements(lines(before), lines(after), Order::Lines, location);
        });
        Some(Inside {
            format: Format::Lines,
            edits,
        })
    }

    /// Runs a comparison of its own, and returns its edits.
    fn walk(&mut self, compare: impl FnOnce(&mut Walk<'_, 'w, 'a>)) -> &'a [Edit<'a>] {
        let mut walk = Walk::new(self, false);
        compare(&mut walk);
        walk.finish()
    }
}

/// The role of a value in an IAM policy, which determines whether its order is significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    None,
    Policy,
    Statements,
    Statement,
    Principals,
    /// A list of actions or resources, or of principals of one type.
    Unordered,
}

impl Rule {
    /// Returns the role of a document. An object whose statements allow or deny is an IAM policy.
    pub(super) fn from_document(document: MarkedValue<'_>) -> Self {
        let is_statement = |value: &MarkedValue<'_>| {
            let effect = value.get("Effect").and_then(MarkedValue::as_str);
            matches!(effect, Some("Allow" | "Deny"))
        };
        let Some(statements) = document.get("Statement") else {
            return Self::None;
        };
        let is_policy = match statements.as_array() {
            Some(items) => !items.is_empty() && items.iter().all(is_statement),
            None => is_statement(&statements),
        };
        if is_policy { Self::Policy } else { Self::None }
    }

    /// Returns the role of a member.
    pub(super) fn member(self, name: &str) -> Self {
        match (self, name) {
            (Self::Policy, "Statement") => Self::Statements,
            (
                Self::Statements | Self::Statement,
                "Action" | "NotAction" | "Resource" | "NotResource",
            ) => Self::Unordered,
            (Self::Statements | Self::Statement, "Principal" | "NotPrincipal") => Self::Principals,
            (Self::Principals, _) => Self::Unordered,
            _ => Self::None,
        }
    }

    pub(super) fn element(self) -> Self {
        if self == Self::Statements {
            Self::Statement
        } else {
            Self::None
        }
    }

    pub(super) fn is_unordered(self) -> bool {
        matches!(self, Self::Statements | Self::Unordered)
    }
}

/// The maximum length of strings that are examined for invisible differences, in bytes.
const MAX_LEN: usize = 1 << 20;

/// Adds the labels of two scalars: how two texts differ, or that only the type of the values does.
pub(super) fn find_labels(
    before: MarkedValue<'_>,
    after: MarkedValue<'_>,
    position: Position<'_>,
    labels: &mut Labels,
) {
    let texts = (before.content.scalar_text(), after.content.scalar_text());
    if let (Content::String(before), Content::String(after)) = (before.content, after.content) {
        find_in_strings(before, after, labels);
    } else if position.is_primitive()
        && texts.0.is_some_and(|text| texts.1 == Some(text))
        && discriminant(&before.content) != discriminant(&after.content)
    {
        labels.insert(Label::TypeOnly);
    }
}

/// Adds as few labels as possible that explain all differences together.
fn find_in_strings(before: &str, after: &str, labels: &mut Labels) {
    /// The differences of form that are looked for. The later ones hide more of a text.
    const KINDS: [Label; 4] = [
        Label::Whitespace,
        Label::Invisible,
        Label::UnicodeForm,
        Label::Case,
    ];
    if before.len().max(after.len()) > MAX_LEN || !same_but_for(&KINDS, before, after) {
        return;
    }
    let mut kinds = KINDS.to_vec();
    // Ignoring the case hides the most, so its label is the first to be dropped if the others suffice.
    for kind in KINDS.into_iter().rev() {
        let rest: Vec<Label> = kinds
            .iter()
            .copied()
            .filter(|other| *other != kind)
            .collect();
        if same_but_for(&rest, before, after) {
            kinds = rest;
        }
    }
    kinds.into_iter().for_each(|kind| labels.insert(kind));
}

/// Whether two texts are the same if differences of the given kinds are ignored.
fn same_but_for(kinds: &[Label], before: &str, after: &str) -> bool {
    reduced(kinds, before).eq(reduced(kinds, after))
}

/// Returns a text without everything that the given kinds ignore.
fn reduced<'t>(kinds: &[Label], text: &'t str) -> Box<dyn Iterator<Item = char> + 't> {
    let has = |kind| kinds.contains(&kind);
    let (no_blanks, no_invisible) = (has(Label::Whitespace), has(Label::Invisible));
    let is_kept =
        move |c: &char| !(no_blanks && c.is_whitespace() || no_invisible && is_invisible(*c));
    let mut chars: Box<dyn Iterator<Item = char> + 't> = Box::new(text.chars().filter(is_kept));
    // Setting up the normalization takes longer than reading most texts, and ASCII has only one form.
    if has(Label::UnicodeForm) && !text.is_ascii() {
        chars = Box::new(chars.nfkc());
    }
    if has(Label::Case) {
        chars = Box::new(chars.flat_map(char::to_lowercase));
    }
    chars
}

/// Whether a character is not visible in a text: control characters without line breaks, and format and filler
/// characters.
fn is_invisible(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}'
        | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests;

/// Whether both texts begin with the same marker, or with none. cloud-init and the kernel read the first line to know
/// what a text is: `#cloud-config`, `#cloud-boothook`, `#include`, `#!/bin/sh`, `## template: jinja`. Texts of different
/// kinds are compared by their lines, so that the first line is shown.
fn markers_are_equal(before: &str, after: &str) -> bool {
    let marker = |text: &str| {
        let line = text.lines().next().unwrap_or_default().trim_end();
        let rest = line.strip_prefix('#').unwrap_or_default();
        let is_marker = rest.starts_with(|c: char| c == '!' || c.is_ascii_lowercase())
            || rest.starts_with("# template");
        is_marker.then(|| line.to_owned())
    };
    marker(before) == marker(after)
}
