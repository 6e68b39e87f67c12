//! The attributes of an object and of its blocks, with the aspects that they describe.
//!
//! One table serves all providers, by the names of attributes. An attribute that is not in it may still be part of a
//! summary, if the configuration gives it.
//!
//! ```text
//! engine = "postgres"   Leaf { aspect: Engine, form: Bare, … }       postgres
//! ```

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Rest;
use crate::diff::value::{Content, MarkedValue};
use crate::review::credentials::{has_secret, is_data_of_secret};
use crate::review::names::{self, Aspect, AttributeForm};
use crate::review::paths;
use crate::text::has_several_lines;

/// The maximum number of attributes that are considered; the others are counted.
const MAX_LEAVES: usize = 400;
/// The maximum number of names in a path.
const MAX_DEPTH: usize = 6;
/// The maximum length of a string that is part of a summary, in bytes.
const MAX_LEN: usize = 300;
/// The maximum number of elements of a list that is part of a summary.
const MAX_ELEMENTS: usize = 12;

/// The aspect, form and rank of each attribute in the table.
static NAMES: LazyLock<HashMap<&str, (Aspect, AttributeForm, usize)>> = LazyLock::new(|| {
    let all = names::ATTRIBUTES.iter();
    all.flat_map(|group| {
        let names = group.names.iter().enumerate();
        names.map(|(rank, name)| (*name, (group.aspect, group.form, rank)))
    })
    .collect()
});

/// Returns the aspect, form and rank of an attribute; `None` if nothing is known about it. `path` has the names of the
/// blocks around it, and its own as the last.
pub(super) fn aspect(resource_type: &str, path: &[&str]) -> Option<(Aspect, AttributeForm, usize)> {
    let (name, blocks) = path.split_last()?;
    let is_in = |block: &str| blocks.contains(&block);
    // In other blocks, such a name is that of a parameter, a container or a rule, not of the object.
    let names_the_object = blocks.is_empty() || matches!(blocks, ["metadata"]);
    let has_type_word = |words: &[&str]| resource_type.split('_').any(|word| words.contains(&word));
    match *name {
        "type" if blocks.is_empty() => {
            let is_storage = has_type_word(&["volume", "disk", "ebs"]);
            return Some(if is_storage {
                (Aspect::Storage, AttributeForm::Bare, 1)
            } else {
                (Aspect::Engine, AttributeForm::Bare, 20)
            });
        }
        "size"
            if has_type_word(&["volume", "disk", "ebs"])
                || is_in("initialize_params")
                || is_in("disk") =>
        {
            return Some((Aspect::Storage, AttributeForm::Gigabytes, 0));
        }
        "name" if is_in("role_ref") || is_in("subject") => {
            return Some((Aspect::Role, AttributeForm::Named, 0));
        }
        // A statement of a policy document is written like the statements of a policy.
        "effect" if is_in("statement") => return Some((Aspect::Role, AttributeForm::Bare, 0)),
        "actions" if is_in("statement") => return Some((Aspect::Role, AttributeForm::Bare, 1)),
        "type" if is_in("principals") => return Some((Aspect::Role, AttributeForm::For, 2)),
        "identifiers" if is_in("principals") => return Some((Aspect::Role, AttributeForm::For, 3)),
        "publisher" | "offer" | "sku" | "version" if is_in("source_image_reference") => {
            return Some((Aspect::Image, AttributeForm::Bare, 0));
        }
        // A path inside the object, such as the `key` of a tag or the `path` of a rule.
        _ if is_in("tags") || is_in("labels") || is_in("annotations") => return None,
        _ => {}
    }
    NAMES
        .get(name)
        .copied()
        .filter(|(aspect, ..)| *aspect != Aspect::Identity || names_the_object)
}

/// Whether the name of an attribute says that its value may be a secret, so that it is never part of a summary.
fn names_a_secret(name: &str) -> bool {
    !names::HARMLESS.contains(&name)
        && (name
            .split(['_', '-', '.'])
            .any(|word| names::SECRET_WORDS.contains(&&*word.to_ascii_lowercase()))
            || names::PARTS_OF_SECRETS
                .iter()
                .any(|known| name.contains(known)))
}

/// A scalar of an object, or a list of scalars.
#[derive(Clone, Debug)]
pub(super) struct Leaf<'v> {
    /// The names that lead to the value. A list with one block is not a step.
    pub(super) path: Vec<&'v str>,
    /// The value.
    pub(super) value: MarkedValue<'v>,
    /// The aspect of the object that the attribute describes, which decides its order.
    pub(super) aspect: Aspect,
    /// The form in which it is written.
    pub(super) form: AttributeForm,
    /// The rank among attributes of the same aspect.
    pub(super) rank: usize,
}

