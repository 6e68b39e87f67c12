//! Values of a plan combined with their unknown and sensitive parts.
//!
//! A plan writes one value as three trees: `after`, `after_unknown` and `after_sensitive`. A [`MarkedValue`] overlays
//! the three, like the cty values in the tools. Invariants: `null` is neither unknown nor sensitive; each value
//! carries a hash of everything that its equality depends on, so that different values are usually distinguished
//! without descending; members are sorted by key and unique.
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

/// A value with its unknown and sensitive parts. It is small, lives in an arena, and is copied.
#[derive(Clone, Copy, Debug)]
pub struct MarkedValue<'a> {
    /// The value itself.
    pub content: Content<'a>,
    /// The plan marks the value as sensitive as a whole.
    pub is_sensitive: bool,
    /// The value must not be shown unless requested: it is marked by the plan or by the schema, or the shape of its
    /// mark does not match, so that the mark may mean the whole value.
    pub is_hidden: bool,
    /// The value or a part of it is hidden.
    pub has_marks: bool,
    /// The value is hidden only because no schema says what is sensitive.
    pub lacks_schema: bool,
    /// A randomly seeded hash of everything that equality depends on.
    pub(super) hash: u64,
}

/// What a value is, without its marks.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// Null, or absent.
    Null,
    /// Known after apply.
    Unknown,
    /// A sensitive value that the user did not ask for.
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

    /// Whether the value is known only after apply, as a whole.
    pub fn is_unknown(self) -> bool {
        matches!(self.content, Content::Unknown)
    }

    /// Whether the value was left out because it is sensitive.
    pub fn is_redacted(self) -> bool {
        matches!(self.content, Content::Redacted)
    }

    /// Whether the value or a part of it is known only after apply. Takes time in proportion to its parts.
    pub fn has_unknown(self) -> bool {
        self.is_unknown() || self.children().any(Self::has_unknown)
    }

    /// Returns the string; `None` also for one that was left out.
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

    /// Whether the value has elements or members, or could have some.
    pub fn is_container(self) -> bool {
        matches!(self.content, Content::Array(_) | Content::Object(_))
    }

    /// Returns the member with a name.
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

    /// Counts the bools, numbers, strings, unknown and hidden values in the value.
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

    /// Returns a hash of everything that equality depends on. It is seeded randomly, so it differs between runs.
    pub fn hash_value(self) -> u64 {
        self.hash
    }

    /// Whether two values are equal if sensitive marks do not count.
    pub fn same_without_marks(self, other: Self) -> bool {
        same(self, other, |_, _| true)
    }

    /// Whether two values are equal, and a text would hide the same parts of them.
    pub(crate) fn same_listed(self, other: Self) -> bool {
        let listed = |value: Self| value.is_sensitive || value.is_hidden;
        same(self, other, |a, b| listed(a) == listed(b))
    }

    /// Replaces the parts of a container. `replace` receives the index and, of a member, the name of each part; `None` if it returns nothing for all of
    /// them, and no copy is needed.
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

    /// The value as one that is sensitive and not asked for. Equal values stay equal, and others different.
    pub(crate) fn left_out(self) -> Self {
        Self {
            content: Content::Redacted,
            is_hidden: true,
            has_marks: true,
            ..self
        }
    }

    /// The value with another content, for texts. The hash remains that of the value before, so that equal values stay
    /// equal, and others different.
    pub(crate) fn with_content(self, content: Content<'a>) -> Self {
        Self { content, ..self }
    }
}

/// Returns a copy of `items` with those replaced for which `replace` returns another; `None`, without a copy, if it
/// returns none.
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

/// A value whose equality and hash ignore sensitive marks, as the key of a map.
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

/// Compares two values part by part; `marks` decides whether the marks of a part are equal.
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

/// Returns the names in two lists that are sorted by name, in order, with what each list has for it.
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
    /// Where other texts and values are copied to.
    pub arena: &'a Bump,
    /// Keeps sensitive values.
    pub show_sensitive: bool,
}

impl<'a> Redactor<'a> {
    /// Copies a text, unless it is a slice of one of the texts.
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

    /// Copies a value without its sensitive parts.
    pub fn value(self, value: MarkedValue<'_>) -> MarkedValue<'a> {
        self.redacted_like(value, None)
    }

    /// Copies a value without the parts that are sensitive in `value`, or at the same path in `other`, unless sensitive values
    /// are kept: the parts at one path may be equal, so showing one would reveal the other.
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
