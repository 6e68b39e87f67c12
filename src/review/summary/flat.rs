//! The attributes of an object and of its blocks, as one list.

use super::Rest;
use crate::diff::value::{Content, MarkedValue};
use crate::review::findings::has_secret;
use crate::review::text::name;

/// The maximum number of attributes that are considered; the others are counted.
const MAX_LEAVES: usize = 400;
/// The maximum number of names of a path.
const MAX_DEPTH: usize = 6;
/// The maximum length of a string that is part of a summary, in bytes.
const MAX_LEN: usize = 300;
/// The maximum number of elements of a list that is part of a summary.
const MAX_ELEMENTS: usize = 12;

/// An attribute with a known value.
#[derive(Clone, Debug)]
pub(super) struct Leaf<'v> {
    /// The names of the blocks that it is in, and its own.
    pub(super) path: Vec<&'v str>,
    pub(super) value: MarkedValue<'v>,
}

impl<'v> Leaf<'v> {
    /// The attribute or block of the object.
    pub(super) fn root(&self) -> &'v str {
        self.path.first().copied().unwrap_or_default()
    }

    pub(super) fn name(&self) -> &'v str {
        self.path.last().copied().unwrap_or_default()
    }

    pub(super) fn blocks(&self) -> &[&'v str] {
        self.path.split_last().map_or(&[], |(_, blocks)| blocks)
    }

    /// The name with that of its block, as it is written.
    pub(super) fn label(&self) -> String {
        let names: Vec<String> = self.path.iter().rev().take(2).rev().map(|part| name(part)).collect();
        names.join(".")
    }

    /// The number of scalars.
    pub(super) fn size(&self) -> usize {
        self.value.as_array().map_or(1, |items| items.len().max(1))
    }

    /// Whether the value fits into a summary: a scalar of one line, or a list of some.
    pub(super) fn is_short(&self) -> bool {
        let is_short = |value: MarkedValue<'_>| match value.as_str() {
            Some(text) => text.len() <= MAX_LEN && !text.contains('\n') && !text.starts_with('{'),
            None => is_scalar(value),
        };
        match self.value.as_array() {
            Some(items) => {
                (1..=MAX_ELEMENTS).contains(&items.len()) && items.iter().all(|item| is_short(*item))
            }
            None => is_short(self.value),
        }
    }

    /// The number of lines of a string that has several.
    pub(super) fn lines(&self) -> Option<usize> {
        let text = self.value.as_str().filter(|text| text.trim_end().contains('\n'))?;
        Some(text.lines().count())
    }

    /// Whether the value is one that attributes have by default.
    pub(super) fn is_like_a_default(&self) -> bool {
        match self.value.content {
            Content::Bool(value) => !value,
            Content::Number(text) => matches!(text, "0" | "-1" | "0.0"),
            Content::Null | Content::Unknown | Content::Redacted => true,
            Content::String(_) | Content::Array(_) | Content::Object(_) => self.value.is_empty(),
        }
    }

    /// Whether the value may hold a secret, whatever its name.
    pub(super) fn may_hold_secret(&self) -> bool {
        let is_secret = |value: MarkedValue<'_>| value.as_str().is_some_and(looks_like_a_credential);
        self.value.has_marks || is_secret(self.value) || self.value.children().any(is_secret)
    }
}

/// Whether a text looks like a credential, or has one in it.
fn looks_like_a_credential(text: &str) -> bool {
    has_secret(text)
        || text.contains("-----BEGIN")
        || text.split_once("://").is_some_and(|(_, rest)| rest.contains('@'))
        || text.to_ascii_lowercase().contains("password=")
}

/// Adds the attributes of a value that is a member of an object, and counts what is not known.
pub(super) fn leaves<'v>(root: &'v str, value: MarkedValue<'v>, found: &mut Vec<Leaf<'v>>, rest: &mut Rest) {
    walk(&mut vec![root], value, found, rest);
}

fn walk<'v>(path: &mut Vec<&'v str>, value: MarkedValue<'v>, found: &mut Vec<Leaf<'v>>, rest: &mut Rest) {
    match value.content {
        Content::Null => {}
        _ if found.len() >= MAX_LEAVES => rest.add(value),
        Content::Unknown | Content::Redacted => rest.add(value),
        // A block that occurs once.
        Content::Array([only]) if only.as_object().is_some() => walk(path, *only, found, rest),
        Content::Object(members) if path.len() < MAX_DEPTH => {
            for (name, member) in members {
                path.push(name);
                walk(path, *member, found, rest);
                path.pop();
            }
        }
        Content::Object(_) => rest.add(value),
        Content::Array(items) if items.iter().any(|item| !is_scalar(*item)) => rest.add(value),
        Content::Bool(_) | Content::Number(_) | Content::String(_) | Content::Array(_) => {
            found.push(Leaf { path: path.clone(), value });
        }
    }
}

fn is_scalar(value: MarkedValue<'_>) -> bool {
    matches!(value.content, Content::Bool(_) | Content::Number(_) | Content::String(_))
}
