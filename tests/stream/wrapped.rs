//! Messages and documents that other programs have wrapped (log collectors, shells, editors, encodings) are
//! read if they are unambiguous. In any case, no planted secret is shown.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::random;
use super::harness::{StreamOutput, plain, show, show_cut, summary};

const TOKEN: &str = "Hunter2Token";

fn message(kind: &str, level: &str, payload: &Value) -> Value {
    json!({ "@level": level, "@message": "what it says", "@module": "tofu.ui",
        "@timestamp": "2026-11-21T02:26:49.067810Z", kind: payload, "type": kind })
}

fn outputs() -> Value {
    message(
        "outputs",
        "info",
        &json!({ "p": { "sensitive": true, "type": "string", "value": TOKEN },
        "q": { "sensitive": ["spoiled"], "type": ["list", "string"], "value": [TOKEN, TOKEN] } }),
    )
}

/// Lines that contain the token in a sensitive place.
fn secrets() -> Vec<Value> {
    let marked = json!({ "address": "a.b", "values": { "password": TOKEN }, "sensitive_values": { "password": true } });
    vec![
        outputs(),
        message(
            "test_state",
            "info",
            &json!({ "format_version": "1.0", "values": { "root_module": { "resources": [marked] } } }),
        ),
        json!({ "format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [{ "address": "a.b",
            "change": { "actions": ["update"], "before": { "x": TOKEN }, "after": { "x": TOKEN },
                "before_sensitive": { "x": true }, "after_sensitive": { "x": true } } }] }),
        json!({ "version": 4, "serial": 1, "lineage": "l", "outputs": { "p": { "value": TOKEN, "type": "string", "sensitive": true } } }),
        json!({ "p": { "sensitive": true, "type": "string", "value": TOKEN } }),
        message(
            "log",
            "info",
            &json!({ "state": { "outputs": { "p": { "sensitive": true, "value": TOKEN } } } }),
        ),
        message(
            "tomorrow",
            "info",
            &json!({ "sensitive": true, "value": TOKEN }),
        ),
    ]
}

const PREFIXES: [&str; 12] = [
    "2024-11-21T02:26:49.0678100Z ",
    "2024-11-21T02:26:49.067810123Z stdout F ",
    "2024-11-21T02:26:49Z ##[debug]",
    "12:34:56.789 STDOUT [unit] tofu: ",
    "web_1  | ",
    "\u{feff}",
    "\0",
    "\u{1b}[32m",
    "[apply] ",
    "00O ",
    "msg=",
    "<14>1 2024-11-21T02:26:49Z host app 123 - - ",
];

/// `line` as another program would write it; `way` selects the program. Returns whole lines.
fn wrapped(line: &Value, way: usize, prefix: &str, width: usize) -> Vec<u8> {
    let compact = line.to_string();
    let pretty = serde_json::to_string_pretty(line).unwrap();
    let string = Value::String(format!("{compact}\n")).to_string();
    let on_each = |text: &str| {
        text.lines()
            .map(|line| format!("{prefix}{line}\n"))
            .collect::<String>()
    };
    let split = |text: &str| -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        chars
            .chunks(width.max(1))
            .map(|part| part.iter().collect())
            .collect()
    };
    let text = match way {
        0 => format!("{prefix}{compact}\n"),
        1 => format!("{prefix}{compact}\r\n"),
        2 => on_each(&pretty),
        3 => on_each(&pretty).replace('\n', "\r\n"),
        4 => format!("{string}\n"),
        5 => format!("{prefix}{string} trailing\n"),
        6 => format!("{{\"log\":{string},\"stream\":\"stdout\",\"time\":\"t\"}}\n"),
        7 => format!("{}\n", json!({ "time": "t", "message": line })),
        8 => format!("{}\n", Value::String(json!({ "log": compact }).to_string())),
        9 => on_each(&split(&compact).join("\n")),
        10 => split(&compact)
            .iter()
            .map(|part| format!("{}\n", json!({ "log": part, "stream": "stdout" })))
            .collect(),
        11 => format!("text\n{pretty}\ntext\n"),
        12 => {
            compact
                .chars()
                .map(|c| format!("{c}\u{1b}[0m"))
                .collect::<String>()
                + "\n"
        }
        13 => format!("{}\n", compact.replace('"', "'")),
        14 => format!("{}\n", compact.replace('"', "&quot;")),
        15 => format!("{prefix}{}\n", &compact[..compact.len() - 1 - width % 20]),
        16 => format!("[\n{pretty},\n{pretty}\n]\n"),
        17 => format!("{}\n", pretty.split_once('\n').unwrap().1), // its first line is lost
        18 => format!("{prefix}{compact}{compact}\n"),
        _ => format!("{compact}\n"),
    };
    match way {
        19 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        20 => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        21 => [0xff, 0xfe]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
            .collect(),
        22 => [0xfe, 0xff]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_be_bytes))
            .collect(),
        _ => text.into_bytes(),
    }
}

