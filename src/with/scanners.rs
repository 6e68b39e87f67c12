//! The JSON of scanners that say more in it than in SARIF: Checkov, Trivy, tfsec and Terrascan.
//!
//! Source: the types that each tool serializes, as read in its newest release. Code blocks and evaluated values are
//! not read, because they may contain secrets of the plan.

use super::{
    Clue, ResultLevel, ResultReader, ToolResult, first_string, integer, items, member, or, short, string,
    web_address,
};
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
    let reports = match root {
        // Several frameworks.
        Value::Array(reports) if reports.iter().any(is_report) => reports,
        Value::Object(_) if is_report(&root) => std::slice::from_ref(reader.arena.alloc(root)),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => return false,
    };
    for report in reports {
        reader.tool("checkov", string(*report, &["summary", "checkov_version"]));
        for _ in items(*report, &["results", "skipped_checks"]) {
            reader.suppress();
        }
        for file in items(*report, &["results", "parsing_errors"]) {
            let text = format!("the file {} could not be read", file.as_str().unwrap_or_default());
            let text = reader.text(&text);
            reader.failure("checkov", text);
        }
        for check in items(*report, &["results", "failed_checks"]) {
            let severity = string(*check, &["severity"]);
            let address = first_string(*check, &[&["resource_address"], &["resource"]]);
            let lines = items(*check, &["file_line_range"]);
            let line = |at: usize| match lines.get(at) {
                Some(Value::Number(text)) => text.parse().unwrap_or(0),
                Some(_) | None => 0,
            };
            let file = first_string(*check, &[&["repo_file_path"], &["file_path"]]);
            reader.add(ToolResult {
                tool: "checkov",
                rule: short(string(*check, &["check_id"])),
                // Its SARIF calls a failed check without a severity an error, too.
                level: if severity.is_empty() {
                    ResultLevel::Error
                } else {
                    ResultLevel::from_severity(severity)
                },
                severity: or(short(severity), "failed"),
                text: short(string(*check, &["check_name"])),
                url: web_address(string(*check, &["guideline"])),
                clues: vec![Clue::Address(address), Clue::Lines { file, first: line(0), last: line(1) }],
                ..ToolResult::default()
            });
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
                    reader.suppress();
                    continue;
                }
                _ => {}
            }
            let severity = string(*found, &["Severity"]);
            let cause = member(*found, &["CauseMetadata"]);
            let mut clues = vec![Clue::Hashed(string(cause, &["Resource"]))];
            // A scanned plan is rewritten as a file whose lines nobody else knows.
            if !string(*result, &["Type"]).starts_with("terraformplan") {
                let first = integer(cause, &["StartLine"]);
                let last = integer(cause, &["EndLine"]).max(first);
                clues.push(Clue::Lines { file: string(*result, &["Target"]), first, last });
            }
            let id = first_string(*found, &[&["ID"], &["AVDID"]]);
            let text = first_string(*found, &[&["Message"], &["Title"]]);
            reader.add(ToolResult {
                tool: "trivy",
                rule: short(id),
                level: ResultLevel::from_severity(severity),
                severity: or(short(severity), "UNKNOWN"),
                text: short(text),
                url: web_address(string(*found, &["PrimaryURL"])),
                clues,
                ..ToolResult::default()
            });
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
    for _ in items(results, &["skipped_violations"]) {
        reader.suppress();
    }
    for error in items(results, &["scan_errors"]) {
        reader.failure("terrascan", string(*error, &["errMsg"]));
    }
    for found in items(results, &["violations"]) {
        let severity = string(*found, &["severity"]);
        let first = integer(*found, &["line"]);
        // `root` stands for the root module.
        let module = match string(*found, &["module_name"]) {
            "root" => "",
            module => module,
        };
        reader.add(ToolResult {
            tool: "terrascan",
            rule: short(string(*found, &["rule_id"])),
            level: ResultLevel::from_severity(severity),
            severity: short(severity),
            text: short(string(*found, &["description"])),
            clues: vec![
                Clue::Named {
                    resource_type: string(*found, &["resource_type"]),
                    name: string(*found, &["resource_name"]),
                    module,
                },
                Clue::Lines { file: string(*found, &["file"]), first, last: first },
            ],
            ..ToolResult::default()
        });
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
        let severity = string(*found, &["severity"]);
        let first = integer(*found, &["location", "start_line"]);
        reader.add(ToolResult {
            tool: "tfsec",
            rule: short(string(*found, &["long_id"])),
            level: ResultLevel::from_severity(severity),
            severity: short(severity),
            text: short(string(*found, &["description"])),
            url: items(*found, &["links"]).first().and_then(|link| web_address(link.as_str()?)),
            clues: vec![
                Clue::Address(string(*found, &["resource"])),
                Clue::Lines {
                    file: string(*found, &["location", "filename"]),
                    first,
                    last: integer(*found, &["location", "end_line"]).max(first),
                },
            ],
            ..ToolResult::default()
        });
    }
    true
}
