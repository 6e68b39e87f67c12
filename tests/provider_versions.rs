//! Shapes are right for documents of other provider versions than those of the built-in schemas.

use bumpalo::Bump;
use tfview::internals::json::{self, Value};
use tfview::internals::model::plan::Plan;
use tfview::internals::model::state::StateDocument;
use tfview::internals::schema::Schemas;
use tfview::internals::schema::infer::{Inference, Values};

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
    let plan = if members.contains("~>") {
        plan
    } else {
        plan.replace("~> 5.0", "")
    };
    let arena = Bump::new();
    let plan: Plan<'_> = json::from_str(&plan).unwrap();
    let parsed = |text: &str| json::parse(arena.alloc_str(text), &arena).unwrap();
    let values = Values {
        before: Value::Null,
        after: parsed(after),
        unknown: parsed(unknown),
    };
    short(
        &Inference::from_plan(&plan, &arena)
            .shape(("managed", provider, kind), None, || {
                Schemas::new().built_in(provider, "managed", kind, &arena)
            })
            .widened(values, &arena),
    )
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
        shape.split("; ").any(|member| member.starts_with(part)) || shape.contains(part),
        "{part}: {shape}"
    );
}

#[test]
fn unconfigured_lists_of_older_providers_are_attributes() {
    let of = |members| {
        created(
            members,
            "google_compute_subnetwork",
            "{}",
            "{}",
            r#"{"secondary_ip_range":true}"#,
        )
    };
    for older in [OLD, CONSTRAINED] {
        assert_has(&of(older), "secondary_ip_range=list(object(");
    }
    assert_has(&of(NEW), "secondary_ip_range List{");
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
    assert_has(
        &site("azurerm_windows_web_app", OLD),
        "ip_restriction=list(object(",
    );
    assert_has(
        &site("azurerm_windows_web_app", NEW),
        "ip_restriction List{",
    );
    assert_has(
        &site("azurerm_app_service", OLD),
        "ip_restriction=list(object(",
    );
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
                .shape(
                    ("managed", "google", "google_compute_instance"),
                    None,
                    || {
                        Schemas::new().built_in(
                            "google",
                            "managed",
                            "google_compute_instance",
                            &arena,
                        )
                    },
                )
                .widened(Values::default(), &arena),
        )
    };
    assert_has(&of("1.3.9"), "guest_accelerator=list(object(");
    assert_has(&of("1.9.0"), "guest_accelerator List{");
}

/// The plans of all versions of the provider before 6.
#[test]
fn unknown_strings_with_the_name_of_blocks_and_strings_are_attributes() {
    let shape = created(OLD, "aws_eip", "{}", "{}", r#"{"vpc":true}"#);
    assert!(
        !shape.contains("vpc List{") && !shape.contains("vpc Set{"),
        "{shape}"
    );
}
