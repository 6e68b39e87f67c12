//! The library: it prints what the tools print, keeps secrets, needs no large stack for real documents, and its examples
//! run. `public.rs` holds the list of what is public.

mod examples;
mod formats;
mod program;
mod public;
mod runs;

use std::fs;
use std::path::{Path, PathBuf};

use tfview::{
    ChangeKind, Comparison, ComparisonOptions, ComparisonVerdict, DiffAction, FindingKind, Format,
    Plan, Review, ReviewOptions, Schemas, State, TextOptions, Value,
};

use super::random::some_fixtures;

pub(super) fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/goldens")
        .join(name)
}

pub(super) fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

fn schemas(folder: &Path) -> Schemas {
    let mut schemas = Schemas::new();
    schemas.add(read(folder, "schema.json")).unwrap();
    schemas
}

/// The text of a plan, in a format.
fn text_of(plan: &Plan, format: Format) -> String {
    let mut text = Vec::new();
    plan.write_text(format, &TextOptions::default(), &mut text)
        .unwrap();
    String::from_utf8(text).unwrap()
}

fn parse(text: &str) -> Plan {
    Plan::parse(text, &Schemas::new()).unwrap()
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
        let plan = Plan::parse(read(&folder, "plan.json"), &schemas(&folder)).unwrap();
        let expected = read(&folder, "plan.txt");
        assert_eq!(
            text_of(&plan, Format::Text),
            expected,
            "{}",
            folder.display()
        );
        let styled = plan.text(&TextOptions::default()).unwrap();
        assert_eq!(styled.to_string(), expected, "{}", folder.display());
        let mut ansi = Vec::new();
        styled.write(Format::StyledText, &mut ansi).unwrap();
        let ansi = String::from_utf8(ansi).unwrap();
        assert_eq!(without_styles(&ansi), expected, "{}", folder.display());
        assert!(ansi.contains("\u{1b}[1m"), "{}", folder.display());
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}

fn without_styles(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').unwrap().1);
    }
    plain
}

/// A plan with secrets under every kind of sensitivity mark.
pub(super) const SECRETS: &str = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{
    "address":"shop_order.a","mode":"managed","type":"shop_order","name":"a","provider_name":"example.com/acme/shop",
    "change":{"actions":["update"],
        "before":{"id":"a","key":"TOKEN-1","map":{"k":"TOKEN-2"},"list":["TOKEN-3"],"block":[{"x":"TOKEN-4"}],"whole":{"y":"TOKEN-5"}},
        "after":{"id":"a","key":"TOKEN-6","map":{"k":"v"},"list":["w","TOKEN-7"],"block":[{"x":"z"}],"whole":{"y":"TOKEN-8"}},
        "before_sensitive":{"key":true,"map":{"k":true},"list":[true],"block":[{"x":true}],"whole":true},
        "after_sensitive":{"key":true,"list":[false,true],"whole":true}}}]}"#;

#[test]
fn nothing_that_the_library_gives_contains_a_secret() {
    let plan = parse(SECRETS);
    let review = Review::new(&plan, ReviewOptions::default()).unwrap();
    let other = parse(&SECRETS.replace("TOKEN-6", "TOKEN-9"));
    let comparison = Comparison::new(&plan, &other, ComparisonOptions::default()).unwrap();
    let mut texts = vec![
        serde_json::to_string(&plan.resource_diffs().unwrap()).unwrap(),
        serde_json::to_string(&review).unwrap(),
        format!("{:?}", review.changes()),
        format!("{:?}", comparison.differences()),
        format!("{:?}", plan.text(&TextOptions::default()).unwrap()),
        format!("{:?}", review.text().unwrap()),
    ];
    for format in formats::ALL {
        texts.push(text_of(&plan, format));
        let mut text = Vec::new();
        review.write(format, &mut text).unwrap();
        texts.push(String::from_utf8(text).unwrap());
        let mut text = Vec::new();
        comparison.write(format, &mut text).unwrap();
        texts.push(String::from_utf8(text).unwrap());
    }
    for text in &texts {
        assert!(
            text.contains("shop_order.a") && !text.contains("TOKEN"),
            "{text}"
        );
    }
    // They would be seen.
    let mut options = ReviewOptions::default();
    options.show_sensitive = true;
    let review = Review::new(&plan, options).unwrap();
    assert!(format!("{:?}", review.changes()).contains("TOKEN-6"));
    for debug in [
        format!("{plan:?}"),
        format!("{review:?}"),
        format!("{comparison:?}"),
    ] {
        assert!(!debug.contains("TOKEN"), "{debug}");
    }
}

