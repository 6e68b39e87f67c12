//! The evidence for the shape of a value: observations over all instances of a resource type, and what the
//! `configuration` of the plan says.
//!
//! In a configuration, an attribute is one expression: an object with `constant_value` or `references`, or an empty one
//! if neither applies. Blocks are lists of bodies (list and set nesting), one body, or bodies by key. `dynamic` blocks
//! are not in the configuration. The evidence of a resource counts for its type in every module.
//!
//! Invariant: the tree contains every member of every observed object, up to [`MAX_MEMBERS`], so that a shape derived
//! from it omits few values. Widening adds those.

use std::collections::BTreeMap;

use crate::json::Value;

/// The maximum number of members of an object for which evidence is kept. Evidence takes much more memory than the
/// members.
const MAX_MEMBERS: usize = 1 << 14;

/// The observations of one value, over all instances.
#[derive(Debug, Default)]
pub(super) struct Evidence<'s> {
    /// The number of observations.
    pub(super) times: usize,
    /// Whether it was null at least once.
    pub(super) nulls: bool,
    /// Whether it was unknown at least once.
    pub(super) unknown: bool,
    /// Whether it was a bool at least once.
    pub(super) bools: bool,
    /// Whether it was a number at least once.
    pub(super) numbers: bool,
    /// Whether it was a string at least once.
    pub(super) strings: bool,
    /// The observations of its objects.
    pub(super) objects: Option<Box<Objects<'s>>>,
    /// The observations of its arrays.
    pub(super) arrays: Option<Box<Arrays<'s>>>,
    /// The form in which the configuration writes it.
    pub(super) config: Config,
}

/// The form in which the configuration writes a member. If it has several forms, the last of these variants counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Config {
    /// The configuration does not mention it.
    #[default]
    Silent,
    /// An attribute: one expression.
    Attribute,
    /// Blocks as a list of bodies.
    Blocks,
    /// A single block: one body.
    Block,
    /// Blocks by key.
    KeyedBlocks,
}

/// The observations of objects in one value.
#[derive(Debug, Default)]
pub(super) struct Objects<'s> {
    /// The number of objects that were observed.
    pub(super) times: usize,
    /// Whether an object had members that were all null.
    pub(super) hollow: bool,
    /// Whether an object had no members.
    pub(super) empty: bool,
    /// The observations of each member.
    pub(super) members: BTreeMap<&'s str, Evidence<'s>>,
}

/// The observations of arrays in one value.
#[derive(Debug, Default)]
pub(super) struct Arrays<'s> {
    /// The observations of all elements of all arrays.
    pub(super) item: Evidence<'s>,
    /// Whether an array had no elements.
    pub(super) empty: bool,
    /// Whether a list was proven: by scalars that are not in the order of sets, or by marks of elements.
    pub(super) kept_order: bool,
    /// Whether an array was marked as a whole. Marks inside a set apply to the whole set, unlike marks inside a list.
    pub(super) marked: bool,
    /// Whether an array was in the planned value of a new object, where no computed value is known yet.
    pub(super) made: bool,
    /// Whether a path that forces replacement leads to the array itself. In lists, paths lead to elements.
    pub(super) replaced_as_one: bool,
    /// The number of elements of the longest array.
    pub(super) longest: usize,
}

impl<'s> Objects<'s> {
    /// Returns the evidence of a member, which is new if it was not observed so far. `None` if there are already
    /// [`MAX_MEMBERS`] others.
    fn member(&mut self, name: &'s str) -> Option<&mut Evidence<'s>> {
        if self.members.len() < MAX_MEMBERS || self.members.contains_key(name) {
            Some(self.members.entry(name).or_default())
        } else {
            None
        }
    }

    /// Whether all objects had the same members. Objects contain all their attributes, maps only the keys that they
    /// have.
    pub(super) fn is_uniform(&self) -> bool {
        self.members
            .values()
            .all(|member| member.times >= self.times)
    }

    /// Returns the evidence for all members together, as if they were elements of a map.
    pub(super) fn whole(&self) -> Evidence<'s> {
        let mut whole = Evidence::default();
        self.members.values().for_each(|member| whole.add(member));
        whole
    }
}

