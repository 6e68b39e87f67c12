use super::*;

#[test]
fn a_vowel_before_y_keeps_it() {
    assert_eq!(count(4, "day"), "4 days");
    assert_eq!(count(4, "entry"), "4 entries");
}

#[test]
fn nouns_follow_their_number() {
    for (number, noun, expected) in [
        (1, "entry", "1 entry"),
        (2, "entry", "2 entries"),
        (0, "change", "0 changes"),
        (2, "more line of values", "2 more lines of values"),
    ] {
        assert_eq!(count(number, noun), expected);
    }
}

#[test]
fn no_exponent_and_no_needless_digit() {
    for (number, expected) in [
        ("1", "1"),
        ("-3.50", "-3.5"),
        ("1e3", "1000"),
        ("1.5e1", "15"),
        ("12e-3", "0.012"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("1.0", "1"),
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
        ("1e-2", "0.01"),
        ("1E+2", "100"),
        ("1e999999", "1e999999"),
    ] {
        assert_eq!(shortest_decimal(number), expected, "{number}");
    }
}

#[test]
fn quotes_as_go_does() {
    assert_eq!(
        quote("a\"\\\n\u{1b}\u{7f}é\u{a0}\u{200b}😀\u{10ffff}<>&${x}"),
        "\"a\\\"\\\\\\n\\x1b\\x7fé\\u00a0\\u200b😀\\U0010ffff<>&${x}\""
    );
}

#[test]
fn only_quotation_marks_are_plain_in_a_text_without_quotes() {
    assert_eq!(escape_unquoted("k=\"a\\\t\u{1b}\""), "k=\"a\\\\\\t\\x1b\"");
}

#[test]
fn identifiers_are_those_of_hcl() {
    for (text, expected) in [
        ("a-b_c1", true),
        ("1a", false),
        ("", false),
        ("a b", false),
        ("日本", true),
        ("_a", true),
        ("-a", false),
    ] {
        assert_eq!(is_identifier(text), expected, "{text}");
    }
}

#[test]
fn breaks_at_spaces_only() {
    assert_eq!(
        wrap("aa bb cc\n  keep this long line\nlonglonglong x", 5),
        "aa bb\ncc\n  keep this long line\nlonglonglong\nx"
    );
}

fn lines(text: &str, used: usize, width: usize) -> Vec<&str> {
    wrapped(text, width, 2, used)
}

#[test]
fn remarks_are_broken_at_spaces_within_the_width() {
    let text = " one two three four five six seven eight";
    assert_eq!(
        lines(text, 10, 40),
        [" one two three four five six", "seven eight"]
    );
    assert_eq!(lines(text, 0, 400), [text]);
    let long = format!("a {} b", "x".repeat(60));
    assert_eq!(lines(&long, 0, 40), ["a", &"x".repeat(60), "b"]);
    assert_eq!(lines("  indented text", 0, 40), ["  indented text"]);
    assert_eq!(lines("", 0, 40), [""]);
}

#[test]
fn nothing_is_wrapped_on_a_narrow_terminal() {
    let text = "word ".repeat(50);
    assert_eq!(lines(&text, 0, 20), [text.as_str()]);
}

#[test]
fn ages_are_in_the_largest_unit() {
    for (seconds, text) in [
        (59, "just now"),
        (60, "1 minute ago"),
        (7_300, "2 hours ago"),
        (172_799, "47 hours ago"),
        (172_800, "2 days ago"),
        (864_000, "10 days ago"),
    ] {
        assert_eq!(age(seconds), text);
    }
}
