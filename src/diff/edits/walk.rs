//! The simultaneous walk over two values, which records an edit at each difference.

use super::edit::{Edit, Format, Inside, Label, Labels, Note, Path, Step};
use super::place::Place;
use super::{Comparer, labels};
use crate::diff::pairing::Order;
use crate::diff::size::TooLarge;
use crate::diff::value::{Content, MarkedValue, ValueKind, union};

/// A simultaneous walk over two values.
pub(super) struct Walk<'c, 'w, 'a> {
    pub(super) comparer: &'c mut Comparer<'w, 'a>,
    edits: Vec<Edit<'a>>,
    /// The values to compare as a whole rather than part by part.
    too_large: TooLarge<'w>,
    /// The steps to the current values.
    steps: Vec<Step<'a>>,
    /// The paths that end at these steps, as far as an edit has needed them.
    paths: Vec<Path<'a>>,
    pub(super) unchanged: usize,
}

impl<'c, 'w, 'a: 'w> Walk<'c, 'w, 'a> {
    pub(super) fn new(comparer: &'c mut Comparer<'w, 'a>, too_large: TooLarge<'w>) -> Self {
        Self { comparer, edits: Vec::new(), too_large, steps: Vec::new(), paths: Vec::new(), unchanged: 0 }
    }

    /// The edits.
    pub(super) fn finish(self) -> &'a [Edit<'a>] {
        self.comparer.redactor.arena.alloc_slice_copy(&self.edits)
    }

    pub(super) fn compare(&mut self, before: MarkedValue<'w>, after: MarkedValue<'w>, place: Place<'w>) {
        if before == after {
            self.unchanged += scalars(before);
            return;
        }
        if self.is_too_large() {
            return self.add(before, after, place, Labels::default(), &[Note::TooLarge]);
        }
        if !before.is_hidden && !after.is_hidden {
            match (before.content, after.content) {
                (Content::Object(before), Content::Object(after)) => {
                    return self.members(before, after, place);
                }
                (Content::Array(b), Content::Array(a)) => {
                    let order = if place.position.is_set() { Order::Ignored } else { Order::Matters };
                    if !self.elements(b, a, order, place) {
                        self.add(before, after, place, Label::Order.into(), &[]);
                    }
                    return;
                }
                _ => {}
            }
        }
        self.add(before, after, place, Labels::default(), &[]);
    }

    /// Whether the current values are compared as a whole.
    fn is_too_large(&self) -> bool {
        match (&self.too_large, &*self.steps) {
            (TooLarge::Root, []) => true,
            (TooLarge::Members(names), [Step::Name(name)]) => names.contains(name),
            (TooLarge::Nothing | TooLarge::Members(_) | TooLarge::Root, _) => false,
        }
    }

    fn members(
        &mut self,
        before: &'w [(&'w str, MarkedValue<'w>)],
        after: &'w [(&'w str, MarkedValue<'w>)],
        place: Place<'w>,
    ) {
        let (null, arena) = (self.comparer.build.null(), self.comparer.build.arena());
        for (name, before, after) in union(before, after) {
            let (before, after) = (before.unwrap_or(null), after.unwrap_or(null));
            if before == after {
                self.unchanged += scalars(before);
                continue;
            }
            self.push(Step::Name(self.comparer.redactor.text(name)));
            self.compare(before, after, place.member(name, arena));
            self.pop();
        }
    }

    pub(super) fn push(&mut self, step: Step<'a>) {
        self.steps.push(step);
    }

    pub(super) fn pop(&mut self) {
        self.steps.pop();
        self.paths.truncate(self.steps.len());
    }

    /// The path of the current values. Edits share the steps that their paths have in common.
    fn path(&mut self) -> Path<'a> {
        let mut path = self.paths.last().copied().unwrap_or_default();
        for step in &self.steps[self.paths.len()..] {
            path = path.child(*step, self.comparer.redactor.arena);
            self.paths.push(path);
        }
        path
    }

    pub(super) fn add(
        &mut self,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        place: Place<'w>,
        mut labels: Labels,
        notes: &[Note],
    ) {
        let path = self.path();
        let comparer = &*self.comparer;
        let redactor = comparer.redactor;
        let (is_element, places) = match path.last() {
            Some(Step::Element(element)) => (true, (element.before.is_some(), element.after.is_some())),
            Some(Step::Name(_) | Step::Document(_)) | None => (false, (true, true)),
        };
        // A value that is sensitive on one side is redacted on the other side too: both may be equal.
        let slot = |value: MarkedValue<'w>, other: MarkedValue<'w>, exists: bool| {
            if !exists || (value.is_null() && !is_element) {
                None
            } else {
                Some(comparer.keep_beside(value, other))
            }
        };
        let (kept_before, kept_after) = (slot(before, after, places.0), slot(after, before, places.1));
        let is_readable = redactor.show_sensitive || !(before.is_hidden || after.is_hidden);
        let mut notes = notes.to_vec();
        let mut inside = None;
        if notes.contains(&Note::TooLarge) {
            // The values were not compared: all that is known is that they differ.
        } else if let (Some(one), Some(two)) = (kept_before, kept_after) {
            if before != after && before.same_without_marks(after) {
                labels.insert(Label::Sensitivity);
            } else if is_readable {
                labels::find(one, two, place.position, &mut labels);
                if let (Content::String(one), Content::String(two)) = (one.content, two.content)
                    && one != two
                {
                    inside = self.comparer.inside(one, two, &mut notes);
                }
            }
        } else if !is_element && is_readable && (before.is_empty() || after.is_empty()) {
            labels.insert(Label::Empty);
        }
        if place.is_missing {
            labels.insert(Label::NotInSchema);
        }
        if inside.is_some_and(|inside: Inside<'_>| inside.format == Format::Json && inside.edits.is_empty()) {
            labels.insert(Label::Format);
        }
        self.edits.push(Edit {
            path,
            before: kept_before,
            after: kept_after,
            replaces: place.is_replaced || place.replace.may_match(),
            labels,
            inside: inside.map(|inside| &*redactor.arena.alloc(inside)),
            notes: redactor.arena.alloc_slice_copy(&notes),
        });
    }
}

/// The number of bools, numbers, strings and unknown values in a value.
pub(super) fn scalars(value: MarkedValue<'_>) -> usize {
    match value.kind() {
        ValueKind::Null => 0,
        ValueKind::Unknown | ValueKind::Redacted | ValueKind::Scalar => 1,
        ValueKind::Array | ValueKind::Object => value.children().map(scalars).sum(),
    }
}
