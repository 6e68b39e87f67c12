//! One view of a Kubernetes object for all forms in which it is written.
//!
//! A manifest has the names of the API (`podSelector`), and a value is what it is. The typed resources of the provider
//! have the same members as blocks: names in snake case (`pod_selector`), sometimes in the singular (`rule`), and
//! objects as lists of one. Models ask by the names of the API, and get the same answer of both.
//!
//! ```text
//! {"podSelector": {}}                             pod selector is present, and empty
//! {"pod_selector": [{"match_labels": null}]}      the same
//! {"pod_selector": []}                            absent
//! ```

use crate::diff::value::{Content, MarkedValue};

/// How the members of an object are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As in the API: camel case, objects as objects.
    Manifest,
    /// As blocks of a typed resource: snake case, objects as lists of one.
    Blocks,
}

/// A value of an object, or its absence.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'w> {
    /// The value; `None` if it is absent. A null that is an element is a block without arguments, so it is present.
    value: Option<MarkedValue<'w>>,
    form: Form,
}

impl<'w> View<'w> {
    /// Returns the view of a value; null is absent.
    pub(super) fn new(value: MarkedValue<'w>, form: Form) -> Self {
        Self {
            value: (!value.is_null()).then_some(value),
            form,
        }
    }

    /// Returns the value; `None` if it is absent.
    pub(super) fn value(self) -> Option<MarkedValue<'w>> {
        self.value
    }

    /// Whether there is a value, which may be an empty one.
    pub(super) fn is_present(self) -> bool {
        self.value.is_some()
    }

    /// Whether both sides have the same value.
    pub(super) fn is_same(self, other: Self) -> bool {
        match (self.value, other.value) {
            (Some(a), Some(b)) => a.same_without_marks(b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// Whether the value, or a part of it, is known only after apply or was left out.
    pub(super) fn is_open(self) -> bool {
        self.value.is_some_and(is_open)
    }

    /// Returns the member that the API gives this name, with its own name.
    pub(super) fn named(self, name: &str) -> Option<(&'w str, Self)> {
        let members = self.value?.as_object()?;
        let (name, member) = match self.form {
            Form::Manifest => *members.iter().find(|(own, _)| *own == name)?,
            Form::Blocks => *members
                .iter()
                .find(|(own, _)| is_same_name(own, name, false))
                .or_else(|| {
                    members
                        .iter()
                        .find(|(own, _)| is_same_name(own, name, true))
                })?,
        };
        Some((name, Self::new(member, self.form)))
    }

    /// Returns a member that is an object or a scalar. A block is the only element of its list.
    pub(super) fn get(self, name: &str) -> Self {
        self.named(name)
            .map_or(self.nothing(), |(_, member)| member.unblocked())
    }

    /// Returns the object of a block, which is the only element of its list; other values as they are.
    pub(super) fn unblocked(self) -> Self {
        let (Form::Blocks, Some([] | [_])) =
            (self.form, self.value.and_then(MarkedValue::as_array))
        else {
            return self;
        };
        Self {
            value: self
                .value
                .and_then(MarkedValue::as_array)
                .and_then(|items| items.first().copied()),
            form: self.form,
        }
    }

    /// Returns a member at a path of names with `.` between them.
    pub(super) fn at(self, path: &str) -> Self {
        path.split('.').fold(self, Self::get)
    }

    /// Returns the elements of a list; a value that is no list is its only element. What is known only after apply, and
    /// what was left out, is left out.
    pub(super) fn items(self) -> impl Iterator<Item = Self> {
        let form = self.form;
        let single = self
            .value
            .filter(|value| !matches!(value.content, Content::Array(_)));
        self.value
            .and_then(MarkedValue::as_array)
            .unwrap_or_default()
            .iter()
            .copied()
            .chain(single)
            .filter(|value| !value.is_unknown() && !value.is_redacted())
            .map(move |value| Self {
                value: Some(value),
                form,
            })
    }

    /// Returns the elements of a list that is a member.
    pub(super) fn list(self, name: &str) -> impl Iterator<Item = Self> {
        self.named(name)
            .map(|(_, member)| member)
            .into_iter()
            .flat_map(Self::items)
    }

    /// Whether a list that is a member has elements, of which some may not be known yet.
    pub(super) fn has_elements(self, name: &str) -> bool {
        self.named(name)
            .and_then(|(_, list)| list.value)
            .is_some_and(|list| !list.is_empty())
    }

    /// Returns the texts of a list that is a member; other elements are left out.
    pub(super) fn texts(self, name: &str) -> Vec<&'w str> {
        self.list(name).filter_map(Self::text).collect()
    }

    /// Returns the text of a bool, number or string, unless it is empty.
    pub(super) fn text(self) -> Option<&'w str> {
        self.value?
            .content
            .scalar_text()
            .filter(|text| !text.is_empty())
    }

    /// Returns the members of a map, whose names are data: labels, annotations, amounts.
    pub(super) fn entries(self) -> &'w [(&'w str, MarkedValue<'w>)] {
        self.value
            .and_then(MarkedValue::as_object)
            .unwrap_or_default()
    }

    /// Returns the value of a key of a map.
    pub(super) fn key(self, key: &str) -> Self {
        Self {
            value: self
                .value
                .and_then(|map| map.get(key))
                .filter(|value| !value.is_null()),
            form: self.form,
        }
    }

    /// Returns nothing, in the form of this value.
    pub(super) fn nothing(self) -> Self {
        Self {
            value: None,
            ..self
        }
    }
}

/// Whether a value or a part of it is known only after apply, or was left out because it is sensitive.
fn is_open(value: MarkedValue<'_>) -> bool {
    value.is_unknown() || value.is_redacted() || value.children().any(is_open)
}

/// Whether a name in snake case is a name of the API. With `is_singular`, the name of the API has one more `s`, for a
/// block is named after one of its elements.
fn is_same_name(own: &str, name: &str, is_singular: bool) -> bool {
    let name = if is_singular {
        match name.strip_suffix('s') {
            Some(name) => name,
            None => return false,
        }
    } else {
        name
    };
    let mut letters = own.bytes().filter(|byte| *byte != b'_');
    name.bytes()
        .all(|byte| letters.next() == Some(byte.to_ascii_lowercase()))
        && letters.next().is_none()
}
