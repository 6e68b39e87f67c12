//! Patterns of rules, and the places that they match in one side of a change.

use std::collections::HashSet;

use crate::diff::edits::{Element, Path, Step};
use crate::diff::value::{Content, MarkedValue, Redactor};

/// A step from the root of an object to one of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathStep<'w> {
    /// A member of an object or map.
    Name(&'w str),
    /// An element of a list or set: its index, and the number of elements.
    Index(usize, usize),
}

/// The side of a change that a path refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// The content of a value, if it is known and not sensitive. A missing value is `Null`.
pub(super) fn known(value: Option<MarkedValue<'_>>) -> Option<Content<'_>> {
    let Some(value) = value else { return Some(Content::Null) };
    match value.content {
        Content::Unknown | Content::Redacted => None,
        _ if value.is_hidden => None,
        content @ (Content::Null
        | Content::Bool(_)
        | Content::Number(_)
        | Content::String(_)
        | Content::Array(_)
        | Content::Object(_)) => Some(content),
    }
}

/// The content of a member, if it is known and not sensitive.
pub(super) fn member<'w>(value: MarkedValue<'w>, name: &str) -> Option<Content<'w>> {
    if value.is_hidden || value.is_unknown() { None } else { known(value.get(name)) }
}

/// The string of a member, if it is known and not sensitive.
pub(super) fn member_text<'w>(value: MarkedValue<'w>, name: &str) -> Option<&'w str> {
    if let Some(Content::String(text)) = member(value, name) { Some(text) } else { None }
}

/// The text of a string, number or bool.
pub(super) fn scalar(content: Content<'_>) -> Option<String> {
    match content {
        Content::String(text) | Content::Number(text) => Some(text.to_owned()),
        Content::Bool(flag) => Some(flag.to_string()),
        Content::Null | Content::Unknown | Content::Redacted | Content::Array(_) | Content::Object(_) => None,
    }
}

/// The path of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(Vec<PatternStep>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternStep {
    Name(String),
    Each,
}

/// A place that matches a pattern.
#[derive(Clone, Debug)]
pub(super) struct Place<'w> {
    /// The path of the place.
    pub path: Vec<PathStep<'w>>,
    /// The path with the names of elements instead of their indices where possible. It identifies the same
    /// place on the other side.
    pub identity: String,
    /// The object that contains the last name of the pattern.
    pub holder: MarkedValue<'w>,
    /// The value at the place.
    pub value: MarkedValue<'w>,
}

impl Pattern {
    /// Parses a pattern: names joined by dots, `[*]` for each element.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let mut name = part;
            let mut each = 0;
            while let Some(rest) = name.strip_suffix("[*]") {
                name = rest;
                each += 1;
            }
            if name.is_empty() || name.contains(['[', ']']) {
                return Err(format!(
                    "'{text}' is not a path: expected names joined by dots, with [*] for each element"
                ));
            }
            steps.push(PatternStep::Name(name.to_owned()));
            steps.extend((0..each).map(|_| PatternStep::Each));
        }
        Ok(Self(steps))
    }

    /// The names of the pattern, joined by dots.
    pub(super) fn label(&self) -> String {
        self.names().collect::<Vec<_>>().join(".")
    }

    /// The first name.
    pub(super) fn first_name(&self) -> &str {
        self.names().next().unwrap_or_default()
    }

    /// The identities of the objects that contain the last name of the pattern.
    pub(super) fn holders(&self, root: MarkedValue<'_>) -> HashSet<String> {
        let steps = self.0.split_last().map_or(&[][..], |(_, steps)| steps);
        let mut found = Vec::new();
        let start = Place { path: Vec::new(), identity: String::new(), holder: root, value: root };
        walk(steps, start, &mut found);
        found.into_iter().map(|place| place.identity).collect()
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|step| match step {
            PatternStep::Name(name) => Some(name.as_str()),
            PatternStep::Each => None,
        })
    }

    /// Whether the pattern ends with an element.
    pub(super) fn names_elements(&self) -> bool {
        self.0.last() == Some(&PatternStep::Each)
    }

    /// The matching places in `root`, except for null values and those in values that are sensitive as a
    /// whole.
    pub(super) fn places<'w>(&self, root: MarkedValue<'w>) -> Vec<Place<'w>> {
        let mut found = Vec::new();
        let start = Place { path: Vec::new(), identity: String::new(), holder: root, value: root };
        walk(&self.0, start, &mut found);
        found
    }
}

