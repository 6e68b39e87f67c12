//! Memory stays within the budget for dense and wide values, whose parsed values and edits are far larger
//! than their text, and for values that are too large to be compared part by part.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::measure::{
    ELEMENTS_PER_BYTE, OUTPUTS_PER_BYTE, check_memory, check_memory_within, check_units, given,
    memory_of_folder,
};
use super::*;

fn lists(before: Value, after: Value) -> Input {
    change(json!({ "l": before }), json!({ "l": after }), &[]).into()
}

fn objects(count: usize, letter: &str) -> Value {
    many(
        count,
        |index| json!({ "a": index, "b": format!("{letter}{index}") }),
    )
}

const LARGE: &[Shape] = &[
    ("small objects that are added", 400_000, |n| {
        lists(json!([]), objects(n, "x"))
    }),
    ("small objects that change", 100_000, |n| {
        lists(objects(n, "x"), objects(n, "y"))
    }),
    ("digits that change", 40_000, |n| {
        lists(many(n, |_| json!(1)), many(n, |_| json!(2)))
    }),
    ("digits in another order", 40_000, |n| {
        lists(
            many(n, |index| json!(index % 10)),
            many(n, |index| json!(index * 7 % 10)),
        )
    }),
    ("digits of an output", 300_000, |n| {
        let digits = |step: usize| many(n, |index| json!((index + step) % 10));
        let mut plan = plan(json!([]));
        plan["output_changes"] =
            json!({ "o": { "actions": ["update"], "before": digits(0), "after": digits(1) } });
        plan.into()
    }),
    ("many dense lists", 300, |n| {
        let digits = |step: usize| json!({ "l": many(2_000, |index| json!((index + step) % 10)) });
        plan(many(n, |index| resource(index, digits(0), digits(1)))).into()
    }),
];

/// Values of more than 2,000,000 parts, which are compared as a whole.
const TOO_LARGE: &[Shape] = &[
    ("too many digits that change", 3_000_000, |n| {
        changed(digits(n), digits(n).replace('1', "2"))
    }),
    ("too many digits that are created", 6_000_000, |n| {
        created(digits(n))
    }),
];

#[test]
fn values_that_are_too_large_stay_within_the_memory_of_a_review() {
    check_memory("too-large", "review", TOO_LARGE);
    check_memory("too-large-json", "review --format json", TOO_LARGE);
}

#[test]
fn dense_values_stay_within_the_memory_of_a_review() {
    check_memory("review", "review", LARGE);
}

/// A list of digits as text, which is faster to generate than a JSON tree.
fn digits(count: usize) -> String {
    format!("[{}1]", "1,".repeat(count - 1))
}

/// The same list with a different digit in the middle.
fn one_other(count: usize) -> String {
    format!(
        "[{}2,{}]",
        "1,".repeat(count / 2),
        digits(count - count / 2 - 1).trim_matches(['[', ']'])
    )
}

fn objects_of_digits(count: usize) -> String {
    format!(
        "{{{}\"k\":1}}",
        (0..count)
            .map(|index| format!("\"k{index:07}\":1,"))
            .collect::<String>()
    )
}

fn lists_of_digits(count: usize) -> String {
    format!("[{}[1]]", "[1],".repeat(count - 1))
}

/// The text of a document with the placeholders of `places` replaced by values.
fn fill(document: &Value, places: &[(&str, String)]) -> Input {
    let mut text = document.to_string();
    for (place, value) in places {
        text = text.replace(&format!("\"{place}\""), value);
    }
    text.into()
}

fn changed(before: String, after: String) -> Input {
    let document = change(json!({ "l": "BEFORE" }), json!({ "l": "AFTER" }), &[]);
    fill(&document, &[("BEFORE", before), ("AFTER", after)])
}

fn created(value: String) -> Input {
    fill(
        &change(Value::Null, json!({ "l": "AFTER" }), &[]),
        &[("AFTER", value)],
    )
}

