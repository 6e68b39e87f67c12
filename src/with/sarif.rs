//! Reads the Static Analysis Results Interchange Format (SARIF), which most scanners write.
//!
//! Source: OASIS SARIF 2.1.0. In it, the rule, level and place of a result may each be given in several ways or be
//! absent. What a run says about itself counts too: a run that failed, or that left its results elsewhere, is an error.

use std::collections::HashMap;

use super::{Clue, ResultLevel, ResultReader, ToolResult, short, web_address};
use super::{
    first_string, integer, is_object, items, member, members, non_empty_or, number, string,
};
use crate::json::Value;

/// The maximum number of places of a result that are examined.
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
    // This member has parts of runs that are not within the runs themselves.
    let external = root.get("inlineExternalProperties").unwrap_or_default();
    let external_is_empty = external.as_array().is_some_and(<[Value<'_>]>::is_empty);
    for run in runs {
        let driver = member(*run, "tool.driver");
        reader.tool(
            non_empty_or(string(driver, "name"), "SARIF"),
            first_string(driver, &["version", "semanticVersion"]),
        );
        reader.object(*run, "tool");
        reader.object(*run, "tool.driver");
        reader.objects(driver, "rules");
        let rules = items(driver, "rules");
        let extensions = reader.list(*run, "tool.extensions");
        let extended = extensions.iter().flat_map(|other| items(*other, "rules"));
        let all = rules.iter().chain(extended);
        let by_id = all.rev().map(|rule| (string(*rule, "id"), *rule)).collect();
        let mut raised: HashMap<&str, &str> = HashMap::new();
        for invocation in reader.objects(*run, "invocations") {
            sarif_invocation(invocation, reader);
            for other in &reader.objects(invocation, "ruleConfigurationOverrides") {
                let index = member(*other, "descriptor.index");
                let by_index = item_at(rules, index).map(|rule| string(rule, "id"));
                let id = non_empty_or(
                    string(*other, "descriptor.id"),
                    by_index.unwrap_or_default(),
                );
                raised.insert(id, level_word(*other, "configuration.level"));
            }
        }
        if !external.is_null() && !external_is_empty {
            reader.failure(
                "the file has members of its runs beside them, which tfview does not read",
            );
        }
        let elsewhere = member(*run, "externalPropertyFileReferences");
        let has_results = ["results", "invocations"]
            .iter()
            .any(|name| elsewhere.get(name).is_some());
        if has_results || elsewhere.as_object().is_none() && !elsewhere.is_null() {
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
                let (objects, others): (Vec<Value<'a>>, Vec<Value<'a>>) = results
                    .iter()
                    .partition(|result| result.as_object().is_some());
                if !others.is_empty() {
                    reader.malformed("results[]");
                }
                objects
                    .into_iter()
                    .for_each(|result| run.result(result, reader));
            }
            None => {
                reader.failure("the file has no list of results, so the tool did not look for any");
            }
        }
    }
    true
}

/// Reports what a tool says about its own run: that it failed, or could not examine something.
fn sarif_invocation<'a>(invocation: Value<'a>, reader: &mut ResultReader<'a, '_>) {
    // Not all tools write this member.
    let success = invocation.get("executionSuccessful");
    let has_failed = success.is_some_and(|success| success != Value::Bool(true))
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
    let notifications = lists.map(|list| reader.objects(invocation, list));
    for notification in notifications.into_iter().flatten() {
        let severity = match level_word(notification, "level") {
            "" | "warning" => "warning",
            "note" | "none" => continue,
            _ => "failed",
        };
        let said = first_string(notification, &["message.text", "message.markdown"]);
        let text = reader.text(&format!(
            "the tool reports a problem with its run: {}",
            non_empty_or(short(said), "no reason given")
        ));
        let rule = first_string(notification, &["descriptor.id", "associatedRule.id"]);
        reader.add_with_severity(rule, severity, text, "", Vec::new());
    }
}

