use super::*;

#[test]
fn the_text_of_a_run_and_a_configuration_are_recognized() {
    for (text, expected) in [
        (
            "\nTerraform used the selected providers to generate the following plan",
            Some(Foreign::TextOfRun),
        ),
        ("a: Refreshing state... [id=1]\n", Some(Foreign::TextOfRun)),
        (
            "# x\n\nresource \"a\" \"b\" {\n}",
            Some(Foreign::Configuration),
        ),
        ("# x\napiVersion: v1\nkind: Pod", None),
        ("<!DOCTYPE html>", None),
        ("error: something is wrong", None),
        ("Error: x\n\n  on main.tf line 1", None),
        ("", None),
    ] {
        assert_eq!(Foreign::from_text(text), expected, "{text}");
    }
}
