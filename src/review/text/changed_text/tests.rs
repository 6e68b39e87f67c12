//! The changed words of strings.

use super::{changed, split};
use crate::report::{Span, Tone};

fn words(spans: &[Span], tone: Tone) -> Vec<&str> {
    spans
        .iter()
        .filter(|span| span.tone == tone)
        .map(|span| span.text.as_str())
        .collect()
}

fn text(spans: &[Span]) -> String {
    spans.iter().map(|span| span.text.as_str()).collect()
}

#[test]
fn the_tag_of_an_image_is_marked() {
    let (old, new) = changed("registry.example/api:2.18.0", "registry.example/api:2.19.0");
    assert_eq!(words(&old, Tone::RemovedWord), ["18"]);
    assert_eq!(words(&new, Tone::AddedWord), ["19"]);
    assert_eq!(split("a_1 --é"), ["a_1", " ", "-", "-", "é"]);
    assert!(split("").is_empty());
}

#[test]
fn long_strings_are_cut_around_what_differs_on_both_sides() {
    let long = "x, ".repeat(100_000);
    let (old, new) = changed(&format!("{long}old, {long}"), &format!("{long}new, {long}"));
    assert_eq!(
        (words(&old, Tone::RemovedWord), words(&new, Tone::AddedWord)),
        (vec!["old"], vec!["new"])
    );
    assert!(
        text(&old).chars().count() < 200 && text(&old).contains("the same"),
        "{}",
        text(&old)
    );
}

#[test]
fn nothing_of_a_short_string_is_lost() {
    for (before, after) in [
        ("aa", "a"),
        ("", "b"),
        ("é", "è"),
        ("ab ab", "ab"),
        ("a-b", "a-a-b"),
    ] {
        let (old, new) = changed(before, after);
        assert_eq!(
            (text(&old), text(&new)),
            (before.to_owned(), after.to_owned())
        );
    }
}
