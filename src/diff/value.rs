//! Values of a plan combined with their unknown and sensitive parts.
//!
//! A plan writes one value as three trees: `after`, `after_unknown` and `after_sensitive`. A
//! [`MarkedValue`] overlays the three, like the cty values in the tools. Invariants: `null` is neither
//! unknown nor sensitive; each value carries a hash of everything that its equality depends on, so that
//! different values are usually distinguished without descending; members are sorted by key and unique.

use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use bumpalo::Bump;

pub use super::build::Builder;

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
    /// Whether it is hidden because no schema says what is sensitive.
    pub lacks_schema: bool,
    pub(super) hash: u64,
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

impl<'a> Content<'a> {
    /// The text of a bool, number or string.
    pub fn scalar_text(self) -> Option<&'a str> {
        match self {
            Self::Bool(value) => Some(if value { "true" } else { "false" }),
            Self::Number(text) | Self::String(text) => Some(text),
            Self::Null | Self::Unknown | Self::Redacted | Self::Array(_) | Self::Object(_) => None,
        }
    }
}

impl<'a> MarkedValue<'a> {
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
        self.is_unknown() || self.children().any(Self::has_unknown)
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

    /// Whether the value is an array or an object.
    pub fn is_container(self) -> bool {
        matches!(self.content, Content::Array(_) | Content::Object(_))
    }

    /// The member `key` of an object or map.
    pub fn get(self, key: &str) -> Option<Self> {
        let members = self.as_object()?;
        let at = members.binary_search_by(|(name, _)| (*name).cmp(key)).ok()?;
        members.get(at).map(|(_, member)| *member)
    }

    /// The elements of a list, set or tuple, or the members of an object or map.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let members = self.as_object().unwrap_or_default().iter().map(|(_, member)| *member);
        self.as_array().unwrap_or_default().iter().copied().chain(members)
    }

    /// The number of bools, numbers, strings and unknown values in the value.
    pub fn scalars(self) -> usize {
        match self.content {
            Content::Null => 0,
            Content::Array(_) | Content::Object(_) => self.children().map(Self::scalars).sum(),
            Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_) => 1,
        }
    }

    /// Whether the value is `""`, `[]` or `{}`.
    pub fn is_empty(self) -> bool {
        matches!(self.content, Content::String("") | Content::Array([]) | Content::Object([]))
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

    /// The array or object with what `replace` returns instead of its parts, given the index and, of a member, the name of
    /// each; `None` if it returns nothing for all of them, and no copy is needed.
    pub(super) fn with_parts(
        self,
        arena: &'a Bump,
        replace: &dyn Fn(usize, Option<&'a str>, Self) -> Option<Self>,
    ) -> Option<Content<'a>> {
        Some(if let Some(items) = self.as_array() {
            let items = replaced(items, |at, item| replace(at, None, *item))?;
            Content::Array(arena.alloc_slice_copy(&items))
        } else {
            let member =
                |at, (name, member): &(&'a str, Self)| Some((*name, replace(at, Some(*name), *member)?));
            Content::Object(arena.alloc_slice_copy(&replaced(self.as_object()?, member)?))
        })
    }

    /// The value with what `replace` returns instead of its strings; `None` if it returns nothing for all of them,
    /// and no copy is needed. Names of members remain. So does the hash: it is that of the value before.
    pub(crate) fn with_texts(
        self,
        replace: &dyn Fn(&str) -> Option<String>,
        arena: &'a Bump,
    ) -> Option<Self> {
        let content = match self.as_str() {
            Some(text) => Content::String(arena.alloc_str(&replace(text)?)),
            None => self.with_parts(arena, &|_, _, part| part.with_texts(replace, arena))?,
        };
        Some(Self { content, ..self })
    }
}

/// The items, each replaced by what `replace` returns for it and its index; `None` if it replaces none, so that
/// nothing is copied.
pub(crate) fn replaced<T: Copy>(items: &[T], replace: impl Fn(usize, &T) -> Option<T>) -> Option<Vec<T>> {
    let (at, first) = items.iter().enumerate().find_map(|(at, item)| Some((at, replace(at, item)?)))?;
    let (same, rest) = items.split_at(at);
    let later = rest.iter().enumerate().skip(1).map(|(more, item)| replace(at + more, item).unwrap_or(*item));
    Some(same.iter().copied().chain([first]).chain(later).collect())
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
        discriminant(&self.0.content).hash(state);
        match self.0.content {
            Content::Null | Content::Unknown | Content::Redacted => {}
            Content::Bool(value) => value.hash(state),
            Content::Number(text) | Content::String(text) => text.hash(state),
            Content::Array(items) => items.iter().for_each(|item| Self(*item).hash(state)),
            Content::Object(members) => {
                present(members).for_each(|(key, member)| (key, Self(*member)).hash(state));
            }
        }
    }
}

