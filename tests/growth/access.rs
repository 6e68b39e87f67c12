//! The time and the memory of findings, and of the lines of policies and firewall rules, grow no faster than
//! what they are about: rules, statements, their parts, and the places of paths.

use super::*;

/// A plan of one change of a resource of this type.
fn change_of(kind: &str, before: Value, after: Value) -> Value {
    let mut resource = resource(0, before, after);
    resource["type"] = json!(kind);
    resource["address"] = json!(format!("{kind}.a[0]"));
    plan(json!([resource]))
}

fn policy(before: Value, after: Value) -> Input {
    let object = |statements: Value| {
        let policy = json!({ "Version": "2012-10-17", "Statement": statements });
        json!({ "policy": policy.to_string() })
    };
    change_of("aws_iam_policy", object(before), object(after)).into()
}

/// A statement whose parts each have `n` items.
fn statement(n: usize, letter: &str) -> Value {
    let items = |kind: &str| many(n, |index| json!(format!("{kind}{letter}{index}")));
    json!({ "Effect": "Allow", "Action": items("s3:"), "Resource": items("arn:"),
        "Principal": { "AWS": items("p") }, "Condition": { "StringEquals": { "aws:x": items("c") } } })
}

fn rule(index: usize, cidr: &str) -> Value {
    json!({ "from_port": index * 3, "to_port": index * 3 + 1, "protocol": "tcp", "cidr_blocks": [cidr],
        "description": format!("rule {index}") })
}

fn group(before: Value, after: Value) -> Input {
    change_of(
        "aws_security_group",
        json!({ "ingress": before }),
        json!({ "ingress": after }),
    )
    .into()
}

