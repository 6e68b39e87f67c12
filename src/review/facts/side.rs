//! Patterns of rules, and the places that they match in one side of a change.

use std::collections::HashSet;

use crate::access::{known, member};
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

/// The string of a member, if it is known and not sensitive.
pub(super) fn member_text<'w>(value: MarkedValue<'w>, name: &str) -> Option<&'w str> {
    if let Some(Content::String(text)) = member(value, name) { Some(text) } else { None }
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
pub(super) struct Place<'p, 'w> {
    /// The path of the place.
    pub path: &'p [PathStep<'w>],
    /// The path with the names of elements instead of their indices where possible. It identifies the same
    /// place on the other side.
    pub identity: &'p str,
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
        let mut found = HashSet::new();
        let mut visit = |place: &Place<'_, '_>| {
            found.insert(place.identity.to_owned());
        };
        Walk::new(&mut visit).step(steps, root, root);
        found
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

    /// Visits the matching places in `root`, except for null values and those in values that are sensitive as
    /// a whole. Places are not collected, because a list may have very many elements.
    pub(super) fn visit<'w>(&self, root: MarkedValue<'w>, visit: &mut dyn FnMut(&Place<'_, 'w>)) {
        Walk::new(visit).step(&self.0, root, root);
    }
}

/// A walk over the places of a pattern.
struct Walk<'v, 'w> {
    path: Vec<PathStep<'w>>,
    identity: String,
    visit: &'v mut dyn FnMut(&Place<'_, 'w>),
}

impl<'v, 'w> Walk<'v, 'w> {
    fn new(visit: &'v mut dyn FnMut(&Place<'_, 'w>)) -> Self {
        Self { path: Vec::new(), identity: String::new(), visit }
    }

    fn found(&mut self, holder: MarkedValue<'w>, value: MarkedValue<'w>) {
        (self.visit)(&Place { path: &self.path, identity: &self.identity, holder, value });
    }

    /// Visits the places of the remaining steps in `value`.
    fn step(&mut self, steps: &[PatternStep], holder: MarkedValue<'w>, value: MarkedValue<'w>) {
        let Some((step, rest)) = steps.split_first() else {
            if !value.is_null() {
                self.found(holder, value);
            }
            return;
        };
        if value.is_unknown() {
            // All values below are unknown too.
            return self.found(holder, value);
        }
        let Some(content) = known(Some(value)) else { return };
        match (step, content) {
            (PatternStep::Name(name), Content::Object(members)) => {
                let Ok(at) = members.binary_search_by(|(key, _)| (*key).cmp(name)) else { return };
                if let Some((name, member)) = members.get(at) {
                    self.named(name, |walk| walk.step(rest, value, *member));
                }
            }
            // A block that may occur only once is a list with one element.
            (PatternStep::Name(_), Content::Array([only])) => {
                self.element((0, 1), *only, |walk| walk.step(steps, holder, *only));
            }
            (PatternStep::Each, Content::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.element((index, items.len()), *item, |walk| walk.step(rest, holder, *item));
                }
            }
            (PatternStep::Each, Content::Object(members)) => match rest.first() {
                // Some provider versions have a nested attribute with single nesting instead of a block.
                Some(PatternStep::Name(name)) if value.get(name).is_some() => self.step(rest, holder, value),
                Some(_) | None => {
                    for (name, member) in members {
                        self.named(name, |walk| walk.step(rest, holder, *member));
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

    fn named(&mut self, name: &'w str, below: impl FnOnce(&mut Self)) {
        self.below(PathStep::Name(name), |identity| identity.extend([".", name]), below);
    }

    fn element(
        &mut self,
        (index, len): (usize, usize),
        value: MarkedValue<'w>,
        below: impl FnOnce(&mut Self),
    ) {
        let name = |identity: &mut String| match name_of(value) {
            Some(name) => identity.push_str(&format!("[{name:?}]")),
            None => identity.push_str(&format!("[{index}]")),
        };
        self.below(PathStep::Index(index, len), name, below);
    }

    fn below(&mut self, step: PathStep<'w>, name: impl FnOnce(&mut String), below: impl FnOnce(&mut Self)) {
        let length = self.identity.len();
        self.path.push(step);
        name(&mut self.identity);
        below(self);
        self.identity.truncate(length);
        self.path.pop();
    }
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
