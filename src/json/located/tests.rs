use super::*;

#[test]
fn names_keys_and_indices() {
    let text = r#"{"provider_schemas":{"a/b c":[{"d":nope}]}}"#;
    assert_eq!(
        locate(text, text.find("nope").unwrap()),
        r#"provider_schemas["a/b c"][0].d"#
    );
    assert_eq!(
        locate(r#"{"mode":1,"resource_changes":[1,2,{"x""#, 37),
        "resource_changes[2]"
    );
    assert_eq!(locate("[[[[[[", 3), "[0][0][0]");
}

#[test]
fn no_path_leads_into_values() {
    for (before, expected) in [
        (
            r#"{"values":{"root_module":{"resources":[{"values":{"a":{"key":"#,
            "values.root_module.resources[0].values",
        ),
        (
            r#"{"resource_changes":[{"change":{"after":{"a":[{"key":"#,
            "resource_changes[0].change.after",
        ),
        (
            r#"{"resource_changes":[{"change":{"after":[1,{"a":[{"key":"#,
            "resource_changes[0].change.after[1]",
        ),
        (
            r#"{"resource_changes":[{"change":{"before_sensitive":{"key":"#,
            "resource_changes[0].change.before_sensitive",
        ),
        (
            r#"{"resource_changes":[{"change":{"key":{"after":"#,
            "resource_changes[0].change",
        ),
        (
            r#"{"output_changes":{"a":{"after":{"key":"#,
            "output_changes",
        ),
        (
            r#"{"values":{"outputs":{"a":{"value":{"key":"#,
            "values.outputs",
        ),
        (r#"{"planned_values":{"key":{"#, "planned_values"),
        (r#"{"key":{"#, ""),
    ] {
        assert_eq!(locate(&format!("{before}nope"), before.len()), expected);
    }
}
