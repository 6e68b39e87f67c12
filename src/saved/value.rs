//! Values of a saved plan or raw state with their types, and the JSON that the tools write of them.
//!
//! Source: the encoding of cty values in MessagePack and JSON, and the JSON output format. A file says the
//! type only of dynamic values; all other types come from the position in a schema.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use crate::dialect::Tool;
use crate::json::serialize_number;
use crate::schema::{NO_SCHEMA, Nesting, Position, Type};

/// One value. Slices are in the arena; texts are in the input where possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Node<'a> {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    /// A number that no binary number of 64 bits equals, as written.
    Number(&'a str),
    String(&'a str),
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
            Self::Null | Self::Unknown(_) => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Signed(value) => serializer.serialize_i64(*value),
            Self::Unsigned(value) => serializer.serialize_u64(*value),
            // Floating-point numbers are displayed without an exponent, in their shortest form.
            Self::Float(value) => serialize_number(&value.to_string(), serializer),
            Self::Number(text) => serialize_number(text, serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::List(items) | Self::Set(items) => serializer.collect_seq(*items),
            Self::Members(members) => {
                let members = members.iter().map(|(key, member)| (key, member));
                serializer.collect_map(members.filter(|(_, member)| !matches!(member, Self::Unknown(_))))
            }
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
            Step::Attribute(name) | Step::Element(Node::String(name)) => Self::Name(name),
            Step::Element(Node::Unsigned(index)) => Self::Index(index),
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
        let mut text = String::new();
        self.write_unknown(&mut text).then_some(text)
    }

    /// The tree of unknown parts as JSON, also if there is none.
    pub(super) fn unknown_tree(self) -> String {
        let mut text = String::new();
        self.write_unknown(&mut text);
        text
    }

    /// Writes the tree of unknown parts. Whether there is one.
    fn write_unknown(self, out: &mut String) -> bool {
        match self {
            Self::Unknown(_) => write_mark(true, out),
            Self::List(items) | Self::Set(items) => write_items(items, out, Self::write_unknown),
            Self::Members(members) => write_members(members, out, |_, member, out| member.write_unknown(out)),
            Self::Null
            | Self::Bool(_)
            | Self::Signed(_)
            | Self::Unsigned(_)
            | Self::Float(_)
            | Self::Number(_)
            | Self::String(_) => write_mark(false, out),
        }
    }

    /// The tree of sensitive parts as JSON: those at `paths`, and those that the schema declares.
    pub(super) fn sensitive(self, position: Position<'a>, paths: &[Vec<Step<'a>>], sets: SetMarks) -> String {
        let mut text = String::new();
        let marks = paths.iter().map(Vec::as_slice).collect();
        self.write_sensitive(position, &marks, sets, &mut text);
        text
    }

    /// Writes the tree of sensitive parts. Whether there is one.
    fn write_sensitive(
        self,
        position: Position<'a>,
        marks: &Marks<'_, 'a>,
        sets: SetMarks,
        out: &mut String,
    ) -> bool {
        if position.is_sensitive() || marks.iter().any(|path| path.is_empty()) {
            return write_mark(true, out);
        }
        match self {
            Self::Unknown(UnknownShape::Elements) => write_items(&[], out, |_, _| false),
            Self::Unknown(UnknownShape::Members) => write_members(&[], out, |_, _, _| false),
            Self::List(items) => {
                let (below, mut at) = (Below::new(marks), 0);
                write_items(items, out, |item, out| {
                    let marks = below.at(&StepKey::Index(at));
                    let place = position.element(usize::try_from(at).unwrap_or(usize::MAX));
                    at += 1;
                    item.write_sensitive(place, marks, sets, out)
                })
            }
            Self::Set(items) => {
                let (start, below) = (out.len(), Below::new(marks));
                let is_marked = write_items(items, out, |item, out| {
                    item.write_sensitive(position.element(0), below.at_element(item), sets, out)
                });
                if is_marked && sets == SetMarks::Whole {
                    out.truncate(start);
                    write_mark(true, out);
                }
                is_marked
            }
            Self::Members(members) => {
                let below = Below::new(marks);
                write_members(members, out, |key, member, out| {
                    let place = position.member(key);
                    // What the schema at hand does not have may be sensitive in the schema of the plan.
                    if (place.is_missing() || place == Position::Inferred) && member.holds_anything() {
                        write_string(NO_SCHEMA, out);
                        return true;
                    }
                    member.write_sensitive(place, below.at(&StepKey::Name(key)), sets, out)
                })
            }
            Self::Null
            | Self::Bool(_)
            | Self::Signed(_)
            | Self::Unsigned(_)
            | Self::Float(_)
            | Self::Number(_)
            | Self::String(_)
            | Self::Unknown(UnknownShape::Other) => write_mark(false, out),
        }
    }

    /// Whether there is a value that could be shown.
    fn holds_anything(self) -> bool {
        !matches!(self, Self::Null | Self::Unknown(_))
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

/// Writes a list. Whether an item has a mark.
fn write_items<'a>(
    items: &[Node<'a>],
    out: &mut String,
    mut write: impl FnMut(Node<'a>, &mut String) -> bool,
) -> bool {
    let mut is_marked = false;
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        is_marked |= write(*item, out);
    }
    out.push(']');
    is_marked
}

/// Writes an object with the members that are not `false`. Whether one has a mark.
fn write_members<'a>(
    members: &[(&'a str, Node<'a>)],
    out: &mut String,
    mut write: impl FnMut(&'a str, Node<'a>, &mut String) -> bool,
) -> bool {
    let (mut is_marked, mut comma) = (false, "");
    out.push('{');
    for (key, member) in members {
        let start = out.len();
        out.push_str(comma);
        write_string(key, out);
        out.push(':');
        let value = out.len();
        is_marked |= write(key, *member, out);
        if out.get(value..) == Some("false") {
            out.truncate(start);
        } else {
            comma = ",";
        }
    }
    out.push('}');
    is_marked
}

fn write_mark(mark: bool, out: &mut String) -> bool {
    out.push_str(if mark { "true" } else { "false" });
    mark
}

fn write_string(text: &str, out: &mut String) {
    // Strings cannot fail. If one did, the document would not be JSON, and be refused.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}
