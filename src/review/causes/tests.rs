//! Tests plans whose changes have a cause, and plans whose changes have none.

use bumpalo::Bump;

use super::{Causes, are_compatible};
use crate::model::plan::Plan;

/// Returns the causes as `attribute <- address.source`.
fn causes(plan: &str, at: usize, attributes: &[&str]) -> Vec<String> {
    let arena = Bump::new();
    let plan = Plan::parse(arena.alloc_str(plan)).unwrap();
    let causes = Causes::new(&plan, &arena).find(at, attributes);
    let text = |cause: &super::Cause<'_>| {
        format!(
            "{} <- {}.{}",
            cause.attribute,
            cause.address,
            cause.source.unwrap_or_default()
        )
    };
    causes.iter().map(text).collect()
}

fn change(address: &str, body: &str) -> String {
    let (module, rest) = address.rsplit_once(":").unwrap_or(("", address));
    let (resource_type, rest) = rest.split_once('.').unwrap();
    let (name, index) = rest.split_once('[').map_or((rest, None), |(name, key)| {
        (name, Some(key.trim_end_matches(']')))
    });
    let index = index.map_or_else(String::new, |index| format!(r#""index": {index}, "#));
    let address = address.replace(':', ".");
    format!(
        r#"{{"address": {address:?}, "module_address": {module:?}, "mode": "managed", "type": {resource_type:?}, "name": {name:?}, {index}"change": {body}}}"#
    )
}

const REPLACED: &str = r#"{"actions": ["delete", "create"], "before": {"id": "a", "x": "1"}, "after": {"x": "2"}, "after_unknown": {"id": true}}"#;
const RENAMED: &str =
    r#"{"actions": ["update"], "before": {"id": "a", "x": "1"}, "after": {"id": "a", "x": "2"}}"#;

fn plan(changes: &[String], more: &str, configuration: &str) -> String {
    format!(
        r#"{{"format_version": "1.2", "resource_changes": [{}], {more} "configuration": {{"root_module": {configuration}}}}}"#,
        changes.join(", ")
    )
}

fn resource(resource_type: &str, name: &str, expressions: &str) -> String {
    format!(
        r#"{{"mode": "managed", "type": "{resource_type}", "name": "{name}", "expressions": {expressions}}}"#
    )
}

fn by(reference: &str) -> String {
    format!(r#"{{"x": {{"references": [{reference:?}]}}}}"#)
}

#[test]
fn a_reference_leads_to_the_change_that_causes_it() {
    let configuration = format!(
        r#"{{"resources": [{}]}}"#,
        resource("b", "n", &by("a.n.id"))
    );
    let both = [change("a.n", REPLACED), change("b.n", REPLACED)];
    assert_eq!(
        causes(&plan(&both, "", &configuration), 1, &["x"]),
        ["x <- a.n.id"]
    );
    // The id does not change.
    let renamed = [change("a.n", RENAMED), change("b.n", REPLACED)];
    assert_eq!(
        causes(&plan(&renamed, "", &configuration), 1, &["x"]),
        [""; 0]
    );
    // The expression does not exist, or there is no configuration.
    assert_eq!(causes(&plan(&both, "", &configuration), 1, &["y"]), [""; 0]);
    assert_eq!(causes(&plan(&both, "", "{}"), 1, &["x"]), [""; 0]);
}

#[test]
fn causes_are_found_through_arguments_and_outputs_of_modules() {
    let configuration = format!(
        r#"{{"module_calls": {{
            "net": {{"module": {{"resources": [], "outputs": {{"id": {{"expression": {{"references": ["a.n.id", "a.n"]}}}}}}}}}},
            "app": {{"expressions": {{"net": {{"references": ["module.net.id", "module.net"]}}}},
                    "module": {{"resources": [{}]}}}}}}}}"#,
        resource("b", "n", &by("var.net"))
    );
    let changes = [
        change("module.net:a.n", REPLACED),
        change("module.app:b.n", REPLACED),
    ];
    assert_eq!(
        causes(&plan(&changes, "", &configuration), 1, &["x"]),
        ["x <- module.net.a.n.id"]
    );
}

