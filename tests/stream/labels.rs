//! Documents of several units in one log: no part of one is shown, whether the label of its lines is that of a
//! run or not, and no damaged line swallows the message after it.

use serde_json::json;

use super::harness::{show, summary};

const TOKEN: &str = "Hunter2Token";

/// How programs write the lines of a unit.
#[derive(Clone, Copy, Debug)]
enum Format {
    Json,
    JsonSpaced,
    JsonWithoutPrefix,
    Pretty,
    KeyValue,
    QuotedKeyValue,
    Bracketed,
    Piped,
    Timestamp,
    Collector,
}

const FORMATS: [Format; 10] = [
    Format::Json,
    Format::JsonSpaced,
    Format::JsonWithoutPrefix,
    Format::Pretty,
    Format::KeyValue,
    Format::QuotedKeyValue,
    Format::Bracketed,
    Format::Piped,
    Format::Timestamp,
    Format::Collector,
];

impl Format {
    fn line(self, unit: &str, text: &str) -> String {
        let time = "2026-01-01T00:00:00Z";
        match self {
            Self::Json => {
                json!({ "time": time, "level": "stdout", "prefix": unit, "msg": text }).to_string()
            }
            Self::JsonSpaced => format!(
                "{{ \"msg\": {}, \"level\": \"stdout\", \"working-dir\": \"/work/{unit}\", \"time\": \"{time}\" }}",
                json!(text)
            ),
            Self::JsonWithoutPrefix => {
                json!({ "time": time, "level": "stdout", "msg": text }).to_string()
            }
            Self::Pretty => format!("12:34:56.789 STDOUT [{unit}] tofu: {text}"),
            Self::KeyValue => {
                format!("time={time} level=stdout prefix={unit} tf-path=tofu msg={text}")
            }
            Self::QuotedKeyValue => {
                format!("time={time} level=stdout prefix={unit} msg={}", json!(text))
            }
            Self::Bracketed => format!("[{unit}] {text}"),
            Self::Piped => format!("{unit}  | {text}"),
            Self::Timestamp => format!("{time} {text}"),
            Self::Collector => {
                json!({ "log": format!("{text}\n"), "stream": "stdout" }).to_string()
            }
        }
    }

    /// Whether interleaved units can be told apart.
    fn has_unit(self) -> bool {
        !matches!(
            self,
            Self::JsonWithoutPrefix | Self::Timestamp | Self::Collector
        )
    }
}

fn documents() -> Vec<String> {
    let outputs = json!({ "db_password": { "sensitive": true, "type": "string", "value": TOKEN } });
    let list = json!({ "keys": { "sensitive": true, "type": ["list", "string"], "value": [TOKEN, TOKEN] } });
    let state = json!({ "format_version": "1.0", "values": { "root_module": { "resources": [
        { "address": "a.b", "values": { "password": TOKEN }, "sensitive_values": { "password": true } }
    ] } } });
    [outputs, list, state]
        .iter()
        .map(|document| serde_json::to_string_pretty(document).unwrap())
        .collect()
}

/// A small generator, so that a failure has a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

fn cut(line: &str, random: &mut Random) -> String {
    let ends: Vec<usize> = line
        .char_indices()
        .map(|(offset, _)| offset)
        .skip(1)
        .collect();
    let offset = ends[random.below(ends.len())];
    if random.below(4) == 0 {
        line[offset..].to_owned()
    } else {
        line[..offset].to_owned()
    }
}

/// The lines of a unit: a message or none, a document with or without its beginning or its end, and the end.
fn unit(format: Format, name: &str, random: &mut Random) -> Vec<String> {
    let version = r#"{"@level":"info","@message":"OpenTofu 1.12.6","@module":"tofu.ui","tofu":"1.12.6","type":"version","ui":"1.2"}"#;
    let mut texts = Vec::new();
    if random.below(2) == 0 {
        texts.push(version.to_owned());
    }
    let documents = documents();
    for _ in 0..=random.below(2) {
        let document = &documents[random.below(documents.len())];
        let lines: Vec<&str> = document.lines().collect();
        let from = if random.below(2) == 0 {
            0
        } else {
            random.below(lines.len())
        };
        let to = if random.below(2) == 0 {
            lines.len()
        } else {
            from + random.below(lines.len() - from) + 1
        };
        texts.extend(lines[from..to].iter().map(|line| (*line).to_owned()));
    }
    texts.iter().map(|text| format.line(name, text)).collect()
}