#[test]
fn differences_are_trees_of_own_types() {
    let plan = parse(&SECRETS.replace("TOKEN-6", "TOKEN-1"));
    let diffs = plan.resource_diffs().unwrap();
    assert_eq!(diffs.len(), 1);
    assert_eq!(diffs[0].address, "shop_order.a");
    assert_eq!(diffs[0].diff.action, DiffAction::Update);
    let json = serde_json::to_value(&diffs).unwrap();
    assert_eq!(json[0]["diff"]["kind"], "block");
    assert_eq!(json[0]["diff"]["attributes"]["key"]["kind"], "sensitive");
}

#[test]
fn invalid_documents_are_rejected() {
    let mut errors = String::new();
    for text in [
        "",
        "[]",
        "{}",
        r#"{"format_version":"2.0"}"#,
        r#"{"format_version":"1.2","resource_changes":[1]}"#,
    ] {
        let error = Plan::parse(text, &Schemas::new()).unwrap_err().to_string();
        errors += &format!("{text}: {error}\n");
    }
    insta::assert_snapshot!(errors, @r#"
    : the document ends in the middle of a value, at byte 0
    []: expected an object, found an array, at byte 0
    {}: the document is an empty object, not a plan
    {"format_version":"2.0"}: format version 2.0 is not supported, only 0.1 to 1.x
    {"format_version":"1.2","resource_changes":[1]}: expected an object, found a number, at byte 44
    "#);
    assert!(State::parse("{}", &Schemas::new()).is_err());
    let state = r#"{"format_version":"1.0","values":{}}"#;
    let error = Plan::parse(state, &Schemas::new()).unwrap_err().to_string();
    assert_eq!(error, "the document is a state, not a plan");
    let plan = r#"{"format_version":"1.2","resource_changes":[]}"#;
    let error = State::parse(plan, &Schemas::new()).unwrap_err().to_string();
    assert_eq!(error, "the document is a plan, not a state");
    assert!(Schemas::new().add("{}").is_err());
    assert!(Plan::from_bytes(*b"\xff\x80nonsense", &Schemas::new()).is_err());
    assert!(Plan::from_bytes(*b"PK\x03\x04nonsense", &Schemas::new()).is_err());
}

#[test]
fn deepest_document_does_not_need_the_callers_stack() {
    let value = format!("{}1{}", "[".repeat(900), "]".repeat(900));
    let change = format!(r#"{{"actions":["create"],"before":null,"after":{value}}}"#);
    let text = format!(r#"{{"format_version":"1.2","output_changes":{{"deep":{change}}}}}"#);
    let plan = parse(&text);
    assert!(plan.has_changes().unwrap());
    assert!(!text_of(&plan, Format::Text).is_empty());
    let review = Review::new(&plan, ReviewOptions::default()).unwrap();
    assert_eq!(review.outputs().len(), 1);
    for format in formats::ALL {
        review.write(format, std::io::sink()).unwrap();
    }
}

/// A nested list in an attribute, an output and JSON in a string.
fn nested(depth: usize) -> String {
    let value = |last: &str| format!("{}{last}{}", "[".repeat(depth), "]".repeat(depth));
    let text = |last: &str| format!("\"{}\"", value(last));
    let object = |last: &str| format!(r#"{{"list":{},"json":{}}}"#, value(last), text(last));
    format!(
        r#"{{"format_version":"1.2","resource_changes":[{{"address":"shop_order.a","mode":"managed",
        "type":"shop_order","name":"a","provider_name":"example.com/acme/shop","change":{{"actions":["update"],
        "before":{},"after":{}}}}}],"output_changes":{{"o":{{"actions":["update"],"before":{},"after":{}}}}}}}"#,
        object("1"),
        object("2"),
        value("1"),
        value("2")
    )
}

