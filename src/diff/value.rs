//! Values of a plan, combined with their unknown and sensitive parts.
//!
//! A plan contains one value as three trees: `after`, `after_unknown` and `after_sensitive`. A [`MarkedValue`] overlays
//! the three, like the cty values in the tools.
//!
//! Invariants: `null` is neither unknown nor sensitive. Each value carries a hash of everything that its equality
//! depends on, so that different values can usually be told apart without visiting their parts. Members are sorted by
//! name and unique.
//!
//! ```text
//! after             {"id": null, "key": "s3cret", "name": "web"}
//! after_unknown     {"id": true}
//! after_sensitive   {"key": true}
//! marked value      id is unknown, key is "s3cret" and sensitive, name is "web"
//! ```

mod build;

pub use build::Builder;

use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use bumpalo::Bump;

/// A value with its unknown and sensitive parts. It is small, has its parts in an arena, and is copied.
#[derive(Clone, Copy, Debug)]
pub struct MarkedValue<'a> {
    /// The value itself.
    pub content: Content<'a>,
    /// Whether the plan marks the value as sensitive as a whole.
    pub is_sensitive: bool,
    /// Whether the value must not be shown unless requested: the plan or the schema marks it, or the shape of its mark
    /// does not match, so that the mark may mean the whole value.
    pub is_hidden: bool,
    /// Whether the value or a part of it is hidden.
    pub has_marks: bool,
    /// Whether the value is hidden only because there is no schema to tell what is sensitive.
    pub lacks_schema: bool,
    /// A hash of everything that equality depends on, with a random seed.
    pub(super) hash: u64,
}

/// A value without its marks.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// Null, or no value.
    Null,
    /// A value that is known after apply.
    Unknown,
    /// A sensitive value, which was left out because the user did not ask for it.
    Redacted,
    /// A bool.
    Bool(bool),
    /// A number, as it was written.
    Number(&'a str),
    /// A string.
    String(&'a str),
    /// A list, set or tuple.
    Array(&'a [MarkedValue<'a>]),
    /// An object, map or block: members sorted by name.
    Object(&'a [(&'a str, MarkedValue<'a>)]),
}

impl<'a> Content<'a> {
    /// Returns the text of a bool, number or string.
    pub fn scalar_text(self) -> Option<&'a str> {
        match self {
            Self::Bool(value) => Some(if value { "true" } else { "false" }),
            Self::Number(text) | Self::String(text) => Some(text),
            Self::Null | Self::Unknown | Self::Redacted | Self::Array(_) | Self::Object(_) => None,
        }
    }
}

impl<'a> MarkedValue<'a> {
    /// Whether the value is null or absent.
    pub fn is_null(self) -> bool {
        matches!(self.content, Content::Null)
    }

    /// Whether the value is known only after apply as a whole.
    pub fn is_unknown(self) -> bool {
        matches!(self.content, Content::Unknown)
    }

    /// Whether the value was left out because it is sensitive.
    pub fn is_redacted(self) -> bool {
        matches!(self.content, Content::Redacted)
    }

    /// Whether the value or a part of it is known only after apply. Takes time proportional to its parts.
    pub fn has_unknown(self) -> bool {
        self.is_unknown() || self.children().any(Self::has_unknown)
    }

    /// Returns the text of a string; `None` also if it was left out.
    pub fn as_str(self) -> Option<&'a str> {
        if let Content::String(text) = self.content {
            Some(text)
        } else {
            None
        }
    }

    /// Returns the elements of a list, set or tuple.
    pub fn as_array(self) -> Option<&'a [Self]> {
        if let Content::Array(items) = self.content {
            Some(items)
        } else {
            None
        }
    }

    /// Returns the members of an object, map or block, sorted by name.
    pub fn as_object(self) -> Option<&'a [(&'a str, Self)]> {
        if let Content::Object(members) = self.content {
            Some(members)
        } else {
            None
        }
    }

    /// Whether the value is a list, set, tuple, object, map or block, with or without parts.
    pub fn is_container(self) -> bool {
        matches!(self.content, Content::Array(_) | Content::Object(_))
    }

    /// Returns the member with a name, by binary search.
    pub fn get(self, key: &str) -> Option<Self> {
        let members = self.as_object()?;
        let index = members
            .binary_search_by(|(name, _)| (*name).cmp(key))
            .ok()?;
        members.get(index).map(|(_, member)| *member)
    }

    /// Returns the elements or members.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let members = self
            .as_object()
            .unwrap_or_default()
            .iter()
            .map(|(_, member)| *member);
        self.as_array()
            .unwrap_or_default()
            .iter()
            .copied()
            .chain(members)
    }

    /// Returns the number of bools, numbers, strings, unknown and hidden values in the value.
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
        matches!(
            self.content,
            Content::String("") | Content::Array([]) | Content::Object([])
        )
    }

    /// Returns a hash of everything that equality depends on. Its seed is random, so it differs between runs.
    pub fn hash_value(self) -> u64 {
        self.hash
    }

    /// Whether two values are equal if sensitive marks are ignored.
    pub fn same_without_marks(self, other: Self) -> bool {
        same(self, other, |_, _| true)
    }

    /// Whether two values are equal and have the same hidden parts, so that a text would hide the same parts of both.
    pub(crate) fn same_listed(self, other: Self) -> bool {
        let listed = |value: Self| value.is_sensitive || value.is_hidden;
        same(self, other, |a, b| listed(a) == listed(b))
    }

    /// Returns the content with some of its parts replaced. `replace` receives the index of each part, its name if it
    /// is a member, and the part. `None` if `replace` returns nothing for all parts, so that no copy is needed.
    pub(super) fn with_parts(
        self,
        arena: &'a Bump,
        replace: &dyn Fn(usize, Option<&'a str>, Self) -> Option<Self>,
    ) -> Option<Content<'a>> {
        Some(if let Some(items) = self.as_array() {
            let items = replaced(items, |index, item| replace(index, None, *item))?;
            Content::Array(arena.alloc_slice_copy(&items))
        } else {
            let member = |index, (name, member): &(&'a str, Self)| {
                Some((*name, replace(index, Some(*name), *member)?))
            };
            Content::Object(arena.alloc_slice_copy(&replaced(self.as_object()?, member)?))
        })
    }

    /// Returns the value as a sensitive one that was left out. Its hash stays, so equal values remain equal, and
    /// different ones different.
    pub(crate) fn left_out(self) -> Self {
        Self {
            content: Content::Redacted,
            is_hidden: true,
            has_marks: true,
            ..self
        }
    }

    /// Returns the value with another content, for texts. Its hash stays, so equal values remain equal, and different
    /// ones different.
    pub(crate) fn with_content(self, content: Content<'a>) -> Self {
        Self { content, ..self }
    }
}

