//! Edits: the changed places of a value, each with its value before and after.
//!
//! The documents in strings are compared too ([`embedded`](super::embedded)), because a reviewer must see what really
//! changes.
//!
//! Invariants: edits are true, complete and minimal (the laws in `docs/review.md`). Nothing is compared below a value
//! that is sensitive as a whole, and sensitive values are kept only if the user asks for them.
//!
//! ```text
//! before   {"size": 1, "tags": {"a": "x"}}
//! after    {"size": 2, "tags": {"a": "x", "b": "y"}}
//! edits    size: 1 -> 2, tags.b: "y" is added; one scalar is unchanged
//! ```

mod compare;
mod plan;

use bumpalo::Bump;
use strum::{IntoStaticStr, VariantArray};

use super::value::MarkedValue;
use crate::direction::Meaning;

pub(crate) use super::shapes::Positions;
pub(crate) use compare::{Comparer, Location, Settings};
pub(crate) use plan::{PlanPart, Sides, ValueEdits, parts, plan, visible_paths};

/// A change of one place in a value.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'a> {
    /// The changed place.
    pub path: Path<'a>,
    /// The value before; `None` if there is none. It may be unknown or redacted, as a whole or in parts. A member that
    /// is null counts as absent; an element that is null does not.
    pub before: Option<MarkedValue<'a>>,
    /// The value after; `None` if there is none.
    pub after: Option<MarkedValue<'a>>,
    /// Whether the change forces a replacement: a path in the plan's `replace_paths` ends at this place, above it or
    /// below it.
    pub replaces: bool,
    /// The proven facts about the edit.
    pub labels: Labels,
    /// The edits of the documents, if both sides are documents in strings.
    pub inside: Option<&'a Inside<'a>>,
    /// Remarks about limits of the comparison.
    pub notes: &'a [Note],
    /// What the edit means. The comparison leaves it empty; a review fills it in.
    pub meaning: Meaning,
}

/// The steps from an object to a place in it. Paths share the nodes of their parents, so a path takes the memory of one
/// step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Path<'a>(Option<&'a PathNode<'a>>);

/// The last step of a path, with the path of the parent.
#[derive(Debug)]
struct PathNode<'a> {
    parent: Path<'a>,
    step: Step<'a>,
    len: usize,
}

impl<'a> Path<'a> {
    /// The path of the object itself, without steps.
    pub const ROOT: Self = Self(None);

    /// Returns the path of a part of this place.
    pub fn child(self, step: Step<'a>, arena: &'a Bump) -> Self {
        Self(Some(arena.alloc(PathNode {
            parent: self,
            step,
            len: self.len() + 1,
        })))
    }

    /// Returns the number of steps.
    pub fn len(self) -> usize {
        self.0.map_or(0, |node| node.len)
    }

    /// Whether this is the path of the object itself.
    pub fn is_empty(self) -> bool {
        self.0.is_none()
    }

    /// Returns the last step; `None` for the object itself.
    pub fn last(self) -> Option<Step<'a>> {
        self.0.map(|node| node.step)
    }

    /// Returns the path without its last step; `None` for the object itself.
    pub fn parent(self) -> Option<Self> {
        self.0.map(|node| node.parent)
    }

    /// Whether both are the same node, and not only paths with the same steps. This takes constant time.
    pub(crate) fn is_same_node(self, other: Self) -> bool {
        self.0.map(std::ptr::from_ref) == other.0.map(std::ptr::from_ref)
    }

    /// Returns all steps, beginning at the object.
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

/// A step from a value to one of its parts.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A member of an object, map or block: an attribute, a block type or a key.
    Name(&'a str),
    /// An element of a list or set.
    Element(Element<'a>),
    /// The document in a string. Only paths of findings have such steps; edits of documents are in an [`Inside`].
    Document(Format),
}

/// An element of a list or set, on both sides of the change.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    /// The index before; `None` if the element is added.
    pub before: Option<u32>,
    /// The index after; `None` if the element is removed.
    pub after: Option<u32>,
    /// The numbers of elements before and after.
    pub lengths: (u32, u32),
    /// Whether a schema proves that this is a set, so that indices are insignificant.
    pub is_set: bool,
    /// The attribute that names the element: its value occurs in no other element, before or after.
    pub key: Option<&'a ElementKey<'a>>,
}

