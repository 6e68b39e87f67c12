//! Paths to parts of a value, on one side of a change.
//!
//! ```text
//! [Name("ingress"), Element { index: 2, len: 4, name: Some("ssh") }, Name("cidr")]    ingress["ssh"].cidr
//! ```

use crate::access::member;
use crate::diff::edits::{Element, Format, Path, Step};
use crate::diff::value::{Content, MarkedValue, Redactor};

/// A step from a value to one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PathStep<'w> {
    /// The member of an object with this name.
    Name(&'w str),
    /// An element of a list.
    Element(ElementStep<'w>),
    /// The document that a string encodes in this format.
    Document(Format),
    /// A line of a text, named by the key before its `=`.
    Line(ElementStep<'w>),
    /// The `value` of an object whose `name` is this path, such as `{name = "a.b", value = 1}`.
    Value(&'w str),
}

/// A step to an element of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ElementStep<'w> {
    /// The index of the element.
    pub index: usize,
    /// The number of elements in the list.
    pub len: usize,
    /// The name of the element in texts, if it has one.
    pub name: Option<&'w str>,
}

/// A side of a change: the value before or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// Returns a path as text. An element is written by its name or else its index. The only element of a list, such as a
/// block that may occur once, is not written.
pub(super) fn path_text(path: &[PathStep<'_>]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Name(name) => text.extend([if text.is_empty() { "" } else { "." }, name]),
            PathStep::Document(_) | PathStep::Element(ElementStep { len: 0 | 1, .. }) => {}
            PathStep::Element(ElementStep {
                name: Some(name), ..
            }) => text.push_str(&format!("[{name:?}]")),
            PathStep::Element(ElementStep { index, .. }) => text.push_str(&format!("[{index}]")),
            PathStep::Line(ElementStep { name, .. }) => {
                text.extend([" ", name.unwrap_or_default()]);
            }
            PathStep::Value(name) => {
                // The element that holds it has no other name.
                text.truncate(text.rfind('[').unwrap_or(text.len()));
                text.extend([" ", name]);
            }
        }
    }
    text
}

/// Converts a path on one side to the path of an edit, in which elements have an index on that side only.
pub(super) fn path_of_edit<'a>(
    path: &[PathStep<'_>],
    side: Side,
    redactor: Redactor<'a>,
) -> Path<'a> {
    let element = |ElementStep { index, len, .. }| {
        Step::Element(match side {
            Side::Before => Element::new([Some(index), None], [len, 0]),
            Side::After => Element::new([None, Some(index)], [0, len]),
        })
    };
    path.iter().fold(Path::ROOT, |path, step| {
        let (document, step) = match *step {
            PathStep::Name(name) => (None, Step::Name(redactor.text(name))),
            PathStep::Value(_) => (None, Step::Name("value")),
            PathStep::Document(format) => (None, Step::Document(format)),
            PathStep::Element(step) => (None, element(step)),
            PathStep::Line(step) => (Some(Step::Document(Format::Lines)), element(step)),
        };
        let path = document.map_or(path, |document| path.child(document, redactor.arena));
        path.child(step, redactor.arena)
    })
}

/// Returns the string in a member of an object; `None` if there is none.
pub(super) fn member_text<'w>(value: MarkedValue<'w>, name: &str) -> Option<&'w str> {
    if let Some(Content::String(text)) = member(value, name) {
        Some(text)
    } else {
        None
    }
}
