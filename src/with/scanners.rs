//! Reads the JSON of scanners that have more in it than in SARIF: Checkov, Trivy, Terrascan, tfsec and conftest.
//!
//! Source: the types that each tool serializes, in its newest release. A file that shows that the tool examined nothing
//! is an error, because a gate must not pass what was not examined.

use super::{Clue, ResultReader, short};
use super::{first_string, integer, items, member, members, non_empty_or, number, string};
use super::{is_count, is_list, is_object, is_text};
use crate::json::Value;

/// Reads the JSON of Checkov: the report of one framework, or of several. Returns whether the document is such JSON.
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
        // If there was nothing to check, the report is the summary alone.
        let is_alone = report.get("checkov_version").is_some() && report.get("results").is_none();
        let summary = if is_alone {
            *report
        } else {
            reader.require(*report, "results.failed_checks", is_list);
            reader.object(*report, "summary")
        };
        reader.require(summary, "failed", is_count);
        let skipped = reader.objects(*report, "results.skipped_checks").len();
        reader.suppress(skipped);
        let unreadable = reader.list(*report, "results.parsing_errors");
        let [
            failed_count,
            unreadable_count,
            passed,
            skipped_count,
            resources,
        ] = [
            "failed",
            "parsing_errors",
            "passed",
            "skipped",
            "resource_count",
        ]
        .map(|name| reader.count(summary, name));
        if unreadable_count > unreadable.len() as u64 {
            let text = reader.text(&match unreadable_count {
                1 => "1 file could not be read".to_owned(),
                several => format!("{several} files could not be read"),
            });
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
        let failed = reader.objects(*report, "results.failed_checks");
        let looked_at = passed + failed_count + skipped_count + unreadable_count + resources;
        let listed = reader.list(*report, "results.passed_checks").len();
        if unreadable.is_empty() && listed + failed.len() + skipped == 0 && looked_at == 0 {
            reader.failure("the tool found no resource to check");
        }
        reader.require_all(failed_count, failed.len());
        for check in failed {
            let text = |path| string(check, path);
            let address = first_string(check, &["resource_address", "resource"]);
            let file = first_string(check, &["repo_file_path", "file_path"]);
            let first = items(check, "file_line_range")
                .first()
                .and_then(|line| number(*line))
                .unwrap_or(0);
            let clues = vec![Clue::Address(address), Clue::Lines(file, first)];
            // Checkov's SARIF too calls a failed check without a severity an error.
            let severity = non_empty_or(text("severity"), "failed");
            reader.add_with_severity(
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

/// Reads the JSON of Trivy. Returns whether the document is such JSON.
pub(super) fn trivy<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    if root.get("SchemaVersion").is_none() || root.get("ArtifactName").is_none() {
        return false;
    }
    reader.tool("trivy", string(root, "Trivy.Version"));
    if number::<u64>(member(root, "SchemaVersion")) != Some(TRIVY_SCHEMA) {
        reader.failure("the version of the file is not known, so results may be missing");
    }
    let results = reader.objects(root, "Results");
    if results.is_empty() {
        reader.failure("the file has no list of results, so the tool found nothing to look at");
    }
    for result in results {
        if members(result).is_empty() {
            reader.malformed("Results[]");
        }
        reader.object(result, "MisconfSummary");
        let failed = items(result, "Misconfigurations").iter();
        let failed =
            failed.filter(|misconfiguration| string(**misconfiguration, "Status") != "PASS");
        let counted = reader.count(result, "MisconfSummary.Failures");
        reader.require_all(counted, failed.count());
        for name in TRIVY_LISTS {
            for finding in reader.objects(result, name) {
                trivy_finding(result, finding, reader);
            }
        }
        for modified in reader.objects(result, TRIVY_MODIFIED) {
            trivy_modified(result, modified, reader);
        }
        // Kinds of findings that do not exist yet will have lists of their own.
        let others = members(result)
            .iter()
            .filter(|(name, _)| !TRIVY_LISTS.contains(name) && *name != TRIVY_MODIFIED);
        let items = others.flat_map(|(_, list)| list.as_array().unwrap_or_default());
        for finding in items.filter(|item| item.get("Severity").is_some()) {
            trivy_finding(result, *finding, reader);
        }
    }
    true
}

/// The version of Trivy's JSON that is read.
const TRIVY_SCHEMA: u64 = 2;
/// The lists of findings that a result of Trivy may have.
const TRIVY_LISTS: [&str; 4] = [
    "Misconfigurations",
    "Secrets",
    "Vulnerabilities",
    "Licenses",
];
/// The list of findings that an ignore file or a VEX document changes.
const TRIVY_MODIFIED: &str = "ExperimentalModifiedFindings";

/// Reads a finding of Trivy: a misconfiguration, a vulnerability or a secret.
fn trivy_finding<'a>(result: Value<'a>, finding: Value<'a>, reader: &mut ResultReader<'a, '_>) {
    match string(finding, "Status") {
        "PASS" => return,
        "EXCEPTION" => return reader.suppress(1),
        // `FAIL`; of a vulnerability, whether it is fixed in another version.
        _ => {}
    }
    let mut clues = vec![Clue::Address(string(finding, "CauseMetadata.Resource"))];
    // Trivy rewrites a scanned plan as a file, whose lines nobody else knows.
    if !string(result, "Type").starts_with("terraformplan") {
        let line = integer(finding, "CauseMetadata.StartLine").max(integer(finding, "StartLine"));
        clues.push(Clue::Lines(string(result, "Target"), line));
    }
    // Trivy gives each finding a severity, also `UNKNOWN`.
    let severity = non_empty_or(string(finding, "Severity"), "failed");
    // The match of a secret is not read.
    let text = first_string(
        finding,
        &["Message", "Title", "Description", "Category", "Name"],
    );
    let rule = first_string(
        finding,
        &["ID", "AVDID", "RuleID", "VulnerabilityID", "Name"],
    );
    reader.add_with_severity(rule, severity, text, string(finding, "PrimaryURL"), clues);
}

/// Reads a finding of Trivy that an ignore file or a VEX document changes.
fn trivy_modified<'a>(result: Value<'a>, modified: Value<'a>, reader: &mut ResultReader<'a, '_>) {
    match string(modified, "Status") {
        "ignored" | "not_affected" | "fixed" => reader.suppress(1),
        // `affected`, `under_investigation`: nobody has accepted it.
        _ => trivy_finding(result, member(modified, "Finding"), reader),
    }
}