impl<'v> Leaf<'v> {
    /// Returns the name of the attribute or block at the top of the object.
    pub(super) fn root(&self) -> &'v str {
        self.path.first().copied().unwrap_or_default()
    }

    /// Returns the name of the attribute itself.
    pub(super) fn name(&self) -> &'v str {
        self.path.last().copied().unwrap_or_default()
    }

    /// Returns the names of the blocks around it.
    pub(super) fn blocks(&self) -> &[&'v str] {
        self.path.split_last().map_or(&[], |(_, blocks)| blocks)
    }

    /// Returns the last two names, joined by a dot.
    pub(super) fn label(&self) -> String {
        let names: Vec<String> = self
            .path
            .iter()
            .rev()
            .take(2)
            .rev()
            .map(|part| paths::name(part))
            .collect();
        names.join(".")
    }

    /// Returns the number of values that it counts as: the elements of a list, at least 1.
    pub(super) fn size(&self) -> usize {
        self.value.as_array().map_or(1, |items| items.len().max(1))
    }

    /// Whether the value fits into a summary: a scalar of one line, or a short list of such scalars.
    pub(super) fn is_short(&self) -> bool {
        let is_short = |value: MarkedValue<'_>| match value.as_str() {
            Some(text) => {
                let is_document = text.starts_with('{') && !self.is_essential();
                text.len() <= MAX_LEN && !text.contains('\n') && !is_document
            }
            None => is_scalar(value),
        };
        match self.value.as_array() {
            Some(items) => {
                (1..=MAX_ELEMENTS).contains(&items.len())
                    && items.iter().all(|item| is_short(*item))
            }
            None => is_short(self.value),
        }
    }

    /// Returns the number of lines of a text with several; `None` for other values.
    pub(super) fn lines(&self) -> Option<usize> {
        let text = self.value.as_str().filter(|text| has_several_lines(text))?;
        Some(text.lines().count())
    }

    /// Whether the value says what runs, who gets something, or where something goes.
    pub(super) fn is_essential(&self) -> bool {
        names::ESSENTIAL.contains(&self.name())
    }

    pub(super) fn is_true(&self) -> bool {
        matches!(self.value.content, Content::Bool(true))
    }

    /// Whether the value is one that many attributes have without being set.
    pub(super) fn is_like_a_default(&self) -> bool {
        match self.value.content {
            Content::Bool(value) => !value,
            Content::Number(text) => matches!(text, "0" | "-1" | "0.0"),
            Content::Null | Content::Unknown | Content::Redacted => true,
            Content::String(_) | Content::Array(_) | Content::Object(_) => self.value.is_empty(),
        }
    }

    /// Whether the value may be a secret, because of a name on its path, a mark, or because it looks like a credential.
    pub(super) fn may_be_secret(&self) -> bool {
        let is_secret = |text: &str| {
            has_secret(text)
                || text.contains("-----BEGIN")
                || text
                    .split_once("://")
                    .is_some_and(|(_, rest)| rest.contains('@'))
                || text.to_ascii_lowercase().contains("password=")
        };
        let has_secret = |value: MarkedValue<'_>| value.as_str().is_some_and(is_secret);
        self.path.iter().any(|name| names_a_secret(name))
            || self.value.has_marks
            || has_secret(self.value)
            || self.value.children().any(has_secret)
    }
}

/// Collects the scalars of a value and its blocks, up to `MAX_LEAVES`. Values that are not leaves are counted in
/// `rest`.
pub(super) fn add_leaves<'v>(
    resource_type: &str,
    path: &mut Vec<&'v str>,
    value: MarkedValue<'v>,
    leaves: &mut Vec<Leaf<'v>>,
    rest: &mut Rest,
) {
    match value.content {
        Content::Null => {}
        _ if leaves.len() >= MAX_LEAVES => rest.add(value, true),
        Content::Array([only]) if only.as_object().is_some() => {
            add_leaves(resource_type, path, *only, leaves, rest);
        }
        Content::Object(members) if path.len() < MAX_DEPTH => {
            for (name, member) in members {
                if is_data_of_secret(value, name) {
                    rest.add(*member, true);
                    continue;
                }
                path.push(name);
                add_leaves(resource_type, path, *member, leaves, rest);
                path.pop();
            }
        }
        Content::Array(items) if items.iter().any(|item| !is_scalar(*item)) => {
            rest.add(value, true);
        }
        Content::Unknown | Content::Redacted | Content::Object(_) => rest.add(value, true),
        Content::Bool(_) | Content::Number(_) | Content::String(_) | Content::Array(_) => {
            let (aspect, form, rank) =
                aspect(resource_type, path).unwrap_or((Aspect::Other, AttributeForm::Named, 0));
            leaves.push(Leaf {
                path: path.clone(),
                value,
                aspect,
                form,
                rank,
            });
        }
    }
}

fn is_scalar(value: MarkedValue<'_>) -> bool {
    matches!(
        value.content,
        Content::Bool(_) | Content::Number(_) | Content::String(_)
    )
}