const DENSE: &[Shape] = &[
    ("a list that is created", 600_000, |n| created(digits(n))),
    ("a list with one other element", 600_000, |n| {
        changed(digits(n), one_other(n))
    }),
    ("two equal lists", 600_000, |n| {
        let document = change(
            json!({ "l": "LIST", "x": 1 }),
            json!({ "l": "LIST", "x": 2 }),
            &[],
        );
        fill(&document, &[("LIST", digits(n))])
    }),
    ("lists in a list", 300_000, |n| created(lists_of_digits(n))),
    ("an object of many members", 600_000, |n| {
        created(objects_of_digits(n))
    }),
    ("small blocks", 600_000, |n| {
        created(format!("[{}{{}}]", "{\"a\":1},".repeat(n)))
    }),
    ("an output", 600_000, |n| {
        let mut document = plan(json!([]));
        document["output_changes"] =
            json!({ "o": { "actions": ["update"], "before": "BEFORE", "after": "AFTER" } });
        fill(&document, &[("BEFORE", digits(n)), ("AFTER", one_other(n))])
    }),
    ("drift", 600_000, |n| {
        let mut document = plan(json!([small(1)]));
        document["resource_drift"] = json!([resource(
            0,
            json!({ "l": "BEFORE" }),
            json!({ "l": "AFTER" })
        )]);
        document["relevant_attributes"] =
            json!([{ "resource": "test_a.a[0]", "attribute": ["l"] }]);
        fill(&document, &[("BEFORE", digits(n)), ("AFTER", one_other(n))])
    }),
    ("JSON in a string", 600_000, |n| {
        changed(
            json!(digits(n)).to_string(),
            json!(one_other(n)).to_string(),
        )
    }),
];

/// A list of numbers below 600 in an order that `factor` decides, so that each occurs very often.
fn repeating_numbers(count: usize, factor: usize) -> String {
    let number = |index: usize| (index * factor % 1_000_003 % 600).to_string();
    format!("[{}]", (0..count).map(number).collect::<Vec<_>>().join(","))
}

const REPEATED: &[Shape] = &[("lists of numbers that occur often", 200_000, |n| {
    changed(repeating_numbers(n, 7_919), repeating_numbers(n, 104_729))
})];

#[test]
fn pairs_of_elements_that_occur_often_stay_within_the_memory_of_show() {
    check_memory("repeated", "show", REPEATED);
}

#[test]
fn pairs_of_elements_that_occur_often_stay_within_the_memory_of_a_review() {
    check_memory("repeated-review", "review", REPEATED);
}

/// Lists of which the parsed elements take most of the memory that is allowed.
const LONG: &[Shape] = &[
    ("a long list that is created", 800_000, |n| {
        created(digits(n))
    }),
    ("two long lists that are equal", 500_000, |n| {
        let document = change(
            json!({ "l": "LIST", "x": 1 }),
            json!({ "l": "LIST", "x": 2 }),
            &[],
        );
        fill(&document, &[("LIST", digits(n))])
    }),
    ("a long output", 800_000, |n| {
        let mut document = plan(json!([]));
        document["output_changes"] =
            json!({ "o": { "actions": ["create"], "before": null, "after": "AFTER" } });
        fill(&document, &[("AFTER", digits(n))])
    }),
    ("drift of small blocks", 400_000, |n| {
        let mut document = plan(json!([small(1)]));
        document["resource_drift"] = json!([resource(
            0,
            json!({ "l": "BEFORE" }),
            json!({ "l": "AFTER" })
        )]);
        document["relevant_attributes"] =
            json!([{ "resource": "test_a.a[0]", "attribute": ["l"] }]);
        let blocks = |value: &str| format!("[{}{{}}]", format!("{{\"a\":{value}}},").repeat(n));
        fill(
            &document,
            &[("BEFORE", blocks("1")), ("AFTER", blocks("2"))],
        )
    }),
];

#[test]
fn drift_and_long_lists_stay_within_the_memory_of_show() {
    check_memory("long", "show", &LONG[2..]);
}

#[test]
fn dense_values_stay_within_the_memory_of_show() {
    check_memory("show", "show", DENSE);
    const STATES: &[Shape] = &[("a state", 600_000, |n| {
        let values = json!({ "l": "LIST" });
        let resource = json!({ "address": "test_a.a", "mode": "managed", "type": "test_a", "name": "a",
            "provider_name": "registry.example/acme/test", "values": values });
        let outputs =
            json!({ "o": { "sensitive": false, "value": "LIST", "type": ["list", "number"] } });
        let values = json!({ "outputs": outputs, "root_module": { "resources": [resource] } });
        let state =
            json!({ "format_version": "1.0", "terraform_version": "1.9.0", "values": values });
        fill(&state, &[("LIST", digits(n / 2))])
    })];
    check_memory("state", "show", STATES);
}

