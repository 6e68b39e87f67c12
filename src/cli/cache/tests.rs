use super::*;

#[test]
fn ages_are_in_the_largest_unit() {
    for (seconds, text) in [
        (59, "just now"),
        (60, "1 minute ago"),
        (7_300, "2 hours ago"),
        (86_400, "1 day ago"),
        (864_000, "10 days ago"),
    ] {
        assert_eq!(age(seconds), text);
    }
}
