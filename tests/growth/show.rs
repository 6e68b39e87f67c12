//! The time and the memory of `show` grow no faster than its input.

use super::*;

fn names(count: usize, letter: &str) -> Value {
    many(count, |index| json!(format!("{letter}{index}")))
}

fn map(count: usize, value: usize) -> Value {
    object(count, |index| (format!("k{index}"), json!(value)))
}

fn lists(count: usize, more: &[(&str, Value)]) -> Input {
    change(
        json!({ "l": names(count, "x") }),
        json!({ "l": names(count, "y") }),
        more,
    )
    .into()
}

fn drifted(count: usize, relevant: Value) -> Input {
    let mut plan = plan(json!([small(0)]));
    plan["resource_drift"] = many(count, small);
    plan["relevant_attributes"] = relevant;
    plan.into()
}

fn half_marked(count: usize) -> Input {
    let half = many(count / 2, |_| json!(false));
    lists(
        count,
        &[
            ("before_sensitive", json!({ "l": half })),
            ("after_sensitive", json!({ "l": half })),
        ],
    )
}

fn addressed(address: String) -> Input {
    let mut plan = plan(json!([small(0)]));
    plan["resource_changes"][0]["address"] = json!(address);
    plan.into()
}

/// Attributes of a wide type: far more than its instances set.
fn wide(count: usize) -> Value {
    object(count, |index| {
        (
            format!("a{index:06}"),
            json!({ "type": "string", "optional": true }),
        )
    })
}

/// A plan with many small elements in a block of this schema.
fn elements(count: usize, schema_block: Value) -> Input {
    let of = |changed: usize| {
        many(
            count,
            |index| json!({ "a000001": format!("{}", index + usize::from(index == changed)) }),
        )
    };
    (
        change(json!({ "b": of(count) }), json!({ "b": of(5) }), &[]),
        schema(schema_block),
    )
        .into()
}

fn in_blocks(nesting: &str, block: Value) -> Value {
    json!({ "block_types": { "b": { "nesting_mode": nesting, "block": block } } })
}

#[test]
fn changes_grow_linearly() {
    const SHAPES: &[Shape] = &[
        ("paths to elements", 8_000, |n| {
            lists(
                n,
                &[("replace_paths", many(n, |index| json!(["l", index])))],
            )
        }),
        ("paths to one element", 8_000, |n| {
            lists(n, &[("replace_paths", many(n, |_| json!(["l", "0"])))])
        }),
        ("paths to members", 8_000, |n| {
            let paths = many(n, |index| json!(["m", format!("k{index}")]));
            change(
                json!({ "m": map(n, 1) }),
                json!({ "m": map(n, 2) }),
                &[("replace_paths", paths)],
            )
            .into()
        }),
        ("marks for half of a list", 16_000, half_marked),
        ("relevant attributes of each", 6_000, |n| {
            drifted(
                n,
                many(
                    n,
                    |index| json!({ "resource": format!("test_a.a[{index}]"), "attribute": ["b"] }),
                ),
            )
        }),
        ("relevant attributes of any", 6_000, |n| {
            drifted(
                n,
                many(
                    n,
                    |index| json!({ "resource": "", "attribute": ["b", index] }),
                ),
            )
        }),
        ("relevant attributes of any and of each", 6_000, |n| {
            let attribute = |index: usize| match index % 2 {
                0 => json!({ "resource": "", "attribute": ["b", index] }),
                _ => json!({ "resource": format!("test_a.a[{index}]"), "attribute": ["b"] }),
            };
            drifted(n, many(n, attribute))
        }),
        ("actions", 6_000, |n| {
            let mut actions = plan(many(n, small));
            actions["action_invocations"] = many(n, |index| {
                json!({ "address": format!("action.test_b.b[{index}]"), "type": "test_b", "name": "b",
                    "lifecycle_action_trigger": { "triggering_resource_address": format!("test_a.a[{index}]"),
                        "action_trigger_event": "AfterUpdate" } })
            });
            actions.into()
        }),
        ("unknown action lists", 6_000, |n| {
            let mut changes = many(n, small);
            for (index, change) in changes.as_array_mut().unwrap().iter_mut().enumerate() {
                change["change"]["actions"] = json!([format!("x{index}")]);
            }
            plan(changes).into()
        }),
        ("resource types", 6_000, |n| {
            let mut changes = many(n, small);
            for (index, change) in changes.as_array_mut().unwrap().iter_mut().enumerate() {
                change["type"] = json!(format!("test_{index}"));
            }
            plan(changes).into()
        }),
        ("long names of modules", 8_000, |n| {
            let written = |name: &str| json!({ "mode": "managed", "type": "test_a", "name": name, "expressions": {} });
            let mut module = json!({ "resources": many(n, |index| written(&format!("r{index}"))) });
            for letter in ["a", "b", "c", "d", "e", "f"] {
                module = json!({ "module_calls": { letter.repeat(n): { "module": module } } });
            }
            let mut modules = plan(json!([small(0)]));
            modules["configuration"] = json!({ "root_module": module });
            modules.into()
        }),
        ("brackets in an address", 400_000, |n| {
            addressed(format!("test_a.a[\"{}]", "[".repeat(n)))
        }),
        ("colour words in an address", 40_000, |n| {
            addressed("[red]x[bold]".repeat(n))
        }),
    ];
    check("changes", "show --color always", SHAPES);
}

