//! What a provider repeats of a sensitive value in the same object is hidden; what an author wrote never is.

use crate::plan::{Change, PlanBuilder};
use serde_json::{Value, json};
use tfview::internals::compare::Options;
use tfview::internals::dialect::Dialect;
use tfview::internals::stack;

use crate::base64::base64;
use crate::compare::compare;
use crate::display::{self, Display};
use crate::random::{Random, cases, first_seed};

const SECRET: &str = "CorrectHorse9Battery";

/// A release whose set values are sensitive, with what the provider made of them.
fn release(secret: &str, rendered: &Value, more: &Value) -> (Value, Value) {
    let mut object = json!({
        "name": "db", "chart": "mariadb", "version": "1.2.3",
        "set_sensitive": [{ "name": "auth.secret", "value": secret }],
        "metadata": [{ "values": rendered, "revision": 3 }],
    });
    if let (Some(object), Some(more)) = (object.as_object_mut(), more.as_object()) {
        object.extend(more.clone());
    }
    (
        object,
        json!({ "set_sensitive": [{ "value": true }], "metadata": [{}] }),
    )
}

fn plan(before: &(Value, Value), after: &(Value, Value), configured: Option<&[&str]>) -> String {
    let expressions: serde_json::Map<String, Value> = configured
        .unwrap_or_default()
        .iter()
        .map(|name| ((*name).to_owned(), json!({ "references": ["var.x"] })))
        .collect();
    let resources = configured.map(|_| {
        json!([{
            "address": "helm_release.db", "mode": "managed", "type": "helm_release", "name": "db",
            "expressions": expressions,
        }])
    });
    let change =
        Change::between("helm_release.db", &before.0, &after.0).sensitive(&before.1, &after.1);
    PlanBuilder::of([change])
        .configuration(json!({ "resources": resources.unwrap_or_else(|| json!([])) }))
        .json()
}

fn texts(plan: &str) -> Vec<(&'static str, String)> {
    display::reviewed(plan, None, Display::plain(Dialect::TERRAFORM))
}

