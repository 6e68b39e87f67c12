//! Edits: the changes of values, one for each changed place, for a review and for the comparison of plans.
//!
//! The tree (`tree`) has all parts of both values, paired as upstream pairs them, because `show` must print
//! the tools' text. Edits have the changed parts only, with elements paired by identity
//! ([`pairing`](super::pairing)) and the documents in strings compared too ([`embedded`](super::embedded)),
//! because a reviewer must see what really changes.
//!
//! Three laws hold for the edits of every change (`docs/review.md`). They are *true*: an edit has the values
//! that the plan has at its path. They are *complete*: applying all edits to `before` gives `after`. They are
//! *minimal*: an edit has equal sides only if an element moved, and no edit could be replaced by edits deeper
//! inside. Nothing is compared below a value that is sensitive as a whole, and sensitive values are kept only
//! if the user asks for them.

mod compare;
mod inside;
mod plan;

use bumpalo::Bump;

use super::value::{MarkedValue, replaced};

pub(crate) use super::shapes::Positions;
pub(crate) use compare::{Comparer, Place, Settings};
pub(crate) use plan::{PlanPart, Sides, ValueEdits, parts, plan, visible_paths};

/// A change in one place.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'a> {
    /// The place, from the root of the object.
    pub path: Path<'a>,
    /// The value before, which may be unknown or redacted, as a whole or in parts; `None` if there is none. A member
    /// that is null counts as absent; an element that is null does not.
    pub before: Option<MarkedValue<'a>>,
    /// The value after, in the same way.
    pub after: Option<MarkedValue<'a>>,
    /// Whether the change, or a part of it, forces the replacement of the resource instance.
    pub replaces: bool,
    /// Proven facts about the change.
    pub labels: Labels,
    /// The differences of the documents in both values, if these are strings with documents.
    pub inside: Option<&'a Inside<'a>>,
    /// Remarks, for example about a comparison that is not exact.
    pub notes: &'a [Note],
}

impl<'a> Edit<'a> {
    /// The edit with what `replace` returns instead of the strings in its values; `None` if it returns nothing for
    /// all of them.
    pub(crate) fn with_texts(
        &self,
        replace: &dyn Fn(&str) -> Option<String>,
        arena: &'a Bump,
    ) -> Option<Self> {
        let side = |side: Option<MarkedValue<'a>>| Some(Some(side?.with_texts(replace, arena)?));
        let inside = |inside: &Inside<'a>| {
            let edits = edits_with_texts(inside.edits, replace, arena)?;
            Some(&*arena.alloc(Inside { edits, ..*inside }))
        };
        let (before, after, inside) = (side(self.before), side(self.after), self.inside.and_then(inside));
        let path = self.path.with_texts(replace, arena);
        if before.is_none() && after.is_none() && inside.is_none() && path.is_none() {
            return None;
        }
        Some(Self {
            path: path.unwrap_or(self.path),
            before: before.unwrap_or(self.before),
            after: after.unwrap_or(self.after),
            inside: inside.or(self.inside),
            ..*self
        })
    }
}

/// The edits with what `replace` returns instead of the strings in their values; `None` if it returns nothing for all
/// of them.
pub(crate) fn edits_with_texts<'a>(
    edits: &'a [Edit<'a>],
    replace: &dyn Fn(&str) -> Option<String>,
    arena: &'a Bump,
) -> Option<&'a [Edit<'a>]> {
    let edits = replaced(edits, |_, edit| edit.with_texts(replace, arena))?;
    Some(arena.alloc_slice_copy(&edits))
}

/// The path of an edit. Edits share the beginnings of their paths in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Path<'a>(Option<&'a PathNode<'a>>);

#[derive(Debug)]
struct PathNode<'a> {
    parent: Path<'a>,
    step: Step<'a>,
    len: usize,
}

impl<'a> Path<'a> {
    /// The path of the root.
    pub const ROOT: Self = Self(None);

    /// The path of a child of this place.
    pub fn child(self, step: Step<'a>, arena: &'a Bump) -> Self {
        Self(Some(arena.alloc(PathNode { parent: self, step, len: self.len() + 1 })))
    }

    /// The number of steps.
    pub fn len(self) -> usize {
        self.0.map_or(0, |node| node.len)
    }

    /// Whether this is the root.
    pub fn is_empty(self) -> bool {
        self.0.is_none()
    }

    /// The last step.
    pub fn last(self) -> Option<Step<'a>> {
        self.0.map(|node| node.step)
    }

    /// The path without its last step.
    pub fn parent(self) -> Option<Self> {
        self.0.map(|node| node.parent)
    }

    /// Whether both paths are the same in memory, as those of edits in one container often are.
    pub(crate) fn is_same_node(self, other: Self) -> bool {
        self.0.map(std::ptr::from_ref) == other.0.map(std::ptr::from_ref)
    }

    /// The path with what `replace` returns instead of the values of attributes that identify elements.
    fn with_texts(self, replace: &dyn Fn(&str) -> Option<String>, arena: &'a Bump) -> Option<Self> {
        let step = |step: &Step<'a>| match step {
            Step::Element(element) => {
                let key = element.key?;
                let value = key.value.with_texts(replace, arena)?;
                let key = Some(&*arena.alloc(ElementKey { value, ..*key }));
                Some(Step::Element(Element { key, ..*element }))
            }
            Step::Name(_) | Step::Document(_) => None,
        };
        let steps = replaced(&self.steps(), |_, found| step(found))?;
        Some(steps.into_iter().fold(Self::ROOT, |path, step| path.child(step, arena)))
    }

    /// The steps, from the root.
    pub fn steps(self) -> Vec<Step<'a>> {
        let mut steps = Vec::with_capacity(self.len());
        let mut path = self;
        while let Some(node) = path.0 {
            steps.push(node.step);
            path = node.parent;
        }
        steps.reverse();
        steps
    }
}

