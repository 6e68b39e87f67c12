//! No sensitive value reaches an output: tokens are planted under every kind of mark, and searched in all
//! outputs.
//!
//! Each case generates types, values of them, and marks. A token anywhere under a mark, or under an attribute
//! that the schema calls sensitive, is a secret. Some marks are then malformed in ways that must not uncover
//! anything. The same values with `show_sensitive` are the counter-check: it shows that a leaked token would
//! be found.

#![allow(clippy::print_stdout, reason = "a failure prints its document")]

mod attack;
mod classes;
mod copies;
mod credentials;
mod maker;
mod runs;
mod schema;
mod states;

use serde_json::{Value, json};
use tfview::internals::dialect::Dialect;
use tfview::internals::show::PlanMode;

use self::maker::Maker;
use super::corpus;
use super::display::{self, Display};
use super::random::{cases, first_seed, some_ways};

/// Whether a text has a token. This function is optimized in the profile of development, `str::contains` is not.
fn has(text: &str, token: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), token.as_bytes()).is_some()
}

/// Runs one case; returns the number of its secrets, and how many of them the counter-check found.
fn check(seed: u64, leaks: &mut Vec<String>) -> (usize, usize) {
    let mut maker = Maker::new(seed);
    let (document, schema) = if maker.random.one_in(4) {
        maker.state()
    } else {
        maker.plan()
    };
    let (document, schema) = (document.to_string(), schema.to_string());
    let dialect = *maker.random.pick(&[Dialect::TERRAFORM, Dialect::OPENTOFU]);
    let plan_mode = *maker.random.pick(&[
        None,
        None,
        Some(PlanMode::RefreshOnly),
        Some(PlanMode::Destroy),
    ]);
    let display = Display {
        plan_mode,
        colour: maker.random.one_in(4),
        ..Display::plain(dialect)
    };
    for schema in some_ways(vec![Some(schema.as_str()), None], seed as usize, 1) {
        for (output, text) in display::all(&document, schema, display) {
            let leaked = maker
                .secrets
                .iter()
                .filter(|secret| secret.marked || schema.is_some())
                .filter(|secret| has(&text, &secret.text));
            for secret in leaked {
                let with = if schema.is_some() { "with" } else { "without" };
                let line = text
                    .lines()
                    .find(|line| line.contains(&secret.text))
                    .unwrap_or_default();
                leaks.push(format!(
                    "TFVIEW_SEED={seed}: {output} {with} schema, {dialect:?}: {} in {}",
                    secret.text,
                    line.trim()
                ));
                if cases(100) == 1 {
                    println!("{text}\n{document}\n{}", schema.unwrap_or_default());
                }
            }
        }
    }
    leaks.extend(
        secrets_in_errors(&mut maker, &document, &schema, display)
            .map(|error| format!("TFVIEW_SEED={seed}: {error}")),
    );
    let open = Display {
        show_sensitive: true,
        ..display
    };
    let text =
        display::shown(&document, Some(&schema), open).expect("generated documents can be shown");
    let shown = maker
        .secrets
        .iter()
        .filter(|secret| has(&text, &secret.text))
        .count();
    (maker.secrets.len(), shown)
}

/// The errors of a document that was broken at random, if they contain a secret.
fn secrets_in_errors(
    maker: &mut Maker,
    document: &str,
    schema: &str,
    display: Display,
) -> impl Iterator<Item = String> {
    let mut bytes = document.as_bytes().to_vec();
    corpus::mutate_bytes(&mut maker.random, &mut bytes);
    let broken = String::from_utf8(bytes).unwrap_or_default();
    let errors = [
        display::shown(&broken, Some(schema), display).err(),
        display::reviewed(&broken, None, display)
            .into_iter()
            .find_map(|(output, text)| output.starts_with("the fault").then_some(text)),
    ];
    let has_secret = |error: &String| {
        maker
            .secrets
            .iter()
            .any(|secret| error.contains(&secret.text))
    };
    errors
        .into_iter()
        .flatten()
        .filter(has_secret)
        .collect::<Vec<_>>()
        .into_iter()
}

