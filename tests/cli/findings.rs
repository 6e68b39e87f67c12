//! `tfview findings`: rules in words.

use super::harness::{folder, tfview};

#[test]
fn rules_of_a_type_are_listed_before_those_of_any_type() {
    let output = tfview("findings --no-config aws_db_instance").output();
    assert_eq!(output.code, Some(0), "{output}");
    let text = &output.stdout;
    assert!(
        text.starts_with("aws_db_instance\n  critical  data-loss"),
        "{text}"
    );
    let (own, others) = text.split_once("\nany type\n").unwrap();
    insta::assert_snapshot!(own);
    insta::assert_snapshot!(others);
    assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
}

#[test]
fn a_type_without_rules_says_so() {
    let output = tfview("findings --no-config example_thing").output();
    assert_eq!(output.code, Some(0), "{output}");
    insta::assert_snapshot!(output.stdout.split("\nany type\n").next().unwrap(), @r"
    example_thing
      no rules for this type: only those for any type apply
    ");
}

#[test]
fn rules_of_the_project_are_listed_too() {
    let config = "[[rules]]\nfinding = \"protection\"\ntype = \"example_thing\"\npath = \"replicas\"\nlower = true\n";
    let folder = folder("findings-config", &[(".tfview.toml", config.as_bytes())]);
    let output = tfview("findings --config .tfview.toml example_thing")
        .folder(&folder)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    insta::assert_snapshot!(output.stdout.split("\nany type\n").next().unwrap(), @r"
    example_thing
      warning   protection  replicas  is lowered or removed (of the project)
    ");
}
