//! Compares values, and keeps their differences as edits.
//!
//! Invariant: edits contain copies of values without their sensitive parts, unless the user asks for these. Equal
//! values give no edit.
//!
//! ```text
//! before   {"tags":{"owner":"x"},"ports":[80,443]}
//! after    {"tags":{"owner":"y"},"ports":[443,80]}
//!
//! edits    tags.owner  "x" -> "y"
//!          ports       80 and 443 in another order
//! ```

mod inside;

use std::sync::OnceLock;

use bumpalo::Bump;
use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt as _};

use super::{Edit, Element, ElementKey, Format, Inside, Label, Labels, Note, Path, Step};
use crate::diff::pairing::{self, Match, Order, Pair};
use crate::diff::parallel::{self, Storage};
use crate::diff::size::is_small;
use crate::diff::value::{Builder, Content, MarkedValue, Redactor, union};
use crate::diff::{Error, Paths};
use crate::direction::Meaning;
use crate::schema::Position;
use inside::{Rule, find_labels};

/// Returns the random keys of all hashes. They are the same for all plans, so that equal changes of several plans have
/// equal hashes.
fn hasher() -> &'static RandomState {
    static HASHER: OnceLock<RandomState> = OnceLock::new();
    HASHER.get_or_init(RandomState::default)
}

/// The settings that all comparisons of a document share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    /// The texts that edits may borrow from. The first one is the whole document.
    pub(crate) texts: [&'a str; 3],
    pub(crate) show_sensitive: bool,
    /// The memory for texts that are compressed in strings, in bytes, in addition to four times the size of the values.
    pub(crate) decoded: usize,
}

impl<'a> Settings<'a> {
    pub(crate) fn redactor(self, arena: &'a Bump) -> Redactor<'a> {
        Redactor {
            texts: self.texts,
            arena,
            show_sensitive: self.show_sensitive,
        }
    }

    /// Compares items on all processors, and returns the results in order. `size` returns the size of an item in bytes
    /// of text. `work` compares one item; its results may borrow from `storage`.
    pub(crate) fn compare_all<T: Sync, R: Send>(
        self,
        items: &[T],
        size: impl Fn(&T) -> usize + Sync,
        storage: &'a mut Storage,
        work: impl for<'w> Fn(&T, Comparer<'w, 'a>) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        /// The minimum size of an item that is compared without copies, in bytes of text.
        const MIN_IN_PLACE: usize = 1 << 20;
        /// The minimum of memory that each item has for texts that are compressed in strings, in bytes.
        const MIN_UNPACKED: usize = 8 << 10;
        let share = (self.decoded / items.len().max(1)).max(MIN_UNPACKED);
        let hasher = hasher();
        parallel::map_into(
            storage,
            items,
            &size,
            |item, scratch: &Bump, kept: &'a Bump| {
                let redactor = self.redactor(kept);
                let size = size(item);
                let budget = share + 4 * size;
                if size >= MIN_IN_PLACE {
                    return work(item, Comparer::in_place(hasher, redactor, budget));
                }
                work(item, Comparer::new(scratch, hasher, redactor, budget))
            },
        )
    }
}

/// The context in which the values of one entry are compared.
#[derive(Debug)]
pub(crate) struct Comparer<'w, 'a: 'w> {
    /// The builder of values, in an arena that is reset after the entry.
    pub(crate) build: Builder<'w, 'w>,
    /// The copier of the values that edits keep, which leaves out their sensitive parts.
    pub(crate) redactor: Redactor<'a>,
    /// The memory that texts compressed in strings may still take when unpacked, in bytes.
    pub(super) budget: usize,
    /// The number of embedded documents around the values that are compared.
    pub(super) depth: usize,
    /// The function that copies a value without marks, or keeps it as it is if edits may refer to it.
    keep_value: fn(Redactor<'a>, MarkedValue<'w>) -> MarkedValue<'a>,
}

/// The result of a comparison.
pub(crate) struct Differences<'a> {
    /// The edits between the two values.
    pub(crate) edits: &'a [Edit<'a>],
    /// The number of scalars that are equal on both sides.
    pub(crate) unchanged: usize,
}

impl<'a> Comparer<'a, 'a> {
    /// Creates a comparer whose edits refer to the values instead of copying them. Everything that was read then stays
    /// in memory, so this is for entries so large that copies would take more.
    fn in_place(hasher: &'a RandomState, redactor: Redactor<'a>, budget: usize) -> Self {
        Self {
            keep_value: |_, value| value,
            ..Self::new(redactor.arena, hasher, redactor, budget)
        }
    }
}

