//! The outputs of tools: SARIF, the JSON of scanners that say more in it, and the results of policies.
//!
//! Sources: OASIS SARIF 2.1.0, in which the rule, level and place of a result may each be given in several ways or be
//! absent; the types that each tool serializes, as read in its newest release; the messages that `terraform plan -json`
//! writes.

use std::collections::{HashMap, HashSet};

use super::{Clue, ResultLevel, ResultReader, ToolResult, short, web_address};
use super::{first_string, integer, items, member, number, or, string};
use crate::json::{self, Value};

/// The maximum number of places of a result that are looked at.
const MAX_PLACES: usize = 100;

/// Like the other readers, returns whether it is such a document.
pub(super) fn sarif<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let Some(runs) = root.get("runs").and_then(Value::as_array) else {
        return false;
    };
    if runs.is_empty() {
        reader.tool("SARIF", "");
        reader.failure("the file has no run of a tool");
    }
    for run in runs {
        let driver = member(*run, "tool.driver");
        let rules = items(driver, "rules");
        let extensions = items(*run, "tool.extensions").iter();
        let all = rules
            .iter()
            .chain(extensions.flat_map(|extension| items(*extension, "rules")));
        let by_id = all.rev().map(|rule| (string(*rule, "id"), *rule)).collect();
        reader.tool(
            or(string(driver, "name"), "SARIF"),
            first_string(driver, &["version", "semanticVersion"]),
        );
        for invocation in items(*run, "invocations") {
            sarif_invocation(*invocation, reader);
        }
        let elsewhere = member(*run, "externalPropertyFileReferences.results");
        if !elsewhere.is_null() {
            reader.failure("the file leaves results to other files, which are not read");
        }
        match run.get("results").and_then(Value::as_array) {
            Some(results) => {
                let run = Run {
                    artifacts: items(*run, "artifacts"),
                    rules,
                    by_id,
                };
                results
                    .iter()
                    .for_each(|result| run.result(*result, reader));
            }
            None => {
                reader.failure("the file has no list of results, so the tool did not look for any");
            }
        }
    }
    true
}

/// Adds what a tool says of its own run: that it failed, or could not look at something.
fn sarif_invocation<'a>(invocation: Value<'a>, reader: &mut ResultReader<'a, '_>) {
    let has_failed = member(invocation, "executionSuccessful") == Value::Bool(false)
        || !string(invocation, "exitSignalName").is_empty()
        || !string(invocation, "processStartFailureMessage").is_empty();
    if has_failed {
        reader.failure("the tool reports that its run failed");
    }
    let lists = [
        "toolExecutionNotifications",
        "toolConfigurationNotifications",
    ];
    let notifications = lists.iter().flat_map(|list| items(invocation, list));
    for notification in notifications {
        let severity = match string(*notification, "level") {
            "error" => "failed",
            "note" | "none" => continue,
            _ => "warning",
        };
        let said = first_string(*notification, &["message.text", "message.markdown"]);
        let text = reader.text(&format!(
            "the tool reports a problem of its run: {}",
            or(short(said), "no reason given")
        ));
        let rule = first_string(*notification, &["descriptor.id", "associatedRule.id"]);
        reader.found(rule, severity, text, "", Vec::new());
    }
}

/// A result is suppressed if nobody has still to accept one of its suppressions. One without a status is accepted.
fn is_suppressed(result: Value<'_>) -> bool {
    let suppressions = items(result, "suppressions");
    let is_accepted = |suppression: &Value<'_>| {
        let status = member(*suppression, "status");
        status.is_null() || status.as_str() == Some("accepted")
    };
    !suppressions.is_empty() && suppressions.iter().all(is_accepted)
}

struct Run<'a> {
    artifacts: &'a [Value<'a>],
    rules: &'a [Value<'a>],
    by_id: HashMap<&'a str, Value<'a>>,
}

impl<'a> Run<'a> {
    fn rule(&self, result: Value<'a>) -> (&'a str, Value<'a>) {
        let id = first_string(result, &["ruleId", "rule.id"]);
        let index = ["ruleIndex", "rule.index"].map(|path| member(result, path));
        let by_index = index
            .into_iter()
            .find(|index| !index.is_null())
            .and_then(|index| at(self.rules, index));
        // An index into the rules of an extension does not fit the ID.
        let fits = |rule: &Value<'a>| id.is_empty() || id.starts_with(string(*rule, "id"));
        let rule = by_index
            .filter(fits)
            .or_else(|| self.by_id.get(id).copied())
            .unwrap_or_default();
        (or(id, string(rule, "id")), rule)
    }

