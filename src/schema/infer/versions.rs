//! Adjusts a built-in shape to the version of the provider that made the document.
//!
//! A value has a member for each attribute of its object, including null ones. So a write-only attribute without a
//! member does not exist in this version. It must be removed, because write-only attributes are shown although they are
//! always null.
//!
//! Some lists of objects were attributes before a major version of their provider, and are blocks since then (upgrade
//! guides of the providers). The legacy SDK can declare a block as an attribute (`SchemaConfigModeAttr`), so that a
//! configuration can set an empty list. The values of both forms are equal, and no document contains the version of the
//! provider, but the version constraints of the configuration limit it. Without them, a document of Terraform before
//! 1.5 (June 2023) counts as written with an older version, and all others as written with the built-in one.

use std::cmp::Ordering;

use bumpalo::Bump;

use super::Values;
use crate::json::{Str, Value};
use crate::schema::address::{provider_type, type_prefix};
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};

/// A major version of a provider that turned attributes into blocks.
struct Conversion {
    /// The provider type, without `-beta`.
    provider: &'static str,
    /// The first major version in which they are blocks.
    since: u64,
    /// The resource types that have them.
    types: &'static [&'static str],
    /// The path to each of them.
    paths: &'static [&'static [&'static str]],
}

/// The known conversions.
const CONVERSIONS: [Conversion; 6] = [
    Conversion {
        provider: "google",
        since: 6,
        types: &["google_compute_instance"],
        paths: &[&["guest_accelerator"]],
    },
    Conversion {
        provider: "google",
        since: 6,
        types: &[
            "google_compute_instance_from_machine_image",
            "google_compute_instance_from_template",
        ],
        paths: &[
            &["attached_disk"],
            &["guest_accelerator"],
            &["network_interface", "access_config"],
            &["network_interface", "alias_ip_range"],
            &["scratch_disk"],
            &["service_account"],
        ],
    },
    Conversion {
        provider: "google",
        since: 6,
        types: &["google_compute_subnetwork"],
        paths: &[&["secondary_ip_range"]],
    },
    Conversion {
        provider: "google",
        since: 6,
        types: &["google_container_cluster", "google_container_node_pool"],
        paths: &[
            &["node_config", "guest_accelerator"],
            &["node_config", "taint"],
        ],
    },
    Conversion {
        provider: "google",
        since: 6,
        types: &["google_container_cluster"],
        paths: &[
            &["node_pool", "node_config", "guest_accelerator"],
            &["node_pool", "node_config", "taint"],
        ],
    },
    Conversion {
        provider: "azurerm",
        since: 4,
        types: &[
            "azurerm_app_service",
            "azurerm_app_service_slot",
            "azurerm_function_app",
            "azurerm_function_app_slot",
            "azurerm_linux_function_app",
            "azurerm_linux_function_app_slot",
            "azurerm_linux_web_app",
            "azurerm_linux_web_app_slot",
            "azurerm_logic_app_standard",
            "azurerm_windows_function_app",
            "azurerm_windows_function_app_slot",
            "azurerm_windows_web_app",
            "azurerm_windows_web_app_slot",
        ],
        paths: &[
            &["site_config", "ip_restriction"],
            &["site_config", "scm_ip_restriction"],
        ],
    },
];

/// Whether a plan has the format of a release before Terraform 1.5, which introduced format version 1.2.
pub(super) fn is_old_format(format_version: &str) -> bool {
    version(format_version).is_some_and(|format| format < (1, 2))
}

/// Whether a state is of a release before Terraform 1.5. All releases of OpenTofu are later.
pub(super) fn is_old_release(release: &str) -> bool {
    version(release).is_some_and(|release| release < (1, 5))
}

