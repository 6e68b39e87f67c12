//! What was once wrong or missing, found by the name that it has in a report: one test for each.
//!
//! Attacks and differences from the real tools are tested where their area is tested, and here if they have none:
//! `cargo test --test suite report_suffix_match` and `cargo test --test suite a06_` find them by name.

mod approvals;
mod attack;
mod attack_2;
mod corpus;
mod live;
mod public;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::harness::{Output, tfview};

/// A folder of `fixtures/` with the files of a report.
#[derive(Clone, Copy)]
struct Case(&'static str);

impl Case {
    fn folder(self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .join(self.0)
    }

    /// The output of a command in the folder.
    fn run(self, command: &str) -> Output {
        tfview(command).folder(&self.folder()).output()
    }

    /// The text of a review at 100 columns.
    fn review(self) -> String {
        let output = self.run("review --ci none --width 100 plan.json");
        assert_eq!(output.code, Some(0), "{}: {output}", self.0);
        output.stdout
    }

    /// The findings in the JSON of a review, as `LEVEL KIND ADDRESS: TEXT`.
    fn findings(self) -> Vec<String> {
        let output = self.run("review --format json --ci none plan.json");
        let document: Value = serde_json::from_str(&output.stdout).unwrap();
        let text = |finding: &Value, member: &str| finding[member].as_str().unwrap().to_owned();
        let line = |finding: &Value| {
            format!(
                "{} {} {}: {}",
                text(finding, "level"),
                text(finding, "kind"),
                text(finding, "address"),
                text(finding, "text")
            )
        };
        let findings = document["plans"][0]["findings"].as_array().unwrap();
        findings.iter().map(line).collect()
    }

    /// Whether a gate holds for the plan.
    fn is_held(self, gate: &str) -> bool {
        let output = self.run(&format!("review --fail-on {gate} plan.json"));
        assert!(matches!(output.code, Some(0 | 3)), "{}: {output}", self.0);
        output.code == Some(3)
    }

    /// No finding has any of these parts.
    #[track_caller]
    fn assert_not_found(self, parts: &[&str]) {
        let findings = self.findings();
        for part in parts {
            let other = findings.iter().find(|line| line.contains(part));
            assert_eq!(other, None, "{part}");
        }
    }

    /// Nothing in the plan is more than a notice.
    #[track_caller]
    fn assert_no_warning(self) {
        self.assert_not_found(&["critical ", "warning "]);
    }
}

/// Parts that the text must have, one behind the other.
#[track_caller]
fn assert_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let after = rest.split_once(part).map(|(_, after)| after);
        assert!(
            after.is_some(),
            "{part:?} is missing, or comes earlier:\n{text}"
        );
        rest = after.unwrap_or_default();
    }
}