#[test]
fn the_instance_with_the_same_key_is_meant() {
    let configuration = format!(r#"{{"resources": [{}]}}"#, resource("b", "n", &by("a.n")));
    let changes = [
        change("a.n[0]", REPLACED),
        change("a.n[1]", REPLACED),
        change("b.n[1]", REPLACED),
        change("b.n[7]", REPLACED),
    ];
    let plan = plan(&changes, "", &configuration);
    assert_eq!(causes(&plan, 2, &["x"]), ["x <- a.n[1]."]);
    assert_eq!(causes(&plan, 3, &["x"]), ["x <- a.n[0].", "x <- a.n[1]."]);
}

#[test]
fn a_local_leads_to_a_relevant_attribute_of_equal_values() {
    let configuration = format!(
        r#"{{"resources": [{}]}}"#,
        resource("b", "n", &by("local.v"))
    );
    let relevant = r#""relevant_attributes": [{"resource": "a.n", "attribute": ["x"]}],"#;
    let changes = [change("a.n", RENAMED), change("b.n", REPLACED)];
    assert_eq!(
        causes(&plan(&changes, relevant, &configuration), 1, &["x"]),
        ["x <- a.n.x"]
    );
    assert_eq!(
        causes(&plan(&changes, "", &configuration), 1, &["x"]),
        [""; 0]
    );
    let other = RENAMED.replace('2', "3");
    let changes = [change("a.n", &other), change("b.n", REPLACED)];
    assert_eq!(
        causes(&plan(&changes, relevant, &configuration), 1, &["x"]),
        [""; 0]
    );
}

#[test]
fn references_in_a_circle_end() {
    let configuration = r#"{"module_calls": {"m": {"expressions": {"v": {"references": ["module.m.o"]}},
        "module": {"outputs": {"o": {"expression": {"references": ["var.v"]}}},
                   "resources": [{"mode": "managed", "type": "b", "name": "n", "expressions": {"x": {"references": ["var.v"]}}}]}}}}"#;
    assert_eq!(
        causes(
            &plan(&[change("module.m:b.n", REPLACED)], "", configuration),
            0,
            &["x"]
        ),
        [""; 0]
    );
}

#[test]
fn keys_of_references_are_read() {
    let by_key = by(r#"a.n["a.b]"].id"#);
    let configuration = format!(r#"{{"resources": [{}]}}"#, resource("b", "n", &by_key));
    let changes = [
        change(r#"a.n["a.b]"]"#, REPLACED),
        change(r#"a.n["x"]"#, REPLACED),
        change("b.n", REPLACED),
    ];
    assert_eq!(
        causes(&plan(&changes, "", &configuration), 2, &["x"]),
        [r#"x <- a.n["a.b]"].id"#]
    );
    for reference in ["each.value.x", "", "[", "data.a.n.id", "var.a"] {
        let configuration = format!(
            r#"{{"resources": [{}]}}"#,
            resource("b", "n", &by(reference))
        );
        assert_eq!(
            causes(&plan(&changes, "", &configuration), 2, &["x"]),
            [""; 0]
        );
    }
}

#[test]
fn instances_of_one_module_do_not_refer_to_each_other() {
    for (one, other, expected) in [
        ("", "module.a[0]", true),
        ("module.a[0]", "module.a[0].module.b", true),
        ("module.a[0]", "module.a[1]", false),
        ("module.a[0]", "module.b[1]", true),
        (
            r#"module.a["x"].module.c"#,
            r#"module.a["y"].module.d"#,
            false,
        ),
    ] {
        assert_eq!(are_compatible(one, other), expected, "{one} {other}");
    }
}
