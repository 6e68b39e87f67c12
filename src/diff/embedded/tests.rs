use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::*;

#[test]
fn reads_what_is_meant_as_yaml() {
    let (arena, hasher) = (Bump::new(), RandomState::default());
    let yaml = |text| yaml(text, Builder::new(&arena, &hasher));
    for (text, expected) in [
        ("a: 1\nb: [x, 'y']", true),
        ("- name: a\n- name: b", true),
        ("#!/bin/sh\necho a: b", false),
        ("echo hello: world\nls", false),
        ("just words", false),
        ("a: &x 1\nb: *x", false),
        ("a: {{ .Values.x }}", false),
        ("a: 1\n---\nb: 2", false),
    ] {
        assert_eq!(yaml(text).is_some(), expected, "{text}");
    }
    for (one, other, equal) in [
        ("a: no", "a: \"no\"", false),
        ("a: 0644", "a: '0644'", false),
        ("a: 012345678901", "a: \"012345678901\"", false),
        ("a: false", "a: \"false\"", false),
        ("a: 1e3", "a: '1e3'", false),
        ("a: 22:22", "a: '22:22'", false),
        ("a: 2001-01-01", "a: '2001-01-01'", false),
        ("a: 1.2.3", "a: '1.2.3'", true),
        ("a: 10.0.0.0/8", "a: '10.0.0.0/8'", true),
        ("a: web", "a: \"web\"", true),
        ("a: 'no'", "a: \"no\"", true),
        ("a: true", "a: True", true),
    ] {
        assert_eq!(yaml(one) == yaml(other), equal, "{one} {other}");
    }
    let member = |text| yaml(text).and_then(|value| value.get("a")).unwrap().content;
    assert!(matches!(member("a: '1'"), Content::String("1")));
    assert!(matches!(member("a: 1.50"), Content::Number("1.50")));
}

#[test]
fn decodes_what_is_base64_only() {
    assert_eq!(
        decoded("aGVsbG8sIHdvcmxkIQ==", SHORTEST).as_deref(),
        Some(&b"hello, world!"[..])
    );
    assert_eq!(
        decoded("aGVsbG8sIHdvcmxkIQ", SHORTEST).as_deref(),
        Some(&b"hello, world!"[..])
    );
    for text in [
        "",
        "aGVsbG8=",
        "not base64 at all!",
        "aGVsbG8sIHdvcmxkIR==",
        "aGVsbG8sIHdvcmxkIQ=",
    ] {
        assert_eq!(decoded(text, SHORTEST), None, "{text}");
    }
}
