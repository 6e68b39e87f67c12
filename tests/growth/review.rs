//! The time and the memory of `review` grow no faster than its input, in each format.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use super::base64::base64;
use super::*;

fn text(before: String, after: String) -> Input {
    change(json!({ "t": before }), json!({ "t": after }), &[]).into()
}

fn members(count: usize, value: &str) -> String {
    object(count, |index| {
        (format!("k{index}"), json!(format!("{value}{index}")))
    })
    .to_string()
}

fn packed(text: &str) -> String {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    base64(&packed.finish().unwrap())
}

/// Inputs that are measured with each format.
const SHAPES: &[Shape] = &[
    ("resources", 3_000, |n| plan(many(n, small)).into()),
    ("changed lines", 30_000, |n| {
        text(
            lines(n, |index| format!("a{index}")),
            lines(n, |index| format!("b{index}")),
        )
    }),
    ("some changed lines", 30_000, |n| {
        text(
            lines(n, |index| format!("a{index}")),
            lines(n, |index| {
                format!("a{}", if index % 10 == 0 { index + n } else { index })
            }),
        )
    }),
    ("lines in another order", 30_000, |n| {
        text(
            lines(n, |index| format!("a{index}")),
            lines(n, |index| format!("a{}", index * 7919 % n)),
        )
    }),
    ("changed keys of JSON", 5_000, |n| {
        text(members(n, "a"), members(n, "b"))
    }),
    ("changed keys of YAML", 5_000, |n| {
        text(
            lines(n, |index| format!("k{index}: a{index}")),
            lines(n, |index| format!("k{index}: b{index}")),
        )
    }),
    ("changed lines, packed", 30_000, |n| {
        text(
            packed(&lines(n, |index| format!("a{index}"))),
            packed(&lines(n, |index| format!("b{index}"))),
        )
    }),
    ("changed elements", 5_000, |n| {
        let elements = |letter: &str| {
            many(
                n,
                |index| json!({ "name": format!("{letter}{index}"), "port": index }),
            )
        };
        change(
            json!({ "l": elements("a") }),
            json!({ "l": elements("b") }),
            &[],
        )
        .into()
    }),
    ("elements in another order", 5_000, |n| {
        let elements = |step: usize| {
            many(
                n,
                |index| json!({ "name": format!("x{}", index * step % n), "port": index }),
            )
        };
        change(
            json!({ "l": elements(1) }),
            json!({ "l": elements(7919) }),
            &[],
        )
        .into()
    }),
    ("changed words", 5_000, |n| {
        let words = |letter: &str| (0..n).map(|index| format!("{letter}{index} ")).collect();
        text(words("a"), words("b"))
    }),
    ("many long strings", 500, |n| {
        let strings = |last: &str| {
            object(n, |index| {
                (format!("k{index}"), json!("word ".repeat(200) + last))
            })
        };
        change(strings("a"), strings("b"), &[]).into()
    }),
    ("letters that look alike", 10_000, |n| {
        text("a\u{301}e".repeat(n), "á\u{435}".repeat(n))
    }),
    ("levels around a long text", 4_000, |n| {
        let value = |last: &str| json!({ "d": nested(300, json!("x".repeat(n * 20) + last)) });
        change(value("a"), value("b"), &[]).into()
    }),
    ("levels of JSON around a long text", 4_000, |n| {
        let value = |last: &str| nested(300, json!("x".repeat(n * 20) + last)).to_string();
        text(value("a"), value("b"))
    }),
    ("small instances of a wide type", 2_000, |n| {
        let attributes = object(n, |index| {
            (
                format!("a{index:06}"),
                json!({ "type": "string", "optional": true }),
            )
        });
        let changes = many(n, |index| {
            resource(index, json!({ "a000001": "x" }), json!({ "a000001": "y" }))
        });
        (plan(changes), schema(json!({ "attributes": attributes }))).into()
    }),
];

#[test]
fn review_grows_linearly() {
    check("review", "review", SHAPES);
}

#[test]
fn review_as_json_grows_linearly() {
    check("review-json", "review --format json", SHAPES);
}

#[test]
fn review_as_markdown_grows_linearly() {
    check("review-markdown", "review --format markdown", SHAPES);
}

#[test]
fn review_with_all_values_grows_linearly() {
    check("review-all", "review --context all", SHAPES);
}

