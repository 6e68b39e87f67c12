//! The library prints the same text as the tools, and the data that it serializes contains no secret.

use std::fs;
use std::path::{Path, PathBuf};

use tfview::{Format, Plan, PlanDiff, Review, ReviewOptions, Schemas, State, TextOptions};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/goldens")
        .join(name)
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

fn schemas(folder: &Path) -> Schemas {
    let mut schemas = Schemas::new();
    schemas.add(read(folder, "schema.json")).unwrap();
    schemas
}

#[test]
fn text_equals_that_of_the_tools() {
    let mut compared = 0;
    for folder in fs::read_dir(golden(""))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .take(60)
    {
        let is_plan = folder.join("plan.txt").exists() && folder.join("schema.json").exists();
        let meta = fs::read_to_string(folder.join("meta.json")).unwrap_or_default();
        if !is_plan || meta.contains("plan_flags\": [\"") || meta.contains("opentofu") {
            continue;
        }
        let text = read(&folder, "plan.json");
        let plan = Plan::parse(&text).unwrap();
        let (mut text, schemas) = (Vec::new(), schemas(&folder));
        PlanDiff::new(&plan, &schemas)
            .write_text(&TextOptions::default(), &mut text)
            .unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            read(&folder, "plan.txt"),
            "{}",
            folder.display()
        );
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}

/// A plan with secrets under every kind of sensitivity mark.
const SECRETS: &str = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{
    "address":"shop_order.a","mode":"managed","type":"shop_order","name":"a","provider_name":"example.com/acme/shop",
    "change":{"actions":["update"],
        "before":{"id":"a","key":"TOKEN-1","map":{"k":"TOKEN-2"},"list":["TOKEN-3"],"block":[{"x":"TOKEN-4"}],"whole":{"y":"TOKEN-5"}},
        "after":{"id":"a","key":"TOKEN-6","map":{"k":"v"},"list":["w","TOKEN-7"],"block":[{"x":"z"}],"whole":{"y":"TOKEN-8"}},
        "before_sensitive":{"key":true,"map":{"k":true},"list":[true],"block":[{"x":true}],"whole":true},
        "after_sensitive":{"key":true,"list":[false,true],"whole":true}}}]}"#;

#[test]
fn serialized_data_contains_no_secret() {
    let plan = Plan::parse(SECRETS).unwrap();
    let schemas = Schemas::new();
    let trees =
        serde_json::to_string(&PlanDiff::new(&plan, &schemas).resources().unwrap()).unwrap();
    let review = Review::new(&plan, &schemas, ReviewOptions::default()).unwrap();
    let mut texts = vec![trees, serde_json::to_string(&review).unwrap()];
    for format in [
        Format::Text,
        Format::StyledText,
        Format::Markdown,
        Format::Html,
        Format::Json,
    ] {
        let mut text = Vec::new();
        review.write(format, &mut text).unwrap();
        texts.push(String::from_utf8(text).unwrap());
    }
    for text in texts {
        assert!(text.contains("key") && !text.contains("TOKEN"), "{text}");
    }
}

#[test]
fn visit_reports_address_and_action() {
    let text = SECRETS.replace("TOKEN-6", "TOKEN-1");
    let plan = Plan::parse(&text).unwrap();
    let schemas = Schemas::new();
    let mut addresses = Vec::new();
    PlanDiff::new(&plan, &schemas)
        .visit(|change, diff| {
            addresses.push((change.address.to_string(), diff.action));
            Ok(())
        })
        .unwrap();
    assert_eq!(
        addresses,
        [("shop_order.a".to_owned(), tfview::tree::DiffAction::Update)]
    );
}

#[test]
fn invalid_documents_are_rejected() {
    for (text, expected) in [
        ("", "the document ends"),
        ("[]", "expected an object"),
        ("{}", "format_version"),
        (
            r#"{"format_version":"2.0"}"#,
            "format version 2.0 is not supported",
        ),
        (
            r#"{"format_version":"1.2","resource_changes":[1]}"#,
            "at byte",
        ),
    ] {
        let error = Plan::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    assert!(State::parse("{}").is_err());
    assert!(Schemas::new().add("{}").is_err());
}

#[test]
fn deepest_document_does_not_need_the_callers_stack() {
    let value = format!("{}1{}", "[".repeat(900), "]".repeat(900));
    let change = format!(r#"{{"actions":["create"],"before":null,"after":{value}}}"#);
    let text = format!(r#"{{"format_version":"1.2","output_changes":{{"deep":{change}}}}}"#);
    let plan = Plan::parse(&text).unwrap();
    assert!(plan.has_changes().unwrap());
    let mut out = Vec::new();
    PlanDiff::new(&plan, &Schemas::new())
        .write_text(&TextOptions::default(), &mut out)
        .unwrap();
    assert!(!out.is_empty());
}

#[test]
fn entries_and_findings_are_typed() {
    let text = r#"{"format_version":"1.2","resource_changes":[{"address":"aws_security_group_rule.a",
        "mode":"managed","type":"aws_security_group_rule","name":"a",
        "provider_name":"registry.terraform.io/hashicorp/aws","change":{"actions":["update"],
        "before":{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22,"cidr_blocks":["10.0.0.0/8"]},
        "after":{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22,"cidr_blocks":["0.0.0.0/0"]}}}]}"#;
    let plan = Plan::parse(text).unwrap();
    let schemas = Schemas::new();
    let review = Review::new(&plan, &schemas, ReviewOptions::default()).unwrap();
    let [entry] = review.resources() else {
        unreachable!("one entry")
    };
    assert_eq!(entry.address, "aws_security_group_rule.a");
    assert_eq!(entry.kind, tfview::ChangeKind::Update);
    assert!(
        entry
            .changed
            .iter()
            .all(|path| path.starts_with("cidr_blocks")),
        "{entry:?}"
    );
    assert_eq!(entry.findings[0].kind, tfview::FindingKind::Exposure);
    assert!(entry.findings[0].text.contains("0.0.0.0/0"), "{entry:?}");
    assert!(review.drift().is_empty());
}
