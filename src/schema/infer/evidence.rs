//! What was seen of one value, over all instances of a resource type: the evidence for its shape.
//!
//! Invariant: every member of every object that was observed is in the tree, so that a shape decided
//! from it leaves no value out.

use std::collections::BTreeMap;

use super::order;
use crate::json::Value;

/// The evidence of one member or element.
#[derive(Debug, Default)]
pub(super) struct Evidence<'s> {
    /// How often a value was here, null and unknown included.
    pub(super) times: usize,
    pub(super) nulls: bool,
    pub(super) unknown: bool,
    pub(super) bools: bool,
    pub(super) numbers: bool,
    pub(super) strings: bool,
    pub(super) objects: Option<Box<Objects<'s>>>,
    pub(super) arrays: Option<Box<Arrays<'s>>>,
    pub(super) config: Config,
    /// The configuration gives a value, but there is none: it is never stored.
    pub(super) write_only: bool,
}

/// How the configuration writes this member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Config {
    /// It does not.
    #[default]
    Silent,
    /// As an attribute: one expression.
    Attribute,
    /// As blocks, by position or value.
    Blocks,
    /// As one block.
    Block,
    /// As blocks with keys.
    KeyedBlocks,
}

/// The objects that were seen at one place.
#[derive(Debug, Default)]
pub(super) struct Objects<'s> {
    pub(super) times: usize,
    /// One of them had members, but no value in any.
    pub(super) hollow: bool,
    /// One of them had no members.
    pub(super) empty: bool,
    pub(super) members: BTreeMap<&'s str, Evidence<'s>>,
}

/// The arrays that were seen at one place.
#[derive(Debug, Default)]
pub(super) struct Arrays<'s> {
    pub(super) item: Evidence<'s>,
    /// One of them had no elements.
    pub(super) empty: bool,
    /// Something that only a list allows: elements that are not in the order of sets, or the very order of
    /// the configuration.
    pub(super) kept_order: bool,
    /// The configuration has the same elements in another order.
    pub(super) lost_order: bool,
    /// Marked as a secret as a whole. Marks inside a set spread to it; those inside a list stay where they are.
    pub(super) marked: bool,
    /// In the planned value of a new object, where nothing computed is known yet.
    pub(super) made: bool,
    /// A change of its elements replaces the object, but no path names one of them, as paths do in lists.
    pub(super) replaced_as_one: bool,
    /// The most scalars that were seen in the order of sets.
    pub(super) most_sorted: usize,
}

impl<'s> Evidence<'s> {
    /// Looks at a value and at what is not known of it.
    pub(super) fn observe(&mut self, value: Value<'s>, unknown: Value<'s>) {
        self.times += 1;
        if unknown == Value::Bool(true) {
            self.unknown = true;
            return;
        }
        match value {
            // An object or array of unknowns only may have no value at all.
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
        for (name, member) in value.as_object().unwrap_or_default().members() {
            let unknown = unknown.get(name).unwrap_or_default();
            objects.members.entry(name).or_default().observe(*member, unknown);
        }
        for (name, mark) in unknown.as_object().unwrap_or_default().members() {
            if value.get(name).is_none() && is_marked(*mark) {
                objects.members.entry(name).or_default().observe(Value::Null, *mark);
            }
        }
    }

    fn observe_array(&mut self, items: &'s [Value<'s>], unknown: &'s [Value<'s>]) {
        let arrays = self.arrays.get_or_insert_default();
        let length = items.len().max(unknown.len());
        // Sets of multi-line texts do not occur in practice.
        let texts = items.iter().any(|item| item.as_str().is_some_and(|text| text.contains('\n')));
        arrays.kept_order |= texts || order::is_not_of_sets(items, unknown);
        arrays.empty |= length == 0;
        arrays.most_sorted = arrays.most_sorted.max(length);
        for at in 0..length {
            let item = items.get(at).copied().unwrap_or_default();
            arrays.item.observe(item, unknown.get(at).copied().unwrap_or_default());
        }
    }

    /// Compares the order of elements with that of the configuration. `constant` is what was written.
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
                        self.objects
                            .get_or_insert_default()
                            .members
                            .entry(name)
                            .or_default()
                            .compare(value, *written);
                    }
                }
            }
            _ => {}
        }
    }

    /// Records that `value`, which was observed, is that of a new object.
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

    /// Looks at the paths whose change replaces an object. They name elements of lists by their places.
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
                    // A list whose length changes may be named as a whole too.
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

    /// Whether something of several forms stood here, that only a dynamic value can be.
    pub(super) fn is_mixed(&self) -> bool {
        let forms = [self.bools, self.numbers, self.strings, self.objects.is_some(), self.arrays.is_some()];
        forms.iter().filter(|evidence| **evidence).count() > 1
    }

    /// Whether no value was ever seen here.
    pub(super) fn is_blank(&self) -> bool {
        !(self.bools || self.numbers || self.strings || self.objects.is_some() || self.arrays.is_some())
    }

    /// Whether nothing but scalars was seen here.
    pub(super) fn is_flat(&self) -> bool {
        self.objects.is_none() && self.arrays.is_none()
    }

    /// Adds what was seen elsewhere: the elements of a map are read as one.
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
    /// Whether each object had each of the members: an object type writes all, a map what is there.
    pub(super) fn is_uniform(&self) -> bool {
        self.members.values().all(|member| member.times >= self.times)
    }
}

/// Whether a tree of marks marks anything.
fn is_marked(mark: Value<'_>) -> bool {
    match mark {
        Value::Bool(marked) => marked,
        Value::Array(items) => items.iter().any(|item| is_marked(*item)),
        Value::Object(object) => object.members().iter().any(|(_, member)| is_marked(*member)),
        Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether a value is what the configuration says, up to conversions and to what it leaves out.
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
