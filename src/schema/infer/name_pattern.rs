//! Name patterns: names that nearly all providers use for the same kind of member.
//!
//! They are counted in the built-in schemas by the program that writes these.

use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};

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
    table().scalar.contains(name)
}

/// Whether a name is rare and only used for blocks. That is not a pattern of other providers, but blocks
/// missing in one version of a provider often exist in another type. More than nine of ten names with these
/// endings are names of blocks.
pub(super) fn is_rare_block(name: &str) -> bool {
    name.ends_with("_config") || name.ends_with("_configuration") || table().rare_blocks.contains(name)
}

/// Whether nearly all providers use the name for sensitive strings.
pub(super) fn is_sensitive(name: &str) -> bool {
    table().sensitive.contains(name)
}

/// What is looked up for every member of a value is in a map or a set.
#[derive(Default)]
struct Table {
    of: HashMap<&'static str, NamePattern>,
    /// The names of blocks that are more often names of scalars.
    scalar: HashSet<&'static str>,
    rare_blocks: HashSet<&'static str>,
    sensitive: HashSet<&'static str>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| builtin::conventions().and_then(read).unwrap_or_default())
}

/// Reads the lists of names, by what they have in common.
fn read(text: &'static str) -> Option<Table> {
    let lists: HashMap<&str, Vec<&'static str>> = json::from_str(text).ok()?;
    let names = |list: &str| lists.get(list).into_iter().flatten().copied();
    let patterns = [
        ("single block", NamePattern::Block(Nesting::Single)),
        ("group block", NamePattern::Block(Nesting::Group)),
        ("list block", NamePattern::Block(Nesting::List)),
        ("set block", NamePattern::Block(Nesting::Set)),
        ("map block", NamePattern::Block(Nesting::Map)),
        ("map", NamePattern::Map),
        ("list", NamePattern::List),
        ("set", NamePattern::Set),
        ("objects", NamePattern::Objects),
    ];
    let of = patterns.into_iter().flat_map(|(list, pattern)| names(list).map(move |name| (name, pattern)));
    Some(Table {
        of: of.collect(),
        scalar: names("scalar").collect(),
        rare_blocks: names("rare block").collect(),
        sensitive: names("sensitive").collect(),
    })
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