/// Returns the first two numbers of a version.
fn version(text: &str) -> Option<(u64, u64)> {
    let mut numbers = text.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Returns the provider type of an address. The beta of a provider counts as the provider.
fn provider(name: &str) -> &str {
    let last = provider_type(name);
    last.strip_suffix("-beta").unwrap_or(last)
}

/// Whether the provider is older than a major version. `is_old` decides if none of the version constraints does.
fn is_before(provider: &str, major: u64, constraints: &[(Str<'_>, Str<'_>)], is_old: bool) -> bool {
    let sides = sides(provider, major, constraints);
    sides.contains(&Ordering::Less) || (is_old && !sides.contains(&Ordering::Greater))
}

/// Returns on which sides of a major version the constraints for a provider are. Those that allow both sides are left
/// out.
fn sides(provider: &str, major: u64, constraints: &[(Str<'_>, Str<'_>)]) -> Vec<Ordering> {
    let of_provider = constraints
        .iter()
        .filter(|(name, _)| self::provider(name) == provider);
    let parts = of_provider.flat_map(|(_, all)| all.split(','));
    parts.filter_map(|part| side(part.trim(), major)).collect()
}

/// Returns whether a part of a version constraint allows only versions below a major version (`Less`), or only this one
/// and later ones (`Greater`). `None` if it leaves that open.
fn side(part: &str, major: u64) -> Option<Ordering> {
    let offset = part.find(|c: char| !"=<>!~ ".contains(c))?;
    let (operator, version) = part.split_at_checked(offset)?;
    let (first, rest) = version.split_once('.').unwrap_or((version, ""));
    let first: u64 = first.parse().ok()?;
    let is_whole = rest
        .split('.')
        .all(|number| number.parse().unwrap_or(0) == 0);
    let (is_from, is_below) = match operator.trim() {
        "" | "=" => (true, first < major),
        // `~>` allows only the last of its numbers to grow, so `~> 5` allows 6.0, and `~> 5.0` does not.
        "~>" => (true, first < major && !rest.is_empty()),
        ">" | ">=" => (true, false),
        "<" => (false, first < major || (first == major && is_whole)),
        "<=" => (false, first < major),
        _ => (false, false),
    };
    let since = (is_from && first >= major).then_some(Ordering::Greater);
    is_below.then_some(Ordering::Less).or(since)
}

/// Lists the conversions that concern a type. They concern managed resources only.
fn conversions<'n>(
    (mode, provider_name, type_name): (&'n str, &'n str, &'n str),
) -> impl Iterator<Item = &'static Conversion> + use<'n> {
    let provider = provider_of(provider_name, type_name);
    CONVERSIONS.iter().filter(move |conversion| {
        matches!(mode, "" | "managed")
            && conversion.provider == provider
            && conversion.types.contains(&type_name)
    })
}

/// Returns the provider type of a resource type, which its prefix says if the document does not name the provider.
fn provider_of<'n>(provider_name: &'n str, type_name: &'n str) -> &'n str {
    match provider_name {
        "" => type_prefix(type_name),
        name => provider(name),
    }
}

/// Whether the version constraints decide, for every conversion of a type, which of its parts are blocks.
pub(super) fn are_decided<'s>(
    of_type: (&str, &str, &str),
    constraints: impl Fn() -> Vec<(Str<'s>, Str<'s>)>,
) -> bool {
    let provider = provider_of(of_type.1, of_type.2);
    conversions(of_type)
        .all(|conversion| !sides(provider, conversion.since, &constraints()).is_empty())
}

/// Turns blocks into the attributes that they were in the version of the provider.
///
/// Attributes that the block does not have are added, too: a built-in schema may lack them.
pub(super) fn with_attributes<'s>(
    block: Block<'s>,
    of_type: (&str, &str, &str),
    constraints: impl Fn() -> Vec<(Str<'s>, Str<'s>)>,
    is_old: bool,
    arena: &'s Bump,
) -> Block<'s> {
    let provider = provider_of(of_type.1, of_type.2);
    let mut block = block;
    for conversion in conversions(of_type) {
        if is_before(provider, conversion.since, &constraints(), is_old) {
            for path in conversion.paths {
                block = with_attribute(block, path, arena);
            }
        }
    }
    block
}

