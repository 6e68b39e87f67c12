//! Values of a plan combined with their unknown and sensitive parts.
//!
//! A plan writes one value as three trees: `after`, `after_unknown` and `after_sensitive`. A
//! [`MarkedValue`] overlays the three, like the cty values in the tools. Invariants: `null` is neither
//! unknown nor sensitive; each value carries a hash of everything that its equality depends on, so that
//! different values are usually distinguished without descending; members are sorted by key and unique.

use std::hash::{BuildHasher, Hash, Hasher};

use bumpalo::Bump;
use foldhash::fast::RandomState;

use crate::json::Value;
use crate::schema::Position;

/// A value with its unknown and sensitive parts.
#[derive(Clone, Copy, Debug)]
pub struct MarkedValue<'a> {
    /// The value itself.
    pub content: Content<'a>,
    /// Whether the plan marks the whole value as sensitive.
    pub is_sensitive: bool,
    /// Whether the value must not be shown unless requested: it is marked by the plan or by the schema, or
    /// the shape of its mark does not match, so that the mark may mean the whole value.
    pub is_hidden: bool,
    /// Whether the value or a part of it is sensitive or hidden.
    pub has_marks: bool,
    hash: u64,
}

/// The content of a [`MarkedValue`].
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// `null`.
    Null,
    /// Known only after apply.
    Unknown,
    /// A sensitive value that was left out because the user did not ask for it.
    Redacted,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    /// A string.
    String(&'a str),
    /// The elements of a list, set or tuple.
    Array(&'a [MarkedValue<'a>]),
    /// The members of an object or map, sorted by key and unique.
    Object(&'a [(&'a str, MarkedValue<'a>)]),
}

/// The kind of a value. Values of different kinds are never compared part by part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `null`.
    Null,
    /// Known only after apply.
    Unknown,
    /// A sensitive value that was left out.
    Redacted,
    /// A bool, number or string.
    Scalar,
    /// A list, set or tuple.
    Array,
    /// An object or map.
    Object,
}

impl<'a> MarkedValue<'a> {
    /// The kind of the value.
    pub fn kind(self) -> ValueKind {
        match self.content {
            Content::Null => ValueKind::Null,
            Content::Unknown => ValueKind::Unknown,
            Content::Redacted => ValueKind::Redacted,
            Content::Bool(_) | Content::Number(_) | Content::String(_) => ValueKind::Scalar,
            Content::Array(_) => ValueKind::Array,
            Content::Object(_) => ValueKind::Object,
        }
    }

    /// Whether this is `null`.
    pub fn is_null(self) -> bool {
        matches!(self.content, Content::Null)
    }

    /// Whether the whole value is known only after apply.
    pub fn is_unknown(self) -> bool {
        matches!(self.content, Content::Unknown)
    }

    /// Whether the value was left out because it is sensitive.
    pub fn is_redacted(self) -> bool {
        matches!(self.content, Content::Redacted)
    }