    fn result(&self, result: Value<'a>, reader: &mut ResultReader<'a, '_>) {
        // Any other kind fails, or has to be looked at.
        if ["pass", "informational", "notApplicable"].contains(&string(result, "kind")) {
            return;
        }
        if is_suppressed(result) || string(result, "baselineState") == "absent" {
            return reader.suppress(1);
        }
        let (id, rule) = self.rule(result);
        let word = or(
            string(result, "level"),
            string(rule, "defaultConfiguration.level"),
        );
        let level = match word {
            "error" => ResultLevel::Error,
            "note" | "none" => ResultLevel::Note,
            _ => ResultLevel::Warning,
        };
        // As code scanning names a score. The graver one of score and level counts.
        let (severity, least) = match string(rule, "properties.security-severity").parse::<f64>() {
            Ok(score) if score >= 9.0 => ("critical", ResultLevel::Error),
            Ok(score) if score >= 7.0 => ("high", ResultLevel::Error),
            Ok(score) if score >= 4.0 => ("medium", ResultLevel::Warning),
            Ok(score) if score > 0.0 => ("low", ResultLevel::Note),
            Ok(_) | Err(_) => (or(word, "warning"), ResultLevel::Note),
        };
        let level = level.max(least);
        let message = member(result, "message");
        let text = match string(message, "text") {
            "" => {
                let messages = member(rule, "messageStrings").get(string(message, "id"));
                let mut text = string(messages.unwrap_or_default(), "text").to_owned();
                for (at, argument) in items(message, "arguments").iter().take(10).enumerate() {
                    let argument = short(argument.as_str().unwrap_or_default());
                    text = short(&text.replace(&format!("{{{at}}}"), argument)).to_owned();
                }
                reader.text(&text)
            }
            text => text,
        };
        reader.add(ToolResult {
            rule: short(id),
            level,
            severity,
            text: short(or(text, string(rule, "shortDescription.text"))),
            url: web_address(string(rule, "helpUri")),
            clues: self.clues(result, text, reader),
            ..ToolResult::default()
        });
    }

    fn clues(
        &self,
        result: Value<'a>,
        text: &'a str,
        reader: &ResultReader<'a, '_>,
    ) -> Vec<Clue<'a>> {
        let places = || items(result, "locations").iter().take(MAX_PLACES);
        let mut clues = Vec::new();
        for logical in places()
            .flat_map(|place| items(*place, "logicalLocations"))
            .take(MAX_PLACES)
        {
            let (full, name) = (
                string(*logical, "fullyQualifiedName"),
                string(*logical, "name"),
            );
            clues.extend(
                [full, name]
                    .into_iter()
                    .filter(|name| name.contains('.'))
                    .map(Clue::Address),
            );
            // Terrascan: the type of the resource is the kind of the place.
            let resource_type = string(*logical, "kind");
            if resource_type.contains('_') && !name.is_empty() {
                clues.push(Clue::Named {
                    resource_type,
                    name,
                    module: "",
                });
            }
        }
        let properties = members(member(result, "properties"))
            .iter()
            .filter_map(|(_, value)| value.as_str());
        clues.extend(
            properties
                .filter(|text| text.contains('.'))
                .take(10)
                .map(Clue::Address),
        );
        for place in places() {
            let physical = member(*place, "physicalLocation");
            let artifact =
                at(self.artifacts, member(physical, "artifactLocation.index")).unwrap_or_default();
            let uri = or(
                string(physical, "artifactLocation.uri"),
                string(artifact, "location.uri"),
            );
            if !uri.is_empty() {
                let first = integer(physical, "region.startLine");
                clues.push(Clue::Lines(file_name(uri, reader), first));
            }
        }
        clues.push(Clue::Words(short(text)));
        clues
    }
}

fn at<'a>(items: &[Value<'a>], index: Value<'a>) -> Option<Value<'a>> {
    items.get(number::<usize>(index)?).copied()
}

fn members<'a>(value: Value<'a>) -> &'a [(&'a str, Value<'a>)] {
    value
        .as_object()
        .map(json::Object::members)
        .unwrap_or_default()
}