#[test]
fn dense_values_stay_within_the_memory_of_a_page() {
    check_memory("page", "review --format html", &DENSE[..2]);
}

#[test]
fn dense_values_stay_within_the_memory_of_a_comparison() {
    fn against(approved: Input, now: Input) -> Input {
        Input {
            approved: Some(approved.text()),
            results: None,
            ..now
        }
    }
    const SHAPES: &[Shape] = &[
        ("another element", 300_000, |n| {
            against(created(digits(n)), created(one_other(n)))
        }),
        ("other elements", 15_000, |n| {
            against(
                changed(digits(n), one_other(n)),
                changed(digits(n), digits(n).replace('1', "3")),
            )
        }),
        ("other members", 30_000, |n| {
            against(
                created(objects_of_digits(n)),
                created(objects_of_digits(n).replace(":1", ":2")),
            )
        }),
        ("other objects", 30_000, |n| {
            against(
                lists(json!([]), objects(n, "x")),
                lists(json!([]), objects(n, "y")),
            )
        }),
    ];
    check_memory("comparison", "diff", SHAPES);
}

#[test]
fn a_hostile_specification_stays_within_the_memory_of_a_check() {
    const SHAPES: &[Shape] = &[
        ("digits", 1_500_000, |n| {
            format!("{{\"provider\":[{}1]}}", "1,".repeat(n)).into()
        }),
        ("empty objects", 800_000, |n| {
            format!("{{\"resources\":[{}{{}}]}}", "{},".repeat(n)).into()
        }),
    ];
    check_memory("specification", "schema check", SHAPES);
}

#[test]
fn a_long_snippet_stays_within_the_memory_of_a_stream() {
    const SHAPES: &[Shape] = &[("lines of code", 500_000, |n| {
        stream::with_snippet(json!({ "code": "x\n".repeat(n), "start_line": 1,
            "highlight_start_offset": 3, "highlight_end_offset": n }))
    })];
    check_memory("snippet", "stream --color always", SHAPES);
    check_memory("snippet-plain", "stream", SHAPES);
}

/// An object with `count` members, as text.
fn members(count: usize, value: &str) -> String {
    let member = |index: usize| format!("\"k{index}\":{value}");
    format!(
        "{{{}}}",
        (0..count).map(member).collect::<Vec<_>>().join(",")
    )
}

fn trues(count: usize) -> String {
    digits(count).replace('1', "true")
}

/// A plan of one change with these values, unknown parts, and sensitivity marks of both sides.
fn of_sides(before: String, after: String, unknown: String, marks: [String; 2]) -> Input {
    let mut document = change(
        json!("BEFORE"),
        json!("AFTER"),
        &[("after_unknown", json!("UNKNOWN"))],
    );
    document["resource_changes"][0]["change"]["before_sensitive"] = json!("OLD_MARKS");
    document["resource_changes"][0]["change"]["after_sensitive"] = json!("NEW_MARKS");
    let [old, new] = marks;
    let places = [
        ("BEFORE", before),
        ("AFTER", after),
        ("UNKNOWN", unknown),
        ("OLD_MARKS", old),
        ("NEW_MARKS", new),
    ];
    fill(&document, &places)
}

fn none() -> String {
    "{}".to_owned()
}

fn under(name: &str, value: &str) -> String {
    format!("{{\"{name}\":{value}}}")
}

