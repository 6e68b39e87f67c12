//! Serializes edits, paths and values in the JSON of a review.
//!
//! ```json
//! {"path": [{"name": "size"}], "before": {"value": 1}, "after": {"value": 2},
//!  "replaces": false, "labels": [], "notes": []}
//! ```

use serde::{Serialize, Serializer};

use crate::diff::edits::{Edit, ElementKey, Label, Note, Path, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::direction::{Direction, Meaning, When};
use crate::json::Raw;

/// A change of one place: true, complete with all others, minimal.
#[derive(Serialize)]
pub(crate) struct EditJson<'r> {
    /// Where the value is, from the root of the object.
    path: Path<'r>,
    /// The value before the change.
    before: SideJson<'r>,
    /// The value after the change.
    after: SideJson<'r>,
    /// Both values are sensitive and left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    /// A path that forces the replacement is at, above or below it.
    replaces: bool,
    /// What the edit means.
    #[serde(flatten)]
    meaning: MeaningJson,
    /// What kind of difference it is, if it is more than another value.
    labels: Vec<&'static str>,
    /// What limits the edit, such as a value that is too large to compare.
    notes: Vec<&'static str>,
    /// The edits of the document in a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<InsideJson<'r>>,
}

/// Converts an edit. Sides that differ never look equal, and equal sides never look different.
pub(crate) fn edit<'r>(edit: &'r Edit<'_>) -> EditJson<'r> {
    // A part that only a schema or a malformed mark hides must not make equal sides look different, or
    // different sides look equal.
    let marks = match (edit.before, edit.after) {
        (Some(before), Some(after)) if (before == after) != before.same_listed(after) => {
            Marks::PlanOnly
        }
        _ => Marks::All,
    };
    let is_redacted = |side: Option<MarkedValue<'_>>| side.is_some_and(MarkedValue::is_redacted);
    EditJson {
        path: edit.path,
        before: side(edit.before, marks),
        after: side(edit.after, marks),
        hidden: is_redacted(edit.before) && is_redacted(edit.after),
        replaces: edit.replaces,
        meaning: meaning(edit.meaning),
        labels: edit.labels.iter().map(Label::name).collect(),
        notes: edit.notes.iter().map(|note| Note::text(*note)).collect(),
        inside: edit.inside.map(|inside| InsideJson {
            format: inside.format.name(),
            edits: inside.edits,
        }),
    }
}

/// What an edit, an object, an output or an action means.
#[derive(Serialize)]
pub(crate) struct MeaningJson {
    /// The gravest direction, a word of docs/meaning.md. Not there where nothing is judged: in a comparison of plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<&'static str>,
    /// The other directions that it has at once, the gravest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    both: Vec<&'static str>,
    /// The step of a version: major, minor, patch, build or unordered.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<&'static str>,
    /// When what stops does so, if the plan proves it: now or window.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<&'static str>,
}

/// Converts a meaning.
pub(crate) fn meaning(meaning: Meaning) -> MeaningJson {
    MeaningJson {
        direction: meaning.directions.gravest().map(Direction::word),
        both: meaning.both().map(Direction::word).collect(),
        step: meaning.step.map(crate::direction::Step::word),
        when: meaning.when.map(When::word),
    }
}

impl Serialize for Edit<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        edit(self).serialize(serializer)
    }
}

/// What changed in the documents that both strings hold. base64, gzip: one edit of the decoded text. lines: a list of
/// lines. yaml: scalars that YAML 1.1 and 1.2 read differently are strings with the text as written.
#[derive(Serialize)]
struct InsideJson<'r> {
    format: &'static str,
    edits: &'r [Edit<'r>],
}

/// Serializes a path as the list of its steps.
impl Serialize for Path<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.steps().into_iter().map(|step| match step {
            Step::Name(name) => StepJson::Name { name },
            Step::Element(element) => StepJson::Element {
                before: element.before,
                after: element.after,
                set: element.is_set,
                key: element.key,
            },
            Step::Document(format) => StepJson::Document {
                document: format.name(),
            },
        }))
    }
}

