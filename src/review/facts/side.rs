//! One side of a change, and the places in it that a path of a rule names.

use crate::change::Mark;
use crate::json::Value;

/// A value of one side of a change, with what is unknown and sensitive in it.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The value; null where there is none.
    pub value: Value<'a>,
    /// `true` wherever the value is known only after apply, as the plan writes it.
    pub unknown: Value<'a>,
    /// Where the value is sensitive.
    pub mark: Mark<'a>,
}

/// A step from the root of an object to one of its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// Into a member of an object or map.
    Name(String),
    /// Into an element of a list or set.
    Index(usize),
}

impl<'a> Side<'a> {
    /// A side without any value.
    pub const ABSENT: Self = Self { value: Value::Null, unknown: Value::Null, mark: Mark::NONE };

    /// Whether the whole value is sensitive.
    pub fn is_hidden(self) -> bool {
        self.mark.covers(self.value)
    }

    /// Whether the whole value is known only after apply.
    pub fn is_unknown(self) -> bool {
        self.unknown == Value::Bool(true)
    }

    /// Whether any part of the value is known only after apply.
    pub fn has_unknown(self) -> bool {
        fn any(value: Value<'_>) -> bool {
            match value {
                Value::Bool(unknown) => unknown,
                Value::Array(items) => items.iter().any(|item| any(*item)),
                Value::Object(object) => object.members().iter().any(|(_, member)| any(*member)),
                Value::Null | Value::Number(_) | Value::String(_) => false,
            }
        }
        any(self.unknown)
    }

    /// The value where it may be read: known, not sensitive. Null where there is none.
    pub fn known(self) -> Option<Value<'a>> {
        (!self.is_hidden() && !self.is_unknown()).then_some(self.value)
    }

    /// The member `name`; hidden and unknown with its object.
    pub fn key(self, name: &str) -> Self {
        let unknown =
            if self.is_unknown() { self.unknown } else { self.unknown.get(name).unwrap_or_default() };
        let mark = if self.is_hidden() { Mark::ALL } else { self.mark.key(name) };
        Self { value: self.value.get(name).unwrap_or_default(), unknown, mark }
    }

    /// The element at `index`; hidden and unknown with its list.
    pub fn index(self, index: usize) -> Self {
        let at = |value: Value<'a>| value.as_array().and_then(|items| items.get(index)).copied();
        let unknown = if self.is_unknown() { self.unknown } else { at(self.unknown).unwrap_or_default() };
        let mark = if self.is_hidden() { Mark::ALL } else { self.mark.index(index) };
        Self { value: at(self.value).unwrap_or_default(), unknown, mark }
    }
}

/// A path of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(Vec<PatternStep>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternStep {
    Name(String),
    Each,
}

/// A place that a pattern names.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    /// The path to it.
    pub path: Vec<PathStep>,
    /// The path with names of elements instead of indices where they have one, to find the same place on
    /// the other side.
    pub identity: String,
    /// The object that holds the last name of the pattern.
    pub holder: Side<'a>,
    /// The value there.
    pub side: Side<'a>,
}

impl Pattern {
    /// The pattern that `text` writes: names joined by dots, `[*]` for each element.
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
        let names = self.0.iter().filter_map(|step| match step {
            PatternStep::Name(name) => Some(name.as_str()),
            PatternStep::Each => None,
        });
        names.collect::<Vec<_>>().join(".")
    }

    /// The first name.
    pub(super) fn first_name(&self) -> &str {
        self.0
            .iter()
            .find_map(|step| if let PatternStep::Name(name) = step { Some(name.as_str()) } else { None })
            .unwrap_or_default()
    }

    /// Whether the pattern ends with an element.
    pub(super) fn names_elements(&self) -> bool {
        self.0.last() == Some(&PatternStep::Each)
    }

    /// The places of `root` that the pattern names and that are there: no null, nothing below a value that
    /// is sensitive as a whole.
    pub(super) fn places<'a>(&self, root: Side<'a>) -> Vec<Place<'a>> {
        let mut found = Vec::new();
        let start = Place { path: Vec::new(), identity: String::new(), holder: root, side: root };
        walk(&self.0, start, &mut found);
        found
    }
}

fn walk<'a>(steps: &[PatternStep], place: Place<'a>, found: &mut Vec<Place<'a>>) {
    let Some((step, rest)) = steps.split_first() else {
        if !place.side.value.is_null() || place.side.is_unknown() {
            found.push(place);
        }
        return;
    };
    if place.side.is_hidden() {
        return;
    }
    match (step, place.side.value) {
        (PatternStep::Name(name), Value::Object(_)) => {
            let mut path = place.path;
            path.push(PathStep::Name(name.clone()));
            let identity = format!("{}.{name}", place.identity);
            walk(rest, Place { path, identity, holder: place.side, side: place.side.key(name) }, found);
        }
        // Blocks that are there at most once are lists of one element.
        (PatternStep::Name(_), Value::Array([_])) => walk(steps, element(&place, 0), found),
        (PatternStep::Each, Value::Array(items)) => {
            (0..items.len()).for_each(|index| walk(rest, element(&place, index), found));
        }
        (PatternStep::Each, Value::Object(object)) => match rest.first() {
            // A nested attribute with single nesting instead of a block.
            Some(PatternStep::Name(name)) if object.get(name).is_some() => walk(rest, place, found),
            Some(_) | None => {
                for (name, _) in object.members() {
                    let mut path = place.path.clone();
                    path.push(PathStep::Name((*name).to_owned()));
                    let identity = format!("{}.{name}", place.identity);
                    let side = place.side.key(name);
                    walk(rest, Place { path, identity, holder: place.holder, side }, found);
                }
            }
        },
        (
            PatternStep::Name(_) | PatternStep::Each,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_),
        ) => {}
    }
}

fn element<'a>(place: &Place<'a>, index: usize) -> Place<'a> {
    let mut path = place.path.clone();
    path.push(PathStep::Index(index));
    let side = place.side.index(index);
    let identity = match name_of(side) {
        Some(name) => format!("{}[{name:?}]", place.identity),
        None => format!("{}[{index}]", place.identity),
    };
    Place { path, identity, holder: place.holder, side }
}

/// What names an element of a list: itself, if it is a string, or the member that providers name blocks by.
fn name_of(element: Side<'_>) -> Option<&str> {
    if let Some(text) = element.known()?.as_str() {
        return Some(text);
    }
    ["name", "device_name", "key", "id"].iter().find_map(|name| element.key(name).known()?.as_str())
}

/// A path in words: names joined by dots; places are written where they are not the first.
pub(super) fn path_text(path: &[PathStep]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Name(name) if text.is_empty() => text.push_str(name),
            PathStep::Name(name) => {
                text.push('.');
                text.push_str(name);
            }
            PathStep::Index(0) => {}
            PathStep::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}
