//! The evidence for the shape of a value: observations over all instances of a resource type.
//!
//! Invariant: the tree contains every member of every observed object, up to [`MAX_MEMBERS`], so that a
//! shape derived from it omits few values. Widening adds those.

use std::collections::BTreeMap;

use super::order;
use crate::json::Value;

/// The maximum number of members at one path. Evidence takes much more memory than the members.
const MAX_MEMBERS: usize = 1 << 14;

/// The evidence of one member or element.
#[derive(Debug, Default)]
pub(super) struct Evidence<'s> {
    /// The number of observed values, including null and unknown ones.
    pub(super) times: usize,
    pub(super) nulls: bool,
    pub(super) unknown: bool,
    pub(super) bools: bool,
    pub(super) numbers: bool,
    pub(super) strings: bool,
    pub(super) objects: Option<Box<Objects<'s>>>,
    pub(super) arrays: Option<Box<Arrays<'s>>>,
    pub(super) config: Config,
    /// Whether the configuration sets a value that is null in the document: it is never stored.
    pub(super) write_only: bool,
}

/// The form of a member in the configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Config {
    /// Not in the configuration.
    #[default]
    Silent,
    /// An attribute: one expression.
    Attribute,
    /// Blocks with list or set nesting.
    Blocks,
    /// A single block.
    Block,
    /// Blocks by key.
    KeyedBlocks,
}

/// The objects observed at one path.
#[derive(Debug, Default)]
pub(super) struct Objects<'s> {
    pub(super) times: usize,
    /// Whether one of them had members, all null.
    pub(super) hollow: bool,
    /// Whether one of them had no members.
    pub(super) empty: bool,
    pub(super) members: BTreeMap<&'s str, Evidence<'s>>,
}

/// The arrays observed at one path.
#[derive(Debug, Default)]
pub(super) struct Arrays<'s> {
    pub(super) item: Evidence<'s>,
    /// Whether one of them had no elements.
    pub(super) empty: bool,
    /// Whether there was proof of a list, such as elements that are not in the order of sets, or an unsorted
    /// order that is the same as in the configuration.
    pub(super) kept_order: bool,
    /// Whether the configuration has the same elements in another order.
    pub(super) lost_order: bool,
    /// Whether an array was marked as sensitive as a whole. Marks inside a set apply to the whole set, unlike
    /// marks inside a list.
    pub(super) marked: bool,
    /// Whether it was in the planned value of a new object, where no computed value is known yet.
    pub(super) made: bool,
    /// Whether a change of its elements forces replacement by a path to the array itself. In lists, paths
    /// lead to elements.
    pub(super) replaced_as_one: bool,
    /// The greatest number of elements in one array.
    pub(super) most_sorted: usize,
}

impl<'s> Objects<'s> {
    /// The evidence of a member; `None` for one more of very many.
    fn member(&mut self, name: &'s str) -> Option<&mut Evidence<'s>> {
        if self.members.len() < MAX_MEMBERS || self.members.contains_key(name) {
            Some(self.members.entry(name).or_default())
        } else {
            None
        }
    }
}

impl<'s> Evidence<'s> {
    /// Observes a value and its unknown parts.
    pub(super) fn observe(&mut self, value: Value<'s>, unknown: Value<'s>) {
        self.times += 1;
        if unknown == Value::Bool(true) {
            self.unknown = true;
            return;
        }
        match value {
            // An object or array with only unknown parts may be absent from the value.
            Value::Null => match unknown {
                Value::Object(_) => self.observe_object(Value::Null, unknown),
                Value::Array(items) if !items.is_empty() => self.observe_array(&[], items),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                    self.nulls = true;
                }
            },
            Value::Bool(_) => self.bools = true,
            Value::Number(_) => self.numbers = true,
            Value::String(_) => self.strings = true,
            Value::Object(_) => self.observe_object(value, unknown),
            Value::Array(items) => self.observe_array(items, unknown.as_array().unwrap_or_default()),
        }
    }

