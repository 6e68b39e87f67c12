//! SARIF 2.1.0, as scanners write it.
//!
//! Source: OASIS SARIF 2.1.0. The result's rule, level and place may each be given in several ways, and each may
//! be absent.

use std::collections::HashMap;

use super::{
    Clue, ResultLevel, ResultReader, ToolResult, first_string, integer, items, member, or, short, string,
    web_address,
};
use crate::json::Value;

/// The maximum number of places of a result that are looked at.
const MAX_PLACES: usize = 100;

/// Reads a SARIF document. Returns whether it is one.
pub(super) fn read<'a>(root: Value<'a>, reader: &mut ResultReader<'a, '_>) -> bool {
    let Some(runs) = root.get("runs").and_then(Value::as_array) else { return false };
    runs.iter().for_each(|run| Run::read(*run, reader));
    true
}

/// A run of a tool.
struct Run<'a> {
    run: Value<'a>,
    rules: &'a [Value<'a>],
    by_id: HashMap<&'a str, Value<'a>>,
}

impl<'a> Run<'a> {
    fn read(run: Value<'a>, reader: &mut ResultReader<'a, '_>) {
        let driver = member(run, &["tool", "driver"]);
        let tool = or(string(driver, &["name"]), "SARIF");
        let rules = items(driver, &["rules"]);
        let extensions = items(run, &["tool", "extensions"]).iter();
        let all = rules.iter().chain(extensions.flat_map(|extension| items(*extension, &["rules"])));
        let by_id = all.rev().map(|rule| (string(*rule, &["id"]), *rule)).collect();
        let version = first_string(driver, &[&["version"], &["semanticVersion"]]);
        reader.tool(tool, version);
        for invocation in items(run, &["invocations"]) {
            if member(*invocation, &["executionSuccessful"]) == Value::Bool(false) {
                reader.failure("the tool reports that its run failed");
            }
        }
        let Some(results) = run.get("results").and_then(Value::as_array) else {
            return reader.failure("the file has no list of results, so the tool did not look for any");
        };
        let run = Self { run, rules, by_id };
        results.iter().for_each(|result| run.result(*result, reader));
    }

    fn rule(&self, result: Value<'a>) -> (&'a str, Value<'a>) {
        let id = first_string(result, &[&["ruleId"], &["rule", "id"]]);
        let index = ["ruleIndex"].as_slice();
        let at = [index, &["rule", "index"]].into_iter().find(|path| !member(result, path).is_null());
        let by_index = at.and_then(|path| self.rules.get(usize::try_from(integer(result, path)).ok()?));
        // An index into the rules of an extension does not fit the ID.
        let fits = |rule: &&Value<'a>| id.is_empty() || id.starts_with(string(**rule, &["id"]));
        let rule = by_index.filter(fits).or_else(|| self.by_id.get(id)).copied().unwrap_or_default();
        (or(id, string(rule, &["id"])), rule)
    }

    fn result(&self, result: Value<'a>, reader: &mut ResultReader<'a, '_>) {
        // Any other kind fails, or has to be looked at.
        if ["pass", "informational", "notApplicable"].contains(&string(result, &["kind"])) {
            return;
        }
        let is_rejected = |suppression: &Value<'a>| string(*suppression, &["status"]) == "rejected";
        let suppressions = items(result, &["suppressions"]);
        if (!suppressions.is_empty() && !suppressions.iter().all(is_rejected))
            || string(result, &["baselineState"]) == "absent"
        {
            return reader.suppress(1);
        }
        let (id, rule) = self.rule(result);
        let word = match string(result, &["level"]) {
            "" => string(rule, &["defaultConfiguration", "level"]),
            level => level,
        };
        let level = match word {
            "error" => ResultLevel::Error,
            "note" | "none" => ResultLevel::Note,
            _ => ResultLevel::Warning,
        };
        let score = string(rule, &["properties", "security-severity"]);
        let message = member(result, &["message"]);
        let text = match string(message, &["text"]) {
            "" => self.message(message, rule, reader),
            text => text,
        };
        let title = string(rule, &["shortDescription", "text"]);
        reader.add(ToolResult {
            rule: short(id),
            level,
            severity: scored(score).unwrap_or(or(word, "warning")),
            text: short(or(text, title)),
            url: web_address(string(rule, &["helpUri"])),
            clues: self.clues(result, text, reader),
            ..ToolResult::default()
        });
    }

