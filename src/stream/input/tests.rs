use super::embedded::{find, is_bare_beginning, is_fragment, may_hold_secrets};
use super::*;

const MESSAGE: &str = r#"{"@level":"info","@message":"m"}"#;

#[test]
fn messages_are_found_in_what_is_around_them() {
    let string = serde_json::to_string(MESSAGE).unwrap();
    let twice = serde_json::to_string(&string).unwrap();
    for line in [
        format!("2024-01-01T00:00:00Z {MESSAGE}"),
        format!("12:34:56.789 STDOUT [unit] tofu: {MESSAGE}"),
        format!("\u{feff}{MESSAGE}"),
        format!("\0{MESSAGE}\u{1b}[0m"),
        format!("\u{1b}[32m{MESSAGE}\u{1b}[0m"),
        format!("{MESSAGE} trailing"),
        format!("[{MESSAGE}]"),
        string.clone(),
        twice,
        format!("level=info msg={string}"),
        format!(r#"{{"log":{string},"stream":"stdout"}}"#),
        format!(r#"{{"time":"t","log":{MESSAGE}}}"#),
        format!("{{\"a {MESSAGE}"),
    ] {
        assert_eq!(find(&line).messages, [MESSAGE], "{line}");
    }
    assert_eq!(find(&format!("{MESSAGE}{MESSAGE}")).messages.len(), 2);
    for line in [
        "text",
        "{\"a\":1}",
        "{\"values\":{\"root_module\":{}},\"terraform_version\":\"1\"}",
    ] {
        assert!(find(line).messages.is_empty(), "{line}");
    }
    let plan = format!(r#"{{"resource_changes":[{{"after":{{"event":{string}}}}}]}}"#);
    assert!(
        find(&plan).messages.is_empty(),
        "what a plan holds is no message"
    );
}

#[test]
fn keys_of_marks_are_known_however_they_are_quoted() {
    for text in [
        r#""sensitive":true"#,
        r#"\"sensitive\": true"#,
        r#"\\\"after_sensitive\\\":{}"#,
        "{'sensitive': True}",
        "map[sensitive:true]",
        "sensitive=true",
        "&quot;sensitive&quot;:true",
        "%22sensitive%22%3Atrue",
        r#"{"deferred_changes":[{"resource_change":{"change":{"after":{"a":"x"#,
        r#"{"deferred_action_invocations":[{"action_invocation":{"config_values":{"a":"x"#,
    ] {
        assert!(may_hold_secrets(text), "{text}");
    }
    for text in [
        "\"value\": \"x\",",
        "\"x\",",
        "tive\":true,\"value\":\"x\"}}",
        "\"a\":",
    ] {
        assert!(is_fragment(text), "{text}");
    }
    for text in [
        "}",
        "say \"hello\"",
        "\"hello\"",
        "\"a\": hello",
        "f(\"a\")",
        "[1, 2]",
    ] {
        assert!(!is_fragment(text), "{text}");
    }
    assert!(is_bare_beginning(
        "{\"@level\":\"info\",\"@message\":\"so far"
    ));
    assert!(!is_bare_beginning(
        "{\"@level\":\"info\",\"@message\":\"m\",\"a\":\"b"
    ));
    for text in [
        "(sensitive value)",
        "a sensitive matter",
        "insensitive",
        "{\"a\":1}",
    ] {
        assert!(!may_hold_secrets(text), "{text}");
    }
}

/// What the lines and parts of an input hold, whichever reads it is split into.
fn segments(input: &[u8], size: usize) -> Vec<(bool, String)> {
    let mut all: Vec<(bool, Vec<u8>)> = Vec::new();
    let mut each = |segment: Segment<'_>| {
        match (segment, all.last_mut()) {
            // How long parts are depends on the reads.
            (Segment::Part(part), Some((true, last))) if !last.ends_with(b"\n") => {
                last.extend_from_slice(part);
            }
            (Segment::Part(part), _) => all.push((true, part.to_vec())),
            (Segment::Line(line), _) => all.push((false, line.to_vec())),
        }
        Ok::<(), ()>(())
    };
    let mut lines = Input::default();
    input
        .chunks(size)
        .for_each(|chunk| lines.push(chunk, &mut each).unwrap());
    assert_eq!(lines.is_archive(), input.starts_with(b"PK\x03\x04"));
    lines.finish(&mut each).unwrap();
    all.into_iter()
        .map(|(is_part, text)| (is_part, String::from_utf8_lossy(&text).into_owned()))
        .collect()
}

fn decoded(input: &[u8], size: usize) -> String {
    segments(input, size)
        .into_iter()
        .map(|(_, text)| text)
        .collect()
}

#[test]
fn utf_16_is_read_wherever_it_is_cut() {
    let text = "{\"a\":\"é😀Ċ\"}\n";
    for mark in ["\u{feff}", ""] {
        let marked = format!("{mark}{text}");
        let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for size in 1..12 {
            assert_eq!(decoded(&little, size), text);
            assert_eq!(decoded(&big, size), text);
            assert_eq!(decoded(marked.as_bytes(), size), text);
        }
    }
    for text in ["", "{", "P", "PK", "\u{ef}", "é"] {
        assert_eq!(decoded(text.as_bytes(), 1), text);
    }
    assert_eq!(decoded(b"PK\x03\x04secret", 1), "");
}

#[test]
fn the_cuts_do_not_matter() {
    let mut input = b"a\n\nb\r\n{\"x\"}\n".to_vec();
    input.extend(std::iter::repeat_n(b'y', MAX_TEXT + 1));
    input.extend_from_slice(b"\nlast");
    let whole = segments(&input, input.len());
    assert_eq!(
        whole
            .iter()
            .map(|(is_part, _)| *is_part)
            .collect::<Vec<_>>(),
        [false, false, false, false, true, false]
    );
    assert_eq!(decoded(&input, 7).as_bytes(), input);
    for size in [1, 2, 3, 7, 1000, MAX_TEXT] {
        assert!(segments(&input, size) == whole, "{size}");
    }
}

/// The items of an input, as text.
fn items(input: &[u8], size: usize) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut each = |item: Item<'_>| {
        match (item, all.last_mut()) {
            (Item::Text(TextEvent::Shown(text)), Some(last)) if !last.ends_with('\n') => {
                last.push_str(text);
            }
            (Item::Text(TextEvent::Shown(text)), _) => all.push(text.to_owned()),
            (Item::Text(text), _) => all.push(format!("{text:?}\n")),
            (Item::Message(message), _) => all.push(format!("{}\n", message.text())),
            (Item::Validation(json), _) => all.push(format!("{json}\n")),
        }
        Ok(())
    };
    let (mut lines, mut finder) = (Input::default(), Finder::new(false));
    let mut pass = |segment: Segment<'_>| match segment {
        Segment::Line(line) => finder.line(line, &line_text(line), &mut each),
        Segment::Part(part) => finder.part(part, &mut each),
    };
    input
        .chunks(size)
        .for_each(|chunk| lines.push(chunk, &mut pass).unwrap());
    lines.finish(&mut pass).unwrap();
    finder.finish(&mut each).unwrap();
    all
}