/// Wide objects, and marks and paths that are as dense as the values. The first entries are those that once
/// needed the most memory.
const WIDE: &[Shape] = &[
    ("attributes that change", 200_000, |n| {
        of_sides(members(n, "1"), members(n, "2"), none(), [none(), none()])
    }),
    (
        "attributes that change, as many as may have an edit each",
        63_000,
        |n| of_sides(members(n, "1"), members(n, "2"), none(), [none(), none()]),
    ),
    ("attributes that change, some more", 100_000, |n| {
        of_sides(members(n, "1"), members(n, "2"), none(), [none(), none()])
    }),
    (
        "elements that are unknown without a value",
        1_000_000,
        |n| of_sides(none(), none(), under("l", &trues(n)), [none(), none()]),
    ),
    ("attributes that are unknown", 200_000, |n| {
        of_sides(
            members(n, "1"),
            none(),
            members(n, "true"),
            [none(), none()],
        )
    }),
    ("an object of many short members", 333_300, |n| {
        of_sides(
            under("m", &members(n, "1")),
            under("m", &members(n, "2")),
            none(),
            [none(), none()],
        )
    }),
    ("attributes that are created", 200_000, |n| {
        of_sides("null".to_owned(), members(n, "1"), none(), [none(), none()])
    }),
    ("members that are unknown", 200_000, |n| {
        of_sides(
            under("m", &members(n, "1")),
            none(),
            under("m", &members(n, "true")),
            [none(), none()],
        )
    }),
    ("members that are sensitive", 200_000, |n| {
        let marks = || under("m", &members(n, "true"));
        of_sides(
            under("m", &members(n, "1")),
            under("m", &members(n, "2")),
            none(),
            [marks(), marks()],
        )
    }),
    ("objects in objects", 1_000, |n| {
        let inner = members(300, "1");
        of_sides(
            "null".to_owned(),
            members(n, &inner),
            none(),
            [none(), none()],
        )
    }),
    ("objects with names of their own in a list", 266_600, |n| {
        let items: Vec<String> = (0..n).map(|index| format!("{{\"k{index}\":1}}")).collect();
        of_sides(
            "null".to_owned(),
            under("l", &format!("[{}]", items.join(","))),
            none(),
            [none(), none()],
        )
    }),
    ("blocks in blocks", 100_000, |n| {
        let list = |last: &str| {
            let item = format!("{{\"b\":[{{\"c\":{last}}}]}},");
            format!("[{}{{}}]", item.repeat(n))
        };
        of_sides(
            under("a", &list("1")),
            under("a", &list("2")),
            none(),
            [none(), none()],
        )
    }),
    ("paths that force replacement", 200_000, |n| {
        let mut plan = change(json!({ "m": "OLD" }), json!({ "m": "NEW" }), &[]);
        plan["resource_changes"][0]["change"]["replace_paths"] = json!("PATHS");
        let paths: Vec<String> = (0..n)
            .map(|index| format!("[\"m\",\"k{index}\"]"))
            .collect();
        let paths = format!("[{}]", paths.join(","));
        fill(
            &plan,
            &[
                ("OLD", members(n, "1")),
                ("NEW", members(n, "2")),
                ("PATHS", paths),
            ],
        )
    }),
    ("relevant attributes", 133_300, |n| {
        let mut plan = plan(json!([small(1)]));
        plan["resource_drift"] = json!([resource(0, json!({ "m": "OLD" }), json!({ "m": "NEW" }))]);
        plan["relevant_attributes"] = json!("PATHS");
        let path = |index: usize| {
            format!("{{\"resource\":\"test_a.a[0]\",\"attribute\":[\"m\",\"k{index}\"]}}")
        };
        let paths = format!("[{}]", (0..n).map(path).collect::<Vec<_>>().join(","));
        fill(
            &plan,
            &[
                ("OLD", members(n, "1")),
                ("NEW", members(n, "2")),
                ("PATHS", paths),
            ],
        )
    }),
    ("keys of JSON in a string", 200_000, |n| {
        let text = |value: &str| under("j", &json!(members(n, value)).to_string());
        of_sides(text("1"), text("2"), none(), [none(), none()])
    }),
];

/// Outputs, each of which has more objects of its own than an attribute.
const OUTPUTS: &[Shape] = &[
    ("outputs of short lists", 53_300, |n| {
        let mut document = plan(json!([]));
        document["output_changes"] = json!("OUTPUTS");
        let output = format!("{{\"actions\":[\"create\"],\"after\":{}}}", digits(30));
        fill(&document, &[("OUTPUTS", members(n, &output))])
    }),
    ("outputs", 53_300, |n| {
        let mut document = plan(json!([]));
        document["output_changes"] = json!("OUTPUTS");
        let output = "{\"actions\":[\"create\"],\"before\":null,\"after\":1}";
        fill(&document, &[("OUTPUTS", members(n, output))])
    }),
];

