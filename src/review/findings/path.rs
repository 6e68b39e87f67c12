//! The paths of the places that rules find.

use crate::diff::edits::{Element, Format, Path, Step};
use crate::diff::value::Redactor;

/// A step from the root of an object to one of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathStep<'w> {
    /// A member of an object or map.
    Name(&'w str),
    /// An element of a list or set: its index, and the number of elements.
    Index(usize, usize),
    /// The document in a string.
    Document(Format),
}

/// The side of a change that a path refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
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
            PathStep::Document(_) => {}
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
            PathStep::Document(format) => Step::Document(format),
            PathStep::Index(index, len) => {
                let (before, after, lengths) = match side {
                    Side::Before => (Some(number(index)), None, (number(len), 0)),
                    Side::After => (None, Some(number(index)), (0, number(len))),
                };
                Step::Element(Element { before, after, lengths, is_set: false, key: None })
            }
        };
        path.child(step, redactor.arena)
    })
}
