//! The library and the program write the same.

use std::process::Command;
use std::time::UNIX_EPOCH;

use tfview::{Format, Plan, Review, ReviewOptions, Schemas};

use super::{golden, read, text_of};

/// What the program writes about a file.
fn program(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfview"));
    let output = command.args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the age of a plan is written")]
fn texts_and_reviews_are_those_of_the_program() {
    let mut compared = 0;
    for entry in std::fs::read_dir(golden("")).unwrap().take(12) {
        let folder = entry.unwrap().path();
        let file = folder.join("plan.json");
        if !file.exists() {
            continue;
        }
        let name = file.to_str().unwrap();
        let plan = Plan::parse(read(&folder, "plan.json"), &Schemas::new()).unwrap();
        let shown = program(&["show", "--schemas", "none", "--width", "78", name]);
        assert_eq!(text_of(&plan, Format::Text), shown, "{name}");
        let mut options = ReviewOptions::default();
        options.name = name.to_owned();
        options.now = UNIX_EPOCH.elapsed().ok().map(|now| now.as_secs());
        let review = Review::new(&plan, options).unwrap();
        for (format, word) in [(Format::Json, "json"), (Format::Markdown, "markdown")] {
            let written = program(&["review", "--schemas", "none", "--format", word, name]);
            let mut text = Vec::new();
            review.write(format, &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            // The marker of a comment has a hash of the command line.
            let without_marker = |text: &str| match text.split_once('\n') {
                Some((first, rest)) if first.starts_with("<!--") => rest.to_owned(),
                Some(_) | None => text.to_owned(),
            };
            assert_eq!(without_marker(&text), without_marker(&written), "{name}");
        }
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}
