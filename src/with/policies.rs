//! The results of policies: conftest and OPA, and the policy messages of a Terraform run.
//!
//! Source: the result types of conftest; the messages that `terraform plan -json` writes.

use std::collections::HashSet;

use super::{Clue, ResultLevel, ResultReader, ToolResult, integer, items, member, or, short, string};
use crate::json::{self, Value};

/// Reads the JSON of conftest. Returns whether it is one.
pub(super) fn read<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let Some(files) = root.as_array() else { return false };
    let is_file = |file: &Value<'a>| {
        let names = ["namespace", "successes", "failures", "warnings"];
        file.get("filename").is_some() && names.iter().any(|name| file.get(name).is_some())
    };
    if !files.iter().all(is_file) {
        return false;
    }
    reader.tool("conftest", "");
    for file in files {
        let (namespace, name) = (string(*file, &["namespace"]), string(*file, &["filename"]));
        reader.suppress(items(*file, &["exceptions"]).len() + items(*file, &["skipped"]).len());
        for (list, severity) in [("failures", "failure"), ("warnings", "warning")] {
            for found in items(*file, &[list]) {
                let message = string(*found, &["msg"]);
                let mut clues = Vec::new();
                // What a policy returns beside its message has no fixed names.
                strings(member(*found, &["metadata"]), 3, &mut clues);
                let line = integer(*found, &["loc", "line"]);
                let in_file = or(string(*found, &["loc", "file"]), name);
                clues.push(Clue::Words(message));
                clues.push(Clue::Lines { file: in_file, first: line });
                reader.found(namespace, severity, message, "", clues);
            }
        }
    }
    true
}

/// The strings in a value that may be addresses.
fn strings<'a>(value: Value<'a>, depth: usize, found: &mut Vec<Clue<'a>>) {
    const MOST: usize = 20;
    if let Some(text) = value.as_str().filter(|text| text.contains('.') && found.len() < MOST) {
        found.push(Clue::Address(text));
    }
    if depth > 0 {
        let members = value.as_object().map(json::Object::members).unwrap_or_default().iter();
        let elements = value.as_array().unwrap_or_default().iter().take(MOST);
        let inside = members.take(MOST).map(|(_, value)| value).chain(elements);
        inside.for_each(|value| strings(*value, depth - 1, found));
    }
}

/// Reads the messages of a run about policies. Returns whether the text begins with a message.
pub(super) fn messages<'a>(text: &'a str, reader: &mut ResultReader<'a, '_>) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
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
        let policy = member(message, &["policy_metadata"]);
        let payload = member(message, &[string(message, &["type"])]);
        // The members are in the message itself or below the name of its type.
        let find = |name: &str| message.get(name).unwrap_or_else(|| member(payload, &[name]));
        let target = find("target_address").as_str().unwrap_or_default();
        let policy = if policy.is_null() { member(payload, &["policy_metadata"]) } else { policy };
        let name = or(string(policy, &["policy_name"]), find("policy_address").as_str().unwrap_or_default());
        let enforcement = string(policy, &["enforcement_level"]);
        let is_advice = enforcement.eq_ignore_ascii_case("advisory");
        let result = ToolResult {
            rule: short(name),
            level: if is_advice { ResultLevel::Warning } else { ResultLevel::Error },
            severity: if enforcement.is_empty() { "denied" } else { short(enforcement) },
            text: "",
            clues: vec![Clue::Address(target)],
            ..ToolResult::default()
        };
        match string(message, &["type"]) {
            "policy_diagnostic" => {
                let diagnostic =
                    message.get("policy_diagnostic").unwrap_or_else(|| member(message, &["diagnostic"]));
                let (summary, detail) = (string(diagnostic, &["summary"]), string(diagnostic, &["detail"]));
                let text =
                    if detail.is_empty() { summary.to_owned() } else { format!("{summary}: {detail}") };
                let is_warning = string(diagnostic, &["severity"]) == "warning";
                let level = if is_warning { ResultLevel::Warning } else { result.level };
                let text = short(reader.text(&text));
                explained.insert((target, name));
                reader.add(ToolResult { level, text, ..result });
            }
            "policy_result" => {
                let text = match find("result").as_str().unwrap_or_default() {
                    "AllowResult" => continue,
                    "DenyResult" => "the policy denies it",
                    "UnknownResult" => "the result of the policy is known only after apply",
                    _ => "the policy could not be evaluated",
                };
                plain.push((target, name, ToolResult { text, ..result }));
            }
            "policy_query_summary" => {
                for found in items(payload, &["results"]) {
                    let text = match string(*found, &["result"]) {
                        "pass" => continue,
                        "fail" => "the policy fails",
                        "unknown" => "the result of the policy is unknown",
                        _ => "the policy could not be evaluated",
                    };
                    let clues = vec![Clue::Address(string(*found, &["target_address"]))];
                    reader.add(ToolResult { text, clues, ..result.clone() });
                }
            }
            _ => {}
        }
    }
    // A diagnostic says more than the result that belongs to it.
    for (target, name, result) in plain {
        if !explained.contains(&(target, name)) {
            reader.add(result);
        }
    }
    true
}
