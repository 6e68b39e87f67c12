//! From the two sides of a change to edits.
//!
//! Invariants: an edit holds what the two values are at its path, so that it is true; what is not
//! equal has an edit, so that all of them are complete; only values that cannot be compared part by
//! part are in an edit as a whole, so that they are minimal. No comparison goes below a value that is
//! sensitive as a whole. What is kept holds no sensitive value unless it was asked for.

pub(crate) mod bounds;
mod elements;
mod inside;
mod labels;
mod rule;

use std::collections::HashMap;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use self::bounds::Allowance;
use self::rule::Rule;
use super::edit::{Edit, Inside, Label, Labels, Note, Path, Slot, Step};
use crate::diff::Paths;
use crate::diff::overlay::Unread;
use crate::diff::pairing::Order;
use crate::diff::value::{Builder, Content, MarkedValue, Redactor, union};
use crate::schema::Position;

/// Compares the values of one entry.
#[derive(Debug)]
pub(crate) struct Comparer<'w, 'a> {
    /// Builds what is compared, in an arena that is emptied afterwards.
    pub(crate) build: Builder<'w, 'w>,
    /// Keeps what edits hold.
    pub(crate) redactor: Redactor<'a>,
    /// How much of documents inside of strings may still be decoded and kept, in bytes.
    budget: usize,
    depth: usize,
    /// Keeps a value without marks.
    keep_value: fn(Redactor<'a>, MarkedValue<'w>) -> MarkedValue<'a>,
    /// What the edits of the entry may take.
    pub(crate) allowance: Allowance,
    /// What was not read of the values.
    pub(crate) unread: Unread<'w>,
}

impl<'a> Comparer<'a, 'a> {
    /// Compares values in the arena that edits are kept in. Nothing of them is copied, but all of them
    /// stay: for large entries, of which a copy beside the original would take too much memory.
    pub(crate) fn in_place(hasher: &'a RandomState, redactor: Redactor<'a>, budget: usize) -> Self {
        Self { keep_value: |_, value| value, ..Self::new(redactor.arena, hasher, redactor, budget) }
    }
}

/// What is known of the place where two values are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'w> {
    position: Position<'w>,
    rule: Rule,
    replace: Paths<'w>,
    /// A path that forces the replacement ends above.
    is_replaced: bool,
    /// The schema is that of the provider's own version.
    is_exact: bool,
    is_missing: bool,
}

impl<'w> Place<'w> {
    /// The root of an object.
    pub(crate) fn root(position: Position<'w>, replace: Paths<'w>) -> Self {
        let is_exact = matches!(position, Position::Block(_));
        Self { position, rule: Rule::None, replace, is_replaced: false, is_exact, is_missing: false }
    }

    /// The root of a document in a string.
    fn document(rule: Rule) -> Self {
        Self { rule, ..Self::root(Position::Unspecified, Paths::Never) }
    }

    fn member(self, name: &str, arena: &'w Bump) -> Self {
        let position = self.position.member(name);
        Self {
            position,
            rule: self.rule.member(name),
            replace: self.replace.key(name, arena),
            is_replaced: self.is_replaced || self.replace.matches(),
            is_exact: self.is_exact,
            is_missing: self.is_missing || (self.is_exact && position.is_missing()),
        }
    }

    fn element(self, index: usize, arena: &'w Bump) -> Self {
        let position = self.position.element(index);
        Self {
            position,
            rule: self.rule.element(),
            replace: self.replace.index(index, arena),
            is_replaced: self.is_replaced || self.replace.matches(),
            is_exact: self.is_exact,
            is_missing: self.is_missing || (self.is_exact && position.is_missing()),
        }
    }
}

/// The edits of two values.
pub(crate) struct Compared<'a> {
    pub(crate) edits: &'a [Edit<'a>],
    /// How many scalars do not change.
    pub(crate) unchanged: usize,
}

