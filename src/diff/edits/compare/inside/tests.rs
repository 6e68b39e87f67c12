use super::*;

#[test]
fn strings_that_look_alike_are_labelled_by_what_differs() {
    for (before, after, expected) in [
        ("a b", "a  b ", &[Label::Whitespace][..]),
        ("Prod", "prod", &[Label::Case]),
        ("a", "a\u{200b}", &[Label::Invisible]),
        ("\u{e9}", "e\u{301}", &[Label::UnicodeForm]),
        ("A b", "ab", &[Label::Case, Label::Whitespace]),
        ("a", "b", &[]),
    ] {
        let mut labels = Labels::default();
        find_in_strings(before, after, &mut labels);
        assert_eq!(
            labels.iter().collect::<Vec<_>>(),
            expected,
            "{before:?} {after:?}"
        );
    }
}
