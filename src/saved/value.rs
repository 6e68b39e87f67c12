//! Values of a saved plan or raw state with their types, and the JSON that the tools write of them.
//!
//! Source: the encoding of cty values in MessagePack and JSON, and the JSON output format. A file says the
//! type only of dynamic values; all other types come from the position in a schema.

use std::collections::HashMap;

use serde::{Serialize, Serializer};
use serde_json::Value as Marked;

use crate::dialect::Tool;
use crate::json::Value;
use crate::schema::{NO_SCHEMA, Nesting, Position, Type};

/// One value. Slices are in the arena; texts are in the input where possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Node<'a> {
    /// Null, a bool, a number or a string.
    Leaf(Value<'a>),
    List(&'a [Self]),
    Set(&'a [Self]),
    /// An object or a map, sorted by key.
    Members(&'a [(&'a str, Self)]),
    Unknown(UnknownShape),
}

/// Writes the known parts. Unknown members are left out, unknown elements are null.
impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Leaf(value) => value.serialize(serializer),
            Self::List(items) | Self::Set(items) => serializer.collect_seq(*items),
            Self::Members(members) => {
                let members = members.iter().map(|(key, member)| (key, member));
                serializer.collect_map(members.filter(|(_, member)| !matches!(member, Self::Unknown(_))))
            }
            Self::Unknown(_) => serializer.serialize_unit(),
        }
    }
}

/// What is known of the type of an unknown value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnknownShape {
    /// A list, set or tuple.
    Elements,
    /// An object or map.
    Members,
    /// A primitive type, or no type.
    Other,
}

impl UnknownShape {
    /// The shape of an unknown value at this position of a schema.
    pub(super) fn new(position: Position<'_>) -> Self {
        match (position.nesting(), position.value_type()) {
            (Some(Nesting::List | Nesting::Set), _)
            | (_, Some(Type::List(_) | Type::Set(_) | Type::Tuple(_))) => Self::Elements,
            (Some(Nesting::Single | Nesting::Group | Nesting::Map), _)
            | (_, Some(Type::Map(_) | Type::Object(_))) => Self::Members,
            (None, Some(Type::Dynamic | Type::Bool | Type::Number | Type::String)) => Self::Other,
            (None, None)
                if matches!(position, Position::Unspecified | Position::Inferred | Position::Missing) =>
            {
                Self::Other
            }
            (None, None) => Self::Members,
        }
    }
}

/// One step of a path into a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step<'a> {
    /// An attribute of an object.
    Attribute(&'a str),
    /// An index, a key of a map, or an element of a set.
    Element(Node<'a>),
}

/// A step in the form in which steps are compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum StepKey<'a> {
    Name(&'a str),
    Index(u64),
    Element(String),
}

impl<'a> StepKey<'a> {
    fn new(step: Step<'a>) -> Self {
        match step {
            Step::Attribute(name) | Step::Element(Node::Leaf(Value::String(name))) => Self::Name(name),
            Step::Element(node @ Node::Leaf(Value::Number(text))) => {
                text.parse().map_or_else(|_| Self::Element(node.text()), Self::Index)
            }
            Step::Element(node) => Self::Element(node.text()),
        }
    }
}

/// The paths that the file marks as sensitive, from one value on.
type Marks<'m, 'a> = Vec<&'m [Step<'a>]>;

/// How a set with a sensitive part is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SetMarks {
    /// The whole set is (Terraform).
    Whole,
    /// The elements are (OpenTofu).
    Elements,
}

impl SetMarks {
    /// How `tool` marks sets.
    pub(super) fn new(tool: Tool) -> Self {
        match tool {
            Tool::Terraform => Self::Whole,
            Tool::OpenTofu => Self::Elements,
        }
    }
}

impl<'a> Node<'a> {
    /// The known parts as JSON.
    pub(super) fn known(self) -> String {
        // Values cannot fail. If one did, the document would not be JSON, and be refused.
        serde_json::to_string(&self).unwrap_or_default()
    }

    /// The tree of unknown parts as JSON; `None` if there is none.
    pub(super) fn unknown(self) -> Option<String> {
        Some(self.unknown_tree()).filter(marks_any).map(|tree| tree.to_string())
    }

