//! What is created, destroyed and renamed is said in its own words, and what is equal is said once.

use std::fs;

use serde_json::json;
use tfview::internals::review::Filter;
use tfview::internals::review::Options;
use tfview::internals::review::formats;

use crate::plan::{Change, PlanBuilder};

use super::{options, terminal_of, with_findings, with_reviews};

fn fixture(name: &str) -> String {
    fs::read_to_string(format!(
        "{}/fixtures/words/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap()
}

fn text(plan: &str, options: &Options) -> String {
    with_findings(&[plan], options, |reviews| {
        terminal_of(&reviews[0], options).0
    })
}

/// The text without the lines about the plan as a whole.
fn entries(plan: &str) -> String {
    let text = text(plan, &options());
    text.split_once("\n\n")
        .map_or_else(|| text.clone(), |(_, entries)| entries.to_owned())
}

fn plan(changes: &[Change]) -> String {
    PlanBuilder::of(changes.iter().cloned()).json()
}

/// Nothing of the configuration has the object any more, or its module.
fn destroy(address: &str, before: &str) -> Change {
    let reason = if address.starts_with("module.") {
        "delete_because_no_module"
    } else {
        "delete_because_no_resource_config"
    };
    Change::destroyed(address, before).reason(reason)
}

fn create(address: &str, after: &str) -> Change {
    Change::created(address, after).unknown(json!({"id": true}))
}

#[test]
fn a_creation_says_what_matters_and_no_secret() {
    let text = entries(&fixture("create_summary"));
    insta::assert_snapshot!(text);
    assert!(
        !text.contains("backup_window") && !text.contains("password"),
        "{text}"
    );
    let secret = r#"{"name": "nn", "engine": "AKIAIOSFODNN7EXAMPLE", "api_token": "hush", "url": "https://u:hush@h/"}"#;
    let text = entries(&plan(&[create("acme_thing.a", secret)]));
    insta::assert_snapshot!(text);
    assert!(!text.contains("AKIA") && !text.contains("hush"), "{text}");
}

#[test]
fn what_the_schema_requires_precedes_what_may_be_a_default() {
    let object = r#"{"alpha": "a", "beta": "b", "gamma": "c", "quorum": 0, "shape": "round", "tint": "red"}"#;
    let plan = plan(&[destroy("acme_thing.a", object).provider("p")]);
    let schema = r#"{"provider_schemas": {"p": {"resource_schemas": {"acme_thing": {"block": {"attributes": {
        "alpha": {"type": "string", "optional": true}, "beta": {"type": "string", "optional": true},
        "gamma": {"type": "string", "optional": true}, "quorum": {"type": "number", "required": true},
        "shape": {"type": "string", "required": true}, "tint": {"type": "string", "optional": true}}}}}}}}"#;
    let text = |schema| {
        with_reviews(&[(&plan, schema)], &options(), false, |reviews| {
            terminal_of(&reviews[0], &options()).0
        })
    };
    let with = text(schema);
    insta::assert_snapshot!(with);
    let without = text(super::SCHEMA);
    insta::assert_snapshot!(without);
}

#[test]
fn an_object_that_only_joins_others_says_which() {
    let object = r#"{"id": "t", "subnet_ids": ["a"], "transit_gateway_id": "tgw", "vpc_id": "v"}"#;
    let text = entries(&plan(&[destroy("acme_attachment.a", object)]));
    insta::assert_snapshot!(text);
    let text = entries(&plan(&[destroy(
        "acme_thing.a",
        r#"{"id": "t", "shape": "round", "vpc_id": "v"}"#,
    )]));
    insta::assert_snapshot!(text);
}

#[test]
fn what_a_provider_records_of_a_release_is_one_line() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/review/helm-release/plan.json"
    );
    let text = entries(&fs::read_to_string(path).unwrap());
    insta::assert_snapshot!(text);
}