/// A step of a path.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A member of an object, map or block: an attribute, a block type or a key.
    Name(&'a str),
    /// An element of a list or set.
    Element(Element<'a>),
    /// The document in a string. Only paths of findings have such steps; edits of documents are in an [`Inside`].
    Document(Format),
}

/// An element of a list or set, by its indices in the arrays of the plan.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    /// The index before; `None` if the element is added.
    pub before: Option<u32>,
    /// The index after; `None` if the element is removed.
    pub after: Option<u32>,
    /// The number of elements before and after, by which formats see that a list becomes empty.
    pub lengths: (u32, u32),
    /// Whether a schema proves that this is a set, so that indices are insignificant.
    pub is_set: bool,
    /// An attribute with a value that no other element has, before or after.
    pub key: Option<&'a ElementKey<'a>>,
}

/// An attribute that identifies an element.
#[derive(Clone, Copy, Debug)]
pub struct ElementKey<'a> {
    /// The name of the attribute.
    pub name: &'a str,
    /// The value: a string or number that is not sensitive.
    pub value: MarkedValue<'a>,
}

/// A proven fact about an edit. A label never means that the edit may be ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// Only the position of the element changes.
    Moved,
    /// Only the sensitive marks differ.
    Sensitivity,
    /// Null on one side; `""`, `[]` or `{}` on the other.
    Empty,
    /// Strings that differ only in case.
    Case,
    /// Strings that differ only in white space.
    Whitespace,
    /// Strings that differ in invisible or similar-looking characters.
    Invisible,
    /// Strings that differ only in their Unicode normalization form.
    UnicodeForm,
    /// The same JSON in a different notation.
    Format,
    /// Only an order differs that is insignificant: in a set, or by the rules of IAM policies.
    Order,
    /// The same text with another type (`"1"` and `1`), where a schema determines the type of the attribute.
    TypeOnly,
    /// The place is not in the provider's schema.
    NotInSchema,
}

impl Label {
    /// All labels, with their names in the JSON.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::Moved, "moved"),
        (Self::Sensitivity, "sensitivity"),
        (Self::Empty, "empty"),
        (Self::Case, "case"),
        (Self::Whitespace, "whitespace"),
        (Self::Invisible, "invisible"),
        (Self::UnicodeForm, "unicode-form"),
        (Self::Format, "format"),
        (Self::Order, "order"),
        (Self::TypeOnly, "type-only"),
        (Self::NotInSchema, "not-in-schema"),
    ];

    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A set of labels, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Labels(u16);

impl From<Label> for Labels {
    fn from(label: Label) -> Self {
        Self(1 << label as u16)
    }
}

impl Labels {
    /// Adds a label.
    pub fn insert(&mut self, label: Label) {
        self.0 |= Self::from(label).0;
    }

    /// Whether the set contains the label.
    pub fn contains(self, label: Label) -> bool {
        self.0 & Self::from(label).0 != 0
    }

    /// The labels, in the order of [`Label::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Label> {
        Label::ALL.into_iter().map(|(label, _)| label).filter(move |label| self.contains(*label))
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The comparison of the documents in two strings.
#[derive(Clone, Copy, Debug)]
pub struct Inside<'a> {
    /// The format of the documents.
    pub format: Format,
    /// The differences. Empty if the documents are equal although their texts differ.
    pub edits: &'a [Edit<'a>],
}

/// The format of documents in strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A JSON object or array.
    Json,
    /// A YAML mapping or sequence. Scalars that YAML 1.1 and 1.2 read differently are strings with the text
    /// as written, including quotes.
    Yaml,
    /// Base64 of a text. The text has one edit, which may itself have an inside.
    Base64,
    /// Base64 of a text that is compressed with gzip.
    Gzip,
    /// Lines of a text, as a list of strings.
    Lines,
}

impl Format {
    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Base64 => "base64",
            Self::Gzip => "gzip",
            Self::Lines => "lines",
        }
    }
}

/// A remark about an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// The shortest difference was not searched, because too many elements changed.
    Approximate,
    /// The compressed texts in the strings are too large to be compared.
    NotDecoded,
    /// The values, or the documents in them, have too many parts and are compared as a whole.
    TooLarge,
    /// The YAML differs only in comments, quotes or layout.
    SameYaml,
    /// The base64 differs, but the decoded text does not.
    SameDecoded,
}

impl Note {
    /// The remark in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Approximate => "too many changes to find the smallest difference",
            Self::NotDecoded => "too large to compare what the strings hold",
            Self::TooLarge => "value too large, compared as a whole",
            Self::SameYaml => "only comments, quotes or layout differ",
            Self::SameDecoded => "the decoded text is the same",
        }
    }
}