impl<'s> Evidence<'s> {
    /// Adds a value, and the part of `after_unknown` for it.
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
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_) => {
                    self.nulls = true;
                }
            },
            Value::Bool(_) => self.bools = true,
            Value::Number(_) => self.numbers = true,
            Value::String(_) => self.strings = true,
            Value::Object(_) => self.observe_object(value, unknown),
            Value::Array(items) => {
                self.observe_array(items, unknown.as_array().unwrap_or_default());
            }
        }
    }

    /// Adds an object, and the part of `after_unknown` for it. `value` is null if the whole object is unknown.
    fn observe_object(&mut self, value: Value<'s>, unknown: Value<'s>) {
        let objects = self.objects.get_or_insert_default();
        objects.times += 1;
        let members = value.as_object().unwrap_or_default().members();
        objects.empty |= members.is_empty() && !is_marked(unknown);
        objects.hollow |= !members.is_empty()
            && members.iter().all(|(_, member)| member.is_null())
            && !is_marked(unknown);
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

    /// Adds an array, and the part of `after_unknown` for it. The shorter one is extended with null.
    fn observe_array(&mut self, items: &'s [Value<'s>], unknown: &'s [Value<'s>]) {
        let arrays = self.arrays.get_or_insert_default();
        let length = items.len().max(unknown.len());
        arrays.kept_order |= !is_sorted(items);
        arrays.empty |= length == 0;
        arrays.longest = arrays.longest.max(length);
        for index in 0..length {
            let item = items.get(index).copied().unwrap_or_default();
            arrays
                .item
                .observe(item, unknown.get(index).copied().unwrap_or_default());
        }
    }

    /// Notes which arrays are in the planned value of a new object. The value must have been observed.
    pub(super) fn observe_new_object(&mut self, value: Value<'s>) {
        for (name, value) in value.as_object().unwrap_or_default().members() {
            if let Some(member) = self.observed(name) {
                member.observe_new_object(*value);
            }
        }
        if let (Some(arrays), Value::Array(items)) = (&mut self.arrays, value) {
            arrays.made = true;
            items
                .iter()
                .for_each(|item| arrays.item.observe_new_object(*item));
        }
    }

    /// Notes which arrays are marked, by the marks of an observed value (`before_sensitive`, `after_sensitive`).
    pub(super) fn observe_marks(&mut self, marks: Value<'s>) {
        for (name, marks) in marks.as_object().unwrap_or_default().members() {
            if let Some(member) = self.observed(name) {
                member.observe_marks(*marks);
            }
        }
        if let Some(arrays) = &mut self.arrays {
            arrays.marked |= marks == Value::Bool(true);
            let marks = marks.as_array().unwrap_or_default();
            arrays.kept_order |= marks.iter().any(|mark| is_marked(*mark));
            marks
                .iter()
                .for_each(|marks| arrays.item.observe_marks(*marks));
        }
    }

    /// Notes which arrays are replaced as one, by the paths that force a replacement (`replace_paths`).
    pub(super) fn observe_replace_paths(
        &mut self,
        paths: Value<'s>,
        before: Value<'s>,
        after: Value<'s>,
    ) {
        for path in paths.as_array().unwrap_or_default() {
            let Some([Value::String(name)]) = path.as_array() else {
                continue;
            };
            let length = |side: Value<'s>| {
                side.get(name)
                    .and_then(Value::as_array)
                    .map(<[Value<'_>]>::len)
            };
            if let Some(arrays) = self
                .observed(name)
                .and_then(|member| member.arrays.as_mut())
            {
                // If the length of a list changes, the path may also lead to the whole list.
                arrays.replaced_as_one |= arrays.item.objects.is_some()
                    && length(before).unwrap_or(0) == length(after).unwrap_or(0);
            }
        }
    }

    /// Adds the body of a block from the configuration.
    pub(super) fn note_configuration(&mut self, body: Value<'s>) {
        for (name, value) in body.as_object().unwrap_or_default().members() {
            let member = self.written(name);
            let form = Config::of(*value);
            member.config = member.config.max(form);
            match (form, value) {
                (Config::Blocks, Value::Array(bodies)) => {
                    let item = &mut member.arrays.get_or_insert_default().item;
                    bodies
                        .iter()
                        .for_each(|body| item.note_configuration(*body));
                }
                (Config::Block, _) => member.note_configuration(*value),
                (Config::KeyedBlocks, Value::Object(bodies)) => {
                    for (key, body) in bodies.members() {
                        member.written(key).note_configuration(*body);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the evidence for a member, if it was observed.
    fn observed(&mut self, name: &str) -> Option<&mut Self> {
        self.objects.as_mut()?.members.get_mut(name)
    }

    /// Returns the evidence for a member of the configuration, which is new if there is none so far.
    fn written(&mut self, name: &'s str) -> &mut Self {
        self.objects
            .get_or_insert_default()
            .members
            .entry(name)
            .or_default()
    }

    /// Whether there were values of several kinds, so that the type must be dynamic.
    pub(super) fn is_mixed(&self) -> bool {
        self.kinds() > 1
    }

    /// Whether there were no values, other than null and unknown ones.
    pub(super) fn is_blank(&self) -> bool {
        self.kinds() == 0
    }

    /// Returns the number of kinds of values that were observed.
    fn kinds(&self) -> usize {
        let kinds = [
            self.bools,
            self.numbers,
            self.strings,
            self.objects.is_some(),
            self.arrays.is_some(),
        ];
        kinds.into_iter().filter(|kind| *kind).count()
    }

    /// Whether there were no objects and no arrays.
    pub(super) fn is_flat(&self) -> bool {
        self.objects.is_none() && self.arrays.is_none()
    }

    /// Adds evidence for another value of the same shape.
    fn add(&mut self, other: &Self) {
        self.times += other.times;
        self.nulls |= other.nulls;
        self.unknown |= other.unknown;
        self.bools |= other.bools;
        self.numbers |= other.numbers;
        self.strings |= other.strings;
        if let Some(objects) = &other.objects {
            let all = self.objects.get_or_insert_default();
            all.times += objects.times;
            all.hollow |= objects.hollow;
            all.empty |= objects.empty;
            for (name, member) in &objects.members {
                all.members.entry(name).or_default().add(member);
            }
        }
        if let Some(arrays) = &other.arrays {
            let all = self.arrays.get_or_insert_default();
            all.item.add(&arrays.item);
            all.empty |= arrays.empty;
            all.kept_order |= arrays.kept_order;
            all.marked |= arrays.marked;
            all.made |= arrays.made;
            all.replaced_as_one |= arrays.replaced_as_one;
            all.longest = all.longest.max(arrays.longest);
        }
    }
}

impl Config {
    /// Decides by the form of its JSON how the configuration writes a member.
    fn of(value: Value<'_>) -> Self {
        match value {
            Value::Array(_) => Self::Blocks,
            Value::Object(_) if is_expression(value) => Self::Attribute,
            Value::Object(object) => {
                let is_part =
                    |member: Value<'_>| is_expression(member) || member.as_array().is_some();
                let is_body = object.members().iter().any(|(_, member)| is_part(*member));
                if is_body {
                    Self::Block
                } else {
                    Self::KeyedBlocks
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Self::Silent,
        }
    }
}

/// Whether the JSON is an expression: the whole of an attribute in the configuration.
fn is_expression(value: Value<'_>) -> bool {
    let Value::Object(object) = value else {
        return false;
    };
    let references = object
        .get("references")
        .is_some_and(|found| found.as_array().is_some());
    object.members().is_empty()
        || references
        || (object.get("constant_value").is_some() && object.members().len() == 1)
}

/// Whether something in a mark is true.
fn is_marked(mark: Value<'_>) -> bool {
    match mark {
        Value::Bool(marked) => marked,
        Value::Array(_) | Value::Object(_) => mark.children().any(is_marked),
        Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether the elements are in the order in which the tools write sets: strings by bytes, numbers by value, false
/// before true. Unsorted elements prove a list; sorted elements may be either.
fn is_sorted(items: &[Value<'_>]) -> bool {
    items.windows(2).all(|pair| match pair {
        [Value::String(a), Value::String(b)] => a < b,
        [Value::Number(a), Value::Number(b)] => match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a < b,
            _ => true,
        },
        [Value::Bool(a), Value::Bool(b)] => !*a && *b,
        _ => true,
    })
}