/// Each copy of a sensitive text is found in one pass, whatever the texts have in common.
#[test]
fn copies_of_sensitive_texts_are_found_in_linear_time() {
    const COPIES: &[Shape] = &[
        ("many texts", 20_000, |n| {
            let texts = many(n, |index| json!(format!("Secret{}Of9", index * 7_919)));
            repeated(texts.clone(), texts.to_string())
        }),
        ("one long text, almost repeated", 400_000, |n| {
            let long = "a".repeat(n);
            repeated(json!([format!("{long}b"), format!("{long}c")]), long + "d")
        }),
        ("texts that begin alike", 400_000, |n| {
            let texts = many(n.isqrt(), |index| json!("a".repeat(index + 6)));
            repeated(texts, "a".repeat(n))
        }),
        ("short base64", 40_000, |n| {
            let texts = lines(n, |index| base64(format!("u:{index}").as_bytes()));
            repeated(json!("aB3$xYqq"), texts)
        }),
    ];
    check("copies", "review", COPIES);
}

/// Decoded text counts towards one budget for the whole review, so that a small document cannot fill the
/// memory.
#[test]
fn decoded_texts_have_one_budget() {
    const PACKED: &[Shape] = &[("packed attributes", 12, |n| {
        let long = |last: &str| packed(&("x".repeat((4 << 20) - 1) + last));
        let (before, after) = (long("a"), long("b"));
        let of = |value: &str| object(n, |index| (format!("k{index}"), json!(value)));
        change(of(&before), of(&after), &[]).into()
    })];
    for args in ["review", "review --format json", "review --format markdown"] {
        check("review-packed", args, PACKED);
    }
}

/// One input may contain many plans.
#[test]
fn many_documents_are_each_read_once() {
    const DOCUMENTS: &[Shape] = &[
        ("plans", 2_000, |n| {
            (0..n)
                .map(|index| plan(json!([small(index)])).to_string() + "\n")
                .collect::<String>()
                .into()
        }),
        ("plans between lines of a log", 2_000, |n| {
            (0..n)
                .map(|index| format!("line\n{}\n", plan(json!([small(index)]))))
                .collect::<String>()
                .into()
        }),
        ("empty plans before blanks", 2_500, |n| {
            (plan(json!([])).to_string().repeat(n) + &" ".repeat(n * 100)).into()
        }),
        ("broken objects before a plan", 20_000, |n| {
            ("x ".to_owned() + &"{\"a\":{\"b\" ".repeat(n) + "\n" + &plan(json!([])).to_string())
                .into()
        }),
        ("plans with schemas of their own", 500, |n| {
            let mut plan_with_schemas = plan(json!([small(0)]));
            plan_with_schemas["provider_schemas"] = json!({});
            let attributes = object(n, |index| {
                (format!("a{index}"), json!({ "type": "string" }))
            });
            let documents: String = (0..n)
                .map(|_| plan_with_schemas.to_string() + "\n")
                .collect();
            Input {
                document: documents.into_bytes(),
                unpacked: 0,
                schema: Some(schema(json!({ "attributes": attributes }))),
                approved: None,
                results: None,
            }
        }),
    ];
    check("documents", "review --list", DOCUMENTS);
}

/// Each result was looked for in each plan.
#[test]
fn slow_results_times_units() {
    const RESULTS: &[Shape] = &[("results about no plan", 60, |n| {
        let plans: String = (0..n)
            .map(|index| plan(json!([small(index)])).to_string() + "\n")
            .collect();
        let result = |index: usize| {
            let location = json!({ "artifactLocation": { "uri": format!("a/b/c/d/e/f/main{index}.tf") }, "region": { "startLine": index } });
            json!({ "ruleId": "r", "level": "error", "message": { "text": "m" }, "locations": [{ "physicalLocation": location }] })
        };
        let run = json!({ "tool": { "driver": { "name": "t" } }, "results": many(n * 50, result) });
        Input {
            results: Some(json!({ "version": "2.1.0", "runs": [run] }).to_string()),
            ..Input::from(plans)
        }
    })];
    check("results", "review", RESULTS);
}

/// A page repeated a thousand results about a block for each of its instances: 459 MB for 3 MB.
#[test]
fn results_repeated_for_each_instance_stay_within_the_memory_of_a_page() {
    const INSTANCES: &[Shape] = &[("results about a block", 1_000, |n| {
        let result = |index: usize| {
            json!({
                "ruleId": format!("r{index}"), "level": "error", "message": { "text": "m" },
                "locations": [{ "logicalLocations": [{ "fullyQualifiedName": "test_a.a" }] }],
            })
        };
        let run = json!({ "tool": { "driver": { "name": "t" } }, "results": many(n, result) });
        Input {
            results: Some(json!({ "version": "2.1.0", "runs": [run] }).to_string()),
            ..Input::from(plan(many(n, small)))
        }
    })];
    check("instances", "review --format html", INSTANCES);
}
