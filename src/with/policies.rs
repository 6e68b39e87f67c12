//! Reads the results of Terraform's policies from the messages of `terraform plan -json`.
//!
//! ```json
//! {"type": "policy_result", "target_address": "aws_s3_bucket.logs", "policy_metadata": {"policy_name": "no-public-buckets"}}
//! ```
//!
//! Invariant: a message that cannot be read is a failure of the report, not a policy that passed.

use std::collections::HashSet;

use super::{Clue, ResultLevel, ResultReader, ToolResult, short};
use super::{is_list, member, non_empty_or, string};
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
    let mut policies = PolicyReader {
        explained: HashSet::new(),
        unexplained: Vec::new(),
        has_evaluated: false,
    };
    for line in text.lines().map(str::trim) {
        if line.starts_with('{')
            && let Some(message) = message(line, reader)
        {
            policies.add(message, reader);
        }
    }
    policies.finish(reader);
    true
}

/// Parses the message on a line, if it may be about a policy; others are only checked for being JSON.
fn message<'a>(line: &'a str, reader: &mut ResultReader<'a, '_>) -> Option<Value<'a>> {
    let may_be_of_policy = ["\"policy_", "\"diagnostic\""]
        .iter()
        .any(|name| line.contains(name));
    let message = if may_be_of_policy {
        json::parse_unique(line, reader.arena)
    } else {
        Reader::new(line).skip().map(|_| Value::Null)
    };
    let Ok(message) = message else {
        reader.failure("a message is not valid JSON, and may be about a policy");
        return None;
    };
    if may_be_of_policy && member(message, "type").as_str().is_none() {
        reader.failure("a message has no type, and may be about a policy");
        return None;
    }
    Some(message)
}

/// Collects the results in the messages of a run.
struct PolicyReader<'a> {
    /// The resources and policies about which a diagnostic has told.
    explained: HashSet<(&'a str, &'a str)>,
    /// Results without a text of their own, by resource and policy.
    unexplained: Vec<(&'a str, &'a str, ToolResult<'a>)>,
    /// Whether any policy was evaluated.
    has_evaluated: bool,
}

impl<'a> PolicyReader<'a> {
    /// Adds what a message says about a policy, if it says anything.
    fn add(&mut self, message: Value<'a>, reader: &mut ResultReader<'a, '_>) {
        let kind = string(message, "type");
        let payload = message.get(kind).unwrap_or_default();
        // The members are in the message itself or below the name of its type.
        let find = |name: &str| message.get(name).unwrap_or_else(|| member(payload, name));
        let text_of = |name: &str| find(name).as_str().unwrap_or_default();
        let (target, policy) = (text_of("target_address"), find("policy_metadata"));
        let name = non_empty_or(string(policy, "policy_name"), text_of("policy_address"));
        let enforcement = string(policy, "enforcement_level");
        let is_advice = enforcement.eq_ignore_ascii_case("advisory");
        let result = ToolResult {
            rule: short(name),
            level: if is_advice {
                ResultLevel::Warning
            } else {
                ResultLevel::Error
            },
            severity: short(non_empty_or(enforcement, "denied")),
            clues: vec![Clue::Address(target)],
            ..ToolResult::default()
        };
        self.has_evaluated |= matches!(
            kind,
            "policy_diagnostic" | "policy_result" | "policy_query_summary"
        );
        match kind {
            "policy_diagnostic" => {
                let diagnostic = [payload, member(message, "diagnostic")]
                    .into_iter()
                    .find(|member| !member.is_null())
                    .unwrap_or_default();
                let is_warning = string(diagnostic, "severity") == "warning";
                // A warning does not replace a denial by the policy.
                if !is_warning || is_advice {
                    self.explained.insert((target, name));
                }
                let level = if is_warning {
                    ResultLevel::Warning
                } else {
                    result.level
                };
                reader.add(ToolResult {
                    level,
                    text: short(diagnostic_text(diagnostic, reader)),
                    ..result
                });
            }
            "policy_query_summary" => {
                let path = "policy_query_summary.results";
                reader.require(message, path, is_list);
                for query_result in reader.objects(message, path) {
                    let clues = vec![Clue::Address(string(query_result, "target_address"))];
                    if let Some(text) = outcome(string(query_result, "result")) {
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
            // Also a future type of message with the result of a policy.
            _ if kind == "policy_result" || !policy.is_null() && !find("result").is_null() => {
                if let Some(text) = outcome(text_of("result")) {
                    self.unexplained
                        .push((target, name, ToolResult { text, ..result }));
                }
            }
            _ => {}
        }
    }

    /// Adds the results that no diagnostic explains. A diagnostic replaces its result, because it has more detail.
    fn finish(self, reader: &mut ResultReader<'a, '_>) {
        for (target, name, result) in self.unexplained {
            if !self.explained.contains(&(target, name)) {
                reader.add(result);
            }
        }
        if !self.has_evaluated {
            reader.failure("no message is about a policy, so none was evaluated");
        }
    }
}

/// Returns the text of a diagnostic: its summary and detail.
fn diagnostic_text<'a>(diagnostic: Value<'a>, reader: &ResultReader<'a, '_>) -> &'a str {
    let summary = string(diagnostic, "summary");
    match string(diagnostic, "detail") {
        "" => summary,
        detail => reader.text(&format!("{summary}: {detail}")),
    }
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
