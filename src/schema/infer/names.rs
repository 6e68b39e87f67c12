//! The naming conventions of providers: patterns that nearly all of them follow, counted in the built-in schemas, and
//! words in names.

use std::sync::OnceLock;

use bumpalo::Bump;
use foldhash::{HashMap, HashSet};

use crate::json;
use crate::schema::address::provider_type;
use crate::schema::{Attribute, AttributeKind, Block, Nesting, Type, builtin};

/// The shape that a name suggests for its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamePattern {
    Block(Nesting),
    Map,
    Set,
}

/// Returns the shape that nearly all providers give to this name.
pub(super) fn pattern(name: &str) -> Option<NamePattern> {
    table().of.get(name).copied()
}

/// Whether a name has the pattern of a block, but is a block only if its values are objects.
pub(super) fn is_usually_scalar(name: &str) -> bool {
    table().scalar.contains(name)
}

/// Whether a name suggests that its value is sensitive. This holds regardless of marks: older formats have none.
pub(crate) fn is_sensitive(name: &str) -> bool {
    matches!(name, "client_key" | "password")
        || name.ends_with("_password")
        || table().sensitive.contains(name)
}

/// Whether a collection of this name is more likely a set than a list.
pub(super) fn is_usually_set(name: &str) -> bool {
    pattern(name) == Some(NamePattern::Set) || says(name, "set")
}

/// Whether a name has a word, between underscores.
pub(super) fn says(name: &str, word: &str) -> bool {
    name.split('_').any(|part| part == word)
}

/// Whether a name looks like an English plural.
pub(super) fn is_plural(name: &str) -> bool {
    name.ends_with('s') && !name.ends_with("ss")
}

/// Whether a name is that of a collection: a plural, or one that ends with the word for a collection.
pub(super) fn names_collection(name: &str) -> bool {
    is_plural(name)
        || ["list", "set", "map"]
            .iter()
            .any(|kind| name.ends_with(kind))
}

/// The table of naming conventions, which is part of the file of built-in schemas.
#[derive(Default)]
struct Table {
    /// The names with a pattern.
    of: HashMap<&'static str, NamePattern>,
    /// The names with the pattern of a block that are usually scalars.
    scalar: HashSet<&'static str>,
    /// The names of sensitive values.
    sensitive: HashSet<&'static str>,
}

/// Returns the table, which is read at the first call. It is empty if the program has no built-in schemas.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| builtin::conventions().and_then(read).unwrap_or_default())
}

/// Reads the table, a JSON object with lists of names. `None` if it is damaged, which a test excludes.
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

/// The attributes that may have any type, by provider type. These providers pass on what an API takes and answers.
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

/// Gives the type `dynamic` to the attributes in `DYNAMIC`, whatever their values look like. Blocks of these names
/// become attributes.
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