const WAYS: usize = 23;

fn leaks(shown: &StreamOutput) -> bool {
    // Also finds a token that is split by line ends, prefixes or visible control characters.
    let letters = |text: &str| {
        let of_line = |line: &str| {
            line.chars()
                .filter(char::is_ascii_alphanumeric)
                .collect::<String>()
        };
        let prefixes = PREFIXES.map(of_line);
        let without_prefix = |line: &str| {
            let line = of_line(line);
            let prefix = prefixes
                .iter()
                .filter(|prefix| line.starts_with(*prefix))
                .max_by_key(|prefix| prefix.len());
            line[prefix.map_or(0, String::len)..].to_owned()
        };
        text.lines().map(without_prefix).collect::<String>()
    };
    letters(&shown.text).contains(TOKEN) || letters(&shown.notes).contains(TOKEN)
}

proptest! {
    #![proptest_config(random::property(2))]

    #[test]
    fn wrapped_secrets_are_never_shown(
        parts in prop::collection::vec((0usize..7, 0usize..WAYS, 0usize..PREFIXES.len(), 1usize..60, any::<bool>()), 1..4),
        sizes in prop::collection::vec(1usize..300, 1..8),
    ) {
        let all = secrets();
        let mut input = Vec::new();
        for (which, way, prefix, width, before) in parts {
            if before {
                input.extend_from_slice(b"plain text\n");
            }
            input.extend(wrapped(&all[which], way, PREFIXES[prefix], width));
        }
        let whole = show_cut(&input, plain(), &[usize::MAX]);
        prop_assert!(!leaks(&whole), "{}\n{}\n{}", String::from_utf8_lossy(&input), whole.text, whole.notes);
        prop_assert_eq!(show_cut(&input, plain(), &sizes), whole);
    }
}

#[test]
fn each_way_of_wrapping_alone_leaks_nothing() {
    for (which, line) in secrets().iter().enumerate() {
        // Most ways have no prefix or no width.
        let mut tried = HashSet::new();
        for way in 0..WAYS {
            for prefix in PREFIXES {
                for width in [1, 2, 7, 16, 33, 59] {
                    let input = wrapped(line, way, prefix, width);
                    if !tried.insert(input.clone()) {
                        continue;
                    }
                    let shown = show(&input);
                    let text = String::from_utf8_lossy(&input);
                    assert!(
                        !leaks(&shown),
                        "{which} {way} {width}: {text}\n{}\n{}",
                        shown.text,
                        shown.notes
                    );
                }
            }
        }
    }
}

/// If a message is truncated within a string, the quotes of the next lines look reversed.
#[test]
fn pieces_after_a_cut_message_are_not_shown() {
    let first = message("test_state", "info", &secrets()[1]["test_state"]);
    for (way, prefix) in [
        (9, "\0"),
        (9, "web_1  | "),
        (10, ""),
        (2, ""),
        (2, "[apply] "),
    ] {
        for missing in 1..40 {
            let compact = first.to_string();
            let mut input = format!("msg={}\n", &compact[..compact.len() - missing]).into_bytes();
            input.extend(wrapped(&outputs(), way, prefix, 2));
            let shown = show(&input);
            let text = String::from_utf8_lossy(&input);
            assert!(
                !leaks(&shown),
                "{way} {missing}: {text}\n{}\n{}",
                shown.text,
                shown.notes
            );
        }
    }
}

