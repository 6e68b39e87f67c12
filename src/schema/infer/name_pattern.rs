//! Name patterns: names that nearly all providers use for the same kind of member.
//!
//! They are counted in the built-in schemas by the program that writes these.

use std::sync::OnceLock;

use foldhash::HashSet;
use serde::Deserialize;

use crate::json::{self, Str};
use crate::schema::{Nesting, builtin};

/// The kind of member that a name suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamePattern {
    Block(Nesting),
    Map,
    List,
    Set,
    /// A list, set or map of objects that is an attribute.
    Objects,
}

/// The pattern of `name`, if it has one.
pub(super) fn find(name: &str) -> Option<NamePattern> {
    let found = &table().of;
    found
        .binary_search_by(|(known, _)| (**known).cmp(name))
        .ok()
        .and_then(|at| found.get(at))
        .map(|(_, c)| *c)
}

/// Whether a name has the pattern of a block.
pub(super) fn is_of_blocks(name: &str) -> bool {
    matches!(find(name), Some(NamePattern::Block(_)))
}

/// Whether a name with the pattern of a block is more often a scalar. It is a block only if its values are
/// objects.
pub(super) fn is_usually_scalar(name: &str) -> bool {
    table().scalars.binary_search_by(|known| (**known).cmp(name)).is_ok()
}

/// Whether a name is rare and only used for blocks. That is not a pattern of other providers, but blocks
/// missing in one version of a provider often exist in another type. More than nine of ten names with these
/// endings are names of blocks.
pub(super) fn is_rare_block(name: &str) -> bool {
    name.ends_with("_config")
        || name.ends_with("_configuration")
        || table().rare_blocks.binary_search_by(|known| (**known).cmp(name)).is_ok()
}

/// Whether nearly all providers use the name for sensitive strings.
pub(super) fn is_sensitive(name: &str) -> bool {
    table().sensitive.contains(name)
}

/// The patterns; lists are sorted by name.
#[derive(Default)]
struct Table {
    of: Vec<(Str<'static>, NamePattern)>,
    scalars: Vec<Str<'static>>,
    rare_blocks: Vec<Str<'static>>,
    /// A set, because every member of a value is looked up.
    sensitive: HashSet<&'static str>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| builtin::conventions().and_then(read).unwrap_or_default())
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Names<'a> {
    #[serde(borrow, rename = "single block")]
    single: Vec<Str<'a>>,
    #[serde(borrow, rename = "group block")]
    group: Vec<Str<'a>>,
    #[serde(borrow, rename = "list block")]
    list_block: Vec<Str<'a>>,
    #[serde(borrow, rename = "set block")]
    set_block: Vec<Str<'a>>,
    #[serde(borrow, rename = "map block")]
    map_block: Vec<Str<'a>>,
    #[serde(borrow)]
    map: Vec<Str<'a>>,
    #[serde(borrow)]
    list: Vec<Str<'a>>,
    #[serde(borrow)]
    set: Vec<Str<'a>>,
    #[serde(borrow)]
    objects: Vec<Str<'a>>,
    /// The names of blocks that are more often names of scalars; sorted.
    #[serde(borrow)]
    scalar: Vec<Str<'a>>,
    #[serde(borrow, rename = "rare block")]
    rare_blocks: Vec<Str<'a>>,
    #[serde(borrow)]
    sensitive: HashSet<&'a str>,
}

fn read(text: &'static str) -> Option<Table> {
    let names: Names<'static> = json::from_str(text).ok()?;
    let mut all = Vec::new();
    for (names, name_pattern) in [
        (names.single, NamePattern::Block(Nesting::Single)),
        (names.group, NamePattern::Block(Nesting::Group)),
        (names.list_block, NamePattern::Block(Nesting::List)),
        (names.set_block, NamePattern::Block(Nesting::Set)),
        (names.map_block, NamePattern::Block(Nesting::Map)),
        (names.map, NamePattern::Map),
        (names.list, NamePattern::List),
        (names.set, NamePattern::Set),
        (names.objects, NamePattern::Objects),
    ] {
        all.extend(names.into_iter().map(|name| (name, name_pattern)));
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    Some(Table { of: all, scalars: names.scalar, rare_blocks: names.rare_blocks, sensitive: names.sensitive })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_names_have_their_convention() {
        assert_eq!(find("tags"), Some(NamePattern::Map));
        assert_eq!(find("timeouts"), Some(NamePattern::Block(Nesting::Single)));
        assert_eq!(find("no_such_name"), None);
        assert!(is_sensitive("primary_access_key") && !is_sensitive("name"));
    }
}