const SHAPES: &[Shape] = &[
    ("rules that open", 1_500, |n| {
        group(
            many(n, |index| rule(index, "10.0.0.0/8")),
            many(n, |index| rule(index, "0.0.0.0/0")),
        )
    }),
    ("open rules with other ports", 1_500, |n| {
        group(
            many(n, |index| rule(index, "0.0.0.0/0")),
            many(n, |index| rule(index + n, "0.0.0.0/0")),
        )
    }),
    ("CIDRs of a rule", 20_000, |n| {
        let cidrs = |low: usize| {
            let cidr = |index: usize| {
                json!(format!(
                    "{}.{}.{}.{low}/32",
                    1 + index / 65_536,
                    index / 256 % 256,
                    index % 256
                ))
            };
            json!([{ "from_port": 1, "to_port": 2, "protocol": "tcp", "cidr_blocks": many(n, cidr) }])
        };
        group(cidrs(1), cidrs(2))
    }),
    ("CIDRs and ports of a rule", 5_000, |n| {
        let object = |base: usize, cidr: &str| {
            let cidrs = many(n, |index| {
                json!(if index % 2 == 0 {
                    cidr.to_owned()
                } else {
                    format!("10.0.{index}.0/24")
                })
            });
            let ports = many(n, |index| json!((base + index).to_string()));
            json!({ "source_ranges": cidrs, "allow": [{ "protocol": "tcp", "ports": ports }] })
        };
        change_of(
            "google_compute_firewall",
            object(1, "10.0.0.0/8"),
            object(2, "0.0.0.0/0"),
        )
        .into()
    }),
    ("ports of open rules", 1_000, |n| {
        let rules = |base: usize| {
            let ports = many(n, |index| json!((base + index * 2).to_string()));
            let of = |index: usize| {
                json!({ "name": format!("r{index}"), "access": "Allow", "direction": "Inbound", "protocol": "Tcp",
                    "source_address_prefix": "*", "priority": index, "destination_port_range": (base + index).to_string() })
            };
            let mut all = many(n, of);
            all[0]["destination_port_ranges"] = ports;
            json!({ "security_rule": all })
        };
        change_of("azurerm_network_security_group", rules(1), rules(2)).into()
    }),
    ("parts of a statement", 3_000, |n| {
        policy(json!([statement(n, "a")]), json!([statement(n, "b")]))
    }),
    ("parts of two statements", 3_000, |n| {
        let mut wider = statement(n, "a");
        wider["Action"]
            .as_array_mut()
            .unwrap()
            .push(json!("s3:more"));
        policy(
            json!([statement(n, "a"), statement(1, "a")]),
            json!([wider, statement(2, "a")]),
        )
    }),
    ("patterns of a statement", 1_000, |n| {
        let of = |letter: &str| {
            let items = |kind: &str| {
                many(n, |index| {
                    json!(format!("{kind}{letter}{index}*x?{index}*"))
                })
            };
            json!([{ "Effect": "Allow", "Action": items("s3:"), "Resource": items("arn:") }])
        };
        policy(of("a"), of("b"))
    }),
    ("statements", 1_500, |n| {
        let of = |letter: &str| {
            many(
                n,
                |index| json!({ "Sid": format!("{letter}{index}"), "Effect": "Allow", "Action": format!("s3:{letter}"), "Resource": format!("arn:{index}/*") }),
            )
        };
        policy(of("a"), of("b"))
    }),
    ("denying statements with conditions", 1_500, |n| {
        let of = |letter: &str| {
            many(n, |index| {
                json!({ "Effect": "Deny", "Action": "s3:*", "Resource": "*", "Principal": "*",
                    "Condition": { "StringNotEquals": { "aws:x": format!("{letter}{index}") } } })
            })
        };
        policy(of("a"), of("b"))
    }),
    ("statements for a principal each", 1_500, |n| {
        let of = |action: &str| {
            many(
                n,
                |index| json!({ "Effect": "Allow", "Action": action, "Principal": { "AWS": format!("p{index}") } }),
            )
        };
        policy(of("sts:AssumeRole"), of("sts:*"))
    }),
    ("statements with the Sid of a large one", 1_500, |n| {
        let large = json!([{ "Sid": "s", "Effect": "Allow", "Action": many(n, |index| json!(format!("a{index}"))), "Resource": "b" }]);
        let small = many(
            n,
            |index| json!({ "Sid": "s", "Effect": "Allow", "Action": format!("x{index}"), "Resource": "*" }),
        );
        policy(large, small)
    }),
    ("places of a path", 10_000, |n| {
        let disks = |letter: &str, encrypted: bool| {
            many(
                n,
                |index| json!({ "device_name": format!("{letter}{index}"), "encrypted": encrypted }),
            )
        };
        let object =
            |letter: &str, encrypted: bool| json!({ "ebs_block_device": disks(letter, encrypted) });
        change_of("aws_instance", object("a", true), object("a", false)).into()
    }),
    ("guards", 1_000, |n| {
        let destroyed = |index: usize| {
            let kind = if index.is_multiple_of(2) {
                "aws_s3_bucket_versioning"
            } else {
                "aws_s3_bucket"
            };
            let mut resource = resource(
                index,
                json!({ "id": format!("b{index}"), "bucket": format!("b{}", index | 1) }),
                Value::Null,
            );
            resource["type"] = json!(kind);
            resource["name"] = json!(format!("n{index}"));
            resource["address"] = json!(format!("{kind}.n{index}"));
            resource["change"]["actions"] = json!(["delete"]);
            resource
        };
        let configured = |index: usize| {
            let reference = format!("aws_s3_bucket.n{}", index | 1);
            json!({ "mode": "managed", "type": "aws_s3_bucket_versioning", "name": format!("n{index}"),
                "expressions": { "bucket": { "references": [format!("{reference}.id"), reference] } } })
        };
        let mut plan = plan(many(n, destroyed));
        plan["configuration"] = json!({ "root_module": { "resources": many(n, configured) } });
        plan.into()
    }),
    ("entries that repeat their long key", 100, |n| {
        let key = "-".repeat(n * 10);
        let of = |index: usize| {
            let key_of_instance = format!("{key}{index}");
            let mut resource = resource(
                index,
                json!({ "a": "x" }),
                json!({ "a": "-".repeat(n * 100) }),
            );
            resource["index"] = json!(key_of_instance);
            resource["change"]["after"]["b"] = json!(key_of_instance);
            resource
        };
        plan(many(4, of)).into()
    }),
];

#[test]
fn findings_and_access_grow_linearly() {
    check("access", "review", SHAPES);
}

#[test]
fn findings_and_access_as_json_grow_linearly() {
    check("access-json", "review --format json", SHAPES);
}
