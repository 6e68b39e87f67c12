//! Attributes with the same changes as another one.

use std::collections::HashMap;

use super::path;
use crate::diff::edits::{Edit, Step};

/// Attributes whose edits equal those of an earlier attribute, with the name of the earlier one. For example,
/// `tags_all` repeats `tags`.
pub(super) fn repeats<'a>(edits: &[Edit<'a>]) -> HashMap<&'a str, &'a str> {
    let mut found: HashMap<&'a str, &'a str> = HashMap::new();
    let mut all: Vec<(&'a str, &[Edit<'a>])> = Vec::new();
    for group in
        edits.chunk_by(|edit, other| path::is_same_name(path::root_name(edit), path::root_name(other)))
    {
        let Some(first) = group.first() else { continue };
        let name = path::root_name(first);
        if let Some(shorter) = name.strip_suffix("_all")
            && let Some((other, earlier)) = all.iter().find(|(other, _)| *other == shorter)
            && is_same_below(earlier, group)
        {
            found.insert(name, other);
        }
        all.push((name, group));
    }
    found
}

/// Whether the edits of two maps' members are equal but for the names of the maps.
fn is_same_below(edits: &[Edit<'_>], others: &[Edit<'_>]) -> bool {
    let is_same = |(edit, other): (&Edit<'_>, &Edit<'_>)| {
        let names = match (edit.path.last(), other.path.last()) {
            (Some(Step::Name(name)), Some(Step::Name(other))) => path::is_same_name(name, other),
            _ => false,
        };
        edit.path.len() == 2
            && other.path.len() == 2
            && names
            && edit.before == other.before
            && edit.after == other.after
            && edit.labels == other.labels
            && edit.replaces == other.replaces
    };
    edits.len() == others.len() && edits.iter().zip(others).all(is_same)
}