    /// Whether anything in the value is known only after apply.
    pub fn has_unknown(self) -> bool {
        match self.content {
            Content::Unknown => true,
            Content::Array(items) => items.iter().any(|item| item.has_unknown()),
            Content::Object(members) => members.iter().any(|(_, member)| member.has_unknown()),
            Content::Null
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_) => false,
        }
    }

    /// The text of a string; `None` for anything else, including a redacted string.
    pub fn as_str(self) -> Option<&'a str> {
        if let Content::String(text) = self.content { Some(text) } else { None }
    }

    /// The elements of a list, set or tuple.
    pub fn as_array(self) -> Option<&'a [Self]> {
        if let Content::Array(items) = self.content { Some(items) } else { None }
    }

    /// The members of an object or map.
    pub fn as_object(self) -> Option<&'a [(&'a str, Self)]> {
        if let Content::Object(members) = self.content { Some(members) } else { None }
    }

    /// The member `key` of an object or map.
    pub fn get(self, key: &str) -> Option<Self> {
        let members = self.as_object()?;
        let at = members.binary_search_by(|(name, _)| (*name).cmp(key)).ok()?;
        members.get(at).map(|(_, member)| *member)
    }

    /// Whether the value is `""`, `[]` or `{}`.
    pub fn is_empty(self) -> bool {
        match self.content {
            Content::String(text) => text.is_empty(),
            Content::Array(items) => items.is_empty(),
            Content::Object(members) => members.is_empty(),
            Content::Null | Content::Unknown | Content::Redacted | Content::Bool(_) | Content::Number(_) => {
                false
            }
        }
    }

    /// A hash, equal for equal values. It is seeded randomly and differs between runs.
    pub fn hash_value(self) -> u64 {
        self.hash
    }

    /// Whether both are equal apart from their sensitive marks.
    pub fn same_without_marks(self, other: Self) -> bool {
        same(self, other, |_, _| true)
    }

    /// Whether both have equal values, and a review lists the same parts of them as sensitive.
    pub(crate) fn same_listed(self, other: Self) -> bool {
        let listed = |value: Self| value.is_sensitive || value.is_hidden;
        same(self, other, |a, b| listed(a) == listed(b))
    }
}

/// Equality as defined for reviews: a null member equals an absent one; numbers are compared by their
/// text; unknown parts and the sensitive marks of the plan count. Parts that are hidden only by a schema
/// or a mismatched mark do not count.
impl PartialEq for MarkedValue<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && same(*self, *other, |a, b| a.is_sensitive == b.is_sensitive)
    }
}

impl Eq for MarkedValue<'_> {}

impl Hash for MarkedValue<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// A value that is compared and hashed without its marks.
#[derive(Clone, Copy, Debug)]
pub struct Unmarked<'a>(pub MarkedValue<'a>);

impl PartialEq for Unmarked<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.same_without_marks(other.0)
    }
}

impl Eq for Unmarked<'_> {}

impl Hash for Unmarked<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.0.content).hash(state);
        match self.0.content {
            Content::Null | Content::Unknown | Content::Redacted => {}
            Content::Bool(value) => value.hash(state),
            Content::Number(text) | Content::String(text) => text.hash(state),
            Content::Array(items) => items.iter().for_each(|item| Self(*item).hash(state)),
            Content::Object(members) => {
                for (key, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                    key.hash(state);
                    Self(*member).hash(state);
                }
            }
        }
    }
}

fn same<'a>(
    a: MarkedValue<'a>,
    b: MarkedValue<'a>,
    marks: impl Fn(MarkedValue<'a>, MarkedValue<'a>) -> bool + Copy,
) -> bool {
    if !marks(a, b) {
        return false;
    }
    match (a.content, b.content) {
        (Content::Null, Content::Null) | (Content::Unknown, Content::Unknown) => true,
        (Content::Redacted, Content::Redacted) => a.hash == b.hash,
        (Content::Bool(a), Content::Bool(b)) => a == b,
        (Content::Number(a), Content::Number(b)) | (Content::String(a), Content::String(b)) => a == b,
        (Content::Array(a), Content::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b, marks))
        }
        (Content::Object(a), Content::Object(b)) => {
            let some = |members: &'a [(&'a str, MarkedValue<'a>)]| {
                members.iter().filter(|(_, member)| !member.is_null())
            };
            let (mut a, mut b) = (some(a), some(b));
            loop {
                match (a.next(), b.next()) {
                    (None, None) => break true,
                    (Some((key, a)), Some((other, b))) if key == other && same(*a, *b, marks) => {}
                    _ => break false,
                }
            }
        }
        (
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)
            | Content::Array(_)
            | Content::Object(_),
            _,
        ) => false,
    }
}

/// The sensitive parts of a value according to its schema.
pub trait SensitiveShape: Copy {
    /// The shape of a member.
    fn member(self, name: &str) -> Self;
    /// The shape of an element.
    fn element(self, index: usize) -> Self;
    /// Whether the whole value is sensitive: because the schema declares it so, or because it declares parts
    /// sensitive that cannot be found, as the value does not match its schema.
    fn hides(self, content: Content<'_>) -> bool;
}

/// Builds marked values in an arena.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'b, 'a> {
    arena: &'a Bump,
    hasher: &'b RandomState,
}

