use super::*;

#[test]
fn units_are_named_in_all_formats() {
    for (line, label, text) in [
        ("[a] {\"x\":1}", "a", "{\"x\":1}"),
        ("[prod/eu/vpc]   indented", "prod/eu/vpc", "  indented"),
        (
            "12:00:01.123 STDOUT [live/db] tofu: {\"x\":1}",
            "live/db",
            "{\"x\":1}",
        ),
        (
            "12:00:01.123 STDERR [live/db] terraform: Error: no",
            "live/db",
            "Error: no",
        ),
        (
            "12:00:01.123 INFO   [live/db] Downloading",
            "live/db",
            "Downloading",
        ),
        (
            "time=2026-01-01T00:00:00Z level=stdout prefix=a/b tf-path=tofu msg=x msg=y",
            "a/b",
            "x msg=y",
        ),
        (
            r#"{"time":"t","level":"stdout","working-dir":"/w/a","msg":"{\"x\":1}\nb"}"#,
            "/w/a",
            "{\"x\":1}\nb",
        ),
        (
            r#"{"level":"stdout","time":"t","prefix":"a","msg":"b"}"#,
            "a",
            "b",
        ),
    ] {
        let labelled = split(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!((&*labelled.label, &*labelled.text), (label, text), "{line}");
        let coloured = format!("\u{1b}[1m{line}");
        assert_eq!(split(&coloured), Some(labelled), "{line}");
    }
    for line in [
        "[10:31:02] {\"x\":1}",
        "[2026-01-01T10:31:02Z] x",
        "[INFO] x",
        "[1/3] x",
        "[] x",
        "12:00 x",
        "12:00:01.123 STDOUT tofu: x",
        r#"{"time":"t","msg":"b"}"#,
        "[command]/usr/bin/terraform show",
    ] {
        assert_eq!(split(line), None, "{line}");
    }
}

#[test]
fn names_before_a_bar_are_labels() {
    for line in ["web-1 | {}", "web-1  |  x", "\u{1b}[36mweb-1 |\u{1b}[0m {}"] {
        let labelled = split_piped(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(labelled.label, "web-1", "{line}");
    }
    for line in ["| x", "a b | x", "no bar", ""] {
        assert_eq!(split_piped(line), None, "{line}");
    }
}
