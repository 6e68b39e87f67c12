//! Adds what one schema calls sensitive to another one.
//!
//! Invariant: what is sensitive in either schema is sensitive in the result, whatever the two shapes are. The layout
//! stays, except where it cannot express which part is sensitive: then the attribute is sensitive as a whole, and a
//! block becomes a sensitive attribute. What only the other schema has is added as a sensitive attribute if anything
//! in it is sensitive, because a document may have a value for it.

use bumpalo::Bump;

use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, NestedType, Type};

type Named<'s, T> = &'s [(&'s str, T)];

/// The attributes and blocks of one level.
type Members<'s> = (Named<'s, Attribute<'s>>, Named<'s, NestedBlock<'s>>);

/// `block`, with everything sensitive that is so in `facts`.
pub(super) fn joined<'s>(block: Block<'s>, facts: Block<'s>, arena: &'s Bump) -> Block<'s> {
    if !facts.facts.has_sensitive {
        return block;
    }
    with_parts(block, (facts.attributes, facts.blocks), arena)
}

/// `block`, with everything sensitive that is so in `facts`, the parts of another one.
fn with_parts<'s>(block: Block<'s>, facts: Members<'s>, arena: &'s Bump) -> Block<'s> {
    let (attributes, blocks) = members((block.attributes, block.blocks), facts, arena);
    let mut joined = Block::new(attributes, blocks, arena);
    joined.facts.open = block.facts.open;
    joined
}

fn members<'s>(own: Members<'s>, facts: Members<'s>, arena: &'s Bump) -> Members<'s> {
    let mut attributes: Vec<_> = own.0.to_vec();
    let mut blocks: Vec<_> = own.1.to_vec();
    let of_attributes = facts.0.iter().map(|(name, attribute)| (*name, Fact::of_attribute(*attribute)));
    let of_blocks = facts.1.iter().map(|(name, nested)| (*name, Fact::of_block(*nested)));
    let mut added = Vec::new();
    for (name, fact) in of_attributes.chain(of_blocks).filter(|(_, fact)| *fact != Fact::Plain) {
        if let Some((_, own)) = find_mut(&mut attributes, name) {
            *own = attribute(*own, fact, arena);
            continue;
        }
        match (find_mut(&mut blocks, name), fact) {
            (Some((_, own)), Fact::Parts(parts)) => {
                own.block = with_parts(own.block, parts, arena);
            }
            // A block cannot be sensitive as a whole; its labels may be keys of the document.
            (Some(_), Fact::Plain | Fact::Whole) | (None, _) => added.push((name, HIDDEN)),
        }
    }
    if !added.is_empty() {
        crate::sort::by_key(&mut added, |(name, _)| *name);
        added.dedup_by_key(|(name, _)| *name);
        blocks.retain(|(name, _)| added.binary_search_by_key(name, |(added, _)| added).is_err());
        attributes.extend(added);
        crate::sort::by_key(&mut attributes, |(name, _)| *name);
    }
    (arena.alloc_slice_copy(&attributes), arena.alloc_slice_copy(&blocks))
}

/// An attribute of which nothing is known but that it is sensitive.
const HIDDEN: Attribute<'static> = Attribute {
    kind: AttributeKind::Type(Type::Dynamic),
    sensitive: true,
    write_only: false,
    required: false,
};

/// What a schema says about the secrecy of a member.
#[derive(Clone, Copy, PartialEq)]
enum Fact<'s> {
    /// Nothing in it is sensitive.
    Plain,
    /// It is sensitive as a whole. A write-only value must not be in a document; if it is, it is sensitive.
    Whole,
    /// Some of these parts are.
    Parts(Members<'s>),
}

impl<'s> Fact<'s> {
    fn of_attribute(attribute: Attribute<'s>) -> Self {
        match attribute.kind {
            _ if attribute.sensitive || attribute.write_only => Self::Whole,
            AttributeKind::Nested(nested) if nested.facts.has_sensitive => {
                Self::Parts((nested.attributes, &[]))
            }
            AttributeKind::Nested(_) | AttributeKind::Type(_) => Self::Plain,
        }
    }