/// The members that are not null: a null member equals an absent one.
pub(super) fn present<'m, 'a>(
    members: &'m [(&'a str, MarkedValue<'a>)],
) -> impl Iterator<Item = &'m (&'a str, MarkedValue<'a>)> {
    members.iter().filter(|(_, member)| !member.is_null())
}

fn same<'a>(
    a: MarkedValue<'a>,
    b: MarkedValue<'a>,
    marks: impl Fn(MarkedValue<'a>, MarkedValue<'a>) -> bool + Copy,
) -> bool {
    if !marks(a, b) || discriminant(&a.content) != discriminant(&b.content) {
        return false;
    }
    match (a.content, b.content) {
        (Content::Redacted, Content::Redacted) => a.hash == b.hash,
        (Content::Bool(a), Content::Bool(b)) => a == b,
        (Content::Number(a), Content::Number(b)) | (Content::String(a), Content::String(b)) => a == b,
        (Content::Array(a), Content::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b, marks))
        }
        (Content::Object(a), Content::Object(b)) => {
            let (mut a, mut b) = (present(a), present(b));
            loop {
                match (a.next(), b.next()) {
                    (None, None) => break true,
                    (Some((key, a)), Some((other, b))) if key == other && same(*a, *b, marks) => {}
                    _ => break false,
                }
            }
        }
        _ => true, // both are null, or both are unknown
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

    /// Keeps a value, without its sensitive parts unless sensitive values are kept.
    pub fn value(self, value: MarkedValue<'_>) -> MarkedValue<'a> {
        self.beside(value, None)
    }

    /// Keeps a value without the parts that are sensitive in it, or at the same path in `other`, unless
    /// sensitive values are kept: the parts at one path may be equal, so showing one would reveal the other.
    pub fn beside(self, value: MarkedValue<'_>, other: Option<MarkedValue<'_>>) -> MarkedValue<'a> {
        let MarkedValue { content, is_sensitive, is_hidden, has_marks, lacks_schema, hash } = value;
        let other = other.filter(|other| other.has_marks);
        let is_left_out = !self.show_sensitive && (is_hidden || other.is_some_and(|other| other.is_hidden));
        let content = match content {
            Content::Null => Content::Null,
            Content::Unknown => Content::Unknown,
            _ if is_left_out => Content::Redacted,
            Content::Redacted => Content::Redacted,
            Content::Bool(value) => Content::Bool(value),
            Content::Number(text) => Content::Number(self.text(text)),
            Content::String(text) => Content::String(self.text(text)),
            Content::Array(items) => {
                let others = other.and_then(MarkedValue::as_array).unwrap_or_default();
                let beside =
                    |(at, item): (usize, &MarkedValue<'_>)| self.beside(*item, others.get(at).copied());
                Content::Array(self.arena.alloc_slice_fill_iter(items.iter().enumerate().map(beside)))
            }
            Content::Object(members) => {
                let beside = |(key, member): &(&str, MarkedValue<'_>)| {
                    (self.text(key), self.beside(*member, other.and_then(|other| other.get(key))))
                };
                Content::Object(self.arena.alloc_slice_fill_iter(members.iter().map(beside)))
            }
        };
        MarkedValue { content, is_sensitive, is_hidden, has_marks, lacks_schema, hash }
    }
}
