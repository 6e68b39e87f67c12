//! The same is proven by exclusion: whatever differs in a document or a saved plan is found, or is in the table of what
//! cannot matter.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use tfview::internals::compare::{Options, Verdict};

use super::{compare, plans, root};
use crate::random::{Random, some_fixtures, some_ways};

/// What the tables of `src/compare/members.rs` say cannot matter, as pointers in which `*` is one step and `**` any.
const CANNOT_MATTER: &[&str] = &[
    "/format_version",
    "/terraform_version",
    "/timestamp",
    "/relevant_attributes/**",
    "/planned_values/**",
    "/checks/**",
    "/provider_schemas/**",
    // Planning has read it; the apply uses only what expressions refer to.
    "/prior_state/**",
    "/resource_changes/*/module_address",
    "/resource_changes/*/name",
    "/resource_changes/*/index",
    "/resource_drift/*/module_address",
    "/resource_drift/*/name",
    "/resource_drift/*/index",
    "/deferred_changes/*/resource_change/module_address",
    "/deferred_changes/*/resource_change/name",
    "/deferred_changes/*/resource_change/index",
    "/action_invocations/*/type",
    "/action_invocations/*/name",
    "/configuration/provider_config/*/name",
    "/configuration/provider_config/*/alias",
    "/configuration/provider_config/*/full_name",
    "/configuration/provider_config/*/version_constraint",
    "/configuration/provider_config/*/module_address",
    "/configuration/**/address",
    "/configuration/**/schema_version",
    "/configuration/**/description",
    "/configuration/**/deprecated",
    "/configuration/**/source",
    "/configuration/**/version_constraint",
    "/configuration/**/sensitive",
    "/configuration/**/ephemeral",
];

/// Whether a pointer matches a pattern.
fn matches(pattern: &[&str], pointer: &[&str]) -> bool {
    match (pattern.split_first(), pointer.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            (0..=pointer.len()).any(|skipped| matches(rest, &pointer[skipped..]))
        }
        (Some((first, rest)), Some((step, below))) => {
            (*first == "*" || first == step) && matches(rest, below)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

fn cannot_matter(pointer: &str) -> bool {
    let steps: Vec<&str> = pointer.split('/').skip(1).collect();
    CANNOT_MATTER.iter().any(|pattern| {
        let pattern: Vec<&str> = pattern.split('/').skip(1).collect();
        matches(&pattern, &steps)
    })
}

/// Collects the pointers of all leaves.
fn leaves(value: &Value, pointer: &str, pointers: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                leaves(member, &format!("{pointer}/{name}"), pointers);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, &format!("{pointer}/{index}"), pointers);
            }
        }
        _ => pointers.push(pointer.to_owned()),
    }
}

fn other(leaf: &Value) -> Value {
    match leaf {
        Value::String(text) => json!(format!("{text}-other")),
        Value::Bool(value) => json!(!value),
        Value::Number(_) => json!(987_654),
        _ => json!("other"),
    }
}

/// Whether a change of a plan does nothing, so that what is written about it decides nothing.
fn is_no_op(plan: &Value, pointer: &str) -> bool {
    let mut steps = pointer.split('/').skip(1);
    let (Some(list), Some(index)) = (steps.next(), steps.next()) else {
        return false;
    };
    let change = match list {
        "output_changes" => &plan[list][index],
        "resource_changes" | "resource_drift" => {
            &plan[list][index.parse::<usize>().unwrap_or_default()]["change"]
        }
        _ => return false,
    };
    change["actions"] == json!(["no-op"])
}

