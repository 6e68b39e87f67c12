use super::*;

#[test]
fn globs_match_addresses() {
    for (glob, text, expected) in [
        ("aws_*.web", "aws_instance.web", true),
        ("aws_*.web", "aws_instance.webs", false),
        ("*[\"a\"]", "x.y[\"a\"]", true),
        ("x.y[?]", "x.y[1]", true),
        ("", "", true),
        ("", "a", false),
        ("**", "abc", true),
        ("*", "", true),
        ("a*b*c", "aXbXbc", true),
        ("a*b*c", "aXcXb", false),
        ("a*a", "a", false),
        ("a*?b", "ab", false),
        ("*é?", "xéöéü", true),
        ("*?é?*", "éxé", false),
        ("?*", "", false),
        ("a", "b", false),
    ] {
        assert_eq!(matches(glob, text), expected, "{glob} {text}");
    }
}