fn walk<'w>(steps: &[PatternStep], place: Place<'w>, found: &mut Vec<Place<'w>>) {
    let Some((step, rest)) = steps.split_first() else {
        if !place.value.is_null() {
            found.push(place);
        }
        return;
    };
    if place.value.is_unknown() {
        // All values below are unknown too.
        found.push(place);
        return;
    }
    let Some(content) = known(Some(place.value)) else { return };
    match (step, content) {
        (PatternStep::Name(name), Content::Object(members)) => {
            let Ok(at) = members.binary_search_by(|(key, _)| (*key).cmp(name)) else { return };
            if let Some((name, value)) = members.get(at) {
                walk(rest, Place { holder: place.value, ..named(&place, name, *value) }, found);
            }
        }
        // A block that may occur only once is a list with one element.
        (PatternStep::Name(_), Content::Array([only])) => walk(steps, element(&place, (0, 1), *only), found),
        (PatternStep::Each, Content::Array(items)) => {
            for (index, item) in items.iter().enumerate() {
                walk(rest, element(&place, (index, items.len()), *item), found);
            }
        }
        (PatternStep::Each, Content::Object(members)) => match rest.first() {
            // Some provider versions have a nested attribute with single nesting instead of a block.
            Some(PatternStep::Name(name)) if place.value.get(name).is_some() => walk(rest, place, found),
            Some(_) | None => {
                for (name, value) in members {
                    walk(rest, named(&place, name, *value), found);
                }
            }
        },
        (
            PatternStep::Name(_) | PatternStep::Each,
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)
            | Content::Array(_),
        ) => {}
    }
}

fn named<'w>(place: &Place<'w>, name: &'w str, value: MarkedValue<'w>) -> Place<'w> {
    let mut path = place.path.clone();
    path.push(PathStep::Name(name));
    Place { path, identity: format!("{}.{name}", place.identity), holder: place.holder, value }
}

fn element<'w>(place: &Place<'w>, (index, len): (usize, usize), value: MarkedValue<'w>) -> Place<'w> {
    let mut path = place.path.clone();
    path.push(PathStep::Index(index, len));
    let identity = match name_of(value) {
        Some(name) => format!("{}[{name:?}]", place.identity),
        None => format!("{}[{index}]", place.identity),
    };
    Place { path, identity, holder: place.holder, value }
}

/// The name of an element: the element itself if it is a string, or the member that usually names it.
fn name_of(element: MarkedValue<'_>) -> Option<&str> {
    match known(Some(element))? {
        Content::String(text) => Some(text),
        Content::Object(_) => {
            ["name", "device_name", "key", "id"].iter().find_map(|name| member_text(element, name))
        }
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Bool(_)
        | Content::Number(_)
        | Content::Array(_) => None,
    }
}

/// The text of a path: names joined by dots, with indices other than 0.
pub(super) fn path_text(path: &[PathStep<'_>]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Name(name) if text.is_empty() => text.push_str(name),
            PathStep::Name(name) => {
                text.push('.');
                text.push_str(name);
            }
            PathStep::Index(0, _) => {}
            PathStep::Index(index, _) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

/// The path as edits have it, on one side of the change.
pub(super) fn path_of_edit<'a>(path: &[PathStep<'_>], side: Side, redactor: Redactor<'a>) -> Path<'a> {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    path.iter().fold(Path::ROOT, |path, step| {
        let step = match *step {
            PathStep::Name(name) => Step::Name(redactor.text(name)),
            PathStep::Index(index, len) => {
                let (before, after) = match side {
                    Side::Before => (Some(number(index)), None),
                    Side::After => (None, Some(number(index))),
                };
                let lengths = match side {
                    Side::Before => (number(len), 0),
                    Side::After => (0, number(len)),
                };
                Step::Element(Element { before, after, lengths, is_set: false, key: None })
            }
        };
        path.child(step, redactor.arena)
    })
}