impl Element<'_> {
    /// Creates an element without a name, from its indices and the numbers of elements before and after.
    pub(crate) fn new(indices: [Option<usize>; 2], lengths: [usize; 2]) -> Self {
        let [before, after] =
            indices.map(|index| index.map(|index| u32::try_from(index).unwrap_or(u32::MAX)));
        let [old, new] = lengths.map(|length| u32::try_from(length).unwrap_or(u32::MAX));
        Self {
            before,
            after,
            lengths: (old, new),
            is_set: false,
            key: None,
        }
    }
}

/// The attribute that names an element in a path, with its value.
#[derive(Clone, Copy, Debug)]
pub struct ElementKey<'a> {
    /// The name of the attribute.
    pub name: &'a str,
    /// The value, which is a string or number that is not sensitive.
    pub value: MarkedValue<'a>,
}

/// A proven fact about an edit. A label never means that the edit may be ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Label {
    /// An element has another place among the others.
    Moved,
    /// Only the sensitive marks differ.
    Sensitivity,
    /// One side is null, the other one `""`, `[]` or `{}`.
    Empty,
    /// The texts differ only in uppercase and lowercase letters.
    Case,
    /// The texts differ only in whitespace.
    Whitespace,
    /// The texts differ only in characters that are not visible.
    Invisible,
    /// The texts are the same apart from their Unicode normalization forms.
    UnicodeForm,
    /// Both sides are the same JSON in another notation, possibly as a text on one side and a value on the other.
    Format,
    /// Only an order differs that is insignificant: in a set, or according to the rules of IAM policies.
    Order,
    /// The texts are the same, but not the types (`"1"` and `1`), where a schema determines the type of the attribute.
    TypeOnly,
    /// The schema has no attribute of this name.
    NotInSchema,
}

impl Label {
    /// Returns the name of the label in the JSON of a review.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A set of labels.
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

    /// Whether a label is in the set.
    pub fn contains(self, label: Label) -> bool {
        self.0 & Self::from(label).0 != 0
    }

    /// Returns the labels in the set, in the order of [`Label`].
    pub fn iter(self) -> impl Iterator<Item = Label> {
        Label::VARIANTS
            .iter()
            .copied()
            .filter(move |label| self.contains(*label))
    }

    /// Whether the set has no label.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The edits of the documents that both sides of an edit contain as strings.
#[derive(Clone, Copy, Debug)]
pub struct Inside<'a> {
    /// The format of the documents.
    pub format: Format,
    /// The edits between the documents; none if only their notation differs.
    pub edits: &'a [Edit<'a>],
}

/// The format of a document in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Format {
    /// JSON.
    Json,
    /// A YAML mapping or sequence. A scalar that YAML 1.1 and 1.2 read differently is a string with the text as
    /// written, including quotes.
    Yaml,
    /// Text encoded as base64.
    Base64,
    /// Text compressed with gzip and encoded as base64.
    Gzip,
    /// A text of several lines.
    Lines,
}

impl Format {
    /// Returns the name of the format in the JSON of a review.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A remark about a comparison: how it was limited, or what it found to be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// Not all pairs of elements were tried, so the edits may not be minimal.
    Approximate,
    /// The strings were not decoded, because their texts would be too large.
    NotDecoded,
    /// The value has too many parts, so it was compared as a whole.
    TooLarge,
    /// The YAML documents are the same; only their notation differs.
    SameYaml,
    /// The decoded texts are the same.
    SameDecoded,
}

impl Note {
    /// Returns the remark in words.
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