/// A document that is not deep is read, compared and written with a stack of this size, and so without another thread.
#[test]
fn shallow_document_needs_little_stack() {
    const STACK: usize = 1 << 20;
    let outer = 6; // document, changes, change, `change`, object, and the string
    let text = nested(tfview::internals::stack::SHALLOW - outer);
    assert!(tfview::internals::json::depth(&text) <= tfview::internals::stack::SHALLOW);
    assert!(
        tfview::internals::json::depth(&nested(tfview::internals::stack::SHALLOW))
            > tfview::internals::stack::SHALLOW
    );
    let work = move || {
        let plan = parse(&text);
        assert!(!plan.resource_diffs().unwrap().is_empty());
        let review = Review::new(&plan, ReviewOptions::default()).unwrap();
        let comparison = Comparison::new(&plan, &plan, ComparisonOptions::default()).unwrap();
        assert_eq!(review.changes().len(), 1);
        for format in formats::ALL {
            assert!(!text_of(&plan, format).is_empty());
            review.write(format, std::io::sink()).unwrap();
            comparison.write(format, std::io::sink()).unwrap();
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(work).unwrap().join().unwrap();
}

/// Documents in strings inside each other are looked into, each nested as deeply as it may be.
#[test]
fn documents_inside_each_other_fit_the_stack_of_a_thread() {
    /// The default of a thread that a program starts.
    const STACK: usize = 2 << 20;
    let nested = |text: &str, last: &str| {
        let (open, close) = ("[".repeat(98), "]".repeat(98));
        format!("{open}{},\"{last}\"{close}", serde_json::json!(text))
    };
    let hidden = |last: &str| {
        let mut text = "x".to_owned();
        for _ in 0..6 {
            text = crate::base64::base64(nested(&text, last).as_bytes());
        }
        text
    };
    let change = |last| serde_json::json!({ "data": hidden(last) }).to_string();
    let text = format!(
        r#"{{"format_version":"1.2","resource_changes":[{{"address":"shop_order.a","mode":"managed",
        "type":"shop_order","name":"a","provider_name":"example.com/acme/shop","change":{{"actions":["update"],
        "before":{},"after":{}}}}}]}}"#,
        change("a"),
        change("b")
    );
    assert!(tfview::internals::json::depth(&text) < 10);
    let work = move || {
        let review = Review::new(&parse(&text), ReviewOptions::default()).unwrap();
        let mut inside = &review.changes()[0].edits;
        let mut levels = 0;
        while let Some(edit) = inside.iter().find(|edit| !edit.inside.is_empty()) {
            inside = &edit.inside;
            levels += 1;
        }
        assert!(levels >= 4, "{levels}");
        for format in formats::ALL {
            review.write(format, std::io::sink()).unwrap();
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn changes_and_findings_are_typed() {
    let text = r#"{"format_version":"1.2","resource_changes":[{"address":"aws_security_group_rule.a",
        "mode":"managed","type":"aws_security_group_rule","name":"a",
        "provider_name":"registry.terraform.io/hashicorp/aws","change":{"actions":["update"],
        "before":{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22,"cidr_blocks":["10.0.0.0/8"]},
        "after":{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22,"cidr_blocks":["0.0.0.0/0"]}}}]}"#;
    let review = Review::new(&parse(text), ReviewOptions::default()).unwrap();
    let [change] = review.changes() else {
        unreachable!("one change")
    };
    assert_eq!(change.address, "aws_security_group_rule.a");
    assert_eq!(change.kind, ChangeKind::Update);
    assert_eq!(review.verdict().count(ChangeKind::Update), 1);
    assert_eq!(review.verdict().count(ChangeKind::Destroy), 0);
    let after: Vec<&Value> = change
        .edits
        .iter()
        .filter_map(|edit| edit.after.as_ref())
        .collect();
    assert_eq!(after, [&Value::String("0.0.0.0/0".to_owned())]);
    assert!(
        change
            .edits
            .iter()
            .all(|edit| edit.path.starts_with("cidr_blocks")),
        "{change:?}"
    );
    assert_eq!(change.findings[0].kind, FindingKind::Exposure);
    insta::assert_snapshot!(change.findings[0].text, @"ssh open to the world (10.0.0.0/8 -> 0.0.0.0/0)");
    assert_eq!(
        review.findings()[0].addresses,
        ["aws_security_group_rule.a"]
    );
    assert!(review.drift().is_empty());
    assert!(review.fingerprint().is_some());
}

