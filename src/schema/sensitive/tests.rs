use super::*;
use crate::schema::Nesting;

#[test]
fn secrets_of_both_are_secrets_at_every_depth() {
    let arena = Bump::new();
    let plain = Attribute {
        kind: AttributeKind::Type(Type::String),
        sensitive: false,
        write_only: false,
        required: false,
    };
    let secret = Attribute {
        sensitive: true,
        ..plain
    };
    let nested = |attributes| Attribute {
        kind: AttributeKind::Nested(NestedBlock {
            nesting: Nesting::List,
            block: Block::new(attributes, &[], &arena),
        }),
        ..plain
    };
    let block = |attributes, inner| {
        let inner = Block::new(inner, &[], &arena);
        let blocks = arena.alloc_slice_copy(&[(
            "in",
            NestedBlock {
                nesting: Nesting::Set,
                block: inner,
            },
        )]);
        Block::new(attributes, blocks, &arena)
    };
    let (a, b) = ([("x", plain), ("y", secret)], [("x", secret), ("y", plain)]);
    let both = [("x", secret), ("y", secret)];
    let (layout, facts) = (
        [("n", nested(&a)), ("x", plain)],
        [("n", nested(&b)), ("x", secret)],
    );
    let expected = [("n", nested(&both)), ("x", secret)];
    assert_eq!(
        joined(block(&layout, &a), block(&facts, &b), &arena),
        block(&expected, &both)
    );
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
    let secret = Attribute {
        sensitive: true,
        ..plain
    };
    let nested = |attributes| {
        let kind = AttributeKind::Nested(NestedBlock {
            nesting: Nesting::Single,
            block: Block::new(attributes, &[], &arena),
        });
        Attribute { kind, ..plain }
    };
    let blocks = |inner| {
        let block = Block::new(inner, &[], &arena);
        &*arena.alloc_slice_copy(&[(
            "x",
            NestedBlock {
                nesting: Nesting::List,
                block,
            },
        )])
    };
    let (plain, secret) = ([("k", plain)], [("k", secret)]);
    let none = Block::default();
    let as_attribute =
        |attribute| Block::new(arena.alloc_slice_copy(&[("x", attribute)]), &[], &arena);
    let shapes = |inner: &'static str| {
        let of = if inner == "secret" { &secret } else { &plain };
        let kind = AttributeKind::Type(Type::Dynamic);
        let typed = Attribute {
            kind,
            sensitive: inner == "secret",
            write_only: false,
            required: false,
        };
        [
            Block::new(&[], blocks(arena.alloc_slice_copy(of)), &arena),
            as_attribute(nested(arena.alloc_slice_copy(of))),
            as_attribute(typed),
        ]
    };
    for layout in shapes("plain").into_iter().chain([none]) {
        for facts in shapes("secret") {
            let joined_schema = crate::schema::Position::Block(joined(layout, facts, &arena));
            let x = joined_schema.member("x");
            assert!(
                x.is_sensitive() || x.member("k").is_sensitive(),
                "{layout:?} with {facts:?}"
            );
            assert!(!joined_schema.member("y").is_sensitive());
        }
    }
}
