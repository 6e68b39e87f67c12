//! Adds sensitive flags to a schema that may be of another version of the provider than the plan.
//!
//! A value that the built-in schema declares sensitive is sensitive, even if the given schema does not say
//! so: a cached schema may be older. Values that the given schema declares sensitive remain so.

use bumpalo::Bump;

use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, NestedType};

type Named<'s, T> = &'s [(&'s str, T)];

/// `block`, with the sensitive flags of `facts` added to its own.
pub(super) fn joined<'s>(block: Block<'s>, facts: Block<'_>, arena: &'s Bump) -> Block<'s> {
    let blocks = block.blocks.iter().map(|(name, nested)| {
        let known = find(facts.blocks, name);
        let inner = known.map_or(nested.block, |known| joined(nested.block, known.block, arena));
        (*name, NestedBlock { block: inner, ..*nested })
    });
    let blocks = arena.alloc_slice_fill_iter(blocks.collect::<Vec<_>>());
    Block::new(attributes(block.attributes, facts.attributes, arena), blocks, arena)
}

fn attributes<'s>(
    own: Named<'s, Attribute<'s>>,
    facts: &[(&str, Attribute<'_>)],
    arena: &'s Bump,
) -> Named<'s, Attribute<'s>> {
    let joined = own.iter().map(|(name, attribute)| {
        let known = find(facts, name);
        (*name, known.map_or(*attribute, |known| self::attribute(*attribute, known, arena)))
    });
    arena.alloc_slice_fill_iter(joined.collect::<Vec<_>>())
}

fn attribute<'s>(own: Attribute<'s>, facts: Attribute<'_>, arena: &'s Bump) -> Attribute<'s> {
    let kind = match (own.kind, facts.kind) {
        (AttributeKind::Nested(nested), AttributeKind::Nested(known)) => {
            let attributes = attributes(nested.attributes, known.attributes, arena);
            AttributeKind::Nested(NestedType::new(attributes, nested.nesting, arena))
        }
        (kind, _) => kind,
    };
    Attribute { kind, sensitive: own.sensitive || facts.sensitive, ..own }
}

fn find<T: Copy>(all: &[(&str, T)], name: &str) -> Option<T> {
    let at = all.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    all.get(at).map(|(_, found)| *found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Nesting, Type};

    #[test]
    fn secrets_of_both_are_secrets_at_every_depth() {
        let arena = Bump::new();
        let plain =
            Attribute { kind: AttributeKind::Type(Type::String), sensitive: false, write_only: false };
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
}
