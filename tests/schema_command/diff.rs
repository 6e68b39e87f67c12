//! `tfview schema diff` assigns a severity to each change, and its gate uses it.

use super::{SCHEMAS, schema, schemas};

/// The changes as `SEVERITY PLACE CHANGE` between the schemas and a variant of them.
fn changes(replace: &str, with: &str) -> Vec<String> {
    assert!(SCHEMAS.contains(replace), "{replace}");
    let files = schemas("schema-diff");
    std::fs::write(files.join("new.json"), SCHEMAS.replacen(replace, with, 1)).unwrap();
    let output = schema("diff schemas.json new.json --format json")
        .folder(&files)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let line = |change: &serde_json::Value| {
        format!(
            "{} {} {}",
            text(&change["severity"]),
            text(&change["path"]),
            text(&change["change"])
        )
    };
    document["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(line)
        .collect()
}

#[test]
fn each_change_has_its_severity() {
    for (replace, with, expected) in [
        ("x", "x", &[][..]),
        ("\"Who", "\"Someone who", &[]),
        (
            r#""zip":{"type":"string","optional":true}"#,
            r#""zip":{"type":"number","optional":true}"#,
            &["breaking address.zip type string -> number"],
        ),
        (
            r#""zip":{"type":"string","optional":true}"#,
            r#""zip":{"type":"string","required":true}"#,
            &["breaking address.zip optional -> required"],
        ),
        (
            r#""zip":{"type":"string","optional":true}"#,
            r#""zip":{"type":"string","computed":true}"#,
            &["breaking address.zip optional -> computed"],
        ),
        (
            r#""zip":{"type":"string","optional":true}"#,
            r#""post":{"type":"string","required":true}"#,
            &[
                "breaking address.post attribute added, required",
                "breaking address.zip attribute removed",
            ],
        ),
        (
            r#","zip":{"type":"string","optional":true}"#,
            r#","zip":{"type":"string","optional":true},"more":{"type":"bool","optional":true}"#,
            &["fine address.more attribute added, optional"],
        ),
        (
            r#""customer":{"type":"string","required":true"#,
            r#""customer":{"type":"string","optional":true"#,
            &["fine customer required -> optional"],
        ),
        (
            r#""labels":{"type":["map","string"],"optional":true,"computed":true}"#,
            r#""labels":{"type":["map","string"],"optional":true}"#,
            &["possible labels optional, computed -> optional"],
        ),
        (
            r#""old":{"type":"bool","optional":true,"deprecated":true}"#,
            r#""old":{"type":"bool","optional":true,"sensitive":true}"#,
            &["possible old sensitive", "fine old no longer deprecated"],
        ),
        (
            r#""id":{"type":"string","computed":true}"#,
            r#""id":{"type":"string","computed":true,"deprecated":true}"#,
            &["possible id deprecated"],
        ),
        (
            r#""by":"number""#,
            r#""by":"string""#,
            &["breaking history.by type number -> string"],
        ),
        (
            r#""by":"number"},["by"]"#,
            r#""by":"number","why":"string"},["by"]"#,
            &["fine history.why attribute added, computed"],
        ),
        (
            r#""min_items":1,"max_items":3"#,
            r#""min_items":2,"max_items":2"#,
            &[
                "breaking line min_items 1 -> 2",
                "breaking line max_items 3 -> 2",
            ],
        ),
        (
            r#""min_items":1,"max_items":3"#,
            "\"max_items\":0",
            &[
                "fine line min_items 1 -> 0",
                "fine line max_items 3 -> none",
            ],
        ),
        (
            r#""nesting_mode":"list""#,
            r#""nesting_mode":"set""#,
            &["breaking line type block list -> block set"],
        ),
        (
            r#""shop_order":{"version":2"#,
            r#""shop_order":{"version":3"#,
            &["fine  schema version 2 -> 3"],
        ),
        (
            r#""shop_order":{"version":2"#,
            r#""shop_order":{"version":1"#,
            &["breaking  schema version 2 -> 1: states cannot go back"],
        ),
        (
            "\"shop_cart\"",
            "\"shop_basket\"",
            &["breaking  removed", "fine  added"],
        ),
        (
            r#""return_type":"number""#,
            r#""return_type":"string""#,
            &["breaking  result number -> string"],
        ),
        ("registry.terraform.io/example/shop", "shop", &[]),
    ] {
        assert_eq!(changes(replace, with), expected, "{replace} {with}");
    }
}

#[test]
fn gate_applies_to_a_severity_and_worse_ones() {
    let files = schemas("schema-gate");
    let write = |name: &str, text: String| std::fs::write(files.join(name), text).unwrap();
    write("breaking.json", SCHEMAS.replace("\"zip\"", "\"post\""));
    write(
        "possible.json",
        SCHEMAS.replace("\"zip\":{", "\"zip\":{\"deprecated\":true,"),
    );
    write(
        "fine.json",
        SCHEMAS.replace("\"version\":2", "\"version\":3"),
    );
    for (new, gate, code) in [
        ("schemas.json", "any", 0),
        ("fine.json", "any", 3),
        ("fine.json", "possible", 0),
        ("possible.json", "possible", 3),
        ("possible.json", "breaking", 0),
        ("breaking.json", "breaking", 3),
        ("breaking.json", "possible", 3),
    ] {
        let output = schema(&format!("diff schemas.json {new} --fail-on {gate}"))
            .folder(&files)
            .output();
        assert_eq!(output.code, Some(code), "{new} {gate}: {output}");
    }
    let output = schema("diff schemas.json breaking.json")
        .folder(&files)
        .output();
    insta::assert_snapshot!(output.stdout);
}
