//! Ranks names of attributes and types, and words in them, by what they mean to a reviewer.
//!
//! Weights only determine the order of edits and entries, never the verdict.
//!
//! ```text
//! Weight::from_name("ingress_cidr_blocks")  Heavy: `ingress` and `cidr` decide about access
//! Weight::from_name("subnet_id")            Identifier
//! ```

mod lists;

use std::sync::LazyLock;

use foldhash::HashMap;

use super::paths::root_name;
use crate::diff::edits::{Edit, Label, Note, Path, Step};
pub(crate) use lists::*;

/// Whether destroying an object of this type loses nothing, because such objects are made to be replaced.
pub(super) fn is_made_to_be_replaced(resource_type: &str) -> bool {
    TYPES_MADE_TO_BE_REPLACED
        .iter()
        .any(|name| match name.strip_suffix('*') {
            Some(start) => resource_type.starts_with(start),
            None => *name == resource_type,
        })
}

/// The weight of each word that has one.
static WORDS: LazyLock<HashMap<&str, Weight>> = LazyLock::new(|| {
    let lists = [
        (HEAVY_WORDS, Weight::Heavy),
        (DESCRIPTIVE_WORDS, Weight::Descriptive),
    ];
    lists
        .into_iter()
        .flat_map(|(list, weight)| list.iter().map(move |word| (*word, weight)))
        .collect()
});

/// The maximum length of the name of an attribute, in bytes. Longer names are keys of maps.
const MAX_LEN: usize = 100;

/// The maximum number of steps of a path that are examined, counted from its end.
const STEPS: usize = 16;

/// The importance of a changed attribute to a reviewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Weight {
    /// The attribute is for human readers, or the change is proven to have no effect.
    Light,
    /// The attribute identifies something, and says nothing about the object itself.
    Identifier,
    /// Nothing is known about the attribute.
    Plain,
    /// The attribute describes the object, for example its size.
    Descriptive,
    /// The attribute decides about access, data or cost.
    Heavy,
}

impl Weight {
    /// Returns the weight of an attribute by its name and the words in it, of which the heaviest counts.
    pub(crate) fn from_name(name: &str) -> Self {
        // Longer names are keys of maps, not attributes.
        if name.len() > MAX_LEN {
            return Self::Plain;
        }
        if LIGHT.contains(&name) {
            return Self::Light;
        }
        match name
            .split(['_', '-', '.'])
            .filter_map(|word| WORDS.get(word))
            .max()
        {
            Some(Self::Heavy) => Self::Heavy,
            _ if is_identifier(name) => Self::Identifier,
            weight => weight.copied().unwrap_or(Self::Plain),
        }
    }

    /// Returns the weight of an edit by the last names of its path. Cosmetic changes are light, whatever their name.
    pub(crate) fn from_edit(edit: &Edit<'_>) -> Self {
        if is_cosmetic(edit) || LIGHT.contains(&root_name(edit)) {
            return Self::Light;
        }
        let mut weight = Self::Plain;
        let mut path = edit.path;
        for _ in 0..STEPS {
            let Some(step) = path.last() else { break };
            if let Step::Name(name) = step {
                weight = weight.max(Self::from_name(name));
            }
            path = path.parent().unwrap_or_default();
        }
        if matches!((edit.before, edit.after), (Some(_), Some(after)) if after.is_unknown())
            && is_identifier(root_name(edit))
        {
            return Self::Identifier;
        }
        weight
    }
}

/// Whether the edited element is in a list of rules that are tried in their order, such as those of a firewall.
pub(crate) fn order_decides(resource_type: &str, edit: &Edit<'_>) -> bool {
    let has = |words: &[&str]| resource_type.split('_').any(|word| words.contains(&word));
    let list = edit.path.parent().and_then(Path::last);
    let is_ordered = match (list, edit.path.last()) {
        (Some(Step::Name(list)), Some(Step::Element(element))) => {
            !element.is_set && ORDERED_LISTS.contains(&list)
        }
        (_, _) => false,
    };
    is_ordered && has(WORDS_OF_ORDERED_TYPES) && !has(WORDS_OF_UNORDERED_TYPES)
}

/// Whether the name of an attribute says that its value identifies an object.
pub(crate) fn is_identifier(name: &str) -> bool {
    const NAMES: [&str; 9] = [
        "id",
        "arn",
        "self_link",
        "uid",
        "urn",
        "guid",
        "generation",
        "resource_id",
        "unique_id",
    ];
    NAMES.contains(&name)
        || ["_id", "_ids", "_arn", "_arns", "_uid"]
            .iter()
            .any(|end| name.ends_with(end))
}

/// Whether an edit is proven to have no effect: it changes only the order, the format or the type, or an encoded text
/// with the same content.
pub(crate) fn is_cosmetic(edit: &Edit<'_>) -> bool {
    const PROVEN: [Label; 3] = [Label::Order, Label::Format, Label::TypeOnly];
    let label = PROVEN.into_iter().any(|label| edit.labels.contains(label));
    label
        || edit
            .notes
            .iter()
            .any(|note| matches!(note, Note::SameYaml | Note::SameDecoded))
}

#[cfg(test)]
mod tests;
