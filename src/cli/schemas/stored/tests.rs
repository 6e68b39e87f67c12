use super::*;

#[test]
fn names_are_harmless_and_can_be_read_back() {
    for (name, expected) in [
        ("registry.terraform.io/hashicorp/aws", "registry.terraform.io+hashicorp+aws.schema"),
        ("../../etc/passwd", "%2e.+..+etc+passwd.schema"),
        ("A\\b\0:é", "%41%5cb%00%3a%c3%a9.schema"),
        ("", ".schema"),
    ] {
        assert_eq!(super::name(name), expected);
        assert_eq!(provider(expected).as_deref(), Some(name));
    }
    assert_eq!(provider("x.json"), None);
    assert_eq!(provider("%zz.schema"), None);
}

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
