//! Shapes are inferred without a schema: a test for each rule.

mod any_value;

use bumpalo::Bump;
use tfview::internals::json::{self, Value};
use tfview::internals::model::plan::Plan;
use tfview::internals::model::state::StateDocument;
use tfview::internals::schema::Schemas;
use tfview::internals::schema::infer::{Inference, Values};

use crate::schema::short;

const PROVIDER: &str = "registry.example/acme/any";

/// The shape of the first change of a plan whose configuration has `expressions` for it.
fn shape(expressions: &str, changes: &[&str]) -> String {
    let changes: Vec<String> = changes
        .iter()
        .map(|change| {
            format!(
                r#"{{"address":"any_x.y","mode":"managed","type":"any_x","name":"y","provider_name":"{PROVIDER}","change":{change}}}"#
            )
        })
        .collect();
    let plan = format!(
        r#"{{"format_version":"1.2","resource_changes":[{}],"configuration":{{"root_module":{{"resources":[
            {{"address":"any_x.y","mode":"managed","type":"any_x","name":"y","expressions":{expressions}}}]}}}}}}"#,
        changes.join(",")
    );
    let arena = Bump::new();
    let plan: Plan<'_> = json::from_str(&plan).unwrap();
    let inference = Inference::from_plan(&plan, &arena);
    let change = &plan.resource_changes[0].change;
    let value = |raw: Option<json::Raw<'_>>| {
        raw.map(|raw| raw.text().to_owned())
            .unwrap_or("null".into())
    };
    let [before, after, unknown] = [
        value(change.before),
        value(change.after),
        value(change.after_unknown),
    ]
    .map(|t| &*arena.alloc_str(&t));
    let parsed = |text| json::parse(text, &arena).unwrap();
    let values = Values {
        before: parsed(before),
        after: parsed(after),
        unknown: parsed(unknown),
    };
    short(
        &inference
            .shape(("managed", PROVIDER, "any_x"), None, || {
                Schemas::new().built_in(PROVIDER, "managed", "any_x", &arena)
            })
            .widened(values, &arena),
    )
}

