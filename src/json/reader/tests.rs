use super::*;

fn accepts(text: &str) -> bool {
    let mut reader = Reader::new(text);
    reader.skip().is_ok() && reader.end().is_ok()
}

#[test]
fn accepts_and_rejects_what_serde_json_does() {
    for text in [
        "{}",
        "[]",
        "[1,2]",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\" : [true,false,null]}",
        "01",
        "-",
        "1.",
        "1e",
        "1e+5",
        "-0",
        "1E5",
        "nul",
        "null x",
        "\"\\u12\"",
        "\"\\u1234\"",
        "\"\\x\"",
        "\"\t\"",
        "",
        " ",
        "[",
        "{\"a\"",
        "{\"a\":}",
        "[[[]]]",
        "{\"a\":{\"b\":[{}]}}",
        "tru",
        "{1:2}",
    ] {
        assert_eq!(
            accepts(text),
            serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok(),
            "{text}"
        );
    }
}

#[test]
fn refuses_deep_nesting_without_recursion() {
    let text = "[".repeat(100_000);
    let error = Reader::new(&text).skip().unwrap_err();
    assert_eq!(
        error,
        Error {
            kind: ErrorKind::TooDeep,
            offset: MAX_DEPTH + 1
        }
    );
}

#[test]
fn members_give_names_and_values_and_read_no_further() {
    let mut members = Members::new(r#" {"a":{"x":[1]},"\u0062":2 , "c": nope"#);
    assert_eq!(members.next_key().unwrap().as_deref(), Some("a"));
    assert_eq!(members.next_key().unwrap().as_deref(), Some("b"));
    assert_eq!(members.value().unwrap(), "2");
    assert_eq!(members.next_key().unwrap().as_deref(), Some("c"));
    assert_eq!(members.next_key().unwrap_err().offset, 34);
    assert_eq!(Members::new("{} x").next_key(), Ok(None));
    assert!(Members::new("[1]").next_key().is_err());
}

#[test]
fn escapes_are_resolved_as_go_resolves_them() {
    assert_eq!(
        resolve_escapes(r#"a\n\u00e9\ud83d\ude00\ud800x\/\"\\u0041\u0041\\u0041"#),
        "a\né😀\u{FFFD}x/\"\\u0041A\\u0041"
    );
}
