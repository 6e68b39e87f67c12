//! Shapes are right for documents of other provider versions than those of the built-in schemas.

use bumpalo::Bump;
use tfview::json::{self, Value};
use tfview::model::plan::Plan;
use tfview::model::state::StateDocument;
use tfview::schema::infer::{Inference, Values};

use crate::schema::short;

/// The shape of a new object of a type, in a plan with these members and expressions.
fn created(members: &str, kind: &str, expressions: &str, after: &str, unknown: &str) -> String {
    let provider = kind.split('_').next().unwrap();
    let plan = format!(
        r#"{{{members},"resource_changes":[{{"address":"{kind}.y","mode":"managed","type":"{kind}","name":"y",
            "provider_name":"{provider}","change":{{"actions":["create"],"before":null,"after":{after},
            "after_unknown":{unknown}}}}}],
            "configuration":{{"provider_config":{{"p":{{"name":"{provider}","version_constraint":"~> 5.0"}}}},
            "root_module":{{"resources":[{{"address":"{kind}.y","mode":"managed","type":"{kind}","name":"y",
            "expressions":{expressions}}}]}}}}}}"#
    );
    let plan = if members.contains("~>") { plan } else { plan.replace("~> 5.0", "") };
    let arena = Bump::new();
    let plan: Plan<'_> = json::from_str(&plan).unwrap();
    let parsed = |text: &str| json::parse(arena.alloc_str(text), &arena).unwrap();
    let values = Values { before: Value::Null, after: parsed(after), unknown: parsed(unknown) };
    short(&Inference::from_plan(&plan, &arena).shape("managed", provider, kind, None).widened(values, &arena))
}

/// Members of plans: of an old release, which wrote no time, and with a time after the release of the
/// provider version that has blocks.
const OLD: &str = r#""format_version":"1.1""#;
const NEW: &str = r#""format_version":"1.2","timestamp":"2025-09-01T10:00:00Z""#;
/// The same with a version constraint.
const CONSTRAINED: &str = r#""format_version":"1.2","timestamp":"2025-09-01T10:00:00Z","x":"~>""#;

#[track_caller]
fn assert_has(shape: &str, part: &str) {
    assert!(
        shape.split("; ").any(|found| found.starts_with(part)) || shape.contains(part),
        "{part}: {shape}"
    );
}

#[test]
fn unconfigured_lists_of_older_providers_are_attributes() {
    let of =
        |members| created(members, "google_compute_subnetwork", "{}", "{}", r#"{"secondary_ip_range":true}"#);
    for older in [OLD, CONSTRAINED] {
        assert_has(&of(older), "secondary_ip_range=list(object(");
    }
    assert_has(&of(NEW), "secondary_ip_range List{");
}

#[test]
fn lists_of_older_providers_that_are_configured_as_blocks_are_blocks() {
    let written = r#"{"secondary_ip_range":[{"range_name":{"constant_value":"r"}}]}"#;
    let after = r#"{"secondary_ip_range":[{"range_name":"r","ip_cidr_range":"10.0.0.0/24"}]}"#;
    assert_has(&created(OLD, "google_compute_subnetwork", written, after, "{}"), "secondary_ip_range List{");
}

#[test]
fn attributes_of_older_providers_are_found_inside_blocks() {
    let unknown = r#"{"node_config":[{"taint":true}]}"#;
    let of = |kind, members| created(members, kind, "{}", r#"{"node_config":[{}]}"#, unknown);
    for kind in ["google_container_cluster", "google_container_node_pool"] {
        assert_has(&of(kind, OLD), "taint=list(object(");
        assert_has(&of(kind, NEW), "taint List{");
    }
    let after = r#"{"site_config":[{"ip_restriction":[]}]}"#;
    let site = |kind, members| created(members, kind, "{}", after, "{}");
    assert_has(&site("azurerm_windows_web_app", OLD), "ip_restriction=list(object(");
    assert_has(&site("azurerm_windows_web_app", NEW), "ip_restriction List{");
    assert_has(&site("azurerm_app_service", OLD), "ip_restriction=list(object(");
}

#[test]
fn states_of_older_releases_have_the_attributes_of_older_providers() {
    let of = |release: &str| {
        let text = format!(
            r#"{{"format_version":"1.0","terraform_version":"{release}","values":{{"root_module":{{"resources":[
                {{"mode":"managed","type":"google_compute_instance","name":"y","provider_name":"google",
                "values":{{"guest_accelerator":[]}}}}]}}}}}}"#
        );
        let arena = Bump::new();
        let state: StateDocument<'_> = json::from_str(&text).unwrap();
        let inference = Inference::from_state(&state, None, &arena);
        short(
            &inference
                .shape("managed", "google", "google_compute_instance", None)
                .widened(Values::default(), &arena),
        )
    };
    assert_has(&of("1.3.9"), "guest_accelerator=list(object(");
    assert_has(&of("1.9.0"), "guest_accelerator List{");
}