impl<'b, 'a> Builder<'b, 'a> {
    /// A builder. Values that are compared with each other must be built with the same `hasher`.
    pub fn new(arena: &'a Bump, hasher: &'b RandomState) -> Self {
        Self { arena, hasher }
    }

    /// The arena in which values are built.
    pub fn arena(self) -> &'a Bump {
        self.arena
    }

    /// Builds the value that a plan writes as `value`, `unknown` and `mark`.
    ///
    /// Where `value` is not needed for itself, [`Builder::read`] builds without it.
    pub fn build(
        self,
        value: Value<'a>,
        unknown: Value<'a>,
        mark: Value<'a>,
        shape: impl SensitiveShape,
    ) -> MarkedValue<'a> {
        let unknown = pruned(unknown, Tree::Unknown, self.arena);
        self.overlaid(value, unknown, pruned(mark, Tree::Mark, self.arena), shape)
    }

    /// `null`.
    pub fn null(self) -> MarkedValue<'a> {
        self.finish(Content::Null, false, false)
    }

    /// A value that is known and not sensitive.
    pub fn plain(self, value: Value<'a>) -> MarkedValue<'a> {
        self.overlaid(value, Value::Null, Value::Null, NoShape)
    }

    /// A string that is known and not sensitive.
    pub fn string(self, text: &'a str) -> MarkedValue<'a> {
        self.finish(Content::String(text), false, false)
    }

    /// A list of known values.
    pub fn array(self, items: &'a [MarkedValue<'a>]) -> MarkedValue<'a> {
        self.finish(Content::Array(items), false, false)
    }

    /// Overlays the trees, of which `unknown` and `mark` are [`pruned`]: subtrees that mark nothing are
    /// null.
    pub(super) fn overlaid(
        self,
        value: Value<'a>,
        unknown: Value<'a>,
        mark: Value<'a>,
        shape: impl SensitiveShape,
    ) -> MarkedValue<'a> {
        let content = match unknown {
            Value::Bool(true) => Content::Unknown,
            // Where the value does not have the shape of `unknown`, `unknown` takes precedence.
            Value::Object(unknown) => {
                let members = value.as_object().unwrap_or_default().members();
                self.object(members, unknown.members(), mark, shape)
            }
            Value::Array(unknown) => self.list(value.as_array().unwrap_or_default(), unknown, mark, shape),
            Value::Null | Value::Bool(false) | Value::Number(_) | Value::String(_) => match value {
                Value::Null => Content::Null,
                Value::Bool(value) => Content::Bool(value),
                Value::Number(text) => Content::Number(text),
                Value::String(text) => Content::String(text),
                Value::Array(items) => self.list(items, &[], mark, shape),
                Value::Object(object) => self.object(object.members(), &[], mark, shape),
            },
        };
        self.marked(content, mark, shape)
    }

    /// The value of a content under its mark.
    pub(super) fn marked(
        self,
        content: Content<'a>,
        mark: Value<'a>,
        shape: impl SensitiveShape,
    ) -> MarkedValue<'a> {
        if matches!(content, Content::Null) {
            return self.finish(content, false, false);
        }
        let is_sensitive = mark == Value::Bool(true);
        let is_misshapen = match (mark, content) {
            (Value::Null | Value::Bool(_), _) | (Value::Object(_), Content::Object(_)) => false,
            (Value::Array(marks), Content::Array(items)) => {
                marks.iter().skip(items.len()).any(|mark| !mark.is_null())
            }
            (Value::Array(_) | Value::Object(_) | Value::Number(_) | Value::String(_), _) => true,
        };
        self.finish(content, is_sensitive, is_sensitive || is_misshapen || shape.hides(content))
    }

    fn list(
        self,
        items: &'a [Value<'a>],
        unknown: &'a [Value<'a>],
        mark: Value<'a>,
        shape: impl SensitiveShape,
    ) -> Content<'a> {
        let at = |list: &'a [Value<'a>], index: usize| list.get(index).copied().unwrap_or_default();
        let built = (0..items.len().max(unknown_len(unknown))).map(|index| {
            let mark = element_mark(mark, index);
            self.overlaid(at(items, index), at(unknown, index), mark, shape.element(index))
        });
        Content::Array(self.arena.alloc_slice_fill_iter(built))
    }

    fn object(
        self,
        members: &'a [(&'a str, Value<'a>)],
        unknown: &'a [(&'a str, Value<'a>)],
        mark: Value<'a>,
        shape: impl SensitiveShape,
    ) -> Content<'a> {
        let mut marks = mark.as_object().unwrap_or_default().walk();
        if unknown.is_empty() {
            let built = members.iter().map(|(key, value)| {
                let mark = marks.get(key).unwrap_or_default();
                (*key, self.overlaid(*value, Value::Null, mark, shape.member(key)))
            });
            return Content::Object(self.arena.alloc_slice_fill_iter(built));
        }
        let built: Vec<_> = union(members, unknown)
            .map(|(key, value, unknown)| {
                let (value, unknown) = (value.unwrap_or_default(), unknown.unwrap_or_default());
                let mark = marks.get(key).unwrap_or_default();
                (key, self.overlaid(value, unknown, mark, shape.member(key)))
            })
            .collect();
        Content::Object(self.arena.alloc_slice_copy(&built))
    }

    /// The value with the elements of its sets in an order that depends only on the elements.
    pub fn with_sorted_sets(self, value: MarkedValue<'a>, position: Position<'_>) -> MarkedValue<'a> {
        if position == Position::Unspecified {
            return value;
        }
        let content = match value.content {
            Content::Array(items) => {
                let sorted = items.iter().enumerate();
                let sorted = sorted.map(|(at, item)| self.with_sorted_sets(*item, position.element(at)));
                let sorted = self.arena.alloc_slice_fill_iter(sorted);
                if position.is_set() {
                    sorted.sort_by_key(|item| item.hash);
                }
                Content::Array(sorted)
            }
            Content::Object(members) => {
                let members = members
                    .iter()
                    .map(|(name, member)| (*name, self.with_sorted_sets(*member, position.member(name))));
                Content::Object(self.arena.alloc_slice_fill_iter(members))
            }
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_) => return value,
        };
        self.finish(content, value.is_sensitive, value.is_hidden)
    }

    fn finish(self, content: Content<'a>, is_sensitive: bool, is_hidden: bool) -> MarkedValue<'a> {
        let mut hasher = self.hasher.build_hasher();
        match content {
            Content::Null => hasher.write_u8(0),
            Content::Unknown => hasher.write_u8(1),
            Content::Redacted => hasher.write_u8(2),
            Content::Bool(value) => hasher.write_u8(3 + u8::from(value)),
            Content::Number(text) => {
                hasher.write_u8(5);
                hasher.write(text.as_bytes());
            }
            Content::String(text) => {
                hasher.write_u8(6);
                hasher.write(text.as_bytes());
            }
            Content::Array(items) => {
                hasher.write_u8(7);
                hasher.write_usize(items.len());
                items.iter().for_each(|item| hasher.write_u64(item.hash));
            }
            Content::Object(members) => {
                hasher.write_u8(8);
                for (key, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                    hasher.write(key.as_bytes());
                    hasher.write_u64(member.hash);
                }
            }
        }
        hasher.write_u8(u8::from(is_sensitive));
        let has_marks = is_sensitive
            || is_hidden
            || match content {
                Content::Array(items) => items.iter().any(|item| item.has_marks),
                Content::Object(members) => members.iter().any(|(_, member)| member.has_marks),
                Content::Null
                | Content::Unknown
                | Content::Redacted
                | Content::Bool(_)
                | Content::Number(_)
                | Content::String(_) => false,
            };
        MarkedValue { content, is_sensitive, is_hidden, has_marks, hash: hasher.finish() }
    }
}

