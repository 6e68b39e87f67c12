//! Every excerpt of a run in the documentation is real output.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::cli::harness::tfview;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// An excerpt on a page: the command in the comment `<!-- run: COMMAND -->`, and the code block below it.
struct Run {
    command: String,
    shown: String,
}

fn runs(page: &str) -> Vec<Run> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let mut runs = Vec::new();
    for piece in text.split("<!-- run: tfview ").skip(1) {
        let (command, rest) = piece.split_once(" -->").expect("the comment ends");
        let rest = rest
            .trim_start_matches('\n')
            .strip_prefix("```")
            .expect("a code block follows");
        let (_, rest) = rest.split_once('\n').unwrap();
        let (shown, _) = rest.split_once("\n```").expect("the block ends");
        runs.push(Run {
            command: command.to_owned(),
            shown: shown.to_owned(),
        });
    }
    runs
}

/// Checks that the program prints the lines of an excerpt, in order. A line `…` means omitted lines.
fn check(page: &str, run: &Run) {
    let output = tfview(&run.command).folder(root()).output();
    let printed: Vec<&str> = output.stdout.lines().collect();
    let mut end = None;
    for block in run.shown.split("\n…\n") {
        let block: Vec<&str> = block.lines().collect();
        let from = end.unwrap_or(0);
        let start = (from..printed.len()).find(|start| printed[*start..].starts_with(&block));
        let shown = block.join("\n");
        assert!(
            start.is_some(),
            "{page}: `tfview {}` does not print\n{shown}\n\nbut {output}",
            run.command
        );
        let start = start.unwrap();
        end = Some(start + block.len());
    }
}

#[test]
fn excerpts_are_real_output() {
    let mut counts = BTreeMap::new();
    for page in ["README.md", "docs/review.md"] {
        let runs = runs(page);
        runs.iter().for_each(|run| check(page, run));
        counts.insert(page, runs.len());
    }
    assert!(
        counts["README.md"] >= 2 && counts["docs/review.md"] >= 5,
        "{counts:?}"
    );
}
