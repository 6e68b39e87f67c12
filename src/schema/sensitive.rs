//! Adds what one schema calls sensitive to another one.
//!
//! Invariant: what is sensitive in either schema is sensitive in the result. The layout stays, unless it cannot express
//! which part is sensitive: then the attribute is sensitive as a whole, and a block becomes a sensitive attribute. What
//! only the other schema has is added as a sensitive attribute if anything in it is sensitive, because a document may
//! have a value for it.

use bumpalo::Bump;

use super::{Attribute, AttributeKind, Block, NestedBlock, Type};

/// The sensitive parts of a member.
#[derive(Clone, Copy)]
enum Secret<'s> {
    /// The whole value. A write-only value counts, too: it must not be in a document, but if it is, it is sensitive.
    Whole,
    /// Some parts of the value, which are the sensitive ones of this block.
    Parts(Block<'s>),
}

/// Returns `block` with everything as sensitive that is sensitive in `facts`.
pub(super) fn joined<'s>(block: Block<'s>, facts: Block<'s>, arena: &'s Bump) -> Block<'s> {
    if !facts.facts.has_sensitive {
        return block;
    }
    let (mut attributes, mut blocks) = (block.attributes.to_vec(), block.blocks.to_vec());
    let of_attributes = facts
        .attributes
        .iter()
        .map(|(name, attribute)| (*name, of_attribute(*attribute)));
    let of_blocks = facts
        .blocks
        .iter()
        .map(|(name, nested)| (*name, parts(nested.block)));
    let mut added = Vec::new();
    for (name, secret) in of_attributes.chain(of_blocks) {
        let Some(secret) = secret else { continue };
        match (
            find_mut(&mut attributes, name),
            find_mut(&mut blocks, name),
            secret,
        ) {
            (Some(declared), ..) => *declared = attribute(*declared, secret, arena),
            (None, Some(declared), Secret::Parts(parts)) => {
                declared.block = joined(declared.block, parts, arena);
            }
            // A block cannot be sensitive as a whole, because its labels may be keys of the document.
            (None, ..) => added.push((name, HIDDEN)),
        }
    }
    if !added.is_empty() {
        added.sort_by_key(|(name, _)| *name);
        added.dedup_by_key(|(name, _)| *name);
        blocks.retain(|(name, _)| {
            added
                .binary_search_by_key(name, |(added, _)| added)
                .is_err()
        });
        attributes.extend(added);
        attributes.sort_by_key(|(name, _)| *name);
    }
    let mut joined = Block::new(
        arena.alloc_slice_copy(&attributes),
        arena.alloc_slice_copy(&blocks),
        arena,
    );
    joined.facts.open = block.facts.open;
    joined
}

/// An attribute of any type that is sensitive.
const HIDDEN: Attribute<'static> = Attribute {
    kind: AttributeKind::Type(Type::Dynamic),
    sensitive: true,
    write_only: false,
    required: false,
};

/// Returns what is sensitive in an attribute, or `None` if nothing is.
fn of_attribute(attribute: Attribute<'_>) -> Option<Secret<'_>> {
    match attribute.kind {
        _ if attribute.sensitive || attribute.write_only => Some(Secret::Whole),
        AttributeKind::Nested(nested) => parts(nested.block),
        AttributeKind::Type(_) => None,
    }
}

/// Returns what is sensitive in a block, or `None` if nothing is.
fn parts(block: Block<'_>) -> Option<Secret<'_>> {
    block.facts.has_sensitive.then_some(Secret::Parts(block))
}

/// Returns an attribute with what is sensitive in the other schema, too.
fn attribute<'s>(declared: Attribute<'s>, secret: Secret<'s>, arena: &'s Bump) -> Attribute<'s> {
    match (secret, declared.kind) {
        (Secret::Parts(facts), AttributeKind::Nested(nested)) => {
            // A nested attribute has no blocks, so those in the other schema become attributes.
            let block = joined(nested.block, facts, arena);
            Attribute {
                kind: AttributeKind::Nested(NestedBlock { block, ..nested }),
                ..declared
            }
        }
        // Types have no flags, so it is unknown which part is the sensitive one.
        (Secret::Whole, _) | (Secret::Parts(_), AttributeKind::Type(_)) => Attribute {
            sensitive: true,
            ..declared
        },
    }
}

/// Finds a member in a list that is sorted by name.
fn find_mut<'m, T>(all: &'m mut [(&str, T)], name: &str) -> Option<&'m mut T> {
    let index = all.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    all.get_mut(index).map(|(_, member)| member)
}

#[cfg(test)]
mod tests;