#[test]
fn long_text_is_passed_on_up_to_where_json_may_have_label() {
    let text = "é\r😀\u{1b}x\t".repeat(10_000);
    for size in [1, 2, 3, 4, 5, 4095, 4096, 1 << 20] {
        assert!(
            items(text.as_bytes(), size).concat().starts_with(&text),
            "{size}"
        );
        let line = format!("{text}{{\"values\":\"{}\"}}\n", "s".repeat(10_000));
        let withheld = TextEvent::Withheld {
            length: line.len(),
            message: None,
            is_error: false,
        };
        assert!(
            items(line.as_bytes(), size) == [format!("{text}\n"), format!("{withheld:?}\n")],
            "{size}"
        );
    }
}

#[test]
fn of_a_message_that_is_too_long_its_text_is_shown() {
    let line = format!(
        "{{\"@level\":\"error\",\"@message\":\"é\",\"a\":\"{}\"}}\n",
        "secret".repeat(11 << 20)
    );
    let withheld = TextEvent::Withheld {
        length: line.len(),
        message: Some("é"),
        is_error: true,
    };
    for size in [1000, 1 << 20, line.len()] {
        assert_eq!(
            items(line.as_bytes(), size),
            [format!("{withheld:?}\n")],
            "{size}"
        );
    }
}

#[test]
fn an_error_message_on_lines_that_are_too_long_to_be_kept_is_an_error() {
    for (level, is_error) in [("error", true), ("info", false)] {
        // Few lines, because each of them takes time: more than what is kept, 64 MiB, in all.
        let line = format!("\"{}\",\n", "x".repeat(1 << 10));
        let input = format!(
            "{{\"@level\":\"{level}\",\n\"a\":\n[{}\n]}}\n",
            line.repeat(65 << 10)
        );
        let withheld = TextEvent::Withheld {
            length: input.len(),
            message: None,
            is_error,
        };
        assert_eq!(
            items(input.as_bytes(), input.len()),
            [format!("{withheld:?}\n")],
            "{level}"
        );
    }
}
