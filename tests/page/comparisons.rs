//! The page of a comparison contains every difference, and no text of a plan becomes markup.

use std::fs;
use std::path::Path;

use tfview::internals::compare::Options;

use super::{HOSTILE, hostile, lines_of, text_of, with_page};
use crate::cli::harness::without_identity;
use crate::compare::{Outcome, compare};

fn case(name: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/compare/{name}.json")),
    )
    .unwrap()
}

/// The differences in the terminal text, without their symbols.
fn differences(outcome: &Outcome) -> Vec<&str> {
    let lines = outcome
        .terminal
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    lines
        .filter_map(|line| line.trim_start().split_once(' '))
        .map(|(_, text)| text)
        .collect()
}

#[test]
fn every_difference_is_on_the_page() {
    let approved = case("approved");
    let mut checked = 0;
    for file in
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/compare")).unwrap()
    {
        let path = file.unwrap().path();
        let name = path.display().to_string();
        let now = fs::read_to_string(&path).unwrap();
        let outcome = compare(&approved, &now, None, &Options::default());
        with_page(&outcome.html, &name, |page| {
            let text = text_of(page);
            // The page has the level between the sign and the sentence.
            let (_, verdict) = outcome
                .terminal
                .lines()
                .next()
                .unwrap()
                .split_once(' ')
                .unwrap();
            assert!(text.contains(verdict), "{name}: the verdict");
            for difference in differences(&outcome) {
                // The page writes the name of an object once, above the lines of its differences.
                let words: Vec<&str> = difference.split_whitespace().collect();
                let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let is_there = (1..4.min(words.len())).any(|count| {
                    let (name, rest) = words.split_at(count);
                    squeezed.contains(name.join(" ").trim_end_matches(':'))
                        && squeezed.contains(&format!(" {}", rest.join(" ")))
                });
                assert!(is_there, "{name}: {difference}\n{text}");
                checked += 1;
            }
        });
    }
    assert!(checked > 20, "{checked} differences");
}

#[test]
fn no_text_of_a_compared_plan_becomes_markup() {
    let now = hostile();
    for approved in [
        case("approved"),
        now.replace(" new", " older"),
        now.replace("a_b", "a_c"),
    ] {
        let outcome = compare(&approved, &now, None, &Options::default());
        let text = with_page(&outcome.html, "hostile", text_of);
        assert!(
            text.matches("</script></pre><img src=x onerror=alert(1)>")
                .count()
                > 3,
            "{text}"
        );
        assert!(text.contains("<U+202E>") && !outcome.html.contains(HOSTILE));
        assert_eq!(outcome.html.matches("<script>").count(), 1);
        assert_eq!(outcome.html.matches("<img").count(), 0);
    }
}

#[test]
fn comparison_with_sensitive_values_has_a_warning() {
    let (approved, now) = (case("approved"), case("wider-secret"));
    let banner = "This page shows sensitive values";
    let closed = compare(&approved, &now, None, &Options::default());
    assert!(!closed.html.contains("s3cr3t") && !closed.html.contains(banner));
    let options = Options {
        show_sensitive: true,
        ..Options::default()
    };
    let open = compare(&approved, &now, None, &options);
    with_page(&open.html, "an open comparison", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)));
    });
}
