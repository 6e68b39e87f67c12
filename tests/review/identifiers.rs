//! Texts write the address of an object instead of its identifier, and ARNs of the only account without it.

use serde_json::{Value, json};

use super::marks::entries;
use crate::plan::Change;

const OLD_SUBNET: &str = "subnet-0a17c09d5be3f8842";
const NEW_SUBNET: &str = "subnet-0b28d1ae6cf409953";

fn subnet(name: &str, id: &str) -> Change {
    let object = |tag: &str| json!({"id": id, "arn": format!("arn:aws:ec2:eu-central-1:482013347711:subnet/{id}"), "tags": {"Tier": tag}});
    Change::updated(&format!("aws_subnet.{name}"), object("a"), object("b"))
}

fn machine(before: &Value, after: &Value) -> Change {
    Change::updated("aws_instance.app", before, after)
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
        Change::created(
            "aws_cloudwatch_metric_alarm.cpu",
            json!({"alarm_name": "cpu", "alarm_actions": [
                "arn:aws:sns:eu-central-1:482013347711:oncall", "arn:aws:sns:us-east-1:482013347711:oncall",
                "arn:aws:sns:eu-central-1:991122334455:oncall"]})
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
    insta::assert_snapshot!(text, @r"
    ~ aws_subnet.private  tags.Tier a -> b
    ~ aws_instance.app  description in subnet-0a17c09d5be3f8842 -> in subnet-0b28d1ae6cf409953
    ");
}

/// A name for both sides would hide what changes.
#[test]
fn two_identifiers_of_one_object_are_shown() {
    let deposed = subnet("private", NEW_SUBNET)
        .deposed("12345678")
        .in_change("actions", json!(["delete"]))
        .in_change("after", Value::Null);
    let text = entries(&[
        subnet("private", OLD_SUBNET),
        deposed,
        machine(
            &json!({"subnet_id": OLD_SUBNET}),
            &json!({"subnet_id": NEW_SUBNET}),
        ),
    ]);
    insta::assert_snapshot!(text, @r"
    - aws_subnet.private (deposed object 12345678)  (left over from an earlier replacement)
    ~ aws_instance.app  subnet_id subnet-0a17c09d5be3f8842 -> subnet-0b28d1ae6cf409953
    ~ aws_subnet.private  tags.Tier a -> b
    ");
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
    insta::assert_snapshot!(text, @r"
    ~ aws_instance.app  + subnet_id = subnet-0a17c09d5be3f8842
    ~ 2 × aws_subnet.one, aws_subnet.two  tags.Tier a -> b
    ");
}

#[test]
fn an_object_is_not_named_in_its_own_values() {
    let text = entries(&[Change::destroyed(
        "aws_subnet.private",
        json!({"id": OLD_SUBNET, "cidr_block": "10.0.0.0/24"}),
    )]);
    insta::assert_snapshot!(text, @"   - aws_subnet.private  10.0.0.0/24");
}