/// The comparison of two plans in all formats.
fn compared(approved: &str, now: &str) -> [(&'static str, String); 4] {
    let outcome = compare(approved, now, None, &Options::default());
    [
        ("diff", outcome.terminal),
        ("diff as markdown", outcome.markdown),
        ("diff as json", outcome.json),
        ("diff as html", outcome.html),
    ]
}

const NONE: (Value, Value) = (Value::Null, Value::Bool(false));

fn renderings(secret: &str) -> Vec<Value> {
    let document = json!({ "auth": { "x": secret }, "replicas": 1 });
    vec![
        json!(secret),
        json!(document.to_string()),
        json!(format!("auth:\n  x: {secret}\n")),
        json!(base64(format!("x={secret}").as_bytes())),
        json!(format!(
            "https://x/?q={}",
            secret
                .bytes()
                .map(|byte| format!("%{byte:02x}"))
                .collect::<String>()
        )),
        json!(json!({ "inner": document.to_string() }).to_string()),
        json!({ "auth": { "x": [secret] } }),
    ]
}

/// The form of the report `helm_leak_destroy`.
#[test]
fn a_copy_of_a_sensitive_value_is_hidden_in_what_is_computed() {
    for rendered in renderings(SECRET) {
        let full = release(SECRET, &rendered, &json!({}));
        let old = release("OtherHorse8Battery", &json!("{}"), &json!({}));
        let configured: &[&str] = &["name", "chart", "version", "set_sensitive"];
        for plan in [
            plan(&full, &NONE, None),
            plan(&full, &NONE, Some(configured)),
            plan(&NONE, &full, Some(configured)),
            plan(&old, &full, Some(configured)),
            plan(&full, &old, Some(configured)),
        ] {
            for (output, text) in texts(&plan) {
                assert!(!text.contains(SECRET), "{output} of {plan}:\n{text}");
                let encoded = base64(format!("x={SECRET}").as_bytes());
                assert!(!text.contains(&encoded), "{output} of {plan}:\n{text}");
            }
        }
    }
}

/// `diff` and the JSON printed what the texts of a review hide.
#[test]
fn a_copy_is_hidden_in_differences() {
    let configured: &[&str] = &["name", "chart", "version", "set_sensitive"];
    let old = release("OtherHorse8Battery", &json!("{}"), &json!({}));
    for rendered in renderings(SECRET) {
        let full = release(SECRET, &rendered, &json!({}));
        let encoded = base64(format!("x={SECRET}").as_bytes());
        let outcomes = [
            compared(
                &plan(&NONE, &old, Some(configured)),
                &plan(&NONE, &full, Some(configured)),
            ),
            compared(
                &plan(&full, &old, Some(configured)),
                &plan(&old, &full, Some(configured)),
            ),
            compared(&plan(&full, &NONE, None), &plan(&old, &NONE, None)),
        ];
        for (output, text) in outcomes.into_iter().flatten() {
            assert!(!text.contains(SECRET), "{output}:\n{text}");
            assert!(!text.contains(&encoded), "{output}:\n{text}");
            assert!(text.contains("metadata"), "{output}:\n{text}");
        }
    }
    // What an author wrote is shown, though it is marked elsewhere.
    let open = |cidr: &str| release("0.0.0.0/0", &json!("{}"), &json!({ "cidr": cidr }));
    let [closed, open] = [open("10.0.0.0/8"), open("0.0.0.0/0")]
        .map(|after| plan(&NONE, &after, Some(&["set_sensitive", "cidr"])));
    for (output, text) in compared(&closed, &open) {
        assert!(text.contains("0.0.0.0/0"), "{output}:\n{text}");
    }
}

/// Sensitive values of other kinds, and copies in other places than those of `helm_leak_destroy`.
#[test]
fn copies_in_keys_and_short_base64_and_copies_of_numbers_are_hidden() {
    let configured: &[&str] = &["name", "chart", "version", "set_sensitive"];
    let short = base64(b"aB3$xY");
    let long = format!("{}7Qz", "aB3dE5fG".repeat(40));
    for (secret, copy, hidden) in [
        (
            json!(738_291_645_012_u64),
            json!(738_291_645_012_u64),
            "738291645012",
        ),
        (
            json!(738_291_645_012_u64),
            json!("{\"pin\": 738291645012}"),
            "738291645012",
        ),
        (
            json!("738291645012"),
            json!([{ "738291645012": "x" }]),
            "738291645012",
        ),
        (json!(SECRET), json!({ "m": { SECRET: 1 } }), SECRET),
        (
            json!(SECRET),
            json!([{ "name": SECRET, "value": 1 }]),
            SECRET,
        ),
        (
            json!(SECRET),
            json!({ base64(SECRET.as_bytes()): 1 }),
            &base64(SECRET.as_bytes()),
        ),
        (
            json!("aB3$xY"),
            json!(format!("data:\n  k: {short}\n")),
            &short,
        ),
        (json!(short), json!("x=aB3$xY;"), "aB3$xY"),
        (
            json!("pässwörd9X"),
            json!("eAA9AHAA5ABzAHMAdwD2AHIAZAA5AFgA"),
            "eAA9AHAA5AB",
        ),
        (json!(long), json!(format!("see {long}")), "7Qz"),
        (
            json!(long),
            json!(format!("see {}", &long[..80])),
            "fGaB3dE5fG",
        ),
    ] {
        let object = |secret: &Value, copy: &Value, size: u32| {
            let object = json!({
                "name": "db", "size": size, "set_sensitive": [{ "name": "n", "value": secret }], "status": copy,
            });
            (object, json!({ "set_sensitive": [{ "value": true }] }))
        };
        let full = object(&secret, &copy, 1);
        let other = object(&json!("another text 1"), &json!("nothing"), 2);
        for (before, after) in [
            (&NONE, &full),
            (&other, &full),
            (&full, &other),
            (&full, &object(&secret, &copy, 3)),
        ] {
            let plan = plan(before, after, Some(configured));
            for (output, text) in texts(&plan) {
                assert!(!text.contains(hidden), "{output} of {plan}:\n{text}");
            }
        }
        let approved = plan(&NONE, &other, Some(configured));
        let now = plan(&NONE, &full, Some(configured));
        for (output, text) in compared(&approved, &now) {
            assert!(!text.contains(hidden), "{output} of {now}:\n{text}");
        }
    }
}

/// The statements of a computed policy were shown, whether a finding is about them or not.
#[test]
fn a_copy_in_the_lines_of_a_computed_policy_is_hidden() {
    let policy = |name: &str| {
        json!({ "Version": "2012-10-17", "Statement": [{
            "Effect": "Deny", "Action": "s3:GetObject", "Resource": format!("arn:aws:s3:::{name}/*"), "Principal": "*",
        }] })
        .to_string()
    };
    let bucket = |secret: &str| {
        let object = json!({ "bucket": "b", "tags": { "x": secret }, "policy": policy(secret) });
        (object, json!({ "tags": { "x": true } }))
    };
    let old = (
        json!({ "bucket": "b", "tags": { "x": "a" }, "policy": "{}" }),
        json!({}),
    );
    for (before, after) in [
        (&NONE, &bucket(SECRET)),
        (&old, &bucket(SECRET)),
        (&bucket(SECRET), &NONE),
    ] {
        let plan = plan(before, after, Some(&["bucket", "tags"]))
            .replace("helm_release", "aws_s3_bucket")
            .replace("hashicorp/helm", "hashicorp/aws");
        for (output, text) in texts(&plan) {
            assert!(!text.contains(SECRET), "{output} of {plan}:\n{text}");
        }
    }
    // What an author wrote is shown.
    let plan = plan(&NONE, &bucket(SECRET), Some(&["bucket", "tags", "policy"]))
        .replace("helm_release", "aws_s3_bucket")
        .replace("hashicorp/helm", "hashicorp/aws");
    assert!(texts(&plan).iter().any(|(_, text)| text.contains(SECRET)));
}

/// Nothing was hidden in a plan without a configuration, and names were hidden where an object is destroyed.
#[test]
fn without_a_configuration_only_what_is_hardly_a_name_is_a_copy() {
    let names = [
        "AdministratorAccess",
        "AmazonS3FullAccess",
        "roles/compute.instanceAdmin.v1",
        "Standard_D4s_v3",
        "sg-0a1b2c3d4e5f67890",
        "https://api.example.com/v1",
        "TLSv1.2_2021",
        "0.0.0.0/0",
        "123456789012",
        "0f8fad5b-d9cb-469f-a165-70867728950e",
    ];
    let object = |text: &str, size: u32| {
        release(text, &json!(format!("to {text}")), &json!({ "size": size }))
    };
    for name in names {
        for plan in [
            plan(&object(name, 1), &NONE, None),
            plan(&object(name, 1), &object(name, 2), None),
        ] {
            let all = texts(&plan);
            assert!(
                all.iter()
                    .any(|(_, text)| text.contains(&format!("to {name}"))),
                "{name}: {all:#?}"
            );
        }
    }
    for secret in [SECRET, "aB3$xY9!kk", "k3jh5g2k4jh5g23kj4h5"] {
        for plan in [
            plan(&object(secret, 1), &NONE, None),
            plan(&object("x", 1), &object(secret, 2), None),
        ] {
            for (output, text) in texts(&plan) {
                assert!(!text.contains(secret), "{output} of {plan}:\n{text}");
            }
        }
    }
}

/// Marking `0.0.0.0/0` or the name of a role as sensitive must hide neither what an author wrote, nor another object,
/// nor a finding.
#[test]
fn marking_a_value_hides_nothing_that_an_author_wrote() {
    for seed in first_seed()..first_seed() + cases(3) {
        let mut random = Random::new(seed);
        let witness = *random.pick(&[
            "0.0.0.0/0",
            "super_admin_role",
            "AdministratorAccess",
            SECRET,
        ]);
        let group = |cidr: &str, role: &str, marked: &str| {
            json!({
                "name": "web", "role": role, "secret_note": marked,
                "ingress": [{ "cidr_blocks": [cidr], "from_port": 22, "to_port": 22, "protocol": "tcp" }],
            })
        };
        let change = |name: &str, before: Value, after: Value| {
            let marks = json!({ "secret_note": true });
            Change::updated(&format!("aws_security_group.{name}"), before, after)
                .sensitive(&marks, &marks)
        };
        let configured = json!({ "name": {}, "role": {}, "secret_note": {}, "ingress": {} });
        let plan = json!({
            "format_version": "1.2",
            "resource_changes": [
                change("a", group("10.0.0.0/8", "reader", witness), group("0.0.0.0/0", witness, witness)),
                change("b", group("10.0.0.0/8", "reader", "x"), group("0.0.0.0/0", witness, "x")),
            ],
            "configuration": { "root_module": { "resources": [
                { "address": "aws_security_group.a", "mode": "managed", "type": "aws_security_group", "name": "a",
                  "expressions": configured },
            ] } },
        });
        for (output, text) in texts(&plan.to_string()) {
            if output.contains("gitlab") {
                continue;
            }
            let least = if output == "review" { 2 } else { 1 };
            let number = text.matches(witness).count();
            assert!(
                number >= least,
                "TFVIEW_SEED={seed}: {witness} in {output}: {number}\n{text}"
            );
            assert!(
                text.contains("0.0.0.0/0"),
                "TFVIEW_SEED={seed}: {output}\n{text}"
            );
        }
    }
}

/// A short sensitive value occurs everywhere: hiding it would hide the plan.
#[test]
fn a_trivial_sensitive_value_hides_nothing_else() {
    for secret in ["a", "1", "true", "db"] {
        let before = release(
            secret,
            &json!("{\"a\": true, \"b\": 1}"),
            &json!({ "status": "a" }),
        );
        let after = release(
            secret,
            &json!("{\"a\": true, \"b\": 2}"),
            &json!({ "status": "true" }),
        );
        let plan = plan(&before, &after, Some(&["name", "set_sensitive"]));
        for (output, text) in texts(&plan) {
            if output == "review" {
                assert!(text.contains("status"), "{text}");
            }
        }
    }
}

/// A copy that changes stays a change.
#[test]
fn an_edit_of_a_copy_is_counted() {
    let before = release(
        "OtherHorse8Battery",
        &json!("x=OtherHorse8Battery"),
        &json!({}),
    );
    let after = release(SECRET, &json!(format!("x={SECRET}")), &json!({}));
    let plan = plan(&before, &after, Some(&["set_sensitive"]));
    for (output, text) in texts(&plan) {
        if output == "review" {
            assert!(text.contains("metadata"), "{text}");
        }
    }
}

/// A copy was shown in hexadecimal digits, beside letters, deeper than 64 levels, and line by line.
#[test]
fn a_copy_is_hidden_wherever_it_stands_and_in_every_notation() {
    stack::large(copies_in_every_notation).unwrap().unwrap();
}

fn copies_in_every_notation() {
    let hex: String = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect();
    let mut deep = json!({ "x": SECRET });
    for _ in 0..900 {
        deep = json!({ "a": deep });
    }
    let codes = "48213\n90517\n33186\n7720\np@ss";
    let indented = codes.replace('\n', "\n    ");
    for (secret, copy, hidden) in [
        (SECRET, json!(format!("x={hex};")), vec![&*hex]),
        (SECRET, json!(hex.to_ascii_uppercase()), vec![&*hex]),
        (
            SECRET,
            json!(format!("Server=x;Pwd{SECRET}1;a=b")),
            vec![SECRET],
        ),
        ("Tr0ub4dor&3", json!("PwdTr0ub4dor&3x"), vec!["Tr0ub4dor&3"]),
        ("x7$kQz", json!("ax7$kQzb"), vec!["x7$kQz"]),
        (SECRET, deep, vec![SECRET]),
        (
            codes,
            json!({ "list": format!("codes:\n    {indented}\n") }),
            vec!["48213", "33186", "7720"],
        ),
        (codes, json!(codes), vec!["48213", "33186", "p@ss"]),
        (
            codes,
            json!(json!({ "codes": codes }).to_string()),
            vec!["48213", "33186"],
        ),
    ] {
        let full = release(secret, &copy, &json!({ "size": 1 }));
        let other = release(
            "OtherHorse8Battery",
            &json!("nothing"),
            &json!({ "size": 2 }),
        );
        let next = release(secret, &copy, &json!({ "size": 3 }));
        for (before, after) in [
            (&NONE, &full),
            (&other, &full),
            (&full, &other),
            (&full, &next),
        ] {
            let plan = plan(
                before,
                after,
                Some(&["name", "chart", "set_sensitive", "size"]),
            );
            for (output, text) in texts(&plan) {
                for hidden in &hidden {
                    assert!(
                        !text
                            .to_ascii_lowercase()
                            .contains(&hidden.to_ascii_lowercase()),
                        "{hidden} in {output}:\n{text}"
                    );
                }
            }
        }
    }
}

/// A name that the address shows was hidden as a copy of a sensitive value, which hid nothing and cut names to pieces.
#[test]
fn a_name_that_the_address_shows_is_no_copy() {
    let object = |size: u32| {
        release(
            "payments",
            &json!("shop-payments-dev"),
            &json!({ "size": size }),
        )
    };
    let plan = plan(&NONE, &object(1), Some(&["set_sensitive", "size"]))
        .replace("helm_release.db", "module.payments.helm_release.db");
    let all = texts(&plan);
    assert!(
        all.iter()
            .any(|(_, text)| text.contains("shop-payments-dev")),
        "{all:#?}"
    );
    for (output, text) in all {
        assert!(!text.contains("shop-(sensitive)"), "{output}:\n{text}");
    }
}