/// Turns the block at the end of a path into an attribute, or adds the attribute, with the blocks on the way to it.
fn with_attribute<'s>(block: Block<'s>, path: &[&'static str], arena: &'s Bump) -> Block<'s> {
    let Some((&name, rest)) = path.split_first() else {
        return block;
    };
    if block.attributes.iter().any(|(known, _)| *known == name) {
        return block;
    }
    let mut blocks = block.blocks.to_vec();
    let index = blocks.binary_search_by(|(known, _)| (*known).cmp(name));
    if !rest.is_empty() {
        let none = NestedBlock {
            nesting: Nesting::List,
            block: Block::default(),
        };
        let index = index.unwrap_or_else(|index| {
            blocks.insert(index, (name, none));
            index
        });
        if let Some((_, nested)) = blocks.get_mut(index) {
            nested.block = with_attribute(nested.block, rest, arena);
        }
        return Block::new(block.attributes, arena.alloc_slice_copy(&blocks), arena);
    }
    let objects = AttributeKind::Type(Type::List(&Type::Object(&[])));
    let mut attribute = Attribute {
        kind: objects,
        sensitive: false,
        write_only: false,
        required: false,
    };
    if let Ok(index) = index {
        let (_, nested) = blocks.remove(index);
        let Some(converted) = as_attribute(nested, arena) else {
            return block;
        };
        attribute = converted;
    }
    let mut attributes = block.attributes.to_vec();
    let index = attributes.partition_point(|(known, _)| *known < name);
    attributes.insert(index, (name, attribute));
    Block::new(
        arena.alloc_slice_copy(&attributes),
        arena.alloc_slice_copy(&blocks),
        arena,
    )
}

/// Turns a nested block into an attribute. Types have no flags, so if a part of the block is sensitive, the whole
/// attribute is.
fn as_attribute<'s>(nested: NestedBlock<'s>, arena: &'s Bump) -> Option<Attribute<'s>> {
    let kind = AttributeKind::Type(block_type(nested, arena)?);
    let sensitive = nested.block.facts.has_sensitive;
    Some(Attribute {
        kind,
        sensitive,
        write_only: false,
        required: false,
    })
}

/// Returns the type of the attribute that a block becomes. `None` if it has nested attributes, which no type can
/// express.
fn block_type<'s>(nested: NestedBlock<'s>, arena: &'s Bump) -> Option<Type<'s>> {
    let mut members = Vec::new();
    for (name, attribute) in nested.block.attributes {
        match attribute.kind {
            AttributeKind::Type(kind) => members.push((*name, kind)),
            AttributeKind::Nested(_) => return None,
        }
    }
    for (name, inner) in nested.block.blocks {
        members.push((*name, block_type(*inner, arena)?));
    }
    members.sort_by_key(|(name, _)| *name);
    let object = Type::Object(arena.alloc_slice_copy(&members));
    Some(match nested.nesting {
        Nesting::Single | Nesting::Group => object,
        Nesting::List => Type::List(arena.alloc(object)),
        Nesting::Set => Type::Set(arena.alloc(object)),
        Nesting::Map => Type::Map(arena.alloc(object)),
    })
}

/// Removes the write-only attributes that an instance with these values does not have.
pub(super) fn without_missing<'s>(
    block: Block<'s>,
    values: Values<'s>,
    arena: &'s Bump,
) -> Block<'s> {
    present(block, &[values.before, values.after, values.unknown], arena).unwrap_or(block)
}

/// Removes the write-only attributes that no body has, also in nested blocks. `None` if there is nothing to remove.
fn present<'s>(block: Block<'s>, bodies: &[Value<'s>], arena: &'s Bump) -> Option<Block<'s>> {
    if bodies.iter().all(|body| body.as_object().is_none()) {
        return None;
    }
    let is_there = |name: &str| bodies.iter().any(|body| body.get(name).is_some());
    let is_absent =
        |(name, attribute): &(&str, Attribute<'_>)| attribute.write_only && !is_there(name);
    let kept = block
        .attributes
        .iter()
        .copied()
        .filter(|attribute| !is_absent(attribute));
    let mut blocks: Option<Vec<_>> = None;
    for (index, (name, nested)) in block.blocks.iter().enumerate() {
        let values = bodies.iter().filter_map(|body| body.get(name));
        let inner = values.flat_map(|value| match (nested.nesting, value) {
            (Nesting::Map, Value::Object(_)) | (_, Value::Array(_)) => value.children().collect(),
            (_, body) => vec![body],
        });
        if let Some(inner) = present(nested.block, &inner.collect::<Vec<_>>(), arena) {
            blocks.get_or_insert_with(|| block.blocks.to_vec())[index]
                .1
                .block = inner;
        }
    }
    if blocks.is_none() && kept.clone().count() == block.attributes.len() {
        return None;
    }
    let attributes = arena.alloc_slice_copy(&kept.collect::<Vec<_>>());
    let blocks = blocks.map_or(block.blocks, |blocks| arena.alloc_slice_copy(&blocks));
    Some(Block::new(attributes, blocks, arena))
}

#[cfg(test)]
mod tests;
