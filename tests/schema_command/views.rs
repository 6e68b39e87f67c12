//! `tfview schema list`, `show` and `search` print schemas in every format, with all text from schemas
//! escaped.

use serde_json::Value;

use super::{schema, schemas};

fn stdout(name: &str, args: &str) -> String {
    let output = schema(args).folder(&schemas(name)).output();
    assert_eq!(output.code, Some(0), "{output}");
    output.stdout
}

#[test]
fn schema_is_a_tree_with_required_members_first() {
    let text = stdout(
        "schema-show",
        "show shop_order --schemas schemas.json --width 80",
    );
    insta::assert_snapshot!(text);
}

#[test]
fn descriptions_have_a_column_on_a_wide_display() {
    let text = stdout(
        "schema-wide",
        "show shop_order --schemas schemas.json --width 140",
    );
    insta::assert_snapshot!(text);
}

#[test]
fn path_selects_a_part_and_its_indices_are_ignored() {
    let text = stdout(
        "schema-part",
        "show shop_order.line[0].sku --schemas schemas.json",
    );
    insta::assert_snapshot!(text, @r"
    resource shop_order.line.sku of registry.terraform.io/example/shop, schema version 2

    string, required
    ");
    let text = stdout(
        "schema-part",
        "show shop_order.history.at --schemas schemas.json",
    );
    insta::assert_snapshot!(text, @r"
    resource shop_order.history.at of registry.terraform.io/example/shop, schema version 2

    string
    ");
}

#[test]
fn functions_have_their_signature() {
    let text = stdout(
        "schema-function",
        "show provider::shop::total --schemas schemas.json --width 80",
    );
    insta::assert_snapshot!(text);
}

#[test]
fn all_kinds_are_listed_and_filtered() {
    let text = stdout("schema-list", "list --schemas schemas.json --width 80");
    insta::assert_snapshot!(text);
    let text = stdout("schema-list", "list data --schemas schemas.json");
    insta::assert_snapshot!(text, @r"
    registry.terraform.io/example/shop
      shop_order  data source

    1 data source
    ");
    let text = stdout(
        "schema-list",
        "list resources *_cart --schemas schemas.json",
    );
    insta::assert_snapshot!(text, @r"
    registry.terraform.io/example/shop
      shop_cart  resource

    1 resource
    ");
    assert!(!text.contains("shop_order"), "{text}");
    let text = stdout("schema-list", "list CART --schemas schemas.json");
    assert_eq!(text, "", "globs are exact in case");
}

#[test]
fn a_search_finds_names_before_descriptions_in_any_case() {
    let text = stdout(
        "schema-search",
        "search ORDER --schemas schemas.json --width 80",
    );
    insta::assert_snapshot!(text);
    let text = stdout(
        "schema-search",
        "search --names ordered --schemas schemas.json",
    );
    assert_eq!(text, "");
}

#[test]
fn markdown_escapes_text_of_schemas() {
    let text = stdout(
        "schema-markdown",
        "show shop_order --schemas schemas.json --format markdown",
    );
    insta::assert_snapshot!(text);
}

#[test]
fn a_misspelt_name_has_a_tip() {
    let mut said = String::new();
    for name in [
        "shop_ordr",
        "shop_order.adress",
        "shop_order.address.sreet",
        "data.shop_cart",
        "something",
    ] {
        let output = schema(&format!("show {name} --schemas schemas.json"))
            .folder(&schemas("schema-tip"))
            .output();
        assert_eq!(output.code, Some(1), "{output}");
        said += &format!("$ tfview schema show {name}\n{}\n", output.stderr);
    }
    insta::assert_snapshot!(said);
}

#[test]
fn missing_schemas_are_an_error_with_tips() {
    let output = schema("list --schemas none").output();
    assert_eq!(output.code, Some(1));
    insta::assert_snapshot!(output.stderr, @r"
    error: there are no schemas to read
      tip: name a file that `tofu providers schema -json` wrote with --schemas, or keep schemas with `tfview schema add`
    ");
}

#[test]
fn standard_input_is_a_schema_file() {
    let output = schema("list provider --schemas -")
        .stdin(super::SCHEMAS)
        .output();
    insta::assert_snapshot!(output.stdout, @r"
    registry.terraform.io/example/shop
      shop  provider

    1 provider
    ");
}

/// No text of a schema may be interpreted by a terminal, a CI system or a Markdown renderer.
#[test]
fn text_of_a_schema_is_never_interpreted() {
    let evil = "\\u001b[2J\\u0007\\u202e\\n::error::x ##vso[y] <b>|`@all`![x](y)\\u009b";
    let text = super::SCHEMAS
        .replace("Who ordered.", evil)
        .replace("shop_cart", &format!("shop_cart{evil}"))
        .replace("\"sku\"", &format!("\"sku{evil}\""));
    for args in [
        "list",
        "show shop_order",
        "search order",
        "search sku",
        "diff - other.json",
    ] {
        for format in ["text", "markdown", "json"] {
            let files = schemas("schema-hostile");
            std::fs::write(files.join("other.json"), super::SCHEMAS).unwrap();
            let source = if args.starts_with("diff") {
                ""
            } else {
                "--schemas -"
            };
            let run = schema(&format!("{args} --format {format} {source}")).stdin(&text);
            let output = run
                .variable("GITHUB_ACTIONS", "true")
                .folder(&files)
                .output();
            assert_eq!(output.code, Some(0), "{output}");
            for out in [&output.stdout, &output.stderr] {
                let plain = strip_styles(out);
                let bad =
                    |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{9b}');
                assert!(!plain.contains(bad), "{args} {format}: {plain:?}");
                assert!(!plain.contains("##vso["), "{args} {format}: {plain}");
                assert!(
                    !out.lines().any(|line| line.trim_start().starts_with("::")),
                    "{args} {format}: {out}"
                );
            }
            if format == "markdown" {
                let parser = pulldown_cmark::Parser::new_ext(
                    &output.stdout,
                    pulldown_cmark::Options::ENABLE_TABLES,
                );
                for event in parser {
                    use pulldown_cmark::{Event, Tag};
                    let acts = matches!(event, Event::Html(_) | Event::InlineHtml(_))
                        || matches!(event, Event::Start(Tag::Image { .. } | Tag::Link { .. }));
                    assert!(!acts, "{args}: {event:?}\n{}", output.stdout);
                }
            }
        }
    }
}

/// Removes the styles of a text. Panics on other escape sequences.
fn strip_styles(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        plain.push_str(&rest[..at]);
        let length = rest[at..].find('m').map_or(0, |end| end + 1);
        let sequence = &rest[at..at + length];
        let is_style = sequence[2..]
            .chars()
            .all(|c| c.is_ascii_digit() || c == ';' || c == 'm');
        assert!(is_style, "{sequence:?}");
        rest = &rest[at + length..];
    }
    plain + rest
}

#[test]
fn plain_text_is_coloured_text_without_its_colours() {
    for args in [
        "list",
        "show shop_order",
        "search order",
        "show provider::shop::total",
    ] {
        let args = format!("{args} --schemas schemas.json --width 80");
        let plain = stdout("schema-colour", &args);
        let coloured = stdout("schema-colour", &format!("{args} --color always"));
        assert!(coloured.contains("\x1b["), "{args}");
        assert_eq!(strip_styles(&coloured), plain, "{args}");
    }
}

#[test]
fn broken_schema_is_an_error_and_the_others_are_listed() {
    let broken = super::SCHEMAS.replace("\"nesting_mode\":\"list\"", "\"nesting_mode\":\"heap\"");
    let output = schema("list --schemas -").stdin(broken).output();
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stdout, @r"
    registry.terraform.io/example/shop
      shop        provider
      shop_cart   resource
      shop_order  data source
      total       function     Sums prices.
      shop_order  identity

    1 provider, 1 resource, 1 data source, 1 function, 1 identity
    ");
    insta::assert_snapshot!(output.stderr, @r#"error: 1 schema cannot be read: registry.terraform.io/example/shop.resource_schemas.shop_order.block.block_types.line.nesting_mode: unknown nesting mode "heap""#);
}

#[test]
fn json_matches_its_schema() {
    let other = super::SCHEMAS.replace("\"zip\"", "\"postcode\"");
    let files = schemas("schema-json");
    std::fs::write(files.join("other.json"), other).unwrap();
    std::fs::write(files.join("spec.json"), r#"{"provider":{"name":"Bad"}}"#).unwrap();
    for (args, code, list) in [
        ("list --schemas schemas.json", 0, "list"),
        ("show shop_order --schemas schemas.json", 0, "schemas"),
        ("show shop_order.line --schemas schemas.json", 0, "schemas"),
        ("show function.total --schemas schemas.json", 0, "schemas"),
        ("search order --schemas schemas.json", 0, "found"),
        ("check spec.json", 1, "findings"),
        ("diff schemas.json other.json", 0, "changes"),
    ] {
        let output = schema(&format!("{args} --format json"))
            .folder(&files)
            .output();
        assert_eq!(output.code, Some(code), "{args}: {output}");
        crate::json_schema::validate("schema", &output.stdout, args);
        let document: Value = serde_json::from_str(&output.stdout).unwrap();
        assert!(!document[list].as_array().unwrap().is_empty(), "{args}");
    }
}
