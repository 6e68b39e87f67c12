use super::*;

#[test]
fn names_that_are_meant_are_found() {
    let known = [
        "optional_required",
        "sensitive",
        "description",
        "custom_type",
        "map",
    ];
    for (name, meant) in [
        ("sensitve", Some("sensitive")),
        ("Description", Some("description")),
        ("computed_optional_required", Some("optional_required")),
        ("custom-type", Some("custom_type")),
        ("mpa", Some("map")),
        ("validators", None),
        ("x", None),
    ] {
        assert_eq!(similar(name, known), meant, "{name}");
    }
    assert_eq!(similar(&"a".repeat(100_000), known), None);
}

#[test]
fn identifiers_are_those_of_the_specification() {
    for (text, valid) in [
        ("a", true),
        ("_a1", true),
        ("1a", false),
        ("A", false),
        ("", false),
        ("a\n", false),
    ] {
        assert_eq!(is_identifier(text), valid, "{text:?}");
    }
    assert_eq!(identifier_hint("FooBar"), "did you mean \"foo_bar\"?");
    assert_eq!(identifier_hint("é"), "");
}
