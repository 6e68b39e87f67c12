//! The simultaneous walk over two values, which records an edit at each difference.

use std::collections::HashMap;

use super::edit::{Edit, Format, Inside, Label, Labels, Note, Path, Slot, Step};
use super::place::Place;
use super::{Comparer, labels};
use crate::diff::overlay::Unread;
use crate::diff::pairing::Order;
use crate::diff::value::{Content, MarkedValue, ValueKind, union};

/// The values to compare as a whole rather than part by part.
#[derive(Clone, Copy, Default)]
pub(super) struct Whole<'w> {
    /// Parts that were not read.
    pub(super) unread: Unread<'w>,
    /// Whether the root values are among them.
    pub(super) is_all: bool,
    /// Members of the root values.
    pub(super) members: &'w [&'w str],
}

impl Whole<'_> {
    /// The reason why the root is compared as a whole.
    fn root_note(self) -> Option<Note> {
        match self.unread {
            Unread::All => Some(Note::NotRead),
            Unread::Nothing | Unread::Members(_) => self.is_all.then_some(Note::NotCompared),
        }
    }

    /// The reason why an edit of the whole root lacks a part of its values.
    fn parts_note(self) -> Option<Note> {
        match self.unread {
            Unread::Members([]) | Unread::Nothing | Unread::All => None,
            Unread::Members(_) => Some(Note::NotRead),
        }
    }

    /// The reason why this member of the root is compared as a whole.
    fn member_note(self, name: &str) -> Option<Note> {
        match self.unread {
            Unread::Members(names) if names.contains(&name) => Some(Note::NotRead),
            Unread::Nothing | Unread::Members(_) | Unread::All => {
                self.members.contains(&name).then_some(Note::NotCompared)
            }
        }
    }
}

/// A simultaneous walk over two values.
pub(super) struct Walk<'c, 'w, 'a> {
    pub(super) comparer: &'c mut Comparer<'w, 'a>,
    edits: Vec<Edit<'a>>,
    /// The maximum number of edits.
    max_edits: usize,
    pub(super) overflowed: bool,
    /// The number of edits, including those beyond the maximum.
    pub(super) attempted: usize,
    /// The number of edits in each member of the root.
    pub(super) by_member: HashMap<&'w str, usize>,
    pub(super) whole: Whole<'w>,
    /// The steps to the current values.
    steps: Vec<Step<'a>>,
    /// The paths that end at these steps, as far as an edit has needed them.
    paths: Vec<Path<'a>>,
    pub(super) unchanged: usize,
}

impl<'c, 'w, 'a: 'w> Walk<'c, 'w, 'a> {
    pub(super) fn new(comparer: &'c mut Comparer<'w, 'a>, max_edits: usize) -> Self {
        Self {
            comparer,
            edits: Vec::new(),
            max_edits,
            overflowed: false,
            attempted: 0,
            by_member: HashMap::new(),
            whole: Whole::default(),
            steps: Vec::new(),
            paths: Vec::new(),
            unchanged: 0,
        }
    }

    /// The edits, or `None` if they exceed the maximum.
    pub(super) fn finish(self) -> Option<&'a [Edit<'a>]> {
        let edits: &'a [Edit<'a>] = self.comparer.redactor.arena.alloc_slice_copy(&self.edits);
        (!self.overflowed).then_some(edits)
    }

    pub(super) fn compare(&mut self, before: MarkedValue<'w>, after: MarkedValue<'w>, place: Place<'w>) {
        if before == after {
            self.unchanged += scalars(before);
            return;
        }
        if let Some(note) = self.whole.root_note().filter(|_| self.steps.is_empty()) {
            return self.add(before, after, place, Labels::default(), &[note]);
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
        let note = self.whole.parts_note().filter(|_| self.steps.is_empty());
        self.add(before, after, place, Labels::default(), note.as_slice());
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
            let attempted = self.attempted;
            let whole = self.whole.member_note(name).filter(|_| self.steps.is_empty());
            self.push(Step::Name(self.comparer.redactor.text(name)));
            let place = place.member(name, arena);
            match whole {
                Some(note) => self.add(before, after, place, Labels::default(), &[note]),
                None => self.compare(before, after, place),
            }
            self.pop();
            if self.steps.is_empty() && self.attempted > attempted + 1 {
                self.by_member.insert(name, self.attempted - attempted);
            }
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
        self.attempted += 1;
        if self.edits.len() >= self.max_edits {
            self.overflowed = true;
            return;
        }
        let path = self.path();
        let comparer = &*self.comparer;
        let redactor = comparer.redactor;
        let (is_element, places) = match path.last() {
            Some(Step::Element(element)) => (true, (element.before.is_some(), element.after.is_some())),
            Some(Step::Name(_)) | None => (false, (true, true)),
        };
        // A value that is sensitive on one side is redacted on the other side too: both may be equal.
        let slot = |value: MarkedValue<'w>, other: MarkedValue<'w>, exists: bool| {
            if !exists || (value.is_null() && !is_element) {
                Slot::Absent
            } else {
                Slot::Value(comparer.keep_beside(value, other))
            }
        };
        let (kept_before, kept_after) = (slot(before, after, places.0), slot(after, before, places.1));
        let is_readable = redactor.show_sensitive || !(before.is_hidden || after.is_hidden);
        let mut notes = notes.to_vec();
        let mut inside = None;
        if notes.contains(&Note::NotRead) || notes.contains(&Note::NotCompared) {
            // The values were not compared: all that is known is that they differ.
        } else if let (Slot::Value(one), Slot::Value(two)) = (kept_before, kept_after) {
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
