//! The documents of `fixtures/` that are mutated, and the mutations.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "JSON values without members"
)]

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::random::Random;

/// A document of the fixtures.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) text: String,
    /// The provider schemas beside it.
    pub(crate) schema: Option<String>,
    /// Whether it contains the messages of a run, one per line.
    pub(crate) is_stream: bool,
}

/// The fixtures' documents of at most `largest` bytes, in order of their names.
pub(crate) fn documents(largest: usize) -> Vec<Document> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut documents = Vec::new();
    for folder in ["goldens", "fuzz", "regressions"] {
        let Ok(cases) = fs::read_dir(root.join(folder)) else {
            continue;
        };
        let mut cases: Vec<_> = cases
            .map(|case| case.expect("a readable folder").path())
            .collect();
        cases.sort();
        for case in cases {
            let read = |name: &str| fs::read_to_string(case.join(name)).ok();
            let schema = read("schema.json");
            let inputs = [
                "plan.json",
                "state.json",
                "apply.jsonl",
                "plan.jsonl",
                "run.jsonl",
            ]
            .into_iter()
            .filter_map(|name| Some((read(name)?, name.ends_with('l'))))
            .filter(|(text, _)| text.len() <= largest);
            documents.extend(inputs.map(|(text, is_stream)| Document {
                text,
                schema: schema.clone(),
                is_stream,
            }));
        }
    }
    assert!(documents.len() > 100, "fixtures are part of the project");
    documents
}

/// Texts that try to control a terminal, a CI system or a renderer.
const HOSTILE: &[&str] = &[
    "\u{1b}]52;c;cm0gLXJm\u{7}",
    "\u{1b}]8;;https://x.example\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}[31mred",
    "\u{1b}[38;5;1;48;2;1;2;3mmany",
    "\u{1b}[",
    "\u{1b}",
    "\u{9b}31m",
    "\u{90}q\u{9c}",
    "a\rb",
    "a\r\nb\r\n",
    "\r",
    "\n",
    "\u{8}\u{8}\u{7f}",
    "\0",
    "\u{202e}evil\u{202c}",
    "\u{2066}x\u{2069}",
    "\u{200b}\u{feff}\u{2060}",
    "\u{e0041}\u{e007f}",
    "\u{2028}\u{2029}\u{85}",
    "\u{61c}\u{200e}",
    "[red][bold]x[reset]",
    "[hidden]",
    "::error::x",
    "##vso[task.setvariable variable=a]b",
    "```\n~~~\n</details>",
    "{\"a\":[1,\"\u{1b}[2J\"]}",
    "[[[[",
    "é\u{301}👩\u{200d}👩",
    "",
    "%s%n",
    "${x}",
];

/// A hostile text, alone or combined with another text.
pub(crate) fn hostile(random: &mut Random, around: &str) -> String {
    let text = *random.pick(HOSTILE);
    match random.below(3) {
        0 => text.to_owned(),
        1 => format!("{around}{text}"),
        _ => format!("{text}{around}\n{text}"),
    }
}

/// Mutates bytes.
pub(crate) fn mutate_bytes(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..1 + random.below(4) {
        let index = random.below(bytes.len());
        match random.below(7) {
            0 => bytes.truncate(index),
            1 if index < bytes.len() => bytes[index] ^= 1 << random.below(8),
            2 if index < bytes.len() => {
                bytes[index] = *random.pick(b"\"\\{}[]:,0-.eE\0\n\r \xff\x80");
            }
            3 => {
                let end = (index + random.below(40)).min(bytes.len());
                bytes.drain(index..end);
            }
            4 => {
                let end = (index + random.below(200)).min(bytes.len());
                let piece = bytes[index..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            5 => {
                let piece = random.pick(HOSTILE).as_bytes().to_vec();
                bytes.splice(index..index, piece);
            }
            _ => {
                let piece = (*random.pick(&[
                    "null",
                    "true",
                    "1e999",
                    "\"\\ud800\"",
                    "{}",
                    "[]",
                    "-0",
                    "\\u0000",
                ]))
                .as_bytes();
                bytes.splice(index..index, piece.to_vec());
            }
        }
    }
}

/// Mutates a JSON value; the result is still JSON.
pub(crate) fn mutate_value(random: &mut Random, value: &mut Value) {
    for _ in 0..1 + random.below(4) {
        mutate_somewhere(random, value, 0);
    }
}

/// Mutates a value, or more often one inside of it.
fn mutate_somewhere(random: &mut Random, value: &mut Value, depth: usize) {
    let below = match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    // The top level has few members, and most errors are possible in deeper ones.
    if below == 0 || (depth > 2 && random.one_in(5)) || random.one_in(40) {
        mutate_here(random, value);
        return;
    }
    let index = random.below(below);
    match value {
        Value::Array(items) => mutate_somewhere(random, &mut items[index], depth + 1),
        Value::Object(members) => {
            let key = members.keys().nth(index).cloned().unwrap_or_default();
            match random.below(30) {
                0 => {
                    members.remove(&key);
                }
                1 => {
                    let member = members.remove(&key).unwrap_or_default();
                    members.insert(hostile(random, &key), member);
                }
                _ => {
                    if let Some(member) = members.get_mut(&key) {
                        mutate_somewhere(random, member, depth + 1);
                    }
                }
            }
        }
        _ => {}
    }
}

/// The limit for the values of a mutated document: repeated copies of a large value would exhaust the memory.
const MAX_VALUES: usize = 200_000;

/// The number of values in a value, including itself.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Replaces a value by another one, or by many copies of itself.
fn mutate_here(random: &mut Random, value: &mut Value) {
    let old = value.take();
    let text = old.as_str().unwrap_or_default().to_owned();
    let copies = |random: &mut Random| random.below(300).min(MAX_VALUES / size(&old));
    *value = match random.below(16) {
        0 => Value::Null,
        1 => json!(random.one_in(2)),
        2 => json!(random.next()),
        3 => json!(-1.5e300),
        4 => json!([old]),
        5 => json!({ "k": old, "": null }),
        6 => Value::Array(vec![old.clone(); copies(random)]),
        7 => (0..copies(random))
            .map(|index| (format!("k{index}"), old.clone()))
            .collect::<Map<_, _>>()
            .into(),
        8 => deep(1 + random.below(60), old),
        9 => Value::String(old.to_string()),
        10 => Value::String(Value::String(old.to_string()).to_string()),
        11 => json!("x\n".repeat(random.below(200))),
        12 => json!(format!("{text}\n{text} {}", random.below(9))),
        13 => json!({}),
        _ => Value::String(hostile(random, &text)),
    };
}

fn deep(levels: usize, inner: Value) -> Value {
    (0..levels).fold(inner, |inner, level| {
        if level % 3 == 0 {
            json!({ "d": inner })
        } else {
            json!([inner])
        }
    })
}