fn mixed(seed: u64) -> (Format, String) {
    let mut random = Random(seed);
    let format = FORMATS[random.below(FORMATS.len())];
    let mut units = vec![unit(format, "prod/a", &mut random)];
    if format.has_unit() {
        units.push(unit(format, "prod/b", &mut random));
    }
    let mut lines = Vec::new();
    while units.iter().any(|unit| !unit.is_empty()) {
        let index = random.below(units.len());
        if !units[index].is_empty() {
            lines.push(units[index].remove(0));
        }
    }
    if random.below(2) == 0 && !lines.is_empty() {
        let index = random.below(lines.len());
        lines[index] = cut(&lines[index], &mut random);
    }
    (format, lines.join("\n") + "\n")
}

/// A document before the first message of its unit was shown.
#[test]
fn no_secret_of_a_unit_is_shown_whatever_is_cut_off() {
    for seed in 0..2_000 {
        let (format, input) = mixed(seed);
        let shown = show(&input);
        assert!(
            !shown.text.contains(TOKEN) && !shown.notes.contains(TOKEN),
            "seed {seed}, {format:?}:\n{input}\n---\n{}",
            shown.text
        );
    }
}

/// A line that was cut off swallowed all lines after it.
#[test]
fn a_damaged_line_does_not_swallow_the_next_message() {
    let message = summary(
        "apply",
        "Apply complete! Resources: 7 added, 0 changed, 0 destroyed.",
    );
    let message = message.trim_end();
    for format in FORMATS {
        let whole = format.line("prod/a", message);
        for damaged in [message, "  \"value\": {", "some other \"text\" of {a} tool"] {
            let damaged = format.line("prod/a", damaged);
            for (end, _) in damaged.char_indices().skip(1) {
                let input = format!("{}\n{whole}\n", &damaged[..end]);
                let shown = show(&input).text;
                assert!(
                    shown.contains("Resources: 7 added"),
                    "{format:?}:\n{input}\n---\n{shown}"
                );
            }
        }
    }
}

/// The levels of other loggers failed complete runs, and their lines looked like messages.
#[test]
fn lines_of_other_loggers_are_text_and_decide_nothing() {
    let run = include_str!("../../fixtures/public/tflogjson/apply.jsonl");
    let shown = show(run);
    assert!(!shown.failed, "{}", shown.text);
    insta::assert_snapshot!(shown.text);

    // Without the tool's messages, nothing says how the run ended.
    let logs: Vec<&str> = run
        .lines()
        .filter(|line| !line.contains("terraform.ui"))
        .collect();
    assert!(show(logs.join("\n")).failed);
    // What a provider logs may hold secrets.
    for text in [
        "  \\\"value\\\": \\\"Hunter2Token\\\"",
        "{\\\"sensitive\\\":true,\\\"v\\\":\\\"Hunter2Token\\\"}",
    ] {
        let line = format!(
            "{{\"@level\":\"debug\",\"@message\":\"{text}\",\"@module\":\"provider\",\"@timestamp\":\"\"}}\n"
        );
        let shown = show(&line);
        assert!(!shown.text.contains(TOKEN), "{}", shown.text);
    }
}

/// A log whose last line was cut had succeeded where its unit had only planned so far.
#[test]
fn a_cut_line_of_a_json_log_fails_the_run() {
    let plan = summary("plan", "Plan: 1 to add, 0 to change, 0 to destroy.");
    let plan = plan.trim_end();
    let whole: String = ["a", "b"]
        .map(|unit| Format::JsonSpaced.line(unit, plan) + "\n")
        .concat();
    let failed = |text: &str| show(text).failed;
    assert!(!failed(&whole));
    let next = Format::JsonSpaced.line("b", plan);
    for length in 1..next.len() {
        assert!(failed(&format!("{whole}{}", &next[..length])), "{length}");
    }
    assert!(!failed(&format!("{whole}{next}")));
    assert!(!failed(&format!("{whole}{next}\n")));
}
