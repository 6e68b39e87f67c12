//! Values of a plan combined with their unknown and sensitive parts.
//!
//! A plan writes one value as three trees: `after`, `after_unknown` and `after_sensitive`. A
//! [`MarkedValue`] overlays the three, like the cty values in the tools. Invariants: `null` is neither
//! unknown nor sensitive; each value carries a hash of everything that its equality depends on, so that
//! different values are usually distinguished without descending; members are sorted by key and unique.

mod builder;
mod hiding;
mod redactor;
mod texts;

use std::hash::{Hash, Hasher};

pub use builder::Builder;
pub(crate) use hiding::replaced;
pub use redactor::Redactor;

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
    /// A null with the marks and the hash of the value, for one whose content is replaced.
    fn without_content<'b>(self) -> MarkedValue<'b> {
        let Self { is_sensitive, is_hidden, has_marks, lacks_schema, hash, content: _ } = self;
        MarkedValue { content: Content::Null, is_sensitive, is_hidden, has_marks, lacks_schema, hash }
    }

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