#[test]
fn values_grow_linearly() {
    const SHAPES: &[Shape] = &[
        ("changed lines", 20_000, |n| {
            change(
                json!({ "l": lines(n, |index| format!("a{index}")) }),
                json!({ "l": lines(n, |index| format!("b{index}")) }),
                &[],
            )
            .into()
        }),
        ("texts against one long text", 10_000, |n| {
            let texts = json!({ "l": many(n, |index| json!(format!("x{index}\nx{index}"))) });
            change(
                texts,
                json!({ "l": [lines(n, |index| format!("y{index}"))] }),
                &[],
            )
            .into()
        }),
        ("one long text against texts", 10_000, |n| {
            let texts = json!({ "l": many(n, |index| json!(format!("x{index}\nx{index}"))) });
            change(
                json!({ "l": [lines(n, |index| format!("y{index}"))] }),
                texts,
                &[],
            )
            .into()
        }),
        ("elements in another order", 10_000, |n| {
            let shuffled = many(n, |index| json!(format!("x{}", index * 7919 % n)));
            change(json!({ "l": names(n, "x") }), json!({ "l": shuffled }), &[]).into()
        }),
        ("JSON in elements", 4_000, |n| {
            let texts =
                |add: usize| many(n, |index| json!(json!({ "k": index + add }).to_string()));
            change(json!({ "l": texts(0) }), json!({ "l": texts(1) }), &[]).into()
        }),
        ("long keys around many", 10_000, |n| {
            let keys = |inner: Value| {
                ["a", "b", "c", "d", "e", "f"]
                    .iter()
                    .fold(inner, |value, letter| json!({ letter.repeat(n): value }))
            };
            change(
                json!({ "k": keys(map(n, 1)) }),
                json!({ "k": keys(map(n, 2)) }),
                &[],
            )
            .into()
        }),
        ("members of an element", 10_000, |n| {
            change(
                json!({ "s": [map(n, 1)] }),
                json!({ "s": [map(n, 2)] }),
                &[],
            )
            .into()
        }),
        ("levels around many", 4_000, |n| {
            let value =
                |last: &str| json!({ "d": nested(n.min(900), json!([names(n, "x"), last])) });
            change(value("a"), value("b"), &[]).into()
        }),
        ("levels of JSON around a long text", 4_000, |n| {
            let value = |last: &str| json!({ "d": nested(n.min(900), json!("x".repeat(n * 20) + last)).to_string() });
            change(value("a"), value("b"), &[]).into()
        }),
        ("numbers", 400_000, |n| {
            // Numbers that must neither be expanded nor processed digit by digit.
            let document = change(json!({ "n": 0 }), json!({ "n": 1 }), &[]).to_string();
            let document = document.replace("\"n\":0", "\"n\":1e999999999");
            document
                .replace("\"n\":1}", &format!("\"n\":-0.{}e-4000}}", "1".repeat(n)))
                .into()
        }),
    ];
    check("values", "show --color always", SHAPES);
}