/// Lists of digits whose marks are about as long as they are: each element has an edit of its own.
const ELEMENTS: &[Shape] = &[
    ("elements that are unknown", 666_600, |n| {
        of_sides(
            under("l", &digits(n)),
            none(),
            under("l", &trues(n)),
            [none(), none()],
        )
    }),
    ("elements that are sensitive", 466_600, |n| {
        let marks = || under("l", &trues(n));
        let two = digits(n).replace('1', "2");
        of_sides(
            under("l", &digits(n)),
            under("l", &two),
            none(),
            [marks(), marks()],
        )
    }),
];

/// The number of shapes of [`WIDE`] that every test run measures.
const WORST: usize = 5;

/// All of some shapes if a release is measured, as CI does; without optimization, that takes half an hour.
fn measured(shapes: &[Shape]) -> &[Shape] {
    match given() {
        Some(_) => shapes,
        None => &shapes[..1],
    }
}

#[test]
fn wide_objects_and_dense_marks_stay_within_the_memory_of_show() {
    check_memory("wide-show", "show", &WIDE[..WORST]);
    const STATES: &[Shape] = &[("a state", 300_000, |n| {
        let resource = json!({ "address": "test_a.a", "mode": "managed", "type": "test_a", "name": "a",
            "provider_name": "registry.example/acme/test", "values": "VALUES" });
        let values = json!({ "outputs": {}, "root_module": { "resources": [resource] } });
        let state =
            json!({ "format_version": "1.0", "terraform_version": "1.9.0", "values": values });
        fill(&state, &[("VALUES", members(n, "1"))])
    })];
    check_memory("wide-state", "show", STATES);
}

/// The search for copies of a sensitive text took up to 280 bytes for each of its bytes.
#[test]
fn long_sensitive_texts_that_are_repeated_stay_within_the_memory_of_a_review() {
    const SECRETS: &[Shape] = &[
        ("a long line", 400_000, |n| {
            let line: String = (0..n)
                .map(|index| format!("k{:x}", index * 7_919))
                .collect();
            repeated(json!(line), format!("see {line}"))
        }),
        ("many lines", 60_000, |n| {
            let text = lines(n, |index| format!("SecretLine{}Of9", index * 7_919));
            let computed = lines(n, |index| format!("see SecretLine{}Of9", index * 7_919));
            repeated(json!(text), computed)
        }),
        ("many values", 60_000, |n| {
            let texts = many(n, |index| json!(format!("SecretValue{}Of9", index * 7_919)));
            repeated(texts.clone(), texts.to_string())
        }),
    ];
    check_memory("copies", "review", SECRETS);
}

#[test]
fn wide_objects_and_dense_marks_stay_within_the_memory_of_a_review() {
    check_memory("wide-review", "review", &WIDE[..WORST]);
}

#[test]
fn wide_objects_and_dense_marks_stay_within_the_memory_of_a_page() {
    check_memory("wide-page", "review --format html", &WIDE[..WORST]);
}

#[test]
fn every_shape_stays_within_the_memory_of_every_format() {
    check_memory("long", "show", measured(LONG));
    check_memory("review-json", "review --format json", measured(LARGE));
    check_memory(
        "review-markdown",
        "review --format markdown",
        measured(LARGE),
    );
    for (group, args) in [
        ("all-show", "show"),
        ("all-review", "review"),
        ("all-markdown", "review --format markdown"),
        ("all-json", "review --format json"),
        ("all-page", "review --format html"),
    ] {
        check_memory(group, args, measured(WIDE));
        check_memory_within(OUTPUTS_PER_BYTE, group, args, measured(OUTPUTS));
        check_memory_within(ELEMENTS_PER_BYTE, group, args, measured(ELEMENTS));
    }
}