#[test]
fn a_list_that_becomes_empty_is_one_entry_however_long_its_element() {
    let block = format!(
        r#"{{"path": "/{}", "port": 80, "host": "{}"}}"#,
        "p".repeat(60),
        "h".repeat(60)
    );
    let (before, after) = (
        format!(r#"{{"id": "x", "probe": [{block}]}}"#),
        r#"{"id": "x", "probe": []}"#,
    );
    let text = entries(&plan(&[Change::updated("acme_thing.a", &before, after)]));
    insta::assert_snapshot!(text);
}

#[test]
fn a_name_does_not_read_like_another_part_of_the_summary() {
    let text = entries(&plan(&[create(
        "acme_db.a",
        r#"{"name": "encrypted", "path": "x, encrypted"}"#,
    )]));
    insta::assert_snapshot!(text);
}

#[test]
fn a_destroyed_object_is_told_as_a_created_one() {
    let text = entries(&fixture("destroy_summary"));
    insta::assert_snapshot!(text);
    let policy = r#"{"name": "deploy", "policy": "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Action\":\"s3:*\",\"Resource\":\"*\"}]}"}"#;
    let text = entries(&plan(&[destroy("aws_iam_policy.p", policy)]));
    insta::assert_snapshot!(text);
}

#[test]
fn the_configuration_decides_what_is_said_and_names_what_is_unknown() {
    let text = entries(&fixture("create_unknown_refs"));
    insta::assert_snapshot!(text);
    let change = create(
        "acme_app.a",
        r#"{"colour": "blue", "shape": "round", "weight": "5"}"#,
    );
    let configuration = r#"{"root_module": {"resources": [{"mode": "managed", "type": "acme_app", "name": "a",
        "expressions": {"shape": {"constant_value": "round"}, "id": {"references": ["module.m.out", "module.m"]}}}],
        "module_calls": {"m": {"module": {"resources": [], "outputs": {"out": {"expression": {"references": ["data.t.n.x", "data.t.n"]}}}}}}}}"#;
    let plan = PlanBuilder::of([change])
        .with("configuration", configuration)
        .json();
    let text = entries(&plan);
    insta::assert_snapshot!(text);
}

#[test]
fn the_full_values_stay_with_all_context() {
    let plan = fixture("destroy_summary");
    let all = Options {
        unchanged: true,
        ..options()
    };
    insta::assert_snapshot!(text(&plan, &all));
}

