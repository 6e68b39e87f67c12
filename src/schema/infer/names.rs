//! What names say: patterns that nearly all providers follow, counted in the built-in schemas, and words.

use std::sync::OnceLock;

use bumpalo::Bump;
use foldhash::{HashMap, HashSet};

use crate::json;
use crate::schema::address::provider_type;
use crate::schema::{Attribute, AttributeKind, Block, Nesting, Type, builtin};

/// What a name says about the shape of its value.
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

/// The names of the table.
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

/// Reads the table. `None` if it is damaged, which a test excludes.
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
    let patterns =
        lists_of.flat_map(|(list, pattern)| names(&list).map(move |name| (name, pattern)));
    Some(Table {
        of: patterns.collect(),
        scalar: names("scalar").collect(),
        sensitive: names("sensitive").collect(),
    })
}

/// Attributes of any type, of providers that pass on what an API takes and answers.
const DYNAMIC: [(&str, &[&str]); 1] = [(
    "azapi",
    &[
        "body",
        "output",
        "replace_triggers_external_values",
        "response_export_values",
        "sensitive_body",
        "sensitive_output",
    ],
)];

/// Makes attributes of any type what they are, whatever their values look like.
pub(super) fn with_dynamic<'s>(
    block: Block<'s>,
    provider_name: &str,
    arena: &'s Bump,
) -> Block<'s> {
    let of_provider = DYNAMIC
        .iter()
        .find(|(name, _)| *name == provider_type(provider_name));
    let Some((_, names)) = of_provider else {
        return block;
    };
    let dynamic = AttributeKind::Type(Type::Dynamic);
    let is_dynamic = |name: &str| names.contains(&name);
    let mut attributes = block.attributes.to_vec();
    for (_, attribute) in attributes.iter_mut().filter(|(name, _)| is_dynamic(name)) {
        attribute.kind = dynamic;
    }
    let (blocks, others): (Vec<_>, Vec<_>) = block
        .blocks
        .iter()
        .copied()
        .partition(|(name, _)| is_dynamic(name));
    attributes.extend(blocks.into_iter().map(|(name, _)| {
        let attribute = Attribute {
            kind: dynamic,
            sensitive: false,
            write_only: false,
            required: false,
        };
        (name, attribute)
    }));
    attributes.sort_by_key(|(name, _)| *name);
    Block::new(
        arena.alloc_slice_copy(&attributes),
        arena.alloc_slice_copy(&others),
        arena,
    )
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