#[test]
fn no_sensitive_value_reaches_an_output() {
    let (mut planted, mut found) = (0, 0);
    let mut leaks = Vec::new();
    let count = cases(20);
    for seed in first_seed()..first_seed() + count {
        let (secrets, visible) = check(seed, &mut leaks);
        planted += secrets;
        found += visible;
    }
    assert!(
        leaks.is_empty(),
        "{} leaks, such as\n{}",
        leaks.len(),
        leaks[..leaks.len().min(25)].join("\n")
    );
    println!("{count} cases, {planted} tokens, {found} of them found with --show-sensitive");
    assert!(
        count < 100 || found > planted / 4,
        "the counter-check found {found} of {planted} tokens only"
    );
}

/// A plan of one resource of `kind` that is imported, and one output.
fn small_plan(kind: &str, values: &Value, marks: &Value, import: &str) -> String {
    json!({
        "format_version": "1.2",
        "resource_changes": [{
            "address": format!("{kind}.a"), "mode": "managed", "type": kind, "name": "a",
            "provider_name": "registry.opentofu.org/hashicorp/aws",
            "change": {
                "actions": ["create"], "before": null, "after": values, "after_unknown": {},
                "before_sensitive": false, "after_sensitive": marks,
                "importing": { "id": import },
            },
        }],
    })
    .to_string()
}

#[test]
fn sensitive_attributes_of_built_in_schemas_are_hidden() {
    for (provider, kind, values) in [
        (
            "aws",
            "aws_db_instance",
            json!({ "identifier": "x", "password": "Secret00001z" }),
        ),
        (
            "aws",
            "aws_rds_cluster",
            json!({ "master_password": "Secret00001z" }),
        ),
        (
            "aws",
            "aws_ssm_parameter",
            json!({ "name": "x", "value": "Secret00001z" }),
        ),
        (
            "acme",
            "acme_thing",
            json!({ "admin_password": "Secret00001z" }),
        ),
        (
            "azurerm",
            "azurerm_key_vault_secret",
            json!({ "name": "x", "value": "Secret00001z" }),
        ),
        // A type that exists only in earlier versions.
        (
            "azurerm",
            "azurerm_function_app",
            json!({ "storage_account_access_key": "Secret00001z" }),
        ),
        // The schema's source has no flags.
        (
            "vault",
            "vault_kv_secret_v2",
            json!({ "name": "x", "data_json": "Secret00001z" }),
        ),
        (
            "vault",
            "vault_generic_secret",
            json!({ "path": "x", "data": { "k": "Secret00001z" } }),
        ),
        (
            "cloudflare",
            "cloudflare_zero_trust_tunnel_cloudflared",
            json!({ "tunnel_secret": "Secret00001z" }),
        ),
    ] {
        for import in ["x", ""] {
            let plan = small_plan(kind, &values, &json!({}), import)
                .replace("hashicorp/aws", &format!("hashicorp/{provider}"));
            for dialect in [Dialect::TERRAFORM, Dialect::OPENTOFU] {
                for (output, text) in display::all(&plan, None, Display::plain(dialect)) {
                    assert!(!text.contains("Secret"), "{output}: {text}");
                }
            }
        }
    }
}

/// An update of a list that replaces its object by a path to the whole list, as a set does. Only `before` has marks.
fn list_marked_before(value: &str, marks: &Value) -> Value {
    let list = json!({ "items": [{ "k": value }, null] });
    json!({
        "address": "acme_x.a", "mode": "managed", "type": "acme_x", "name": "a", "provider_name": "registry.example/acme/acme",
        "change": {
            "actions": ["update"], "before": list, "after": list, "after_unknown": {}, "replace_paths": [["items"]],
            "before_sensitive": { "items": marks }, "after_sensitive": {},
        },
    })
}

#[test]
fn element_that_one_side_marks_is_hidden_without_a_schema() {
    let unmarked = list_marked_before("public", &json!([]));
    for marks in [
        json!([true, false]),
        json!(["x", false]),
        json!([1]),
        json!([{ "k": true }]),
    ] {
        // Inference reads only some of the changes of a type.
        for others in [0, 100] {
            let mut changes = vec![unmarked.clone(); others];
            changes.push(list_marked_before("Secret00001z", &marks));
            let plan = json!({ "format_version": "1.2", "resource_changes": changes }).to_string();
            for (output, text) in display::all(&plan, None, Display::plain(Dialect::TERRAFORM)) {
                assert!(
                    !text.contains("Secret"),
                    "{marks}, {others} others: {output}: {text}"
                );
            }
        }
    }
}
