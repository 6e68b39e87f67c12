use super::*;

#[test]
fn an_address_selects_what_it_names_as_a_whole() {
    for (typed, address, expected) in [
        ("t.a", "t.a", true),
        ("t.a", "t.a[0]", true),
        ("t.a", r#"t.a["x.y"]"#, true),
        ("t.a", "t.ab", false),
        ("t.a[0]", "t.a[1]", false),
        ("t.a[0]", "t.a", false),
        (r#"t.a["x.y"]"#, r#"t.a["x.y"]"#, true),
        ("t", "t.a", false),
        ("data.t", "data.t.a", false),
        ("t.a", "data.t.a", false),
        ("t.a", "module.m.t.a", false),
        ("module.m", "module.m.t.a", true),
        ("module.m", r#"module.m["k"].module.n[0].t.a[1]"#, true),
        (r#"module.m["k"]"#, r#"module.m["l"].t.a"#, false),
        ("module.m.t.a", "module.m[0].t.a[1]", true),
        ("module.m", "module.mm.t.a", false),
        ("module", "module.m.t.a", false),
        ("", "t.a", false),
        (" t.a ", "t.a", true),
        (r#"t.a["\"]."]"#, r#"t.a["\"]."]"#, true),
    ] {
        assert_eq!(
            AddressSelector::new(typed).matches(address),
            expected,
            "{typed} {address}"
        );
    }
}

#[test]
fn an_address_has_a_module_a_resource_and_a_block() {
    for (address, module, resource, block) in [
        ("t.a", "", "t.a", "t.a"),
        ("data.t.a[0]", "", "data.t.a", "data.t.a"),
        (
            r#"module.m["x.y"].module.n.t.a["]."]"#,
            r#"module.m["x.y"].module.n"#,
            r#"module.m["x.y"].module.n.t.a"#,
            "module.m.module.n.t.a",
        ),
        ("module.m", "", "module.m", "module.m"),
        ("", "", "", ""),
        ("[0]", "", "", ""),
    ] {
        assert_eq!(
            (
                module_of(address),
                resource_address(address),
                &*block_address(address)
            ),
            (module, resource, block)
        );
    }
}

#[test]
fn a_module_is_called_step_by_step() {
    let module = r#"module.a["x.y"].module.b.module.c[0]"#;
    assert_eq!(module_calls("", 8), [""; 0]);
    assert_eq!(module_calls("module.a", 8), ["module.a"]);
    assert_eq!(
        module_calls(module, 8),
        [r#"module.a["x.y"]"#, "module.b", "module.c[0]"]
    );
    assert_eq!(
        module_calls(module, 2),
        [r#"module.a["x.y"]"#, "module.b.module.c[0]"]
    );
    assert_eq!(module_calls("nonsense", 8), ["nonsense"]);
}
