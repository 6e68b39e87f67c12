use super::*;

#[test]
fn every_type_can_be_read() {
    assert!(FILE.len() <= 500_000, "{} bytes", FILE.len());
    let mut count = 0;
    for provider in &index().unwrap().providers {
        for part in &provider.parts {
            let text = part.text().unwrap();
            assert!(
                text.starts_with(&format!("\n{} ", part.first)),
                "{}",
                part.first
            );
            for (name, kind) in types(text) {
                let arena = Bump::new();
                let block = block(provider.schema(kind, name).unwrap(), &arena);
                assert!(block.is_some_and(is_sorted), "{name}");
                assert!(
                    name.contains('_'),
                    "{name} is no type, but the configuration of a provider"
                );
                count += 1;
            }
        }
    }
    assert!(count > 6_000, "{count} types");
}

/// Whether attributes and blocks are sorted, as binary searches by name require.
fn is_sorted(block: Block<'_>) -> bool {
    block.attributes.is_sorted_by(|one, next| one.0 < next.0)
        && block.blocks.is_sorted_by(|one, next| one.0 < next.0)
        && block
            .blocks
            .iter()
            .all(|(_, nested)| is_sorted(nested.block))
}

#[test]
fn schemas_are_those_of_the_provider_and_its_beta_but_of_no_fork() {
    let has_instances =
        |provider| text(provider, SchemaKind::Resource, "google_compute_instance").is_some();
    assert!(has_instances("registry.terraform.io/hashicorp/google"));
    assert!(has_instances("registry.opentofu.org/hashicorp/google-beta"));
    assert!(has_instances("registry.terraform.io/-/google"));
    assert!(has_instances("google"));
    assert!(has_instances(""));
    assert!(!has_instances("registry.terraform.io/fork/google"));
    assert!(!has_instances("aws"));
}

#[test]
fn each_provider_has_a_version_and_a_name_of_its_own() {
    let mut last: Vec<&str> = providers()
        .filter_map(|provider| provider.name.rsplit('/').next())
        .collect();
    assert!(providers().all(|provider| !provider.version.is_empty()));
    last.sort_unstable();
    assert!(
        last.windows(2).all(|pair| pair[0] != pair[1]),
        "a default namespace means any of them"
    );
}

#[test]
fn the_tools_own_provider_is_known_by_each_of_its_names() {
    for name in [
        "terraform.io/builtin/terraform",
        "",
        "terraform",
        "registry.terraform.io/-/terraform",
    ] {
        assert!(is_of_the_tool(name, "terraform_data"), "{name:?}");
    }
    assert!(!is_of_the_tool(
        "registry.terraform.io/acme/terraform",
        "terraform_data"
    ));
    assert!(!is_of_the_tool("", "null_resource"));
}

#[test]
fn a_block_has_its_attributes_and_blocks() {
    let arena = Bump::new();
    let text = "{a !LMs\nb ?&e{c {d n\n}\n}\ne (sb)\nf %g{g d\n}\n}\nnext R{}";
    let block = block(text, &arena).unwrap();
    let [(_, a), (_, b), (_, e)] = block.attributes else {
        panic!("{block:?}")
    };
    assert_eq!(
        a.kind,
        AttributeKind::Type(Type::List(&Type::Map(&Type::String)))
    );
    assert!(a.sensitive && !a.write_only && b.write_only);
    let AttributeKind::Nested(b) = b.kind else {
        panic!("{b:?}")
    };
    assert_eq!((b.nesting, b.block.attributes[0].0), (Nesting::Set, "c"));
    assert_eq!(
        e.kind,
        AttributeKind::Type(Type::Tuple(&[Type::String, Type::Bool]))
    );
    let [("f", f)] = block.blocks else {
        panic!("{block:?}")
    };
    assert_eq!((f.nesting, f.block.attributes[0].0), (Nesting::Group, "g"));
}

#[test]
fn what_is_malformed_is_no_block() {
    let arena = Bump::new();
    for text in [
        "",
        "{",
        "{a",
        "{a s",
        "{a s}",
        "{a x\n}",
        "{a %x{}\n}",
        "{a &l\n}",
        "{a (s\n}",
    ] {
        assert_eq!(block(text, &arena), None, "{text:?}");
    }
}