/// Copies values out of an arena that will be reset, leaving out values that must not be shown.
#[derive(Clone, Copy, Debug)]
pub struct Redactor<'a> {
    /// Texts that outlive the arena; slices of them are not copied. The first one is the whole document.
    pub texts: [&'a str; 3],
    /// The arena for everything else.
    pub arena: &'a Bump,
    /// Whether to keep sensitive values.
    pub show_sensitive: bool,
}

impl<'a> Redactor<'a> {
    /// Keeps a text, borrowed from one of [`Self::texts`] if it is a part of it.
    pub fn text(self, text: &str) -> &'a str {
        if text.is_empty() {
            return "";
        }
        let within = |kept: &'a str| {
            let offset = (text.as_ptr() as usize).checked_sub(kept.as_ptr() as usize)?;
            kept.get(offset..offset.checked_add(text.len())?)
        };
        self.texts.into_iter().find_map(within).unwrap_or_else(|| self.arena.alloc_str(text))
    }

    /// The value as redacted as a whole, unless sensitive values are kept.
    pub fn redacted(self, value: MarkedValue<'a>) -> MarkedValue<'a> {
        match value.content {
            _ if self.show_sensitive => value,
            Content::Null | Content::Unknown => value,
            Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)
            | Content::Array(_)
            | Content::Object(_) => MarkedValue { content: Content::Redacted, ..value },
        }
    }

    /// Keeps a value without the parts that are sensitive in it, or at the same path in `other`, unless
    /// sensitive values are kept: the parts at one path may be equal, so showing one would reveal the other.
    pub fn beside(self, value: MarkedValue<'_>, other: MarkedValue<'_>) -> MarkedValue<'a> {
        if self.show_sensitive || !other.has_marks {
            return self.value(value);
        }
        if other.is_hidden {
            return self.redacted(self.value(value));
        }
        let content = match (value.content, other.content) {
            (Content::Array(items), Content::Array(others)) if !value.is_hidden => {
                let beside = |(at, item): (usize, &MarkedValue<'_>)| match others.get(at) {
                    Some(other) => self.beside(*item, *other),
                    None => self.value(*item),
                };
                Content::Array(self.arena.alloc_slice_fill_iter(items.iter().enumerate().map(beside)))
            }
            (Content::Object(members), Content::Object(_)) if !value.is_hidden => {
                let beside = |(key, member): &(&str, MarkedValue<'_>)| {
                    let kept = match other.get(key) {
                        Some(other) => self.beside(*member, other),
                        None => self.value(*member),
                    };
                    (self.text(key), kept)
                };
                Content::Object(self.arena.alloc_slice_fill_iter(members.iter().map(beside)))
            }
            _ => return self.value(value),
        };
        let MarkedValue { is_sensitive, is_hidden, has_marks, hash, .. } = value;
        MarkedValue { content, is_sensitive, is_hidden, has_marks, hash }
    }

    /// Keeps a value, without its sensitive parts unless sensitive values are kept.
    pub fn value(self, value: MarkedValue<'_>) -> MarkedValue<'a> {
        let MarkedValue { content, is_sensitive, is_hidden, has_marks, hash } = value;
        let content = match content {
            Content::Null => Content::Null,
            Content::Unknown => Content::Unknown,
            _ if is_hidden && !self.show_sensitive => Content::Redacted,
            Content::Redacted => Content::Redacted,
            Content::Bool(value) => Content::Bool(value),
            Content::Number(text) => Content::Number(self.text(text)),
            Content::String(text) => Content::String(self.text(text)),
            Content::Array(items) => {
                Content::Array(self.arena.alloc_slice_fill_iter(items.iter().map(|item| self.value(*item))))
            }
            Content::Object(members) => Content::Object(self.arena.alloc_slice_fill_iter(
                members.iter().map(|(key, member)| (self.text(key), self.value(*member))),
            )),
        };
        MarkedValue { content, is_sensitive, is_hidden, has_marks, hash }
    }
}