    fn observe_object(&mut self, value: Value<'s>, unknown: Value<'s>) {
        let objects = self.objects.get_or_insert_default();
        objects.times += 1;
        let members = value.as_object().unwrap_or_default().members();
        objects.empty |= members.is_empty() && !is_marked(unknown);
        objects.hollow |=
            !members.is_empty() && members.iter().all(|(_, member)| member.is_null()) && !is_marked(unknown);
        for (name, member) in members {
            let unknown = unknown.get(name).unwrap_or_default();
            if let Some(evidence) = objects.member(name) {
                evidence.observe(*member, unknown);
            }
        }
        for (name, mark) in unknown.as_object().unwrap_or_default().members() {
            if value.get(name).is_none()
                && is_marked(*mark)
                && let Some(evidence) = objects.member(name)
            {
                evidence.observe(Value::Null, *mark);
            }
        }
    }

    fn observe_array(&mut self, items: &'s [Value<'s>], unknown: &'s [Value<'s>]) {
        let arrays = self.arrays.get_or_insert_default();
        let length = items.len().max(unknown.len());
        // Sets of multi-line strings do not occur in practice.
        let texts = items.iter().any(|item| item.as_str().is_some_and(|text| text.contains('\n')));
        arrays.kept_order |= texts || order::is_not_of_sets(items, unknown);
        arrays.empty |= length == 0;
        arrays.most_sorted = arrays.most_sorted.max(length);
        for at in 0..length {
            let item = items.get(at).copied().unwrap_or_default();
            arrays.item.observe(item, unknown.get(at).copied().unwrap_or_default());
        }
    }

    /// Compares the order of elements with that of `constant`, the value in the configuration.
    pub(super) fn compare(&mut self, value: Value<'s>, constant: Value<'s>) {
        match (value, constant) {
            (Value::Array(items), Value::Array(written)) if items.len() == written.len() => {
                let arrays = self.arrays.get_or_insert_default();
                if items.iter().zip(written).all(|(item, written)| says(*item, *written)) {
                    arrays.kept_order |= order::is_not_of_sets(written, &[]);
                    for (item, written) in items.iter().zip(written) {
                        arrays.item.compare(*item, *written);
                    }
                } else if items.len() < 64 && is_permutation(items, written, says) {
                    arrays.lost_order = true;
                }
            }
            (Value::Object(object), Value::Object(written)) => {
                for (name, written) in written.members() {
                    if let Some(value) = object.get(name) {
                        let members = &mut self.objects.get_or_insert_default().members;
                        members.entry(name).or_default().compare(value, *written);
                    }
                }
            }
            _ => {}
        }
    }

    /// Records that `value`, which has been observed, belongs to a new object.
    pub(super) fn observe_new_object(&mut self, value: Value<'s>) {
        if let (Some(objects), Value::Object(object)) = (&mut self.objects, value) {
            for (name, value) in object.members() {
                if let Some(member) = objects.members.get_mut(name) {
                    member.observe_new_object(*value);
                }
            }
        }
        if let (Some(arrays), Value::Array(items)) = (&mut self.arrays, value) {
            arrays.made = true;
            items.iter().for_each(|item| arrays.item.observe_new_object(*item));
        }
    }

    /// Observes the sensitive marks of the value.
    pub(super) fn observe_marks(&mut self, marks: Value<'s>) {
        if let (Some(arrays), Value::Bool(true)) = (&mut self.arrays, marks) {
            arrays.marked = true;
        }
        if let (Some(objects), Value::Object(marks)) = (&mut self.objects, marks) {
            for (name, marks) in marks.members() {
                if let Some(member) = objects.members.get_mut(name) {
                    member.observe_marks(*marks);
                }
            }
        }
        if let (Some(arrays), Value::Array(marks)) = (&mut self.arrays, marks) {
            for marks in marks {
                arrays.kept_order |= is_marked(*marks);
                arrays.item.observe_marks(*marks);
            }
        }
    }

    /// Observes the paths that force replacement. They contain the indices of list elements.
    pub(super) fn observe_replace_paths(&mut self, paths: Value<'s>, before: Value<'s>, after: Value<'s>) {
        let length = |side: Value<'s>, name: &str| {
            side.get(name).and_then(Value::as_array).map_or(0, <[Value<'_>]>::len)
        };
        for path in paths.as_array().unwrap_or_default().iter().filter_map(|path| path.as_array()) {
            self.follow(path);
            if let [Value::String(name)] = path {
                let members = self.objects.as_mut().map(|objects| &mut objects.members);
                let member = members.and_then(|members| members.get_mut(name));
                if let Some(arrays) = member.and_then(|member| member.arrays.as_mut()) {
                    // If the length of a list changes, the path may also lead to the whole list.
                    arrays.replaced_as_one |=
                        arrays.item.objects.is_some() && length(before, name) == length(after, name);
                }
            }
        }
    }

    fn follow(&mut self, path: &[Value<'s>]) {
        match path {
            [Value::String(name), rest @ ..] => {
                let members = self.objects.as_mut().map(|objects| &mut objects.members);
                if let Some(member) = members.and_then(|members| members.get_mut(name)) {
                    member.follow(rest);
                }
            }
            [Value::Number(_), rest @ ..] => {
                if let Some(arrays) = &mut self.arrays {
                    arrays.kept_order = true;
                    arrays.item.follow(rest);
                }
            }
            _ => {}
        }
    }

    /// Whether values of several kinds were observed, so that the type must be dynamic.
    pub(super) fn is_mixed(&self) -> bool {
        let forms = [self.bools, self.numbers, self.strings, self.objects.is_some(), self.arrays.is_some()];
        forms.iter().filter(|evidence| **evidence).count() > 1
    }

    /// Whether no value was observed.
    pub(super) fn is_blank(&self) -> bool {
        !(self.bools || self.numbers || self.strings || self.objects.is_some() || self.arrays.is_some())
    }

    /// Whether only scalars were observed.
    pub(super) fn is_flat(&self) -> bool {
        self.objects.is_none() && self.arrays.is_none()
    }

    /// Merges other evidence, to combine the elements of a map.
    pub(super) fn add(&mut self, other: &Self) {
        self.times += other.times;
        self.nulls |= other.nulls;
        self.unknown |= other.unknown;
        self.bools |= other.bools;
        self.numbers |= other.numbers;
        self.strings |= other.strings;
        if let Some(objects) = &other.objects {
            let own = self.objects.get_or_insert_default();
            own.times += objects.times;
            own.hollow |= objects.hollow;
            own.empty |= objects.empty;
            for (name, member) in &objects.members {
                own.members.entry(name).or_default().add(member);
            }
        }
        if let Some(arrays) = &other.arrays {
            let own = self.arrays.get_or_insert_default();
            own.item.add(&arrays.item);
            own.empty |= arrays.empty;
            own.kept_order |= arrays.kept_order;
            own.lost_order |= arrays.lost_order;
            own.marked |= arrays.marked;
            own.made |= arrays.made;
            own.replaced_as_one |= arrays.replaced_as_one;
            own.most_sorted = own.most_sorted.max(arrays.most_sorted);
        }
    }
}

impl Objects<'_> {
    /// Whether every object had every member. Objects contain all their attributes, maps only the keys they
    /// have.
    pub(super) fn is_uniform(&self) -> bool {
        self.members.values().all(|member| member.times >= self.times)
    }
}

