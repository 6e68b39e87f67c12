//! Which attributes say what an object is: what it is called, what it runs, how large, protected and exposed it is.
//!
//! One table for all providers, by the names of attributes. An attribute that is not in it may still be part of a
//! summary, if the configuration gives it.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::IntoDeserializer;

use crate::review::names::{lists, words};

/// What an attribute says about an object. Summaries are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Aspect {
    /// What it is called or where it is found.
    Identity,
    /// What it gives, to whom.
    Role,
    /// The software, and its version.
    Engine,
    /// The image that it runs.
    Image,
    /// The size of a machine.
    Size,
    /// The size and kind of its storage.
    Storage,
    /// How many there are.
    Count,
    /// Its version.
    Version,
    /// Its region, network or content.
    Place,
    /// Whether it is encrypted.
    Encryption,
    /// Who reaches it.
    Exposure,
    /// What protects it.
    Protection,
    /// Anything else.
    Other,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    /// The value alone: `postgres`.
    Bare,
    /// With its name: `port = 5432`.
    Named,
    /// A bool: its name if it is true.
    Flag,
    /// A bool: `encrypted` or `not encrypted`.
    Encrypted,
    /// A number of gigabytes.
    Gigabytes,
    /// A number of megabytes.
    Megabytes,
    /// After a word: `on SCOPE`.
    On,
    /// After a word: `for MEMBER`.
    For,
}

/// The attributes by name, each with its place among those of the same aspect and form.
static NAMES: LazyLock<HashMap<&str, (Aspect, Form, usize)>> = LazyLock::new(|| {
    let kinds = lists().filter_map(|(title, names)| {
        let (aspect, form) = title.split_once(' ')?;
        Some((word(aspect)?, word(form)?, names))
    });
    kinds
        .flat_map(|(aspect, form, names)| (0..).zip(names).map(move |(at, name)| (*name, (aspect, form, at))))
        .collect()
});

fn word<T: Deserialize<'static>>(word: &'static str) -> Option<T> {
    T::deserialize(IntoDeserializer::<serde::de::value::Error>::into_deserializer(word)).ok()
}

/// What an attribute says, and how it is written. `path` has the names of the blocks that it is in, and its own.
/// The position is that among attributes of the same aspect.
pub(super) fn aspect(resource_type: &str, path: &[&str]) -> Option<(Aspect, Form, usize)> {
    let (name, blocks) = path.split_last()?;
    let is_in = |block: &str| blocks.contains(&block);
    // Names of something else: of a parameter, a container or a rule, not of the object.
    let names_the_object = blocks.is_empty() || matches!(blocks, ["metadata"]);
    let has_type_word = |words: &[&str]| resource_type.split('_').any(|word| words.contains(&word));
    match *name {
        "type" if blocks.is_empty() => {
            let is_storage = has_type_word(&["volume", "disk", "ebs"]);
            return Some(if is_storage {
                (Aspect::Storage, Form::Bare, 1)
            } else {
                (Aspect::Engine, Form::Bare, 20)
            });
        }
        // In gigabytes wherever it is a disk's.
        "size"
            if has_type_word(&["volume", "disk", "ebs"]) || is_in("initialize_params") || is_in("disk") =>
        {
            return Some((Aspect::Storage, Form::Gigabytes, 0));
        }
        "name" if is_in("role_ref") || is_in("subject") => return Some((Aspect::Role, Form::Named, 0)),
        "publisher" | "offer" | "sku" | "version" if is_in("source_image_reference") => {
            return Some((Aspect::Image, Form::Bare, 0));
        }
        // A path inside the object, such as the `key` of a tag or the `path` of a rule.
        _ if is_in("tags") || is_in("labels") || is_in("annotations") => return None,
        _ => {}
    }
    NAMES.get(name).copied().filter(|(aspect, ..)| *aspect != Aspect::Identity || names_the_object)
}

/// Words in the names of attributes whose values are secrets, or may be: they are never part of a summary.
pub(super) fn may_be_secret(name: &str) -> bool {
    !words("harmless").contains(&name)
        && (name
            .split(['_', '-', '.'])
            .any(|word| words("secret words").contains(&&*word.to_ascii_lowercase()))
            || words("parts of secrets").iter().any(|known| name.contains(known)))
}
