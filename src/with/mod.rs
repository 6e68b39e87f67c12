//! Reads the results of other tools about a plan: scanners, policies and costs.
//!
//! [`read`] makes [`Results`] of a file, and [`tie`] finds the resources that each result is about.
//!
//! Invariants: nothing in a file is executed, loaded or opened. A failed result is tied or listed, never dropped. A
//! file that lacks a member which its format always has, or has one of another type, gets an error as a result. Of more
//! than [`MAX_KEPT`] results, the others are counted by level. Members that may repeat values of the plan (code blocks,
//! evaluated values) are not read.

mod costs;
mod policies;
mod sarif;
mod scanners;
pub mod tie;

use bumpalo::Bump;
use serde::{Serialize, Serializer};
use strum::IntoStaticStr;

pub use costs::{Amount, Cost, Costs};

use crate::json::{self, Value};

/// The maximum number of results of all files that are kept. Further ones are only counted.
pub const MAX_KEPT: usize = 100_000;
/// The maximum length of a text of a result, in characters. Longer ones are cut.
const MAX_TEXT: usize = 1_000;

/// The severity of a result, on one scale for all tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ResultLevel {
    /// Low severity, or only information.
    Note,
    /// Medium severity, or one that is not known.
    #[default]
    Warning,
    /// High or critical severity, or a policy that failed.
    Error,
}

impl ResultLevel {
    /// All levels, the gravest first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// Returns the name of the level: `warning`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the level of a severity in the words of any tool. An unknown one is a warning.
    fn from_severity(severity: &str) -> Self {
        match severity.to_ascii_lowercase().as_str() {
            "critical" | "high" | "important" | "error" | "failed" | "failure" => Self::Error,
            "low" | "note" | "info" | "informational" | "none" | "notice" | "negligible" => {
                Self::Note
            }
            _ => Self::Warning,
        }
    }
}

/// A result of a tool. All texts are as the tool wrote them, and untrusted.
#[derive(Clone, Debug, Default)]
pub struct ToolResult<'a> {
    /// The name of the tool.
    pub tool: &'a str,
    /// The ID of the rule; may be empty.
    pub rule: &'a str,
    /// How grave it is, on the scale of all tools.
    pub level: ResultLevel,
    /// How grave it is, in the word of the tool.
    pub severity: &'a str,
    /// The message.
    pub text: &'a str,
    /// A page about the rule.
    pub url: Option<&'a str>,
    /// What the result says about its resource, the most reliable clue first.
    pub clues: Vec<Clue<'a>>,
    /// The addresses of the resources that the result is about. There are several if it is about a file of a module
    /// that is called several times.
    pub addresses: Vec<&'a str>,
}

impl ToolResult<'_> {
    /// Returns what the result is about: its first resource; else its place; else the tool and the rule.
    pub fn subject(&self) -> String {
        match (&*self.addresses, self.position()) {
            ([first, ..], _) => (*first).to_owned(),
            ([], Some(file_position)) => file_position,
            ([], None) => format!("{} {}", self.tool, self.rule).trim_end().to_owned(),
        }
    }

    /// Returns the place in the configuration, `main.tf:12`; the file alone if the result is about all of it.
    pub fn position(&self) -> Option<String> {
        self.lines().map(|(file, line)| {
            if line > 0 {
                format!("{file}:{line}")
            } else {
                file.to_owned()
            }
        })
    }

    /// Returns the file and the line in the configuration. Line 0 means the whole file.
    pub fn lines(&self) -> Option<(&str, u64)> {
        self.clues.iter().find_map(|clue| match clue {
            Clue::Lines(file, first) if !file.is_empty() => Some((*file, *first)),
            Clue::Lines(..) | Clue::Address(_) | Clue::Words(_) => None,
        })
    }
}

