//! Saved plans and raw states become the documents that the tools' own `show -json` writes of them.

mod archives;
mod configuration;
mod hostile;
mod messages;

use std::fs;
use std::path::{Path, PathBuf};

use bumpalo::Bump;
use tfview::internals::json::{Value, parse};
use tfview::internals::saved::{Error, Knowledge, RawState, SavedPlan};
use tfview::internals::schema::Schemas;

use super::random::is_thorough;

/// The members of a plan that are read, but for the configuration, of which not everything is known.
const MEMBERS: &[&str] = &[
    "variables",
    "resource_changes",
    "resource_drift",
    "deferred_changes",
    "action_invocations",
    "deferred_action_invocations",
    "output_changes",
    "checks",
    "terraform_version",
    "timestamp",
    "applyable",
    "complete",
    "errored",
];

fn cases(file: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/saved");
    let folders = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = folders
        .filter(|folder| folder.join(file).exists())
        .collect();
    cases.sort();
    assert!(cases.len() > 30, "{} cases with {file}", cases.len());
    cases
}

fn read(case: &Path, file: &str) -> String {
    fs::read_to_string(case.join(file)).unwrap_or_default()
}

/// The documents made of a case and written by its tool, with the schemas of the case.
fn with_schemas(
    case: &Path,
    convert: impl FnOnce(&Knowledge<'_, '_>) -> Result<String, Error>,
) -> String {
    let (schema, arena) = (read(case, "schema.json"), Bump::new());
    let mut schemas = Schemas::new();
    if !schema.is_empty() {
        schemas.add(&schema).unwrap();
    }
    convert(&Knowledge::new(&schemas, &arena))
        .map_err(|error| format!("{}: {error}", case.display()))
        .unwrap()
}

/// What is read of a value of the format: nulls, `false`, and empty texts, lists and objects count as absent. Values of objects
/// and their marks are exact.
fn read_of(value: Option<Value<'_>>) -> String {
    const EXACT: [&str; 9] = [
        "before",
        "after",
        "after_unknown",
        "before_sensitive",
        "after_sensitive",
        "config_values",
        "config_sensitive",
        "config_unknown",
        "value",
    ];
    const NOT_READ: [&str; 3] = ["index_unknown", "before_identity", "after_identity"];
    match value.unwrap_or_default() {
        Value::Null | Value::String("") | Value::Array([]) | Value::Bool(false) => String::new(),
        Value::Array(items) => {
            format!(
                "{:?}",
                items
                    .iter()
                    .map(|item| read_of(Some(*item)))
                    .collect::<Vec<_>>()
            )
        }
        Value::Object(object) => {
            let members = object
                .members()
                .iter()
                .filter(|(name, _)| !NOT_READ.contains(name));
            let members =
                members.map(
                    |(name, member)| match EXACT.contains(name) && !member.is_null() {
                        true => (*name, format!("{member:?}")),
                        false => (*name, read_of(Some(*member))),
                    },
                );
            let members: Vec<_> = members.filter(|(_, read)| !read.is_empty()).collect();
            if members.is_empty() {
                String::new()
            } else {
                format!("{members:?}")
            }
        }
        other @ (Value::Bool(_) | Value::Number(_) | Value::String(_)) => format!("{other:?}"),
    }
}

#[test]
fn the_json_of_a_saved_plan_is_that_of_its_tool() {
    for case in cases("plan.tfplan") {
        let plan = SavedPlan::parse(&fs::read(case.join("plan.tfplan")).unwrap()).unwrap();
        let ours = with_schemas(&case, |knowledge| plan.to_json(knowledge));
        let theirs = read(&case, "plan.json");
        let arena = Bump::new();
        let (ours, theirs) = (
            parse(&ours, &arena).unwrap(),
            parse(&theirs, &arena).unwrap(),
        );
        for member in MEMBERS {
            let [ours, theirs] = [ours, theirs].map(|document| read_of(document.get(member)));
            assert_eq!(ours, theirs, "{} of {}", member, case.display());
        }
        // Their order has no meaning.
        let relevant = |document: Value<'_>| {
            let attributes = document.get("relevant_attributes").unwrap_or_default();
            let mut attributes: Vec<String> = attributes
                .as_array()
                .unwrap_or_default()
                .iter()
                .map(|one| read_of(Some(*one)))
                .collect();
            attributes.sort();
            attributes
        };
        assert_eq!(relevant(ours), relevant(theirs), "{}", case.display());
    }
}