fn file_name<'a>(uri: &'a str, reader: &ResultReader<'a, '_>) -> &'a str {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    if !path.contains('%') {
        return path;
    }
    let (mut bytes, mut rest) = (Vec::with_capacity(path.len()), path.as_bytes());
    while let [first, after @ ..] = rest {
        let digits = after
            .get(..2)
            .filter(|_| *first == b'%')
            .and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = digits.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = byte.and_then(|_| after.get(2..)).unwrap_or(after);
    }
    reader.text(&String::from_utf8_lossy(&bytes))
}

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
        for file in items(*report, "results.parsing_errors") {
            let text = format!(
                "the file {} could not be read",
                file.as_str().unwrap_or_default()
            );
            let text = reader.text(&text);
            reader.failure(text);
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
    for result in items(root, "Results") {
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

pub(super) fn terrascan<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    if member(root, "results.scan_summary").is_null() {
        return false;
    }
    reader.tool("terrascan", "");
    reader.suppress(items(root, "results.skipped_violations").len());
    for error in items(root, "results.scan_errors") {
        reader.failure(string(*error, "errMsg"));
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

pub(super) fn tfsec<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let results = items(root, "results");
    let is_empty = matches!(members(root), [("results", Value::Null)]);
    if !is_empty && !results.iter().any(|result| result.get("long_id").is_some()) {
        return false;
    }
    reader.tool("tfsec", "");
    for found in results {
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
        reader.suppress(items(*file, "exceptions").len() + items(*file, "skipped").len());
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

/// Returns whether the text begins with a message.
pub(super) fn messages<'a>(text: &'a str, reader: &mut ResultReader<'a, '_>) -> bool {
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    if !first.trim_start().starts_with('{') || !first.contains("\"@message\"") {
        return false;
    }
    reader.tool("terraform policy", "");
    let mut explained: HashSet<(&str, &str)> = HashSet::new();
    let mut plain = Vec::new();
    for line in text.lines().filter(|line| line.contains("\"policy_")) {
        let Ok(message) = json::parse(line, reader.arena) else {
            reader.failure("a message about a policy is not valid JSON");
            continue;
        };
        let kind = string(message, "type");
        let payload = message.get(kind).unwrap_or_default();
        // The members are in the message itself or below the name of its type.
        let find = |name: &str| message.get(name).unwrap_or_else(|| member(payload, name));
        let text_of = |name: &str| find(name).as_str().unwrap_or_default();
        let (target, policy) = (text_of("target_address"), find("policy_metadata"));
        let name = or(string(policy, "policy_name"), text_of("policy_address"));
        let enforcement = string(policy, "enforcement_level");
        let is_advice = enforcement.eq_ignore_ascii_case("advisory");
        let result = ToolResult {
            rule: short(name),
            level: if is_advice {
                ResultLevel::Warning
            } else {
                ResultLevel::Error
            },
            severity: short(or(enforcement, "denied")),
            clues: vec![Clue::Address(target)],
            ..ToolResult::default()
        };
        match kind {
            "policy_diagnostic" => {
                let diagnostic = [payload, member(message, "diagnostic")]
                    .into_iter()
                    .find(|own| !own.is_null());
                let said = |name| string(diagnostic.unwrap_or_default(), name);
                let text = match said("detail") {
                    "" => said("summary"),
                    detail => reader.text(&format!("{}: {detail}", said("summary"))),
                };
                let is_warning = said("severity") == "warning";
                let level = if is_warning {
                    ResultLevel::Warning
                } else {
                    result.level
                };
                explained.insert((target, name));
                reader.add(ToolResult {
                    level,
                    text: short(text),
                    ..result
                });
            }
            "policy_result" => {
                let text = outcome(text_of("result"));
                plain.extend(text.map(|text| (target, name, ToolResult { text, ..result })));
            }
            "policy_query_summary" => {
                for found in items(payload, "results") {
                    let clues = vec![Clue::Address(string(*found, "target_address"))];
                    if let Some(text) = outcome(string(*found, "result")) {
                        reader.add(ToolResult {
                            text,
                            clues,
                            ..result.clone()
                        });
                    }
                }
            }
            _ => {}
        }
    }
    // A diagnostic says more than the result that belongs to it.
    plain.retain(|(target, name, _)| !explained.contains(&(*target, *name)));
    plain
        .into_iter()
        .for_each(|(.., result)| reader.add(result));
    true
}

/// `None` if it allows.
fn outcome(result: &str) -> Option<&'static str> {
    match result {
        "AllowResult" | "pass" => None,
        "DenyResult" | "fail" => Some("the policy denies it"),
        "UnknownResult" | "unknown" => Some("the result of the policy is known only after apply"),
        _ => Some("the policy could not be evaluated"),
    }
}
