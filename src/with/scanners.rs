//! The JSON of scanners that say more in it than in SARIF: Checkov, Trivy, Terrascan, tfsec and conftest.
//!
//! Source: the types that each tool serializes, as read in its newest release. A file that shows that the tool looked
//! at nothing is an error, because a gate must not pass what was not examined.

use super::{Clue, ResultReader, short};
use super::{first_string, integer, items, member, members, number, or, string};
use crate::json::Value;

/// Reads the JSON of Checkov: the report of a framework, or of several. Returns whether it is one.
pub(super) fn checkov<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let is_report = |report: &Value<'a>| {
        let has = |names: [&str; 2]| names.iter().all(|name| report.get(name).is_some());
        has(["check_type", "results"]) || has(["checkov_version", "failed"])
    };
    let one = [root];
    let reports = root.as_array().unwrap_or(&one);
    if !reports.iter().any(is_report) {
        return false;
    }
    for report in reports {
        reader.tool("checkov", string(*report, "summary.checkov_version"));
        reader.suppress(items(*report, "results.skipped_checks").len());
        let unreadable = items(*report, "results.parsing_errors");
        let counted = integer(*report, "summary.parsing_errors");
        if counted > unreadable.len() as u64 {
            let text = reader.text(&format!("{counted} files could not be read"));
            reader.failure(text);
        }
        for file in unreadable {
            let text = format!(
                "the file {} could not be read",
                file.as_str().unwrap_or_default()
            );
            let text = reader.text(&text);
            reader.failure(text);
        }
        // If there was nothing to check, the report is the summary alone.
        let summary = report.get("summary").unwrap_or(*report);
        let counts = [
            "passed",
            "failed",
            "skipped",
            "parsing_errors",
            "resource_count",
        ];
        let lists = ["passed_checks", "failed_checks", "skipped_checks"];
        let is_empty = unreadable.is_empty()
            && lists
                .iter()
                .all(|name| items(*report, &format!("results.{name}")).is_empty());
        if is_empty && counts.iter().all(|name| integer(summary, name) == 0) {
            reader.failure("the tool found no resource to check");
        }
        let failed = items(*report, "results.failed_checks");
        let counted = integer(*report, "summary.failed").max(integer(*report, "failed"));
        reader.require_all(counted, failed.len());
        for check in failed {
            let text = |path| string(*check, path);
            let address = first_string(*check, &["resource_address", "resource"]);
            let file = first_string(*check, &["repo_file_path", "file_path"]);
            let first = items(*check, "file_line_range")
                .first()
                .and_then(|line| number(*line))
                .unwrap_or(0);
            let clues = vec![Clue::Address(address), Clue::Lines(file, first)];
            // Its SARIF calls a failed check without a severity an error, too.
            let severity = or(text("severity"), "failed");
            reader.found(
                text("check_id"),
                severity,
                text("check_name"),
                text("guideline"),
                clues,
            );
        }
    }
    true
}

/// Reads the JSON of Trivy. Returns whether it is one.
pub(super) fn trivy<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    if root.get("SchemaVersion").is_none() || root.get("ArtifactName").is_none() {
        return false;
    }
    reader.tool("trivy", string(root, "Trivy.Version"));
    if items(root, "Results").is_empty() {
        reader.failure("the file has no list of results, so the tool found nothing to look at");
    }
    for result in items(root, "Results") {
        let summary = member(*result, "MisconfSummary");
        let failed = items(*result, "Misconfigurations").iter();
        let failed = failed.filter(|found| string(**found, "Status") != "PASS");
        reader.require_all(integer(summary, "Failures"), failed.count());
        // Each class has a list of its own: Misconfigurations, Secrets, Vulnerabilities, Licenses, and those to come.
        for (name, list) in members(*result) {
            let is_modified = *name == "ExperimentalModifiedFindings";
            for item in list.as_array().unwrap_or_default() {
                if is_modified {
                    trivy_modified(*result, *item, reader);
                } else if item.get("Severity").is_some() || *name == "Misconfigurations" {
                    trivy_finding(*result, *item, reader);
                }
            }
        }
    }
    true
}

/// Reads a finding of Trivy: a misconfiguration, a vulnerability or a secret.
fn trivy_finding<'a>(result: Value<'a>, found: Value<'a>, reader: &mut ResultReader<'a, '_>) {
    match string(found, "Status") {
        "PASS" => return,
        "EXCEPTION" => return reader.suppress(1),
        // `FAIL`; of a vulnerability, whether it is fixed in another version.
        _ => {}
    }
    let mut clues = vec![Clue::Address(string(found, "CauseMetadata.Resource"))];
    // A scanned plan is rewritten as a file whose lines nobody else knows.
    if !string(result, "Type").starts_with("terraformplan") {
        let line = integer(found, "CauseMetadata.StartLine").max(integer(found, "StartLine"));
        clues.push(Clue::Lines(string(result, "Target"), line));
    }
    let severity = or(string(found, "Severity"), "UNKNOWN");
    // The match of a secret is not read.
    let text = first_string(
        found,
        &["Message", "Title", "Description", "Category", "Name"],
    );
    let rule = first_string(found, &["ID", "AVDID", "RuleID", "VulnerabilityID", "Name"]);
    reader.found(rule, severity, text, string(found, "PrimaryURL"), clues);
}

