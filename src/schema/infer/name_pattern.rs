//! Name patterns: names that nearly all providers use for the same kind of member.
//!
//! They are counted in the built-in schemas by the program that writes these.

use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};
use serde::Deserialize;

use crate::json;
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
    table().of.get(name).copied()
}

/// Whether a name has the pattern of a block.
pub(super) fn is_of_blocks(name: &str) -> bool {
    matches!(find(name), Some(NamePattern::Block(_)))
}

/// Whether a name with the pattern of a block is more often a scalar. It is a block only if its values are
/// objects.
pub(super) fn is_usually_scalar(name: &str) -> bool {
    table().names.scalar.contains(name)
}

/// Whether a name is rare and only used for blocks. That is not a pattern of other providers, but blocks
/// missing in one version of a provider often exist in another type. More than nine of ten names with these
/// endings are names of blocks.
pub(super) fn is_rare_block(name: &str) -> bool {
    name.ends_with("_config") || name.ends_with("_configuration") || table().names.rare_blocks.contains(name)
}

/// Whether nearly all providers use the name for sensitive strings.
pub(super) fn is_sensitive(name: &str) -> bool {
    table().names.sensitive.contains(name)
}

/// What is looked up for every member of a value is in a map or a set.
#[derive(Default)]
struct Table {
    of: HashMap<&'static str, NamePattern>,
    names: Names,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| builtin::conventions().and_then(read).unwrap_or_default())
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Names {
    #[serde(borrow, rename = "single block")]
    single: Vec<&'static str>,
    #[serde(borrow, rename = "group block")]
    group: Vec<&'static str>,
    #[serde(borrow, rename = "list block")]
    list_block: Vec<&'static str>,
    #[serde(borrow, rename = "set block")]
    set_block: Vec<&'static str>,
    #[serde(borrow, rename = "map block")]
    map_block: Vec<&'static str>,
    #[serde(borrow)]
    map: Vec<&'static str>,
    #[serde(borrow)]
    list: Vec<&'static str>,
    #[serde(borrow)]
    set: Vec<&'static str>,
    #[serde(borrow)]
    objects: Vec<&'static str>,
    /// The names of blocks that are more often names of scalars.
    #[serde(borrow)]
    scalar: HashSet<&'static str>,
    #[serde(borrow, rename = "rare block")]
    rare_blocks: HashSet<&'static str>,
    #[serde(borrow)]
    sensitive: HashSet<&'static str>,
}

fn read(text: &'static str) -> Option<Table> {
    let names: Names = json::from_str(text).ok()?;
    let of = [
        (&names.single, NamePattern::Block(Nesting::Single)),
        (&names.group, NamePattern::Block(Nesting::Group)),
        (&names.list_block, NamePattern::Block(Nesting::List)),
        (&names.set_block, NamePattern::Block(Nesting::Set)),
        (&names.map_block, NamePattern::Block(Nesting::Map)),
        (&names.map, NamePattern::Map),
        (&names.list, NamePattern::List),
        (&names.set, NamePattern::Set),
        (&names.objects, NamePattern::Objects),
    ];
    let of =
        of.into_iter().flat_map(|(names, pattern)| names.iter().map(move |name| (*name, pattern))).collect();
    Some(Table { of, names })
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
