//! How the messages of a saved plan are read where they are not what the newest releases write.

use bumpalo::Bump;
use serde_json::{Value, json};
use tfview::internals::saved::{Knowledge, SavedPlan};
use tfview::internals::schema::Schemas;

use crate::archive::{field, varint, zip};

/// A field of a message of protocol buffers that is a number.
pub(super) fn number_field(number: u8, value: u64) -> Vec<u8> {
    let mut message = varint(u64::from(number) << 3);
    message.extend(varint(value));
    message
}

/// The message of a plan of this release, with other fields.
pub(super) fn plan_message(release: &str, fields: &[Vec<u8>]) -> Vec<u8> {
    [
        number_field(1, 3),
        field(14, release.as_bytes()),
        fields.concat(),
    ]
    .concat()
}

/// The message of what happens to `acme_thing.a`.
pub(super) fn resource_message(fields: &[Vec<u8>]) -> Vec<u8> {
    [
        field(8, b"provider[\"registry.terraform.io/acme/acme\"]"),
        field(13, b"acme_thing.a"),
        fields.concat(),
    ]
    .concat()
}

/// The text `x` as a value.
const X: &[u8] = b"\xa1x";

/// The type of the test objects has one attribute, which no schema calls sensitive.
const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/acme": {
    "resource_schemas": {"acme_thing": {"version": 0, "block": {"attributes": {"a": {"type": "dynamic", "optional": true}}}}}}}}"#;

fn read(message: &[u8]) -> Result<Value, String> {
    let (arena, mut schemas) = (Bump::new(), Schemas::new());
    schemas.add(SCHEMAS).unwrap();
    let plan = SavedPlan::parse(&zip(&[("tfplan", message)])).map_err(|error| error.to_string())?;
    let text = plan.to_json(&Knowledge::new(&schemas, &arena));
    Ok(serde_json::from_str(&text.map_err(|error| error.to_string())?).unwrap())
}

fn plan(fields: &[Vec<u8>]) -> Value {
    read(&plan_message("1.15.0", fields)).unwrap()
}

fn change(action: u64, values: &[&[u8]]) -> Vec<u8> {
    let mut message = number_field(1, action);
    for value in values {
        message.extend(field(2, &field(1, value)));
    }
    message
}

/// An object with one attribute.
fn object(value: &[u8]) -> Vec<u8> {
    [b"\x81\xa1a", value].concat()
}

#[test]
fn what_a_later_release_added_to_a_closed_set_shows_as_itself() {
    let value = object(X);
    let created = change(1, &[&value]);
    let resource = resource_message(&[field(9, &created), number_field(12, 99)]);
    let deferred = [
        field(1, &number_field(1, 42)),
        field(2, &resource_message(&[field(9, &created)])),
    ];
    let check = [
        number_field(1, 9),
        field(2, b"acme_thing.a"),
        number_field(3, 7),
    ];
    let trigger = [
        field(1, b"acme_thing.a"),
        number_field(2, 8),
        number_field(5, 6),
    ];
    let action = [
        field(1, b"action.acme_act.b"),
        field(2, b"provider[\"registry.terraform.io/acme/acme\"]"),
        field(6, &trigger.concat()),
    ];
    let shown = plan(&[
        field(3, &resource),
        field(27, &deferred.concat()),
        field(19, &check.concat()),
        field(30, &action.concat()),
        number_field(17, 5),
    ]);
    assert_eq!(shown["resource_changes"][0]["action_reason"], "reason 99");
    assert_eq!(shown["deferred_changes"][0]["reason"], "reason 42");
    assert_eq!(shown["checks"][0]["address"]["kind"], "kind 9");
    assert_eq!(shown["checks"][0]["status"], "status 7");
    let trigger = &shown["action_invocations"][0]["lifecycle_action_trigger"];
    assert_eq!(trigger["action_trigger_event"], "event 8");
    assert_eq!(trigger["on_failure"], "on_failure 6");
    assert_eq!(shown["saved_plan"]["mode"], "mode 5");
}

#[test]
fn an_action_that_a_later_release_added_shows_with_its_values() {
    let (one, other) = (object(b"\x01"), object(b"\x02"));
    for (values, before, after) in [
        (&[][..], json!(null), json!(null)),
        (&[&*one], json!({"a": 1}), json!({"a": 1})),
        (&[&*one, &*other], json!({"a": 1}), json!({"a": 2})),
    ] {
        let resource = resource_message(&[field(9, &change(11, values))]);
        let shown = plan(&[field(3, &resource)]);
        let change = &shown["resource_changes"][0]["change"];
        assert_eq!(change["actions"], json!(["action 11"]));
        assert_eq!((&change["before"], &change["after"]), (&before, &after));
    }
}

