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