#[test]
fn plans_are_compared_with_the_approved_one() {
    let plan = parse(SECRETS);
    let same = Comparison::new(&plan, &plan.clone(), ComparisonOptions::default()).unwrap();
    assert_eq!(same.verdict(), ComparisonVerdict::Same);
    assert!(same.differences().is_empty());
    let other = parse(&SECRETS.replace(r#""k":"v""#, r#""k":"w""#));
    let wider = Comparison::new(&plan, &other, ComparisonOptions::default()).unwrap();
    assert_eq!(wider.verdict(), ComparisonVerdict::Wider);
    let differences = wider.differences();
    assert_eq!(differences[0].edit.as_ref().unwrap().path, "map.k");
    assert!(differences[0].is_wider);
}

/// The comparison of a plan with what its saved plan says was a verdict, as if both said the same things.
#[test]
fn a_saved_plan_is_not_compared_with_json() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/saved");
    let mut folders = fs::read_dir(&folder).unwrap().flatten();
    let folder = folders
        .find(|entry| entry.path().join("plan.tfplan").exists())
        .unwrap();
    let bytes = fs::read(folder.path().join("plan.tfplan")).unwrap();
    let saved = Plan::from_bytes(bytes, &Schemas::new()).unwrap();
    let json = parse(r#"{"format_version":"1.2","resource_changes":[]}"#);
    for [approved, now] in [[&saved, &json], [&json, &saved]] {
        let compared = Comparison::new(approved, now, ComparisonOptions::default());
        let error = compared.unwrap_err().to_string();
        insta::allow_duplicates! {
            insta::assert_snapshot!(error, @"one plan is a saved plan and the other one JSON, which says more: they cannot be compared");
        }
    }
    assert!(Comparison::new(&saved, &saved, ComparisonOptions::default()).is_ok());
}

/// What only the schemas in the other plan call sensitive was shown in a comparison.
#[test]
fn what_the_schemas_in_one_plan_call_sensitive_is_hidden_in_both() {
    let plan = |value: &str, schemas: &str| {
        parse(&format!(
            r#"{{"format_version":"1.2","resource_changes":[{{"address":"shop_order.a","mode":"managed",
            "type":"shop_order","name":"a","provider_name":"example.com/acme/shop","change":{{"actions":["create"],
            "before":null,"after":{{"note":"{value}"}}}}}}]{schemas}}}"#
        ))
    };
    let schemas = r#","provider_format_version":"1.0","provider_schemas":{"example.com/acme/shop":{"resource_schemas":{
        "shop_order":{"version":0,"block":{"attributes":{"note":{"type":"string","optional":true,"sensitive":true}}}}}}}"#;
    let written = |schemas: [&str; 2]| {
        let plans = [plan("TOKEN-1", schemas[0]), plan("TOKEN-2", schemas[1])];
        let compared = Comparison::new(&plans[0], &plans[1], ComparisonOptions::default()).unwrap();
        let mut text = Vec::new();
        compared.write(Format::Text, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        format!("{text}{:?}", compared.differences())
    };
    assert!(written(["", ""]).contains("TOKEN"));
    for schemas in [[schemas, ""], ["", schemas]] {
        let text = written(schemas);
        assert!(
            text.contains("shop_order.a") && !text.contains("TOKEN"),
            "{text}"
        );
    }
}

