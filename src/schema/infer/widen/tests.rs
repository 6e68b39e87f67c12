use super::*;

#[test]
fn what_held_secrets_is_one_when_it_has_another_form() {
    let arena = Bump::new();
    let password = Attribute {
        sensitive: true,
        ..dynamic(false)
    };
    let attributes = [("password", password)];
    let inner = Block::new(&attributes, &[], &arena);
    let nested = NestedBlock {
        nesting: Nesting::List,
        block: inner,
    };
    let blocks = [("login", nested)];
    let kind = AttributeKind::Nested(nested);
    let attributes = [(
        "users",
        Attribute {
            kind,
            ..dynamic(false)
        },
    )];
    let shape = Block::new(&attributes, &blocks, &arena);
    let before = crate::json::parse(r#"{"login":{"password":"x"},"users":"y"}"#, &arena).unwrap();
    let (widened, is_covering) = widened(
        shape,
        Values {
            before,
            ..Values::default()
        },
        &arena,
    );
    assert_eq!(
        widened.attributes,
        [("login", dynamic(true)), ("users", dynamic(true))]
    );
    assert!(widened.blocks.is_empty() && !is_covering);
}