    /// The message of a rule, with its arguments.
    fn message(&self, message: Value<'a>, rule: Value<'a>, reader: &ResultReader<'a, '_>) -> &'a str {
        let id = string(message, &["id"]);
        let mut text = string(rule, &["messageStrings", id, "text"]).to_owned();
        for (at, argument) in items(message, &["arguments"]).iter().take(10).enumerate() {
            if text.len() > 10_000 {
                break;
            }
            text = text.replace(&format!("{{{at}}}"), short(argument.as_str().unwrap_or_default()));
        }
        reader.text(&text)
    }

    fn clues(&self, result: Value<'a>, text: &'a str, reader: &ResultReader<'a, '_>) -> Vec<Clue<'a>> {
        let places = || items(result, &["locations"]).iter().take(MAX_PLACES);
        let mut clues = Vec::new();
        for logical in places().flat_map(|place| items(*place, &["logicalLocations"])).take(MAX_PLACES) {
            let names = [string(*logical, &["fullyQualifiedName"]), string(*logical, &["name"])];
            clues.extend(names.into_iter().filter(|name| name.contains('.')).map(Clue::Address));
            // Terrascan: the type of the resource is the kind of the place.
            let (resource_type, name) = (string(*logical, &["kind"]), string(*logical, &["name"]));
            if resource_type.contains('_') && !name.is_empty() {
                clues.push(Clue::Named { resource_type, name, module: "" });
            }
        }
        if let Some(properties) = result.get("properties").and_then(Value::as_object) {
            let texts = properties.members().iter().filter_map(|(_, value)| value.as_str());
            clues.extend(texts.filter(|text| text.contains('.')).take(10).map(Clue::Address));
        }
        for place in places() {
            let physical = member(*place, &["physicalLocation"]);
            let artifact = member(physical, &["artifactLocation"]);
            let uri = match string(artifact, &["uri"]) {
                "" => self.artifact(integer(artifact, &["index"]), artifact),
                uri => uri,
            };
            if uri.is_empty() {
                continue;
            }
            let first = integer(physical, &["region", "startLine"]);
            clues.push(Clue::Lines { file: file_name(uri, reader), first });
        }
        clues.push(Clue::Words(short(text)));
        clues
    }

    /// The URI of one of the run's artifacts.
    fn artifact(&self, index: u64, artifact: Value<'a>) -> &'a str {
        if artifact.get("index").is_none() {
            return "";
        }
        let artifacts = items(self.run, &["artifacts"]);
        let found = usize::try_from(index).ok().and_then(|at| artifacts.get(at));
        found.map_or("", |artifact| string(*artifact, &["location", "uri"]))
    }
}

/// The severity for a score, as code scanning names it.
fn scored(score: &str) -> Option<&'static str> {
    let score: f64 = score.parse().ok()?;
    Some(match score {
        score if score >= 9.0 => "critical",
        score if score >= 7.0 => "high",
        score if score >= 4.0 => "medium",
        score if score > 0.0 => "low",
        _ => return None,
    })
}

/// The path in a URI, without its scheme and its percent encoding.
fn file_name<'a>(uri: &'a str, reader: &ResultReader<'a, '_>) -> &'a str {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    if !path.contains('%') {
        return path;
    }
    let (mut bytes, mut rest) = (Vec::with_capacity(path.len()), path.as_bytes());
    while let [first, after @ ..] = rest {
        let digits =
            after.get(..2).filter(|_| *first == b'%').and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = digits.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = byte.and_then(|_| after.get(2..)).unwrap_or(after);
    }
    reader.text(&String::from_utf8_lossy(&bytes))
}
