//! Any input results in a text or an error, never in a panic, a stack overflow or a hang.
#![allow(clippy::panic, reason = "shared helpers fail a test with a panic")]

use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tfview::internals::dialect::Dialect;
use tfview::internals::json::STACK;

use super::corpus::{self, Document, documents};
use super::display::{self, Display};
use super::random::{Random, cases, first_seed, some_fixtures, some_ways};
use super::terminal;

/// A case that takes longer than this hangs.
const HANG: Duration = Duration::from_secs(60);

/// Runs `case` for each seed on a thread with the stack size of the program. Panics with the seed of the case
/// that fails or hangs.
pub(crate) fn each<S: Copy + Send + std::fmt::Display + Default + 'static>(
    seeds: impl Iterator<Item = S> + Send + 'static,
    case: impl Fn(S) + Send + 'static,
) {
    let (progress, begun) = mpsc::channel();
    let work = move || {
        for seed in seeds {
            progress.send(Ok(seed)).expect("the receiver exists");
            if panic::catch_unwind(AssertUnwindSafe(|| case(seed))).is_err() {
                progress.send(Err(seed)).expect("the receiver exists");
                return;
            }
        }
    };
    let worker = thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .expect("a thread");
    let mut last = S::default();
    loop {
        match begun.recv_timeout(HANG) {
            Ok(Ok(seed)) => last = seed,
            Ok(Err(seed)) => {
                panic!("case {seed} failed: TFVIEW_SEED={seed} TFVIEW_CASES=1 repeats it")
            }
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("case {last} hangs"),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    worker.join().expect("all cases passed");
}

fn display_of(random: &mut Random) -> Display {
    let dialect = *random.pick(&[Dialect::TERRAFORM, Dialect::OPENTOFU]);
    Display {
        colour: random.one_in(4),
        show_sensitive: random.one_in(4),
        ..Display::plain(dialect)
    }
}

/// Displays bytes as a stream or as a document, and checks that the output is harmless.
fn show_bytes(bytes: &[u8], is_stream: bool, schema: Option<&str>, cut: usize, display: Display) {
    let texts = if is_stream {
        let (text, notes) =
            display::streamed(bytes, cut, display).expect("any stream can be shown");
        vec![text, notes]
    } else {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return;
        };
        display::shown(text, schema, display).into_iter().collect()
    };
    for text in texts {
        assert_eq!(terminal::fault(&text, display.colour), None);
    }
}

fn mutated_json(random: &mut Random, document: &Document) -> String {
    let mutate = |random: &mut Random, text: &str| {
        let Ok(mut value) = serde_json::from_str::<Value>(text) else {
            return text.to_owned();
        };
        corpus::mutate_value(random, &mut value);
        value.to_string()
    };
    if !document.is_stream {
        return mutate(random, &document.text);
    }
    let mut lines: Vec<String> = document.text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(4) {
        let index = random.below(lines.len());
        match random.below(5) {
            0 => drop(lines.remove(index)),
            1 => lines.swap(0, index),
            2 => lines.insert(index, lines[index].clone()),
            _ => lines[index] = mutate(random, &lines[index]),
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n")
}

#[test]
fn mutated_documents_give_a_text_or_an_error() {
    let documents = documents(30_000);
    each(first_seed()..first_seed() + cases(60), move |seed| {
        let mut random = Random::new(seed ^ 0x0b05_7000);
        let document = random.pick(&documents).clone();
        let bytes = if random.one_in(3) {
            let mut bytes = document.text.clone().into_bytes();
            corpus::mutate_bytes(&mut random, &mut bytes);
            bytes
        } else {
            mutated_json(&mut random, &document).into_bytes()
        };
        let mut schema = document.schema.clone().filter(|_| !random.one_in(3));
        if let Some(text) = schema.as_mut().filter(|_| random.one_in(4))
            && let Ok(mut value) = serde_json::from_str::<Value>(text)
        {
            corpus::mutate_value(&mut random, &mut value);
            *text = value.to_string();
        }
        let display = display_of(&mut random);
        show_bytes(
            &bytes,
            document.is_stream,
            schema.as_deref(),
            1 + random.below(9000),
            display,
        );
    });
}

#[test]
fn truncated_documents_give_a_text_or_an_error() {
    let mut documents = documents(7_000);
    documents.sort_by_key(|document| document.text.len());
    let (streams, others): (Vec<_>, Vec<_>) = documents
        .into_iter()
        .partition(|document| document.is_stream);
    let step = usize::try_from((40_000 / cases(100).max(1)).max(1)).expect("a small number");
    let some: Vec<Document> = others
        .iter()
        .take(3)
        .chain(streams.iter().take(2))
        .cloned()
        .collect();
    each(0..some.len() as u64, move |index| {
        let document = &some[index as usize];
        for end in (0..document.text.len()).step_by(step) {
            let bytes = &document.text.as_bytes()[..end];
            show_bytes(
                bytes,
                document.is_stream,
                document.schema.as_deref(),
                4096,
                Display::plain(Dialect::TERRAFORM),
            );
        }
    });
}

/// `inner` inside `levels` containers.
fn nested(levels: usize, inner: &str, object: bool) -> String {
    let (open, close) = if object { ("{\"d\":", "}") } else { ("[", "]") };
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn deep_nesting_fits_the_stack() {
    let plan = |value: &str, other: &str, marks: &str| {
        format!(
            r#"{{"format_version":"1.2","resource_changes":[{{"address":"t_x.a","mode":"managed","type":"t_x","name":"a",
            "provider_name":"registry.example/a/t","change":{{"actions":["update"],"before":{{"a":{value}}},"after":{{"a":{other}}},
            "after_unknown":{{"a":{marks}}},"before_sensitive":{{"a":{marks}}},"after_sensitive":{{"a":{marks}}}}}}}],
            "output_changes":{{"o":{{"actions":["update"],"before":{value},"after":{other},"after_sensitive":{marks}}}}}}}"#
        )
    };
    let schema = |of: &str| {
        format!(
            r#"{{"format_version":"1.0","provider_schemas":{{"registry.example/a/t":{{"resource_schemas":{{"t_x":{{"block":{{"attributes":{{"a":{{"type":{of}}}}}}}}}}}}}}}}}"#
        )
    };
    let types = |levels: usize, word: &str| {
        format!(
            "{}\"string\"{}",
            format!("[\"{word}\",").repeat(levels),
            "]".repeat(levels)
        )
    };
    each(0..4, move |index| {
        let levels = [100, 500, 985, 1_500][index as usize];
        let mut turn = index as usize;
        for object in [false, true] {
            let (value, other) = (
                nested(levels, "\"x\"", object),
                nested(levels, "\"y\\nz\"", object),
            );
            let in_strings = (0..6).fold(other.clone(), |text, _| {
                nested(levels / 8, &Value::String(text).to_string(), object)
            });
            for marks in [
                "false".to_owned(),
                nested(levels, "true", object),
                nested(levels, "false", object),
            ] {
                for other in [&other, &in_strings] {
                    let document = plan(&value, other, &marks);
                    let schema_types = vec![
                        None,
                        Some("\"dynamic\"".to_owned()),
                        Some(types(levels, "list")),
                        Some(types(levels, "set")),
                        Some(types(levels, "map")),
                    ];
                    turn += 1;
                    for of in some_ways(schema_types, turn, 1) {
                        let schema = of.map(|of| schema(&of));
                        let dialect = if object {
                            Dialect::TERRAFORM
                        } else {
                            Dialect::OPENTOFU
                        };
                        // Deeper documents are an error, all others are shown.
                        let shown =
                            display::shown(&document, schema.as_deref(), Display::plain(dialect));
                        assert_eq!(shown.is_ok(), levels < 1_000, "{levels} levels");
                    }
                }
            }
        }
    });
}

