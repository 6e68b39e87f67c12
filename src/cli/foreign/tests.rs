use super::*;

#[test]
fn wrong_inputs_are_recognized() {
    for (text, expected) in [
        (
            "\nTerraform used the selected providers to generate the following plan",
            "the text of a plan or run, not JSON",
        ),
        (
            "a: Refreshing state... [id=1]\n",
            "the text of a plan or run, not JSON",
        ),
        (
            "# x\n\nresource \"a\" \"b\" {\n}",
            "a configuration, not a plan or state",
        ),
        ("# x\napiVersion: v1\nkind: Pod", "YAML, not JSON"),
        ("---\n- a", "YAML, not JSON"),
        ("<!DOCTYPE html>", "HTML or XML, not JSON"),
        ("error: something is wrong", ""),
        ("Error: x", ""),
        ("Error: x\n\n  on main.tf line 1", ""),
        ("", ""),
    ] {
        let words = Foreign::from_text(text).map_or("", |foreign| foreign.words);
        assert_eq!(words, expected, "{text}");
    }
    let picture = Foreign::from_bytes(b"\x89PNG\r\n");
    assert_eq!(picture.map(|foreign| foreign.words), Some("a PNG picture"));
    assert_eq!(Foreign::from_bytes(b"\xa6"), None);
}