fn create(after: &str) -> String {
    format!(r#"{{"actions":["create"],"before":null,"after":{after},"after_unknown":{{}}}}"#)
}

fn update(before: &str, after: &str) -> String {
    format!(r#"{{"actions":["update"],"before":{before},"after":{after},"after_unknown":{{}}}}"#)
}

#[test]
fn configuration_distinguishes_blocks_from_attributes() {
    let after = create(r#"{"b":[{"k":"v","n":1}],"a":[{"k":"v","n":1}],"one":{"s":"x","n":2}}"#);
    let written = r#"{"b":[{"k":{"constant_value":"v"}}],"a":{"references":["var.a"]},"one":{"s":{"constant_value":"x"}}}"#;
    assert_eq!(
        shape(written, &[&after]),
        "a=nested List(k=string; n=number); b List{k=string; n=number}; one Single{n=number; s=string}"
    );
}

#[test]
fn block_is_inferred_from_another_instance() {
    let without = create(r#"{"b":null,"one":null}"#);
    let with = create(r#"{"b":null,"one":{"s":"x"}}"#);
    assert_eq!(
        shape(
            r#"{"one":{"s":{"constant_value":"x"}}}"#,
            &[&without, &with]
        ),
        "b=string; one Single{s=string}"
    );
}

#[test]
fn blocks_are_empty_but_never_null() {
    let null = update(r#"{"l":null}"#, r#"{"l":[{"k":1}]}"#);
    assert_eq!(shape("{}", &[&null]), "l=nested List(k=number)");
    let none = update(r#"{"l":[]}"#, r#"{"l":[{"k":1}]}"#);
    assert_eq!(shape("{}", &[&none]), "l List{k=number}");
}

#[test]
fn empty_list_that_the_configuration_lacks_is_a_block() {
    assert_eq!(shape("{}", &[&create(r#"{"things":[]}"#)]), "things List{}");
    let written = r#"{"things":{"constant_value":[]}}"#;
    assert_eq!(
        shape(written, &[&create(r#"{"things":[]}"#)]),
        "things=list(string)"
    );
}

#[test]
fn empty_list_with_a_singular_name_is_a_block() {
    let deleted = r#"{"actions":["delete"],"before":{"thing":[],"things":[]},"after":null,"after_unknown":{}}"#;
    assert_eq!(shape("{}", &[deleted]), "things=list(string); thing List{}");
}

#[test]
fn bodies_under_keys_are_map_blocks() {
    let after = create(r#"{"m":{"a":{"k":"x","n":null},"b":{"k":null,"n":1}}}"#);
    let written = r#"{"m":{"a":{"k":{"constant_value":"x"}},"b":{"n":{"constant_value":1}}}}"#;
    assert_eq!(shape(written, &[&after]), "m Map{k=string; n=number}");
}

#[test]
fn objects_have_all_members_and_maps_only_some() {
    let written = r#"{"o":{"references":["var.o"]}}"#;
    let of = |before: &str, after: &str| {
        shape(
            written,
            &[&update(
                &format!(r#"{{"o":{before}}}"#),
                &format!(r#"{{"o":{after}}}"#),
            )],
        )
    };
    assert_eq!(
        of(r#"{"a":"1"}"#, r#"{"b":"2"}"#),
        "o=map(string)",
        "keys come and go"
    );
    assert_eq!(
        of(r#"{"a":"1","b":null}"#, r#"{"a":"2","b":"3"}"#),
        "o=nested Single(a=string; b=string)",
        "a null"
    );
    assert_eq!(
        of(r#"{"a":"1","b":2}"#, r#"{"a":"1","b":3}"#),
        "o=nested Single(a=string; b=number)",
        "types differ"
    );
    assert_eq!(
        of(r#"{"a/b":"1"}"#, r#"{"a/b":"2"}"#),
        "o=map(string)",
        "no attribute's name"
    );
    assert_eq!(
        of(r#"{"a":{"k":"x","n":1},"b":{"k":"y","n":2}}"#, "null"),
        "o=nested Map(k=string; n=number)",
        "alike under keys"
    );
}

#[test]
fn sorted_scalars_can_be_a_set() {
    let after = create(r#"{"s":["a","b","c","d"],"l":["a","b","d","c"],"u":["a","b"]}"#);
    assert_eq!(
        shape("{}", &[&after]),
        "l=list(string); s=set(string); u=list(string)"
    );
}

#[test]
fn blocks_that_are_marked_as_a_whole_are_a_set() {
    let change = r#"{"actions":["update"],"before":{"b":[{"k":"x"}]},"after":{"b":[{"k":"y"}]},"after_unknown":{},
        "before_sensitive":{"b":true},"after_sensitive":{"b":true}}"#;
    assert_eq!(
        shape(r#"{"b":[{"k":{"references":["var.k"]}}]}"#, &[change]),
        "b Set{k=string}"
    );
}

#[test]
fn values_of_several_types_are_dynamic() {
    let change = update(r#"{"d":"x","e":[1,"a"]}"#, r#"{"d":{"k":1},"e":[1,"a"]}"#);
    assert_eq!(shape("{}", &[&change]), "d=dynamic; e=dynamic");
}

#[test]
fn names_identify_passwords_and_write_only_attributes() {
    let change = create(r#"{"admin_password":"x","client_key":"z","key_wo":null,"pass":"y"}"#);
    assert_eq!(
        shape("{}", &[&change]),
        "admin_password=string!; client_key=string!; key_wo=string?; pass=string"
    );
}

#[test]
fn an_address_in_a_module_finds_its_configuration() {
    let text = r#"{"format_version":"1.2","resource_changes":[{"address":"module.m[\"a.b\"].any_x.y","module_address":"module.m[\"a.b\"]",
        "mode":"managed","type":"any_x","name":"y","change":{"actions":["create"],"before":null,"after":{"s":["a","b"],"t":[{"k":1}]}}}],
        "configuration":{"root_module":{"module_calls":{"m":{"module":{"resources":[{"mode":"managed","type":"any_x","name":"y",
        "expressions":{"s":{"constant_value":["b","a"]},"t":[{"k":{"constant_value":1}}]}}]}}}}}}"#;
    let arena = Bump::new();
    let plan: Plan<'_> = json::from_str(text).unwrap();
    let inference = Inference::from_plan(&plan, &arena);
    let block = inference
        .shape(("managed", "", "any_x"), None, || {
            Schemas::new().built_in("", "managed", "any_x", &arena)
        })
        .widened(Values::default(), &arena);
    assert_eq!(short(&block), "s=list(string); t List{k=number}");
}

/// The shape of an instance of a type with a built-in schema, in a plan with these expressions.
fn built_in(provider: &str, kind: &str, expressions: &str, after: &str, unknown: &str) -> String {
    let plan = format!(
        r#"{{"format_version":"1.2","configuration":{{"root_module":{{"resources":[{{"address":"{kind}.y","mode":"managed",
            "type":"{kind}","name":"y","expressions":{expressions}}}]}}}}}}"#
    );
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

#[test]
fn unknown_attributes_that_the_built_in_schema_lacks_are_kept() {
    let arena = Bump::new();
    let plan = Plan::default();
    let unknown = json::parse(r#"{"id":true,"newer":true}"#, &arena).unwrap();
    let values = Values {
        before: Value::Null,
        after: json::parse("{}", &arena).unwrap(),
        unknown,
    };
    let inference = Inference::from_plan(&plan, &arena);
    let block = inference
        .shape(("managed", "hashicorp/null", "null_resource"), None, || {
            Schemas::new().built_in("hashicorp/null", "managed", "null_resource", &arena)
        })
        .widened(values, &arena);
    // Scalar attributes are not listed, because the shape is open.
    assert_eq!(short(&block), "id=string; triggers=map(string)");
    assert!(block.facts.open);
}

#[test]
fn write_only_attributes_of_other_versions_are_left_out() {
    let shape = |after: &str| {
        built_in(
            "hashicorp/azurerm",
            "azurerm_key_vault_secret",
            "{}",
            after,
            "{}",
        )
    };
    assert!(shape(r#"{"value":"x","value_wo":null}"#).contains("value_wo=string?"));
    let without = shape(r#"{"value":"x"}"#);
    assert!(
        without.contains("value=string!") && !without.contains("value_wo="),
        "{without}"
    );
}

#[test]
fn replace_paths_with_an_index_identify_lists() {
    let change = |paths: &str| {
        format!(
            r#"{{"actions":["delete","create"],"before":{{"l":[{{"k":"x"}}]}},"after":{{"l":[{{"k":"y"}}]}},"after_unknown":{{}},"replace_paths":{paths}}}"#
        )
    };
    let written = r#"{"l":[{"k":{"references":["var.k"]}}]}"#;
    assert_eq!(
        shape(written, &[&change(r#"[["l",0,"k"]]"#)]),
        "l List{k=string}"
    );
    assert_eq!(shape(written, &[&change(r#"[["l"]]"#)]), "l Set{k=string}");
}

#[test]
fn marks_of_elements_identify_lists() {
    let change = |marks: &str| {
        format!(
            r#"{{"actions":["delete","create"],"before":{{"l":[{{"k":"x"}}]}},"after":{{"l":[{{"k":"x"}}]}},"after_unknown":{{}},
            "replace_paths":[["l"]],"before_sensitive":{{"l":{marks}}},"after_sensitive":{{}}}}"#
        )
    };
    let written = r#"{"l":[{"k":{"references":["var.k"]}}]}"#;
    assert_eq!(shape(written, &[&change("[{}]")]), "l Set{k=string}");
    assert_eq!(
        shape(written, &[&change(r#"[{"k":true}]"#)]),
        "l List{k=string}"
    );
}

/// The shape of a type, inferred from a state with these objects.
fn state_shape(objects: &[&str]) -> String {
    let resources: Vec<String> = objects
        .iter()
        .map(|values| {
            format!(r#"{{"mode":"managed","type":"any_x","name":"y","values":{values}}}"#)
        })
        .collect();
    let text = format!(
        r#"{{"format_version":"1.0","values":{{"root_module":{{"resources":[{}]}}}}}}"#,
        resources.join(",")
    );
    let arena = Bump::new();
    let state: StateDocument<'_> = json::from_str(&text).unwrap();
    short(
        &Inference::from_state(&state, None, &arena)
            .shape(("managed", "", "any_x"), None, || {
                Schemas::new().built_in("", "managed", "any_x", &arena)
            })
            .widened(Values::default(), &arena),
    )
}

#[test]
fn a_state_with_objects_has_nested_attributes() {
    let values =
        r#"{"owner":{"name":"a","age":1},"things":[{"id":"z"}],"volumes":[],"nic":[{"mac":"m"}]}"#;
    assert_eq!(
        state_shape(&[values]),
        "owner=nested Single(age=number; name=string); things=nested List(id=string); volumes=list(string); \
         nic List{mac=string}"
    );
    let values = r#"{"things":[{"id":"z"}],"nic":[{"mac":"m"}]}"#;
    assert_eq!(
        state_shape(&[values]),
        "nic List{mac=string}; things List{id=string}",
        "the older kit"
    );
}

#[test]
fn blocks_of_a_state_are_empty_but_never_null() {
    let with = r#"{"disk":{"root":{"size":1},"log":{"size":2}},"limit":{"cpu":1},"os":{"patch":[{"kb":"1"}]}}"#;
    let without = r#"{"disk":{},"limit":{"cpu":null},"os":{"patch":[]}}"#;
    assert_eq!(
        state_shape(&[with, without]),
        "disk Map{size=number}; limit Group{cpu=number}; os Single{patch List{kb=string}}"
    );
}

#[test]
fn built_in_schemas_are_extended_for_newer_values() {
    let arena = Bump::new();
    let plan = Plan::default();
    let inference = Inference::from_plan(&plan, &arena);
    let parsed = |text: &'static str| json::parse(text, &arena).unwrap();
    let values = Values {
        before: Value::Null,
        after: parsed(r#"{"triggers":{"a":"b"},"newer":{"x":1},"id":[1]}"#),
        unknown: Value::Null,
    };
    let block = inference
        .shape(("managed", "hashicorp/null", "null_resource"), None, || {
            Schemas::new().built_in("hashicorp/null", "managed", "null_resource", &arena)
        })
        .widened(values, &arena);
    assert_eq!(
        short(&block),
        "id=dynamic; newer=map(number); triggers=map(string)"
    );
}

#[test]
fn shapes_are_inferred_from_a_state() {
    let arena = Bump::new();
    let text = r#"{"format_version":"1.0","values":{"root_module":{"child_modules":[{"resources":[
        {"mode":"managed","type":"any_x","name":"y","values":{"a":"x","list":null}},
        {"mode":"managed","type":"any_x","name":"z","values":{"a":"x","list":[true]}}]}]}}}"#;
    let state: StateDocument<'_> = json::from_str(text).unwrap();
    let inference = Inference::from_state(&state, None, &arena);
    assert_eq!(
        short(
            &inference
                .shape(("managed", "", "any_x"), None, || Schemas::new()
                    .built_in("", "managed", "any_x", &arena))
                .widened(Values::default(), &arena)
        ),
        "a=string; list=list(bool)"
    );
}