/// A writer that fails after this number of bytes.
struct Failing(usize);

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::other("full"));
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn failing_writer_gives_an_error() {
    let mut documents = documents(200_000);
    documents.sort_by_key(|document| std::cmp::Reverse(document.text.len()));
    let some: Vec<Document> = documents
        .into_iter()
        .filter(|document| !document.is_stream)
        .take(6)
        .collect();
    for document in &some {
        let display = Display {
            colour: true,
            ..Display::plain(Dialect::TERRAFORM)
        };
        let schema = document.schema.as_deref();
        let whole = display::shown(&document.text, schema, display).expect("fixtures can be shown");
        for fortieths in some_ways((0..40).collect(), whole.len(), 8) {
            let capacity = whole.len() * fortieths / 40;
            let shown = display::show_to(&document.text, schema, display, &mut Failing(capacity));
            assert!(
                shown.is_err_and(|error| error.contains("full")),
                "{capacity} bytes of {}",
                whole.len()
            );
        }
        assert!(
            display::show_to(&document.text, schema, display, &mut Failing(whole.len())).is_ok()
        );
    }
}

/// Replaces every number by `number`.
fn renumber(value: &mut Value, number: &Value) {
    match value {
        Value::Number(_) => *value = number.clone(),
        Value::Array(items) => items.iter_mut().for_each(|item| renumber(item, number)),
        Value::Object(members) => members
            .values_mut()
            .for_each(|member| renumber(member, number)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[test]
fn extreme_numbers_cause_no_panic() {
    let documents = some_fixtures(documents(30_000), 2);
    let numbers = [
        "18446744073709551615",
        "-9223372036854775808",
        "1e308",
        "-1",
        "0",
        "9007199254740993",
        "1.5",
    ];
    each(0..documents.len() as u64, move |index| {
        let document = &documents[index as usize];
        for number in some_ways(numbers.to_vec(), index as usize, 1) {
            let number: Value = serde_json::from_str(number).expect("a number");
            let renumbered = |text: &str| {
                let mut value: Value = serde_json::from_str(text).expect("fixtures are JSON");
                renumber(&mut value, &number);
                value.to_string()
            };
            if !document.is_stream {
                let text = renumbered(&document.text);
                show_bytes(
                    text.as_bytes(),
                    false,
                    document.schema.as_deref(),
                    1,
                    Display::plain(Dialect::OPENTOFU),
                );
                continue;
            }
            let lines: Vec<String> = document.text.lines().map(renumbered).collect();
            for live in [false, true] {
                let display = Display {
                    colour: live,
                    ..Display::plain(Dialect::TERRAFORM)
                };
                let streaming = display::Streaming {
                    display,
                    cut: 500,
                    plan: None,
                    live,
                };
                streaming
                    .shown(lines.join("\n").as_bytes())
                    .expect("any stream can be shown");
            }
        }
    });
}

#[test]
fn highlight_may_be_outside_of_the_snippet() {
    each(-3i64..12, |start| {
        for end in -3i64..12 {
            for line in [0, 1, u64::MAX] {
                let position = serde_json::json!({ "line": line, "column": line, "byte": line });
                let message = serde_json::json!({ "@message": "m", "type": "diagnostic", "diagnostic": {
                    "severity": "error", "summary": "no", "range": { "filename": "f", "start": position, "end": position },
                    "snippet": { "code": "é😀\nx\u{301}\n", "start_line": line,
                        "highlight_start_offset": start, "highlight_end_offset": end } } });
                let display = Display {
                    colour: true,
                    ..Display::plain(Dialect::OPENTOFU)
                };
                let (text, _) = display::streamed(message.to_string().as_bytes(), 999, display)
                    .expect("it is shown");
                assert!(
                    text.contains('é') && terminal::fault(&text, true).is_none(),
                    "{text:?}"
                );
            }
        }
    });
}
