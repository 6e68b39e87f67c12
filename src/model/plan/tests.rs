use super::*;

fn changed(change: &str) -> (String, String, String) {
    let text = format!(r#"{{"resource_changes":[{change}],"resource_drift":[{change}]}}"#);
    let plan: Plan<'_> = from_str(&text).unwrap();
    let [change, drift] = [&plan.resource_changes[0], &plan.resource_drift[0]];
    assert_eq!(change.address, drift.address);
    (
        change.address.to_string(),
        change.resource_type.to_string(),
        change.name.to_string(),
    )
}

#[test]
fn what_a_change_does_not_say_is_built_from_its_parts() {
    for (change, address, kind, name) in [
        (r#"{"type":"t_a","name":"n"}"#, "t_a.n", "t_a", "n"),
        (
            r#"{"type":"t_a","name":"n","index":3}"#,
            "t_a.n[3]",
            "t_a",
            "n",
        ),
        (
            r#"{"type":"t_a","name":"n","index":"k.x","module_address":"module.m"}"#,
            r#"module.m.t_a.n["k.x"]"#,
            "t_a",
            "n",
        ),
        (
            r#"{"type":"t_a","name":"n","mode":"data"}"#,
            "data.t_a.n",
            "t_a",
            "n",
        ),
        (
            r#"{"type":"t_a","name":"n","mode":"odd"}"#,
            "odd.t_a.n",
            "t_a",
            "n",
        ),
        (r#"{"address":"t_a.n"}"#, "t_a.n", "t_a", "n"),
        (
            r#"{"address":"module.m[\"a.b\"].data.t_a.n[\"x.[y\"]"}"#,
            r#"module.m["a.b"].data.t_a.n["x.[y"]"#,
            "t_a",
            "n",
        ),
        (
            r#"{"address":"module.m[\"a.b\"].t_a.n"}"#,
            r#"module.m["a.b"].t_a.n"#,
            "t_a",
            "n",
        ),
        (r#"{"address":"n"}"#, "n", "", ""),
    ] {
        let parts = changed(change);
        assert_eq!(
            (&*parts.0, &*parts.1, &*parts.2),
            (address, kind, name),
            "{change}"
        );
    }
}

#[test]
fn flags_where_the_format_has_a_key_or_an_object_are_read() {
    for (flag, deposed, imported) in [
        ("true", "of unknown key", true),
        ("false", "", false),
        ("null", "", false),
    ] {
        let text = format!(
            r#"{{"resource_changes":[{{"deposed":{flag},"change":{{"actions":["delete"],"importing":{flag}}}}}]}}"#
        );
        let plan: Plan<'_> = from_str(&text).unwrap();
        let change = &plan.resource_changes[0];
        assert_eq!(
            (&*change.deposed, change.is_imported()),
            (deposed, imported),
            "{flag}"
        );
    }
    let text = r#"{"resource_changes":[{"deposed":"ab\u0063","change":{"importing":{"id":"i"}}}]}"#;
    let plan: Plan<'_> = from_str(text).unwrap();
    let change = &plan.resource_changes[0];
    assert_eq!(&*change.deposed, "abc");
    assert_eq!(
        change
            .change
            .importing
            .as_ref()
            .map(|importing| &*importing.id),
        Some("i")
    );
}