/// Whether a tree of marks marks anything.
fn is_marked(mark: Value<'_>) -> bool {
    match mark {
        Value::Bool(marked) => marked,
        Value::Array(_) | Value::Object(_) => mark.children().any(is_marked),
        Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether a value equals the one in the configuration, up to conversions and omitted members.
fn says(value: Value<'_>, written: Value<'_>) -> bool {
    match (value, written) {
        (Value::String(a), Value::String(b) | Value::Number(b))
        | (Value::Number(a), Value::String(b) | Value::Number(b)) => a == b,
        (Value::Object(object), Value::Object(written)) => written.members().iter().all(|(name, written)| {
            written.is_null() || object.get(name).is_some_and(|value| says(value, *written))
        }),
        (Value::Array(items), Value::Array(written)) => {
            items.len() == written.len() && is_permutation(items, written, says)
        }
        (value, written) => value == written,
    }
}

fn is_permutation<'v>(
    items: &[Value<'v>],
    written: &[Value<'v>],
    same: impl Fn(Value<'v>, Value<'v>) -> bool,
) -> bool {
    let mut left: Vec<Value<'v>> = items.to_vec();
    written.iter().all(|written| {
        let at = left.iter().position(|item| same(*item, *written));
        at.map(|at| left.swap_remove(at)).is_some()
    })
}