/// A malformed mark: it hides the value, which does not count as marked by the plan.
const UNREADABLE: Value<'static> = Value::String("");

/// The mark of an element.
pub(super) fn element_mark(mark: Value<'_>, index: usize) -> Value<'_> {
    let marks = mark.as_array().unwrap_or_default();
    // If anything is marked, an element past the marks cannot be matched and is hidden.
    let is_past = index >= marks.len() && !marks.is_empty();
    if is_past { UNREADABLE } else { marks.get(index).copied().unwrap_or_default() }
}

/// How many elements a list has at least: trailing ones that are known are no part of the value.
pub(super) fn unknown_len(unknown: &[Value<'_>]) -> usize {
    unknown.iter().rposition(|unknown| !unknown.is_null()).map_or(0, |last| last + 1)
}

#[derive(Clone, Copy)]
struct NoShape;

impl SensitiveShape for NoShape {
    fn member(self, _: &str) -> Self {
        self
    }
    fn element(self, _: usize) -> Self {
        self
    }
    fn hides(self, _: Content<'_>) -> bool {
        false
    }
}

/// The members of two objects, merged by key in order.
pub fn union<'a, A: Copy, B: Copy>(
    a: &'a [(&'a str, A)],
    b: &'a [(&'a str, B)],
) -> impl Iterator<Item = (&'a str, Option<A>, Option<B>)> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    std::iter::from_fn(move || {
        let (left, right) = (a.peek().map(|(key, _)| *key), b.peek().map(|(key, _)| *key));
        let key = match (left, right) {
            (Some(left), Some(right)) => left.min(right),
            (left, right) => left.or(right)?,
        };
        let one = a.next_if(|(name, _)| *name == key).map(|(_, value)| *value);
        let two = b.next_if(|(name, _)| *name == key).map(|(_, value)| *value);
        Some((key, one, two))
    })
}