/// Whether an expression of the configuration is of a block whose objects are not made, or of an argument whose value
/// the plan shows: then the value is what is compared.
fn is_seen(plan: &Value, pointer: &str) -> bool {
    if !pointer.starts_with("/configuration/") {
        return false;
    }
    // The nearest block around the expression.
    let mut block = &plan["configuration"];
    let mut at = String::from("/configuration");
    let mut argument = None;
    let steps: Vec<&str> = pointer.split('/').skip(2).collect();
    for (index, step) in steps.iter().enumerate() {
        at.push('/');
        at.push_str(step);
        if index > 0 && steps[index - 1] == "expressions" && block["type"].is_string() {
            argument = Some((*step).to_owned());
            break;
        }
        let inner = plan.pointer(&at).unwrap_or(&Value::Null);
        if inner["type"].is_string() && inner["name"].is_string() {
            block = inner;
        }
    }
    if !block["type"].is_string() {
        return true;
    }
    let empty = Vec::new();
    let mut changed = plan["resource_changes"]
        .as_array()
        .unwrap_or(&empty)
        .iter()
        .filter(|change| {
            change["type"] == block["type"]
                && change["name"] == block["name"]
                && change["change"]["actions"] != json!(["no-op"])
        });
    let Some(argument) = argument else {
        return changed.next().is_none();
    };
    changed.all(|change| {
        let after = &change["change"]["after"];
        let unknown = change["change"]["after_unknown"][&argument].to_string();
        after.is_null() || (!after[&argument].is_null() && !unknown.contains("true"))
    })
}

/// Whether a mark is at a place where the plan has no value, so that it marks nothing.
fn marks_nothing(plan: &Value, pointer: &str) -> bool {
    ["before", "after"].iter().any(|side| {
        [format!("/{side}_sensitive"), format!("/{side}_unknown")]
            .iter()
            .filter(|marks| pointer.contains(&**marks))
            .any(|marks| {
                let value = plan.pointer(&pointer.replace(&**marks, &format!("/{side}")));
                value.is_none_or(Value::is_null)
            })
    })
}

/// A change of any leaf of a document is a difference, unless it cannot matter.
#[test]
fn a_leaf_that_differs_is_found_or_cannot_matter() {
    let mut random = Random::new(64);
    let (mut found, mut left) = (0, 0);
    let mut missed = Vec::new();
    for (name, plan, schema) in some_fixtures(plans(100_000), 0) {
        let text = plan.to_string();
        let mut pointers = Vec::new();
        leaves(&plan, "", &mut pointers);
        for _ in some_ways(vec![(); 12], 0, 3) {
            let pointer = random.pick(&pointers).clone();
            let leaf = plan.pointer(&pointer).cloned().unwrap_or_default();
            let mut now = plan.clone();
            *now.pointer_mut(&pointer).unwrap() = other(&leaf);
            let now = now.to_string();
            let outcome = std::panic::catch_unwind(|| {
                compare(&text, &now, schema.as_deref(), &Options::default())
            });
            // A document that cannot be read is refused.
            let Ok(outcome) = outcome else { continue };
            if outcome.verdict == Verdict::Same {
                // An unknown value is not there, and null marks nothing.
                let is_reasonable = cannot_matter(&pointer)
                    || is_no_op(&plan, &pointer)
                    || marks_nothing(&plan, &pointer)
                    || is_seen(&plan, &pointer)
                    || leaf.is_null()
                    || leaf == json!({})
                    || leaf == json!([]);
                if !is_reasonable {
                    missed.push(format!("{name} {pointer}: {leaf}"));
                }
                left += 1;
            } else {
                found += 1;
            }
        }
    }
    assert!(
        found > 50 && left > 50,
        "{found} found, {left} cannot matter"
    );
}

/// A member that the tools do not write today may decide what an apply does.
#[test]
fn a_member_that_nobody_knows_is_unproven() {
    let (_, plan, schema) = plans(100_000)
        .into_iter()
        .find(|(_, plan, _)| {
            plan.pointer("/configuration/root_module").is_some()
                && plan.pointer("/resource_changes/0/change/actions/0") == Some(&json!("create"))
        })
        .unwrap();
    let text = plan.to_string();
    for pointer in [
        "",
        "/resource_changes/0",
        "/resource_changes/0/change",
        "/configuration",
        "/configuration/root_module",
    ] {
        let mut now = plan.clone();
        now.pointer_mut(pointer).unwrap()["hook"] = json!({"run": "rm -rf /"});
        let outcome = compare(
            &text,
            &now.to_string(),
            schema.as_deref(),
            &Options::default(),
        );
        assert_eq!(
            outcome.verdict,
            Verdict::Wider,
            "{pointer}\n{}",
            outcome.terminal
        );
    }
}

