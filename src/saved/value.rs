//! Represents the values of a saved plan or raw state with their types, and writes the JSON that the tools write of
//! them: the known values, and trees of marks for unknown and sensitive parts.
//!
//! Invariant: what may be sensitive is marked. A file says the type only of dynamic values; all other types come from
//! the position in a schema, and a value that the schema does not have is marked. A path that leads to nothing marks
//! the whole value.
//!
//! ```text
//! Members([("id", Unknown), ("port", Leaf(80))])    after          {"port": 80}
//!                                                   after_unknown  {"id": true}
//! ```

use std::collections::{HashMap, HashSet};

use serde::{Serialize, Serializer};
use serde_json::Value as Marked;

use crate::dialect::Tool;
use crate::json::{Object, Value};
use crate::model::plan::NO_SCHEMA;
use crate::schema::{Nesting, Position, Type};

/// A value with the distinctions of its type. Slices are in the arena; texts are in the input where possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Node<'a> {
    Leaf(Value<'a>),
    List(&'a [Self]),
    Set(&'a [Self]),
    /// The members of an object or map, sorted by key.
    Members(&'a [(&'a str, Self)]),
    /// An unknown value, with the tree of sensitive marks for a value of its type without sensitive parts.
    Unknown(Value<'a>),
}

/// Writes the known parts of a value: unknown members are left out, and unknown elements are null.
impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Leaf(value) => value.serialize(serializer),
            Self::List(items) | Self::Set(items) => serializer.collect_seq(*items),
            Self::Members(members) => {
                let members = members.iter().map(|(key, member)| (key, member));
                serializer
                    .collect_map(members.filter(|(_, member)| !matches!(member, Self::Unknown(_))))
            }
            Self::Unknown(_) => serializer.serialize_unit(),
        }
    }
}

/// A step of a path to a sensitive value: the name of an attribute, or the key of an element (in a set, the element).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step<'a> {
    Attribute(&'a str),
    Element(Node<'a>),
}

impl Step<'_> {
    /// Returns the step as a text that can be compared with the texts of elements.
    fn text(self) -> String {
        match self {
            Self::Attribute(name) => Node::Leaf(Value::String(name)).text(),
            Self::Element(node) => node.text(),
        }
    }
}

/// The paths that lead to sensitive parts, relative to the value that is being marked.
type Marks<'m, 'a> = Vec<&'m [Step<'a>]>;

impl<'a> Node<'a> {
    /// Makes the unknown value of a type. Its sensitive marks are `[]` for a list, set or tuple, `{}` for an object or
    /// map, and `false` for everything else.
    pub(super) fn unknown_at(position: Position<'_>) -> Self {
        let has_no_type = matches!(
            position,
            Position::Unspecified | Position::Inferred | Position::Missing
        );
        Self::Unknown(match (position.nesting(), position.value_type()) {
            (Some(Nesting::List | Nesting::Set), _)
            | (_, Some(Type::List(_) | Type::Set(_) | Type::Tuple(_))) => Value::Array(&[]),
            (None, Some(Type::Dynamic | Type::Bool | Type::Number | Type::String)) => {
                Value::Bool(false)
            }
            (None, None) if has_no_type => Value::Bool(false),
            _ => Value::Object(Object::default()),
        })
    }

    /// Returns the JSON of the known parts.
    pub(super) fn known(self) -> String {
        // Writing a value cannot fail. If it did, the document would not be JSON, and would be refused.
        serde_json::to_string(&self).unwrap_or_default()
    }

    /// Returns the JSON of the marks of unknown parts; `None` if there are none.
    pub(super) fn unknown(self) -> Option<String> {
        Some(self.unknown_tree())
            .filter(marks_any)
            .map(|tree| tree.to_string())
    }

    /// Returns the marks of unknown parts: true for an unknown value, and containers for those around it.
    pub(super) fn unknown_tree(self) -> Marked {
        match self {
            Self::Unknown(_) => Marked::Bool(true),
            Self::List(items) | Self::Set(items) => {
                items.iter().map(|item| item.unknown_tree()).collect()
            }
            Self::Members(members) => marked(
                members
                    .iter()
                    .map(|(key, member)| (*key, member.unknown_tree())),
            ),
            Self::Leaf(_) => Marked::Bool(false),
        }
    }

    /// Returns the JSON of the marks of sensitive parts: those of the schema at `position`, and those at `paths`.
    ///
    /// Paths to attributes that a resource does not have mark nothing (`Self::lacks_attribute`); any other path that
    /// leads to nothing marks the whole value around it.
    pub(super) fn sensitive(
        self,
        position: Position<'a>,
        paths: &[Vec<Step<'a>>],
        tool: Tool,
    ) -> String {
        let marks: Marks<'_, 'a> = paths
            .iter()
            .map(Vec::as_slice)
            .filter(|path| !self.lacks_attribute(position, path))
            .collect();
        self.sensitive_tree(position, &marks, tool).to_string()
    }

    /// Whether a path begins with an attribute that a resource does not have. An older version of its provider may have
    /// had it.
    fn lacks_attribute(self, position: Position<'a>, path: &[Step<'a>]) -> bool {
        let is_block = matches!(position, Position::Block(_) | Position::BuiltIn(_));
        match (self, path.first()) {
            (Self::Members(members), Some(Step::Attribute(name))) if is_block => {
                !members.iter().any(|(key, _)| key == name)
            }
            _ => false,
        }
    }

