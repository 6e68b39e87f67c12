//! No secret reaches an output: tokens are planted under every way to mark a value, and looked for.
//!
//! Each case makes up types, values of them, and marks; a token that stands anywhere under a mark
//! (or under an attribute that the schema calls sensitive) is a secret. Marks are then spoiled in
//! ways that must not uncover anything. The same values with `show_sensitive` are the counter-check:
//! what the test looks for would be found if it were there.

#![allow(clippy::print_stdout, reason = "a failure shows its document")]

mod maker;
mod runs;
mod schema;

use serde_json::{Value, json};
use tfview::dialect::Dialect;
use tfview::show::PlanMode;

use self::maker::Maker;
use super::corpus;
use super::display::{self, Display};
use super::random::{cases, first_seed};

/// Runs one case; gives how many secrets it held, and how many the counter-check found.
fn check(seed: u64, leaks: &mut Vec<String>) -> (usize, usize) {
    let mut maker = Maker::new(seed);
    let (document, schema) = if maker.random.one_in(4) { maker.state() } else { maker.plan() };
    let (document, schema) = (document.to_string(), schema.to_string());
    let dialect = *maker.random.pick(&[Dialect::TERRAFORM, Dialect::OPENTOFU]);
    let plan_mode = *maker.random.pick(&[None, None, Some(PlanMode::RefreshOnly), Some(PlanMode::Destroy)]);
    let display = Display { plan_mode, colour: maker.random.one_in(4), ..Display::plain(dialect) };
    for schema in [Some(schema.as_str()), None] {
        for (output, text) in display::all(&document, schema, display) {
            let leaked = maker
                .secrets
                .iter()
                .filter(|secret| secret.marked || schema.is_some())
                .filter(|secret| text.contains(&secret.text));
            for secret in leaked {
                let with = if schema.is_some() { "with" } else { "without" };
                let line = text.lines().find(|line| line.contains(&secret.text)).unwrap_or_default();
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
        told_by_errors(&mut maker, &document, &schema, display)
            .map(|told| format!("TFVIEW_SEED={seed}: {told}")),
    );
    let open = Display { show_sensitive: true, ..display };
    let text = display::shown(&document, Some(&schema), open).expect("what is made up can be shown");
    let found = maker.secrets.iter().filter(|secret| text.contains(&secret.text)).count();
    (maker.secrets.len(), found)
}

/// What errors tell of the secrets of a document that is broken somewhere.
fn told_by_errors(
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
    let tells = |error: &String| maker.secrets.iter().any(|secret| error.contains(&secret.text));
    errors.into_iter().flatten().filter(tells).collect::<Vec<_>>().into_iter()
}

#[test]
fn no_marked_token_reaches_any_output() {
    let (mut planted, mut found) = (0, 0);
    let mut leaks = Vec::new();
    let count = cases(20);
    for seed in first_seed()..first_seed() + count {
        let (secrets, visible) = check(seed, &mut leaks);
        planted += secrets;
        found += visible;
    }
    assert!(leaks.is_empty(), "{} leaks, such as\n{}", leaks.len(), leaks[..leaks.len().min(25)].join("\n"));
    println!("{count} cases, {planted} tokens, {found} of them found with --show-sensitive");
    assert!(count < 100 || found > planted / 4, "the counter-check found {found} of {planted} tokens only");
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
fn what_a_built_in_schema_calls_sensitive_is_hidden() {
    for (provider, kind, values) in [
        ("aws", "aws_db_instance", json!({ "identifier": "x", "password": "Secret00001z" })),
        ("aws", "aws_rds_cluster", json!({ "master_password": "Secret00001z" })),
        ("aws", "aws_ssm_parameter", json!({ "name": "x", "value": "Secret00001z" })),
        ("acme", "acme_thing", json!({ "admin_password": "Secret00001z" })),
        ("azurerm", "azurerm_key_vault_secret", json!({ "name": "x", "value": "Secret00001z" })),
        // A type of earlier versions only.
        ("azurerm", "azurerm_function_app", json!({ "storage_account_access_key": "Secret00001z" })),
        // The schema's source has no flags.
        ("vault", "vault_kv_secret_v2", json!({ "name": "x", "data_json": "Secret00001z" })),
        ("vault", "vault_generic_secret", json!({ "path": "x", "data": { "k": "Secret00001z" } })),
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
