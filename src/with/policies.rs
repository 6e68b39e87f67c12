//! Reads the results of Terraform's policies from the messages of `terraform plan -json`.
//!
//! ```json
//! {"type": "policy_result", "target_address": "aws_s3_bucket.logs", "policy_metadata": {"policy_name": "no-public-buckets"}}
//! ```
//!
//! Invariant: a message that cannot be read is a failure of the report, not a policy that passed.

use std::collections::HashSet;

use super::{Clue, ResultLevel, ResultReader, ToolResult, short};
use super::{is_list, member, or, string};
use crate::json::{self, Reader, Value};

/// Reads the messages about policies of a run. Returns whether the text begins with a message.
///
/// Without one, no policy was evaluated.
pub(super) fn read<'a>(text: &'a str, reader: &mut ResultReader<'a, '_>) -> bool {
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
    let mut has_evaluated = false;
    let messages = text.lines().map(str::trim);
    for line in messages.filter(|line| line.starts_with('{')) {
        let is_read = ["\"policy_", "\"diagnostic\""]
            .iter()
            .any(|name| line.contains(name));
        let message = if is_read {
            json::parse_unique(line, reader.arena)
        } else {
            Reader::new(line).skip().map(|_| Value::Null)
        };
        let Ok(message) = message else {
            reader.failure("a message is not valid JSON, and may be about a policy");
            continue;
        };
        if is_read && member(message, "type").as_str().is_none() {
            reader.failure("a message has no type, and may be about a policy");
            continue;
        }
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
        has_evaluated |= matches!(
            kind,
            "policy_diagnostic" | "policy_result" | "policy_query_summary"
        );
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
                // A warning does not change that the policy denies something.
                if !is_warning || is_advice {
                    explained.insert((target, name));
                }
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
                let path = "policy_query_summary.results";
                reader.require(message, path, is_list);
                for found in reader.objects(message, path) {
                    let clues = vec![Clue::Address(string(found, "target_address"))];
                    if let Some(text) = outcome(string(found, "result")) {
                        reader.add(ToolResult {
                            text,
                            clues,
                            ..result.clone()
                        });
                    }
                }
            }
            // If a run failed, it is unknown what it did not examine.
            "diagnostic" if string(payload, "severity") != "warning" => {
                let summary = short(string(payload, "summary"));
                let text = reader.text(&format!("the run reports an error: {summary}"));
                reader.failure(text);
            }
            "policy_info" => {}
            // A type of message that does not exist yet, with the result of a policy.
            _ if !policy.is_null() && !find("result").is_null() => {
                let text = outcome(text_of("result"));
                plain.extend(text.map(|text| (target, name, ToolResult { text, ..result })));
            }
            _ => {}
        }
    }
    // A diagnostic says more than the result that belongs to it.
    plain.retain(|(target, name, _)| !explained.contains(&(*target, *name)));
    plain
        .into_iter()
        .for_each(|(.., result)| reader.add(result));
    if !has_evaluated {
        reader.failure("no message is about a policy, so none was evaluated");
    }
    true
}

/// Returns the word for a result that is not a pass; `None` if the policy allows.
fn outcome(result: &str) -> Option<&'static str> {
    match result {
        "AllowResult" | "pass" => None,
        "DenyResult" | "fail" => Some("the policy denies it"),
        "UnknownResult" | "unknown" => Some("the result of the policy is known only after apply"),
        _ => Some("the policy could not be evaluated"),
    }
}