/// A result that an ignore file or a VEX document changes.
fn trivy_modified<'a>(result: Value<'a>, modified: Value<'a>, reader: &mut ResultReader<'a, '_>) {
    match string(modified, "Status") {
        "ignored" | "not_affected" | "fixed" => reader.suppress(1),
        // `affected`, `under_investigation`: nobody has accepted it.
        _ => trivy_finding(result, member(modified, "Finding"), reader),
    }
}

/// Reads the JSON of Terrascan. Returns whether it is one.
pub(super) fn terrascan<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    if member(root, "results.scan_summary").is_null() {
        return false;
    }
    reader.tool("terrascan", "");
    reader.suppress(items(root, "results.skipped_violations").len());
    for error in items(root, "results.scan_errors") {
        reader.failure(string(*error, "errMsg"));
    }
    let validated = member(root, "results.scan_summary.policies_validated");
    if number::<u64>(validated) == Some(0) {
        reader.failure("the tool validated no policy");
    }
    let violations = items(root, "results.violations");
    let counted = integer(root, "results.scan_summary.violated_policies");
    reader.require_all(counted, violations.len());
    for found in items(root, "results.vulnerabilities") {
        let rule = first_string(*found, &["vulnerability_id", "cve_id"]);
        let text = first_string(*found, &["title", "description", "package"]);
        let lines = Clue::Lines(string(*found, "file"), integer(*found, "line"));
        reader.found(rule, string(*found, "severity"), text, "", vec![lines]);
    }
    for found in violations {
        let text = |name| string(*found, name);
        let module = Some(text("module_name"))
            .filter(|module| *module != "root")
            .unwrap_or_default();
        let (resource_type, name) = (text("resource_type"), text("resource_name"));
        let lines = Clue::Lines(text("file"), integer(*found, "line"));
        let clues = vec![
            Clue::Named {
                resource_type,
                name,
                module,
            },
            lines,
        ];
        reader.found(
            text("rule_id"),
            text("severity"),
            text("description"),
            "",
            clues,
        );
    }
    true
}

/// The status of a result that tfsec lists with `--include-passed`.
const TFSEC_PASSED: u64 = 1;
/// The status of a result that tfsec lists with `--include-ignored`.
const TFSEC_IGNORED: u64 = 2;

/// Reads the JSON of tfsec. Returns whether it is one.
pub(super) fn tfsec<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let results = items(root, "results");
    let is_empty = matches!(members(root), [("results", Value::Null)]);
    if !is_empty && !results.iter().any(|result| result.get("long_id").is_some()) {
        return false;
    }
    reader.tool("tfsec", "");
    for found in results {
        // 0, or absent, if the check failed.
        match integer(*found, "status") {
            TFSEC_PASSED => continue,
            TFSEC_IGNORED => {
                reader.suppress(1);
                continue;
            }
            _ => {}
        }
        let text = |path| string(*found, path);
        let link = items(*found, "links")
            .first()
            .and_then(|link| link.as_str());
        let (file, first) = (
            text("location.filename"),
            integer(*found, "location.start_line"),
        );
        let clues = vec![Clue::Address(text("resource")), Clue::Lines(file, first)];
        reader.found(
            text("long_id"),
            text("severity"),
            text("description"),
            link.unwrap_or_default(),
            clues,
        );
    }
    true
}

/// Reads the JSON of conftest. Returns whether it is one.
pub(super) fn conftest<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let Some(files) = root.as_array() else {
        return false;
    };
    let is_file = |file: &Value<'a>| {
        let names = ["namespace", "successes", "failures", "warnings"];
        file.get("filename").is_some() && names.iter().any(|name| file.get(name).is_some())
    };
    if !files.iter().all(is_file) {
        return false;
    }
    reader.tool("conftest", "");
    if files.is_empty() {
        reader.failure("the list of files is empty, so the tool did not look at any");
    }
    for file in files {
        let excused = items(*file, "exceptions").len();
        reader.suppress(excused + items(*file, "skipped").len());
        let evaluated = items(*file, "failures").len() + items(*file, "warnings").len() + excused;
        if evaluated == 0 && integer(*file, "successes") == 0 {
            let name = short(string(*file, "filename"));
            let namespace = short(string(*file, "namespace"));
            let text = reader.text(&format!(
                "no rule of the namespace {namespace} was evaluated for {name}"
            ));
            reader.failure(text);
        }
        for (list, severity) in [("failures", "failure"), ("warnings", "warning")] {
            for found in items(*file, list) {
                let message = string(*found, "msg");
                let mut clues = Vec::new();
                // What a policy returns beside its message has no fixed names.
                strings(member(*found, "metadata"), 3, &mut clues);
                let in_file = or(string(*found, "loc.file"), string(*file, "filename"));
                clues.push(Clue::Words(message));
                clues.push(Clue::Lines(in_file, integer(*found, "loc.line")));
                reader.found(string(*file, "namespace"), severity, message, "", clues);
            }
        }
    }
    true
}

/// Collects the strings of a value that may be addresses, up to a depth and a number.
fn strings<'a>(value: Value<'a>, depth: usize, found: &mut Vec<Clue<'a>>) {
    const MOST: usize = 20;
    if let Some(text) = value
        .as_str()
        .filter(|text| text.contains('.') && found.len() < MOST)
    {
        found.push(Clue::Address(text));
    }
    if depth > 0 {
        let elements = value.as_array().unwrap_or_default().iter().take(MOST);
        let inside = members(value)
            .iter()
            .take(MOST)
            .map(|(_, value)| value)
            .chain(elements);
        inside.for_each(|value| strings(*value, depth - 1, found));
    }
}
