//! The edits of a review: what a plan changes, place by place.
//!
//! Three laws hold for the edits of every entry (`docs/review.md`): they are *true* (the values at
//! an edit's path in the plan are the edit's), *complete* (`before` and all edits give `after`) and
//! *minimal* (no edit has equal sides unless its element moved, and none could be deeper). Formats
//! may group, shorten and reorder edits; they never compare or decode anything.

use bumpalo::Bump;

use crate::diff::value::MarkedValue;

/// A change of one place.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'a> {
    /// Where it is, from the root of the object.
    pub path: Path<'a>,
    /// The value before.
    pub before: Slot<'a>,
    /// The value after.
    pub after: Slot<'a>,
    /// It forces the replacement of the resource instance, or a part of it does.
    pub replaces: bool,
    /// What is proven of it.
    pub labels: Labels,
    /// What changed inside the documents that both values hold.
    pub inside: Option<&'a Inside<'a>>,
    /// What else there is to know.
    pub notes: &'a [Note],
}

/// Where an edit is. Edits share the beginnings of their paths.
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

    /// The path one step further.
    pub fn child(self, step: Step<'a>, arena: &'a Bump) -> Self {
        Self(Some(arena.alloc(PathNode { parent: self, step, len: self.len() + 1 })))
    }

    /// How many steps there are.
    pub fn len(self) -> usize {
        self.0.map_or(0, |node| node.len)
    }

    /// Whether this is the path of the root.
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

    /// Where the path is in memory: edits of one container share the path to it. None for the root.
    pub(crate) fn node(self) -> Option<usize> {
        self.0.map(|node| std::ptr::from_ref(node).addr())
    }

    /// Whether both are the same piece of memory: edits of one container share the path to it.
    pub(crate) fn is_same_node(self, other: Self) -> bool {
        match (self.0, other.0) {
            (None, None) => true,
            (Some(node), Some(other)) => std::ptr::eq(node, other),
            (None, Some(_)) | (Some(_), None) => false,
        }
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

/// One side of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot<'a> {
    /// There is nothing. A member that is null counts as absent, an element does not.
    Absent,
    /// There is a value, which may be unknown or redacted as a whole or in parts.
    Value(MarkedValue<'a>),
}

impl<'a> Slot<'a> {
    /// The value, if there is one.
    pub fn value(self) -> Option<MarkedValue<'a>> {
        match self {
            Self::Absent => None,
            Self::Value(value) => Some(value),
        }
    }

    /// Whether there is nothing.
    pub fn is_absent(self) -> bool {
        matches!(self, Self::Absent)
    }
}

/// A step of a path.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Into an object, map or block: the name of an attribute, a block type, a key.
    Name(&'a str),
    /// Into a list or set.
    Element(Element<'a>),
}

/// An element of a list or set. Its places are those in the plan's arrays.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    /// Its place before; none if the element was added.
    pub before: Option<u32>,
    /// Its place after; none if the element was removed.
    pub after: Option<u32>,
    /// How many elements there were, and how many there will be. A list becomes empty if its last
    /// element is removed.
    pub lengths: (u32, u32),
    /// A schema says that this is a set: its places mean nothing.
    pub is_set: bool,
    /// An attribute that no other element has with this value, before or after.
    pub key: Option<&'a ElementKey<'a>>,
}

/// An attribute that names an element.
#[derive(Clone, Copy, Debug)]
pub struct ElementKey<'a> {
    /// The attribute's name.
    pub name: &'a str,
    /// Its value: a string or number that may be shown.
    pub value: MarkedValue<'a>,
}

/// What is proven of an edit. A label never means that the edit may be ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u16)]
pub enum Label {
    /// The element changed its place among the others, and nothing else.
    Moved = 1,
    /// Only the sensitive marks differ.
    Sensitivity = 1 << 1,
    /// Null on one side, `""`, `[]` or `{}` on the other.
    Empty = 1 << 2,
    /// Strings that differ in upper and lower case only.
    Case = 1 << 3,
    /// Strings that differ in white space only.
    Whitespace = 1 << 4,
    /// Strings that differ in characters that cannot be seen, or look like others.
    Invisible = 1 << 5,
    /// Strings that differ in their Unicode normalization form only.
    UnicodeForm = 1 << 6,
    /// The same JSON, written differently.
    Format = 1 << 7,
    /// Only the order differs, and the order means nothing: in a set, or by the rules of IAM policies.
    Order = 1 << 8,
    /// The same text as another type, where a schema gives the attribute its type.
    TypeOnly = 1 << 9,
    /// The provider's schema does not have it.
    NotInSchema = 1 << 10,
}

impl Label {
    /// All labels.
    pub const ALL: [Self; 11] = [
        Self::Moved,
        Self::Sensitivity,
        Self::Empty,
        Self::Case,
        Self::Whitespace,
        Self::Invisible,
        Self::UnicodeForm,
        Self::Format,
        Self::Order,
        Self::TypeOnly,
        Self::NotInSchema,
    ];

    /// The label's name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Sensitivity => "sensitivity",
            Self::Empty => "empty",
            Self::Case => "case",
            Self::Whitespace => "whitespace",
            Self::Invisible => "invisible",
            Self::UnicodeForm => "unicode-form",
            Self::Format => "format",
            Self::Order => "order",
            Self::TypeOnly => "type-only",
            Self::NotInSchema => "not-in-schema",
        }
    }
}

/// A set of labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Labels(u16);

impl Labels {
    /// Adds a label.
    pub fn insert(&mut self, label: Label) {
        self.0 |= label as u16;
    }

    /// Whether the label is there.
    pub fn contains(self, label: Label) -> bool {
        self.0 & label as u16 != 0
    }

    /// The labels, in the order of [`Label::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Label> {
        Label::ALL.into_iter().filter(move |label| self.contains(*label))
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What two strings hold, compared.
#[derive(Clone, Copy, Debug)]
pub struct Inside<'a> {
    /// How the strings were read.
    pub format: Format,
    /// What changed. None where the documents are equal and only written differently.
    pub edits: &'a [Edit<'a>],
}

/// How a string was read as a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON: an object or array.
    Json,
    /// YAML: a mapping or sequence. Scalars that YAML 1.1 and 1.2 read differently are strings with
    /// the text that was written, quotes included.
    Yaml,
    /// A text in base64: one edit of the whole, which may have its own inside.
    Base64,
    /// A text, packed with gzip, in base64.
    Gzip,
    /// Lines: a list of strings.
    Lines,
}

impl Format {
    /// The format's name in the JSON.
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

/// What else there is to know about an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// There were too many changed elements to find the shortest difference.
    Approximate,
    /// The documents that the strings hold are too large to be compared.
    NotDecoded,
    /// There are too many changed parts to list each.
    NotCompared,
    /// The values are too large to be read: they are strings that hold their JSON.
    NotRead,
    /// The YAML differs in comments, quotes or layout only.
    SameYaml,
    /// The base64 differs, the text that it stands for does not.
    SameDecoded,
}

impl Note {
    /// The note in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Approximate => "too many changes to find the smallest difference",
            Self::NotDecoded => "too large to compare what the strings hold",
            Self::NotCompared => "too many changes to list each of them",
            Self::NotRead => "too large to compare part by part: shown as JSON",
            Self::SameYaml => "only comments, quotes or layout differ",
            Self::SameDecoded => "the decoded text is the same",
        }
    }
}
