//! `docs/scope.md` names each subcommand, option, environment variable and configuration key, so that none is added
//! without somebody who asks for it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::cli::harness::tfview;

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The subcommands that the help of a command lists.
fn subcommands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        // A description may be wrapped.
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

fn help(command: &str) -> String {
    let output = tfview(&format!("{command} --help")).output();
    assert_eq!(output.code, Some(0), "{output}");
    output.stdout
}

#[test]
fn every_subcommand_and_option_is_in_the_inventory() {
    let inventory = file("docs/scope.md");
    let of_program = subcommands(&help(""));
    let of_schemas = subcommands(&help("schema"));
    assert!(of_program.len() > 8 && of_schemas.len() > 4);
    let mut missing = BTreeSet::new();
    for name in of_program.iter().chain(&of_schemas) {
        let forms = [
            format!("`{name}`"),
            format!("`{name} "),
            format!("`schema {name}`"),
        ];
        if !forms.iter().any(|form| inventory.contains(form)) {
            missing.insert(name.clone());
        }
    }
    let commands = of_program
        .iter()
        .cloned()
        .chain(of_schemas.iter().map(|name| format!("schema {name}")));
    for command in commands {
        for line in help(&command).lines() {
            let word = line
                .split_whitespace()
                .find(|word| word.starts_with("--"))
                .filter(|_| line.trim_start().starts_with('-'))
                .map(|word| word.trim_end_matches(','));
            if let Some(option) = word
                && !inventory.contains(&format!("`{option}`"))
            {
                missing.insert(format!("{command} {option}"));
            }
        }
    }
    assert_eq!(missing, BTreeSet::new());
}

#[test]
fn every_environment_variable_is_in_the_inventory() {
    let inventory = file("docs/scope.md");
    let variables = file("src/cli/help/environment.txt");
    for line in variables.lines() {
        let (names, _) = line.split_once(':').unwrap();
        for name in names.split(", ") {
            assert!(inventory.contains(&format!("`{name}`")), "{name}");
        }
    }
}

#[test]
fn every_key_of_the_configuration_is_in_the_inventory() {
    let inventory = file("docs/scope.md");
    let example = file("docs/config.md");
    let keys = example
        .lines()
        .skip_while(|line| *line != "```toml")
        .skip(1)
        .take_while(|line| *line != "```")
        .filter_map(|line| line.strip_prefix('['))
        .filter_map(|table| table.trim_start_matches('[').split(']').next())
        .map(str::to_owned);
    for key in keys.chain([
        "fail-on".to_owned(),
        "ignore".to_owned(),
        "accept".to_owned(),
    ]) {
        assert!(inventory.contains(&format!("`{key}`")), "{key}");
    }
}
