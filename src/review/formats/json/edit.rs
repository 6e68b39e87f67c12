//! Edits, paths and values in the JSON of a review.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{Each, object};
use crate::diff::edits::{Edit, Label, Note, Path, Slot, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::json::serialize_number;

pub(crate) struct JsonEdit<'r, 'a>(pub(crate) &'r Edit<'a>);

object!(JsonEdit<'_, '_>, |edit, map| {
    let edit = edit.0;
    // A part that only a schema or a malformed mark hides must not make equal sides look different, or
    // different sides look equal.
    let marks = match (edit.before, edit.after) {
        (Slot::Value(before), Slot::Value(after)) if (before == after) != before.same_listed(after) => {
            Marks::PlanOnly
        }
        _ => Marks::All,
    };
    map.serialize_entry("path", &JsonPath(edit.path))?;
    map.serialize_entry("before", &JsonSlot(edit.before, marks))?;
    map.serialize_entry("after", &JsonSlot(edit.after, marks))?;
    let is_redacted = |slot: Slot<'_>| matches!(slot, Slot::Value(value) if value.is_redacted());
    if is_redacted(edit.before) && is_redacted(edit.after) {
        map.serialize_entry("hidden", &true)?;
    }
    map.serialize_entry("replaces", &edit.replaces)?;
    map.serialize_entry("labels", &edit.labels.iter().map(Label::name).collect::<Vec<_>>())?;
    map.serialize_entry("notes", &edit.notes.iter().map(|note| Note::text(*note)).collect::<Vec<_>>())?;
    if let Some(inside) = edit.inside {
        map.serialize_entry("inside", &JsonInside(inside))?;
    }
});

struct JsonInside<'r, 'a>(&'r crate::diff::edits::Inside<'a>);

object!(JsonInside<'_, '_>, |inside, map| {
    map.serialize_entry("format", inside.0.format.name())?;
    map.serialize_entry("edits", &Each(inside.0.edits, JsonEdit))?;
});

pub(super) struct JsonPath<'a>(pub(super) Path<'a>);

impl Serialize for JsonPath<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.steps().into_iter().map(JsonStep))
    }
}

struct JsonStep<'a>(Step<'a>);

object!(JsonStep<'_>, |step, map| {
    match step.0 {
        Step::Name(name) => map.serialize_entry("name", name)?,
        Step::Element(element) => {
            map.serialize_entry("before", &element.before)?;
            map.serialize_entry("after", &element.after)?;
            if element.is_set {
                map.serialize_entry("set", &true)?;
            }
            if let Some(key) = element.key {
                map.serialize_entry("key", &JsonKey(key))?;
            }
        }
    }
});

struct JsonKey<'a>(&'a crate::diff::edits::ElementKey<'a>);

object!(JsonKey<'_>, |key, map| {
    map.serialize_entry(key.0.name, &JsonMarked(key.0.value))?;
});

/// The marks to list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marks {
    /// Those of the plan and those of a schema.
    All,
    /// Only those of the plan.
    PlanOnly,
}

pub(crate) struct JsonSlot<'a>(pub(crate) Slot<'a>, pub(crate) Marks);

object!(JsonSlot<'_>, |slot, map| {
    match slot.0 {
        Slot::Absent => map.serialize_entry("absent", &true)?,
        Slot::Value(value) => {
            map.serialize_entry("value", &JsonMarked(value))?;
            let mut parts =
                Parts { marks: slot.1, here: Vec::new(), unknown: Vec::new(), sensitive: Vec::new() };
            parts.gather(value);
            if !parts.unknown.is_empty() {
                map.serialize_entry("unknown", &parts.unknown)?;
            }
            if !parts.sensitive.is_empty() {
                map.serialize_entry("sensitive", &parts.sensitive)?;
            }
        }
    }
});

/// The unknown parts and the sensitive parts of a value, inner parts first.
struct Parts<'a> {
    marks: Marks,
    here: Vec<JsonIndex<'a>>,
    unknown: Vec<Vec<JsonIndex<'a>>>,
    sensitive: Vec<Vec<JsonIndex<'a>>>,
}

#[derive(Clone, Copy, serde::Serialize)]
#[serde(untagged)]
enum JsonIndex<'a> {
    Name(&'a str),
    Place(usize),
}

impl<'a> Parts<'a> {
    fn gather(&mut self, value: MarkedValue<'a>) {
        for (at, item) in value.as_array().unwrap_or_default().iter().enumerate() {
            self.below(JsonIndex::Place(at), *item);
        }
        for (name, member) in value.as_object().unwrap_or_default() {
            self.below(JsonIndex::Name(name), *member);
        }
        if value.is_unknown() {
            self.unknown.push(self.here.clone());
        }
        if value.is_sensitive || (value.is_hidden && self.marks == Marks::All) {
            self.sensitive.push(self.here.clone());
        }
    }

    fn below(&mut self, step: JsonIndex<'a>, value: MarkedValue<'a>) {
        self.here.push(step);
        self.gather(value);
        self.here.pop();
    }
}

pub(super) struct JsonMarked<'a>(pub(super) MarkedValue<'a>);

impl Serialize for JsonMarked<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.content {
            Content::Null | Content::Unknown | Content::Redacted => serializer.serialize_unit(),
            Content::Bool(value) => serializer.serialize_bool(value),
            Content::Number(text) => serialize_number(text, serializer),
            Content::String(text) => serializer.serialize_str(text),
            Content::Array(items) => serializer.collect_seq(items.iter().map(|item| Self(*item))),
            Content::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, member)| (*name, Self(*member))))
            }
        }
    }
}