/// Whether a result is suppressed: none of its suppressions still has to be accepted. One without a status counts as
/// accepted.
fn is_suppressed(result: Value<'_>) -> bool {
    let suppressions = items(result, "suppressions");
    let is_accepted = |suppression: &Value<'_>| {
        let status = member(*suppression, "status");
        let is_one = suppression.as_object().is_some();
        is_one && (status.is_null() || status.as_str() == Some("accepted"))
    };
    !suppressions.is_empty() && suppressions.iter().all(is_accepted)
}

/// Returns the word of a level; empty if there is none, and `failed` for a value that is not a word.
fn level_word<'a>(value: Value<'a>, path: &str) -> &'a str {
    match member(value, path) {
        Value::String(word) => word,
        Value::Null => "",
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => "failed",
    }
}

/// Returns the score of a rule or a result, which is a number or a text with one. For another text, it is the score of
/// the severity that the text means.
fn score(value: Value<'_>) -> Option<f64> {
    let (error, warning, note) = (7.0, 4.0, 0.1);
    match member(value, "properties.security-severity") {
        Value::Null => None,
        Value::String(text) | Value::Number(text) => {
            let number = text
                .trim()
                .parse()
                .ok()
                .filter(|score: &f64| !score.is_nan());
            Some(number.unwrap_or(match ResultLevel::from_severity(text) {
                ResultLevel::Error => error,
                ResultLevel::Warning => warning,
                ResultLevel::Note => note,
            }))
        }
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => Some(error),
    }
}

/// Returns the ID of a rule, and those of the rules that it is a part of: `a/b`, `a`.
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
    /// The levels that the run gave to rules instead of their own, by the ID of the rule.
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
            item_at(self.extensions, extension).map_or(self.rules, |other| items(other, "rules"));
        let by_index = index
            .into_iter()
            .find(|index| !index.is_null())
            .and_then(|index| item_at(rules, index));
        // An index into the rules of an extension does not fit the ID.
        let fits = |rule: &Value<'a>| id.is_empty() || id.starts_with(string(*rule, "id"));
        let rule = by_index
            .filter(fits)
            .or_else(|| with_names_above(id).find_map(|id| self.by_id.get(id).copied()))
            .unwrap_or_default();
        (non_empty_or(id, string(rule, "id")), rule)
    }

    /// Whether a result names its rule by an index; -1 means that it does not.
    fn refers_by_index(result: Value<'a>) -> bool {
        let indices = ["ruleIndex", "rule.index"].map(|path| member(result, path));
        let is_none = |index: Value<'a>| index.is_null() || number::<i64>(index) == Some(-1);
        !indices.into_iter().all(is_none)
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
        reader.require(result, "message", is_object);
        let (id, rule) = self.rule(result);
        let raised = with_names_above(id).find_map(|id| self.raised.get(id).copied());
        let by_rule = match level_word(rule, "defaultConfiguration.level") {
            // The level of a rule that is not in the file is unknown.
            "" if rule.is_null() && Self::refers_by_index(result) => "failed",
            word => word,
        };
        let word = non_empty_or(
            level_word(result, "level"),
            non_empty_or(raised.unwrap_or_default(), by_rule),
        );
        let level = match word {
            "" | "warning" => ResultLevel::Warning,
            "note" | "none" => ResultLevel::Note,
            // Any other word is not one of the format.
            _ => ResultLevel::Error,
        };
        // The score gets the names of GitHub's code scanning. The graver one of score and level counts.
        let scores = [rule, result].into_iter().filter_map(score);
        let (severity, least) = match scores.fold(0.0, f64::max) {
            9.0.. => ("critical", ResultLevel::Error),
            7.0.. => ("high", ResultLevel::Error),
            4.0.. => ("medium", ResultLevel::Warning),
            score if score > 0.0 => ("low", ResultLevel::Note),
            _ => (non_empty_or(word, "warning"), ResultLevel::Note),
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
            text: short(non_empty_or(text, string(rule, "shortDescription.text"))),
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
            .flat_map(|location| items(*location, "logicalLocations"))
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
        for location in places() {
            let physical = member(*location, "physicalLocation");
            let artifact = item_at(self.artifacts, member(physical, "artifactLocation.index"))
                .unwrap_or_default();
            let uri = non_empty_or(
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

fn item_at<'a>(items: &[Value<'a>], index: Value<'a>) -> Option<Value<'a>> {
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