impl<'w, 'a: 'w> Comparer<'w, 'a> {
    /// Compares values in `scratch`, and keeps edits by `keep`.
    pub(crate) fn new(
        scratch: &'w Bump,
        hasher: &'w RandomState,
        redactor: Redactor<'a>,
        budget: usize,
    ) -> Self {
        let keep_value = |redactor: Redactor<'a>, value: MarkedValue<'w>| redactor.value(value);
        let (build, allowance) = (Builder::new(scratch, hasher), Allowance::ALL);
        Self { build, redactor, budget, depth: 0, keep_value, allowance, unread: Unread::Nothing }
    }

    /// Finds no more edits than the allowance has room for.
    pub(crate) fn within(self, allowance: Allowance) -> Self {
        Self { allowance, ..self }
    }

    /// Keeps a value, without what is sensitive in it or in the value on the other side, unless sensitive
    /// values were asked for.
    pub(crate) fn keep_beside(&self, value: MarkedValue<'w>, other: MarkedValue<'w>) -> MarkedValue<'a> {
        if value.has_marks || other.has_marks {
            self.redactor.beside(value, other)
        } else {
            (self.keep_value)(self.redactor, value)
        }
    }

    /// Compares two values. At the root, null is absence.
    pub(crate) fn compare(
        &mut self,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        place: Place<'w>,
    ) -> Compared<'a> {
        let most = self.allowance.edits();
        let (scratch, mut whole) = (self.build.arena(), Whole { unread: self.unread, ..Whole::default() });
        let mut walk = Walk::new(self, most);
        walk.whole = whole;
        walk.compare(before, after, place);
        if walk.overflowed {
            // Too many: the attributes with most of them are not compared part by part.
            let (all, found) = (walk.attempted, std::mem::take(&mut walk.by_member));
            match (before.as_object(), after.as_object()) {
                (Some(_), Some(_)) => {
                    whole.members = scratch.alloc_slice_copy(&bounds::largest(found, all, most));
                }
                _ => whole.is_all = true,
            }
            walk = Walk::new(self, usize::MAX);
            walk.whole = whole;
            walk.compare(before, after, place);
        }
        let unchanged = walk.unchanged;
        Compared { edits: walk.finish().unwrap_or_default(), unchanged }
    }
}

/// What is compared as a whole.
#[derive(Clone, Copy, Default)]
struct Whole<'w> {
    /// What was not read.
    unread: Unread<'w>,
    /// The values themselves.
    is_all: bool,
    /// These members of theirs.
    members: &'w [&'w str],
}

impl Whole<'_> {
    /// Why the root is compared as a whole.
    fn root(self) -> Option<Note> {
        match self.unread {
            Unread::All => Some(Note::NotRead),
            Unread::Nothing | Unread::Members(_) => self.is_all.then_some(Note::NotCompared),
        }
    }

    /// Why an edit of the whole root does not have all of its values.
    fn parts(self) -> Option<Note> {
        match self.unread {
            Unread::Members([]) | Unread::Nothing | Unread::All => None,
            Unread::Members(_) => Some(Note::NotRead),
        }
    }

    /// Why a member of the root is.
    fn member(self, name: &str) -> Option<Note> {
        match self.unread {
            Unread::Members(names) if names.contains(&name) => Some(Note::NotRead),
            Unread::Nothing | Unread::Members(_) | Unread::All => {
                self.members.contains(&name).then_some(Note::NotCompared)
            }
        }
    }
}

/// A walk over two values, side by side.
struct Walk<'c, 'w, 'a> {
    comparer: &'c mut Comparer<'w, 'a>,
    edits: Vec<Edit<'a>>,
    /// More edits than this are too many.
    most: usize,
    overflowed: bool,
    /// How many edits there are with those that were too many, and in each member of the root.
    attempted: usize,
    by_member: HashMap<&'w str, usize>,
    whole: Whole<'w>,
    /// The steps to the values at hand, and the paths of those that an edit needed already.
    steps: Vec<Step<'a>>,
    paths: Vec<Path<'a>>,
    unchanged: usize,
}

