//! Values and edits take far more memory than a dense text: what is built of it has a bound.

use super::measure::check_memory;
use super::*;

fn lists(before: Value, after: Value) -> Input {
    change(json!({ "l": before }), json!({ "l": after }), &[]).into()
}

fn objects(count: usize, letter: &str) -> Value {
    many(count, |at| json!({ "a": at, "b": format!("{letter}{at}") }))
}

const LARGE: &[Shape] = &[
    ("small objects that are added", 400_000, |n| lists(json!([]), objects(n, "x"))),
    ("small objects that change", 200_000, |n| lists(objects(n, "x"), objects(n, "y"))),
    ("digits that change", 300_000, |n| lists(many(n, |_| json!(1)), many(n, |_| json!(2)))),
    ("digits in another order", 300_000, |n| {
        lists(many(n, |at| json!(at % 10)), many(n, |at| json!(at * 7 % 10)))
    }),
    ("digits of an output", 300_000, |n| {
        let digits = |step: usize| many(n, |at| json!((at + step) % 10));
        let mut plan = plan(json!([]));
        plan["output_changes"] =
            json!({ "o": { "actions": ["update"], "before": digits(0), "after": digits(1) } });
        plan.into()
    }),
    ("many dense lists", 300, |n| {
        let digits = |step: usize| json!({ "l": many(2_000, |at| json!((at + step) % 10)) });
        plan(many(n, |at| resource(at, digits(0), digits(1)))).into()
    }),
];

#[test]
fn dense_values_stay_within_the_memory_of_a_review() {
    check_memory("review", "review", LARGE);
}

#[test]
fn dense_values_stay_within_the_memory_of_a_review_as_json() {
    check_memory("review-json", "review --format json", LARGE);
}

#[test]
fn dense_values_stay_within_the_memory_of_a_review_as_markdown() {
    check_memory("review-markdown", "review --format markdown", LARGE);
}

/// A list of digits as text, which is made faster than a tree.
fn digits(count: usize) -> String {
    format!("[{}1]", "1,".repeat(count - 1))
}

/// The same with another digit in the middle.
fn one_other(count: usize) -> String {
    format!("[{}2,{}]", "1,".repeat(count / 2), digits(count - count / 2 - 1).trim_matches(['[', ']']))
}

fn objects_of_digits(count: usize) -> String {
    format!("{{{}\"k\":1}}", (0..count).map(|at| format!("\"k{at:07}\":1,")).collect::<String>())
}

fn lists_of_digits(count: usize) -> String {
    format!("[{}[1]]", "[1],".repeat(count - 1))
}

/// A document with `VALUE` replaced.
fn with(document: &Value, places: &[(&str, String)]) -> Input {
    let mut text = document.to_string();
    for (place, value) in places {
        text = text.replace(&format!("\"{place}\""), value);
    }
    text.into()
}

fn changed(before: String, after: String) -> Input {
    let document = change(json!({ "l": "BEFORE" }), json!({ "l": "AFTER" }), &[]);
    with(&document, &[("BEFORE", before), ("AFTER", after)])
}

fn created(value: String) -> Input {
    with(&change(Value::Null, json!({ "l": "AFTER" }), &[]), &[("AFTER", value)])
}

const DENSE: &[Shape] = &[
    ("a list that is created", 1_000_000, |n| created(digits(n))),
    ("a list with one other element", 1_000_000, |n| changed(digits(n), one_other(n))),
    ("two equal lists", 1_000_000, |n| {
        let document = change(json!({ "l": "LIST", "x": 1 }), json!({ "l": "LIST", "x": 2 }), &[]);
        with(&document, &[("LIST", digits(n))])
    }),
    ("lists in a list", 1_000_000, |n| created(lists_of_digits(n))),
    ("an object of many members", 1_000_000, |n| created(objects_of_digits(n))),
    ("small blocks", 1_000_000, |n| created(format!("[{}{{}}]", "{\"a\":1},".repeat(n)))),
    ("an output", 1_000_000, |n| {
        let mut document = plan(json!([]));
        document["output_changes"] =
            json!({ "o": { "actions": ["update"], "before": "BEFORE", "after": "AFTER" } });
        with(&document, &[("BEFORE", digits(n)), ("AFTER", one_other(n))])
    }),
    ("drift", 1_000_000, |n| {
        let mut document = plan(json!([small(1)]));
        document["resource_drift"] = json!([resource(0, json!({ "l": "BEFORE" }), json!({ "l": "AFTER" }))]);
        document["relevant_attributes"] = json!([{ "resource": "test_a.a[0]", "attribute": ["l"] }]);
        with(&document, &[("BEFORE", digits(n)), ("AFTER", one_other(n))])
    }),
    ("JSON in a string", 1_000_000, |n| {
        changed(json!(digits(n)).to_string(), json!(one_other(n)).to_string())
    }),
];

#[test]
fn dense_values_stay_within_the_memory_of_show() {
    check_memory("show", "show", DENSE);
    const STATES: &[Shape] = &[("a state", 1_000_000, |n| {
        let values = json!({ "l": "LIST" });
        let resource = json!({ "address": "test_a.a", "mode": "managed", "type": "test_a", "name": "a",
            "provider_name": "registry.example/acme/test", "values": values });
        let outputs = json!({ "o": { "sensitive": false, "value": "LIST", "type": ["list", "number"] } });
        let values = json!({ "outputs": outputs, "root_module": { "resources": [resource] } });
        let state = json!({ "format_version": "1.0", "terraform_version": "1.9.0", "values": values });
        with(&state, &[("LIST", digits(n / 2))])
    })];
    check_memory("state", "show", STATES);
}

#[test]
fn dense_values_stay_within_the_memory_of_a_page() {
    check_memory("page", "review --format html", &DENSE[..4]);
}

#[test]
fn dense_values_stay_within_the_memory_of_a_comparison() {
    fn against(approved: Input, now: Input) -> Input {
        Input { approved: Some(approved.document), ..now }
    }
    const SHAPES: &[Shape] = &[
        ("another element", 1_000_000, |n| against(created(digits(n)), created(one_other(n)))),
        ("other elements", 300_000, |n| {
            against(changed(digits(n), one_other(n)), changed(digits(n), digits(n).replace('1', "3")))
        }),
        ("other members", 300_000, |n| {
            against(created(objects_of_digits(n)), created(objects_of_digits(n).replace(":1", ":2")))
        }),
        ("other objects", 300_000, |n| {
            against(lists(json!([]), objects(n, "x")), lists(json!([]), objects(n, "y")))
        }),
    ];
    check_memory("comparison", "diff", SHAPES);
}

#[test]
fn a_hostile_specification_stays_within_the_memory_of_a_check() {
    const SHAPES: &[Shape] = &[
        ("digits", 1_500_000, |n| format!("{{\"provider\":[{}1]}}", "1,".repeat(n)).into()),
        ("empty objects", 800_000, |n| format!("{{\"resources\":[{}{{}}]}}", "{},".repeat(n)).into()),
    ];
    check_memory("specification", "schema check", SHAPES);
}

#[test]
fn a_long_snippet_stays_within_the_memory_of_a_stream() {
    const SHAPES: &[Shape] = &[("lines of code", 500_000, |n| {
        stream::about(json!({ "code": "x\n".repeat(n), "start_line": 1,
            "highlight_start_offset": 3, "highlight_end_offset": n }))
    })];
    check_memory("snippet", "stream --color always", SHAPES);
    check_memory("snippet-plain", "stream", SHAPES);
}
