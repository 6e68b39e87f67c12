//! Configurations with modules, references and provisioners, as plans have them.

use super::*;

#[test]
fn instance_keys_are_no_part_of_a_call() {
    assert_eq!(calls(""), [""; 0]);
    assert_eq!(calls("module.a"), ["a"]);
    assert_eq!(calls(r#"module.a["x.y]\"."].module.b[0]"#), ["a", "b"]);
}

#[test]
fn resources_are_found_by_type_and_by_place() {
    let text = r#"{"root_module": {
        "resources": [{"mode": "managed", "type": "t", "name": "x", "expressions": 1},
                      {"mode": "data", "type": "t", "name": "x", "expressions": 2}],
        "module_calls": {"a": {"module": {
            "resources": [{"mode": "managed", "type": "t", "name": "x", "expressions": 3}],
            "module_calls": {"b": {"module": {
                "resources": [{"mode": "managed", "type": "t", "name": "x", "expressions": 4},
                              {"mode": "managed", "type": "t", "name": "none"}]}}}}}}}}"#;
    let configuration: Configuration<'_> = crate::json::from_str(text).unwrap();
    let texts = |mode, resource_type| {
        configuration
            .expressions_of_type(mode, resource_type)
            .iter()
            .map(|raw| raw.text())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts("managed", "t"), ["1", "3", "4"]);
    assert_eq!(texts("data", "t"), ["2"]);
    assert!(texts("managed", "other").is_empty());
    let resource_text = |module: &str, name| {
        configuration
            .resource(configuration.module(module)?, "managed", "t", name)
            .map(Raw::text)
    };
    assert_eq!(resource_text("", "x"), Some("1"));
    assert_eq!(resource_text("module.a[0]", "x"), Some("3"));
    assert_eq!(resource_text(r#"module.a["k"].module.b"#, "x"), Some("4"));
    assert_eq!(
        (
            resource_text("module.b", "x"),
            resource_text("module.a.module.b", "none")
        ),
        (None, None)
    );
}

#[test]
fn arguments_and_outputs_lead_from_module_to_module() {
    let text = r#"{"root_module": {"module_calls": {"a": {"expressions": {"x": 1}, "module": {
        "outputs": {"o": {"expression": 2}},
        "module_calls": {"b": {"expressions": {"y": 3}, "module": {"outputs": {"o": {"expression": 4}}}}}}}}}}"#;
    let configuration: Configuration<'_> = crate::json::from_str(text).unwrap();
    let (a, b) = (
        configuration.module("module.a[0]").unwrap(),
        configuration.module("module.a.module.b[\"k\"]").unwrap(),
    );
    assert_eq!(configuration.module("module.b"), None);
    let text =
        |raw: Option<(ModuleId, Raw<'_>)>| raw.map(|(module, raw)| (module, raw.text().to_owned()));
    assert_eq!(
        text(configuration.arguments(a)),
        Some((ModuleId::ROOT, r#"{"x": 1}"#.to_owned()))
    );
    assert_eq!(
        text(configuration.arguments(b)),
        Some((a, r#"{"y": 3}"#.to_owned()))
    );
    assert_eq!(
        text(configuration.output(ModuleId::ROOT, "a", "o")),
        Some((a, "2".to_owned()))
    );
    assert_eq!(
        text(configuration.output(a, "b", "o")),
        Some((b, "4".to_owned()))
    );
    assert_eq!(
        (
            text(configuration.output(ModuleId::ROOT, "b", "o")),
            text(configuration.arguments(ModuleId::ROOT))
        ),
        (None, None)
    );
}

#[test]
fn version_constraints_have_the_address_of_their_provider() {
    let text = r#"{"provider_config": {
        "a": {"name": "a", "full_name": "registry.example/acme/a", "version_constraint": "~> 1.2"},
        "m:b": {"name": "b", "version_constraint": ">= 3", "expressions": {"x": {}}},
        "c": {"name": "c"}}}"#;
    let configuration: Configuration<'_> = crate::json::from_str(text).unwrap();
    let constraints = configuration.version_constraints();
    let constraints: Vec<_> = constraints
        .iter()
        .map(|(name, range)| (&**name, &**range))
        .collect();
    assert_eq!(
        constraints,
        [("registry.example/acme/a", "~> 1.2"), ("b", ">= 3")]
    );
    let malformed: Configuration<'_> =
        crate::json::from_str(r#"{"provider_config": [1]}"#).unwrap();
    assert!(malformed.version_constraints().is_empty());
}

#[test]
fn what_is_no_configuration_is_not_read() {
    for text in [
        "1",
        "[]",
        r#"{"root_module": 1}"#,
        r#"{"root_module": {"resources": [{"mode": 1}]}}"#,
    ] {
        assert!(
            crate::json::from_str::<Configuration<'_>>(text).is_err(),
            "{text}"
        );
    }
}