impl<'c, 'w, 'a: 'w> Walk<'c, 'w, 'a> {
    fn new(comparer: &'c mut Comparer<'w, 'a>, most: usize) -> Self {
        Self {
            comparer,
            edits: Vec::new(),
            most,
            overflowed: false,
            attempted: 0,
            by_member: HashMap::new(),
            whole: Whole::default(),
            steps: Vec::new(),
            paths: Vec::new(),
            unchanged: 0,
        }
    }

    /// The edits; none if they were too many.
    fn finish(self) -> Option<&'a [Edit<'a>]> {
        let edits: &'a [Edit<'a>] = self.comparer.redactor.arena.alloc_slice_copy(&self.edits);
        (!self.overflowed).then_some(edits)
    }

    fn compare(&mut self, before: MarkedValue<'w>, after: MarkedValue<'w>, place: Place<'w>) {
        if before == after {
            self.unchanged += scalars(before);
            return;
        }
        if let Some(note) = self.whole.root().filter(|_| self.steps.is_empty()) {
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
                        self.emit_labelled(before, after, place, Label::Order);
                    }
                    return;
                }
                _ => {}
            }
        }
        match self.whole.parts().filter(|_| self.steps.is_empty()) {
            Some(note) => self.add(before, after, place, Labels::default(), &[note]),
            None => self.emit(before, after, place),
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
            let attempted = self.attempted;
            let whole = self.whole.member(name).filter(|_| self.steps.is_empty());
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

    fn push(&mut self, step: Step<'a>) {
        self.steps.push(step);
    }

    fn pop(&mut self) {
        self.steps.pop();
        self.paths.truncate(self.steps.len());
    }

    /// The path of the values at hand. Its steps are shared with the edits beside.
    fn path(&mut self) -> Path<'a> {
        let mut path = self.paths.last().copied().unwrap_or_default();
        for step in &self.steps[self.paths.len()..] {
            path = path.child(*step, self.comparer.redactor.arena);
            self.paths.push(path);
        }
        path
    }

    fn emit(&mut self, before: MarkedValue<'w>, after: MarkedValue<'w>, place: Place<'w>) {
        self.add(before, after, place, Labels::default(), &[]);
    }

    fn emit_labelled(
        &mut self,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        place: Place<'w>,
        label: Label,
    ) {
        let mut labels = Labels::default();
        labels.insert(label);
        self.add(before, after, place, labels, &[]);
    }

    fn add(
        &mut self,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        place: Place<'w>,
        mut labels: Labels,
        notes: &[Note],
    ) {
        self.attempted += 1;
        if self.edits.len() >= self.most {
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
        // What one side marks is a secret on the other side too: it may be the same value.
        let slot = |value: MarkedValue<'w>, other: MarkedValue<'w>, is_there: bool| {
            if !is_there || (value.is_null() && !is_element) {
                Slot::Absent
            } else {
                Slot::Value(comparer.keep_beside(value, other))
            }
        };
        let (kept_before, kept_after) = (slot(before, after, places.0), slot(after, before, places.1));
        let may_look = redactor.show_sensitive || !(before.is_hidden || after.is_hidden);
        let mut notes = notes.to_vec();
        let mut inside = None;
        if notes.contains(&Note::NotRead) || notes.contains(&Note::NotCompared) {
            // Nothing is known of the values but that they differ.
        } else if let (Slot::Value(one), Slot::Value(two)) = (kept_before, kept_after) {
            if before != after && before.same_without_marks(after) {
                labels.insert(Label::Sensitivity);
            } else if may_look {
                labels::find(one, two, place.position, &mut labels);
                if let (Content::String(one), Content::String(two)) = (one.content, two.content)
                    && one != two
                {
                    inside = self.comparer.inside(one, two, &mut notes);
                }
            }
        } else if !is_element && may_look && (before.is_empty() || after.is_empty()) {
            labels.insert(Label::Empty);
        }
        if place.is_missing {
            labels.insert(Label::NotInSchema);
        }
        if inside.is_some_and(|inside: Inside<'_>| {
            inside.format == super::edit::Format::Json && inside.edits.is_empty()
        }) {
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

/// How many bools, numbers and strings a value is made of.
fn scalars(value: MarkedValue<'_>) -> usize {
    match value.content {
        Content::Null => 0,
        Content::Unknown | Content::Redacted | Content::Bool(_) | Content::Number(_) | Content::String(_) => {
            1
        }
        Content::Array(items) => items.iter().map(|item| scalars(*item)).sum(),
        Content::Object(members) => members.iter().map(|(_, member)| scalars(*member)).sum(),
    }
}