/// Reads the JSON of conftest. Returns whether the document is such JSON.
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
        for (name, value) in members(*file) {
            let may_have = value.as_array().is_some_and(|items| !items.is_empty());
            if may_have && !CONFTEST_LISTS.contains(name) {
                let text = reader.text(&format!(
                    "the list {} of the file is not known, and may have results",
                    short(name)
                ));
                reader.failure(text);
            }
        }
        let [excused, skipped, failed, warned] =
            ["exceptions", "skipped", "failures", "warnings"].map(|name| reader.list(*file, name));
        let lists = [excused, skipped, failed, warned];
        if lists
            .into_iter()
            .flatten()
            .any(|item| !is_object(*item) && !is_text(*item))
        {
            reader.failure("a result of the file is neither an object nor a text");
        }
        reader.suppress(excused.len() + skipped.len());
        let evaluated = failed.len() + warned.len() + excused.len();
        if evaluated == 0 && reader.count(*file, "successes") == 0 {
            let name = short(string(*file, "filename"));
            let namespace = short(string(*file, "namespace"));
            let text = reader.text(&format!(
                "no rule of the namespace {namespace} was evaluated for {name}"
            ));
            reader.failure(text);
        }
        for (list, severity) in [(failed, "failure"), (warned, "warning")] {
            for check in list {
                // A message alone is a text.
                let message = check.as_str().unwrap_or_else(|| string(*check, "msg"));
                let mut clues = Vec::new();
                // What a policy returns in addition to its message has no fixed names.
                strings(member(*check, "metadata"), 3, &mut clues);
                let in_file = non_empty_or(string(*check, "loc.file"), string(*file, "filename"));
                clues.push(Clue::Words(message));
                clues.push(Clue::Lines(in_file, integer(*check, "loc.line")));
                reader.add_with_severity(string(*file, "namespace"), severity, message, "", clues);
            }
        }
    }
    true
}

/// The lists of a file in conftest's JSON.
const CONFTEST_LISTS: [&str; 5] = ["exceptions", "failures", "queries", "skipped", "warnings"];

/// Collects the strings of a value that may be addresses, up to a depth and a number.
fn strings<'a>(value: Value<'a>, depth: usize, clues: &mut Vec<Clue<'a>>) {
    const MOST: usize = 20;
    if let Some(text) = value
        .as_str()
        .filter(|text| text.contains('.') && clues.len() < MOST)
    {
        clues.push(Clue::Address(text));
    }
    if depth > 0 {
        let elements = value.as_array().unwrap_or_default().iter().take(MOST);
        let inside = members(value)
            .iter()
            .take(MOST)
            .map(|(_, value)| value)
            .chain(elements);
        inside.for_each(|value| strings(*value, depth - 1, clues));
    }
}