/// Returns a copy of `items` in which those are replaced for which `replace` returns another one. `None`, without a
/// copy, if there are none.
pub(crate) fn replaced<T: Copy>(
    items: &[T],
    replace: impl Fn(usize, &T) -> Option<T>,
) -> Option<Vec<T>> {
    let (index, first) = items
        .iter()
        .enumerate()
        .find_map(|(index, item)| Some((index, replace(index, item)?)))?;
    let (same, rest) = items.split_at(index);
    let later = rest
        .iter()
        .enumerate()
        .skip(1)
        .map(|(more, item)| replace(index + more, item).unwrap_or(*item));
    Some(same.iter().copied().chain([first]).chain(later).collect())
}

/// Equality as defined for reviews: a null member equals an absent one, and numbers are compared by their text. Unknown
/// parts and the sensitive marks of the plan count; parts that are hidden only by a schema or a mismatched mark do not.
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

/// A value whose equality and hash ignore sensitive marks, to be used as the key of a map.
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

/// Returns the members that are not null, because a null member equals an absent one.
pub(super) fn present<'m, 'a>(
    members: &'m [(&'a str, MarkedValue<'a>)],
) -> impl Iterator<Item = &'m (&'a str, MarkedValue<'a>)> {
    members.iter().filter(|(_, member)| !member.is_null())
}

/// Compares two values part by part. `marks` decides whether the marks of two parts count as equal.
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
        (Content::Number(a), Content::Number(b)) | (Content::String(a), Content::String(b)) => {
            a == b
        }
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

/// Returns all names of two lists of members, in order, with the value that each list has for the name. Both lists must
/// be sorted by name.
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

/// Copies values out of an arena that will be reset, without those that must not be shown.
#[derive(Clone, Copy, Debug)]
pub struct Redactor<'a> {
    /// The texts that outlive the arena. Slices of them are not copied. The first one is the whole document.
    pub texts: [&'a str; 3],
    /// The arena that other texts and values are copied to.
    pub arena: &'a Bump,
    /// Whether sensitive values are copied.
    pub show_sensitive: bool,
}

impl<'a> Redactor<'a> {
    /// Copies a text, unless it is a slice of one of the texts that outlive the arena.
    pub fn text(self, text: &str) -> &'a str {
        if text.is_empty() {
            return "";
        }
        let within = |kept: &'a str| {
            let offset = (text.as_ptr() as usize).checked_sub(kept.as_ptr() as usize)?;
            kept.get(offset..offset.checked_add(text.len())?)
        };
        self.texts
            .into_iter()
            .find_map(within)
            .unwrap_or_else(|| self.arena.alloc_str(text))
    }

    /// Copies a value without its sensitive parts, unless these are to be shown.
    pub fn value(self, value: MarkedValue<'_>) -> MarkedValue<'a> {
        self.redacted_like(value, None)
    }

    /// Copies a value without the parts that are sensitive in `value`, or at the same path in `other`, unless sensitive
    /// values are to be shown. The parts at one path may be equal, so showing one would reveal the other.
    pub fn redacted_like(
        self,
        value: MarkedValue<'_>,
        other: Option<MarkedValue<'_>>,
    ) -> MarkedValue<'a> {
        let MarkedValue {
            content,
            is_sensitive,
            is_hidden,
            has_marks,
            lacks_schema,
            hash,
        } = value;
        let other = other.filter(|other| other.has_marks);
        let is_left_out =
            !self.show_sensitive && (is_hidden || other.is_some_and(|other| other.is_hidden));
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
                let redacted_like = |(index, item): (usize, &MarkedValue<'_>)| {
                    self.redacted_like(*item, others.get(index).copied())
                };
                Content::Array(
                    self.arena
                        .alloc_slice_fill_iter(items.iter().enumerate().map(redacted_like)),
                )
            }
            Content::Object(members) => {
                let redacted_like = |(key, member): &(&str, MarkedValue<'_>)| {
                    (
                        self.text(key),
                        self.redacted_like(*member, other.and_then(|other| other.get(key))),
                    )
                };
                Content::Object(
                    self.arena
                        .alloc_slice_fill_iter(members.iter().map(redacted_like)),
                )
            }
        };
        MarkedValue {
            content,
            is_sensitive,
            is_hidden,
            has_marks,
            lacks_schema,
            hash,
        }
    }
}