    /// Returns the marks of sensitive parts: those of the schema, and those of paths. A path that leads to no part of a
    /// value marks all of that value.
    fn sensitive_tree(self, position: Position<'a>, marks: &Marks<'_, 'a>, tool: Tool) -> Marked {
        if position.is_sensitive() || marks.iter().any(|path| path.is_empty()) {
            return Marked::Bool(true);
        }
        let below = Below::new(marks);
        if self.is_left_by(&below) {
            return Marked::Bool(true);
        }
        match self {
            Self::Unknown(no_marks) => serde_json::to_value(no_marks).unwrap_or_default(),
            Self::List(items) => {
                let items = items.iter().enumerate();
                let item = |(index, item): (usize, &Self)| {
                    item.sensitive_tree(
                        position.element(index),
                        below.at(|| index.to_string()),
                        tool,
                    )
                };
                items.map(item).collect()
            }
            Self::Set(items) => {
                let place = position.element(0);
                let items = items.iter();
                let tree = items
                    .map(|item| item.sensitive_tree(place, below.at(|| item.text()), tool))
                    .collect();
                // Terraform marks a whole set, OpenTofu its elements.
                if tool == Tool::Terraform && marks_any(&tree) {
                    Marked::Bool(true)
                } else {
                    tree
                }
            }
            Self::Members(members) => marked(members.iter().map(|(key, member)| {
                let place = position.member(key);
                // An attribute that the available schema does not have may be sensitive in the schema with which the
                // plan was made.
                if (place.is_missing() || place == Position::Inferred) && member.holds_anything() {
                    return (*key, Marked::from(NO_SCHEMA));
                }
                let below = below.at(|| Step::Attribute(key).text());
                (*key, member.sensitive_tree(place, below, tool))
            })),
            Self::Leaf(_) => Marked::Bool(false),
        }
    }

    /// Whether one of the marks leads to a part that this value does not have: below a value without parts, past the
    /// end of a list, to an element that the set does not have, or by a step of another kind. The part that was meant
    /// is unknown then, so the whole value must be hidden.
    fn is_left_by(self, below: &Below<'_, 'a>) -> bool {
        if below.by_step.is_empty() || !self.holds_anything() {
            return false;
        }
        let parts: HashSet<String> = match self {
            Self::Leaf(_) | Self::Unknown(_) => HashSet::new(),
            Self::List(items) => (0..items.len()).map(|index| index.to_string()).collect(),
            Self::Set(items) => items.iter().map(|item| item.text()).collect(),
            Self::Members(members) => members
                .iter()
                .map(|(key, _)| Step::Attribute(key).text())
                .collect(),
        };
        !below.by_step.keys().all(|step| parts.contains(step))
    }

    pub(super) fn is_null(self) -> bool {
        self == Self::Leaf(Value::Null)
    }

    /// Whether the value is neither null nor unknown.
    fn holds_anything(self) -> bool {
        !self.is_null() && !matches!(self, Self::Unknown(_))
    }

    /// Returns a text that is equal for equal values only.
    fn text(self) -> String {
        let mut text = self.known();
        text.extend(self.unknown());
        text
    }
}

/// The paths to sensitive parts, grouped by the part of a value that they begin with.
struct Below<'m, 'a> {
    /// The rest of each path, by the text of its first step.
    by_step: HashMap<String, Marks<'m, 'a>>,
    /// An empty list, for the parts that no path leads to.
    none: Marks<'m, 'a>,
}

impl<'m, 'a> Below<'m, 'a> {
    /// Groups paths by their first step. Empty paths are left out.
    fn new(marks: &Marks<'m, 'a>) -> Self {
        let mut by_step: HashMap<_, Marks<'m, 'a>> = HashMap::new();
        for path in marks {
            if let Some((first, rest)) = path.split_first() {
                by_step.entry(first.text()).or_default().push(rest);
            }
        }
        Self {
            by_step,
            none: Vec::new(),
        }
    }

    /// Returns the paths within a part. The step is only written as a text if there are any paths.
    fn at(&self, step: impl Fn() -> String) -> &Marks<'m, 'a> {
        if self.by_step.is_empty() {
            &self.none
        } else {
            self.by_step.get(&step()).unwrap_or(&self.none)
        }
    }
}

/// Makes an object of marks, without the members that mark nothing.
fn marked<'a>(members: impl Iterator<Item = (&'a str, Marked)>) -> Marked {
    members
        .filter(|(_, mark)| *mark != Marked::Bool(false))
        .collect()
}

/// Whether a tree of marks marks anything. A text (the mark for a missing schema) does, too.
fn marks_any(tree: &Marked) -> bool {
    match tree {
        Marked::Bool(mark) => *mark,
        Marked::Array(items) => items.iter().any(marks_any),
        Marked::Object(members) => members.values().any(marks_any),
        Marked::String(_) => true,
        Marked::Null | Marked::Number(_) => false,
    }
}
