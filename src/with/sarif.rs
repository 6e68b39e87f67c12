//! The Static Analysis Results Interchange Format, which most scanners write.
//!
//! Source: OASIS SARIF 2.1.0, in which the rule, level and place of a result may each be given in several ways or be
//! absent. What a run says of itself counts too: a run that failed, or left its results elsewhere, is an error.

use std::collections::HashMap;

use super::{Clue, ResultLevel, ResultReader, ToolResult, short, web_address};
use super::{first_string, integer, items, member, members, number, or, string};
use crate::json::Value;

/// The maximum number of places of a result that are looked at.
const MAX_PLACES: usize = 100;

/// Reads the results of each run in a file. Returns whether it is SARIF.
pub(super) fn read<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
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
        let extensions = items(*run, "tool.extensions");
        let extended = extensions.iter().flat_map(|other| items(*other, "rules"));
        let all = rules.iter().chain(extended);
        let by_id = all.rev().map(|rule| (string(*rule, "id"), *rule)).collect();
        reader.tool(
            or(string(driver, "name"), "SARIF"),
            first_string(driver, &["version", "semanticVersion"]),
        );
        let mut raised: HashMap<&str, &str> = HashMap::new();
        for invocation in items(*run, "invocations") {
            sarif_invocation(*invocation, reader);
            for other in items(*invocation, "ruleConfigurationOverrides") {
                let index = member(*other, "descriptor.index");
                let by_index = at(rules, index).map(|rule| string(rule, "id"));
                let id = or(
                    string(*other, "descriptor.id"),
                    by_index.unwrap_or_default(),
                );
                raised.insert(id, string(*other, "configuration.level"));
            }
        }
        let elsewhere = member(*run, "externalPropertyFileReferences");
        if ["results", "invocations"]
            .iter()
            .any(|name| elsewhere.get(name).is_some())
        {
            reader.failure("the file refers to results in other files, which tfview does not read");
        }
        match run.get("results").and_then(Value::as_array) {
            Some(results) => {
                let run = Run {
                    artifacts: items(*run, "artifacts"),
                    rules,
                    extensions,
                    by_id,
                    raised,
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
        || integer(invocation, "exitSignalNumber") > 0
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
        let is_one = suppression.as_object().is_some();
        is_one && (status.is_null() || status.as_str() == Some("accepted"))
    };
    !suppressions.is_empty() && suppressions.iter().all(is_accepted)
}

/// The score of a rule or a result, a number or its text.
fn score(value: Value<'_>) -> Option<f64> {
    match member(value, "properties.security-severity") {
        Value::String(text) | Value::Number(text) => text.parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The ID of a rule, and those of the rules that it is a part of: `a/b`, `a`.
fn with_names_above(id: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(id), |id| id.rsplit_once('/').map(|(above, _)| above))
}

/// A run of a tool, with what its results refer to.
struct Run<'a> {
    /// The files that results name by index.
    artifacts: &'a [Value<'a>],
    /// The rules that results name by index.
    rules: &'a [Value<'a>],
    /// The tools that extend the tool, with rules of their own.
    extensions: &'a [Value<'a>],
    /// The rules by their IDs.
    by_id: HashMap<&'a str, Value<'a>>,
    /// The levels that the run gave to rules in the place of their own, by the ID of the rule.
    raised: HashMap<&'a str, &'a str>,
}

impl<'a> Run<'a> {
    /// Returns the ID of the rule of a result, and the rule itself. A run may give it by index, by
    /// ID, or in an extension.
    fn rule(&self, result: Value<'a>) -> (&'a str, Value<'a>) {
        let id = first_string(result, &["ruleId", "rule.id"]);
        let index = ["ruleIndex", "rule.index"].map(|path| member(result, path));
        let extension = member(result, "rule.toolComponent.index");
        let rules =
            at(self.extensions, extension).map_or(self.rules, |other| items(other, "rules"));
        let by_index = index
            .into_iter()
            .find(|index| !index.is_null())
            .and_then(|index| at(rules, index));
        // An index into the rules of an extension does not fit the ID.
        let fits = |rule: &Value<'a>| id.is_empty() || id.starts_with(string(*rule, "id"));
        let rule = by_index
            .filter(fits)
            .or_else(|| with_names_above(id).find_map(|id| self.by_id.get(id).copied()))
            .unwrap_or_default();
        (or(id, string(rule, "id")), rule)
    }

    /// Reads a result of a run, unless it passed or is suppressed.
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
            or(
                with_names_above(id)
                    .find_map(|id| self.raised.get(id).copied())
                    .unwrap_or_default(),
                string(rule, "defaultConfiguration.level"),
            ),
        );
        let level = match word {
            "error" => ResultLevel::Error,
            "note" | "none" => ResultLevel::Note,
            _ => ResultLevel::Warning,
        };
        // As code scanning names a score. The graver one of score and level counts.
        let scores = [rule, result].into_iter().filter_map(score);
        let (severity, least) = match scores.fold(0.0, f64::max) {
            9.0.. => ("critical", ResultLevel::Error),
            7.0.. => ("high", ResultLevel::Error),
            4.0.. => ("medium", ResultLevel::Warning),
            score if score > 0.0 => ("low", ResultLevel::Note),
            _ => (or(word, "warning"), ResultLevel::Note),
        };
        let level = level.max(least);
        let message = member(result, "message");
        let text = match string(message, "text") {
            "" => {
                let messages = member(rule, "messageStrings").get(string(message, "id"));
                let mut text = string(messages.unwrap_or_default(), "text").to_owned();
                for (index, argument) in items(message, "arguments").iter().take(10).enumerate() {
                    let argument = short(argument.as_str().unwrap_or_default());
                    text = short(&text.replace(&format!("{{{index}}}"), argument)).to_owned();
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

    /// Returns what may tell the resource of a result: logical places, properties, lines of files,
    /// and words of the text.
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

/// Returns the path of a file URI, with escapes decoded.
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
