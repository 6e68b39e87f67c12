//! What the documents tell people to type is what can be typed.

use std::fs;
use std::path::Path;

use clap::Parser;
use tfview::cli::args::Args;

const DOCUMENTS: [&str; 6] =
    ["README.md", "SECURITY.md", "docs/review.md", "docs/ci.md", "docs/house.md", "docs/schema.md"];

const SUBCOMMANDS: [&str; 7] = ["show", "stream", "run", "review", "schema", "completions", "man"];

/// The lines of a document's blocks of code, fenced or indented.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            return false;
        }
        fenced || line.starts_with("    ")
    })
}

/// The commands on a line: up to a comment, or to whatever a shell gives a meaning of its own.
fn commands(line: &str) -> impl Iterator<Item = &str> {
    let ends = |rest: &str| {
        [" | ", " && ", " > ", "  ", " #", " 2>", "; "]
            .iter()
            .filter_map(|end| rest.find(end))
            .min()
            .unwrap_or(rest.len())
    };
    let starts = line.match_indices("tfview ").map(|(at, _)| &line[at..]);
    let typed =
        starts.filter(|rest| rest.split_whitespace().nth(1).is_some_and(|word| SUBCOMMANDS.contains(&word)));
    typed.map(move |rest| &rest[..ends(rest)])
}

#[test]
fn every_command_in_the_documents_can_be_typed() {
    let mut seen = 0;
    for name in DOCUMENTS {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
        for command in code(&text).flat_map(commands) {
            let words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
            if let Err(error) = Args::try_parse_from(words) {
                panic!("{name}: {command}\n{error}");
            }
            seen += 1;
        }
    }
    assert!(seen >= 20, "{seen}");
}

#[test]
fn commands_are_found_where_they_are() {
    let line = "    - tofu plan | tfview stream --ci auto > log   # tfview show x; tfview is good";
    assert_eq!(commands(line).collect::<Vec<_>>(), ["tfview stream --ci auto", "tfview show x"]);
    assert_eq!(commands("tfview is good").count(), 0);
    assert_eq!(code("a\n```\nb\n```\nc\n    d\n").collect::<Vec<_>>(), ["b", "    d"]);
}