#[test]
fn the_json_of_a_raw_state_is_that_of_its_tool() {
    for case in cases("terraform.tfstate") {
        let raw = read(&case, "terraform.tfstate");
        let state = RawState::parse(&raw).unwrap();
        let ours = with_schemas(&case, |knowledge| state.to_json(knowledge));
        let theirs = read(&case, "state.json");
        let arena = Bump::new();
        let (ours, theirs) = (
            parse(&ours, &arena).unwrap(),
            parse(&theirs, &arena).unwrap(),
        );
        assert_eq!(
            read_of(outputs(ours)),
            read_of(outputs(theirs)),
            "{}",
            case.display()
        );
        assert_eq!(resources(ours), resources(theirs), "{}", case.display());
    }
}

fn outputs(state: Value<'_>) -> Option<Value<'_>> {
    state.get("values").and_then(|values| values.get("outputs"))
}

/// The resources of all modules, without the members that are not read.
fn resources(state: Value<'_>) -> Vec<String> {
    fn add(module: Value<'_>, resources: &mut Vec<String>) {
        for resource in module
            .get("resources")
            .and_then(Value::as_array)
            .unwrap_or_default()
        {
            let read = [
                "address",
                "mode",
                "type",
                "name",
                "provider_name",
                "tainted",
                "deposed_key",
            ];
            let exact =
                ["values", "sensitive_values"].map(|name| format!("{:?}", resource.get(name)));
            let read = read.map(|name| format!("{name}: {} ", read_of(resource.get(name))));
            resources.push([read.concat(), exact.concat()].concat());
        }
        for child in module
            .get("child_modules")
            .and_then(Value::as_array)
            .unwrap_or_default()
        {
            resources.push(read_of(child.get("address")));
            add(*child, resources);
        }
    }
    let mut resources = Vec::new();
    let root = state
        .get("values")
        .and_then(|values| values.get("root_module"));
    root.into_iter().for_each(|root| add(root, &mut resources));
    resources
}

#[test]
fn truncated_and_mutated_saved_plans_end_in_an_error_or_a_document() {
    let arena = Bump::new();
    let steps = if is_thorough() { (97, 53) } else { (241, 151) };
    for (turn, case) in cases("plan.tfplan").into_iter().step_by(8).enumerate() {
        let bytes = fs::read(case.join("plan.tfplan")).unwrap();
        for length in (turn..bytes.len()).step_by(steps.0) {
            assert!(
                SavedPlan::parse(&bytes[..length]).is_err(),
                "{} of {length} bytes",
                case.display()
            );
        }
        for offset in (turn..bytes.len()).step_by(steps.1) {
            let mut mutated = bytes.clone();
            mutated[offset] ^= 0x41;
            if let Ok(plan) = SavedPlan::parse(&mutated)
                && let Ok(text) = plan.to_json(&Knowledge::new(&Schemas::new(), &arena))
            {
                parse(&text, &arena).unwrap();
            }
        }
    }
}

#[test]
fn what_no_schema_knows_is_marked() {
    let arena = Bump::new();
    let schemas = Schemas::new();
    let mut marked = 0;
    for case in cases("plan.tfplan") {
        let plan = SavedPlan::parse(&fs::read(case.join("plan.tfplan")).unwrap()).unwrap();
        if plan.provider_schemas().is_some() {
            continue;
        }
        let text = plan.to_json(&Knowledge::new(&schemas, &arena)).unwrap();
        let document = parse(&text, &arena).unwrap();
        for change in document
            .get("resource_changes")
            .and_then(Value::as_array)
            .unwrap_or_default()
        {
            let kind = change.get("type").unwrap_or_default();
            if !matches!(kind, Value::String(kind) if kind.starts_with("tfcoremock_")) {
                continue;
            }
            let change = change.get("change").unwrap_or_default();
            let (values, marks) = (change.get("after"), change.get("after_sensitive"));
            let members = values.and_then(Value::as_object).unwrap_or_default();
            for (name, value) in members.members() {
                let mark = marks.and_then(|marks| marks.get(name)).unwrap_or_default();
                assert!(
                    *value == Value::Null || mark != Value::Null,
                    "{name} of {}",
                    case.display()
                );
                marked += 1;
            }
        }
    }
    assert!(marked > 50, "{marked} values");
}