/// Each unit built the schemas of its types again, and kept room for entries that it has not.
#[test]
fn very_many_tiny_units_stay_within_the_memory_of_every_format() {
    fn one_change(unit: usize) -> String {
        let types = [
            "aws_instance",
            "aws_s3_bucket",
            "aws_db_instance",
            "aws_security_group",
        ];
        let mut change = resource(unit, json!({ "tags": { "a": unit } }), Value::Null);
        change["type"] = json!(types[unit % types.len()]);
        change["provider_name"] = json!("registry.terraform.io/hashicorp/aws");
        change["change"]["actions"] = json!(["delete"]);
        plan(json!([change])).to_string()
    }
    fn ten_changes(unit: usize) -> String {
        plan(many(10, |index| {
            resource(index, json!({ "a": unit }), json!({ "a": index }))
        }))
        .to_string()
    }
    fn nothing(_: usize) -> String {
        plan(json!([])).to_string()
    }
    for format in ["markdown", "html"] {
        let args = format!("review --no-config --format {format}");
        check_units(&args, 1_200, one_change);
        check_units(&args, 1_200, ten_changes);
        check_units(&args, 1_200, nothing);
    }
}

/// Programs and images of disks that lie in a folder of plans were read as a whole, to look for encoded plans in them.
#[test]
fn large_files_of_other_kinds_in_a_folder_take_little_memory() {
    const SIZE: u64 = 1 << 30;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder-large-files");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("plan.json"), plan(json!([])).to_string()).unwrap();
    for (name, beginning) in [
        ("terraform-provider", &b"\x7fELF\x02\x01\x01"[..]),
        (
            "disk.img",
            b"\xeb\x63\x90\x10\x8e\xd0\0\xbc\0\xb0\xb8\x01\x8e\xd8",
        ),
    ] {
        let mut file = fs::File::create(folder.join(name)).unwrap();
        file.write_all(beginning).unwrap();
        file.set_len(SIZE).unwrap();
    }
    let packed = fs::File::create(folder.join("zeros.gz")).unwrap();
    let mut packed = GzEncoder::new(packed, Compression::fast());
    packed.write_all(&[1, 2, 0, 3]).unwrap();
    io::copy(&mut io::repeat(0).take(SIZE), &mut packed).unwrap();
    packed.finish().unwrap();
    let taken = memory_of_folder("review --no-config", &folder) >> 20;
    fs::remove_dir_all(&folder).unwrap();
    assert!(taken <= 128, "{taken} MB");
}

#[test]
fn wide_objects_stay_within_the_memory_of_a_comparison() {
    fn with_others(other: &str, input: Input) -> Input {
        Input {
            approved: Some(input.text().replace(":2", other)),
            results: None,
            ..input
        }
    }
    const SHAPES: &[Shape] = &[
        ("attributes that change", 100_000, |n| {
            let now = of_sides(members(n, "1"), members(n, "2"), none(), [none(), none()]);
            with_others(":3", now)
        }),
        ("members that change", 100_000, |n| {
            let [before, after] = ["1", "2"].map(|value| under("m", &members(n, value)));
            with_others(":3", of_sides(before, after, none(), [none(), none()]))
        }),
    ];
    check_memory("wide-comparison", "diff", SHAPES);
}

#[test]
fn wide_objects_stay_within_the_memory_of_a_run() {
    fn planned(input: Input) -> Input {
        let message = json!({ "@level": "info", "@message": "Plan: 0 to add, 1 to change, 0 to destroy.",
            "type": "change_summary",
            "changes": { "add": 0, "change": 1, "remove": 0, "operation": "plan" } });
        Input {
            document: (message.to_string() + "\n").into_bytes(),
            unpacked: 0,
            schema: None,
            approved: Some(input.text()),
            results: None,
        }
    }
    const PLANS: &[Shape] = &[
        ("attributes that change", 300_000, |n| {
            planned(of_sides(
                members(n, "1"),
                members(n, "2"),
                none(),
                [none(), none()],
            ))
        }),
        ("members that change", 500_000, |n| {
            let [before, after] = ["1", "2"].map(|value| under("m", &members(n, value)));
            planned(of_sides(before, after, none(), [none(), none()]))
        }),
    ];
    check_memory("wide-run", "stream --plan", PLANS);
    const OUTPUTS: &[Shape] = &[("an output", 300_000, |n| {
        let output =
            json!({ "o": { "sensitive": false, "type": ["map", "number"], "value": "VALUE" } });
        let message =
            json!({ "@level": "info", "@message": "", "type": "outputs", "outputs": output });
        fill(&message, &[("VALUE", members(n, "1"))])
    })];
    check_memory("wide-outputs", "stream", OUTPUTS);
}