/// Helm 2 has blocks where Helm 3 has nested attributes.
#[test]
fn nested_attributes_of_newer_providers_are_blocks_of_the_legacy_sdk() {
    let written = r#"{"set":[{"name":{"constant_value":"a"}},{"name":{"constant_value":"b"}}]}"#;
    let set = r#"[{"name":"a","type":null,"value":"x"},{"name":"b","type":null,"value":"y"}]"#;
    let after = format!(r#"{{"set":{set},"set_list":[],"set_sensitive":[],"postrender":[]}}"#);
    let blocks = created(OLD, "helm_release", written, &after, "{}");
    for name in ["set", "set_list", "set_sensitive", "postrender"] {
        assert!(
            blocks.contains(&format!("; {name} List{{")) || blocks.contains(&format!("; {name} Set{{")),
            "{blocks}"
        );
    }
    let written = r#"{"set":{"references":["var.set"]}}"#;
    let after = format!(r#"{{"set":{set},"set_list":null,"set_sensitive":null,"postrender":null}}"#);
    let attributes = created(OLD, "helm_release", written, &after, "{}");
    assert_has(&attributes, "set=nested ");
    assert_has(&attributes, "set_list=nested ");
}

#[test]
fn one_empty_list_does_not_make_nested_attributes_blocks() {
    let shape = created(OLD, "helm_release", "{}", r#"{"set":[],"set_list":null}"#, "{}");
    assert_has(&shape, "set=nested ");
}

#[test]
fn empty_blocks_of_another_version_are_identified_by_another_type() {
    let arena = Bump::new();
    let before = json::parse(r#"{"rotation_rules":[],"other_rules":[]}"#, &arena).unwrap();
    let plan = Plan::default();
    let values = Values { before, ..Values::default() };
    let inference = Inference::from_plan(&plan, &arena);
    let shape =
        short(&inference.shape("managed", "aws", "aws_secretsmanager_secret", None).widened(values, &arena));
    assert_has(&shape, "rotation_rules List{}");
    assert_has(&shape, "other_rules=list(string)");
}

#[test]
fn lists_of_objects_are_blocks_where_the_built_in_schema_has_a_string() {
    let shape = |after| created(OLD, "aws_elasticache_replication_group", "{}", after, "{}");
    let blocks = shape(r#"{"cluster_mode":[{"num_node_groups":2}]}"#);
    assert_has(&blocks, "cluster_mode List{num_node_groups=number}");
    assert_has(&shape(r#"{"cluster_mode":[]}"#), "cluster_mode List{}");
    assert_has(&shape(r#"{"cluster_mode":"enabled"}"#), "cluster_mode=string");
    assert_has(&shape(r#"{"cluster_mode":["a"]}"#), "cluster_mode=dynamic");
}

#[test]
fn unknown_configurations_inside_blocks_of_another_version_are_blocks() {
    let unknown = r#"{"ip_allocation_policy":[{"other_config":true,"other_name":true}]}"#;
    let after = r#"{"ip_allocation_policy":[{}]}"#;
    let shape = created(NEW, "google_container_cluster", "{}", after, unknown);
    assert_has(&shape, "other_config List{}");
    assert!(!shape.contains("other_name List{"), "{shape}");
}

#[test]
fn unknown_configurations_of_data_sources_are_attributes() {
    let arena = Bump::new();
    let unknown = json::parse(r#"{"other_config":true,"node_config":true}"#, &arena).unwrap();
    let plan = Plan::default();
    let inference = Inference::from_plan(&plan, &arena);
    let values = Values { after: json::parse("{}", &arena).unwrap(), unknown, ..Values::default() };
    let shape =
        short(&inference.shape("data", "google", "google_container_cluster", None).widened(values, &arena));
    assert!(!shape.contains("_config List{"), "{shape}");
}

/// The plans of all versions of the provider before 6.
#[test]
fn unknown_strings_with_the_name_of_blocks_and_strings_are_attributes() {
    let shape = created(OLD, "aws_eip", "{}", "{}", r#"{"vpc":true}"#);
    assert!(!shape.contains("vpc List{") && !shape.contains("vpc Set{"), "{shape}");
}