#[test]
fn schemas_grow_linearly() {
    const SHAPES: &[Shape] = &[
        ("elements of a wide list of blocks", 5_000, |n| {
            elements(n, in_blocks("list", json!({ "attributes": wide(n / 2) })))
        }),
        ("elements of a wide set of blocks", 5_000, |n| {
            elements(n, in_blocks("set", json!({ "attributes": wide(n / 2) })))
        }),
        ("elements of a wide nested attribute", 5_000, |n| {
            let nested = json!({ "nesting_mode": "list", "attributes": wide(n / 2) });
            elements(
                n,
                json!({ "attributes": { "b": { "nested_type": nested } } }),
            )
        }),
        ("elements of a wide object type", 5_000, |n| {
            let members = object(n / 2, |index| (format!("a{index:06}"), json!("string")));
            elements(
                n,
                json!({ "attributes": { "b": { "type": ["list", ["object", members]] } } }),
            )
        }),
        ("elements with a write-only attribute", 5_000, |n| {
            let mut attributes = wide(n / 2);
            attributes["a000002"]["write_only"] = json!(true);
            elements(n, in_blocks("list", json!({ "attributes": attributes })))
        }),
        (
            "elements with names of their own after the sample",
            6_000,
            |n| {
                let objects = many(n, |index| json!({ format!("k{index}"): [{ "x": index }] }));
                change(
                    Value::Null,
                    json!({ "b": objects }),
                    &[("actions", json!(["create"]))],
                )
                .into()
            },
        ),
        (
            "attributes with names of their own after the sample",
            6_000,
            |n| {
                let change_of = |index| {
                    resource(
                        index,
                        json!({}),
                        json!({ "o": { "p": [{ format!("k{index}"): { "x": index } }] } }),
                    )
                };
                plan(many(n, change_of)).into()
            },
        ),
        ("elements with many types of blocks", 5_000, |n| {
            let inner = json!({ "nesting_mode": "group", "block": { "attributes": { "x": { "type": "string" } } } });
            let types = object(n / 4, |index| (format!("c{index:06}"), inner.clone()));
            elements(
                n,
                in_blocks(
                    "list",
                    json!({ "attributes": wide(2), "block_types": types }),
                ),
            )
        }),
        ("instances of a wide type", 4_000, |n| {
            (
                plan(many(n, |index| {
                    resource(index, json!({ "a000001": "x" }), json!({ "a000001": "y" }))
                })),
                schema(json!({ "attributes": wide(n) })),
            )
                .into()
        }),
        (
            "small instances beside a large one, without a schema",
            4_000,
            |n| {
                let mut changes = many(n, |index| {
                    resource(
                        index,
                        json!({ "z": "x" }),
                        json!({ "z": "y", format!("q{index}"): 1 }),
                    )
                });
                changes[0] = resource(0, map(n, 1), map(n, 1));
                plan(changes).into()
            },
        ),
        (
            "instances with names of their own, without a schema",
            4_000,
            |n| {
                plan(many(n, |index| {
                    resource(
                        index,
                        json!({ format!("k{index}"): 1 }),
                        json!({ format!("k{index}"): 2 }),
                    )
                }))
                .into()
            },
        ),
        ("hosts", 6_000, |n| {
            providers(n, |index| format!("host{index}/acme/test"))
        }),
        ("namespaces", 6_000, |n| {
            providers(n, |index| format!("registry.example/acme{index}/test"))
        }),
        ("providers", 6_000, |n| {
            providers(n, |index| format!("registry.example/acme/test{index}"))
        }),
    ];
    check("schemas", "show", SHAPES);
}

fn providers(count: usize, name: fn(usize) -> String) -> Input {
    let providers = object(count, |index| {
        (name(index), json!({ "resource_schemas": {} }))
    });
    let schema = json!({ "format_version": "1.0", "provider_schemas": providers }).to_string();
    (plan(many(count, small)), schema).into()
}

#[test]
fn states_grow_linearly() {
    const SHAPES: &[Shape] = &[
        ("modules", 5_000, |n| {
            let modules = many(
                n,
                |index| json!({ "address": format!("module.m{index}"), "resources": [state_resource(index)] }),
            );
            json!({ "format_version": "1.0", "values": { "root_module": { "child_modules": modules } } })
                .into()
        }),
        ("modules in modules", 5_000, |n| {
            let inner = json!({ "resources": many(n, state_resource) });
            let outer = |module, _| member("child_modules", Value::Array(vec![module]));
            member("values", member("root_module", (0..400).fold(inner, outer))).into()
        }),
        ("outputs", 8_000, |n| {
            let outputs = object(n, |index| {
                (
                    format!("o{index}"),
                    json!({ "value": [index], "sensitive": false }),
                )
            });
            json!({ "format_version": "1.0", "values": { "outputs": outputs, "root_module": {} } })
                .into()
        }),
    ];
    check("states", "show", SHAPES);
}

fn state_resource(index: usize) -> Value {
    json!({ "address": format!("test_a.a[{index}]"), "mode": "managed", "type": "test_a", "name": "a",
        "provider_name": "registry.example/acme/test", "values": { "a": "x" }, "sensitive_values": {} })
}
