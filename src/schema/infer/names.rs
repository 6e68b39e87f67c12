//! What names say: patterns that nearly all providers follow, counted in the built-in schemas, and words.

use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};

use crate::json;
use crate::schema::{Nesting, builtin};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamePattern {
    Block(Nesting),
    Map,
    Set,
}

pub(super) fn pattern(name: &str) -> Option<NamePattern> {
    table().of.get(name).copied()
}

/// Such a name has the pattern of a block, but is a block only if its values are objects.
pub(super) fn is_usually_scalar(name: &str) -> bool {
    table().scalar.contains(name)
}

/// This holds regardless of marks: older formats have none.
pub(crate) fn is_sensitive(name: &str) -> bool {
    matches!(name, "client_key" | "password")
        || name.ends_with("_password")
        || table().sensitive.contains(name)
}

pub(super) fn is_usually_set(name: &str) -> bool {
    pattern(name) == Some(NamePattern::Set) || says(name, "set")
}

pub(super) fn says(name: &str, word: &str) -> bool {
    name.split('_').any(|part| part == word)
}

pub(super) fn is_plural(name: &str) -> bool {
    name.ends_with('s') && !name.ends_with("ss")
}

pub(super) fn names_collection(name: &str) -> bool {
    is_plural(name)
        || ["list", "set", "map"]
            .iter()
            .any(|kind| name.ends_with(kind))
}

#[derive(Default)]
struct Table {
    of: HashMap<&'static str, NamePattern>,
    scalar: HashSet<&'static str>,
    sensitive: HashSet<&'static str>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| builtin::conventions().and_then(read).unwrap_or_default())
}

fn read(text: &'static str) -> Option<Table> {
    let lists: HashMap<&str, Vec<&'static str>> = json::from_str(text).ok()?;
    let names = |list: &str| lists.get(list).into_iter().flatten().copied();
    let blocks = Nesting::ALL
        .map(|(nesting, word, _)| (format!("{word} block"), NamePattern::Block(nesting)));
    let others = [
        ("map".to_owned(), NamePattern::Map),
        ("set".to_owned(), NamePattern::Set),
    ];
    let lists_of = blocks.into_iter().chain(others);
    let of = lists_of.flat_map(|(list, pattern)| names(&list).map(move |name| (name, pattern)));
    Some(Table {
        of: of.collect(),
        scalar: names("scalar").collect(),
        sensitive: names("sensitive").collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_names_have_their_convention() {
        assert_eq!(pattern("tags"), Some(NamePattern::Map));
        assert_eq!(
            pattern("timeouts"),
            Some(NamePattern::Block(Nesting::Single))
        );
        assert_eq!(pattern("no_such_name"), None);
        assert!(is_sensitive("primary_access_key") && !is_sensitive("name"));
    }
}