    /// The tree of unknown parts, also if there is none.
    pub(super) fn unknown_tree(self) -> Marked {
        match self {
            Self::Unknown(_) => Marked::Bool(true),
            Self::List(items) | Self::Set(items) => items.iter().map(|item| item.unknown_tree()).collect(),
            Self::Members(members) => {
                marked(members.iter().map(|(key, member)| (*key, member.unknown_tree())))
            }
            Self::Leaf(_) => Marked::Bool(false),
        }
    }

    /// The tree of sensitive parts as JSON: those at `paths`, and those that the schema declares.
    pub(super) fn sensitive(self, position: Position<'a>, paths: &[Vec<Step<'a>>], sets: SetMarks) -> String {
        let marks = paths.iter().map(Vec::as_slice).collect();
        self.sensitive_tree(position, &marks, sets).to_string()
    }

    fn sensitive_tree(self, position: Position<'a>, marks: &Marks<'_, 'a>, sets: SetMarks) -> Marked {
        if position.is_sensitive() || marks.iter().any(|path| path.is_empty()) {
            return Marked::Bool(true);
        }
        let below = Below::new(marks);
        match self {
            Self::Unknown(UnknownShape::Elements) => Marked::Array(Vec::new()),
            Self::Unknown(UnknownShape::Members) => marked([].into_iter()),
            Self::List(items) => (0u64..)
                .zip(items.iter().enumerate())
                .map(|(index, (at, item))| {
                    item.sensitive_tree(position.element(at), below.at(&StepKey::Index(index)), sets)
                })
                .collect(),
            Self::Set(items) => {
                let place = position.element(0);
                let tree = items.iter().map(|item| item.sensitive_tree(place, below.at_element(*item), sets));
                let tree = tree.collect();
                if sets == SetMarks::Whole && marks_any(&tree) { Marked::Bool(true) } else { tree }
            }
            Self::Members(members) => marked(members.iter().map(|(key, member)| {
                let place = position.member(key);
                // What the schema at hand does not have may be sensitive in the schema of the plan.
                if (place.is_missing() || place == Position::Inferred) && member.holds_anything() {
                    return (*key, Marked::from(NO_SCHEMA));
                }
                (*key, member.sensitive_tree(place, below.at(&StepKey::Name(key)), sets))
            })),
            Self::Leaf(_) | Self::Unknown(UnknownShape::Other) => Marked::Bool(false),
        }
    }

    /// Whether there is a value that could be shown.
    fn holds_anything(self) -> bool {
        !matches!(self, Self::Leaf(Value::Null) | Self::Unknown(_))
    }

    /// A text that is equal for equal values only.
    fn text(self) -> String {
        let mut text = self.known();
        text.extend(self.unknown());
        text
    }
}

/// The paths below one value, by their first step.
struct Below<'m, 'a> {
    by_step: HashMap<StepKey<'a>, Marks<'m, 'a>>,
    none: Marks<'m, 'a>,
}

impl<'m, 'a> Below<'m, 'a> {
    fn new(marks: &Marks<'m, 'a>) -> Self {
        let mut by_step: HashMap<StepKey<'a>, Marks<'m, 'a>> = HashMap::new();
        for path in marks {
            if let Some((first, rest)) = path.split_first() {
                by_step.entry(StepKey::new(*first)).or_default().push(rest);
            }
        }
        Self { by_step, none: Vec::new() }
    }

    fn at(&self, key: &StepKey<'a>) -> &Marks<'m, 'a> {
        self.by_step.get(key).unwrap_or(&self.none)
    }

    /// The paths below an element of a set. Its text is needed only if there are any.
    fn at_element(&self, element: Node<'a>) -> &Marks<'m, 'a> {
        if self.by_step.is_empty() { &self.none } else { self.at(&StepKey::new(Step::Element(element))) }
    }
}

/// The object of the members that are not `false`.
fn marked<'a>(members: impl Iterator<Item = (&'a str, Marked)>) -> Marked {
    members.filter(|(_, mark)| *mark != Marked::Bool(false)).collect()
}

/// Whether a tree marks anything.
fn marks_any(tree: &Marked) -> bool {
    match tree {
        Marked::Bool(mark) => *mark,
        Marked::Array(items) => items.iter().any(marks_any),
        Marked::Object(members) => members.values().any(marks_any),
        Marked::String(_) => true,
        Marked::Null | Marked::Number(_) => false,
    }
}
