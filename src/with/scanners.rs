//! The JSON of scanners that say more in it than in SARIF: Checkov, Trivy, tfsec and Terrascan.
//!
//! Source: the types that each tool serializes, as read in its newest release. Code blocks and evaluated values are
//! not read, because they may contain secrets of the plan.

use super::{Clue, ResultReader, first_string, integer, items, member, or, string};
use crate::json::Value;

/// Reads the JSON of a scanner. Returns whether it is one.
pub(super) fn read<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    checkov(root, reader) || trivy(root, reader) || terrascan(root, reader) || tfsec(root, reader)
}

fn checkov<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let is_report = |value: &Value<'a>| {
        let has = |name| value.get(name).is_some();
        (has("check_type") && has("results")) || (has("checkov_version") && has("failed"))
    };
    // Of several frameworks, or of one.
    let one = [root];
    let reports = root.as_array().unwrap_or(&one);
    if !reports.iter().any(is_report) {
        return false;
    }
    for report in reports {
        reader.tool("checkov", string(*report, &["summary", "checkov_version"]));
        reader.suppress(items(*report, &["results", "skipped_checks"]).len());
        for file in items(*report, &["results", "parsing_errors"]) {
            let text = format!("the file {} could not be read", file.as_str().unwrap_or_default());
            let text = reader.text(&text);
            reader.failure(text);
        }
        for check in items(*report, &["results", "failed_checks"]) {
            let address = first_string(*check, &[&["resource_address"], &["resource"]]);
            let file = first_string(*check, &[&["repo_file_path"], &["file_path"]]);
            let line = items(*check, &["file_line_range"]).first().copied().unwrap_or_default();
            reader.found(
                string(*check, &["check_id"]),
                // Its SARIF calls a failed check without a severity an error, too.
                or(string(*check, &["severity"]), "failed"),
                string(*check, &["check_name"]),
                string(*check, &["guideline"]),
                vec![Clue::Address(address), Clue::Lines { file, first: integer(line, &[]) }],
            );
        }
    }
    true
}

fn trivy<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    if root.get("SchemaVersion").is_none() || root.get("ArtifactName").is_none() {
        return false;
    }
    reader.tool("trivy", string(root, &["Trivy", "Version"]));
    for result in items(root, &["Results"]) {
        for found in items(*result, &["Misconfigurations"]) {
            match string(*found, &["Status"]) {
                "PASS" => continue,
                "EXCEPTION" => {
                    reader.suppress(1);
                    continue;
                }
                _ => {}
            }
            let cause = member(*found, &["CauseMetadata"]);
            let mut clues = vec![Clue::Address(string(cause, &["Resource"]))];
            // A scanned plan is rewritten as a file whose lines nobody else knows.
            if !string(*result, &["Type"]).starts_with("terraformplan") {
                let (file, first) = (string(*result, &["Target"]), integer(cause, &["StartLine"]));
                clues.push(Clue::Lines { file, first });
            }
            reader.found(
                first_string(*found, &[&["ID"], &["AVDID"]]),
                or(string(*found, &["Severity"]), "UNKNOWN"),
                first_string(*found, &[&["Message"], &["Title"]]),
                string(*found, &["PrimaryURL"]),
                clues,
            );
        }
    }
    true
}

fn terrascan<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let results = member(root, &["results"]);
    if results.get("scan_summary").is_none() {
        return false;
    }
    reader.tool("terrascan", "");
    reader.suppress(items(results, &["skipped_violations"]).len());
    for error in items(results, &["scan_errors"]) {
        reader.failure(string(*error, &["errMsg"]));
    }
    for found in items(results, &["violations"]) {
        let text = |name: &str| string(*found, &[name]);
        // `root` stands for the root module.
        let module = Some(text("module_name")).filter(|module| *module != "root").unwrap_or_default();
        let (resource_type, name) = (text("resource_type"), text("resource_name"));
        let lines = Clue::Lines { file: text("file"), first: integer(*found, &["line"]) };
        let clues = vec![Clue::Named { resource_type, name, module }, lines];
        reader.found(text("rule_id"), text("severity"), text("description"), "", clues);
    }
    true
}

fn tfsec<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let results = items(root, &["results"]);
    let is_empty = root.as_object().is_some_and(|root| root.members().len() == 1)
        && root.get("results").is_some_and(Value::is_null);
    if !is_empty && !results.iter().any(|result| result.get("long_id").is_some()) {
        return false;
    }
    reader.tool("tfsec", "");
    for found in results {
        let text = |name: &str| string(*found, &[name]);
        let link = items(*found, &["links"]).first().and_then(|link| link.as_str());
        let (file, first) =
            (string(*found, &["location", "filename"]), integer(*found, &["location", "start_line"]));
        let clues = vec![Clue::Address(text("resource")), Clue::Lines { file, first }];
        reader.found(text("long_id"), text("severity"), text("description"), link.unwrap_or_default(), clues);
    }
    true
}