impl<'w, 'a: 'w> Comparer<'w, 'a> {
    pub(crate) fn new(
        scratch: &'w Bump,
        hasher: &'w RandomState,
        redactor: Redactor<'a>,
        budget: usize,
    ) -> Self {
        let keep_value = |redactor: Redactor<'a>, value: MarkedValue<'w>| redactor.value(value);
        Self {
            build: Builder::new(scratch, hasher),
            redactor,
            budget,
            depth: 0,
            keep_value,
        }
    }

    /// Copies a value for an edit. Unless the user asks for sensitive values, the parts that are sensitive in it or in
    /// the value of the other side are removed.
    pub(crate) fn copy_redacted_like(
        &self,
        value: MarkedValue<'w>,
        other: MarkedValue<'w>,
    ) -> MarkedValue<'a> {
        if value.has_marks || other.has_marks {
            self.redactor.redacted_like(value, Some(other))
        } else {
            (self.keep_value)(self.redactor, value)
        }
    }

    /// Compares two values, and returns their edits. Values that are too large are compared as a whole.
    pub(crate) fn compare(
        &mut self,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        location: Location<'w>,
    ) -> Differences<'a> {
        let mut walk = Walk::new(self, !is_small(before) || !is_small(after));
        walk.compare(before, after, location);
        let unchanged = walk.unchanged;
        Differences {
            edits: walk.finish(),
            unchanged,
        }
    }
}

/// A position in a value, with everything that is known about it except the values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Location<'w> {
    /// The position in the schema.
    position: Position<'w>,
    /// The rule by which an order is insignificant at this position.
    rule: Rule,
    /// The paths from this position on that force a replacement.
    replace: Paths<'w>,
    /// Whether a path that forces a replacement ends at a parent.
    is_replaced: bool,
    /// Whether the schema is that of the provider version that made the plan, so that a missing attribute gets a label.
    is_exact: bool,
    /// Whether the schema lacks this attribute.
    is_missing: bool,
}

impl<'w> Location<'w> {
    /// Returns the location of a whole value.
    pub(crate) fn root(position: Position<'w>, replace: Paths<'w>) -> Self {
        let is_exact = matches!(position, Position::Block(_));
        Self {
            position,
            rule: Rule::None,
            replace,
            is_replaced: false,
            is_exact,
            is_missing: false,
        }
    }

    /// Returns the location of an embedded document, which has no schema.
    fn document(rule: Rule) -> Self {
        Self {
            rule,
            ..Self::root(Position::Unspecified, Paths::Never)
        }
    }

    fn member(self, name: &str) -> Self {
        self.child(
            self.position.member(name),
            self.rule.member(name),
            self.replace.key(name),
        )
    }

    fn element(self, index: usize) -> Self {
        self.child(
            self.position.element(index),
            self.rule.element(),
            self.replace.index(index),
        )
    }

    /// Returns the location of a part, with its position, its rule and its paths.
    fn child(self, position: Position<'w>, rule: Rule, replace: Paths<'w>) -> Self {
        Self {
            position,
            rule,
            replace,
            is_replaced: self.is_replaced || self.replace.matches(),
            is_missing: self.is_missing || (self.is_exact && position.is_missing()),
            ..self
        }
    }
}

/// One comparison of two values, with the current position in them.
pub(super) struct Walk<'c, 'w, 'a> {
    /// The context of the comparison.
    comparer: &'c mut Comparer<'w, 'a>,
    /// The edits so far.
    edits: Vec<Edit<'a>>,
    /// Whether the values are too large, so that the containers in them are compared as a whole.
    are_too_large: bool,
    /// The steps from the values to the current position.
    steps: Vec<Step<'a>>,
    /// The paths that end at these steps, as far as an edit has needed them. Edits of one container share its path.
    paths: Vec<Path<'a>>,
    /// The number of scalars that are equal on both sides so far.
    unchanged: usize,
}