/// The tools' decoder merges the parts of a message, and the last of several single values counts.
#[test]
fn a_message_that_occurs_twice_is_merged_as_the_tools_do() {
    let (first, second) = (object(b"\x01"), object(b"\x02"));
    let twice = resource_message(&[
        field(9, &change(1, &[&first])),
        field(9, &change(5, &[&second])),
    ]);
    let shown = plan(&[field(3, &twice)]);
    let change = &shown["resource_changes"][0]["change"];
    assert_eq!(change["actions"], json!(["delete"]));
    assert_eq!(change["before"], json!({"a": 1}));
    // An import whose ID comes second.
    let importing = [
        change_of_import(&number_field(2, 0)),
        change_of_import(&field(1, b"id")),
    ];
    let resource = resource_message(&[field(9, &self::change(0, &[&first])), importing.concat()]);
    let shown = plan(&[field(3, &resource)]);
    let importing = &shown["resource_changes"][0]["change"]["importing"];
    assert_eq!(importing["id"], "id");
}

fn change_of_import(importing: &[u8]) -> Vec<u8> {
    field(9, &field(5, importing))
}

#[test]
fn an_output_or_a_key_that_occurs_twice_is_an_error() {
    let output = [field(1, b"o"), field(2, &change(1, &[X]))].concat();
    let error = read(&plan_message(
        "1.15.0",
        &[field(4, &output), field(4, &output)],
    ));
    assert_eq!(error.unwrap_err(), "output o: it occurs twice");
    let value = b"\x82\xa1a\x01\xa1a\x02";
    let resource = resource_message(&[field(9, &change(1, &[value]))]);
    let error = read(&plan_message("1.15.0", &[field(3, &resource)]));
    insta::assert_snapshot!(error.unwrap_err(), @"acme_thing.a: the value is not valid MessagePack: a key occurs twice");
}

/// An attribute that occurs twice in a stored schema could be sensitive once and once not.
#[test]
fn an_attribute_that_occurs_twice_in_a_schema_is_an_error() {
    let attribute = |sensitive| {
        let fields = [
            field(1, b"password"),
            field(2, b"\"string\""),
            number_field(7, sensitive),
        ];
        field(1, &fields.concat())
    };
    let block = [attribute(1), attribute(0)].concat();
    let schema = field(1, &field(2, &block));
    let resource_type = [field(1, b"acme_thing"), field(2, &schema)].concat();
    let provider = [
        field(1, b"registry.terraform.io/acme/acme"),
        field(2, &field(2, &resource_type)),
    ];
    let schemas = field(1, &provider.concat());
    let archive = zip(&[
        ("tfplan", &plan_message("1.15.0", &[])),
        ("tfschemas", &schemas),
    ]);
    let error = SavedPlan::parse(&archive).err().unwrap().to_string();
    insta::assert_snapshot!(error, @r#"the schema of acme_thing: "password" occurs twice"#);
}

/// A mark that leads through a step of an unknown kind hides what is above that step.
#[test]
fn a_mark_with_a_step_of_an_unknown_kind_hides_the_whole() {
    let of_attribute = field(1, &field(1, b"a"));
    let of_unknown_kind = field(1, &number_field(9, 1));
    let path = field(3, &[of_attribute, of_unknown_kind].concat());
    let value = object(b"\x81\xa1b\xa1s");
    let resource = resource_message(&[field(9, &[change(5, &[&value]), path].concat())]);
    let shown = plan(&[field(3, &resource)]);
    let change = &shown["resource_changes"][0]["change"];
    assert_eq!(change["before_sensitive"], json!({"a": true}));
}

#[test]
fn a_release_that_does_not_write_complete_says_nothing_about_it() {
    let of = |release: &str, fields: &[Vec<u8>]| {
        let plan = read(&plan_message(release, fields)).unwrap();
        [plan["complete"].clone(), plan["applyable"].clone()]
    };
    let neither = [Value::Null, Value::Null];
    for release in ["1.1.0", "1.5.7", "1.7.5"] {
        assert_eq!(of(release, &[]), neither, "{release}");
    }
    for release in ["1.8.0", "1.9.2", "1.17.0-dev", "", "a fork"] {
        assert_eq!(of(release, &[]), [json!(false), json!(false)], "{release}");
    }
    let both = [number_field(25, 1), number_field(26, 1)];
    assert_eq!(of("1.9.0", &both), [json!(true), json!(true)]);
}

#[test]
fn a_plan_before_1_1_is_named_with_its_release() {
    // Module, type and name are fields of their own.
    let old = [
        field(3, b"acme_thing"),
        field(4, b"a"),
        field(8, b"provider.acme"),
        field(9, &change(1, &[&object(X)])),
    ];
    let mut errors = String::new();
    for release in ["0.12.31", "0.13.7", "0.14.11", "0.15.5", "1.0.11"] {
        let error = read(&plan_message(release, &[field(3, &old.concat())])).unwrap_err();
        errors += &format!("{error}\n");
    }
    insta::assert_snapshot!(errors, @r"
    a saved plan of Terraform 0.12.31; those of Terraform 1.1 and later, and of OpenTofu, are read
    a saved plan of Terraform 0.13.7; those of Terraform 1.1 and later, and of OpenTofu, are read
    a saved plan of Terraform 0.14.11; those of Terraform 1.1 and later, and of OpenTofu, are read
    a saved plan of Terraform 0.15.5; those of Terraform 1.1 and later, and of OpenTofu, are read
    a saved plan of Terraform 1.0.11; those of Terraform 1.1 and later, and of OpenTofu, are read
    ");
}
