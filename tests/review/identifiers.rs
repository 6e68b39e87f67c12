//! Texts write the address of an object instead of its identifier, and ARNs of the only account without it.

use serde_json::{Value, json};

use super::marks::{change, entries};

const OLD_SUBNET: &str = "subnet-0a17c09d5be3f8842";
const NEW_SUBNET: &str = "subnet-0b28d1ae6cf409953";

fn subnet(name: &str, id: &str) -> Value {
    let object = |tag: &str| json!({"id": id, "arn": format!("arn:aws:ec2:eu-central-1:482013347711:subnet/{id}"), "tags": {"Tier": tag}});
    change(
        &format!("aws_subnet.{name}"),
        &["update"],
        &object("a"),
        &object("b"),
    )
}

fn machine(before: &Value, after: &Value) -> Value {
    change("aws_instance.app", &["update"], before, after)
}

#[test]
fn identifiers_of_objects_of_the_plan_are_their_addresses() {
    insta::assert_snapshot!(entries(&[
        subnet("private", OLD_SUBNET),
        subnet("public", NEW_SUBNET),
        machine(
            &json!({"id": "i-0123456789abcdef0", "subnet_id": OLD_SUBNET, "vpc_security_group_ids": ["sg-0f27b3c1"]}),
            &json!({"id": "i-0123456789abcdef0", "subnet_id": NEW_SUBNET, "vpc_security_group_ids": ["sg-1a2b3c4d"]}),
        ),
        change(
            "aws_cloudwatch_metric_alarm.cpu",
            &["create"],
            &Value::Null,
            &json!({"alarm_name": "cpu", "alarm_actions": [
                "arn:aws:sns:eu-central-1:482013347711:oncall", "arn:aws:sns:us-east-1:482013347711:oncall",
                "arn:aws:sns:eu-central-1:991122334455:oncall"]}),
        ),
    ]));
}

#[test]
fn an_identifier_inside_of_a_text_stays() {
    let user_data = |id: &str| json!({"description": format!("in {id}")});
    let text = entries(&[
        subnet("private", OLD_SUBNET),
        machine(&user_data(OLD_SUBNET), &user_data(NEW_SUBNET)),
    ]);
    assert!(text.contains("0a17c09d5be3f8842"), "{text}");
}

/// A name for both sides would hide what changes.
#[test]
fn two_identifiers_of_one_object_are_shown() {
    let mut deposed = subnet("private", NEW_SUBNET);
    deposed["deposed"] = json!("12345678");
    deposed["change"]["actions"] = json!(["delete"]);
    deposed["change"]["after"] = Value::Null;
    let text = entries(&[
        subnet("private", OLD_SUBNET),
        deposed,
        machine(
            &json!({"subnet_id": OLD_SUBNET}),
            &json!({"subnet_id": NEW_SUBNET}),
        ),
    ]);
    assert!(text.contains("0a17c09d5be3f8842"), "{text}");
    assert!(text.contains("0b28d1ae6cf409953"), "{text}");
}

#[test]
fn an_identifier_that_two_objects_claim_is_shown() {
    let text = entries(&[
        subnet("one", OLD_SUBNET),
        subnet("two", OLD_SUBNET),
        machine(
            &json!({"subnet_id": null}),
            &json!({"subnet_id": OLD_SUBNET}),
        ),
    ]);
    assert!(
        text.contains(&format!("subnet_id = {OLD_SUBNET}")),
        "{text}"
    );
}

#[test]
fn an_object_is_not_named_in_its_own_values() {
    let text = entries(&[change(
        "aws_subnet.private",
        &["delete"],
        &json!({"id": OLD_SUBNET, "cidr_block": "10.0.0.0/24"}),
        &Value::Null,
    )]);
    assert!(!text.contains("id = aws_subnet.private"), "{text}");
}