/// A step into a member (name), into an element of a list or set, or into the document in a string.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum StepJson<'r> {
    /// A member of an object or map.
    Name { name: &'r str },
    /// An element, by its places in the plan's arrays; null on the side where it is not.
    Element {
        before: Option<u32>,
        after: Option<u32>,
        /// A schema says that this is a set.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        set: bool,
        /// An attribute that names the element, unique on both sides.
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<&'r ElementKey<'r>>,
    },
    /// The document in a string. Only in paths of findings.
    Document { document: &'static str },
}

/// Serializes a key as an object with one member: `{attribute: value}`.
impl Serialize for ElementKey<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.name, self.value)])
    }
}

/// The marks that make a value count as sensitive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marks {
    /// The marks of the plan and those of a schema or of malformed marks.
    All,
    /// The marks of the plan only.
    PlanOnly,
}

/// One side of an edit.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum SideJson<'r> {
    /// Nothing is there.
    Absent { absent: bool },
    /// A value, with null where it is unknown or sensitive.
    Value {
        value: MarkedValue<'r>,
        /// The parts that are known only after apply, each a path of names and indices inside the value; [] is all of it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        unknown: Vec<Vec<IndexJson<'r>>>,
        /// The parts that are sensitive; what is inside comes first.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        sensitive: Vec<Vec<IndexJson<'r>>>,
    },
}

/// Converts one side of an edit to its value, with the paths of unknown and sensitive parts in it.
pub(crate) fn side(side: Option<MarkedValue<'_>>, marks: Marks) -> SideJson<'_> {
    let Some(value) = side else {
        return SideJson::Absent { absent: true };
    };
    let mut parts = Parts {
        marks,
        here: Vec::new(),
        unknown: Vec::new(),
        sensitive: Vec::new(),
    };
    parts.gather(value);
    SideJson::Value {
        value,
        unknown: parts.unknown,
        sensitive: parts.sensitive,
    }
}

/// The paths of unknown and sensitive parts of a value. Inner parts come first.
struct Parts<'a> {
    /// The marks that count as sensitive.
    marks: Marks,
    /// The path to the current value.
    here: Vec<IndexJson<'a>>,
    /// The paths of values that are known only after apply.
    unknown: Vec<Vec<IndexJson<'a>>>,
    /// The paths of sensitive values.
    sensitive: Vec<Vec<IndexJson<'a>>>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(crate) enum IndexJson<'a> {
    Name(&'a str),
    Place(usize),
}

impl<'a> Parts<'a> {
    /// Collects the paths of a value and of everything in it.
    fn gather(&mut self, value: MarkedValue<'a>) {
        for (index, item) in value.as_array().unwrap_or_default().iter().enumerate() {
            self.below(IndexJson::Place(index), *item);
        }
        for (name, member) in value.as_object().unwrap_or_default() {
            self.below(IndexJson::Name(name), *member);
        }
        if value.is_unknown() {
            self.unknown.push(self.here.clone());
        }
        if value.is_sensitive || (value.is_hidden && self.marks == Marks::All) {
            self.sensitive.push(self.here.clone());
        }
    }

    /// Collects the paths below one step.
    fn below(&mut self, step: IndexJson<'a>, value: MarkedValue<'a>) {
        self.here.push(step);
        self.gather(value);
        self.here.pop();
    }
}

impl Serialize for MarkedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.content {
            Content::Null | Content::Unknown | Content::Redacted => serializer.serialize_unit(),
            Content::Bool(value) => serializer.serialize_bool(value),
            Content::Number(text) => Raw::new(text).serialize(serializer),
            Content::String(text) => serializer.serialize_str(text),
            Content::Array(items) => serializer.collect_seq(items),
            Content::Object(members) => serializer.collect_map(members.iter().copied()),
        }
    }
}