/// A clue to the resource of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clue<'a> {
    /// The address of an instance or of a block, or the name that Trivy gives to a resource in a module:
    /// `type.name_DIGEST`.
    Address(&'a str),
    /// A file, as the tool names it, and the first line, from 1. 0 means the whole file.
    Lines(&'a str, u64),
    /// A text that may contain an address.
    Words(&'a str),
}

/// What a tool reported in a file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ToolReport<'a> {
    /// The name of the tool.
    pub tool: &'a str,
    /// Its version.
    pub version: Option<&'a str>,
    /// The name of the file.
    pub file: String,
    /// The number of its results, without suppressed ones.
    pub results: usize,
    /// The number of results that the project has suppressed.
    pub suppressed: usize,
    /// The number of results that are counted and not kept, because there are too many; by level, in the order of
    /// `error`, `warning`, `note`.
    #[serde(serialize_with = "sum")]
    pub left_out: [usize; 3],
}

fn sum<S: Serializer>(numbers: &[usize; 3], serializer: S) -> Result<S::Ok, S::Error> {
    numbers.iter().sum::<usize>().serialize(serializer)
}

/// The content of a file of another tool.
#[derive(Debug, Default)]
pub struct Results<'a> {
    /// The numbers of what each tool reported.
    pub reports: Vec<ToolReport<'a>>,
    /// The results, without suppressed ones.
    pub results: Vec<ToolResult<'a>>,
    /// The costs, one for each plan that was estimated.
    pub costs: Vec<Costs<'a>>,
}

/// Reads a file of another tool in any of the known formats. `kept` is the number of results that were kept from other
/// files.
///
/// # Errors
/// The error of the JSON; `None` if it is JSON of an unknown format.
pub fn read<'a>(
    text: &'a str,
    file: &str,
    kept: usize,
    arena: &'a Bump,
) -> Result<Results<'a>, Option<json::Error>> {
    let mut reader = ResultReader {
        arena,
        file,
        left: MAX_KEPT.saturating_sub(kept),
        read: Results::default(),
    };
    let formats = [
        sarif::read,
        scanners::checkov,
        scanners::trivy,
        scanners::conftest,
        costs::read,
    ];
    let is_read = json::parse_unique(text, arena)
        .map(|root| formats.iter().any(|read| read(root, &mut reader)));
    // The messages of a run are one document on each line.
    match is_read {
        Ok(true) => {}
        Ok(false) | Err(_) if policies::read(text, &mut reader) => {}
        Ok(false) => return Err(None),
        Err(error) => return Err(Some(error)),
    }
    Ok(reader.read)
}

/// Collects the results of one file.
struct ResultReader<'a, 'f> {
    /// The arena that receives texts that are not in the file as they are.
    arena: &'a Bump,
    /// The name of the file.
    file: &'f str,
    /// The number of results that may still be kept.
    left: usize,
    /// The results that were read so far.
    read: Results<'a>,
}