/// A plan that failed had no changes, although it says nothing of the rest.
#[test]
fn a_plan_that_is_not_complete_may_change_something() {
    for (more, expected) in [
        ("", false),
        (r#","errored":true"#, true),
        (r#","complete":false"#, true),
    ] {
        let plan = parse(&format!(
            r#"{{"format_version":"1.2","resource_changes":[]{more}}}"#
        ));
        assert_eq!(plan.has_changes().unwrap(), expected, "{more}");
    }
}

/// A configuration that cannot be read made the review of the library fail, and costs that of the program a note.
#[test]
fn a_configuration_that_cannot_be_read_is_a_note_of_the_review() {
    let plan = parse(r#"{"format_version":"1.2","resource_changes":[],"configuration":[1]}"#);
    let review = Review::new(&plan, ReviewOptions::default()).unwrap();
    assert_eq!(review.fingerprint(), None);
    insta::assert_snapshot!(review.text().unwrap(), @r"
    No changes.
    (the `configuration`, which says what provisioners run and how providers are configured, cannot be read: expected an object, found an array: causes and what an apply runs are missing, and there is no fingerprint)
    ");
}

#[test]
fn documents_come_from_bytes_and_readers() {
    let folder = golden("moved");
    let folder = if folder.exists() {
        folder
    } else {
        first_golden()
    };
    let text = read(&folder, "plan.json");
    let schemas = schemas(&folder);
    let plan = Plan::parse(&*text, &schemas).unwrap();
    let expected = text_of(&plan, Format::Text);
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    for bytes in [text.clone().into_bytes(), utf16] {
        let plan = Plan::from_bytes(bytes.clone(), &schemas).unwrap();
        assert_eq!(text_of(&plan, Format::Text), expected);
        let plan = Plan::from_reader(&*bytes, &schemas).unwrap();
        assert_eq!(text_of(&plan, Format::Text), expected);
    }
    assert_eq!(plan.json(), text);
}

fn first_golden() -> PathBuf {
    let mut folders: Vec<PathBuf> = fs::read_dir(golden(""))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("plan.json").exists() && folder.join("schema.json").exists())
        .collect();
    folders.sort();
    folders.remove(0)
}

/// Saved plans and raw states give what the JSON of the tool gives.
#[test]
fn saved_plans_and_raw_states_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/saved");
    let mut compared = 0;
    let mut folders: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    for folder in some_fixtures(folders, 1) {
        if folder.join("plan.tfplan").exists() && folder.join("schema.json").exists() {
            let schemas = schemas(&folder);
            let saved = Plan::from_bytes(fs::read(folder.join("plan.tfplan")).unwrap(), &schemas);
            let saved = Review::new(&saved.unwrap(), ReviewOptions::default()).unwrap();
            let json = Plan::parse(read(&folder, "plan.json"), &schemas).unwrap();
            let json = Review::new(&json, ReviewOptions::default()).unwrap();
            let addresses = |review: &Review| -> Vec<(String, ChangeKind)> {
                let changes = review.changes().iter();
                changes
                    .map(|change| (change.address.clone(), change.kind))
                    .collect()
            };
            assert_eq!(addresses(&saved), addresses(&json), "{}", folder.display());
            assert!(saved.fingerprint().is_none() && json.fingerprint().is_some());
            compared += 1;
        }
    }
    assert!(compared > 0, "no saved plan was compared");
    let raw = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"a","outputs":{
        "region":{"value":"eu-west-1","type":"string"}},"resources":[]}"#;
    let state = State::parse(raw, &Schemas::new()).unwrap();
    insta::assert_snapshot!(state.json(), @r#"{"format_version":"1.0","terraform_version":"1.9.0","values":{"outputs":{"region":{"value":"eu-west-1","type":"string","sensitive":false}},"root_module":{"address":"","resources":[],"child_modules":[]}},"outputs":{},"provider_schemas":null}"#);
    insta::assert_snapshot!(state.text(&TextOptions::default()).unwrap(), @r#"


    Outputs:

    region = "eu-west-1"
    "#);
}

/// What is promised to programs with threads.
#[test]
fn documents_can_be_shared_by_threads() {
    fn is_shared<T: Send + Sync + 'static>() {}
    fn is_sent<T: Send + 'static>() {}
    is_shared::<Plan>();
    is_shared::<State>();
    is_shared::<Schemas>();
    is_shared::<Review>();
    is_shared::<Comparison>();
    is_shared::<tfview::StyledText>();
    is_shared::<tfview::Error>();
    is_sent::<tfview::Run>();
    is_sent::<tfview::RunOutcome>();
    let review = Review::new(&parse(SECRETS), ReviewOptions::default()).unwrap();
    std::thread::scope(|scope| {
        let addresses = || review.changes()[0].address.clone();
        let other = scope.spawn(addresses);
        assert_eq!(other.join().unwrap(), addresses());
    });
}

/// The version in the document is the one that it is shipped with.
#[test]
fn document_names_the_version() {
    let document = read(Path::new(env!("CARGO_MANIFEST_DIR")), "docs/library.md");
    let version = env!("CARGO_PKG_VERSION");
    let minor = version.rsplit_once('.').unwrap().0;
    assert!(
        document.contains(&format!("tfview = {{ version = \"{minor}\"")),
        "{minor}"
    );
}
