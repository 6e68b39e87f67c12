use super::*;

#[test]
fn names_of_files_are_harmless_and_distinct() {
    let names = [
        "registry.terraform.io/hashicorp/aws",
        "../../etc/passwd",
        "A\\b\0:é",
        "",
        "a/b",
        "a-b",
    ];
    let names = names.map(file_name);
    assert!(
        names[0].starts_with("registry.terraform.io-hashicorp-aws-"),
        "{names:?}"
    );
    for name in &names {
        let is_harmless = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        assert!(
            name.ends_with(END) && !name.starts_with('.') && name.chars().all(is_harmless),
            "{name}"
        );
    }
    assert_eq!(BTreeSet::from(names).len(), 6);
    assert!(file_name(&"x".repeat(1000)).len() < 200);
}