impl<'c, 'w, 'a: 'w> Walk<'c, 'w, 'a> {
    pub(super) fn new(comparer: &'c mut Comparer<'w, 'a>, are_too_large: bool) -> Self {
        Self {
            comparer,
            edits: Vec::new(),
            are_too_large,
            steps: Vec::new(),
            paths: Vec::new(),
            unchanged: 0,
        }
    }

    pub(super) fn finish(self) -> &'a [Edit<'a>] {
        self.comparer.redactor.arena.alloc_slice_copy(&self.edits)
    }

    /// Adds the edits that turn `before` into `after`.
    pub(super) fn compare(
        &mut self,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        location: Location<'w>,
    ) {
        if before == after {
            self.unchanged += before.scalars();
            return;
        }
        let is_whole = before.is_hidden || after.is_hidden;
        match (before.content, after.content) {
            (Content::Object(before), Content::Object(after))
                if !is_whole && (!self.are_too_large || self.steps.is_empty()) =>
            {
                self.members(before, after, location);
            }
            (Content::Array(_) | Content::Object(_), Content::Array(_) | Content::Object(_))
                if self.are_too_large =>
            {
                self.add(
                    before,
                    after,
                    location,
                    Labels::default(),
                    &[Note::TooLarge],
                );
            }
            (Content::Array(b), Content::Array(a)) if !is_whole => {
                let order = if location.position.is_set() {
                    Order::Ignored
                } else {
                    Order::Matters
                };
                if !self.elements(b, a, order, location) {
                    self.add(before, after, location, Label::Order.into(), &[]);
                }
            }
            _ => self.add(before, after, location, Labels::default(), &[]),
        }
    }

    /// Compares the members of two objects by name. A missing member counts as null.
    fn members(
        &mut self,
        before: &'w [(&'w str, MarkedValue<'w>)],
        after: &'w [(&'w str, MarkedValue<'w>)],
        location: Location<'w>,
    ) {
        let null = self.comparer.build.null();
        for (name, before, after) in union(before, after) {
            let (before, after) = (before.unwrap_or(null), after.unwrap_or(null));
            if before == after {
                self.unchanged += before.scalars();
                continue;
            }
            self.steps
                .push(Step::Name(self.comparer.redactor.text(name)));
            self.compare(before, after, location.member(name));
            self.pop();
        }
    }

    /// Pairs the elements of two lists, and compares the pairs. Returns false, without edits, if only an insignificant
    /// order differs.
    pub(super) fn elements(
        &mut self,
        before: &'w [MarkedValue<'w>],
        after: &'w [MarkedValue<'w>],
        order: Order,
        location: Location<'w>,
    ) -> bool {
        let pairing = pairing::pair(before, after, order);
        let is_unordered = order == Order::Ignored || location.rule.is_unordered();
        if is_unordered && pairing.pairs.iter().all(|pair| pair.how != Match::Changed) {
            return false;
        }
        let null = self.comparer.build.null();
        let mut keys = Keys {
            before,
            after,
            counts: HashMap::new(),
        };
        let notes: &[Note] = if pairing.approximate {
            &[Note::Approximate]
        } else {
            &[]
        };
        for pair in pairing.pairs {
            let number = |location: Option<usize>| {
                location.and_then(|location| u32::try_from(location).ok())
            };
            let value = |values: &[MarkedValue<'w>], location: Option<usize>| {
                location
                    .and_then(|location| values.get(location))
                    .copied()
                    .unwrap_or(null)
            };
            let (b, a) = (value(before, pair.before), value(after, pair.after));
            if pair.how == Match::Same {
                self.unchanged += b.scalars();
                continue;
            }
            let redactor = self.comparer.redactor;
            let key = keys.find(pair, b, a).map(|(name, value)| {
                &*redactor.arena.alloc(ElementKey {
                    name,
                    value: redactor.value(value),
                })
            });
            self.steps.push(Step::Element(Element {
                before: number(pair.before),
                after: number(pair.after),
                lengths: (before.len() as u32, after.len() as u32),
                is_set: order == Order::Ignored,
                key,
            }));
            let location = location.element(pair.before.or(pair.after).unwrap_or_default());
            if pair.how == Match::Moved {
                let mut labels = Labels::from(Label::Moved);
                if is_unordered {
                    labels.insert(Label::Order);
                }
                self.add(b, a, location, labels, notes);
            } else if pair.before.is_some() && pair.after.is_some() {
                self.compare(b, a, location);
            } else {
                self.add(b, a, location, Labels::default(), notes);
            }
            self.pop();
        }
        true
    }

    /// Returns from a step.
    fn pop(&mut self) {
        self.steps.pop();
        self.paths.truncate(self.steps.len());
    }

    /// Returns the path of the current position.
    fn path(&mut self) -> Path<'a> {
        let mut path = self.paths.last().copied().unwrap_or_default();
        for step in &self.steps[self.paths.len()..] {
            path = path.child(*step, self.comparer.redactor.arena);
            self.paths.push(path);
        }
        path
    }

    /// Adds one edit for the current position, with its labels, its notes and the edits of embedded documents.
    pub(super) fn add(
        &mut self,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        location: Location<'w>,
        mut labels: Labels,
        notes: &[Note],
    ) {
        let path = self.path();
        let comparer = &*self.comparer;
        let redactor = comparer.redactor;
        let (is_element, places) = match path.last() {
            Some(Step::Element(element)) => {
                (true, (element.before.is_some(), element.after.is_some()))
            }
            Some(Step::Name(_) | Step::Document(_)) | None => (false, (true, true)),
        };
        // A value that is sensitive on one side is also removed on the other side, because both may be equal.
        let slot = |value: MarkedValue<'w>, other: MarkedValue<'w>, exists: bool| {
            let is_there = exists && (is_element || !value.is_null());
            is_there.then(|| comparer.copy_redacted_like(value, other))
        };
        let (kept_before, kept_after) =
            (slot(before, after, places.0), slot(after, before, places.1));
        let is_readable = redactor.show_sensitive || !(before.is_hidden || after.is_hidden);
        let mut notes = notes.to_vec();
        let mut inside = None;
        if notes.contains(&Note::TooLarge) {
            // The values were not compared, so nothing is known except that they differ.
        } else if let (Some(one), Some(two)) = (kept_before, kept_after) {
            if before != after && before.same_without_marks(after) {
                labels.insert(Label::Sensitivity);
            } else if is_readable {
                find_labels(one, two, location.position, &mut labels);
                if let (Content::String(one), Content::String(two)) = (one.content, two.content)
                    && one != two
                {
                    inside = self.comparer.inside(one, two, &mut notes);
                }
                let is_same_json = match (one.content, two.content) {
                    (Content::String(text), _) if two.is_container() => {
                        self.comparer.is_same_json(text, two)
                    }
                    (_, Content::String(text)) if one.is_container() => {
                        self.comparer.is_same_json(text, one)
                    }
                    (_, _) => false,
                };
                if is_same_json {
                    labels.insert(Label::Format);
                }
            }
        } else if !is_element
            && is_readable
            && (before.is_empty() || after.is_empty())
            && !comparer.is_in_document(path)
        {
            labels.insert(Label::Empty);
        }
        if location.is_missing {
            labels.insert(Label::NotInSchema);
        }
        if inside.is_some_and(|inside: Inside<'_>| {
            inside.format == Format::Json && inside.edits.is_empty()
        }) {
            labels.insert(Label::Format);
        }
        self.edits.push(Edit {
            path,
            before: kept_before,
            after: kept_after,
            replaces: location.is_replaced || location.replace.may_match(),
            labels,
            inside: inside.map(|inside| &*redactor.arena.alloc(inside)),
            notes: redactor.arena.alloc_slice_copy(&notes),
            meaning: Meaning::default(),
        });
    }
}

