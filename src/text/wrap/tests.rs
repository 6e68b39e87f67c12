use super::{wrap, wrapped};

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
    assert_eq!(lines(text, 10, 40), [" one two three four five six", "seven eight"]);
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
