//! Tests which instance keys are read from addresses.

use super::of_address;

#[test]
fn keys_of_modules_and_resources_are_found() {
    for (address, expected) in [
        ("a.b", &[][..]),
        ("a.b[0]", &["0"]),
        (
            "module.m[\"a.b]\"].module.n[1].t.n[\"x\"]",
            &["a.b]", "1", "x"],
        ),
        ("a.b[\"x\\\"]y\"]", &["x\\\"]y"]),
        ("a.b[", &[]),
        ("a.b[\"x", &[]),
        ("a.b[\"\"]", &[]),
    ] {
        assert_eq!(of_address(address), expected, "{address}");
    }
}