/// The elements of two lists, among which identifying attributes of a pair are searched for.
struct Keys<'v, 'w> {
    before: &'v [MarkedValue<'w>],
    after: &'v [MarkedValue<'w>],
    /// The number of elements before and after with each value, by the name of the attribute.
    counts: HashMap<&'static str, HashMap<MarkedValue<'w>, [u32; 2]>>,
}

impl<'w> Keys<'_, 'w> {
    /// Returns an attribute that identifies the pair: it has the same value on both sides, and no other element has
    /// that value.
    fn find(
        &mut self,
        pair: Pair,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
    ) -> Option<(&'static str, MarkedValue<'w>)> {
        pairing::names().find_map(|name| {
            let sides = (
                pairing::name_value(before, name),
                pairing::name_value(after, name),
            );
            let is_alone = pair.before.is_none() || pair.after.is_none();
            let value = match sides {
                (value, other) if is_alone => value.or(other)?,
                (Some(before), Some(after)) if before == after => before,
                _ => return None,
            };
            let sides = [self.before, self.after];
            let counts = self.counts.entry(name).or_insert_with(|| {
                let mut counts: HashMap<MarkedValue<'w>, [u32; 2]> = HashMap::new();
                for (side, elements) in sides.into_iter().enumerate() {
                    let values = elements
                        .iter()
                        .filter_map(|element| pairing::name_value(*element, name));
                    values.for_each(|value| counts.entry(value).or_default()[side] += 1);
                }
                counts
            });
            let [old, new] = counts.get(&value).copied()?;
            let is_unique = if is_alone {
                old + new == 1
            } else {
                (old, new) == (1, 1)
            };
            is_unique.then_some((name, value))
        })
    }
}