/// A message on several lines that follows a cut one seems to be in a string of it. Neither can be put together,
/// nor can text be told from their values. Messages on one line are still read.
#[test]
fn a_split_message_after_a_cut_one_is_withheld() {
    for way in [2, 9] {
        let mut input = b"2024 {\"@level\":\"info\",\"@message\":\"cut\n".to_vec();
        input.extend(wrapped(&outputs(), way, "[apply] ", 16));
        input.extend_from_slice(b"Hunter2 Token\n");
        input.extend_from_slice(summary("apply", "Apply complete!").as_bytes());
        let shown = show(&input);
        assert!(!leaks(&shown));
        insta::allow_duplicates! {
            insta::assert_snapshot!(format!("{}{}", shown.text, shown.notes), @r"

            Outputs:

            p = <sensitive>
            q = <sensitive>

            Apply complete!
            note: 52 bytes of other text are not shown, because they may contain secrets (`tfview show` shows plans and states)

            The run was cut off: its messages end in the middle. Done: nothing.
            ");
        }
        assert!(shown.failed, "the end of the cut message is missing");
    }
}

#[test]
fn a_message_on_one_line_after_a_cut_one_is_read() {
    for prefix in PREFIXES {
        let mut input = format!("{prefix}{{\"@level\":\"info\",\"@message\":\"cut\n").into_bytes();
        input.extend(wrapped(&outputs(), 0, prefix, 0));
        let shown = show(&input);
        assert!(
            shown.text.contains("p = <sensitive>\n"),
            "{prefix}: {}\n{}",
            shown.text,
            shown.notes
        );
    }
}

/// The brace in the second message seems to end the first one.
#[test]
fn a_line_that_seems_to_end_a_cut_message_is_withheld() {
    let compact = outputs().to_string().replace("what it says", "} done");
    let (first, rest) = compact.split_at(compact.find("done").unwrap());
    let shown = show(format!(
        "{{\"@level\":\"info\",\"@message\":\"cut\n{first}\n{rest}\n"
    ));
    assert!(!leaks(&shown));
    insta::assert_snapshot!(format!("{}{}", shown.text, shown.notes), @r"
    note: 321 bytes of other text are not shown, because they may contain secrets (`tfview show` shows plans and states)
    note: the input has no messages of a run
      tip: was the tool started with -json?
    ");
}

#[test]
fn unambiguous_messages_are_read() {
    for way in [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 18, 19, 20, 21, 22,
    ] {
        for prefix in PREFIXES {
            let input = wrapped(&outputs(), way, prefix, 16);
            let shown = show(&input);
            let text = String::from_utf8_lossy(&input);
            assert!(
                shown.text.contains("p = <sensitive>\n"),
                "{way}: {text}\n{}\n{}",
                shown.text,
                shown.notes
            );
        }
    }
}

#[test]
fn wrapped_error_fails_the_run() {
    let error = message(
        "diagnostic",
        "error",
        &json!({ "severity": "error", "summary": "no", "detail": "" }),
    );
    let done = summary("apply", "Apply complete!");
    for way in 0..19 {
        let mut input = wrapped(&error, way, PREFIXES[0], 16);
        input.extend_from_slice(done.as_bytes());
        assert!(
            show(&input).failed,
            "{way}: {}",
            String::from_utf8_lossy(&input)
        );
    }
}

#[test]
fn long_line_is_withheld_where_json_may_begin() {
    let input = format!("{} {}\n", "x".repeat(100_000), outputs());
    let shown = show(&input);
    assert!(
        !leaks(&shown) && shown.text.starts_with("xxx"),
        "{}",
        shown.notes
    );
    let prefixed = format!(
        "2024 {}\n",
        message(
            "outputs",
            "info",
            &json!({ "p": { "sensitive": true,
        "type": "string", "value": TOKEN.repeat(20_000) } })
        )
    );
    let shown = show(prefixed);
    insta::assert_snapshot!(shown.text, @r"

    Outputs:

    p = <sensitive>
    ");
}

#[test]
fn other_json_passes_unchanged() {
    let lines = "{\n  \"Account\": \"1\",\n  \"Arn\": [\n    \"a\"\n  ]\n}\nfoo {\n  bar = 1\n}\nresource \"a\" \"b\" {\n\n  \"c\" = 1\n}\n";
    assert_eq!(show(lines).text, lines);
}