#[test]
fn other_keys_look_like_a_rename() {
    let plan = fixture("foreach_rename_no_hint");
    let text = entries(&plan);
    insta::assert_snapshot!(text);
    // One block represents all.
    assert_eq!(text.matches("moved {").count(), 1, "{text}");
    let all = Options {
        unchanged: true,
        ..options()
    };
    let text = with_findings(&[&plan], &all, |reviews| terminal_of(&reviews[0], &all).0);
    assert_eq!(text.matches("moved {").count(), 9, "{text}");
    // The association has no value of its own that tells which is which: the subnets do.
    let (_, block) = text
        .split_once("from = aws_route_table_association.private[\"1\"]")
        .unwrap();
    insta::assert_snapshot!(block.lines().nth(1).unwrap().trim(), @r#"to   = aws_route_table_association.private["eu-west-1b"]"#);
    with_findings(&[&plan], &options(), |reviews| {
        let mut out = Vec::new();
        formats::json(reviews, &[], &[], None, &mut out).unwrap();
        let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
        let plan = &document["plans"][0];
        assert_eq!(plan["renames"].as_array().unwrap().len(), 9);
        assert_eq!(plan["renames"][1]["equal"], json!(["route_table_id"]));
        // It proves nothing, so that counts and findings stay.
        assert_eq!(
            (&plan["verdict"]["destroy"], &plan["verdict"]["create"]),
            (&9.into(), &9.into())
        );
        assert_eq!(plan["findings"][0]["kind"], "data-loss");
        let reasons = plan["resources"][0]["reasons"].as_array().unwrap();
        assert!(reasons.iter().any(|reason| reason["code"] == "rename"));
    });
}

#[test]
fn modules_and_resources_move_as_a_whole() {
    let wrapped: Vec<Change> = ["a_x.n", "a_y.n", "a_z.n"]
        .iter()
        .enumerate()
        .flat_map(|(index, address)| {
            let value = format!(r#"{{"size": "s{index}"}}"#);
            [
                destroy(address, &value),
                create(&format!("module.all.{address}"), &value),
            ]
        })
        .collect();
    let text = entries(&plan(&wrapped));
    insta::assert_snapshot!(text);
    let renamed: Vec<Change> = (0..40)
        .flat_map(|index| {
            let value = format!(r#"{{"name": "n{index}"}}"#);
            [
                destroy(&format!("module.old.a_x.n[{index}]"), &value),
                create(&format!("module.new.a_x.n[{index}]"), &value),
            ]
        })
        .collect();
    let text = entries(&plan(&renamed));
    // Every destroyed object is named.
    insta::assert_snapshot!(text);
    // An object of the module that is destroyed for good: the module does not move as a whole.
    let mut more = renamed;
    more.push(destroy("module.old.a_y.n", r#"{"x": "1"}"#));
    insta::assert_snapshot!(entries(&plan(&more)));
    let count = [
        destroy("a_x.n[0]", r#"{"name": "web-0", "size": "5"}"#),
        create("a_x.n[\"blue\"]", r#"{"name": "web-blue", "size": "5"}"#),
    ];
    let text = entries(&plan(&count));
    insta::assert_snapshot!(text);
}

#[test]
fn other_values_are_no_rename() {
    let differs = [
        destroy("a_x.n", r#"{"size": "5"}"#),
        create("a_x.m", r#"{"size": "6"}"#),
    ];
    let nothing = [
        destroy("a_x.n", r#"{"flag": true}"#),
        create("a_x.m", r#"{"flag": true}"#),
    ];
    let other_type = [
        destroy("a_x.n", r#"{"size": "5"}"#),
        create("a_y.m", r#"{"size": "5"}"#),
    ];
    for changes in [differs, nothing, other_type] {
        let text = entries(&plan(&changes));
        assert!(!text.contains("rename"), "{text}");
    }
}

#[test]
fn the_keys_of_modules_and_in_paths_are_keys() {
    for name in ["group_key_in_path", "group_module_key"] {
        let text = entries(&fixture(name));
        insta::assert_snapshot!(text);
    }
    let map = |key: &str| {
        let value = |text: &str| format!(r#"{{"data": {{"conf-{key}": "{text}"}}}}"#);
        Change::updated(&format!("a_x.n[\"{key}\"]"), &value("old"), &value("new"))
    };
    let text = entries(&plan(&["one", "two", "six"].map(map)));
    insta::assert_snapshot!(text);
}

#[test]
fn tags_of_many_types_are_one_group_and_the_outlier_comes_first() {
    let tagged = |index: usize| {
        let kind = ["a_bucket", "b_queue", "c_topic", "d_role", "e_table"][index % 5];
        let name = if index == 157 {
            "n157-typo".to_owned()
        } else {
            format!("n{index}")
        };
        let before = format!(r#"{{"name": "n{index}", "tags": {{"Team": "x"}}}}"#);
        let after = format!(r#"{{"name": "{name}", "tags": {{"Team": "y"}}}}"#);
        Change::updated(
            &format!("module.m{}.{kind}.r[\"{index}\"]", index % 12),
            &before,
            &after,
        )
    };
    let text = text(&plan(&(0..300).map(tagged).collect::<Vec<_>>()), &options());
    assert!(text.lines().count() <= 15, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn an_upgraded_cluster_is_short() {
    let text = text(&fixture("eks_upgrade"), &options());
    assert!(
        text.lines().count() <= 60,
        "{}: {text}",
        text.lines().count()
    );
    insta::assert_snapshot!(text);
}

#[test]
fn what_follows_is_one_line_unless_the_configuration_gives_it() {
    let update = |configuration: &str| {
        let before = r#"{"code": "1", "version": "7", "arn": "x", "engine_version": "1"}"#;
        let unknown = r#"{"version": true, "arn": true, "engine_version": true}"#;
        let change = Change::updated("a_x.n", before, r#"{"code": "2"}"#).unknown(unknown);
        PlanBuilder::of([change])
            .with("configuration", configuration)
            .json()
    };
    let text = entries(&update("{}"));
    insta::assert_snapshot!(text);

    let given = r#"{"root_module": {"resources": [{"mode": "managed", "type": "a_x", "name": "n",
        "expressions": {"version": {"references": ["a_y.n.version", "a_y.n"]}}}]}}"#;
    let text = entries(&update(given));
    insta::assert_snapshot!(text);
}

#[test]
fn another_order_of_named_elements_is_said_as_such() {
    let text = entries(&fixture("ecs_env_reorder"));
    insta::assert_snapshot!(text);
}

#[test]
fn ignored_changes_are_counted_and_findings_never_ignored() {
    let noise = Change::updated("a_x.n", r#"{"etag": "1"}"#, r#"{"etag": "2"}"#);
    let open = Change::updated(
        "aws_db_instance.d",
        r#"{"publicly_accessible": false}"#,
        r#"{"publicly_accessible": true}"#,
    );
    let ignored = vec!["etag".to_owned(), "publicly_accessible".to_owned()];
    let options = Options {
        filter: Filter {
            ignored,
            ..Filter::default()
        },
        ..options()
    };
    let text = text(&plan(&[noise, open]), &options);
    insta::assert_snapshot!(text);
}

/// The text was `principals.type = Federated`.
#[test]
fn a_statement_that_is_read_during_apply_is_in_the_words_of_policies() {
    let of = |principals: serde_json::Value, unknown: serde_json::Value| {
        let statement =
            json!({"actions": ["sts:AssumeRole"], "effect": "Allow", "principals": principals});
        let document = Change::new(
            "data.aws_iam_policy_document.t",
            &["read"],
            json!(null),
            json!({"statement": [statement]}),
        )
        .unknown(json!({"id": true, "json": true, "statement": [{"principals": unknown}]}));
        entries(&plan(&[document]))
    };
    let unknown = of(
        json!([{"type": "Federated"}]),
        json!([{"identifiers": true}]),
    );
    let known = of(
        json!([{"type": "AWS", "identifiers": ["arn:aws:iam::111111111111:root"]}]),
        json!([{}]),
    );
    insta::assert_snapshot!(unknown + &known);
}