/// Returns the exit code and the text of `diff --fail-on=wider` for two saved plans.
fn diff(approved: &[u8], now: &[u8], name: &str) -> (i32, String) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("exclusion")
        .join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("approved.tfplan"), approved).unwrap();
    fs::write(folder.join("now.tfplan"), now).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tfview"))
        .args(["diff", "--fail-on=wider", "approved.tfplan", "now.tfplan"])
        .current_dir(&folder)
        .env_clear()
        .env("XDG_CACHE_HOME", "/nonexistent")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

/// A saved plan whose entry `name` is changed by `edit`.
fn edited(plan: &[u8], name: &str, edit: impl Fn(&str) -> String) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(plan)).unwrap();
    let mut written = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        std::io::copy(&mut entry, &mut bytes).unwrap();
        let entry_name = entry.name().unwrap().into_owned();
        if entry_name == name {
            bytes = edit(&String::from_utf8(bytes).unwrap()).into_bytes();
        }
        written
            .start_file(entry_name, zip::write::SimpleFileOptions::default())
            .unwrap();
        written.write_all(&bytes).unwrap();
    }
    written.finish().unwrap().into_inner()
}

/// What decides an apply in the sources and the lock file of a saved plan is compared, whatever it is.
#[test]
fn what_only_a_saved_plan_has_is_compared() {
    let plan =
        fs::read(root().join("fixtures/regressions/diff-unknown-argument-text/approved.tfplan"))
            .unwrap();
    let append = |text: &'static str| move |file: &str| format!("{file}\n{text}\n");
    assert_eq!(diff(&plan, &plan, "same").0, 0);
    for (name, entry, text, exit) in [
        (
            "removed",
            "tfconfig/m-/main.tf",
            "removed {\n  from = null_resource.x\n  lifecycle { destroy = false }\n}",
            3,
        ),
        (
            "encryption",
            "tfconfig/m-/main.tf",
            "terraform {\n  encryption {\n    key_provider \"pbkdf2\" \"k\" {}\n  }\n}",
            3,
        ),
        (
            "unheard-of",
            "tfconfig/m-/main.tf",
            "hook \"x\" {\n  command = \"curl evil\"\n}",
            3,
        ),
        ("comment", "tfconfig/m-/main.tf", "# nothing", 0),
        (
            "check",
            "tfconfig/m-/main.tf",
            "check \"c\" {\n  assert {\n    condition = true\n    error_message = \"no\"\n  }\n}",
            0,
        ),
        (
            "description",
            "tfconfig/m-/main.tf",
            "variable \"v\" {\n  description = \"for people\"\n}",
            0,
        ),
        (
            "version",
            "tfconfig/m-/main.tf",
            "terraform {\n  required_version = \">= 1.0\"\n}",
            0,
        ),
        (
            "provider",
            ".terraform.lock.hcl",
            "provider \"registry.opentofu.org/evil/aws\" {\n  version = \"6.6.6\"\n}",
            3,
        ),
    ] {
        let now = edited(&plan, entry, append(text));
        let (code, output) = diff(&plan, &now, name);
        assert_eq!(code, exit, "{name}: {output}");
    }
}

fn regression(name: &str, now: &str) -> (i32, String) {
    let folder = root().join("fixtures/regressions").join(name);
    let ending = if name.contains("workspace") || name.contains("text") {
        "tfplan"
    } else {
        "json"
    };
    let output = Command::new(env!("CARGO_BIN_EXE_tfview"))
        .args(["diff", "--fail-on=wider"])
        .args([format!("approved.{ending}"), format!("{now}.{ending}")])
        .current_dir(&folder)
        .env_clear()
        .env("XDG_CACHE_HOME", "/nonexistent")
        .output()
        .unwrap();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

/// Each of these counted as the same as approved.
#[test]
fn what_an_apply_takes_from_elsewhere_is_compared() {
    for (name, now) in [
        ("diff-unknown-argument-text", "now"),
        ("diff-write-only", "now"),
        ("diff-write-only", "now-constant"),
        ("diff-provider-from-data-source", "now"),
        ("diff-workspace", "now"),
    ] {
        let (code, text) = regression(name, now);
        assert_eq!(code, 3, "{name}: {text}");
        assert_eq!(regression(name, "approved").0, 0, "{name}");
    }
}
