use super::terminal::wrapped;
use super::{Coverage, Layout, SectionKind, Shown};

#[test]
fn what_is_not_recorded_is_counted() {
    assert_eq!(Coverage::default().unreported(), 0);
    let mut coverage = Coverage::new([vec![2, 2], vec![], vec![], vec![], vec![], vec![]]);
    assert_eq!(coverage.unreported(), 4);
    coverage.record(SectionKind::Resources, 0, &[Some(Shown::InFull), None]);
    coverage.count(SectionKind::Resources, 1);
    assert_eq!(coverage.unreported(), 1);
}

fn lines(text: &str, used: usize, width: usize) -> Vec<&str> {
    let layout = Layout { width, wraps: true, links: false, fingerprint: false };
    wrapped(text, layout, 2, used)
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
fn nothing_is_wrapped_without_a_terminal_or_on_a_narrow_one() {
    let text = "word ".repeat(50);
    assert_eq!(lines(&text, 0, 20), [text.as_str()]);
    let layout = Layout { width: 40, wraps: false, links: false, fingerprint: false };
    assert_eq!(wrapped(&text, layout, 2, 0), [text.as_str()]);
}
