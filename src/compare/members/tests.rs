//! What no row of the table names is found, wherever it stands.

use super::{Table, Treatment, unnamed};

/// The paths of the members of a document that no row names.
fn paths(text: &str) -> Vec<String> {
    unnamed(text).unwrap().into_keys().collect()
}

#[test]
fn a_member_that_no_row_names_is_found_wherever_it_stands() {
    for (text, path) in [
        (r#"{"approval": 1}"#, "approval"),
        (
            r#"{"resource_changes": [{"address": "a.b", "retries": [3]}]}"#,
            "resource_changes[].retries",
        ),
        (
            r#"{"output_changes": {"o": {"actions": [], "hook": "x"}}}"#,
            "output_changes.o.hook",
        ),
        (
            r#"{"configuration": {"root_module": {"module_calls": {"m": {"module": {"resources": [{"depends_on": ["a.b"]}]}}}}}}"#,
            "configuration.root_module.module_calls.m.module.resources[].depends_on",
        ),
        (
            r#"{"configuration": {"root_module": {"rest": [{"of": "removed", "value": {}}]}}}"#,
            "configuration.root_module.rest.removed",
        ),
        (r#"{"configuration": "x"}"#, "configuration"),
        (r#"{"resource_changes": {"a": {}}}"#, "resource_changes"),
    ] {
        assert_eq!(paths(text), [path], "{text}");
    }
}

#[test]
fn what_the_tables_name_is_not_unnamed() {
    let text = r#"{"timestamp": "t", "resource_changes": [{"address": "a.b", "change": {"actions": ["no-op"], "before": {"x": 1}}}],
        "configuration": {"provider_config": {"aws": {"expressions": {"region": {}}}}}, "prior_state": null, "anything": null}"#;
    assert_eq!(paths(text), [""; 0]);
}

#[test]
fn each_row_says_what_compares_its_member_or_why_it_cannot_matter() {
    let mut tables = vec![Table::Plan];
    let mut rows = 0;
    while let Some(table) = tables.pop() {
        for (name, treatment) in table.rows() {
            rows += 1;
            match treatment {
                Treatment::Compared(text) | Treatment::CannotMatter(text) => {
                    assert!(!text.is_empty(), "{name}");
                }
                // A module has calls with modules.
                Treatment::Object(Table::Module) if matches!(table, Table::Call) => {}
                Treatment::Object(table) | Treatment::List(table) | Treatment::Map(table) => {
                    tables.push(*table);
                }
                Treatment::Rest => {}
            }
        }
    }
    assert!(rows > 100, "{rows}");
}
