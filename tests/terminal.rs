//! No input can control the terminal: hostile texts are put into the strings and keys of real documents, and
//! the outputs may contain only allowed characters.

use serde_json::Value;
use tfview::internals::dialect::Dialect;

use super::corpus::{self, Document, documents};
use super::display::{self, Display};
use super::random::{Random, assert_tried, cases, first_seed};

/// The first character of an output that is not allowed, or a style that is not closed.
pub(crate) fn fault(text: &str, colour: bool) -> Option<String> {
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = match c {
            '\n' | '\t' => after,
            '\r' if after.starts_with('\n') => after,
            '\u{1b}' if colour => match sgr(after) {
                Some(length) => &after[length..],
                None => return Some(format!("an escape code before {:?}", head(after))),
            },
            c if c.is_control() || is_hidden(c) => {
                return Some(format!("{c:?} before {:?}", head(after)));
            }
            _ => after,
        };
    }
    // Every style must be closed on its line.
    text.lines()
        .find(|line| {
            line.rfind('\u{1b}')
                .is_some_and(|start| !line[start..].starts_with("\u{1b}[0m"))
        })
        .map(|line| format!("a style that is left open in {line:?}"))
}

/// The length of the rest of a colour code.
fn sgr(after: &str) -> Option<usize> {
    let body = after.strip_prefix('[')?;
    let end = body.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    body[end..].starts_with('m').then_some(end + 2)
}

pub(crate) fn is_hidden(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{e0000}'..='\u{e007f}')
}

fn head(text: &str) -> String {
    text.chars().take(30).collect()
}

/// Puts hostile texts into many of the strings and some of the keys of a value.
fn poison(random: &mut Random, value: &mut Value) {
    match value {
        Value::String(text) if random.one_in(4) => *text = corpus::hostile(random, text),
        Value::Array(items) => items.iter_mut().for_each(|item| poison(random, item)),
        Value::Object(members) => {
            let old = std::mem::take(members);
            for (key, mut member) in old {
                poison(random, &mut member);
                let key = if random.one_in(12) {
                    corpus::hostile(random, &key)
                } else {
                    key
                };
                members.insert(key, member);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

pub(crate) fn poisoned(random: &mut Random, document: &Document) -> String {
    if !document.is_stream {
        let mut value: Value = serde_json::from_str(&document.text).expect("fixtures are JSON");
        poison(random, &mut value);
        return value.to_string();
    }
    let lines = document
        .text
        .lines()
        .map(|line| match serde_json::from_str::<Value>(line) {
            Ok(mut value) if random.one_in(2) => {
                poison(random, &mut value);
                value.to_string()
            }
            _ if random.one_in(20) => corpus::hostile(random, line), // not a message: passed through
            _ => line.to_owned(),
        });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn input_cannot_control_the_terminal() {
    let documents = documents(40_000);
    let mut outputs = 0;
    for seed in first_seed()..first_seed() + cases(20) {
        let mut random = Random::new(seed ^ 0x7e57);
        let document = random.pick(&documents).clone();
        let text = poisoned(&mut random, &document);
        let colour = random.one_in(2);
        let dialect = *random.pick(&[Dialect::TERRAFORM, Dialect::OPENTOFU]);
        let display = Display {
            colour,
            show_sensitive: random.one_in(3),
            ..Display::plain(dialect)
        };
        let texts: Vec<String> = if document.is_stream {
            let (text, notes) = display::streamed(text.as_bytes(), 1 + random.below(5000), display)
                .expect("any stream can be shown");
            vec![text, notes]
        } else {
            let schema = document.schema.as_deref().filter(|_| random.one_in(2));
            display::shown(&text, schema, display).into_iter().collect()
        };
        for text in texts {
            outputs += 1;
            if let Some(fault) = fault(&text, colour) {
                panic!("TFVIEW_SEED={seed} TFVIEW_CASES=1: {fault}");
            }
        }
    }
    assert_tried(outputs > 0, "no output");
    println!("{outputs} outputs");
}

#[test]
fn characters_that_are_not_allowed_are_found() {
    for text in [
        "\u{1b}[2J",
        "a\rb",
        "\u{7f}",
        "\u{9b}",
        "x\u{202e}",
        "\u{1b}[31mopen\n",
        "\u{1b}[31",
        "\0",
    ] {
        assert!(fault(text, true).is_some(), "{text:?}");
        assert!(fault(text, false).is_some(), "{text:?}");
    }
    assert_eq!(
        fault("\u{1b}[1;31mred\u{1b}[0m\r\n\té👩\u{200d}👩\n", true),
        None
    );
}
