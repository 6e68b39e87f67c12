//! What the documents tell people to type is what can be typed.

use std::fs;
use std::path::Path;

use clap::Parser;
use tfview::cli::args::Args;

const DOCUMENTS: [&str; 9] = [
    "README.md",
    "SECURITY.md",
    "docs/review.md",
    "docs/diff.md",
    "docs/ci.md",
    "docs/config.md",
    "docs/architecture.md",
    "docs/schema.md",
    "fixtures/README.md",
];

const SUBCOMMANDS: [&str; 9] =
    ["show", "stream", "run", "review", "diff", "schema", "completions", "man", "version"];

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

/// What is wrong with the tool's own commands on a line: `apply -json` asks nothing, so it needs an answer.
fn faulty_tool_commands(line: &str) -> Vec<&str> {
    let ends = |rest: &str| [" | ", " && ", "`", "  ", " #"].iter().filter_map(|end| rest.find(end)).min();
    let found = ["tofu ", "terraform "].iter().flat_map(|tool| line.match_indices(tool));
    let commands = found.map(|(at, _)| &line[at..at + ends(&line[at..]).unwrap_or(line.len() - at)]);
    let needs_answer = |command: &&str| {
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        let applies = matches!(words.first(), Some(&"apply" | &"destroy"));
        let has_plan = words.iter().skip(1).any(|word| !word.starts_with('-'));
        applies && words.contains(&"-json") && !words.contains(&"-auto-approve") && !has_plan
    };
    commands.filter(needs_answer).collect()
}

#[test]
fn commands_of_the_tools_work_as_written() {
    use clap::CommandFactory;
    let mut texts: Vec<(String, String)> = DOCUMENTS
        .iter()
        .map(|name| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
            ((*name).to_owned(), fs::read_to_string(path).unwrap())
        })
        .collect();
    for command in Args::command().get_subcommands_mut() {
        texts.push((command.get_name().to_owned(), command.render_long_help().to_string()));
    }
    for (name, text) in &texts {
        for line in text.lines() {
            assert_eq!(faulty_tool_commands(line), Vec::<&str>::new(), "{name}");
        }
    }
    assert_eq!(faulty_tool_commands("tofu apply -json | tfview stream"), ["tofu apply -json"]);
    assert_eq!(faulty_tool_commands("tofu apply -json tfplan | x").len(), 0);
}

#[test]
fn every_example_of_the_help_can_be_typed() {
    use clap::CommandFactory;
    let mut seen = 0;
    for command in Args::command().get_subcommands() {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for typed in help.lines().flat_map(commands) {
            let words = typed.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
            if let Err(error) = Args::try_parse_from(words) {
                panic!("{typed}\n{error}");
            }
            seen += 1;
        }
    }
    assert!(seen >= 8, "{seen}");
}

/// The targets of the links of a Markdown document, with their places in the repository.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("](").filter_map(|(at, _)| text[at + 2..].split_once(')')).map(|(target, _)| target)
}

/// The anchor that GitHub and GitLab give a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    heading.trim().to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn has_anchor(text: &str, wanted: &str) -> bool {
    text.lines().filter_map(|line| line.strip_prefix('#')).any(|line| {
        let heading = line.trim_start_matches('#');
        anchor(heading) == wanted
    })
}

#[test]
fn every_link_in_the_documents_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for name in DOCUMENTS {
        let text = fs::read_to_string(root.join(name)).unwrap();
        for target in links(&text).filter(|target| !target.starts_with("http")) {
            let (file, wanted) = target.split_once('#').unwrap_or((target, ""));
            let path =
                if file.is_empty() { root.join(name) } else { root.join(name).parent().unwrap().join(file) };
            assert!(path.exists(), "{name}: {target}");
            if !wanted.is_empty() {
                assert!(has_anchor(&fs::read_to_string(path).unwrap(), wanted), "{name}: {target}");
            }
            seen += 1;
        }
    }
    assert!(seen >= 20, "{seen}");
    assert!(
        has_anchor("## What is exact\n", "what-is-exact") && !has_anchor("What is exact\n", "what-is-exact")
    );
    assert_eq!(links("[a](b.md#c) (d) [e](f)").collect::<Vec<_>>(), ["b.md#c", "f"]);
}