/// The meaning of a tree that accompanies a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tree {
    /// It marks unknown parts.
    Unknown,
    /// It marks sensitive parts.
    Mark,
}

/// `tree` with every part that marks nothing (`false`, and containers of nothing else) replaced by null.
/// A number or string in it is malformed: it does not make a value unknown, but counts as a sensitive mark.
pub(super) fn pruned<'a>(tree: Value<'a>, of: Tree, arena: &'a Bump) -> Value<'a> {
    match tree {
        Value::Null | Value::Bool(false) => Value::Null,
        Value::Number(_) | Value::String(_) if of == Tree::Unknown => Value::Null,
        Value::Bool(true) | Value::Number(_) | Value::String(_) => tree,
        Value::Array(items) => {
            let kept: Vec<_> = items.iter().map(|item| pruned(*item, of, arena)).collect();
            if kept.iter().all(|item| item.is_null()) {
                Value::Null
            } else {
                Value::Array(arena.alloc_slice_copy(&kept))
            }
        }
        Value::Object(object) => {
            let members = object.members().iter().map(|(key, member)| (*key, pruned(*member, of, arena)));
            let kept: Vec<_> = members.filter(|(_, member)| !member.is_null()).collect();
            if kept.is_empty() {
                Value::Null
            } else {
                Value::Object(crate::json::Object::from_sorted(arena.alloc_slice_copy(&kept)))
            }
        }
    }
}

impl SensitiveShape for Position<'_> {
    fn member(self, name: &str) -> Self {
        self.member(name)
    }
    fn element(self, index: usize) -> Self {
        self.element(index)
    }
    fn hides(self, content: Content<'_>) -> bool {
        if self.is_sensitive() {
            return true;
        }
        let is_misfit = match content {
            Content::Null | Content::Unknown | Content::Redacted | Content::Array(_) => false,
            Content::Bool(_) | Content::Number(_) | Content::String(_) => true,
            Content::Object(members) => {
                !members.is_empty() && members.iter().all(|(name, _)| self.member(name).is_missing())
            }
        };
        is_misfit && self.holds_secrets()
    }
}
