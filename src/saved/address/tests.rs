use super::*;

#[test]
fn addresses_are_taken_apart() {
    let text = r#"module.a["x.y\"]"].module.b[2].data.t_u.n["k\n$${v}\u00e9"]"#;
    let address = Address::parse(text).unwrap();
    assert_eq!(address.module, r#"module.a["x.y\"]"].module.b[2]"#);
    assert_eq!(
        (address.mode, address.kind, address.name),
        ("data", "t_u", "n")
    );
    assert_eq!(address.key, Some(Key::Text("k\n${v}é".to_owned())));
    let address = Address::parse("t.n[*]").unwrap();
    assert_eq!((address.mode, address.key), ("managed", None));
    for wrong in [
        "", "t", "t.n[", "t.n[x]", "t.n[\"a", "module.a", "t..n", "a.b.c.d", "t.n[0]x",
    ] {
        assert!(Address::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn providers_are_named_by_every_release() {
    for (address, expected) in [
        (
            r#"provider["registry.terraform.io/hashicorp/aws"]"#,
            "registry.terraform.io/hashicorp/aws",
        ),
        (
            r#"module.a["x.y"].module.provider.provider["registry.opentofu.org/hashicorp/aws"].by["eu"]"#,
            "registry.opentofu.org/hashicorp/aws",
        ),
        ("provider.aws", "registry.terraform.io/-/aws"),
        ("provider.aws.west", "registry.terraform.io/-/aws"),
        ("module.net.provider.aws", "registry.terraform.io/-/aws"),
        ("provider.terraform", "terraform.io/builtin/terraform"),
    ] {
        assert_eq!(provider_name(address).unwrap(), expected, "{address}");
    }
    for address in [
        "",
        "provider",
        "aws",
        "module.a",
        "provider[0]",
        "provider[\"a",
    ] {
        assert!(provider_name(address).is_err(), "{address}");
    }
}