impl<'a> ResultReader<'a, '_> {
    fn tool(&mut self, tool: &'a str, version: &'a str) {
        let version = Some(version).filter(|version| !version.is_empty());
        let report = ToolReport {
            tool,
            version,
            file: self.file.to_owned(),
            ..ToolReport::default()
        };
        self.read.reports.push(report);
    }

    /// Adds a result with a severity, from which its level follows.
    fn add_with_severity(
        &mut self,
        rule: &'a str,
        severity: &'a str,
        text: &'a str,
        url: &'a str,
        clues: Vec<Clue<'a>>,
    ) {
        self.add(ToolResult {
            rule: short(rule),
            level: ResultLevel::from_severity(severity),
            severity: short(severity),
            text: short(text),
            url: web_address(url),
            clues,
            ..ToolResult::default()
        });
    }

    /// Adds a result to the last report. Beyond the limit it is only counted.
    fn add(&mut self, mut result: ToolResult<'a>) {
        let Some(report) = self.read.reports.last_mut() else {
            return;
        };
        result.tool = report.tool;
        report.results += 1;
        if self.left == 0 {
            let counts = ResultLevel::ALL.iter().zip(&mut report.left_out);
            counts
                .filter(|(level, _)| **level == result.level)
                .for_each(|(_, count)| *count += 1);
            return;
        }
        self.left -= 1;
        self.read.results.push(result);
    }

    fn suppress(&mut self, number: usize) {
        if let Some(report) = self.read.reports.last_mut() {
            report.suppressed += number;
        }
    }

    /// Says that a tool, or a part of it, did not work: an error, so that a gate does not pass what was not examined.
    fn failure(&mut self, text: &'a str) {
        self.add_with_severity("", "failed", text, "", Vec::new());
    }

    /// Says that a tool counts more failed results than its file lists.
    fn require_all(&mut self, counted: u64, listed: usize) {
        if counted > listed as u64 {
            let text = self.text(&format!(
                "the tool counts {counted} failed results, and its file lists {listed} of them"
            ));
            self.failure(text);
        }
    }

    /// Says that a member is missing or of another type than the format says, so that results may be missing.
    fn malformed(&mut self, path: &str) {
        let text = self.text(&format!(
            "`{path}` in the file is missing or of another type, so results may be missing"
        ));
        self.failure(text);
    }

    /// Returns the items of a list that may be absent; a failure if the member is anything else.
    fn list(&mut self, value: Value<'a>, path: &str) -> &'a [Value<'a>] {
        let list = member(value, path);
        if list.as_array().is_none() && !list.is_null() {
            self.malformed(path);
        }
        list.as_array().unwrap_or_default()
    }

    /// Returns the objects of a list that may be absent; a failure if the member, or an item of it, is anything else.
    fn objects(&mut self, value: Value<'a>, path: &str) -> Vec<Value<'a>> {
        let items = self.list(value, path);
        let objects: Vec<Value<'a>> = items
            .iter()
            .filter(|item| item.as_object().is_some())
            .copied()
            .collect();
        if objects.len() < items.len() {
            self.malformed(&format!("{path}[]"));
        }
        objects
    }

    /// Returns an object that may be absent; a failure if the member is anything else.
    fn object(&mut self, value: Value<'a>, path: &str) -> Value<'a> {
        let object = member(value, path);
        if !is_object(object) && !object.is_null() {
            self.malformed(path);
        }
        object
    }

    /// Returns a number that may be absent; a failure if the member is anything else than a whole number.
    fn count(&mut self, value: Value<'a>, path: &str) -> u64 {
        let count = member(value, path);
        if !count.is_null() && number::<u64>(count).is_none() {
            self.malformed(path);
        }
        number(count).unwrap_or(0)
    }

    /// Reports a member that the format always has, if it is missing here or has another type.
    fn require(&mut self, value: Value<'a>, path: &str, is_one: fn(Value<'a>) -> bool) {
        if !is_one(member(value, path)) {
            self.malformed(path);
        }
    }

    fn text(&self, text: &str) -> &'a str {
        self.arena.alloc_str(text)
    }
}

fn is_list(value: Value<'_>) -> bool {
    value.as_array().is_some()
}

fn is_object(value: Value<'_>) -> bool {
    value.as_object().is_some()
}

fn is_text(value: Value<'_>) -> bool {
    value.as_str().is_some()
}

fn is_count(value: Value<'_>) -> bool {
    number::<u64>(value).is_some()
}

fn short(text: &str) -> &str {
    let text = text.trim();
    text.char_indices()
        .nth(MAX_TEXT)
        .and_then(|(offset, _)| text.get(..offset))
        .unwrap_or(text)
}

/// Returns the text at a path of names joined by dots; empty if there is none.
fn string<'a>(value: Value<'a>, path: &str) -> &'a str {
    member(value, path).as_str().unwrap_or_default()
}

fn first_string<'a>(value: Value<'a>, paths: &[&str]) -> &'a str {
    paths
        .iter()
        .map(|path| string(value, path))
        .find(|text| !text.is_empty())
        .unwrap_or_default()
}

fn non_empty_or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}

fn member<'a>(value: Value<'a>, path: &str) -> Value<'a> {
    path.split('.')
        .try_fold(value, |value, name| value.get(name))
        .unwrap_or_default()
}

fn members<'a>(value: Value<'a>) -> &'a [(&'a str, Value<'a>)] {
    value
        .as_object()
        .map(json::Object::members)
        .unwrap_or_default()
}

fn items<'a>(value: Value<'a>, path: &str) -> &'a [Value<'a>] {
    member(value, path).as_array().unwrap_or_default()
}

fn integer(value: Value<'_>, path: &str) -> u64 {
    number(member(value, path)).unwrap_or(0)
}

fn number<N: std::str::FromStr>(value: Value<'_>) -> Option<N> {
    if let Value::Number(text) = value {
        text.parse().ok()
    } else {
        None
    }
}

/// Returns the text if it is safe as the target of a link; `None` for anything else, such as `javascript:`.
pub fn web_address(text: &str) -> Option<&str> {
    const MAX_LEN: usize = 2_000;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?@!$&*+,;=%#".contains(c);
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    (is_web && text.len() <= MAX_LEN && text.chars().all(is_plain)).then_some(text)
}

#[cfg(test)]
mod tests;
