use std::path::Path;

use super::files::{file_uri, is_configuration};

#[test]
fn overrides_and_other_files_are_no_configuration() {
    for (name, expected) in [
        ("main.tf", true),
        ("main.tofu", true),
        ("main.tf.json", true),
        ("main.tofu.json", true),
        ("x_override.tf.json", false),
        ("main.json", false),
        ("override.tf", false),
        ("x_override.tf", false),
        (".hidden.tf", false),
        ("main.tfvars", false),
        ("main.tf~", false),
    ] {
        assert_eq!(is_configuration(name), expected, "{name}");
    }
}

#[test]
fn uris_are_percent_encoded() {
    assert_eq!(
        file_uri(Path::new("/a b/é\u{1b}\\;%.tf")),
        "file:///a%20b/%C3%A9%1B%5C%3B%25.tf"
    );
}