    fn of_block(nested: NestedBlock<'s>) -> Self {
        let Block { attributes, blocks, facts } = nested.block;
        if facts.has_sensitive { Self::Parts((attributes, blocks)) } else { Self::Plain }
    }
}

fn attribute<'s>(own: Attribute<'s>, fact: Fact<'s>, arena: &'s Bump) -> Attribute<'s> {
    match (fact, own.kind) {
        (Fact::Plain, _) => own,
        (Fact::Parts(facts), AttributeKind::Nested(nested)) => {
            let (attributes, _) = members((nested.attributes, &[]), facts, arena);
            Attribute {
                kind: AttributeKind::Nested(NestedType::new(attributes, nested.nesting, arena)),
                ..own
            }
        }
        // Types have no flags, so it is unknown which part is the sensitive one.
        (Fact::Whole, _) | (Fact::Parts(_), AttributeKind::Type(_)) => Attribute { sensitive: true, ..own },
    }
}

fn find_mut<'m, 's, T>(all: &'m mut [(&'s str, T)], name: &str) -> Option<&'m mut (&'s str, T)> {
    let at = all.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    all.get_mut(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Nesting, Type};

    #[test]
    fn secrets_of_both_are_secrets_at_every_depth() {
        let arena = Bump::new();
        let plain = Attribute {
            kind: AttributeKind::Type(Type::String),
            sensitive: false,
            write_only: false,
            required: false,
        };
        let secret = Attribute { sensitive: true, ..plain };
        let nested = |attributes| Attribute {
            kind: AttributeKind::Nested(NestedType::new(attributes, Nesting::List, &arena)),
            ..plain
        };
        let block = |attributes, inner| {
            let inner = Block::new(inner, &[], &arena);
            let blocks =
                arena.alloc_slice_copy(&[("in", NestedBlock { nesting: Nesting::Set, block: inner })]);
            Block::new(attributes, blocks, &arena)
        };
        let (a, b) = ([("x", plain), ("y", secret)], [("x", secret), ("y", plain)]);
        let both = [("x", secret), ("y", secret)];
        let (own, facts) = ([("n", nested(&a)), ("x", plain)], [("n", nested(&b)), ("x", secret)]);
        let expected = [("n", nested(&both)), ("x", secret)];
        assert_eq!(joined(block(&own, &a), block(&facts, &b), &arena), block(&expected, &both));
    }

    #[test]
    fn a_schema_of_another_shape_cannot_make_a_secret_visible() {
        let arena = Bump::new();
        let plain = Attribute {
            kind: AttributeKind::Type(Type::String),
            sensitive: false,
            write_only: false,
            required: false,
        };
        let secret = Attribute { sensitive: true, ..plain };
        let nested = |attributes| {
            let kind = AttributeKind::Nested(NestedType::new(attributes, Nesting::Single, &arena));
            Attribute { kind, ..plain }
        };
        let blocks = |inner| {
            let block = Block::new(inner, &[], &arena);
            &*arena.alloc_slice_copy(&[("x", NestedBlock { nesting: Nesting::List, block })])
        };
        let (plain, secret) = ([("k", plain)], [("k", secret)]);
        let none = Block::default();
        let as_attribute = |attribute| Block::new(arena.alloc_slice_copy(&[("x", attribute)]), &[], &arena);
        let shapes = |inner: &'static str| {
            let of = if inner == "secret" { &secret } else { &plain };
            let kind = AttributeKind::Type(Type::Dynamic);
            let typed = Attribute { kind, sensitive: inner == "secret", write_only: false, required: false };
            [
                Block::new(&[], blocks(arena.alloc_slice_copy(of)), &arena),
                as_attribute(nested(arena.alloc_slice_copy(of))),
                as_attribute(typed),
            ]
        };
        for own in shapes("plain").into_iter().chain([none]) {
            for facts in shapes("secret") {
                let found = crate::schema::Position::Block(joined(own, facts, &arena));
                let x = found.member("x");
                assert!(x.is_sensitive() || x.member("k").is_sensitive(), "{own:?} with {facts:?}");
                assert!(!found.member("y").is_sensitive());
            }
        }
    }
}
